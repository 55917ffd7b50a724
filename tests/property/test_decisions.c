/* The planner against decisions that no policy makes: any map may leave and return at any legal
 * layer, with any algorithms, under every release, gradient and synchronization rule. */

#include "runtime/plan/checker.h"
#include "runtime/plan/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>

static void check_one(uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    vdnn_random_model request = vdnn_random_model_small(seed);
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_random_model_graph(&request, (vdnn_stash)vdnn_test_between(&rng, 0, 1), &graph));
    assert_ok(vdnn_test_profile(graph, &profile));
    assert_ok(vdnn_random_decisions(graph, profile, &rng, &decisions));
    assert_ok(vdnn_planner_plan(graph, profile, &decisions, &plan));
    vdnn_status status = vdnn_checker_check(plan, plan->arena_bytes, plan->host_arena_bytes);
    if (status != VDNN_OK)
        (void)fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    assert_ok(status);
    assert_true(plan->device_peak_bytes <= plan->arena_bytes);
    assert_true(plan->host_peak_bytes <= plan->host_arena_bytes);
    assert_true(plan->step_seconds >= plan->oracle_step_seconds * 0.999);
    vdnn_plan_destroy(plan);
    vdnn_decisions_fini(&decisions);
    vdnn_profile_destroy(profile);
    vdnn_graph_destroy(graph);
}

static void every_legal_decision_becomes_a_plan_that_the_checker_proves(void **state)
{
    (void)state;
    int count = vdnn_test_count(5000);
    for (int i = 0; i < count; i++)
        check_one(vdnn_test_seed() + 1000003u * (uint64_t)i);
}

static void illegal_decisions_are_refused(void **state)
{
    (void)state;
    vdnn_random_model request = vdnn_random_model_small(vdnn_test_seed());
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_random_model_graph(&request, VDNN_STASH_CLASSIC, &graph));
    assert_ok(vdnn_test_profile(graph, &profile));
    assert_ok(vdnn_decisions_init(&decisions, graph));
    for (int32_t m = 0; m < graph->map_count; m++) {
        const vdnn_map *map = &graph->maps[m];
        if (map->needed_count == 0)
            continue;
        vdnn_map_decision kept = decisions.maps[m];
        decisions.maps[m] =
            (vdnn_map_decision){VDNN_OFFLOAD, map->last_forward - 1, map->needed_by[0]};
        assert_status(vdnn_planner_plan(graph, profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message("cannot leave");
        decisions.maps[m] =
            (vdnn_map_decision){VDNN_OFFLOAD, map->last_forward, map->needed_by[0] - 1};
        assert_status(vdnn_planner_plan(graph, profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message("cannot return");
        decisions.maps[m] = kept;
    }
    vdnn_decisions_fini(&decisions);
    vdnn_profile_destroy(profile);
    vdnn_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_decision_becomes_a_plan_that_the_checker_proves),
        cmocka_unit_test(illegal_decisions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
