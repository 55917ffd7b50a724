#include "runtime/graph/graph.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "tests/support/random_model.h"
#include "tests/support/token_network.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A network around some layers, the first of which is in line 6. */
#define NET(layers)                                                                                \
    "name: net\n"                                                                                  \
    "input: {channels: 3, height: 16, width: 16}\n"                                                \
    "classes: 10\n"                                                                                \
    "batch: 4\n"                                                                                   \
    "layers:\n" layers
#define CONV(name) "  - {name: " name ", type: conv, out: 8, kernel: 3, pad: 1}\n"
#define CONV_FROM(name, from)                                                                      \
    "  - {name: " name ", type: conv, out: 8, kernel: 3, pad: 1, from: " from "}\n"
#define RELU(name) "  - {name: " name ", type: relu}\n"
#define RELU_FROM(name, from) "  - {name: " name ", type: relu, from: " from "}\n"
#define DROP(name) "  - {name: " name ", type: dropout, p: 0.5}\n"
#define POOL(name) "  - {name: " name ", type: maxpool, kernel: 2}\n"
#define POOL_FROM(name, from, kernel)                                                              \
    "  - {name: " name ", type: maxpool, kernel: " kernel ", from: " from "}\n"
#define SUM_FROM(name, from) "  - {name: " name ", type: add, from: [" from "]}\n"
#define TAIL "  - {name: fc, type: fc, out: 10}\n  - {name: loss, type: softmax_loss}\n"

static vdnn_status make(const char *text, vdnn_rules rules, vdnn_graph **graph)
{
    vdnn_model *model = NULL;
    vdnn_graph_options options = {.rules = rules};
    vdnn_status status = vdnn_model_parse(text, strlen(text), "net.yaml", &model);
    if (status == VDNN_OK)
        status = vdnn_graph_create(model, &options, graph);
    vdnn_model_destroy(model);
    return status;
}

static vdnn_graph *made(const char *text, vdnn_rules rules)
{
    vdnn_graph *graph = NULL;
    assert_ok(make(text, rules, &graph));
    return graph;
}

