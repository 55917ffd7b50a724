#include "runtime/device/sim/device_reader.h"

#include "layers/layer.h"
#include "models/find.h"
#include "models/places.h"
#include "models/section.h"
#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/base/text.h"
#include "runtime/planner/clock/link.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- the keys -------------------------------------------------------------------------------- */

/* The ranges allow for future cards: a value beyond them is an error of units. */
#define MIB ((double)(1 << 20))
#define PIB ((double)(1LL << 50))

#define FIGURE(kind, section, key, low, high)                                                      \
    {                                                                                              \
#key, VDNN_KEY_##kind, offsetof(vdnn_device_model, section.key),                           \
            .required = true, .min = (low), .max = (high)                                          \
    }
/* As much as another key of its section, where it is absent. */
#define SAME_AS(kind, section, key, low, high, other)                                              \
    {                                                                                              \
#key, VDNN_KEY_##kind, offsetof(vdnn_device_model, section.key),                           \
            .preset_key = #other, .min = (low), .max = (high)                                      \
    }
#define OPTION(kind, section, key, low, high, absent)                                              \
    {                                                                                              \
#key, VDNN_KEY_##kind, offsetof(vdnn_device_model, section.key),                           \
            .preset = (absent), .min = (low), .max = (high)                                        \
    }

static const vdnn_key memory_keys[] = {
    FIGURE(INT, memory, bytes, MIB, PIB),
    SAME_AS(INT, memory, usable_bytes, MIB, PIB, bytes),
    FIGURE(REAL, memory, bytes_per_second, 1e8, 1e15),
};

static const vdnn_key compute_keys[] = {
    FIGURE(REAL, compute, f32_flops_per_second, 1e8, 1e18),
    OPTION(REAL, compute, tf32_flops_per_second, 0, 1e18, 0),
    OPTION(REAL, compute, bf16_flops_per_second, 0, 1e18, 0),
    OPTION(REAL, compute, f16_flops_per_second, 0, 1e18, 0),
    OPTION(INT, compute, tensor_channels, 0, 64, 0),
    OPTION(INT, compute, tensor_pads_to, 0, 64, 0),
    OPTION(INT, compute, tensor_tile, 0, 128, 0),
    OPTION(INT, compute, tensor_splits, 0, 1, 0),
    OPTION(INT, compute, tensor_skips, 0, 1, 0),
    OPTION(REAL, compute, tensor_launch_seconds, 0, 1e-2, 0),
    FIGURE(REAL, compute, launch_seconds, 0, 1e-2),
    FIGURE(INT, compute, multiprocessors, 1, 65536),
};

static const vdnn_key link_keys[] = {
    FIGURE(REAL, link, out_bytes_per_second, 1e6, 1e14),
    FIGURE(REAL, link, in_bytes_per_second, 1e6, 1e14),
    OPTION(REAL, link, both_bytes_per_second, 0, 1e14, 0),
    FIGURE(REAL, link, latency_seconds, 0, 1),
    OPTION(REAL, link, out_beside_bytes_per_second, 0, 1e14, 0),
    OPTION(REAL, link, in_beside_bytes_per_second, 0, 1e14, 0),
    OPTION(REAL, link, out_slows_products, 1, 100, 0),
    OPTION(REAL, link, in_slows_products, 1, 100, 0),
    OPTION(REAL, link, out_slows_moves, 1, 100, 0),
    OPTION(REAL, link, in_slows_moves, 1, 100, 0),
    OPTION(INT, link, devices, 1, VDNN_LINK_DEVICES, 1),
};

static const vdnn_key host_keys[] = {
    FIGURE(INT, host, bytes, MIB, PIB),
    OPTION(REAL, host, bytes_per_second, 1e8, 1e15, 60e9),
};

