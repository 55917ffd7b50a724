#ifndef VDNN_POLICIES_OPT_SEARCH_H
#define VDNN_POLICIES_OPT_SEARCH_H

/* The search of opt in one network, as it is cut: the best plan so far, and the plans that are
 * tried against it.
 *
 *     start ----> best <---- one move, and others until the plan fits (opt/local_search.h)
 *       \          ^             |
 *        descend --+-------------+   from too many bytes to few enough  (opt/local_search.h)
 *
 * Invariant: the best fits the budgets of all tiers, and is never replaced by one that takes more
 * time, nor by one that takes the same time and copies more bytes. The same request and the same
 * search limit give the same decisions.
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
    const vdnn_policy_request *request; /* borrowed, as are these of its planning */
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    const size_t *budget_bytes;
    vdnn_decisions best; /* owned; if `found` */
    vdnn_outcome time;   /* of the best */
    bool found;
    int64_t trials;       /* that were made */
    int64_t until;        /* no more trials than this; 0: as many as the request allows */
    double most_seconds;  /* a plan that takes longer is of no use; 0: not known */
    double least_seconds; /* no plan takes less; 0: not known */
    bool lists_few;       /* lists only the most promising moves that offload a map */
    vdnn_opt_pace pace;   /* of descents */
    uint32_t walks;       /* by late acceptance that were made (opt/local_search.h) */
    double link_price;    /* seconds that one of the link counts as; 0: the share that it is busy */
    /* Owned; per layer, of the queues of copies (opt/moves.h): the seconds by which copies out are
     * late when its forward begins, and by which copies in begin before its backward. */
    double *out_behind, *in_ahead;
    int32_t *needs;    /* owned; per map, the first layer of backward that needs it, also to
                          recompute another one; -1: none does (opt/moves.h) */
    vdnn_alive *alive; /* owned; per map, whether it is live at the last peak that was found */
    int32_t *chained;  /* owned; per layer, whether every plan of this search chains it */
    double *forward, *backward; /* owned; per layer, seconds of its fastest algorithms */
    double forward_seconds, backward_seconds; /* their sums */
} vdnn_opt_search;

/* Whether a map may be recomputed by these decisions. */
static inline bool vdnn_opt_may_recompute(const vdnn_opt_search *own,
                                          const vdnn_decisions *decisions, int32_t map)
{
    return vdnn_decisions_recompute_refusal(own->graph, own->profile, decisions, map) == NULL;
}

/* The first layer of backward that needs a map itself; -1: none does. */
static inline int32_t vdnn_opt_own_need(const vdnn_map *map)
{
    return map->needed_count > 0 ? map->needed_by[0] : -1;
}

/* `chained`: per layer, copied; NULL: none is. */
vdnn_status vdnn_opt_search_init(const vdnn_policy_request *request, const int32_t *chained,
                                 vdnn_opt_search *own);
void vdnn_opt_search_fini(vdnn_opt_search *own);

/* Signs decisions as the search's, not those of the policy that they come from. */
void vdnn_opt_search_sign(vdnn_decisions *decisions);

/* Chains in the decisions what the search chains. What is made within a chain and is offloaded is
 * copied in pieces wherever that is possible. */
void vdnn_opt_search_chain(const vdnn_opt_search *own, vdnn_decisions *decisions);

/* Whether more plans may be tried and one of them may be better. None may be if the best moves
 * nothing and takes the least time. */
bool vdnn_opt_search_lasts(const vdnn_opt_search *own);
/* Whether the run is to end, so that every search ends, whatever its limit. */
bool vdnn_opt_search_is_stopped(const vdnn_opt_search *own);

/* Searches by at most this many trials. */
vdnn_status vdnn_opt_search_until(vdnn_status (*search)(vdnn_opt_search *own), int64_t trials,
                                  vdnn_opt_search *own);

/* Finds bounds of a plan, and its peak against a limit of the device's bytes; sets own->alive. */
vdnn_status vdnn_opt_search_peak(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t limit_bytes, vdnn_device_peak *peak, vdnn_outcome *bound);

/* Whether the tiers other than the device hold their arenas. */
bool vdnn_opt_search_is_held(const vdnn_opt_search *own, const size_t arena_bytes[VDNN_TIER_COUNT]);

/* Packs a plan and sets *arena_bytes to the arena of the device; SIZE_MAX: another tier is too
 * small. */
vdnn_status vdnn_opt_search_pack(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t *arena_bytes);

/* Times a plan, and copies it if it is better than the best: *taken. `time` may be NULL. */
vdnn_status vdnn_opt_search_offer(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                  vdnn_outcome *time, bool *taken);

/* Whether a plan of that time, or of such bounds, may be better than the best. */
bool vdnn_opt_search_is_better(const vdnn_opt_search *own, const vdnn_outcome *time);

/* ---- variants -------------------------------------------------------------------------------- */

/* A variant: a search in the network with its layers in given parts and chains.
 *
 *     as the file says --search--> best --bring--> in other parts, chained --search--> best ...
 *
 *     status = vdnn_opt_variant_find(request, &cut, trials, &variant);
 *     status = vdnn_opt_variant_bring(&earlier, &variant, &decisions);
 *     vdnn_opt_variant_fini(&variant);
 */

