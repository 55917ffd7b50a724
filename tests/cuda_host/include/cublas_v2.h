#ifndef VDNN_TESTS_CUDA_HOST_INCLUDE_CUBLAS_V2_H
#define VDNN_TESTS_CUDA_HOST_INCLUDE_CUBLAS_V2_H

/* The part of cuBLAS that vdnn uses, as the emulation has it. Matrices are column-major.
 *
 * Invariant: whatever compiles with this header compiles with the toolkit's; products run on the
 * handle's stream, in its order.
 * Threads: a handle is used by one at a time.
 *
 *     cublasCreate(&handle);
 *     cublasSetStream(handle, stream);
 *     cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &one, a, CUDA_R_32F, m, ...);
 *     cublasDestroy(handle);
 */

#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_EXECUTION_FAILED = 13
} cublasStatus_t;

typedef enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum cublasComputeType_t {
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1 } cublasGemmAlgo_t;
typedef struct cublasContext *cublasHandle_t;

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *block, size_t bytes);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_is, cublasOperation_t b_is,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType_t a_type, int lda, const void *b, cudaDataType_t b_type,
                            int ldb, const void *beta, void *c, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t a_is,
                                          cublasOperation_t b_is, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType_t a_type,
                                          int lda, long long a_step, const void *b,
                                          cudaDataType_t b_type, int ldb, long long b_step,
                                          const void *beta, void *c, cudaDataType_t c_type, int ldc,
                                          long long c_step, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}
#endif

#endif
