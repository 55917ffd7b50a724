#include "layers/conv/cuda_conv.h"
#include "layers/cuda/epilogue.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda/blas.h"
#include "layers/cuda/weight.h"
}

/* A convolution in nhwc as products of cuBLAS: the windows of some samples at a time are expanded
 * in the workspace, a line for each cell of y, and one matrix of a group covers the cells of all of
 * them:
 *
 *     forward           y (cells x outputs)       = columns (cells x window) * w^T
 *     backward data     columns (cells x window)  = dy (cells x outputs) * w, then gathered in dx
 *     backward filter   dw (outputs x window)    += dy^T * columns
 *
 *     workspace   | weight, or its gradient, as (outputs, kernel, channels) | columns |
 *
 * Columns are copied in whole lines of channels, on both sides. If each window is a separate cell,
 * in order (1 x 1, stride 1), the map itself is the columns: a group of the whole batch is one
 * product, and only the weight is converted. With a stride there are no more columns than cells, so
 * that a row takes the whole batch too. */

enum { FEW = 1, MANY = 16, ALL = INT32_MAX };

static const int few = FEW, many = MANY, whole = ALL;

typedef struct nhwc_run {
    vdnn_cuda_conv c;
    vdnn_cuda_divisor by_channels; /* of a group */
    vdnn_cuda_steps x;             /* may be in nchw, or padded */
    const vdnn_cuda_stream *stream;
    vdnn_dtype dtype, columns_type;
    const void *weight;
    float *gradient;
    void *columns;
    int64_t first, count; /* samples */
    float beta;           /* of y, which holds the bias */
    bool is_direct;
} nhwc_run;

/* ---- windows --------------------------------------------------------------------------------- */

/* The element of a sample's input at a position of a line; -1: padding. */
static __device__ __forceinline__ int64_t source_of(const nhwc_run &r, int64_t cell, int64_t group,
                                                    int place)
{
    int tap = place / r.by_channels;
    int64_t channel = group * r.c.channels + place % r.by_channels;
    int64_t from = vdnn_cuda_conv_source(r.c, (int)cell, tap);
    return from >= 0 ? channel * r.x.channel + from * r.x.cell : -1;
}

template <class T>
__global__ static void spread(const T *x, T *columns, nhwc_run r, int64_t group, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    int64_t line = i / r.c.by_window;
    int64_t from = source_of(r, line % r.c.by_out_cells, group, (int)(i % r.c.by_window));
    columns[i] = from < 0 ? 0.0F : (float)x[line / r.c.by_out_cells * r.x.sample + from];
}

/* An element of dx is the sum over the windows that it is in, tap by tap. */
template <class T, class Column>
__global__ static void gather(const Column *columns, T *dx, nhwc_run r, int64_t group,
                              int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    int64_t channel = i % r.by_channels, place = i / r.by_channels;
    int64_t sample = place / r.c.by_in_cells, cell = place % r.c.by_in_cells;
    float sum = 0;
    vdnn_cuda_conv_windows(r.c, (int)cell, [&](int tap, int64_t from) {
        int64_t line = sample * r.c.out_cells + from;
        sum += columns[line * r.c.window + (int64_t)tap * r.c.channels + channel];
    });
    dx[sample * r.x.sample + (group * r.c.channels + channel) * r.x.channel + cell * r.x.cell] =
        sum;
}

/* ---- products -------------------------------------------------------------------------------- */

static bool has_single_cells(const vdnn_cuda_conv &c)
{
    return c.taps == 1;
}

/* Columns of backward data are sums that are summed further, unless windows are single cells. */
static vdnn_dtype columns_type(const vdnn_kernel *kernel, const vdnn_cuda_conv &c)
{
    bool is_sum = kernel->pass == VDNN_BACKWARD_DATA && !has_single_cells(c);
    return is_sum ? VDNN_F32 : kernel->layer->y.dtype;
}

template <class T> static T *at(void *base, int64_t element)
{
    return static_cast<T *>(base) + element;
}

template <class T> static const T *at(const void *base, int64_t element)
{
    return static_cast<const T *>(base) + element;
}

static int64_t cells_of(const nhwc_run &r)
{
    return r.count * r.c.out_cells;
}

/* Begin of the run's part of y, or of dy, for a group. */
static int64_t y_place(const nhwc_run &r, int64_t group)
{
    return r.first * r.c.out_cells * r.c.groups * r.c.outputs + group * r.c.outputs;
}

