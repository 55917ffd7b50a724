#ifndef VDNN_LAYERS_CUDA_BLAS_H
#define VDNN_LAYERS_CUDA_BLAS_H

/* cuBLAS, if it is found when the program runs.
 *
 * Invariant: either all functions of the table were found, in version 12 or 13, or there is none.
 * Threads: any; a handle is used by one at a time.
 *
 *     const vdnn_cuda_blas *blas = vdnn_cuda_blas_find();
 *     if (blas == NULL) return vdnn_cuda_blas_lack();     // a refusal
 *     blas->create(&handle);
 *     vdnn_cuda_product product = {.a_is = CUBLAS_OP_N, .m = 4, ..., .in = VDNN_F32};
 *     status = vdnn_cuda_blas_multiply(stream, &product);
 */

#include "layers/cuda/stream.h"
#include "layers/tensor.h"
#include "runtime/base/status.h"

#include <cublas_v2.h>

/* member, function; its symbol has a version in its name if the toolkit's header gives it one */
#define VDNN_CUDA_BLAS_TABLE(X)                                                                    \
    X(property, cublasGetProperty)                                                                 \
    X(create, cublasCreate_v2)                                                                     \
    X(destroy, cublasDestroy_v2)                                                                   \
    X(version, cublasGetVersion_v2)                                                                \
    X(set_stream, cublasSetStream_v2)                                                              \
    X(set_workspace, cublasSetWorkspace_v2)                                                        \
    X(set_math_mode, cublasSetMathMode)                                                            \
    X(gemm, cublasGemmEx)                                                                          \
    X(gemm_batched, cublasGemmStridedBatchedEx)

typedef struct vdnn_cuda_blas vdnn_cuda_blas;

#ifndef __cplusplus /* for which the toolkit's header overloads some of the names */
struct vdnn_cuda_blas {
#define X(member, function) __typeof__(function) *member;
    VDNN_CUDA_BLAS_TABLE(X)
#undef X
};
#endif

/* Looks for it once; NULL: not found, or of another version. */
const vdnn_cuda_blas *vdnn_cuda_blas_find(void);

/* NULL if it was found, else why not, as text for a refusal. */
const char *vdnn_cuda_blas_lack(void);

/* `count` products of dense column-major matrices at constant strides: c (m x n) = a (m x k) * b (k
 * x n), + beta * c. Sums are made in f32. */
typedef struct vdnn_cuda_product {
    cublasOperation_t a_is, b_is;
    int m, n, k;
    const void *a;
    int64_t a_step;
    const void *b;
    int64_t b_step;
    void *c;
    int64_t c_step;
    int a_lead, b_lead, c_lead; /* from a column to the next; 0: contiguous */
    int count;
    vdnn_dtype in, out; /* of a and b; of c: that, or f32 */
    float beta;
    bool is_complex; /* elements are pairs of f32, steps and leads count pairs */
} vdnn_cuda_product;

/* Enqueues them. */
vdnn_status vdnn_cuda_blas_multiply(const vdnn_cuda_stream *stream,
                                    const vdnn_cuda_product *product);

/* VDNN_OK, or VDNN_DEVICE with cuBLAS's status. */
vdnn_status vdnn_cuda_blas_status(const char *call, cublasStatus_t status);

#endif
