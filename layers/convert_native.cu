#include "layers/cuda_kernel.h"

/* Between channels that lie plane by plane and channels that lie beside each other: of each sample
 * a matrix is turned, in tiles, so that both sides are read and written in whole lines, each once.
 * A tile's row is 128 bytes of either, and a thread has all it reads of a tile under way. */

enum { LINE_BYTES = 128, BANK_BYTES = 4 };

template <class T> static constexpr int tile_of = LINE_BYTES / (int)sizeof(T);

/* Rows of a tile begin in another bank each, so that a column is read at once. */
template <class T> __global__ static void turn(const T *from, T *to, int64_t rows, int64_t columns)
{
    constexpr int TILE = tile_of<T>, ROWS_AT_ONCE = VDNN_CUDA_THREADS / TILE;
    constexpr int EACH = TILE / ROWS_AT_ONCE;
    VDNN_SHARED(T, tile, [(size_t) TILE][(size_t)TILE + BANK_BYTES / sizeof(T)]);
    int across = (int)threadIdx.x % TILE, down = (int)threadIdx.x / TILE;
    int64_t row = (int64_t)blockIdx.y * TILE, column = (int64_t)blockIdx.x * TILE;
    int64_t sample = blockIdx.z * rows * columns;
    T own[(size_t)EACH] = {};
    for (int k = 0; k < EACH; k++) {
        int64_t at = row + down + k * ROWS_AT_ONCE;
        if (at < rows && column + across < columns)
            own[k] = from[sample + at * columns + column + across];
    }
    for (int k = 0; k < EACH; k++)
        tile[down + k * ROWS_AT_ONCE][across] = own[k];
    __syncthreads();
    for (int k = 0; k < EACH; k++) {
        int at = down + k * ROWS_AT_ONCE;
        if (row + across < rows && column + at < columns)
            to[sample + (column + at) * rows + row + across] = tile[across][at];
    }
}

template <class T> static unsigned tiles_of(int64_t side)
{
    return (unsigned)((side + tile_of<T> - 1) / tile_of<T>);
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *x = &kernel->layer->x[0], *y = &kernel->layer->y;
    bool forward = kernel->pass == VDNN_FORWARD;
    const T *from = static_cast<const T *>(forward ? args->x[0] : args->dy);
    T *to = static_cast<T *>(forward ? args->y : args->dx[0]);
    if (x->layout == y->layout)
        return vdnn_cuda_copy(args, to, from, vdnn_desc_bytes(y));
    int64_t channels = x->dims[VDNN_C], cells = x->dims[VDNN_H] * x->dims[VDNN_W];
    bool is_from_plain = (forward ? x : y)->layout == VDNN_NCHW;
    int64_t rows = is_from_plain ? channels : cells, columns = is_from_plain ? cells : channels;
    VDNN_LAUNCH(turn<T>, dim3(tiles_of<T>(columns), tiles_of<T>(rows), (unsigned)x->dims[VDNN_N]),
                VDNN_CUDA_THREADS, vdnn_cuda_stream_of(args)->handle, from, to, rows, columns);
    return vdnn_cuda_launched("convert");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = 65535, TILE = tile_of<float>; /* blocks along y and z */
    const int64_t *d = kernel->layer->y.dims;
    if (kernel->layer->x[0].layout != kernel->layer->y.layout &&
        (d[VDNN_N] > MOST || d[VDNN_C] > MOST * TILE || d[VDNN_H] * d[VDNN_W] > MOST * TILE))
        return "a side of its maps is too long to be turned";
    return vdnn_cuda_free_refusal(kernel);
}

const vdnn_algorithm vdnn_convert_native_cuda =
    vdnn_cuda_row("convert", "native", VDNN_CUDA_DATA_PASSES, refusal, run);
