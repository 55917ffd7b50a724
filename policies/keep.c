#include "policies/keep.h"

#include "alloc/heap.h"
#include "runtime/plan/planner.h"

#include <stdlib.h>

typedef struct candidate {
    int32_t map;
    double bytes_per_second; /* of the compute that hides its copies */
} candidate;

static double chosen_seconds(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *at = &request->profile->layers[layer];
    return at->choice_count[pass] == 0 ? 0
                                       : at->choices[pass][decisions->choice[layer][pass]].seconds;
}

static double hiding_seconds(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             const vdnn_map_decision *map)
{
    return chosen_seconds(request, decisions, map->leaves, VDNN_FORWARD) +
           chosen_seconds(request, decisions, map->returns, VDNN_BACKWARD_DATA) +
           chosen_seconds(request, decisions, map->returns, VDNN_BACKWARD_FILTER);
}

static int by_exposure(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->bytes_per_second != b->bytes_per_second)
        return a->bytes_per_second > b->bytes_per_second ? -1 : 1;
    return a->map < b->map ? -1 : a->map > b->map;
}

static int32_t list_candidates(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                               candidate *list)
{
    static const double instant = 1e-9; /* a layer that takes no time hides nothing */
    int32_t count = 0;
    for (int32_t m = 0; m < decisions->map_count; m++) {
        const vdnn_map_decision *map = &decisions->maps[m];
        if (map->action != VDNN_OFFLOAD)
            continue;
        double seconds = hiding_seconds(request, decisions, map) + instant;
        list[count++] = (candidate){m, (double)request->graph->maps[m].bytes / seconds};
    }
    qsort(list, (size_t)count, sizeof *list, by_exposure);
    return count;
}

static void keep_first(const candidate *list, int32_t count, int32_t kept,
                       vdnn_decisions *decisions)
{
    for (int32_t i = 0; i < count; i++)
        decisions->maps[list[i].map].action = i < kept ? VDNN_KEEP : VDNN_OFFLOAD;
}

/* Whether the plan fits when the first `kept` of the list stay. */
static vdnn_status fits_with(const vdnn_policy_request *request, const candidate *list,
                             int32_t count, int32_t kept, vdnn_decisions *decisions, bool *fits)
{
    vdnn_plan *plan;
    keep_first(list, count, kept, decisions);
    vdnn_status status = vdnn_planner_plan(request->graph, request->profile, decisions, &plan);
    if (status != VDNN_OK)
        return status;
    *fits = vdnn_plan_fits(plan, request->device_bytes, request->host_bytes);
    vdnn_plan_destroy(plan);
    return VDNN_OK;
}

vdnn_status vdnn_keep_what_fits(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    candidate *list = vdnn_heap_calloc((size_t)decisions->map_count, sizeof *list);
    if (list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)decisions->map_count);
    int32_t count = list_candidates(request, decisions, list);
    int32_t kept = 0, too_many = count + 1;
    vdnn_status status = VDNN_OK;
    while (too_many - kept > 1 && status == VDNN_OK) {
        int32_t middle = kept + (too_many - kept) / 2;
        bool fits = false;
        status = fits_with(request, list, count, middle, decisions, &fits);
        *(fits ? &kept : &too_many) = middle;
    }
    keep_first(list, count, kept, decisions);
    vdnn_heap_free(list);
    return status;
}
