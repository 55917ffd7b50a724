#include "runtime/planner/room.h"

#include <string.h>

enum { NONE = -1 };

/* Per buffer: where it is used first by compute and by a copy in, as positions on these streams,
 * and the last copy out, a step; or NONE. */
typedef struct users {
    int32_t *compute, *in, *out;
} users;

static int32_t *take(vdnn_builder *builder, int32_t count)
{
    return vdnn_region_take(&builder->region, (size_t)count, sizeof(int32_t));
}

static void set_none(int32_t *values, int32_t count)
{
    memset(values, NONE, (size_t)count * sizeof *values);
}

static void note_first(int32_t *first, int32_t at)
{
    if (*first == NONE || at < *first)
        *first = at;
}

static vdnn_status find_users(vdnn_builder *builder, users *own)
{
    const int32_t count = builder->buffer_count;
    *own = (users){take(builder, count), take(builder, count), take(builder, count)};
    VDNN_TRY(vdnn_builder_status(builder));
    set_none(own->compute, count);
    set_none(own->in, count);
    set_none(own->out, count);
    for (int32_t i = 0; i < builder->access_count; i++) {
        const int32_t step = builder->accesses[i].step, buffer = builder->accesses[i].access.buffer;
        const vdnn_stream_id stream = builder->steps[step].stream;
        if (stream == VDNN_STREAM_COMPUTE)
            note_first(&own->compute[buffer], builder->position[step]);
        else if (stream == VDNN_STREAM_IN)
            note_first(&own->in[buffer], builder->position[step]);
        else if (stream == VDNN_STREAM_OUT && step > own->out[buffer])
            own->out[buffer] = step;
    }
    return VDNN_OK;
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* What is alive, by half points and by copies in, and what is dead by the plan. */
typedef struct room {
    vdnn_builder *builder; /* borrowed */
    users of;
    int64_t most_bytes;
    int64_t *begun;  /* per half point: bytes that compute begins to use, less what ends there */
    int64_t *copied; /* per position of a copy in: bytes that it begins to use */
    int32_t *deaths, *next; /* per half point: a buffer that was copied out and is dead from there
                               on; per buffer: the next */
    int64_t *freed;         /* per step: dead bytes whose copy it is */
} room;

static vdnn_status room_init(vdnn_builder *builder, size_t most_bytes, room *own)
{
    vdnn_region *region = &builder->region;
    const int32_t steps = builder->step_count, points = 2 * steps + 2;
    *own = (room){.builder = builder, .most_bytes = (int64_t)most_bytes};
    own->begun = vdnn_region_zeros(region, (size_t)points, sizeof *own->begun);
    own->copied = vdnn_region_zeros(region, (size_t)steps, sizeof *own->copied);
    own->freed = vdnn_region_take(region, (size_t)steps, sizeof *own->freed);
    own->deaths = take(builder, points);
    own->next = take(builder, builder->buffer_count);
    VDNN_TRY(find_users(builder, &own->of));
    set_none(own->deaths, points);
    return VDNN_OK;
}

static int64_t bytes_of(const room *own, int32_t buffer)
{
    const vdnn_builder *builder = own->builder;
    return (int64_t)vdnn_plan_span_bytes(builder->buffers[buffer].bytes, builder->zone_bytes);
}

/* Of what compute uses: what it uses before any copy is begun by compute. */
static void list_lives(room *own)
{
    const vdnn_builder *builder = own->builder;
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        const vdnn_lifetime *life = &builder->lifetimes[b];
        const int32_t first = own->of.compute[b], copy_in = own->of.in[b];
        if (builder->buffers[b].tier != VDNN_TIER_DEVICE || first == NONE)
            continue;
        const bool is_copied = copy_in != NONE && life->start < 2 * first;
        *(is_copied ? &own->copied[copy_in] : &own->begun[2 * first]) += bytes_of(own, b);
        own->begun[life->end] -= bytes_of(own, b);
        if (own->of.out[b] == NONE)
            continue;
        own->next[b] = own->deaths[life->end];
        own->deaths[life->end] = b;
    }
}

