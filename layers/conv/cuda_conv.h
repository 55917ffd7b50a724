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
    int in[VDNN_SIDES], out[VDNN_SIDES], kernel[VDNN_SIDES];
    int stride[VDNN_SIDES], pad[VDNN_SIDES], dilation[VDNN_SIDES];
    int64_t in_cells, out_cells; /* of a plane */
    int64_t taps, window;        /* cells of the kernel; the same x channels of a group */
    /* The same, to divide by; of maps the width, and the height. */
    vdnn_cuda_divisor by_groups, by_in_cells, by_out_cells, by_window, by_in, by_out;
    vdnn_cuda_divisor by_in_rows, by_out_rows, by_taps, by_kernel[VDNN_SIDES],
        by_stride[VDNN_SIDES];
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
    int64_t in[VDNN_SIDES], out[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    vdnn_desc_sides(&layer->y, out);
    for (int d = 0; d < VDNN_SIDES; d++) {
        c.in[d] = (int)in[d];
        c.out[d] = (int)out[d];
        c.kernel[d] = (int)config->kernel[d];
        c.stride[d] = (int)config->stride[d];
        c.pad[d] = (int)config->pad[d];
        c.dilation[d] = (int)config->dilation[d];
    }
    c.in_cells = in[0] * in[1] * in[2];
    c.out_cells = out[0] * out[1] * out[2];
    c.taps = (int64_t)c.kernel[0] * c.kernel[1] * c.kernel[2];
    c.window = c.channels * c.taps;
    c.by_groups = c.groups;
    c.by_in_cells = c.in_cells;
    c.by_out_cells = c.out_cells;
    c.by_window = c.window;
    c.by_in = c.in[1];
    c.by_out = c.out[1];
    c.by_taps = c.taps;
    c.by_in_rows = c.in[0];
    c.by_out_rows = c.out[0];
    for (int d = 0; d < VDNN_SIDES; d++) {
        c.by_kernel[d] = c.kernel[d];
        c.by_stride[d] = c.stride[d];
    }
    return c;
}

/* The cell of its plane of x that a tap of the window at a cell of y reads; -1: padding. */
static __device__ __forceinline__ int64_t vdnn_cuda_conv_source(const vdnn_cuda_conv &c, int cell,
                                                                int tap)
{
    int line = cell / c.by_out, lines = tap / c.by_kernel[1]; /* over all slices */
    int s = line / c.by_out_rows * c.stride[2] - c.pad[2] + lines / c.by_kernel[0] * c.dilation[2];
    int h = line % c.by_out_rows * c.stride[0] - c.pad[0] + lines % c.by_kernel[0] * c.dilation[0];
    int v = cell % c.by_out * c.stride[1] - c.pad[1] + tap % c.by_kernel[1] * c.dilation[1];
    bool inside = s >= 0 && s < c.in[2] && h >= 0 && h < c.in[0] && v >= 0 && v < c.in[1];
    return inside ? ((int64_t)s * c.in[0] + h) * c.in[1] + v : -1;
}

/* Along a side, the window whose tap is at a cell of x; false: there is none. */
static __device__ __forceinline__ bool vdnn_cuda_conv_window(const vdnn_cuda_conv &c, int side,
                                                             int cell, int tap, int *window)
{
    int from = cell + c.pad[side] - tap * c.dilation[side];
    if (from < 0 || from % c.by_stride[side] != 0)
        return false;
    *window = from / c.by_stride[side];
    return *window < c.out[side];
}

/* Calls add(tap, cell of y) for every window that a cell of a plane of x is in, tap by tap. */
template <class Add>
static __device__ __forceinline__ void vdnn_cuda_conv_windows(const vdnn_cuda_conv &c, int cell,
                                                              Add add)
{
    int line = cell / c.by_in, s, h, v;
    for (int kd = 0, tap = 0; kd < c.kernel[2]; kd++)
        for (int kh = 0; kh < c.kernel[0]; kh++, tap += c.kernel[1]) {
            if (!vdnn_cuda_conv_window(c, 2, line / c.by_in_rows, kd, &s) ||
                !vdnn_cuda_conv_window(c, 0, line % c.by_in_rows, kh, &h))
                continue;
            for (int kw = 0; kw < c.kernel[1]; kw++)
                if (vdnn_cuda_conv_window(c, 1, cell % c.by_in, kw, &v))
                    add(tap + kw, ((int64_t)s * c.out[0] + h) * c.out[1] + v);
        }
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
    int64_t in[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    for (int d = 0; d < VDNN_SIDES; d++) {
        int64_t reach = in[d] + 2 * config->pad[d];
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
