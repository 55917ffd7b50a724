#include "runtime/planner/packer/skyline.h"

#include <string.h>

/* A round ends after so many tries for each item: most that succeed take little more than one. */
enum { TRIES_PER_ITEM = 2, MOST_ROUNDS = 1000 };

/* A round ends, too, after so many changes that may have to be taken back: of each column of each
 * item, and of each item. */
enum { CHANGES_PER_COLUMN = 3, CHANGES_PER_ITEM = 64 };

/* Rounds without noise, and what then draws an item's score up: to three times of it. */
enum { PLAIN_ROUNDS = 3, NOISE = 1000 };

/* A column in which nothing failed weighs as much as four failures. */
enum { FIRST_WEIGHT = 4 };

enum { PLACED = -1, NONE = -1 };

typedef struct vdnn_skyline_change {
    int32_t item, column; /* one of them NONE: whose value was another */
    int32_t before;       /* where the item rested, or the column's floor */
} change;

/* A column, and the items that may rest on its floor, one tried after the other. */
typedef struct vdnn_skyline_branch {
    int32_t column, change_count;
    int32_t item; /* that is tried; NONE: none rests there, or nothing is tried yet */
    int32_t rank; /* of the last one tried; the search's count: all were */
} branch;

/* ---- what follows from floors ---------------------------------------------------------------- */

static void note_change(vdnn_skyline *in, change own)
{
    if (in->change_count < in->change_limit)
        in->changes[in->change_count] = own;
    in->change_count++; /* beyond the limit the round ends */
}

static int32_t slack(const vdnn_skyline *in, int32_t c)
{
    return in->height - in->floor[c] - in->left[c];
}

static void count_resting(vdnn_skyline *in, int32_t column)
{
    in->resting[column] = 0;
    for (int32_t k = in->begin[column]; k < in->begin[column + 1]; k++)
        in->resting[column] += in->rest[in->over[k]] == in->floor[column];
    in->work -= in->begin[column + 1] - in->begin[column];
}

static void set_floor(vdnn_skyline *in, int32_t column, int32_t floor)
{
    note_change(in, (change){NONE, column, in->floor[column]});
    in->floor[column] = floor;
    count_resting(in, column);
}

static void count_item(vdnn_skyline *in, int32_t i, int32_t by)
{
    for (int32_t c = in->first[i]; c < in->last[i]; c++)
        in->resting[c] += in->floor[c] == in->rest[i] ? by : 0;
    in->work -= in->last[i] - in->first[i];
}

static void set_rest(vdnn_skyline *in, int32_t i, int32_t rest)
{
    note_change(in, (change){i, NONE, in->rest[i]});
    count_item(in, i, -1);
    in->rest[i] = rest;
    count_item(in, i, 1);
}

/* Where no item may rest on the floor, it rises to where the lowest may. False if what is left in
 * the column then ends above the height. */
static bool raise_floor(vdnn_skyline *in, int32_t column)
{
    int32_t lowest = INT32_MAX;
    if (in->left[column] == 0)
        return true;
    if (in->resting[column] == 0) {
        for (int32_t k = in->begin[column]; k < in->begin[column + 1]; k++) {
            int32_t own = in->rest[in->over[k]];
            lowest = own != PLACED && own < lowest ? own : lowest;
        }
        set_floor(in, column, lowest);
    }
    if (slack(in, column) >= 0)
        return true;
    in->weight[column]++;
    return false;
}

/* After the floors of some columns rose: the items over them rest no lower, and so the floors
 * beside them rise. False if what is left cannot be packed. */
static bool follow(vdnn_skyline *in, int32_t begin, int32_t end)
{
    int32_t changed = in->change_count;
    for (int32_t c = begin; c < end; c++)
        for (int32_t k = in->begin[c]; k < in->begin[c + 1]; k++) {
            int32_t i = in->over[k];
            if (in->rest[i] != PLACED && in->rest[i] < in->floor[c])
                set_rest(in, i, in->floor[c]);
        }
    for (int32_t c = begin; c < end; c++)
        if (!raise_floor(in, c))
            return false;
    int32_t last = in->change_count < in->change_limit ? in->change_count : in->change_limit;
    for (; changed < last; changed++) {
        int32_t i = in->changes[changed].item;
        for (int32_t c = i == NONE ? 0 : in->first[i]; c < (i == NONE ? 0 : in->last[i]); c++)
            if (!raise_floor(in, c))
                return false;
    }
    return true;
}

/* To the floors before some changes. */
static void take_back_changes(vdnn_skyline *in, int32_t change_count)
{
    while (in->change_count > change_count) {
        change last = in->changes[--in->change_count];
        if (last.item == NONE) {
            in->floor[last.column] = last.before;
            count_resting(in, last.column);
        } else {
            count_item(in, last.item, -1);
            in->rest[last.item] = last.before;
            count_item(in, last.item, 1);
        }
    }
}

