#include "layers/signature.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"

typedef void add_value(vdnn_text *text, const void *value);

static void add_int(vdnn_text *text, const void *value)
{
    vdnn_text_put_number(text, *(const int64_t *)value);
}

static void add_numbers(vdnn_text *text, const int64_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        vdnn_text_put(text, i == 0 ? "" : "x");
        vdnn_text_put_number(text, numbers[i]);
    }
}

static void add_pair(vdnn_text *text, const void *value)
{
    add_numbers(text, value, 2);
}

/* Height and width, after the depth where it is another number or, of a layer in a network, the
 * layer's input has one. */
static void add_sides(vdnn_text *text, const int64_t *sides, const vdnn_layer *layer)
{
    const int64_t depth = sides[VDNN_SIDE_D];
    const bool is_of_all = depth == sides[VDNN_SIDE_H] && depth == sides[VDNN_SIDE_W];
    if (layer == NULL ? depth >= 0 && !is_of_all : vdnn_desc_is_volume(&layer->x[0])) {
        vdnn_text_put_number(text, depth);
        vdnn_text_put(text, "x");
    }
    add_pair(text, sides);
}

static void add_real(vdnn_text *text, const void *value)
{
    vdnn_text_add(text, "%.17g", *(const double *)value);
}

static void add_bool(vdnn_text *text, const void *value)
{
    vdnn_text_put(text, *(const bool *)value ? "1" : "0");
}

static add_value *const adders[] = {[VDNN_KEY_INT] = add_int,
                                    [VDNN_KEY_PAIR] = add_pair,
                                    [VDNN_KEY_REAL] = add_real,
                                    [VDNN_KEY_BOOL] = add_bool};

/* A sequence is marked: a layer may compute it otherwise than a picture of the same dimensions. */
static void add_desc(vdnn_text *text, const vdnn_desc *desc)
{
    int64_t sides[VDNN_SIDES];
    vdnn_desc_sides(desc, sides);
    add_numbers(text, desc->dims, VDNN_C + 1);
    const int64_t cells[] = {sides[VDNN_SIDE_D], sides[VDNN_SIDE_H], sides[VDNN_SIDE_W]};
    const int first = vdnn_desc_is_volume(desc) ? 0 : 1;
    vdnn_text_put(text, "x");
    add_numbers(text, cells + first, VDNN_SIDES - first);
    vdnn_text_put(text, ":");
    vdnn_text_put(text, vdnn_dtype_text(desc->dtype));
    vdnn_text_put(text, ":");
    vdnn_text_put(text, vdnn_layout_text(desc->layout));
    if (vdnn_desc_is_sequence(desc))
        vdnn_text_put(text, ":sequence");
    if (vdnn_desc_is_integer(desc)) {
        vdnn_text_put(text, ":below");
        vdnn_text_put_number(text, desc->below);
    }
}

/* Of a key that came after profiles without it. */
static bool is_left_out(const vdnn_layer_def *def, size_t i, const void *value)
{
    const vdnn_key *key = &def->keys[i];
    if (key->kind == VDNN_KEY_INT && *(const int64_t *)value == VDNN_NO_LABEL)
        return true; /* no label is the preset, which files of before the key stand for */
    if (i + def->later_keys < def->key_count)
        return false;
    return key->kind == VDNN_KEY_REAL
               ? *(const double *)value == key->preset
               : key->kind == VDNN_KEY_INT && (double)*(const int64_t *)value == key->preset;
}

/* `layer` NULL: of a network's file. */
static void add_keys(vdnn_text *text, const vdnn_layer_def *def, const void *config,
                     const vdnn_layer *layer)
{
    const char *between = "";
    vdnn_text_put(text, def->type);
    vdnn_text_put(text, "(");
    for (size_t i = 0; i < def->key_count; i++) {
        const vdnn_key *key = &def->keys[i];
        const void *value = (const char *)config + key->offset;
        if (is_left_out(def, i, value))
            continue;
        vdnn_text_put(text, between);
        vdnn_text_put(text, key->name);
        vdnn_text_put(text, "=");
        const char *const *words = vdnn_layer_def_words(def, i);
        if (words != NULL)
            vdnn_text_put(text, words[*(const int64_t *)value]);
        else if (key->kind == VDNN_KEY_SIDES)
            add_sides(text, value, layer);
        else
            adders[key->kind](text, value);
        between = ",";
    }
    vdnn_text_put(text, ")");
}

static vdnn_status finish(vdnn_text *text, const char *name, char **word)
{
    char *copy = text->failed ? NULL : vdnn_heap_strdup(text->data);
    vdnn_text_fini(text);
    if (copy == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the signature of layer '%s'", name);
    *word = copy;
    return VDNN_OK;
}

vdnn_status vdnn_signature_make(const vdnn_layer *layer, char **signature)
{
    vdnn_text text = {0};
    add_keys(&text, layer->def, layer->config, layer);
    vdnn_text_put(&text, "x=");
    for (int32_t i = 0; i < layer->input_count; i++) {
        vdnn_text_put(&text, i == 0 ? "" : "+");
        add_desc(&text, &layer->x[i]);
    }
    vdnn_text_put(&text, ";y=");
    add_desc(&text, &layer->y);
    vdnn_text_put(&text, ";dx=");
    for (int32_t i = 0; i < layer->input_count; i++)
        add_bool(&text, &layer->wants_dx[i]);
    vdnn_text_put(&text, ";needs=");
    vdnn_text_put_number(&text, layer->needs[VDNN_BACKWARD_DATA]);
    vdnn_text_put(&text, ",");
    vdnn_text_put_number(&text, layer->needs[VDNN_BACKWARD_FILTER]);
    vdnn_text_put(&text, layer->in_place ? ";in_place" : "");
    vdnn_text_put(&text, layer->epilogue == VDNN_EPILOGUE_RELU ? ";relu"
                         : layer->is_fused                     ? ";done"
                                                               : "");
    vdnn_text_put(&text, layer->is_tied ? ";tied" : "");
    vdnn_text_put(&text, layer->is_frozen && layer->param_count > 0 ? ";frozen" : "");
    return finish(&text, layer->name, signature);
}

vdnn_status vdnn_signature_describe(const char *name, const vdnn_layer_def *def, const void *config,
                                    char *const *from, int32_t from_count, const char *weight_of,
                                    bool is_frozen, char **description)
{
    vdnn_text text = {0};
    add_keys(&text, def, config, NULL);
    for (int32_t i = 0; i < from_count; i++)
        vdnn_text_add(&text, "%s%s", i == 0 ? " from " : ", ", from[i]);
    if (weight_of != NULL)
        vdnn_text_add(&text, " with the weight of %s", weight_of);
    vdnn_text_put(&text, is_frozen ? " frozen" : "");
    return finish(&text, name, description);
}
