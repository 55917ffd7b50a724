#include "models/reader.h"

#include "models/section.h"
#include "models/training_reader.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char NOT_IN_NETWORKS[] = "\"\\";

vdnn_status vdnn_reader_no_memory(const vdnn_model_reader *r)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the network", r->model->path);
}

int vdnn_reader_line(const vdnn_model_reader *r, int32_t node)
{
    return r->tree->nodes[node].line;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const counters[] = {VDNN_COUNTER, VDNN_COUNTER_BEFORE};

enum { COUNTERS = COUNT(counters) };

static vdnn_status check_name(const vdnn_model_reader *r, int32_t node, const char *forbidden,
                              const char *name)
{
    char quoted[VDNN_YAML_QUOTE_BYTES];
    (void)vdnn_yaml_tree_quote(quoted, r->tree, node);
    if (name[0] == '\0')
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node), "a name is empty");
    if (strlen(name) > VDNN_MODEL_MAX_NAME)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node),
                                     "name %s has %zu bytes, expected at most %d", quoted,
                                     strlen(name), VDNN_MODEL_MAX_NAME);
    for (int k = 0; k < COUNTERS; k++)
        if (strstr(name, counters[k]) != NULL)
            return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node),
                                         "name %s has %s, which only a repeat gives a value",
                                         quoted, counters[k]);
    if (vdnn_text_has_control(name) || strpbrk(name, forbidden) != NULL)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node),
                                     "name %s has a control character or one of: %s", quoted,
                                     forbidden);
    return VDNN_OK;
}

/* The first counter in the text, into *which; NULL: there is none. */
static const char *find_counter(const char *text, int *which)
{
    const char *first = NULL;
    for (int k = 0; k < COUNTERS; k++) {
        const char *found = strstr(text, counters[k]);
        if (found != NULL && (first == NULL || found < first)) {
            first = found;
            *which = k;
        }
    }
    return first;
}

vdnn_status vdnn_reader_name(const vdnn_model_reader *r, int32_t node, const char *what,
                             const char *forbidden, char **name)
{
    if (r->tree->nodes[node].kind != VDNN_YAML_SCALAR) {
        char quoted[VDNN_YAML_QUOTE_BYTES];
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, node),
                                     "%s is %s, expected a name", what,
                                     vdnn_yaml_tree_quote(quoted, r->tree, node));
    }
    vdnn_text text = {0};
    const char *rest = vdnn_yaml_tree_text(r->tree, node), *found;
    const char *const values[COUNTERS] = {r->counter, r->before};
    int which = 0;
    vdnn_text_add(&text, "%s", "");
    while (r->counter[0] != '\0' && text.length <= VDNN_MODEL_MAX_NAME &&
           (found = find_counter(rest, &which)) != NULL) {
        vdnn_text_add(&text, "%.*s%s", (int)(found - rest), rest, values[which]);
        rest = found + strlen(counters[which]);
    }
    vdnn_text_add(&text, "%s", rest);
    if (text.failed) {
        vdnn_text_fini(&text);
        return vdnn_reader_no_memory(r);
    }
    vdnn_status status = check_name(r, node, forbidden, text.data);
    char *copy = status == VDNN_OK ? vdnn_heap_strdup(text.data) : NULL;
    vdnn_text_fini(&text);
    if (status != VDNN_OK)
        return status;
    if (copy == NULL)
        return vdnn_reader_no_memory(r);
    *name = copy;
    return VDNN_OK;
}

/* ---- repeat ---------------------------------------------------------------------------------- */

static vdnn_status read_layers(vdnn_model_reader *r, int32_t list, const char *what);

typedef struct repeat {
    int64_t count;
    int32_t layers;
} repeat;

static vdnn_status read_repeat_keys(const vdnn_model_reader *r, int32_t node, repeat *out)
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
    VDNN_TRY(vdnn_section_read(&section));
    section = (vdnn_section){.tree = r->tree,
                             .node = value,
                             .what = "repeat",
                             .keys = keys,
                             .key_count = 1,
                             .config = out,
                             .others = inner,
                             .other_count = 1,
                             .values = &out->layers};
    vdnn_status status = vdnn_section_read(&section);
    return status == VDNN_OK ? vdnn_section_require(&section, 0) : status;
}

/* A nested repeat counts behind the one around it. */
static void count_in(char counter[VDNN_COUNTER_BYTES], const char *outer, int64_t number)
{
    (void)snprintf(counter, VDNN_COUNTER_BYTES, "%s%s%lld", outer, outer[0] == '\0' ? "" : "_",
                   (long long)number);
}

static vdnn_status read_repeat(vdnn_model_reader *r, int32_t node)
{
    repeat loop = {0};
    vdnn_status status = read_repeat_keys(r, node, &loop);
    char outer[VDNN_COUNTER_BYTES], outer_before[VDNN_COUNTER_BYTES];
    memcpy(outer, r->counter, sizeof outer);
    memcpy(outer_before, r->before, sizeof outer_before);
    for (int64_t i = 1; i <= loop.count && status == VDNN_OK; i++) {
        count_in(r->counter, outer, i);
        count_in(r->before, outer, i - 1);
        status = read_layers(r, loop.layers, "layers of a repeat");
    }
    memcpy(r->counter, outer, sizeof outer);
    memcpy(r->before, outer_before, sizeof outer_before);
    return status;
}

