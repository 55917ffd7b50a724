#include "layers/cuda_kernel.h"

/* There is one form of maps here: what is converted is copied. */
static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    bool forward = kernel->pass == VDNN_FORWARD;
    return vdnn_cuda_copy(args, forward ? args->y : args->dx[0], forward ? args->x[0] : args->dy,
                          vdnn_desc_bytes(&kernel->layer->y));
}

const vdnn_algorithm vdnn_convert_native_cuda =
    vdnn_cuda_row("convert", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run);
