#include "layers/cuda/kernel.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda/blas.h"
#include "layers/cuda/weight.h"
#include "layers/recurrent/lstm.h"
}

/* Products by cuBLAS, and a kernel a step for the cells; the batch as a whole:
 *
 *     forward    gates (positions, 4H) = x weight_ih^T at once; step by step += h weight_hh^T; h =
 * m weight_hr^T where there is a projection, else m backward   step by step dh = dgates weight_hh,
 * dm = (dy + dh) weight_hr, and the cells; then, at once, dx = dgates weight_ih, dw = dgates^T (x,
 * h of the position before), dh^T m
 *
 *     workspace   forward    | weights in the maps' type | gates in f32 | c | m |
 *                 backward   | weights in the maps' type | dgates | dh | dc | h before, or m | dm |
 *                            | dh at all positions |
 *
 * The weights are converted only if the maps are not f32. The gates are in aux if that is f32. m,
 * dm and dh at all positions are for a projection. */

enum { GATES = VDNN_LSTM_GATES, STASHED = VDNN_LSTM_STASHED, ALIGNMENT = 256 };

struct lstm_memory {
    void *weights;
    void *gates; /* f32 in forward, of the maps' type in backward */
    float *dh, *dm, *cells;
    void *outputs;    /* of a step, m */
    void *all_hidden; /* h of the positions before, then m */
    void *all_dh;
    size_t bytes;
};

static vdnn_dtype type_of(const vdnn_kernel *kernel)
{
    return kernel->layer->y.dtype;
}

/* Whether forward keeps the gates before activation where those after it will be. */
static bool is_stashed(const vdnn_kernel *kernel)
{
    return type_of(kernel) != VDNN_BF16 && kernel->layer->aux_bytes > 0;
}

static void *take(const vdnn_kernel_args *args, size_t bytes, lstm_memory *memory)
{
    void *taken = args == nullptr ? nullptr : static_cast<char *>(args->workspace) + memory->bytes;
    memory->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return taken;
}

/* Of the block of parameters up to the end of the last weight. */
static size_t weights_count(const vdnn_lstm_shape &s)
{
    return (size_t)(s.is_projected ? s.projection + s.out * s.cells : s.bias);
}

/* Without args only its size is found. */
static lstm_memory memory_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    bool is_forward = kernel->pass == VDNN_FORWARD, is_narrow = type_of(kernel) == VDNN_BF16;
    const size_t element = vdnn_dtype_bytes(type_of(kernel)), wide = sizeof(float);
    size_t rows = (size_t)(s.samples * s.positions), cells = (size_t)(s.samples * s.cells);
    size_t outputs = (size_t)(s.samples * s.out), widest = (size_t)s.out;
    bool writes_dw = vdnn_layer_writes_dw(kernel->layer, kernel->pass);
    if (s.is_projected && s.cells > s.out)
        widest = (size_t)s.cells;
    lstm_memory m = {};
    m.weights = take(args, is_narrow ? weights_count(s) * element : 0, &m);
    if (is_forward)
        m.gates = take(args, is_stashed(kernel) ? 0 : rows * (size_t)s.gates * wide, &m);
    else
        m.gates = take(args, rows * (size_t)s.gates * element, &m);
    m.dh = static_cast<float *>(take(args, is_forward ? 0 : outputs * wide, &m));
    m.cells = static_cast<float *>(take(args, cells * wide, &m));
    m.all_hidden = take(args, writes_dw ? rows * widest * element : 0, &m);
    if (!s.is_projected)
        return m;
    m.outputs = take(args, is_forward ? cells * element : 0, &m);
    m.dm = static_cast<float *>(take(args, is_forward ? 0 : cells * wide, &m));
    m.all_dh = take(args, is_forward ? 0 : rows * (size_t)s.out * element, &m);
    return m;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = memory_of(kernel, nullptr).bytes;
    return VDNN_OK;
}

