#include "policies/recompute.h"

#include "runtime/base/heap.h"

#include <stdlib.h>

typedef struct candidate {
    int32_t map;
    double seconds;
    size_t bytes;
    vdnn_map_decision otherwise;
} candidate;

double vdnn_recompute_seconds(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              int32_t map)
{
    const vdnn_graph *graph = request->planning->graph;
    double seconds = 0;
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l)) {
        const vdnn_choice *choice =
            vdnn_decisions_choice(decisions, request->planning->profile, l, VDNN_FORWARD);
        if (choice != NULL)
            seconds += vdnn_profile_recompute_seconds(request->planning->profile, &graph->layers[l],
                                                      choice);
    }
    return seconds;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Whether a source of a map stays until backward reaches the layer that needs the map. Backward
 * runs from the last layer to the first. */
static bool stays_until(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t source,
                        int32_t layer)
{
    const vdnn_map *from = &graph->maps[source];
    return decisions->maps[source].action == VDNN_KEEP && from->needed_count > 0 &&
           from->needed_by[from->needed_count - 1] <= layer;
}

/* Adds to *kept the bytes that stay only for this layer. */
static bool writer_is_cheap(const vdnn_graph *graph, const vdnn_decisions *decisions,
                            const vdnn_layer *layer, int32_t map, size_t *kept)
{
    if (!layer->def->recompute_is_cheap)
        return false;
    for (int32_t i = 0; i < layer->input_count; i++) {
        int32_t source = graph->tensors[layer->inputs[i]].map;
        if (source == map || stays_until(graph, decisions, source, graph->maps[map].needed_by[0]))
            continue;
        if (decisions->maps[source].action != VDNN_DROP)
            return false;
        *kept += graph->maps[source].bytes;
    }
    return true;
}

/* Returns the bytes that are free while the map is not live; 0: it is not cheap to recompute. */
static size_t freed_bytes(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                          int32_t map)
{
    const vdnn_graph *graph = request->planning->graph;
    size_t kept = 0;
    bool cheap =
        graph->maps[map].needed_count > 0 &&
        vdnn_decisions_recompute_refusal(graph, request->planning->profile, decisions, map) == NULL;
    for (int32_t l = graph->maps[map].first_writer; l >= 0 && cheap;
         l = vdnn_graph_next_writer(graph, l))
        cheap = writer_is_cheap(graph, decisions, &graph->layers[l], map, &kept);
    return cheap && kept < graph->maps[map].bytes ? graph->maps[map].bytes - kept : 0;
}

/* The most bytes a second first. */
static int by_worth(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    double worth_a = (double)a->bytes * b->seconds, worth_b = (double)b->bytes * a->seconds;
    if (worth_a != worth_b)
        return worth_a > worth_b ? -1 : 1;
    return a->map < b->map ? -1 : a->map > b->map;
}

/* Takes maps in the order of their first writer, so that a map's sources are decided before it. */
static int32_t take_candidates(const vdnn_policy_request *request, vdnn_decisions *decisions,
                               candidate *list)
{
    int32_t count = 0;
    for (int32_t m = 0; m < decisions->map_count; m++) {
        size_t bytes = freed_bytes(request, decisions, m);
        if (bytes == 0)
            continue;
        list[count++] = (candidate){m, vdnn_recompute_seconds(request, decisions, m), bytes,
                                    decisions->maps[m]};
        decisions->maps[m] = (vdnn_map_decision){.action = VDNN_RECOMPUTE};
    }
    qsort(list, (size_t)count, sizeof *list, by_worth);
    return count;
}

/* ---- choosing -------------------------------------------------------------------------------- */

vdnn_status vdnn_recompute_choose(const vdnn_policy_request *request, double share,
                                  vdnn_decisions *decisions)
{
    candidate *list = vdnn_heap_calloc((size_t)decisions->map_count, sizeof *list);
    if (list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)decisions->map_count);
    int32_t count = take_candidates(request, decisions, list);
    double seconds = share * vdnn_decisions_seconds(decisions, request->planning->profile);
    for (int32_t i = 0; i < count; i++) {
        if (list[i].seconds <= seconds)
            seconds -= list[i].seconds;
        else
            decisions->maps[list[i].map] = list[i].otherwise;
    }
    vdnn_heap_free(list);
    return VDNN_OK;
}
