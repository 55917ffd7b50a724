/* Properties of opt, over random networks and budgets: what its search may never do. */

#include "policies/registry.h"
#include "runtime/checker/checker.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

enum { TRIALS = 60, MOST_LAYERS = 12 };

typedef struct draw {
    vdnn_test_rng rng;
    uint64_t seed;
    vdnn_graph *graph;
    vdnn_profile *profile;
    size_t ample_bytes; /* that base takes with the fastest algorithms */
} draw;

static vdnn_policy_ask request_of(const draw *d, vdnn_algo_mode algo, size_t device_bytes)
{
    return (vdnn_policy_ask){.graph = d->graph,
                             .profile = d->profile,
                             .algo = algo,
                             .budget_bytes = {device_bytes, SIZE_MAX / 4}};
}

static draw draw_case(uint64_t seed)
{
    draw d = {.rng = {seed}, .seed = seed};
    vdnn_random_model request = vdnn_random_model_small(seed);
    vdnn_plan *plan;
    if (request.layers > MOST_LAYERS)
        request.layers = MOST_LAYERS;
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &d.graph));
    assert_ok(vdnn_test_profile_of(d.graph, VDNN_TEST_ROWS_FAKE, &d.profile));
    if (vdnn_test_between(&d.rng, 0, 1))
        vdnn_test_profile_slow(d.profile, &d.rng);
    const vdnn_policy_ask ample = request_of(&d, VDNN_ALGO_P, SIZE_MAX / 4);
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("base"), &ample, &plan, NULL));
    d.ample_bytes = plan->span_bytes[VDNN_TIER_DEVICE];
    vdnn_plan_destroy(plan);
    return d;
}

static void drop_case(draw *d)
{
    vdnn_profile_destroy(d->profile);
    vdnn_graph_destroy(d->graph);
}

static size_t draw_budget(draw *d)
{
    return (size_t)((double)d->ample_bytes * (double)vdnn_test_between(&d->rng, 20, 105) / 100);
}

static bool lasts(void *argument, int64_t trials)
{
    return trials < *(const int64_t *)argument;
}

static vdnn_status plan_opt(const draw *d, size_t device_bytes, int64_t trials, vdnn_plan **plan)
{
    const vdnn_policy_patience patience = {lasts, &trials};
    vdnn_policy_ask request = request_of(d, VDNN_ALGO_P, device_bytes);
    request.patience = &patience;
    vdnn_status status = vdnn_policy_ask_plan(vdnn_policy_find("opt"), &request, plan, NULL);
    assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
    if (status == VDNN_OK) {
        assert_ok(vdnn_checker_check(*plan, request.budget_bytes));
        assert_true((*plan)->policy[0] != '\0' && (*plan)->algo[0] != '\0');
    }
    return status;
}

/* HUGE_VAL: it does not fit. */
static double seconds_of(const draw *d, const vdnn_policy *policy, vdnn_algo_mode algo,
                         size_t device_bytes)
{
    vdnn_plan *plan = NULL;
    const vdnn_policy_ask request = request_of(d, algo, device_bytes);
    vdnn_status status = vdnn_policy_ask_plan(policy, &request, &plan, NULL);
    assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
    const double seconds = status == VDNN_OK ? plan->step_seconds : HUGE_VAL;
    vdnn_plan_destroy(plan);
    return seconds;
}

static void it_is_never_slower_than_another_policy_that_fits(void **state)
{
    (void)state;
    static const char *const policies[] = {"base", "all", "conv", "dyn"};
    for (int n = 0; n < vdnn_test_count(2000); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const size_t budget = draw_budget(&d);
        const int64_t trials = vdnn_test_between(&d.rng, 0, TRIALS);
        double best = HUGE_VAL;
        vdnn_plan *plan = NULL;
        for (size_t i = 0; i < 4; i++)
            for (int algo = 0; algo < 2; algo++)
                best = fmin(best, seconds_of(&d, vdnn_policy_find(policies[i]),
                                             (vdnn_algo_mode)algo, budget));
        vdnn_status status = plan_opt(&d, budget, trials, &plan);
        if (best < HUGE_VAL && (status != VDNN_OK || plan->step_seconds > best))
            fail_msg("seed %llu, %zu bytes, %lld trials: opt %.9g s, another policy %.9g s",
                     (unsigned long long)d.seed, budget, (long long)trials, plan->step_seconds,
                     best);
        vdnn_plan_destroy(plan);
        drop_case(&d);
    }
}

/* Also where it drifts from what it found. */
static void more_trials_never_give_a_slower_plan(void **state)
{
    (void)state;
    static const int64_t trials[] = {0, TRIALS, 10 * TRIALS, 50 * TRIALS};
    for (int n = 0; n < vdnn_test_count(100); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const size_t budget = draw_budget(&d);
        double last = HUGE_VAL;
        for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
            vdnn_plan *plan = NULL;
            vdnn_status status = plan_opt(&d, budget, trials[i], &plan);
            assert_true(status == VDNN_OK || last >= HUGE_VAL);
            if (status == VDNN_OK && plan->step_seconds > last)
                fail_msg("seed %llu, %zu bytes, %lld trials: %.9g s, %.9g s with less",
                         (unsigned long long)d.seed, budget, (long long)trials[i],
                         plan->step_seconds, last);
            if (status == VDNN_OK)
                last = plan->step_seconds;
            vdnn_plan_destroy(plan);
        }
        drop_case(&d);
    }
}

