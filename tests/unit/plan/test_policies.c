/* The paper's rules on one small network, worked out by hand:
 *
 *   index   0      1      2      3      4      5    6
 *   layer   conv1  relu1  pool1  conv2  relu2  fc1  loss
 *   reads   input  conv1  conv1  pool1  conv2  conv2 fc1     (maps: relu works in place)
 */

#include "policies/algorithm_choice.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/policy_ask.h"
#include "tests/support/policy_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static const char network[] = "name: small\n"
                              "input: {channels: 3, height: 16, width: 16}\n"
                              "classes: 10\n"
                              "batch: 4\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: pool1, type: maxpool, kernel: 2}\n"
                              "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1}\n"
                              "  - {name: relu2, type: relu}\n"
                              "  - {name: fc1, type: fc, out: 10}\n"
                              "  - {name: loss, type: softmax_loss}\n";

enum { CONV1, RELU1, POOL1, CONV2, RELU2, FC1, LOSS, LAYERS };

typedef vdnn_policy_case fixture;

static void set_up_of(fixture *f, const char *text, vdnn_rules rules)
{
    const vdnn_graph_options options = {.rules = rules, .dtype = VDNN_F32};
    vdnn_policy_case_open(f, text, &options, VDNN_ALGO_P);
}

static void set_up(fixture *f, vdnn_rules rules)
{
    set_up_of(f, network, rules);
    assert_int_equal(f->graph->layer_count, LAYERS);
}

static int32_t map_read_by(const fixture *f, int32_t layer)
{
    return f->graph->tensors[f->graph->layers[layer].inputs[0]].map;
}

static void assert_offloaded(const fixture *f, const vdnn_decisions *decisions, int32_t reader,
                             int32_t leaves, int32_t returns)
{
    const vdnn_map_decision *decision = &decisions->maps[map_read_by(f, reader)];
    assert_int_equal(decision->action, VDNN_OFFLOAD);
    assert_int_equal(decision->leaves, leaves);
    assert_int_equal(decision->returns, returns);
}

static int32_t offload_count(const vdnn_decisions *decisions)
{
    int32_t count = 0;
    for (int32_t m = 0; m < decisions->map_count; m++)
        count += decisions->maps[m].action == VDNN_OFFLOAD;
    return count;
}

static void all_offloads_the_inputs_of_convolutions_and_poolings(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, VDNN_RULES_PAPER);
    vdnn_decisions decisions = vdnn_policy_case_decide(&f, "all");
    assert_offloaded(&f, &decisions, CONV1, CONV1, RELU1);
    assert_offloaded(&f, &decisions, POOL1, POOL1, CONV2);
    assert_offloaded(&f, &decisions, CONV2, CONV2, LOSS);
    assert_int_equal(offload_count(&decisions), 3);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&f);
}

static void conv_offloads_the_inputs_of_convolutions_alone(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, VDNN_RULES_PAPER);
    vdnn_decisions decisions = vdnn_policy_case_decide(&f, "conv");
    assert_offloaded(&f, &decisions, CONV1, CONV1,
                     CONV2); /* the window reaches the nearest convolution */
    assert_offloaded(&f, &decisions, CONV2, CONV2, LOSS);
    assert_int_equal(offload_count(&decisions), 2);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&f);
}

static void under_the_slim_stash_a_pooling_offloads_its_argmax(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, VDNN_RULES_LEAN);
    vdnn_decisions decisions = vdnn_policy_case_decide(&f, "all");
    assert_int_equal(decisions.maps[map_read_by(&f, POOL1)].action, VDNN_DROP);
    const vdnn_map_decision *argmax = &decisions.maps[f.graph->aux_map[POOL1]];
    assert_int_equal(argmax->action, VDNN_OFFLOAD);
    assert_int_equal(argmax->leaves, CONV2);
    assert_int_equal(argmax->returns, CONV2);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&f);
}

static void choose_fastest(const fixture *f, vdnn_decisions *decisions)
{
    const vdnn_policy_request request = {.planning = vdnn_policy_ask_planning(&f->request)};
    assert_non_null(request.planning);
    assert_ok(vdnn_algorithm_choice(&request, VDNN_ALGO_P, decisions));
    vdnn_planning_destroy(request.planning);
}

