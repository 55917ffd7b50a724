#ifndef VDNN_RUNTIME_DATA_IMAGE_SCRATCH_H
#define VDNN_RUNTIME_DATA_IMAGE_SCRATCH_H

/* A reading thread's memory: blocks that grow to the needs of the largest picture and are reused
 * for the next, so that reading soon allocates no more.
 *
 * Invariant: all-zero is empty; a block's content is undefined after the next take of that use.
 * Threads: one at a time; each reading thread has its own.
 *
 *     vdnn_scratch scratch = {0};
 *     float *row = vdnn_scratch_take(&scratch, VDNN_SCRATCH_RESIZE, bytes);
 *     if (row == NULL)
 *         return vdnn_status_fail(VDNN_NO_MEMORY, ...);
 *     vdnn_scratch_fini(&scratch);
 */

#include <stddef.h>

/* What a block is for: one reading may use one of each. */
typedef enum vdnn_scratch_use {
    VDNN_SCRATCH_FILE,    /* a file as it is stored */
    VDNN_SCRATCH_PICTURE, /* a picture before it is resized */
    VDNN_SCRATCH_RESIZE,  /* rows and weights of a resizer */
    VDNN_SCRATCH_STORED,  /* a picture before it is turned */
    VDNN_SCRATCH_COUNT
} vdnn_scratch_use;

typedef struct vdnn_scratch {
    void *blocks[VDNN_SCRATCH_COUNT];
    size_t bytes[VDNN_SCRATCH_COUNT];
} vdnn_scratch;

/* At least `bytes` bytes, aligned for any type; NULL if there is no memory. A block that grew for
 * one large picture is freed when it is no longer needed. */
void *vdnn_scratch_take(vdnn_scratch *scratch, vdnn_scratch_use use, size_t bytes);

void vdnn_scratch_fini(vdnn_scratch *scratch);

#endif
