// clang-format off
/* Ranks that a launcher of MPI started. What moves in a call moves in rounds of one block for each
 * pair of ranks; while the blocks of one round are summed, those of the next are on their way:
 *
 *   headers     round 0      round 1      round 2
 *   |--meet--|  |--blocks--| |--blocks--| |--blocks--|
 *                            |add 0|      |add 1|      |add 2|
 *
 * In a header a rank says how many values it brings. No block is sent before all headers are
 * there, so that a rank that does not come leaves nothing half received. Whether the others live is
 * the watch's to know, which has separate connections. */
// clang-format on

#include "runtime/comm/mpi/transport.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/comm/sockets.h"
#include "runtime/comm/sums.h"
#include "runtime/comm/watch.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_BLOCK_FLOATS = 64 * 1024,
    LEAST_BLOCK_FLOATS = 1024,
    STAGED_FLOATS = 1024 * 1024, /* of a round, from all ranks; more of them get smaller blocks */
    SLOTS = 2,                   /* rounds on their way */
    TAG_CLOSE = VDNN_LANE_COUNT, /* the tags before are of the lanes */
    /* How a rank waits, in questions: at once, then after others had the processor, then asleep:
     * soon, as the processors have the network to compute meanwhile. */
    EAGER_QUESTIONS = 10,
    YIELDING_QUESTIONS = 20,
    SLEEP_MICROSECONDS = 50,
    LAST_QUESTIONS = 1000,              /* before messages are given up */
    NOTICING_MICROSECONDS = 100 * 1000, /* after an error of MPI, for the watch to find out why */
    CALL_TEXT_BYTES = 96,
    PIECE_BYTES = 64 * 1024 * 1024, /* of what one rank sends another */
    HOST_BYTES = 256,
    ADDRESS_BYTES = HOST_BYTES + 8,
    SECRET_NUMBERS = 4,
};

/* Bytes for, or from, one other rank. */
typedef struct span {
    char *at;
    size_t bytes;
} span;

/* A round of messages to all other ranks, and from them. */
typedef struct slot {
    vdnn_mpi_request *requests;
    bool *is_receive;
    int32_t count;
} slot;

typedef struct lane_state {
    slot slots[SLOTS];
    uint64_t *headers; /* per rank */
    const char *what;  /* the call that is made, the how manieth, of how many values or bytes */
    uint64_t number;
    size_t count;
} lane_state;

/* Where the watches meet. */
typedef struct meeting {
    char address[ADDRESS_BYTES], secret[16 * SECRET_NUMBERS + 1];
} meeting;

typedef struct rank_end {
    const vdnn_mpi_calls *mpi;
    int32_t rank, ranks;
    double peer_timeout;
    size_t block_floats;
    float *staged;        /* per slot and rank, a block */
    const float **pieces; /* per rank, what is added */
    lane_state lanes[VDNN_LANE_COUNT];
    meeting at;
    vdnn_watch *watch;    /* NULL: of one rank alone, and before all have met */
    pthread_mutex_t lock; /* of MPI, and of all below */
    bool is_stuck;        /* messages stay on their way, and MPI must not touch them any more */
    bool others_are_stuck;
    slot closes;  /* to the others: this rank makes no further call, or it is stuck */
    bool *closed; /* per rank */
} rank_end;

/* One call on a lane. */
typedef struct call {
    rank_end *own;
    vdnn_lane lane;
    vdnn_shard_rule *rule;
    float *values;
    char *all;
    size_t count;
    size_t rounds;
    span (*out)(const struct call *call, int32_t other, size_t round);
    span (*in)(const struct call *call, int32_t other, size_t round);
    void (*take)(const struct call *call, size_t round); /* what came in; NULL: it is in place */
} call;

/* ---- errors ---------------------------------------------------------------------------------- */

static vdnn_status failed(const vdnn_mpi_calls *mpi, const char *what, int code)
{
    char text[VDNN_MPI_TEXT_BYTES];
    if (code == 0)
        return VDNN_OK;
    mpi->explain(code, text);
    return vdnn_status_fail(VDNN_PEER, "MPI could not %s: %s", what, text);
}

/* ---- messages, all under the lock ------------------------------------------------------------ */

