/* The planner against decisions that no policy makes: any map may be offloaded and prefetched at
 * any legal layer, with any algorithms, under every release, gradient and synchronization rule. */

#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* How many maps there are a part at a time. */
static int32_t count_by_parts(const vdnn_graph *graph, const vdnn_decisions *decisions)
{
    int32_t count = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        count += vdnn_decisions_is_by_parts(graph, decisions, m);
    return count;
}

/* Whether the steps show what was decided for a map. What backward does not need is recomputed only
 * if something is recomputed from it. */
static bool is_shown(const vdnn_plan *plan, int32_t map, vdnn_action decided, vdnn_action shown)
{
    const bool may_be_idle = decided == VDNN_RECOMPUTE && plan->graph->maps[map].needed_count == 0;
    return shown == decided || (may_be_idle && shown == VDNN_DROP);
}

static void check_actions(const vdnn_plan *plan, const vdnn_decisions *decisions)
{
    vdnn_action *actions = NULL;
    assert_ok(vdnn_plan_find_actions(plan, &actions));
    for (int32_t m = 0; m < plan->graph->map_count; m++)
        if (!is_shown(plan, m, decisions->maps[m].action, actions[m]))
            fail_msg("map %d: %s was decided, and the steps show %s", (int)m,
                     vdnn_action_text(decisions->maps[m].action), vdnn_action_text(actions[m]));
    vdnn_heap_free(actions);
}

static int32_t check_one(uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    vdnn_random_model request = vdnn_random_model_small(seed);
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_random_model_graph(&request, (vdnn_rules)vdnn_test_between(&rng, 0, 1), &graph));
    assert_ok(vdnn_test_profile(graph, &profile));
    assert_ok(vdnn_random_decisions(graph, profile, &rng, &decisions));
    assert_ok(vdnn_planner_plan(graph, profile, &decisions, &plan));
    vdnn_status status = vdnn_checker_check(plan, plan->span_bytes);
    if (status != VDNN_OK)
        (void)fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    assert_ok(status);
    check_actions(plan, &decisions);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        assert_true(plan->peak_bytes[tier] <= plan->span_bytes[tier]);
    assert_true(plan->step_seconds >= plan->oracle_step_seconds * 0.999);
    const int32_t by_parts = count_by_parts(graph, &decisions);
    vdnn_plan_destroy(plan);
    vdnn_decisions_fini(&decisions);
    vdnn_profile_destroy(profile);
    vdnn_graph_destroy(graph);
    return by_parts;
}

static void every_legal_decision_becomes_a_plan_that_the_checker_proves(void **state)
{
    (void)state;
    int32_t by_parts = 0, count = vdnn_test_count(5000);
    for (int32_t i = 0; i < count; i++)
        by_parts += check_one(vdnn_test_seed() + 1000003u * (uint64_t)i);
    print_message("%d maps a part at a time\n", (int)by_parts);
    assert_true(by_parts > count / 50);
}

