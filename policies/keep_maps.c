#include "policies/keep_maps.h"

#include "policies/recompute.h"
#include "runtime/base/heap.h"

#include <stdlib.h>

typedef struct candidate {
    int32_t map;
    vdnn_action action; /* while it does not stay */
    double price; /* offloaded: bytes a second of the compute that hides its copies; made again:
                     seconds a byte */
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

static double price_of(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                       int32_t map)
{
    static const double instant = 1e-9; /* a layer that takes no time hides nothing */
    double bytes = (double)request->graph->maps[map].bytes;
    if (decisions->maps[map].action == VDNN_RECOMPUTE)
        return vdnn_recompute_seconds(request, decisions, map) / bytes;
    return bytes / (hiding_seconds(request, decisions, &decisions->maps[map]) + instant);
}

/* Copies come first: whatever hides them, they take memory's time from the compute beside them. */
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

/* What a plan takes in which the first `kept` of the list stay. */
static vdnn_status try_kept(const vdnn_policy_request *request, const candidate *list,
                            int32_t count, int32_t kept, vdnn_decisions *decisions,
                            vdnn_trial_result *tried)
{
    keep_first(list, count, kept, decisions);
    return vdnn_policy_try(request, decisions, NULL, tried);
}

typedef bool plan_predicate(const vdnn_policy_request *request, const vdnn_trial_result *tried);

/* The more stay, the more bytes the device takes and the fewer the host. */
static bool exceeds_device(const vdnn_policy_request *request, const vdnn_trial_result *tried)
{
    return tried->facts.arena_bytes > request->device_bytes;
}

static bool fits_host(const vdnn_policy_request *request, const vdnn_trial_result *tried)
{
    return tried->facts.host_arena_bytes <= request->host_bytes;
}

/* A bisection for the fewest that stay, from 0 to `count`, of whose plan `says` is true, as it is
 * of those in which more stay; count + 1: of none. `guess` is tried first. */
static vdnn_status fewest(const vdnn_policy_request *request, const candidate *list, int32_t count,
                          int32_t guess, plan_predicate *says, vdnn_decisions *decisions,
                          int32_t *kept)
{
    int32_t before = -1, found = count + 1;
    vdnn_status status = VDNN_OK;
    for (int32_t tried = guess; found - before > 1 && status == VDNN_OK;
         tried = before + (found - before) / 2) {
        vdnn_trial_result result;
        status = try_kept(request, list, count, tried, decisions, &result);
        if (status == VDNN_OK)
            *(says(request, &result) ? &found : &before) = tried;
    }
    *kept = found;
    return status;
}

/* As many stay as `says` is first true of, or one fewer, of whose plan it is not true yet. */
static vdnn_status keep_until(const vdnn_policy_request *request, plan_predicate *says,
                              bool is_one_fewer, vdnn_decisions *decisions)
{
    candidate *list = vdnn_heap_calloc((size_t)decisions->map_count, sizeof *list);
    if (list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)decisions->map_count);
    int32_t count = list_candidates(request, decisions, list), kept = 0;
    vdnn_status status =
        fewest(request, list, count, is_one_fewer ? count : 0, says, decisions, &kept);
    keep_first(list, count, is_one_fewer ? kept - 1 : kept, decisions);
    vdnn_heap_free(list);
    return status;
}

vdnn_status vdnn_keep_maps_that_fit(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    return keep_until(request, exceeds_device, true, decisions);
}

vdnn_status vdnn_keep_maps_host_lacks(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    return keep_until(request, fits_host, false, decisions);
}
