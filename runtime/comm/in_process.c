/* Ranks that are threads of one process. A sum takes no memory beside the values:
 *
 *              meet          meet        meet
 *   rank 0   a  |  sums A     |  takes B  |         A, B: the halves of the values; each rank sums
 *   rank 1   b  |  sums B     |  takes A  |         one of them, and takes the other's from it
 *
 * Between two meetings no rank writes what another one reads: a rank sums into its own values the
 * part that no other one reads, and takes from each of the others the part that it summed. */

#include "runtime/comm/group.h"

#include "runtime/base/heap.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_FLOATS = 16,    /* parts begin at whole lines of the cache */
    BLOCK_FLOATS = 2048, /* summed at a time: stays in the cache */
    LANES = 2,
};

/* Sums and totals, which different threads of a rank call at a time. */
typedef enum lane_id { SUMS, TOTALS } lane_id;

typedef struct lane {
    int32_t arrived; /* ranks that wait for the others */
    uint64_t meetings;
} lane;

/* What a rank brings to a sum. */
typedef struct offer {
    float *values;
    size_t count;
    double number;
} offer;

typedef struct hall {
    int32_t ranks;
    pthread_mutex_t lock; /* of all below but the offers, which are read between meetings */
    pthread_cond_t changed;
    lane lanes[LANES];
    int32_t open_ends;
    bool is_left;
    int32_t leaver;
    vdnn_status status; /* with which the first one left */
    char why[VDNN_STATUS_MESSAGE_BYTES];
    offer *offers; /* per lane, per rank */
} hall;

typedef struct rank_end {
    hall *all; /* destroyed with its last end */
    int32_t rank;
} rank_end;

/* ---- open and close -------------------------------------------------------------------------- */

static void destroy_hall(hall *all)
{
    if (all == NULL)
        return;
    (void)pthread_cond_destroy(&all->changed);
    (void)pthread_mutex_destroy(&all->lock);
    vdnn_heap_free(all->offers);
    vdnn_heap_free(all);
}

static hall *create_hall(int32_t ranks)
{
    hall *all = vdnn_heap_calloc(1, sizeof *all);
    if (all == NULL)
        return NULL;
    all->ranks = all->open_ends = ranks;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->changed, NULL);
    all->offers = vdnn_heap_calloc(LANES * (size_t)ranks, sizeof *all->offers);
    if (all->offers != NULL)
        return all;
    destroy_hall(all);
    return NULL;
}

static vdnn_status open_ends(int32_t ranks, void **states)
{
    hall *all = create_hall(ranks);
    bool enough = all != NULL;
    for (int32_t r = 0; r < ranks && enough; r++) {
        rank_end *own = vdnn_heap_calloc(1, sizeof *own);
        enough = own != NULL;
        if (enough)
            *own = (rank_end){all, r};
        states[r] = own;
    }
    if (enough)
        return VDNN_OK;
    for (int32_t r = 0; r < ranks; r++) {
        vdnn_heap_free(states[r]);
        states[r] = NULL;
    }
    destroy_hall(all);
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d devices", (int)ranks);
}

static void close_end(void *state)
{
    rank_end *own = state;
    hall *all = own->all;
    (void)pthread_mutex_lock(&all->lock);
    const bool is_last = --all->open_ends == 0;
    (void)pthread_mutex_unlock(&all->lock);
    if (is_last)
        destroy_hall(all);
    vdnn_heap_free(own);
}

static void leave(void *state, vdnn_status status, const char *why)
{
    const rank_end *own = state;
    hall *all = own->all;
    (void)pthread_mutex_lock(&all->lock);
    if (!all->is_left) {
        all->is_left = true;
        all->leaver = own->rank;
        all->status = status;
        (void)snprintf(all->why, sizeof all->why, "%s", why);
        (void)pthread_cond_broadcast(&all->changed);
    }
    (void)pthread_mutex_unlock(&all->lock);
}

/* ---- meetings -------------------------------------------------------------------------------- */

