/* Waits for memory: if an address is reused and no dependency orders the two users, the later one
 * waits for the earlier one.
 *
 * One sweep over the points of the compute stream, for each tier. Addresses are cut into cells at
 * the bounds of all buffers that copies use; when such a buffer's life ends, its cells record its
 * last copies, and a buffer whose life begins waits for the latest copies in its cells. Copies
 * before those are complete then, too, and a lifetime ends no earlier than what the compute stream
 * does with it. */

#include "runtime/planner/reuse.h"

#include "runtime/planner/lifetime.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* A step of each stream, or NONE. */
typedef struct stream_steps {
    int32_t on[VDNN_STREAM_COUNT];
} stream_steps;

typedef struct sweep {
    vdnn_builder *builder;          /* borrowed */
    stream_steps *first, *last;     /* per buffer: of its accesses; last: of copies alone */
    int32_t *begins, *ends;         /* per point: a buffer whose life begins there, or ends */
    int32_t *next_begin, *next_end; /* per buffer */
    size_t *bounds;                 /* cell i is from bound i to bound i + 1 */
    stream_steps *cells;            /* the latest copies of the lives that are over */
    int32_t point_count, bound_count;
    bool is_changed;
} sweep;

static int32_t count_points(const vdnn_builder *builder)
{
    int32_t count = 1;
    for (int32_t b = 0; b < builder->buffer_count; b++)
        if (builder->lifetimes[b].end >= count)
            count = builder->lifetimes[b].end + 1;
    return count;
}

static vdnn_status sweep_init(vdnn_builder *builder, sweep *own)
{
    vdnn_region *region = &builder->region;
    size_t buffers = (size_t)builder->buffer_count;
    *own = (sweep){.builder = builder, .point_count = count_points(builder)};
    size_t points = (size_t)own->point_count;
    own->first = vdnn_region_take(region, buffers, sizeof *own->first);
    own->last = vdnn_region_take(region, buffers, sizeof *own->last);
    own->begins = vdnn_region_take(region, points, sizeof *own->begins);
    own->ends = vdnn_region_take(region, points, sizeof *own->ends);
    own->next_begin = vdnn_region_take(region, buffers, sizeof *own->next_begin);
    own->next_end = vdnn_region_take(region, buffers, sizeof *own->next_end);
    own->bounds = vdnn_region_take(region, 2 * buffers, sizeof *own->bounds);
    own->cells = vdnn_region_take(region, 2 * buffers, sizeof *own->cells);
    VDNN_TRY(vdnn_builder_status(builder));
    memset(own->first, NONE, buffers * sizeof *own->first);
    memset(own->last, NONE, buffers * sizeof *own->last);
    return VDNN_OK;
}

static void note_users(sweep *own)
{
    const vdnn_builder *builder = own->builder;
    for (int32_t i = 0; i < builder->access_count; i++) {
        int32_t step = builder->accesses[i].step, buffer = builder->accesses[i].access.buffer;
        vdnn_stream_id stream = builder->steps[step].stream;
        int32_t *first = &own->first[buffer].on[stream], *last = &own->last[buffer].on[stream];
        if (*first == NONE || step < *first)
            *first = step;
        if (stream != VDNN_STREAM_COMPUTE && step > *last)
            *last = step;
    }
}

static bool is_any(const stream_steps *steps)
{
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        if (steps->on[k] != NONE)
            return true;
    return false;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int by_size(const void *left, const void *right)
{
    const size_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The zone behind a buffer is its own. */
static size_t end_of(const sweep *own, int32_t buffer)
{
    const vdnn_buffer *at = &own->builder->buffers[buffer];
    return at->offset + vdnn_plan_span_bytes(at->bytes, own->builder->zone_bytes);
}

static void cut_cells(sweep *own, vdnn_tier tier)
{
    int32_t count = 0, kept = 0;
    for (int32_t b = 0; b < own->builder->buffer_count; b++) {
        if (own->builder->buffers[b].tier != tier || !is_any(&own->last[b]))
            continue;
        own->bounds[count++] = own->builder->buffers[b].offset;
        own->bounds[count++] = end_of(own, b);
    }
    qsort(own->bounds, (size_t)count, sizeof *own->bounds, by_size);
    for (int32_t i = 0; i < count; i++)
        if (kept == 0 || own->bounds[i] > own->bounds[kept - 1])
            own->bounds[kept++] = own->bounds[i];
    own->bound_count = kept;
    memset(own->cells, NONE, (size_t)kept * sizeof *own->cells);
}

/* The first cell that ends above the address. */
static int32_t first_cell(const sweep *own, size_t address)
{
    int32_t low = 0, high = own->bound_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (own->bounds[middle + 1] > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void join_latest(stream_steps *latest, const stream_steps *other)
{
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        if (other->on[k] > latest->on[k])
            latest->on[k] = other->on[k];
}

static void end_life(sweep *own, int32_t buffer)
{
    size_t end = end_of(own, buffer);
    int32_t cell = first_cell(own, own->builder->buffers[buffer].offset);
    for (; cell < own->bound_count - 1 && own->bounds[cell] < end; cell++)
        join_latest(&own->cells[cell], &own->last[buffer]);
}

/* The first access on each stream waits for the copies that are not ordered before it already. */
static void begin_life(sweep *own, int32_t buffer)
{
    size_t end = end_of(own, buffer);
    stream_steps latest;
    memset(&latest, NONE, sizeof latest);
    int32_t cell = first_cell(own, own->builder->buffers[buffer].offset);
    for (; cell < own->bound_count - 1 && own->bounds[cell] < end; cell++)
        join_latest(&latest, &own->cells[cell]);
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        for (int s = 0; s < VDNN_STREAM_COUNT; s++) {
            int32_t step = own->first[buffer].on[s], target = latest.on[k];
            if (step == NONE || target == NONE || vdnn_lifetime_before(own->builder, target, step))
                continue;
            vdnn_builder_wait_for(own->builder, step, target);
            own->is_changed = true;
        }
}

/* ---- the sweep ------------------------------------------------------------------------------- */

static void list_lives(sweep *own, vdnn_tier tier)
{
    size_t bytes = (size_t)own->point_count * sizeof *own->begins;
    memset(own->begins, NONE, bytes);
    memset(own->ends, NONE, bytes);
    for (int32_t b = 0; b < own->builder->buffer_count; b++) {
        const vdnn_lifetime *life = &own->builder->lifetimes[b];
        if (own->builder->buffers[b].tier != tier || !is_any(&own->first[b]))
            continue;
        own->next_begin[b] = own->begins[life->start];
        own->begins[life->start] = b;
        if (!is_any(&own->last[b]))
            continue;
        own->next_end[b] = own->ends[life->end];
        own->ends[life->end] = b;
    }
}

static void sweep_tier(sweep *own, vdnn_tier tier)
{
    cut_cells(own, tier);
    if (own->bound_count == 0)
        return; /* no copies */
    list_lives(own, tier);
    for (int32_t t = 0; t < own->point_count; t++) {
        for (int32_t b = own->ends[t]; b != NONE; b = own->next_end[b])
            end_life(own, b);
        for (int32_t b = own->begins[t]; b != NONE; b = own->next_begin[b])
            begin_life(own, b);
    }
}

vdnn_status vdnn_reuse_order(vdnn_builder *builder)
{
    sweep own;
    VDNN_TRY(sweep_init(builder, &own));
    note_users(&own);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        sweep_tier(&own, (vdnn_tier)tier);
    return own.is_changed ? vdnn_lifetime_clocks(builder) : VDNN_OK;
}
