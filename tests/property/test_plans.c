#include "policies/registry.h"
#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One random case: a network, a rules, a profile. */
typedef struct draw {
    uint64_t seed;
    vdnn_test_rng rng;
    vdnn_graph *graph;
    vdnn_profile *profile;
} draw;

static draw draw_case(uint64_t seed)
{
    draw d = {.seed = seed, .rng = {seed}};
    const vdnn_random_model request = vdnn_random_model_small(seed);
    const vdnn_rules rules = vdnn_test_between(&d.rng, 0, 1) ? VDNN_RULES_LEAN : VDNN_RULES_PAPER;
    assert_ok(vdnn_random_model_graph(&request, rules, &d.graph));
    assert_ok(vdnn_test_profile_of(d.graph, VDNN_TEST_ROWS_FAKE, &d.profile));
    d.profile->has_link = vdnn_test_between(&d.rng, 0, 1);
    if (vdnn_test_between(&d.rng, 0, 1))
        vdnn_test_profile_slow(d.profile, &d.rng);
    return d;
}

static void drop_case(draw *d)
{
    vdnn_profile_destroy(d->profile);
    vdnn_graph_destroy(d->graph);
}

/* These come in twice, for forward and for backward, and leave once. */
static bool offloads_parameters(const vdnn_plan *plan)
{
    for (int32_t l = 0; l < plan->graph->layer_count; l++)
        if (plan->param_buffer[l] >= 0 && !vdnn_plan_keeps_params(plan, l))
            return true;
    return false;
}

static bool repeats_copies(const vdnn_decisions *decisions)
{
    for (int32_t m = 0; m < decisions->map_count; m++)
        if (decisions->maps[m].between == VDNN_OFFLOAD)
            return true;
    return false;
}

/* `repeats`: what is copied out may be copied in more than once. */
static void check_sums(const vdnn_plan *plan, bool repeats)
{
    size_t sum = 0;
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++) {
        sum += plan->by_category_at_peak[c];
        assert_true(plan->by_category_at_peak[c] <= plan->by_category[c]);
    }
    /* Only the span can hold the peak below the sum. */
    if (sum != plan->peak_bytes[VDNN_TIER_DEVICE])
        assert_true(sum > plan->span_bytes[VDNN_TIER_DEVICE] &&
                    plan->peak_bytes[VDNN_TIER_DEVICE] == plan->span_bytes[VDNN_TIER_DEVICE]);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        assert_true(plan->peak_bytes[tier] <= plan->span_bytes[tier]);
    assert_true(plan->device_average_bytes <= (double)plan->peak_bytes[VDNN_TIER_DEVICE]);
    assert_true(repeats || offloads_parameters(plan) ||
                plan->prefetch_bytes <= plan->offload_bytes);
    assert_true(plan->step_seconds > 0);
}

static void check_plan(const draw *d, const vdnn_plan *plan, bool repeats, const char *what)
{
    vdnn_status status = vdnn_checker_check(plan, plan->span_bytes);
    if (status != VDNN_OK)
        print_error("seed %llu, %s\n", (unsigned long long)d->seed, what);
    assert_ok(status);
    check_sums(plan, repeats);
}

/* A forward-only plan in the same arena: the same offsets for what persists. */
static void check_evaluation(const draw *d, const vdnn_plan *training, const vdnn_plan *plan)
{
    check_plan(d, plan, false, "evaluation");
    assert_false(plan->training);
    assert_int_equal(plan->offload_bytes, 0);
    for (int32_t l = 0; l < d->graph->layer_count; l++)
        if (training->param_buffer[l] >= 0)
            assert_int_equal(plan->buffers[plan->param_buffer[l]].offset,
                             training->buffers[training->param_buffer[l]].offset);
}

static vdnn_policy_ask draw_request(draw *d, size_t most_bytes)
{
    vdnn_policy_ask request = {.graph = d->graph, .profile = d->profile};
    request.algo = vdnn_test_between(&d->rng, 0, 1) ? VDNN_ALGO_P : VDNN_ALGO_M;
    request.budget_bytes[VDNN_TIER_DEVICE] =
        (size_t)((double)most_bytes * (double)vdnn_test_between(&d->rng, 20, 110) / 100);
    request.budget_bytes[VDNN_TIER_HOST] =
        vdnn_test_between(&d->rng, 0, 4) == 0 ? most_bytes / 4 : most_bytes;
    return request;
}

