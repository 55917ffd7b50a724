/* What a planning answers does not depend on what was asked before, under the same budgets or
 * others. */

#include "runtime/planner/planner.h"
#include "runtime/planning/planning.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>

enum { DECISIONS = 4, BUDGETS = 3, QUESTIONS = 60 };

/* A network, decisions over it, budgets. */
typedef struct scene {
    vdnn_test_rng rng;
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_decisions decisions[DECISIONS];
    size_t most_bytes, budget_bytes[BUDGETS][VDNN_TIER_COUNT];
} scene;

static void open_scene(scene *own, uint64_t seed)
{
    const vdnn_random_model request = vdnn_random_model_small(seed);
    *own = (scene){.rng = {seed}};
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &own->graph));
    assert_ok(vdnn_test_profile_of(own->graph, VDNN_TEST_ROWS_FAKE, &own->profile));
    own->profile->has_link = true;
    for (int k = 0; k < DECISIONS; k++) {
        vdnn_plan *plan;
        assert_ok(vdnn_random_decisions(own->graph, own->profile, &own->rng, &own->decisions[k]));
        assert_ok(vdnn_planner_plan(own->graph, own->profile, &own->decisions[k], &plan));
        for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
            if (plan->span_bytes[tier] > own->most_bytes)
                own->most_bytes = plan->span_bytes[tier];
        vdnn_plan_destroy(plan);
    }
    for (int b = 0; b < BUDGETS; b++)
        for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
            own->budget_bytes[b][tier] =
                own->most_bytes * (size_t)vdnn_test_between(&own->rng, 50, 120) / 100;
}

static void close_scene(scene *own)
{
    for (int k = 0; k < DECISIONS; k++)
        vdnn_decisions_fini(&own->decisions[k]);
    vdnn_profile_destroy(own->profile);
    vdnn_graph_destroy(own->graph);
}

/* All that a question may be answered with; the rest is 0. */
typedef struct told {
    vdnn_outcome outcome;
    vdnn_device_peak peak;
    size_t excess_bytes;
    vdnn_alive *alive; /* owned */
} told;

typedef struct question {
    const vdnn_decisions *decisions;
    int32_t kind;
    vdnn_tier tier;
    size_t limit_bytes;
    bool asks_alive;
} question;

static void ask(vdnn_planning *planning, const question *of, told *answer)
{
    *answer = (told){.alive = calloc((size_t)of->decisions->map_count, sizeof(vdnn_alive))};
    assert_non_null(answer->alive);
    if (of->kind == VDNN_BOUND || of->kind == VDNN_PACKED || of->kind == VDNN_TIMED)
        assert_ok(vdnn_planning_evaluate(planning, of->decisions, (vdnn_depth)of->kind,
                                         &answer->outcome));
    else if (of->kind == VDNN_WHOLE)
        assert_ok(vdnn_planning_excess(planning, of->decisions, of->tier, &answer->excess_bytes));
    else
        assert_ok(vdnn_planning_peak(planning, of->decisions, of->limit_bytes,
                                     of->asks_alive ? answer->alive : NULL, &answer->peak,
                                     &answer->outcome));
}

static void check_same(const told *a, const told *b, int32_t map_count)
{
    assert_int_equal(a->outcome.fits, b->outcome.fits);
    assert_memory_equal(a->outcome.arena_bytes, b->outcome.arena_bytes,
                        sizeof a->outcome.arena_bytes);
    assert_memory_equal(&a->outcome.step_seconds, &b->outcome.step_seconds, sizeof(double));
    assert_int_equal(a->outcome.offload_bytes, b->outcome.offload_bytes);
    assert_int_equal(a->peak.layer, b->peak.layer);
    assert_int_equal(a->peak.in_backward, b->peak.in_backward);
    assert_int_equal(a->peak.bytes, b->peak.bytes);
    assert_memory_equal(&a->peak.overflow_bytes, &b->peak.overflow_bytes, sizeof(double));
    assert_int_equal(a->excess_bytes, b->excess_bytes);
    assert_memory_equal(a->alive, b->alive, (size_t)map_count * sizeof *a->alive);
}

static question draw_question(scene *own)
{
    return (question){.decisions = &own->decisions[vdnn_test_between(&own->rng, 0, DECISIONS - 1)],
                      .kind = (int32_t)vdnn_test_between(&own->rng, 0, 6), /* peaks the most */
                      .tier = (vdnn_tier)vdnn_test_between(&own->rng, 0, VDNN_TIER_COUNT),
                      .limit_bytes =
                          own->most_bytes * (size_t)vdnn_test_between(&own->rng, 0, 10) / 10,
                      .asks_alive = vdnn_test_between(&own->rng, 0, 1) != 0};
}

/* Asks a planning that knows what was asked before, and a fresh one. */
static void check_question(const scene *own, const question *of, const size_t *budget_bytes,
                           vdnn_planning *known)
{
    vdnn_planning *fresh;
    told told_by[2];
    assert_ok(vdnn_planning_create(own->graph, own->profile, NULL, NULL, &fresh));
    vdnn_planning *const asked[2] = {known, fresh};
    for (int i = 0; i < 2; i++) {
        vdnn_planning_begin(asked[i], budget_bytes);
        ask(asked[i], of, &told_by[i]);
    }
    check_same(&told_by[0], &told_by[1], own->graph->map_count);
    vdnn_planning_destroy(fresh);
    free(told_by[0].alive);
    free(told_by[1].alive);
}

static void what_was_asked_before_changes_no_answer(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(300); n++) {
        scene own;
        vdnn_planning *known;
        open_scene(&own, vdnn_test_seed() + (uint64_t)n);
        assert_ok(vdnn_planning_create(own.graph, own.profile, NULL, NULL, &known));
        for (int q = 0; q < QUESTIONS; q++) {
            const question of = draw_question(&own);
            check_question(&own, &of, own.budget_bytes[vdnn_test_between(&own.rng, 0, BUDGETS - 1)],
                           known);
        }
        vdnn_planning_destroy(known);
        close_scene(&own);
    }
}

/* Under the same budgets, where what is whole is known, too. */
static void what_was_made_whole_before_changes_no_other_answer(void **state)
{
    (void)state;
    scene own;
    vdnn_planning *planning;
    vdnn_outcome whole;
    told before, after;
    open_scene(&own, vdnn_test_seed());
    assert_ok(vdnn_planning_create(own.graph, own.profile, NULL, NULL, &planning));
    vdnn_planning_begin(planning, vdnn_tier_unlimited);
    for (int q = 0; q < QUESTIONS; q++) {
        question of = draw_question(&own);
        of.kind = of.kind == VDNN_TIMED ? VDNN_BOUND : of.kind; /* the time is of the whole then */
        ask(planning, &of, &before);
        assert_ok(vdnn_planning_evaluate(planning, of.decisions, VDNN_WHOLE, &whole));
        ask(planning, &of, &after);
        check_same(&before, &after, own.graph->map_count);
        free(before.alive);
        free(after.alive);
    }
    vdnn_planning_destroy(planning);
    close_scene(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_asked_before_changes_no_answer),
        cmocka_unit_test(what_was_made_whole_before_changes_no_other_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
