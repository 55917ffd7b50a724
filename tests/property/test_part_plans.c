/* Layers in parts: their arithmetic against that of whole layers, and broken plans. */

#include "policies/registry.h"
#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_breaker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_decisions.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Every kind of aux (none, a mask, indexes), a fork, a sum, random numbers, passes in place. */
static const char format[] =
    "name: parts\n"
    "input: {channels: 2, height: 10, width: 10}\n"
    "classes: 4\n"
    "batch: 7\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1, parts: %d}\n"
    "  - {name: lrn1, type: lrn, size: 3, parts: %d}\n"
    "  - {name: relu1, type: relu, parts: %d}\n"
    "  - {name: pool1, type: maxpool, kernel: 2, parts: %d}\n"
    "  - {name: left, type: conv, out: 5, kernel: 1, parts: %d}\n"
    "  - {name: right, type: conv, out: 5, kernel: 3, pad: 1, from: pool1}\n"
    "  - {name: both, type: add, from: [left, right], parts: %d}\n"
    "  - {name: drop, type: dropout, p: 0.4, parts: %d}\n"
    "  - {name: fc, type: fc, out: 4, parts: %d}\n"
    "  - {name: loss, type: softmax_loss, parts: %d}\n";
enum { BATCH = 7, CONV1 = 0, POOL1 = 3, PARTS = 3, TEXT_BYTES = 2048 };

/* The loss runs in parts where there are micro-batches, and the mean of their means has other bits.
 */
static void shape(vdnn_training_case *c, int parts, int32_t micros)
{
    char text[TEXT_BYTES];
    const vdnn_graph_options options = {.batch = BATCH * micros,
                                        .micro_batches = micros,
                                        .rules = VDNN_RULES_LEAN,
                                        .dtype = VDNN_F32};
    const int length = snprintf(text, sizeof text, format, parts, parts, parts, parts, parts, parts,
                                parts, parts, micros > 1 ? parts : 1);
    assert_in_range(length, 1, sizeof text - 1);
    vdnn_training_case_parse(c, text, &options);
}

static vdnn_training_case set_up(int parts, int32_t micros)
{
    vdnn_training_case c = {.plan = NULL};
    shape(&c, parts, micros);
    vdnn_training_case_begin_by(&c, "base");
    return c;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static bool is_invariant(const vdnn_plan *plan)
{
    bool all = true;
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (step->kind == VDNN_STEP_RUN && step->pass == VDNN_FORWARD &&
            vdnn_plan_parts(plan, step) > 1)
            all = all && (step->algorithm->batch_invariant & 1U << VDNN_FORWARD) != 0;
    }
    return all;
}

static int32_t count_runs(const vdnn_plan *plan, int32_t layer, vdnn_pass pass)
{
    int32_t count = 0;
    while (vdnn_plan_edit_find_run(plan, pass, layer, count) >= 0)
        count++;
    return count;
}

/* The loss bit by bit, where no algorithm of a forward pass asks how many samples there are. */
static void a_layer_in_parts_computes_what_the_whole_does(void **state)
{
    static const int counts[] = {2, 3, 7};
    (void)state;
    for (int32_t micros = 1; micros <= 2; micros++) {
        vdnn_training_case whole = set_up(1, micros);
        const vdnn_step_context context = {.settings = {.lr = 1}};
        const vdnn_executor_result expected = vdnn_training_case_step(&whole, 0, context);
        float *weights = vdnn_training_case_weights(&whole);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            vdnn_training_case cut = set_up(counts[i], micros);
            assert_int_equal(count_runs(cut.plan, CONV1, VDNN_BACKWARD_FILTER), counts[i] * micros);
            const vdnn_executor_result result = vdnn_training_case_step(&cut, 0, context);
            float *own = vdnn_training_case_weights(&cut);
            if (is_invariant(cut.plan) && micros == 1)
                assert_true(result.loss == expected.loss);
            assert_true(fabs(result.loss - expected.loss) < 1e-6 * fabs(expected.loss));
            assert_true(result.correct == expected.correct);
            for (size_t k = 0; k < vdnn_graph_param_bytes(cut.graph) / sizeof(float); k++)
                assert_true(fabs((double)own[k] - (double)weights[k]) <
                            1e-6 + 1e-5 * fabs((double)weights[k]));
            vdnn_heap_free(own);
            vdnn_training_case_end(&cut);
        }
        vdnn_heap_free(weights);
        vdnn_training_case_end(&whole);
    }
}

/* ---- networks -------------------------------------------------------------------------------- */

static bool are_there_together(const vdnn_buffer *a, const vdnn_buffer *b)
{
    return a->class == VDNN_CLASS_WORKSPACE && b->class == VDNN_CLASS_WORKSPACE &&
           a->layer == b->layer && a->first_step <= b->last_step && b->first_step <= a->last_step;
}

