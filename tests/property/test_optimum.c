/* Opt against every plan of small networks: each map kept, recomputed, or offloaded with its copies
 * hidden by one layer or by two, under the leanest and the fastest algorithms, with every way to
 * load.
 */

#include "policies/late_load.h"
#include "policies/registry.h"
#include "runtime/planner/planner.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

enum { MOST_MAPS = 5, CHOICES = 4, MOST_LAYERS = 4, WAYS = 2 * VDNN_LOADS_COUNT };

static const int64_t TRIALS = 3000;

/* Of the best plan there is; opt is to be within that in so many of a hundred cases. */
static const double NEAR = 1.05;
enum { NEAR_PERCENT = 95, NETWORKS = 1000 }; /* a share of fewer would be one of a dozen cases */

typedef struct small_case {
    vdnn_graph *graph;
    vdnn_profile *profile;
    int32_t maps[MOST_MAPS], map_count; /* that backward needs */
    size_t budget_bytes[VDNN_TIER_COUNT];
} small_case;

static bool lasts(void *argument, int64_t trials)
{
    (void)argument;
    return trials < TRIALS;
}

static vdnn_policy_ask request_of(const small_case *own, size_t device_bytes,
                                  const vdnn_policy_patience *patience)
{
    return (vdnn_policy_ask){.graph = own->graph,
                             .profile = own->profile,
                             .algo = VDNN_ALGO_P,
                             .budget_bytes = {device_bytes, SIZE_MAX / 4},
                             .patience = patience};
}

/* HUGE_VAL: it does not fit. */
static double plan_of(const char *policy, const vdnn_policy_ask *request, size_t *arena_bytes)
{
    vdnn_plan *plan = NULL;
    vdnn_status status = vdnn_policy_ask_plan(vdnn_policy_find(policy), request, &plan, NULL);
    assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
    double seconds = status == VDNN_OK ? plan->step_seconds : HUGE_VAL;
    *arena_bytes = plan->span_bytes[VDNN_TIER_DEVICE];
    vdnn_plan_destroy(plan);
    return seconds;
}

/* A network of few maps that backward needs, with a slow link or a fast one, and a budget between
 * what opt needs at least and what base takes. */
static small_case open_case(uint64_t seed)
{
    small_case own = {.map_count = 0};
    vdnn_test_rng rng = {seed};
    vdnn_random_model request = vdnn_random_model_small(seed);
    size_t ample, least;
    request.layers = (int32_t)vdnn_test_between(&rng, 2, MOST_LAYERS);
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &own.graph));
    assert_ok(vdnn_test_profile_of(own.graph, VDNN_TEST_ROWS_FAKE, &own.profile));
    const double slower = vdnn_test_between(&rng, 0, 1) ? 1 : 30;
    own.profile->copy_out_bytes_per_second /= slower;
    own.profile->copy_in_bytes_per_second /= slower;
    for (int32_t m = 0; m < own.graph->map_count; m++)
        if (own.graph->maps[m].needed_count > 0) {
            if (own.map_count < MOST_MAPS)
                own.maps[own.map_count] = m;
            own.map_count++;
        }
    const vdnn_policy_ask with_all = request_of(&own, SIZE_MAX / 4, NULL),
                          with_none = request_of(&own, 64, NULL);
    (void)plan_of("base", &with_all, &ample);
    (void)plan_of("opt", &with_none, &least);
    own.budget_bytes[VDNN_TIER_DEVICE] =
        least + (size_t)((double)(ample > least ? ample - least : 0) *
                         (double)vdnn_test_between(&rng, 0, 100) / 100);
    own.budget_bytes[VDNN_TIER_HOST] = SIZE_MAX / 4;
    return own;
}

static void close_case(small_case *own)
{
    vdnn_profile_destroy(own->profile);
    vdnn_graph_destroy(own->graph);
}

