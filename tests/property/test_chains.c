/* Layers that run part by part: bits, memory, what cannot be chained, and broken plans. */

#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_breaker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* Chains around a fork, or across it, with every kind of aux (none, a mask, indexes) and random
 * numbers inside: relu0 to pool2, which begins in place on what another layer wrote, left to drop1,
 * which ends with two in place, right, and fc1 to fc2. */
static const char layers[] =
    "  - {name: lrn0, type: lrn, size: 3, parts: 2}\n"
    "  - {name: relu0, type: relu, parts: 3}\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1, parts: 3}\n"
    "  - {name: lrn1, type: lrn, size: 3, parts: 3}\n"
    "  - {name: conv2, type: conv, out: 6, kernel: 3, pad: 1, parts: 3}\n"
    "  - {name: relu2, type: relu, parts: 3}\n"
    "  - {name: pool2, type: maxpool, kernel: 2, parts: 3}\n"
    "  - {name: left, type: conv, out: 5, kernel: 1, parts: 3}\n"
    "  - {name: relu1, type: relu, parts: 3}\n"
    "  - {name: drop1, type: dropout, p: 0.2, parts: 3}\n"
    "  - {name: right, type: conv, out: 5, kernel: 3, pad: 1, from: pool2, parts: 3}\n"
    "  - {name: both, type: add, from: [drop1, right], parts: 3}\n"
    "  - {name: fc1, type: fc, out: 8, parts: 3}\n"
    "  - {name: drop2, type: dropout, p: 0.4, parts: 3}\n"
    "  - {name: act, type: relu, parts: 3}\n"
    "  - {name: fc2, type: fc, out: 4, parts: 3}\n"
    "  - {name: loss, type: softmax_loss}\n";
enum {
    BATCH = 7,
    LARGEST_PART = 3,
    PARTS = 3,
    RELU0 = 1,
    LRN1 = 3,
    CONV2 = 4,
    POOL2 = 6,
    LEFT = 7,
    RIGHT = 10,
    BOTH = 11,
    FC1 = 12,
    TEXT_BYTES = 2048
};

static void parse(vdnn_training_case *c, const char *text_of_layers,
                  const vdnn_graph_options *options)
{
    char text[TEXT_BYTES];
    const int length = snprintf(text, sizeof text,
                                "name: chains\ninput: {channels: 2, height: 10, width: 10}\n"
                                "classes: 4\nbatch: %d\nlayers:\n%s",
                                BATCH, text_of_layers);
    assert_in_range(length, 1, sizeof text - 1);
    vdnn_training_case_parse(c, text, options);
}

static void shape(vdnn_training_case *c, int32_t micros)
{
    const vdnn_graph_options options = {.batch = BATCH * micros,
                                        .micro_batches = micros,
                                        .rules = VDNN_RULES_LEAN,
                                        .dtype = VDNN_F32};
    parse(c, layers, &options);
}

/* ---- what becomes of the maps inside --------------------------------------------------------- */

typedef void make_map_fn(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map);

static void keep_map(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    (void)graph;
    (void)decisions;
    (void)map;
}

static void recompute_map(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    if (graph->maps[map].kind == VDNN_MAP_FEATURE)
        decisions->maps[map].action = VDNN_RECOMPUTE;
}

static void offload_map(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    const vdnn_map *own = &graph->maps[map];
    if (own->needed_count > 0)
        decisions->maps[map] = (vdnn_map_decision){
            .action = VDNN_OFFLOAD, .leaves = own->last_forward, .returns = own->needed_by[0]};
}

static void offload_pieces(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    offload_map(graph, decisions, map);
    decisions->maps[map].pieces = decisions->maps[map].action == VDNN_OFFLOAD &&
                                  vdnn_decisions_pieces_refusal(graph, decisions, map) == NULL;
}

/* Waited for two parts later, and copied in two parts ahead. */
static void offload_ahead(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    offload_pieces(graph, decisions, map);
    vdnn_map_decision *at = &decisions->maps[map];
    if (at->pieces == 0)
        return;
    at->pieces = 2;
    at->leaves = at->returns = graph->layer_count - 1;
}

