/* Layers in parts of their output channels: their arithmetic against that of whole layers, and
 * broken plans. */

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

/* Gradients summed over parts (conv1, deep, left, fc), parameters with running statistics, passes
 * in place, indexes that are saved, a fork, groups. */
static const char format[] =
    "name: channels\n"
    "input: {channels: 2, height: 10, width: 10}\n"
    "classes: 8\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1%s}\n"
    "  - {name: norm1, type: batchnorm%s}\n"
    "  - {name: relu1, type: relu%s}\n"
    "  - {name: pool1, type: maxpool, kernel: 2%s}\n"
    "  - {name: groups, type: conv, out: 14, kernel: 3, pad: 1, groups: 2%s}\n"
    "  - {name: deep, type: conv, out: 9, kernel: 1%s}\n"
    "  - {name: left, type: conv, out: 7, kernel: 3, pad: 1%s}\n"
    "  - {name: right, type: conv, out: 7, kernel: 1, from: deep}\n"
    "  - {name: both, type: add, from: [left, right]%s}\n"
    "  - {name: pool2, type: avgpool, kernel: 2%s}\n"
    "  - {name: fc, type: fc, out: 8%s}\n"
    "  - {name: loss, type: softmax_loss}\n";
enum { BATCH = 6, CONV1 = 0, DEEP = 5, LEFT = 6, FC = 10, PARTS = 3, TEXT_BYTES = 2048 };

/* A network in parts; 1: whole. Batch norm depends on all samples; its bits, and those of the
 * matrix product of fc, depend on how many channels there are. */
typedef struct cut {
    int samples, channels, others_channels;
} cut;

static void write_key(char *text, size_t size, int samples, int channels)
{
    text[0] = '\0';
    if (samples * channels > 1)
        (void)snprintf(text, size, ", parts: {samples: %d, channels: %d}", samples, channels);
}

static void shape(vdnn_training_case *c, cut own, int32_t micros)
{
    char text[TEXT_BYTES], all[64], norm[64], groups[64], fc[64];
    const vdnn_graph_options options = {.batch = BATCH * micros,
                                        .micro_batches = micros,
                                        .rules = VDNN_RULES_LEAN,
                                        .dtype = VDNN_F32};
    write_key(all, sizeof all, own.samples, own.channels);
    write_key(norm, sizeof norm, 1, own.others_channels);
    write_key(groups, sizeof groups, own.samples, own.channels > 2 ? 1 : own.channels);
    write_key(fc, sizeof fc, own.samples, own.others_channels);
    const int length =
        snprintf(text, sizeof text, format, all, norm, all, all, groups, all, all, all, all, fc);
    assert_in_range(length, 1, sizeof text - 1);
    vdnn_training_case_parse(c, text, &options);
}

