#define VDNN_SAMPLED_FUNCTION static __device__ inline

#include "layers/cuda/kernel.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda/blas.h"
#include "layers/cuda/weight.h"
#include "layers/loss/mean.h"
#include "layers/loss/sampled_softmax.h"
}

/* Some rows at a time, so that no pass has the scores of all in memory: products by cuBLAS, and a
 * block for each row of scores.
 *
 *     training    one block draws the candidates; the rows of their weights are gathered in the
 *                 type of the maps; scores = x weights^T; backward has them as gradients, and
 *                 dx = gradients weights, dweights += gradients^T x
 *     evaluation  all weights, as many at a time; of each row what is known of all before
 *
 *     workspace   | rows' numbers | classes: their candidate | candidates | less log Q | weights |
 *                 | scores | gradients in bf16 | dx | dweights | draws and labels that count | */

constexpr size_t ALIGNMENT = 256;
constexpr int64_t ROWS = 512;   /* whose scores are in memory */
constexpr int64_t LEAST = 4096; /* classes whose scores are computed at once in an evaluation */

/* A row: in training its label's score, log Q off, and that score's gradient; in an evaluation the
 * largest scores before and after the label's, and the sum of exp(score - the largest). */
struct sampled_row {
    double sum, loss;
    float label, gradient, before, after, largest;
    int32_t is_right;
};

struct sampled_numbers {
    int64_t draws, counted;
};

struct sampled_memory {
    sampled_row *rows;
    int32_t *places, *classes; /* places: 1 + its candidate, of each class; 0: none */
    float *offsets;            /* biases less log Q */
    void *weights;
    float *scores;
    void *narrow; /* scores in the type of the maps */
    float *dx, *dweights;
    sampled_numbers *numbers;
    int64_t columns;
    size_t bytes;
};

/* What all kernels of a pass read. */
struct sampled_step {
    vdnn_sampled_shape s;
    sampled_memory m;
    const int32_t *labels;
    int64_t ignored;
    const float *w;
    float *log_sums;
    double weight;

    __device__ __forceinline__ bool counts(int64_t row) const
    {
        return labels[row] != ignored;
    }
    /* One that the classes do not have is known to be wrong by the loss, which is NaN. */
    __device__ __forceinline__ int64_t label(int64_t row) const
    {
        return labels[row] >= 0 && labels[row] < s.classes ? labels[row] : -1;
    }
    __device__ __forceinline__ float offset(int64_t c) const
    {
        return w[s.bias + c] - vdnn_sampled_log_share(c, m.numbers->draws, s.log_range);
    }
};

/* ---- memory ---------------------------------------------------------------------------------- */

