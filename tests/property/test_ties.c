/* Layers that read another layer's weight: blocks, the gradient as the sum over layers, the same
 * bits wherever parameters are, and broken plans. */

#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_breaker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/random_model.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

#define HEAD                                                                                       \
    "name: shared\n"                                                                               \
    "input: {channels: 4, height: 7, width: 7}\n"                                                  \
    "classes: 4\n"                                                                                 \
    "batch: 6\n"                                                                                   \
    "layers:\n"
#define CONVS(second, third)                                                                       \
    "  - {name: conv1, type: conv, out: 4, kernel: 3, pad: 1}\n"                                   \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: conv2, type: conv, out: 4, kernel: 3, pad: 1" second "}\n"                         \
    "  - {name: relu2, type: relu}\n"                                                              \
    "  - {name: conv3, type: conv, out: 4, kernel: 3, pad: 2, stride: 2, bias: false" third "}\n"
#define FCS(second, third)                                                                         \
    "  - {name: relu3, type: relu}\n"                                                              \
    "  - {name: fc1, type: fc, out: 9}\n"                                                          \
    "  - {name: fc2, type: fc, out: 9" second "}\n"                                                \
    "  - {name: relu4, type: relu}\n"                                                              \
    "  - {name: fc3, type: fc, out: 9" third "}\n"                                                 \
    "  - {name: fc4, type: fc, out: 9}\n"                                                          \
    "  - {name: fc5, type: fc, out: 4}\n"                                                          \
    "  - {name: loss, type: softmax_loss}\n"

static const char tied[] = HEAD CONVS(", weight_of: conv1", ", weight_of: conv1")
    FCS(", weight_of: fc4", ", weight_of: fc4");
static const char clipped[] = HEAD CONVS(", weight_of: conv1", ", weight_of: conv1")
    FCS(", weight_of: fc4",
        ", weight_of: fc4") "training: {optimizer: adamw, lr: 0.01, clip_norm: 0.25}\n";
static const char in_parts[] =
    HEAD CONVS(", weight_of: conv1, parts: 2", ", weight_of: conv1, parts: 3")
        FCS(", weight_of: fc4", ", weight_of: fc4, parts: 2");
static const char untied[] = HEAD CONVS("", "") FCS("", "");
enum { CONV1, RELU1, CONV2, RELU2, CONV3, RELU3, FC1, FC2, RELU4, FC3, FC4, FC5, LAYERS };
enum { BATCH = 6 };

/* ---- blocks ---------------------------------------------------------------------------------- */

