#include "layers/attention/cpu_rows.h"
#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/cpu/small_product.h"
#include "layers/cpu/threads.h"
#include "layers/cpu/tile.h"

#include <math.h>

/* Blocks of queries by blocks of keys, whose scores are never in memory as a whole.
 *
 *     forward    an item is some blocks of queries of a head. For each block of keys: S = q k^T,
 *                P = exp(S - the row's largest so far), y = y * factor + P v; at the end y / sum.
 *     backward   P = exp(S - log_sum) and dS = P * (dy v^T - delta), delta the sum of a row of
 *                dy * y; then dv += P^T dy, dk += dS^T q, dq += dS k. An item is a head of k and v,
 *                with all heads of q that read it; or, where those are few, a block of its keys for
 *                dk and dv, and after them blocks of queries for dq, which compute P and dS again.
 *
 * Every sum is added up block by block in the order of the positions (of dk and dv: of the heads,
 * then of the queries), however the items are cut, so its bits depend on no number of threads.
 *
 *     a thread's workspace   | part 0 | part 1 | ... |    of `parts_of`, each from a multiple of 64
 *                                                         bytes on
 */

enum {
    QUERIES = 64,
    KEYS = 128,      /* a multiple of QUERIES: of a causal block each row has a key */
    MOST_BLOCKS = 4, /* of queries, for which forward reads a block of keys once */
    LINES = VDNN_CPU_TILE_LINES
};

/* Matrices of a thread. Rows of q, y, k, ... are vectors, padded; those of *_TURNED features, those
 * of P and S queries, both KEYS apart. Q, Y and SUMS are of all blocks of an item of forward. */
typedef enum matrix {
    Q,
    Y,
    DY,
    K,
    KEYS_TURNED,
    V,
    VALUES_TURNED,
    P,
    S,
    DQ,
    DK,
    DV,
    SUMS,
    DELTAS,
    PARTS
} matrix;

typedef struct attention_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    vdnn_attention_shape s;
    int64_t row;     /* elements of a vector, padded */
    int64_t blocks;  /* of queries, in an item of forward */
    bool is_divided; /* backward: into items for dk and dv, and others for dq */
    int64_t sizes[PARTS], member_floats;
} attention_job;

/* A block of queries and one of keys of a head. */
typedef struct pair {
    int64_t sample, head, query, queries, key, keys;
} pair;

typedef struct range {
    int64_t first, count;
} range;

static range block_of(int64_t block, int64_t size, int64_t all)
{
    return (range){block * size, vdnn_count_min(size, all - block * size)};
}

/* What of it is below `end`. */
static range within(range of, int64_t end)
{
    return (range){of.first, vdnn_count_clamp(end - of.first, 0, of.count)};
}

/* ---- workspace ------------------------------------------------------------------------------- */

static bool is_backward(const vdnn_kernel *kernel)
{
    return kernel->pass == VDNN_BACKWARD_DATA;
}

static int64_t heads_of_batch(const vdnn_attention_shape *s)
{
    return s->samples * s->heads;
}

/* As many blocks that all threads have some items. */
static int64_t blocks_of_item(const vdnn_attention_shape *s, int threads)
{
    enum { ITEMS_A_THREAD = 4 };
    int64_t blocks = MOST_BLOCKS;
    while (blocks > 1 && heads_of_batch(s) * vdnn_count_pieces(s->queries, blocks * QUERIES) <
                             (int64_t)ITEMS_A_THREAD * threads)
        blocks /= 2;
    return blocks;
}

/* Divided, seven products are computed instead of five, by all threads. */
static bool is_faster_divided(const vdnn_attention_shape *s, int threads)
{
    enum { WHOLE = 5, DIVIDED = 7 };
    int64_t items = s->samples * s->kv_heads;
    double rounds = (double)vdnn_count_pieces(items, threads);
    double divided = (double)items * (double)vdnn_count_pieces(s->keys, KEYS) / threads;
    return rounds * (double)vdnn_count_pieces(s->keys, KEYS) * WHOLE > ceil(divided) * DIVIDED;
}

