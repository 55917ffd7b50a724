#include "runtime/fit/explain.h"

#include "runtime/fit/command_line.h"
#include "runtime/graph/graph.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/setup/known_digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_TRIES = 8 };

/* ---- one remedy ------------------------------------------------------------------------------ */

static bool is_as_asked(const vdnn_setup *setup, const vdnn_remedy *remedy)
{
    return remedy->rules == setup->graph->rules && remedy->dtype == setup->graph->dtype &&
           remedy->batch == setup->graph->batch &&
           remedy->micro_batches == setup->graph->micro_batches;
}

static void end_setup(const vdnn_setup *setup, const vdnn_setup *made)
{
    if (made->graph == setup->graph)
        return;
    vdnn_setup_variants_destroy(made->variants);
    vdnn_profile_destroy(made->profile);
    vdnn_graph_destroy(made->graph);
}

/* The setup of a remedy: another graph with its own profile, if it differs in those. */
static vdnn_status make_setup(const vdnn_setup *setup, const char *algos, const vdnn_remedy *remedy,
                              vdnn_setup *fresh)
{
    vdnn_setup made = *setup;
    made.budget_bytes[VDNN_TIER_HOST] = remedy->host_bytes;
    if (is_as_asked(setup, remedy)) {
        *fresh = made;
        return VDNN_OK;
    }
    made.graph = NULL;
    made.profile = NULL;
    made.variants = NULL;
    vdnn_graph_options options = vdnn_graph_asked(setup->graph);
    options.batch = remedy->batch;
    options.micro_batches = remedy->micro_batches;
    options.rules = remedy->rules;
    options.dtype = remedy->dtype;
    vdnn_status status = vdnn_graph_create(setup->model, &options, &made.graph);
    VDNN_IF_OK(status, vdnn_measured_profile_create(made.graph, setup->device, setup->store,
                                                    &setup->observer, &made.profile));
    if (status == VDNN_OK && algos != NULL)
        status = vdnn_derived_profile_pin(made.profile, made.graph, algos);
    if (status == VDNN_OK && vdnn_setup_variants_are_free(setup->variants) &&
        remedy->rules == setup->graph->rules)
        status = vdnn_setup_variants_create(&made, NULL, &made.variants);
    if (status == VDNN_OK)
        *fresh = made;
    else
        end_setup(setup, &made);
    return status;
}

/* A run by it may settle on other algorithms than a plan without a search. */
static bool may_search(const vdnn_policy *policy)
{
    return !policy->is_static && policy != vdnn_policy_find("dyn");
}

static vdnn_results results_of(const vdnn_plan *asked, const vdnn_policy *policy,
                               const vdnn_plan *plan)
{
    const vdnn_results results = vdnn_results_of(asked, plan);
    return results == VDNN_RESULTS_SAME && may_search(policy) ? VDNN_RESULTS_LAST_BITS : results;
}

/* Host bytes, time and results of a plan within `device_bytes`. */
static vdnn_status plan_within(const vdnn_fit_request *request, const vdnn_plan *asked,
                               size_t device_bytes, vdnn_remedy *remedy)
{
    vdnn_setup setup = *request->setup;
    vdnn_fit_request within = *request;
    vdnn_fit_plans plans = {0};
    setup.budget_bytes[VDNN_TIER_DEVICE] = device_bytes;
    within.setup = &setup;
    vdnn_status status = vdnn_fit_plan(&within, &plans);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    remedy->fits = status == VDNN_OK;
    remedy->host_need_bytes = plans.span_bytes[VDNN_TIER_HOST];
    remedy->step_seconds = plans.training->step_seconds;
    remedy->results = results_of(asked, remedy->policy, plans.training);
    vdnn_fit_plans_fini(&plans);
    return VDNN_OK;
}

static vdnn_status weigh_made(const vdnn_fit_request *request, const vdnn_plan *asked,
                              vdnn_remedy *remedy)
{
    vdnn_fit_plans plans = {0};
    vdnn_status status = vdnn_fit_plan(request, &plans);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    size_t smallest = 0;
    status = vdnn_fit_smallest(request, &plans, &smallest);
    vdnn_fit_plans_fini(&plans);
    if (status != VDNN_OK)
        return status;
    remedy->device_bytes = smallest;
    bool enough = smallest != 0 && smallest <= request->setup->budget_bytes[VDNN_TIER_DEVICE];
    status = plan_within(
        request, asked, enough ? request->setup->budget_bytes[VDNN_TIER_DEVICE] : smallest, remedy);
    remedy->fits = enough;
    return status;
}

