#include "models/model.h"

#include "models/find.h"
#include "models/model_reader.h"
#include "models/yaml_tree.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/graph/graph.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A network around some layers, the first of which is in line 6. */
#define HEAD "name: net\ninput: {channels: 3, height: 16, width: 16}\nclasses: 10\nbatch: 4\n"
#define NET(layers) HEAD "layers:\n" layers
#define CONV "  - {name: conv1, type: conv, out: 8, kernel: 3}\n"
#define TAIL "  - {name: fc, type: fc, out: 10}\n  - {name: loss, type: softmax_loss}\n"

static const char lenet[] =
    "name: lenet\n"
    "input: {channels: 1, height: 28, width: 28}\n"
    "classes: 10\n"
    "batch: 64\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 20, kernel: 5}\n"
    "  - {name: pool1, type: maxpool, kernel: 2, stride: 2}\n"
    "  - {name: fc1, type: fc, out: 500}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: fc2, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.01, momentum: 0.9, weight_decay: 0.0005, epochs: 5}\n";

static const char every_form[] =
    "# a comment\n"
    "---\n"
    "name: \"a net\"\n"
    "init: {normal: 0.01}\n"
    "input:\n"
    "  channels: 3\n"
    "  height: 16\n"
    "  width: 16\n"
    "classes: 10\n"
    "batch: 4\n"
    "layers:\n"
    "  - name: conv1\n"
    "    type: conv\n"
    "    from: input\n"
    "    out: 8\n"
    "    kernel: [3, 5]\n"
    "    pad:\n"
    "      - 1\n"
    "      - 2\n"
    "    bias: false\n"
    "    init: xavier\n"
    "  - repeat:\n"
    "      count: 2\n"
    "      layers:\n"
    "        - name: outer{i}\n"
    "          type: relu\n"
    "        - repeat: {count: 2, layers: [{name: 'inner{i}', type: dropout, p: 2.5e-1}]}\n"
    "  - {name: side, type: avgpool, from: [conv1], kernel: 1, count_pad: False}\n"
    "  - {name: both, type: concat, from: [outer2, side, inner2_2]}\n"
    "  - {name: fc, type: fc, out: 10, init: zeros}\n"
    "  - {name: loss, type: softmax_loss}\n";

static vdnn_status parse(const char *text, vdnn_model **model)
{
    return vdnn_model_parse(text, strlen(text), "net.yaml", model);
}

static void check_refused(const char *text, const char *message)
{
    vdnn_model *model = NULL;
    size_t live = vdnn_heap_live_count();
    assert_status(parse(text, &model), VDNN_BAD_INPUT);
    assert_message(message);
    assert_null(model);
    assert_int_equal(vdnn_heap_live_count(), live);
}

typedef struct refusal {
    const char *text, *message;
} refusal;

static void check_all_refused(const refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_refused(cases[i].text, cases[i].message);
}

#define CHECK_ALL_REFUSED(cases) check_all_refused(cases, sizeof(cases) / sizeof((cases)[0]))

/* The value of a key of a layer's config. */
static const void *value_of(const vdnn_layer_spec *layer, const char *key)
{
    for (size_t i = 0; i < layer->def->key_count; i++)
        if (strcmp(layer->def->keys[i].name, key) == 0)
            return (const char *)layer->config + layer->def->keys[i].offset;
    fail_msg("layer %s has no key %s", layer->name, key);
    return NULL;
}

static int64_t integer_of(const vdnn_layer_spec *layer, const char *key, int i)
{
    return ((const int64_t *)value_of(layer, key))[i];
}

TEST(the_example_of_the_contract_is_read)
{
    vdnn_model *model = NULL;
    assert_ok(parse(lenet, &model));
    assert_string_equal(model->name, "lenet");
    assert_string_equal(model->path, "net.yaml");
    assert_int_equal(model->inputs[0].channels, 1);
    assert_int_equal(model->inputs[0].height, 28);
    assert_int_equal(model->inputs[0].width, 28);
    assert_int_equal(model->classes, 10);
    assert_int_equal(model->batch, 64);
    assert_int_equal(model->layer_count, 6);
    assert_true(model->training.settings.lr == 0.01 && model->training.settings.momentum == 0.9);
    assert_true(model->training.settings.weight_decay == 0.0005);
    assert_int_equal(model->training.epochs, 5);
    assert_string_equal(model->layers[0].from[0], "input");
    assert_string_equal(model->layers[3].from[0], "fc1");
    assert_string_equal(model->layers[3].def->type, "relu");
    assert_int_equal(model->layers[3].line, 9);
    assert_int_equal(model->layers[3].init.kind, VDNN_INIT_HE);
    vdnn_model_destroy(model);
}

