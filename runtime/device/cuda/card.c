#include "runtime/device/cuda/card.h"

#include "layers/cuda/stream.h"
#include "runtime/base/numbers/decimal.h"

#include <stdio.h>

/* 10 * major + minor of the oldest card that kernels are compiled for. */
#ifndef VDNN_CUDA_OLDEST
#define VDNN_CUDA_OLDEST 75
#endif

enum { LEAST_CAPABILITY = VDNN_CUDA_OLDEST, VERSION_BYTES = 32 };

static const char *version_text(int version, char text[VERSION_BYTES])
{
    (void)snprintf(text, VERSION_BYTES, "%d.%d", version / 1000, version % 1000 / 10);
    return text;
}

/* The runtime reports a driver that is too old and a missing one by the same error. */
static vdnn_status find_driver(vdnn_cuda_card *card)
{
    char has[VERSION_BYTES], wants[VERSION_BYTES];
    vdnn_status status = VDNN_CUDA_CALL(cudaDriverGetVersion, &card->driver);
    VDNN_IF_OK(status, VDNN_CUDA_CALL(cudaRuntimeGetVersion, &card->runtime));
    if (status != VDNN_OK)
        return status;
    if (card->driver == 0)
        return vdnn_status_fail(VDNN_DEVICE,
                                "no CUDA device: NVIDIA's driver (libcuda.so.1) was not found; "
                                "install it (one for CUDA %s or newer), or use --device cpu",
                                version_text(card->runtime, wants));
    if (card->driver / 1000 < card->runtime / 1000)
        return vdnn_status_fail(VDNN_DEVICE,
                                "no CUDA device: the driver is for CUDA %s, this build needs %s; "
                                "install a newer driver, or use --device cpu",
                                version_text(card->driver, has),
                                version_text(card->runtime, wants));
    return VDNN_OK;
}

static vdnn_status find_ordinal(const char *instance, int *ordinal)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
        (void)cudaGetLastError();
        return vdnn_status_fail(VDNN_DEVICE,
                                "no CUDA device: the driver finds no card; nvidia-smi lists them, "
                                "CUDA_VISIBLE_DEVICES hides them; or use --device cpu");
    }
    if (error != cudaSuccess)
        return vdnn_cuda_fail("cudaGetDeviceCount", error);
    uint64_t number = 0;
    if (*instance != '\0' && vdnn_decimal_read_unsigned(instance, &number) != NULL)
        return vdnn_status_fail(VDNN_DEVICE, "no CUDA device '%s': a number from 0 is expected",
                                instance);
    if (number >= (uint64_t)count)
        return vdnn_status_fail(VDNN_DEVICE,
                                "no CUDA device %s: there %s %d, numbered from 0; use --device "
                                "cuda:%d",
                                instance, count == 1 ? "is" : "are", count, count - 1);
    *ordinal = (int)number;
    return VDNN_OK;
}

static vdnn_status check_capability(vdnn_cuda_card *card)
{
    struct cudaDeviceProp *own = &card->properties;
    vdnn_status status = VDNN_CUDA_CALL(cudaGetDeviceProperties, own, card->ordinal);
    if (status == VDNN_OK && 10 * own->major + own->minor < LEAST_CAPABILITY)
        status = vdnn_status_fail(VDNN_DEVICE,
                                  "no CUDA device %d: %s has compute capability %d.%d, and kernels "
                                  "are compiled for %d.%d and newer; use --device cpu",
                                  card->ordinal, own->name, own->major, own->minor,
                                  LEAST_CAPABILITY / 10, LEAST_CAPABILITY % 10);
    return status;
}

int32_t vdnn_cuda_card_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        count = 0;
    (void)cudaGetLastError();
    return (int32_t)count;
}

vdnn_status vdnn_cuda_card_open(const char *instance, vdnn_cuda_card *card)
{
    vdnn_cuda_card found = {0};
    vdnn_status status = find_driver(&found);
    VDNN_IF_OK(status, find_ordinal(instance, &found.ordinal));
    VDNN_IF_OK(status, check_capability(&found));
    VDNN_IF_OK(status, VDNN_CUDA_CALL(cudaSetDevice, found.ordinal));
    VDNN_IF_OK(status,
               VDNN_CUDA_CALL(cudaFree, NULL)); /* creates the context, or returns why it cannot */
    if (status == VDNN_OK)
        *card = found;
    return status;
}

const char *vdnn_cuda_card_text(const vdnn_cuda_card *card, char text[VDNN_CUDA_CARD_TEXT_BYTES])
{
    char runtime[VERSION_BYTES], driver[VERSION_BYTES];
    (void)snprintf(text, VDNN_CUDA_CARD_TEXT_BYTES, "CUDA %s, driver %s, capability %d.%d",
                   version_text(card->runtime, runtime), version_text(card->driver, driver),
                   card->properties.major, card->properties.minor);
    return text;
}
