#include "layers/cuda/pack.h"

/* The elements stay in their order: in place there is nothing to do. */
static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const bool forward = kernel->pass == VDNN_FORWARD;
    const void *from = forward ? args->x[0] : args->dy;
    void *to = forward ? args->y : args->dx[0];
    return to == from ? VDNN_OK
                      : vdnn_cuda_copy(args, to, from, vdnn_desc_bytes(&kernel->layer->y));
}

const vdnn_algorithm vdnn_flatten_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("flatten", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run),
    VDNN_CUDA_DATA_PASSES, 0);
