#include "policies/opt/parts/first.h"

#include "policies/opt/findings.h"
#include "policies/opt/parts/ladder.h"
#include "policies/opt/smallest.h"
#include "runtime/base/heap.h"
#include "runtime/plan/required.h"

#include <string.h>

/* A plan of a small arena: is offered, as it is when all work is done to pack it, if it fits, and
 * replaces *smallest if it is smaller. */
static vdnn_status offer_small(vdnn_opt_search *own, const vdnn_decisions *made, size_t made_bytes,
                               vdnn_decisions *smallest, size_t *arena_bytes)
{
    const bool fits = made_bytes <= own->request->budget_bytes[VDNN_TIER_DEVICE];
    vdnn_trial_result packed;
    bool taken;
    vdnn_status status = fits ? vdnn_policy_try(own->request, made, &packed) : VDNN_OK;
    if (status == VDNN_OK && fits)
        status = vdnn_opt_search_offer(own, made, NULL, &taken);
    if (made_bytes < *arena_bytes) {
        vdnn_decisions_assign(smallest, made);
        *arena_bytes = made_bytes;
    }
    return status;
}

/* The smallest in these parts. */
static vdnn_status offer_smallest(vdnn_opt_search *own, vdnn_decisions *smallest,
                                  size_t *arena_bytes)
{
    extern const vdnn_policy vdnn_policy_dyn;
    vdnn_decisions made;
    size_t bytes = 0;
    vdnn_status status = vdnn_policy_dyn.decide(own->request, &made);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    vdnn_opt_search_chain(own, &made);
    status = vdnn_opt_smallest(own, &made, &bytes);
    if (status == VDNN_OK)
        status = offer_small(own, &made, bytes, smallest, arena_bytes);
    vdnn_decisions_fini(&made);
    return status;
}

/* ---- chains ---------------------------------------------------------------------------------- */

static vdnn_status bound_arena(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                               size_t *arena_bytes)
{
    vdnn_trial_bound least;
    vdnn_status status = vdnn_policy_bound(request, decisions, NULL, &least);
    if (status == VDNN_OK)
        *arena_bytes = least.arena_bytes[VDNN_TIER_DEVICE];
    return status;
}

static vdnn_status pack_arena(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              size_t *arena_bytes)
{
    const vdnn_opt_search own = {.request = request};
    return vdnn_opt_search_pack(&own, decisions, arena_bytes);
}

/* The arena, or its least bytes, of decisions that every budget comes by. */
static vdnn_status find_arena(const vdnn_policy_request *request, vdnn_opt_question question,
                              const vdnn_decisions *decisions, size_t *arena_bytes)
{
    const vdnn_opt_answer *known = vdnn_opt_findings_find(request, question, decisions);
    if (known != NULL) {
        *arena_bytes = known->arena_bytes;
        return VDNN_OK;
    }
    vdnn_status status = question == VDNN_OPT_LEAST ? bound_arena(request, decisions, arena_bytes)
                                                    : pack_arena(request, decisions, arena_bytes);
    const vdnn_opt_answer answer = {NULL, *arena_bytes, 0};
    return status == VDNN_OK ? vdnn_opt_findings_keep(request, question, decisions, &answer)
                             : status;
}

/* A step of the ladder that does not fit. */
typedef struct rung {
    vdnn_policy_request request; /* of its parts */
    vdnn_decisions decisions;    /* owned */
    size_t least_bytes;          /* its arena is no smaller */
    struct rung *above;          /* owned */
} rung;

static vdnn_status add_rung(const vdnn_opt_ladder *ladder, size_t least_bytes, rung **lowest)
{
    rung *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a chain");
    vdnn_status status = vdnn_decisions_copy(&fresh->decisions, &ladder->decisions);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    fresh->request = *ladder->at.search.request;
    fresh->least_bytes = least_bytes;
    fresh->above = *lowest;
    *lowest = fresh;
    return VDNN_OK;
}

static void free_rungs(rung *lowest)
{
    while (lowest != NULL) {
        rung *own = lowest;
        lowest = own->above;
        vdnn_decisions_fini(&own->decisions);
        vdnn_heap_free(own);
    }
}

/* The first of those with the smallest arena, if that is smaller than before. Begins with the
 * lowest, which mostly is the smallest, so that few others have to be packed. */
static vdnn_status take_smallest_rung(const rung *lowest, vdnn_decisions *smallest,
                                      size_t *arena_bytes)
{
    const size_t before = *arena_bytes;
    vdnn_status status = VDNN_OK;
    for (const rung *own = lowest; own != NULL && status == VDNN_OK; own = own->above) {
        size_t bytes = own->least_bytes;
        if (bytes <= *arena_bytes && bytes < before)
            status = find_arena(&own->request, VDNN_OPT_PACKED, &own->decisions, &bytes);
        if (status != VDNN_OK || bytes > *arena_bytes || bytes >= before)
            continue;
        vdnn_decisions_assign(smallest, &own->decisions);
        *arena_bytes = bytes;
    }
    return status;
}

