#ifndef VDNN_RUNTIME_DEVICE_CPU_COPY_H
#define VDNN_RUNTIME_DEVICE_CPU_COPY_H

/* Copies between blocks of memory, for copies that run during compute: a large one bypasses the
 * caches, so that it does not evict the data of the compute.
 *
 * Invariant: afterwards `to` has the bytes of `from`, visible to every thread that synchronizes
 * with this one; the two do not overlap. Threads: any.
 *
 *     vdnn_cpu_copy(host + offset, arena + offset, bytes);
 *     vdnn_cpu_copy(NULL, NULL, 0); // nothing
 */

#include <stddef.h>

void vdnn_cpu_copy(void *to, const void *from, size_t bytes);

#endif
