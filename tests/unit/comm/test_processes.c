/* Groups whose ranks are processes: how those that live are told of one that does not. */

#include "runtime/comm/sockets.h"
#include "tests/support/rank_processes.h"
#include "tests/support/vdnn_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 3, KILLS = 60, MEETINGS = 40 };

/* A busy machine is slow; what is asserted to be at once is well within the timeout. */
static const double long_timeout = 60, at_once = 30, short_timeout = 1.5, slack = 10;

static vdnn_test_ranks ranks;
static bool sockets_only;

static void pause_for(double seconds)
{
    const struct timespec left = {(time_t)seconds,
                                  (long)((seconds - (double)(time_t)seconds) * 1e9)};
    (void)nanosleep(&left, NULL);
}

static void begin(double peer_timeout)
{
    vdnn_test_ranks_begin(RANKS, peer_timeout, &ranks);
    for (int32_t r = 0; r < RANKS; r++)
        ranks.members[r].world.sockets_only = sockets_only;
}

static void start_all(vdnn_test_rank_task *task)
{
    for (int32_t r = 0; r < RANKS; r++)
        vdnn_test_ranks_start(&ranks, r, task);
}

static void wait_for_calls(int32_t rank, long long calls)
{
    while (atomic_load(&ranks.outcomes[rank].calls) < calls)
        pause_for(0.001);
}

static int end_ranks(void **state)
{
    (void)state;
    vdnn_test_ranks_end(&ranks);
    return 0;
}

static void expect_lost(const vdnn_test_outcome *one, int32_t rank, const char *why)
{
    char due[64];
    (void)snprintf(due, sizeof due, "rank %d, process ", (int)rank);
    if (one->signal != 0 || one->status != VDNN_PEER || strstr(one->message, due) == NULL ||
        strstr(one->message, why) == NULL)
        fail_msg("signal %d, status %d: %s", one->signal, (int)one->status, one->message);
}

static void a_rank_killed_at_any_moment_is_named_at_once(void **state)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    (void)state;
    for (int k = 0; k < vdnn_test_count(KILLS); k++) {
        const int32_t victim = (int32_t)vdnn_test_between(&rng, 0, RANKS - 1);
        begin(long_timeout);
        start_all(vdnn_test_sum_for_ever);
        wait_for_calls(victim, vdnn_test_between(&rng, 1, 50));
        pause_for(1e-6 * (double)vdnn_test_between(&rng, 0, 3000));
        const double killed = vdnn_socket_now();
        assert_int_equal(kill(ranks.members[victim].process, SIGKILL), 0);
        for (int32_t r = 0; r < RANKS; r++) {
            const vdnn_test_outcome *one = vdnn_test_ranks_wait(&ranks, r);
            if (r == victim)
                continue;
            expect_lost(one, victim, "ended without a word");
            assert_true(strstr(one->message, "values") != NULL);
            assert_true(one->seconds - killed < at_once);
        }
        vdnn_test_ranks_end(&ranks);
    }
    begin(long_timeout); /* for the teardown */
}

/* It may not have come yet, may have come, or may be summing. */
static void a_rank_killed_while_the_ranks_meet_keeps_nobody_waiting(void **state)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    (void)state;
    for (int k = 0; k < vdnn_test_count(MEETINGS); k++) {
        const int32_t victim = (int32_t)vdnn_test_between(&rng, 0, RANKS - 1);
        begin(short_timeout);
        start_all(vdnn_test_sum_for_ever);
        pause_for(1e-6 * (double)vdnn_test_between(&rng, 0, 10000));
        const double killed = vdnn_socket_now();
        assert_int_equal(kill(ranks.members[victim].process, SIGKILL), 0);
        for (int32_t r = 0; r < RANKS; r++) {
            const vdnn_test_outcome *one = vdnn_test_ranks_wait(&ranks, r);
            if (r != victim && (one->status != VDNN_PEER || one->message[0] == '\0' ||
                                one->seconds - killed > 2 * short_timeout + slack))
                fail_msg("status %d after %g s: %s", (int)one->status, one->seconds - killed,
                         one->message);
        }
        vdnn_test_ranks_end(&ranks);
    }
    begin(long_timeout); /* for the teardown */
}

