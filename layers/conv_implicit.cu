#include "layers/cuda_conv.h"
#include "layers/cuda_tiles.h"

extern "C" {
#include "layers/cuda_bias.h"
}

/* Implicit matrix products: a convolution's matrices are never made, each element is looked up
 * where it stands. The depth of backward filter is all cells of all samples, and its product small,
 * so one row of the table cuts the depth into parts, which are added in order. */

enum { PARTS = 32 };

/* Rows: outputs; columns: cells of all samples; depth: the window. */
struct forward_problem {
    vdnn_cuda_conv c;
    const float *x, *w;
    float *y;

    __device__ __forceinline__ float left(int group, int row, int64_t l) const
    {
        return w[((int64_t)group * c.outputs + row) * c.window + l];
    }

    __device__ __forceinline__ float right(int group, int64_t l, int64_t column) const
    {
        int place = (int)l, cell = (int)(column % c.out_cells);
        int64_t n = column / c.out_cells;
        int kw = place % c.kernel[1], kh = place / c.kernel[1] % c.kernel[0];
        int channel = place / c.kernel[1] / c.kernel[0];
        int h = cell / c.out[1] * c.stride[0] - c.pad[0] + kh * c.dilation[0];
        int v = cell % c.out[1] * c.stride[1] - c.pad[1] + kw * c.dilation[1];
        bool inside = h >= 0 && h < c.in[0] && v >= 0 && v < c.in[1];
        int64_t plane = (n * c.groups + group) * c.channels + channel;
        return inside ? x[plane * c.in_cells + (int64_t)h * c.in[1] + v] : 0.0F;
    }

    __device__ __forceinline__ void write(int group, int row, int64_t column, float sum) const
    {
        int64_t plane = (column / c.out_cells * c.groups + group) * c.outputs + row;
        y[plane * c.out_cells + column % c.out_cells] = sum;
    }
};

/* Rows: channels; columns: cells of dx; depth: outputs x kernel. */
struct data_problem {
    vdnn_cuda_conv c;
    const float *dy, *w;
    float *dx;

    __device__ __forceinline__ float left(int group, int row, int64_t l) const
    {
        int64_t taps = (int64_t)c.kernel[0] * c.kernel[1];
        int64_t output = group * (int64_t)c.outputs + l / taps;
        return w[output * c.window + row * taps + l % taps];
    }

    __device__ __forceinline__ float right(int group, int64_t l, int64_t column) const
    {
        int place = (int)l, cell = (int)(column % c.in_cells);
        int64_t n = column / c.in_cells;
        int kw = place % c.kernel[1], kh = place / c.kernel[1] % c.kernel[0];
        int output = place / c.kernel[1] / c.kernel[0];
        int h = cell / c.in[1] + c.pad[0] - kh * c.dilation[0];
        int v = cell % c.in[1] + c.pad[1] - kw * c.dilation[1];
        bool on_grid = h >= 0 && v >= 0 && h % c.stride[0] == 0 && v % c.stride[1] == 0;
        h /= c.stride[0];
        v /= c.stride[1];
        int64_t plane = (n * c.groups + group) * c.outputs + output;
        return on_grid && h < c.out[0] && v < c.out[1]
                   ? dy[plane * c.out_cells + (int64_t)h * c.out[1] + v]
                   : 0.0F;
    }

    __device__ __forceinline__ void write(int group, int row, int64_t column, float sum) const
    {
        int64_t plane = (column / c.in_cells * c.groups + group) * c.channels + row;
        dx[plane * c.in_cells + column % c.in_cells] = sum;
    }
};

/* Rows: outputs; columns: the window; depth: cells of all samples, in parts. */
struct filter_problem {
    vdnn_cuda_conv c;
    const float *x, *dy;
    float *dw; /* (parts, the weight) */
    int parts;

    __device__ __forceinline__ float left(int group, int row, int64_t l) const
    {
        int64_t plane = (l / c.out_cells * c.groups + group / parts) * c.outputs + row;
        return dy[plane * c.out_cells + l % c.out_cells];
    }

    __device__ __forceinline__ float right(int group, int64_t l, int64_t column) const
    {
        return forward_problem{c, x, nullptr, nullptr}.right(group / parts, column, l);
    }

    __device__ __forceinline__ void write(int group, int row, int64_t column, float sum) const
    {
        int64_t part = group % parts, own = group / parts;
        dw[(part * c.groups * c.outputs + own * c.outputs + row) * c.window + column] = sum;
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

static const int whole = 1, in_parts = PARTS;

static int parts_of(const vdnn_kernel *kernel)
{
    return *static_cast<const int *>(kernel->algorithm->variant);
}

static vdnn_status backward_filter(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int parts = parts_of(kernel);
    int64_t count = c.groups * c.outputs * c.window;
    float *dw = static_cast<float *>(args->dw);
    float *partial = parts == 1 ? dw : static_cast<float *>(args->workspace);
    filter_problem problem = {c, static_cast<const float *>(args->x[0]),
                              static_cast<const float *>(args->dy), partial, parts};
    vdnn_status status = vdnn_cuda_tiles(stream, problem, c.groups, c.outputs, c.window,
                                         c.samples * c.out_cells, parts);
    if (status == VDNN_OK && parts > 1)
        VDNN_LAUNCH(add_parts, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, partial, dw,
                    parts, count);
    return status == VDNN_OK ? vdnn_cuda_bias_gradient(kernel->layer, args) : status;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const float *w = static_cast<const float *>(args->w);
    if (kernel->pass == VDNN_BACKWARD_FILTER)
        return backward_filter(kernel, args);
    if (kernel->pass == VDNN_BACKWARD_DATA) {
        data_problem problem = {c, static_cast<const float *>(args->dy), w,
                                static_cast<float *>(args->dx[0])};
        return vdnn_cuda_tiles(stream, problem, c.groups, c.channels, c.samples * c.in_cells,
                               (int64_t)c.outputs * c.kernel[0] * c.kernel[1], 1);
    }
    forward_problem problem = {c, static_cast<const float *>(args->x[0]), w,
                               static_cast<float *>(args->y)};
    vdnn_status status =
        vdnn_cuda_tiles(stream, problem, c.groups, c.outputs, c.samples * c.out_cells, c.window, 1);
    return status == VDNN_OK ? vdnn_cuda_bias_add(kernel->layer, args) : status;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = (size_t)parts_of(kernel) * (size_t)kernel->layer->params[0].count * sizeof(float);
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

const vdnn_algorithm vdnn_conv_implicit_cuda =
    vdnn_cuda_row("conv", "implicit", VDNN_CUDA_ALL_PASSES, refusal, run, nullptr, &whole);

const vdnn_algorithm vdnn_conv_implicit_parts_cuda = vdnn_cuda_row(
    "conv", "implicit_parts", 1U << VDNN_BACKWARD_FILTER, refusal, run, workspace, &in_parts);
