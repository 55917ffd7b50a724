/* Networks cut into the stages of a pipeline: their arithmetic against that of one device with the
 * same micro-batches, under random decisions. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { STEPS = 2, RANDOM_NETWORKS = 200, MOST_STAGES = 4 };

/* ---- where a network is cut ------------------------------------------------------------------ */

/* The layers in front of which it is cut, increasing, and behind them the end. */
typedef struct cuts {
    int32_t ends[MOST_STAGES];
    int32_t count; /* of stages */
} cuts;

static cuts draw_cuts(const vdnn_graph *graph, vdnn_test_rng *rng)
{
    cuts drawn = {.count = 0};
    const int32_t wanted = (int32_t)vdnn_test_between(rng, 2, MOST_STAGES);
    int32_t places = 0, left = wanted - 1;
    for (int32_t l = 1; l < graph->layer_count; l++)
        places += vdnn_stage_may_cut(graph, l);
    for (int32_t l = 1; l < graph->layer_count; l++)
        if (vdnn_stage_may_cut(graph, l)) {
            if (left > 0 && vdnn_test_between(rng, 1, places) <= left) {
                drawn.ends[drawn.count++] = l;
                left--;
            }
            places--;
        }
    drawn.ends[drawn.count++] = graph->layer_count;
    return drawn;
}

/* ---- devices --------------------------------------------------------------------------------- */

typedef struct pipeline {
    vdnn_training_case list[MOST_STAGES];
    double losses[MOST_STAGES][STEPS];
    int32_t count;
} pipeline;

typedef struct driver {
    vdnn_training_case *c;
    double *losses;
} driver;

static void *train(void *argument)
{
    const driver *own = argument;
    for (int s = 0; s < STEPS; s++)
        own->losses[s] = vdnn_training_case_step(
                             own->c, s * own->c->graph->batch,
                             (vdnn_step_context){.step = (uint64_t)s,
                                                 .settings = own->c->graph->training.settings})
                             .loss;
    return NULL;
}

static void run(pipeline *all)
{
    vdnn_group *ends[MOST_STAGES] = {NULL};
    pthread_t threads[MOST_STAGES];
    driver drivers[MOST_STAGES];
    if (all->count > 1)
        assert_ok(vdnn_group_open(&vdnn_transport_in_process, all->count, ends));
    for (int32_t s = 0; s < all->count; s++) {
        all->list[s].group = ends[s];
        vdnn_training_case_begin(&all->list[s]);
        drivers[s] = (driver){&all->list[s], all->losses[s]};
    }
    for (int32_t s = 0; s < all->count; s++)
        assert_int_equal(vdnn_system_start_thread(&threads[s], train, &drivers[s]), 0);
    for (int32_t s = 0; s < all->count; s++)
        assert_int_equal(pthread_join(threads[s], NULL), 0);
    for (int32_t s = 0; s < all->count; s++)
        vdnn_group_close(ends[s]);
}

static void end(pipeline *all)
{
    for (int32_t s = 0; s < all->count; s++)
        vdnn_training_case_end(&all->list[s]);
}

/* ---- plans ----------------------------------------------------------------------------------- */

static void shape(vdnn_training_case *c, const vdnn_random_model *request)
{
    assert_ok(vdnn_random_model_graph(request, VDNN_RULES_LEAN, &c->graph));
    assert_ok(vdnn_test_profile_of(c->graph, VDNN_TEST_ROWS_REAL, &c->profile));
}

/* With drawn decisions, whose algorithms are kept in `whole`, those of the network. */
static void plan_stage(vdnn_training_case *c, vdnn_test_rng *rng, vdnn_decisions *whole)
{
    const vdnn_stage *stage = &c->graph->stage;
    vdnn_decisions drawn;
    assert_ok(vdnn_random_decisions(c->graph, c->profile, rng, &drawn));
    memcpy(&whole->choice[stage->first], &drawn.choice[stage->first],
           (size_t)(stage->end - stage->first) * sizeof *drawn.choice);
    assert_ok(vdnn_planner_plan(c->graph, c->profile, &drawn, &c->plan));
    assert_ok(vdnn_checker_check(c->plan, vdnn_tier_unlimited));
    vdnn_decisions_fini(&drawn);
}

