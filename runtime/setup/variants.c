#include "runtime/setup/variants.h"

#include "runtime/base/heap.h"
#include "runtime/setup/setup.h"

#include <string.h>

typedef struct variant {
    vdnn_graph *graph;
    vdnn_profile *profile;
    struct variant *next;
} variant;

struct vdnn_setup_variants {
    vdnn_setup setup; /* borrowed, all of it */
    variant *first;   /* owned, with those behind it */
};

vdnn_status vdnn_setup_variants_create(const vdnn_setup *setup, vdnn_setup_variants **variants)
{
    vdnn_setup_variants *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the variants of a network");
    fresh->setup = *setup;
    *variants = fresh;
    return VDNN_OK;
}

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
    vdnn_heap_free(variants);
}

static bool has_parts(const vdnn_graph *graph, const int32_t *parts)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].parts != parts[l])
            return false;
    return true;
}

static vdnn_status make(const vdnn_setup *setup, const int32_t *parts, variant *made)
{
    vdnn_graph_options options = vdnn_graph_asked(setup->graph);
    options.parts = parts;
    vdnn_status status = vdnn_graph_create(setup->model, &options, &made->graph);
    if (status != VDNN_OK)
        return status;
    return setup->properties.simulated
               ? vdnn_measured_profile_create(made->graph, setup->device, setup->store, NULL,
                                              &made->profile)
               : vdnn_derived_profile_scale(setup->profile, setup->graph, made->graph,
                                            setup->device, &made->profile);
}

static vdnn_status add(vdnn_setup_variants *variants, const int32_t *parts, variant **added)
{
    variant *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a variant of a network");
    vdnn_status status = make(&variants->setup, parts, fresh);
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
        vdnn_status status = add(variants, parts, &own);
        if (status != VDNN_OK)
            return status;
    }
    *graph = own->graph;
    *profile = own->profile;
    return VDNN_OK;
}

const vdnn_profile *vdnn_setup_variants_profile(const vdnn_setup_variants *variants,
                                                const vdnn_graph *graph)
{
    for (const variant *own = variants->first; own != NULL; own = own->next)
        if (own->graph == graph)
            return own->profile;
    return variants->setup.profile;
}
