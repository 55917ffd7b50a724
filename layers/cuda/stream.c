#include "layers/cuda/stream.h"

#include <stdbool.h>

static const struct {
    cudaError_t error;
    const char *help;
} helps[] = {
    {cudaErrorMemoryAllocation,
     "end other programs on the card (nvidia-smi lists them), or ask for less: --device-mem"},
    {cudaErrorInsufficientDriver, "install NVIDIA's driver, or a newer one"},
    {cudaErrorUnsupportedPtxVersion,
     "install a newer driver: it does not support this build's toolkit"},
    {cudaErrorNoKernelImageForDevice,
     "this build has no kernels for the card: build it with `make cuda`"},
    {cudaErrorNoDevice,
     "CUDA_VISIBLE_DEVICES may hide the cards, or the container has no access to them"},
    {cudaErrorDevicesUnavailable,
     "another process has exclusive use of the card: nvidia-smi shows it and the compute mode"},
    {cudaErrorSystemNotReady, "start nvidia-fabricmanager, which cards with NVSwitch require"},
    {cudaErrorSystemDriverMismatch,
     "the driver's kernel module and its libraries differ in version: restart the machine"},
    {cudaErrorECCUncorrectable, "the card's memory is damaged: train on another one"},
    {cudaErrorIllegalAddress, "the device is lost to this process: start again"},
    {cudaErrorMisalignedAddress, "the device is lost to this process: start again"},
    {cudaErrorLaunchFailure, "the device is lost to this process: start again"},
};

static const char *help_for(cudaError_t error)
{
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
        if (helps[i].error == error)
            return helps[i].help;
    return "nvidia-smi and the system's log (dmesg) may tell more";
}

vdnn_status vdnn_cuda_fail(const char *call, cudaError_t error)
{
    (void)cudaGetLastError();
    return vdnn_status_fail(VDNN_DEVICE, "cuda: %s: %s (%s); %s", call, cudaGetErrorString(error),
                            cudaGetErrorName(error), help_for(error));
}

vdnn_status vdnn_cuda_check(const char *call, cudaError_t error)
{
    return error == cudaSuccess ? VDNN_OK : vdnn_cuda_fail(call, error);
}

int vdnn_cuda_capability(void)
{
    int card, major, minor;
    bool is_told =
        cudaGetDevice(&card) == cudaSuccess &&
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, card) == cudaSuccess &&
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, card) == cudaSuccess;
    if (!is_told)
        (void)cudaGetLastError();
    return is_told ? 10 * major + minor : 0;
}

vdnn_status vdnn_cuda_launched(const char *kernel)
{
    return vdnn_cuda_check(kernel, cudaPeekAtLastError());
}
