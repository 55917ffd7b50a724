#include "runtime/fit/batches.h"

#include "runtime/base/numbers/rounded.h"
#include "runtime/fit/command_line.h"
#include "runtime/setup/known_digits.h"
#include "runtime/setup/patience.h"

#include <stdio.h>
#include <string.h>

/* How close two rows are, as a share of the lower's batch, where no more is looked for between
 * them: next to the largest at a speed, and above it. */
static const double CLOSE = 0.01, NEAR = 0.15;

enum { REFINEMENTS = 2 };

const char *vdnn_batch_choice_name(vdnn_batch_choice choice)
{
    static const char *const names[] = {[VDNN_BATCH_LARGEST] = "largest",
                                        [VDNN_BATCH_FASTEST] = "fastest",
                                        [VDNN_BATCH_AT_SPEED] = "at_speed"};
    return names[choice];
}

typedef struct search {
    const vdnn_fit_request *request;
    const vdnn_run_options *options;
    vdnn_batches *batches;
} search;

/* ---- rows ------------------------------------------------------------------------------------ */

static void insert(vdnn_batches *batches, vdnn_batch_row row)
{
    size_t at = batches->count;
    VDNN_INVARIANT(at, <, (size_t)VDNN_BATCHES_MOST);
    while (at > 0 && batches->rows[at - 1].batch > row.batch) {
        batches->rows[at] = batches->rows[at - 1];
        at--;
    }
    batches->rows[at] = row;
    batches->count++;
}

static bool has(const vdnn_batches *batches, int64_t batch)
{
    for (size_t i = 0; i < batches->count; i++)
        if (batches->rows[i].batch == batch)
            return true;
    return false;
}

static void tell(const vdnn_setup *setup, const vdnn_batch_row *row)
{
    const vdnn_rate_unit unit = vdnn_graph_rate_unit(setup->graph);
    char cell[32];
    vdnn_messages_log(&setup->messages, VDNN_LOG_INFO,
                      "batch %lld: %s %s as planned, %.0f %% of those with unlimited memory",
                      (long long)row->batch,
                      vdnn_rounded_text(cell, sizeof cell, row->images_per_second * unit.per_sample,
                                        vdnn_known_digits(&setup->properties)),
                      unit.name, 100 * row->of_oracle);
}

/* `batch` is of each device. Nothing is added where it does not fit, or was tried. */
static vdnn_status try_batch(const search *s, int64_t batch)
{
    const vdnn_setup *setup = s->request->setup;
    const int64_t all = batch * setup->graph->devices;
    vdnn_graph_options options = vdnn_graph_asked(setup->graph);
    vdnn_fit_request request = *s->request;
    vdnn_fit_outcome outcome;
    vdnn_patience patience;
    if (batch < 1 || has(s->batches, all) || s->batches->count == VDNN_BATCHES_MOST)
        return VDNN_OK;
    VDNN_TRY(vdnn_messages_interrupted(&setup->messages));
    options.batch = batch;
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, s->options, &setup->messages, &patience);
    request.patience = &patience.of_policy;
    vdnn_status status = vdnn_fit_as(&request, &options, &outcome);
    if (status != VDNN_OK || !outcome.fits)
        return status;
    const vdnn_batch_row row = {
        .batch = all,
        .device_bytes = outcome.device_bytes,
        .step_seconds = outcome.step_seconds,
        .images_per_second = vdnn_samples_per_second(all, outcome.step_seconds),
        .of_oracle = outcome.oracle_step_seconds / outcome.step_seconds,
        .results = all == setup->graph->step_batch ? VDNN_RESULTS_SAME : VDNN_RESULTS_BATCH};
    insert(s->batches, row);
    tell(setup, &row);
    return VDNN_OK;
}

static vdnn_status try_powers(const search *s, int64_t largest)
{
    vdnn_status status = VDNN_OK;
    for (int64_t batch = 1; status == VDNN_OK && batch < largest; batch *= 2)
        status = try_batch(s, batch);
    return status == VDNN_OK ? try_batch(s, largest) : status;
}

