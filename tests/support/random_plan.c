#include "tests/support/random_plan.h"

#include "runtime/planner/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"

/* From any layer on; not in micro-batches. */
static void load_late(const vdnn_graph *graph, vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    if (graph->micro_batches > 1)
        return;
    decisions->release = VDNN_RELEASE_LAST_USE;
    decisions->gradients = VDNN_GRADIENTS_EXACT;
    decisions->loads = VDNN_LOADS_LATE;
    decisions->load_layer = (int32_t)vdnn_test_between(rng, 0, graph->layer_count - 1);
}

/* With each of these the others are as likely as without. */
static vdnn_random_model mix_network(uint64_t seed, vdnn_random_model request)
{
    vdnn_test_rng rng = {seed ^ 0x6d69786564};
    request.layers = (int32_t)vdnn_test_between(&rng, 2, 8);
    request.clip_norm = vdnn_test_between(&rng, 0, 2) == 0 ? 0.5 : 0;
    request.micro_batches = (int32_t)vdnn_test_between(&rng, 0, 2);
    request.micro_batches += request.micro_batches == 0;
    request.missing = request.batch > 1 && request.micro_batches > 1 ? (int32_t)(seed % 2) : 0;
    request.copies = vdnn_test_between(&rng, 0, 3) == 0;
    request.words = vdnn_test_between(&rng, 0, 3) == 0;
    request.dtype = request.copies ? VDNN_BF16 : request.dtype;
    if (vdnn_test_between(&rng, 0, 1) == 0)
        return request;
    request.devices = (int32_t)vdnn_test_between(&rng, 2, 3);
    request.reduce = (vdnn_reduce_scheme)vdnn_test_between(&rng, 0, VDNN_REDUCE_COUNT - 1);
    request.shards = vdnn_test_between(&rng, 0, 1) == 0;
    if (request.shards)
        request.reduce = VDNN_REDUCE_RING;
    return request;
}

/* Small, so that its steps are in each other's way; every third has micro-batches; every fourth is
 * of several devices. */
static vdnn_random_model draw_network(uint64_t seed, vdnn_random_plan_kind kind)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    request.layers = 3 + request.layers / 5;
    if (seed % 3 != 0) /* else few of its layers have enough channels to be cut along them */
        request.preferred = VDNN_NCHW;
    if (seed / 3 % 3 == 0) {
        request.micro_batches = 2;
        request.missing = request.batch > 1 ? (int32_t)(seed % 2) : 0;
    }
    if (kind == VDNN_RANDOM_PLAN_MIXED || kind == VDNN_RANDOM_PLAN_BESIDE)
        return mix_network(seed, request);
    if (kind == VDNN_RANDOM_PLAN_RUNS) {
        request.dtype = VDNN_F32;
        request.words = false;
        request.preferred = VDNN_NCHW;
        return request;
    }
    if (seed % 4 == 0)
        request.devices = 2 + (int32_t)(seed / 4 % 2);
    if (seed % 4 == 0)
        request.reduce = (vdnn_reduce_scheme)(seed / 4 % VDNN_REDUCE_COUNT);
    request.shards = request.reduce == VDNN_REDUCE_RING && seed / 12 % 3 > 0;
    return request;
}

/* Of those of a single batch every third is loaded late; every eighth is an evaluation. */
void vdnn_random_plan_draw(vdnn_random_plan *drawn, uint64_t seed, vdnn_random_plan_kind kind)
{
    const vdnn_random_model request = draw_network(seed, kind);
    const vdnn_test_rows rows =
        kind == VDNN_RANDOM_PLAN_RUNS ? VDNN_TEST_ROWS_REAL : VDNN_TEST_ROWS_FAKE;
    vdnn_test_rng rng = {seed};
    vdnn_decisions decisions;
    *drawn = (vdnn_random_plan){.training = NULL};
    assert_ok(vdnn_random_model_graph(&request, (vdnn_rules)(seed / 2 % 2), &drawn->graph));
    assert_ok(vdnn_test_profile_of(drawn->graph, rows, &drawn->profile));
    assert_ok(vdnn_random_decisions(drawn->graph, drawn->profile, &rng, &decisions));
    if (seed % 3 == 2)
        load_late(drawn->graph, &rng, &decisions);
    if (request.copies) {
        decisions.copies = VDNN_WEIGHTS_KEPT;
        decisions.updates = VDNN_UPDATES_SEPARATE;
    }
    assert_ok(vdnn_planner_plan(drawn->graph, drawn->profile, &decisions, &drawn->plan));
    const bool evaluates = vdnn_test_between(&rng, 0, 7) == 0 || kind == VDNN_RANDOM_PLAN_BESIDE;
    if (evaluates && kind != VDNN_RANDOM_PLAN_RUNS) {
        drawn->training = drawn->plan;
        assert_ok(
            vdnn_planner_plan_evaluation(drawn->graph, drawn->profile, &decisions, &drawn->plan));
    }
    vdnn_decisions_fini(&decisions);
}

void vdnn_random_plan_fini(vdnn_random_plan *drawn)
{
    vdnn_plan_destroy(drawn->training);
    vdnn_plan_destroy(drawn->plan);
    vdnn_profile_destroy(drawn->profile);
    vdnn_graph_destroy(drawn->graph);
}