/* VDNN_BAD_INPUT and VDNN_DEVICE: there is no such network, or it cannot be measured here. */
static vdnn_status weigh(const vdnn_fit_request *request, const vdnn_explanation *explanation,
                         vdnn_remedy *remedy)
{
    vdnn_setup setup;
    vdnn_fit_request other = *request;
    VDNN_TRY(make_setup(request->setup, explanation->algos, remedy, &setup));
    other.setup = &setup;
    other.policy = remedy->policy;
    other.algo = remedy->algo;
    vdnn_status status = weigh_made(&other, explanation->asked_plan, remedy);
    end_setup(request->setup, &setup);
    return status;
}

/* ---- which ones there are -------------------------------------------------------------------- */

static const char *algo_option(const vdnn_remedy *remedy)
{
    return remedy->policy->is_static ? remedy->algo == VDNN_ALGO_M ? " --algo m" : " --algo p" : "";
}

/* Weighs a remedy and notes it where it needs less of the device than the requested run, or runs
 * where that does not. */
static vdnn_status add(const vdnn_fit_request *request, const vdnn_remedy *remedy,
                       vdnn_explanation *explanation)
{
    vdnn_remedy fresh = *remedy;
    const vdnn_remedy *asked = &explanation->asked;
    vdnn_status status = weigh(request, explanation, &fresh);
    if (status == VDNN_BAD_INPUT || status == VDNN_DEVICE)
        return VDNN_OK;
    if (status != VDNN_OK)
        return status;
    bool helps = fresh.device_bytes != 0 &&
                 (asked->device_bytes == 0 || fresh.device_bytes < asked->device_bytes ||
                  (fresh.fits && (!asked->fits || fresh.step_seconds < asked->step_seconds)) ||
                  fresh.batch > asked->batch);
    if (helps && explanation->remedy_count < VDNN_EXPLAIN_REMEDIES)
        explanation->remedies[explanation->remedy_count++] = fresh;
    return VDNN_OK;
}

static vdnn_status add_policies(const vdnn_fit_request *request, vdnn_explanation *explanation)
{
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < vdnn_policy_count(); i++)
        for (int mode = VDNN_ALGO_M; mode <= VDNN_ALGO_P && status == VDNN_OK; mode++) {
            vdnn_remedy other = explanation->asked;
            other.policy = vdnn_policy_at(i);
            other.algo = (vdnn_algo_mode)mode;
            bool same = other.policy == request->policy &&
                        (!other.policy->is_static || other.algo == request->algo);
            if (same || (!other.policy->is_static && mode == VDNN_ALGO_P))
                continue;
            (void)snprintf(other.change, sizeof other.change, "--policy %s%s", other.policy->name,
                           algo_option(&other));
            status = add(request, &other, explanation);
        }
    return status;
}

static vdnn_status add_lean(const vdnn_fit_request *request, vdnn_explanation *explanation)
{
    vdnn_status status = VDNN_OK;
    vdnn_remedy other = explanation->asked;
    other.rules = VDNN_RULES_LEAN;
    (void)snprintf(other.change, sizeof other.change, "--rules lean");
    if (explanation->asked.rules != VDNN_RULES_LEAN)
        status = add(request, &other, explanation);
    other = explanation->asked;
    other.dtype = VDNN_BF16;
    (void)snprintf(other.change, sizeof other.change, "--dtype bf16");
    if (status == VDNN_OK && vdnn_dtype_bytes(explanation->asked.dtype) > 2)
        status = add(request, &other, explanation);
    return status;
}

/* The largest batch that fits with scaled times, or the next ones below it if measured times choose
 * other algorithms. */
static vdnn_status add_batch(const vdnn_fit_request *request, vdnn_explanation *explanation)
{
    int64_t batch = 0, least = request->setup->graph->micro_batches;
    vdnn_status status = vdnn_fit_largest_batch(request, &batch);
    for (int i = 0; i < BATCH_TRIES && status == VDNN_OK && batch >= least; i++) {
        size_t before = explanation->remedy_count;
        vdnn_remedy other = explanation->asked;
        other.batch = batch;
        (void)snprintf(other.change, sizeof other.change, "--batch %lld",
                       (long long)batch * request->setup->graph->devices);
        if (batch == explanation->asked.batch)
            return VDNN_OK;
        status = add(request, &other, explanation);
        if (explanation->remedy_count > before && explanation->remedies[before].fits)
            return status;
        explanation->remedy_count = before;
        batch -= batch / 16 + 1;
    }
    return status;
}