/* How layers are cut: each one's parts, and whether it is chained to the one before it
 * (vdnn_decisions.parts, .chained). */
typedef struct vdnn_opt_cut {
    int32_t *parts, *chained; /* owned; per layer */
} vdnn_opt_cut;

/* Begins with the graph's parts, and no layer chained. */
vdnn_status vdnn_opt_cut_init(vdnn_opt_cut *own, const vdnn_graph *graph);
void vdnn_opt_cut_fini(vdnn_opt_cut *own);

struct vdnn_opt_variant;

/* How many items of a list were tried. The list is the same as long as the best plan is, so that
 * the next turn continues where the last one ended. */
typedef struct vdnn_opt_tried {
    double seconds; /* of that best plan */
    int32_t count;
} vdnn_opt_tried;

/* Returns how many items were tried for a best plan of this time; 0 if that was another plan. */
int32_t vdnn_opt_tried_of(const vdnn_opt_tried *own, double seconds);

/* Sets the cut to a variant's; whether it is the variant's. */
void vdnn_opt_cut_take(vdnn_opt_cut *own, const struct vdnn_opt_variant *variant);
bool vdnn_opt_cut_is(const vdnn_opt_cut *own, const struct vdnn_opt_variant *variant);

typedef struct vdnn_opt_variant {
    vdnn_policy_request request; /* of the network as it is cut */
    vdnn_opt_search search;
    double oracle_seconds;  /* of the network as the file has it: no cut is faster; 0: unknown */
    vdnn_opt_tried changes; /* opt/speculation.h */
} vdnn_opt_variant;

/* Begins with the network as the request has it. */
vdnn_status vdnn_opt_variant_init(const vdnn_policy_request *request, vdnn_opt_variant *own);
/* Begins with the network cut that way, after `trials` that were made before. The request may cut.
 */
vdnn_status vdnn_opt_variant_find(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                  int64_t trials, vdnn_opt_variant *own);
/* Begins in the parts and chains of decisions over such a network, which are its best if they fit.
 */
vdnn_status vdnn_opt_variant_as(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                                int64_t trials, vdnn_opt_variant *own);
/* Copies a variant with its best, to be searched apart from it. */
vdnn_status vdnn_opt_variant_copy(const vdnn_opt_variant *from, vdnn_opt_variant *own);
void vdnn_opt_variant_fini(vdnn_opt_variant *own);

/* Whether the layers of both are in the same parts and chains. */
bool vdnn_opt_variant_is_cut_like(const vdnn_opt_variant *own, const vdnn_opt_variant *other);

/* Whether its best takes longer than with unlimited memory; otherwise no cut makes it better. */
bool vdnn_opt_variant_is_slowed(const vdnn_opt_variant *own);

/* Replaces the earlier variant, which is freed but for its oracle, by the later one. */
void vdnn_opt_variant_replace(vdnn_opt_variant *earlier, const vdnn_opt_variant *later);

/* Replaces `best` if the best of the other takes less time, else frees the other; whether it did.
 */
bool vdnn_opt_variant_take_better(vdnn_opt_variant *best, vdnn_opt_variant *other);

/* Turns decisions over the network of one variant into ones over that of another, with the
 * algorithms of the same names and the other's parts and chains. */
void vdnn_opt_variant_bring(const vdnn_opt_variant *from, const vdnn_opt_variant *to,
                            vdnn_decisions *decisions);

/* ---- findings that no budget changes --------------------------------------------------------- */

/* Results that do not depend on the device's budget. The request's planning keeps them, so that a
 * search under another budget does not compute them again.
 *
 *     graph, decisions --smaller---> decisions of a smaller arena, its bytes
 *                      --chain-----> the parts and chains with one chain more
 *
 * Invariant: a result that is kept is the one that would be found again.
 *
 *     const vdnn_opt_answer *known = vdnn_opt_findings_find(request, VDNN_OPT_CHAIN, &decisions);
 *     if (known == NULL)
 *         status = vdnn_opt_findings_keep(request, VDNN_OPT_CHAIN, &decisions, &answer);
 */

typedef enum vdnn_opt_question {
    VDNN_OPT_SMALLER, /* the next smaller decisions, and their arena_bytes; NULL: none is smaller */
    VDNN_OPT_CHAIN    /* decisions of which only parts and chained are set; NULL: none is found */
} vdnn_opt_question;

typedef struct vdnn_opt_answer {
    const vdnn_decisions *decisions; /* NULL: none */
    size_t arena_bytes;
    int64_t trials; /* that the answer took to find */
} vdnn_opt_answer;

/* Returns an answer that lives as long as the planning; NULL: it is not known. */
const vdnn_opt_answer *vdnn_opt_findings_find(const vdnn_policy_request *request,
                                              vdnn_opt_question question,
                                              const vdnn_decisions *about);

/* Keeps a copy of the answer. */
vdnn_status vdnn_opt_findings_keep(const vdnn_policy_request *request, vdnn_opt_question question,
                                   const vdnn_decisions *about, const vdnn_opt_answer *answer);

#endif
