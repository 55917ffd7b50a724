#ifndef VDNN_RUNTIME_BASE_HEAP_H
#define VDNN_RUNTIME_BASE_HEAP_H

/* The heap: every small allocation of the library goes through here, so that tests can count them
 * and make the n-th fail.
 *
 * Invariant: memory from these functions is freed by vdnn_heap_free only.
 * Threads: any; the counters are atomic.
 *
 *     float *mean = vdnn_heap_calloc(channels, sizeof *mean);
 *     if (mean == NULL)
 *         return vdnn_status_fail(VDNN_NO_MEMORY, ...);
 *     vdnn_heap_free(mean);
 */

#include <stddef.h>

/* Zeroed memory for `count` items of `size` bytes (a zero product gives a unique pointer); NULL if
 * there is no memory, if the product overflows, or if a test makes this call fail. */
void *vdnn_heap_calloc(size_t count, size_t size);

/* Grows or shrinks; new bytes are not zeroed; on NULL the old block stays valid. */
void *vdnn_heap_realloc(void *block, size_t count, size_t size);

char *vdnn_heap_strdup(const char *text);

/* Accepts NULL. */
void vdnn_heap_free(void *block);

/* Returns the pages of freed blocks to the system, those of other libraries too. Called before
 * large allocations that stay. */
void vdnn_heap_trim(void);

/* Number of allocations since the process began, and of blocks that are alive now. */
size_t vdnn_heap_call_count(void);
size_t vdnn_heap_live_count(void);

/* Makes the n-th following call (1 = the next) return NULL; 0 ends it. For tests. */
void vdnn_heap_fail_after(size_t n);

#endif