/* Without the section: devices on PCI Express, and hosts on an Ethernet of 100 Gbit/s. */
static const vdnn_key peer_keys[] = {
    OPTION(INT, peers, devices, 2, 65536, 8),
    SAME_AS(INT, peers, near_devices, 2, 65536, devices),
    OPTION(REAL, peers, bytes_per_second, 0, 1e14, 0),
    SAME_AS(REAL, peers, far_bytes_per_second, 0, 1e14, bytes_per_second),
    OPTION(REAL, peers, start_seconds, 0, 1, 20e-6),
    OPTION(REAL, peers, hop_seconds, 0, 1, 5e-6),
    OPTION(REAL, peers, compute_share, 0, 1, 0.65),
    OPTION(INT, peers, shares_link, 0, 1, 1),
    SAME_AS(INT, peers, near_shares_link, 0, 1, shares_link),
    OPTION(REAL, peers, network_bytes_per_second, 1e6, 1e14, 10e9),
    OPTION(REAL, peers, network_hop_seconds, 0, 1, 10e-6),
};

static const vdnn_key layer_keys[] = {
    FIGURE(REAL, layers, memory_efficiency, 0.01, 1),
    FIGURE(REAL, layers, gemm_efficiency, 0.01, 1),
    FIGURE(INT, layers, gemm_tile, 1, 1024),
};

static const struct {
    const char *name;
    const vdnn_key *keys;
    size_t key_count;
} sections[] = {
#define SECTION(name)                                                                              \
    {                                                                                              \
#name, name##_keys, COUNT(name##_keys)                                                     \
    }
    SECTION(memory),
    SECTION(compute),
    SECTION(link),
    SECTION(host),
    {"layers", layer_keys, COUNT(layer_keys)},
    {"peers", peer_keys, COUNT(peer_keys)},
#undef SECTION
};

static const vdnn_key rate_keys[] = {
#define X(key, low, high, is_required)                                                             \
    {#key,         VDNN_KEY_REAL, offsetof(vdnn_cost_rate, key), .required = (is_required),        \
     .min = (low), .max = (high)},
    VDNN_COST_RATE_TABLE(X)
#undef X
};

/* The algorithms, then the other keys of the section of convolutions. */
static const char *const algorithms[] = {
#define X(upper, lower) #lower,
    VDNN_COST_ALGORITHM_TABLE(X)
#undef X
        "like",
    "source", "basis"};
enum { WORD_LIKE = VDNN_COST_ALGORITHM_COUNT, WORD_SOURCE, WORD_BASIS };

static const char *const passes[] = {
#define X(name, value, text) text,
    VDNN_PASS_TABLE(X)
#undef X
};

static const char *const top_keys[] = {
    "name", "calibrated", "source",
    /* then those of `sections`, in their order */
    "memory", "compute", "link", "host", "layers", "peers", "convolution",
    /* which must be there up to here, but source and peers */
    "tensor_convolution", "product", "tensor_product", "accuracy", "tensor_accuracy"};
enum {
    TOP_NAME,
    TOP_CALIBRATED,
    TOP_SOURCE,
    TOP_SECTIONS,
    TOP_CONVOLUTION = COUNT(top_keys) - 6,
    TOP_PEERS = TOP_CONVOLUTION - 1,
    TOP_ACCURACY = COUNT(top_keys) - 2,
    TOP_TENSOR_ACCURACY = COUNT(top_keys) - 1
};

static const char *const product_words[] = {"like", "source", "basis"};
enum { PRODUCT_LIKE, PRODUCT_SOURCE, PRODUCT_BASIS };

static const vdnn_key calibrated_key = {"calibrated", VDNN_KEY_BOOL,
                                        offsetof(vdnn_device_model, is_calibrated), .max = 1};

#define ACCURACY(section)                                                                          \
    {                                                                                              \
        OPTION(INT, section, timings, 0, 1e9, 0), FIGURE(REAL, section, half_within, 1e-3, 10),    \
            FIGURE(REAL, section, nine_tenths_within, 1e-3, 100),                                  \
    }
static const vdnn_key accuracy_keys[] = ACCURACY(accuracy);
static const vdnn_key tensor_accuracy_keys[] = ACCURACY(tensor_accuracy);
#undef ACCURACY

enum { MOST_LIKES = 4 }; /* models that are read for the convolutions of one */

/* ---- reading --------------------------------------------------------------------------------- */

/* A mapping whose keys are all required words: *values are their nodes. */
static vdnn_status read_words(const vdnn_yaml_tree *tree, int32_t node, const char *what,
                              const char *const *words, size_t count, int32_t *values)
{
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = what,
                            .others = words,
                            .other_count = count,
                            .values = values};
    return vdnn_section_read(&section);
}

