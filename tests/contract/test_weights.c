#include "tests/support/run_program.h"

#include "runtime/data/tensors/safetensors.h"
#include "runtime/graph/graph.h"
#include "runtime/train/weights.h"
#include "tests/support/token_network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two layers with more weights than pass at once, a convolution that may lie in blocks, and an odd
 * number of elements. */
#define NETWORK                                                                                    \
    "name: net\ninput: {channels: 16, height: 5, width: 5}\nclasses: 701\nbatch: 2\nlayers:\n"     \
    "  - {name: conv, type: conv, out: 32, kernel: 3, pad: 1}\n"                                   \
    "  - {name: wide, type: fc, out: 2001, init: xavier}\n"                                        \
    "  - {name: last, type: fc, out: 701}\n"                                                       \
    "  - {name: loss, type: softmax_loss}\n"

enum { SEED = 3 };

/* Trains nothing: one step at a learning rate of 0. */
static void save_weights(const char *folder, const char *more, const char *name)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s/net.yaml --steps 1 --lr 0 --seed %d --save %s %s", folder,
                      SEED, vdnn_test_path(folder, name), more);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

static void assert_param(const vdnn_safetensors *file, const vdnn_layer *layer, int32_t p)
{
    char name[64];
    const vdnn_param *param = &layer->params[p];
    size_t count = (size_t)param->count;
    float *made = malloc(count * sizeof *made), *saved = malloc(count * sizeof *saved);
    assert_non_null(made);
    assert_non_null(saved);
    (void)snprintf(name, sizeof name, "%s.%s", layer->name, param->name);
    vdnn_weights_make(layer, p, SEED, made);
    assert_ok(vdnn_safetensors_read(file, name, param->dims, param->dim_count, saved));
    assert_memory_equal(made, saved, count * sizeof *made);
    free(made);
    free(saved);
}

