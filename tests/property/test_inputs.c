/* Networks with several inputs: the table of them, its rows as tensors and maps, and plans that
 * bring other values than the network reads. */

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

/* Two pictures of one shape, and tokens. */
static const char network[] =
    "name: three\n"
    "inputs:\n"
    "  left: {channels: 3, height: 8, width: 6, mean: 0.5}\n"
    "  right: {channels: 3, height: 8, width: 6}\n"
    "  words: {tokens: 5, vocabulary: 11}\n"
    "classes: 4\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 4, kernel: 3, pad: 1}\n"
    "  - {name: conv2, type: conv, out: 4, kernel: 3, pad: 1, from: right}\n"
    "  - {name: sum, type: add, from: [conv1, conv2]}\n"
    "  - {name: relu, type: relu}\n"
    "  - {name: fc1, type: fc, out: 10}\n"
    "  - {name: word, type: embedding, out: 2, from: words}\n"
    "  - {name: line, type: flatten}\n"
    "  - {name: join, type: concat, from: [fc1, line]}\n"
    "  - {name: fc2, type: fc, out: 4}\n"
    "  - {name: loss, type: softmax_loss, labels: answers}\n";
enum { LEFT, RIGHT, WORDS, ANSWERS, INPUTS };
enum { CONV1, CONV2 };

/* ---- the table ------------------------------------------------------------------------------- */

static vdnn_graph *make_graph(int32_t micros)
{
    const vdnn_graph_options options = {
        .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .micro_batches = micros};
    vdnn_model *model;
    vdnn_graph *graph;
    assert_ok(vdnn_model_parse(network, sizeof network - 1, "three.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static void each_input_is_a_row_a_tensor_and_a_map(void **state)
{
    (void)state;
    static const char *const names[INPUTS] = {"left", "right", "words", "answers"};
    vdnn_graph *graph = make_graph(4); /* micro-batches of two samples, and of one */
    assert_int_equal(graph->input_count, INPUTS);
    for (int32_t i = 0; i < INPUTS; i++) {
        const vdnn_graph_input *input = &graph->inputs[i];
        assert_string_equal(input->name, names[i]);
        assert_int_equal(strncmp(input->next, "next ", 5), 0);
        assert_string_equal(input->next + 5, names[i]);
        assert_int_equal(input->desc.dims[VDNN_N], 2);
        assert_int_equal(graph->lesser->inputs[i].desc.dims[VDNN_N], 1);
        assert_int_equal(vdnn_graph_batch_bytes(graph, i), vdnn_desc_bytes(&input->desc) * 3);
        if (i == ANSWERS)
            continue;
        assert_int_equal(graph->tensors[i].producer, -1);
        assert_int_equal(graph->tensors[i].map, i);
        assert_int_equal(graph->tensors[i].reader_count, 1);
        assert_int_equal(graph->maps[i].kind, VDNN_MAP_INPUT);
        assert_string_equal(graph->maps[i].name, names[i]);
        assert_int_equal(graph->maps[i].bytes, vdnn_desc_bytes(&input->desc));
    }
    assert_int_equal(vdnn_graph_labels_row(graph), ANSWERS);
    assert_int_equal(graph->inputs[WORDS].desc.below, 11);
    assert_int_equal(graph->inputs[LEFT].normalization.mean.count, 1);
    assert_int_equal(graph->inputs[RIGHT].normalization.mean.count, 0);
    assert_int_equal(vdnn_graph_input_bytes(graph), 2 * (2 * 3 * 8 * 6 + 5) * 4);
    vdnn_graph_destroy(graph);
}

static void random_networks_have_a_second_input(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        vdnn_random_model request = vdnn_random_model_small(seed);
        vdnn_graph *graph;
        assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &graph));
        assert_int_equal(graph->input_count, request.words ? 3 : 2);
        assert_int_equal(request.words, seed % 5 >= 3 && request.positions == 0);
        vdnn_graph_destroy(graph);
    }
}

/* ---- broken plans ---------------------------------------------------------------------------- */

typedef struct fixture {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_plan *plan, *ahead, *broken;
} fixture;

static vdnn_plan *plan_of(const fixture *f, vdnn_loads loads)
{
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_eager_decisions(f->graph, VDNN_SYNC_BY_NEED, &decisions));
    decisions.loads = loads;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    assert_ok(vdnn_checker_check(plan, vdnn_tier_unlimited));
    return plan;
}