/* The weights in the maps' type. */
static const void *weights_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                              const lstm_memory &memory)
{
    const float *w = static_cast<const float *>(args->w);
    if (type_of(kernel) != VDNN_BF16)
        return w;
    vdnn_cuda_narrow(vdnn_cuda_stream_of(args), w, memory.weights,
                     (int64_t)weights_count(vdnn_lstm_shape_of(kernel->layer)));
    return memory.weights;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A step: where its gates and maps are. */
struct lstm_step {
    vdnn_lstm_shape s;
    int64_t position, before; /* -1: it is the first */
    const int32_t *lengths;   /* NULL: all positions are valid */

    __device__ __forceinline__ bool is_beyond(int64_t sample) const
    {
        return lengths != nullptr && position >= lengths[sample];
    }
};

static __device__ __forceinline__ float logistic(float x)
{
    return 1 / (1 + expf(-x));
}

/* A thread has a cell of a sample. `gates_row`: from a position to the next; m is of the step, or
 * y, without a projection. */
template <class T>
__global__ static void lstm_cells(lstm_step step, const float *gates, int64_t gates_row,
                                  const float *bias, float *cells, T *m, T *aux)
{
    const vdnn_lstm_shape &s = step.s;
    int64_t i = vdnn_cuda_index();
    if (i >= s.samples * s.cells)
        return;
    int64_t cell = i % s.cells, row = i / s.cells * s.positions + step.position;
    float sums[(size_t)GATES];
    for (int g = 0; g < GATES; g++) {
        int64_t column = g * s.cells + cell;
        sums[g] = gates[row * gates_row + column];
        for (int64_t b = 0; b < s.biases; b++)
            sums[g] += bias[b * s.gates + column];
    }
    float in = logistic(sums[0]), keep = logistic(sums[1]), fresh = tanhf(sums[2]);
    float out = logistic(sums[3]), before = step.before < 0 ? 0.0F : cells[i];
    bool is_beyond = step.is_beyond(i / s.cells);
    float c = is_beyond ? 0.0F : keep * before + in * fresh;
    cells[i] = c;
    m[s.is_projected ? i : row * s.cells + cell] = is_beyond ? 0.0F : out * tanhf(c);
    if (aux == nullptr)
        return;
    const float kept[(size_t)STASHED] = {in, keep, fresh, out, c};
    for (int kind = 0; kind < STASHED; kind++)
        aux[(row * STASHED + kind) * s.cells + cell] = is_beyond ? 0.0F : kept[kind];
}

/* Of the outputs of a step at all positions: dy, and what the position after it adds, if there is
 * one. */
template <class T>
__global__ static void lstm_output_gradients(lstm_step step, bool is_last, const T *dy,
                                             const float *dh, T *all_dh)
{
    const vdnn_lstm_shape &s = step.s;
    int64_t i = vdnn_cuda_index();
    if (i >= s.samples * s.out)
        return;
    int64_t at = (i / s.out * s.positions + step.position) * s.out + i % s.out;
    float sum = (float)dy[at] + (is_last ? 0.0F : dh[i]);
    all_dh[at] = step.is_beyond(i / s.out) ? 0.0F : sum;
}

/* m at all positions. */
template <class T> __global__ static void lstm_outputs(vdnn_lstm_shape s, const T *aux, T *m)
{
    int64_t i = vdnn_cuda_index(), row = i / s.cells;
    if (i >= s.samples * s.positions * s.cells)
        return;
    const T *kept = aux + row * STASHED * s.cells + i % s.cells;
    m[i] = (float)kept[(GATES - 1) * s.cells] * tanhf(kept[GATES * s.cells]);
}

/* The gates' gradients; `dh` is what the position after this one adds to dy, or, with a projection,
 * all of the gradient of m; `dc` what that position adds to the cells' gradient, if there is one.
 */
template <class T>
__global__ static void lstm_gradients(lstm_step step, bool is_last, const T *aux, const T *dy,
                                      const float *dh, float *dc, T *gates)
{
    const vdnn_lstm_shape &s = step.s;
    int64_t i = vdnn_cuda_index();
    if (i >= s.samples * s.cells)
        return;
    int64_t cell = i % s.cells, first = i / s.cells * s.positions, row = first + step.position;
    float kept[(size_t)STASHED];
    for (int kind = 0; kind < STASHED; kind++)
        kept[kind] = aux[(row * STASHED + kind) * s.cells + cell];
    float before = step.before < 0
                       ? 0.0F
                       : (float)aux[((first + step.before) * STASHED + GATES) * s.cells + cell];
    float in = kept[0], keep = kept[1], fresh = kept[2], out = kept[3], t = tanhf(kept[GATES]);
    float d_out = s.is_projected || !is_last ? dh[i] : 0.0F;
    d_out = s.is_projected ? d_out : (float)dy[row * s.cells + cell] + d_out;
    d_out = step.is_beyond(i / s.cells) ? 0.0F : d_out;
    float d = (is_last ? 0.0F : dc[i]) + d_out * out * (1 - t * t);
    dc[i] = d * keep;
    const float gradients[(size_t)GATES] = {
        d * fresh * in * (1 - in), d * before * keep * (1 - keep), d * in * (1 - fresh * fresh),
        d_out * t * out * (1 - out)};
    for (int g = 0; g < GATES; g++)
        gates[row * s.gates + g * s.cells + cell] = gradients[g];
}

/* The outputs of the position before each. */
template <class T> __global__ static void lstm_before(vdnn_lstm_shape s, const T *y, T *to)
{
    int64_t i = vdnn_cuda_index(), row = i / s.out, position = row % s.positions;
    if (i >= s.samples * s.positions * s.out)
        return;
    int64_t first = s.is_reverse ? s.positions - 1 : 0, back = s.is_reverse ? s.out : -s.out;
    if (position == first)
        to[i] = 0.0F;
    else
        to[i] = y[i + back];
}

enum { WIDTH = 32, HEIGHT = VDNN_CUDA_THREADS / WIDTH };

/* A block has WIDTH columns of the gates' gradients, whose sums are those of each bias. */
template <class T>
__global__ static void lstm_bias_gradient(vdnn_lstm_shape s, const T *gates, float *dw)
{
    int64_t column = (int64_t)blockIdx.x * WIDTH + threadIdx.x % WIDTH;
    float sum = 0;
    if (column < s.gates)
        for (int64_t row = threadIdx.x / WIDTH; row < s.samples * s.positions; row += HEIGHT)
            sum += (float)gates[row * s.gates + column];
    sum = vdnn_cuda_sum_lanes<float, VDNN_CUDA_THREADS, WIDTH>(sum);
    if (threadIdx.x < WIDTH && column < s.gates)
        for (int64_t b = 0; b < s.biases; b++)
            dw[b * s.gates + column] = sum;
}

static lstm_step step_of(const vdnn_lstm_shape &s, int64_t step, const int32_t *lengths)
{
    return {s, vdnn_lstm_position(&s, step), step == 0 ? -1 : vdnn_lstm_position(&s, step - 1),
            lengths};
}

/* ---- products -------------------------------------------------------------------------------- */

/* To cuBLAS a row-major matrix is its transpose. to (rows, out) = from (rows, in) weight^T, with a
 * weight (out, in). */
static vdnn_cuda_product forward_product(const vdnn_kernel *kernel, int64_t rows, int64_t in,
                                         int64_t out)
{
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_T;
    p.b_is = CUBLAS_OP_N;
    p.m = (int)out;
    p.n = (int)rows;
    p.k = (int)in;
    p.count = 1;
    p.in = type_of(kernel);
    p.out = VDNN_F32;
    return p;
}

/* to (rows, in) = from (rows, out) weight. */
static vdnn_cuda_product data_product(const vdnn_kernel *kernel, int64_t rows, int64_t in,
                                      int64_t out)
{
    vdnn_cuda_product p = forward_product(kernel, rows, out, in);
    p.a_is = CUBLAS_OP_N;
    return p;
}

/* dw (out, in) = left^T (positions, out) right (positions, in). */
static vdnn_status filter_product(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                  const void *left, int64_t out, const void *right, int64_t in,
                                  float *dw)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    vdnn_cuda_product p = forward_product(kernel, out, s.samples * s.positions, in);
    p.a_is = CUBLAS_OP_N;
    p.b_is = CUBLAS_OP_T;
    p.a = right;
    p.b = left;
    p.c = dw;
    return vdnn_cuda_blas_multiply(vdnn_cuda_stream_of(args), &p);
}

