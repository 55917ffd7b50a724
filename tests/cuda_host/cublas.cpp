#include "tests/cuda_host/library.h"
#include "tests/cuda_host/scalar.h"

#include <complex>
#include <cstdint>
#include <cublas_v2.h>
#include <vector>

struct cublasContext {
    const int card = vdnn_cuda_host::current_card();
    cudaStream_t stream = nullptr;
};

namespace
{

using vdnn_cuda_host::scalar;

struct matrix {
    const void *at;
    int64_t lead, step;
    bool is_turned, is_half;

    float value(int64_t row, int64_t column, int64_t batch) const
    {
        int64_t place = is_turned ? column + row * lead : row + column * lead;
        return scalar::read(is_half, at, batch * step + place);
    }
};

struct product {
    int m, n, k;
    float alpha, beta;
    matrix a, b, c;
    int count;

    /* What is there need be no number where beta is 0. */
    void column(int64_t j, int64_t batch, std::vector<float> &sums) const
    {
        sums.assign((size_t)m, 0);
        for (int64_t l = 0; l < k; l++) {
            float factor = alpha * b.value(l, j, batch);
            for (int64_t i = 0; i < m; i++)
                sums[(size_t)i] += a.value(i, l, batch) * factor;
        }
        for (int64_t i = 0; i < m; i++) {
            float before = beta == 0 ? 0 : beta * c.value(i, j, batch);
            scalar::write(c.is_half, const_cast<void *>(c.at), batch * c.step + i + j * c.lead,
                          before + sums[(size_t)i]);
        }
    }
};

/* The same of complex elements. */
struct complex_product {
    using value = std::complex<float>;

    cublasOperation_t a_is, b_is;
    product p;

    static value read(const matrix &from, cublasOperation_t is, int64_t row, int64_t column,
                      int64_t batch)
    {
        int64_t place = is == CUBLAS_OP_N ? row + column * from.lead : column + row * from.lead;
        value found = static_cast<const value *>(from.at)[batch * from.step + place];
        return is == CUBLAS_OP_C ? std::conj(found) : found;
    }

    void run() const
    {
        value *c = static_cast<value *>(const_cast<void *>(p.c.at));
        for (int64_t batch = 0; batch < p.count; batch++)
            for (int64_t j = 0; j < p.n; j++)
                for (int64_t i = 0; i < p.m; i++) {
                    value sum = 0, *to = &c[batch * p.c.step + i + j * p.c.lead];
                    for (int64_t l = 0; l < p.k; l++)
                        sum += read(p.a, a_is, i, l, batch) * read(p.b, b_is, l, j, batch);
                    *to = p.beta == 0 ? sum : p.beta * *to + sum;
                }
    }
};

/* Whether the sizes agree and the call is not to fail. */
cublasStatus_t check(cublasHandle_t handle, const product &p)
{
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (p.m < 0 || p.n < 0 || p.k < 0 || p.count < 0 || p.c.lead < p.m ||
        p.a.lead < (p.a.is_turned ? p.k : p.m) || p.b.lead < (p.b.is_turned ? p.n : p.k) ||
        p.a.is_half != p.b.is_half || (p.c.is_half && !p.a.is_half))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (vdnn_cuda_host::library_error("cublas") != 0 ||
        !vdnn_cuda_host::can_use(handle->card, handle->stream, {p.a.at, p.b.at, p.c.at}))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return CUBLAS_STATUS_SUCCESS;
}

void multiply(cublasHandle_t handle, const product &p)
{
    vdnn_cuda_host::run_on(handle->stream, [p] {
        std::vector<float> sums;
        for (int64_t batch = 0; batch < p.count; batch++)
            for (int64_t j = 0; j < p.n; j++)
                p.column(j, batch, sums);
    });
}

} // namespace

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    *value = type == MAJOR_VERSION ? (int)vdnn_cuda_host::setting_of("cublas") : 0;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (vdnn_cuda_host::library_error("cublasCreate") != 0)
        return CUBLAS_STATUS_ALLOC_FAILED;
    *handle = new cublasContext;
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
    *version = 10000 * (int)vdnn_cuda_host::setting_of("cublas");
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

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_is, cublasOperation_t b_is,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType_t a_type, int lda, const void *b, cudaDataType_t b_type,
                            int ldb, const void *beta, void *c, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(handle, a_is, b_is, m, n, k, alpha, a, a_type, lda, 0, b,
                                      b_type, ldb, 0, beta, c, c_type, ldc, 0, 1, compute,
                                      algorithm);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t a_is,
                                          cublasOperation_t b_is, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType_t a_type,
                                          int lda, long long a_step, const void *b,
                                          cudaDataType_t b_type, int ldb, long long b_step,
                                          const void *beta, void *c, cudaDataType_t c_type, int ldc,
                                          long long c_step, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    if (compute == CUBLAS_COMPUTE_32F_FAST_TF32 && a_type != CUDA_R_32F)
        return CUBLAS_STATUS_INVALID_VALUE;
    const product p = {m,
                       n,
                       k,
                       *static_cast<const float *>(alpha),
                       *static_cast<const float *>(beta),
                       {a, lda, a_step, a_is != CUBLAS_OP_N, a_type == CUDA_R_16BF},
                       {b, ldb, b_step, b_is != CUBLAS_OP_N, b_type == CUDA_R_16BF},
                       {c, ldc, c_step, false, c_type == CUDA_R_16BF},
                       count};
    cublasStatus_t status = check(handle, p);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    const complex_product complex = {a_is, b_is, p};
    if (a_type == CUDA_C_32F)
        vdnn_cuda_host::run_on(handle->stream, [complex] { complex.run(); });
    else
        multiply(handle, p);
    return status;
}
