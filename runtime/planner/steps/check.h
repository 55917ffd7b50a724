#ifndef VDNN_RUNTIME_PLANNER_STEPS_CHECK_H
#define VDNN_RUNTIME_PLANNER_STEPS_CHECK_H

/* Whether decisions can become steps: the conditions of runtime/plan/decisions.h, and of what a
 * layer's forward or backward hides. Policies propose nothing else, but one of a program may.
 *
 * Threads: one.
 *
 *     status = vdnn_emit_check(graph, profile, decisions, training);
 */

#include "runtime/plan/decisions.h"

/* VDNN_INTERNAL with the first condition that is not met. */
vdnn_status vdnn_emit_check(const vdnn_graph *graph, const vdnn_profile *profile,
                            const vdnn_decisions *decisions, bool training);

#endif
