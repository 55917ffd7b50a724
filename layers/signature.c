#include "layers/signature.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <inttypes.h>

typedef void add_value(vdnn_text *text, const void *value);

static void add_int(vdnn_text *text, const void *value)
{
    vdnn_text_add(text, "%" PRId64, *(const int64_t *)value);
}

static void add_pair(vdnn_text *text, const void *value)
{
    const int64_t *pair = value;
    vdnn_text_add(text, "%" PRId64 "x%" PRId64, pair[0], pair[1]);
}

static void add_real(vdnn_text *text, const void *value)
{
    vdnn_text_add(text, "%.17g", *(const double *)value);
}

static void add_bool(vdnn_text *text, const void *value)
{
    vdnn_text_add(text, "%d", *(const bool *)value);
}

static add_value *const adders[] = {[VDNN_KEY_INT] = add_int,
                                    [VDNN_KEY_PAIR] = add_pair,
                                    [VDNN_KEY_REAL] = add_real,
                                    [VDNN_KEY_BOOL] = add_bool};

/* A sequence is marked: a layer may compute it otherwise than a picture of the same dimensions. */
static void add_desc(vdnn_text *text, const vdnn_desc *desc)
{
    vdnn_text_add(text, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64 ":%s:%s", desc->dims[VDNN_N],
                  desc->dims[VDNN_C], desc->dims[VDNN_H], desc->dims[VDNN_W],
                  vdnn_dtype_text(desc->dtype), vdnn_layout_text(desc->layout));
    if (vdnn_desc_is_sequence(desc))
        vdnn_text_add(text, ":sequence");
    if (vdnn_desc_is_integer(desc))
        vdnn_text_add(text, ":below%" PRId64, desc->below);
}

static void add_keys(vdnn_text *text, const vdnn_layer_def *def, const void *config)
{
    const char *between = "";
    vdnn_text_add(text, "%s(", def->type);
    for (size_t i = 0; i < def->key_count; i++) {
        const vdnn_key *key = &def->keys[i];
        const void *value = (const char *)config + key->offset;
        if (key->kind == VDNN_KEY_INT && *(const int64_t *)value == VDNN_NO_LABEL)
            continue; /* no label is the preset, which files of before the key stand for */
        vdnn_text_add(text, "%s%s=", between, key->name);
        adders[key->kind](text, value);
        between = ",";
    }
    vdnn_text_add(text, ")");
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
    add_keys(&text, layer->def, layer->config);
    vdnn_text_add(&text, "x=");
    for (int32_t i = 0; i < layer->input_count; i++) {
        vdnn_text_add(&text, "%s", i == 0 ? "" : "+");
        add_desc(&text, &layer->x[i]);
    }
    vdnn_text_add(&text, ";y=");
    add_desc(&text, &layer->y);
    vdnn_text_add(&text, ";dx=");
    for (int32_t i = 0; i < layer->input_count; i++)
        vdnn_text_add(&text, "%d", layer->wants_dx[i]);
    vdnn_text_add(&text, ";needs=%u,%u%s%s%s", layer->needs[VDNN_BACKWARD_DATA],
                  layer->needs[VDNN_BACKWARD_FILTER], layer->in_place ? ";in_place" : "",
                  layer->epilogue == VDNN_EPILOGUE_RELU ? ";relu"
                  : layer->is_fused                     ? ";done"
                                                        : "",
                  layer->is_tied ? ";tied" : "");
    return finish(&text, layer->name, signature);
}

vdnn_status vdnn_signature_describe(const char *name, const vdnn_layer_def *def, const void *config,
                                    char *const *from, int32_t from_count, const char *weight_of,
                                    char **description)
{
    vdnn_text text = {0};
    add_keys(&text, def, config);
    for (int32_t i = 0; i < from_count; i++)
        vdnn_text_add(&text, "%s%s", i == 0 ? " from " : ", ", from[i]);
    if (weight_of != NULL)
        vdnn_text_add(&text, " with the weight of %s", weight_of);
    return finish(&text, name, description);
}
