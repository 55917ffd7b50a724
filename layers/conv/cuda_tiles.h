#ifndef VDNN_LAYERS_CONV_CUDA_TILES_H
#define VDNN_LAYERS_CONV_CUDA_TILES_H

/* A matrix product in tiles, of matrices that need not exist: the caller gives the functions that
 * read and write an element, which makes it a convolution, a product of a layer, or a part of one.
 *
 *     product (rows x columns) = left (rows x depth) * right (depth x columns)
 *
 *         depth            columns
 *       +-------+        +---------+      A block makes a tile of 64 x 64, a thread 4 x 4 of it;
 *       | tile -> rows   | tile    |      16 of the depth are in shared memory at a time.
 *       +-------+        | v depth |
 *
 * Invariant: an element is a sum in increasing order of the depth, independent of the rest of the
 * matrix.
 * Threads: the one that drives the device.
 *
 *     struct problem {
 *         __device__ float left(int group, int row, int64_t l) const;
 *         __device__ float right(int group, int64_t l, int64_t column) const;
 *         __device__ void write(int group, int row, int64_t column, float sum) const;
 *     };
 *     vdnn_cuda_tiles(stream, problem, groups, rows, columns, depth, 1);
 */

#include "layers/cuda/kernel.h"

enum { VDNN_CUDA_TILE = 64, VDNN_CUDA_TILE_DEPTH = 16, VDNN_CUDA_TILE_SIDE = 16 };

/* Part `part` of `parts` of the depth: from, up to. */
static __device__ __forceinline__ int64_t vdnn_cuda_tile_part(int64_t depth, int parts, int part)
{
    int64_t steps = (depth + VDNN_CUDA_TILE_DEPTH - 1) / VDNN_CUDA_TILE_DEPTH;
    int64_t place = steps * part / parts * VDNN_CUDA_TILE_DEPTH;
    return place < depth ? place : depth;
}

/* Four neighbours, which are read from shared memory at once. */
struct alignas(16) vdnn_cuda_four {
    float at[4];
};

/* blockIdx.z is group * parts + part; a problem with several parts finds the part in its group.
 *
 * A thread reads the same columns and, in each step, the same depths of the step, so that a
 * problem's index arithmetic on them is done once. A step of 16 is 256 multiply-adds and 32 reads
 * of shared memory per thread, four floats each. */
template <class Problem>
__global__ static void vdnn_cuda_tile_all(Problem problem, int rows, int64_t columns, int64_t depth,
                                          int parts)
{
    constexpr unsigned TILE = VDNN_CUDA_TILE, DEPTH = VDNN_CUDA_TILE_DEPTH,
                       SIDE = VDNN_CUDA_TILE_SIDE, EACH = TILE / SIDE;
    constexpr unsigned ROWS_AT_ONCE = VDNN_CUDA_THREADS / DEPTH,
                       DEPTHS_AT_ONCE = VDNN_CUDA_THREADS / TILE;
    VDNN_SHARED(vdnn_cuda_four, left, [(size_t) DEPTH][(size_t)SIDE + 1]);
    VDNN_SHARED(vdnn_cuda_four, right, [(size_t) DEPTH][(size_t)SIDE]);
    unsigned own = threadIdx.x, x = own % SIDE, y = own / SIDE;
    int group = (int)blockIdx.z, part = group % parts, first_row = (int)(blockIdx.y * TILE);
    int64_t first_column = (int64_t)blockIdx.x * TILE, column = first_column + own % TILE;
    int64_t end = vdnn_cuda_tile_part(depth, parts, part + 1);
    float sums[EACH][EACH] = {};
    for (int64_t at = vdnn_cuda_tile_part(depth, parts, part); at < end; at += DEPTH) {
        int64_t from = at + own % DEPTH;
        for (unsigned r = own / DEPTH; r < TILE; r += ROWS_AT_ONCE) {
            int row = first_row + (int)r;
            left[own % DEPTH][r / EACH].at[r % EACH] =
                row < rows && from < end ? problem.left(group, row, from) : 0.0F;
        }
        for (unsigned l = own / TILE; l < DEPTH; l += DEPTHS_AT_ONCE)
            right[l][own % TILE / EACH].at[own % EACH] =
                column < columns && at + l < end ? problem.right(group, at + l, column) : 0.0F;
        __syncthreads();
        for (unsigned l = 0; l < DEPTH; l++) {
            vdnn_cuda_four a = left[l][y], b = right[l][x];
            for (unsigned i = 0; i < EACH; i++)
                for (unsigned j = 0; j < EACH; j++)
                    sums[i][j] += a.at[i] * b.at[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < EACH; i++)
        for (unsigned j = 0; j < EACH; j++) {
            int row = first_row + (int)(y * EACH + i);
            int64_t to = first_column + x * EACH + j;
            if (row < rows && to < columns)
                problem.write(group, row, to, sums[i][j]);
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
