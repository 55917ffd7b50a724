/* What steps do: copies, updates, passes, sums and norms that are missing, done twice or of other
 * bytes, and lists, steps and accesses of the wrong form, are refused. */

#include "runtime/planner/planner.h"
#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"
#include "tests/support/plan_repair.h"

static void a_copy_of_the_wrong_bytes_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t in = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 0);
    broken->steps[in].bytes -= 4;
    assert_refused(broken, "a copy moves");
    broken->steps[in].bytes += 8;
    assert_refused(broken, "a step moves");
}

static void a_copy_in_of_another_map_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t a = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 0),
                  b = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 1);
    const vdnn_access kept = *vdnn_test_access_of(broken, a, VDNN_BIND_SRC);
    *vdnn_test_access_of(broken, a, VDNN_BIND_SRC) = *vdnn_test_access_of(broken, b, VDNN_BIND_SRC);
    *vdnn_test_access_of(broken, b, VDNN_BIND_SRC) = kept;
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void an_update_that_is_missing_or_done_twice_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, VDNN_TEST_CONV2, 0);
    vdnn_plan_edit_mute(broken, update);
    assert_refused(broken, "layer conv2 is updated 0 times instead of 1");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_plan_edit_duplicate(broken, update);
    assert_refused(broken, "what was there before the training step");
}

static void a_pass_that_is_missing_or_done_twice_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t filter =
        vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, VDNN_TEST_CONV2, 0);
    vdnn_plan_edit_duplicate(broken, filter);
    assert_refused(broken, "backward_filter of layer conv2 runs 2 times instead of 1");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_plan_edit_mute(broken, vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, VDNN_TEST_CONV2, 0));
    vdnn_plan_edit_mute(broken, filter);
    assert_refused(broken, "backward_filter of layer conv2 runs 0 times instead of 1");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_plan_edit_mute(broken, filter);
    assert_refused(broken, "does not write the buffer");
}

static void a_result_that_is_not_stored_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t store = vdnn_test_step_of(broken, VDNN_STEP_STORE, 0);
    vdnn_plan_edit_duplicate(broken, store);
    assert_refused(broken, "is stored 2 times");
}

static void a_store_of_the_wrong_size_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    broken->steps[vdnn_test_step_of(broken, VDNN_STEP_STORE, 0)].bytes -= sizeof(float);
    assert_refused(broken, "a store of 4 bytes of a result of 8");
}

static void an_update_of_a_layer_without_parameters_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    broken->steps[vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, VDNN_TEST_CONV2, 0)].layer =
        VDNN_TEST_RELU2;
    assert_refused(broken, "a step reads another value than the layer's parameters");
}

static void a_gradient_without_all_its_parts_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t sum = vdnn_test_step_of(broken, VDNN_STEP_ACCUMULATE, 1);
    const int32_t before = vdnn_test_access_of(broken, sum, VDNN_BIND_DST)->writer;
    for (int32_t i = 0; i < broken->access_count; i++)
        if (broken->accesses[i].writer == sum)
            broken->accesses[i].writer = before;
    vdnn_plan_edit_mute(broken, sum);
    assert_refused(broken, "a gradient is read with 2 of its 3 parts");
}

static void a_gradient_summed_in_another_order_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t first = vdnn_test_step_of(broken, VDNN_STEP_ACCUMULATE, 0),
                  second = vdnn_test_step_of(broken, VDNN_STEP_ACCUMULATE, 1);
    vdnn_access *a = vdnn_test_access_of(broken, first, VDNN_BIND_DST),
                *part = vdnn_test_access_of(broken, first, VDNN_BIND_SRC);
    assert_int_equal(vdnn_test_access_of(broken, second, VDNN_BIND_DST)->writer, first);
    const vdnn_access kept = *a;
    a->buffer = part->buffer;
    a->writer = part->writer;
    part->buffer = kept.buffer;
    part->writer = kept.writer;
    vdnn_test_access_of(broken, second, VDNN_BIND_DST)->buffer = a->buffer;
    for (int32_t i = 0; i < broken->access_count; i++)
        if (broken->accesses[i].writer == second)
            broken->accesses[i].buffer = a->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void steps_of_the_wrong_form_are_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t out = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0);
    broken->steps[out].stream = VDNN_STREAM_IN;
    assert_refused(broken, "a step is on stream");
    broken = vdnn_test_checked_fresh(*state);
    broken->steps[out].kind = (vdnn_step_kind)99;
    assert_refused(broken, "unknown kind of step");
    assert_message("(unknown");
    broken = vdnn_test_checked_fresh(*state);
    broken->steps[out].kind = (vdnn_step_kind)VDNN_STEP_KIND_COUNT;
    assert_refused(broken, "unknown kind of step");
    broken = vdnn_test_checked_fresh(*state);
    broken->steps[out].layer = broken->graph->layer_count;
    assert_refused(broken, "a step has layer");
    broken = vdnn_test_checked_fresh(*state);
    broken->steps[vdnn_test_step_of(broken, VDNN_STEP_RUN, 0)].algorithm = NULL;
    assert_refused(broken, "a run has an algorithm");
    broken = vdnn_test_checked_fresh(*state);
    broken->steps[out].first_access = broken->access_count;
    assert_refused(broken, "beyond the list");
    broken = vdnn_test_checked_fresh(*state);
    broken->steps[out].wait_count = broken->wait_count + 1;
    assert_refused(broken, "beyond the list");
    broken = vdnn_test_checked_fresh(*state);
    broken->steps[out].first_access++;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void accesses_of_the_wrong_form_are_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t out = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    vdnn_test_access_of(broken, out, VDNN_BIND_SRC)->buffer = broken->buffer_count;
    assert_refused(broken, "an access of buffer");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_access_of(broken, out, VDNN_BIND_SRC)->mode = VDNN_HOLD;
    assert_refused(broken, "an access has bind");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_access_of(broken, out, VDNN_BIND_SRC)->mode = VDNN_READ | VDNN_WRITE;
    assert_refused(broken, "that it needs exactly once");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_access_of(broken, run, VDNN_BIND_W)->buffer =
        vdnn_test_access_of(broken, run, VDNN_BIND_X)->buffer;
    assert_refused(broken, "wrong class or tier");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->slot = 1;
    assert_refused(broken, "an access that its pass does not take");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_access_of(broken, run, VDNN_BIND_Y)->buffer =
        vdnn_test_access_of(broken, run, VDNN_BIND_X)->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "one buffer as x and as y");
    broken = vdnn_test_checked_fresh(*state);
    vdnn_test_access_of(broken, vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_DROP1, 0),
                        VDNN_BIND_Y)
        ->buffer = vdnn_test_access_of(broken, run, VDNN_BIND_Y)->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a layer that works in place got two buffers");
}

