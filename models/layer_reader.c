#include "models/reader.h"

#include "models/section.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

enum { WHAT_BYTES = 320, HINT_BYTES = 320 };

/* Characters that a layer's name must not have: it is a key in files and a word in a plan's text.
 */
static const char NOT_IN_LAYERS[] = " \"'\\{}[],";

/* ---- init ------------------------------------------------------------------------------------ */

vdnn_status vdnn_reader_init(const vdnn_model_reader *r, int32_t node, vdnn_init *init)
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
    return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node),
                                 "init is %s, expected he, xavier, zeros or {normal: std}",
                                 vdnn_yaml_tree_quote(quoted, r->tree, node));
}

/* ---- layers ---------------------------------------------------------------------------------- */

static const char *const layer_keys[] = {"name",      "type",   "from",   "init", "parts",
                                         "weight_of", "labels", "frozen", "lora"};
enum {
    LAYER_NAME,
    LAYER_TYPE,
    LAYER_FROM,
    LAYER_INIT,
    LAYER_PARTS,
    LAYER_WEIGHT_OF,
    LAYER_LABELS,
    LAYER_FROZEN,
    LAYER_LORA,
    LAYER_KEY_COUNT
};

static vdnn_status find_def(const vdnn_model_reader *r, int32_t node, const char *name,
                            const vdnn_layer_def **def)
{
    char quoted[VDNN_YAML_QUOTE_BYTES], hint[HINT_BYTES];
    (void)vdnn_yaml_tree_quote(quoted, r->tree, node);
    if (r->tree->nodes[node].kind != VDNN_YAML_SCALAR)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node),
                                     "type of layer '%s' is %s, expected a name", name, quoted);
    const char *type = vdnn_yaml_tree_text(r->tree, node);
    *def = vdnn_layer_def_find(type);
    if (*def != NULL && !(*def)->internal)
        return VDNN_OK;
    size_t count = 0;
    const char **types = vdnn_heap_calloc(vdnn_layer_def_count(), sizeof *types);
    if (types == NULL)
        return vdnn_reader_no_memory(r);
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        if (!vdnn_layer_def_at(i)->internal)
            types[count++] = vdnn_layer_def_at(i)->type;
    vdnn_status status =
        vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node), "unknown type %s of layer '%s'%s",
                              quoted, name, vdnn_text_hint(hint, sizeof hint, type, types, count));
    vdnn_heap_free(types);
    return status;
}

static vdnn_status copy_previous(vdnn_model_reader *r, vdnn_layer_spec *layer)
{
    int32_t above = (int32_t)(layer - r->model->layers) - 1;
    layer->from = vdnn_heap_calloc(1, sizeof *layer->from);
    if (layer->from == NULL)
        return vdnn_reader_no_memory(r);
    layer->from_count = 1;
    layer->from[0] =
        vdnn_heap_strdup(above < 0 ? r->model->inputs[0].name : r->model->layers[above].name);
    return layer->from[0] == NULL ? vdnn_reader_no_memory(r) : VDNN_OK;
}

/* Who reads a layer that has `lora` reads the sum, which is in the file's place of it. */
static vdnn_status read_adapted(const vdnn_model_reader *r, char **from)
{
    const int32_t source = vdnn_names_find(&r->names, *from);
    if (source < 0 || !r->model->layers[source].is_adapted)
        return VDNN_OK;
    vdnn_heap_free(*from);
    *from = vdnn_heap_strdup(r->model->layers[source + VDNN_ADAPTED_SUM].name);
    return *from == NULL ? vdnn_reader_no_memory(r) : VDNN_OK;
}

static vdnn_status read_from(vdnn_model_reader *r, int32_t node, vdnn_layer_spec *layer)
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
        return vdnn_reader_no_memory(r);
    int32_t item = list ? n->first : node;
    for (;;) {
        vdnn_status status =
            vdnn_reader_name(r, item, "from", NOT_IN_LAYERS, &layer->from[layer->from_count]);
        if (status != VDNN_OK)
            return status;
        VDNN_TRY(read_adapted(r, &layer->from[layer->from_count++]));
        item = r->tree->nodes[item].next;
        if (!list || item < 0)
            return VDNN_OK;
    }
}

static vdnn_status check_from_count(const vdnn_model_reader *r, const vdnn_layer_spec *layer)
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
static vdnn_status read_parts(const vdnn_model_reader *r, int32_t node, const char *layer_what,
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
static vdnn_status read_weight_of(const vdnn_model_reader *r, int32_t node, int32_t init,
                                  vdnn_layer_spec *layer)
{
    if (node < 0)
        return VDNN_OK;
    if (init >= 0)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, init),
                                     "layer '%s' has both init and weight_of: its weight is "
                                     "another layer's, and that one's init counts",
                                     layer->name);
    return vdnn_reader_name(r, node, "weight_of", NOT_IN_LAYERS, &layer->weight_of);
}

