#include "policies/opt/portfolio.h"

#include "policies/opt/local_search.h"
#include "policies/opt/speculation.h"

/* ---- improvers ------------------------------------------------------------------------------- */

/* A search that makes a plan better: in the network as it is cut, or with other parts and chains.
 */
typedef struct improver {
    vdnn_status (*search)(vdnn_opt_search *own);
    vdnn_status (*cut)(const vdnn_policy_request *request, int64_t trials, vdnn_opt_variant *best);
    int64_t trials; /* of its first turn */
    bool draws;     /* its moves, so that another turn may find more */
} improver;

static const improver improvers[VDNN_OPT_IMPROVERS] = {
    {.search = vdnn_opt_climb, .trials = 512},
    {.search = vdnn_opt_accept_late, .trials = 512, .draws = true},
    {.cut = vdnn_opt_speculate, .trials = 192}};

static vdnn_status improve_by(const improver *by, const vdnn_policy_request *request,
                              int64_t trials, vdnn_opt_variant *best)
{
    if (by->search != NULL)
        return vdnn_opt_search_until(by->search, trials, &best->search);
    return vdnn_policy_may_cut(request) ? by->cut(request, trials, best) : VDNN_OK;
}

static vdnn_status take_turn(const improver *by, const vdnn_policy_request *request,
                             vdnn_opt_turn *own, vdnn_opt_variant *best, bool *helped)
{
    const double seconds = best->search.time.step_seconds;
    const int64_t begun = best->search.trials;
    *helped = false;
    if (own->rounds_left > 0) {
        own->rounds_left--;
        return VDNN_OK;
    }
    if (own->ended_at > 0 && seconds >= own->ended_at)
        return VDNN_OK;
    vdnn_status status = improve_by(by, request, own->trials, best);
    const bool has_ended = best->search.trials - begun < own->trials;
    *helped = best->search.time.step_seconds < seconds;
    own->ended_at = has_ended ? best->search.time.step_seconds : 0;
    own->trials *= *helped ? 1 : 2;
    own->back_off = *helped || by->draws ? 0 : 2 * own->back_off + 1;
    own->rounds_left = own->back_off;
    return status;
}

/* ---- candidates ------------------------------------------------------------------------------ */

vdnn_status vdnn_opt_portfolio_add(vdnn_opt_portfolio *own, const vdnn_opt_variant *start,
                                   vdnn_opt_begin *begin)
{
    vdnn_opt_candidate *next = &own->list[own->count];
    *next = (vdnn_opt_candidate){.begin = begin};
    for (int i = 0; i < VDNN_OPT_IMPROVERS; i++)
        next->turns[i].trials = improvers[i].trials;
    vdnn_status status = vdnn_opt_variant_copy(start, &next->variant);
    own->count += status == VDNN_OK;
    return status;
}

/* An improver has further turns as long as it helps. */
static vdnn_status take_turns(const vdnn_policy_request *request, vdnn_opt_candidate *own)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < VDNN_OPT_IMPROVERS && status == VDNN_OK; i++)
        for (bool helped = true; helped && status == VDNN_OK;)
            status = take_turn(&improvers[i], request, &own->turns[i], &own->variant, &helped);
    return status;
}

static vdnn_status continue_with(vdnn_opt_portfolio *own, vdnn_opt_candidate *with)
{
    vdnn_opt_search *search = &with->variant.search;
    vdnn_opt_begin *begin = with->begin;
    const double seconds = search->time.step_seconds;
    search->trials = own->trials;
    with->begin = NULL;
    vdnn_status status =
        begin != NULL ? begin(own->request, &with->variant) : take_turns(own->request, with);
    with->helped = search->time.step_seconds < seconds;
    with->trials += search->trials - own->trials;
    own->trials = search->trials;
    own->last = (int)(with - own->list);
    return status;
}

/* ---- who continues --------------------------------------------------------------------------- */

static vdnn_opt_candidate *fastest_of(vdnn_opt_portfolio *own)
{
    vdnn_opt_candidate *fastest = &own->list[0];
    for (int i = 1; i < own->count; i++)
        if (vdnn_opt_search_is_better(&fastest->variant.search, &own->list[i].variant.search.time))
            fastest = &own->list[i];
    return fastest;
}

/* Returns the candidate with the fewest trials apart from the fastest; the fastest if there is no
 * other. */
static vdnn_opt_candidate *least_tried_but(vdnn_opt_portfolio *own, vdnn_opt_candidate *fastest)
{
    vdnn_opt_candidate *least = fastest;
    for (int i = 0; i < own->count; i++)
        if (&own->list[i] != fastest && (least == fastest || own->list[i].trials < least->trials))
            least = &own->list[i];
    return least;
}

static vdnn_opt_candidate *next_of(vdnn_opt_portfolio *own)
{
    vdnn_opt_candidate *fastest = fastest_of(own), *last = &own->list[own->last],
                       *other = least_tried_but(own, fastest);
    if (fastest->begin != NULL || fastest->helped)
        return fastest;
    if (last->helped && last->trials < fastest->trials)
        return last;
    return last == fastest || other->begin != NULL ? other : fastest;
}

/* Drops a candidate in the same parts and chains as the fastest, since it would search the same
 * plans. */
static void drop_if_alike(vdnn_opt_portfolio *own, vdnn_opt_candidate *at)
{
    const vdnn_opt_candidate *fastest = fastest_of(own);
    if (at == fastest || !vdnn_opt_variant_is_cut_like(&at->variant, &fastest->variant))
        return;
    vdnn_opt_variant_fini(&at->variant);
    const int index = (int)(at - own->list);
    own->count--;
    for (int i = index; i < own->count; i++) {
        own->list[i] = own->list[i + 1];
        own->list[i].variant.search.request = &own->list[i].variant.request;
    }
    own->last = (int)(fastest_of(own) - own->list);
}

vdnn_status vdnn_opt_portfolio_run(vdnn_opt_portfolio *own)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK) {
        vdnn_opt_candidate *fastest = fastest_of(own), *next;
        fastest->variant.search.trials = own->trials;
        if (!vdnn_opt_variant_is_slowed(&fastest->variant) ||
            !vdnn_opt_search_lasts(&fastest->variant.search))
            return VDNN_OK;
        next = next_of(own);
        status = continue_with(own, next);
        drop_if_alike(own, next);
    }
    return status;
}

void vdnn_opt_portfolio_end(vdnn_opt_portfolio *own, vdnn_opt_variant *best)
{
    const vdnn_opt_candidate *fastest = own->count > 0 ? fastest_of(own) : NULL;
    for (int i = 0; i < own->count; i++)
        if (&own->list[i] == fastest)
            vdnn_opt_variant_replace(best, &own->list[i].variant);
        else
            vdnn_opt_variant_fini(&own->list[i].variant);
    best->search.trials = own->trials;
}