static void the_same_trials_give_the_same_plan(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const size_t budget = draw_budget(&d);
        vdnn_text texts[2] = {{0}, {0}};
        for (int k = 0; k < 2; k++) {
            vdnn_plan *plan = NULL;
            (void)plan_opt(&d, budget, n % 4 == 0 ? 50 * TRIALS : TRIALS, &plan);
            assert_ok(vdnn_plan_print(plan, &texts[k]));
            vdnn_plan_destroy(plan);
        }
        assert_string_equal(texts[0].data, texts[1].data);
        vdnn_text_fini(&texts[0]);
        vdnn_text_fini(&texts[1]);
        drop_case(&d);
    }
}

static void what_it_needs_at_least_is_exact_whatever_its_patience(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(100); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const int64_t trials = vdnn_test_between(&d.rng, 0, TRIALS);
        vdnn_plan *plan = NULL;
        assert_status(plan_opt(&d, 64, trials, &plan), VDNN_NO_FIT);
        const size_t smallest = plan->span_bytes[VDNN_TIER_DEVICE];
        vdnn_plan_destroy(plan);
        assert_ok(plan_opt(&d, smallest, trials, &plan));
        vdnn_plan_destroy(plan);
        assert_status(plan_opt(&d, smallest - 1, trials, &plan), VDNN_NO_FIT);
        assert_int_equal(plan->span_bytes[VDNN_TIER_DEVICE], smallest);
        vdnn_plan_destroy(plan);
        drop_case(&d);
    }
}

/* Under so many bytes, with what the planning found under earlier budgets. */
static void print_plan(const draw *d, size_t device_bytes, vdnn_planning *planning, vdnn_text *text)
{
    const vdnn_policy_ask ask = request_of(d, VDNN_ALGO_P, device_bytes);
    const vdnn_policy_request request = {.planning = planning, .algo = VDNN_ALGO_P};
    vdnn_plan *plan;
    vdnn_planning_begin(planning, ask.budget_bytes);
    const vdnn_status status = vdnn_policy_plan(vdnn_policy_find("opt"), &request, &plan, NULL);
    assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
    assert_ok(vdnn_plan_print(plan, text));
    vdnn_plan_destroy(plan);
}

static void what_was_found_under_another_budget_changes_no_plan(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(100); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const vdnn_policy_ask ask = request_of(&d, VDNN_ALGO_P, 64);
        vdnn_planning *planning = vdnn_policy_ask_planning(&ask);
        assert_non_null(planning);
        for (int k = 0; k < 3; k++) {
            const size_t budget = k == 0 ? 64 : draw_budget(&d);
            vdnn_text fresh = {0}, remembered = {0};
            vdnn_planning *other = vdnn_policy_ask_planning(&ask);
            assert_non_null(other);
            print_plan(&d, budget, other, &fresh);
            print_plan(&d, budget, planning, &remembered);
            assert_string_equal(fresh.data, remembered.data);
            vdnn_planning_destroy(other);
            vdnn_text_fini(&fresh);
            vdnn_text_fini(&remembered);
        }
        assert_non_null(vdnn_planning_findings(planning)->found);
        vdnn_planning_destroy(planning);
        drop_case(&d);
    }
}

static size_t smallest_bytes(const draw *d, const char *policy)
{
    int64_t none = 0;
    const vdnn_policy_patience patience = {lasts, &none};
    vdnn_policy_ask request = request_of(d, VDNN_ALGO_M, 1);
    vdnn_plan *plan = NULL;
    request.budget_bytes[VDNN_TIER_HOST] = 1;
    request.patience = &patience;
    assert_int_equal(vdnn_policy_ask_plan(vdnn_policy_find(policy), &request, &plan, NULL),
                     VDNN_NO_FIT);
    const size_t bytes = plan->span_bytes[VDNN_TIER_DEVICE];
    assert_true(plan->span_bytes[VDNN_TIER_HOST] <= 1);
    vdnn_plan_destroy(plan);
    return bytes;
}

/* By recomputing: of most networks there is something to recompute. */
static void without_host_memory_it_needs_less_than_base(void **state)
{
    (void)state;
    const int count = vdnn_test_count_for_share(200, 40);
    int less = 0;
    for (int n = 0; n < count; n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        const size_t base = smallest_bytes(&d, "base"), opt = smallest_bytes(&d, "opt");
        assert_true(opt <= base);
        less += opt < base;
        drop_case(&d);
    }
    if (3 * less < count)
        fail_msg("less in %d of %d", less, count);
}

static void nothing_is_moved_where_the_budget_is_enough(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        draw d = draw_case(vdnn_test_seed() + (uint64_t)n);
        vdnn_plan *plan = NULL;
        assert_ok(plan_opt(&d, SIZE_MAX / 4, TRIALS, &plan));
        assert_int_equal(plan->offload_bytes, 0);
        vdnn_plan_destroy(plan);
        drop_case(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_never_slower_than_another_policy_that_fits),
        cmocka_unit_test(more_trials_never_give_a_slower_plan),
        cmocka_unit_test(the_same_trials_give_the_same_plan),
        cmocka_unit_test(what_it_needs_at_least_is_exact_whatever_its_patience),
        cmocka_unit_test(what_was_found_under_another_budget_changes_no_plan),
        cmocka_unit_test(without_host_memory_it_needs_less_than_base),
        cmocka_unit_test(nothing_is_moved_where_the_budget_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
