/* Groups whose ranks are threads. */

#include "runtime/base/system.h"
#include "runtime/comm/group.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANKS = 5, MOST_VALUES = 10007, ROUNDS = 20 };

/* What a rank does on its thread. */
typedef struct member {
    vdnn_group *end;
    int32_t rank, ranks;
    size_t count;
    vdnn_test_rng rng;
    float values[MOST_VALUES];
    double number;
    vdnn_status status;
    char message[VDNN_STATUS_MESSAGE_BYTES];
} member;

typedef void task(member *own);

static task *now;
static member members[MOST_RANKS];

static void *run_member(void *argument)
{
    member *own = argument;
    now(own);
    (void)snprintf(own->message, sizeof own->message, "%s", vdnn_status_message());
    return NULL;
}

static void open_group(int32_t ranks)
{
    vdnn_group *ends[MOST_RANKS];
    assert_ok(vdnn_group_open(&vdnn_transport_in_process, ranks, ends));
    for (int32_t r = 0; r < ranks; r++) {
        members[r].end = ends[r];
        members[r].rank = r;
        members[r].ranks = ranks;
        members[r].rng = (vdnn_test_rng){vdnn_test_seed() + (uint64_t)r};
    }
}

static void close_group(int32_t ranks)
{
    for (int32_t r = 0; r < ranks; r++)
        vdnn_group_close(members[r].end);
}

static void run_all(int32_t ranks, task *work)
{
    pthread_t threads[MOST_RANKS];
    now = work;
    for (int32_t r = 0; r < ranks; r++)
        assert_int_equal(vdnn_system_start_thread(&threads[r], run_member, &members[r]), 0);
    for (int32_t r = 0; r < ranks; r++)
        assert_int_equal(pthread_join(threads[r], NULL), 0);
}

/* Some ranks come later than others. */
static void dawdle(member *own)
{
    if (vdnn_test_between(&own->rng, 0, 3) == 0)
        (void)usleep((useconds_t)vdnn_test_between(&own->rng, 1, 300));
}

/* ---- sums ------------------------------------------------------------------------------------ */

static float value_of(int32_t rank, size_t i, int round)
{
    vdnn_test_rng rng = {(uint64_t)rank * 1000003 + i * 101 + (uint64_t)round};
    const float whole = (float)vdnn_test_between(&rng, -1000000, 1000000);
    return whole * (i % 3 == 0 ? 1e-3F : 7e5F); /* so that the order shows in the bits */
}

static void sum_rounds(member *own)
{
    for (int round = 0; round < ROUNDS && own->status == VDNN_OK; round++) {
        for (size_t i = 0; i < own->count; i++)
            own->values[i] = value_of(own->rank, i, round);
        dawdle(own);
        own->status = vdnn_group_sum(own->end, own->values, own->count);
        for (size_t i = 0; i < own->count && own->status == VDNN_OK; i++) {
            float due = value_of(0, i, round);
            for (int32_t r = 1; r < own->ranks; r++)
                due += value_of(r, i, round);
            if (memcmp(&due, &own->values[i], sizeof due) != 0)
                own->status = vdnn_status_fail(VDNN_MISMATCH, "value %zu of round %d", i, round);
        }
    }
}

static void sums_are_taken_in_the_order_of_the_ranks(void **state)
{
    static const size_t counts[] = {1, 15, 16, 17, 4096, MOST_VALUES};
    (void)state;
    for (int32_t ranks = 1; ranks <= MOST_RANKS; ranks++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            open_group(ranks);
            for (int32_t r = 0; r < ranks; r++) {
                members[r].count = counts[c];
                members[r].status = VDNN_OK;
            }
            run_all(ranks, sum_rounds);
            for (int32_t r = 0; r < ranks; r++)
                if (members[r].status != VDNN_OK)
                    fail_msg("%d of %d: %s", (int)r, (int)ranks, members[r].message);
            close_group(ranks);
        }
}

