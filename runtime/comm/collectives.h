#ifndef VDNN_RUNTIME_COMM_COLLECTIVES_H
#define VDNN_RUNTIME_COMM_COLLECTIVES_H

// clang-format off
/* What the devices of a group do with values in their own memory, together: one row for each kind of
 * device. On the CPU a call waits on the stream's thread, on cards it enqueues and returns:
 *
 *     cpu    the group's transport, whichever it is     sums in the order of the ranks
 *     cuda   NCCL, over which the cards find each other by the group      in the order of NCCL
 *
 * Invariant: all ranks make the same calls in the same order. Once a rank has left the group, what
 * the others wait for ends, on streams, too, and `check` says why.
 * Threads: the one of the stream; check by the one that drives the device.
 *
 *     status = vdnn_collectives_open("cuda", group, &collectives);      // all ranks at a time
 *     status = vdnn_collectives_sum(collectives, gradient, count, vdnn_shard_even, stream);
 *     status = vdnn_collectives_check(collectives);                     // of what is complete
 *     vdnn_collectives_close(collectives);
 */
// clang-format on

#include "runtime/comm/group.h"

/* `stream` is what the device passes to launches. */
typedef vdnn_status vdnn_collective(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                                    void *stream);

/* Of `count` bytes to or from another rank. */
typedef vdnn_status vdnn_transfer(void *state, int32_t rank, void *bytes, size_t count,
                                  void *stream);

typedef struct vdnn_collectives_row {
    const char *kind; /* of devices */
    vdnn_status (*open)(vdnn_group *group, void **state);
    vdnn_collective *sum; /* by shards of that rule, which then all have */
    vdnn_collective *reduce_scatter, *all_gather;
    vdnn_transfer *send, *receive;     /* NULL: devices of this kind cannot */
    vdnn_status (*check)(void *state); /* NULL: calls return their errors themselves */
    void (*close)(void *state);        /* NULL: the state is the group's */
} vdnn_collectives_row;

/* That of runtime/comm/cuda/cards.c. */
extern const vdnn_collectives_row vdnn_collectives_cuda;

typedef struct vdnn_collectives vdnn_collectives;

/* Joins devices of that kind; the thread has selected its device. The group is borrowed.
 * VDNN_DEVICE where one of the devices cannot, VDNN_NO_MEMORY, or an error of the group. */
vdnn_status vdnn_collectives_open(const char *kind, vdnn_group *group,
                                  vdnn_collectives **collectives);
/* What was enqueued is complete. Accepts NULL. */
void vdnn_collectives_close(vdnn_collectives *collectives);

/* These do what their namesakes of a group do. */
vdnn_status vdnn_collectives_sum(vdnn_collectives *collectives, float *values, size_t count,
                                 vdnn_shard_rule *rule, void *stream);
vdnn_status vdnn_collectives_reduce_scatter(vdnn_collectives *collectives, float *values,
                                            size_t count, vdnn_shard_rule *rule, void *stream);
vdnn_status vdnn_collectives_all_gather(vdnn_collectives *collectives, float *values, size_t count,
                                        vdnn_shard_rule *rule, void *stream);

vdnn_status vdnn_collectives_send(vdnn_collectives *collectives, int32_t to, const void *bytes,
                                  size_t count, void *stream);
vdnn_status vdnn_collectives_receive(vdnn_collectives *collectives, int32_t from, void *bytes,
                                     size_t count, void *stream);

/* The error of what has run on a stream. Accepts NULL: VDNN_OK. */
vdnn_status vdnn_collectives_check(vdnn_collectives *collectives);

#endif
