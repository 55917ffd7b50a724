#ifndef VDNN_LAYERS_CONV_CPU_WINOGRAD_KERNELS_H
#define VDNN_LAYERS_CONV_CPU_WINOGRAD_KERNELS_H

/* The register kernels of Winograd's convolution by tiles (winograd.c has the formulas): cells to
 * points and back, and the products at a point.
 *
 * Maps (f32 or bf16) and weights (f32) are in blocks of 16 channels; a vector is one cell of a
 * block. A tile has 8 x 8 points, and M = 9 - R cells per side for a kernel of R x R taps.
 * Invariant: each value is one chain of multiply-adds that depends on the task alone.
 * Threads: pure over their tasks.
 *
 *     const vdnn_winograd_kernels *kernels = vdnn_winograd_kernels_of(5, VDNN_F32);
 *     kernels->read(&tile);                              // v = B^T x B
 *     kernels->weights(&weight);                         // u = G w G^T
 *     kernels->products[tiles - 1][blocks - 1](&product); // m = u o v, summed over channels
 *     kernels->write(&tile);                             // y = A^T m A
 */

#include "layers/tensor.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VDNN_WINOGRAD_LANES = 16,
    /* floats of one tap of a pair of blocks */
    VDNN_WINOGRAD_TAP = VDNN_WINOGRAD_LANES * VDNN_WINOGRAD_LANES,
    VDNN_WINOGRAD_SIDE = 8,
    VDNN_WINOGRAD_POINTS = VDNN_WINOGRAD_SIDE * VDNN_WINOGRAD_SIDE,
    VDNN_WINOGRAD_SLICE = 2,    /* blocks of outputs */
    VDNN_WINOGRAD_WIDEST = 14,  /* tiles whose products are in registers */
    VDNN_WINOGRAD_CHANNELS = 8, /* of a block, whose products with outputs are in registers */
};

/* A tile of one block between a map and its points. */
typedef struct vdnn_winograd_tile {
    void *map; /* the plane; only read or only written */
    int64_t size[2], first[2];
    float *points;
    int64_t step; /* floats from one point to the next */
    const float *bias;
    unsigned lanes; /* channels that are not padding */
    bool relu;
} vdnn_winograd_tile;

/* A row of weights of one tap after another, and its points. */
typedef struct vdnn_winograd_weight {
    float *taps;
    int64_t lane; /* floats between neighbours among the 16: 1, or any if only read */
    bool turned;  /* taps come in reverse order */
    float *points;
    int64_t step;
    int64_t slices, slice; /* points are sums of this many, this far apart */
    unsigned lanes;
} vdnn_winograd_weight;

/* Products of some tiles with one or two blocks, at one point. */
typedef struct vdnn_winograd_product {
    const float *v, *u;
    const float *ahead; /* a vector for each of `depth`, to be prefetched */
    int64_t v_block, depth;
    float *m;
    int64_t m_block;
} vdnn_winograd_product;

/* Sums over tiles of some channels times one or two blocks, at one point. */
typedef struct vdnn_winograd_sum {
    const float *v, *d;
    const float *ahead; /* a vector for each tile, to be prefetched */
    int64_t d_block, tiles;
    bool begin; /* sums are written, not added to */
    float *sums;
} vdnn_winograd_sum;

typedef void vdnn_winograd_tile_kernel(const vdnn_winograd_tile *task);
typedef void vdnn_winograd_weight_kernel(const vdnn_winograd_weight *task);
typedef void vdnn_winograd_product_kernel(const vdnn_winograd_product *task);
typedef void vdnn_winograd_sum_kernel(const vdnn_winograd_sum *task);

/* The functions for kernels of R x R on maps of a type. */
typedef struct vdnn_winograd_kernels {
    int64_t r;
    vdnn_dtype maps;
    vdnn_winograd_tile_kernel *read;   /* 8 x 8 cells to points, B^T x B */
    vdnn_winograd_tile_kernel *expand; /* M x M cells to points, A dy A^T */
    vdnn_winograd_tile_kernel *write;  /* points to M x M cells within the map, A^T m A */
    vdnn_winograd_weight_kernel *weights, *gradient; /* G w G^T; G^T u G */
    /* By the number of tiles and of blocks, each less one. */
    vdnn_winograd_product_kernel *const (*products)[VDNN_WINOGRAD_SLICE];
    /* By the number of channels and of blocks, each less one. */
    vdnn_winograd_sum_kernel *const (*sums)[VDNN_WINOGRAD_SLICE];
} vdnn_winograd_kernels;

/* NULL: none of that size or type, or for this processor. */
const vdnn_winograd_kernels *vdnn_winograd_kernels_of(int64_t r, vdnn_dtype maps);

#endif
