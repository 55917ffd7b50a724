#include "layers/count.h"
#include "layers/cpu/math.h"
#include "layers/cpu/native.h"
#include "layers/cpu/product.h"
#include "layers/cpu/threads.h"
#include "layers/loss/mean.h"
#include "layers/loss/sampled_softmax.h"
#include "layers/stage.h"

#include <float.h>
#include <math.h>

/* Some rows at a time, so that no pass has the scores of all in memory:
 *
 *     forward     scores = x weights^T, of the candidates' weights, one after the other; the
 * label's backward    the same scores, as gradients; dx = gradients weights; gradients^T x, which
 * is added up and at the end written to the rows of dw; to those of the labels theirs evaluation
 * scores of the classes, some at a time; of each row what is known of all before
 *
 *     workspace   | rows' numbers | candidates | table | less log Q | weights | x | scores |
 *                 | backward: dx | gradients of weights, of biases |
 *
 * The table finds candidates by their class: the first place from its hash on that is free or has
 * it. */

enum {
    LANES = VDNN_NATIVE_LANES,
    ROWS = 256,   /* whose scores are in memory */
    LEAST = 4096, /* classes whose scores are computed at once in an evaluation */
    LINE = 16,    /* elements; columns are divided at multiples of them */
    FREE = -1     /* a place of the table */
};

/* A row: in training its label's score, log Q off, and that score's gradient; in an evaluation the
 * largest scores before and after the label's, and the sum of exp(score - the largest). */
typedef struct sampled_row {
    double sum, loss;
    float label, gradient, before, after, largest;
    int32_t is_right;
} sampled_row;

typedef struct sampled_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    vdnn_sampled_shape s;
    const int32_t *labels;
    int64_t counted; /* rows whose label is not ignored */
    int64_t draws, places, columns;
    sampled_row *rows;
    int32_t *classes, *table; /* of the candidates; a place has the number of one, or FREE */
    float *offsets;           /* biases less log Q */
    float *weights, *x, *scores, *dx, *dweights, *dbiases;
    size_t used;
} sampled_job;

/* ---- workspace ------------------------------------------------------------------------------- */

static void *take(sampled_job *job, int64_t count, size_t element)
{
    enum { ALIGNMENT = 64 };
    void *taken = job->args == NULL ? NULL : (char *)job->args->workspace + job->used;
    job->used += ((size_t)count * element + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return taken;
}

static float *take_floats(sampled_job *job, int64_t count)
{
    return take(job, count, sizeof(float));
}

/* Without args only its size is found. */
static sampled_job job_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_sampled_shape s = vdnn_sampled_shape_of(kernel->layer);
    const bool is_forward = kernel->pass == VDNN_FORWARD;
    const int64_t rows = vdnn_count_min(s.rows, ROWS);
    sampled_job job = {.kernel = kernel, .args = args, .s = s, .places = 4};
    while (job.places < 2 * s.samples)
        job.places *= 2;
    job.columns = vdnn_count_max(s.samples, is_forward ? vdnn_count_min(LEAST, s.classes) : 0);
    job.columns = vdnn_count_pieces(job.columns, LANES) * LANES;
    job.rows = take(&job, s.rows, sizeof *job.rows);
    job.classes = take(&job, s.samples, sizeof *job.classes);
    job.table = take(&job, job.places, sizeof *job.table);
    job.offsets = take_floats(&job, s.samples);
    job.weights = take_floats(&job, s.samples * s.width);
    job.x = take_floats(&job, rows * s.width);
    job.scores = take_floats(&job, rows * job.columns);
    if (is_forward)
        return job;
    job.dx = take_floats(&job, rows * s.width);
    job.dweights = take_floats(&job, s.samples * s.width);
    job.dbiases = take_floats(&job, s.samples);
    return job;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = job_of(kernel, NULL).used;
    return VDNN_OK;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Where a class is, or would be. */
static int64_t place_of(const sampled_job *job, int32_t class)
{
    int64_t place = (int64_t)((uint32_t) class * 2654435761U) & (job->places - 1);
    while (job->table[place] != FREE && job->classes[job->table[place]] != class)
        place = (place + 1) & (job->places - 1);
    return place;
}

static void draw_candidates(sampled_job *job)
{
    const vdnn_sampled_draws draws = vdnn_sampled_draws_of(job->kernel->layer, job->args);
    uint32_t words[4] = {0};
    int32_t found = 0;
    for (int64_t place = 0; place < job->places; place++)
        job->table[place] = FREE;
    for (job->draws = 0; found < job->s.samples; job->draws++) {
        if (job->draws % 4 == 0)
            vdnn_sampled_words(&draws, job->draws / 4, words);
        int32_t class = vdnn_sampled_class(words[job->draws % 4], job->s.log_range);
        int64_t place = place_of(job, class);
        if (job->table[place] != FREE)
            continue;
        job->classes[found] = class;
        job->table[place] = found++;
    }
}

static const float *weight_of(const sampled_job *job, int64_t class)
{
    return (const float *)job->args->w + class * job->s.width;
}

/* The score of a class is its product plus this. */
static float offset_of(const sampled_job *job, int64_t class)
{
    const float *biases = (const float *)job->args->w + job->s.bias;
    return biases[class] - vdnn_sampled_log_share(class, job->draws, job->s.log_range);
}

static void gather(const sampled_job *job)
{
    const size_t bytes = (size_t)job->s.width * sizeof(float);
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t i = 0; i < job->s.samples; i++) {
        memcpy(job->weights + i * job->s.width, weight_of(job, job->classes[i]), bytes);
        job->offsets[i] = offset_of(job, job->classes[i]);
    }
}

