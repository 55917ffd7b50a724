#include "models/model_reader.h"

#include "models/names.h"
#include "models/section.h"
#include "models/training_reader.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHAT_BYTES = 320, HINT_BYTES = 320, COUNTER_BYTES = 12 * VDNN_YAML_MAX_DEPTH };

/* Characters that a layer's name must not have: it is a key in files and a word in a plan's text.
 */
static const char NOT_IN_LAYERS[] = " \"'\\{}[],";
static const char NOT_IN_NETWORKS[] = "\"\\";
/* Nor the name of an input or of labels, which are also names of files. */
static const char NOT_IN_INPUTS[] = " \"'\\{}[],/";
static const char COUNTER[] = "{i}";

/* The name of the input that `input:` describes. */
static const char only_input[] = "input";

struct vdnn_model_reader {
    const vdnn_yaml_tree *tree;
    vdnn_model *model;
    int32_t capacity;     /* of model->layers */
    int32_t source_count; /* names in all `from` so far */
    vdnn_names names;
    vdnn_init init;
    char counter[COUNTER_BYTES]; /* the value of {i}: "3", in a nested repeat "3_1"; "" outside */
};

typedef vdnn_model_reader reader;

static vdnn_status no_memory(const reader *r)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the network", r->model->path);
}

static int line_of(const reader *r, int32_t node)
{
    return r->tree->nodes[node].line;
}

/* ---- names ----------------------------------------------------------------------------------- */

static vdnn_status check_name(const reader *r, int32_t node, const char *forbidden,
                              const char *name)
{
    char quoted[VDNN_YAML_QUOTE_BYTES];
    (void)vdnn_yaml_tree_quote(quoted, r->tree, node);
    if (name[0] == '\0')
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, node), "a name is empty");
    if (strlen(name) > VDNN_MODEL_MAX_NAME)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, node),
                                     "name %s has %zu bytes, expected at most %d", quoted,
                                     strlen(name), VDNN_MODEL_MAX_NAME);
    if (strstr(name, COUNTER) != NULL)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, node),
                                     "name %s has {i}, which only a repeat gives a value", quoted);
    if (vdnn_text_has_control(name) || strpbrk(name, forbidden) != NULL)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, node),
                                     "name %s has a control character or one of: %s", quoted,
                                     forbidden);
    return VDNN_OK;
}

/* The text of `node` with every {i} replaced. */
static vdnn_status make_name(const reader *r, int32_t node, const char *what, const char *forbidden,
                             char **name)
{
    if (r->tree->nodes[node].kind != VDNN_YAML_SCALAR) {
        char quoted[VDNN_YAML_QUOTE_BYTES];
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, node), "%s is %s, expected a name", what,
                                     vdnn_yaml_tree_quote(quoted, r->tree, node));
    }
    vdnn_text text = {0};
    const char *rest = vdnn_yaml_tree_text(r->tree, node), *found;
    vdnn_text_add(&text, "%s", "");
    while (r->counter[0] != '\0' && text.length <= VDNN_MODEL_MAX_NAME &&
           (found = strstr(rest, COUNTER)) != NULL) {
        vdnn_text_add(&text, "%.*s%s", (int)(found - rest), rest, r->counter);
        rest = found + strlen(COUNTER);
    }
    vdnn_text_add(&text, "%s", rest);
    if (text.failed) {
        vdnn_text_fini(&text);
        return no_memory(r);
    }
    vdnn_status status = check_name(r, node, forbidden, text.data);
    char *copy = status == VDNN_OK ? vdnn_heap_strdup(text.data) : NULL;
    vdnn_text_fini(&text);
    if (status != VDNN_OK)
        return status;
    if (copy == NULL)
        return no_memory(r);
    *name = copy;
    return VDNN_OK;
}

/* ---- init ------------------------------------------------------------------------------------ */

