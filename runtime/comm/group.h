#ifndef VDNN_RUNTIME_COMM_GROUP_H
#define VDNN_RUNTIME_COMM_GROUP_H

// clang-format off
/* Groups of devices that sum values. Each device, a *rank* of the group, has its end of it; every
 * rank makes the same calls in the same order, and each call returns once all ranks made it:
 *
 *   rank 0   v0 --sum--> (v0 + v1) + v2
 *   rank 1   v1 --sum--> (v0 + v1) + v2
 *   rank 2   v2 --sum--> (v0 + v1) + v2
 *
 * How values get from rank to rank is the transport's matter: each is a row of a table, in a file of
 * its own.
 *
 * Invariant: a sum is taken in the order of the ranks, so that its bits depend on the values alone,
 * neither on time nor on the transport. Once a rank has left, no call of any rank waits: all return
 * the status with which the first one left.
 * Threads: sums of a rank by one thread, its totals by one, both at a time; leave by any.
 *
 *     vdnn_group *ends[3];
 *     status = vdnn_group_open(&vdnn_transport_in_process, 3, ends);  // here all ranks' ends
 *     status = vdnn_group_sum(ends[rank], gradient, count);           // on each rank's thread
 *     status = vdnn_group_total(ends[rank], &loss);
 *     vdnn_group_close(ends[rank]);                                   // each
 */
// clang-format on

#include "runtime/base/status.h"

/* One rank's end of a group. */
typedef struct vdnn_group vdnn_group;

typedef struct vdnn_transport {
    const char *name;
    /* The state of each rank's end; on failure there is none. */
    vdnn_status (*open)(int32_t ranks, void **states);
    vdnn_status (*sum)(void *state, float *values, size_t count);
    vdnn_status (*total)(void *state, double *value);
    void (*leave)(void *state, vdnn_status status, const char *why);
    void (*close)(void *state);
} vdnn_transport;

/* Ranks that are threads of one process, in memory that they have in common. */
extern const vdnn_transport vdnn_transport_in_process;

/* The ends of all ranks that this process has. VDNN_NO_MEMORY; on failure there is none. */
vdnn_status vdnn_group_open(const vdnn_transport *transport, int32_t ranks, vdnn_group **ends);
/* Accepts NULL. The others may still be open. */
void vdnn_group_close(vdnn_group *end);

/* Values of each rank become their sum over all ranks, in place; as many on each rank, else
 * VDNN_INTERNAL. After a failure they are undefined, and other ranks may read them until their
 * calls have returned. */
vdnn_status vdnn_group_sum(vdnn_group *end, float *values, size_t count);
/* Likewise of one number, for the threads that drive the devices. */
vdnn_status vdnn_group_total(vdnn_group *end, double *value);

/* This rank makes no further call; `why` is part of the message that all calls of the others return
 * with `status`. The first one that leaves is the one that is named. Accepts NULL. */
void vdnn_group_leave(vdnn_group *end, vdnn_status status, const char *why);

#endif
