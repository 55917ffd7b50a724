#ifndef VDNN_POLICIES_OPT_CONTEST_H
#define VDNN_POLICIES_OPT_CONTEST_H

/* Searches from several starts, as the plan that is the best early leads to the best in the end of
 * some networks only:
 *
 *     best of   start 0 | begin, turns, turns |                    | turns | ...
 *               start 1 |                     | begin, turns |     |
 *               start 2 |                     |              | begin ...
 *
 * The fastest goes on as long as it gets better; then the others begin, and go on as long as they
 * get better, but for no more trials than the fastest; then the fastest and, of the others, the one
 * that has had the fewest trials go on by turns. Where the fastest is a tail of all layers, the
 * others begin at once. One in the same parts and chains as the fastest drops out: it would search
 * what that does. A turn is one way to a better plan after the other: moves (opt/climb.h), first
 * those that save the most, wishes (opt/parts/wish.h), other chains (opt/parts/recut.h), tails
 * (opt/parts/tails.h), a stretch of layers anew (opt/ruin.h), and drifting over plans that are no
 * slower than some moves ago (opt/drift.h).
 *
 * Invariant: of the same starts and the same patience the same plan comes. Threads: one.
 *
 *     vdnn_opt_contest own = {.request = request, .trials = start.search.trials};
 *     status = vdnn_opt_contest_add(&own, &start, begin);
 *     status = vdnn_opt_contest_run(&own);
 *     vdnn_opt_contest_end(&own, &best);      // the fastest; *best is freed before
 */

#include "policies/opt/parts/chains.h"
#include "policies/opt/parts/tails.h"

/* At the most tails, the best of each rule for chains, one without, and one of all descents. */
enum { VDNN_OPT_WAYS = 7, VDNN_OPT_CONTENDERS = VDNN_OPT_TAILS + VDNN_OPT_THRIFTS + 2 };

/* What is done once, before the turns. */
typedef vdnn_status vdnn_opt_begin(const vdnn_policy_request *request, vdnn_opt_stage *stage);

/* How a way goes on: one that found nothing gets twice the trials, unless it is to be short, and
 * rests for twice as many rounds as before, unless it is tireless; one that came to its end waits
 * for another best. */
typedef struct vdnn_opt_turn {
    int64_t trials; /* of a turn; of one cut */
    int rest, resting;
    double ended_at; /* the seconds of the best; 0: it did not come to its end */
} vdnn_opt_turn;

typedef struct vdnn_opt_contender {
    vdnn_opt_stage stage;  /* owned */
    vdnn_opt_begin *begin; /* NULL: it has begun */
    vdnn_opt_turn turns[VDNN_OPT_WAYS];
    int64_t trials; /* of its own */
    bool helped;    /* what it did last */
} vdnn_opt_contender;

typedef struct vdnn_opt_contest {
    const vdnn_policy_request *request; /* borrowed */
    int64_t trials;                     /* that were made, by all and before */
    vdnn_opt_contender list[VDNN_OPT_CONTENDERS];
    int count, last; /* the one that went on last */
} vdnn_opt_contest;

/* A start that has found a plan: the stage is copied. */
vdnn_status vdnn_opt_contest_add(vdnn_opt_contest *own, const vdnn_opt_stage *start,
                                 vdnn_opt_begin *begin);

/* To the end of patience, or until memory does not slow the fastest. */
vdnn_status vdnn_opt_contest_run(vdnn_opt_contest *own);

/* The fastest takes the place of the best, which is freed; the others are freed. */
void vdnn_opt_contest_end(vdnn_opt_contest *own, vdnn_opt_stage *best);

#endif