static vdnn_status post_send(rank_end *own, slot *to, int tag, const void *from, size_t bytes,
                             int32_t rank)
{
    to->is_receive[to->count] = false;
    const int code = own->mpi->send(tag, from, (int)bytes, rank, &to->requests[to->count]);
    to->count += code == 0;
    return failed(own->mpi, "send", code);
}

static vdnn_status post_receive(rank_end *own, slot *to, int tag, void *at, size_t bytes,
                                int32_t rank)
{
    to->is_receive[to->count] = true;
    const int code = own->mpi->receive(tag, at, (int)bytes, rank, &to->requests[to->count]);
    to->count += code == 0;
    return failed(own->mpi, "receive", code);
}

/* Forgets the messages that have arrived. */
static vdnn_status ask(rank_end *own, slot *of)
{
    for (int32_t i = 0; i < of->count;) {
        bool done = false;
        const int code = own->mpi->test(&of->requests[i], &done);
        if (code != 0)
            return failed(own->mpi, "complete a message", code);
        if (!done) {
            i++;
            continue;
        }
        of->count--;
        of->requests[i] = of->requests[of->count];
        of->is_receive[i] = of->is_receive[of->count];
    }
    return VDNN_OK;
}

/* What a rank tells the others about itself. */
static const char close_in_good_order = 'c', close_stuck = 's';

static vdnn_status say_close(rank_end *own, const char *how)
{
    vdnn_status status = VDNN_OK;
    for (int32_t r = 0; r < own->ranks && status == VDNN_OK; r++)
        if (r != own->rank)
            status = post_send(own, &own->closes, TAG_CLOSE, how, sizeof *how, r);
    return status;
}

static vdnn_status hear_closes(rank_end *own)
{
    vdnn_status status = VDNN_OK;
    for (bool found = true; found && status == VDNN_OK;) {
        char how = close_in_good_order;
        int rank = 0;
        vdnn_mpi_request request;
        int code = own->mpi->probe(TAG_CLOSE, &found, &rank);
        if (code == 0 && found)
            code = own->mpi->receive(TAG_CLOSE, &how, sizeof how, rank, &request);
        for (bool done = false; code == 0 && found && !done;) /* it is there already */
            code = own->mpi->test(&request, &done);
        status = failed(own->mpi, "receive", code);
        if (status == VDNN_OK && found)
            own->closed[rank] = true;
        own->others_are_stuck = own->others_are_stuck || how == close_stuck;
    }
    return status;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void pause_after(int64_t question)
{
    if (question >= YIELDING_QUESTIONS)
        (void)usleep(SLEEP_MICROSECONDS);
    else if (question >= EAGER_QUESTIONS)
        (void)sched_yield();
}

static bool is_over(const rank_end *own)
{
    return own->watch != NULL && vdnn_watch_is_over(own->watch);
}

static vdnn_status tell(const rank_end *own, vdnn_lane lane)
{
    const lane_state *at = &own->lanes[lane];
    char text[CALL_TEXT_BYTES];
    (void)snprintf(text, sizeof text, "%s %llu of %zu %s", at->what, (unsigned long long)at->number,
                   at->count, lane == VDNN_LANE_SUMS ? "values" : "bytes");
    return vdnn_watch_tell(own->watch, text);
}

/* An error of MPI is most often that a rank was lost, which the watch can name. */
static vdnn_status explain(const rank_end *own, vdnn_lane lane, vdnn_status status)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    for (int waited = 0; own->watch != NULL && waited < NOTICING_MICROSECONDS && !is_over(own);
         waited += SLEEP_MICROSECONDS)
        (void)usleep(SLEEP_MICROSECONDS);
    return is_over(own) ? tell(own, lane) : vdnn_first_error_tell(&error);
}

/* Nothing may write into memory of the caller any more. Messages that neither arrive nor can be
 * cancelled stay where they are: MPI is not called again. */
static void abandon(rank_end *own, slot *of)
{
    for (int32_t i = 0; i < of->count; i++)
        if (of->is_receive[i])
            (void)own->mpi->cancel(&of->requests[i]);
    for (int question = 0; question < LAST_QUESTIONS && of->count > 0; question++)
        if (ask(own, of) != VDNN_OK)
            break;
    if (of->count > 0 && !own->is_stuck) {
        own->is_stuck = true;
        (void)say_close(own, &close_stuck);
    }
    of->count = 0;
}