TEST(every_way_of_writing_yaml_is_read)
{
    static const char *const names[] = {"conv1",  "outer1",   "inner1_1", "inner1_2",
                                        "outer2", "inner2_1", "inner2_2", "side",
                                        "both",   "fc",       "loss"};
    vdnn_model *model = NULL;
    assert_ok(parse(every_form, &model));
    assert_string_equal(model->name, "a net");
    assert_int_equal(model->layer_count, sizeof names / sizeof names[0]);
    for (int32_t i = 0; i < model->layer_count; i++)
        assert_string_equal(model->layers[i].name, names[i]);
    const vdnn_layer_spec *conv = &model->layers[0];
    assert_int_equal(integer_of(conv, "kernel", 0), 3);
    assert_int_equal(integer_of(conv, "kernel", 1), 5);
    assert_int_equal(integer_of(conv, "pad", 0), 1);
    assert_int_equal(integer_of(conv, "pad", 1), 2);
    assert_false(*(const bool *)value_of(conv, "bias"));
    assert_int_equal(conv->init.kind, VDNN_INIT_XAVIER);
    assert_true(*(const double *)value_of(&model->layers[2], "p") == 0.25);
    assert_false(*(const bool *)value_of(&model->layers[7], "count_pad"));
    assert_int_equal(model->layers[1].init.kind, VDNN_INIT_NORMAL);
    assert_true(model->layers[1].init.std == 0.01);
    assert_int_equal(model->layers[9].init.kind, VDNN_INIT_ZEROS);
    vdnn_model_destroy(model);
}

TEST(a_type_has_other_names)
{
    vdnn_model *model = NULL;
    assert_ok(parse(NET("  - {name: a, type: linear, out: 3}\n" TAIL), &model));
    assert_string_equal(model->layers[0].def->type, "fc");
    vdnn_model_destroy(model);
}

TEST(in_a_repeat_a_layer_can_read_one_of_the_round_before)
{
    vdnn_model *model = NULL;
    assert_ok(parse(NET("  - {name: b0, type: conv, out: 3, kernel: 1}\n"
                        "  - repeat: {count: 2, layers: [{name: 'r{i}', type: relu},\n"
                        "      {name: 'b{i}', type: add, from: ['r{i}', 'b{i-1}']}]}\n"
                        "  - {name: m1_0, type: relu}\n"
                        "  - repeat: {count: 1, layers: [{repeat: {count: 2, layers: [\n"
                        "      {name: 'm{i}', type: add, from: [b2, 'm{i-1}']}]}}]}\n" TAIL),
                    &model));
    assert_string_equal(model->layers[2].from[1], "b0");
    assert_string_equal(model->layers[4].from[1], "b1");
    assert_string_equal(model->layers[6].name, "m1_1");
    assert_string_equal(model->layers[7].from[1], "m1_1");
    vdnn_model_destroy(model);
}

TEST(in_a_repeat_a_layer_reads_the_one_above_also_across_its_ends)
{
    vdnn_model *model = NULL;
    assert_ok(parse(every_form, &model));
    assert_string_equal(model->layers[1].from[0], "conv1");    /* the first of the first round */
    assert_string_equal(model->layers[2].from[0], "outer1");   /* into the inner repeat */
    assert_string_equal(model->layers[4].from[0], "inner1_2"); /* the first of the second round */
    assert_int_equal(model->layers[8].from_count, 3);
    assert_string_equal(model->layers[8].from[2], "inner2_2");
    assert_string_equal(model->layers[9].from[0], "both");
    vdnn_model_destroy(model);
}