static void measure_parts(attention_job *job)
{
    const vdnn_attention_shape *s = &job->s;
    int64_t row = job->row, queries = QUERIES * (is_backward(job->kernel) ? 1 : job->blocks);
    int64_t all_queries = job->is_divided ? QUERIES : s->queries;
    int64_t all_keys = job->is_divided ? KEYS : s->keys;
    const int64_t both[PARTS] = {[Q] = queries * row,
                                 [Y] = queries * row,
                                 [KEYS_TURNED] = row * KEYS,
                                 [P] = (int64_t)QUERIES * KEYS};
    const int64_t forward[PARTS] = {
        [K] = LINES * row,
        [V] = KEYS * row,
        [SUMS] = queries * (int64_t)(sizeof(vdnn_attention_sums) / sizeof(float))};
    const int64_t backward[PARTS] = {[DY] = queries * row,
                                     [K] = KEYS * row,
                                     [V] = LINES * row,
                                     [VALUES_TURNED] = row * KEYS,
                                     [S] = (int64_t)QUERIES * KEYS,
                                     [DQ] = all_queries * row,
                                     [DK] = all_keys * row,
                                     [DV] = all_keys * row,
                                     [DELTAS] = queries};
    const int64_t *rest = is_backward(job->kernel) ? backward : forward;
    job->member_floats = 0;
    for (int i = 0; i < PARTS; i++) {
        job->sizes[i] = vdnn_attention_padded(both[i] + rest[i]);
        job->member_floats += job->sizes[i];
    }
}

static attention_job job_of(const vdnn_kernel *kernel)
{
    vdnn_attention_shape s = vdnn_attention_shape_of(kernel->layer);
    attention_job job = {.kernel = kernel,
                         .s = s,
                         .row = vdnn_attention_padded(s.width),
                         .blocks = blocks_of_item(&s, kernel->threads),
                         .is_divided = is_faster_divided(&s, kernel->threads)};
    measure_parts(&job);
    return job;
}

static void parts_of(const attention_job *job, int member, float *parts[PARTS])
{
    float *at = (float *)job->args->workspace + member * job->member_floats;
    for (int i = 0; i < PARTS; at += job->sizes[i], i++)
        parts[i] = at;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    attention_job job = job_of(kernel);
    *bytes = (size_t)kernel->threads * (size_t)job.member_floats * sizeof(float);
    return VDNN_OK;
}

/* ---- both passes ----------------------------------------------------------------------------- */

static vdnn_attention_vectors vectors_of(const attention_job *job, const vdnn_attention_part *part,
                                         void *map, int64_t sample, int64_t head)
{
    return vdnn_attention_vectors_of(part, job->kernel->layer->y.dtype, map, sample, head);
}

static vdnn_attention_vectors inputs_of(const attention_job *job, const vdnn_attention_part *part,
                                        int64_t sample, int64_t head)
{
    return vectors_of(job, part, job->args->x[part->input], sample, head);
}

/* Rows from `query` on of aux. */
static float *log_sums_of(const attention_job *job, int64_t sample, int64_t head, int64_t query)
{
    const vdnn_attention_shape *s = &job->s;
    return (float *)job->args->aux + (sample * s->heads + head) * s->queries + query;
}

/* LINES rows, the last of them zeros where there are fewer, to columns of `to`. */
static void turn_lines(float *lines, int64_t count, int64_t row, float *to)
{
    if (count < LINES)
        memset(lines + count * row, 0, (size_t)((LINES - count) * row) * sizeof *lines);
    vdnn_cpu_tile_transpose(lines, row, row, to, KEYS);
}

/* Vectors as columns of `turned`, zeros up to a multiple of LINES, and, where `rows` has place for
 * more than LINES, as its rows. */