/* Where it supports a pass, this algorithm computes it. */
static void pin(vdnn_training_case *c, const char *algorithm)
{
    for (int32_t l = 0; l < c->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (vdnn_profile_find(c->profile, l, (vdnn_pass)p, algorithm) >= 0)
                assert_ok(vdnn_profile_pin(c->profile, l, (vdnn_pass)p, algorithm));
}

static vdnn_training_case set_up(cut own, int32_t micros, const char *policy, const char *algorithm)
{
    vdnn_training_case c = {.plan = NULL};
    shape(&c, own, micros);
    pin(&c, algorithm);
    vdnn_training_case_begin_by(&c, policy);
    return c;
}

/* A convolution has the same bits by it in every part. */
static const char invariant[] = "implicit";

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* Whether all runs of a pass in parts have the bits of the whole, by what their rows state. */
static bool is_invariant(const vdnn_plan *plan, vdnn_pass pass)
{
    bool all = true;
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (step->kind != VDNN_STEP_RUN || step->pass != pass)
            continue;
        const vdnn_layer *layer = &plan->graph->layers[step->layer];
        const unsigned bit = 1U << pass;
        all = all && (layer->parts == 1 || (step->algorithm->batch_invariant & bit) != 0) &&
              (layer->channel_parts == 1 || (step->algorithm->channel_invariant & bit) != 0);
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

/* Where the parameters of a layer begin among those of all. */
static size_t first_of(const vdnn_graph *graph, int32_t layer)
{
    size_t bytes = 0;
    for (int32_t l = 0; l < layer; l++)
        bytes += graph->layers[l].param_bytes;
    return bytes / sizeof(float);
}

static bool has_same_params(const vdnn_graph *graph, int32_t layer, const float *a, const float *b)
{
    const size_t first = first_of(graph, layer);
    return memcmp(a + first, b + first, graph->layers[layer].param_bytes) == 0;
}

static void expect_near(const vdnn_graph *graph, const float *own, const float *whole)
{
    for (size_t k = 0; k < vdnn_graph_param_bytes(graph) / sizeof(float); k++)
        assert_true(fabs((double)own[k] - (double)whole[k]) < 2e-6 + 2e-5 * fabs((double)whole[k]));
}

/* The loss bit by bit where the bits of forward do not depend on the channels; the gradient of a
 * layer's parameters too, where no gradient behind it is a sum over parts. */
static void compare(cut own, int32_t micros, const vdnn_training_case *whole,
                    vdnn_executor_result expected, const float *weights)
{
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    vdnn_training_case c = set_up(own, micros, "base", invariant);
    assert_int_equal(count_runs(c.plan, LEFT, VDNN_BACKWARD_DATA),
                     own.samples * own.channels * micros);
    const vdnn_executor_result result = vdnn_training_case_step(&c, 0, context);
    float *made = vdnn_training_case_weights(&c);
    if (own.others_channels == 1) {
        assert_true(is_invariant(c.plan, VDNN_FORWARD));
        assert_true(is_invariant(c.plan, VDNN_BACKWARD_FILTER));
        assert_true(result.loss == expected.loss);
        assert_true(has_same_params(whole->graph, FC, made, weights));
        assert_true(has_same_params(whole->graph, LEFT, made, weights));
    }
    assert_true(fabs(result.loss - expected.loss) < 1e-6 * fabs(expected.loss));
    assert_true(result.correct == expected.correct);
    expect_near(whole->graph, made, weights);
    vdnn_heap_free(made);
    vdnn_training_case_end(&c);
}

static void a_layer_in_parts_of_its_channels_computes_what_the_whole_does(void **state)
{
    static const cut cuts[] = {{1, 2, 1}, {1, 3, 1}, {1, 7, 1}, {1, 2, 2},
                               {1, 3, 3}, {1, 7, 7}, {2, 3, 3}, {3, 2, 7}};
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    (void)state;
    for (int32_t micros = 1; micros <= 2; micros++) {
        vdnn_training_case whole = set_up((cut){1, 1, 1}, micros, "base", invariant);
        const vdnn_executor_result expected = vdnn_training_case_step(&whole, 0, context);
        float *weights = vdnn_training_case_weights(&whole);
        for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
            compare(cuts[i], micros, &whole, expected, weights);
        vdnn_heap_free(weights);
        vdnn_training_case_end(&whole);
    }
}

/* Rows of weights are where they are in the block: not where a block begins. */
static void every_algorithm_computes_parts_of_channels(void **state)
{
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    (void)state;
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (strcmp(row->layer_type, "conv") != 0 || strcmp(row->device, "cpu") != 0)
            continue;
        vdnn_training_case whole = set_up((cut){1, 1, 1}, 1, "base", row->name),
                           c = set_up((cut){1, 3, 3}, 1, "base", row->name);
        const vdnn_executor_result expected = vdnn_training_case_step(&whole, 0, context),
                                   result = vdnn_training_case_step(&c, 0, context);
        float *weights = vdnn_training_case_weights(&whole), *own = vdnn_training_case_weights(&c);
        assert_true(fabs(result.loss - expected.loss) < 1e-5 * fabs(expected.loss));
        expect_near(whole.graph, own, weights);
        vdnn_heap_free(weights);
        vdnn_heap_free(own);
        vdnn_training_case_end(&whole);
        vdnn_training_case_end(&c);
    }
}

static void parts_have_the_same_bits_under_every_policy(void **state)
{
    static const char *const policies[] = {"base", "all", "conv", "dyn"};
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    float *weights = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        vdnn_training_case c = set_up((cut){2, 3, 3}, 2, policies[i], invariant);
        for (int64_t step = 0; step < 3; step++)
            (void)vdnn_training_case_step(&c, step * 2 * BATCH, context);
        float *made = vdnn_training_case_weights(&c);
        if (weights == NULL)
            weights = made;
        else {
            assert_memory_equal(made, weights, vdnn_graph_param_bytes(c.graph));
            vdnn_heap_free(made);
        }
        vdnn_training_case_end(&c);
    }
    vdnn_heap_free(weights);
}