TEST(absent_keys_take_their_presets)
{
    vdnn_model *model = NULL;
    assert_ok(parse(NET(CONV "  - {name: pool1, type: maxpool, kernel: [3, 2]}\n" TAIL), &model));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(integer_of(&model->layers[0], "stride", i), 1);
        assert_int_equal(integer_of(&model->layers[0], "pad", i), 0);
        assert_int_equal(integer_of(&model->layers[0], "dilation", i), 1);
    }
    assert_int_equal(integer_of(&model->layers[0], "groups", 0), 1);
    assert_true(*(const bool *)value_of(&model->layers[0], "bias"));
    assert_int_equal(integer_of(&model->layers[1], "stride", 0), 3);
    assert_int_equal(integer_of(&model->layers[1], "stride", 1), 2);
    assert_false(*(const bool *)value_of(&model->layers[1], "ceil"));
    assert_true(model->training.settings.lr == 0.01 && model->training.settings.momentum == 0.9);
    assert_true(model->training.settings.weight_decay == 0.0);
    vdnn_model_destroy(model);
}

/* With the file's settings where the network has them, else the presets of the optimizer. */
TEST(another_optimizer_keeps_the_settings_of_the_file)
{
    vdnn_model *model = NULL;
    assert_ok(
        parse(NET(CONV TAIL "training: {optimizer: adam, lr: 0.5, betas: [0.75, 0.5]}\n"), &model));
    vdnn_training training = model->training;
    assert_ptr_equal(training.optimizer, vdnn_optimizer_find("adam"));
    assert_true(training.settings.lr == 0.5 && training.settings.eps == 1e-8);
    assert_true(training.settings.betas[0] == 0.75 && training.settings.betas[1] == 0.5);
    assert_true(training.settings.weight_decay == 0);
    vdnn_training_choose(&training, vdnn_optimizer_find("adamw"));
    assert_true(training.settings.lr == 0.5 && training.settings.weight_decay == 0.01);
    assert_true(training.settings.betas[0] == 0.75 && training.settings.betas[1] == 0.5);
    vdnn_training_choose(&training, vdnn_optimizer_find("sgd"));
    assert_true(training.settings.lr == 0.5 && training.settings.momentum == 0.9);
    assert_true(training.settings.betas[0] == 0);
    vdnn_training_choose(&training, vdnn_optimizer_find("adam"));
    assert_memory_equal(&training, &model->training, sizeof training);
    vdnn_model_destroy(model);
}

TEST(unknown_keys_and_names_are_refused_with_the_nearest)
{
    static const refusal cases[] = {
        {NET("  - {name: conv1, type: conv, out: 8, kernal: 3}\n" TAIL),
         "net.yaml:6: unknown key 'kernal' of conv layer 'conv1' (did you mean kernel?)"},
        {NET("  - {name: conv1, type: konv, out: 8, kernel: 3}\n" TAIL),
         "net.yaml:6: unknown type 'konv' of layer 'conv1' (did you mean conv?)"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3,\n     lambda: 1}\n" TAIL),
         "net.yaml:7: unknown key 'lambda' of conv layer 'c'"},
        {HEAD "clases: 3\n" NET(TAIL),
         "net.yaml:5: unknown key 'clases' of the network (did you mean classes?)"},
        {"inptu: {channels: 3}\n",
         "net.yaml:1: unknown key 'inptu' of the network (did you mean input?)"},
        {NET(CONV "  - {name: r, type: relu, from: comv1}\n" TAIL),
         "net.yaml:7: layer 'r' reads 'comv1', but no layer has this name (did you mean conv1?)"},
        {NET(CONV TAIL "training: {momentun: 0.9}\n"),
         "net.yaml:9: unknown key 'momentun' of training (did you mean momentum?)"},
        {NET(CONV TAIL "training: {optimizer: adamv}\n"),
         "net.yaml:9: optimizer of training is 'adamv', expected sgd, nesterov, adam, adamw or "
         "adagrad (did you mean adam?)"},
        {NET(CONV TAIL "training: {optimizer: adam, beta: [0.9, 0.99]}\n"),
         "net.yaml:9: unknown key 'beta' of training by adam (did you mean betas?)"},
        {NET(CONV TAIL "training: {optimizer: adamw, momentum: 0.9}\n"),
         "net.yaml:9: unknown key 'momentum' of training by adamw"},
        {NET(CONV TAIL "training: {betas: [0.9, 0.99]}\n"),
         "net.yaml:9: unknown key 'betas' of training"},
        {NET("  - repeat: {count: 2, layer: []}\n"),
         "net.yaml:6: unknown key 'layer' of repeat (did you mean layers?)"},
        {NET("  - {repeat: {count: 1, layers: []}, name: a}\n"),
         "net.yaml:6: unknown key 'name' of a repeat"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, init: hee}\n" TAIL),
         "net.yaml:6: init is 'hee', expected he, xavier, zeros or {normal: std}"},
    };
    CHECK_ALL_REFUSED(cases);
}

