/* Bytes between two ranks, through a socket or through memory that they share. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/comm/tcp/shared.h"
#include "runtime/comm/tcp/wire.h"
#include "tests/support/vdnn_test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL_RING = 4 * VDNN_RING_LINE, BYTES = 2000000 };

/* ---- rings ----------------------------------------------------------------------------------- */

static vdnn_ring *create_ring(size_t bytes)
{
    vdnn_ring *ring = aligned_alloc(VDNN_RING_LINE, vdnn_ring_size(bytes));
    assert_non_null(ring);
    memset(ring, 0, vdnn_ring_size(bytes));
    vdnn_ring_init(ring, bytes);
    return ring;
}

TEST(a_ring_holds_as_many_bytes_as_it_has)
{
    static const char text[SMALL_RING + 1];
    vdnn_ring *ring = create_ring(SMALL_RING);
    bool wake;
    size_t here;
    (void)vdnn_ring_peek(ring, &here);
    assert_int_equal(here, 0);
    assert_int_equal(vdnn_ring_put(ring, text, 0, &wake), 0);
    assert_int_equal(vdnn_ring_put(ring, text, sizeof text, &wake), SMALL_RING);
    assert_int_equal(vdnn_ring_put(ring, text, 1, &wake), 0);
    (void)vdnn_ring_peek(ring, &here);
    assert_int_equal(here, SMALL_RING);
    assert_false(vdnn_ring_drop(ring, 10));
    assert_int_equal(vdnn_ring_put(ring, text, sizeof text, &wake), 10);
    (void)vdnn_ring_peek(ring, &here);
    assert_int_equal(here, SMALL_RING - 10); /* the rest lies at the beginning */
    assert_false(wake);
    free(ring);
}

TEST(one_that_waits_is_woken_once)
{
    vdnn_ring *ring = create_ring(SMALL_RING);
    char text[SMALL_RING] = {0};
    bool wake;
    assert_true(vdnn_ring_wait_to_read(ring));
    assert_false(vdnn_ring_wait_to_write(ring)); /* there is space */
    (void)vdnn_ring_put(ring, text, 1, &wake);
    assert_true(wake);
    (void)vdnn_ring_put(ring, text, 1, &wake);
    assert_false(wake);
    assert_false(vdnn_ring_wait_to_read(ring)); /* there are bytes */
    (void)vdnn_ring_put(ring, text, sizeof text, &wake);
    assert_true(vdnn_ring_wait_to_write(ring));
    assert_true(vdnn_ring_drop(ring, 1));
    assert_false(vdnn_ring_drop(ring, 1));
    assert_false(vdnn_ring_drop(ring, 0));
    free(ring);
}

/* ---- wires ----------------------------------------------------------------------------------- */

typedef struct pair {
    vdnn_wire wires[2];
    int files[2];
    vdnn_ring *rings[2];
} pair;

static void open_pair(pair *p, bool by_rings)
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, p->files), 0);
    for (int i = 0; i < 2; i++)
        p->rings[i] = create_ring(SMALL_RING);
    for (int i = 0; i < 2; i++)
        if (by_rings)
            vdnn_wire_open_rings(&p->wires[i], p->files[i], p->rings[1 - i], p->rings[i]);
        else
            assert_true(vdnn_wire_open_socket(&p->wires[i], p->files[i]));
}

static void close_pair(pair *p)
{
    for (int i = 0; i < 2; i++) {
        vdnn_wire_close(&p->wires[i]);
        (void)close(p->files[i]);
        free(p->rings[i]);
    }
}

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 7 + i / 251);
}

/* One end of a wire: sends all bytes, takes all bytes, and waits in poll when it can do neither. */
typedef struct talker {
    vdnn_wire *wire;
    vdnn_test_rng rng;
    size_t wrong, received;
    pthread_t thread;
} talker;

static size_t check_some(talker *own)
{
    unsigned char taken[5000];
    size_t count = (size_t)vdnn_test_between(&own->rng, 1, sizeof taken);
    const unsigned char *at = taken;
    if (vdnn_test_between(&own->rng, 0, 1) == 0) {
        count = vdnn_wire_take(own->wire, taken, count);
    } else {
        size_t here;
        at = vdnn_wire_peek(own->wire, &here);
        count = here < count ? here : count;
    }
    for (size_t i = 0; i < count; i++)
        own->wrong += at[i] != byte_at(own->received + i);
    if (at != taken)
        vdnn_wire_drop(own->wire, count);
    own->received += count;
    return count;
}

static void *talk(void *argument)
{
    talker *own = argument;
    unsigned char bytes[3000];
    for (size_t sent = 0; sent < BYTES || own->received < BYTES;) {
        size_t count = (size_t)vdnn_test_between(&own->rng, 1, sizeof bytes);
        count = count < BYTES - sent ? count : BYTES - sent;
        for (size_t i = 0; i < count; i++)
            bytes[i] = byte_at(sent + i);
        const size_t done = vdnn_wire_send(own->wire, bytes, count);
        sent += done;
        struct pollfd entry = {.fd = -1};
        if (done + check_some(own) == 0 &&
            vdnn_wire_prepare(own->wire, sent < BYTES, own->received < BYTES, &entry)) {
            (void)poll(&entry, 1, -1);
            vdnn_wire_wake(own->wire, entry.revents);
        }
    }
    return NULL;
}