/* What the largest plan takes: budgets are shares of it. */
static size_t ample_bytes(const draw *d)
{
    const vdnn_policy_ask request = {.graph = d->graph,
                                     .profile = d->profile,
                                     .algo = VDNN_ALGO_P,
                                     .budget_bytes = {SIZE_MAX, SIZE_MAX}};
    vdnn_plan *plan;
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("base"), &request, &plan, NULL));
    const size_t bytes = plan->span_bytes[VDNN_TIER_DEVICE];
    vdnn_plan_destroy(plan);
    return bytes;
}

/* What is asked without a plan is what the plan takes. */
static void check_need(const vdnn_policy *policy, const vdnn_policy_ask *request,
                       const vdnn_plan *plan, vdnn_status fits)
{
    size_t span_bytes[VDNN_TIER_COUNT] = {0};
    const vdnn_policy_request asked = {.planning = vdnn_policy_ask_planning(request),
                                       .algo = request->algo};
    assert_non_null(asked.planning);
    assert_status(vdnn_policy_need(policy, &asked, span_bytes), fits);
    assert_memory_equal(span_bytes, plan->span_bytes, sizeof span_bytes);
    vdnn_planning_begin(asked.planning, request->budget_bytes);
    assert_status(vdnn_policy_is_enough(policy, &asked), fits);
    vdnn_planning_destroy(asked.planning);
}

static void every_plan_of_every_policy_passes_the_checker(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(2000); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const size_t most_bytes = ample_bytes(&d);
        for (size_t p = 0; p < vdnn_policy_count(); p++) {
            const vdnn_policy *policy = vdnn_policy_at(p);
            vdnn_policy_last last = {0};
            vdnn_policy_ask request = draw_request(&d, most_bytes);
            vdnn_plan *plan = NULL, *evaluation = NULL;
            request.last = &last;
            vdnn_status status = vdnn_policy_ask_plan(policy, &request, &plan, &evaluation);
            assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
            assert_non_null(plan);
            check_plan(&d, plan, repeats_copies(&last.decisions), policy->name);
            vdnn_policy_last_fini(&last);
            request.last = NULL;
            check_need(policy, &request, plan, status);
            assert_int_equal(status == VDNN_OK, vdnn_plan_fits(plan, request.budget_bytes));
            status = vdnn_checker_check(plan, request.budget_bytes);
            assert_int_equal(status == VDNN_OK, vdnn_plan_fits(plan, request.budget_bytes));
            check_evaluation(&d, plan, evaluation);
            vdnn_plan_destroy(evaluation);
            vdnn_plan_destroy(plan);
        }
        drop_case(&d);
    }
}

/* ---- planning -------------------------------------------------------------------------------- */

/* Of some decisions, their plan; all of one network are asked of one planning. */
typedef struct tried {
    vdnn_planning *planning;
    const vdnn_decisions *decisions;
    const vdnn_plan *plan;
} tried;

static bool may_fit(const vdnn_outcome *bound, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    bool fits = true;
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        fits = fits && bound->arena_bytes[tier] <= budget_bytes[tier];
    return fits;
}

/* No more than the plan takes, and not far below. */
static void check_bound(const tried *t)
{
    vdnn_outcome bound;
    assert_ok(vdnn_planning_evaluate(t->planning, t->decisions, VDNN_BOUND, &bound));
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++) {
        assert_true(bound.arena_bytes[tier] <= t->plan->span_bytes[tier]);
        /* Waits for memory may lengthen lives. */
        if (t->decisions->sync == VDNN_SYNC_EACH_LAYER)
            assert_true(bound.arena_bytes[tier] + vdnn_tier_alignment((vdnn_tier)tier) >
                        t->plan->peak_bytes[tier]);
    }
    assert_true(bound.step_seconds <= t->plan->step_seconds);
    assert_true(bound.step_seconds >= 0.999999 * t->plan->oracle_step_seconds);
    assert_int_equal(bound.offload_bytes, t->plan->offload_bytes);
    assert_int_equal(bound.fits, may_fit(&bound, t->planning->budget_bytes));
}

