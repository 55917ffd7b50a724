#ifndef VDNN_LAYERS_CPU_SMALL_PRODUCT_H
#define VDNN_LAYERS_CPU_SMALL_PRODUCT_H

/* Products of matrices that are in the caches, on the calling thread: a few rows by up to 64
 * columns at a time, held in registers. A library's product has a fixed cost for each call, which
 * for matrices of 64 x 64 is as long as the product.
 *
 *     c[r][j] = sum over k < depth of a[r * a_row + k * a_step] * b[k * b_row + j]
 *
 * Invariant: each element is one chain of multiply-adds in the order of k, added to c at the end,
 * so its bits depend neither on its place nor on the size of the matrices but for the depth.
 * Threads: pure over its arguments.
 *
 *     vdnn_cpu_small_product p = {.a = q, .a_row = d, .a_step = 1, .b = k, .b_row = keys, ...};
 *     vdnn_cpu_small_product_compute(&p);
 */

#include <stdbool.h>
#include <stddef.h>

/* Columns come in multiples of them. */
enum { VDNN_CPU_SMALL_LANES = 16 };

typedef struct vdnn_cpu_small_product {
    ptrdiff_t rows, columns, depth;
    const float *a;
    ptrdiff_t a_row, a_step; /* elements from one row to the next, and from one k to the next */
    const float *b;
    ptrdiff_t b_row;
    float *c;
    ptrdiff_t c_row;
    bool adds; /* to what c holds; else c is not read */
} vdnn_cpu_small_product;

void vdnn_cpu_small_product_compute(const vdnn_cpu_small_product *product);

#endif
