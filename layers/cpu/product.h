#ifndef VDNN_LAYERS_CPU_PRODUCT_H
#define VDNN_LAYERS_CPU_PRODUCT_H

/* The matrix product of all algorithms that use one.
 *
 * Invariant: a product of the same shape has the same bits every time at the same number of
 * threads.
 * Threads: any; uses as many as the caller's team has.
 *
 *     vdnn_cpu_product product = {.rows = m, .columns = n, .depth = k, .a = a, .a_row = k, ...};
 *     int before = vdnn_cpu_threads_begin(threads);
 *     status = vdnn_cpu_product_compute(&product);
 *     vdnn_cpu_threads_end(before);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* c (rows, columns) = a (rows, depth) b (depth, columns) + beta c, all f32 and row-major. A
 * transposed matrix is stored as its transpose. */
typedef struct vdnn_cpu_product {
    int64_t rows, columns, depth;
    const float *a;
    int64_t a_row; /* elements from one row in memory to the next */
    bool a_turned;
    const float *b;
    int64_t b_row;
    bool b_turned;
    float *c; /* not read if beta is 0 */
    int64_t c_row;
    float beta;
} vdnn_cpu_product;

/* By oneDNN, whose kernels use the processor's widest vectors; OpenBLAS 0.3.21 uses half of their
 * width on some processors with AVX-512. VDNN_NO_MEMORY if oneDNN cannot allocate packed operands.
 */
vdnn_status vdnn_cpu_product_compute(const vdnn_cpu_product *product);

#endif
