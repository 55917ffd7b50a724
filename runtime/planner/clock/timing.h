#ifndef VDNN_RUNTIME_PLANNER_CLOCK_TIMING_H
#define VDNN_RUNTIME_PLANNER_CLOCK_TIMING_H

/* Plans on the clock: one, or those of several devices at once, whose copies share links.
 *
 *   device 0   | compute | out | in |  \
 *   device 1   | compute | out | in |  / one link           all begin their step together
 *   device 2   | compute | out | in |  \
 *   device 3   | compute | out | in |  / another one
 *
 * Invariant: the same plans take the same seconds, to the last digit. A plan with a separate link
 * takes its estimated time, and no less beside others. Threads: pure.
 *
 *     double seconds[4];
 *     status = vdnn_timing_together(plans, 4, &rates, 2, seconds);
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

/* Seconds of each device's step. The first `on_one_link` (1 to VDNN_LINK_DEVICES) devices share a
 * link, the next ones another, and so on. VDNN_NO_MEMORY. */
vdnn_status vdnn_timing_together(const vdnn_plan *const *plans, int32_t count,
                                 const vdnn_rates *rates, int32_t on_one_link, double *seconds);

#endif
