/* The study as text: cells, sentences, table, CSV, JSON. */

#include "runtime/base/json.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/scale/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const vdnn_table_column vdnn_scale_columns[VDNN_SCALE_COLUMNS] = {
    {"devices", 0, false},    {"batch", 0, false},          {"per device", 4, false},
    {"fits", 1, false},       {"step", 2, false},           {"images/s", 0, false},
    {"efficiency", 1, false}, {"exposed reduce", 5, false}, {"memory", 3, false},
    {"epochs", 0, false},     {"training", 0, false}};

static const char nothing[] = "-";

/* ---- cells ----------------------------------------------------------------------------------- */

static void fill_number(double value, int digits, const char *unit,
                        char cell[VDNN_TABLE_CELL_BYTES])
{
    (void)snprintf(cell, VDNN_TABLE_CELL_BYTES, "%s", nothing);
    if (isfinite(value))
        (void)vdnn_decimal_print(cell, VDNN_TABLE_CELL_BYTES, "%.*f%s", digits, value, unit);
}

static void fill_seconds(double seconds, char cell[VDNN_TABLE_CELL_BYTES])
{
    bool long_one = seconds >= 1;
    fill_number(long_one ? seconds : 1e3 * seconds, 3, long_one ? " s" : " ms", cell);
}

static size_t most_bytes(const vdnn_scale_row *row)
{
    size_t most = 0;
    for (int32_t d = 0; d < row->devices; d++)
        most = row->figures.peak_bytes[d] > most ? row->figures.peak_bytes[d] : most;
    return most;
}

static size_t least_bytes(const vdnn_scale_row *row)
{
    size_t least = row->figures.peak_bytes[0];
    for (int32_t d = 0; d < row->devices; d++)
        least = row->figures.peak_bytes[d] < least ? row->figures.peak_bytes[d] : least;
    return least;
}

static void fill_share(const vdnn_scale_row *row, char cell[VDNN_TABLE_CELL_BYTES])
{
    long long share = (long long)vdnn_graph_share(row->batch, row->devices, 0);
    if (row->batch % row->devices == 0)
        (void)snprintf(cell, VDNN_TABLE_CELL_BYTES, "%lld", share);
    else
        (void)snprintf(cell, VDNN_TABLE_CELL_BYTES, "%lld or %lld", share, share - 1);
}

int vdnn_scale_column_count(const vdnn_scale *scale)
{
    return scale->converge > 0 ? VDNN_SCALE_COLUMNS : VDNN_SCALE_COLUMNS - 2;
}

void vdnn_scale_fill_cells(const vdnn_scale_row *row, vdnn_scale_cells cells)
{
    const vdnn_scale_figures *figures = &row->figures;
    (void)snprintf(cells[0], sizeof cells[0], "%d", (int)row->devices);
    (void)snprintf(cells[1], sizeof cells[1], "%lld", (long long)row->batch);
    fill_share(row, cells[2]);
    (void)snprintf(cells[3], sizeof cells[3], "%s", figures->fits ? "yes" : "no");
    fill_seconds(figures->step_seconds, cells[4]);
    fill_number(row->images_per_second, 1, "", cells[5]);
    fill_number(100 * row->efficiency, 1, " %", cells[6]);
    fill_seconds(figures->exposed_reduce_seconds, cells[7]);
    (void)snprintf(cells[8], sizeof cells[8], "%s", nothing);
    if (most_bytes(row) > 0)
        (void)vdnn_text_bytes(cells[8], sizeof cells[8], (double)most_bytes(row));
    fill_number(figures->epochs, 1, "", cells[9]);
    fill_number(figures->train_seconds, 1, " s", cells[10]);
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Added devices pay if they add this share of the throughput that as many of the others have. */
static const double least_gain = 0.5;

/* The fitting row of the batch with the most devices below so many; NULL: none. */
static const vdnn_scale_row *row_below(const vdnn_scale *scale, int64_t batch, int32_t devices)
{
    const vdnn_scale_row *found = NULL;
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++)
        if (row->batch == batch && row->figures.fits && row->devices < devices &&
            (found == NULL || row->devices > found->devices))
            found = row;
    return found;
}

static double gain(const vdnn_scale_row *row, const vdnn_scale_row *below)
{
    return row->images_per_second / below->images_per_second - 1;
}

static bool pays(const vdnn_scale_row *row, const vdnn_scale_row *below)
{
    double added = (double)row->devices / below->devices - 1;
    return gain(row, below) >= least_gain * added;
}

/* The fewest devices that do not pay; NULL: all do. */
static const vdnn_scale_row *first_that_does_not_pay(const vdnn_scale *scale, int64_t batch)
{
    const vdnn_scale_row *first = NULL;
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++) {
        const vdnn_scale_row *below = row_below(scale, batch, row->devices);
        if (row->batch != batch || !row->figures.fits || below == NULL || pays(row, below))
            continue;
        if (first == NULL || row->devices < first->devices)
            first = row;
    }
    return first;
}

