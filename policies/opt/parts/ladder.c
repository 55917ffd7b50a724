#include "policies/opt/parts/ladder.h"

#include "policies/opt/findings.h"

#include <string.h>

enum { MOST_CHAINS = 32 };

vdnn_status vdnn_opt_ladder_init(const vdnn_policy_request *request, const vdnn_decisions *from,
                                 vdnn_opt_thrift thrift, int64_t trials, vdnn_opt_ladder *own)
{
    *own = (vdnn_opt_ladder){.request = request, .thrift = thrift};
    vdnn_status status = vdnn_opt_cut_init(&own->cut, request->graph);
    if (status == VDNN_OK)
        status = vdnn_decisions_copy(&own->decisions, from);
    if (status == VDNN_OK)
        status = vdnn_opt_stage_find(request, &own->cut, trials, &own->at);
    if (status != VDNN_OK)
        vdnn_opt_ladder_fini(own);
    return status;
}

void vdnn_opt_ladder_fini(vdnn_opt_ladder *own)
{
    vdnn_opt_stage_fini(&own->at);
    vdnn_decisions_fini(&own->decisions);
    vdnn_opt_cut_fini(&own->cut);
}

static vdnn_status find_chain(vdnn_opt_ladder *own, bool *found)
{
    vdnn_opt_search *search = &own->at.search;
    const int64_t begun = search->trials;
    VDNN_TRY(vdnn_opt_chains_choose(own->request, &own->at, &own->decisions, own->thrift, &own->cut,
                                    found));
    vdnn_decisions linked = own->decisions;
    linked.parts = own->cut.parts;
    linked.chained = own->cut.chained;
    const vdnn_opt_answer answer = {*found ? &linked : NULL, 0, search->trials - begun};
    return vdnn_opt_findings_keep(search->request, VDNN_OPT_CHAIN + own->thrift, &own->decisions,
                                  &answer);
}

/* The cut with one chain more: known, or found. */
static vdnn_status choose_chain(vdnn_opt_ladder *own, bool *found)
{
    vdnn_opt_search *search = &own->at.search;
    const size_t layers = (size_t)own->decisions.layer_count;
    const vdnn_opt_answer *known =
        vdnn_opt_findings_find(search->request, VDNN_OPT_CHAIN + own->thrift, &own->decisions);
    if (known == NULL)
        return find_chain(own, found);
    search->trials += known->trials;
    *found = known->decisions != NULL;
    if (!*found)
        return VDNN_OK;
    memcpy(own->cut.parts, known->decisions->parts, layers * sizeof *own->cut.parts);
    memcpy(own->cut.chained, known->decisions->chained, layers * sizeof *own->cut.chained);
    return VDNN_OK;
}

vdnn_status vdnn_opt_ladder_step(vdnn_opt_ladder *own, bool *found)
{
    vdnn_opt_stage next;
    vdnn_status status = choose_chain(own, found);
    *found = status == VDNN_OK && *found && own->chains++ < MOST_CHAINS;
    if (status != VDNN_OK || !*found)
        return status;
    VDNN_TRY(vdnn_opt_stage_find(own->request, &own->cut, own->at.search.trials, &next));
    vdnn_opt_stage_bring(&own->at, &next, &own->decisions);
    vdnn_opt_stage_replace(&own->at, &next);
    return VDNN_OK;
}

vdnn_status vdnn_opt_ladder_give(vdnn_opt_ladder *own, vdnn_opt_stage *to)
{
    vdnn_opt_stage anew;
    VDNN_TRY(vdnn_opt_stage_find(own->request, &own->cut, own->at.search.trials, &anew));
    vdnn_opt_stage_replace(to, &own->at);
    own->at = anew;
    own->at.search.request = &own->at.request;
    return VDNN_OK;
}
