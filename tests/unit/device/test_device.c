/* The wrapper's checks, and the CPU device's streams. */

#include "runtime/base/heap.h"
#include "runtime/device/device.h"
#include "tests/support/file_copies.h"
#include "tests/support/files.h"
#include "tests/support/moved_bytes.h"
#include "tests/support/vdnn_test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 64, MIB = 1 << 20 };

static vdnn_device *open_device(size_t device_bytes, size_t host_bytes)
{
    vdnn_device *device = NULL;
    vdnn_device_options options = {.threads = 2, .event_count = EVENTS};
    assert_ok(vdnn_device_open("cpu", &options, &device));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_DEVICE, device_bytes));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, host_bytes));
    return device;
}

static vdnn_extent on_device(size_t offset, size_t bytes)
{
    return (vdnn_extent){VDNN_TIER_DEVICE, offset, bytes};
}

static vdnn_extent on_host(size_t offset, size_t bytes)
{
    return (vdnn_extent){VDNN_TIER_HOST, offset, bytes};
}

/* ---- work for the compute stream ------------------------------------------------------------- */

/* A door that is shut until the test opens it: an operation of unknown length, without clocks. */
typedef struct door {
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool is_open, is_reached;
} door;

static door shut_door(void)
{
    return (door){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false};
}

static vdnn_status wait_at_door(void *argument, void *stream)
{
    (void)stream;
    door *own = argument;
    (void)pthread_mutex_lock(&own->lock);
    own->is_reached = true;
    (void)pthread_cond_broadcast(&own->change);
    while (!own->is_open)
        (void)pthread_cond_wait(&own->change, &own->lock);
    (void)pthread_mutex_unlock(&own->lock);
    return VDNN_OK;
}

static vdnn_status open_door(void *argument, void *stream)
{
    (void)stream;
    door *own = argument;
    (void)pthread_mutex_lock(&own->lock);
    own->is_open = true;
    (void)pthread_cond_broadcast(&own->change);
    (void)pthread_mutex_unlock(&own->lock);
    return VDNN_OK;
}

static void await_reached(door *own)
{
    (void)pthread_mutex_lock(&own->lock);
    while (!own->is_reached)
        (void)pthread_cond_wait(&own->change, &own->lock);
    (void)pthread_mutex_unlock(&own->lock);
}

static vdnn_status count_up(void *argument, void *stream)
{
    (void)stream;
    (*(int *)argument)++;
    return VDNN_OK;
}

static vdnn_status fail_here(void *argument, void *stream)
{
    (void)stream;
    return vdnn_status_fail(VDNN_BAD_INPUT, "kernel %d is broken", *(const int *)argument);
}

/* A log of what ran; unordered operations may write at the same time. */
typedef struct note {
    atomic_int *next;
    int *log;
    int value;
} note;

static vdnn_status write_note(void *argument, void *stream)
{
    (void)stream;
    const note *own = argument;
    own->log[atomic_fetch_add(own->next, 1)] = own->value;
    return VDNN_OK;
}

static vdnn_launch launch_of(vdnn_status (*run)(void *argument, void *stream), void *argument)
{
    return (vdnn_launch){.run = run, .argument = argument};
}

static void launch(vdnn_device *device, vdnn_stream_id stream, int32_t event, const int32_t *waits,
                   int32_t wait_count, vdnn_launch work)
{
    assert_ok(vdnn_device_launch(device, stream, event, waits, wait_count, &work));
}

/* ---- opening --------------------------------------------------------------------------------- */

TEST(an_unknown_device_is_refused_with_the_known_ones)
{
    vdnn_device *device = NULL;
    vdnn_device_options options = {.event_count = 1};
    assert_status(vdnn_device_open("gpu9000", &options, &device), VDNN_DEVICE);
    assert_message("gpu9000");
    assert_message("cpu");
    assert_status(vdnn_device_open("cpu:1", &options, &device), VDNN_DEVICE);
    assert_status(vdnn_device_open("", &options, &device), VDNN_DEVICE);
    assert_null(device);
}

TEST(the_cpu_describes_itself)
{
    vdnn_device *device = NULL;
    vdnn_device_options options = {.threads = 3, .event_count = 1};
    assert_ok(vdnn_device_open("cpu", &options, &device));
    const vdnn_device_properties *properties = vdnn_device_describe(device);
    assert_string_equal(properties->kind, "cpu");
    assert_true(strlen(properties->name) > 0);
    assert_true(strlen(properties->library) > 0);
    assert_true(properties->free_bytes > 0);
    assert_true(properties->free_bytes <= properties->memory_bytes);
    assert_true(properties->shares_host_memory);
    assert_int_equal(properties->threads, 3);
    vdnn_device_close(device);
    options.threads = 0;
    assert_ok(vdnn_device_open("cpu", &options, &device));
    assert_true(vdnn_device_describe(device)->threads >= 1);
    vdnn_device_close(device);
    vdnn_device_close(NULL);
}

