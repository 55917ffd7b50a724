#include "runtime/report/step_record.h"

#include "runtime/base/heap.h"
#include "runtime/planner/clock/link.h"
#include "runtime/planner/clock/timing.h"
#include "runtime/train/record.h"

/* ---- when steps run, and what they are known to follow --------------------------------------- */

/* Per step of the plan. `done`: compute steps that are complete before it starts; `seen`: the first
 * compute step that starts after it is complete, their number if there is none. Of a compute step
 * its own position, and the next. */
typedef struct order {
    const vdnn_plan *plan;
    vdnn_span *spans;
    int32_t *done, *seen;
    int32_t compute_count;
} order;

static void order_fini(order *own)
{
    vdnn_heap_free(own->spans);
    vdnn_heap_free(own->done);
    vdnn_heap_free(own->seen);
}

static bool is_compute(const order *own, int32_t step)
{
    return own->plan->steps[step].stream == VDNN_STREAM_COMPUTE;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Forward over the list: what a step follows comes before it. */
static void find_done(order *own)
{
    const vdnn_plan *plan = own->plan;
    int32_t on_stream[VDNN_STREAM_COUNT] = {0};
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        int32_t done = on_stream[step->stream];
        for (int32_t k = 0; k < step->wait_count && !is_compute(own, s); k++) {
            const int32_t target = plan->waits[step->first_wait + k];
            done = larger(done, own->done[target] + (is_compute(own, target) ? 1 : 0));
        }
        own->done[s] = done;
        on_stream[step->stream] = done + (is_compute(own, s) ? 1 : 0);
    }
    own->compute_count = on_stream[VDNN_STREAM_COMPUTE];
}

/* Backward over it: what follows a step comes behind it. */
static void find_seen(order *own)
{
    const vdnn_plan *plan = own->plan;
    int32_t on_stream[VDNN_STREAM_COUNT];
    for (int32_t s = 0; s < plan->step_count; s++)
        own->seen[s] = own->compute_count;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        on_stream[k] = own->compute_count;
    for (int32_t s = plan->step_count; s-- > 0;) {
        const vdnn_step *step = &plan->steps[s];
        own->seen[s] = smaller(own->seen[s], on_stream[step->stream]);
        const int32_t tells = is_compute(own, s) ? own->done[s] : own->seen[s];
        on_stream[step->stream] = tells;
        for (int32_t k = 0; k < step->wait_count; k++) {
            int32_t *seen = &own->seen[plan->waits[step->first_wait + k]];
            *seen = smaller(*seen, tells);
        }
    }
}

/* As the planner's estimate runs it. */
static vdnn_status run_clock(const vdnn_profile *profile, order *own)
{
    const vdnn_plan *plan = own->plan;
    const size_t count = (size_t)plan->step_count;
    vdnn_rates rates = vdnn_profile_rates(profile);
    double channels[VDNN_LINK_CHANNELS];
    const double *shared = vdnn_link_channels(&rates, 1, channels);
    vdnn_clock_task *tasks = vdnn_heap_calloc(count, sizeof *tasks);
    double *start = vdnn_heap_calloc(2 * count, sizeof *start);
    if (tasks != NULL && start != NULL) {
        vdnn_timing_tasks(plan, &rates, tasks);
        (void)vdnn_clock_run(tasks, plan->step_count, plan->waits, shared, start, start + count);
        for (size_t s = 0; s < count; s++)
            own->spans[s] = (vdnn_span){start[s], start[count + s]};
    }
    const bool lacks = tasks == NULL || start == NULL;
    vdnn_heap_free(tasks);
    vdnn_heap_free(start);
    return lacks ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu steps", count)
                 : VDNN_OK;
}