/* `bases` are nodes of words, or -1, by key. */
static vdnn_status read_figures(const vdnn_yaml_tree *tree, int32_t node, const char *what,
                                const vdnn_key *keys, size_t count, void *config,
                                int32_t bases[VDNN_SECTION_MAX_KEYS])
{
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = what,
                            .keys = keys,
                            .key_count = count,
                            .config = config,
                            .sourced = true,
                            .bases = bases};
    return vdnn_section_read(&section);
}

/* A node of -1: it is not said. */
static vdnn_status read_basis(const vdnn_yaml_tree *tree, int32_t node, const char *section,
                              const char *key, vdnn_basis *basis)
{
    const char *names[VDNN_BASIS_COUNT];
    char quoted[VDNN_YAML_QUOTE_BYTES], hint[128];
    if (node < 0)
        return VDNN_OK;
    bool scalar = tree->nodes[node].kind == VDNN_YAML_SCALAR;
    const char *text = scalar ? vdnn_yaml_tree_text(tree, node) : "";
    if (vdnn_basis_parse(text, basis))
        return VDNN_OK;
    for (int i = 1; i < VDNN_BASIS_COUNT; i++)
        names[i - 1] = vdnn_basis_text((vdnn_basis)i);
    return vdnn_yaml_tree_refuse(
        tree, tree->nodes[node].line,
        "basis of %s%s%s is %s, expected datasheet, measured, fitted, other_card, construction or "
        "assumed%s",
        section, key == NULL ? "" : ".", key == NULL ? "" : key,
        vdnn_yaml_tree_quote(quoted, tree, node),
        vdnn_text_hint(hint, sizeof hint, text, names, VDNN_BASIS_COUNT - 1));
}

static vdnn_status note_figure(const vdnn_yaml_tree *tree, int32_t basis, vdnn_figure figure,
                               vdnn_device_model *model)
{
    VDNN_INVARIANT(model->figure_count, <, VDNN_DEVICE_FIGURES);
    vdnn_status status = read_basis(tree, basis, figure.section, figure.key, &figure.basis);
    model->figures[model->figure_count++] = figure;
    return status;
}

/* One section of figures into the model and into its list of them. */
static vdnn_status read_section(const vdnn_yaml_tree *tree, int32_t node, size_t s,
                                vdnn_device_model *model)
{
    int32_t bases[VDNN_SECTION_MAX_KEYS];
    vdnn_status status = read_figures(tree, node, sections[s].name, sections[s].keys,
                                      sections[s].key_count, model, bases);
    for (size_t k = 0; status == VDNN_OK && node >= 0 && k < sections[s].key_count; k++) {
        const vdnn_key *key = &sections[s].keys[k];
        bool said = vdnn_yaml_tree_find(tree, node, key->name) >= 0;
        const void *at = (const char *)model + key->offset;
        int64_t whole;
        vdnn_figure figure = {sections[s].name, key->name, 0, VDNN_BASIS_UNSTATED};
        if (!said && key->preset_key == NULL)
            continue;
        if (!said)
            figure.basis = VDNN_BASIS_ASSUMED;
        if (key->kind == VDNN_KEY_REAL) {
            memcpy(&figure.value, at, sizeof figure.value);
        } else {
            memcpy(&whole, at, sizeof whole);
            figure.value = (double)whole;
        }
        status = note_figure(tree, bases[k], figure, model);
    }
    return status;
}

static vdnn_status read_name(const vdnn_yaml_tree *tree, int32_t node, vdnn_device_model *model)
{
    char quoted[VDNN_YAML_QUOTE_BYTES];
    bool scalar = tree->nodes[node].kind == VDNN_YAML_SCALAR;
    const char *name = scalar ? vdnn_yaml_tree_text(tree, node) : "";
    size_t length = strlen(name);
    (void)vdnn_yaml_tree_quote(quoted, tree, node);
    if (length == 0 || length >= sizeof model->name)
        return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                     "name of the device is %s, expected 1 to %zu letters", quoted,
                                     sizeof model->name - 1);
    if (vdnn_text_has_control(name))
        return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                     "name of the device is %s, with a control character", quoted);
    memcpy(model->name, name, length + 1);
    return VDNN_OK;
}

