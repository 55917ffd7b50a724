/* Gradients of maps and of parameters that wait in another tier: the same bits, the bytes that the
 * plan says, and broken plans. */

#include "policies/spill.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_breaker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

/* Running statistics, a weight that layers share, parts of the samples and of the channels. */
#define NETWORK(training)                                                                          \
    "name: waiting\n"                                                                              \
    "input: {channels: 3, height: 8, width: 8}\n"                                                  \
    "classes: 4\n"                                                                                 \
    "batch: 7\n"                                                                                   \
    "layers:\n"                                                                                    \
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"                                   \
    "  - {name: norm1, type: batchnorm}\n"                                                         \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: conv2, type: conv, out: 6, kernel: 3, pad: 1, parts: 2}\n"                         \
    "  - {name: conv3, type: conv, out: 6, kernel: 3, pad: 1, parts: {channels: 2}}\n"             \
    "  - {name: mid, type: conv, out: 6, kernel: 1}\n"                                             \
    "  - {name: conv4, type: conv, out: 6, kernel: 3, pad: 1, weight_of: conv2}\n"                 \
    "  - {name: relu4, type: relu}\n"                                                              \
    "  - {name: fc1, type: fc, out: 12}\n"                                                         \
    "  - {name: fc2, type: fc, out: 4}\n"                                                          \
    "  - {name: loss, type: softmax_loss}\n"                                                       \
    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001" training "}\n"
static const char network[] = NETWORK(""), clipped[] = NETWORK(", clip_norm: 0.25");
enum { CONV1, NORM1, RELU1, CONV2, CONV3, MID, CONV4, RELU4, FC1, FC2, BLOCKS = 7 };
enum { BATCH = 7 };

/* Two branches that are short beside the layers between their ends. */
static const char branches[] = "name: branches\n"
                               "input: {channels: 3, height: 8, width: 8}\n"
                               "classes: 4\n"
                               "batch: 7\n"
                               "layers:\n"
                               "  - {name: b1, type: conv, out: 6, kernel: 3, pad: 1}\n"
                               "  - {name: relu, type: relu}\n"
                               "  - {name: b2, type: conv, out: 6, kernel: 3, pad: 1}\n"
                               "  - {name: b3, type: conv, out: 6, kernel: 3, pad: 1}\n"
                               "  - {name: b4, type: conv, out: 6, kernel: 3, pad: 1}\n"
                               "  - {name: b5, type: conv, out: 6, kernel: 3, pad: 1}\n"
                               "  - {name: b6, type: conv, out: 6, kernel: 3, pad: 1}\n"
                               "  - {name: sum, type: add, from: [b6, relu]}\n"
                               "  - {name: b7, type: conv, out: 6, kernel: 3, pad: 1}\n"
                               "  - {name: both, type: concat, from: [b7, b2]}\n"
                               "  - {name: fc, type: fc, out: 4}\n"
                               "  - {name: loss, type: softmax_loss}\n";
enum { B1, RELU, B2, B3, B4, B5, B6, SUM, B7, BOTH, BRANCHES = 2 };

/* ---- cases ----------------------------------------------------------------------------------- */

static void shape(vdnn_training_case *c, const char *text, int32_t micros)
{
    const vdnn_graph_options options = {
        .batch = BATCH, .micro_batches = micros, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_training_case_parse(c, text, &options);
}

/* Where gradients wait; parameters are in the host tier, or stay. */
typedef struct rules {
    vdnn_tier waits, maps_wait;
    vdnn_sync sync;
    bool params_leave;
} rules;

static void decide(const vdnn_graph *graph, rules decided, vdnn_decisions *decisions)
{
    assert_ok(vdnn_decisions_init(decisions, graph));
    decisions->sync = decided.sync;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_layer *layer = &graph->layers[l];
        if (decided.params_leave && vdnn_decisions_params_refusal(layer) == NULL)
            decisions->params[l].action = VDNN_OFFLOAD;
        if (vdnn_decisions_param_gradient_refusal(graph, layer) == NULL)
            decisions->param_gradients[l] = decided.waits;
    }
    for (int32_t m = 0; m < graph->map_count; m++)
        if (vdnn_decisions_gradient_refusal(graph, decisions, m) == NULL)
            decisions->maps[m].gradient = decided.maps_wait;
}

