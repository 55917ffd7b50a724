#include "runtime/planner/clock/link.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

enum { COMPUTE, COPY };

static void tasks_of_one_stream_follow_each_other(void **state)
{
    (void)state;
    const vdnn_clock_task tasks[] = {{.seconds = 2}, {.seconds = 3}, {.seconds = 0.5}};
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, NULL, start, end) == 5.5);
    assert_true(start[1] == 2 && end[1] == 5 && start[2] == 5);
}

static void a_copy_runs_beside_compute_until_somebody_waits(void **state)
{
    (void)state;
    const int32_t waits[] = {0, 1};
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .stream = COMPUTE},
        {.seconds = 4, .stream = COPY, .first_wait = 0, .wait_count = 1},
        {.seconds = 2, .stream = COMPUTE},
        {.seconds = 0, .stream = COMPUTE, .first_wait = 1, .wait_count = 1},
    };
    double start[4], end[4];
    assert_true(vdnn_clock_run(tasks, 4, waits, NULL, start, end) == 5);
    assert_true(start[1] == 1);
    assert_true(start[2] == 1 && end[2] == 3);
    assert_true(start[3] == 5);
}

static void a_wait_for_what_is_over_costs_nothing(void **state)
{
    (void)state;
    const int32_t waits[] = {0};
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .stream = COPY},
        {.seconds = 3, .stream = COMPUTE},
        {.seconds = 1, .stream = COMPUTE, .first_wait = 0, .wait_count = 1},
    };
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, waits, NULL, start, end) == 4);
    assert_true(start[2] == 3);
}

static void no_tasks_take_no_time(void **state)
{
    (void)state;
    assert_true(vdnn_clock_run(NULL, 0, NULL, NULL, NULL, NULL) == 0);
}

/* ---- what is shared -------------------------------------------------------------------------- */

static void copies_in_both_directions_share_what_the_link_has(void **state)
{
    (void)state;
    /*   out  |= 10/s =|== 5/s =====|                 10 bytes
     *   in            |== 5/s =====|= 10/s =|        10 bytes, after a latency
     *        0       0.5          1.5       2                                    */
    const double link[] = {10};
    const vdnn_clock_task tasks[] = {
        {.bytes = 10, .rate = 10, .channels = 1, .stream = 0},
        {.seconds = 0.5, .bytes = 10, .rate = 10, .channels = 1, .stream = 1},
    };
    double start[2], end[2];
    assert_true(vdnn_clock_run(tasks, 2, NULL, link, start, end) == 2);
    assert_true(start[0] == 0 && end[0] == 1.5);
    assert_true(start[1] == 0 && end[1] == 2);
}

static void what_one_copy_cannot_take_is_the_others(void **state)
{
    (void)state;
    const double link[] = {9};
    const vdnn_clock_task tasks[] = {
        {.bytes = 14, .rate = 8, .channels = 1, .stream = 0}, /* gets 9 - 2 */
        {.bytes = 8, .rate = 2, .channels = 1, .stream = 1},
    };
    double start[2], end[2];
    assert_true(vdnn_clock_run(tasks, 2, NULL, link, start, end) == 4);
    assert_true(end[0] == 2 && end[1] == 4);
}

static void compute_waits_longer_for_a_copy_that_shares(void **state)
{
    (void)state;
    /*   compute |= 1 =|              |= 1 =|
     *   out           |== 12 at 6 ===|
     *   in            |== 12 at 6 ===|                                           */
    const double link[] = {12};
    const int32_t waits[] = {0, 0, 2};
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .stream = 0},
        {.bytes = 12, .rate = 12, .channels = 1, .stream = 1, .first_wait = 0, .wait_count = 1},
        {.bytes = 12, .rate = 12, .channels = 1, .stream = 2, .first_wait = 1, .wait_count = 1},
        {.seconds = 1, .stream = 0, .first_wait = 2, .wait_count = 1},
    };
    double start[4], end[4];
    assert_true(vdnn_clock_run(tasks, 4, waits, link, start, end) == 4);
    assert_true(end[1] == 3 && end[2] == 3 && start[3] == 3);
}