static void read_turned(const attention_job *job, const vdnn_attention_vectors *from, range keys,
                        float *rows, bool keeps_rows, float *turned)
{
    for (int64_t i = 0; i < keys.count; i += LINES) {
        int64_t count = vdnn_count_min(LINES, keys.count - i);
        float *lines = rows + (keeps_rows ? i * job->row : 0);
        vdnn_attention_read(from, keys.first + i, count, 1, lines, job->row);
        turn_lines(lines, count, job->row, turned + i);
    }
}

/* Scores, or gradients of P: `left` are vectors of the queries, `turned` those of the keys. */
static void multiply_turned(const attention_job *job, const pair *at, const float *left,
                            const float *turned, float *to)
{
    vdnn_cpu_small_product_compute(
        &(vdnn_cpu_small_product){.rows = at->queries,
                                  .columns = vdnn_attention_padded(at->keys),
                                  .depth = job->s.width,
                                  .a = left,
                                  .a_row = job->row,
                                  .a_step = 1,
                                  .b = turned,
                                  .b_row = KEYS,
                                  .c = to,
                                  .c_row = KEYS});
}

/* to += scores * vectors of the keys. */
static void add_keys(const attention_job *job, const pair *at, const float *scores,
                     const float *vectors, float *to)
{
    vdnn_cpu_small_product_compute(&(vdnn_cpu_small_product){.rows = at->queries,
                                                             .columns = job->row,
                                                             .depth = at->keys,
                                                             .a = scores,
                                                             .a_row = KEYS,
                                                             .a_step = 1,
                                                             .b = vectors,
                                                             .b_row = job->row,
                                                             .c = to,
                                                             .c_row = job->row,
                                                             .adds = true});
}

/* to += scores^T * vectors of the queries. */
static void add_queries(const attention_job *job, const pair *at, const float *scores,
                        const float *vectors, float *to)
{
    vdnn_cpu_small_product_compute(&(vdnn_cpu_small_product){.rows = at->keys,
                                                             .columns = job->row,
                                                             .depth = at->queries,
                                                             .a = scores,
                                                             .a_row = 1,
                                                             .a_step = KEYS,
                                                             .b = vectors,
                                                             .b_row = job->row,
                                                             .c = to,
                                                             .c_row = job->row,
                                                             .adds = true});
}

static void clear_rows(const attention_job *job, float *rows, int64_t count)
{
    memset(rows, 0, (size_t)(count * job->row) * sizeof *rows);
}

/* False where no query of the pair attends to any of the keys; else without the keys to which none
 * does. */
static bool trim(const attention_job *job, pair *at)
{
    if (job->s.causal)
        at->keys = vdnn_count_min(at->keys, at->query + at->queries - at->key);
    return at->keys > 0;
}

/* Keys of the pair to which query `i` of it attends. */
static int64_t keys_of(const attention_job *job, const pair *at, int64_t i)
{
    return job->s.causal ? vdnn_count_clamp(at->query + i + 1 - at->key, 0, at->keys) : at->keys;
}

static vdnn_attention_counts counts_of(const attention_job *job, int64_t sample)
{
    return vdnn_attention_counts_at(&job->s, job->args, sample);
}

/* ---- forward --------------------------------------------------------------------------------- */

static void add_pair(const attention_job *job, const pair *at, const float *q, float *y,
                     vdnn_attention_sums *sums, float *parts[PARTS])
{
    multiply_turned(job, at, q, parts[KEYS_TURNED], parts[P]);
    for (int64_t i = 0; i < at->queries; i++) {
        float factor = vdnn_attention_weigh(parts[P] + i * KEYS, keys_of(job, at, i),
                                            vdnn_attention_padded(at->keys), &sums[i]);
        if (factor != 1)
            vdnn_attention_scale(y + i * job->row, factor, job->row);
    }
    add_keys(job, at, parts[P], parts[V], y);
}