static vdnn_plan *plan_of(const vdnn_training_case *c, rules decided)
{
    vdnn_decisions decisions;
    decide(c->graph, decided, &decisions);
    return vdnn_training_case_plan(c, &decisions);
}

static vdnn_training_case set_up(const char *text, int32_t micros, rules decided)
{
    vdnn_training_case c = {.plan = NULL};
    shape(&c, text, micros);
    c.plan = plan_of(&c, decided);
    vdnn_training_case_begin(&c);
    return c;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The n-th copy of a kind that moves the gradient of a map, or of a block (-1: of any); -1: there
 * is none. */
static int32_t copy_of(const vdnn_plan *plan, vdnn_step_kind kind, vdnn_class class, int32_t owner,
                       int32_t n)
{
    for (int32_t i = 0; i < plan->step_count; i++) {
        if (plan->steps[i].kind != kind)
            continue;
        const vdnn_buffer *from =
            &plan->buffers[vdnn_plan_edit_access(plan, i, VDNN_BIND_SRC)->buffer];
        if (from->class == class && (owner < 0 || from->layer == owner) && n-- == 0)
            return i;
    }
    return -1;
}

static int32_t copy_of_map(const vdnn_plan *plan, vdnn_step_kind kind, int32_t n)
{
    return copy_of(plan, kind, VDNN_CLASS_GRADIENT_MAP, -1, n);
}

static int32_t copy_of_block(const vdnn_plan *plan, vdnn_step_kind kind, int32_t owner, int32_t n)
{
    return copy_of(plan, kind, VDNN_CLASS_WEIGHT_GRADIENT, owner, n);
}

static int32_t count_copies(const vdnn_plan *plan, vdnn_step_kind kind, vdnn_class class,
                            int32_t owner)
{
    int32_t count = 0;
    while (copy_of(plan, kind, class, owner, count) >= 0)
        count++;
    return count;
}

static int32_t count_of_maps(const vdnn_plan *plan, vdnn_step_kind kind)
{
    return count_copies(plan, kind, VDNN_CLASS_GRADIENT_MAP, -1);
}

static int32_t count_of_blocks(const vdnn_plan *plan, vdnn_step_kind kind, int32_t owner)
{
    return count_copies(plan, kind, VDNN_CLASS_WEIGHT_GRADIENT, owner);
}

/* ---- bits and bytes -------------------------------------------------------------------------- */

static void expect_measured(const vdnn_plan *plan, const vdnn_executor_result *measured)
{
    assert_int_equal(measured->offload_bytes, plan->offload_bytes);
    assert_int_equal(measured->prefetch_bytes, plan->prefetch_bytes);
    assert_int_equal(measured->spill_bytes, plan->spill_bytes);
    assert_int_equal(measured->fill_bytes, plan->fill_bytes);
}

static void expect_less(const vdnn_plan *away, const vdnn_plan *here, rules decided)
{
    const bool in_files = decided.waits == VDNN_TIER_FILE || decided.maps_wait == VDNN_TIER_FILE;
    assert_true(away->offload_bytes > here->offload_bytes);
    assert_int_equal(away->spill_bytes > 0, in_files);
    /* By need nothing waits for a copy out where no other buffer requires its memory. */
    if (decided.waits != VDNN_TIER_DEVICE && decided.sync == VDNN_SYNC_EACH_LAYER)
        assert_true(away->by_category[VDNN_CATEGORY_weight_gradients] <
                    here->by_category[VDNN_CATEGORY_weight_gradients]);
}

static void same_bits(const char *text, int32_t micros, rules decided)
{
    const vdnn_step_context context = {
        .settings = {.lr = 0.02, .momentum = 0.9, .weight_decay = 0.001}};
    const rules stays = {.sync = decided.sync, .params_leave = decided.params_leave};
    vdnn_training_case here = set_up(text, micros, stays), away = set_up(text, micros, decided);
    expect_less(away.plan, here.plan, decided);
    for (int64_t s = 0; s < 3; s++) {
        if (s == 2)
            assert_ok(vdnn_executor_verify(away.executor));
        const vdnn_executor_result kept = vdnn_training_case_step(&here, s * BATCH, context),
                                   left = vdnn_training_case_step(&away, s * BATCH, context);
        assert_true(kept.loss == left.loss);
        expect_measured(away.plan, &left);
    }
    vdnn_training_case_expect_weights_of(&away, &here);
    vdnn_training_case_end(&here);
    vdnn_training_case_end(&away);
}

static void gradients_of_parameters_that_wait_keep_their_bits(void **state)
{
    static const rules all[] = {
        {.waits = VDNN_TIER_HOST, .sync = VDNN_SYNC_BY_NEED},
        {.waits = VDNN_TIER_HOST, .sync = VDNN_SYNC_BY_NEED, .params_leave = true},
        {.waits = VDNN_TIER_HOST, .sync = VDNN_SYNC_EACH_LAYER, .params_leave = true},
        {.waits = VDNN_TIER_FILE, .sync = VDNN_SYNC_BY_NEED},
        {.waits = VDNN_TIER_FILE, .sync = VDNN_SYNC_EACH_LAYER, .params_leave = true}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        same_bits(network, 3, all[i]);
        same_bits(clipped, 1, all[i]);
        same_bits(clipped, 2, all[i]);
    }
}

static void gradients_of_maps_that_wait_keep_their_bits(void **state)
{
    static const rules all[] = {{.maps_wait = VDNN_TIER_HOST, .sync = VDNN_SYNC_BY_NEED},
                                {.maps_wait = VDNN_TIER_HOST, .sync = VDNN_SYNC_EACH_LAYER},
                                {.maps_wait = VDNN_TIER_FILE, .sync = VDNN_SYNC_BY_NEED},
                                {.maps_wait = VDNN_TIER_FILE, .sync = VDNN_SYNC_EACH_LAYER}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        same_bits(branches, 1, all[i]);
        same_bits(branches, 2, all[i]);
    }
}

/* ---- when ------------------------------------------------------------------------------------ */

/* Buffers of gradients of maps on the device while a layer's backward runs. */
static int32_t count_live(const vdnn_plan *plan, int32_t layer)
{
    const int32_t step = vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_DATA, layer, 0);
    int32_t count = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        count += plan->buffers[b].class == VDNN_CLASS_GRADIENT_MAP &&
                 plan->buffers[b].tier == VDNN_TIER_DEVICE && plan->buffers[b].first_step <= step &&
                 step <= plan->buffers[b].last_step;
    return count;
}

