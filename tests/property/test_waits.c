/* What has to wait for memory wherever buffers lie, against packings: in each that is found, by
 * whatever work and in however many bytes, it waits. */

#include "runtime/planner/floorplan.h"
#include "runtime/planner/room.h"
#include "runtime/planner/workbench/workbench.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

/* Per step, by position on its stream, how many steps of each stream are complete before it. */
typedef struct order {
    vdnn_vector_clock *clocks;
    int32_t *position;
} order;

static void join(vdnn_vector_clock *clock, const vdnn_plan *plan, const order *own, int32_t step)
{
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        if (own->clocks[step].done[k] > clock->done[k])
            clock->done[k] = own->clocks[step].done[k];
    int32_t *done = &clock->done[plan->steps[step].stream];
    if (own->position[step] >= *done)
        *done = own->position[step] + 1;
}

static order order_of(const vdnn_plan *plan)
{
    int32_t last[VDNN_STREAM_COUNT];
    order own = {calloc((size_t)plan->step_count, sizeof *own.clocks),
                 calloc((size_t)plan->step_count, sizeof *own.position)};
    memset(last, -1, sizeof last);
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        int32_t *before = &last[step->stream];
        if (*before >= 0) {
            own.position[s] = own.position[*before] + 1;
            join(&own.clocks[s], plan, &own, *before);
        }
        for (int32_t w = 0; w < step->wait_count; w++)
            join(&own.clocks[s], plan, &own, plan->waits[step->first_wait + w]);
        *before = s;
    }
    return own;
}

static void drop_order(order *own)
{
    free(own->clocks);
    free(own->position);
}

static bool is_before(const vdnn_plan *plan, const order *own, int32_t a, int32_t b)
{
    return own->position[a] < own->clocks[b].done[plan->steps[a].stream];
}

/* The steps with their waits. */
static vdnn_plan copy_steps(const vdnn_plan *plan)
{
    vdnn_plan copy = {.step_count = plan->step_count};
    int32_t waits = 0;
    for (int32_t s = 0; s < plan->step_count; s++)
        waits += plan->steps[s].wait_count;
    copy.steps = calloc((size_t)plan->step_count, sizeof *copy.steps);
    copy.waits = calloc((size_t)waits + 1, sizeof *copy.waits);
    memcpy(copy.steps, plan->steps, (size_t)plan->step_count * sizeof *copy.steps);
    memcpy(copy.waits, plan->waits, (size_t)waits * sizeof *copy.waits);
    return copy;
}

static void drop_steps(vdnn_plan *copy)
{
    free(copy->steps);
    free(copy->waits);
}

static vdnn_plan steps_within(vdnn_workbench *bench, const vdnn_decisions *decisions,
                              size_t most_bytes)
{
    vdnn_plan plan;
    assert_ok(vdnn_workbench_bound(bench, decisions, most_bytes, &plan));
    return copy_steps(&plan);
}

/* How many waits of the one the other does not imply. */
static int missing(const vdnn_plan *waits, const vdnn_plan *plan)
{
    order own = order_of(plan);
    int count = 0;
    assert_int_equal(waits->step_count, plan->step_count);
    for (int32_t s = 0; s < waits->step_count; s++)
        for (int32_t w = 0; w < waits->steps[s].wait_count; w++)
            count += !is_before(plan, &own, waits->waits[waits->steps[s].first_wait + w], s);
    drop_order(&own);
    return count;
}

typedef struct tally {
    int waits, fitted;
} tally;

/* Packed until it is within so many bytes. */
static void check_within(vdnn_workbench *bench, const vdnn_decisions *decisions, size_t most_bytes,
                         tally *sum)
{
    const size_t budgets[VDNN_TIER_COUNT] = {most_bytes, SIZE_MAX, SIZE_MAX};
    int64_t looks = 10000;
    vdnn_plan plan, ample = steps_within(bench, decisions, SIZE_MAX),
                    within = steps_within(bench, decisions, most_bytes);
    bool fits;
    sum->waits += missing(&within, &ample);
    assert_int_equal(missing(&ample, &within), 0);
    assert_ok(vdnn_workbench_plan_within(bench, decisions, budgets, NULL, &looks, &plan, &fits));
    if (fits)
        assert_int_equal(missing(&within, &plan), 0);
    sum->fitted += fits;
    drop_steps(&within);
    drop_steps(&ample);
}

/* From the bytes that the plan takes to those of all its buffers, in which nothing waits. */
static void check_case(vdnn_workbench *bench, const vdnn_decisions *decisions, tally *sum)
{
    vdnn_plan plan;
    size_t all = 0;
    assert_ok(vdnn_workbench_plan(bench, decisions, true, &plan));
    const size_t span = plan.span_bytes[VDNN_TIER_DEVICE];
    for (int32_t b = 0; b < plan.buffer_count; b++)
        all += plan.buffers[b].tier == VDNN_TIER_DEVICE
                   ? vdnn_plan_span_bytes(plan.buffers[b].bytes, bench->graph->zone_bytes) +
                         VDNN_ALIGNMENT
                   : 0;
    vdnn_plan copy = copy_steps(&plan), within = steps_within(bench, decisions, span);
    assert_int_equal(missing(&within, &copy), 0);
    drop_steps(&copy);
    drop_steps(&within);
    for (int percent = 100; percent <= 130; percent += 10)
        check_within(bench, decisions, span / 100 * (size_t)percent, sum);
    within = steps_within(bench, decisions, all);
    vdnn_plan ample = steps_within(bench, decisions, SIZE_MAX);
    assert_int_equal(missing(&within, &ample), 0);
    drop_steps(&ample);
    drop_steps(&within);
}

static void what_has_to_wait_for_memory_waits_in_every_packing(void **state)
{
    (void)state;
    tally sum = {0};
    for (int n = 0; n < vdnn_test_count(2000); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        const vdnn_random_model request = vdnn_random_model_small(seed);
        vdnn_test_rng rng = {seed};
        vdnn_graph *graph;
        vdnn_profile *profile;
        assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &graph));
        assert_ok(vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile));
        vdnn_workbench bench = {.graph = graph, .profile = profile};
        for (int k = 0; k < 3; k++) {
            vdnn_decisions decisions;
            if (k == 0)
                assert_ok(vdnn_eager_decisions(graph, VDNN_SYNC_BY_NEED, &decisions));
            else
                assert_ok(vdnn_random_decisions(graph, profile, &rng, &decisions));
            decisions.sync = VDNN_SYNC_BY_NEED;
            check_case(&bench, &decisions, &sum);
            vdnn_decisions_fini(&decisions);
        }
        vdnn_workbench_fini(&bench);
        vdnn_profile_destroy(profile);
        vdnn_graph_destroy(graph);
    }
    print_message("%d plans fitted; %d times something had to wait\n", sum.fitted, sum.waits);
    assert_true(sum.waits > 0 && sum.fitted > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_to_wait_for_memory_waits_in_every_packing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
