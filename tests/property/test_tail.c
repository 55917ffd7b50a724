/* A chain that ends with the loss: each part runs forward and at once backward. */

#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_breaker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

/* Every kind of aux (none, a mask, indexes), random numbers, passes in place, a fork, and a map
 * that is read before a tail and in it. */
static const char text[] =
    "name: tail\n"
    "input: {channels: 2, height: 10, width: 10}\n"
    "classes: 4\n"
    "batch: 7\n"
    "layers:\n"
    "  - {name: conv0, type: conv, out: 6, kernel: 3, pad: 1, parts: 3}\n"
    "  - {name: lrn0, type: lrn, size: 3, parts: 3}\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1, parts: 3}\n"
    "  - {name: sum, type: add, from: [conv1, lrn0], parts: 3}\n"
    "  - {name: relu1, type: relu, parts: 3}\n"
    "  - {name: pool, type: maxpool, kernel: 2, parts: 3}\n"
    "  - {name: left, type: conv, out: 5, kernel: 1, parts: 3}\n"
    "  - {name: drop1, type: dropout, p: 0.2, parts: 3}\n"
    "  - {name: right, type: conv, out: 5, kernel: 3, pad: 1, from: pool, parts: 3}\n"
    "  - {name: both, type: add, from: [drop1, right], parts: 3}\n"
    "  - {name: fc1, type: fc, out: 8, parts: 3}\n"
    "  - {name: act, type: relu, parts: 3}\n"
    "  - {name: fc2, type: fc, out: 4, parts: 3}\n"
    "  - {name: loss, type: softmax_loss, parts: 3}\n";
enum {
    BATCH = 7,
    LARGEST_PART = 3,
    PARTS = 3,
    CONV0 = 0,
    RELU1 = 4,
    POOL = 5,
    LEFT = 6,
    LOSS = 13,
    NO_TAIL
};

static void shape(vdnn_training_case *c, int32_t micros)
{
    const vdnn_graph_options options = {.batch = BATCH * micros,
                                        .micro_batches = micros,
                                        .rules = VDNN_RULES_LEAN,
                                        .dtype = VDNN_F32};
    vdnn_training_case_parse(c, text, &options);
}

/* ---- what becomes of the maps before it ------------------------------------------------------ */

typedef enum fate { KEEP, RECOMPUTE, OFFLOAD_SOON, OFFLOAD_LATE, WAYS } fate;

/* Late: during layers of the tail, both ways. */
static vdnn_map_decision offload(const vdnn_graph *graph, int32_t map, bool is_late)
{
    const vdnn_map *own = &graph->maps[map];
    return (vdnn_map_decision){.action = VDNN_OFFLOAD,
                               .leaves = is_late ? LOSS - map % 4 : own->last_forward,
                               .returns = is_late ? LOSS - map % 3 : own->needed_by[0]};
}

static void decide_map(const vdnn_training_case *c, fate way, int32_t map,
                       vdnn_decisions *decisions)
{
    vdnn_map_decision *own = &decisions->maps[map];
    const bool is_needed = c->graph->maps[map].needed_count > 0;
    own->action = is_needed ? VDNN_KEEP : VDNN_DROP;
    if (way == RECOMPUTE &&
        vdnn_decisions_recompute_refusal(c->graph, c->profile, decisions, map) == NULL)
        own->action = VDNN_RECOMPUTE;
    else if (way > RECOMPUTE && is_needed)
        *own = offload(c->graph, map, way == OFFLOAD_LATE);
    if (vdnn_decisions_tail_refusal(c->graph, decisions, map) != NULL)
        *own = (vdnn_map_decision){.action = is_needed ? VDNN_KEEP : VDNN_DROP};
}

static void decide(const vdnn_training_case *c, fate way, int32_t begin, vdnn_decisions *decisions)
{
    assert_ok(vdnn_decisions_init(decisions, c->graph));
    decisions->sync = VDNN_SYNC_BY_NEED;
    for (int32_t l = begin + 1; l <= LOSS; l++)
        decisions->chained[l] = 1;
    for (int32_t m = 0; m < c->graph->map_count; m++)
        decide_map(c, way, m, decisions);
}

static bool may_begin_at(const vdnn_training_case *c, int32_t begin)
{
    vdnn_decisions decisions;
    bool may = true;
    decide(c, KEEP, begin, &decisions);
    for (int32_t l = begin + 1; l <= LOSS; l++)
        may = may && vdnn_decisions_chain_refusal(c->graph, &decisions, l) == NULL;
    vdnn_decisions_fini(&decisions);
    return may;
}