/* The sections of rates: of the units for f32, then of those for smaller types. */
#define RATES(section)                                                                             \
    {                                                                                              \
#section, offsetof(vdnn_device_model, section),                                            \
            sizeof(((vdnn_device_model *)NULL)->section)                                           \
    }
static const struct {
    const char *name;
    size_t offset, bytes;
} units[] = {RATES(convolution), RATES(tensor_convolution), RATES(product), RATES(tensor_product)};
#undef RATES
enum { CONVOLUTION, TENSOR_CONVOLUTION, PRODUCT, TENSOR_PRODUCT };

typedef vdnn_cost_rate algorithm_rates[VDNN_PASS_COUNT];

static void *unit_of(vdnn_device_model *model, size_t unit)
{
    return (char *)model + units[unit].offset;
}

static algorithm_rates *rates_of(vdnn_device_model *model, size_t unit)
{
    return unit_of(model, unit);
}

static vdnn_status read_algorithm(const vdnn_yaml_tree *tree, int32_t node, size_t algorithm,
                                  vdnn_cost_rate *rates)
{
    int32_t values[VDNN_PASS_COUNT], bases[VDNN_SECTION_MAX_KEYS];
    char what[64];
    memset(rates, 0, sizeof(algorithm_rates));
    (void)snprintf(what, sizeof what, "%s of convolution", algorithms[algorithm]);
    vdnn_status status = read_words(tree, node, what, passes, VDNN_PASS_COUNT, values);
    for (size_t p = 0; status == VDNN_OK && p < VDNN_PASS_COUNT; p++) {
        (void)snprintf(what, sizeof what, "%s of %s", passes[p], algorithms[algorithm]);
        if (values[p] >= 0)
            status =
                read_figures(tree, values[p], what, rate_keys, COUNT(rate_keys), &rates[p], bases);
    }
    return status;
}

/* Implicit GEMM computes every convolution, so there is always a choice. */
static vdnn_status check_convolution(const vdnn_yaml_tree *tree, int32_t node, size_t unit,
                                     vdnn_device_model *model)
{
    for (size_t p = 0; p < VDNN_PASS_COUNT; p++)
        if (rates_of(model, unit)[VDNN_COST_IMPLICIT_GEMM][p].efficiency <= 0)
            return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                         "%s has no implicit_gemm for %s, which every device must "
                                         "have",
                                         units[unit].name, passes[p]);
    return VDNN_OK;
}

static vdnn_status load(const char *path, int depth, vdnn_device_model *model);

static const vdnn_find_what device_model = {"device model", "/devices"};

/* A model is looked for next to the one that names it, then among the shipped ones. */
static vdnn_status find_fellow(const vdnn_yaml_tree *tree, const char *name, char **path)
{
    char beside[PATH_MAX];
    const char *end = strrchr(tree->path, '/');
    int folder = end == NULL ? 0 : (int)(end + 1 - tree->path);
    int length = snprintf(beside, sizeof beside, "%.*s%s.yaml", folder, tree->path, name);
    if (length < (int)sizeof beside &&
        vdnn_find_file(&device_model, beside, NULL, 0, path) == VDNN_OK)
        return VDNN_OK;
    return vdnn_device_model_find(name, path);
}

/* The rates of another model, by name. */
static vdnn_status read_like(const vdnn_yaml_tree *tree, int32_t node, int depth, size_t unit,
                             vdnn_device_model *model)
{
    vdnn_device_model other;
    char quoted[VDNN_YAML_QUOTE_BYTES];
    int line = tree->nodes[node].line;
    bool scalar = tree->nodes[node].kind == VDNN_YAML_SCALAR;
    const char *name = scalar ? vdnn_yaml_tree_text(tree, node) : "", *what = units[unit].name;
    (void)vdnn_yaml_tree_quote(quoted, tree, node);
    if (*name == '\0' || strchr(name, '/') != NULL)
        return vdnn_yaml_tree_refuse(tree, line,
                                     "like of %s is %s, expected the name of another device model",
                                     what, quoted);
    if (depth == MOST_LIKES)
        return vdnn_yaml_tree_refuse(tree, line,
                                     "like of %s is %s, the %dth model of a chain or ring of "
                                     "them; name the one that has the figures",
                                     what, quoted, MOST_LIKES + 1);
    char *path = NULL;
    vdnn_status status = find_fellow(tree, name, &path);
    VDNN_IF_OK(status, load(path, depth + 1, &other));
    vdnn_heap_free(path);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "%s:%d: like of %s", tree->path, line, what);
    memcpy(unit_of(model, unit), unit_of(&other, unit), units[unit].bytes);
    return VDNN_OK;
}

