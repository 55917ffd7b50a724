/* Networks as ONNX files, out and in again. */

#include "tests/support/files.h"
#include "tests/support/onnx_file.h"
#include "tests/support/run_program.h"
#include "tests/support/token_network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Every type of layer that pictures have, and a file brings back. */
static const char every_layer[] =
    "name: every\n"
    "input: {channels: 3, height: 12, width: 12, mean: [0.485, 0.456, 0.406], std: 0.27}\n"
    "classes: 10\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: [3, 5], pad: [1, 2], bias: false}\n"
    "  - {name: norm1, type: batchnorm, eps: 0.001, momentum: 0.2}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 3, stride: 2, ceil: true}\n"
    "  - {name: lrn1, type: lrn, size: 5, alpha: 0.01, beta: 0.5, k: 2}\n"
    "  - {name: left, type: conv, out: 8, kernel: 3, pad: 2, dilation: 2, groups: 4, from: lrn1}\n"
    "  - {name: right, type: avgpool, kernel: 3, stride: 1, pad: 1, count_pad: false, from: lrn1}\n"
    "  - {name: sum, type: add, from: [left, right, lrn1]}\n"
    "  - {name: leaky, type: leaky_relu, slope: 0.25}\n"
    "  - {name: gate, type: sigmoid, from: right}\n"
    "  - {name: bent, type: tanh, from: left}\n"
    "  - {name: third, type: scale, factor: 0.3}\n"
    "  - {name: cut, type: relu6}\n"
    "  - {name: product, type: mul, from: [leaky, gate]}\n"
    "  - {name: join, type: concat, from: [product, cut]}\n"
    "  - {name: mean, type: avgpool, kernel: 3, pad: 1}\n"
    "  - {name: fc1, type: fc, out: 12, bias: false}\n"
    "  - {name: drop, type: dropout, p: 0.25}\n"
    "  - {name: fc2, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n";

static const char memories[] =
    "name: memories\n"
    "inputs: {words: {tokens: 7, vocabulary: 30}, lengths: {tokens: 1, vocabulary: 8}}\n"
    "classes: 6\n"
    "batch: 5\n"
    "layers:\n"
    "  - {name: word, type: embedding, out: 10}\n"
    "  - {name: there, type: lstm, out: 9, from: [word, lengths]}\n"
    "  - {name: back, type: lstm, out: 5, reverse: true, biases: 1, from: [word, lengths]}\n"
    "  - {name: join, type: concat, from: [there, back]}\n"
    "  - {name: upper, type: lstm, out: 8, reverse: true, biases: 0}\n"
    "  - {name: fc, type: fc, out: 6}\n"
    "  - {name: loss, type: softmax_loss, ignore: -100}\n";

/* By one profile, and so with the same algorithms. */
TEST_IN_FOLDER(a_network_that_was_exported_trains_on_to_the_same_bits)
{
    static const char *const runs[] = {
        "vdnnrun --profile @/profile --steps 3 --model @/every.yaml --export @/every.onnx --save "
        "@/w",
        "vdnnrun --profile @/profile --steps 3 --model @/every.yaml --init @/w --lr 0.02 --save "
        "@/a",
        "vdnnrun --profile @/profile --steps 3 --model @/every.onnx --batch 6 --lr 0.02 --save @/b",
        "vdnnrun --profile @/profile --steps 3 --model @/every.yaml --init @/every.onnx --lr 0.02 "
        "--save @/c",
    };
    vdnn_test_write_below(*state, "every.yaml", every_layer);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        vdnn_test_run_to(*state, 0, "", runs[i]);
    vdnn_test_same_files(*state, "a", "b");
    vdnn_test_same_files(*state, "a", "c");
}