/* The fewest micro-batches that fit with scaled times, unless the network then learns otherwise. */
static vdnn_status add_accumulation(const vdnn_fit_request *request, vdnn_explanation *explanation)
{
    const vdnn_setup *setup = request->setup;
    vdnn_remedy other = explanation->asked;
    bool fits = false;
    if (other.fits || setup->properties.recorded ||
        vdnn_graph_couples_samples(setup->graph) != NULL)
        return VDNN_OK;
    vdnn_status status = vdnn_fit_fewest_micro_batches(request, 1, &other.micro_batches, &fits);
    if (status != VDNN_OK || !fits)
        return status;
    (void)snprintf(other.change, sizeof other.change, "--accumulate %d", (int)other.micro_batches);
    return add(request, &other, explanation);
}

/* Bytes that the host tier lacks for the requested plan. */
static vdnn_status add_host(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                            vdnn_explanation *explanation)
{
    if (plans->span_bytes[VDNN_TIER_HOST] <= request->setup->budget_bytes[VDNN_TIER_HOST])
        return VDNN_OK;
    vdnn_remedy other = explanation->asked;
    other.host_bytes = plans->span_bytes[VDNN_TIER_HOST];
    (void)snprintf(other.change, sizeof other.change, "--host-mem %zu",
                   plans->span_bytes[VDNN_TIER_HOST]);
    return add(request, &other, explanation);
}

/* All lean options at once, if no single one is enough: of a lean run under dyn that is bf16. */
static vdnn_status add_all_together(const vdnn_fit_request *request, vdnn_explanation *explanation)
{
    bool any = explanation->asked.fits || (explanation->asked.rules == VDNN_RULES_LEAN &&
                                           request->policy == vdnn_policy_find("dyn"));
    for (size_t i = 0; i < explanation->remedy_count; i++)
        any = any || explanation->remedies[i].fits;
    if (any)
        return VDNN_OK;
    vdnn_remedy other = explanation->asked;
    other.policy = vdnn_policy_find("dyn");
    other.rules = VDNN_RULES_LEAN;
    other.dtype = VDNN_BF16;
    (void)snprintf(other.change, sizeof other.change, "--policy dyn%s --dtype bf16",
                   explanation->asked.rules == VDNN_RULES_LEAN ? "" : " --rules lean");
    return add(request, &other, explanation);
}

/* ---- what is alive --------------------------------------------------------------------------- */

static bool is_alive_at_peak(const vdnn_plan *plan, const vdnn_buffer *buffer)
{
    return buffer->tier == VDNN_TIER_DEVICE &&
           (buffer->persistent ||
            (buffer->first_step <= plan->peak_step && plan->peak_step <= buffer->last_step));
}

/* The largest first; insertion into a short list. */
static void find_largest(const vdnn_plan *plan, vdnn_explanation *explanation)
{
    int32_t *list = explanation->largest;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        if (!is_alive_at_peak(plan, &plan->buffers[b]))
            continue;
        size_t at = explanation->largest_count;
        while (at > 0 && plan->buffers[list[at - 1]].bytes < plan->buffers[b].bytes)
            at--;
        if (at == VDNN_EXPLAIN_LARGEST)
            continue;
        if (explanation->largest_count < VDNN_EXPLAIN_LARGEST)
            explanation->largest_count++;
        memmove(&list[at + 1], &list[at], (explanation->largest_count - at - 1) * sizeof *list);
        list[at] = b;
    }
}

/* ---- the order ------------------------------------------------------------------------------- */

double vdnn_remedy_rate(const vdnn_explanation *explanation, const vdnn_remedy *remedy)
{
    return vdnn_samples_per_second(remedy->batch * explanation->setup->graph->devices,
                                   remedy->step_seconds);
}

