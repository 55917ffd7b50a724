/* JSON. */

#include "runtime/report/algorithms.h"
#include "runtime/report/formats/formats.h"
#include "runtime/report/measured_run.h"
#include "runtime/report/step_record.h"

#include <math.h>

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
    (void)json_object_set_new(
        object, "statistics",
        json_string(vdnn_report_has_other_statistics(row) ? "other" : "same"));
    (void)json_object_set_new(object, "oracle_step_seconds",
                              json_real(row->footprint.oracle_step_seconds));
    return object;
}

json_t *vdnn_report_row_records(const vdnn_report *report, bool with_steps)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        json_t *record = row->micro_batches > 0 ? accumulation_record(report, row)
                                                : vdnn_report_row_record(report, row);
        (void)json_array_append_new(rows, record);
        /* the paper counts otherwise than plans */
        if (with_steps && !report->options.counts_as_paper &&
            vdnn_step_record(row->setup, row->plan, record) != VDNN_OK) {
            json_decref(rows);
            return NULL;
        }
    }
    return rows;
}

json_t *vdnn_report_record(const vdnn_report *report, const json_t *rows)
{
    const vdnn_graph *graph = report->setup.graph;
    json_t *policies = json_array(), *accumulation = NULL, *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        if (report->rows[r].micro_batches > 0)
            accumulation = row;
        else
            (void)json_array_append(policies, row);
    }
    json_t *root =
        json_pack("{s:i, s:s, s:I, s:s, s:o, s:o}", "schema_version", VDNN_SCHEMA_VERSION, "model",
                  graph->name, "batch", (json_int_t)report->batch, "rules",
                  graph->rules == VDNN_RULES_PAPER ? "paper" : "lean", "device",
                  vdnn_record_device(&report->setup), "policies", policies);
    (void)json_object_set_new(root, "devices", json_integer(report->device_count));
    (void)json_object_set_new(root, "accounting",
                              json_string(report->options.ask.report->accounting));
    (void)json_object_set_new(root, "dtype", json_string(vdnn_dtype_text(graph->dtype)));
    (void)json_object_set_new(root, "layout", json_string(vdnn_layout_text(graph->preferred)));
    if (accumulation != NULL)
        (void)json_object_set(root, "accumulate", accumulation);
    (void)json_object_set_new(root, "peak", vdnn_algorithms_peak_record(&report->setup));
    (void)json_object_set_new(root, "layers", vdnn_algorithms_record(&report->setup));
    if (report->budget_count > 0)
        (void)json_object_set_new(root, "budgets", vdnn_budgets_record(report));
    if (report->run != NULL)
        (void)json_object_set_new(root, "run", vdnn_measured_run_record(report));
    return root;
}
