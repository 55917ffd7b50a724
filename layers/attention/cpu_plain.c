#include "layers/attention/cpu_rows.h"
#include "layers/cpu/native.h"
#include "layers/cpu/product.h"
#include "layers/cpu/threads.h"

#include <math.h>

/* All scores of a head at once, by products of the library on one thread: an item is a head of
 * forward, and in backward a head of k and v with all heads of q that read it, in their order.
 *
 *     a thread's workspace   | part 0 | part 1 | ... |    of `parts_of`
 */

/* Matrices of a thread: rows are vectors, padded, and of P and S the scores of a query. */
typedef enum matrix { Q, K, V, Y, P, DY, S, DQ, DK, DV, PARTS } matrix;

typedef struct attention_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    vdnn_attention_shape s;
    int64_t row, score_row; /* elements from a vector to the next, from a row of scores */
    int64_t sizes[PARTS], member_floats;
    vdnn_status *status; /* of each thread, the first that failed */
} attention_job;

/* A head of q in a sample, and what counts of it. */
typedef struct head_place {
    int64_t sample, head;
    vdnn_attention_counts counts;
} head_place;

static attention_job job_of(const vdnn_kernel *kernel)
{
    const vdnn_attention_shape s = vdnn_attention_shape_of(kernel->layer);
    const bool is_backward = kernel->pass == VDNN_BACKWARD_DATA;
    attention_job job = {.kernel = kernel,
                         .s = s,
                         .row = vdnn_attention_padded(s.width),
                         .score_row = vdnn_attention_padded(s.keys)};
    const int64_t queries = s.queries * job.row, keys = s.keys * job.row,
                  scores = s.queries * job.score_row;
    const int64_t sizes[PARTS] = {
        [Q] = queries,  [K] = keys,   [V] = keys,     [Y] = queries, [P] = scores,
        [DY] = queries, [S] = scores, [DQ] = queries, [DK] = keys,   [DV] = keys};
    for (int i = 0; i < PARTS; i++) {
        job.sizes[i] = is_backward || i <= P ? sizes[i] : 0;
        job.member_floats += job.sizes[i];
    }
    return job;
}

/* Behind the threads' matrices their statuses. */
static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const attention_job job = job_of(kernel);
    *bytes =
        (size_t)kernel->threads * ((size_t)job.member_floats * sizeof(float) + sizeof(vdnn_status));
    return VDNN_OK;
}

static void parts_of(const attention_job *job, int member, float *parts[PARTS])
{
    float *at = (float *)job->args->workspace + member * job->member_floats;
    for (int i = 0; i < PARTS; at += job->sizes[i], i++)
        parts[i] = at;
}

static vdnn_attention_vectors vectors_of(const attention_job *job, const vdnn_attention_part *part,
                                         void *map, int64_t sample, int64_t head)
{
    return vdnn_attention_vectors_of(part, job->kernel->layer->y.dtype, map, sample, head);
}

/* The first `count` vectors of a head. */
static void read_head(const attention_job *job, const vdnn_attention_part *part, void *map,
                      const head_place *at, int64_t head, int64_t count, float scale, float *to)
{
    const vdnn_attention_vectors from = vectors_of(job, part, map, at->sample, head);
    vdnn_attention_read(&from, 0, count, scale, to, job->row);
}

/* Vectors of all positions, of which those that do not count are 0. */
static void write_head(const attention_job *job, const vdnn_attention_part *part, void *map,
                       int64_t sample, int64_t head, float scale, float *from, int64_t count)
{
    if (map == NULL)
        return;
    const vdnn_attention_vectors to = vectors_of(job, part, map, sample, head);
    const int64_t rest = part->positions - count;
    memset(from + count * job->row, 0, (size_t)(rest * job->row) * sizeof *from);
    vdnn_attention_write(&to, 0, part->positions, scale, from, job->row);
}