/* ---- forward --------------------------------------------------------------------------------- */

/* What the steps of a pass have in common. */
template <class T> struct lstm_run {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    vdnn_lstm_shape s;
    lstm_memory memory;
    const vdnn_cuda_stream *stream;
    const int32_t *lengths;
    const T *w;
    float *gates; /* of forward, before activation */
    int64_t gates_row;
};

template <class T>
static lstm_run<T> run_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    lstm_run<T> run = {};
    run.kernel = kernel;
    run.args = args;
    run.s = vdnn_lstm_shape_of(kernel->layer);
    run.memory = memory_of(kernel, args);
    bool in_aux = is_stashed(kernel);
    run.stream = vdnn_cuda_stream_of(args);
    run.lengths = vdnn_lstm_lengths(kernel->layer, args);
    run.w = static_cast<const T *>(weights_of(kernel, args, run.memory));
    run.gates = static_cast<float *>(in_aux ? args->aux : run.memory.gates);
    run.gates_row = in_aux ? STASHED * run.s.cells : run.s.gates;
    return run;
}

/* The outputs of a step, from m. */
template <class T> static vdnn_status project_forward(const lstm_run<T> &run, const lstm_step &step)
{
    const vdnn_lstm_shape &s = run.s;
    vdnn_cuda_product p = forward_product(run.kernel, s.samples, s.cells, s.out);
    p.a = run.w + s.projection;
    p.b = run.memory.outputs;
    p.c = static_cast<T *>(run.args->y) + step.position * s.out;
    p.c_lead = (int)(s.positions * s.out);
    p.out = p.in;
    return vdnn_cuda_blas_multiply(run.stream, &p);
}