/* Only what may fit is packed at once. */
static vdnn_status look_at_step(vdnn_opt_ladder *ladder, rung **lowest, vdnn_decisions *smallest,
                                size_t *arena_bytes)
{
    const vdnn_policy_request *request = ladder->at.search.request;
    const size_t budget = request->budget_bytes[VDNN_TIER_DEVICE];
    size_t bytes;
    vdnn_status status = find_arena(request, VDNN_OPT_LEAST, &ladder->decisions, &bytes);
    if (status == VDNN_OK && bytes <= budget)
        status = find_arena(request, VDNN_OPT_PACKED, &ladder->decisions, &bytes);
    if (status != VDNN_OK)
        return status;
    return bytes <= budget
               ? offer_small(&ladder->at.search, &ladder->decisions, bytes, smallest, arena_bytes)
               : add_rung(ladder, bytes, lowest);
}

/* One chain more each, until one fits. */
static vdnn_status chain_down(vdnn_opt_ladder *ladder, vdnn_decisions *smallest,
                              size_t *arena_bytes)
{
    rung *lowest = NULL;
    bool found = true;
    vdnn_status status = VDNN_OK;
    while (found && !ladder->at.search.found && status == VDNN_OK) {
        status = vdnn_opt_ladder_step(ladder, &found);
        if (status == VDNN_OK && found)
            status = look_at_step(ladder, &lowest, smallest, arena_bytes);
    }
    if (status == VDNN_OK && !ladder->at.search.found)
        status = take_smallest_rung(lowest, smallest, arena_bytes);
    free_rungs(lowest);
    return status;
}

/* ---- ways ------------------------------------------------------------------------------------ */

typedef struct finder {
    const vdnn_policy_request *request;
    const vdnn_decisions *start; /* what dyn decided, over the network as the file has it */
    vdnn_opt_stage *best;
    vdnn_decisions *smallest;
    size_t *arena_bytes;
} finder;

/* The first chains that fit, or where none does, the first plan on the way down in all of them:
 * the best, if it is faster. */
static vdnn_status chain_to_fit(const finder *own, const vdnn_decisions *from)
{
    vdnn_opt_ladder ladder;
    vdnn_opt_search *search = &ladder.at.search, *best = &own->best->search;
    vdnn_status status =
        vdnn_opt_ladder_init(own->request, from, VDNN_OPT_FEW_STEPS, best->trials, &ladder);
    if (status != VDNN_OK)
        return status;
    status = chain_down(&ladder, own->smallest, own->arena_bytes);
    if (status == VDNN_OK && !search->found)
        status = offer_smallest(search, own->smallest, own->arena_bytes);
    best->trials = search->trials;
    if (status == VDNN_OK && search->found && vdnn_opt_search_is_better(best, &search->time))
        status = vdnn_opt_ladder_give(&ladder, own->best);
    vdnn_opt_ladder_fini(&ladder);
    return status;
}

/* From the end of the way without chains, if nothing on it fits. Where a layer does not fit as a
 * whole, from its begin as well: either leads to the better plans of some networks. What does not
 * fit from one is tried from the other, so that both refuse the same. */
static vdnn_status chain_from_either(const finder *own)
{
    const size_t budget = own->request->budget_bytes[VDNN_TIER_DEVICE];
    const bool may_be_whole = vdnn_required_by_whole_layers(own->request->graph) <= budget;
    const bool *found = &own->best->search.found;
    vdnn_status status = *found ? VDNN_OK : chain_to_fit(own, own->smallest);
    return status == VDNN_OK && (!*found || !may_be_whole) ? chain_to_fit(own, own->start) : status;
}

/* Nor do those chains need to be found that an earlier run had. */
static vdnn_status chain_as_before(const finder *own)
{
    const vdnn_policy_request *request = own->request;
    vdnn_opt_cut cut;
    vdnn_opt_stage chained;
    VDNN_TRY(vdnn_opt_cut_init(&cut, request->graph));
    memcpy(cut.chained, request->variants->chained,
           (size_t)request->graph->layer_count * sizeof *cut.chained);
    vdnn_status status = vdnn_opt_stage_find(request, &cut, own->best->search.trials, &chained);
    vdnn_opt_cut_fini(&cut);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_stage_bring(own->best, &chained, own->smallest);
    status = vdnn_opt_search_pack(&chained.search, own->smallest, own->arena_bytes);
    if (status == VDNN_OK)
        status = offer_small(&chained.search, own->smallest, *own->arena_bytes, own->smallest,
                             own->arena_bytes);
    if (status == VDNN_OK && !chained.search.found)
        status = offer_smallest(&chained.search, own->smallest, own->arena_bytes);
    vdnn_opt_stage_replace(own->best, &chained);
    return status;
}

static vdnn_status chain(const finder *own)
{
    const bool is_resumed = own->request->variants->chained != NULL;
    if (!is_resumed)
        return chain_from_either(own);
    return own->best->search.found ? VDNN_OK : chain_as_before(own);
}

vdnn_status vdnn_opt_find_first(const vdnn_policy_request *request, vdnn_opt_stage *best,
                                vdnn_decisions *smallest, size_t *arena_bytes)
{
    vdnn_decisions start;
    VDNN_TRY(vdnn_decisions_copy(&start, smallest));
    const finder own = {request, &start, best, smallest, arena_bytes};
    vdnn_status status = offer_smallest(&best->search, smallest, arena_bytes);
    if (status == VDNN_OK && request->variants != NULL)
        status = chain(&own);
    vdnn_decisions_fini(&start);
    return status;
}
