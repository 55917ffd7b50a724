#include "traces/timeline.h"

#include "runtime/base/text.h"

#include <math.h>
#include <string.h>

/* ---- what ran at which instant ----------------------------------------------------------------
 */

/* Walks the busy intervals of one stream; they come in order, because a stream runs in order. */
typedef struct cursor {
    const vdnn_timeline *timeline;
    vdnn_stream_id stream;
    vdnn_step_work kind;
    int32_t step;
    double start, end; /* of the current interval; infinite after the last one */
} cursor;

static void cursor_advance(cursor *at)
{
    const vdnn_plan *plan = at->timeline->plan;
    double free_from = at->end;
    while (++at->step < plan->step_count) {
        const vdnn_step *step = &plan->steps[at->step];
        const vdnn_span *span = &at->timeline->spans[at->step];
        if (step->stream != at->stream || vdnn_step_row_of(step->kind)->work != at->kind ||
            span->end <= fmax(span->start, free_from))
            continue;
        at->start = fmax(span->start, free_from);
        at->end = span->end;
        return;
    }
    at->start = at->end = HUGE_VAL;
}

/* The next time after `now` at which the cursor's stream becomes busy or idle. */
static double cursor_change(cursor *at, double now)
{
    if (at->end <= now)
        cursor_advance(at);
    return at->start > now ? at->start : at->end;
}

static vdnn_step_work work_of(int stream)
{
    return stream == VDNN_STREAM_COMPUTE  ? VDNN_WORK_COMPUTE
           : stream == VDNN_STREAM_REDUCE ? VDNN_WORK_REDUCE
                                          : VDNN_WORK_COPY;
}

/* Of an instant: the work that ran, and the compute step that ran or was waited for; the plan's
 * step_count behind the last. */
typedef void visit(const vdnn_plan *plan, const bool busy[VDNN_WORK_COUNT], double seconds,
                   int32_t step, void *argument);

/* Every instant from the first start to the last end. */
static void walk(const vdnn_timeline *timeline, visit *each, void *argument)
{
    const vdnn_plan *plan = timeline->plan;
    double now = HUGE_VAL, end = -HUGE_VAL;
    for (int32_t s = 0; s < plan->step_count; s++) {
        now = fmin(now, timeline->spans[s].start);
        end = fmax(end, timeline->spans[s].end);
    }
    cursor cursors[VDNN_STREAM_COUNT];
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        cursors[i] = (cursor){timeline, (vdnn_stream_id)i, work_of(i), -1, -HUGE_VAL, -HUGE_VAL};
        cursor_advance(&cursors[i]);
    }
    while (now < end) {
        double next = end;
        bool busy[VDNN_WORK_COUNT] = {false};
        for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
            next = fmin(next, cursor_change(&cursors[i], now));
            busy[cursors[i].kind] |= cursors[i].start <= now;
        }
        each(plan, busy, next - now, cursors[VDNN_STREAM_COMPUTE].step, argument);
        now = next;
    }
}

static void add_overlap(const vdnn_plan *plan, const bool busy[VDNN_WORK_COUNT], double seconds,
                        int32_t step, void *argument)
{
    vdnn_overlap *overlap = argument;
    const bool hides = busy[VDNN_WORK_COMPUTE];
    (void)plan, (void)step;
    if (busy[VDNN_WORK_COPY]) {
        overlap->copy_seconds += seconds;
        *(hides ? &overlap->hidden_seconds : &overlap->exposed_seconds) += seconds;
    }
    if (busy[VDNN_WORK_REDUCE]) {
        overlap->reduce_seconds += seconds;
        overlap->exposed_reduce_seconds += hides ? 0 : seconds;
    }
}

vdnn_overlap vdnn_timeline_overlap(const vdnn_timeline *timeline)
{
    vdnn_overlap overlap = {0};
    walk(timeline, add_overlap, &overlap);
    return overlap;
}

