#include "runtime/report/algorithms.h"

#include "runtime/base/numbers/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Calls `each` for every layer and pass. */
typedef void visit(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                   void *argument);

static void visit_passes(const vdnn_setup *setup, const vdnn_layer *layer, visit *each,
                         void *argument)
{
    for (int p = 0; p < VDNN_PASS_COUNT; p++)
        if (vdnn_layer_has_pass(layer, (vdnn_pass)p))
            each(setup, layer, (vdnn_pass)p, argument);
}

/* ---- refusals -------------------------------------------------------------------------------- */

typedef void hear_refusal(const char *name, const char *reason, void *argument);

/* Algorithms that do not apply, or that could not be measured. */
static void visit_refusals(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                           hear_refusal *hear, void *argument)
{
    const vdnn_profile *profile = setup->profile;
    const vdnn_algorithm *row;
    for (size_t next = 0;
         (row = vdnn_device_algorithm(setup->device, layer->def->type, &next)) != NULL;) {
        vdnn_offer offer;
        if (vdnn_device_ask(setup->device, row, layer, pass, &offer) == VDNN_OK &&
            offer.refusal != NULL)
            hear(row->name, offer.refusal, argument);
    }
    for (int32_t i = 0; i < profile->omission_count; i++) {
        const vdnn_omission *omitted = &profile->omissions[i];
        const char *signature = setup->graph->layers[omitted->layer].signature;
        if (omitted->pass == pass && strcmp(signature, layer->signature) == 0)
            hear(omitted->algorithm->name, omitted->reason, argument);
    }
}

/* ---- for people ------------------------------------------------------------------------------ */

static int longest_name(const vdnn_profile *profile)
{
    int longest = (int)strlen("algorithm");
    for (int32_t l = 0; l < profile->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; i < profile->layers[l].choice_count[p]; i++) {
                int length = (int)strlen(profile->layers[l].choices[p][i].algorithm->name);
                longest = length > longest ? length : longest;
            }
    return longest;
}

/* Behind the algorithm's name. */
enum { TIME, WORKSPACE, WORK, DEPTH, RATE, SHARE, COLUMNS, CELL_BYTES = 32 };

static const vdnn_text_column columns[COLUMNS] = {
    [TIME] = {"ms", 10, 0},    [WORKSPACE] = {"workspace", 12, 2}, [WORK] = {"work", 9, 0},
    [DEPTH] = {"depth", 5, 1}, [RATE] = {"GFLOP/s", 9, 3},         [SHARE] = {"% peak", 6, 0},
};

typedef struct lines {
    vdnn_text *text;
    vdnn_peak peak;
    int name_width;
    size_t width; /* of a line */
    bool shown[COLUMNS];
} lines;

/* What is not known is "-". */
static void fill_cell(double value, int decimals, char cell[CELL_BYTES])
{
    if (value < 0)
        (void)snprintf(cell, CELL_BYTES, "-");
    else
        (void)vdnn_decimal_print(cell, CELL_BYTES, "%.*f", decimals, value);
}

static void add_choice(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                       int32_t index, const lines *own)
{
    const vdnn_choice *choice = &setup->profile->layers[layer->index].choices[pass][index];
    const vdnn_work work = vdnn_peak_work(setup, choice->algorithm, layer, pass);
    const double rate = work.operations < 0 ? -1 : work.operations / choice->seconds;
    char cells[COLUMNS][CELL_BYTES];
    fill_cell(1e3 * choice->seconds, 3, cells[TIME]);
    (void)vdnn_text_bytes(cells[WORKSPACE], CELL_BYTES, (double)choice->workspace_bytes);
    fill_cell(1e-9 * work.operations, 3, cells[WORK]);
    fill_cell(work.depth, 0, cells[DEPTH]);
    fill_cell(1e-9 * rate, 1, cells[RATE]);
    fill_cell(100 * vdnn_peak_share(&own->peak, rate), 1, cells[SHARE]);
    vdnn_text_add(own->text, "%c %-*s",
                  index == vdnn_profile_fastest(setup->profile, layer->index, pass) ? '*' : ' ',
                  own->name_width, choice->algorithm->name);
    for (int c = 0; c < COLUMNS; c++)
        if (own->shown[c])
            vdnn_text_add(own->text, " %*s", columns[c].width, cells[c]);
    vdnn_text_add(own->text, "\n");
}

