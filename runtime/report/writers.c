#include "runtime/report/report.h"

#include "runtime/planner/clock/link.h"
#include "runtime/report/algorithms.h"
#include "runtime/report/cards.h"
#include "runtime/report/page/page.h"
#include "runtime/report/run_beside.h"
#include "runtime/report/step_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------------- */

/* A budget of 0: none suffices, because the host tier is too small. */
typedef enum cell_kind { CELL_BYTES, CELL_BUDGET, CELL_SECONDS, CELL_RATIO, CELL_KINDS } cell_kind;

/* title for people, key for programs, kind, width in the table for people (0: not there), and
 * which leaves it first where a terminal is too narrow (the highest; 0: none), value of `row` */
#define COLUMN_TABLE(X)                                                                            \
    X("peak", "device_peak_bytes", BYTES, 7, 0, (double)row->footprint.device_peak_bytes)          \
    X("average", "device_average_bytes", BYTES, 8, 4, row->footprint.device_average_bytes)         \
    X("arena", "arena_bytes", BYTES, 0, 0, (double)row->plan->span_bytes[VDNN_TIER_DEVICE])        \
    X("host", "host_peak_bytes", BYTES, 7, 2, (double)row->footprint.host_peak_bytes)              \
    X("offloaded", "offload_bytes", BYTES, 10, 3, (double)row->footprint.offload_bytes)            \
    X("recomputed", "recompute_seconds", SECONDS, 11, 5, row->plan->recompute_seconds)             \
    X("step", "step_seconds", SECONDS, 8, 0, row->footprint.step_seconds)                          \
    X("speed", "relative_speed", RATIO, 6, 0, row->relative_speed)                                 \
    X("smallest", "smallest_bytes", BUDGET, 9, 1, (double)row->verdict.smallest_bytes)

static const struct {
    vdnn_text_column column;
    const char *key;
    cell_kind kind;
} columns[] = {
#define X(title, key, kind, width, rank, value) {{title, width, rank}, key, CELL_##kind},
    COLUMN_TABLE(X)
#undef X
};

enum { COLUMNS = sizeof columns / sizeof columns[0], CELL_BYTES_MAX = VDNN_REPORT_CELL_BYTES };

static void read_row(const vdnn_report_row *row, double values[COLUMNS])
{
    const double all[] = {
#define X(title, key, kind, width, rank, value) value,
        COLUMN_TABLE(X)
#undef X
    };
    memcpy(values, all, sizeof all);
}

static bool is_bytes(cell_kind kind)
{
    return kind == CELL_BYTES || kind == CELL_BUDGET;
}

static const char *for_people(cell_kind kind, double value, char cell[CELL_BYTES_MAX])
{
    if (kind == CELL_BUDGET && value <= 0)
        return "host too small";
    if (is_bytes(kind))
        return vdnn_text_bytes(cell, CELL_BYTES_MAX, value);
    if (kind == CELL_RATIO)
        (void)snprintf(cell, CELL_BYTES_MAX, "%.3f", value);
    else
        (void)vdnn_page_seconds(value, cell, CELL_BYTES_MAX);
    return cell;
}

const char *vdnn_report_policy_text(const vdnn_report_row *row, char cell[CELL_BYTES_MAX])
{
    if (row->micro_batches > 0)
        (void)snprintf(cell, CELL_BYTES_MAX, "accumulate %d (%s)", row->micro_batches,
                       row->plan->algo);
    else if (strcmp(row->policy->name, row->plan->policy) == 0)
        (void)snprintf(cell, CELL_BYTES_MAX, "%s (%s)", row->policy->name, row->plan->algo);
    else
        (void)snprintf(cell, CELL_BYTES_MAX, "%s = %s (%s)", row->policy->name, row->plan->policy,
                       row->plan->algo);
    return cell;
}

/* Whether micro-batches train otherwise than the whole batch does. */
static bool has_other_statistics(const vdnn_report_row *row)
{
    return row->micro_batches > 1 && vdnn_graph_couples_samples(row->setup->graph) != NULL;
}