/* ---- rows of scores -------------------------------------------------------------------------- */

VDNN_CPU_CLONES static void add_to(float *restrict row, const float *restrict values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        row[i] += values[i];
}

VDNN_CPU_CLONES static void add_times(float *restrict row, float factor,
                                      const float *restrict values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        row[i] += factor * values[i];
}

VDNN_CPU_CLONES static float largest_of(const float *scores, int64_t count)
{
    float lanes[LANES], largest = -INFINITY;
    int64_t i = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = -INFINITY;
    for (; i + LANES <= count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] = scores[i + lane] > lanes[lane] ? scores[i + lane] : lanes[lane];
    for (int lane = 0; lane < LANES; lane++)
        largest = lanes[lane] > largest ? lanes[lane] : largest;
    for (; i < count; i++)
        largest = scores[i] > largest ? scores[i] : largest;
    return largest;
}

/* scores become exp(score - less); returns their sum. */
VDNN_CPU_CLONES static double exponentials(float *scores, float less, int64_t count)
{
    double lanes[LANES] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            scores[i + lane] = vdnn_math_exp(scores[i + lane] - less);
            lanes[lane] += (double)scores[i + lane];
        }
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    for (; i < count; i++) {
        scores[i] = vdnn_math_exp(scores[i] - less);
        sum += (double)scores[i];
    }
    return sum;
}

VDNN_CPU_CLONES static void scale(float *row, float by, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        row[i] *= by;
}

/* In one order, whatever the processor's vectors are. */
VDNN_CPU_CLONES static float dot(const float *a, const float *b, int64_t count)
{
    double lanes[LANES] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    for (; i < count; i++)
        sum += (double)a[i] * (double)b[i];
    return (float)sum;
}

static bool counts(const sampled_job *job, int64_t i)
{
    return job->labels[i] != job->kernel->layer->ignored;
}

/* Rows of x as f32. */
static void read_rows(const sampled_job *job, int64_t first, int64_t count)
{
    const vdnn_dtype dtype = job->kernel->layer->x[0].dtype;
    const int64_t width = job->s.width;
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t i = 0; i < count; i++)
        vdnn_stage_widen(dtype, vdnn_native_const_at(dtype, job->args->x[0], (first + i) * width),
                         job->x + i * width, width);
}