/* Layers that a file of ONNX has as several nodes each. */
static const char sequences[] =
    "name: sequences\n"
    "input: {tokens: 7, vocabulary: 30}\n"
    "classes: 6\n"
    "batch: 4\n"
    "layers:\n"
    "  - {name: word, type: embedding, out: 16}\n"
    "  - {name: place, type: parameter, length: 9}\n"
    "  - {name: front, type: parameter, join: before, length: 2}\n"
    "  - {name: norm, type: layernorm, eps: 0.001}\n"
    "  - {name: qkv, type: fc, out: 32}\n"
    "  - {name: heads, type: attention, heads: 4, kv_heads: 2, causal: true}\n"
    "  - {name: exact, type: gelu}\n"
    "  - {name: sum, type: add, from: [exact, norm]}\n"
    "  - {name: line, type: layernorm, bias: false}\n"
    "  - {name: rms, type: rmsnorm}\n"
    "  - {name: q, type: fc, out: 12, bias: false}\n"
    "  - {name: k, type: fc, out: 6, from: front}\n"
    "  - {name: v, type: fc, out: 6, from: front}\n"
    "  - {name: cross, type: attention, heads: 2, kv_heads: 1, from: [q, k, v]}\n"
    "  - {name: curve, type: gelu, approximate: tanh}\n"
    "  - {name: third, type: scale, factor: 0.3}\n"
    "  - {name: there, type: lstm, out: 9}\n"
    "  - {name: back, type: lstm, out: 5, reverse: true, biases: 0, from: third}\n"
    "  - {name: join, type: concat, from: [there, back]}\n"
    "  - {name: gate, type: silu}\n"
    "  - {name: some, type: slice, begin: 1, count: 7}\n"
    "  - {name: fc, type: fc, out: 6}\n"
    "  - {name: loss, type: softmax_loss}\n";

TEST_IN_FOLDER(a_network_of_sequences_is_exported)
{
    char *bytes;
    size_t count;
    vdnn_test_write_below(*state, "net.yaml", vdnn_tied_network);
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml --steps 1 --export @/net.onnx");
    vdnn_test_read_file(vdnn_test_path(*state, "net.onnx"), &bytes, &count);
    assert_non_null(memmem(bytes, count, "MatMul", 6));
    free(bytes);
}

/* What is told of positions, by each layer that does. */
static const char positions[] =
    "name: seq\n"
    "input: {tokens: 7, vocabulary: 30}\n"
    "classes: 6\n"
    "batch: 3\n"
    "layers:\n"
    "  - {name: word, type: embedding, out: 16}\n"
    "  - {name: place, type: parameter, length: 9}\n"
    "  - {name: front, type: parameter, join: before, length: 2}\n"
    "  - {name: qkv, type: fc, out: 32}\n"
    "  - {name: turn, type: rope, heads: 4, kv_heads: 2}\n"
    "  - {name: heads, type: attention, heads: 4, kv_heads: 2, causal: true}\n"
    "  - {name: q, type: fc, out: 12, from: heads}\n"
    "  - {name: k, type: fc, out: 6, from: front}\n"
    "  - {name: v, type: fc, out: 6, from: front}\n"
    "  - {name: turn_q, type: rope, heads: 2, theta: 100, interleaved: true, from: q}\n"
    "  - {name: cross, type: attention, heads: 2, kv_heads: 1, from: [turn_q, k, v]}\n"
    "  - {name: full, type: parameter, from: cross}\n"
    "  - {name: some, type: slice, begin: 1, count: 7}\n"
    "  - {name: fc, type: fc, out: 6}\n"
    "  - {name: loss, type: softmax_loss, ignore: -100}\n";

static const char of_pictures[] = "name: vit\n"
                                  "input: {channels: 3, height: 12, width: 16}\n"
                                  "classes: 5\n"
                                  "batch: 6\n"
                                  "layers:\n"
                                  "  - {name: cells, type: to_sequence}\n"
                                  "  - {name: heads, type: attention, heads: 1}\n"
                                  "  - {name: fc, type: fc, out: 5}\n"
                                  "  - {name: mean, type: global_avgpool}\n"
                                  "  - {name: loss, type: softmax_loss}\n";

