/* The lower bound of a step's time under a budget, against all plans of small networks: each map
 * kept, recomputed or offloaded, under leanest, fastest and mixed algorithms. */

#include "models/model.h"
#include "policies/registry.h"
#include "runtime/plan/required.h"
#include "runtime/planner/bound/bound.h"
#include "runtime/planner/planner.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So that maps take more than parameters, which may be away. */
enum { MORE_SAMPLES = 8 };

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
    request.batch *= MORE_SAMPLES;
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
    assert_true(vdnn_required_by_whole_layers(f->graph) <= plan->span_bytes[VDNN_TIER_DEVICE]);
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

/* ---- in parts -------------------------------------------------------------------------------- */

/* Of one network, as it is and with the layers that can be in parts. */
typedef struct cut {
    vdnn_graph *whole, *graph;
    vdnn_profile *of_whole, *profile;
    double oracle_seconds;
} cut;

/* The fastest of all plans of the network as it is, whatever their modes. */
static double find_oracle(const cut *c)
{
    double least = HUGE_VAL;
    for (int updates = 0; updates < 2; updates++) {
        vdnn_decisions plain;
        vdnn_plan *plan;
        assert_ok(vdnn_decisions_init(&plain, c->whole));
        plain.updates = (vdnn_updates)updates;
        assert_ok(vdnn_planner_plan(c->whole, c->of_whole, &plain, &plan));
        least = fmin(least, vdnn_bound_unlimited(plan, c->of_whole));
        vdnn_plan_destroy(plan);
        vdnn_decisions_fini(&plain);
    }
    return least;
}

/* Blocks of a convolution, a batch norm, which is not cut, and a rectifier. */
static void write_blocks(vdnn_test_rng *rng, int64_t batch, vdnn_text *text)
{
    const int64_t blocks = vdnn_test_between(rng, 8, 24);
    vdnn_text_add(text,
                  "name: blocks\ninput: {channels: 4, height: 16, width: 16}\nclasses: 3\n"
                  "batch: %lld\nlayers:\n",
                  (long long)batch);
    for (int64_t i = 0; i < blocks; i++)
        vdnn_text_add(text,
                      "  - {name: conv%lld, type: conv, out: %lld, kernel: 3, pad: 1}\n"
                      "  - {name: norm%lld, type: batchnorm}\n"
                      "  - {name: relu%lld, type: relu}\n",
                      (long long)i, (long long)vdnn_test_between(rng, 6, 8), (long long)i,
                      (long long)i);
    vdnn_text_add(text, "  - {name: fc, type: fc, out: 3}\n"
                        "  - {name: loss, type: softmax_loss}\n");
}

static vdnn_graph *graph_in(const vdnn_model *model, const int32_t *parts)
{
    vdnn_graph *graph;
    const vdnn_graph_options options = {
        .micro_batches = 1, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .parts = parts};
    assert_ok(vdnn_graph_create(model, &options, &graph));
    return graph;
}

static void open_cut(cut *c, vdnn_test_rng *rng)
{
    enum { MOST_LAYERS = 80 };
    const double slower = vdnn_test_between(rng, 0, 1) ? 10 : 30;
    vdnn_text text = {0};
    vdnn_model *model;
    int32_t parts[MOST_LAYERS];
    write_blocks(rng, vdnn_test_between(rng, 8, 16), &text);
    assert_ok(vdnn_model_parse(text.data, strlen(text.data), "blocks.yaml", &model));
    c->whole = graph_in(model, NULL);
    assert_true(c->whole->layer_count <= MOST_LAYERS);
    for (int32_t l = 0; l < c->whole->layer_count; l++)
        parts[l] = vdnn_graph_most_parts(c->whole, l) > 1 ? 3 : 1;
    c->graph = graph_in(model, parts);
    vdnn_graph *const graphs[] = {c->whole, c->graph};
    vdnn_profile **const profiles[] = {&c->of_whole, &c->profile};
    for (int i = 0; i < 2; i++) {
        assert_ok(vdnn_test_profile_of(graphs[i], VDNN_TEST_ROWS_FAKE, profiles[i]));
        (*profiles[i])->copy_out_bytes_per_second /= slower;
        (*profiles[i])->copy_in_bytes_per_second /= slower;
        (*profiles[i])->has_link = true; /* batches may be loaded ahead, as some decisions want */
    }
    c->oracle_seconds = find_oracle(c);
    vdnn_model_destroy(model);
    vdnn_text_fini(&text);
}

/* The fastest algorithms, a batch that is loaded ahead, and of the maps a share that is offloaded.
 */
static void draw_offloads(const cut *c, vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    const int64_t share = vdnn_test_between(rng, 1, 3);
    assert_ok(vdnn_decisions_init(decisions, c->graph));
    decisions->sync = VDNN_SYNC_BY_NEED;
    decisions->updates = VDNN_UPDATES_FUSED;
    decisions->loads = VDNN_LOADS_AHEAD;
    for (int32_t l = 0; l < c->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (c->profile->layers[l].choice_count[p] > 0)
                decisions->choice[l][p] = vdnn_profile_fastest(c->profile, l, (vdnn_pass)p);
    for (int32_t m = 0; m < c->graph->map_count; m++) {
        const vdnn_map *map = &c->graph->maps[m];
        if (map->needed_count > 0 && vdnn_test_between(rng, 0, 3) < share)
            decisions->maps[m] = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                                     .leaves = c->graph->layer_count - 1,
                                                     .returns = c->graph->layer_count - 1};
    }
}

