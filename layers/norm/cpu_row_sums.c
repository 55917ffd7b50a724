#include "layers/norm/cpu_row_sums.h"

VDNN_CPU_CLONES void vdnn_row_sum_values(const float *x, int64_t count, vdnn_row_sum *sum)
{
    VDNN_ROW_SUM(sum, count, x[i]);
}

VDNN_CPU_CLONES void vdnn_row_sum_squares(const float *x, int64_t count, float mean,
                                          vdnn_row_sum *sum)
{
    VDNN_ROW_SUM(sum, count, (x[i] - mean) * (x[i] - mean));
}
