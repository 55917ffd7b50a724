#include "layers/conv/cuda_conv.h"
#include "layers/cuda/epilogue.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda/blas.h"
#include "layers/cuda/weight.h"
}

/* A convolution as products of cuBLAS: the windows of some samples at a time are expanded in the
 * workspace (im2col), forward one matrix (window x cells) for each sample and group:
 *
 *     y (outputs x cells) = w (outputs x window) * columns (window x cells)
 *
 * and for the gradient of the weight one for each group, (window x (samples, cells)), and after it
 * dy transposed to (outputs x (samples, cells)), so that a product's depth is the cells of all
 * samples.
 *
 *     workspace   | weight, for maps in bf16 | columns | dy, turned |
 *
 * To cuBLAS each row-major matrix is its transpose. The columns are written and read once, so a 3 x
 * 3 convolution moves at least 2 * 9 times its input: products of few outputs are bound by memory.
 */

enum { FEW = 1, MANY = 16 };

static const int few = FEW, many = MANY;

typedef struct gemm_run {
    vdnn_cuda_conv c;
    const vdnn_cuda_stream *stream;
    vdnn_dtype dtype;
    const void *weight;
    void *columns, *turned;
    int64_t first, count; /* samples */
    float beta;           /* of y, which holds the bias */
} gemm_run;

/* ---- windows --------------------------------------------------------------------------------- */

/* Sample, group and position of row `row` of the columns of that many samples. */
typedef struct column_row {
    int64_t sample, group;
    int place;
} column_row;

static __device__ __forceinline__ column_row row_of(const vdnn_cuda_conv &c, int64_t row,
                                                    const vdnn_cuda_divisor &samples,
                                                    bool is_joined)
{
    column_row r = {};
    if (is_joined) {
        r.sample = row % samples;
        row = row / samples;
    }
    r.place = (int)(row % c.by_window);
    row = row / c.by_window;
    r.group = row % c.by_groups;
    r.sample += row / c.by_groups;
    return r;
}

template <class T>
__global__ static void spread(const T *x, T *columns, vdnn_cuda_conv c, vdnn_cuda_divisor samples,
                              bool is_joined, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    column_row row = row_of(c, i / c.by_out_cells, samples, is_joined);
    int cell = (int)(i % c.by_out_cells);
    int64_t plane = (row.sample * c.groups + row.group) * c.channels + row.place / c.by_taps;
    int64_t from = vdnn_cuda_conv_source(c, cell, row.place % c.by_taps);
    columns[i] = from >= 0 ? (float)x[plane * c.in_cells + from] : 0.0F;
}

/* From (samples x outputs x cells) to (outputs x samples x cells). */
template <class T>
__global__ static void turn(const T *dy, T *turned, vdnn_cuda_divisor samples, int64_t outputs,
                            vdnn_cuda_divisor cells, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    int64_t sample = i / cells % samples, output = i / cells / samples;
    turned[i] = dy[(sample * outputs + output) * cells.by + i % cells];
}

/* A cell of dx is the sum of its positions in the windows, in the kernel's order. Their columns are
 * f32. */
template <class T>
__global__ static void gather(const float *columns, T *dx, vdnn_cuda_conv c, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    int64_t first = i / c.by_in_cells * c.taps; /* row of all matrices */
    float sum = 0;
    vdnn_cuda_conv_windows(c, (int)(i % c.by_in_cells), [&](int tap, int64_t cell) {
        sum += columns[(first + tap) * c.out_cells + cell];
    });
    dx[i] = sum;
}

/* ---- products of a run of samples ------------------------------------------------------------ */

static int64_t x_step(const gemm_run &r)
{
    return r.c.groups * r.c.channels * r.c.in_cells;
}

static int64_t y_step(const gemm_run &r)
{
    return r.c.groups * r.c.outputs * r.c.out_cells;
}

template <class T> static T *at(void *map, int64_t element)
{
    return static_cast<T *>(map) + element;
}

template <class T> static const T *at(const void *map, int64_t element)
{
    return static_cast<const T *>(map) + element;
}

template <class T> static void spread_run(const gemm_run &r, const void *x, bool is_joined)
{
    int64_t count = r.count * r.c.groups * r.c.window * r.c.out_cells;
    VDNN_LAUNCH(spread<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, r.stream->handle,
                at<T>(x, r.first * x_step(r)), static_cast<T *>(r.columns), r.c, r.count, is_joined,
                count);
}

