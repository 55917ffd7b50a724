/* The lower bound of a step's time under a budget, against all plans of small networks: each map
 * kept, recomputed or offloaded, under leanest, fastest and mixed algorithms. */

#include "runtime/planner/bound.h"
#include "runtime/planner/planner.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_MAPS = 6, MODES = 3, NETWORKS = 500, LEAST_NETWORKS = 30 };

/* Plans, and how many of them load ahead, have a bound above the oracle, and one close to what they
 * take. */
typedef struct tally {
    double plans, ahead, above_oracle, close;
} tally;

typedef struct fixture {
    vdnn_graph *graph;
    vdnn_profile *profile;
    int32_t maps[MOST_MAPS], map_count; /* that backward needs */
    tally own;
} fixture;

/* Networks of up to so many maps that backward needs; *f has none where this one has more. */
static void open_case(fixture *f, uint64_t seed)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    vdnn_test_rng rng = {seed};
    request.layers = (int32_t)vdnn_test_between(&rng, 1, 6);
    f->map_count = 0;
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &f->graph));
    assert_ok(vdnn_test_profile_of(f->graph, VDNN_TEST_ROWS_FAKE, &f->profile));
    double slower = vdnn_test_between(&rng, 0, 1) ? 1 : 30;
    f->profile->copy_out_bytes_per_second /= slower;
    f->profile->copy_in_bytes_per_second /= slower;
    f->profile->has_link = vdnn_test_between(&rng, 0, 1);
    if (vdnn_test_between(&rng, 0, 1))
        vdnn_test_profile_slow(f->profile, &rng);
    for (int32_t m = 0; m < f->graph->map_count; m++)
        if (f->graph->maps[m].needed_count > 0) {
            if (f->map_count < MOST_MAPS)
                f->maps[f->map_count] = m;
            f->map_count++;
        }
}

static void close_case(fixture *f)
{
    vdnn_profile_destroy(f->profile);
    vdnn_graph_destroy(f->graph);
}

/* 0: keep, 1: offload, 2: recompute. False: the map cannot. */
static bool decide(const fixture *f, int32_t map, int action, vdnn_decisions *decisions)
{
    const vdnn_map *own = &f->graph->maps[map];
    static const vdnn_action actions[] = {VDNN_KEEP, VDNN_OFFLOAD, VDNN_RECOMPUTE};
    decisions->maps[map] = (vdnn_map_decision){
        .action = actions[action], .leaves = own->last_forward, .returns = own->needed_by[0]};
    return action != 2 ||
           vdnn_decisions_recompute_refusal(f->graph, f->profile, decisions, map) == NULL;
}

static void choose(const fixture *f, int mode, vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < f->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            int32_t count = f->profile->layers[l].choice_count[p];
            if (count == 0)
                continue;
            int32_t fastest = vdnn_profile_fastest(f->profile, l, (vdnn_pass)p);
            const int32_t by_mode[] = {0, fastest};
            decisions->choice[l][p] =
                mode < 2 ? by_mode[mode] : (int32_t)vdnn_test_between(rng, 0, count - 1);
        }
}

/* With no more than the plan takes, no plan can be faster than the bound: not this one either. */
static void check_plan(fixture *f, const vdnn_plan *plan)
{
    double bound = 0;
    assert_ok(vdnn_bound_seconds(plan, f->profile, plan->span_bytes, &bound));
    assert_true(bound <= plan->step_seconds * (1 + 1e-12));
    assert_true(bound >= plan->oracle_step_seconds * (1 - 1e-12));
    f->own.plans++;
    f->own.ahead += plan->loads != VDNN_LOADS_OWN;
    f->own.above_oracle += bound > 1.001 * plan->oracle_step_seconds;
    f->own.close += bound > 0.95 * plan->step_seconds;
}

