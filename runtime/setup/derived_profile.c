#include "runtime/setup/derived_profile.h"

#include "runtime/base/json.h"

#include <stdio.h>
#include <string.h>

/* Limit of a file of algorithms; the JSON of the largest network has a hundredth of it. */
enum { MAX_BYTES = 64 << 20 };

/* Of the layer, or of the largest of its parts, with what is staged there; refused if one of them
 * is. */
static vdnn_status ask(const vdnn_graph *graph, int32_t layer, vdnn_pass pass,
                       const vdnn_algorithm *algorithm, vdnn_device *device, vdnn_offer *offer)
{
    vdnn_offer most = {0};
    for (int32_t p = 0; p < vdnn_graph_part_count(graph, layer); p++) {
        vdnn_offer own = {0};
        vdnn_status status =
            vdnn_device_ask(device, algorithm, vdnn_graph_part_layer(graph, layer, p), pass, &own);
        if (status != VDNN_OK)
            return status;
        if (own.refusal != NULL)
            most.refusal = own.refusal;
        own.workspace_bytes += vdnn_graph_part_staged(graph, layer, p, pass);
        if (own.workspace_bytes > most.workspace_bytes)
            most.workspace_bytes = own.workspace_bytes;
    }
    *offer = most;
    return VDNN_OK;
}

static vdnn_status scale_pass(const vdnn_layer_profile *from, const vdnn_graph *to, int32_t layer,
                              vdnn_pass pass, double ratio, vdnn_device *device,
                              vdnn_profile *scaled)
{
    for (int32_t i = 0; i < from->choice_count[pass]; i++) {
        const vdnn_choice *choice = &from->choices[pass][i];
        vdnn_offer offer = {0};
        vdnn_status status = ask(to, layer, pass, choice->algorithm, device, &offer);
        if (status == VDNN_OK && offer.refusal != NULL)
            continue;
        VDNN_IF_OK(status,
                   vdnn_profile_add(scaled, layer, pass,
                                    (vdnn_choice){.algorithm = choice->algorithm,
                                                  .seconds = choice->seconds * ratio,
                                                  .workspace_bytes = offer.workspace_bytes}));
        if (status != VDNN_OK)
            return status;
    }
    if (scaled->layers[layer].choice_count[pass] == 0 && from->choice_count[pass] > 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "no algorithm of %s is left for %s",
                                to->layers[layer].name, vdnn_pass_text(pass));
    return VDNN_OK;
}

/* What is scaled. */
typedef struct scaling {
    const vdnn_profile *profile;
    const vdnn_graph *from;
    vdnn_device *device;
} scaling;

static vdnn_status scale_to(void *argument, const vdnn_graph *to, vdnn_profile **scaled)
{
    const scaling *by = argument;
    const vdnn_profile *profile = by->profile;
    VDNN_INVARIANT(profile->layer_count, ==, to->layer_count);
    vdnn_profile *fresh = NULL;
    vdnn_status status = vdnn_profile_create_empty(profile->layer_count, &fresh);
    if (status != VDNN_OK)
        return status;
    vdnn_layer_profile *layers = fresh->layers;
    *fresh = *profile;
    fresh->layers = layers;
    fresh->omissions = NULL;
    fresh->omission_count = 0;
    double ratio = (double)to->micro_batch / (double)by->from->micro_batch;
    for (int32_t l = 0; status == VDNN_OK && l < profile->layer_count; l++)
        for (int p = 0; status == VDNN_OK && p < VDNN_PASS_COUNT; p++)
            status = scale_pass(&profile->layers[l], to, l, (vdnn_pass)p, ratio, by->device, fresh);
    if (status == VDNN_OK)
        *scaled = fresh;
    else
        vdnn_profile_destroy(fresh);
    return status;
}

vdnn_status vdnn_derived_profile_scale(const vdnn_profile *profile, const vdnn_graph *from,
                                       const vdnn_graph *to, vdnn_device *device,
                                       vdnn_profile **scaled)
{
    scaling by = {profile, from, device};
    return vdnn_profile_create_of(to, scale_to, &by, scaled);
}

/* ---- pinned algorithms ----------------------------------------------------------------------- */

static json_t *layer_named(json_t *layers, const char *name)
{
    size_t i;
    json_t *layer;
    json_array_foreach(layers, i, layer)
    {
        const char *text = json_string_value(json_object_get(layer, "name"));
        if (text != NULL && strcmp(text, name) == 0)
            return layer;
    }
    return NULL;
}

/* There is no such choice: says why, if it is an algorithm that this device cannot use. */
static vdnn_status fail_pin(const vdnn_profile *profile, const vdnn_layer *layer, vdnn_pass pass,
                            const char *name, const char *path, vdnn_status status)
{
    const vdnn_algorithm *any = profile->layers[layer->index].choices[pass][0].algorithm;
    const vdnn_algorithm *row = vdnn_algorithm_find(layer->def->type, name, any->device);
    const char *why = row == NULL ? NULL : vdnn_algorithm_refusal(row, layer, pass);
    if (why == NULL)
        return vdnn_status_prefix(status, "%s: layer %s, %s", path, layer->name,
                                  vdnn_pass_text(pass));
    return vdnn_status_prefix(status, "%s: layer %s, %s: %s cannot be used (%s)", path, layer->name,
                              vdnn_pass_text(pass), name, why);
}

