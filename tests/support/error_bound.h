#ifndef VDNN_TESTS_SUPPORT_ERROR_BOUND_H
#define VDNN_TESTS_SUPPORT_ERROR_BOUND_H

/* The error bound of a pass, from its arithmetic alone: how many products it sums, in which types
 * it makes and sums them, and how much its transforms enlarge them. error_bound.c has the formula.
 *
 * Invariant: a bound depends on no result of a kernel; it holds for factors drawn independently and
 * evenly about zero, as vdnn_bench_create draws them.
 * Threads: any.
 *
 *     vdnn_bench_refer(bench, pass);
 *     double bound = vdnn_bench_error_bound(bench, row, pass);
 *     assert_true(vdnn_bench_error(bench, pass) <= bound);
 */

#include "tests/support/layer_case.h"

/* Unit roundoffs: the largest relative error of a rounding to the nearest, and, where bits are cut
 * off, of that. */
#define VDNN_UNIT_F32 0x1p-24
#define VDNN_UNIT_F32_CUT 0x1p-23
#define VDNN_UNIT_BF16 0x1p-8
#define VDNN_UNIT_TF32_CUT 0x1p-10

/* How a sum of products of two factors is made. */
typedef struct vdnn_error_terms {
    double products;    /* of an output, as the layer means them */
    double sums;        /* products of an output that are added up, where they are made */
    double rms;         /* of one factor, times that of the other: root mean squares */
    double largest;     /* magnitude of the results */
    double growth;      /* of products by transforms, 1 without */
    double roundings;   /* in f32 that a product passes through in transforms */
    double factor_unit; /* of the type that factors are rounded to before they are multiplied */
    double sum_unit, result_unit;
    bool cuts; /* factors and sums are cut off, not rounded to the nearest */
} vdnn_error_terms;

/* As a share of the largest result; 0 where that is 0. */
double vdnn_error_bound(const vdnn_error_terms *terms);

/* Winograd's F(outputs x outputs, taps x taps): y = A^T [ (G w G^T) o (B^T x B) ] A in two
 * dimensions, with the points 0, 1, -1, 2, -2, 1/2, -1/2, 4 as far as they are needed, and
 * infinity. Rows of `a` and `g` are points. */
enum { VDNN_WINOGRAD_MOST = 9 };
typedef struct vdnn_winograd_matrices {
    int outputs, taps, points;
    double a[VDNN_WINOGRAD_MOST][VDNN_WINOGRAD_MOST]; /* point, output */
    double g[VDNN_WINOGRAD_MOST][VDNN_WINOGRAD_MOST]; /* point, tap */
    double b[VDNN_WINOGRAD_MOST][VDNN_WINOGRAD_MOST]; /* point, cell */
} vdnn_winograd_matrices;
vdnn_winograd_matrices vdnn_winograd_of(int outputs, int taps);

/* How much larger than the products of the direct sum those of the transformed one are, in the root
 * of their mean square, where an output has most of it. Backward filter uses the matrices the other
 * way about: dw = G^T [ (A dy A^T) o (B^T x B) ] G. */
double vdnn_winograd_growth(const vdnn_winograd_matrices *own, bool is_filter);

/* Of a row in a bench whose pass was referred to: for convolutions and fully connected layers the
 * bound of their sums, else rounding to the data type of what the pass writes, and short sums in
 * f32. */
double vdnn_bench_error_bound(const vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass);

#endif