/* Waits for all ranks. One who met them all is told so, even if a rank has left since. */
static vdnn_status meet(const rank_end *own, lane_id id)
{
    hall *all = own->all;
    lane *at = &all->lanes[id];
    (void)pthread_mutex_lock(&all->lock);
    const uint64_t before = at->meetings;
    if (!all->is_left && ++at->arrived == all->ranks) {
        at->arrived = 0;
        at->meetings++;
        (void)pthread_cond_broadcast(&all->changed);
    }
    while (!all->is_left && at->meetings == before)
        (void)pthread_cond_wait(&all->changed, &all->lock);
    const bool met = at->meetings != before;
    (void)pthread_mutex_unlock(&all->lock);
    /* What a rank left with does not change any more. */
    if (met)
        return VDNN_OK;
    return vdnn_status_fail(all->status, "device %d: %s", (int)all->leaver, all->why);
}

static offer *offers_of(const rank_end *own, lane_id id)
{
    return own->all->offers + (ptrdiff_t)id * own->all->ranks;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The elements that a rank sums. */
typedef struct range {
    size_t first, count;
} range;

static range part_of(size_t count, int32_t ranks, int32_t rank)
{
    const size_t lines = (count + LINE_FLOATS - 1) / LINE_FLOATS, all = (size_t)ranks,
                 each = (lines + all - 1) / all * LINE_FLOATS;
    const size_t first = (size_t)rank * each < count ? (size_t)rank * each : count;
    return (range){first, count - first < each ? count - first : each};
}

static void add_block(const offer *offers, int32_t ranks, size_t first, size_t count, float *to)
{
    float sum[BLOCK_FLOATS];
    memcpy(sum, offers[0].values + first, count * sizeof *sum);
    for (int32_t r = 1; r < ranks; r++) {
        const float *values = offers[r].values + first;
        for (size_t i = 0; i < count; i++)
            sum[i] += values[i];
    }
    memcpy(to + first, sum, count * sizeof *sum);
}

static void add_part(const offer *offers, int32_t ranks, int32_t rank)
{
    const range own = part_of(offers[rank].count, ranks, rank);
    for (size_t done = 0; done < own.count; done += BLOCK_FLOATS) {
        const size_t left = own.count - done;
        add_block(offers, ranks, own.first + done, left < BLOCK_FLOATS ? left : BLOCK_FLOATS,
                  offers[rank].values);
    }
}

/* From the rank behind this one on, so that not all read from one rank at a time. */
static void take_parts(const offer *offers, int32_t ranks, int32_t rank)
{
    for (int32_t k = 1; k < ranks; k++) {
        const int32_t other = (rank + k) % ranks;
        const range part = part_of(offers[rank].count, ranks, other);
        memcpy(offers[rank].values + part.first, offers[other].values + part.first,
               part.count * sizeof(float));
    }
}

/* Every rank finds the same. */
static vdnn_status check_counts(const offer *offers, int32_t ranks)
{
    for (int32_t r = 1; r < ranks; r++)
        if (offers[r].count != offers[0].count)
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "devices 0 and %d sum %zu and %zu values at one time", (int)r,
                                    offers[0].count, offers[r].count);
    return VDNN_OK;
}

static vdnn_status sum(void *state, float *values, size_t count)
{
    const rank_end *own = state;
    const int32_t ranks = own->all->ranks;
    offer *offers = offers_of(own, SUMS);
    offers[own->rank] = (offer){.values = values, .count = count};
    vdnn_status status = meet(own, SUMS);
    if (status == VDNN_OK)
        status = check_counts(offers, ranks);
    if (status != VDNN_OK)
        return status;
    add_part(offers, ranks, own->rank);
    status = meet(own, SUMS);
    if (status != VDNN_OK)
        return status;
    take_parts(offers, ranks, own->rank);
    return meet(own, SUMS);
}

static vdnn_status total(void *state, double *value)
{
    const rank_end *own = state;
    offer *offers = offers_of(own, TOTALS);
    offers[own->rank] = (offer){.number = *value};
    vdnn_status status = meet(own, TOTALS);
    if (status != VDNN_OK)
        return status;
    double all = offers[0].number;
    for (int32_t r = 1; r < own->all->ranks; r++)
        all += offers[r].number;
    status = meet(own, TOTALS);
    if (status == VDNN_OK)
        *value = all;
    return status;
}

const vdnn_transport vdnn_transport_in_process = {
    .name = "in process",
    .open = open_ends,
    .sum = sum,
    .total = total,
    .leave = leave,
    .close = close_end,
};
