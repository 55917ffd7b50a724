#include "runtime/fit/fit.h"

#include "runtime/measure/measured_profile.h"
#include "runtime/planner/answers.h"
#include "runtime/planner/planner.h"
#include "runtime/setup/policy_plan.h"

#include <stdint.h>
#include <string.h>

enum { MAX_DESCENT = 64, MAX_BATCH = 1 << 20, MAX_MICRO_BATCHES = 1024 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

const char *vdnn_fit_option(vdnn_tier tier)
{
    static const char *const options[VDNN_TIER_COUNT] = {[VDNN_TIER_DEVICE] = "--device-mem",
                                                         [VDNN_TIER_HOST] = "--host-mem",
                                                         [VDNN_TIER_FILE] = "--disk-mem"};
    return options[tier];
}

void vdnn_fit_plans_fini(vdnn_fit_plans *plans)
{
    vdnn_plan_destroy(plans->training);
    vdnn_plan_destroy(plans->evaluation);
    *plans = (vdnn_fit_plans){0};
}

static bool is_stopped(const void *argument)
{
    return vdnn_messages_interrupted(argument) != VDNN_OK;
}

/* Of the setup's network under so much device memory; the other budgets are the setup's. Once the
 * run is to end, only what is planned with patience ends with the best so far: by its plan the run
 * is left. */
typedef struct asking {
    vdnn_policy_request of_policy;
    vdnn_policy_stop stop;
} asking;

static void ask(const vdnn_fit_request *request, size_t device_bytes, asking *own)
{
    const vdnn_setup *setup = request->setup;
    own->stop = (vdnn_policy_stop){is_stopped, &setup->messages};
    own->of_policy = (vdnn_policy_request){.graph = setup->graph,
                                           .profile = setup->profile,
                                           .algo = request->algo,
                                           .patience = request->patience,
                                           .stop = &own->stop,
                                           .findings = request->findings,
                                           .packings = setup->packings,
                                           .answers = request->answers,
                                           .threads = setup->properties.host_threads};
    memcpy(own->of_policy.budget_bytes, setup->budget_bytes, sizeof setup->budget_bytes);
    own->of_policy.budget_bytes[VDNN_TIER_DEVICE] = device_bytes;
}

static vdnn_status stopped(const vdnn_fit_request *request)
{
    return request->patience == NULL ? vdnn_messages_interrupted(&request->setup->messages)
                                     : VDNN_OK;
}

/* Beside the plan of the training, whose spans it enlarges where it takes more. */
static vdnn_status plan_evaluation(const vdnn_setup *setup, vdnn_fit_plans *plans)
{
    const vdnn_graph *planned_graph = plans->training->graph;
    vdnn_status status = vdnn_planner_plan_evaluation(
        planned_graph,
        planned_graph == setup->graph ? setup->profile
                                      : vdnn_setup_variants_profile(setup->variants, planned_graph),
        plans->training, &plans->evaluation);
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        plans->span_bytes[tier] =
            larger(plans->span_bytes[tier], plans->evaluation->span_bytes[tier]);
    return status;
}

static vdnn_status plan_under(const vdnn_fit_request *request, size_t device_bytes,
                              vdnn_fit_plans *plans)
{
    asking own;
    vdnn_fit_plans fresh = {0};
    ask(request, device_bytes, &own);
    own.of_policy.last = request->last;
    vdnn_status fits = vdnn_policy_plan(request->policy, &own.of_policy, request->setup->variants,
                                        &fresh.training);
    if (fits != VDNN_OK && fits != VDNN_NO_FIT)
        return fits;
    vdnn_status status = stopped(request);
    memcpy(fresh.span_bytes, fresh.training->span_bytes, sizeof fresh.span_bytes);
    if (status == VDNN_OK && request->tests)
        status = plan_evaluation(request->setup, &fresh);
    if (status != VDNN_OK) {
        vdnn_fit_plans_fini(&fresh);
        return status;
    }
    if (fits == VDNN_OK && fresh.evaluation != NULL &&
        !vdnn_plan_fits(fresh.evaluation, own.of_policy.budget_bytes))
        fits = vdnn_status_fail(VDNN_NO_FIT, "the evaluation does not fit the budget");
    *plans = fresh;
    return fits;
}

vdnn_status vdnn_fit_plan(const vdnn_fit_request *request, vdnn_fit_plans *plans)
{
    return plan_under(request, request->setup->budget_bytes[VDNN_TIER_DEVICE], plans);
}

/* The device's bytes of both plans; an evaluation is planned from the plan of the training. */
static vdnn_status need_of_both(const vdnn_fit_request *request, size_t device_bytes, size_t *need)
{
    vdnn_fit_plans plans = {0};
    vdnn_status status = plan_under(request, device_bytes, &plans);
    if (status == VDNN_OK || status == VDNN_NO_FIT) {
        *need = plans.span_bytes[VDNN_TIER_DEVICE];
        vdnn_fit_plans_fini(&plans);
    }
    return status;
}

static vdnn_status need_of_training(const vdnn_fit_request *request, size_t device_bytes,
                                    size_t *need)
{
    asking own;
    size_t span_bytes[VDNN_TIER_COUNT];
    ask(request, device_bytes, &own);
    vdnn_status fits =
        vdnn_policy_need(request->policy, &own.of_policy, request->setup->variants, span_bytes);
    if (fits != VDNN_OK && fits != VDNN_NO_FIT)
        return fits;
    vdnn_status status = stopped(request);
    if (status != VDNN_OK)
        return status;
    *need = span_bytes[VDNN_TIER_DEVICE];
    return fits;
}

/* What a run needs with this much device memory; VDNN_NO_FIT as vdnn_fit_plan. */
static vdnn_status need_under(const vdnn_fit_request *request, size_t device_bytes, size_t *need)
{
    vdnn_fit_request quick = *request;
    quick.patience = NULL;
    return request->tests ? need_of_both(&quick, device_bytes, need)
                          : need_of_training(&quick, device_bytes, need);
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
    size_t need = plans->span_bytes[VDNN_TIER_DEVICE];
    VDNN_INVARIANT(plans->training != NULL, ==, true);
    if (plans->training->copies == VDNN_WEIGHTS_KEPT || plans->training->loads != VDNN_LOADS_OWN) {
        vdnn_status status = need_under(request, 0, &need);
        if (status != VDNN_OK && status != VDNN_NO_FIT)
            return status;
    }
    *bytes = plans->span_bytes[VDNN_TIER_HOST] <= request->setup->budget_bytes[VDNN_TIER_HOST]
                 ? need
                 : 0;
    return VDNN_OK;
}

static vdnn_status smallest_dynamic(const vdnn_fit_request *request, size_t *bytes)
{
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

vdnn_status vdnn_fit_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              size_t *bytes)
{
    vdnn_policy_findings findings = {0};
    vdnn_answers answers = {.places = NULL};
    vdnn_fit_request own = *request;
    if (request->policy->is_static)
        return smallest_static(request, plans, bytes);
    if (own.findings == NULL)
        own.findings = &findings;
    if (own.answers == NULL)
        own.answers = &answers;
    vdnn_status status = smallest_dynamic(&own, bytes);
    vdnn_answers_fini(&answers);
    vdnn_policy_forget(&findings);
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
    if (status == VDNN_OK)
        status = setup->properties.simulated
                     ? vdnn_measured_profile_create(made.graph, setup->device, setup->store, NULL,
                                                    &made.profile)
                     : vdnn_derived_profile_scale(setup->profile, setup->graph, made.graph,
                                                  setup->device, &made.profile);
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

/* Nothing else. */
static vdnn_status take_fit(const vdnn_fit_request *request, vdnn_fit_outcome *outcome)
{
    asking own;
    if (request->tests)
        return take_plan(request, outcome);
    ask(request, request->setup->budget_bytes[VDNN_TIER_DEVICE], &own);
    vdnn_status fits =
        vdnn_policy_is_enough(request->policy, &own.of_policy, request->setup->variants);
    outcome->fits = fits == VDNN_OK;
    return fits == VDNN_OK || fits == VDNN_NO_FIT ? stopped(request) : fits;
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
    other.findings = NULL; /* which is of the setup's graph, as the answers are */
    other.answers = NULL;
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
static vdnn_status fits_as(const vdnn_fit_request *request, const vdnn_graph_options *options,
                           bool *fits)
{
    vdnn_fit_request quick = *request;
    vdnn_fit_outcome outcome;
    quick.patience = NULL;
    vdnn_status status = take_as(&quick, options, take_fit, &outcome);
    *fits = status == VDNN_OK && outcome.fits;
    return status;
}

static vdnn_status batch_fits(const vdnn_fit_request *request, int64_t batch, bool *fits)
{
    vdnn_graph_options options = vdnn_graph_asked(request->setup->graph);
    options.batch = batch;
    return fits_as(request, &options, fits);
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

static vdnn_status fits_in(const vdnn_fit_request *request, int32_t count, bool *fits)
{
    vdnn_graph_options options = vdnn_graph_asked(request->setup->graph);
    options.micro_batches = count;
    return fits_as(request, &options, fits);
}

/* From *count up in ever longer steps, to the first number that is found to fit, above one that
 * does not; of the largest, whether it fits. */
static vdnn_status step_up(const vdnn_fit_request *request, int32_t most, int32_t *too_few,
                           int32_t *count, bool *fits)
{
    vdnn_status status = fits_in(request, *count, fits);
    for (int32_t by = 1; status == VDNN_OK && !*fits && *count < most; by *= 2) {
        *too_few = *count;
        *count = *count < most - by ? *count + by : most;
        status = fits_in(request, *count, fits);
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
        status = fits_in(request, fewer, &fits);
        *(fits ? count : too_few) = fewer;
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
        status = fits_in(request, middle, &middle_fits);
        *(middle_fits ? &enough : &too_few) = middle;
    }
    if (status != VDNN_OK)
        return status;
    *count = enough;
    *fits = any;
    return VDNN_OK;
}
