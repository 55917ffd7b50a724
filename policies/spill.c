#include "policies/spill.h"

#include "runtime/base/heap.h"

#include <stdlib.h>

/* What is offloaded: the first waits longest. */
typedef enum spilled_kind { PARAM_GRADIENT, MAP, GRADIENT } spilled_kind;

typedef struct candidate {
    spilled_kind kind;
    int32_t index;    /* a layer's, or a map's */
    int64_t nearness; /* layers of forward up to its copy out, and of backward after its copy in */
} candidate;

/* Kind and number make the order total. */
static int by_time_between(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->nearness != b->nearness)
        return a->nearness < b->nearness ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Lists what is offloaded. A value that is copied out and in within backward counts as the one that
 * waits the shortest. */
static int32_t list_candidates(const vdnn_decisions *decisions, candidate *list)
{
    const int64_t nearest = 2 * (int64_t)decisions->layer_count;
    int32_t count = 0;
    for (int32_t l = 0; l < decisions->layer_count; l++)
        if (decisions->param_gradients[l] != VDNN_TIER_DEVICE)
            list[count++] = (candidate){PARAM_GRADIENT, l, 0};
    for (int32_t m = 0; m < decisions->map_count; m++) {
        const vdnn_map_decision *map = &decisions->maps[m];
        if (map->action == VDNN_OFFLOAD)
            list[count++] = (candidate){MAP, m, (int64_t)map->leaves + map->returns};
        else if (map->between == VDNN_OFFLOAD)
            list[count++] = (candidate){MAP, m, nearest};
        if (map->gradient != VDNN_TIER_DEVICE)
            list[count++] = (candidate){GRADIENT, m, nearest};
    }
    qsort(list, (size_t)count, sizeof *list, by_time_between);
    return count;
}

static void put(const candidate *own, vdnn_tier tier, vdnn_decisions *decisions)
{
    switch (own->kind) {
    case PARAM_GRADIENT:
        decisions->param_gradients[own->index] = tier;
        break;
    case MAP:
        decisions->maps[own->index].spills = (int32_t)tier - VDNN_TIER_HOST;
        break;
    case GRADIENT:
        decisions->maps[own->index].gradient = tier;
        break;
    }
}

static void spill_first(const candidate *list, int32_t count, int32_t spilled, vdnn_tier from,
                        vdnn_decisions *decisions)
{
    for (int32_t i = 0; i < count; i++)
        put(&list[i], (vdnn_tier)((int)from + (i < spilled)), decisions);
}

/* Bisects for the fewest that must go on from a tier to the next; all, if even those are too few
 * for the tier. Sets *spilled to their number. */
static vdnn_status fewest(const vdnn_policy_request *request, const candidate *list, int32_t count,
                          vdnn_tier from, vdnn_decisions *decisions, int32_t *spilled)
{
    int32_t before = -1, enough = count;
    vdnn_status status = VDNN_OK;
    for (int32_t tried = 0; enough - before > 1 && status == VDNN_OK;
         tried = before + (enough - before) / 2) {
        bool fits = false;
        spill_first(list, count, tried, from, decisions);
        status = vdnn_planning_fits(request->planning, decisions, from, &fits);
        if (status == VDNN_OK)
            *(fits ? &enough : &before) = tried;
    }
    spill_first(list, count, enough, from, decisions);
    *spilled = enough;
    return status;
}

vdnn_status vdnn_spill_choose(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    const size_t *budget_bytes = request->planning->budget_bytes;
    if (budget_bytes[VDNN_TIER_FILE] == 0)
        return VDNN_OK;
    size_t most = 2 * (size_t)decisions->map_count + (size_t)decisions->layer_count;
    candidate *list = vdnn_heap_calloc(most, sizeof *list);
    if (list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)decisions->map_count);
    int32_t count = list_candidates(decisions, list);
    vdnn_status status = VDNN_OK;
    for (int t = VDNN_TIER_HOST;
         t + 1 < VDNN_TIER_COUNT && budget_bytes[t + 1] > 0 && status == VDNN_OK; t++)
        status = fewest(request, list, count, (vdnn_tier)t, decisions, &count);
    vdnn_heap_free(list);
    return status;
}
