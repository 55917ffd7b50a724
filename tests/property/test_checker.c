#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* A fork, a concat, activations in place, a max pool with its argmax, and every kind of step. */
static const char network[] =
    "name: checked\n"
    "input: {channels: 3, height: 16, width: 16}\n"
    "classes: 4\n"
    "batch: 2\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: drop1, type: dropout, p: 0.5}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: pool, type: maxpool, kernel: 2}\n"
    "  - {name: left, type: conv, from: pool, out: 4, kernel: 1}\n"
    "  - {name: right, type: conv, from: pool, out: 4, kernel: 3, pad: 1}\n"
    "  - {name: both, type: concat, from: [left, right, pool]}\n"
    "  - {name: conv3, type: conv, out: 8, kernel: 3}\n"
    "  - {name: relu3, type: relu}\n"
    "  - {name: fc, type: fc, out: 4}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.01, momentum: 0.9, weight_decay: 0, epochs: 1}\n";
enum { CONV1, DROP1, CONV2, RELU2, POOL, LEFT, RIGHT, BOTH, CONV3, RELU3, FC, LOSS };

typedef struct fixture {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_plan *plan;   /* all offloaded, but the concat recomputed, by need: good */
    vdnn_plan *ahead;  /* the same with batches loaded ahead: good */
    vdnn_plan *late;   /* the same with batches loaded late: good */
    vdnn_plan *files;  /* the same, and half of the maps go on to the file tier: good */
    vdnn_plan *broken; /* a copy of it */
} fixture;

static vdnn_status check(const vdnn_plan *plan)
{
    return vdnn_checker_check(plan, vdnn_tier_unlimited);
}

static vdnn_plan *plan_eagerly(const vdnn_graph *graph, const vdnn_profile *profile, vdnn_sync sync,
                               vdnn_loads loads, bool uses_files)
{
    vdnn_decisions decisions;
    vdnn_plan *plan = NULL;
    assert_ok(vdnn_eager_decisions(graph, sync, &decisions));
    decisions.maps[graph->tensors[graph->layers[BOTH].output].map].action = VDNN_RECOMPUTE;
    decisions.loads = loads;
    decisions.load_layer = loads == VDNN_LOADS_LATE ? CONV1 : 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        decisions.maps[m].spills = uses_files ? m % 2 : 0;
    assert_ok(vdnn_planner_plan(graph, profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    return plan;
}

static vdnn_graph *make_graph(void)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_model *model;
    vdnn_graph *graph;
    assert_ok(vdnn_model_parse(network, sizeof network - 1, "checked.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static int set_up(void **state)
{
    static fixture f;
    f.graph = make_graph();
    assert_ok(vdnn_test_profile_of(f.graph, VDNN_TEST_ROWS_FAKE, &f.profile));
    f.plan = plan_eagerly(f.graph, f.profile, VDNN_SYNC_BY_NEED, VDNN_LOADS_OWN, false);
    f.ahead = plan_eagerly(f.graph, f.profile, VDNN_SYNC_BY_NEED, VDNN_LOADS_AHEAD, false);
    f.late = plan_eagerly(f.graph, f.profile, VDNN_SYNC_BY_NEED, VDNN_LOADS_LATE, false);
    f.files = plan_eagerly(f.graph, f.profile, VDNN_SYNC_BY_NEED, VDNN_LOADS_OWN, true);
    f.broken = vdnn_plan_edit_copy(f.plan);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    vdnn_plan_destroy(f->broken);
    vdnn_plan_destroy(f->files);
    vdnn_plan_destroy(f->late);
    vdnn_plan_destroy(f->ahead);
    vdnn_plan_destroy(f->plan);
    vdnn_profile_destroy(f->profile);
    vdnn_graph_destroy(f->graph);
    return 0;
}

static vdnn_plan *copy_of(fixture *f, const vdnn_plan *plan)
{
    vdnn_plan_destroy(f->broken);
    f->broken = vdnn_plan_edit_copy(plan);
    return f->broken;
}

/* A fresh copy of the good plan for the next break. */
static vdnn_plan *fresh(fixture *f)
{
    return copy_of(f, f->plan);
}

static vdnn_plan *fresh_ahead(fixture *f)
{
    return copy_of(f, f->ahead);
}

#define assert_refused(plan, part)                                                                 \
    do {                                                                                           \
        assert_status(check(plan), VDNN_INTERNAL);                                                 \
        assert_message(part);                                                                      \
    } while (0)

static int32_t kind_of(const vdnn_plan *plan, vdnn_step_kind kind, int32_t n)
{
    const int32_t step = vdnn_plan_edit_find(plan, kind, -1, n);
    assert_true(step >= 0);
    return step;
}

static vdnn_access *access_of(const vdnn_plan *plan, int32_t step, vdnn_bind bind)
{
    vdnn_access *access = vdnn_plan_edit_access(plan, step, bind);
    assert_non_null(access);
    return access;
}

static vdnn_buffer *buffer_of(const vdnn_plan *plan, int32_t step, vdnn_bind bind)
{
    return &plan->buffers[access_of(plan, step, bind)->buffer];
}

static bool uses_files(vdnn_step_kind kind)
{
    return kind == VDNN_STEP_SPILL || kind == VDNN_STEP_FILL;
}

static void the_good_plan_passes(void **state)
{
    fixture *f = *state;
    assert_ok(vdnn_checker_check(f->plan, f->plan->span_bytes));
    assert_ok(vdnn_checker_check(f->ahead, f->ahead->span_bytes));
    assert_ok(check(f->broken));
    assert_true(vdnn_plan_edit_is_ordered(f->plan));
    assert_true(vdnn_plan_edit_is_ordered(f->ahead));
    assert_ok(vdnn_checker_check(f->late, f->late->span_bytes));
    assert_true(vdnn_plan_edit_is_ordered(f->late));
    assert_ok(vdnn_checker_check(f->files, f->files->span_bytes));
    assert_true(vdnn_plan_edit_is_ordered(f->files));
    for (vdnn_step_kind kind = VDNN_STEP_JOIN; kind <= VDNN_STEP_STORE; kind++) {
        const vdnn_plan *plan = kind == VDNN_STEP_TAKE ? f->ahead : f->plan;
        if (kind != VDNN_STEP_NORM &&   /* of plans that clip */
            kind != VDNN_STEP_REDUCE && /* test_device_plans.c, like the next */
            kind != VDNN_STEP_GATHER && kind != VDNN_STEP_AVERAGE) /* test_micro_batches.c */
            (void)kind_of(uses_files(kind) ? f->files : plan, kind, 0);
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Removes each wait of one kind of step for another, one at a time; counts the refusals that say
 * `part`. */
static int refusals_without(fixture *f, const vdnn_plan *plan, vdnn_step_kind waiter,
                            vdnn_step_kind awaited, const char *part)
{
    int refusals = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        for (int32_t k = 0; k < plan->steps[i].wait_count; k++) {
            const int32_t wait = plan->waits[plan->steps[i].first_wait + k];
            if (plan->steps[i].kind != waiter || plan->steps[wait].kind != awaited)
                continue;
            vdnn_plan *broken = copy_of(f, plan);
            vdnn_plan_edit_remove_wait(broken, i, k);
            if (check(broken) == VDNN_INTERNAL && strstr(vdnn_status_message(), part) != NULL)
                refusals++;
        }
    return refusals;
}

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
    fixture *f = *state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const vdnn_plan *plan =
            uses_files(rows[r].waiter) || uses_files(rows[r].awaited) ? f->files : f->plan;
        const int refusals =
            refusals_without(f, plan, rows[r].waiter, rows[r].awaited, rows[r].part);
        if (refusals == 0)
            print_error("%s without its wait for %s: never refused\n",
                        vdnn_step_kind_text(rows[r].waiter), vdnn_step_kind_text(rows[r].awaited));
        assert_true(refusals > 0);
    }
}

static void a_copy_in_that_does_not_wait_for_its_copy_out_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t in = kind_of(broken, VDNN_STEP_COPY_IN, 0);
    int32_t waits = 0;
    /* The compute stream is ordered after the copy out by its own waits only: drop them all. */
    for (int32_t i = 0; i <= in; i++) {
        while (broken->steps[i].kind != VDNN_STEP_JOIN && broken->steps[i].wait_count > waits &&
               broken->steps[broken->waits[broken->steps[i].first_wait + waits]].stream ==
                   VDNN_STREAM_OUT)
            vdnn_plan_edit_remove_wait(broken, i, waits);
    }
    assert_status(check(broken), VDNN_INTERNAL);
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
    vdnn_plan *held = fresh(*state);
    const int32_t in = kind_of(held, VDNN_STEP_COPY_IN, 0), join = first_reader(held, in);
    vdnn_plan_edit_duplicate(held, join);
    vdnn_plan_edit_mute(held, join);
    for (int32_t k = held->steps[join].wait_count - 1; k >= 0; k--)
        if (held->waits[held->steps[join].first_wait + k] == in)
            vdnn_plan_edit_remove_wait(held, join, k);
    vdnn_plan_edit_move(held, in, join);
    vdnn_plan_edit_refresh(held);
    if (check(held) != VDNN_OK)
        assert_message("the plan claims"); /* another peak */
}

static void a_wait_for_a_later_step_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t out = kind_of(broken, VDNN_STEP_COPY_OUT, 0);
    vdnn_plan_edit_redirect_wait(broken, out, out + 1);
    assert_refused(broken, "no earlier one");
    vdnn_plan_edit_redirect_wait(broken, out, out);
    assert_refused(broken, "no earlier one");
    vdnn_plan_edit_redirect_wait(broken, out, -1);
    assert_refused(broken, "no earlier one");
}

static void a_wait_on_the_own_stream_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t early = kind_of(broken, VDNN_STEP_COPY_OUT, 0),
                  late = kind_of(broken, VDNN_STEP_COPY_OUT, 1);
    vdnn_plan_edit_redirect_wait(broken, late, early);
    assert_refused(broken, "one of its own stream");
}

static void an_end_that_does_not_join_a_stream_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    broken->steps[broken->step_count - 1].wait_count = 0;
    assert_refused(broken, "end does not join this step");
    assert_message("the next training step may begin while it still runs");
}