static vdnn_status read_init(const reader *r, int32_t node, vdnn_init *init)
{
    static const struct {
        const char *name;
        vdnn_init init;
    } words[] = {{"he", {.kind = VDNN_INIT_HE}},
                 {"xavier", {.kind = VDNN_INIT_XAVIER}},
                 {"zeros", {.kind = VDNN_INIT_ZEROS}}};
    static const vdnn_key normal[] = {
        {"normal", VDNN_KEY_REAL, offsetof(vdnn_init, std), .required = true, .max = 1e6}};
    if (node < 0)
        return VDNN_OK;
    if (r->tree->nodes[node].kind == VDNN_YAML_MAPPING) {
        vdnn_init fresh = {.kind = VDNN_INIT_NORMAL};
        vdnn_section section = {.tree = r->tree,
                                .node = node,
                                .what = "init",
                                .keys = normal,
                                .key_count = 1,
                                .config = &fresh};
        vdnn_status status = vdnn_section_read(&section);
        if (status == VDNN_OK)
            *init = fresh;
        return status;
    }
    if (r->tree->nodes[node].kind == VDNN_YAML_SCALAR)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strcmp(vdnn_yaml_tree_text(r->tree, node), words[i].name) == 0) {
                *init = words[i].init;
                return VDNN_OK;
            }
    char quoted[VDNN_YAML_QUOTE_BYTES];
    return vdnn_yaml_tree_refuse(r->tree, line_of(r, node),
                                 "init is %s, expected he, xavier, zeros or {normal: std}",
                                 vdnn_yaml_tree_quote(quoted, r->tree, node));
}

/* ---- layers ---------------------------------------------------------------------------------- */

static const char *const layer_keys[] = {"name",  "type",      "from",  "init",
                                         "parts", "weight_of", "labels"};
enum {
    LAYER_NAME,
    LAYER_TYPE,
    LAYER_FROM,
    LAYER_INIT,
    LAYER_PARTS,
    LAYER_WEIGHT_OF,
    LAYER_LABELS,
    LAYER_KEY_COUNT
};

static vdnn_status find_def(const reader *r, int32_t node, const char *name,
                            const vdnn_layer_def **def)
{
    char quoted[VDNN_YAML_QUOTE_BYTES], hint[HINT_BYTES];
    (void)vdnn_yaml_tree_quote(quoted, r->tree, node);
    if (r->tree->nodes[node].kind != VDNN_YAML_SCALAR)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, node),
                                     "type of layer '%s' is %s, expected a name", name, quoted);
    const char *type = vdnn_yaml_tree_text(r->tree, node);
    *def = vdnn_layer_def_find(type);
    if (*def != NULL && !(*def)->internal)
        return VDNN_OK;
    size_t count = 0;
    const char **types = vdnn_heap_calloc(vdnn_layer_def_count(), sizeof *types);
    if (types == NULL)
        return no_memory(r);
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        if (!vdnn_layer_def_at(i)->internal)
            types[count++] = vdnn_layer_def_at(i)->type;
    vdnn_status status =
        vdnn_yaml_tree_refuse(r->tree, line_of(r, node), "unknown type %s of layer '%s'%s", quoted,
                              name, vdnn_text_hint(hint, sizeof hint, type, types, count));
    vdnn_heap_free(types);
    return status;
}

static vdnn_status copy_previous(reader *r, vdnn_layer_spec *layer)
{
    int32_t above = (int32_t)(layer - r->model->layers) - 1;
    layer->from = vdnn_heap_calloc(1, sizeof *layer->from);
    if (layer->from == NULL)
        return no_memory(r);
    layer->from_count = 1;
    layer->from[0] =
        vdnn_heap_strdup(above < 0 ? r->model->inputs[0].name : r->model->layers[above].name);
    return layer->from[0] == NULL ? no_memory(r) : VDNN_OK;
}

