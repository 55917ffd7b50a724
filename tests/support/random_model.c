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
    {"slope", 0, 1, 1},    {"length", 0, 12, 12},    {"join", 0, 1, 1},
    {"kv_heads", 0, 2, 2}, {"interleaved", 0, 1, 1}, {"begin", 0, 2, 2},
    {"causal", 0, 1, 1},   {"approximate", 0, 1, 1}, {"scale", 1, 2, 3},
    {"mode", 0, 1, 1},     {"chunk", 0, 3, 3},       {"factor", -2, 2, 2},
};

/* How often a type is drawn; one that is not here as often as `usual`. Those of 0 come at the end.
 */
enum { USUAL = 10 };
static const struct {
    const char *type;
    int weight;
} type_weights[] = {
    {"conv", 30},        {"relu", 20},   {"concat", 15},   {"fc", 3},
    {"softmax_loss", 0}, {"flatten", 0}, {"gelu", 4},      {"silu", 4},
    {"tanh", 4},         {"sigmoid", 4}, {"relu6", 4},     {"leaky_relu", 4},
    {"hardswish", 4},    {"scale", 3},   {"attention", 0}, {"additive_attention", 0},
    {"parameter", 0},    {"rope", 0},    {"slice", 0},     {"to_sequence", 0},
    {"layernorm", 3},    {"rmsnorm", 3}};

typedef struct node {
    vdnn_desc desc;
    const vdnn_layer_def *def; /* NULL: the input */
    int32_t readers;
    bool has_own_weight; /* that others can read: */
    vdnn_param weight;
    _Alignas(max_align_t) unsigned char config[CONFIG_BYTES];
    bool written[MOST_KEYS];
} node;

typedef struct writer {
    const vdnn_random_model *request;
    vdnn_test_rng rng, parts_rng;
    int64_t parts;              /* of the samples, of the last layer that was written */
    vdnn_test_rng channels_rng; /* without parts of channels it is as it was without these */
    vdnn_test_rng tie_rng;      /* without ties a network is as it was before there were any */
    vdnn_test_rng frozen_rng;   /* without frozen layers it is as before, too */
    vdnn_text *text;
    node *nodes; /* [0] is the input, [i] layer i */
    int32_t count;
} writer;

/* A layer that is being tried. */
typedef struct trial {
    vdnn_layer layer;
    vdnn_desc x[MAX_INPUTS];
    int32_t from[MAX_INPUTS];
    _Alignas(max_align_t) unsigned char config[CONFIG_BYTES];
    bool written[MOST_KEYS]; /* per key: not left to its preset */
    int32_t weight_of;       /* a node; 0: the layer has its own */
} trial;

static int64_t pick(writer *w, int64_t low, int64_t high)
{
    return vdnn_test_between(&w->rng, low, high);
}

/* Of one network in six more than one. */
static int32_t draw_micro_batches(uint64_t seed)
{
    vdnn_test_rng rng = {seed ^ 0x6d6963726f};
    return vdnn_test_between(&rng, 0, 5) > 0 ? 1 : (int32_t)vdnn_test_between(&rng, 2, 3);
}

/* Of those, two in three do not divide the batch. */
static int32_t draw_missing(uint64_t seed, int32_t micro_batches)
{
    vdnn_test_rng rng = {seed ^ 0x6d697373696e67};
    return vdnn_test_between(&rng, 0, 2) == 0
               ? 0
               : (int32_t)vdnn_test_between(&rng, 1, micro_batches - 1);
}

static vdnn_random_model draw_picture(uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    vdnn_random_model request = {
        .seed = seed,
        .layers = (int32_t)vdnn_test_between(&rng, 3, 40),
        .height = vdnn_test_between(&rng, 8, 20),
        .width = vdnn_test_between(&rng, 8, 20),
        .channels = vdnn_test_between(&rng, 1, 4),
        .batch = vdnn_test_between(&rng, 1, 4),
        .classes = vdnn_test_between(&rng, 2, 10),
        .max_channels = vdnn_test_between(&rng, 0, 2) == 0 ? 36 : 8,
        .max_cells = 4096,
        .micro_batches = draw_micro_batches(seed),
        .reach = 12,
        .preferred = vdnn_test_between(&rng, 0, 2) == 0 ? VDNN_NCHW : VDNN_NCHW16C,
        .dtype = vdnn_test_between(&rng, 0, 2) == 0 ? VDNN_BF16 : VDNN_F32,
        .optimizer = (vdnn_optimizer_id)(seed % VDNN_OPTIMIZER_COUNT),
        .clip_norm = seed % 3 == 0 ? 0.5 : 0,
        .ties = seed % 4 == 1,
        .words = seed % 5 >= 3,
    };
    if (request.micro_batches > 1 && request.batch > 1)
        request.missing = draw_missing(seed, request.micro_batches);
    return request;
}

