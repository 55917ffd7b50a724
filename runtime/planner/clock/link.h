#ifndef VDNN_RUNTIME_PLANNER_CLOCK_LINK_H
#define VDNN_RUNTIME_PLANNER_CLOCK_LINK_H

/* Copies and sums over devices on the clock: their time, and the channels that they share on the
 * link between a device and its host. Copies between the host and the file tier share none. The
 * planner and simulated devices both use this module, so that a simulated step takes the time that
 * the planner estimates.
 *
 *     device 0 ==out==> |            |        channels "out" and "in": devices on one link share
 *     device 0 <==in=== |  one link  | host   each direction of it;
 *     device 1 ==out==> |            |        channel "both": both directions together, if they
 *     device 1 <==in=== |            |        are not independent
 *
 * The profile says how much copies over the link and compute on the device slow each other. The
 * file tier's copies, and sums over devices, are assumed to slow nothing.
 *
 * Invariant: no channel has less than the rate of a single copy.
 * Threads: pure.
 *
 *     double channels[VDNN_LINK_CHANNELS];
 *     const double *shared = vdnn_link_channels(&rates, 1, channels);
 *     tasks[i] = vdnn_link_copy(&rates, VDNN_STREAM_OUT, bytes);
 *     seconds = vdnn_clock_run(tasks, count, waits, shared, start, end);
 */

#include "runtime/plan/plan.h"
#include "runtime/planner/clock/clock.h"
#include "runtime/profile/rates.h"

enum { VDNN_LINK_OUT, VDNN_LINK_IN, VDNN_LINK_BOTH, VDNN_LINK_CHANNELS };
enum { VDNN_LINK_DEVICES = 32 }; /* the most on one link */

/* The task of a copy in one direction. The caller sets its waits and, for devices other than the
 * first, its stream and device. */
vdnn_clock_task vdnn_link_copy(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes);
/* The seconds of a copy alone. */
double vdnn_link_seconds(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes);

/* The task of `seconds` of compute of a kind. The caller sets the same members as for a copy. */
vdnn_clock_task vdnn_link_compute(const vdnn_rates *rates, vdnn_stream_id stream,
                                  vdnn_compute_kind kind, double seconds);

/* The task of a sum of `bytes` over the devices, or of half of it, if rates.reduce has methods for
 * it; and the seconds of it alone. */
vdnn_clock_task vdnn_link_reduce(const vdnn_rates *rates, vdnn_reduce_part part, size_t bytes);
double vdnn_link_reduce_seconds(const vdnn_rates *rates, vdnn_reduce_part part, size_t bytes);

/* Sets `channels` for that many devices on one link and returns it; NULL if copies, sums and
 * compute do not affect each other. */
const double *vdnn_link_channels(const vdnn_rates *rates, int devices,
                                 double channels[VDNN_LINK_CHANNELS]);

#endif
