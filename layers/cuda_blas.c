#include "layers/cuda_blas.h"

#include "layers/cuda_library.h"

#include <pthread.h>
#include <string.h>

static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                    "/usr/local/cuda/lib64/libcublas.so.13",
                                    "/usr/local/cuda/lib64/libcublas.so.12", NULL};

static const char *const symbols[] = {
#define X(member, function) #function,
    VDNN_CUDA_BLAS_TABLE(X)
#undef X
};

enum { SYMBOLS = sizeof symbols / sizeof *symbols };

static vdnn_cuda_blas table;
static bool is_found;
static pthread_once_t looked = PTHREAD_ONCE_INIT;

static void look(void)
{
    void *addresses[SYMBOLS];
    void *library = vdnn_cuda_library_open(names);
    if (library == NULL || !vdnn_cuda_library_take(library, symbols, SYMBOLS, addresses))
        return;
    _Static_assert(sizeof table == sizeof addresses, "the table is nothing but its functions");
    memcpy(&table, addresses, sizeof table);
    is_found = true;
}

const vdnn_cuda_blas *vdnn_cuda_blas_find(void)
{
    (void)pthread_once(&looked, look);
    return is_found ? &table : NULL;
}

const char *vdnn_cuda_blas_lack(void)
{
    return vdnn_cuda_blas_find() != NULL
               ? NULL
               : "libcublas.so.13 or libcublas.so.12 was not found (LD_LIBRARY_PATH, or ldconfig)";
}

vdnn_status vdnn_cuda_blas_status(const char *call, cublasStatus_t status)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_DEVICE,
                            "cuda: %s failed with status %d of cuBLAS; the libcublas that was "
                            "found may be of another version than the driver allows",
                            call, (int)status);
}
