#ifndef VDNN_RUNTIME_TRAIN_KEPT_H
#define VDNN_RUNTIME_TRAIN_KEPT_H

/* What a training keeps from step to step: the parameters of each layer, and each slot of its
 * optimizer state. Where a plan has them, and how large its buffers are, is the plan's matter: a
 * buffer also has what follows from a parameter (the copy of a weight), or more than a device's
 * share. So values move by what they are, never by the buffer that they lie in.
 *
 *     conv1's buffer     | parameters | copy of the weight |       kept: the parameters
 *     its state          | slot 0 | unused | slot 1 | unused |     kept: both slots
 *
 * Invariant: an image, all kept values one after the other, has the same bytes at the same places
 * by every plan of a graph, for the device of a rank. Threads: one; the device is idle.
 *
 *     char *image = vdnn_heap_calloc(vdnn_kept_bytes(before, rank), 1);
 *     status = vdnn_kept_read(before, device, rank, image);
 *     status = vdnn_kept_write(after, device, rank, image);    // and the copies of weights
 */

#include "runtime/device/device.h"

enum { VDNN_KEPT_PARAMETERS = -1 }; /* in the place of a slot */

/* Where a plan keeps a layer's parameters, or one of its slots: the bytes from `first` to `end` of
 * these, which are all, or the share of a device. */
typedef struct vdnn_kept_block {
    int32_t layer, slot;
    vdnn_tier tier;
    size_t offset, first, end;
} vdnn_kept_block;

/* Those of a layer; false: it has none. Layers that share a block have the same one. */
bool vdnn_kept_find(const vdnn_plan *plan, int32_t rank, int32_t layer, int32_t slot,
                    vdnn_kept_block *block);
/* The first block, for a block of {.layer = -1}, or the one after *block, in the order of layers
 * and slots; each once. False: there is none. */
bool vdnn_kept_next(const vdnn_plan *plan, int32_t rank, vdnn_kept_block *block);

size_t vdnn_kept_bytes(const vdnn_plan *plan, int32_t rank);
vdnn_status vdnn_kept_read(const vdnn_plan *plan, vdnn_device *device, int32_t rank, char *image);
vdnn_status vdnn_kept_write(const vdnn_plan *plan, vdnn_device *device, int32_t rank,
                            const char *image);

#endif
