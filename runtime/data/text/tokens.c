/* tokens and tokens16: a text as one sequence of tokens, its bytes, or those of the network's
 * tokenizer, or unsigned 16-bit numbers. A sample is a window of it, and each token's label is the
 * one after it.
 *
 *     text     | t0 t1 t2 t3 t4 t5 t6 t7 t8 ...                         | the last tenth: tests |
 *     shift 0    [window 0] [window 1] [window 2] ...     [last]
 *     shift 1       [window 0] [window 1] [window 2] ...  [last]  which ends with the text
 *
 * Without labels, to be predicted, the text is one part, and its last window ends with it, whatever
 * it has in common with the one before.
 * The file is read where a window is; nothing of it stays in memory, but for a tokenizer's tokens.
 */

#include "runtime/base/heap.h"
#include "runtime/data/format.h"
#include "runtime/data/source.h"
#include "runtime/data/text/stream.h"

#include <string.h>

enum { BLOCK_BYTES = 4096, TEST_SHARE = 10 };

/* How a file has its tokens. */
typedef struct token_form {
    size_t bytes; /* of a token */
    bool may_be_packed;
} token_form;

static const token_form byte_form = {1, true}, word_form = {2, false};

typedef struct text {
    const token_form *form;
    vdnn_source *source;      /* NULL: the tokens are in memory */
    vdnn_text_stream *stream; /* NULL: they are in the file */
    uint64_t first, count;    /* tokens of the part */
    uint64_t after;           /* of these, after the last window: the label of its last token */
    int64_t vocabulary, window;
} text;

/* ---- open and close -------------------------------------------------------------------------- */

static vdnn_status check_network(const vdnn_dataset_request *request)
{
    const vdnn_dataset_input *input = &request->inputs[0];
    if (request->is_unlabelled)
        return VDNN_OK;
    if (request->labels == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: each token's label is the token after it, but the network has "
                                "one label a sample; expected a loss over its positions",
                                request->spec);
    if (request->labels != input->tokens)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: each token has a label, but the network reads %lld tokens and "
                                "%lld labels a sample",
                                request->spec, (long long)input->tokens,
                                (long long)request->labels);
    if (request->classes < input->vocabulary)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: the classes are the tokens, but the network has %lld classes "
                                "and a vocabulary of %lld",
                                request->spec, (long long)request->classes,
                                (long long)input->vocabulary);
    return VDNN_OK;
}

static vdnn_status open_source(const char *path, const token_form *form, vdnn_source **source)
{
    if (!form->may_be_packed) /* two bytes of numbers may look as if it were */
        return vdnn_source_open_plain(path, source);
    VDNN_TRY(vdnn_source_open(path, source));
    if (!vdnn_source_is_packed(*source))
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is compressed by gzip; unpack the file on disk",
                            path);
}

static vdnn_status count_tokens(const vdnn_source *source, const token_form *form, uint64_t *count)
{
    const uint64_t bytes = vdnn_source_bytes(source);
    *count = bytes / form->bytes;
    if (bytes % form->bytes == 0)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %llu bytes, which are no whole tokens of %zu",
                            vdnn_source_path(source), (unsigned long long)bytes, form->bytes);
}

/* Of `all` tokens of the file. */
static vdnn_status take_part(const vdnn_dataset_request *request, const char *path, uint64_t all,
                             text *own)
{
    static const char *const parts[] = {[VDNN_SPLIT_TRAIN] = "its first nine tenths have",
                                        [VDNN_SPLIT_TEST] =
                                            "its last tenth, which tests read unless --test-data "
                                            "names another text, has"};
    const bool is_whole = request->is_whole || request->is_unlabelled,
               are_last = !is_whole && request->split == VDNN_SPLIT_TEST;
    const uint64_t tested = is_whole ? 0 : all / TEST_SHARE,
                   least = (uint64_t)own->window + own->after;
    own->first = are_last ? all - tested : 0;
    own->count = are_last ? tested : all - tested;
    if (own->count >= least)
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_BAD_INPUT, "%s: %s %llu token%s; expected at least %llu, a sample of the network%s",
        path, is_whole ? "has" : parts[request->split], (unsigned long long)own->count,
        own->count == 1 ? "" : "s", (unsigned long long)least,
        own->after > 0 ? " and the token after it" : "");
}

static void text_close(void *state)
{
    text *own = state;
    vdnn_source_close(own->source);
    vdnn_text_stream_close(own->stream);
    vdnn_heap_free(own);
}

static vdnn_status open_tokens(const vdnn_dataset_request *request, const char *path, text *own,
                               uint64_t *all)
{
    const vdnn_dataset_input *input = &request->inputs[0];
    if (input->tokenizer == NULL || own->form != &byte_form) {
        VDNN_TRY(open_source(path, own->form, &own->source));
        return count_tokens(own->source, own->form, all);
    }
    VDNN_TRY(vdnn_text_stream_open(path, input->tokenizer, input->vocabulary, &own->stream));
    *all = vdnn_text_stream_tokens(own->stream)->count;
    return VDNN_OK;
}

