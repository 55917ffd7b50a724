#ifndef VDNN_LAYERS_NORM_CUDA_ROWS_H
#define VDNN_LAYERS_NORM_CUDA_ROWS_H

/* Contiguous rows of a map, each normalized by a block of the card, which reads its elements again
 * from the caches for each sum and for what it writes.
 *
 * Invariant: a sum is the same for rows that are aligned and for others that are read element by
 * element, but for the order of its terms, which is that of the width alone.
 * Threads: the one that drives the device.
 *
 *     vdnn_norm_each<T, THREADS>(s, [&](const auto &at) { sum += ... at.load(x) ...; });
 *     float mean = vdnn_cuda_sum<float, THREADS>(sum) / (float)s.width;
 */

#include "layers/cuda/pack.h"

enum { VDNN_NORM_FEW_THREADS = 32 }; /* of a block, for short rows */

typedef struct vdnn_norm_rows {
    int64_t rows, width;
    int64_t statistics; /* of a row: 2 with the mean, which comes first, else 1 */
    float eps;
    bool recompute, is_aligned;
} vdnn_norm_rows;

/* action(place) for all elements of the block's row. */
template <class T, int THREADS, class Action>
static __device__ __forceinline__ void vdnn_norm_each(const vdnn_norm_rows &s, const Action &action)
{
    int64_t groups = (s.width + VDNN_CUDA_EIGHT - 1) / VDNN_CUDA_EIGHT;
    for (int64_t group = threadIdx.x; group < groups; group += THREADS)
        vdnn_cuda_act<T>(group, s.width, s.is_aligned, action);
}

template <int THREADS>
static __device__ __forceinline__ float vdnn_norm_mean(const vdnn_norm_rows &s, float part)
{
    return vdnn_cuda_sum<float, THREADS>(part) / (float)s.width;
}

/* The sum of f(k) over the elements of a place. */
template <class Place, class Function>
static __device__ __forceinline__ float vdnn_norm_total(const Place &at, const Function &f)
{
    float sum = 0;
    for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
        sum += at.has(k) ? f(k) : 0.0F;
    return sum;
}

/* The mean of the row at x, if it has one, and 1 / std, to `to`, for all threads of the block. */
template <class T, int THREADS>
static __device__ void vdnn_norm_find(const vdnn_norm_rows &s, const T *x, float *to)
{
    float mean = 0;
    if (s.statistics == 2) {
        float part = 0;
        vdnn_norm_each<T, THREADS>(s, [&](const auto &at) {
            vdnn_cuda_eight of = at.load(x);
            part += vdnn_norm_total(at, [&](int k) { return of.at[k]; });
        });
        mean = vdnn_norm_mean<THREADS>(s, part);
    }
    float part = 0;
    vdnn_norm_each<T, THREADS>(s, [&](const auto &at) {
        vdnn_cuda_eight of = at.load(x);
        part += vdnn_norm_total(at, [&](int k) { return (of.at[k] - mean) * (of.at[k] - mean); });
    });
    float r = 1 / vdnn_cuda_root(vdnn_norm_mean<THREADS>(s, part) + s.eps);
    if (threadIdx.x == 0) {
        to[0] = mean;
        to[s.statistics - 1] = r;
    }
    __syncthreads();
}

static inline const float *vdnn_norm_param(const vdnn_layer *layer, const vdnn_kernel_args *args,
                                           int32_t p)
{
    const char *block = static_cast<const char *>(args->w);
    return block == nullptr || p >= layer->param_count
               ? nullptr
               : reinterpret_cast<const float *>(block + layer->params[p].offset);
}

/* Whether packs of the rows of all maps that the pass has can be read. */
template <class T>
static inline bool vdnn_norm_are_aligned(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                         int64_t width)
{
    const bool forward = kernel->pass == VDNN_FORWARD;
    const void *dx = kernel->pass == VDNN_BACKWARD_DATA ? args->dx[0] : nullptr;
    return width * (int64_t)sizeof(T) % VDNN_CUDA_PACK_BYTES == 0 &&
           vdnn_cuda_are_aligned(static_cast<const char *>(args->x[0]),
                                 static_cast<const char *>(forward ? args->y : args->dy),
                                 static_cast<const char *>(dx));
}

#endif