static void illegal_decisions_are_refused(void **state)
{
    (void)state;
    vdnn_random_model request = vdnn_random_model_small(vdnn_test_seed());
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_PAPER, &graph));
    assert_ok(vdnn_test_profile(graph, &profile));
    assert_ok(vdnn_decisions_init(&decisions, graph));
    for (int32_t m = 0; m < graph->map_count; m++) {
        const vdnn_map *map = &graph->maps[m];
        vdnn_map_decision kept = decisions.maps[m];
        if (map->kind != VDNN_MAP_FEATURE) {
            decisions.maps[m].action = VDNN_RECOMPUTE;
            assert_status(vdnn_planner_plan(graph, profile, &decisions, &plan), VDNN_INTERNAL);
            assert_message("cannot be recomputed");
            decisions.maps[m] = kept;
        }
        if (map->needed_count == 0)
            continue;
        decisions.maps[m] = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                                .leaves = map->last_forward - 1,
                                                .returns = map->needed_by[0],
                                                .spills = 0};
        assert_status(vdnn_planner_plan(graph, profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message("cannot leave");
        decisions.maps[m] = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                                .leaves = map->last_forward,
                                                .returns = map->needed_by[0] - 1,
                                                .spills = 0};
        assert_status(vdnn_planner_plan(graph, profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message("cannot return");
        decisions.maps[m] = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                                .leaves = map->last_forward,
                                                .returns = map->needed_by[0],
                                                .spills = 2};
        assert_status(vdnn_planner_plan(graph, profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message("cannot be offloaded that far");
        decisions.maps[m] = kept;
    }
    vdnn_decisions_fini(&decisions);
    vdnn_profile_destroy(profile);
    vdnn_graph_destroy(graph);
}

/* A whole long chain may be recomputed: each map from the one before it. */
static void a_network_that_is_recomputed_as_a_whole_keeps_only_its_input(void **state)
{
    (void)state;
    for (int i = 0; i < vdnn_test_count(500); i++) {
        vdnn_random_model request = vdnn_random_model_small(vdnn_test_seed() + (uint64_t)i);
        vdnn_graph *graph;
        vdnn_profile *profile;
        vdnn_decisions decisions;
        vdnn_plan *plan;
        request.micro_batches = 1;
        request.missing = 0;
        assert_ok(vdnn_random_model_graph(&request, (vdnn_rules)(i % 2), &graph));
        assert_ok(vdnn_test_profile(graph, &profile));
        assert_ok(vdnn_decisions_init(&decisions, graph));
        for (int32_t m = 0; m < graph->map_count; m++)
            if (graph->maps[m].kind == VDNN_MAP_FEATURE)
                decisions.maps[m].action = VDNN_RECOMPUTE;
        assert_ok(vdnn_planner_plan(graph, profile, &decisions, &plan));
        assert_int_equal(plan->span_bytes[VDNN_TIER_HOST], 0);
        assert_ok(vdnn_checker_check(plan, plan->span_bytes));
        int32_t loss = 0, again = 0;
        double seconds = 0;
        for (int32_t s = 0; s < plan->step_count; s++) {
            const vdnn_step *step = &plan->steps[s];
            if (step->kind == VDNN_STEP_RUN && step->layer == graph->layer_count - 1 && loss == 0)
                loss = s;
            if (step->kind != VDNN_STEP_RECOMPUTE)
                continue;
            again += step->part == 0;
            seconds += step->seconds;
            assert_true(loss > 0);
        }
        assert_true(again < graph->layer_count);
        assert_true(seconds == plan->recompute_seconds);
        for (int32_t b = 0; b < plan->buffer_count; b++)
            if (plan->buffers[b].class == VDNN_CLASS_FEATURE_MAP)
                assert_true(
                    plan->buffers[b].last_step <= loss || plan->buffers[b].first_step > loss ||
                    graph->maps[plan->buffers[b].map].last_forward == graph->layer_count - 1);
        vdnn_plan_destroy(plan);
        vdnn_decisions_fini(&decisions);
        vdnn_profile_destroy(profile);
        vdnn_graph_destroy(graph);
    }
}

/* What was tried once is not tried again, so two decisions must differ wherever their plans do. */
static void decisions_that_differ_in_one_rule_are_not_the_same(void **state)
{
    (void)state;
    vdnn_random_model request = vdnn_random_model_small(vdnn_test_seed());
    vdnn_graph *graph;
    vdnn_decisions decisions;
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &graph));
    assert_ok(vdnn_decisions_init(&decisions, graph));
    vdnn_decisions other = decisions; /* with the same arrays */
    other.policy = other.algo = "another label";
    assert_true(vdnn_decisions_same(&decisions, &other));
#define EXPECT_OTHER(type, member)                                                                 \
    do {                                                                                           \
        other = decisions;                                                                         \
        other.member = (type)!decisions.member;                                                    \
        assert_false(vdnn_decisions_same(&decisions, &other));                                     \
    } while (0)
    EXPECT_OTHER(vdnn_release, release);
    EXPECT_OTHER(vdnn_gradients, gradients);
    EXPECT_OTHER(vdnn_sync, sync);
    EXPECT_OTHER(vdnn_updates, updates);
    EXPECT_OTHER(vdnn_weight_copies, copies);
    EXPECT_OTHER(vdnn_loads, loads);
#undef EXPECT_OTHER
    assert_ok(vdnn_decisions_copy(&other, &decisions));
    assert_true(vdnn_decisions_same(&decisions, &other));
    other.maps[graph->map_count - 1].action = VDNN_DROP;
    assert_false(vdnn_decisions_same(&decisions, &other));
    other.maps[graph->map_count - 1] = decisions.maps[graph->map_count - 1];
    other.choice[graph->layer_count - 1][VDNN_FORWARD]++;
    assert_false(vdnn_decisions_same(&decisions, &other));
    other.choice[graph->layer_count - 1][VDNN_FORWARD]--;
    other.param_gradients[0] = VDNN_TIER_HOST;
    assert_false(vdnn_decisions_same(&decisions, &other));
    vdnn_decisions_fini(&other);
    vdnn_decisions_fini(&decisions);
    vdnn_graph_destroy(graph);
}

