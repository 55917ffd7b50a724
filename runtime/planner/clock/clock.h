#ifndef VDNN_RUNTIME_PLANNER_CLOCK_CLOCK_H
#define VDNN_RUNTIME_PLANNER_CLOCK_CLOCK_H

/* The one event simulation: tasks in order on streams, each waiting for earlier tasks, and what
 * they share.
 *
 *     stream 0  |== compute ==|        |== compute ==|
 *     stream 1  |latency|== bytes ====|                     alone: `rate`
 *     stream 2          |latency|== bytes ==========|       both at once: what the channel gives
 *
 * A task takes its `seconds`. Then it moves its `bytes`, at `rate` as long as its channels have the
 * capacity. A channel with less than the sum of its users' rates is shared by max-min fairness:
 * each gets the same, and the others share what one cannot use (Bertsekas and Gallager, Data
 * Networks, 6.5.2).
 *
 * What moves on a device takes memory bandwidth, and on the CPU a core, from what computes there:
 * while bytes move on some ways, a task's seconds pass at the rate
 *
 *     1 / (1 + the sum of slowed[way] over the ways on which bytes move)
 *
 * and bytes whose way slows a task that runs move at no more than `beside_rate`.
 *
 *     stream 0  |== 1 s =|== slowed ===|= 1 s =|     seconds left at 1, at 1 / (1 + slowed[out])
 *     stream 1           |== bytes ====|             at beside_rate
 *
 * Invariant: a task begins when the task before it on its stream and all that it waits for have
 * ended. Deterministic; no wall clock. If every channel has at least the rate of each of its users
 * alone, and nothing is slowed, the whole takes no longer than one task after the other. It never
 * takes less than with channels NULL.
 * Threads: pure.
 *
 *     const double channels[] = {12e9};                       // bytes a second, both directions
 *     tasks[i] = (vdnn_clock_task){.seconds = 1e-5, .bytes = 1e9, .rate = 10e9, .channels = 1};
 *     double start[n], end[n];
 *     double makespan = vdnn_clock_run(tasks, n, waits, channels, start, end);
 */

#include <stdint.h>

enum { VDNN_CLOCK_STREAMS = 776, VDNN_CLOCK_CHANNELS = 32, VDNN_CLOCK_DEVICES = 129 };

/* The way of a task's bytes, for what they slow. */
typedef enum vdnn_clock_way {
    VDNN_CLOCK_ELSEWHERE, /* they slow nothing */
    VDNN_CLOCK_OUT,
    VDNN_CLOCK_IN,
    VDNN_CLOCK_WAYS
} vdnn_clock_way;

typedef struct vdnn_clock_task {
    double seconds;                 /* before its bytes: the time of computing */
    double bytes, rate;             /* to move, and per second alone; 0: none */
    double beside_rate;             /* per second beside a task that its way slows; 0: `rate` */
    double slowed[VDNN_CLOCK_WAYS]; /* by how much its seconds grow, each; 0: not */
    vdnn_clock_way way;             /* of its bytes */
    int32_t device;                 /* below VDNN_CLOCK_DEVICES: what slows each other is on one */
    uint32_t channels;              /* through which: bit 1 << channel */
    int32_t stream;                 /* below VDNN_CLOCK_STREAMS */
    int32_t first_wait, wait_count; /* into the waits array: indexes of earlier tasks */
} vdnn_clock_task;

/* Returns the latest end; fills start and end (count values each). `channels` has the bytes per
 * second of every channel that a task names, each positive; NULL: nothing is shared, and nothing
 * slows anything. */
double vdnn_clock_run(const vdnn_clock_task *tasks, int32_t count, const int32_t *waits,
                      const double *channels, double *start, double *end);

#endif