static vdnn_status read_from(reader *r, int32_t node, vdnn_layer_spec *layer)
{
    if (node < 0)
        return copy_previous(r, layer);
    const vdnn_yaml_node *n = &r->tree->nodes[node];
    if (n->kind == VDNN_YAML_MAPPING || (n->kind == VDNN_YAML_SEQUENCE && n->count == 0))
        return vdnn_yaml_tree_refuse(r->tree, n->line,
                                     "from of layer '%s' is %s, expected a name or a list of names",
                                     layer->name, n->count == 0 ? "empty" : "a mapping");
    bool list = n->kind == VDNN_YAML_SEQUENCE;
    r->source_count += n->count;
    if (r->source_count > VDNN_MODEL_MAX_SOURCES)
        return vdnn_yaml_tree_refuse(
            r->tree, n->line, "more than %d names in all lists of `from`, which is the limit",
            VDNN_MODEL_MAX_SOURCES);
    layer->from = vdnn_heap_calloc(list ? (size_t)n->count : 1, sizeof *layer->from);
    if (layer->from == NULL)
        return no_memory(r);
    int32_t item = list ? n->first : node;
    for (;;) {
        vdnn_status status =
            make_name(r, item, "from", NOT_IN_LAYERS, &layer->from[layer->from_count]);
        if (status != VDNN_OK)
            return status;
        layer->from_count++;
        item = r->tree->nodes[item].next;
        if (!list || item < 0)
            return VDNN_OK;
    }
}

static vdnn_status check_from_count(const reader *r, const vdnn_layer_spec *layer)
{
    int low = layer->def->min_inputs, high = layer->def->max_inputs;
    if (layer->from_count >= low && (high == 0 || layer->from_count <= high))
        return VDNN_OK;
    return vdnn_yaml_tree_refuse(r->tree, layer->line,
                                 "%s layer '%s' reads %d inputs, expected %s%d", layer->def->type,
                                 layer->name, layer->from_count,
                                 low == high               ? ""
                                 : layer->from_count < low ? "at least "
                                                           : "at most ",
                                 layer->from_count < low ? low : high);
}

/* `parts: N`, of the samples, or `{samples: N, channels: M}`. How many a layer can be run in
 * depends on the batch and on its shape: the graph checks that. */
static vdnn_status read_parts(const reader *r, int32_t node, const char *layer_what,
                              vdnn_layer_spec *layer)
{
    static const vdnn_key key = {"parts", VDNN_KEY_INT, offsetof(vdnn_layer_spec, parts), .min = 1,
                                 .max = INT32_MAX};
    static const vdnn_key keys[] = {
        {"samples", VDNN_KEY_INT, offsetof(vdnn_layer_spec, parts), .preset = 1, .min = 1,
         .max = INT32_MAX},
        {"channels", VDNN_KEY_INT, offsetof(vdnn_layer_spec, channel_parts), .preset = 1, .min = 1,
         .max = INT32_MAX},
    };
    char what[WHAT_BYTES + sizeof "parts of "];
    (void)snprintf(what, sizeof what, "parts of %s", layer_what);
    vdnn_section section = {.tree = r->tree, .node = node, .what = layer_what, .config = layer};
    layer->parts = layer->channel_parts = 1;
    if (node < 0)
        return VDNN_OK;
    if (r->tree->nodes[node].kind != VDNN_YAML_MAPPING)
        return vdnn_section_read_value(&section, &key, node);
    section.what = what;
    section.keys = keys;
    section.key_count = sizeof keys / sizeof *keys;
    return vdnn_section_read(&section);
}

/* Such a layer has nothing that `init` is for: its bias begins with zeros. */
static vdnn_status read_weight_of(const reader *r, int32_t node, int32_t init,
                                  vdnn_layer_spec *layer)
{
    if (node < 0)
        return VDNN_OK;
    if (init >= 0)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, init),
                                     "layer '%s' has both init and weight_of: its weight is "
                                     "another layer's, and that one's init counts",
                                     layer->name);
    return make_name(r, node, "weight_of", NOT_IN_LAYERS, &layer->weight_of);
}