static vdnn_status read_convolution(const vdnn_yaml_tree *tree, int32_t node, int depth,
                                    size_t unit, vdnn_device_model *model)
{
    int32_t values[COUNT(algorithms)];
    vdnn_status status =
        read_words(tree, node, units[unit].name, algorithms, COUNT(algorithms), values);
    if (status == VDNN_OK && values[WORD_LIKE] >= 0)
        status = read_like(tree, values[WORD_LIKE], depth, unit, model);
    for (size_t a = 0; status == VDNN_OK && a < VDNN_COST_ALGORITHM_COUNT; a++)
        if (values[a] >= 0)
            status = read_algorithm(tree, values[a], a, rates_of(model, unit)[a]);
    VDNN_IF_OK(status, note_figure(tree, values[WORD_BASIS],
                                   (vdnn_figure){units[unit].name, NULL, 0,
                                                 values[WORD_LIKE] < 0 ? VDNN_BASIS_UNSTATED
                                                                       : VDNN_BASIS_OTHER_CARD},
                                   model));
    return status == VDNN_OK ? check_convolution(tree, node, unit, model) : status;
}

/* One rate, or that of another model. */
static vdnn_status read_product(const vdnn_yaml_tree *tree, int32_t node, int depth, size_t unit,
                                vdnn_device_model *model)
{
    int32_t bases[VDNN_SECTION_MAX_KEYS], values[COUNT(product_words)];
    bool is_like = vdnn_yaml_tree_find(tree, node, product_words[PRODUCT_LIKE]) >= 0;
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = units[unit].name,
                            .keys = rate_keys,
                            .key_count = is_like ? 0 : COUNT(rate_keys),
                            .config = unit_of(model, unit),
                            .others = product_words,
                            .other_count = COUNT(product_words),
                            .values = values,
                            .bases = bases};
    vdnn_status status = vdnn_section_read(&section);
    if (status == VDNN_OK && is_like)
        status = read_like(tree, values[PRODUCT_LIKE], depth, unit, model);
    vdnn_figure figure = {units[unit].name, NULL, 0,
                          is_like ? VDNN_BASIS_OTHER_CARD : VDNN_BASIS_UNSTATED};
    return status == VDNN_OK ? note_figure(tree, values[PRODUCT_BASIS], figure, model) : status;
}

/* A model without rates for smaller types computes them by those of f32, relative to their peak. */
static vdnn_status read_rates(const vdnn_yaml_tree *tree, const int32_t *values, int depth,
                              vdnn_device_model *model)
{
    const int32_t *node = values + TOP_CONVOLUTION;
    vdnn_status status = read_convolution(tree, node[CONVOLUTION], depth, CONVOLUTION, model);
    if (status == VDNN_OK && node[TENSOR_CONVOLUTION] >= 0)
        status = read_convolution(tree, node[TENSOR_CONVOLUTION], depth, TENSOR_CONVOLUTION, model);
    else
        memcpy(model->tensor_convolution, model->convolution, sizeof model->convolution);
    if (status == VDNN_OK && node[PRODUCT] >= 0)
        status = read_product(tree, node[PRODUCT], depth, PRODUCT, model);
    if (status == VDNN_OK && node[TENSOR_PRODUCT] >= 0)
        return read_product(tree, node[TENSOR_PRODUCT], depth, TENSOR_PRODUCT, model);
    model->tensor_product = model->product;
    return status;
}

/* How far its times were from published ones; who fitted it writes that down with the rates. */
static vdnn_status read_accuracy(const vdnn_yaml_tree *tree, int32_t node, const char *what,
                                 const vdnn_key *keys, vdnn_device_model *model)
{
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = what,
                            .keys = keys,
                            .key_count = COUNT(accuracy_keys),
                            .config = model};
    return node < 0 ? VDNN_OK : vdnn_section_read(&section);
}

