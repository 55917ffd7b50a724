#include "traces/timeline.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "traces/event_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process of a trace is a device, from 1; its threads are the streams, from 1, and behind them
 * what else it does. Names and keys are those of PyTorch's profiler (Kineto, output_json.cpp and
 * CuptiActivity.cpp) where it has some, so that tools for its traces find them: "ProfilerStep#N",
 * the categories kernel, gpu_memcpy, cuda_runtime, cpu_op, user_annotation and gpu_user_annotation,
 * the flows ac2g from a launch to what it launched, the keys device, stream, correlation, bytes and
 * "memory bandwidth (GB/s)". */
enum {
    FIRST_PROCESS = 1,
    FIRST_THREAD = 1,
    STEPS_THREAD = FIRST_THREAD + VDNN_STREAM_COUNT,
    UPDATES_THREAD,
    LAUNCHES_THREAD,
    CHECKPOINT_THREAD,
    FIRST_READER_THREAD
};

struct vdnn_timeline_writer {
    vdnn_event_file *file;
    vdnn_text title;                      /* of the step that is written */
    size_t budget_bytes[VDNN_TIER_COUNT]; /* 0: no line for it */
    double lead_seconds;                  /* before the first step's begin, at which times are 0 */
    bool has_timelines;                   /* from then on the lead stays */
    int32_t named;                        /* devices whose tracks have names */
    int32_t device;                       /* whose timeline is written */
    int64_t flows;                        /* arrows so far: each has its own id */
    int64_t launches;                     /* likewise, of plan steps */
    int64_t *readers;                     /* per device, threads that read batches and have names */
    vdnn_live_edge *edges;
    int32_t edge_capacity, reader_capacity;
};

/* ---- events ---------------------------------------------------------------------------------- */

static vdnn_text *add_event(vdnn_timeline_writer *writer, const char *phase, int thread)
{
    return vdnn_event_file_add(writer->file, phase, FIRST_PROCESS + (int)writer->device, thread);
}

/* From seconds since the first step began. */
static int64_t nanoseconds_at(const vdnn_timeline_writer *writer, double seconds)
{
    return (int64_t)llround(fmax(0, writer->lead_seconds + seconds) * 1e9);
}

/* From seconds since the timeline's step began. */
static int64_t nanoseconds_in(const vdnn_timeline_writer *writer, const vdnn_timeline *timeline,
                              double seconds)
{
    return nanoseconds_at(writer, timeline->offset_seconds + seconds);
}

/* `before` is text up to the value: ,"key": */
static inline void put_value(vdnn_text *text, const char *before, int64_t value)
{
    vdnn_text_put(text, before);
    vdnn_text_put_number(text, value);
}

static inline void put_string(vdnn_text *text, const char *before, const char *string,
                              const char *after)
{
    vdnn_text_put(text, before);
    vdnn_text_put(text, string);
    vdnn_text_put(text, after);
}

static void add_times(vdnn_text *text, int64_t start, int64_t end)
{
    vdnn_event_time(text, "ts", start);
    vdnn_event_time(text, "dur", end - start);
}

/* ---- names of tracks ------------------------------------------------------------------------- */

static void name_process(vdnn_timeline_writer *writer, const vdnn_plan *plan)
{
    vdnn_text *text = add_event(writer, "M", 0);
    vdnn_text_add(text, ",\"name\":\"process_name\",\"args\":{\"name\":\"");
    if (plan->graph->devices > 1 || plan->graph->stage.count > 1)
        vdnn_text_add(text, "device %d: ", (int)writer->device);
    vdnn_event_escaped(text, plan->graph->name);
    vdnn_text_add(text, ", policy ");
    vdnn_event_escaped(text, plan->policy);
    vdnn_text_add(text, "\"}}");
}

/* Tracks stand in the order of their numbers. */
static void name_track(vdnn_timeline_writer *writer, int thread, int order, const char *name)
{
    vdnn_text_add(add_event(writer, "M", thread),
                  ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}", name);
    vdnn_text_add(add_event(writer, "M", thread),
                  ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}", order);
}