static vdnn_status read_config(reader *r, int32_t node, vdnn_layer_spec *layer)
{
    char what[WHAT_BYTES];
    int32_t values[LAYER_KEY_COUNT];
    (void)snprintf(what, sizeof what, "%s layer '%s'", layer->def->type, layer->name);
    layer->config = vdnn_heap_calloc(1, layer->def->config_bytes);
    if (layer->config == NULL)
        return no_memory(r);
    vdnn_section section = {.tree = r->tree,
                            .node = node,
                            .what = what,
                            .keys = layer->def->keys,
                            .key_count = layer->def->key_count,
                            .config = layer->config,
                            .others = layer_keys,
                            .other_count = LAYER_KEY_COUNT,
                            .values = values};
    vdnn_status status = vdnn_section_read(&section);
    if (status == VDNN_OK)
        status = read_from(r, values[LAYER_FROM], layer);
    if (status == VDNN_OK)
        status = check_from_count(r, layer);
    if (status == VDNN_OK)
        status = read_parts(r, values[LAYER_PARTS], what, layer);
    layer->init = r->init;
    if (status == VDNN_OK)
        status = read_init(r, values[LAYER_INIT], &layer->init);
    if (status == VDNN_OK)
        status = read_weight_of(r, values[LAYER_WEIGHT_OF], values[LAYER_INIT], layer);
    if (status == VDNN_OK && values[LAYER_LABELS] >= 0)
        status = make_name(r, values[LAYER_LABELS], "labels", NOT_IN_INPUTS, &layer->labels);
    return status;
}

void vdnn_model_reader_forget(vdnn_layer_spec *layer)
{
    for (int32_t k = 0; k < layer->from_count; k++)
        vdnn_heap_free(layer->from[k]);
    vdnn_heap_free(layer->from);
    vdnn_heap_free(layer->weight_of);
    vdnn_heap_free(layer->labels);
    vdnn_heap_free(layer->config);
    vdnn_heap_free(layer->name);
    *layer = (vdnn_layer_spec){0};
}

static vdnn_status append_layer(reader *r, int line)
{
    vdnn_model *model = r->model;
    if (model->layer_count == VDNN_MODEL_MAX_LAYERS)
        return vdnn_yaml_tree_refuse(r->tree, line, "more than %d layers, which is the limit",
                                     VDNN_MODEL_MAX_LAYERS);
    if (model->layer_count == r->capacity) {
        int32_t capacity = r->capacity == 0 ? 32 : 2 * r->capacity;
        void *grown = vdnn_heap_realloc(model->layers, (size_t)capacity, sizeof *model->layers);
        if (grown == NULL)
            return no_memory(r);
        model->layers = grown;
        r->capacity = capacity;
    }
    model->layers[model->layer_count++] = (vdnn_layer_spec){.line = line};
    return VDNN_OK;
}

static vdnn_status claim_name(reader *r, const vdnn_layer_spec *layer)
{
    bool added;
    VDNN_INVARIANT(layer->name != NULL, ==, true);
    const int32_t input = vdnn_names_find_input(r->model, layer->name);
    if (strcmp(layer->name, only_input) == 0)
        return vdnn_yaml_tree_refuse(r->tree, layer->line,
                                     "a layer is named 'input', which is the name of the image");
    if (input >= 0)
        return vdnn_yaml_tree_refuse(r->tree, layer->line,
                                     "a layer is named '%s', which is the name of the input in "
                                     "line %d",
                                     layer->name, r->model->inputs[input].line);
    vdnn_status status = vdnn_names_add(&r->names, layer->name, r->model->layer_count - 1, &added);
    if (status != VDNN_OK || added)
        return status;
    const vdnn_layer_spec *first = &r->model->layers[vdnn_names_find(&r->names, layer->name)];
    return vdnn_yaml_tree_refuse(
        r->tree, layer->line, "a second layer is named '%s'; the first is in line %d%s",
        layer->name, first->line,
        r->counter[0] == '\0' ? "" : " (write {i} into names in a repeat)");
}

