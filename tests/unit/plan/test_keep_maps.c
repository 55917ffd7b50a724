/* How many maps are kept, against made-up arenas: a planning that knows nothing but the number of
 * kept maps. */

#include "policies/keep_maps.h"
#include "policies/offload_rule.h"
#include "tests/support/policy_case.h"
#include "tests/support/vdnn_test.h"

enum { CONVS = 60, ROUNDS = 300, MOST_PROBES = 9 };

/* Arenas by the number of kept maps; the device's rise with it, the host's fall. */
static struct {
    size_t arena_bytes[VDNN_TIER_COUNT][CONVS + 2];
    bool says_excess; /* else nothing but that there is one, as where packing loses bytes */
    int32_t probes, refused;
} made_up;

static int32_t kept_count(const vdnn_decisions *decisions)
{
    int32_t count = 0;
    for (int32_t m = 0; m < decisions->map_count; m++)
        count += decisions->maps[m].leaves > 0 && decisions->maps[m].action == VDNN_KEEP;
    return count;
}

/* In place of vdnn_planning_excess, by the linker. */
vdnn_status __wrap_vdnn_planning_excess(vdnn_planning *planning, const vdnn_decisions *decisions,
                                        vdnn_tier tier, size_t *excess_bytes);

vdnn_status __wrap_vdnn_planning_excess(vdnn_planning *planning, const vdnn_decisions *decisions,
                                        vdnn_tier tier, size_t *excess_bytes)
{
    const size_t bytes = made_up.arena_bytes[tier][kept_count(decisions)],
                 budget = planning->budget_bytes[tier];
    made_up.probes++;
    made_up.refused += bytes > budget;
    *excess_bytes = bytes <= budget ? 0 : made_up.says_excess ? bytes - budget : 1;
    return VDNN_OK;
}

typedef struct fixture {
    vdnn_policy_case network;
    vdnn_policy_request request;
    vdnn_decisions decisions; /* that offload `count` maps */
    int32_t count;
} fixture;

static void set_up(fixture *f)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_PAPER, .dtype = VDNN_F32};
    vdnn_policy_case_open(&f->network,
                          "name: chain\n"
                          "input: {channels: 3, height: 64, width: 64}\n"
                          "classes: 4\n"
                          "batch: 2\n"
                          "layers:\n"
                          "  - repeat:\n"
                          "      count: 60\n"
                          "      layers:\n"
                          "        - {name: \"conv{i}\", type: conv, out: 3, kernel: 3, pad: 1}\n"
                          "  - {name: fc, type: fc, out: 4}\n"
                          "  - {name: loss, type: softmax_loss}\n",
                          &options, VDNN_ALGO_P);
    f->request = (vdnn_policy_request){.planning = vdnn_policy_ask_planning(&f->network.request),
                                       .algo = VDNN_ALGO_P};
    assert_non_null(f->request.planning);
    assert_ok(vdnn_offload_rule_decide(&f->request, &vdnn_offload_all, VDNN_ALGO_P, &f->decisions));
    f->count = 0;
    for (int32_t m = 0; m < f->decisions.map_count; m++)
        if (f->decisions.maps[m].action == VDNN_OFFLOAD) {
            f->decisions.maps[m].leaves++; /* marks it */
            f->count++;
        }
    assert_in_range(f->count, CONVS - 1, CONVS + 1);
}

static void tear_down(fixture *f)
{
    vdnn_planning_destroy(f->request.planning);
    vdnn_decisions_fini(&f->decisions);
    vdnn_policy_case_close(&f->network);
}

