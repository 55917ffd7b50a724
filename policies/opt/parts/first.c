#include "policies/opt/parts/first.h"

#include "policies/opt/findings.h"
#include "policies/opt/parts/ladder.h"
#include "policies/opt/smallest.h"

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

/* The arena of decisions that every budget comes by. */
static vdnn_status pack_step(const vdnn_opt_ladder *ladder, size_t *arena_bytes)
{
    const vdnn_policy_request *request = ladder->at.search.request;
    const vdnn_opt_answer *known =
        vdnn_opt_findings_find(request, VDNN_OPT_PACKED, &ladder->decisions);
    if (known != NULL) {
        *arena_bytes = known->arena_bytes;
        return VDNN_OK;
    }
    vdnn_status status = vdnn_opt_search_pack(&ladder->at.search, &ladder->decisions, arena_bytes);
    const vdnn_opt_answer answer = {NULL, *arena_bytes, 0};
    return status == VDNN_OK
               ? vdnn_opt_findings_keep(request, VDNN_OPT_PACKED, &ladder->decisions, &answer)
               : status;
}

/* Nothing fits without chains: the first ones that do. */
static vdnn_status chain_to_fit(const vdnn_policy_request *request, vdnn_opt_stage *best,
                                vdnn_decisions *smallest, size_t *arena_bytes)
{
    vdnn_opt_ladder ladder;
    bool found = true;
    vdnn_status status =
        vdnn_opt_ladder_init(request, smallest, VDNN_OPT_FEW_STEPS, best->search.trials, &ladder);
    if (status != VDNN_OK)
        return status;
    while (found && !ladder.at.search.found && status == VDNN_OK) {
        size_t bytes = 0;
        status = vdnn_opt_ladder_step(&ladder, &found);
        if (status == VDNN_OK && found)
            status = pack_step(&ladder, &bytes);
        if (status == VDNN_OK && found)
            status =
                offer_small(&ladder.at.search, &ladder.decisions, bytes, smallest, arena_bytes);
    }
    if (status == VDNN_OK && !ladder.at.search.found)
        status = offer_smallest(&ladder.at.search, smallest, arena_bytes);
    if (status == VDNN_OK)
        status = vdnn_opt_ladder_give(&ladder, best);
    vdnn_opt_ladder_fini(&ladder);
    return status;
}

/* Nor do those chains need to be found that an earlier run had. */
static vdnn_status chain_as_before(const vdnn_policy_request *request, vdnn_opt_stage *best,
                                   vdnn_decisions *smallest, size_t *arena_bytes)
{
    vdnn_opt_cut cut;
    vdnn_opt_stage chained;
    vdnn_status status = vdnn_opt_cut_init(&cut, request->graph);
    if (status != VDNN_OK)
        return status;
    memcpy(cut.chained, request->variants->chained,
           (size_t)request->graph->layer_count * sizeof *cut.chained);
    status = vdnn_opt_stage_find(request, &cut, best->search.trials, &chained);
    vdnn_opt_cut_fini(&cut);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_stage_bring(best, &chained, smallest);
    status = vdnn_opt_search_pack(&chained.search, smallest, arena_bytes);
    if (status == VDNN_OK)
        status = offer_small(&chained.search, smallest, *arena_bytes, smallest, arena_bytes);
    if (status == VDNN_OK && !chained.search.found)
        status = offer_smallest(&chained.search, smallest, arena_bytes);
    vdnn_opt_stage_replace(best, &chained);
    return status;
}

vdnn_status vdnn_opt_find_first(const vdnn_policy_request *request, vdnn_opt_stage *best,
                                vdnn_decisions *smallest, size_t *arena_bytes)
{
    vdnn_status status = offer_smallest(&best->search, smallest, arena_bytes);
    if (status != VDNN_OK || best->search.found || request->variants == NULL)
        return status;
    return request->variants->chained == NULL
               ? chain_to_fit(request, best, smallest, arena_bytes)
               : chain_as_before(request, best, smallest, arena_bytes);
}
