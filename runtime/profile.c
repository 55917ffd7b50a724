#include "runtime/profile.h"

#include "alloc/heap.h"
#include "runtime/profile_measure.h"
#include "runtime/profile_store.h"
#include "runtime/text.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

/* ---- the value ------------------------------------------------------------------------------- */

vdnn_status vdnn_profile_create_empty(int32_t layer_count, vdnn_profile **profile)
{
    vdnn_profile *made = vdnn_heap_calloc(1, sizeof *made);
    vdnn_layer_profile *layers = vdnn_heap_calloc((size_t)layer_count, sizeof *layers);
    if (made == NULL || layers == NULL)
        goto fail;
    made->layers = layers;
    made->layer_count = layer_count;
    *profile = made;
    return VDNN_OK;
fail:
    vdnn_heap_free(layers);
    vdnn_heap_free(made);
    return vdnn_status_fail(VDNN_NO_MEMORY, "profile of %d layers: out of memory", layer_count);
}

void vdnn_profile_destroy(vdnn_profile *profile)
{
    if (profile == NULL)
        return;
    for (int32_t i = 0; i < profile->layer_count; i++)
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
            vdnn_heap_free(profile->layers[i].choices[pass]);
    vdnn_heap_free(profile->layers);
    vdnn_heap_free(profile);
}

static bool goes_before(const vdnn_choice *a, const vdnn_choice *b)
{
    if (a->workspace_bytes != b->workspace_bytes)
        return a->workspace_bytes < b->workspace_bytes;
    if (a->seconds < b->seconds || a->seconds > b->seconds)
        return a->seconds < b->seconds;
    return strcmp(a->algorithm->name, b->algorithm->name) < 0;
}

