/* Networks cut into the stages of a pipeline: their arithmetic against that of one device with the
 * same micro-batches, under random decisions. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/plan_repair.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { NONE = -1, STEPS = 2, RANDOM_NETWORKS = 200, MOST_STAGES = 4 };

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
        own.stage =
            (vdnn_stage){.first = s == 0 ? 0 : at->ends[s - 1],
                         .end = at->ends[s],
                         .number = s,
                         .count = at->count,
                         .schedule = (vdnn_schedule)(request->seed / 7 % VDNN_SCHEDULE_COUNT)};
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

/* ---- planted faults -------------------------------------------------------------------------- */

/* A tensor that crosses both cuts, and gradients that are clipped. */
static const char plain[] = "name: cut\n"
                            "input: {channels: 2, height: 6, width: 6}\n"
                            "classes: 3\n"
                            "batch: 4\n"
                            "layers:\n"
                            "  - {name: a, type: conv, out: 4, kernel: 1}\n"
                            "  - {name: b, type: conv, out: 4, kernel: 1}\n"
                            "  - {name: c, type: conv, out: 4, kernel: 1}\n"
                            "  - {name: d, type: add, from: [c, a]}\n"
                            "  - {name: e, type: fc, out: 3}\n"
                            "  - {name: loss, type: softmax_loss}\n"
                            "training: {clip_norm: 1}\n";
enum { STAGES = 3, MICROS = 4 };
static const int32_t plain_ends[STAGES] = {1, 2, 6};

/* The weight of the words is used in the first stage and in the last, that of fc1 in the first two;
 * their blocks are alike. */
static const char tied[] = "name: tied\n"
                           "input: {tokens: 9, vocabulary: 12}\n"
                           "classes: 12\n"
                           "batch: 4\n"
                           "layers:\n"
                           "  - {name: words, type: embedding, out: 12}\n"
                           "  - {name: fc1, type: linear, out: 12, bias: false}\n"
                           "  - {name: relu1, type: relu}\n"
                           "  - {name: fc2, type: linear, out: 12, weight_of: fc1}\n"
                           "  - {name: sum, type: add, from: [fc2, words]}\n"
                           "  - {name: decoder, type: linear, out: 12, weight_of: words}\n"
                           "  - {name: loss, type: softmax_loss}\n";
static const int32_t tied_ends[STAGES] = {3, 5, 7};

static void plan_cut(pipeline *all, vdnn_schedule schedule, const char *text, const int32_t *ends)
{
    vdnn_decisions kept;
    all->count = STAGES;
    for (int32_t s = 0; s < STAGES; s++) {
        const vdnn_graph_options options = {.batch = 4,
                                            .micro_batches = MICROS,
                                            .rules = VDNN_RULES_LEAN,
                                            .dtype = VDNN_F32,
                                            .stage = {.first = s == 0 ? 0 : ends[s - 1],
                                                      .end = ends[s],
                                                      .number = s,
                                                      .count = STAGES,
                                                      .schedule = schedule}};
        vdnn_training_case *c = &all->list[s];
        vdnn_training_case_parse(c, text, &options);
        assert_ok(vdnn_decisions_init(&kept, c->graph));
        assert_ok(vdnn_planner_plan(c->graph, c->profile, &kept, &c->plan));
        vdnn_decisions_fini(&kept);
    }
}

/* The number of the n-th step of a kind in one half, counted from the last one where n < 0. */
static int32_t find_step(const vdnn_plan *plan, vdnn_step_kind kind, vdnn_pass half, int n)
{
    for (int32_t k = 0; k < plan->step_count; k++) {
        const int32_t i = n < 0 ? plan->step_count - 1 - k : k;
        if (plan->steps[i].kind == kind && plan->steps[i].pass == half && (n < 0 ? ++n : n--) == 0)
            return i;
    }
    fail_msg("there is no such step");
    return NONE;
}

static int32_t find_send(const vdnn_plan *plan, vdnn_pass half, int n)
{
    return find_step(plan, VDNN_STEP_SEND, half, n);
}

static int32_t find_receive(const vdnn_plan *plan, vdnn_pass half, int n)
{
    return find_step(plan, VDNN_STEP_RECEIVE, half, n);
}

/* Each neighbor wants the other's maps, or gradients, before it gives its own. */
static void send_last(vdnn_plan **plans)
{
    vdnn_plan_edit_redirect_wait(plans[0], find_send(plans[0], VDNN_FORWARD, 0),
                                 find_receive(plans[0], VDNN_BACKWARD_DATA, 0));
}

/* The second stage waits for what the third makes of what the second has not sent. */
static void wait_around(vdnn_plan **plans)
{
    vdnn_plan_edit_redirect_wait(plans[1], find_send(plans[1], VDNN_FORWARD, 3),
                                 find_receive(plans[1], VDNN_BACKWARD_DATA, 7));
}

