#include "layers/cuda/pack.h"

extern "C" {
#include "layers/positions/slice.h"
}

/* `to` is a range of `from`, or has it and zeros around it: element i of a sample of `to` is
 * element i + shift of one of `from`, if there is one. */
template <class T> struct slice_samples {
    const T *from;
    T *to;
    vdnn_cuda_divisor of_to;
    int64_t of_from, shift;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight values;
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            int64_t i = at.has(k) ? at.element(k) : 0, sample = i / of_to;
            int64_t within = i - sample * of_to.by + shift;
            bool has_one = within >= 0 && within < of_from;
            values.at[k] = has_one ? (float)from[sample * of_from + within] : 0;
        }
        at.store(to, values);
    }
};

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_slice_shape s = vdnn_slice_shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool is_forward = kernel->pass == VDNN_FORWARD;
    const T *from = static_cast<const T *>(is_forward ? args->x[0] : args->dy);
    T *to = static_cast<T *>(is_forward ? args->y : args->dx[0]);
    int64_t of_from = is_forward ? s.of_x : s.of_y, of_to = is_forward ? s.of_y : s.of_x;
    vdnn_cuda_each<T>(stream, s.samples * of_to, vdnn_cuda_are_aligned(to),
                      slice_samples<T>{from, to, of_to, of_from, is_forward ? s.first : -s.first});
    return vdnn_cuda_launched("slice");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_slice_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("slice", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run),
    VDNN_CUDA_DATA_PASSES);
