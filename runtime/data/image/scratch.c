#include "runtime/data/image/scratch.h"

#include "runtime/base/heap.h"

/* Blocks up to this size are always kept. */
enum { KEEP_BYTES = 16 << 20 };

void *vdnn_scratch_take(vdnn_scratch *scratch, vdnn_scratch_use use, size_t bytes)
{
    void **block = &scratch->blocks[use];
    size_t *size = &scratch->bytes[use];
    if (*block != NULL && bytes <= *size && (*size <= KEEP_BYTES || bytes > KEEP_BYTES))
        return *block;
    vdnn_heap_free(*block);
    *block = vdnn_heap_calloc(bytes, 1);
    *size = *block != NULL ? bytes : 0;
    return *block;
}

void vdnn_scratch_fini(vdnn_scratch *scratch)
{
    for (int i = 0; i < VDNN_SCRATCH_COUNT; i++)
        vdnn_heap_free(scratch->blocks[i]);
    *scratch = (vdnn_scratch){{NULL}, {0}};
}
