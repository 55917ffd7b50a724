#ifndef VDNN_LAYERS_CUDA_BLAS_H
#define VDNN_LAYERS_CUDA_BLAS_H

/* cuBLAS, where it is found when the program runs.
 *
 * Invariant: either all functions of the table were found or there is no table.
 * Threads: any; a handle is used by one at a time.
 *
 *     const vdnn_cuda_blas *blas = vdnn_cuda_blas_find();
 *     if (blas == NULL) return vdnn_cuda_blas_lack();     // a refusal
 *     blas->create(&handle);
 *     status = vdnn_cuda_blas_status("cublasSgemm", blas->sgemm(handle, ...));
 */

#include "runtime/status.h"

#include <cublas_v2.h>

/* member, function; its symbol has a version in its name where the toolkit's header gives it one */
#define VDNN_CUDA_BLAS_TABLE(X)                                                                    \
    X(create, cublasCreate_v2)                                                                     \
    X(destroy, cublasDestroy_v2)                                                                   \
    X(version, cublasGetVersion_v2)                                                                \
    X(set_stream, cublasSetStream_v2)                                                              \
    X(set_workspace, cublasSetWorkspace_v2)                                                        \
    X(set_math_mode, cublasSetMathMode)                                                            \
    X(sgemm, cublasSgemm_v2)                                                                       \
    X(sgemm_strided_batched, cublasSgemmStridedBatched)

typedef struct vdnn_cuda_blas {
#define X(member, function) __typeof__(function) *member;
    VDNN_CUDA_BLAS_TABLE(X)
#undef X
} vdnn_cuda_blas;

/* Looks for it once; NULL: not found. */
const vdnn_cuda_blas *vdnn_cuda_blas_find(void);

/* NULL where it was found, else why not, as a refusal says it. */
const char *vdnn_cuda_blas_lack(void);

/* VDNN_OK, or VDNN_DEVICE with the number that cuBLAS gave. */
vdnn_status vdnn_cuda_blas_status(const char *call, cublasStatus_t status);

#endif
