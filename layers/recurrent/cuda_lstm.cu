#include "layers/cuda/kernel.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda/blas.h"
#include "layers/cuda/weight.h"
#include "layers/recurrent/lstm.h"
}

/* Products by cuBLAS, and a kernel a step for the cells; the batch as a whole:
 *
 *     forward    gates (positions, 4H) = x weight_ih^T at once; step by step += h weight_hh^T
 *     backward   step by step dh = dgates weight_hh, and the cells; then, at once,
 *                dx = dgates weight_ih, dw = dgates^T (x, h of the position before)
 *
 *     workspace   forward    | weights in the maps' type | gates in f32 | c |
 *                 backward   | weights in the maps' type | dgates | dh | dc | h before |
 *
 * The weights are converted only if the maps are not f32. The gates are in aux if that is f32. */

enum { GATES = VDNN_LSTM_GATES, STASHED = VDNN_LSTM_STASHED, ALIGNMENT = 256 };

struct lstm_memory {
    void *weights;
    void *gates; /* f32 in forward, of the maps' type in backward */
    float *dh, *cells;
    void *hidden_before;
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

/* Without args only its size is found. */
static lstm_memory memory_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    bool is_forward = kernel->pass == VDNN_FORWARD, is_narrow = type_of(kernel) == VDNN_BF16;
    const size_t element = vdnn_dtype_bytes(type_of(kernel)), wide = sizeof(float);
    size_t rows = (size_t)(s.samples * s.positions), cells = (size_t)(s.samples * s.cells);
    lstm_memory m = {};
    m.weights = take(args, is_narrow ? (size_t)s.bias * element : 0, &m);
    if (is_forward)
        m.gates = take(args, is_stashed(kernel) ? 0 : rows * (size_t)s.gates * wide, &m);
    else
        m.gates = take(args, rows * (size_t)s.gates * element, &m);
    m.dh = static_cast<float *>(take(args, is_forward ? 0 : cells * wide, &m));
    m.cells = static_cast<float *>(take(args, cells * wide, &m));
    bool writes_dw = vdnn_layer_writes_dw(kernel->layer, kernel->pass);
    m.hidden_before = take(args, writes_dw ? rows * (size_t)s.cells * element : 0, &m);
    return m;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = memory_of(kernel, nullptr).bytes;
    return VDNN_OK;
}

/* Both weights in the maps' type. */
static const void *weights_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                              const lstm_memory &memory)
{
    const float *w = static_cast<const float *>(args->w);
    if (type_of(kernel) != VDNN_BF16)
        return w;
    vdnn_cuda_narrow(vdnn_cuda_stream_of(args), w, memory.weights,
                     vdnn_lstm_shape_of(kernel->layer).bias);
    return memory.weights;
}

template <class T> static const T *moved(const void *from, int64_t elements)
{
    return static_cast<const T *>(from) + elements;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A step: where its gates and maps are. */
struct lstm_step {
    vdnn_lstm_shape s;
    int64_t position, before; /* -1: it is the first */
};

static __device__ __forceinline__ float logistic(float x)
{
    return 1 / (1 + expf(-x));
}

/* A thread has a cell of a sample. `gates_row`: from a position to the next. */
template <class T>
__global__ static void lstm_cells(lstm_step step, const float *gates, int64_t gates_row,
                                  const float *bias, float *cells, T *y, T *aux)
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
    float c = keep * before + in * fresh;
    cells[i] = c;
    y[row * s.cells + cell] = out * tanhf(c);
    if (aux == nullptr)
        return;
    const float kept[(size_t)STASHED] = {in, keep, fresh, out, c};
    for (int kind = 0; kind < STASHED; kind++)
        aux[(row * STASHED + kind) * s.cells + cell] = kept[kind];
}