/* Those of relu and b2, which wait while b3 to b6 run; others are used at once. */
static void the_gradient_of_a_branch_leaves_while_the_other_runs(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, branches, 1);
    vdnn_plan *here = plan_of(&c, (rules){.sync = VDNN_SYNC_BY_NEED}),
              *away = plan_of(&c, (rules){.maps_wait = VDNN_TIER_HOST, .sync = VDNN_SYNC_BY_NEED});
    assert_int_equal(count_of_maps(away, VDNN_STEP_COPY_OUT), BRANCHES);
    assert_int_equal(count_of_maps(away, VDNN_STEP_COPY_IN), BRANCHES);
    assert_int_equal(count_live(here, B5), 2 + BRANCHES);
    assert_int_equal(count_live(away, B5), 2);
    for (int32_t n = 0; n < BRANCHES; n++) {
        assert_true(copy_of_map(away, VDNN_STEP_COPY_OUT, n) >
                    vdnn_plan_edit_find_run(away, VDNN_BACKWARD_DATA, BOTH, 0));
        assert_true(copy_of_map(away, VDNN_STEP_COPY_IN, n) >
                    vdnn_plan_edit_find_run(away, VDNN_BACKWARD_DATA, B5, 0));
    }
    vdnn_plan_destroy(here);
    vdnn_plan_destroy(away);
    vdnn_training_case_end(&c);
}

