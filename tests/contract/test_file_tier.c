/* One suite over every engine of the file tier, past the page cache and through it; then the ways
 * to make its file. */

#include "alloc/file_tier.h"
#include "runtime/base/heap.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = VDNN_FILE_BLOCK, BLOCKS = 700, SPAN = BLOCKS * BLOCK, SLACK = 3 * BLOCK };

typedef struct row {
    const char *engine;
    bool buffered;
} row;

typedef struct rig {
    vdnn_file_tier *tier;
    vdnn_file_lane *lane;
    char *written, *seen; /* SPAN + SLACK bytes each, aligned to a block */
} rig;

static const row *current;
static rig own;

/* ---- the rig --------------------------------------------------------------------------------- */

static int use_row(void **state)
{
    current = *state;
    return vdnn_test_make_folder(state);
}

static int free_rig(void **state)
{
    vdnn_file_lane_destroy(own.lane);
    vdnn_file_tier_destroy(own.tier);
    free(own.written);
    free(own.seen);
    own = (rig){0};
    return vdnn_test_remove_folder(state);
}

static vdnn_status create(const char *folder, size_t bytes)
{
    vdnn_file_tier_options options = {folder, bytes, current->buffered};
    vdnn_status status = vdnn_file_tier_create(&options, &own.tier);
    return status == VDNN_OK ? vdnn_file_lane_create(own.tier, current->engine, &own.lane) : status;
}

static void close_both(void)
{
    vdnn_file_lane_destroy(own.lane);
    vdnn_file_tier_destroy(own.tier);
    own.lane = NULL;
    own.tier = NULL;
}

/* A tier of SPAN bytes in `folder`, and memory; skips if the row is not what was asked for. */
static void make_rig_in(const char *folder)
{
    vdnn_status status = create(folder, SPAN);
    if (status != VDNN_OK && own.tier != NULL)
        skip_because("%s", vdnn_status_message());
    assert_ok(status);
    if (vdnn_file_tier_is_direct(own.tier) == current->buffered)
        skip_because("the file system of %s does not support O_DIRECT", folder);
    assert_string_equal(vdnn_file_lane_engine(own.lane), current->engine);
    own.written = aligned_alloc(BLOCK, SPAN + SLACK);
    own.seen = aligned_alloc(BLOCK, SPAN + SLACK);
    assert_non_null(own.written);
    assert_non_null(own.seen);
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (size_t i = 0; i < SPAN + SLACK; i++)
        own.written[i] = (char)vdnn_test_random(&rng);
    memset(own.seen, 0, SPAN + SLACK);
}

/* The file that the tier has open, as the system sees it: the newest descriptor of a regular file.
 */
static int tier_file(void)
{
    struct stat info;
    enum { MOST = 64 };
    for (int file = MOST; file > 2; file--)
        if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 0)
            return file;
    fail_msg("no open file without a name");
    return -1;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

typedef struct extent {
    size_t offset, bytes, at; /* at: in both memories, which has room for a misaligned extent */
} extent;

/* The span cut into random extents, of which the last block may be a part; memory is misaligned by
 * up to a block. Returns their number. */
static size_t cut_span(vdnn_test_rng *rng, extent *extents)
{
    static const size_t shifts[] = {0, 0, 1, 256, 512, BLOCK - 1};
    size_t count = 0, block = 0;
    size_t shift = shifts[vdnn_test_between(rng, 0, 5)];
    while (block < BLOCKS) {
        size_t most = vdnn_test_between(rng, 0, 9) == 0 ? BLOCKS : 12;
        size_t blocks = (size_t)vdnn_test_between(rng, 1, (int64_t)most);
        blocks = blocks > BLOCKS - block ? BLOCKS - block : blocks;
        size_t missing =
            vdnn_test_between(rng, 0, 1) == 0 ? 0 : (size_t)vdnn_test_between(rng, 0, BLOCK - 1);
        extents[count++] = (extent){block * BLOCK, blocks * BLOCK - missing, block * BLOCK + shift};
        block += blocks;
    }
    return count;
}

