#ifndef VDNN_TESTS_CUDA_HOST_INCLUDE_CUDA_RUNTIME_API_H
#define VDNN_TESTS_CUDA_HOST_INCLUDE_CUDA_RUNTIME_API_H

/* The part of the CUDA runtime's interface that vdnn uses, as the emulation has it: names and
 * numbers are the toolkit's, so that one source is compiled with either header.
 *
 * Invariant: whatever compiles with this header compiles with the toolkit's.
 * Threads: as the real one: any; the last error is each thread's own.
 *
 *     cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
 *     cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
 *     cudaEventRecord(event, stream);
 *     cudaStreamWaitEvent(other, event, 0);
 *     cudaStreamSynchronize(other);
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUDART_VERSION 13000

/* name, number, text */
#define VDNN_CUDA_HOST_ERROR_TABLE(X)                                                              \
    X(cudaSuccess, 0, "no error")                                                                  \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                                \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                               \
    X(cudaErrorInsufficientDriver, 35, "driver too old for the runtime, or none")                  \
    X(cudaErrorDevicesUnavailable, 46, "device busy or unavailable")                               \
    X(cudaErrorNoDevice, 100, "no device detected")                                                \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                       \
    X(cudaErrorNoKernelImageForDevice, 209, "no kernel image for the device")                      \
    X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error")                                   \
    X(cudaErrorUnsupportedPtxVersion, 222, "PTX of an unsupported toolchain")                      \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                              \
    X(cudaErrorNotReady, 600, "not ready")                                                         \
    X(cudaErrorIllegalAddress, 700, "illegal memory access")                                       \
    X(cudaErrorHostMemoryAlreadyRegistered, 712, "host memory already registered")                 \
    X(cudaErrorHostMemoryNotRegistered, 713, "host memory not registered")                         \
    X(cudaErrorMisalignedAddress, 716, "misaligned address")                                       \
    X(cudaErrorLaunchFailure, 719, "launch failure")                                               \
    X(cudaErrorNotPermitted, 800, "operation not permitted")                                       \
    X(cudaErrorNotSupported, 801, "operation not supported")                                       \
    X(cudaErrorSystemNotReady, 802, "system not yet initialized")                                  \
    X(cudaErrorSystemDriverMismatch, 803, "driver and display driver of several versions")

typedef enum cudaError {
#define X(name, number, text) name = number,
    VDNN_CUDA_HOST_ERROR_TABLE(X)
#undef X
} cudaError_t;

enum {
    cudaStreamNonBlocking = 1,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostAllocPortable = 1,
    cudaEventDefault = 0,
    cudaEventDisableTiming = 2
};

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    int major, minor, multiProcessorCount, l2CacheSize;
    int pciDomainID, pciBusID, pciDeviceID;
};

enum cudaDeviceAttr {
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

#define CUDART_CB
typedef void (*cudaHostFn_t)(void *argument);

/* name, parameters: every call that can fail, and can be made to (cuda_host.h). */
#define VDNN_CUDA_HOST_CALL_TABLE(X)                                                               \
    X(cudaDriverGetVersion, (int *version))                                                        \
    X(cudaRuntimeGetVersion, (int *version))                                                       \
    X(cudaGetDeviceCount, (int *count))                                                            \
    X(cudaGetDeviceProperties, (struct cudaDeviceProp * properties, int device))                   \
    X(cudaSetDevice, (int device))                                                                 \
    X(cudaGetDevice, (int *device))                                                                \
    X(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device))             \
    X(cudaDeviceSynchronize, (void))                                                               \
    X(cudaMemGetInfo, (size_t * free_bytes, size_t * total_bytes))                                 \
    X(cudaMalloc, (void **block, size_t bytes))                                                    \
    X(cudaFree, (void *block))                                                                     \
    X(cudaHostRegister, (void *block, size_t bytes, unsigned flags))                               \
    X(cudaHostUnregister, (void *block))                                                           \
    X(cudaHostAlloc, (void **block, size_t bytes, unsigned flags))                                 \
    X(cudaFreeHost, (void *block))                                                                 \
    X(cudaMemset, (void *to, int value, size_t bytes))                                             \
    X(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream))                   \
    X(cudaMemcpyAsync,                                                                             \
      (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream))   \
    X(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t run, void *argument))                 \
    X(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags))                          \
    X(cudaStreamDestroy, (cudaStream_t stream))                                                    \
    X(cudaStreamSynchronize, (cudaStream_t stream))                                                \
    X(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags))               \
    X(cudaEventCreate, (cudaEvent_t * event))                                                      \
    X(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags))                             \
    X(cudaEventDestroy, (cudaEvent_t event))                                                       \
    X(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream))                                   \
    X(cudaEventSynchronize, (cudaEvent_t event))                                                   \
    X(cudaEventElapsedTime, (float *milliseconds, cudaEvent_t start, cudaEvent_t end))

#define X(name, parameters) cudaError_t name parameters;
VDNN_CUDA_HOST_CALL_TABLE(X)
#undef X

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

#ifdef __cplusplus
}
#endif

#endif
