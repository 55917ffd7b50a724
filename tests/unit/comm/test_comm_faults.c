/* Processes that meet and sum while calls of the system, or allocations, fail one at a time: each
 * rank ends in success or in a coded error, none hangs, and nothing stays behind. */

#include "tests/support/every_fault.h"
#include "tests/support/rank_threads.h"
#include "tests/support/vdnn_test.h"

#include <errno.h>
#include <stdlib.h>

enum { RANKS = 3, VALUES = 100000 };

/* Some faults are a rank that never comes: short. A busy machine may then lose one that does. */
static const double short_timeout = 0.2, long_timeout = 60;

static bool sockets_only;
static double peer_timeout;

static vdnn_status sum_and_exchange(vdnn_group *end)
{
    float *values = calloc(VALUES, sizeof *values);
    double number = 1;
    values[VALUES - 1] = 1;
    vdnn_status status = vdnn_group_sum(end, values, VALUES);
    if (status == VDNN_OK && values[VALUES - 1] != RANKS)
        status = vdnn_status_fail(VDNN_MISMATCH, "the sum is %g", (double)values[VALUES - 1]);
    free(values);
    if (status == VDNN_OK)
        status = vdnn_group_total(end, &number);
    if (status == VDNN_OK && number != RANKS)
        status = vdnn_status_fail(VDNN_MISMATCH, "the total is %g", number);
    return status;
}

static vdnn_status play(void)
{
    const vdnn_world common = {
        .ranks = RANKS, .peer_timeout = peer_timeout, .sockets_only = sockets_only};
    return vdnn_test_threads_play(&vdnn_transport_tcp, &common, sum_and_exchange);
}

static void check_nothing(vdnn_status status)
{
    (void)status;
}

/* Whoever it happens to, the others are told by a status of their own. */
static const vdnn_test_scene scene = {
    .play = play, .check = check_nothing, .also = 1U << VDNN_PEER};

static void play_everything(bool by_sockets)
{
    static const unsigned coded = 1U << VDNN_PEER | 1U << VDNN_USAGE | 1U << VDNN_NO_MEMORY |
                                  1U << VDNN_INTERNAL; /* no random numbers */
    static const vdnn_test_trouble troubles[] = {
        {{.calls = VDNN_TEST_EVERY_CALL & ~VDNN_TEST_CALL(munmap), .error = EIO}, coded},
        {{.calls = VDNN_TEST_EVERY_CALL & ~VDNN_TEST_CALL(munmap), .error = EINTR}, coded},
        {{.calls = VDNN_TEST_CALL(send), .effect = VDNN_TEST_IS_SHORT}, 0},
        {{.calls = VDNN_TEST_CALL(recv), .effect = VDNN_TEST_IS_SHORT}, 0},
        {{.calls = VDNN_TEST_CALL(memfd_create), .error = ENOSYS, .lasting = true}, 0},
        {{.calls = VDNN_TEST_CALL(fallocate), .error = ENOSPC}, 0},
        {{.calls = VDNN_TEST_CALL(poll), .error = ENOMEM}, coded},
    };
    sockets_only = by_sockets;
    vdnn_test_scene_begin();
    peer_timeout = short_timeout;
    if (!by_sockets)
        vdnn_test_every_allocation(&scene);
    /* Without shared memory only the calls of a sum are others. */
    const size_t count = by_sockets ? 1 : sizeof troubles / sizeof *troubles;
    for (size_t t = 0; t < count; t++) {
        peer_timeout = troubles[t].allowed == 0 ? long_timeout : short_timeout;
        vdnn_test_every_call(&scene, &troubles[t]);
    }
    vdnn_test_scene_end();
}

TEST(ranks_that_share_memory_survive_every_fault)
{
    play_everything(false);
}

TEST(ranks_with_sockets_survive_every_fault)
{
    play_everything(true);
}

int main(void)
{
    return vdnn_test_main(NULL, vdnn_test_scenes_end);
}
