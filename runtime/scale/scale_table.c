/* The study as a table (runtime/report/table.h), and what it says in sentences. */

#include "runtime/base/numbers/rounded.h"
#include "runtime/report/page/page.h"
#include "runtime/report/table.h"
#include "runtime/scale/scale.h"
#include "runtime/setup/known_digits.h"

#include <math.h>
#include <stdio.h>

/* Which studies have a column or field. */
typedef enum shown { ALWAYS, OF_STAGES, OF_TRAINING } shown;

static const struct {
    shown shown;
    vdnn_report_column column;
} columns[] = {
    {ALWAYS, {"devices", "devices", NULL, NULL, 0, false}},
    {OF_STAGES, {"stages", "stages", NULL, NULL, 0, false}},
    {OF_STAGES, {"replicas", "replicas", NULL, NULL, 3, false}},
    {OF_STAGES, {"micro-batches", "micro_batches", NULL, NULL, 3, false}},
    {ALWAYS, {"batch", "batch", NULL, NULL, 0, false}},
    {ALWAYS, {"per device", "shares", NULL, NULL, 4, false}},
    {ALWAYS, {"fits", "fits", NULL, NULL, 1, false}},
    {ALWAYS, {"step", "step_seconds", "seconds", NULL, 2, false}},
    {ALWAYS, {NULL, "images_per_second", "rate", NULL, 0, false}},
    {ALWAYS, {"efficiency", "efficiency", "percent", NULL, 1, false}},
    {ALWAYS, {"exposed reduce", "exposed_reduce_seconds", "seconds", NULL, 5, false}},
    {OF_STAGES, {"bubble", "bubble", "percent", NULL, 2, false}},
    {ALWAYS, {"memory", "most_bytes", "size", NULL, 3, false}},
    {OF_TRAINING, {"epochs", "converge.epochs", "tenths", NULL, 0, false}},
    {OF_TRAINING, {"training", "converge.seconds", "tenth_seconds", NULL, 0, false}},
};

static const struct {
    shown shown;
    vdnn_report_field field;
} fields[] = {
    {ALWAYS, {"devices", "devices"}},
    {OF_STAGES, {"stages", "stages"}},
    {OF_STAGES, {"replicas", "replicas"}},
    {OF_STAGES, {"micro_batches", "micro_batches"}},
    {ALWAYS, {"batch", "batch"}},
    {ALWAYS, {"batch_per_device", "share"}},
    {ALWAYS, {"reduce", "reduce"}},
    {ALWAYS, {"fits", "fits"}},
    {ALWAYS, {"step_seconds", "step_seconds"}},
    {ALWAYS, {"images_per_second", "images_per_second"}},
    {ALWAYS, {"efficiency", "efficiency"}},
    {ALWAYS, {"exposed_reduce_seconds", "exposed_reduce_seconds"}},
    {OF_STAGES, {"bubble", "bubble"}},
    {ALWAYS, {"device_peak_bytes", "most_bytes"}},
    {ALWAYS, {"epochs", "converge.epochs"}},
    {ALWAYS, {"seconds", "converge.seconds"}},
};

enum { COLUMNS = sizeof columns / sizeof *columns, FIELDS = sizeof fields / sizeof *fields };

/* The table, with what it has of them. */
typedef struct study {
    vdnn_report_table table;
    vdnn_report_column columns[COLUMNS];
    vdnn_report_field fields[FIELDS];
} study;

static bool is_shown(const vdnn_scale *scale, shown when)
{
    return when == ALWAYS || (when == OF_STAGES && scale->has_stages) ||
           (when == OF_TRAINING && scale->converge > 0);
}

/* Of planned times and rates as the device model knows them, of measured ones three. */
static int digits_of(const vdnn_scale *scale)
{
    return scale->setup.properties.simulated ? vdnn_known_digits(&scale->setup.properties) : 3;
}

/* "6400 images/s" */
static void add_rate(const vdnn_scale *scale, double images_per_second, vdnn_text *text)
{
    const vdnn_rate_unit unit = vdnn_graph_rate_unit(scale->setup.graph);
    char cell[32];
    vdnn_text_add(
        text, "%s %s",
        vdnn_rounded_text(cell, sizeof cell, images_per_second * unit.per_sample, digits_of(scale)),
        unit.name);
}

