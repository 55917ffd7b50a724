#include "layers/cuda/blas.h"

#include "layers/cuda/library.h"

static const char *const symbols[] = {
#define X(member, function) #function,
    VDNN_CUDA_BLAS_TABLE(X)
#undef X
};

enum { SYMBOLS = sizeof symbols / sizeof *symbols };

static vdnn_cuda_blas table;

_Static_assert(sizeof table == SYMBOLS * sizeof(void *), "the struct holds only function pointers");

static int major(void)
{
    int version = 0;
    return table.property(MAJOR_VERSION, &version) == CUBLAS_STATUS_SUCCESS ? version : 0;
}

static vdnn_cuda_library library = {.title = "cuBLAS",
                                    .file = "libcublas.so",
                                    .oldest = 12,
                                    .newest = 13,
                                    .symbols = symbols,
                                    .count = SYMBOLS,
                                    .table = &table,
                                    .major = major};

const char *vdnn_cuda_blas_lack(void)
{
    return vdnn_cuda_library_lack(&library);
}

const vdnn_cuda_blas *vdnn_cuda_blas_find(void)
{
    return vdnn_cuda_blas_lack() == NULL ? &table : NULL;
}

static cudaDataType_t type_of(const vdnn_cuda_product *p, vdnn_dtype dtype)
{
    if (p->is_complex)
        return CUDA_C_32F;
    return dtype == VDNN_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

vdnn_status vdnn_cuda_blas_multiply(const vdnn_cuda_stream *stream, const vdnn_cuda_product *p)
{
    /* The second part of a real scalar is not read. */
    const float one[2] = {1, 0}, beta[2] = {p->beta, 0};
    int a_lead = p->a_lead > 0            ? p->a_lead
                 : p->a_is == CUBLAS_OP_N ? p->m
                                          : p->k,
        b_lead = p->b_lead > 0            ? p->b_lead
                 : p->b_is == CUBLAS_OP_N ? p->k
                                          : p->n,
        c_lead = p->c_lead > 0 ? p->c_lead : p->m;
    cudaDataType_t in = type_of(p, p->in), out = type_of(p, p->out);
    cublasComputeType_t compute =
        p->in == VDNN_TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    cublasStatus_t done =
        p->count == 1
            ? table.gemm(stream->blas, p->a_is, p->b_is, p->m, p->n, p->k, one, p->a, in, a_lead,
                         p->b, in, b_lead, beta, p->c, out, c_lead, compute, CUBLAS_GEMM_DEFAULT)
            : table.gemm_batched(stream->blas, p->a_is, p->b_is, p->m, p->n, p->k, one, p->a, in,
                                 a_lead, p->a_step, p->b, in, b_lead, p->b_step, beta, p->c, out,
                                 c_lead, p->c_step, p->count, compute, CUBLAS_GEMM_DEFAULT);
    return vdnn_cuda_blas_status(p->count == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx",
                                 done);
}

vdnn_status vdnn_cuda_blas_status(const char *call, cublasStatus_t status)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return VDNN_OK;
    (void)cudaGetLastError(); /* it may have left an error there, which is reported here */
    return vdnn_status_fail(VDNN_DEVICE,
                            "cuda: %s failed with status %d of cuBLAS; the libcublas that was "
                            "found may require another version of the driver",
                            call, (int)status);
}