/* ---- tries ----------------------------------------------------------------------------------- */

enum { AT_A_TIME = 8 };

static bool are_all(const int32_t floors[AT_A_TIME], int32_t height)
{
    const uint64_t two = (uint32_t)height * ((UINT64_C(1) << 32) + 1);
    uint64_t all[AT_A_TIME / 2];
    memcpy(all, floors, sizeof all);
    return ((all[0] ^ two) | (all[1] ^ two) | (all[2] ^ two) | (all[3] ^ two)) == 0;
}

/* The first column from `c` on, before `end`, whose floor is not of that height; `end`: none is.
 * Some at a time, as most floors below an item that may rest are. */
static int32_t end_of_floor(const int32_t *floors, int32_t c, int32_t end, int32_t height)
{
    while (end - c >= AT_A_TIME && are_all(floors + c, height))
        c += AT_A_TIME;
    while (c < end && floors[c] == height)
        c++;
    return c;
}

/* Whether the floors below each item that may rest on the column's are all of one height. */
static bool is_flat(vdnn_skyline *in, int32_t column)
{
    const int32_t floor = in->floor[column];
    for (int32_t k = in->begin[column]; k < in->begin[column + 1]; k++) {
        int32_t i = in->over[k];
        if (in->rest[i] != floor)
            continue;
        const int32_t c = end_of_floor(in->floor, in->first[i], in->last[i], floor);
        in->work -= c - in->first[i];
        if (c < in->last[i])
            return false;
    }
    in->work -= in->begin[column + 1] - in->begin[column];
    return true;
}

/* Of the flat columns, that with the fewest tries for its weight; among equals, the one with the
 * least slack. */
static int32_t next_column(vdnn_skyline *in)
{
    int32_t best = NONE;
    int64_t best_tries = 0;
    in->work -= in->column_count;
    for (int32_t c = 0; c < in->column_count; c++) {
        if (in->left[c] == 0)
            continue;
        int64_t tries = 2 * (int64_t)in->resting[c] + (slack(in, c) > 0);
        bool is_forced = tries == 2;
        int64_t own = best < 0 || is_forced ? 0 : tries * in->weight[best],
                other = best < 0 || is_forced ? 1 : best_tries * in->weight[c];
        if ((own > other || (own == other && slack(in, c) >= slack(in, best))) || !is_flat(in, c))
            continue;
        if (is_forced)
            return c;
        best = c;
        best_tries = tries;
    }
    return best;
}

static bool is_over(const vdnn_skyline *in, int32_t i, int32_t column)
{
    return in->first[i] <= column && column < in->last[i];
}

/* Of those that may rest on the column's floor, the next one after that rank. */
static int32_t next_item(vdnn_skyline *in, int32_t column, int32_t rank)
{
    int32_t best = NONE;
    in->work -= in->begin[column + 1] - in->begin[column];
    for (int32_t k = in->begin[column]; k < in->begin[column + 1]; k++) {
        int32_t i = in->over[k];
        if (in->rest[i] == in->floor[column] && in->rank[i] > rank &&
            (best == NONE || in->rank[i] < in->rank[best]))
            best = i;
    }
    return best;
}

/* What an item that may rest on the column's floor can be lifted to at the least: by one beside the
 * column. */
static int32_t least_lift(vdnn_skyline *in, int32_t i, int32_t column)
{
    int32_t least = INT32_MAX;
    in->work -= in->count;
    for (int32_t k = 0; k < in->count; k++)
        if (in->rest[k] != PLACED && in->first[k] < in->last[i] && in->first[i] < in->last[k] &&
            !is_over(in, k, column) && in->items[k].size < least - in->rest[k])
            least = in->rest[k] + in->items[k].size;
    return least;
}

/* No item rests on the column's floor: it rises to the next offset at which one may. */
static bool leave_floor(vdnn_skyline *in, int32_t column)
{
    int32_t least = INT32_MAX, floor = in->floor[column];
    if (slack(in, column) == 0)
        return false;
    for (int32_t k = in->begin[column]; k < in->begin[column + 1]; k++) {
        int32_t i = in->over[k];
        if (in->rest[i] == PLACED)
            continue;
        int32_t own = in->rest[i] > floor ? in->rest[i] : least_lift(in, i, column);
        least = own < least ? own : least;
    }
    if (least - floor > slack(in, column))
        return false;
    set_floor(in, column, least);
    return follow(in, column, column + 1);
}

