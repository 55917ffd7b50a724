#ifndef VDNN_RUNTIME_DEVICE_CUDA_LIBRARIES_H
#define VDNN_RUNTIME_DEVICE_CUDA_LIBRARIES_H

/* The libraries of one CUDA device: handles that are bound to its compute stream, and their
 * workspace.
 *
 * Invariant: a missing library is not an error; one that cannot be opened is not either if other
 * algorithms replace it (cuDNN), and is one if none is as good (cuBLAS).
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

/* What was opened must be closed also after a failure. */
vdnn_status vdnn_cuda_libraries_open(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries);
void vdnn_cuda_libraries_close(vdnn_cuda_stream *stream, vdnn_cuda_libraries *libraries);

#endif