TEST(missing_keys_are_refused_with_their_names)
{
    static const refusal cases[] = {
        {NET("  - {name: conv1, type: conv, out: 8}\n" TAIL),
         "net.yaml:6: conv layer 'conv1' has no key 'kernel', which it must have"},
        {NET("  - {type: relu}\n" TAIL), "net.yaml:6: layer 1 has no key 'name'"},
        {NET(CONV "  - {name: a}\n" TAIL), "net.yaml:7: layer 'a' has no key 'type'"},
        {HEAD, "net.yaml:1: the network has no key 'layers'"},
        {"name: a\nclasses: 2\nbatch: 2\nlayers: [a]\n", "the network has no key 'input'"},
        {"name: a\ninput: {channels: 3, width: 4}\nclasses: 2\nbatch: 2\nlayers: [a]\n",
         "net.yaml:2: input has no key 'height'"},
        {NET("  - repeat: {layers: [{name: a, type: relu}]}\n"), "repeat has no key 'count'"},
        {NET("  - repeat: {count: 2}\n"), "repeat has no key 'layers'"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, init: {}}\n" TAIL),
         "init has no key 'normal'"},
    };
    CHECK_ALL_REFUSED(cases);
}

TEST(what_is_there_twice_is_refused)
{
    static const refusal cases[] = {
        {NET("  - {name: a, type: conv, out: 8, out: 8, kernel: 3}\n"),
         "net.yaml:6: key 'out' of conv layer 'a' is given twice"},
        {HEAD "batch: 8\n" NET(TAIL), "net.yaml:5: key 'batch' of the network is given twice"},
        {NET(CONV CONV TAIL),
         "net.yaml:7: a second layer is named 'conv1'; the first is in line 6"},
        {NET("  - repeat: {count: 2, layers: [{name: a, type: relu}]}\n"),
         "net.yaml:6: a second layer is named 'a'; the first is in line 6 (write {i} into names"},
        {NET("  - {name: input, type: relu}\n" TAIL), "net.yaml:6: a layer is named 'input'"},
        {HEAD "---\nname: b\n", "net.yaml:5: a second document, expected one"},
    };
    CHECK_ALL_REFUSED(cases);
}

TEST(values_of_the_wrong_kind_are_refused_with_what_was_expected)
{
    static const char *const bad[] = {
        "five",         "2.0", "'3'",    "~",    "",    "0x3", "03",          "1_0",  "[3]",
        "[3, 3, 3, 3]", "{}",  "[3, a]", "true", "--3", "3 3", "[[3, 3], 3]", "\"\"", "1e1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       NET("  - {name: c, type: conv, out: 8, kernel: %s}\n" TAIL), bad[i]);
        check_refused(text, "net.yaml:6: kernel of conv layer 'c' is ");
        assert_message(
            "expected an integer n, a pair [h, w] or, of volumes, [d, h, w] from 1 to 2147483647");
    }
    static const refusal cases[] = {
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, bias: 1}\n" TAIL),
         "bias of conv layer 'c' is '1', expected true or false"},
        {NET("  - {name: c, type: conv, out: , kernel: 3}\n" TAIL),
         "out of conv layer 'c' is nothing, expected an integer from 1 to 2147483647"},
        {NET("  - {name: d, type: dropout, p: half}\n" TAIL),
         "p of dropout layer 'd' is 'half', expected a number from 0 to 1"},
        {NET("  - {name: d, type: dropout, p: [0.5]}\n" TAIL), "is a list, expected a number"},
        {NET("  - relu\n"), "net.yaml:6: a layer is 'relu', expected a mapping"},
        {NET("  - {name: [a], type: relu}\n"), "name of a layer is a list, expected a name"},
        {NET("  - {name: a, type: {b: c}}\n"), "type of layer 'a' is a mapping, expected a name"},
        {NET(CONV "  - {name: a, type: relu, from: {b: c}}\n"), "from of layer 'a' is a mapping"},
        {NET(CONV "  - {name: a, type: relu, from: []}\n"), "from of layer 'a' is empty"},
        {NET(CONV "  - {name: a, type: concat, from: [conv1, [input]]}\n"), "from is a list"},
        {HEAD "layers: {}\n", "net.yaml:5: layers is a mapping, expected a list of layers"},
        {HEAD "layers: []\n", "net.yaml:5: layers is an empty list, expected a list of layers"},
        {NET("  - repeat: {count: 1, layers: []}\n"), "layers of a repeat is an empty list"},
        {NET("  - repeat: 3\n"), "net.yaml:6: repeat is '3', expected a mapping of keys"},
        {"name: a\ninput: 3\nclasses: 2\nbatch: 2\nlayers: [a]\n", "net.yaml:2: input is '3'"},
        {"- a\n", "net.yaml:1: the network is a list, expected a mapping"},
        {"just words\n", "net.yaml:1: the network is 'just words', expected a mapping"},
        {HEAD "layers: [a]\ntraining: fast\n", "net.yaml:6: training is 'fast'"},
        {HEAD "? [a]\n: b\n", "net.yaml:5: a key is a list, expected a name"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, init: [he]}\n"), "init is a list"},
    };
    CHECK_ALL_REFUSED(cases);
}