static void *take(const vdnn_kernel_args *args, int64_t count, size_t element, sampled_memory *m)
{
    void *taken = args == nullptr ? nullptr : static_cast<char *>(args->workspace) + m->bytes;
    m->bytes += ((size_t)count * element + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return taken;
}

static vdnn_dtype type_of(const vdnn_kernel *kernel)
{
    return kernel->layer->x[0].dtype;
}

/* Without args only its size is found. */
static sampled_memory memory_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_sampled_shape s = vdnn_sampled_shape_of(kernel->layer);
    const bool is_forward = kernel->pass == VDNN_FORWARD, is_narrow = type_of(kernel) == VDNN_BF16;
    const size_t element = vdnn_dtype_bytes(type_of(kernel)), wide = sizeof(float);
    const int64_t rows = s.rows < ROWS ? s.rows : ROWS;
    const int64_t evaluated = s.classes < LEAST ? s.classes : LEAST;
    sampled_memory m = {};
    m.columns = is_forward && s.samples < evaluated ? evaluated : s.samples;
    m.rows = static_cast<sampled_row *>(take(args, s.rows, sizeof *m.rows, &m));
    m.places = static_cast<int32_t *>(take(args, s.classes, sizeof *m.places, &m));
    m.classes = static_cast<int32_t *>(take(args, s.samples, sizeof *m.classes, &m));
    m.offsets = static_cast<float *>(take(args, s.samples, wide, &m));
    m.weights = take(args, m.columns * s.width, element, &m);
    m.scores = static_cast<float *>(take(args, rows * m.columns, wide, &m));
    m.numbers = static_cast<sampled_numbers *>(take(args, 1, sizeof *m.numbers, &m));
    if (is_forward)
        return m;
    m.narrow = is_narrow ? take(args, rows * m.columns, element, &m) : m.scores;
    m.dx = static_cast<float *>(take(args, rows * s.width, wide, &m));
    m.dweights = static_cast<float *>(take(args, s.samples * s.width, wide, &m));
    return m;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = memory_of(kernel, nullptr).bytes;
    return VDNN_OK;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* One block: as many draws at a time as it has threads, of which each is kept that no earlier draw
 * is equal to. Counts the labels that count, too. */
__global__ static void sampled_draw(sampled_step step, vdnn_sampled_draws draws)
{
    VDNN_SHARED(int32_t, drawn, [(size_t) VDNN_CUDA_THREADS]);
    VDNN_SHARED(int32_t, kept, [(size_t) VDNN_CUDA_THREADS]);
    const int own = (int)threadIdx.x;
    int64_t counted = 0, found = 0, first = 0, last = 0;
    for (int64_t row = own; row < step.s.rows; row += VDNN_CUDA_THREADS)
        counted += step.counts(row) ? 1 : 0;
    counted = vdnn_cuda_sum<int64_t, VDNN_CUDA_THREADS>(counted);
    for (; found < step.s.samples; first += VDNN_CUDA_THREADS) {
        uint32_t words[4];
        vdnn_sampled_words(&draws, (first + own) / 4, words);
        const int32_t c = vdnn_sampled_class(words[own % 4], step.s.log_range);
        drawn[own] = c;
        __syncthreads();
        bool is_new = step.m.places[c] == 0;
        for (int i = 0; i < own; i++)
            is_new = is_new && drawn[i] != c;
        kept[own] = is_new ? 1 : 0;
        __syncthreads();
        int64_t place = found, total = 0;
        for (int i = 0; i < VDNN_CUDA_THREADS; i++) {
            place += i < own ? kept[i] : 0;
            total += kept[i];
            if (found + total == step.s.samples && kept[i] != 0)
                last = first + i + 1;
        }
        if (is_new && place < step.s.samples) {
            step.m.classes[place] = c;
            step.m.places[c] = (int32_t)place + 1;
        }
        found += total;
        __syncthreads();
    }
    if (own == 0)
        *step.m.numbers = {last, counted};
}

/* The weights of the candidates, and what is added to their scores; a block each. */
template <class T> __global__ static void sampled_gather(sampled_step step)
{
    const int64_t c = step.m.classes[blockIdx.x];
    T *to = static_cast<T *>(step.m.weights) + blockIdx.x * step.s.width;
    for (int64_t k = threadIdx.x; k < step.s.width; k += VDNN_CUDA_THREADS)
        to[k] = step.w[c * step.s.width + k];
    if (threadIdx.x == 0)
        step.m.offsets[blockIdx.x] = step.offset(c);
}

/* ---- rows of scores, each by a block --------------------------------------------------------- */

/* In every thread; THREADS maxima. */
static __device__ float sampled_largest(float own)
{
    VDNN_SHARED(float, values, [(size_t) VDNN_CUDA_THREADS]);
    values[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = VDNN_CUDA_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            values[threadIdx.x] = fmaxf(values[threadIdx.x], values[threadIdx.x + half]);
        __syncthreads();
    }
    float largest = values[0];
    __syncthreads();
    return largest;
}

/* A score, log Q off; -infinity: the candidate is the label. */
static __device__ __forceinline__ float sampled_score(const sampled_step &step, const float *scores,
                                                      int64_t i, int64_t label)
{
    return step.m.classes[i] == label ? -INFINITY : scores[i] + step.m.offsets[i];
}

/* The label's, in every thread. */
template <class T>
static __device__ float sampled_label_score(const sampled_step &step, const T *x, int64_t label)
{
    double part = 0;
    if (label < 0)
        return NAN;
    for (int64_t k = threadIdx.x; k < step.s.width; k += VDNN_CUDA_THREADS) {
        T weight; /* as those of the candidates are read */
        weight = step.w[label * step.s.width + k];
        part += (double)(float)weight * (double)(float)x[k];
    }
    return (float)vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(part) + step.offset(label);
}

template <class T>
__global__ static void sampled_train(sampled_step step, int64_t first, const T *x)
{
    const int64_t row = first + blockIdx.x, label = step.label(row);
    const float *scores = step.m.scores + blockIdx.x * step.m.columns;
    sampled_row *to = &step.m.rows[row];
    if (!step.counts(row)) {
        if (threadIdx.x == 0) {
            *to = {};
            step.log_sums[row] = 0;
        }
        return;
    }
    const float own = sampled_label_score(step, x + row * step.s.width, label);
    float most = -INFINITY;
    for (int64_t i = threadIdx.x; i < step.s.samples; i += VDNN_CUDA_THREADS)
        most = fmaxf(most, sampled_score(step, scores, i, label));
    most = sampled_largest(most);
    const bool is_right = own >= most;
    most = is_right ? own : most;
    double sum = 0;
    for (int64_t i = threadIdx.x; i < step.s.samples; i += VDNN_CUDA_THREADS)
        sum += (double)expf(sampled_score(step, scores, i, label) - most);
    sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(sum) + (double)expf(own - most);
    if (threadIdx.x > 0)
        return;
    const double all = log(sum) + (double)most;
    *to = {};
    to->loss = all - (double)own;
    to->is_right = is_right ? 1 : 0;
    step.log_sums[row] = (float)all;
}

/* Scores become gradients of the step's loss, in the type of the maps. */
template <class T>
__global__ static void sampled_differentiate(sampled_step step, int64_t first, const T *x)
{
    const int64_t row = first + blockIdx.x, label = step.label(row);
    const float *scores = step.m.scores + blockIdx.x * step.m.columns;
    T *to = static_cast<T *>(step.m.narrow) + blockIdx.x * step.m.columns;
    const int64_t counted = step.m.numbers->counted;
    const float by = (float)((double)(counted > 0 ? counted : 1) / step.weight);
    const float own = sampled_label_score(step, x + row * step.s.width, label);
    for (int64_t i = threadIdx.x; i < step.s.samples; i += VDNN_CUDA_THREADS) {
        float score = sampled_score(step, scores, i, label);
        to[i] = step.counts(row) ? expf(score - step.log_sums[row]) / by : 0.0F;
    }
    if (threadIdx.x == 0)
        step.m.rows[row].gradient =
            step.counts(row) ? (expf(own - step.log_sums[row]) - 1) / by : 0.0F;
}

/* The scores of some classes. Of several that are the largest the first one is chosen. */
__global__ static void sampled_evaluate(sampled_step step, int64_t first, int64_t c, int64_t count)
{
    const int64_t row = first + blockIdx.x, label = step.label(row) - c;
    const float *scores = step.m.scores + blockIdx.x * step.m.columns, *bias = step.w + step.s.bias;
    sampled_row *to = &step.m.rows[row];
    float before = -INFINITY, after = -INFINITY, own = -INFINITY;
    for (int64_t i = threadIdx.x; i < count; i += VDNN_CUDA_THREADS) {
        const float score = scores[i] + bias[c + i];
        before = i < label ? fmaxf(before, score) : before;
        after = i > label ? fmaxf(after, score) : after;
        own = i == label ? score : own;
    }
    before = sampled_largest(before);
    after = sampled_largest(after);
    own = sampled_largest(own);
    const float here = fmaxf(fmaxf(before, after), own);
    const float least = c == 0 ? here : to->largest, largest = fmaxf(least, here);
    double sum = 0;
    for (int64_t i = threadIdx.x; i < count; i += VDNN_CUDA_THREADS)
        sum += (double)expf(scores[i] + bias[c + i] - largest);
    sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(sum);
    if (threadIdx.x > 0)
        return;
    to->sum = (c == 0 ? 0 : to->sum * exp((double)least - (double)largest)) + sum;
    to->largest = largest;
    to->before = c == 0 ? before : fmaxf(to->before, before);
    to->after = c == 0 ? after : fmaxf(to->after, after);
    if (label >= 0 && label < count)
        to->label = own;
}

__global__ static void sampled_conclude(sampled_step step)
{
    int64_t row = vdnn_cuda_index();
    if (row >= step.s.rows)
        return;
    sampled_row *to = &step.m.rows[row];
    const float label = step.label(row) < 0 ? NAN : to->label;
    const bool is_right = label > to->before && label >= to->after;
    to->loss = step.counts(row) ? log(to->sum) + (double)to->largest - (double)label : 0.0;
    to->is_right = step.counts(row) && is_right ? 1 : 0;
}

/* One block, so that the rows are summed in one order. */
__global__ static void sampled_sum(sampled_step step, float *y)
{
    double loss = 0, right = 0, counted = 0;
    for (int64_t row = threadIdx.x; row < step.s.rows; row += VDNN_CUDA_THREADS) {
        loss += step.m.rows[row].loss;
        right += (double)step.m.rows[row].is_right;
        counted += step.counts(row) ? 1 : 0;
    }
    loss = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(loss);
    right = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(right);
    counted = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(counted);
    if (threadIdx.x > 0)
        return;
    y[0] = (float)(loss / counted);
    y[1] = (float)right;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* dx of the candidates, and what the label adds. */
template <class T>
__global__ static void sampled_dx(sampled_step step, int64_t first, int64_t rows, T *dx)
{
    int64_t i = vdnn_cuda_index(), row = first + i / step.s.width, k = i % step.s.width;
    if (i >= rows * step.s.width)
        return;
    const int64_t label = step.label(row);
    const float more = step.counts(row) && label >= 0
                           ? step.m.rows[row].gradient * step.w[label * step.s.width + k]
                           : 0.0F;
    dx[first * step.s.width + i] = step.m.dx[i] + more;
}

/* The rows of dw of the candidates, but for their biases. */
__global__ static void sampled_scatter(sampled_step step, float *dw)
{
    int64_t i = vdnn_cuda_index(), candidate = i / step.s.width, k = i % step.s.width;
    if (candidate < step.s.samples)
        dw[step.m.classes[candidate] * step.s.width + k] = step.m.dweights[i];
}

/* Their biases, summed over some rows: a thread has a candidate. */
template <class T> __global__ static void sampled_biases(sampled_step step, int64_t rows, float *dw)
{
    int64_t i = vdnn_cuda_index();
    if (i >= step.s.samples)
        return;
    float *to = dw + step.s.bias + step.m.classes[i], sum = *to;
    const T *gradients = static_cast<const T *>(step.m.narrow);
    for (int64_t row = 0; row < rows; row++)
        sum += (float)gradients[row * step.m.columns + i];
    *to = sum;
}

/* To the rows of the labels, in the order of the samples: a block has some columns, of which the
 * last is the bias. */
template <class T> __global__ static void sampled_labels(sampled_step step, const T *x, float *dw)
{
    const int64_t k = vdnn_cuda_index();
    if (k > step.s.width)
        return;
    for (int64_t row = 0; row < step.s.rows; row++) {
        const int64_t label = step.label(row);
        if (!step.counts(row) || label < 0)
            continue;
        const float gradient = step.m.rows[row].gradient;
        if (k == step.s.width)
            dw[step.s.bias + label] += gradient;
        else
            dw[label * step.s.width + k] += gradient * (float)x[row * step.s.width + k];
    }
}

/* ---- products: to cuBLAS a row-major matrix is its transpose --------------------------------- */

/* scores (rows, columns) = x (rows, width) weights^T. */
static vdnn_status multiply_scores(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                   const sampled_step &step, int64_t first, int64_t rows,
                                   const void *weights, int64_t columns)
{
    const size_t element = vdnn_dtype_bytes(type_of(kernel));
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_T;
    p.b_is = CUBLAS_OP_N;
    p.m = (int)columns;
    p.n = (int)rows;
    p.k = (int)step.s.width;
    p.a = weights;
    p.b = static_cast<const char *>(args->x[0]) + (size_t)(first * step.s.width) * element;
    p.c = step.m.scores;
    p.c_lead = (int)step.m.columns;
    p.count = 1;
    p.in = type_of(kernel);
    p.out = VDNN_F32;
    return vdnn_cuda_blas_multiply(vdnn_cuda_stream_of(args), &p);
}

/* dx (rows, width) = gradients (rows, samples) weights. */
static vdnn_status multiply_dx(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                               const sampled_step &step, int64_t rows)
{
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_N;
    p.b_is = CUBLAS_OP_N;
    p.m = (int)step.s.width;
    p.n = (int)rows;
    p.k = (int)step.s.samples;
    p.a = step.m.weights;
    p.b = step.m.narrow;
    p.b_lead = (int)step.m.columns;
    p.c = step.m.dx;
    p.count = 1;
    p.in = type_of(kernel);
    p.out = VDNN_F32;
    return vdnn_cuda_blas_multiply(vdnn_cuda_stream_of(args), &p);
}

/* dweights (samples, width) += gradients^T x. */
static vdnn_status add_dweights(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                const sampled_step &step, int64_t first, int64_t rows)
{
    const size_t element = vdnn_dtype_bytes(type_of(kernel));
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_N;
    p.b_is = CUBLAS_OP_T;
    p.m = (int)step.s.width;
    p.n = (int)step.s.samples;
    p.k = (int)rows;
    p.a = static_cast<const char *>(args->x[0]) + (size_t)(first * step.s.width) * element;
    p.b = step.m.narrow;
    p.b_lead = (int)step.m.columns;
    p.c = step.m.dweights;
    p.count = 1;
    p.in = type_of(kernel);
    p.out = VDNN_F32;
    p.beta = first > 0 ? 1.0F : 0.0F;
    return vdnn_cuda_blas_multiply(vdnn_cuda_stream_of(args), &p);
}

/* ---- the row --------------------------------------------------------------------------------- */

static int64_t rows_from(const sampled_step &step, int64_t first)
{
    return step.s.rows - first < ROWS ? step.s.rows - first : ROWS;
}

template <class T>
static vdnn_status draw(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                        const sampled_step &step)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const size_t bytes = (size_t)step.s.classes * sizeof *step.m.places;
    VDNN_TRY(VDNN_CUDA_CALL(cudaMemsetAsync, step.m.places, 0, bytes, stream));
    VDNN_LAUNCH(sampled_draw, 1U, VDNN_CUDA_THREADS, stream, step,
                vdnn_sampled_draws_of(kernel->layer, args));
    VDNN_LAUNCH(sampled_gather<T>, (unsigned)step.s.samples, VDNN_CUDA_THREADS, stream, step);
    return VDNN_OK;
}

template <class T>
static vdnn_status train(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                         const sampled_step &step)
{
    VDNN_TRY(draw<T>(kernel, args, step));
    for (int64_t first = 0; first < step.s.rows; first += ROWS) {
        const int64_t rows = rows_from(step, first);
        VDNN_TRY(multiply_scores(kernel, args, step, first, rows, step.m.weights, step.s.samples));
        VDNN_LAUNCH(sampled_train<T>, (unsigned)rows, VDNN_CUDA_THREADS,
                    vdnn_cuda_stream_of(args)->handle, step, first,
                    static_cast<const T *>(args->x[0]));
    }
    return VDNN_OK;
}

static vdnn_status evaluate(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                            const sampled_step &step)
{
    const vdnn_cuda_stream *stream = vdnn_cuda_stream_of(args);
    const bool is_narrow = type_of(kernel) == VDNN_BF16;
    for (int64_t c = 0; c < step.s.classes; c += step.m.columns) {
        const int64_t left = step.s.classes - c,
                      count = left < step.m.columns ? left : step.m.columns;
        const float *weights = step.w + c * step.s.width;
        if (is_narrow)
            vdnn_cuda_narrow(stream, weights, step.m.weights, count * step.s.width);
        for (int64_t first = 0; first < step.s.rows; first += ROWS) {
            const int64_t rows = rows_from(step, first);
            VDNN_TRY(multiply_scores(kernel, args, step, first, rows,
                                     is_narrow ? step.m.weights : weights, count));
            VDNN_LAUNCH(sampled_evaluate, (unsigned)rows, VDNN_CUDA_THREADS, stream->handle, step,
                        first, c, count);
        }
    }
    VDNN_LAUNCH(sampled_conclude, vdnn_cuda_blocks(step.s.rows), VDNN_CUDA_THREADS, stream->handle,
                step);
    return VDNN_OK;
}

/* dw is cleared before. */
template <class T>
static vdnn_status backward_rows(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                 const sampled_step &step, int64_t first)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const int64_t rows = rows_from(step, first);
    VDNN_TRY(multiply_scores(kernel, args, step, first, rows, step.m.weights, step.s.samples));
    VDNN_LAUNCH(sampled_differentiate<T>, (unsigned)rows, VDNN_CUDA_THREADS, stream, step, first,
                static_cast<const T *>(args->x[0]));
    if (args->dx != nullptr && args->dx[0] != nullptr) {
        VDNN_TRY(multiply_dx(kernel, args, step, rows));
        VDNN_LAUNCH(sampled_dx<T>, vdnn_cuda_blocks(rows * step.s.width), VDNN_CUDA_THREADS, stream,
                    step, first, rows, static_cast<T *>(args->dx[0]));
    }
    if (args->dw == nullptr)
        return VDNN_OK;
    VDNN_LAUNCH(sampled_biases<T>, vdnn_cuda_blocks(step.s.samples), VDNN_CUDA_THREADS, stream,
                step, rows, static_cast<float *>(args->dw));
    return add_dweights(kernel, args, step, first, rows);
}