/* The gates' gradients; `dh` is what the position after this one adds to dy, `dc` to the
 * cells' gradient, if there is one. */
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
    float d_out = (float)dy[row * s.cells + cell] + (is_last ? 0.0F : dh[i]);
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
    int64_t i = vdnn_cuda_index(), row = i / s.cells, position = row % s.positions;
    if (i >= s.samples * s.positions * s.cells)
        return;
    int64_t first = s.is_reverse ? s.positions - 1 : 0, back = s.is_reverse ? s.cells : -s.cells;
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

static lstm_step step_of(const vdnn_lstm_shape &s, int64_t step)
{
    return {s, vdnn_lstm_position(&s, step), step == 0 ? -1 : vdnn_lstm_position(&s, step - 1)};
}

/* ---- forward --------------------------------------------------------------------------------- */

/* To cuBLAS a row-major matrix is its transpose. The gates of `rows` rows, that are `c_lead` apart:
 * + = from (rows, in) weight^T. */
static vdnn_cuda_product gates_product(const vdnn_kernel *kernel, int64_t rows, int64_t in)
{
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_T;
    p.b_is = CUBLAS_OP_N;
    p.m = (int)vdnn_lstm_shape_of(kernel->layer).gates;
    p.n = (int)rows;
    p.k = (int)in;
    p.count = 1;
    p.in = type_of(kernel);
    p.out = VDNN_F32;
    return p;
}

template <class T>
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    const vdnn_cuda_stream *stream = vdnn_cuda_stream_of(args);
    const lstm_memory memory = memory_of(kernel, args);
    const void *w = weights_of(kernel, args, memory);
    bool in_aux = is_stashed(kernel);
    T *y = static_cast<T *>(args->y),
      *aux = kernel->layer->aux_bytes == 0 ? nullptr : static_cast<T *>(args->aux);
    float *gates = static_cast<float *>(in_aux ? args->aux : memory.gates);
    int64_t row = in_aux ? STASHED * s.cells : s.gates;
    vdnn_cuda_product all = gates_product(kernel, s.samples * s.positions, s.in);
    all.a = w;
    all.b = args->x[0];
    all.c = gates;
    all.c_lead = (int)row;
    VDNN_TRY(vdnn_cuda_blas_multiply(stream, &all));
    for (int64_t i = 0; i < s.positions; i++) {
        const lstm_step step = step_of(s, i);
        vdnn_cuda_product p = gates_product(kernel, s.samples, s.cells);
        p.a = moved<T>(w, s.hidden_weight);
        p.b = y + step.before * s.cells;
        p.b_lead = (int)(s.positions * s.cells);
        p.c = gates + step.position * row;
        p.c_lead = (int)(s.positions * row);
        p.beta = 1;
        if (step.before >= 0)
            VDNN_TRY(vdnn_cuda_blas_multiply(stream, &p));
        VDNN_LAUNCH(lstm_cells<T>, vdnn_cuda_blocks(s.samples * s.cells), VDNN_CUDA_THREADS,
                    stream->handle, step, gates, row, moved<float>(args->w, s.bias), memory.cells,
                    y, aux);
    }
    return vdnn_cuda_launched("lstm forward");
}

/* ---- backward -------------------------------------------------------------------------------- */

/* to (rows, in) = gates (rows, 4H) weight (4H, in), the gates' rows b_lead apart. */
static vdnn_cuda_product data_product(const vdnn_kernel *kernel, int64_t rows, int64_t in)
{
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_N;
    p.b_is = CUBLAS_OP_N;
    p.m = (int)in;
    p.n = (int)rows;
    p.k = (int)vdnn_lstm_shape_of(kernel->layer).gates;
    p.count = 1;
    p.in = type_of(kernel);
    p.out = p.in;
    return p;
}

