#ifndef VDNN_POLICIES_OPT_SPECULATION_H
#define VDNN_POLICIES_OPT_SPECULATION_H

/* Speculative changes: one change makes the best plan faster but for the budget, which is then
 * repaired.
 *
 *     a map      kept, or offloaded, that is recomputed or offloaded
 *     a stretch  in other parts: each chain, each layer in none, chains around the slowest layers,
 *                and those up to the loss
 *
 *     bytes |        conv1 kept               one move, conv2 in 4 parts, one move, ...
 *           |  __--__                  ____
 *           | -      ------ budget ---      ---------------------- budget
 *
 * What is repaired is where the most is alive, by whatever costs the least for its bytes, a move or
 * one chain more: a chain alone makes nothing faster, and without one a large map does not fit.
 * Threads: one.
 *
 *     status = vdnn_opt_speculate(&request, 192, &best);
 */

#include "policies/opt/search.h"

/* Of a request that may cut, with this many trials of each change: takes the place of `best`,
 * whose plan fits, if there is a better one. */
vdnn_status vdnn_opt_speculate(const vdnn_policy_request *request, int64_t trials,
                               vdnn_opt_variant *best);

#endif
