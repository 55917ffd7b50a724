/* Tokens that follow each other, each by the scores of the one before it. */

#include "runtime/train/training/training_internal.h"

#include <string.h>

/* Where the window is not full, what comes after it in the sample must not matter: each
 * position reads those up to itself. */
static void fill_window(const vdnn_training_tokens *tokens, int64_t most, int32_t *sample)
{
    memcpy(sample, tokens->window, (size_t)tokens->count * sizeof *sample);
    memset(sample + tokens->count, 0, (size_t)(most - tokens->count) * sizeof *sample);
}

static void push(vdnn_training_tokens *tokens, int64_t most, int32_t token)
{
    if (tokens->count == most) {
        memmove(tokens->window, tokens->window + 1, (size_t)(most - 1) * sizeof *tokens->window);
        tokens->count--;
    }
    tokens->window[tokens->count++] = token;
}

/* Labels are read, too, and are a class. */
static void clear_batch(const vdnn_graph *graph, void *const *inputs)
{
    for (int32_t k = 0; k < graph->input_count; k++)
        memset(inputs[k], 0, vdnn_graph_batch_bytes(graph, k));
}

vdnn_status vdnn_training_generate(vdnn_training_run *run, vdnn_training_tokens *tokens)
{
    const vdnn_graph *graph = run->request.setup->graph;
    const int64_t most = vdnn_graph_sample_tokens(graph);
    void *const *inputs = run->slots[0].inputs;
    vdnn_scoring own;
    VDNN_TRY(vdnn_scoring_begin(run, graph->classes, &own));
    vdnn_status status = VDNN_OK;
    clear_batch(graph, inputs);
    for (int64_t i = 0; i < tokens->more && status == VDNN_OK; i++) {
        int32_t token = 0;
        fill_window(tokens, most, inputs[0]);
        own.first = (tokens->count - 1) * graph->classes;
        status = vdnn_scoring_run(&own, inputs, (uint64_t)i, 0);
        VDNN_IF_OK(status, tokens->choose(tokens->context, own.scores, &token));
        if (status == VDNN_OK)
            push(tokens, most, token);
    }
    vdnn_scoring_end(&own);
    return status;
}
