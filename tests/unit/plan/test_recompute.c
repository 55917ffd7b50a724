/* Which maps policies recompute under the lean rules.
 *
 *   conv1 -> norm1, relu1 -> conv2 -> norm2 -+-> join, relu2 -> conv3 -> norm3, relu3 -> fc1
 *                 `--------------------------'
 * One pass over conv1's output gives conv2's input, and one over conv3's output fc1's input. The
 * input of conv3 is computed from norm2's output, which no backward pass needs.
 */

#include "policies/recompute.h"
#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/policy_ask.h"
#include "tests/support/policy_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static const char joined[] = "name: joined\n"
                             "input: {channels: 3, height: 16, width: 16}\n"
                             "classes: 10\n"
                             "batch: 4\n"
                             "layers:\n"
                             "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                             "  - {name: norm1, type: batchnorm}\n"
                             "  - {name: relu1, type: relu}\n"
                             "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"
                             "  - {name: norm2, type: batchnorm}\n"
                             "  - {name: join, type: add, from: [norm2, relu1]}\n"
                             "  - {name: relu2, type: relu}\n"
                             "  - {name: conv3, type: conv, out: 8, kernel: 3, pad: 1}\n"
                             "  - {name: norm3, type: batchnorm}\n"
                             "  - {name: relu3, type: relu}\n"
                             "  - {name: fc1, type: fc, out: 10}\n"
                             "  - {name: loss, type: softmax_loss}\n";

/* Every output of a batch norm is read by a convolution or, the last one, by fc1. */
static const char deep[] =
    "name: deep\n"
    "input: {channels: 8, height: 16, width: 16}\n"
    "classes: 10\n"
    "batch: 4\n"
    "layers:\n"
    "  - repeat: {count: 9, layers: [{name: 'c{i}', type: conv, out: 8, kernel: 3, pad: 1}, "
    "{name: 'n{i}', type: batchnorm}, {name: 'r{i}', type: relu}, "
    "{name: 'd{i}', type: conv, out: 8, kernel: 1}, {name: 'm{i}', type: batchnorm}]}\n"
    "  - {name: fc1, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n";

enum { NORMS = 18 };

typedef vdnn_policy_case fixture;

static void set_up(fixture *f, const char *text, vdnn_rules rules, vdnn_algo_mode algo)
{
    const vdnn_graph_options options = {.rules = rules, .dtype = VDNN_F32};
    vdnn_policy_case_open(f, text, &options, algo);
}

static int count_action(const vdnn_map_decision *maps, int32_t count, vdnn_action action)
{
    int found = 0;
    for (int32_t m = 0; m < count; m++)
        found += maps[m].action == action;
    return found;
}

static int recomputes_of(const vdnn_plan *plan)
{
    vdnn_action *actions = NULL;
    int found = 0;
    assert_ok(vdnn_plan_find_actions(plan, &actions));
    for (int32_t m = 0; m < plan->graph->map_count; m++)
        found += actions[m] == VDNN_RECOMPUTE;
    vdnn_heap_free(actions);
    return found;
}

static vdnn_action action_below(const fixture *f, const vdnn_decisions *decisions, const char *name)
{
    for (int32_t l = 0; l < f->graph->layer_count; l++)
        if (strcmp(f->graph->layers[l].name, name) == 0)
            return decisions->maps[f->graph->tensors[f->graph->layers[l].inputs[0]].map].action;
    fail_msg("there is no layer '%s'", name);
    return VDNN_KEEP;
}

static void base_recomputes_what_one_pass_over_a_kept_map_gives(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, joined, VDNN_RULES_LEAN, VDNN_ALGO_M);
    vdnn_decisions decisions = vdnn_policy_case_decide(&f, "base");
    assert_int_equal(action_below(&f, &decisions, "norm1"), VDNN_KEEP);
    assert_int_equal(action_below(&f, &decisions, "conv2"), VDNN_RECOMPUTE);
    assert_int_equal(action_below(&f, &decisions, "norm2"), VDNN_KEEP);
    assert_int_equal(action_below(&f, &decisions, "conv3"), VDNN_KEEP);
    assert_int_equal(action_below(&f, &decisions, "norm3"), VDNN_KEEP);
    assert_int_equal(action_below(&f, &decisions, "fc1"), VDNN_RECOMPUTE);
    assert_int_equal(count_action(decisions.maps, decisions.map_count, VDNN_RECOMPUTE), 2);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&f);
}