static void forget_receive(vdnn_plan **plans)
{
    vdnn_plan_edit_remove(plans[1], find_receive(plans[1], VDNN_FORWARD, 2));
}

static void forget_norm(vdnn_plan **plans)
{
    vdnn_plan_edit_remove(plans[1], find_send(plans[1], VDNN_BACKWARD_FILTER, 0));
}

static void send_other_micro(vdnn_plan **plans)
{
    plans[0]->steps[find_send(plans[0], VDNN_FORWARD, 1)].micro = 2;
}

static void send_less(vdnn_plan **plans)
{
    plans[2]->steps[find_send(plans[2], VDNN_BACKWARD_DATA, 0)].bytes -= 4;
}

static void cut_elsewhere(vdnn_plan **plans)
{
    ((vdnn_graph *)(uintptr_t)plans[1]->graph)->stage.first++;
}

static void receive_as_gradient(vdnn_plan **plans)
{
    const vdnn_step *step = &plans[1]->steps[find_receive(plans[1], VDNN_FORWARD, 0)];
    plans[1]->buffers[plans[1]->accesses[step->first_access].buffer].class =
        VDNN_CLASS_GRADIENT_MAP;
}

static void send_twice(vdnn_plan **plans)
{
    vdnn_plan_edit_duplicate(plans[1], find_send(plans[1], VDNN_FORWARD, 0));
}

/* Another micro-batch's. */
static void send_another_gradient(vdnn_plan **plans)
{
    vdnn_plan *plan = plans[2];
    const int32_t send = find_send(plan, VDNN_BACKWARD_DATA, 1),
                  other = find_send(plan, VDNN_BACKWARD_DATA, 3);
    vdnn_plan_edit_take(plan, &plan->accesses[plan->steps[other].first_access],
                        plan->accesses[plan->steps[send].first_access].buffer);
}

/* ---- of weights that stages share ------------------------------------------------------------ */

static void lend_nothing(vdnn_plan **plans)
{
    vdnn_plan_edit_remove(plans[0], find_send(plans[0], VDNN_FORWARD, 0));
}

static void lend_twice(vdnn_plan **plans)
{
    vdnn_plan_edit_duplicate(plans[0], find_send(plans[0], VDNN_FORWARD, 0));
}

static void borrow_nothing(vdnn_plan **plans)
{
    vdnn_plan_edit_remove(plans[2], find_receive(plans[2], VDNN_FORWARD, 0));
}

/* The stage computes with the weights that it was lent for another layer. */
static void borrow_another_block(vdnn_plan **plans)
{
    vdnn_step *words = &plans[1]->steps[find_receive(plans[1], VDNN_FORWARD, 0)],
              *fc1 = &plans[1]->steps[find_receive(plans[1], VDNN_FORWARD, 1)];
    const int32_t layer = words->layer;
    words->layer = fc1->layer;
    fc1->layer = layer;
}

/* As the update has made them, which one device has in the next step alone. */
static void lend_what_is_updated(vdnn_plan **plans)
{
    vdnn_plan_edit_move(plans[0], find_send(plans[0], VDNN_FORWARD, 1), plans[0]->step_count - 2);
}

static void forget_sum(vdnn_plan **plans)
{
    vdnn_plan_edit_remove(plans[2], find_send(plans[2], VDNN_BACKWARD_FILTER, 0));
}

static void miss_sum(vdnn_plan **plans)
{
    vdnn_plan_edit_remove(plans[0], find_receive(plans[0], VDNN_BACKWARD_FILTER, 0));
}

static void join_nothing(vdnn_plan **plans)
{
    vdnn_plan_edit_remove(plans[0],
                          find_step(plans[0], VDNN_STEP_ACCUMULATE, VDNN_BACKWARD_FILTER, -1));
}

static void join_twice(vdnn_plan **plans)
{
    vdnn_plan_edit_duplicate(plans[0],
                             find_step(plans[0], VDNN_STEP_ACCUMULATE, VDNN_BACKWARD_FILTER, -1));
}

/* That of the last micro-batch, before the others' is added. */
static void send_half_a_sum(vdnn_plan **plans)
{
    vdnn_plan *plan = plans[2];
    const int32_t send = find_send(plan, VDNN_BACKWARD_FILTER, 0),
                  sum = find_step(plan, VDNN_STEP_RUN, VDNN_BACKWARD_FILTER, -1);
    vdnn_plan_edit_move(plan, send, sum + 1);
}

static void send_sum_twice(vdnn_plan **plans)
{
    vdnn_plan_edit_duplicate(plans[1], find_send(plans[1], VDNN_BACKWARD_FILTER, 0));
}

