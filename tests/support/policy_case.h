#ifndef VDNN_TESTS_SUPPORT_POLICY_CASE_H
#define VDNN_TESTS_SUPPORT_POLICY_CASE_H

/* A network with a policy's input: synthetic algorithms that are the same everywhere, and unlimited
 * budgets.
 *
 *     vdnn_policy_case c;
 *     vdnn_policy_case_open(&c, text, &graph_options, VDNN_ALGO_P);
 *     vdnn_decisions decisions = vdnn_policy_case_decide(&c, "conv");
 *     vdnn_policy_case_close(&c);
 */

#include "tests/support/policy_ask.h"

typedef struct vdnn_policy_case {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_policy_ask request;
} vdnn_policy_case;

/* Fails the test where the text is no network. */
void vdnn_policy_case_open(vdnn_policy_case *c, const char *text, const vdnn_graph_options *options,
                           vdnn_algo_mode algo);
void vdnn_policy_case_close(vdnn_policy_case *c);

/* What a built-in policy decides; the caller's to free, as from the policy. */
vdnn_decisions vdnn_policy_case_decide(const vdnn_policy_case *c, const char *policy);

#endif
