/* Tokens that are sampled from a network, with the current weights. */

#include "runtime/base/heap.h"
#include "runtime/base/versioned.h"
#include "runtime/data/text/vocabulary.h"
#include "runtime/train/scores/sampling.h"
#include "runtime/train/session/session_internal.h"

#include <math.h>
#include <string.h>

/* ---- what can be asked for ------------------------------------------------------------------- */

vdnn_status vdnn_session_check_sequence(const vdnn_graph *graph)
{
    const vdnn_desc *input = &graph->inputs[0].desc;
    const char *loss = graph->layers[graph->layer_count - 1].def->type;
    if (vdnn_graph_labels_row(graph) == 1 && vdnn_desc_is_integer(input) &&
        vdnn_graph_sample_tokens(graph) == input->dims[VDNN_POSITIONS] &&
        strcmp(loss, "softmax_loss") == 0)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "network %s says of no token which one is next: expected one input of "
                            "tokens, and a softmax_loss with a label for each of them",
                            graph->name);
}

/* Tokens that can be read; those that can be drawn are fewer where there are fewer classes. */
static int64_t vocabulary_of(const vdnn_graph *graph)
{
    return graph->inputs[0].desc.below;
}

static vdnn_status check_tokens(const vdnn_graph *graph, const int32_t *tokens, int64_t count)
{
    const int64_t vocabulary = vocabulary_of(graph);
    for (int64_t i = 0; i < count; i++)
        if (tokens[i] < 0 || tokens[i] >= vocabulary)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "token %lld is %d, but the network's vocabulary has 0 to %lld",
                                    (long long)i, (int)tokens[i], (long long)vocabulary - 1);
    return VDNN_OK;
}

static vdnn_status check(const vdnn_graph *graph, const vdnn_generation *ask)
{
    VDNN_TRY(vdnn_session_check_sequence(graph));
    if (ask->tokens < 1 || ask->prompt == NULL || ask->prompt_tokens < 1)
        return vdnn_status_fail(VDNN_USAGE, "%lld tokens after %lld: both must be 1 or more",
                                (long long)ask->tokens, (long long)ask->prompt_tokens);
    if (!isfinite(ask->temperature) || ask->temperature < 0)
        return vdnn_status_fail(VDNN_USAGE, "a temperature of %g is not a finite number from 0 up",
                                ask->temperature);
    if (ask->top < 0 || ask->top > graph->classes)
        return vdnn_status_fail(VDNN_USAGE, "--top %lld: the network has %lld classes",
                                (long long)ask->top, (long long)graph->classes);
    return check_tokens(graph, ask->prompt, ask->prompt_tokens);
}

/* ---- sampling -------------------------------------------------------------------------------- */

typedef struct choosing {
    const vdnn_generation *ask;
    vdnn_sampling sampling;
    int64_t classes; /* that can also be read */
    uint64_t number; /* of the next draw */
    int32_t *order;  /* owned; (classes) */
} choosing;

static vdnn_status choose(void *context, const float *scores, int32_t *token)
{
    choosing *own = context;
    *token = vdnn_sampling_draw(&own->sampling, scores, own->classes, own->number++, own->order);
    if (*token < 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "the weights give a token a score that is not finite");
    return own->ask->take == NULL ? VDNN_OK : own->ask->take(own->ask->context, *token);
}

