#include "layers/attention/additive_attention.h"
#include "layers/attention/cpu_rows.h"
#include "layers/count.h"
#include "layers/cpu/math.h"
#include "layers/cpu/small_product.h"
#include "layers/cpu/threads.h"

#include <math.h>

/* With t = tanh(q_i + k_j + bias), which is in registers alone:
 *
 *     forward     items are some queries of a sample: S, its softmax, and y = P v
 *     backward    items are some queries of a sample: dS = P (dP - sum of P dP), dP = dy v^T
 *                 items are some features of q and k of a sample: of all queries and keys
 *                     dq_i += dS u (1 - t^2),  dk_j += dS u (1 - t^2),  du += dS t
 *                 items are some features of v of a sample: dv = P^T dy
 *                 the samples' du and dbias, which is the sum of all dq, one after the other
 *
 * So no item adds to what another does, and bits depend on no number of threads. Features are in
 * strips that all positions have one after the other, which keeps them in the caches.
 *
 *     workspace   | u | bias | dS | of each sample du and dbias | a thread's parts | ... |
 */

enum {
    QUERIES = 16, /* of an item */
    KEYS = 32,    /* that are read at once */
    STRIP = 64,   /* features of an item */
    LANES = VDNN_NATIVE_LANES
};

typedef struct additive_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    vdnn_attention_shape s;
    int64_t row, v_row, score_row; /* elements of a vector, of v, of the scores, padded */
    float *direction, *bias;       /* of the row; u, and the bias */
    float *gradients;              /* dS, (N, Tq, score_row) */
    float *sums;                   /* (N, 2, row); NULL: without dw */
    float *members;
    int64_t member_floats, used;
} additive_job;

/* ---- workspace ------------------------------------------------------------------------------- */

static bool is_forward(const additive_job *job)
{
    return job->kernel->pass == VDNN_FORWARD;
}

static float *take(additive_job *job, int64_t floats)
{
    float *taken = job->args == NULL ? NULL : (float *)job->args->workspace + job->used;
    job->used += vdnn_attention_padded(floats);
    return taken;
}

static int64_t floats_of_member(const additive_job *job)
{
    const vdnn_attention_shape *s = &job->s;
    int64_t block = job->score_row * QUERIES + (QUERIES + KEYS) * job->row;
    int64_t strips = STRIP * (QUERIES + s->keys);
    if (is_forward(job))
        return block + strips;
    block = (QUERIES + KEYS) * job->v_row;
    strips = 2 * STRIP * (s->queries + s->keys + 1);
    return vdnn_count_max(block, strips);
}

/* Without args only its size is found. */
static additive_job job_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(kernel->layer);
    additive_job job = {.kernel = kernel,
                        .args = args,
                        .s = s,
                        .row = vdnn_count_pieces(s.width, STRIP) * STRIP,
                        .v_row = vdnn_attention_padded(s.v.width),
                        .score_row = vdnn_attention_padded(s.keys)};
    job.direction = take(&job, job.row);
    job.bias = take(&job, job.row);
    if (!is_forward(&job))
        job.gradients = take(&job, s.samples * s.queries * job.score_row);
    if (vdnn_layer_writes_dw(kernel->layer, kernel->pass))
        job.sums = take(&job, s.samples * 2 * job.row);
    job.member_floats = vdnn_attention_padded(floats_of_member(&job));
    job.members = take(&job, kernel->threads * job.member_floats);
    return job;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = (size_t)job_of(kernel, NULL).used * sizeof(float);
    return VDNN_OK;
}

/* ---- both passes ----------------------------------------------------------------------------- */

static float *param_of(const additive_job *job, void *block, int param)
{
    return (float *)(void *)((char *)block + job->kernel->layer->params[param].offset);
}

static double squares_of(const float *weight, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (double)weight[i] * (double)weight[i];
    return sum;
}

static void read_params(const additive_job *job)
{
    const float *weight = param_of(job, job->args->w, VDNN_ADDITIVE_WEIGHT);
    const float *bias = param_of(job, job->args->w, VDNN_ADDITIVE_BIAS);
    double scale = (double)*param_of(job, job->args->w, VDNN_ADDITIVE_SCALE);
    double factor = scale / sqrt(squares_of(weight, job->s.width));
    memset(job->direction, 0, (size_t)job->row * sizeof(float));
    memset(job->bias, 0, (size_t)job->row * sizeof(float));
    for (int64_t c = 0; c < job->s.width; c++) {
        job->direction[c] = (float)(factor * (double)weight[c]);
        job->bias[c] = bias[c];
    }
}

static vdnn_attention_vectors vectors_of(const additive_job *job, const vdnn_attention_part *part,
                                         void *map, int64_t sample)
{
    return vdnn_attention_vectors_of(part, job->kernel->layer->y.dtype, map, sample, 0);
}

