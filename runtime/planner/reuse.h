#ifndef VDNN_RUNTIME_PLANNER_REUSE_H
#define VDNN_RUNTIME_PLANNER_REUSE_H

/* Waits for memory: where an address is reused and no dependency orders the two users.
 *
 * Invariant: afterwards every two users of a byte are ordered.
 * Threads: one.
 *
 *     ... buffers have offsets ...
 *     status = vdnn_reuse_order(&builder);
 *     status = vdnn_lifetime_compute(&builder, false); // with the new waits
 */

#include "runtime/planner/builder.h"

/* Adds a wait for every reuse of an address that is not ordered by dependencies. */
vdnn_status vdnn_reuse_order(vdnn_builder *builder);

#endif