static vdnn_status generate(vdnn_session *session, const vdnn_generation *ask)
{
    const vdnn_graph *graph = session->setup.graph;
    const int64_t vocabulary = vocabulary_of(graph), most = vdnn_graph_sample_tokens(graph);
    const int64_t known = ask->prompt_tokens < most ? ask->prompt_tokens : most;
    choosing own = {.ask = ask,
                    .sampling = {ask->temperature, ask->top, ask->seed},
                    .classes = graph->classes < vocabulary ? graph->classes : vocabulary};
    vdnn_training_tokens tokens = {
        .count = known, .more = ask->tokens, .choose = choose, .context = &own};
    own.order = vdnn_heap_calloc((size_t)own.classes, sizeof *own.order);
    tokens.window = vdnn_heap_calloc((size_t)most, sizeof *tokens.window);
    vdnn_status status = VDNN_OK;
    if (own.order == NULL || tokens.window == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to sample tokens");
    if (status == VDNN_OK) {
        memcpy(tokens.window, ask->prompt + ask->prompt_tokens - known,
               (size_t)known * sizeof *tokens.window);
        status = vdnn_training_generate(&session->run, &tokens);
    }
    vdnn_heap_free(own.order);
    vdnn_heap_free(tokens.window);
    return status;
}

vdnn_status vdnn_session_generate(vdnn_session *session, const vdnn_generation *generation)
{
    vdnn_generation ask;
    VDNN_TRY(vdnn_session_check_begun(session));
    VDNN_TRY(vdnn_versioned_take(&ask, sizeof ask, generation, "vdnn_generation"));
    VDNN_TRY(check(session->setup.graph, &ask));
    return generate(session, &ask);
}

/* ---- as the options ask for ------------------------------------------------------------------ */

static vdnn_status open_vocabulary(const vdnn_graph *graph, vdnn_vocabulary **vocabulary)
{
    return vdnn_vocabulary_open(graph->inputs[0].tokenizer, vocabulary_of(graph), vocabulary);
}

/* The session's, which the first text opens. */
static vdnn_status need_vocabulary(vdnn_session *session)
{
    VDNN_TRY(vdnn_session_check_sequence(session->setup.graph));
    return session->vocabulary != NULL
               ? VDNN_OK
               : open_vocabulary(session->setup.graph, &session->vocabulary);
}

static vdnn_status read_prompt(const vdnn_output_options *output, const vdnn_vocabulary *vocabulary,
                               vdnn_tokens *prompt)
{
    const char *text = output->prompt == NULL ? "" : output->prompt;
    vdnn_status status = vdnn_vocabulary_encode(vocabulary, text, strlen(text), prompt);
    if (status == VDNN_BAD_INPUT)
        status = vdnn_status_prefix(status, "--prompt");
    return status == VDNN_OK && prompt->count == 0 ? vdnn_vocabulary_begin(vocabulary, prompt)
                                                   : status;
}

static vdnn_generation generation_of(const vdnn_session_options *options, const vdnn_tokens *prompt)
{
    return (vdnn_generation){.size = sizeof(vdnn_generation),
                             .tokens = options->output->generate,
                             .prompt = prompt->items,
                             .prompt_tokens = (int64_t)prompt->count,
                             .temperature = options->output->temperature,
                             .top = options->output->top,
                             .seed = options->seed};
}

vdnn_status vdnn_session_check_generation(const vdnn_session_options *options,
                                          const vdnn_graph *graph)
{
    vdnn_vocabulary *vocabulary = NULL;
    vdnn_tokens prompt = {0};
    vdnn_status status = vdnn_session_check_sequence(graph);
    VDNN_IF_OK(status, open_vocabulary(graph, &vocabulary));
    VDNN_IF_OK(status, read_prompt(options->output, vocabulary, &prompt));
    if (status == VDNN_OK) {
        const vdnn_generation ask = generation_of(options, &prompt);
        status = check(graph, &ask);
    }
    vdnn_vocabulary_close(vocabulary);
    vdnn_tokens_fini(&prompt);
    return status;
}

/* Each token as it comes. */
static vdnn_status write_token(void *context, int32_t token)
{
    vdnn_session *session = context;
    vdnn_generated *to = &session->generated;
    const size_t before = to->text.length;
    VDNN_TRY(vdnn_tokens_add(&to->tokens, token));
    vdnn_vocabulary_decode(session->vocabulary, token, &to->text);
    if (session->options.ask.print->print_footprint && !to->text.failed)
        vdnn_messages_write(&session->messages, to->text.data + before, to->text.length - before);
    return vdnn_text_status(&to->text, "the text");
}

vdnn_status vdnn_session_write_generated(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_generated *to = &session->generated;
    vdnn_generated_fini(to);
    VDNN_TRY(need_vocabulary(session));
    VDNN_TRY(read_prompt(options->output, session->vocabulary, &to->prompt));
    vdnn_generation ask = generation_of(options, &to->prompt);
    ask.take = write_token;
    ask.context = session;
    return generate(session, &ask);
}

/* ---- texts of the program -------------------------------------------------------------------- */

vdnn_status vdnn_session_encode(vdnn_session *session, const char *text, size_t length,
                                int32_t *tokens, int64_t most, int64_t *count)
{
    vdnn_tokens found = {0};
    VDNN_TRY(vdnn_session_check_process(session));
    VDNN_TRY(need_vocabulary(session));
    vdnn_status status = vdnn_vocabulary_encode(session->vocabulary, text, length, &found);
    if (status == VDNN_OK) {
        const size_t written =
            most > 0 && (uint64_t)most < found.count ? (size_t)most : found.count;
        if (most > 0 && written > 0)
            memcpy(tokens, found.items, written * sizeof *tokens);
        *count = (int64_t)found.count;
    }
    vdnn_tokens_fini(&found);
    return status;
}

vdnn_status vdnn_session_decode(vdnn_session *session, const int32_t *tokens, int64_t count,
                                vdnn_text *text)
{
    VDNN_TRY(vdnn_session_check_process(session));
    VDNN_TRY(need_vocabulary(session));
    VDNN_TRY(check_tokens(session->setup.graph, tokens, count));
    for (int64_t i = 0; i < count; i++)
        vdnn_vocabulary_decode(session->vocabulary, tokens[i], text);
    return vdnn_text_status(text, "the text");
}
