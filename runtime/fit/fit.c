#include "runtime/fit/fit.h"

#include "runtime/fit/smallest_budget.h"
#include "runtime/measure/measured_profile.h"

enum { MAX_MICRO_BATCHES = 1024 };

void vdnn_fit_plans_fini(vdnn_fit_plans *plans)
{
    vdnn_plan_destroy(plans->training);
    vdnn_plan_destroy(plans->evaluation);
    *plans = (vdnn_fit_plans){0};
}

/* Nothing in it takes memory that is left: a smaller budget gives the same plan. */
static bool is_plain(const vdnn_plan *plan)
{
    return plan->copies != VDNN_WEIGHTS_KEPT && plan->loads == VDNN_LOADS_OWN &&
           plan->buckets.bytes == 0;
}

static vdnn_status take_least(const vdnn_fit_request *request, const vdnn_smallest_budget *least,
                              vdnn_fit_plans *plans)
{
    vdnn_fit_plans made = {0};
    VDNN_TRY(vdnn_smallest_budget_plan(request, least, &made));
    vdnn_fit_plans_fini(plans);
    *plans = made;
    return VDNN_OK;
}

/* Where the policy finds nothing under this budget: the first plan that fits on the way to its
 * smallest; on VDNN_NO_FIT the smallest. */
static vdnn_status look_further(const vdnn_fit_request *request, vdnn_fit_plans *plans)
{
    const size_t budget = request->setup->budget_bytes[VDNN_TIER_DEVICE];
    vdnn_first_error refusal = {VDNN_OK, ""};
    vdnn_smallest_budget least = {.bytes = 0};
    vdnn_first_error_keep(&refusal, VDNN_NO_FIT);
    vdnn_status status = vdnn_smallest_budget_find(request, budget, &least);
    if (status == VDNN_OK && least.bytes > 0 && least.bytes != plans->span_bytes[VDNN_TIER_DEVICE])
        status = take_least(request, &least, plans);
    if (status != VDNN_OK || (least.bytes > 0 && least.bytes <= budget))
        return status;
    plans->smallest_bytes = least.bytes;
    plans->is_smallest = true;
    return vdnn_first_error_tell(&refusal);
}

/* Whether the bytes of a plan are known to be enough for the policy, without a search. */
static vdnn_status is_known_to_fit(const vdnn_fit_request *request, bool *fits)
{
    vdnn_fit_request lean = *request;
    lean.policy = vdnn_policy_find("all");
    lean.algo = VDNN_ALGO_M;
    vdnn_status status = request->policy->is_static ? VDNN_NO_FIT : vdnn_attempt_is_enough(&lean);
    if (status == VDNN_NO_FIT)
        status = vdnn_attempt_is_enough(request);
    *fits = status == VDNN_OK;
    return status == VDNN_NO_FIT ? VDNN_OK : status;
}

/* By a plan that was searched for with patience a run is left that is to end. */
static bool is_to_end(const vdnn_fit_request *request)
{
    return vdnn_messages_interrupted(&request->setup->messages) != VDNN_OK;
}

/* A search may find a plan of less than the smallest budget, to which it would not come under a
 * budget of that plan's bytes. The plan then takes all of the smallest budget, so that what a plan
 * takes is always enough. Where its buffers cannot be moved, the smallest plan is taken. */
static vdnn_status raise_to_smallest(const vdnn_fit_request *request, vdnn_fit_plans *plans)
{
    size_t *bytes = &plans->span_bytes[VDNN_TIER_DEVICE];
    vdnn_setup setup = *request->setup;
    vdnn_fit_request within = *request;
    vdnn_smallest_budget least = {.bytes = 0};
    bool fits;
    within.setup = &setup;
    within.patience = NULL;
    within.last = NULL;
    setup.budget_bytes[VDNN_TIER_DEVICE] = *bytes;
    vdnn_status status = is_known_to_fit(&within, &fits);
    if (status == VDNN_OK && !fits)
        status = vdnn_smallest_budget_find(&within, *bytes, &least);
    if (status == VDNN_OK && least.bytes > *bytes &&
        least.bytes <= request->setup->budget_bytes[VDNN_TIER_DEVICE]) {
        if (!vdnn_plan_raise(plans->training, least.bytes))
            status = take_least(request, &least, plans);
        *bytes = least.bytes;
    }
    return is_to_end(request) ? VDNN_OK : status;
}

