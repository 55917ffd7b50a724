#include "tests/cuda_host/library.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "layers/cuda/blas.h"
#include "layers/cuda/dnn.h"
#include "layers/cuda/fft.h"
#include "layers/cuda/nccl.h"
}

#define X(result, member, function, parameters) extern "C" result function parameters;
VDNN_CUDA_DNN_TABLE(X)
VDNN_CUDA_NCCL_TABLE(X)
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
        VDNN_CUDA_DNN_TABLE(X) VDNN_CUDA_NCCL_TABLE(X)
#undef X
};

long long major_itself(long long version)
{
    return version;
}

/* cuDNN's number tells more than the major version, and it had one digit less before 9. */
long long major_of_dnn(long long version)
{
    return version / (version < 90000 ? 1000 : 10000);
}

long long major_of_nccl(long long version)
{
    return version / 10000;
}

const struct {
    const char *file, *setting;
    long long (*major)(long long version);
} libraries[] = {{"libcublas.so", "cublas", major_itself},
                 {"libcufft.so", "cufft", major_itself},
                 {"libcudnn.so", "cudnn", major_of_dnn},
                 {"libnccl.so", "nccl", major_of_nccl}};

thread_local char message[256];

bool fail(const char *missing)
{
    (void)snprintf(message, sizeof message,
                   "%s: cannot open shared object file: No such file or directory", missing);
    return false;
}

/* Its file has the version in its name, to which the plain name is a link. */
bool is_there(const char *name)
{
    for (const auto &own : libraries) {
        size_t length = strlen(own.file);
        long long version = own.major(vdnn_cuda_host::setting_of(own.setting));
        if (strncmp(name, own.file, length) == 0)
            return version != 0 &&
                   (name[length] == '\0' || version == strtoll(name + length + 1, nullptr, 10));
    }
    return false;
}

} // namespace

/* What the loader is called in the object that looks for libraries. */
extern "C" {

void *vdnn_cuda_host_dlopen(const char *name, int flags)
{
    static char library;
    (void)flags;
    bool can_be = is_there(name) || fail(name);
    if (can_be && vdnn_cuda_host::planned_error("dlopen") != 0)
        can_be = fail("libwanted.so.1");
    return can_be ? &library : nullptr;
}

char *vdnn_cuda_host_dlerror(void)
{
    return message;
}

void *vdnn_cuda_host_dlsym(void *library, const char *name)
{
    (void)library;
    if (vdnn_cuda_host::planned_error("dlsym") != 0)
        return nullptr;
    for (const symbol &own : symbols)
        if (strcmp(own.name, name) == 0)
            return own.address;
    return nullptr;
}

int vdnn_cuda_host_dlclose(void *library)
{
    (void)library;
    return 0;
}
}