static void name_tracks(vdnn_timeline_writer *writer, const vdnn_plan *plan)
{
    if (writer->device < writer->named)
        return;
    writer->named = writer->device + 1;
    name_process(writer, plan);
    name_track(writer, STEPS_THREAD, 0, "steps");
    for (int stream = 0; stream < VDNN_STREAM_COUNT; stream++)
        name_track(writer, FIRST_THREAD + stream, FIRST_THREAD + stream,
                   vdnn_stream_text((vdnn_stream_id)stream));
    name_track(writer, UPDATES_THREAD, UPDATES_THREAD, "updates");
    name_track(writer, LAUNCHES_THREAD, LAUNCHES_THREAD, "launches");
    name_track(writer, CHECKPOINT_THREAD, CHECKPOINT_THREAD, "checkpoints");
}

/* ---- spans ----------------------------------------------------------------------------------- */

static void add_title(vdnn_timeline_writer *writer, vdnn_text *text, const vdnn_plan *plan,
                      const vdnn_step *step)
{
    writer->title.length = 0;
    vdnn_step_title(&writer->title, plan, step);
    if (writer->title.failed)
        text->failed = true;
    else
        vdnn_event_escaped(text, writer->title.data);
}

/* Whether the device itself copies, so that the copy has a name there: files are read by the host.
 */
static bool is_memcpy(const vdnn_step *step)
{
    const vdnn_step_cost cost = vdnn_step_row_of(step->kind)->cost;
    return cost == VDNN_COST_TAKE ||
           (cost == VDNN_COST_LINK && !vdnn_tier_is_file(vdnn_stream_from(step->stream)) &&
            !vdnn_tier_is_file(vdnn_stream_to(step->stream)));
}

static bool is_kernel(const vdnn_step *step)
{
    const vdnn_step_cost cost = vdnn_step_row_of(step->kind)->cost;
    return cost != VDNN_COST_NONE && cost != VDNN_COST_LINK && cost != VDNN_COST_TAKE;
}

static const char *category_of(const vdnn_step *step)
{
    return is_kernel(step)   ? "kernel"
           : is_memcpy(step) ? "gpu_memcpy"
                             : vdnn_step_kind_text(step->kind);
}

/* As Kineto calls it. */
static const char *direction_of(const vdnn_step *step)
{
    return vdnn_stream_from(step->stream) == VDNN_TIER_HOST ? "HtoD"
           : vdnn_stream_to(step->stream) == VDNN_TIER_HOST ? "DtoH"
                                                            : "DtoD";
}

/* A tool takes what begins with "Memcpy DtoH" for a copy, and all else for a kernel. */
static void add_name(vdnn_timeline_writer *writer, vdnn_text *text, const vdnn_plan *plan,
                     const vdnn_step *step)
{
    if (is_memcpy(step))
        put_string(text, "Memcpy ", direction_of(step), ": ");
    add_title(writer, text, plan, step);
}

/* What only operations on the device's streams have. */
static void add_stream(const vdnn_timeline_writer *writer, vdnn_text *text, const vdnn_step *step,
                       int64_t nanoseconds)
{
    put_value(text, ",\"device\":", writer->device);
    put_value(text, ",\"stream\":", FIRST_THREAD + (int)step->stream);
    put_value(text, ",\"correlation\":", writer->launches);
    if (is_memcpy(step) && step->bytes > 0 && nanoseconds > 0)
        vdnn_text_add(text, ",\"memory bandwidth (GB/s)\":%.6g",
                      (double)step->bytes / (double)nanoseconds);
}

