/* What is recomputed is what forward made, from the same values and by the same algorithm, which is
 * deterministic and of the device that all others are of: any other plan is refused. */

#include "runtime/planner/planner.h"
#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"

static void a_recompute_of_other_values_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    vdnn_access *x =
        vdnn_test_access_of(broken, vdnn_test_step_of(broken, VDNN_STEP_RECOMPUTE, 0), VDNN_BIND_X);
    const vdnn_access kept = x[0];
    x[0].buffer = x[1].buffer;
    x[0].writer = x[1].writer;
    x[1].buffer = kept.buffer;
    x[1].writer = kept.writer;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a step reads another value than left");
    assert_message("recompute both");
}

static void a_recompute_in_the_name_of_another_layer_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    broken->steps[vdnn_test_step_of(broken, VDNN_STEP_RECOMPUTE, 0)].layer = VDNN_TEST_CONV3;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

/* The output of forward is gone: its memory is freed before backward. */
static void a_recompute_that_is_missing_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    vdnn_plan_edit_mute(broken, vdnn_test_step_of(broken, VDNN_STEP_RECOMPUTE, 0));
    assert_refused(broken, "does not write the buffer");
}

static void a_read_of_what_forward_made_after_it_was_given_back_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t again = vdnn_test_step_of(broken, VDNN_STEP_RECOMPUTE, 0),
                  first = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_BOTH, 0),
                  filter =
                      vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, VDNN_TEST_CONV3, 0);
    vdnn_access *x = vdnn_test_access_of(broken, filter, VDNN_BIND_X);
    assert_int_equal(x->writer, again);
    assert_int_not_equal(x->buffer, vdnn_test_access_of(broken, first, VDNN_BIND_Y)->buffer);
    x->buffer = vdnn_test_access_of(broken, first, VDNN_BIND_Y)->buffer;
    x->writer = first;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "alive at the same time");
}

static void a_recompute_of_what_does_not_wait_for_its_copy_in_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    assert_true(
        vdnn_test_checked_refusals_without(f, f->plan, VDNN_STEP_RECOMPUTE, VDNN_STEP_COPY_IN,
                                           "a read does not wait for the write that it means") > 0);
}

/* A convolution is recomputed before its weights are updated, never after. */
static void a_recompute_with_updated_weights_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.maps[f->graph->tensors[f->graph->layers[VDNN_TEST_CONV1].output].map].action =
        VDNN_RECOMPUTE;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_test_checked_status(plan));
    const int32_t again = vdnn_plan_edit_find(plan, VDNN_STEP_RECOMPUTE, VDNN_TEST_CONV1, 0);
    assert_true(again > vdnn_plan_edit_find_run(plan, VDNN_FORWARD, VDNN_TEST_LOSS, 0));
    assert_true(again < vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_FILTER, VDNN_TEST_CONV2, 0));
    assert_true(vdnn_plan_edit_find(plan, VDNN_STEP_RECOMPUTE, VDNN_TEST_DROP1, 0) > again);
    const int32_t update = vdnn_plan_edit_find(plan, VDNN_STEP_UPDATE, VDNN_TEST_CONV3, 0);
    assert_true(update < again);
    vdnn_test_access_of(plan, again, VDNN_BIND_W)->buffer = plan->param_buffer[VDNN_TEST_CONV3];
    vdnn_test_access_of(plan, again, VDNN_BIND_W)->writer = update;
    vdnn_plan_edit_refresh(plan);
    assert_status(vdnn_test_checked_status(plan), VDNN_INTERNAL);
    vdnn_plan_destroy(plan);
}

static void a_recompute_by_another_algorithm_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t again = vdnn_test_step_of(broken, VDNN_STEP_RECOMPUTE, 0);
    vdnn_algorithm other = *broken->steps[again].algorithm;
    broken->steps[again].algorithm = &other;
    assert_refused(broken, "a recompute uses algorithm");
}

static void a_recompute_that_may_give_other_bits_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t again = vdnn_test_step_of(broken, VDNN_STEP_RECOMPUTE, 0),
                  first =
                      vdnn_plan_edit_find_run(broken, VDNN_FORWARD, broken->steps[again].layer, 0);
    vdnn_algorithm atomic = *broken->steps[again].algorithm;
    atomic.deterministic = false;
    broken->steps[again].algorithm = broken->steps[first].algorithm = &atomic;
    assert_refused(broken, "which is not deterministic");
}

static void an_algorithm_of_another_device_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    vdnn_algorithm cpu = {.layer_type = "conv", .name = "one", .device = "cpu", .passes = ~0U};
    vdnn_algorithm cuda = {.layer_type = "conv", .name = "two", .device = "cuda", .passes = ~0U};
    const int32_t conv1 = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV1, 0),
                  conv2 = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    cpu.deterministic = cuda.deterministic = true;
    for (int32_t i = 0; i < broken->step_count; i++)
        if (broken->steps[i].kind == VDNN_STEP_RECOMPUTE)
            vdnn_plan_edit_mute(broken, i); /* they would need the same algorithm */
    broken->steps[conv1].algorithm = &cpu;
    broken->steps[conv2].algorithm = &cuda;
    assert_refused(broken, "an algorithm of cuda in a plan for cpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recompute_of_other_values_is_refused),
        cmocka_unit_test(a_recompute_in_the_name_of_another_layer_is_refused),
        cmocka_unit_test(a_recompute_that_is_missing_is_refused),
        cmocka_unit_test(a_read_of_what_forward_made_after_it_was_given_back_is_refused),
        cmocka_unit_test(a_recompute_of_what_does_not_wait_for_its_copy_in_is_refused),
        cmocka_unit_test(a_recompute_with_updated_weights_is_refused),
        cmocka_unit_test(a_recompute_by_another_algorithm_is_refused),
        cmocka_unit_test(a_recompute_that_may_give_other_bits_is_refused),
        cmocka_unit_test(an_algorithm_of_another_device_is_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