/* The first of a row in tables. */
static const char *first_cell(const vdnn_report_row *row, char cell[CELL_BYTES_MAX])
{
    size_t length = strlen(vdnn_report_policy_text(row, cell));
    if (has_other_statistics(row))
        (void)snprintf(cell + length, CELL_BYTES_MAX - length, ", other statistics");
    return cell;
}

static const char *fits_cell(const vdnn_report_row *row)
{
    return row->verdict.fits ? "yes" : "no";
}

static vdnn_status finish(const vdnn_text *text)
{
    return text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the report") : VDNN_OK;
}

typedef void add_words(vdnn_text *text, const char *words);

static void add_as_they_are(vdnn_text *text, const char *words)
{
    vdnn_text_add(text, "%s", words);
}

/* The headline, escaped by `add`. */
static void add_head(const vdnn_report *report, add_words *add, vdnn_text *text)
{
    const vdnn_setup *setup = &report->setup;
    char card[sizeof setup->properties.name + 128], device[32], host[32];
    vdnn_text head = {0};
    vdnn_text_add(&head, "%s, batch %lld, ", setup->graph->name, (long long)report->batch);
    if (report->device_count > 1)
        vdnn_text_add(&head, "%d devices, each ", report->device_count);
    vdnn_text_add(
        &head, "%s, device memory %s, host memory %s",
        vdnn_setup_device_text(card, sizeof card, &setup->properties),
        vdnn_text_bytes(device, sizeof device, (double)setup->budget_bytes[VDNN_TIER_DEVICE]),
        vdnn_text_bytes(host, sizeof host, (double)setup->budget_bytes[VDNN_TIER_HOST]));
    if (!head.failed) {
        add(text, head.data);
    } else {
        vdnn_text_fini(text);
        text->failed = 1;
    }
    vdnn_text_fini(&head);
}

/* The rates that the planner uses; for both directions, their sum. */
static void add_link(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_device_properties *properties = &report->setup.properties;
    vdnn_rates rates = vdnn_profile_rates(report->setup.profile);
    double channels[VDNN_LINK_CHANNELS];
    char cells[VDNN_LINK_CHANNELS][CELL_BYTES_MAX];
    (void)vdnn_link_channels(&rates, 1, channels);
    for (int i = 0; i < VDNN_LINK_CHANNELS; i++)
        (void)vdnn_text_bytes(cells[i], CELL_BYTES_MAX, channels[i]);
    vdnn_text_add(text, "Copies to the host reach %s/s, from it %s/s, both at once %s/s (%s)",
                  cells[VDNN_LINK_OUT], cells[VDNN_LINK_IN], cells[VDNN_LINK_BOTH],
                  properties->simulated && !properties->recorded ? "by the device model"
                                                                 : "measured");
}

/* The figures of a device model by their basis. */
static void add_figures(const vdnn_report *report, const char *begin, const char *end,
                        vdnn_text *text)
{
    const vdnn_device_properties *properties = &report->setup.properties;
    for (int basis = 0; basis < VDNN_BASIS_COUNT; basis++) {
        int count = 0;
        for (int i = 0; i < properties->figure_count; i++) {
            const vdnn_figure *figure = &properties->figures[i];
            if ((int)figure->basis != basis)
                continue;
            if (count++ == 0)
                vdnn_text_add(text, "%sFigures of the device model %s: ", begin,
                              vdnn_basis_words(figure->basis));
            else
                vdnn_text_add(text, ", ");
            vdnn_text_add(text, "%s%s%s", figure->section, figure->key == NULL ? "" : ".",
                          figure->key == NULL ? "" : figure->key);
        }
        vdnn_text_add(text, "%s", count == 0 ? "" : end);
    }
}

static void add_range(const vdnn_report *report, const char *begin, const char *end,
                      vdnn_text *text)
{
    double range[2];
    if (vdnn_report_range(report, range))
        vdnn_text_add(text,
                      "%sExpect %.2f to %.2f of these step times: half of the published "
                      "convolutions are within %.0f %% of the device model%s",
                      begin, range[0], range[1],
                      100 * report->setup.properties.accuracy.half_within, end);
}

/* NULL: there is none. */
static const vdnn_report_row *accumulation_of(const vdnn_report *report)
{
    for (size_t r = 0; r < report->row_count; r++)
        if (report->rows[r].micro_batches > 0)
            return &report->rows[r];
    return NULL;
}

