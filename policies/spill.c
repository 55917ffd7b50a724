#include "policies/spill.h"

#include "runtime/base/heap.h"

#include <stdlib.h>

typedef struct candidate {
    int32_t map;
    int64_t nearness; /* layers of forward up to its copy out, and of backward after its copy in */
} candidate;

/* The map number makes the order total. */
static int by_time_between(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->nearness != b->nearness)
        return a->nearness < b->nearness ? -1 : 1;
    return (a->map > b->map) - (a->map < b->map);
}

static int32_t list_candidates(const vdnn_decisions *decisions, candidate *list)
{
    int32_t count = 0;
    for (int32_t m = 0; m < decisions->map_count; m++) {
        const vdnn_map_decision *map = &decisions->maps[m];
        if (map->action == VDNN_OFFLOAD)
            list[count++] = (candidate){m, (int64_t)map->leaves + map->returns};
    }
    qsort(list, (size_t)count, sizeof *list, by_time_between);
    return count;
}

static void spill_first(const candidate *list, int32_t count, int32_t spilled,
                        vdnn_decisions *decisions)
{
    for (int32_t i = 0; i < count; i++)
        decisions->maps[list[i].map].spills = i < spilled ? 1 : 0;
}

/* Bisects for the fewest; all, if even that is too much for the host tier. */
static vdnn_status fewest(const vdnn_policy_request *request, const candidate *list, int32_t count,
                          vdnn_decisions *decisions)
{
    int32_t before = -1, enough = count;
    vdnn_status status = VDNN_OK;
    for (int32_t tried = 0; enough - before > 1 && status == VDNN_OK;
         tried = before + (enough - before) / 2) {
        bool fits = false;
        spill_first(list, count, tried, decisions);
        status = vdnn_policy_fits(request, decisions, VDNN_TIER_HOST, &fits);
        if (status == VDNN_OK)
            *(fits ? &enough : &before) = tried;
    }
    spill_first(list, count, enough, decisions);
    return status;
}

vdnn_status vdnn_spill_choose(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    if (request->budget_bytes[VDNN_TIER_FILE] == 0)
        return VDNN_OK;
    candidate *list = vdnn_heap_calloc((size_t)decisions->map_count, sizeof *list);
    if (list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)decisions->map_count);
    vdnn_status status = fewest(request, list, list_candidates(decisions, list), decisions);
    vdnn_heap_free(list);
    return status;
}
