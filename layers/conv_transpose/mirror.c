#include "layers/conv_transpose/conv_transpose.h"

#include "layers/registry.h"
#include "runtime/base/heap.h"

#include <string.h>

void vdnn_conv_mirror_init(const vdnn_layer *layer, vdnn_conv_mirror *mirror)
{
    const vdnn_conv_transpose_config *own = layer->config;
    *mirror = (vdnn_conv_mirror){.layer = *layer, .x = layer->y, .wants_dx = true};
    vdnn_conv_config *conv = &mirror->config;
    conv->out = layer->x[0].dims[VDNN_C];
    conv->groups = own->groups;
    memcpy(conv->kernel, own->kernel, sizeof conv->kernel);
    memcpy(conv->stride, own->stride, sizeof conv->stride);
    memcpy(conv->pad, own->pad, sizeof conv->pad);
    memcpy(conv->dilation, own->dilation, sizeof conv->dilation);
    mirror->layer.def = &vdnn_conv_def;
    mirror->layer.config = conv;
    mirror->layer.x = &mirror->x;
    mirror->layer.y = layer->x[0];
    mirror->layer.wants_dx = &mirror->wants_dx;
    mirror->layer.param_count = 1;
    mirror->layer.param_bytes = layer->params[0].bytes;
}

vdnn_pass vdnn_conv_mirror_pass(vdnn_pass pass)
{
    static const vdnn_pass passes[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = VDNN_BACKWARD_DATA,
        [VDNN_BACKWARD_DATA] = VDNN_FORWARD,
        [VDNN_BACKWARD_FILTER] = VDNN_BACKWARD_FILTER,
    };
    return passes[pass];
}

vdnn_status vdnn_conv_mirror_ask(const vdnn_kernel *kernel, vdnn_offer *offer)
{
    vdnn_conv_mirror mirror;
    vdnn_conv_mirror_init(kernel->layer, &mirror);
    return vdnn_algorithm_ask(kernel->algorithm->variant, &mirror.layer,
                              vdnn_conv_mirror_pass(kernel->pass), kernel->threads, offer);
}

typedef struct mirror_state {
    vdnn_conv_mirror mirror;
    vdnn_kernel *kernel; /* of the mirror */
} mirror_state;

vdnn_status vdnn_conv_mirror_create(const vdnn_kernel *kernel, void **state)
{
    mirror_state *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s layer '%s': no memory for a kernel (%zu bytes)",
                                kernel->layer->def->type, kernel->layer->name, sizeof *made);
    vdnn_conv_mirror_init(kernel->layer, &made->mirror);
    vdnn_status status =
        vdnn_kernel_create(kernel->algorithm->variant, &made->mirror.layer,
                           vdnn_conv_mirror_pass(kernel->pass), kernel->threads, &made->kernel);
    if (status != VDNN_OK) {
        vdnn_conv_mirror_destroy(made);
        return status;
    }
    *state = made;
    return VDNN_OK;
}

void vdnn_conv_mirror_destroy(void *state)
{
    mirror_state *own = state;
    if (own == NULL)
        return;
    vdnn_kernel_destroy(own->kernel);
    vdnn_heap_free(own);
}

vdnn_status vdnn_conv_mirror_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const mirror_state *own = kernel->state;
    vdnn_kernel_args mirrored = *args;
    void *x = args->dy, *dx = args->y;
    mirrored.x = &x;
    mirrored.dx = &dx;
    mirrored.y = kernel->pass == VDNN_BACKWARD_DATA ? args->dx[0] : NULL;
    mirrored.dy = kernel->pass == VDNN_BACKWARD_DATA ? NULL : args->x[0];
    return vdnn_kernel_run(own->kernel, &mirrored);
}