/* A layer or a repeat. */
static vdnn_status read_item(vdnn_model_reader *r, int32_t item)
{
    char quoted[VDNN_YAML_QUOTE_BYTES];
    if (r->tree->nodes[item].kind != VDNN_YAML_MAPPING)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, item),
                                     "a layer is %s, expected a mapping of keys to values",
                                     vdnn_yaml_tree_quote(quoted, r->tree, item));
    bool repeats = vdnn_yaml_tree_find(r->tree, item, "repeat") >= 0;
    return repeats ? read_repeat(r, item) : vdnn_reader_layer(r, item);
}

static vdnn_status read_layers(vdnn_model_reader *r, int32_t list, const char *what)
{
    const vdnn_yaml_node *nodes = r->tree->nodes;
    char quoted[VDNN_YAML_QUOTE_BYTES];
    if (nodes[list].kind != VDNN_YAML_SEQUENCE || nodes[list].count == 0)
        return vdnn_yaml_tree_refuse(
            r->tree, nodes[list].line, "%s is %s, expected a list of layers", what,
            nodes[list].kind == VDNN_YAML_SEQUENCE ? "an empty list"
                                                   : vdnn_yaml_tree_quote(quoted, r->tree, list));
    for (int32_t item = nodes[list].first; item >= 0; item = nodes[item].next) {
        VDNN_TRY(read_item(r, item));
    }
    return VDNN_OK;
}

/* ---- the whole file -------------------------------------------------------------------------- */

static const vdnn_key top_keys[] = {
    {"classes", VDNN_KEY_INT, offsetof(vdnn_model, classes), .min = 1, .max = INT32_MAX},
    {"batch", VDNN_KEY_INT, offsetof(vdnn_model, batch), .required = true, .min = 1,
     .max = INT32_MAX},
};

static const char *const top_others[] = {"name", "input", "inputs", "layers", "training", "init"};
enum { TOP_NAME, TOP_INPUT, TOP_INPUTS, TOP_LAYERS, TOP_TRAINING, TOP_INIT, TOP_COUNT };

static vdnn_status check_sources(const vdnn_model_reader *r)
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

/* Without `classes` they are the tokens that the network reads, where all its inputs have the same;
 * else there are none. */
static void find_classes(vdnn_model *model)
{
    const int64_t vocabulary = model->inputs[0].vocabulary;
    bool are_alike = vocabulary > 0;
    for (int32_t i = 1; i < model->input_count; i++)
        are_alike = are_alike && model->inputs[i].vocabulary == vocabulary;
    if (model->classes == 0 && are_alike)
        model->classes = vocabulary;
}

/* Reads all but the layers; *layers: their node, -1: none. */
static vdnn_status read_top(vdnn_model_reader *r, int32_t *layers)
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
    VDNN_IF_OK(status, vdnn_section_require(&top, TOP_NAME));
    if (status == VDNN_OK && values[TOP_INPUTS] < 0)
        status = vdnn_section_require(&top, TOP_INPUT);
    VDNN_IF_OK(status, vdnn_reader_name(r, values[TOP_NAME], "name of the network", NOT_IN_NETWORKS,
                                        &r->model->name));
    VDNN_IF_OK(status, vdnn_reader_inputs(r, values[TOP_INPUT], values[TOP_INPUTS]));
    if (status == VDNN_OK)
        find_classes(r->model);
    VDNN_IF_OK(status, vdnn_training_reader_read(r->tree, values[TOP_TRAINING], r->model));
    return status == VDNN_OK ? vdnn_reader_init(r, values[TOP_INIT], &r->init) : status;
}

static vdnn_status begin(vdnn_model_reader *r, const vdnn_yaml_tree *tree, vdnn_model *model,
                         int32_t *layers)
{
    *r = (vdnn_model_reader){.tree = tree, .model = model, .init = {.kind = VDNN_INIT_HE}};
    vdnn_status status = vdnn_names_init(&r->names, 0);
    return status == VDNN_OK ? read_top(r, layers) : status;
}

vdnn_status vdnn_model_reader_read(const vdnn_yaml_tree *tree, vdnn_model *model)
{
    vdnn_model_reader r;
    int32_t layers;
    vdnn_status status = begin(&r, tree, model, &layers);
    if (status == VDNN_OK && layers < 0)
        status = vdnn_yaml_tree_refuse(tree, vdnn_reader_line(&r, 0),
                                       "the network has no key 'layers', which it must have");
    VDNN_IF_OK(status, read_layers(&r, layers, "layers"));
    VDNN_IF_OK(status, check_sources(&r));
    vdnn_names_fini(&r.names);
    return status;
}

/* ---- item by item ---------------------------------------------------------------------------- */

vdnn_status vdnn_model_reader_begin(const vdnn_yaml_tree *head, vdnn_model *model,
                                    vdnn_model_reader **out)
{
    int32_t layers;
    vdnn_model_reader *r = vdnn_heap_calloc(1, sizeof *r);
    if (r == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its reader", model->path);
    vdnn_status status = begin(r, head, model, &layers);
    if (status == VDNN_OK && layers >= 0)
        status = vdnn_yaml_tree_refuse(head, vdnn_reader_line(r, layers),
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
static void roll_back(vdnn_model_reader *r, int32_t count, int32_t source_count)
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