static vdnn_graph *network(const char *name, vdnn_rules rules)
{
    char path[64];
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    vdnn_graph_options options = {.rules = rules};
    (void)snprintf(path, sizeof path, "models/%s.yaml", name);
    assert_ok(vdnn_model_read(path, &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static const vdnn_layer *layer_of(const vdnn_graph *graph, const char *name)
{
    for (int32_t i = 0; i < graph->layer_count; i++)
        if (strcmp(graph->layers[i].name, name) == 0)
            return &graph->layers[i];
    fail_msg("no layer %s", name);
    return NULL;
}

/* The map that holds what a layer makes, or what it saves. */
static const vdnn_map *map_of(const vdnn_graph *graph, const char *layer)
{
    return &graph->maps[graph->tensors[layer_of(graph, layer)->output].map];
}

static const vdnn_map *aux_of(const vdnn_graph *graph, const char *layer)
{
    int32_t map = graph->aux_map[layer_of(graph, layer)->index];
    return map < 0 ? NULL : &graph->maps[map];
}

static vdnn_needs data_needs(const vdnn_graph *graph, const char *layer)
{
    return layer_of(graph, layer)->needs[VDNN_BACKWARD_DATA];
}

static void check_dims(const vdnn_desc *desc, int64_t n, int64_t c, int64_t h, int64_t w)
{
    const int64_t wanted[VDNN_DIMS] = {n, c, h, w};
    for (int d = 0; d < VDNN_DIMS; d++)
        assert_int_equal(desc->dims[d], wanted[d]);
}

/* "a b c": the layers of a list. */
static void check_layers(const vdnn_graph *graph, const int32_t *list, int32_t count,
                         const char *names)
{
    vdnn_text text = {0};
    vdnn_text_add(&text, "%s", "");
    for (int32_t i = 0; i < count; i++)
        vdnn_text_add(&text, "%s%s", i == 0 ? "" : " ", graph->layers[list[i]].name);
    assert_string_equal(text.data, names);
    vdnn_text_fini(&text);
}

static void check_needed(const vdnn_graph *graph, const vdnn_map *map, const char *names)
{
    check_layers(graph, map->needed_by, map->needed_count, names);
}

/* What must hold for every graph: the header's invariants, from the definitions alone. */
static void check_invariants(const vdnn_graph *graph)
{
    assert_int_equal(graph->tensor_count, graph->layer_count + vdnn_graph_labels_row(graph));
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const vdnn_layer *layer = &graph->layers[i];
        assert_int_equal(layer->index, i);
        assert_int_equal(graph->tensors[layer->output].producer, i);
        for (int32_t k = 0; k < layer->input_count; k++) {
            assert_true(graph->tensors[layer->inputs[k]].producer < i);
            assert_true(layer->wants_dx[k] == graph->tensors[layer->inputs[k]].has_gradient);
        }
        if (layer->in_place) {
            assert_true(layer->def->in_place);
            assert_int_equal(graph->tensors[layer->inputs[0]].reader_count, 1);
            assert_int_equal(graph->tensors[layer->inputs[0]].map,
                             graph->tensors[layer->output].map);
            assert_true(graph->tensors[layer->inputs[0]].producer >= 0);
        }
        for (int pass = VDNN_BACKWARD_DATA; pass <= VDNN_BACKWARD_FILTER; pass++)
            if (!vdnn_layer_has_pass(layer, (vdnn_pass)pass))
                assert_int_equal(layer->needs[pass], 0);
        assert_true((graph->aux_map[i] >= 0) == (layer->aux_bytes > 0));
    }
    for (int32_t m = 0; m < graph->map_count; m++) {
        const vdnn_map *map = &graph->maps[m];
        assert_true(map->bytes > 0);
        assert_true(map->last_writer >= map->first_writer);
        assert_true(map->last_forward >= map->last_writer);
        for (int32_t k = 0; k < map->reader_count; k++)
            assert_true(map->readers[k] > (k == 0 ? map->last_writer : map->readers[k - 1]));
        for (int32_t k = 1; k < map->needed_count; k++)
            assert_true(map->needed_by[k] < map->needed_by[k - 1]);
        for (int32_t i = 0, k = map->needed_count - 1; i < graph->layer_count; i++) {
            bool needs = vdnn_graph_needs(graph, i, VDNN_BACKWARD_DATA, m) ||
                         vdnn_graph_needs(graph, i, VDNN_BACKWARD_FILTER, m);
            bool listed = k >= 0 && map->needed_by[k] == i;
            assert_true(needs == listed);
            k -= listed;
        }
    }
}

/* Each value that backward reads is the last one written to its map. */
static void check_values_survive(const vdnn_graph *graph)
{
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const vdnn_layer *layer = &graph->layers[i];
        vdnn_needs needs = layer->needs[VDNN_BACKWARD_DATA] | layer->needs[VDNN_BACKWARD_FILTER];
        if (needs & VDNN_NEEDS_Y)
            assert_int_equal(graph->maps[graph->tensors[layer->output].map].last_writer, i);
        for (int32_t k = 0; (needs & VDNN_NEEDS_X) && k < layer->input_count; k++) {
            const vdnn_tensor *x = &graph->tensors[layer->inputs[k]];
            assert_int_equal(graph->maps[x->map].last_writer, x->producer);
        }
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Parameters that descent changes: running statistics are not counted, as nowhere else. */
static int64_t learned_count(const vdnn_graph *graph)
{
    int64_t count = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t p = 0; p < graph->layers[l].param_count; p++)
            if (vdnn_layer_owns(&graph->layers[l], p) &&
                graph->layers[l].params[p].update == VDNN_UPDATE_OPTIMIZER)
                count += graph->layers[l].params[p].count;
    return count;
}

/* The running mean and variance of each channel that a batchnorm reads. */
static int64_t statistic_count(const vdnn_graph *graph)
{
    int64_t count = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (strcmp(graph->layers[l].def->type, "batchnorm") == 0)
            count += 2 * graph->layers[l].y.dims[VDNN_C];
    return count;
}

static void the_networks_have_the_parameters_of_their_papers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t params, batch;
        int32_t convolutions;
    } known[] = {
        {"lenet", 1256080, 64, 2},
        {"cifar_cnn", 620362, 64, 3},
        {"alexnet", 61100840, 128, 5},
        {"overfeat", 144656488, 128, 6},
        {"googlenet", 6998552, 128, 57},
        {"vgg16", 138357544, 256, 13},
        {"vgg19", 143667240, 64, 16},
        {"vgg116", 253551400, 32, 116},
        {"vgg216", 363435560, 32, 216},
        {"vgg316", 473319720, 32, 316},
        {"vgg416", 583203880, 32, 416},
        {"resnet50", 25557032, 32, 53},
        {"densenet121", 7978856, 32, 120},
        {"squeezenet", 1235496, 128, 26},
        {"inception_v3", 23834568, 32, 94},
        {"mobilenet", 4231976, 32, 27},
        {"mobilenet_v2", 3504872, 32, 52},
        {"resnext50", 25028904, 32, 53},
        {"gpt2_124m", 124439808, 4, 0},
        {"gpt2_355m", 354823168, 4, 0},
        {"gpt2_774m", 774030080, 4, 0},
        {"gpt2_1558m", 1557611200, 4, 0},
        {"gpt_char", 828544, 32, 0},
        {"lstm_char", 938240, 32, 0},
        {"llama_1b", 1235814400, 1, 0},
        {"qwen2_7b", 7615616512, 1, 0},
        {"vit_b16", 86567656, 16, 1},
        {"bert_base", 109483778, 8, 0},
        {"unet", 17263042, 4, 19},
        {"unet3d", 31194083, 2, 28},
        {"gnmt", 160671297, 128, 0},
        {"biglstm", 822752126, 128, 0},
        {"biglstm_large", 1776880510, 128, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        vdnn_graph *graph = network(known[i].name, i % 2 ? VDNN_RULES_LEAN : VDNN_RULES_PAPER);
        int32_t convolutions = 0;
        for (int32_t l = 0; l < graph->layer_count; l++)
            convolutions += graph->layers[l].def->role == VDNN_ROLE_CONV;
        assert_string_equal(graph->name, known[i].name);
        size_t bytes = 4 * (size_t)(known[i].params + statistic_count(graph));
        assert_int_equal(learned_count(graph), known[i].params);
        assert_int_equal(vdnn_graph_param_bytes(graph), bytes);
        assert_int_equal(vdnn_graph_trainable_bytes(graph), bytes);
        assert_int_equal(graph->batch, known[i].batch);
        assert_int_equal(convolutions, known[i].convolutions);
        check_invariants(graph);
        check_values_survive(graph);
        vdnn_graph_destroy(graph);
    }
}

static void the_networks_have_the_shapes_of_their_papers(void **state)
{
    (void)state;
    static const struct {
        const char *network, *layer;
        int64_t batch, channels, size;
    } known[] = {
        {"alexnet", "conv1", 128, 64, 55},
        {"alexnet", "pool5", 128, 256, 6},
        {"overfeat", "pool1", 128, 96, 36},
        {"overfeat", "conv2", 128, 256, 30},
        {"overfeat", "pool6", 128, 1024, 5},
        {"vgg16", "conv1_2", 256, 64, 224},
        {"vgg16", "pool5", 256, 512, 7},
        {"vgg416", "conv5_84", 32, 512, 14},
        {"googlenet", "pool1", 128, 64, 56},
        {"googlenet", "inception_3a", 128, 256, 28},
        {"googlenet", "inception_4e", 128, 832, 14},
        {"googlenet", "inception_5b", 128, 1024, 7},
        {"googlenet", "pool5", 128, 1024, 1},
        {"lenet", "pool2", 64, 50, 7},
        {"resnet50", "maxpool", 32, 64, 56},
        {"resnet50", "layer4_2_relu3", 32, 2048, 7},
        {"densenet121", "block3_24_join", 32, 1024, 14},
        {"densenet121", "relu5", 32, 1024, 7},
        {"squeezenet", "pool5", 128, 256, 13},
        {"squeezenet", "relu10", 128, 1000, 13},
        {"inception_v3", "Mixed_5d", 32, 288, 35},
        {"inception_v3", "Mixed_6e", 32, 768, 17},
        {"inception_v3", "Mixed_7c", 32, 2048, 8},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        vdnn_graph *graph = network(known[i].network, VDNN_RULES_LEAN);
        check_dims(&layer_of(graph, known[i].layer)->y, known[i].batch, known[i].channels,
                   known[i].size, known[i].size);
        vdnn_graph_destroy(graph);
    }
}

static void the_batch_of_the_options_replaces_that_of_the_file(void **state)
{
    (void)state;
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    assert_ok(vdnn_model_read("models/lenet.yaml", &model));
    assert_ok(vdnn_graph_create(model, &(vdnn_graph_options){.batch = 7}, &graph));
    check_dims(&graph->tensors[0].desc, 7, 1, 28, 28);
    check_dims(&layer_of(graph, "fc2")->y, 7, 10, 1, 1);
    vdnn_graph_destroy(graph);
    graph = NULL;
    assert_status(vdnn_graph_create(model, &(vdnn_graph_options){.batch = -1}, &graph), VDNN_USAGE);
    assert_status(vdnn_graph_create(model, &(vdnn_graph_options){.dtype = VDNN_U8}, &graph),
                  VDNN_USAGE);
    assert_status(vdnn_graph_create(model, &(vdnn_graph_options){.batch = INT64_MAX}, &graph),
                  VDNN_BAD_INPUT);
    assert_null(graph);
    vdnn_model_destroy(model);
}

static void what_does_not_fit_is_refused_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {NET("  - {name: c, type: conv, out: 8, kernel: 17}\n" TAIL), "net.yaml:6: conv layer 'c'"},
        {NET(CONV("a") "  - {name: b, type: conv, out: 4, kernel: 1}\n"
                       "  - {name: c, type: conv, from: a, out: 4, kernel: 3}\n"
                       "  - {name: d, type: concat, from: [b, c]}\n" TAIL),
         "net.yaml:9: concat layer 'd'"},
        {NET("  - {name: fc, type: fc, out: 9}\n  - {name: loss, type: softmax_loss}\n"),
         "net.yaml:7: softmax_loss layer 'loss'"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, groups: 2}\n" TAIL), "groups 2"},
        {NET("  - {name: c, type: conv, out: 2147483647, kernel: 1, pad: 2147483647}\n" TAIL),
         "net.yaml:6: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_graph *graph = NULL;
        assert_status(make(cases[i].text, VDNN_RULES_LEAN, &graph), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
        assert_null(graph);
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

static void layers_are_put_in_order_and_otherwise_stay_in_that_of_the_file(void **state)
{
    (void)state;
    static const char text[] =
        NET("  - {name: loss, type: softmax_loss, from: fc}\n"
            "  - {name: fc, type: fc, out: 10, from: join}\n"
            "  - {name: join, type: concat, from: [late, early]}\n" CONV_FROM("early", "input")
                CONV_FROM("late", "input"));
    vdnn_graph *graph = made(text, VDNN_RULES_LEAN);
    static const int32_t all[] = {0, 1, 2, 3, 4};
    check_layers(graph, all, graph->layer_count, "early late join fc loss");
    assert_int_equal(layer_of(graph, "join")->inputs[0], layer_of(graph, "late")->output);
    assert_int_equal(layer_of(graph, "join")->line, 8);
    check_invariants(graph);
    vdnn_graph_destroy(graph);
}

enum { TREE_LAYERS = 40 };

/* A random tree of layers in a random order of the file; above[i] is what layer i reads, -1 the
 * input. */
static void write_tree(vdnn_test_rng *rng, int32_t *above, vdnn_text *text)
{
    int32_t rank[TREE_LAYERS] = {0};
    for (int32_t i = 0; i < TREE_LAYERS; i++) {
        int32_t k = (int32_t)vdnn_test_between(rng, 0, i);
        rank[i] = rank[k];
        rank[k] = i;
    }
    for (int32_t r = 0; r < TREE_LAYERS; r++) {
        int64_t from = vdnn_test_between(rng, -3, r - 1);
        above[rank[r]] = from < 0 ? -1 : rank[from];
    }
    vdnn_text_add(text, NET(""));
    for (int32_t i = 0; i < TREE_LAYERS; i++)
        if (above[i] < 0)
            vdnn_text_add(text, "  - {name: t%d, type: relu, from: input}\n", i);
        else
            vdnn_text_add(text, "  - {name: t%d, type: relu, from: t%d}\n", i, above[i]);
    vdnn_text_add(text, "  - {name: j, type: concat, from: [t0");
    for (int32_t i = 1; i < TREE_LAYERS; i++)
        vdnn_text_add(text, ", t%d", i);
    vdnn_text_add(text, "]}\n" TAIL);
}

static void of_the_layers_that_could_come_next_the_first_in_the_file_does(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int round = 0; round < vdnn_test_count(200); round++) {
        int32_t above[TREE_LAYERS];
        bool placed[TREE_LAYERS] = {false};
        vdnn_text text = {0};
        write_tree(&rng, above, &text);
        vdnn_graph *graph = made(text.data, VDNN_RULES_LEAN);
        for (int32_t place = 0; place < TREE_LAYERS; place++) {
            int32_t next = 0;
            while (placed[next] || (above[next] >= 0 && !placed[above[next]]))
                next++;
            placed[next] = true;
            assert_int_equal(graph->layers[place].line, 6 + next);
        }
        vdnn_graph_destroy(graph);
        vdnn_text_fini(&text);
    }
}

static void a_cycle_is_refused_with_the_names_on_it(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {NET(RELU_FROM("a", "c") RELU("b") RELU("c") TAIL),
         "net.yaml:6: the layers form a cycle: a -> b -> c -> a"},
        {NET(CONV("a") RELU_FROM("b", "b") TAIL), "net.yaml:7: the layers form a cycle: b -> b"},
        {NET("  - {name: j, type: concat, from: [input, r]}\n" CONV("k") RELU("r") RELU("out")
                 TAIL),
         "net.yaml:6: the layers form a cycle: j -> k -> r -> j"},
        {NET("  - repeat: {count: 50, layers: [{name: 'a{i}', type: relu}]}\n" RELU_FROM(
             "a0", "a1") "  - {name: x, type: concat, from: [a50, y]}\n"
                         "  - {name: y, type: relu, from: x}\n" TAIL),
         "a cycle: x -> y -> x"},
        {NET("  - {name: z, type: relu, from: a50}\n"
             "  - repeat: {count: 50, layers: [{name: 'a{i}', type: relu}]}\n" TAIL),
         "a cycle: z -> a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> a7 -> a8 -> a9 -> a10 -> a11 -> ... -> "
         "z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_graph *graph = NULL;
        assert_status(make(cases[i].text, VDNN_RULES_LEAN, &graph), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
    }
}

static void a_network_has_one_loss_and_no_output_that_nobody_reads(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {NET(CONV("a") RELU("b")),
         "net.yaml:7: the network has no loss; expected a softmax_loss layer, or "
         "another loss, after 'b'"},
        {NET(CONV("a") CONV_FROM("b", "input") TAIL),
         "net.yaml:6: no layer reads the output of layer 'a'"},
        {NET(TAIL "  - {name: more, type: softmax_loss, from: fc}\n"),
         "net.yaml:8: layer 'more' is a second loss in addition to 'loss', expected one"},
        {"name: net\ninput: {channels: 3, height: 4, width: 4}\nbatch: 4\nlayers:\n" TAIL,
         "net.yaml:6: the network has no key 'classes', which it must have for softmax_loss layer "
         "'loss'"},
        {NET("  - {name: fc, type: fc, out: 10}\n"
             "  - {name: loss, type: softmax_loss, labels: input}\n"),
         "net.yaml:7: the labels that 'loss' reads are called 'input', which is the name of an "
         "input"},
        {NET("  - {name: fc, type: fc, out: 10}\n  - {name: loss, type: mse, labels: input}\n"),
         "net.yaml:7: the labels that 'loss' reads are called 'input', which is the name of an "
         "input; expected another one (`labels: NAME`), or, of a loss over numbers, an input of "
         "the shape that it reads"},
        {NET("  - {name: fc, type: fc, out: 10}\n  - {name: loss, type: softmax_loss}\n" RELU(
             "after")),
         "net.yaml:8: layer 'after' reads the loss 'loss', which must be the last"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_graph *graph = NULL;
        assert_status(make(cases[i].text, VDNN_RULES_LEAN, &graph), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
    }
}

/* ---- what backward needs --------------------------------------------------------------------- */

static void gradients_go_only_where_something_learns(void **state)
{
    (void)state;
    vdnn_graph *graph = made(NET(POOL("p") CONV("a") RELU("r") TAIL), VDNN_RULES_PAPER);
    assert_false(graph->tensors[0].has_gradient);
    assert_false(vdnn_layer_has_pass(layer_of(graph, "p"), VDNN_BACKWARD_DATA));
    assert_false(layer_of(graph, "a")->wants_dx[0]);
    assert_false(vdnn_layer_has_pass(layer_of(graph, "a"), VDNN_BACKWARD_DATA));
    assert_true(vdnn_layer_has_pass(layer_of(graph, "a"), VDNN_BACKWARD_FILTER));
    assert_true(vdnn_layer_has_pass(layer_of(graph, "r"), VDNN_BACKWARD_DATA));
    assert_true(layer_of(graph, "loss")->wants_dx[0]);
    assert_int_equal(map_of(graph, "p")->needed_count, 1); /* X of the convolution only */
    assert_int_equal(graph->maps[0].needed_count, 0);
    check_invariants(graph);
    vdnn_graph_destroy(graph);
}

static void a_relu_works_in_place_behind_its_only_producer(void **state)
{
    (void)state;
    vdnn_graph *graph = made(NET(CONV("a") RELU("r") CONV("b") TAIL), VDNN_RULES_LEAN);
    assert_true(layer_of(graph, "r")->in_place);
    const vdnn_map *map = map_of(graph, "r");
    assert_ptr_equal(map, map_of(graph, "a"));
    assert_string_equal(map->name, "a");
    assert_int_equal(map->kind, VDNN_MAP_FEATURE);
    assert_int_equal(map->first_writer, 0);
    assert_int_equal(map->last_writer, 1);
    assert_int_equal(map->last_forward, 2);
    check_layers(graph, map->readers, map->reader_count, "b");
    check_needed(graph, map, "b r");
    assert_int_equal(data_needs(graph, "r"), VDNN_NEEDS_Y);
    assert_null(aux_of(graph, "r"));
    vdnn_graph_destroy(graph);
}

static void nothing_writes_over_the_input_or_over_what_others_read(void **state)
{
    (void)state;
    vdnn_graph *graph = made(NET(RELU("first") CONV("a") RELU("r") CONV_FROM(
                                 "b", "a") "  - {name: j, type: concat, from: [r, b]}\n" TAIL),
                             VDNN_RULES_LEAN);
    assert_false(layer_of(graph, "first")->in_place);
    assert_false(layer_of(graph, "r")->in_place);
    check_layers(graph, graph->tensors[2].readers, graph->tensors[2].reader_count, "r b");
    check_invariants(graph);
    check_values_survive(graph);
    vdnn_graph_destroy(graph);
}

static void classic_keeps_what_the_paper_keeps(void **state)
{
    (void)state;
    vdnn_graph *graph = made(NET(CONV("a") RELU("r") POOL("p") RELU("s") TAIL), VDNN_RULES_PAPER);
    assert_int_equal(data_needs(graph, "p"), VDNN_NEEDS_X | VDNN_NEEDS_Y);
    assert_null(aux_of(graph, "p"));
    check_needed(graph, map_of(graph, "r"), "p r");
    assert_false(layer_of(graph, "s")->in_place); /* p's backward reads its y */
    check_needed(graph, map_of(graph, "p"), "p");
    check_needed(graph, map_of(graph, "s"), "fc s");
    check_invariants(graph);
    check_values_survive(graph);
    vdnn_graph_destroy(graph);
}

static void slim_keeps_an_argmax_and_a_mask_instead_of_maps(void **state)
{
    (void)state;
    vdnn_graph *graph = made(NET(CONV("a") RELU("r") POOL("p") RELU("s") TAIL), VDNN_RULES_LEAN);
    assert_int_equal(data_needs(graph, "r"), VDNN_NEEDS_AUX);
    check_needed(graph, map_of(graph, "r"), "");
    check_needed(graph, aux_of(graph, "r"), "r");
    assert_int_equal(aux_of(graph, "r")->bytes, 4 * 8 * 16 * 16 / 8);
    assert_int_equal(aux_of(graph, "r")->kind, VDNN_MAP_AUX);
    assert_int_equal(aux_of(graph, "p")->bytes, 4 * 8 * 8 * 8);
    assert_true(layer_of(graph, "s")->in_place);
    assert_int_equal(data_needs(graph, "s"), VDNN_NEEDS_Y); /* fc keeps its x anyway */
    check_needed(graph, map_of(graph, "p"), "fc s");
    check_invariants(graph);
    check_values_survive(graph);
    vdnn_graph_destroy(graph);
}

static void a_dropout_writes_over_a_relu_only_where_the_relu_has_a_mask(void **state)
{
    (void)state;
    static const char text[] = NET(CONV("a") RELU("r") DROP("d") TAIL);
    vdnn_graph *graph = made(text, VDNN_RULES_PAPER);
    assert_true(layer_of(graph, "r")->in_place);
    assert_false(layer_of(graph, "d")->in_place);
    check_needed(graph, map_of(graph, "r"), "r");
    check_needed(graph, map_of(graph, "d"), "fc");
    check_values_survive(graph);
    vdnn_graph_destroy(graph);

    graph = made(text, VDNN_RULES_LEAN);
    assert_true(layer_of(graph, "r")->in_place && layer_of(graph, "d")->in_place);
    assert_int_equal(data_needs(graph, "r"),
                     VDNN_NEEDS_AUX); /* its y is not the map's last value */
    assert_ptr_equal(map_of(graph, "a"), map_of(graph, "d"));
    assert_int_equal(map_of(graph, "a")->last_writer, layer_of(graph, "d")->index);
    check_needed(graph, map_of(graph, "a"), "fc");
    check_values_survive(graph);
    vdnn_graph_destroy(graph);
}

static void of_two_relus_in_a_row_only_the_last_can_use_its_output(void **state)
{
    (void)state;
    static const char text[] = NET(CONV("a") RELU("r") RELU("s") CONV("b") TAIL);
    vdnn_graph *graph = made(text, VDNN_RULES_LEAN);
    assert_true(layer_of(graph, "r")->in_place && layer_of(graph, "s")->in_place);
    assert_int_equal(data_needs(graph, "r"), VDNN_NEEDS_AUX);
    assert_int_equal(data_needs(graph, "s"), VDNN_NEEDS_Y);
    check_values_survive(graph);
    vdnn_graph_destroy(graph);

    graph = made(text, VDNN_RULES_PAPER);
    assert_true(layer_of(graph, "r")->in_place);
    assert_false(layer_of(graph, "s")->in_place);
    check_values_survive(graph);
    vdnn_graph_destroy(graph);
}

static void a_fork_is_kept_once_for_all_who_need_it(void **state)
{
    (void)state;
    vdnn_graph *graph =
        made(NET(CONV("a") RELU("r") CONV("b") CONV_FROM(
                 "c", "r") "  - {name: p, type: maxpool, from: r, kernel: 3, stride: 1, pad: 1}\n"
                           "  - {name: j, type: concat, from: [b, c, p]}\n" TAIL),
             VDNN_RULES_LEAN);
    const vdnn_map *map = map_of(graph, "r");
    check_layers(graph, map->readers, map->reader_count, "b c p");
    check_needed(graph, map, "c b r");
    assert_int_equal(map->last_forward, layer_of(graph, "p")->index);
    check_dims(&layer_of(graph, "j")->y, 4, 24, 16, 16);
    check_invariants(graph);
    vdnn_graph_destroy(graph);
}

static void a_layer_that_reads_a_tensor_twice_is_one_reader(void **state)
{
    (void)state;
    vdnn_graph *graph =
        made(NET(CONV("a") "  - {name: j, type: concat, from: [a, a]}\n" TAIL), VDNN_RULES_LEAN);
    assert_int_equal(graph->tensors[1].reader_count, 1);
    assert_int_equal(layer_of(graph, "j")->input_count, 2);
    check_dims(&layer_of(graph, "j")->y, 4, 16, 16, 16);
    vdnn_graph_destroy(graph);
}

static void the_maps_of_input_and_loss_have_their_kinds(void **state)
{
    (void)state;
    vdnn_graph *graph = network("lenet", VDNN_RULES_LEAN);
    assert_int_equal(graph->maps[0].kind, VDNN_MAP_INPUT);
    assert_string_equal(graph->maps[0].name, "input");
    assert_int_equal(graph->maps[0].first_writer, -1);
    assert_int_equal(graph->maps[0].bytes, 64 * 28 * 28 * 4);
    check_needed(graph, &graph->maps[0], "conv1");
    assert_int_equal(map_of(graph, "loss")->kind, VDNN_MAP_RESULT);
    assert_int_equal(map_of(graph, "loss")->reader_count, 0);
    assert_int_equal(map_of(graph, "loss")->last_forward, 10);
    check_needed(graph, aux_of(graph, "loss"), "loss");
    bool in_aux = false;
    for (int32_t m = 0; m < graph->map_count; m++) {
        assert_false(in_aux && graph->maps[m].kind != VDNN_MAP_AUX);
        in_aux = graph->maps[m].kind == VDNN_MAP_AUX;
    }
    vdnn_graph_destroy(graph);
}

static void tokens_are_integers_and_lookups_in_them_sequences(void **state)
{
    (void)state;
    vdnn_graph *graph = made(vdnn_token_network, VDNN_RULES_LEAN);
    const vdnn_desc *input = &graph->tensors[0].desc;
    assert_int_equal(input->dtype, VDNN_I32);
    assert_int_equal(input->rank, VDNN_VECTOR_RANK);
    assert_int_equal(input->below, 40);
    check_dims(input, 4, 12, 1, 1);
    assert_int_equal(graph->maps[0].bytes, 4 * 12 * 4);
    check_needed(graph, &graph->maps[0], "other word");
    const vdnn_layer *word = layer_of(graph, "word");
    assert_int_equal(word->y.dtype, VDNN_F32);
    assert_int_equal(word->y.rank, VDNN_SEQUENCE_RANK);
    check_dims(&word->y, 4, 12, 16, 1);
    assert_int_equal(word->params[0].dims[0], 40);
    assert_int_equal(word->params[0].dims[1], 16);
    assert_false(vdnn_layer_has_pass(word, VDNN_BACKWARD_DATA));
    assert_true(vdnn_layer_has_pass(word, VDNN_BACKWARD_FILTER));
    assert_true(layer_of(graph, "relu1")->in_place);
    assert_int_equal(layer_of(graph, "mean")->y.rank, VDNN_VECTOR_RANK);
    check_dims(&layer_of(graph, "mean")->y, 4, 16, 1, 1);
    check_invariants(graph);
    check_values_survive(graph);
    vdnn_graph_destroy(graph);
}

static void equal_signatures_mean_equal_work(void **state)
{
    (void)state;
    vdnn_graph *graph = network("vgg19", VDNN_RULES_LEAN);
    const char *deep = layer_of(graph, "conv5_2")->signature;
    assert_string_equal(deep, layer_of(graph, "conv5_3")->signature);
    assert_string_not_equal(deep, layer_of(graph, "conv4_2")->signature);
    assert_string_not_equal(layer_of(graph, "conv1_1")->signature,
                            layer_of(graph, "conv1_2")->signature);
    assert_null(strchr(deep, ' '));
    vdnn_graph_destroy(graph);
}

/* Profiles of before are found by them. */
static void signatures_are_written_as_in_earlier_profiles(void **state)
{
    (void)state;
    vdnn_graph *graph = network("alexnet", VDNN_RULES_LEAN);
    assert_string_equal(layer_of(graph, "conv1")->signature,
                        "conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)"
                        "x=128x3x224x224:f32:nchw;y=128x64x55x55:f32:nchw;dx=0;needs=0,1");
    assert_string_equal(
        layer_of(graph, "drop6")->signature,
        "dropout(p=0.5)x=128x4096x1x1:f32:nchw;y=128x4096x1x1:f32:nchw;dx=1;needs=8,0;in_place");
    vdnn_graph_destroy(graph);
}

/* ---- relus that their producer does -----------------------------------------------------------
 */

static void a_relu_in_place_without_a_mask_is_done_by_its_producer(void **state)
{
    (void)state;
    vdnn_graph *graph = made(NET(CONV("a") RELU("r") CONV("b") RELU("s") POOL("p") CONV(
                                 "c") "  - {name: n, type: batchnorm}\n" RELU("t") CONV("d") TAIL),
                             VDNN_RULES_LEAN);
    static const struct {
        const char *relu, *producer;
        bool done;
    } cases[] = {{"r", "a", true}, {"s", "b", false}, {"t", "n", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const vdnn_layer *relu = layer_of(graph, cases[i].relu);
        assert_int_equal(relu->is_fused, cases[i].done);
        assert_int_equal(layer_of(graph, cases[i].producer)->epilogue == VDNN_EPILOGUE_RELU,
                         cases[i].done);
        assert_int_equal(vdnn_layer_has_pass(relu, VDNN_FORWARD), !cases[i].done);
        assert_true(vdnn_layer_has_pass(relu, VDNN_BACKWARD_DATA));
        assert_int_equal(vdnn_graph_writer(graph, relu->output),
                         cases[i].done ? layer_of(graph, cases[i].producer)->index : relu->index);
    }
    assert_non_null(strstr(layer_of(graph, "a")->signature, ";relu"));
    assert_int_equal(vdnn_graph_writer(graph, 0), -1);
    check_invariants(graph);
    vdnn_graph_destroy(graph);
}

/* ---- layouts --------------------------------------------------------------------------------- */

static vdnn_graph *in_layout(const char *text, vdnn_dtype dtype, vdnn_layout preferred)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = dtype, .preferred = preferred};
    assert_ok(vdnn_model_parse(text, strlen(text), "net.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static vdnn_graph *blocked(const char *text)
{
    return in_layout(text, VDNN_F32, VDNN_NCHW16C);
}

#define WIDE(name) "  - {name: " name ", type: conv, out: 32, kernel: 3, pad: 1}\n"

static int conversions(const vdnn_graph *graph)
{
    int count = 0;
    for (int32_t i = 0; i < graph->layer_count; i++)
        count += graph->layers[i].def->internal;
    return count;
}

static void a_blocked_layout_is_kept_up_to_the_layer_that_cannot_read_it(void **state)
{
    (void)state;
    vdnn_graph *graph = blocked(NET(WIDE("a") RELU("r") POOL("p") WIDE("b") TAIL));
    static const char *const kept[] = {"a", "r", "p", "b"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(layer_of(graph, kept[i])->y.layout, VDNN_NCHW16C);
    assert_int_equal(conversions(graph), 1);
    const vdnn_layer *convert = layer_of(graph, "b:nchw");
    assert_string_equal(convert->def->type, "convert");
    assert_int_equal(convert->x[0].layout, VDNN_NCHW16C);
    assert_int_equal(convert->y.layout, VDNN_NCHW);
    assert_int_equal(graph->layers[convert->index + 1].x[0].layout, VDNN_NCHW);
    assert_int_equal(layer_of(graph, "a")->params[0].layout, VDNN_PARAM_PLAIN);
    assert_int_equal(layer_of(graph, "b")->params[0].layout, VDNN_PARAM_BLOCKED);
    check_invariants(graph);
    vdnn_graph_destroy(graph);
}

static void padding_counts_as_bytes_and_too_much_of_it_is_avoided(void **state)
{
    (void)state;
    vdnn_graph *graph = blocked(NET("  - {name: a, type: conv, out: 24, kernel: 1}\n"
                                    "  - {name: b, type: conv, out: 19, kernel: 1}\n" TAIL));
    const vdnn_layer *a = layer_of(graph, "a"), *b = layer_of(graph, "b");
    assert_int_equal(a->y.layout, VDNN_NCHW16C);
    assert_int_equal(b->y.layout, VDNN_NCHW);
    size_t plain = (size_t)vdnn_desc_count(&a->y) * sizeof(float);
    assert_int_equal(map_of(graph, "a")->bytes, plain / 24 * 32);
    assert_int_equal(conversions(graph), 0);
    vdnn_graph_destroy(graph);
}

static void a_map_is_converted_once_for_all_its_readers(void **state)
{
    (void)state;
    vdnn_graph *graph = blocked(NET(WIDE("a") "  - {name: d, type: dropout, p: 0.5, from: a}\n"
                                              "  - {name: e, type: dropout, p: 0.5, from: a}\n"
                                              "  - {name: sum, type: add, from: [d, e]}\n" TAIL));
    assert_int_equal(conversions(graph), 1);
    assert_int_equal(layer_of(graph, "d")->inputs[0], layer_of(graph, "e")->inputs[0]);
    assert_int_equal(layer_of(graph, "a:nchw")->number, -1);
    assert_int_equal(layer_of(graph, "d")->number, 1); /* random numbers know no conversions */
    vdnn_graph_destroy(graph);
}

static void inputs_in_different_layouts_meet_in_the_one_of_most_bytes(void **state)
{
    (void)state;
    vdnn_graph *graph =
        blocked(NET(WIDE("a") "  - {name: b, type: conv, out: 3, kernel: 3, pad: 1, from: input}\n"
                              "  - {name: j, type: concat, from: [b, a]}\n" TAIL));
    assert_int_equal(layer_of(graph, "j")->y.layout, VDNN_NCHW16C);
    assert_int_equal(layer_of(graph, "b:nChw16c")->y.layout, VDNN_NCHW16C);
    check_invariants(graph);
    vdnn_graph_destroy(graph);
}

/* 16 bytes a cell: three channels are four of tf32, or eight of bf16. */
static void images_are_padded_for_convolutions_in_nhwc(void **state)
{
    static const struct {
        vdnn_dtype dtype;
        const char *name;
        vdnn_layout layout;
    } cases[] = {{VDNN_TF32, "input:nhwc4", VDNN_NHWC4}, {VDNN_BF16, "input:nhwc8", VDNN_NHWC8}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        vdnn_graph *graph =
            in_layout(NET(WIDE("a") WIDE("b") "  - {name: c, type: conv, out: 4, kernel: 3, pad: "
                                              "1, from: input}\n"
                                              "  - {name: j, type: concat, from: [b, c]}\n" TAIL),
                      cases[i].dtype, VDNN_NHWC);
        const vdnn_layer *convert = layer_of(graph, cases[i].name);
        assert_int_equal(conversions(graph), 2); /* and one before fc */
        assert_int_equal(convert->index, 0);
        assert_int_equal(convert->x[0].layout, VDNN_NCHW);
        assert_int_equal(convert->y.layout, cases[i].layout);
        assert_int_equal(map_of(graph, cases[i].name)->bytes, 4 * 16 * 16 * 16);
        assert_false(vdnn_layer_has_pass(convert, VDNN_BACKWARD_DATA));
        assert_int_equal(layer_of(graph, "a")->inputs[0], convert->output);
        assert_int_equal(layer_of(graph, "c")->inputs[0], convert->output);
        assert_int_equal(layer_of(graph, "a")->y.layout, VDNN_NHWC);
        assert_int_equal(layer_of(graph, "a")->params[0].count, 32 * 3 * 9);
        assert_int_equal(graph->maps[graph->tensors[0].map].needed_count, 0);
        check_invariants(graph);
        vdnn_graph_destroy(graph);
    }
}

/* A pool reads the image itself, and a concatenation of it with a map in nhwc knows no padding. */
static void others_read_images_without_padding(void **state)
{
    (void)state;
    vdnn_graph *graph =
        in_layout(NET(WIDE("a") "  - {name: p, type: maxpool, kernel: 3, pad: 1, stride: 1, from: "
                                "input}\n"
                                "  - {name: j, type: concat, from: [a, input]}\n"
                                "  - {name: k, type: concat, from: [j, p]}\n" TAIL),
                  VDNN_BF16, VDNN_NHWC);
    assert_int_equal(layer_of(graph, "p")->inputs[0], 0);
    assert_int_equal(layer_of(graph, "a")->x[0].layout, VDNN_NHWC8);
    assert_int_equal(layer_of(graph, "input:nhwc")->y.layout, VDNN_NHWC);
    assert_int_equal(layer_of(graph, "j")->inputs[1], layer_of(graph, "input:nhwc")->output);
    assert_int_equal(layer_of(graph, "p:nhwc")->y.layout, VDNN_NHWC);
    check_invariants(graph);
    vdnn_graph_destroy(graph);
}

static void a_graph_of_ten_thousand_layers_is_made(void **state)
{
    (void)state;
    vdnn_graph *graph =
        made(NET("  - repeat: {count: 5000, layers: [{name: 'c{i}', type: conv, out: 3, kernel: 1},"
                 " {name: 'r{i}', type: relu}]}\n" TAIL),
             VDNN_RULES_LEAN);
    assert_int_equal(graph->layer_count, 10002);
    assert_int_equal(graph->map_count, 1 + 5000 + 2 + 1);
    assert_true(layer_of(graph, "r5000")->in_place);
    vdnn_graph_destroy(graph);
}

/* Being in place and a need of y are free where legal, so that a missed one would cost memory: the
 * rules once more, from the definitions and the finished maps. */
static void check_nothing_is_missed(const vdnn_graph *graph)
{
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const vdnn_layer *layer = &graph->layers[i];
        const vdnn_tensor *x = &graph->tensors[layer->inputs[0]];
        const vdnn_map *y = &graph->maps[graph->tensors[layer->output].map];
        bool x_is_kept = x->producer < 0 ||
                         vdnn_graph_needs(graph, i, VDNN_BACKWARD_DATA, x->map) ||
                         (graph->layers[x->producer].needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_Y) != 0;
        if (layer->def->in_place && !layer->in_place)
            assert_true(x->reader_count > 1 || x_is_kept ||
                        vdnn_desc_bytes(&layer->x[0]) != vdnn_desc_bytes(&layer->y));
        int32_t others = 0;
        for (int32_t k = 0; k < y->needed_count; k++)
            others += y->needed_by[k] > i;
        if (graph->rules == VDNN_RULES_LEAN && strcmp(layer->def->type, "relu") == 0 &&
            vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA))
            assert_true((layer->needs[VDNN_BACKWARD_DATA] == VDNN_NEEDS_Y) ==
                        (others > 0 && y->last_writer == i));
    }
}

static void random_networks_keep_all_rules(void **state)
{
    (void)state;
    for (int i = 0; i < vdnn_test_count(2000); i++) {
        vdnn_graph *graph = NULL;
        vdnn_random_model request = vdnn_random_model_small(vdnn_test_seed() + (uint64_t)i);
        assert_ok(vdnn_random_model_graph(&request, i % 2 == 0 ? VDNN_RULES_LEAN : VDNN_RULES_PAPER,
                                          &graph));
        check_invariants(graph);
        check_values_survive(graph);
        check_nothing_is_missed(graph);
        vdnn_graph_destroy(graph);
    }
}

/* As equal as the batch allows, the larger ones first, each behind the one before it. */
static vdnn_graph *pooled_first(const char *text)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .pools_first = true};
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    assert_ok(vdnn_model_parse(text, strlen(text), "net.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static const char *source_of(const vdnn_graph *graph, const char *layer)
{
    return graph->tensors[layer_of(graph, layer)->inputs[0]].name;
}

/* Backward then needs the argmax of what comes in, and what the pool leaves; numbers of other
 * layers, from which first weights are drawn, stay. */
static void a_pool_runs_before_a_relu_that_only_it_reads(void **state)
{
    (void)state;
    vdnn_graph *graph = pooled_first(NET(CONV("conv1") RELU("relu1") POOL("pool1") CONV("conv2")
                                             RELU("relu2") POOL("pool2") TAIL));
    static const char *const names[] = {"conv1", "pool1", "relu1", "conv2",
                                        "pool2", "relu2", "fc",    "loss"};
    for (int32_t i = 0; i < graph->layer_count; i++) {
        assert_string_equal(graph->layers[i].name, names[i]);
        assert_int_equal(graph->layers[i].number, i);
    }
    assert_string_equal(source_of(graph, "pool1"), "conv1");
    assert_string_equal(source_of(graph, "relu1"), "pool1");
    assert_string_equal(source_of(graph, "conv2"), "relu1");
    assert_string_equal(source_of(graph, "fc"), "relu2");
    assert_true(layer_of(graph, "relu1")->in_place);
    assert_ptr_equal(map_of(graph, "relu1"), map_of(graph, "pool1"));
    assert_int_equal(map_of(graph, "conv1")->needed_count, 0);
    assert_int_equal(map_of(graph, "relu1")->needed_count, 2); /* by conv2 and by itself */
    assert_null(aux_of(graph, "relu1"));
    vdnn_graph_destroy(graph);
}

/* Of one that others read, of one behind which others come first, and of one that is behind the
 * pool already. */
static void other_pools_and_relus_stay_where_they_are(void **state)
{
    (void)state;
    static const char *const texts[] = {
        NET(CONV("conv1") RELU("relu1") POOL("pool1") CONV_FROM("conv2", "relu1") POOL("pool2")
                SUM_FROM("sum", "pool1, pool2") TAIL),
        NET(CONV("conv1") RELU("relu1") CONV_FROM("conv2", "input") POOL_FROM("pool1", "relu1", "2")
                POOL_FROM("pool2", "conv2", "2") SUM_FROM("sum", "pool1, pool2") TAIL),
        NET(CONV("conv1") POOL("pool1") RELU("relu1") TAIL)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        vdnn_graph *first = pooled_first(texts[i]), *plain = made(texts[i], VDNN_RULES_LEAN);
        assert_int_equal(first->layer_count, plain->layer_count);
        for (int32_t l = 0; l < plain->layer_count; l++)
            assert_string_equal(first->layers[l].name, plain->layers[l].name);
        vdnn_graph_destroy(first);
        vdnn_graph_destroy(plain);
    }
}

static void micro_batches_share_the_batch(void **state)
{
    (void)state;
    static const char text[] = NET(CONV("a") RELU("r") POOL("p") TAIL);
    vdnn_model *model = NULL;
    assert_ok(vdnn_model_parse(text, strlen(text), "net.yaml", &model));
    for (int64_t batch = 1; batch <= 9; batch++)
        for (int32_t count = 1; count <= batch; count++) {
            vdnn_graph *graph = NULL;
            const vdnn_graph_options options = {
                .batch = batch, .micro_batches = count, .rules = VDNN_RULES_LEAN};
            int64_t before = 0;
            double weights = 0;
            assert_ok(vdnn_graph_create(model, &options, &graph));
            for (int32_t micro = 0; micro < count; micro++) {
                const vdnn_graph *own = vdnn_graph_of_micro(graph, micro);
                assert_int_equal(own->micro_batch, batch / count + (micro < batch % count));
                assert_int_equal(own->layers[0].x[0].dims[VDNN_N], own->micro_batch);
                assert_int_equal(vdnn_graph_first_sample(graph, micro), before);
                before += own->micro_batch;
                weights += vdnn_graph_weight(graph, micro);
            }
            assert_int_equal(before, batch);
            assert_true(fabs(weights - 1) < 1e-12);
            assert_true((graph->lesser == NULL) == (batch % count == 0));
            vdnn_graph_destroy(graph);
        }
    vdnn_model_destroy(model);
}

static void running_out_of_memory_anywhere_leaves_nothing_behind(void **state)
{
    (void)state;
    static const char *const texts[] = {
        NET(CONV("a") RELU("r") POOL("p") DROP("d") TAIL),
        NET(RELU_FROM("a", "b") RELU("b") TAIL),
    };
    for (int i = 0; i < 2; i++) {
        vdnn_model *model = NULL;
        assert_ok(vdnn_model_parse(texts[i], strlen(texts[i]), "net.yaml", &model));
        size_t live = vdnn_heap_live_count();
        vdnn_status status = VDNN_NO_MEMORY;
        for (size_t n = 1; status == VDNN_NO_MEMORY; n++) {
            vdnn_graph *graph = NULL;
            vdnn_heap_fail_after(n);
            status = vdnn_graph_create(
                model, &(vdnn_graph_options){.batch = 3, .micro_batches = 2, .pools_first = true},
                &graph);
            vdnn_heap_fail_after(0);
            vdnn_graph_destroy(graph);
            assert_int_equal(vdnn_heap_live_count(), live);
        }
        assert_int_equal(status, i == 0 ? VDNN_OK : VDNN_BAD_INPUT);
        vdnn_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_networks_have_the_parameters_of_their_papers),
        cmocka_unit_test(the_networks_have_the_shapes_of_their_papers),
        cmocka_unit_test(the_batch_of_the_options_replaces_that_of_the_file),
        cmocka_unit_test(what_does_not_fit_is_refused_with_file_and_line),
        cmocka_unit_test(layers_are_put_in_order_and_otherwise_stay_in_that_of_the_file),
        cmocka_unit_test(of_the_layers_that_could_come_next_the_first_in_the_file_does),
        cmocka_unit_test(a_cycle_is_refused_with_the_names_on_it),
        cmocka_unit_test(a_network_has_one_loss_and_no_output_that_nobody_reads),
        cmocka_unit_test(gradients_go_only_where_something_learns),
        cmocka_unit_test(a_relu_works_in_place_behind_its_only_producer),
        cmocka_unit_test(nothing_writes_over_the_input_or_over_what_others_read),
        cmocka_unit_test(classic_keeps_what_the_paper_keeps),
        cmocka_unit_test(slim_keeps_an_argmax_and_a_mask_instead_of_maps),
        cmocka_unit_test(a_dropout_writes_over_a_relu_only_where_the_relu_has_a_mask),
        cmocka_unit_test(of_two_relus_in_a_row_only_the_last_can_use_its_output),
        cmocka_unit_test(a_fork_is_kept_once_for_all_who_need_it),
        cmocka_unit_test(a_layer_that_reads_a_tensor_twice_is_one_reader),
        cmocka_unit_test(the_maps_of_input_and_loss_have_their_kinds),
        cmocka_unit_test(tokens_are_integers_and_lookups_in_them_sequences),
        cmocka_unit_test(equal_signatures_mean_equal_work),
        cmocka_unit_test(signatures_are_written_as_in_earlier_profiles),
        cmocka_unit_test(a_relu_in_place_without_a_mask_is_done_by_its_producer),
        cmocka_unit_test(a_blocked_layout_is_kept_up_to_the_layer_that_cannot_read_it),
        cmocka_unit_test(padding_counts_as_bytes_and_too_much_of_it_is_avoided),
        cmocka_unit_test(a_map_is_converted_once_for_all_its_readers),
        cmocka_unit_test(images_are_padded_for_convolutions_in_nhwc),
        cmocka_unit_test(others_read_images_without_padding),
        cmocka_unit_test(inputs_in_different_layouts_meet_in_the_one_of_most_bytes),
        cmocka_unit_test(a_graph_of_ten_thousand_layers_is_made),
        cmocka_unit_test(random_networks_keep_all_rules),
        cmocka_unit_test(a_pool_runs_before_a_relu_that_only_it_reads),
        cmocka_unit_test(other_pools_and_relus_stay_where_they_are),
        cmocka_unit_test(micro_batches_share_the_batch),
        cmocka_unit_test(running_out_of_memory_anywhere_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