template <class T>
static const T *columns_of(const nhwc_run &r, const vdnn_kernel_args *args, int64_t group)
{
    const T *x = at<T>(args->x[0], r.first * r.x.sample);
    int64_t count = cells_of(r) * r.c.window;
    if (r.is_direct)
        return x + group * r.c.channels;
    VDNN_LAUNCH(spread<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, r.stream->handle, x,
                static_cast<T *>(r.columns), r, group, count);
    return static_cast<const T *>(r.columns);
}

/* From a cell's columns to the next one's. */
static int columns_lead(const nhwc_run &r)
{
    return (int)(r.is_direct ? r.x.cell : r.c.window);
}

static vdnn_cuda_product product_of(const nhwc_run &r, cublasOperation_t a_is,
                                    cublasOperation_t b_is, int64_t m, int64_t n, int64_t k)
{
    vdnn_cuda_product p = {};
    p.a_is = a_is;
    p.b_is = b_is;
    p.m = (int)m;
    p.n = (int)n;
    p.k = (int)k;
    p.count = 1;
    p.in = p.out = r.dtype;
    return p;
}

template <class T>
static vdnn_status forward_run(const nhwc_run &r, const vdnn_kernel_args *args, int64_t group)
{
    vdnn_cuda_product p =
        product_of(r, CUBLAS_OP_T, CUBLAS_OP_N, r.c.outputs, cells_of(r), r.c.window);
    p.a = at<T>(r.weight, group * r.c.outputs * r.c.window);
    p.b = columns_of<T>(r, args, group);
    p.b_lead = columns_lead(r);
    p.c = at<T>(args->y, y_place(r, group));
    p.c_lead = (int)r.c.groups * r.c.outputs;
    p.beta = r.beta;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

template <class T, class Column> static void gather_run(const nhwc_run &r, T *dx, int64_t group)
{
    int64_t count = r.count * r.c.in_cells * r.c.channels;
    VDNN_LAUNCH((gather<T, Column>), vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, r.stream->handle,
                static_cast<const Column *>(r.columns), dx, r, group, count);
}

template <class T>
static vdnn_status data_run(const nhwc_run &r, const vdnn_kernel_args *args, int64_t group)
{
    T *dx = at<T>(args->dx[0], r.first * r.x.sample);
    vdnn_cuda_product p =
        product_of(r, CUBLAS_OP_N, CUBLAS_OP_N, r.c.window, cells_of(r), r.c.outputs);
    p.a = at<T>(r.weight, group * r.c.outputs * r.c.window);
    p.b = at<T>(args->dy, y_place(r, group));
    p.b_lead = (int)r.c.groups * r.c.outputs;
    p.c = r.is_direct ? static_cast<void *>(dx + group * r.c.channels) : r.columns;
    p.c_lead = columns_lead(r);
    p.out = r.columns_type;
    vdnn_status status = vdnn_cuda_blas_multiply(r.stream, &p);
    if (status != VDNN_OK || r.is_direct)
        return status;
    (r.columns_type == r.dtype ? gather_run<T, T> : gather_run<T, float>)(r, dx, group);
    return vdnn_cuda_launched("convolution by cuBLAS in nhwc");
}

template <class T>
static vdnn_status filter_run(const nhwc_run &r, const vdnn_kernel_args *args, int64_t group)
{
    vdnn_cuda_product p =
        product_of(r, CUBLAS_OP_N, CUBLAS_OP_T, r.c.window, r.c.outputs, cells_of(r));
    p.a = columns_of<T>(r, args, group);
    p.a_lead = columns_lead(r);
    p.b = at<T>(args->dy, y_place(r, group));
    p.b_lead = (int)r.c.groups * r.c.outputs;
    p.c = r.gradient + group * r.c.outputs * r.c.window;
    p.out = VDNN_F32;
    p.beta = r.first == 0 ? 0 : 1;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

template <class T>
static vdnn_status run_samples(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                               const nhwc_run &r)
{
    static vdnn_status (*const products[])(const nhwc_run &, const vdnn_kernel_args *,
                                           int64_t) = {forward_run<T>, data_run<T>, filter_run<T>};
    vdnn_status status = VDNN_OK;
    for (int64_t group = 0; status == VDNN_OK && group < r.c.groups; group++)
        status = products[kernel->pass](r, args, group);
    return status == VDNN_OK ? vdnn_cuda_launched("convolution by cuBLAS in nhwc") : status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_direct(const vdnn_layer *layer, const vdnn_cuda_conv &c)
{
    bool is_in_order = vdnn_layout_is_nhwc(layer->x[0].layout) && has_single_cells(c);
    for (int d = 0; d < VDNN_SIDES; d++)
        is_in_order = is_in_order && c.stride[d] == 1 && c.pad[d] == 0;
    return is_in_order;
}

/* Samples of the run that begins with `first`: those of the row, or all if there are no columns,
 * limited by cuBLAS's number of cells. */
static int64_t samples_of(const vdnn_kernel *kernel, const vdnn_cuda_conv &c, int64_t first)
{
    int64_t most = INT32_MAX / c.out_cells;
    int64_t wanted =
        is_direct(kernel->layer, c) ? c.samples - first : vdnn_cuda_conv_samples(kernel, first);
    return wanted < most ? wanted : most;
}

static size_t columns_bytes(const vdnn_kernel *kernel)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    size_t element = vdnn_dtype_bytes(columns_type(kernel, c));
    return is_direct(kernel->layer, c)
               ? 0
               : (size_t)(samples_of(kernel, c, 0) * c.out_cells * c.window) * element;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes =
        vdnn_cuda_epilogue_room(kernel, vdnn_cuda_weight_bytes(kernel) + columns_bytes(kernel));
    return VDNN_OK;
}

/* Padding of dx after several groups, which no product writes, is zero too. */
static vdnn_status clear_padding(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                 const vdnn_cuda_conv &c)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    if (kernel->pass != VDNN_BACKWARD_DATA || c.groups == 1 || !vdnn_cuda_is_padded(x))
        return VDNN_OK;
    return VDNN_CUDA_CALL(cudaMemsetAsync, args->dx[0], 0, vdnn_desc_bytes(x),
                          vdnn_cuda_stream_of(args)->handle);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    nhwc_run r = {};
    vdnn_status status = vdnn_cuda_epilogue_begin(kernel, args, &r.beta);
    r.c = vdnn_cuda_conv_of(layer);
    r.by_channels = r.c.channels;
    r.x = vdnn_cuda_steps_of(&layer->x[0]);
    r.stream = vdnn_cuda_stream_of(args);
    r.dtype = layer->y.dtype;
    r.columns_type = columns_type(kernel, r.c);
    r.weight = vdnn_cuda_weight(kernel, args);
    r.gradient = vdnn_cuda_weight_gradient(kernel, args);
    r.columns = static_cast<char *>(args->workspace) + vdnn_cuda_weight_bytes(kernel);
    r.is_direct = is_direct(layer, r.c);
    VDNN_IF_OK(status, clear_padding(kernel, args, r.c));
    for (; status == VDNN_OK && r.first < r.c.samples; r.first += r.count) {
        r.count = samples_of(kernel, r.c, r.first);
        status = VDNN_CUDA_AS(r.dtype, run_samples, kernel, args, r);
    }
    return vdnn_cuda_epilogue_finish(kernel, args, vdnn_cuda_weight_finish(kernel, args, status));
}

/* Why another row would do the same better. */
static const char *refuse_samples(const vdnn_kernel *kernel, const vdnn_cuda_conv &c)
{
    int samples = *static_cast<const int *>(kernel->algorithm->variant);
    if (samples != FEW && is_direct(kernel->layer, c))
        return "it would do the same as gemm_nhwc, which needs no columns for such maps";
    if (samples == ALL && !has_single_cells(c))
        return "it supports only windows of a single cell";
    return nullptr;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = INT32_MAX;
    const char *why = vdnn_cuda_conv_free_refusal(kernel);
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    if (why == nullptr && kernel->layer->y.layout != VDNN_NHWC)
        why = "it supports only maps in nhwc";
    if (why == nullptr && (c.window > MOST || c.groups * c.channels > MOST ||
                           c.groups * c.outputs > MOST || c.out_cells > MOST))
        why = "a side of its matrices is longer than 2^31";
    if (why == nullptr)
        why = refuse_samples(kernel, c);
    return why != nullptr ? why : vdnn_cuda_blas_lack();
}

const vdnn_algorithm vdnn_conv_gemm_nhwc_cuda =
    vdnn_cuda_row("conv", "gemm_nhwc", VDNN_CUDA_ALL_PASSES, refusal, run, workspace, &few);

const vdnn_algorithm vdnn_conv_gemm_nhwc_16_cuda =
    vdnn_cuda_row("conv", "gemm_nhwc_16", VDNN_CUDA_ALL_PASSES, refusal, run, workspace, &many);

const vdnn_algorithm vdnn_conv_gemm_nhwc_all_cuda =
    vdnn_cuda_row("conv", "gemm_nhwc_all", VDNN_CUDA_ALL_PASSES, refusal, run, workspace, &whole);