template <class T> static vdnn_status step_forward(const lstm_run<T> &run, const lstm_step &step)
{
    const vdnn_lstm_shape &s = run.s;
    T *y = static_cast<T *>(run.args->y), *m = static_cast<T *>(run.memory.outputs);
    T *aux = run.kernel->layer->aux_bytes == 0 ? nullptr : static_cast<T *>(run.args->aux);
    vdnn_cuda_product p = forward_product(run.kernel, s.samples, s.out, s.gates);
    p.a = run.w + s.hidden_weight;
    p.b = y + step.before * s.out;
    p.b_lead = (int)(s.positions * s.out);
    p.c = run.gates + step.position * run.gates_row;
    p.c_lead = (int)(s.positions * run.gates_row);
    p.beta = 1;
    if (step.before >= 0)
        VDNN_TRY(vdnn_cuda_blas_multiply(run.stream, &p));
    VDNN_LAUNCH(lstm_cells<T>, vdnn_cuda_blocks(s.samples * s.cells), VDNN_CUDA_THREADS,
                run.stream->handle, step, run.gates, run.gates_row,
                static_cast<const float *>(run.args->w) + s.bias, run.memory.cells,
                s.is_projected ? m : y, aux);
    return s.is_projected ? project_forward(run, step) : VDNN_OK;
}

template <class T>
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const lstm_run<T> run = run_of<T>(kernel, args);
    const vdnn_lstm_shape &s = run.s;
    vdnn_cuda_product all = forward_product(kernel, s.samples * s.positions, s.in, s.gates);
    all.a = run.w;
    all.b = args->x[0];
    all.c = run.gates;
    all.c_lead = (int)run.gates_row;
    VDNN_TRY(vdnn_cuda_blas_multiply(run.stream, &all));
    for (int64_t i = 0; i < s.positions; i++)
        VDNN_TRY(step_forward(run, step_of(s, i, run.lengths)));
    return vdnn_cuda_launched("lstm forward");
}

/* ---- backward -------------------------------------------------------------------------------- */

template <class T> static vdnn_status gradient(const lstm_run<T> &run)
{
    const vdnn_lstm_shape &s = run.s;
    const int64_t rows = s.samples * s.positions;
    const T *gates = static_cast<const T *>(run.memory.gates);
    T *hidden = static_cast<T *>(run.memory.all_hidden);
    float *dw = static_cast<float *>(run.args->dw);
    VDNN_LAUNCH(lstm_before<T>, vdnn_cuda_blocks(rows * s.out), VDNN_CUDA_THREADS,
                run.stream->handle, s, static_cast<const T *>(run.args->y), hidden);
    VDNN_TRY(filter_product(run.kernel, run.args, gates, s.gates, run.args->x[0], s.in, dw));
    VDNN_TRY(
        filter_product(run.kernel, run.args, gates, s.gates, hidden, s.out, dw + s.hidden_weight));
    if (s.biases > 0)
        VDNN_LAUNCH(lstm_bias_gradient<T>, (unsigned)((s.gates + WIDTH - 1) / WIDTH),
                    VDNN_CUDA_THREADS, run.stream->handle, s, gates, dw + s.bias);
    if (!s.is_projected)
        return VDNN_OK;
    VDNN_LAUNCH(lstm_outputs<T>, vdnn_cuda_blocks(rows * s.cells), VDNN_CUDA_THREADS,
                run.stream->handle, s, static_cast<const T *>(run.args->aux), hidden);
    return filter_product(run.kernel, run.args, run.memory.all_dh, s.out, hidden, s.cells,
                          dw + s.projection);
}