TEST(values_out_of_their_range_are_refused)
{
    static const refusal cases[] = {
        {NET("  - {name: c, type: conv, out: 0, kernel: 3}\n" TAIL),
         "net.yaml:6: out of conv layer 'c' is '0', expected an integer from 1 to 2147483647"},
        {NET("  - {name: c, type: conv, out: 99999999999999999999, kernel: 3}\n" TAIL),
         "out of conv layer 'c' is '99999999999999999999', expected an integer from 1"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, pad: [0, -1]}\n" TAIL),
         "pad of conv layer 'c' is ['0', '-1'], expected"},
        {NET("  - {name: d, type: dropout, p: 1.5}\n" TAIL), "is '1.5', expected a number from 0"},
        {NET("  - {name: d, type: dropout, p: 1e999}\n" TAIL), "is '1e999', expected a number"},
        {NET("  - {name: d, type: dropout, p: .nan}\n" TAIL), "is '.nan', expected a number"},
        {"name: a\nclasses: 2\nbatch: 0\n", "batch of the network is '0', expected an integer"},
        {NET(CONV TAIL "training: {lr: -1}\n"), "lr of training is '-1', expected a number from 0"},
        {NET(CONV TAIL "training: {epochs: 0}\n"), "epochs of training is '0', expected"},
        {NET(CONV TAIL "training: {optimizer: adam, betas: [0.9, 1]}\n"),
         "betas of training by adam is '1', expected a number from 0 to 0.9999999"},
        {NET(CONV TAIL "training: {optimizer: adam, betas: [0.9]}\n"),
         "betas of training by adam is a list, expected a list of 2 numbers"},
        {NET(CONV TAIL "training: {optimizer: adam, betas: 0.9}\n"),
         "betas of training by adam is '0.9', expected a list of 2 numbers"},
        {NET(CONV TAIL "training: {optimizer: adagrad, eps: 0}\n"),
         "eps of training by adagrad is '0', expected a number from 1e-37 to 1"},
        {NET(CONV TAIL "training: {clip_norm: -1}\n"),
         "clip_norm of training is '-1', expected a number from 0"},
        {NET(CONV TAIL "training: {optimizer: [sgd]}\n"), "optimizer of training is a list"},
        {NET(CONV TAIL "init: {normal: -0.5}\n"), "normal of init is '-0.5', expected"},
        {NET("  - repeat: {count: 0, layers: [{name: a, type: relu}]}\n"),
         "count of repeat is '0', expected an integer from 1 to 100000"},
        {NET(CONV "  - {name: r, type: relu, from: [conv1, input]}\n"),
         "net.yaml:7: relu layer 'r' reads 2 inputs, expected 1"},
    };
    CHECK_ALL_REFUSED(cases);
}