static void check_run(const tried *t)
{
    vdnn_outcome result;
    vdnn_plan_facts facts = {.size = sizeof facts};
    assert_ok(vdnn_planning_evaluate(t->planning, t->decisions, VDNN_WHOLE, &result));
    assert_ok(vdnn_plan_describe(t->plan, &facts));
    facts.policy = facts.algo = facts.peak_layer = NULL;
    assert_memory_equal(result.facts, &facts, sizeof facts);
    assert_int_equal(result.fits, vdnn_plan_fits(t->plan, t->planning->budget_bytes));
}

static void check_fits(const tried *t, vdnn_tier tier, bool expected)
{
    size_t excess_bytes = expected;
    assert_ok(vdnn_planning_excess(t->planning, t->decisions, tier, &excess_bytes));
    assert_int_equal(excess_bytes == 0, expected);
}

static void check_pack(const tried *t)
{
    vdnn_outcome packed;
    assert_ok(vdnn_planning_evaluate(t->planning, t->decisions, VDNN_PACKED, &packed));
    assert_memory_equal(packed.arena_bytes, t->plan->span_bytes, sizeof packed.arena_bytes);
}

/* The plan that is made of what was evaluated is that of a fresh planner. */
static void check_kept(const tried *t)
{
    vdnn_text texts[2] = {{0}, {0}};
    vdnn_plan *plan;
    assert_ok(vdnn_planning_plan(t->planning, t->decisions, &plan, NULL));
    assert_ok(vdnn_plan_print(plan, &texts[0]));
    assert_ok(vdnn_plan_print(t->plan, &texts[1]));
    assert_string_equal(texts[0].data, texts[1].data);
    vdnn_text_fini(&texts[0]);
    vdnn_text_fini(&texts[1]);
    vdnn_plan_destroy(plan);
}

/* Whether it fits, at the bytes that the plan takes and at one fewer. What is asked of the same
 * decisions one behind the other shares their steps, in any order. */
static void check_trials(vdnn_planning *planning, const vdnn_decisions *decisions,
                         const vdnn_plan *plan)
{
    const tried t = {planning, decisions, plan};
    size_t budget_bytes[VDNN_TIER_COUNT];
    memcpy(budget_bytes, plan->span_bytes, sizeof budget_bytes);
    vdnn_planning_begin(planning, budget_bytes);
    check_pack(&t);
    check_bound(&t);
    check_fits(&t, VDNN_TIER_COUNT, true);
    check_kept(&t);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++) {
        check_fits(&t, (vdnn_tier)tier, true);
        if (plan->span_bytes[tier] == 0)
            continue;
        budget_bytes[tier]--;
        vdnn_planning_begin(planning, budget_bytes);
        check_bound(&t);
        check_fits(&t, (vdnn_tier)tier, false);
        check_fits(&t, VDNN_TIER_COUNT, false);
        budget_bytes[tier]++;
        vdnn_planning_begin(planning, budget_bytes);
    }
    check_bound(&t);
    check_pack(&t);
    check_run(&t);
    check_pack(&t);
    check_fits(&t, VDNN_TIER_COUNT, true);
    check_kept(&t);
}

static void
every_plan_of_random_decisions_passes_the_checker_and_is_what_planning_says(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(2000); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        vdnn_planning *planning;
        assert_ok(vdnn_planning_create(d.graph, d.profile, NULL, NULL, &planning));
        for (int k = 0; k < 4; k++) {
            vdnn_decisions decisions;
            vdnn_plan *plan;
            assert_ok(vdnn_random_decisions(d.graph, d.profile, &d.rng, &decisions));
            assert_ok(vdnn_planner_plan(d.graph, d.profile, &decisions, &plan));
            check_plan(&d, plan, repeats_copies(&decisions), "random decisions");
            check_trials(planning, &decisions, plan);
            vdnn_plan_destroy(plan);
            vdnn_decisions_fini(&decisions);
        }
        vdnn_planning_destroy(planning);
        drop_case(&d);
    }
}