/* Figures that no card can have together: an error of units, most often. */
static const struct {
    const char *key;
    int section; /* index of top_keys */
    size_t value, bound;
    bool is_least; /* the bound is the least value, else the most */
    const char *why;
} relations[] = {
#define PEAK(type)                                                                                  \
    {                                                                                               \
#type "_flops_per_second", TOP_SECTIONS + 1,                                                \
            offsetof(vdnn_device_model, compute.type##_flops_per_second),                           \
            offsetof(vdnn_device_model, compute.f32_flops_per_second), true,                        \
            "less than f32_flops_per_second; leave it out where the card has no units for the type" \
    }
#define DIRECTION(section, index, key)                                                             \
    {                                                                                              \
#key, TOP_SECTIONS + (index), offsetof(vdnn_device_model, section.key),                    \
            offsetof(vdnn_device_model, memory.bytes_per_second), false,                           \
            "more than the device's memory, bytes_per_second of memory"                            \
    }
    PEAK(tf32),
    PEAK(bf16),
    PEAK(f16),
    DIRECTION(link, 2, out_bytes_per_second),
    DIRECTION(link, 2, in_bytes_per_second),
    DIRECTION(peers, 5, bytes_per_second),
    DIRECTION(peers, 5, far_bytes_per_second),
    DIRECTION(peers, 5, network_bytes_per_second),
#undef PEAK
#undef DIRECTION
};

static double figure_at(const vdnn_device_model *model, size_t offset)
{
    double value;
    memcpy(&value, (const char *)model + offset, sizeof value);
    return value;
}

static vdnn_status check_relations(const vdnn_yaml_tree *tree, const int32_t *values,
                                   const vdnn_device_model *model)
{
    for (size_t i = 0; i < COUNT(relations); i++) {
        double value = figure_at(model, relations[i].value);
        double bound = figure_at(model, relations[i].bound);
        int32_t section = values[relations[i].section];
        if (value <= 0 || section < 0 || (relations[i].is_least ? value >= bound : value <= bound))
            continue;
        int32_t node = vdnn_yaml_tree_find(tree, section, relations[i].key);
        return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line, "%s of %s is %g, %s (%g)",
                                     relations[i].key, top_keys[relations[i].section], value,
                                     relations[i].why, bound);
    }
    return VDNN_OK;
}

/* Rates that may be left out, or 0: a number that is neither is in another unit. */
static vdnn_status check_units(const vdnn_yaml_tree *tree, int32_t section,
                               const vdnn_device_model *model)
{
    static const double least = 1e6;
    const struct {
        const char *key;
        double value;
    } rates[] = {{"bytes_per_second", model->peers.bytes_per_second},
                 {"far_bytes_per_second", model->peers.far_bytes_per_second}};
    for (size_t i = 0; section >= 0 && i < COUNT(rates); i++) {
        int32_t node = vdnn_yaml_tree_find(tree, section, rates[i].key);
        if (node >= 0 && rates[i].value > 0 && rates[i].value < least)
            return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                         "%s of peers is %g, expected bytes in a second, %g and "
                                         "more, or 0, that of the link",
                                         rates[i].key, rates[i].value, least);
    }
    return VDNN_OK;
}

/* Tiles are halves of the widest; one that is not is an error of another unit, most often. */
static vdnn_status check_tile(const vdnn_yaml_tree *tree, int32_t section,
                              const vdnn_device_model *model)
{
    int64_t tile = model->compute.tensor_tile;
    if (tile == 0 || tile == 32 || tile == 64 || tile == 128)
        return VDNN_OK;
    int32_t node = vdnn_yaml_tree_find(tree, section, "tensor_tile");
    return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                 "tensor_tile of compute is %lld, expected 32, 64 or 128 filters, "
                                 "or 0, as in f32",
                                 (long long)tile);
}

