#ifndef VDNN_RUNTIME_PLANNER_CLOCK_CLOCK_H
#define VDNN_RUNTIME_PLANNER_CLOCK_CLOCK_H

/* The one event simulation: tasks in order on streams, each waiting for earlier tasks, and what
 * they share.
 *
 *     stream 0  |== compute ==|        |== compute ==|
 *     stream 1  |latency|== bytes ====|                     alone: `rate`
 *     stream 2          |latency|== bytes ==========|       both at once: what the channel gives
 *
 * A task takes its `seconds`, whatever else runs. Then it moves its `bytes`, at `rate` as long as
 * its channels have the capacity. A channel with less than the sum of its users' rates is shared by
 * max-min fairness: each gets the same, and the others share what one cannot use (Bertsekas and
 * Gallager, Data Networks, 6.5.2).
 *
 * Invariant: a task begins when the task before it on its stream and all that it waits for have
 * ended. Deterministic; no wall clock. If every channel has at least the rate of each of its users
 * alone, the whole takes no longer than one task after the other.
 * Threads: pure.
 *
 *     const double channels[] = {12e9};                       // bytes a second, both directions
 *     tasks[i] = (vdnn_clock_task){.seconds = 1e-5, .bytes = 1e9, .rate = 10e9, .channels = 1};
 *     double start[n], end[n];
 *     double makespan = vdnn_clock_run(tasks, n, waits, channels, start, end);
 */

#include <stdint.h>

enum { VDNN_CLOCK_STREAMS = 776, VDNN_CLOCK_CHANNELS = 32 };

typedef struct vdnn_clock_task {
    double seconds;                 /* before its bytes: the time of computing */
    double bytes, rate;             /* to move, and per second alone; 0: none */
    uint32_t channels;              /* through which: bit 1 << channel */
    int32_t stream;                 /* below VDNN_CLOCK_STREAMS */
    int32_t first_wait, wait_count; /* into the waits array: indexes of earlier tasks */
} vdnn_clock_task;

/* Returns the latest end; fills start and end (count values each). `channels` has the bytes per
 * second of every channel that a task names, each positive; NULL if none names any. */
double vdnn_clock_run(const vdnn_clock_task *tasks, int32_t count, const int32_t *waits,
                      const double *channels, double *start, double *end);

#endif
