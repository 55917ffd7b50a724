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
 * A sum is a reduce-scatter, in which each rank sums its shard of the values, and an all-gather, in
 * which it takes the other shards. How values get from rank to rank is the transport's matter: each
 * is a row of a table, in a separate file.
 *
 * Invariant: a sum is taken in the order of the ranks, so that its bits depend on the values alone,
 * neither on time nor on the transport. Once a rank has left, no call of any rank waits: all return
 * the status with which the first one left.
 * Threads: calls of a rank on one lane by one thread, lanes at a time; leave by any.
 *
 *     vdnn_group *ends[3];
 *     status = vdnn_group_open(&vdnn_transport_in_process, 3, ends);  // here all ranks' ends
 *     status = vdnn_group_sum(ends[rank], gradient, count);           // on each rank's thread
 *     status = vdnn_group_total(ends[rank], &loss);
 *     vdnn_group_close(ends[rank]);                                   // each
 */
// clang-format on

#include "runtime/base/numbers/shard.h"
#include "runtime/base/status.h"

/* One rank's end of a group. */
typedef struct vdnn_group vdnn_group;

/* What one process knows of the processes that it trains with. */
typedef struct vdnn_world vdnn_world;

/* Threads that may call at a time: one to sum gradients, one that computes, one that drives the
 * device; one that sends to other ranks and one that receives: to and from higher ones on the way
 * up and down, to and from lower ones on the way down and up. */
typedef enum vdnn_lane {
    VDNN_LANE_SUMS,
    VDNN_LANE_COMPUTE,
    VDNN_LANE_DRIVER,
    VDNN_LANE_UP,
    VDNN_LANE_DOWN,
    VDNN_LANE_COUNT
} vdnn_lane;

typedef struct vdnn_transport {
    const char *name;
    /* The state of each rank's end; on failure there is none. NULL: one process has one end. */
    vdnn_status (*open)(int32_t ranks, void **states);
    /* The state of this process's end. NULL: all ends are of one process. */
    vdnn_status (*join)(const vdnn_world *world, void **state);
    /* The rank's own shard becomes the sum over the ranks; the others' values are undefined. */
    vdnn_status (*reduce_scatter)(void *state, float *values, size_t count, vdnn_shard_rule *rule);
    /* The others' shards become what they are on their rank. */
    vdnn_status (*all_gather)(void *state, float *values, size_t count, vdnn_shard_rule *rule);
    /* Between two ranks; as many bytes on both sides, else VDNN_INTERNAL. */
    vdnn_status (*send)(void *state, int32_t to, const void *bytes, size_t count);
    vdnn_status (*receive)(void *state, int32_t from, void *bytes, size_t count);
    /* `all`: the bytes of each rank, in the order of the ranks; few. Not on VDNN_LANE_SUMS. */
    vdnn_status (*exchange)(void *state, vdnn_lane lane, const void *own, size_t bytes, void *all);
    /* VDNN_OK, or what calls return once a rank has left; `missed`: at what this one was then. */
    vdnn_status (*check)(void *state, const char *missed);
    void (*leave)(void *state, vdnn_status status, const char *why);
    void (*close)(void *state);
} vdnn_transport;

/* Ranks that are threads of one process, in memory that they have in common. */
extern const vdnn_transport vdnn_transport_in_process;
/* Ranks that a launcher of that implementation of MPI started, a process each. */
extern const vdnn_transport vdnn_transport_openmpi, vdnn_transport_mpich;
/* Ranks that are processes, on one host or several; what they need to find each other is in the
 * world (world.h). */
extern const vdnn_transport vdnn_transport_tcp;

/* The ends of all ranks, for a transport that has them in one process. VDNN_NO_MEMORY; on failure
 * there is none. */
vdnn_status vdnn_group_open(const vdnn_transport *transport, int32_t ranks, vdnn_group **ends);
/* This process's end, for a transport between processes; `world` is borrowed until close. The
 * errors of the transport. */
vdnn_status vdnn_group_join(const vdnn_transport *transport, const vdnn_world *world,
                            vdnn_group **end);
/* Accepts NULL. The others may still be open. */
void vdnn_group_close(vdnn_group *end);

int32_t vdnn_group_ranks(const vdnn_group *end);
int32_t vdnn_group_rank(const vdnn_group *end);

/* Values of each rank become their sum over all ranks, in place; as many on each rank, else
 * VDNN_INTERNAL. After a failure they are undefined, and other ranks may read them until their
 * calls have returned. */
vdnn_status vdnn_group_sum(vdnn_group *end, float *values, size_t count);
/* The halves of a sum; shards by the same rule on each rank. */
vdnn_status vdnn_group_reduce_scatter(vdnn_group *end, float *values, size_t count,
                                      vdnn_shard_rule *rule);
vdnn_status vdnn_group_all_gather(vdnn_group *end, float *values, size_t count,
                                  vdnn_shard_rule *rule);

/* Give `count` bytes to another rank, which receives them: in one order on both sides, and as many,
 * else VDNN_INTERNAL. A send returns when the bytes are no longer read, which may be when they are
 * received. Sends by one thread, receives by one. */
vdnn_status vdnn_group_send(vdnn_group *end, int32_t to, const void *bytes, size_t count);
vdnn_status vdnn_group_receive(vdnn_group *end, int32_t from, void *bytes, size_t count);

/* Each rank's `bytes` bytes, one after the other into `all`, on every rank. As many on each rank,
 * else VDNN_INTERNAL. On VDNN_LANE_COMPUTE or VDNN_LANE_DRIVER. */
vdnn_status vdnn_group_exchange(vdnn_group *end, vdnn_lane lane, const void *own, size_t bytes,
                                void *all);
/* Sums one number of each rank, in the order of the ranks; on the driver's lane. */
vdnn_status vdnn_group_total(vdnn_group *end, double *value);

/* For a rank that waits for the others elsewhere, and asks meanwhile whether all are there:
 * VDNN_OK, or what its calls return once one has left. `missed` says what it waits for. By any
 * thread. */
vdnn_status vdnn_group_check(vdnn_group *end, const char *missed);

/* This rank makes no further call; `why` is part of the message that all calls of the others return
 * with `status`. The first one that leaves is the one that is named. Accepts NULL. */
void vdnn_group_leave(vdnn_group *end, vdnn_status status, const char *why);

#endif