/* By the names of PyTorch's collectives. */
static void add_collective(vdnn_text *text, const vdnn_graph *graph, const vdnn_step *step)
{
    static const char *const names[] = {[VDNN_REDUCE_WHOLE] = "allreduce",
                                        [VDNN_REDUCE_SCATTER] = "reduce_scatter",
                                        [VDNN_REDUCE_ALL_GATHER] = "allgather"};
    vdnn_text_add(text, ",\"Collective name\":\"%s\",\"Group size\":%d",
                  names[vdnn_step_reduce_part(graph, step)], (int)graph->devices);
}

static void add_arguments(const vdnn_timeline_writer *writer, vdnn_text *text,
                          const vdnn_plan *plan, int32_t index, int64_t nanoseconds)
{
    const vdnn_step *step = &plan->steps[index];
    put_value(text, ",\"plan_step\":", index);
    put_string(text, ",\"kind\":\"", vdnn_step_kind_text(step->kind), "\"");
    if (plan->graph->micro_batches > 1)
        put_value(text, ",\"micro_batch\":", step->micro);
    if (step->layer >= 0) {
        vdnn_text_put(text, ",\"layer\":\"");
        vdnn_event_escaped(text, plan->graph->layers[step->layer].name);
        put_string(text, "\",\"pass\":\"", vdnn_pass_text(step->pass), "\"");
    }
    if (step->algorithm != NULL)
        put_string(text, ",\"algorithm\":\"", step->algorithm->name, "\"");
    if (is_kernel(step) || is_memcpy(step))
        add_stream(writer, text, step, nanoseconds);
    if (step->stream == VDNN_STREAM_REDUCE)
        add_collective(text, plan->graph, step);
    put_value(text, ",\"bytes\":", (int64_t)step->bytes);
    put_value(text, ",\"planned_microseconds\":", llround(step->seconds * 1e6));
    vdnn_text_put(text, ",\"waits\":[");
    for (int32_t i = 0; i < step->wait_count; i++)
        put_value(text, i > 0 ? "," : "", plan->waits[step->first_wait + i]);
    vdnn_text_put(text, "]");
}

static void add_span(vdnn_timeline_writer *writer, const vdnn_timeline *timeline, int32_t index,
                     int64_t number)
{
    const vdnn_step *step = &timeline->plan->steps[index];
    const vdnn_span *span = &timeline->spans[index];
    const int64_t start = nanoseconds_in(writer, timeline, span->start),
                  end = nanoseconds_in(writer, timeline, span->end);
    vdnn_text *text = add_event(writer, "X", FIRST_THREAD + (int)step->stream);
    put_string(text, ",\"cat\":\"", category_of(step), "\",\"name\":\"");
    add_name(writer, text, timeline->plan, step);
    vdnn_text_put(text, "\"");
    add_times(text, start, end);
    put_value(text, ",\"args\":{\"step\":", number);
    add_arguments(writer, text, timeline->plan, index, end - start);
    vdnn_text_put(text, "}}");
}

/* Begins a span beside those of the plan's steps: about one of them, or the whole training step
 * (NULL). The caller ends it with "}}". */
static vdnn_text *add_mark(vdnn_timeline_writer *writer, const vdnn_timeline *timeline, int thread,
                           const char *category, const char *verb, const vdnn_step *step,
                           const vdnn_span *span, int64_t number)
{
    vdnn_text *text = add_event(writer, "X", thread);
    put_string(text, ",\"cat\":\"", category, "\",\"name\":\"");
    vdnn_text_put(text, verb);
    if (step == NULL)
        vdnn_text_put_number(text, number);
    else
        add_title(writer, text, timeline->plan, step);
    vdnn_text_put(text, "\"");
    add_times(text, nanoseconds_in(writer, timeline, span->start),
              nanoseconds_in(writer, timeline, span->end));
    put_value(text, ",\"args\":{\"step\":", number);
    return text;
}

/* From the first start to the last end. The step itself began earlier where it was launched while
 * the one before it ran. */
static vdnn_span whole_span(const vdnn_timeline *timeline)
{
    vdnn_span whole = timeline->spans[0];
    for (int32_t i = 1; i < timeline->plan->step_count; i++) {
        whole.start = fmin(whole.start, timeline->spans[i].start);
        whole.end = fmax(whole.end, timeline->spans[i].end);
    }
    return whole;
}