static vdnn_plan *plan_of(const vdnn_training_case *c, fate way, int32_t begin)
{
    vdnn_decisions decisions;
    decide(c, way, begin, &decisions);
    return vdnn_training_case_plan(c, &decisions);
}

/* ---- bits ------------------------------------------------------------------------------------ */

enum { STEPS = 3 };

static vdnn_training_case train(fate way, int32_t begin, int32_t micros, double *loss)
{
    vdnn_training_case c = {.plan = NULL};
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    shape(&c, micros);
    c.plan = plan_of(&c, way, begin);
    vdnn_training_case_begin(&c);
    for (int step = 0; step < STEPS; step++)
        *loss = vdnn_training_case_step(&c, (int64_t)step * BATCH * micros, context).loss;
    return c;
}

static void expect_bits(const vdnn_training_case *expected, double loss, fate way, int32_t begin,
                        int32_t micros)
{
    double own;
    vdnn_training_case c = train(way, begin, micros, &own);
    if (own != loss)
        print_error("way %d, from layer %d, %d micro-batches\n", (int)way, (int)begin, (int)micros);
    assert_true(own == loss);
    vdnn_training_case_expect_weights_of(&c, expected);
    vdnn_training_case_end(&c);
}

static void a_tail_has_the_bits_of_its_layers_one_after_the_other(void **state)
{
    (void)state;
    int32_t tried = 0;
    for (int32_t micros = 1; micros <= 2; micros++) {
        double loss;
        vdnn_training_case alone = train(KEEP, NO_TAIL, micros, &loss);
        for (int32_t begin = 0; begin < LOSS; begin++)
            if (may_begin_at(&alone, begin)) {
                for (int way = 0; way < WAYS; way++)
                    expect_bits(&alone, loss, (fate)way, begin, micros);
                tried++;
            }
        vdnn_training_case_end(&alone);
    }
    assert_true(tried > LOSS);
}

/* ---- what runs ------------------------------------------------------------------------------- */

static int32_t count_steps(const vdnn_plan *plan, vdnn_step_kind kind)
{
    int32_t count = 0;
    for (int32_t s = 0; s < plan->step_count; s++)
        count += plan->steps[s].kind == kind;
    return count;
}

/* All of a part, then the next; nothing of it is recomputed or copied. */
static void a_part_runs_forward_and_at_once_backward(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, 1);
    c.plan = plan_of(&c, RECOMPUTE, 0);
    int32_t before = -1;
    for (int32_t part = 0; part < PARTS; part++) {
        for (int32_t l = 0; l <= LOSS; l++) {
            const int32_t step = vdnn_plan_edit_find_run(c.plan, VDNN_FORWARD, l, part);
            assert_true(step > before);
            before = step;
        }
        for (int32_t l = LOSS; l > 0; l--) {
            const int32_t step = vdnn_plan_edit_find_run(c.plan, VDNN_BACKWARD_DATA, l, part);
            assert_true(step > before);
            before = step;
        }
    }
    assert_int_equal(count_steps(c.plan, VDNN_STEP_RECOMPUTE), 0);
    assert_int_equal(count_steps(c.plan, VDNN_STEP_COPY_OUT), 0);
    vdnn_training_case_end(&c);
}

static size_t largest_of(const vdnn_plan *plan, int32_t map)
{
    size_t largest = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].map == map && plan->buffers[b].class != VDNN_CLASS_INPUT &&
            plan->buffers[b].bytes > largest)
            largest = plan->buffers[b].bytes;
    return largest;
}

static void what_a_tail_makes_is_there_a_part_at_a_time(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, 1);
    vdnn_plan *alone = plan_of(&c, KEEP, NO_TAIL);
    c.plan = plan_of(&c, KEEP, 0);
    for (int32_t m = 0; m < c.graph->map_count; m++) {
        const vdnn_map *own = &c.graph->maps[m];
        if (own->kind == VDNN_MAP_FEATURE)
            assert_int_equal(largest_of(c.plan, m), own->bytes / BATCH * LARGEST_PART);
        else if (own->kind == VDNN_MAP_AUX)
            assert_true(largest_of(c.plan, m) < own->bytes);
    }
    assert_true(c.plan->peak_bytes[VDNN_TIER_DEVICE] < alone->peak_bytes[VDNN_TIER_DEVICE]);
    vdnn_plan_destroy(alone);
    vdnn_training_case_end(&c);
}

/* Of a chain before it, a piece that comes as far ahead as its decision says comes beside the tail.
 */
