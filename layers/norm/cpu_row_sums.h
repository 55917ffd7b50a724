#ifndef VDNN_LAYERS_NORM_CPU_ROW_SUMS_H
#define VDNN_LAYERS_NORM_CPU_ROW_SUMS_H

/* Sums over a row of floats by LANES partial sums, as kernels that normalize rows need them:
 * element i of the row belongs to lane i % LANES, and the lanes are added by halves at the end. So
 * a sum is the same in every clone, several additions are under way at a time, and rounding errors
 * grow with the row's length divided by LANES.
 *
 * Invariant: a row comes in chunks, of which all but the last are of a multiple of LANES elements.
 * Threads: any; pure functions over what they are given.
 *
 *     vdnn_row_sum sum = {0};
 *     VDNN_ROW_SUM(&sum, count, x[i]); // for each chunk; i: its elements
 *     float mean = vdnn_row_sum_end(&sum) / (float)width;
 */

#include "layers/cpu/native.h"

enum { VDNN_ROW_LANES = 64 };

typedef struct vdnn_row_sum {
    float at[VDNN_ROW_LANES];
} vdnn_row_sum;

/* Adds `value`, an expression of `i`, for all i below `count`. */
#define VDNN_ROW_SUM(sum, count, value)                                                            \
    do {                                                                                           \
        vdnn_row_sum own = *(sum);                                                                 \
        const int64_t whole = (count) - (count) % VDNN_ROW_LANES;                                  \
        for (int64_t first = 0; first < whole; first += VDNN_ROW_LANES)                            \
            _Pragma("omp simd") for (int lane = 0; lane < VDNN_ROW_LANES; lane++)                  \
            {                                                                                      \
                const int64_t i = first + lane;                                                    \
                own.at[lane] += (value);                                                           \
            }                                                                                      \
        for (int64_t i = whole; i < (count); i++)                                                  \
            own.at[i - whole] += (value);                                                          \
        *(sum) = own;                                                                              \
    } while (0)

/* The chunk's values, and the squares of their distances from `mean`. */
void vdnn_row_sum_values(const float *x, int64_t count, vdnn_row_sum *sum);
void vdnn_row_sum_squares(const float *x, int64_t count, float mean, vdnn_row_sum *sum);

VDNN_NATIVE_INLINE float vdnn_row_sum_end(const vdnn_row_sum *sum)
{
    vdnn_row_sum own = *sum;
    for (int half = VDNN_ROW_LANES / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++)
            own.at[lane] += own.at[lane + half];
    return own.at[0];
}

#endif