TEST(opening_survives_every_failed_allocation)
{
    size_t before = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    for (size_t n = 1; status != VDNN_OK; n++) {
        vdnn_device *device = NULL;
        vdnn_device_options options = {.threads = 1, .event_count = EVENTS};
        vdnn_heap_fail_after(n);
        status = vdnn_device_open("cpu", &options, &device);
        vdnn_heap_fail_after(0);
        if (status != VDNN_OK)
            assert_status(status, VDNN_NO_MEMORY);
        vdnn_device_close(device);
        assert_int_equal(vdnn_heap_live_count(), before);
        assert_true(n < 100);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(a_tier_is_zeroed_and_replaced_by_the_next_reservation)
{
    vdnn_device *device = open_device(MIB, MIB);
    for (int tier = 0; tier < VDNN_TIER_FILE; tier++) {
        unsigned char *base = vdnn_device_base(device, (vdnn_tier)tier);
        for (size_t i = 0; i < MIB; i++)
            assert_int_equal(base[i], 0);
        memset(base, 0xFF, MIB);
        assert_ok(vdnn_device_reserve(device, (vdnn_tier)tier, 2 * MIB));
        base = vdnn_device_base(device, (vdnn_tier)tier);
        for (size_t i = 0; i < 2 * MIB; i++)
            assert_int_equal(base[i], 0);
        assert_int_equal(vdnn_device_tier_bytes(device, (vdnn_tier)tier), 2 * MIB);
        assert_ok(vdnn_device_reserve(device, (vdnn_tier)tier, 0));
        assert_null(vdnn_device_base(device, (vdnn_tier)tier));
    }
    assert_int_equal(vdnn_device_locked_bytes(device), 0);
    vdnn_device_close(device);
}

TEST(what_the_machine_does_not_have_is_refused_with_the_limit)
{
    vdnn_device *device = open_device(MIB, MIB);
    size_t all = vdnn_device_describe(device)->memory_bytes;
    for (int tier = 0; tier < VDNN_TIER_FILE; tier++) {
        assert_status(vdnn_device_reserve(device, (vdnn_tier)tier, all + 1), VDNN_DEVICE);
        assert_message("needs");
        assert_message("leaves");
        assert_null(vdnn_device_base(device, (vdnn_tier)tier));
        assert_int_equal(vdnn_device_tier_bytes(device, (vdnn_tier)tier), 0);
    }
    vdnn_device_close(device);
}

/* What the system has locked for this process. */
static size_t locked_by_system(void)
{
    char line[256];
    unsigned long long found = 0;
    FILE *file = fopen("/proc/self/status", "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmLck: %llu kB", &found) == 1)
            break;
    (void)fclose(file);
    return (size_t)found << 10;
}

TEST(locked_bytes_are_those_of_the_host_tier)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip_because("sanitizers make mlock do nothing");
#endif
    size_t before = locked_by_system();
    vdnn_device *device = open_device(MIB, 3 * MIB);
    size_t locked = vdnn_device_locked_bytes(device);
    assert_in_range(locked, sysconf(_SC_PAGESIZE), 3 * MIB); /* every system allows some */
    assert_int_equal(locked, locked_by_system() - before);
    vdnn_device_close(device);
    assert_int_equal(locked_by_system(), before);
}

TEST(blocking_copies_reach_the_device_tier_and_come_back)
{
    vdnn_device *device = open_device(MIB, 0);
    char sent[100], got[100] = {0};
    memset(sent, 'x', sizeof sent);
    assert_ok(vdnn_device_write(device, VDNN_TIER_DEVICE, MIB - 100, sent, sizeof sent));
    assert_ok(vdnn_device_read(device, got, VDNN_TIER_DEVICE, MIB - 100, sizeof got));
    assert_memory_equal(sent, got, sizeof sent);
    assert_status(vdnn_device_write(device, VDNN_TIER_DEVICE, MIB - 99, sent, sizeof sent),
                  VDNN_INTERNAL);
    assert_status(vdnn_device_read(device, got, VDNN_TIER_DEVICE, MIB, 1), VDNN_INTERNAL);
    assert_ok(vdnn_device_read(device, got, VDNN_TIER_DEVICE, MIB, 0));
    vdnn_device_close(device);
}