static vdnn_graph *graph_of(const char *text, vdnn_layout preferred)
{
    const vdnn_graph_options options = {
        .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .preferred = preferred};
    vdnn_model *model;
    vdnn_graph *graph;
    assert_ok(vdnn_model_parse(text, strlen(text), "net.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static void a_block_has_the_parameters_of_all_its_layers(void **state)
{
    (void)state;
    enum { WEIGHT = 4 * 4 * 3 * 3 * 4, BIAS = 4 * 4 };
    vdnn_graph *graph = graph_of(tied, VDNN_NCHW);
    const vdnn_layer *layers = graph->layers;
    static const int32_t owners[LAYERS] = {
        [CONV1] = CONV1, [RELU1] = RELU1, [CONV2] = CONV1, [RELU2] = RELU2,
        [CONV3] = CONV1, [RELU3] = RELU3, [FC1] = FC1,     [FC2] = FC4,
        [RELU4] = RELU4, [FC3] = FC4,     [FC4] = FC4,     [FC5] = FC5};
    for (int32_t l = 0; l < LAYERS; l++)
        assert_int_equal(layers[l].owner, owners[l]);
    for (int32_t l = CONV1; l <= CONV3; l += 2) {
        assert_int_equal(layers[l].param_bytes, WEIGHT + 2 * BIAS);
        assert_int_equal(layers[l].trainable_bytes, WEIGHT + 2 * BIAS);
        assert_int_equal(layers[l].params[0].offset, 0);
    }
    assert_int_equal(layers[CONV1].params[1].offset, WEIGHT);
    assert_int_equal(layers[CONV2].params[1].offset, WEIGHT + BIAS);
    assert_int_equal(layers[FC4].params[1].offset, 9 * 9 * 4);
    assert_int_equal(layers[FC2].params[1].offset, 9 * 9 * 4 + 9 * 4);
    assert_int_equal(layers[FC3].params[1].offset, 9 * 9 * 4 + 2 * 9 * 4);
    vdnn_graph *other = graph_of(untied, VDNN_NCHW);
    assert_int_equal(vdnn_graph_param_bytes(graph),
                     vdnn_graph_param_bytes(other) - 2 * WEIGHT - 2 * 9 * 9 * 4);
    assert_int_equal(vdnn_graph_trainable_bytes(graph), vdnn_graph_param_bytes(graph));
    vdnn_graph_destroy(other);
    vdnn_graph_destroy(graph);
}

static const char wide[] =
    "name: wide\ninput: {channels: 16, height: 6, width: 6}\nclasses: 3\nbatch: 2\nlayers:\n"
    "  - {name: a, type: conv, out: 16, kernel: 3, pad: 1}\n"
    "  - {name: b, type: conv, out: 16, kernel: 3, pad: 1, weight_of: a}\n"
    "  - {name: c, type: conv, out: 16, kernel: 3, stride: 2, bias: false, weight_of: a}\n"
    "  - {name: fc, type: fc, out: 3}\n"
    "  - {name: loss, type: softmax_loss}\n";

/* Its layers may read and write maps of other layouts. */
static void a_weight_that_layers_share_is_plain(void **state)
{
    (void)state;
    vdnn_graph *graph = graph_of(wide, VDNN_NCHW16C);
    assert_int_equal(graph->layers[0].x[0].layout, VDNN_NCHW);
    assert_int_equal(graph->layers[1].x[0].layout, VDNN_NCHW16C);
    assert_int_equal(graph->layers[0].params[0].layout, VDNN_PARAM_PLAIN);
    assert_int_equal(graph->layers[1].params[0].layout, VDNN_PARAM_PLAIN);
    assert_int_equal(graph->layers[1].y.layout, VDNN_NCHW16C);
    assert_non_null(strstr(graph->layers[1].signature, ";tied"));
    vdnn_graph_destroy(graph);
}

/* Its layers may each read another one. */
static void no_converted_copy_of_a_weight_that_layers_share_is_kept(void **state)
{
    (void)state;
    const vdnn_graph_options options = {
        .rules = VDNN_RULES_LEAN, .dtype = VDNN_BF16, .copies_weights = true};
    vdnn_model *model;
    vdnn_graph *graph;
    assert_ok(vdnn_model_parse(tied, sizeof tied - 1, "net.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    for (int32_t l = 0; l < LAYERS; l++)
        assert_int_equal(graph->layers[l].copy_bytes > 0, l == FC1 || l == FC5);
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

/* ---- input that is refused ------------------------------------------------------------------- */

#define NET(layers)                                                                                \
    HEAD "  - {name: a, type: conv, out: 4, kernel: 3, pad: 1}\n" layers                           \
         "  - {name: fc, type: fc, out: 4}\n  - {name: loss, type: softmax_loss}\n"
#define LIKE_A(name, of) "  - {name: " name ", type: conv, out: 4, kernel: 3, weight_of: " of "}\n"

static void ties_that_are_none_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {NET(LIKE_A("b", "aa")), "net.yaml:7: layer 'b' reads 'aa', but no layer has this name"},
        {NET(LIKE_A("b", "input")),
         "net.yaml:7: layer 'b' reads the weight of the input, which has none"},
        {NET("  - {name: b, type: conv, out: 5, kernel: [1, 3], weight_of: a}\n"),
         "net.yaml:7: layer 'b' reads a weight of 5 x 4 x 1 x 3, but that of 'a' is 4 x 4 x 3 x 3"},
        {NET("  - {name: b, type: fc, out: 4, weight_of: a}\n"),
         "net.yaml:7: layer 'b' reads a weight of 4 x 196, but that of 'a' is 4 x 4 x 3 x 3"},
        {NET(LIKE_A("b", "a") LIKE_A("c", "b")),
         "net.yaml:8: layer 'c' reads the weight of 'b', which is that of another layer too; "
         "expected `weight_of: a`"},
        {NET(LIKE_A("b", "c") LIKE_A("c", "b")),
         "net.yaml:7: layer 'b' reads the weight of 'c', but these layers form a cycle"},
        {NET(LIKE_A("b", "b")),
         "net.yaml:7: layer 'b' reads the weight of 'b', but these layers form a cycle"},
        {NET("  - {name: r, type: relu, weight_of: a}\n"),
         "net.yaml:7: layer 'r' reads the weight of 'a', but 'r' is a layer of type relu; layers "
         "of these types share weights: "},
        {NET("  - {name: r, type: batchnorm}\n" LIKE_A("b", "r")),
         "net.yaml:8: layer 'b' reads the weight of 'r', but 'r' is a layer of type batchnorm"},
        {NET("  - {name: b, type: conv, out: 4, kernel: 3, init: zeros, weight_of: a}\n"),
         "net.yaml:7: layer 'b' has both init and weight_of"},
        {NET("  - {name: b, type: conv, out: 4, kernel: 3, weight_of: [a]}\n"),
         "weight_of is a list"},
    };
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_model *model = NULL;
        vdnn_graph *graph = NULL;
        vdnn_status status =
            vdnn_model_parse(cases[i].text, strlen(cases[i].text), "net.yaml", &model);
        if (status == VDNN_OK)
            status = vdnn_graph_create(model, &options, &graph);
        assert_status(status, VDNN_BAD_INPUT);
        assert_message(cases[i].message);
        vdnn_model_destroy(model);
    }
}

/* ---- on the CPU ------------------------------------------------------------------------------ */

static void shape_in(vdnn_training_case *c, const char *text, int32_t micros, vdnn_layout preferred)
{
    const vdnn_graph_options options = {.batch = BATCH,
                                        .micro_batches = micros,
                                        .rules = VDNN_RULES_LEAN,
                                        .dtype = VDNN_F32,
                                        .preferred = preferred};
    vdnn_training_case_parse(c, text, &options);
}

static void shape(vdnn_training_case *c, const char *text, int32_t micros)
{
    shape_in(c, text, micros, VDNN_NCHW);
}

/* With the blocks of conv1 and fc4 in the host tier, where `away`. */
static vdnn_plan *plan_of(const vdnn_training_case *c, bool away)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, c->graph));
    decisions.sync = VDNN_SYNC_BY_NEED;
    decisions.updates = VDNN_UPDATES_FUSED; /* where that can be */
    if (away)
        decisions.params[CONV1].action = decisions.params[FC4].action = VDNN_OFFLOAD;
    return vdnn_training_case_plan(c, &decisions);
}