vdnn_status vdnn_profile_add(vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                             vdnn_choice choice)
{
    vdnn_layer_profile *at = &profile->layers[layer];
    int32_t count = at->choice_count[pass];
    vdnn_choice *choices = vdnn_heap_realloc(at->choices[pass], (size_t)count + 1, sizeof *choices);
    if (choices == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile of layer %d: out of memory", layer);
    int32_t place = count;
    for (; place > 0 && goes_before(&choice, &choices[place - 1]); place--)
        choices[place] = choices[place - 1];
    choices[place] = choice;
    at->choices[pass] = choices;
    at->choice_count[pass] = count + 1;
    return VDNN_OK;
}

int32_t vdnn_profile_fastest(const vdnn_profile *profile, int32_t layer, vdnn_pass pass)
{
    const vdnn_choice *choices = profile->layers[layer].choices[pass];
    int32_t best = 0; /* choices come by workspace */
    for (int32_t i = 1; i < profile->layers[layer].choice_count[pass]; i++)
        best = choices[i].seconds < choices[best].seconds ? i : best;
    return best;
}

vdnn_device_rates vdnn_profile_rates(const vdnn_profile *profile)
{
    return (vdnn_device_rates){
#define X(name) .name = profile->name,
        VDNN_PROFILE_RATE_TABLE(X)
#undef X
    };
}

double vdnn_profile_again_seconds(const vdnn_profile *profile, const vdnn_layer *layer,
                                  const vdnn_choice *choice)
{
    if (!layer->def->cheap_again)
        return choice->seconds;
    double moving = vdnn_layer_bytes(layer, VDNN_FORWARD) / profile->elementwise_bytes_per_second;
    return moving < choice->seconds ? moving : choice->seconds;
}

int32_t vdnn_profile_find(const vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                          const char *algorithm)
{
    const vdnn_choice *choices = profile->layers[layer].choices[pass];
    for (int32_t i = 0; i < profile->layers[layer].choice_count[pass]; i++)
        if (strcmp(choices[i].algorithm->name, algorithm) == 0)
            return i;
    return -1;
}

vdnn_status vdnn_profile_pin(vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                             const char *algorithm)
{
    vdnn_layer_profile *at = &profile->layers[layer];
    int32_t found = vdnn_profile_find(profile, layer, pass, algorithm);
    if (found >= 0) {
        at->choices[pass][0] = at->choices[pass][found];
        at->choice_count[pass] = 1;
        return VDNN_OK;
    }
    vdnn_text names = {0};
    for (int32_t i = 0; i < at->choice_count[pass]; i++)
        vdnn_text_add(&names, "%s%s", i == 0 ? "" : ", ", at->choices[pass][i].algorithm->name);
    (void)vdnn_status_fail(
        VDNN_BAD_INPUT, "layer %d has no algorithm \"%s\" for its %s; it has: %s", layer, algorithm,
        vdnn_pass_text(pass), names.data == NULL ? "none" : names.data);
    vdnn_text_fini(&names);
    return VDNN_BAD_INPUT;
}

/* ---- from a store and a device --------------------------------------------------------------- */

typedef struct builder {
    const vdnn_graph *graph;
    vdnn_device *device;
    const vdnn_device_properties *properties;
    vdnn_profile_store *store;
    vdnn_profile *profile;
    vdnn_profile_measure *measure; /* made when the first row is missing */
    int32_t *slots;                /* by signature: the first layer that has it, -1 where free */
    size_t slot_count;
} builder;

static size_t working_bytes(const vdnn_graph *graph)
{
    size_t bytes = vdnn_graph_param_bytes(graph) + vdnn_graph_trainable_bytes(graph);
    for (int32_t m = 0; m < graph->map_count; m++)
        bytes += graph->maps[m].bytes;
    return bytes;
}

/* Makes build->measure, once. */
static vdnn_status need_measure(builder *build)
{
    if (build->measure != NULL)
        return VDNN_OK;
    return vdnn_profile_measure_create(build->device, working_bytes(build->graph), &build->measure);
}

/* Above this a time need not be exact: another algorithm is much faster. */
static double worth_seconds(const builder *build, const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_profile *profile = build->profile;
    if (profile->layers[layer->index].choice_count[pass] == 0)
        return HUGE_VAL;
    int32_t fastest = vdnn_profile_fastest(profile, layer->index, pass);
    return 2 * profile->layers[layer->index].choices[pass][fastest].seconds;
}

/* *lacks: for want of memory it could not be measured, and is left out where the pass has another
 * algorithm. */
static vdnn_status measure(builder *build, const vdnn_layer *layer, vdnn_profile_row *row,
                           const vdnn_algorithm *algorithm, bool *lacks)
{
    if (vdnn_profile_store_find(build->store, row))
        return VDNN_OK;
    vdnn_status status = need_measure(build);
    if (status != VDNN_OK)
        return status;
    status = vdnn_profile_measure_pass(build->measure, layer, row->pass, algorithm,
                                       worth_seconds(build, layer, row->pass), &row->seconds);
    *lacks = status == VDNN_NO_MEMORY || status == VDNN_DEVICE;
    if (status == VDNN_OK)
        status = vdnn_profile_store_add(build->store, row);
    return status;
}

/* A time that is known from elsewhere counts more than the device's own model. */
static vdnn_status predict(builder *build, const vdnn_layer *layer, vdnn_profile_row *row,
                           const vdnn_algorithm *algorithm, size_t *workspace_bytes, bool *lacks)
{
    double seconds;
    vdnn_status status =
        vdnn_device_predict(build->device, layer, row->pass, algorithm, &seconds, workspace_bytes);
    *lacks = status == VDNN_DEVICE || status == VDNN_BAD_INPUT;
    if (status == VDNN_OK && !vdnn_profile_store_find(build->store, row))
        row->seconds = seconds;
    return status;
}

/* *refusal: it does not apply, and nothing was added. */
static vdnn_status add_row(builder *build, const vdnn_layer *layer, vdnn_pass pass,
                           const vdnn_algorithm *algorithm, const char **refusal, bool *lacks)
{
    vdnn_offer offer;
    vdnn_status status = vdnn_device_ask(build->device, algorithm, layer, pass, &offer);
    if (status != VDNN_OK)
        return status;
    *refusal = offer.refusal;
    if (offer.refusal != NULL)
        return VDNN_OK;
    vdnn_choice choice = {.algorithm = algorithm, .workspace_bytes = offer.workspace_bytes};
    vdnn_profile_row row = {.signature = layer->signature,
                            .algorithm = algorithm->name,
                            .pass = pass,
                            .batch = layer->x[0].dims[VDNN_N],
                            .workspace_bytes = (int64_t)offer.workspace_bytes,
                            .updates = algorithm->updates};
    status = build->properties->simulated
                 ? predict(build, layer, &row, algorithm, &choice.workspace_bytes, lacks)
                 : measure(build, layer, &row, algorithm, lacks);
    choice.seconds = row.seconds;
    if (status == VDNN_OK)
        status = vdnn_profile_add(build->profile, layer->index, pass, choice);
    return status;
}

static vdnn_status fail_unrecorded(const builder *build, const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s layer '%s': what was recorded on %s has no time of its %s in this "
                            "shape, batch and data type; only what was measured can be simulated",
                            layer->def->type, layer->name, build->properties->name,
                            vdnn_pass_text(pass));
}

static vdnn_status fail_without_choice(const builder *build, const vdnn_layer *layer,
                                       vdnn_pass pass, vdnn_status status, const vdnn_text *reasons)
{
    return vdnn_status_fail(status, "%s layer '%s': nothing on %s does its %s%s%s",
                            layer->def->type, layer->name, build->properties->kind,
                            vdnn_pass_text(pass), reasons->length > 0 ? ": " : "",
                            reasons->length > 0 ? reasons->data : "");
}