static void find_extremes(const vdnn_scale_row *row, size_t *least, size_t *most)
{
    *least = *most = row->figures.peak_bytes[0];
    for (int32_t d = 1; d < row->devices; d++) {
        const size_t bytes = row->figures.peak_bytes[d];
        *least = bytes < *least ? bytes : *least;
        *most = bytes > *most ? bytes : *most;
    }
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Added devices pay if they add this share of the throughput that as many of the others have. */
static const double least_gain = 0.5;

/* The fitting row of the batch with the most devices below this number; `fewest`: with the fewest;
 * of several with as many the fastest. NULL: none. */
static const vdnn_scale_row *fitting(const vdnn_scale *scale, int64_t batch, int32_t below,
                                     bool fewest)
{
    const vdnn_scale_row *found = NULL;
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++)
        if (row->batch == batch && row->figures.fits && row->devices < below &&
            (found == NULL ||
             (row->devices == found->devices ? row->images_per_second > found->images_per_second
                                             : (row->devices < found->devices) == fewest)))
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
        const vdnn_scale_row *below = fitting(scale, batch, row->devices, false);
        if (row->batch != batch || !row->figures.fits || below == NULL || pays(row, below) ||
            row != fitting(scale, batch, row->devices + 1, false))
            continue;
        if (first == NULL || row->devices < first->devices)
            first = row;
    }
    return first;
}

static void conclude_batch(const vdnn_scale *scale, int64_t batch, vdnn_text *text)
{
    const vdnn_scale_row *most = fitting(scale, batch, INT32_MAX, false);
    const vdnn_scale_row *least = fitting(scale, batch, INT32_MAX, true);
    const vdnn_scale_row *lost = first_that_does_not_pay(scale, batch);
    enum { DIGITS = 2 };
    vdnn_text_add(text, "Batch %lld: ", (long long)batch);
    if (most == NULL || least == NULL) {
        vdnn_text_add(text, "it fits on no number of devices.");
    } else if (lost != NULL) {
        const vdnn_scale_row *below = fitting(scale, batch, lost->devices, false);
        vdnn_text_add(
            text,
            "beyond %d device%s the gain is small: %d give %.0f %% %s %s, with %.0f %% more "
            "devices.",
            (int)below->devices, below->devices == 1 ? "" : "s", (int)lost->devices,
            100 * fabs(gain(lost, below)), gain(lost, below) < 0 ? "fewer" : "more",
            vdnn_graph_rate_unit(scale->setup.graph).name,
            100. * (lost->devices - below->devices) / below->devices);
    } else if (most == least) {
        vdnn_text_add(text, "%d device%s give%s ", (int)most->devices,
                      most->devices == 1 ? "" : "s", most->devices == 1 ? "s" : "");
        add_rate(scale, most->images_per_second, text);
        vdnn_text_add(text, ".");
    } else {
        char times[32];
        vdnn_text_add(text, "the gain lasts up to %d devices: %s times the %s of %d.",
                      (int)most->devices,
                      vdnn_rounded_text(times, sizeof times,
                                        most->images_per_second / least->images_per_second, DIGITS),
                      vdnn_graph_rate_unit(scale->setup.graph).name, (int)least->devices);
    }
}

/* The mixes of stages and replicas on the most devices of a row of the batch: which is the fastest,
 * and which fit. */
