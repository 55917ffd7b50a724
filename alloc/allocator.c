#include "alloc/allocator.h"

#include <stdint.h>

enum { BLOCK_ALIGNMENT = 4096 };

vdnn_status vdnn_allocator_alloc(vdnn_allocator *allocator, size_t bytes, void **block)
{
    /* Adaptors add to sizes; from here on none of their sums can overflow. */
    if (bytes > SIZE_MAX / 4)
        return vdnn_status_fail(VDNN_NO_MEMORY,
                                "%s: a block of %zu bytes is beyond any address space",
                                allocator->ops->name, bytes);
    void *fresh = NULL;
    VDNN_TRY(allocator->ops->alloc(allocator, bytes, &fresh));
    VDNN_INVARIANT((uintptr_t)fresh % BLOCK_ALIGNMENT, ==, 0);
    *block = fresh;
    return VDNN_OK;
}

void vdnn_allocator_free(vdnn_allocator *allocator, void *block, size_t bytes)
{
    if (block != NULL)
        allocator->ops->free(allocator, block, bytes);
}

void vdnn_allocator_destroy(vdnn_allocator *allocator)
{
    while (allocator != NULL) {
        vdnn_allocator *upstream = allocator->upstream;
        allocator->ops->destroy(allocator);
        allocator = upstream;
    }
}
