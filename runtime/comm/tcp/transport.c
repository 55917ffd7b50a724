/* Ranks that are processes, on one host or on several, connected by shared memory or sockets. Each
 * rank sends every other one the piece that it sums, and takes the pieces of its own shard from
 * all:
 *
 *     rank 1   sends v1's pieces to 0 and 2;  v0's piece  +  own piece  +  v2's piece = its shard
 *
 * What arrives is added as soon as it is there from all ranks, in the order of the ranks, a block
 * at a time; all directions go on at a time, so that none waits for another. */

#include "runtime/comm/group.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/comm/mesh.h"
#include "runtime/comm/sums.h"
#include "runtime/comm/tcp/shared.h"
#include "runtime/comm/tcp/wire.h"
#include "runtime/comm/watch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WATCH_CHANNEL = VDNN_LANE_COUNT,
    CHANNEL_COUNT,
    ADDED_BYTES = 64 * 1024, /* at a time: then there is space in the wires again */
    CALL_TEXT_BYTES = 96
};

typedef enum call_kind { REDUCE_SCATTER, ALL_GATHER, EXCHANGE } call_kind;

/* What each rank says at the beginning of a call. */
typedef struct call_head {
    uint64_t number, count; /* of the lane's call; of values, or of bytes */
    uint32_t kind, unused;
} call_head;

/* What this rank and another one send each other during a call. */
typedef struct dialog {
    vdnn_wire wire;
    const char *out;                            /* after the head */
    char *in;                                   /* NULL: it is added where it lies */
    size_t out_bytes, in_bytes, sent, received; /* the last two with the head */
    call_head head;                             /* the other's */
    bool has_piece;                             /* to be added once the others have theirs */
} dialog;

typedef struct lane {
    dialog *dialogs;      /* by rank; this one's is unused */
    const float **pieces; /* by rank */
    struct pollfd *set;
    call_head head;     /* of the call now */
    size_t added_bytes; /* of this rank's shard */
    bool is_broken;     /* ranks brought different sizes */
} lane;

typedef struct tcp_end {
    int32_t rank, ranks;
    vdnn_mesh *mesh;
    vdnn_watch *watch;
    vdnn_shared *shared; /* memory for the lane of sums */
    lane lanes[VDNN_LANE_COUNT];
} tcp_end;

/* ---- open and close -------------------------------------------------------------------------- */

static void close_lane(const tcp_end *own, lane *l)
{
    for (int32_t r = 0; l->dialogs != NULL && r < own->ranks; r++)
        vdnn_wire_close(&l->dialogs[r].wire);
    vdnn_heap_free(l->dialogs);
    vdnn_heap_free(l->pieces);
    vdnn_heap_free(l->set);
}

static bool open_wire(const tcp_end *own, vdnn_lane which, int32_t rank, vdnn_wire *wire)
{
    const int file = own->mesh->peers[rank].sockets[which];
    if (which != VDNN_LANE_SUMS || own->shared->in[rank] == NULL)
        return vdnn_wire_open_socket(wire, file);
    vdnn_wire_open_rings(wire, file, own->shared->in[rank], own->shared->out[rank]);
    return true;
}

static bool open_lane(tcp_end *own, vdnn_lane which)
{
    const size_t ranks = (size_t)own->ranks;
    lane *l = &own->lanes[which];
    l->dialogs = vdnn_heap_calloc(ranks, sizeof *l->dialogs);
    l->pieces = vdnn_heap_calloc(ranks, sizeof *l->pieces);
    l->set = vdnn_heap_calloc(ranks + 1, sizeof *l->set);
    bool enough = l->dialogs != NULL && l->pieces != NULL && l->set != NULL;
    for (int32_t r = 0; r < own->ranks && enough; r++)
        if (r != own->rank)
            enough = open_wire(own, which, r, &l->dialogs[r].wire);
    return enough;
}

static void close_end(void *state)
{
    tcp_end *own = state;
    vdnn_watch_close(own->watch);
    for (int32_t c = 0; c < VDNN_LANE_COUNT; c++)
        close_lane(own, &own->lanes[c]);
    vdnn_shared_close(own->shared);
    vdnn_mesh_close(own->mesh);
    vdnn_heap_free(own);
}

