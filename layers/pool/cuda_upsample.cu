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
    upsample_side slices, rows, columns; /* of a picture one slice */
    vdnn_cuda_divisor by_inner;          /* contiguous channels */
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
    int64_t row = cell / s.columns.by_out, slice = row / s.rows.by_out,
            plane = slice / s.slices.by_out;
    upsample_source d = source_of(s.slices, (int)(slice - plane * s.slices.out)),
                    h = source_of(s.rows, (int)(row - slice * s.rows.out)),
                    w = source_of(s.columns, (int)(cell - row * s.columns.out));
    auto of_slice = [&](int of_d) {
        auto at = [&](int of_h, int of_w) {
            int64_t from = (plane * s.slices.in + of_d) * s.rows.in + of_h;
            return (float)x[(from * s.columns.in + of_w) * s.inner + channel];
        };
        float left = (1 - h.weight) * at(h.first, w.first) + h.weight * at(h.second, w.first),
              right = (1 - h.weight) * at(h.first, w.second) + h.weight * at(h.second, w.second);
        return (1 - w.weight) * left + w.weight * right;
    };
    float value = of_slice(d.first);
    if (d.weight > 0)
        value = (1 - d.weight) * value + d.weight * of_slice(d.second);
    y[i] = value;
}

/* Cells of y that may have a share of cell `in` of x. */
struct upsample_reach {
    int begin, end;
};

static __device__ __forceinline__ upsample_reach reach_of(const upsample_side &s, int in)
{
    int beside = s.is_bilinear ? 1 : 0, end = (in + 1 + beside) * s.scale;
    return {in < beside ? 0 : (in - beside) * s.scale, end < s.out ? end : s.out};
}

template <class T> __global__ static void upsample_backward(const T *dy, T *dx, upsample_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.inputs)
        return;
    int64_t cell = i / s.by_inner, channel = i - cell * s.inner;
    int64_t row = cell / s.columns.by_in, slice = row / s.rows.by_in,
            plane = slice / s.slices.by_in;
    int d = (int)(slice - plane * s.slices.in), h = (int)(row - slice * s.rows.in),
        w = (int)(cell - row * s.columns.in);
    upsample_reach slices = reach_of(s.slices, d), rows = reach_of(s.rows, h),
                   columns = reach_of(s.columns, w);
    float sum = 0;
    for (int out_d = slices.begin; out_d < slices.end; out_d++) {
        float share_d = share_of(s.slices, out_d, d);
        const T *from = dy + (plane * s.slices.out + out_d) * s.rows.out * s.columns.out * s.inner;
        for (int out_w = columns.begin; share_d > 0 && out_w < columns.end; out_w++) {
            float share = share_d * share_of(s.columns, out_w, w), column = 0;
            for (int out_h = rows.begin; share > 0 && out_h < rows.end; out_h++)
                column += share_of(s.rows, out_h, h) *
                          (float)from[((int64_t)out_h * s.columns.out + out_w) * s.inner + channel];
            sum += share * column;
        }
    }
    dx[i] = sum;
}

static upsample_side side_of(const vdnn_layer *layer, int side)
{
    const vdnn_upsample_config *config = static_cast<const vdnn_upsample_config *>(layer->config);
    upsample_side s = {};
    int64_t in[VDNN_SIDES], out[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    vdnn_desc_sides(&layer->y, out);
    s.in = (int)in[side];
    s.out = (int)out[side];
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
    s.slices = side_of(layer, VDNN_SIDE_D);
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

const vdnn_algorithm vdnn_upsample_native_cuda =
    vdnn_cuda_invariant(vdnn_cuda_row("upsample", "native", VDNN_CUDA_DATA_PASSES, refusal, run),
                        VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