static void compare_planned(vdnn_explanation *explanation)
{
    const double asked = vdnn_remedy_rate(explanation, &explanation->asked),
                 spread = vdnn_known_spread(&explanation->setup->properties);
    for (size_t i = 0; i < explanation->remedy_count; i++) {
        vdnn_remedy *own = &explanation->remedies[i];
        if (own->fits && explanation->asked.fits && asked > 0)
            own->pace = vdnn_pace_planned(vdnn_remedy_rate(explanation, own) / asked, spread);
    }
}

/* Whether the first is to stand before the second. */
static bool is_before(const vdnn_explanation *explanation, const vdnn_remedy *a,
                      const vdnn_remedy *b)
{
    if (a->results != b->results)
        return a->results < b->results;
    if (a->fits != b->fits)
        return a->fits;
    return vdnn_remedy_rate(explanation, a) > vdnn_remedy_rate(explanation, b);
}

/* Insertion into a short list; what is equal stays in its order. */
static void rank(vdnn_explanation *explanation)
{
    vdnn_remedy *list = explanation->remedies;
    for (size_t i = 1; i < explanation->remedy_count; i++) {
        const vdnn_remedy own = list[i];
        size_t at = i;
        for (; at > 0 && is_before(explanation, &own, &list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = own;
    }
}

/* Faster than the best so far: by its pace if both have one, and further than the spread. */
static bool is_better(const vdnn_explanation *explanation, const vdnn_remedy *own,
                      const vdnn_remedy *best)
{
    if (best == NULL)
        return true;
    const double rate = vdnn_remedy_rate(explanation, own),
                 other = vdnn_remedy_rate(explanation, best);
    if (!explanation->asked.fits)
        return rate > other * (1 + vdnn_known_spread(&explanation->setup->properties));
    if (own->pace.verdict != VDNN_PACE_FASTER || own->is_measured != explanation->asked.is_measured)
        return false;
    return best == &explanation->asked || own->pace.least > best->pace.ratio;
}

const vdnn_remedy *vdnn_explain_best(const vdnn_explanation *explanation, vdnn_results most)
{
    const vdnn_remedy *best = explanation->asked.fits ? &explanation->asked : NULL;
    for (size_t i = 0; i < explanation->remedy_count; i++) {
        const vdnn_remedy *own = &explanation->remedies[i];
        if (own->fits && own->results <= most && is_better(explanation, own, best))
            best = own;
    }
    return best;
}

void vdnn_explain_add_command(const vdnn_explanation *explanation, const vdnn_remedy *remedy,
                              vdnn_text *text)
{
    vdnn_text changes = {0};
    if (explanation->command == NULL)
        return;
    vdnn_text_add(&changes, "%s", remedy == &explanation->asked ? "" : remedy->change);
    if (!remedy->fits && remedy->device_bytes > 0)
        vdnn_text_add(&changes, "%s--device-mem %zu", changes.length > 0 ? " " : "",
                      remedy->device_bytes);
    if (!changes.failed)
        vdnn_command_line_add(explanation->command, changes.length > 0 ? changes.data : "", text);
    text->failed = text->failed || changes.failed;
    vdnn_text_fini(&changes);
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* Its plans are those of a run that follows the advice. */
static vdnn_status begin_trial(const vdnn_fit_request *request, const vdnn_explanation *explanation,
                               const vdnn_remedy *remedy, vdnn_trial *trial)
{
    vdnn_fit_request other = *request;
    VDNN_TRY(make_setup(request->setup, explanation->algos, remedy, &trial->setup));
    other.setup = &trial->setup;
    other.policy = remedy->policy;
    other.algo = remedy->algo;
    other.tests = false;
    return vdnn_fit_plan(&other, &trial->plans);
}

/* The plan that was searched for, not one like it. */
static vdnn_status begin_asked(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                               vdnn_trial *trial)
{
    trial->setup = *request->setup;
    memcpy(trial->plans.span_bytes, plans->span_bytes, sizeof plans->span_bytes);
    return vdnn_plan_copy(plans->training, &trial->plans.training);
}

vdnn_status vdnn_explain_begin_trials(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                                      const vdnn_explanation *explanation, vdnn_trials *trials)
{
    vdnn_trials fresh = {.count = 0};
    vdnn_status status = VDNN_OK;
    if (explanation->asked.fits && vdnn_trial_is_possible(request->setup))
        status = begin_asked(request, plans, &fresh.list[fresh.count++]);
    for (size_t i = 0; i < explanation->remedy_count && status == VDNN_OK; i++) {
        if (fresh.count == 0 || fresh.count == VDNN_TRIALS_MOST || !explanation->remedies[i].fits)
            continue;
        fresh.list[fresh.count].row = i + 1;
        status = begin_trial(request, explanation, &explanation->remedies[i],
                             &fresh.list[fresh.count++]);
    }
    if (status == VDNN_OK)
        *trials = fresh;
    else
        vdnn_trials_fini(&fresh);
    return status;
}

/* What was not timed takes as much longer than its plan as the requested run. */
static void scale_estimates(vdnn_explanation *explanation, double factor)
{
    for (size_t i = 0; i < explanation->remedy_count; i++)
        explanation->remedies[i].step_seconds *= factor;
}

void vdnn_explain_take_trials(vdnn_explanation *explanation, const vdnn_trials *trials)
{
    const double planned = explanation->asked.step_seconds;
    double spread;
    if (trials->rounds == 0)
        return;
    scale_estimates(explanation, vdnn_trial_seconds(trials, 0, &spread) / planned);
    for (size_t i = 0; i < trials->count; i++) {
        const size_t row = trials->list[i].row;
        vdnn_remedy *own = row == 0 ? &explanation->asked : &explanation->remedies[row - 1];
        if (trials->list[i].is_left_out)
            continue;
        own->is_measured = true;
        own->step_seconds = vdnn_trial_seconds(trials, i, &own->spread);
        if (row > 0)
            own->pace = vdnn_trial_pace(trials, i);
    }
    rank(explanation);
}

/* The plan of the requested run: in its smallest budget, where it does not fit the given one. */
static vdnn_status plan_asked(const vdnn_fit_request *request, vdnn_explanation *explanation,
                              vdnn_fit_plans *plans)
{
    const size_t smallest = explanation->asked.device_bytes;
    vdnn_setup setup = *request->setup;
    vdnn_fit_request within = *request;
    if (explanation->asked.fits || smallest == 0)
        return VDNN_OK;
    setup.budget_bytes[VDNN_TIER_DEVICE] = smallest;
    within.setup = &setup;
    vdnn_status status = vdnn_fit_plan(&within, plans);
    if (status == VDNN_OK)
        explanation->asked_plan = plans->training;
    return status == VDNN_NO_FIT ? VDNN_OK : status;
}

static vdnn_status add_all(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                           vdnn_explanation *explanation)
{
    vdnn_status status = add_host(request, plans, explanation);
    VDNN_IF_OK(status, add_policies(request, explanation));
    VDNN_IF_OK(status, add_lean(request, explanation));
    VDNN_IF_OK(status, add_batch(request, explanation));
    VDNN_IF_OK(status, add_accumulation(request, explanation));
    VDNN_IF_OK(status, add_all_together(request, explanation));
    return status;
}

vdnn_status vdnn_explain_make(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              const char *algos, vdnn_explanation *explanation)
{
    const vdnn_graph *graph = request->setup->graph;
    vdnn_explanation fresh = {.setup = request->setup,
                              .plan = plans->training,
                              .algos = algos,
                              .asked_plan = plans->training};
    vdnn_fit_plans smallest = {0};
    fresh.asked = (vdnn_remedy){.policy = request->policy,
                                .algo = request->algo,
                                .rules = graph->rules,
                                .dtype = graph->dtype,
                                .batch = graph->batch,
                                .micro_batches = graph->micro_batches,
                                .host_bytes = request->setup->budget_bytes[VDNN_TIER_HOST]};
    (void)snprintf(fresh.asked.change, sizeof fresh.asked.change, "as it is");
    vdnn_status status = weigh(request, &fresh, &fresh.asked);
    fresh.asked.results = VDNN_RESULTS_SAME;
    if (status == VDNN_OK && fresh.asked.fits) {
        fresh.searched = fresh.asked.step_seconds > plans->training->step_seconds;
        fresh.asked.step_seconds = plans->training->step_seconds;
    }
    VDNN_IF_OK(status, plan_asked(request, &fresh, &smallest));
    VDNN_IF_OK(status, add_all(request, plans, &fresh));
    vdnn_fit_plans_fini(&smallest);
    fresh.asked_plan = NULL;
    if (status != VDNN_OK)
        return status;
    find_largest(plans->training, &fresh);
    compare_planned(&fresh);
    rank(&fresh);
    *explanation = fresh;
    return VDNN_OK;
}
