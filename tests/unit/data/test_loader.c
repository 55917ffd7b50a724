#include "tests/support/vdnn_test.h"

#include "runtime/base/heap.h"
#include "runtime/data/format.h"
#include "runtime/data/loader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_COUNT = 200, MAX_BATCH = 64, FLOATS = 3 };

/* ---- a set whose image says which index it is ------------------------------------------------ */

typedef struct counted {
    uint64_t fail_at;  /* the reads from this one on fail; 0: none */
    uint64_t bad_from; /* the images from this one on are bad; 0: none */
    atomic_uint_fast64_t reads;
    unsigned nanoseconds; /* that a read takes */
} counted;

static vdnn_status counted_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                                void *const *inputs, void *label)
{
    float *pixels = inputs[0];
    (void)scratch;
    counted *set = dataset->state;
    uint64_t reads = atomic_fetch_add(&set->reads, 1) + 1;
    if (set->nanoseconds > 0)
        (void)nanosleep(&(struct timespec){0, (long)set->nanoseconds}, NULL);
    if (set->fail_at != 0 && reads >= set->fail_at)
        return vdnn_status_fail(VDNN_FILE, "read %llu has failed", (unsigned long long)reads);
    if (set->bad_from != 0 && index >= set->bad_from)
        return vdnn_status_fail(VDNN_BAD_INPUT, "image %llu is bad", (unsigned long long)index);
    for (int i = 0; i < FLOATS; i++)
        pixels[i] = (float)index;
    *(int32_t *)label = (int32_t)index;
    return VDNN_OK;
}

static const vdnn_dataset_format counted_format = {.kind = "counted", .read = counted_read};

static int32_t label_of(const vdnn_loader_batch *batch, int64_t i)
{
    return ((const int32_t *)batch->labels)[i];
}

/* ---- a loader with its memory ---------------------------------------------------------------- */

typedef struct loader_rig {
    counted set;
    vdnn_dataset dataset;
    float images[VDNN_LOADER_MAX_SLOTS][MAX_BATCH * FLOATS];
    int32_t labels[VDNN_LOADER_MAX_SLOTS][MAX_BATCH];
    vdnn_loader_slot slots[VDNN_LOADER_MAX_SLOTS];
    vdnn_loader_request request;
} loader_rig;

static void prepare(loader_rig *rig, uint64_t count, int64_t batch, int slots)
{
    memset(rig, 0, sizeof *rig);
    rig->dataset = (vdnn_dataset){.format = &counted_format,
                                  .count = count,
                                  .inputs = {{.stored = {FLOATS, 1, 1}, .wanted = {FLOATS, 1, 1}}},
                                  .input_count = 1,
                                  .labels = 1,
                                  .state = &rig->set};
    for (int i = 0; i < VDNN_LOADER_MAX_SLOTS; i++)
        rig->slots[i] = (vdnn_loader_slot){{rig->images[i], rig->labels[i]}};
    rig->request = (vdnn_loader_request){.dataset = &rig->dataset,
                                         .batch = batch,
                                         .seed = 11,
                                         .shuffle = true,
                                         .slots = rig->slots,
                                         .slot_count = slots};
}

static vdnn_loader *create(const loader_rig *rig)
{
    vdnn_loader *loader = NULL;
    assert_ok(vdnn_loader_create(&rig->request, &loader));
    return loader;
}

/* Takes `batches` batches and appends the indexes that came. */
static void take(vdnn_loader *loader, const loader_rig *rig, int batches, int32_t *indexes)
{
    for (int b = 0; b < batches; b++) {
        vdnn_loader_batch batch;
        assert_ok(vdnn_loader_next(loader, &batch));
        for (int64_t i = 0; i < rig->request.batch; i++) {
            for (int k = 0; k < FLOATS; k++)
                assert_true(((const float *)batch.slot->inputs[0])[i * FLOATS + k] ==
                            (float)label_of(&batch, i));
            *indexes++ = label_of(&batch, i);
        }
        vdnn_loader_release(loader);
    }
}

static void load(const loader_rig *rig, int batches, int32_t *indexes)
{
    vdnn_loader *loader = create(rig);
    take(loader, rig, batches, indexes);
    vdnn_loader_destroy(loader);
}

