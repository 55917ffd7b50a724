#include "runtime/data/tensors/safetensors.h"
#include "runtime/graph/graph.h"
#include "runtime/vdnn.h"
#include "tests/support/random_model.h"
#include "tests/support/run_program.h"
#include "tests/support/token_network.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The same numbers as PyTorch, from the same weights on the same images: the losses of some steps
 * of training, for the networks of models/ without their dropout layers (whose random numbers
 * cannot agree); and for random networks also the gradients of the first step, and what all steps
 * make of every parameter and every running statistic. */

#define PYTHON "/usr/bin/python3"
#define DRIVER "tests/support/torch_driver.py"

enum { MOST_WORDS = 512 };

/* Runs and waits; the streams go to FOLDER/driver.txt. Returns the exit code, or 126. */
static int run_python(const char *folder, const char *const *arguments)
{
    const char *log = vdnn_test_path(folder, "driver.txt");
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char *words[MOST_WORDS + 1] = {0};
        for (size_t i = 0; i < MOST_WORDS && arguments[i] != NULL; i++)
            words[i] = strdup(arguments[i]);
        int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
            _exit(126);
        (void)setenv("OMP_NUM_THREADS", "1", 1);
        (void)unsetenv("LD_PRELOAD");
        (void)execv(PYTHON, words);
        _exit(126);
    }
    int state;
    assert_int_equal(waitpid(pid, &state, 0), pid);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 126;
}

/* Asked once: to import it takes longer than to train a small network. */
static void need_torch(const char *folder)
{
    static enum { UNKNOWN, THERE, ABSENT } torch;
    const char *const arguments[] = {PYTHON, "-c", "import torch, numpy, yaml", NULL};
    if (torch == UNKNOWN)
        torch = access(PYTHON, X_OK) == 0 && run_python(folder, arguments) == 0 ? THERE : ABSENT;
    if (torch == ABSENT)
        skip_because("%s has no torch, numpy and yaml (`tools/setup.sh check` installs them)",
                     PYTHON);
}

static void need_driver_success(const char *folder, const char *const *arguments)
{
    char *text;
    size_t count;
    if (run_python(folder, arguments) == 0)
        return;
    vdnn_test_read_file(vdnn_test_path(folder, "driver.txt"), &text, &count);
    print_error("%s %s:\n%s\n", arguments[1], arguments[2], text);
    free(text);
    fail();
}

/* The shapes of the large networks, made small: overlapping pools, strides, groups of layers that
 * join in a concatenation, deep stacks; under policies that move maps. */