/* ---- order ----------------------------------------------------------------------------------- */

TEST(operations_of_a_stream_run_in_order)
{
    vdnn_device *device = open_device(MIB, MIB);
    atomic_int next = 0;
    int log[EVENTS];
    note notes[EVENTS];
    assert_ok(vdnn_device_round(device));
    for (int32_t i = 0; i < EVENTS; i++) {
        notes[i] = (note){&next, log, i};
        launch(device, VDNN_STREAM_COMPUTE, i, NULL, 0, launch_of(write_note, &notes[i]));
    }
    assert_ok(vdnn_device_synchronize(device));
    for (int i = 0; i < EVENTS; i++)
        assert_int_equal(log[i], i);
    vdnn_device_close(device);
}

TEST(an_operation_starts_only_after_all_that_it_waits_for)
{
    vdnn_device *device = open_device(MIB, MIB);
    door gate = shut_door();
    atomic_int next = 0;
    int log[3];
    note notes[3] = {{&next, log, 0}, {&next, log, 1}, {&next, log, 2}};
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(wait_at_door, &gate));
    launch(device, VDNN_STREAM_COMPUTE, 1, NULL, 0, launch_of(write_note, &notes[0]));
    launch(device, VDNN_STREAM_OUT, 2, (int32_t[]){0, 1}, 2, launch_of(write_note, &notes[1]));
    launch(device, VDNN_STREAM_IN, 3, (int32_t[]){2, 0}, 2, launch_of(write_note, &notes[2]));
    await_reached(&gate);
    assert_int_equal(atomic_load(&next), 0);
    (void)open_door(&gate, NULL);
    assert_ok(vdnn_device_synchronize(device));
    for (int i = 0; i < 3; i++)
        assert_int_equal(log[i], i);
    vdnn_device_close(device);
}

/* Every operation waits for a random choice of earlier ones, whatever their streams. */
TEST(random_waits_are_all_obeyed)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_device *device = open_device(MIB, MIB);
    for (int round = 0; round < vdnn_test_count(500); round++) {
        atomic_int next = 0;
        int log[EVENTS], position[EVENTS];
        note notes[EVENTS];
        int32_t waits[EVENTS][4], wait_count[EVENTS];
        assert_ok(vdnn_device_round(device));
        for (int32_t i = 0; i < EVENTS; i++) {
            wait_count[i] = i == 0 ? 0 : (int32_t)vdnn_test_between(&rng, 0, 4);
            for (int32_t k = 0; k < wait_count[i]; k++)
                waits[i][k] = (int32_t)vdnn_test_between(&rng, 0, i - 1);
            notes[i] = (note){&next, log, i};
            launch(device, (vdnn_stream_id)vdnn_test_between(&rng, 0, VDNN_STREAM_COUNT - 1), i,
                   waits[i], wait_count[i], launch_of(write_note, &notes[i]));
        }
        assert_ok(vdnn_device_synchronize(device));
        assert_int_equal(atomic_load(&next), EVENTS);
        for (int i = 0; i < EVENTS; i++)
            position[log[i]] = i;
        for (int32_t i = 0; i < EVENTS; i++)
            for (int32_t k = 0; k < wait_count[i]; k++)
                assert_true(position[waits[i][k]] < position[i]);
    }
    vdnn_device_close(device);
}

/* The copy can end only while the kernel runs, since the kernel ends only after something that
 * follows the copy. */
TEST(copies_run_while_the_compute_stream_computes)
{
    vdnn_device *device = open_device(MIB, MIB);
    door gate = shut_door();
    double start[3], end[3];
    memset(vdnn_device_base(device, VDNN_TIER_DEVICE), 7, MIB);
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(wait_at_door, &gate));
    assert_ok(
        vdnn_device_copy(device, VDNN_STREAM_OUT, 1, NULL, 0, on_host(0, MIB), on_device(0, MIB)));
    launch(device, VDNN_STREAM_IN, 2, (int32_t[]){1}, 1, launch_of(open_door, &gate));
    assert_ok(vdnn_device_synchronize(device));
    assert_memory_equal(vdnn_device_base(device, VDNN_TIER_HOST),
                        vdnn_device_base(device, VDNN_TIER_DEVICE), MIB);
    for (int32_t i = 0; i < 3; i++)
        vdnn_device_times(device, i, &start[i], &end[i]);
    assert_true(end[1] <= start[2]);
    assert_true(end[1] < end[0]);
    vdnn_device_close(device);
}

