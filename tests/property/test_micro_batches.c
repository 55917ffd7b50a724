/* A step in micro-batches: its arithmetic against steps of one micro-batch each, and broken plans.
 */

#include "policies/registry.h"
#include "runtime/base/heap.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_breaker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_decisions.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

/* Statistics, random numbers, a fork and a recomputed map. */
static const char network[] =
    "name: parts\n"
    "input: {channels: 2, height: 10, width: 10}\n"
    "classes: 4\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
    "  - {name: norm1, type: batchnorm}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: left, type: conv, out: 5, kernel: 1}\n"
    "  - {name: right, type: conv, out: 5, kernel: 3, pad: 1, from: pool1}\n"
    "  - {name: both, type: add, from: [left, right]}\n"
    "  - {name: drop, type: dropout, p: 0.4}\n"
    "  - {name: fc, type: fc, out: 4}\n"
    "  - {name: loss, type: softmax_loss}\n";

/* No layer couples samples, and one label in four does not count. */
static const char plain[] = "name: plain\n"
                            "input: {channels: 2, height: 10, width: 10}\n"
                            "classes: 4\n"
                            "batch: 9\n"
                            "layers:\n"
                            "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
                            "  - {name: relu1, type: relu}\n"
                            "  - {name: pool1, type: maxpool, kernel: 2}\n"
                            "  - {name: drop, type: dropout, p: 0.4}\n"
                            "  - {name: fc, type: fc, out: 4}\n"
                            "  - {name: loss, type: softmax_loss, ignore: 3}\n";
enum { MICROS = 3, MICRO = 2, BATCH = MICROS * MICRO };

/* ---- a network on the CPU -------------------------------------------------------------------- */

