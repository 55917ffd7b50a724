#ifndef VDNN_POLICIES_OPT_PARTS_LOOK_H
#define VDNN_POLICIES_OPT_PARTS_LOOK_H

/* How good the plans are at the stages of a ladder, a few trials at each: by the fastest algorithms
 * that fit, with large parameters kept or offloaded, with the layers cut that gain by it.
 *
 * Threads: one.
 *
 *     status = vdnn_opt_look_at(&best);
 *     status = vdnn_opt_look_down(&ladder, &best);
 */

#include "policies/opt/parts/ladder.h"

/* From the best of a stage, which fits, by the fastest algorithms that do: a few trials. */
vdnn_status vdnn_opt_look_at(vdnn_opt_stage *own);

/* From the best of a stage, with those layers cut that gain by it where algorithms fill this share
 * of the budget at most: takes the place of `best` if it is better. */
vdnn_status vdnn_opt_look_at_cut(const vdnn_policy_request *request, vdnn_opt_stage *from,
                                 double share, vdnn_opt_stage *best);

/* Takes the place of `best`, a stage whose plan fits, with the best one below it, as long as later
 * ones get better and patience lasts. */
vdnn_status vdnn_opt_look_down(vdnn_opt_ladder *ladder, vdnn_opt_stage *best);

#endif