TEST(times_are_monotone_and_count_from_the_round)
{
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0;
    for (int round = 0; round < 3; round++) {
        double last = 0;
        assert_ok(vdnn_device_round(device));
        for (int32_t i = 0; i < EVENTS; i++) {
            int32_t wait = i - 1;
            launch(device, (vdnn_stream_id)(i % VDNN_STREAM_COUNT), i, &wait, i > 0,
                   launch_of(count_up, &count));
        }
        assert_ok(vdnn_device_synchronize(device));
        for (int32_t i = 0; i < EVENTS; i++) {
            double start = -1, end = -1;
            vdnn_device_times(device, i, &start, &end);
            assert_true(last <= start);
            assert_true(start <= end);
            last = end;
        }
        assert_true(last < 60);
    }
    assert_int_equal(count, 3 * EVENTS);
    vdnn_device_close(device);
}

/* ---- several rounds under way ---------------------------------------------------------------- */

/* The second is enqueued as a whole before the first can end, and each stream keeps its order. */
TEST(a_round_is_enqueued_while_the_one_before_it_runs)
{
    enum { OPERATIONS = 6 };
    vdnn_device *device = open_device(MIB, MIB);
    door gate = shut_door();
    atomic_int next = 0;
    int log[OPERATIONS];
    note notes[OPERATIONS];
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(wait_at_door, &gate));
    for (int32_t i = 0; i < OPERATIONS; i++) {
        /* The second round's wait is of its own event 1, not of the one before it. */
        const int32_t event = 1 + i % 3, waits[] = {1};
        notes[i] = (note){&next, log, i};
        if (i == 3)
            assert_ok(vdnn_device_round(device));
        launch(device, event == 3 ? VDNN_STREAM_OUT : VDNN_STREAM_COMPUTE, event, waits, event == 3,
               launch_of(write_note, &notes[i]));
    }
    await_reached(&gate);
    assert_int_equal(atomic_load(&next), 0);
    (void)open_door(&gate, NULL);
    assert_ok(vdnn_device_finish(device));
    assert_true(atomic_load(&next) >= 3);
    assert_ok(vdnn_device_finish(device));
    int position[OPERATIONS];
    for (int i = 0; i < OPERATIONS; i++)
        position[log[i]] = i;
    static const int order[][2] = {{0, 1}, {1, 3}, {3, 4}, {0, 2}, {2, 5}, {3, 5}};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_true(position[order[i][0]] < position[order[i][1]]);
    vdnn_device_close(device);
}

TEST(times_are_of_the_round_that_was_finished_last)
{
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0;
    double ended = 0;
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(count_up, &count));
    for (int i = 0; i < 5; i++) {
        double start = 0, end = 0;
        assert_ok(vdnn_device_round(device));
        launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(count_up, &count));
        assert_ok(vdnn_device_finish(device));
        vdnn_device_times(device, 0, &start, &end);
        double began = vdnn_device_began(device);
        assert_true(ended <= began + start && start <= end);
        ended = began + end;
        assert_true(ended <= vdnn_device_now(device));
    }
    assert_ok(vdnn_device_synchronize(device));
    vdnn_device_close(device);
}

TEST(an_error_ends_its_own_round_and_those_after_it)
{
    enum { ROUNDS = VDNN_DEVICE_ROUNDS };
    vdnn_device *device = open_device(MIB, MIB);
    for (int broken = 0; broken < ROUNDS; broken++) {
        int counts[ROUNDS] = {0}, kernel = broken;
        for (int i = 0; i < ROUNDS; i++) {
            assert_ok(vdnn_device_round(device));
            if (i == broken)
                launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(fail_here, &kernel));
            launch(device, VDNN_STREAM_COMPUTE, 1, NULL, 0, launch_of(count_up, &counts[i]));
        }
        for (int i = 0; i < broken; i++)
            assert_ok(vdnn_device_finish(device));
        assert_status(vdnn_device_finish(device), VDNN_BAD_INPUT);
        assert_message("is broken");
        for (int i = 0; i < ROUNDS; i++)
            assert_int_equal(counts[i], i < broken);
        /* None is under way, and nothing of it is left. */
        int count = 0;
        for (int i = 0; i < ROUNDS; i++) {
            assert_ok(vdnn_device_round(device));
            launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(count_up, &count));
        }
        assert_ok(vdnn_device_synchronize(device));
        assert_int_equal(count, ROUNDS);
    }
    vdnn_device_close(device);
}

