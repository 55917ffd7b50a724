#include "layers/cuda/kernel.h"

extern "C" {
#include "layers/attention/attention.h"
}

/* A block of 16 x 16 threads has a tile of scores, rows by columns, and sums over all tiles of its
 * rows, one after the other, in registers:
 *
 *     forward    rows are queries, columns keys: y, rescaled when a larger score is found
 *     dq         rows are queries, columns keys
 *     dk, dv     rows are keys, columns queries, of all heads that read the keys
 *
 * What a tile multiplies is read CHUNK features at a time through shared memory. Thread (i, j) has
 * the rows i, i + 16, ..., of scores the columns j, j + 16, ..., of vectors those features. */
constexpr int SIDE = 16, CHUNK = 32, COLUMNS = 32, OWN_COLUMNS = COLUMNS / SIDE;
constexpr int MOST_WIDTH = 256;
static_assert(SIDE * SIDE == VDNN_CUDA_THREADS, "");

/* Vectors of a head in a map. */
template <class T> struct head_vectors {
    T *at; /* of position 0 */
    int64_t stride;
    int64_t width;

    __device__ __forceinline__ float read(int64_t position, int64_t positions, int64_t i) const
    {
        return position < positions && i < width ? (float)at[position * stride + i] : 0;
    }
};

template <class T>
static __device__ head_vectors<T> vectors_of(T *map, const vdnn_attention_part &part,
                                             int64_t sample, int64_t head)
{
    return {map + sample * part.positions * part.features + part.first + head * part.width,
            part.features, part.width};
}

/* The place of a block: a tile of rows of a head of a sample. */
struct attention_place {
    int64_t sample, head, row;
};

static __device__ attention_place place_of(int64_t tiles, int64_t heads, int rows)
{
    int64_t head = blockIdx.x / tiles;
    return {head / heads, head % heads, blockIdx.x % tiles * rows};
}

/* A chunk of features of ROWS vectors. */
template <int ROWS, class T>
static __device__ void read_chunk(float (*to)[CHUNK + 1], const head_vectors<T> &from,
                                  int64_t position, int64_t positions, int chunk)
{
    for (int i = (int)threadIdx.x; i < ROWS * CHUNK; i += VDNN_CUDA_THREADS)
        to[i / CHUNK][i % CHUNK] = from.read(position + i / CHUNK, positions, chunk + i % CHUNK);
}

/* What the threads of a block share. */
template <int ROWS> struct shared_tile {
    float rows[(size_t)ROWS][(size_t)(CHUNK + 1)];
    float columns[(size_t)COLUMNS][(size_t)(CHUNK + 1)];
    float scores[(size_t)ROWS][(size_t)(COLUMNS + 1)];
    float gradients[(size_t)ROWS][(size_t)(COLUMNS + 1)];
};

/* sums[r][c] = the products of vectors of the tile's rows and columns. */
template <int D, int ROWS, class T>
static __device__ void multiply(shared_tile<ROWS> &tile, const head_vectors<T> &rows, int64_t row,
                                int64_t row_count, const head_vectors<T> &columns, int64_t column,
                                int64_t column_count, float (&sums)[(size_t)(ROWS / SIDE)][2])
{
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    for (int r = 0; r < ROWS / SIDE; r++)
        for (int c = 0; c < OWN_COLUMNS; c++)
            sums[r][c] = 0;
    for (int chunk = 0; chunk < D; chunk += CHUNK) {
        __syncthreads();
        read_chunk<ROWS>(tile.rows, rows, row, row_count, chunk);
        read_chunk<COLUMNS>(tile.columns, columns, column, column_count, chunk);
        __syncthreads();
        for (int k = 0; k < CHUNK; k++)
            for (int r = 0; r < ROWS / SIDE; r++)
                for (int c = 0; c < OWN_COLUMNS; c++)
                    sums[r][c] += tile.rows[i + r * SIDE][k] * tile.columns[j + c * SIDE][k];
    }
}

/* to[r][...] += the sum over columns of scores[r][column] * the column's vector, a chunk of
 * features after the other. A call for each, so that what is in registers has constant indices. */