static void a_copy_that_ends_leaves_its_share_to_the_next_of_its_stream(void **state)
{
    (void)state;
    /*   out  |= 5 at 5 =|=========== 10 at 5 ===|
     *   in   |================ 15 at 5 =========|= 5 at 10 =|
     *        0          1                       3          3.5                   */
    const double link[] = {10};
    const vdnn_clock_task tasks[] = {
        {.bytes = 5, .rate = 10, .channels = 1, .stream = 0},
        {.bytes = 20, .rate = 10, .channels = 1, .stream = 1},
        {.bytes = 10, .rate = 10, .channels = 1, .stream = 0},
    };
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, link, start, end) == 3.5);
    assert_true(end[0] == 1 && start[2] == 1 && end[2] == 3 && end[1] == 3.5);
}

static const vdnn_rates pcie = {.copy_out_bytes_per_second = 12e9,
                                .copy_in_bytes_per_second = 12e9,
                                .copy_both_bytes_per_second = 18e9};

static void one_device_shares_its_link_between_directions_alone(void **state)
{
    (void)state;
    vdnn_rates apart = pcie;
    double channels[VDNN_LINK_CHANNELS];
    apart.copy_both_bytes_per_second = 0;
    assert_null(vdnn_link_channels(&apart, 1, channels));
    apart.copy_both_bytes_per_second = 24e9;
    assert_null(vdnn_link_channels(&apart, 1, channels));
    const double *shared = vdnn_link_channels(&pcie, 1, channels);
    const vdnn_clock_task tasks[] = {
        vdnn_link_copy(&pcie, VDNN_STREAM_OUT, 9000000000U),
        vdnn_link_copy(&pcie, VDNN_STREAM_IN, 21000000000U),
    };
    double start[2], end[2];
    assert_true(vdnn_clock_run(tasks, 2, NULL, shared, start, end) == 2);
    assert_true(end[0] == 1);
    assert_true(vdnn_link_seconds(&pcie, VDNN_STREAM_OUT, 9000000000U) == 0.75);
}

static void several_devices_share_directions_and_the_link(void **state)
{
    (void)state;
    /*   0 out |= 6 GB at 6 =|= 12 at 12 =|                 of 12 out: two share it
     *   1 out |= 6 GB at 6 =|
     *   1 in  |= 6 at 6 ====|= 6 at 6 ===|= 6 at 12 =|     of 18 in all: three, then two
     *         0             1            2          2.5                          */
    double channels[VDNN_LINK_CHANNELS];
    const double *shared = vdnn_link_channels(&pcie, 2, channels);
    vdnn_clock_task tasks[] = {
        vdnn_link_copy(&pcie, VDNN_STREAM_OUT, 15000000000U),
        vdnn_link_copy(&pcie, VDNN_STREAM_OUT, 6000000000U),
        vdnn_link_copy(&pcie, VDNN_STREAM_IN, 21000000000U),
    };
    tasks[1].stream += VDNN_STREAM_COUNT;
    tasks[2].stream += VDNN_STREAM_COUNT;
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, shared, start, end) == 2.5);
    assert_true(end[1] == 1 && end[0] == 2 && end[2] == 2.5);
}

/* ---- whatever is given ----------------------------------------------------------------------- */

enum { TASKS = 60, STREAMS = 7, CHANNELS = 3 };

typedef struct problem {
    vdnn_clock_task tasks[TASKS];
    int32_t waits[3 * TASKS];
    double channels[CHANNELS], start[TASKS], end[TASKS];
} problem;

static double unit(vdnn_test_rng *rng)
{
    return (double)vdnn_test_between(rng, 0, 1000) / 1000;
}

static void make_problem(vdnn_test_rng *rng, problem *p)
{
    int32_t wait_count = 0;
    double most = 0;
    for (int32_t i = 0; i < TASKS; i++) {
        vdnn_clock_task *task = &p->tasks[i];
        *task = (vdnn_clock_task){.stream = (int32_t)vdnn_test_between(rng, 0, STREAMS - 1),
                                  .seconds = vdnn_test_between(rng, 0, 3) == 0 ? 0 : unit(rng),
                                  .first_wait = wait_count};
        if (task->stream % 2 == 1) {
            task->bytes = 10 * unit(rng);
            task->rate = 1 + 9 * unit(rng);
            task->channels = (uint32_t)vdnn_test_between(rng, 0, (1 << CHANNELS) - 1);
            most = fmax(most, task->rate);
        }
        for (int w = 0; i > 0 && w < 3 && vdnn_test_between(rng, 0, 2) == 0; w++) {
            p->waits[wait_count++] = (int32_t)vdnn_test_between(rng, 0, i - 1);
            task->wait_count++;
        }
    }
    for (int c = 0; c < CHANNELS; c++)
        p->channels[c] = most * (1 + unit(rng));
}

