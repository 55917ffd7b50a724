#include "tests/support/training_case.h"

#include "policies/registry.h"
#include "runtime/base/heap.h"
#include "runtime/base/numbers/random.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "runtime/train/weights.h"
#include "tests/support/policy_ask.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

void vdnn_training_case_shape(vdnn_training_case *c, const vdnn_model *model,
                              const vdnn_graph_options *options)
{
    assert_ok(vdnn_graph_create(model, options, &c->graph));
    assert_ok(vdnn_test_profile_of(c->graph, VDNN_TEST_ROWS_REAL, &c->profile));
}

void vdnn_training_case_parse(vdnn_training_case *c, const char *text,
                              const vdnn_graph_options *options)
{
    vdnn_model *model;
    assert_ok(vdnn_model_parse(text, strlen(text), "case.yaml", &model));
    vdnn_training_case_shape(c, model, options);
    vdnn_model_destroy(model);
}

/* Elements of a sample: of the only input, and of the labels. */
static int64_t count_read(const vdnn_training_case *c)
{
    return vdnn_desc_per_sample(&c->graph->inputs[0].desc);
}

static int64_t count_asked(const vdnn_training_case *c)
{
    return vdnn_desc_per_sample(&c->graph->inputs[vdnn_graph_labels_row(c->graph)].desc);
}

static void make_batch(vdnn_training_case *c)
{
    const int64_t batch = c->graph->batch;
    void *images, *labels;
    assert_ok(
        vdnn_device_stage(c->device, (size_t)(batch * count_read(c)) * sizeof(float), &images));
    assert_ok(
        vdnn_device_stage(c->device, (size_t)(batch * count_asked(c)) * sizeof(int32_t), &labels));
    c->images = images;
    c->labels = labels;
}

void vdnn_training_case_begin(vdnn_training_case *c)
{
    const vdnn_device_options options = {
        .threads = 2, .event_count = 1, .folders = {[VDNN_TIER_FILE] = "/tmp"}};
    assert_ok(vdnn_device_open("cpu", &options, &c->device));
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        assert_ok(
            vdnn_device_reserve(c->device, (vdnn_tier)tier, c->plan->span_bytes[(vdnn_tier)tier]));
    assert_ok(vdnn_weights_fill(c->plan, c->device, VDNN_TRAINING_CASE_SEED, NULL));
    make_batch(c);
    assert_ok(vdnn_executor_create(c->plan, c->device, c->plan->span_bytes, &c->executor));
    if (c->group != NULL)
        assert_ok(vdnn_executor_join(c->executor, c->group));
}

vdnn_plan *vdnn_training_case_plan(const vdnn_training_case *c, vdnn_decisions *decisions)
{
    vdnn_plan *plan;
    assert_ok(vdnn_planner_plan(c->graph, c->profile, decisions, &plan));
    assert_ok(vdnn_checker_check(plan, vdnn_tier_unlimited));
    vdnn_decisions_fini(decisions);
    return plan;
}

void vdnn_training_case_begin_by(vdnn_training_case *c, const char *policy)
{
    const vdnn_policy_ask ask = {.graph = c->graph,
                                 .profile = c->profile,
                                 .algo = VDNN_ALGO_M,
                                 .budget_bytes = {SIZE_MAX / 2, SIZE_MAX / 2}};
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find(policy), &ask, &c->plan, NULL));
    vdnn_training_case_begin(c);
}

void vdnn_training_case_end(vdnn_training_case *c)
{
    vdnn_executor_destroy(c->executor);
    if (c->device != NULL) {
        vdnn_device_unstage(c->device, c->images);
        vdnn_device_unstage(c->device, c->labels);
    }
    vdnn_device_close(c->device);
    vdnn_plan_destroy(c->plan);
    vdnn_profile_destroy(c->profile);
    vdnn_graph_destroy(c->graph);
}

static void fill_batch(const vdnn_training_case *c, int64_t first)
{
    const vdnn_desc *read = &c->graph->inputs[0].desc;
    const int64_t per_sample = count_read(c), asked = count_asked(c);
    int32_t *tokens = (int32_t *)(void *)c->images;
    for (int64_t s = 0; s < c->graph->batch; s++) {
        vdnn_test_rng rng = {VDNN_TRAINING_CASE_SEED + (uint64_t)(first + s)};
        for (int64_t i = s * per_sample; i < (s + 1) * per_sample; i++)
            if (vdnn_desc_is_integer(read))
                tokens[i] = (int32_t)vdnn_test_between(&rng, 0, read->below - 1);
            else
                c->images[i] = vdnn_random_unit((uint32_t)vdnn_test_random(&rng)) - 0.5F;
        for (int64_t i = s * asked; i < (s + 1) * asked; i++)
            c->labels[i] = (int32_t)vdnn_test_between(&rng, 0, c->graph->classes - 1);
    }
}

/* On all devices. */
static int64_t count_labels(const vdnn_training_case *c)
{
    double counted = (double)vdnn_graph_count_labels(c->graph, c->labels, c->graph->batch);
    if (vdnn_executor_weighs_labels(c->executor))
        assert_ok(vdnn_group_total(c->group, &counted));
    return (int64_t)counted;
}

vdnn_executor_result vdnn_training_case_step(vdnn_training_case *c, int64_t first,
                                             vdnn_step_context context)
{
    context.seed = VDNN_TRAINING_CASE_SEED;
    context.first_sample = (uint64_t)first;
    fill_batch(c, first);
    const vdnn_executor_batch batch = {
        .inputs = {c->images, c->labels}, .context = context, .counted = count_labels(c)};
    vdnn_executor_result result;
    assert_ok(vdnn_executor_step(c->executor, &batch, &result));
    return result;
}

void vdnn_training_case_expect_same_steps(vdnn_training_case *here, vdnn_training_case *away,
                                          int64_t batch, vdnn_step_context context)
{
    for (int64_t s = 0; s < 3; s++) {
        context.step = (uint64_t)s;
        const vdnn_executor_result kept = vdnn_training_case_step(here, s * batch, context),
                                   left = vdnn_training_case_step(away, s * batch, context);
        assert_true(kept.loss == left.loss);
        assert_int_equal(left.offload_bytes, away->plan->offload_bytes);
        assert_int_equal(left.prefetch_bytes, away->plan->prefetch_bytes);
        assert_true(left.prefetch_bytes > left.offload_bytes && left.offload_bytes > 0);
    }
    vdnn_training_case_expect_weights_of(away, here);
}

float *vdnn_training_case_weights(const vdnn_training_case *c)
{
    char *all = vdnn_heap_calloc(vdnn_graph_param_bytes(c->graph), 1);
    size_t at = 0;
    assert_non_null(all);
    for (int32_t l = 0; l < c->graph->layer_count; l++) {
        const size_t bytes = c->graph->layers[l].param_bytes;
        if (bytes == 0 || !vdnn_graph_keeps(c->graph, l))
            continue;
        const vdnn_buffer *kept = &c->plan->buffers[c->plan->param_buffer[l]];
        assert_ok(vdnn_device_read(c->device, all + at, kept->tier, kept->offset, bytes));
        at += bytes;
    }
    return (float *)(void *)all;
}

void vdnn_training_case_expect_weights_of(const vdnn_training_case *c,
                                          const vdnn_training_case *other)
{
    float *own = vdnn_training_case_weights(c), *expected = vdnn_training_case_weights(other);
    assert_memory_equal(own, expected, vdnn_graph_param_bytes(other->graph));
    vdnn_heap_free(own);
    vdnn_heap_free(expected);
}
