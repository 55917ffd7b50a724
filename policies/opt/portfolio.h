#ifndef VDNN_POLICIES_OPT_PORTFOLIO_H
#define VDNN_POLICIES_OPT_PORTFOLIO_H

/* A portfolio of candidates, plans from several starts. It improves several of them because only in
 * some networks the plan that is the best early leads to the best in the end.
 *
 *     best of   start 0 | begin, turns, turns |                    | turns | ...
 *               start 1 |                     | begin, turns |     |
 *               start 2 |                     |              | begin ...
 *
 * The fastest continues as long as it gets better; then the others begin, and continue as long as
 * they get better, but for no more trials than the fastest; then the fastest and, of the others,
 * the one with the fewest trials take turns. A candidate in the same parts and chains as the
 * fastest drops out: it would search what that does. In a turn hill climbing, late acceptance
 * and speculation improve the plan, one after the other, each as long as it does
 * (opt/local_search.h, opt/speculation.h).
 *
 * Invariant: the same starts and the same search limit give the same plan.
 * Threads: one.
 *
 *     vdnn_opt_portfolio own = {.request = request, .trials = start.search.trials};
 *     status = vdnn_opt_portfolio_add(&own, &start, begin);
 *     status = vdnn_opt_portfolio_run(&own);
 *     vdnn_opt_portfolio_end(&own, &best);      // the fastest; *best is freed before
 */

#include "policies/opt/search.h"

/* ---- the portfolio --------------------------------------------------------------------------- */

/* How many searches improve a candidate; how many candidates there are at most. */
enum { VDNN_OPT_IMPROVERS = 3, VDNN_OPT_CANDIDATES = 4 };

/* What is done with a candidate once, before its turns. */
typedef vdnn_status vdnn_opt_begin(const vdnn_policy_request *request, vdnn_opt_variant *variant);

/* The turns of one improver with one candidate. An improver that finds nothing gets twice the
 * trials in its next turn, and backs off for twice as many rounds as before, unless it draws its
 * moves at random. One that has tried everything waits until the best plan is another one. */
typedef struct vdnn_opt_turn {
    int64_t trials; /* of its next turn; for speculation, of each change */
    int back_off, rounds_left;
    double ended_at; /* the best plan's seconds when all was tried; 0: not all was */
} vdnn_opt_turn;

typedef struct vdnn_opt_candidate {
    vdnn_opt_variant variant; /* owned */
    vdnn_opt_begin *begin;    /* NULL: it has begun */
    vdnn_opt_turn turns[VDNN_OPT_IMPROVERS];
    int64_t trials; /* made with this candidate */
    bool helped;    /* whether its last round made it better */
} vdnn_opt_candidate;

typedef struct vdnn_opt_portfolio {
    const vdnn_policy_request *request; /* borrowed */
    int64_t trials;                     /* by all candidates, and before the portfolio */
    vdnn_opt_candidate list[VDNN_OPT_CANDIDATES];
    int count, last; /* `last`: the candidate that was improved last */
} vdnn_opt_portfolio;

/* Adds a candidate: a copy of a variant that has found a plan. */
vdnn_status vdnn_opt_portfolio_add(vdnn_opt_portfolio *own, const vdnn_opt_variant *start,
                                   vdnn_opt_begin *begin);

/* Improves the candidates until the search limit, or until memory does not slow the fastest. */
vdnn_status vdnn_opt_portfolio_run(vdnn_opt_portfolio *own);

/* Replaces *best, which is freed, by the fastest candidate, and frees the others. */
void vdnn_opt_portfolio_end(vdnn_opt_portfolio *own, vdnn_opt_variant *best);

#endif
