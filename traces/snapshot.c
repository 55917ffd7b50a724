#include "traces/snapshot.h"

#include "runtime/base/heap.h"
#include "runtime/base/output.h"
#include "runtime/plan/lives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pickles, protocol 4 --------------------------------------------------------------------- */

/* Those opcodes alone that the page's own reader knows. */
enum {
    OP_PROTO = 0x80,
    OP_LONG1 = 0x8a,
    OP_BININT1 = 'K',
    OP_BININT2 = 'M',
    OP_BININT = 'J',
    OP_BINUNICODE = 'X',
    OP_EMPTY_DICT = '}',
    OP_EMPTY_LIST = ']',
    OP_MARK = '(',
    OP_SETITEMS = 'u',
    OP_APPENDS = 'e',
    OP_STOP = '.',
};

enum { PROTOCOL = 4, BUFFER_BYTES = 1 << 14, ITEMS_AT_ONCE = 1000 };

typedef struct pickle {
    vdnn_output *output;
    vdnn_status status;
    size_t used;
    uint8_t bytes[BUFFER_BYTES];
} pickle;

static void flush(pickle *own)
{
    if (own->status == VDNN_OK && own->used > 0)
        own->status = vdnn_output_write(own->output, own->bytes, own->used);
    own->used = 0;
}

static void put_byte(pickle *own, int byte)
{
    if (own->used == BUFFER_BYTES)
        flush(own);
    own->bytes[own->used++] = (uint8_t)byte;
}

/* The lowest bytes of a number, the lowest first. */
static void put_low(pickle *own, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        put_byte(own, (int)(value >> 8 * i & 0xff));
}

