/* Where buffers lie, how large they are and how long they live: plans with two of them on the same
 * bytes, with too little room, or with spans and peaks that are not true, are refused. */

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"

#include <string.h>

static void two_live_buffers_on_the_same_bytes_are_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    vdnn_test_buffer_of(broken, run, VDNN_BIND_Y)->offset =
        vdnn_test_buffer_of(broken, run, VDNN_BIND_X)->offset;
    assert_refused(broken, "alive at the same time");
    assert_message("shares bytes");
}

static void two_buffers_that_share_one_byte_are_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    vdnn_buffer *x = vdnn_test_buffer_of(broken, run, VDNN_BIND_X),
                *y = vdnn_test_buffer_of(broken, run, VDNN_BIND_Y);
    broken->span_bytes[VDNN_TIER_DEVICE] += 1U << 20;
    y->offset = broken->span_bytes[VDNN_TIER_DEVICE] - y->bytes;
    y->offset -= y->offset % VDNN_ALIGNMENT;
    broken->span_bytes[VDNN_TIER_DEVICE] = y->offset + y->bytes;
    x->offset = y->offset - (x->bytes - x->bytes % VDNN_ALIGNMENT);
    assert_ok(vdnn_test_checked_status(broken));
    const size_t over = 1 + (VDNN_ALIGNMENT - x->bytes % VDNN_ALIGNMENT) % VDNN_ALIGNMENT;
    vdnn_plan_edit_resize(broken, (int32_t)(x - broken->buffers), x->bytes + over);
    assert_refused(broken, "alive at the same time");
}

static void a_buffer_over_weights_is_refused_whenever_it_lives(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, VDNN_TEST_FC, 0);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    vdnn_test_buffer_of(broken, run, VDNN_BIND_Y)->offset =
        vdnn_test_buffer_of(broken, update, VDNN_BIND_STATE)->offset;
    assert_refused(broken, "kept for ever");
}

static void a_buffer_given_back_too_early_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t out = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0);
    vdnn_test_buffer_of(broken, out, VDNN_BIND_SRC)->last_step--;
    assert_refused(broken, "its accesses from");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_buffer_of(broken, out, VDNN_BIND_SRC)->first_step++;
    assert_refused(broken, "its accesses from");
}

static void an_offset_beyond_the_span_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    vdnn_buffer *buffer = vdnn_test_buffer_of(
        broken, vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0), VDNN_BIND_SRC);
    buffer->offset = broken->span_bytes[VDNN_TIER_DEVICE] -
                     broken->span_bytes[VDNN_TIER_DEVICE] % VDNN_ALIGNMENT;
    assert_refused(broken, "beyond the device span");
    buffer->offset = SIZE_MAX - SIZE_MAX % VDNN_ALIGNMENT;
    assert_refused(broken, "beyond the device span");
    broken = vdnn_test_checked_fresh(*state);
    buffer = vdnn_test_buffer_of(broken, vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0),
                                 VDNN_BIND_DST);
    buffer->offset += broken->span_bytes[VDNN_TIER_HOST] + VDNN_ALIGNMENT -
                      broken->span_bytes[VDNN_TIER_HOST] % VDNN_ALIGNMENT;
    assert_refused(broken, "beyond the host span");
}

static void an_offset_that_is_not_aligned_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    vdnn_buffer *buffer = vdnn_test_buffer_of(
        broken, vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0), VDNN_BIND_SRC);
    buffer->offset += VDNN_ALIGNMENT / 2;
    assert_refused(broken, "no multiple of 256");
}

static void a_span_that_is_overstated_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    broken->span_bytes[VDNN_TIER_DEVICE] += VDNN_ALIGNMENT;
    assert_refused(broken, "the plan claims a device span");
    broken = vdnn_test_checked_fresh(*state);
    broken->span_bytes[VDNN_TIER_HOST] += VDNN_ALIGNMENT;
    assert_refused(broken, "the plan claims a host span");
}

static void one_byte_less_than_the_span_does_not_fit(void **state)
{
    vdnn_test_checked *f = *state;
    assert_ok(vdnn_checker_check(f->plan, f->plan->span_bytes));
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++) {
        size_t budget_bytes[VDNN_TIER_COUNT];
        if (f->plan->span_bytes[tier] == 0)
            continue;
        memcpy(budget_bytes, f->plan->span_bytes, sizeof budget_bytes);
        budget_bytes[tier]--;
        assert_status(vdnn_checker_check(f->plan, budget_bytes), VDNN_NO_FIT);
        assert_message(vdnn_tier_text((vdnn_tier)tier));
    }
}