TEST(bytes_arrive_in_their_order_both_ways_at_a_time)
{
    for (int by_rings = 0; by_rings < 2; by_rings++) {
        pair p;
        talker talkers[2];
        open_pair(&p, by_rings != 0);
        for (int i = 0; i < 2; i++) {
            talkers[i] = (talker){.wire = &p.wires[i], .rng = {vdnn_test_seed() + (uint64_t)i}};
            assert_int_equal(vdnn_system_start_thread(&talkers[i].thread, talk, &talkers[i]), 0);
        }
        for (int i = 0; i < 2; i++) {
            assert_int_equal(pthread_join(talkers[i].thread, NULL), 0);
            assert_int_equal(talkers[i].received, BYTES);
            assert_int_equal(talkers[i].wrong, 0);
        }
        close_pair(&p);
    }
}

TEST(what_arrived_before_the_other_end_closed_can_be_read)
{
    for (int by_rings = 0; by_rings < 2; by_rings++) {
        pair p;
        char text[8];
        struct pollfd entry = {.fd = -1};
        open_pair(&p, by_rings != 0);
        assert_true(vdnn_wire_prepare(&p.wires[0], false, true, &entry));
        assert_int_equal(vdnn_wire_send(&p.wires[1], "hello", 5), 5);
        (void)close(p.files[1]);
        vdnn_wire_wake(&p.wires[0], POLLIN);
        vdnn_wire_wake(&p.wires[0], POLLIN | POLLHUP);
        assert_int_equal(vdnn_wire_take(&p.wires[0], text, sizeof text), 5);
        assert_memory_equal(text, "hello", 5);
        assert_int_equal(vdnn_wire_take(&p.wires[0], text, sizeof text), 0);
        assert_int_equal(p.wires[0].error, ECONNRESET);
        assert_int_equal(vdnn_wire_send(&p.wires[0], "hello", 5), 0);
        p.files[1] = dup(p.files[0]); /* for close_pair */
        close_pair(&p);
    }
}

/* ---- shared memory --------------------------------------------------------------------------- */

enum { SHARING = 3 };

/* Ranks of one host, as threads, with a socket for each pair. */
typedef struct sharer {
    vdnn_world world;
    vdnn_mesh mesh;
    vdnn_peer peers[SHARING];
    vdnn_shared *shared;
    vdnn_status status;
    pthread_t thread;
} sharer;

static sharer sharers[SHARING];

static void *share(void *argument)
{
    sharer *own = argument;
    own->status = vdnn_shared_open(&own->world, &own->mesh, 0, &own->shared);
    return NULL;
}

static void share_all(int32_t alone)
{
    for (int32_t a = 0; a < SHARING; a++) {
        sharers[a].world = (vdnn_world){
            .rank = a, .ranks = SHARING, .peer_timeout = 60, .sockets_only = a == alone};
        sharers[a].mesh =
            (vdnn_mesh){.rank = a, .ranks = SHARING, .channels = 1, .peers = sharers[a].peers};
        for (int32_t b = 0; b < a; b++) {
            int files[2];
            assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, files), 0);
            sharers[a].peers[b].sockets[0] = files[0];
            sharers[b].peers[a].sockets[0] = files[1];
        }
    }
    for (int32_t a = 0; a < SHARING; a++)
        assert_int_equal(vdnn_system_start_thread(&sharers[a].thread, share, &sharers[a]), 0);
    for (int32_t a = 0; a < SHARING; a++) {
        assert_int_equal(pthread_join(sharers[a].thread, NULL), 0);
        assert_int_equal(sharers[a].status, VDNN_OK);
    }
}

static void close_all(void)
{
    for (int32_t a = 0; a < SHARING; a++) {
        vdnn_shared_close(sharers[a].shared);
        for (int32_t b = 0; b < SHARING; b++)
            if (b != a)
                (void)close(sharers[a].peers[b].sockets[0]);
    }
}

TEST(ranks_of_one_host_have_rings_and_the_others_none)
{
    for (int32_t alone = -1; alone < SHARING; alone++) {
        share_all(alone);
        for (int32_t a = 0; a < SHARING; a++)
            for (int32_t b = 0; b < SHARING; b++) {
                const bool expected = a != b && a != alone && b != alone;
                assert_int_equal(sharers[a].shared->in[b] != NULL, expected);
                assert_int_equal(sharers[a].shared->out[b] != NULL, expected);
                if (!expected)
                    continue;
                const char sent = (char)(10 * a + b);
                bool wake;
                assert_int_equal(vdnn_ring_put(sharers[a].shared->out[b], &sent, 1, &wake), 1);
                size_t here;
                const char *got = vdnn_ring_peek(sharers[b].shared->in[a], &here);
                assert_int_equal(here, 1);
                assert_int_equal(*got, sent);
            }
        close_all();
    }
}