static int set_up(void **state)
{
    static fixture f;
    f.graph = make_graph(1);
    assert_ok(vdnn_test_profile_of(f.graph, VDNN_TEST_ROWS_FAKE, &f.profile));
    f.plan = plan_of(&f, VDNN_LOADS_OWN);
    f.ahead = plan_of(&f, VDNN_LOADS_AHEAD);
    f.broken = NULL;
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    vdnn_plan_destroy(f->broken);
    vdnn_plan_destroy(f->ahead);
    vdnn_plan_destroy(f->plan);
    vdnn_profile_destroy(f->profile);
    vdnn_graph_destroy(f->graph);
    return 0;
}

static vdnn_plan *fresh(fixture *f, const vdnn_plan *plan)
{
    vdnn_plan_destroy(f->broken);
    f->broken = vdnn_plan_edit_copy(plan);
    return f->broken;
}

/* The step of a kind that brings an input. */
static int32_t step_for(const vdnn_plan *plan, vdnn_step_kind kind, int32_t input)
{
    for (int32_t n = 0; n < INPUTS; n++) {
        const int32_t step = vdnn_plan_edit_find(plan, kind, -1, n);
        assert_true(step >= 0);
        const vdnn_access *to = vdnn_plan_edit_access(plan, step, VDNN_BIND_DST);
        if (vdnn_plan_input_of(plan, &plan->buffers[to->buffer]) == input)
            return step;
    }
    fail_msg("no step brings input %d", (int)input);
    return -1;
}

static int32_t reader_of(const vdnn_plan *plan, int32_t input)
{
    const int32_t layer =
        input == ANSWERS ? plan->graph->layer_count - 1 : plan->graph->tensors[input].readers[0];
    return vdnn_plan_edit_find_run(plan, VDNN_FORWARD, layer, 0);
}

static vdnn_access *read_of(const vdnn_plan *plan, int32_t input)
{
    return vdnn_plan_edit_access(plan, reader_of(plan, input),
                                 input == ANSWERS ? VDNN_BIND_LABELS : VDNN_BIND_X);
}

static void each_input_is_brought_by_a_step_of_its_own(void **state)
{
    fixture *f = *state;
    for (int32_t i = 0; i < INPUTS; i++) {
        const int32_t load = step_for(f->plan, VDNN_STEP_LOAD, i),
                      take = step_for(f->ahead, VDNN_STEP_TAKE, i);
        assert_string_equal(f->plan->steps[load].label, f->graph->inputs[i].name);
        assert_string_equal(f->ahead->steps[take].label, f->graph->inputs[i].name);
        assert_string_equal(f->ahead->steps[take + 1].label, f->graph->inputs[i].next);
        assert_int_equal(read_of(f->plan, i)->writer, load);
    }
    assert_int_equal(vdnn_plan_edit_find(f->plan, VDNN_STEP_LOAD, -1, INPUTS), -1);
}