/* Of all of it, on a track of its own. */
static void add_training_step(vdnn_timeline_writer *writer, const vdnn_timeline *timeline,
                              int64_t number)
{
    const vdnn_span whole = whole_span(timeline);
    vdnn_text *text = add_mark(writer, timeline, STEPS_THREAD, "user_annotation", "ProfilerStep#",
                               NULL, &whole, number);
    vdnn_text_put(text, "}}");
}

/* On the track of compute, before the step that waits: what for. */
static void add_stall(vdnn_timeline_writer *writer, const vdnn_timeline *timeline,
                      const vdnn_stall *stall, int64_t number)
{
    const vdnn_span span = {timeline->spans[stall->before].end, timeline->spans[stall->step].start};
    if (nanoseconds_in(writer, timeline, span.end) <= nanoseconds_in(writer, timeline, span.start))
        return;
    vdnn_text *text = add_mark(writer, timeline, FIRST_THREAD + VDNN_STREAM_COMPUTE, "stall",
                               "wait for ", &timeline->plan->steps[stall->cause], &span, number);
    put_value(text, ",\"waits\":[", stall->cause);
    vdnn_text_put(text, "]}}");
}

/* An update stands on the track of compute, and on its own one once more. */
static void add_update(vdnn_timeline_writer *writer, const vdnn_timeline *timeline, int32_t index,
                       int64_t number)
{
    const vdnn_step *step = &timeline->plan->steps[index];
    if (step->kind != VDNN_STEP_UPDATE)
        return;
    vdnn_text *text = add_mark(writer, timeline, UPDATES_THREAD, "gpu_user_annotation", "", step,
                               &timeline->spans[index], number);
    vdnn_text_put(text, "}}");
}

/* ---- arrows ---------------------------------------------------------------------------------- */

/* One end of an arrow, which binds to the span that is on the track then. */
static void add_flow_end(vdnn_timeline_writer *writer, const char *phase, int thread,
                         const char *category, const char *name, int64_t id, int64_t nanoseconds)
{
    vdnn_text *text = add_event(writer, phase, thread);
    vdnn_text_put(text, *phase == 's' ? "" : ",\"bp\":\"e\"");
    put_string(text, ",\"cat\":\"", category, "\",\"name\":\"");
    vdnn_text_put(text, name);
    put_value(text, "\",\"id\":", id);
    vdnn_event_time(text, "ts", nanoseconds);
    vdnn_text_put(text, "}");
}

/* What the arrow from a copy is called; NULL: it has none. */
static const char *arrow_from(vdnn_step_kind kind)
{
    static const char *const names[VDNN_STEP_KIND_COUNT] = {
        [VDNN_STEP_COPY_OUT] = "offloaded",
        [VDNN_STEP_SPILL] = "spilled",
        [VDNN_STEP_FILL] = "filled",
        [VDNN_STEP_COPY_IN] = "prefetched",
    };
    return names[kind];
}

/* Whether an earlier access of the step reads what the same step wrote. */
static bool is_repeated(const vdnn_access *accesses, int32_t index)
{
    for (int32_t i = 0; i < index; i++)
        if ((accesses[i].mode & VDNN_READ) && accesses[i].writer == accesses[index].writer)
            return true;
    return false;
}

/* An arrow from each copy to the step that reads what it copied: from the copy out to the copy in,
 * and from that on. */
