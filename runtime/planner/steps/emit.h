#ifndef VDNN_RUNTIME_PLANNER_STEPS_EMIT_H
#define VDNN_RUNTIME_PLANNER_STEPS_EMIT_H

/* Turns decisions into steps with their data dependencies, in order on each stream.
 *
 * Invariant: a step that reads waits for the step that wrote what it reads; no addresses are
 * assigned yet.
 * Threads: one.
 *
 *     vdnn_builder_begin(&builder, graph->zone_bytes);
 *     status = vdnn_emit_steps(&builder, graph, profile, decisions, training, plan);
 */

#include "runtime/planner/builder.h"

/* Adds the steps to an empty builder, and sets which of the plan's buffers hold what. */
vdnn_status vdnn_emit_steps(vdnn_builder *builder, const vdnn_graph *graph,
                            const vdnn_profile *profile, const vdnn_decisions *decisions,
                            bool training, vdnn_plan *plan);

#endif