static void a_bound_allocates_nothing_once_the_workbench_is_large_enough(void **state)
{
    (void)state;
    draw d = draw_case(vdnn_test_seed());
    vdnn_planning *planning;
    vdnn_outcome bound;
    vdnn_decisions decisions[8];
    vdnn_live *live = calloc((size_t)d.graph->layer_count, sizeof(vdnn_live));
    size_t calls = 0;
    assert_non_null(live);
    assert_ok(vdnn_planning_create(d.graph, d.profile, NULL, NULL, &planning));
    vdnn_planning_begin(planning, vdnn_tier_unlimited);
    for (int k = 0; k < 8; k++)
        assert_ok(vdnn_random_decisions(d.graph, d.profile, &d.rng, &decisions[k]));
    for (int round = 0; round < 4; round++) {
        calls = vdnn_heap_call_count();
        for (int k = 0; k < 8; k++) {
            size_t excess_bytes;
            assert_ok(vdnn_planning_live(planning, &decisions[k], live, &bound)); /* ordered anew */
            assert_ok(
                vdnn_planning_excess(planning, &decisions[k], VDNN_TIER_DEVICE, &excess_bytes));
        }
    }
    assert_int_equal(vdnn_heap_call_count(), calls);
    free(live);
    for (int k = 0; k < 8; k++)
        vdnn_decisions_fini(&decisions[k]);
    vdnn_planning_destroy(planning);
    drop_case(&d);
}

/* What a static policy's plan takes; HUGE_VAL where it does not fit. */
static double static_seconds(const char *policy, vdnn_policy_ask request, vdnn_algo_mode algo)
{
    vdnn_plan *plan = NULL;
    request.algo = algo;
    vdnn_status status = vdnn_policy_ask_plan(vdnn_policy_find(policy), &request, &plan, NULL);
    assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
    const double seconds = status == VDNN_OK ? plan->step_seconds : HUGE_VAL;
    vdnn_plan_destroy(plan);
    return seconds;
}

static void under_the_lean_rules_dyn_is_as_fast_as_any_static_policy_that_fits(void **state)
{
    (void)state;
    static const char *const policies[] = {"base", "all", "conv"};
    for (int n = 0; n < vdnn_test_count(400); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const vdnn_policy_ask request = draw_request(&d, ample_bytes(&d));
        double best = HUGE_VAL;
        for (int p = 0; p < 3 && d.graph->rules == VDNN_RULES_LEAN; p++) {
            best = fmin(best, static_seconds(policies[p], request, VDNN_ALGO_M));
            best = fmin(best, static_seconds(policies[p], request, VDNN_ALGO_P));
        }
        if (best < HUGE_VAL) {
            vdnn_plan *plan = NULL;
            assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &request, &plan, NULL));
            if (plan->step_seconds > best)
                fail_msg("seed %llu: dyn %.9g s, a static policy %.9g s",
                         (unsigned long long)d.seed, plan->step_seconds, best);
            vdnn_plan_destroy(plan);
        }
        drop_case(&d);
    }
}

/* ---- smallest budgets ------------------------------------------------------------------------ */

/* The number behind "smallest is" in the message. */
static size_t named_bytes(void)
{
    const char *part = strstr(vdnn_status_message(), "smallest is ");
    assert_non_null(part);
    return (size_t)strtoull(part + strlen("smallest is "), NULL, 10);
}

static void expect_fit(const draw *d, const vdnn_policy *policy, vdnn_policy_ask request)
{
    vdnn_plan *plan = NULL;
    vdnn_status status = vdnn_policy_ask_plan(policy, &request, &plan, NULL);
    if (status != VDNN_OK)
        print_error("seed %llu, policy %s, %zu bytes\n", (unsigned long long)d->seed, policy->name,
                    request.budget_bytes[VDNN_TIER_DEVICE]);
    assert_ok(status);
    assert_ok(vdnn_checker_check(plan, request.budget_bytes));
    vdnn_plan_destroy(plan);
}

