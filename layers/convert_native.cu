#include "layers/cuda_kernel.h"

/* Between channels that lie plane by plane and channels that lie beside each other: of each sample
 * a matrix is turned, in tiles, so that both sides are read and written in whole lines. */

enum { TILE = 32, ROWS_AT_ONCE = VDNN_CUDA_THREADS / TILE };

template <class T> __global__ static void turn(const T *from, T *to, int64_t rows, int64_t columns)
{
    VDNN_SHARED(T, tile, [TILE][TILE + 1]);
    int across = (int)threadIdx.x % TILE, down = (int)threadIdx.x / TILE;
    int64_t row = (int64_t)blockIdx.y * TILE, column = (int64_t)blockIdx.x * TILE;
    int64_t sample = blockIdx.z * rows * columns;
    for (int k = down; k < TILE; k += ROWS_AT_ONCE)
        if (row + k < rows && column + across < columns)
            tile[k][across] = from[sample + (row + k) * columns + column + across];
    __syncthreads();
    for (int k = down; k < TILE; k += ROWS_AT_ONCE)
        if (row + across < rows && column + k < columns)
            to[sample + (column + k) * rows + row + across] = tile[across][k];
}

static unsigned tiles_of(int64_t side)
{
    return (unsigned)((side + TILE - 1) / TILE);
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
    VDNN_LAUNCH(turn<T>, dim3(tiles_of(columns), tiles_of(rows), (unsigned)x->dims[VDNN_N]),
                VDNN_CUDA_THREADS, vdnn_cuda_stream_of(args)->handle, from, to, rows, columns);
    return vdnn_cuda_launched("convert");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = 65535; /* blocks along y and z */
    const int64_t *d = kernel->layer->y.dims;
    if (kernel->layer->x[0].layout != kernel->layer->y.layout &&
        (d[VDNN_N] > MOST || d[VDNN_C] > MOST * TILE || d[VDNN_H] * d[VDNN_W] > MOST * TILE))
        return "a side of its maps is too long to be turned";
    return vdnn_cuda_free_refusal(kernel);
}

const vdnn_algorithm vdnn_convert_native_cuda =
    vdnn_cuda_row("convert", "native", VDNN_CUDA_DATA_PASSES, refusal, run);
