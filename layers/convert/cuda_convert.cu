#include "layers/cuda/pack.h"

/* Between nchw and nhwc: a matrix is transposed for each sample, in tiles, so that both sides are
 * read and written in whole lines, each once. A tile's row is 128 bytes of either, and a thread has
 * all its reads of a tile in flight.
 *
 * Padded channels of nhwc are in packs of 16 bytes: a thread has one, and neighbours in a warp have
 * adjacent cells, in whole lines of each plane. A picture's few channels, which would leave most
 * rows of a tile empty, are one pack. */

enum { LINE_BYTES = 128, BANK_BYTES = 4 };

template <class T> static constexpr int tile_of = LINE_BYTES / (int)sizeof(T);

/* Rows of a tile begin in different banks, so that a column is read without conflicts. */
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

/* A map in nchw and the packs of the same map. */
typedef struct pack_shape {
    vdnn_cuda_divisor cells, packs; /* of a cell */
    int64_t channels, count;
} pack_shape;

/* A pack's cell in the plane of its first channel, which is *first of *left channels. */
static __device__ __forceinline__ int64_t plane_place(const pack_shape &s, int64_t i, int pack,
                                                      int *left)
{
    int64_t cell = i % s.cells, line = i / s.cells;
    int64_t first = line % s.packs * pack;
    *left = (int)(s.channels - first < pack ? s.channels - first : pack);
    return (line / s.packs * s.channels + first) * s.cells.by + cell;
}

/* Index of pack i among those of its map. */
static __device__ __forceinline__ int64_t pack_place(const pack_shape &s, int64_t i)
{
    int64_t cell = i % s.cells, line = i / s.cells;
    return (line / s.packs * s.cells.by + cell) * s.packs.by + line % s.packs;
}

template <class T> __global__ static void pad(const T *from, T *to, pack_shape s)
{
    constexpr int COUNT = vdnn_cuda_pack<T>::COUNT;
    int64_t i = vdnn_cuda_index();
    if (i >= s.count)
        return;
    int left;
    int64_t place = plane_place(s, i, COUNT, &left);
    float own[(size_t)COUNT] = {};
    for (int k = 0; k < COUNT; k++)
        if (k < left)
            own[k] = from[place + k * s.cells.by];
    vdnn_cuda_repack(own, to + pack_place(s, i) * COUNT);
}

template <class T> __global__ static void unpad(const T *from, T *to, pack_shape s)
{
    constexpr int COUNT = vdnn_cuda_pack<T>::COUNT;
    int64_t i = vdnn_cuda_index();
    if (i >= s.count)
        return;
    int left;
    int64_t place = plane_place(s, i, COUNT, &left);
    float own[(size_t)COUNT];
    vdnn_cuda_unpack(from + pack_place(s, i) * COUNT, own);
    for (int k = 0; k < COUNT; k++)
        if (k < left)
            to[place + k * s.cells.by] = own[k];
}

template <class T>
static vdnn_status run_padded(const vdnn_layer *layer, bool is_from_plain, const T *from, T *to,
                              cudaStream_t stream)
{
    const vdnn_desc *padded = vdnn_cuda_is_padded(&layer->y) ? &layer->y : &layer->x[0];
    int64_t cells = padded->dims[VDNN_H] * padded->dims[VDNN_W];
    int64_t packs = vdnn_desc_channels(padded) / vdnn_cuda_pack<T>::COUNT;
    pack_shape s = {cells, packs, padded->dims[VDNN_C], padded->dims[VDNN_N] * packs * cells};
    VDNN_LAUNCH((is_from_plain ? pad<T> : unpad<T>), vdnn_cuda_blocks(s.count), VDNN_CUDA_THREADS,
                stream, from, to, s);
    return vdnn_cuda_launched("convert");
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
    if (vdnn_cuda_is_padded(x) || vdnn_cuda_is_padded(y))
        return run_padded(kernel->layer, is_from_plain, from, to,
                          vdnn_cuda_stream_of(args)->handle);
    int64_t rows = is_from_plain ? channels : cells, columns = is_from_plain ? cells : channels;
    VDNN_LAUNCH(turn<T>, dim3(tiles_of<T>(columns), tiles_of<T>(rows), (unsigned)x->dims[VDNN_N]),
                VDNN_CUDA_THREADS, vdnn_cuda_stream_of(args)->handle, from, to, rows, columns);
    return vdnn_cuda_launched("convert");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

/* Padding is in whole packs, on one side, with nchw on the other. */
static const char *refuse_padding(const vdnn_layer *layer)
{
    const vdnn_desc *x = &layer->x[0], *y = &layer->y;
    if (!vdnn_cuda_is_padded(x) && !vdnn_cuda_is_padded(y))
        return nullptr;
    const vdnn_desc *padded = vdnn_cuda_is_padded(y) ? y : x, *other = padded == y ? x : y;
    size_t cell = (size_t)vdnn_desc_channels(padded) * vdnn_dtype_bytes(padded->dtype);
    return other->layout == VDNN_NCHW && cell % VDNN_CUDA_PACK_BYTES == 0
               ? nullptr
               : "it pads only from and to nchw, to multiples of 16 bytes";
}

static const char *refuse_tiles(const vdnn_layer *layer)
{
    constexpr int64_t MOST = 65535, TILE = tile_of<float>; /* blocks along y and z */
    const int64_t *d = layer->y.dims;
    bool is_turned = layer->x[0].layout != layer->y.layout && !vdnn_cuda_is_padded(&layer->x[0]) &&
                     !vdnn_cuda_is_padded(&layer->y);
    return is_turned && (d[VDNN_N] > MOST || d[VDNN_C] > MOST * TILE ||
                         d[VDNN_H] * d[VDNN_W] > MOST * TILE)
               ? "a side of its maps is too long to be transposed"
               : nullptr;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const char *why = vdnn_cuda_padded_refusal(kernel);
    if (why == nullptr)
        why = refuse_padding(kernel->layer);
    return why != nullptr ? why : refuse_tiles(kernel->layer);
}

const vdnn_algorithm vdnn_convert_native_cuda =
    vdnn_cuda_invariant(vdnn_cuda_row("convert", "native", VDNN_CUDA_DATA_PASSES, refusal, run),
                        VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
