#include "alloc/allocator.h"
#include "runtime/base/heap.h"

typedef struct limit {
    vdnn_allocator base;
    size_t bytes, used_bytes;
} limit;

static limit *from_base(vdnn_allocator *self)
{
    return (limit *)self;
}

static vdnn_status limit_alloc(vdnn_allocator *self, size_t bytes, void **block)
{
    limit *own = from_base(self);
    if (bytes > own->bytes - own->used_bytes)
        return vdnn_status_fail(VDNN_NO_MEMORY,
                                "limit: %zu bytes asked for, but %zu of %zu are in use", bytes,
                                own->used_bytes, own->bytes);
    vdnn_status status = vdnn_allocator_alloc(self->upstream, bytes, block);
    if (status == VDNN_OK)
        own->used_bytes += bytes;
    return status;
}

static void limit_free(vdnn_allocator *self, void *block, size_t bytes)
{
    limit *own = from_base(self);
    VDNN_INVARIANT(bytes, <=, own->used_bytes);
    own->used_bytes -= bytes;
    vdnn_allocator_free(self->upstream, block, bytes);
}

static void limit_destroy(vdnn_allocator *self)
{
    vdnn_heap_free(from_base(self));
}

static const vdnn_allocator_ops ops = {"limit", limit_alloc, limit_free, limit_destroy};

vdnn_status vdnn_limit_create(vdnn_allocator *upstream, size_t bytes, vdnn_allocator **allocator)
{
    limit *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL) {
        vdnn_allocator_destroy(upstream);
        return vdnn_status_fail(VDNN_NO_MEMORY, "limit: no memory for the allocator itself");
    }
    own->base = (vdnn_allocator){&ops, upstream};
    own->bytes = bytes;
    *allocator = &own->base;
    return VDNN_OK;
}
