#ifndef VDNN_POLICIES_OPT_RUIN_H
#define VDNN_POLICIES_OPT_RUIN_H

/* Ruin and recreate (Schrimpf, Schneider, Stamm-Wilbrandt, Dueck: "Record breaking optimization
 * results using the ruin and recreate principle", 2000): what is decided for a stretch of layers is
 * undone, and a descent whose prices are drawn decides it anew; the better plan is the best.
 *
 *     layers   | offload  recompute  keep  offload |      best
 *              | offload    keep     keep  offload |      ruined
 *              | offload  offload    keep   keep   |      rebuilt
 *
 * Invariant: what is drawn depends on the trials before alone, so that of the same patience the
 * same decisions come. Threads: one.
 *
 *     status = vdnn_opt_ruin(own);     // until patience is at its end
 */

#include "policies/opt/search.h"

/* Of a search that has found a plan. */
vdnn_status vdnn_opt_ruin(vdnn_opt_search *own);

#endif