static vdnn_status fill_end(const vdnn_world *world, tcp_end *own)
{
    vdnn_status status = vdnn_mesh_open(world, CHANNEL_COUNT, &own->mesh);
    VDNN_IF_OK(status, vdnn_watch_start(world, own->mesh, WATCH_CHANNEL, NULL, NULL, &own->watch));
    VDNN_IF_OK(status, vdnn_shared_open(world, own->mesh, VDNN_LANE_SUMS, &own->shared));
    for (int32_t c = 0; c < VDNN_LANE_COUNT && status == VDNN_OK; c++)
        if (!open_lane(own, (vdnn_lane)c))
            status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the connections of %d ranks",
                                      (int)world->ranks);
    return status;
}

static vdnn_status join(const vdnn_world *world, void **state)
{
    tcp_end *own = vdnn_heap_calloc(1, sizeof *own);
    vdnn_listeners listeners = world->listeners;
    if (own == NULL)
        vdnn_socket_close_all(&listeners);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d ranks",
                                (int)world->ranks);
    own->rank = world->rank;
    own->ranks = world->ranks;
    vdnn_status status = fill_end(world, own);
    if (status == VDNN_OK)
        *state = own;
    else
        close_end(own);
    return status;
}

static void leave(void *state, vdnn_status status, const char *why)
{
    vdnn_watch_leave(((tcp_end *)state)->watch, status, why);
}

static vdnn_status check(void *state, const char *missed)
{
    vdnn_watch *watch = ((tcp_end *)state)->watch;
    return vdnn_watch_is_over(watch) ? vdnn_watch_tell(watch, missed) : VDNN_OK;
}

/* ---- bytes of a call ------------------------------------------------------------------------- */

enum { HEAD_BYTES = sizeof(call_head) };

static bool has_more_to_send(const dialog *d)
{
    return d->sent < HEAD_BYTES + d->out_bytes;
}

static bool expects_more(const dialog *d)
{
    return d->received < HEAD_BYTES + d->in_bytes;
}

/* True if bytes were moved, as below. */
static bool say(const lane *l, dialog *d)
{
    const size_t before = d->sent;
    if (d->sent < HEAD_BYTES)
        d->sent += vdnn_wire_send(&d->wire, (const char *)&l->head + d->sent, HEAD_BYTES - d->sent);
    if (d->sent >= HEAD_BYTES && has_more_to_send(d))
        d->sent += vdnn_wire_send(&d->wire, d->out + (d->sent - HEAD_BYTES),
                                  HEAD_BYTES + d->out_bytes - d->sent);
    return d->sent > before;
}

static bool is_same_call(const lane *l, const dialog *d)
{
    return d->head.number == l->head.number && d->head.kind == l->head.kind &&
           d->head.count == l->head.count;
}

/* Whether bytes that arrive now could be moved. */
static bool can_move_more(const lane *l, const dialog *d)
{
    if (d->received < HEAD_BYTES)
        return true;
    return expects_more(d) && is_same_call(l, d) && !d->has_piece;
}

static bool hear(const lane *l, dialog *d)
{
    const size_t before = d->received;
    if (d->received < HEAD_BYTES)
        d->received +=
            vdnn_wire_take(&d->wire, (char *)&d->head + d->received, HEAD_BYTES - d->received);
    if (d->received >= HEAD_BYTES && d->in != NULL && can_move_more(l, d))
        d->received += vdnn_wire_take(&d->wire, d->in + (d->received - HEAD_BYTES),
                                      HEAD_BYTES + d->in_bytes - d->received);
    return d->received > before;
}

/* How much of its piece lies there, up to `most`. */
static size_t look_at_piece(lane *l, int32_t rank, size_t most)
{
    dialog *d = &l->dialogs[rank];
    size_t here = 0;
    if (d->received >= HEAD_BYTES && is_same_call(l, d))
        l->pieces[rank] = vdnn_wire_peek(&d->wire, &here);
    d->has_piece = here >= sizeof(float);
    return here < most ? here : most;
}

