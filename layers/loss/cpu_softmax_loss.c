#include "layers/count.h"
#include "layers/cpu/math.h"
#include "layers/cpu/native.h"
#include "layers/loss/mean.h"
#include "layers/loss/softmax_loss.h"

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

/* y = exp(x - largest); returns their sum. */
VDNN_CPU_CLONES static double exponentials(const float *x, float largest, float *y, int64_t count)
{
    double lanes[LANES] = {0};
    int64_t c = 0;
    for (; c + LANES <= count; c += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            y[c + lane] = vdnn_math_exp(x[c + lane] - largest);
            lanes[lane] += (double)y[c + lane];
        }
    double sum = sum_of_lanes(lanes);
    for (; c < count; c++) {
        y[c] = vdnn_math_exp(x[c] - largest);
        sum += (double)y[c];
    }
    return sum;
}

VDNN_CPU_CLONES static void scale(float *y, float by, float less, int64_t count)
{
#pragma omp simd
    for (int64_t c = 0; c < count; c++)
        y[c] = y[c] * by - less;
}

/* The gradient of a row's loss, its probabilities less what is expected: all of 1 for the label,
 * or, with smoothing, that share of it in equal parts for all classes; so backward needs neither x
 * nor the labels. Returns the loss, the sum of -log of the probabilities by those expected, from
 * the logarithm of the sum, which stays finite where a probability is 0. *y may be x. */
static double row_loss(const float *x, float largest, int64_t classes, int32_t label,
                       double smoothing, float *y)
{
    double score = (double)x[label], mean = smoothing == 0 ? 0 : sum_of(x, classes);
    mean /= (double)classes;
    double sum = exponentials(x, largest, y, classes), all = smoothing / (double)classes;
    double wanted = (double)y[label] / sum - (1 - smoothing) - all;
    scale(y, (float)(1 / sum), (float)all, classes);
    y[label] = (float)wanted;
    // cppcheck-suppress invalidFunctionArg ; the largest alone adds 1
    double loss = log(sum) - (score - (double)largest);
    return smoothing == 0 ? loss : loss + smoothing * (score - mean);
}

/* Of several that have the largest score the first one is chosen. */
static bool is_chosen(const float *x, float largest, int32_t label)
{
    bool is_largest = x[label] == largest;
    for (int64_t c = 0; c < label && is_largest; c++)
        is_largest = x[c] != largest;
    return is_largest;
}

/* Row `i`: its gradient and its loss; whether its label has the largest score. */
static bool forward_row(const vdnn_layer *layer, const vdnn_kernel_args *args, int64_t i,
                        double *loss)
{
    const int32_t label = ((const int32_t *)args->labels)[i];
    int64_t classes = layer->classes;
    vdnn_dtype dtype = layer->x[0].dtype;
    float *gradient = (float *)args->aux + i * classes;
    *loss = 0;
    if (label == layer->ignored) {
        memset(gradient, 0, (size_t)classes * sizeof *gradient);
        return false;
    }
    vdnn_native_range row = {i * classes, (i + 1) * classes};
    const float *x = vdnn_native_read(dtype, args->x[0], row, gradient);
    float largest = largest_of(x, classes);
    bool is_right = is_chosen(x, largest, label);
    *loss = row_loss(x, largest, classes, label, vdnn_softmax_loss_smoothing(layer), gradient);
    return is_right;
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
        ((float *)args->aux)[rows * layer->classes] = (float)vdnn_count_max(counted, 1);
    return VDNN_OK;
}

VDNN_CPU_CLONES static void divide(const float *restrict from, float by, float *restrict to,
                                   int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i] / by;
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_desc *x = &layer->x[0];
    const float *gradient = args->aux;
    int64_t count = vdnn_desc_count(x);
    int64_t counted =
        layer->ignored == VDNN_NO_LABEL ? count_rows(layer) : (int64_t)gradient[count];
    float by = vdnn_loss_mean_of(counted, args->weight);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        float buffer[VDNN_NATIVE_BLOCK];
        vdnn_native_range range = vdnn_native_block(block, count);
        float *dx = vdnn_native_write_begin(x->dtype, args->dx[0], range, buffer);
        divide(gradient + range.begin, by, dx, range.end - range.begin);
        vdnn_native_write_end(x->dtype, args->dx[0], range, dx);
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
