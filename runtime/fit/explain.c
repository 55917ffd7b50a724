#include "runtime/fit/explain.h"

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/table.h"
#include "runtime/fit/memory_curve.h"
#include "runtime/graph/graph.h"
#include "runtime/measure/measured_profile.h"

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

/* Host bytes and time of a plan within `device_bytes`. */
static vdnn_status plan_within(const vdnn_fit_request *request, size_t device_bytes,
                               vdnn_remedy *remedy)
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
    vdnn_fit_plans_fini(&plans);
    return VDNN_OK;
}

static vdnn_status weigh_made(const vdnn_fit_request *request, vdnn_remedy *remedy)
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
        request, enough ? request->setup->budget_bytes[VDNN_TIER_DEVICE] : smallest, remedy);
    remedy->fits = enough;
    return status;
}

/* VDNN_BAD_INPUT and VDNN_DEVICE: there is no such network, or it cannot be measured here. */
static vdnn_status weigh(const vdnn_fit_request *request, const char *algos, vdnn_remedy *remedy)
{
    vdnn_setup setup;
    vdnn_fit_request other = *request;
    VDNN_TRY(make_setup(request->setup, algos, remedy, &setup));
    other.setup = &setup;
    other.policy = remedy->policy;
    other.algo = remedy->algo;
    vdnn_status status = weigh_made(&other, remedy);
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
    vdnn_status status = weigh(request, explanation->algos, &fresh);
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

/* All lean options at once, if no single one is enough. */
static vdnn_status add_all_together(const vdnn_fit_request *request, vdnn_explanation *explanation)
{
    bool any = explanation->asked.fits;
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

vdnn_status vdnn_explain_make(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              const char *algos, vdnn_explanation *explanation)
{
    const vdnn_graph *graph = request->setup->graph;
    vdnn_explanation fresh = {.setup = request->setup, .plan = plans->training, .algos = algos};
    fresh.asked = (vdnn_remedy){.policy = request->policy,
                                .algo = request->algo,
                                .rules = graph->rules,
                                .dtype = graph->dtype,
                                .batch = graph->batch,
                                .micro_batches = graph->micro_batches,
                                .host_bytes = request->setup->budget_bytes[VDNN_TIER_HOST]};
    (void)snprintf(fresh.asked.change, sizeof fresh.asked.change, "as it is");
    vdnn_status status = weigh(request, algos, &fresh.asked);
    if (status == VDNN_OK && fresh.asked.fits) {
        fresh.searched = fresh.asked.step_seconds > plans->training->step_seconds;
        fresh.asked.step_seconds = plans->training->step_seconds;
    }
    VDNN_IF_OK(status, add_host(request, plans, &fresh));
    VDNN_IF_OK(status, add_policies(request, &fresh));
    VDNN_IF_OK(status, add_lean(request, &fresh));
    VDNN_IF_OK(status, add_batch(request, &fresh));
    VDNN_IF_OK(status, add_accumulation(request, &fresh));
    VDNN_IF_OK(status, add_all_together(request, &fresh));
    if (status != VDNN_OK)
        return status;
    find_largest(plans->training, &fresh);
    *explanation = fresh;
    return VDNN_OK;
}

/* ---- in words -------------------------------------------------------------------------------- */

typedef struct people {
    char text[32];
} people;

static people bytes_text(size_t bytes)
{
    people result = {.text = ""};
    (void)vdnn_text_bytes(result.text, sizeof result.text, (double)bytes);
    return result;
}

static void print_tier(vdnn_text *text, vdnn_tier own, size_t need, size_t budget)
{
    const char *tier = vdnn_tier_text(own), *option = vdnn_tier_option(own);
    if (need > budget)
        vdnn_text_add(text,
                      "  %s memory: %zu bytes (%s) are needed, %s is %zu (%s): %zu bytes (%s) are "
                      "missing\n",
                      tier, need, bytes_text(need).text, option, budget, bytes_text(budget).text,
                      need - budget, bytes_text(need - budget).text);
    else
        vdnn_text_add(text, "  %s memory: %zu bytes (%s) are needed, %s is %s: %s are left\n", tier,
                      need, bytes_text(need).text, option, bytes_text(budget).text,
                      bytes_text(budget - need).text);
}

static void print_peak(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_plan *plan = explanation->plan;
    const vdnn_step *step = &plan->steps[plan->peak_step];
    const char *layer = step->layer >= 0 ? plan->graph->layers[step->layer].name : "no layer";
    vdnn_text_add(text, "  the most is alive at step %d of the plan, %s%s%s of %s: %s\n",
                  plan->peak_step, vdnn_step_kind_text(step->kind),
                  step->kind == VDNN_STEP_RUN ? " " : "",
                  step->kind == VDNN_STEP_RUN ? vdnn_pass_text(step->pass) : "", layer,
                  bytes_text(plan->peak_bytes[VDNN_TIER_DEVICE]).text);
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        if (plan->by_category_at_peak[c] > 0)
            vdnn_text_add(text, "    %-17s %11s\n", vdnn_category_text((vdnn_category)c),
                          bytes_text(plan->by_category_at_peak[c]).text);
    if (plan->span_bytes[VDNN_TIER_DEVICE] > plan->peak_bytes[VDNN_TIER_DEVICE])
        vdnn_text_add(
            text, "    %-17s %11s\n", "between buffers",
            bytes_text(plan->span_bytes[VDNN_TIER_DEVICE] - plan->peak_bytes[VDNN_TIER_DEVICE])
                .text);
    vdnn_text_add(text, "  the largest of it:\n");
    for (size_t i = 0; i < explanation->largest_count; i++) {
        const vdnn_buffer *buffer = &plan->buffers[explanation->largest[i]];
        const char *name =
            buffer->layer >= 0 ? plan->graph->layers[buffer->layer].name : buffer->label;
        vdnn_text_add(text, "    %-17s %11s  %s\n", vdnn_class_text(buffer->class),
                      bytes_text(buffer->bytes).text, name);
    }
}

/* What the change needs stands in bytes, to be typed, and in units. */
enum { CHANGE, BYTES, UNITS, SAVES, FITS, STEP, RATE, COLUMNS };

static const vdnn_table_column columns[COLUMNS] = {
    [CHANGE] = {"change", 0, true},       [BYTES] = {"smallest", 0, false},
    [UNITS] = {"--device-mem", 3, false}, [SAVES] = {"saves", 2, false},
    [FITS] = {"fits", 0, false},          [STEP] = {"step", 0, false},
    [RATE] = {"images/s", 1, false},
};

/* The run as it is, where its smallest is known, and then the remedies. */
static const vdnn_remedy *remedy_at(const vdnn_explanation *explanation, size_t row)
{
    const size_t first = explanation->asked.device_bytes != 0 ? 1 : 0;
    return row < first ? &explanation->asked : &explanation->remedies[row - first];
}

static const char *bytes_cell(size_t bytes, char words[VDNN_TABLE_CELL_BYTES])
{
    return vdnn_text_bytes(words, VDNN_TABLE_CELL_BYTES, (double)bytes);
}

static const char *cell(const void *context, size_t row, size_t column,
                        char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_explanation *explanation = context;
    const vdnn_remedy *own = remedy_at(explanation, row), *asked = &explanation->asked;
    const bool saves = asked->device_bytes != 0 && own->device_bytes < asked->device_bytes;
    const double images = (double)own->batch * explanation->setup->graph->devices;
    double rate;
    switch (column) {
    case CHANGE:
        return own->change;
    case BYTES:
        (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%zu", own->device_bytes);
        return words;
    case UNITS:
        return bytes_cell(own->device_bytes, words);
    case SAVES:
        return saves ? bytes_cell(asked->device_bytes - own->device_bytes, words) : "-";
    case FITS:
        return own->fits ? "yes" : "no";
    case STEP:
        (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.4g ms", 1e3 * own->step_seconds);
        return words;
    default:
        rate = own->step_seconds > 0 ? images / own->step_seconds : 0;
        (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, rate < 1000 ? "%.4g" : "%.0f", rate);
        return words;
    }
}

static void print_table(const vdnn_explanation *explanation, size_t width, vdnn_text *text)
{
    const size_t asked = explanation->asked.device_bytes != 0 ? 1 : 0;
    const vdnn_table table = {columns, COLUMNS, asked + explanation->remedy_count, cell,
                              explanation};
    vdnn_text_add(text, "%s\n", explanation->asked.fits ? "alternatives:" : "what would help:");
    vdnn_table_add(&table, width, text);
}

static void print_legend(const vdnn_explanation *explanation, vdnn_text *text)
{
    vdnn_text_add(text,
                  "One byte less than its smallest --device-mem does not fit. Step times "
                  "are estimated, in the given budget where it fits, else in the smallest "
                  "one.%s\n",
                  explanation->setup->properties.simulated
                      ? ""
                      : " --algo p depends on the times measured now: --profile FILE keeps them, "
                        "and with them these figures.");
    if (explanation->searched)
        vdnn_text_add(text, "The run as it is was searched for; what --plan-seconds finds for the "
                            "others may be faster.\n");
}

/* The fastest of what fits, per image. */
static const vdnn_remedy *best_of(const vdnn_explanation *explanation)
{
    const vdnn_remedy *best = explanation->asked.fits ? &explanation->asked : NULL;
    for (size_t i = 0; i < explanation->remedy_count; i++) {
        const vdnn_remedy *other = &explanation->remedies[i];
        if (other->fits && (best == NULL || other->step_seconds * (double)best->batch <
                                                best->step_seconds * (double)other->batch))
            best = other;
    }
    return best;
}

static void print_advice(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_remedy *best = best_of(explanation);
    if (best == NULL && explanation->asked.device_bytes != 0)
        vdnn_text_add(text,
                      "none of these fits --device-mem %zu; take the change that needs least, or a "
                      "budget of %zu bytes\n",
                      explanation->setup->budget_bytes[VDNN_TIER_DEVICE],
                      explanation->asked.device_bytes);
    else if (best == NULL)
        vdnn_text_add(text, "none of these fits the host budget of %zu bytes\n",
                      explanation->setup->budget_bytes[VDNN_TIER_HOST]);
    else if (best == &explanation->asked)
        vdnn_text_add(text, "none of these is faster\n");
    else
        vdnn_text_add(text, "the fastest that fits: %s\n", best->change);
}

static void print_devices(const vdnn_plan *plan, vdnn_text *text)
{
    const vdnn_graph *graph = plan->graph;
    size_t bytes = 0;
    int sums = 0;
    if (graph->devices == 1)
        return;
    for (int32_t s = 0; s < plan->step_count; s++)
        if (plan->steps[s].kind == VDNN_STEP_REDUCE) {
            bytes += plan->steps[s].bytes;
            sums++;
        }
    vdnn_text_add(text,
                  "  each of %d devices has up to %lld samples and what follows, and sums %s of "
                  "gradients with the others, in %d part%s\n",
                  (int)graph->devices, (long long)graph->batch, bytes_text(bytes).text, sums,
                  sums == 1 ? "" : "s");
    if (graph->shards)
        vdnn_text_add(text,
                      "  each updates its share of the parameters, which saves it %s of the "
                      "optimizer's state\n",
                      bytes_text(vdnn_graph_shard_saves(graph)).text);
}

/* Everything above the picture. */
static void print_need(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_setup *setup = explanation->setup;
    const vdnn_plan *plan = explanation->plan;
    const vdnn_remedy *asked = &explanation->asked;
    vdnn_text_add(text, "%s, batch %lld, policy %s%s: %s\n", setup->graph->name,
                  (long long)setup->graph->step_batch, asked->policy->name, algo_option(asked),
                  asked->fits ? "fits" : "does not fit");
    print_devices(plan, text);
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        if (t < VDNN_TIER_FILE || setup->budget_bytes[t] > 0)
            print_tier(text, (vdnn_tier)t, plan->span_bytes[t], setup->budget_bytes[t]);
    print_peak(explanation, text);
}

vdnn_status vdnn_explain_print(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_setup *setup = explanation->setup;
    const size_t width = vdnn_text_line(explanation->columns);
    const vdnn_memory_curve curve = {.budget_bytes = setup->budget_bytes[VDNN_TIER_DEVICE],
                                     .columns = width,
                                     .has_blocks = explanation->has_blocks};
    vdnn_text lines = {0};
    print_need(explanation, &lines);
    vdnn_text_move_folded(text, &lines, width);
    VDNN_TRY(vdnn_memory_curve_add(&curve, explanation->plan, setup->profile, text));
    print_table(explanation, width, text);
    print_legend(explanation, &lines);
    print_advice(explanation, &lines);
    vdnn_text_move_folded(text, &lines, width);
    return vdnn_text_status(text, "an explanation");
}
