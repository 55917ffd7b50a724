#include "layers/cuda/pack.h"

extern "C" {
#include "layers/positions/parameter.h"
}

/* y, element by element: x + w, or w and then x. */
template <class T> struct parameter_join {
    const T *x;
    const float *w;
    T *y;
    vdnn_cuda_divisor of_y;
    int64_t of_x, first;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight values;
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            int64_t i = at.has(k) ? at.element(k) : 0, sample = i / of_y;
            int64_t within = i - sample * of_y.by;
            if (first == 0)
                values.at[k] = (float)x[i] + w[within];
            else
                values.at[k] =
                    within < first ? w[within] : (float)x[sample * of_x + within - first];
        }
        at.store(y, values);
    }
};

/* What of dy is x's. */
template <class T> struct parameter_gradient {
    const T *dy;
    T *dx;
    vdnn_cuda_divisor of_x;
    int64_t of_y, first;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight values;
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            int64_t i = at.has(k) ? at.element(k) : 0, sample = i / of_x;
            values.at[k] = (float)dy[sample * of_y + first + i - sample * of_x.by];
        }
        at.store(dx, values);
    }
};

/* A thread has an element, and adds in the order of the samples. */
template <class T>
__global__ static void sum_samples(const T *dy, float *dw, vdnn_parameter_shape s, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    float sum = 0;
    for (int64_t n = 0; n < s.samples && i < s.of_w; n++)
        sum += (float)dy[n * s.of_y + i];
    dw[i] = sum;
}

template <class T>
static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                     const vdnn_parameter_shape &s)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const T *dy = static_cast<const T *>(args->dy);
    int64_t count = kernel->layer->params[0].count;
    if (kernel->pass == VDNN_BACKWARD_DATA && args->dx[0] != args->dy) {
        T *dx = static_cast<T *>(args->dx[0]);
        vdnn_cuda_each<T>(stream, s.samples * s.of_x, vdnn_cuda_are_aligned(dx),
                          parameter_gradient<T>{dy, dx, s.of_x, s.of_y, s.first});
    }
    if (vdnn_layer_writes_dw(kernel->layer, kernel->pass))
        VDNN_LAUNCH(sum_samples<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, dy,
                    static_cast<float *>(args->dw), s, count);
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_parameter_shape s = vdnn_parameter_shape_of(kernel->layer);
    if (kernel->pass != VDNN_FORWARD) {
        backward<T>(kernel, args, s);
        return vdnn_cuda_launched("parameter backward");
    }
    T *y = static_cast<T *>(args->y);
    vdnn_cuda_each<T>(
        vdnn_cuda_stream_of(args)->handle, s.samples * s.of_y, vdnn_cuda_are_aligned(y),
        parameter_join<T>{static_cast<const T *>(args->x[0]), static_cast<const float *>(args->w),
                          y, s.of_y, s.of_x, s.first});
    return vdnn_cuda_launched("parameter forward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_parameter_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("parameter", "native", VDNN_CUDA_ALL_PASSES, vdnn_cuda_refusal, run),
    VDNN_CUDA_DATA_PASSES);
