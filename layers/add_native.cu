#include "layers/cuda_kernel.h"

/* In bf16 a sum is rounded once for so many inputs. */
enum { AT_ONCE = 8 };

template <class T> struct add_inputs {
    const T *of[AT_ONCE];
    int count;
};

/* In the order of the inputs. */
template <class T> __global__ static void add_all(add_inputs<T> inputs, T *y, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    float sum = inputs.of[0][i];
    for (int k = 1; k < inputs.count; k++)
        sum += inputs.of[k][i];
    y[i] = sum;
}

/* Behind the first so many inputs y goes on as the first one. */
template <class T>
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_count(&kernel->layer->y);
    T *y = static_cast<T *>(args->y);
    for (int32_t next = 0; next < kernel->layer->input_count;) {
        add_inputs<T> inputs = {};
        if (next > 0)
            inputs.of[inputs.count++] = y;
        while (inputs.count < AT_ONCE && next < kernel->layer->input_count)
            inputs.of[inputs.count++] = static_cast<const T *>(args->x[next++]);
        VDNN_LAUNCH(add_all<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                    vdnn_cuda_stream_of(args)->handle, inputs, y, count);
    }
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

const vdnn_algorithm vdnn_add_native_cuda =
    vdnn_cuda_row("add", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run);
