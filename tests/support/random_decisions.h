#ifndef VDNN_TESTS_SUPPORT_RANDOM_DECISIONS_H
#define VDNN_TESTS_SUPPORT_RANDOM_DECISIONS_H

/* Decisions that no policy would make, but that the planner must support: any legal mixture.
 *
 * Threads: any.
 *
 *     assert_ok(vdnn_random_decisions(graph, profile, &rng, &decisions));
 *     assert_ok(vdnn_planner_plan(graph, profile, &decisions, &plan));
 *     vdnn_decisions_fini(&decisions);
 */

#include "runtime/plan/decisions.h"
#include "runtime/profile/profile.h"
#include "tests/support/vdnn_test.h"

/* Each stashed map is kept or offloaded at random times, parameters and gradients that can leave
 * may do so, each pass gets any choice, each mode of the whole step is drawn. */
vdnn_status vdnn_random_decisions(const vdnn_graph *graph, const vdnn_profile *profile,
                                  vdnn_test_rng *rng, vdnn_decisions *decisions);

/* Every stashed map is offloaded as early and prefetched as late as possible; memory is freed at
 * its last use. */
vdnn_status vdnn_eager_decisions(const vdnn_graph *graph, vdnn_sync sync,
                                 vdnn_decisions *decisions);

#endif
