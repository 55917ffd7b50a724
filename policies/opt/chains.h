#ifndef VDNN_POLICIES_OPT_CHAINS_H
#define VDNN_POLICIES_OPT_CHAINS_H

/* Which layers are chained, part by part: those around the one where the most bytes are alive, from
 * a layer with a small input to one with a small output.
 *
 *     bytes of maps  |          conv1_1  conv1_2  pool1   conv2_1
 *                    | input    _______  _______
 *                    | ____     |     |  |     |  _____
 *                    |    |_____|     |__|     |__|   |
 *                          [ ------ a chain ------- ]       inside: one part at a time
 *
 * Threads: pure functions.
 *
 *     status = vdnn_opt_chains_choose(request, &stage, &decisions, &cut, &found);
 */

#include "policies/opt/stage.h"

/* Of a request with variants, and decisions over the network of a stage: sets *cut to the stage's
 * with one chain more: of those that take something of what is alive near the peak, the one that
 * takes the most for each of its steps; *found: there is one. A chain takes the place of those that
 * it shares layers with. It depends on no budget. */
vdnn_status vdnn_opt_chains_choose(const vdnn_policy_request *request, vdnn_opt_stage *stage,
                                   const vdnn_decisions *decisions, vdnn_opt_cut *cut, bool *found);

#endif