static vdnn_status read_frozen(const vdnn_model_reader *r, int32_t node, const char *what,
                               vdnn_layer_spec *layer)
{
    static const vdnn_key key = {"frozen", VDNN_KEY_BOOL, offsetof(vdnn_layer_spec, is_frozen),
                                 .max = 1};
    const vdnn_section section = {.tree = r->tree, .node = node, .what = what, .config = layer};
    return node < 0 ? VDNN_OK : vdnn_section_read_value(&section, &key, node);
}

static vdnn_status read_config(vdnn_model_reader *r, int32_t node, vdnn_layer_spec *layer)
{
    char what[WHAT_BYTES];
    int32_t values[LAYER_KEY_COUNT];
    (void)snprintf(what, sizeof what, "%s layer '%s'", layer->def->type, layer->name);
    layer->config = vdnn_heap_calloc(1, layer->def->config_bytes);
    if (layer->config == NULL)
        return vdnn_reader_no_memory(r);
    vdnn_section section = {.tree = r->tree,
                            .node = node,
                            .what = what,
                            .keys = layer->def->keys,
                            .key_count = layer->def->key_count,
                            .words = layer->def->words,
                            .config = layer->config,
                            .others = layer_keys,
                            .other_count = LAYER_KEY_COUNT,
                            .values = values};
    vdnn_status status = vdnn_section_read(&section);
    VDNN_IF_OK(status, read_from(r, values[LAYER_FROM], layer));
    VDNN_IF_OK(status, check_from_count(r, layer));
    VDNN_IF_OK(status, read_parts(r, values[LAYER_PARTS], what, layer));
    VDNN_IF_OK(status, read_frozen(r, values[LAYER_FROZEN], what, layer));
    layer->init = r->init;
    VDNN_IF_OK(status, vdnn_reader_init(r, values[LAYER_INIT], &layer->init));
    VDNN_IF_OK(status, read_weight_of(r, values[LAYER_WEIGHT_OF], values[LAYER_INIT], layer));
    if (status == VDNN_OK && values[LAYER_LABELS] >= 0)
        status =
            vdnn_reader_name(r, values[LAYER_LABELS], "labels", VDNN_NOT_IN_INPUTS, &layer->labels);
    if (status == VDNN_OK && values[LAYER_LORA] >= 0)
        status =
            vdnn_reader_lora(r, values[LAYER_LORA], values[LAYER_FROZEN] >= 0 && !layer->is_frozen);
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

vdnn_status vdnn_reader_append(vdnn_model_reader *r, int line)
{
    vdnn_model *model = r->model;
    if (model->layer_count == VDNN_MODEL_MAX_LAYERS)
        return vdnn_yaml_tree_refuse(r->tree, line, "more than %d layers, which is the limit",
                                     VDNN_MODEL_MAX_LAYERS);
    if (model->layer_count == r->capacity) {
        int32_t capacity = r->capacity == 0 ? 32 : 2 * r->capacity;
        void *grown = vdnn_heap_realloc(model->layers, (size_t)capacity, sizeof *model->layers);
        if (grown == NULL)
            return vdnn_reader_no_memory(r);
        model->layers = grown;
        r->capacity = capacity;
    }
    model->layers[model->layer_count++] = (vdnn_layer_spec){.line = line};
    return VDNN_OK;
}

vdnn_status vdnn_reader_claim(vdnn_model_reader *r, const vdnn_layer_spec *layer)
{
    bool added;
    VDNN_INVARIANT(layer->name != NULL, ==, true);
    const int32_t input = vdnn_names_find_input(r->model, layer->name);
    if (strcmp(layer->name, VDNN_ONLY_INPUT) == 0)
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

vdnn_status vdnn_reader_layer(vdnn_model_reader *r, int32_t node)
{
    int32_t name = vdnn_yaml_tree_find(r->tree, node, "name");
    int32_t type = vdnn_yaml_tree_find(r->tree, node, "type");
    if (name < 0)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node),
                                     "layer %d has no key 'name', which it must have",
                                     r->model->layer_count + 1);
    VDNN_TRY(vdnn_reader_append(r, vdnn_reader_line(r, node)));
    vdnn_layer_spec *layer = &r->model->layers[r->model->layer_count - 1];
    vdnn_status status = vdnn_reader_name(r, name, "name of a layer", NOT_IN_LAYERS, &layer->name);
    VDNN_IF_OK(status, vdnn_reader_claim(r, layer));
    if (status != VDNN_OK)
        return status;
    if (type < 0)
        return vdnn_yaml_tree_refuse(
            r->tree, layer->line, "layer '%s' has no key 'type', which it must have", layer->name);
    status = find_def(r, type, layer->name, &layer->def);
    return status == VDNN_OK ? read_config(r, node, layer) : status;
}
