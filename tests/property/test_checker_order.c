/* The order of steps: a plan without a wait that it needs, with one for a step that is none of
 * those before, or with an end that does not join all streams, is refused. */

#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"

static void a_missing_wait_is_refused(void **state)
{
    static const struct {
        vdnn_step_kind waiter, awaited;
        const char *part;
    } rows[] = {
        {VDNN_STEP_RUN, VDNN_STEP_COPY_IN, "a read does not wait for the write that it means"},
        {VDNN_STEP_RUN, VDNN_STEP_LOAD, "a read does not wait for the write that it means"},
        {VDNN_STEP_COPY_OUT, VDNN_STEP_RUN, "a read does not wait for the write that it means"},
        {VDNN_STEP_RUN, VDNN_STEP_COPY_OUT, "alive at the same time"},
        {VDNN_STEP_LOAD, VDNN_STEP_JOIN, "does not wait for begin"},
        {VDNN_STEP_JOIN, VDNN_STEP_STORE, "end does not join this step"},
        {VDNN_STEP_SPILL, VDNN_STEP_COPY_OUT, "a read does not wait for the write that it means"},
        {VDNN_STEP_COPY_IN, VDNN_STEP_FILL, "a read does not wait for the write that it means"},
        {VDNN_STEP_COPY_OUT, VDNN_STEP_SPILL, "alive at the same time"},
    };
    vdnn_test_checked *f = *state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const vdnn_plan *plan =
            vdnn_test_uses_files(rows[r].waiter) || vdnn_test_uses_files(rows[r].awaited) ? f->files
                                                                                          : f->plan;
        const int refusals = vdnn_test_checked_refusals_without(f, plan, rows[r].waiter,
                                                                rows[r].awaited, rows[r].part);
        if (refusals == 0)
            print_error("%s without its wait for %s: never refused\n",
                        vdnn_step_kind_text(rows[r].waiter), vdnn_step_kind_text(rows[r].awaited));
        assert_true(refusals > 0);
    }
}

static void a_copy_in_that_does_not_wait_for_its_copy_out_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t in = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 0);
    int32_t waits = 0;
    /* The compute stream is ordered after the copy out by its own waits only: drop them all. */
    for (int32_t i = 0; i <= in; i++) {
        while (broken->steps[i].kind != VDNN_STEP_JOIN && broken->steps[i].wait_count > waits &&
               broken->steps[broken->waits[broken->steps[i].first_wait + waits]].stream ==
                   VDNN_STREAM_OUT)
            vdnn_plan_edit_remove_wait(broken, i, waits);
    }
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static int32_t first_reader(const vdnn_plan *plan, int32_t writer)
{
    for (int32_t i = writer + 1; i < plan->step_count; i++)
        for (int32_t k = 0; k < plan->steps[i].access_count; k++)
            if (plan->accesses[plan->steps[i].first_access + k].writer == writer)
                return i;
    fail_msg("nothing reads what step %d writes", writer);
    return -1;
}

/* A join right before the reader of a copy in, which comes behind it in the list and beside it. */
static void a_buffer_may_be_held_while_it_is_written(void **state)
{
    vdnn_plan *held = vdnn_test_checked_fresh(*state);
    const int32_t in = vdnn_test_step_of(held, VDNN_STEP_COPY_IN, 0), join = first_reader(held, in);
    vdnn_plan_edit_duplicate(held, join);
    vdnn_plan_edit_mute(held, join);
    for (int32_t k = held->steps[join].wait_count - 1; k >= 0; k--)
        if (held->waits[held->steps[join].first_wait + k] == in)
            vdnn_plan_edit_remove_wait(held, join, k);
    vdnn_plan_edit_move(held, in, join);
    vdnn_plan_edit_refresh(held);
    if (vdnn_test_checked_status(held) != VDNN_OK)
        assert_message("the plan claims"); /* another peak */
}

static void a_wait_for_a_later_step_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t out = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0);
    vdnn_plan_edit_redirect_wait(broken, out, out + 1);
    assert_refused(broken, "no earlier one");
    vdnn_plan_edit_redirect_wait(broken, out, out);
    assert_refused(broken, "no earlier one");
    vdnn_plan_edit_redirect_wait(broken, out, -1);
    assert_refused(broken, "no earlier one");
}

static void a_wait_on_the_own_stream_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t early = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0),
                  late = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 1);
    vdnn_plan_edit_redirect_wait(broken, late, early);
    assert_refused(broken, "one of its own stream");
}

static void an_end_that_does_not_join_a_stream_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    broken->steps[broken->step_count - 1].wait_count = 0;
    assert_refused(broken, "end does not join this step");
    assert_message("the next training step may begin while it still runs");
}

static void a_plan_that_ends_with_another_step_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    broken->step_count--;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
    broken->step_count = 1;
    assert_refused(broken, "at least begin and end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_wait_is_refused),
        cmocka_unit_test(a_copy_in_that_does_not_wait_for_its_copy_out_is_refused),
        cmocka_unit_test(a_buffer_may_be_held_while_it_is_written),
        cmocka_unit_test(a_wait_for_a_later_step_is_refused),
        cmocka_unit_test(a_wait_on_the_own_stream_is_refused),
        cmocka_unit_test(an_end_that_does_not_join_a_stream_is_refused),
        cmocka_unit_test(a_plan_that_ends_with_another_step_is_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
