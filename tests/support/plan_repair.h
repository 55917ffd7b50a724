#ifndef VDNN_TESTS_SUPPORT_PLAN_REPAIR_H
#define VDNN_TESTS_SUPPORT_PLAN_REPAIR_H

/* Makes an edited plan consistent again, so that only what its steps mean can be wrong: lists,
 * lifetimes, writers, spans, the waits that the order of its list requires, and the sums that it
 * reports. A second computation of all of these, from the words of plan.h alone.
 *
 * Invariant: the steps, their order, their accesses and the offsets stay as they are.
 * Threads: one.
 *
 *     vdnn_plan_edit_move(plan, from, to);
 *     vdnn_plan_repair(plan);          // or, of waits that are edited, vdnn_plan_repair_claims
 */

#include "runtime/plan/plan.h"

/* Drops buffers that nothing uses and waits that are none; makes each read name the last write
 * before it, and each step wait for all that it must come after. */
void vdnn_plan_repair(vdnn_plan *plan);
/* Spans, peaks, categories and copied bytes alone. */
void vdnn_plan_repair_claims(vdnn_plan *plan);

#endif