static void a_peak_that_is_not_true_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *broken = vdnn_test_checked_fresh(f);
    broken->peak_bytes[VDNN_TIER_DEVICE] -= 4;
    assert_refused(broken, "as the peak of the device");
    broken = vdnn_test_checked_fresh(f);
    broken->peak_bytes[VDNN_TIER_HOST] += 4;
    assert_refused(broken, "as the peak of the host");
    broken = vdnn_test_checked_fresh(f);
    broken->by_category[VDNN_CATEGORY_workspace] += 4;
    assert_refused(broken, "bytes as workspace");
    broken = vdnn_test_checked_fresh(f);
    broken->by_category_at_peak[VDNN_CATEGORY_weights] = 0;
    assert_refused(broken, "bytes as weights");
    broken = vdnn_test_checked_fresh(f);
    broken->peak_step++;
    assert_refused(broken, "claims its peak at step");
    broken = vdnn_test_checked_fresh(f);
    broken->offload_bytes++;
    assert_refused(broken, "the plan claims");
}

static void buffers_of_the_wrong_form_are_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    vdnn_test_buffer_of(broken, run, VDNN_BIND_Y)->bytes = 0;
    assert_refused(broken, "a buffer has no bytes");
    broken = vdnn_test_checked_fresh(*state);
    const int32_t data = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_DATA, VDNN_TEST_CONV2, 0);
    vdnn_test_buffer_of(broken, data, VDNN_BIND_DX)->bytes -= 4;
    assert_refused(broken, "an access of ");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_access_of(broken, data, VDNN_BIND_DX)->bytes -= 4;
    assert_refused(broken, "bytes of dx from 0 on, and takes");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_buffer_of(broken, run, VDNN_BIND_W)->persistent = false;
    assert_refused(broken, "kept between training steps");
    broken = vdnn_test_checked_fresh(*state);
    broken->buffers[0].class = VDNN_CLASS_COUNT;
    assert_refused(broken, "unknown class");
    broken = vdnn_test_checked_fresh(*state);
    broken->param_buffer[VDNN_TEST_CONV1] = broken->param_buffer[VDNN_TEST_CONV2];
    assert_refused(broken, "kept between training steps");
}

/* What is alive at one time is added up in 63 bits, the end of a buffer and its zone in 64. */
static void bytes_that_would_wrap_are_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *broken = vdnn_test_checked_fresh(f);
    const int32_t out = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0),
                  run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    vdnn_test_buffer_of(broken, run, VDNN_BIND_Y)->bytes = SIZE_MAX / 2;
    vdnn_test_buffer_of(broken, run, VDNN_BIND_X)->bytes = SIZE_MAX / 2;
    assert_refused(broken, "more bytes than any memory");
    broken = vdnn_test_checked_fresh(f);
    broken->steps[out].bytes = broken->steps[out + 1].bytes = SIZE_MAX / 2 + 1;
    assert_refused(broken, "more bytes than any link");
    broken = vdnn_test_checked_fresh(f);
    broken->span_bytes[VDNN_TIER_DEVICE] = SIZE_MAX;
    assert_refused(broken, "a span or a zone");
    /* The end of the last buffer, with its zone, would be a small number. */
    broken = vdnn_test_checked_fresh(f);
    f->graph->zone_bytes = SIZE_MAX - broken->span_bytes[VDNN_TIER_DEVICE];
    assert_refused(broken, "a span or a zone");
    f->graph->zone_bytes = 0;
}

static void a_workspace_that_is_too_small_is_refused(void **state)
{
    const vdnn_test_checked *f = *state;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.choice[VDNN_TEST_CONV1][VDNN_FORWARD] =
        f->profile->layers[VDNN_TEST_CONV1].choice_count[VDNN_FORWARD] - 1;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_test_checked_status(plan));
    const int32_t run = vdnn_plan_edit_find_run(plan, VDNN_FORWARD, VDNN_TEST_CONV1, 0);
    vdnn_buffer *workspace = vdnn_test_buffer_of(plan, run, VDNN_BIND_WORKSPACE);
    assert_int_equal(workspace->bytes, plan->steps[run].workspace_bytes);
    vdnn_test_access_of(plan, run, VDNN_BIND_WORKSPACE)->bytes--;
    assert_refused(plan, "bytes of workspace, and is lent");
    vdnn_plan_edit_resize(plan, (int32_t)(workspace - plan->buffers), workspace->bytes - 1);
    assert_refused(plan, "bytes of workspace, and is lent");
    vdnn_plan_destroy(plan);
}

