#include "policies/keep_maps.h"

#include "policies/recompute.h"
#include "runtime/base/heap.h"

#include <stdlib.h>

typedef struct candidate {
    int32_t map;
    vdnn_action action; /* while it is not kept */
    double price; /* offloaded: bytes per second of the compute that hides its copies; recomputed:
                     seconds per byte */
} candidate;

static double chosen_seconds(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             int32_t layer, vdnn_pass pass)
{
    const vdnn_choice *choice =
        vdnn_decisions_choice(decisions, request->planning->profile, layer, pass);
    return choice == NULL ? 0 : choice->seconds;
}

static double hiding_seconds(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             const vdnn_map_decision *map)
{
    return chosen_seconds(request, decisions, map->leaves, VDNN_FORWARD) +
           chosen_seconds(request, decisions, map->returns, VDNN_BACKWARD_DATA) +
           chosen_seconds(request, decisions, map->returns, VDNN_BACKWARD_FILTER);
}

static double price_of(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                       int32_t map)
{
    static const double instant = 1e-9; /* a layer that takes no time hides nothing */
    double bytes = (double)request->planning->graph->maps[map].bytes;
    if (decisions->maps[map].action == VDNN_RECOMPUTE)
        return vdnn_recompute_seconds(request, decisions, map) / bytes;
    return bytes / (hiding_seconds(request, decisions, &decisions->maps[map]) + instant);
}

/* Offloaded maps come first, because even a hidden copy takes memory bandwidth from compute. */
static int by_price(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->action != b->action)
        return a->action == VDNN_OFFLOAD ? -1 : 1;
    if (a->price != b->price)
        return a->price > b->price ? -1 : 1;
    return a->map < b->map ? -1 : a->map > b->map;
}

static int32_t list_candidates(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                               candidate *list)
{
    int32_t count = 0;
    for (int32_t m = 0; m < decisions->map_count; m++) {
        vdnn_action action = decisions->maps[m].action;
        if (action == VDNN_OFFLOAD || action == VDNN_RECOMPUTE)
            list[count++] = (candidate){m, action, price_of(request, decisions, m)};
    }
    qsort(list, (size_t)count, sizeof *list, by_price);
    return count;
}

static void keep_first(const candidate *list, int32_t count, int32_t kept,
                       vdnn_decisions *decisions)
{
    for (int32_t i = 0; i < count; i++)
        decisions->maps[list[i].map].action = i < kept ? VDNN_KEEP : list[i].action;
}

/* A choice of how many maps of a list are kept, the first ones, for the budget of one tier. The
 * more are kept, the more bytes the device takes and the fewer the host. */
typedef struct keeping {
    const vdnn_policy_request *request; /* borrowed, like the decisions */
    vdnn_decisions *decisions;
    vdnn_tier tier;
    candidate *list; /* owned */
    int32_t count;
    /* Keeping this many maps or fewer is known not to fit. If the tier is the device, this counts
     * the maps from the end of the list that are not kept, otherwise the maps that are kept. */
    int32_t too_few;
} keeping;

/* Returns how many more maps are required at least to save that many bytes, as each saves at most
 * its size; 1 if all together do not save them. */
static int32_t more_to_save(const keeping *own, int32_t count, size_t bytes)
{
    const vdnn_graph *graph = own->request->planning->graph;
    bool is_device = own->tier == VDNN_TIER_DEVICE;
    double saved = VDNN_ALIGNMENT;
    for (int32_t i = count; i < own->count; i++) {
        const candidate *next = &own->list[is_device ? own->count - 1 - i : i];
        size_t most_bytes = graph->maps[next->map].bytes + VDNN_ALIGNMENT;
        saved += graph->micro_batches * (double)vdnn_plan_span_bytes(most_bytes, graph->zone_bytes);
        if (saved >= (double)bytes)
            return i + 1 - count;
    }
    return 1;
}

/* Whether the plan fits if `kept` maps are kept. It is not planned if an earlier plan shows that it
 * does not. */