/* Its file and the ONNX file of its weights have the same losses. */
static void expect_same_training(const char *folder, const char *network)
{
    static const char *const runs[] = {
        "--model @/net.yaml --export @/net.onnx --save @/w",
        "--model @/net.yaml --init @/w --lr 0.02 --json @/a",
        "--model @/net.onnx --lr 0.02 --json @/b",
    };
    char command[256];
    json_t *root[2];
    vdnn_test_write_below(folder, "net.yaml", network);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        (void)snprintf(command, sizeof command,
                       "vdnnrun --quiet --profile @/profile --steps 2 --batch 4 %s", runs[i]);
        vdnn_test_run_to(folder, 0, "", command);
    }
    for (int i = 0; i < 2; i++) {
        root[i] = json_load_file(vdnn_test_path(folder, i == 0 ? "a" : "b"), 0, NULL);
        assert_non_null(root[i]);
    }
    assert_true(json_array_size(json_object_get(root[0], "losses")) == 2);
    assert_true(json_equal(json_object_get(root[0], "losses"), json_object_get(root[1], "losses")));
    json_decref(root[0]);
    json_decref(root[1]);
}

TEST_IN_FOLDER(sequences_that_were_exported_train_on_to_the_same_losses)
{
    static const char *const networks[] = {sequences, of_pictures};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        expect_same_training(*state, networks[i]);
}

TEST_IN_FOLDER(layers_of_positions_are_written_as_several)
{
    static const char *const networks[] = {positions, of_pictures};
    static const char *const words[][5] = {
        {"turn/cosines", "heads/attends", "cross/weights", "front/vectors", "some.weight"},
        {"cells/cells", "heads/products", "Softmax", "Transpose", "heads/attends"}};
    for (int i = 0; i < 2; i++) {
        char *bytes;
        size_t count;
        vdnn_test_write_below(*state, "net.yaml", networks[i]);
        vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml --steps 1 --export @/net.onnx");
        vdnn_test_read_file(vdnn_test_path(*state, "net.onnx"), &bytes, &count);
        for (int k = 0; k < 4; k++)
            if (memmem(bytes, count, words[i][k], strlen(words[i][k])) == NULL)
                fail_msg("the file has no '%s'", words[i][k]);
        assert_null(memmem(bytes, count, words[i][4], strlen(words[i][4])));
        free(bytes);
    }
}

/* What each layer is made of in opset 13. */
TEST_IN_FOLDER(layers_without_an_operator_are_written_as_several)
{
    static const char norms[] = "name: norms\n"
                                "input: {channels: 3, height: 6, width: 6}\n"
                                "classes: 4\n"
                                "batch: 2\n"
                                "layers:\n"
                                "  - {name: conv1, type: conv, out: 6, kernel: 3}\n"
                                "  - {name: groups, type: groupnorm, groups: 3}\n"
                                "  - {name: instances, type: instancenorm}\n"
                                "  - {name: fc, type: fc, out: 4}\n"
                                "  - {name: loss, type: softmax_loss}\n";
    static const char *const parts[] = {"groups/rows.shape", "groups/channel.bias", "groups.weight",
                                        "instances/maps", "Identity"};
    static const char network[] = "name: formulas\n"
                                  "input: {tokens: 7, vocabulary: 30}\n"
                                  "classes: 6\n"
                                  "batch: 2\n"
                                  "layers:\n"
                                  "  - {name: words, type: embedding, out: 8}\n"
                                  "  - {name: norm1, type: layernorm}\n"
                                  "  - {name: gelu1, type: gelu}\n"
                                  "  - {name: gelu2, type: gelu, approximate: tanh}\n"
                                  "  - {name: norm2, type: rmsnorm, eps: 0}\n"
                                  "  - {name: silu, type: silu}\n"
                                  "  - {name: norm3, type: layernorm, bias: false, from: norm2}\n"
                                  "  - {name: swish, type: hardswish}\n"
                                  "  - {name: product, type: mul, from: [silu, swish, words]}\n"
                                  "  - {name: fc, type: fc, out: 6}\n"
                                  "  - {name: loss, type: softmax_loss, ignore: -100}\n";
    static const char *const words[] = {
        "norm1/variance",   "norm1.bias",   "ReduceMean",  "gelu1/erf",       "Erf",
        "gelu2/inner",      "Tanh",         "norm2/mean",  "padded.number",   "silu/gate",
        "norm3/normalized", "norm3.weight", "HardSigmoid", "product/product1"};
    char *bytes;
    size_t count;
    vdnn_test_write_below(*state, "net.yaml", network);
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml --steps 1 --export @/net.onnx");
    vdnn_test_read_file(vdnn_test_path(*state, "net.onnx"), &bytes, &count);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(bytes, count, words[i], strlen(words[i])) == NULL)
            fail_msg("the file has no '%s'", words[i]);
    assert_null(memmem(bytes, count, "norm3.bias", 10));
    free(bytes);
    vdnn_test_write_below(*state, "norms.yaml", norms);
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/norms.yaml --steps 1 --export @/norms.onnx");
    vdnn_test_read_file(vdnn_test_path(*state, "norms.onnx"), &bytes, &count);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (memmem(bytes, count, parts[i], strlen(parts[i])) == NULL)
            fail_msg("the file has no '%s'", parts[i]);
    free(bytes);
}

