/* Starts by prices, over random networks: no decision costs more than another, and what is offered
 * fits. */

#include "policies/opt/moves.h"
#include "policies/opt/prices.h"
#include "policies/opt/starts.h"
#include "policies/recompute.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

enum { MOST_LAYERS = 12, TRIALS = 2000 };

/* Of sums. */
static const double ROUNDING = 1 + 1e-9;

typedef struct priced_case {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_policy_patience patience;
    size_t budget_bytes[VDNN_TIER_COUNT];
    vdnn_policy_request request;
    vdnn_opt_search search;
    vdnn_decisions start;
} priced_case;

static bool lasts(void *argument, int64_t trials)
{
    (void)argument;
    return trials < TRIALS;
}

static void open_case(uint64_t seed, priced_case *own)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    *own = (priced_case){.patience = {lasts, NULL}};
    if (request.layers > MOST_LAYERS)
        request.layers = MOST_LAYERS;
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &own->graph));
    assert_ok(vdnn_test_profile_of(own->graph, VDNN_TEST_ROWS_FAKE, &own->profile));
    own->budget_bytes[VDNN_TIER_DEVICE] = own->budget_bytes[VDNN_TIER_HOST] = SIZE_MAX / 4;
    own->request.patience = &own->patience;
}

static void begin_search(priced_case *own)
{
    assert_ok(vdnn_planning_create(own->graph, own->profile, NULL, NULL, &own->request.planning));
    vdnn_planning_begin(own->request.planning, own->budget_bytes);
    assert_ok(vdnn_opt_search_init(&own->request, NULL, &own->search));
    assert_ok(vdnn_opt_start_fastest(&own->search, &own->start));
}

static void end_search(priced_case *own)
{
    vdnn_decisions_fini(&own->start);
    vdnn_opt_search_fini(&own->search);
    vdnn_planning_destroy(own->request.planning);
}

static void close_case(priced_case *own)
{
    vdnn_profile_destroy(own->profile);
    vdnn_graph_destroy(own->graph);
}

/* ---- each decision --------------------------------------------------------------------------- */

/* Whether all that a map is computed from is there anyway when backward needs it. */
static bool has_inputs(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map)
{
    bool has = true;
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        for (int32_t i = 0; i < graph->layers[l].input_count; i++) {
            const int32_t input = graph->tensors[graph->layers[l].inputs[i]].map;
            has = has && (input == map || graph->maps[input].kind == VDNN_MAP_INPUT ||
                          (graph->maps[input].needed_count > 0 &&
                           decisions->maps[input].action == VDNN_KEEP));
        }
    return has;
}

/* What a map costs where memory has a price while the loss runs forward: exact for those that are
 * needed once, and from below for what is recomputed from other maps. */
static void check_map(const priced_case *own, const vdnn_decisions *decisions, double price,
                      double of_link, int32_t map)
{
    const vdnn_map *at = &own->graph->maps[map];
    const size_t bytes = at->bytes;
    const double kept = (double)bytes * price,
                 recomputed = vdnn_recompute_seconds(&own->request, decisions, map),
                 offloaded = of_link * (vdnn_opt_copies_out_seconds(&own->search, bytes) +
                                        vdnn_opt_copies_in_seconds(&own->search, bytes));
    const bool can = vdnn_decisions_recompute_refusal(own->graph, own->profile, decisions, map) ==
                     NULL,
               can_alone = can && has_inputs(own->graph, decisions, map);
    switch (decisions->maps[map].action) {
    case VDNN_RECOMPUTE:
        assert_true(recomputed <= kept * ROUNDING);
        break;
    case VDNN_OFFLOAD:
        assert_true(offloaded <= kept * ROUNDING);
        assert_true(!can_alone || offloaded <= recomputed * ROUNDING);
        break;
    default:
        assert_true(!can_alone || kept <= recomputed * ROUNDING);
    }
}

static void check_choice(uint64_t seed, int counts[VDNN_ACTION_COUNT])
{
    priced_case own;
    vdnn_opt_prices prices;
    vdnn_test_rng rng = {seed};
    open_case(seed, &own);
    begin_search(&own);
    const int32_t loss = own.graph->layer_count - 1;
    assert_ok(vdnn_opt_prices_init(&prices, own.graph));
    const double price = (double)vdnn_test_between(&rng, 0, 1000) * 1e-11;
    prices.of_byte[loss] = price;
    prices.of_link = own.search.link_price = (double)vdnn_test_between(&rng, 1, 100) / 100;
    vdnn_opt_prices_choose(&prices, &own.search, &own.start);
    for (int32_t m = 0; m < own.graph->map_count; m++) {
        const vdnn_map *at = &own.graph->maps[m];
        if (at->needed_count != 1 || at->last_forward >= loss || at->needed_by[0] >= loss)
            continue;
        check_map(&own, &own.start, price, prices.of_link, m);
        counts[own.start.maps[m].action]++;
    }
    vdnn_opt_prices_fini(&prices);
    end_search(&own);
    close_case(&own);
}

static void no_map_takes_a_way_that_costs_more_than_another(void **state)
{
    (void)state;
    int counts[VDNN_ACTION_COUNT] = {0};
    for (int n = 0; n < vdnn_test_count(1000); n++)
        check_choice(vdnn_test_seed() + (uint64_t)n, counts);
    print_message("%d kept, %d recomputed, %d offloaded\n", counts[VDNN_KEEP],
                  counts[VDNN_RECOMPUTE], counts[VDNN_OFFLOAD]);
    assert_true(counts[VDNN_KEEP] > 0 && counts[VDNN_RECOMPUTE] > 0 && counts[VDNN_OFFLOAD] > 0);
}

/* ---- the start ------------------------------------------------------------------------------- */

/* Whether one is found in a part of what the fastest plan takes. */
static bool finds_start(uint64_t seed)
{
    priced_case own;
    vdnn_outcome bound;
    vdnn_test_rng rng = {seed};
    open_case(seed, &own);
    begin_search(&own);
    assert_ok(vdnn_planning_evaluate(own.request.planning, &own.start, VDNN_BOUND, &bound));
    end_search(&own);
    own.budget_bytes[VDNN_TIER_DEVICE] =
        bound.arena_bytes[VDNN_TIER_DEVICE] * (size_t)vdnn_test_between(&rng, 60, 100) / 100;
    begin_search(&own);
    assert_ok(vdnn_opt_offer_relaxed(&own.search));
    const bool found = own.search.found;
    if (found) {
        size_t arena_bytes;
        assert_ok(vdnn_opt_search_pack(&own.search, &own.search.best, &arena_bytes));
        assert_true(arena_bytes <= own.budget_bytes[VDNN_TIER_DEVICE]);
    }
    end_search(&own);
    close_case(&own);
    return found;
}

static void a_start_is_found_in_most_budgets_and_fits(void **state)
{
    (void)state;
    int found = 0;
    const int count = vdnn_test_count(400);
    for (int n = 0; n < count; n++)
        found += finds_start(vdnn_test_seed() + (uint64_t)n);
    print_message("a start in %d of %d budgets\n", found, count);
    assert_true(2 * found > count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_map_takes_a_way_that_costs_more_than_another),
        cmocka_unit_test(a_start_is_found_in_most_budgets_and_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
