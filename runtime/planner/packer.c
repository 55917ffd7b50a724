#include "runtime/planner/packer.h"

#include "runtime/planner/skyline.h"

#include <string.h>

/* Best fit in an order of sizes scans all placed items for each new one; beyond this many items
 * only the sweep in time is tried, which scans those alive. Twice as many fit 16 bits. */
enum { QUADRATIC_LIMIT = 6000 };

/* Limits of the search for a better order: comparisons (some ten milliseconds; of one of many
 * plans, less than one), and orders. */
enum { SEARCH_WORK = 16000000, QUICK_WORK = 1000000, SEARCH_ROUNDS = 1000 };

/* Likewise of the search in columns, in values that are looked at: for a packing that loses
 * nothing, and for some that lose less than the best, where that loses more than a part of what is
 * alive. Few searches end after fewer looks for each pair of items: for so many items none begins.
 */
enum { SKYLINE_WORK = 60000000, QUICK_SKYLINE_WORK = 8000000, LOOKS_PER_PAIR = 64 };
enum { HALVING_WORK = 30000000, HALVINGS = 4, LOSS_PART = 64 };

enum {
    BLOCK = 32,
    GROUP = 8
}; /* places that are compared together, and that are listed together */

typedef struct entry {
    int32_t start, end, index;
    int16_t first, last; /* start and end, as numbers of the times at which lives start or end */
    size_t bytes, size, offset; /* `size`: the bytes in whole units of the alignment */
    size_t before;              /* the offset in another packing; SIZE_MAX: in none */
} entry;

/* Entries in the order in which they are placed: an entry's rank is its index. Those that have an
 * offset are in columns too, the lowest offset first, for the search for gaps; up to
 * QUADRATIC_LIMIT entries, so that 16 bits hold their numbers of times, and twice as many are
 * compared at once. */
typedef struct placement {
    entry *entries;
    int16_t *first, *last, *rank; /* `placed` each, and a block more */
    int32_t count, placed;
    int32_t fixed; /* the first of them, whose offsets are given; they keep their ranks */
} placement;

typedef struct gap {
    size_t offset, size;
} gap;

/* Placing in order of time: what is free, the lowest first; the last gap has no end. */
typedef struct sweep {
    gap *gaps;
    int32_t gap_count;
    int32_t *dies, *next; /* per time an entry whose life ends; per entry the next of that time */
} sweep;

struct sort_key;

typedef struct order_search {
    entry *list;                   /* in the order of the items */
    struct sort_key *keys, *spare; /* one each */
    placement kept, trial;
    sweep times;
    size_t *floors; /* per time */
    vdnn_skyline skyline;
    int32_t horizon; /* the last end */
    size_t alignment;
    size_t live;     /* no span is smaller than what is alive at one time */
    size_t bottom;   /* of all offsets: where pinned items end */
    size_t fixed;    /* where the places end */
    size_t enough;   /* the search ends at a span that is no larger */
    bool is_quick;   /* of one of many plans */
    bool was_packed; /* some of the items, in another packing */
    int64_t work, skyline_work;
    int64_t *looks; /* borrowed; for one search in columns more, what is left; NULL: none */
} order_search;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t align_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static size_t end_of(const entry *item)
{
    return item->offset + item->bytes;
}

