#include "alloc/allocator.h"
#include "runtime/base/heap.h"

#include <stdint.h>
#include <string.h>

/*
 *   | bytes | canary ............ | block .......... | canary ............ |
 *   <-------- GUARD_BYTES --------><----- bytes -----><---- GUARD_BYTES --->
 *
 * The front page begins with the size of the block, so that a free with another size is found too.
 * The canary depends on the address, so that a copy of it elsewhere is not valid.
 */
enum { GUARD_BYTES = 4096 };

static uint8_t canary(size_t i)
{
    return (uint8_t)(0xA5u ^ (i * 31u) ^ (i >> 8));
}

static void fill(uint8_t *page, size_t from)
{
    for (size_t i = from; i < GUARD_BYTES; i++)
        page[i] = canary(i);
}

/* `offset` of the page's first byte from the block's first. */
static void check(const uint8_t *page, size_t from, long long offset)
{
    for (size_t i = from; i < GUARD_BYTES; i++)
        if (page[i] != canary(i))
            vdnn_status_abort(__FILE__, __LINE__,
                              "a byte outside a block was written: its offset from the block, and "
                              "the bytes of the guard",
                              offset + (long long)i, GUARD_BYTES);
}

static vdnn_status guard_alloc(vdnn_allocator *self, size_t bytes, void **block)
{
    void *whole = NULL;
    vdnn_status status =
        vdnn_allocator_alloc(self->upstream, bytes + 2 * (size_t)GUARD_BYTES, &whole);
    if (status != VDNN_OK)
        return status;
    uint8_t *front = whole;
    memcpy(front, &bytes, sizeof bytes);
    fill(front, sizeof bytes);
    fill(front + GUARD_BYTES + bytes, 0);
    *block = front + GUARD_BYTES;
    return VDNN_OK;
}

static void guard_free(vdnn_allocator *self, void *block, size_t bytes)
{
    uint8_t *front = (uint8_t *)block - GUARD_BYTES;
    size_t made_with;
    memcpy(&made_with, front, sizeof made_with);
    check(front, sizeof made_with, -(long long)GUARD_BYTES);
    VDNN_INVARIANT(bytes, ==, made_with);
    check(front + GUARD_BYTES + bytes, 0, (long long)bytes);
    vdnn_allocator_free(self->upstream, front, bytes + 2 * (size_t)GUARD_BYTES);
}

static void guard_destroy(vdnn_allocator *self)
{
    vdnn_heap_free(self);
}

static const vdnn_allocator_ops ops = {"guard", guard_alloc, guard_free, guard_destroy};

vdnn_status vdnn_guard_create(vdnn_allocator *upstream, vdnn_allocator **allocator)
{
    vdnn_allocator *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL) {
        vdnn_allocator_destroy(upstream);
        return vdnn_status_fail(VDNN_NO_MEMORY, "guard: no memory for the allocator itself");
    }
    *own = (vdnn_allocator){&ops, upstream};
    *allocator = own;
    return VDNN_OK;
}