/* The features of a strip, as vectors. */
static vdnn_attention_vectors strip_of(const additive_job *job, const vdnn_attention_part *part,
                                       void *map, int64_t sample, int64_t first)
{
    vdnn_attention_part strip = *part;
    strip.first += first;
    strip.width = vdnn_count_min(STRIP, part->width - first);
    return vectors_of(job, &strip, map, sample);
}

static void read_strip(const additive_job *job, const vdnn_attention_part *part, void *map,
                       int64_t sample, int64_t first, int64_t count, float *to)
{
    const vdnn_attention_vectors from = strip_of(job, part, map, sample, first);
    vdnn_attention_read(&from, 0, count, 1, to, STRIP);
}

/* The gradient's strip of the first positions, and zeros after them; NULL: it is not required. */
static void write_strip(const additive_job *job, const vdnn_attention_part *part, int64_t sample,
                        int64_t first, int64_t count, float *from)
{
    void *map = job->args->dx == NULL ? NULL : job->args->dx[part->input];
    if (map == NULL)
        return;
    const vdnn_attention_vectors to = strip_of(job, part, map, sample, first);
    memset(from + count * STRIP, 0, (size_t)((part->positions - count) * STRIP) * sizeof *from);
    vdnn_attention_write(&to, 0, part->positions, 1, from, STRIP);
}

/* P of a query. */
static float *probabilities_of(const additive_job *job, int64_t sample, int64_t query)
{
    return (float *)job->args->aux + (sample * job->s.queries + query) * job->s.keys;
}

VDNN_CPU_CLONES static void add_to_rows(float *rows, const float *values, int64_t count,
                                        int64_t row)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < row; c++)
            rows[i * row + c] += values[c];
}

/* ---- forward --------------------------------------------------------------------------------- */

