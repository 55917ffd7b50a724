/* Moves of the search, over random networks: what they make can be planned, and gradients are said
 * to wait exactly where they do. */

#include "policies/opt/local_search.h"
#include "policies/opt/moves.h"
#include "policies/opt/starts.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

typedef struct move_case {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_policy_request request;
    vdnn_opt_search search;
    vdnn_decisions decisions;
} move_case;

static void open_case(uint64_t seed, move_case *own)
{
    const vdnn_random_model model = vdnn_random_model_small(seed);
    *own = (move_case){.graph = NULL};
    assert_ok(vdnn_random_model_graph(&model, VDNN_RULES_LEAN, &own->graph));
    assert_ok(vdnn_test_profile_of(own->graph, VDNN_TEST_ROWS_FAKE, &own->profile));
    own->profile->has_link = true; /* so that batches may be loaded ahead */
    const vdnn_policy_ask ask = {
        .graph = own->graph, .profile = own->profile, .budget_bytes = {SIZE_MAX / 4, SIZE_MAX / 4}};
    own->request.planning = vdnn_policy_ask_planning(&ask);
    assert_non_null(own->request.planning);
    assert_ok(vdnn_opt_search_init(&own->request, NULL, &own->search));
    assert_ok(vdnn_opt_start_fastest(&own->search, &own->decisions));
}

static void close_case(move_case *own)
{
    vdnn_decisions_fini(&own->decisions);
    vdnn_opt_search_fini(&own->search);
    vdnn_planning_destroy(own->request.planning);
    vdnn_profile_destroy(own->profile);
    vdnn_graph_destroy(own->graph);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static int32_t count_copies_of_gradients(const move_case *own)
{
    int32_t count = 0;
    vdnn_plan *plan;
    assert_ok(vdnn_planner_plan(own->graph, own->profile, &own->decisions, &plan));
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        for (int32_t a = 0; a < step->access_count && step->kind == VDNN_STEP_COPY_OUT; a++)
            count += plan->buffers[plan->accesses[step->first_access + a].buffer].class ==
                         VDNN_CLASS_GRADIENT_MAP &&
                     plan->accesses[step->first_access + a].bind == VDNN_BIND_SRC;
    }
    vdnn_plan_destroy(plan);
    return count;
}

/* Maps whose gradient leaves, and those whose gradient does not. */
static void check_gradients(uint64_t seed, int counts[2])
{
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    move_case own;
    open_case(seed, &own);
    const double share = vdnn_opt_moves_link_share(&own.search, &own.decisions);
    for (int32_t m = 0; m < own.graph->map_count; m++) {
        const bool may_leave =
            vdnn_opt_moves_of_gradient(&own.search, &own.decisions, share, m, list) > 0;
        if (vdnn_decisions_gradient_refusal(own.graph, &own.decisions, m) != NULL) {
            assert_false(may_leave);
            continue;
        }
        own.decisions.maps[m].gradient = VDNN_TIER_HOST;
        assert_int_equal(count_copies_of_gradients(&own) > 0, may_leave);
        assert_int_equal(vdnn_opt_moves_of_gradient(&own.search, &own.decisions, share, m, list),
                         may_leave);
        assert_true(!may_leave || list[0].gradient == VDNN_TIER_DEVICE);
        own.decisions.maps[m].gradient = VDNN_TIER_DEVICE;
        counts[may_leave]++;
    }
    close_case(&own);
}

static void a_gradient_may_leave_exactly_where_it_waits(void **state)
{
    (void)state;
    int counts[2] = {0};
    for (int n = 0; n < vdnn_test_count(400); n++)
        check_gradients(vdnn_test_seed() + (uint64_t)n, counts);
    print_message("%d gradients wait, %d do not\n", counts[true], counts[false]);
    assert_true(counts[false] > 0 && counts[true] > 0);
}

/* ---- walks ----------------------------------------------------------------------------------- */

enum { STEPS = 40 };