static void expect_one_workspace_at_a_time(const vdnn_plan *plan)
{
    int32_t count = 0;
    for (int32_t a = 0; a < plan->buffer_count; a++) {
        count += plan->buffers[a].class == VDNN_CLASS_WORKSPACE;
        for (int32_t b = 0; b < a; b++)
            assert_false(are_there_together(&plan->buffers[a], &plan->buffers[b]));
    }
    assert_true(count >= PARTS);
}

/* Beside copies of the parameters, which join the compute stream only where they are read: else an
 * evaluation could require more memory than its training. */
static void workspaces_of_parts_take_turns(void **state)
{
    vdnn_training_case c = set_up(PARTS, 1);
    vdnn_decisions decisions;
    vdnn_plan *training, *evaluation;
    (void)state;
    assert_ok(vdnn_eager_decisions(c.graph, VDNN_SYNC_BY_NEED, &decisions));
    for (int32_t l = 0; l < c.graph->layer_count; l++)
        if (c.graph->layers[l].param_count > 0)
            decisions.params[l].action = VDNN_OFFLOAD;
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &training));
    expect_one_workspace_at_a_time(training);
    assert_ok(vdnn_planner_plan_evaluation(c.graph, c.profile, &decisions, &evaluation));
    expect_one_workspace_at_a_time(evaluation);
    vdnn_plan_destroy(evaluation);
    vdnn_plan_destroy(training);
    vdnn_decisions_fini(&decisions);
    vdnn_training_case_end(&c);
}

static double overflow(int parts)
{
    static const size_t budget[VDNN_TIER_COUNT] = {SIZE_MAX / 2, SIZE_MAX / 2};
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    vdnn_planning *planning;
    vdnn_device_peak peak;
    vdnn_outcome bound;
    shape(&c, parts, 1);
    assert_ok(vdnn_decisions_init(&decisions, c.graph));
    assert_ok(vdnn_planning_create(c.graph, c.profile, NULL, NULL, &planning));
    vdnn_planning_begin(planning, budget);
    assert_ok(vdnn_planning_peak(planning, &decisions, 0, NULL, &peak, &bound));
    vdnn_planning_destroy(planning);
    vdnn_decisions_fini(&decisions);
    vdnn_training_case_end(&c);
    return peak.overflow_bytes;
}

/* Else of two ways to cut a network the one with more parts would seem to take more memory. */
static void what_is_beyond_a_limit_does_not_grow_with_the_parts(void **state)
{
    const double whole = overflow(1), tolerance = 0.2;
    (void)state;
    for (int parts = 2; parts <= BATCH; parts++) {
        const double cut = overflow(parts);
        assert_true(cut > (1 - tolerance) * whole && cut < (1 + tolerance) * whole);
    }
}

static void expect_no_graph(const char *layers, const char *message)
{
    char text[TEXT_BYTES];
    const vdnn_graph_options options = {.dtype = VDNN_F32};
    vdnn_model *model;
    vdnn_graph *graph;
    (void)snprintf(text, sizeof text,
                   "name: net\ninput: {channels: 2, height: 8, width: 8}\nclasses: 4\nbatch: 4\n"
                   "layers:\n%s",
                   layers);
    assert_ok(vdnn_model_parse(text, strlen(text), "net.yaml", &model));
    assert_status(vdnn_graph_create(model, &options, &graph), VDNN_BAD_INPUT);
    assert_message(message);
    vdnn_model_destroy(model);
}

static void parts_that_a_layer_cannot_take_are_refused(void **state)
{
    (void)state;
    expect_no_graph("  - {name: fc, type: fc, out: 4, parts: 5}\n"
                    "  - {name: loss, type: softmax_loss}\n",
                    "net.yaml:6: fc layer 'fc': 5 parts of its 4 samples; expected 1 to 4");
    expect_no_graph("  - {name: norm, type: batchnorm, parts: 2}\n"
                    "  - {name: fc, type: fc, out: 4}\n"
                    "  - {name: loss, type: softmax_loss}\n",
                    "net.yaml:6: batchnorm layer 'norm': 2 parts of its 4 samples, which depend on "
                    "each other; expected 1");
    expect_no_graph("  - {name: fc, type: fc, out: 4}\n"
                    "  - {name: loss, type: softmax_loss, ignore: 0, parts: 2}\n",
                    "net.yaml:7: softmax_loss layer 'loss': 2 parts of its 4 samples, which depend "
                    "on each other; expected 1");
}

/* ---- broken plans ---------------------------------------------------------------------------- */

static vdnn_plan_breaker begin_breaking(int32_t micros)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, PARTS, micros);
    vdnn_plan_breaker_begin_eagerly(&b);
    return b;
}

