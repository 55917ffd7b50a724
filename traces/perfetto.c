#include "traces/timeline.h"

#include "runtime/base/gzip.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process of a trace is a device, from 1; its threads are the streams, from 1. */
enum { FIRST_PROCESS = 1, FIRST_THREAD = 1 };

enum { FLUSH_BYTES = 1 << 16 };

struct vdnn_timeline_writer {
    vdnn_output *output;
    vdnn_gzip *packed; /* NULL: plain text */
    vdnn_text text;    /* not yet written */
    int32_t named;     /* devices whose tracks have names */
    int32_t device;    /* whose timeline is written */
    int64_t flows;     /* arrows so far: each has its own id */
    vdnn_live_edge *edges;
    int32_t edge_capacity;
};

/* ---- bytes ----------------------------------------------------------------------------------- */

static vdnn_status flush(vdnn_timeline_writer *writer)
{
    vdnn_text *text = &writer->text;
    vdnn_status status = VDNN_OK;
    if (text->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the trace",
                                vdnn_output_path(writer->output));
    if (writer->packed == NULL)
        status = vdnn_output_write(writer->output, text->data, text->length);
    else
        status = vdnn_gzip_write(writer->packed, text->data, text->length);
    text->length = 0;
    return status;
}

static vdnn_status flush_if_full(vdnn_timeline_writer *writer)
{
    return writer->text.length < FLUSH_BYTES && !writer->text.failed ? VDNN_OK : flush(writer);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_escaped(vdnn_text *text, const char *string)
{
    for (const char *c = string; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            vdnn_text_add(text, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            vdnn_text_add(text, "\\u%04x", (unsigned char)*c);
        else
            vdnn_text_add(text, "%c", *c);
    }
}

/* Whole nanoseconds as microseconds, so that spans which touch do not overlap by rounding. */
static void add_time(vdnn_text *text, const char *key, int64_t nanoseconds)
{
    vdnn_text_add(text, ",\"%s\":%lld.%03lld", key, (long long)(nanoseconds / 1000),
                  (long long)(nanoseconds % 1000));
}

static int64_t at_nanoseconds(const vdnn_timeline *timeline, double seconds)
{
    return (int64_t)llround(fmax(0, timeline->offset_seconds + seconds) * 1e9);
}

/* Begins an event that is not the first; the caller ends it with "}". */
static void add_event(vdnn_timeline_writer *writer, const char *phase, int thread)
{
    vdnn_text_add(&writer->text, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", phase,
                  FIRST_PROCESS + (int)writer->device, thread);
}

static void name_process(vdnn_timeline_writer *writer, const vdnn_plan *plan)
{
    vdnn_text *text = &writer->text;
    vdnn_text_add(text,
                  "%s{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"",
                  writer->named == 0 ? "" : ",\n", FIRST_PROCESS + (int)writer->device);
    if (plan->graph->devices > 1)
        vdnn_text_add(text, "device %d: ", (int)writer->device);
    add_escaped(text, plan->graph->name);
    vdnn_text_add(text, ", policy ");
    add_escaped(text, plan->policy);
    vdnn_text_add(text, "\"}}");
}

static void name_tracks(vdnn_timeline_writer *writer, const vdnn_plan *plan)
{
    vdnn_text *text = &writer->text;
    name_process(writer, plan);
    for (int stream = 0; stream < VDNN_STREAM_COUNT; stream++) {
        add_event(writer, "M", FIRST_THREAD + stream);
        vdnn_text_add(text, ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
                      vdnn_stream_text((vdnn_stream_id)stream));
        add_event(writer, "M", FIRST_THREAD + stream);
        vdnn_text_add(text, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}",
                      stream);
    }
}

/* ---- spans ----------------------------------------------------------------------------------- */

static void add_title(vdnn_text *text, const vdnn_plan *plan, const vdnn_step *step)
{
    vdnn_text title = {0};
    vdnn_step_title(&title, plan, step);
    if (title.failed)
        text->failed = true;
    else
        add_escaped(text, title.data);
    vdnn_text_fini(&title);
}

static void add_arguments(vdnn_text *text, const vdnn_plan *plan, int32_t index, int64_t number)
{
    const vdnn_step *step = &plan->steps[index];
    vdnn_text_add(text, ",\"args\":{\"step\":%lld,\"plan_step\":%d", (long long)number, index);
    if (plan->graph->micro_batches > 1)
        vdnn_text_add(text, ",\"micro_batch\":%d", (int)step->micro);
    if (step->layer >= 0) {
        vdnn_text_add(text, ",\"layer\":\"");
        add_escaped(text, plan->graph->layers[step->layer].name);
        vdnn_text_add(text, "\",\"pass\":\"%s\"", vdnn_pass_text(step->pass));
    }
    if (step->algorithm != NULL)
        vdnn_text_add(text, ",\"algorithm\":\"%s\"", step->algorithm->name);
    vdnn_text_add(text, ",\"bytes\":%zu,\"planned_microseconds\":%lld,\"waits\":[", step->bytes,
                  llround(step->seconds * 1e6));
    for (int32_t i = 0; i < step->wait_count; i++)
        vdnn_text_add(text, "%s%d", i > 0 ? "," : "", plan->waits[step->first_wait + i]);
    vdnn_text_add(text, "]}");
}

static void add_span(vdnn_timeline_writer *writer, const vdnn_timeline *timeline, int32_t index,
                     int64_t number)
{
    vdnn_text *text = &writer->text;
    const vdnn_step *step = &timeline->plan->steps[index];
    int64_t start = at_nanoseconds(timeline, timeline->spans[index].start);
    int64_t end = at_nanoseconds(timeline, timeline->spans[index].end);
    add_event(writer, "X", FIRST_THREAD + (int)step->stream);
    vdnn_text_add(text, ",\"cat\":\"%s\",\"name\":\"", vdnn_step_kind_text(step->kind));
    add_title(text, timeline->plan, step);
    vdnn_text_add(text, "\"");
    add_time(text, "ts", start);
    add_time(text, "dur", end - start);
    add_arguments(text, timeline->plan, index, number);
    vdnn_text_add(text, "}");
}

/* On the track of compute, before the step that waits: what for. */
static void add_stall(vdnn_timeline_writer *writer, const vdnn_timeline *timeline,
                      const vdnn_stall *stall, int64_t number)
{
    vdnn_text *text = &writer->text;
    const int64_t start = at_nanoseconds(timeline, timeline->spans[stall->before].end),
                  end = at_nanoseconds(timeline, timeline->spans[stall->step].start);
    if (end <= start)
        return;
    add_event(writer, "X", FIRST_THREAD + VDNN_STREAM_COMPUTE);
    vdnn_text_add(text, ",\"cat\":\"stall\",\"name\":\"wait for ");
    add_title(text, timeline->plan, &timeline->plan->steps[stall->cause]);
    vdnn_text_add(text, "\"");
    add_time(text, "ts", start);
    add_time(text, "dur", end - start);
    vdnn_text_add(text, ",\"args\":{\"step\":%lld,\"waits\":[%d]}}", (long long)number,
                  (int)stall->cause);
}

/* An arrow from each copy in to the step that reads the copied data. */
static void add_flows(vdnn_timeline_writer *writer, const vdnn_timeline *timeline, int32_t index)
{
    const vdnn_plan *plan = timeline->plan;
    const vdnn_step *step = &plan->steps[index];
    for (int32_t i = 0; i < step->access_count; i++) {
        const vdnn_access *access = &plan->accesses[step->first_access + i];
        if (!(access->mode & VDNN_READ) || access->writer < 0 ||
            plan->steps[access->writer].kind != VDNN_STEP_COPY_IN)
            continue;
        const struct {
            const char *phase, *binding;
            int32_t step;
        } ends[] = {{"s", "", access->writer}, {"f", ",\"bp\":\"e\"", index}};
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            add_event(writer, ends[k].phase, FIRST_THREAD + (int)plan->steps[ends[k].step].stream);
            vdnn_text_add(&writer->text, "%s,\"cat\":\"flow\",\"name\":\"prefetched\",\"id\":%lld",
                          ends[k].binding, (long long)writer->flows);
            add_time(&writer->text, "ts",
                     at_nanoseconds(timeline, timeline->spans[ends[k].step].start));
            vdnn_text_add(&writer->text, "}");
        }
        writer->flows++;
    }
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
        add_event(writer, phase, FIRST_THREAD + VDNN_STREAM_REDUCE);
        vdnn_text_add(&writer->text, "%s,\"cat\":\"flow\",\"name\":\"summed\",\"id\":%lld",
                      k == 0 ? "" : ",\"bp\":\"e\"", (long long)writer->flows);
        add_time(&writer->text, "ts", ends[k].start);
        vdnn_text_add(&writer->text, "}");
    }
    writer->flows++;
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
                                  vdnn_output_path(writer->output), (int)count);
    while (status == VDNN_OK && next_sum(first, at[0]) < first->step_count) {
        for (int32_t d = 0; d < count; d++) {
            const int32_t step = next_sum(timelines[d].plan, at[d]);
            const double start = timelines[d].spans[step].start;
            ends[d] = (end){d, at_nanoseconds(&timelines[d], start)};
            at[d] = step + 1;
        }
        add_sum(writer, ends, count);
        status = flush_if_full(writer);
    }
    vdnn_heap_free(ends);
    vdnn_heap_free(at);
    return status;
}