/* ---- the fastest ----------------------------------------------------------------------------- */

static size_t fastest(const vdnn_batches *batches)
{
    size_t best = 0;
    for (size_t i = 1; i < batches->count; i++)
        if (batches->rows[i].images_per_second > batches->rows[best].images_per_second)
            best = i;
    return best;
}

static int64_t between(const search *s, size_t a, size_t b)
{
    const vdnn_batch_row *rows = s->batches->rows;
    return (rows[a].batch + rows[b].batch) / 2 / s->request->setup->graph->devices;
}

/* Between the best and its neighbours. */
static vdnn_status find_fastest(const search *s)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < REFINEMENTS && status == VDNN_OK; i++) {
        const size_t best = fastest(s->batches);
        const int64_t below = best > 0 ? between(s, best - 1, best) : 0,
                      above = best + 1 < s->batches->count ? between(s, best, best + 1) : 0;
        status = try_batch(s, below);
        VDNN_IF_OK(status, try_batch(s, above));
    }
    return status;
}

/* ---- the largest at a speed ------------------------------------------------------------------ */

static size_t largest_at_speed(const vdnn_batches *batches)
{
    for (size_t i = batches->count; i-- > 0;)
        if (batches->rows[i].of_oracle >= VDNN_BATCH_SPEED)
            return i;
    return VDNN_BATCHES_MOST;
}

static double gap_above(const vdnn_batch_row *row)
{
    return (double)(row[1].batch - row->batch) / (double)row->batch;
}

/* The row below the gap to look into, or the last where none is left: the widest above row `at`, as
 * a plan that a search found falls short by chance too, and then the one next to it. */
static size_t gap_to_search(const vdnn_batches *batches, size_t at)
{
    size_t widest = at;
    for (size_t i = at; i + 1 < batches->count; i++)
        if (gap_above(&batches->rows[i]) > gap_above(&batches->rows[widest]))
            widest = i;
    if (gap_above(&batches->rows[widest]) > NEAR)
        return widest;
    return gap_above(&batches->rows[at]) > CLOSE ? at : batches->count - 1;
}

static vdnn_status find_at_speed(const search *s)
{
    const vdnn_batches *batches = s->batches;
    for (;;) {
        const size_t at = largest_at_speed(batches), count = batches->count;
        if (at == VDNN_BATCHES_MOST || at + 1 == count)
            return VDNN_OK;
        const size_t below = gap_to_search(batches, at);
        if (below + 1 == count)
            return VDNN_OK;
        vdnn_status status = try_batch(s, between(s, below, below + 1));
        if (status != VDNN_OK || batches->count == count)
            return status;
    }
}

/* ---- micro-batches --------------------------------------------------------------------------- */

static vdnn_status accumulate_from(const vdnn_fit_request *request, int64_t all,
                                   vdnn_batch_accumulated *accumulated)
{
    vdnn_graph_options options = vdnn_graph_asked(request->setup->graph);
    vdnn_fit_outcome outcome;
    bool fits = false;
    vdnn_status status = vdnn_fit_fewest_micro_batches(request, 1, &options.micro_batches, &fits);
    if (status != VDNN_OK || !fits)
        return status;
    status = vdnn_fit_as(request, &options, &outcome);
    if (status == VDNN_OK && outcome.fits)
        *accumulated = (vdnn_batch_accumulated){options.micro_batches,
                                                vdnn_samples_per_second(all, outcome.step_seconds)};
    return status;
}

