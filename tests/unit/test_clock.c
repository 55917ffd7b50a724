#include "runtime/clock.h"
#include "tests/support/vdnn_test.h"

enum { COMPUTE, COPY };

static void tasks_of_one_stream_follow_each_other(void **state)
{
    (void)state;
    const vdnn_clock_task tasks[] = {{.seconds = 2}, {.seconds = 3}, {.seconds = 0.5}};
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, start, end) == 5.5);
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
    assert_true(vdnn_clock_run(tasks, 4, waits, start, end) == 5);
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
    assert_true(vdnn_clock_run(tasks, 3, waits, start, end) == 4);
    assert_true(start[2] == 3);
}

static void no_tasks_take_no_time(void **state)
{
    (void)state;
    assert_true(vdnn_clock_run(NULL, 0, NULL, NULL, NULL) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_of_one_stream_follow_each_other),
        cmocka_unit_test(a_copy_runs_beside_compute_until_somebody_waits),
        cmocka_unit_test(a_wait_for_what_is_over_costs_nothing),
        cmocka_unit_test(no_tasks_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