static void add_split(const vdnn_plan *plan, const bool busy[VDNN_WORK_COUNT], double seconds,
                      int32_t step, void *argument)
{
    vdnn_time_split(*splits)[VDNN_HALVES] = argument;
    const vdnn_step *own = &plan->steps[step < plan->step_count ? step : plan->step_count - 1];
    const bool is_of_layer = step < plan->step_count && own->layer >= 0;
    vdnn_time_split *split = &splits[is_of_layer ? own->layer : plan->graph->layer_count]
                                    [own->pass == VDNN_FORWARD ? 0 : 1];
    if (busy[VDNN_WORK_COMPUTE])
        *(own->kind == VDNN_STEP_RECOMPUTE ? &split->recompute_seconds : &split->compute_seconds) +=
            seconds;
    else
        *(busy[VDNN_WORK_COPY] ? &split->exposed_copy_seconds : &split->stall_seconds) += seconds;
}

void vdnn_timeline_split(const vdnn_timeline *timeline, vdnn_time_split (*splits)[VDNN_HALVES])
{
    walk(timeline, add_split, splits);
}

/* ---- stalls ---------------------------------------------------------------------------------- */

/* Of what the step waits for, what ended last; -1: it waits for nothing. */
static int32_t last_awaited(const vdnn_timeline *timeline, int32_t index)
{
    const vdnn_step *step = &timeline->plan->steps[index];
    const int32_t *waits = &timeline->plan->waits[step->first_wait];
    int32_t last = -1;
    for (int32_t k = 0; k < step->wait_count; k++)
        if (last < 0 || timeline->spans[waits[k]].end > timeline->spans[last].end)
            last = waits[k];
    return last;
}

bool vdnn_timeline_next_stall(const vdnn_timeline *timeline, vdnn_stall *stall)
{
    const vdnn_span *spans = timeline->spans;
    int32_t before = stall->step;
    for (int32_t i = stall->step + 1; i < timeline->plan->step_count; i++) {
        if (timeline->plan->steps[i].stream != VDNN_STREAM_COMPUTE)
            continue;
        const int32_t cause = before < 0 ? -1 : last_awaited(timeline, i);
        if (cause >= 0 && spans[cause].end > spans[before].end) {
            *stall = (vdnn_stall){before, i, cause};
            return true;
        }
        before = i;
    }
    return false;
}

double vdnn_timeline_stall_seconds(const vdnn_timeline *timeline, const vdnn_stall *stall)
{
    return timeline->spans[stall->step].start - timeline->spans[stall->before].end;
}

/* ---- live bytes ------------------------------------------------------------------------------ */

/* By time; deaths before births at the same instant. */
static bool edge_before(const vdnn_live_edge *a, const vdnn_live_edge *b)
{
    return a->time < b->time || (!(b->time < a->time) && a->bytes < b->bytes);
}

static void sift_down(vdnn_live_edge *edges, size_t root, size_t count)
{
    vdnn_live_edge moved = edges[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && edge_before(&edges[child], &edges[child + 1]))
            child++;
        if (!edge_before(&moved, &edges[child]))
            break;
        edges[root] = edges[child];
    }
    edges[root] = moved;
}

/* Heapsort: the C library's qsort may allocate, and this runs between two training steps. */
static void sort_edges(vdnn_live_edge *edges, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(edges, i, count);
    for (size_t i = count; i-- > 1;) {
        vdnn_live_edge largest = edges[0];
        edges[0] = edges[i];
        edges[i] = largest;
        sift_down(edges, 0, i);
    }
}

