#ifndef VDNN_TESTS_CUDA_HOST_INCLUDE_CUFFT_H
#define VDNN_TESTS_CUDA_HOST_INCLUDE_CUFFT_H

/* The part of cuFFT that vdnn uses, as the emulation has it: transforms of planes of real cells, as
 * wide as asked for.
 *
 * Invariant: whatever compiles with this header compiles with the toolkit's; transforms run on the
 * plan's stream, in its order.
 * Threads: a plan is used by one at a time.
 *
 *     cufftCreate(&plan);
 *     cufftSetAutoAllocation(plan, 0);
 *     cufftMakePlanMany(plan, 2, n, n, 1, n0 * n1, points, planes, 1, CUFFT_R2C, planes, &bytes);
 *     cufftSetWorkArea(plan, area);
 *     cufftExecR2C(plan, cells, spectrum);
 */

#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_NO_WORKSPACE = 14
} cufftResult;

typedef enum cufftType_t { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c } cufftType;

typedef float cufftReal;
typedef struct cufftComplex {
    float x, y;
} cufftComplex;
typedef int cufftHandle;

cufftResult cufftGetProperty(libraryPropertyType type, int *value);
cufftResult cufftCreate(cufftHandle *plan);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int does_allocate);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *work_bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void *area);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *from, cufftComplex *to);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *from, cufftReal *to);

#ifdef __cplusplus
}
#endif

#endif
