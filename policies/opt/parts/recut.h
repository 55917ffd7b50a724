#ifndef VDNN_POLICIES_OPT_PARTS_RECUT_H
#define VDNN_POLICIES_OPT_PARTS_RECUT_H

/* Other chains, and other numbers of parts, and what it takes to fit then: fewer parts run faster
 * and take more workspace, for which the maps beside them give way.
 *
 *     parts | 4 4 4   16 16   1 1 1      chains around the layers that lost the most,
 *           | 4 4 4   16 16   2 2 2      then each chain and each layer that is in none
 *           | 4 4 4    8  8   2 2 2
 *
 * Threads: one.
 *
 *     status = vdnn_opt_recut(&request, 400, &best);
 */

#include "policies/opt/stage.h"

/* Of a request with variants, so many trials for each cut: takes the place of `best`, whose plan
 * fits, as long as there is a better one and patience lasts. */
vdnn_status vdnn_opt_recut(const vdnn_policy_request *request, int64_t trials,
                           vdnn_opt_stage *best);

#endif