static vdnn_training_case set_up(const char *text, int32_t micros, bool away)
{
    vdnn_training_case c = {.plan = NULL};
    shape(&c, text, micros);
    c.plan = plan_of(&c, away);
    vdnn_training_case_begin(&c);
    return c;
}

/* Where a parameter of a layer is, in floats, in what training_case_weights returns. */
static size_t place_of(const vdnn_graph *graph, int32_t layer, int32_t p)
{
    size_t at = 0;
    for (int32_t l = 0; l < graph->layers[layer].owner; l++)
        at += graph->layers[l].owner == l ? graph->layers[l].param_bytes : 0;
    return (at + graph->layers[layer].params[p].offset) / sizeof(float);
}

/* Gives the untied network the weights of the tied one. */
static void copy_weights(const vdnn_training_case *from, const vdnn_training_case *to)
{
    float *all = vdnn_training_case_weights(from);
    for (int32_t l = 0; l < LAYERS; l++)
        for (int32_t p = 0; p < to->graph->layers[l].param_count; p++) {
            const vdnn_param *param = &to->graph->layers[l].params[p];
            const vdnn_buffer *block = &to->plan->buffers[to->plan->param_buffer[l]];
            assert_ok(vdnn_device_write(to->device, VDNN_TIER_DEVICE, block->offset + param->offset,
                                        all + place_of(from->graph, l, p), param->bytes));
        }
    vdnn_heap_free(all);
}