/* A row that no key counts for is 0. */
static void finish_rows(const attention_job *job, int64_t sample, int64_t head, range queries,
                        float *parts[PARTS])
{
    const vdnn_attention_sums *sums = (const vdnn_attention_sums *)(const void *)parts[SUMS];
    vdnn_attention_vectors y = vectors_of(job, &job->s.y, job->args->y, sample, head);
    float *log_sums = log_sums_of(job, sample, head, queries.first);
    for (int64_t i = 0; i < queries.count; i++) {
        const bool has_none = sums[i].sum == 0;
        vdnn_attention_write(&y, queries.first + i, 1, has_none ? 0 : 1 / sums[i].sum,
                             parts[Y] + i * job->row, job->row);
        log_sums[i] = has_none ? 0 : sums[i].largest + logf(sums[i].sum);
    }
}

static void forward_item(void *argument, int64_t item, int member)
{
    const attention_job *job = argument;
    const vdnn_attention_shape *s = &job->s;
    const int64_t chunk = job->blocks * QUERIES, chunks = vdnn_count_pieces(s->queries, chunk);
    const int64_t sample = item / chunks / s->heads, head = item / chunks % s->heads;
    const range rows = block_of(item % chunks, chunk, s->queries);
    const vdnn_attention_counts counts = counts_of(job, sample);
    const range queries = within(rows, counts.queries);
    float *parts[PARTS];
    parts_of(job, member, parts);
    vdnn_attention_sums *sums = (vdnn_attention_sums *)(void *)parts[SUMS];
    const vdnn_attention_vectors q = inputs_of(job, &s->q, sample, head),
                                 k = inputs_of(job, &s->k, sample, head / s->group),
                                 v = inputs_of(job, &s->v, sample, head / s->group);
    vdnn_attention_read(&q, queries.first, queries.count, s->scale, parts[Q], job->row);
    clear_rows(job, parts[Y], rows.count);
    for (int64_t i = 0; i < rows.count; i++)
        sums[i] = (vdnn_attention_sums){.largest = -INFINITY};
    int64_t end =
        s->causal ? vdnn_count_min(queries.first + queries.count, counts.keys) : counts.keys;
    for (int64_t key = 0; key < end; key += KEYS) {
        const range keys = block_of(key / KEYS, KEYS, counts.keys);
        read_turned(job, &k, keys, parts[K], false, parts[KEYS_TURNED]);
        vdnn_attention_read(&v, keys.first, keys.count, 1, parts[V], job->row);
        for (int64_t i = 0; i < queries.count; i += QUERIES) {
            const range block = block_of(i / QUERIES, QUERIES, queries.count);
            pair at = {sample,      head,       queries.first + block.first,
                       block.count, keys.first, keys.count};
            if (trim(job, &at))
                add_pair(job, &at, parts[Q] + i * job->row, parts[Y] + i * job->row, sums + i,
                         parts);
        }
    }
    finish_rows(job, sample, head, rows, parts);
}

static void run_forward(attention_job *job)
{
    int64_t chunks = vdnn_count_pieces(job->s.queries, job->blocks * QUERIES);
    vdnn_cpu_threads_loop(job->kernel->threads, heads_of_batch(&job->s) * chunks, forward_item,
                          job);
}

/* ---- backward -------------------------------------------------------------------------------- */

static void read_keys(const attention_job *job, int64_t sample, int64_t head, range keys,
                      float *parts[PARTS])
{
    const vdnn_attention_vectors k = inputs_of(job, &job->s.k, sample, head / job->s.group),
                                 v = inputs_of(job, &job->s.v, sample, head / job->s.group);
    read_turned(job, &k, keys, parts[K], true, parts[KEYS_TURNED]);
    read_turned(job, &v, keys, parts[V], false, parts[VALUES_TURNED]);
}