static void shape_text(vdnn_training_case *c, const char *text, int64_t batch, int32_t micros)
{
    const vdnn_graph_options options = {
        .batch = batch, .micro_batches = micros, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_training_case_parse(c, text, &options);
}

static void shape(vdnn_training_case *c, int64_t batch, int32_t micros)
{
    shape_text(c, network, batch, micros);
}

static vdnn_training_case set_up_text(const char *text, int64_t batch, int32_t micros)
{
    vdnn_training_case c = {.plan = NULL};
    shape_text(&c, text, batch, micros);
    vdnn_training_case_begin_by(&c, "base");
    return c;
}

static vdnn_training_case set_up(int64_t batch, int32_t micros)
{
    return set_up_text(network, batch, micros);
}

static vdnn_executor_result step(vdnn_training_case *c, int64_t first, double lr)
{
    return vdnn_training_case_step(c, first, (vdnn_step_context){.settings = {.lr = lr}});
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* By a step of each micro-batch alone, from the same weights, with the gradient as the change. */
typedef struct expected {
    double loss, correct;
    double *change; /* per float of the parameters: the mean of the micro-batches' */
} expected;

static expected expect(int64_t batch, int32_t micros, size_t floats)
{
    expected e = {.change = vdnn_heap_calloc(floats, sizeof *e.change)};
    int64_t first = 0;
    assert_non_null(e.change);
    for (int32_t k = 0; k < micros; k++) {
        const int64_t samples = batch / micros + (k < batch % micros);
        const double weight = (double)samples / (double)batch;
        vdnn_training_case f = set_up(samples, 1);
        float *before = vdnn_training_case_weights(&f);
        const vdnn_executor_result result = step(&f, first, 1);
        float *after = vdnn_training_case_weights(&f);
        e.loss += weight * result.loss;
        e.correct += result.correct;
        for (size_t i = 0; i < floats; i++)
            e.change[i] += weight * ((double)after[i] - (double)before[i]);
        vdnn_heap_free(before);
        vdnn_heap_free(after);
        vdnn_training_case_end(&f);
        first += samples;
    }
    assert_int_equal(first, batch);
    return e;
}

static bool is_statistic(const vdnn_layer *layer, size_t byte)
{
    return byte >= vdnn_layer_summed_bytes(layer);
}

static void compare_with_steps(int64_t batch, int32_t micros)
{
    vdnn_training_case f = set_up(batch, micros);
    const expected e = expect(batch, micros, vdnn_graph_param_bytes(f.graph) / sizeof(float));
    float *before = vdnn_training_case_weights(&f);
    const vdnn_executor_result result = step(&f, 0, 1);
    float *after = vdnn_training_case_weights(&f);
    /* Alone a smaller micro-batch may have another algorithm. */
    assert_true(fabs(result.loss - e.loss) <= (batch % micros == 0 ? 0 : 1e-6));
    assert_true(result.correct == e.correct);
    size_t at = 0;
    for (int32_t l = 0; l < f.graph->layer_count; l++)
        for (size_t b = 0; b < f.graph->layers[l].param_bytes; b += sizeof(float), at++)
            if (!is_statistic(&f.graph->layers[l], b))
                assert_true(fabs((double)after[at] - (double)before[at] - e.change[at]) <
                            1e-6 + 1e-5 * fabs(e.change[at]));
    vdnn_heap_free(e.change);
    vdnn_heap_free(before);
    vdnn_heap_free(after);
    vdnn_training_case_end(&f);
}

static void the_gradient_is_the_mean_over_micro_batches(void **state)
{
    (void)state;
    compare_with_steps(BATCH, MICROS);
}

/* Of 3, 3 and 2 samples; 3 and 2; 2, 1, 1, 1. */
static void micro_batches_that_do_not_divide_the_batch_are_weighted(void **state)
{
    (void)state;
    compare_with_steps(8, 3);
    compare_with_steps(5, 2);
    compare_with_steps(5, 4);
}

/* Also where of some micro-batches no label counts. */
static void the_mean_is_over_all_labels_that_count(void **state)
{
    (void)state;
    enum { ALL = 9, PARTS = 4 };
    vdnn_training_case whole = set_up_text(plain, ALL, 1);
    const vdnn_executor_result wanted = step(&whole, 0, 1);
    float *after = vdnn_training_case_weights(&whole);
    const size_t floats = vdnn_graph_param_bytes(whole.graph) / sizeof(float);
    static const int32_t counts[PARTS] = {2, 3, 7, ALL};
    for (int i = 0; i < PARTS; i++) {
        vdnn_training_case f = set_up_text(plain, ALL, counts[i]);
        const vdnn_executor_result result = step(&f, 0, 1);
        float *weights = vdnn_training_case_weights(&f);
        assert_true(fabs(result.loss - wanted.loss) < 1e-6);
        assert_true(result.correct == wanted.correct);
        for (size_t k = 0; k < floats; k++)
            assert_true(fabs((double)weights[k] - (double)after[k]) < 1e-5);
        vdnn_heap_free(weights);
        vdnn_training_case_end(&f);
    }
    vdnn_heap_free(after);
    vdnn_training_case_end(&whole);
}

/* As if each had been a step of its own that changes no weight. */
static void statistics_follow_each_micro_batch(void **state)
{
    (void)state;
    vdnn_training_case whole = set_up(BATCH, MICROS), each = set_up(MICRO, 1);
    (void)step(&whole, 0, 0);
    for (int k = 0; k < MICROS; k++)
        (void)step(&each, k * MICRO, 0);
    float *of_whole = vdnn_training_case_weights(&whole),
          *of_each = vdnn_training_case_weights(&each);
    assert_memory_equal(of_whole, of_each, vdnn_graph_param_bytes(whole.graph));
    vdnn_heap_free(of_whole);
    vdnn_heap_free(of_each);
    vdnn_training_case_end(&whole);
    vdnn_training_case_end(&each);
}

/* ---- options --------------------------------------------------------------------------------- */

static void more_micro_batches_than_samples_are_refused(void **state)
{
    (void)state;
    const vdnn_graph_options options = {.batch = 6, .micro_batches = 7, .dtype = VDNN_F32};
    vdnn_model *model;
    vdnn_graph *graph;
    assert_ok(vdnn_model_parse(network, sizeof network - 1, "parts.yaml", &model));
    assert_status(vdnn_graph_create(model, &options, &graph), VDNN_USAGE);
    assert_message("expected 1 to 6");
    vdnn_model_destroy(model);
}

static void layers_that_couple_samples_are_named(void **state)
{
    (void)state;
    vdnn_training_case f = {.plan = NULL};
    shape(&f, BATCH, MICROS);
    assert_string_equal(vdnn_graph_couples_samples(f.graph)->name, "norm1");
    vdnn_training_case_end(&f);
}

/* ---- broken plans ---------------------------------------------------------------------------- */

enum { NORM1 = 1, FC_LAYERS_FROM_END = 2 };

static vdnn_plan_breaker begin_breaking(void)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, BATCH - 1, MICROS);
    vdnn_plan_breaker_begin_eagerly(&b);
    return b;
}

/* The index of the step of a kind, of a layer or of any (-1), in a micro-batch. */
static int32_t find_in(const vdnn_plan *plan, vdnn_step_kind kind, int32_t layer, int32_t micro)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == kind && plan->steps[i].micro == micro &&
            (layer < 0 || plan->steps[i].layer == layer))
            return i;
    fail_msg("no such step");
    return -1;
}

static int32_t fc_of(const vdnn_plan_breaker *b)
{
    return b->c.graph->layer_count - FC_LAYERS_FROM_END;
}

