#include "tests/support/plan_repair.h"

#include "runtime/base/heap.h"
#include "tests/support/plan_edit.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { NONE = -1 };

static void *made(size_t count, size_t size)
{
    void *items = vdnn_heap_calloc(count + 1, size);
    assert_non_null(items);
    return items;
}

static bool share_bytes(const vdnn_buffer *a, const vdnn_buffer *b)
{
    return a->tier == b->tier && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void renumber(int32_t *buffer, const int32_t *fresh)
{
    if (*buffer >= 0)
        *buffer = fresh[*buffer];
}

/* What is kept between training steps stays, whoever uses it. */
static void drop_unused(vdnn_plan *plan)
{
    const vdnn_graph *graph = plan->graph;
    int32_t *fresh = made((size_t)plan->buffer_count, sizeof *fresh), count = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const bool used = plan->buffers[b].persistent || plan->buffers[b].first_step >= 0;
        fresh[b] = used ? count : NONE;
        if (used)
            plan->buffers[count++] = plan->buffers[b];
    }
    plan->buffer_count = count;
    for (int32_t k = 0; k < plan->access_count; k++)
        renumber(&plan->accesses[k].buffer, fresh);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        renumber(&plan->param_buffer[l], fresh);
        renumber(&plan->state_buffer[l], fresh);
    }
    for (int32_t i = 0; i < graph->input_count; i++) {
        renumber(&plan->ahead[i], fresh);
        renumber(&plan->arrived[i], fresh);
    }
    vdnn_heap_free(fresh);
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef int32_t per_stream[VDNN_STREAM_COUNT];

/* Steps by their number on their stream, from 1 on; 0: none. */
typedef struct order {
    vdnn_plan *plan;
    per_stream *complete;            /* per step: how many of each stream are when it starts */
    int32_t *number;                 /* per step, on its stream */
    per_stream *used, *read, *wrote; /* per buffer: the last step so far that did; any use counts
                                        as `used` */
    int32_t last[VDNN_STREAM_COUNT]; /* step so far; NONE */
    int32_t length[VDNN_STREAM_COUNT];
    int32_t **at;   /* per stream: its steps by number */
    int32_t *waits; /* of all steps, the new list */
    int32_t wait_count, wait_room;
} order;

static void begin_order(order *o, vdnn_plan *plan)
{
    const size_t steps = (size_t)plan->step_count, buffers = (size_t)plan->buffer_count;
    *o = (order){.plan = plan};
    o->complete = made(steps, sizeof *o->complete);
    o->number = made(steps, sizeof *o->number);
    o->used = made(buffers, sizeof *o->used);
    o->read = made(buffers, sizeof *o->read);
    o->wrote = made(buffers, sizeof *o->wrote);
    o->at = made(VDNN_STREAM_COUNT, sizeof(int32_t *));
    for (int s = 0; s < VDNN_STREAM_COUNT; s++) {
        o->last[s] = NONE;
        o->at[s] = made(steps, sizeof *o->at[s]);
    }
}

static void end_order(order *o)
{
    for (int s = 0; s < VDNN_STREAM_COUNT; s++)
        vdnn_heap_free(o->at[s]);
    vdnn_heap_free(o->at);
    vdnn_heap_free(o->complete);
    vdnn_heap_free(o->number);
    vdnn_heap_free(o->used);
    vdnn_heap_free(o->read);
    vdnn_heap_free(o->wrote);
    vdnn_heap_free(o->waits);
}

/* All that is complete with step `early` is when step `late` starts. */
static void follow(order *o, int32_t early, int32_t late)
{
    const int32_t stream = (int32_t)o->plan->steps[early].stream;
    for (int s = 0; s < VDNN_STREAM_COUNT; s++)
        if (o->complete[early][s] > o->complete[late][s])
            o->complete[late][s] = o->complete[early][s];
    if (o->number[early] > o->complete[late][stream])
        o->complete[late][stream] = o->number[early];
}

static void add_wait(order *o, int32_t step, int32_t awaited)
{
    if (o->wait_count == o->wait_room) {
        o->wait_room = 2 * o->wait_room + 64;
        int32_t *waits = vdnn_heap_realloc(o->waits, (size_t)o->wait_room, sizeof *waits);
        assert_non_null(waits);
        o->waits = waits;
    }
    o->waits[o->wait_count++] = awaited;
    o->plan->steps[step].wait_count++;
    follow(o, awaited, step);
}

/* Waits for the n-th step of a stream, unless it is complete by then anyway. */
static void require(order *o, int32_t step, int stream, int32_t number)
{
    if (number > o->complete[step][stream] && stream != (int)o->plan->steps[step].stream)
        add_wait(o, step, o->at[stream][number]);
}

static void require_all(order *o, int32_t step, const per_stream numbers)
{
    for (int s = 0; s < VDNN_STREAM_COUNT; s++)
        require(o, step, s, numbers[s]);
}

