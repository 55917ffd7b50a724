#include "runtime/device/cuda/names.h"

#include "runtime/base/nvtx.h"

#ifdef VDNN_NVTX

#include <nvtx3/nvToolsExtCudaRt.h>
#include <stdio.h>

void vdnn_cuda_name_stream(void *stream, const char *name)
{
    char whole[64];
    if (!vdnn_nvtx_is_heard())
        return;
    (void)snprintf(whole, sizeof whole, "vdnn %s", name);
    nvtxNameCudaStreamA(stream, whole);
}

#else

void vdnn_cuda_name_stream(void *stream, const char *name)
{
    (void)stream;
    (void)name;
}

#endif
