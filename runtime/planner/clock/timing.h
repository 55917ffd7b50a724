#ifndef VDNN_RUNTIME_PLANNER_CLOCK_TIMING_H
#define VDNN_RUNTIME_PLANNER_CLOCK_TIMING_H

/* Runs a plan on the clock.
 *
 * Invariant: the same plan takes the same seconds, to the last digit. Threads: pure.
 *
 *     vdnn_timing_tasks(plan, &rates, tasks);
 *     seconds = vdnn_clock_run(tasks, plan->step_count, plan->waits, channels, start, end);
 */

#include "runtime/profile/profile.h"
#include "runtime/profile/rates.h"

typedef struct vdnn_clock_task vdnn_clock_task;

/* Seconds of a separate step that updates this many bytes of parameters with the graph's optimizer.
 */
double vdnn_timing_update(const vdnn_profile *profile, const vdnn_graph *graph, size_t bytes);

/* Seconds of taking this many bytes of a batch that was loaded ahead. */
double vdnn_timing_take(const vdnn_profile *profile, size_t bytes);

/* Turns the steps of a plan into tasks, with the plan's waits. */
void vdnn_timing_tasks(const vdnn_plan *plan, const vdnn_rates *rates, vdnn_clock_task *tasks);

/* Sets when each step of a plan starts and ends, in seconds since the start of the training step,
 * as in the plan's estimate; on one device alone. VDNN_NO_MEMORY. */
vdnn_status vdnn_timing_run(const vdnn_plan *plan, const vdnn_profile *profile, double *start,
                            double *end);

#endif