static void read_inputs(const attention_job *job, const head_place *at, float *parts[PARTS])
{
    const vdnn_attention_shape *s = &job->s;
    void *const *x = job->args->x;
    const int64_t kv_head = at->head / s->group;
    read_head(job, &s->q, x[s->q.input], at, at->head, at->counts.queries, s->scale, parts[Q]);
    read_head(job, &s->k, x[s->k.input], at, kv_head, at->counts.keys, 1, parts[K]);
    read_head(job, &s->v, x[s->v.input], at, kv_head, at->counts.keys, 1, parts[V]);
}

/* Scores of the queries: left right^T. */
static vdnn_status multiply_turned(const attention_job *job, const head_place *at,
                                   const float *left, const float *right, float *to)
{
    return vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = at->counts.queries,
                                                        .columns = at->counts.keys,
                                                        .depth = job->s.width,
                                                        .a = left,
                                                        .a_row = job->row,
                                                        .b = right,
                                                        .b_row = job->row,
                                                        .b_turned = true,
                                                        .c = to,
                                                        .c_row = job->score_row});
}

/* Vectors: scores times those of the keys, or, turned, plus those of the queries. */
static vdnn_status multiply_scores(const attention_job *job, const head_place *at,
                                   const float *scores, bool is_turned, const float *vectors,
                                   float *to)
{
    const vdnn_attention_counts c = at->counts;
    return vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = is_turned ? c.keys : c.queries,
                                                        .columns = job->row,
                                                        .depth = is_turned ? c.queries : c.keys,
                                                        .a = scores,
                                                        .a_row = job->score_row,
                                                        .a_turned = is_turned,
                                                        .b = vectors,
                                                        .b_row = job->row,
                                                        .c = to,
                                                        .c_row = job->row,
                                                        .beta = is_turned ? 1 : 0});
}

static int64_t keys_of(const attention_job *job, const head_place *at, int64_t query)
{
    return job->s.causal && query + 1 < at->counts.keys ? query + 1 : at->counts.keys;
}

static float *log_sums_of(const attention_job *job, const head_place *at)
{
    const vdnn_attention_shape *s = &job->s;
    return (float *)job->args->aux + (at->sample * s->heads + at->head) * s->queries;
}

/* ---- forward --------------------------------------------------------------------------------- */

static vdnn_status forward_head(const attention_job *job, const head_place *at, float *parts[PARTS])
{
    float *log_sums = log_sums_of(job, at);
    memset(log_sums, 0, (size_t)job->s.queries * sizeof *log_sums);
    if (at->counts.keys > 0) {
        read_inputs(job, at, parts);
        VDNN_TRY(multiply_turned(job, at, parts[Q], parts[K], parts[P]));
        for (int64_t i = 0; i < at->counts.queries; i++) {
            float *scores = parts[P] + i * job->score_row;
            vdnn_attention_sums sums = {.largest = -INFINITY};
            (void)vdnn_attention_weigh(scores, keys_of(job, at, i), job->score_row, &sums);
            vdnn_attention_scale(scores, 1 / sums.sum, at->counts.keys);
            log_sums[i] = sums.largest + logf(sums.sum);
        }
        VDNN_TRY(multiply_scores(job, at, parts[P], false, parts[V], parts[Y]));
    }
    write_head(job, &job->s.y, job->args->y, at->sample, at->head, 1, parts[Y], at->counts.queries);
    return VDNN_OK;
}

static void forward_item(void *argument, int64_t item, int member)
{
    const attention_job *job = argument;
    float *parts[PARTS];
    parts_of(job, member, parts);
    const int64_t sample = item / job->s.heads;
    const head_place at = {sample, item % job->s.heads,
                           vdnn_attention_counts_at(&job->s, job->args, sample)};
    const int before = vdnn_cpu_threads_begin(1);
    VDNN_IF_OK(job->status[member], forward_head(job, &at, parts));
    vdnn_cpu_threads_end(before);
}

/* ---- backward -------------------------------------------------------------------------------- */

