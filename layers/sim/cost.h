#ifndef VDNN_LAYERS_SIM_COST_H
#define VDNN_LAYERS_SIM_COST_H

/* The cost of a convolution or a matrix product on a GPU: seconds and workspace of each algorithm
 * of cuDNN, from the shape and a few numbers about the card. Only this file has the formulas;
 * device models have the numbers, and calibration fits them.
 *
 * Invariant: pure. The same model, shape, pass and algorithm give the same bits everywhere.
 * Threads: any.
 *
 *     vdnn_cost_model model = {.flops_per_second = 6.6e12, .bytes_per_second = 336e9, ...};
 *     const char *why = vdnn_cost_refusal(&model, &shape, VDNN_FORWARD, VDNN_COST_FFT);
 *     if (why == NULL)
 *         vdnn_cost_conv(&model, &shape, VDNN_FORWARD, VDNN_COST_FFT, &seconds, &workspace_bytes);
 */

#include "runtime/vdnn.h"

/* The algorithms, as cuDNN 4 had them, and the two by Winograd of version 5: enumerator, and the
 * word of device models and plans. */
#define VDNN_COST_ALGORITHM_TABLE(X)                                                               \
    X(IMPLICIT_GEMM, implicit_gemm)                                                                \
    X(IMPLICIT_PRECOMP_GEMM, implicit_precomp_gemm)                                                \
    X(GEMM, gemm)                                                                                  \
    X(FFT, fft)                                                                                    \
    X(FFT_TILING, fft_tiling)                                                                      \
    X(WINOGRAD, winograd)                                                                          \
    X(WINOGRAD_NONFUSED, winograd_nonfused)

typedef enum vdnn_cost_algorithm {
#define X(upper, lower) VDNN_COST_##upper,
    VDNN_COST_ALGORITHM_TABLE(X)
#undef X
        VDNN_COST_ALGORITHM_COUNT
} vdnn_cost_algorithm;

/* A card's rates in one algorithm and pass: key, range, and whether a device model must state it
 * (else it is 0).
 *
 * All are matrix products of tiles. Full tiles reach `efficiency` of the card's FLOP rate; if it is
 * 0 the card does not support the algorithm for this pass. A tile of half the width or height
 * reaches `narrow` of that, because it loads more for each product. A tile is computed by one
 * multiprocessor, which spends `fill` inner steps more than the product has; one that is alone on
 * its multiprocessor has no other work to hide its latencies and reaches `alone` of the rate.
 * `memory_efficiency` is of the card's bandwidth; `overlap` is the part that arithmetic and
 * traffic, the shorter of the two, is hidden by the other. `transfers` is how often a transformed
 * byte moves: spectra of FFT, tiles of Winograd, and the terms that backward data with a stride
 * scatters. `skipped` is the part of dx that a stride skips and that backward data computes (with a
 * 1 x 1 kernel, along a row) and clears all the same. `thin` is the part of the bandwidth that a
 * matrix product loses if one of its sides is narrower than the narrowest tile: libraries compute
 * it as they do products with vectors. `reloads` is the part of what tiles that are computed at the
 * same time load that memory moves beyond each factor once, of a factor that lies in memory along
 * the inner dimension: tiles then load short pieces of many rows, which caches lose. Of
 * convolutions such are the maps in backward filter. */
#define VDNN_COST_RATE_TABLE(X)                                                                    \
    X(efficiency, 0.0, 1.0, true)                                                                  \
    X(memory_efficiency, 0.01, 1.0, true)                                                          \
    X(overlap, 0.0, 1.0, true)                                                                     \
    X(narrow, 0.1, 1.0, true)                                                                      \
    X(alone, 0.1, 1.0, true)                                                                       \
    X(fill, 0.0, 1024.0, true)                                                                     \
    X(transfers, 0.0, 64.0, true)                                                                  \
    X(skipped, 0.0, 1.0, false)                                                                    \
    X(thin, 0.0, 0.9, false)                                                                       \
    X(reloads, 0.0, 16.0, false)

typedef struct vdnn_cost_rate {
#define X(key, low, high, required) double key;
    VDNN_COST_RATE_TABLE(X)
#undef X
} vdnn_cost_rate;

typedef vdnn_cost_rate vdnn_cost_rates[VDNN_COST_ALGORITHM_COUNT][VDNN_PASS_COUNT];

typedef struct vdnn_cost_model {
    double flops_per_second;             /* peak, of the data type */
    double bytes_per_second;             /* peak, of device memory */
    double elementwise_bytes_per_second; /* reached by kernels that mostly move bytes */
    double launch_seconds;               /* of one kernel */
    int32_t multiprocessors;
    vdnn_cost_rates rates;
    /* Kernels for types smaller than f32 compute backward data with stride 1 by gathering alone:
     * each value of dx is the sum of a tile's inner dimension. Those of f32 may also scatter. */
    bool gathers;
    /* Units that take channels in multiples alone, 0: any number. A convolution with others is
     * computed by those that have no such limit, at their rates, but with its channels padded. */
    int64_t channel_multiple;
    int64_t padded_multiple; /* of channels that are padded; 0: channel_multiple */
    double plain_flops_per_second;
    vdnn_cost_rates plain_rates;
    /* Of implicit GEMM: filters of the narrowest tile, 32 or more, 0: 32; whether forward shares
     * the inner dimension of few tiles among several blocks, as backward filter does; and whether
     * rows of x that a stride passes over are not loaded. */
    int64_t narrowest_tile;
    bool splits_forward, skips_rows;
} vdnn_cost_model;

/* A convolution. Pairs are height, width. */
typedef struct vdnn_cost_shape {
    int64_t n, c, k, groups;
    int64_t image[2], kernel[2], stride[2], pad[2], dilation[2];
    int64_t element_bytes; /* of maps and weights */
    bool bias;             /* added by a separate kernel, its gradient summed by another */
} vdnn_cost_shape;

const char *vdnn_cost_algorithm_text(vdnn_cost_algorithm algorithm);

/* A key of VDNN_COST_RATE_TABLE with its offset in vdnn_cost_rate, for readers and calibration. */
typedef struct vdnn_cost_key {
    const char *name;
    size_t offset; /* of a double */
    double low, high;
} vdnn_cost_key;

size_t vdnn_cost_key_count(void);
const vdnn_cost_key *vdnn_cost_key_at(size_t i);

/* NULL if the algorithm supports this pass of this shape on this card; else why not. */
const char *vdnn_cost_refusal(const vdnn_cost_model *model, const vdnn_cost_shape *shape,
                              vdnn_pass pass, vdnn_cost_algorithm algorithm);

/* Seconds, and bytes of workspace. VDNN_USAGE with the reason if it is refused. */
vdnn_status vdnn_cost_conv(const vdnn_cost_model *model, const vdnn_cost_shape *shape,
                           vdnn_pass pass, vdnn_cost_algorithm algorithm, double *seconds,
                           size_t *workspace_bytes);

/* A matrix product (rows x inner) by (inner x columns). */
typedef struct vdnn_cost_factors {
    double rows, columns, inner;
    double bytes;         /* moved if each factor and the result are moved once */
    double element_bytes; /* of the factors */
    /* Whether they lie in memory along the inner dimension: rows of x, and rows of w in x w'. */
    bool rows_along_inner, columns_along_inner;
} vdnn_cost_factors;

/* Its seconds, by a separate rate; of the model it takes what is the same for all algorithms. */
double vdnn_cost_product(const vdnn_cost_model *model, const vdnn_cost_rate *rate,
                         const vdnn_cost_factors *factors);

#endif