TEST_IN_FOLDER(a_forget_gate_begins_with_its_bias)
{
    enum { CELLS = 3, GATES = 4 };
    static const char network[] =
        "{name: net, input: {tokens: 4, vocabulary: 5}, batch: 2, layers: [{name: word, type: "
        "embedding, out: 2}, {name: memory, type: lstm, out: 3, forget_bias: 1.5}, {name: fc, "
        "type: fc, out: 5}, {name: loss, type: softmax_loss}]}";
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_model *model;
    vdnn_graph *graph;
    vdnn_test_write_below(*state, "net.yaml", network);
    assert_ok(vdnn_model_read(vdnn_test_path(*state, "net.yaml"), &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    const vdnn_layer *memory = &graph->layers[1];
    assert_string_equal(memory->name, "memory");
    for (int32_t p = 2; p < 4; p++) {
        float made[GATES * CELLS];
        vdnn_weights_make(memory, p, SEED, made);
        for (int i = 0; i < GATES * CELLS; i++)
            assert_true(made[i] == (p == 2 && i / CELLS == 1 ? 1.5F : 0));
    }
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

TEST_IN_FOLDER(fresh_weights_are_those_made_at_once)
{
    vdnn_test_write_file(vdnn_test_path(*state, "net.yaml"), NETWORK, strlen(NETWORK));
    static const char *const threads[] = {"--threads 1", "--threads 3"};
    for (size_t t = 0; t < 2; t++) {
        save_weights(*state, threads[t], "w");
        const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
        vdnn_model *model;
        vdnn_graph *graph;
        vdnn_safetensors *file;
        assert_ok(vdnn_model_read(vdnn_test_path(*state, "net.yaml"), &model));
        assert_ok(vdnn_graph_create(model, &options, &graph));
        assert_ok(vdnn_safetensors_open(vdnn_test_path(*state, "w"), &file));
        assert_int_equal(vdnn_safetensors_count(file), 6);
        for (int32_t l = 0; l < graph->layer_count; l++)
            for (int32_t p = 0; p < graph->layers[l].param_count; p++)
                assert_param(file, &graph->layers[l], p);
        vdnn_safetensors_close(file);
        vdnn_graph_destroy(graph);
        vdnn_model_destroy(model);
    }
}

TEST_IN_FOLDER(weights_of_a_file_come_back_bit_for_bit)
{
    char init[600];
    vdnn_test_write_file(vdnn_test_path(*state, "net.yaml"), NETWORK, strlen(NETWORK));
    save_weights(*state, "", "first");
    (void)snprintf(init, sizeof init, "--init %s", vdnn_test_path(*state, "first"));
    save_weights(*state, init, "last");
    vdnn_test_same_files(*state, "first", "last");
}

/* Under the name of the layer that owns it. */
TEST_IN_FOLDER(weights_by_the_names_of_torchvision_are_written_and_read)
{
    char *bytes;
    size_t count;
    vdnn_test_write_below(*state, "vgg16.yaml",
                          "name: vgg16\ninput: {channels: 1, height: 8, width: 8}\nclasses: 3\n"
                          "batch: 2\nlayers:\n"
                          "  - {name: conv1_1, type: conv, out: 2, kernel: 3}\n"
                          "  - {name: conv1_2, type: conv, out: 2, kernel: 3}\n"
                          "  - {name: conv2_1, type: conv, out: 2, kernel: 3}\n"
                          "  - {name: fc8, type: fc, out: 3}\n"
                          "  - {name: loss, type: softmax_loss}\n");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/vgg16.yaml --steps 2 --save @/torch --names "
                     "torchvision --profile @/profile");
    vdnn_test_read_file(vdnn_test_path(*state, "torch"), &bytes, &count);
    assert_non_null(memmem(bytes, count, "\"features.2.weight\"", 19));
    assert_non_null(memmem(bytes, count, "\"features.5.bias\"", 17));
    assert_non_null(memmem(bytes, count, "\"classifier.6.weight\"", 21));
    free(bytes);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/vgg16.yaml --steps 1 --lr 0 --init @/torch "
                     "--save @/own --profile @/profile");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/vgg16.yaml --steps 1 --lr 0 --init @/own "
                     "--save @/again --names torchvision --profile @/profile");
    vdnn_test_same_files(*state, "torch", "again");
    vdnn_test_run_to(*state, 2, "torchvision has no network with the layers of lenet",
                     "vdnnrun --model lenet --steps 1 --save @/lenet --names torchvision");
}

TEST_IN_FOLDER(a_weight_that_layers_share_is_in_a_file_once)
{
    static const char *const names[] = {"words.weight", "fc1.weight", "fc1.bias", "fc2.bias",
                                        "decoder.bias"};
    vdnn_safetensors *file;
    vdnn_test_write_below(*state, "net.yaml", vdnn_tied_network);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --steps 4 --policy all --verify --save @/whole");
    assert_ok(vdnn_safetensors_open(vdnn_test_path(*state, "whole"), &file));
    assert_int_equal(vdnn_safetensors_count(file), 5);
    for (int32_t i = 0; i < 5; i++)
        assert_string_equal(vdnn_safetensors_name(file, i), names[i]);
    vdnn_safetensors_close(file);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --init @/whole --steps 1 --lr 0 --save @/again");
    vdnn_test_same_files(*state, "whole", "again");
    vdnn_test_run_to(
        *state, 0, "",
        "vdnnrun --model @/net.yaml --steps 4 --policy base --poison --save @/guarded");
    vdnn_test_same_files(*state, "whole", "guarded");
}

