#ifndef VDNN_POLICIES_OPT_PARTS_TAILS_H
#define VDNN_POLICIES_OPT_PARTS_TAILS_H

/* Chains that end with the loss, so that what they make is there for one part and neither copied
 * nor recomputed: fewer layers in more parts, or more in fewer.
 *
 *     forward   | conv1 | conv2 |
 *     the tail                  | conv3 .. loss .. conv3 | part 0, then part 1, ...
 *     backward                                                     | conv2 | conv1 |
 *
 * Threads: one.
 *
 *     status = vdnn_opt_tails_find(&request, &start, tails, &count);
 *     ... vdnn_opt_stage_fini(&tails[i]) ...
 */

#include "policies/opt/stage.h"

enum { VDNN_OPT_TAILS = 3 };

/* Of a request with variants: the best of those that a few trials find from a start, whose plan
 * fits, the fastest first. The start counts the trials. */
vdnn_status vdnn_opt_tails_find(const vdnn_policy_request *request, vdnn_opt_stage *start,
                                vdnn_opt_stage list[VDNN_OPT_TAILS], int *count);

#endif