/* What a step with a rate of 1 makes of each parameter; the caller frees. */
static float *change_of(vdnn_training_case *c)
{
    float *before = vdnn_training_case_weights(c);
    (void)vdnn_training_case_step(c, 0, (vdnn_step_context){.settings = {.lr = 1}});
    float *after = vdnn_training_case_weights(c);
    for (size_t i = 0; i < vdnn_graph_param_bytes(c->graph) / sizeof(float); i++)
        after[i] -= before[i];
    vdnn_heap_free(before);
    return after;
}

/* Of the layer whose parameter it is in the tied network, and those that read it. */
static double expected_change(const vdnn_training_case *each, const float *changes,
                              const vdnn_layer *layer, int32_t p, size_t i,
                              const vdnn_graph *shared)
{
    double sum = 0;
    for (int32_t l = 0; l < LAYERS; l++)
        if (l == layer->index || (p == 0 && shared->layers[l].owner == layer->index))
            sum += (double)changes[place_of(each->graph, l, p) + i];
    return sum;
}

static void compare_with_untied(const char *text, int32_t micros)
{
    vdnn_training_case whole = set_up(text, micros, false), each = set_up(untied, micros, false);
    copy_weights(&whole, &each);
    float *of_whole = change_of(&whole), *of_each = change_of(&each);
    for (int32_t l = 0; l < LAYERS; l++) {
        const vdnn_layer *layer = &whole.graph->layers[l];
        for (int32_t p = 0; p < layer->param_count; p++)
            for (int64_t i = 0; i < layer->params[p].count && vdnn_layer_owns(layer, p); i++) {
                const double want =
                    expected_change(&each, of_each, layer, p, (size_t)i, whole.graph);
                const double got = (double)of_whole[place_of(whole.graph, l, p) + (size_t)i];
                assert_true(fabs(got - want) <= 1e-6 + 1e-5 * fabs(want));
            }
    }
    vdnn_heap_free(of_whole);
    vdnn_heap_free(of_each);
    vdnn_training_case_end(&whole);
    vdnn_training_case_end(&each);
}

static void the_gradient_is_the_sum_over_layers(void **state)
{
    (void)state;
    compare_with_untied(tied, 1);
    compare_with_untied(tied, 3);
    compare_with_untied(tied, 4);
    compare_with_untied(in_parts, 1);
    compare_with_untied(in_parts, 2);
}

static void same_bits(const char *text, int32_t micros)
{
    const vdnn_step_context context = {.settings = {.lr = 0.02,
                                                    .momentum = 0.9,
                                                    .weight_decay = 0.001,
                                                    .betas = {0.9, 0.999},
                                                    .eps = 1e-8}};
    vdnn_training_case here = set_up(text, micros, false), away = set_up(text, micros, true);
    vdnn_training_case_expect_same_steps(&here, &away, BATCH, context);
    vdnn_training_case_end(&here);
    vdnn_training_case_end(&away);
}

static void blocks_that_leave_keep_their_bits(void **state)
{
    (void)state;
    same_bits(tied, 1);
    same_bits(tied, 4);
    same_bits(in_parts, 2);
    same_bits(clipped, 1);
    same_bits(clipped, 2);
}