static void random_extents_are_read_as_written_with_many_in_flight(void **state)
{
    static extent extents[BLOCKS];
    vdnn_test_rng rng = {vdnn_test_seed()};
    make_rig_in(*state);
    for (int round = 0; round < vdnn_test_count(60); round++) {
        size_t count = cut_span(&rng, extents);
        own.written[vdnn_test_between(&rng, 0, SPAN - 1)] ^= (char)(1 + round);
        for (size_t i = 0; i < count; i++)
            vdnn_file_lane_write(own.lane, extents[i].offset, own.written + extents[i].at,
                                 extents[i].bytes);
        assert_ok(vdnn_file_lane_finish(own.lane));
        for (size_t i = count; i-- > 0;)
            vdnn_file_lane_read(own.lane, extents[i].offset, own.seen + extents[i].at,
                                extents[i].bytes);
        assert_ok(vdnn_file_lane_finish(own.lane));
        for (size_t i = 0; i < count; i++)
            assert_memory_equal(own.seen + extents[i].at, own.written + extents[i].at,
                                extents[i].bytes);
    }
}

/* Bytes of memory beside an extent are nobody's, whatever whole blocks are moved. */
static void a_read_writes_no_byte_beside_its_extent(void **state)
{
    enum { BYTES = BLOCK + 100, AT = 300 };
    make_rig_in(*state);
    vdnn_file_lane_write(own.lane, 0, own.written, 4 * BLOCK);
    assert_ok(vdnn_file_lane_finish(own.lane));
    memset(own.seen, 0x55, 4 * BLOCK);
    vdnn_file_lane_read(own.lane, BLOCK, own.seen + AT, BYTES);
    assert_ok(vdnn_file_lane_finish(own.lane));
    for (size_t i = 0; i < 4 * BLOCK; i++)
        if (i < AT || i >= AT + BYTES)
            assert_int_equal(own.seen[i], 0x55);
    assert_memory_equal(own.seen + AT, own.written + BLOCK, BYTES);
}