static void assert_permutation(const int32_t *indexes, int32_t count)
{
    bool seen[MAX_COUNT] = {false};
    for (int32_t i = 0; i < count; i++) {
        assert_in_range(indexes[i], 0, count - 1);
        assert_false(seen[indexes[i]]);
        seen[indexes[i]] = true;
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

TEST(every_epoch_is_another_permutation)
{
    enum { BATCH = 8, BATCHES = 12, COUNT = BATCH * BATCHES };
    for (int slots = 1; slots <= VDNN_LOADER_MAX_SLOTS; slots++) {
        loader_rig rig;
        int32_t indexes[3][COUNT];
        prepare(&rig, COUNT, BATCH, slots);
        load(&rig, 3 * BATCHES, indexes[0]);
        for (int epoch = 0; epoch < 3; epoch++)
            assert_permutation(indexes[epoch], COUNT);
        assert_memory_not_equal(indexes[0], indexes[1], sizeof *indexes);
        assert_memory_not_equal(indexes[0], indexes[2], sizeof *indexes);
        assert_memory_not_equal(indexes[1], indexes[2], sizeof *indexes);
    }
}

TEST(the_order_depends_on_the_seed_and_on_nothing_else)
{
    enum { BATCH = 7, BATCHES = 20 };
    int32_t first[BATCH * BATCHES], again[BATCH * BATCHES];
    loader_rig rig;
    prepare(&rig, 100, BATCH, 1);
    load(&rig, BATCHES, first);
    prepare(&rig, 100, BATCH, 5);
    rig.set.nanoseconds = 1000;
    load(&rig, BATCHES, again);
    assert_memory_equal(first, again, sizeof first);
    rig.request.seed++;
    load(&rig, BATCHES, again);
    assert_memory_not_equal(first, again, sizeof first);
}

TEST(without_shuffling_the_order_is_that_of_the_set)
{
    loader_rig rig;
    int32_t indexes[60];
    prepare(&rig, 25, 6, 2); /* four batches an epoch, one image left over */
    rig.request.shuffle = false;
    load(&rig, 10, indexes);
    for (int i = 0; i < 60; i++)
        assert_int_equal(indexes[i], i % 24);
}

TEST(a_loader_resumes_at_any_batch)
{
    enum { BATCH = 4, BATCHES = 30 };
    int32_t whole[BATCHES * BATCH], rest[BATCHES * BATCH];
    loader_rig rig;
    prepare(&rig, 43, BATCH, 3);
    load(&rig, BATCHES, whole);
    for (int first = 0; first < BATCHES; first++) {
        rig.request.first_batch = (uint64_t)first;
        load(&rig, BATCHES - first, rest);
        assert_memory_equal(rest, &whole[(size_t)first * BATCH],
                            (size_t)(BATCHES - first) * BATCH * sizeof *rest);
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

TEST(what_is_left_over_is_dropped_or_kept)
{
    assert_int_equal(vdnn_loader_batches_per_epoch(25, 6, false), 4);
    assert_int_equal(vdnn_loader_batches_per_epoch(25, 6, true), 5);
    assert_int_equal(vdnn_loader_batches_per_epoch(24, 6, true), 4);
    assert_int_equal(vdnn_loader_batches_per_epoch(5, 6, false), 0);
    assert_int_equal(vdnn_loader_batches_per_epoch(5, 6, true), 1);
    loader_rig rig;
    prepare(&rig, 25, 6, 2);
    rig.request.keep_remainder = true;
    rig.request.shuffle = false;
    vdnn_loader *loader = create(&rig);
    for (uint64_t b = 0; b < 10; b++) {
        vdnn_loader_batch batch;
        assert_ok(vdnn_loader_next(loader, &batch));
        assert_int_equal(batch.epoch, b / 5);
        assert_int_equal(batch.first_sample, b * 6);
        assert_int_equal(batch.valid, b % 5 == 4 ? 1 : 6);
        for (uint64_t i = 0; i < 6; i++)
            assert_int_equal(label_of(&batch, (int64_t)i), (b % 5 * 6 + i) % 25);
        vdnn_loader_release(loader);
    }
    vdnn_loader_destroy(loader);
}

TEST(each_image_counts_once_in_a_kept_epoch)
{
    loader_rig rig;
    prepare(&rig, 25, 6, 2);
    rig.request.keep_remainder = true;
    rig.request.batch_limit = 5;
    int32_t indexes[30];
    load(&rig, 5, indexes);
    assert_permutation(indexes, 25);
    prepare(&rig, 5, 6, 2);
    rig.request.keep_remainder = true;
    vdnn_loader *loader = create(&rig);
    vdnn_loader_batch batch;
    assert_ok(vdnn_loader_next(loader, &batch));
    assert_int_equal(batch.valid, 5);
    vdnn_loader_destroy(loader);
}

TEST(a_set_smaller_than_a_batch_is_refused)
{
    loader_rig rig;
    prepare(&rig, 5, 6, 2);
    vdnn_loader *loader = NULL;
    assert_status(vdnn_loader_create(&rig.request, &loader), VDNN_BAD_INPUT);
    assert_message("5 images are fewer than one batch of 6");
    assert_null(loader);
}

TEST(after_the_limit_nothing_more_is_read)
{
    loader_rig rig;
    int32_t indexes[3 * 4];
    prepare(&rig, 40, 4, 2);
    rig.request.batch_limit = 3;
    vdnn_loader *loader = create(&rig);
    take(loader, &rig, 3, indexes);
    vdnn_loader_batch batch;
    for (int i = 0; i < 2; i++)
        assert_status(vdnn_loader_next(loader, &batch), VDNN_INTERNAL);
    assert_message("all 3 batches");
    vdnn_loader_destroy(loader);
    assert_int_equal(atomic_load(&rig.set.reads), 12);
}

/* ---- errors ---------------------------------------------------------------------------------- */

TEST(a_reading_error_comes_after_the_batches_before_it)
{
    for (int slots = 1; slots <= 4; slots++) {
        loader_rig rig;
        int32_t indexes[3 * 4];
        prepare(&rig, 40, 4, slots);
        rig.set.fail_at = 3 * 4 + 2;
        vdnn_loader *loader = create(&rig);
        take(loader, &rig, 3, indexes);
        vdnn_loader_batch batch;
        for (int i = 0; i < 2; i++) {
            assert_status(vdnn_loader_next(loader, &batch), VDNN_FILE);
            assert_message("read 14 has failed");
        }
        vdnn_loader_destroy(loader);
    }
}

TEST(several_batches_can_be_held_at_once)
{
    loader_rig rig;
    prepare(&rig, 100, 5, 4);
    rig.request.shuffle = false;
    vdnn_loader *loader = create(&rig);
    vdnn_loader_batch held[4];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++)
            assert_ok(vdnn_loader_next(loader, &held[i]));
        for (int i = 0; i < 20; i++)
            assert_int_equal(label_of(&held[i / 5], i % 5), round * 20 + i);
        for (int i = 0; i < 4; i++)
            vdnn_loader_release(loader);
    }
    vdnn_loader_destroy(loader);
}

TEST(no_allocation_fails_unseen)
{
    loader_rig rig;
    prepare(&rig, 40, 4, 2);
    vdnn_loader *loader = NULL;
    vdnn_heap_fail_after(1);
    vdnn_status status = vdnn_loader_create(&rig.request, &loader);
    vdnn_heap_fail_after(0);
    assert_status(status, VDNN_NO_MEMORY);
    assert_null(loader);
}

TEST(loading_allocates_nothing)
{
    loader_rig rig;
    int32_t indexes[100 * 4];
    prepare(&rig, 40, 4, 2);
    vdnn_loader *loader = create(&rig);
    size_t calls = vdnn_heap_call_count();
    take(loader, &rig, 100, indexes);
    assert_int_equal(vdnn_heap_call_count(), calls);
    vdnn_loader_destroy(loader);
}

/* ---- several threads ------------------------------------------------------------------------- */

/* Waits that are worth another thread come from a set that is slow. */
static void make_slow(loader_rig *rig, int workers)
{
    rig->set.nanoseconds = 300000;
    rig->request.worker_limit = workers;
}

TEST(a_wait_for_a_slow_set_starts_another_thread)
{
    enum { BATCHES = 20, BATCH = 8 };
    loader_rig rig;
    int32_t indexes[BATCHES * BATCH];
    prepare(&rig, 100, BATCH, 1);
    make_slow(&rig, 3);
    vdnn_loader *loader = create(&rig);
    assert_int_equal(vdnn_loader_worker_count(loader), 1);
    take(loader, &rig, 1, indexes);
    assert_int_equal(vdnn_loader_worker_count(loader), 1); /* nothing could be read ahead */
    take(loader, &rig, BATCHES - 1, indexes);
    assert_int_equal(vdnn_loader_worker_count(loader), 3);
    vdnn_loader_destroy(loader);
}

/* A step in which the next batch is read: threads that wait for a processor are no slow set. */
static void pause_until_read(loader_rig *rig, uint64_t reads)
{
    do
        (void)nanosleep(&(struct timespec){0, 3000000}, NULL);
    while (atomic_load(&rig->set.reads) < reads);
}

/* How many threads a set that keeps up ends with. */
static int threads_of_a_quick_set(void)
{
    enum { BATCHES = 20, BATCH = 8 };
    loader_rig rig;
    int32_t indexes[BATCH];
    prepare(&rig, 100, BATCH, 1);
    rig.request.worker_limit = 4;
    vdnn_loader *loader = create(&rig);
    for (int b = 0; b < BATCHES; b++) {
        pause_until_read(&rig, (uint64_t)(b + 1) * BATCH);
        take(loader, &rig, 1, indexes);
    }
    int threads = vdnn_loader_worker_count(loader);
    vdnn_loader_destroy(loader);
    return threads;
}

/* The machine may hold a thread up just after it has counted its last read, but not every time. */
TEST(a_set_that_keeps_up_is_read_by_one_thread)
{
    int threads = 0;
    for (int tries = 0; tries < 10 && threads != 1; tries++)
        threads = threads_of_a_quick_set();
    assert_int_equal(threads, 1);
}

/* Everything on: shuffled, cropped, mirrored, normalized, in either data type. */
TEST(the_bits_do_not_depend_on_the_number_of_threads)
{
    enum { BATCH = 16, BATCHES = 24, SIDE = 6, PER_SAMPLE = 3 * SIDE * SIDE };
    vdnn_dataset_request wanted = {.spec = "synthetic:3",
                                   .inputs = {{.channels = 3, .height = SIDE, .width = SIDE}},
                                   .input_count = 1,
                                   .classes = 10};
    vdnn_dataset *dataset;
    assert_ok(vdnn_dataset_open(&wanted, &dataset));
    for (int type = 0; type < 2; type++) {
        vdnn_dtype dtype = type == 0 ? VDNN_F32 : VDNN_BF16;
        size_t bytes = BATCH * PER_SAMPLE * vdnn_dtype_bytes(dtype);
        unsigned char *first = calloc(BATCHES, bytes);
        assert_non_null(first);
        for (int workers = 1; workers <= 5; workers += 2) {
            static float images[2][BATCH * PER_SAMPLE];
            static int32_t labels[2][BATCH];
            vdnn_loader_slot slots[] = {{{images[0], labels[0]}}, {{images[1], labels[1]}}};
            vdnn_loader_request request = {
                .dataset = dataset,
                .batch = BATCH,
                .dtype = dtype,
                .seed = 5,
                .shuffle = true,
                .slots = slots,
                .slot_count = 2,
                .worker_limit = workers,
                .worker_first = workers,
                .transforms = {
                    {.flip = true, .crop = {2, 1}, .normalized = 1, .mean = {.5f}, .std = {2}}}};
            vdnn_loader *loader;
            assert_ok(vdnn_loader_create(&request, &loader));
            assert_int_equal(vdnn_loader_worker_count(loader), workers);
            for (size_t b = 0; b < BATCHES; b++) {
                vdnn_loader_batch batch;
                assert_ok(vdnn_loader_next(loader, &batch));
                if (workers == 1)
                    memcpy(first + b * bytes, batch.slot->inputs[0], bytes);
                else
                    assert_memory_equal(first + b * bytes, batch.slot->inputs[0], bytes);
                vdnn_loader_release(loader);
            }
            vdnn_loader_destroy(loader);
        }
        free(first);
    }
    vdnn_dataset_close(dataset);
}

/* In the order of the set the failing image is known: none after it is told of, whoever is first.
 */
TEST(of_several_errors_that_of_the_first_sample_is_told)
{
    for (int i = 0; i < 30; i++) {
        loader_rig rig;
        int32_t indexes[4 * 8];
        prepare(&rig, 200, 8, 3);
        rig.request.shuffle = false;
        rig.request.worker_limit = rig.request.worker_first = 6;
        rig.set.bad_from = 37; /* in the fifth batch */
        vdnn_loader *loader = create(&rig);
        take(loader, &rig, 4, indexes);
        vdnn_loader_batch batch;
        for (int k = 0; k < 2; k++) {
            assert_status(vdnn_loader_next(loader, &batch), VDNN_BAD_INPUT);
            assert_message("image 37 is bad");
        }
        vdnn_loader_destroy(loader);
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

TEST(a_loader_can_be_destroyed_at_any_time)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    size_t before = vdnn_heap_live_count();
    for (int i = 0; i < 200; i++) {
        loader_rig rig;
        int32_t indexes[6 * 16];
        prepare(&rig, MAX_COUNT, 16, (int)vdnn_test_between(&rng, 1, 4));
        rig.set.nanoseconds = (unsigned)vdnn_test_between(&rng, 0, 1) * 20000;
        rig.set.bad_from = (uint64_t)vdnn_test_between(&rng, 0, 1) * 97;
        rig.request.shuffle = rig.set.bad_from == 0;
        rig.request.batch_limit = (uint64_t)vdnn_test_between(&rng, 0, 1) * 6;
        rig.request.worker_limit = (int)vdnn_test_between(&rng, 1, 4);
        rig.request.worker_first = (int)vdnn_test_between(&rng, 1, 2);
        vdnn_loader *loader = create(&rig);
        take(loader, &rig, (int)vdnn_test_between(&rng, 0, 6), indexes);
        vdnn_loader_batch batch;
        if (vdnn_test_between(&rng, 0, 1))
            (void)vdnn_loader_next(loader, &batch); /* destroyed while a batch is lent */
        vdnn_loader_destroy(loader);
    }
    assert_int_equal(vdnn_heap_live_count(), before);
    vdnn_loader_destroy(NULL);
}

/* As several devices do: together they read what one that has all of each batch does. */
TEST(loaders_that_share_the_batches_read_what_one_does)
{
    enum { COUNT = 30, BATCH = 7, BATCHES = 9, SHARES = 3 };
    static const int64_t shares[SHARES] = {3, 2, 2};
    static loader_rig rig;
    int32_t whole[BATCHES * BATCH], part[BATCHES * BATCH];
    int64_t first = 0;
    prepare(&rig, COUNT, BATCH, 2);
    load(&rig, BATCHES, whole);
    for (int s = 0; s < SHARES; s++) {
        vdnn_loader_batch batch;
        prepare(&rig, COUNT, shares[s], 2);
        rig.request.step_batch = BATCH;
        rig.request.first_sample = first;
        load(&rig, BATCHES, part);
        for (int b = 0; b < BATCHES; b++)
            assert_memory_equal(&part[b * shares[s]], &whole[b * BATCH + first],
                                (size_t)shares[s] * sizeof *part);
        rig.request.first_batch = 2;
        vdnn_loader *loader = create(&rig);
        assert_ok(vdnn_loader_next(loader, &batch));
        assert_int_equal(batch.first_sample, 2 * BATCH + first);
        assert_int_equal(batch.valid, shares[s]);
        vdnn_loader_destroy(loader);
        first += shares[s];
    }
}

TEST(two_loaders_share_a_set)
{
    vdnn_dataset_request wanted = {.spec = "synthetic:3",
                                   .inputs = {{.channels = 1, .height = 4, .width = 4}},
                                   .input_count = 1,
                                   .classes = 10};
    vdnn_dataset *dataset;
    assert_ok(vdnn_dataset_open(&wanted, &dataset));
    static float images[2][2][8 * 16];
    static int32_t labels[2][2][8];
    vdnn_loader *loaders[2];
    for (int i = 0; i < 2; i++) {
        vdnn_loader_slot slots[2] = {{{images[i][0], labels[i][0]}},
                                     {{images[i][1], labels[i][1]}}};
        vdnn_loader_request request = {.dataset = dataset,
                                       .batch = 8,
                                       .seed = 5,
                                       .shuffle = true,
                                       .slots = slots,
                                       .slot_count = 2};
        assert_ok(vdnn_loader_create(&request, &loaders[i]));
    }
    for (int b = 0; b < 50; b++) {
        vdnn_loader_batch batches[2];
        for (int i = 0; i < 2; i++)
            assert_ok(vdnn_loader_next(loaders[i], &batches[i]));
        assert_memory_equal(batches[0].slot->inputs[0], batches[1].slot->inputs[0],
                            sizeof images[0][0]);
        assert_memory_equal(batches[0].labels, batches[1].labels, sizeof labels[0][0]);
        for (int i = 0; i < 2; i++)
            vdnn_loader_release(loaders[i]);
    }
    for (int i = 0; i < 2; i++)
        vdnn_loader_destroy(loaders[i]);
    vdnn_dataset_close(dataset);
}

/* ---- when batches were read ------------------------------------------------------------------ */

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All samples are in them, those of one thread one after the other, and within the time. */
static void check_reads(const vdnn_loader_read *reads, int count, int batches, double begin)
{
    enum { SAMPLE_BYTES = FLOATS * sizeof(float) };
    double free_from[VDNN_LOADER_MAX_WORKERS] = {0};
    size_t bytes[VDNN_LOADER_MAX_SLOTS] = {0};
    const double end = now_seconds();
    for (int i = 0; i < count; i++) {
        const vdnn_loader_read *read = &reads[i];
        assert_in_range(read->worker, 0, VDNN_LOADER_MAX_WORKERS - 1);
        assert_in_range(read->batch, 5, 5 + batches - 1);
        assert_true(read->start >= begin && read->start >= free_from[read->worker]);
        assert_true(read->end >= read->start && read->end <= end);
        free_from[read->worker] = read->end;
        bytes[read->batch - 5] += read->bytes;
    }
    for (int b = 0; b < batches; b++)
        assert_int_equal(bytes[b], 8 * SAMPLE_BYTES);
}

TEST(it_is_recorded_when_each_batch_was_read)
{
    enum { BATCH = 8, BATCHES = 6 };
    for (int workers = 1; workers <= 3; workers++) {
        loader_rig rig;
        int32_t indexes[BATCH * BATCHES];
        static vdnn_loader_read reads[VDNN_LOADER_MAX_READS];
        const double begin = now_seconds();
        int count = 0, some;
        prepare(&rig, 100, BATCH, 2);
        rig.set.nanoseconds = 20000;
        rig.request.first_batch = 5;
        rig.request.batch_limit = BATCHES;
        rig.request.worker_limit = rig.request.worker_first = workers;
        rig.request.records = true;
        vdnn_loader *loader = create(&rig);
        take(loader, &rig, BATCHES, indexes);
        while ((some = vdnn_loader_take_reads(loader, reads + count, 2)) > 0)
            count += some;
        assert_in_range(count, BATCHES, BATCHES * workers);
        check_reads(reads, count, BATCHES, begin);
        vdnn_loader_destroy(loader);
    }
}

TEST(nothing_is_recorded_unless_asked_and_never_more_than_there_is_space_for)
{
    enum { BATCHES = VDNN_LOADER_MAX_READS + 20 };
    loader_rig rig;
    static int32_t indexes[BATCHES];
    static vdnn_loader_read reads[VDNN_LOADER_MAX_READS + 1];
    prepare(&rig, 100, 1, 2);
    vdnn_loader *loader = create(&rig);
    take(loader, &rig, 10, indexes);
    assert_int_equal(vdnn_loader_take_reads(loader, reads, 1), 0);
    vdnn_loader_record(loader, true);
    take(loader, &rig, BATCHES, indexes);
    const int count = vdnn_loader_take_reads(loader, reads, VDNN_LOADER_MAX_READS + 1);
    assert_int_equal(count, VDNN_LOADER_MAX_READS);
    for (int i = 1; i < count; i++)
        assert_int_equal(reads[i].batch, reads[i - 1].batch + 1);
    vdnn_loader_destroy(loader);
}
