#include "runtime/device/cuda/libraries.h"

#include "layers/cuda/fft.h"

enum { BLAS_WORKSPACE_BYTES = 32 << 20 };

/* A fixed workspace, which the library would otherwise allocate at will: the same bits every time.
 * Partial sums are never rounded to bf16; each product states whether it may be tf32. */
static vdnn_status open_blas(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries)
{
    const vdnn_cuda_blas *blas = libraries->blas = vdnn_cuda_blas_find();
    if (blas == NULL)
        return VDNN_OK;
    VDNN_TRY(vdnn_cuda_blas_status("cublasCreate", blas->create(&stream->blas)));
    VDNN_TRY(
        vdnn_cuda_blas_status("cublasSetStream", blas->set_stream(stream->blas, stream->handle)));
    VDNN_TRY(VDNN_CUDA_CALL(cudaMalloc, &libraries->blas_workspace, BLAS_WORKSPACE_BYTES));
    VDNN_TRY(vdnn_cuda_blas_status(
        "cublasSetWorkspace",
        blas->set_workspace(stream->blas, libraries->blas_workspace, BLAS_WORKSPACE_BYTES)));
    VDNN_TRY(vdnn_cuda_blas_status(
        "cublasSetMathMode",
        blas->set_math_mode(stream->blas, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)));
    return vdnn_cuda_blas_status("cublasGetVersion",
                                 blas->version(stream->blas, &libraries->blas_version));
}

static void close_dnn(vdnn_cuda_stream *stream, const vdnn_cuda_libraries *libraries)
{
    if (stream->dnn != NULL)
        (void)libraries->dnn->destroy(stream->dnn);
    stream->dnn = NULL;
}

/* Handles take memory of the card when they are created: the one for queries too. If they cannot be
 * created cuDNN is treated as missing; there are other algorithms. */
static void open_dnn(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries)
{
    vdnn_dnn_handle asked, made = NULL;
    const vdnn_cuda_dnn *dnn = vdnn_cuda_dnn_find();
    if (dnn == NULL)
        return;
    vdnn_status status = vdnn_cuda_dnn_begin(&asked);
    if (status == VDNN_OK) {
        vdnn_cuda_dnn_end();
        status = vdnn_cuda_dnn_status("cudnnCreate", dnn->create(&made));
    }
    VDNN_IF_OK(status,
               vdnn_cuda_dnn_status("cudnnSetStream", dnn->set_stream(made, stream->handle)));
    libraries->dnn = dnn;
    stream->dnn = made;
    if (status == VDNN_OK) {
        libraries->dnn_version = dnn->version();
        return;
    }
    vdnn_cuda_dnn_give_up(vdnn_status_message());
    close_dnn(stream, libraries);
}

vdnn_status vdnn_cuda_libraries_open(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries)
{
    *libraries = (vdnn_cuda_libraries){0};
    vdnn_status status = open_blas(stream, libraries);
    VDNN_IF_OK(status, vdnn_cuda_dnn_check_version());
    if (status == VDNN_OK)
        open_dnn(stream, libraries);
    return status;
}

void vdnn_cuda_libraries_close(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries)
{
    close_dnn(stream, libraries);
    if (stream->blas != NULL)
        (void)libraries->blas->destroy(stream->blas);
    if (libraries->blas_workspace != NULL)
        (void)cudaFree(libraries->blas_workspace);
    vdnn_cuda_fft_trim();
    stream->blas = NULL;
    *libraries = (vdnn_cuda_libraries){0};
}
