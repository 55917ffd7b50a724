#include "layers/cuda/kernel.h"

extern "C" {
#include "layers/attention/additive_attention.h"
}

/* With t = tanh(q_i + k_j + bias), which is in registers alone:
 *
 *     forward     a block has a tile of S, 16 queries by 16 keys, and goes through the features;
 *                 blocks have rows of S, which become P; threads have elements of y
 *     backward    the same for dP = dy v^T and dS = P (dP - sum of P dP); threads have a feature of
 *                 some queries: dq, and their part in du and dbias, or of a key: dk, and dv
 *
 * so tanh is computed twice in backward, once for each of dq and dk, and no two threads add to one
 * element. dS and the parts of du and dbias are in the workspace, after u. */

enum { SIDE = 16, CHUNK = 32, QUERIES = 8, ROW_THREADS = 32 };
static_assert(SIDE * SIDE == VDNN_CUDA_THREADS, "");

/* Of a sample: keys that count; a length that it cannot have is taken as the nearest. */
static __device__ int64_t additive_keys(const vdnn_attention_shape &s, const int32_t *lengths,
                                        int64_t sample)
{
    if (lengths == nullptr)
        return s.keys;
    int64_t length = lengths[sample];
    return length < 0 ? 0 : length < s.keys ? length : s.keys;
}

/* u = scale * weight / |weight|, by one block. */
__global__ static void additive_direction(const float *weight, const float *scale, float *u,
                                          int64_t width)
{
    double part = 0;
    for (int64_t c = threadIdx.x; c < width; c += VDNN_CUDA_THREADS)
        part += (double)weight[c] * (double)weight[c];
    double factor = (double)*scale / sqrt(vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(part));
    for (int64_t c = threadIdx.x; c < width; c += VDNN_CUDA_THREADS)
        u[c] = (float)(factor * (double)weight[c]);
}

/* ---- tiles of scores ------------------------------------------------------------------------- */

struct additive_tile {
    float rows[(size_t)SIDE][(size_t)(CHUNK + 1)];
    float columns[(size_t)SIDE][(size_t)(CHUNK + 1)];
    float u[(size_t)CHUNK];
};

/* Some features of SIDE vectors, zeros beyond the last of them, plus those of `more`. */
template <class T>
static __device__ void additive_read(float (*to)[(size_t)(CHUNK + 1)], const T *from,
                                     int64_t position, int64_t positions, int64_t chunk,
                                     int64_t width, const float *more)
{
    for (int i = (int)threadIdx.x; i < SIDE * CHUNK; i += VDNN_CUDA_THREADS) {
        int64_t row = position + i / CHUNK, c = chunk + i % CHUNK;
        bool is_there = row < positions && c < width;
        float value = is_there ? (float)from[row * width + c] : 0.0F;
        to[i / CHUNK][i % CHUNK] = is_there && more != nullptr ? value + more[c] : value;
    }
}

/* to[n, i, j] = u . tanh(rows_i + bias + columns_j), or, without u, rows_i . columns_j. */
template <class T>
__global__ static void additive_scores(vdnn_attention_shape s, const T *rows, const T *columns,
                                       int64_t width, const float *u, const float *bias, float *to)
{
    VDNN_SHARED(additive_tile, tile, );
    int64_t of_keys = (s.keys + SIDE - 1) / SIDE, of_queries = (s.queries + SIDE - 1) / SIDE;
    int64_t query = blockIdx.x / of_keys % of_queries * SIDE, key = blockIdx.x % of_keys * SIDE;
    int64_t sample = blockIdx.x / of_keys / of_queries;
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    float sum = 0;
    for (int64_t chunk = 0; chunk < width; chunk += CHUNK) {
        additive_read(tile.rows, rows + sample * s.queries * width, query, s.queries, chunk, width,
                      bias);
        additive_read(tile.columns, columns + sample * s.keys * width, key, s.keys, chunk, width,
                      nullptr);
        if (u != nullptr && threadIdx.x < CHUNK)
            tile.u[threadIdx.x] = chunk + threadIdx.x < width ? u[chunk + threadIdx.x] : 0.0F;
        __syncthreads();
        for (int c = 0; c < CHUNK; c++)
            sum += u != nullptr ? tile.u[c] * tanhf(tile.rows[i][c] + tile.columns[j][c])
                                : tile.rows[i][c] * tile.columns[j][c];
        __syncthreads();
    }
    if (query + i < s.queries && key + j < s.keys)
        to[(sample * s.queries + query + i) * s.keys + key + j] = sum;
}

