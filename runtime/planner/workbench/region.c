#include "runtime/planner/workbench/region.h"

#include "runtime/base/heap.h"

#include <stdint.h>
#include <string.h>

/* The address sanitizer sees whole blocks, unless it is told what of them is in use. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { GAP_BYTES = 64 }; /* behind each array, that nothing may access */
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
enum { GAP_BYTES = 0 };
#endif

enum { ALIGNMENT = _Alignof(max_align_t), FIRST_BYTES = 64 * 1024 };

struct vdnn_region_block {
    vdnn_region_block *below;
    size_t bytes; /* of data */
    _Alignas(max_align_t) unsigned char data[];
};

/* On top of the others; false: no memory. */
static bool add_block(vdnn_region *region, size_t bytes)
{
    vdnn_region_block *block = vdnn_heap_realloc(NULL, sizeof *block + bytes, 1);
    if (block == NULL)
        return false;
    block->below = region->top;
    block->bytes = bytes;
    ASAN_POISON_MEMORY_REGION(block->data, bytes);
    region->top = block;
    region->used = 0;
    return true;
}

/* At least twice as large as the one below. */
static bool grow(vdnn_region *region, size_t bytes)
{
    size_t wanted = region->top == NULL ? FIRST_BYTES : 2 * region->top->bytes;
    return add_block(region, wanted > bytes ? wanted : bytes);
}

/* Without memory for it blocks grow. */
void vdnn_region_expect(vdnn_region *region, size_t bytes)
{
    if (region->top == NULL)
        (void)grow(region, bytes);
}

void *vdnn_region_take(vdnn_region *region, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX / 4)
        region->failed = true;
    if (region->failed)
        return NULL;
    size_t whole = (bytes + GAP_BYTES + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    bool has_room = region->top != NULL && region->top->bytes - region->used >= whole;
    if (!has_room && !grow(region, whole)) {
        region->failed = true;
        return NULL;
    }
    void *taken = region->top->data + region->used;
    region->used += whole;
    ASAN_UNPOISON_MEMORY_REGION(taken, bytes);
    return taken;
}

void *vdnn_region_zeros(vdnn_region *region, size_t count, size_t size)
{
    void *taken = vdnn_region_take(region, count, size);
    if (taken != NULL)
        memset(taken, 0, count * size);
    return taken;
}

/* Returns the bytes that all blocks had. */
static size_t free_blocks(vdnn_region *region)
{
    size_t bytes = 0;
    while (region->top != NULL) {
        vdnn_region_block *block = region->top;
        region->top = block->below;
        bytes += block->bytes;
        ASAN_UNPOISON_MEMORY_REGION(block->data, block->bytes);
        vdnn_heap_free(block);
    }
    return bytes;
}

/* Several blocks become one, since what is taken next may be cut in another way. Without memory for
 * it there is none until then. */
void vdnn_region_clear(vdnn_region *region)
{
    if (region->top != NULL && region->top->below != NULL)
        (void)add_block(region, free_blocks(region));
    if (region->top != NULL)
        ASAN_POISON_MEMORY_REGION(region->top->data, region->top->bytes);
    region->used = 0;
    region->failed = false;
}

void vdnn_region_fini(vdnn_region *region)
{
    (void)free_blocks(region);
    memset(region, 0, sizeof *region);
}
