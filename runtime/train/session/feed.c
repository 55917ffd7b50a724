#include "runtime/train/session/feed.h"

#include "runtime/base/versioned.h"

#include <string.h>

enum { BATCHES = 1 << 20 }; /* of an epoch */

/* Of one sample, as a program has it: floats, or tokens. */
static size_t sample_bytes(const vdnn_desc *desc)
{
    return vdnn_desc_is_integer(desc)
               ? (size_t)desc->dims[VDNN_POSITIONS] * sizeof(int32_t)
               : (size_t)(desc->dims[VDNN_C] * desc->dims[VDNN_H] * desc->dims[VDNN_W]) *
                     sizeof(float);
}

static size_t label_bytes(const vdnn_graph *graph)
{
    const vdnn_desc *labels = vdnn_graph_labels(graph);
    return vdnn_desc_bytes(labels) / (size_t)labels->dims[VDNN_N];
}

static vdnn_status read_sample(void *context, int64_t index, void *const *inputs, int32_t *labels)
{
    const vdnn_feed *feed = context;
    const vdnn_graph *graph = feed->graph;
    if (feed->batch.inputs == NULL)
        return vdnn_status_fail(VDNN_USAGE, "no batch was given");
    const size_t i = (size_t)(index % feed->batch.samples);
    for (int32_t k = 0; k < vdnn_graph_labels_row(graph); k++) {
        const size_t bytes = sample_bytes(&graph->inputs[k].desc);
        memcpy(inputs[k], (const char *)feed->batch.inputs[k] + i * bytes, bytes);
    }
    const size_t bytes = label_bytes(graph);
    if (labels != NULL && feed->batch.labels == NULL)
        memset(labels, 0, bytes);
    else if (labels != NULL)
        memcpy(labels, (const char *)feed->batch.labels + i * bytes, bytes);
    return VDNN_OK;
}

static vdnn_data_source source_of(vdnn_feed *feed, int64_t samples)
{
    return (vdnn_data_source){
        .size = sizeof(vdnn_data_source), .samples = samples, .read = read_sample, .context = feed};
}

void vdnn_feed_begin(vdnn_feed *feed, const vdnn_graph *graph, vdnn_dataset_options *dataset)
{
    *feed = (vdnn_feed){.source = source_of(feed, BATCHES * graph->step_batch), .graph = graph};
    dataset->source = &feed->source;
    dataset->no_shuffle = true;
}

static vdnn_status check_inputs(const vdnn_graph *graph, const vdnn_batch *batch)
{
    if (batch->inputs == NULL)
        return vdnn_status_fail(VDNN_USAGE, "a batch without inputs");
    for (int32_t k = 0; k < vdnn_graph_labels_row(graph); k++)
        if (batch->inputs[k] == NULL)
            return vdnn_status_fail(VDNN_USAGE, "a batch without '%s'", graph->inputs[k].name);
    return VDNN_OK;
}

vdnn_status vdnn_feed_give(vdnn_feed *feed, const vdnn_batch *batch)
{
    const vdnn_graph *graph = feed->graph;
    vdnn_batch own;
    VDNN_TRY(vdnn_versioned_take(&own, sizeof own, batch, "vdnn_batch"));
    if (own.samples != graph->step_batch)
        return vdnn_status_fail(VDNN_USAGE, "a batch of %lld samples; expected %lld",
                                (long long)own.samples, (long long)graph->step_batch);
    if (own.labels == NULL && graph->label_input < 0)
        return vdnn_status_fail(VDNN_USAGE, "a batch without labels");
    VDNN_TRY(check_inputs(graph, &own));
    feed->batch = own;
    return VDNN_OK;
}

vdnn_status vdnn_feed_lend(vdnn_feed *feed, const vdnn_graph *graph, const vdnn_batch *batch)
{
    vdnn_batch own;
    VDNN_TRY(vdnn_versioned_take(&own, sizeof own, batch, "vdnn_batch"));
    if (own.samples < 1)
        return vdnn_status_fail(VDNN_USAGE, "a batch of %lld samples; expected 1 or more",
                                (long long)own.samples);
    VDNN_TRY(check_inputs(graph, &own));
    own.labels = NULL;
    *feed = (vdnn_feed){.source = source_of(feed, own.samples), .graph = graph, .batch = own};
    return VDNN_OK;
}

void vdnn_feed_end(vdnn_feed *feed)
{
    feed->batch = (vdnn_batch){0};
}