static vdnn_status read_layer(reader *r, int32_t node)
{
    int32_t name = vdnn_yaml_tree_find(r->tree, node, "name");
    int32_t type = vdnn_yaml_tree_find(r->tree, node, "type");
    if (name < 0)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, node),
                                     "layer %d has no key 'name', which it must have",
                                     r->model->layer_count + 1);
    vdnn_status status = append_layer(r, line_of(r, node));
    if (status != VDNN_OK)
        return status;
    vdnn_layer_spec *layer = &r->model->layers[r->model->layer_count - 1];
    status = make_name(r, name, "name of a layer", NOT_IN_LAYERS, &layer->name);
    if (status == VDNN_OK)
        status = claim_name(r, layer);
    if (status != VDNN_OK)
        return status;
    if (type < 0)
        return vdnn_yaml_tree_refuse(
            r->tree, layer->line, "layer '%s' has no key 'type', which it must have", layer->name);
    status = find_def(r, type, layer->name, &layer->def);
    return status == VDNN_OK ? read_config(r, node, layer) : status;
}

/* ---- repeat ---------------------------------------------------------------------------------- */

static vdnn_status read_layers(reader *r, int32_t list, const char *what);

typedef struct repeat {
    int64_t count;
    int32_t layers;
} repeat;

static vdnn_status read_repeat_keys(const reader *r, int32_t node, repeat *out)
{
    static const vdnn_key keys[] = {{"count", VDNN_KEY_INT, offsetof(repeat, count),
                                     .required = true, .min = 1, .max = VDNN_MODEL_MAX_LAYERS}};
    static const char *const outer[] = {"repeat"}, *const inner[] = {"layers"};
    int32_t value = -1;
    vdnn_section section = {.tree = r->tree,
                            .node = node,
                            .what = "a repeat",
                            .others = outer,
                            .other_count = 1,
                            .values = &value};
    vdnn_status status = vdnn_section_read(&section);
    if (status != VDNN_OK)
        return status;
    section = (vdnn_section){.tree = r->tree,
                             .node = value,
                             .what = "repeat",
                             .keys = keys,
                             .key_count = 1,
                             .config = out,
                             .others = inner,
                             .other_count = 1,
                             .values = &out->layers};
    status = vdnn_section_read(&section);
    return status == VDNN_OK ? vdnn_section_require(&section, 0) : status;
}

static vdnn_status read_repeat(reader *r, int32_t node)
{
    repeat loop = {0};
    vdnn_status status = read_repeat_keys(r, node, &loop);
    size_t outer = strlen(r->counter);
    for (int64_t i = 1; i <= loop.count && status == VDNN_OK; i++) {
        (void)snprintf(r->counter + outer, sizeof r->counter - outer, "%s%lld",
                       outer == 0 ? "" : "_", (long long)i);
        status = read_layers(r, loop.layers, "layers of a repeat");
    }
    r->counter[outer] = '\0';
    return status;
}

/* A layer or a repeat. */
static vdnn_status read_item(reader *r, int32_t item)
{
    char quoted[VDNN_YAML_QUOTE_BYTES];
    if (r->tree->nodes[item].kind != VDNN_YAML_MAPPING)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, item),
                                     "a layer is %s, expected a mapping of keys to values",
                                     vdnn_yaml_tree_quote(quoted, r->tree, item));
    bool repeats = vdnn_yaml_tree_find(r->tree, item, "repeat") >= 0;
    return repeats ? read_repeat(r, item) : read_layer(r, item);
}

static vdnn_status read_layers(reader *r, int32_t list, const char *what)
{
    const vdnn_yaml_node *nodes = r->tree->nodes;
    char quoted[VDNN_YAML_QUOTE_BYTES];
    if (nodes[list].kind != VDNN_YAML_SEQUENCE || nodes[list].count == 0)
        return vdnn_yaml_tree_refuse(
            r->tree, nodes[list].line, "%s is %s, expected a list of layers", what,
            nodes[list].kind == VDNN_YAML_SEQUENCE ? "an empty list"
                                                   : vdnn_yaml_tree_quote(quoted, r->tree, list));
    for (int32_t item = nodes[list].first; item >= 0; item = nodes[item].next) {
        vdnn_status status = read_item(r, item);
        if (status != VDNN_OK)
            return status;
    }
    return VDNN_OK;
}