/* ---- rows of scores, each by a block --------------------------------------------------------- */

/* Scores become P, which is 0 where a key does not count. */
__global__ static void additive_softmax(vdnn_attention_shape s, const int32_t *lengths,
                                        float *scores)
{
    VDNN_SHARED(float, parts, [(size_t) ROW_THREADS]);
    int64_t keys = additive_keys(s, lengths, blockIdx.x / s.queries);
    float *row = scores + blockIdx.x * s.keys, largest = -INFINITY, sum = 0;
    for (int64_t j = threadIdx.x; j < keys; j += ROW_THREADS)
        largest = fmaxf(largest, row[j]);
    parts[threadIdx.x] = largest;
    __syncthreads();
    for (int i = 0; i < ROW_THREADS; i++)
        largest = fmaxf(largest, parts[i]);
    for (int64_t j = threadIdx.x; j < keys; j += ROW_THREADS)
        sum += row[j] = expf(row[j] - largest);
    sum = vdnn_cuda_sum<float, ROW_THREADS>(sum);
    for (int64_t j = threadIdx.x; j < s.keys; j += ROW_THREADS)
        row[j] = j < keys ? row[j] / sum : 0.0F;
}

/* dP becomes dS. */
__global__ static void additive_differentiate(vdnn_attention_shape s, const float *p,
                                              float *gradients)
{
    const float *of_p = p + blockIdx.x * s.keys;
    float *row = gradients + blockIdx.x * s.keys, delta = 0;
    for (int64_t j = threadIdx.x; j < s.keys; j += ROW_THREADS)
        delta += of_p[j] * row[j];
    delta = vdnn_cuda_sum<float, ROW_THREADS>(delta);
    for (int64_t j = threadIdx.x; j < s.keys; j += ROW_THREADS)
        row[j] = of_p[j] * (row[j] - delta);
}

/* ---- features, each by a thread -------------------------------------------------------------- */

/* y = P v; or, of keys, dv = P^T dy. */
template <class T>
__global__ static void additive_weigh(vdnn_attention_shape s, bool of_keys, const float *p,
                                      const T *from, T *to)
{
    int64_t i = vdnn_cuda_index(), width = s.v.width, row = i / width, c = i % width;
    int64_t rows = of_keys ? s.keys : s.queries, others = of_keys ? s.queries : s.keys;
    int64_t sample = row / rows, step = of_keys ? s.keys : 1;
    if (sample >= s.samples)
        return;
    const float *weights = p + sample * s.queries * s.keys + row % rows * (of_keys ? 1 : s.keys);
    float sum = 0;
    for (int64_t k = 0; k < others; k++)
        sum += weights[k * step] * (float)from[(sample * others + k) * width + c];
    to[i] = sum;
}

/* What the kernels of q and k read. */
template <class T> struct additive_inputs {
    const T *q, *k;
    const float *u, *bias, *gradients; /* dS */
};

/* dq of some queries; NULL: not that. Their parts in du and dbias go to `sums`, (N, blocks of
 * queries, 2, C). */
template <class T>
__global__ static void additive_queries(vdnn_attention_shape s, additive_inputs<T> in, T *dq,
                                        float *sums)
{
    int64_t at = vdnn_cuda_index(), c = at % s.width, block = at / s.width;
    int64_t blocks = (s.queries + QUERIES - 1) / QUERIES, sample = block / blocks;
    if (sample >= s.samples)
        return;
    int64_t query = block % blocks * QUERIES;
    int64_t end = query + QUERIES < s.queries ? query + QUERIES : s.queries;
    float of_u = 0, of_bias = 0;
    for (; query < end; query++) {
        int64_t row = sample * s.queries + query;
        float q = (float)in.q[row * s.width + c] + in.bias[c], sum = 0;
        for (int64_t key = 0; key < s.keys; key++) {
            float ds = in.gradients[row * s.keys + key];
            float t = tanhf(q + (float)in.k[(sample * s.keys + key) * s.width + c]);
            of_u += ds * t;
            sum += ds - ds * t * t;
        }
        if (dq != nullptr)
            dq[row * s.width + c] = in.u[c] * sum;
        of_bias += in.u[c] * sum;
    }
    sums[block * 2 * s.width + c] = of_u;
    sums[(block * 2 + 1) * s.width + c] = of_bias;
}

