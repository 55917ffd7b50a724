#ifndef VDNN_POLICIES_OPT_PARTS_LADDER_H
#define VDNN_POLICIES_OPT_PARTS_LADDER_H

/* Stages with one chain more each, where the most is alive in decisions that keep as little as they
 * can: from a network with none down to one that runs in the smallest memory.
 *
 *     arena | ____
 *           |     \___ chain 1
 *           |         \___ chain 2
 *           |             \______ ...
 *
 * Invariant: whatever the budget, the same chains come.
 * Threads: one.
 *
 *     status = vdnn_opt_ladder_init(request, &decisions, thrift, trials, &ladder);
 *     while (status == VDNN_OK && found) {
 *         status = vdnn_opt_ladder_step(&ladder, &found);
 *         ... ladder.at, ladder.decisions ...
 *     }
 *     vdnn_opt_ladder_fini(&ladder);
 */

#include "policies/opt/parts/chains.h"

typedef struct vdnn_opt_ladder {
    const vdnn_policy_request *request; /* borrowed */
    vdnn_opt_thrift thrift;
    vdnn_opt_cut cut;
    vdnn_opt_stage at;
    vdnn_decisions decisions; /* over its network */
    int chains;
} vdnn_opt_ladder;

/* Of a request with variants, from decisions over its network; `trials`: that were made before. */
vdnn_status vdnn_opt_ladder_init(const vdnn_policy_request *request, const vdnn_decisions *from,
                                 vdnn_opt_thrift thrift, int64_t trials, vdnn_opt_ladder *own);
void vdnn_opt_ladder_fini(vdnn_opt_ladder *own);

/* *found: whether there is one more. */
vdnn_status vdnn_opt_ladder_step(vdnn_opt_ladder *own, bool *found);

/* The stage takes the place of another one, which is freed; the ladder has it anew. */
vdnn_status vdnn_opt_ladder_give(vdnn_opt_ladder *own, vdnn_opt_stage *to);

#endif