/* ---- any number of times --------------------------------------------------------------------- */

enum { CHAIN = 12 };
static const char chain[] = "name: chain\n"
                            "input: {channels: 4, height: 16, width: 16}\n"
                            "classes: 4\n"
                            "batch: 2\n"
                            "layers:\n"
                            "  - repeat: {count: 12, layers: [{name: 'c{i}', type: conv, out: 4, "
                            "kernel: 3, pad: 1}]}\n"
                            "  - {name: side, type: conv, out: 4, kernel: 1, from: c1}\n"
                            "  - {name: both, type: concat, from: [c12, side]}\n"
                            "  - {name: fc, type: fc, out: 4}\n"
                            "  - {name: loss, type: softmax_loss}\n";

typedef struct chained {
    vdnn_graph *graph;
    vdnn_profile *profile;
} chained;

static chained make_chain(void)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_model *model;
    chained made;
    assert_ok(vdnn_model_parse(chain, sizeof chain - 1, "chain.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &made.graph));
    assert_ok(vdnn_test_profile(made.graph, &made.profile));
    vdnn_model_destroy(model);
    return made;
}

static void end_chain(chained *made)
{
    vdnn_profile_destroy(made->profile);
    vdnn_graph_destroy(made->graph);
}

/* Every map that backward needs, and that can be, by the same action before its first use there,
 * and between two of them. */
static vdnn_plan *plan_chain(const chained *on, vdnn_action action, vdnn_action between)
{
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_eager_decisions(on->graph, VDNN_SYNC_BY_NEED, &decisions));
    for (int32_t m = 0; m < on->graph->map_count; m++) {
        vdnn_map_decision *decision = &decisions.maps[m];
        if (action != VDNN_OFFLOAD)
            decision->action = on->graph->maps[m].kind == VDNN_MAP_FEATURE ? action : VDNN_KEEP;
        if (between == decision->action ||
            (between == VDNN_OFFLOAD && on->graph->maps[m].needed_count > 0))
            decision->between = between;
    }
    assert_ok(vdnn_planner_plan(on->graph, on->profile, &decisions, &plan));
    assert_ok(vdnn_checker_check(plan, plan->span_bytes));
    vdnn_decisions_fini(&decisions);
    return plan;
}

static int32_t count_steps(const vdnn_plan *plan, vdnn_step_kind kind)
{
    int32_t count = 0;
    for (int32_t s = 0; s < plan->step_count; s++)
        count += plan->steps[s].kind == kind;
    return count;
}

/* From the input, each time: as many as there are below, and of maps two of a chain at a time. */
static void a_map_can_be_recomputed_for_each_layer_that_needs_it(void **state)
{
    (void)state;
    chained on = make_chain();
    vdnn_plan *once = plan_chain(&on, VDNN_RECOMPUTE, VDNN_KEEP),
              *each = plan_chain(&on, VDNN_RECOMPUTE, VDNN_RECOMPUTE);
    assert_int_equal(count_steps(once, VDNN_STEP_RECOMPUTE), CHAIN + 2);
    /* All for fc; c1 for side; what is below c12, and below each layer below it. */
    assert_int_equal(count_steps(each, VDNN_STEP_RECOMPUTE),
                     CHAIN + 2 + 1 + (CHAIN - 1) * CHAIN / 2);
    assert_true(2 * each->by_category[VDNN_CATEGORY_feature_maps] <
                once->by_category[VDNN_CATEGORY_feature_maps]);
    vdnn_plan_destroy(once);
    vdnn_plan_destroy(each);
    end_chain(&on);
}

