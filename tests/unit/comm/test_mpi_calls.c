/* The transport over MPI, on an MPI of this file in which every rank is a thread: each call of it
 * fails once. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/comm/mpi/transport.h"
#include "tests/support/every_fault.h"
#include "tests/support/group_scenes.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3, TAGS = VDNN_LANE_COUNT + 1, MESSAGES = 4096, FAULT = 77, EAGER_BYTES = 4096 };

/* ---- an MPI ---------------------------------------------------------------------------------- */

/* A message, or the place of one: the n-th that is sent meets the n-th that is received. What is
 * too large for a copy is taken from the sender's memory while it asks. */
typedef struct message {
    int sender;
    const void *from;
    void *to, *copy;
    int bytes;
    bool is_sent, is_received, is_cancelled;
} message;

typedef struct channel {
    message list[MESSAGES];
    int sent, received, probed;
} channel;

static struct {
    pthread_mutex_t lock;
    channel *channels; /* per sender, receiver and tag */
    int ranks;
    bool is_threaded;
    /* The n-th call of a rank fails, and those after it; 0: none. */
    int failing_rank;
    size_t nth, calls, ends;
    bool is_broken; /* a rank ended otherwise than all together: as if its process were gone */
} world = {.lock = PTHREAD_MUTEX_INITIALIZER, .ranks = RANKS, .is_threaded = true};

static channel *channel_of(int from, int to, int tag)
{
    return &world.channels[(from * RANKS + to) * TAGS + tag];
}

static bool goes_wrong(int rank)
{
    return world.is_broken ||
           (rank == world.failing_rank && ++world.calls >= world.nth && world.nth > 0);
}

static void deliver(message *of, bool sender_asks)
{
    if (of->is_cancelled || !of->is_sent || of->to == NULL || of->is_received ||
        (of->copy == NULL && !sender_asks))
        return;
    memcpy(of->to, of->copy != NULL ? of->copy : of->from, (size_t)of->bytes);
    of->is_received = true;
}

static int fake_begin(int rank, vdnn_mpi_facts *facts)
{
    if (goes_wrong(rank))
        return FAULT;
    *facts = (vdnn_mpi_facts){rank, world.ranks, world.is_threaded, false};
    return 0;
}

static int fake_connect(int rank)
{
    return goes_wrong(rank) ? FAULT : 0;
}

static int fake_send(int rank, int tag, const void *from, int bytes, int to,
                     vdnn_mpi_request *request)
{
    if (goes_wrong(rank))
        return FAULT;
    channel *of = channel_of(rank, to, tag);
    message *sent = &of->list[of->sent++ % MESSAGES];
    sent->sender = rank;
    sent->from = from;
    sent->bytes = bytes;
    sent->is_sent = true;
    if (bytes <= EAGER_BYTES) {
        sent->copy = malloc((size_t)bytes);
        memcpy(sent->copy, from, (size_t)bytes);
    }
    deliver(sent, true);
    request->handle = sent;
    return 0;
}

static int fake_receive(int rank, int tag, void *to, int bytes, int from, vdnn_mpi_request *request)
{
    (void)bytes;
    if (goes_wrong(rank))
        return FAULT;
    channel *of = channel_of(from, rank, tag);
    message *due = &of->list[of->received++ % MESSAGES];
    due->to = to;
    deliver(due, false);
    request->handle = due;
    return 0;
}

static int fake_test(int rank, vdnn_mpi_request *request, bool *done)
{
    if (goes_wrong(rank))
        return FAULT;
    message *of = request->handle;
    const bool is_sender = of->is_sent && of->sender == rank;
    deliver(of, is_sender);
    *done = of->is_received || (is_sender ? of->copy != NULL : of->is_cancelled);
    return 0;
}

static int fake_cancel(int rank, vdnn_mpi_request *request)
{
    (void)rank;
    message *of = request->handle;
    of->is_cancelled = !of->is_received;
    return 0;
}

static int fake_probe(int rank, int tag, bool *found, int *from)
{
    if (goes_wrong(rank))
        return FAULT;
    *found = false;
    for (int other = 0; other < RANKS && !*found; other++) {
        const channel *of = channel_of(other, rank, tag);
        *found = of->sent > of->received;
        *from = other;
    }
    return 0;
}

static int fake_end(int rank, bool in_good_order)
{
    world.ends += in_good_order;
    world.is_broken = world.is_broken || !in_good_order;
    return goes_wrong(rank) ? FAULT : 0;
}