/* Between the micro-batches, in the last one between conv4 and conv2, whose weight it reads, and up
 * to the update where that waits for the norm; each returns as often as it leaves. */
static void a_gradient_of_parameters_leaves_whenever_it_waits(void **state)
{
    static const struct {
        const char *text;
        int32_t micros, of_fc1, of_conv2, of_conv4;
    } cases[] = {
        {network, 3, 2, 2, 3}, {clipped, 1, 1, 2, 0}, {clipped, 2, 2, 2, 2}, {network, 1, 0, 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_training_case c = {.plan = NULL};
        shape(&c, cases[i].text, cases[i].micros);
        c.plan = plan_of(&c, (rules){.waits = VDNN_TIER_HOST, .sync = VDNN_SYNC_BY_NEED});
        assert_int_equal(count_of_blocks(c.plan, VDNN_STEP_COPY_OUT, FC1), cases[i].of_fc1);
        assert_int_equal(count_of_blocks(c.plan, VDNN_STEP_COPY_OUT, CONV2), cases[i].of_conv2);
        assert_int_equal(count_of_blocks(c.plan, VDNN_STEP_COPY_OUT, CONV4), cases[i].of_conv4);
        assert_int_equal(count_of_blocks(c.plan, VDNN_STEP_COPY_IN, -1),
                         count_of_blocks(c.plan, VDNN_STEP_COPY_OUT, -1));
        assert_int_equal(c.plan->offload_bytes, c.plan->prefetch_bytes);
        vdnn_training_case_end(&c);
    }
}

/* By those of all layers but fc6, three quarters of the parameters: where its gradient is added to
 * that of the micro-batch before, both are there. */
static void vgg16_accumulates_in_less_memory(void **state)
{
    const vdnn_graph_options options = {
        .batch = 32, .micro_batches = 4, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_training_case c = {.plan = NULL};
    vdnn_model *model;
    (void)state;
    assert_ok(vdnn_model_read("models/vgg16.yaml", &model));
    vdnn_training_case_shape(&c, model, &options);
    vdnn_plan *here = plan_of(&c, (rules){.sync = VDNN_SYNC_BY_NEED}),
              *away = plan_of(&c, (rules){.waits = VDNN_TIER_HOST, .sync = VDNN_SYNC_BY_NEED});
    print_message("device %zu bytes, %zu where gradients wait in the host tier\n",
                  here->span_bytes[VDNN_TIER_DEVICE], away->span_bytes[VDNN_TIER_DEVICE]);
    assert_true(here->span_bytes[VDNN_TIER_DEVICE] - away->span_bytes[VDNN_TIER_DEVICE] >
                vdnn_graph_trainable_bytes(c.graph) / 5);
    assert_int_equal(away->offload_bytes, 3 * vdnn_graph_trainable_bytes(c.graph));
    vdnn_plan_destroy(here);
    vdnn_plan_destroy(away);
    vdnn_training_case_end(&c);
    vdnn_model_destroy(model);
}

/* Within so many bytes of the host tier. */
static void spill(const vdnn_training_case *c, size_t host_bytes, vdnn_decisions *decisions)
{
    const vdnn_policy_ask ask = {
        .graph = c->graph, .profile = c->profile, .budget_bytes = {SIZE_MAX, host_bytes, SIZE_MAX}};
    const vdnn_policy_request request = {.planning = vdnn_policy_ask_planning(&ask)};
    assert_non_null(request.planning);
    assert_ok(vdnn_spill_choose(&request, decisions));
    vdnn_planning_destroy(request.planning);
}

/* What the host tier is too small for: those of parameters first, and no more than it takes. */
static void gradients_go_on_to_the_file_tier_where_the_host_lacks_memory(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    shape(&c, clipped, 2);
    decide(c.graph, (rules){.waits = VDNN_TIER_HOST, .maps_wait = VDNN_TIER_HOST}, &decisions);
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
    const size_t enough = c.plan->span_bytes[VDNN_TIER_HOST];
    spill(&c, enough, &decisions);
    for (int32_t l = 0; l < c.graph->layer_count; l++)
        assert_int_not_equal(decisions.param_gradients[l], VDNN_TIER_FILE);
    spill(&c, enough - 1, &decisions);
    vdnn_plan_destroy(c.plan);
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
    assert_ok(vdnn_checker_check(c.plan, vdnn_tier_unlimited));
    assert_true(c.plan->span_bytes[VDNN_TIER_HOST] < enough);
    assert_int_equal(decisions.param_gradients[CONV1], VDNN_TIER_FILE);
    for (int32_t m = 0; m < c.graph->map_count; m++)
        assert_int_not_equal(decisions.maps[m].gradient, VDNN_TIER_FILE);
    vdnn_decisions_fini(&decisions);
    vdnn_training_case_end(&c);
}

/* So that the properties of random plans are those of gradients that wait, too. */
static void random_plans_have_gradients_that_wait(void **state)
{
    int32_t of_maps = 0, of_blocks = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        const vdnn_random_model request = vdnn_random_model_small(seed);
        vdnn_test_rng rng = {seed};
        vdnn_training_case c = {.plan = NULL};
        vdnn_decisions decisions;
        assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &c.graph));
        assert_ok(vdnn_test_profile(c.graph, &c.profile));
        assert_ok(vdnn_random_decisions(c.graph, c.profile, &rng, &decisions));
        assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
        of_maps += count_of_maps(c.plan, VDNN_STEP_COPY_OUT) > 0;
        of_blocks += count_of_blocks(c.plan, VDNN_STEP_COPY_OUT, -1) > 0;
        vdnn_decisions_fini(&decisions);
        vdnn_training_case_end(&c);
    }
    print_message("of 100 plans %d copy gradients of maps, %d those of parameters\n", of_maps,
                  of_blocks);
    assert_true(of_maps >= 10 && of_blocks >= 10);
}

