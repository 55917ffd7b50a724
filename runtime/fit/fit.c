#include "runtime/fit/fit.h"

#include "runtime/base/text.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/planner/planner.h"
#include "runtime/setup/policy_plan.h"

#include <stdint.h>
#include <string.h>

enum { MAX_DESCENT = 64, MAX_BATCH = 1 << 20 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void vdnn_fit_plans_fini(vdnn_fit_plans *plans)
{
    vdnn_plan_destroy(plans->training);
    vdnn_plan_destroy(plans->evaluation);
    *plans = (vdnn_fit_plans){0};
}

/* Plans for any graph, profile and device budget; the host's budget is the setup's. */
static vdnn_status plan_for(const vdnn_fit_request *request, const vdnn_graph *graph,
                            const vdnn_profile *profile, size_t device_bytes, vdnn_fit_plans *plans)
{
    vdnn_fit_plans fresh = {0};
    vdnn_policy_request ask = {.graph = graph,
                               .profile = profile,
                               .algo = request->algo,
                               .device_bytes = device_bytes,
                               .host_bytes = request->setup->host_bytes};
    vdnn_status status = vdnn_policy_plan(request->policy, &ask, &fresh.training);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    fresh.arena_bytes = fresh.training->arena_bytes;
    fresh.host_bytes = fresh.training->host_arena_bytes;
    if (request->tests) {
        vdnn_status planned =
            vdnn_planner_plan_evaluation(graph, profile, fresh.training, &fresh.evaluation);
        if (planned != VDNN_OK) {
            vdnn_fit_plans_fini(&fresh);
            return planned;
        }
        fresh.arena_bytes = larger(fresh.arena_bytes, fresh.evaluation->arena_bytes);
        fresh.host_bytes = larger(fresh.host_bytes, fresh.evaluation->host_arena_bytes);
    }
    if (status == VDNN_OK &&
        (fresh.arena_bytes > device_bytes || fresh.host_bytes > ask.host_bytes))
        status = vdnn_status_fail(VDNN_NO_FIT, "the evaluation does not fit the budget");
    *plans = fresh;
    return status;
}

vdnn_status vdnn_fit_plan(const vdnn_fit_request *request, vdnn_fit_plans *plans)
{
    const vdnn_setup *setup = request->setup;
    return plan_for(request, setup->graph, setup->profile, setup->device_bytes, plans);
}

/* What a run needs with this much device memory; VDNN_NO_FIT as vdnn_fit_plan. */
static vdnn_status need_under(const vdnn_fit_request *request, size_t device_bytes, size_t *need)
{
    vdnn_fit_plans plans = {0};
    vdnn_status status =
        plan_for(request, request->setup->graph, request->setup->profile, device_bytes, &plans);
    if (status == VDNN_OK || status == VDNN_NO_FIT) {
        *need = plans.arena_bytes;
        vdnn_fit_plans_fini(&plans);
    }
    return status;
}

/* A dynamic policy's plan may get smaller with its budget, so the budget is reduced to the size of
 * the last plan, or by a byte, until none fits. */
static vdnn_status descend(const vdnn_fit_request *request, size_t need, size_t *refused,
                           size_t *enough)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; status == VDNN_OK && i < MAX_DESCENT; i++) {
        size_t below = need < *enough ? need : *enough - 1;
        status = need_under(request, below, &need);
        *(status == VDNN_OK ? enough : refused) = below;
    }
    return status;
}

/* A plan may take less than the least budget under which it is found: the limit is in between. */
static vdnn_status narrow(const vdnn_fit_request *request, size_t refused, size_t *enough)
{
    while (*enough > refused + 1) {
        size_t middle = refused + (*enough - refused) / 2, need;
        vdnn_status status = need_under(request, middle, &need);
        if (status != VDNN_OK && status != VDNN_NO_FIT)
            return status;
        *(status == VDNN_OK ? enough : &refused) = middle;
    }
    return VDNN_OK;
}

/* Its decisions are the same under every budget, but for what takes memory that is left. */
static vdnn_status smallest_static(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                                   size_t *bytes)
{
    size_t need = plans->arena_bytes;
    VDNN_INVARIANT(plans->training != NULL, ==, true);
    if (plans->training->copies == VDNN_WEIGHTS_KEPT ||
        plans->training->loads == VDNN_LOADS_AHEAD) {
        vdnn_status status = need_under(request, 0, &need);
        if (status != VDNN_OK && status != VDNN_NO_FIT)
            return status;
    }
    *bytes = plans->host_bytes <= request->setup->host_bytes ? need : 0;
    return VDNN_OK;
}