/* What its row is; NULL: there is none. */
static const char *accumulation_note(const vdnn_report *report)
{
    const vdnn_report_row *row = accumulation_of(report);
    if (row == NULL)
        return NULL;
    return has_other_statistics(row)
               ? "Accumulate: base in the fewest micro-batches that fit, with one update; each is "
                 "normalized by its own statistics"
               : "Accumulate: base in the fewest micro-batches that fit, with one update";
}

static const char *speed_note(const vdnn_report *report)
{
    if (report->device_count > 1)
        return "Speed: time of a step with unlimited memory / time of the slowest device's step, "
               "copies on the links that they share, with the sums of gradients that are not "
               "hidden";
    return report->options.counts_as_paper
               ? "Speed: time of the feature-extraction layers with unlimited memory / their time; "
                 "peak, average, host, offloaded and step as the vDNN paper counts them"
               : "Speed: time of a step with unlimited memory / time of a step";
}

/* Those that fit on several devices, or would on one. */
static void add_fitting(const vdnn_report *report, bool alone, vdnn_text *text)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    size_t count = 0;
    for (size_t r = 0; r < report->row_count; r++)
        count += alone ? report->rows[r].fits_alone : report->rows[r].verdict.fits;
    if (count == 0 || count == report->row_count) {
        vdnn_text_add(text, "%s policy fits", count == 0 ? "no" : "every");
        return;
    }
    const char *separator = "";
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (!(alone ? row->fits_alone : row->verdict.fits))
            continue;
        vdnn_text_add(text, "%s%s", separator,
                      row->policy->is_static ? first_cell(row, cell) : row->policy->name);
        separator = ", ";
    }
    vdnn_text_add(text, count == 1 ? " fits" : " fit");
}

static void add_shares(const vdnn_report *report, vdnn_text *text)
{
    char saved[32], left[32];
    const vdnn_graph *graph = report->setup.graph;
    if (graph->shards)
        vdnn_text_add(text,
                      " Each updates its share of the parameters, and keeps %s of the optimizer's "
                      "state: %s less.",
                      vdnn_text_bytes(left, sizeof left, (double)vdnn_graph_all_state_bytes(graph)),
                      vdnn_text_bytes(saved, sizeof saved, (double)vdnn_graph_shard_saves(graph)));
}

/* What the devices buy. */
static void add_devices(const vdnn_report *report, const char *before, const char *after,
                        vdnn_text *text)
{
    if (report->device_count == 1)
        return;
    vdnn_text_add(text, "%s", before);
    vdnn_text_add(text, "With %lld of %lld samples on each of %d devices, ",
                  (long long)report->setup.graph->batch, (long long)report->batch,
                  report->device_count);
    add_fitting(report, false, text);
    vdnn_text_add(text, "; with all of them on one, ");
    add_fitting(report, true, text);
    vdnn_text_add(text, ".");
    add_shares(report, text);
    vdnn_text_add(text, "%s", after);
}

/* ---- text, CSV, Markdown, JSON --------------------------------------------------------------- */

/* What all cells of a kind are counted in, so that they compare. */
typedef struct unit {
    const char *name;
    double size;
    int decimals;
} unit;

static unit choose_unit(const vdnn_report *report, cell_kind kind)
{
    static const unit units[][2] = {
        [CELL_BYTES] = {{"GiB", 1024.0 * 1024 * 1024, 2}, {"MiB", 1024.0 * 1024, 2}},
        [CELL_BUDGET] = {{"GiB", 1024.0 * 1024 * 1024, 2}, {"MiB", 1024.0 * 1024, 2}},
        [CELL_SECONDS] = {{"s", 1, 3}, {"ms", 1e-3, 2}},
        [CELL_RATIO] = {{"", 1, 3}, {"", 1, 3}}};
    double values[COLUMNS], most = 0;
    for (size_t r = 0; r < report->row_count; r++) {
        read_row(&report->rows[r], values);
        for (size_t c = 0; c < COLUMNS; c++)
            if (columns[c].kind == kind || (is_bytes(kind) && is_bytes(columns[c].kind)))
                most = fmax(most, values[c]);
    }
    return units[kind][most >= units[kind][0].size ? 0 : 1];
}

