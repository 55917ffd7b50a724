#ifndef VDNN_RUNTIME_PLANNER_CLOCK_LINK_H
#define VDNN_RUNTIME_PLANNER_CLOCK_LINK_H

/* Copies and sums over devices on the clock: their time, and the channels that those over the link
 * between a device and its host share. Copies between the host and the file tier share none. The
 * planner and simulated devices both use it, so that a simulated step takes the time that the
 * planner estimates.
 *
 *     device 0 ==out==> |            |        channel "out" and "in": where several devices share
 *     device 0 <==in=== |  one link  | host   the link, they share each direction of it;
 *     device 1 ==out==> |            |        channel "both": the two directions together, where
 *     device 1 <==in=== |            |        they are not independent
 *
 * What copies over the link take from compute on their device, and compute from them, is in the
 * profile; the file tier's copies, and sums over devices, are taken to slow nothing.
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

/* A copy on a stream of one direction; the caller sets its waits and, for a further device, its
 * stream and device. */
vdnn_clock_task vdnn_link_copy(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes);
/* The time of a copy alone. */
double vdnn_link_seconds(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes);

/* So many seconds of compute of a kind, likewise. */
vdnn_clock_task vdnn_link_compute(const vdnn_rates *rates, vdnn_stream_id stream,
                                  vdnn_compute_kind kind, double seconds);

/* A sum of so many bytes over the devices, or half of it, where rates.reduce has ways to take it;
 * and its time alone. */
vdnn_clock_task vdnn_link_reduce(const vdnn_rates *rates, vdnn_reduce_part part, size_t bytes);
double vdnn_link_reduce_seconds(const vdnn_rates *rates, vdnn_reduce_part part, size_t bytes);

/* Fills `channels` for that many devices on one link and returns it; NULL if copies, sums and
 * compute do not affect each other. */
const double *vdnn_link_channels(const vdnn_rates *rates, int devices,
                                 double channels[VDNN_LINK_CHANNELS]);

#endif
