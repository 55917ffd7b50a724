#ifndef VDNN_POLICIES_OPT_LOCAL_SEARCH_H
#define VDNN_POLICIES_OPT_LOCAL_SEARCH_H

/* Local search: a move is made on a plan; if it then takes too many bytes, other moves are made
 * until it fits (opt/descend.h).
 *
 *     hill climbing     those first that save the most, about; what is better is the best
 *     late acceptance   a move that is drawn; the plan is taken if it is no slower than the one
 * some moves ago (Burke and Bykov, 2017), so that what takes no time frees memory for a later move,
 * and a worse plan may lead to a better one
 *
 *     seconds |   _    _/\_
 *             |\_/ \__/    \_
 *        best |__________________\__
 *
 * Threads: one.
 *
 *     status = vdnn_opt_climb(own);        // until no move helps, or patience is at its end
 *     status = vdnn_opt_accept_late(own);  // until patience is at its end
 */

#include "policies/opt/descend.h"

/* Of a search that has found a plan: moves that may save time. */
vdnn_status vdnn_opt_climb(vdnn_opt_search *own);

/* Only moves that take memory that is free, so that no others have to be made: a map or parameters
 * are kept, a copy is hidden by more layers, an algorithm is faster. */
vdnn_status vdnn_opt_relax(vdnn_opt_search *own);

/* Which moves are drawn depends on own->walks, which grows by one. */
vdnn_status vdnn_opt_accept_late(vdnn_opt_search *own);

#endif