/* scores = x weights^T, of `columns` weights. */
static vdnn_status multiply(const sampled_job *job, int64_t rows, const float *weights,
                            int64_t columns)
{
    return vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = rows,
                                                        .columns = columns,
                                                        .depth = job->s.width,
                                                        .a = job->x,
                                                        .a_row = job->s.width,
                                                        .b = weights,
                                                        .b_row = job->s.width,
                                                        .b_turned = true,
                                                        .c = job->scores,
                                                        .c_row = job->columns});
}

/* ---- training, forward ----------------------------------------------------------------------- */

/* The scores of row `first + i`, without its label among the candidates; and that of the label. */
static void finish_scores(const sampled_job *job, int64_t first, int64_t i)
{
    const int32_t label = job->labels[first + i];
    float *scores = job->scores + i * job->columns;
    const int64_t place = place_of(job, label);
    add_to(scores, job->offsets, job->s.samples);
    if (job->table[place] != FREE)
        scores[job->table[place]] = -INFINITY;
    job->rows[first + i].label =
        dot(weight_of(job, label), job->x + i * job->s.width, job->s.width) + offset_of(job, label);
}

static void train_row(const sampled_job *job, int64_t first, int64_t i)
{
    float *scores = job->scores + i * job->columns, *log_sum = (float *)job->args->aux + first + i;
    sampled_row *own = &job->rows[first + i];
    *own = (sampled_row){.sum = 0};
    *log_sum = 0;
    if (!counts(job, first + i))
        return;
    finish_scores(job, first, i);
    float most = largest_of(scores, job->s.samples);
    own->is_right = own->label >= most;
    most = own->is_right ? own->label : most;
    double sum =
        exponentials(scores, most, job->s.samples) + (double)vdnn_math_exp(own->label - most);
    double all = log(sum) + (double)most;
    *log_sum = (float)all;
    own->loss = all - (double)own->label;
}

static vdnn_status train_rows(const sampled_job *job, int64_t first, int64_t count)
{
    VDNN_TRY(multiply(job, count, job->weights, job->s.samples));
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t i = 0; i < count; i++)
        train_row(job, first, i);
    return VDNN_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* The scores of some classes. Of several that are the largest the first one is chosen. */
static void evaluate_row(const sampled_job *job, int64_t first, int64_t i, int64_t class,
                         int64_t classes)
{
    float *scores = job->scores + i * job->columns;
    const float *biases = (const float *)job->args->w + job->s.bias;
    sampled_row *own = &job->rows[first + i];
    if (!counts(job, first + i))
        return;
    add_to(scores, biases + class, classes);
    const int64_t label = job->labels[first + i] - class;
    const int64_t before = label < 0 ? 0 : vdnn_count_min(label, classes);
    const int64_t after = label < 0 ? 0 : vdnn_count_min(label + 1, classes);
    if (before < after)
        own->label = scores[before];
    const float least = own->largest;
    own->before = fmaxf(own->before, largest_of(scores, before));
    own->after = fmaxf(own->after, largest_of(scores + after, classes - after));
    own->largest = fmaxf(least, largest_of(scores, classes));
    own->sum = own->sum * exp((double)least - (double)own->largest) +
               exponentials(scores, own->largest, classes);
}