VDNN_CPU_CLONES static float score_of(const float *q, const float *k, const float *direction,
                                      int64_t count)
{
    float lanes[LANES] = {0};
    for (int64_t i = 0; i < count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += direction[i + lane] * vdnn_math_tanh(q[i + lane] + k[i + lane]);
    return vdnn_attention_sum(lanes);
}

static void compute_scores(const additive_job *job, int64_t sample, int64_t query, int64_t queries,
                           int64_t keys, float *scores)
{
    float *q = scores + QUERIES * job->score_row, *k = q + QUERIES * job->row;
    void *const *x = job->args->x;
    const vdnn_attention_vectors from = vectors_of(job, &job->s.q, x[job->s.q.input], sample),
                                 of_keys = vectors_of(job, &job->s.k, x[job->s.k.input], sample);
    vdnn_attention_read(&from, query, queries, 1, q, job->row);
    add_to_rows(q, job->bias, queries, job->row);
    for (int64_t first = 0; first < keys; first += KEYS) {
        int64_t count = vdnn_count_min(KEYS, keys - first);
        vdnn_attention_read(&of_keys, first, count, 1, k, job->row);
        for (int64_t i = 0; i < queries; i++)
            for (int64_t j = 0; j < count; j++)
                scores[i * job->score_row + first + j] =
                    score_of(q + i * job->row, k + j * job->row, job->direction, job->row);
    }
}

/* The scores become P, which is in aux too. */
static void normalize(const additive_job *job, int64_t sample, int64_t query, int64_t queries,
                      int64_t keys, float *scores)
{
    for (int64_t i = 0; i < queries; i++) {
        float *row = scores + i * job->score_row, *p = probabilities_of(job, sample, query + i);
        vdnn_attention_sums sums = {.largest = -INFINITY};
        if (keys > 0) {
            (void)vdnn_attention_weigh(row, keys, keys, &sums);
            vdnn_attention_scale(row, 1 / sums.sum, keys);
        }
        memcpy(p, row, (size_t)keys * sizeof *p);
        memset(p + keys, 0, (size_t)(job->s.keys - keys) * sizeof *p);
    }
}

static void multiply_values(const additive_job *job, int64_t sample, int64_t query, int64_t queries,
                            int64_t keys, float *scores)
{
    float *y = scores + QUERIES * job->score_row + (QUERIES + KEYS) * job->row;
    float *v = y + QUERIES * STRIP;
    for (int64_t first = 0; first < job->s.v.width; first += STRIP) {
        read_strip(job, &job->s.v, job->args->x[job->s.v.input], sample, first, keys, v);
        vdnn_cpu_small_product_compute(&(vdnn_cpu_small_product){.rows = queries,
                                                                 .columns = STRIP,
                                                                 .depth = keys,
                                                                 .a = scores,
                                                                 .a_row = job->score_row,
                                                                 .a_step = 1,
                                                                 .b = v,
                                                                 .b_row = STRIP,
                                                                 .c = y,
                                                                 .c_row = STRIP});
        const vdnn_attention_vectors to = strip_of(job, &job->s.y, job->args->y, sample, first);
        vdnn_attention_write(&to, query, queries, 1, y, STRIP);
    }
}

static void forward_item(void *argument, int64_t item, int member)
{
    const additive_job *job = argument;
    const int64_t blocks = vdnn_count_pieces(job->s.queries, QUERIES);
    const int64_t sample = item / blocks, query = item % blocks * QUERIES;
    const int64_t queries = vdnn_count_min(QUERIES, job->s.queries - query);
    const int64_t keys = vdnn_attention_counts_at(&job->s, job->args, sample).keys;
    float *scores = job->members + member * job->member_floats;
    compute_scores(job, sample, query, queries, keys, scores);
    normalize(job, sample, query, queries, keys, scores);
    multiply_values(job, sample, query, queries, keys, scores);
}

/* ---- backward -------------------------------------------------------------------------------- */

static float *gradients_of(const additive_job *job, int64_t sample, int64_t query)
{
    return job->gradients + (sample * job->s.queries + query) * job->score_row;
}

/* A row of dP becomes that of dS. */
static void differentiate(const float *p, float *row, int64_t keys)
{
    float delta = 0;
    for (int64_t j = 0; j < keys; j++)
        delta += p[j] * row[j];
    for (int64_t j = 0; j < keys; j++)
        row[j] = p[j] * (row[j] - delta);
}

static void scores_item(void *argument, int64_t item, int member)
{
    const additive_job *job = argument;
    const int64_t blocks = vdnn_count_pieces(job->s.queries, QUERIES);
    const int64_t sample = item / blocks, query = item % blocks * QUERIES;
    const int64_t queries = vdnn_count_min(QUERIES, job->s.queries - query);
    const int64_t keys = vdnn_attention_counts_at(&job->s, job->args, sample).keys;
    float *dy = job->members + member * job->member_floats, *v = dy + QUERIES * job->v_row;
    const vdnn_attention_vectors of_dy = vectors_of(job, &job->s.y, job->args->dy, sample),
                                 of_v = vectors_of(job, &job->s.v, job->args->x[job->s.v.input],
                                                   sample);
    vdnn_attention_read(&of_dy, query, queries, 1, dy, job->v_row);
    for (int64_t first = 0; first < keys; first += KEYS) {
        int64_t count = vdnn_count_min(KEYS, keys - first);
        vdnn_attention_read(&of_v, first, count, 1, v, job->v_row);
        for (int64_t i = 0; i < queries; i++)
            for (int64_t j = 0; j < count; j++)
                gradients_of(job, sample, query + i)[first + j] =
                    vdnn_attention_dot(dy + i * job->v_row, v + j * job->v_row, job->v_row);
    }
    for (int64_t i = 0; i < queries; i++)
        differentiate(probabilities_of(job, sample, query + i),
                      gradients_of(job, sample, query + i), keys);
}

/* A strip of a query, and of all keys; the gradients are those of what tanh is of, without u. */
typedef struct strip {
    const float *q, *k;
    float *dq, *dk, *du;
} strip;

VDNN_CPU_CLONES static void add_query(const strip *of, const float *restrict ds, int64_t keys)
{
    const float *restrict q = of->q;
    float *restrict dq = of->dq, *restrict du = of->du;
    for (int64_t j = 0; j < keys; j++) {
        const float *restrict k = of->k + j * STRIP;
        float *restrict dk = of->dk + j * STRIP;
#pragma omp simd
        for (int c = 0; c < STRIP; c++) {
            float t = vdnn_math_tanh(q[c] + k[c]);
            float scaled = ds[j] * t, d = ds[j] - scaled * t;
            du[c] += scaled;
            dq[c] += d;
            dk[c] += d;
        }
    }
}

VDNN_CPU_CLONES static void scale_rows(float *rows, const float *direction, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < STRIP; c++)
            rows[i * STRIP + c] *= direction[c];
}

VDNN_CPU_CLONES static void sum_rows(const float *rows, int64_t count, float *sum)
{
    for (int64_t c = 0; c < STRIP; c++)
        sum[c] = 0;
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < STRIP; c++)
            sum[c] += rows[i * STRIP + c];
}

