/* Batches that are loaded ahead, in a place of their own, and late, in memory that others use in
 * between: a plan that does not load each once, keep it and take it once is refused. */

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"

/* Of the labels, the images; of the takes, the loads. */
enum { LABELS, IMAGES, PARTS };

static int32_t take_of(const vdnn_plan *plan, int part)
{
    return vdnn_test_step_of(plan, VDNN_STEP_TAKE, part);
}

static int32_t load_of(const vdnn_plan *plan, int part)
{
    return vdnn_test_step_of(plan, VDNN_STEP_LOAD, part);
}

/* ---- loaded ahead ---------------------------------------------------------------------------- */

static vdnn_plan *fresh_ahead(vdnn_test_checked *f)
{
    return vdnn_test_checked_copy(f, f->ahead);
}

static void a_batch_that_is_not_taken_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        vdnn_plan_edit_mute(broken, take_of(broken, part));
        assert_refused(broken, "a read names a writer that does not write the buffer");
        broken = fresh_ahead(*state);
        vdnn_plan_edit_duplicate(broken, take_of(broken, part));
        assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
    }
}

/* The step would train on what it loads itself: the next step's batch. */
static void a_batch_that_is_loaded_before_the_last_one_is_taken_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        const int32_t take = take_of(broken, part), load = load_of(broken, part);
        const vdnn_step step = broken->steps[take];
        assert_int_equal(load, take + 1);
        broken->steps[take] = broken->steps[load];
        broken->steps[load] = step;
        broken->steps[take].wait_count = 1;
        broken->waits[broken->steps[take].first_wait] = 0;
        for (int32_t i = 0; i < broken->access_count; i++)
            if (broken->accesses[i].writer == take)
                broken->accesses[i].writer = load;
        vdnn_plan_edit_refresh(broken);
        assert_refused(broken, "before the training step, but it was overwritten");
        vdnn_test_access_of(broken, load, VDNN_BIND_SRC)->writer = take;
        assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
    }
}

/* Alone, that load would write over what is being taken. */
static void a_load_that_does_not_wait_for_its_take_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        const int32_t load = load_of(broken, part);
        assert_int_equal(broken->steps[load].wait_count, 1);
        vdnn_plan_edit_redirect_wait(broken, load, 0);
        assert_refused(broken, "a write does not wait for a read of what it replaces");
    }
}

static void a_next_batch_that_is_loaded_twice_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        vdnn_plan_edit_duplicate(broken, load_of(broken, part));
        assert_refused(broken, "loaded 2 times instead of once");
        assert_message(part == LABELS ? "'labels'" : "'input'");
        broken = vdnn_test_checked_fresh(*state);
        vdnn_plan_edit_duplicate(broken, load_of(broken, part));
        assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
    }
}

/* As a join, which is the compute stream's. */
static void a_next_batch_that_is_not_loaded_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        const int32_t load = load_of(broken, part);
        vdnn_plan_edit_mute(broken, load);
        broken->steps[load].stream = VDNN_STREAM_COMPUTE;
        broken->steps[load].wait_count = 0;
        assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
        assert_message("loaded 0 times instead of once");
    }
}

static void a_take_or_a_load_of_another_buffer_is_refused(void **state)
{
    const vdnn_test_checked *f = *state;
    const int32_t places[PARTS] = {vdnn_plan_edit_find_buffer(f->ahead, VDNN_CLASS_LABELS),
                                   vdnn_plan_edit_find_buffer(f->ahead, VDNN_CLASS_INPUT)},
                  aheads[PARTS] = {f->ahead->ahead[1], f->ahead->ahead[0]};
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        vdnn_test_access_of(broken, take_of(broken, part), VDNN_BIND_SRC)->buffer = aheads[!part];
        vdnn_plan_edit_refresh(broken);
        assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);

        broken = fresh_ahead(*state); /* right where it is read */
        vdnn_test_access_of(broken, load_of(broken, part), VDNN_BIND_DST)->buffer = places[part];
        vdnn_plan_edit_refresh(broken);
        assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);

        broken = fresh_ahead(*state);
        broken->steps[take_of(broken, part)].bytes -= sizeof(int32_t);
        assert_refused(broken, "a take of ");
    }
    vdnn_plan *broken = fresh_ahead(*state); /* weights are there before the step too */
    vdnn_access *taken = vdnn_test_access_of(broken, take_of(broken, LABELS), VDNN_BIND_SRC);
    taken->buffer = broken->param_buffer[VDNN_TEST_FC];
    taken->bytes = broken->buffers[taken->buffer].bytes;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a buffer of the wrong class");
}

