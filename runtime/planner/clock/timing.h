#ifndef VDNN_RUNTIME_PLANNER_CLOCK_TIMING_H
#define VDNN_RUNTIME_PLANNER_CLOCK_TIMING_H

/* A plan on the clock.
 *
 * Invariant: the same plan takes the same seconds, to the last digit. Threads: pure.
 *
 *     vdnn_timing_tasks(plan, &rates, tasks);
 *     seconds = vdnn_clock_run(tasks, plan->step_count, plan->waits, channels, start, end);
 */

#include "runtime/profile/profile.h"
#include "runtime/profile/rates.h"

typedef struct vdnn_clock_task vdnn_clock_task;

/* Seconds of updating that many bytes of parameters by a separate step, with the optimizer of the
 * graph. */
double vdnn_timing_update(const vdnn_profile *profile, const vdnn_graph *graph, size_t bytes);

/* Seconds of taking that many bytes of a batch that was loaded ahead. */
double vdnn_timing_take(const vdnn_profile *profile, size_t bytes);

/* The steps of a plan as tasks, with its own waits. */
void vdnn_timing_tasks(const vdnn_plan *plan, const vdnn_rates *rates, vdnn_clock_task *tasks);

/* When each step of a plan starts and ends, in seconds since the step's begin, as the estimate of
 * its time has it; on a device alone. VDNN_NO_MEMORY. */
vdnn_status vdnn_timing_run(const vdnn_plan *plan, const vdnn_profile *profile, double *start,
                            double *end);

#endif