static void add_flows(vdnn_timeline_writer *writer, const vdnn_timeline *timeline, int32_t index)
{
    const vdnn_plan *plan = timeline->plan;
    const vdnn_step *step = &plan->steps[index];
    const vdnn_access *accesses = &plan->accesses[step->first_access];
    for (int32_t i = 0; i < step->access_count; i++) {
        const int32_t writes = accesses[i].writer;
        if (!(accesses[i].mode & VDNN_READ) || writes < 0 ||
            arrow_from(plan->steps[writes].kind) == NULL || is_repeated(accesses, i))
            continue;
        const char *name = arrow_from(plan->steps[writes].kind);
        add_flow_end(writer, "s", FIRST_THREAD + (int)plan->steps[writes].stream, "flow", name,
                     writer->flows,
                     nanoseconds_in(writer, timeline, timeline->spans[writes].start));
        add_flow_end(writer, "f", FIRST_THREAD + (int)step->stream, "flow", name, writer->flows,
                     nanoseconds_in(writer, timeline, timeline->spans[index].start));
        writer->flows++;
    }
}

/* When the host launched the step, and an arrow from there to when it ran. */
static void add_launch(vdnn_timeline_writer *writer, const vdnn_timeline *timeline, int32_t index,
                       int64_t number)
{
    const vdnn_step *step = &timeline->plan->steps[index];
    if (timeline->launches == NULL || !(is_kernel(step) || is_memcpy(step)))
        return;
    const vdnn_span *launch = &timeline->launches[index];
    const int64_t start = nanoseconds_in(writer, timeline, launch->start),
                  ran = nanoseconds_in(writer, timeline, timeline->spans[index].start);
    vdnn_text *text = add_mark(writer, timeline, LAUNCHES_THREAD, "cuda_runtime", "launch ", step,
                               launch, number);
    put_value(text, ",\"correlation\":", writer->launches);
    vdnn_text_put(text, "}}");
    if (ran < start) /* by two clocks */
        return;
    add_flow_end(writer, "s", LAUNCHES_THREAD, "ac2g", "ac2g", writer->launches, start);
    add_flow_end(writer, "f", FIRST_THREAD + (int)step->stream, "ac2g", "ac2g", writer->launches,
                 ran);
}

/* ---- sums over devices ----------------------------------------------------------------------- */

/* The part of one device in a sum. */
typedef struct end {
    int32_t device;
    int64_t start; /* nanoseconds */
} end;

static int by_start(const void *a, const void *b)
{
    const end *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->device < y->device ? -1 : x->device > y->device;
}

/* The first step from `from` on that all devices make together; plan->step_count: none. */
static int32_t next_sum(const vdnn_plan *plan, int32_t from)
{
    while (from < plan->step_count && plan->steps[from].stream != VDNN_STREAM_REDUCE)
        from++;
    return from;
}

/* An arrow from the first that comes to a sum over all others, in the order in which they come. */
static void add_sum(vdnn_timeline_writer *writer, end *ends, int32_t count)
{
    qsort(ends, (size_t)count, sizeof *ends, by_start);
    for (int32_t k = 0; k < count; k++) {
        const char *phase = k == 0 ? "s" : k + 1 < count ? "t" : "f";
        writer->device = ends[k].device;
        add_flow_end(writer, phase, FIRST_THREAD + VDNN_STREAM_REDUCE, "flow", "summed",
                     writer->flows, ends[k].start);
    }
    writer->flows++;
}

/* ---- transfers between stages ---------------------------------------------------------------- */

/* An arrow from a send to its receive, which may have begun to wait before. */
static void add_transfer(vdnn_timeline_writer *writer, const vdnn_timeline *from, int32_t sends,
                         const vdnn_timeline *to, int32_t receives)
{
    const int64_t start = nanoseconds_in(writer, from, from->spans[sends].start),
                  waits = nanoseconds_in(writer, to, to->spans[receives].start),
                  done = nanoseconds_in(writer, to, to->spans[receives].end);
    writer->device = from->plan->graph->stage.number;
    add_flow_end(writer, "s", FIRST_THREAD + VDNN_STREAM_SEND, "flow", "sent", writer->flows,
                 start);
    writer->device = to->plan->graph->stage.number;
    add_flow_end(writer, "f", FIRST_THREAD + VDNN_STREAM_RECEIVE, "flow", "sent", writer->flows,
                 start > waits && start < done ? start : waits);
    writer->flows++;
}

