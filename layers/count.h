#ifndef VDNN_LAYERS_COUNT_H
#define VDNN_LAYERS_COUNT_H

/* Arithmetic on counts and positions by which kernels divide their work.
 *
 * Invariant: pure; counts are not negative, and sums of two fit.
 * Threads: any.
 *
 *     int64_t blocks = vdnn_count_pieces(channels, 16);
 *     int64_t last = vdnn_count_min(first + 16, channels);
 *     int64_t inside = vdnn_count_clamp(row, 0, rows);
 */

#include <stdint.h>

static inline int64_t vdnn_count_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t vdnn_count_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The number of pieces of that size in `count`, the last one possibly smaller. */
static inline int64_t vdnn_count_pieces(int64_t count, int64_t piece)
{
    return (count + piece - 1) / piece;
}

static inline int64_t vdnn_count_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

#endif