static void add_left(vdnn_skyline *in, int32_t i, int32_t size)
{
    for (int32_t c = in->first[i]; c < in->last[i]; c++)
        in->left[c] += size;
}

static bool place(vdnn_skyline *in, int32_t i)
{
    int32_t offset = in->rest[i], size = in->items[i].size;
    in->items[i].offset = offset;
    add_left(in, i, -size);
    set_rest(in, i, PLACED);
    for (int32_t c = in->first[i]; c < in->last[i]; c++)
        set_floor(in, c, offset + size);
    return follow(in, in->first[i], in->last[i]);
}

static void take_back(vdnn_skyline *in, branch *at)
{
    take_back_changes(in, at->change_count);
    if (at->item != NONE)
        add_left(in, at->item, in->items[at->item].size);
    at->item = NONE;
}

/* Of the last branch that has another try; false if none has. */
static bool take_back_tries(vdnn_skyline *in)
{
    take_back(in, &in->branches[in->branch_count - 1]);
    while (in->branches[in->branch_count - 1].rank == in->count) {
        if (--in->branch_count == 0)
            return false;
        take_back(in, &in->branches[in->branch_count - 1]);
    }
    return true;
}

static bool try_next(vdnn_skyline *in, branch *at)
{
    at->item = next_item(in, at->column, at->rank);
    at->rank = at->item == NONE ? in->count : in->rank[at->item];
    return at->item == NONE ? leave_floor(in, at->column) : place(in, at->item);
}

/* Those that are fixed: no try takes them back. */
static bool place_fixed(vdnn_skyline *in)
{
    bool good = true;
    for (int32_t i = 0; i < in->fixed && good; i++) {
        set_rest(in, i, in->items[i].offset);
        good = place(in, i);
    }
    return good;
}

typedef enum outcome { PACKED, IMPOSSIBLE, STOPPED } outcome;

/* With the items in the order of their ranks. */
static outcome search(vdnn_skyline *in)
{
    int64_t tries = (int64_t)TRIES_PER_ITEM * in->count;
    in->branch_count = 0;
    if (!place_fixed(in))
        return IMPOSSIBLE;
    for (int32_t c = 0; c < in->column_count; c++)
        if (!raise_floor(in, c))
            return IMPOSSIBLE;
    for (int32_t column; (column = next_column(in)) != NONE;) {
        if (in->branch_count == in->branch_limit)
            return STOPPED;
        in->branches[in->branch_count++] = (branch){column, in->change_count, NONE, NONE};
        while (!try_next(in, &in->branches[in->branch_count - 1])) {
            if (in->work <= 0 || tries-- <= 0 || in->change_count > in->change_limit)
                return STOPPED;
            if (!take_back_tries(in))
                return IMPOSSIBLE;
        }
        if (in->work <= 0 || tries-- <= 0 || in->change_count > in->change_limit)
            return STOPPED;
    }
    return PACKED;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* A deterministic sequence: the search must try the same on every run. */
static uint64_t next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* First those with long lives, with much of both, or with many bytes; then with some noise. */
static void score_items(vdnn_skyline *in, int32_t round)
{
    uint64_t state = (uint64_t)round + 1;
    for (int32_t i = 0; i < in->count; i++) {
        double columns = in->last[i] - in->first[i], size = in->items[i].size;
        const double scores[] = {columns, columns * size, size, columns};
        in->score[i] = scores[round % 4];
        if (round >= PLAIN_ROUNDS)
            in->score[i] *= 1 + 2 * (double)(next_number(&state) % NOISE) / NOISE;
    }
}

/* The highest score first; of equal ones the larger item, then the earlier one. */
static bool is_before(const vdnn_skyline *in, int32_t a, int32_t b)
{
    if (in->score[a] > in->score[b] || in->score[a] < in->score[b])
        return in->score[a] > in->score[b];
    if (in->items[a].size != in->items[b].size)
        return in->items[a].size > in->items[b].size;
    return a < b;
}

static void rank_items(vdnn_skyline *in)
{
    for (int32_t i = 0; i < in->count; i++) {
        in->rank[i] = 0;
        for (int32_t k = 0; k < i; k++)
            in->rank[is_before(in, k, i) ? i : k]++;
    }
    in->work -= (int64_t)in->count * in->count / 2;
}

static void begin_round(vdnn_skyline *in, int32_t round)
{
    memset(in->floor, 0, (size_t)in->column_count * sizeof *in->floor);
    memset(in->left, 0, (size_t)in->column_count * sizeof *in->left);
    memset(in->rest, 0, (size_t)in->count * sizeof *in->rest);
    for (int32_t i = 0; i < in->count; i++)
        add_left(in, i, in->items[i].size);
    for (int32_t c = 0; c < in->column_count; c++)
        in->resting[c] = in->begin[c + 1] - in->begin[c];
    in->change_count = 0;
    score_items(in, round);
    rank_items(in);
}

bool vdnn_skyline_pack(vdnn_skyline *in, int32_t height, int64_t work)
{
    in->height = height;
    in->work = work;
    for (int32_t c = 0; c < in->column_count; c++)
        in->weight[c] = FIRST_WEIGHT;
    /* A round looks at every item for each that it places. */
    for (int32_t round = 0; round < MOST_ROUNDS; round++) {
        if (in->work < (int64_t)in->count * in->count)
            return false;
        begin_round(in, round);
        outcome found = search(in);
        if (found != STOPPED)
            return found == PACKED;
    }
    return false;
}

/* ---- columns --------------------------------------------------------------------------------- */

static int32_t last_end(const vdnn_skyline_item *items, int32_t count)
{
    int32_t last = 0;
    for (int32_t i = 0; i < count; i++)
        last = items[i].end > last ? items[i].end : last;
    return last;
}

/* A column is where a life ends and one has begun since the last column; numbers[t] is that of the
 * first column from time t on. */
static int32_t number_columns(const vdnn_skyline_item *items, int32_t count, int32_t horizon,
                              int32_t *numbers)
{
    enum { BEGINS = 1, ENDS = 2 };
    for (int32_t i = 0; i < count; i++) {
        numbers[items[i].start] |= BEGINS;
        numbers[items[i].end] |= ENDS;
    }
    int32_t columns = 0;
    bool begun = false;
    for (int32_t t = 0; t <= horizon; t++) {
        int32_t events = numbers[t];
        if (begun && (events & ENDS) != 0) {
            columns++;
            begun = false;
        }
        begun = begun || (events & BEGINS) != 0;
        numbers[t] = columns;
    }
    return columns;
}

/* Of all items together. */
static int32_t set_columns(vdnn_skyline *in, const int32_t *numbers)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < in->count; i++) {
        in->first[i] = numbers[in->items[i].start];
        in->last[i] = numbers[in->items[i].end];
        sum += in->last[i] - in->first[i];
    }
    return sum;
}