static void pieces_of_an_earlier_chain_come_beside_a_tail(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    shape(&c, 1);
    const int32_t map = c.graph->tensors[c.graph->layers[CONV0].output].map;
    decide(&c, KEEP, POOL, &decisions);
    decisions.chained[CONV0 + 1] = 1;
    decisions.maps[map] =
        (vdnn_map_decision){.action = VDNN_OFFLOAD, .leaves = LEFT, .returns = LEFT, .pieces = 2};
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
    int32_t first = 0;
    while (c.plan->steps[first].kind != VDNN_STEP_COPY_IN)
        first++;
    assert_true(first < vdnn_plan_edit_find_run(c.plan, VDNN_BACKWARD_DATA, POOL, PARTS - 1));
    assert_true(first > vdnn_plan_edit_find_run(c.plan, VDNN_FORWARD, POOL, PARTS - 1));
    vdnn_decisions_fini(&decisions);
    vdnn_training_case_end(&c);
}

/* ---- what cannot be -------------------------------------------------------------------------- */

static void what_a_tail_has_can_only_be_kept(void **state)
{
    static const vdnn_map_decision wrong[] = {
        {.action = VDNN_RECOMPUTE},
        {.action = VDNN_OFFLOAD, .leaves = LOSS, .returns = LOSS},
        {.action = VDNN_OFFLOAD, .leaves = LOSS, .returns = LOSS, .pieces = 1},
        {.action = VDNN_KEEP, .recomputed = 1}};
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, 1);
    const int32_t maps[] = {c.graph->tensors[c.graph->layers[RELU1].output].map,
                            c.graph->tensors[c.graph->layers[LEFT].output].map,
                            c.graph->aux_map[POOL]};
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            vdnn_decisions decisions;
            vdnn_plan *plan;
            decide(&c, KEEP, POOL, &decisions);
            decisions.maps[maps[m]] = wrong[i];
            assert_non_null(vdnn_decisions_tail_refusal(c.graph, &decisions, maps[m]));
            assert_status(vdnn_planner_plan(c.graph, c.profile, &decisions, &plan), VDNN_INTERNAL);
            assert_message("can only be kept");
            vdnn_decisions_fini(&decisions);
        }
    vdnn_training_case_end(&c);
}

/* ---- broken plans ---------------------------------------------------------------------------- */

static vdnn_plan_breaker begin_breaking(int32_t begin)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, 1);
    b.c.plan = plan_of(&b.c, OFFLOAD_LATE, begin);
    vdnn_plan_breaker_begin(&b);
    return b;
}

static void a_part_of_a_tail_that_is_lost_or_run_twice_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(POOL);
    for (int pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
        for (int32_t n = 0; n < PARTS; n++)
            vdnn_plan_breaker_expect_run_once(&b, (vdnn_pass)pass, LEFT, n);
    for (int32_t n = 0; n < PARTS; n++)
        vdnn_plan_breaker_expect_run_once(&b, VDNN_FORWARD, LOSS, n);
    vdnn_plan_breaker_end(&b);
}

/* The result of another part, the labels of another, a part in another's place. */
static void what_a_part_of_the_loss_takes_of_another_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(0);
    for (int32_t part = 0; part < PARTS; part++) {
        const int32_t run = vdnn_plan_edit_find_run(b.c.plan, VDNN_FORWARD, LOSS, part);
        const vdnn_step *own = &b.c.plan->steps[run];
        for (int32_t k = own->first_access; k < own->first_access + own->access_count; k++) {
            const vdnn_access *access = &b.c.plan->accesses[k];
            if (access->bind != VDNN_BIND_LABELS && access->bind != VDNN_BIND_Y)
                continue;
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            broken->accesses[k].first += part < PARTS - 1 ? sizeof(float) : -sizeof(float);
            vdnn_plan_edit_expect_refused(broken, NULL);
            broken = vdnn_plan_breaker_fresh(&b);
            broken->accesses[k].bytes -= sizeof(float);
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        broken->steps[run].part = (part + 1) % PARTS;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan_breaker_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tail_has_the_bits_of_its_layers_one_after_the_other),
        cmocka_unit_test(a_part_runs_forward_and_at_once_backward),
        cmocka_unit_test(what_a_tail_makes_is_there_a_part_at_a_time),
        cmocka_unit_test(pieces_of_an_earlier_chain_come_beside_a_tail),
        cmocka_unit_test(what_a_tail_has_can_only_be_kept),
        cmocka_unit_test(a_part_of_a_tail_that_is_lost_or_run_twice_is_refused),
        cmocka_unit_test(what_a_part_of_the_loss_takes_of_another_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