/* Adds what is there from all ranks; the others' pieces lie in their wires. */
static bool add(const tcp_end *own, lane *l, float *shard, size_t bytes)
{
    float *to = shard + l->added_bytes / sizeof *shard;
    size_t here = bytes - l->added_bytes < ADDED_BYTES ? bytes - l->added_bytes : ADDED_BYTES;
    if (here == 0)
        return false;
    l->pieces[own->rank] = to;
    for (int32_t r = 0; r < own->ranks; r++)
        if (r != own->rank)
            here = look_at_piece(l, r, here);
    here -= here % sizeof *shard;
    if (here == 0)
        return false;
    vdnn_sums_add(l->pieces, own->ranks, here / sizeof *shard, to);
    l->added_bytes += here;
    for (int32_t r = 0; r < own->ranks; r++)
        if (r != own->rank) {
            vdnn_wire_drop(&l->dialogs[r].wire, here);
            l->dialogs[r].received += here;
        }
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static vdnn_status tell(const tcp_end *own, const lane *l)
{
    static const char *const names[] = {"reduce-scatter", "all-gather", "exchange"};
    char text[CALL_TEXT_BYTES];
    (void)snprintf(text, sizeof text, "%s %llu of %llu %s", names[l->head.kind],
                   (unsigned long long)l->head.number, (unsigned long long)l->head.count,
                   l->head.kind == EXCHANGE ? "bytes" : "values");
    return vdnn_watch_tell(own->watch, text);
}

/* Every rank finds the same, once it has heard all the others begin. */
static vdnn_status check_heads(const tcp_end *own, lane *l)
{
    for (int32_t r = 0; r < own->ranks; r++)
        if (r != own->rank &&
            (l->dialogs[r].received < HEAD_BYTES || l->dialogs[r].sent < HEAD_BYTES))
            return VDNN_OK;
    const call_head *first = own->rank == 0 ? &l->head : &l->dialogs[0].head;
    for (int32_t r = 1; r < own->ranks; r++) {
        const call_head *other = r == own->rank ? &l->head : &l->dialogs[r].head;
        if (other->count == first->count && other->kind == first->kind)
            continue;
        l->is_broken = true;
        return vdnn_status_fail(VDNN_INTERNAL,
                                "devices 0 and %d bring %llu and %llu values at one time", (int)r,
                                (unsigned long long)first->count, (unsigned long long)other->count);
    }
    return VDNN_OK;
}

/* Its entry for poll. False: there is something to do already. */
static bool prepare(const lane *l, dialog *d, struct pollfd *entry)
{
    *entry = (struct pollfd){.fd = -1};
    return !has_more_to_send(d) && !can_move_more(l, d)
               ? true
               : vdnn_wire_prepare(&d->wire, has_more_to_send(d), can_move_more(l, d), entry);
}

static vdnn_status miss(const tcp_end *own, const lane *l, int32_t rank)
{
    vdnn_watch_miss(own->watch, rank, strerror(l->dialogs[rank].wire.error));
    return tell(own, l);
}

/* A call that is over here may not be over there: one that could not be woken waits, unless it has
 * left. */
static vdnn_status check_wires(const tcp_end *own, const lane *l)
{
    for (int32_t r = 0; r < own->ranks; r++) {
        const int error = r == own->rank ? 0 : l->dialogs[r].wire.error;
        if (error != 0 && error != EPIPE && error != ECONNRESET)
            return miss(own, l, r);
    }
    return VDNN_OK;
}

/* Waits until bytes can be moved, or the group is over. */
static vdnn_status await(const tcp_end *own, lane *l)
{
    for (int32_t r = 0; r < own->ranks; r++) {
        dialog *d = &l->dialogs[r];
        l->set[r] = (struct pollfd){.fd = -1};
        if (r == own->rank)
            continue;
        if (d->wire.error != 0 && (has_more_to_send(d) || can_move_more(l, d)))
            return miss(own, l, r);
        if (!prepare(l, d, &l->set[r]))
            return VDNN_OK;
    }
    l->set[own->ranks] = (struct pollfd){.fd = vdnn_watch_bell(own->watch), .events = POLLIN};
    const int error = vdnn_socket_wait(l->set, (size_t)own->ranks + 1, HUGE_VAL);
    if (error != 0)
        return vdnn_status_fail(VDNN_PEER, "rank %d cannot wait for the others: %s", (int)own->rank,
                                strerror(error));
    for (int32_t r = 0; r < own->ranks; r++)
        if (r != own->rank)
            vdnn_wire_wake(&l->dialogs[r].wire, l->set[r].revents);
    return l->set[own->ranks].revents != 0 ? tell(own, l) : VDNN_OK;
}

static bool move_all(const tcp_end *own, lane *l, float *shard, size_t shard_bytes)
{
    bool moved = false;
    for (int32_t r = 0; r < own->ranks; r++)
        if (r != own->rank) {
            moved |= say(l, &l->dialogs[r]);
            moved |= hear(l, &l->dialogs[r]);
        }
    return (shard != NULL && add(own, l, shard, shard_bytes)) || moved;
}

static bool is_done(const tcp_end *own, const lane *l)
{
    for (int32_t r = 0; r < own->ranks; r++)
        if (r != own->rank && (has_more_to_send(&l->dialogs[r]) || expects_more(&l->dialogs[r])))
            return false;
    return true;
}

/* `shard`: what is added up; NULL: nothing is. */
static vdnn_status run(const tcp_end *own, lane *l, float *shard, size_t shard_bytes)
{
    vdnn_status status = VDNN_OK;
    if (l->is_broken)
        status = vdnn_status_fail(VDNN_INTERNAL, "the ranks brought different sizes before");
    else if (vdnn_watch_is_over(own->watch))
        status = tell(own, l);
    while (status == VDNN_OK) {
        const bool moved = move_all(own, l, shard, shard_bytes);
        status = check_heads(own, l);
        if (status == VDNN_OK && is_done(own, l))
            return check_wires(own, l);
        if (status == VDNN_OK && !moved)
            status = await(own, l);
    }
    return status;
}

static lane *begin_call(tcp_end *own, vdnn_lane which, call_kind kind, size_t count)
{
    lane *l = &own->lanes[which];
    l->head = (call_head){.number = l->head.number + 1, .count = count, .kind = kind};
    l->added_bytes = 0;
    for (int32_t r = 0; r < own->ranks; r++)
        l->dialogs[r] = (dialog){.wire = l->dialogs[r].wire};
    return l;
}

static vdnn_status reduce_scatter(void *state, float *values, size_t count, vdnn_shard_rule *rule)
{
    tcp_end *own = state;
    const vdnn_shard mine = rule(count, own->ranks, own->rank);
    lane *l = begin_call(own, VDNN_LANE_SUMS, REDUCE_SCATTER, count);
    for (int32_t r = 0; r < own->ranks; r++) {
        const vdnn_shard theirs = rule(count, own->ranks, r);
        l->dialogs[r].out = (const char *)(values + theirs.first);
        l->dialogs[r].out_bytes = theirs.count * sizeof *values;
        l->dialogs[r].in_bytes = mine.count * sizeof *values;
    }
    return run(own, l, values + mine.first, mine.count * sizeof *values);
}

static vdnn_status all_gather(void *state, float *values, size_t count, vdnn_shard_rule *rule)
{
    tcp_end *own = state;
    const vdnn_shard mine = rule(count, own->ranks, own->rank);
    lane *l = begin_call(own, VDNN_LANE_SUMS, ALL_GATHER, count);
    for (int32_t r = 0; r < own->ranks; r++) {
        const vdnn_shard theirs = rule(count, own->ranks, r);
        l->dialogs[r].out = (const char *)(values + mine.first);
        l->dialogs[r].out_bytes = mine.count * sizeof *values;
        l->dialogs[r].in = (char *)(values + theirs.first);
        l->dialogs[r].in_bytes = theirs.count * sizeof *values;
    }
    return run(own, l, NULL, 0);
}

static vdnn_status exchange(void *state, vdnn_lane which, const void *bytes, size_t count,
                            void *all)
{
    tcp_end *own = state;
    lane *l = begin_call(own, which, EXCHANGE, count);
    for (int32_t r = 0; r < own->ranks; r++) {
        l->dialogs[r].out = bytes;
        l->dialogs[r].in = (char *)all + (size_t)r * count;
        l->dialogs[r].out_bytes = l->dialogs[r].in_bytes = count;
    }
    memcpy((char *)all + (size_t)own->rank * count, bytes, count);
    return run(own, l, NULL, 0);
}

/* ---- from one to another --------------------------------------------------------------------- */

/* The bytes of one transfer, between which and the next nothing else comes. */
typedef struct transfer {
    const tcp_end *own;
    vdnn_wire *wire;
    int32_t rank; /* the other */
    bool sends;
} transfer;

/* Each lane has one thread for each of its wires: what goes up is sent to a higher rank on this
 * one, and received from a lower one. */
static transfer transfer_with(const tcp_end *own, int32_t rank, bool sends)
{
    const bool goes_up = (rank > own->rank) == sends;
    const lane *l = &own->lanes[goes_up ? VDNN_LANE_UP : VDNN_LANE_DOWN];
    return (transfer){own, &l->dialogs[rank].wire, rank, sends};
}

static vdnn_status tell_missed(const transfer *t, size_t count)
{
    char text[CALL_TEXT_BYTES];
    if (t->wire->error != 0)
        vdnn_watch_miss(t->own->watch, t->rank, strerror(t->wire->error));
    (void)snprintf(text, sizeof text, "a transfer of %zu bytes %s rank %d", count,
                   t->sends ? "to" : "from", (int)t->rank);
    return vdnn_watch_tell(t->own->watch, text);
}

/* Waits until bytes can be moved, or the group is over. */
static vdnn_status await_wire(const transfer *t, size_t count)
{
    struct pollfd set[2] = {{.fd = -1}, {.fd = vdnn_watch_bell(t->own->watch), .events = POLLIN}};
    if (t->wire->error != 0)
        return tell_missed(t, count);
    if (!vdnn_wire_prepare(t->wire, t->sends, !t->sends, &set[0]))
        return VDNN_OK;
    const int error = vdnn_socket_wait(set, 2, HUGE_VAL);
    if (error != 0)
        return vdnn_status_fail(VDNN_PEER, "rank %d cannot wait for the others: %s",
                                (int)t->own->rank, strerror(error));
    vdnn_wire_wake(t->wire, set[0].revents);
    return set[1].revents != 0 && set[0].revents == 0 ? tell_missed(t, count) : VDNN_OK;
}

static vdnn_status move_bytes(const transfer *t, char *bytes, size_t count)
{
    vdnn_status status = VDNN_OK;
    for (size_t done = 0; done < count && status == VDNN_OK;) {
        const size_t moved = t->sends ? vdnn_wire_send(t->wire, bytes + done, count - done)
                                      : vdnn_wire_take(t->wire, bytes + done, count - done);
        done += moved;
        if (moved == 0)
            status = await_wire(t, count);
    }
    return status;
}

static vdnn_status send_to(void *state, int32_t to, const void *bytes, size_t count)
{
    const transfer t = transfer_with(state, to, true);
    uint64_t size = count;
    vdnn_status status = move_bytes(&t, (char *)&size, sizeof size);
    return status == VDNN_OK ? move_bytes(&t, (char *)(uintptr_t)bytes, count) : status;
}

static vdnn_status receive_from(void *state, int32_t from, void *bytes, size_t count)
{
    const transfer t = transfer_with(state, from, false);
    uint64_t size = 0;
    VDNN_TRY(move_bytes(&t, (char *)&size, sizeof size));
    if (size != count)
        return vdnn_status_fail(VDNN_INTERNAL, "device %d sends %llu bytes, device %d expects %zu",
                                (int)from, (unsigned long long)size, (int)t.own->rank, count);
    return move_bytes(&t, bytes, count);
}

const vdnn_transport vdnn_transport_tcp = {
    .name = "tcp",
    .join = join,
    .reduce_scatter = reduce_scatter,
    .all_gather = all_gather,
    .send = send_to,
    .receive = receive_from,
    .exchange = exchange,
    .check = check,
    .leave = leave,
    .close = close_end,
};