static double alone(const vdnn_clock_task *task)
{
    return task->seconds + (task->bytes > 0 ? task->bytes / task->rate : 0);
}

static const double little = 1e-9;

/* A task begins as soon as it may, and takes no less than it would alone. */
static void check_tasks(const problem *p)
{
    double free_at[STREAMS] = {0};
    for (int32_t i = 0; i < TASKS; i++) {
        const vdnn_clock_task *task = &p->tasks[i];
        double may = free_at[task->stream];
        for (int32_t w = 0; w < task->wait_count; w++)
            may = fmax(may, p->end[p->waits[task->first_wait + w]]);
        assert_true(p->start[i] == may);
        assert_true(p->end[i] >= p->start[i] + alone(task) - little);
        free_at[task->stream] = p->end[i];
    }
}

static void check_makespan(const problem *p, double makespan)
{
    double all = 0, stream[STREAMS] = {0}, moved[CHANNELS] = {0}, last = 0;
    for (int32_t i = 0; i < TASKS; i++) {
        all += alone(&p->tasks[i]);
        stream[p->tasks[i].stream] += alone(&p->tasks[i]);
        last = fmax(last, p->end[i]);
        for (int c = 0; c < CHANNELS; c++)
            moved[c] += p->tasks[i].channels >> c & 1U ? p->tasks[i].bytes : 0;
    }
    assert_true(makespan == last && makespan <= all + little);
    for (int s = 0; s < STREAMS; s++)
        assert_true(makespan >= stream[s] - little);
    for (int c = 0; c < CHANNELS; c++)
        assert_true(makespan >= moved[c] / p->channels[c] - little);
}

static void any_tasks_take_as_long_as_each_stream_and_no_longer_than_all(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(20000); i++) {
        problem p, again;
        make_problem(&rng, &p);
        again = p;
        double makespan = vdnn_clock_run(p.tasks, TASKS, p.waits, p.channels, p.start, p.end);
        check_tasks(&p);
        check_makespan(&p, makespan);
        assert_true(vdnn_clock_run(again.tasks, TASKS, again.waits, again.channels, again.start,
                                   again.end) == makespan);
        assert_memory_equal(p.end, again.end, sizeof p.end);
    }
}

static void channels_with_room_for_all_change_nothing(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(5000); i++) {
        problem p;
        double start[TASKS], end[TASKS];
        make_problem(&rng, &p);
        for (int c = 0; c < CHANNELS; c++)
            p.channels[c] = 1e6;
        double shared = vdnn_clock_run(p.tasks, TASKS, p.waits, p.channels, p.start, p.end);
        assert_true(vdnn_clock_run(p.tasks, TASKS, p.waits, NULL, start, end) == shared);
        assert_memory_equal(p.start, start, sizeof start);
        assert_memory_equal(p.end, end, sizeof end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_of_one_stream_follow_each_other),
        cmocka_unit_test(a_copy_runs_beside_compute_until_somebody_waits),
        cmocka_unit_test(a_wait_for_what_is_over_costs_nothing),
        cmocka_unit_test(no_tasks_take_no_time),
        cmocka_unit_test(copies_in_both_directions_share_what_the_link_has),
        cmocka_unit_test(what_one_copy_cannot_take_is_the_others),
        cmocka_unit_test(compute_waits_longer_for_a_copy_that_shares),
        cmocka_unit_test(a_copy_that_ends_leaves_its_share_to_the_next_of_its_stream),
        cmocka_unit_test(one_device_shares_its_link_between_directions_alone),
        cmocka_unit_test(several_devices_share_directions_and_the_link),
        cmocka_unit_test(any_tasks_take_as_long_as_each_stream_and_no_longer_than_all),
        cmocka_unit_test(channels_with_room_for_all_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
