extern "C" {
#include "layers/cuda_library.h"
}

#include "tests/cuda_host/library.h"

#include <cstring>
#include <cublas_v2.h>

namespace
{

#define SYMBOL(function)                                                                           \
    {                                                                                              \
#function, reinterpret_cast < void *>(function)                                            \
    }

const struct {
    const char *name;
    void *address;
} symbols[] = {
    SYMBOL(cublasCreate_v2),    SYMBOL(cublasDestroy_v2),          SYMBOL(cublasGetVersion_v2),
    SYMBOL(cublasSetStream_v2), SYMBOL(cublasSetWorkspace_v2),     SYMBOL(cublasSetMathMode),
    SYMBOL(cublasSgemm_v2),     SYMBOL(cublasSgemmStridedBatched),
};

} // namespace

void *vdnn_cuda_library_open(const char *const *names)
{
    static char library;
    bool is_blas = strncmp(names[0], "libcublas", strlen("libcublas")) == 0;
    return is_blas && vdnn_cuda_host::has_library("cublas") ? &library : nullptr;
}

bool vdnn_cuda_library_take(void *library, const char *const *names, size_t count, void **addresses)
{
    size_t found = 0;
    (void)library;
    for (size_t i = 0; i < count; i++)
        for (const auto &symbol : symbols)
            if (strcmp(symbol.name, names[i]) == 0) {
                addresses[i] = symbol.address;
                found++;
            }
    return found == count;
}
