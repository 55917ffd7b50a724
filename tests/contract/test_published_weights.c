/* Weights of transformers under the names and in the shapes of Hugging Face's library. */

#include "tests/support/run_program.h"

#include "runtime/data/tensors/safetensors.h"

#include <stdlib.h>
#include <string.h>

enum { VOCABULARY = 11, WIDTH = 6, DEEP = 10, ROWS_Q = 6, ROWS_K = 2, MOST = VOCABULARY * 24 };

/* As wide as the blocks of the families are, without the layers that have no parameters. */
#define BEGIN "input: {tokens: 5, vocabulary: 11}\nbatch: 2\nlayers:\n"
#define END                                                                                        \
    "  - {name: head, type: fc, out: 11, bias: false, weight_of: %s}\n"                            \
    "  - {name: loss, type: softmax_loss}\n"

static float values[64][MOST];
static int64_t shapes[64][3];

/* An entry of numbers that no other one has. */
static vdnn_safetensors_entry entry(int number, const char *name, int64_t a, int64_t b)
{
    for (int i = 0; i < MOST; i++)
        values[number][i] = (float)(number * MOST + i) / 4096;
    shapes[number][0] = a;
    shapes[number][1] = b;
    return (vdnn_safetensors_entry){.name = name,
                                    .dims = shapes[number],
                                    .dim_count = b == 0 ? 1 : 2,
                                    .floats = values[number]};
}

static void write_network(const char *folder, const char *layers, const char *owner)
{
    char text[2048];
    int length = snprintf(text, sizeof text, "name: net\n" BEGIN "%s" END, layers, owner);
    assert_in_range(length, 1, sizeof text - 1);
    vdnn_test_write_below(folder, "net.yaml", text);
}

/* The network's weights after it has read a file, by training nothing. */
static vdnn_safetensors *read_back(const char *folder, const char *from)
{
    vdnn_safetensors *file = NULL;
    char command[256];
    (void)snprintf(command, sizeof command,
                   "vdnnrun --model @/net.yaml --init @/%s --steps 1 --lr 0 --save @/saved", from);
    vdnn_test_run_to(folder, 0, "", command);
    assert_ok(vdnn_safetensors_open(vdnn_test_path(folder, "saved"), &file));
    return file;
}

static void expect_values(const vdnn_safetensors *file, const char *name, int64_t rows,
                          int64_t columns, const float *wanted)
{
    const int64_t dims[] = {rows, columns};
    float found[MOST];
    int64_t count = rows * (columns == 0 ? 1 : columns);
    assert_ok(vdnn_safetensors_read(file, name, dims, columns == 0 ? 1 : 2, found));
    assert_memory_equal(found, wanted, (size_t)count * sizeof *found);
}

TEST_IN_FOLDER(gpt2_has_its_matrices_transposed_and_its_head_tied)
{
    write_network(*state,
                  "  - {name: wte, type: embedding, out: 6}\n"
                  "  - {name: up_1, type: fc, out: 10}\n"
                  "  - {name: down_1, type: fc, out: 6}\n",
                  "wte");
    const vdnn_safetensors_entry entries[] = {
        entry(0, "transformer.wte.weight", VOCABULARY, WIDTH),
        entry(1, "transformer.h.0.mlp.c_fc.weight", WIDTH, DEEP),
        entry(2, "transformer.h.0.mlp.c_fc.bias", DEEP, 0),
        entry(3, "transformer.h.0.mlp.c_proj.weight", DEEP, WIDTH),
        entry(4, "transformer.h.0.mlp.c_proj.bias", WIDTH, 0),
        entry(5, "transformer.h.0.attn.bias", 5, 5),
        entry(6, "transformer.h.0.attn.c_attn.weight", WIDTH, WIDTH),
    };
    enum { ENTRIES = sizeof entries / sizeof *entries };
    /* Its mark is there, and no layer has it. */
    assert_ok(vdnn_safetensors_write(vdnn_test_path(*state, "more"), entries, ENTRIES));
    vdnn_test_run_to(*state, 3, "more: 'qkv_1.weight' belongs to no layer of net",
                     "vdnnrun --model @/net.yaml --init @/more --steps 1");
    write_network(*state,
                  "  - {name: wte, type: embedding, out: 6}\n"
                  "  - {name: qkv_1, type: fc, out: 6, bias: false}\n"
                  "  - {name: up_1, type: fc, out: 10}\n"
                  "  - {name: down_1, type: fc, out: 6}\n",
                  "wte");
    vdnn_safetensors *file = read_back(*state, "more");
    float turned[WIDTH * DEEP];
    for (int o = 0; o < DEEP; o++)
        for (int i = 0; i < WIDTH; i++)
            turned[o * WIDTH + i] = values[1][i * DEEP + o];
    expect_values(file, "up_1.weight", DEEP, WIDTH, turned);
    expect_values(file, "up_1.bias", DEEP, 0, values[2]);
    expect_values(file, "wte.weight", VOCABULARY, WIDTH, values[0]);
    vdnn_safetensors_close(file);
}