/* The header alone is read. */
static void counts_that_no_plan_has_are_refused(void **state)
{
    static const int32_t wrong[] = {-1, VDNN_PLAN_MOST_ITEMS + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        vdnn_plan *broken = vdnn_test_checked_fresh(*state);
        int32_t *const counts[] = {&broken->step_count, &broken->buffer_count,
                                   &broken->access_count, &broken->wait_count};
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            const int32_t kept = *counts[k];
            *counts[k] = wrong[i];
            assert_refused(broken, "a plan has at least begin and end");
            *counts[k] = kept;
        }
    }
}

/* A plan whose backward filters update the parameters themselves. */
static vdnn_plan *plan_fused(const vdnn_test_checked *f)
{
    vdnn_decisions decisions;
    vdnn_plan *plan = NULL;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.updates = VDNN_UPDATES_FUSED;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    return plan;
}

static void a_filter_that_updates_must_have_all_that_an_update_has(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *plan = plan_fused(f);
    assert_ok(vdnn_test_checked_status(plan));
    assert_int_equal(vdnn_plan_edit_find(plan, VDNN_STEP_UPDATE, -1, 0), -1);
    assert_int_equal(plan->by_category[VDNN_CATEGORY_weight_gradients], 0);
    const int32_t run = vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_FILTER, VDNN_TEST_CONV2, 0);

    vdnn_test_access_of(plan, run, VDNN_BIND_W)->mode = VDNN_READ;
    assert_refused(plan, "an access that its pass does not take");
    vdnn_test_access_of(plan, run, VDNN_BIND_W)->mode = VDNN_READ | VDNN_WRITE;
    assert_ok(vdnn_test_checked_status(plan));

    const int32_t momentum = vdnn_test_access_of(plan, run, VDNN_BIND_STATE)->buffer;
    vdnn_test_access_of(plan, run, VDNN_BIND_STATE)->buffer = plan->state_buffer[VDNN_TEST_CONV1];
    vdnn_plan_edit_refresh(plan);
    assert_status(vdnn_test_checked_status(plan), VDNN_INTERNAL);
    vdnn_test_access_of(plan, run, VDNN_BIND_STATE)->buffer = momentum;
    vdnn_plan_edit_refresh(plan);
    assert_ok(vdnn_test_checked_status(plan));

    plan->steps[run].algorithm = vdnn_algorithm_find("conv", "direct", "cpu");
    assert_refused(plan, "cannot update parameters");
    vdnn_plan_destroy(plan);
}

/* Of an optimizer with two. */
static void the_state_of_a_layer_holds_all_slots(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *plan = NULL;
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    vdnn_training_choose(&f->graph->training, vdnn_optimizer_find("adamw"));
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    assert_ok(vdnn_test_checked_status(plan));
    vdnn_buffer *slots = &plan->buffers[plan->state_buffer[VDNN_TEST_CONV2]];
    assert_true(slots->bytes >= 2 * f->graph->layers[VDNN_TEST_CONV2].trainable_bytes);
    vdnn_plan_edit_resize(plan, plan->state_buffer[VDNN_TEST_CONV2], slots->bytes - sizeof(float));
    vdnn_plan_edit_refresh(plan);
    assert_refused(plan, "bytes of optimizer in a buffer of");
    vdnn_training_choose(&f->graph->training, vdnn_optimizer_find("sgd"));
    vdnn_plan_destroy(plan);
    vdnn_decisions_fini(&decisions);
}

