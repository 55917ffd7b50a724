/* What trials answer does not depend on what was asked before, by them or under other budgets. */

#include "runtime/planner/answers.h"
#include "runtime/planner/planner.h"
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
    vdnn_trial_bound bound;
    vdnn_trial_peak peak;
    size_t excess_bytes, arena_bytes[VDNN_TIER_COUNT];
    vdnn_trial_alive *alive; /* owned */
} told;

typedef struct question {
    const vdnn_decisions *decisions;
    int32_t kind;
    vdnn_tier tier;
    size_t limit_bytes;
    bool asks_alive;
} question;

static void ask(const vdnn_trial *trial, const question *of, told *answer)
{
    *answer = (told){.alive = calloc((size_t)of->decisions->map_count, sizeof(vdnn_trial_alive))};
    assert_non_null(answer->alive);
    if (of->kind == 0)
        assert_ok(trial->bound(trial, of->decisions, NULL, &answer->bound));
    else if (of->kind == 1)
        assert_ok(trial->excess(trial, of->decisions, of->tier, &answer->excess_bytes));
    else if (of->kind == 2)
        assert_ok(trial->pack(trial, of->decisions, answer->arena_bytes));
    else if (of->kind == 3)
        assert_ok(trial->time(trial, of->decisions, &answer->bound));
    else
        assert_ok(trial->peak(trial, of->decisions, of->limit_bytes,
                              of->asks_alive ? answer->alive : NULL, &answer->peak,
                              &answer->bound));
}

static void check_same(const told *a, const told *b, int32_t map_count)
{
    assert_int_equal(a->bound.may_fit, b->bound.may_fit);
    assert_memory_equal(a->bound.arena_bytes, b->bound.arena_bytes, sizeof a->bound.arena_bytes);
    assert_memory_equal(&a->bound.step_seconds, &b->bound.step_seconds, sizeof(double));
    assert_int_equal(a->bound.offload_bytes, b->bound.offload_bytes);
    assert_int_equal(a->peak.layer, b->peak.layer);
    assert_int_equal(a->peak.in_backward, b->peak.in_backward);
    assert_int_equal(a->peak.bytes, b->peak.bytes);
    assert_memory_equal(&a->peak.overflow_bytes, &b->peak.overflow_bytes, sizeof(double));
    assert_int_equal(a->excess_bytes, b->excess_bytes);
    assert_memory_equal(a->arena_bytes, b->arena_bytes, sizeof a->arena_bytes);
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

/* Asks trials that know what was asked before, and fresh ones. */
static void check_question(scene *own, const question *of, const size_t *budget_bytes,
                           vdnn_answers *answers)
{
    vdnn_trial trials[2];
    told told_by[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(vdnn_planner_begin_trials(own->graph, own->profile, budget_bytes, NULL,
                                            i == 0 ? answers : NULL, &trials[i]));
        ask(&trials[i], of, &told_by[i]);
        vdnn_planner_end_trials(&trials[i]);
    }
    check_same(&told_by[0], &told_by[1], own->graph->map_count);
    free(told_by[0].alive);
    free(told_by[1].alive);
}

static void what_was_asked_before_changes_no_answer(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(300); n++) {
        scene own;
        vdnn_answers answers = {.places = NULL};
        open_scene(&own, vdnn_test_seed() + (uint64_t)n);
        for (int q = 0; q < QUESTIONS; q++) {
            const question of = draw_question(&own);
            check_question(&own, &of, own.budget_bytes[vdnn_test_between(&own.rng, 0, BUDGETS - 1)],
                           &answers);
        }
        vdnn_answers_fini(&answers);
        close_scene(&own);
    }
}

/* In one trial's life, whose own answers are known, and what was run. */
static void what_was_run_before_changes_no_other_answer(void **state)
{
    (void)state;
    scene own;
    vdnn_trial trial;
    vdnn_trial_result ran;
    told before, after;
    open_scene(&own, vdnn_test_seed());
    assert_ok(
        vdnn_planner_begin_trials(own.graph, own.profile, vdnn_tier_unlimited, NULL, NULL, &trial));
    for (int q = 0; q < QUESTIONS; q++) {
        question of = draw_question(&own);
        of.kind = of.kind == 3 ? 0 : of.kind; /* the time becomes that of the plan that was run */
        ask(&trial, &of, &before);
        assert_ok(trial.run(&trial, of.decisions, &ran));
        ask(&trial, &of, &after);
        check_same(&before, &after, own.graph->map_count);
        free(before.alive);
        free(after.alive);
    }
    vdnn_planner_end_trials(&trial);
    close_scene(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_asked_before_changes_no_answer),
        cmocka_unit_test(what_was_run_before_changes_no_other_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