/* The fastest that fits, of equal ones that with the least memory. NULL: none fits. */
static const vdnn_report_row *fastest_row(const vdnn_report *report)
{
    const vdnn_report_row *best = NULL;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (!row->verdict.fits)
            continue;
        const double step = row->footprint.step_seconds;
        if (best == NULL || step < best->footprint.step_seconds ||
            (step <= best->footprint.step_seconds &&
             row->footprint.device_peak_bytes < best->footprint.device_peak_bytes))
            best = row;
    }
    return best;
}

/* NULL: the host tier is too small for each. */
static const vdnn_report_row *smallest_row(const vdnn_report *report)
{
    const vdnn_report_row *best = NULL;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        const size_t bytes = row->verdict.smallest_bytes;
        if (bytes > 0 && (best == NULL || bytes < best->verdict.smallest_bytes))
            best = row;
    }
    return best;
}

/* `mark` is that of the fastest row. */
static void add_conclusion(const vdnn_report *report, const char *mark, vdnn_text *text)
{
    const vdnn_report_row *fastest = fastest_row(report), *smallest = smallest_row(report);
    char cell[CELL_BYTES_MAX], bytes[CELL_BYTES_MAX];
    if (fastest == NULL)
        vdnn_text_add(text, "No policy fits.");
    else
        vdnn_text_add(text, "%sThe fastest that fits is %s, with %.3f of the speed.", mark,
                      vdnn_report_policy_text(fastest, cell), fastest->relative_speed);
    if (smallest != NULL)
        vdnn_text_add(
            text, " The least memory takes %s: it fits from %s on, with %.3f.",
            vdnn_report_policy_text(smallest, cell),
            vdnn_text_bytes(bytes, sizeof bytes, (double)smallest->verdict.smallest_bytes),
            smallest->relative_speed);
    vdnn_text_add(text, "\n");
}

/* Of a line for people. */
static size_t width_of(const vdnn_report *report)
{
    return vdnn_text_line(report->options.ask.columns);
}

static bool lacks_host(const vdnn_report *report)
{
    size_t count = 0;
    for (size_t r = 0; r < report->row_count; r++)
        count += report->rows[r].verdict.smallest_bytes == 0;
    return count > 0;
}

static void add_notes(const vdnn_report *report, vdnn_text *text)
{
    const char *note = accumulation_note(report);
    add_conclusion(report, "* ", text);
    vdnn_run_beside_add_line(report, text);
    vdnn_text_add(text, "%s\n", speed_note(report));
    if (note != NULL)
        vdnn_text_add(text, "%s\n", note);
    if (lacks_host(report))
        vdnn_text_add(text, "-: no device memory suffices with this much host memory\n");
    add_devices(report, "", "\n", text);
    add_link(report, text);
    vdnn_text_add(text, "\n");
    add_range(report, "", "\n", text);
    add_figures(report, "", "\n", text);
}

enum { FIRST_WIDTH = 22, FITS_WIDTH = 4 };

/* How the table is laid out: the units of its columns, and which of them fit. */
typedef struct layout {
    unit units[CELL_KINDS];
    bool shown[COLUMNS];
} layout;

static layout lay_out(const vdnn_report *report)
{
    vdnn_text_column own[COLUMNS];
    layout table;
    for (int kind = 0; kind < CELL_KINDS; kind++)
        table.units[kind] = choose_unit(report, (cell_kind)kind);
    for (size_t c = 0; c < COLUMNS; c++)
        own[c] = columns[c].column;
    vdnn_text_fit_columns(own, COLUMNS, FIRST_WIDTH + FITS_WIDTH, width_of(report), table.shown);
    return table;
}

static void add_titles(const layout *table, vdnn_text *text)
{
    vdnn_text_add(text, "%-*s%-*s", FIRST_WIDTH, "policy", FITS_WIDTH, "fits");
    for (size_t c = 0; c < COLUMNS; c++)
        if (table->shown[c])
            vdnn_text_add(text, " %*s", columns[c].column.width, columns[c].column.title);
    vdnn_text_add(text, "\n%*s", FIRST_WIDTH + FITS_WIDTH, "");
    for (size_t c = 0; c < COLUMNS; c++)
        if (table->shown[c])
            vdnn_text_add(text, " %*s", columns[c].column.width,
                          table->units[columns[c].kind].name);
    vdnn_text_add(text, "\n");
}

