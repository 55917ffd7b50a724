#ifndef VDNN_RUNTIME_FIT_DEVICE_TIMES_H
#define VDNN_RUNTIME_FIT_DEVICE_TIMES_H

/* The times of the plans of several devices: on one clock, and with what sums of gradients take
 * from the compute that hides them. On the clock compute and sums run at the same time at no cost;
 * on a card they share units and memory.
 *
 *     compute  | backward ...................... | update |
 *     sums            | sum | sum |     | sum |             hidden: compute_share of their time
 *                                                           is added to the step
 *
 * Invariant: without sums, or with a share of 0, times are those of the clock. Threads: pure.
 *
 *     status = vdnn_device_times_find(&setup, plans, 4, times);
 */

#include "runtime/planner/clock/together.h"
#include "runtime/setup/setup.h"

/* `setup`: of the first device, with its profile. VDNN_NO_MEMORY. */
vdnn_status vdnn_device_times_find(const vdnn_setup *setup, const vdnn_plan *const *plans,
                                   int32_t count, vdnn_together_times *times);

/* Seconds that the sums of a plan take from compute; `exposed_seconds`: of those that nothing
 * hides.
 */
double vdnn_device_times_taken(const vdnn_plan *plan, const vdnn_rates *rates,
                               double exposed_seconds);

#endif
