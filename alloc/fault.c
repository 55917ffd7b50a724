#include "alloc/allocator.h"
#include "runtime/base/heap.h"

typedef struct fault {
    vdnn_allocator base;
    size_t n, calls;
} fault;

static fault *from_base(vdnn_allocator *self)
{
    return (fault *)self;
}

static vdnn_status fault_alloc(vdnn_allocator *self, size_t bytes, void **block)
{
    fault *own = from_base(self);
    if (++own->calls == own->n)
        return vdnn_status_fail(VDNN_NO_MEMORY, "fault: allocation %zu (%zu bytes) is made to fail",
                                own->n, bytes);
    return vdnn_allocator_alloc(self->upstream, bytes, block);
}

static void fault_free(vdnn_allocator *self, void *block, size_t bytes)
{
    vdnn_allocator_free(self->upstream, block, bytes);
}

static void fault_destroy(vdnn_allocator *self)
{
    vdnn_heap_free(from_base(self));
}

static const vdnn_allocator_ops ops = {"fault", fault_alloc, fault_free, fault_destroy};

vdnn_status vdnn_fault_create(vdnn_allocator *upstream, size_t n, vdnn_allocator **allocator)
{
    fault *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL) {
        vdnn_allocator_destroy(upstream);
        return vdnn_status_fail(VDNN_NO_MEMORY, "fault: no memory for the allocator itself");
    }
    own->base = (vdnn_allocator){&ops, upstream};
    own->n = n;
    *allocator = &own->base;
    return VDNN_OK;
}