static void a_plan_that_ends_with_another_step_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    broken->step_count--;
    assert_status(check(broken), VDNN_INTERNAL);
    broken->step_count = 1;
    assert_refused(broken, "at least begin and end");
}

/* ---- recomputes ------------------------------------------------------------------------------ */

static void a_recompute_of_other_values_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    vdnn_access *x = access_of(broken, kind_of(broken, VDNN_STEP_RECOMPUTE, 0), VDNN_BIND_X);
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
    vdnn_plan *broken = fresh(*state);
    broken->steps[kind_of(broken, VDNN_STEP_RECOMPUTE, 0)].layer = CONV3;
    assert_status(check(broken), VDNN_INTERNAL);
}

/* The output of forward is gone: its memory is freed before backward. */
static void a_recompute_that_is_missing_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    vdnn_plan_edit_mute(broken, kind_of(broken, VDNN_STEP_RECOMPUTE, 0));
    assert_refused(broken, "does not write the buffer");
}

static void a_read_of_what_forward_made_after_it_was_given_back_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t again = kind_of(broken, VDNN_STEP_RECOMPUTE, 0),
                  first = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, BOTH, 0),
                  filter = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, CONV3, 0);
    vdnn_access *x = access_of(broken, filter, VDNN_BIND_X);
    assert_int_equal(x->writer, again);
    assert_int_not_equal(x->buffer, access_of(broken, first, VDNN_BIND_Y)->buffer);
    x->buffer = access_of(broken, first, VDNN_BIND_Y)->buffer;
    x->writer = first;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "alive at the same time");
}

static void a_recompute_of_what_does_not_wait_for_its_copy_in_is_refused(void **state)
{
    fixture *f = *state;
    assert_true(refusals_without(f, f->plan, VDNN_STEP_RECOMPUTE, VDNN_STEP_COPY_IN,
                                 "a read does not wait for the write that it means") > 0);
}

/* A convolution is recomputed before its weights are updated, never after. */
static void a_recompute_with_updated_weights_is_refused(void **state)
{
    fixture *f = *state;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.maps[f->graph->tensors[f->graph->layers[CONV1].output].map].action = VDNN_RECOMPUTE;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    assert_ok(check(plan));
    const int32_t again = vdnn_plan_edit_find(plan, VDNN_STEP_RECOMPUTE, CONV1, 0);
    assert_true(again > vdnn_plan_edit_find_run(plan, VDNN_FORWARD, LOSS, 0));
    assert_true(again < vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_FILTER, CONV2, 0));
    assert_true(vdnn_plan_edit_find(plan, VDNN_STEP_RECOMPUTE, DROP1, 0) > again);
    const int32_t update = vdnn_plan_edit_find(plan, VDNN_STEP_UPDATE, CONV3, 0);
    assert_true(update < again);
    access_of(plan, again, VDNN_BIND_W)->buffer = plan->param_buffer[CONV3];
    access_of(plan, again, VDNN_BIND_W)->writer = update;
    vdnn_plan_edit_refresh(plan);
    assert_status(check(plan), VDNN_INTERNAL);
    vdnn_plan_destroy(plan);
}

static void a_recompute_by_another_algorithm_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t again = kind_of(broken, VDNN_STEP_RECOMPUTE, 0);
    vdnn_algorithm other = *broken->steps[again].algorithm;
    broken->steps[again].algorithm = &other;
    assert_refused(broken, "a recompute uses algorithm");
}

static void a_recompute_that_may_give_other_bits_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t again = kind_of(broken, VDNN_STEP_RECOMPUTE, 0),
                  first =
                      vdnn_plan_edit_find_run(broken, VDNN_FORWARD, broken->steps[again].layer, 0);
    vdnn_algorithm atomic = *broken->steps[again].algorithm;
    atomic.deterministic = false;
    broken->steps[again].algorithm = broken->steps[first].algorithm = &atomic;
    assert_refused(broken, "which is not deterministic");
}

static void an_algorithm_of_another_device_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    vdnn_algorithm cpu = {.layer_type = "conv", .name = "one", .device = "cpu", .passes = ~0U};
    vdnn_algorithm cuda = {.layer_type = "conv", .name = "two", .device = "cuda", .passes = ~0U};
    const int32_t conv1 = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV1, 0),
                  conv2 = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    cpu.deterministic = cuda.deterministic = true;
    for (int32_t i = 0; i < broken->step_count; i++)
        if (broken->steps[i].kind == VDNN_STEP_RECOMPUTE)
            vdnn_plan_edit_mute(broken, i); /* they would need the same algorithm */
    broken->steps[conv1].algorithm = &cpu;
    broken->steps[conv2].algorithm = &cuda;
    assert_refused(broken, "an algorithm of cuda in a plan for cpu");
}

static void a_workspace_that_is_too_small_is_refused(void **state)
{
    const fixture *f = *state;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.choice[CONV1][VDNN_FORWARD] =
        f->profile->layers[CONV1].choice_count[VDNN_FORWARD] - 1;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    assert_ok(check(plan));
    const int32_t run = vdnn_plan_edit_find_run(plan, VDNN_FORWARD, CONV1, 0);
    vdnn_buffer *workspace = buffer_of(plan, run, VDNN_BIND_WORKSPACE);
    assert_int_equal(workspace->bytes, plan->steps[run].workspace_bytes);
    access_of(plan, run, VDNN_BIND_WORKSPACE)->bytes--;
    assert_refused(plan, "bytes of workspace, and is lent");
    vdnn_plan_edit_resize(plan, (int32_t)(workspace - plan->buffers), workspace->bytes - 1);
    assert_refused(plan, "bytes of workspace, and is lent");
    vdnn_plan_destroy(plan);
}

/* Room behind the parameters, from the next aligned byte on; and whoever changes the weight has to
 * write its copy too, which no kernel that updates does. */
static void a_weight_without_room_for_the_copy_that_is_kept_is_refused(void **state)
{
    const fixture *f = *state;
    vdnn_layer *conv = &f->graph->layers[CONV1];
    vdnn_decisions decisions;
    vdnn_plan *plan, *evaluation;
    conv->copy_bytes = conv->params[0].bytes / 2;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.copies = VDNN_WEIGHTS_KEPT;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    assert_ok(vdnn_planner_plan_evaluation(f->graph, f->profile, plan, &evaluation));
    vdnn_decisions_fini(&decisions);
    assert_ok(check(plan));
    assert_ok(check(evaluation));
    assert_ok(vdnn_checker_check_evaluation(plan, evaluation));
    evaluation->copies = VDNN_WEIGHTS_CONVERTED;
    assert_status(vdnn_checker_check_evaluation(plan, evaluation), VDNN_INTERNAL);
    assert_message("do not keep the same copies of weights");
    vdnn_buffer *weight = &plan->buffers[plan->param_buffer[CONV1]];
    assert_true(weight->bytes >= conv->param_bytes + conv->copy_bytes);
    assert_int_equal(plan->buffers[plan->param_buffer[CONV2]].bytes,
                     f->graph->layers[CONV2].param_bytes);
    vdnn_plan_edit_resize(plan, plan->param_buffer[CONV1], weight->bytes - 1);
    assert_refused(plan, "bytes of w from 0 on, and takes");
    conv->copy_bytes = 0;
    vdnn_plan_destroy(evaluation);
    vdnn_plan_destroy(plan);
}