static void lap_over(vdnn_plan **plans)
{
    vdnn_graph *graph = (vdnn_graph *)(uintptr_t)plans[1]->graph;
    graph->layers[tied_ends[0]].params[1].offset += 4;
}

typedef struct fault {
    const char *name;
    void (*plant)(vdnn_plan **plans);
    bool is_of_all; /* else its own plan shows it */
} fault;

static void expect_refused(const fault *f, vdnn_schedule schedule, const char *text,
                           const int32_t *ends)
{
    pipeline all = {.count = 0};
    vdnn_plan *plans[STAGES];
    vdnn_status status = VDNN_OK;
    plan_cut(&all, schedule, text, ends);
    for (int32_t s = 0; s < STAGES; s++) {
        plans[s] = all.list[s].plan;
        assert_ok(vdnn_checker_check(plans[s], vdnn_tier_unlimited));
    }
    assert_ok(vdnn_checker_check_stages((const vdnn_plan *const *)plans, STAGES));
    f->plant(plans);
    if (f->is_of_all)
        status = vdnn_checker_check_stages((const vdnn_plan *const *)plans, STAGES);
    for (int32_t s = 0; s < STAGES && status == VDNN_OK && !f->is_of_all; s++) {
        vdnn_plan_repair(plans[s]);
        status = vdnn_checker_check(plans[s], vdnn_tier_unlimited);
    }
    if (status != VDNN_INTERNAL)
        fail_msg("%s: status %d", f->name, (int)status);

    end(&all);
}

static void each_planted_fault_is_refused(void **state)
{
    static const fault faults[] = {{"both send last", send_last, true},
                                   {"a cycle over three devices", wait_around, true},
                                   {"a receive is missing", forget_receive, true},
                                   {"a receive is missing", forget_receive, false},
                                   {"a sum that some stages do not reach", forget_norm, true},
                                   {"a sum that some stages do not reach", forget_norm, false},
                                   {"another micro-batch is sent", send_other_micro, true},
                                   {"fewer bytes are sent", send_less, true},
                                   {"layers of no stage", cut_elsewhere, true},
                                   {"a buffer of another type", receive_as_gradient, false},
                                   {"a tensor is sent twice", send_twice, false},
                                   {"another gradient is sent", send_another_gradient, false}};
    (void)state;
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        for (int schedule = VDNN_SCHEDULE_GPIPE; schedule <= VDNN_SCHEDULE_1F1B; schedule++)
            expect_refused(&faults[f], (vdnn_schedule)schedule, plain, plain_ends);
}

static void each_fault_of_shared_weights_is_refused(void **state)
{
    static const fault faults[] = {{"weights are not lent", lend_nothing, true},
                                   {"weights are not lent", lend_nothing, false},
                                   {"weights are lent twice", lend_twice, false},
                                   {"weights are not borrowed", borrow_nothing, false},
                                   {"weights of another block", borrow_another_block, false},
                                   {"weights after their update", lend_what_is_updated, false},
                                   {"a sum is not sent", forget_sum, true},
                                   {"a sum is not sent", forget_sum, false},
                                   {"a sum is not received", miss_sum, false},
                                   {"a sum is not joined", join_nothing, false},
                                   {"a sum is joined twice", join_twice, false},
                                   {"half a sum is sent", send_half_a_sum, false},
                                   {"a sum is sent twice", send_sum_twice, false},
                                   {"parameters leave a gap", lap_over, true}};
    (void)state;
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        for (int schedule = VDNN_SCHEDULE_GPIPE; schedule < VDNN_SCHEDULE_COUNT; schedule++)
            expect_refused(&faults[f], (vdnn_schedule)schedule, tied, tied_ends);
}

/* What crosses each cut of `tied`, whose blocks have 624 bytes each. */
static void lent_blocks_cross_the_cuts_between_their_layers(void **state)
{
    static const size_t blocks[] = {0, 1, 2, 2, 1, 1, 0};
    const vdnn_graph_options options = {.batch = 4, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_training_case c = {0};
    (void)state;
    vdnn_training_case_parse(&c, tied, &options);
    assert_int_equal(c.graph->layer_count, sizeof blocks / sizeof *blocks);
    for (int32_t l = 1; l < c.graph->layer_count; l++)
        assert_int_equal(vdnn_stage_lent_bytes(c.graph, l), 624 * blocks[l]);
    vdnn_training_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_planted_fault_is_refused),
        cmocka_unit_test(each_fault_of_shared_weights_is_refused),
        cmocka_unit_test(lent_blocks_cross_the_cuts_between_their_layers),
        cmocka_unit_test(no_cut_changes_a_bit_of_a_random_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
