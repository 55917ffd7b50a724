#include "policies/opt/parts/attempt.h"

#include "policies/opt/local_search.h"
#include "policies/opt/starts.h"

/* What fits may get better by what is given back then: where it costs no more than such a share of
 * what memory does. */
static const double SHARE = 0.2;

/* What a chain kept before stays so. */
static void offload_inside(const vdnn_opt_stage *stage, const vdnn_decisions *before,
                           vdnn_decisions *decisions)
{
    const vdnn_graph *graph = stage->request.graph;
    for (int32_t m = 0; m < graph->map_count; m++) {
        vdnn_map_decision *at = &decisions->maps[m];
        if (vdnn_decisions_keeps_all(at) && vdnn_decisions_is_inside(graph, decisions, m) &&
            !vdnn_decisions_is_inside(graph, before, m))
            *at = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                      .leaves = graph->maps[m].last_forward,
                                      .returns = graph->maps[m].needed_by[0],
                                      .gradient = at->gradient};
    }
    vdnn_opt_search_chain(&stage->search, decisions);
}

static void bring(const vdnn_opt_stage *from, const vdnn_decisions *before,
                  const vdnn_opt_chain *anew, vdnn_opt_attempt *own)
{
    vdnn_opt_stage_bring(from, &own->stage, &own->made);
    offload_inside(&own->stage, before, &own->made);
    for (int32_t l = anew == NULL ? 0 : anew->first; anew != NULL && l <= anew->last; l++)
        vdnn_opt_choose_fastest_of(&own->stage.request, l, &own->made);
}

static vdnn_status begin(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                         const vdnn_opt_stage *from, const vdnn_decisions *decisions,
                         const vdnn_opt_chain *anew, vdnn_opt_attempt *own)
{
    *own = (vdnn_opt_attempt){.peak.layer = -1};
    vdnn_status status = vdnn_opt_stage_find(request, cut, from->search.trials, &own->stage);
    if (status == VDNN_OK)
        status = vdnn_decisions_copy(&own->made, decisions);
    if (status == VDNN_OK)
        bring(from, decisions, anew, own);
    return status;
}

vdnn_status vdnn_opt_attempt_init(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                  vdnn_opt_stage *from, const vdnn_decisions *decisions,
                                  const vdnn_opt_chain *anew, vdnn_opt_attempt *own)
{
    vdnn_status status = begin(request, cut, from, decisions, anew, own);
    if (status == VDNN_OK) {
        status = vdnn_opt_attempt_look(own);
        from->search.trials = own->stage.search.trials;
    }
    if (status != VDNN_OK)
        vdnn_opt_attempt_fini(own);
    return status;
}

static vdnn_status expect(const vdnn_opt_attempts *own, const vdnn_opt_chain *of)
{
    vdnn_opt_attempt next;
    if (!vdnn_opt_chains_may_be(own->request, of))
        return VDNN_OK;
    vdnn_opt_chains_link(own->from, of, own->cut);
    vdnn_status status =
        begin(own->request, own->cut, own->from, own->decisions, own->is_anew ? of : NULL, &next);
    const vdnn_policy_request *request = &next.stage.request;
    if (status == VDNN_OK)
        request->trial->expect(request->trial, &next.made, request->budget_bytes[VDNN_TIER_DEVICE]);
    vdnn_opt_attempt_fini(&next);
    return status;
}

vdnn_status vdnn_opt_attempts_reach(vdnn_opt_attempts *own, int i)
{
    const vdnn_trial *trial = own->request->trial;
    vdnn_status status = VDNN_OK;
    for (int k; status == VDNN_OK &&
                (k = vdnn_opt_search_next_expected(trial, i, own->count, &own->next)) >= 0;)
        status = expect(own, &own->list[k]);
    return status;
}

void vdnn_opt_attempt_fini(vdnn_opt_attempt *own)
{
    vdnn_decisions_fini(&own->made);
    vdnn_opt_stage_fini(&own->stage);
}

vdnn_status vdnn_opt_attempt_look(vdnn_opt_attempt *own)
{
    vdnn_opt_search *search = &own->stage.search;
    search->request = &own->stage.request;
    return vdnn_opt_search_peak(search, &own->made,
                                own->stage.request.budget_bytes[VDNN_TIER_DEVICE], &own->peak,
                                &own->bound);
}

vdnn_status vdnn_opt_attempt_climb(vdnn_opt_attempt *own, const vdnn_opt_stage *best,
                                   int64_t trials)
{
    const double seconds = best->search.time.step_seconds;
    vdnn_opt_search *search = &own->stage.search;
    search->request = &own->stage.request;
    search->most_seconds = seconds + SHARE * (seconds - best->oracle_seconds);
    search->until = search->trials + trials;
    vdnn_status status = vdnn_opt_descend_from(search, &own->made);
    if (status == VDNN_OK && search->found)
        status = vdnn_opt_relax(search);
    search->until = 0;
    return status;
}

bool vdnn_opt_attempt_take_better(vdnn_opt_stage *best, vdnn_opt_attempt *own)
{
    vdnn_decisions_fini(&own->made);
    best->search.trials = own->stage.search.trials;
    return vdnn_opt_stage_take_better(best, &own->stage);
}

void vdnn_opt_attempt_replace(vdnn_opt_attempt *own, const vdnn_opt_attempt *by)
{
    const int64_t trials = own->stage.search.trials;
    vdnn_opt_attempt_fini(own);
    *own = *by;
    own->stage.search.request = &own->stage.request;
    if (own->stage.search.trials < trials)
        own->stage.search.trials = trials;
}