static void add_refusal(const char *name, const char *reason, void *argument)
{
    const lines *own = argument;
    vdnn_text line = {0};
    vdnn_text_add(&line, "- %-*s %s", own->name_width, name, reason);
    vdnn_text_move_folded(own->text, &line, own->width);
}

static void add_lines(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                      void *argument)
{
    const lines *own = argument;
    char moved[32];
    vdnn_text head = {0};
    vdnn_text_add(&head, "%s, %s: %.3f GFLOP in the direct form, at least %s moved", layer->name,
                  vdnn_pass_text(pass), 1e-9 * vdnn_layer_flops(layer, pass),
                  vdnn_text_bytes(moved, sizeof moved, vdnn_layer_bytes(layer, pass)));
    vdnn_text_move_folded(own->text, &head, own->width);
    for (int32_t i = 0; i < setup->profile->layers[layer->index].choice_count[pass]; i++)
        add_choice(setup, layer, pass, i, own);
    visit_refusals(setup, layer, pass, add_refusal, argument);
}

static void add_legend(const vdnn_peak *peak, vdnn_text *text)
{
    vdnn_text_add(text, "*: the fastest; -: does not apply, and why. Work in GFLOP, which the "
                        "algorithm does itself; depth: how many of its operations have to wait "
                        "for each other (Ben-Nun and Hoefler 2019)\n");
    if (peak->operations_per_second > 0) {
        vdnn_text_add(text, "%% peak: of ");
        vdnn_peak_describe(peak, text);
        vdnn_text_add(text, "\n");
    }
}