static vdnn_status evaluate_rows(const sampled_job *job, int64_t first, int64_t count)
{
    for (int64_t i = first; i < first + count; i++)
        job->rows[i] = (sampled_row){.before = -INFINITY, .after = -INFINITY, .largest = -FLT_MAX};
    for (int64_t class = 0; class < job->s.classes; class += job->columns) {
        const int64_t classes = vdnn_count_min(job->s.classes - class, job->columns);
        VDNN_TRY(multiply(job, count, weight_of(job, class), classes));
#pragma omp parallel for num_threads(job->kernel->threads)
        for (int64_t i = 0; i < count; i++)
            evaluate_row(job, first, i, class, classes);
    }
    for (int64_t i = first; i < first + count; i++) {
        sampled_row *own = &job->rows[i];
        own->loss = counts(job, i) ? log(own->sum) + (double)own->largest - (double)own->label : 0;
        own->is_right = counts(job, i) && own->label > own->before && own->label >= own->after;
    }
    return VDNN_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Scores become gradients of the step's loss. */
static void differentiate_row(const sampled_job *job, int64_t first, int64_t i, float by)
{
    float *scores = job->scores + i * job->columns;
    const float log_sum = ((const float *)job->args->aux)[first + i];
    sampled_row *own = &job->rows[first + i];
    *own = (sampled_row){.sum = 0};
    if (!counts(job, first + i)) {
        memset(scores, 0, (size_t)job->s.samples * sizeof *scores);
        return;
    }
    finish_scores(job, first, i);
    (void)exponentials(scores, log_sum, job->s.samples);
    scale(scores, 1 / by, job->s.samples);
    own->gradient = (vdnn_math_exp(own->label - log_sum) - 1) / by;
}

static void write_dx(const sampled_job *job, int64_t first, int64_t count)
{
    const vdnn_dtype dtype = job->kernel->layer->x[0].dtype;
    const int64_t width = job->s.width;
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t i = 0; i < count; i++) {
        float *dx = job->dx + i * width;
        if (counts(job, first + i))
            add_times(dx, job->rows[first + i].gradient, weight_of(job, job->labels[first + i]),
                      width);
        vdnn_stage_narrow(dtype, dx, vdnn_native_at(dtype, job->args->dx[0], (first + i) * width),
                          width);
    }
}

static vdnn_status multiply_dx(const sampled_job *job, int64_t first, int64_t count)
{
    VDNN_TRY(vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = count,
                                                          .columns = job->s.width,
                                                          .depth = job->s.samples,
                                                          .a = job->scores,
                                                          .a_row = job->columns,
                                                          .b = job->weights,
                                                          .b_row = job->s.width,
                                                          .c = job->dx,
                                                          .c_row = job->s.width}));
    write_dx(job, first, count);
    return VDNN_OK;
}

/* To the gradients of the candidates. */
static vdnn_status add_gradients(const sampled_job *job, int64_t first, int64_t count)
{
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t begin = 0; begin < job->s.samples; begin += ROWS) {
        const int64_t columns = vdnn_count_min(job->s.samples - begin, ROWS);
        if (first == 0)
            memset(job->dbiases + begin, 0, (size_t)columns * sizeof(float));
        for (int64_t i = 0; i < count; i++)
            add_to(job->dbiases + begin, job->scores + i * job->columns + begin, columns);
    }
    return vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = job->s.samples,
                                                        .columns = job->s.width,
                                                        .depth = count,
                                                        .a = job->scores,
                                                        .a_row = job->columns,
                                                        .a_turned = true,
                                                        .b = job->x,
                                                        .b_row = job->s.width,
                                                        .c = job->dweights,
                                                        .c_row = job->s.width,
                                                        .beta = first == 0 ? 0 : 1});
}

static vdnn_status backward_rows(const sampled_job *job, int64_t first, int64_t count)
{
    const float by = vdnn_loss_mean_of(vdnn_count_max(job->counted, 1), job->args->weight);
    VDNN_TRY(multiply(job, count, job->weights, job->s.samples));
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t i = 0; i < count; i++)
        differentiate_row(job, first, i, by);
    if (job->args->dx != NULL && job->args->dx[0] != NULL)
        VDNN_TRY(multiply_dx(job, first, count));
    return job->args->dw == NULL ? VDNN_OK : add_gradients(job, first, count);
}

/* Of some columns: to the rows of dw, the candidates' and then, in the order of the samples, the
 * labels'. */