/* From the begin of a plan to a step of one stream. */
typedef struct sweep {
    int64_t alive, dead;    /* bytes; the latter those whose copies may not have ended */
    int32_t point, arrived; /* up to which half point and copy in, both excluded */
    int32_t ended;          /* copies out before this step have ended */
    int32_t awaited;        /* the last of these that has to; NONE */
} sweep;

static void bury(const room *own, int32_t step, sweep *at)
{
    for (int32_t b = own->deaths[at->point]; b != NONE; b = own->next[b]) {
        const int32_t copy = own->of.out[b];
        if (copy < at->ended || copy >= step)
            continue;
        at->dead += bytes_of(own, b);
        own->freed[copy] += bytes_of(own, b);
    }
}

static void go_to(const room *own, int32_t step, sweep *at)
{
    const vdnn_builder *builder = own->builder;
    const vdnn_vector_clock *clock = &builder->clocks[step];
    const int32_t position = builder->position[step];
    const bool is_copy = builder->steps[step].stream == VDNN_STREAM_IN;
    const int32_t points = is_copy ? 2 * clock->done[VDNN_STREAM_COMPUTE] : 2 * position + 1,
                  copies = is_copy ? position + 1 : clock->done[VDNN_STREAM_IN];
    for (; at->arrived < copies; at->arrived++)
        at->alive += own->copied[at->arrived];
    for (; at->point < points; at->point++) {
        at->alive += own->begun[at->point];
        bury(own, step, at);
    }
}

static void wait_on(room *own, vdnn_stream_id stream)
{
    vdnn_builder *builder = own->builder;
    sweep at = {.awaited = NONE};
    memset(own->freed, 0, (size_t)builder->step_count * sizeof *own->freed);
    for (int32_t s = 0; s < builder->step_count; s++) {
        if (builder->steps[s].stream != stream)
            continue;
        go_to(own, s, &at);
        for (; at.dead > 0 && at.dead + at.alive > own->most_bytes; at.ended++)
            if (own->freed[at.ended] > 0) {
                at.dead -= own->freed[at.ended];
                at.awaited = at.ended;
            }
        if (at.awaited != NONE)
            vdnn_builder_wait_for(builder, s, at.awaited);
    }
}

vdnn_status vdnn_room_wait(vdnn_builder *builder, size_t most_bytes)
{
    room own;
    if (most_bytes > INT64_MAX)
        return VDNN_OK; /* unlimited */
    VDNN_TRY(room_init(builder, most_bytes, &own));
    list_lives(&own);
    wait_on(&own, VDNN_STREAM_COMPUTE);
    wait_on(&own, VDNN_STREAM_IN);
    return VDNN_OK;
}

/* ---- lives ----------------------------------------------------------------------------------- */

/* Per step, of a copy out: the first half point that is not before its end. */
static void find_points(const vdnn_builder *builder, const double *start, const double *end,
                        int32_t *behind)
{
    int32_t c = 0;
    for (int32_t s = 0; s < builder->step_count; s++) {
        if (builder->steps[s].stream != VDNN_STREAM_OUT)
            continue;
        while (c < builder->step_count - 1 &&
               (builder->steps[c].stream != VDNN_STREAM_COMPUTE || end[c] < end[s]))
            c++;
        behind[s] = 2 * builder->position[c] + (start[c] < end[s]);
    }
}

vdnn_status vdnn_room_until(vdnn_builder *builder, const double *start, const double *end,
                            int32_t *until)
{
    users of;
    int32_t *behind = take(builder, builder->step_count);
    VDNN_TRY(find_users(builder, &of));
    find_points(builder, start, end, behind);
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        const int32_t own = builder->lifetimes[b].end, copy = of.out[b];
        until[b] = copy != NONE && behind[copy] > own ? behind[copy] : own;
    }
    return VDNN_OK;
}
