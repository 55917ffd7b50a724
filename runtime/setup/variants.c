#include "runtime/setup/variants.h"

#include "runtime/base/heap.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/setup/part_times.h"
#include "runtime/setup/setup.h"

#include <math.h>
#include <string.h>

typedef struct variant {
    vdnn_graph *graph;
    vdnn_profile *profile;
    struct variant *next;
} variant;

struct vdnn_setup_variants {
    vdnn_setup setup;         /* borrowed, all of it */
    variant *first;           /* owned, with those behind it */
    vdnn_shape_rows *rows;    /* owned; of parts; NULL: they are not the device model's */
    vdnn_part_times *times;   /* owned; NULL: they are the device model's */
    bool has_learnt;          /* `times`, what the store has */
    vdnn_parts_source source; /* these, for planning */
    char *repeated;           /* owned: the file of an earlier run; NULL: none is to be repeated */
    int32_t *parts, *chained; /* owned: that run's */
};

static void destroy(variant *own)
{
    vdnn_profile_destroy(own->profile);
    vdnn_graph_destroy(own->graph);
    vdnn_heap_free(own);
}

void vdnn_setup_variants_destroy(vdnn_setup_variants *variants)
{
    while (variants != NULL && variants->first != NULL) {
        variant *own = variants->first;
        variants->first = own->next;
        destroy(own);
    }
    if (variants != NULL) {
        vdnn_shape_rows_destroy(variants->rows);
        vdnn_part_times_destroy(variants->times);
        vdnn_heap_free(variants->parts);
        vdnn_heap_free(variants->chained);
        vdnn_heap_free(variants->repeated);
    }
    vdnn_heap_free(variants);
}

static vdnn_status repeat(const char *path, vdnn_setup_variants *variants)
{
    const vdnn_graph *graph = variants->setup.graph;
    const size_t layers = (size_t)graph->layer_count;
    variants->parts = vdnn_heap_calloc(layers, sizeof *variants->parts);
    variants->chained = vdnn_heap_calloc(layers, sizeof *variants->chained);
    variants->repeated = vdnn_heap_strdup(path);
    if (variants->parts == NULL || variants->chained == NULL || variants->repeated == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the parts of %zu layers", layers);
    return vdnn_derived_profile_cut(path, graph, variants->parts, variants->chained);
}

/* Micro-batches of two sizes have parts of two sizes, which are scaled. */
static bool has_part_times(const vdnn_setup *setup)
{
    return !setup->properties.simulated && setup->graph->lesser == NULL;
}

vdnn_status vdnn_setup_variants_create(const vdnn_setup *setup, const char *repeated,
                                       vdnn_setup_variants **variants)
{
    vdnn_setup_variants *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the variants of a network");
    fresh->setup = *setup;
    vdnn_status status = repeated == NULL ? VDNN_OK : repeat(repeated, fresh);
    if (status == VDNN_OK && setup->properties.simulated)
        status = vdnn_shape_rows_create(&fresh->rows);
    if (status == VDNN_OK && has_part_times(setup))
        status = vdnn_part_times_create(&fresh->setup, &fresh->times);
    if (status == VDNN_OK)
        *variants = fresh;
    else
        vdnn_setup_variants_destroy(fresh);
    return status;
}

static bool has_parts(const vdnn_graph *graph, const int32_t *parts)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].parts != parts[l])
            return false;
    return true;
}

/* Of a model. Those of an earlier run are pinned anew, and all are predicted before. */
static vdnn_status predict(const vdnn_setup_variants *variants, variant *made)
{
    const vdnn_setup *setup = &variants->setup;
    const vdnn_measured_whole whole = {setup->graph, setup->profile, variants->rows};
    if (variants->repeated == NULL)
        return vdnn_measured_profile_predict(made->graph, setup->device, setup->store, &whole,
                                             &made->profile);
    VDNN_TRY(vdnn_measured_profile_create(made->graph, setup->device, setup->store, NULL,
                                          &made->profile));
    return vdnn_derived_profile_pin(made->profile, made->graph, variants->repeated);
}

/* Of a device that computes. */
static vdnn_status scale(const vdnn_setup_variants *variants, variant *made)
{
    const vdnn_setup *setup = &variants->setup;
    vdnn_status status = vdnn_derived_profile_scale(setup->profile, setup->graph, made->graph,
                                                    setup->device, &made->profile);
    if (status == VDNN_OK && variants->times != NULL)
        vdnn_part_times_apply(variants->times, made->graph, made->profile);
    return status;
}

static vdnn_status make(const vdnn_setup_variants *variants, const int32_t *parts, variant *made)
{
    const vdnn_setup *setup = &variants->setup;
    vdnn_graph_options options = vdnn_graph_asked(setup->graph);
    options.parts = parts;
    VDNN_TRY(vdnn_graph_create(setup->model, &options, &made->graph));
    return setup->properties.simulated ? predict(variants, made) : scale(variants, made);
}

vdnn_status vdnn_setup_variants_learn(vdnn_setup_variants *variants)
{
    if (variants->times == NULL)
        return VDNN_OK;
    variants->has_learnt = true;
    vdnn_status status = vdnn_part_times_learn(variants->times);
    for (variant *own = variants->first; status == VDNN_OK && own != NULL; own = own->next) {
        vdnn_profile_destroy(own->profile);
        own->profile = NULL;
        status = scale(variants, own);
    }
    return status;
}