static int32_t topmost(const entry *entries, int32_t count)
{
    int32_t top = 0;
    for (int32_t i = 1; i < count; i++)
        if (end_of(&entries[i]) > end_of(&entries[top]))
            top = i;
    return top;
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* Each order breaks ties by bytes, the most first, then by starts, then by places in the list. */
typedef enum entry_order {
    AS_BEFORE, /* the lowest of another packing first */
    BY_START,  /* then by ends, the last first */
    BY_BYTES,
    BY_LIFE /* long lives first, so that they are at the bottom, and short ones above */
} entry_order;

/* What is compared, one after the other, the smallest first. */
typedef struct sort_key {
    uint64_t order, bytes, start; /* the lower half of `start` is the entry's place */
} sort_key;

static sort_key key_of(const entry *item, int32_t place, entry_order order)
{
    uint64_t keys[] = {
        [AS_BEFORE] = item->before,
        [BY_START] = (uint64_t)item->start << 32 | (uint32_t)(INT32_MAX - item->end),
        [BY_BYTES] = 0,
        [BY_LIFE] = (uint64_t)(INT32_MAX - (item->end - item->start)),
    };
    return (sort_key){keys[order], UINT64_MAX - item->bytes,
                      (uint64_t)item->start << 32 | (uint32_t)place};
}

static bool is_before(const sort_key *a, const sort_key *b)
{
    if (a->order != b->order)
        return a->order < b->order;
    return a->bytes != b->bytes ? a->bytes < b->bytes : a->start < b->start;
}

/* Two sorted runs become one. */
static void merge_runs(const sort_key *low, const sort_key *middle, const sort_key *end,
                       sort_key *to)
{
    const sort_key *left = low, *right = middle;
    while (left < middle && right < end)
        *to++ = is_before(right, left) ? *right++ : *left++;
    while (left < middle)
        *to++ = *left++;
    while (right < end)
        *to++ = *right++;
}

/* Returns where they are sorted: one of the two. */
static sort_key *sort_keys(sort_key *keys, sort_key *spare, int32_t count)
{
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t low = 0; low < count; low += 2 * width) {
            int32_t middle = count - low < width ? count : low + width;
            int32_t end = count - middle < width ? count : middle + width;
            merge_runs(keys + low, keys + middle, keys + end, spare + low);
        }
        sort_key *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

/* ---- placing --------------------------------------------------------------------------------- */

/* Marks in a block of the columns the entries that are alive at the same time as the item and have
 * a rank below `before`; 0 if none. Separate from the loop that lists them, so that it is
 * vectorized. */
static int16_t mark_beside(const placement *at, int32_t begin, const entry *item, int16_t before,
                           int16_t *restrict marks)
{
    const int16_t *first = at->first + begin, *last = at->last + begin, *rank = at->rank + begin;
    const int16_t item_first = item->first, item_last = item->last;
    int16_t any = 0;
    for (int32_t i = 0; i < BLOCK; i++) {
        marks[i] = (int16_t)((first[i] < item_last) & (item_first < last[i]) & (rank[i] < before));
        any |= marks[i];
    }
    return any;
}

static bool is_any(const int16_t marks[GROUP])
{
    uint64_t words[GROUP * sizeof *marks / sizeof(uint64_t)], any = 0;
    memcpy(words, marks, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        any |= words[i];
    return any != 0;
}

static int32_t list_marked(const int16_t marks[GROUP], const int16_t *ranks,
                           int32_t *restrict listed)
{
    int32_t count = 0;
    for (int32_t i = 0; i < GROUP; i++) {
        listed[count] = ranks[i];
        count += marks[i];
    }
    return count;
}

/* Ranks of the marked entries of a block, by offset; returns their number. Often few of many, so
 * that whole blocks and groups are skipped. */
static int32_t list_beside(const placement *at, int32_t begin, const entry *item, int32_t before,
                           int32_t beside[BLOCK + GROUP])
{
    int16_t marks[BLOCK];
    int32_t listed = 0;
    if (mark_beside(at, begin, item, (int16_t)before, marks) == 0)
        return 0;
    for (int32_t i = at->placed - begin; i < BLOCK; i++)
        marks[i] = 0;
    for (int32_t i = 0; i < BLOCK; i += GROUP)
        if (is_any(&marks[i]))
            listed += list_marked(&marks[i], at->rank + begin + i, beside + listed);
    return listed;
}

/* The smallest gap for the entry between those of lower rank that are alive at the same time. It is
 * looked for from the lowest offset on, until one is no larger than the entry. */
static size_t best_gap(const placement *at, int32_t rank)
{
    const entry *item = &at->entries[rank];
    size_t cursor = 0, best = 0, best_slack = SIZE_MAX;
    int32_t beside[BLOCK + GROUP];
    for (int32_t begin = 0; begin < at->placed && best_slack > 0; begin += BLOCK) {
        int32_t count = list_beside(at, begin, item, rank, beside);
        for (int32_t i = 0; i < count && best_slack > 0; i++) {
            const entry *other = &at->entries[beside[i]];
            if (other->offset >= cursor + item->bytes &&
                other->offset - cursor - item->bytes < best_slack) {
                best_slack = other->offset - cursor - item->bytes;
                best = cursor;
            }
            if (other->offset + other->size > cursor)
                cursor = other->offset + other->size;
        }
    }
    return best_slack < SIZE_MAX ? best : cursor;
}

/* Of the columns: how many offsets are below this one, or no larger. */
static int32_t count_below(const placement *at, size_t offset, bool or_equal)
{
    int32_t low = 0, high = at->placed;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        size_t own = at->entries[at->rank[middle]].offset;
        if (own < offset || (or_equal && own == offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Values between the places move up or down by one. */
static void move_value(int16_t *column, int32_t from, int32_t to, int16_t value)
{
    if (from > to)
        memmove(column + to + 1, column + to, (size_t)(from - to) * sizeof *column);
    else
        memmove(column + from, column + from + 1, (size_t)(to - from) * sizeof *column);
    column[to] = value;
}

static void set_column(placement *at, int32_t from, int32_t to, int32_t rank)
{
    move_value(at->first, from, to, at->entries[rank].first);
    move_value(at->last, from, to, at->entries[rank].last);
    move_value(at->rank, from, to, (int16_t)rank);
}

static void insert_column(placement *at, int32_t rank)
{
    int32_t to = count_below(at, at->entries[rank].offset, true);
    set_column(at, at->placed++, to, rank);
}

static void change_offset(placement *at, int32_t rank, size_t offset)
{
    entry *item = &at->entries[rank];
    int32_t from = count_below(at, item->offset, false), to = count_below(at, offset, true);
    while (at->rank[from] != rank)
        from++;
    set_column(at, from, to > from ? to - 1 : to, rank);
    item->offset = offset;
}

/* Places the entries in order of size or life; returns the span, or `most` as soon as it is known
 * not to be smaller. */
static size_t place_by_rank(placement *at, size_t most)
{
    size_t span = 0;
    at->placed = 0;
    for (int32_t i = 0; i < at->count && span < most; i++) {
        if (i >= at->fixed)
            at->entries[i].offset = best_gap(at, i);
        insert_column(at, i);
        span = end_of(&at->entries[i]) > span ? end_of(&at->entries[i]) : span;
    }
    return span < most ? span : most;
}

/* ---- placing in order of time ---------------------------------------------------------------- */

/* Nothing is placed, and no life has ended. Places are left out: what begins before they are free
 * may live longer. */
static void begin_sweep(sweep *own, size_t bottom, int32_t horizon)
{
    memset(own->dies, -1, ((size_t)horizon + 1) * sizeof *own->dies);
    own->gaps[0] = (gap){bottom, SIZE_MAX};
    own->gap_count = 1;
}

/* The smallest gap that is large enough, the lowest of equal ones. */
static void take_gap(sweep *own, entry *item)
{
    int32_t best = own->gap_count - 1;
    for (int32_t i = 0; i < own->gap_count; i++)
        if (own->gaps[i].size >= item->bytes && own->gaps[i].size < own->gaps[best].size)
            best = i;
    gap *taken = &own->gaps[best];
    item->offset = taken->offset;
    taken->offset += item->size;
    taken->size -= item->size;
    if (taken->size > 0)
        return;
    own->gap_count--;
    memmove(taken, taken + 1, (size_t)(own->gap_count - best) * sizeof *taken);
}

/* With the gaps on both sides, it becomes one. */
static void free_gap(sweep *own, const entry *item)
{
    int32_t low = 0, high = own->gap_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (own->gaps[middle].offset < item->offset)
            low = middle + 1;
        else
            high = middle;
    }
    gap *above = &own->gaps[low];
    bool joins_above = item->offset + item->size == above->offset;
    bool joins_below = low > 0 && above[-1].offset + above[-1].size == item->offset;
    if (joins_above && joins_below) {
        above[-1].size += item->size + above->size;
        own->gap_count--;
        memmove(above, above + 1, (size_t)(own->gap_count - low) * sizeof *above);
    } else if (joins_above) {
        *above = (gap){item->offset, item->size + above->size};
    } else if (joins_below) {
        above[-1].size += item->size;
    } else {
        memmove(above + 1, above, (size_t)(own->gap_count - low) * sizeof *above);
        *above = (gap){item->offset, item->size};
        own->gap_count++;
    }
}

/* Entries in the order of their starts, above `bottom`, where the fixed ones end; the span. */
static size_t place_in_time(placement *at, sweep *own, size_t bottom, int32_t horizon)
{
    size_t span = at->fixed > 0 ? end_of(&at->entries[topmost(at->entries, at->fixed)]) : 0;
    int32_t now = 0;
    at->placed = 0; /* in no columns */
    begin_sweep(own, bottom, horizon);
    for (int32_t i = at->fixed; i < at->count; i++) {
        entry *item = &at->entries[i];
        for (; now <= item->start; now++)
            for (int32_t dead = own->dies[now]; dead >= 0; dead = own->next[dead])
                free_gap(own, &at->entries[dead]);
        take_gap(own, item);
        own->next[i] = own->dies[item->end];
        own->dies[item->end] = i;
        span = end_of(item) > span ? end_of(item) : span;
    }
    return span;
}

/* ---- placing as before ----------------------------------------------------------------------- */

/* The lowest gap for an entry that was not packed before, between those that are placed. */
static size_t lowest_gap(const placement *at, int32_t placed, const entry *item)
{
    size_t offset = 0;
    bool moved = true;
    while (moved) {
        moved = false;
        for (int32_t i = 0; i < placed; i++) {
            const entry *other = &at->entries[i];
            if (other->start < item->end && item->start < other->end &&
                other->offset < offset + item->size && offset < other->offset + other->size) {
                offset = other->offset + other->size;
                moved = true;
            }
        }
    }
    return offset;
}

/* Each entry rests on those before it, in the order of the offsets that they had: none of them is
 * higher than it was as long as no life is longer. Then the others, in gaps. */
static size_t drop(placement *at, size_t *floors, int32_t horizon)
{
    size_t span = 0;
    at->placed = 0; /* in no columns */
    memset(floors, 0, ((size_t)horizon + 1) * sizeof *floors);
    for (int32_t i = 0; i < at->count; i++) {
        entry *item = &at->entries[i];
        size_t floor = 0;
        for (int32_t t = item->start; t < item->end; t++)
            floor = floors[t] > floor ? floors[t] : floor;
        if (i >= at->fixed)
            item->offset = item->before < SIZE_MAX ? floor : lowest_gap(at, i, item);
        if (item->offset + item->size > floor)
            floor = item->offset + item->size;
        for (int32_t t = item->start; t < item->end; t++)
            floors[t] = floor;
        span = end_of(item) > span ? end_of(item) : span;
    }
    return span;
}

/* ---- searching ------------------------------------------------------------------------------- */

/* A deterministic sequence: the search must try the same on every run. */
static uint64_t next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void move_entry(entry *entries, int32_t from, int32_t to)
{
    entry moved = entries[from];
    for (; from > to; from--)
        entries[from] = entries[from - 1];
    for (; from < to; from++)
        entries[from] = entries[from + 1];
    entries[to] = moved;
}

/* An entry at another turn: the ranks between change too. */
static void change_rank(placement *at, int32_t from, int32_t to)
{
    int32_t low = from < to ? from : to, high = from < to ? to : from, by = from < to ? -1 : 1;
    move_entry(at->entries, from, to);
    for (int32_t i = 0; i < at->placed; i++) {
        int32_t rank = at->rank[i];
        int32_t shifted = rank + (rank >= low && rank <= high ? by : 0);
        at->rank[i] = (int16_t)(rank == from ? to : shifted);
    }
}

/* Places the entries from the first rank on again where that can change anything: those whose life
 * touches the hull of the lives of the entry that changed its turn and of all that moved since.
 * False as soon as one ends above `most`; what else is kept ends no higher. */
static bool place_changed(placement *at, int32_t first, const entry *changed, size_t most)
{
    int32_t start = changed->start, end = changed->end;
    for (int32_t i = first; i < at->count; i++) {
        const entry *item = &at->entries[i];
        if (item->start >= end || start >= item->end)
            continue;
        size_t offset = best_gap(at, i);
        if (offset + item->bytes > most)
            return false;
        if (offset == item->offset)
            continue;
        change_offset(at, i, offset);
        start = item->start < start ? item->start : start;
        end = item->end > end ? item->end : end;
    }
    return true;
}

static void copy_placement(placement *to, const placement *from)
{
    size_t bytes = (size_t)from->placed * sizeof *from->rank;
    memcpy(to->entries, from->entries, (size_t)from->count * sizeof *from->entries);
    memcpy(to->first, from->first, bytes);
    memcpy(to->last, from->last, bytes);
    memcpy(to->rank, from->rank, bytes);
    to->count = from->count;
    to->placed = from->placed;
    to->fixed = from->fixed;
}

static void keep_trial(order_search *in)
{
    placement kept = in->trial;
    in->trial = in->kept;
    in->kept = kept;
}

/* All entries in the columns. */
static void list_by_offset(placement *at)
{
    at->placed = 0;
    for (int32_t i = 0; i < at->count; i++)
        insert_column(at, i);
}

/* Hill climbing over orders: the item that ends highest is placed at an earlier turn, at times any
 * item at any turn; an order that is not worse is kept. Returns the best span; the kept entries
 * then hold its offsets. */
static size_t climb(order_search *in, size_t best)
{
    const int32_t count = in->kept.count, fixed = in->kept.fixed;
    uint64_t state = 1;
    int64_t rounds = in->work / ((int64_t)count * count + 1);
    if (rounds > SEARCH_ROUNDS)
        rounds = SEARCH_ROUNDS;
    if (rounds > 0 && best > in->enough && in->kept.placed < count)
        list_by_offset(&in->kept);
    for (int64_t round = 0; round < rounds && best > in->enough; round++) {
        bool any = round % 4 == 3;
        int32_t top = topmost(in->kept.entries, count);
        if (top < fixed)
            break;
        int32_t from =
            any ? fixed + (int32_t)(next_number(&state) % (uint64_t)(count - fixed)) : top;
        int32_t range = any ? count : from + 1;
        int32_t to = fixed + (int32_t)(next_number(&state) % (uint64_t)(range - fixed));
        copy_placement(&in->trial, &in->kept);
        change_rank(&in->trial, from, to);
        if (!place_changed(&in->trial, from < to ? from : to, &in->kept.entries[from], best))
            continue;
        keep_trial(in);
        best = end_of(&in->kept.entries[topmost(in->kept.entries, count)]);
    }
    return best;
}

static void order_entries(order_search *in, entry_order order)
{
    const int32_t fixed = in->trial.fixed, count = in->trial.count - fixed;
    memcpy(in->trial.entries, in->list, (size_t)fixed * sizeof *in->list);
    for (int32_t i = 0; i < count; i++)
        in->keys[i] = key_of(&in->list[fixed + i], fixed + i, order);
    const sort_key *sorted = sort_keys(in->keys, in->spare, count);
    for (int32_t i = 0; i < count; i++)
        in->trial.entries[fixed + i] = in->list[(uint32_t)sorted[i].start];
}

/* The span of another order, or `most` if it is not below that; a better one is kept. */
static size_t try_order(order_search *in, entry_order order, size_t most)
{
    order_entries(in, order);
    size_t span;
    if (order == AS_BEFORE)
        span = drop(&in->trial, in->floors, in->horizon);
    else if (order == BY_START)
        span = place_in_time(&in->trial, &in->times, in->fixed, in->horizon);
    else
        span = place_by_rank(&in->trial, most);
    if (span < most)
        keep_trial(in);
    return span < most ? span : most;
}

/* The best of a few orders; the kept entries are left in it, with its offsets. */
static size_t best_order(order_search *in)
{
    size_t best = SIZE_MAX;
    if (in->was_packed)
        best = try_order(in, AS_BEFORE, best);
    if (best == SIZE_MAX || best > in->enough)
        best = try_order(in, BY_START, best);
    for (entry_order order = BY_BYTES; order <= BY_LIFE; order++)
        if (best > in->enough && in->kept.count <= QUADRATIC_LIMIT)
            best = try_order(in, order, best);
    return best;
}

static int32_t in_units(const order_search *in, size_t bytes)
{
    return (int32_t)(bytes / in->alignment);
}

static bool is_searched(const order_search *in, int64_t work)
{
    return LOOKS_PER_PAIR * (int64_t)in->kept.count * in->kept.count <= work &&
           in->live / in->alignment < INT32_MAX / 2;
}

static vdnn_status begin_skyline(order_search *in, vdnn_region *region)
{
    const int32_t count = in->kept.count;
    vdnn_skyline_item *columns = vdnn_region_take(region, (size_t)count, sizeof *columns);
    if (columns == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    for (int32_t i = 0; i < count; i++)
        columns[i] = (vdnn_skyline_item){.start = in->list[i].start,
                                         .end = in->list[i].end,
                                         .size = in_units(in, in->list[i].size),
                                         .offset = in_units(in, in->list[i].offset)};
    return vdnn_skyline_init(&in->skyline, region, columns, count, in->kept.fixed);
}

/* The span of a packing in so many bytes; `most` if none is found. */
static size_t fill_columns(order_search *in, size_t bytes, int64_t work, size_t most)
{
    const int32_t count = in->kept.count;
    if (!is_searched(in, work) || !vdnn_skyline_pack(&in->skyline, in_units(in, bytes), work))
        return most;
    memcpy(in->kept.entries, in->list, (size_t)count * sizeof *in->list);
    in->kept.placed = 0;
    for (int32_t i = 0; i < count; i++)
        in->kept.entries[i].offset = (size_t)in->skyline.items[i].offset * in->alignment;
    return end_of(&in->kept.entries[topmost(in->kept.entries, count)]);
}

/* Between what is alive at one time and the best span. */
static size_t halve(order_search *in, size_t best)
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
static vdnn_status search_columns(order_search *in, vdnn_region *region, size_t *span)
{
    if (*span <= in->enough || *in->looks <= 0 || !is_searched(in, SKYLINE_WORK))
        return VDNN_OK;
    vdnn_status status = begin_skyline(in, region);
    if (status != VDNN_OK)
        return status;
    *span = fill_columns(in, in->enough, SKYLINE_WORK, *span);
    *in->looks -= SKYLINE_WORK - in->skyline.work;
    return VDNN_OK;
}

/* What is quick is the beginning of the whole, so that it finds no smaller span. */
static vdnn_status smallest_span(order_search *in, vdnn_region *region, size_t *span)
{
    *span = in->kept.count == 0 ? 0 : best_order(in);
    if (*span <= in->enough)
        return VDNN_OK;
    if (is_searched(in, in->skyline_work)) {
        vdnn_status status = begin_skyline(in, region);
        if (status != VDNN_OK)
            return status;
        *span = fill_columns(in, in->live, in->skyline_work, *span);
    }
    *span = climb(in, *span);
    if (!in->is_quick)
        *span = halve(in, *span);
    return in->looks == NULL ? VDNN_OK : search_columns(in, region, span);
}

/* ---- items ----------------------------------------------------------------------------------- */

static int32_t last_end(const vdnn_packer_item *items, int32_t count)
{
    int32_t last = 0;
    for (int32_t i = 0; i < count; i++)
        if (!items[i].pinned && items[i].end > last)
            last = items[i].end;
    return last;
}

/* What is the same in every order of the items that are not pinned. */
typedef struct limits {
    size_t pinned_end, bottom; /* they begin at the latter */
    size_t live;               /* the most of them alive at one time, in whole units */
    size_t least_span;
} limits;

static vdnn_status find_limits(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                               size_t alignment, limits *found)
{
    int32_t horizon = last_end(items, count);
    size_t *change = vdnn_region_zeros(region, (size_t)horizon + 1, sizeof *change);
    if (change == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    size_t most_rest = 0; /* of an item's last unit */
    *found = (limits){.live = 0};
    for (int32_t i = 0; i < count; i++)
        if (items[i].pinned) {
            found->pinned_end = align_up(found->pinned_end, alignment) + items[i].bytes;
        } else {
            size_t size = align_up(items[i].bytes, alignment);
            change[items[i].start] += size;
            change[items[i].end] -= size;
            most_rest = size - items[i].bytes > most_rest ? size - items[i].bytes : most_rest;
        }
    size_t live = 0;
    for (int32_t t = 0; t <= horizon; t++) {
        live += change[t];
        found->live = live > found->live ? live : found->live;
    }
    found->bottom = align_up(found->pinned_end, alignment);
    found->least_span = horizon > 0 ? found->bottom : found->pinned_end;
    if (found->live > 0) /* only the topmost item may end within a unit */
        found->least_span += found->live - most_rest;
    return VDNN_OK;
}

static void place_pinned(vdnn_packer_item *items, int32_t count, size_t alignment)
{
    size_t end = 0;
    for (int32_t i = 0; i < count; i++)
        if (items[i].pinned) {
            items[i].offset = align_up(end, alignment);
            end = items[i].offset + items[i].bytes;
        }
}

static void placement_init(placement *at, vdnn_region *region, size_t count)
{
    size_t columns = count < QUADRATIC_LIMIT ? count + BLOCK : QUADRATIC_LIMIT + BLOCK;
    at->entries = vdnn_region_take(region, count, sizeof *at->entries);
    at->first = vdnn_region_zeros(region, columns, sizeof *at->first);
    at->last = vdnn_region_zeros(region, columns, sizeof *at->last);
    at->rank = vdnn_region_zeros(region, columns, sizeof *at->rank);
}

/* Numbers the times at which lives start or end; `numbers`: one for each time. */
static void number_times(order_search *in, int32_t *numbers)
{
    for (int32_t i = 0; i < in->kept.count; i++)
        numbers[in->list[i].start] = numbers[in->list[i].end] = 1;
    for (int32_t t = 1; t <= in->horizon; t++)
        numbers[t] += numbers[t - 1];
    for (int32_t i = 0; i < in->kept.count; i++) {
        in->list[i].first = (int16_t)numbers[in->list[i].start];
        in->list[i].last = (int16_t)numbers[in->list[i].end];
    }
}

static size_t before_of(const order_search *in, const vdnn_packer_item *item)
{
    if (!item->was_packed)
        return SIZE_MAX;
    return item->was_at > in->bottom ? item->was_at - in->bottom : 0;
}

/* The items of places, the offset of each place as the sum of those below it; then the others. */
static void list_entries(order_search *in, const vdnn_packer_item *items, int32_t count)
{
    int32_t place = 0;
    size_t begin = 0;
    for (int others = 0; others < 2; others++)
        for (int32_t i = 0; i < count; i++) {
            const size_t size = align_up(items[i].bytes, in->alignment);
            if (items[i].pinned || (items[i].place == 0) != (others == 1))
                continue;
            if (items[i].place != place) {
                place = items[i].place;
                begin = in->fixed;
                in->fixed += size;
            }
            in->list[in->kept.count++] = (entry){.start = items[i].start,
                                                 .end = items[i].end,
                                                 .index = i,
                                                 .bytes = items[i].bytes,
                                                 .size = size,
                                                 .offset = others ? 0 : begin,
                                                 .before = before_of(in, &items[i])};
            in->was_packed = in->was_packed || items[i].was_packed;
            in->kept.fixed += !others;
        }
}

/* Over the items that are not pinned. */
static vdnn_status order_search_init(order_search *in, vdnn_region *region,
                                     const vdnn_packer_item *items, int32_t count, size_t alignment,
                                     size_t bottom)
{
    size_t most = (size_t)count;
    memset(in, 0, sizeof *in);
    in->alignment = alignment;
    in->bottom = bottom;
    in->horizon = last_end(items, count);
    size_t times = (size_t)in->horizon + 1;
    in->list = vdnn_region_take(region, most, sizeof *in->list);
    in->keys = vdnn_region_take(region, most, sizeof *in->keys);
    in->spare = vdnn_region_take(region, most, sizeof *in->spare);
    placement_init(&in->kept, region, most);
    placement_init(&in->trial, region, most);
    int32_t *numbers = vdnn_region_zeros(region, times, sizeof *numbers);
    in->times.gaps = vdnn_region_take(region, most + 1, sizeof *in->times.gaps);
    in->times.dies = vdnn_region_take(region, times, sizeof *in->times.dies);
    in->times.next = vdnn_region_take(region, most, sizeof *in->times.next);
    in->floors = vdnn_region_take(region, times, sizeof *in->floors);
    if (region->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    list_entries(in, items, count);
    in->trial.count = in->kept.count;
    in->trial.fixed = in->kept.fixed;
    in->work = SEARCH_WORK;
    in->skyline_work = SKYLINE_WORK;
    if (in->kept.count <= QUADRATIC_LIMIT)
        number_times(in, numbers);
    return VDNN_OK;
}

vdnn_status vdnn_packer_least(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                              size_t alignment, size_t *span_bytes)
{
    limits known;
    vdnn_status status = find_limits(region, items, count, alignment, &known);
    if (status == VDNN_OK)
        *span_bytes = known.least_span;
    return status;
}

vdnn_status vdnn_packer_excess(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                               size_t alignment, size_t bytes, size_t *excess_bytes)
{
    limits known;
    order_search search;
    vdnn_status status = find_limits(region, items, count, alignment, &known);
    if (status == VDNN_OK && known.least_span > bytes) {
        *excess_bytes = known.least_span - bytes;
        return VDNN_OK;
    }
    if (status == VDNN_OK)
        status = order_search_init(&search, region, items, count, alignment, known.bottom);
    if (status != VDNN_OK)
        return status;
    size_t left = bytes > known.bottom ? bytes - known.bottom : 0;
    search.live = known.live;
    search.enough = larger(known.live, left);
    size_t span = 0;
    status = smallest_span(&search, region, &span);
    *excess_bytes = span <= left ? 0 : 1;
    return status;
}

/* Until the span is at most that many bytes. */
static vdnn_status pack_within(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                               size_t alignment, size_t bytes, bool is_quick, int64_t *looks,
                               size_t *span_bytes)
{
    limits known;
    order_search search;
    vdnn_status status = find_limits(region, items, count, alignment, &known);
    if (status == VDNN_OK)
        status = order_search_init(&search, region, items, count, alignment, known.bottom);
    if (status != VDNN_OK)
        return status;
    place_pinned(items, count, alignment);
    search.live = known.live;
    search.enough = larger(known.live, bytes > known.bottom ? bytes - known.bottom : 0);
    search.is_quick = is_quick;
    if (is_quick) {
        search.work = QUICK_WORK;
        search.skyline_work = QUICK_SKYLINE_WORK;
        search.looks = known.least_span <= bytes ? looks : NULL;
    }
    size_t used = 0;
    status = smallest_span(&search, region, &used);
    if (status != VDNN_OK)
        return status;
    for (int32_t i = 0; i < search.kept.count; i++)
        items[search.kept.entries[i].index].offset = known.bottom + search.kept.entries[i].offset;
    *span_bytes = search.kept.count > 0 ? known.bottom + used : known.pinned_end;
    return VDNN_OK;
}

vdnn_status vdnn_packer_pack(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                             size_t alignment, size_t *span_bytes)
{
    return pack_within(region, items, count, alignment, 0, false, NULL, span_bytes);
}

vdnn_status vdnn_packer_pack_within(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                                    size_t alignment, size_t bytes, int64_t *looks,
                                    size_t *span_bytes)
{
    return pack_within(region, items, count, alignment, bytes, true, looks, span_bytes);
}