static int list_moves(const move_case *own, vdnn_test_rng *rng,
                      vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const int32_t map = (int32_t)vdnn_test_between(rng, 0, own->graph->map_count - 1),
                  layer = (int32_t)vdnn_test_between(rng, 0, own->graph->layer_count - 1);
    const double share = vdnn_opt_moves_link_share(&own->search, &own->decisions);
    switch ((vdnn_opt_subject)vdnn_test_between(rng, 0, VDNN_OPT_SUBJECTS - 1)) {
    case VDNN_OPT_MAP:
        return vdnn_opt_moves_of_map(&own->search, &own->decisions, share, map, list);
    case VDNN_OPT_GRADIENT:
        return vdnn_opt_moves_of_gradient(&own->search, &own->decisions, share, map, list);
    case VDNN_OPT_PASS:
        return vdnn_opt_moves_of_layer(&own->search, &own->decisions, layer, list);
    case VDNN_OPT_LOADS:
        return vdnn_opt_moves_of_loads(&own->search, &own->decisions, list);
    case VDNN_OPT_PARAMS:
        return vdnn_opt_moves_of_params(&own->search, &own->decisions, share, layer, list);
    }
    return 0;
}

/* What a move is not about stays. */
static void expect_gradients_kept(const vdnn_decisions *before, const vdnn_decisions *now,
                                  const vdnn_opt_move *move)
{
    for (int32_t m = 0; m < now->map_count; m++)
        if (move->subject != VDNN_OPT_GRADIENT || move->index != m)
            assert_int_equal(now->maps[m].gradient, before->maps[m].gradient);
}

static void walk(uint64_t seed, int made[VDNN_OPT_SUBJECTS])
{
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    vdnn_test_rng rng = {seed};
    vdnn_decisions before;
    vdnn_outcome bound;
    move_case own;
    open_case(seed, &own);
    assert_ok(vdnn_decisions_copy(&before, &own.decisions));
    for (int i = 0; i < STEPS; i++) {
        const int count = list_moves(&own, &rng, list);
        if (count == 0)
            continue;
        const vdnn_opt_move *move = &list[vdnn_test_between(&rng, 0, count - 1)];
        vdnn_decisions_assign(&before, &own.decisions);
        vdnn_opt_moves_make(move, &own.decisions);
        expect_gradients_kept(&before, &own.decisions, move);
        assert_false(vdnn_decisions_same(&before, &own.decisions));
        assert_ok(vdnn_planning_evaluate(own.request.planning, &own.decisions, VDNN_BOUND, &bound));
        made[move->subject]++;
    }
    vdnn_decisions_fini(&before);
    close_case(&own);
}

static void what_moves_make_can_be_planned(void **state)
{
    (void)state;
    int made[VDNN_OPT_SUBJECTS] = {0};
    for (int n = 0; n < vdnn_test_count(1000); n++)
        walk(vdnn_test_seed() + (uint64_t)n, made);
    for (int i = 0; i < VDNN_OPT_SUBJECTS; i++)
        assert_true(made[i] > 0);
}

/* ---- failures -------------------------------------------------------------------------------- */

enum { MOST_ADDED = STEPS * VDNN_OPT_MOVES_MOST };

typedef struct added {
    vdnn_opt_move list[MOST_ADDED];
    int count;
} added;

static bool was_added(const added *own, const vdnn_opt_move *move)
{
    for (int i = 0; i < own->count; i++)
        if (vdnn_opt_moves_are_same(&own->list[i], move))
            return true;
    return false;
}

/* About half of the moves that are met fail; counts[are known]. */
static void fail_some(uint64_t seed, added *reference, int counts[2])
{
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    vdnn_test_rng rng = {seed};
    vdnn_opt_move_set failed;
    move_case own;
    open_case(seed, &own);
    assert_ok(vdnn_opt_move_set_init(own.graph, &failed));
    reference->count = 0;
    for (int i = 0; i < STEPS; i++) {
        const int count = list_moves(&own, &rng, list);
        for (int k = 0; k < count; k++) {
            const bool is_known = was_added(reference, &list[k]);
            assert_int_equal(vdnn_opt_move_set_has(&failed, &list[k]), is_known);
            counts[is_known]++;
            if (is_known || vdnn_test_between(&rng, 0, 1) == 0)
                continue;
            vdnn_opt_move_set_add(&failed, &list[k]);
            reference->list[reference->count++] = list[k];
        }
    }
    vdnn_opt_move_set_clear(&failed);
    for (int i = 0; i < reference->count; i++)
        assert_false(vdnn_opt_move_set_has(&failed, &reference->list[i]));
    vdnn_opt_move_set_fini(&failed);
    close_case(&own);
}