static void read_queries(const attention_job *job, int64_t sample, int64_t head, range queries,
                         float *parts[PARTS])
{
    const vdnn_attention_shape *s = &job->s;
    const vdnn_attention_vectors q = inputs_of(job, &s->q, sample, head),
                                 y = vectors_of(job, &s->y, job->args->y, sample, head),
                                 dy = vectors_of(job, &s->y, job->args->dy, sample, head);
    vdnn_attention_read(&q, queries.first, queries.count, s->scale, parts[Q], job->row);
    vdnn_attention_read(&y, queries.first, queries.count, 1, parts[Y], job->row);
    vdnn_attention_read(&dy, queries.first, queries.count, 1, parts[DY], job->row);
    for (int64_t i = 0; i < queries.count; i++)
        parts[DELTAS][i] =
            vdnn_attention_dot(parts[DY] + i * job->row, parts[Y] + i * job->row, job->row);
}

/* P and dS of a pair, its queries and keys being read. */
static void differentiate(const attention_job *job, const pair *at, float *parts[PARTS])
{
    const float *log_sums = log_sums_of(job, at->sample, at->head, at->query);
    multiply_turned(job, at, parts[Q], parts[KEYS_TURNED], parts[P]);
    multiply_turned(job, at, parts[DY], parts[VALUES_TURNED], parts[S]);
    for (int64_t i = 0; i < at->queries; i++)
        vdnn_attention_unweigh(parts[P] + i * KEYS, parts[S] + i * KEYS, keys_of(job, at, i),
                               vdnn_attention_padded(at->keys), log_sums[i], parts[DELTAS][i]);
}

/* A block of keys with all queries of a head, to dk, dv and dq, from their first row on; NULL: not
 * to dq. */
static void backward_keys(const attention_job *job, int64_t sample, int64_t head, range keys,
                          float *dk, float *dv, float *dq, float *parts[PARTS])
{
    const vdnn_attention_shape *s = &job->s;
    read_keys(job, sample, head, keys, parts);
    int64_t first = s->causal ? keys.first / QUERIES : 0, end = counts_of(job, sample).queries;
    for (int64_t i = first; i < vdnn_count_pieces(end, QUERIES); i++) {
        const range queries = block_of(i, QUERIES, end);
        pair at = {sample, head, queries.first, queries.count, keys.first, keys.count};
        if (!trim(job, &at))
            continue;
        read_queries(job, sample, head, queries, parts);
        differentiate(job, &at, parts);
        add_queries(job, &at, parts[P], parts[DY], dv);
        add_queries(job, &at, parts[S], parts[Q], dk);
        if (dq != NULL)
            add_keys(job, &at, parts[S], parts[K], dq + queries.first * job->row);
    }
}

/* Rows of a gradient, if it is required. */
static void write_gradient(const attention_job *job, const vdnn_attention_part *part,
                           int64_t sample, int64_t head, range positions, float scale,
                           const float *rows)
{
    void *map = job->args->dx[part->input];
    if (map == NULL)
        return;
    vdnn_attention_vectors to = vectors_of(job, part, map, sample, head);
    vdnn_attention_write(&to, positions.first, positions.count, scale, rows, job->row);
}

/* A head of k and v, with all that depends on it. */
static void backward_head(void *argument, int64_t item, int member)
{
    const attention_job *job = argument;
    const vdnn_attention_shape *s = &job->s;
    const int64_t sample = item / s->kv_heads, kv_head = item % s->kv_heads;
    const range all_queries = {0, s->queries}, all_keys = {0, s->keys};
    const int64_t end = counts_of(job, sample).keys;
    float *parts[PARTS];
    parts_of(job, member, parts);
    clear_rows(job, parts[DK], s->keys);
    clear_rows(job, parts[DV], s->keys);
    for (int64_t head = kv_head * s->group; head < (kv_head + 1) * s->group; head++) {
        clear_rows(job, parts[DQ], s->queries);
        for (int64_t key = 0; key < end; key += KEYS)
            backward_keys(job, sample, head, block_of(key / KEYS, KEYS, end),
                          parts[DK] + key * job->row, parts[DV] + key * job->row, parts[DQ], parts);
        write_gradient(job, &s->q, sample, head, all_queries, s->scale, parts[DQ]);
    }
    write_gradient(job, &s->k, sample, kv_head, all_keys, 1, parts[DK]);
    write_gradient(job, &s->v, sample, kv_head, all_keys, 1, parts[DV]);
}

