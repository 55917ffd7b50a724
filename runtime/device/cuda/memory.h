#ifndef VDNN_RUNTIME_DEVICE_CUDA_MEMORY_H
#define VDNN_RUNTIME_DEVICE_CUDA_MEMORY_H

/* The memory of a CUDA device: the arena, one block of the card's; the host tier and the staging
 * blocks, pinned blocks of the host's.
 *
 * Invariant: a tier has one block or none; a new one replaces it. fini frees everything.
 * Threads: the one that drives the device, which has selected the card.
 *
 *     status = vdnn_cuda_memory_init(&properties, &memory);
 *     status = vdnn_cuda_memory_reserve(&memory, VDNN_TIER_DEVICE, bytes, &base, &locked_bytes);
 *     status = vdnn_cuda_memory_stage(&memory, bytes, &block);
 *     vdnn_cuda_memory_unstage(&memory, block);
 *     vdnn_cuda_memory_fini(&memory);
 */

#include "runtime/device/cuda/pinned.h"
#include "runtime/plan/plan.h"

#include <cuda_runtime_api.h>

typedef struct vdnn_cuda_memory {
    void *arena;
    size_t arena_bytes, arena_count; /* allocations so far */
    vdnn_cuda_pinned *pinned;
    vdnn_cuda_pinned_block host;
    vdnn_cuda_pinned_block *staging; /* unordered; free items have no `at` */
    size_t staging_count;
} vdnn_cuda_memory;

vdnn_status vdnn_cuda_memory_init(const struct cudaDeviceProp *card, vdnn_cuda_memory *memory);
void vdnn_cuda_memory_fini(vdnn_cuda_memory *memory); /* accepts an all-zero one */

/* These are described in the device's interface (device.h). */
vdnn_status vdnn_cuda_memory_reserve(vdnn_cuda_memory *memory, vdnn_tier tier, size_t bytes,
                                     void **base, size_t *locked_bytes);
vdnn_status vdnn_cuda_memory_stage(vdnn_cuda_memory *memory, size_t bytes, void **block);
void vdnn_cuda_memory_unstage(vdnn_cuda_memory *memory, const void *block);
/* Whether kernels can write to the block, at the host's address of it, as they can to all that is
 * pinned where addresses are unified. */
bool vdnn_cuda_memory_reaches(const vdnn_cuda_memory *memory, const void *block);

/* The largest arena that the card could hold now, while there is none: a little less than is free,
 * as that is not always one block. Takes nothing, so that other programs of the card find theirs.
 * 0 if the card cannot be queried. */
size_t vdnn_cuda_memory_free_bytes(void);

/* Whether it is in the arena; otherwise it is the host's. */
bool vdnn_cuda_memory_is_on_card(const vdnn_cuda_memory *memory, const void *at);

size_t vdnn_cuda_memory_count(const vdnn_cuda_memory *memory); /* allocations so far */

#endif
