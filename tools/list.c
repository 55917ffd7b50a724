#include "tools/list.h"

#include "tools/program.h"

#include <string.h>

static vdnn_status add_policies(vdnn_text *names)
{
    for (size_t i = 0; i < vdnn_policy_count(); i++)
        vdnn_text_add(names, "%s\n", vdnn_policy_name(i));
    return VDNN_OK;
}

/* As it stands in a network's file: a key that has a default with that. */
static void add_key(const vdnn_layer_key *key, vdnn_text *names)
{
    vdnn_text_add(names, "  %s", key->name);
    if (key->required)
        return;
    if (key->preset_key != NULL)
        vdnn_text_add(names, "=%s", key->preset_key);
    else if (key->words != NULL)
        vdnn_text_add(names, "=%s", key->words[(size_t)key->preset]);
    else if (key->kind == VDNN_KEY_BOOL)
        vdnn_text_add(names, "=%s", key->preset != 0 ? "true" : "false");
    else if (key->preset <= (double)INT64_MIN)
        vdnn_text_add(names, "=none");
    else
        vdnn_text_add(names, "=%g", key->preset);
}

static vdnn_status add_layers(vdnn_text *names)
{
    const char *type;
    for (size_t i = 0; (type = vdnn_layer_name(i)) != NULL; i++) {
        vdnn_text_add(names, "%s", type);
        for (size_t k = 0; k < vdnn_layer_key_count(type); k++) {
            vdnn_layer_key key = {.size = sizeof key};
            vdnn_status status = vdnn_layer_key_at(type, k, &key);
            if (status != VDNN_OK)
                return status;
            add_key(&key, names);
        }
        vdnn_text_add(names, "\n");
    }
    return VDNN_OK;
}

static const struct {
    const char *what;
    vdnn_status (*add)(vdnn_text *names);
} lists[] = {
    {"models", vdnn_network_names}, {"devices", vdnn_device_names}, {"policies", add_policies},
    {"layers", add_layers},         {"data", vdnn_data_names},
};

vdnn_status vdnn_list_print(const char *what)
{
    vdnn_text names = {0};
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].what, what) == 0)
            status = lists[i].add(&names);
    if (status == VDNN_OK)
        status = vdnn_program_write("-", &names);
    vdnn_text_fini(&names);
    return status;
}
