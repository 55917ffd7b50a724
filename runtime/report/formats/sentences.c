#include "runtime/base/numbers/rounded.h"
#include "runtime/planner/clock/link.h"
#include "runtime/report/formats/formats.h"
#include "runtime/report/measured_run.h"

#include <stdio.h>
#include <string.h>

void vdnn_report_add_head(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_setup *setup = &report->setup;
    char card[sizeof setup->properties.name + 128], device[32], host[32];
    vdnn_text_add(text, "%s, batch %lld, ", setup->graph->name, (long long)report->batch);
    if (report->device_count > 1)
        vdnn_text_add(text, "%d devices, each ", report->device_count);
    vdnn_text_add(
        text, "%s, device memory %s, host memory %s",
        vdnn_setup_device_text(card, sizeof card, &setup->properties),
        vdnn_text_bytes(device, sizeof device, (double)setup->budget_bytes[VDNN_TIER_DEVICE]),
        vdnn_text_bytes(host, sizeof host, (double)setup->budget_bytes[VDNN_TIER_HOST]));
}

/* The rates that the planner uses; for both directions, their sum. */
static void add_link(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_device_properties *properties = &report->setup.properties;
    vdnn_rates rates = vdnn_profile_rates(report->setup.profile);
    double channels[VDNN_LINK_CHANNELS];
    char cells[VDNN_LINK_CHANNELS][VDNN_REPORT_CELL_BYTES];
    (void)vdnn_link_channels(&rates, 1, channels);
    for (int i = 0; i < VDNN_LINK_CHANNELS; i++)
        (void)vdnn_text_bytes(cells[i], VDNN_REPORT_CELL_BYTES, channels[i]);
    vdnn_text_add(text, "Copies to the host reach %s/s, from it %s/s, both at once %s/s (%s)\n",
                  cells[VDNN_LINK_OUT], cells[VDNN_LINK_IN], cells[VDNN_LINK_BOTH],
                  properties->simulated && !properties->recorded ? "by the device model"
                                                                 : "measured");
}

void vdnn_report_add_figures(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_device_properties *properties = &report->setup.properties;
    for (int basis = 0; basis < VDNN_BASIS_COUNT; basis++) {
        int count = 0;
        for (int i = 0; i < properties->figure_count; i++) {
            const vdnn_figure *figure = &properties->figures[i];
            if ((int)figure->basis != basis)
                continue;
            if (count++ == 0)
                vdnn_text_add(text,
                              "Figures of the device model %s: ", vdnn_basis_words(figure->basis));
            else
                vdnn_text_add(text, ", ");
            vdnn_text_add(text, "%s%s%s", figure->section, figure->key == NULL ? "" : ".",
                          figure->key == NULL ? "" : figure->key);
        }
        vdnn_text_add(text, "%s", count == 0 ? "" : "\n");
    }
}

/* How far off the step times may be. */
static void add_range(const vdnn_report *report, vdnn_text *text)
{
    double range[2];
    if (vdnn_report_range(report, range))
        vdnn_text_add(text,
                      "Expect %.2f to %.2f of these step times: half of the published "
                      "convolutions are within %.0f %% of the device model\n",
                      range[0], range[1], 100 * report->setup.properties.accuracy.half_within);
}

/* What the row of accumulation is. */
static void add_accumulation(const vdnn_report *report, vdnn_text *text)
{
    for (size_t r = 0; r < report->row_count; r++)
        if (report->rows[r].micro_batches > 0)
            vdnn_text_add(text,
                          "Accumulate: base in the fewest micro-batches that fit, with one "
                          "update%s\n",
                          vdnn_report_has_other_statistics(&report->rows[r])
                              ? "; each is normalized by its own statistics"
                              : "");
}

