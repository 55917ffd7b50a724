#ifndef VDNN_POLICIES_OPT_LOCAL_SEARCH_H
#define VDNN_POLICIES_OPT_LOCAL_SEARCH_H

/* Local search: a move is made on a plan; if it then takes too many bytes, other moves are made
 * until it fits.
 *
 *     hill climbing     moves that save the most first; what is better is the best
 *     late acceptance   a drawn move is taken if the plan is no slower than it was some moves ago
 *                       (Burke and Bykov, 2017): what takes no time frees memory for later moves
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

#include "policies/opt/moves.h"

/* ---- descents -------------------------------------------------------------------------------- */

/* From a plan that takes too many bytes to one that fits: where the most bytes are alive, the move
 * is made that costs the least time per byte, and with it those that cost about as little; then
 * where the most are alive now.
 *
 *     bytes |      /\                      /\
 *           | ----/--\-----------   limit -  \---  moves whose maps are alive at the peak, or whose
 *           |    /    \  /\              /    \    workspace is: the cheapest few are tried
 *
 *     status = vdnn_opt_descend(own, &decisions, &limits, &fits);
 */

typedef struct vdnn_opt_limits {
    size_t device_bytes;       /* to descend to */
    const vdnn_opt_move *kept; /* what is decided by it stays; NULL: nothing */
    int most_moves;
    int most_helped;        /* of moves that help this many are compared */
    int64_t until;          /* this many trials, whatever patience there is; 0: as it allows */
    bool one_by_one;        /* a move at a time, which takes more trials and gets further */
    double most_seconds;    /* no further once the plan takes at least so long */
    double useless_seconds; /* no move with which it takes so long; 0: any */
    bool divides;           /* also by moves that recompute some parts of a map */
} vdnn_opt_limits;

/* Changes the decisions. *fits: by bounds, so that addresses may yet lose some bytes. */
vdnn_status vdnn_opt_descend(vdnn_opt_search *own, vdnn_decisions *decisions,
                             const vdnn_opt_limits *limits, bool *fits);

/* Descends until the plan fits with its addresses, and offers it, unless it cannot be better.
 * Changes the decisions. */
vdnn_status vdnn_opt_descend_from(vdnn_opt_search *own, vdnn_decisions *decisions);

/* ---- local search ---------------------------------------------------------------------------- */

/* Of a search that has found a plan: moves that may save time. */
vdnn_status vdnn_opt_climb(vdnn_opt_search *own);

/* Only moves that take memory that is free, so that no others have to be made: a map or parameters
 * are kept, a copy is hidden by more layers, an algorithm is faster. */
vdnn_status vdnn_opt_relax(vdnn_opt_search *own);

/* Which moves are drawn depends on own->walks, which grows by one. */
vdnn_status vdnn_opt_accept_late(vdnn_opt_search *own);

#endif
