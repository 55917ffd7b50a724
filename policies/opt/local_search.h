#ifndef VDNN_POLICIES_OPT_LOCAL_SEARCH_H
#define VDNN_POLICIES_OPT_LOCAL_SEARCH_H

/* Local search: a move is made on a plan; if it then takes too many bytes, other moves are made
 * until it fits.
 *
 *     hill climbing     tries the moves that save the most first; a better plan becomes the best
 *     late acceptance   accepts a random move if the plan is no slower than it was some moves ago
 *                       (Burke and Bykov, 2017): moves that cost no time free memory for later ones
 *
 *     seconds |   _    _/\_
 *             |\_/ \__/    \_
 *        best |__________________\__
 *
 * Threads: one.
 *
 *     status = vdnn_opt_climb(own);        // until no move helps, or the search limit
 *     status = vdnn_opt_accept_late(own);  // until the search limit
 */

#include "policies/opt/moves.h"

/* ---- descents -------------------------------------------------------------------------------- */

/* A descent makes moves until a plan that takes too many bytes fits. At the live peak it makes the
 * move that costs the least time per byte, and with it those that cost about as little; then it
 * does the same at the new peak.
 *
 *     bytes |      /\                      /\
 *           | ----/--\-----------   limit -  \---  moves of maps and workspaces that are live at
 * the |    /    \  /\              /    \    peak: the cheapest few are tried
 *
 *     status = vdnn_opt_descend(own, &decisions, &limits, &fits);
 */

typedef struct vdnn_opt_limits {
    size_t device_bytes;       /* to descend to */
    const vdnn_opt_move *kept; /* a move that is not undone; NULL: none */
    int most_moves;
    int most_helped;        /* how many moves that help are compared */
    int64_t until;          /* ends at this many trials alone; 0: at the search limit */
    bool one_by_one;        /* one move at a time, which takes more trials and gets further */
    double most_seconds;    /* ends once the plan takes at least this long */
    double useless_seconds; /* makes no move after which the plan takes this long; 0: any */
} vdnn_opt_limits;

/* Changes the decisions. *fits: by bounds; packing may still lose some bytes. */
vdnn_status vdnn_opt_descend(vdnn_opt_search *own, vdnn_decisions *decisions,
                             const vdnn_opt_limits *limits, bool *fits);

/* Descends until the plan fits with its addresses, then offers it to the search; ends early if the
 * plan cannot be better than the best. Changes the decisions. */
vdnn_status vdnn_opt_descend_from(vdnn_opt_search *own, vdnn_decisions *decisions);

/* ---- local search ---------------------------------------------------------------------------- */

/* Makes moves that may save time. The search has found a plan. */
vdnn_status vdnn_opt_climb(vdnn_opt_search *own);

/* Makes only moves that use memory which is free, so that no other move is required: keep a map or
 * parameters, let more layers hide a copy, take a faster algorithm. */
vdnn_status vdnn_opt_relax(vdnn_opt_search *own);

/* Makes random moves, as above. The draws depend on own->walks, which grows by one. */
vdnn_status vdnn_opt_accept_late(vdnn_opt_search *own);

#endif
