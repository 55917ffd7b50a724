#ifndef VDNN_RUNTIME_DEVICE_CUDA_LIBRARIES_H
#define VDNN_RUNTIME_DEVICE_CUDA_LIBRARIES_H

/* The libraries that a CUDA device computes with, as one device has them: handles that are bound to
 * its compute stream, and the memory that they are lent.
 *
 * Invariant: a library that is missing is no error; one that is there and cannot be opened is none
 * either where others stand in for it (cuDNN), and is one where nothing does as well (cuBLAS).
 * Threads: the one that drives the device, which has selected the card.
 *
 *     vdnn_cuda_stream stream = {.handle = compute};
 *     status = vdnn_cuda_libraries_open(&stream, &libraries);
 *     use(stream.blas, stream.dnn);
 *     vdnn_cuda_libraries_close(&stream, &libraries);
 */

#include "layers/cuda/blas.h"
#include "layers/cuda/dnn.h"

typedef struct vdnn_cuda_libraries {
    const vdnn_cuda_blas *blas; /* NULL: not found */
    int blas_version;
    void *blas_workspace;
    const vdnn_cuda_dnn *dnn; /* cuDNN; NULL: not found */
    size_t dnn_version;       /* 0: not found, or it cannot use this card */
} vdnn_cuda_libraries;

/* Also after a failure it is to be closed. */
vdnn_status vdnn_cuda_libraries_open(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries);
void vdnn_cuda_libraries_close(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries);

#endif