static void the_modes_choose_the_least_workspace_and_the_fastest(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, VDNN_RULES_LEAN);
    f.request.algo = VDNN_ALGO_M;
    vdnn_decisions lean = vdnn_policy_case_decide(&f, "all");
    f.request.algo = VDNN_ALGO_P;
    vdnn_decisions fast = vdnn_policy_case_decide(&f, "all");
    for (int32_t l = 0; l < LAYERS; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_layer_profile *layer = &f.profile->layers[l];
            for (int32_t i = 0; i < layer->choice_count[p]; i++) {
                assert_true(layer->choices[p][lean.choice[l][p]].workspace_bytes <=
                            layer->choices[p][i].workspace_bytes);
                assert_true(layer->choices[p][fast.choice[l][p]].seconds <=
                            layer->choices[p][i].seconds);
            }
        }
    vdnn_decisions_fini(&lean);
    vdnn_decisions_fini(&fast);
    vdnn_policy_case_close(&f);
}

/* Choices of one pass of one layer, which is nearly the whole step; the other layers need nothing.
 */
static void p_under_the_slim_stash_gives_a_hundredth_of_the_step_for_memory(void **state)
{
    (void)state;
    static const vdnn_algorithm rows[] = {{.name = "none"}, {.name = "some"}, {.name = "much"}};
    static const struct {
        double none, some, much; /* seconds; workspaces of 0, 10 and 1000 bytes */
        const char *lean;
    } cases[] = {
        {1.02, 1.02, 1.0, "much"},     /* both cost more than the hundredth */
        {1.02, 1.005, 1.0, "some"},    /* the one that can be had */
        {1.009, 1.005, 1.0, "some"},   /* most bytes a second */
        {1.004, 1.003999, 1.0, "none"} /* likewise, by a little */
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        fixture f;
        bool is_slim = i % 2 == 0;
        const double seconds[] = {cases[i / 2].none, cases[i / 2].some, cases[i / 2].much};
        static const size_t bytes[] = {0, 10, 1000};
        set_up(&f, is_slim ? VDNN_RULES_LEAN : VDNN_RULES_PAPER);
        vdnn_profile_destroy(f.profile);
        assert_ok(vdnn_profile_create_empty(LAYERS, &f.profile));
        for (size_t k = 0; k < 3; k++)
            assert_ok(vdnn_profile_add(f.profile, CONV1, VDNN_FORWARD,
                                       (vdnn_choice){.algorithm = &rows[k],
                                                     .seconds = seconds[k],
                                                     .workspace_bytes = bytes[k]}));
        f.request.profile = f.profile;
        vdnn_decisions decisions;
        assert_ok(vdnn_decisions_init(&decisions, f.graph));
        choose_fastest(&f, &decisions);
        int32_t chosen = decisions.choice[CONV1][VDNN_FORWARD];
        assert_string_equal(f.profile->layers[CONV1].choices[VDNN_FORWARD][chosen].algorithm->name,
                            is_slim ? cases[i / 2].lean : "much");
        vdnn_decisions_fini(&decisions);
        vdnn_policy_case_close(&f);
    }
}

/* Many passes want to trade at once: together they get the hundredth, and no more. */
static void trades_together_cost_no_more_than_a_hundredth(void **state)
{
    (void)state;
    static const vdnn_algorithm lean = {.name = "lean"}, fast = {.name = "fast"};
    fixture f;
    set_up(&f, VDNN_RULES_LEAN);
    vdnn_profile_destroy(f.profile);
    assert_ok(vdnn_profile_create_empty(LAYERS, &f.profile));
    for (int32_t l = 0; l < LAYERS; l++) {
        assert_ok(vdnn_profile_add(
            f.profile, l, VDNN_FORWARD,
            (vdnn_choice){.algorithm = &fast, .seconds = 1.0, .workspace_bytes = 100 + (size_t)l}));
        assert_ok(vdnn_profile_add(
            f.profile, l, VDNN_FORWARD,
            (vdnn_choice){.algorithm = &lean, .seconds = 1.03, .workspace_bytes = 0}));
    }
    f.request.profile = f.profile;
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, f.graph));
    choose_fastest(&f, &decisions);
    for (int32_t l = 0; l < LAYERS; l++) /* 0.07 s for all: two, of the largest workspaces */
        assert_int_equal(decisions.choice[l][VDNN_FORWARD], l < LAYERS - 2 ? 1 : 0);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&f);
}