/* Checks that concern several keys. */
static vdnn_status check_whole(const vdnn_yaml_tree *tree, const int32_t *values,
                               const vdnn_device_model *model)
{
    double both = model->link.both_bytes_per_second;
    if (model->memory.usable_bytes > model->memory.bytes)
        return vdnn_yaml_tree_refuse(tree, tree->nodes[values[TOP_SECTIONS]].line,
                                     "usable_bytes of memory is %lld, more than its bytes, %lld",
                                     (long long)model->memory.usable_bytes,
                                     (long long)model->memory.bytes);
    if (both > 0 &&
        (both < model->link.out_bytes_per_second || both < model->link.in_bytes_per_second))
        return vdnn_yaml_tree_refuse(tree, tree->nodes[values[TOP_SECTIONS + 2]].line,
                                     "both_bytes_per_second of link is %g, less than one direction "
                                     "alone reaches; leave it out where directions do not share",
                                     both);
    vdnn_status status = check_units(tree, values[TOP_PEERS], model);
    VDNN_IF_OK(status, check_tile(tree, values[TOP_SECTIONS + 1], model));
    return status == VDNN_OK ? check_relations(tree, values, model) : status;
}

static vdnn_status read_tree(const vdnn_yaml_tree *tree, int depth, vdnn_device_model *model)
{
    int32_t values[COUNT(top_keys)];
    vdnn_section top = {.tree = tree,
                        .node = 0,
                        .what = "the device model",
                        .config = model,
                        .others = top_keys,
                        .other_count = COUNT(top_keys),
                        .values = values};
    vdnn_status status = vdnn_section_read(&top);
    for (size_t i = 0; status == VDNN_OK && i <= TOP_CONVOLUTION; i++)
        if (i != TOP_SOURCE && i != TOP_PEERS)
            status = vdnn_section_require(&top, i);
    VDNN_IF_OK(status, read_name(tree, values[TOP_NAME], model));
    VDNN_IF_OK(status, vdnn_section_read_value(&top, &calibrated_key, values[TOP_CALIBRATED]));
    for (size_t i = 0; status == VDNN_OK && i < COUNT(sections); i++)
        status = read_section(tree, values[TOP_SECTIONS + i], i, model);
    VDNN_IF_OK(status, read_rates(tree, values, depth, model));
    VDNN_IF_OK(status, read_accuracy(tree, values[TOP_ACCURACY], top_keys[TOP_ACCURACY],
                                     accuracy_keys, model));
    VDNN_IF_OK(status, read_accuracy(tree, values[TOP_TENSOR_ACCURACY],
                                     top_keys[TOP_TENSOR_ACCURACY], tensor_accuracy_keys, model));
    return status == VDNN_OK ? check_whole(tree, values, model) : status;
}

static vdnn_status parse(const char *text, size_t length, const char *path, int depth,
                         vdnn_device_model *model)
{
    vdnn_yaml_tree *tree = NULL;
    vdnn_device_model fresh = {.is_calibrated = false};
    vdnn_status status = vdnn_yaml_tree_parse(text, length, path, &tree);
    VDNN_IF_OK(status, read_tree(tree, depth, &fresh));
    vdnn_yaml_tree_destroy(tree);
    if (status == VDNN_OK)
        *model = fresh;
    return status;
}

static vdnn_status load(const char *path, int depth, vdnn_device_model *model)
{
    char *text = NULL;
    size_t length = 0;
    vdnn_status status = vdnn_input_read(path, VDNN_YAML_MAX_BYTES, &text, &length);
    VDNN_IF_OK(status, parse(text, length, path, depth, model));
    vdnn_heap_free(text);
    return status;
}

vdnn_status vdnn_device_model_parse(const char *text, size_t length, const char *path,
                                    vdnn_device_model *model)
{
    return parse(text, length, path, 0, model);
}

vdnn_status vdnn_device_model_find(const char *name, char **path)
{
    vdnn_places places;
    vdnn_places_find(&places);
    return vdnn_find_file(&device_model, name, places.list, places.count, path);
}

vdnn_status vdnn_device_model_names(const char *prefix, vdnn_text *names)
{
    vdnn_places places;
    vdnn_places_find(&places);
    return vdnn_find_names(&device_model, prefix, places.list, places.count, names);
}

vdnn_status vdnn_device_model_load(const char *name, vdnn_device_model *model)
{
    char *path = NULL;
    vdnn_status status = vdnn_device_model_find(name, &path);
    VDNN_IF_OK(status, load(path, 0, model));
    vdnn_heap_free(path);
    return status;
}
