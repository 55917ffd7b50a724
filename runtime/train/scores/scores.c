#include "runtime/train/scores/scores.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static float largest_of(const float *x, int64_t classes)
{
    float largest = x[0];
    for (int64_t c = 1; c < classes; c++)
        largest = x[c] > largest ? x[c] : largest;
    return largest;
}

/* Of exponentials, in the scale of the largest. */
static double sum_of(const float *x, int64_t classes, float largest)
{
    double sum = 0;
    for (int64_t c = 0; c < classes; c++)
        sum += exp((double)x[c] - (double)largest);
    return sum;
}

void vdnn_scores_softmax(const float *x, int64_t classes, float *y)
{
    const float largest = largest_of(x, classes);
    const double sum = sum_of(x, classes, largest);
    for (int64_t c = 0; c < classes; c++)
        y[c] = (float)(exp((double)x[c] - (double)largest) / sum);
}

void vdnn_scores_sigmoid(const float *x, int64_t count, float *y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = (float)(1 / (1 + exp(-(double)x[i])));
}

void vdnn_scores_predict(vdnn_target target, const float *x, int64_t count, int64_t classes,
                         float *y)
{
    if (target == VDNN_TARGET_NUMBERS)
        memmove(y, x, (size_t)count * sizeof *y);
    else if (target == VDNN_TARGET_CHANCES)
        vdnn_scores_sigmoid(x, count, y);
    else
        for (int64_t i = 0; i < count; i += classes)
            vdnn_scores_softmax(x + i, classes, y + i);
}

double vdnn_scores_loss(const float *x, int64_t classes, int64_t class)
{
    const float largest = largest_of(x, classes);
    // cppcheck-suppress invalidFunctionArg ; the largest alone adds 1
    return log(sum_of(x, classes, largest)) - ((double)x[class] - (double)largest);
}

static bool is_taken(const int32_t *best, int64_t count, int64_t class)
{
    for (int64_t i = 0; i < count; i++)
        if (best[i] == class)
            return true;
    return false;
}

void vdnn_scores_top(const float *x, int64_t classes, int64_t count, int32_t *best)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t found = -1;
        for (int64_t c = 0; c < classes; c++)
            if (!is_taken(best, k, c) && (found < 0 || x[c] > x[found]))
                found = c;
        best[k] = (int32_t)found;
    }
}