/* What each reads is the output, in its shape. */
TEST_IN_FOLDER(every_loss_is_exported)
{
    static const char *const losses[] = {"mse, labels: input", "bce", "dice, background: true"},
                             *const outputs[] = {"loss/numbers", "loss/logits", "loss/logits"};
    for (int i = 0; i < 3; i++) {
        char text[512], *bytes;
        size_t count;
        (void)snprintf(text, sizeof text,
                       "name: net\ninput: {channels: 3, height: 6, width: 6}\nclasses: 3\nbatch: "
                       "2\nlayers:\n  - {name: conv, type: conv, out: 3, kernel: 3, pad: 1}\n%s"
                       "  - {name: loss, type: %s}\n",
                       i < 2 ? "" : "  - {name: cells, type: to_sequence}\n", losses[i]);
        vdnn_test_write_below(*state, "net.yaml", text);
        vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml --steps 1 --export @/net.onnx");
        vdnn_test_read_file(vdnn_test_path(*state, "net.onnx"), &bytes, &count);
        assert_non_null(memmem(bytes, count, outputs[i], strlen(outputs[i])));
        free(bytes);
    }
}

TEST_IN_FOLDER(recurrent_layers_are_exported_but_for_projections)
{
    char *bytes;
    size_t count;
    vdnn_test_write_below(*state, "net.yaml", memories);
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml --steps 1 --export @/net.onnx");
    vdnn_test_read_file(vdnn_test_path(*state, "net.onnx"), &bytes, &count);
    assert_non_null(memmem(bytes, count, "LSTM", 4));
    assert_non_null(memmem(bytes, count, "reverse", 7));
    free(bytes);
    vdnn_test_write_below(
        *state, "projected.yaml",
        "name: p\ninput: {tokens: 3, vocabulary: 9}\nclasses: 4\nbatch: 2\nlayers:\n"
        "  - {name: word, type: embedding, out: 5}\n"
        "  - {name: memory, type: lstm, out: 6, projection: 4}\n"
        "  - {name: loss, type: softmax_loss, ignore: -100}\n");
    vdnn_test_run_to(*state, 2,
                     "--export: layer 'memory' has a projection, which the LSTM of ONNX "
                     "has not",
                     "vdnnrun --model @/projected.yaml --steps 1 --export @/projected.onnx");
}