vdnn_status vdnn_fit_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              size_t *bytes)
{
    if (request->policy->is_static)
        return smallest_static(request, plans, bytes);
    size_t need = 0, enough = 0, refused = 0;
    vdnn_status status = need_under(request, 0, &need);
    if (status == VDNN_NO_FIT)
        status = need_under(request, enough = need, &need);
    if (status == VDNN_NO_FIT)
        status = need_under(request, enough = SIZE_MAX / 4, &need);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    if (status == VDNN_OK)
        status = descend(request, need, &refused, &enough);
    else
        enough = 0;
    if (status == VDNN_OK || status == VDNN_NO_FIT)
        status = narrow(request, refused, &enough);
    if (status == VDNN_OK)
        *bytes = enough;
    return status;
}

/* Whether a run fits does not depend on measured times: a dynamic policy falls back on the leanest
 * algorithms. */
static bool is_certain(const vdnn_policy *policy, vdnn_algo_mode algo)
{
    return !policy->is_static || algo == VDNN_ALGO_M;
}

/* Whether the first fits more certainly than the best so far, or as certainly and faster. */
static bool is_better(const vdnn_fit_request *request, double step_seconds,
                      const vdnn_fit_advice *advice, double best_seconds)
{
    if (advice->policy == NULL)
        return true;
    bool certain = is_certain(request->policy, request->algo);
    if (certain != is_certain(advice->policy, advice->algo))
        return certain;
    return step_seconds < best_seconds;
}

static vdnn_status find_policy(const vdnn_fit_request *request, vdnn_fit_advice *advice)
{
    double seconds = 0.0;
    for (size_t i = 0; i < vdnn_policy_count(); i++) {
        const vdnn_policy *policy = vdnn_policy_at(i);
        for (int mode = VDNN_ALGO_M; mode <= (policy->is_static ? VDNN_ALGO_P : VDNN_ALGO_M);
             mode++) {
            vdnn_fit_plans plans = {0};
            vdnn_fit_request other = *request;
            other.policy = policy;
            other.algo = policy->is_static ? (vdnn_algo_mode)mode : VDNN_ALGO_P;
            vdnn_status status = vdnn_fit_plan(&other, &plans);
            if (status != VDNN_OK && status != VDNN_NO_FIT)
                return status;
            VDNN_INVARIANT(plans.training != NULL, ==, true);
            double step = plans.training->step_seconds;
            vdnn_fit_plans_fini(&plans);
            if (status == VDNN_NO_FIT || !is_better(&other, step, advice, seconds))
                continue;
            seconds = step;
            advice->policy = policy;
            advice->algo = other.algo;
        }
    }
    return VDNN_OK;
}

static vdnn_status batch_fits(const vdnn_fit_request *request, int64_t batch, bool *fits)
{
    const vdnn_setup *setup = request->setup;
    vdnn_graph *graph = NULL;
    vdnn_profile *scaled = NULL;
    vdnn_fit_plans plans = {0};
    vdnn_graph_options options = vdnn_graph_asked(setup->graph);
    options.batch = batch;
    vdnn_status status = vdnn_graph_create(setup->model, &options, &graph);
    if (status == VDNN_BAD_INPUT) { /* such a batch is too small for the network */
        *fits = false;
        return VDNN_OK;
    }
    if (status == VDNN_OK)
        status =
            setup->properties.simulated
                ? vdnn_measured_profile_create(graph, setup->device, setup->store, NULL, &scaled)
                : vdnn_derived_profile_scale(setup->profile, setup->graph, graph, setup->device,
                                             &scaled);
    if (status == VDNN_OK)
        status = plan_for(request, graph, scaled, setup->device_bytes, &plans);
    if (status == VDNN_OK || status == VDNN_NO_FIT) {
        *fits = status == VDNN_OK;
        status = VDNN_OK;
    }
    vdnn_fit_plans_fini(&plans);
    vdnn_profile_destroy(scaled);
    vdnn_graph_destroy(graph);
    return status;
}

/* The first batch that is found not to fit, above one that does. */
static vdnn_status double_batch(const vdnn_fit_request *request, int64_t *fit, int64_t *too_large)
{
    bool fits = true;
    while (fits && *fit < MAX_BATCH) {
        *too_large = 2 * *fit;
        vdnn_status status = batch_fits(request, *too_large, &fits);
        if (status != VDNN_OK)
            return status;
        if (fits)
            *fit = *too_large;
    }
    return VDNN_OK;
}

vdnn_status vdnn_fit_largest_batch(const vdnn_fit_request *request, int64_t *largest)
{
    int64_t fit = 0, too_large = request->setup->graph->batch;
    bool fits;
    if (request->setup->properties.recorded) {
        *largest = 0;
        return VDNN_OK;
    }
    vdnn_status status = batch_fits(request, too_large, &fits);
    if (status == VDNN_OK && fits) {
        fit = too_large;
        status = double_batch(request, &fit, &too_large);
    }
    while (status == VDNN_OK && too_large - fit > 1) {
        int64_t middle = fit + (too_large - fit) / 2;
        status = batch_fits(request, middle, &fits);
        *(fits ? &fit : &too_large) = middle;
    }
    if (status == VDNN_OK)
        *largest = fit;
    return status;
}

