#include "models/reader.h"

#include "models/section.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { WHAT_BYTES = 320 };

static const vdnn_key input_keys[] = {
    {"channels", VDNN_KEY_INT, offsetof(vdnn_input_spec, channels), .required = true, .min = 1,
     .max = INT32_MAX},
    {"depth", VDNN_KEY_INT, offsetof(vdnn_input_spec, depth), .min = 1, .max = INT32_MAX},
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

static const char *const token_others[] = {"tokenizer"};

static const vdnn_key mean_key = {"mean", VDNN_KEY_REAL, 0, .min = -1e6, .max = 1e6};
static const vdnn_key std_key = {"std", VDNN_KEY_REAL, 0, .min = 1e-6, .max = 1e6};

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

static vdnn_status read_picture(const vdnn_model_reader *r, int32_t node, const char *what,
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
    VDNN_TRY(vdnn_section_read(&input));
    VDNN_TRY(read_channels(&input, &mean_key, others[INPUT_MEAN], &spec->normalization.mean));
    return read_channels(&input, &std_key, others[INPUT_STD], &spec->normalization.std);
}

/* A path, from the folder of the network's file on. */
static vdnn_status read_path(const vdnn_model_reader *r, int32_t node, char **path)
{
    char quoted[VDNN_YAML_QUOTE_BYTES];
    const vdnn_yaml_node *own = &r->tree->nodes[node];
    const char *text = own->kind == VDNN_YAML_SCALAR ? vdnn_yaml_tree_text(r->tree, node) : "";
    const char *slash = strrchr(r->tree->path, '/');
    vdnn_text whole = {0};
    if (text[0] == '\0')
        return vdnn_yaml_tree_refuse(r->tree, own->line, "tokenizer is %s, expected a path",
                                     vdnn_yaml_tree_quote(quoted, r->tree, node));
    if (text[0] != '/' && slash != NULL)
        vdnn_text_put_bytes(&whole, r->tree->path, (size_t)(slash + 1 - r->tree->path));
    vdnn_text_put(&whole, text);
    if (whole.failed) {
        vdnn_text_fini(&whole);
        return vdnn_reader_no_memory(r);
    }
    *path = whole.data;
    return VDNN_OK;
}

static vdnn_status read_tokens(const vdnn_model_reader *r, int32_t node, const char *what,
                               vdnn_input_spec *spec)
{
    int32_t tokenizer = -1;
    const vdnn_section input = {.tree = r->tree,
                                .node = node,
                                .what = what,
                                .keys = token_keys,
                                .key_count = COUNT(token_keys),
                                .config = spec,
                                .others = token_others,
                                .other_count = COUNT(token_others),
                                .values = &tokenizer};
    VDNN_TRY(vdnn_section_read(&input));
    return tokenizer < 0 ? VDNN_OK : read_path(r, tokenizer, &spec->tokenizer);
}

static bool is_of_tokens(const vdnn_model_reader *r, int32_t node)
{
    if (r->tree->nodes[node].kind != VDNN_YAML_MAPPING)
        return false;
    for (size_t i = 0; i < COUNT(token_keys); i++)
        if (vdnn_yaml_tree_find(r->tree, node, token_keys[i].name) >= 0)
            return true;
    return false;
}

/* The next row of the model's inputs; takes the name. */
static vdnn_input_spec *add_input(vdnn_model_reader *r, char *name, int line)
{
    vdnn_input_spec *spec = &r->model->inputs[r->model->input_count++];
    *spec = (vdnn_input_spec){.name = name, .line = line};
    return spec;
}

static vdnn_status read_only_input(vdnn_model_reader *r, int32_t node)
{
    char *name = vdnn_heap_strdup(VDNN_ONLY_INPUT);
    if (name == NULL)
        return vdnn_reader_no_memory(r);
    vdnn_input_spec *spec = add_input(r, name, vdnn_reader_line(r, node));
    return is_of_tokens(r, node) ? read_tokens(r, node, "input of tokens", spec)
                                 : read_picture(r, node, "input", spec);
}

static vdnn_status read_named_input(vdnn_model_reader *r, int32_t key)
{
    char what[WHAT_BYTES], *name = NULL;
    const int32_t node = r->tree->nodes[key].next;
    if (r->model->input_count == VDNN_INPUTS_MAX - 1)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, key),
                                     "more than %d inputs, which is the limit",
                                     VDNN_INPUTS_MAX - 1);
    VDNN_TRY(vdnn_reader_name(r, key, "name of an input", VDNN_NOT_IN_INPUTS, &name));
    const int32_t first = vdnn_names_find_input(r->model, name);
    vdnn_input_spec *spec = add_input(r, name, vdnn_reader_line(r, key));
    if (first >= 0)
        return vdnn_yaml_tree_refuse(r->tree, spec->line,
                                     "a second input is named '%s'; the first is in line %d", name,
                                     r->model->inputs[first].line);
    (void)snprintf(what, sizeof what, "input '%s'", name);
    return is_of_tokens(r, node) ? read_tokens(r, node, what, spec)
                                 : read_picture(r, node, what, spec);
}

static vdnn_status read_named_inputs(vdnn_model_reader *r, int32_t node)
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
vdnn_status vdnn_reader_inputs(vdnn_model_reader *r, int32_t only, int32_t named)
{
    if (only >= 0 && named >= 0)
        return vdnn_yaml_tree_refuse(r->tree, vdnn_reader_line(r, named),
                                     "the network has both input and inputs, expected one of them");
    return only >= 0 ? read_only_input(r, only) : read_named_inputs(r, named);
}
