/* Plans with several edits that agree with each other, so that no list, wait, size or name gives
 * them away, but that compute something else: each is refused for what it computes. */

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"
#include "tests/support/training_case.h"

/* ---- edits ----------------------------------------------------------------------------------- */

/* To behind everything else in its tier, where nothing shares its bytes. */
static void move_away(vdnn_plan *plan, int32_t buffer)
{
    vdnn_buffer *moved = &plan->buffers[buffer];
    const size_t alignment = vdnn_tier_alignment(moved->tier);
    size_t *span = &plan->span_bytes[moved->tier];
    moved->offset = (*span + alignment - 1) / alignment * alignment;
    *span = moved->offset + moved->bytes;
}

static void expect_refused(vdnn_plan *broken, const char *part)
{
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, part);
}

/* ---- the result ------------------------------------------------------------------------------ */

static const char in_parts[] = "name: lossy\n"
                               "input: {channels: 2, height: 6, width: 6}\n"
                               "classes: 4\n"
                               "batch: 6\n"
                               "layers:\n"
                               "  - {name: conv1, type: conv, out: 4, kernel: 3}\n"
                               "  - {name: fc, type: fc, out: 4}\n"
                               "  - {name: loss, type: softmax_loss, parts: 3}\n";

static const char recomputed[] = "name: twice\n"
                                 "input: {channels: 2, height: 6, width: 6}\n"
                                 "classes: 4\n"
                                 "batch: 6\n"
                                 "layers:\n"
                                 "  - {name: conv1, type: conv, out: 4, kernel: 3}\n"
                                 "  - {name: conv2, type: conv, out: 4, kernel: 3}\n"
                                 "  - {name: fc, type: fc, out: 4}\n"
                                 "  - {name: loss, type: softmax_loss}\n";

static vdnn_training_case plan_in_parts(void)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    vdnn_training_case_parse(&c, in_parts, &options);
    assert_ok(vdnn_decisions_init(&decisions, c.graph));
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_test_checked_status(c.plan));
    return c;
}

/* It was last written by a part of the loss, as it should, but not by all of them. */
static void a_result_without_the_last_part_of_the_loss_is_refused(void **state)
{
    (void)state;
    vdnn_training_case c = plan_in_parts();
    vdnn_plan *plan = c.plan;
    const int32_t loss = c.graph->layer_count - 1,
                  before = vdnn_plan_edit_find_run(plan, VDNN_FORWARD, loss, 1),
                  last = vdnn_plan_edit_find_run(plan, VDNN_FORWARD, loss, 2);
    vdnn_plan_edit_move(plan, vdnn_test_step_of(plan, VDNN_STEP_STORE, 0), last);
    const vdnn_step *store = &plan->steps[last];
    assert_int_equal(store->kind, VDNN_STEP_STORE);
    for (int32_t k = 0; k < store->wait_count; k++)
        if (plan->waits[store->first_wait + k] == last + 1)
            plan->waits[store->first_wait + k] = before;
    vdnn_plan_edit_add_wait(plan, last + 1, last);
    expect_refused(plan, "another value than the result of the loss");
    vdnn_training_case_end(&c);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void access_instead(vdnn_plan *plan, int32_t old, int32_t fresh)
{
    for (int32_t k = 0; k < plan->access_count; k++)
        if (plan->accesses[k].buffer == old)
            vdnn_plan_edit_take(plan, &plan->accesses[k], fresh);
}

/* The squares of gradients are summed where the next batch was loaded, or its labels, of which
 * there are fewer bytes than of a norm; its own buffer is kept, as if it were for that. */
static void a_norm_over_the_next_batch_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    f->graph->training.clip_norm = 1;
    vdnn_plan *plan = vdnn_test_checked_plan(f->graph, f->profile, VDNN_LOADS_AHEAD, false);
    assert_ok(vdnn_test_checked_status(plan));
    for (int32_t i = 0; i < f->graph->input_count; i++) {
        vdnn_plan *broken = vdnn_test_checked_copy(f, plan);
        const int32_t first = vdnn_test_step_of(broken, VDNN_STEP_NORM, 0),
                      ahead = broken->ahead[i],
                      norm = vdnn_test_access_of(broken, first, VDNN_BIND_DST)->buffer;
        for (int32_t n = 0; n < f->graph->input_count; n++)
            vdnn_plan_edit_add_wait(broken, first, vdnn_test_step_of(broken, VDNN_STEP_LOAD, n));
        access_instead(broken, norm, ahead);
        broken->buffers[norm].class = broken->buffers[ahead].class;
        broken->buffers[norm].persistent = true;
        move_away(broken, norm);
        expect_refused(broken, "a buffer of the wrong class as dst");
    }
    f->graph->training.clip_norm = 0;
    vdnn_plan_destroy(plan);
}