static void add_need(vdnn_text *text, const char *tier, const char *option, size_t need,
                     size_t budget)
{
    char a[32], b[32];
    vdnn_text_add(text,
                  "\n  it needs %zu bytes (%s) of %s memory; the budget (%s) is %zu bytes (%s)",
                  need, vdnn_text_bytes(a, sizeof a, (double)need), tier, option, budget,
                  vdnn_text_bytes(b, sizeof b, (double)budget));
}

/* The smallest budget of each policy: if none fits, the smallest of these is the advice. */
static vdnn_status add_smallest(const vdnn_fit_request *request, vdnn_text *text)
{
    vdnn_text_add(text, "\n"
                        "  no policy fits this budget; the smallest --device-mem of each:");
    for (size_t i = 0; i < vdnn_policy_count(); i++) {
        char people[32];
        size_t bytes = 0;
        vdnn_fit_plans plans = {0};
        vdnn_fit_request other = *request;
        other.policy = vdnn_policy_at(i);
        other.algo = other.policy->is_static ? VDNN_ALGO_M : VDNN_ALGO_P;
        vdnn_status status = vdnn_fit_plan(&other, &plans);
        if (status == VDNN_OK || status == VDNN_NO_FIT)
            status = vdnn_fit_smallest(&other, &plans, &bytes);
        vdnn_fit_plans_fini(&plans);
        if (status != VDNN_OK)
            return status;
        vdnn_text_add(text, "\n    --policy %s%s: ", other.policy->name,
                      other.policy->is_static ? " --algo m" : "");
        if (bytes > 0)
            vdnn_text_add(text, "%zu (%s)", bytes,
                          vdnn_text_bytes(people, sizeof people, (double)bytes));
        else
            vdnn_text_add(text, "none under this --host-mem");
    }
    return VDNN_OK;
}

static vdnn_status describe(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                            const vdnn_fit_advice *advice, vdnn_text *text)
{
    const vdnn_setup *setup = request->setup;
    bool dynamic = !request->policy->is_static, host_short = plans->host_bytes > setup->host_bytes;
    char people[32];
    vdnn_text_add(text, "%s with batch %lld does not fit under policy %s%s", setup->graph->name,
                  (long long)setup->graph->batch, request->policy->name,
                  dynamic                        ? ""
                  : request->algo == VDNN_ALGO_M ? " --algo m"
                                                 : " --algo p");
    if (plans->arena_bytes > setup->device_bytes)
        add_need(text, "device", "--device-mem", plans->arena_bytes, setup->device_bytes);
    if (host_short)
        add_need(text, "pinned host", "--host-mem", plans->host_bytes, setup->host_bytes);
    if (advice->smallest_bytes > 0)
        vdnn_text_add(text, "\n  smallest budget of this policy: --device-mem %zu (%s)",
                      advice->smallest_bytes,
                      vdnn_text_bytes(people, sizeof people, (double)advice->smallest_bytes));
    else
        vdnn_text_add(text, "\n  smallest budgets of this policy: --device-mem %zu --host-mem %zu",
                      plans->arena_bytes, plans->host_bytes);
    vdnn_status status = VDNN_OK;
    if (advice->policy == NULL)
        status = add_smallest(request, text);
    else
        vdnn_text_add(text, "\n  a policy that fits this budget: --policy %s%s",
                      advice->policy->name,
                      !advice->policy->is_static    ? ""
                      : advice->algo == VDNN_ALGO_M ? " --algo m"
                                                    : " --algo p");
    if (advice->largest_batch > 0)
        vdnn_text_add(text, "\n  the largest batch that fits: --batch %lld%s",
                      (long long)advice->largest_batch, dynamic ? "" : " --algo m");
    else if (!setup->properties.recorded) /* whose times are of one batch */
        vdnn_text_add(text, "\n  no batch fits this budget under this policy");
    if (!is_certain(request->policy, request->algo))
        vdnn_text_add(text, "\n"
                            "  --algo p chooses by measured times, so its smallest budget varies "
                            "with them: --profile FILE keeps them");
    return status;
}

vdnn_status vdnn_fit_explain(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                             vdnn_fit_advice *advice)
{
    vdnn_fit_advice fresh = {0};
    vdnn_text text = {0};
    vdnn_status status = vdnn_fit_smallest(request, plans, &fresh.smallest_bytes);
    if (status == VDNN_OK)
        status = find_policy(request, &fresh);
    vdnn_fit_request certain = *request;
    certain.algo = VDNN_ALGO_M;
    if (status == VDNN_OK)
        status = vdnn_fit_largest_batch(&certain, &fresh.largest_batch);
    if (status == VDNN_OK)
        status = describe(request, plans, &fresh, &text);
    if (status == VDNN_OK) {
        *advice = fresh;
        status = vdnn_status_fail(VDNN_NO_FIT, "%s",
                                  text.failed ? "it does not fit the budget" : text.data);
    }
    vdnn_text_fini(&text);
    return status;
}
