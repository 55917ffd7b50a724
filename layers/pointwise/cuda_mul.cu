#include "layers/cuda/pack.h"

/* In bf16 a product is rounded once per this many factors. */
enum { MOST_FACTORS = 16 };

/* to = the product of some maps, of which it may be one. Each is read, one written. */
template <class T> struct multiply_maps {
    const T *factors[MOST_FACTORS];
    int count;
    T *to;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight product = at.load(factors[0]);
        for (int i = 1; i < count; i++) {
            vdnn_cuda_eight factor = at.load(factors[i]);
            for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
                product.at[k] = vdnn_cuda_times(product.at[k], factor.at[k]);
        }
        at.store(to, product);
    }
};

template <class T>
static void launch_product(cudaStream_t stream, const vdnn_layer *layer,
                           const multiply_maps<T> &product)
{
    bool are_aligned = vdnn_cuda_are_aligned(product.to);
    for (int i = 0; i < product.count; i++)
        are_aligned = are_aligned && vdnn_cuda_are_aligned(product.factors[i]);
    vdnn_cuda_each<T>(stream, vdnn_desc_count(&layer->y), are_aligned, product);
}

/* to = `first`, if there is one, times all inputs but one, in their order. */
template <class T>
static void write_product(const vdnn_kernel *kernel, const vdnn_kernel_args *args, const T *first,
                          int32_t but, T *to)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const vdnn_layer *layer = kernel->layer;
    multiply_maps<T> product = {{first}, first != nullptr, to};
    for (int32_t i = 0; i < layer->input_count; i++) {
        if (i == but)
            continue;
        if (product.count == MOST_FACTORS) {
            launch_product(stream, layer, product);
            product.factors[0] = to;
            product.count = 1;
        }
        product.factors[product.count++] = static_cast<const T *>(args->x[i]);
    }
    launch_product(stream, layer, product);
}

/* What is written over dy comes last. */
template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    T *dy = static_cast<T *>(args->dy);
    if (kernel->pass == VDNN_FORWARD) {
        write_product<T>(kernel, args, nullptr, -1, static_cast<T *>(args->y));
        return vdnn_cuda_launched("mul forward");
    }
    int32_t over_dy = -1;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i] && args->dx[i] == args->dy)
            over_dy = i;
        else if (layer->wants_dx[i])
            write_product<T>(kernel, args, dy, i, static_cast<T *>(args->dx[i]));
    if (over_dy >= 0)
        write_product<T>(kernel, args, dy, over_dy, dy);
    return vdnn_cuda_launched("mul backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_mul_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("mul", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run),
    VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