static void fake_explain(int code, char text[VDNN_MPI_TEXT_BYTES])
{
    (void)snprintf(text, VDNN_MPI_TEXT_BYTES, "code %d", code);
}

/* The calls of a rank, from whichever of its threads. */
#define LOCKED(call)                                                                               \
    (void)pthread_mutex_lock(&world.lock);                                                         \
    const int code = call;                                                                         \
    (void)pthread_mutex_unlock(&world.lock);                                                       \
    return code
#define CALLS_OF(r)                                                                                \
    static int begin_##r(vdnn_mpi_facts *facts)                                                    \
    {                                                                                              \
        LOCKED(fake_begin(r, facts));                                                              \
    }                                                                                              \
    static int connect_##r(void)                                                                   \
    {                                                                                              \
        LOCKED(fake_connect(r));                                                                   \
    }                                                                                              \
    static int send_##r(int tag, const void *from, int bytes, int to, vdnn_mpi_request *request)   \
    {                                                                                              \
        LOCKED(fake_send(r, tag, from, bytes, to, request));                                       \
    }                                                                                              \
    static int receive_##r(int tag, void *to, int bytes, int from, vdnn_mpi_request *request)      \
    {                                                                                              \
        LOCKED(fake_receive(r, tag, to, bytes, from, request));                                    \
    }                                                                                              \
    static int test_##r(vdnn_mpi_request *request, bool *done)                                     \
    {                                                                                              \
        LOCKED(fake_test(r, request, done));                                                       \
    }                                                                                              \
    static int cancel_##r(vdnn_mpi_request *request)                                               \
    {                                                                                              \
        LOCKED(fake_cancel(r, request));                                                           \
    }                                                                                              \
    static int probe_##r(int tag, bool *found, int *from)                                          \
    {                                                                                              \
        LOCKED(fake_probe(r, tag, found, from));                                                   \
    }                                                                                              \
    static int end_##r(bool in_good_order)                                                         \
    {                                                                                              \
        LOCKED(fake_end(r, in_good_order));                                                        \
    }
CALLS_OF(0)
CALLS_OF(1)
CALLS_OF(2)

#define ROW(r)                                                                                     \
    {                                                                                              \
        VDNN_MPI_PLUGIN_VERSION, begin_##r, connect_##r, send_##r, receive_##r, test_##r,          \
            cancel_##r, probe_##r, end_##r, fake_explain                                           \
    }
static const vdnn_mpi_calls fakes[RANKS] = {ROW(0), ROW(1), ROW(2)};

static void begin_world(int failing_rank, size_t nth)
{
    world.channels = calloc(RANKS * RANKS * TAGS, sizeof *world.channels);
    world.failing_rank = failing_rank;
    world.nth = nth;
    world.calls = world.ends = 0;
    world.is_broken = false;
}

