#include "layers/conv/cuda_conv.h"
#include "layers/conv/cuda_tiles.h"
#include "layers/cuda/epilogue.h"

/* Implicit matrix products: a convolution's matrices are never stored, each element is read in
 * place. The depth of backward filter is all cells of all samples, and its product small, so one
 * row of the table divides the depth into parts, which are added in order, and one, which is not
 * deterministic, adds them atomically. */

enum { PARTS = 32 };

/* Rows: outputs; columns: cells of all samples; depth: the window. */
template <class T> struct forward_problem {
    vdnn_cuda_conv c;
    const T *x;
    const float *w;
    vdnn_cuda_epilogue epilogue;
    T *y;

    __device__ __forceinline__ float left(int group, int row, int64_t l) const
    {
        return w[((int64_t)group * c.outputs + row) * c.window + l];
    }

    __device__ __forceinline__ float right(int group, int64_t l, int64_t column) const
    {
        int place = (int)l, cell = (int)(column % c.by_out_cells);
        int64_t n = column / c.by_out_cells;
        int kw = place % c.by_kernel[1], kh = place / c.by_kernel[1] % c.by_kernel[0];
        int channel = place / c.by_kernel[1] / c.by_kernel[0];
        int h = cell / c.by_out * c.stride[0] - c.pad[0] + kh * c.dilation[0];
        int v = cell % c.by_out * c.stride[1] - c.pad[1] + kw * c.dilation[1];
        bool inside = h >= 0 && h < c.in[0] && v >= 0 && v < c.in[1];
        int64_t plane = (n * c.groups + group) * c.channels + channel;
        return inside ? (float)x[plane * c.in_cells + (int64_t)h * c.in[1] + v] : 0.0F;
    }

    __device__ __forceinline__ void write(int group, int row, int64_t column, float sum) const
    {
        int64_t plane = (column / c.by_out_cells * c.groups + group) * c.outputs + row;
        y[plane * c.out_cells + column % c.by_out_cells] =
            epilogue.of((int64_t)group * c.outputs + row, sum);
    }
};

/* Rows: channels; columns: cells of dx; depth: outputs x kernel. */
template <class T> struct data_problem {
    vdnn_cuda_conv c;
    const T *dy;
    const float *w;
    T *dx;

    __device__ __forceinline__ float left(int group, int row, int64_t l) const
    {
        int taps = c.kernel[0] * c.kernel[1], place = (int)l;
        int own = place / c.by_kernel[1] / c.by_kernel[0];
        int64_t output = group * (int64_t)c.outputs + own;
        return w[output * c.window + (int64_t)row * taps + place - own * taps];
    }

    __device__ __forceinline__ float right(int group, int64_t l, int64_t column) const
    {
        int place = (int)l, cell = (int)(column % c.by_in_cells);
        int64_t n = column / c.by_in_cells;
        int kw = place % c.by_kernel[1], kh = place / c.by_kernel[1] % c.by_kernel[0];
        int output = place / c.by_kernel[1] / c.by_kernel[0];
        int h = cell / c.by_in + c.pad[0] - kh * c.dilation[0];
        int v = cell % c.by_in + c.pad[1] - kw * c.dilation[1];
        bool on_grid = h >= 0 && v >= 0 && h % c.by_stride[0] == 0 && v % c.by_stride[1] == 0;
        h = h / c.by_stride[0];
        v = v / c.by_stride[1];
        int64_t plane = (n * c.groups + group) * c.outputs + output;
        return on_grid && h < c.out[0] && v < c.out[1]
                   ? (float)dy[plane * c.out_cells + (int64_t)h * c.out[1] + v]
                   : 0.0F;
    }

    __device__ __forceinline__ void write(int group, int row, int64_t column, float sum) const
    {
        int64_t plane = (column / c.by_in_cells * c.groups + group) * c.channels + row;
        dx[plane * c.in_cells + column % c.by_in_cells] = sum;
    }
};

/* Rows: outputs; columns: the window; depth: cells of all samples, in parts. */
template <class T> struct filter_problem {
    vdnn_cuda_conv c;
    const T *x, *dy;
    float *dw; /* (parts, the weight); the sum if parts are added atomically */
    int parts;
    bool adds_up;

    __device__ __forceinline__ float left(int group, int row, int64_t l) const
    {
        int64_t plane = (l / c.by_out_cells * c.groups + group / parts) * c.outputs + row;
        return dy[plane * c.out_cells + l % c.by_out_cells];
    }

    __device__ __forceinline__ float right(int group, int64_t l, int64_t column) const
    {
        return forward_problem<T>{c, x, nullptr, {}, nullptr}.right(group / parts, column, l);
    }

    __device__ __forceinline__ void write(int group, int row, int64_t column, float sum) const
    {
        int64_t part = adds_up ? 0 : group % parts, own = group / parts;
        float *to = &dw[(part * c.groups * c.outputs + own * c.outputs + row) * c.window + column];
        if (adds_up)
            vdnn_cuda_add(to, sum);
        else
            *to = sum;
    }
};