/* A custom policy finds what it finds. */
static bool may_be_raised(const vdnn_fit_request *request, const vdnn_plan *plan)
{
    const bool is_plain_static = request->policy->is_static && is_plain(plan);
    return request->policy->decide != NULL && !is_plain_static && !is_to_end(request);
}

vdnn_status vdnn_fit_plan(const vdnn_fit_request *request, vdnn_fit_plans *plans)
{
    vdnn_fit_plans fresh = {0};
    vdnn_status status =
        vdnn_attempt_plan(request, request->setup->budget_bytes[VDNN_TIER_DEVICE], &fresh);
    if (status == VDNN_OK && may_be_raised(request, fresh.training))
        status = raise_to_smallest(request, &fresh);
    else if (status == VDNN_NO_FIT)
        status = look_further(request, &fresh);
    if (status == VDNN_OK || status == VDNN_NO_FIT)
        *plans = fresh;
    else
        vdnn_fit_plans_fini(&fresh);
    return status;
}

vdnn_status vdnn_fit_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              size_t *bytes)
{
    vdnn_smallest_budget least = {.bytes = 0};
    if (plans->is_smallest) {
        *bytes = plans->smallest_bytes;
        return VDNN_OK;
    }
    if (request->policy->is_static && is_plain(plans->training)) {
        *bytes = plans->span_bytes[VDNN_TIER_DEVICE];
        return VDNN_OK;
    }
    vdnn_status status = vdnn_smallest_budget_find(request, 0, &least);
    if (status == VDNN_OK)
        *bytes = least.bytes;
    return status;
}

vdnn_status vdnn_fit_derive(const vdnn_setup *setup, const vdnn_graph_options *options,
                            vdnn_setup *derived)
{
    vdnn_setup made = *setup;
    made.graph = NULL;
    made.profile = NULL;
    made.variants = NULL;
    vdnn_status status = vdnn_graph_create(setup->model, options, &made.graph);
    VDNN_IF_OK(status, setup->properties.simulated
                           ? vdnn_measured_profile_create(made.graph, setup->device, setup->store,
                                                          NULL, &made.profile)
                           : vdnn_derived_profile_scale(setup->profile, setup->graph, made.graph,
                                                        setup->device, &made.profile));
    if (status == VDNN_OK && vdnn_setup_variants_are_free(setup->variants))
        status = vdnn_setup_variants_create(&made, NULL, &made.variants);
    if (status == VDNN_OK)
        *derived = made;
    else
        vdnn_fit_derived_end(&made);
    return status;
}

void vdnn_fit_derived_end(vdnn_setup *derived)
{
    vdnn_setup_variants_destroy(derived->variants);
    vdnn_profile_destroy(derived->profile);
    vdnn_graph_destroy(derived->graph);
}

/* Of the setup in which it is. */
typedef vdnn_status take(const vdnn_fit_request *request, vdnn_fit_outcome *outcome);

static vdnn_status take_plan(const vdnn_fit_request *request, vdnn_fit_outcome *outcome)
{
    vdnn_fit_plans plans = {0};
    vdnn_status status = vdnn_fit_plan(request, &plans);
    if (status == VDNN_OK)
        *outcome =
            (vdnn_fit_outcome){true, plans.span_bytes[VDNN_TIER_DEVICE],
                               plans.training->step_seconds, plans.training->oracle_step_seconds};
    vdnn_fit_plans_fini(&plans);
    return status == VDNN_NO_FIT ? VDNN_OK : status;
}

