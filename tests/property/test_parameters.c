/* Parameters and optimizer state that live in the host tier: the same bits, the bytes that the plan
 * says, and broken plans. */

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_breaker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static const char network[] =
    "name: away\n"
    "input: {channels: 2, height: 10, width: 10}\n"
    "classes: 4\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
    "  - {name: norm1, type: batchnorm}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: conv2, type: conv, out: 5, kernel: 3}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: fc1, type: fc, out: 12}\n"
    "  - {name: relu3, type: relu}\n"
    "  - {name: fc2, type: fc, out: 4}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n";
enum { CONV1, NORM1, RELU1, CONV2, RELU2, FC1, RELU3, FC2 };

/* ---- cases ----------------------------------------------------------------------------------- */

static void shape(vdnn_training_case *c, const char *path, int64_t batch, int32_t micros)
{
    const vdnn_graph_options options = {
        .batch = batch, .micro_batches = micros, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_model *model;
    if (path == NULL)
        assert_ok(vdnn_model_parse(network, sizeof network - 1, "away.yaml", &model));
    else
        assert_ok(vdnn_model_read(path, &model));
    vdnn_training_case_shape(c, model, &options);
    vdnn_model_destroy(model);
}

/* Of every fully connected layer, where `away`. */
static vdnn_decisions decide(const vdnn_training_case *c, bool away, vdnn_updates updates)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, c->graph));
    decisions.sync = VDNN_SYNC_BY_NEED;
    decisions.updates = updates;
    for (int32_t l = 0; l < c->graph->layer_count && away; l++)
        if (strcmp(c->graph->layers[l].def->type, "fc") == 0)
            decisions.params[l].action = VDNN_OFFLOAD;
    return decisions;
}

static vdnn_plan *plan_of(const vdnn_training_case *c, bool away, vdnn_updates updates)
{
    vdnn_decisions decisions = decide(c, away, updates);
    return vdnn_training_case_plan(c, &decisions);
}

static vdnn_training_case set_up(const char *path, int64_t batch, int32_t micros, bool away,
                                 vdnn_updates updates)
{
    vdnn_training_case c = {.plan = NULL};
    shape(&c, path, batch, micros);
    c.plan = plan_of(&c, away, updates);
    vdnn_training_case_begin(&c);
    return c;
}

/* ---- bits and bytes -------------------------------------------------------------------------- */

static void same_bits(const char *path, int64_t batch, int32_t micros, vdnn_updates updates)
{
    const vdnn_step_context context = {
        .settings = {.lr = 0.02, .momentum = 0.9, .weight_decay = 0.001}};
    vdnn_training_case here = set_up(path, batch, micros, false, updates),
                       away = set_up(path, batch, micros, true, updates);
    assert_true(away.plan->peak_bytes[VDNN_TIER_DEVICE] < here.plan->peak_bytes[VDNN_TIER_DEVICE]);
    vdnn_training_case_expect_same_steps(&here, &away, batch, context);
    vdnn_training_case_end(&here);
    vdnn_training_case_end(&away);
}

static void parameters_that_leave_keep_their_bits(void **state)
{
    (void)state;
    same_bits(NULL, 6, 1, VDNN_UPDATES_SEPARATE);
    same_bits(NULL, 6, 1, VDNN_UPDATES_FUSED);
    same_bits(NULL, 6, 3, VDNN_UPDATES_SEPARATE);
}

static void those_of_alexnet_leave(void **state)
{
    (void)state;
    same_bits("models/alexnet.yaml", 2, 1, VDNN_UPDATES_FUSED);
}

static void those_of_vgg16_leave(void **state)
{
    (void)state;
    if (vdnn_test_count(100) < 100)
        skip_because("takes a minute; VDNN_TEST_COUNT_PERCENT=100 runs it");
    same_bits("models/vgg16.yaml", 2, 1, VDNN_UPDATES_FUSED);
}

static void an_evaluation_reads_them_where_the_training_keeps_them(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    vdnn_plan *evaluation;
    shape(&c, NULL, 6, 1);
    vdnn_decisions decisions = decide(&c, true, VDNN_UPDATES_SEPARATE);
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
    assert_ok(vdnn_planner_plan_evaluation(c.graph, c.profile, &decisions, &evaluation));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_checker_check(evaluation, vdnn_tier_unlimited));
    assert_ok(vdnn_checker_check_evaluation(c.plan, evaluation));
    assert_int_equal(evaluation->offload_bytes, 0);
    assert_int_equal(evaluation->prefetch_bytes,
                     c.graph->layers[FC1].param_bytes + c.graph->layers[FC2].param_bytes);
    evaluation->buffers[evaluation->param_buffer[FC1]].offset += VDNN_ALIGNMENT;
    assert_status(vdnn_checker_check_evaluation(c.plan, evaluation), VDNN_INTERNAL);
    vdnn_plan_destroy(evaluation);
    vdnn_training_case_end(&c);
}