static void add_row(const vdnn_report_row *row, bool is_best, const layout *table, vdnn_text *text)
{
    char cell[CELL_BYTES_MAX];
    double values[COLUMNS];
    read_row(row, values);
    vdnn_text_add(text, "%s%-*s%-*s", is_best ? "*" : " ", FIRST_WIDTH - 1,
                  vdnn_report_policy_text(row, cell), FITS_WIDTH, fits_cell(row));
    for (size_t c = 0; c < COLUMNS; c++) {
        const unit *in = &table->units[columns[c].kind];
        const int width = columns[c].column.width;
        if (table->shown[c] && columns[c].kind == CELL_BUDGET && values[c] <= 0)
            vdnn_text_add(text, " %*s", width, "-");
        else if (table->shown[c])
            vdnn_text_add(text, " %*.*f", width, in->decimals, values[c] / in->size);
    }
    vdnn_text_add(text, "\n");
}

/* Columns that the table has where there is room. */
static void add_left_out(const layout *table, vdnn_text *text)
{
    const char *before = "Left out for want of columns: ";
    for (size_t c = 0; c < COLUMNS; c++) {
        if (table->shown[c] || columns[c].column.width == 0)
            continue;
        vdnn_text_add(text, "%s%s", before, columns[c].column.title);
        before = ", ";
    }
    if (before[0] == ',')
        vdnn_text_add(text, "\n");
}

static vdnn_status write_table(const vdnn_report *report, vdnn_text *text)
{
    const layout table = lay_out(report);
    const vdnn_report_row *best = fastest_row(report);
    vdnn_text lines = {0};
    add_head(report, add_as_they_are, &lines);
    vdnn_text_add(&lines, "\n\n");
    vdnn_text_move_folded(text, &lines, width_of(report));
    add_titles(&table, text);
    for (size_t r = 0; r < report->row_count; r++)
        add_row(&report->rows[r], &report->rows[r] == best, &table, text);
    vdnn_text_add(text, "\n");
    vdnn_budgets_add_table(report, width_of(report), text);
    add_notes(report, &lines);
    add_left_out(&table, &lines);
    vdnn_text_move_folded(text, &lines, width_of(report));
    return finish(text);
}

static vdnn_status write_csv(const vdnn_report *report, vdnn_text *text)
{
    double values[COLUMNS];
    vdnn_text_add(text, "policy,algo,chosen_policy,fits");
    for (size_t c = 0; c < COLUMNS; c++)
        vdnn_text_add(text, ",%s", columns[c].key);
    vdnn_text_add(text, "\n");
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        read_row(row, values);
        if (row->micro_batches > 0)
            vdnn_text_add(text, "accumulate %d", row->micro_batches);
        else
            vdnn_text_add(text, "%s", row->policy->name);
        vdnn_text_add(text, ",%s,%s,%s", row->plan->algo, row->plan->policy,
                      row->verdict.fits ? "true" : "false");
        for (size_t c = 0; c < COLUMNS; c++)
            vdnn_text_add(text, is_bytes(columns[c].kind) ? ",%.0f" : ",%.9g", values[c]);
        vdnn_text_add(text, "\n");
    }
    return finish(text);
}

