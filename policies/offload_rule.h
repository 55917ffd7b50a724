#ifndef VDNN_POLICIES_OFFLOAD_RULE_H
#define VDNN_POLICIES_OFFLOAD_RULE_H

/* What the paper's policies have in common: which maps they offload, and when they prefetch them
 * (Rhu et al., MICRO 2016, sections III and IV).
 *
 * Threads: pure functions.
 *
 *     status = vdnn_offload_rule_decide(request, &VDNN_OFFLOAD_ALL, VDNN_ALGO_P, &decisions);
 */

#include "policies/policy.h"

/* Which layers' inputs are offloaded. */
typedef struct vdnn_offload_rule {
    bool selects[4];   /* by vdnn_role */
    double recomputes; /* under the lean rules: the share of the step that may be spent on
                          recomputing (policies/recompute.h); 0: none, 1: all that is cheap */
} vdnn_offload_rule;

extern const vdnn_offload_rule vdnn_offload_none, vdnn_offload_all, vdnn_offload_conv;

/* Maps selected by the rule are offloaded, all algorithms chosen by `mode`. The paper's memory
 * manager: release after last use, exact gradient maps, both streams joined at each layer that
 * copied. Under the lean rules copies are waited for where data or memory is needed, and updates
 * are fused. */
vdnn_status vdnn_offload_rule_decide(const vdnn_policy_request *request,
                                     const vdnn_offload_rule *rule, vdnn_algo_mode mode,
                                     vdnn_decisions *decisions);

/* Sets `returns` of every offloaded map, by the paper's findPrefetchLayer: where a search finds it,
 * else at the layer during which it was offloaded. */
vdnn_status vdnn_offload_rule_schedule_returns(const vdnn_graph *graph, vdnn_map_decision *maps);

/* Prefetches every offloaded map no later than during the layer `layers` before the first one
 * of backward that needs it (layers that come first in backward have the larger numbers). False: no
 * change. */
bool vdnn_offload_rule_prefetch_ahead(const vdnn_graph *graph, int32_t layers,
                                      vdnn_map_decision *maps);

#endif
