#include "layers/cuda/pack.h"

/* In bf16 a sum is rounded once per this many inputs. */
enum { AT_ONCE = 8 };

/* In the order of the inputs. An element of each of them is read, one of y written. */
struct total {
    bool relu;

    template <class... Rest> __device__ float operator()(float sum, Rest... rest) const
    {
        ((sum = vdnn_cuda_plus(sum, rest)), ...);
        return relu ? vdnn_cuda_cut{}(sum) : sum;
    }
};

/* y = the sum of `from` and of the `left` inputs at x, or the first of them; the relu is for the
 * sum that has the last. */
template <class T, class... From>
static void add_up(cudaStream_t stream, const vdnn_layer *layer, T *y, void *const *x, int left,
                   const From *...from)
{
    constexpr size_t TAKEN = sizeof...(From);
    if constexpr (TAKEN < AT_ONCE) {
        if (left > 0)
            return add_up(stream, layer, y, x + 1, left - 1, from..., static_cast<const T *>(*x));
    }
    if constexpr (TAKEN > 0)
        vdnn_cuda_map<T>(stream, vdnn_desc_count(&layer->y),
                         total{layer->epilogue == VDNN_EPILOGUE_RELU && left == 0}, y, from...);
}

/* After the first pass y is the first input of the next. */
template <class T>
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const vdnn_layer *layer = kernel->layer;
    int inputs = layer->input_count;
    T *y = static_cast<T *>(args->y);
    const T *sum = y;
    add_up(stream, layer, y, args->x, inputs);
    for (int next = AT_ONCE; next < inputs; next += AT_ONCE - 1)
        add_up(stream, layer, y, args->x + next, inputs - next, sum);
    return vdnn_cuda_launched("add");
}

static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < layer->input_count; i++)
        if (layer->wants_dx[i] && args->dx[i] != args->dy)
            status = vdnn_cuda_copy(args, args->dx[i], args->dy, vdnn_desc_bytes(&layer->y));
    return status;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return kernel->pass == VDNN_FORWARD
               ? VDNN_CUDA_AS(kernel->layer->y.dtype, forward, kernel, args)
               : backward(kernel, args);
}

const vdnn_algorithm vdnn_add_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("add", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run),
    VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