/* On each of its streams what uses a buffer first comes after all that used its bytes before. */
static void require_memory(order *o, int32_t step, int32_t b)
{
    const vdnn_plan *plan = o->plan;
    const vdnn_buffer *own = &plan->buffers[b];
    if (o->used[b][plan->steps[step].stream] > 0)
        return;
    for (int32_t other = 0; other < plan->buffer_count; other++)
        if (plan->buffers[other].last_step < own->first_step &&
            share_bytes(&plan->buffers[other], own))
            require_all(o, step, o->used[other]);
}

static void require_accesses(order *o, int32_t step)
{
    const vdnn_step *own = &o->plan->steps[step];
    for (int32_t k = own->first_access; k < own->first_access + own->access_count; k++) {
        const vdnn_access *access = &o->plan->accesses[k];
        require_memory(o, step, access->buffer);
        if (access->mode != VDNN_HOLD)
            require_all(o, step, o->wrote[access->buffer]);
        if ((access->mode & VDNN_WRITE) != 0)
            require_all(o, step, o->read[access->buffer]);
    }
}

static void note_accesses(order *o, int32_t step)
{
    const vdnn_step *own = &o->plan->steps[step];
    for (int32_t k = own->first_access; k < own->first_access + own->access_count; k++) {
        const vdnn_access *access = &o->plan->accesses[k];
        o->used[access->buffer][own->stream] = o->number[step];
        if ((access->mode & VDNN_READ) != 0)
            o->read[access->buffer][own->stream] = o->number[step];
        if ((access->mode & VDNN_WRITE) != 0)
            o->wrote[access->buffer][own->stream] = o->number[step];
    }
}

static void keep_waits(order *o, int32_t step, const int32_t *waits, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        if (waits[k] >= 0 && waits[k] < step)
            require(o, step, (int)o->plan->steps[waits[k]].stream, o->number[waits[k]]);
}

static void place_on_stream(order *o, int32_t step)
{
    const int32_t stream = (int32_t)o->plan->steps[step].stream;
    o->number[step] = ++o->length[stream];
    o->at[stream][o->number[step]] = step;
    if (o->last[stream] != NONE)
        follow(o, o->last[stream], step);
    o->last[stream] = step;
}

static void order_step(order *o, int32_t step, bool repairs)
{
    vdnn_step *own = &o->plan->steps[step];
    const int32_t *waits = &o->plan->waits[own->first_wait], count = own->wait_count;
    place_on_stream(o, step);
    own->wait_count = 0;
    const int32_t first = o->wait_count;
    if (repairs && step > 0)
        require(o, step, (int)o->plan->steps[0].stream, 1);
    keep_waits(o, step, waits, count);
    if (repairs)
        require_accesses(o, step);
    for (int s = 0; s < VDNN_STREAM_COUNT && repairs && step == o->plan->step_count - 1; s++)
        require(o, step, s, o->length[s] - (s == (int)own->stream));
    own->first_wait = first;
    note_accesses(o, step);
}

static void order_all(order *o, bool repairs)
{
    for (int32_t i = 0; i < o->plan->step_count; i++)
        order_step(o, i, repairs);
    vdnn_heap_free(o->plan->waits);
    o->plan->waits = o->waits;
    o->plan->wait_count = o->wait_count;
    o->waits = NULL;
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* Points of the compute stream: its n-th step, from 0, is point 2n, the gap behind it 2n + 1. */
static int32_t first_point(const order *o, int32_t step)
{
    const int32_t before = o->complete[step][VDNN_STREAM_COMPUTE];
    if (o->plan->steps[step].stream == VDNN_STREAM_COMPUTE)
        return 2 * (o->number[step] - 1);
    return before == 0 ? 0 : 2 * before - 1;
}

static int32_t last_point(const order *o, int32_t step)
{
    const vdnn_stream_id stream = o->plan->steps[step].stream;
    if (stream == VDNN_STREAM_COMPUTE)
        return 2 * (o->number[step] - 1);
    int32_t n = 1;
    while (n <= o->length[VDNN_STREAM_COMPUTE] &&
           o->complete[o->at[VDNN_STREAM_COMPUTE][n]][stream] < o->number[step])
        n++;
    return 2 * (n - 1) - 1;
}

typedef struct claims {
    int64_t category[VDNN_CATEGORY_COUNT], tier[VDNN_TIER_COUNT];
} claims;

static void find_lives(const order *o, int32_t (*lives)[2])
{
    const vdnn_plan *plan = o->plan;
    const int32_t points = 2 * o->length[VDNN_STREAM_COMPUTE];
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        lives[b][0] = plan->buffers[b].persistent ? 0 : points;
        lives[b][1] = plan->buffers[b].persistent ? points - 1 : NONE;
    }
    for (int32_t i = 0; i < plan->step_count; i++) {
        const int32_t first = first_point(o, i), last = last_point(o, i);
        for (int32_t k = 0; k < plan->steps[i].access_count; k++) {
            int32_t *life = lives[plan->accesses[plan->steps[i].first_access + k].buffer];
            life[0] = first < life[0] ? first : life[0];
            life[1] = last > life[1] ? last : life[1];
        }
    }
}