/* One of them is recomputed, where that can be, and what that takes is, too. */
static void recompute_pieces(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    vdnn_map_decision *at = &decisions->maps[map];
    if (graph->maps[map].needed_count == 0 && vdnn_decisions_is_inside(graph, decisions, map))
        at->action = VDNN_RECOMPUTE;
    if (graph->maps[map].needed_count == 0)
        return;
    offload_pieces(graph, decisions, map);
    at->recomputed = 1;
    if (vdnn_decisions_recomputed_refusal(graph, decisions, map) != NULL)
        at->recomputed = 0;
}

static void keep_pieces(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    recompute_pieces(graph, decisions, map);
    vdnn_map_decision *at = &decisions->maps[map];
    if (at->action == VDNN_OFFLOAD)
        *at = (vdnn_map_decision){.action = VDNN_KEEP, .recomputed = at->recomputed};
}

/* Each map as another, by its number. */
static void mix_maps(const vdnn_graph *graph, vdnn_decisions *decisions, int32_t map)
{
    static make_map_fn *const ways[] = {recompute_map, offload_pieces, keep_map, offload_map};
    ways[map % 4](graph, decisions, map);
}

static const struct {
    const char *name;
    make_map_fn *make;
} ways[] = {
    {"kept", keep_map},
    {"recomputed", recompute_map},
    {"offloaded", offload_map},
    {"offloaded in pieces", offload_pieces},
    {"one of each", mix_maps},
    {"offloaded two parts ahead", offload_ahead},
    {"offloaded in part", recompute_pieces},
    {"kept in part", keep_pieces},
};
enum {
    WAYS = sizeof ways / sizeof *ways,
    KEEP = 0,
    RECOMPUTED = 1,
    PIECES = 3,
    AHEAD = 5,
    PARTLY = 6,
    KEPT_PARTLY = 7
};

/* ---- chains ---------------------------------------------------------------------------------- */

/* All layers but these are chained as far as they can be: so many, and so many maps are inside; the
 * fork's gradient is, if it is made and read in one chain. */
static const struct {
    const char *name;
    int32_t alone[3], chained, inside;
    bool has_fork_inside;
} forms[] = {
    {"around the fork", {LEFT, RIGHT, BOTH}, 10, 4, false},
    {"across the fork", {0}, 14, 8, true},
    {"from behind the fork's layer on", {LEFT}, 13, 7, false},
    {"up to the first branch", {RIGHT}, 12, 5, false},
    {"up to the last branch", {BOTH}, 12, 5, true},
};
enum { FORMS = sizeof forms / sizeof *forms, ACROSS = 1, ALONE = -1 };

static bool is_alone(int form, int32_t layer)
{
    bool found = false;
    for (size_t i = 0; i < sizeof forms->alone / sizeof *forms->alone; i++)
        found = found || forms[form].alone[i] == layer;
    return found;
}

static void chain_all(const vdnn_graph *graph, int form, vdnn_decisions *decisions)
{
    int32_t count = 0;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        decisions->chained[l] =
            !is_alone(form, l) && vdnn_decisions_chain_refusal(graph, decisions, l) == NULL;
        count += decisions->chained[l];
    }
    assert_int_equal(count, forms[form].chained);
}

/* ALONE: no layer is chained. */
static void decide(const vdnn_training_case *c, int way, int form, vdnn_decisions *decisions)
{
    assert_ok(vdnn_decisions_init(decisions, c->graph));
    decisions->sync = VDNN_SYNC_BY_NEED;
    for (int32_t m = 0; m < c->graph->map_count; m++)
        if (c->graph->maps[m].needed_count == 0)
            decisions->maps[m].action = VDNN_DROP;
    if (form != ALONE)
        chain_all(c->graph, form, decisions);
    for (int32_t m = 0; m < c->graph->map_count; m++)
        ways[way].make(c->graph, decisions, m);
    for (int32_t m = 0; m < c->graph->map_count; m++)
        if (decisions->maps[m].action == VDNN_RECOMPUTE &&
            vdnn_decisions_recompute_refusal(c->graph, c->profile, decisions, m) != NULL)
            decisions->maps[m].action = VDNN_KEEP; /* of what a chain leaves */
}