static void conclude_mixes(const vdnn_scale *scale, int64_t batch, vdnn_text *text)
{
    const vdnn_scale_row *best = NULL;
    int32_t devices = 0;
    char bytes[32];
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++)
        if (row->batch == batch && row->devices > devices)
            devices = row->devices;
    best = fitting(scale, batch, devices + 1, false);
    best = best != NULL && best->devices == devices ? best : NULL;
    vdnn_text_add(text, "%d devices at batch %lld: ", (int)devices, (long long)batch);
    if (best == NULL)
        vdnn_text_add(text, "no mix fits");
    else {
        vdnn_text_add(text, "the fastest mix is %d stage%s x %d replica%s, ", (int)best->stages,
                      best->stages == 1 ? "" : "s", (int)(devices / best->stages),
                      devices == best->stages ? "" : "s");
        add_rate(scale, best->images_per_second, text);
    }
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++) {
        if (row->batch != batch || row->devices != devices || row == best)
            continue;
        vdnn_text_add(text, "; %d x %d ", (int)row->stages, (int)(devices / row->stages));
        if (row->figures.fits) {
            vdnn_text_add(text, "reaches ");
            add_rate(scale, row->images_per_second, text);
        } else
            vdnn_text_add(
                text, "requires %s",
                vdnn_text_bytes(bytes, sizeof bytes, (double)row->figures.smallest_bytes));
    }
    vdnn_text_add(text, ".");
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
    char cell[32];
    vdnn_text_add(text, "%d devices at batch %lld: a step takes ", (int)scale->largest->devices,
                  (long long)scale->largest->batch);
    for (int s = 0; s < VDNN_REDUCE_COUNT; s++) {
        const double seconds = scale->by_scheme[s].step_seconds;
        vdnn_text_add(text, "%s%s %s", s == 0 ? "" : ", ",
                      isfinite(seconds)
                          ? vdnn_rounded_seconds(cell, sizeof cell, seconds, digits_of(scale))
                          : "-",
                      names[s]);
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
    const vdnn_scale_row *row = scale->largest,
                         *alone = fitting(scale, row->batch, INT32_MAX, true);
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
    size_t least_bytes, most_bytes;
    char first[32], least[32];
    find_extremes(row, &least_bytes, &most_bytes);
    (void)vdnn_text_bytes(first, sizeof first, (double)row->figures.peak_bytes[0]);
    (void)vdnn_text_bytes(least, sizeof least, (double)least_bytes);
    if (least_bytes == most_bytes)
        vdnn_text_add(text, "Memory: each of the %d devices holds %s.", (int)row->devices, first);
    else
        vdnn_text_add(text, "Memory: of the %d devices device 0 holds %s, the least of all %s.",
                      (int)row->devices, first, least);
    if (row->figures.saved_bytes > 0)
        vdnn_text_add(text, " Sharing the update saves each %s of the optimizer's state.",
                      vdnn_text_bytes(first, sizeof first, (double)row->figures.saved_bytes));
}

static void add_conclusions(const vdnn_scale *scale, vdnn_text *text)
{
    for (size_t b = 0; b < scale->batch_count; b++)
        if (has_rows(scale, scale->batches[b])) {
            conclude_batch(scale, scale->batches[b], text);
            vdnn_text_add(text, "\n");
            if (scale->has_stages) {
                conclude_mixes(scale, scale->batches[b], text);
                vdnn_text_add(text, "\n");
            }
        }
    if (scale->has_hybrid)
        vdnn_scale_hybrid_conclude(scale, text);
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
        of_largest[i].conclude(scale, text);
        vdnn_text_add(text, "\n");
    }
}

/* Which numbers of devices are left out, and why. */
static void add_left_out_for(const vdnn_scale *scale, int64_t batch, int32_t stages,
                             vdnn_scale_obstacle obstacle, vdnn_text *text)
{
    vdnn_text counts = {0};
    for (size_t d = 0; d < scale->device_count; d++)
        if (vdnn_scale_find_obstacle(scale, scale->devices[d], batch, stages) == obstacle)
            vdnn_text_add(&counts, "%s%d", counts.length > 0 ? ", " : "", (int)scale->devices[d]);
    const char *list = counts.data;
    if (list != NULL && obstacle == VDNN_SCALE_INDIVISIBLE)
        vdnn_text_add(text, "Left out: numbers of devices that %d stages do not divide: %s.\n",
                      (int)stages, list);
    else if (list != NULL && stages == 1)
        vdnn_text_add(text, "Left out: %s devices cannot share a batch of %lld.\n", list,
                      (long long)batch);
    else if (list != NULL && obstacle == VDNN_SCALE_FEW_SAMPLES)
        vdnn_text_add(text, "Left out: %s devices in %d stages cannot share a batch of %lld.\n",
                      list, (int)stages, (long long)batch);
    else if (list != NULL)
        vdnn_text_add(text,
                      "Left out: %s devices in %d stages, a replica of which has less of a "
                      "batch of %lld than %lld samples, one for each micro-batch.\n",
                      list, (int)stages, (long long)batch, (long long)scale->micro_batches);
    vdnn_text_fini(&counts);
}

