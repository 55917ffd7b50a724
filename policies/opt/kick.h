#ifndef VDNN_POLICIES_OPT_KICK_H
#define VDNN_POLICIES_OPT_KICK_H

/* Iterated local search: where no single move makes the best plan better, a few moves at once may.
 * They are drawn, made, and the climb begins anew from there; the better of both plans is the best.
 *
 *     time |  \        kick
 *          |   \__     _/\
 *          |      \___/   \_
 *          |     local     \___ best
 *
 * Invariant: what is drawn depends on the trials before alone, so that of the same patience the
 * same decisions come. Threads: one.
 *
 *     status = vdnn_opt_climb(own, VDNN_OPT_MOST_FIRST);
 *     status = vdnn_opt_kick(own);     // until patience is at its end
 */

#include "policies/opt/search.h"

/* The best may get better. */
vdnn_status vdnn_opt_kick(vdnn_opt_search *own);

#endif