static void moves_that_failed_are_known_until_they_are_forgotten(void **state)
{
    static added reference;
    (void)state;
    int counts[2] = {0};
    for (int n = 0; n < vdnn_test_count(400); n++)
        fail_some(vdnn_test_seed() + (uint64_t)n, &reference, counts);
    assert_true(counts[false] > 0 && counts[true] > 0);
}

/* So many that the list is full: further ones are not known, and harm nothing. */
static void more_failures_than_there_is_room_for_are_left_out(void **state)
{
    (void)state;
    vdnn_opt_move_set failed;
    vdnn_opt_move move = {.subject = VDNN_OPT_PASS};
    move_case own;
    open_case(vdnn_test_seed(), &own);
    assert_ok(vdnn_opt_move_set_init(own.graph, &failed));
    for (move.choice = 0; move.choice <= VDNN_OPT_MOVE_SET_MOST; move.choice++)
        vdnn_opt_move_set_add(&failed, &move);
    move.choice = VDNN_OPT_MOVE_SET_MOST - 1;
    assert_true(vdnn_opt_move_set_has(&failed, &move));
    move.choice = VDNN_OPT_MOVE_SET_MOST;
    assert_false(vdnn_opt_move_set_has(&failed, &move));
    vdnn_opt_move_set_fini(&failed);
    close_case(&own);
}

/* ---- needs ----------------------------------------------------------------------------------- */

/* The layer whose backward a step is of, or is made for. */
static int32_t layer_of_backward(const vdnn_plan *plan, int32_t step)
{
    while (plan->steps[step].kind != VDNN_STEP_RUN)
        step++;
    return plan->steps[step].layer;
}

enum { MOST_MAPS = 256 };

/* In backward, of what lies on the device, each map's first reader. */
static void find_readers(const vdnn_plan *plan, int32_t readers[MOST_MAPS])
{
    for (int32_t m = 0; m < MOST_MAPS; m++)
        readers[m] = -1;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        if (step->pass == VDNN_FORWARD || !vdnn_step_has_kernel(step))
            continue;
        for (int32_t a = 0; a < step->access_count; a++) {
            const vdnn_access *access = &plan->accesses[step->first_access + a];
            const vdnn_buffer *buffer = &plan->buffers[access->buffer];
            if (access->mode & VDNN_READ && buffer->map >= 0 && readers[buffer->map] < 0 &&
                buffer->class != VDNN_CLASS_GRADIENT_MAP)
                readers[buffer->map] = layer_of_backward(plan, s);
        }
    }
}

/* What is recomputed although nothing is made from it any more is offloaded, as what may be wished
 * for. */
static void offload_in_vain(move_case *own)
{
    for (int32_t m = 0; m < own->graph->map_count; m++)
        if (own->decisions.maps[m].action == VDNN_RECOMPUTE &&
            own->graph->maps[m].needed_count == 0 &&
            !vdnn_decisions_is_read_again(own->graph, &own->decisions, m))
            own->decisions.maps[m] = (vdnn_map_decision){.action = VDNN_OFFLOAD};
}

/* Writes nothing beside the seconds of each layer. */
static void queue_copies(move_case *own)
{
    static double ahead[MOST_MAPS + 1]; /* of each layer, behind one that is none */
    const double none = -1;
    double *of_search = own->search.in_ahead;
    assert_true(own->graph->layer_count <= MOST_MAPS);
    ahead[0] = none;
    own->search.in_ahead = ahead + 1;
    vdnn_opt_copies_queue(&own->search, &own->decisions);
    own->search.in_ahead = of_search;
    assert_memory_equal(ahead, &none, sizeof none);
}

