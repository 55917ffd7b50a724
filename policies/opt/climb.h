#ifndef VDNN_POLICIES_OPT_CLIMB_H
#define VDNN_POLICIES_OPT_CLIMB_H

/* Local search: each move is made on the best plan; if it then takes too many bytes, others are
 * made until it fits; what is better is the best from then on.
 *
 * Threads: one.
 *
 *     status = vdnn_opt_climb(own, VDNN_OPT_MOST_FIRST);     // until no move helps, or patience is
 * at its end
 */

#include "policies/opt/moves.h"

/* Which moves are tried: all, as the network has them, or those that may save time, those first
 * that save the most, about. */
typedef enum vdnn_opt_order { VDNN_OPT_IN_ORDER, VDNN_OPT_MOST_FIRST } vdnn_opt_order;

vdnn_status vdnn_opt_climb(vdnn_opt_search *own, vdnn_opt_order order);
vdnn_status vdnn_opt_climb_most_first(vdnn_opt_search *own);

/* Only moves that give back what was taken, where there is memory for it, so that no others have to
 * be made: a map or parameters are kept, a copy is hidden by more layers, an algorithm is faster.
 */
vdnn_status vdnn_opt_relax(vdnn_opt_search *own, vdnn_opt_order order);

/* Descends until the plan fits with its addresses, by so many moves at most, and offers it, unless
 * it cannot be better: *taken. What the move `kept` decides stays; NULL: nothing. Changes the
 * decisions. */
vdnn_status vdnn_opt_fit(vdnn_opt_search *own, vdnn_decisions *decisions, const vdnn_opt_move *kept,
                         int most_moves, bool *taken);

/* Likewise, by as many moves as it takes. */
vdnn_status vdnn_opt_climb_from(vdnn_opt_search *own, vdnn_decisions *decisions);

#endif
