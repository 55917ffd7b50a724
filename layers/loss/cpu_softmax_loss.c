#include "layers/cpu/native.h"
#include "layers/loss/mean.h"
#include "layers/stage.h"

#include <math.h>

/* The losses of the samples, so that they are summed in one order with any number of threads. */
static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    bool forward = kernel->pass == VDNN_FORWARD;
    *bytes = forward ? (size_t)kernel->layer->x[0].dims[VDNN_N] * sizeof(double) : 0;
    return VDNN_OK;
}

static vdnn_status check_labels(const vdnn_layer *layer, const int32_t *labels)
{
    for (int64_t i = 0; i < layer->x[0].dims[VDNN_N]; i++)
        if (labels[i] < 0 || labels[i] >= layer->classes)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "softmax_loss layer '%s': sample %lld of the batch has label "
                                    "%d, but the classes are 0 to %lld",
                                    layer->name, (long long)i, labels[i],
                                    (long long)layer->classes - 1);
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

/* Turns a sample's x into the gradient of its own loss, which is its probabilities with 1 taken
 * from the label's: so backward no longer needs the labels. Returns the loss, -log of the label's
 * probability, from the logarithm of the sum, which stays finite where the probability is 0. */
static double sample_loss(float *x, int64_t classes, int64_t largest_at, int32_t label)
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

static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_status status = check_labels(layer, args->labels);
    if (status != VDNN_OK)
        return status;
    int64_t samples = layer->x[0].dims[VDNN_N], classes = layer->classes, correct = 0;
    double *losses = args->workspace;
#pragma omp parallel for num_threads(kernel->threads) reduction(+ : correct)
    for (int64_t i = 0; i < samples; i++) {
        float *x = (float *)args->aux + i * classes;
        vdnn_stage_widen(layer->x[0].dtype,
                         vdnn_native_at(layer->x[0].dtype, args->x[0], i * classes), x, classes);
        int64_t largest = first_largest(x, classes);
        correct += largest == args->labels[i];
        losses[i] = sample_loss(x, classes, largest, args->labels[i]);
    }
    double loss = 0;
    for (int64_t i = 0; i < samples; i++)
        loss += losses[i];
    float *y = args->y;
    y[0] = (float)(loss / (double)samples);
    y[1] = (float)correct;
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
    const vdnn_desc *x = &kernel->layer->x[0];
    int64_t count = vdnn_desc_count(x);
    float by = vdnn_loss_mean_of(x->dims[VDNN_N], args->weight);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        float buffer[VDNN_NATIVE_BLOCK];
        vdnn_native_range range = vdnn_native_block(block, count);
        float *dx = vdnn_native_write_begin(x->dtype, args->dx[0], range, buffer);
        divide((const float *)args->aux + range.begin, by, dx, range.end - range.begin);
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