/* The batch of this step over the next one, both of as many bytes, by way of the host. */
static void a_copy_in_over_the_next_batch_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *broken = vdnn_test_checked_copy(f, f->ahead);
    int32_t in = 0, n = 0;
    do
        in = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, n++);
    while (vdnn_test_buffer_of(broken, in, VDNN_BIND_SRC)->map != 0);
    vdnn_plan_edit_duplicate(broken, in);
    vdnn_plan_edit_take(broken, vdnn_test_access_of(broken, in, VDNN_BIND_DST), broken->ahead[0]);
    broken->buffers[broken->ahead[0]].map = 0;
    expect_refused(broken, "a buffer of the wrong class as dst");
}

/* ---- homes ----------------------------------------------------------------------------------- */

/* With parameters that can be in the host tier there. */
/* With the evaluation in its arena. */
static vdnn_plan *plan_away(const vdnn_test_checked *f, vdnn_weight_copies copies,
                            vdnn_plan **evaluation)
{
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.copies = copies;
    for (int32_t l = VDNN_TEST_CONV3; l < f->graph->layer_count; l++)
        if (vdnn_decisions_params_refusal(&f->graph->layers[l]) == NULL)
            decisions.params[l].action = VDNN_OFFLOAD;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    assert_ok(vdnn_planner_plan_evaluation(f->graph, f->profile, &decisions, evaluation));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_test_checked_status(plan));
    return plan;
}

/* The home and what is copied from it or there, and all buffers on the device that it is copied to
 * or from. */
static void resize_home(vdnn_plan *plan, int32_t home, size_t bytes, bool with_copies)
{
    vdnn_plan_edit_resize(plan, home, bytes);
    for (int32_t i = 0; i < plan->step_count; i++)
        for (int32_t k = 0; k < plan->steps[i].access_count; k++) {
            const vdnn_access *access = &plan->accesses[plan->steps[i].first_access + k];
            const bool is_out = access->bind == VDNN_BIND_DST;
            if (access->buffer != home || (!is_out && access->bind != VDNN_BIND_SRC))
                continue;
            plan->steps[i].bytes = bytes;
            const int32_t copy =
                vdnn_test_access_of(plan, i, is_out ? VDNN_BIND_SRC : VDNN_BIND_DST)->buffer;
            if (with_copies) {
                vdnn_plan_edit_resize(plan, copy, bytes);
                move_away(plan, copy);
            }
        }
}

/* Four bytes of all that a kernel reads; or more than a layer has, for which others' bytes are
 * changed by its update. */
static void a_home_of_another_size_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *evaluation, *training = plan_away(f, VDNN_WEIGHTS_CONVERTED, &evaluation);
    vdnn_plan *broken = vdnn_test_checked_copy(f, evaluation);
    resize_home(broken, broken->param_buffer[VDNN_TEST_FC], 4, false);
    expect_refused(broken, "bytes of weight in a buffer of 4");
    for (int is_state = 0; is_state < 2; is_state++) {
        broken = vdnn_test_checked_copy(f, training);
        const int32_t home =
            is_state ? broken->state_buffer[VDNN_TEST_FC] : broken->param_buffer[VDNN_TEST_FC];
        resize_home(broken, home, broken->buffers[home].bytes + VDNN_ALIGNMENT, true);
        move_away(broken, home);
        expect_refused(broken, "bytes of");
        assert_message("in a buffer of");
    }
    for (int32_t i = 0; i < f->graph->input_count; i++) { /* of which there are no more bytes */
        broken = vdnn_test_checked_copy(f, f->ahead);
        const size_t bytes = broken->buffers[broken->ahead[i]].bytes;
        vdnn_plan_edit_resize(broken, broken->ahead[i], bytes + VDNN_ALIGNMENT);
        move_away(broken, broken->ahead[i]);
        expect_refused(broken, "ahead in a buffer of");
    }
    vdnn_plan_destroy(evaluation);
    vdnn_plan_destroy(training);
}

