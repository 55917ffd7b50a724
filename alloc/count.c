#include "alloc/allocator.h"
#include "runtime/base/heap.h"

typedef struct count {
    vdnn_allocator base;
    vdnn_count_totals totals;
} count;

static count *from_base(vdnn_allocator *self)
{
    return (count *)self;
}

static vdnn_status count_alloc(vdnn_allocator *self, size_t bytes, void **block)
{
    vdnn_count_totals *totals = &from_base(self)->totals;
    VDNN_TRY(vdnn_allocator_alloc(self->upstream, bytes, block));
    totals->alloc_count++;
    totals->live_bytes += bytes;
    if (totals->live_bytes > totals->peak_bytes)
        totals->peak_bytes = totals->live_bytes;
    return VDNN_OK;
}

static void count_free(vdnn_allocator *self, void *block, size_t bytes)
{
    vdnn_count_totals *totals = &from_base(self)->totals;
    VDNN_INVARIANT(bytes, <=, totals->live_bytes);
    totals->free_count++;
    totals->live_bytes -= bytes;
    vdnn_allocator_free(self->upstream, block, bytes);
}

static void count_destroy(vdnn_allocator *self)
{
    vdnn_heap_free(from_base(self));
}

static const vdnn_allocator_ops ops = {"count", count_alloc, count_free, count_destroy};

vdnn_status vdnn_count_create(vdnn_allocator *upstream, vdnn_allocator **allocator)
{
    count *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL) {
        vdnn_allocator_destroy(upstream);
        return vdnn_status_fail(VDNN_NO_MEMORY, "count: no memory for the allocator itself");
    }
    own->base = (vdnn_allocator){&ops, upstream};
    *allocator = &own->base;
    return VDNN_OK;
}

vdnn_count_totals vdnn_count_read(const vdnn_allocator *allocator)
{
    VDNN_INVARIANT(allocator->ops == &ops, ==, 1);
    return ((const count *)allocator)->totals;
}