static void a_step_of_another_part_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(2);
    for (int32_t i = 1; i < b.c.plan->step_count; i++)
        for (int32_t part = 0; part <= PARTS; part++) {
            if (b.c.plan->steps[i].part == part)
                continue;
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            broken->steps[i].part = part;
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
    vdnn_plan_breaker_end(&b);
}

/* Of every access of every part, by one sample and by one byte to either side. */
static void bytes_of_other_samples_are_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(1);
    for (int32_t k = 0; k < b.c.plan->access_count; k++) {
        const vdnn_access *access = &b.c.plan->accesses[k];
        const size_t all = b.c.plan->buffers[access->buffer].bytes;
        const size_t shifts[] = {1, all / BATCH};
        for (int way = 0; way < 6 && access->bytes < all; way++) {
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            vdnn_access *moved = &broken->accesses[k];
            const size_t shift = shifts[way % 2];
            if (way < 2)
                moved->first += shift;
            else if (way < 4)
                moved->first -= shift;
            else
                moved->bytes -= shift;
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
    }
    vdnn_plan_breaker_end(&b);
}

static void a_part_that_is_lost_or_run_twice_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(1);
    for (int pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
        for (int32_t n = 0; n < PARTS; n++)
            vdnn_plan_breaker_expect_run_once(&b, (vdnn_pass)pass,
                                              pass == VDNN_BACKWARD_FILTER ? CONV1 : POOL1, n);
    vdnn_plan_breaker_end(&b);
}

static void gradients_of_parts_are_summed_in_their_order(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(1);
    const int32_t first = vdnn_plan_edit_find(b.c.plan, VDNN_STEP_ACCUMULATE, CONV1, 0),
                  second = vdnn_plan_edit_find(b.c.plan, VDNN_STEP_ACCUMULATE, CONV1, 1);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    vdnn_access *sum = vdnn_plan_edit_access(broken, second, VDNN_BIND_SRC);
    const vdnn_access *part = vdnn_plan_edit_access(broken, first, VDNN_BIND_SRC);
    sum->buffer = part->buffer; /* that of the first part alone */
    sum->writer = part->writer;
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, CONV1, 0);
    vdnn_access *used = vdnn_plan_edit_access(broken, update, VDNN_BIND_DW);
    const vdnn_access *unfinished = vdnn_plan_edit_access(broken, first, VDNN_BIND_DST);
    used->buffer = unfinished->buffer;
    used->writer = first;
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

/* ---- copies in pieces ------------------------------------------------------------------------ */

/* Everything leaves; what backward reads by parts in pieces, or as a whole. *cut: how many maps in
 * pieces; may be NULL. */
static vdnn_plan *plan_pieces(const vdnn_training_case *f, bool in_pieces, int32_t *cut)
{
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_eager_decisions(f->graph, VDNN_SYNC_BY_NEED, &decisions));
    for (int32_t m = 0; m < f->graph->map_count && in_pieces; m++)
        decisions.maps[m].pieces = decisions.maps[m].action == VDNN_OFFLOAD &&
                                   vdnn_decisions_pieces_refusal(f->graph, &decisions, m) == NULL;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    assert_ok(vdnn_checker_check(plan, vdnn_tier_unlimited));
    for (int32_t m = 0; m < f->graph->map_count && cut != NULL; m++)
        *cut += decisions.maps[m].pieces;
    vdnn_decisions_fini(&decisions);
    return plan;
}

static int32_t count_kind(const vdnn_plan *plan, vdnn_step_kind kind)
{
    int32_t count = 0;
    while (vdnn_plan_edit_find(plan, kind, -1, count) >= 0)
        count++;
    return count;
}

/* The same bytes, in more copies, of which the device has fewer at a time. */
static void a_map_can_be_copied_in_pieces(void **state)
{
    (void)state;
    vdnn_training_case f = {.plan = NULL};
    shape(&f, BATCH, 1);
    int32_t maps = 0;
    vdnn_plan *whole = plan_pieces(&f, false, NULL), *cut = plan_pieces(&f, true, &maps);
    const int32_t more = (BATCH - 1) * maps;
    assert_true(more > 0);
    assert_int_equal(count_kind(cut, VDNN_STEP_COPY_OUT),
                     count_kind(whole, VDNN_STEP_COPY_OUT) + more);
    assert_int_equal(count_kind(cut, VDNN_STEP_COPY_IN),
                     count_kind(whole, VDNN_STEP_COPY_IN) + more);
    assert_int_equal(cut->offload_bytes, whole->offload_bytes);
    assert_int_equal(cut->prefetch_bytes, whole->prefetch_bytes);
    /* Where conv1's gradient is computed, its input is there: all of it, or two samples. */
    const int32_t in = vdnn_plan_edit_find_run(cut, VDNN_BACKWARD_FILTER, CONV1, 0);
    const vdnn_access *x = vdnn_plan_edit_access(cut, in, VDNN_BIND_X);
    assert_int_equal(cut->buffers[x->buffer].bytes, f.graph->maps[0].bytes / BATCH);
    vdnn_plan_destroy(whole);
    vdnn_plan_destroy(cut);
    vdnn_training_case_end(&f);
}