static void only_base_and_dyn_recompute_and_only_under_the_lean_rules(void **state)
{
    (void)state;
    static const char *const others[] = {"all", "conv"};
    fixture f;
    for (int algo = VDNN_ALGO_M; algo <= VDNN_ALGO_P; algo++) {
        set_up(&f, joined, VDNN_RULES_LEAN, (vdnn_algo_mode)algo);
        for (int i = 0; i < 2; i++) {
            vdnn_decisions decisions = vdnn_policy_case_decide(&f, others[i]);
            assert_int_equal(count_action(decisions.maps, decisions.map_count, VDNN_RECOMPUTE), 0);
            vdnn_decisions_fini(&decisions);
        }
        vdnn_policy_case_close(&f);
        set_up(&f, joined, VDNN_RULES_PAPER, (vdnn_algo_mode)algo);
        vdnn_decisions decisions = vdnn_policy_case_decide(&f, "base");
        assert_int_equal(count_action(decisions.maps, decisions.map_count, VDNN_RECOMPUTE), 0);
        vdnn_decisions_fini(&decisions);
        vdnn_policy_case_close(&f);
    }
}

static double leanest_step(const fixture *f)
{
    double seconds = 0;
    for (int32_t l = 0; l < f->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (f->profile->layers[l].choice_count[p] > 0)
                seconds += f->profile->layers[l].choices[p][0].seconds;
    return seconds;
}

/* What is not taken would not fit into what is left of the share. */
static int check_share(const fixture *f, const vdnn_policy_request *request,
                       const vdnn_decisions *all, double share)
{
    const double most = share * leanest_step(f) * (1 + 1e-9);
    double used = 0;
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    assert_ok(vdnn_recompute_choose(request, share, &decisions));
    for (int32_t m = 0; m < decisions.map_count; m++)
        if (decisions.maps[m].action == VDNN_RECOMPUTE)
            used += vdnn_recompute_seconds(request, &decisions, m);
    assert_true(used <= most);
    for (int32_t m = 0; m < decisions.map_count; m++)
        if (all->maps[m].action == VDNN_RECOMPUTE && decisions.maps[m].action == VDNN_KEEP)
            assert_true(used + vdnn_recompute_seconds(request, &decisions, m) > most);
    const int taken = count_action(decisions.maps, decisions.map_count, VDNN_RECOMPUTE);
    vdnn_decisions_fini(&decisions);
    return taken;
}

static void no_more_than_the_share_of_the_step_is_spent_on_recomputing(void **state)
{
    (void)state;
    static const double shares[] = {0, 0.001, 0.003, 0.01, 0.03, 0.1, 1};
    fixture f;
    vdnn_decisions all;
    int taken = 0, between = 0;
    set_up(&f, deep, VDNN_RULES_LEAN, VDNN_ALGO_P);
    assert_ok(vdnn_decisions_init(&all, f.graph));
    const vdnn_policy_request request = {.planning = vdnn_policy_ask_planning(&f.request),
                                         .algo = VDNN_ALGO_P};
    assert_non_null(request.planning);
    assert_ok(vdnn_recompute_choose(&request, 1, &all));
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        taken = check_share(&f, &request, &all, shares[i]);
        assert_true(i > 0 || taken == 0);
        between += taken > 0 && taken < NORMS;
    }
    assert_int_equal(taken, NORMS);
    vdnn_planning_destroy(request.planning);
    assert_true(between > 0);
    vdnn_decisions_fini(&all);
    vdnn_policy_case_close(&f);
}