static void a_store_of_the_wrong_size_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    broken->steps[kind_of(broken, VDNN_STEP_STORE, 0)].bytes -= sizeof(float);
    assert_refused(broken, "a store of 4 bytes of a result of 8");
}

/* Parameters elsewhere, or a map over momenta: the evaluation would compute with other weights, or
 * spoil the training. */
static void an_evaluation_that_disagrees_with_its_training_is_refused(void **state)
{
    const fixture *f = *state;
    vdnn_plan *evaluation;
    assert_ok(vdnn_planner_plan_evaluation(f->graph, f->profile, f->plan, &evaluation));
    assert_ok(vdnn_checker_check_evaluation(f->plan, evaluation));
    vdnn_buffer *weight = &evaluation->buffers[evaluation->param_buffer[CONV1]];
    const size_t offset = weight->offset;
    weight->offset += VDNN_ALIGNMENT;
    assert_status(vdnn_checker_check_evaluation(f->plan, evaluation), VDNN_INTERNAL);
    assert_message("keeps the parameters of layer conv1 elsewhere");
    weight->offset = offset;
    vdnn_buffer *input =
        &evaluation->buffers[vdnn_plan_edit_find_buffer(evaluation, VDNN_CLASS_INPUT)];
    input->offset = f->plan->buffers[f->plan->state_buffer[FC]].offset;
    assert_status(vdnn_checker_check_evaluation(f->plan, evaluation), VDNN_INTERNAL);
    assert_message("bytes of what the training keeps (fc");
    assert_status(vdnn_checker_check_evaluation(f->plan, f->plan), VDNN_INTERNAL);
    vdnn_plan_destroy(evaluation);
}

/* ---- reads ----------------------------------------------------------------------------------- */

static void a_read_of_the_wrong_writer_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    access_of(broken, run, VDNN_BIND_X)->writer =
        vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV1, 0);
    assert_refused(broken, "a later write replaced it");
    assert_message("run forward drop1");
    access_of(broken, run, VDNN_BIND_X)->writer = 0;
    assert_refused(broken, "does not write the buffer");
    access_of(broken, run, VDNN_BIND_X)->writer = -1;
    assert_refused(broken, "what was there before the training step");
    access_of(broken, run, VDNN_BIND_X)->writer = broken->step_count;
    assert_refused(broken, "a read names step");
    access_of(broken, run, VDNN_BIND_X)->writer = -2;
    assert_refused(broken, "a read names step");
}

static void a_read_of_what_was_never_written_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t in = kind_of(broken, VDNN_STEP_COPY_IN, 0);
    const int32_t host = access_of(broken, in, VDNN_BIND_SRC)->buffer;
    for (int32_t i = 0; i < broken->step_count; i++)
        for (int32_t k = 0; k < broken->steps[i].access_count; k++) {
            vdnn_access *access = &broken->accesses[broken->steps[i].first_access + k];
            if (broken->steps[i].kind == VDNN_STEP_COPY_OUT && access->buffer == host)
                access->buffer =
                    buffer_of(broken, in, VDNN_BIND_SRC)->bytes > 0
                        ? access_of(broken, kind_of(broken, VDNN_STEP_COPY_IN, 1), VDNN_BIND_SRC)
                              ->buffer
                        : host;
        }
    access_of(broken, in, VDNN_BIND_SRC)->writer = -1;
    vdnn_plan_edit_refresh(broken);
    assert_status(check(broken), VDNN_INTERNAL);
}

static void weights_that_are_read_after_their_update_are_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, CONV3, 0);
    const int32_t data = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_DATA, CONV3, 0);
    assert_true(data >= 0 && data < update);
    vdnn_step swapped = broken->steps[data];
    broken->steps[data] = broken->steps[update];
    broken->steps[update] = swapped;
    vdnn_plan_edit_refresh(broken);
    assert_status(check(broken), VDNN_INTERNAL);
}

static void a_second_write_of_the_same_buffer_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t in = kind_of(broken, VDNN_STEP_COPY_IN, 0),
                  next = kind_of(broken, VDNN_STEP_COPY_IN, 1);
    access_of(broken, next, VDNN_BIND_DST)->buffer = access_of(broken, in, VDNN_BIND_DST)->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_status(check(broken), VDNN_INTERNAL);
}

static void another_value_than_the_network_means_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t left = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, LEFT, 0),
                  both = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, BOTH, 0);
    vdnn_access *first = access_of(broken, both, VDNN_BIND_X);
    const vdnn_access kept = *first;
    first[0].buffer = first[1].buffer;
    first[0].writer = first[1].writer;
    first[1].buffer = kept.buffer;
    first[1].writer = kept.writer;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a step reads another value than left");
    assert_true(kept.writer == left);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void what_is_filled_from_another_maps_file_is_refused(void **state)
{
    fixture *f = *state;
    vdnn_plan *broken = copy_of(f, f->files);
    vdnn_access *first = access_of(broken, kind_of(broken, VDNN_STEP_FILL, 0), VDNN_BIND_SRC),
                *second = access_of(broken, kind_of(broken, VDNN_STEP_FILL, 1), VDNN_BIND_SRC);
    const vdnn_access kept = *first;
    *first = *second;
    *second = kept;
    vdnn_plan_edit_refresh(broken);
    assert_status(check(broken), VDNN_INTERNAL);
}

static void what_was_never_spilled_cannot_be_filled(void **state)
{
    fixture *f = *state;
    vdnn_plan *broken = copy_of(f, f->files);
    access_of(broken, kind_of(broken, VDNN_STEP_FILL, 0), VDNN_BIND_SRC)->writer = -1;
    assert_status(check(broken), VDNN_INTERNAL);
    broken = copy_of(f, f->files);
    buffer_of(broken, kind_of(broken, VDNN_STEP_SPILL, 0), VDNN_BIND_DST)->tier = VDNN_TIER_HOST;
    assert_status(check(broken), VDNN_INTERNAL);
}

static void a_place_in_the_file_that_is_not_whole_blocks_is_refused(void **state)
{
    fixture *f = *state;
    vdnn_plan *broken = copy_of(f, f->files);
    buffer_of(broken, kind_of(broken, VDNN_STEP_SPILL, 0), VDNN_BIND_DST)->offset += VDNN_ALIGNMENT;
    assert_refused(broken, "no multiple of 4096");
}

static void bytes_of_files_that_are_not_true_are_refused(void **state)
{
    fixture *f = *state;
    vdnn_plan *broken = copy_of(f, f->files);
    broken->spill_bytes += 4;
    assert_refused(broken, "bytes of kind spill");
    broken = copy_of(f, f->files);
    broken->peak_bytes[VDNN_TIER_FILE] -= 4;
    assert_refused(broken, "as the peak of the file");
    broken = copy_of(f, f->files);
    broken->span_bytes[VDNN_TIER_FILE] += VDNN_ALIGNMENT;
    assert_refused(broken, "the plan claims a file span");
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void two_live_buffers_on_the_same_bytes_are_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    buffer_of(broken, run, VDNN_BIND_Y)->offset = buffer_of(broken, run, VDNN_BIND_X)->offset;
    assert_refused(broken, "alive at the same time");
    assert_message("shares bytes");
}

static void two_buffers_that_share_one_byte_are_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    vdnn_buffer *x = buffer_of(broken, run, VDNN_BIND_X), *y = buffer_of(broken, run, VDNN_BIND_Y);
    broken->span_bytes[VDNN_TIER_DEVICE] += 1U << 20;
    y->offset = broken->span_bytes[VDNN_TIER_DEVICE] - y->bytes;
    y->offset -= y->offset % VDNN_ALIGNMENT;
    broken->span_bytes[VDNN_TIER_DEVICE] = y->offset + y->bytes;
    x->offset = y->offset - (x->bytes - x->bytes % VDNN_ALIGNMENT);
    assert_ok(check(broken));
    const size_t over = 1 + (VDNN_ALIGNMENT - x->bytes % VDNN_ALIGNMENT) % VDNN_ALIGNMENT;
    vdnn_plan_edit_resize(broken, (int32_t)(x - broken->buffers), x->bytes + over);
    assert_refused(broken, "alive at the same time");
}

