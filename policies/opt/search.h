#ifndef VDNN_POLICIES_OPT_SEARCH_H
#define VDNN_POLICIES_OPT_SEARCH_H

/* The search of opt in one network, as it is cut: the best plan so far, and the plans that are
 * tried against it.
 *
 *     start ----> best <---- one move, and what then has to leave (opt/local_search.h)
 *       \          ^             |
 *        descend --+-------------+   from too many bytes to few enough       (opt/descend.h)
 *
 * Invariant: the best fits the budgets of all tiers, and is never replaced by one that takes more
 * time, nor, of the same time, by one that moves more bytes. Of the same request and the same
 * patience the same decisions come.
 * Threads: one.
 *
 *     vdnn_opt_search own;
 *     status = vdnn_opt_search_init(request, NULL, &own);
 *     status = vdnn_opt_search_offer(&own, &decisions, &taken);
 *     if (vdnn_opt_search_lasts(&own)) ...
 *     vdnn_opt_search_fini(&own);                  // the best, too
 */

#include "policies/policy.h"

typedef enum vdnn_opt_pace {
    VDNN_OPT_STEADY,
    VDNN_OPT_HASTY,   /* descents make the first move that helps */
    VDNN_OPT_THOROUGH /* they list all, and make one move at a time */
} vdnn_opt_pace;

typedef struct vdnn_opt_search {
    const vdnn_policy_request *request; /* borrowed */
    vdnn_decisions best;                /* owned; if `found` */
    vdnn_trial_bound time;              /* of the best */
    bool found;
    int64_t trials;       /* that were made */
    int64_t until;        /* no more than so many; 0: as many as patience allows */
    double most_seconds;  /* what takes longer is of no use; 0: nothing is known */
    double least_seconds; /* no plan takes less; 0: nothing is known */
    bool lists_few;       /* of the ways to offload a map only the most likely */
    vdnn_opt_pace pace;   /* of descents */
    uint32_t walks;       /* by late acceptance that were made (opt/local_search.h) */
    double link_price;    /* seconds that one of the link is taken to cost; 0: as busy as it is */
    /* Owned; per layer, seconds of copies with its own: how far they are behind when its forward
     * begins, how far ahead of its backward they begin (opt/moves.h). */
    double *out_behind, *in_ahead;
    int32_t *needs;          /* owned; per map, the first layer of backward that needs it, also to
                                recompute another one; -1: none does (opt/moves.h) */
    vdnn_trial_alive *alive; /* owned; per map, of the last peak */
    int32_t *chained;        /* owned; per layer, in every plan */
    double *forward, *backward; /* owned; per layer, seconds of its fastest algorithms */
    double forward_seconds, backward_seconds; /* their sums */
} vdnn_opt_search;

/* The first layer of backward that needs a map itself; -1: none does. */
static inline int32_t vdnn_opt_own_need(const vdnn_map *map)
{
    return map->needed_count > 0 ? map->needed_by[0] : -1;
}

/* `chained`: per layer, copied; NULL: none is. */
vdnn_status vdnn_opt_search_init(const vdnn_policy_request *request, const int32_t *chained,
                                 vdnn_opt_search *own);
void vdnn_opt_search_fini(vdnn_opt_search *own);

/* Names decisions the search's own, not those of the policy that they come from. */
void vdnn_opt_search_sign(vdnn_decisions *decisions);

/* Makes decisions that chain nothing, or something else, chain what the search does. What is
 * made within a chain and is offloaded is so in pieces, as far as it can be. */
void vdnn_opt_search_chain(const vdnn_opt_search *own, vdnn_decisions *decisions);

/* Whether more plans may be tried, and one may be better: none is where nothing is moved and none
 * takes less. */
bool vdnn_opt_search_lasts(const vdnn_opt_search *own);
/* Whether the run is to end, so that no search goes on, whatever patience there is. */
bool vdnn_opt_search_is_stopped(const vdnn_opt_search *own);

/* By so many trials at most. */
vdnn_status vdnn_opt_search_until(vdnn_status (*search)(vdnn_opt_search *own), int64_t trials,
                                  vdnn_opt_search *own);

/* Of a list of so many, the next whose peak to expect (vdnn_trial.expect) while the i-th is tried;
 * -1: enough are. *next: the first that was not expected, 0 at first. */
int vdnn_opt_search_next_expected(const vdnn_trial *trial, int i, int count, int *next);

/* Bounds of a plan and its peak, against a limit of the device's bytes; own->alive is set. */
vdnn_status vdnn_opt_search_peak(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t limit_bytes, vdnn_trial_peak *peak,
                                 vdnn_trial_bound *bound);

/* Whether the tiers behind the device hold their arenas. */
bool vdnn_opt_search_is_held(const vdnn_opt_search *own, const size_t arena_bytes[VDNN_TIER_COUNT]);

/* The arena of the device; SIZE_MAX: another tier is too small. */
vdnn_status vdnn_opt_search_pack(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t *arena_bytes);

/* Times a plan, and copies it if it is better than the best: *taken. `time` may be NULL. */
vdnn_status vdnn_opt_search_offer(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                  vdnn_trial_bound *time, bool *taken);

/* Whether a plan of that time, or of such bounds, may be better than the best. */
bool vdnn_opt_search_is_better(const vdnn_opt_search *own, const vdnn_trial_bound *time);

#endif