template <class T>
static vdnn_status forward_run(const gemm_run &r, const vdnn_kernel_args *args, int64_t group)
{
    int64_t matrix = r.c.window * r.c.out_cells, part = (int64_t)r.c.outputs * r.c.out_cells;
    vdnn_cuda_product p = {};
    p.m = (int)r.c.out_cells;
    p.n = r.c.outputs;
    p.k = (int)r.c.window;
    p.a = at<T>(r.columns, group * matrix);
    p.a_step = r.c.groups * matrix;
    p.b = at<T>(r.weight, group * r.c.outputs * r.c.window);
    p.c = at<T>(args->y, r.first * y_step(r) + group * part);
    p.c_step = y_step(r);
    p.count = (int)r.count;
    p.in = p.out = r.dtype;
    p.beta = r.beta;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

template <class T>
static vdnn_status data_run(const gemm_run &r, const vdnn_kernel_args *args, int64_t group)
{
    int64_t matrix = r.c.window * r.c.out_cells, part = (int64_t)r.c.outputs * r.c.out_cells;
    vdnn_cuda_product p = {};
    p.b_is = CUBLAS_OP_T;
    p.m = (int)r.c.out_cells;
    p.n = (int)r.c.window;
    p.k = r.c.outputs;
    p.a = at<T>(args->dy, r.first * y_step(r) + group * part);
    p.a_step = y_step(r);
    p.b = at<T>(r.weight, group * r.c.outputs * r.c.window);
    p.c = at<float>(r.columns, group * matrix);
    p.c_step = r.c.groups * matrix;
    p.count = (int)r.count;
    p.in = r.dtype;
    p.out = VDNN_F32;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

/* Run by run into the same gradient, in order. */
template <class T>
static vdnn_status filter_run(const gemm_run &r, const vdnn_kernel_args *args, int64_t group)
{
    int64_t depth = r.count * r.c.out_cells;
    const T *dy = r.count == 1 ? at<T>(args->dy, r.first * y_step(r)) : at<T>(r.turned, 0);
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_T;
    p.m = (int)r.c.window;
    p.n = r.c.outputs;
    p.k = (int)depth;
    p.a = at<T>(r.columns, group * r.c.window * depth);
    p.b = dy + group * r.c.outputs * depth;
    p.c = at<float>(args->dw, group * r.c.outputs * r.c.window);
    p.count = 1;
    p.in = r.dtype;
    p.out = VDNN_F32;
    p.beta = r.first == 0 ? 0 : 1;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

/* The operands of products, and the gather of backward data. */
template <class T>
static void prepare_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args, const gemm_run &r)
{
    bool is_filter = kernel->pass == VDNN_BACKWARD_FILTER;
    int64_t count = r.count * y_step(r);
    if (kernel->pass != VDNN_BACKWARD_DATA)
        spread_run<T>(r, args->x[0], is_filter);
    if (is_filter && r.count > 1)
        VDNN_LAUNCH(turn<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, r.stream->handle,
                    at<T>(args->dy, r.first * y_step(r)), static_cast<T *>(r.turned), r.count,
                    r.c.groups * r.c.outputs, r.c.out_cells, count);
}

template <class T>
static vdnn_status run_samples(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                               const gemm_run &r)
{
    static vdnn_status (*const products[])(const gemm_run &, const vdnn_kernel_args *,
                                           int64_t) = {forward_run<T>, data_run<T>, filter_run<T>};
    vdnn_status status = VDNN_OK;
    prepare_run<T>(kernel, args, r);
    for (int64_t group = 0; status == VDNN_OK && group < r.c.groups; group++)
        status = products[kernel->pass](r, args, group);
    int64_t count = r.count * x_step(r);
    if (status == VDNN_OK && kernel->pass == VDNN_BACKWARD_DATA)
        VDNN_LAUNCH(gather<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, r.stream->handle,
                    static_cast<const float *>(r.columns), at<T>(args->dx[0], r.first * x_step(r)),
                    r.c, count);
    return status == VDNN_OK ? vdnn_cuda_launched("convolution by cuBLAS") : status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A multiple of 256, so that the next part is aligned. */
static size_t columns_bytes(const vdnn_kernel *kernel)
{
    constexpr size_t ALIGNMENT = 256;
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    size_t count = (size_t)(vdnn_cuda_conv_samples(kernel, 0) * c.groups * c.window * c.out_cells);
    size_t bytes =
        count * (kernel->pass == VDNN_BACKWARD_DATA ? sizeof(float)
                                                    : vdnn_dtype_bytes(kernel->layer->y.dtype));
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_desc *y = &kernel->layer->y;
    int64_t samples = vdnn_cuda_conv_samples(kernel, 0);
    bool turns = kernel->pass == VDNN_BACKWARD_FILTER && samples > 1;
    size_t turned = (size_t)(samples * vdnn_desc_per_sample(y)) * vdnn_dtype_bytes(y->dtype);
    *bytes = vdnn_cuda_epilogue_room(kernel, vdnn_cuda_weight_bytes(kernel) +
                                                 columns_bytes(kernel) + (turns ? turned : 0));
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    gemm_run r = {};
    vdnn_status status = vdnn_cuda_epilogue_begin(kernel, args, &r.beta);
    r.c = vdnn_cuda_conv_of(kernel->layer);
    r.stream = vdnn_cuda_stream_of(args);
    r.dtype = kernel->layer->y.dtype;
    r.weight = vdnn_cuda_weight(kernel, args);
    r.columns = static_cast<char *>(args->workspace) + vdnn_cuda_weight_bytes(kernel);
    r.turned = static_cast<char *>(r.columns) + columns_bytes(kernel);
    for (; status == VDNN_OK && r.first < r.c.samples; r.first += r.count) {
        r.count = vdnn_cuda_conv_samples(kernel, r.first);
        status = VDNN_CUDA_AS(r.dtype, run_samples, kernel, args, r);
    }
    return vdnn_cuda_epilogue_finish(kernel, args, status);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = 1 << 26; /* times the samples of a run below 2^31 */
    const char *why = vdnn_cuda_conv_refusal(kernel);
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    if (why == nullptr && (c.window > MOST || c.out_cells > MOST || c.in_cells > MOST))
        why = "a side of its matrices is longer than 2^26";
    return why != nullptr ? why : vdnn_cuda_blas_lack();
}

const vdnn_algorithm vdnn_conv_gemm_cuda =
    vdnn_cuda_row("conv", "gemm", VDNN_CUDA_ALL_PASSES, refusal, run, workspace, &few);

const vdnn_algorithm vdnn_conv_gemm_16_cuda =
    vdnn_cuda_row("conv", "gemm_16", VDNN_CUDA_ALL_PASSES, refusal, run, workspace, &many);