TEST(of_an_untimed_round_only_what_is_awaited_can_be_waited_for)
{
    vdnn_device *device = open_device(MIB, MIB);
    const bool awaited[EVENTS] = {[1] = true};
    const int32_t one = 1, none = 0;
    int count = 0;
    vdnn_launch work = launch_of(count_up, &count);
    assert_ok(vdnn_device_round_untimed(device, awaited));
    for (int32_t i = 0; i < 2; i++)
        launch(device, VDNN_STREAM_COMPUTE, i, NULL, 0, work);
    assert_status(vdnn_device_launch(device, VDNN_STREAM_OUT, 2, &none, 1, &work), VDNN_INTERNAL);
    assert_message("that nothing waits for");
    launch(device, VDNN_STREAM_OUT, 2, &one, 1, work);
    vdnn_device_wait(device, 1);
    assert_ok(vdnn_device_finish(device));
    assert_int_equal(count, 3);
    vdnn_device_close(device);
}

/* ---- copies ---------------------------------------------------------------------------------- */

TEST(copies_of_every_size_and_alignment_move_exactly_their_bytes)
{
    enum { SPAN = 2 * MIB };
    static const size_t sizes[] = {0,    1,      15,         16,         17,
                                   4096, 262143, 256 * 1024, 262144 + 7, MIB - 4096 - 1};
    static const size_t shifts[] = {0, 1, 8, 63, 64};
    vdnn_device *device = open_device(SPAN, SPAN);
    unsigned char *from = vdnn_device_base(device, VDNN_TIER_DEVICE);
    unsigned char *to = vdnn_device_base(device, VDNN_TIER_HOST);
    for (size_t i = 0; i < SPAN; i++)
        from[i] = (unsigned char)(i * 7 + (i >> 9));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t a = 0; a < sizeof shifts / sizeof *shifts; a++) {
            size_t at = MIB / 2 + shifts[a], source = MIB / 4 + 3 * shifts[a];
            memset(to, 0xEE, SPAN);
            assert_ok(vdnn_device_round(device));
            assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, 0, NULL, 0, on_host(at, sizes[s]),
                                       on_device(source, sizes[s])));
            assert_ok(vdnn_device_synchronize(device));
            assert_int_equal(memcmp(to + at, from + source, sizes[s]), 0);
            assert_int_equal(to[at - 1], 0xEE);
            assert_int_equal(to[at + sizes[s]], 0xEE);
        }
    vdnn_device_close(device);
}

TEST(staging_blocks_feed_the_device_tier_and_take_results)
{
    vdnn_device *device = open_device(MIB, 0);
    void *block = NULL, *other = NULL;
    assert_ok(vdnn_device_stage(device, 1000, &block));
    assert_ok(vdnn_device_stage(device, 10, &other));
    char *staged = block;
    memset(staged, 'a', 500);
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_load(device, VDNN_STREAM_IN, 0, NULL, 0, on_device(64, 500), staged));
    assert_ok(vdnn_device_store(device, VDNN_STREAM_OUT, 1, (int32_t[]){0}, 1, staged + 500,
                                on_device(64, 500)));
    assert_ok(vdnn_device_synchronize(device));
    assert_memory_equal(staged, staged + 500, 500);
    vdnn_device_unstage(device, other);
    vdnn_device_close(device);
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST(what_is_outside_a_tier_or_a_staging_block_is_refused)
{
    vdnn_device *device = open_device(MIB, MIB);
    void *staged = NULL;
    char elsewhere[16];
    int count = 0;
    vdnn_extent outside = on_device(MIB - 1, 2), wrapping = on_device(64, SIZE_MAX - 10);
    vdnn_launch bad = {.run = count_up, .argument = &count, .extents = &outside, .extent_count = 1},
                worse = {
                    .run = count_up, .argument = &count, .extents = &wrapping, .extent_count = 1};
    assert_ok(vdnn_device_stage(device, 100, &staged));
    assert_ok(vdnn_device_round(device));
    vdnn_stream_id stream = VDNN_STREAM_COMPUTE;
    assert_status(vdnn_device_launch(device, stream, 0, NULL, 0, &bad), VDNN_INTERNAL);
    assert_message("1048576");
    assert_status(vdnn_device_launch(device, stream, 0, NULL, 0, &worse), VDNN_INTERNAL);
    assert_status(vdnn_device_copy(device, stream, 0, NULL, 0, on_host(MIB, 1), on_device(0, 1)),
                  VDNN_INTERNAL);
    assert_message("host");
    assert_status(vdnn_device_copy(device, stream, 0, NULL, 0, on_host(0, 2), on_device(0, 1)),
                  VDNN_INTERNAL);
    assert_status(vdnn_device_load(device, stream, 0, NULL, 0, on_device(0, 16), elsewhere),
                  VDNN_INTERNAL);
    assert_status(
        vdnn_device_load(device, stream, 0, NULL, 0, on_device(0, 51), (char *)staged + 50),
        VDNN_INTERNAL);
    assert_status(vdnn_device_store(device, stream, 0, NULL, 0, staged, on_device(0, 101)),
                  VDNN_INTERNAL);
    assert_ok(vdnn_device_synchronize(device));
    assert_int_equal(count, 0);
    vdnn_device_unstage(device, staged);
    assert_status(vdnn_device_store(device, stream, 0, NULL, 0, staged, on_device(0, 1)),
                  VDNN_INTERNAL);
    vdnn_device_close(device);
}

