#ifndef VDNN_RUNTIME_PLANNER_PLANNER_H
#define VDNN_RUNTIME_PLANNER_PLANNER_H

/* The planner turns decisions into a plan. It works like a compiler's back end, one phase after the
 * other (workbench/workbench.c):
 *
 *   emit      decisions -> steps with data dependencies, in order on each stream   (emit.c, and
 *             below it emitter.h, forward.c, backward.c, ...)
 *   intervals lifetimes of buffers on the compute stream                           (lifetime.c)
 *   pack      offsets in every tier                                                (packer/)
 *   reuse     the waits that order every reuse of an address                       (reuse.c)
 *   estimate  time on the clock, peaks, averages                                   (estimate.c)
 *
 * Invariant: pure: the same graph, profile and decisions give the same plan. It knows no policy by
 * name, and no budget: vdnn_plan_fits says whether a plan fits one. Threads: any.
 */

#include "runtime/plan/plan.h"

vdnn_status vdnn_planner_plan(const vdnn_graph *graph, const vdnn_profile *profile,
                              const vdnn_decisions *decisions, vdnn_plan **plan);

/* A forward-only plan with the forward algorithms that were decided for a training. Its persistent
 * buffers have the offsets of the training's plan, so that both can run in one arena. */
vdnn_status vdnn_planner_plan_evaluation(const vdnn_graph *graph, const vdnn_profile *profile,
                                         const vdnn_decisions *training, vdnn_plan **plan);

#endif