/* Of the offloaded maps: how many are needed by another layer first than the first that needs them
 * itself, and how many by none: what was recomputed from those is kept by now. */
static void check_needs(move_case *own, int *earlier, int *in_vain)
{
    int32_t readers[MOST_MAPS];
    vdnn_plan *plan;
    assert_true(own->graph->map_count <= MOST_MAPS);
    queue_copies(own);
    assert_ok(vdnn_planner_plan(own->graph, own->profile, &own->decisions, &plan));
    find_readers(plan, readers);
    for (int32_t m = 0; m < own->graph->map_count; m++)
        if (own->decisions.maps[m].action == VDNN_OFFLOAD) {
            assert_int_equal(own->search.needs[m], readers[m]);
            *earlier += readers[m] != vdnn_opt_own_need(&own->graph->maps[m]);
            *in_vain += readers[m] < 0;
        }
    vdnn_plan_destroy(plan);
}

static void a_copy_is_awaited_by_what_is_recomputed_from_it(void **state)
{
    (void)state;
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    int earlier = 0, in_vain = 0;
    for (int n = 0; n < vdnn_test_count(2000); n++) {
        vdnn_test_rng rng = {vdnn_test_seed() + (uint64_t)n};
        move_case own;
        open_case(vdnn_test_seed() + (uint64_t)n, &own);
        const int32_t maps = own.graph->map_count;
        for (int32_t m = 0; m < 2 * maps; m++) {
            const int count = vdnn_opt_moves_of_map(&own.search, &own.decisions, 1, m % maps, list);
            if (count > 0)
                vdnn_opt_moves_make(&list[vdnn_test_between(&rng, 0, count - 1)], &own.decisions);
        }
        offload_in_vain(&own);
        check_needs(&own, &earlier, &in_vain);
        close_case(&own);
    }
    print_message("%d are recomputed from before a layer needs them itself, %d needed by none\n",
                  earlier, in_vain);
    assert_true(earlier > 0 && in_vain > 0);
}

/* ---- what was timed -------------------------------------------------------------------------- */

/* As searches compare plans. */
static bool is_faster(const vdnn_outcome *a, const vdnn_outcome *b)
{
    if (a->step_seconds < b->step_seconds || a->step_seconds > b->step_seconds)
        return a->step_seconds < b->step_seconds;
    if (a->offload_bytes != b->offload_bytes)
        return a->offload_bytes < b->offload_bytes;
    return a->arena_bytes[VDNN_TIER_DEVICE] < b->arena_bytes[VDNN_TIER_DEVICE];
}

/* Between the smallest arena of a walk's plans and the largest. */
static void set_budget(move_case *own, vdnn_test_rng *rng)
{
    vdnn_planning *planning = own->request.planning;
    vdnn_outcome bound;
    assert_ok(vdnn_planning_evaluate(planning, &own->decisions, VDNN_BOUND, &bound));
    const size_t budget_bytes[VDNN_TIER_COUNT] = {bound.arena_bytes[VDNN_TIER_DEVICE] *
                                                      (size_t)vdnn_test_between(rng, 70, 100) / 100,
                                                  SIZE_MAX / 4};
    vdnn_planning_begin(planning, budget_bytes);
}

/* The plan that is made of the fastest decisions fits as they did, and takes no longer. */
static void expect_settled(const move_case *own, const vdnn_decisions *fastest,
                           const vdnn_outcome *time)
{
    vdnn_plan *plan;
    assert_ok(vdnn_planning_settle(own->request.planning, fastest));
    assert_ok(vdnn_planning_plan(own->request.planning, fastest, &plan, NULL));
    assert_true(vdnn_plan_fits(plan, own->request.planning->budget_bytes));
    assert_true(plan->step_seconds <= time->step_seconds);
    vdnn_plan_destroy(plan);
}

