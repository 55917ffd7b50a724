#ifndef VDNN_RUNTIME_PLANNER_LIFETIME_H
#define VDNN_RUNTIME_PLANNER_LIFETIME_H

/* When steps are complete, by vector clocks, and from when to when buffers live.
 *
 * Invariant: what a wait implies is in the clocks, so that a wait which others imply can go.
 * Threads: one.
 *
 *     status = vdnn_lifetime_clocks(&builder);
 *     if (vdnn_lifetime_before(&builder, a, b)) ...      // a is complete before b starts
 *     status = vdnn_lifetime_compute(&builder, false);   // builder.lifetimes
 */

#include "runtime/planner/builder.h"

/* Vector clocks from streams and waits; drops waits that others imply. */
vdnn_status vdnn_lifetime_clocks(vdnn_builder *builder);
/* True if step a is complete before step b starts. */
bool vdnn_lifetime_before(const vdnn_builder *builder, int32_t a, int32_t b);
/* Lifetimes of all buffers. `assume_hidden`: copies count as complete at the end of their group;
 * the reuse phase then adds the waits that make it so. */
vdnn_status vdnn_lifetime_compute(vdnn_builder *builder, bool assume_hidden);

#endif