/* Its maps are blocked, or plain at one end, its weight is plain. */
static void a_weight_that_layers_share_learns_the_same_in_other_layouts(void **state)
{
    (void)state;
    static const vdnn_layout layouts[] = {VDNN_NCHW, VDNN_NCHW16C};
    float *weights[2];
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        vdnn_training_case c = {.plan = NULL};
        shape_in(&c, wide, 2, layouts[i]);
        c.plan = plan_of(&c, false);
        vdnn_training_case_begin(&c);
        for (int64_t s = 0; s < 3; s++)
            (void)vdnn_training_case_step(
                &c, s * BATCH, (vdnn_step_context){.settings = {.lr = 0.05, .momentum = 0.9}});
        weights[i] = vdnn_training_case_weights(&c);
        count = vdnn_graph_param_bytes(c.graph) / sizeof(float);
        vdnn_training_case_end(&c);
    }
    for (size_t i = 0; i < count; i++)
        assert_true(fabsf(weights[0][i] - weights[1][i]) <= 1e-5F);
    vdnn_heap_free(weights[0]);
    vdnn_heap_free(weights[1]);
}

static void a_block_leaves_by_its_owner(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    vdnn_decisions decisions;
    shape(&c, tied, 1);
    assert_ok(vdnn_decisions_init(&decisions, c.graph));
    decisions.params[FC2].action = VDNN_OFFLOAD;
    assert_status(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan), VDNN_INTERNAL);
    assert_message("the parameters of fc2 cannot be offloaded: they are in the block of the layer "
                   "whose weight it reads");
    vdnn_decisions_fini(&decisions);
    c.plan = NULL;
    vdnn_training_case_end(&c);
}

/* The n-th sum of parts of the gradient of a block; -1: there is none. */
static int32_t find_sum(const vdnn_plan *plan, int32_t owner, int32_t n)
{
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (step->kind == VDNN_STEP_ACCUMULATE && step->pass == VDNN_BACKWARD_FILTER &&
            plan->graph->layers[step->layer].owner == owner && n-- == 0)
            return i;
    }
    return -1;
}

static void a_block_has_one_update_behind_all_its_gradients(void **state)
{
    (void)state;
    vdnn_training_case c = {.plan = NULL};
    shape(&c, tied, 3);
    c.plan = plan_of(&c, false);
    const int32_t update = vdnn_plan_edit_find(c.plan, VDNN_STEP_UPDATE, CONV1, 0);
    assert_true(update > vdnn_plan_edit_find_run(c.plan, VDNN_BACKWARD_FILTER, CONV1, 2));
    assert_int_equal(vdnn_plan_edit_find(c.plan, VDNN_STEP_UPDATE, CONV1, 1), -1);
    assert_int_equal(vdnn_plan_edit_find(c.plan, VDNN_STEP_UPDATE, CONV2, 0), -1);
    assert_true(find_sum(c.plan, CONV1, 3 * 3 - 2) >= 0);
    assert_int_equal(find_sum(c.plan, CONV1, 3 * 3 - 1), -1);
    assert_true(vdnn_plan_edit_find(c.plan, VDNN_STEP_UPDATE, FC4, 0) >
                vdnn_plan_edit_find_run(c.plan, VDNN_BACKWARD_FILTER, FC2, 2));
    vdnn_training_case_end(&c);
}

/* So that the properties of random networks are those of ties too. */
static void random_networks_have_ties(void **state)
{
    (void)state;
    int networks = 0, readers = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        const vdnn_random_model request = vdnn_random_model_small(seed);
        vdnn_graph *graph;
        int before = readers;
        assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &graph));
        for (int32_t l = 0; l < graph->layer_count; l++)
            readers += graph->layers[l].owner != l;
        networks += readers > before;
        vdnn_graph_destroy(graph);
    }
    print_message("%d of 100 networks have %d layers that read another's weight\n", networks,
                  readers);
    assert_true(networks >= 10);
}