/* A kernel that reads it where it was loaded would be one step early. */
static void what_is_loaded_ahead_is_read_by_a_take_alone(void **state)
{
    vdnn_plan *broken = fresh_ahead(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV1, 0);
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->buffer = broken->ahead[0];
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->writer = -1;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a buffer of the wrong class");
    broken = fresh_ahead(*state);
    const int32_t out = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0);
    vdnn_test_access_of(broken, out, VDNN_BIND_SRC)->buffer = broken->ahead[0];
    vdnn_test_access_of(broken, out, VDNN_BIND_SRC)->writer = load_of(broken, IMAGES);
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void what_is_loaded_ahead_is_kept_for_the_next_step(void **state)
{
    const vdnn_test_checked *f = *state;
    vdnn_plan *broken = fresh_ahead(*state), *evaluation;
    broken->buffers[broken->ahead[0]].persistent = false;
    assert_refused(broken, "kept between training steps");
    broken = fresh_ahead(*state);
    broken->ahead[0] = broken->ahead[1];
    assert_refused(broken, "the plan names buffer");
    broken = fresh_ahead(*state);
    broken->loads = VDNN_LOADS_OWN;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);

    evaluation = vdnn_test_checked_evaluation(f, VDNN_LOADS_AHEAD);
    assert_ok(vdnn_test_checked_status(evaluation));
    assert_ok(vdnn_checker_check_evaluation(f->ahead, evaluation));
    evaluation->buffers[vdnn_plan_edit_find_buffer(evaluation, VDNN_CLASS_INPUT)].offset =
        f->ahead->buffers[f->ahead->ahead[0]].offset;
    assert_status(vdnn_checker_check_evaluation(f->ahead, evaluation), VDNN_INTERNAL);
    assert_message("bytes of what the training keeps (next input");
    vdnn_plan_destroy(evaluation);
}

/* ---- loaded late ----------------------------------------------------------------------------- */

static vdnn_plan *fresh_late(vdnn_test_checked *f)
{
    return vdnn_test_checked_copy(f, f->late);
}

static bool lies_in(const vdnn_buffer *at, const vdnn_buffer *place)
{
    return at->tier == place->tier && at->offset < place->offset + place->bytes &&
           place->offset < at->offset + at->bytes;
}

/* Else it would be memory for the next batch all the time. */
static void the_place_of_a_batch_loaded_late_is_used_in_between(void **state)
{
    const vdnn_test_checked *f = *state;
    const vdnn_plan *plan = f->late;
    int others = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        others += b != plan->ahead[0] && b != plan->arrived[0] &&
                  lies_in(&plan->buffers[b], &plan->buffers[plan->ahead[0]]);
    assert_true(others > 0);
    assert_true(plan->peak_bytes[VDNN_TIER_DEVICE] < f->ahead->peak_bytes[VDNN_TIER_DEVICE]);
}

static void a_batch_that_arrives_elsewhere_than_it_was_loaded_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_late(*state);
        broken->buffers[broken->arrived[part]].offset =
            broken->span_bytes[VDNN_TIER_DEVICE] / VDNN_ALIGNMENT * VDNN_ALIGNMENT + VDNN_ALIGNMENT;
        vdnn_plan_edit_fit_spans(broken);
        assert_refused(broken, "what arrived is not where the step before loaded it");
        broken = fresh_late(*state);
        broken->arrived[part] = broken->ahead[part];
        assert_refused(broken, "the plan names buffer");
        broken = fresh_late(*state);
        broken->loads = VDNN_LOADS_AHEAD;
        assert_refused(broken, "kept between training steps");
    }
}

