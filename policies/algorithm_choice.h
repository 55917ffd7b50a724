#ifndef VDNN_POLICIES_ALGORITHM_CHOICE_H
#define VDNN_POLICIES_ALGORITHM_CHOICE_H

/* Which algorithm computes which pass.
 *
 * Threads: pure functions.
 *
 *     status = vdnn_algorithm_choice(request, VDNN_ALGO_P, &decisions);
 */

#include "policies/policy.h"

/* Fills decisions->choice. m: the least workspace. p: the fastest; under the lean rules a hundredth
 * of the step is traded for memory, where it saves the most bytes of workspace (a measurement
 * cannot resolve such small differences, and without this rule 100 MiB may depend on half a
 * millisecond).
 */
vdnn_status vdnn_algorithm_choice(const vdnn_policy_request *request, vdnn_algo_mode mode,
                                  vdnn_decisions *decisions);

/* "m" or "p". */
const char *vdnn_algorithm_choice_text(vdnn_algo_mode mode);

#endif