template <class T>
__global__ static void additive_dk(vdnn_attention_shape s, additive_inputs<T> in, T *dk)
{
    int64_t at = vdnn_cuda_index(), c = at % s.width, row = at / s.width, sample = row / s.keys;
    if (sample >= s.samples)
        return;
    float k = (float)in.k[at] + in.bias[c], sum = 0;
    for (int64_t query = 0; query < s.queries; query++) {
        int64_t from = sample * s.queries + query;
        float ds = in.gradients[from * s.keys + row % s.keys];
        float t = tanhf((float)in.q[from * s.width + c] + k);
        sum += ds - ds * t * t;
    }
    dk[at] = in.u[c] * sum;
}

/* ---- dw -------------------------------------------------------------------------------------- */

/* The parts of du and dbias, into the first of them. */
__global__ static void additive_sum(float *sums, int64_t count, int64_t width)
{
    int64_t c = vdnn_cuda_index();
    if (c >= width)
        return;
    float sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += sums[i * width + c];
    sums[c] = sum;
}

/* With n = weight / |weight|: dscale = n . du, dweight = scale / |weight| (du - n (n . du)); by one
 * block. */
__global__ static void additive_finish(const float *weight, const float *scale, const float *sums,
                                       int64_t width, float *dweight, float *dbias, float *dscale)
{
    double squares = 0, part = 0;
    for (int64_t c = threadIdx.x; c < width; c += VDNN_CUDA_THREADS) {
        squares += (double)weight[c] * (double)weight[c];
        part += (double)weight[c] * (double)sums[c];
    }
    double norm = sqrt(vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(squares));
    double along = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(part) / norm;
    for (int64_t c = threadIdx.x; c < width; c += VDNN_CUDA_THREADS) {
        dweight[c] =
            (float)((double)*scale / norm * ((double)sums[c] - (double)weight[c] / norm * along));
        dbias[c] = sums[width + c];
    }
    if (threadIdx.x == 0)
        *dscale = (float)along;
}

/* ---- the row --------------------------------------------------------------------------------- */

struct additive_memory {
    float *u, *gradients, *sums;
    int64_t floats;
};

static int64_t blocks_of(const vdnn_attention_shape &s)
{
    return s.samples * ((s.queries + QUERIES - 1) / QUERIES);
}

/* Without args only its size is found. */
static additive_memory memory_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(kernel->layer);
    float *at = args == nullptr ? nullptr : static_cast<float *>(args->workspace);
    int64_t scores = s.samples * s.queries * s.keys, sums = blocks_of(s) * 2 * s.width;
    if (kernel->pass == VDNN_FORWARD)
        return {at, nullptr, nullptr, s.width};
    if (at == nullptr)
        return {nullptr, nullptr, nullptr, s.width + scores + sums};
    return {at, at + s.width, at + s.width + scores, s.width + scores + sums};
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = (size_t)memory_of(kernel, nullptr).floats * sizeof(float);
    return VDNN_OK;
}

static float *param_of(const vdnn_kernel *kernel, void *block, int param)
{
    char *at = static_cast<char *>(block) + kernel->layer->params[param].offset;
    return reinterpret_cast<float *>(at);
}

static unsigned tiles_of(const vdnn_attention_shape &s)
{
    return (unsigned)(s.samples * ((s.queries + SIDE - 1) / SIDE) * ((s.keys + SIDE - 1) / SIDE));
}

template <class T> static T *input_of(const vdnn_kernel_args *args, const vdnn_attention_part &part)
{
    return static_cast<T *>(args->x[part.input]);
}

template <class T>
static void forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args, const float *u,
                    const int32_t *lengths)
{
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    float *p = static_cast<float *>(args->aux);
    VDNN_LAUNCH(additive_scores<T>, tiles_of(s), VDNN_CUDA_THREADS, stream, s,
                input_of<const T>(args, s.q), input_of<const T>(args, s.k), s.width, u,
                param_of(kernel, args->w, VDNN_ADDITIVE_BIAS), p);
    VDNN_LAUNCH(additive_softmax, (unsigned)(s.samples * s.queries), ROW_THREADS, stream, s,
                lengths, p);
    VDNN_LAUNCH(additive_weigh<T>, vdnn_cuda_blocks(s.samples * s.queries * s.v.width),
                VDNN_CUDA_THREADS, stream, s, false, p, input_of<const T>(args, s.v),
                static_cast<T *>(args->y));
}

