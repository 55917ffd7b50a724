#include "runtime/planner/packer/span_search.h"

#include <string.h>

/* Limits of the search for a better order: comparisons (some ten milliseconds; of one of many
 * plans, less than one), and orders. */
enum { SEARCH_WORK = 16000000, QUICK_WORK = 1000000, SEARCH_ROUNDS = 1000 };

/* Likewise of the search in columns, in values that are looked at: for a packing that loses
 * nothing, and for some that lose less than the best, where that loses more than a part of what is
 * alive. Few searches end after fewer looks for each pair of items: for so many items none begins.
 * Half of them end after the least, which is worth it where a good part of what is alive is lost.
 */
enum { SKYLINE_WORK = 60000000, QUICK_SKYLINE_WORK = 8000000 };
enum { LOOKS_PER_PAIR = 64, LEAST_LOOKS_PER_PAIR = 16, LARGE_LOSS_PART = 256 };
enum { HALVING_WORK = 30000000, HALVINGS = 4, LOSS_PART = 64 };

/* The search that a caller gives looks for may take more work than the others where they would not
 * begin: of up to so many items, some tenths of a second. */
enum { MOST_ITEMS = 2000 };

static void keep_trial(vdnn_span_search *in)
{
    vdnn_placement kept = in->trial;
    in->trial = in->kept;
    in->kept = kept;
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* The span of another order, or `most` if it is not below that; a better one is kept. */
static size_t try_order(vdnn_span_search *in, vdnn_ranking by, size_t most)
{
    vdnn_ranking_sort(&in->sorter, by, in->list, &in->trial);
    size_t span;
    if (by == VDNN_RANKING_AS_BEFORE)
        span = vdnn_placement_drop(&in->trial, in->floors, in->horizon);
    else if (by == VDNN_RANKING_BY_START)
        span = vdnn_sweep_place(&in->sweep, &in->trial, in->fixed_end);
    else
        span = vdnn_placement_fit(&in->trial, most);
    if (span < most)
        keep_trial(in);
    return span < most ? span : most;
}

/* The best of a few orders; the kept entries are left in it, with its offsets. */
static size_t best_order(vdnn_span_search *in)
{
    size_t best = SIZE_MAX;
    if (in->was_packed)
        best = try_order(in, VDNN_RANKING_AS_BEFORE, best);
    if (best == SIZE_MAX || best > in->enough)
        best = try_order(in, VDNN_RANKING_BY_START, best);
    for (vdnn_ranking by = VDNN_RANKING_BY_BYTES; by <= VDNN_RANKING_BY_LIFE; by++)
        if (best > in->enough && in->count <= VDNN_PLACEMENT_MOST)
            best = try_order(in, by, best);
    return best;
}

/* ---- better orders --------------------------------------------------------------------------- */

/* A deterministic sequence: the search must try the same on every run. */
static uint64_t next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Hill climbing over orders: the item that ends highest is placed at an earlier turn, at times any
 * item at any turn; an order that is not worse is kept. Returns the best span; the kept entries
 * then hold its offsets. */
static size_t climb(vdnn_span_search *in, size_t best)
{
    const int32_t count = in->count, fixed = in->fixed;
    uint64_t state = 1;
    int64_t rounds = in->work / ((int64_t)count * count + 1);
    if (rounds > SEARCH_ROUNDS)
        rounds = SEARCH_ROUNDS;
    if (rounds > 0 && best > in->enough && in->kept.placed < count)
        vdnn_placement_list(&in->kept);
    for (int64_t round = 0; round < rounds && best > in->enough; round++) {
        bool any = round % 4 == 3;
        int32_t top = vdnn_placement_topmost(&in->kept);
        if (top < fixed)
            break;
        int32_t from =
            any ? fixed + (int32_t)(next_number(&state) % (uint64_t)(count - fixed)) : top;
        int32_t range = any ? count : from + 1;
        int32_t to = fixed + (int32_t)(next_number(&state) % (uint64_t)(range - fixed));
        vdnn_placement_copy(&in->trial, &in->kept);
        if (!vdnn_placement_move(&in->trial, from, to, best))
            continue;
        keep_trial(in);
        best = vdnn_placement_span(&in->kept, count);
    }
    return best;
}

/* ---- columns --------------------------------------------------------------------------------- */

static int32_t in_units(const vdnn_span_search *in, size_t bytes)
{
    return (int32_t)(bytes / in->alignment);
}

static int64_t looks_of(const vdnn_span_search *in, int64_t per_pair)
{
    return per_pair * in->count * in->count;
}

static int64_t given_work(const vdnn_span_search *in)
{
    const int64_t least = looks_of(in, LOOKS_PER_PAIR);
    return least <= SKYLINE_WORK || in->count > MOST_ITEMS ? SKYLINE_WORK : 2 * least;
}

/* `best`: the span that is known. */
static bool is_searched(const vdnn_span_search *in, int64_t work, size_t best)
{
    const bool is_large = best - in->live > in->live / LARGE_LOSS_PART;
    const int64_t per_pair = is_large ? LEAST_LOOKS_PER_PAIR : LOOKS_PER_PAIR;
    return looks_of(in, per_pair) <= work && in->live / in->alignment < INT32_MAX / 2;
}

static vdnn_status begin_skyline(vdnn_span_search *in, vdnn_region *region)
{
    const int32_t count = in->count;
    vdnn_skyline_item *columns = vdnn_region_take(region, (size_t)count, sizeof *columns);
    if (columns == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    for (int32_t i = 0; i < count; i++)
        columns[i] = (vdnn_skyline_item){.start = in->list[i].start,
                                         .end = in->list[i].end,
                                         .size = in_units(in, in->list[i].size),
                                         .offset = in_units(in, in->list[i].offset)};
    return vdnn_skyline_init(&in->skyline, region, columns, count, in->fixed);
}

/* The span of a packing in so many bytes; `most` if none is found. */
static size_t fill_columns(vdnn_span_search *in, size_t bytes, int64_t work, size_t most)
{
    const int32_t count = in->count;
    if (!is_searched(in, work, most) || !vdnn_skyline_pack(&in->skyline, in_units(in, bytes), work))
        return most;
    memcpy(in->kept.entries, in->list, (size_t)count * sizeof *in->list);
    in->kept.placed = 0;
    for (int32_t i = 0; i < count; i++)
        in->kept.entries[i].offset = (size_t)in->skyline.items[i].offset * in->alignment;
    return vdnn_placement_span(&in->kept, count);
}

/* Between what is alive at one time and the best span. */
static size_t halve(vdnn_span_search *in, size_t best)
{
    size_t low = in->live;
    for (int i = 0; i < HALVINGS && best > in->enough && best - low > in->live / LOSS_PART; i++) {
        size_t middle = low + (best - low) / 2 / in->alignment * in->alignment;
        size_t found = fill_columns(in, middle, HALVING_WORK, best);
        low = found < best ? low : middle;
        best = found;
    }
    return best;
}

/* In columns, for a span that is enough, unless that was looked for before. */
static vdnn_status search_columns(vdnn_span_search *in, vdnn_region *region, size_t *span)
{
    const int64_t work = given_work(in);
    if (*span <= in->enough || *in->looks <= 0 || !is_searched(in, work, *span))
        return VDNN_OK;
    VDNN_TRY(begin_skyline(in, region));
    *span = fill_columns(in, in->enough, work, *span);
    *in->looks -= work - in->skyline.work;
    return VDNN_OK;
}

/* ---- the search ------------------------------------------------------------------------------ */

static void begin_placement(const vdnn_span_search *in, vdnn_placement *at, vdnn_region *region)
{
    vdnn_placement_init(at, region, (size_t)in->count);
    at->count = in->count;
    at->fixed = in->fixed;
}

vdnn_status vdnn_span_search_init(vdnn_span_search *in, vdnn_region *region)
{
    const size_t count = (size_t)in->count, times = (size_t)in->horizon + 1;
    begin_placement(in, &in->kept, region);
    begin_placement(in, &in->trial, region);
    vdnn_ranking_init(&in->sorter, region, count);
    vdnn_sweep_init(&in->sweep, region, count, in->horizon);
    in->floors = vdnn_region_take(region, times, sizeof *in->floors);
    int32_t *numbers = vdnn_region_zeros(region, times, sizeof *numbers);
    if (region->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)in->count);
    in->work = in->is_quick ? QUICK_WORK : SEARCH_WORK;
    in->skyline_work = in->is_quick ? QUICK_SKYLINE_WORK : SKYLINE_WORK;
    if (in->count <= VDNN_PLACEMENT_MOST)
        vdnn_placement_number(in->list, in->count, in->horizon, numbers);
    return VDNN_OK;
}

vdnn_status vdnn_span_search_run(vdnn_span_search *in, vdnn_region *region, size_t *span)
{
    *span = in->count == 0 ? 0 : best_order(in);
    if (*span <= in->enough)
        return VDNN_OK;
    if (is_searched(in, in->skyline_work, *span)) {
        VDNN_TRY(begin_skyline(in, region));
        *span = fill_columns(in, in->live, in->skyline_work, *span);
    }
    *span = climb(in, *span);
    if (!in->is_quick)
        *span = halve(in, *span);
    return in->looks == NULL ? VDNN_OK : search_columns(in, region, span);
}
