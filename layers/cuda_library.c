#include "layers/cuda_library.h"

#include <dlfcn.h>

void *vdnn_cuda_library_open(const char *const *names)
{
    void *library = NULL;
    for (; library == NULL && *names != NULL; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

bool vdnn_cuda_library_take(void *library, const char *const *symbols, size_t count,
                            void **addresses)
{
    for (size_t i = 0; i < count; i++) {
        addresses[i] = dlsym(library, symbols[i]);
        if (addresses[i] == NULL)
            return false;
    }
    return true;
}