static void an_input_that_is_not_loaded_is_refused(void **state)
{
    fixture *f = *state;
    for (int32_t i = 0; i < INPUTS; i++) {
        vdnn_plan *broken = fresh(f, f->plan);
        vdnn_plan_edit_remove(broken, step_for(broken, VDNN_STEP_LOAD, i));
        vdnn_plan_edit_expect_refused(broken, NULL);
        broken = fresh(f, f->ahead);
        vdnn_plan_edit_remove(broken, step_for(broken, VDNN_STEP_TAKE, i) + 1);
        vdnn_plan_edit_expect_refused(broken, "is loaded 0 times instead of once");
        assert_message(f->graph->inputs[i].name);
        broken = fresh(f, f->plan);
        vdnn_plan_edit_duplicate(broken, step_for(broken, VDNN_STEP_LOAD, i));
        vdnn_plan_edit_name_writers(broken);
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
}

/* The labels, too: the loss would see those of the step before. */
static void an_input_that_is_read_before_it_is_loaded_is_refused(void **state)
{
    fixture *f = *state;
    for (int32_t i = 0; i < INPUTS; i++) {
        vdnn_plan *broken = fresh(f, f->plan);
        const int32_t load = step_for(broken, VDNN_STEP_LOAD, i);
        vdnn_plan_edit_move(broken, load, reader_of(broken, i));
        vdnn_plan_edit_expect_refused(broken, NULL);
        broken = fresh(f, f->plan);
        read_of(broken, i)->writer = -1;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
}

/* The words are the last that is loaded; what waits for it sees all. */
static void a_reader_that_does_not_wait_for_its_input_is_refused(void **state)
{
    fixture *f = *state;
    vdnn_plan *broken = fresh(f, f->plan);
    const int32_t run = reader_of(broken, WORDS), load = step_for(broken, VDNN_STEP_LOAD, WORDS);
    int32_t wait = 0;
    while (broken->waits[broken->steps[run].first_wait + wait] != load) {
        wait++;
        assert_true(wait < broken->steps[run].wait_count);
    }
    vdnn_plan_edit_remove_wait(broken, run, wait);
    vdnn_plan_edit_expect_refused(broken, "a read does not wait for the write that it means");
}

/* Of the same bytes, loaded in the same step. */
static void another_input_of_the_same_shape_is_refused(void **state)
{
    fixture *f = *state;
    const vdnn_plan *const plans[] = {f->plan, f->ahead};
    for (size_t p = 0; p < 2; p++) {
        vdnn_plan *broken = fresh(f, plans[p]);
        const vdnn_access left = *read_of(broken, LEFT);
        vdnn_access *right = read_of(broken, RIGHT);
        right->buffer = left.buffer;
        right->writer = left.writer;
        vdnn_plan_edit_refresh(broken);
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan *broken = fresh(f, f->ahead);
    vdnn_access *left = vdnn_plan_edit_access(broken, step_for(broken, VDNN_STEP_TAKE, LEFT),
                                              VDNN_BIND_SRC),
                *right = vdnn_plan_edit_access(broken, step_for(broken, VDNN_STEP_TAKE, RIGHT),
                                               VDNN_BIND_SRC);
    const int32_t kept = left->buffer;
    left->buffer = right->buffer;
    right->buffer = kept;
    vdnn_plan_edit_refresh(broken);
    vdnn_plan_edit_expect_refused(broken, NULL);
}

static void inputs_that_share_a_buffer_are_refused(void **state)
{
    fixture *f = *state;
    vdnn_plan *broken = fresh(f, f->ahead);
    broken->ahead[RIGHT] = broken->ahead[LEFT];
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = fresh(f, f->plan);
    const int32_t load = step_for(broken, VDNN_STEP_LOAD, RIGHT);
    vdnn_plan_edit_access(broken, load, VDNN_BIND_DST)->buffer = read_of(broken, LEFT)->buffer;
    vdnn_plan_edit_refresh(broken);
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = fresh(f, f->plan); /* the map says whose it is */
    broken->buffers[read_of(broken, RIGHT)->buffer].map = LEFT;
    vdnn_plan_edit_expect_refused(broken, NULL);
}

static void a_graph_whose_table_does_not_fit_is_refused(void **state)
{
    fixture *f = *state;
    const vdnn_graph kept = *f->graph;
    for (int i = 0; i < 5; i++) {
        vdnn_graph *graph = f->graph;
        graph->input_count = i == 0 ? INPUTS - 1 : i == 1 ? VDNN_INPUTS_MAX + 1 : INPUTS;
        graph->inputs[RIGHT].desc.dims[VDNN_W] += i == 2;
        graph->inputs[WORDS].desc.below += i == 3;
        graph->inputs[ANSWERS].desc.dims[VDNN_N] += i == 4;
        assert_status(vdnn_checker_check(f->plan, vdnn_tier_unlimited), VDNN_INTERNAL);
        *graph = kept;
    }
    assert_ok(vdnn_checker_check(f->plan, vdnn_tier_unlimited));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_input_is_a_row_a_tensor_and_a_map),
        cmocka_unit_test(random_networks_have_a_second_input),
        cmocka_unit_test(each_input_is_brought_by_a_step_of_its_own),
        cmocka_unit_test(an_input_that_is_not_loaded_is_refused),
        cmocka_unit_test(an_input_that_is_read_before_it_is_loaded_is_refused),
        cmocka_unit_test(a_reader_that_does_not_wait_for_its_input_is_refused),
        cmocka_unit_test(another_input_of_the_same_shape_is_refused),
        cmocka_unit_test(inputs_that_share_a_buffer_are_refused),
        cmocka_unit_test(a_graph_whose_table_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
