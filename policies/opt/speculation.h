#ifndef VDNN_POLICIES_OPT_SPECULATION_H
#define VDNN_POLICIES_OPT_SPECULATION_H

/* Speculative changes: a change that would make the best plan faster is made although the plan then
 * exceeds the budget, and the plan is repaired.
 *
 *     a map      that is offloaded is kept; one that is recomputed is kept or offloaded
 *     a stretch  of layers runs in other parts: a chain, a layer in no chain, a new chain around
 * one of the slowest layers or up to the loss
 *
 *     bytes |        conv1 kept               one move, conv2 in 4 parts, one move, ...
 *           |  __--__                  ____
 *           | -      ------ budget ---      ---------------------- budget
 *
 * A repair frees memory at the live peak, by the move or the one more chain that costs the least
 * time for each byte. Both are required: a chain alone makes no plan faster, and without a chain a
 * large map does not fit. Threads: one.
 *
 *     status = vdnn_opt_speculate(&request, 192, &best);
 */

#include "policies/opt/search.h"

/* Replaces `best`, whose plan fits, by a better variant if a change leads to one. Each change takes
 * at most this many trials. The request may cut. */
vdnn_status vdnn_opt_speculate(const vdnn_policy_request *request, int64_t trials,
                               vdnn_opt_variant *best);

#endif
