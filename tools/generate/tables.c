/* Prints what a network's file may say of layers and optimizers, from the tables that read it, as
 * tables of Markdown. models/README.md holds them.
 *
 *     tables layers
 *     tables optimizers
 */

#include "layers/optimizer.h"
#include "layers/registry.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- layers ---------------------------------------------------------------------------------- */

static void put_range(const vdnn_key *key)
{
    if (key->min <= INT32_MIN)
        return;
    if (key->max >= INT32_MAX)
        (void)printf(" from %.10g", key->min);
    else
        (void)printf(" %.10g to %.10g", key->min, key->max);
}

static void put_values(const vdnn_key *key)
{
    switch (key->kind) {
    case VDNN_KEY_BOOL:
        (void)printf("true or false");
        return;
    case VDNN_KEY_INT:
        (void)printf("integer");
        break;
    case VDNN_KEY_PAIR:
        (void)printf("integer or [height, width],");
        break;
    case VDNN_KEY_REAL:
        (void)printf("number");
        break;
    }
    put_range(key);
}

static void put_default(const vdnn_key *key)
{
    if (key->required)
        (void)printf("must be given");
    else if (key->preset_key != NULL)
        (void)printf("that of `%s`", key->preset_key);
    else if (key->kind == VDNN_KEY_BOOL)
        (void)printf("%s", key->preset != 0.0 ? "true" : "false");
    else if (key->preset <= INT32_MIN)
        (void)printf("none");
    else
        (void)printf("%.10g", key->preset);
}

static void put_layer(const vdnn_layer_def *def)
{
    for (size_t i = 0; i < def->key_count; i++) {
        (void)printf("| `%s` `%s` | ", def->type, def->keys[i].name);
        put_values(&def->keys[i]);
        (void)printf(" | ");
        put_default(&def->keys[i]);
        (void)printf(" |\n");
    }
    if (def->key_count == 0)
        (void)printf("| `%s` | no keys of its own | |\n", def->type);
}

static void put_layers(void)
{
    (void)printf("| type and key | values | default |\n|---|---|---|\n");
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        if (!vdnn_layer_def_at(i)->internal)
            put_layer(vdnn_layer_def_at(i));
}

/* ---- optimizers ------------------------------------------------------------------------------ */

static void put_setting(const vdnn_optimizer *optimizer, const vdnn_setting *setting)
{
    const double *values = vdnn_setting_values(setting, &optimizer->presets);
    if (!vdnn_optimizer_has(optimizer, setting))
        return;
    (void)printf(" `%s` ", setting->name);
    if (setting->count == 1)
        (void)printf("%.10g", values[0]);
    else
        (void)printf("[%.10g, %.10g]", values[0], values[1]);
}

static void put_optimizers(void)
{
    (void)printf("| optimizer | keys and their defaults | floats kept a weight |\n|---|---|---|\n");
    for (int i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
        const vdnn_optimizer *optimizer = vdnn_optimizer_at((vdnn_optimizer_id)i);
        (void)printf("| `%s` |", optimizer->name);
        for (size_t s = 0; s < VDNN_SETTING_COUNT; s++)
            put_setting(optimizer, vdnn_setting_at(s));
        (void)printf(" | %d |\n", (int)optimizer->slot_count);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "layers") == 0)
        put_layers();
    else if (argc == 2 && strcmp(argv[1], "optimizers") == 0)
        put_optimizers();
    else {
        (void)fprintf(stderr, "usage: tables layers|optimizers\n");
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 6;
}