static size_t align(size_t bytes)
{
    return (bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

/* All weights, gradients and momenta, all maps, labels, two gradient buffers of the largest map,
 * and the largest workspace. */
static void the_peak_of_base_is_network_wide_allocation(void **state)
{
    (void)state;
    fixture f;
    vdnn_plan *plan;
    set_up(&f, VDNN_RULES_PAPER);
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("base"), &f.request, &plan, NULL));
    size_t expected = vdnn_graph_param_bytes(f.graph) + 2 * vdnn_graph_trainable_bytes(f.graph);
    for (int32_t m = 0; m < f.graph->map_count; m++)
        expected += f.graph->maps[m].bytes;
    expected += 4 * sizeof(int32_t);
    size_t largest = f.graph->maps[map_read_by(&f, POOL1)].bytes, workspace = 0;
    for (int32_t l = 0; l < LAYERS; l++)
        workspace = plan->workspace_bytes[l] > workspace ? plan->workspace_bytes[l] : workspace;
    expected += 2 * largest + workspace;
    assert_int_equal(plan->peak_bytes[VDNN_TIER_DEVICE], expected);
    assert_int_equal(plan->by_category[VDNN_CATEGORY_gradient_maps], 2 * largest);
    assert_true(plan->span_bytes[VDNN_TIER_DEVICE] <= align(expected) + 64 * VDNN_ALIGNMENT);
    assert_int_equal(plan->offload_bytes, 0);
    assert_int_equal(plan->span_bytes[VDNN_TIER_HOST], 0);
    vdnn_plan_destroy(plan);
    vdnn_policy_case_close(&f);
}

static void offloading_moves_each_map_out_and_back_once(void **state)
{
    (void)state;
    fixture f;
    vdnn_plan *plan;
    set_up(&f, VDNN_RULES_PAPER);
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("all"), &f.request, &plan, NULL));
    size_t expected = f.graph->maps[map_read_by(&f, CONV1)].bytes +
                      f.graph->maps[map_read_by(&f, POOL1)].bytes +
                      f.graph->maps[map_read_by(&f, CONV2)].bytes;
    assert_int_equal(plan->offload_bytes, expected);
    assert_int_equal(plan->prefetch_bytes, expected);
    assert_int_equal(plan->peak_bytes[VDNN_TIER_HOST], expected);
    vdnn_plan_destroy(plan);
    vdnn_policy_case_close(&f);
}

/* Shrinks the budget to one byte below each plan's arena, again and again. */
static void dyn_goes_through_distinct_plans_down_to_the_smallest(void **state)
{
    (void)state;
    fixture f;
    int plans = 0;
    size_t smallest = 0;
    set_up(&f, VDNN_RULES_PAPER);
    for (;; plans++) {
        vdnn_plan *plan;
        vdnn_status status = vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &f.request, &plan, NULL);
        smallest = plan->span_bytes[VDNN_TIER_DEVICE];
        if (status == VDNN_OK)
            assert_ok(vdnn_checker_check(plan, f.request.budget_bytes));
        vdnn_plan_destroy(plan);
        if (status != VDNN_OK) {
            assert_status(status, VDNN_NO_FIT);
            break;
        }
        f.request.budget_bytes[VDNN_TIER_DEVICE] = smallest - 1;
    }
    assert_true(plans >= 4);
    assert_int_equal(f.request.budget_bytes[VDNN_TIER_DEVICE],
                     smallest - 1); /* what was named is what last ran */
    vdnn_policy_case_close(&f);
}