static void expect_no_plan(const vdnn_training_case *c, vdnn_decisions *decisions,
                           const char *message)
{
    vdnn_plan *plan;
    assert_status(vdnn_planner_plan(c->graph, c->profile, decisions, &plan), VDNN_INTERNAL);
    assert_message(message);
    vdnn_decisions_fini(decisions);
}

static void gradients_that_do_not_wait_are_refused(void **state)
{
    static const struct {
        int32_t layer;
        vdnn_tier tier;
        const char *message;
    } of_blocks[] = {{FC1, VDNN_TIER_HOST,
                      "the gradient of the parameters of fc1 cannot be offloaded: the update "
                      "follows it at once"},
                     {RELU1, VDNN_TIER_HOST, "it has no parameters that are trained"},
                     {CONV4, VDNN_TIER_FILE, "it is that of the layer whose weight it reads"},
                     {CONV2, VDNN_TIER_COUNT, "there is no such tier"}};
    static const struct {
        int32_t map;
        vdnn_gradients gradients;
        const char *message;
    } of_maps[] = {
        {0, VDNN_GRADIENTS_EXACT, "the gradient of map input cannot be offloaded: it has none"},
        {1, VDNN_GRADIENTS_SHARED_MAX, "gradients share their memory"}};
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    (void)state;
    shape(&c, network, 1);
    for (size_t i = 0; i < sizeof of_blocks / sizeof *of_blocks; i++) {
        assert_ok(vdnn_decisions_init(&decisions, c.graph));
        decisions.param_gradients[of_blocks[i].layer] = of_blocks[i].tier;
        expect_no_plan(&c, &decisions, of_blocks[i].message);
    }
    for (size_t i = 0; i < sizeof of_maps / sizeof *of_maps; i++) {
        assert_ok(vdnn_decisions_init(&decisions, c.graph));
        decisions.gradients = of_maps[i].gradients;
        decisions.maps[of_maps[i].map].gradient = VDNN_TIER_HOST;
        expect_no_plan(&c, &decisions, of_maps[i].message);
    }
    vdnn_training_case_end(&c);
}

