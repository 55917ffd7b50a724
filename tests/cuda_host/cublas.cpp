#include "tests/cuda_host/library.h"

#include <cstdint>
#include <cublas_v2.h>

struct cublasContext {
    cudaStream_t stream;
};

namespace
{

struct matrix {
    const float *at;
    int64_t lead, step;
    bool is_turned;

    float value(int64_t row, int64_t column) const
    {
        return is_turned ? at[column + row * lead] : at[row + column * lead];
    }
};

struct product {
    int m, n, k;
    float alpha, beta;
    matrix a, b;
    float *c;
    int64_t lead, step;
    int count;

    void column(int64_t j, int64_t batch) const
    {
        matrix left = a, right = b;
        left.at += batch * a.step;
        right.at += batch * b.step;
        float *to = c + batch * step + j * lead;
        for (int64_t i = 0; i < m; i++)
            to[i] = beta == 0 ? 0 : beta * to[i]; /* what is there need be no number */
        for (int64_t i = 0; left.is_turned && i < m; i++) {
            float sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += left.at[l + i * left.lead] * right.value(l, j);
            to[i] += alpha * sum;
        }
        for (int64_t l = 0; !left.is_turned && l < k; l++) {
            float factor = alpha * right.value(l, j);
            for (int64_t i = 0; i < m; i++)
                to[i] += left.at[i + l * left.lead] * factor;
        }
    }
};

cublasStatus_t multiply(cublasHandle_t handle, const product &p)
{
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (p.m < 0 || p.n < 0 || p.k < 0 || p.count < 0 || p.lead < p.m ||
        p.a.lead < (p.a.is_turned ? p.k : p.m) || p.b.lead < (p.b.is_turned ? p.n : p.k))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (vdnn_cuda_host::planned_error("cublas") != 0)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    vdnn_cuda_host::run_on(handle->stream, [p] {
        for (int64_t batch = 0; batch < p.count; batch++)
            for (int64_t j = 0; j < p.n; j++)
                p.column(j, batch);
    });
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (vdnn_cuda_host::planned_error("cublasCreate") != 0)
        return CUBLAS_STATUS_ALLOC_FAILED;
    *handle = new cublasContext{nullptr};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle;
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *block, size_t bytes)
{
    (void)handle;
    return block == nullptr && bytes != 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    (void)handle;
    (void)mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t a_is, cublasOperation_t b_is,
                              int m, int n, int k, const float *alpha, const float *a, int lda,
                              const float *b, int ldb, const float *beta, float *c, int ldc)
{
    return cublasSgemmStridedBatched(handle, a_is, b_is, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta,
                                     c, ldc, 0, 1);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t a_is,
                                         cublasOperation_t b_is, int m, int n, int k,
                                         const float *alpha, const float *a, int lda,
                                         long long a_step, const float *b, int ldb,
                                         long long b_step, const float *beta, float *c, int ldc,
                                         long long c_step, int count)
{
    return multiply(handle, {m,
                             n,
                             k,
                             *alpha,
                             *beta,
                             {a, lda, a_step, a_is == CUBLAS_OP_T},
                             {b, ldb, b_step, b_is == CUBLAS_OP_T},
                             c,
                             ldc,
                             c_step,
                             count});
}
