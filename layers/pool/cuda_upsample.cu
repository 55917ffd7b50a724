#include "layers/cuda/pack.h"

extern "C" {
#include "layers/pool/upsample.h"
}

/* A thread has one element of y, or of dx, and gathers what it is interpolated from, or was
 * interpolated to. Neighbours read neighbours in memory, from a cache all but once. */

struct upsample_side {
    int in, out;
    vdnn_cuda_divisor by_scale, by_out, by_in;
    int scale;
    bool is_bilinear;
};

struct upsample_shape {
    upsample_side rows, columns;
    vdnn_cuda_divisor by_inner; /* contiguous channels */
    int inner;
    int64_t inputs, outputs; /* elements of x and of y */
};

/* What a cell of y is interpolated from. */
struct upsample_source {
    int first, second;
    float weight; /* of the second */
};

static __device__ __forceinline__ upsample_source source_of(const upsample_side &s, int out)
{
    int cell = out / s.by_scale, phase = out - cell * s.scale;
    if (!s.is_bilinear)
        return {cell, cell, 0.0F};
    /* 2 * scale times the place between cells: in whole numbers, since a card is slow in double */
    int at = 2 * phase + 1 - s.scale, before = at < 0 ? 1 : 0;
    int first = cell - before, second = first + 1;
    float weight = (float)(at + before * 2 * s.scale) / (float)(2 * s.scale);
    return {first < 0 ? 0 : first, second < s.in ? second : s.in - 1, weight};
}

/* Of cell `in` of x in cell `out` of y. */
static __device__ __forceinline__ float share_of(const upsample_side &s, int out, int in)
{
    upsample_source from = source_of(s, out);
    return (from.first == in ? 1 - from.weight : 0.0F) + (from.second == in ? from.weight : 0.0F);
}

template <class T> __global__ static void upsample_forward(const T *x, T *y, upsample_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.outputs)
        return;
    int64_t cell = i / s.by_inner, channel = i - cell * s.inner;
    int64_t row = cell / s.columns.by_out, plane = row / s.rows.by_out;
    upsample_source h = source_of(s.rows, (int)(row - plane * s.rows.out)),
                    w = source_of(s.columns, (int)(cell - row * s.columns.out));
    auto at = [&](int of_h, int of_w) {
        return (float)x[((plane * s.rows.in + of_h) * s.columns.in + of_w) * s.inner + channel];
    };
    float left = (1 - h.weight) * at(h.first, w.first) + h.weight * at(h.second, w.first),
          right = (1 - h.weight) * at(h.first, w.second) + h.weight * at(h.second, w.second);
    y[i] = (1 - w.weight) * left + w.weight * right;
}

template <class T> __global__ static void upsample_backward(const T *dy, T *dx, upsample_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.inputs)
        return;
    int64_t cell = i / s.by_inner, channel = i - cell * s.inner;
    int64_t row = cell / s.columns.by_in, plane = row / s.rows.by_in;
    int h = (int)(row - plane * s.rows.in), w = (int)(cell - row * s.columns.in);
    int reach = s.rows.is_bilinear ? 1 : 0;
    int first_h = h < reach ? 0 : (h - reach) * s.rows.scale,
        first_w = w < reach ? 0 : (w - reach) * s.columns.scale,
        end_h = (h + 1 + reach) * s.rows.scale, end_w = (w + 1 + reach) * s.columns.scale;
    float sum = 0;
    for (int out_w = first_w; out_w < end_w && out_w < s.columns.out; out_w++) {
        float share_w = share_of(s.columns, out_w, w), column = 0;
        for (int out_h = first_h; share_w > 0 && out_h < end_h && out_h < s.rows.out; out_h++)
            column +=
                share_of(s.rows, out_h, h) *
                (float)
                    dy[((plane * s.rows.out + out_h) * s.columns.out + out_w) * s.inner + channel];
        sum += share_w * column;
    }
    dx[i] = sum;
}

static upsample_side side_of(const vdnn_layer *layer, int side)
{
    const vdnn_upsample_config *config = static_cast<const vdnn_upsample_config *>(layer->config);
    upsample_side s = {};
    s.in = (int)layer->x[0].dims[VDNN_H + side];
    s.out = (int)layer->y.dims[VDNN_H + side];
    s.scale = (int)config->scale[side];
    s.by_scale = s.scale;
    s.by_out = s.out;
    s.by_in = s.in;
    s.is_bilinear = config->mode == VDNN_UPSAMPLE_BILINEAR;
    return s;
}

static upsample_shape shape_of(const vdnn_layer *layer)
{
    upsample_shape s = {};
    s.rows = side_of(layer, VDNN_SIDE_H);
    s.columns = side_of(layer, VDNN_SIDE_W);
    s.inner = (int)vdnn_cuda_steps_of(&layer->y).cell;
    s.by_inner = s.inner;
    s.inputs = vdnn_desc_count(&layer->x[0]);
    s.outputs = vdnn_desc_count(&layer->y);
    return s;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const upsample_shape s = shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    if (kernel->pass == VDNN_FORWARD) {
        VDNN_LAUNCH(upsample_forward<T>, vdnn_cuda_blocks(s.outputs), VDNN_CUDA_THREADS, stream,
                    static_cast<const T *>(args->x[0]), static_cast<T *>(args->y), s);
        return vdnn_cuda_launched("upsample forward");
    }
    VDNN_LAUNCH(upsample_backward<T>, vdnn_cuda_blocks(s.inputs), VDNN_CUDA_THREADS, stream,
                static_cast<const T *>(args->dy), static_cast<T *>(args->dx[0]), s);
    return vdnn_cuda_launched("upsample backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const int64_t *y = kernel->layer->y.dims;
    if (y[VDNN_H] > INT32_MAX / 2 || y[VDNN_W] > INT32_MAX / 2)
        return "a side has more than 2^30 cells";
    return vdnn_cuda_free_refusal(kernel);
}

const vdnn_algorithm vdnn_upsample_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_pictures(vdnn_cuda_row("upsample", "native",
                                     1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA, refusal, run)),
    1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA, 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA);