/* The fitting row of the batch with the fewest devices; NULL: none. */
static const vdnn_scale_row *fewest(const vdnn_scale *scale, int64_t batch)
{
    const vdnn_scale_row *found = NULL;
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++)
        if (row->batch == batch && row->figures.fits &&
            (found == NULL || row->devices < found->devices))
            found = row;
    return found;
}

static void conclude_batch(const vdnn_scale *scale, int64_t batch, vdnn_text *text)
{
    const vdnn_scale_row *most = row_below(scale, batch, INT32_MAX);
    const vdnn_scale_row *least = fewest(scale, batch);
    const vdnn_scale_row *lost = first_that_does_not_pay(scale, batch);
    vdnn_text_add(text, "Batch %lld: ", (long long)batch);
    if (most == NULL || least == NULL) {
        vdnn_text_add(text, "it fits on no number of devices.");
    } else if (lost != NULL) {
        const vdnn_scale_row *below = row_below(scale, batch, lost->devices);
        vdnn_text_add(text,
                      "more devices than %d do not pay: %d give %.0f %% %s images/s, with %.0f %% "
                      "more devices.",
                      (int)below->devices, (int)lost->devices, 100 * fabs(gain(lost, below)),
                      gain(lost, below) < 0 ? "fewer" : "more",
                      100. * (lost->devices - below->devices) / below->devices);
    } else if (most == least) {
        vdnn_text_add(text, "%d device%s give %.1f images/s.", (int)most->devices,
                      most->devices == 1 ? "" : "s", most->images_per_second);
    } else {
        vdnn_text_add(text, "all numbers of devices up to %d pay: %.2f times the images/s of %d.",
                      (int)most->devices, most->images_per_second / least->images_per_second,
                      (int)least->devices);
    }
}

static bool has_rows(const vdnn_scale *scale, int64_t batch)
{
    for (size_t r = 0; r < scale->row_count; r++)
        if (scale->rows[r].batch == batch)
            return true;
    return false;
}

static void conclude_schemes(const vdnn_scale *scale, vdnn_text *text)
{
    static const char *const names[VDNN_REDUCE_COUNT] = {[VDNN_REDUCE_RING] = "summed by ring",
                                                         [VDNN_REDUCE_GATHER] =
                                                             "gathered on device 0",
                                                         [VDNN_REDUCE_HOST] = "in host memory"};
    const double ring = scale->by_scheme[VDNN_REDUCE_RING].step_seconds;
    char cell[VDNN_TABLE_CELL_BYTES];
    vdnn_text_add(text, "%d devices at batch %lld: a step takes ", (int)scale->largest->devices,
                  (long long)scale->largest->batch);
    for (int s = 0; s < VDNN_REDUCE_COUNT; s++) {
        const double seconds = scale->by_scheme[s].step_seconds;
        fill_seconds(seconds, cell);
        vdnn_text_add(text, "%s%s %s", s == 0 ? "" : ", ", cell, names[s]);
        if (s != VDNN_REDUCE_RING)
            vdnn_text_add(text, " (%+.0f %%)", 100 * (seconds / ring - 1));
    }
    vdnn_text_add(text, ".");
}

/* Of the naive scheme device 0 exchanges with each of the others what each of them has. */
static void conclude_imbalance(const vdnn_scale *scale, vdnn_text *text)
{
    const double bytes = scale->by_scheme[VDNN_REDUCE_GATHER].reduced_bytes,
                 others = scale->largest->devices - 1;
    char all[32], one[32], ring[32];
    vdnn_text_add(text,
                  "Imbalance: gathering, device 0 receives and sends %s of gradients a step, each "
                  "other device %s; by ring each of them %s.",
                  vdnn_text_bytes(all, sizeof all, others * bytes),
                  vdnn_text_bytes(one, sizeof one, bytes),
                  vdnn_text_bytes(ring, sizeof ring, 2 * others / (others + 1) * bytes));
}

/* Parallel against serial. */
static void conclude_converge(const vdnn_scale *scale, vdnn_text *text)
{
    const vdnn_scale_row *row = scale->largest, *alone = fewest(scale, row->batch);
    vdnn_text_add(text, "Accuracy %g at batch %lld: ", scale->converge, (long long)row->batch);
    if (alone == NULL || !isfinite(row->figures.epochs) || !isfinite(alone->figures.epochs))
        vdnn_text_add(text, "not reached by all within the epochs.");
    else
        vdnn_text_add(text, "%d devices take %.1f epochs and %.1f s, %d take%s %.1f and %.1f s.",
                      (int)row->devices, row->figures.epochs, row->figures.train_seconds,
                      (int)alone->devices, alone->devices == 1 ? "s" : "", alone->figures.epochs,
                      alone->figures.train_seconds);
}