static vdnn_plan *plan_of(const vdnn_training_case *c, int way, int form)
{
    vdnn_decisions decisions;
    decide(c, way, form, &decisions);
    return vdnn_training_case_plan(c, &decisions);
}

/* ---- bits ------------------------------------------------------------------------------------ */

enum { STEPS = 3 };

static vdnn_training_case train(int way, int form, int32_t micros, double *loss)
{
    vdnn_training_case c = {.plan = NULL};
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    shape(&c, micros);
    c.plan = plan_of(&c, way, form);
    vdnn_training_case_begin(&c);
    for (int step = 0; step < STEPS; step++)
        *loss = vdnn_training_case_step(&c, (int64_t)step * BATCH * micros, context).loss;
    return c;
}

static void a_chain_has_the_bits_of_its_layers_one_after_the_other(void **state)
{
    (void)state;
    for (int32_t micros = 1; micros <= 2; micros++) {
        double wanted, loss;
        vdnn_training_case alone = train(0, ALONE, micros, &wanted);
        for (int way = 0; way < WAYS; way++)
            for (int form = ALONE; form < FORMS; form++) {
                vdnn_training_case c = train(way, form, micros, &loss);
                if (loss != wanted)
                    print_error("%s, %s, in %d micro-batches\n", ways[way].name,
                                form == ALONE ? "alone" : forms[form].name, (int)micros);
                assert_true(loss == wanted);
                vdnn_training_case_expect_weights_of(&c, &alone);
                vdnn_training_case_end(&c);
            }
        vdnn_training_case_end(&alone);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t largest_on_device(const vdnn_plan *plan, int32_t map)
{
    size_t largest = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].map == map && plan->buffers[b].tier == VDNN_TIER_DEVICE &&
            plan->buffers[b].class == VDNN_CLASS_FEATURE_MAP && plan->buffers[b].bytes > largest)
            largest = plan->buffers[b].bytes;
    return largest;
}

static int32_t count_inside(const vdnn_training_case *c, const vdnn_decisions *decisions)
{
    int32_t count = 0;
    for (int32_t m = 0; m < c->graph->map_count; m++)
        if (vdnn_decisions_is_by_parts(c->graph, decisions, m)) {
            assert_int_equal(largest_on_device(c->plan, m),
                             c->graph->maps[m].bytes / BATCH * LARGEST_PART);
            count++;
        }
    return count;
}

static void expect_inside_by_parts(vdnn_training_case *c, int way, int form)
{
    vdnn_decisions decisions;
    decide(c, way, form, &decisions);
    vdnn_plan *alone = plan_of(c, way, ALONE);
    c->plan = plan_of(c, way, form);
    assert_int_equal(count_inside(c, &decisions), forms[form].inside);
    assert_true(c->plan->peak_bytes[VDNN_TIER_DEVICE] < alone->peak_bytes[VDNN_TIER_DEVICE]);
    vdnn_plan_destroy(c->plan);
    c->plan = NULL;
    vdnn_plan_destroy(alone);
    vdnn_decisions_fini(&decisions);
}

static void what_is_inside_is_there_a_part_at_a_time(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, 1);
    for (int form = 0; form < FORMS; form++) {
        expect_inside_by_parts(&c, RECOMPUTED, form);
        expect_inside_by_parts(&c, PIECES, form);
        expect_inside_by_parts(&c, AHEAD, form);
        expect_inside_by_parts(&c, PARTLY, form);
        expect_inside_by_parts(&c, KEPT_PARTLY, form);
    }
    vdnn_training_case_end(&c);
}

