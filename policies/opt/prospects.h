#ifndef VDNN_POLICIES_OPT_PROSPECTS_H
#define VDNN_POLICIES_OPT_PROSPECTS_H

/* The moves of a list that come next, while one of them is tried: what they lead to is expected, so
 * that it may be looked at beforehand (vdnn_trial.expect).
 *
 * Invariant: no more than the trial's reach are expected behind the one that is tried.
 * Threads: one.
 *
 *     vdnn_opt_prospects prospects = {.list = list, .count = n, .from = &decisions, ...};
 *     for (int i = 0; i < n; i++) {
 *         vdnn_opt_prospects_reach(&prospects, trial, i);
 *         ...                                             // the peak behind list[i]
 *     }
 */

#include "policies/opt/moves.h"

typedef struct vdnn_opt_prospects {
    const vdnn_opt_move *list; /* borrowed, as all that follows */
    int count;
    const vdnn_decisions *from; /* in which each of them is made */
    vdnn_decisions *scratch;
    size_t limit_bytes; /* of the peaks */
    int next;           /* the first that is not expected yet */
} vdnn_opt_prospects;

/* While the i-th is tried. What is in `scratch` is gone. */
void vdnn_opt_prospects_reach(vdnn_opt_prospects *own, const vdnn_trial *trial, int i);

#endif
