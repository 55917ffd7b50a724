#include "runtime/report/step_record.h"

#include "runtime/base/heap.h"
#include "runtime/plan/lives.h"
#include "runtime/planner/clock/timing.h"
#include "runtime/train/record.h"

/* ---- when steps run and buffers live --------------------------------------------------------- */

typedef struct planned {
    const vdnn_plan *plan;
    vdnn_span *spans;
    vdnn_lives lives;
    vdnn_action *actions;
} planned;

static void planned_fini(planned *own)
{
    vdnn_heap_free(own->spans);
    vdnn_heap_free(own->actions);
    vdnn_lives_fini(&own->lives);
}

static vdnn_status planned_init(const vdnn_profile *profile, const vdnn_plan *plan, planned *own)
{
    const size_t count = (size_t)plan->step_count;
    double *start = vdnn_heap_calloc(2 * count, sizeof *start);
    *own = (planned){.plan = plan, .spans = vdnn_heap_calloc(count, sizeof *own->spans)};
    vdnn_status status = VDNN_OK;
    if (start == NULL || own->spans == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu steps", count);
    VDNN_IF_OK(status, vdnn_timing_run(plan, profile, start, start + count));
    for (size_t s = 0; s < count && status == VDNN_OK; s++)
        own->spans[s] = (vdnn_span){start[s], start[count + s]};
    vdnn_heap_free(start);
    VDNN_IF_OK(status, vdnn_plan_find_actions(plan, &own->actions));
    return status == VDNN_OK ? vdnn_lives_init(plan, &own->lives) : status;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static json_t *buffer_record(const planned *own, const vdnn_buffer *buffer, vdnn_life of)
{
    json_t *record = json_pack("{s:s, s:s, s:s, s:I, s:I, s:i, s:i}", "label", buffer->label,
                               "class", vdnn_class_text(buffer->class), "category",
                               vdnn_category_text(vdnn_class_category(buffer->class)), "bytes",
                               (json_int_t)buffer->bytes, "offset", (json_int_t)buffer->offset,
                               "first_point", (int)of.first, "end_point", (int)of.end);
    if (buffer->class == VDNN_CLASS_FEATURE_MAP && buffer->map >= 0)
        (void)json_object_set_new(record, "action",
                                  json_string(vdnn_action_text(own->actions[buffer->map])));
    return record;
}

static json_t *buffer_records(const planned *own)
{
    const vdnn_plan *plan = own->plan;
    const vdnn_life *lives = own->lives.of;
    json_t *array = json_array();
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].tier == VDNN_TIER_DEVICE && lives[b].first < lives[b].end)
            (void)json_array_append_new(array, buffer_record(own, &plan->buffers[b], lives[b]));
    return array;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static json_t *plan_step_record(const planned *own, int32_t s)
{
    const vdnn_plan *plan = own->plan;
    const vdnn_step *step = &plan->steps[s];
    vdnn_text title = {0};
    vdnn_step_title(&title, plan, step);
    json_t *record =
        json_pack("{s:s, s:s?, s:s, s:s, s:f, s:f}", "title", title.failed ? "" : title.data,
                  "layer", step->layer < 0 ? NULL : plan->graph->layers[step->layer].name, "kind",
                  vdnn_step_kind_text(step->kind), "stream", vdnn_stream_text(step->stream),
                  "start_seconds", own->spans[s].start, "end_seconds", own->spans[s].end);
    vdnn_text_fini(&title);
    return record;
}

/* Those that take time. */
static json_t *plan_step_records(const planned *own)
{
    json_t *array = json_array();
    for (int32_t s = 0; s < own->plan->step_count; s++)
        if (own->spans[s].end > own->spans[s].start)
            (void)json_array_append_new(array, plan_step_record(own, s));
    return array;
}

/* The begin of each, and the end of the last. */
static json_t *point_records(const planned *own)
{
    const vdnn_plan *plan = own->plan;
    json_t *array = json_array();
    for (int32_t s = 0; s < plan->step_count; s++)
        if (plan->steps[s].stream == VDNN_STREAM_COMPUTE) {
            (void)json_array_append_new(array, json_real(own->spans[s].start));
            (void)json_array_append_new(array, json_real(own->spans[s].end));
        }
    (void)json_array_append_new(array, json_real(plan->step_seconds));
    return array;
}

/* Where compute changes from forward to backward, and back at the next micro-batch. */
static json_t *half_records(const planned *own)
{
    const vdnn_plan *plan = own->plan;
    json_t *array = json_array();
    bool is_forward = false;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        if (step->stream != VDNN_STREAM_COMPUTE ||
            (json_array_size(array) > 0 && is_forward == (step->pass == VDNN_FORWARD)))
            continue;
        is_forward = step->pass == VDNN_FORWARD;
        (void)json_array_append_new(array, json_pack("{s:s, s:f}", "half",
                                                     is_forward ? "forward" : "backward",
                                                     "start_seconds", own->spans[s].start));
    }
    return array;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static json_t *write_step(const planned *own, const vdnn_lost_time *lost)
{
    return json_pack("{s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "seconds", own->plan->step_seconds,
                     "split", vdnn_lost_time_split(lost), "lost",
                     vdnn_lost_time_record(lost, VDNN_LOST_TIME_MOST), "steps",
                     plan_step_records(own), "halves", half_records(own), "point_seconds",
                     point_records(own), "buffers", buffer_records(own));
}

vdnn_status vdnn_step_record(const vdnn_setup *setup, const vdnn_plan *plan, json_t *row)
{
    planned own;
    vdnn_lost_time lost = {0};
    vdnn_status status = planned_init(setup->profile, plan, &own);
    VDNN_IF_OK(status, vdnn_lost_time_init(plan->graph, &lost));
    if (status == VDNN_OK) {
        const vdnn_timeline timeline = {.plan = plan, .spans = own.spans};
        const vdnn_overlap overlap = vdnn_timeline_overlap(&timeline);
        vdnn_lost_time_add(&timeline, &overlap, &lost);
        (void)json_object_set_new(row, "step", write_step(&own, &lost));
        (void)json_object_set_new(row, "layers", vdnn_record_layers(plan, own.actions, &lost));
    }
    vdnn_lost_time_fini(&lost);
    planned_fini(&own);
    return status;
}