/* Whether the policy finds a plan under the budget, and nothing else. */
static vdnn_status take_attempt(const vdnn_fit_request *request, vdnn_fit_outcome *outcome)
{
    vdnn_status fits = vdnn_attempt_is_enough(request);
    outcome->fits = fits == VDNN_OK;
    return fits == VDNN_NO_FIT ? VDNN_OK : fits;
}

/* Whether there is a plan, also one that the policy finds under another budget. */
static vdnn_status take_fit(const vdnn_fit_request *request, vdnn_fit_outcome *outcome)
{
    const size_t budget = request->setup->budget_bytes[VDNN_TIER_DEVICE];
    vdnn_smallest_budget least = {.bytes = 0};
    vdnn_status status = take_attempt(request, outcome);
    if (status != VDNN_OK || outcome->fits)
        return status;
    status = vdnn_smallest_budget_find(request, budget, &least);
    outcome->fits = status == VDNN_OK && least.bytes > 0 && least.bytes <= budget;
    return status;
}

static vdnn_status take_as(const vdnn_fit_request *request, const vdnn_graph_options *options,
                           take *by, vdnn_fit_outcome *outcome)
{
    vdnn_setup derived;
    vdnn_fit_request other = *request;
    *outcome = (vdnn_fit_outcome){0};
    if (options->batch < options->micro_batches)
        return VDNN_OK;
    vdnn_status status = vdnn_fit_derive(request->setup, options, &derived);
    if (status == VDNN_BAD_INPUT) /* such a batch is too small for the network */
        return VDNN_OK;
    if (status != VDNN_OK)
        return status;
    other.setup = &derived;
    other.planning = NULL; /* which is of the setup's graph */
    status = by(&other, outcome);
    vdnn_fit_derived_end(&derived);
    return status;
}

vdnn_status vdnn_fit_as(const vdnn_fit_request *request, const vdnn_graph_options *options,
                        vdnn_fit_outcome *outcome)
{
    return take_as(request, options, take_plan, outcome);
}

/* Whether the run fits with another batch, or another number of micro-batches. */
static vdnn_status fits_as(const vdnn_fit_request *request, take *by,
                           const vdnn_graph_options *options, bool *fits)
{
    vdnn_fit_request quick = *request;
    vdnn_fit_outcome outcome;
    quick.patience = NULL;
    vdnn_status status = take_as(&quick, options, by, &outcome);
    *fits = status == VDNN_OK && outcome.fits;
    return status;
}

/* ---- the largest batch ----------------------------------------------------------------------- */

static vdnn_status batch_fits(const vdnn_fit_request *request, take *by, int64_t batch, bool *fits)
{
    vdnn_graph_options options = vdnn_graph_asked(request->setup->graph);
    options.batch = batch;
    return fits_as(request, by, &options, fits);
}

/* Between one that fits, or 0, and one that does not. */
static vdnn_status bisect_batch(const vdnn_fit_request *request, take *by, int64_t too_large,
                                int64_t *fit)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && too_large - *fit > 1) {
        const int64_t middle = *fit + (too_large - *fit) / 2;
        bool fits;
        status = batch_fits(request, by, middle, &fits);
        *(fits ? fit : &too_large) = middle;
    }
    return status;
}

/* From one that fits, or 0, in ever longer steps to one that is found not to: the graph of a batch
 * that is larger than any memory cannot be made, so there is one. */
static vdnn_status grow_batch(const vdnn_fit_request *request, take *by, int64_t step, int64_t *fit)
{
    int64_t too_large = *fit + step;
    bool fits;
    vdnn_status status = batch_fits(request, by, too_large, &fits);
    while (status == VDNN_OK && fits) {
        *fit = too_large;
        too_large += step *= 2;
        status = batch_fits(request, by, too_large, &fits);
    }
    return status == VDNN_OK ? bisect_batch(request, by, too_large, fit) : status;
}

