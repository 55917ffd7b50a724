/* Samples that the program reads (vdnn_data_source): pictures of the network's size, and tokens.
 * What it says of a sample is checked here, as files are when they are opened. */

#include "runtime/base/heap.h"
#include "runtime/base/versioned.h"
#include "runtime/data/format.h"

typedef struct program {
    vdnn_data_source source;
    int64_t classes, ignored;
    bool ignores;
} program;

static const char from_program[] = "the program's data";

static vdnn_status program_open(const vdnn_dataset_request *request, const char *place,
                                vdnn_dataset *dataset)
{
    vdnn_data_source source;
    (void)place;
    VDNN_TRY(vdnn_versioned_take(&source, sizeof source, request->source, "vdnn_data_source"));
    if (source.read == NULL)
        return vdnn_status_fail(VDNN_USAGE, "%s: a data source has no read", request->spec);
    if (source.samples < 1)
        return vdnn_status_fail(VDNN_USAGE,
                                "%s: a data source has %lld samples; expected 1 or more",
                                request->spec, (long long)source.samples);
    program *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", request->spec);
    *own = (program){.source = source, .classes = request->classes};
    own->ignores = request->ignored != NULL;
    if (own->ignores)
        own->ignored = *request->ignored;
    dataset->count = (uint64_t)source.samples;
    for (int32_t i = 0; i < dataset->input_count; i++)
        dataset->inputs[i].stored = dataset->inputs[i].wanted;
    dataset->state = own;
    return VDNN_OK;
}

static vdnn_status check_tokens(const vdnn_dataset_row *row, int64_t index, int32_t input,
                                const int32_t *tokens)
{
    for (int64_t i = 0; i < row->stored.channels; i++)
        if (tokens[i] < 0 || tokens[i] >= row->vocabulary)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "sample %lld: token %lld of input %d is %d; expected 0 to %lld",
                                    (long long)index, (long long)i, (int)input, (int)tokens[i],
                                    (long long)row->vocabulary - 1);
    return VDNN_OK;
}

static vdnn_status program_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                                void *const *inputs, void *labels)
{
    const program *own = dataset->state;
    const int64_t sample = (int64_t)index;
    (void)scratch;
    VDNN_TRY(own->source.read(own->source.context, sample, inputs, labels));
    for (int32_t i = 0; i < dataset->input_count; i++)
        if (dataset->inputs[i].vocabulary > 0)
            VDNN_TRY(check_tokens(&dataset->inputs[i], sample, i, inputs[i]));
    if (labels == NULL)
        return VDNN_OK;
    return vdnn_dataset_has_targets(dataset)
               ? vdnn_dataset_check_targets(dataset, from_program, index, labels)
               : vdnn_dataset_check_classes(dataset, from_program, index, labels, own->classes,
                                            own->ignores ? &own->ignored : NULL);
}

const vdnn_dataset_format vdnn_program_format = {
    .kind = "program",
    .has_inputs = true,
    .open = program_open,
    .read = program_read,
    .close = vdnn_heap_free,
};
