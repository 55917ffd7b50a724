#include "layers/cuda/epilogue.h"

extern "C" {
#include "layers/conv_transpose/conv_transpose.h"
#include "layers/registry.h"
}

/* A convolution's passes, exchanged, and the bias after them. */

static vdnn_status ask(const vdnn_kernel *kernel, vdnn_offer *offer)
{
    vdnn_status status = vdnn_conv_mirror_ask(kernel, offer);
    if (status == VDNN_OK && offer->refusal == nullptr)
        offer->workspace_bytes = vdnn_cuda_epilogue_room(kernel, offer->workspace_bytes);
    return status;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_status status = vdnn_conv_mirror_run(kernel, args);
    VDNN_IF_OK(status, vdnn_cuda_epilogue_add(kernel, args));
    return vdnn_cuda_epilogue_finish(kernel, args, status);
}

static constexpr vdnn_algorithm row_of(const vdnn_algorithm *conv, const char *name)
{
    vdnn_algorithm row =
        vdnn_cuda_row("conv_transpose", name, VDNN_CUDA_ALL_PASSES, nullptr, run, nullptr, conv);
    row.ask = ask;
    row.create = vdnn_conv_mirror_create;
    row.destroy = vdnn_conv_mirror_destroy;
    return row;
}

const vdnn_algorithm vdnn_conv_transpose_implicit_cuda = vdnn_cuda_reference(
    vdnn_cuda_invariant(row_of(&vdnn_conv_implicit_cuda, "implicit"), VDNN_CUDA_DATA_PASSES));
const vdnn_algorithm vdnn_conv_transpose_gemm_cuda = row_of(&vdnn_conv_gemm_cuda, "gemm");
const vdnn_algorithm vdnn_conv_transpose_gemm_16_cuda = row_of(&vdnn_conv_gemm_16_cuda, "gemm_16");
const vdnn_algorithm vdnn_conv_transpose_gemm_nhwc_cuda =
    row_of(&vdnn_conv_gemm_nhwc_cuda, "gemm_nhwc");
const vdnn_algorithm vdnn_conv_transpose_gemm_nhwc_16_cuda =
    row_of(&vdnn_conv_gemm_nhwc_16_cuda, "gemm_nhwc_16");

/* Of maps in bf16 the gradient is too. */
static constexpr vdnn_algorithm rounding(vdnn_algorithm row)
{
    row.rounds_gradient = true;
    return row;
}

const vdnn_algorithm vdnn_conv_transpose_cudnn_precomputed_cuda =
    rounding(row_of(&vdnn_conv_cudnn_precomputed_cuda, "cudnn_precomputed"));