TEST(names_that_no_file_could_hold_are_refused)
{
    static const refusal cases[] = {
        {NET("  - {name: '', type: relu}\n"), "net.yaml:6: a name is empty"},
        {NET("  - {name: 'a b', type: relu}\n"), "net.yaml:6: name the text 'a b' has a"},
        {NET("  - {name: \"a\\\"b\", type: relu}\n"), "has a control character or one of"},
        {NET("  - {name: \"a\\nb\", type: relu}\n"), "name the text 'a?b' has a control"},
        {NET("  - {name: \"a\\x9bb\", type: relu}\n"), "name the text 'a??b' has a control"},
        {NET("  - {name: \"a\\0b\", type: relu}\n"), "net.yaml:6: a text holds a zero byte"},
        {NET("  - {name: 'a{i}', type: relu}\n"), "{i}, which only a repeat gives a value"},
        {NET("  - {name: 'a{i-1}', type: relu}\n"), "{i-1}, which only a repeat gives a value"},
    };
    CHECK_ALL_REFUSED(cases);
    char layer[512], text[1024];
    (void)snprintf(layer, sizeof layer, "  - {name: %0*d, type: relu}\n", VDNN_MODEL_MAX_NAME + 1,
                   7);
    (void)snprintf(text, sizeof text, NET("%s"), layer);
    check_refused(text, "has 201 bytes, expected at most 200");
}

TEST(what_is_no_plain_yaml_is_refused_with_its_line)
{
    static const refusal cases[] = {
        {"", "net.yaml:1: the file is empty"},
        {"# nothing\n", "net.yaml:1: the file is empty"},
        {HEAD "layers: [\n", "not YAML"},
        {HEAD "layers: }\n", "net.yaml:5: not YAML"},
        {"name: a\n\tbatch: 2\n", "net.yaml:2: not YAML"},
        {"name: a\ninput: &image {channels: 3}\n", "net.yaml:2: anchors are not supported"},
        {"name: a\ninput: *image\n", "net.yaml:2: aliases are not supported"},
        {"name: !!str a\n", "net.yaml:1: tags are not supported"},
        {"name: a\n<<: {}\n", "net.yaml:2: unknown key '<<' of the network"},
        {"name: \xff\xfe\n", "not YAML"},
    };
    CHECK_ALL_REFUSED(cases);
}

static char *filled(size_t length, char with)
{
    char *text = malloc(length + 1);
    assert_non_null(text);
    memset(text, with, length);
    text[length] = '\0';
    return text;
}

/* "a,a,a": so many times a. */
static char *list_of(size_t count)
{
    char *text = filled(2 * count - 1, 'a');
    for (size_t i = 1; i < 2 * count - 1; i += 2)
        text[i] = ',';
    return text;
}

TEST(depth_layers_values_and_length_are_limited)
{
    char *deep = filled(5000, '[');
    check_refused(deep, "nested more than 32 deep, which is the limit");
    free(deep);
    check_refused(NET("  - repeat: {count: 100000, layers: [{name: 'a{i}', type: relu},"
                      " {name: 'b{i}', type: relu}]}\n"),
                  "net.yaml:6: more than 100000 layers, which is the limit");
    char *long_text = filled(VDNN_YAML_MAX_BYTES + 1, '#');
    check_refused(long_text, "net.yaml:1: the file is larger than 16 MiB");
    free(long_text);
    char *values = list_of(VDNN_YAML_MAX_NODES + 1);
    vdnn_text whole = {0};
    vdnn_text_add(&whole, "[%s]", values);
    check_refused(whole.data, "more than 2097152 values, which is the limit");
    vdnn_text_fini(&whole);
    free(values);
}

TEST(the_sources_of_all_layers_together_are_limited)
{
    char *sources = list_of(2000);
    vdnn_text text = {0};
    vdnn_text_add(&text,
                  NET("  - repeat: {count: 600, layers: [{name: 'c{i}', type: concat,"
                      " from: [%s]}]}\n"),
                  sources);
    check_refused(text.data, "net.yaml:6: more than 1000000 names in all lists of `from`");
    vdnn_text_fini(&text);
    free(sources);
}

