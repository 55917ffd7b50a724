#ifndef VDNN_RUNTIME_DEVICE_CUDA_PINNED_H
#define VDNN_RUNTIME_DEVICE_CUDA_PINNED_H

/* Pinned host memory of the CUDA device: mapped, touched by several threads at once, and then
 * registered with the driver, so that copies run at the link's full rate during everything else. On
 * the NUMA node nearest to the card, if that is known. A block that cannot be registered is
 * allocated by the driver; if that fails too it is pageable.
 *
 * Invariant: a block has pages that it shares with none, and none is registered twice; it is pinned
 * completely, for every card of the process, or not at all.
 * Threads: one.
 *
 *     status = vdnn_cuda_pinned_create(0, 0x17, 0, &pinned);
 *     status = vdnn_cuda_pinned_alloc(pinned, bytes, &block);
 *     if (block.pinned_bytes < block.bytes)        // pageable: copies wait for each other
 *         say(vdnn_cuda_pinned_pageable(pinned, &bytes));
 *     vdnn_cuda_pinned_free(pinned, &block);
 *     vdnn_cuda_pinned_destroy(pinned);
 */

#include "alloc/allocator.h"

#include <stdbool.h>

typedef struct vdnn_cuda_pinned vdnn_cuda_pinned;

typedef struct vdnn_cuda_pinned_block {
    void *at;
    size_t bytes, pinned_bytes;
    bool is_drivers; /* allocated by it, not by the system */
} vdnn_cuda_pinned_block;

/* Serves the card at that address of the PCI bus. */
vdnn_status vdnn_cuda_pinned_create(int domain, int bus, int device, vdnn_cuda_pinned **pinned);
void vdnn_cuda_pinned_destroy(vdnn_cuda_pinned *pinned); /* accepts NULL */

/* Zeroed. VDNN_NO_MEMORY if it cannot be mapped; a block that cannot be pinned is pageable, which
 * is not an error. */
vdnn_status vdnn_cuda_pinned_alloc(vdnn_cuda_pinned *pinned, size_t bytes,
                                   vdnn_cuda_pinned_block *block);
/* Accepts an empty block; leaves an empty one. */
void vdnn_cuda_pinned_free(vdnn_cuda_pinned *pinned, vdnn_cuda_pinned_block *block);

/* Why there are pageable blocks, and their bytes; NULL: none. Borrowed. */
const char *vdnn_cuda_pinned_pageable(const vdnn_cuda_pinned *pinned, size_t *bytes);

size_t vdnn_cuda_pinned_count(const vdnn_cuda_pinned *pinned); /* allocations so far */

#endif