static void expect_no_fit(const vdnn_policy *policy, vdnn_policy_ask request, size_t *named)
{
    vdnn_plan *plan = NULL;
    assert_status(vdnn_policy_ask_plan(policy, &request, &plan, NULL), VDNN_NO_FIT);
    *named = named_bytes();
    assert_status(vdnn_checker_check(plan, request.budget_bytes), VDNN_NO_FIT);
    vdnn_plan_destroy(plan);
}

static void the_smallest_budget_that_is_named_is_exact(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        for (size_t p = 0; p < vdnn_policy_count(); p++) {
            const vdnn_policy *policy = vdnn_policy_at(p);
            vdnn_policy_ask request = {.graph = d.graph,
                                       .profile = d.profile,
                                       .algo = (vdnn_algo_mode)(n % 2),
                                       .budget_bytes = {64, SIZE_MAX}};
            size_t named, again;
            expect_no_fit(policy, request, &named);
            request.budget_bytes[VDNN_TIER_DEVICE] = named;
            expect_fit(&d, policy, request);
            request.budget_bytes[VDNN_TIER_DEVICE] = named - 1;
            expect_no_fit(policy, request, &again);
            assert_int_equal(again, named);
        }
        drop_case(&d);
    }
}

/* ---- whole plans ----------------------------------------------------------------------------- */

static void the_same_decisions_give_the_same_text(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        vdnn_decisions decisions;
        vdnn_text texts[2] = {{0}, {0}};
        assert_ok(vdnn_random_decisions(d.graph, d.profile, &d.rng, &decisions));
        for (int k = 0; k < 2; k++) {
            vdnn_plan *plan;
            assert_ok(vdnn_planner_plan(d.graph, d.profile, &decisions, &plan));
            assert_ok(vdnn_plan_print(plan, &texts[k]));
            vdnn_plan_destroy(plan);
        }
        assert_string_equal(texts[0].data, texts[1].data);
        vdnn_text_fini(&texts[0]);
        vdnn_text_fini(&texts[1]);
        vdnn_decisions_fini(&decisions);
        drop_case(&d);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void a_network_of_ten_thousand_layers_is_planned_and_checked_in_time(void **state)
{
    (void)state;
    const vdnn_random_model request = vdnn_random_model_big(vdnn_test_seed(), 10000);
    vdnn_graph *graph;
    vdnn_profile *profile;
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_PAPER, &graph));
    assert_ok(vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile));
    for (size_t p = 0; p < vdnn_policy_count(); p++) {
        const vdnn_policy_ask wanted = {.graph = graph,
                                        .profile = profile,
                                        .algo = VDNN_ALGO_P,
                                        .budget_bytes = {SIZE_MAX, SIZE_MAX}};
        vdnn_plan *plan;
        const double start = seconds_now();
        assert_ok(vdnn_policy_ask_plan(vdnn_policy_at(p), &wanted, &plan, NULL));
        const double planned = seconds_now();
        assert_ok(vdnn_checker_check(plan, plan->span_bytes));
        const double checked = seconds_now();
        print_message("%s: %d steps, %d buffers, planned in %.2f s, checked in %.2f s\n",
                      vdnn_policy_at(p)->name, plan->step_count, plan->buffer_count,
                      planned - start, checked - planned);
        assert_true(planned - start < 60);
        assert_true(checked - planned < 10);
        vdnn_plan_destroy(plan);
    }
    vdnn_profile_destroy(profile);
    vdnn_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_of_every_policy_passes_the_checker),
        cmocka_unit_test(
            every_plan_of_random_decisions_passes_the_checker_and_is_what_planning_says),
        cmocka_unit_test(a_bound_allocates_nothing_once_the_workbench_is_large_enough),
        cmocka_unit_test(under_the_lean_rules_dyn_is_as_fast_as_any_static_policy_that_fits),
        cmocka_unit_test(the_smallest_budget_that_is_named_is_exact),
        cmocka_unit_test(the_same_decisions_give_the_same_text),
        cmocka_unit_test(a_network_of_ten_thousand_layers_is_planned_and_checked_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