static void gradients_inside_are_there_a_part_at_a_time(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, 1);
    const int32_t map = c.graph->tensors[c.graph->layers[POOL2].output].map;
    for (int form = ALONE; form < FORMS; form++) {
        c.plan = plan_of(&c, PIECES, form);
        size_t largest = 0;
        for (int32_t b = 0; b < c.plan->buffer_count; b++)
            if (c.plan->buffers[b].class == VDNN_CLASS_GRADIENT_MAP &&
                c.plan->buffers[b].map == map && c.plan->buffers[b].bytes > largest)
                largest = c.plan->buffers[b].bytes;
        const int32_t samples = form != ALONE && forms[form].has_fork_inside ? LARGEST_PART : BATCH;
        assert_int_equal(largest, c.graph->maps[map].bytes / BATCH * (size_t)samples);
        vdnn_plan_destroy(c.plan);
        c.plan = NULL;
    }
    vdnn_training_case_end(&c);
}

/* Each pass of a layer in forward: all layers of a chain, then the next part. */
static void a_chain_computes_one_part_after_the_other(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, 1);
    c.plan = plan_of(&c, PIECES, ACROSS);
    int32_t before = -1;
    for (int32_t part = 0; part < PARTS; part++)
        for (int32_t l = RELU0; l <= FC1; l++) {
            const int32_t step = vdnn_plan_edit_find_run(c.plan, VDNN_FORWARD, l, part);
            assert_true(step > before);
            before = step;
        }
    vdnn_training_case_end(&c);
}

static int32_t find_copy_in(const vdnn_plan *plan, int32_t map, int32_t piece)
{
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        if (step->kind == VDNN_STEP_COPY_IN &&
            plan->buffers[plan->accesses[step->first_access].buffer].map == map && piece-- == 0)
            return s;
    }
    fail_msg("map %d is not copied in", (int)map);
    return -1;
}

/* In the list before the part that runs then, on the link behind what it waits for. */
static void pieces_come_as_far_ahead_as_decided(void **state)
{
    static const int by_parts[] = {PIECES, AHEAD};
    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        vdnn_training_case c = {.plan = NULL};
        shape(&c, 1);
        const int32_t map = c.graph->tensors[c.graph->layers[LRN1].output].map;
        c.plan = plan_of(&c, by_parts[ahead], ACROSS);
        for (int32_t part = 0; part < PARTS; part++) {
            const int32_t first = vdnn_plan_edit_find_run(c.plan, VDNN_BACKWARD_DATA, BOTH, part),
                          begun = !ahead      ? part
                                  : part == 0 ? 1
                                              : part + 2;
            for (int32_t piece = 0; piece < PARTS; piece++)
                assert_int_equal(find_copy_in(c.plan, map, piece) < first, piece < begun);
        }
        vdnn_training_case_end(&c);
    }
}

static int32_t count_steps(const vdnn_plan *plan, vdnn_step_kind kind, int32_t layer, int32_t map)
{
    int32_t count = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        const int32_t of = plan->buffers[plan->accesses[step->first_access].buffer].map;
        count +=
            step->kind == kind && (kind == VDNN_STEP_RECOMPUTE ? step->layer == layer : of == map);
    }
    return count;
}