TEST(a_file_is_found_by_path_or_by_name)
{
    static const char *const places[] = {"/nowhere", "models"};
    static const char *const names[] = {"models/lenet.yaml", "lenet.yaml", "lenet"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = NULL;
        assert_ok(vdnn_model_find(names[i], places, 2, &path));
        assert_string_equal(path, "models/lenet.yaml");
        vdnn_heap_free(path);
    }
    char *path = NULL;
    assert_status(vdnn_model_find("lanet", places, 2, &path), VDNN_BAD_INPUT);
    assert_message("no network 'lanet'");
    assert_message("(did you mean lenet?)");
    assert_status(vdnn_model_find("elsewhere/lenet.yaml", places, 2, &path), VDNN_BAD_INPUT);
    assert_message("(did you mean lenet?)");
    assert_status(vdnn_model_find("models", places, 2, &path), VDNN_BAD_INPUT);
    assert_status(vdnn_model_find("", NULL, 0, &path), VDNN_BAD_INPUT);
    assert_null(path);
}

TEST(the_names_of_files_are_listed_sorted_and_each_once)
{
    static const char *const places[] = {"models", "/nowhere", "models"};
    static const vdnn_find_what device = {"device model", "/devices"};
    vdnn_text names = {0};
    assert_ok(vdnn_find_names(&device, "sim:", places, 3, &names));
    char *line = strtok(names.data, "\n"), *before = NULL;
    bool has_card = false;
    for (; line != NULL; before = line, line = strtok(NULL, "\n")) {
        assert_true(before == NULL || strcmp(before, line) < 0);
        has_card = has_card || strcmp(line, "sim:h100") == 0;
    }
    assert_true(has_card);
    vdnn_text_fini(&names);
}

TEST(a_file_that_cannot_be_read_is_an_error_of_files)
{
    vdnn_model *model = NULL;
    assert_status(vdnn_model_read("/nowhere/lenet.yaml", &model), VDNN_FILE);
    assert_message("/nowhere/lenet.yaml");
    assert_status(vdnn_model_read("models", &model), VDNN_FILE);
    assert_null(model);
    assert_ok(vdnn_model_read("models/lenet.yaml", &model));
    vdnn_model_destroy(model);
    vdnn_model_destroy(NULL);
}

/* Whatever the bytes are: a model or a refusal, and nothing left behind. */
static void check_bytes(const char *text, size_t length)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    size_t live = vdnn_heap_live_count();
    vdnn_status status = vdnn_model_parse(text, length, "net.yaml", &model);
    if (status == VDNN_OK) {
        vdnn_graph_options options = {.rules = VDNN_RULES_LEAN};
        status = vdnn_graph_create(model, &options, &graph);
    }
    if (status != VDNN_OK) {
        assert_int_equal(status, VDNN_BAD_INPUT);
        assert_memory_equal(vdnn_status_message(), "net.yaml:", 9);
    }
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
    assert_int_equal(vdnn_heap_live_count(), live);
}

TEST(mutated_files_never_crash)
{
    static const char pieces[] = "{}[]:,-#'\"\\\n\t 0159aeiy&*!|>%@`.~\x80\xff";
    static const char *const sources[] = {lenet, every_form};
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(20000); i++) {
        const char *source = sources[i % 2];
        char text[2048];
        size_t length = strlen(source);
        memcpy(text, source, length + 1);
        for (int64_t k = vdnn_test_between(&rng, 1, 4); k > 0; k--) {
            size_t at = (size_t)vdnn_test_between(&rng, 0, (int64_t)length - 1);
            size_t cut = (size_t)vdnn_test_between(&rng, 0, 3) == 0 ? 1 : 0;
            if (cut == 1) {
                memmove(text + at, text + at + 1, length - at);
                length--;
            } else {
                text[at] = pieces[vdnn_test_between(&rng, 0, (int64_t)sizeof pieces - 2)];
            }
        }
        check_bytes(text, length);
    }
}

TEST(every_beginning_of_a_file_is_read_or_refused)
{
    for (size_t length = 0; length <= strlen(every_form); length += 3)
        check_bytes(every_form, length);
}

