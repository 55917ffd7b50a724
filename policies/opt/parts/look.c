#include "policies/opt/parts/look.h"

#include "policies/opt/local_search.h"
#include "policies/opt/parts/cuts.h"
#include "policies/opt/starts.h"

/* Trials in one stage; how many may be worse than the best before. */
enum { LOOK_TRIALS = 100, MOST_WORSE = 4 };

/* Of the budget that the algorithms of one layer may fill when layers are cut: packing loses some,
 * and so do copies that take longer than the layers that hide them. */
static const double shares[] = {1, 0.85, 0.7};

enum { SHARES = sizeof shares / sizeof *shares };

/* From some decisions, by the fastest algorithms that fit. */
static vdnn_status climb_fitting(vdnn_opt_search *own, vdnn_decisions *made)
{
    own->until = own->trials + LOOK_TRIALS;
    vdnn_status status = vdnn_opt_choose_fitting(own->request, made);
    if (status == VDNN_OK)
        status = vdnn_opt_descend_from(own, made);
    own->until = 0;
    return status;
}

vdnn_status vdnn_opt_look_at(vdnn_opt_stage *own)
{
    vdnn_decisions made;
    VDNN_TRY(vdnn_decisions_copy(&made, &own->search.best));
    vdnn_status status = climb_fitting(&own->search, &made);
    vdnn_decisions_fini(&made);
    return status;
}

/* From the best of a stage, with those layers cut that gain by it. */
vdnn_status vdnn_opt_look_at_cut(const vdnn_policy_request *request, vdnn_opt_stage *from,
                                 double share, vdnn_opt_stage *best)
{
    vdnn_opt_stage next;
    vdnn_decisions made;
    vdnn_opt_cut cut;
    VDNN_TRY(vdnn_opt_cut_init(&cut, request->graph));
    vdnn_status status = vdnn_opt_cuts_choose(request, from, share, &cut);
    const bool is_new = status == VDNN_OK && !vdnn_opt_cut_is(&cut, from);
    if (is_new)
        status = vdnn_opt_stage_find(request, &cut, from->search.trials, &next);
    vdnn_opt_cut_fini(&cut);
    if (status != VDNN_OK || !is_new)
        return status;
    status = vdnn_decisions_copy(&made, &from->search.best);
    if (status == VDNN_OK) {
        vdnn_opt_stage_bring(from, &next, &made);
        status = climb_fitting(&next.search, &made);
        vdnn_decisions_fini(&made);
    }
    from->search.trials = next.search.trials;
    vdnn_opt_stage_take_better(best, &next);
    return status;
}

static void offload_params(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < request->graph->layer_count; l++)
        if (vdnn_decisions_params_refusal(&request->graph->layers[l]) == NULL)
            decisions->params[l].action = VDNN_OFFLOAD;
}

/* From the decisions of a ladder's stage, their parameters kept or not; *fits is set if a plan
 * does. */
static vdnn_status look_around(vdnn_opt_ladder *ladder, bool keeps_params, vdnn_opt_stage *best,
                               bool *fits)
{
    vdnn_opt_stage own;
    vdnn_decisions made;
    VDNN_TRY(vdnn_decisions_copy(&made, &ladder->decisions));
    if (!keeps_params)
        offload_params(ladder->request, &made);
    vdnn_status status =
        vdnn_opt_stage_find(ladder->request, &ladder->cut, ladder->at.search.trials, &own);
    if (status == VDNN_OK) {
        status = climb_fitting(&own.search, &made);
        for (size_t i = 0; i < SHARES && own.search.found && status == VDNN_OK; i++)
            status = vdnn_opt_look_at_cut(ladder->request, &own, shares[i], best);
        ladder->at.search.trials = own.search.trials;
        *fits = *fits || own.search.found;
        vdnn_opt_stage_take_better(best, &own);
    }
    vdnn_decisions_fini(&made);
    return status;
}

static int32_t count_chained(const vdnn_opt_search *own)
{
    int32_t count = 0;
    for (int32_t l = 0; l < own->request->graph->layer_count; l++)
        count += own->chained[l] != 0;
    return count;
}

/* One step, and as many as the best has behind it: above it no plan was found. */
static vdnn_status step_to(vdnn_opt_ladder *ladder, const vdnn_opt_stage *best, bool *found)
{
    const int32_t count = count_chained(&best->search);
    vdnn_status status = VDNN_OK;
    bool is_above = true;
    while (is_above && *found && status == VDNN_OK && vdnn_opt_search_lasts(&ladder->at.search)) {
        status = vdnn_opt_ladder_step(ladder, found);
        is_above = count_chained(&ladder->at.search) < count;
    }
    return status;
}

/* With parameters kept, and offloaded. */
static vdnn_status look_both(vdnn_opt_ladder *ladder, vdnn_opt_stage *best, bool *fits)
{
    *fits = false;
    vdnn_status status = look_around(ladder, true, best, fits);
    return status == VDNN_OK ? look_around(ladder, false, best, fits) : status;
}

vdnn_status vdnn_opt_look_down(vdnn_opt_ladder *ladder, vdnn_opt_stage *best)
{
    bool found = true, fits = false;
    vdnn_status status = step_to(ladder, best, &found);
    for (int worse = 0; worse < MOST_WORSE && status == VDNN_OK && found &&
                        vdnn_opt_search_lasts(&ladder->at.search);) {
        const double before = best->search.time.step_seconds;
        status = look_both(ladder, best, &fits);
        worse = best->search.time.step_seconds < before ? 0 : worse + fits;
        if (status == VDNN_OK && worse < MOST_WORSE && vdnn_opt_search_lasts(&ladder->at.search))
            status = vdnn_opt_ladder_step(ladder, &found);
    }
    return status;
}
