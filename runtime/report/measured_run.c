#include "runtime/report/measured_run.h"

#include "runtime/base/json.h"
#include "runtime/report/page/page.h"
#include "runtime/report/report.h"

#include <string.h>

enum { MOST_BYTES = 64 << 20 };

/* Keys may have dots. */
static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(vdnn_page_member(object, key));
    return text == NULL ? "" : text;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* What both a plan and what was measured have, side by side. */
static const char *const figures[] = {"step_seconds", "device_peak_bytes", "host_peak_bytes",
                                      "offload_bytes", "prefetch_bytes"};
enum { FIGURES = sizeof figures / sizeof *figures };

static vdnn_status check_figures(const char *path, const json_t *root, const char *part)
{
    for (size_t i = 0; i < FIGURES; i++)
        if (!json_is_number(json_object_get(json_object_get(root, part), figures[i])))
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: %s has no '%s'; expected what vdnnrun --json writes", path,
                                    part, figures[i]);
    return VDNN_OK;
}

static vdnn_status check_run(const char *path, const json_t *root)
{
    if (!json_is_object(json_object_get(root, "plan")) ||
        !json_is_array(json_object_get(root, "layers")))
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: no JSON of a run; expected what vdnnrun --json writes", path);
    if (!json_is_object(json_object_get(root, "measured")))
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: nothing was measured (a dry run?); expected a run with steps",
                                path);
    vdnn_status status = check_figures(path, root, "plan");
    return status == VDNN_OK ? check_figures(path, root, "measured") : status;
}

vdnn_status vdnn_measured_run_read(vdnn_report *report)
{
    const char *path = report->options.ask.report->run;
    if (path == NULL)
        return VDNN_OK;
    VDNN_TRY(vdnn_json_read(path, MOST_BYTES, &report->run));
    return check_run(path, report->run);
}

static vdnn_status check_text(const vdnn_report *report, const char *key, const char *expected)
{
    const char *found = text_at(report->run, key);
    return strcmp(found, expected) == 0
               ? VDNN_OK
               : vdnn_status_fail(VDNN_BAD_INPUT, "%s: a run with %s '%s'; the report's is '%s'",
                                  report->options.ask.report->run, key, found, expected);
}

static vdnn_status check_number(const vdnn_report *report, const char *key, int64_t expected)
{
    const json_int_t found = json_integer_value(json_object_get(report->run, key));
    return found == expected
               ? VDNN_OK
               : vdnn_status_fail(VDNN_BAD_INPUT, "%s: a run with %s %lld; the report's is %lld",
                                  report->options.ask.report->run, key, (long long)found,
                                  (long long)expected);
}

vdnn_status vdnn_measured_run_check(const vdnn_report *report)
{
    const vdnn_graph *graph = report->setup.graph;
    if (report->run == NULL)
        return VDNN_OK;
    VDNN_TRY(check_number(report, "schema_version", VDNN_SCHEMA_VERSION));
    VDNN_TRY(check_text(report, "version", vdnn_version()));
    VDNN_TRY(check_text(report, "model", graph->name));
    VDNN_TRY(check_number(report, "batch", report->batch));
    VDNN_TRY(check_text(report, "dtype", vdnn_dtype_text(graph->dtype)));
    return check_text(report, "rules", graph->rules == VDNN_RULES_PAPER ? "paper" : "lean");
}

/* ---- planned beside measured ----------------------------------------------------------------- */

/* Of a plan, or of what a run measured: the figures that both have. */
static json_t *figure_records(const json_t *from)
{
    json_t *object = json_object();
    for (size_t i = 0; i < FIGURES; i++)
        (void)json_object_set(object, figures[i], json_object_get(from, figures[i]));
    return object;
}

static const json_t *layer_called(const json_t *layers, const char *name)
{
    for (size_t i = 0; i < json_array_size(layers); i++)
        if (strcmp(text_at(json_array_get(layers, i), "name"), name) == 0)
            return json_array_get(layers, i);
    return NULL;
}

static json_t *times_of(const json_t *layer)
{
    return json_pack("{s:O?, s:O?}", "forward_seconds", json_object_get(layer, "forward_seconds"),
                     "backward_seconds", json_object_get(layer, "backward_seconds"));
}

static json_t *layer_records(const json_t *run)
{
    const json_t *planned = json_object_get(run, "layers"),
                 *measured = json_object_get(json_object_get(run, "measured"), "layers");
    json_t *array = json_array();
    for (size_t i = 0; i < json_array_size(planned); i++) {
        const json_t *layer = json_array_get(planned, i);
        const json_t *ran = layer_called(measured, text_at(layer, "name"));
        if (ran != NULL)
            (void)json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:O?}", "name",
                                                         text_at(layer, "name"), "planned",
                                                         times_of(layer), "measured", times_of(ran),
                                                         "lost", json_object_get(ran, "lost")));
    }
    return array;
}

json_t *vdnn_measured_run_record(const vdnn_report *report)
{
    const json_t *run = report->run;
    if (run == NULL)
        return NULL;
    const json_t *ran = json_object_get(run, "measured");
    json_t *measured = figure_records(ran);
    (void)json_object_set(measured, "split", json_object_get(ran, "split"));
    (void)json_object_set(measured, "lost", json_object_get(ran, "lost"));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "policy", text_at(run, "policy"), "algo",
                     text_at(run, "algo"), "device", text_at(run, "device.name"), "planned",
                     figure_records(json_object_get(run, "plan")), "measured", measured, "layers",
                     layer_records(run));
}

/* ---- for people ------------------------------------------------------------------------------ */

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

void vdnn_measured_run_add_line(const vdnn_report *report, vdnn_text *text)
{
    const json_t *run = report->run, *plan = json_object_get(run, "plan"),
                 *measured = json_object_get(run, "measured");
    const double planned = number_at(plan, "step_seconds"),
                 ran = number_at(measured, "step_seconds");
    const int digits = vdnn_report_digits(report);
    char cells[4][VDNN_REPORT_CELL_BYTES];
    if (run == NULL)
        return;
    vdnn_text_add(text, "Run: under %s (%s) on %s a step took %s (planned %s%s",
                  text_at(run, "policy"), text_at(run, "algo"), text_at(run, "device.name"),
                  vdnn_page_seconds(ran, digits, cells[0], sizeof cells[0]),
                  vdnn_page_seconds(planned, digits, cells[1], sizeof cells[1]),
                  planned > 0 ? "" : ")");
    if (planned > 0)
        vdnn_text_add(text, ", %+.0f %%)", 100 * (ran / planned - 1));
    vdnn_text_add(
        text, ", with %s of device memory at the peak (planned %s)\n",
        vdnn_text_bytes(cells[2], sizeof cells[2], number_at(measured, "device_peak_bytes")),
        vdnn_text_bytes(cells[3], sizeof cells[3], number_at(plan, "device_peak_bytes")));
}