/* As PyTorch may write it: as the reader's, or as that of both. */
TEST_IN_FOLDER(a_weight_that_layers_share_is_read_under_any_of_its_names)
{
    static const int64_t dims[] = {30, 12}, fc[] = {12, 12}, bias[] = {12}, last[] = {30};
    static float weight[30 * 12], zeros[12 * 12];
    const vdnn_safetensors_entry both[] = {
        {.name = "decoder.weight", .dims = dims, .dim_count = 2, .floats = weight},
        {.name = "words.weight", .dims = dims, .dim_count = 2, .floats = weight},
        {.name = "fc1.weight", .dims = fc, .dim_count = 2, .floats = zeros},
        {.name = "fc1.bias", .dims = bias, .dim_count = 1, .floats = zeros},
        {.name = "fc2.bias", .dims = bias, .dim_count = 1, .floats = zeros},
        {.name = "decoder.bias", .dims = last, .dim_count = 1, .floats = zeros}};
    vdnn_safetensors_entry one[5];
    for (int i = 0; i < 30 * 12; i++)
        weight[i] = (float)i / 512;
    memcpy(one, both, sizeof *one);
    memcpy(one + 1, both + 2, 4 * sizeof *one);
    vdnn_test_write_below(*state, "net.yaml", vdnn_tied_network);
    assert_ok(vdnn_safetensors_write(vdnn_test_path(*state, "both"), both, 6));
    assert_ok(vdnn_safetensors_write(vdnn_test_path(*state, "one"), one, 5));
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --init @/both --steps 1 --lr 0 --save @/of_both");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --init @/one --steps 1 --lr 0 --save @/of_one");
    vdnn_test_same_files(*state, "of_both", "of_one");
    vdnn_safetensors *file;
    float found[30 * 12];
    assert_ok(vdnn_safetensors_open(vdnn_test_path(*state, "of_one"), &file));
    assert_ok(vdnn_safetensors_read(file, "words.weight", dims, 2, found));
    assert_memory_equal(found, weight, sizeof weight);
    vdnn_safetensors_close(file);
}

TEST_IN_FOLDER(a_training_with_shared_weights_is_resumed)
{
    vdnn_test_write_below(*state, "net.yaml", vdnn_tied_network);
    vdnn_test_write_below(*state, "adam.yaml",
                          VDNN_TIED_LAYERS "training: {optimizer: adamw, lr: 0.01, epochs: 1}\n");
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/adam.yaml --steps 4 --save @/whole");
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/adam.yaml --steps 2 --checkpoint @/c");
    vdnn_test_run_to(*state, 3, "optimizer",
                     "vdnnrun --model @/net.yaml --steps 4 --checkpoint @/c --resume auto");
    vdnn_test_run_to(
        *state, 0, "",
        "vdnnrun --model @/adam.yaml --steps 4 --checkpoint @/c --resume auto --save @/resumed");
    vdnn_test_same_files(*state, "whole", "resumed");
    char *text, *key;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(*state, "adam.yaml"), &text, &count);
    key = strstr(text, ", weight_of: fc1");
    assert_non_null(key);
    memset(key, ' ', strlen(", weight_of: fc1"));
    vdnn_test_write_file(vdnn_test_path(*state, "adam.yaml"), text, count);
    free(text);
    vdnn_test_run_to(*state, 3, "with the weight of fc1",
                     "vdnnrun --model @/adam.yaml --steps 6 --checkpoint @/c --resume auto");
}

/* ---- lora ------------------------------------------------------------------------------------ */

#define ADAPTED(lora)                                                                              \
    "name: net\ninput: {channels: 16, height: 5, width: 5}\nclasses: 7\nbatch: 2\nlayers:\n"       \
    "  - {name: conv, type: conv, out: 32, kernel: 3, pad: 1" lora "}\n"                           \
    "  - {name: wide, type: fc, out: 201, frozen: true}\n"                                         \
    "  - {name: last, type: fc, out: 7" lora "}\n"                                                 \
    "  - {name: loss, type: softmax_loss}\n"                                                       \
    "training: {optimizer: adam, epochs: 1}\n"

static double number_at(const json_t *object, const char *group, const char *key)
{
    return json_number_value(
        json_object_get(json_object_get(json_object_get(object, "plan"), group), key));
}