static vdnn_status order_init(const vdnn_profile *profile, const vdnn_plan *plan, order *own)
{
    const size_t count = (size_t)plan->step_count;
    *own = (order){.plan = plan,
                   .spans = vdnn_heap_calloc(count, sizeof *own->spans),
                   .done = vdnn_heap_calloc(count, sizeof *own->done),
                   .seen = vdnn_heap_calloc(count, sizeof *own->seen)};
    if (own->spans == NULL || own->done == NULL || own->seen == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the order of %zu steps", count);
    find_done(own);
    find_seen(own);
    return run_clock(profile, own);
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Points: 2 i during compute step i, 2 i + 1 behind it. */
typedef struct life {
    int32_t first, end;
} life;

static life access_life(const order *own, int32_t step)
{
    const int32_t done = own->done[step];
    if (is_compute(own, step))
        return (life){2 * done, 2 * done + 1};
    return (life){done > 0 ? 2 * done - 1 : 0, 2 * own->seen[step]};
}

static void find_lives(const order *own, life *lives)
{
    const vdnn_plan *plan = own->plan;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        lives[b] = (life){INT32_MAX, 0};
    for (int32_t s = 0; s < plan->step_count; s++)
        for (int32_t k = 0; k < plan->steps[s].access_count; k++) {
            life *of = &lives[plan->accesses[plan->steps[s].first_access + k].buffer];
            const life more = access_life(own, s);
            of->first = smaller(of->first, more.first);
            of->end = larger(larger(of->end, more.end), of->first + 1);
        }
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].persistent)
            lives[b] = (life){0, 2 * own->compute_count};
}

static json_t *buffer_record(const vdnn_plan *plan, const vdnn_buffer *buffer, life of)
{
    json_t *record = json_pack("{s:s, s:s, s:s, s:I, s:I, s:i, s:i}", "label", buffer->label,
                               "class", vdnn_class_text(buffer->class), "category",
                               vdnn_category_text(vdnn_class_category(buffer->class)), "bytes",
                               (json_int_t)buffer->bytes, "offset", (json_int_t)buffer->offset,
                               "first_point", (int)of.first, "end_point", (int)of.end);
    if (buffer->class == VDNN_CLASS_FEATURE_MAP && buffer->map >= 0)
        (void)json_object_set_new(record, "action",
                                  json_string(vdnn_action_text(plan->maps[buffer->map].action)));
    return record;
}

static json_t *buffer_records(const vdnn_plan *plan, const life *lives)
{
    json_t *array = json_array();
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].tier == VDNN_TIER_DEVICE && lives[b].first < lives[b].end)
            (void)json_array_append_new(array, buffer_record(plan, &plan->buffers[b], lives[b]));
    return array;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static json_t *plan_step_record(const order *own, int32_t s)
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
static json_t *plan_step_records(const order *own)
{
    json_t *array = json_array();
    for (int32_t s = 0; s < own->plan->step_count; s++)
        if (own->spans[s].end > own->spans[s].start)
            (void)json_array_append_new(array, plan_step_record(own, s));
    return array;
}

/* The begin of each, and the end of the last. */
static json_t *point_records(const order *own)
{
    const vdnn_plan *plan = own->plan;
    json_t *array = json_array();
    for (int32_t s = 0; s < plan->step_count; s++)
        if (is_compute(own, s)) {
            (void)json_array_append_new(array, json_real(own->spans[s].start));
            (void)json_array_append_new(array, json_real(own->spans[s].end));
        }
    (void)json_array_append_new(array, json_real(plan->step_seconds));
    return array;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static json_t *write_step(const order *own, const life *lives, const vdnn_lost_time *lost)
{
    return json_pack("{s:f, s:o, s:o, s:o, s:o, s:o}", "seconds", own->plan->step_seconds, "split",
                     vdnn_lost_time_split(lost), "lost",
                     vdnn_lost_time_record(lost, VDNN_LOST_TIME_MOST), "steps",
                     plan_step_records(own), "point_seconds", point_records(own), "buffers",
                     buffer_records(own->plan, lives));
}

vdnn_status vdnn_step_record(const vdnn_setup *setup, const vdnn_plan *plan, json_t *row)
{
    order own;
    vdnn_lost_time lost = {0};
    life *lives = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *lives);
    vdnn_status status = order_init(setup->profile, plan, &own);
    if (status == VDNN_OK && lives == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the lives of %d buffers",
                                  (int)plan->buffer_count);
    if (status == VDNN_OK)
        status = vdnn_lost_time_init(plan->graph, &lost);
    if (status == VDNN_OK) {
        const vdnn_timeline timeline = {.plan = plan, .spans = own.spans};
        const vdnn_overlap overlap = vdnn_timeline_overlap(&timeline);
        vdnn_lost_time_add(&timeline, &overlap, &lost);
        find_lives(&own, lives);
        (void)json_object_set_new(row, "step", write_step(&own, lives, &lost));
        (void)json_object_set_new(row, "layers", vdnn_record_layers(plan, &lost));
    }
    vdnn_lost_time_fini(&lost);
    vdnn_heap_free(lives);
    order_fini(&own);
    return status;
}
