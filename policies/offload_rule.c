#include "policies/offload_rule.h"

#include "policies/algorithm_choice.h"
#include "policies/recompute.h"
#include "policies/spill.h"
#include "runtime/base/heap.h"

const vdnn_offload_rule vdnn_offload_none = {.recomputes = 0};
const vdnn_offload_rule vdnn_offload_all = {
    .selects = {[VDNN_ROLE_CONV] = true, [VDNN_ROLE_FEATURE] = true}};
const vdnn_offload_rule vdnn_offload_conv = {.selects = {[VDNN_ROLE_CONV] = true}};

/* A map that backward needs is selected if any layer that reads it is selected (an auxiliary map:
 * the layer that saves it); maps that a classifier reads are kept. */
static bool selected(const vdnn_graph *graph, const vdnn_map *map, const vdnn_offload_rule *rule)
{
    if (map->needed_count == 0)
        return false;
    if (map->kind == VDNN_MAP_AUX)
        return rule->selects[vdnn_layer_role(&graph->layers[map->first_writer])];
    bool any = false;
    for (int32_t i = 0; i < map->reader_count; i++) {
        vdnn_role role = vdnn_layer_role(&graph->layers[map->readers[i]]);
        if (role == VDNN_ROLE_CLASSIFIER)
            return false;
        any = any || rule->selects[role];
    }
    return any;
}

/* The last layer that reads a map hides its copy out; a layer's auxiliary map is copied out during
 * the next layer. */
static int32_t leaves_during(const vdnn_graph *graph, const vdnn_map *map)
{
    bool made_here = map->last_forward == map->last_writer;
    int32_t next = map->last_forward + (made_here ? 1 : 0);
    return next < graph->layer_count ? next : graph->layer_count - 1;
}

/* Per layer, the maps offloaded during it: when a search finds the layer, all of them are
 * prefetched. */
typedef struct away_maps {
    int32_t *first; /* per layer: a map, -1: none is offloaded */
    int32_t *next;  /* per map */
} away_maps;

static bool away_maps_init(away_maps *away, const vdnn_graph *graph, const vdnn_map_decision *maps)
{
    away->first = vdnn_heap_calloc((size_t)graph->layer_count, sizeof *away->first);
    away->next = vdnn_heap_calloc((size_t)graph->map_count, sizeof *away->next);
    if (away->first == NULL || away->next == NULL)
        return false;
    for (int32_t l = 0; l < graph->layer_count; l++)
        away->first[l] = -1;
    for (int32_t m = 0; m < graph->map_count; m++) {
        if (maps[m].action != VDNN_OFFLOAD)
            continue;
        int32_t owner = graph->maps[m].last_forward;
        away->next[m] = away->first[owner];
        away->first[owner] = m;
    }
    return true;
}

static void away_maps_fini(away_maps *away)
{
    vdnn_heap_free(away->first);
    vdnn_heap_free(away->next);
}

/* The paper's findPrefetchLayer: the nearest layer below `current` whose maps are on the host,
 * looking no further than the nearest convolution; -1: none. */
static int32_t find_prefetch_layer(const vdnn_graph *graph, const away_maps *away, int32_t current)
{
    for (int32_t id = current - 1; id >= 0; id--) {
        if (away->first[id] >= 0)
            return id;
        if (vdnn_layer_role(&graph->layers[id]) == VDNN_ROLE_CONV)
            return -1;
    }
    return -1;
}

static void bring_back(away_maps *away, vdnn_map_decision *maps, int32_t owner, int32_t during)
{
    for (int32_t m = away->first[owner]; m >= 0; m = away->next[m])
        maps[m].returns = during;
    away->first[owner] = -1;
}

/* Walks backward as the executor will: searches start in the backward of convolutions, activations
 * and classifier layers, not of poolings. */
vdnn_status vdnn_offload_rule_schedule_returns(const vdnn_graph *graph, vdnn_map_decision *maps)
{
    away_maps away;
    bool enough = away_maps_init(&away, graph, maps);
    for (int32_t l = graph->layer_count - 1; l >= 0 && enough; l--) {
        bring_back(&away, maps, l, l);
        if (vdnn_layer_role(&graph->layers[l]) == VDNN_ROLE_FEATURE)
            continue;
        int32_t owner = find_prefetch_layer(graph, &away, l);
        if (owner >= 0)
            bring_back(&away, maps, owner, l);
    }
    away_maps_fini(&away);
    return enough ? VDNN_OK
                  : vdnn_status_fail(VDNN_NO_MEMORY, "no memory to schedule %d layers",
                                     (int)graph->layer_count);
}

bool vdnn_offload_rule_prefetch_ahead(const vdnn_graph *graph, int32_t layers,
                                      vdnn_map_decision *maps)
{
    bool is_changed = false;
    for (int32_t m = 0; m < graph->map_count; m++) {
        if (maps[m].action != VDNN_OFFLOAD)
            continue;
        int32_t last = graph->layer_count - 1, wanted = graph->maps[m].needed_by[0] + layers;
        int32_t returns = wanted < last ? wanted : last;
        is_changed = is_changed || returns > maps[m].returns;
        maps[m].returns = returns > maps[m].returns ? returns : maps[m].returns;
    }
    return is_changed;
}

vdnn_status vdnn_offload_rule_decide(const vdnn_policy_request *request,
                                     const vdnn_offload_rule *rule, vdnn_algo_mode mode,
                                     vdnn_decisions *decisions)
{
    const vdnn_graph *graph = request->planning->graph;
    vdnn_decisions made;
    VDNN_TRY(vdnn_decisions_init(&made, graph));
    made.release = VDNN_RELEASE_LAST_USE;
    made.gradients = VDNN_GRADIENTS_EXACT;
    bool is_lean = graph->rules == VDNN_RULES_LEAN;
    made.sync = is_lean ? VDNN_SYNC_BY_NEED : VDNN_SYNC_EACH_LAYER;
    made.updates = is_lean ? VDNN_UPDATES_FUSED : VDNN_UPDATES_SEPARATE;
    made.algo = vdnn_algorithm_choice_text(mode);
    for (int32_t m = 0; m < graph->map_count; m++)
        if (selected(graph, &graph->maps[m], rule))
            made.maps[m] = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                               .leaves = leaves_during(graph, &graph->maps[m])};
    vdnn_status status = vdnn_algorithm_choice(request, mode, &made);
    if (status == VDNN_OK && rule->recomputes > 0 && graph->rules == VDNN_RULES_LEAN)
        status = vdnn_recompute_choose(request, rule->recomputes, &made);
    VDNN_IF_OK(status, vdnn_offload_rule_schedule_returns(graph, made.maps));
    VDNN_IF_OK(status, vdnn_spill_choose(request, &made));
    if (status != VDNN_OK) {
        vdnn_decisions_fini(&made);
        return status;
    }
    *decisions = made;
    return VDNN_OK;
}