TEST(events_and_waits_that_would_never_come_are_refused)
{
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0;
    vdnn_launch work = launch_of(count_up, &count);
    vdnn_stream_id stream = VDNN_STREAM_COMPUTE;
    assert_status(vdnn_device_launch(device, stream, 0, NULL, 0, &work), VDNN_INTERNAL);
    assert_message("round");
    assert_ok(vdnn_device_round(device));
    assert_status(vdnn_device_launch(device, stream, EVENTS, NULL, 0, &work), VDNN_INTERNAL);
    assert_status(vdnn_device_launch(device, stream, -1, NULL, 0, &work), VDNN_INTERNAL);
    assert_status(vdnn_device_launch(device, VDNN_STREAM_COUNT, 0, NULL, 0, &work), VDNN_INTERNAL);
    int32_t later = 1;
    assert_status(vdnn_device_launch(device, stream, 0, &later, 1, &work), VDNN_INTERNAL);
    assert_ok(vdnn_device_launch(device, stream, 0, NULL, 0, &work));
    assert_status(vdnn_device_launch(device, stream, 0, NULL, 0, &work), VDNN_INTERNAL);
    assert_message("twice");
    assert_ok(vdnn_device_synchronize(device));
    assert_ok(vdnn_device_round(device));
    int32_t of_last_round = 0;
    assert_status(vdnn_device_launch(device, stream, 1, &of_last_round, 1, &work), VDNN_INTERNAL);
    assert_int_equal(count, 1);
    vdnn_device_close(device);
}

TEST(no_more_rounds_are_under_way_than_the_device_has_places_for)
{
    vdnn_device *device = open_device(MIB, MIB);
    door gate = shut_door();
    int count = 0;
    vdnn_launch work = launch_of(count_up, &count);
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(wait_at_door, &gate));
    assert_status(vdnn_device_grow_events(device, 2 * EVENTS), VDNN_INTERNAL);
    for (int i = 1; i < VDNN_DEVICE_ROUNDS; i++) {
        assert_ok(vdnn_device_round(device));
        launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, work);
    }
    await_reached(&gate);
    assert_status(vdnn_device_round(device), VDNN_INTERNAL);
    assert_message("under way");
    assert_int_equal(count, 0);
    (void)open_door(&gate, NULL);
    assert_ok(vdnn_device_synchronize(device));
    assert_int_equal(count, VDNN_DEVICE_ROUNDS - 1);
    assert_status(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 1, NULL, 0, &work),
                  VDNN_INTERNAL);
    assert_message("outside of a round");
    assert_ok(vdnn_device_round(device));
    vdnn_device_close(device);
}

TEST(more_events_can_be_had_and_a_failure_changes_nothing)
{
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0;
    vdnn_launch work = launch_of(count_up, &count);
    for (size_t n = 1; n <= 5; n++) {
        vdnn_heap_fail_after(n);
        assert_status(vdnn_device_grow_events(device, 3 * EVENTS), VDNN_NO_MEMORY);
        vdnn_heap_fail_after(0);
    }
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, EVENTS - 1, NULL, 0, work);
    assert_status(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, EVENTS, NULL, 0, &work),
                  VDNN_INTERNAL);
    assert_ok(vdnn_device_synchronize(device));
    assert_ok(vdnn_device_grow_events(device, 3 * EVENTS));
    assert_ok(vdnn_device_grow_events(device, 1));
    assert_ok(vdnn_device_round(device));
    for (int32_t i = 0; i < 3 * EVENTS; i++)
        launch(device, VDNN_STREAM_COMPUTE, i, NULL, 0, work);
    assert_ok(vdnn_device_synchronize(device));
    assert_int_equal(count, 3 * EVENTS + 1);
    vdnn_device_close(device);
}

