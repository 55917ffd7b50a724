#ifndef VDNN_ALLOC_ALLOCATOR_H
#define VDNN_ALLOC_ALLOCATOR_H

/* Allocators of large blocks: one interface, sources of memory, and adaptors that compose.
 *
 *     device tier: count -> limit -> mapmem (on the CPU)
 *     host tier:   count -> hostmem (a jemalloc arena over mmap), or mapmem without jemalloc
 *     tests:       fault -> guard -> limit -> ... over any source
 *
 * Invariant: free is given what alloc returned, with the same bytes; blocks are aligned to 4096
 * bytes and zeroed.
 * Threads: an allocator may be used by one thread at a time unless its comment says more.
 *
 *     vdnn_allocator *source, *limited;
 *     status = vdnn_hostmem_create(&source);
 *     status = vdnn_limit_create(source, bytes, &limited);   // owns source from now on
 *     status = vdnn_allocator_alloc(limited, bytes, &block);
 *     vdnn_allocator_free(limited, block, bytes);
 *     vdnn_allocator_destroy(limited);                       // and source with it
 */

#include "runtime/base/status.h"

#include <stddef.h>

typedef struct vdnn_allocator vdnn_allocator;

typedef struct vdnn_allocator_ops {
    const char *name;
    vdnn_status (*alloc)(vdnn_allocator *self, size_t bytes, void **block);
    void (*free)(vdnn_allocator *self, void *block, size_t bytes);
    void (*destroy)(vdnn_allocator *self);
} vdnn_allocator_ops;

struct vdnn_allocator {
    const vdnn_allocator_ops *ops;
    vdnn_allocator *upstream; /* owned; NULL for a source */
};

vdnn_status vdnn_allocator_alloc(vdnn_allocator *allocator, size_t bytes, void **block);
void vdnn_allocator_free(vdnn_allocator *allocator, void *block, size_t bytes);
void vdnn_allocator_destroy(vdnn_allocator *allocator); /* accepts NULL; upstream too */

/* Sources: anonymous mmap, page by page on touch; */
vdnn_status vdnn_mapmem_create(vdnn_allocator **allocator);
/* and a separate jemalloc arena whose extent hooks map, commit and unmap memory; in a process
 * without jemalloc the first one. */
vdnn_status vdnn_hostmem_create(vdnn_allocator **allocator);

/* Adaptors; each owns its upstream, also when it cannot be created. */
vdnn_status vdnn_limit_create(vdnn_allocator *upstream, size_t bytes, vdnn_allocator **allocator);
vdnn_status vdnn_count_create(vdnn_allocator *upstream, vdnn_allocator **allocator);
/* Canaries before and after each block, checked at free: aborts with the offset. */
vdnn_status vdnn_guard_create(vdnn_allocator *upstream, vdnn_allocator **allocator);
/* The n-th allocation fails with VDNN_NO_MEMORY; 0: none. */
vdnn_status vdnn_fault_create(vdnn_allocator *upstream, size_t n, vdnn_allocator **allocator);

/* Counters of a counting allocator. */
typedef struct vdnn_count_totals {
    size_t alloc_count, free_count, live_bytes, peak_bytes;
} vdnn_count_totals;
vdnn_count_totals vdnn_count_read(const vdnn_allocator *allocator);

/* Locks pages into memory; *locked_bytes is the number of bytes (whole pages) locked, 0 if it is
 * not allowed, which is not an error. */
void vdnn_lock_pages(void *block, size_t bytes, size_t *locked_bytes);
void vdnn_unlock_pages(void *block, size_t locked_bytes);

/* Bytes that this process can still allocate: the least of MemAvailable, the limits of its cgroup
 * and of the cgroups above less their use, RLIMIT_AS and RLIMIT_DATA; *limit names the smallest
 * ("MemAvailable", "cgroup memory.max", ...). A file that is missing or not understood sets no
 * limit.
 */
size_t vdnn_memory_available(const char **limit);
size_t vdnn_memory_total(void);
/* Memory of this process alone, without pages of files; 0: unknown. */
size_t vdnn_memory_used(void);

#endif
