#include "layers/conv/conv_work.h"
#include "layers/conv/cpu_onednn.h"

/* Winograd's minimal filtering, F(4 x 4, 3 x 3): a quarter of the multiplications, in exchange for
 * transformed copies of maps and weights in the workspace and some bits of accuracy. */

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const char *why = vdnn_conv_onednn_refusal(kernel);
    if (why != NULL)
        return why;
    if (layer->x[0].dtype != VDNN_F32)
        return "it computes in f32 only";
    vdnn_conv_shape shape = vdnn_conv_shape_of(layer);
    for (int d = 0; d < 2; d++)
        if (shape.kernel[d] != 3 || shape.stride[d] != 1 || shape.dilation[d] != 1)
            return "it supports only 3 x 3 kernels without stride and dilation";
    if (shape.groups != 1)
        return "it supports one group only";
    if (!vdnn_conv_onednn_exists(kernel))
        return "oneDNN has no Winograd for this shape on this processor";
    return NULL;
}

enum { TILE = 4 }; /* outputs on a side */

VDNN_CONV_ONEDNN_ROW(winograd, dnnl_convolution_winograd, refusal, vdnn_conv_winograd_work, TILE);