/* False: the map cannot. */
static bool decide(const small_case *own, int32_t map, int choice, vdnn_decisions *decisions)
{
    const int32_t last = own->graph->layer_count - 1, more = choice == 2;
    const vdnn_map *at = &own->graph->maps[map];
    static const vdnn_action actions[CHOICES] = {VDNN_KEEP, VDNN_OFFLOAD, VDNN_OFFLOAD,
                                                 VDNN_RECOMPUTE};
    const int32_t leaves = at->last_forward + more, returns = at->needed_by[0] + more;
    decisions->maps[map] = (vdnn_map_decision){.action = actions[choice],
                                               .leaves = leaves < last ? leaves : last,
                                               .returns = returns < last ? returns : last};
    return actions[choice] != VDNN_RECOMPUTE ||
           vdnn_decisions_recompute_refusal(own->graph, own->profile, decisions, map) == NULL;
}

static void choose_fastest(const small_case *own, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < own->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (own->profile->layers[l].choice_count[p] > 0)
                decisions->choice[l][p] = vdnn_profile_fastest(own->profile, l, (vdnn_pass)p);
}

/* The plan of that number; HUGE_VAL: it cannot be, or does not fit. */
static double seconds_of(const small_case *own, vdnn_planning *planning, uint64_t number)
{
    vdnn_decisions decisions;
    vdnn_outcome time = {.fits = false};
    bool can = true;
    assert_ok(vdnn_decisions_init(&decisions, own->graph));
    decisions.sync = VDNN_SYNC_BY_NEED;
    if (number % 2)
        choose_fastest(own, &decisions);
    if (vdnn_decisions_may_load_ahead(own->graph, own->profile))
        decisions.loads = (vdnn_loads)(number / 2 % VDNN_LOADS_COUNT);
    if (decisions.loads == VDNN_LOADS_LATE)
        vdnn_late_load_decide(own->graph, own->profile, &decisions);
    number /= WAYS;
    for (int32_t i = 0; i < own->map_count && can; i++, number /= CHOICES)
        can = decide(own, own->maps[i], (int)(number % CHOICES), &decisions);
    if (can)
        assert_ok(vdnn_planning_evaluate(planning, &decisions, VDNN_TIMED, &time));
    vdnn_decisions_fini(&decisions);
    return time.fits ? time.step_seconds : HUGE_VAL;
}

static double least_seconds(const small_case *own)
{
    vdnn_planning *planning;
    uint64_t all = WAYS;
    double least = HUGE_VAL;
    assert_ok(vdnn_planning_create(own->graph, own->profile, NULL, NULL, &planning));
    vdnn_planning_begin(planning, own->budget_bytes);
    for (int32_t i = 0; i < own->map_count; i++)
        all *= CHOICES;
    for (uint64_t k = 0; k < all; k++)
        least = fmin(least, seconds_of(own, planning, k));
    vdnn_planning_destroy(planning);
    return least;
}

static void opt_is_close_to_the_best_of_all_plans(void **state)
{
    (void)state;
    const vdnn_policy_patience patience = {lasts, NULL};
    int cases = 0, near = 0, better = 0;
    double worst = 0;
    for (int n = 0; n < NETWORKS; n++) {
        small_case own = open_case(vdnn_test_seed() + (uint64_t)n);
        const double least = own.map_count > MOST_MAPS ? HUGE_VAL : least_seconds(&own);
        if (least < HUGE_VAL) {
            size_t arena;
            const vdnn_policy_ask request =
                request_of(&own, own.budget_bytes[VDNN_TIER_DEVICE], &patience);
            const double seconds = plan_of("opt", &request, &arena);
            cases++;
            near += seconds <= NEAR * least;
            better += seconds < least * (1 - 1e-9);
            worst = fmax(worst, seconds / least);
        }
        close_case(&own);
    }
    print_message(
        "%d networks: opt is within 5 %% of the best of all plans in %d, faster than that "
        "in %d; at most %.3f times as slow\n",
        cases, near, better, worst);
    assert_true(cases > 0 && 100 * near >= NEAR_PERCENT * cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opt_is_close_to_the_best_of_all_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