static vdnn_status fits_with(keeping *own, int32_t kept, bool *fits)
{
    int32_t count = own->tier == VDNN_TIER_DEVICE ? own->count - kept : kept;
    size_t excess_bytes = 0;
    *fits = false;
    if (count <= own->too_few)
        return VDNN_OK;
    keep_first(own->list, own->count, kept, own->decisions);
    vdnn_status status =
        vdnn_planning_excess(own->request->planning, own->decisions, own->tier, &excess_bytes);
    *fits = excess_bytes == 0;
    if (!*fits)
        own->too_few = count - 1 + more_to_save(own, count, excess_bytes);
    return status;
}

/* Bisects for the smallest number of kept maps, 0 to the count, whose plan fits the tier (`wanted`)
 * or does not; it must be monotonic in that number. count + 1: none. The ends are tried first,
 * `guess` and then the other: mostly they say it. */
static vdnn_status fewest(keeping *own, int32_t guess, bool wanted, int32_t *kept)
{
    int32_t before = -1, found = own->count + 1;
    vdnn_status status = VDNN_OK;
    for (int probe = 0; found - before > 1 && status == VDNN_OK; probe++) {
        bool fits;
        int32_t tried = probe == 0   ? guess
                        : probe == 1 ? own->count - guess
                                     : before + (found - before) / 2;
        status = fits_with(own, tried, &fits);
        *(fits == wanted ? &found : &before) = tried;
    }
    *kept = found;
    return status;
}

/* Keeps as many as the device can hold, or as few as the host requires. */
static vdnn_status keep_until(const vdnn_policy_request *request, vdnn_tier tier,
                              vdnn_decisions *decisions)
{
    bool is_device = tier == VDNN_TIER_DEVICE;
    keeping own = {.request = request, .decisions = decisions, .tier = tier, .too_few = -1};
    own.list = vdnn_heap_calloc((size_t)decisions->map_count, sizeof *own.list);
    if (own.list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)decisions->map_count);
    own.count = list_candidates(request, decisions, own.list);
    int32_t kept = 0;
    vdnn_status status = VDNN_OK;
    if (own.count > 0)
        status = fewest(&own, is_device ? own.count : 0, !is_device, &kept);
    keep_first(own.list, own.count, is_device ? kept - 1 : kept, decisions);
    vdnn_heap_free(own.list);
    return status;
}

void vdnn_keep_maps_all(vdnn_decisions *decisions)
{
    for (int32_t m = 0; m < decisions->map_count; m++) {
        vdnn_action *action = &decisions->maps[m].action;
        if (*action == VDNN_OFFLOAD || *action == VDNN_RECOMPUTE)
            *action = VDNN_KEEP;
    }
}

vdnn_status vdnn_keep_maps_that_fit(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    return keep_until(request, VDNN_TIER_DEVICE, decisions);
}

/* Whether the host tier holds all copies at once, so that no plan is needed to show that they fit.
 */
static bool fit_side_by_side(const vdnn_policy_request *request, const vdnn_decisions *decisions)
{
    const vdnn_graph *graph = request->planning->graph;
    double bytes = 0;
    for (int32_t m = 0; m < decisions->map_count; m++) {
        if (decisions->maps[m].gradient != VDNN_TIER_DEVICE ||
            decisions->maps[m].between == VDNN_OFFLOAD)
            return false;
        if (decisions->maps[m].action != VDNN_OFFLOAD)
            continue;
        if (decisions->maps[m].spills > 0)
            return false; /* copies in the host tier on the way back, too */
        bytes +=
            (double)vdnn_plan_span_bytes(graph->maps[m].bytes, graph->zone_bytes) + VDNN_ALIGNMENT;
    }
    for (int32_t l = 0; l < decisions->layer_count; l++)
        if (decisions->params[l].action == VDNN_OFFLOAD ||
            decisions->param_gradients[l] != VDNN_TIER_DEVICE)
            return false;
    return graph->micro_batches * bytes <= (double)request->planning->budget_bytes[VDNN_TIER_HOST];
}

vdnn_status vdnn_keep_maps_host_lacks(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    if (fit_side_by_side(request, decisions))
        return VDNN_OK;
    return keep_until(request, VDNN_TIER_HOST, decisions);
}