/* By counting: `begin` is first behind each column's items, then before them. */
static void list_items(vdnn_skyline *in)
{
    for (int32_t i = 0; i < in->count; i++)
        for (int32_t c = in->first[i]; c < in->last[i]; c++)
            in->begin[c]++;
    for (int32_t c = 0; c < in->column_count; c++)
        in->begin[c + 1] += in->begin[c];
    for (int32_t i = in->count - 1; i >= 0; i--)
        for (int32_t c = in->first[i]; c < in->last[i]; c++)
            in->over[--in->begin[c]] = i;
}

vdnn_status vdnn_skyline_init(vdnn_skyline *search, vdnn_region *region, vdnn_skyline_item *items,
                              int32_t count, int32_t fixed)
{
    vdnn_skyline own = {.items = items, .count = count, .fixed = fixed};
    int32_t horizon = last_end(items, count), sum = 0;
    size_t each = (size_t)count;
    int32_t *numbers = vdnn_region_zeros(region, (size_t)horizon + 1, sizeof *numbers);
    own.first = vdnn_region_take(region, each, sizeof *own.first);
    own.last = vdnn_region_take(region, each, sizeof *own.last);
    if (!region->failed) {
        own.column_count = number_columns(items, count, horizon, numbers);
        sum = set_columns(&own, numbers);
    }
    size_t columns = (size_t)own.column_count;
    own.change_limit = CHANGES_PER_COLUMN * (sum + own.column_count) + CHANGES_PER_ITEM * count;
    own.branch_limit = 2 * count + own.column_count;
    own.rank = vdnn_region_take(region, each, sizeof *own.rank);
    own.rest = vdnn_region_take(region, each, sizeof *own.rest);
    own.score = vdnn_region_take(region, each, sizeof *own.score);
    own.begin = vdnn_region_zeros(region, columns + 1, sizeof *own.begin);
    own.over = vdnn_region_take(region, (size_t)sum, sizeof *own.over);
    own.floor = vdnn_region_take(region, columns, sizeof *own.floor);
    own.left = vdnn_region_take(region, columns, sizeof *own.left);
    own.resting = vdnn_region_take(region, columns, sizeof *own.resting);
    own.weight = vdnn_region_take(region, columns, sizeof *own.weight);
    own.changes = vdnn_region_take(region, (size_t)own.change_limit, sizeof *own.changes);
    own.branches = vdnn_region_take(region, (size_t)own.branch_limit, sizeof *own.branches);
    if (region->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    list_items(&own);
    *search = own;
    return VDNN_OK;
}