static void recomputing_maps_takes_less_memory(void **state)
{
    (void)state;
    fixture f;
    vdnn_plan *plans[2];
    set_up(&f, deep, VDNN_RULES_LEAN, VDNN_ALGO_M);
    vdnn_decisions decisions = vdnn_policy_case_decide(&f, "base");
    assert_int_equal(count_action(decisions.maps, decisions.map_count, VDNN_RECOMPUTE), NORMS);
    assert_ok(vdnn_planner_plan(f.graph, f.profile, &decisions, &plans[0]));
    for (int32_t m = 0; m < decisions.map_count; m++)
        if (decisions.maps[m].action == VDNN_RECOMPUTE)
            decisions.maps[m].action = VDNN_KEEP;
    assert_ok(vdnn_planner_plan(f.graph, f.profile, &decisions, &plans[1]));
    assert_int_equal(plans[0]->span_bytes[VDNN_TIER_HOST], 0);
    assert_ok(vdnn_checker_check(plans[0], plans[0]->span_bytes));
    const size_t map_bytes = f.graph->maps[1].bytes;
    assert_true(plans[0]->peak_bytes[VDNN_TIER_DEVICE] + (NORMS - 3) * map_bytes <
                plans[1]->peak_bytes[VDNN_TIER_DEVICE]);
    assert_true(plans[0]->recompute_seconds > 0 && plans[1]->recompute_seconds == 0);
    assert_true(plans[0]->step_seconds > plans[1]->step_seconds);
    assert_true(plans[0]->oracle_step_seconds == plans[1]->oracle_step_seconds);
    for (int i = 0; i < 2; i++)
        vdnn_plan_destroy(plans[i]);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&f);
}

/* The images stay, three channels of eight, until the one who reads them padded needs them so. */
static void padded_images_are_recomputed_from_the_images(void **state)
{
    (void)state;
    const vdnn_graph_options options = {
        .rules = VDNN_RULES_LEAN, .dtype = VDNN_BF16, .preferred = VDNN_NHWC};
    vdnn_policy_case f;
    vdnn_plan *plan;
    vdnn_policy_case_open(&f, joined, &options, VDNN_ALGO_M);
    vdnn_decisions decisions = vdnn_policy_case_decide(&f, "base");
    assert_int_equal(action_below(&f, &decisions, "conv1"), VDNN_RECOMPUTE);
    assert_ok(vdnn_planner_plan(f.graph, f.profile, &decisions, &plan));
    assert_int_equal(plan->span_bytes[VDNN_TIER_HOST], 0);
    assert_ok(vdnn_checker_check(plan, plan->span_bytes));
    const int32_t input = vdnn_plan_edit_find_buffer(plan, VDNN_CLASS_INPUT);
    const vdnn_step *last = &plan->steps[plan->buffers[input].last_step];
    assert_int_equal(last->kind, VDNN_STEP_RECOMPUTE);
    assert_string_equal(f.graph->layers[last->layer].name, "input:nhwc8");
    vdnn_plan_destroy(plan);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&f);
}

/* From ample memory down, byte by byte where plans change: dyn's plans within `host_bytes`. */
typedef struct descent {
    int plans, with_some, with_all, offloading;
} descent;

static descent descend(size_t host_bytes)
{
    fixture f;
    vdnn_plan *plan;
    descent seen = {0};
    set_up(&f, deep, VDNN_RULES_LEAN, VDNN_ALGO_P);
    f.request.budget_bytes[VDNN_TIER_HOST] = host_bytes;
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &f.request, &plan, NULL));
    assert_int_equal(recomputes_of(plan), 0);
    assert_int_equal(plan->offload_bytes, 0);
    while (f.request.budget_bytes[VDNN_TIER_DEVICE] = plan->span_bytes[VDNN_TIER_DEVICE] - 1,
           vdnn_plan_destroy(plan),
           vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &f.request, &plan, NULL) == VDNN_OK) {
        assert_ok(vdnn_checker_check(plan, f.request.budget_bytes));
        const int recomputes = recomputes_of(plan);
        seen.plans++;
        seen.with_some += recomputes > 0 && recomputes < NORMS;
        seen.with_all += recomputes == NORMS;
        seen.offloading += plan->offload_bytes > 0;
    }
    vdnn_plan_destroy(plan);
    vdnn_policy_case_close(&f);
    return seen;
}

static void dyn_recomputes_no_more_than_it_must(void **state)
{
    (void)state;
    descent alone = descend(0), beside = descend(SIZE_MAX / 2);
    assert_true(alone.with_some > 0 && alone.with_all > 0);
    assert_int_equal(alone.offloading, 0);
    assert_true(beside.offloading > 0 && beside.plans >= alone.plans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_recomputes_what_one_pass_over_a_kept_map_gives),
        cmocka_unit_test(only_base_and_dyn_recompute_and_only_under_the_lean_rules),
        cmocka_unit_test(no_more_than_the_share_of_the_step_is_spent_on_recomputing),
        cmocka_unit_test(recomputing_maps_takes_less_memory),
        cmocka_unit_test(padded_images_are_recomputed_from_the_images),
        cmocka_unit_test(dyn_recomputes_no_more_than_it_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