static void add_left_out(const vdnn_scale *scale, vdnn_text *text)
{
    for (size_t b = 0; b < scale->batch_count; b++)
        for (size_t s = 0; s < scale->stage_count; s++)
            for (int o = VDNN_SCALE_NONE + 1; o < VDNN_SCALE_OBSTACLE_COUNT; o++)
                if (b == 0 || o != VDNN_SCALE_INDIVISIBLE) /* which no batch changes */
                    add_left_out_for(scale, scale->batches[b], scale->stages[s],
                                     (vdnn_scale_obstacle)o, text);
}

/* ---- the table ------------------------------------------------------------------------------- */

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_record(const vdnn_scale *scale, const vdnn_scale_row *row)
{
    json_t *shares = json_array(), *peaks = json_array();
    const int32_t replicas = row->devices / row->stages;
    for (int32_t d = 0; d < row->devices; d++) {
        (void)json_array_append_new(
            shares, json_integer(vdnn_graph_share(row->batch, replicas, d % replicas)));
        (void)json_array_append_new(peaks, json_integer((json_int_t)row->figures.peak_bytes[d]));
    }
    json_t *record = json_pack(
        "{s:i, s:I, s:o, s:s, s:b, s:o, s:o, s:o, s:o, s:o}", "devices", (int)row->devices, "batch",
        (json_int_t)row->batch, "batch_per_device", shares, "reduce",
        vdnn_reduce_scheme_text(scale->options.reduce), "fits", (int)row->figures.fits,
        "step_seconds", real(row->figures.step_seconds), "images_per_second",
        real(row->images_per_second), "efficiency", real(row->efficiency), "exposed_reduce_seconds",
        real(row->figures.exposed_reduce_seconds), "device_peak_bytes", peaks);
    if (scale->has_stages) {
        json_t *staged = json_pack(
            "{s:i, s:i, s:I, s:s, s:f}", "stages", (int)row->stages, "replicas",
            (int)(row->devices / row->stages), "micro_batches", (json_int_t)row->micro_batches,
            "schedule", vdnn_schedule_text(scale->schedule), "bubble", row->figures.bubble);
        (void)json_object_update(record, staged);
        json_decref(staged);
    }
    if (scale->options.shards)
        (void)json_object_set_new(record, "shard", json_string("optimizer"));
    if (scale->converge > 0)
        (void)json_object_set_new(record, "converge",
                                  json_pack("{s:f, s:o, s:o}", "target", scale->converge, "epochs",
                                            real(row->figures.epochs), "seconds",
                                            real(row->figures.train_seconds)));
    return record;
}

static json_t *table_row(const vdnn_scale_row *row, json_t *record)
{
    const int32_t replicas = row->devices / row->stages;
    const long long share = (long long)vdnn_graph_share(row->batch, replicas, 0);
    size_t least_bytes, most_bytes;
    char shares[64];
    find_extremes(row, &least_bytes, &most_bytes);
    (void)snprintf(shares, sizeof shares, row->batch % replicas == 0 ? "%lld" : "%lld or %lld",
                   share, share - 1);
    json_t *object = json_copy(record),
           *words = json_pack("{s:s, s:s, s:I, s:I}", "class", row->figures.fits ? "yes" : "no",
                              "shares", shares, "share", (json_int_t)share, "most_bytes",
                              (json_int_t)most_bytes);
    (void)json_object_update(object, words);
    json_decref(words);
    return object;
}