/* Maps and weights in blocks of 16 channels, the last of which has fewer: parts end at blocks. */
static vdnn_training_case set_up_blocked(const char *first_key, const char *second_key)
{
    static const char blocked[] =
        "name: blocked\ninput: {channels: 3, height: 8, width: 8}\nclasses: 5\nbatch: 3\nlayers:\n"
        "  - {name: conv1, type: conv, out: 56, kernel: 3, pad: 1%s}\n"
        "  - {name: relu1, type: relu%s}\n"
        "  - {name: conv2, type: conv, out: 40, kernel: 3, pad: 1%s}\n"
        "  - {name: pool2, type: maxpool, kernel: 2%s}\n"
        "  - {name: fc, type: fc, out: 5}\n"
        "  - {name: loss, type: softmax_loss}\n";
    const vdnn_graph_options options = {
        .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .preferred = VDNN_NCHW16C};
    char text[TEXT_BYTES];
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    const int length =
        snprintf(text, sizeof text, blocked, first_key, first_key, second_key, second_key);
    assert_in_range(length, 1, sizeof text - 1);
    vdnn_training_case_parse(&c, text, &options);
    assert_int_equal(c.graph->layers[c.graph->layer_count - 4].y.layout, VDNN_NCHW16C);
    assert_ok(vdnn_eager_decisions(c.graph, VDNN_SYNC_BY_NEED, &decisions));
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
    assert_ok(vdnn_checker_check(c.plan, vdnn_tier_unlimited));
    vdnn_decisions_fini(&decisions);
    vdnn_training_case_begin(&c);
    return c;
}

static void parts_of_blocked_maps_compute_what_the_whole_does(void **state)
{
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    (void)state;
    vdnn_training_case whole = set_up_blocked("", "");
    vdnn_training_case parts = set_up_blocked(", parts: {channels: 3}", ", parts: {channels: 2}");
    const vdnn_executor_result expected = vdnn_training_case_step(&whole, 0, context),
                               result = vdnn_training_case_step(&parts, 0, context);
    float *weights = vdnn_training_case_weights(&whole), *own = vdnn_training_case_weights(&parts);
    assert_true(fabs(result.loss - expected.loss) < 1e-6 * fabs(expected.loss));
    expect_near(whole.graph, own, weights);
    vdnn_heap_free(weights);
    vdnn_heap_free(own);
    vdnn_training_case_end(&whole);
    vdnn_training_case_end(&parts);
}

/* ---- networks -------------------------------------------------------------------------------- */

#define HEAD "name: net\ninput: {channels: 2, height: 8, width: 8}\nclasses: 4\nbatch: 4\nlayers:\n"

static void expect_refused_network(const char *layers, const char *message)
{
    char text[TEXT_BYTES];
    const vdnn_graph_options options = {.dtype = VDNN_F32};
    vdnn_model *model = NULL;
    vdnn_graph *graph;
    (void)snprintf(text, sizeof text, HEAD "%s", layers);
    vdnn_status status = vdnn_model_parse(text, strlen(text), "net.yaml", &model);
    if (status == VDNN_OK)
        status = vdnn_graph_create(model, &options, &graph);
    assert_status(status, VDNN_BAD_INPUT);
    assert_message(message);
    vdnn_model_destroy(model);
}