__global__ static void add_parts(const float *partial, float *dw, int parts, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    float sum = 0;
    for (int64_t part = 0; part < parts; part++)
        sum += partial[part * count + i];
    dw[i] = sum;
}

/* How the depth of backward filter is divided, and whether the parts are added atomically. */
typedef struct cut {
    int parts;
    bool adds_up;
} cut;

static const cut whole = {1, false}, in_parts = {PARTS, false}, atomic = {PARTS, true};

static cut cut_of(const vdnn_kernel *kernel)
{
    return *static_cast<const cut *>(kernel->algorithm->variant);
}

static bool keeps_parts(cut own)
{
    return own.parts > 1 && !own.adds_up;
}

template <class T>
static vdnn_status backward_filter(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    cut own = cut_of(kernel);
    int64_t count = c.groups * c.outputs * c.window;
    float *dw = static_cast<float *>(args->dw);
    float *to = keeps_parts(own) ? static_cast<float *>(args->workspace) : dw;
    filter_problem<T> problem = {c,
                                 static_cast<const T *>(args->x[0]),
                                 static_cast<const T *>(args->dy),
                                 to,
                                 own.parts,
                                 own.adds_up};
    cudaError_t error =
        own.adds_up ? cudaMemsetAsync(dw, 0, (size_t)count * sizeof(float), stream) : cudaSuccess;
    if (error != cudaSuccess)
        return vdnn_cuda_fail("cudaMemsetAsync", error);
    vdnn_status status = vdnn_cuda_tiles(stream, problem, c.groups, c.outputs, c.window,
                                         c.samples * c.out_cells, own.parts);
    if (status == VDNN_OK && keeps_parts(own))
        VDNN_LAUNCH(add_parts, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, to, dw,
                    own.parts, count);
    return vdnn_cuda_epilogue_gradient(kernel, args, status);
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const float *w = static_cast<const float *>(args->w);
    if (kernel->pass == VDNN_BACKWARD_FILTER)
        return backward_filter<T>(kernel, args);
    if (kernel->pass == VDNN_BACKWARD_DATA) {
        data_problem<T> problem = {c, static_cast<const T *>(args->dy), w,
                                   static_cast<T *>(args->dx[0])};
        return vdnn_cuda_tiles(stream, problem, c.groups, c.channels, c.samples * c.in_cells,
                               (int64_t)c.outputs * c.kernel[0] * c.kernel[1], 1);
    }
    forward_problem<T> problem = {c, static_cast<const T *>(args->x[0]), w,
                                  vdnn_cuda_epilogue_of(kernel, args), static_cast<T *>(args->y)};
    return vdnn_cuda_tiles(stream, problem, c.groups, c.outputs, c.samples * c.out_cells, c.window,
                           1);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    size_t parts = keeps_parts(cut_of(kernel)) ? PARTS : 0;
    *bytes = vdnn_cuda_epilogue_room(kernel, parts * (size_t)kernel->layer->params[0].count *
                                                 sizeof(float));
    return VDNN_OK;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const char *why = vdnn_cuda_conv_refusal(kernel);
    const vdnn_conv_config *config = static_cast<const vdnn_conv_config *>(layer->config);
    int64_t more = layer->x[0].dims[VDNN_C] > config->out ? layer->x[0].dims[VDNN_C] : config->out;
    int64_t window = more * config->kernel[0] * config->kernel[1];
    if (why == nullptr && window > 1 << 30)
        why = "its weight has more than 2^30 elements for an output";
    return why != nullptr ? why : vdnn_cuda_tiles_refusal(config->groups * PARTS, more);
}

const vdnn_algorithm vdnn_conv_implicit_cuda = vdnn_cuda_reference(
    vdnn_cuda_invariant(vdnn_cuda_pictures(vdnn_cuda_row("conv", "implicit", VDNN_CUDA_ALL_PASSES,
                                                         refusal, run, workspace, &whole)),
                        VDNN_CUDA_DATA_PASSES, 1U << VDNN_FORWARD));

const vdnn_algorithm vdnn_conv_implicit_parts_cuda = vdnn_cuda_pictures(vdnn_cuda_row(
    "conv", "implicit_parts", 1U << VDNN_BACKWARD_FILTER, refusal, run, workspace, &in_parts));

/* The same parallelism, without reading parts again. */
const vdnn_algorithm vdnn_conv_implicit_atomic_cuda =
    vdnn_cuda_pictures(vdnn_cuda_row("conv", "implicit_atomic", 1U << VDNN_BACKWARD_FILTER, refusal,
                                     run, workspace, &atomic, false));