size_t vdnn_timeline_live_edges(const vdnn_timeline *timeline, vdnn_tier tier,
                                vdnn_live_edge *edges, size_t *base_bytes)
{
    const vdnn_plan *plan = timeline->plan;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        vdnn_live_edge *pair = &edges[(size_t)b * 2];
        pair[0] = (vdnn_live_edge){.time = HUGE_VAL};
        pair[1] = (vdnn_live_edge){.time = -HUGE_VAL};
    }
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_access *access = &plan->accesses[plan->steps[s].first_access];
        const vdnn_span *span = &timeline->spans[s];
        for (int32_t a = 0; a < plan->steps[s].access_count; a++, access++) {
            vdnn_live_edge *pair = &edges[(size_t)access->buffer * 2];
            pair[0].time = span->start < pair[0].time ? span->start : pair[0].time;
            pair[1].time = span->end > pair[1].time ? span->end : pair[1].time;
        }
    }
    size_t count = 0, base = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        vdnn_live_edge birth = edges[(size_t)b * 2], death = edges[(size_t)b * 2 + 1];
        if (buffer->tier != tier)
            continue;
        if (buffer->persistent) {
            base += buffer->bytes;
        } else if (birth.time < death.time) {
            const vdnn_category category = vdnn_class_category(buffer->class);
            const int64_t bytes = (int64_t)buffer->bytes;
            edges[count++] = (vdnn_live_edge){birth.time, bytes, category};
            edges[count++] = (vdnn_live_edge){death.time, -bytes, category};
        }
    }
    sort_edges(edges, count);
    *base_bytes = base;
    return count;
}

size_t vdnn_timeline_live_peak(const vdnn_timeline *timeline, vdnn_tier tier,
                               vdnn_live_edge *scratch)
{
    size_t base, peak = 0, live = 0;
    size_t count = vdnn_timeline_live_edges(timeline, tier, scratch, &base);
    for (size_t i = 0; i < count; i++) {
        live += (size_t)scratch[i].bytes;
        if (live > peak)
            peak = live;
    }
    return base + peak;
}

/* ---- titles ---------------------------------------------------------------------------------- */

/* Of a sum over devices: the first layer whose gradient is in the bucket, by whose name it goes. */
static const char *bucket_of(const vdnn_plan *plan, const vdnn_step *step)
{
    for (int32_t k = 0; k < step->access_count; k++) {
        const vdnn_access *access = &plan->accesses[step->first_access + k];
        if (access->bind == VDNN_BIND_DST)
            return plan->buffers[access->buffer].label;
    }
    return step->label;
}

/* "2/4", of the parts of a layer. */
static void put_part(vdnn_text *text, const vdnn_plan *plan, const vdnn_step *step)
{
    vdnn_text_put(text, " ");
    vdnn_text_put_number(text, (int64_t)step->part + 1);
    vdnn_text_put(text, "/");
    vdnn_text_put_number(text, (int64_t)vdnn_plan_parts(plan, step));
}

void vdnn_step_title(vdnn_text *text, const vdnn_plan *plan, const vdnn_step *step)
{
    const char *layer = step->layer >= 0 ? plan->graph->layers[step->layer].name : "step";
    const char *label = step->label != NULL && step->label[0] != '\0' ? step->label : layer;
    /* The joins of the whole step are called by their labels alone: begin, end. */
    const bool is_edge = step->kind == VDNN_STEP_JOIN && step->layer < 0,
               is_sum = step->kind == VDNN_STEP_REDUCE && strcmp(bucket_of(plan, step), label) != 0;
    if (step->kind == VDNN_STEP_RUN) {
        vdnn_text_put(text, layer);
        vdnn_text_put(text, " ");
        vdnn_text_put(text, vdnn_pass_text(step->pass));
    } else {
        vdnn_text_put(text, is_edge ? "" : vdnn_step_row_of(step->kind)->verb);
        vdnn_text_put(text, is_sum ? bucket_of(plan, step) : "");
        vdnn_text_put(text, is_sum ? " to " : "");
        vdnn_text_put(text, label);
    }
    if (vdnn_step_has_kernel(step) && vdnn_plan_parts(plan, step) > 1)
        put_part(text, plan, step);
}
