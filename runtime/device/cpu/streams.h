#ifndef VDNN_RUNTIME_DEVICE_CPU_STREAMS_H
#define VDNN_RUNTIME_DEVICE_CPU_STREAMS_H

/* The streams of the CPU device: one thread each, with a queue allocated ahead.
 *
 * Because a stream runs its operations in order, an operation's waits are, for each other stream, a
 * number of its operations that must be complete: a vector clock, not a list. A round is complete
 * when its last operation of each stream is.
 *
 *     queue of a stream:  | done | done | running | queued | queued |   |
 *                                       ^done     ^round 1          ^queued, round 2
 *
 * Invariant: an operation runs after all earlier ones on its stream and all that it waits for.
 * Threads: one thread calls; the streams' own threads run the operations.
 *
 *     status = vdnn_cpu_streams_create(threads, &streams);
 *     status = vdnn_cpu_streams_resize(streams, event_count);
 *     vdnn_cpu_streams_round(streams, place, true);
 *     vdnn_cpu_streams_enqueue(streams, &work);
 *     status = vdnn_cpu_streams_finish(streams, place);
 */

#include "runtime/device/device_backend.h"

typedef struct vdnn_cpu_streams vdnn_cpu_streams;

/* `threads` are the compute stream's OpenMP threads. VDNN_NO_MEMORY, VDNN_DEVICE. */
vdnn_status vdnn_cpu_streams_create(int threads, vdnn_cpu_streams **streams);
/* All rounds are finished. Accepts NULL. */
void vdnn_cpu_streams_destroy(vdnn_cpu_streams *streams);

vdnn_status vdnn_cpu_streams_resize(vdnn_cpu_streams *streams, int32_t event_count);
void vdnn_cpu_streams_round(vdnn_cpu_streams *streams, int place, bool timed);
void vdnn_cpu_streams_enqueue(vdnn_cpu_streams *streams, const vdnn_device_work *work);
/* Waits until the operation with this event, which is enqueued, is complete. */
void vdnn_cpu_streams_wait(vdnn_cpu_streams *streams, int place, int32_t event);
/* The round's first error, with its message. After an error operations complete without running,
 * and all that are enqueued are complete. */
vdnn_status vdnn_cpu_streams_finish(vdnn_cpu_streams *streams, int place);
/* Bytes moved by the copies of a finished round. */
const vdnn_device_moved *vdnn_cpu_streams_moved(const vdnn_cpu_streams *streams, int place);
void vdnn_cpu_streams_times(const vdnn_cpu_streams *streams, int place, int32_t event,
                            double *start, double *end);
/* When the round began, on the machine's monotonic clock. */
double vdnn_cpu_streams_began(const vdnn_cpu_streams *streams, int place);

#endif