static void parts_of_channels_that_a_layer_cannot_take_are_refused(void **state)
{
    (void)state;
    expect_refused_network("  - {name: conv, type: conv, out: 6, kernel: 3, parts: {channels: 7}}\n"
                           "  - {name: fc, type: fc, out: 4}\n"
                           "  - {name: loss, type: softmax_loss}\n",
                           "net.yaml:6: conv layer 'conv': 7 parts of its 6 channels; expected 1 "
                           "to 6");
    expect_refused_network("  - {name: conv, type: conv, out: 6, kernel: 3, groups: 2, parts: "
                           "{channels: 3}}\n"
                           "  - {name: fc, type: fc, out: 4}\n"
                           "  - {name: loss, type: softmax_loss}\n",
                           "net.yaml:6: conv layer 'conv': 3 parts of its 6 channels, at multiples "
                           "of 3; expected 1 to 2");
    expect_refused_network(
        "  - {name: lrn, type: lrn, size: 3, parts: {channels: 2}}\n"
        "  - {name: fc, type: fc, out: 4}\n"
        "  - {name: loss, type: softmax_loss}\n",
        "net.yaml:6: lrn layer 'lrn': 2 parts of its 2 channels, which cannot be "
        "computed without each other; expected 1");
    expect_refused_network(
        "  - {name: fc1, type: fc, out: 4, parts: {channels: 2}}\n"
        "  - {name: relu, type: relu}\n"
        "  - {name: fc2, type: fc, out: 4}\n"
        "  - {name: fc3, type: fc, out: 4, weight_of: fc2, parts: {channels: 2}}\n"
        "  - {name: loss, type: softmax_loss}\n",
        "net.yaml:9: fc layer 'fc3' is not run in parts: its weight is another "
        "layer's too");
    expect_refused_network("  - {name: fc, type: fc, out: 4, parts: {channels: 0}}\n"
                           "  - {name: loss, type: softmax_loss}\n",
                           "net.yaml:6");
    expect_refused_network("  - {name: fc, type: fc, out: 4, parts: {rows: 2}}\n"
                           "  - {name: loss, type: softmax_loss}\n",
                           "net.yaml:6");
}

/* ---- broken plans ---------------------------------------------------------------------------- */

static vdnn_plan_breaker begin_breaking(int samples)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, (cut){samples, PARTS, PARTS}, 1);
    vdnn_plan_breaker_begin_eagerly(&b);
    return b;
}

static void a_step_of_other_channels_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(2);
    for (int32_t i = 1; i < b.c.plan->step_count; i++)
        for (int32_t part = 0; part <= 2 * PARTS; part++) {
            const bool is_sum = b.c.plan->steps[i].kind == VDNN_STEP_ACCUMULATE &&
                                b.c.plan->steps[i].pass == VDNN_BACKWARD_FILTER;
            if (b.c.plan->steps[i].part == part || (is_sum && part < 2 * PARTS))
                continue; /* a sum of parameters is of all channels of some samples */
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            broken->steps[i].part = part;
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
    vdnn_plan_breaker_end(&b);
}

/* Another first byte, length, number of stripes, length of them, distance. */
static void stripes_of_other_channels_are_refused(void **state)
{
    int32_t found = 0;
    (void)state;
    vdnn_plan_breaker b = begin_breaking(2);
    for (int32_t k = 0; k < b.c.plan->access_count; k++) {
        const vdnn_access *access = &b.c.plan->accesses[k];
        for (int way = 0; way < 7 && access->stride > 0; way++) {
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            vdnn_access *own = &broken->accesses[k];
            const size_t shifts[] = {sizeof(float), access->stride};
            if (way < 2)
                own->first += shifts[way];
            else if (way == 2)
                own->bytes -= access->stride;
            else if (way == 3)
                own->stripe += sizeof(float);
            else if (way == 4) {
                own->stripe += sizeof(float);
                own->bytes += sizeof(float);
            } else if (way == 5)
                own->stride -= sizeof(float);
            else
                own->stripe = own->stride = 0;
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
        found += access->stride > 0;
    }
    assert_true(found > 0);
    vdnn_plan_breaker_end(&b);
}

/* Of the gradient of a layer's parameters each part writes its own rows, in one buffer. */
static void rows_of_other_channels_are_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(1);
    for (int32_t k = 0; k < b.c.plan->access_count; k++) {
        const vdnn_access *access = &b.c.plan->accesses[k];
        if (access->bind != VDNN_BIND_DW || access->mode != VDNN_WRITE ||
            access->bytes == b.c.plan->buffers[access->buffer].bytes)
            continue;
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        broken->accesses[k].first += sizeof(float);
        vdnn_plan_edit_expect_refused(broken, NULL);
        broken = vdnn_plan_breaker_fresh(&b);
        broken->accesses[k].bytes -= sizeof(float);
        vdnn_plan_edit_expect_refused(broken, NULL);
        broken = vdnn_plan_breaker_fresh(&b);
        broken->accesses[k].slot++;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan_breaker_end(&b);
}

static void channels_that_are_lost_or_computed_twice_are_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(1);
    for (int pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
        for (int32_t n = 0; n < PARTS; n++)
            vdnn_plan_breaker_expect_run_once(&b, (vdnn_pass)pass, DEEP, n);
    vdnn_plan_breaker_end(&b);
}

/* The n-th sum of gradients of maps that a layer's parts make. */
static int32_t find_sum(const vdnn_plan *plan, int32_t layer, int32_t n)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_ACCUMULATE && plan->steps[i].layer == layer &&
            plan->steps[i].pass == VDNN_BACKWARD_DATA && n-- == 0)
            return i;
    return -1;
}