static void one_lane_reads_what_another_has_written(void **state)
{
    vdnn_file_lane *other = NULL;
    make_rig_in(*state);
    assert_ok(vdnn_file_lane_create(own.tier, current->engine, &other));
    vdnn_file_lane_write(own.lane, 0, own.written, SPAN);
    assert_ok(vdnn_file_lane_finish(own.lane));
    vdnn_file_lane_read(other, 0, own.seen, SPAN);
    vdnn_status status = vdnn_file_lane_finish(other);
    vdnn_file_lane_destroy(other);
    assert_ok(status);
    assert_memory_equal(own.seen, own.written, SPAN);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

/* What the run does in the test below: everything once. */
static vdnn_status run_once(const char *folder)
{
    vdnn_status status = create(folder, SPAN);
    if (status == VDNN_OK) {
        vdnn_file_lane_write(own.lane, 0, own.written, SPAN - 5);
        status = vdnn_file_lane_finish(own.lane);
    }
    if (status == VDNN_OK) {
        vdnn_file_lane_read(own.lane, 0, own.seen, SPAN - 5);
        status = vdnn_file_lane_finish(own.lane);
    }
    close_both();
    return status;
}

static void assert_sound(vdnn_status status)
{
    if (status == VDNN_OK)
        assert_memory_equal(own.seen, own.written, SPAN - 5);
    else
        assert_true(status == VDNN_FILE || status == VDNN_NO_MEMORY || status == VDNN_DEVICE);
    memset(own.seen, 0, SPAN);
}

static void every_failing_call_ends_in_success_or_an_error_and_leaks_nothing(void **state)
{
    static const int errors[] = {EIO, EINTR, ENOSPC};
    const char *folder = *state;
    make_rig_in(folder);
    close_both();
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
        for (size_t nth = 1, calls = nth; nth <= calls; nth++) {
            vdnn_test_fault fault = {.calls = VDNN_TEST_EVERY_CALL, .nth = nth, .error = errors[e]};
            vdnn_test_fault_begin(&fault);
            vdnn_status status = run_once(folder);
            vdnn_test_held held = vdnn_test_fault_held();
            calls = vdnn_test_fault_end();
            assert_sound(status);
            assert_int_equal(held.files, 0);
            assert_int_equal(held.mappings, 0);
        }
    assert_int_equal(vdnn_test_folder_count(folder), 0);
}

static void every_failing_allocation_is_an_error_and_leaks_nothing(void **state)
{
    const char *folder = *state;
    make_rig_in(folder);
    close_both();
    size_t live = vdnn_heap_live_count();
    for (size_t nth = 1, calls = 1; nth <= calls; nth++) {
        size_t before = vdnn_heap_call_count();
        vdnn_heap_fail_after(nth);
        vdnn_status status = run_once(folder);
        vdnn_heap_fail_after(0);
        calls = vdnn_heap_call_count() - before;
        assert_sound(status);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
}

/* The calls of the engine with threads; the kernel itself continues io_uring's. */
static void interrupted_and_short_transfers_are_continued(void **state)
{
    make_rig_in(*state);
    close_both();
    vdnn_test_fault interrupted = {.calls = VDNN_TEST_CALL(pread) | VDNN_TEST_CALL(pwrite) |
                                            VDNN_TEST_CALL(io_uring_enter),
                                   .nth = 1,
                                   .error = EINTR};
    vdnn_test_fault_begin(&interrupted);
    vdnn_status status = run_once(*state);
    assert_true(vdnn_test_fault_end() > 0);
    assert_ok(status);
    assert_sound(status);
    if (!current->buffered)
        return; /* a direct transfer is never cut inside a block */
    vdnn_test_fault short_ = {.calls = VDNN_TEST_CALL(pread) | VDNN_TEST_CALL(pwrite),
                              .nth = 2,
                              .effect = VDNN_TEST_IS_SHORT};
    vdnn_test_fault_begin(&short_);
    status = run_once(*state);
    (void)vdnn_test_fault_end();
    assert_ok(status);
    assert_sound(status);
}

/* The kernel's own errors, which all engines see alike: the file is exchanged beneath them. */
static void exchange_for_a_full_disk(int file)
{
    int other = open("/dev/full", O_RDWR | O_CLOEXEC);
    assert_true(other >= 0);
    assert_true(dup2(other, file) >= 0);
    assert_int_equal(close(other), 0);
}

static void a_failing_write_is_one_error_with_folder_offset_and_reason(void **state)
{
    make_rig_in(*state);
    exchange_for_a_full_disk(tier_file());
    vdnn_file_lane_write(own.lane, 0, own.written, SPAN);
    assert_status(vdnn_file_lane_finish(own.lane), VDNN_FILE);
    assert_message(*state);
    assert_message("bytes of the file tier at offset");
    assert_message("cannot be written: No space left on device");
    assert_ok(vdnn_file_lane_finish(own.lane)); /* it was told */
}

static void after_an_error_a_lane_can_be_used(void **state)
{
    make_rig_in(*state);
    int file = tier_file(), kept = dup(file);
    exchange_for_a_full_disk(file);
    vdnn_file_lane_write(own.lane, 0, own.written, 4 * BLOCK);
    assert_status(vdnn_file_lane_finish(own.lane), VDNN_FILE);
    assert_true(dup2(kept, file) >= 0);
    assert_int_equal(close(kept), 0);
    vdnn_file_lane_write(own.lane, 0, own.written, SPAN);
    assert_ok(vdnn_file_lane_finish(own.lane));
    vdnn_file_lane_read(own.lane, 0, own.seen, SPAN);
    assert_ok(vdnn_file_lane_finish(own.lane));
    assert_memory_equal(own.seen, own.written, SPAN);
}

/* The first read of the missing part is short, the next one gives nothing. */
static void a_file_that_was_truncated_is_an_error(void **state)
{
    make_rig_in(*state);
    vdnn_file_lane_write(own.lane, 0, own.written, SPAN);
    assert_ok(vdnn_file_lane_finish(own.lane));
    assert_int_equal(ftruncate(tier_file(), 10 * BLOCK), 0);
    vdnn_file_lane_read(own.lane, 0, own.seen, 20 * BLOCK);
    assert_status(vdnn_file_lane_finish(own.lane), VDNN_FILE);
    assert_message("at offset 40960 cannot be read: the file ends there");
    assert_memory_equal(own.seen, own.written, 10 * BLOCK);
}

/* A limit inside an extent makes one write short and the next one fail. */
static void a_write_beyond_a_limit_is_continued_to_the_limit_and_then_fails(void **state)
{
    struct rlimit before, limit;
    make_rig_in(*state);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){10 * BLOCK, before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    vdnn_file_lane_write(own.lane, 0, own.written, 20 * BLOCK);
    vdnn_status status = vdnn_file_lane_finish(own.lane);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_status(status, VDNN_FILE);
    assert_message("at offset 40960 cannot be written: File too large");
    vdnn_file_lane_read(own.lane, 0, own.seen, 10 * BLOCK);
    assert_ok(vdnn_file_lane_finish(own.lane));
    assert_memory_equal(own.seen, own.written, 10 * BLOCK);
}

/* ---- the file -------------------------------------------------------------------------------- */

static vdnn_status create_tier(const char *folder, size_t bytes)
{
    vdnn_file_tier_options options = {.folder = folder, .bytes = bytes};
    vdnn_file_tier *tier = NULL;
    vdnn_status status = vdnn_file_tier_create(&options, &tier);
    vdnn_file_tier_destroy(tier);
    return status;
}

static void a_folder_that_cannot_be_used_is_named(void **state)
{
    const char *folder = *state;
    assert_status(create_tier(vdnn_test_path(folder, "missing"), SPAN), VDNN_FILE);
    assert_message("/missing: no file can be made for the file tier: No such file or directory");
    vdnn_test_write_below(folder, "file", "text");
    assert_status(create_tier(vdnn_test_path(folder, "file"), SPAN), VDNN_FILE);
    assert_message("/file: no file can be made for the file tier: Not a directory");
    vdnn_test_fault fault = {
        .calls = VDNN_TEST_CALL(open), .nth = 1, .lasting = true, .error = EACCES};
    vdnn_test_fault_begin(&fault);
    vdnn_status status = create_tier(folder, SPAN);
    assert_int_equal(vdnn_test_fault_end(), 1);
    assert_status(status, VDNN_FILE);
    assert_message("Permission denied");
}

static void a_folder_with_too_little_space_is_refused_with_both_sizes(void **state)
{
    vdnn_test_fault fault = {
        .calls = VDNN_TEST_CALL(fallocate), .nth = 1, .error = ENOSPC, .disk_bytes = 123456};
    vdnn_test_fault_begin(&fault);
    vdnn_status status = create_tier(*state, SPAN);
    (void)vdnn_test_fault_end();
    assert_status(status, VDNN_FILE);
    assert_message("the file tier needs 2867200 bytes, and 123456 are free: No space left on");
    assert_status(create_tier(*state, SIZE_MAX), VDNN_FILE);
    assert_status(create_tier(*state, (size_t)1 << 62), VDNN_FILE);
    assert_message("the file tier needs 4611686018427387904 bytes, and ");
    assert_int_equal(vdnn_test_folder_count(*state), 0);
}

/* Then only the number of free bytes says whether it fits. */
static void a_file_system_that_cannot_reserve_is_asked_for_its_free_bytes(void **state)
{
    vdnn_test_fault fault = {.calls = VDNN_TEST_CALL(fallocate),
                             .nth = 1,
                             .lasting = true,
                             .error = EOPNOTSUPP,
                             .disk_bytes = SPAN - 1};
    vdnn_test_fault_begin(&fault);
    vdnn_status status = create_tier(*state, SPAN);
    (void)vdnn_test_fault_end();
    assert_status(status, VDNN_FILE);
    assert_message("and 2867199 are free");
    fault.disk_bytes = SPAN;
    vdnn_test_fault_begin(&fault);
    status = create_tier(*state, SPAN);
    (void)vdnn_test_fault_end();
    assert_ok(status);
}

/* A file system, or an old kernel, that does not know some flags of open. */
static int unknown_flags;

static int picky_open(const char *path, int flags, mode_t mode)
{
    bool is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
    bool is_direct = (flags & O_DIRECT) != 0;
    if ((is_nameless && unknown_flags & O_TMPFILE) || (is_direct && unknown_flags & O_DIRECT)) {
        errno = is_direct ? EINVAL : EOPNOTSUPP;
        return -1;
    }
    return vdnn_system_default.open(path, flags, mode);
}

static void a_file_without_a_name_and_direct_copies_are_not_required(void **state)
{
    static const int cases[] = {0, O_DIRECT, O_TMPFILE, O_TMPFILE | O_DIRECT};
    vdnn_system_hooks hooks = vdnn_system_default;
    hooks.open = picky_open;
    unknown_flags = 0;
    vdnn_file_tier_options options = {.folder = *state, .bytes = SPAN};
    bool direct = false;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_file_tier *tier = NULL;
        unknown_flags = cases[i];
        vdnn_system_set(&hooks);
        vdnn_status status = vdnn_file_tier_create(&options, &tier);
        vdnn_system_set(NULL);
        assert_ok(status);
        direct = i == 0 ? vdnn_file_tier_is_direct(tier) : direct;
        assert_int_equal(vdnn_file_tier_is_direct(tier), direct && (cases[i] & O_DIRECT) == 0);
        assert_int_equal(vdnn_test_folder_count(*state), 0);
        vdnn_file_tier_destroy(tier);
    }
}

static void a_killed_process_leaves_nothing(void **state)
{
    pid_t child = fork();
    if (child == 0) {
        vdnn_file_tier_options options = {.folder = *state, .bytes = SPAN};
        vdnn_file_tier *tier = NULL;
        if (vdnn_file_tier_create(&options, &tier) == VDNN_OK)
            (void)raise(SIGKILL);
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(vdnn_test_folder_count(*state), 0);
}

static void without_io_uring_threads_are_used(void **state)
{
    vdnn_file_tier_options options = {.folder = *state, .bytes = SPAN};
    vdnn_test_fault fault = {
        .calls = VDNN_TEST_CALL(io_uring_setup), .nth = 1, .lasting = true, .error = EPERM};
    assert_ok(vdnn_file_tier_create(&options, &own.tier));
    vdnn_test_fault_begin(&fault);
    vdnn_status status = vdnn_file_lane_create(own.tier, NULL, &own.lane);
    (void)vdnn_test_fault_end();
    assert_ok(status);
    assert_string_equal(vdnn_file_lane_engine(own.lane), "threads");
    vdnn_file_lane *none = NULL;
    assert_status(vdnn_file_lane_create(own.tier, "none", &none), VDNN_FILE);
    assert_null(none);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct CMUnitTest contract[] = {
    cmocka_unit_test(random_extents_are_read_as_written_with_many_in_flight),
    cmocka_unit_test(a_read_writes_no_byte_beside_its_extent),
    cmocka_unit_test(one_lane_reads_what_another_has_written),
    cmocka_unit_test(every_failing_call_ends_in_success_or_an_error_and_leaks_nothing),
    cmocka_unit_test(every_failing_allocation_is_an_error_and_leaks_nothing),
    cmocka_unit_test(interrupted_and_short_transfers_are_continued),
    cmocka_unit_test(a_failing_write_is_one_error_with_folder_offset_and_reason),
    cmocka_unit_test(after_an_error_a_lane_can_be_used),
    cmocka_unit_test(a_file_that_was_truncated_is_an_error),
    cmocka_unit_test(a_write_beyond_a_limit_is_continued_to_the_limit_and_then_fails),
};
enum { CONTRACT = sizeof contract / sizeof *contract };

static const struct CMUnitTest file_tests[] = {
    cmocka_unit_test(a_folder_that_cannot_be_used_is_named),
    cmocka_unit_test(a_folder_with_too_little_space_is_refused_with_both_sizes),
    cmocka_unit_test(a_file_system_that_cannot_reserve_is_asked_for_its_free_bytes),
    cmocka_unit_test(a_file_without_a_name_and_direct_copies_are_not_required),
    cmocka_unit_test(a_killed_process_leaves_nothing),
    cmocka_unit_test(without_io_uring_threads_are_used),
};
enum { FILE_TESTS = sizeof file_tests / sizeof *file_tests };

enum { MOST_ROWS = 8 };

int main(void)
{
    static row rows[MOST_ROWS];
    static struct CMUnitTest all[MOST_ROWS * CONTRACT + FILE_TESTS];
    static char names[MOST_ROWS * CONTRACT][160];
    size_t count = 0, row_count = 0;
    for (size_t i = 0; vdnn_file_engine_name(i) != NULL; i++)
        for (int buffered = 0; buffered < 2; buffered++)
            rows[row_count++] = (row){vdnn_file_engine_name(i), buffered == 1};
    for (size_t r = 0; r < row_count; r++)
        for (size_t t = 0; t < CONTRACT; t++, count++) {
            (void)snprintf(names[count], sizeof names[count], "%s, %s: %s", rows[r].engine,
                           rows[r].buffered ? "buffered" : "direct", contract[t].name);
            all[count] = contract[t];
            all[count].name = names[count];
            all[count].initial_state = &rows[r];
            all[count].setup_func = use_row;
            all[count].teardown_func = free_rig;
        }
    for (size_t t = 0; t < FILE_TESTS; t++, count++) {
        all[count] = file_tests[t];
        all[count].setup_func = vdnn_test_make_folder;
        all[count].teardown_func = free_rig;
    }
    return _cmocka_run_group_tests("file tier", all, count, NULL, NULL);
}
