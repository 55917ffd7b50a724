#include "tests/support/policy_case.h"

#include "policies/registry.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

void vdnn_policy_case_open(vdnn_policy_case *c, const char *text, const vdnn_graph_options *options,
                           vdnn_algo_mode algo)
{
    vdnn_model *model;
    assert_ok(vdnn_model_parse(text, strlen(text), "small.yaml", &model));
    assert_ok(vdnn_graph_create(model, options, &c->graph));
    vdnn_model_destroy(model);
    assert_ok(vdnn_test_profile_of(c->graph, VDNN_TEST_ROWS_FAKE, &c->profile));
    c->request = (vdnn_policy_ask){.graph = c->graph,
                                   .profile = c->profile,
                                   .algo = algo,
                                   .budget_bytes = {SIZE_MAX / 2, SIZE_MAX / 2}};
}

void vdnn_policy_case_close(vdnn_policy_case *c)
{
    vdnn_profile_destroy(c->profile);
    vdnn_graph_destroy(c->graph);
}

vdnn_decisions vdnn_policy_case_decide(const vdnn_policy_case *c, const char *policy)
{
    vdnn_decisions decisions;
    const vdnn_policy_request request = {.planning = vdnn_policy_ask_planning(&c->request),
                                         .algo = c->request.algo};
    assert_non_null(request.planning);
    assert_ok(vdnn_policy_find(policy)->decide(&request, &decisions));
    vdnn_planning_destroy(request.planning);
    return decisions;
}