/* Room behind the parameters, from the next aligned byte on; and whoever changes the weight has to
 * write its copy too, which no kernel that updates does. */
static void a_weight_without_room_for_the_copy_that_is_kept_is_refused(void **state)
{
    const vdnn_test_checked *f = *state;
    vdnn_layer *conv = &f->graph->layers[VDNN_TEST_CONV1];
    vdnn_decisions decisions;
    vdnn_plan *plan, *evaluation;
    conv->copy_bytes = conv->params[0].bytes / 2;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.copies = VDNN_WEIGHTS_KEPT;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    assert_ok(vdnn_planner_plan_evaluation(f->graph, f->profile, &decisions, &evaluation));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_test_checked_status(plan));
    assert_ok(vdnn_test_checked_status(evaluation));
    assert_ok(vdnn_checker_check_evaluation(plan, evaluation));
    evaluation->copies = VDNN_WEIGHTS_CONVERTED;
    assert_status(vdnn_checker_check_evaluation(plan, evaluation), VDNN_INTERNAL);
    assert_message("do not keep the same copies of weights");
    vdnn_buffer *weight = &plan->buffers[plan->param_buffer[VDNN_TEST_CONV1]];
    assert_true(weight->bytes >= conv->param_bytes + conv->copy_bytes);
    assert_int_equal(plan->buffers[plan->param_buffer[VDNN_TEST_CONV2]].bytes,
                     f->graph->layers[VDNN_TEST_CONV2].param_bytes);
    vdnn_plan_edit_resize(plan, plan->param_buffer[VDNN_TEST_CONV1], weight->bytes - 1);
    assert_refused(plan, "bytes of w from 0 on, and takes");
    conv->copy_bytes = 0;
    vdnn_plan_destroy(evaluation);
    vdnn_plan_destroy(plan);
}

/* Parameters elsewhere, or a map over momenta: the evaluation would compute with other weights, or
 * spoil the training. */
static void an_evaluation_that_disagrees_with_its_training_is_refused(void **state)
{
    const vdnn_test_checked *f = *state;
    vdnn_plan *evaluation;
    evaluation = vdnn_test_checked_evaluation(f, VDNN_LOADS_OWN);
    assert_ok(vdnn_checker_check_evaluation(f->plan, evaluation));
    vdnn_buffer *weight = &evaluation->buffers[evaluation->param_buffer[VDNN_TEST_CONV1]];
    const size_t offset = weight->offset;
    weight->offset += VDNN_ALIGNMENT;
    assert_status(vdnn_checker_check_evaluation(f->plan, evaluation), VDNN_INTERNAL);
    assert_message("keeps the parameters of layer conv1 elsewhere");
    weight->offset = offset;
    vdnn_buffer *input =
        &evaluation->buffers[vdnn_plan_edit_find_buffer(evaluation, VDNN_CLASS_INPUT)];
    input->offset = f->plan->buffers[f->plan->state_buffer[VDNN_TEST_FC]].offset;
    assert_status(vdnn_checker_check_evaluation(f->plan, evaluation), VDNN_INTERNAL);
    assert_message("bytes of what the training keeps (fc");
    assert_status(vdnn_checker_check_evaluation(f->plan, f->plan), VDNN_INTERNAL);
    vdnn_plan_destroy(evaluation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_live_buffers_on_the_same_bytes_are_refused),
        cmocka_unit_test(two_buffers_that_share_one_byte_are_refused),
        cmocka_unit_test(a_buffer_over_weights_is_refused_whenever_it_lives),
        cmocka_unit_test(a_buffer_given_back_too_early_is_refused),
        cmocka_unit_test(an_offset_beyond_the_span_is_refused),
        cmocka_unit_test(an_offset_that_is_not_aligned_is_refused),
        cmocka_unit_test(a_span_that_is_overstated_is_refused),
        cmocka_unit_test(one_byte_less_than_the_span_does_not_fit),
        cmocka_unit_test(a_peak_that_is_not_true_is_refused),
        cmocka_unit_test(buffers_of_the_wrong_form_are_refused),
        cmocka_unit_test(bytes_that_would_wrap_are_refused),
        cmocka_unit_test(a_workspace_that_is_too_small_is_refused),
        cmocka_unit_test(a_weight_without_room_for_the_copy_that_is_kept_is_refused),
        cmocka_unit_test(an_evaluation_that_disagrees_with_its_training_is_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