/* What is alive at a point, of `change` per point. */
static void add_lives(const vdnn_plan *plan, const int32_t (*lives)[2], claims *change)
{
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        const int64_t bytes = (int64_t)buffer->bytes;
        const bool on_device = buffer->tier == VDNN_TIER_DEVICE;
        if (lives[b][0] > lives[b][1])
            continue;
        change[lives[b][0]].tier[buffer->tier] += bytes;
        change[lives[b][1] + 1].tier[buffer->tier] -= bytes;
        change[lives[b][0]].category[vdnn_class_category(buffer->class)] += on_device ? bytes : 0;
        change[lives[b][1] + 1].category[vdnn_class_category(buffer->class)] -=
            on_device ? bytes : 0;
    }
}

static void claim_peaks(const order *o, const claims *change)
{
    vdnn_plan *plan = o->plan;
    claims live = {.tier = {0}};
    size_t most[VDNN_TIER_COUNT] = {0};
    memset(plan->by_category, 0, sizeof plan->by_category);
    plan->peak_step = 0;
    for (int32_t p = 0; p < 2 * o->length[VDNN_STREAM_COMPUTE]; p++) {
        const size_t before = most[VDNN_TIER_DEVICE];
        for (int t = 0; t < VDNN_TIER_COUNT; t++) {
            live.tier[t] += change[p].tier[t];
            most[t] = (size_t)live.tier[t] > most[t] ? (size_t)live.tier[t] : most[t];
        }
        const bool is_peak = most[VDNN_TIER_DEVICE] > before;
        for (int c = 0; c < VDNN_CATEGORY_COUNT; c++) {
            live.category[c] += change[p].category[c];
            const size_t bytes = (size_t)live.category[c];
            plan->by_category[c] = bytes > plan->by_category[c] ? bytes : plan->by_category[c];
            plan->by_category_at_peak[c] = is_peak ? bytes : plan->by_category_at_peak[c];
        }
        plan->peak_step = is_peak ? o->at[VDNN_STREAM_COMPUTE][p / 2 + 1] : plan->peak_step;
    }
    size_t excess = most[VDNN_TIER_DEVICE] > plan->span_bytes[VDNN_TIER_DEVICE]
                        ? most[VDNN_TIER_DEVICE] - plan->span_bytes[VDNN_TIER_DEVICE]
                        : 0;
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        plan->peak_bytes[t] = most[t] < plan->span_bytes[t] ? most[t] : plan->span_bytes[t];
    for (int c = VDNN_CATEGORY_feature_maps; excess > 0; c = (c + 1) % VDNN_CATEGORY_COUNT) {
        size_t *own = &plan->by_category_at_peak[c];
        const size_t less = excess < *own ? excess : *own;
        *own -= less;
        excess -= less;
    }
}

static void claim_copies(vdnn_plan *plan)
{
    size_t moved[VDNN_STEP_KIND_COUNT] = {0};
    for (int32_t i = 0; i < plan->step_count; i++)
        moved[plan->steps[i].kind] += plan->steps[i].bytes;
    plan->offload_bytes = moved[VDNN_STEP_COPY_OUT];
    plan->prefetch_bytes = moved[VDNN_STEP_COPY_IN];
    plan->spill_bytes = moved[VDNN_STEP_SPILL];
    plan->fill_bytes = moved[VDNN_STEP_FILL];
}

static void claim(const order *o)
{
    vdnn_plan *plan = o->plan;
    int32_t(*lives)[2] = made((size_t)plan->buffer_count, sizeof *lives);
    claims *change = made(2 * (size_t)o->length[VDNN_STREAM_COMPUTE] + 1, sizeof *change);
    vdnn_plan_edit_fit_spans(plan);
    find_lives(o, lives);
    add_lives(plan, (const int32_t(*)[2])lives, change);
    claim_peaks(o, change);
    claim_copies(plan);
    vdnn_heap_free(lives);
    vdnn_heap_free(change);
}

static void repair(vdnn_plan *plan, bool repairs)
{
    order o;
    begin_order(&o, plan);
    order_all(&o, repairs);
    claim(&o);
    end_order(&o);
}

void vdnn_plan_repair(vdnn_plan *plan)
{
    vdnn_plan_edit_refresh(plan);
    drop_unused(plan);
    vdnn_plan_edit_name_writers(plan);
    repair(plan, true);
}

void vdnn_plan_repair_claims(vdnn_plan *plan)
{
    repair(plan, false);
}