/* ---- the whole file -------------------------------------------------------------------------- */

static const vdnn_key top_keys[] = {
    {"classes", VDNN_KEY_INT, offsetof(vdnn_model, classes), .required = true, .min = 1,
     .max = INT32_MAX},
    {"batch", VDNN_KEY_INT, offsetof(vdnn_model, batch), .required = true, .min = 1,
     .max = INT32_MAX},
};

static const char *const top_others[] = {"name", "input", "inputs", "layers", "training", "init"};
enum { TOP_NAME, TOP_INPUT, TOP_INPUTS, TOP_LAYERS, TOP_TRAINING, TOP_INIT, TOP_COUNT };

static const vdnn_key input_keys[] = {
    {"channels", VDNN_KEY_INT, offsetof(vdnn_input_spec, channels), .required = true, .min = 1,
     .max = INT32_MAX},
    {"height", VDNN_KEY_INT, offsetof(vdnn_input_spec, height), .required = true, .min = 1,
     .max = INT32_MAX},
    {"width", VDNN_KEY_INT, offsetof(vdnn_input_spec, width), .required = true, .min = 1,
     .max = INT32_MAX},
};

static const char *const input_others[] = {"mean", "std"};
enum { INPUT_MEAN, INPUT_STD, INPUT_OTHERS };

static const vdnn_key token_keys[] = {
    {"tokens", VDNN_KEY_INT, offsetof(vdnn_input_spec, tokens), .required = true, .min = 1,
     .max = INT32_MAX},
    {"vocabulary", VDNN_KEY_INT, offsetof(vdnn_input_spec, vocabulary), .required = true, .min = 1,
     .max = INT32_MAX},
};

static const vdnn_key mean_key = {"mean", VDNN_KEY_REAL, 0, .min = -1e6, .max = 1e6};
static const vdnn_key std_key = {"std", VDNN_KEY_REAL, 0, .min = 1e-6, .max = 1e6};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* One number for all channels, or one for each. */
static vdnn_status read_channels(const vdnn_section *input, const vdnn_key *key, int32_t node,
                                 vdnn_reals *values)
{
    const vdnn_input_spec *spec = input->config;
    vdnn_status status = vdnn_section_read_reals(input, key, node, values);
    if (status != VDNN_OK || values->count < 2 || values->count == spec->channels)
        return status;
    return vdnn_yaml_tree_refuse(
        input->tree, input->tree->nodes[node].line,
        "%s of %s has %d numbers, expected one, or one for each of %lld channels", key->name,
        input->what, values->count, (long long)spec->channels);
}

static vdnn_status read_picture(const reader *r, int32_t node, const char *what,
                                vdnn_input_spec *spec)
{
    int32_t others[INPUT_OTHERS];
    vdnn_section input = {.tree = r->tree,
                          .node = node,
                          .what = what,
                          .keys = input_keys,
                          .key_count = COUNT(input_keys),
                          .config = spec,
                          .others = input_others,
                          .other_count = INPUT_OTHERS,
                          .values = others};
    vdnn_status status = vdnn_section_read(&input);
    if (status == VDNN_OK)
        status = read_channels(&input, &mean_key, others[INPUT_MEAN], &spec->normalization.mean);
    if (status == VDNN_OK)
        status = read_channels(&input, &std_key, others[INPUT_STD], &spec->normalization.std);
    return status;
}

static vdnn_status read_tokens(const reader *r, int32_t node, const char *what,
                               vdnn_input_spec *spec)
{
    const vdnn_section input = {.tree = r->tree,
                                .node = node,
                                .what = what,
                                .keys = token_keys,
                                .key_count = COUNT(token_keys),
                                .config = spec};
    return vdnn_section_read(&input);
}

