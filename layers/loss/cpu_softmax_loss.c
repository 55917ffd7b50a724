#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/loss/mean.h"
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

static int64_t first_largest(const float *x, int64_t classes)
{
    int64_t best = 0;
    for (int64_t c = 1; c < classes; c++)
        if (x[c] > x[best])
            best = c;
    return best;
}

/* Turns a row's x into the gradient of its own loss, which is its probabilities with 1 taken
 * from the label's: so backward no longer needs the labels. Returns the loss, -log of the label's
 * probability, from the logarithm of the sum, which stays finite where the probability is 0. */
static double row_loss(float *x, int64_t classes, int64_t largest_at, int32_t label)
{
    float largest = x[largest_at], score = x[label];
    double sum = 0;
    for (int64_t c = 0; c < classes; c++) {
        x[c] = expf(x[c] - largest);
        sum += (double)x[c];
    }
    for (int64_t c = 0; c < classes; c++)
        x[c] = (float)((double)x[c] / sum - (c == label ? 1 : 0));
    // cppcheck-suppress invalidFunctionArg ; the largest alone adds 1
    return log(sum) - ((double)score - (double)largest);
}

/* Row `i`: its gradient and its loss; whether its label has the largest score. */
static bool forward_row(const vdnn_layer *layer, const vdnn_kernel_args *args, int64_t i,
                        double *loss)
{
    int64_t classes = layer->classes;
    vdnn_dtype dtype = layer->x[0].dtype;
    float *x = (float *)args->aux + i * classes;
    *loss = 0;
    if (args->labels[i] == layer->ignored) {
        memset(x, 0, (size_t)classes * sizeof *x);
        return false;
    }
    vdnn_stage_widen(dtype, vdnn_native_at(dtype, args->x[0], i * classes), x, classes);
    int64_t largest = first_largest(x, classes);
    *loss = row_loss(x, classes, largest, args->labels[i]);
    return largest == args->labels[i];
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
