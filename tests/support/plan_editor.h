#ifndef VDNN_TESTS_SUPPORT_PLAN_EDITOR_H
#define VDNN_TESTS_SUPPORT_PLAN_EDITOR_H

/* An editing planner: random edits of plans, by kind, each of which agrees with itself. Steps are
 * inserted, split, moved and redirected with their waits, accesses and sizes, and the plan reports
 * what is then true of it. So such a plan is wrong only by what it means, which no comparison of
 * its lists finds; many are right.
 *
 * Invariant: as of vdnn_plan_repair. Threads: one.
 *
 *     vdnn_plan *edited = vdnn_plan_edit_copy(plan);
 *     if (vdnn_editor_apply(i, edited, &rng)) ... vdnn_editor_name(i) ...
 *     vdnn_editor_finish(edited, &rng);
 *     vdnn_plan_destroy(edited);
 */

#include "runtime/plan/plan.h"
#include "tests/support/vdnn_test.h"

size_t vdnn_editor_count(void);
const char *vdnn_editor_name(size_t i);
/* False where the plan has nothing of that kind, or what is there was left in part. The plan is
 * good to be edited once more, and is to be finished. */
bool vdnn_editor_apply(size_t i, vdnn_plan *plan, vdnn_test_rng *rng);
/* Of a sum over the devices and a run in which devices may meet too, drawn alike in plans that are
 * alike, one waits for the other, before which it may have come. False: there is none, or they
 * cannot come so. */
bool vdnn_editor_order_lanes(vdnn_plan *plan, vdnn_test_rng *rng, bool sum_waits);
/* Repairs it; of some plans a wait is then missing, or one more is there. */
void vdnn_editor_finish(vdnn_plan *plan, vdnn_test_rng *rng);

#endif