static void differentiate(const attention_job *job, const head_place *at, float *parts[PARTS])
{
    const float *log_sums = log_sums_of(job, at);
    for (int64_t i = 0; i < at->counts.queries; i++) {
        const float delta =
            vdnn_attention_dot(parts[DY] + i * job->row, parts[Y] + i * job->row, job->row);
        vdnn_attention_unweigh(parts[P] + i * job->score_row, parts[S] + i * job->score_row,
                               keys_of(job, at, i), job->score_row, log_sums[i], delta);
    }
}

/* Its part in dk and dv, and dq. */
static vdnn_status backward_head(const attention_job *job, const head_place *at,
                                 float *parts[PARTS])
{
    const vdnn_attention_shape *s = &job->s;
    const int64_t queries = at->counts.queries;
    if (at->counts.keys > 0) {
        read_inputs(job, at, parts);
        read_head(job, &s->y, job->args->y, at, at->head, queries, 1, parts[Y]);
        read_head(job, &s->y, job->args->dy, at, at->head, queries, 1, parts[DY]);
        VDNN_TRY(multiply_turned(job, at, parts[Q], parts[K], parts[P]));
        VDNN_TRY(multiply_turned(job, at, parts[DY], parts[V], parts[S]));
        differentiate(job, at, parts);
        VDNN_TRY(multiply_scores(job, at, parts[P], true, parts[DY], parts[DV]));
        VDNN_TRY(multiply_scores(job, at, parts[S], true, parts[Q], parts[DK]));
        VDNN_TRY(multiply_scores(job, at, parts[S], false, parts[K], parts[DQ]));
    }
    write_head(job, &s->q, job->args->dx[s->q.input], at->sample, at->head, s->scale, parts[DQ],
               queries);
    return VDNN_OK;
}

static void backward_item(void *argument, int64_t item, int member)
{
    const attention_job *job = argument;
    const vdnn_attention_shape *s = &job->s;
    const int64_t sample = item / s->kv_heads, kv_head = item % s->kv_heads;
    head_place at = {.sample = sample, .counts = vdnn_attention_counts_at(s, job->args, sample)};
    float *parts[PARTS];
    parts_of(job, member, parts);
    memset(parts[DK], 0, (size_t)job->sizes[DK] * sizeof(float));
    memset(parts[DV], 0, (size_t)job->sizes[DV] * sizeof(float));
    const int before = vdnn_cpu_threads_begin(1);
    for (at.head = kv_head * s->group; at.head < (kv_head + 1) * s->group; at.head++)
        VDNN_IF_OK(job->status[member], backward_head(job, &at, parts));
    vdnn_cpu_threads_end(before);
    write_head(job, &s->k, job->args->dx[s->k.input], sample, kv_head, 1, parts[DK], s->keys);
    write_head(job, &s->v, job->args->dx[s->v.input], sample, kv_head, 1, parts[DV], s->keys);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const bool is_forward = kernel->pass == VDNN_FORWARD;
    attention_job job = job_of(kernel);
    job.args = args;
    VDNN_TRY(vdnn_attention_check_lengths(&job.s, kernel->layer, args));
    job.status =
        (vdnn_status *)(void *)((float *)args->workspace + kernel->threads * job.member_floats);
    for (int i = 0; i < kernel->threads; i++)
        job.status[i] = VDNN_OK;
    vdnn_cpu_threads_loop(kernel->threads,
                          job.s.samples * (is_forward ? job.s.heads : job.s.kv_heads),
                          is_forward ? forward_item : backward_item, &job);
    for (int i = 0; i < kernel->threads; i++)
        if (job.status[i] != VDNN_OK)
            return vdnn_status_fail(job.status[i],
                                    "attention layer '%s': the library refused a product",
                                    kernel->layer->name);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_attention_plain = {
    .layer_type = "attention",
    .name = "plain",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_attention_cpu_refusal,
    .workspace = workspace,
    .run = run,
};