static void a_buffer_over_weights_is_refused_whenever_it_lives(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, FC, 0);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    buffer_of(broken, run, VDNN_BIND_Y)->offset =
        buffer_of(broken, update, VDNN_BIND_STATE)->offset;
    assert_refused(broken, "kept for ever");
}

static void a_buffer_given_back_too_early_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t out = kind_of(broken, VDNN_STEP_COPY_OUT, 0);
    buffer_of(broken, out, VDNN_BIND_SRC)->last_step--;
    assert_refused(broken, "its accesses from");
    broken = fresh(*state);
    buffer_of(broken, out, VDNN_BIND_SRC)->first_step++;
    assert_refused(broken, "its accesses from");
}

static void an_offset_beyond_the_span_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    vdnn_buffer *buffer = buffer_of(broken, kind_of(broken, VDNN_STEP_COPY_OUT, 0), VDNN_BIND_SRC);
    buffer->offset = broken->span_bytes[VDNN_TIER_DEVICE] -
                     broken->span_bytes[VDNN_TIER_DEVICE] % VDNN_ALIGNMENT;
    assert_refused(broken, "beyond the device span");
    buffer->offset = SIZE_MAX - SIZE_MAX % VDNN_ALIGNMENT;
    assert_refused(broken, "beyond the device span");
    broken = fresh(*state);
    buffer = buffer_of(broken, kind_of(broken, VDNN_STEP_COPY_OUT, 0), VDNN_BIND_DST);
    buffer->offset += broken->span_bytes[VDNN_TIER_HOST] + VDNN_ALIGNMENT -
                      broken->span_bytes[VDNN_TIER_HOST] % VDNN_ALIGNMENT;
    assert_refused(broken, "beyond the host span");
}

static void an_offset_that_is_not_aligned_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    vdnn_buffer *buffer = buffer_of(broken, kind_of(broken, VDNN_STEP_COPY_OUT, 0), VDNN_BIND_SRC);
    buffer->offset += VDNN_ALIGNMENT / 2;
    assert_refused(broken, "no multiple of 256");
}

static void a_span_that_is_overstated_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    broken->span_bytes[VDNN_TIER_DEVICE] += VDNN_ALIGNMENT;
    assert_refused(broken, "the plan claims a device span");
    broken = fresh(*state);
    broken->span_bytes[VDNN_TIER_HOST] += VDNN_ALIGNMENT;
    assert_refused(broken, "the plan claims a host span");
}

static void one_byte_less_than_the_span_does_not_fit(void **state)
{
    fixture *f = *state;
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
    fixture *f = *state;
    vdnn_plan *broken = fresh(f);
    broken->peak_bytes[VDNN_TIER_DEVICE] -= 4;
    assert_refused(broken, "as the peak of the device");
    broken = fresh(f);
    broken->peak_bytes[VDNN_TIER_HOST] += 4;
    assert_refused(broken, "as the peak of the host");
    broken = fresh(f);
    broken->by_category[VDNN_CATEGORY_workspace] += 4;
    assert_refused(broken, "bytes as workspace");
    broken = fresh(f);
    broken->by_category_at_peak[VDNN_CATEGORY_weights] = 0;
    assert_refused(broken, "bytes as weights");
    broken = fresh(f);
    broken->peak_step++;
    assert_refused(broken, "claims its peak at step");
    broken = fresh(f);
    broken->offload_bytes++;
    assert_refused(broken, "the plan claims");
}

/* ---- what steps do --------------------------------------------------------------------------- */

static void a_copy_of_the_wrong_bytes_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t in = kind_of(broken, VDNN_STEP_COPY_IN, 0);
    broken->steps[in].bytes -= 4;
    assert_refused(broken, "a copy moves");
    broken->steps[in].bytes += 8;
    assert_refused(broken, "a step moves");
}

static void a_copy_in_of_another_map_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t a = kind_of(broken, VDNN_STEP_COPY_IN, 0),
                  b = kind_of(broken, VDNN_STEP_COPY_IN, 1);
    const vdnn_access kept = *access_of(broken, a, VDNN_BIND_SRC);
    *access_of(broken, a, VDNN_BIND_SRC) = *access_of(broken, b, VDNN_BIND_SRC);
    *access_of(broken, b, VDNN_BIND_SRC) = kept;
    vdnn_plan_edit_refresh(broken);
    assert_status(check(broken), VDNN_INTERNAL);
}

static void an_update_that_is_missing_or_done_twice_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, CONV2, 0);
    vdnn_plan_edit_mute(broken, update);
    assert_refused(broken, "layer conv2 is updated 0 times instead of 1");
    broken = fresh(*state);
    vdnn_plan_edit_duplicate(broken, update);
    assert_refused(broken, "what was there before the training step");
}

static void a_pass_that_is_missing_or_done_twice_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t filter = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, CONV2, 0);
    vdnn_plan_edit_duplicate(broken, filter);
    assert_refused(broken, "backward_filter of layer conv2 runs 2 times instead of 1");
    broken = fresh(*state);
    vdnn_plan_edit_mute(broken, vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, CONV2, 0));
    vdnn_plan_edit_mute(broken, filter);
    assert_refused(broken, "backward_filter of layer conv2 runs 0 times instead of 1");
    broken = fresh(*state);
    vdnn_plan_edit_mute(broken, filter);
    assert_refused(broken, "does not write the buffer");
}

static void a_result_that_is_not_stored_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t store = kind_of(broken, VDNN_STEP_STORE, 0);
    vdnn_plan_edit_duplicate(broken, store);
    assert_refused(broken, "is stored 2 times");
}

static void an_update_of_a_layer_without_parameters_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    broken->steps[vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, CONV2, 0)].layer = RELU2;
    assert_refused(broken, "a step reads another value than the layer's parameters");
}

static void a_gradient_without_all_its_parts_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t sum = kind_of(broken, VDNN_STEP_ACCUMULATE, 1);
    const int32_t before = access_of(broken, sum, VDNN_BIND_DST)->writer;
    for (int32_t i = 0; i < broken->access_count; i++)
        if (broken->accesses[i].writer == sum)
            broken->accesses[i].writer = before;
    vdnn_plan_edit_mute(broken, sum);
    assert_refused(broken, "a gradient is read with 2 of its 3 parts");
}

static void a_gradient_summed_in_another_order_is_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t first = kind_of(broken, VDNN_STEP_ACCUMULATE, 0),
                  second = kind_of(broken, VDNN_STEP_ACCUMULATE, 1);
    vdnn_access *a = access_of(broken, first, VDNN_BIND_DST),
                *part = access_of(broken, first, VDNN_BIND_SRC);
    assert_int_equal(access_of(broken, second, VDNN_BIND_DST)->writer, first);
    const vdnn_access kept = *a;
    a->buffer = part->buffer;
    a->writer = part->writer;
    part->buffer = kept.buffer;
    part->writer = kept.writer;
    access_of(broken, second, VDNN_BIND_DST)->buffer = a->buffer;
    for (int32_t i = 0; i < broken->access_count; i++)
        if (broken->accesses[i].writer == second)
            broken->accesses[i].buffer = a->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_status(check(broken), VDNN_INTERNAL);
}

static void steps_of_the_wrong_form_are_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t out = kind_of(broken, VDNN_STEP_COPY_OUT, 0);
    broken->steps[out].stream = VDNN_STREAM_IN;
    assert_refused(broken, "a step is on stream");
    broken = fresh(*state);
    broken->steps[out].kind = (vdnn_step_kind)99;
    assert_refused(broken, "unknown kind of step");
    assert_message("(unknown");
    broken = fresh(*state);
    broken->steps[out].kind = (vdnn_step_kind)VDNN_STEP_KIND_COUNT;
    assert_refused(broken, "unknown kind of step");
    broken = fresh(*state);
    broken->steps[out].layer = broken->graph->layer_count;
    assert_refused(broken, "a step has layer");
    broken = fresh(*state);
    broken->steps[kind_of(broken, VDNN_STEP_RUN, 0)].algorithm = NULL;
    assert_refused(broken, "a run has an algorithm");
    broken = fresh(*state);
    broken->steps[out].first_access = broken->access_count;
    assert_refused(broken, "beyond the list");
    broken = fresh(*state);
    broken->steps[out].wait_count = broken->wait_count + 1;
    assert_refused(broken, "beyond the list");
    broken = fresh(*state);
    broken->steps[out].first_access++;
    assert_status(check(broken), VDNN_INTERNAL);
}