static void backward_block_of_keys(void *argument, int64_t item, int member)
{
    const attention_job *job = argument;
    const vdnn_attention_shape *s = &job->s;
    const int64_t blocks = vdnn_count_pieces(s->keys, KEYS);
    const int64_t sample = item / blocks / s->kv_heads, kv_head = item / blocks % s->kv_heads;
    const range rows = block_of(item % blocks, KEYS, s->keys);
    const range keys = within(rows, counts_of(job, sample).keys);
    float *parts[PARTS];
    parts_of(job, member, parts);
    clear_rows(job, parts[DK], rows.count);
    clear_rows(job, parts[DV], rows.count);
    for (int64_t head = kv_head * s->group; head < (kv_head + 1) * s->group && keys.count > 0;
         head++)
        backward_keys(job, sample, head, keys, parts[DK], parts[DV], NULL, parts);
    write_gradient(job, &s->k, sample, kv_head, rows, 1, parts[DK]);
    write_gradient(job, &s->v, sample, kv_head, rows, 1, parts[DV]);
}

static void backward_block_of_queries(void *argument, int64_t item, int member)
{
    const attention_job *job = argument;
    const vdnn_attention_shape *s = &job->s;
    const int64_t blocks = vdnn_count_pieces(s->queries, QUERIES);
    const int64_t sample = item / blocks / s->heads, head = item / blocks % s->heads;
    const range rows = block_of(item % blocks, QUERIES, s->queries);
    const vdnn_attention_counts counts = counts_of(job, sample);
    const range queries = within(rows, counts.queries);
    float *parts[PARTS];
    parts_of(job, member, parts);
    clear_rows(job, parts[DQ], rows.count);
    read_queries(job, sample, head, queries, parts);
    for (int64_t key = 0; key < counts.keys && queries.count > 0; key += KEYS) {
        const range keys = block_of(key / KEYS, KEYS, counts.keys);
        pair at = {sample, head, queries.first, queries.count, keys.first, keys.count};
        if (!trim(job, &at))
            break;
        read_keys(job, sample, head, keys, parts);
        differentiate(job, &at, parts);
        add_keys(job, &at, parts[S], parts[K], parts[DQ]);
    }
    write_gradient(job, &s->q, sample, head, rows, s->scale, parts[DQ]);
}

static void run_backward(attention_job *job)
{
    const vdnn_attention_shape *s = &job->s;
    const int64_t kv_heads = s->samples * s->kv_heads;
    const int threads = job->kernel->threads;
    if (!job->is_divided) {
        vdnn_cpu_threads_loop(threads, kv_heads, backward_head, job);
        return;
    }
    vdnn_cpu_threads_loop(threads, kv_heads * vdnn_count_pieces(s->keys, KEYS),
                          backward_block_of_keys, job);
    vdnn_cpu_threads_loop(threads, heads_of_batch(s) * vdnn_count_pieces(s->queries, QUERIES),
                          backward_block_of_queries, job);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    attention_job job = job_of(kernel);
    job.args = args;
    VDNN_TRY(vdnn_attention_check_lengths(&job.s, kernel->layer, args));
    if (is_backward(kernel))
        run_backward(&job);
    else
        run_forward(&job);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_attention_tiled = {
    .layer_type = "attention",
    .name = "tiled",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_attention_cpu_refusal,
    .workspace = workspace,
    .run = run,
};
