#include "runtime/profile/profile.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/profile/profile_store.h"

#include <string.h>

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

void vdnn_profile_shorten(vdnn_profile *profile, int32_t layer_count)
{
    for (; profile->layer_count > layer_count; profile->layer_count--)
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
            vdnn_heap_free(profile->layers[profile->layer_count - 1].choices[pass]);
}

void vdnn_profile_destroy(vdnn_profile *profile)
{
    if (profile == NULL)
        return;
    vdnn_profile_shorten(profile, 0);
    for (int32_t i = 0; i < profile->omission_count; i++)
        vdnn_heap_free(profile->omissions[i].reason);
    vdnn_heap_free(profile->omissions);
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

vdnn_status vdnn_profile_repeat(vdnn_profile *profile, int32_t layer, const vdnn_profile *of,
                                int32_t like)
{
    const vdnn_layer_profile *from = &of->layers[like];
    vdnn_layer_profile *to = &profile->layers[layer];
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        const size_t count = (size_t)from->choice_count[pass];
        if (count == 0)
            continue;
        to->choices[pass] = vdnn_heap_calloc(count, sizeof *to->choices[pass]);
        if (to->choices[pass] == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "profile of layer %d: out of memory", layer);
        memcpy(to->choices[pass], from->choices[pass], count * sizeof *to->choices[pass]);
        to->choice_count[pass] = from->choice_count[pass];
    }
    return VDNN_OK;
}

vdnn_status vdnn_profile_omit(vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const char *reason)
{
    size_t count = (size_t)profile->omission_count;
    vdnn_omission *omissions = vdnn_heap_realloc(profile->omissions, count + 1, sizeof *omissions);
    char *copy = omissions == NULL ? NULL : vdnn_heap_strdup(reason);
    if (omissions != NULL)
        profile->omissions = omissions;
    if (copy == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile of layer %d: out of memory", layer);
    omissions[profile->omission_count++] = (vdnn_omission){layer, pass, algorithm, copy};
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

vdnn_rates vdnn_profile_rates(const vdnn_profile *profile)
{
    return (vdnn_rates){
#define X(name) .name = profile->name,
        VDNN_PROFILE_RATE_TABLE(X)
#undef X
            .spill_bytes_per_second = profile->spill_bytes_per_second,
        .fill_bytes_per_second = profile->fill_bytes_per_second,
        .reduce = profile->reduce,
    };
}

double vdnn_profile_recompute_seconds(const vdnn_profile *profile, const vdnn_layer *layer,
                                      const vdnn_choice *choice)
{
    if (!layer->def->recompute_is_cheap)
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

/* Those of a pass that both have. */
static vdnn_status take_lesser_pass(vdnn_layer_profile *at, const vdnn_layer *layer, vdnn_pass pass,
                                    const vdnn_profile *lesser)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < at->choice_count[pass]; i++) {
        vdnn_choice choice = at->choices[pass][i];
        int32_t found = vdnn_profile_find(lesser, layer->index, pass, choice.algorithm->name);
        if (found < 0)
            continue;
        const vdnn_choice *own = &lesser->layers[layer->index].choices[pass][found];
        choice.lesser_seconds = own->seconds;
        choice.lesser_workspace_bytes = own->workspace_bytes;
        at->choices[pass][kept++] = choice;
    }
    if (kept == 0 && at->choice_count[pass] > 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "layer '%s': no algorithm supports its %s in micro-batches of both "
                                "sizes; a number of them that divides the batch has one size",
                                layer->name, vdnn_pass_text(pass));
    at->choice_count[pass] = kept;
    return VDNN_OK;
}

static vdnn_status take_lesser(vdnn_profile *profile, const vdnn_graph *graph,
                               const vdnn_profile *lesser)
{
    vdnn_status status = VDNN_OK;
    for (int32_t l = 0; l < profile->layer_count; l++)
        for (int p = 0; status == VDNN_OK && p < VDNN_PASS_COUNT; p++)
            status = take_lesser_pass(&profile->layers[l], &graph->layers[l], (vdnn_pass)p, lesser);
    return status;
}

vdnn_status vdnn_profile_create_of(const vdnn_graph *graph, vdnn_profile_of_shape *of_shape,
                                   void *argument, vdnn_profile **profile)
{
    vdnn_profile *fresh = NULL, *lesser = NULL;
    vdnn_status status = of_shape(argument, graph, &fresh);
    if (status == VDNN_OK && graph->lesser != NULL)
        status = of_shape(argument, graph->lesser, &lesser);
    if (status == VDNN_OK && lesser != NULL)
        status = take_lesser(fresh, graph, lesser);
    vdnn_profile_destroy(lesser);
    if (status == VDNN_OK)
        *profile = fresh;
    else
        vdnn_profile_destroy(fresh);
    return status;
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
