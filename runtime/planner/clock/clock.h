#ifndef VDNN_RUNTIME_PLANNER_CLOCK_CLOCK_H
#define VDNN_RUNTIME_PLANNER_CLOCK_CLOCK_H

/* The one event simulation: tasks in order on streams, waits for earlier tasks, and shared
 * channels.
 *
 *
 *     stream 0  |== compute ==|        |== compute ==|
 *     stream 1  |latency|== bytes ====|                     alone: `rate`
 *     stream 2          |latency|== bytes ==========|       both at once: the channel's rate
 *
 * A task first takes its `seconds`. Then it moves its `bytes`, at `rate` as long as its channels
 * have the capacity. A channel with less than the sum of its users' rates is shared by max-min
 * fairness: all get equal rates, and what one cannot use is shared by the others (Bertsekas and
 * Gallager, Data Networks, 6.5.2).
 *
 * Bytes that move on a device take memory bandwidth, and on the CPU a core, from compute on it.
 * While bytes move on some ways (directions), a task's seconds pass at the rate
 *
 *     1 / (1 + the sum of slowed[way] over the ways on which bytes move)
 *
 * and bytes whose way slows a running task move at most at `beside_rate`.
 *
 *     stream 0  |== 1 s =|== slowed ===|= 1 s =|     seconds left at 1, at 1 / (1 + slowed[out])
 *     stream 1           |== bytes ====|             at beside_rate
 *
 * Invariant: a task begins when the task before it on its stream and all tasks it waits for have
 * ended. Deterministic, without a wall clock. If every channel has at least the rate of each single
 * user, and nothing is slowed, the total is at most the sum of all tasks. It is never less than
 * with channels NULL.
 * Threads: pure.
 *
 *     const double channels[] = {12e9};                     // bytes per second, both directions
 *     tasks[i] = (vdnn_clock_task){.seconds = 1e-5, .bytes = 1e9, .rate = 10e9, .channels = 1};
 *     double start[n], end[n];
 *     double makespan = vdnn_clock_run(tasks, n, waits, channels, start, end);
 */

#include "runtime/plan/streams.h"

#include <stdint.h>

enum {
    VDNN_CLOCK_DEVICES = 129,
    VDNN_CLOCK_STREAMS = VDNN_CLOCK_DEVICES * VDNN_STREAM_COUNT,
    VDNN_CLOCK_CHANNELS = 32
};

/* The direction of a task's bytes, which decides what they slow. */
typedef enum vdnn_clock_way {
    VDNN_CLOCK_ELSEWHERE, /* they slow nothing */
    VDNN_CLOCK_OUT,
    VDNN_CLOCK_IN,
    VDNN_CLOCK_WAYS
} vdnn_clock_way;

typedef struct vdnn_clock_task {
    double seconds;                 /* of compute, before its bytes move */
    double bytes, rate;             /* to move; bytes per second alone; 0: none */
    double beside_rate;             /* during a task that its way slows; 0: `rate` */
    double slowed[VDNN_CLOCK_WAYS]; /* by which factor its seconds grow for each way; 0: none */
    vdnn_clock_way way;             /* of its bytes */
    int32_t device;                 /* below VDNN_CLOCK_DEVICES; tasks slow others on one device */
    uint32_t channels;              /* that its bytes use: bit 1 << channel */
    int32_t stream;                 /* below VDNN_CLOCK_STREAMS */
    int32_t first_wait, wait_count; /* range of the waits array: indexes of earlier tasks */
} vdnn_clock_task;

/* Returns the latest end, and sets start and end (count values each). `channels` has the positive
 * bytes per second of every channel that a task names; NULL: nothing is shared or slowed. */
double vdnn_clock_run(const vdnn_clock_task *tasks, int32_t count, const int32_t *waits,
                      const double *channels, double *start, double *end);

#endif