/* A page has its own headline, and says what pays. */
static void add_sentences(const vdnn_scale *scale, bool is_page, vdnn_report_table *table)
{
    char device[sizeof scale->setup.properties.name + 128], budget[32];
    (void)vdnn_setup_device_text(device, sizeof device, &scale->setup.properties);
    (void)vdnn_text_bytes(budget, sizeof budget,
                          (double)scale->setup.budget_bytes[VDNN_TIER_DEVICE]);
    if (is_page)
        vdnn_text_add(&table->head, "%s, policy %s, gradients summed by %s", device,
                      scale->options.policy->name, vdnn_reduce_scheme_text(scale->options.reduce));
    else
        vdnn_text_add(&table->head, "%s under %s on %s, device memory %s, summed by %s%s",
                      scale->setup.graph->name, scale->options.policy->name, device, budget,
                      vdnn_reduce_scheme_text(scale->options.reduce),
                      scale->options.shards ? ", updated by shares" : "");
    if (!is_page)
        add_conclusions(scale, &table->notes);
    add_left_out(scale, &table->notes);
    if (!is_page)
        vdnn_text_add(
            &table->notes,
            "Efficiency: throughput / that of as many single devices with the same batch "
            "each; a gain is small where added devices add less than half of their share\n");
    if (scale->setup.properties.simulated)
        vdnn_text_add(&table->notes, "Sums that compute hides take a share of their time from it, "
                                     "which is fitted to published rates\n");
}

static void add_projection(const vdnn_scale *scale, bool is_page, vdnn_report_table *table)
{
    json_t *rows = vdnn_scale_hybrid_record(scale);
    (void)json_object_set(table->facts, "hybrid", rows);
    (void)json_object_set_new(table->facts, "projected", json_true());
    if (!is_page)
        vdnn_scale_hybrid_add_table(scale, vdnn_text_line(scale->options.columns), &table->below);
    (void)json_object_set_new(json_object_get(table->facts, "report"), "hybrid", rows);
}

static void fill_table(const vdnn_scale *scale, bool is_page, study *own)
{
    vdnn_report_table *table = &own->table;
    json_t *records = json_array();
    vdnn_text conclusions = {0};
    *table = (vdnn_report_table){.subject = "the study",
                                 .columns = own->columns,
                                 .fields = own->fields,
                                 .rows = json_array(),
                                 .digits = digits_of(scale),
                                 .rate = vdnn_graph_rate_unit(scale->setup.graph),
                                 .page = "scale.html"};
    for (size_t c = 0; c < COLUMNS; c++)
        if (is_shown(scale, columns[c].shown))
            own->columns[table->column_count++] = columns[c].column;
    for (size_t f = 0; f < FIELDS; f++)
        if (is_shown(scale, fields[f].shown))
            own->fields[table->field_count++] = fields[f].field;
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++) {
        json_t *record = row_record(scale, row);
        (void)json_array_append_new(records, record);
        (void)json_array_append_new(table->rows, table_row(row, record));
    }
    add_sentences(scale, is_page, table);
    if (is_page)
        add_conclusions(scale, &conclusions);
    table->facts = json_pack(
        "{s:s, s:o, s:{s:i, s:s, s:o, s:o, s:o}}", "name", scale->setup.graph->name, "conclusions",
        vdnn_page_lines(&conclusions), "report", "schema_version", VDNN_SCHEMA_VERSION, "model",
        scale->setup.graph->name, "rate", vdnn_record_rate_unit(scale->setup.graph), "device",
        vdnn_record_device(&scale->setup), "results", records);
    if (scale->has_hybrid)
        add_projection(scale, is_page, table);
}

vdnn_status vdnn_scale_write(vdnn_scale *scale, vdnn_report_format format, vdnn_text *text)
{
    const bool is_page = format == VDNN_REPORT_HTML;
    study own;
    if ((int)format < 0 || format > VDNN_REPORT_HTML || format == VDNN_REPORT_MARKDOWN)
        return vdnn_status_fail(VDNN_USAGE,
                                "a scaling study is written as table, json, csv or html");
    if (is_page || format == VDNN_REPORT_TABLE)
        VDNN_TRY(vdnn_scale_compare_schemes(scale));
    fill_table(scale, is_page, &own);
    const vdnn_status status =
        vdnn_report_table_write(&own.table, format, vdnn_text_line(scale->options.columns), text);
    vdnn_report_table_fini(&own.table);
    return status;
}
