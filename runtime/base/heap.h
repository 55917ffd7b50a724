#ifndef VDNN_RUNTIME_BASE_HEAP_H
#define VDNN_RUNTIME_BASE_HEAP_H

/* The heap of our own code: every small allocation of the library goes through here, so that tests
 * can count them and make the n-th fail.
 *
 * Invariant: what these functions return is freed by vdnn_heap_free and by nothing else.
 * Threads: any; the counters are atomic.
 *
 *     float *mean = vdnn_heap_calloc(channels, sizeof *mean);
 *     if (mean == NULL)
 *         return vdnn_status_fail(VDNN_NO_MEMORY, ...);
 *     vdnn_heap_free(mean);
 */

#include <stddef.h>

/* Zeroed memory for `count` items of `size` bytes (a zero product gives a unique pointer); NULL
 * when there is none, when the product overflows, or when a test made this call fail. */
void *vdnn_heap_calloc(size_t count, size_t size);

/* Grows or shrinks; what is new is not zeroed; on NULL the old block stays valid. */
void *vdnn_heap_realloc(void *block, size_t count, size_t size);

char *vdnn_heap_strdup(const char *text);

/* Accepts NULL. */
void vdnn_heap_free(void *block);

/* Gives the pages of freed blocks back to the system, those of the libraries' too. Before much
 * memory is taken that stays. */
void vdnn_heap_trim(void);

/* How often memory was asked for since the process began, and how many blocks live now. */
size_t vdnn_heap_call_count(void);
size_t vdnn_heap_live_count(void);

/* Makes the n-th following call (1 = the next) return NULL; 0 ends it. For tests. */
void vdnn_heap_fail_after(size_t n);

#endif