/* By what the policy finds under the budget, from which it is not far. */
vdnn_status vdnn_fit_largest_batch(const vdnn_fit_request *request, int64_t *largest)
{
    int64_t fit = 0;
    if (request->setup->properties.recorded) {
        *largest = 0;
        return VDNN_OK;
    }
    vdnn_status status = grow_batch(request, take_attempt, request->setup->graph->batch, &fit);
    VDNN_IF_OK(status, grow_batch(request, take_fit, 1, &fit));
    if (status == VDNN_OK)
        *largest = fit;
    return status;
}

/* ---- the fewest micro-batches ---------------------------------------------------------------- */

static vdnn_status fits_in(const vdnn_fit_request *request, take *by, int32_t count, bool *fits)
{
    vdnn_graph_options options = vdnn_graph_asked(request->setup->graph);
    options.micro_batches = count;
    return fits_as(request, by, &options, fits);
}

/* From *count up in ever longer steps, to the first number that is found to fit, above one that
 * does not; of the largest, whether it fits. */
static vdnn_status step_up(const vdnn_fit_request *request, int32_t most, int32_t *too_few,
                           int32_t *count, bool *fits)
{
    vdnn_status status = fits_in(request, take_attempt, *count, fits);
    for (int32_t by = 1; status == VDNN_OK && !*fits && *count < most; by *= 2) {
        *too_few = *count;
        *count = *count < most - by ? *count + by : most;
        status = fits_in(request, take_attempt, *count, fits);
    }
    return status;
}

/* Likewise down from one that fits, to one above a number that does not. */
static vdnn_status step_down(const vdnn_fit_request *request, int32_t *too_few, int32_t *count)
{
    bool fits = true;
    vdnn_status status = VDNN_OK;
    for (int32_t by = 1; status == VDNN_OK && fits && *count - *too_few > 1; by *= 2) {
        const int32_t fewer = *count - by > *too_few ? *count - by : *too_few + 1;
        status = fits_in(request, take_attempt, fewer, &fits);
        *(fits ? count : too_few) = fewer;
    }
    return status;
}

/* As long as one fewer fits by any plan; where none was found, whether the most do. */
static vdnn_status find_fewer(const vdnn_fit_request *request, int32_t *count, bool *any)
{
    bool fewer = true;
    vdnn_status status = *any ? VDNN_OK : fits_in(request, take_fit, *count, any);
    while (status == VDNN_OK && *any && fewer && *count > 1) {
        status = fits_in(request, take_fit, *count - 1, &fewer);
        *count -= fewer;
    }
    return status;
}

vdnn_status vdnn_fit_fewest_micro_batches(const vdnn_fit_request *request, int32_t likely,
                                          int32_t *count, bool *fits)
{
    const int64_t batch = vdnn_graph_asked(request->setup->graph).batch;
    const int32_t most = batch < MAX_MICRO_BATCHES ? (int32_t)batch : MAX_MICRO_BATCHES;
    int32_t too_few = 0, enough = likely < 1 ? 1 : likely < most ? likely : most;
    bool any = false;
    vdnn_status status = step_up(request, most, &too_few, &enough, &any);
    if (status == VDNN_OK && any && too_few == 0)
        status = step_down(request, &too_few, &enough);
    while (status == VDNN_OK && any && enough - too_few > 1) {
        const int32_t middle = too_few + (enough - too_few) / 2;
        bool middle_fits = false;
        status = fits_in(request, take_attempt, middle, &middle_fits);
        *(middle_fits ? &enough : &too_few) = middle;
    }
    VDNN_IF_OK(status, find_fewer(request, &enough, &any));
    if (status != VDNN_OK)
        return status;
    *count = enough;
    *fits = any;
    return VDNN_OK;
}