/* ---- broken plans ---------------------------------------------------------------------------- */

enum { MICROS = 3 };

static vdnn_plan_breaker begin_breaking(const char *text, int32_t micros, vdnn_tier waits)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, text, micros);
    b.c.plan =
        plan_of(&b.c, (rules){.waits = waits, .maps_wait = waits, .sync = VDNN_SYNC_BY_NEED});
    vdnn_plan_breaker_begin(&b);
    return b;
}

static void lose_copies(vdnn_plan_breaker *b, vdnn_class class, int32_t least)
{
    static const vdnn_step_kind kinds[] = {VDNN_STEP_COPY_OUT, VDNN_STEP_COPY_IN, VDNN_STEP_SPILL,
                                           VDNN_STEP_FILL};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const int32_t count = count_copies(b->c.plan, kinds[k], class, -1);
        assert_true(count >= least);
        for (int32_t n = 0; n < count; n++) {
            const int32_t step = copy_of(b->c.plan, kinds[k], class, -1, n);
            vdnn_plan *broken = vdnn_plan_breaker_fresh(b);
            vdnn_plan_edit_remove(broken, step);
            vdnn_plan_edit_expect_refused(broken, NULL);
            broken = vdnn_plan_breaker_fresh(b);
            broken->steps[step].bytes -= 4;
            vdnn_plan_edit_expect_refused(broken, NULL);
        }
    }
}

/* Every copy of a gradient, wherever it goes; or its last number. */
static void a_copy_of_a_gradient_that_is_lost_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(clipped, 2, VDNN_TIER_FILE);
    lose_copies(&b, VDNN_CLASS_WEIGHT_GRADIENT, 2 * BLOCKS);
    vdnn_plan_breaker_end(&b);
    b = begin_breaking(branches, 2, VDNN_TIER_FILE);
    lose_copies(&b, VDNN_CLASS_GRADIENT_MAP, 2 * BRANCHES);
    vdnn_plan_breaker_end(&b);
}

/* Of what backward wrote, before what there was is added to it; or before there is any. */
static void a_gradient_that_is_copied_out_too_early_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(network, MICROS, VDNN_TIER_HOST);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t out = copy_of_block(broken, VDNN_STEP_COPY_OUT, FC1, 1),
                  sum = vdnn_plan_edit_access(broken, out, VDNN_BIND_SRC)->writer;
    assert_int_equal(broken->steps[sum].kind, VDNN_STEP_ACCUMULATE);
    const int32_t run = vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST)->writer;
    vdnn_plan_edit_move(broken, out, sum);
    vdnn_plan_edit_access(broken, sum, VDNN_BIND_SRC)->writer = run;
    vdnn_plan_edit_redirect_wait(broken, sum, run);
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b);
    vdnn_plan_edit_move(broken, copy_of_block(broken, VDNN_STEP_COPY_OUT, FC1, 0),
                        vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, FC1, 0));
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
    b = begin_breaking(branches, 1, VDNN_TIER_HOST);
    for (int32_t n = 0; n < BRANCHES; n++) {
        broken = vdnn_plan_breaker_fresh(&b);
        const int32_t step = copy_of_map(broken, VDNN_STEP_COPY_OUT, n);
        vdnn_plan_edit_move(broken, step,
                            vdnn_plan_edit_access(broken, step, VDNN_BIND_SRC)->writer);
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan_breaker_end(&b);
}

/* A copy in takes what another one does. */
static void expect_stale_refused(vdnn_plan_breaker *b, int32_t in, int32_t other)
{
    vdnn_plan *broken = vdnn_plan_breaker_fresh(b);
    const vdnn_access *taken = vdnn_plan_edit_access(broken, other, VDNN_BIND_SRC);
    vdnn_access *from = vdnn_plan_edit_access(broken, in, VDNN_BIND_SRC);
    assert_true(from->buffer != taken->buffer);
    vdnn_plan_edit_take(broken, from, taken->buffer);
    from->writer = taken->writer;
    vdnn_plan_edit_expect_refused(broken, NULL);
}