/* A map's bytes each; at times less, as where the most bytes are alive elsewhere. */
static void draw_arenas(fixture *f, vdnn_test_rng *rng)
{
    const int64_t bytes = (int64_t)f->network.graph->maps[1].bytes;
    size_t *device = made_up.arena_bytes[VDNN_TIER_DEVICE],
           *host = made_up.arena_bytes[VDNN_TIER_HOST];
    made_up.says_excess = vdnn_test_between(rng, 0, 3) > 0;
    device[0] = host[f->count] = (size_t)vdnn_test_between(rng, 1, bytes);
    for (int32_t k = 1; k <= f->count; k++) {
        const size_t more = (size_t)(bytes / vdnn_test_between(rng, 1, 3));
        device[k] = device[k - 1] + more;
        host[f->count - k] = host[f->count - k + 1] + more;
    }
}

static size_t draw_budget(const fixture *f, vdnn_tier tier, vdnn_test_rng *rng)
{
    const size_t *arenas = made_up.arena_bytes[tier];
    const size_t at = arenas[vdnn_test_between(rng, 0, f->count)];
    return at + (size_t)vdnn_test_between(rng, -1, 1);
}

static int32_t kept_by(fixture *f, vdnn_tier tier)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_copy(&decisions, &f->decisions));
    made_up.probes = made_up.refused = 0;
    if (tier == VDNN_TIER_DEVICE)
        assert_ok(vdnn_keep_maps_that_fit(&f->request, &decisions));
    else
        assert_ok(vdnn_keep_maps_host_lacks(&f->request, &decisions));
    const int32_t kept = kept_count(&decisions);
    vdnn_decisions_fini(&decisions);
    return kept;
}

static void as_many_are_kept_as_the_device_can_hold(void **state)
{
    (void)state;
    fixture f;
    vdnn_test_rng rng = {vdnn_test_seed()};
    set_up(&f);
    for (int round = 0; round < ROUNDS; round++) {
        draw_arenas(&f, &rng);
        const size_t budget = draw_budget(&f, VDNN_TIER_DEVICE, &rng);
        f.request.planning->budget_bytes[VDNN_TIER_DEVICE] = budget;
        int32_t most = f.count;
        while (most > 0 && made_up.arena_bytes[VDNN_TIER_DEVICE][most] > budget)
            most--;
        assert_int_equal(kept_by(&f, VDNN_TIER_DEVICE), most);
        assert_true(made_up.probes <= MOST_PROBES);
    }
    tear_down(&f);
}

static void as_few_are_kept_as_the_host_requires(void **state)
{
    (void)state;
    fixture f;
    vdnn_test_rng rng = {vdnn_test_seed()};
    set_up(&f);
    f.decisions.maps[0].spills = 1; /* so that their bytes alone do not say that copies fit */
    for (int round = 0; round < ROUNDS; round++) {
        draw_arenas(&f, &rng);
        const size_t budget = draw_budget(&f, VDNN_TIER_HOST, &rng);
        f.request.planning->budget_bytes[VDNN_TIER_HOST] = budget;
        int32_t fewest = 0;
        while (fewest < f.count && made_up.arena_bytes[VDNN_TIER_HOST][fewest] > budget)
            fewest++;
        assert_int_equal(kept_by(&f, VDNN_TIER_HOST), fewest);
        assert_true(made_up.probes <= MOST_PROBES);
    }
    tear_down(&f);
}

/* Where each map takes its bytes, the first excess says how many are too many. */
static void what_an_excess_rules_out_is_not_tried(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    const size_t bytes = f.network.graph->maps[1].bytes;
    made_up.says_excess = true;
    for (int32_t k = 0; k <= f.count; k++)
        made_up.arena_bytes[VDNN_TIER_DEVICE][k] = (size_t)(k + 1) * bytes;
    for (int32_t most = 1; most < f.count; most++) {
        f.request.planning->budget_bytes[VDNN_TIER_DEVICE] = (size_t)(most + 1) * bytes;
        assert_int_equal(kept_by(&f, VDNN_TIER_DEVICE), most);
        assert_int_equal(made_up.refused, 1);
    }
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_are_kept_as_the_device_can_hold),
        cmocka_unit_test(as_few_are_kept_as_the_host_requires),
        cmocka_unit_test(what_an_excess_rules_out_is_not_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
