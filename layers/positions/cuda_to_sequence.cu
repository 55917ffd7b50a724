#include "layers/cuda/kernel.h"

/* Transposes of matrices, one a sample, through tiles in shared memory, so that both sides are read
 * and written in rows. A block of 256 threads has a tile of 32 x 32. */
constexpr int TILE = 32, TILE_ROWS = VDNN_CUDA_THREADS / TILE;

template <class T>
__global__ static void turn_matrices(const T *from, T *to, int64_t rows, int64_t columns,
                                     int64_t tiles_down, int64_t tiles_across)
{
    VDNN_SHARED(float, tile, [(size_t) TILE][(size_t)(TILE + 1)]);
    int64_t sample = blockIdx.x / (tiles_down * tiles_across);
    int64_t row = blockIdx.x / tiles_across % tiles_down * TILE;
    int64_t column = blockIdx.x % tiles_across * TILE;
    int x = (int)threadIdx.x % TILE, y = (int)threadIdx.x / TILE;
    from += sample * rows * columns;
    to += sample * rows * columns;
    for (int r = y; r < TILE; r += TILE_ROWS)
        if (row + r < rows && column + x < columns)
            tile[r][x] = from[(row + r) * columns + column + x];
    __syncthreads();
    for (int r = y; r < TILE; r += TILE_ROWS)
        if (column + r < columns && row + x < rows)
            to[(column + r) * rows + row + x] = tile[x][r];
}

static int64_t tiles_of(int64_t length)
{
    return (length + TILE - 1) / TILE;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const int64_t *dims = kernel->layer->y.dims;
    bool is_forward = kernel->pass == VDNN_FORWARD;
    int64_t rows = dims[is_forward ? VDNN_FEATURES : VDNN_POSITIONS];
    int64_t columns = dims[is_forward ? VDNN_POSITIONS : VDNN_FEATURES];
    int64_t down = tiles_of(rows), across = tiles_of(columns);
    VDNN_LAUNCH(turn_matrices<T>, (unsigned)(dims[VDNN_N] * down * across), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle,
                static_cast<const T *>(is_forward ? args->x[0] : args->dy),
                static_cast<T *>(is_forward ? args->y : args->dx[0]), rows, columns, down, across);
    return vdnn_cuda_launched("to_sequence");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const int64_t *dims = kernel->layer->y.dims;
    const char *why = vdnn_cuda_refusal(kernel);
    bool is_large =
        dims[VDNN_N] * tiles_of(dims[VDNN_POSITIONS]) * tiles_of(dims[VDNN_FEATURES]) > INT32_MAX;
    return why == nullptr && is_large ? "its map has more than 2^31 tiles" : why;
}

const vdnn_algorithm vdnn_to_sequence_native_cuda =
    vdnn_cuda_invariant(vdnn_cuda_row("to_sequence", "native", VDNN_CUDA_DATA_PASSES, refusal, run),
                        VDNN_CUDA_DATA_PASSES);