void vdnn_report_add_terms(const vdnn_report *report, vdnn_text *text)
{
    static const struct {
        const char *algo, *words;
    } terms[] = {{"m", "the algorithms with the least workspace"},
                 {"p", "the fastest algorithms"},
                 {"greedy", "the fastest algorithm of each layer whose workspace still fits"},
                 {"search", "algorithms and copies that a search found"}};
    const char *before = "";
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        bool occurs = false;
        for (size_t r = 0; r < report->row_count; r++)
            occurs = occurs || strcmp(report->rows[r].plan->algo, terms[t].algo) == 0;
        if (!occurs)
            continue;
        vdnn_text_add(text, "%s(%s): %s", before, terms[t].algo, terms[t].words);
        before = "; ";
    }
    vdnn_text_add(text, "%s", before[0] == '\0' ? "" : "\n");
}

static void add_speed(const vdnn_report *report, vdnn_text *text)
{
    vdnn_text_add(text, "%s\n",
                  report->device_count > 1
                      ? "Speed: time of a step with unlimited memory / time of the slowest "
                        "device's step, copies on the links that they share, with the sums of "
                        "gradients that are not hidden"
                  : report->options.counts_as_paper
                      ? "Speed: time of the feature-extraction layers with unlimited memory / "
                        "their time; peak, average, host, offloaded and step as the vDNN paper "
                        "counts them"
                      : "Speed: time of a step with unlimited memory / time of a step");
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
                      row->policy->is_static ? vdnn_report_first_cell(row, cell)
                                             : row->policy->name);
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

/* What several devices buy. */
static void add_devices(const vdnn_report *report, vdnn_text *text)
{
    if (report->device_count == 1)
        return;
    vdnn_text_add(text, "With %lld of %lld samples on each of %d devices, ",
                  (long long)report->setup.graph->batch, (long long)report->batch,
                  report->device_count);
    add_fitting(report, false, text);
    vdnn_text_add(text, "; with all of them on one, ");
    add_fitting(report, true, text);
    vdnn_text_add(text, ".");
    add_shares(report, text);
    vdnn_text_add(text, "\n");
}

void vdnn_report_add_conclusion(const vdnn_report *report, const char *mark, vdnn_text *text)
{
    const vdnn_report_row *fastest = vdnn_report_fastest(report),
                          *smallest = vdnn_report_smallest(report, true);
    enum { SPEED_DIGITS = 3 };
    const int digits = vdnn_report_digits(report);
    char cell[VDNN_REPORT_CELL_BYTES], bytes[VDNN_REPORT_CELL_BYTES], speed[32];
    if (fastest == NULL)
        vdnn_text_add(text, "No policy fits.");
    else
        vdnn_text_add(text, "%sThe fastest that fits is %s, at %s %% of unlimited-memory speed.",
                      mark, vdnn_report_policy_text(fastest, cell),
                      vdnn_rounded_text(speed, sizeof speed, 100 * fastest->relative_speed,
                                        digits > 0 ? digits : SPEED_DIGITS));
    if (smallest != NULL)
        vdnn_text_add(
            text, " %s needs the least: %s.", vdnn_report_policy_text(smallest, cell),
            vdnn_text_bytes(bytes, sizeof bytes, (double)smallest->verdict.smallest_bytes));
    vdnn_text_add(text, "\n");
}

/* Why cells have no number in the table for people. */
static void add_none(const vdnn_report *report, vdnn_text *text)
{
    for (size_t r = 0; r < report->row_count; r++)
        if (report->rows[r].verdict.smallest_bytes == 0) {
            vdnn_text_add(text, "-: no device memory suffices with this much host memory\n");
            return;
        }
}

void vdnn_report_add_notes(const vdnn_report *report, vdnn_report_format format, vdnn_text *text)
{
    const bool is_text = format == VDNN_REPORT_TABLE;
    if (is_text) {
        vdnn_report_add_conclusion(report, "* ", text);
        vdnn_measured_run_add_line(report, text);
        vdnn_report_add_terms(report, text);
    }
    if (format != VDNN_REPORT_MARKDOWN || report->options.counts_as_paper ||
        report->device_count > 1)
        add_speed(report, text);
    add_accumulation(report, text);
    if (is_text)
        add_none(report, text);
    add_devices(report, text);
    add_link(report, text);
    add_range(report, text);
    if (format != VDNN_REPORT_HTML && report->options.ask.print->verbose)
        vdnn_report_add_figures(report, text);
}
