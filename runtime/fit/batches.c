#include "runtime/fit/batches.h"

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/table.h"
#include "runtime/setup/patience.h"

#include <stdio.h>
#include <string.h>

/* How close two rows are, as a share of the lower's batch, where no more is looked for between
 * them: next to the largest at a speed, and above it. */
static const double CLOSE = 0.01, NEAR = 0.15;

enum { REFINEMENTS = 2 };

static const struct {
    const char *name, *text;
} choices[VDNN_BATCH_CHOICES] = {
    [VDNN_BATCH_LARGEST] = {"largest", "the largest that fits"},
    [VDNN_BATCH_FASTEST] = {"fastest", "the most images/s"},
    [VDNN_BATCH_AT_SPEED] = {"at_speed", "the largest at 90 % of unlimited memory's images/s"},
};

const char *vdnn_batch_choice_name(vdnn_batch_choice choice)
{
    return choices[choice].name;
}

typedef struct search {
    const vdnn_fit_request *request;
    const vdnn_run_options *options;
    vdnn_batches *batches;
} search;

static double rate(int64_t batch, double seconds)
{
    return seconds > 0.0 ? (double)batch / seconds : 0.0;
}

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
    const vdnn_batch_row row = {all, outcome.device_bytes, rate(all, outcome.step_seconds),
                                outcome.oracle_step_seconds / outcome.step_seconds};
    insert(s->batches, row);
    vdnn_messages_log(&setup->messages, VDNN_LOG_INFO,
                      "batch %lld: %.5g images/s, %.1f %% of those with unlimited memory",
                      (long long)all, row.images_per_second, 100 * row.of_oracle);
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
        *accumulated =
            (vdnn_batch_accumulated){options.micro_batches, rate(all, outcome.step_seconds)};
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

static vdnn_status choose(const search *s)
{
    vdnn_batches *batches = s->batches;
    batches->found[VDNN_BATCH_LARGEST] = batches->count - 1;
    batches->found[VDNN_BATCH_FASTEST] = fastest(batches);
    batches->found[VDNN_BATCH_AT_SPEED] = largest_at_speed(batches);
    vdnn_status status = VDNN_OK;
    for (int c = 0; c < VDNN_BATCH_CHOICES && status == VDNN_OK; c++)
        if (batches->found[c] < batches->count)
            status =
                accumulate(s->request, &batches->rows[batches->found[c]], &batches->accumulated[c]);
    return status;
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
    *batches = (vdnn_batches){.setup = setup, .policy = request->policy};
    vdnn_messages_log(&setup->messages, VDNN_LOG_INFO, "looking for the largest batch that fits");
    vdnn_status status = vdnn_fit_largest_batch(request, &largest);
    if (status == VDNN_OK && largest > 0)
        status = try_powers(&s, largest);
    if (status == VDNN_OK && batches->count == 0)
        return vdnn_status_fail(VDNN_NO_FIT,
                                "no batch of %s fits this budget under policy %s; --explain says "
                                "what would",
                                setup->graph->name, request->policy->name);
    VDNN_IF_OK(status, find_fastest(&s));
    VDNN_IF_OK(status, find_at_speed(&s));
    return status == VDNN_OK ? choose(&s) : status;
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *table_cell(const void *context, size_t row, size_t column,
                              char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_batch_row *own = &((const vdnn_batches *)context)->rows[row];
    if (column == 0)
        (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%lld", (long long)own->batch);
    else if (column == 1)
        (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.5g", own->images_per_second);
    else if (column == 2)
        (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.1f %%", 100 * own->of_oracle);
    else
        (void)vdnn_text_bytes(words, VDNN_TABLE_CELL_BYTES, (double)own->device_bytes);
    return words;
}

static void print_choice(const vdnn_batches *batches, vdnn_batch_choice choice, vdnn_text *text)
{
    const vdnn_batch_accumulated *accumulated = &batches->accumulated[choice];
    if (batches->found[choice] >= batches->count) {
        vdnn_text_add(text, "%s: none\n", choices[choice].text);
        return;
    }
    const vdnn_batch_row *row = &batches->rows[batches->found[choice]];
    vdnn_text_add(text, "%s: --batch %lld, %.5g images/s", choices[choice].text,
                  (long long)row->batch, row->images_per_second);
    if (accumulated->micro_batches > 1)
        vdnn_text_add(text, " (base with --accumulate %d: %.5g)", (int)accumulated->micro_batches,
                      accumulated->images_per_second);
    else if (accumulated->micro_batches == 1)
        vdnn_text_add(text, " (base: %.5g)", accumulated->images_per_second);
    vdnn_text_add(text, "\n");
}

static void print_choices(const vdnn_batches *batches, vdnn_text *text)
{
    for (int c = 0; c < VDNN_BATCH_CHOICES; c++)
        print_choice(batches, (vdnn_batch_choice)c, text);
    vdnn_text_add(text, "The largest is exact; the others are the best of these rows.\n");
    if (!batches->setup->properties.simulated)
        vdnn_text_add(text, "Times are scaled from those measured with batch %lld.\n",
                      (long long)batches->setup->graph->step_batch);
}

vdnn_status vdnn_batches_print(const vdnn_batches *batches, size_t line, vdnn_text *text)
{
    static const vdnn_table_column columns[] = {{"batch", 0, false},
                                                {"images/s", 0, false},
                                                {"of unlimited", 1, false},
                                                {"device memory", 0, false}};
    const vdnn_table table = {columns, sizeof columns / sizeof *columns, batches->count, table_cell,
                              batches};
    const vdnn_setup *setup = batches->setup;
    char budget[32];
    vdnn_text lines = {0};
    vdnn_text_add(
        text, "%s, policy %s, %s of device memory%s:\n", setup->graph->name, batches->policy->name,
        vdnn_text_bytes(budget, sizeof budget, (double)setup->budget_bytes[VDNN_TIER_DEVICE]),
        setup->graph->devices > 1 ? " on each device" : "");
    vdnn_table_add(&table, line, text);
    vdnn_text_add(text, "\n");
    print_choices(batches, &lines);
    vdnn_text_move_folded(text, &lines, line);
    return vdnn_text_status(text, "the batches");
}
