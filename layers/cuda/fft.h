#ifndef VDNN_LAYERS_CUDA_FFT_H
#define VDNN_LAYERS_CUDA_FFT_H

/* cuFFT, if it is found when the program runs: transforms of planes between real cells and their
 * spectrum, in a work area of the caller's.
 *
 * Only a finished plan gives the exact size of that area, and creating one takes cuFFT long. So
 * destroyed plans are kept idle for a while, and creating an equal one returns such a plan.
 *
 * Invariant: either all functions of the table were found, in version 11 or 12, or there is none.
 * Both directions of a plan, one after the other, are the identity times the cells of a plane. A
 * plan belongs to the card that was selected when it was created, and to one owner at a time.
 * Threads: any; a plan is used by one at a time.
 *
 *     if (vdnn_cuda_fft_lack() != NULL) return vdnn_cuda_fft_lack();      // a refusal
 *     status = vdnn_cuda_fft_create(CUFFT_R2C, sides, planes, &plan);
 *     status = vdnn_cuda_fft_run(plan, stream->handle, work, cells, spectrum);
 *     vdnn_cuda_fft_destroy(plan);
 */

#include "runtime/base/status.h"

#include <cufft.h>
#include <stdint.h>

/* member, function */
#define VDNN_CUDA_FFT_TABLE(X)                                                                     \
    X(property, cufftGetProperty)                                                                  \
    X(create, cufftCreate)                                                                         \
    X(destroy, cufftDestroy)                                                                       \
    X(set_auto_allocation, cufftSetAutoAllocation)                                                 \
    X(make_many, cufftMakePlanMany)                                                                \
    X(set_work_area, cufftSetWorkArea)                                                             \
    X(set_stream, cufftSetStream)                                                                  \
    X(forward, cufftExecR2C)                                                                       \
    X(backward, cufftExecC2R)

/* NULL if it was found, else why not, as text for a refusal. */
const char *vdnn_cuda_fft_lack(void);

typedef struct vdnn_cuda_fft_plan {
    cufftHandle handle;
    cufftType type;
    int card;
    int64_t sides[2], planes;
    size_t work_bytes; /* exact */
} vdnn_cuda_fft_plan;

/* For `planes` planes of sides[0] x sides[1] cells, one after the other, whose spectra are stored
 * point by point: (sides[0] x (sides[1] / 2 + 1), planes). */
vdnn_status vdnn_cuda_fft_create(cufftType type, const int64_t *sides, int64_t planes,
                                 vdnn_cuda_fft_plan *plan);
void vdnn_cuda_fft_destroy(vdnn_cuda_fft_plan plan);
/* Frees idle plans of the selected card, and their memory. */
void vdnn_cuda_fft_trim(void);

/* Enqueues it: from cells to their spectrum (CUFFT_R2C), or the inverse (CUFFT_C2R, which
 * overwrites the spectrum). */
vdnn_status vdnn_cuda_fft_run(vdnn_cuda_fft_plan plan, cudaStream_t stream, void *work,
                              float *cells, cufftComplex *spectrum);

#endif