/* The gradients of m of a step. */
template <class T>
static vdnn_status project_backward(const lstm_run<T> &run, const lstm_step &step, bool is_last)
{
    const vdnn_lstm_shape &s = run.s;
    T *all_dh = static_cast<T *>(run.memory.all_dh);
    VDNN_LAUNCH(lstm_output_gradients<T>, vdnn_cuda_blocks(s.samples * s.out), VDNN_CUDA_THREADS,
                run.stream->handle, step, is_last, static_cast<const T *>(run.args->dy),
                run.memory.dh, all_dh);
    vdnn_cuda_product p = data_product(run.kernel, s.samples, s.cells, s.out);
    p.a = run.w + s.projection;
    p.b = all_dh + step.position * s.out;
    p.b_lead = (int)(s.positions * s.out);
    p.c = run.memory.dm;
    return vdnn_cuda_blas_multiply(run.stream, &p);
}

/* Through time: the gates' gradients. */
template <class T> static vdnn_status step_backward(const lstm_run<T> &run, int64_t i)
{
    const vdnn_lstm_shape &s = run.s;
    bool is_last = i == s.positions - 1;
    const lstm_step step = step_of(s, i, run.lengths);
    T *gates = static_cast<T *>(run.memory.gates);
    vdnn_cuda_product p = data_product(run.kernel, s.samples, s.out, s.gates);
    p.a = run.w + s.hidden_weight;
    p.b = gates + (is_last ? 0 : vdnn_lstm_position(&s, i + 1)) * s.gates;
    p.b_lead = (int)(s.positions * s.gates);
    p.c = run.memory.dh;
    if (!is_last)
        VDNN_TRY(vdnn_cuda_blas_multiply(run.stream, &p));
    if (s.is_projected)
        VDNN_TRY(project_backward(run, step, is_last));
    VDNN_LAUNCH(lstm_gradients<T>, vdnn_cuda_blocks(s.samples * s.cells), VDNN_CUDA_THREADS,
                run.stream->handle, step, is_last, static_cast<const T *>(run.args->aux),
                static_cast<const T *>(run.args->dy),
                s.is_projected ? run.memory.dm : run.memory.dh, run.memory.cells, gates);
    return VDNN_OK;
}

template <class T>
static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const lstm_run<T> run = run_of<T>(kernel, args);
    const vdnn_lstm_shape &s = run.s;
    for (int64_t i = s.positions - 1; i >= 0; i--)
        VDNN_TRY(step_backward(run, i));
    if (kernel->pass == VDNN_BACKWARD_DATA) {
        vdnn_cuda_product dx = data_product(kernel, s.samples * s.positions, s.in, s.gates);
        dx.a = run.w;
        dx.b = run.memory.gates;
        dx.c = args->dx[0];
        dx.out = dx.in;
        VDNN_TRY(vdnn_cuda_blas_multiply(run.stream, &dx));
    }
    if (vdnn_layer_writes_dw(kernel->layer, kernel->pass))
        VDNN_TRY(gradient(run));
    return vdnn_cuda_launched("lstm backward");
}

/* ---- the row --------------------------------------------------------------------------------- */

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return kernel->pass == VDNN_FORWARD ? VDNN_CUDA_AS(type_of(kernel), forward, kernel, args)
                                        : VDNN_CUDA_AS(type_of(kernel), backward, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(layer);
    int64_t longest = s.positions * STASHED * (s.cells > s.out ? s.cells : s.out);
    if (!vdnn_cuda_has_form(&layer->x[0]) || layer->x[0].layout != VDNN_NCHW)
        return "its input is not f32, tf32 or bf16 in nchw";
    if (s.chunk > 0)
        return "it keeps what it computed at all positions, without chunks";
    if (s.samples * s.positions > INT32_MAX || longest > INT32_MAX || s.in > INT32_MAX)
        return "a side of its matrices is longer than 2^31";
    const char *why = vdnn_cuda_type_refusal(layer->y.dtype);
    return why != nullptr ? why : vdnn_cuda_blas_lack();
}

const vdnn_algorithm vdnn_lstm_gemm_cuda =
    vdnn_cuda_row("lstm", "gemm", VDNN_CUDA_ALL_PASSES, refusal, run, workspace);
