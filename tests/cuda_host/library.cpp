#include "tests/cuda_host/library.h"

#include <cstring>

extern "C" {
#include "layers/cuda_blas.h"
#include "layers/cuda_dnn.h"
#include "layers/cuda_fft.h"
#include "layers/cuda_library.h"
}

#define X(result, member, function, parameters) extern "C" result function parameters;
VDNN_CUDA_DNN_TABLE(X)
#undef X

namespace
{

struct symbol {
    const char *name;
    void *address;
};

const symbol symbols[] = {
#define X(member, function) {#function, reinterpret_cast<void *>(function)},
    VDNN_CUDA_BLAS_TABLE(X) VDNN_CUDA_FFT_TABLE(X)
#undef X
#define X(result, member, function, parameters) {#function, reinterpret_cast<void *>(function)},
        VDNN_CUDA_DNN_TABLE(X)
#undef X
};

const char *const libraries[] = {"cublas", "cudnn", "cufft"};

} // namespace

void *vdnn_cuda_library_open(const char *const *names)
{
    static char library;
    for (const char *name : libraries)
        if (strncmp(names[0] + strlen("lib"), name, strlen(name)) == 0)
            return vdnn_cuda_host::setting_of(name) != 0 ? &library : nullptr;
    return nullptr;
}

bool vdnn_cuda_library_take(void *library, const char *const *names, size_t count, void **addresses)
{
    size_t found = 0;
    (void)library;
    for (size_t i = 0; i < count; i++)
        for (const symbol &own : symbols)
            if (strcmp(own.name, names[i]) == 0) {
                addresses[i] = own.address;
                found++;
            }
    return found == count;
}