static const struct {
    const char *policy, *text;
    const char *micro_batches;
} small[] = {
    {"--policy all --algo p",
     "name: like_alexnet\n"
     "input: {channels: 3, height: 47, width: 47}\n"
     "classes: 7\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 11, stride: 4, pad: 2}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: pool1, type: maxpool, kernel: 3, stride: 2}\n"
     "  - {name: conv2, type: conv, out: 12, kernel: 5, pad: 2}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: pool2, type: maxpool, kernel: 3, stride: 2}\n"
     "  - {name: fc1, type: fc, out: 20}\n"
     "  - {name: relu3, type: relu}\n"
     "  - {name: fc2, type: fc, out: 7}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy conv --algo m",
     "name: like_googlenet\n"
     "input: {channels: 3, height: 16, width: 16}\n"
     "classes: 6\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: pool1, type: maxpool, kernel: 3, stride: 2, ceil: true}\n"
     "  - {name: a, type: conv, out: 4, kernel: 1, from: pool1}\n"
     "  - {name: a_relu, type: relu}\n"
     "  - {name: b1, type: conv, out: 4, kernel: 1, from: pool1}\n"
     "  - {name: b1_relu, type: relu}\n"
     "  - {name: b2, type: conv, out: 6, kernel: 3, pad: 1}\n"
     "  - {name: b2_relu, type: relu}\n"
     "  - {name: c1, type: maxpool, kernel: 3, stride: 1, pad: 1, from: pool1}\n"
     "  - {name: c2, type: conv, out: 4, kernel: 1}\n"
     "  - {name: c2_relu, type: relu}\n"
     "  - {name: join, type: concat, from: [a_relu, b2_relu, c2_relu]}\n"
     "  - {name: mean, type: avgpool, kernel: 4, stride: 4}\n"
     "  - {name: fc, type: fc, out: 6}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.0002, epochs: 1}\n",
     "1"},
    {"--policy all --accumulate 3",
     "name: like_resnet\n"
     "input: {channels: 3, height: 12, width: 12}\n"
     "classes: 5\n"
     "batch: 8\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1, bias: false}\n"
     "  - {name: norm1, type: batchnorm}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1, bias: false}\n"
     "  - {name: norm2, type: batchnorm}\n"
     "  - {name: join, type: add, from: [relu1, norm2]}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: fc, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n",
     "3"},
    {"--policy all",
     "name: half_frozen\n"
     "input: {channels: 3, height: 12, width: 12}\n"
     "classes: 5\n"
     "batch: 8\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1, frozen: true}\n"
     "  - {name: norm1, type: batchnorm, frozen: true}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1, bias: false}\n"
     "  - {name: norm2, type: batchnorm, frozen: true}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: conv3, type: conv, out: 8, kernel: 3, pad: 1, frozen: true}\n"
     "  - {name: norm3, type: batchnorm}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: fc, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n",
     "1"},
    {"--policy all",
     "name: adapted\n"
     "input: {channels: 3, height: 12, width: 12}\n"
     "classes: 5\n"
     "batch: 8\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: [3, 5], pad: [1, 2], lora: {rank: 3, alpha: "
     "4}}\n"
     "  - {name: norm1, type: batchnorm}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: conv2, type: conv, out: 6, kernel: 3, stride: 2, groups: 2, bias: false, lora: "
     "{rank: 4, alpha: 8}}\n"
     "  - {name: twice, type: add, from: [conv2, conv2]}\n"
     "  - {name: fc1, type: fc, out: 20, lora: {rank: 2, alpha: 1}}\n"
     "  - {name: gelu, type: gelu}\n"
     "  - {name: fc2, type: linear, out: 5, lora: {rank: 5, alpha: 10}}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n",
     "1"},
    {"--policy all",
     "name: adapted_blocks\n"
     "input: {tokens: 7, vocabulary: 30}\n"
     "classes: 6\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: block0, type: embedding, out: 16, frozen: true}\n"
     "  - repeat:\n"
     "      count: 2\n"
     "      layers:\n"
     "        - {name: \"norm_{i}\", type: layernorm, frozen: true}\n"
     "        - {name: \"qkv_{i}\", type: linear, out: 48, lora: {rank: 8, alpha: 16}}\n"
     "        - {name: \"attention_{i}\", type: attention, heads: 2, causal: true}\n"
     "        - {name: \"out_{i}\", type: linear, out: 16, frozen: true}\n"
     "        - {name: \"block{i}\", type: add, from: [\"out_{i}\", \"block{i-1}\"]}\n"
     "  - {name: fc, type: fc, out: 6, lora: {rank: 3, alpha: 2}}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100}\n"
     "training: {optimizer: adamw, lr: 0.01, weight_decay: 0.1, epochs: 1}\n",
     "1"},
    {"--policy all",
     "name: one_dimension\n"
     "input: {channels: 3, height: 50, width: 1}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: [5, 1], pad: [2, 0], bias: false}\n"
     "  - {name: norm1, type: batchnorm}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: pool1, type: maxpool, kernel: [2, 1]}\n"
     "  - {name: conv2, type: conv, out: 12, kernel: [3, 1], stride: [2, 1], pad: [1, 0], groups: "
     "2}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: conv3, type: conv, out: 12, kernel: [3, 1], pad: [4, 0], dilation: [4, 1]}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: fc, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n",
     "1"},
    {"--policy all",
     "name: like_unet\n"
     "input: {channels: 3, height: 12, width: 16}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: pool1, type: maxpool, kernel: 2}\n"
     "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: up1, type: upsample, mode: bilinear}\n"
     "  - {name: join1, type: concat, from: [up1, relu1]}\n"
     "  - {name: conv3, type: conv, out: 4, kernel: 3, pad: 1}\n"
     "  - {name: relu3, type: relu}\n"
     "  - {name: up2, type: upsample, scale: [1, 3]}\n"
     "  - {name: scores, type: conv, out: 5, kernel: 1}\n"
     "  - {name: cells, type: to_sequence}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100}\n"
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy all",
     "name: segments\n"
     "input: {channels: 3, height: 12, width: 16}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: scores, type: conv, out: 5, kernel: 3, pad: 1}\n"
     "  - {name: cells, type: to_sequence}\n"
     "  - {name: loss, type: dice, cross_entropy: 0.5, smooth: 0.01, ignore: -100}\n"
     "training: {lr: 0.5, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "2"},
    {"--policy all",
     "name: numbers\n"
     "input: {channels: 3, height: 12, width: 16}\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: conv2, type: conv, out: 2, kernel: 3, pad: 1}\n"
     "  - {name: loss, type: mse, labels: wanted}\n"
     "training: {lr: 0.1, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "2"},
    {"--policy all",
     "name: chances\n"
     "input: {channels: 3, height: 12, width: 16}\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: fc, type: fc, out: 9}\n"
     "  - {name: loss, type: bce, positive_weight: 2.5}\n"
     "training: {lr: 0.1, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "3"},
    {"--policy all",
     "name: like_nnunet\n"
     "input: {channels: 1, depth: 8, height: 12, width: 8}\n"
     "classes: 3\n"
     "batch: 2\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
     "  - {name: norm1, type: instancenorm, affine: true}\n"
     "  - {name: relu1, type: leaky_relu}\n"
     "  - {name: conv2, type: conv, out: 32, kernel: 3, stride: 2, pad: 1}\n"
     "  - {name: norm2, type: instancenorm, affine: true}\n"
     "  - {name: relu2, type: leaky_relu}\n"
     "  - {name: conv3, type: conv, out: 48, kernel: 3, stride: [2, 1, 2], pad: 1}\n"
     "  - {name: norm3, type: instancenorm, affine: true}\n"
     "  - {name: relu3, type: leaky_relu}\n"
     "  - {name: up2, type: conv_transpose, out: 32, kernel: [2, 3, 2], stride: [2, 1, 2], pad: "
     "[0, 1, 0]}\n"
     "  - {name: join2, type: concat, from: [up2, relu2]}\n"
     "  - {name: conv4, type: conv, out: 16, kernel: 3, pad: 1}\n"
     "  - {name: relu4, type: relu}\n"
     "  - {name: up1, type: conv_transpose, out: 16, kernel: 3, stride: 2, pad: 1, output_pad: 1,"
     " groups: 2, bias: false}\n"
     "  - {name: join1, type: concat, from: [up1, relu1]}\n"
     "  - {name: scores, type: conv, out: 3, kernel: 1}\n"
     "  - {name: cells, type: to_sequence}\n"
     "  - {name: loss, type: dice, cross_entropy: 1, ignore: -100, batch: true}\n"
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy all",
     "name: volumes\n"
     "input: {channels: 2, depth: 7, height: 8, width: 6}\n"
     "classes: 5\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
     "  - {name: norm1, type: instancenorm, affine: true}\n"
     "  - {name: relu1, type: leaky_relu}\n"
     "  - {name: conv2, type: conv, out: 16, kernel: 3, stride: 2, pad: 1, bias: false}\n"
     "  - {name: norm2, type: batchnorm}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: conv3, type: conv, out: 8, kernel: [3, 1, 2], pad: [1, 0, 1], groups: 2}\n"
     "  - {name: join, type: concat, from: [conv3, conv3]}\n"
     "  - {name: large, type: maxpool, kernel: [1, 3, 2], stride: [1, 2, 1], pad: [0, 1, 0]}\n"
     "  - {name: wide, type: upsample, scale: [3, 2, 1], mode: bilinear}\n"
     "  - {name: near, type: upsample}\n"
     "  - {name: flat, type: avgpool, kernel: 3, stride: 2, pad: 1, ceil: true, count_pad: false}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: fc, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy all",
     "name: two_inputs\n"
     "inputs: {image: {channels: 3, height: 10, width: 9}, words: {tokens: 6, vocabulary: 20}}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: pool1, type: maxpool, kernel: 2}\n"
     "  - {name: seen, type: fc, out: 12}\n"
     "  - {name: word, type: embedding, out: 7, from: words}\n"
     "  - {name: fc1, type: fc, out: 5}\n"
     "  - {name: line, type: flatten}\n"
     "  - {name: join, type: concat, from: [seen, line]}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: fc2, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss, labels: answers}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy dyn --accumulate 2",
     "name: three_inputs\n"
     "inputs:\n"
     "  left: {tokens: 5, vocabulary: 9}\n"
     "  right: {tokens: 4, vocabulary: 30}\n"
     "  image: {channels: 2, height: 6, width: 6}\n"
     "classes: 4\n"
     "batch: 5\n"
     "layers:\n"
     "  - {name: first, type: embedding, out: 6}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: second, type: embedding, out: 8, from: right}\n"
     "  - {name: relu, type: relu}\n"
     "  - {name: line, type: flatten}\n"
     "  - {name: fc1, type: fc, out: 6}\n"
     "  - {name: conv, type: conv, out: 3, kernel: 3, from: image}\n"
     "  - {name: fc2, type: fc, out: 6}\n"
     "  - {name: sum, type: add, from: [fc1, mean, fc2]}\n"
     "  - {name: fc3, type: fc, out: 4}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "2"},
    {"--policy all --algo m",
     "name: two_words_a_position\n"
     "inputs: {word: {tokens: 9, vocabulary: 30}, kind: {tokens: 9, vocabulary: 4}}\n"
     "classes: 6\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: a, type: embedding, out: 12}\n"
     "  - {name: b, type: embedding, out: 5, from: kind}\n"
     "  - {name: join, type: concat, from: [a, b]}\n"
     "  - {name: relu, type: relu}\n"
     "  - {name: fc, type: fc, out: 6}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100, labels: tags}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy all --algo m",
     "name: like_gpt\n"
     "input: {tokens: 12, vocabulary: 30}\n"
     "classes: 30\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: token, type: embedding, out: 12}\n"
     "  - {name: word, type: parameter, length: 20}\n"
     "  - {name: qkv1, type: fc, out: 36}\n"
     "  - {name: heads1, type: attention, heads: 3, causal: true}\n"
     "  - {name: out1, type: fc, out: 12}\n"
     "  - {name: sum1, type: add, from: [word, out1]}\n"
     "  - {name: qkv2, type: fc, out: 24}\n"
     "  - {name: heads2, type: attention, heads: 4, kv_heads: 2, causal: true}\n"
     "  - {name: out2, type: fc, out: 12}\n"
     "  - {name: sum2, type: add, from: [sum1, out2]}\n"
     "  - {name: wide, type: fc, out: 48}\n"
     "  - {name: relu, type: relu}\n"
     "  - {name: narrow, type: fc, out: 12}\n"
     "  - {name: sum3, type: add, from: [sum2, narrow]}\n"
     "  - {name: head, type: fc, out: 30, bias: false, weight_of: token}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy dyn --accumulate 2",
     "name: from_one_sequence_to_another\n"
     "inputs: {left: {tokens: 7, vocabulary: 20}, right: {tokens: 11, vocabulary: 9}}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: to, type: embedding, out: 10}\n"
     "  - {name: line, type: embedding, out: 8, from: right}\n"
     "  - {name: from, type: parameter, join: before, length: 2}\n"
     "  - {name: qkv, type: fc, out: 24}\n"
     "  - {name: own, type: attention, heads: 2}\n"
     "  - {name: q, type: fc, out: 12, from: to}\n"
     "  - {name: k, type: fc, out: 6, from: own}\n"
     "  - {name: v, type: fc, out: 6, from: own}\n"
     "  - {name: cross, type: attention, heads: 2, kv_heads: 1, from: [q, k, v]}\n"
     "  - {name: fc1, type: fc, out: 10}\n"
     "  - {name: sum, type: add, from: [to, fc1]}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: fc2, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "2"},
    {"--policy dyn --accumulate 2",
     "name: like_bert\n"
     "inputs:\n"
     "  word: {tokens: 11, vocabulary: 30}\n"
     "  line: {tokens: 5, vocabulary: 9}\n"
     "  lengths: {tokens: 1, vocabulary: 12}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: word_vector, type: embedding, out: 12}\n"
     "  - {name: place, type: parameter, length: 16}\n"
     "  - {name: qkv, type: fc, out: 36}\n"
     "  - {name: heads, type: attention, heads: 3, from: [qkv, lengths]}\n"
     "  - {name: out, type: fc, out: 12}\n"
     "  - {name: sum, type: add, from: [place, out]}\n"
     "  - {name: kv, type: fc, out: 8}\n"
     "  - {name: q, type: embedding, out: 8, from: line}\n"
     "  - {name: cross, type: attention, heads: 2, from: [q, kv, kv, lengths]}\n"
     "  - {name: fc1, type: fc, out: 8}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: fc2, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "2"},
    {"--policy all --algo p",
     "name: like_llama\n"
     "input: {tokens: 13, vocabulary: 30}\n"
     "classes: 30\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: word, type: embedding, out: 16}\n"
     "  - {name: qkv1, type: fc, out: 32, bias: false}\n"
     "  - {name: turn1, type: rope, heads: 4, kv_heads: 2}\n"
     "  - {name: heads1, type: attention, heads: 4, kv_heads: 2, causal: true}\n"
     "  - {name: out1, type: fc, out: 16, bias: false}\n"
     "  - {name: sum1, type: add, from: [word, out1]}\n"
     "  - {name: q, type: fc, out: 12, from: sum1}\n"
     "  - {name: k, type: fc, out: 6, from: sum1}\n"
     "  - {name: v, type: fc, out: 6, from: sum1}\n"
     "  - {name: turn_q, type: rope, heads: 2, theta: 100, interleaved: true, from: q}\n"
     "  - {name: turn_k, type: rope, heads: 1, theta: 100, interleaved: true, from: k}\n"
     "  - {name: heads2, type: attention, heads: 2, kv_heads: 1, causal: true, from: [turn_q, "
     "turn_k, v]}\n"
     "  - {name: out2, type: fc, out: 16}\n"
     "  - {name: sum2, type: add, from: [sum1, out2]}\n"
     "  - {name: head, type: fc, out: 30}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy dyn --accumulate 2",
     "name: like_vit\n"
     "input: {channels: 3, height: 12, width: 16}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: patches, type: conv, out: 16, kernel: 4, stride: 4}\n"
     "  - {name: cells, type: to_sequence}\n"
     "  - {name: class, type: parameter, join: before, length: 1}\n"
     "  - {name: place, type: parameter}\n"
     "  - {name: qkv, type: fc, out: 48}\n"
     "  - {name: heads, type: attention, heads: 4}\n"
     "  - {name: out, type: fc, out: 16}\n"
     "  - {name: sum, type: add, from: [place, out]}\n"
     "  - {name: first, type: slice, count: 1}\n"
     "  - {name: line, type: flatten}\n"
     "  - {name: fc, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "2"},
    {"--policy base --algo p --rules paper",
     "name: like_vgg\n"
     "input: {channels: 3, height: 16, width: 16}\n"
     "classes: 5\n"
     "batch: 4\n"
     "layers:\n"
     "  - repeat:\n"
     "      count: 2\n"
     "      layers:\n"
     "        - {name: \"conv1_{i}\", type: conv, out: 16, kernel: 3, pad: 1}\n"
     "        - {name: \"relu1_{i}\", type: relu}\n"
     "  - {name: pool1, type: maxpool, kernel: 2}\n"
     "  - repeat:\n"
     "      count: 3\n"
     "      layers:\n"
     "        - {name: \"conv2_{i}\", type: conv, out: 24, kernel: 3, pad: 1}\n"
     "        - {name: \"relu2_{i}\", type: relu}\n"
     "  - {name: pool2, type: maxpool, kernel: 2}\n"
     "  - {name: fc1, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n",
     "1"},
    {"--policy all --algo p",
     "name: curves\n"
     "input: {channels: 3, height: 12, width: 12}\n"
     "classes: 5\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 9, kernel: 3, pad: 1}\n"
     "  - {name: groups, type: groupnorm, groups: 3}\n"
     "  - {name: silu, type: silu}\n"
     "  - {name: conv2, type: conv, out: 9, kernel: 3, pad: 1}\n"
     "  - {name: instances, type: instancenorm, affine: true}\n"
     "  - {name: swish, type: hardswish}\n"
     "  - {name: turned, type: scale, factor: -1.3}\n"
     "  - {name: plain, type: instancenorm, eps: 0.001}\n"
     "  - {name: conv3, type: conv, out: 9, kernel: 3, pad: 1}\n"
     "  - {name: leaky, type: leaky_relu, slope: 0.2}\n"
     "  - {name: sum, type: add, from: [leaky, silu]}\n"
     "  - {name: conv4, type: conv, out: 9, kernel: 3, pad: 1}\n"
     "  - {name: gate, type: sigmoid}\n"
     "  - {name: pool, type: maxpool, kernel: 2}\n"
     "  - {name: fc1, type: fc, out: 20}\n"
     "  - {name: gelu1, type: gelu}\n"
     "  - {name: fc2, type: fc, out: 20}\n"
     "  - {name: gelu2, type: gelu, approximate: tanh}\n"
     "  - {name: fc3, type: fc, out: 20}\n"
     "  - {name: tanh, type: tanh}\n"
     "  - {name: fc4, type: fc, out: 20}\n"
     "  - {name: relu6, type: relu6}\n"
     "  - {name: fc5, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy all --accumulate 2",
     "name: blocks\n"
     "input: {tokens: 7, vocabulary: 30}\n"
     "classes: 6\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: words, type: embedding, out: 20}\n"
     "  - {name: norm1, type: layernorm, parts: 2}\n"
     "  - {name: wide1, type: fc, out: 40}\n"
     "  - {name: gelu1, type: gelu}\n"
     "  - {name: narrow1, type: fc, out: 20}\n"
     "  - {name: sum1, type: add, from: [narrow1, words]}\n"
     "  - {name: norm2, type: rmsnorm}\n"
     "  - {name: wide2, type: fc, out: 40, bias: false}\n"
     "  - {name: silu2, type: silu}\n"
     "  - {name: gate2, type: fc, out: 40, bias: false, from: norm2}\n"
     "  - {name: product2, type: mul, from: [silu2, gate2]}\n"
     "  - {name: narrow2, type: fc, out: 20}\n"
     "  - {name: sum2, type: add, from: [narrow2, sum1]}\n"
     "  - {name: norm3, type: layernorm, bias: false, eps: 0.001}\n"
     "  - {name: fc, type: fc, out: 6}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy all --algo p --threads 2", vdnn_token_network, "1"},
    {"--policy dyn --accumulate 3", vdnn_token_network, "1"},
    {"--policy base --algo p --rules paper", vdnn_position_network, "1"},
    {"--policy dyn --accumulate 3", vdnn_position_network, "1"},
    {"--policy all --algo p --threads 2", vdnn_tied_network, "1"},
    {"--policy dyn --accumulate 3", vdnn_tied_network, "1"},
    {"--policy all --algo p --threads 2",
     "name: both_ways\n"
     "inputs: {words: {tokens: 11, vocabulary: 30}}\n"
     "classes: 7\n"
     "batch: 5\n"
     "layers:\n"
     "  - {name: word, type: embedding, out: 12}\n"
     "  - {name: there, type: lstm, out: 9}\n"
     "  - {name: back, type: lstm, out: 20, reverse: true, biases: 1, from: word}\n"
     "  - {name: join, type: concat, from: [there, back]}\n"
     "  - {name: upper, type: lstm, out: 33, projection: 10}\n"
     "  - {name: top, type: lstm, out: 8, biases: 0}\n"
     "  - {name: fc, type: fc, out: 7}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100, smoothing: 0.1, labels: tags}\n"
     "training: {lr: 0.1, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy dyn --accumulate 2",
     "name: some_of_the_positions\n"
     "inputs: {words: {tokens: 6, vocabulary: 30}, lengths: {tokens: 1, vocabulary: 7}}\n"
     "classes: 5\n"
     "batch: 6\n"
     "layers:\n"
     "  - {name: word, type: embedding, out: 10}\n"
     "  - {name: there, type: lstm, out: 9, from: [word, lengths]}\n"
     "  - {name: back, type: lstm, out: 11, projection: 6, reverse: true, from: [word, lengths]}\n"
     "  - {name: join, type: concat, from: [there, back]}\n"
     "  - {name: upper, type: lstm, out: 17, from: [join, lengths]}\n"
     "  - {name: mean, type: global_avgpool}\n"
     "  - {name: fc, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.1, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "2"},
    {"--policy all --algo p --threads 2",
     "name: looks_up\n"
     "inputs: {source: {tokens: 9, vocabulary: 30}, target: {tokens: 5, vocabulary: 20}}\n"
     "classes: 6\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: from, type: embedding, out: 20}\n"
     "  - {name: key, type: fc, out: 70, bias: false}\n"
     "  - {name: value, type: fc, out: 9, from: from}\n"
     "  - {name: query, type: embedding, out: 70, from: target}\n"
     "  - {name: context, type: additive_attention, from: [query, key, value]}\n"
     "  - {name: fc, type: fc, out: 6}\n"
     "  - {name: loss, type: softmax_loss, ignore: -100}\n"
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
    {"--policy conv --algo m",
     "name: unrolled\n"
     "input: {channels: 6, height: 9, width: 9}\n"
     "classes: 5\n"
     "batch: 4\n"
     "layers:\n"
     "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
     "  - {name: relu1, type: relu}\n"
     "  - {name: conv2, type: conv, out: 6, kernel: 3, pad: 1, weight_of: conv1}\n"
     "  - {name: relu2, type: relu}\n"
     "  - {name: sum2, type: add, from: [relu1, relu2]}\n"
     "  - {name: conv3, type: conv, out: 6, kernel: 3, pad: 2, stride: 2, bias: false,\n"
     "     weight_of: conv1}\n"
     "  - {name: relu3, type: relu}\n"
     "  - {name: fc, type: fc, out: 5}\n"
     "  - {name: loss, type: softmax_loss}\n"
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n",
     "1"},
};

/* ---- comparing ------------------------------------------------------------------------------- */

/* An encoder and a decoder as those of models/gnmt.yaml, without the training. */
static const char like_gnmt[] =
    "name: like_gnmt\n"
    "inputs:\n"
    "  source: {tokens: 9, vocabulary: 30}\n"
    "  lengths: {tokens: 1, vocabulary: 10}\n"
    "  target: {tokens: 7, vocabulary: 30}\n"
    "classes: 30\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: embedding, type: embedding, out: 12}\n"
    "  - {name: there, type: lstm, out: 12, from: [embedding, lengths]}\n"
    "  - {name: back, type: lstm, out: 12, reverse: true, from: [embedding, lengths]}\n"
    "  - {name: both, type: concat, from: [there, back]}\n"
    "  - {name: encoder2, type: lstm, out: 12, from: [both, lengths]}\n"
    "  - {name: encoder3, type: lstm, out: 12, from: [encoder2, lengths]}\n"
    "  - {name: encoder, type: add, from: [encoder3, encoder2]}\n"
    "  - {name: word, type: embedding, out: 12, from: target, weight_of: embedding}\n"
    "  - {name: decoder1, type: lstm, out: 12}\n"
    "  - {name: query, type: fc, out: 12, bias: false}\n"
    "  - {name: key, type: fc, out: 12, bias: false, from: encoder}\n"
    "  - {name: context, type: additive_attention, from: [query, key, encoder, lengths]}\n"
    "  - {name: join2, type: concat, from: [decoder1, context]}\n"
    "  - {name: decoder2, type: lstm, out: 12}\n"
    "  - {name: join3, type: concat, from: [decoder2, context]}\n"
    "  - {name: decoder3, type: lstm, out: 12}\n"
    "  - {name: decoder, type: add, from: [decoder3, decoder2]}\n"
    "  - {name: classifier, type: fc, out: 30}\n"
    "  - {name: loss, type: softmax_loss, smoothing: 0.1, ignore: 0, labels: words}\n";

/* The same of models/biglstm.yaml. */
static const char like_biglstm[] =
    "name: like_biglstm\n"
    "input: {tokens: 8, vocabulary: 90}\n"
    "classes: 90\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: embedding, type: embedding, out: 10}\n"
    "  - {name: lstm1, type: lstm, out: 40, projection: 10, biases: 1}\n"
    "  - {name: lstm2, type: lstm, out: 40, projection: 10, biases: 1}\n"
    "  - {name: softmax, type: fc, out: 90}\n"
    "  - {name: loss, type: softmax_loss, ignore: -100}\n";

/* Ways to run a network; each network takes one. */
static const char *const ways[] = {
    "--policy base --algo p --rules paper",
    "--policy all --algo m",
    "--policy conv --algo p --threads 2",
    "--policy dyn",
    "--policy all --algo p --rules paper --threads 3",
    "--policy base --algo m",
};

/* Squares: of the difference to float64, of PyTorch's own, of what float64 has, of the parameter.
 */
typedef struct squares {
    double off, own, exact, parameter;
} squares;

enum { INIT, GOT, EXACT, OWN, FILES };

/* A rate for one step of descent that lifts gradients above the rounding of the parameters. */
#define DESCENT_RATE 4096

/* A comparison of what became of parameters: init - got with init - exact, or, after a step of
 * descent, with the gradients that files of their own hold. */
typedef struct comparison {
    const char *what, *names[FILES];
    bool gradients;
    bool learned, statistics; /* which parameters */
} comparison;

static const comparison first_gradients = {
    "the first gradient", {"init", "first", "gradients", "gradients_float32"}, true, true, false,
};

static const comparison all_changes = {
    "the change in all steps", {"init", "trained", "last", "last_float32"}, false, true, true,
};

static const comparison changes_of_statistics = {
    "the change in all steps", {"init", "trained", "last", "last_float32"}, false, false, true,
};

static squares measure(const comparison *c, vdnn_safetensors *const files[FILES],
                       const vdnn_layer *layer, const vdnn_param *param)
{
    char name[256];
    float *values[FILES];
    squares sum = {0};
    (void)snprintf(name, sizeof name, "%s.%s", layer->name, param->name);
    for (int f = 0; f < FILES; f++) {
        values[f] = calloc((size_t)param->count, sizeof *values[f]);
        assert_non_null(values[f]);
        assert_ok(vdnn_safetensors_read(files[f], name, param->dims, param->dim_count, values[f]));
    }
    for (int64_t i = 0; i < param->count; i++) {
        double from = (double)values[INIT][i], change = from - (double)values[GOT][i];
        double exact = (double)values[EXACT][i], own = (double)values[OWN][i];
        if (c->gradients) {
            change /= DESCENT_RATE;
            from /= DESCENT_RATE;
        } else {
            exact = from - exact;
            own = from - own;
        }
        double off = change - exact;
        sum.off += off * off;
        sum.own += (own - exact) * (own - exact);
        sum.exact += exact * exact;
        sum.parameter += from * from;
    }
    for (int f = 0; f < FILES; f++)
        free(values[f]);
    return sum;
}

/* A thousandth, or thrice what PyTorch's own float32 is off; beside the rounding of parameters. */
static bool is_close(squares sum, double share_of_all)
{
    double allowed = fmax(1e-3 * sqrt(sum.exact), 3 * sqrt(sum.own));
    return sqrt(sum.off) <= allowed + 3e-7 * sqrt(sum.parameter) + share_of_all;
}

static void print_network(const char *folder)
{
    char *text;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(folder, "torch.yaml"), &text, &count);
    print_error("%s", text);
    free(text);
}

static void check_sum(const char *folder, const comparison *c, const char *name, squares sum,
                      double share_of_all)
{
    if (is_close(sum, share_of_all))
        return;
    print_network(folder);
    fail_msg("%s of %s is off by %.3g, PyTorch's own by %.3g; it is %.3g itself", c->what, name,
             sqrt(sum.off), sqrt(sum.own), sqrt(sum.exact));
}

/* Each parameter, and all of them together. Some gradients are nothing but rounding, such as that
 * of a bias before a batch norm: each may be off by a hundred-thousandth of them all. */
static void compare_parameters(const char *folder, const vdnn_graph *graph, const comparison *c)
{
    vdnn_safetensors *files[FILES];
    squares total = {0};
    for (int f = 0; f < FILES; f++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s.safetensors", c->names[f]);
        assert_ok(vdnn_safetensors_open(vdnn_test_path(folder, name), &files[f]));
    }
    for (int pass = 0; pass < 2; pass++)
        for (int32_t l = 0; l < graph->layer_count; l++)
            for (int32_t p = 0; p < graph->layers[l].param_count; p++) {
                const vdnn_layer *layer = &graph->layers[l];
                const vdnn_param *param = &layer->params[p];
                if ((param->update == VDNN_UPDATE_OPTIMIZER ? !c->learned : !c->statistics) ||
                    !vdnn_layer_owns(layer, p) || (c->gradients && layer->is_frozen))
                    continue;
                squares sum = measure(c, files, layer, param);
                if (pass == 1) {
                    check_sum(folder, c, layer->name, sum, 1e-5 * sqrt(total.exact));
                    continue;
                }
                total.off += sum.off;
                total.own += sum.own;
                total.exact += sum.exact;
                total.parameter += sum.parameter;
            }
    check_sum(folder, c, "all parameters", total, 0);
    for (int f = 0; f < FILES; f++)
        vdnn_safetensors_close(files[f]);
}

static void compare_loss(const char *folder, const char *run, double tolerance)
{
    json_t *want = vdnn_test_json(vdnn_test_path(folder, "losses.json"));
    json_t *got = vdnn_test_json(vdnn_test_path(folder, run));
    const json_t *exact = json_object_get(want, "losses_float64");
    const json_t *losses = json_object_get(got, "losses");
    double own = json_number_value(json_object_get(want, "worst_relative_float32"));
    double allowed = fmax(tolerance, 3 * own);
    for (size_t i = 0; i < json_array_size(losses); i++) {
        double loss = json_number_value(json_array_get(losses, i));
        double wanted = json_number_value(json_array_get(exact, i));
        if (fabs(loss - wanted) <= allowed * fabs(wanted))
            continue;
        print_network(folder);
        fail_msg("the loss of step %zu is %.9g, wanted %.9g within %.3g of it", i + 1, loss, wanted,
                 allowed);
    }
    json_decref(want);
    json_decref(got);
}

static void train(const char *folder, const char *model, int steps, const char *way,
                  const char *name)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model @/%s --init @/init.safetensors --data npy:@ --no-shuffle "
                      "--steps %d %s --save @/%s.safetensors --json @/%s.json",
                      model, steps, way, name, name);
    if (run.code != 0)
        print_network(folder);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

/* Of a folder that PyTorch exported to; a comparison that is NULL is left out. */
static void compare_export(const char *folder, int steps, const char *way,
                           const comparison *of_first, const comparison *of_all)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    assert_ok(vdnn_model_read(vdnn_test_path(folder, "torch.yaml"), &model));
    assert_ok(vdnn_graph_create(model, &(vdnn_graph_options){.batch = 0}, &graph));
    train(folder, "torch.yaml", steps, way, "trained");
    compare_loss(folder, "trained.json", 1e-4);
    if (of_first != NULL) {
        train(folder, "descent.yaml", 1, way, "first");
        compare_parameters(folder, graph, of_first);
    }
    compare_parameters(folder, graph, of_all);
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

/* TEXT as FOLDER/torch.yaml, and as FOLDER/descent.yaml, whose update is the gradient alone. */
static void write_networks(const char *folder, const char *text)
{
    static const char format[] = "training: {lr: %d, momentum: 0, weight_decay: 0, epochs: 1}\n";
    char descent[sizeof format + 12];
    (void)snprintf(descent, sizeof descent, format, DESCENT_RATE);
    const char *training = text == NULL ? NULL : strstr(text, "training:");
    if (training == NULL) {
        fail_msg("a network without a line on training");
        return;
    }
    size_t before = (size_t)(training - text);
    char *other = calloc(before + sizeof descent, 1);
    assert_non_null(other);
    memcpy(other, text, before);
    memcpy(other + before, descent, sizeof descent);
    vdnn_test_write_file(vdnn_test_path(folder, "torch.yaml"), text, strlen(text));
    vdnn_test_write_file(vdnn_test_path(folder, "descent.yaml"), other, strlen(other));
    free(other);
}

/* ---- random networks ------------------------------------------------------------------------- */

static void write_random_network(const char *folder, uint64_t seed)
{
    vdnn_random_model request = vdnn_random_model_peer(seed);
    vdnn_text text = {0};
    assert_ok(vdnn_random_model_write(&request, &text));
    write_networks(folder, text.data);
    vdnn_text_fini(&text);
}

TEST_IN_FOLDER(random_networks_have_the_numbers_of_pytorch)
{
    need_torch(*state);
    int count = vdnn_test_count(200);
    static char folders[200][64], models[200][80];
    const char *arguments[MOST_WORDS] = {PYTHON, DRIVER,    "export", "--threads",
                                         "1",    "--steps", "3"};
    size_t words = 7;
    for (int i = 0; i < count; i++) {
        (void)snprintf(folders[i], sizeof folders[i], "%s/%d", (const char *)*state, i);
        (void)snprintf(models[i], sizeof models[i], "%s/torch.yaml", folders[i]);
        assert_int_equal(mkdir(folders[i], 0700), 0);
        write_random_network(folders[i], vdnn_test_seed() + (uint64_t)i);
        arguments[words++] = models[i];
        arguments[words++] = folders[i];
    }
    need_driver_success(*state, arguments);
    for (int i = 0; i < count; i++)
        compare_export(folders[i], 3, ways[(size_t)i % (sizeof ways / sizeof *ways)],
                       &first_gradients, &all_changes);
}

/* ---- known networks -------------------------------------------------------------------------- */

/* FOLDER/torch.yaml is the network; each step is run in so many micro-batches. */
static void export_network(const char *folder, const char *steps, const char *micro_batches)
{
    const char *model = vdnn_test_path(folder, "torch.yaml");
    const char *const arguments[] = {PYTHON,        DRIVER,    "export", "--threads",
                                     "1",           "--steps", steps,    "--accumulate",
                                     micro_batches, model,     folder,   NULL};
    need_driver_success(folder, arguments);
}

/* A folder for the i-th of several networks that are exported at once. */
static void make_case(const char *state, size_t i, const char *network, char folder[64],
                      char model[80])
{
    (void)snprintf(folder, 64, "%.40s/%zu", state, i);
    (void)snprintf(model, 80, "%.63s/torch.yaml", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_networks(folder, network);
}

enum { SMALL = sizeof small / sizeof *small };

/* The small networks whose steps are so many micro-batches, all with one start of PyTorch. */
static void export_small(const char *state, const char *micro_batches, char folders[SMALL][64],
                         char models[SMALL][80])
{
    const char *arguments[MOST_WORDS] = {PYTHON,    DRIVER, "export",       "--threads",  "1",
                                         "--steps", "5",    "--accumulate", micro_batches};
    size_t words = 9;
    for (size_t i = 0; i < SMALL; i++) {
        if (strcmp(small[i].micro_batches, micro_batches) != 0)
            continue;
        make_case(state, i, small[i].text, folders[i], models[i]);
        arguments[words++] = models[i];
        arguments[words++] = folders[i];
    }
    need_driver_success(state, arguments);
}

/* Of a .npy file in the folder, `count` of them. */
static float *read_floats(const char *folder, const char *name, size_t *count)
{
    char *bytes;
    size_t size;
    uint16_t header;
    vdnn_test_read_file(vdnn_test_path(folder, name), &bytes, &size);
    memcpy(&header, bytes + 8, sizeof header);
    *count = (size - 10 - header) / sizeof(float);
    float *values = calloc(*count, sizeof *values);
    assert_non_null(values);
    memcpy(values, bytes + 10 + header, *count * sizeof *values);
    free(bytes);
    return values;
}

/* By the trained weights, of all samples: as PyTorch, and with the algorithms of base the same bits
 * under every policy. */
static void compare_predictions(const char *folder)
{
    static const char *const policies[] = {
        "--policy base --json @/base.json", "--policy all --algos @/base.json",
        "--policy dyn --algos @/base.json", "--policy opt --plan-trials 20 --algos @/base.json"};
    size_t count, own_count;
    if (access(vdnn_test_path(folder, "probabilities.npy"), R_OK) != 0)
        return; /* of positions, or of tokens */
    float *theirs = read_floats(folder, "probabilities.npy", &count), *first = NULL;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        vdnn_test_run run;
        vdnn_test_program(
            &run, folder,
            "vdnnrun --model @/torch.yaml --init @/last_float32.safetensors --threads "
            "1 --profile @/profile --predict @/images.npy --out @/p.npy --force %s",
            policies[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        float *ours = read_floats(folder, "p.npy", &own_count);
        assert_int_equal(own_count, count);
        for (size_t k = 0; k < count; k++)
            assert_true(fabsf(ours[k] - theirs[k]) <= 1e-5F);
        if (first != NULL)
            assert_memory_equal(ours, first, count * sizeof *ours);
        free(first);
        first = ours;
    }
    free(first);
    free(theirs);
}

TEST_IN_FOLDER(small_networks_have_the_numbers_of_pytorch)
{
    static char folders[SMALL][64], models[SMALL][80];
    need_torch(*state);
    export_small(*state, "1", folders, models);
    export_small(*state, "2", folders, models);
    export_small(*state, "3", folders, models);
    for (size_t i = 0; i < SMALL; i++)
        compare_export(folders[i], 5, small[i].policy, &first_gradients, &all_changes);
    for (size_t i = 0; i < SMALL; i++)
        compare_predictions(folders[i]);
}

/* The network of models/NAME.yaml as PyTorch gets it: no dropout, the batch given. */
static void write_model(const char *folder, const char *name, int batch)
{
    char path[128], *file, *rest;
    size_t count;
    vdnn_text text = {0};
    (void)snprintf(path, sizeof path, "models/%s.yaml", name);
    vdnn_test_read_file(path, &file, &count);
    rest = file;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        if (strncmp(line, "batch:", 6) == 0)
            vdnn_text_add(&text, "batch: %d\n", batch);
        else if (strstr(line, "type: dropout") == NULL)
            vdnn_text_add(&text, "%s\n", line);
    }
    write_networks(folder, text.data);
    vdnn_text_fini(&text);
    free(file);
}

/* Deep networks carry each rounding far, so that after a step their weights differ: of them the
 * losses are compared, and the running statistics. */
static void compare_model(const char *folder, const char *name, int batch, int steps,
                          const char *micro_batches)
{
    char number[16], way[32];
    need_torch(folder);
    write_model(folder, name, batch);
    (void)snprintf(number, sizeof number, "%d", steps);
    (void)snprintf(way, sizeof way, "--accumulate %s", micro_batches);
    export_network(folder, number, micro_batches);
    compare_export(folder, steps, way, NULL, &changes_of_statistics);
}

TEST_IN_FOLDER(lenet_has_the_losses_of_pytorch)
{
    compare_model(*state, "lenet", 16, 5, "1");
}

TEST_IN_FOLDER(cifar_cnn_has_the_losses_of_pytorch)
{
    compare_model(*state, "cifar_cnn", 8, 5, "1");
}

TEST_IN_FOLDER(micro_batches_have_the_losses_of_pytorch)
{
    compare_model(*state, "cifar_cnn", 13, 5, "3");
}

/* Minutes each, so only where all cases are asked for. */
static void compare_large(const char *folder, const char *name, int batch, int steps,
                          const char *micro_batches)
{
    if (vdnn_test_count(100) < 100)
        skip_because("takes minutes; VDNN_TEST_COUNT_PERCENT=100 runs it");
    compare_model(folder, name, batch, steps, micro_batches);
}

#define LARGE(name, batch, steps)                                                                  \
    TEST_IN_FOLDER(name##_has_the_losses_of_pytorch)                                               \
    {                                                                                              \
        compare_large(*state, #name, batch, steps, "1");                                           \
    }

/* The others of models/, VGG with 100 convolutions and more, are the blocks of VGG-16 again. */
LARGE(alexnet, 4, 5)
LARGE(overfeat, 2, 3)
LARGE(vgg16, 2, 5)
LARGE(vgg19, 2, 3)
LARGE(googlenet, 4, 5)
LARGE(squeezenet, 4, 5)
LARGE(resnet50, 4, 3)
LARGE(densenet121, 4, 3)
LARGE(inception_v3, 4, 3)

TEST_IN_FOLDER(vgg16_in_micro_batches_has_the_losses_of_pytorch)
{
    compare_large(*state, "vgg16", 8, 5, "8");
}

/* As modules, by the Python package. */
TEST(networks_of_torchvision_train_as_they_do_there)
{
    if (vdnn_test_count(100) < 100)
        skip_because("takes minutes; VDNN_TEST_COUNT_PERCENT=100 runs it");
    const int code = system(PYTHON " -W ignore tests/support/try_torchvision.py");
    if (WIFEXITED(code) && WEXITSTATUS(code) == 77)
        skip_because("%s has no torchvision", PYTHON);
    assert_int_equal(code, 0);
}

/* ---- optimizers ------------------------------------------------------------------------------ */

enum { RULE_STEPS = 20, RULE_COUNT = 1000, OPTIMIZED_BYTES = 1024 };
#define RULE_STEPS_TEXT "20"
static const double optimizer_tolerance = 1e-5;

static const char optimized[] = "name: optimized\n"
                                "input: {channels: 2, height: 9, width: 9}\n"
                                "classes: 5\n"
                                "batch: 6\n"
                                "layers:\n"
                                "  - {name: conv1, type: conv, out: 6, kernel: 3, bias: false}\n"
                                "  - {name: norm1, type: batchnorm}\n"
                                "  - {name: relu1, type: relu}\n"
                                "  - {name: pool1, type: maxpool, kernel: 2}\n"
                                "  - {name: fc1, type: fc, out: 16}\n"
                                "  - {name: relu2, type: relu}\n"
                                "  - {name: fc2, type: fc, out: 5}\n"
                                "  - {name: loss, type: softmax_loss}\n";

/* The network by an optimizer, with its presets or with other settings; returns where the section
 * begins that both programs read. */
static const char *write_optimized(const vdnn_optimizer *optimizer, bool is_set, const char *more,
                                   char network[OPTIMIZED_BYTES])
{
    static const double values[VDNN_SETTING_COUNT][2] = {{0.05},      {0.8},    {0.02},
                                                         {0.8, 0.95}, {0.0001}, {0.5}};
    int length = snprintf(network, OPTIMIZED_BYTES, "%straining: {optimizer: %s", optimized,
                          optimizer->name);
    for (size_t i = 0; is_set && i < VDNN_SETTING_COUNT; i++) {
        const vdnn_setting *setting = vdnn_setting_at(i);
        if (!vdnn_optimizer_has(optimizer, setting))
            continue;
        length += snprintf(network + length, OPTIMIZED_BYTES - (size_t)length, ", %s: %s%.6f",
                           setting->name, setting->count > 1 ? "[" : "", values[i][0]);
        if (setting->count > 1)
            length += snprintf(network + length, OPTIMIZED_BYTES - (size_t)length, ", %.6f]",
                               values[i][1]);
    }
    (void)snprintf(network + length, OPTIMIZED_BYTES - (size_t)length, "%s}\n", more);
    return strstr(network, "training: ") + strlen("training: ");
}

/* Applies the gradients of FOLDER/NAME.safetensors as PyTorch did. */
static void follow_rule(const char *folder, const char *name, const char *network)
{
    static float w[RULE_COUNT], last[RULE_COUNT], gradients[RULE_STEPS][RULE_COUNT];
    static float slots[VDNN_MAX_SLOTS][RULE_COUNT];
    const int64_t dims[] = {RULE_STEPS, RULE_COUNT};
    char file_name[512];
    vdnn_model *model = NULL;
    vdnn_safetensors *file = NULL;
    (void)snprintf(file_name, sizeof file_name, "%s.safetensors", name);
    assert_ok(vdnn_model_parse(network, strlen(network), "net.yaml", &model));
    assert_ok(vdnn_safetensors_open(vdnn_test_path(folder, file_name), &file));
    assert_ok(vdnn_safetensors_read(file, "init", dims + 1, 1, w));
    assert_ok(vdnn_safetensors_read(file, "gradients", dims, 2, gradients[0]));
    assert_ok(vdnn_safetensors_read(file, "last", dims + 1, 1, last));
    vdnn_safetensors_close(file);
    memset(slots, 0, sizeof slots);
    vdnn_step_context context = {.optimizer = model->training.optimizer->id,
                                 .settings = model->training.settings};
    for (; context.step < RULE_STEPS; context.step++) {
        const vdnn_update all = {.w = w,
                                 .slots = {slots[0], slots[1]},
                                 .dw = gradients[context.step],
                                 .count = RULE_COUNT};
        assert_ok(vdnn_elementwise_find("cpu")->update(&all, 1, 1, &context, NULL));
    }
    vdnn_model_destroy(model);
    for (int i = 0; i < RULE_COUNT; i++)
        if (!(fabsf(w[i] - last[i]) <= (float)optimizer_tolerance * fmaxf(1, fabsf(last[i]))))
            fail_msg("%s: weight %d is %.9g, by PyTorch %.9g", name, i, (double)w[i],
                     (double)last[i]);
}

TEST_IN_FOLDER(every_optimizer_has_the_rule_of_pytorch)
{
    static char names[2 * VDNN_OPTIMIZER_COUNT][32],
        networks[2 * VDNN_OPTIMIZER_COUNT][OPTIMIZED_BYTES];
    const char *arguments[MOST_WORDS] = {PYTHON,    DRIVER,          "rules",
                                         "--steps", RULE_STEPS_TEXT, *state};
    size_t words = 6;
    need_torch(*state);
    for (size_t i = 0; i < 2 * VDNN_OPTIMIZER_COUNT; i++) {
        const vdnn_optimizer *optimizer = vdnn_optimizer_at((vdnn_optimizer_id)(i / 2));
        (void)snprintf(names[i], sizeof names[i], "%s%zu", optimizer->name, i % 2);
        arguments[words++] = names[i];
        arguments[words++] = write_optimized(optimizer, i % 2 == 1, "", networks[i]);
    }
    need_driver_success(*state, arguments);
    for (size_t i = 0; i < 2 * VDNN_OPTIMIZER_COUNT; i++)
        follow_rule(*state, names[i], networks[i]);
}

static double last_loss(const char *folder)
{
    json_t *run = vdnn_test_json(vdnn_test_path(folder, "trained.json"));
    const json_t *losses = json_object_get(run, "losses");
    assert_int_equal(json_array_size(losses), RULE_STEPS);
    double last = json_number_value(json_array_get(losses, RULE_STEPS - 1));
    json_decref(run);
    return last;
}

/* Each with and without clipping, in turns. */
TEST_IN_FOLDER(every_optimizer_has_the_losses_of_pytorch)
{
    enum { CASES = 2 * VDNN_OPTIMIZER_COUNT };
    static char folders[CASES][64], models[CASES][80];
    const char *arguments[MOST_WORDS] = {PYTHON, DRIVER,    "export",       "--threads",
                                         "1",    "--steps", RULE_STEPS_TEXT};
    size_t words = 7;
    need_torch(*state);
    for (size_t i = 0; i < CASES; i++) {
        char network[OPTIMIZED_BYTES];
        (void)write_optimized(vdnn_optimizer_at((vdnn_optimizer_id)(i / 2)), false,
                              i % 2 == 0 ? "" : ", clip_norm: 0.5", network);
        make_case(*state, i, network, folders[i], models[i]);
        arguments[words++] = models[i];
        arguments[words++] = folders[i];
    }
    need_driver_success(*state, arguments);
    for (size_t i = 0; i < CASES; i++) {
        train(folders[i], "torch.yaml", RULE_STEPS, ways[i % (sizeof ways / sizeof *ways)],
              "trained");
        compare_loss(folders[i], "trained.json", optimizer_tolerance);
    }
    double whole = last_loss(folders[0]), clipped = last_loss(folders[1]); /* of sgd */
    assert_true(fabs(clipped - whole) > 1e-2 * whole);
}

/* Of models/, made small. */
TEST_IN_FOLDER(recurrent_networks_have_the_losses_of_pytorch)
{
    static const struct {
        const char *layers, *training;
    } networks[] = {
        {like_gnmt, "training: {optimizer: adamw, lr: 0.01, clip_norm: 5, epochs: 1}\n"},
        {like_biglstm, "training: {optimizer: adagrad, lr: 0.2, initial_accumulator_value: 1, "
                       "clip_norm: 10, epochs: 1}\n"},
    };
    enum { CASES = sizeof networks / sizeof *networks, STEPS = 10 };
    static char folders[CASES][64], models[CASES][80];
    const char *arguments[MOST_WORDS] = {PYTHON, DRIVER,    "export", "--threads",
                                         "1",    "--steps", "10"};
    size_t words = 7;
    need_torch(*state);
    for (size_t i = 0; i < CASES; i++) {
        char network[2048];
        (void)snprintf(network, sizeof network, "%s%s", networks[i].layers, networks[i].training);
        make_case(*state, i, network, folders[i], models[i]);
        arguments[words++] = models[i];
        arguments[words++] = folders[i];
    }
    need_driver_success(*state, arguments);
    for (size_t i = 0; i < CASES; i++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            train(folders[i], "torch.yaml", STEPS, ways[way], "trained");
            compare_loss(folders[i], "trained.json", 1e-4);
        }
}

TEST_IN_FOLDER(tied_weights_have_the_losses_of_pytorch)
{
    static const char *const trainings[] = {
        "training: {lr: 0.1, momentum: 0.9, epochs: 1}\n",
        "training: {optimizer: adamw, lr: 0.01, epochs: 1}\n",
        "training: {optimizer: adamw, lr: 0.01, weight_decay: 0.1, clip_norm: 0.5, epochs: 1}\n",
        "training: {lr: 0.1, momentum: 0.9, clip_norm: 1, epochs: 1}\n",
    };
    enum { CASES = sizeof trainings / sizeof *trainings };
    static char folders[CASES][64], models[CASES][80];
    const char *arguments[MOST_WORDS] = {PYTHON, DRIVER,    "export",       "--threads",
                                         "1",    "--steps", RULE_STEPS_TEXT};
    size_t words = 7;
    need_torch(*state);
    for (size_t i = 0; i < CASES; i++) {
        char network[OPTIMIZED_BYTES];
        (void)snprintf(network, sizeof network, "%s%s", VDNN_TIED_LAYERS, trainings[i]);
        make_case(*state, i, network, folders[i], models[i]);
        arguments[words++] = models[i];
        arguments[words++] = folders[i];
    }
    need_driver_success(*state, arguments);
    for (size_t i = 0; i < CASES; i++) {
        train(folders[i], "torch.yaml", RULE_STEPS,
              i % 2 == 0 ? ways[i] : "--policy all --accumulate 3", "trained");
        compare_loss(folders[i], "trained.json", 1e-4);
    }
}