static void conclude_memory(const vdnn_scale *scale, vdnn_text *text)
{
    const vdnn_scale_row *row = scale->largest;
    char first[32], least[32];
    (void)vdnn_text_bytes(first, sizeof first, (double)row->figures.peak_bytes[0]);
    (void)vdnn_text_bytes(least, sizeof least, (double)least_bytes(row));
    if (least_bytes(row) == most_bytes(row))
        vdnn_text_add(text, "Memory: each of the %d devices holds %s.", (int)row->devices, first);
    else
        vdnn_text_add(text, "Memory: of the %d devices device 0 holds %s, the least of all %s.",
                      (int)row->devices, first, least);
    if (row->figures.saved_bytes > 0)
        vdnn_text_add(text, " Sharing the update saves each %s of the optimizer's state.",
                      vdnn_text_bytes(first, sizeof first, (double)row->figures.saved_bytes));
}

void vdnn_scale_conclude(const vdnn_scale *scale, const char *before, const char *after,
                         vdnn_text *text)
{
    for (size_t b = 0; b < scale->batch_count; b++) {
        if (!has_rows(scale, scale->batches[b]))
            continue;
        vdnn_text_add(text, "%s", before);
        conclude_batch(scale, scale->batches[b], text);
        vdnn_text_add(text, "%s", after);
    }
    static const struct {
        void (*conclude)(const vdnn_scale *, vdnn_text *);
        bool simulated, converges; /* requires it */
    } of_largest[] = {{conclude_schemes, true, false},
                      {conclude_imbalance, true, false},
                      {conclude_memory, false, false},
                      {conclude_converge, false, true}};
    for (size_t i = 0; scale->largest != NULL && i < sizeof of_largest / sizeof *of_largest; i++) {
        if ((of_largest[i].simulated && !scale->setup.properties.simulated) ||
            (of_largest[i].converges && scale->converge <= 0))
            continue;
        vdnn_text_add(text, "%s", before);
        of_largest[i].conclude(scale, text);
        vdnn_text_add(text, "%s", after);
    }
}

void vdnn_scale_note_left_out(const vdnn_scale *scale, const char *before, const char *after,
                              vdnn_text *text)
{
    for (size_t b = 0; b < scale->batch_count; b++) {
        const char *separator = "";
        vdnn_text list = {0};
        for (size_t d = 0; d < scale->device_count; d++) {
            if (scale->devices[d] <= scale->batches[b])
                continue;
            vdnn_text_add(&list, "%s%d", separator, (int)scale->devices[d]);
            separator = ", ";
        }
        if (list.length > 0)
            vdnn_text_add(text, "%sLeft out: %s devices cannot share a batch of %lld.%s", before,
                          list.failed ? "more" : list.data, (long long)scale->batches[b], after);
        vdnn_text_fini(&list);
    }
}

/* ---- formats --------------------------------------------------------------------------------- */

static void add_head(const vdnn_scale *scale, vdnn_text *text)
{
    char device[sizeof scale->setup.properties.name + 128], budget[32];
    vdnn_text_add(
        text, "%s under %s on %s, device memory %s, summed by %s%s\n", scale->setup.graph->name,
        scale->options.policy->name,
        vdnn_setup_device_text(device, sizeof device, &scale->setup.properties),
        vdnn_text_bytes(budget, sizeof budget, (double)scale->setup.budget_bytes[VDNN_TIER_DEVICE]),
        vdnn_reduce_scheme_text(scale->options.reduce),
        scale->options.shards ? ", updated by shares" : "");
}

static void add_notes(const vdnn_scale *scale, vdnn_text *text)
{
    vdnn_scale_conclude(scale, "", "\n", text);
    vdnn_scale_note_left_out(scale, "", "\n", text);
    vdnn_text_add(text,
                  "Efficiency: throughput / that of as many single devices with the same batch "
                  "each; added devices pay that add half of theirs or more\n");
}

static void add_folded(const vdnn_scale *scale, void (*add)(const vdnn_scale *, vdnn_text *),
                       size_t line, vdnn_text *text)
{
    vdnn_text lines = {0};
    add(scale, &lines);
    vdnn_text_move_folded(text, &lines, line);
}

static const char *table_cell(const void *context, size_t row, size_t column,
                              char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_scale *scale = context;
    vdnn_scale_cells cells;
    vdnn_scale_fill_cells(&scale->rows[row], cells);
    memcpy(words, cells[column], sizeof cells[column]);
    return words;
}