/* Messages that are there count, even if a rank has left since. */
static vdnn_status wait_for(rank_end *own, vdnn_lane lane, slot *of)
{
    for (int64_t question = 0;; question++) {
        (void)pthread_mutex_lock(&own->lock);
        vdnn_status status = own->is_stuck ? VDNN_OK : ask(own, of);
        (void)pthread_mutex_unlock(&own->lock);
        if (status != VDNN_OK || of->count == 0)
            return status;
        if (is_over(own))
            return tell(own, lane);
        pause_after(question);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static vdnn_status post_round(const call *now, size_t round)
{
    rank_end *own = now->own;
    slot *to = &own->lanes[now->lane].slots[round % SLOTS];
    (void)pthread_mutex_lock(&own->lock);
    vdnn_status status = VDNN_OK;
    /* From the rank after this one on, so that not all send to one rank at a time. */
    for (int32_t k = 1; k < own->ranks && status == VDNN_OK; k++) {
        const int32_t next = (own->rank + k) % own->ranks,
                      before = (own->rank + own->ranks - k) % own->ranks;
        const span in = now->in(now, before, round), out = now->out(now, next, round);
        if (in.bytes > 0)
            status = post_receive(own, to, (int)now->lane, in.at, in.bytes, before);
        if (out.bytes > 0 && status == VDNN_OK)
            status = post_send(own, to, (int)now->lane, out.at, out.bytes, next);
    }
    (void)pthread_mutex_unlock(&own->lock);
    return status;
}

static vdnn_status run_rounds(const call *now)
{
    rank_end *own = now->own;
    lane_state *lane = &own->lanes[now->lane];
    vdnn_status status = is_over(own) ? tell(own, now->lane) : VDNN_OK;
    if (status == VDNN_OK && now->rounds > 0)
        status = post_round(now, 0);
    for (size_t round = 0; status == VDNN_OK && round < now->rounds; round++) {
        if (round + 1 < now->rounds)
            status = post_round(now, round + 1);
        VDNN_IF_OK(status, wait_for(own, now->lane, &lane->slots[round % SLOTS]));
        if (status == VDNN_OK && now->take != NULL)
            now->take(now, round);
    }
    if (status == VDNN_OK)
        return status;
    status = explain(own, now->lane, status);
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    (void)pthread_mutex_lock(&own->lock);
    for (int s = 0; s < SLOTS; s++)
        abandon(own, &lane->slots[s]);
    (void)pthread_mutex_unlock(&own->lock);
    return vdnn_first_error_tell(&error);
}

/* ---- headers --------------------------------------------------------------------------------- */

static span own_header(const call *now, int32_t other, size_t round)
{
    (void)other;
    (void)round;
    uint64_t *headers = now->own->lanes[now->lane].headers;
    return (span){(char *)&headers[now->own->rank], sizeof *headers};
}

static span its_header(const call *now, int32_t other, size_t round)
{
    (void)round;
    uint64_t *headers = now->own->lanes[now->lane].headers;
    return (span){(char *)&headers[other], sizeof *headers};
}

/* Every rank finds the same. */
static vdnn_status meet(rank_end *own, vdnn_lane lane, const char *what, size_t count)
{
    lane_state *at = &own->lanes[lane];
    uint64_t *headers = at->headers;
    at->what = what;
    at->number++;
    at->count = count;
    headers[own->rank] = count;
    const call now = {.own = own, .lane = lane, .rounds = 1, .out = own_header, .in = its_header};
    vdnn_status status = run_rounds(&now);
    for (int32_t r = 1; r < own->ranks && status == VDNN_OK; r++)
        if (headers[r] != headers[0])
            status = vdnn_status_fail(
                VDNN_INTERNAL, "devices 0 and %d bring %llu and %llu values at one time", (int)r,
                (unsigned long long)headers[0], (unsigned long long)headers[r]);
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static vdnn_shard shard_of(const call *now, int32_t rank)
{
    return now->rule(now->count, now->own->ranks, rank);
}

/* Of a shard, the values of a round; none past its end. */
static vdnn_shard block_of(const call *now, int32_t rank, size_t round)
{
    const vdnn_shard all = shard_of(now, rank);
    const size_t each = now->own->block_floats, done = round * each;
    if (done >= all.count)
        return (vdnn_shard){all.first + all.count, 0};
    const size_t left = all.count - done;
    return (vdnn_shard){all.first + done, left < each ? left : each};
}

static size_t rounds_of(const call *now)
{
    size_t most = 0;
    for (int32_t r = 0; r < now->own->ranks; r++) {
        const size_t count = shard_of(now, r).count;
        most = count > most ? count : most;
    }
    return (most + now->own->block_floats - 1) / now->own->block_floats;
}

static span values_of(const call *now, vdnn_shard block)
{
    return (span){(char *)(now->values + block.first), block.count * sizeof(float)};
}

static span own_block(const call *now, int32_t other, size_t round)
{
    (void)other;
    return values_of(now, block_of(now, now->own->rank, round));
}

static span its_block(const call *now, int32_t other, size_t round)
{
    return values_of(now, block_of(now, other, round));
}

static float *staged_of(const rank_end *own, int32_t other, size_t round)
{
    const size_t row = round % SLOTS * (size_t)own->ranks + (size_t)other;
    return own->staged + row * own->block_floats;
}

static span staged_block(const call *now, int32_t other, size_t round)
{
    return (span){(char *)staged_of(now->own, other, round),
                  block_of(now, now->own->rank, round).count * sizeof(float)};
}

static void add_staged(const call *now, size_t round)
{
    const rank_end *own = now->own;
    const vdnn_shard block = block_of(now, own->rank, round);
    float *values = now->values + block.first;
    for (int32_t r = 0; r < own->ranks; r++)
        own->pieces[r] = r == own->rank ? values : staged_of(own, r, round);
    vdnn_sums_add(own->pieces, own->ranks, block.count, values);
}

vdnn_status vdnn_mpi_reduce_scatter(void *state, float *values, size_t count, vdnn_shard_rule *rule)
{
    call now = {.own = state,
                .lane = VDNN_LANE_SUMS,
                .rule = rule,
                .values = values,
                .count = count,
                .out = its_block,
                .in = staged_block,
                .take = add_staged};
    now.rounds = rounds_of(&now);
    vdnn_status status = meet(now.own, now.lane, "reduce-scatter", count);
    return status == VDNN_OK ? run_rounds(&now) : status;
}

vdnn_status vdnn_mpi_all_gather(void *state, float *values, size_t count, vdnn_shard_rule *rule)
{
    call now = {.own = state,
                .lane = VDNN_LANE_SUMS,
                .rule = rule,
                .values = values,
                .count = count,
                .out = own_block,
                .in = its_block};
    now.rounds = rounds_of(&now);
    vdnn_status status = meet(now.own, now.lane, "all-gather", count);
    return status == VDNN_OK ? run_rounds(&now) : status;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

static span own_bytes(const call *now, int32_t other, size_t round)
{
    (void)other;
    (void)round;
    return (span){now->all + (size_t)now->own->rank * now->count, now->count};
}

static span its_bytes(const call *now, int32_t other, size_t round)
{
    (void)round;
    return (span){now->all + (size_t)other * now->count, now->count};
}

vdnn_status vdnn_mpi_exchange(void *state, vdnn_lane lane, const void *own, size_t bytes, void *all)
{
    const call now = {.own = state,
                      .lane = lane,
                      .all = all,
                      .count = bytes,
                      .rounds = 1,
                      .out = own_bytes,
                      .in = its_bytes};
    memcpy(now.all + (size_t)now.own->rank * bytes, own, bytes);
    vdnn_status status = meet(now.own, lane, "exchange", bytes);
    return status == VDNN_OK ? run_rounds(&now) : status;
}

/* ---- from one to another --------------------------------------------------------------------- */

/* The slots of a lane that goes up or down: one thread sends, another one receives. */
enum { SENDS, RECEIVES };

static vdnn_status post_piece(rank_end *own, vdnn_lane lane, bool sends, int32_t rank, span piece)
{
    slot *of = &own->lanes[lane].slots[sends ? SENDS : RECEIVES];
    (void)pthread_mutex_lock(&own->lock);
    vdnn_status status = sends ? post_send(own, of, (int)lane, piece.at, piece.bytes, rank)
                               : post_receive(own, of, (int)lane, piece.at, piece.bytes, rank);
    (void)pthread_mutex_unlock(&own->lock);
    VDNN_IF_OK(status, wait_for(own, lane, of));
    return status;
}

static vdnn_status give_up(rank_end *own, vdnn_lane lane, bool sends, vdnn_status status)
{
    vdnn_first_error error = {VDNN_OK, ""};
    status = explain(own, lane, status);
    vdnn_first_error_keep(&error, status);
    (void)pthread_mutex_lock(&own->lock);
    abandon(own, &own->lanes[lane].slots[sends ? SENDS : RECEIVES]);
    (void)pthread_mutex_unlock(&own->lock);
    return vdnn_first_error_tell(&error);
}

static vdnn_status transfer(rank_end *own, int32_t rank, bool sends, span all)
{
    const vdnn_lane lane = (rank > own->rank) == sends ? VDNN_LANE_UP : VDNN_LANE_DOWN;
    vdnn_status status = is_over(own) ? tell(own, lane) : VDNN_OK;
    for (size_t done = 0, bytes; done < all.bytes && status == VDNN_OK; done += bytes) {
        const size_t left = all.bytes - done;
        bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
        status = post_piece(own, lane, sends, rank, (span){all.at + done, bytes});
    }
    return status == VDNN_OK ? status : give_up(own, lane, sends, status);
}

vdnn_status vdnn_mpi_send(void *state, int32_t to, const void *bytes, size_t count)
{
    uint64_t size = count;
    VDNN_TRY(transfer(state, to, true, (span){(char *)&size, sizeof size}));
    return transfer(state, to, true, (span){(char *)(uintptr_t)bytes, count});
}

vdnn_status vdnn_mpi_receive(void *state, int32_t from, void *bytes, size_t count)
{
    const rank_end *own = state;
    uint64_t size = 0;
    VDNN_TRY(transfer(state, from, false, (span){(char *)&size, sizeof size}));
    if (size != count)
        return vdnn_status_fail(VDNN_INTERNAL, "device %d sends %llu bytes, device %d expects %zu",
                                (int)from, (unsigned long long)size, (int)own->rank, count);
    return transfer(state, from, false, (span){bytes, count});
}

/* ---- leave and close ------------------------------------------------------------------------- */

void vdnn_mpi_leave(void *state, vdnn_status status, const char *why)
{
    const rank_end *own = state;
    if (own->watch != NULL)
        vdnn_watch_leave(own->watch, status, why);
}

vdnn_status vdnn_mpi_check(void *state, const char *missed)
{
    const rank_end *own = state;
    return is_over(own) ? vdnn_watch_tell(own->watch, missed) : VDNN_OK;
}

static bool all_have_closed(const rank_end *own)
{
    int32_t count = 0;
    for (int32_t r = 0; r < own->ranks; r++)
        count += own->closed[r];
    return count == own->ranks;
}

/* Lost ranks, or messages that stay on their way. */
static bool is_hopeless(const rank_end *own)
{
    return own->is_stuck || own->others_are_stuck ||
           (is_over(own) && vdnn_watch_tell(own->watch, "its end") == VDNN_PEER);
}

/* MPI is ended well if all ranks end it, and one that ends it alone waits for ever. So all tell the
 * others, which is waited for as long as it takes, but once a rank has left no longer than a rank
 * may be silent. By now no lane makes a call. */
static bool close_together(rank_end *own)
{
    vdnn_status status = is_hopeless(own) ? VDNN_PEER : say_close(own, &close_in_good_order);
    double left_at = HUGE_VAL;
    bool is_done = false;
    own->closed[own->rank] = true;
    for (int64_t question = 0; status == VDNN_OK && !is_done; question++) {
        status = ask(own, &own->closes);
        VDNN_IF_OK(status, hear_closes(own));
        if (status == VDNN_OK && is_over(own))
            left_at = fmin(left_at, vdnn_socket_now());
        is_done = own->closes.count == 0 && all_have_closed(own);
        if (is_hopeless(own) || vdnn_socket_now() - left_at > own->peer_timeout)
            status = VDNN_PEER;
        if (!is_done)
            pause_after(question);
    }
    if (status != VDNN_OK) /* unless there is another reason, which the others know */
        vdnn_mpi_leave(own, VDNN_PEER, "it could not end MPI");
    return status == VDNN_OK;
}

static void free_slot(slot *of)
{
    vdnn_heap_free(of->requests);
    vdnn_heap_free(of->is_receive);
}

static void destroy(rank_end *own)
{
    for (int lane = 0; lane < VDNN_LANE_COUNT; lane++) {
        for (int s = 0; s < SLOTS; s++)
            free_slot(&own->lanes[lane].slots[s]);
        vdnn_heap_free(own->lanes[lane].headers);
    }
    free_slot(&own->closes);
    vdnn_heap_free(own->closed);
    vdnn_heap_free(own->pieces);
    vdnn_heap_free(own->staged);
    (void)pthread_mutex_destroy(&own->lock);
    vdnn_heap_free(own);
}

void vdnn_mpi_close(void *state)
{
    rank_end *own = state;
    vdnn_first_error error = {VDNN_OK, ""}; /* of the caller, who may not have said it yet */
    vdnn_first_error_keep(&error, VDNN_PEER);
    const bool in_good_order = close_together(own);
    (void)vdnn_first_error_tell(&error);
    vdnn_watch_close(own->watch);
    (void)own->mpi->end(in_good_order);
    destroy(own);
}

/* ---- join ------------------------------------------------------------------------------------ */

static bool make_slot(slot *of, int32_t messages)
{
    of->requests = vdnn_heap_calloc((size_t)messages, sizeof *of->requests);
    of->is_receive = vdnn_heap_calloc((size_t)messages, sizeof *of->is_receive);
    return of->requests != NULL && of->is_receive != NULL;
}

static bool make_lanes(rank_end *own)
{
    bool enough = make_slot(&own->closes, 2 * own->ranks);
    for (int lane = 0; lane < VDNN_LANE_COUNT; lane++) {
        lane_state *of = &own->lanes[lane];
        of->what = "transfer"; /* until a call of all ranks says what it is */
        for (int s = 0; s < SLOTS; s++)
            enough = make_slot(&of->slots[s], 2 * own->ranks) && enough;
        of->headers = vdnn_heap_calloc((size_t)own->ranks, sizeof *of->headers);
        enough = enough && of->headers != NULL;
    }
    return enough;
}

static rank_end *create(const vdnn_mpi_calls *mpi, const vdnn_world *world)
{
    rank_end *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    const size_t ranks = (size_t)world->ranks, block = STAGED_FLOATS / ranks;
    own->mpi = mpi;
    own->rank = world->rank;
    own->ranks = world->ranks;
    own->peer_timeout = world->peer_timeout;
    own->block_floats = block > MOST_BLOCK_FLOATS    ? MOST_BLOCK_FLOATS
                        : block < LEAST_BLOCK_FLOATS ? LEAST_BLOCK_FLOATS
                                                     : block;
    (void)pthread_mutex_init(&own->lock, NULL);
    own->closed = vdnn_heap_calloc(ranks, sizeof *own->closed);
    own->pieces = vdnn_heap_calloc(ranks, sizeof(const float *));
    own->staged = vdnn_heap_calloc(SLOTS * ranks * own->block_floats, sizeof *own->staged);
    if (make_lanes(own) && own->closed != NULL && own->pieces != NULL && own->staged != NULL)
        return own;
    destroy(own);
    return NULL;
}

static vdnn_status check_facts(const vdnn_mpi_facts *facts, const vdnn_world *world)
{
    if (facts->ranks != world->ranks || facts->rank != world->rank)
        return vdnn_status_fail(
            VDNN_USAGE,
            "the launcher says that this is process %d of %d, MPI that it is %d of %d: start the "
            "program with the mpirun of the MPI that it joins",
            (int)world->rank, (int)world->ranks, facts->rank, facts->ranks);
    if (!facts->serves_threads)
        return vdnn_status_fail(VDNN_DEVICE,
                                "MPI serves one thread alone%s; MPI_THREAD_SERIALIZED is required",
                                facts->was_begun ? ", as the program began it" : "");
    return VDNN_OK;
}

/* Rank 0 listens, at the world's address if there is one; `own->at` stays empty where it cannot. */
static vdnn_status listen_for_watches(rank_end *own, const vdnn_world *world,
                                      vdnn_listeners *listeners)
{
    char host[HOST_BYTES] = "", address[ADDRESS_BYTES];
    uint64_t numbers[SECRET_NUMBERS];
    int port;
    const bool are_here = world->local_ranks == 0 || world->local_ranks == world->ranks;
    if (!are_here && gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    (void)snprintf(address, sizeof address, "%s:0", host[0] == '\0' ? "127.0.0.1" : host);
    vdnn_status status =
        vdnn_socket_listen(world->address == NULL ? address : world->address, listeners, &port);
    if (status == VDNN_OK &&
        vdnn_system_getrandom(numbers, sizeof numbers, 0) != (ssize_t)sizeof numbers)
        status = vdnn_status_fail(VDNN_DEVICE, "the system has no random numbers for a secret");
    if (status != VDNN_OK)
        return status;
    if (world->address == NULL)
        (void)snprintf(own->at.address, sizeof own->at.address, "%.*s%d", (int)strlen(address) - 1,
                       address, port);
    else
        (void)snprintf(own->at.address, sizeof own->at.address, "%s", world->address);
    for (size_t i = 0; i < SECRET_NUMBERS && world->secret == NULL; i++)
        (void)snprintf(own->at.secret + 16 * i, 17, "%016llx", (unsigned long long)numbers[i]);
    return status;
}

/* The watches meet where rank 0 says by MPI, which needs no address and secret of its launcher. */
static vdnn_status open_watch(rank_end *own, const vdnn_world *world)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_listeners listeners = {.count = 0};
    meeting *all = vdnn_heap_calloc((size_t)own->ranks, sizeof *all);
    if (own->rank == 0)
        vdnn_first_error_keep(&error, listen_for_watches(own, world, &listeners));
    if (all == NULL)
        vdnn_first_error_keep(
            &error, vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d ranks", (int)own->ranks));
    else
        vdnn_first_error_keep(
            &error, vdnn_mpi_exchange(own, VDNN_LANE_DRIVER, &own->at, sizeof own->at, all));
    if (all != NULL)
        own->at = all[0];
    own->at.address[sizeof own->at.address - 1] = own->at.secret[sizeof own->at.secret - 1] = '\0';
    vdnn_heap_free(all);
    if (error.status == VDNN_OK && own->at.address[0] == '\0')
        vdnn_first_error_keep(&error, vdnn_status_fail(VDNN_PEER, "rank 0 cannot be met"));
    vdnn_world where = *world;
    where.address = own->at.address;
    where.secret = world->secret == NULL ? own->at.secret : world->secret;
    where.listeners = listeners;
    if (error.status == VDNN_OK)
        return vdnn_watch_open(&where, NULL, NULL, &own->watch);
    vdnn_socket_close_all(&listeners);
    return vdnn_first_error_tell(&error);
}

vdnn_status vdnn_mpi_join(const vdnn_mpi_calls *calls, const vdnn_world *world, void **state)
{
    vdnn_mpi_facts facts = {.ranks = 0};
    vdnn_status status = failed(calls, "begin", calls->begin(&facts));
    VDNN_IF_OK(status, check_facts(&facts, world));
    if (status != VDNN_OK) {
        (void)calls->end(facts.ranks == 1);
        return status;
    }
    rank_end *own = create(calls, world);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d devices",
                                (int)world->ranks);
    status = failed(calls, "connect the processes", calls->connect());
    if (status == VDNN_OK && own->ranks > 1)
        status = open_watch(own, world);
    if (status == VDNN_OK) {
        *state = own;
        return status;
    }
    (void)calls->end(false);
    destroy(own);
    return status;
}