/* ---- broken plans ---------------------------------------------------------------------------- */

static vdnn_plan_breaker begin_breaking(const char *text, int32_t micros)
{
    vdnn_plan_breaker b = {.broken = NULL};
    shape(&b.c, text, micros);
    b.c.plan = plan_of(&b.c, false);
    vdnn_plan_breaker_begin(&b);
    return b;
}

/* The gradient that a step reads becomes what another one wrote. */
static void read_gradient_of(vdnn_plan *plan, int32_t step, int32_t writer, vdnn_bind bind)
{
    vdnn_access *gradient = vdnn_plan_edit_access(plan, step, VDNN_BIND_DW);
    gradient->buffer = vdnn_plan_edit_access(plan, writer, bind)->buffer;
    gradient->writer = writer;
}

static void an_update_without_the_part_of_every_layer_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(tied, 1);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, CONV1, 0);
    read_gradient_of(broken, update, find_sum(broken, CONV1, 0), VDNN_BIND_DST);
    vdnn_plan_edit_expect_refused(
        broken, "reads another value than the gradient of the layer's parameters");
    broken = vdnn_plan_breaker_fresh(&b);
    read_gradient_of(broken, update,
                     vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, CONV3, 0), VDNN_BIND_DW);
    vdnn_plan_edit_expect_refused(
        broken, "reads another value than the gradient of the layer's parameters");
    vdnn_plan_breaker_end(&b);
}

/* Before the first layer of the block in backward, which reads the weight once more. */
static void an_update_before_the_last_reader_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(tied, 1);
    static const int32_t readers[] = {CONV2, CONV3};
    for (size_t i = 0; i < 2; i++) {
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, CONV1, 0),
                      run = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_DATA, readers[i], 0);
        assert_true(run < update);
        const vdnn_step swapped = broken->steps[run];
        broken->steps[run] = broken->steps[update];
        broken->steps[update] = swapped;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan_breaker_end(&b);
}

static void a_lost_or_swapped_part_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(tied, 2);
    for (int32_t n = 0; n < 2 * 3 - 1; n++) {
        vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
        const int32_t sum = find_sum(broken, CONV1, n),
                      writer = vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST)->writer;
        for (int32_t k = 0; k < broken->access_count; k++)
            if (broken->accesses[k].writer == sum)
                broken->accesses[k].writer = writer;
        vdnn_plan_edit_mute(broken, sum);
        vdnn_plan_edit_expect_refused(broken, NULL);
        broken = vdnn_plan_breaker_fresh(&b);
        vdnn_access *to = vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST),
                    *from = vdnn_plan_edit_access(broken, sum, VDNN_BIND_SRC);
        const vdnn_access kept = *to;
        to->buffer = from->buffer;
        to->writer = from->writer;
        from->buffer = kept.buffer;
        from->writer = kept.writer;
        for (int32_t k = 0; k < broken->access_count; k++)
            if (broken->accesses[k].writer == sum)
                broken->accesses[k].buffer = to->buffer;
        vdnn_plan_edit_expect_refused(broken, NULL);
    }
    vdnn_plan_breaker_end(&b);
}

static void an_update_by_one_of_the_layers_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(tied, 1);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    vdnn_plan_edit_duplicate(broken, vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, FC4, 0));
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b);
    broken->steps[vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, FC4, 0)].layer = FC3;
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
    b = begin_breaking(untied, 1);
    const int32_t run = vdnn_plan_edit_find_run(b.c.plan, VDNN_BACKWARD_FILTER, FC4, 0);
    assert_non_null(vdnn_plan_edit_access(b.c.plan, run, VDNN_BIND_STATE)); /* it updates */
    b.c.graph->layers[FC4].is_tied = true;
    vdnn_plan_edit_expect_refused(vdnn_plan_breaker_fresh(&b),
                                  "by the gradient of one of the layers that share them");
    vdnn_plan_breaker_end(&b);
}

