#include "models/onnx/hoard.h"

#include "runtime/base/heap.h"

#include <stdint.h>
#include <string.h>

struct vdnn_hoard_block {
    struct vdnn_hoard_block *before;
    max_align_t bytes[];
};

void *vdnn_hoard_take(vdnn_hoard *hoard, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        bytes > SIZE_MAX - sizeof(struct vdnn_hoard_block))
        return NULL;
    struct vdnn_hoard_block *block = vdnn_heap_calloc(1, sizeof *block + bytes);
    if (block == NULL)
        return NULL;
    block->before = hoard->last;
    hoard->last = block;
    hoard->bytes += bytes;
    return block->bytes;
}

char *vdnn_hoard_strdup(vdnn_hoard *hoard, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = vdnn_hoard_take(hoard, bytes, 1);
    return copy == NULL ? NULL : memcpy(copy, text, bytes);
}

void *vdnn_hoard_grow(vdnn_hoard *hoard, void *items, size_t count, size_t size, size_t *capacity)
{
    enum { FIRST = 4 };
    if (count < *capacity)
        return items;
    const size_t more = *capacity == 0 ? FIRST : 2 * *capacity;
    void *larger = vdnn_hoard_take(hoard, more, size);
    if (larger == NULL)
        return NULL;
    if (count > 0)
        memcpy(larger, items, count * size);
    *capacity = more;
    return larger;
}

void vdnn_hoard_free(vdnn_hoard *hoard)
{
    while (hoard->last != NULL) {
        struct vdnn_hoard_block *block = hoard->last;
        hoard->last = block->before;
        vdnn_heap_free(block);
    }
}
