#ifndef VDNN_ALLOC_MEMORY_H
#define VDNN_ALLOC_MEMORY_H

/* How much memory there is, read from the files of a system below a root folder, so that it can be
 * tested with made-up systems.
 *
 * Invariant: a file that is missing or not understood sets no limit.
 * Threads: any; nothing is kept.
 *
 *     const char *limit;
 *     size_t bytes = vdnn_memory_available_under("", &limit);   // this system
 *     bytes = vdnn_memory_available_under("/tmp/fake", &limit); // reads /tmp/fake/proc/meminfo,
 * ... size_t all = vdnn_memory_total_under(""); printf("%zu of %zu bytes, by %s\n", bytes, all,
 * limit);
 */

#include <stddef.h>

size_t vdnn_memory_available_under(const char *root, const char **limit);
size_t vdnn_memory_total_under(const char *root);

#endif