static void parameters_in_another_block_are_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(tied, 1);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    broken->param_buffer[FC2] = broken->param_buffer[FC5];
    vdnn_plan_edit_expect_refused(broken, "whose weight it reads");
    broken = vdnn_plan_breaker_fresh(&b);
    broken->state_buffer[CONV3] = -1;
    vdnn_plan_edit_expect_refused(broken, "whose weight it reads");
    broken = vdnn_plan_breaker_fresh(&b);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, FC2, 0);
    vdnn_plan_edit_access(broken, run, VDNN_BIND_W)->buffer = broken->param_buffer[FC1];
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

/* A graph whose layers believe other things of their block. */
static void a_graph_with_other_blocks_is_refused(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(tied, 1);
    vdnn_layer *layer = &b.c.graph->layers[FC3];
    const vdnn_layer kept = *layer;
    static const struct {
        int32_t owner;
        bool is_tied;
        size_t offset, param_bytes;
    } changes[] = {{FC3, true, 0, 0},   {FC5, true, 0, 0},  {LAYERS + 5, true, 0, 0},
                   {-1, true, 0, 0},    {FC4, false, 0, 0}, {FC4, true, sizeof(float), 0},
                   {FC4, true, 0, 256}, {CONV1, true, 0, 0}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        layer->owner = changes[i].owner;
        layer->is_tied = changes[i].is_tied;
        layer->params[1].offset += changes[i].offset;
        layer->param_bytes += changes[i].param_bytes;
        assert_status(vdnn_checker_check(b.c.plan, vdnn_tier_unlimited), VDNN_INTERNAL);
        *layer = kept;
    }
    assert_ok(vdnn_checker_check(b.c.plan, vdnn_tier_unlimited));
    vdnn_plan_breaker_end(&b);
}

/* ---- layers that add to a gradient ----------------------------------------------------------- */

enum { WORDS, DECODER = 2, LOSS };
static const char adding[] = "name: adding\n"
                             "input: {tokens: 5, vocabulary: 9}\n"
                             "classes: 9\n"
                             "batch: 6\n"
                             "layers:\n"
                             "  - {name: words, type: embedding, out: 4, parts: 2}\n"
                             "  - {name: relu, type: relu}\n"
                             "  - {name: decoder, type: fc, out: 9, weight_of: words}\n"
                             "  - {name: loss, type: softmax_loss, parts: 3}\n";

/* In the place of a sum, whatever part, but of the first gradient of all; the decoder's, which is
 * summed alone, is joined with it in the last micro-batch. */
static void an_embedding_adds_to_the_gradient_of_its_block(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(adding, 2);
    for (int32_t micro = 0; micro < 2; micro++) {
        const int32_t decoder =
                          vdnn_plan_edit_find_run(b.c.plan, VDNN_BACKWARD_FILTER, DECODER, micro),
                      words =
                          vdnn_plan_edit_find_run(b.c.plan, VDNN_BACKWARD_FILTER, WORDS, 2 * micro);
        assert_int_equal(vdnn_plan_edit_access(b.c.plan, decoder, VDNN_BIND_DW)->mode, VDNN_WRITE);
        for (int32_t part = 0; part < 2; part++)
            assert_int_equal(vdnn_plan_edit_access(b.c.plan, words + part, VDNN_BIND_DW)->mode,
                             micro + part == 0 ? VDNN_WRITE : VDNN_READ | VDNN_WRITE);
    }
    const int32_t of_decoder = find_sum(b.c.plan, WORDS, 0), join = find_sum(b.c.plan, WORDS, 1);
    assert_int_equal(b.c.plan->steps[of_decoder].layer, DECODER);
    assert_int_equal(b.c.plan->steps[join].layer, WORDS);
    assert_int_equal(find_sum(b.c.plan, WORDS, 2), -1);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t words = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, WORDS, 0) + 1;
    vdnn_plan_edit_access(broken, words, VDNN_BIND_DW)->mode = VDNN_WRITE;
    vdnn_plan_edit_expect_refused(broken, "an access that its pass does not take");
    broken = vdnn_plan_breaker_fresh(&b);
    broken->steps[words].part = 0;
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b); /* behind it, the sum of another micro-batch */
    read_gradient_of(broken, vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, WORDS, 2), words,
                     VDNN_BIND_DW);
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