static void end_world(void)
{
    for (int c = 0; c < RANKS * RANKS * TAGS; c++)
        for (int m = 0; m < MESSAGES; m++)
            free(world.channels[c].list[m].copy);
    free(world.channels);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

#define ROW_OF(r)                                                                                  \
    static vdnn_status join_##r(const vdnn_world *whole, void **state)                             \
    {                                                                                              \
        return vdnn_mpi_join(&fakes[r], whole, state);                                             \
    }
ROW_OF(0)
ROW_OF(1)
ROW_OF(2)

#define TRANSPORT(r)                                                                               \
    {                                                                                              \
        .name = "fake", .join = join_##r, .reduce_scatter = vdnn_mpi_reduce_scatter,               \
        .all_gather = vdnn_mpi_all_gather, .send = vdnn_mpi_send, .receive = vdnn_mpi_receive,     \
        .exchange = vdnn_mpi_exchange, .check = vdnn_mpi_check, .leave = vdnn_mpi_leave,           \
        .close = vdnn_mpi_close                                                                    \
    }
static const vdnn_transport transports[RANKS] = {TRANSPORT(0), TRANSPORT(1), TRANSPORT(2)};

typedef struct member {
    vdnn_status (*play)(vdnn_group *end);
    vdnn_world world;
    vdnn_first_error error;
    pthread_t thread;
} member;

static void *run_member(void *argument)
{
    member *own = argument;
    vdnn_group *end = NULL;
    vdnn_status status = vdnn_group_join(&transports[own->world.rank], &own->world, &end);
    vdnn_first_error_keep(&own->error, status);
    if (status == VDNN_OK) {
        vdnn_first_error_keep(&own->error, own->play(end));
        if (own->error.status != VDNN_OK)
            vdnn_group_leave(end, own->error.status, own->error.message);
        vdnn_group_close(end);
    }
    return NULL;
}

static void run_members(member *members, int32_t ranks, vdnn_status (*play)(vdnn_group *end))
{
    world.ranks = ranks;
    for (int32_t r = 0; r < ranks; r++) {
        members[r] =
            (member){.play = play,
                     .world = {.rank = r, .ranks = ranks, .local_ranks = ranks, .peer_timeout = 1}};
        assert_int_equal(vdnn_system_start_thread(&members[r].thread, run_member, &members[r]), 0);
    }
    for (int32_t r = 0; r < ranks; r++)
        assert_int_equal(pthread_join(members[r].thread, NULL), 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void play_scene(const vdnn_group_scene *scene)
{
    for (int32_t ranks = scene->least_ranks; ranks <= RANKS; ranks++) {
        member members[RANKS];
        begin_world(-1, 0);
        run_members(members, ranks, scene->play);
        for (int32_t r = 0; r < ranks; r++)
            if (vdnn_first_error_tell(&members[r].error) != VDNN_OK)
                fail_msg("%d of %d: %s", (int)r, (int)ranks, vdnn_status_message());
        assert_int_equal(world.ends, ranks);
        end_world();
    }
}

#define X(name, ends, least_ranks)                                                                 \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        play_scene(&vdnn_group_scenes[VDNN_GROUP_SCENE_##name]);                                   \
    }
VDNN_GROUP_SCENE_TABLE(X)
#undef X

static vdnn_status sum_and_total(vdnn_group *end)
{
    float values[2 * EAGER_BYTES] = {1};
    double number = 1;
    vdnn_status status = vdnn_group_sum(end, values, sizeof values / sizeof *values);
    return status == VDNN_OK ? vdnn_group_total(end, &number) : status;
}

/* Those that fail before all are connected would be waited for by MPI. */
static void every_call_that_fails_ends_all_ranks_with_the_status_of_a_peer(void **state)
{
    enum { CALLS_OF_JOIN = 2 };
    size_t nth = CALLS_OF_JOIN;
    bool failed;
    (void)state;
    do {
        member members[RANKS];
        nth += 1 + nth / 4;
        begin_world(1, nth);
        run_members(members, RANKS, sum_and_total);
        failed = members[1].error.status != VDNN_OK;
        for (int32_t r = 0; r < RANKS; r++)
            if (members[r].error.status != VDNN_OK) {
                assert_int_equal(members[r].error.status, VDNN_PEER);
                if (r == 1)
                    assert_non_null(strstr(members[r].error.message, "code 77"));
            }
        end_world();
    } while (failed);
    print_message("%zu calls\n", nth);
}

static void a_world_that_mpi_does_not_know_is_refused(void **state)
{
    const vdnn_world whole = {.rank = 1, .ranks = 2};
    void *end = NULL;
    (void)state;
    begin_world(-1, 0);
    assert_status(vdnn_mpi_join(&fakes[1], &whole, &end), VDNN_USAGE);
    assert_message("this is process 1 of 2, MPI that it is 1 of 3");
    end_world();
    begin_world(-1, 0);
    world.is_threaded = false;
    world.ranks = 2;
    assert_status(vdnn_mpi_join(&fakes[1], &whole, &end), VDNN_DEVICE);
    assert_message("MPI serves one thread alone; MPI_THREAD_SERIALIZED is required");
    world.is_threaded = true;
    end_world();
}

static vdnn_status join_alone(void)
{
    const vdnn_world whole = {.ranks = 1};
    vdnn_group *end;
    vdnn_status status = vdnn_group_join(&transports[0], &whole, &end);
    if (status != VDNN_OK)
        return status;
    status = sum_and_total(end);
    vdnn_group_close(end);
    return status;
}

static void check_nothing(vdnn_status status)
{
    (void)status;
}

static void memory_that_is_missing_is_said(void **state)
{
    static const vdnn_test_scene scene = {join_alone, check_nothing, 0, false};
    (void)state;
    begin_world(-1, 0);
    world.ranks = 1;
    vdnn_test_scene_begin();
    vdnn_test_every_allocation(&scene);
    vdnn_test_scene_end();
    end_world();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name, ends, least_ranks) cmocka_unit_test(name),
        VDNN_GROUP_SCENE_TABLE(X)
#undef X
            cmocka_unit_test(every_call_that_fails_ends_all_ranks_with_the_status_of_a_peer),
        cmocka_unit_test(a_world_that_mpi_does_not_know_is_refused),
        cmocka_unit_test(memory_that_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