static vdnn_status write_markdown(const vdnn_report *report, vdnn_text *text)
{
    char cell[CELL_BYTES_MAX];
    double values[COLUMNS];
    const char *note = accumulation_note(report);
    add_head(report, vdnn_page_add_plain_markdown, text);
    vdnn_text_add(text, "\n\n| policy | fits |");
    for (size_t c = 0; c < COLUMNS; c++)
        vdnn_text_add(text, " %s |", columns[c].column.title);
    vdnn_text_add(text, "\n| --- | --- |");
    for (size_t c = 0; c < COLUMNS; c++)
        vdnn_text_add(text, " ---: |");
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        read_row(row, values);
        vdnn_text_add(text, "\n| ");
        vdnn_page_add_plain_markdown(text, first_cell(row, cell));
        vdnn_text_add(text, " | %s |", fits_cell(row));
        for (size_t c = 0; c < COLUMNS; c++)
            vdnn_text_add(text, " %s |", for_people(columns[c].kind, values[c], cell));
    }
    vdnn_text_add(text, "\n");
    if (report->options.counts_as_paper || report->device_count > 1)
        vdnn_text_add(text, "\n%s\n", speed_note(report));
    if (note != NULL)
        vdnn_text_add(text, "\n%s\n", note);
    add_devices(report, "\n", "\n", text);
    vdnn_text_add(text, "\n");
    add_link(report, text);
    vdnn_text_add(text, "\n");
    add_range(report, "\n", "\n", text);
    add_figures(report, "\n", "\n", text);
    return finish(text);
}

/* The figures of another accounting, in place of the plan's. */
static void replace_counted(json_t *plan, const vdnn_footprint *footprint)
{
    json_t *counted =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:n, s:o, s:o, s:s?}", "device_peak_bytes",
                  (json_int_t)footprint->device_peak_bytes, "device_average_bytes",
                  (json_int_t)llround(footprint->device_average_bytes), "host_peak_bytes",
                  (json_int_t)footprint->host_peak_bytes, "offload_bytes",
                  (json_int_t)footprint->offload_bytes, "prefetch_bytes",
                  (json_int_t)footprint->prefetch_bytes, "step_seconds", footprint->step_seconds,
                  "oracle_step_seconds", footprint->oracle_step_seconds, "bound_step_seconds",
                  "by_category", vdnn_record_categories(footprint->by_category),
                  "by_category_at_peak", vdnn_record_categories(footprint->by_category_at_peak),
                  "peak_layer", footprint->peak_layer);
    (void)json_object_update(plan, counted);
    json_decref(counted);
}

/* The fields of each device's plan; its step time is the one beside the others. */
static json_t *device_records(const vdnn_report *report, const vdnn_report_row *row)
{
    json_t *array = json_array();
    for (int32_t d = 0; d < report->device_count; d++) {
        bool lesser = d >= report->device_count - report->lesser_count;
        const vdnn_setup *setup = lesser ? &row->lesser : &report->setup;
        json_t *device =
            vdnn_record_plan(setup, lesser ? row->lesser_plan : row->plan, &row->verdict);
        (void)json_object_del(device, "smallest_bytes");
        (void)json_object_set_new(device, "batch", json_integer((json_int_t)setup->graph->batch));
        (void)json_object_set_new(device, "step_seconds", json_real(row->times[d].step_seconds));
        (void)json_object_set_new(device, "exposed_reduce_seconds",
                                  json_real(row->times[d].exposed_reduce_seconds));
        (void)json_array_append_new(array, device);
    }
    return array;
}

static double most_exposed(const vdnn_report *report, const vdnn_report_row *row)
{
    double most = 0;
    for (int32_t d = 0; d < report->device_count; d++)
        most = fmax(most, row->times[d].exposed_reduce_seconds);
    return most;
}

json_t *vdnn_report_row_record(const vdnn_report *report, const vdnn_report_row *row)
{
    double range[2];
    json_t *object = json_pack("{s:s, s:s}", "policy", row->policy->name, "algo", row->plan->algo);
    json_t *plan = vdnn_record_plan(row->setup, row->plan, &row->verdict);
    if (report->options.counts_as_paper)
        replace_counted(plan, &row->footprint);
    (void)json_object_update(object, plan);
    json_decref(plan);
    if (report->device_count > 1) {
        (void)json_object_set_new(object, "step_seconds", json_real(row->footprint.step_seconds));
        (void)json_object_set_new(object, "exposed_reduce_seconds",
                                  json_real(most_exposed(report, row)));
        (void)json_object_set_new(object, "fits_on_one", json_boolean(row->fits_alone));
        (void)json_object_set_new(object, "per_device", device_records(report, row));
    }
    (void)json_object_set_new(object, "relative_speed", json_real(row->relative_speed));
    if (vdnn_report_range(report, range))
        (void)json_object_set_new(object, "step_seconds_range",
                                  json_pack("[f, f]", row->footprint.step_seconds * range[0],
                                            row->footprint.step_seconds * range[1]));
    return object;
}