/* ---- errors ---------------------------------------------------------------------------------- */

TEST(the_first_error_sticks_until_synchronize_tells_it)
{
    vdnn_device *device = open_device(MIB, MIB);
    int first = 1, second = 2, count = 0;
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(count_up, &count));
    launch(device, VDNN_STREAM_COMPUTE, 1, NULL, 0, launch_of(fail_here, &first));
    launch(device, VDNN_STREAM_COMPUTE, 2, NULL, 0, launch_of(count_up, &count));
    launch(device, VDNN_STREAM_IN, 3, (int32_t[]){2}, 1, launch_of(fail_here, &second));
    (void)vdnn_status_fail(VDNN_USAGE, "something else in this thread");
    assert_status(vdnn_device_synchronize(device), VDNN_BAD_INPUT);
    assert_message("kernel 1 is broken");
    assert_int_equal(count, 1);
    assert_ok(vdnn_device_synchronize(device));
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(count_up, &count));
    assert_ok(vdnn_device_synchronize(device));
    assert_int_equal(count, 2);
    vdnn_device_close(device);
}

TEST(closing_completes_what_is_enqueued)
{
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0;
    assert_ok(vdnn_device_round(device));
    for (int32_t i = 0; i < EVENTS; i++)
        launch(device, VDNN_STREAM_COMPUTE, i, NULL, 0, launch_of(count_up, &count));
    vdnn_device_close(device);
    assert_int_equal(count, EVENTS);
}

/* ---- observers ------------------------------------------------------------------------------- */

typedef struct watch {
    pthread_t begun[EVENTS], ended[EVENTS];
    atomic_int begins[EVENTS], ends[EVENTS];
} watch;

static void note_begin(const void *argument, int32_t event)
{
    watch *own = *(watch *const *)argument;
    own->begun[event] = pthread_self();
    own->begins[event]++;
}

static void note_end(const void *argument, int32_t event)
{
    watch *own = *(watch *const *)argument;
    own->ended[event] = pthread_self();
    own->ends[event]++;
}

TEST(an_observer_is_told_of_each_operation_on_its_streams_thread)
{
    vdnn_device *device = open_device(MIB, MIB);
    static watch seen;
    watch *own = &seen;
    const vdnn_device_observer observer = {note_begin, note_end, &own};
    int count = 0;
    assert_ok(vdnn_device_round(device));
    vdnn_device_observe(device, &observer);
    for (int32_t i = 0; i < 3; i++)
        launch(device, VDNN_STREAM_COMPUTE, i, NULL, 0, launch_of(count_up, &count));
    assert_ok(
        vdnn_device_copy(device, VDNN_STREAM_OUT, 3, NULL, 0, on_host(0, 8), on_device(0, 8)));
    vdnn_device_observe(device, NULL);
    launch(device, VDNN_STREAM_COMPUTE, 4, NULL, 0, launch_of(count_up, &count));
    assert_ok(vdnn_device_synchronize(device));
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(own->begins[i], i < 4);
        assert_int_equal(own->ends[i], i < 4);
        assert_true(i == 4 || pthread_equal(own->begun[i], own->ended[i]));
    }
    assert_true(pthread_equal(own->begun[0], own->begun[2]));
    assert_false(pthread_equal(own->begun[0], own->begun[3]));
    assert_false(pthread_equal(own->begun[0], pthread_self()));
    vdnn_device_close(device);
}

/* An observer's memory may be freed as soon as its round is finished, also by an error. */
TEST(an_observer_is_forgotten_with_its_round)
{
    vdnn_device *device = open_device(MIB, MIB);
    static watch seen;
    watch *own = &seen;
    const vdnn_device_observer observer = {note_begin, note_end, &own};
    int count = 0;
    for (int fails = 0; fails < 2; fails++) {
        assert_ok(vdnn_device_round(device));
        vdnn_device_observe(device, &observer);
        launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0,
               launch_of(fails ? fail_here : count_up, &count));
        launch(device, VDNN_STREAM_COMPUTE, 1, NULL, 0, launch_of(count_up, &count));
        assert_int_equal(vdnn_device_finish(device) == VDNN_OK, !fails);
        assert_int_equal(own->begins[0], 1 + fails);
        assert_int_equal(own->ends[0], 1 + fails);
        assert_int_equal(own->begins[1], 1); /* behind an error nothing runs */
        assert_ok(vdnn_device_round(device));
        launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(count_up, &count));
        assert_ok(vdnn_device_finish(device));
        assert_int_equal(own->begins[0], 1 + fails);
    }
    /* A round that cannot begin takes none, and leaves none to the one under way. */
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        assert_ok(vdnn_device_round(device));
    vdnn_device_observe(device, &observer);
    assert_status(vdnn_device_round(device), VDNN_INTERNAL);
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, launch_of(count_up, &count));
    assert_ok(vdnn_device_synchronize(device));
    assert_int_equal(own->begins[0], 2);
    vdnn_device_close(device);
}

