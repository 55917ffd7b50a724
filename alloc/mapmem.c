#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <string.h>

static size_t mapped_bytes(size_t bytes)
{
    return bytes == 0 ? 1 : bytes;
}

static vdnn_status mapmem_alloc(vdnn_allocator *self, size_t bytes, void **block)
{
    (void)self;
    void *fresh = vdnn_system_mmap(NULL, mapped_bytes(bytes), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        return vdnn_status_fail(VDNN_NO_MEMORY, "mapmem: %zu bytes cannot be mapped: %s", bytes,
                                strerror(errno));
    *block = fresh;
    return VDNN_OK;
}

static void mapmem_free(vdnn_allocator *self, void *block, size_t bytes)
{
    (void)self;
    VDNN_INVARIANT(vdnn_system_munmap(block, mapped_bytes(bytes)), ==, 0);
}

static void mapmem_destroy(vdnn_allocator *self)
{
    vdnn_heap_free(self);
}

static const vdnn_allocator_ops ops = {"mapmem", mapmem_alloc, mapmem_free, mapmem_destroy};

vdnn_status vdnn_mapmem_create(vdnn_allocator **allocator)
{
    vdnn_allocator *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "mapmem: no memory for the allocator itself");
    fresh->ops = &ops;
    *allocator = fresh;
    return VDNN_OK;
}
