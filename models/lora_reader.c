/* Low-rank adaptation, `lora: {rank: R, alpha: A}` of a layer NAME: its parameters stay as they
 * are, and two layers of its type without bias, of R channels in between, are trained with it.
 *
 *     x --+-- NAME (frozen) ------------------------------------------+
 *         +-- NAME.lora_A -- NAME.lora_scale, A / R -- NAME.lora_B ---+-- NAME.lora, the sum
 *
 * B begins with zeros, so that the sum is NAME's at first. Hu et al., "LoRA: Low-rank adaptation of
 * large language models" (ICLR 2022). The names of the weights are those of the PEFT library. */

#include "layers/pointwise/activation.h"
#include "models/reader.h"
#include "models/section.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

typedef struct adaptation {
    int64_t rank;
    double alpha;
} adaptation;

static const vdnn_key keys[] = {
    {"rank", VDNN_KEY_INT, offsetof(adaptation, rank), .required = true, .min = 1,
     .max = INT32_MAX},
    {"alpha", VDNN_KEY_REAL, offsetof(adaptation, alpha), .required = true, .max = 1e9},
};

static vdnn_status read_keys(const vdnn_model_reader *r, int32_t node, const char *name,
                             adaptation *by)
{
    char what[VDNN_MODEL_MAX_NAME + sizeof "lora of layer ''"];
    (void)snprintf(what, sizeof what, "lora of layer '%s'", name);
    const vdnn_section section = {.tree = r->tree,
                                  .node = node,
                                  .what = what,
                                  .keys = keys,
                                  .key_count = sizeof keys / sizeof *keys,
                                  .config = by};
    return vdnn_section_read(&section);
}

/* Of a type that has no weight, or none that is adapted. */
static vdnn_status refuse_type(const vdnn_model_reader *r, int32_t node,
                               const vdnn_layer_spec *layer)
{
    vdnn_text types = {0};
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        if (vdnn_layer_def_at(i)->adapt != NULL)
            vdnn_text_add(&types, "%s%s", types.length == 0 ? "" : " or ",
                          vdnn_layer_def_at(i)->type);
    vdnn_status status = vdnn_yaml_tree_refuse(
        r->tree, vdnn_reader_line(r, node),
        "%s layer '%s' has lora, but no weight that can be adapted; expected it on a layer of type "
        "%s, such as those that compute its inputs",
        layer->def->type, layer->name, types.failed ? "conv" : types.data);
    vdnn_text_fini(&types);
    return status;
}

/* A layer NAME.SUFFIX after those that were read; its config is zeros. It may move the others. */
static vdnn_status append(vdnn_model_reader *r, int32_t adapted, const char *suffix,
                          const vdnn_layer_def *def, int32_t from_count)
{
    VDNN_TRY(vdnn_reader_append(r, r->model->layers[adapted].line));
    const vdnn_layer_spec *base = &r->model->layers[adapted];
    vdnn_layer_spec *layer = &r->model->layers[r->model->layer_count - 1];
    vdnn_text name = {0};
    vdnn_text_add(&name, "%s.%s", base->name, suffix);
    layer->name = name.failed ? NULL : vdnn_heap_strdup(name.data);
    vdnn_text_fini(&name);
    layer->from = vdnn_heap_calloc((size_t)from_count, sizeof *layer->from);
    layer->config = vdnn_heap_calloc(1, def->config_bytes);
    if (layer->name == NULL || layer->from == NULL || layer->config == NULL)
        return vdnn_reader_no_memory(r);
    layer->def = def;
    layer->parts = layer->channel_parts = 1;
    layer->is_adapter = true;
    r->source_count += from_count;
    return vdnn_reader_claim(r, layer);
}

/* The last layer reads this too. */
static vdnn_status reads(vdnn_model_reader *r, const char *name)
{
    vdnn_layer_spec *layer = &r->model->layers[r->model->layer_count - 1];
    char *copy = vdnn_heap_strdup(name);
    if (copy == NULL)
        return vdnn_reader_no_memory(r);
    layer->from[layer->from_count++] = copy;
    return VDNN_OK;
}

static vdnn_status add_layers(vdnn_model_reader *r, int32_t adapted, const adaptation *by)
{
    enum { BASE, DOWN, SCALE, UP, SUM };
    static const vdnn_init from_he = {.kind = VDNN_INIT_HE}, zeros = {.kind = VDNN_INIT_ZEROS};
    const vdnn_layer_def *def = r->model->layers[adapted].def;
    VDNN_TRY(append(r, adapted, "lora_A", def, 1));
    VDNN_TRY(reads(r, r->model->layers[adapted].from[0]));
    VDNN_TRY(append(r, adapted, "lora_scale", vdnn_layer_def_find("scale"), 1));
    VDNN_TRY(reads(r, r->model->layers[adapted + DOWN].name));
    VDNN_TRY(append(r, adapted, "lora_B", def, 1));
    VDNN_TRY(reads(r, r->model->layers[adapted + SCALE].name));
    VDNN_TRY(append(r, adapted, "lora", vdnn_layer_def_find("add"), 2));
    VDNN_TRY(reads(r, r->model->layers[adapted].name));
    VDNN_TRY(reads(r, r->model->layers[adapted + UP].name));
    vdnn_layer_spec *layers = &r->model->layers[adapted];
    def->adapt(layers[BASE].config, by->rank, layers[DOWN].config, layers[UP].config);
    ((vdnn_activation_config *)layers[SCALE].config)->slope = by->alpha / (double)by->rank;
    layers[DOWN].init = from_he;
    layers[UP].init = zeros;
    layers[BASE].is_frozen = true;
    layers[BASE].is_adapted = true;
    return VDNN_OK;
}

vdnn_status vdnn_reader_lora(vdnn_model_reader *r, int32_t node, bool is_trained)
{
    enum { LONGEST = sizeof ".lora_scale" - 1 };
    const int32_t adapted = r->model->layer_count - 1;
    const vdnn_layer_spec *layer = &r->model->layers[adapted];
    adaptation by = {0};
    VDNN_TRY(read_keys(r, node, layer->name, &by));
    if (layer->def->adapt == NULL)
        return refuse_type(r, node, layer);
    if (is_trained)
        return vdnn_yaml_tree_refuse(r->tree, layer->line,
                                     "layer '%s' has both lora, which freezes it, and `frozen: "
                                     "false`",
                                     layer->name);
    if (strlen(layer->name) + LONGEST > VDNN_MODEL_MAX_NAME)
        return vdnn_yaml_tree_refuse(r->tree, layer->line,
                                     "the name of layer '%s', which has lora, has %zu bytes, "
                                     "expected at most %d",
                                     layer->name, strlen(layer->name),
                                     VDNN_MODEL_MAX_NAME - LONGEST);
    return add_layers(r, adapted, &by);
}