static void a_stopped_rank_is_named_within_the_timeout(void **state)
{
    (void)state;
    begin(short_timeout);
    start_all(vdnn_test_sum_for_ever);
    for (int32_t r = 0; r < RANKS; r++)
        wait_for_calls(r, 2);
    const double stopped = vdnn_socket_now();
    assert_int_equal(kill(ranks.members[1].process, SIGSTOP), 0);
    for (int32_t r = 0; r < RANKS; r += 2) {
        const vdnn_test_outcome *one = vdnn_test_ranks_wait(&ranks, r);
        expect_lost(one, 1, "no sign of life");
        assert_true(one->seconds - stopped < short_timeout + slack);
    }
    /* It finds out once it runs again, and ends in good order. */
    assert_int_equal(kill(ranks.members[1].process, SIGCONT), 0);
    const vdnn_test_outcome *one = vdnn_test_ranks_wait(&ranks, 1);
    assert_int_equal(one->signal, 0);
    assert_int_equal(one->status, VDNN_PEER);
}

static vdnn_status leave_after_a_while(vdnn_group *end, vdnn_test_outcome *own)
{
    float values[1000] = {0};
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < 5 && status == VDNN_OK; i++)
        status = vdnn_group_sum(end, values, 1000);
    if (vdnn_group_rank(end) != 2)
        return vdnn_test_sum_for_ever(end, own);
    pause_for(0.05); /* the others are in a sum */
    vdnn_group_leave(end, VDNN_FILE, "no space for the checkpoint");
    return status;
}

static void a_rank_that_leaves_and_ends_is_the_reason_and_not_lost(void **state)
{
    (void)state;
    begin(long_timeout);
    start_all(leave_after_a_while);
    for (int32_t r = 0; r < RANKS; r++) {
        const vdnn_test_outcome *one = vdnn_test_ranks_wait(&ranks, r);
        assert_int_equal(one->signal, 0);
        assert_int_equal(one->status, r == 2 ? VDNN_OK : VDNN_FILE);
        if (r != 2)
            assert_string_equal(one->message, "device 2: no space for the checkpoint");
    }
}

static vdnn_status sum_a_few_times(vdnn_group *end, vdnn_test_outcome *own)
{
    float values[1000] = {0};
    vdnn_status status = VDNN_OK;
    const int count = vdnn_group_rank(end) == 0 ? 3 : 2;
    for (int i = 0; i < count && status == VDNN_OK; i++)
        status = vdnn_group_sum(end, values, 1000);
    (void)own;
    return status;
}

static void one_that_waits_for_ranks_that_have_closed_is_told(void **state)
{
    (void)state;
    begin(long_timeout);
    start_all(sum_a_few_times);
    for (int32_t r = 0; r < RANKS; r++) {
        const vdnn_test_outcome *one = vdnn_test_ranks_wait(&ranks, r);
        /* One of the others may hear of it before its last sum is over. */
        if ((one->status != VDNN_OK || r == 0) &&
            (one->status != VDNN_PEER || strstr(one->message, "ended already") == NULL))
            fail_msg("rank %d, status %d: %s", (int)r, (int)one->status, one->message);
    }
}

static const struct {
    const char *name;
    bool sockets_only;
} variants[] = {{"sockets", true}, {"shared memory", false}};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_rank_killed_at_any_moment_is_named_at_once, end_ranks),
        cmocka_unit_test_teardown(a_rank_killed_while_the_ranks_meet_keeps_nobody_waiting,
                                  end_ranks),
        cmocka_unit_test_teardown(a_stopped_rank_is_named_within_the_timeout, end_ranks),
        cmocka_unit_test_teardown(a_rank_that_leaves_and_ends_is_the_reason_and_not_lost,
                                  end_ranks),
        cmocka_unit_test_teardown(one_that_waits_for_ranks_that_have_closed_is_told, end_ranks),
    };
    int failed = 0;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        sockets_only = variants[v].sockets_only;
        failed += cmocka_run_group_tests_name(variants[v].name, tests, NULL, NULL);
    }
    return failed;
}
