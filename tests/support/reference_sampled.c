#include "tests/support/reference_sampled.h"

#include "layers/loss/sampled_softmax.h"
#include "runtime/base/numbers/random.h"

#include <math.h>
#include <stdlib.h>

/* A step: which classes are candidates, and what is subtracted from the score of each. */
typedef struct step {
    const vdnn_layer *layer;
    const vdnn_reference_args *args;
    int64_t classes, width, rows;
    const int32_t *labels;
    bool *is_drawn;
    double *less;
} step;

/* Draws from the first on until there are enough different ones. */
static int64_t draw(step *of, int64_t wanted)
{
    int64_t draws = 0, found = 0;
    for (; found < wanted; draws++) {
        const uint32_t counter[4] = {(uint32_t)of->args->context->step, (uint32_t)(draws / 4),
                                     (uint32_t)of->layer->number, 0};
        uint32_t words[4];
        vdnn_random_philox(of->args->context->seed ^ VDNN_SAMPLED_KEY, counter, words);
        const double share = ((double)words[draws % 4] + 0.5) / 4294967296.0;
        const int64_t c = (int64_t)floor(pow((double)of->classes + 1, share)) - 1;
        found += !of->is_drawn[c];
        of->is_drawn[c] = true;
    }
    return draws;
}

static step step_of(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const vdnn_sampled_softmax_config *loss = layer->config;
    step made = {.layer = layer,
                 .args = args,
                 .labels = args->labels,
                 .classes = layer->classes,
                 .width = layer->params[0].dims[1],
                 .rows = vdnn_desc_count(&layer->labels)};
    made.is_drawn = calloc((size_t)made.classes, sizeof *made.is_drawn);
    made.less = calloc((size_t)made.classes, sizeof *made.less);
    if (args->context->evaluate) {
        for (int64_t c = 0; c < made.classes; c++)
            made.is_drawn[c] = true;
        return made;
    }
    const double draws = (double)draw(&made, loss->samples);
    for (int64_t c = 0; c < made.classes; c++) {
        double p = log(((double)c + 2) / ((double)c + 1)) / log((double)made.classes + 1);
        made.less[c] = log(1 - pow(1 - p, draws));
    }
    return made;
}

static void end_step(step *of)
{
    free(of->is_drawn);
    free(of->less);
}

static double score_of(const step *of, int64_t row, int64_t c)
{
    const double *weight = of->args->w + c * of->width, *x = of->args->x[0] + row * of->width;
    double sum = of->args->w[of->layer->params[1].offset / sizeof(float) + (size_t)c];
    for (int64_t k = 0; k < of->width; k++)
        sum += weight[k] * x[k];
    return sum - of->less[c];
}

static bool has(const step *of, int64_t row, int64_t c)
{
    return of->is_drawn[c] || c == of->labels[row];
}

static double log_sum_of(const step *of, int64_t row)
{
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t c = 0; c < of->classes; c++)
        if (has(of, row, c))
            largest = fmax(largest, score_of(of, row, c));
    for (int64_t c = 0; c < of->classes; c++)
        if (has(of, row, c))
            sum += exp(score_of(of, row, c) - largest);
    // cppcheck-suppress invalidFunctionArg ; the largest alone adds 1
    return largest + log(sum);
}

static double counted_of(const step *of)
{
    double counted = 0;
    for (int64_t row = 0; row < of->rows; row++)
        counted += of->labels[row] != of->layer->ignored;
    return counted;
}

static bool is_right(const step *of, int64_t row)
{
    for (int64_t c = 0; c < of->classes; c++)
        if (has(of, row, c) && score_of(of, row, c) > score_of(of, row, of->labels[row]))
            return false;
    return true;
}

static void forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    step of = step_of(layer, args);
    args->y[0] = counted_of(&of) > 0 ? 0 : (double)NAN;
    args->y[1] = 0;
    for (int64_t row = 0; row < of.rows; row++) {
        if (of.labels[row] == layer->ignored)
            continue;
        args->y[0] += (log_sum_of(&of, row) - score_of(&of, row, of.labels[row])) / counted_of(&of);
        args->y[1] += is_right(&of, row);
    }
    end_step(&of);
}

/* What the score of a class of a row adds. */
static void spread(const step *of, int64_t row, int64_t c, double gradient)
{
    const vdnn_reference_args *args = of->args;
    for (int64_t k = 0; k < of->width; k++) {
        if (args->dx != NULL && args->dx[0] != NULL)
            args->dx[0][row * of->width + k] += gradient * args->w[c * of->width + k];
        if (args->dw != NULL)
            args->dw[c * of->width + k] += gradient * args->x[0][row * of->width + k];
    }
    if (args->dw != NULL)
        args->dw[of->layer->params[1].offset / sizeof(float) + (size_t)c] += gradient;
}

static void backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    step of = step_of(layer, args);
    for (int64_t i = 0; i < of.rows * of.width && args->dx != NULL && args->dx[0] != NULL; i++)
        args->dx[0][i] = 0;
    for (size_t i = 0; i < layer->trainable_bytes / sizeof(float) && args->dw != NULL; i++)
        args->dw[i] = 0;
    for (int64_t row = 0; row < of.rows; row++) {
        if (of.labels[row] == layer->ignored)
            continue;
        const double log_sum = log_sum_of(&of, row);
        for (int64_t c = 0; c < of.classes; c++)
            if (has(&of, row, c))
                spread(&of, row, c,
                       args->weight / counted_of(&of) *
                           (exp(score_of(&of, row, c) - log_sum) - (c == of.labels[row])));
    }
    end_step(&of);
}

const vdnn_reference vdnn_reference_sampled = {"sampled_softmax", {forward, backward, backward}};