static void accesses_of_the_wrong_form_are_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t out = kind_of(broken, VDNN_STEP_COPY_OUT, 0);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    access_of(broken, out, VDNN_BIND_SRC)->buffer = broken->buffer_count;
    assert_refused(broken, "an access of buffer");
    broken = fresh(*state);
    access_of(broken, out, VDNN_BIND_SRC)->mode = VDNN_HOLD;
    assert_refused(broken, "an access has bind");
    broken = fresh(*state);
    access_of(broken, out, VDNN_BIND_SRC)->mode = VDNN_READ | VDNN_WRITE;
    assert_refused(broken, "that it needs exactly once");
    broken = fresh(*state);
    access_of(broken, run, VDNN_BIND_W)->buffer = access_of(broken, run, VDNN_BIND_X)->buffer;
    assert_refused(broken, "wrong class or tier");
    broken = fresh(*state);
    access_of(broken, run, VDNN_BIND_X)->slot = 1;
    assert_refused(broken, "an access that its pass does not take");
    broken = fresh(*state);
    access_of(broken, run, VDNN_BIND_Y)->buffer = access_of(broken, run, VDNN_BIND_X)->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "one buffer as x and as y");
    broken = fresh(*state);
    access_of(broken, vdnn_plan_edit_find_run(broken, VDNN_FORWARD, DROP1, 0), VDNN_BIND_Y)
        ->buffer = access_of(broken, run, VDNN_BIND_Y)->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a layer that works in place got two buffers");
}

/* A plan whose backward filters update the parameters themselves. */
static vdnn_plan *plan_fused(const fixture *f)
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
    fixture *f = *state;
    vdnn_plan *plan = plan_fused(f);
    assert_ok(check(plan));
    assert_int_equal(vdnn_plan_edit_find(plan, VDNN_STEP_UPDATE, -1, 0), -1);
    assert_int_equal(plan->by_category[VDNN_CATEGORY_weight_gradients], 0);
    const int32_t run = vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_FILTER, CONV2, 0);

    access_of(plan, run, VDNN_BIND_W)->mode = VDNN_READ;
    assert_refused(plan, "an access that its pass does not take");
    access_of(plan, run, VDNN_BIND_W)->mode = VDNN_READ | VDNN_WRITE;
    assert_ok(check(plan));

    const int32_t momentum = access_of(plan, run, VDNN_BIND_STATE)->buffer;
    access_of(plan, run, VDNN_BIND_STATE)->buffer = plan->state_buffer[CONV1];
    vdnn_plan_edit_refresh(plan);
    assert_status(check(plan), VDNN_INTERNAL);
    access_of(plan, run, VDNN_BIND_STATE)->buffer = momentum;
    vdnn_plan_edit_refresh(plan);
    assert_ok(check(plan));

    plan->steps[run].algorithm = vdnn_algorithm_find("conv", "direct", "cpu");
    assert_refused(plan, "cannot update parameters");
    vdnn_plan_destroy(plan);
}

/* Of an optimizer with two. */
static void the_state_of_a_layer_holds_all_slots(void **state)
{
    fixture *f = *state;
    vdnn_plan *plan = NULL;
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    vdnn_training_choose(&f->graph->training, vdnn_optimizer_find("adamw"));
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    assert_ok(check(plan));
    vdnn_buffer *slots = &plan->buffers[plan->state_buffer[CONV2]];
    assert_true(slots->bytes >= 2 * f->graph->layers[CONV2].trainable_bytes);
    vdnn_plan_edit_resize(plan, plan->state_buffer[CONV2], slots->bytes - sizeof(float));
    vdnn_plan_edit_refresh(plan);
    assert_refused(plan, "the optimizer keeps");
    vdnn_training_choose(&f->graph->training, vdnn_optimizer_find("sgd"));
    vdnn_plan_destroy(plan);
    vdnn_decisions_fini(&decisions);
}

static vdnn_plan *plan_clipped(fixture *f)
{
    vdnn_decisions decisions;
    vdnn_plan *plan = NULL;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.updates = VDNN_UPDATES_FUSED;
    f->graph->training.clip_norm = 1;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    return plan;
}

/* Every update waits for the squares of every gradient. */
static void a_norm_is_of_every_gradient_once(void **state)
{
    static void (*const edits[])(vdnn_plan *, int32_t) = {vdnn_plan_edit_mute,
                                                          vdnn_plan_edit_duplicate};
    fixture *f = *state;
    vdnn_plan *plan = plan_clipped(f);
    const int32_t first = kind_of(plan, VDNN_STEP_NORM, 0),
                  second = kind_of(plan, VDNN_STEP_NORM, 1);
    assert_ok(check(plan));
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++)
        for (int n = 0; n < 2; n++) {
            vdnn_plan *broken = copy_of(f, plan);
            edits[e](broken, n == 0 ? first : second);
            vdnn_plan_edit_refresh(broken);
            assert_status(check(broken), VDNN_INTERNAL);
        }
    vdnn_plan *broken = copy_of(f, plan);
    buffer_of(broken, first, VDNN_BIND_DST)->bytes = sizeof(double);
    assert_refused(broken, "a norm takes");
    broken = copy_of(f, plan);
    access_of(broken, kind_of(broken, VDNN_STEP_UPDATE, 0), VDNN_BIND_SRC)->writer = first;
    assert_status(check(broken), VDNN_INTERNAL);
    broken = copy_of(f, plan);
    broken->steps[first].layer = broken->steps[second].layer;
    assert_status(check(broken), VDNN_INTERNAL);
    f->graph->training.clip_norm = 0;
    vdnn_plan_destroy(plan);
}

/* A plan of the same network without clipping. */
static void an_update_without_the_norm_is_refused(void **state)
{
    fixture *f = *state;
    vdnn_plan *fused = plan_fused(f);
    f->graph->training.clip_norm = 1;
    assert_refused(f->plan, "");
    assert_refused(fused, "not clipped");
    f->graph->training.clip_norm = 0;
    assert_ok(check(f->plan));
    vdnn_plan_destroy(fused);
}

/* ---- batches loaded ahead -------------------------------------------------------------------- */

/* Of the labels, the images; of the takes, the loads. */
enum { LABELS, IMAGES, PARTS };

static int32_t take_of(const vdnn_plan *plan, int part)
{
    return kind_of(plan, VDNN_STEP_TAKE, part);
}

static int32_t load_of(const vdnn_plan *plan, int part)
{
    return kind_of(plan, VDNN_STEP_LOAD, part);
}

static void a_batch_that_is_not_taken_is_refused(void **state)
{
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        vdnn_plan_edit_mute(broken, take_of(broken, part));
        assert_refused(broken, "a read names a writer that does not write the buffer");
        broken = fresh_ahead(*state);
        vdnn_plan_edit_duplicate(broken, take_of(broken, part));
        assert_status(check(broken), VDNN_INTERNAL);
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
        access_of(broken, load, VDNN_BIND_SRC)->writer = take;
        assert_status(check(broken), VDNN_INTERNAL);
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
        broken = fresh(*state);
        vdnn_plan_edit_duplicate(broken, load_of(broken, part));
        assert_status(check(broken), VDNN_INTERNAL);
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
        assert_status(check(broken), VDNN_INTERNAL);
        assert_message("loaded 0 times instead of once");
    }
}

