#include "layers/count.h"
#include "layers/cpu/math.h"
#include "layers/cpu/native.h"
#include "layers/loss/mean.h"
#include "layers/loss/softmax_loss.h"
#include "layers/stage.h"

#include <math.h>
#include <stdio.h>

/* A row of x is a sample, or a position of a sequence. */
static int64_t count_rows(const vdnn_layer *layer)
{
    return vdnn_desc_count(&layer->labels);
}

/* The losses of the rows, so that they are summed in one order with any number of threads. */
static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    bool forward = kernel->pass == VDNN_FORWARD;
    *bytes = forward ? (size_t)count_rows(kernel->layer) * sizeof(double) : 0;
    return VDNN_OK;
}

static vdnn_status refuse_label(const vdnn_layer *layer, int64_t row, int32_t label)
{
    char place[48] = "";
    int64_t positions = layer->labels.dims[VDNN_POSITIONS];
    if (positions > 1)
        (void)snprintf(place, sizeof place, "position %lld of ", (long long)(row % positions));
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "softmax_loss layer '%s': %ssample %lld of the batch has label %d, but "
                            "the classes are 0 to %lld",
                            layer->name, place, (long long)(row / positions), label,
                            (long long)layer->classes - 1);
}

/* *counted: labels that are not ignored. */
static vdnn_status check_labels(const vdnn_layer *layer, const vdnn_kernel_args *args,
                                int64_t *counted)
{
    const int32_t *labels = args->labels;
    int64_t first = args->first_sample * layer->labels.dims[VDNN_POSITIONS];
    int64_t rows = count_rows(layer), count = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (labels[i] == layer->ignored)
            continue;
        if (labels[i] < 0 || labels[i] >= layer->classes)
            return refuse_label(layer, first + i, labels[i]);
        count++;
    }
    *counted = count;
    return VDNN_OK;
}

enum { LANES = VDNN_NATIVE_LANES };

/* A row's sums are of LANES interleaved ones, in this order. */
static double sum_of_lanes(const double lanes[LANES])
{
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    return sum;
}

/* Not a number only if all are. */
VDNN_CPU_CLONES static float largest_of(const float *x, int64_t count)
{
    float lanes[LANES], largest;
    int64_t c = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = -INFINITY;
    for (; c + LANES <= count; c += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] = x[c + lane] > lanes[lane] ? x[c + lane] : lanes[lane];
    largest = lanes[0];
    for (int lane = 1; lane < LANES; lane++)
        largest = lanes[lane] > largest ? lanes[lane] : largest;
    for (; c < count; c++)
        largest = x[c] > largest ? x[c] : largest;
    return largest;
}