/* A layer in the host tier has none, whatever those have that stay. */
static void a_layer_that_leaves_needs_no_copy_of_its_weight(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_layer *layers = f->graph->layers;
    for (int32_t l = 0; l < f->graph->layer_count; l++)
        layers[l].copy_bytes = layers[l].param_count == 0 ? 0 : layers[l].params[0].bytes / 2;
    vdnn_plan *evaluation, *plan = plan_away(f, VDNN_WEIGHTS_KEPT, &evaluation);
    assert_int_equal(plan->buffers[plan->param_buffer[VDNN_TEST_FC]].bytes,
                     layers[VDNN_TEST_FC].param_bytes);
    assert_true(plan->buffers[plan->param_buffer[VDNN_TEST_CONV1]].bytes >
                layers[VDNN_TEST_CONV1].param_bytes);
    assert_ok(vdnn_test_checked_status(evaluation));
    assert_ok(vdnn_checker_check_evaluation(plan, evaluation));
    for (int32_t l = 0; l < f->graph->layer_count; l++)
        layers[l].copy_bytes = 0;
    vdnn_plan_destroy(evaluation);
    vdnn_plan_destroy(plan);
}

/* ---- recomputing ----------------------------------------------------------------------------- */

/* The forward of the first layer comes with its load before what is recomputed of the first
 * micro-batch; the loss waits for the loads in its place. */
static void compute_ahead(vdnn_plan *plan)
{
    int32_t again = vdnn_plan_edit_find(plan, VDNN_STEP_RECOMPUTE, 0, 0),
            forward = vdnn_plan_edit_find_run(plan, VDNN_FORWARD, 0, 1);
    assert_true(again > 0 && forward > again);
    const int32_t input = vdnn_test_access_of(plan, forward, VDNN_BIND_X)->buffer;
    for (int32_t k = 0; k < plan->steps[forward].access_count; k++) {
        const int32_t b = plan->accesses[plan->steps[forward].first_access + k].buffer;
        if (!plan->buffers[b].persistent)
            move_away(plan, b);
    }
    plan->steps[forward].wait_count = 0;
    vdnn_plan_edit_move(plan, plan->buffers[input].first_step, again);
    assert_int_equal(plan->steps[again].kind, VDNN_STEP_LOAD);
    plan->steps[again].wait_count = 0;
    vdnn_plan_edit_add_wait(plan, again, 0);
    vdnn_plan_edit_move(plan, forward, again + 1);
    vdnn_plan_edit_add_wait(plan, again + 1, again);
    const int32_t loss =
        vdnn_plan_edit_find_run(plan, VDNN_FORWARD, plan->graph->layer_count - 1, 1);
    for (int32_t i = again; i < loss; i++)
        if (plan->steps[i].kind == VDNN_STEP_LOAD)
            vdnn_plan_edit_add_wait(plan, loss, i);
}

/* Of two micro-batches, which forward computes one after the other: the second by the algorithm by
 * which both are recomputed, the first by another. */
static void a_recompute_by_the_algorithm_of_another_micro_batch_is_refused(void **state)
{
    const vdnn_graph_options options = {
        .micro_batches = 2, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    static const vdnn_algorithm other = {.name = "other", .deterministic = true};
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    (void)state;
    vdnn_training_case_parse(&c, recomputed, &options);
    assert_ok(vdnn_decisions_init(&decisions, c.graph));
    decisions.maps[c.graph->tensors[c.graph->layers[0].output].map].action = VDNN_RECOMPUTE;
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_test_checked_status(c.plan));
    compute_ahead(c.plan);
    c.plan->steps[vdnn_plan_edit_find_run(c.plan, VDNN_FORWARD, 0, 1)].algorithm = &other;
    for (int32_t n = 0; n < 2; n++)
        c.plan->steps[vdnn_plan_edit_find(c.plan, VDNN_STEP_RECOMPUTE, 0, n)].algorithm = &other;
    expect_refused(c.plan, "a recompute uses algorithm other, forward used");
    vdnn_training_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_without_the_last_part_of_the_loss_is_refused),
        cmocka_unit_test(a_norm_over_the_next_batch_is_refused),
        cmocka_unit_test(a_copy_in_over_the_next_batch_is_refused),
        cmocka_unit_test(a_home_of_another_size_is_refused),
        cmocka_unit_test(a_layer_that_leaves_needs_no_copy_of_its_weight),
        cmocka_unit_test(a_recompute_by_the_algorithm_of_another_micro_batch_is_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