static vdnn_status write_table(const vdnn_scale *scale, vdnn_text *text)
{
    const size_t line = vdnn_text_line(scale->options.ask.columns);
    const vdnn_table table = {vdnn_scale_columns, (size_t)vdnn_scale_column_count(scale),
                              scale->row_count, table_cell, scale};
    add_folded(scale, add_head, line, text);
    vdnn_text_add(text, "\n");
    vdnn_table_add(&table, line, text);
    vdnn_text_add(text, "\n");
    add_folded(scale, add_notes, line, text);
    return vdnn_text_status(text, "the study");
}

static void add_real(double value, vdnn_text *text)
{
    if (isfinite(value))
        vdnn_text_add(text, ",%.9g", value);
    else
        vdnn_text_add(text, ",");
}

static vdnn_status write_csv(const vdnn_scale *scale, vdnn_text *text)
{
    vdnn_text_add(text, "devices,batch,batch_per_device,reduce,fits,step_seconds,images_per_second,"
                        "efficiency,exposed_reduce_seconds,device_peak_bytes,epochs,seconds\n");
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++) {
        vdnn_text_add(text, "%d,%lld,%lld,%s,%s", (int)row->devices, (long long)row->batch,
                      (long long)vdnn_graph_share(row->batch, row->devices, 0),
                      vdnn_reduce_scheme_text(scale->options.reduce),
                      row->figures.fits ? "true" : "false");
        add_real(row->figures.step_seconds, text);
        add_real(row->images_per_second, text);
        add_real(row->efficiency, text);
        add_real(row->figures.exposed_reduce_seconds, text);
        vdnn_text_add(text, ",%zu", most_bytes(row));
        add_real(row->figures.epochs, text);
        add_real(row->figures.train_seconds, text);
        vdnn_text_add(text, "\n");
    }
    return vdnn_text_status(text, "the study");
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_record(const vdnn_scale *scale, const vdnn_scale_row *row)
{
    json_t *shares = json_array(), *peaks = json_array();
    for (int32_t d = 0; d < row->devices; d++) {
        (void)json_array_append_new(shares,
                                    json_integer(vdnn_graph_share(row->batch, row->devices, d)));
        (void)json_array_append_new(peaks, json_integer((json_int_t)row->figures.peak_bytes[d]));
    }
    json_t *record = json_pack(
        "{s:i, s:I, s:o, s:s, s:b, s:o, s:o, s:o, s:o, s:o}", "devices", (int)row->devices, "batch",
        (json_int_t)row->batch, "batch_per_device", shares, "reduce",
        vdnn_reduce_scheme_text(scale->options.reduce), "fits", (int)row->figures.fits,
        "step_seconds", real(row->figures.step_seconds), "images_per_second",
        real(row->images_per_second), "efficiency", real(row->efficiency), "exposed_reduce_seconds",
        real(row->figures.exposed_reduce_seconds), "device_peak_bytes", peaks);
    if (scale->options.shards)
        (void)json_object_set_new(record, "shard", json_string("optimizer"));
    if (scale->converge > 0)
        (void)json_object_set_new(record, "converge",
                                  json_pack("{s:f, s:o, s:o}", "target", scale->converge, "epochs",
                                            real(row->figures.epochs), "seconds",
                                            real(row->figures.train_seconds)));
    return record;
}

json_t *vdnn_scale_record(const vdnn_scale *scale)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < scale->row_count; r++)
        (void)json_array_append_new(rows, row_record(scale, &scale->rows[r]));
    return json_pack("{s:i, s:s, s:o, s:o}", "schema_version", VDNN_SCHEMA_VERSION, "model",
                     scale->setup.graph->name, "device", vdnn_record_device(&scale->setup),
                     "results", rows);
}

static vdnn_status write_json(const vdnn_scale *scale, vdnn_text *text)
{
    return vdnn_record_dump(vdnn_scale_record(scale), text);
}

vdnn_status vdnn_scale_write(vdnn_scale *scale, vdnn_report_format format, vdnn_text *text)
{
    static vdnn_status (*const writers[])(const vdnn_scale *, vdnn_text *) = {
        [VDNN_REPORT_TABLE] = write_table,
        [VDNN_REPORT_JSON] = write_json,
        [VDNN_REPORT_CSV] = write_csv,
        [VDNN_REPORT_HTML] = vdnn_scale_write_page,
    };
    if ((size_t)format >= sizeof writers / sizeof *writers || writers[format] == NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "a scaling study is written as table, json, csv or html");
    const bool compares = format == VDNN_REPORT_TABLE || format == VDNN_REPORT_HTML;
    vdnn_status status = compares ? vdnn_scale_compare_schemes(scale) : VDNN_OK;
    return status == VDNN_OK ? writers[format](scale, text) : status;
}