/* The others are copied out and in, or stay. */
static void as_many_pieces_are_recomputed_as_decided(void **state)
{
    static const struct {
        int way;
        int32_t recomputed, copied;
    } expected[] = {{KEEP, 0, 0},
                    {RECOMPUTED, PARTS, 0},
                    {PIECES, 0, PARTS},
                    {PARTLY, 1, PARTS - 1},
                    {KEPT_PARTLY, 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        vdnn_training_case c = {.plan = NULL};
        shape(&c, 1);
        const int32_t map = c.graph->tensors[c.graph->layers[LRN1].output].map;
        c.plan = plan_of(&c, expected[i].way, ACROSS);
        assert_int_equal(count_steps(c.plan, VDNN_STEP_RECOMPUTE, LRN1, map),
                         expected[i].recomputed);
        assert_int_equal(count_steps(c.plan, VDNN_STEP_COPY_OUT, LRN1, map), expected[i].copied);
        assert_int_equal(count_steps(c.plan, VDNN_STEP_COPY_IN, LRN1, map), expected[i].copied);
        vdnn_training_case_end(&c);
    }
}

/* ---- what cannot be -------------------------------------------------------------------------- */

/* By the question that policies ask, and by the planner where they do not. */
static void shares_that_cannot_be_recomputed_are_refused(void **state)
{
    static const struct {
        vdnn_map_decision decision;
        int form;
        int32_t layer;
        const char *text;
    } wrong[] = {
        {{.action = VDNN_OFFLOAD, .leaves = BOTH, .returns = BOTH, .recomputed = 1},
         ACROSS,
         LRN1,
         "it is neither kept nor copied in pieces"},
        {{.recomputed = PARTS}, ACROSS, LRN1, "it has not that many pieces"},
        {{.recomputed = -1}, ACROSS, LRN1, "it has not that many pieces"},
        {{.recomputed = 1}, ALONE, LRN1, "it is not made and read within one chain"},
    };
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int32_t map = c.graph->tensors[c.graph->layers[wrong[i].layer].output].map;
        vdnn_decisions decisions;
        vdnn_plan *plan;
        decide(&c, KEEP, wrong[i].form, &decisions);
        decisions.maps[map] = wrong[i].decision;
        assert_string_equal(vdnn_decisions_recomputed_refusal(c.graph, &decisions, map),
                            wrong[i].text);
        assert_status(vdnn_planner_plan(c.graph, c.profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message(wrong[i].text);
        vdnn_decisions_fini(&decisions);
    }
    vdnn_training_case_end(&c);
}

typedef struct refusal {
    const char *layers;
    int32_t layer;
    const char *text;
    vdnn_gradients gradients;
} refusal;

#define FC "  - {name: fc, type: fc, out: 4}\n  - {name: loss, type: softmax_loss}\n"
#define CONV(name, parts)                                                                          \
    "  - {name: " name ", type: conv, out: 2, kernel: 3, pad: 1, parts: " parts "}\n"
#define TIED(name, more) "  - {name: " name ", type: conv, out: 2, kernel: 1, parts: 2" more "}\n"

static const refusal refusals[] = {
    {CONV("a", "2") FC, 0, "none is before it", VDNN_GRADIENTS_EXACT},
    {CONV("a", "2") CONV("b", "3") FC, 1, "they do not run in the same parts of the samples",
     VDNN_GRADIENTS_EXACT},
    {CONV("a", "1") CONV("b", "1") FC, 1, "they do not run in the same parts of the samples",
     VDNN_GRADIENTS_EXACT},
    {layers, POOL2,
     "a layer that it reads writes the gradient of its input over that of its output",
     VDNN_GRADIENTS_EXACT},
    {layers, FC1, "a layer that it reads writes the gradient of its input over that of its output",
     VDNN_GRADIENTS_EXACT},
    {TIED("a", "") TIED("b", ", weight_of: a") FC, 1,
     "the gradient of a weight that layers share is the sum of one after the other",
     VDNN_GRADIENTS_EXACT},
    {CONV("a", "2") CONV("b", "2") FC, 1, "nothing is freed before the end of the step",
     VDNN_GRADIENTS_SHARED_MAX},
};

/* By the question that policies ask, and by the planner where they do not. */
static void layers_that_cannot_be_chained_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const refusal *at = &refusals[i];
        const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
        vdnn_training_case c = {.plan = NULL};
        vdnn_decisions decisions;
        vdnn_plan *plan;
        parse(&c, at->layers, &options);
        assert_ok(vdnn_decisions_init(&decisions, c.graph));
        decisions.gradients = at->gradients;
        const char *found = vdnn_decisions_chain_refusal(c.graph, &decisions, at->layer);
        assert_string_equal(found == NULL ? "none" : found, at->text);
        decisions.chained[at->layer] = true;
        assert_status(vdnn_planner_plan(c.graph, c.profile, &decisions, &plan), VDNN_INTERNAL);
        assert_message(at->text);
        vdnn_decisions_fini(&decisions);
        vdnn_training_case_end(&c);
    }
}

/* ---- broken plans ---------------------------------------------------------------------------- */

static vdnn_plan_breaker begin_breaking(int way, int form)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, 1);
    b.c.plan = plan_of(&b.c, way, form);
    vdnn_plan_breaker_begin(&b);
    return b;
}

