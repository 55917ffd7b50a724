#include "policies/opt/parts/ladder.h"

#include "policies/opt/parts/chains.h"

enum { MOST_CHAINS = 32 };

vdnn_status vdnn_opt_ladder_init(const vdnn_policy_request *request, const vdnn_decisions *from,
                                 int64_t trials, vdnn_opt_ladder *own)
{
    *own = (vdnn_opt_ladder){.request = request};
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

vdnn_status vdnn_opt_ladder_step(vdnn_opt_ladder *own, bool *found)
{
    vdnn_opt_stage next;
    vdnn_status status =
        vdnn_opt_chains_choose(own->request, &own->at, &own->decisions, &own->cut, found);
    *found = *found && own->chains++ < MOST_CHAINS;
    if (status != VDNN_OK || !*found)
        return status;
    status = vdnn_opt_stage_find(own->request, &own->cut, own->at.search.trials, &next);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_stage_bring(&own->at, &next, &own->decisions);
    vdnn_opt_stage_replace(&own->at, &next);
    return VDNN_OK;
}

vdnn_status vdnn_opt_ladder_give(vdnn_opt_ladder *own, vdnn_opt_stage *to)
{
    vdnn_opt_stage anew;
    vdnn_status status = vdnn_opt_stage_find(own->request, &own->cut, own->at.search.trials, &anew);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_stage_replace(to, &own->at);
    own->at = anew;
    own->at.search.request = &own->at.request;
    return VDNN_OK;
}
