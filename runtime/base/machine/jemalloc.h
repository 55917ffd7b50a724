#ifndef VDNN_RUNTIME_BASE_MACHINE_JEMALLOC_H
#define VDNN_RUNTIME_BASE_MACHINE_JEMALLOC_H

/* jemalloc, where the process has it: the programs link it, and so does what links libvdnn.a; a
 * process that loads libvdnn.so brings its malloc, whichever it is. (A library with jemalloc in it
 * cannot be loaded by a running process: jemalloc's thread-local memory is static.)
 *
 * Threads: any.
 *
 *     if (vdnn_has_jemalloc())
 *         block = mallocx(bytes, flags);
 */

#include <jemalloc/jemalloc.h>
#include <stdbool.h>

#pragma weak mallctl
#pragma weak mallocx
#pragma weak sdallocx

static inline bool vdnn_has_jemalloc(void)
{
    return mallctl != NULL && mallocx != NULL && sdallocx != NULL;
}

#endif