static json_t *accumulation_record(const vdnn_report *report, const vdnn_report_row *row)
{
    json_t *object = vdnn_report_row_record(report, row);
    (void)json_object_set_new(object, "micro_batches", json_integer(row->micro_batches));
    (void)json_object_set_new(object, "statistics",
                              json_string(has_other_statistics(row) ? "other" : "same"));
    (void)json_object_set_new(object, "oracle_step_seconds",
                              json_real(row->footprint.oracle_step_seconds));
    return object;
}

/* NULL: no memory. */
static json_t *report_record(const vdnn_report *report)
{
    const vdnn_graph *graph = report->setup.graph;
    json_t *rows = json_array(), *accumulation = NULL;
    bool is_good = true;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        json_t *record = row->micro_batches > 0 ? accumulation_record(report, row)
                                                : vdnn_report_row_record(report, row);
        if (is_good && !report->options.counts_as_paper) /* the paper counts otherwise than plans */
            is_good = vdnn_step_record(row->setup, row->plan, record) == VDNN_OK;
        if (row->micro_batches > 0)
            accumulation = record;
        else
            (void)json_array_append_new(rows, record);
    }
    json_t *root =
        json_pack("{s:i, s:s, s:I, s:s, s:o, s:o}", "schema_version", VDNN_SCHEMA_VERSION, "model",
                  graph->name, "batch", (json_int_t)report->batch, "rules",
                  graph->rules == VDNN_RULES_PAPER ? "paper" : "lean", "device",
                  vdnn_record_device(&report->setup), "policies", rows);
    (void)json_object_set_new(root, "devices", json_integer(report->device_count));
    (void)json_object_set_new(root, "accounting", json_string(report->options.ask.accounting));
    (void)json_object_set_new(root, "dtype", json_string(vdnn_dtype_text(graph->dtype)));
    (void)json_object_set_new(root, "layout", json_string(vdnn_layout_text(graph->preferred)));
    if (accumulation != NULL)
        (void)json_object_set_new(root, "accumulate", accumulation);
    (void)json_object_set_new(root, "peak", vdnn_algorithms_peak_record(&report->setup));
    (void)json_object_set_new(root, "layers", vdnn_algorithms_record(&report->setup));
    if (report->budget_count > 0)
        (void)json_object_set_new(root, "budgets", vdnn_budgets_record(report));
    if (report->run != NULL)
        (void)json_object_set_new(root, "run", vdnn_run_beside_record(report));
    if (is_good)
        return root;
    json_decref(root);
    return NULL;
}

static vdnn_status write_json(const vdnn_report *report, vdnn_text *text)
{
    return vdnn_record_dump(report_record(report), text);
}

/* ---- HTML ------------------------------------------------------------------------------------ */

static json_t *note_records(const vdnn_report *report)
{
    const char *note = accumulation_note(report);
    vdnn_text lines = {0};
    vdnn_text_add(&lines, "%s\n", speed_note(report));
    if (note != NULL)
        vdnn_text_add(&lines, "%s\n", note);
    add_devices(report, "", "\n", &lines);
    add_link(report, &lines);
    vdnn_text_add(&lines, "\n");
    add_range(report, "", "\n", &lines);
    add_figures(report, "", "\n", &lines);
    return vdnn_page_lines(&lines);
}

/* A row of the JSON with the words of its row of the table. */
static json_t *page_row(const vdnn_report_row *row, size_t index, bool is_best, json_t *record)
{
    char cell[CELL_BYTES_MAX];
    json_t *object = json_copy(record);
    (void)json_object_set_new(object, "label", json_string(first_cell(row, cell)));
    (void)json_object_set_new(object, "class",
                              json_string(!row->verdict.fits ? "no"
                                          : is_best          ? "best"
                                                             : "yes"));
    (void)json_object_set_new(object, "index", json_integer((json_int_t)index));
    (void)json_object_set_new(object, "open", json_boolean(is_best));
    return object;
}