static void plan_stages(pipeline *all, const vdnn_random_model *request, const cuts *at,
                        vdnn_test_rng *rng, vdnn_decisions *whole)
{
    const vdnn_plan *plans[MOST_STAGES];
    vdnn_random_model own = *request;
    all->count = at->count;
    for (int32_t s = 0; s < at->count; s++) {
        own.stage = (vdnn_stage){.first = s == 0 ? 0 : at->ends[s - 1],
                                 .end = at->ends[s],
                                 .number = s,
                                 .count = at->count,
                                 .schedule = (vdnn_schedule)(request->seed / 7 % 2)};
        shape(&all->list[s], &own);
        plan_stage(&all->list[s], rng, whole);
        plans[s] = all->list[s].plan;
    }
    assert_ok(vdnn_checker_check_stages(plans, at->count));
}

/* Of one input; in f32 or bf16. */
static vdnn_random_model draw_network(uint64_t seed)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    request.layers = 3 + request.layers / 2;
    request.preferred = seed % 3 == 0 ? VDNN_NCHW16C : VDNN_NCHW;
    request.dtype = VDNN_F32;
    request.words = false;
    request.micro_batches = 1 + (int32_t)(seed / 2 % 5);
    request.missing = 0;
    return request;
}

static void expect_weights(const vdnn_training_case *one, const pipeline *all, uint64_t seed)
{
    char *whole = (char *)vdnn_training_case_weights(one);
    size_t at = 0;
    for (int32_t s = 0; s < all->count; s++) {
        char *own = (char *)vdnn_training_case_weights(&all->list[s]);
        const size_t bytes = vdnn_graph_param_bytes(all->list[s].graph);
        if (memcmp(whole + at, own, bytes) != 0)
            fail_msg("seed %llu: stage %d of %d has other weights", (unsigned long long)seed,
                     (int)s, (int)all->count);
        at += bytes;
        vdnn_heap_free(own);
    }
    assert_int_equal(at, vdnn_graph_param_bytes(one->graph));
    vdnn_heap_free(whole);
}

/* Whether the network could be cut. */
static bool try_network(uint64_t seed)
{
    const vdnn_random_model request = draw_network(seed);
    vdnn_test_rng rng = {seed};
    pipeline one = {.count = 1}, all = {.count = 0};
    vdnn_decisions kept;
    shape(&one.list[0], &request);
    const cuts at = draw_cuts(one.list[0].graph, &rng);
    if (at.count > 1) {
        assert_ok(vdnn_decisions_init(&kept, one.list[0].graph));
        plan_stages(&all, &request, &at, &rng, &kept);
        assert_ok(
            vdnn_planner_plan(one.list[0].graph, one.list[0].profile, &kept, &one.list[0].plan));
        vdnn_decisions_fini(&kept);
        run(&one);
        run(&all);
        expect_weights(&one.list[0], &all, seed);
        assert_memory_equal(one.losses[0], all.losses[all.count - 1], sizeof one.losses[0]);
    }
    end(&one);
    end(&all);
    return at.count > 1;
}

static void no_cut_changes_a_bit_of_a_random_network(void **state)
{
    int cut = 0;
    (void)state;
    for (int n = 0; n < vdnn_test_count(RANDOM_NETWORKS); n++)
        cut += try_network(vdnn_test_seed() + (uint64_t)n);
    print_message("%d networks were cut\n", cut);
    assert_true(cut > vdnn_test_count(RANDOM_NETWORKS) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cut_changes_a_bit_of_a_random_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