template <class T> static T *gradient_of(const vdnn_kernel_args *args, int input)
{
    return args->dx == nullptr ? nullptr : static_cast<T *>(args->dx[input]);
}

static void finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args, float *sums)
{
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    VDNN_LAUNCH(additive_sum, vdnn_cuda_blocks(2 * s.width), VDNN_CUDA_THREADS, stream, sums,
                blocks_of(s), 2 * s.width);
    VDNN_LAUNCH(additive_finish, 1U, VDNN_CUDA_THREADS, stream,
                param_of(kernel, args->w, VDNN_ADDITIVE_WEIGHT),
                param_of(kernel, args->w, VDNN_ADDITIVE_SCALE), sums, s.width,
                param_of(kernel, args->dw, VDNN_ADDITIVE_WEIGHT),
                param_of(kernel, args->dw, VDNN_ADDITIVE_BIAS),
                param_of(kernel, args->dw, VDNN_ADDITIVE_SCALE));
}

template <class T>
static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                     const additive_memory &memory)
{
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const float *p = static_cast<const float *>(args->aux), *none = nullptr;
    const T *dy = static_cast<const T *>(args->dy);
    T *dk = gradient_of<T>(args, s.k.input), *dv = gradient_of<T>(args, s.v.input);
    const additive_inputs<T> in = {input_of<const T>(args, s.q), input_of<const T>(args, s.k),
                                   memory.u, param_of(kernel, args->w, VDNN_ADDITIVE_BIAS),
                                   memory.gradients};
    VDNN_LAUNCH(additive_scores<T>, tiles_of(s), VDNN_CUDA_THREADS, stream, s, dy,
                input_of<const T>(args, s.v), s.v.width, none, none, memory.gradients);
    VDNN_LAUNCH(additive_differentiate, (unsigned)(s.samples * s.queries), ROW_THREADS, stream, s,
                p, memory.gradients);
    VDNN_LAUNCH(additive_queries<T>, vdnn_cuda_blocks(blocks_of(s) * s.width), VDNN_CUDA_THREADS,
                stream, s, in, gradient_of<T>(args, s.q.input), memory.sums);
    if (dk != nullptr)
        VDNN_LAUNCH(additive_dk<T>, vdnn_cuda_blocks(s.samples * s.keys * s.width),
                    VDNN_CUDA_THREADS, stream, s, in, dk);
    if (dv != nullptr)
        VDNN_LAUNCH(additive_weigh<T>, vdnn_cuda_blocks(s.samples * s.keys * s.v.width),
                    VDNN_CUDA_THREADS, stream, s, true, p, dy, dv);
    if (vdnn_layer_writes_dw(kernel->layer, kernel->pass))
        finish(kernel, args, memory.sums);
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(kernel->layer);
    const additive_memory memory = memory_of(kernel, args);
    const int32_t *lengths =
        s.lengths < 0 ? nullptr : static_cast<const int32_t *>(args->x[s.lengths]);
    VDNN_LAUNCH(additive_direction, 1U, VDNN_CUDA_THREADS, vdnn_cuda_stream_of(args)->handle,
                param_of(kernel, args->w, VDNN_ADDITIVE_WEIGHT),
                param_of(kernel, args->w, VDNN_ADDITIVE_SCALE), memory.u, s.width);
    if (kernel->pass == VDNN_FORWARD)
        forward<T>(kernel, args, memory.u, lengths);
    else
        backward<T>(kernel, args, memory);
    return vdnn_cuda_launched("additive attention");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(layer);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (i != s.lengths && !vdnn_cuda_has_form(&layer->x[i]))
            return "a map is not f32, tf32 or bf16";
    if (s.samples * s.queries > INT32_MAX ||
        s.samples * ((s.queries + SIDE - 1) / SIDE) > INT32_MAX / ((s.keys + SIDE - 1) / SIDE))
        return "the batch has more than 2^31 tiles of scores";
    return vdnn_cuda_is_plain(layer) ? vdnn_cuda_type_refusal(layer->y.dtype)
                                     : "a map is not in nchw";
}

const vdnn_algorithm vdnn_additive_attention_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("additive_attention", "native", VDNN_CUDA_ALL_PASSES, refusal, run, workspace),
    VDNN_CUDA_DATA_PASSES);
