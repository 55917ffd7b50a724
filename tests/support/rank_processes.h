#ifndef VDNN_TESTS_SUPPORT_RANK_PROCESSES_H
#define VDNN_TESTS_SUPPORT_RANK_PROCESSES_H

/* Ranks of a group that are processes, children of the test, which can be killed and stopped.
 *
 * Invariant: no child outlives end, whatever became of the test before.
 * Threads: one, and there is none when children are started.
 *
 *     vdnn_test_ranks_begin(3, 60, &ranks);
 *     ranks.members[1].world.secret = "another";
 *     vdnn_test_ranks_start(&ranks, 0, play);             // each rank that is to come
 *     kill(ranks.members[0].process, SIGSTOP);
 *     vdnn_test_outcome *outcome = vdnn_test_ranks_wait(&ranks, 1);
 *     vdnn_test_ranks_end(&ranks);
 */

#include "runtime/comm/group.h"
#include "runtime/comm/world.h"

#include <stdatomic.h>
#include <sys/types.h>

enum { VDNN_TEST_MOST_RANKS = 8, VDNN_TEST_LOG_BYTES = 4096 };

/* What a rank tells its parent, in memory that both have. */
typedef struct vdnn_test_outcome {
    atomic_int joined;  /* it has its end */
    atomic_llong calls; /* that returned so far; the task's own count */
    vdnn_status status;
    char message[VDNN_STATUS_MESSAGE_BYTES];
    char log[VDNN_TEST_LOG_BYTES]; /* a line each */
    double seconds;                /* of the monotonic clock, when the task returned */
    int signal;                    /* that ended it; 0: none */
} vdnn_test_outcome;

typedef vdnn_status vdnn_test_rank_task(vdnn_group *end, vdnn_test_outcome *own);

typedef struct vdnn_test_ranks {
    int32_t count;
    char address[64];
    vdnn_listeners listeners;
    vdnn_test_outcome *outcomes;
    struct {
        pid_t process; /* 0: none */
        vdnn_world world;
    } members[VDNN_TEST_MOST_RANKS];
} vdnn_test_ranks;

/* With a port that the system chooses, where it listens already. */
void vdnn_test_ranks_begin(int32_t count, double peer_timeout, vdnn_test_ranks *ranks);
/* Joins the group by sockets or shared memory, and does its task. */
void vdnn_test_ranks_start(vdnn_test_ranks *ranks, int32_t member, vdnn_test_rank_task *task);
/* Until it has ended. */
vdnn_test_outcome *vdnn_test_ranks_wait(vdnn_test_ranks *ranks, int32_t member);
void vdnn_test_ranks_end(vdnn_test_ranks *ranks);

/* Sums until a call fails. */
vdnn_test_rank_task vdnn_test_sum_for_ever;

#endif
