#ifndef VDNN_TRACES_SNAPSHOT_H
#define VDNN_TRACES_SNAPSHOT_H

/* A planned step as a memory snapshot in the form of PyTorch's (torch.cuda.memory._snapshot), for
 * its page memory_viz: a pickle of
 *
 *     {segments: [one for each tier, with what persistent buffers leave of it],
 *      device_traces: [for each tier {action, addr, size, stream, time_us, frames}, ...]}
 *
 * The device is device 0 there, the host tier 1, the file 2. A buffer is allocated at its first
 * point and freed at its end (runtime/plan/lives.h); its frames name its class, what it is of, the
 * policy and the network. Nothing is rounded: sizes are the plan's.
 *
 * Invariant: the most that is allocated at one time is the plan's peak in that tier, and the file
 * is whole or absent. Threads: pure, but for the file.
 *
 *     status = vdnn_snapshot_write(plan, start, end, "step.pickle");
 */

#include "runtime/plan/plan.h"

/* `start`, `end`: seconds from the begin of the step to the start and the end of each step of the
 * plan. VDNN_FILE, VDNN_NO_MEMORY. */
vdnn_status vdnn_snapshot_write(const vdnn_plan *plan, const double *start, const double *end,
                                const char *path);

#endif