static void remove_hold(vdnn_plan *plan, int32_t step, int32_t buffer)
{
    for (int32_t k = 0; k < plan->steps[step].access_count; k++)
        if (plan->accesses[plan->steps[step].first_access + k].buffer == buffer) {
            vdnn_plan_edit_remove_access(plan, step, k);
            vdnn_plan_edit_refresh(plan);
            return;
        }
    fail();
}

/* Something else could then be in its place, between two steps or before it is taken. */
static void a_batch_loaded_late_that_is_not_held_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_late(*state);
        remove_hold(broken, broken->step_count - 1, broken->ahead[part]);
        assert_refused(broken, "not kept until it is taken");
        broken = fresh_late(*state);
        remove_hold(broken, 0, broken->arrived[part]);
        assert_refused(broken, "not kept until it is taken");
    }
}

static void a_late_load_over_what_others_still_use_is_refused(void **state)
{
    const vdnn_pass passes[PARTS] = {VDNN_FORWARD, VDNN_BACKWARD_FILTER};
    const vdnn_bind binds[PARTS] = {VDNN_BIND_Y, VDNN_BIND_DY};
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_late(*state);
        const int32_t run = vdnn_plan_edit_find_run(broken, passes[part], VDNN_TEST_CONV1, 0);
        assert_ok(vdnn_test_checked_status(broken));
        broken->buffers[broken->ahead[0]].offset = broken->buffers[broken->arrived[0]].offset =
            vdnn_test_buffer_of(broken, run, binds[part])->offset;
        vdnn_plan_edit_fit_spans(broken);
        assert_refused(broken, "shares bytes with one that is alive at the same time");
        broken = fresh_late(*state);
        vdnn_plan_edit_duplicate(broken, load_of(broken, part));
        assert_refused(broken, "loaded 2 times instead of once");
    }
}

static void an_evaluation_over_a_batch_loaded_late_is_refused(void **state)
{
    const vdnn_test_checked *f = *state;
    vdnn_plan *evaluation;
    evaluation = vdnn_test_checked_evaluation(f, VDNN_LOADS_LATE);
    assert_ok(vdnn_test_checked_status(evaluation));
    assert_ok(vdnn_checker_check_evaluation(f->late, evaluation));
    evaluation->buffers[vdnn_plan_edit_find_buffer(evaluation, VDNN_CLASS_INPUT)].offset =
        f->late->buffers[f->late->ahead[0]].offset;
    assert_status(vdnn_checker_check_evaluation(f->late, evaluation), VDNN_INTERNAL);
    assert_message("bytes of what the training keeps (next input");
    vdnn_plan_destroy(evaluation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_that_is_not_taken_is_refused),
        cmocka_unit_test(a_batch_that_is_loaded_before_the_last_one_is_taken_is_refused),
        cmocka_unit_test(a_load_that_does_not_wait_for_its_take_is_refused),
        cmocka_unit_test(a_next_batch_that_is_loaded_twice_is_refused),
        cmocka_unit_test(a_next_batch_that_is_not_loaded_is_refused),
        cmocka_unit_test(a_take_or_a_load_of_another_buffer_is_refused),
        cmocka_unit_test(what_is_loaded_ahead_is_read_by_a_take_alone),
        cmocka_unit_test(what_is_loaded_ahead_is_kept_for_the_next_step),
        cmocka_unit_test(the_place_of_a_batch_loaded_late_is_used_in_between),
        cmocka_unit_test(a_batch_that_arrives_elsewhere_than_it_was_loaded_is_refused),
        cmocka_unit_test(a_batch_loaded_late_that_is_not_held_is_refused),
        cmocka_unit_test(a_late_load_over_what_others_still_use_is_refused),
        cmocka_unit_test(an_evaluation_over_a_batch_loaded_late_is_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
