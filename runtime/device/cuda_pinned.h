#ifndef VDNN_RUNTIME_DEVICE_CUDA_PINNED_H
#define VDNN_RUNTIME_DEVICE_CUDA_PINNED_H

/* Pinned host memory of the CUDA device: mapped, touched by several threads at once, and then
 * registered with the driver, so that copies run at the link's full rate beside everything else. On
 * the NUMA node that is nearest to the card, where that is known.
 *
 * Invariant: a block has whole pages of its own, of which none is registered twice.
 * Threads: one.
 *
 *     status = vdnn_cuda_pinned_create(0, 0x17, 0, &pinned);
 *     status = vdnn_cuda_pinned_alloc(pinned, bytes, &block);
 *     if (block.pinned_bytes < block.bytes) ...    // pageable: copies are slower
 *     vdnn_cuda_pinned_free(pinned, &block);
 *     vdnn_cuda_pinned_destroy(pinned);
 */

#include "alloc/allocator.h"

typedef struct vdnn_cuda_pinned vdnn_cuda_pinned;

typedef struct vdnn_cuda_pinned_block {
    void *at;
    size_t bytes, pinned_bytes;
} vdnn_cuda_pinned_block;

/* For the card at that address of the PCI bus. */
vdnn_status vdnn_cuda_pinned_create(int domain, int bus, int device, vdnn_cuda_pinned **pinned);
void vdnn_cuda_pinned_destroy(vdnn_cuda_pinned *pinned); /* accepts NULL */

/* Zeroed. VDNN_NO_MEMORY where it cannot be mapped; what cannot be registered stays pageable, which
 * is no error: vdnn_status_message says why. */
vdnn_status vdnn_cuda_pinned_alloc(vdnn_cuda_pinned *pinned, size_t bytes,
                                   vdnn_cuda_pinned_block *block);
/* Accepts a block of nothing; leaves one. */
void vdnn_cuda_pinned_free(vdnn_cuda_pinned *pinned, vdnn_cuda_pinned_block *block);

size_t vdnn_cuda_pinned_count(const vdnn_cuda_pinned *pinned); /* allocations so far */

#endif
