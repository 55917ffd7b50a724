#include "policies/opt/contest.h"

#include "policies/opt/climb.h"
#include "policies/opt/drift.h"
#include "policies/opt/parts/recut.h"
#include "policies/opt/parts/wish.h"
#include "policies/opt/ruin.h"

/* ---- ways ------------------------------------------------------------------------------------ */

/* A way to a better plan: a search, or in other parts and chains. */
typedef struct way {
    vdnn_status (*search)(vdnn_opt_search *own);
    vdnn_status (*cut)(const vdnn_policy_request *request, int64_t trials, vdnn_opt_stage *best);
    int64_t trials; /* of its first turn */
    bool is_tireless, is_short;
} way;

static vdnn_status climb_in_order(vdnn_opt_search *own)
{
    return vdnn_opt_climb(own, VDNN_OPT_IN_ORDER);
}

static const way ways[VDNN_OPT_WAYS] = {
    {.search = vdnn_opt_climb_most_first, .trials = 512},
    {.search = climb_in_order, .trials = 512},
    {.cut = vdnn_opt_wish, .trials = 192},
    {.cut = vdnn_opt_recut, .trials = 192},
    {.cut = vdnn_opt_tails, .trials = 192},
    {.search = vdnn_opt_ruin, .trials = 512, .is_short = true},
    {.search = vdnn_opt_drift, .trials = 512, .is_tireless = true}};

static vdnn_status search_by(const way *by, const vdnn_policy_request *request, int64_t trials,
                             vdnn_opt_stage *best)
{
    if (by->search != NULL)
        return vdnn_opt_search_until(by->search, trials, &best->search);
    return request->variants != NULL ? by->cut(request, trials, best) : VDNN_OK;
}

static vdnn_status take_turn(const way *by, const vdnn_policy_request *request, vdnn_opt_turn *own,
                             vdnn_opt_stage *best)
{
    const double seconds = best->search.time.step_seconds;
    const int64_t begun = best->search.trials;
    if (own->resting > 0) {
        own->resting--;
        return VDNN_OK;
    }
    if (own->ended_at > 0 && seconds >= own->ended_at)
        return VDNN_OK;
    vdnn_status status = search_by(by, request, own->trials, best);
    const bool helped = best->search.time.step_seconds < seconds,
               has_ended = best->search.trials - begun < own->trials;
    own->ended_at = has_ended ? best->search.time.step_seconds : 0;
    own->trials *= helped || by->is_short ? 1 : 2;
    own->resting = own->rest = helped || by->is_tireless ? 0 : 2 * own->rest + 1;
    return status;
}

/* ---- contenders ------------------------------------------------------------------------------ */

vdnn_status vdnn_opt_contest_add(vdnn_opt_contest *own, const vdnn_opt_stage *start,
                                 vdnn_opt_begin *begin)
{
    vdnn_opt_contender *next = &own->list[own->count];
    *next = (vdnn_opt_contender){.begin = begin};
    for (int i = 0; i < VDNN_OPT_WAYS; i++)
        next->turns[i].trials = ways[i].trials;
    vdnn_status status = vdnn_opt_stage_copy(start, &next->stage);
    own->count += status == VDNN_OK;
    return status;
}

static vdnn_status take_turns(const vdnn_policy_request *request, vdnn_opt_contender *own)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < VDNN_OPT_WAYS && status == VDNN_OK; i++)
        status = take_turn(&ways[i], request, &own->turns[i], &own->stage);
    return status;
}

static vdnn_status go_on(vdnn_opt_contest *own, vdnn_opt_contender *with)
{
    vdnn_opt_search *search = &with->stage.search;
    vdnn_opt_begin *begin = with->begin;
    const double seconds = search->time.step_seconds;
    search->trials = own->trials;
    with->begin = NULL;
    vdnn_status status =
        begin != NULL ? begin(own->request, &with->stage) : take_turns(own->request, with);
    with->helped = search->time.step_seconds < seconds;
    with->trials += search->trials - own->trials;
    own->trials = search->trials;
    own->last = (int)(with - own->list);
    return status;
}

/* ---- who goes on ----------------------------------------------------------------------------- */

static vdnn_opt_contender *fastest_of(vdnn_opt_contest *own)
{
    vdnn_opt_contender *fastest = &own->list[0];
    for (int i = 1; i < own->count; i++)
        if (vdnn_opt_search_is_better(&fastest->stage.search, &own->list[i].stage.search.time))
            fastest = &own->list[i];
    return fastest;
}

/* Of the others; itself: there are none. */
static vdnn_opt_contender *least_tried_beside(vdnn_opt_contest *own, vdnn_opt_contender *fastest)
{
    vdnn_opt_contender *least = fastest;
    for (int i = 0; i < own->count; i++)
        if (&own->list[i] != fastest && (least == fastest || own->list[i].trials < least->trials))
            least = &own->list[i];
    return least;
}

/* A tail of all layers moves nothing: few of the ways to a better plan lead on from there. */
static bool is_all_tail(const vdnn_opt_contender *own)
{
    return vdnn_decisions_tail_begin(&own->stage.search.best) == 0;
}

static vdnn_opt_contender *next_of(vdnn_opt_contest *own)
{
    vdnn_opt_contender *fastest = fastest_of(own), *last = &own->list[own->last],
                       *other = least_tried_beside(own, fastest);
    if (other->begin != NULL && is_all_tail(fastest))
        return other;
    if (fastest->begin != NULL || fastest->helped)
        return fastest;
    if (last->helped && last->trials < fastest->trials)
        return last;
    return last == fastest || other->begin != NULL ? other : fastest;
}

/* In the same parts and chains as the fastest it would search what that does. */
static void drop_if_alike(vdnn_opt_contest *own, vdnn_opt_contender *at)
{
    const vdnn_opt_contender *fastest = fastest_of(own);
    if (at == fastest || !vdnn_opt_stage_is_cut_like(&at->stage, &fastest->stage))
        return;
    vdnn_opt_stage_fini(&at->stage);
    const int index = (int)(at - own->list);
    own->count--;
    for (int i = index; i < own->count; i++) {
        own->list[i] = own->list[i + 1];
        own->list[i].stage.search.request = &own->list[i].stage.request;
    }
    own->last = (int)(fastest_of(own) - own->list);
}

vdnn_status vdnn_opt_contest_run(vdnn_opt_contest *own)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK) {
        vdnn_opt_contender *fastest = fastest_of(own), *next;
        fastest->stage.search.trials = own->trials;
        if (!vdnn_opt_stage_is_slowed(&fastest->stage) ||
            !vdnn_opt_search_lasts(&fastest->stage.search))
            return VDNN_OK;
        next = next_of(own);
        status = go_on(own, next);
        drop_if_alike(own, next);
    }
    return status;
}

void vdnn_opt_contest_end(vdnn_opt_contest *own, vdnn_opt_stage *best)
{
    const vdnn_opt_contender *fastest = own->count > 0 ? fastest_of(own) : NULL;
    for (int i = 0; i < own->count; i++)
        if (&own->list[i] == fastest)
            vdnn_opt_stage_replace(best, &own->list[i].stage);
        else
            vdnn_opt_stage_fini(&own->list[i].stage);
    best->search.trials = own->trials;
}
