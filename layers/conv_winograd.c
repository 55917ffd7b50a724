#include "layers/conv_onednn.h"
#include "layers/conv_shape.h"

/* Winograd's minimal filtering, F(4 x 4, 3 x 3): a quarter of the multiplications, in exchange for
 * transformed copies of maps and weights in the workspace and some bits of accuracy. */

static const char *refusal(const vdnn_layer *layer, vdnn_pass pass)
{
    const char *why = vdnn_conv_shape_refusal(layer, pass);
    if (why != NULL)
        return why;
    vdnn_conv_shape shape = vdnn_conv_shape_of(layer);
    for (int d = 0; d < 2; d++)
        if (shape.kernel[d] != 3 || shape.stride[d] != 1 || shape.dilation[d] != 1)
            return "it takes kernels of 3 x 3 with neither stride nor dilation only";
    if (shape.groups != 1)
        return "it takes one group only";
    if (!vdnn_conv_onednn_exists(dnnl_convolution_winograd, layer, pass, 1))
        return "oneDNN has no Winograd for this shape on this processor";
    return NULL;
}

static vdnn_status workspace(const vdnn_layer *layer, vdnn_pass pass, int threads, size_t *bytes)
{
    return vdnn_conv_onednn_workspace(dnnl_convolution_winograd, layer, pass, threads, bytes);
}

static vdnn_status create(const vdnn_layer *layer, vdnn_pass pass, int threads, void **state)
{
    return vdnn_conv_onednn_create(dnnl_convolution_winograd, layer, pass, threads, state);
}

const vdnn_algorithm vdnn_conv_winograd = {
    .layer_type = "conv",
    .name = "winograd",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .refusal = refusal,
    .workspace = workspace,
    .create = create,
    .destroy = vdnn_conv_onednn_destroy,
    .run = vdnn_conv_onednn_run,
};