static void close_cut(cut *c)
{
    vdnn_profile_destroy(c->profile);
    vdnn_profile_destroy(c->of_whole);
    vdnn_graph_destroy(c->graph);
    vdnn_graph_destroy(c->whole);
}

static void in_parts_no_plan_that_fits_is_faster_than_the_bound(void **state)
{
    (void)state;
    enum { PLANS = 8 };
    double above = 0, all = 0, close = 0;
    for (int n = 0; n < vdnn_test_count_for_share(500, 30); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_test_rng rng = {seed};
        cut c;
        open_cut(&c, &rng);
        for (int i = 0; i < PLANS; i++) {
            vdnn_decisions decisions;
            vdnn_plan *plan;
            double bound;
            if (i < PLANS / 2)
                draw_offloads(&c, &rng, &decisions);
            else
                assert_ok(vdnn_random_decisions(c.graph, c.profile, &rng, &decisions));
            assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &plan));
            assert_ok(vdnn_bound_in_parts(c.whole, c.of_whole, c.oracle_seconds, plan->span_bytes,
                                          &bound));
            if (bound > plan->step_seconds * (1 + 1e-9) || bound < c.oracle_seconds * (1 - 1e-12))
                fail_msg("seed %llu: the bound is %.9g s, the oracle %.9g, a plan %.9g",
                         (unsigned long long)seed, bound, c.oracle_seconds, plan->step_seconds);
            above += bound > 1.001 * c.oracle_seconds;
            close += bound > 0.9 * plan->step_seconds;
            all++;
            vdnn_plan_destroy(plan);
            vdnn_decisions_fini(&decisions);
        }
        close_cut(&c);
    }
    print_message("of the plans in parts for %.0f %% the bound is above the oracle, for %.0f %% "
                  "within a tenth of the plan\n",
                  100 * above / all, 100 * close / all);
    assert_true(above > all / 20 && close > all / 100);
}

/* ---- plans that are close to it -------------------------------------------------------------- */

static bool lasts(void *argument, int64_t trials)
{
    (void)argument;
    return trials < 300;
}

/* Both bounds, of what opt finds under a budget. */
static void check_opt(const cut *c, size_t device_bytes, tally *own)
{
    const vdnn_policy_patience patience = {lasts, NULL};
    const vdnn_policy_ask request = {.graph = c->whole,
                                     .profile = c->of_whole,
                                     .algo = VDNN_ALGO_P,
                                     .patience = &patience,
                                     .budget_bytes = {device_bytes, SIZE_MAX / 4}};
    vdnn_plan *plan;
    double bounds[2];
    vdnn_status status = vdnn_policy_ask_plan(vdnn_policy_find("opt"), &request, &plan, NULL);
    if (status == VDNN_OK) {
        assert_ok(vdnn_bound_seconds(plan, c->of_whole, request.budget_bytes, &bounds[0]));
        assert_ok(vdnn_bound_in_parts(c->whole, c->of_whole, c->oracle_seconds,
                                      request.budget_bytes, &bounds[1]));
        for (int i = 0; i < 2; i++)
            if (bounds[i] > plan->step_seconds * (1 + 1e-9))
                fail_msg("%zu bytes: bound %d is %.9g s, the oracle %.9g, opt takes %.9g",
                         device_bytes, i, bounds[i], c->oracle_seconds, plan->step_seconds);
        own->plans++;
        own->above_oracle += bounds[1] > 1.001 * c->oracle_seconds;
        own->close += bounds[1] > 0.95 * plan->step_seconds;
    }
    vdnn_plan_destroy(plan);
}

static void what_opt_finds_is_close_above_the_bounds(void **state)
{
    (void)state;
    tally own = {0};
    for (int n = 0; n < vdnn_test_count(200); n++) {
        vdnn_test_rng rng = {vdnn_test_seed() + (uint64_t)n};
        cut c;
        open_cut(&c, &rng);
        size_t all = vdnn_graph_param_bytes(c.whole) + vdnn_graph_all_state_bytes(c.whole);
        for (int32_t m = 0; m < c.whole->map_count; m++)
            all += c.whole->maps[m].needed_count > 0 ? c.whole->maps[m].bytes : 0;
        for (size_t share = 4; share < 10; share += 2)
            check_opt(&c, all / 10 * share, &own);
        close_cut(&c);
    }
    print_message("of %.0f plans of opt for %.0f %% the bound in parts is above the oracle, for "
                  "%.0f %% within 5 %% of the plan\n",
                  own.plans, 100 * own.above_oracle / own.plans, 100 * own.close / own.plans);
    assert_true(own.above_oracle > own.plans / 4 && own.close > own.plans / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_that_fits_is_faster_than_the_bound),
        cmocka_unit_test(less_memory_never_lowers_it),
        cmocka_unit_test(in_parts_no_plan_that_fits_is_faster_than_the_bound),
        cmocka_unit_test(what_opt_finds_is_close_above_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
