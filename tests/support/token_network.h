#ifndef VDNN_TESTS_SUPPORT_TOKEN_NETWORK_H
#define VDNN_TESTS_SUPPORT_TOKEN_NETWORK_H

/* Networks of tokens. One classifies samples: two lookups in the same tokens, summed, of which the
 * mean over the positions is classified. Another classifies each position, but for those whose
 * label is -100. The third is a language model's: its classes are the tokens, and the last layer's
 * weight is the embedding's; another layer has its weight twice.
 *
 * Invariant: a text that the reader of network files accepts. Threads: const data.
 *
 *     vdnn_test_write_file(path, vdnn_token_network, sizeof vdnn_token_network - 1);
 */

static const char vdnn_token_network[] =
    "name: bag_of_words\n"
    "input: {tokens: 12, vocabulary: 40}\n"
    "classes: 5\n"
    "batch: 4\n"
    "layers:\n"
    "  - {name: word, type: embedding, out: 16}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: other, type: embedding, out: 16, from: input}\n"
    "  - {name: sum, type: add, from: [relu1, other]}\n"
    "  - {name: mean, type: global_avgpool}\n"
    "  - {name: fc1, type: fc, out: 20}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: fc2, type: fc, out: 5}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n";

static const char vdnn_position_network[] =
    "name: tagger\n"
    "input: {tokens: 9, vocabulary: 30}\n"
    "classes: 6\n"
    "batch: 4\n"
    "layers:\n"
    "  - {name: word, type: embedding, out: 12}\n"
    "  - {name: fc1, type: fc, out: 16}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: fc2, type: fc, out: 12, bias: false}\n"
    "  - {name: sum, type: add, from: [fc2, word]}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: fc3, type: fc, out: 6}\n"
    "  - {name: loss, type: softmax_loss, ignore: -100}\n"
    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n";

#define VDNN_TIED_LAYERS                                                                           \
    "name: language_model\n"                                                                       \
    "input: {tokens: 9, vocabulary: 30}\n"                                                         \
    "classes: 30\n"                                                                                \
    "batch: 4\n"                                                                                   \
    "layers:\n"                                                                                    \
    "  - {name: words, type: embedding, out: 12}\n"                                                \
    "  - {name: fc1, type: fc, out: 12}\n"                                                         \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: fc2, type: fc, out: 12, weight_of: fc1}\n"                                         \
    "  - {name: sum, type: add, from: [fc2, words]}\n"                                             \
    "  - {name: decoder, type: fc, out: 30, weight_of: words}\n"                                   \
    "  - {name: loss, type: softmax_loss, ignore: -100}\n"

static const char vdnn_tied_network[] =
    VDNN_TIED_LAYERS "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.001, epochs: 1}\n";

#endif
