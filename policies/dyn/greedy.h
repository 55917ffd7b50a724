#ifndef VDNN_POLICIES_DYN_GREEDY_H
#define VDNN_POLICIES_DYN_GREEDY_H

/* The greedy pass of dyn: what a candidate offloads, with the fastest algorithm of each layer whose
 * workspace fits in the memory that is left while the layer runs.
 *
 *     bytes | target ------------------------------------   shrinks by what packing lost
 *           |   |  |   workspace |
 *           | live |-- live -----|-- live --
 *
 * Threads: pure functions.
 *
 *     bool found;
 *     status = vdnn_dyn_greedy_decide(request, candidate, HUGE_VAL, &decisions, &found);
 */

#include "policies/dyn/candidates.h"

/* *found: the plan of *decisions fits. Not looked for where the kernels alone would take
 * `most_seconds`. */
vdnn_status vdnn_dyn_greedy_decide(const vdnn_policy_request *request,
                                   const vdnn_dyn_candidate *candidate, double most_seconds,
                                   vdnn_decisions *decisions, bool *found);

#endif
