#ifndef VDNN_POLICIES_OPT_COPIES_H
#define VDNN_POLICIES_OPT_COPIES_H

/* Which layers hide the copies of offloaded maps: those that run while the copy does, or as many as
 * the copies of other maps on the same link require too.
 *
 *     compute  | conv1 | relu1 | conv2       | pool2 | ...
 *     link     |       | conv1     | relu1     | conv2 ...
 *                                  ^ conv1 leaves after conv2, not after relu1
 *
 * Threads: pure functions.
 *
 *     int32_t leaves = vdnn_opt_copies_leave_queued(own, &decisions, map);
 */

#include "policies/opt/search.h"

double vdnn_opt_copies_out_seconds(const vdnn_opt_search *own, size_t bytes);
double vdnn_opt_copies_in_seconds(const vdnn_opt_search *own, size_t bytes);

/* The layers by whose forward, and during whose backward, a map is copied if layers of so many
 * times the copy's seconds hide it. */
int32_t vdnn_opt_copies_leave(const vdnn_opt_search *own, int32_t map, double times);
int32_t vdnn_opt_copies_return(const vdnn_opt_search *own, int32_t map, double times);

/* Of a map within a chain: in pieces, each copied while the next two parts of the chain, or the two
 * before, are computed. */
vdnn_map_decision vdnn_opt_copies_beside_parts(const vdnn_opt_search *own,
                                               const vdnn_decisions *decisions, int32_t map);

/* Notes what some decisions copy: of these are the two that follow, as the map's copy is behind
 * those that begin before it, in backward ahead of those that are needed after it.
 * *exposed_seconds, if it is not NULL: of its copy and those on whose account it waits, what all
 * layers leave. A map that nothing needs returns as one that the first layer needs. */
void vdnn_opt_copies_note(vdnn_opt_search *own, const vdnn_decisions *decisions);
int32_t vdnn_opt_copies_leave_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                     int32_t map, double *exposed_seconds);
int32_t vdnn_opt_copies_return_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                      int32_t map, double *exposed_seconds);

/* All that is copied as a whole leaves and returns so. */
void vdnn_opt_copies_queue(vdnn_opt_search *own, vdnn_decisions *made);

#endif