/* Where a part's buffer is another's: its bytes are the same, its samples are not. */
static void what_is_read_of_another_part_is_refused(void **state)
{
    static const int by_parts[] = {RECOMPUTED, PIECES};
    (void)state;
    for (size_t i = 0; i < sizeof by_parts / sizeof *by_parts; i++) {
        vdnn_plan_breaker b = begin_breaking(by_parts[i], ACROSS);
        int32_t count = 0;
        for (int32_t n = 0; n < b.c.plan->buffer_count; n++) {
            const vdnn_buffer *own = &b.c.plan->buffers[n];
            if (own->map < 0 || own->map_offset == 0)
                continue;
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            broken->buffers[n].map_offset = 0; /* said to be the first part */
            vdnn_plan_edit_expect_refused(broken, NULL);
            count++;
        }
        assert_true(count > 0);
        vdnn_plan_breaker_end(&b);
    }
}

static void a_part_of_a_chain_that_is_lost_or_run_twice_is_refused(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        vdnn_plan_breaker b = begin_breaking(way, way % FORMS);
        for (int pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
            for (int32_t n = 0; n < PARTS; n++)
                vdnn_plan_breaker_expect_run_once(&b, (vdnn_pass)pass, CONV2, n);
        vdnn_plan_breaker_end(&b);
    }
}

/* A part that begins before the one before it has ended, and a part of another number. */
static void parts_of_a_chain_in_another_order_are_refused(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        vdnn_plan_breaker b = begin_breaking(way, way % FORMS);
        const int32_t first = vdnn_plan_edit_find_run(b.c.plan, VDNN_FORWARD, CONV2, 0),
                      second = vdnn_plan_edit_find_run(b.c.plan, VDNN_FORWARD, CONV2, 1);
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        vdnn_plan_edit_move(broken, second, first);
        vdnn_plan_edit_expect_refused(broken, NULL);
        for (int32_t part = 0; part <= PARTS; part++) {
            if (part == b.c.plan->steps[second].part)
                continue;
            broken = vdnn_plan_breaker_fresh(&b);
            broken->steps[second].part = part;
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
        vdnn_plan_breaker_end(&b);
    }
}

/* Where branches join in backward. */
static void a_part_of_a_sum_that_is_lost_or_another_is_refused(void **state)
{
    (void)state;
    for (int form = ALONE; form < FORMS; form++) {
        vdnn_plan_breaker b = begin_breaking(PIECES, form);
        int32_t count = 0;
        for (int32_t s = 0; s < b.c.plan->step_count; s++) {
            const vdnn_step *own = &b.c.plan->steps[s];
            if (own->kind != VDNN_STEP_ACCUMULATE || own->pass != VDNN_BACKWARD_DATA)
                continue;
            vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
            vdnn_plan_edit_mute(broken, s);
            vdnn_plan_edit_expect_refused(broken, NULL);
            broken = vdnn_plan_breaker_fresh(&b);
            broken->steps[s].part = (own->part + 1) % PARTS;
            vdnn_plan_edit_expect_refused(broken, NULL);
            broken = vdnn_plan_breaker_fresh(&b);
            broken->steps[s].layer--;
            vdnn_plan_edit_expect_refused(broken, NULL);
            count++;
        }
        assert_int_equal(count, PARTS);
        vdnn_plan_breaker_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_has_the_bits_of_its_layers_one_after_the_other),
        cmocka_unit_test(what_is_inside_is_there_a_part_at_a_time),
        cmocka_unit_test(gradients_inside_are_there_a_part_at_a_time),
        cmocka_unit_test(a_chain_computes_one_part_after_the_other),
        cmocka_unit_test(pieces_come_as_far_ahead_as_decided),
        cmocka_unit_test(as_many_pieces_are_recomputed_as_decided),
        cmocka_unit_test(shares_that_cannot_be_recomputed_are_refused),
        cmocka_unit_test(layers_that_cannot_be_chained_are_refused),
        cmocka_unit_test(what_is_read_of_another_part_is_refused),
        cmocka_unit_test(a_part_of_a_chain_that_is_lost_or_run_twice_is_refused),
        cmocka_unit_test(parts_of_a_chain_in_another_order_are_refused),
        cmocka_unit_test(a_part_of_a_sum_that_is_lost_or_another_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