static void a_take_or_a_load_of_another_buffer_is_refused(void **state)
{
    const fixture *f = *state;
    const int32_t places[PARTS] = {vdnn_plan_edit_find_buffer(f->ahead, VDNN_CLASS_LABELS),
                                   vdnn_plan_edit_find_buffer(f->ahead, VDNN_CLASS_INPUT)},
                  aheads[PARTS] = {f->ahead->ahead[1], f->ahead->ahead[0]};
    for (int part = 0; part < PARTS; part++) {
        vdnn_plan *broken = fresh_ahead(*state);
        access_of(broken, take_of(broken, part), VDNN_BIND_SRC)->buffer = aheads[!part];
        vdnn_plan_edit_refresh(broken);
        assert_status(check(broken), VDNN_INTERNAL);

        broken = fresh_ahead(*state); /* right where it is read */
        access_of(broken, load_of(broken, part), VDNN_BIND_DST)->buffer = places[part];
        vdnn_plan_edit_refresh(broken);
        assert_status(check(broken), VDNN_INTERNAL);

        broken = fresh_ahead(*state);
        broken->steps[take_of(broken, part)].bytes -= sizeof(int32_t);
        assert_refused(broken, "a take of ");
    }
    vdnn_plan *broken = fresh_ahead(*state); /* weights are there before the step too */
    vdnn_access *taken = access_of(broken, take_of(broken, LABELS), VDNN_BIND_SRC);
    taken->buffer = broken->param_buffer[FC];
    taken->bytes = broken->buffers[taken->buffer].bytes;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "not from where they were loaded");
}

/* A kernel that reads it where it was loaded would be one step early. */
static void what_is_loaded_ahead_is_read_by_a_take_alone(void **state)
{
    vdnn_plan *broken = fresh_ahead(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV1, 0);
    access_of(broken, run, VDNN_BIND_X)->buffer = broken->ahead[0];
    access_of(broken, run, VDNN_BIND_X)->writer = -1;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a buffer of the wrong class");
    broken = fresh_ahead(*state);
    const int32_t out = kind_of(broken, VDNN_STEP_COPY_OUT, 0);
    access_of(broken, out, VDNN_BIND_SRC)->buffer = broken->ahead[0];
    access_of(broken, out, VDNN_BIND_SRC)->writer = load_of(broken, IMAGES);
    vdnn_plan_edit_refresh(broken);
    assert_status(check(broken), VDNN_INTERNAL);
}

static void what_is_loaded_ahead_is_kept_for_the_next_step(void **state)
{
    const fixture *f = *state;
    vdnn_plan *broken = fresh_ahead(*state), *evaluation;
    broken->buffers[broken->ahead[0]].persistent = false;
    assert_refused(broken, "kept between training steps");
    broken = fresh_ahead(*state);
    broken->ahead[0] = broken->ahead[1];
    assert_refused(broken, "the plan names buffer");
    broken = fresh_ahead(*state);
    broken->loads = VDNN_LOADS_OWN;
    assert_status(check(broken), VDNN_INTERNAL);

    assert_ok(vdnn_planner_plan_evaluation(f->graph, f->profile, f->ahead, &evaluation));
    assert_ok(check(evaluation));
    assert_ok(vdnn_checker_check_evaluation(f->ahead, evaluation));
    evaluation->buffers[vdnn_plan_edit_find_buffer(evaluation, VDNN_CLASS_INPUT)].offset =
        f->ahead->buffers[f->ahead->ahead[0]].offset;
    assert_status(vdnn_checker_check_evaluation(f->ahead, evaluation), VDNN_INTERNAL);
    assert_message("bytes of what the training keeps (next input");
    vdnn_plan_destroy(evaluation);
}

/* ---- batches loaded late --------------------------------------------------------------------- */

static vdnn_plan *fresh_late(fixture *f)
{
    return copy_of(f, f->late);
}

static bool lies_in(const vdnn_buffer *at, const vdnn_buffer *place)
{
    return at->tier == place->tier && at->offset < place->offset + place->bytes &&
           place->offset < at->offset + at->bytes;
}

/* Else it would be memory for the next batch all the time. */
static void the_place_of_a_batch_loaded_late_is_used_in_between(void **state)
{
    const fixture *f = *state;
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
        const int32_t run = vdnn_plan_edit_find_run(broken, passes[part], CONV1, 0);
        assert_ok(check(broken));
        broken->buffers[broken->ahead[0]].offset = broken->buffers[broken->arrived[0]].offset =
            buffer_of(broken, run, binds[part])->offset;
        vdnn_plan_edit_fit_spans(broken);
        assert_refused(broken, "shares bytes with one that is alive at the same time");
        broken = fresh_late(*state);
        vdnn_plan_edit_duplicate(broken, load_of(broken, part));
        assert_refused(broken, "loaded 2 times instead of once");
    }
}

static void an_evaluation_over_a_batch_loaded_late_is_refused(void **state)
{
    const fixture *f = *state;
    vdnn_plan *evaluation;
    assert_ok(vdnn_planner_plan_evaluation(f->graph, f->profile, f->late, &evaluation));
    assert_ok(check(evaluation));
    assert_ok(vdnn_checker_check_evaluation(f->late, evaluation));
    evaluation->buffers[vdnn_plan_edit_find_buffer(evaluation, VDNN_CLASS_INPUT)].offset =
        f->late->buffers[f->late->ahead[0]].offset;
    assert_status(vdnn_checker_check_evaluation(f->late, evaluation), VDNN_INTERNAL);
    assert_message("bytes of what the training keeps (next input");
    vdnn_plan_destroy(evaluation);
}

static void buffers_of_the_wrong_form_are_refused(void **state)
{
    vdnn_plan *broken = fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    buffer_of(broken, run, VDNN_BIND_Y)->bytes = 0;
    assert_refused(broken, "a buffer has no bytes");
    broken = fresh(*state);
    const int32_t data = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_DATA, CONV2, 0);
    buffer_of(broken, data, VDNN_BIND_DX)->bytes -= 4;
    assert_refused(broken, "an access of ");
    broken = fresh(*state);
    access_of(broken, data, VDNN_BIND_DX)->bytes -= 4;
    assert_refused(broken, "bytes of dx from 0 on, and takes");
    broken = fresh(*state);
    buffer_of(broken, run, VDNN_BIND_W)->persistent = false;
    assert_refused(broken, "kept between training steps");
    broken = fresh(*state);
    broken->buffers[0].class = VDNN_CLASS_COUNT;
    assert_refused(broken, "unknown class");
    broken = fresh(*state);
    broken->param_buffer[CONV1] = broken->param_buffer[CONV2];
    assert_refused(broken, "kept between training steps");
}

