#ifndef VDNN_RUNTIME_CLOCK_H
#define VDNN_RUNTIME_CLOCK_H

/* The one event simulation: tasks in order on streams, each waiting for earlier tasks.
 *
 * Invariant: start = max(end of the task before it on its stream, ends of what it waits for);
 * end = start + seconds. Deterministic; no wall clock.
 * Threads: pure.
 *
 *     vdnn_clock_task tasks[n] = ...; double start[n], end[n];
 *     double makespan = vdnn_clock_run(tasks, n, waits, start, end);
 */

#include <stdint.h>

enum { VDNN_CLOCK_STREAMS = 8 };

typedef struct vdnn_clock_task {
    double seconds;
    int32_t stream;                 /* below VDNN_CLOCK_STREAMS */
    int32_t first_wait, wait_count; /* into the waits array: indexes of earlier tasks */
} vdnn_clock_task;

/* Returns the latest end; fills start and end (count values each). */
double vdnn_clock_run(const vdnn_clock_task *tasks, int32_t count, const int32_t *waits,
                      double *start, double *end);

#endif