static vdnn_plan *plan_clipped(vdnn_test_checked *f)
{
    f->graph->training.clip_norm = 1;
    return plan_fused(f);
}

/* Every update waits for the squares of every gradient. */
static void a_norm_is_of_every_gradient_once(void **state)
{
    static void (*const edits[])(vdnn_plan *, int32_t) = {vdnn_plan_edit_mute,
                                                          vdnn_plan_edit_duplicate};
    vdnn_test_checked *f = *state;
    vdnn_plan *plan = plan_clipped(f);
    const int32_t first = vdnn_test_step_of(plan, VDNN_STEP_NORM, 0),
                  second = vdnn_test_step_of(plan, VDNN_STEP_NORM, 1);
    assert_ok(vdnn_test_checked_status(plan));
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++)
        for (int n = 0; n < 2; n++) {
            vdnn_plan *broken = vdnn_test_checked_copy(f, plan);
            edits[e](broken, n == 0 ? first : second);
            vdnn_plan_edit_refresh(broken);
            assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
        }
    vdnn_plan *broken = vdnn_test_checked_copy(f, plan);
    vdnn_test_buffer_of(broken, first, VDNN_BIND_DST)->bytes = sizeof(double);
    assert_refused(broken, "a norm takes");
    broken = vdnn_test_checked_copy(f, plan);
    vdnn_test_access_of(broken, vdnn_test_step_of(broken, VDNN_STEP_UPDATE, 0), VDNN_BIND_SRC)
        ->writer = first;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
    broken = vdnn_test_checked_copy(f, plan);
    broken->steps[first].layer = broken->steps[second].layer;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
    f->graph->training.clip_norm = 0;
    vdnn_plan_destroy(plan);
}

/* A plan of the same network without clipping. */
static void an_update_without_the_norm_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *fused = plan_fused(f);
    f->graph->training.clip_norm = 1;
    assert_refused(f->plan, "");
    assert_refused(fused, "not clipped");
    f->graph->training.clip_norm = 0;
    assert_ok(vdnn_test_checked_status(f->plan));
    vdnn_plan_destroy(fused);
}

/* A copy in two steps, of half of the bytes each: the file tier moves whole blocks alone. */
static vdnn_plan *halve_copy(vdnn_test_checked *f, vdnn_step_kind kind)
{
    vdnn_plan *broken = vdnn_test_checked_copy(f, f->files);
    const int32_t copy = vdnn_test_step_of(broken, kind, 0);
    const size_t half = broken->steps[copy].bytes / 2 / sizeof(float) * sizeof(float);
    vdnn_plan_edit_duplicate(broken, copy);
    for (int32_t i = copy; i < copy + 2; i++) {
        broken->steps[i].bytes = i == copy ? half : broken->steps[i].bytes - half;
        for (int side = 0; side < 2; side++) {
            vdnn_access *access =
                vdnn_test_access_of(broken, i, side == 0 ? VDNN_BIND_SRC : VDNN_BIND_DST);
            access->first = i == copy ? 0 : half;
            access->bytes = broken->steps[i].bytes;
        }
    }
    vdnn_plan_repair(broken);
    return broken;
}

static void a_copy_of_a_part_of_a_buffer_beyond_the_device_is_refused(void **state)
{
    static const vdnn_step_kind kinds[] = {VDNN_STEP_COPY_OUT, VDNN_STEP_COPY_IN, VDNN_STEP_SPILL,
                                           VDNN_STEP_FILL};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        assert_refused(halve_copy(*state, kinds[k]), "a step without a kernel takes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_of_the_wrong_bytes_is_refused),
        cmocka_unit_test(a_copy_in_of_another_map_is_refused),
        cmocka_unit_test(an_update_that_is_missing_or_done_twice_is_refused),
        cmocka_unit_test(a_pass_that_is_missing_or_done_twice_is_refused),
        cmocka_unit_test(a_result_that_is_not_stored_is_refused),
        cmocka_unit_test(a_store_of_the_wrong_size_is_refused),
        cmocka_unit_test(an_update_of_a_layer_without_parameters_is_refused),
        cmocka_unit_test(a_gradient_without_all_its_parts_is_refused),
        cmocka_unit_test(a_gradient_summed_in_another_order_is_refused),
        cmocka_unit_test(steps_of_the_wrong_form_are_refused),
        cmocka_unit_test(accesses_of_the_wrong_form_are_refused),
        cmocka_unit_test(counts_that_no_plan_has_are_refused),
        cmocka_unit_test(a_filter_that_updates_must_have_all_that_an_update_has),
        cmocka_unit_test(the_state_of_a_layer_holds_all_slots),
        cmocka_unit_test(a_norm_is_of_every_gradient_once),
        cmocka_unit_test(an_update_without_the_norm_is_refused),
        cmocka_unit_test(a_copy_of_a_part_of_a_buffer_beyond_the_device_is_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
