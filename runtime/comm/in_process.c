/* Ranks that are threads of one process. A sum takes no memory in addition to the values:
 *
 *              meet         meet+meet    meet
 *   rank 0   a  |  sums A     |  takes B  |         A, B: the halves of the values; each rank sums
 *   rank 1   b  |  sums B     |  takes A  |         one of them, and takes the other's from it
 *
 * Between two meetings no rank writes what another one reads: a rank sums into its own values the
 * part that no other one reads, and takes from each of the others the part that it summed. */

#include "runtime/comm/group.h"

#include "runtime/base/heap.h"
#include "runtime/comm/sums.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct meeting_place {
    int32_t arrived; /* ranks that wait for the others */
    uint64_t meetings;
} meeting_place;

/* What a rank brings. */
typedef struct offer {
    float *values;
    const void *bytes;
    size_t count; /* of either */
} offer;

/* What a rank sends another one, until that has it. */
typedef struct parcel {
    const void *bytes;
    size_t count;
    bool is_there, is_taken;
} parcel;

typedef struct hall {
    int32_t ranks;
    pthread_mutex_t lock; /* of all below but the offers, which are read between meetings */
    pthread_cond_t changed;
    meeting_place places[VDNN_LANE_COUNT];
    int32_t open_ends;
    bool is_left;
    int32_t leaver;
    vdnn_status status; /* with which the first one left */
    char why[VDNN_STATUS_MESSAGE_BYTES];
    offer *offers;   /* per lane, per rank */
    parcel *parcels; /* per sender, per receiver */
} hall;

typedef struct rank_end {
    hall *all; /* destroyed with its last end */
    int32_t rank;
    const float *pieces[]; /* of a sum, by rank */
} rank_end;

/* ---- open and close -------------------------------------------------------------------------- */

static void destroy_hall(hall *all)
{
    if (all == NULL)
        return;
    (void)pthread_cond_destroy(&all->changed);
    (void)pthread_mutex_destroy(&all->lock);
    vdnn_heap_free(all->offers);
    vdnn_heap_free(all->parcels);
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
    all->offers = vdnn_heap_calloc(VDNN_LANE_COUNT * (size_t)ranks, sizeof *all->offers);
    all->parcels = vdnn_heap_calloc((size_t)ranks * (size_t)ranks, sizeof *all->parcels);
    if (all->offers != NULL && all->parcels != NULL)
        return all;
    destroy_hall(all);
    return NULL;
}