static vdnn_status pin_layer(void *to, const vdnn_layer *layer, json_t *row, const char *path)
{
    vdnn_profile *profile = to;
    json_t *algorithms = json_object_get(row, "algorithms");
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        vdnn_pass pass = (vdnn_pass)p;
        if (profile->layers[layer->index].choice_count[p] == 0)
            continue;
        const char *name = json_string_value(json_object_get(algorithms, vdnn_pass_text(pass)));
        if (name == NULL)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: layer %s names no algorithm for %s", path,
                                    layer->name, vdnn_pass_text(pass));
        vdnn_status status = vdnn_profile_pin(profile, layer->index, pass, name);
        if (status != VDNN_OK)
            return fail_pin(profile, layer, pass, name, path, status);
    }
    return VDNN_OK;
}

/* What is done with the row of a layer of the network's file. */
typedef vdnn_status take_row(void *to, const vdnn_layer *layer, json_t *row, const char *path);

static vdnn_status take_all(json_t *root, const vdnn_graph *graph, const char *path, take_row *take,
                            void *to)
{
    json_t *layers = json_object_get(root, "layers");
    if (!json_is_array(layers))
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: no 'layers' in it; expected what --json of a run wrote", path);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        if (graph->layers[l].def->internal) /* not in the JSON of runs */
            continue;
        json_t *row = layer_named(layers, graph->layers[l].name);
        if (row == NULL)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: nothing about layer %s of %s", path,
                                    graph->layers[l].name, graph->name);
        VDNN_TRY(take(to, &graph->layers[l], row, path));
    }
    return VDNN_OK;
}

static vdnn_status take_file(const char *path, const vdnn_graph *graph, take_row *take, void *to)
{
    json_t *root = NULL;
    vdnn_status status = vdnn_json_read(path, MAX_BYTES, &root);
    VDNN_IF_OK(status, take_all(root, graph, path, take, to));
    json_decref(root);
    return status;
}

vdnn_status vdnn_derived_profile_pin(vdnn_profile *profile, const vdnn_graph *graph,
                                     const char *path)
{
    return take_file(path, graph, pin_layer, profile);
}

/* ---- parts ----------------------------------------------------------------------------------- */

typedef struct cut {
    const vdnn_graph *graph;
    int32_t *parts, *chained;
} cut;

/* A run that says nothing of it cut nothing. */
static vdnn_status cut_layer(void *to, const vdnn_layer *layer, json_t *row, const char *path)
{
    const cut *own = to;
    const json_t *count = json_object_get(row, "parts");
    const json_int_t channels = (json_int_t)layer->channel_parts,
                     parts = count == NULL ? (json_int_t)layer->parts * channels
                                           : json_integer_value(count),
                     most = vdnn_graph_most_parts(own->graph, layer->index) * channels;
    if (parts < channels || parts > most || parts % channels != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: layer %s in %lld parts; it has at most %lld",
                                path, layer->name, (long long)parts, (long long)most);
    own->parts[layer->index] = (int32_t)(parts / channels);
    own->chained[layer->index] = json_is_true(json_object_get(row, "chained"));
    return VDNN_OK;
}

/* Layers that no run's JSON has are in a chain with the one behind them. */
static void cut_internal(const vdnn_graph *graph, const cut *own)
{
    for (int32_t l = graph->layer_count - 1; l >= 0; l--)
        if (graph->layers[l].def->internal) {
            const bool is_inside = l + 1 < graph->layer_count && own->chained[l + 1] &&
                                   own->parts[l + 1] <= vdnn_graph_most_parts(graph, l);
            own->parts[l] = is_inside ? own->parts[l + 1] : (int32_t)graph->layers[l].parts;
            own->chained[l] = is_inside && l > 0 && own->parts[l - 1] == own->parts[l];
        }
}

vdnn_status vdnn_derived_profile_cut(const char *path, const vdnn_graph *graph, int32_t *parts,
                                     int32_t *chained)
{
    cut own = {graph, parts, chained};
    vdnn_status status = take_file(path, graph, cut_layer, &own);
    if (status == VDNN_OK)
        cut_internal(graph, &own);
    return status;
}

vdnn_status vdnn_derived_profile_layout(const char *path,
                                        char layout[VDNN_DERIVED_PROFILE_LAYOUT_BYTES])
{
    json_t *root = NULL;
    VDNN_TRY(vdnn_json_read(path, MAX_BYTES, &root));
    const char *text = json_string_value(json_object_get(root, "layout"));
    (void)snprintf(layout, VDNN_DERIVED_PROFILE_LAYOUT_BYTES, "%s", text == NULL ? "" : text);
    json_decref(root);
    return VDNN_OK;
}
