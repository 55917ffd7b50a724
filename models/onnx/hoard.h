#ifndef VDNN_MODELS_ONNX_HOARD_H
#define VDNN_MODELS_ONNX_HOARD_H

/* Blocks of memory that are freed together.
 *
 * Invariant: a block stays where it is until all are freed.
 * Threads: one.
 *
 *     vdnn_hoard hoard = {0};
 *     char *name = vdnn_hoard_take(&hoard, length + 1, 1);
 *     vdnn_hoard_free(&hoard);
 */

#include <stddef.h>

typedef struct vdnn_hoard {
    struct vdnn_hoard_block *last;
    size_t bytes; /* of all blocks */
} vdnn_hoard;

/* Zeroed; NULL: there is no memory. */
void *vdnn_hoard_take(vdnn_hoard *hoard, size_t count, size_t size);
char *vdnn_hoard_strdup(vdnn_hoard *hoard, const char *text);

/* An array with room for one more than `count` items: `items`, or a larger copy of it. `capacity`
 * is updated. NULL: there is no memory. */
void *vdnn_hoard_grow(vdnn_hoard *hoard, void *items, size_t count, size_t size, size_t *capacity);

void vdnn_hoard_free(vdnn_hoard *hoard);

#endif