/* What one stage sends to a neighbor; both have it in one order. */
static vdnn_status add_transfers(vdnn_timeline_writer *writer, const vdnn_timeline *from,
                                 const vdnn_timeline *to)
{
    const int32_t peer = to->plan->graph->stage.number - from->plan->graph->stage.number;
    int32_t a = vdnn_plan_next_transfer(from->plan, 0, VDNN_STEP_SEND, peer),
            b = vdnn_plan_next_transfer(to->plan, 0, VDNN_STEP_RECEIVE, -peer);
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && a < from->plan->step_count && b < to->plan->step_count) {
        add_transfer(writer, from, a, to, b);
        a = vdnn_plan_next_transfer(from->plan, a + 1, VDNN_STEP_SEND, peer);
        b = vdnn_plan_next_transfer(to->plan, b + 1, VDNN_STEP_RECEIVE, -peer);
        status = vdnn_event_file_flush_if_full(writer->file);
    }
    return status;
}

/* Those of all stages, up and down; a device without stages has none. */
static vdnn_status add_all_transfers(vdnn_timeline_writer *writer, const vdnn_timeline *timelines,
                                     int32_t count)
{
    vdnn_status status = VDNN_OK;
    for (int32_t d = 1; d < count && status == VDNN_OK; d++) {
        status = add_transfers(writer, &timelines[d - 1], &timelines[d]);
        if (status == VDNN_OK)
            status = add_transfers(writer, &timelines[d], &timelines[d - 1]);
    }
    return status;
}

vdnn_status vdnn_timeline_writer_join(vdnn_timeline_writer *writer, const vdnn_timeline *timelines,
                                      int32_t count)
{
    const vdnn_plan *first = timelines[0].plan;
    vdnn_status status = VDNN_OK;
    end *ends = vdnn_heap_calloc((size_t)count, sizeof *ends);
    int32_t *at = vdnn_heap_calloc((size_t)count, sizeof *at);
    if (ends == NULL || at == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the sums of %d devices",
                                  vdnn_event_file_path(writer->file), (int)count);
    while (status == VDNN_OK && next_sum(first, at[0]) < first->step_count) {
        for (int32_t d = 0; d < count; d++) {
            const int32_t step = next_sum(timelines[d].plan, at[d]);
            const double start = timelines[d].spans[step].start;
            ends[d] = (end){d, nanoseconds_in(writer, &timelines[d], start)};
            at[d] = step + 1;
        }
        add_sum(writer, ends, count);
        status = vdnn_event_file_flush_if_full(writer->file);
    }
    vdnn_heap_free(ends);
    vdnn_heap_free(at);
    if (status == VDNN_OK)
        status = add_all_transfers(writer, timelines, count);
    return status == VDNN_OK ? vdnn_event_file_flush(writer->file) : status;
}

/* ---- counters -------------------------------------------------------------------------------- */

/* Of the bytes alive in a tier, in all and by category. */
typedef struct live_bytes {
    size_t all, of[VDNN_CATEGORY_COUNT];
} live_bytes;

static void add_counter(vdnn_timeline_writer *writer, const char *tier, const char *what,
                        int64_t nanoseconds, size_t bytes)
{
    vdnn_text *text = add_event(writer, "C", 0);
    put_string(text, ",\"name\":\"", tier, " ");
    vdnn_text_put(text, what);
    vdnn_text_put(text, "\"");
    vdnn_event_time(text, "ts", nanoseconds);
    put_value(text, ",\"args\":{\"bytes\":", (int64_t)bytes);
    vdnn_text_put(text, "}}");
}