static vdnn_status accumulate(const vdnn_fit_request *request, const vdnn_batch_row *row,
                              vdnn_batch_accumulated *accumulated)
{
    const vdnn_graph *graph = request->setup->graph;
    vdnn_graph_options options = vdnn_graph_asked(graph);
    vdnn_setup derived;
    options.batch = row->batch / graph->devices;
    VDNN_TRY(vdnn_fit_derive(request->setup, &options, &derived));
    const vdnn_fit_request base = {.setup = &derived,
                                   .policy = vdnn_policy_find("base"),
                                   .algo = VDNN_ALGO_P,
                                   .tests = request->tests};
    vdnn_status status = accumulate_from(&base, row->batch, accumulated);
    vdnn_fit_derived_end(&derived);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static vdnn_status choose_accumulated(const vdnn_fit_request *request, vdnn_batches *batches,
                                      vdnn_batch_choice choice)
{
    const size_t row = batches->found[choice];
    batches->accumulated[choice] = (vdnn_batch_accumulated){.micro_batches = 0};
    return row < batches->count
               ? accumulate(request, &batches->rows[row], &batches->accumulated[choice])
               : VDNN_OK;
}

static vdnn_status choose(const search *s)
{
    vdnn_batches *batches = s->batches;
    batches->found[VDNN_BATCH_LARGEST] = batches->count - 1;
    batches->found[VDNN_BATCH_FASTEST] = fastest(batches);
    batches->found[VDNN_BATCH_AT_SPEED] = largest_at_speed(batches);
    vdnn_status status = VDNN_OK;
    for (int c = 0; c < VDNN_BATCH_CHOICES && status == VDNN_OK; c++)
        status = choose_accumulated(s->request, batches, (vdnn_batch_choice)c);
    return status;
}

/* With the batch asked for, where that fits. */
static void compare_planned(vdnn_batches *batches)
{
    const double spread = vdnn_known_spread(&batches->setup->properties);
    for (size_t i = 0; i < batches->count; i++)
        if (batches->rows[i].results == VDNN_RESULTS_SAME)
            batches->asked = i;
    for (size_t i = 0; i < batches->count && batches->asked < batches->count; i++)
        if (i != batches->asked)
            batches->rows[i].pace =
                vdnn_pace_planned(batches->rows[i].images_per_second /
                                      batches->rows[batches->asked].images_per_second,
                                  spread);
}

vdnn_status vdnn_batches_find(const vdnn_fit_request *request, const vdnn_run_options *options,
                              vdnn_batches *batches)
{
    const vdnn_setup *setup = request->setup;
    const search s = {request, options, batches};
    int64_t largest = 0;
    if (setup->properties.recorded)
        return vdnn_status_fail(VDNN_USAGE,
                                "--max-batch: --device %s has the times of batch %lld alone",
                                setup->properties.name, (long long)setup->graph->step_batch);
    *batches =
        (vdnn_batches){.setup = setup, .policy = request->policy, .asked = VDNN_BATCHES_MOST};
    vdnn_messages_log(&setup->messages, VDNN_LOG_INFO, "looking for the largest batch that fits");
    vdnn_status status = vdnn_fit_largest_batch(request, &largest);
    if (status == VDNN_OK && largest > 0)
        status = try_powers(&s, largest);
    if (status == VDNN_OK && batches->count == 0)
        return vdnn_status_fail(VDNN_NO_FIT,
                                "no batch of %s fits this budget under policy %s; --explain says "
                                "what would",
                                setup->graph->name, request->policy->name);
    VDNN_IF_OK(status, try_batch(&s, setup->graph->batch));
    VDNN_IF_OK(status, find_fastest(&s));
    VDNN_IF_OK(status, find_at_speed(&s));
    if (status == VDNN_OK)
        compare_planned(batches);
    return status == VDNN_OK ? choose(&s) : status;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static vdnn_status begin_trial(const vdnn_fit_request *request, const vdnn_run_options *options,
                               const vdnn_batch_row *row, vdnn_trial *trial)
{
    const vdnn_setup *setup = request->setup;
    vdnn_graph_options graph = vdnn_graph_asked(setup->graph);
    vdnn_fit_request other = *request;
    vdnn_patience patience;
    trial->setup = *setup;
    if (row->batch != setup->graph->step_batch) {
        graph.batch = row->batch;
        VDNN_TRY(vdnn_fit_derive(setup, &graph, &trial->setup));
        other.planning = NULL; /* which is of the setup's graph */
    }
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, options, &setup->messages, &patience);
    other.setup = &trial->setup;
    other.patience = &patience.of_policy;
    other.tests = false;
    return vdnn_fit_plan(&other, &trial->plans);
}

static bool has_trial(const vdnn_trials *trials, size_t row)
{
    for (size_t i = 0; i < trials->count; i++)
        if (trials->list[i].row == row)
            return true;
    return false;
}

vdnn_status vdnn_batches_begin_trials(const vdnn_fit_request *request,
                                      const vdnn_run_options *options, const vdnn_batches *batches,
                                      vdnn_trials *trials)
{
    vdnn_trials fresh = {.count = 0};
    vdnn_status status = VDNN_OK;
    if (batches->asked >= batches->count || !vdnn_trial_is_possible(request->setup))
        return VDNN_OK;
    for (int c = -1; c < VDNN_BATCH_CHOICES && status == VDNN_OK; c++) {
        const size_t row = c < 0 ? batches->asked : batches->found[c];
        if (row >= batches->count || has_trial(&fresh, row))
            continue;
        fresh.list[fresh.count].row = row;
        status = begin_trial(request, options, &batches->rows[row], &fresh.list[fresh.count]);
        fresh.count++;
    }
    if (status == VDNN_OK)
        *trials = fresh;
    else
        vdnn_trials_fini(&fresh);
    return status;
}

/* What was not timed takes as much longer than its plan as the batch asked for. */
static void scale_estimates(vdnn_batches *batches, double factor)
{
    for (size_t i = 0; i < batches->count; i++) {
        batches->rows[i].step_seconds *= factor;
        batches->rows[i].images_per_second /= factor;
    }
    for (int c = 0; c < VDNN_BATCH_CHOICES; c++)
        batches->accumulated[c].images_per_second /= factor;
}

static void take_trial(const vdnn_trials *trials, size_t trial, vdnn_batch_row *row)
{
    row->is_measured = true;
    row->step_seconds = vdnn_trial_seconds(trials, trial, &row->spread);
    row->images_per_second = vdnn_samples_per_second(row->batch, row->step_seconds);
    if (trial > 0)
        row->pace = vdnn_trial_pace(trials, trial);
}

vdnn_status vdnn_batches_take_trials(const vdnn_fit_request *request, const vdnn_trials *trials,
                                     vdnn_batches *batches)
{
    vdnn_batch_row *rows = batches->rows;
    size_t best = batches->asked;
    double spread;
    if (trials->rounds == 0)
        return VDNN_OK;
    const double factor = vdnn_trial_seconds(trials, 0, &spread) / rows[best].step_seconds;
    scale_estimates(batches, factor);
    for (size_t i = 0; i < trials->count; i++) {
        vdnn_batch_row *own = &rows[trials->list[i].row];
        if (trials->list[i].is_left_out)
            continue;
        take_trial(trials, i, own);
        if (own->pace.verdict == VDNN_PACE_FASTER && own->pace.ratio > rows[best].pace.ratio)
            best = trials->list[i].row;
    }
    if (best == batches->found[VDNN_BATCH_FASTEST])
        return VDNN_OK;
    batches->found[VDNN_BATCH_FASTEST] = best;
    vdnn_status status = choose_accumulated(request, batches, VDNN_BATCH_FASTEST);
    batches->accumulated[VDNN_BATCH_FASTEST].images_per_second /= factor;
    return status;
}

void vdnn_batches_add_command(const vdnn_batches *batches, const vdnn_batch_row *row,
                              vdnn_text *text)
{
    char change[48];
    if (batches->command == NULL)
        return;
    (void)snprintf(change, sizeof change, "--batch %lld", (long long)row->batch);
    vdnn_command_line_add(batches->command, change, text);
}
