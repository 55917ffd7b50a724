#ifndef VDNN_LAYERS_CONV_CUDA_CONV_H
#define VDNN_LAYERS_CONV_CUDA_CONV_H

/* A convolution's shape for its kernels on the CUDA device: a plain value.
 *
 * Invariant: the layer's shapes are inferred; channels and outputs are those of one group. If the
 * channels of x are padded and there is one group, channels include the padding, as in the weight
 * that such kernels read (layers/cuda/weight.h).
 * Threads: pure.
 *
 *     vdnn_cuda_conv conv = vdnn_cuda_conv_of(layer);
 *     int64_t h = oh * conv.stride[0] - conv.pad[0] + kh * conv.dilation[0];
 */

#include "layers/cuda/kernel.h"

extern "C" {
#include "layers/conv/conv.h"
}

typedef struct vdnn_cuda_conv {
    int64_t samples, groups;
    int channels, outputs; /* of a group */
    int in[2], out[2], kernel[2], stride[2], pad[2], dilation[2];
    int64_t in_cells, out_cells; /* of a plane */
    int64_t window;              /* channels of a group x cells of the kernel */
    /* The same, to divide by; of maps the width. */
    vdnn_cuda_divisor by_groups, by_in_cells, by_out_cells, by_window, by_in, by_out;
    vdnn_cuda_divisor by_kernel[2], by_stride[2];
} vdnn_cuda_conv;

static inline vdnn_cuda_conv vdnn_cuda_conv_of(const vdnn_layer *layer)
{
    const vdnn_conv_config *config = static_cast<const vdnn_conv_config *>(layer->config);
    vdnn_cuda_conv c = {};
    c.samples = layer->y.dims[VDNN_N];
    c.groups = config->groups;
    c.channels = (int)(config->groups == 1 ? vdnn_desc_channels(&layer->x[0])
                                           : layer->x[0].dims[VDNN_C] / config->groups);
    c.outputs = (int)(config->out / config->groups);
    for (int d = 0; d < 2; d++) {
        c.in[d] = (int)layer->x[0].dims[VDNN_H + d];
        c.out[d] = (int)layer->y.dims[VDNN_H + d];
        c.kernel[d] = (int)config->kernel[d];
        c.stride[d] = (int)config->stride[d];
        c.pad[d] = (int)config->pad[d];
        c.dilation[d] = (int)config->dilation[d];
    }
    c.in_cells = (int64_t)c.in[0] * c.in[1];
    c.out_cells = (int64_t)c.out[0] * c.out[1];
    c.window = (int64_t)c.channels * c.kernel[0] * c.kernel[1];
    c.by_groups = c.groups;
    c.by_in_cells = c.in_cells;
    c.by_out_cells = c.out_cells;
    c.by_window = c.window;
    c.by_in = c.in[1];
    c.by_out = c.out[1];
    for (int d = 0; d < 2; d++) {
        c.by_kernel[d] = c.kernel[d];
        c.by_stride[d] = c.stride[d];
    }
    return c;
}

/* For a row whose variant, an int, is the number of samples that it computes at a time: the samples
 * of the run that begins with sample `first`. The first run has the most, and only the last has
 * fewer. */
static inline int64_t vdnn_cuda_conv_samples(const vdnn_kernel *kernel, int64_t first)
{
    int64_t left = kernel->layer->y.dims[VDNN_N] - first;
    int64_t most = *static_cast<const int *>(kernel->algorithm->variant);
    return left < most ? left : most;
}

/* Why int is too small for the kernels' counters; NULL: it is not. Maps may be in nchw or nhwc, x
 * with padding. */
static inline const char *vdnn_cuda_conv_free_refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_conv_config *config = static_cast<const vdnn_conv_config *>(layer->config);
    constexpr int64_t MOST = 1 << 30;
    bool is_large = config->out > MOST || layer->x[0].dims[VDNN_C] > MOST;
    for (int d = 0; d < 2; d++) {
        int64_t reach = layer->x[0].dims[VDNN_H + d] + 2 * config->pad[d];
        is_large = is_large || config->pad[d] > MOST || reach > MOST ||
                   config->dilation[d] > MOST || config->stride[d] > MOST;
    }
    const int64_t *x = layer->x[0].dims, *y = layer->y.dims;
    is_large = is_large || x[VDNN_H] * x[VDNN_W] > MOST || y[VDNN_H] * y[VDNN_W] > MOST;
    return is_large ? "its shape is larger than 2^30" : vdnn_cuda_padded_refusal(kernel);
}

/* The same for kernels of plain maps. */
static inline const char *vdnn_cuda_conv_refusal(const vdnn_kernel *kernel)
{
    const char *why = vdnn_cuda_conv_free_refusal(kernel);
    return why != nullptr ? why : vdnn_cuda_refusal(kernel);
}

#endif
