#include "tests/support/key_tables.h"

#include "layers/optimizer.h"
#include "layers/registry.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- layers ---------------------------------------------------------------------------------- */

static void put_range(FILE *out, const vdnn_key *key)
{
    if (key->min <= INT32_MIN)
        return;
    if (key->max >= INT32_MAX)
        (void)fprintf(out, " from %.10g", key->min);
    else
        (void)fprintf(out, " %.10g to %.10g", key->min, key->max);
}

static void put_words(FILE *out, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        (void)fprintf(out, "%s%s", i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ", words[i]);
}

static void put_values(FILE *out, const vdnn_layer_def *def, size_t i)
{
    const vdnn_key *key = &def->keys[i];
    switch (key->kind) {
    case VDNN_KEY_BOOL:
        (void)fprintf(out, "true or false");
        return;
    case VDNN_KEY_INT:
        (void)fprintf(out, "integer");
        break;
    case VDNN_KEY_PAIR:
        (void)fprintf(out, "integer or [height, width],");
        break;
    case VDNN_KEY_SIDES:
        (void)fprintf(out, "integer or [(depth,) height, width],");
        break;
    case VDNN_KEY_REAL:
        (void)fprintf(out, "number");
        break;
    case VDNN_KEY_WORD:
        put_words(out, vdnn_layer_def_words(def, i));
        return;
    }
    put_range(out, key);
}

static void put_default(FILE *out, const vdnn_layer_def *def, size_t i)
{
    const vdnn_key *key = &def->keys[i];
    if (key->required)
        (void)fprintf(out, "must be given");
    else if (key->preset_key != NULL)
        (void)fprintf(out, "that of `%s`", key->preset_key);
    else if (key->kind == VDNN_KEY_WORD)
        (void)fprintf(out, "%s", vdnn_layer_def_words(def, i)[(size_t)key->preset]);
    else if (key->kind == VDNN_KEY_BOOL)
        (void)fprintf(out, "%s", key->preset != 0.0 ? "true" : "false");
    else if (key->preset <= INT32_MIN)
        (void)fprintf(out, "none");
    else
        (void)fprintf(out, "%.10g", key->preset);
}

static void put_layer(FILE *out, const vdnn_layer_def *def)
{
    for (size_t i = 0; i < def->key_count; i++) {
        (void)fprintf(out, "| `%s` `%s` | ", def->type, def->keys[i].name);
        put_values(out, def, i);
        (void)fprintf(out, " | ");
        put_default(out, def, i);
        (void)fprintf(out, " |\n");
    }
    if (def->key_count == 0)
        (void)fprintf(out, "| `%s` | no further keys | |\n", def->type);
}

static void put_layers(FILE *out)
{
    (void)fprintf(out, "| type and key | values | default |\n|---|---|---|\n");
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        if (!vdnn_layer_def_at(i)->internal)
            put_layer(out, vdnn_layer_def_at(i));
}

/* ---- optimizers ------------------------------------------------------------------------------ */

static void put_setting(FILE *out, const vdnn_optimizer *optimizer, const vdnn_setting *setting)
{
    const double *values = vdnn_setting_values(setting, &optimizer->presets);
    if (!vdnn_optimizer_has(optimizer, setting))
        return;
    (void)fprintf(out, " `%s` ", setting->name);
    if (setting->count == 1)
        (void)fprintf(out, "%.10g", values[0]);
    else
        (void)fprintf(out, "[%.10g, %.10g]", values[0], values[1]);
}

static void put_optimizers(FILE *out)
{
    (void)fprintf(
        out, "| optimizer | keys and their defaults | floats kept a weight |\n|---|---|---|\n");
    for (int i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
        const vdnn_optimizer *optimizer = vdnn_optimizer_at((vdnn_optimizer_id)i);
        (void)fprintf(out, "| `%s` |", optimizer->name);
        for (size_t s = 0; s < VDNN_SETTING_COUNT; s++)
            put_setting(out, optimizer, vdnn_setting_at(s));
        (void)fprintf(out, " | %d |\n", (int)optimizer->slot_count);
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

static char *text_of(void (*put)(FILE *out))
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return NULL;
    put(out);
    (void)fclose(out);
    return text;
}

char *vdnn_test_layer_table(void)
{
    return text_of(put_layers);
}

char *vdnn_test_optimizer_table(void)
{
    return text_of(put_optimizers);
}