TEST(lora_adds_layers_around_one_that_stays)
{
    static const char *const names[] = {"conv1",        "conv1.lora_A", "conv1.lora_scale",
                                        "conv1.lora_B", "conv1.lora",   "relu"};
    static const char *const types[] = {"conv", "conv", "scale", "conv", "add", "relu"};
    vdnn_model *model = NULL;
    assert_ok(parse(NET("  - {name: conv1, type: conv, out: 8, kernel: [3, 5], groups: 1, "
                        "lora: {rank: 4, alpha: 2}}\n"
                        "  - {name: relu, type: relu}\n"
                        "  - {name: sum, type: add, from: [relu, conv1]}\n" TAIL),
                    &model));
    const vdnn_layer_spec *layers = model->layers;
    assert_int_equal(model->layer_count, 9);
    for (int32_t i = 0; i < 6; i++) {
        assert_string_equal(layers[i].name, names[i]);
        assert_string_equal(layers[i].def->type, types[i]);
        assert_true(layers[i].is_frozen == (i == 0));
        assert_true(layers[i].is_adapter == (i > 0 && i < 5));
    }
    assert_string_equal(layers[1].from[0], "input");
    assert_string_equal(layers[5].from[0], "conv1.lora");
    assert_string_equal(layers[6].from[1], "conv1.lora");
    assert_int_equal(integer_of(&layers[1], "out", 0), 4);
    assert_int_equal(integer_of(&layers[1], "kernel", 1), 5);
    assert_int_equal(integer_of(&layers[3], "out", 0), 8);
    assert_int_equal(integer_of(&layers[3], "kernel", 1), 1);
    assert_true(*(const double *)value_of(&layers[2], "factor") == 0.5);
    assert_int_equal(layers[3].init.kind, VDNN_INIT_ZEROS);
    vdnn_model_destroy(model);
}

/* Gradients and the optimizer's state are those of A and B alone. */
TEST(lora_trains_two_small_matrices)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    assert_ok(parse(HEAD "layers:\n"
                         "  - {name: fc, type: fc, out: 10, lora: {rank: 2, alpha: 2}}\n"
                         "  - {name: loss, type: softmax_loss}\n",
                    &model));
    assert_ok(vdnn_graph_create(model, &(vdnn_graph_options){.batch = 0}, &graph));
    size_t trained = 0, all = 0;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        trained += graph->layers[l].trainable_bytes;
        all += graph->layers[l].param_bytes;
    }
    assert_int_equal(trained, (768 + 10) * 2 * sizeof(float));
    assert_int_equal(all - trained, (768 + 1) * 10 * sizeof(float));
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

TEST(lora_that_cannot_be_is_refused)
{
    static const refusal cases[] = {
        {NET("  - {name: r, type: relu, lora: {rank: 2, alpha: 4}}\n" TAIL),
         "net.yaml:6: relu layer 'r' has lora, but no weight that can be adapted; expected it on a "
         "layer of type conv or fc, such as those that compute its inputs"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, lora: {rank: 0, alpha: 4}}\n" TAIL),
         "net.yaml:6: rank of lora of layer 'c' is '0', expected an integer from 1"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, lora: {rank: 4}}\n" TAIL),
         "net.yaml:6: lora of layer 'c' has no key 'alpha'"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, lora: 8}\n" TAIL),
         "net.yaml:6: lora of layer 'c' is '8', expected a mapping"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, frozen: false, "
             "lora: {rank: 4, alpha: 4}}\n" TAIL),
         "net.yaml:6: layer 'c' has both lora, which freezes it, and `frozen: false`"},
        {NET("  - {name: c, type: conv, out: 8, kernel: 3, lora: {rank: 4, alpha: 4}}\n"
             "  - {name: c.lora, type: relu}\n" TAIL),
         "net.yaml:7: a second layer is named 'c.lora'; the first is in line 6"},
        {NET("  - {name: a, type: relu, from: c}\n"
             "  - {name: c, type: conv, out: 8, kernel: 3, from: input, "
             "lora: {rank: 4, alpha: 4}}\n" TAIL),
         "net.yaml:6: layer 'a' reads 'c', which has lora and is below it in the file"},
    };
    CHECK_ALL_REFUSED(cases);
}

static void fail_everywhere(const char *text)
{
    size_t live = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    for (size_t n = 1; status != VDNN_OK; n++) {
        vdnn_model *model = NULL;
        vdnn_heap_fail_after(n);
        status = parse(text, &model);
        vdnn_heap_fail_after(0);
        if (status != VDNN_OK)
            assert_int_equal(status, VDNN_NO_MEMORY);
        vdnn_model_destroy(model);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
}

TEST(running_out_of_memory_anywhere_leaves_nothing_behind)
{
    fail_everywhere(every_form);
    fail_everywhere(NET("  - {name: c, type: fc, out: 8, lora: {rank: 4, alpha: 4}}\n" TAIL));
}