template <int D, int NUMBER = 0, int ROWS, class T>
static __device__ void
add_columns(shared_tile<ROWS> &tile, const float (*scores)[(size_t)(COLUMNS + 1)],
            const head_vectors<T> &columns, int64_t column, int64_t column_count,
            float (&to)[(size_t)(ROWS / SIDE)][(size_t)(D / SIDE)])
{
    constexpr int OF_CHUNK = CHUNK / SIDE;
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    __syncthreads();
    read_chunk<COLUMNS>(tile.columns, columns, column, column_count, NUMBER * CHUNK);
    __syncthreads();
    for (int k = 0; k < COLUMNS; k++)
        for (int r = 0; r < ROWS / SIDE; r++)
            for (int c = 0; c < OF_CHUNK; c++)
                to[r][NUMBER * OF_CHUNK + c] +=
                    scores[i + r * SIDE][k] * tile.columns[k][j + c * SIDE];
    if constexpr ((NUMBER + 1) * CHUNK < D)
        add_columns<D, NUMBER + 1>(tile, scores, columns, column, column_count, to);
}

/* Vectors of the tile's rows, times a factor. */
template <int D, int ROWS, class T>
static __device__ void write_rows(const head_vectors<T> &to, int64_t row, int64_t row_count,
                                  float factor,
                                  const float (&from)[(size_t)(ROWS / SIDE)][(size_t)(D / SIDE)])
{
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    for (int r = 0; r < ROWS / SIDE; r++)
        for (int c = 0; c < D / SIDE; c++) {
            int64_t position = row + i + r * SIDE, feature = j + c * SIDE;
            if (position < row_count && feature < to.width)
                to.at[position * to.stride + feature] = factor * from[r][c];
        }
}

/* Which positions of a sample count; a length that it cannot have is taken as the nearest. */
static __device__ vdnn_attention_counts counts_of(const vdnn_attention_shape &s,
                                                  const int32_t *lengths, int64_t sample)
{
    if (lengths == nullptr)
        return {s.queries, s.keys};
    int64_t length = lengths[sample] < 0 ? 0 : lengths[sample] < s.keys ? lengths[sample] : s.keys;
    return {s.is_packed || length == 0 ? length : s.queries, length};
}

