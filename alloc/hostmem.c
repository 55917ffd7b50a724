#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/base/machine/jemalloc.h"
#include "runtime/base/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 *   arena of jemalloc:  | extent              | extent     |
 *                       | committed | mapped  | committed  |
 *                         block       no page   block        one mmap each, split and merged
 *
 * An extent may be larger than what is asked for (jemalloc grows in steps); what is not committed
 * costs addresses and no memory.
 */
typedef struct hostmem {
    vdnn_allocator base;
    extent_hooks_t hooks; /* jemalloc keeps a pointer to it until the arena is destroyed */
    unsigned arena;
    bool is_ending;
} hostmem;

/* ---- extent hooks: false means done ---------------------------------------------------------- */

static char *map_pages(void *at, size_t size, bool commit)
{
    int protection = commit ? PROT_READ | PROT_WRITE : PROT_NONE;
    void *fresh = vdnn_system_mmap(
        at, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | (commit ? 0 : MAP_NORESERVE), -1, 0);
    return fresh == MAP_FAILED ? NULL : fresh;
}

static void *extent_alloc(extent_hooks_t *hooks, void *at, size_t size, size_t alignment,
                          bool *zero, bool *commit, unsigned arena)
{
    (void)hooks;
    (void)arena;
    if (size > SIZE_MAX - alignment)
        return NULL;
    char *fresh = map_pages(at, size, *commit);
    if (fresh == NULL)
        return NULL;
    if (at != NULL && fresh != at) {
        (void)vdnn_system_munmap(fresh, size);
        return NULL;
    }
    if ((uintptr_t)fresh % alignment != 0) {
        /* Map enough to contain an aligned part, and unmap both ends. */
        (void)vdnn_system_munmap(fresh, size);
        char *wide = map_pages(NULL, size + alignment, *commit);
        if (wide == NULL)
            return NULL;
        size_t before = (alignment - (uintptr_t)wide % alignment) % alignment;
        if (before != 0)
            (void)vdnn_system_munmap(wide, before);
        fresh = wide + before;
        (void)vdnn_system_munmap(fresh + size, alignment - before);
    }
    *zero = true;
    return fresh;
}

static hostmem *from_hooks(extent_hooks_t *hooks)
{
    return (hostmem *)((char *)hooks - offsetof(hostmem, hooks));
}

/* Refused before the arena's end: jemalloc then decommits the extent and keeps its addresses for
 * the arena. It merges an extent with the one before it in memory, whichever arena has that one,
 * unless the extent is the first of what was mapped at once; so the parts before an extent may not
 * go to others. */
static bool extent_dalloc(extent_hooks_t *hooks, void *extent, size_t size, bool committed,
                          unsigned arena)
{
    (void)committed;
    (void)arena;
    return !from_hooks(hooks)->is_ending || vdnn_system_munmap(extent, size) != 0;
}

static void extent_destroy(extent_hooks_t *hooks, void *extent, size_t size, bool committed,
                           unsigned arena)
{
    (void)hooks;
    (void)committed;
    (void)arena;
    (void)vdnn_system_munmap(extent, size);
}

static bool extent_commit(extent_hooks_t *hooks, void *extent, size_t size, size_t offset,
                          size_t length, unsigned arena)
{
    (void)hooks;
    (void)size;
    (void)arena;
    return vdnn_system_mprotect((char *)extent + offset, length, PROT_READ | PROT_WRITE) != 0;
}

static bool extent_decommit(extent_hooks_t *hooks, void *extent, size_t size, size_t offset,
                            size_t length, unsigned arena)
{
    (void)hooks;
    (void)size;
    (void)arena;
    return vdnn_system_mmap((char *)extent + offset, length, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                            0) == MAP_FAILED;
}

