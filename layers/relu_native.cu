#include "layers/cuda_kernel.h"

/* NaN is passed on, both ways: only what is known to be at most zero is cut. */

enum { BITS = 8 };

/* A thread has the elements of one byte of the mask. */
template <class T>
__global__ static void forward_with_mask(const T *x, T *y, uint8_t *mask, int64_t count)
{
    int64_t byte = vdnn_cuda_index(), first = byte * BITS;
    unsigned bits = 0;
    for (int k = 0; k < BITS && first + k < count; k++) {
        float value = x[first + k];
        bool is_cut = value <= 0;
        y[first + k] = is_cut ? 0.0F : value;
        bits |= (unsigned)!is_cut << k;
    }
    if (first < count)
        mask[byte] = (uint8_t)bits;
}

template <class T> __global__ static void forward_alone(const T *x, T *y, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        y[i] = (float)x[i] <= 0 ? 0.0F : (float)x[i];
}

template <class T>
__global__ static void backward_by_mask(const uint8_t *mask, const T *dy, T *dx, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        dx[i] = mask[i / BITS] >> (i % BITS) & 1 ? (float)dy[i] : 0.0F;
}

template <class T>
__global__ static void backward_by_y(const T *y, const T *dy, T *dx, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        dx[i] = (float)y[i] <= 0 ? 0.0F : (float)dy[i];
}

template <class T>
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t count = vdnn_desc_count(&layer->y);
    const T *x = static_cast<const T *>(args->x[0]);
    T *y = static_cast<T *>(args->y);
    if (layer->aux_bytes > 0)
        VDNN_LAUNCH(forward_with_mask<T>, vdnn_cuda_blocks((count + BITS - 1) / BITS),
                    VDNN_CUDA_THREADS, stream, x, y, static_cast<uint8_t *>(args->aux), count);
    else
        VDNN_LAUNCH(forward_alone<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, x, y,
                    count);
    return vdnn_cuda_launched("relu forward");
}

template <class T>
static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t count = vdnn_desc_count(&layer->y);
    const T *dy = static_cast<const T *>(args->dy);
    T *dx = static_cast<T *>(args->dx[0]);
    if (layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_Y)
        VDNN_LAUNCH(backward_by_y<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                    static_cast<const T *>(args->y), dy, dx, count);
    else
        VDNN_LAUNCH(backward_by_mask<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                    static_cast<const uint8_t *>(args->aux), dy, dx, count);
    return vdnn_cuda_launched("relu backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_dtype dtype = kernel->layer->x[0].dtype;
    return kernel->pass == VDNN_FORWARD ? VDNN_CUDA_AS(dtype, forward, kernel, args)
                                        : VDNN_CUDA_AS(dtype, backward, kernel, args);
}

const vdnn_algorithm vdnn_relu_native_cuda =
    vdnn_cuda_row("relu", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run);