/* Nobody reads the scores after its backward, of each part of the samples by itself. */
static void a_loss_writes_its_gradient_over_the_scores(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(adding, 1);
    const int32_t loss = vdnn_plan_edit_find_run(b.c.plan, VDNN_BACKWARD_DATA, LOSS, 0);
    for (int32_t part = 0; part < 3; part++) {
        const vdnn_access *x = vdnn_plan_edit_access(b.c.plan, loss + part, VDNN_BIND_X),
                          *dx = vdnn_plan_edit_access(b.c.plan, loss + part, VDNN_BIND_DX);
        assert_int_equal(dx->buffer, x->buffer);
        assert_int_equal(dx->first, x->first);
        assert_int_equal(dx->bytes, x->bytes);
    }
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b); /* the scores of what follows */
    vdnn_plan_edit_access(broken, loss, VDNN_BIND_DX)->first +=
        vdnn_plan_edit_access(broken, loss, VDNN_BIND_DX)->bytes;
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b);
    broken->steps[loss + 1].part = 0; /* whose scores are gone */
    vdnn_plan_edit_expect_refused(broken, NULL);
    vdnn_plan_breaker_end(&b);
}

static void a_norm_is_of_every_block_once(void **state)
{
    (void)state;
    vdnn_plan_breaker b = begin_breaking(clipped, 1);
    vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);
    const int32_t norm = vdnn_plan_edit_find(broken, VDNN_STEP_NORM, CONV1, 0);
    assert_true(norm > vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_FILTER, CONV1, 0));
    assert_int_equal(vdnn_plan_edit_find(broken, VDNN_STEP_NORM, CONV2, 0), -1);
    vdnn_plan_edit_duplicate(broken, norm);
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(&b);
    read_gradient_of(broken, norm, find_sum(broken, CONV1, 0), VDNN_BIND_DST);
    vdnn_plan_edit_expect_refused(
        broken, "reads another value than the gradient of the layer's parameters");
    vdnn_plan_breaker_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_the_parameters_of_all_its_layers),
        cmocka_unit_test(a_weight_that_layers_share_is_plain),
        cmocka_unit_test(no_converted_copy_of_a_weight_that_layers_share_is_kept),
        cmocka_unit_test(ties_that_are_none_are_refused),
        cmocka_unit_test(the_gradient_is_the_sum_over_layers),
        cmocka_unit_test(blocks_that_leave_keep_their_bits),
        cmocka_unit_test(a_weight_that_layers_share_learns_the_same_in_other_layouts),
        cmocka_unit_test(a_block_leaves_by_its_owner),
        cmocka_unit_test(a_block_has_one_update_behind_all_its_gradients),
        cmocka_unit_test(random_networks_have_ties),
        cmocka_unit_test(an_update_without_the_part_of_every_layer_is_refused),
        cmocka_unit_test(an_update_before_the_last_reader_is_refused),
        cmocka_unit_test(a_lost_or_swapped_part_is_refused),
        cmocka_unit_test(an_update_by_one_of_the_layers_is_refused),
        cmocka_unit_test(parameters_in_another_block_are_refused),
        cmocka_unit_test(a_graph_with_other_blocks_is_refused),
        cmocka_unit_test(an_embedding_adds_to_the_gradient_of_its_block),
        cmocka_unit_test(a_loss_writes_its_gradient_over_the_scores),
        cmocka_unit_test(a_norm_is_of_every_block_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