static bool is_of_tokens(const reader *r, int32_t node)
{
    if (r->tree->nodes[node].kind != VDNN_YAML_MAPPING)
        return false;
    for (size_t i = 0; i < COUNT(token_keys); i++)
        if (vdnn_yaml_tree_find(r->tree, node, token_keys[i].name) >= 0)
            return true;
    return false;
}

/* The next row of the model's inputs; takes the name. */
static vdnn_input_spec *add_input(reader *r, char *name, int line)
{
    vdnn_input_spec *spec = &r->model->inputs[r->model->input_count++];
    *spec = (vdnn_input_spec){.name = name, .line = line};
    return spec;
}

static vdnn_status read_only_input(reader *r, int32_t node)
{
    char *name = vdnn_heap_strdup(only_input);
    if (name == NULL)
        return no_memory(r);
    vdnn_input_spec *spec = add_input(r, name, line_of(r, node));
    return is_of_tokens(r, node) ? read_tokens(r, node, "input of tokens", spec)
                                 : read_picture(r, node, "input", spec);
}

static vdnn_status read_named_input(reader *r, int32_t key)
{
    char what[WHAT_BYTES], *name = NULL;
    const int32_t node = r->tree->nodes[key].next;
    if (r->model->input_count == VDNN_INPUTS_MAX - 1)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, key),
                                     "more than %d inputs, which is the limit",
                                     VDNN_INPUTS_MAX - 1);
    vdnn_status status = make_name(r, key, "name of an input", NOT_IN_INPUTS, &name);
    if (status != VDNN_OK)
        return status;
    const int32_t first = vdnn_names_find_input(r->model, name);
    vdnn_input_spec *spec = add_input(r, name, line_of(r, key));
    if (first >= 0)
        return vdnn_yaml_tree_refuse(r->tree, spec->line,
                                     "a second input is named '%s'; the first is in line %d", name,
                                     r->model->inputs[first].line);
    (void)snprintf(what, sizeof what, "input '%s'", name);
    return is_of_tokens(r, node) ? read_tokens(r, node, what, spec)
                                 : read_picture(r, node, what, spec);
}

static vdnn_status read_named_inputs(reader *r, int32_t node)
{
    char quoted[VDNN_YAML_QUOTE_BYTES];
    const vdnn_yaml_node *n = &r->tree->nodes[node];
    if (n->kind != VDNN_YAML_MAPPING || n->count == 0)
        return vdnn_yaml_tree_refuse(
            r->tree, n->line, "inputs is %s, expected a mapping of names to inputs",
            n->kind == VDNN_YAML_MAPPING ? "empty" : vdnn_yaml_tree_quote(quoted, r->tree, node));
    vdnn_status status = VDNN_OK;
    for (int32_t key = n->first; key >= 0 && status == VDNN_OK;
         key = vdnn_yaml_tree_next_key(r->tree, key))
        status = read_named_input(r, key);
    return status;
}

/* At least one of the two is there. */
static vdnn_status read_inputs(reader *r, int32_t only, int32_t named)
{
    if (only >= 0 && named >= 0)
        return vdnn_yaml_tree_refuse(r->tree, line_of(r, named),
                                     "the network has both input and inputs, expected one of them");
    return only >= 0 ? read_only_input(r, only) : read_named_inputs(r, named);
}

static vdnn_status check_sources(const reader *r)
{
    for (int32_t i = 0; i < r->model->layer_count; i++) {
        const vdnn_layer_spec *layer = &r->model->layers[i];
        for (int32_t k = 0; k < layer->from_count; k++) {
            int32_t source;
            vdnn_status status =
                vdnn_names_resolve(&r->names, r->model, layer, layer->from[k], &source);
            if (status != VDNN_OK)
                return status;
        }
    }
    return VDNN_OK;
}

