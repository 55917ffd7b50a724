#ifndef VDNN_RUNTIME_BASE_VERSIONED_H
#define VDNN_RUNTIME_BASE_VERSIONED_H

/* Structs that pass between a program and the library, which may be of different versions: each
 * begins with its own size, and grows only at its end.
 *
 * Invariant: nothing beyond the smaller of the two sizes is read or written.
 * Threads: pure.
 *
 *     vdnn_messages own = {0};
 *     status = vdnn_versioned_take(&own, sizeof own, given, "vdnn_messages");
 *     status = vdnn_versioned_give(facts, &own, sizeof own, "vdnn_plan_facts");
 */

#include "runtime/base/status.h"

#include <stddef.h>

/* Copies the caller's struct; members that its version does not have are 0. VDNN_USAGE for a size
 * that no version has, or if a member is set that this version does not have. */
vdnn_status vdnn_versioned_take(void *own, size_t own_bytes, const void *given, const char *name);

/* Fills in the members of the caller's version, except its size. VDNN_USAGE for a size that no
 * version has.
 */
vdnn_status vdnn_versioned_give(void *given, const void *own, size_t own_bytes, const char *name);

#endif
