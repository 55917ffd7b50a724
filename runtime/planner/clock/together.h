#ifndef VDNN_RUNTIME_PLANNER_CLOCK_TOGETHER_H
#define VDNN_RUNTIME_PLANNER_CLOCK_TOGETHER_H

/* The plans of several devices on one clock. Copies of the devices share links. A sum over the
 * devices begins when all have reached it, and ends for all when its slowest part does.
 *
 *   device 0   | compute | out | in | reduce |  \
 *   device 1   | compute | out | in | reduce |  / one link      all start the step together
 *   device 2   | compute | out | in | reduce |  \
 *   device 3   | compute | out | in | reduce |  / another link
 *
 * Links with the same plans behave alike, so one of each kind is simulated: a thousand devices take
 * as long as a few.
 *
 * Invariant: the same plans take the same seconds, to the last digit. A plan with a separate link
 * takes its estimated time together with equal plans, and no less with others. Threads: pure.
 *
 *     vdnn_together_times times[4];
 *     status = vdnn_together_run(plans, 4, &rates, 2, times);
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/rates.h"

typedef struct vdnn_together_times {
    double step_seconds;
    double exposed_reduce_seconds; /* of sums during which no kernel of the device runs */
} vdnn_together_times;

/* Sets the times of each device. The plans have at most two shapes, as the shares of a batch have;
 * equal shapes are adjacent. The first `on_one_link` (1 to VDNN_LINK_DEVICES) devices share a link,
 * the next ones share another, and so on. VDNN_NO_MEMORY. */
vdnn_status vdnn_together_run(const vdnn_plan *const *plans, int32_t count, const vdnn_rates *rates,
                              int32_t on_one_link, vdnn_together_times *times);

#endif