static const char llama_layers[] = "  - {name: block0, type: embedding, out: 6}\n"
                                   "  - {name: qkv_1, type: fc, out: 10, bias: false}\n"
                                   "  - {name: up_1, type: fc, out: 6, bias: false}\n";

#define SELF "model.layers.0.self_attn."

static void write_llama(const char *folder, bool with_keys)
{
    const vdnn_safetensors_entry first[] = {
        entry(0, "model.embed_tokens.weight", VOCABULARY, WIDTH),
        entry(1, SELF "q_proj.weight", ROWS_Q, WIDTH),
    };
    const vdnn_safetensors_entry second[] = {
        entry(2, SELF "v_proj.weight", ROWS_K, WIDTH),
        entry(3, "model.layers.0.mlp.up_proj.weight", WIDTH, DEEP),
        entry(4, SELF "k_proj.weight", ROWS_K, WIDTH),
    };
    assert_ok(vdnn_safetensors_write(vdnn_test_path(folder, "a.safetensors"), first, 2));
    assert_ok(
        vdnn_safetensors_write(vdnn_test_path(folder, "b.safetensors"), second, with_keys ? 3 : 2));
}

static void write_index(const char *folder, const char *last)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "{\"metadata\": {}, \"weight_map\": {\n"
                   "\"model.embed_tokens.weight\": \"a.safetensors\",\n"
                   "\"" SELF "q_proj.weight\": \"a.safetensors\",\n"
                   "\"" SELF "v_proj.weight\": \"b.safetensors\",\n"
                   "\"model.layers.0.mlp.up_proj.weight\": \"b.safetensors\"%s}}\n",
                   last);
    vdnn_test_write_below(folder, "model.safetensors.index.json", text);
}

#define KEYS_IN(file) ",\n\"" SELF "k_proj.weight\": \"" file "\""

TEST_IN_FOLDER(llama_has_queries_keys_and_values_in_several_files_by_an_index)
{
    write_network(*state, llama_layers, "block0");
    write_llama(*state, true);
    write_index(*state, KEYS_IN("b.safetensors"));
    vdnn_safetensors *file = read_back(*state, "model.safetensors.index.json");
    float all[(ROWS_Q + 2 * ROWS_K) * WIDTH];
    memcpy(all, values[1], ROWS_Q * WIDTH * sizeof *all);
    memcpy(all + ROWS_Q * WIDTH, values[4], ROWS_K * WIDTH * sizeof *all);
    memcpy(all + (ROWS_Q + ROWS_K) * WIDTH, values[2], ROWS_K * WIDTH * sizeof *all);
    expect_values(file, "qkv_1.weight", ROWS_Q + 2 * ROWS_K, WIDTH, all);
    vdnn_safetensors_close(file);
}

TEST_IN_FOLDER(an_index_or_a_part_that_is_missing_is_named)
{
    static const struct {
        const char *last;
        bool with_keys;
        int code;
        const char *says;
    } cases[] = {
        {"", true, 3, "lacks a tensor of queries, keys or values: part 2 of qkv_1.weight"},
        {KEYS_IN("b.safetensors"), false, 3,
         "tensor " SELF "k_proj.weight is not in b.safetensors, as weight_map says"},
        {KEYS_IN("c.safetensors"), true, 3, "c.safetensors: cannot be opened"},
        {KEYS_IN("../c.safetensors"), true, 3,
         "'../c.safetensors', expected one in the same folder"},
        {",\n\"x\": 3", true, 3, "weight_map names no file for tensor x"},
    };
    write_network(*state, llama_layers, "block0");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_llama(*state, cases[i].with_keys);
        write_index(*state, cases[i].last);
        vdnn_test_run_to(*state, cases[i].code, cases[i].says,
                         "vdnnrun --model @/net.yaml --init @/model.safetensors.index.json "
                         "--steps 1");
    }
    vdnn_test_write_below(*state, "model.safetensors.index.json", "{\"weights\": {}}\n");
    vdnn_test_run_to(*state, 3, "has no weight_map",
                     "vdnnrun --model @/net.yaml --init @/model.safetensors.index.json --steps 1");
}

TEST_IN_FOLDER(a_part_of_another_shape_is_named_with_both)
{
    write_network(*state, llama_layers, "block0");
    const vdnn_safetensors_entry entries[] = {
        entry(0, "model.embed_tokens.weight", VOCABULARY, WIDTH),
        entry(1, SELF "q_proj.weight", ROWS_Q, WIDTH),
        entry(2, SELF "k_proj.weight", ROWS_K, DEEP),
        entry(3, SELF "v_proj.weight", ROWS_K, WIDTH),
        entry(4, "model.layers.0.mlp.up_proj.weight", WIDTH, DEEP),
    };
    assert_ok(vdnn_safetensors_write(vdnn_test_path(*state, "w"), entries, 5));
    vdnn_test_run_to(*state, 3,
                     "tensor " SELF "k_proj.weight is of shape 2 x 10, but qkv_1.weight, which it "
                     "is part of, has 10 x 6",
                     "vdnnrun --model @/net.yaml --init @/w --steps 1");
}
