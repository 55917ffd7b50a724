#include "runtime/planner/packer/placement.h"

#include <string.h>

/* Places in columns that are compared together, and that are listed together. */
enum { BLOCK = 32, GROUP = 8 };

void vdnn_placement_init(vdnn_placement *at, vdnn_region *region, size_t count)
{
    size_t columns = count < VDNN_PLACEMENT_MOST ? count + BLOCK : VDNN_PLACEMENT_MOST + BLOCK;
    at->entries = vdnn_region_take(region, count, sizeof *at->entries);
    at->first = vdnn_region_zeros(region, columns, sizeof *at->first);
    at->last = vdnn_region_zeros(region, columns, sizeof *at->last);
    at->rank = vdnn_region_zeros(region, columns, sizeof *at->rank);
}

void vdnn_placement_number(vdnn_placement_entry *entries, int32_t count, int32_t horizon,
                           int32_t *numbers)
{
    for (int32_t i = 0; i < count; i++)
        numbers[entries[i].start] = numbers[entries[i].end] = 1;
    for (int32_t t = 1; t <= horizon; t++)
        numbers[t] += numbers[t - 1];
    for (int32_t i = 0; i < count; i++) {
        entries[i].first = (int16_t)numbers[entries[i].start];
        entries[i].last = (int16_t)numbers[entries[i].end];
    }
}

size_t vdnn_placement_span(const vdnn_placement *at, int32_t count)
{
    size_t span = 0;
    for (int32_t i = 0; i < count; i++) {
        const size_t end = vdnn_placement_end(&at->entries[i]);
        span = end > span ? end : span;
    }
    return span;
}

int32_t vdnn_placement_topmost(const vdnn_placement *at)
{
    int32_t top = 0;
    for (int32_t i = 1; i < at->count; i++)
        if (vdnn_placement_end(&at->entries[i]) > vdnn_placement_end(&at->entries[top]))
            top = i;
    return top;
}

/* ---- the smallest gap ------------------------------------------------------------------------ */

/* Marks in a block of the columns the entries that are alive at the same time as the item and have
 * a rank below `before`; 0 if none. Separate from the loop that lists them, so that it is
 * vectorized. */
static int16_t mark_beside(const vdnn_placement *at, int32_t begin,
                           const vdnn_placement_entry *item, int16_t before,
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
static int32_t list_beside(const vdnn_placement *at, int32_t begin,
                           const vdnn_placement_entry *item, int32_t before,
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
static size_t best_gap(const vdnn_placement *at, int32_t rank)
{
    const vdnn_placement_entry *item = &at->entries[rank];
    size_t cursor = 0, best = 0, best_slack = SIZE_MAX;
    int32_t beside[BLOCK + GROUP];
    for (int32_t begin = 0; begin < at->placed && best_slack > 0; begin += BLOCK) {
        int32_t count = list_beside(at, begin, item, rank, beside);
        for (int32_t i = 0; i < count && best_slack > 0; i++) {
            const vdnn_placement_entry *other = &at->entries[beside[i]];
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

/* ---- columns --------------------------------------------------------------------------------- */

/* Of the columns: how many offsets are below this one, or no larger. */
static int32_t count_below(const vdnn_placement *at, size_t offset, bool or_equal)
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

static void set_column(vdnn_placement *at, int32_t from, int32_t to, int32_t rank)
{
    move_value(at->first, from, to, at->entries[rank].first);
    move_value(at->last, from, to, at->entries[rank].last);
    move_value(at->rank, from, to, (int16_t)rank);
}

static void insert_column(vdnn_placement *at, int32_t rank)
{
    int32_t to = count_below(at, at->entries[rank].offset, true);
    set_column(at, at->placed++, to, rank);
}

static void change_offset(vdnn_placement *at, int32_t rank, size_t offset)
{
    vdnn_placement_entry *item = &at->entries[rank];
    int32_t from = count_below(at, item->offset, false), to = count_below(at, offset, true);
    while (at->rank[from] != rank)
        from++;
    set_column(at, from, to > from ? to - 1 : to, rank);
    item->offset = offset;
}

void vdnn_placement_list(vdnn_placement *at)
{
    at->placed = 0;
    for (int32_t i = 0; i < at->count; i++)
        insert_column(at, i);
}

/* ---- placing all ----------------------------------------------------------------------------- */

size_t vdnn_placement_fit(vdnn_placement *at, size_t most)
{
    size_t span = 0;
    at->placed = 0;
    for (int32_t i = 0; i < at->count && span < most; i++) {
        if (i >= at->fixed)
            at->entries[i].offset = best_gap(at, i);
        insert_column(at, i);
        const size_t end = vdnn_placement_end(&at->entries[i]);
        span = end > span ? end : span;
    }
    return span < most ? span : most;
}

/* The lowest gap for an entry that was not packed before, between those that are placed. */
static size_t lowest_gap(const vdnn_placement *at, int32_t placed, const vdnn_placement_entry *item)
{
    size_t offset = 0;
    bool moved = true;
    while (moved) {
        moved = false;
        for (int32_t i = 0; i < placed; i++) {
            const vdnn_placement_entry *other = &at->entries[i];
            if (other->start < item->end && item->start < other->end &&
                other->offset < offset + item->size && offset < other->offset + other->size) {
                offset = other->offset + other->size;
                moved = true;
            }
        }
    }
    return offset;
}

size_t vdnn_placement_drop(vdnn_placement *at, size_t *floors, int32_t horizon)
{
    size_t span = 0;
    at->placed = 0;
    memset(floors, 0, ((size_t)horizon + 1) * sizeof *floors);
    for (int32_t i = 0; i < at->count; i++) {
        vdnn_placement_entry *item = &at->entries[i];
        size_t floor = 0;
        for (int32_t t = item->start; t < item->end; t++)
            floor = floors[t] > floor ? floors[t] : floor;
        if (i >= at->fixed)
            item->offset = item->before < SIZE_MAX ? floor : lowest_gap(at, i, item);
        if (item->offset + item->size > floor)
            floor = item->offset + item->size;
        for (int32_t t = item->start; t < item->end; t++)
            floors[t] = floor;
        const size_t end = vdnn_placement_end(item);
        span = end > span ? end : span;
    }
    return span;
}

/* ---- placing again --------------------------------------------------------------------------- */

static void move_entry(vdnn_placement_entry *entries, int32_t from, int32_t to)
{
    vdnn_placement_entry moved = entries[from];
    for (; from > to; from--)
        entries[from] = entries[from - 1];
    for (; from < to; from++)
        entries[from] = entries[from + 1];
    entries[to] = moved;
}

/* An entry at another turn: the ranks between change too. */
static void change_rank(vdnn_placement *at, int32_t from, int32_t to)
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
static bool place_changed(vdnn_placement *at, int32_t first, const vdnn_placement_entry *changed,
                          size_t most)
{
    int32_t start = changed->start, end = changed->end;
    for (int32_t i = first; i < at->count; i++) {
        const vdnn_placement_entry *item = &at->entries[i];
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

bool vdnn_placement_move(vdnn_placement *at, int32_t from, int32_t to, size_t most)
{
    change_rank(at, from, to);
    return place_changed(at, from < to ? from : to, &at->entries[to], most);
}

void vdnn_placement_copy(vdnn_placement *to, const vdnn_placement *from)
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
