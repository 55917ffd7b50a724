#include "runtime/train/advice/advice_record.h"

#include <math.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *size(size_t bytes)
{
    return json_integer((json_int_t)bytes);
}

static json_t *text_or_null(const vdnn_text *text)
{
    return text->length == 0 || text->failed ? json_null() : json_string(text->data);
}

/* How a time is known, and whether it is less than that of the requested run; null: there is
 * nothing to compare. */
static json_t *time_record(double step_seconds, double images_per_second, bool is_measured,
                           double spread, const vdnn_pace *pace)
{
    const bool is_known = pace->verdict != VDNN_PACE_UNKNOWN;
    return json_pack("{s:o, s:o, s:s, s:o, s:s?, s:o, s:o}", "step_seconds", real(step_seconds),
                     "images_per_second", real(images_per_second), "basis",
                     is_measured ? "measured" : "estimated", "spread",
                     is_measured ? real(spread) : json_null(), "speed", vdnn_pace_json(pace),
                     "speed_ratio", is_known ? real(pace->ratio) : json_null(), "speed_range",
                     is_known ? json_pack("[o, o]", real(pace->least), real(pace->most))
                              : json_null());
}

/* ---- an explanation -------------------------------------------------------------------------- */

static json_t *remedy_record(const vdnn_explanation *explanation, const vdnn_remedy *own)
{
    vdnn_text command = {0};
    json_t *object = time_record(own->step_seconds, vdnn_remedy_rate(explanation, own),
                                 own->is_measured, own->spread, &own->pace);
    vdnn_explain_add_command(explanation, own, &command);
    json_t *more =
        json_pack("{s:s, s:s, s:b, s:o, s:o, s:I, s:o}", "change", own->change, "results",
                  vdnn_results_json(own->results), "fits", own->fits, "smallest_bytes",
                  own->device_bytes == 0 ? json_null() : size(own->device_bytes),
                  "host_arena_bytes", size(own->host_need_bytes), "batch",
                  (json_int_t)own->batch * explanation->setup->graph->devices, "command",
                  text_or_null(&command));
    vdnn_text_fini(&command);
    (void)json_object_update(object, more);
    json_decref(more);
    return object;
}

/* The change of the best row; null: none is better than the run as it is. */
static json_t *best_record(const vdnn_explanation *explanation, vdnn_results most)
{
    const vdnn_remedy *best = vdnn_explain_best(explanation, most);
    return best == NULL || best == &explanation->asked ? json_null() : json_string(best->change);
}

json_t *vdnn_advice_record_explanation(const vdnn_explanation *explanation)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < explanation->remedy_count; i++)
        (void)json_array_append_new(rows, remedy_record(explanation, &explanation->remedies[i]));
    return json_pack("{s:o, s:o, s:o, s:o}", "as_it_is",
                     remedy_record(explanation, &explanation->asked), "best_with_same_bits",
                     best_record(explanation, VDNN_RESULTS_SAME), "best",
                     best_record(explanation, VDNN_RESULTS_COUNT), "alternatives", rows);
}

/* ---- batches --------------------------------------------------------------------------------- */

static json_t *batch_record(const vdnn_batches *batches, const vdnn_batch_row *row)
{
    vdnn_text command = {0};
    json_t *object = time_record(row->step_seconds, row->images_per_second, row->is_measured,
                                 row->spread, &row->pace);
    vdnn_batches_add_command(batches, row, &command);
    json_t *more =
        json_pack("{s:I, s:o, s:o, s:s, s:o}", "batch", (json_int_t)row->batch, "arena_bytes",
                  size(row->device_bytes), "relative_speed", real(row->of_oracle), "results",
                  vdnn_results_json(row->results), "command", text_or_null(&command));
    vdnn_text_fini(&command);
    (void)json_object_update(object, more);
    json_decref(more);
    return object;
}

/* null: no batch is such a one. */
static json_t *choice_record(const vdnn_batches *batches, vdnn_batch_choice choice)
{
    const vdnn_batch_accumulated *accumulated = &batches->accumulated[choice];
    if (batches->found[choice] >= batches->count)
        return json_null();
    json_t *object = batch_record(batches, &batches->rows[batches->found[choice]]);
    (void)json_object_set_new(object, "accumulate",
                              accumulated->micro_batches == 0
                                  ? json_null()
                                  : json_pack("{s:i, s:o}", "micro_batches",
                                              (int)accumulated->micro_batches, "images_per_second",
                                              real(accumulated->images_per_second)));
    return object;
}

json_t *vdnn_advice_record_batches(const vdnn_batches *batches)
{
    json_t *object = json_object(), *rows = json_array();
    for (int c = 0; c < VDNN_BATCH_CHOICES; c++)
        (void)json_object_set_new(object, vdnn_batch_choice_name((vdnn_batch_choice)c),
                                  choice_record(batches, (vdnn_batch_choice)c));
    for (size_t i = 0; i < batches->count; i++)
        (void)json_array_append_new(rows, batch_record(batches, &batches->rows[i]));
    (void)json_object_set_new(object, "rows", rows);
    return object;
}