/* ---- counters -------------------------------------------------------------------------------- */

static void add_counter(vdnn_timeline_writer *writer, vdnn_tier tier, int64_t nanoseconds,
                        size_t bytes)
{
    vdnn_text *text = &writer->text;
    add_event(writer, "C", 0);
    vdnn_text_add(text, ",\"name\":\"%s live bytes\"", vdnn_tier_text(tier));
    add_time(text, "ts", nanoseconds);
    vdnn_text_add(text, ",\"args\":{\"bytes\":%zu}}", bytes);
}

static vdnn_status add_counters(vdnn_timeline_writer *writer, const vdnn_timeline *timeline,
                                vdnn_tier tier)
{
    size_t live;
    size_t count = vdnn_timeline_live_edges(timeline, tier, writer->edges, &live);
    add_counter(writer, tier, at_nanoseconds(timeline, 0), live);
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        int64_t now = at_nanoseconds(timeline, writer->edges[i].time);
        live += (size_t)writer->edges[i].bytes;
        if (i + 1 < count && at_nanoseconds(timeline, writer->edges[i + 1].time) == now)
            continue;
        add_counter(writer, tier, now, live);
        status = flush_if_full(writer);
    }
    return status;
}

/* ---- the writer ------------------------------------------------------------------------------ */

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), part = strlen(suffix);
    return length >= part && strcmp(path + length - part, suffix) == 0;
}

