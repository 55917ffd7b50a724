#include "tests/support/program.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The same numbers as PyTorch: the losses of five steps of SGD, from the same weights on the same
 * images, for the networks without their dropout layers (whose random numbers cannot agree). */

#define PEER "../shared/peers/torch_peer.py"
#define PYTHON "/usr/bin/python3"

/* Runs and waits; the streams go to FOLDER/peer.txt. Returns the exit code, or 126. */
static int run_python(const char *folder, const char *const *arguments)
{
    const char *log = vdnn_test_path(folder, "peer.txt");
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char *words[16] = {0};
        for (size_t i = 0; i < 15 && arguments[i] != NULL; i++)
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

static void need_torch(const char *folder)
{
    const char *const arguments[] = {PYTHON, "-c", "import torch, numpy, yaml", NULL};
    if (access(PEER, R_OK) != 0)
        skip_because("%s is not there", PEER);
    if (access(PYTHON, X_OK) != 0 || run_python(folder, arguments) != 0)
        skip_because("%s has no torch, numpy and yaml", PYTHON);
}

static void need_peer_success(const char *folder, const char *const *arguments)
{
    char *text;
    size_t count;
    if (run_python(folder, arguments) == 0)
        return;
    vdnn_test_read_file(vdnn_test_path(folder, "peer.txt"), &text, &count);
    print_error("%s %s:\n%s\n", arguments[1], arguments[2], text);
    free(text);
    fail();
}

/* Exports from PyTorch, trains here, compares; FOLDER/torch.yaml is the network. */
static void compare_losses(const char *folder, int batch, const char *policy)
{
    char number[16];
    const char *model = vdnn_test_path(folder, "torch.yaml");
    const char *json = vdnn_test_path(folder, "run.json");
    (void)snprintf(number, sizeof number, "%d", batch);
    const char *const export[] = {PYTHON, PEER,      "export", model,       folder, "--batch",
                                  number, "--steps", "5",      "--threads", "1",    NULL};
    const char *const compare[] = {PYTHON, PEER, "compare", folder, json, NULL};
    need_peer_success(folder, export);
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model @/torch.yaml --batch %d --init @/init.safetensors --data "
                      "npy:@ --no-shuffle --steps 5 %s --json @/run.json",
                      batch, policy);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    need_peer_success(folder, compare);
}

static void write_network(const char *folder, const char *text)
{
    vdnn_test_write_file(vdnn_test_path(folder, "torch.yaml"), text, strlen(text));
}

/* The network of models/ without the lines of its dropout layers. */
static void write_without_dropout(const char *folder, const char *name)
{
    char path[128], *text, *kept;
    size_t count, used = 0;
    (void)snprintf(path, sizeof path, "models/%s.yaml", name);
    vdnn_test_read_file(path, &text, &count);
    kept = calloc(count + 1, 1);
    assert_non_null(kept);
    for (char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
        char end = line[length];
        line[length] = '\0';
        bool is_dropout = strstr(line, "type: dropout") != NULL;
        line[length] = end;
        if (!is_dropout) {
            memcpy(kept + used, line, whole);
            used += whole;
        }
        line += whole;
    }
    write_network(folder, kept);
    free(text);
    free(kept);
}

static void lenet_has_the_losses_of_pytorch(void **state)
{
    need_torch(*state);
    write_without_dropout(*state, "lenet");
    compare_losses(*state, 16, "");
}

/* The shapes of the large networks, made small: overlapping pools, strides, groups of layers that
 * join in a concatenation, deep stacks; under policies that move maps. */
static const struct {
    const char *policy, *text;
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
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n"},
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
     "training: {lr: 0.02, momentum: 0.9, weight_decay: 0.0002, epochs: 1}\n"},
    {"--policy base --algo p --stash classic",
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
     "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n"},
};

static void small_networks_have_the_losses_of_pytorch(void **state)
{
    need_torch(*state);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        write_network(*state, small[i].text);
        compare_losses(*state, 4, small[i].policy);
    }
}

/* Minutes each, so only where all cases are asked for. */
static void compare_large(const char *folder, const char *name)
{
    if (vdnn_test_count(100) < 100)
        skip_because("%s takes minutes; VDNN_TEST_COUNT_PERCENT=100 runs it", name);
    need_torch(folder);
    write_without_dropout(folder, name);
    compare_losses(folder, 4, "");
}

static void alexnet_has_the_losses_of_pytorch(void **state)
{
    compare_large(*state, "alexnet");
}

static void googlenet_has_the_losses_of_pytorch(void **state)
{
    compare_large(*state, "googlenet");
}

static void vgg16_has_the_losses_of_pytorch(void **state)
{
    compare_large(*state, "vgg16");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, vdnn_test_make_folder, vdnn_test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lenet_has_the_losses_of_pytorch),   TEST(small_networks_have_the_losses_of_pytorch),
        TEST(alexnet_has_the_losses_of_pytorch), TEST(googlenet_has_the_losses_of_pytorch),
        TEST(vgg16_has_the_losses_of_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