static void check_decisions(fixture *f, uint64_t number, int mode, vdnn_test_rng *rng)
{
    vdnn_decisions decisions;
    vdnn_plan *plan;
    bool can = true;
    assert_ok(vdnn_decisions_init(&decisions, f->graph));
    decisions.sync = VDNN_SYNC_BY_NEED;
    decisions.updates = number % 2 == 0 ? VDNN_UPDATES_FUSED : VDNN_UPDATES_SEPARATE;
    if (vdnn_decisions_may_load_ahead(f->graph, f->profile))
        decisions.loads = (vdnn_loads)(number / 2 % VDNN_LOADS_COUNT);
    if (decisions.loads == VDNN_LOADS_LATE)
        decisions.load_layer = (int32_t)(number % (uint64_t)f->graph->layer_count);
    choose(f, mode, rng, &decisions);
    for (int32_t i = 0; i < f->map_count && can; i++, number /= 3)
        can = decide(f, f->maps[i], (int)(number % 3), &decisions);
    if (can) {
        assert_ok(vdnn_planner_plan(f->graph, f->profile, &decisions, &plan));
        check_plan(f, plan);
        vdnn_plan_destroy(plan);
    }
    vdnn_decisions_fini(&decisions);
}

/* A network has the weight of one plan: a few have almost all of them. */
static void add_network(const tally *own, tally *sum)
{
    if (own->plans == 0)
        return;
    sum->plans++;
    sum->ahead += own->ahead / own->plans;
    sum->above_oracle += own->above_oracle / own->plans;
    sum->close += own->close / own->plans;
}

static void no_plan_that_fits_is_faster_than_the_bound(void **state)
{
    (void)state;
    fixture f = {0};
    tally sum = {0};
    const int count = vdnn_test_count_for_share(NETWORKS, LEAST_NETWORKS);
    for (int n = 0; n < count; n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_test_rng rng = {seed};
        open_case(&f, seed);
        f.own = (tally){0};
        uint64_t all = 1;
        for (int32_t i = 0; i < f.map_count && f.map_count <= MOST_MAPS; i++)
            all *= 3;
        for (uint64_t k = 0; k < all; k++)
            for (int mode = 0; mode < MODES && f.map_count <= MOST_MAPS; mode++)
                check_decisions(&f, k, mode, &rng);
        add_network(&f.own, &sum);
        close_case(&f);
    }
    print_message(
        "of the plans of %.0f networks %.0f %% load ahead; for %.0f %% the bound is above "
        "the oracle, for %.0f %% within 5 %% of the plan\n",
        sum.plans, 100 * sum.ahead / sum.plans, 100 * sum.above_oracle / sum.plans,
        100 * sum.close / sum.plans);
    assert_true(sum.ahead > sum.plans / 10 && sum.above_oracle > sum.plans / 20 &&
                sum.close > sum.plans / 100);
}

/* With ample memory it is what the fastest algorithms take, and never less with less memory. */
static void less_memory_never_lowers_it(void **state)
{
    (void)state;
    fixture f = {0};
    for (int n = 0; n < vdnn_test_count(NETWORKS); n++) {
        vdnn_decisions decisions;
        vdnn_plan *plan;
        open_case(&f, vdnn_test_seed() + (uint64_t)n);
        assert_ok(vdnn_decisions_init(&decisions, f.graph));
        choose(&f, 1, NULL, &decisions);
        assert_ok(vdnn_planner_plan(f.graph, f.profile, &decisions, &plan));
        double before = plan->oracle_step_seconds, bound = 0;
        assert_ok(vdnn_bound_seconds(plan, f.profile, vdnn_tier_unlimited, &bound));
        assert_true(fabs(bound - before) <= 1e-12 * before);
        assert_true(plan->step_seconds >= bound * (1 - 1e-12));
        for (size_t bytes = plan->span_bytes[VDNN_TIER_DEVICE]; bytes > 0;
             bytes -= bytes / 16 + 1) {
            const size_t budget_bytes[VDNN_TIER_COUNT] = {bytes, SIZE_MAX / 2};
            assert_ok(vdnn_bound_seconds(plan, f.profile, budget_bytes, &bound));
            assert_true(bound >= before * (1 - 1e-12));
            before = bound;
        }
        assert_true(bound == HUGE_VAL); /* of one byte */
        vdnn_plan_destroy(plan);
        vdnn_decisions_fini(&decisions);
        close_case(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_that_fits_is_faster_than_the_bound),
        cmocka_unit_test(less_memory_never_lowers_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