static json_t *page_rows(const vdnn_report *report, const json_t *root)
{
    const vdnn_report_row *best = fastest_row(report);
    const json_t *policies = json_object_get(root, "policies");
    json_t *rows = json_array();
    size_t next = 0;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        json_t *record = row->micro_batches > 0 ? json_object_get(root, "accumulate")
                                                : json_array_get(policies, next++);
        (void)json_array_append_new(rows, page_row(row, r, row == best, record));
    }
    return rows;
}

/* Of the table of budgets. */
static json_t *budget_titles(const vdnn_report *report)
{
    char cell[CELL_BYTES_MAX];
    json_t *array = json_array();
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (row->micro_batches > 0)
            continue;
        if (row->policy->is_static)
            (void)vdnn_report_policy_text(row, cell);
        else /* what it chooses depends on the budget */
            (void)snprintf(cell, sizeof cell, "%.60s", row->policy->name);
        (void)json_array_append_new(array, json_string(cell));
    }
    return array;
}

/* For the head of the page. */
static json_t *fact_records(const vdnn_report *report)
{
    const vdnn_session_options *ask = &report->options.ask;
    return json_pack("{s:s, s:s?, s:s?, s:I}", "version", vdnn_version(), "command", ask->command,
                     "date", ask->date, "host_budget_bytes",
                     (json_int_t)report->setup.budget_bytes[VDNN_TIER_HOST]);
}

/* Of the figure of algorithms; null: the peak is not known. */
static json_t *peak_line(const vdnn_report *report)
{
    vdnn_peak peak;
    vdnn_text text = {0};
    vdnn_peak_of(&report->setup, &peak);
    if (!(peak.operations_per_second > 0))
        return json_null();
    vdnn_text_add(&text, "the broken line is ");
    vdnn_peak_describe(&peak, &text);
    return vdnn_page_lines(&text);
}

static vdnn_status write_html(const vdnn_report *report, vdnn_text *text)
{
    vdnn_text head = {0}, conclusion = {0};
    json_t *root = report_record(report);
    add_head(report, add_as_they_are, &head);
    add_conclusion(report, "", &conclusion);
    json_t *value =
        json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", report->setup.graph->name, "head",
                  vdnn_page_lines(&head), "conclusion", vdnn_page_lines(&conclusion), "rows",
                  page_rows(report, root), "notes", note_records(report));
    if (root == NULL) {
        json_decref(value);
        value = NULL;
    } else {
        (void)json_object_set_new(value, "algorithm_rows",
                                  vdnn_algorithms_rows(json_object_get(root, "layers")));
        (void)json_object_set_new(value, "peak_line", peak_line(report));
        (void)json_object_set_new(value, "report", root);
        (void)json_object_update_missing_new(value, fact_records(report));
        (void)json_object_set_new(value, "has_budgets", json_boolean(report->budget_count > 0));
        (void)json_object_set_new(value, "budget_titles", budget_titles(report));
        (void)json_object_set_new(value, "has_steps",
                                  json_boolean(!report->options.counts_as_paper));
    }
    return vdnn_page_write("report.html", value, text);
}

/* ---- the formats ----------------------------------------------------------------------------- */

static vdnn_status write_algorithms(const vdnn_report *report, vdnn_text *text)
{
    return vdnn_algorithms_write_table(&report->setup, width_of(report), text);
}

static vdnn_status (*const writers[])(const vdnn_report *report, vdnn_text *text) = {
    [VDNN_REPORT_TABLE] = write_table, [VDNN_REPORT_JSON] = write_json,
    [VDNN_REPORT_CSV] = write_csv,     [VDNN_REPORT_MARKDOWN] = write_markdown,
    [VDNN_REPORT_HTML] = write_html,   [VDNN_REPORT_ALGORITHMS] = write_algorithms,
};

vdnn_status vdnn_report_write(const vdnn_report *report, vdnn_report_format format, vdnn_text *text)
{
    if ((size_t)format >= sizeof writers / sizeof writers[0])
        return vdnn_status_fail(VDNN_USAGE, "a report has no format %d", (int)format);
    return report->cards != NULL ? vdnn_cards_write(report, format, text)
                                 : writers[format](report, text);
}