vdnn_random_model vdnn_random_model_sequence(uint64_t seed)
{
    vdnn_test_rng rng = {seed ^ 0x73657175656e6365};
    vdnn_random_model request = draw_picture(seed);
    request.words = false;
    request.positions = vdnn_test_between(&rng, 1, 24);
    request.channels = vdnn_test_between(&rng, 2, 24);
    request.height = request.width = 1;
    request.max_channels = 24;
    return request;
}

static vdnn_random_model draw_volume(uint64_t seed)
{
    vdnn_test_rng rng = {seed ^ 0x766f6c756d65};
    vdnn_random_model request = draw_picture(seed);
    request.depth = vdnn_test_between(&rng, 1, 6);
    request.height = vdnn_test_between(&rng, 3, 9);
    request.width = vdnn_test_between(&rng, 3, 9);
    return request;
}

vdnn_random_model vdnn_random_model_small(uint64_t seed)
{
    return seed % 6 == 5   ? vdnn_random_model_sequence(seed)
           : seed % 6 == 2 ? draw_volume(seed)
                           : draw_picture(seed);
}

vdnn_random_model vdnn_random_model_peer(uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    return (vdnn_random_model){
        .seed = seed,
        .layers = (int32_t)vdnn_test_between(&rng, 2, 15),
        .height = vdnn_test_between(&rng, 7, 26),
        .width = vdnn_test_between(&rng, 7, 26),
        .channels = vdnn_test_between(&rng, 1, 20),
        .batch = vdnn_test_between(&rng, 3, 6),
        .classes = vdnn_test_between(&rng, 2, 10),
        .max_channels = 50,
        .max_cells = 16384,
        .micro_batches = 1,
        .reach = 6,
        .peer = true,
        .ties = seed % 4 == 1,
    };
}