TEST_IN_FOLDER(what_cannot_be_read_or_written_is_said_before_training)
{
    vdnn_test_onnx onnx = {0};
    vdnn_test_write_below(*state, "even.yaml",
                          "name: even\ninput: {channels: 3, height: 4, width: 4}\nclasses: 48\n"
                          "batch: 2\nlayers: [{name: norm, type: lrn, size: 4}, {name: loss, type: "
                          "softmax_loss}]\n");
    vdnn_test_run_to(*state, 2, "--export: layer 'norm' has the even size 4",
                     "vdnnrun --model @/even.yaml --steps 1 --export @/even.onnx");
    vdnn_test_write_below(*state, "lengths.yaml",
                          "name: lengths\n"
                          "inputs: {word: {tokens: 5, vocabulary: 9}, lengths: {tokens: 1, "
                          "vocabulary: 6}}\n"
                          "classes: 4\nbatch: 2\nlayers:\n"
                          "  - {name: qkv, type: embedding, out: 6}\n"
                          "  - {name: heads, type: attention, heads: 1, from: [qkv, lengths]}\n"
                          "  - {name: fc, type: fc, out: 4}\n"
                          "  - {name: loss, type: softmax_loss, ignore: -100}\n");
    vdnn_test_run_to(*state, 2,
                     "--export: layer 'heads' cannot be written as ONNX: it reads how many "
                     "positions of a sample count",
                     "vdnnrun --model @/lengths.yaml --steps 1 --export @/lengths.onnx");
    vdnn_test_run_to(*state, 2, "expected a name that ends in .onnx",
                     "vdnnrun --model lenet --steps 1 --export @/lenet.yaml");
    vdnn_test_run_to(*state, 2, "--export: --device sim:l4 only simulates time",
                     "vdnnrun --model lenet --steps 1 --device sim:l4 --export @/lenet.onnx");
    vdnn_test_write_below(*state, "cut.onnx", "\x08\x07\x3a");
    vdnn_test_run_to(*state, 3, "cut.onnx: byte 3: a number is cut off",
                     "vdnnrun --model @/cut.onnx");
    vdnn_test_onnx_input(&onnx, "x", (const int64_t[]){0, 3, 8, 8}, 4);
    vdnn_test_onnx_node(&onnx, "Elu", "act", "x", "y", "");
    vdnn_test_onnx_output(&onnx, "y");
    vdnn_test_onnx_write(&onnx, 17, vdnn_test_path(*state, "elu.onnx"));
    vdnn_test_run_to(*state, 3, "elu.onnx: Elu node 'act' (node 1, opset 17): no layer of vdnn",
                     "vdnnrun --model @/elu.onnx");
}

/* ---- against ONNX itself --------------------------------------------------------------------- */

/* A Python that has the packages, named by VDNN_TEST_ONNX_PYTHON; skips without one. */
static void expect_python(const char *folder, const char *what)
{
    char line[1024];
    const char *python = getenv("VDNN_TEST_ONNX_PYTHON");
    if (python == NULL)
        python = "python3";
    (void)snprintf(line, sizeof line, "%s -c 'import onnx, onnxruntime, numpy' 2>/dev/null",
                   python);
    if (system(line) != 0)
        skip_because("no python3 with onnx and onnxruntime (VDNN_TEST_ONNX_PYTHON names one)");
    (void)snprintf(line, sizeof line, "%s tests/support/try_onnx.py %s %s", python, what, folder);
    if (system(line) != 0)
        fail_msg("failed: %s", line);
}

TEST_IN_FOLDER(onnxruntime_computes_what_the_exported_network_does)
{
    vdnn_test_write_below(*state, "every.yaml", every_layer);
    vdnn_test_write_below(*state, "memories.yaml", memories);
    vdnn_test_write_below(*state, "positions.yaml", positions);
    expect_python(*state, "export");
}

TEST_IN_FOLDER(the_node_tests_of_onnx_hold_for_every_operator)
{
    expect_python(*state, "nodes");
}

TEST(sequences_that_pytorch_exports_train_as_they_do_there)
{
    const int code = system("/usr/bin/python3 tests/support/try_onnx_import.py");
    if (WIFEXITED(code) && WEXITSTATUS(code) == 77)
        skip_because("no PyTorch with an exporter of /usr/bin/python3");
    if (code != 0)
        fail_msg("networks that are not read as PyTorch computes them");
}