static void dyn_with_ample_memory_keeps_everything_with_the_fastest_algorithms(void **state)
{
    (void)state;
    fixture f;
    vdnn_plan *plan;
    set_up(&f, VDNN_RULES_PAPER);
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &f.request, &plan, NULL));
    assert_int_equal(plan->offload_bytes, 0);
    assert_string_equal(plan->policy, "base");
    assert_string_equal(plan->algo, "p");
    vdnn_plan_destroy(plan);
    vdnn_policy_case_close(&f);
}

/* From the fastest plan without offload down, byte by byte where plans change. */
static void dyn_under_the_slim_stash_offloads_no_more_than_it_must(void **state)
{
    (void)state;
    fixture f;
    vdnn_plan *plan, *other;
    int between = 0;
    set_up_of(
        &f,
        "name: deep\n"
        "input: {channels: 8, height: 16, width: 16}\n"
        "classes: 10\n"
        "batch: 4\n"
        "layers:\n"
        "  - repeat: {count: 9, layers: [{name: 'c{i}', type: conv, out: 8, kernel: 3, pad: 1}, "
        "{name: 'r{i}', type: relu}]}\n"
        "  - {name: fc1, type: fc, out: 10}\n"
        "  - {name: loss, type: softmax_loss}\n",
        VDNN_RULES_LEAN);
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &f.request, &plan, NULL));
    assert_int_equal(plan->offload_bytes, 0);
    while (f.request.budget_bytes[VDNN_TIER_DEVICE] = plan->span_bytes[VDNN_TIER_DEVICE] - 1,
           vdnn_plan_destroy(plan),
           vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &f.request, &plan, NULL) == VDNN_OK) {
        assert_ok(vdnn_checker_check(plan, f.request.budget_bytes));
        if (strcmp(plan->algo, "p") != 0 || strcmp(plan->policy, "base") == 0)
            continue;
        assert_ok(vdnn_policy_ask_plan(vdnn_policy_find(plan->policy), &f.request, &other, NULL));
        assert_true(plan->offload_bytes > 0 && plan->offload_bytes <= other->offload_bytes);
        between += plan->offload_bytes < other->offload_bytes;
        vdnn_plan_destroy(other);
    }
    vdnn_plan_destroy(plan);
    assert_true(between > 0);
    vdnn_policy_case_close(&f);
}

static void a_host_tier_of_nothing_leaves_only_plans_without_offload(void **state)
{
    (void)state;
    fixture f;
    vdnn_plan *plan;
    set_up(&f, VDNN_RULES_PAPER);
    f.request.budget_bytes[VDNN_TIER_HOST] = 0;
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &f.request, &plan, NULL));
    assert_int_equal(plan->offload_bytes, 0);
    vdnn_plan_destroy(plan);
    assert_status(vdnn_policy_ask_plan(vdnn_policy_find("all"), &f.request, &plan, NULL),
                  VDNN_NO_FIT);
    assert_message("host budget of 0 bytes");
    vdnn_plan_destroy(plan);
    vdnn_policy_case_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_offloads_the_inputs_of_convolutions_and_poolings),
        cmocka_unit_test(conv_offloads_the_inputs_of_convolutions_alone),
        cmocka_unit_test(under_the_slim_stash_a_pooling_offloads_its_argmax),
        cmocka_unit_test(the_modes_choose_the_least_workspace_and_the_fastest),
        cmocka_unit_test(p_under_the_slim_stash_gives_a_hundredth_of_the_step_for_memory),
        cmocka_unit_test(trades_together_cost_no_more_than_a_hundredth),
        cmocka_unit_test(the_peak_of_base_is_network_wide_allocation),
        cmocka_unit_test(offloading_moves_each_map_out_and_back_once),
        cmocka_unit_test(dyn_goes_through_distinct_plans_down_to_the_smallest),
        cmocka_unit_test(dyn_with_ample_memory_keeps_everything_with_the_fastest_algorithms),
        cmocka_unit_test(dyn_under_the_slim_stash_offloads_no_more_than_it_must),
        cmocka_unit_test(a_host_tier_of_nothing_leaves_only_plans_without_offload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
