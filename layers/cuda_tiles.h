#ifndef VDNN_LAYERS_CUDA_TILES_H
#define VDNN_LAYERS_CUDA_TILES_H

/* A matrix product in tiles, of matrices that need not exist: what reads an element and what writes
 * one are given by the caller, which makes it a convolution, a product of a layer, or a part of
 * one.
 *
 *     product (rows x columns) = left (rows x depth) * right (depth x columns)
 *
 *         depth            columns
 *       +-------+        +---------+      A block makes a tile of 64 x 64, a thread 4 x 4 of it
 *       | tile -> rows   | tile    |      that are 16 apart; 16 of the depth are in the block's
 *       +-------+        | v depth |      memory at a time.
 *
 * Invariant: an element is a sum in increasing order of the depth, whatever the rest of the matrix.
 * Threads: the one that drives the device.
 *
 *     struct problem {
 *         __device__ float left(int group, int row, int64_t l) const;
 *         __device__ float right(int group, int64_t l, int64_t column) const;
 *         __device__ void write(int group, int row, int64_t column, float sum) const;
 *     };
 *     vdnn_cuda_tiles(stream, problem, groups, rows, columns, depth, 1);
 */

#include "layers/cuda_kernel.h"

enum { VDNN_CUDA_TILE = 64, VDNN_CUDA_TILE_DEPTH = 16, VDNN_CUDA_TILE_SIDE = 16 };

/* Part `part` of `parts` of the depth: from, up to. */
static __device__ __forceinline__ int64_t vdnn_cuda_tile_part(int64_t depth, int parts, int part)
{
    int64_t steps = (depth + VDNN_CUDA_TILE_DEPTH - 1) / VDNN_CUDA_TILE_DEPTH;
    int64_t place = steps * part / parts * VDNN_CUDA_TILE_DEPTH;
    return place < depth ? place : depth;
}

/* blockIdx.z is group * parts + part; a problem with several parts is told the part in its group.
 */
template <class Problem>
__global__ static void vdnn_cuda_tile_all(Problem problem, int rows, int64_t columns, int64_t depth,
                                          int parts)
{
    constexpr int TILE = VDNN_CUDA_TILE, DEPTH = VDNN_CUDA_TILE_DEPTH, SIDE = VDNN_CUDA_TILE_SIDE;
    constexpr int EACH = TILE / SIDE, LOADS = TILE * DEPTH / VDNN_CUDA_THREADS;
    VDNN_SHARED(float, left, [(size_t) DEPTH][(size_t)TILE + 1]);
    VDNN_SHARED(float, right, [(size_t) DEPTH][(size_t)TILE]);
    int group = (int)blockIdx.z, part = group % parts, own = (int)threadIdx.x;
    int64_t first_column = (int64_t)blockIdx.x * TILE;
    int first_row = (int)blockIdx.y * TILE, x = own % SIDE, y = own / SIDE;
    int64_t begin = vdnn_cuda_tile_part(depth, parts, part);
    int64_t end = vdnn_cuda_tile_part(depth, parts, part + 1);
    float sums[EACH][EACH] = {};
    for (int64_t at = begin; at < end; at += DEPTH) {
        for (int i = 0; i < LOADS; i++) {
            int place = own + i * VDNN_CUDA_THREADS;
            int row = first_row + place / DEPTH;
            int64_t l = at + place % DEPTH;
            left[place % DEPTH][place / DEPTH] =
                row < rows && l < end ? problem.left(group, row, l) : 0.0F;
        }
        for (int i = 0; i < LOADS; i++) {
            int place = own + i * VDNN_CUDA_THREADS;
            int64_t column = first_column + place % TILE, l = at + place / TILE;
            right[place / TILE][place % TILE] =
                column < columns && l < end ? problem.right(group, l, column) : 0.0F;
        }
        __syncthreads();
        for (int l = 0; l < DEPTH; l++)
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sums[i][j] += left[l][y + i * SIDE] * right[l][x + j * SIDE];
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int row = first_row + y + i * SIDE;
            int64_t column = first_column + x + j * SIDE;
            if (row < rows && column < columns)
                problem.write(group, row, column, sums[i][j]);
        }
}

/* NULL, or why a product is too large for the blocks of a launch. */
static inline const char *vdnn_cuda_tiles_refusal(int64_t groups, int64_t rows)
{
    constexpr int64_t MOST = 65535;
    return groups > MOST || (rows + VDNN_CUDA_TILE - 1) / VDNN_CUDA_TILE > MOST
               ? "it has more channels or groups than a launch has blocks"
               : nullptr;
}

template <class Problem>
static vdnn_status vdnn_cuda_tiles(cudaStream_t stream, Problem problem, int64_t groups,
                                   int64_t rows, int64_t columns, int64_t depth, int parts)
{
    dim3 blocks((unsigned)((columns + VDNN_CUDA_TILE - 1) / VDNN_CUDA_TILE),
                (unsigned)((rows + VDNN_CUDA_TILE - 1) / VDNN_CUDA_TILE),
                (unsigned)(groups * parts));
    VDNN_LAUNCH(vdnn_cuda_tile_all<Problem>, blocks, VDNN_CUDA_THREADS, stream, problem, (int)rows,
                columns, depth, parts);
    return vdnn_cuda_launched("matrix product");
}

#endif