/* That of the micro-batch before, of another block, of another map. */
static void a_stale_gradient_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(network, MICROS, VDNN_TIER_HOST);
    const vdnn_plan *good = b.c.plan;
    expect_stale_refused(&b, copy_of_block(good, VDNN_STEP_COPY_IN, FC1, 1),
                         copy_of_block(good, VDNN_STEP_COPY_IN, FC1, 0));
    expect_stale_refused(&b, copy_of_block(good, VDNN_STEP_COPY_IN, CONV1, 1),
                         copy_of_block(good, VDNN_STEP_COPY_IN, CONV3, 1));
    vdnn_plan_breaker_end(&b);
    b = begin_breaking(branches, 1, VDNN_TIER_HOST);
    expect_stale_refused(&b, copy_of_map(b.c.plan, VDNN_STEP_COPY_IN, 1),
                         copy_of_map(b.c.plan, VDNN_STEP_COPY_IN, 0));
    vdnn_plan_breaker_end(&b);
}

static bool is_gradient(const vdnn_buffer *buffer)
{
    return buffer->class == VDNN_CLASS_WEIGHT_GRADIENT || buffer->class == VDNN_CLASS_GRADIENT_MAP;
}

/* Takes a step's wait for another out; false where there is none, or others order the two. */
static bool remove_wait(vdnn_plan *plan, int32_t step, int32_t awaited)
{
    for (int32_t w = 0; w < plan->steps[step].wait_count; w++)
        if (plan->waits[plan->steps[step].first_wait + w] == awaited) {
            vdnn_plan_edit_remove_wait(plan, step, w);
            vdnn_plan_edit_refresh(plan);
            return !vdnn_plan_edit_is_ordered(plan);
        }
    return false;
}

/* Each wait of a copy for what wrote the gradient, and of a step for the copy that it reads. */
static void a_copy_of_a_gradient_that_is_not_waited_for_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {clipped, branches};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        vdnn_plan_breaker b = begin_breaking(texts[t], 2, VDNN_TIER_HOST);
        const vdnn_plan *good = b.c.plan;
        int32_t refused = 0;
        for (int32_t i = 0; i < good->step_count; i++)
            for (int32_t k = 0; k < good->steps[i].access_count; k++) {
                const vdnn_access *access = &good->accesses[good->steps[i].first_access + k];
                if ((access->mode & VDNN_READ) == 0 || access->writer < 0 ||
                    !is_gradient(&good->buffers[access->buffer]) ||
                    !remove_wait(vdnn_plan_breaker_fresh(&b), i, access->writer))
                    continue;
                vdnn_plan_edit_expect_refused(b.broken, NULL);
                refused++;
            }
        assert_true(refused >= 2 * BRANCHES);
        vdnn_plan_breaker_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_parameters_that_wait_keep_their_bits),
        cmocka_unit_test(gradients_of_maps_that_wait_keep_their_bits),
        cmocka_unit_test(the_gradient_of_a_branch_leaves_while_the_other_runs),
        cmocka_unit_test(a_gradient_of_parameters_leaves_whenever_it_waits),
        cmocka_unit_test(vgg16_accumulates_in_less_memory),
        cmocka_unit_test(gradients_go_on_to_the_file_tier_where_the_host_lacks_memory),
        cmocka_unit_test(random_plans_have_gradients_that_wait),
        cmocka_unit_test(gradients_that_do_not_wait_are_refused),
        cmocka_unit_test(a_copy_of_a_gradient_that_is_lost_is_refused),
        cmocka_unit_test(a_gradient_that_is_copied_out_too_early_is_refused),
        cmocka_unit_test(a_stale_gradient_is_refused),
        cmocka_unit_test(a_copy_of_a_gradient_that_is_not_waited_for_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