VDNN_CPU_CLONES static double sum_of(const float *x, int64_t count)
{
    double lanes[LANES] = {0};
    int64_t c = 0;
    for (; c + LANES <= count; c += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += (double)x[c + lane];
    double sum = sum_of_lanes(lanes);
    for (; c < count; c++)
        sum += (double)x[c];
    return sum;
}

VDNN_CPU_CLONES static double sum_of_exponentials(const float *x, float largest, int64_t count)
{
    double lanes[LANES] = {0};
    int64_t c = 0;
    for (; c + LANES <= count; c += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += (double)vdnn_math_exp(x[c + lane] - largest);
    double sum = sum_of_lanes(lanes);
    for (; c < count; c++)
        sum += (double)vdnn_math_exp(x[c] - largest);
    return sum;
}

/* *y may be x. */
VDNN_CPU_CLONES static void gradients(const float *x, float largest, float factor, float less,
                                      float *y, int64_t count)
{
#pragma omp simd
    for (int64_t c = 0; c < count; c++)
        y[c] = vdnn_math_exp(x[c] - largest) * factor - less;
}

/* A row of x, read as f32 piece by piece: in place, or in a buffer. */
enum { PIECE = VDNN_NATIVE_BLOCK };

typedef struct row {
    vdnn_dtype dtype;
    const void *x;
    int64_t begin, classes;
} row;

static row row_of(const vdnn_layer *layer, const vdnn_kernel_args *args, int64_t i)
{
    return (row){layer->x[0].dtype, args->x[0], i * layer->classes, layer->classes};
}

static vdnn_native_range range_of(const row *own, int64_t first)
{
    const int64_t begin = own->begin + first;
    return (vdnn_native_range){begin, begin + vdnn_count_min(own->classes - first, PIECE)};
}

static const float *piece_of(const row *own, int64_t first, float buffer[PIECE], int64_t *count)
{
    const vdnn_native_range range = range_of(own, first);
    *count = range.end - range.begin;
    return vdnn_native_read(own->dtype, own->x, range, buffer);
}

/* Whether a label with the largest score is chosen, as the first of several is. */
static bool is_first(const row *own, float largest, int32_t label)
{
    float buffer[PIECE];
    int64_t count;
    for (int64_t first = 0; first <= label; first += PIECE) {
        const float *x = piece_of(own, first, buffer, &count);
        for (int64_t c = 0; c < count && first + c <= label; c++)
            if (x[c] == largest)
                return first + c == label;
    }
    return false;
}

/* *scores, unless it is NULL: the sum of all. */
static void sum_row(const row *own, vdnn_softmax_loss_row *made, double *scores)
{
    float buffer[PIECE];
    int64_t count;
    made->largest = -INFINITY;
    made->sum = 0;
    for (int64_t first = 0; first < own->classes; first += PIECE) {
        const float *x = piece_of(own, first, buffer, &count);
        const float largest = largest_of(x, count);
        made->largest = largest > made->largest ? largest : made->largest;
        if (scores != NULL)
            *scores += sum_of(x, count);
    }
    for (int64_t first = 0; first < own->classes; first += PIECE) {
        const float *x = piece_of(own, first, buffer, &count);
        made->sum += sum_of_exponentials(x, made->largest, count);
    }
}

static float score_of(const row *own, int32_t label)
{
    float score;
    vdnn_stage_widen(own->dtype, vdnn_native_const_at(own->dtype, own->x, own->begin + label),
                     &score, 1);
    return score;
}

/* A row's gradient, divided by `by`, at the row's place in a map of `dtype`, which may be x: its
 * probabilities less what is expected, all of 1 for the label, or, with smoothing, that share of it
 * in equal parts for all classes. Where the row does not count it is 0. */
static void write_gradient(const row *own, const vdnn_softmax_loss_row *of, double smoothing,
                           double by, vdnn_dtype dtype, void *map)
{
    const bool counts = of->label != VDNN_SOFTMAX_LOSS_IGNORED;
    const double all = smoothing / (double)own->classes;
    const float factor = (float)(1 / (of->sum * by)), less = (float)(all / by);
    const float score = counts ? score_of(own, of->label) : 0;
    float buffer[PIECE], made[PIECE];
    int64_t count;
    for (int64_t first = 0; first < own->classes; first += PIECE) {
        const float *x = piece_of(own, first, buffer, &count);
        const vdnn_native_range range = range_of(own, first);
        const int64_t label = of->label - first;
        float *y = vdnn_native_write_begin(dtype, map, range, made);
        if (counts)
            gradients(x, of->largest, factor, less, y, count);
        else
            memset(y, 0, (size_t)count * sizeof *y);
        if (counts && label >= 0 && label < count)
            y[label] = (float)(((double)vdnn_math_exp(score - of->largest) / of->sum -
                                (1 - smoothing) - all) /
                               by);
        vdnn_native_write_end(dtype, map, range, y);
    }
}

/* Row `i`: what backward reads of it, and its loss, the sum of -log of the probabilities by those
 * expected, from the logarithm of the sum, which stays finite where a probability is 0; whether its
 * label has the largest score. */
static bool forward_row(const vdnn_layer *layer, const vdnn_kernel_args *args, int64_t i,
                        double *loss)
{
    const row own = row_of(layer, args, i);
    const double smoothing = vdnn_softmax_loss_smoothing(layer);
    const int32_t label = ((const int32_t *)args->labels)[i];
    vdnn_softmax_loss_row made = {.sum = 1, .label = VDNN_SOFTMAX_LOSS_IGNORED};
    double scores = 0;
    bool is_right = false;
    *loss = 0;
    if (label != layer->ignored) {
        sum_row(&own, &made, smoothing == 0 ? NULL : &scores);
        made.label = label;
        const float score = score_of(&own, label);
        // cppcheck-suppress invalidFunctionArg ; the largest alone adds 1
        *loss = log(made.sum) - ((double)score - (double)made.largest);
        *loss += smoothing == 0 ? 0 : smoothing * ((double)score - scores / (double)own.classes);
        is_right = score == made.largest && is_first(&own, made.largest, label);
    }
    if (vdnn_softmax_loss_reads_x(layer))
        ((vdnn_softmax_loss_row *)args->aux)[i] = made;
    else
        write_gradient(&own, &made, smoothing, 1, VDNN_F32, args->aux);
    return is_right;
}

/* Behind what aux has of the rows. */
static void note_counted(const vdnn_layer *layer, void *aux, int64_t counted)
{
    if (vdnn_softmax_loss_reads_x(layer))
        ((vdnn_softmax_loss_row *)aux)[count_rows(layer)] =
            (vdnn_softmax_loss_row){.sum = (double)counted};
    else
        ((float *)aux)[vdnn_desc_count(&layer->x[0])] = (float)counted;
}

static int64_t count_counted(const vdnn_layer *layer, const void *aux)
{
    if (layer->ignored == VDNN_NO_LABEL)
        return count_rows(layer);
    return vdnn_softmax_loss_reads_x(layer)
               ? (int64_t)((const vdnn_softmax_loss_row *)aux)[count_rows(layer)].sum
               : (int64_t)((const float *)aux)[vdnn_desc_count(&layer->x[0])];
}

/* The mean is over the rows that count: without one it is NaN, and the gradient 0, as PyTorch's. */
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t rows = count_rows(layer), counted, correct = 0;
    VDNN_TRY(check_labels(layer, args, &counted));
    double *losses = args->workspace;
#pragma omp parallel for num_threads(kernel->threads) reduction(+ : correct)
    for (int64_t i = 0; i < rows; i++)
        correct += forward_row(layer, args, i, &losses[i]);
    double loss = 0;
    for (int64_t i = 0; i < rows; i++)
        loss += losses[i];
    float *y = args->y;
    y[0] = (float)(loss / (double)counted);
    y[1] = (float)correct;
    if (layer->ignored != VDNN_NO_LABEL)
        note_counted(layer, args->aux, vdnn_count_max(counted, 1));
    return VDNN_OK;
}

VDNN_CPU_CLONES static void divide(const float *restrict from, float by, float *restrict to,
                                   int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i] / by;
}