static vdnn_status text_open(const vdnn_dataset_request *request, const char *place,
                             const token_form *form, vdnn_dataset *dataset)
{
    VDNN_TRY(check_network(request));
    text *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    *own = (text){.form = form,
                  .after = request->is_unlabelled ? 0 : 1,
                  .vocabulary = request->inputs[0].vocabulary,
                  .window = request->inputs[0].tokens};
    uint64_t all = 0;
    vdnn_status status = open_tokens(request, place, own, &all);
    VDNN_IF_OK(status, take_part(request, place, all, own));
    if (status != VDNN_OK) {
        text_close(own);
        return status;
    }
    dataset->inputs[0].stored = dataset->inputs[0].wanted;
    dataset->count = (own->count - own->after) / (uint64_t)own->window;
    if (request->is_unlabelled)
        dataset->count += own->count % (uint64_t)own->window > 0;
    else
        dataset->shifts = (uint64_t)own->window;
    dataset->state = own;
    return VDNN_OK;
}

static vdnn_status bytes_open(const vdnn_dataset_request *request, const char *place,
                              vdnn_dataset *dataset)
{
    return text_open(request, place, &byte_form, dataset);
}

static vdnn_status words_open(const vdnn_dataset_request *request, const char *place,
                              vdnn_dataset *dataset)
{
    return text_open(request, place, &word_form, dataset);
}

static bool has_stream(const vdnn_dataset *dataset)
{
    const text *own = dataset->state;
    return own->stream != NULL;
}

/* Every text can be divided. */
static bool has_last_tenth(const char *place)
{
    (void)place;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int32_t token_at(const unsigned char *bytes, size_t i, size_t token_bytes)
{
    return token_bytes == 1 ? bytes[i] : bytes[2 * i] | bytes[2 * i + 1] << 8;
}

/* `count` tokens, a block at the most, from token `first` of the file on. */
static vdnn_status read_block(const text *own, uint64_t first, size_t count, int32_t *tokens)
{
    unsigned char block[BLOCK_BYTES];
    const size_t bytes = own->form->bytes;
    VDNN_TRY(vdnn_source_read(own->source, first * bytes, block, count * bytes));
    for (size_t i = 0; i < count; i++) {
        tokens[i] = token_at(block, i, bytes);
        if (tokens[i] >= own->vocabulary)
            return vdnn_status_fail(
                VDNN_BAD_INPUT,
                "%s: the token at byte %llu is %d, but the network's vocabulary has 0 to %lld",
                vdnn_source_path(own->source), (unsigned long long)((first + i) * bytes),
                (int)tokens[i], (long long)own->vocabulary - 1);
    }
    return VDNN_OK;
}

static vdnn_status read_tokens(const text *own, uint64_t first, size_t count, int32_t *tokens)
{
    if (own->stream != NULL) {
        memcpy(tokens, vdnn_text_stream_tokens(own->stream)->items + first, count * sizeof *tokens);
        return VDNN_OK;
    }
    const size_t most = BLOCK_BYTES / own->form->bytes;
    vdnn_status status = VDNN_OK;
    for (size_t done = 0; done < count && status == VDNN_OK; done += most)
        status =
            read_block(own, first + done, count - done < most ? count - done : most, tokens + done);
    return status;
}

static vdnn_status text_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                             void *const *inputs, void *of_tokens)
{
    (void)scratch;
    const text *own = dataset->state;
    const size_t window = (size_t)own->window;
    const uint64_t last = own->count - own->after - window; /* where a window can begin */
    uint64_t begin = index % dataset->count * window + index / dataset->count;
    if (begin > last)
        begin = last;
    int32_t *tokens = inputs[0], *labels = of_tokens;
    VDNN_TRY(read_tokens(own, own->first + begin, window, tokens));
    if (labels == NULL)
        return VDNN_OK;
    memcpy(labels, tokens + 1, (window - 1) * sizeof *labels);
    return read_tokens(own, own->first + begin + window, 1, labels + window - 1);
}

const vdnn_dataset_format vdnn_tokens_format = {
    .kind = "tokens",
    .place = "FILE",
    .is_text = true,
    .shares = has_stream,
    .open = bytes_open,
    .has_test = has_last_tenth,
    .read = text_read,
    .close = text_close,
};

const vdnn_dataset_format vdnn_tokens16_format = {
    .kind = "tokens16",
    .place = "FILE",
    .is_text = true,
    .open = words_open,
    .has_test = has_last_tenth,
    .read = text_read,
    .close = text_close,
};