static void put_number(pickle *own, uint64_t value)
{
    static const struct {
        uint64_t most;
        int op, bytes;
    } forms[] = {
        {UINT8_MAX, OP_BININT1, 1}, {UINT16_MAX, OP_BININT2, 2}, {INT32_MAX, OP_BININT, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (value <= forms[i].most) {
            put_byte(own, forms[i].op);
            put_low(own, value, forms[i].bytes);
            return;
        }
    put_byte(own, OP_LONG1);
    put_byte(own, sizeof value);
    put_low(own, value, sizeof value);
}

static void put_text(pickle *own, const char *text)
{
    const size_t length = strlen(text);
    put_byte(own, OP_BINUNICODE);
    put_low(own, length, 4);
    for (size_t i = 0; i < length; i++)
        put_byte(own, (uint8_t)text[i]);
}

static void put_key_text(pickle *own, const char *key, const char *text)
{
    put_text(own, key);
    put_text(own, text);
}

static void put_key_number(pickle *own, const char *key, uint64_t value)
{
    put_text(own, key);
    put_number(own, value);
}

static void begin_dict(pickle *own)
{
    put_byte(own, OP_EMPTY_DICT);
    put_byte(own, OP_MARK);
}

static void end_dict(pickle *own)
{
    put_byte(own, OP_SETITEMS);
}

static void begin_list(pickle *own)
{
    put_byte(own, OP_EMPTY_LIST);
    put_byte(own, OP_MARK);
}

/* After `count` items: readers take what is between a mark and its end at once. */
static void next_item(pickle *own, size_t count)
{
    if (count % ITEMS_AT_ONCE != 0)
        return;
    put_byte(own, OP_APPENDS);
    put_byte(own, OP_MARK);
}

static void end_list(pickle *own)
{
    put_byte(own, OP_APPENDS);
}

/* ---- a tier ---------------------------------------------------------------------------------- */

typedef struct edge {
    int32_t point, buffer;
    bool births; /* frees come first, as addresses are used again */
} edge;

typedef struct source {
    const vdnn_plan *plan;
    const double *start, *end;
    const vdnn_lives *lives;
    int32_t *compute; /* the compute steps, in their order */
    edge *edges;      /* room for 2 * plan->buffer_count */
    int32_t *live;    /* and for each */
} source;

/* Tiers far from each other, with addresses that a double holds. */
static uint64_t address_of(vdnn_tier tier, size_t offset)
{
    return ((uint64_t)tier + 1) << 48 | offset;
}

static int by_point(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    if (x->births != y->births)
        return x->births ? 1 : -1;
    return x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

static size_t find_edges(const source *from, vdnn_tier tier)
{
    const vdnn_plan *plan = from->plan;
    size_t count = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_life life = from->lives->of[b];
        if (plan->buffers[b].tier != tier || plan->buffers[b].bytes == 0 || life.first == life.end)
            continue;
        from->edges[count++] = (edge){life.first, b, true};
        if (!plan->buffers[b].persistent)
            from->edges[count++] = (edge){life.end, b, false};
    }
    qsort(from->edges, count, sizeof *from->edges, by_point);
    return count;
}

static uint64_t microseconds_at(const source *from, int32_t point)
{
    if (point >= from->lives->point_count)
        return (uint64_t)llround(1e6 * from->plan->step_seconds);
    const int32_t step = from->compute[point / 2];
    return (uint64_t)llround(1e6 * (point % 2 == 0 ? from->start : from->end)[step]);
}

static void put_frame(pickle *own, const char *name, const char *file, int32_t line)
{
    begin_dict(own);
    put_key_text(own, "name", name);
    put_key_text(own, "filename", file);
    put_key_number(own, "line", (uint64_t)(line > 0 ? line : 0));
    end_dict(own);
}

static void put_frames(pickle *own, const vdnn_plan *plan, const vdnn_buffer *buffer)
{
    put_text(own, "frames");
    begin_list(own);
    if (buffer != NULL)
        put_frame(own, vdnn_class_text(buffer->class), buffer->label, buffer->layer);
    put_frame(own, plan->policy, plan->graph->name, 0);
    end_list(own);
}

static void put_event(pickle *own, const source *from, const char *action, const edge *at)
{
    const vdnn_buffer *buffer = &from->plan->buffers[at->buffer];
    begin_dict(own);
    put_key_text(own, "action", action);
    put_key_number(own, "addr", address_of(buffer->tier, buffer->offset));
    put_key_number(own, "size", buffer->bytes);
    put_key_number(own, "stream", 0);
    put_key_number(own, "time_us", microseconds_at(from, at->point));
    put_frames(own, from->plan, buffer);
    end_dict(own);
}

static void put_free(pickle *own, const source *from, const edge *at, size_t *items)
{
    put_event(own, from, "free_requested", at);
    next_item(own, ++*items);
    put_event(own, from, "free_completed", at);
    next_item(own, ++*items);
}

/* Where among the live buffers, which are in the order of their addresses, the first one is that
 * ends behind `offset`. */
static size_t find_live(const source *from, size_t count, size_t offset)
{
    const vdnn_buffer *buffers = from->plan->buffers;
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const vdnn_buffer *buffer = &buffers[from->live[middle]];
        if (buffer->offset + buffer->bytes > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void remove_live(const source *from, size_t *count, size_t at)
{
    memmove(&from->live[at], &from->live[at + 1], (--*count - at) * sizeof *from->live);
}

/* Frees what still has the addresses: a copy that is brought back may follow the one that it
 * replaces by the copies' own order, without a point between them. */
static void put_alloc(pickle *own, const source *from, const edge *edge_at, size_t *count,
                      size_t *items)
{
    const vdnn_buffer *buffers = from->plan->buffers, *buffer = &buffers[edge_at->buffer];
    const size_t at = find_live(from, *count, buffer->offset);
    while (at < *count && buffers[from->live[at]].offset < buffer->offset + buffer->bytes) {
        put_free(own, from, &(edge){edge_at->point, from->live[at], false}, items);
        remove_live(from, count, at);
    }
    memmove(&from->live[at + 1], &from->live[at], ((*count)++ - at) * sizeof *from->live);
    from->live[at] = edge_at->buffer;
    put_event(own, from, "alloc", edge_at);
    next_item(own, ++*items);
}

static void put_trace(pickle *own, const source *from, vdnn_tier tier)
{
    size_t items = 0, live = 0;
    const size_t count = find_edges(from, tier);
    begin_list(own);
    for (size_t i = 0; i < count; i++) {
        const edge *at = &from->edges[i];
        if (at->births) {
            put_alloc(own, from, at, &live, &items);
            continue;
        }
        const size_t found = find_live(from, live, from->plan->buffers[at->buffer].offset);
        if (found < live && from->live[found] == at->buffer) {
            put_free(own, from, at, &items);
            remove_live(from, &live, found);
        }
    }
    end_list(own);
}

/* ---- what is left after the step ------------------------------------------------------------- */

static void put_block(pickle *own, const source *from, vdnn_tier tier, size_t offset, size_t bytes,
                      const vdnn_buffer *buffer)
{
    begin_dict(own);
    put_key_number(own, "address", address_of(tier, offset));
    put_key_number(own, "size", bytes);
    put_key_number(own, "requested_size", buffer == NULL ? 0 : bytes);
    put_key_text(own, "state", buffer == NULL ? "inactive" : "active_allocated");
    put_frames(own, from->plan, buffer);
    end_dict(own);
}

static int by_address(const void *a, const void *b)
{
    const vdnn_buffer *const *x = a, *const *y = b;
    return (*x)->offset < (*y)->offset ? -1 : (*x)->offset > (*y)->offset;
}

/* The persistent buffers of the tier, by address, and their bytes. Returns their number. */
static size_t find_persistent(const source *from, vdnn_tier tier, const vdnn_buffer **kept,
                              size_t *bytes)
{
    size_t count = 0;
    *bytes = 0;
    for (int32_t b = 0; b < from->plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &from->plan->buffers[b];
        if (buffer->tier != tier || !buffer->persistent || buffer->bytes == 0)
            continue;
        kept[count++] = buffer;
        *bytes += buffer->bytes;
    }
    qsort(kept, count, sizeof *kept, by_address);
    return count;
}

static void put_blocks(pickle *own, const source *from, vdnn_tier tier, const vdnn_buffer **kept,
                       size_t count)
{
    size_t at = 0, items = 0;
    begin_list(own);
    for (size_t i = 0; i < count; i++) {
        if (kept[i]->offset > at) {
            put_block(own, from, tier, at, kept[i]->offset - at, NULL);
            next_item(own, ++items);
        }
        put_block(own, from, tier, kept[i]->offset, kept[i]->bytes, kept[i]);
        next_item(own, ++items);
        at = kept[i]->offset + kept[i]->bytes;
    }
    if (from->plan->span_bytes[tier] > at)
        put_block(own, from, tier, at, from->plan->span_bytes[tier] - at, NULL);
    end_list(own);
}

static void put_segment(pickle *own, const source *from, vdnn_tier tier, const vdnn_buffer **kept)
{
    size_t bytes;
    const size_t count = find_persistent(from, tier, kept, &bytes);
    begin_dict(own);
    put_key_number(own, "device", (uint64_t)tier);
    put_key_number(own, "address", address_of(tier, 0));
    put_key_number(own, "total_size", from->plan->span_bytes[tier]);
    put_key_number(own, "allocated_size", bytes);
    put_key_number(own, "active_size", bytes);
    put_key_number(own, "stream", 0);
    put_key_text(own, "segment_type", "large");
    put_frames(own, from->plan, NULL);
    put_text(own, "blocks");
    put_blocks(own, from, tier, kept, count);
    end_dict(own);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_snapshot(pickle *own, const source *from, const vdnn_buffer **kept)
{
    put_byte(own, OP_PROTO);
    put_byte(own, PROTOCOL);
    begin_dict(own);
    put_text(own, "segments");
    begin_list(own);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        if (from->plan->span_bytes[tier] > 0)
            put_segment(own, from, (vdnn_tier)tier, kept);
    end_list(own);
    put_text(own, "device_traces");
    begin_list(own);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        put_trace(own, from, (vdnn_tier)tier);
    end_list(own);
    end_dict(own);
    put_byte(own, OP_STOP);
    flush(own);
}

static vdnn_status write_file(const source *from, const vdnn_buffer **kept, const char *path)
{
    pickle own = {.status = VDNN_OK};
    vdnn_status status = vdnn_output_create(path, &own.output);
    if (status != VDNN_OK)
        return status;
    put_snapshot(&own, from, kept);
    if (own.status == VDNN_OK)
        return vdnn_output_commit(own.output);
    vdnn_output_abandon(own.output);
    return own.status;
}

static void find_compute(const vdnn_plan *plan, int32_t *compute)
{
    for (int32_t s = 0; s < plan->step_count; s++)
        if (plan->steps[s].stream == VDNN_STREAM_COMPUTE)
            *compute++ = s;
}

vdnn_status vdnn_snapshot_write(const vdnn_plan *plan, const double *start, const double *end,
                                const char *path)
{
    const size_t buffers = (size_t)plan->buffer_count;
    vdnn_lives lives = {0};
    source from = {.plan = plan,
                   .start = start,
                   .end = end,
                   .lives = &lives,
                   .compute = vdnn_heap_calloc((size_t)plan->step_count, sizeof *from.compute),
                   .edges = vdnn_heap_calloc(2 * buffers, sizeof *from.edges),
                   .live = vdnn_heap_calloc(buffers, sizeof *from.live)};
    const vdnn_buffer **kept = vdnn_heap_calloc(buffers, sizeof *kept);
    vdnn_status status = VDNN_OK;
    if (from.compute == NULL || from.edges == NULL || from.live == NULL || kept == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the snapshot", path);
    VDNN_IF_OK(status, vdnn_lives_init(plan, &lives));
    if (status == VDNN_OK) {
        find_compute(plan, from.compute);
        status = write_file(&from, kept, path);
    }
    vdnn_lives_fini(&lives);
    vdnn_heap_free(from.compute);
    vdnn_heap_free(from.edges);
    vdnn_heap_free(from.live);
    vdnn_heap_free(kept);
    return status;
}