static void a_map_can_be_copied_in_for_each_layer_that_needs_it(void **state)
{
    (void)state;
    chained on = make_chain();
    vdnn_plan *once = plan_chain(&on, VDNN_OFFLOAD, VDNN_KEEP),
              *each = plan_chain(&on, VDNN_OFFLOAD, VDNN_OFFLOAD);
    int32_t maps = 0, needs = 0;
    for (int32_t m = 0; m < on.graph->map_count; m++) {
        maps += on.graph->maps[m].needed_count > 0;
        needs += on.graph->maps[m].needed_count;
    }
    assert_true(needs > maps);
    assert_int_equal(count_steps(once, VDNN_STEP_COPY_IN), maps);
    assert_int_equal(count_steps(each, VDNN_STEP_COPY_IN), needs);
    assert_int_equal(count_steps(each, VDNN_STEP_COPY_OUT), maps);
    vdnn_plan_destroy(once);
    vdnn_plan_destroy(each);
    end_chain(&on);
}

/* The index of a step of a kind that moves a map's value; -1: none. */
static int32_t find_copy(const vdnn_plan *plan, vdnn_step_kind kind, int32_t map)
{
    for (int32_t s = 0; s < plan->step_count; s++)
        for (int32_t k = 0; k < plan->steps[s].access_count && plan->steps[s].kind == kind; k++)
            if (plan->buffers[plan->accesses[plan->steps[s].first_access + k].buffer].map == map)
                return s;
    return -1;
}

static int32_t layer_named(const vdnn_graph *graph, const char *name)
{
    int32_t l = 0;
    while (strcmp(graph->layers[l].name, name) != 0)
        l++;
    return l;
}

/* Nothing but the parameters of one layer moves. */
static vdnn_plan *plan_params(const chained *on, int32_t layer, vdnn_params_decision params)
{
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_decisions_init(&decisions, on->graph));
    decisions.params[layer] = params;
    assert_ok(vdnn_planner_plan(on->graph, on->profile, &decisions, &plan));
    assert_ok(vdnn_checker_check(plan, plan->span_bytes));
    vdnn_decisions_fini(&decisions);
    return plan;
}

static int32_t first_step(const vdnn_plan *plan, vdnn_step_kind kind, int32_t layer)
{
    for (int32_t s = 0; s < plan->step_count; s++)
        if (plan->steps[s].kind == kind && plan->steps[s].layer == layer)
            return s;
    return -1;
}

static void parameters_come_in_as_early_as_decided_and_once_if_they_stay(void **state)
{
    (void)state;
    chained on = make_chain();
    const int32_t fc = layer_named(on.graph, "fc"), c11 = layer_named(on.graph, "c11");
    vdnn_plan *near = plan_params(&on, fc, (vdnn_params_decision){.action = VDNN_OFFLOAD}),
              *far =
                  plan_params(&on, fc, (vdnn_params_decision){.action = VDNN_OFFLOAD, .ahead = 3}),
              *once =
                  plan_params(&on, fc, (vdnn_params_decision){.action = VDNN_OFFLOAD, .stays = 1});
    assert_true(first_step(near, VDNN_STEP_COPY_IN, fc) > first_step(near, VDNN_STEP_RUN, c11));
    assert_true(first_step(far, VDNN_STEP_COPY_IN, fc) < first_step(far, VDNN_STEP_RUN, c11));
    /* Weights for forward and for backward, and the state. */
    assert_int_equal(count_steps(near, VDNN_STEP_COPY_IN), 3);
    assert_int_equal(count_steps(far, VDNN_STEP_COPY_IN), 3);
    assert_int_equal(count_steps(once, VDNN_STEP_COPY_IN), 2);
    assert_int_equal(count_steps(once, VDNN_STEP_COPY_OUT), 2);
    vdnn_plan_destroy(near);
    vdnn_plan_destroy(far);
    vdnn_plan_destroy(once);
    end_chain(&on);
}