/* The header alone is read. */
static void counts_that_no_plan_has_are_refused(void **state)
{
    static const int32_t wrong[] = {-1, VDNN_PLAN_MOST_ITEMS + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        vdnn_plan *broken = fresh(*state);
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

/* What is alive at one time is added up in 63 bits, the end of a buffer and its zone in 64. */
static void bytes_that_would_wrap_are_refused(void **state)
{
    fixture *f = *state;
    vdnn_plan *broken = fresh(f);
    const int32_t out = kind_of(broken, VDNN_STEP_COPY_OUT, 0),
                  run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, CONV2, 0);
    buffer_of(broken, run, VDNN_BIND_Y)->bytes = SIZE_MAX / 2;
    buffer_of(broken, run, VDNN_BIND_X)->bytes = SIZE_MAX / 2;
    assert_refused(broken, "more bytes than any memory");
    broken = fresh(f);
    broken->steps[out].bytes = broken->steps[out + 1].bytes = SIZE_MAX / 2 + 1;
    assert_refused(broken, "more bytes than any link");
    broken = fresh(f);
    broken->span_bytes[VDNN_TIER_DEVICE] = SIZE_MAX;
    assert_refused(broken, "a span or a zone");
    /* The end of the last buffer, with its zone, would be a small number. */
    broken = fresh(f);
    f->graph->zone_bytes = SIZE_MAX - broken->span_bytes[VDNN_TIER_DEVICE];
    assert_refused(broken, "a span or a zone");
    f->graph->zone_bytes = 0;
}

/* ---- the network ----------------------------------------------------------------------------- */

/* Each breaks one thing that the graph says of its layers. */
static void break_needs(vdnn_graph *graph)
{
    graph->layers[CONV2].needs[VDNN_BACKWARD_FILTER] = 0;
}

static void break_needs_of_one_pass(vdnn_graph *graph)
{
    graph->layers[CONV2].needs[VDNN_BACKWARD_DATA] = VDNN_NEEDS_X;
}

static void break_mask(vdnn_graph *graph)
{
    graph->layers[POOL].aux_bytes -= 1;
}

static void break_wanted(vdnn_graph *graph)
{
    graph->layers[BOTH].wants_dx[1] = false;
}

static void break_unwanted(vdnn_graph *graph)
{
    graph->layers[CONV1].wants_dx[0] = true;
}

static void break_params(vdnn_graph *graph)
{
    graph->layers[FC].param_bytes -= sizeof(float);
}

static void break_gradient(vdnn_graph *graph)
{
    graph->layers[FC].trainable_bytes -= sizeof(float);
}

static void break_done(vdnn_graph *graph)
{
    graph->layers[RELU2].is_fused = !graph->layers[RELU2].is_fused;
}

static void break_relu(vdnn_graph *graph)
{
    graph->layers[LEFT].epilogue = VDNN_EPILOGUE_RELU;
}

static void break_done_of_another(vdnn_graph *graph)
{
    graph->layers[DROP1].is_fused = true;
    graph->layers[CONV1].epilogue = VDNN_EPILOGUE_RELU;
}

static void break_in_place(vdnn_graph *graph)
{
    graph->layers[RIGHT].in_place = true;
}

static void break_out_of_place(vdnn_graph *graph)
{
    graph->layers[DROP1].in_place = false;
}

static void break_map(vdnn_graph *graph)
{
    graph->tensors[graph->layers[LEFT].output].map =
        graph->tensors[graph->layers[RIGHT].output].map;
}

static void break_map_bytes(vdnn_graph *graph)
{
    graph->maps[graph->tensors[graph->layers[LEFT].output].map].bytes -= 4;
}

static void break_aux_bytes(vdnn_graph *graph)
{
    graph->maps[graph->aux_map[POOL]].bytes -= 1;
}

static void break_aux_map(vdnn_graph *graph)
{
    graph->aux_map[POOL] = graph->tensors[graph->layers[POOL].output].map;
}

static void break_shape(vdnn_graph *graph)
{
    graph->tensors[graph->layers[LEFT].output].desc.dims[VDNN_C]--;
}

static void break_producer(vdnn_graph *graph)
{
    graph->tensors[graph->layers[LEFT].output].producer = RIGHT;
}

static void break_input(vdnn_graph *graph)
{
    graph->layers[RIGHT].inputs[0] = graph->layers[CONV1].output;
}

static const struct {
    void (*breaks)(vdnn_graph *);
    const char *part;
} broken_graphs[] = {
    {break_needs, "layer conv2 has other needs"},
    {break_needs_of_one_pass, "layer conv2 has other needs"},
    {break_mask, "layer pool has more or fewer bytes to save"},
    {break_wanted, "layer both has other gradients"},
    {break_unwanted, "layer conv1 has other gradients"},
    {break_params, "layer fc has more or fewer bytes of parameters"},
    {break_gradient, "layer fc has more or fewer bytes of parameters"},
    {break_done, "relu2 has another producer"},
    {break_relu, "apply the one behind them"},
    {break_done_of_another, "layer drop1 has another producer"},
    {break_in_place, "layer right has another place"},
    {break_out_of_place, "layer drop1 has another place"},
    {break_map, "layer right has another place"},
    {break_map_bytes, "layer left has another place or size"},
    {break_aux_bytes, "layer pool has another place or size of what it saves"},
    {break_aux_map, "layer pool has another place or size of what it saves"},
    {break_shape, "layer left has other inputs or another output"},
    {break_producer, "layer left has other inputs or another output"},
    {break_input, "layer right has other inputs or another output"},
};

static void a_graph_that_its_layers_do_not_mean_is_refused(void **state)
{
    for (size_t i = 0; i < sizeof broken_graphs / sizeof *broken_graphs; i++) {
        vdnn_plan *broken = fresh(*state);
        vdnn_graph *graph = make_graph();
        broken->graph = graph;
        assert_ok(check(broken));
        broken_graphs[i].breaks(graph);
        assert_refused(broken, broken_graphs[i].part);
        vdnn_graph_destroy(graph);
    }
}

/* A planner with too few needs makes a plan that does too little, and is consistent by itself. */
static void a_plan_that_believes_a_wrong_graph_is_refused(void **state)
{
    static void (*const breaks[])(vdnn_graph *) = {break_needs, break_mask, break_gradient};
    const fixture *f = *state;
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        vdnn_graph *graph = make_graph();
        breaks[i](graph);
        vdnn_plan *plan = plan_eagerly(graph, f->profile, VDNN_SYNC_BY_NEED, VDNN_LOADS_OWN, false);
        assert_refused(plan, "than its definition says");
        vdnn_plan_destroy(plan);
        vdnn_graph_destroy(graph);
    }
}

/* ---- properties ------------------------------------------------------------------------------ */

/* The two checkers agree on a plan whose order or addresses were changed; its peaks may be others
 * then. */
static void compare_with_slow_checker(const vdnn_plan *plan, const char *what, int32_t step,
                                      uint64_t seed)
{
    const bool accepted =
        check(plan) == VDNN_OK || strstr(vdnn_status_message(), "the plan claims") != NULL;
    const bool ordered = vdnn_plan_edit_is_ordered(plan);
    if (accepted != ordered)
        print_error("seed %llu, %s at %d: %s, but it is %s ordered (%s)\n",
                    (unsigned long long)seed, what, step, accepted ? "accepted" : "refused",
                    ordered ? "well" : "not", accepted ? "" : vdnn_status_message());
    assert_int_equal(accepted, ordered);
}

static vdnn_plan *draw_plan(uint64_t seed, vdnn_graph **graph)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    request.layers = 3 + request.layers / 3;
    vdnn_test_rng rng = {seed};
    vdnn_profile *profile;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_random_model_graph(&request, (vdnn_rules)(seed % 2), graph));
    assert_ok(vdnn_test_profile_of(*graph, VDNN_TEST_ROWS_FAKE, &profile));
    assert_ok(vdnn_random_decisions(*graph, profile, &rng, &decisions));
    assert_ok(vdnn_planner_plan(*graph, profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    vdnn_profile_destroy(profile);
    return plan;
}

static void a_plan_without_one_wait_is_refused_exactly_when_its_order_is_broken(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_graph *graph;
        vdnn_plan *plan = draw_plan(seed, &graph);
        compare_with_slow_checker(plan, "nothing changed", 0, seed);
        for (int32_t i = 0; i < plan->step_count; i++)
            for (int32_t k = 0; k < plan->steps[i].wait_count; k++) {
                vdnn_plan *broken = vdnn_plan_edit_copy(plan);
                vdnn_plan_edit_remove_wait(broken, i, k);
                compare_with_slow_checker(broken, "wait removed", i, seed);
                vdnn_plan_destroy(broken);
            }
        vdnn_plan_destroy(plan);
        vdnn_graph_destroy(graph);
    }
}

static void a_plan_with_a_moved_buffer_is_refused_exactly_when_bytes_collide(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_test_rng rng = {~seed};
        vdnn_graph *graph;
        vdnn_plan *plan = draw_plan(seed, &graph);
        for (int k = 0; k < 20; k++) {
            vdnn_plan *broken = vdnn_plan_edit_copy(plan);
            const int32_t b = (int32_t)vdnn_test_between(&rng, 0, plan->buffer_count - 1);
            vdnn_buffer *buffer = &broken->buffers[b];
            const size_t alignment = vdnn_tier_alignment(buffer->tier),
                         span = broken->span_bytes[buffer->tier];
            const int64_t room = (int64_t)((span - buffer->bytes) / alignment);
            buffer->offset = alignment * (size_t)vdnn_test_between(&rng, 0, room);
            vdnn_plan_edit_fit_spans(broken);
            compare_with_slow_checker(broken, "buffer moved", b, seed);
            vdnn_plan_destroy(broken);
        }
        vdnn_plan_destroy(plan);
        vdnn_graph_destroy(graph);
    }
}

static void scramble(void *items, int64_t count, size_t size, vdnn_test_rng *rng)
{
    static const int32_t values[] = {-1, 0, 1, 2, 7, 64, INT32_MAX, INT32_MIN};
    if (count == 0)
        return;
    int32_t word = values[vdnn_test_between(rng, 0, 7)];
    if (vdnn_test_between(rng, 0, 1) == 0)
        word = (int32_t)vdnn_test_between(rng, 0, 200);
    const int64_t last = count * (int64_t)(size / sizeof word) - 1;
    memcpy((int32_t *)items + vdnn_test_between(rng, 0, last), &word, sizeof word);
}

/* Words that are pointers or raw booleans are left alone: no value of them is a plan. */
static void scramble_step(vdnn_step *step, vdnn_test_rng *rng)
{
    int32_t *const words[] = {&step->layer,
                              &step->first_access,
                              &step->access_count,
                              &step->first_wait,
                              &step->wait_count,
                              (int32_t *)&step->kind,
                              (int32_t *)&step->stream,
                              (int32_t *)&step->pass,
                              (int32_t *)&step->bytes};
    scramble(words[vdnn_test_between(rng, 0, 8)], 1, sizeof(int32_t), rng);
}