/* It begins as the network of the file, and what is planned for gradients and state is that of A
 * and B: each takes as much as they do, and 512 bytes that an update counts in. */
TEST_IN_FOLDER(lora_begins_with_the_weights_of_the_network_without_it)
{
    enum { TRAINED = 4 * (4 * (16 * 9 + 32) + 4 * (201 + 7)) };
    vdnn_test_write_below(*state, "net.yaml", ADAPTED(""));
    vdnn_test_write_below(*state, "adapted.yaml", ADAPTED(", lora: {rank: 4, alpha: 8}"));
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml --steps 1 --lr 0 --save @/w");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --init @/w --steps 1 --json @/net.json");
    vdnn_test_run_to(*state, 0, "w lacks 4 of the parameters of lora, which begin with",
                     "vdnnrun --model @/adapted.yaml --init @/w --steps 20 --save @/adapted "
                     "--json @/adapted.json --export @/adapted.onnx");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/adapted.yaml --init @/adapted --steps 1 --save @/again "
                     "--lr 0");
    vdnn_test_same_files(*state, "adapted", "again");
    json_t *net = vdnn_test_json(vdnn_test_path(*state, "net.json"));
    json_t *adapted = vdnn_test_json(vdnn_test_path(*state, "adapted.json"));
    const json_t *losses = json_object_get(adapted, "losses");
    const double first = json_number_value(json_array_get(losses, 0));
    const double base = json_number_value(json_array_get(json_object_get(net, "losses"), 0));
    assert_true(fabs(base - first) <= 1e-6 * first);
    print_message("%g %g\n", number_at(adapted, "by_category", "optimizer"),
                  number_at(adapted, "by_category", "weight_gradients"));
    assert_in_range(number_at(adapted, "by_category", "optimizer"), 2 * TRAINED,
                    2 * TRAINED + 4 * 512);
    assert_in_range(number_at(adapted, "by_category", "weight_gradients"), 1, TRAINED);
    json_decref(net);
    json_decref(adapted);
}

static bool are_equal(const vdnn_safetensors *a, const vdnn_safetensors *b, int32_t i)
{
    static float values[2][1 << 18];
    int dim_count;
    int64_t count = 1;
    const char *name = vdnn_safetensors_name(a, i);
    const int64_t *dims = vdnn_safetensors_dims(a, i, &dim_count);
    for (int d = 0; d < dim_count; d++)
        count *= dims[d];
    assert_in_range(count, 1, 1 << 18);
    assert_ok(vdnn_safetensors_read(a, name, dims, dim_count, values[0]));
    assert_ok(vdnn_safetensors_read(b, name, dims, dim_count, values[1]));
    return memcmp(values[0], values[1], (size_t)count * sizeof **values) == 0;
}

/* The values of what stays are those of the file. */
TEST_IN_FOLDER(lora_changes_its_own_parameters_alone)
{
    static const char *const kept[] = {"conv.weight", "conv.bias",   "wide.weight",
                                       "wide.bias",   "last.weight", "last.bias"};
    vdnn_test_write_below(*state, "adapted.yaml", ADAPTED(", lora: {rank: 4, alpha: 8}"));
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/adapted.yaml --steps 1 --lr 0 --save @/a");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/adapted.yaml --init @/a --steps 5 --save @/b");
    vdnn_safetensors *a, *b;
    assert_ok(vdnn_safetensors_open(vdnn_test_path(*state, "a"), &a));
    assert_ok(vdnn_safetensors_open(vdnn_test_path(*state, "b"), &b));
    for (int32_t i = 0; i < vdnn_safetensors_count(a); i++) {
        const char *name = vdnn_safetensors_name(a, i);
        bool is_kept = false;
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            is_kept = is_kept || strcmp(name, kept[k]) == 0;
        assert_true(is_kept == (strstr(name, ".lora_") == NULL));
        assert_true(is_kept == are_equal(a, b, i));
    }
    vdnn_safetensors_close(a);
    vdnn_safetensors_close(b);
}