static void time_walk(uint64_t seed, int counts[2])
{
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    vdnn_test_rng rng = {seed};
    vdnn_decisions fastest;
    vdnn_outcome time, least = {.fits = false};
    move_case own;
    open_case(seed, &own);
    set_budget(&own, &rng);
    assert_ok(vdnn_decisions_copy(&fastest, &own.decisions));
    for (int step = 0; step < 2 * STEPS; step++) {
        const int count = list_moves(&own, &rng, list);
        if (count == 0)
            continue;
        vdnn_opt_moves_make(&list[vdnn_test_between(&rng, 0, count - 1)], &own.decisions);
        assert_ok(vdnn_planning_evaluate(own.request.planning, &own.decisions, VDNN_TIMED, &time));
        counts[time.fits]++;
        if (!time.fits || (least.fits && !is_faster(&time, &least)))
            continue;
        vdnn_decisions_assign(&fastest, &own.decisions);
        least = time;
    }
    if (least.fits)
        expect_settled(&own, &fastest, &least);
    vdnn_decisions_fini(&fastest);
    close_case(&own);
}

static void the_fastest_plan_that_was_timed_can_be_had(void **state)
{
    (void)state;
    int counts[2] = {0};
    for (int n = 0; n < vdnn_test_count(400); n++)
        time_walk(vdnn_test_seed() + (uint64_t)n, counts);
    print_message("%d plans fitted, %d did not\n", counts[true], counts[false]);
    assert_true(counts[false] > 0 && counts[true] > 0);
}

/* ---- descents -------------------------------------------------------------------------------- */

/* The seconds of what is decided, and of what one move of a descent makes of it. */
static double seconds_of(move_case *own, const vdnn_decisions *decisions, size_t *bytes)
{
    vdnn_device_peak peak;
    vdnn_outcome bound;
    assert_ok(vdnn_opt_search_peak(&own->search, decisions, SIZE_MAX / 4, &peak, &bound));
    *bytes = peak.bytes;
    return bound.step_seconds;
}

static double seconds_behind(move_case *own, vdnn_opt_limits limits)
{
    vdnn_decisions made;
    bool fits;
    size_t bytes;
    limits.most_moves = 1;
    limits.most_helped = 6;
    limits.most_seconds = HUGE_VAL;
    limits.until = own->search.trials + 1000;
    limits.one_by_one = true;
    assert_ok(vdnn_decisions_copy(&made, &own->decisions));
    assert_ok(vdnn_opt_descend(&own->search, &made, &limits, &fits));
    const double seconds = seconds_of(own, &made, &bytes);
    vdnn_decisions_fini(&made);
    return seconds;
}

/* Another one is made, or none. */
static void a_move_with_which_the_plan_takes_too_long_is_not_made(void **state)
{
    (void)state;
    int slower = 0, others = 0;
    for (int k = 0; k < vdnn_test_count_for_share(400, 24); k++) {
        move_case own;
        size_t bytes;
        open_case(vdnn_test_seed() + (uint64_t)k, &own);
        const double before = seconds_of(&own, &own.decisions, &bytes);
        vdnn_opt_limits limits = {.device_bytes = bytes / 10 * 7};
        const double made = seconds_behind(&own, limits);
        limits.useless_seconds = made;
        const double other = made > before ? seconds_behind(&own, limits) : before;
        slower += made > before;
        others += other > before;
        assert_true(made <= before || other < made);
        close_case(&own);
    }
    assert_true(slower > 0 && others < slower);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_with_which_the_plan_takes_too_long_is_not_made),
        cmocka_unit_test(a_gradient_may_leave_exactly_where_it_waits),
        cmocka_unit_test(what_moves_make_can_be_planned),
        cmocka_unit_test(moves_that_failed_are_known_until_they_are_forgotten),
        cmocka_unit_test(more_failures_than_there_is_room_for_are_left_out),
        cmocka_unit_test(a_copy_is_awaited_by_what_is_recomputed_from_it),
        cmocka_unit_test(the_fastest_plan_that_was_timed_can_be_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