template <class T>
static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                            const sampled_step &step)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    float *dw = static_cast<float *>(args->dw);
    VDNN_TRY(draw<T>(kernel, args, step));
    if (dw != nullptr)
        VDNN_TRY(VDNN_CUDA_CALL(cudaMemsetAsync, dw, 0, kernel->layer->trainable_bytes, stream));
    for (int64_t first = 0; first < step.s.rows; first += ROWS)
        VDNN_TRY(backward_rows<T>(kernel, args, step, first));
    if (dw == nullptr)
        return VDNN_OK;
    VDNN_LAUNCH(sampled_scatter, vdnn_cuda_blocks(step.s.samples * step.s.width), VDNN_CUDA_THREADS,
                stream, step, dw);
    VDNN_LAUNCH(sampled_labels<T>, vdnn_cuda_blocks(step.s.width + 1), VDNN_CUDA_THREADS, stream,
                step, static_cast<const T *>(args->x[0]), dw);
    return VDNN_OK;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const bool is_forward = kernel->pass == VDNN_FORWARD;
    const sampled_step step = {vdnn_sampled_shape_of(kernel->layer),
                               memory_of(kernel, args),
                               static_cast<const int32_t *>(args->labels),
                               kernel->layer->ignored,
                               static_cast<const float *>(args->w),
                               static_cast<float *>(args->aux),
                               args->weight};
    vdnn_status status = !is_forward               ? backward<T>(kernel, args, step)
                         : args->context->evaluate ? evaluate(kernel, args, step)
                                                   : train<T>(kernel, args, step);
    if (status != VDNN_OK)
        return status;
    if (is_forward)
        VDNN_LAUNCH(sampled_sum, 1U, VDNN_CUDA_THREADS, vdnn_cuda_stream_of(args)->handle, step,
                    static_cast<float *>(args->y));
    return vdnn_cuda_launched("sampled softmax loss");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(type_of(kernel), run_as, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_sampled_shape s = vdnn_sampled_shape_of(kernel->layer);
    if (s.width > INT32_MAX || s.samples * s.width / VDNN_CUDA_THREADS > INT32_MAX)
        return "the candidates have more than 2^31 weights";
    const char *why = vdnn_cuda_blas_lack();
    return why == nullptr ? vdnn_cuda_refusal(kernel) : why;
}

/* The gradients of scores are rounded to the type of the maps. */
static constexpr vdnn_algorithm row()
{
    vdnn_algorithm made =
        vdnn_cuda_row("sampled_softmax", "gemm", VDNN_CUDA_ALL_PASSES, refusal, run, workspace);
    made.rounds_gradient = true;
    return made;
}

const vdnn_algorithm vdnn_sampled_softmax_gemm_cuda = row();
