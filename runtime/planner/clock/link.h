#ifndef VDNN_RUNTIME_PLANNER_CLOCK_LINK_H
#define VDNN_RUNTIME_PLANNER_CLOCK_LINK_H

/* The link between a device and its host as the clock sees it: what a copy takes, and what it
 * shares with others. The planner and simulated devices both ask here, so that a plan takes on the
 * clock of the one what the other estimates.
 *
 *     device 0 ==out==> |            |        channel "out" and "in": where several devices share
 *     device 0 <==in=== |  one link  | host   the link, they share each direction of it;
 *     device 1 ==out==> |            |        channel "both": the two directions together, where
 *     device 1 <==in=== |            |        they are not independent
 *
 * Invariant: no channel has less than one copy alone reaches.
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
enum { VDNN_LINK_DEVICES = VDNN_CLOCK_STREAMS / VDNN_STREAM_COUNT }; /* the most on one link */

/* A copy on a stream of one direction; its waits and, of a further device, its stream are the
 * caller's to set. */
vdnn_clock_task vdnn_link_copy(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes);
/* What it takes alone. */
double vdnn_link_seconds(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes);

/* Fills `channels` for so many devices on one link and returns it; NULL where copies take the same,
 * whatever else runs. */
const double *vdnn_link_channels(const vdnn_rates *rates, int devices,
                                 double channels[VDNN_LINK_CHANNELS]);

#endif
