#ifndef VDNN_TESTS_SUPPORT_SMALL_NETWORK_H
#define VDNN_TESTS_SUPPORT_SMALL_NETWORK_H

/* A network that trains in milliseconds. Its dropout depends on the step and the seed, its batch
 * norm gathers statistics, and both belong to one session alone.
 *
 * Invariant: a text that the reader of network files accepts. Threads: const data.
 *
 *     vdnn_test_write_file(path, vdnn_small_network, sizeof vdnn_small_network - 1);
 */

static const char vdnn_small_network[] =
    "name: small\n"
    "input: {channels: 1, height: 8, width: 8}\n"
    "classes: 3\n"
    "batch: 4\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: norm1, type: batchnorm}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 3}\n"
    "  - {name: drop1, type: dropout, p: 0.5}\n"
    "  - {name: fc1, type: fc, out: 3}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n";

#endif
