#ifndef VDNN_POLICIES_OPT_DRIFT_H
#define VDNN_POLICIES_OPT_DRIFT_H

/* Drifts away from the best: one drawn move after the other, and what then has to leave, each taken
 * as long as the plan is no slower than it was some moves ago (late acceptance: Burke and Bykov,
 * 2017). What takes no time frees memory for a later move, and where no single move helps any more,
 * a worse plan may lead to a better one.
 *
 *     seconds |   _    _/\_          each step: at most the higher of now, and HISTORY moves ago
 *             |\_/ \__/    \_
 *        best |__________________\__
 *
 * Threads: one.
 *
 *     status = vdnn_opt_drift(own);
 */

#include "policies/opt/search.h"

/* As long as the search lasts; which moves are drawn depends on own->drifts, which grows by one. */
vdnn_status vdnn_opt_drift(vdnn_opt_search *own);

#endif