static vdnn_status open_ends(int32_t ranks, void **states)
{
    hall *all = create_hall(ranks);
    bool enough = all != NULL;
    for (int32_t r = 0; r < ranks && enough; r++) {
        rank_end *own = vdnn_heap_calloc(1, sizeof *own + (size_t)ranks * sizeof own->pieces[0]);
        enough = own != NULL;
        if (enough) {
            own->all = all;
            own->rank = r;
        }
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

/* What a rank left with does not change any more. */
static vdnn_status tell_left(const hall *all)
{
    return vdnn_status_fail(all->status, "device %d: %s", (int)all->leaver, all->why);
}

static vdnn_status check(void *state, const char *missed)
{
    hall *all = ((const rank_end *)state)->all;
    (void)missed;
    (void)pthread_mutex_lock(&all->lock);
    const bool is_left = all->is_left;
    (void)pthread_mutex_unlock(&all->lock);
    return is_left ? tell_left(all) : VDNN_OK;
}

/* Waits for all ranks. One who met them all is told so, even if a rank has left since. */
static vdnn_status meet(const rank_end *own, vdnn_lane lane)
{
    hall *all = own->all;
    meeting_place *at = &all->places[lane];
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
    return met ? VDNN_OK : tell_left(all);
}

static offer *offers_of(const rank_end *own, vdnn_lane lane)
{
    return own->all->offers + (ptrdiff_t)lane * own->all->ranks;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_shard(rank_end *own, const offer *offers, vdnn_shard shard)
{
    for (int32_t r = 0; r < own->all->ranks; r++)
        own->pieces[r] = offers[r].values + shard.first;
    vdnn_sums_add(own->pieces, own->all->ranks, shard.count,
                  offers[own->rank].values + shard.first);
}

/* From the rank after this one on, so that not all read from one rank at a time. */
static void take_shards(const offer *offers, int32_t ranks, int32_t rank, vdnn_shard_rule *rule)
{
    for (int32_t k = 1; k < ranks; k++) {
        const int32_t other = (rank + k) % ranks;
        const vdnn_shard part = rule(offers[rank].count, ranks, other);
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
                                    "devices 0 and %d bring %zu and %zu values at one time", (int)r,
                                    offers[0].count, offers[r].count);
    return VDNN_OK;
}

/* All ranks' offers can be read until the next meeting. */
static vdnn_status bring(const rank_end *own, vdnn_lane lane, offer mine)
{
    offer *offers = offers_of(own, lane);
    offers[own->rank] = mine;
    vdnn_status status = meet(own, lane);
    return status == VDNN_OK ? check_counts(offers, own->all->ranks) : status;
}

static vdnn_status reduce_scatter(void *state, float *values, size_t count, vdnn_shard_rule *rule)
{
    rank_end *own = state;
    VDNN_TRY(bring(own, VDNN_LANE_SUMS, (offer){.values = values, .count = count}));
    add_shard(own, offers_of(own, VDNN_LANE_SUMS), rule(count, own->all->ranks, own->rank));
    return meet(own, VDNN_LANE_SUMS);
}

static vdnn_status all_gather(void *state, float *values, size_t count, vdnn_shard_rule *rule)
{
    const rank_end *own = state;
    VDNN_TRY(bring(own, VDNN_LANE_SUMS, (offer){.values = values, .count = count}));
    take_shards(offers_of(own, VDNN_LANE_SUMS), own->all->ranks, own->rank, rule);
    return meet(own, VDNN_LANE_SUMS);
}

static vdnn_status exchange(void *state, vdnn_lane lane, const void *bytes, size_t count, void *all)
{
    const rank_end *own = state;
    VDNN_TRY(bring(own, lane, (offer){.bytes = bytes, .count = count}));
    const offer *offers = offers_of(own, lane);
    for (int32_t r = 0; r < own->all->ranks; r++)
        memcpy((char *)all + (size_t)r * count, offers[r].bytes, count);
    return meet(own, lane);
}

/* ---- from one to another --------------------------------------------------------------------- */

static parcel *parcel_of(const rank_end *own, int32_t from, int32_t to)
{
    return &own->all->parcels[(ptrdiff_t)from * own->all->ranks + to];
}

/* Until it is so, or a rank has left. The lock is held. */
static bool await(hall *all, const bool *flag, bool wanted)
{
    while (*flag != wanted && !all->is_left)
        (void)pthread_cond_wait(&all->changed, &all->lock);
    return *flag == wanted;
}

static vdnn_status send_to(void *state, int32_t to, const void *bytes, size_t count)
{
    const rank_end *own = state;
    hall *all = own->all;
    parcel *at = parcel_of(own, own->rank, to);
    (void)pthread_mutex_lock(&all->lock);
    *at = (parcel){.bytes = bytes, .count = count, .is_there = true};
    (void)pthread_cond_broadcast(&all->changed);
    const bool is_taken = await(all, &at->is_taken, true);
    *at = (parcel){.is_there = false};
    (void)pthread_mutex_unlock(&all->lock);
    return is_taken ? VDNN_OK : tell_left(all);
}

/* Another rank's memory stays until its send has returned. */
static vdnn_status receive_from(void *state, int32_t from, void *bytes, size_t count)
{
    const rank_end *own = state;
    hall *all = own->all;
    parcel *at = parcel_of(own, from, own->rank);
    (void)pthread_mutex_lock(&all->lock);
    const bool is_there = await(all, &at->is_there, true);
    const parcel came = *at;
    (void)pthread_mutex_unlock(&all->lock);
    if (!is_there)
        return tell_left(all);
    if (came.count == count)
        memcpy(bytes, came.bytes, count);
    (void)pthread_mutex_lock(&all->lock);
    at->is_there = false;
    at->is_taken = true;
    (void)pthread_cond_broadcast(&all->changed);
    (void)pthread_mutex_unlock(&all->lock);
    return came.count == count
               ? VDNN_OK
               : vdnn_status_fail(VDNN_INTERNAL, "device %d sends %zu bytes, device %d expects %zu",
                                  (int)from, came.count, (int)own->rank, count);
}

const vdnn_transport vdnn_transport_in_process = {
    .name = "in process",
    .open = open_ends,
    .reduce_scatter = reduce_scatter,
    .all_gather = all_gather,
    .send = send_to,
    .receive = receive_from,
    .exchange = exchange,
    .check = check,
    .leave = leave,
    .close = close_end,
};