/* Forced: afterwards the pages read as zeros. A lazy purge would leave undefined contents. */
static bool extent_purge(extent_hooks_t *hooks, void *extent, size_t size, size_t offset,
                         size_t length, unsigned arena)
{
    (void)hooks;
    (void)size;
    (void)arena;
    return vdnn_system_madvise((char *)extent + offset, length, MADV_DONTNEED) != 0;
}

static bool extent_split(extent_hooks_t *hooks, void *extent, size_t size, size_t size_a,
                         size_t size_b, bool committed, unsigned arena)
{
    (void)hooks;
    (void)extent;
    (void)size;
    (void)size_a;
    (void)size_b;
    (void)committed;
    (void)arena;
    return false;
}

static bool extent_merge(extent_hooks_t *hooks, void *a, size_t size_a, void *b, size_t size_b,
                         bool committed, unsigned arena)
{
    (void)hooks;
    (void)a;
    (void)size_a;
    (void)b;
    (void)size_b;
    (void)committed;
    (void)arena;
    return false;
}

static const extent_hooks_t extent_hooks = {
    .alloc = extent_alloc,
    .dalloc = extent_dalloc,
    .destroy = extent_destroy,
    .commit = extent_commit,
    .decommit = extent_decommit,
    .purge_lazy = NULL,
    .purge_forced = extent_purge,
    .split = extent_split,
    .merge = extent_merge,
};

/* ---- the allocator --------------------------------------------------------------------------- */

static hostmem *from_base(vdnn_allocator *self)
{
    return (hostmem *)self;
}

static int block_flags(const hostmem *host)
{
    return MALLOCX_TCACHE_NONE | MALLOCX_ALIGN(4096) | MALLOCX_ARENA(host->arena);
}

static vdnn_status hostmem_alloc(vdnn_allocator *self, size_t bytes, void **block)
{
    void *fresh = mallocx(bytes == 0 ? 1 : bytes, block_flags(from_base(self)) | MALLOCX_ZERO);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "hostmem: %zu bytes cannot be mapped", bytes);
    *block = fresh;
    return VDNN_OK;
}

static void hostmem_free(vdnn_allocator *self, void *block, size_t bytes)
{
    sdallocx(block, bytes == 0 ? 1 : bytes, block_flags(from_base(self)));
}

static int arena_control(unsigned arena, const char *verb, void *value, size_t bytes)
{
    char name[64];
    (void)snprintf(name, sizeof name, "arena.%u.%s", arena, verb);
    return mallctl(name, NULL, NULL, value, bytes);
}

static void hostmem_destroy(vdnn_allocator *self)
{
    hostmem *host = from_base(self);
    host->is_ending = true;
    VDNN_INVARIANT(arena_control(host->arena, "destroy", NULL, 0), ==, 0);
    vdnn_heap_free(host);
}

static const vdnn_allocator_ops ops = {"hostmem", hostmem_alloc, hostmem_free, hostmem_destroy};

vdnn_status vdnn_hostmem_create(vdnn_allocator **allocator)
{
    if (!vdnn_has_jemalloc())
        return vdnn_mapmem_create(allocator);
    hostmem *host = vdnn_heap_calloc(1, sizeof *host);
    if (host == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "hostmem: no memory for the allocator itself");
    host->base.ops = &ops;
    host->hooks = extent_hooks;
    extent_hooks_t *hooks = &host->hooks;
    size_t size = sizeof host->arena;
    int error = mallctl("arenas.create", &host->arena, &size, &hooks, sizeof(extent_hooks_t *));
    if (error != 0) {
        vdnn_heap_free(host);
        return vdnn_status_fail(VDNN_NO_MEMORY, "hostmem: jemalloc makes no arena: %s",
                                strerror(error));
    }
    /* Freed pages are given back at once: a tier's block is large and rarely replaced. */
    ssize_t decay = 0;
    (void)arena_control(host->arena, "dirty_decay_ms", &decay, sizeof decay);
    (void)arena_control(host->arena, "muzzy_decay_ms", &decay, sizeof decay);
    *allocator = &host->base;
    return VDNN_OK;
}