static void gradients_by_parts_of_the_channels_are_summed_in_their_order(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(1);
    const int32_t first = find_sum(b.c.plan, FC, 0), second = find_sum(b.c.plan, FC, 1);
    assert_true(first >= 0 && second > first && find_sum(b.c.plan, FC, 2) < 0);
    const int32_t run = vdnn_plan_edit_find_run(b.c.plan, VDNN_BACKWARD_DATA, FC, 1),
                  last_run = vdnn_plan_edit_find_run(b.c.plan, VDNN_BACKWARD_DATA, FC, 2);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b); /* two parts, with their sums, are swapped */
    vdnn_plan_edit_move(broken, last_run, run);
    vdnn_plan_edit_move(broken, second, run + 1);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_expect_refused(broken, "are summed one by one");
    broken = vdnn_plan_breaker_fresh(&b); /* without the second one */
    vdnn_plan_edit_mute(broken, first);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_expect_refused(broken, "are summed one by one");
    broken = vdnn_plan_breaker_fresh(&b); /* without the last one */
    vdnn_plan_edit_mute(broken, second);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_expect_refused(broken, "a gradient is read with what 2 parts");
    vdnn_plan_breaker_end(&b);
}

static void what_a_part_adds_is_of_its_samples(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(2);
    const int32_t sum = find_sum(b.c.plan, FC, 0);
    assert_true(sum >= 0);
    const vdnn_access *into = vdnn_plan_edit_access(b.c.plan, sum, VDNN_BIND_DST),
                      *added = vdnn_plan_edit_access(b.c.plan, sum, VDNN_BIND_SRC);
    assert_int_equal(2 * b.c.plan->buffers[added->buffer].bytes,
                     b.c.plan->buffers[into->buffer].bytes);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    broken->buffers[added->buffer].map_offset += sizeof(float);
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

/* `left` and `right` read the same: what one made is added to the other's when it is whole. */
static void a_readers_gradient_is_whole_before_it_is_added(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(1);
    const int32_t last = find_sum(b.c.plan, LEFT, PARTS - 2),
                  joined = find_sum(b.c.plan, LEFT, PARTS - 1);
    assert_true(last >= 0 && joined > last);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    vdnn_plan_edit_mute(broken, last);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_expect_refused(broken, "are summed one by one");
    vdnn_plan_breaker_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_in_parts_of_its_channels_computes_what_the_whole_does),
        cmocka_unit_test(every_algorithm_computes_parts_of_channels),
        cmocka_unit_test(parts_have_the_same_bits_under_every_policy),
        cmocka_unit_test(parts_of_blocked_maps_compute_what_the_whole_does),
        cmocka_unit_test(parts_of_channels_that_a_layer_cannot_take_are_refused),
        cmocka_unit_test(a_step_of_other_channels_is_refused),
        cmocka_unit_test(stripes_of_other_channels_are_refused),
        cmocka_unit_test(rows_of_other_channels_are_refused),
        cmocka_unit_test(channels_that_are_lost_or_computed_twice_are_refused),
        cmocka_unit_test(gradients_by_parts_of_the_channels_are_summed_in_their_order),
        cmocka_unit_test(what_a_part_adds_is_of_its_samples),
        cmocka_unit_test(a_readers_gradient_is_whole_before_it_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