/* From the gradients that forward wrote. */
static void divide_all(const vdnn_kernel *kernel, const vdnn_kernel_args *args, float by)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    const float *gradient = args->aux;
    const int64_t count = vdnn_desc_count(x);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        float buffer[VDNN_NATIVE_BLOCK];
        vdnn_native_range range = vdnn_native_block(block, count);
        float *dx = vdnn_native_write_begin(x->dtype, args->dx[0], range, buffer);
        divide(gradient + range.begin, by, dx, range.end - range.begin);
        vdnn_native_write_end(x->dtype, args->dx[0], range, dx);
    }
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const float by = vdnn_loss_mean_of(count_counted(layer, args->aux), args->weight);
    const vdnn_softmax_loss_row *rows = args->aux;
    if (!vdnn_softmax_loss_reads_x(layer)) {
        divide_all(kernel, args, by);
        return;
    }
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < count_rows(layer); i++) {
        const row own = row_of(layer, args, i);
        write_gradient(&own, &rows[i], vdnn_softmax_loss_smoothing(layer), (double)by, own.dtype,
                       args->dx[0]);
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_FORWARD)
        return forward(kernel, args);
    backward(kernel, args);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_softmax_loss_native = {
    .layer_type = "softmax_loss",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .workspace = workspace,
    .run = run,
};