static void running_statistics_stay(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    shape(&c, NULL, 6, 1);
    assert_ok(vdnn_decisions_init(&decisions, c.graph));
    decisions.params[NORM1].action = VDNN_OFFLOAD;
    assert_status(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan), VDNN_INTERNAL);
    assert_message("the parameters of norm1 cannot be offloaded: they hold running statistics");
    vdnn_decisions_fini(&decisions);
    c.plan = NULL;
    vdnn_training_case_end(&c);
}

/* ---- broken plans ---------------------------------------------------------------------------- */

static int32_t copy_of(const vdnn_plan *plan, vdnn_step_kind kind, int32_t layer, vdnn_class class,
                       int32_t n)
{
    for (int32_t i = 0; i < plan->step_count; i++) {
        if (plan->steps[i].kind != kind || plan->steps[i].layer != layer)
            continue;
        const vdnn_access *from = vdnn_plan_edit_access(plan, i, VDNN_BIND_SRC);
        if (plan->buffers[from->buffer].class == class && n-- == 0)
            return i;
    }
    fail_msg("no such copy");
    return -1;
}

static vdnn_plan_breaker begin_breaking(void)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, NULL, 6, 1);
    b.c.plan = plan_of(&b.c, true, VDNN_UPDATES_SEPARATE);
    vdnn_plan_breaker_begin(&b);
    return b;
}

static const vdnn_class kept[] = {VDNN_CLASS_WEIGHT, VDNN_CLASS_OPTIMIZER};

/* As one of nothing: of the other layer's block. */
static void an_update_that_is_not_stored_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    for (int k = 0; k < 2; k++) {
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        vdnn_plan_edit_duplicate(broken, copy_of(broken, VDNN_STEP_COPY_OUT, FC1, kept[k], 0));
        vdnn_plan_edit_expect_refused(broken, NULL);
        broken = vdnn_plan_breaker_fresh(&b);
        const int32_t out = copy_of(broken, VDNN_STEP_COPY_OUT, FC1, kept[k], 0),
                      other = copy_of(broken, VDNN_STEP_COPY_OUT, FC2, kept[k], 0);
        vdnn_plan_edit_access(broken, out, VDNN_BIND_DST)->buffer =
            vdnn_plan_edit_access(broken, other, VDNN_BIND_DST)->buffer;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan_breaker_end(&b);
}

/* The content before the update, copied over itself. */
static void what_was_there_before_the_update_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    for (int k = 0; k < 2; k++) {
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        const int32_t out = copy_of(broken, VDNN_STEP_COPY_OUT, FC1, kept[k], 0);
        const int32_t n = kept[k] == VDNN_CLASS_WEIGHT ? 1 : 0; /* that for backward */
        vdnn_access *from = vdnn_plan_edit_access(broken, out, VDNN_BIND_SRC);
        from->writer = copy_of(broken, VDNN_STEP_COPY_IN, FC1, kept[k], n);
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan_breaker_end(&b);
}

static void the_block_of_another_layer_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t in = copy_of(broken, VDNN_STEP_COPY_IN, FC1, VDNN_CLASS_WEIGHT, 0);
    vdnn_plan_edit_access(broken, in, VDNN_BIND_SRC)->buffer = broken->param_buffer[FC2];
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b);
    broken->steps[in].bytes -= 4;
    vdnn_plan_edit_expect_refused(broken, "bytes of parameters of");
    broken = vdnn_plan_breaker_fresh(&b); /* the momentum as a weight */
    vdnn_plan_edit_access(broken, in, VDNN_BIND_SRC)->buffer = broken->state_buffer[FC1];
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

static void a_copy_is_not_kept_between_steps(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t in = copy_of(broken, VDNN_STEP_COPY_IN, FC1, VDNN_CLASS_WEIGHT, 0);
    broken->buffers[vdnn_plan_edit_access(broken, in, VDNN_BIND_DST)->buffer].persistent = true;
    vdnn_plan_edit_expect_refused(broken, "kept between training steps");
    broken = vdnn_plan_breaker_fresh(&b);
    broken->buffers[broken->state_buffer[FC1]].tier =
        VDNN_TIER_DEVICE; /* not with the parameters */
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_that_leave_keep_their_bits),
        cmocka_unit_test(those_of_alexnet_leave),
        cmocka_unit_test(those_of_vgg16_leave),
        cmocka_unit_test(an_evaluation_reads_them_where_the_training_keeps_them),
        cmocka_unit_test(running_statistics_stay),
        cmocka_unit_test(an_update_that_is_not_stored_is_refused),
        cmocka_unit_test(what_was_there_before_the_update_is_refused),
        cmocka_unit_test(the_block_of_another_layer_is_refused),
        cmocka_unit_test(a_copy_is_not_kept_between_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