static void a_piece_that_is_lost_or_in_anothers_place_is_refused(void **state)
{
    static const vdnn_step_kind kinds[] = {VDNN_STEP_COPY_OUT, VDNN_STEP_COPY_IN};
    (void)state;
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, PARTS, 1);
    const vdnn_plan *good = b.c.plan = plan_pieces(&b.c, true, NULL);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int32_t n = 0, step; (step = vdnn_plan_edit_find(good, kinds[k], -1, n)) >= 0; n++) {
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            vdnn_plan_edit_access(broken, step, VDNN_BIND_SRC)->first += 1;
            vdnn_plan_edit_expect_refused(broken, NULL);
            broken = vdnn_plan_breaker_fresh(&b);
            broken->steps[step].bytes -= 1;
            vdnn_plan_edit_expect_refused(broken, NULL);
            const int32_t to = vdnn_plan_edit_access(good, step, VDNN_BIND_DST)->buffer;
            if (good->buffers[to].map_offset == 0)
                continue;
            broken = vdnn_plan_breaker_fresh(&b); /* said to be the first piece */
            broken->buffers[to].map_offset = 0;
            vdnn_plan_edit_expect_refused(broken, NULL);
            broken = vdnn_plan_breaker_fresh(&b); /* what the piece before has */
            const int32_t before = vdnn_plan_edit_find(good, kinds[k], -1, n - 1);
            vdnn_plan_edit_access(broken, step, VDNN_BIND_SRC)->buffer =
                vdnn_plan_edit_access(good, before, VDNN_BIND_SRC)->buffer;
            vdnn_plan_edit_access(broken, step, VDNN_BIND_SRC)->first =
                vdnn_plan_edit_access(good, before, VDNN_BIND_SRC)->first;
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
    vdnn_plan_breaker_end(&b);
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* Where the next batch is loaded with the backward of a layer: conv1 alone, or in a chain. */
static vdnn_plan *plan_late(const vdnn_training_case *f, bool chained)
{
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_eager_decisions(f->graph, VDNN_SYNC_BY_NEED, &decisions));
    decisions.loads = VDNN_LOADS_LATE;
    decisions.load_layer = CONV1;
    for (int32_t l = CONV1 + 1; l <= POOL1; l++)
        decisions.chained[l] = chained;
    for (int32_t m = 0; m < f->graph->map_count && chained; m++)
        if (vdnn_decisions_is_inside(f->graph, &decisions, m))
            decisions.maps[m].pieces = 1;
    assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
    assert_ok(vdnn_checker_check(plan, vdnn_tier_unlimited));
    vdnn_decisions_fini(&decisions);
    return plan;
}

/* It takes memory from there on, and what waits for it is the next step. */
static void a_late_load_begins_with_the_last_part(void **state)
{
    (void)state;
    for (int chained = 0; chained <= 1; chained++) {
        vdnn_training_case f = {.plan = NULL};
        shape(&f, PARTS, 1);
        f.profile->has_link = true;
        vdnn_plan *plan = plan_late(&f, chained);
        const int32_t load = vdnn_plan_edit_find(plan, VDNN_STEP_LOAD, -1, 0);
        assert_in_range(load,
                        vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_FILTER, CONV1, PARTS - 2) + 1,
                        vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_FILTER, CONV1, PARTS - 1) - 1);
        assert_true(plan->buffers[plan->ahead[0]].first_step >= load);
        vdnn_plan_destroy(plan);
        vdnn_training_case_end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_in_parts_computes_what_the_whole_does),
        cmocka_unit_test(workspaces_of_parts_take_turns),
        cmocka_unit_test(what_is_beyond_a_limit_does_not_grow_with_the_parts),
        cmocka_unit_test(parts_that_a_layer_cannot_take_are_refused),
        cmocka_unit_test(a_step_of_another_part_is_refused),
        cmocka_unit_test(bytes_of_other_samples_are_refused),
        cmocka_unit_test(a_part_that_is_lost_or_run_twice_is_refused),
        cmocka_unit_test(gradients_of_parts_are_summed_in_their_order),
        cmocka_unit_test(a_map_can_be_copied_in_pieces),
        cmocka_unit_test(a_piece_that_is_lost_or_in_anothers_place_is_refused),
        cmocka_unit_test(a_late_load_begins_with_the_last_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