static vdnn_status add(vdnn_setup_variants *variants, const int32_t *parts, variant **added)
{
    variant *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a variant of a network");
    vdnn_status status = make(variants, parts, fresh);
    if (status != VDNN_OK) {
        destroy(fresh);
        return status;
    }
    fresh->next = variants->first;
    variants->first = *added = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_setup_variants_find(vdnn_setup_variants *variants, const int32_t *parts,
                                     const vdnn_graph **graph, const vdnn_profile **profile)
{
    variant *own = variants->first;
    *graph = variants->setup.graph;
    *profile = variants->setup.profile;
    if (has_parts(variants->setup.graph, parts))
        return VDNN_OK;
    while (own != NULL && !has_parts(own->graph, parts))
        own = own->next;
    if (own == NULL) {
        vdnn_status status = variants->has_learnt ? VDNN_OK : vdnn_setup_variants_learn(variants);
        VDNN_IF_OK(status, add(variants, parts, &own));
        if (status != VDNN_OK)
            return status;
    }
    *graph = own->graph;
    *profile = own->profile;
    return VDNN_OK;
}

bool vdnn_setup_variants_are_free(const vdnn_setup_variants *variants)
{
    return variants != NULL && variants->chained == NULL;
}

bool vdnn_setup_variants_change_bits(const vdnn_setup_variants *variants)
{
    return variants != NULL && !variants->setup.properties.simulated;
}

bool vdnn_setup_variants_are_last_resort(const vdnn_setup_variants *variants)
{
    return vdnn_setup_variants_change_bits(variants) &&
           !variants->setup.properties.nondeterministic;
}

static vdnn_status find(void *argument, const int32_t *parts, const vdnn_graph **graph,
                        const vdnn_profile **profile)
{
    return vdnn_setup_variants_find(argument, parts, graph, profile);
}

vdnn_status vdnn_setup_plan(const vdnn_setup *setup, vdnn_planning **planning)
{
    vdnn_setup_variants *variants = setup->variants;
    const vdnn_graph *graph = setup->graph;
    const vdnn_profile *profile = setup->profile;
    if (variants == NULL)
        return vdnn_planning_create(graph, profile, setup->packings, NULL, planning);
    variants->source =
        (vdnn_parts_source){.find = find,
                            .argument = variants,
                            .is_last_resort = vdnn_setup_variants_are_last_resort(variants),
                            .chained = variants->chained};
    if (variants->parts != NULL && graph == variants->setup.graph)
        VDNN_TRY(vdnn_setup_variants_find(variants, variants->parts, &graph, &profile));
    return vdnn_planning_create(graph, profile, setup->packings, &variants->source, planning);
}

static double fastest_seconds(const vdnn_profile *profile, int32_t layer, int pass)
{
    const vdnn_layer_profile *own = &profile->layers[layer];
    return own->choice_count[pass] == 0
               ? 0
               : own->choices[pass][vdnn_profile_fastest(profile, layer, (vdnn_pass)pass)].seconds;
}

static bool can_be_in_more(const vdnn_graph *graph, int32_t count)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (vdnn_graph_most_parts(graph, l) > count)
            return true;
    return false;
}

/* least: by layer and pass, the least so far. */
static void take_least(const vdnn_graph *graph, const vdnn_profile *profile, double *least)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            double *at = &least[l * VDNN_PASS_COUNT + p];
            *at = fmin(*at, fastest_seconds(profile, l, p));
        }
}

static vdnn_status find_least(vdnn_setup_variants *variants, int32_t *parts, double *least)
{
    vdnn_status status = VDNN_OK;
    for (int32_t count = 1; status == VDNN_OK && can_be_in_more(variants->setup.graph, count);) {
        const vdnn_graph *graph;
        const vdnn_profile *profile;
        count *= 2;
        vdnn_graph_in_parts(variants->setup.graph, count, parts);
        status = vdnn_setup_variants_find(variants, parts, &graph, &profile);
        if (status == VDNN_OK)
            take_least(graph, profile, least);
    }
    return status;
}

vdnn_status vdnn_setup_variants_saved(vdnn_setup_variants *variants, double *seconds)
{
    const vdnn_graph *graph = variants->setup.graph;
    const vdnn_profile *profile = variants->setup.profile;
    const size_t layers = (size_t)graph->layer_count;
    int32_t *parts = vdnn_heap_calloc(layers, sizeof *parts);
    double *least = vdnn_heap_calloc(layers * VDNN_PASS_COUNT, sizeof *least);
    vdnn_status status = VDNN_OK;
    *seconds = 0;
    if (parts == NULL || least == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a bound of %zu layers", layers);
    for (size_t i = 0; status == VDNN_OK && i < layers * VDNN_PASS_COUNT; i++)
        least[i] = HUGE_VAL;
    VDNN_IF_OK(status, find_least(variants, parts, least));
    for (int32_t l = 0; status == VDNN_OK && l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            *seconds += fmax(
                fastest_seconds(profile, l, p) - least[(size_t)l * VDNN_PASS_COUNT + (size_t)p], 0);
    vdnn_heap_free(parts);
    vdnn_heap_free(least);
    return status;
}

vdnn_status vdnn_setup_variants_measure(vdnn_setup_variants *variants, const vdnn_plan *plan,
                                        double *late_seconds)
{
    *late_seconds = 0;
    if (!vdnn_setup_variants_are_free(variants) || variants->times == NULL ||
        plan->graph == variants->setup.graph)
        return VDNN_OK;
    const vdnn_profile *profile = vdnn_setup_variants_profile(variants, plan->graph);
    return vdnn_setup_keep(&variants->setup,
                           vdnn_part_times_measure(variants->times, plan, profile, late_seconds));
}

const vdnn_profile *vdnn_setup_variants_profile(const vdnn_setup_variants *variants,
                                                const vdnn_graph *graph)
{
    for (const variant *own = variants->first; own != NULL; own = own->next)
        if (own->graph == graph)
            return own->profile;
    return variants->setup.profile;
}