static vdnn_status add_pass(builder *build, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_text reasons = {0};
    vdnn_status status = VDNN_OK, lacking = VDNN_DEVICE;
    const vdnn_algorithm *row;
    for (size_t i = 0; (row = vdnn_device_algorithm(build->device, layer->def->type, i)) != NULL;
         i++) {
        bool lacks = false;
        const char *why = NULL;
        status = add_row(build, layer, pass, row, &why, &lacks);
        if (status != VDNN_OK && !lacks)
            goto fail;
        why = lacks ? vdnn_status_message() : why;
        lacking = lacks ? status : lacking;
        if (why != NULL)
            vdnn_text_add(&reasons, "%s%s: %s", reasons.length > 0 ? "; " : "", row->name, why);
    }
    status = VDNN_OK;
    if (build->profile->layers[layer->index].choice_count[pass] == 0)
        status = build->properties->recorded
                     ? fail_unrecorded(build, layer, pass)
                     : fail_without_choice(build, layer, pass, lacking, &reasons);
fail:
    vdnn_text_fini(&reasons);
    return status;
}

static int32_t *slot_of(const builder *build, const vdnn_layer *layer)
{
    size_t mask = build->slot_count - 1;
    size_t i = (size_t)XXH3_64bits(layer->signature, strlen(layer->signature)) & mask;
    while (build->slots[i] >= 0 &&
           strcmp(build->graph->layers[build->slots[i]].signature, layer->signature) != 0)
        i = (i + 1) & mask;
    return &build->slots[i];
}

static vdnn_status copy_choices(vdnn_profile *profile, int32_t to, int32_t from)
{
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        for (int32_t i = 0; i < profile->layers[from].choice_count[pass]; i++) {
            vdnn_status status = vdnn_profile_add(profile, to, (vdnn_pass)pass,
                                                  profile->layers[from].choices[pass][i]);
            if (status != VDNN_OK)
                return status;
        }
    return VDNN_OK;
}

static vdnn_status add_layer(builder *build, const vdnn_layer *layer)
{
    int32_t *slot = slot_of(build, layer);
    if (*slot >= 0)
        return copy_choices(build->profile, layer->index, *slot);
    *slot = layer->index;
    vdnn_status status = VDNN_OK;
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++)
        if (vdnn_layer_has_pass(layer, (vdnn_pass)pass))
            status = add_pass(build, layer, (vdnn_pass)pass);
    return status;
}

static vdnn_status add_rates(builder *build)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    if (build->properties->simulated) {
        vdnn_device_rates predicted = vdnn_device_predict_rates(build->device);
#define X(name) build->profile->name = predicted.name;
        VDNN_PROFILE_RATE_TABLE(X)
#undef X
        return VDNN_OK;
    }
    bool known = true;
    for (int i = 0; i < VDNN_PROFILE_RATE_COUNT; i++) {
        rates[i] = vdnn_profile_store_rate(build->store, (vdnn_profile_rate)i);
        known = known && rates[i] > 0;
    }
    vdnn_status status = known ? VDNN_OK : need_measure(build);
    if (!known && status == VDNN_OK)
        status = vdnn_profile_measure_rates(build->measure, rates);
    for (int i = 0; status == VDNN_OK && !known && i < VDNN_PROFILE_RATE_COUNT; i++)
        status = vdnn_profile_store_set_rate(build->store, (vdnn_profile_rate)i, rates[i]);
    if (status != VDNN_OK)
        return status;
#define X(name) build->profile->name = rates[VDNN_PROFILE_RATE_##name];
    VDNN_PROFILE_RATE_TABLE(X)
#undef X
    return VDNN_OK;
}

vdnn_status vdnn_profile_create(const vdnn_graph *graph, vdnn_device *device,
                                vdnn_profile_store *store, vdnn_profile **profile)
{
    builder build = {.graph = graph,
                     .device = device,
                     .properties = vdnn_device_describe(device),
                     .store = store,
                     .slot_count = 16};
    char message[VDNN_STATUS_MESSAGE_BYTES];
    while (build.slot_count < 2 * (size_t)graph->layer_count)
        build.slot_count *= 2;
    vdnn_status status = vdnn_device_select(device);
    if (status == VDNN_OK)
        status = vdnn_profile_create_empty(graph->layer_count, &build.profile);
    if (status != VDNN_OK)
        return status;
    build.slots = vdnn_heap_calloc(build.slot_count, sizeof *build.slots);
    if (build.slots == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "profile of %d layers: out of memory",
                                  graph->layer_count);
    for (size_t i = 0; status == VDNN_OK && i < build.slot_count; i++)
        build.slots[i] = -1;
    if (status == VDNN_OK)
        status = add_rates(&build);
    for (int32_t i = 0; status == VDNN_OK && i < graph->layer_count; i++)
        status = add_layer(&build, &graph->layers[i]);
    vdnn_status_save(message);
    vdnn_profile_measure_destroy(build.measure);
    vdnn_status_restore(message);
    vdnn_heap_free(build.slots);
    if (status == VDNN_OK)
        *profile = build.profile;
    else
        vdnn_profile_destroy(build.profile);
    return status;
}
