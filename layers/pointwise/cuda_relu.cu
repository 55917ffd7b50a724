#include "layers/cuda/pack.h"

/* Bytes moved per element of f32: forward 8, and an eighth for the mask; backward 8 and an eighth,
 * or 12 by y. Of bf16 half, except for the mask.
 *
 * A byte of the mask has the bits of a thread's eight elements, wherever those are: only the
 * backward here reads it. */

/* As forward: values that are not known to be zeroed are passed on. */
struct pass_by_y {
    __device__ float operator()(float y, float dy) const
    {
        return y <= 0 ? 0.0F : dy;
    }
};

template <class T> struct cut_with_mask {
    const T *x;
    T *y;
    uint8_t *mask;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight eight = at.load(x);
        unsigned bits = 0;
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            bits |= (unsigned)!(eight.at[k] <= 0) << k;
        at.store(y, vdnn_cuda_apply(vdnn_cuda_cut{}, eight));
        mask[at.group] = (uint8_t)bits;
    }
};

template <class T> struct pass_by_mask {
    const uint8_t *mask;
    const T *dy;
    T *dx;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight eight = at.load(dy);
        unsigned bits = mask[at.group];
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            eight.at[k] = bits >> k & 1 ? eight.at[k] : 0.0F;
        at.store(dx, eight);
    }
};

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t count = vdnn_desc_count(&layer->y);
    uint8_t *mask = static_cast<uint8_t *>(args->aux);
    T *y = static_cast<T *>(args->y);
    if (kernel->pass == VDNN_FORWARD) {
        const T *x = static_cast<const T *>(args->x[0]);
        if (layer->aux_bytes > 0)
            vdnn_cuda_each<T>(stream, count, vdnn_cuda_are_aligned(x, y),
                              cut_with_mask<T>{x, y, mask});
        else
            vdnn_cuda_map<T>(stream, count, vdnn_cuda_cut{}, y, x);
        return vdnn_cuda_launched("relu forward");
    }
    const T *dy = static_cast<const T *>(args->dy);
    T *dx = static_cast<T *>(args->dx[0]);
    if (layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_Y)
        vdnn_cuda_map<T>(stream, count, pass_by_y{}, dx, y, dy);
    else
        vdnn_cuda_each<T>(stream, count, vdnn_cuda_are_aligned(dy, dx),
                          pass_by_mask<T>{mask, dy, dx});
    return vdnn_cuda_launched("relu backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->x[0].dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_relu_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("relu", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run),
    VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