vdnn_status vdnn_algorithms_write_table(const vdnn_setup *setup, size_t width, vdnn_text *text)
{
    lines own = {.text = text, .name_width = longest_name(setup->profile), .width = width};
    vdnn_text legend = {0};
    (void)vdnn_device_select(setup->device); /* the device that is queried */
    vdnn_peak_of(setup, &own.peak);
    vdnn_text_fit_columns(columns, COLUMNS, (size_t)own.name_width + 2, width, own.shown);
    vdnn_text_add(text, "  %-*s", own.name_width, "algorithm");
    for (int c = 0; c < COLUMNS; c++)
        if (own.shown[c])
            vdnn_text_add(text, " %*s", columns[c].width, columns[c].title);
    vdnn_text_add(text, "\n");
    for (int32_t l = 0; l < setup->graph->layer_count; l++)
        visit_passes(setup, &setup->graph->layers[l], add_lines, &own);
    add_legend(&own.peak, &legend);
    vdnn_text_move_folded(text, &legend, width);
    return vdnn_text_status(text, "the report");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* null: not known. */
static json_t *known(double value)
{
    return value < 0 ? json_null() : json_real(value);
}

static json_t *choice_records(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                              const vdnn_peak *peak)
{
    const vdnn_layer_profile *profile = &setup->profile->layers[layer->index];
    json_t *array = json_array();
    for (int32_t i = 0; i < profile->choice_count[pass]; i++) {
        const vdnn_choice *choice = &profile->choices[pass][i];
        const vdnn_work work = vdnn_peak_work(setup, choice->algorithm, layer, pass);
        const double rate = work.operations < 0 ? -1 : work.operations / choice->seconds;
        (void)json_array_append_new(
            array,
            json_pack("{s:s, s:f, s:I, s:o, s:o, s:o}", "name", choice->algorithm->name, "seconds",
                      choice->seconds, "workspace_bytes", (json_int_t)choice->workspace_bytes,
                      "work", known(work.operations), "depth", known(work.depth), "peak_share",
                      known(vdnn_peak_share(peak, rate))));
    }
    return array;
}

static void add_reason(const char *name, const char *reason, void *argument)
{
    (void)json_array_append_new(argument, json_pack("{s:s, s:s}", "name", name, "reason", reason));
}

typedef struct records {
    json_t *passes;
    const vdnn_peak *peak;
} records;

static void add_record(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                       void *argument)
{
    const records *own = argument;
    json_t *refused = json_array();
    visit_refusals(setup, layer, pass, add_reason, refused);
    (void)json_array_append_new(
        own->passes,
        json_pack("{s:s, s:f, s:f, s:o, s:o}", "pass", vdnn_pass_text(pass), "flops",
                  vdnn_layer_flops(layer, pass), "bytes", vdnn_layer_bytes(layer, pass),
                  "algorithms", choice_records(setup, layer, pass, own->peak), "refused", refused));
}

static size_t input_bytes(const vdnn_layer *layer)
{
    size_t sum = 0;
    for (int32_t i = 0; i < layer->input_count; i++)
        sum += vdnn_desc_bytes(&layer->x[i]);
    return sum;
}

json_t *vdnn_algorithms_record(const vdnn_setup *setup)
{
    json_t *array = json_array();
    vdnn_peak peak;
    (void)vdnn_device_select(setup->device); /* the device that is queried */
    vdnn_peak_of(setup, &peak);
    for (int32_t l = 0; l < setup->graph->layer_count; l++) {
        const vdnn_layer *layer = &setup->graph->layers[l];
        json_t *passes = json_array();
        visit_passes(setup, layer, add_record, &(records){passes, &peak});
        (void)json_array_append_new(
            array, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:o}", "name", layer->name, "type",
                             layer->def->type, "layout", vdnn_layout_text(layer->y.layout),
                             "x_bytes", (json_int_t)input_bytes(layer), "y_bytes",
                             (json_int_t)vdnn_desc_bytes(&layer->y), "weight_bytes",
                             (json_int_t)layer->param_bytes, "passes", passes));
    }
    return array;
}

json_t *vdnn_algorithms_peak_record(const vdnn_setup *setup)
{
    vdnn_peak peak;
    vdnn_peak_of(setup, &peak);
    return json_pack("{s:f, s:s, s:s?}", "operations_per_second", peak.operations_per_second,
                     "from", peak.from, "basis", peak.basis);
}

static void add_named(json_t *rows, const char *layer, const char *pass, const char *class,
                      json_t *record)
{
    json_t *row = json_copy(record);
    (void)json_object_set(row, "algorithm", json_object_get(record, "name"));
    (void)json_object_set_new(row, "layer", json_string(layer));
    (void)json_object_set_new(row, "pass", json_string(pass));
    (void)json_object_set_new(row, "class", json_string(class));
    (void)json_array_append_new(rows, row);
}

static void add_rows_of(json_t *rows, const char *layer, const json_t *pass)
{
    json_t *algorithms = json_object_get(pass, "algorithms"), *one;
    const char *name = json_string_value(json_object_get(pass, "pass"));
    double least = HUGE_VAL;
    size_t i;
    json_array_foreach(algorithms, i, one) least =
        fmin(least, json_number_value(json_object_get(one, "seconds")));
    json_array_foreach(algorithms, i, one)
    {
        bool is_best = json_number_value(json_object_get(one, "seconds")) <= least;
        add_named(rows, layer, name, is_best ? "best" : "yes", one);
    }
    json_array_foreach(json_object_get(pass, "refused"), i, one)
        add_named(rows, layer, name, "no", one);
}

json_t *vdnn_algorithms_rows(const json_t *layers)
{
    json_t *rows = json_array();
    size_t l, p;
    json_t *layer, *pass;
    json_array_foreach(layers, l, layer)
        json_array_foreach(json_object_get(layer, "passes"), p, pass)
            add_rows_of(rows, json_string_value(json_object_get(layer, "name")), pass);
    return rows;
}