vdnn_status vdnn_timeline_writer_create(const char *path, vdnn_timeline_writer **writer)
{
    vdnn_timeline_writer *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    vdnn_status status = vdnn_output_create(path, &fresh->output);
    if (status == VDNN_OK && ends_in(path, ".gz"))
        status = vdnn_gzip_create(fresh->output, &fresh->packed);
    if (status != VDNN_OK) {
        vdnn_timeline_writer_abandon(fresh);
        return status;
    }
    vdnn_text_add(&fresh->text, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    *writer = fresh;
    return VDNN_OK;
}

static vdnn_status reserve_edges(vdnn_timeline_writer *writer, int32_t buffer_count)
{
    if (buffer_count <= writer->edge_capacity)
        return VDNN_OK;
    vdnn_live_edge *edges =
        vdnn_heap_realloc(writer->edges, (size_t)buffer_count, 2 * sizeof *edges);
    if (edges == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the trace's counters",
                                vdnn_output_path(writer->output));
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
    if (device >= writer->named)
        name_tracks(writer, plan);
    writer->named = device >= writer->named ? device + 1 : writer->named;
    vdnn_stall stall = {.step = -1};
    bool is_stalled = vdnn_timeline_next_stall(timeline, &stall);
    for (int32_t i = 0; i < plan->step_count && status == VDNN_OK; i++) {
        if (is_stalled && stall.step == i) {
            add_stall(writer, timeline, &stall, step);
            is_stalled = vdnn_timeline_next_stall(timeline, &stall);
        }
        add_span(writer, timeline, i, step);
        add_flows(writer, timeline, i);
        status = flush_if_full(writer);
    }
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = add_counters(writer, timeline, (vdnn_tier)tier);
    return status;
}

/* Frees all but the output. */
static void release(vdnn_timeline_writer *writer)
{
    vdnn_gzip_destroy(writer->packed);
    vdnn_text_fini(&writer->text);
    vdnn_heap_free(writer->edges);
    vdnn_heap_free(writer);
}

vdnn_status vdnn_timeline_writer_close(vdnn_timeline_writer *writer)
{
    vdnn_text_add(&writer->text, "\n]}\n");
    vdnn_status status = flush(writer);
    if (status == VDNN_OK && writer->packed != NULL)
        status = vdnn_gzip_finish(writer->packed);
    if (status != VDNN_OK) {
        vdnn_timeline_writer_abandon(writer);
        return status;
    }
    vdnn_output *output = writer->output;
    release(writer);
    return vdnn_output_commit(output);
}

void vdnn_timeline_writer_abandon(vdnn_timeline_writer *writer)
{
    if (writer == NULL)
        return;
    vdnn_output *output = writer->output;
    release(writer);
    vdnn_output_abandon(output);
}
