/* Batches in words, for people. */

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/numbers/rounded.h"
#include "runtime/base/table.h"
#include "runtime/fit/batches.h"
#include "runtime/setup/known_digits.h"

#include <stdio.h>
#include <string.h>

/* Some end with the unit of rates. */
static const struct {
    const char *text;
    bool has_unit;
} choices[VDNN_BATCH_CHOICES] = {
    [VDNN_BATCH_LARGEST] = {"the largest that fits", false},
    [VDNN_BATCH_FASTEST] = {"the most ", true},
    [VDNN_BATCH_AT_SPEED] = {"the largest at 90 % of unlimited memory's ", true},
};

/* ---- the table ------------------------------------------------------------------------------- */

enum { BATCH, RESULTS, SPEED, RATE, OF_UNLIMITED, MEMORY, COLUMNS };

static const vdnn_table_column columns[COLUMNS] = {
    [BATCH] = {"batch", 0, false},
    [RESULTS] = {"results", 2, true},
    [SPEED] = {"speed", 3, true},
    [RATE] = {NULL, 0, false}, /* in the network's unit */
    [OF_UNLIMITED] = {"of unlimited", 1, false},
    [MEMORY] = {"device memory", 0, false},
};

/* The batch asked for is the first, since it alone keeps the results. */
static const vdnn_batch_row *row_at(const vdnn_batches *batches, size_t row)
{
    if (batches->asked >= batches->count)
        return &batches->rows[row];
    return &batches->rows[row == 0 ? batches->asked : row <= batches->asked ? row - 1 : row];
}

static bool is_measured(const vdnn_batches *batches)
{
    return batches->asked < batches->count && batches->rows[batches->asked].is_measured;
}

/* Next to times that were measured. */
static bool is_estimate(const vdnn_batches *batches, const vdnn_batch_row *own)
{
    return !own->is_measured && is_measured(batches);
}

static const char *unit_of(const vdnn_batches *batches)
{
    return vdnn_graph_rate_unit(batches->setup->graph).name;
}

static double in_unit(const vdnn_batches *batches, double images_per_second)
{
    return images_per_second * vdnn_graph_rate_unit(batches->setup->graph).per_sample;
}

static const char *rate_text(const vdnn_batches *batches, const vdnn_batch_row *own, char *words)
{
    char number[32];
    const int digits = own->is_measured ? vdnn_rounded_digits(own->spread)
                                        : vdnn_known_digits(&batches->setup->properties);
    (void)snprintf(
        words, VDNN_TABLE_CELL_BYTES, "%s%s", is_estimate(batches, own) ? "~" : "",
        vdnn_rounded_text(number, sizeof number, in_unit(batches, own->images_per_second), digits));
    return words;
}

static const char *table_cell(const void *context, size_t row, size_t column,
                              char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_batches *batches = context;
    const vdnn_batch_row *own = row_at(batches, row);
    switch (column) {
    case BATCH:
        (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%lld", (long long)own->batch);
        return words;
    case RESULTS:
        return vdnn_results_text(own->results);
    case SPEED:
        return vdnn_pace_text(&own->pace, words, VDNN_TABLE_CELL_BYTES);
    case RATE:
        return rate_text(batches, own, words);
    case OF_UNLIMITED:
        (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.0f %%", 100 * own->of_oracle);
        return words;
    default:
        return vdnn_text_bytes(words, VDNN_TABLE_CELL_BYTES, (double)own->device_bytes);
    }
}

/* ---- below it -------------------------------------------------------------------------------- */

static void print_choice(const vdnn_batches *batches, vdnn_batch_choice choice, vdnn_text *text)
{
    const vdnn_batch_accumulated *accumulated = &batches->accumulated[choice];
    char cells[2][VDNN_TABLE_CELL_BYTES];
    vdnn_text_add(text, "%s%s: ", choices[choice].text,
                  choices[choice].has_unit ? unit_of(batches) : "");
    if (batches->found[choice] >= batches->count) {
        vdnn_text_add(text, "none\n");
        return;
    }
    const vdnn_batch_row *row = &batches->rows[batches->found[choice]];
    vdnn_text_add(text, "--batch %lld, %s %s%s", (long long)row->batch,
                  rate_text(batches, row, cells[0]), unit_of(batches),
                  row->is_measured && choice == VDNN_BATCH_FASTEST &&
                          row == &batches->rows[batches->asked]
                      ? ", as far as the turns tell"
                      : "");
    if (row->pace.verdict != VDNN_PACE_UNKNOWN)
        vdnn_text_add(text, ", %s", vdnn_pace_text(&row->pace, cells[1], sizeof cells[1]));
    if (accumulated->micro_batches > 0)
        vdnn_text_add(text, " (base");
    if (accumulated->micro_batches > 1)
        vdnn_text_add(text, " with --accumulate %d", (int)accumulated->micro_batches);
    if (accumulated->micro_batches > 0)
        vdnn_text_add(text, ": %s%s)", is_measured(batches) ? "~" : "",
                      vdnn_rounded_text(cells[1], sizeof cells[1],
                                        in_unit(batches, accumulated->images_per_second),
                                        vdnn_known_digits(&batches->setup->properties)));
    vdnn_text_add(text, "\n");
}

static void print_choices(const vdnn_batches *batches, vdnn_text *text)
{
    const vdnn_device_properties *properties = &batches->setup->properties;
    const long long asked = (long long)batches->setup->graph->step_batch;
    for (int c = 0; c < VDNN_BATCH_CHOICES; c++)
        print_choice(batches, (vdnn_batch_choice)c, text);
    vdnn_text_add(text, "The largest is exact; the others are the best of these rows.\n");
    if (batches->asked < batches->count)
        vdnn_text_add(text,
                      "Speed is compared with batch %lld, which alone keeps the results: "
                      "another batch is another training. ",
                      asked);
    if (is_measured(batches))
        vdnn_text_add(text, "The batches found were timed in turns, on made-up data; a difference "
                            "is none unless all turns and the estimate agree on it, and ~ is an "
                            "estimate.\n");
    else
        vdnn_text_add(text, "Less than %.0f %% apart is no difference.\n",
                      100 * vdnn_known_spread(properties));
    if (!properties->simulated)
        vdnn_text_add(text, "%s times are scaled from those measured with batch %lld.\n",
                      is_measured(batches) ? "All other" : "The", asked);
}

static bool is_named_before(const vdnn_batches *batches, int choice)
{
    for (int c = 0; c < choice; c++)
        if (batches->found[c] == batches->found[choice])
            return true;
    return false;
}

/* Not folded, to be pasted. */
static void print_commands(const vdnn_batches *batches, vdnn_text *text)
{
    if (batches->command == NULL)
        return;
    vdnn_text_add(text, "to run them, in that order:\n");
    for (int c = 0; c < VDNN_BATCH_CHOICES; c++) {
        if (batches->found[c] >= batches->count || is_named_before(batches, c))
            continue;
        vdnn_text_add(text, "  ");
        vdnn_batches_add_command(batches, &batches->rows[batches->found[c]], text);
        vdnn_text_add(text, "\n");
    }
}

vdnn_status vdnn_batches_print(const vdnn_batches *batches, size_t line, vdnn_text *text)
{
    vdnn_table_column titled[COLUMNS];
    memcpy(titled, columns, sizeof titled);
    titled[RATE].title = unit_of(batches);
    const vdnn_table table = {titled, COLUMNS, batches->count, table_cell, batches};
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
    print_commands(batches, text);
    return vdnn_text_status(text, "the batches");
}