/* ---- counters -------------------------------------------------------------------------------- */

TEST(the_high_water_is_the_highest_end_handed_out)
{
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0;
    vdnn_extent extents[] = {on_device(1000, 24), on_device(64, 64), on_device(MIB, 0)};
    vdnn_launch work = {.run = count_up, .argument = &count, .extents = extents, .extent_count = 3};
    assert_int_equal(vdnn_device_high_water(device, VDNN_TIER_DEVICE), 0);
    assert_ok(vdnn_device_round(device));
    launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, work);
    assert_int_equal(vdnn_device_high_water(device, VDNN_TIER_DEVICE), 1024);
    assert_int_equal(vdnn_device_high_water(device, VDNN_TIER_HOST), 0);
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, 1, NULL, 0, on_host(4096, 10),
                               on_device(2000, 10)));
    assert_ok(vdnn_device_synchronize(device));
    assert_int_equal(vdnn_device_high_water(device, VDNN_TIER_DEVICE), 2010);
    assert_int_equal(vdnn_device_high_water(device, VDNN_TIER_HOST), 4106);
    vdnn_device_reset_high_water(device);
    assert_int_equal(vdnn_device_high_water(device, VDNN_TIER_DEVICE), 0);
    vdnn_device_close(device);
}

TEST(bytes_are_counted_by_what_moves_them)
{
    vdnn_test_moved_bytes("cpu", &vdnn_device_cpu);
    vdnn_test_moved_bytes("sim:models/devices/titan-x-maxwell.yaml", &vdnn_device_sim);
}

TEST(copies_of_a_round_that_fails_are_not_counted)
{
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0;
    for (int fails = 0; fails < 2; fails++) {
        assert_ok(vdnn_device_round(device));
        assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, 0, NULL, 0, on_host(0, 64),
                                   on_device(0, 64)));
        launch(device, VDNN_STREAM_COMPUTE, 1, NULL, 0,
               launch_of(fails ? fail_here : count_up, &count));
        assert_int_equal(vdnn_device_finish(device) == VDNN_OK, !fails);
        assert_int_equal(vdnn_device_moved_bytes(device, VDNN_TIER_DEVICE, VDNN_TIER_HOST),
                         fails ? 0 : 64);
    }
    vdnn_device_close(device);
}

TEST_IN_FOLDER(copies_reach_the_file_tier_and_come_back)
{
    vdnn_test_file_copies("cpu", *state);
}

TEST_IN_FOLDER(a_failing_disk_is_the_error_of_its_round)
{
    vdnn_test_file_copies_that_fail("cpu", *state);
}

TEST(many_rounds_allocate_nothing_and_lose_nothing)
{
    enum { OPERATIONS = 6 };
    vdnn_device *device = open_device(MIB, MIB);
    int count = 0, rounds = vdnn_test_count(100000);
    size_t tiers = vdnn_device_allocation_count(device), heap = vdnn_heap_call_count();
    assert_true(tiers > 0);
    for (int round = 0; round < rounds; round++) {
        assert_ok(vdnn_device_round(device));
        for (int32_t i = 0; i < OPERATIONS; i++) {
            int32_t wait = i - 1;
            if (i % 3 == 0)
                launch(device, VDNN_STREAM_COMPUTE, i, &wait, i > 0, launch_of(count_up, &count));
            else
                assert_ok(vdnn_device_copy(device, (vdnn_stream_id)(i % 3), i, &wait, 1,
                                           on_host(0, 64), on_device(0, 64)));
        }
        assert_ok(vdnn_device_synchronize(device));
    }
    assert_int_equal(count, 2 * rounds);
    assert_int_equal(vdnn_device_allocation_count(device), tiers);
    assert_int_equal(vdnn_heap_call_count(), heap);
    vdnn_device_close(device);
}