static void add_live(vdnn_timeline_writer *writer, const char *tier, int64_t nanoseconds,
                     const live_bytes *live, bool is_used)
{
    add_counter(writer, tier, "live bytes", nanoseconds, live->all);
    if (!is_used)
        return;
    vdnn_text *text = add_event(writer, "C", 0);
    put_string(text, ",\"name\":\"", tier, " bytes by category\"");
    vdnn_event_time(text, "ts", nanoseconds);
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++) {
        put_string(text, c == 0 ? ",\"args\":{\"" : ",\"", vdnn_category_text((vdnn_category)c),
                   "\":");
        vdnn_text_put_number(text, (int64_t)live->of[c]);
    }
    vdnn_text_put(text, "}}");
}

/* What lives all the time. */
static live_bytes count_persistent(const vdnn_plan *plan, vdnn_tier tier)
{
    live_bytes live = {0};
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        if (buffer->tier != tier || !buffer->persistent)
            continue;
        live.all += buffer->bytes;
        live.of[vdnn_class_category(buffer->class)] += buffer->bytes;
    }
    return live;
}

static vdnn_status add_counters(vdnn_timeline_writer *writer, const vdnn_timeline *timeline,
                                vdnn_tier tier)
{
    const char *name = vdnn_tier_text(tier);
    const int64_t begin = nanoseconds_in(writer, timeline, whole_span(timeline).start);
    live_bytes live = count_persistent(timeline->plan, tier);
    size_t base;
    size_t count = vdnn_timeline_live_edges(timeline, tier, writer->edges, &base);
    const bool is_used = count > 0 || live.all > 0;
    if (is_used && writer->budget_bytes[tier] > 0)
        add_counter(writer, name, "budget", begin, writer->budget_bytes[tier]);
    add_live(writer, name, begin, &live, is_used);
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        const vdnn_live_edge *edge = &writer->edges[i];
        const int64_t now = nanoseconds_in(writer, timeline, edge->time);
        live.all += (size_t)edge->bytes;
        live.of[edge->category] += (size_t)edge->bytes;
        if (i + 1 < count && nanoseconds_in(writer, timeline, edge[1].time) == now)
            continue;
        add_live(writer, name, now, &live, true);
        status = vdnn_event_file_flush_if_full(writer->file);
    }
    return status;
}

/* ---- what the host does beside --------------------------------------------------------------- */

/* Before the first timeline the beginning of times is moved to where the span begins. */
static bool begins_in_time(vdnn_timeline_writer *writer, const vdnn_host_span *span)
{
    if (!writer->has_timelines)
        writer->lead_seconds = fmax(writer->lead_seconds, -span->start);
    return span->start + writer->lead_seconds >= 0;
}

static void add_host_span(vdnn_timeline_writer *writer, int thread, const char *what,
                          const vdnn_host_span *span)
{
    vdnn_text *text = add_event(writer, "X", thread);
    vdnn_text_add(text, ",\"cat\":\"cpu_op\",\"name\":\"%s %lld\"", what, (long long)span->number);
    add_times(text, nanoseconds_at(writer, span->start), nanoseconds_at(writer, span->end));
    put_value(text, ",\"args\":{\"bytes\":", (int64_t)span->bytes);
    vdnn_text_put(text, "}}");
}

static vdnn_status reserve_readers(vdnn_timeline_writer *writer, int32_t device)
{
    if (device < writer->reader_capacity)
        return VDNN_OK;
    int64_t *readers = vdnn_heap_realloc(writer->readers, (size_t)device + 1, sizeof *readers);
    if (readers == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the trace of device %d",
                                vdnn_event_file_path(writer->file), (int)device);
    while (writer->reader_capacity <= device)
        readers[writer->reader_capacity++] = 0;
    writer->readers = readers;
    return VDNN_OK;
}

vdnn_status vdnn_timeline_writer_add_read(vdnn_timeline_writer *writer, int32_t device, int reader,
                                          const vdnn_host_span *span)
{
    vdnn_status status = reserve_readers(writer, device);
    if (status != VDNN_OK || !begins_in_time(writer, span))
        return status;
    writer->device = device;
    for (int64_t *named = &writer->readers[device]; *named <= reader; ++*named) {
        char name[32];
        (void)snprintf(name, sizeof name, "loader %d", (int)*named + 1);
        name_track(writer, FIRST_READER_THREAD + (int)*named, FIRST_READER_THREAD + (int)*named,
                   name);
    }
    add_host_span(writer, FIRST_READER_THREAD + reader, "read batch", span);
    return vdnn_event_file_flush_if_full(writer->file);
}