static void scramble_buffer(vdnn_buffer *buffer, vdnn_test_rng *rng)
{
    int32_t *const words[] = {(int32_t *)&buffer->class,
                              (int32_t *)&buffer->tier,
                              &buffer->layer,
                              &buffer->map,
                              (int32_t *)&buffer->bytes,
                              (int32_t *)&buffer->offset,
                              &buffer->first_step,
                              &buffer->last_step};
    scramble(words[vdnn_test_between(rng, 0, 7)], 1, sizeof(int32_t), rng);
}

static void a_plan_of_scrambled_numbers_never_harms_the_checker(void **state)
{
    fixture *f = *state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    int refused = 0;
    const int count = vdnn_test_count(50000);
    for (int n = 0; n < count; n++) {
        vdnn_plan *broken = fresh(f);
        for (int64_t k = vdnn_test_between(&rng, 1, 3); k > 0; k--)
            switch (vdnn_test_between(&rng, 0, 4)) {
            case 0:
                scramble(broken->accesses, broken->access_count, sizeof *broken->accesses, &rng);
                break;
            case 1:
                scramble(broken->waits, broken->wait_count, sizeof *broken->waits, &rng);
                break;
            case 2:
                scramble_step(&broken->steps[vdnn_test_between(&rng, 0, broken->step_count - 1)],
                              &rng);
                break;
            case 3:
                scramble_buffer(
                    &broken->buffers[vdnn_test_between(&rng, 0, broken->buffer_count - 1)], &rng);
                break;
            default:
                scramble(broken->param_buffer, broken->graph->layer_count, sizeof(int32_t), &rng);
            }
        refused += check(broken) != VDNN_OK;
    }
    assert_true(refused > count / 2);
}

static void checking_without_memory_fails_cleanly(void **state)
{
    fixture *f = *state;
    vdnn_status status = VDNN_NO_MEMORY;
    size_t n = 0;
    const size_t live = vdnn_heap_live_count();
    while (status == VDNN_NO_MEMORY) {
        vdnn_heap_fail_after(++n);
        status = check(f->plan);
        vdnn_heap_fail_after(0);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
    assert_ok(status);
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_plan_passes),
        cmocka_unit_test(what_is_filled_from_another_maps_file_is_refused),
        cmocka_unit_test(what_was_never_spilled_cannot_be_filled),
        cmocka_unit_test(a_place_in_the_file_that_is_not_whole_blocks_is_refused),
        cmocka_unit_test(bytes_of_files_that_are_not_true_are_refused),
        cmocka_unit_test(a_missing_wait_is_refused),
        cmocka_unit_test(a_copy_in_that_does_not_wait_for_its_copy_out_is_refused),
        cmocka_unit_test(a_buffer_may_be_held_while_it_is_written),
        cmocka_unit_test(a_wait_for_a_later_step_is_refused),
        cmocka_unit_test(a_wait_on_the_own_stream_is_refused),
        cmocka_unit_test(an_end_that_does_not_join_a_stream_is_refused),
        cmocka_unit_test(a_plan_that_ends_with_another_step_is_refused),
        cmocka_unit_test(a_recompute_of_other_values_is_refused),
        cmocka_unit_test(a_recompute_in_the_name_of_another_layer_is_refused),
        cmocka_unit_test(a_recompute_that_is_missing_is_refused),
        cmocka_unit_test(a_read_of_what_forward_made_after_it_was_given_back_is_refused),
        cmocka_unit_test(a_recompute_of_what_does_not_wait_for_its_copy_in_is_refused),
        cmocka_unit_test(a_recompute_with_updated_weights_is_refused),
        cmocka_unit_test(a_recompute_by_another_algorithm_is_refused),
        cmocka_unit_test(a_recompute_that_may_give_other_bits_is_refused),
        cmocka_unit_test(an_algorithm_of_another_device_is_refused),
        cmocka_unit_test(a_workspace_that_is_too_small_is_refused),
        cmocka_unit_test(a_weight_without_room_for_the_copy_that_is_kept_is_refused),
        cmocka_unit_test(a_store_of_the_wrong_size_is_refused),
        cmocka_unit_test(an_evaluation_that_disagrees_with_its_training_is_refused),
        cmocka_unit_test(a_read_of_the_wrong_writer_is_refused),
        cmocka_unit_test(a_read_of_what_was_never_written_is_refused),
        cmocka_unit_test(weights_that_are_read_after_their_update_are_refused),
        cmocka_unit_test(a_second_write_of_the_same_buffer_is_refused),
        cmocka_unit_test(another_value_than_the_network_means_is_refused),
        cmocka_unit_test(two_live_buffers_on_the_same_bytes_are_refused),
        cmocka_unit_test(two_buffers_that_share_one_byte_are_refused),
        cmocka_unit_test(a_buffer_over_weights_is_refused_whenever_it_lives),
        cmocka_unit_test(a_buffer_given_back_too_early_is_refused),
        cmocka_unit_test(an_offset_beyond_the_span_is_refused),
        cmocka_unit_test(an_offset_that_is_not_aligned_is_refused),
        cmocka_unit_test(a_span_that_is_overstated_is_refused),
        cmocka_unit_test(one_byte_less_than_the_span_does_not_fit),
        cmocka_unit_test(a_peak_that_is_not_true_is_refused),
        cmocka_unit_test(a_copy_of_the_wrong_bytes_is_refused),
        cmocka_unit_test(a_copy_in_of_another_map_is_refused),
        cmocka_unit_test(an_update_that_is_missing_or_done_twice_is_refused),
        cmocka_unit_test(a_pass_that_is_missing_or_done_twice_is_refused),
        cmocka_unit_test(a_result_that_is_not_stored_is_refused),
        cmocka_unit_test(an_update_of_a_layer_without_parameters_is_refused),
        cmocka_unit_test(a_gradient_without_all_its_parts_is_refused),
        cmocka_unit_test(a_gradient_summed_in_another_order_is_refused),
        cmocka_unit_test(steps_of_the_wrong_form_are_refused),
        cmocka_unit_test(accesses_of_the_wrong_form_are_refused),
        cmocka_unit_test(a_filter_that_updates_must_have_all_that_an_update_has),
        cmocka_unit_test(the_state_of_a_layer_holds_all_slots),
        cmocka_unit_test(a_norm_is_of_every_gradient_once),
        cmocka_unit_test(an_update_without_the_norm_is_refused),
        cmocka_unit_test(a_batch_that_is_not_taken_is_refused),
        cmocka_unit_test(a_batch_that_is_loaded_before_the_last_one_is_taken_is_refused),
        cmocka_unit_test(a_load_that_does_not_wait_for_its_take_is_refused),
        cmocka_unit_test(a_next_batch_that_is_not_loaded_is_refused),
        cmocka_unit_test(a_next_batch_that_is_loaded_twice_is_refused),
        cmocka_unit_test(a_take_or_a_load_of_another_buffer_is_refused),
        cmocka_unit_test(what_is_loaded_ahead_is_read_by_a_take_alone),
        cmocka_unit_test(what_is_loaded_ahead_is_kept_for_the_next_step),
        cmocka_unit_test(the_place_of_a_batch_loaded_late_is_used_in_between),
        cmocka_unit_test(a_batch_that_arrives_elsewhere_than_it_was_loaded_is_refused),
        cmocka_unit_test(a_batch_loaded_late_that_is_not_held_is_refused),
        cmocka_unit_test(a_late_load_over_what_others_still_use_is_refused),
        cmocka_unit_test(an_evaluation_over_a_batch_loaded_late_is_refused),
        cmocka_unit_test(buffers_of_the_wrong_form_are_refused),
        cmocka_unit_test(counts_that_no_plan_has_are_refused),
        cmocka_unit_test(bytes_that_would_wrap_are_refused),
        cmocka_unit_test(a_graph_that_its_layers_do_not_mean_is_refused),
        cmocka_unit_test(a_plan_that_believes_a_wrong_graph_is_refused),
        cmocka_unit_test(a_plan_without_one_wait_is_refused_exactly_when_its_order_is_broken),
        cmocka_unit_test(a_plan_with_a_moved_buffer_is_refused_exactly_when_bytes_collide),
        cmocka_unit_test(a_plan_of_scrambled_numbers_never_harms_the_checker),
        cmocka_unit_test(checking_without_memory_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
