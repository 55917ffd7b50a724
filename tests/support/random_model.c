#include "tests/support/random_model.h"

#include "layers/part.h"
#include "runtime/base/heap.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { MAX_INPUTS = 4, CONFIG_BYTES = 512, MOST_KEYS = 16, TRIES = 24, MOST_CHANNEL_PARTS = 4 };

/* Ranges of keys by name, whatever the layer; a key that is not here keeps its preset, or gets 1
 * to 3. */
static const struct {
    const char *name;
    double low, high, peer_high;
} key_ranges[] = {
    {"kernel", 1, 3, 7},   {"stride", 1, 2, 3},      {"pad", 0, 1, 3},
    {"dilation", 1, 2, 3}, {"groups", 1, 2, 4},      {"p", 0.1, 0.6, 0.6},
    {"bias", 0, 1, 1},     {"ceil", 0, 1, 1},        {"count_pad", 0, 1, 1},
    {"size", 1, 5, 9},     {"k", 1, 2, 3},           {"alpha", 0.1, 1, 2},
    {"beta", 0.5, 1, 1},   {"eps", 0.001, 0.1, 0.1}, {"momentum", 0, 1, 1},
    {"slope", 0, 1, 1},    {"approximate", 0, 1, 1},
};

/* How often a type is drawn; one that is not here as often as `usual`. Those of 0 come at the end.
 */
enum { USUAL = 10 };
static const struct {
    const char *type;
    int weight;
