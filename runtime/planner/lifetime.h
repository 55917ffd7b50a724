#ifndef VDNN_RUNTIME_PLANNER_LIFETIME_H
#define VDNN_RUNTIME_PLANNER_LIFETIME_H

/* When steps are complete, by vector clocks, and when buffers are live.
 *
 * Invariant: clocks include what a wait implies, so a wait that others imply can be dropped.
 * Threads: one.
 *
 *     status = vdnn_lifetime_clocks(&builder);
 *     if (vdnn_lifetime_before(&builder, a, b)) ...      // a is complete before b starts
 *     status = vdnn_lifetime_compute(&builder, false);   // builder.lifetimes
 */

#include "runtime/planner/builder.h"

/* Computes vector clocks from streams and waits; drops waits that others imply. */
vdnn_status vdnn_lifetime_clocks(vdnn_builder *builder);
/* Whether step a is complete before step b starts. */
bool vdnn_lifetime_before(const vdnn_builder *builder, int32_t a, int32_t b);
/* Computes the lifetimes of all buffers. `assume_hidden`: copies count as complete at the end of
 * their group; the reuse phase then adds the waits that ensure it. */
vdnn_status vdnn_lifetime_compute(vdnn_builder *builder, bool assume_hidden);

#endif