static void a_lost_sum_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    for (int32_t micro = 1; micro < MICROS; micro++) {
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        const int32_t sum = find_in(broken, VDNN_STEP_ACCUMULATE, fc_of(&b), micro);
        const int32_t writer = vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST)->writer;
        for (int32_t k = 0; k < broken->access_count; k++)
            if (broken->accesses[k].writer == sum)
                broken->accesses[k].writer = writer;
        vdnn_plan_edit_mute(broken, sum);
        vdnn_plan_edit_expect_refused(broken, NULL);

        broken =
            vdnn_plan_breaker_fresh(&b); /* the gradient of its own, without the earlier ones */
        broken->steps[find_in(broken, VDNN_STEP_ACCUMULATE, fc_of(&b), micro)].bytes -= 4;
        vdnn_plan_edit_expect_refused(broken, "an accumulation of");
    }
    vdnn_plan_breaker_end(&b);
}

/* Every step but joins, said to be of another one. */
static void a_step_of_another_micro_batch_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    for (int32_t i = 1; i < b.c.plan->step_count - 1; i++) {
        if (b.c.plan->steps[i].kind == VDNN_STEP_JOIN)
            continue;
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        broken->steps[i].micro = (broken->steps[i].micro + 1) % MICROS;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    broken->steps[1].micro = MICROS;
    vdnn_plan_edit_expect_refused(broken, "a step is of micro-batch 3 of 3");
    vdnn_plan_breaker_end(&b);
}

static void an_input_of_another_micro_batch_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t first = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, 0, 0),
                  second = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, 0, 1);
    *vdnn_plan_edit_access(broken, second, VDNN_BIND_X) =
        *vdnn_plan_edit_access(broken, first, VDNN_BIND_X);
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

/* The last micro-batch has one sample less. */
static void bytes_of_a_larger_micro_batch_are_refused(void **state)
{
    (void)state;
    static const vdnn_step_kind kinds[] = {VDNN_STEP_LOAD, VDNN_STEP_COPY_OUT, VDNN_STEP_COPY_IN};
    vdnn_plan_breaker b = begin_breaking();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        const int32_t own = find_in(broken, kinds[i], -1, MICROS - 1),
                      larger = find_in(broken, kinds[i], broken->steps[own].layer, 0);
        assert_true(broken->steps[larger].bytes > broken->steps[own].bytes);
        broken->steps[own].bytes = broken->steps[larger].bytes;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    b.c.graph->lesser->micro_batch++;
    vdnn_plan_edit_expect_refused(vdnn_plan_breaker_fresh(&b),
                                  "the micro-batches do not have the samples of the batch");
    b.c.graph->lesser->micro_batch--;
    b.c.graph->lesser->layers[NORM1].in_place = !b.c.graph->lesser->layers[NORM1].in_place;
    vdnn_plan_edit_expect_refused(vdnn_plan_breaker_fresh(&b),
                                  "the lesser micro-batches have another network");
    vdnn_plan_breaker_end(&b);
}

static void lost_or_doubled_statistics_are_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    vdnn_plan_edit_duplicate(broken, find_in(broken, VDNN_STEP_AVERAGE, NORM1, 0));
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b);
    const int32_t average = find_in(broken, VDNN_STEP_AVERAGE, NORM1, 1);
    const int32_t before = vdnn_plan_edit_access(broken, average, VDNN_BIND_W)->writer;
    for (int32_t k = 0; k < broken->access_count; k++)
        if (broken->accesses[k].writer == average)
            broken->accesses[k].writer = before;
    vdnn_plan_edit_mute(broken, average);
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

static void an_update_before_the_last_micro_batch_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking();
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t update = find_in(broken, VDNN_STEP_UPDATE, fc_of(&b), MICROS - 1),
                  sum = find_in(broken, VDNN_STEP_ACCUMULATE, fc_of(&b), 1);
    vdnn_access *gradient = vdnn_plan_edit_access(broken, update, VDNN_BIND_DW);
    *gradient = *vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST);
    gradient->mode = VDNN_READ;
    gradient->bind = VDNN_BIND_DW;
    gradient->writer = sum;
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_is_the_mean_over_micro_batches),
        cmocka_unit_test(micro_batches_that_do_not_divide_the_batch_are_weighted),
        cmocka_unit_test(the_mean_is_over_all_labels_that_count),
        cmocka_unit_test(statistics_follow_each_micro_batch),
        cmocka_unit_test(more_micro_batches_than_samples_are_refused),
        cmocka_unit_test(layers_that_couple_samples_are_named),
        cmocka_unit_test(a_lost_sum_is_refused),
        cmocka_unit_test(a_step_of_another_micro_batch_is_refused),
        cmocka_unit_test(an_input_of_another_micro_batch_is_refused),
        cmocka_unit_test(bytes_of_a_larger_micro_batch_are_refused),
        cmocka_unit_test(lost_or_doubled_statistics_are_refused),
        cmocka_unit_test(an_update_before_the_last_micro_batch_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