/* dw (4H, in) = gates^T of (positions, in). */
static vdnn_status filter_product(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                  const void *gates, const void *of, int64_t in, float *dw)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_N;
    p.b_is = CUBLAS_OP_T;
    p.m = (int)in;
    p.n = (int)s.gates;
    p.k = (int)(s.samples * s.positions);
    p.a = of;
    p.b = gates;
    p.c = dw;
    p.count = 1;
    p.in = type_of(kernel);
    p.out = VDNN_F32;
    return vdnn_cuda_blas_multiply(vdnn_cuda_stream_of(args), &p);
}

template <class T>
static vdnn_status gradient(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                            const lstm_memory &memory)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const T *gates = static_cast<const T *>(memory.gates);
    float *dw = static_cast<float *>(args->dw);
    T *before = static_cast<T *>(memory.hidden_before);
    VDNN_LAUNCH(lstm_before<T>, vdnn_cuda_blocks(s.samples * s.positions * s.cells),
                VDNN_CUDA_THREADS, stream, s, static_cast<const T *>(args->y), before);
    VDNN_TRY(filter_product(kernel, args, gates, args->x[0], s.in, dw));
    VDNN_TRY(filter_product(kernel, args, gates, before, s.cells, dw + s.hidden_weight));
    if (s.biases > 0)
        VDNN_LAUNCH(lstm_bias_gradient<T>, (unsigned)((s.gates + WIDTH - 1) / WIDTH),
                    VDNN_CUDA_THREADS, stream, s, gates, dw + s.bias);
    return VDNN_OK;
}

/* Through time: the gates' gradients. */
template <class T>
static vdnn_status steps_backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                  const lstm_memory &memory, const void *w)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    const vdnn_cuda_stream *stream = vdnn_cuda_stream_of(args);
    T *gates = static_cast<T *>(memory.gates);
    for (int64_t i = s.positions - 1; i >= 0; i--) {
        bool is_last = i == s.positions - 1;
        vdnn_cuda_product p = data_product(kernel, s.samples, s.cells);
        p.a = moved<T>(w, s.hidden_weight);
        p.b = gates + (is_last ? 0 : vdnn_lstm_position(&s, i + 1)) * s.gates;
        p.b_lead = (int)(s.positions * s.gates);
        p.c = memory.dh;
        p.out = VDNN_F32;
        if (!is_last)
            VDNN_TRY(vdnn_cuda_blas_multiply(stream, &p));
        VDNN_LAUNCH(lstm_gradients<T>, vdnn_cuda_blocks(s.samples * s.cells), VDNN_CUDA_THREADS,
                    stream->handle, step_of(s, i), is_last, static_cast<const T *>(args->aux),
                    static_cast<const T *>(args->dy), memory.dh, memory.cells, gates);
    }
    return VDNN_OK;
}

template <class T>
static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    const lstm_memory memory = memory_of(kernel, args);
    const void *w = weights_of(kernel, args, memory);
    VDNN_TRY(steps_backward<T>(kernel, args, memory, w));
    if (kernel->pass == VDNN_BACKWARD_DATA) {
        vdnn_cuda_product dx = data_product(kernel, s.samples * s.positions, s.in);
        dx.a = w;
        dx.b = memory.gates;
        dx.c = args->dx[0];
        VDNN_TRY(vdnn_cuda_blas_multiply(vdnn_cuda_stream_of(args), &dx));
    }
    if (vdnn_layer_writes_dw(kernel->layer, kernel->pass))
        VDNN_TRY(gradient<T>(kernel, args, memory));
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
    const char *why = vdnn_cuda_refusal(kernel);
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(kernel->layer);
    if (why == nullptr &&
        (s.samples * s.positions > INT32_MAX || s.positions * s.cells * STASHED > INT32_MAX))
        why = "a side of its matrices is longer than 2^31";
    return why != nullptr ? why : vdnn_cuda_blas_lack();
}

const vdnn_algorithm vdnn_lstm_gemm_cuda =
    vdnn_cuda_row("lstm", "gemm", VDNN_CUDA_ALL_PASSES, refusal, run, workspace);