static void parameters_are_copied_out_as_late_as_decided(void **state)
{
    (void)state;
    chained on = make_chain();
    const int32_t fc = layer_named(on.graph, "fc");
    vdnn_plan *soon = plan_params(&on, fc, (vdnn_params_decision){.action = VDNN_OFFLOAD}),
              *late =
                  plan_params(&on, fc, (vdnn_params_decision){.action = VDNN_OFFLOAD, .behind = 1});
    const int32_t soon_out = first_step(soon, VDNN_STEP_COPY_OUT, fc),
                  late_out = first_step(late, VDNN_STEP_COPY_OUT, fc);
    assert_int_equal(count_steps(soon, VDNN_STEP_COPY_OUT), 2);
    assert_int_equal(count_steps(late, VDNN_STEP_COPY_OUT), 2);
    assert_int_equal(soon_out, first_step(soon, VDNN_STEP_UPDATE, fc) + 1);
    assert_true(late_out > first_step(late, VDNN_STEP_UPDATE, fc) + 1);
    assert_true(late->steps[late_out - 1].layer < fc);
    vdnn_plan_destroy(soon);
    vdnn_plan_destroy(late);
    end_chain(&on);
}

/* c1, which side needs far from c2; and those that are recomputed for fc, and wait for a layer far
 * below: once, in backward. */
static void a_map_can_be_offloaded_in_backward(void **state)
{
    static const vdnn_action before[] = {VDNN_KEEP, VDNN_RECOMPUTE};
    static const int32_t copies[] = {1, CHAIN - 1};
    (void)state;
    chained on = make_chain();
    for (int i = 0; i < 2; i++) {
        vdnn_plan *stays = plan_chain(&on, before[i], VDNN_KEEP),
                  *leaves = plan_chain(&on, before[i], VDNN_OFFLOAD);
        const int32_t c1 = on.graph->tensors[on.graph->layers[0].output].map,
                      out = find_copy(leaves, VDNN_STEP_COPY_OUT, c1),
                      in = find_copy(leaves, VDNN_STEP_COPY_IN, c1);
        assert_int_equal(count_steps(stays, VDNN_STEP_COPY_OUT), 0);
        assert_int_equal(count_steps(leaves, VDNN_STEP_COPY_OUT), copies[i]);
        assert_int_equal(count_steps(leaves, VDNN_STEP_COPY_IN), copies[i]);
        assert_int_equal(count_steps(leaves, VDNN_STEP_RECOMPUTE),
                         count_steps(stays, VDNN_STEP_RECOMPUTE));
        for (int32_t s = 0; s < leaves->step_count; s++)
            if (leaves->steps[s].kind == VDNN_STEP_RUN &&
                leaves->steps[s].pass == VDNN_BACKWARD_FILTER) {
                const char *name = on.graph->layers[leaves->steps[s].layer].name;
                assert_int_equal(s < out, strcmp(name, "fc") == 0 || strcmp(name, "side") == 0);
                assert_int_equal(s > in, name[0] == 'c' && name[1] <= '3' && name[2] == '\0');
            }
        vdnn_plan_destroy(stays);
        vdnn_plan_destroy(leaves);
    }
    end_chain(&on);
}

static void what_a_map_is_not_in_backward_is_refused(void **state)
{
    (void)state;
    static const vdnn_action wrong[] = {VDNN_RECOMPUTE, VDNN_DROP};
    chained on = make_chain();
    vdnn_decisions decisions;
    vdnn_plan *plan;
    for (int i = 0; i < 2; i++) {
        assert_ok(vdnn_eager_decisions(on.graph, VDNN_SYNC_BY_NEED, &decisions));
        decisions.maps[1].between = wrong[i];
        assert_status(vdnn_planner_plan(on.graph, on.profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message("between layers of backward that need it");
        vdnn_decisions_fini(&decisions);
    }
    end_chain(&on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_decision_becomes_a_plan_that_the_checker_proves),
        cmocka_unit_test(illegal_decisions_are_refused),
        cmocka_unit_test(decisions_that_differ_in_one_rule_are_not_the_same),
        cmocka_unit_test(a_network_that_is_recomputed_as_a_whole_keeps_only_its_input),
        cmocka_unit_test(a_map_can_be_recomputed_for_each_layer_that_needs_it),
        cmocka_unit_test(a_map_can_be_copied_in_for_each_layer_that_needs_it),
        cmocka_unit_test(parameters_come_in_as_early_as_decided_and_once_if_they_stay),
        cmocka_unit_test(parameters_are_copied_out_as_late_as_decided),
        cmocka_unit_test(a_map_can_be_offloaded_in_backward),
        cmocka_unit_test(what_a_map_is_not_in_backward_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