vdnn_random_model vdnn_random_model_big(uint64_t seed, int32_t layers)
{
    vdnn_random_model request = draw_picture(seed);
    request.layers = layers;
    request.max_channels = 3;
    request.micro_batches = 1;
    request.missing = 0;
    request.ties = request.words = false;
    return request;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void key_range(const writer *w, const vdnn_key *key, double *low, double *high)
{
    *low = 1;
    *high = strcmp(key->name, "out") == 0 ? (double)w->request->max_channels : 3;
    for (size_t i = 0; i < sizeof key_ranges / sizeof *key_ranges; i++)
        if (strcmp(key->name, key_ranges[i].name) == 0) {
            *low = key_ranges[i].low;
            *high = w->request->peer ? key_ranges[i].peer_high : key_ranges[i].high;
        }
    if (*low < key->min)
        *low = key->min;
    if (*high > key->max)
        *high = key->max;
}

static bool is_known_key(const vdnn_key *key)
{
    for (size_t i = 0; i < sizeof key_ranges / sizeof *key_ranges; i++)
        if (strcmp(key->name, key_ranges[i].name) == 0)
            return true;
    return false;
}

static void set_key(unsigned char *config, const vdnn_key *key, double a, double b, double c)
{
    const int64_t sides[VDNN_SIDES] = {(int64_t)a, (int64_t)b, (int64_t)c};
    const bool flag = a != 0;
    switch (key->kind) {
    case VDNN_KEY_INT:
    case VDNN_KEY_WORD:
        memcpy(config + key->offset, sides, sizeof *sides);
        break;
    case VDNN_KEY_PAIR:
        memcpy(config + key->offset, sides, 2 * sizeof *sides);
        break;
    case VDNN_KEY_SIDES:
        memcpy(config + key->offset, sides, sizeof sides);
        break;
    case VDNN_KEY_REAL:
        memcpy(config + key->offset, &a, sizeof a);
        break;
    case VDNN_KEY_BOOL:
        memcpy(config + key->offset, &flag, sizeof flag);
        break;
    }
}

static void preset_key(trial *t, const vdnn_key *key)
{
    static const size_t sizes[] = {
        [VDNN_KEY_INT] = sizeof(int64_t),  [VDNN_KEY_PAIR] = 2 * sizeof(int64_t),
        [VDNN_KEY_REAL] = sizeof(double),  [VDNN_KEY_BOOL] = sizeof(bool),
        [VDNN_KEY_WORD] = sizeof(int64_t), [VDNN_KEY_SIDES] = VDNN_SIDES * sizeof(int64_t)};
    const vdnn_layer_def *def = t->layer.def;
    set_key(t->config, key, key->preset, key->preset, key->preset);
    for (size_t k = 0; key->preset_key != NULL && k < def->key_count; k++)
        if (strcmp(def->keys[k].name, key->preset_key) == 0)
            memcpy(t->config + key->offset, t->config + def->keys[k].offset, sizes[key->kind]);
}

static bool is_of_volumes(const writer *w)
{
    return vdnn_desc_is_volume(&w->nodes[0].desc);
}

static void draw_keys(writer *w, trial *t)
{
    const vdnn_layer_def *def = t->layer.def;
    for (size_t k = 0; k < def->key_count; k++) {
        const vdnn_key *key = &def->keys[k];
        const bool stays = !key->required && (!is_known_key(key) || pick(w, 0, 1) == 0);
        t->written[k] = !stays;
        if (stays) {
            preset_key(t, key);
            continue;
        }
        double low, high;
        key_range(w, key, &low, &high);
        double a = (double)pick(w, (int64_t)low, (int64_t)high), b = a, c = a;
        if ((key->kind == VDNN_KEY_PAIR || key->kind == VDNN_KEY_SIDES) && pick(w, 0, 3) == 0) {
            b = (double)pick(w, (int64_t)low, (int64_t)high);
            c = is_of_volumes(w) ? (double)pick(w, (int64_t)low, (int64_t)high) : -1;
        }
        if (key->kind == VDNN_KEY_REAL)
            a = low + (high - low) * (double)pick(w, 0, 64) / 64;
        set_key(t->config, key, a, b, c);
    }
}

static void write_key(writer *w, const trial *t, size_t k)
{
    const vdnn_key *key = &t->layer.def->keys[k];
    int64_t pair[VDNN_SIDES] = {0, 0, 0};
    double real = 0;
    bool flag = false;
    switch (key->kind) {
    case VDNN_KEY_INT:
        memcpy(pair, t->config + key->offset, sizeof *pair);
        vdnn_text_add(w->text, ", %s: %lld", key->name, (long long)pair[0]);
        break;
    case VDNN_KEY_PAIR:
        memcpy(pair, t->config + key->offset, 2 * sizeof *pair);
        if (pair[0] == pair[1])
            vdnn_text_add(w->text, ", %s: %lld", key->name, (long long)pair[0]);
        else
            vdnn_text_add(w->text, ", %s: [%lld, %lld]", key->name, (long long)pair[0],
                          (long long)pair[1]);
        break;
    case VDNN_KEY_SIDES:
        memcpy(pair, t->config + key->offset, sizeof pair);
        vdnn_text_add(w->text, ", %s: [", key->name);
        if (vdnn_desc_is_volume(&t->layer.x[0]))
            vdnn_text_add(w->text, "%lld, ", (long long)pair[VDNN_SIDE_D]);
        vdnn_text_add(w->text, "%lld, %lld]", (long long)pair[VDNN_SIDE_H],
                      (long long)pair[VDNN_SIDE_W]);
        break;
    case VDNN_KEY_REAL:
        memcpy(&real, t->config + key->offset, sizeof real);
        vdnn_text_add(w->text, ", %s: %.17g", key->name, real);
        break;
    case VDNN_KEY_BOOL:
        memcpy(&flag, t->config + key->offset, sizeof flag);
        vdnn_text_add(w->text, ", %s: %s", key->name, flag ? "true" : "false");
        break;
    case VDNN_KEY_WORD:
        memcpy(pair, t->config + key->offset, sizeof *pair);
        vdnn_text_add(w->text, ", %s: %s", key->name,
                      vdnn_layer_def_words(t->layer.def, k)[pair[0]]);
        break;
    }
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* The same for sequences, which layers of pictures do not read. */
static const struct {
    const char *type;
    int weight;
} sequence_weights[] = {{"fc", 30},      {"attention", 40},   {"lstm", 6},
                        {"flatten", 0},  {"softmax_loss", 0}, {"global_avgpool", 1},
                        {"relu", USUAL}, {"concat", 15},      {"layernorm", 2 * USUAL}};

static int sequence_weight(const vdnn_layer_def *def)
{
    for (size_t i = 0; i < sizeof sequence_weights / sizeof *sequence_weights; i++)
        if (strcmp(def->type, sequence_weights[i].type) == 0)
            return sequence_weights[i].weight;
    const bool is_drawn =
        !def->internal && def->input_rule == VDNN_INPUT_ANY && def->target == VDNN_TARGET_NONE;
    return is_drawn ? USUAL / 2 : 0;
}

static int type_weight(const writer *w, const vdnn_layer_def *def)
{
    if (w->request->positions > 0)
        return sequence_weight(def);
    if (w->request->peer && (strcmp(def->type, "dropout") == 0 || strcmp(def->type, "fc") == 0))
        return 0;
    for (size_t i = 0; i < sizeof type_weights / sizeof *type_weights; i++)
        if (strcmp(def->type, type_weights[i].type) == 0)
            return type_weights[i].weight;
    const bool is_drawn =
        !def->internal && def->input_rule != VDNN_INPUT_TOKENS && def->target == VDNN_TARGET_NONE;
    return is_drawn ? USUAL : 0;
}

static const vdnn_layer_def *draw_type(writer *w)
{
    int64_t total = 0;
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        total += type_weight(w, vdnn_layer_def_at(i));
    int64_t at = pick(w, 0, total - 1);
    for (size_t i = 0;; i++) {
        at -= type_weight(w, vdnn_layer_def_at(i));
        if (at < 0)
            return vdnn_layer_def_at(i);
    }
}

/* Mostly the last layer; else an older one in reach, rather one that nothing reads yet. */
static int32_t draw_input(writer *w)
{
    const int32_t last = w->count - 1;
    const int32_t first = last > w->request->reach ? last - w->request->reach : 0;
    if (pick(w, 0, 9) < 7)
        return last;
    for (int32_t i = first; i < last; i++)
        if (w->nodes[i].readers == 0 && pick(w, 0, 1) == 0)
            return i;
    return (int32_t)pick(w, first, last);
}

/* Another one for a layer with several inputs: of the same height and width where there is one. */
static int32_t draw_partner(writer *w, int32_t with)
{
    int32_t partner = draw_input(w);
    const int64_t *dims = w->nodes[with].desc.dims;
    for (int i = 0; i < TRIES; i++) {
        const int64_t *other = w->nodes[partner].desc.dims;
        if (partner != with && other[VDNN_H] == dims[VDNN_H] && other[VDNN_W] == dims[VDNN_W] &&
            w->nodes[partner].desc.depth == w->nodes[with].desc.depth)
            break;
        const int32_t reach = w->request->reach < w->count - 1 ? w->request->reach : w->count - 1;
        partner = w->count - 1 - (int32_t)pick(w, 0, reach);
    }
    return partner;
}

/* Now and then a layer like an earlier one, whose weight it reads; 0: none. */
static int32_t draw_owner(writer *w)
{
    if (!w->request->ties || vdnn_test_between(&w->tie_rng, 0, 1) > 0)
        return 0;
    for (int i = 0; i < TRIES && w->count > 1; i++) {
        int32_t owner = (int32_t)vdnn_test_between(&w->tie_rng, 1, w->count - 1);
        if (w->nodes[owner].has_own_weight)
            return owner;
    }
    return 0;
}

static void copy_keys(const writer *w, trial *t)
{
    const node *owner = &w->nodes[t->weight_of];
    memcpy(t->config, owner->config, sizeof t->config);
    memcpy(t->written, owner->written, sizeof t->written);
}

static bool suits_owner(const writer *w, const trial *t)
{
    const vdnn_param *weight = &w->nodes[t->weight_of].weight, *own = &t->layer.params[0];
    return t->weight_of == 0 || (own->dim_count == weight->dim_count &&
                                 memcmp(own->dims, weight->dims, sizeof own->dims) == 0);
}

static void prepare(writer *w, trial *t, const vdnn_layer_def *def)
{
    memset(t, 0, sizeof *t);
    VDNN_INVARIANT(def->config_bytes, <=, CONFIG_BYTES);
    VDNN_INVARIANT(def->key_count, <=, sizeof t->written);
    static char name[] = "candidate";
    t->layer.name = name;
    t->layer.def = def;
    t->layer.config = t->config;
    t->layer.x = t->x;
    t->layer.classes = w->request->classes;
    t->layer.ignored = VDNN_NO_LABEL;
    const int most =
        def->max_inputs == 0 || def->max_inputs > MAX_INPUTS ? MAX_INPUTS : def->max_inputs;
    const int least = def->min_inputs < 2 && def->max_inputs != 1 ? 2 : def->min_inputs;
    t->layer.input_count = (int32_t)pick(w, least, most);
    for (int32_t i = 0; i < t->layer.input_count; i++) {
        t->from[i] = i == 0 ? draw_input(w) : draw_partner(w, t->from[0]);
        t->x[i] = w->nodes[t->from[i]].desc;
    }
    draw_keys(w, t);
}

/* PyTorch refuses to rectify in place what a rectifier keeps for backward. And of few values, a
 * batch norm leaves no more than their rounding. */
static bool suits_peer(const writer *w, const trial *t)
{
    const vdnn_layer_def *def = t->layer.def, *below = w->nodes[t->from[0]].def;
    const int64_t *dims = t->x[0].dims;
    if (strcmp(def->type, "batchnorm") == 0)
        return dims[VDNN_N] * dims[VDNN_H] * dims[VDNN_W] >= 32;
    return strcmp(def->type, "relu") != 0 || below != def;
}

/* Large networks may not run out of pixels: a layer that makes its map much smaller is drawn
 * rarely. */
static bool is_welcome(writer *w, const trial *t)
{
    const vdnn_desc *x = &t->x[0], *y = &t->layer.y;
    const bool shrinks = w->request->positions == 0 &&
                         (y->dims[VDNN_H] < x->dims[VDNN_H] || y->dims[VDNN_W] < x->dims[VDNN_W]);
    const bool grows = vdnn_desc_count(y) > w->request->max_cells * w->request->batch;
    if (w->request->peer && !suits_peer(w, t))
        return false;
    return !grows && (!shrinks || pick(w, 1, w->request->layers) <= 8);
}

/* As many as there are samples, or fewer; often those of the layer before; 1: the layer runs for
 * all of them. */
static int64_t draw_parts(writer *w, const trial *t)
{
    const int64_t most = vdnn_part_most(&t->layer, VDNN_AXIS_SAMPLES);
    if (w->request->peer || w->request->seed % 2 != 0 || most < 2)
        return 1;
    if (w->parts > 1 && w->parts <= most && vdnn_test_between(&w->parts_rng, 0, 5) > 0)
        return w->parts;
    return vdnn_test_between(&w->parts_rng, 0, 1) > 0 ? 1
                                                      : vdnn_test_between(&w->parts_rng, 2, most);
}

/* Whatever the layouts of its maps turn out to be. */
static int64_t most_channel_parts(const writer *w, const trial *t)
{
    vdnn_desc x[MAX_INPUTS];
    vdnn_layer other = t->layer;
    memcpy(x, t->x, sizeof x);
    for (int32_t i = 0; i < other.input_count; i++)
        x[i].layout = w->request->preferred;
    other.x = x;
    other.y.layout = w->request->preferred;
    const int64_t plain = vdnn_part_most(&t->layer, VDNN_AXIS_CHANNELS),
                  preferred = vdnn_part_most(&other, VDNN_AXIS_CHANNELS);
    return plain < preferred ? plain : preferred;
}

static int64_t draw_channel_parts(writer *w, const trial *t)
{
    const bool may_tie = w->request->ties && t->layer.def->ties_weight;
    const int64_t most = most_channel_parts(w, t);
    if (w->request->peer || w->request->seed % 2 != 0 || may_tie || most < 2 ||
        vdnn_test_between(&w->channels_rng, 0, 2) > 0)
        return 1;
    return vdnn_test_between(&w->channels_rng, 2,
                             most < MOST_CHANNEL_PARTS ? most : MOST_CHANNEL_PARTS);
}

static void write_parts(writer *w, const trial *t)
{
    const int64_t samples = draw_parts(w, t), channels = draw_channel_parts(w, t);
    w->parts = samples;
    if (channels > 1)
        vdnn_text_add(w->text, ", parts: {samples: %lld, channels: %lld}", (long long)samples,
                      (long long)channels);
    else if (samples > 1)
        vdnn_text_add(w->text, ", parts: %lld", (long long)samples);
}

/* In one network of eight one layer in two that has parameters. Layers that share a weight are
 * frozen together or not at all: none of them is. */
static void write_frozen(writer *w, const trial *t)
{
    const bool may_tie = w->request->ties && t->layer.def->ties_weight;
    if (w->request->seed % 8 == 5 && !w->request->peer && !may_tie && t->layer.param_count > 0 &&
        vdnn_test_between(&w->frozen_rng, 0, 1) > 0)
        vdnn_text_put(w->text, ", frozen: true");
}

/* In another one of eight; 12 channels are as many groups as a convolution has here. */
static void write_lora(writer *w, const trial *t)
{
    const bool may_tie = w->request->ties && t->layer.def->ties_weight;
    if (w->request->seed % 8 == 6 && !may_tie && t->weight_of == 0 && t->layer.def->adapt != NULL &&
        vdnn_test_between(&w->frozen_rng, 0, 1) > 0)
        vdnn_text_put(w->text, ", lora: {rank: 12, alpha: 3}");
}

static void write_layer(writer *w, const trial *t)
{
    const char *first = w->request->positions > 0 ? "begin" : "input";
    vdnn_text_add(w->text, "  - {name: l%d, type: %s", w->count, t->layer.def->type);
    const bool single = t->layer.input_count == 1;
    if (!single || t->from[0] != w->count - 1 || pick(w, 0, 3) == 0) {
        vdnn_text_add(w->text, ", from: %s", single ? "" : "[");
        for (int32_t i = 0; i < t->layer.input_count; i++)
            if (t->from[i] == 0)
                vdnn_text_add(w->text, "%s%s", i == 0 ? "" : ", ", first);
            else
                vdnn_text_add(w->text, "%sl%d", i == 0 ? "" : ", ", t->from[i]);
        vdnn_text_add(w->text, "%s", single ? "" : "]");
    }
    for (size_t k = 0; k < t->layer.def->key_count; k++)
        if (t->written[k])
            write_key(w, t, k);
    write_parts(w, t);
    write_frozen(w, t);
    write_lora(w, t);
    if (t->weight_of > 0)
        vdnn_text_add(w->text, ", weight_of: l%d", t->weight_of);
    vdnn_text_add(w->text, "}\n");
    for (int32_t i = 0; i < t->layer.input_count; i++)
        w->nodes[t->from[i]].readers++;
    node *made = &w->nodes[w->count++];
    made->def = t->layer.def;
    made->desc = t->layer.y;
    made->has_own_weight = made->def->ties_weight && t->weight_of == 0;
    made->weight = t->layer.params[0];
    memcpy(made->config, t->config, sizeof made->config);
    memcpy(made->written, t->written, sizeof made->written);
}

static void add_layer(writer *w)
{
    trial t;
    for (int i = 0; i < TRIES; i++) {
        int32_t owner = draw_owner(w);
        prepare(w, &t, owner > 0 ? w->nodes[owner].def : draw_type(w));
        t.weight_of = owner;
        if (owner > 0)
            copy_keys(w, &t);
        if (vdnn_layer_infer(&t.layer) == VDNN_OK && suits_owner(w, &t) && is_welcome(w, &t)) {
            write_layer(w, &t);
            return;
        }
    }
    prepare(w, &t, vdnn_layer_def_find("relu"));
    if (vdnn_layer_infer(&t.layer) == VDNN_OK && (!w->request->peer || suits_peer(w, &t)))
        write_layer(w, &t);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Some heads of attention over the words. */
static void add_attention(writer *w, vdnn_test_rng *rng)
{
    const int kv_heads = (int)vdnn_test_between(rng, 1, 2);
    const int heads = kv_heads * (int)vdnn_test_between(rng, 1, 3);
    vdnn_text_add(w->text,
                  "  - {name: qkv, type: fc, out: %d}\n"
                  "  - {name: heads, type: attention, heads: %d, kv_heads: %d, causal: %s}\n",
                  (heads + 2 * kv_heads) * (int)vdnn_test_between(rng, 1, 5), heads, kv_heads,
                  vdnn_test_between(rng, 0, 1) ? "true" : "false");
}

/* Learned vectors, for up to 9 words or before them. */
static void add_vectors(writer *w, vdnn_test_rng *rng)
{
    const bool is_before = vdnn_test_between(rng, 0, 1) > 0;
    vdnn_text_add(w->text, "  - {name: vectors, type: parameter, join: %s, length: %d}\n",
                  is_before ? "before" : "add",
                  (int)vdnn_test_between(rng, is_before ? 1 : 9, is_before ? 3 : 12));
}

/* The second input as one vector. */
static void add_words(writer *w)
{
    vdnn_test_rng rng = {w->request->seed ^ 0x776f726473};
    vdnn_text_add(w->text, "  - {name: word, type: embedding, from: words, out: %d}\n",
                  (int)vdnn_test_between(&rng, 1, 9));
    if (vdnn_test_between(&rng, 0, 1) > 0)
        add_vectors(w, &rng);
    if (vdnn_test_between(&rng, 0, 1) > 0)
        add_attention(w, &rng);
    vdnn_text_put(w->text, "  - {name: line, type: flatten}\n");
}

/* What all behind the last layer that was drawn is in: mostly the parts of that one. */
static void write_last_parts(const writer *w, bool are_cut)
{
    if (are_cut)
        vdnn_text_add(w->text, ", parts: %lld", (long long)w->parts);
    vdnn_text_add(w->text, "}\n");
}

/* Each of the losses, for the scores of classes are numbers too. */
static const char *draw_loss(const writer *w, bool has_positions, bool are_cut)
{
    static const char *const others[] = {"mse", "bce", "bce, positive_weight: 2.5",
                                         "sampled_softmax, samples: 2"},
                             *const of_positions[] = {"dice, background: true", "mse",
                                                      "dice, background: true, cross_entropy: 0.5",
                                                      "sampled_softmax, samples: 2"};
    enum { OTHERS = sizeof others / sizeof *others };
    vdnn_test_rng rng = {w->request->seed ^ 0x6c6f7373};
    const int64_t i = vdnn_test_between(&rng, 0, 3 * OTHERS - 1);
    if (w->request->peer || i >= OTHERS)
        return "softmax_loss";
    if (has_positions && i == 0 && !are_cut)
        return "dice, background: true, batch: true";
    return has_positions ? of_positions[i] : others[i];
}

/* One vector for each output that nothing reads, all of them joined, a classifier, the loss. */
static void add_classifier(writer *w)
{
    const bool has_words = w->request->words && w->request->positions == 0;
    const bool are_cut = !has_words && w->parts > 1 && vdnn_test_between(&w->parts_rng, 0, 3) > 0;
    const int32_t count = w->count;
    int32_t ends = 0;
    for (int32_t i = 1; i < count; i++)
        ends += w->nodes[i].readers == 0;
    const bool joins = ends > 1 || has_words;
    for (int32_t i = 1; i < count && joins; i++)
        if (w->nodes[i].readers == 0) {
            vdnn_text_add(w->text, "  - {name: end%d, type: fc, from: l%d, out: %d", i, i,
                          (int)pick(w, 1, 3));
            write_last_parts(w, are_cut);
            if (w->request->positions > 0)
                vdnn_text_add(w->text, "  - {name: line%d, type: flatten}\n", i);
        }
    const char *comma = "", *end = w->request->positions > 0 ? "line" : "end";
    if (has_words)
        add_words(w);
    if (joins) {
        vdnn_text_add(w->text, "  - {name: ends, type: concat, from: [");
        for (int32_t i = 1; i < count; i++)
            if (w->nodes[i].readers == 0) {
                vdnn_text_add(w->text, "%s%s%d", comma, end, i);
                comma = ", ";
            }
        vdnn_text_add(w->text, "%s]", has_words ? ", line" : "");
        write_last_parts(w, are_cut);
    }
    vdnn_text_add(w->text, "  - {name: classifier, type: fc, out: %lld",
                  (long long)w->request->classes);
    write_last_parts(w, are_cut);
    vdnn_text_add(
        w->text, "  - {name: loss, type: %s",
        draw_loss(w, !joins && vdnn_desc_is_sequence(&w->nodes[count - 1].desc), are_cut));
    write_last_parts(w, are_cut);
}

static void write_inputs(writer *w)
{
    vdnn_test_rng rng = {w->request->seed ^ 0x746f6b656e73};
    const vdnn_random_model *request = w->request;
    if (request->positions > 0) {
        vdnn_text_add(w->text, "input: {tokens: %lld, vocabulary: %d}\n",
                      (long long)request->positions, (int)vdnn_test_between(&rng, 1, 40));
        return;
    }
    vdnn_text_add(w->text, "%sinput: {channels: %lld, ", request->words ? "inputs:\n  " : "",
                  (long long)request->channels);
    if (request->depth > 0)
        vdnn_text_add(w->text, "depth: %lld, ", (long long)request->depth);
    vdnn_text_add(w->text, "height: %lld, width: %lld}\n", (long long)request->height,
                  (long long)request->width);
    if (request->words)
        vdnn_text_add(w->text, "  words: {tokens: %d, vocabulary: %d}\n",
                      (int)vdnn_test_between(&rng, 1, 9), (int)vdnn_test_between(&rng, 1, 40));
}

vdnn_status vdnn_random_model_write(const vdnn_random_model *request, vdnn_text *text)
{
    writer w = {.request = request,
                .rng = {request->seed ^ 0x5eed},
                .parts_rng = {request->seed ^ 0x7061727473},
                .channels_rng = {request->seed ^ 0x6368616e},
                .tie_rng = {request->seed ^ 0x71e5},
                .frozen_rng = {request->seed ^ 0xf05e4},
                .text = text,
                .parts = 1,
                .count = 1};
    w.nodes = vdnn_heap_calloc((size_t)request->layers + 1, sizeof *w.nodes);
    if (w.nodes == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d layers", request->layers);
    const int64_t samples = request->batch - (request->missing > 0);
    w.nodes[0].desc =
        request->positions > 0
            ? (vdnn_desc){.dims = {samples, request->positions, request->channels, 1},
                          .rank = VDNN_SEQUENCE_RANK}
            : (vdnn_desc){.dims = {samples, request->channels, request->height, request->width},
                          .rank = VDNN_PICTURE_RANK};
    if (request->depth > 0) {
        w.nodes[0].desc.rank = VDNN_VOLUME_RANK;
        w.nodes[0].desc.depth = request->depth;
        w.nodes[0].desc.dims[VDNN_H] *= request->depth;
    }
    vdnn_text_add(text, "name: random_%llu\n", (unsigned long long)request->seed);
    write_inputs(&w);
    vdnn_text_add(text, "classes: %lld\nbatch: %lld\nlayers:\n", (long long)request->classes,
                  (long long)request->batch);
    if (request->positions > 0)
        vdnn_text_add(text, "  - {name: begin, type: embedding, out: %lld}\n",
                      (long long)request->channels);
    for (int32_t i = 0; i < request->layers; i++)
        add_layer(&w);
    add_classifier(&w);
    vdnn_text_add(text,
                  "training: {optimizer: %s, lr: 0.01, weight_decay: 0.0005, clip_norm: %g, "
                  "epochs: 1}\n",
                  vdnn_optimizer_at(request->optimizer)->name, request->clip_norm);
    vdnn_heap_free(w.nodes);
    return text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a random network")
                        : VDNN_OK;
}

/* In place of the graph, the same in other parts. */
static vdnn_status cut(const vdnn_model *model, int32_t count, vdnn_graph **graph)
{
    vdnn_graph_options options = vdnn_graph_asked(*graph);
    vdnn_graph *made = NULL;
    int32_t *parts = vdnn_heap_calloc((size_t)(*graph)->layer_count, sizeof *parts);
    if (parts == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to cut a network");
    vdnn_graph_in_parts(*graph, count, parts);
    options.parts = parts;
    vdnn_status status = vdnn_graph_create(model, &options, &made);
    vdnn_graph_destroy(*graph);
    *graph = made;
    vdnn_heap_free(parts);
    return status;
}

vdnn_status vdnn_random_model_graph(const vdnn_random_model *request, vdnn_rules rules,
                                    vdnn_graph **graph)
{
    vdnn_text text = {0};
    vdnn_model *model = NULL;
    const int64_t batch = request->batch * request->micro_batches - request->missing;
    const vdnn_graph_options options = {.batch = batch,
                                        .devices = request->devices,
                                        .step_batch = request->devices * batch,
                                        .reduce = request->reduce,
                                        .gathers = request->reduce == VDNN_REDUCE_GATHER,
                                        .shards = request->shards,
                                        .micro_batches = request->micro_batches,
                                        .stage = request->stage,
                                        .rules = rules,
                                        .copies_weights = request->copies,
                                        .dtype = request->dtype,
                                        .preferred = request->preferred};
    vdnn_status status = vdnn_random_model_write(request, &text);
    if (status == VDNN_OK)
        status = vdnn_model_parse(text.data, text.length, "random.yaml", &model);
    if (status == VDNN_OK)
        status = vdnn_graph_create(model, &options, graph);
    if (status == VDNN_OK && request->parts > 0)
        status = cut(model, request->parts, graph);
    if (status != VDNN_OK)
        status = vdnn_status_prefix(status, "random network of seed %llu",
                                    (unsigned long long)request->seed);
    vdnn_model_destroy(model);
    vdnn_text_fini(&text);
    return status;
}