void vdnn_timeline_writer_add_checkpoint(vdnn_timeline_writer *writer, const vdnn_host_span *span)
{
    if (!begins_in_time(writer, span))
        return;
    writer->device = 0;
    add_host_span(writer, CHECKPOINT_THREAD, "write checkpoint", span);
}

/* ---- the writer ------------------------------------------------------------------------------ */

vdnn_status vdnn_timeline_writer_create(const char *path, vdnn_timeline_writer **writer)
{
    vdnn_timeline_writer *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    vdnn_status status = vdnn_event_file_create(path, &fresh->file);
    if (status == VDNN_OK)
        *writer = fresh;
    else
        vdnn_heap_free(fresh);
    return status;
}

void vdnn_timeline_writer_limit(vdnn_timeline_writer *writer,
                                const size_t budget_bytes[VDNN_TIER_COUNT])
{
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        writer->budget_bytes[tier] =
            budget_bytes[tier] < vdnn_tier_unlimited[tier] ? budget_bytes[tier] : 0;
}

static vdnn_status reserve_edges(vdnn_timeline_writer *writer, int32_t buffer_count)
{
    if (buffer_count <= writer->edge_capacity)
        return VDNN_OK;
    vdnn_live_edge *edges =
        vdnn_heap_realloc(writer->edges, (size_t)buffer_count, 2 * sizeof *edges);
    if (edges == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the trace's counters",
                                vdnn_event_file_path(writer->file));
    writer->edges = edges;
    writer->edge_capacity = buffer_count;
    return VDNN_OK;
}

vdnn_status vdnn_timeline_writer_add(vdnn_timeline_writer *writer, int32_t device,
                                     const vdnn_timeline *timeline, int64_t step)
{
    const vdnn_plan *plan = timeline->plan;
    vdnn_status status = reserve_edges(writer, plan->buffer_count);
    if (status != VDNN_OK)
        return status;
    writer->device = device;
    writer->has_timelines = true;
    name_tracks(writer, plan);
    add_training_step(writer, timeline, step);
    vdnn_stall stall = {.step = -1};
    bool is_stalled = vdnn_timeline_next_stall(timeline, &stall);
    for (int32_t i = 0; i < plan->step_count && status == VDNN_OK; i++) {
        if (is_stalled && stall.step == i) {
            add_stall(writer, timeline, &stall, step);
            is_stalled = vdnn_timeline_next_stall(timeline, &stall);
        }
        writer->launches++;
        add_span(writer, timeline, i, step);
        add_update(writer, timeline, i, step);
        add_launch(writer, timeline, i, step);
        add_flows(writer, timeline, i);
        status = vdnn_event_file_flush_if_full(writer->file);
    }
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = add_counters(writer, timeline, (vdnn_tier)tier);
    return status == VDNN_OK ? vdnn_event_file_flush(writer->file) : status;
}

/* Frees all but the file. */
static void release(vdnn_timeline_writer *writer)
{
    vdnn_text_fini(&writer->title);
    vdnn_heap_free(writer->readers);
    vdnn_heap_free(writer->edges);
    vdnn_heap_free(writer);
}

vdnn_status vdnn_timeline_writer_close(vdnn_timeline_writer *writer)
{
    vdnn_event_file *file = writer->file;
    release(writer);
    return vdnn_event_file_close(file);
}

void vdnn_timeline_writer_abandon(vdnn_timeline_writer *writer)
{
    if (writer == NULL)
        return;
    vdnn_event_file *file = writer->file;
    release(writer);
    vdnn_event_file_abandon(file);
}