/* Whether a query attends to a key. */
static __device__ __forceinline__ bool attends(const vdnn_attention_counts &counts, bool causal,
                                               int64_t query, int64_t key)
{
    return query < counts.queries && key < counts.keys && (!causal || key <= query);
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Of the rows of a thread: the largest score, and the sum of exp(score - largest). */
template <int OWN> struct row_sums {
    float largest[(size_t)OWN], sum[(size_t)OWN];
};

/* Scores in shared memory to exp(score - largest), and `to` to what it is with the new largest. */
template <int D, int ROWS>
static __device__ void weigh_rows(shared_tile<ROWS> &tile, row_sums<ROWS / SIDE> &sums,
                                  float (&to)[(size_t)(ROWS / SIDE)][(size_t)(D / SIDE)])
{
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    for (int r = 0; r < ROWS / SIDE; r++) {
        float largest = sums.largest[r];
        for (int k = 0; k < COLUMNS; k++)
            largest = fmaxf(largest, tile.scores[i + r * SIDE][k]);
        float factor = largest == -INFINITY ? 1 : expf(sums.largest[r] - largest);
        for (int c = 0; c < OWN_COLUMNS; c++) {
            float score = tile.scores[i + r * SIDE][j + c * SIDE];
            tile.gradients[i + r * SIDE][j + c * SIDE] =
                score == -INFINITY ? 0 : expf(score - largest);
        }
        for (int c = 0; c < D / SIDE; c++)
            to[r][c] *= factor;
        sums.largest[r] = largest;
        sums.sum[r] *= factor;
    }
    __syncthreads();
    for (int r = 0; r < ROWS / SIDE; r++)
        for (int k = 0; k < COLUMNS; k++)
            sums.sum[r] += tile.gradients[i + r * SIDE][k];
}

template <class T, int D, int ROWS>
__global__ static void attend(const T *q_map, const T *k_map, const T *v_map, T *y_map,
                              float *log_sums, vdnn_attention_shape s, const int32_t *lengths,
                              int64_t tiles)
{
    VDNN_SHARED(shared_tile<ROWS>, tile, );
    attention_place at = place_of(tiles, s.heads, ROWS);
    vdnn_attention_counts counts = counts_of(s, lengths, at.sample);
    auto q = vectors_of(q_map, s.q, at.sample, at.head);
    auto k = vectors_of(k_map, s.k, at.sample, at.head / s.group);
    auto v = vectors_of(v_map, s.v, at.sample, at.head / s.group);
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    float y[(size_t)(ROWS / SIDE)][(size_t)(D / SIDE)] = {};
    row_sums<ROWS / SIDE> sums = {};
    for (int r = 0; r < ROWS / SIDE; r++)
        sums.largest[r] = -INFINITY;
    int64_t end = s.causal && at.row + ROWS < counts.keys ? at.row + ROWS : counts.keys;
    for (int64_t key = 0; key < end; key += COLUMNS) {
        float scores[(size_t)(ROWS / SIDE)][OWN_COLUMNS];
        multiply<D>(tile, q, at.row, counts.queries, k, key, counts.keys, scores);
        for (int r = 0; r < ROWS / SIDE; r++)
            for (int c = 0; c < OWN_COLUMNS; c++)
                tile.scores[i + r * SIDE][j + c * SIDE] =
                    attends(counts, s.causal, at.row + i + r * SIDE, key + j + c * SIDE)
                        ? s.scale * scores[r][c]
                        : -INFINITY;
        __syncthreads();
        weigh_rows<D>(tile, sums, y);
        add_columns<D>(tile, tile.gradients, v, key, counts.keys, y);
    }
    float *own = log_sums + (at.sample * s.heads + at.head) * s.queries;
    for (int r = 0; r < ROWS / SIDE; r++) {
        int64_t query = at.row + i + r * SIDE;
        for (int c = 0; c < D / SIDE; c++)
            y[r][c] = sums.sum[r] == 0 ? 0 : y[r][c] / sums.sum[r];
        if (j == 0 && query < s.queries)
            own[query] = sums.sum[r] == 0 ? 0 : sums.largest[r] + logf(sums.sum[r]);
    }
    write_rows<D, ROWS>(vectors_of(y_map, s.y, at.sample, at.head), at.row, s.queries, 1, y);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* What backward knows of each query: the logarithm of its sum, and the sum of its dy * y. */
struct query_numbers {
    const float *log_sums;
    float *deltas;
};

template <class T>
__global__ static void sum_deltas(const T *y_map, const T *dy_map, float *deltas,
                                  vdnn_attention_shape s)
{
    int64_t i = vdnn_cuda_index(), query = i % s.queries, head = i / s.queries;
    if (head >= s.samples * s.heads)
        return;
    auto y = vectors_of(y_map, s.y, head / s.heads, head % s.heads);
    auto dy = vectors_of(dy_map, s.y, head / s.heads, head % s.heads);
    float sum = 0;
    for (int64_t c = 0; c < s.width; c++)
        sum += y.read(query, s.queries, c) * dy.read(query, s.queries, c);
    deltas[i] = sum;
}

/* Of one query and one key from the products q k and dy v: P, and the gradient of the score. */
static __device__ __forceinline__ void differentiate(const vdnn_attention_shape &s,
                                                     const vdnn_attention_counts &counts,
                                                     const query_numbers &numbers, int64_t query,
                                                     int64_t key, float *score, float *gradient)
{
    if (!attends(counts, s.causal, query, key)) {
        *score = *gradient = 0;
        return;
    }
    *score = expf(s.scale * *score - numbers.log_sums[query]);
    *gradient = *score * (*gradient - numbers.deltas[query]);
}

static __device__ query_numbers numbers_of(query_numbers all, const vdnn_attention_shape &s,
                                           int64_t sample, int64_t head)
{
    int64_t first = (sample * s.heads + head) * s.queries;
    return {all.log_sums + first, all.deltas + first};
}

template <class T, int D, int ROWS>
__global__ static void
differentiate_q(const T *q_map, const T *k_map, const T *v_map, const T *dy_map, T *dq_map,
                query_numbers all, vdnn_attention_shape s, const int32_t *lengths, int64_t tiles)
{
    VDNN_SHARED(shared_tile<ROWS>, tile, );
    attention_place at = place_of(tiles, s.heads, ROWS);
    vdnn_attention_counts counts = counts_of(s, lengths, at.sample);
    auto q = vectors_of(q_map, s.q, at.sample, at.head);
    auto dy = vectors_of(dy_map, s.y, at.sample, at.head);
    auto k = vectors_of(k_map, s.k, at.sample, at.head / s.group);
    auto v = vectors_of(v_map, s.v, at.sample, at.head / s.group);
    query_numbers numbers = numbers_of(all, s, at.sample, at.head);
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    float dq[(size_t)(ROWS / SIDE)][(size_t)(D / SIDE)] = {};
    int64_t end = s.causal && at.row + ROWS < counts.keys ? at.row + ROWS : counts.keys;
    for (int64_t key = 0; key < end; key += COLUMNS) {
        float scores[(size_t)(ROWS / SIDE)][OWN_COLUMNS],
            gradients[(size_t)(ROWS / SIDE)][OWN_COLUMNS];
        multiply<D>(tile, q, at.row, counts.queries, k, key, counts.keys, scores);
        multiply<D>(tile, dy, at.row, counts.queries, v, key, counts.keys, gradients);
        for (int r = 0; r < ROWS / SIDE; r++)
            for (int c = 0; c < OWN_COLUMNS; c++) {
                differentiate(s, counts, numbers, at.row + i + r * SIDE, key + j + c * SIDE,
                              &scores[r][c], &gradients[r][c]);
                tile.gradients[i + r * SIDE][j + c * SIDE] = gradients[r][c];
            }
        add_columns<D>(tile, tile.gradients, k, key, counts.keys, dq);
    }
    write_rows<D, ROWS>(vectors_of(dq_map, s.q, at.sample, at.head), at.row, s.queries, s.scale,
                        dq);
}

/* dk and dv; NULL: not that one. */
template <class T, int D, int ROWS>
__global__ static void differentiate_kv(const T *q_map, const T *k_map, const T *v_map,
                                        const T *dy_map, T *dk_map, T *dv_map, query_numbers all,
                                        vdnn_attention_shape s, const int32_t *lengths,
                                        int64_t tiles)
{
    VDNN_SHARED(shared_tile<ROWS>, tile, );
    attention_place at = place_of(tiles, s.kv_heads, ROWS);
    vdnn_attention_counts counts = counts_of(s, lengths, at.sample);
    auto k = vectors_of(k_map, s.k, at.sample, at.head);
    auto v = vectors_of(v_map, s.v, at.sample, at.head);
    int i = (int)threadIdx.x / SIDE, j = (int)threadIdx.x % SIDE;
    float dk[(size_t)(ROWS / SIDE)][(size_t)(D / SIDE)] = {},
                                                 dv[(size_t)(ROWS / SIDE)][(size_t)(D / SIDE)] = {};
    int64_t first = s.causal ? at.row / COLUMNS * COLUMNS : 0;
    for (int64_t head = at.head * s.group; head < (at.head + 1) * s.group; head++) {
        auto q = vectors_of(q_map, s.q, at.sample, head);
        auto dy = vectors_of(dy_map, s.y, at.sample, head);
        query_numbers numbers = numbers_of(all, s, at.sample, head);
        for (int64_t query = first; query < counts.queries; query += COLUMNS) {
            float scores[(size_t)(ROWS / SIDE)][OWN_COLUMNS],
                gradients[(size_t)(ROWS / SIDE)][OWN_COLUMNS];
            multiply<D>(tile, k, at.row, counts.keys, q, query, counts.queries, scores);
            multiply<D>(tile, v, at.row, counts.keys, dy, query, counts.queries, gradients);
            for (int r = 0; r < ROWS / SIDE; r++)
                for (int c = 0; c < OWN_COLUMNS; c++) {
                    differentiate(s, counts, numbers, query + j + c * SIDE, at.row + i + r * SIDE,
                                  &scores[r][c], &gradients[r][c]);
                    tile.scores[i + r * SIDE][j + c * SIDE] = scores[r][c];
                    tile.gradients[i + r * SIDE][j + c * SIDE] = gradients[r][c];
                }
            add_columns<D>(tile, tile.scores, dy, query, counts.queries, dv);
            add_columns<D>(tile, tile.gradients, q, query, counts.queries, dk);
        }
    }
    if (dk_map != nullptr)
        write_rows<D, ROWS>(vectors_of(dk_map, s.k, at.sample, at.head), at.row, s.keys, s.scale,
                            dk);
    if (dv_map != nullptr)
        write_rows<D, ROWS>(vectors_of(dv_map, s.v, at.sample, at.head), at.row, s.keys, 1, dv);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Rows of a tile: fewer of wide heads, whose sums fill the registers. */
template <int D> constexpr int rows_of_tile()
{
    return D <= 64 ? 64 : 32;
}

static const int32_t *lengths_of(const vdnn_attention_shape &s, const vdnn_kernel_args *args)
{
    return s.lengths < 0 ? nullptr : static_cast<const int32_t *>(args->x[s.lengths]);
}

static int64_t tiles_of(int64_t positions, int rows)
{
    return (positions + rows - 1) / rows;
}

template <class T, int D>
static void launch_forward(const vdnn_attention_shape &s, const vdnn_kernel_args *args)
{
    constexpr int ROWS = rows_of_tile<D>();
    int64_t tiles = tiles_of(s.queries, ROWS);
    VDNN_LAUNCH((attend<T, D, ROWS>), (unsigned)(s.samples * s.heads * tiles), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const T *>(args->x[s.q.input]),
                static_cast<const T *>(args->x[s.k.input]),
                static_cast<const T *>(args->x[s.v.input]), static_cast<T *>(args->y),
                static_cast<float *>(args->aux), s, lengths_of(s, args), tiles);
}

template <class T, int D>
static void launch_backward(const vdnn_attention_shape &s, const vdnn_kernel_args *args)
{
    constexpr int ROWS = rows_of_tile<D>();
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const T *q = static_cast<const T *>(args->x[s.q.input]),
            *k = static_cast<const T *>(args->x[s.k.input]),
            *v = static_cast<const T *>(args->x[s.v.input]), *dy = static_cast<const T *>(args->dy);
    T *dq = static_cast<T *>(args->dx[s.q.input]), *dk = static_cast<T *>(args->dx[s.k.input]),
      *dv = static_cast<T *>(args->dx[s.v.input]);
    query_numbers numbers = {static_cast<const float *>(args->aux),
                             static_cast<float *>(args->workspace)};
    int64_t rows = s.samples * s.heads * s.queries;
    int64_t of_q = tiles_of(s.queries, ROWS), of_k = tiles_of(s.keys, ROWS);
    VDNN_LAUNCH(sum_deltas<T>, vdnn_cuda_blocks(rows), VDNN_CUDA_THREADS, stream,
                static_cast<const T *>(args->y), dy, numbers.deltas, s);
    if (dq != nullptr)
        VDNN_LAUNCH((differentiate_q<T, D, ROWS>), (unsigned)(s.samples * s.heads * of_q),
                    VDNN_CUDA_THREADS, stream, q, k, v, dy, dq, numbers, s, lengths_of(s, args),
                    of_q);
    if (dk != nullptr || dv != nullptr)
        VDNN_LAUNCH((differentiate_kv<T, D, ROWS>), (unsigned)(s.samples * s.kv_heads * of_k),
                    VDNN_CUDA_THREADS, stream, q, k, v, dy, dk, dv, numbers, s, lengths_of(s, args),
                    of_k);
}

template <class T, int D>
static vdnn_status run_width(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_attention_shape s = vdnn_attention_shape_of(kernel->layer);
    if (kernel->pass == VDNN_FORWARD) {
        launch_forward<T, D>(s, args);
        return vdnn_cuda_launched("attention forward");
    }
    launch_backward<T, D>(s, args);
    return vdnn_cuda_launched("attention backward");
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    static const struct {
        int64_t width;
        vdnn_status (*run)(const vdnn_kernel *, const vdnn_kernel_args *);
    } widths[] = {{32, run_width<T, 32>},
                  {64, run_width<T, 64>},
                  {128, run_width<T, 128>},
                  {MOST_WIDTH, run_width<T, MOST_WIDTH>}};
    int64_t width = vdnn_attention_shape_of(kernel->layer).width;
    for (const auto &row : widths)
        if (width <= row.width)
            return row.run(kernel, args);
    return vdnn_status_fail(VDNN_USAGE, "a head of %lld features", (long long)width);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

/* Backward: the sum of each query's dy * y. */
static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = kernel->pass == VDNN_FORWARD ? 0 : kernel->layer->aux_bytes;
    return VDNN_OK;
}

/* Of lengths, which are the last input, nothing else can be asked. */
static const char *refusal(const vdnn_kernel *kernel)
{
    vdnn_attention_shape s = vdnn_attention_shape_of(kernel->layer);
    const vdnn_layer *layer = kernel->layer;
    const char *why = vdnn_cuda_type_refusal(layer->y.dtype);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (i != s.lengths && !(vdnn_cuda_has_form(&layer->x[i]) && vdnn_cuda_is_plain(layer)))
            why = "a map is not f32, tf32 or bf16 in nchw";
    if (why == nullptr && s.width > MOST_WIDTH)
        why = "a head has more than 256 features";
    if (why == nullptr &&
        s.samples * s.heads * (s.queries > s.keys ? s.queries : s.keys) > INT32_MAX)
        why = "the heads of the batch have more than 2^31 positions";
    return why;
}

const vdnn_algorithm vdnn_attention_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("attention", "native", VDNN_CUDA_DATA_PASSES, refusal, run, workspace),
    VDNN_CUDA_DATA_PASSES);
