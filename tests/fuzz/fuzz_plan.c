/* From a network file to a proven plan: whatever network is read and shaped, every policy's plan of
 * it passes the checker, or does not fit. The first three bytes choose the policy, the budget and
 * the rules; the rest is the file. */

#include "policies/registry.h"
#include "runtime/checker/checker.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/policy_ask.h"
#include "tests/support/test_profile.h"

enum { MOST_LAYERS = 10 };

static const vdnn_layout layouts[] = {VDNN_NCHW, VDNN_NHWC, VDNN_NCHW16C};

static vdnn_status check_text(const vdnn_plan *plan)
{
    vdnn_text text = {0};
    vdnn_status status = vdnn_plan_print(plan, &text);
    VDNN_FUZZ_CHECK(status != VDNN_OK || text.length > 0);
    vdnn_text_fini(&text);
    return status;
}

static void plan_all(const vdnn_graph *graph, const uint8_t *choice)
{
    vdnn_plan *plan = NULL;
    vdnn_profile *profile = NULL;
    VDNN_FUZZ_CHECK(vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile) == VDNN_OK);
    const vdnn_policy *policy = vdnn_policy_at(choice[0] % vdnn_policy_count());
    vdnn_policy_ask request = {
        .graph = graph,
        .profile = profile,
        .algo = choice[2] % 2 ? VDNN_ALGO_M : VDNN_ALGO_P,
        .budget_bytes = {(size_t)1 << choice[1] % 63, (size_t)1 << choice[1] / 4}};
    vdnn_status status = vdnn_policy_ask_plan(policy, &request, &plan, NULL);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT | 1U << VDNN_NO_FIT);
    if (plan != NULL) {
        const size_t *budget = status == VDNN_OK ? request.budget_bytes : vdnn_tier_unlimited;
        VDNN_FUZZ_CHECK(vdnn_checker_check(plan, budget) == VDNN_OK);
        VDNN_FUZZ_CHECK(check_text(plan) == VDNN_OK);
    }
    VDNN_FUZZ_CHECK(status != VDNN_OK || plan != NULL);
    vdnn_plan_destroy(plan);
    vdnn_profile_destroy(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { CHOICES = 3 };
    if (size < CHOICES)
        return 0;
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    vdnn_graph_options options = {.rules = data[2] & 2 ? VDNN_RULES_LEAN : VDNN_RULES_PAPER,
                                  .dtype = data[2] & 4 ? VDNN_BF16 : VDNN_F32,
                                  .preferred = layouts[data[2] / 8 % 3]};
    vdnn_fuzz_begin();
    vdnn_status status =
        vdnn_model_parse((const char *)data + CHOICES, size - CHOICES, "net.yaml", &model);
    if (status == VDNN_OK && model->layer_count <= MOST_LAYERS)
        status = vdnn_graph_create(model, &options, &graph);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (graph != NULL)
        plan_all(graph, data);
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
    return vdnn_fuzz_end();
}
