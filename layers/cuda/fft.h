#ifndef VDNN_LAYERS_CUDA_FFT_H
#define VDNN_LAYERS_CUDA_FFT_H

/* cuFFT, where it is found when the program runs: transforms of planes between real cells and their
 * spectrum, in a work area that the caller lends.
 *
 * How large that area is only a finished plan tells exactly, and to make one takes cuFFT long. So
 * plans that were destroyed stay idle for a while: who creates one like it, to measure what was
 * asked about before, is given it.
 *
 * Invariant: either all functions of the table were found, in a version 11 or 12, or it has none.
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

/* NULL where it was found, else why not, as a refusal says it. */
const char *vdnn_cuda_fft_lack(void);

typedef struct vdnn_cuda_fft_plan {
    cufftHandle handle;
    cufftType type;
    int card;
    int64_t sides[2], planes;
    size_t work_bytes; /* exact */
} vdnn_cuda_fft_plan;

/* Of so many planes of sides[0] x sides[1] cells, one behind the other, whose spectra lie point by
 * point: (sides[0] x (sides[1] / 2 + 1), planes). */
vdnn_status vdnn_cuda_fft_create(cufftType type, const int64_t *sides, int64_t planes,
                                 vdnn_cuda_fft_plan *plan);
void vdnn_cuda_fft_destroy(vdnn_cuda_fft_plan plan);
/* Frees what is idle on the selected card, with what it takes of its memory. */
void vdnn_cuda_fft_trim(void);

/* Enqueues it: from cells to their spectrum (CUFFT_R2C), or back (CUFFT_C2R, which spoils the
 * spectrum). */
vdnn_status vdnn_cuda_fft_run(vdnn_cuda_fft_plan plan, cudaStream_t stream, void *work,
                              float *cells, cufftComplex *spectrum);

#endif