static void features_item(void *argument, int64_t item, int member)
{
    const additive_job *job = argument;
    const vdnn_attention_shape *s = &job->s;
    const int64_t strips = job->row / STRIP, sample = item / strips, first = item % strips * STRIP;
    const vdnn_attention_counts counts = vdnn_attention_counts_at(s, job->args, sample);
    float *q = job->members + member * job->member_floats, *k = q + s->queries * STRIP;
    float *dq = k + s->keys * STRIP, *dk = dq + s->queries * STRIP, *du = dk + s->keys * STRIP;
    read_strip(job, &s->q, job->args->x[s->q.input], sample, first, counts.queries, q);
    read_strip(job, &s->k, job->args->x[s->k.input], sample, first, counts.keys, k);
    add_to_rows(q, job->bias + first, counts.queries, STRIP);
    memset(dq, 0, (size_t)(s->queries * STRIP) * sizeof *dq);
    memset(dk, 0, (size_t)(s->keys * STRIP) * sizeof *dk);
    memset(du, 0, STRIP * sizeof *du);
    for (int64_t i = 0; i < counts.queries; i++)
        add_query(&(strip){q + i * STRIP, k, dq + i * STRIP, dk, du}, gradients_of(job, sample, i),
                  counts.keys);
    scale_rows(dq, job->direction + first, counts.queries);
    scale_rows(dk, job->direction + first, counts.keys);
    if (job->sums != NULL) {
        float *sums = job->sums + sample * 2 * job->row + first;
        memcpy(sums, du, STRIP * sizeof *sums);
        sum_rows(dq, counts.queries, sums + job->row);
    }
    write_strip(job, &s->q, sample, first, counts.queries, dq);
    write_strip(job, &s->k, sample, first, counts.keys, dk);
}

static void values_item(void *argument, int64_t item, int member)
{
    const additive_job *job = argument;
    const vdnn_attention_shape *s = &job->s;
    const int64_t strips = vdnn_count_pieces(s->v.width, STRIP);
    const int64_t sample = item / strips, first = item % strips * STRIP;
    const vdnn_attention_counts counts = vdnn_attention_counts_at(s, job->args, sample);
    float *dy = job->members + member * job->member_floats, *dv = dy + s->queries * STRIP;
    read_strip(job, &s->y, job->args->dy, sample, first, counts.queries, dy);
    vdnn_cpu_small_product_compute(&(vdnn_cpu_small_product){.rows = counts.keys,
                                                             .columns = STRIP,
                                                             .depth = counts.queries,
                                                             .a = probabilities_of(job, sample, 0),
                                                             .a_row = 1,
                                                             .a_step = s->keys,
                                                             .b = dy,
                                                             .b_row = STRIP,
                                                             .c = dv,
                                                             .c_row = STRIP});
    write_strip(job, &s->v, sample, first, counts.keys, dv);
}

/* With n = weight / |weight|: dscale = n . du, dweight = scale / |weight| (du - n (n . du)). */
static void finish_dw(const additive_job *job)
{
    const int64_t width = job->s.width;
    const float *w = param_of(job, job->args->w, VDNN_ADDITIVE_WEIGHT);
    const double scale = (double)*param_of(job, job->args->w, VDNN_ADDITIVE_SCALE);
    const double norm = sqrt(squares_of(w, width));
    float *weight = param_of(job, job->args->dw, VDNN_ADDITIVE_WEIGHT);
    float *bias = param_of(job, job->args->dw, VDNN_ADDITIVE_BIAS);
    double along = 0;
    for (int64_t n = 1; n < job->s.samples; n++)
        add_to_rows(job->sums, job->sums + n * 2 * job->row, 1, 2 * job->row);
    for (int64_t c = 0; c < width; c++)
        along += (double)w[c] * (double)job->sums[c] / norm;
    for (int64_t c = 0; c < width; c++) {
        weight[c] = (float)(scale / norm * ((double)job->sums[c] - (double)w[c] / norm * along));
        bias[c] = job->sums[job->row + c];
    }
    *param_of(job, job->args->dw, VDNN_ADDITIVE_SCALE) = (float)along;
}

static void run_backward(additive_job *job)
{
    const vdnn_attention_shape *s = &job->s;
    const int threads = job->kernel->threads;
    vdnn_cpu_threads_loop(threads, s->samples * vdnn_count_pieces(s->queries, QUERIES), scores_item,
                          job);
    vdnn_cpu_threads_loop(threads, s->samples * (job->row / STRIP), features_item, job);
    if (job->args->dx != NULL && job->args->dx[s->v.input] != NULL)
        vdnn_cpu_threads_loop(threads, s->samples * vdnn_count_pieces(s->v.width, STRIP),
                              values_item, job);
    if (job->sums != NULL)
        finish_dw(job);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    additive_job job = job_of(kernel, args);
    VDNN_TRY(vdnn_attention_check_lengths(&job.s, kernel->layer, args));
    read_params(&job);
    if (is_forward(&job))
        vdnn_cpu_threads_loop(kernel->threads,
                              job.s.samples * vdnn_count_pieces(job.s.queries, QUERIES),
                              forward_item, &job);
    else
        run_backward(&job);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_additive_attention_native = {
    .layer_type = "additive_attention",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_attention_cpu_refusal,
    .workspace = workspace,
    .run = run,
};
