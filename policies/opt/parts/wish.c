#include "policies/opt/parts/wish.h"

#include "policies/opt/descend.h"
#include "policies/opt/parts/wishes.h"

#include <math.h>

/* Wishes that are tried; what is done for one of them; times the trials of one that fits, those in
 * which it is paid for, and those after which a turn begins with no other. */
enum { TRIED = 8, ROUNDS = 24, PAID = 2, TURN = 12 };

/* What is done takes such a part of the bytes that are too many, or of the budget. */
static const double LEAST_TAKEN = 0.2, LEAST_OF_BUDGET = 1.0 / 64;

/* A move that costs no more of the step is made without looking at chains. */
static const double FREE_SHARE = 1e-5;

static const double FREE = 1e-9; /* seconds of what costs none */

typedef struct wisher {
    vdnn_opt_wishes wishes; /* of the best */
    int64_t trials;         /* of each */
    int32_t map;            /* of the wish that is tried; -1: none */
} wisher;

static bool lasts(const wisher *own)
{
    return vdnn_opt_search_lasts(&own->wishes.best->search);
}

/* ---- what it costs --------------------------------------------------------------------------- */

/* Seconds for each byte that it takes from those that are too many; HUGE_VAL: it takes too few, or
 * all that the wish saves, as by what undoes it. */
static double price(const wisher *own, const vdnn_opt_attempt *from, const vdnn_opt_attempt *to)
{
    const double taken = from->peak.overflow_bytes - to->peak.overflow_bytes,
                 seconds = to->bound.step_seconds - from->bound.step_seconds,
                 budget = (double)from->stage.request.budget_bytes[VDNN_TIER_DEVICE];
    if (to->bound.step_seconds >= own->wishes.best->search.time.step_seconds)
        return HUGE_VAL;
    if (taken < LEAST_TAKEN * from->peak.overflow_bytes && taken < LEAST_OF_BUDGET * budget)
        return HUGE_VAL;
    return taken <= 0 ? HUGE_VAL : (fmax(seconds, 0) + FREE) / taken;
}

static vdnn_status copy(wisher *own, vdnn_opt_attempt *from, vdnn_opt_attempt *to)
{
    vdnn_opt_cut_take(&own->wishes.cut, &from->stage);
    return vdnn_opt_attempt_init(own->wishes.request, &own->wishes.cut, &from->stage, &from->made,
                                 NULL, to);
}

/* One move, or several that cost as little, but for what would undo the wish. */
static vdnn_status move(const wisher *own, vdnn_opt_attempt *at)
{
    const vdnn_opt_move kept = {.subject = VDNN_OPT_MAP, .index = own->map};
    const vdnn_opt_limits limits = {.device_bytes =
                                        own->wishes.request->budget_bytes[VDNN_TIER_DEVICE],
                                    .kept = own->map >= 0 ? &kept : NULL,
                                    .most_moves = 1,
                                    .most_helped = 6,
                                    .most_seconds = HUGE_VAL,
                                    .useless_seconds = own->wishes.best->search.time.step_seconds};
    bool fits;
    vdnn_status status = vdnn_opt_descend(&at->stage.search, &at->made, &limits, &fits);
    return status == VDNN_OK ? vdnn_opt_attempt_look(at) : status;
}

/* A chain more; it takes the place of *cheapest if it costs less than that, or than *least. */
static vdnn_status try_chain(wisher *own, vdnn_opt_attempt *at, vdnn_opt_chain of, double *least,
                             vdnn_opt_attempt *cheapest)
{
    vdnn_opt_attempt next;
    if (!vdnn_opt_chains_may_be(own->wishes.request, &of) ||
        !vdnn_opt_search_lasts(&at->stage.search))
        return VDNN_OK;
    vdnn_opt_chains_link(&at->stage, &of, &own->wishes.cut);
    if (vdnn_opt_cut_is(&own->wishes.cut, &at->stage))
        return VDNN_OK;
    VDNN_TRY(vdnn_opt_attempt_init(own->wishes.request, &own->wishes.cut, &at->stage, &at->made,
                                   NULL, &next));
    const double cost = price(own, at, &next);
    if (cost < *least) {
        *least = cost;
        vdnn_opt_attempt_replace(cheapest, &next);
    } else
        vdnn_opt_attempt_fini(&next);
    return VDNN_OK;
}

