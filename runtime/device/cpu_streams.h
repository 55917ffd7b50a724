#ifndef VDNN_RUNTIME_DEVICE_CPU_STREAMS_H
#define VDNN_RUNTIME_DEVICE_CPU_STREAMS_H

/* The streams of the CPU device: one thread each, with a queue whose room is made ahead.
 *
 * Because a stream runs its operations in order, all that an operation waits for is, for each other
 * stream, how many of its operations must be complete: a vector clock, not a list.
 *
 *     queue of a stream:  | done | done | running | queued | queued |   |
 *                                       ^done               ^queued
 *
 * Invariant: an operation runs after all before it on its stream and all that it waits for; between
 * two rounds nothing runs. Threads: one thread calls; the streams' own threads run the operations.
 *
 *     status = vdnn_cpu_streams_create(threads, &streams);
 *     status = vdnn_cpu_streams_resize(streams, event_count);
 *     status = vdnn_cpu_streams_round(streams);
 *     vdnn_cpu_streams_enqueue(streams, &work);
 *     status = vdnn_cpu_streams_synchronize(streams);
 */

#include "runtime/device/device_backend.h"

typedef struct vdnn_cpu_streams vdnn_cpu_streams;

/* `threads` are the compute stream's OpenMP threads. VDNN_NO_MEMORY, VDNN_DEVICE. */
vdnn_status vdnn_cpu_streams_create(int threads, vdnn_cpu_streams **streams);
/* Completes what is enqueued. Accepts NULL. */
void vdnn_cpu_streams_destroy(vdnn_cpu_streams *streams);

vdnn_status vdnn_cpu_streams_resize(vdnn_cpu_streams *streams, int32_t event_count);
vdnn_status vdnn_cpu_streams_round(vdnn_cpu_streams *streams);
void vdnn_cpu_streams_enqueue(vdnn_cpu_streams *streams, const vdnn_device_work *work);
/* Until the operation with this event is complete; it is enqueued. */
void vdnn_cpu_streams_wait(vdnn_cpu_streams *streams, int32_t event);
/* The first error since the last call, with its message. After an error operations complete unrun.
 */
vdnn_status vdnn_cpu_streams_synchronize(vdnn_cpu_streams *streams);
void vdnn_cpu_streams_times(const vdnn_cpu_streams *streams, int32_t event, double *start,
                            double *end);

#endif
