#include "layers/conv_onednn.h"
#include "layers/conv_shape.h"

static vdnn_status workspace(const vdnn_layer *layer, vdnn_pass pass, int threads, size_t *bytes)
{
    return vdnn_conv_onednn_workspace(dnnl_convolution_direct, layer, pass, threads, bytes);
}

static vdnn_status create(const vdnn_layer *layer, vdnn_pass pass, int threads, void **state)
{
    return vdnn_conv_onednn_create(dnnl_convolution_direct, layer, pass, threads, state);
}

const vdnn_algorithm vdnn_conv_direct = {
    .layer_type = "conv",
    .name = "direct",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .refusal = vdnn_conv_shape_refusal,
    .workspace = workspace,
    .create = create,
    .destroy = vdnn_conv_onednn_destroy,
    .run = vdnn_conv_onednn_run,
};
