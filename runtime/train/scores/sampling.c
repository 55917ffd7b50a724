#include "runtime/train/scores/sampling.h"

#include "runtime/base/numbers/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The last word of the counters that tokens are drawn with. */
enum { STREAM_SAMPLE = 0x7361 };

/* Whether token `a` comes after `b`, from the most probable one on. */
static bool is_after(const float *scores, int32_t a, int32_t b)
{
    return scores[a] < scores[b] || (a > b && scores[a] == scores[b]);
}

static void swap(int32_t *a, int32_t *b)
{
    const int32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* A heap of `count` tokens whose root comes last of them; only item `at` may be out of place. */
static void sink(const float *scores, int32_t *heap, int64_t count, int64_t at)
{
    for (int64_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && is_after(scores, heap[child + 1], heap[child]))
            child++;
        if (!is_after(scores, heap[child], heap[at]))
            return;
        swap(&heap[child], &heap[at]);
    }
}

static int by_number(const void *a, const void *b)
{
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* The first `top` items become the most probable tokens, in the order of their numbers. */
static void choose(const float *scores, int64_t classes, int64_t top, int32_t *order)
{
    for (int64_t i = 0; i < classes; i++)
        order[i] = (int32_t)i;
    if (top == classes)
        return;
    for (int64_t i = top / 2 - 1; i >= 0; i--)
        sink(scores, order, top, i);
    for (int64_t i = top; i < classes; i++)
        if (is_after(scores, order[0], order[i])) {
            swap(&order[0], &order[i]);
            sink(scores, order, top, 0);
        }
    qsort(order, (size_t)top, sizeof *order, by_number);
}

static int32_t best_of(const float *scores, int64_t classes)
{
    int32_t best = 0;
    for (int64_t i = 0; i < classes; i++) {
        if (!isfinite(scores[i]))
            return -1;
        if (scores[i] > scores[best])
            best = (int32_t)i;
    }
    return best;
}

/* A number in [0, 1) of 53 random bits. */
static double draw_unit(uint64_t seed, uint64_t number)
{
    uint32_t bits[4];
    vdnn_random_philox(
        seed, (const uint32_t[]){(uint32_t)number, (uint32_t)(number >> 32), 0, STREAM_SAMPLE},
        bits);
    return (double)(((uint64_t)bits[0] << 32 | bits[1]) >> 11) * 0x1p-53;
}

int32_t vdnn_sampling_draw(const vdnn_sampling *sampling, const float *scores, int64_t classes,
                           uint64_t number, int32_t *order)
{
    const int64_t top = sampling->top > 0 && sampling->top < classes ? sampling->top : classes;
    const int32_t best = best_of(scores, classes);
    if (best < 0 || sampling->temperature <= 0 || top == 1)
        return best;
    choose(scores, classes, top, order);
    const double by = 1 / sampling->temperature, largest = (double)scores[best];
    double sum = 0, below = 0;
    for (int64_t i = 0; i < top; i++)
        sum += exp(((double)scores[order[i]] - largest) * by);
    const double drawn = draw_unit(sampling->seed, number) * sum;
    for (int64_t i = 0; i < top; i++) {
        below += exp(((double)scores[order[i]] - largest) * by);
        if (drawn < below)
            return order[i];
    }
    return best; /* by rounding alone */
}