static void scatter_columns(const sampled_job *job, int64_t begin, int64_t count)
{
    const vdnn_dtype dtype = job->kernel->layer->x[0].dtype;
    const int64_t width = job->s.width;
    float *dw = job->args->dw, buffer[ROWS];
    for (int64_t i = 0; i < job->s.samples; i++)
        memcpy(dw + job->classes[i] * width + begin, job->dweights + i * width + begin,
               (size_t)count * sizeof *dw);
    for (int64_t i = 0; i < job->s.rows; i++)
        for (int64_t at = begin; at < begin + count && counts(job, i); at += ROWS) {
            const int64_t own = vdnn_count_min(begin + count - at, ROWS);
            const vdnn_native_range range = {i * width + at, i * width + at + own};
            add_times(dw + job->labels[i] * width + at, job->rows[i].gradient,
                      vdnn_native_read(dtype, job->args->x[0], range, buffer), own);
        }
}

static void scatter(const sampled_job *job)
{
    float *dw = job->args->dw, *dbias = dw + job->s.bias;
    const int64_t all = job->s.bias + job->s.classes, threads = job->kernel->threads;
    const int64_t share = vdnn_count_pieces(job->s.width, threads),
                  piece = vdnn_count_pieces(share, LINE) * LINE;
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(all); block++) {
        const vdnn_native_range range = vdnn_native_block(block, all);
        memset(dw + range.begin, 0, (size_t)(range.end - range.begin) * sizeof *dw);
    }
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t begin = 0; begin < job->s.width; begin += piece)
        scatter_columns(job, begin, vdnn_count_min(piece, job->s.width - begin));
    for (int64_t i = 0; i < job->s.samples; i++)
        dbias[job->classes[i]] = job->dbiases[i];
    for (int64_t i = 0; i < job->s.rows; i++)
        if (counts(job, i))
            dbias[job->labels[i]] += job->rows[i].gradient;
}

/* ---- the row --------------------------------------------------------------------------------- */

static vdnn_status check_labels(sampled_job *job)
{
    const vdnn_layer *layer = job->kernel->layer;
    const int64_t positions = layer->labels.dims[VDNN_POSITIONS];
    for (int64_t i = 0; i < job->s.rows; i++) {
        const int32_t label = job->labels[i];
        job->counted += counts(job, i);
        if (counts(job, i) && (label < 0 || label >= job->s.classes))
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "sampled_softmax layer '%s': position %lld of sample %lld "
                                    "of the batch has label %d, but the classes are 0 to %lld",
                                    layer->name, (long long)(i % positions),
                                    (long long)(job->args->first_sample + i / positions), label,
                                    (long long)job->s.classes - 1);
    }
    return VDNN_OK;
}

/* The mean is over the rows that count. */
static void write_result(const sampled_job *job)
{
    double loss = 0, right = 0;
    float *y = job->args->y;
    for (int64_t i = 0; i < job->s.rows; i++) {
        loss += job->rows[i].loss;
        right += job->rows[i].is_right;
    }
    y[0] = (float)(loss / (double)job->counted);
    y[1] = (float)right;
}

static vdnn_status run_rows(sampled_job *job)
{
    const bool is_forward = job->kernel->pass == VDNN_FORWARD,
               evaluates = is_forward && job->args->context->evaluate;
    if (!evaluates) {
        draw_candidates(job);
        gather(job);
    }
    for (int64_t first = 0; first < job->s.rows; first += ROWS) {
        const int64_t count = vdnn_count_min(job->s.rows - first, ROWS);
        read_rows(job, first, count);
        VDNN_TRY(evaluates    ? evaluate_rows(job, first, count)
                 : is_forward ? train_rows(job, first, count)
                              : backward_rows(job, first, count));
    }
    if (is_forward)
        write_result(job);
    else if (job->args->dw != NULL)
        scatter(job);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    sampled_job job = job_of(kernel, args);
    job.labels = args->labels;
    VDNN_TRY(check_labels(&job));
    int before = vdnn_cpu_threads_begin(kernel->threads);
    vdnn_status status = run_rows(&job);
    vdnn_cpu_threads_end(before);
    return status;
}

const vdnn_algorithm vdnn_sampled_softmax_gemm = {
    .layer_type = "sampled_softmax",
    .name = "gemm",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .workspace = workspace,
    .run = run,
};