static void total_rounds(member *own)
{
    own->status = VDNN_OK;
    for (int round = 0; round < ROUNDS && own->status == VDNN_OK; round++) {
        double number = 0.1 * (own->rank + 1) + round, due = 0.1 + round;
        for (int32_t r = 1; r < own->ranks; r++)
            due += 0.1 * (r + 1) + round;
        own->status = vdnn_group_total(own->end, &number);
        if (own->status == VDNN_OK && memcmp(&number, &due, sizeof due) != 0)
            own->status = vdnn_status_fail(VDNN_MISMATCH, "total of round %d", round);
    }
}

/* Sums on one thread of a rank, totals on another one, at the same time. */
static void *run_totals(void *argument)
{
    total_rounds(argument);
    return NULL;
}

static void totals_do_not_wait_for_sums(void **state)
{
    enum { RANKS = 3 };
    static member drivers[RANKS];
    pthread_t threads[RANKS];
    (void)state;
    open_group(RANKS);
    for (int32_t r = 0; r < RANKS; r++) {
        members[r].count = 100;
        members[r].status = VDNN_OK;
        drivers[r] = (member){.end = members[r].end, .rank = r, .ranks = RANKS};
        assert_int_equal(vdnn_system_start_thread(&threads[r], run_totals, &drivers[r]), 0);
    }
    run_all(RANKS, sum_rounds);
    for (int32_t r = 0; r < RANKS; r++) {
        assert_int_equal(pthread_join(threads[r], NULL), 0);
        assert_int_equal(drivers[r].status, VDNN_OK);
        assert_int_equal(members[r].status, VDNN_OK);
    }
    close_group(RANKS);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void leave_or_sum(member *own)
{
    if (own->rank == 1) {
        (void)usleep(2000); /* the others wait by then */
        vdnn_group_leave(own->end, VDNN_BAD_INPUT, "picture 7 is damaged");
        vdnn_group_leave(own->end, VDNN_DEVICE, "and more");
        own->status = VDNN_OK;
        return;
    }
    float value = 1;
    double number = 1;
    own->status =
        own->rank == 0 ? vdnn_group_sum(own->end, &value, 1) : vdnn_group_total(own->end, &number);
}

static void a_rank_that_leaves_ends_all_that_wait_and_all_that_come(void **state)
{
    enum { RANKS = 4 };
    (void)state;
    open_group(RANKS);
    run_all(RANKS, leave_or_sum);
    for (int32_t r = 0; r < RANKS; r++) {
        float value = 1;
        if (r == 1)
            continue;
        assert_int_equal(members[r].status, VDNN_BAD_INPUT);
        assert_string_equal(members[r].message, "device 1: picture 7 is damaged");
        assert_status(vdnn_group_sum(members[r].end, &value, 1), VDNN_BAD_INPUT);
        assert_message("device 1: picture 7 is damaged");
    }
    close_group(RANKS);
}

static void sum_own_count(member *own)
{
    own->status = vdnn_group_sum(own->end, own->values, own->rank == 2 ? 8 : 9);
}

static void ranks_that_sum_different_sizes_are_all_told(void **state)
{
    enum { RANKS = 3 };
    (void)state;
    open_group(RANKS);
    run_all(RANKS, sum_own_count);
    for (int32_t r = 0; r < RANKS; r++) {
        assert_int_equal(members[r].status, VDNN_INTERNAL);
        assert_non_null(strstr(members[r].message, "devices 0 and 2 bring 9 and 8 values"));
    }
    close_group(RANKS);
    vdnn_group_close(NULL);
    vdnn_group_leave(NULL, VDNN_DEVICE, "nobody");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_taken_in_the_order_of_the_ranks),
        cmocka_unit_test(totals_do_not_wait_for_sums),
        cmocka_unit_test(a_rank_that_leaves_ends_all_that_wait_and_all_that_come),
        cmocka_unit_test(ranks_that_sum_different_sizes_are_all_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
