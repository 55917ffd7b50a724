#include "runtime/exec/copy_fill.h"

typedef struct copy_job {
    const vdnn_elementwise *row;
    const vdnn_layer *layer;
    char *block; /* where the layer's parameters lie */
    size_t offset;
} copy_job;

static vdnn_status run_copy(void *argument, void *stream)
{
    const copy_job *job = argument;
    const float *w = (const float *)(const void *)(job->block + job->layer->params[0].offset);
    return job->row->copy(job->layer, w, job->block + job->offset, stream);
}

vdnn_status vdnn_copy_fill_layer(const vdnn_plan *plan, vdnn_device *device, int32_t layer)
{
    const vdnn_layer *own = &plan->graph->layers[layer];
    size_t offset = vdnn_plan_copy_offset(plan, own);
    if (offset == 0)
        return VDNN_OK;
    const vdnn_buffer *buffer = &plan->buffers[plan->param_buffer[layer]];
    char *base = vdnn_device_base(device, VDNN_TIER_DEVICE);
    copy_job job = {vdnn_elementwise_find(vdnn_device_describe(device)->kind), own,
                    base + buffer->offset, offset};
    const vdnn_extent extent = {VDNN_TIER_DEVICE, buffer->offset, buffer->bytes};
    const vdnn_launch launch = {
        .run = run_copy, .argument = &job, .extents = &extent, .extent_count = 1};
    VDNN_TRY(vdnn_device_round(device));
    vdnn_status status = vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &launch);
    vdnn_status complete = vdnn_device_synchronize(device);
    return status == VDNN_OK ? complete : status;
}

vdnn_status vdnn_copy_fill(const vdnn_plan *plan, vdnn_device *device)
{
    vdnn_status status = VDNN_OK;
    for (int32_t l = 0; l < plan->graph->layer_count && status == VDNN_OK; l++)
        status = vdnn_copy_fill_layer(plan, device, l);
    return status;
}
