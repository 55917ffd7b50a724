#ifndef VDNN_POLICIES_OPT_PARTS_WISH_H
#define VDNN_POLICIES_OPT_PARTS_WISH_H

/* What would make the best faster if memory had no end, paid for in memory: a map is kept or copied
 * that is recomputed, layers run in fewer parts; then, where the most is alive, whatever costs the
 * least for its bytes is done, a move or one chain more, until the plan fits.
 *
 *     bytes |        conv1 kept               one move, conv2 in 4 parts, one move, ...
 *           |  __--__                  ____
 *           | -      ------ budget ---      ---------------------- budget
 *
 * A cut alone makes nothing faster, and without one a map that is large enough does not fit.
 * Threads: one.
 *
 *     status = vdnn_opt_wish(&request, 256, &best);
 */

#include "policies/opt/stage.h"

/* Of a request with variants, with so many trials behind each wish that fits: takes the place of
 * `best`, whose plan fits, if there is a better one. */
vdnn_status vdnn_opt_wish(const vdnn_policy_request *request, int64_t trials, vdnn_opt_stage *best);

#endif