/* Reads all but the layers; *layers: their node, -1: none. */
static vdnn_status read_top(reader *r, int32_t *layers)
{
    int32_t values[TOP_COUNT];
    vdnn_section top = {.tree = r->tree,
                        .node = 0,
                        .what = "the network",
                        .keys = top_keys,
                        .key_count = COUNT(top_keys),
                        .config = r->model,
                        .others = top_others,
                        .other_count = TOP_COUNT,
                        .values = values};
    vdnn_status status = vdnn_section_read(&top);
    *layers = values[TOP_LAYERS];
    if (status == VDNN_OK)
        status = vdnn_section_require(&top, TOP_NAME);
    if (status == VDNN_OK && values[TOP_INPUTS] < 0)
        status = vdnn_section_require(&top, TOP_INPUT);
    if (status == VDNN_OK)
        status =
            make_name(r, values[TOP_NAME], "name of the network", NOT_IN_NETWORKS, &r->model->name);
    if (status == VDNN_OK)
        status = read_inputs(r, values[TOP_INPUT], values[TOP_INPUTS]);
    if (status == VDNN_OK)
        status = vdnn_training_reader_read(r->tree, values[TOP_TRAINING], r->model);
    return status == VDNN_OK ? read_init(r, values[TOP_INIT], &r->init) : status;
}

static vdnn_status begin(reader *r, const vdnn_yaml_tree *tree, vdnn_model *model, int32_t *layers)
{
    *r = (reader){.tree = tree, .model = model, .init = {.kind = VDNN_INIT_HE}};
    vdnn_status status = vdnn_names_init(&r->names, 0);
    return status == VDNN_OK ? read_top(r, layers) : status;
}

vdnn_status vdnn_model_reader_read(const vdnn_yaml_tree *tree, vdnn_model *model)
{
    reader r;
    int32_t layers;
    vdnn_status status = begin(&r, tree, model, &layers);
    if (status == VDNN_OK && layers < 0)
        status = vdnn_yaml_tree_refuse(tree, line_of(&r, 0),
                                       "the network has no key 'layers', which it must have");
    if (status == VDNN_OK)
        status = read_layers(&r, layers, "layers");
    if (status == VDNN_OK)
        status = check_sources(&r);
    vdnn_names_fini(&r.names);
    return status;
}

/* ---- item by item ---------------------------------------------------------------------------- */

vdnn_status vdnn_model_reader_begin(const vdnn_yaml_tree *head, vdnn_model *model,
                                    vdnn_model_reader **out)
{
    int32_t layers;
    reader *r = vdnn_heap_calloc(1, sizeof *r);
    if (r == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its reader", model->path);
    vdnn_status status = begin(r, head, model, &layers);
    if (status == VDNN_OK && layers >= 0)
        status = vdnn_yaml_tree_refuse(head, line_of(r, layers),
                                       "layers are added one by one, not given in the head");
    if (status == VDNN_OK)
        *out = r;
    else
        vdnn_model_reader_end(r);
    return status;
}

void vdnn_model_reader_end(vdnn_model_reader *r)
{
    if (r == NULL)
        return;
    vdnn_names_fini(&r->names);
    vdnn_heap_free(r);
}

/* Removes the layers from `count` on. */
static void roll_back(reader *r, int32_t count, int32_t source_count)
{
    vdnn_model *model = r->model;
    while (model->layer_count > count)
        vdnn_model_reader_forget(&model->layers[--model->layer_count]);
    r->source_count = source_count;
    vdnn_names_clear(&r->names);
    for (int32_t i = 0; i < count; i++) {
        bool added; /* cannot fail: the capacity is there, since all were in it before */
        (void)vdnn_names_add(&r->names, model->layers[i].name, i, &added);
    }
}

vdnn_status vdnn_model_reader_add(vdnn_model_reader *r, const vdnn_yaml_tree *item)
{
    int32_t count = r->model->layer_count, source_count = r->source_count;
    r->tree = item;
    vdnn_status status = read_item(r, 0);
    if (status != VDNN_OK)
        roll_back(r, count, source_count);
    return status;
}
