#ifndef VDNN_TESTS_SUPPORT_PLAN_CORRUPTIONS_H
#define VDNN_TESTS_SUPPORT_PLAN_CORRUPTIONS_H

/* Random corruptions of plans, by kind: what a planner with a mistake may produce. Some do no harm.
 *
 * Invariant: indexes stay inside the lists, and first and last steps of buffers and spans are made
 * true again, so that what is left is wrong by its meaning.
 * Threads: one.
 *
 *     vdnn_plan *broken = vdnn_plan_edit_copy(plan);
 *     if (vdnn_corruption_apply(i, broken, &rng)) ... vdnn_corruption_name(i) ...
 *     vdnn_plan_destroy(broken);
 */

#include "runtime/plan/plan.h"
#include "tests/support/vdnn_test.h"

size_t vdnn_corruption_count(void);
const char *vdnn_corruption_name(size_t i);
/* False, and the plan as it was, where it has nothing of that kind. Of half of the plans the reads
 * then name the writers that they have now, as they would if the planner had meant it. */
bool vdnn_corruption_apply(size_t i, vdnn_plan *plan, vdnn_test_rng *rng);

#endif