/* Of those around the peak, where the most has to go. */
static vdnn_status chain(wisher *own, vdnn_opt_attempt *at, double *least,
                         vdnn_opt_attempt *cheapest)
{
    vdnn_opt_chain list[VDNN_OPT_CHAINS_MOST];
    vdnn_opt_attempts all = {.request = own->wishes.request,
                             .from = &at->stage,
                             .decisions = &at->made,
                             .list = list,
                             .cut = &own->wishes.cut};
    if (at->peak.layer < 0)
        return VDNN_OK;
    vdnn_status status = vdnn_opt_chains_around(own->wishes.request, at->peak.layer,
                                                &own->wishes.cut, list, &all.count);
    for (int i = 0; i < all.count && status == VDNN_OK; i++) {
        status = vdnn_opt_attempts_reach(&all, i);
        if (status == VDNN_OK)
            status = try_chain(own, at, list[i], least, cheapest);
    }
    return status;
}

/* *found: whether it takes less memory now. */
static vdnn_status pay(wisher *own, vdnn_opt_attempt *at, bool *found)
{
    vdnn_opt_attempt cheapest;
    VDNN_TRY(copy(own, at, &cheapest));
    vdnn_status status = move(own, &cheapest);
    at->stage.search.trials = cheapest.stage.search.trials;
    double least = status == VDNN_OK ? price(own, at, &cheapest) : HUGE_VAL;
    const double seconds = cheapest.bound.step_seconds - at->bound.step_seconds;
    if (status == VDNN_OK && !(least < HUGE_VAL && seconds <= FREE_SHARE * at->bound.step_seconds))
        status = chain(own, at, &least, &cheapest);
    *found = status == VDNN_OK && least < HUGE_VAL;
    if (*found)
        vdnn_opt_attempt_replace(at, &cheapest);
    else
        vdnn_opt_attempt_fini(&cheapest);
    return status;
}

static bool may_be_better(const wisher *own, const vdnn_opt_attempt *at)
{
    return at->bound.step_seconds < own->wishes.best->search.time.step_seconds &&
           vdnn_opt_search_lasts(&at->stage.search);
}

static vdnn_status pay_all(wisher *own, vdnn_opt_attempt *at)
{
    const int64_t until = at->stage.search.trials + PAID * own->trials;
    vdnn_status status = VDNN_OK;
    bool found = true;
    for (int i = 0; i < ROUNDS && at->stage.search.trials < until && status == VDNN_OK && found &&
                    at->peak.overflow_bytes > 0 && may_be_better(own, at);
         i++)
        status = pay(own, at, &found);
    return status;
}

static vdnn_status try_wish(wisher *own, const vdnn_opt_wished *of)
{
    vdnn_opt_attempt at;
    VDNN_TRY(vdnn_opt_wishes_grant(&own->wishes, of, &at));
    own->map = of->map;
    vdnn_status status = pay_all(own, &at);
    if (status == VDNN_OK && may_be_better(own, &at))
        status = vdnn_opt_attempt_climb(&at, own->wishes.best, VDNN_OPT_IN_ORDER, own->trials);
    vdnn_opt_attempt_take_better(own->wishes.best, &at);
    return status;
}

/* From those on that were tried of the same best before; behind the last the first. */
static vdnn_status try_wishes(wisher *own)
{
    const double before = own->wishes.best->search.time.step_seconds;
    int32_t next = vdnn_opt_tried_of(&own->wishes.best->wishes, before);
    const int32_t end = next + TRIED < own->wishes.count ? next + TRIED : own->wishes.count;
    const int64_t until = own->wishes.best->search.trials + TURN * own->trials;
    vdnn_status status = VDNN_OK;
    for (;
         next < end && status == VDNN_OK && lasts(own) && own->wishes.best->search.trials < until &&
         own->wishes.best->search.time.step_seconds >= before;
         next++)
        status = try_wish(own, &own->wishes.list[next]);
    own->wishes.best->wishes = (vdnn_opt_tried){before, next < own->wishes.count ? next : 0};
    return status;
}

vdnn_status vdnn_opt_wish(const vdnn_policy_request *request, int64_t trials, vdnn_opt_stage *best)
{
    wisher own = {.trials = trials};
    vdnn_status status = vdnn_opt_wishes_find(request, best, &own.wishes);
    if (status == VDNN_OK)
        status = try_wishes(&own);
    vdnn_opt_wishes_fini(&own.wishes);
    return status;
}
