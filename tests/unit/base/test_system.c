#include "tests/support/faults.h"
#include "tests/support/files.h"

#include "runtime/base/gzip.h"
#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/base/output.h"
#include "runtime/data/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 200000 };

#define TRANSFERS (VDNN_TEST_CALL(read) | VDNN_TEST_CALL(pread) | VDNN_TEST_CALL(write))

static unsigned char bytes[COUNT];

static int fill_bytes(void **state)
{
    vdnn_test_rng random = {vdnn_test_seed()};
    for (int i = 0; i < COUNT; i++)
        bytes[i] = (unsigned char)(vdnn_test_random(&random) % 7);
    return vdnn_test_make_folder(state);
}

static vdnn_status write_plain(const char *path)
{
    vdnn_output *output = NULL;
    vdnn_status status = vdnn_output_create(path, &output);
    if (status == VDNN_OK)
        status = vdnn_output_write(output, bytes, COUNT);
    if (status == VDNN_OK)
        return vdnn_output_commit(output);
    vdnn_output_abandon(output);
    return status;
}

static vdnn_status write_packed(const char *path)
{
    vdnn_output *output = NULL;
    vdnn_gzip *writer = NULL;
    vdnn_status status = vdnn_output_create(path, &output);
    if (status == VDNN_OK)
        status = vdnn_gzip_create(output, &writer);
    for (int part = 0; status == VDNN_OK && part < 4; part++)
        status = vdnn_gzip_write(writer, &bytes[part * (COUNT / 4)], COUNT / 4);
    if (status == VDNN_OK)
        status = vdnn_gzip_finish(writer);
    vdnn_gzip_destroy(writer);
    if (status == VDNN_OK)
        return vdnn_output_commit(output);
    vdnn_output_abandon(output);
    return status;
}

static vdnn_status read_source(const char *path)
{
    static unsigned char copy[COUNT];
    vdnn_source *source = NULL;
    vdnn_status status = vdnn_source_open(path, &source);
    if (status == VDNN_OK)
        status = vdnn_source_need(source, COUNT, true);
    if (status == VDNN_OK)
        status = vdnn_source_read(source, 0, copy, COUNT);
    if (status == VDNN_OK)
        assert_memory_equal(copy, bytes, COUNT);
    vdnn_source_close(source);
    return status;
}

static vdnn_status read_input(const char *path)
{
    char *copy;
    size_t count;
    vdnn_status status = vdnn_input_read(path, COUNT, &copy, &count);
    if (status != VDNN_OK)
        return status;
    assert_int_equal(count, COUNT);
    assert_memory_equal(copy, bytes, COUNT);
    assert_int_equal(copy[count], '\0');
    vdnn_heap_free(copy);
    return VDNN_OK;
}

static const struct {
    const char *name;
    vdnn_status (*run)(const char *path);
    bool writes, packed;
} uses[] = {
    {"output", write_plain, true, false},  {"gzip", write_packed, true, true},
    {"source", read_source, false, false}, {"packed source", read_source, false, true},
    {"input", read_input, false, false},
};
enum { USE_COUNT = sizeof uses / sizeof *uses };

/* A fresh file for the use to read, or an old one for it to replace. */
static const char *prepare(const char *folder, size_t use)
{
    const char *path = vdnn_test_path(folder, uses[use].packed ? "file.gz" : "file");
    if (uses[use].writes)
        vdnn_test_write_file(path, "old", 3);
    else if (uses[use].packed)
        vdnn_test_write_packed(path, bytes, COUNT);
    else
        vdnn_test_write_file(path, bytes, COUNT);
    return path;
}

static void assert_old(const char *path)
{
    char *text;
    size_t count;
    vdnn_test_read_file(path, &text, &count);
    assert_int_equal(count, 3);
    assert_memory_equal(text, "old", 3);
    free(text);
}

static void assert_written(const char *path, bool packed)
{
    assert_ok(packed ? read_source(path) : read_input(path));
}

TEST_WITH(transfers_may_be_short_or_interrupted, fill_bytes, vdnn_test_remove_folder)
{
    const vdnn_test_fault kinds[] = {
        {.calls = TRANSFERS, .nth = 1, .effect = VDNN_TEST_IS_SHORT},
        {.calls = TRANSFERS, .nth = 2, .effect = VDNN_TEST_IS_SHORT},
        {.calls = TRANSFERS, .nth = 1, .error = EINTR},
        {.calls = TRANSFERS, .nth = 2, .error = EINTR},
    };
    for (size_t use = 0; use < USE_COUNT; use++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
            const char *path = prepare(*state, use);
            vdnn_test_fault_begin(&kinds[kind]);
            assert_ok(uses[use].run(path));
            assert_true(vdnn_test_fault_end() >= 1);
            if (uses[use].writes)
                assert_written(path, uses[use].packed);
        }
}

/* One failing call of the system at a time, until none is left to fail. */
TEST_WITH(every_call_may_fail, fill_bytes, vdnn_test_remove_folder)
{
    for (size_t use = 0; use < USE_COUNT; use++) {
        size_t points = 0;
        for (vdnn_status status = VDNN_FILE;; points++) {
            const char *path = prepare(*state, use);
            vdnn_test_fault fault = {
                .calls = VDNN_TEST_EVERY_CALL, .nth = points + 1, .error = EIO};
            size_t live = vdnn_heap_live_count();
            vdnn_test_fault_begin(&fault);
            status = uses[use].run(path);
            vdnn_test_held held = vdnn_test_fault_held();
            size_t calls = vdnn_test_fault_end();
            assert_int_equal(held.files, 0);
            assert_int_equal(vdnn_heap_live_count(), live);
            assert_int_equal(vdnn_test_folder_count(*state), 1);
            if (status != VDNN_OK) {
                assert_int_equal(status, VDNN_FILE);
                assert_message("file");
            } else if (uses[use].writes) {
                assert_written(path, uses[use].packed);
            }
            assert_int_equal(unlink(path), 0);
            if (calls < fault.nth)
                break;
        }
        print_message("%s: %zu calls can fail\n", uses[use].name, points);
        assert_true(points >= 2);
    }
}

TEST_WITH(a_failed_write_leaves_the_old_file, fill_bytes, vdnn_test_remove_folder)
{
    for (size_t use = 0; use < USE_COUNT; use++) {
        const uint32_t calls[] = {VDNN_TEST_CALL(open), VDNN_TEST_CALL(write),
                                  VDNN_TEST_CALL(fsync), VDNN_TEST_CALL(rename)};
        for (size_t i = 0; uses[use].writes && i < sizeof calls / sizeof *calls; i++) {
            const char *path = prepare(*state, use);
            vdnn_test_fault fault = {.calls = calls[i], .nth = 1, .error = ENOSPC};
            vdnn_test_fault_begin(&fault);
            assert_status(uses[use].run(path), VDNN_FILE);
            (void)vdnn_test_fault_end();
            assert_message("No space left");
            assert_old(path);
            assert_int_equal(vdnn_test_folder_count(*state), 1);
            assert_int_equal(unlink(path), 0);
        }
    }
}

TEST_WITH(an_input_beyond_its_limit_is_refused, fill_bytes, vdnn_test_remove_folder)
{
    const char *path = prepare(*state, 4);
    char *text;
    size_t count;
    assert_status(vdnn_input_read(path, COUNT - 1, &text, &count), VDNN_BAD_INPUT);
    assert_message("expected at most 199999");
    assert_status(vdnn_input_read("/dev/zero", COUNT, &text, &count), VDNN_BAD_INPUT);
    assert_status(vdnn_input_read(*state, COUNT, &text, &count), VDNN_FILE);
    assert_message("directory");
    assert_ok(vdnn_input_read("/dev/null", 0, &text, &count));
    assert_int_equal(count, 0);
    vdnn_heap_free(text);
}

TEST_WITH(a_small_text_is_cut_to_its_room, fill_bytes, vdnn_test_remove_folder)
{
    char text[8];
    const char *path = vdnn_test_path(*state, "text");
    vdnn_test_write_file(path, "0123456789", 10);
    assert_true(vdnn_system_read_text(path, text, sizeof text));
    assert_string_equal(text, "0123456");
    assert_false(vdnn_system_read_text(vdnn_test_path(*state, "none"), text, sizeof text));
    assert_string_equal(text, "");
}

/* Else a host program that has closed them prints into a file of the library's. */
TEST_WITH(no_file_gets_the_number_of_a_closed_stream, fill_bytes, vdnn_test_remove_folder)
{
    int files[6], count = 0, kept[STDERR_FILENO + 1];
    for (int stream = 0; stream <= STDERR_FILENO; stream++) {
        kept[stream] = fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        (void)close(stream);
    }
    files[count++] = vdnn_system_open("/dev/null", O_WRONLY | O_CLOEXEC, 0);
    files[count++] = vdnn_system_memfd_create("vdnn", MFD_CLOEXEC);
    files[count++] = vdnn_system_eventfd(0, EFD_CLOEXEC);
    files[count++] = vdnn_system_socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool are_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
    for (int stream = 0; stream <= STDERR_FILENO; stream++)
        if (kept[stream] >= 0) {
            (void)dup2(kept[stream], stream);
            (void)close(kept[stream]);
        }
    assert_true(are_closed);
    for (int i = 0; i < count; i++) {
        assert_true(files[i] > STDERR_FILENO);
        assert_true((fcntl(files[i], F_GETFD) & FD_CLOEXEC) != 0);
        (void)close(files[i]);
    }
}

TEST_WITH(a_file_that_shrinks_is_told_with_its_length, fill_bytes, vdnn_test_remove_folder)
{
    char got[64];
    vdnn_source *source = NULL;
    const char *path = vdnn_test_path(*state, "data");
    vdnn_test_write_file(path, "0123456789", 10);
    assert_ok(vdnn_source_open(path, &source));
    assert_int_equal(truncate(path, 3), 0);
    assert_status(vdnn_source_read(source, 4, got, 6), VDNN_BAD_INPUT);
    assert_message("is cut off: 10 bytes expected, 3 found");
    assert_int_equal(truncate(path, 0), 0);
    assert_status(vdnn_source_read(source, 4, got, 6), VDNN_BAD_INPUT);
    assert_message("is cut off: 10 bytes expected, 0 found");
    vdnn_source_close(source);
}

/* ---- files of processes that were killed ----------------------------------------------------- */

/* The number of a process that has ended. */
static long ended_process(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return (long)child;
}

TEST_WITH(a_write_removes_what_a_killed_one_left, fill_bytes, vdnn_test_remove_folder)
{
    const long ended = ended_process(), alive = (long)getpid();
    const struct {
        const char *name, *rest;
        long process;
        bool stays, is_locked;
    } cases[] = {
        {"j.json", "-0", ended, false, false},    {"j.json", "-17", ended, false, false},
        {"j.json", "-1", alive, true, false},     {"k.json", "-0", ended, true, false},
        {"j.json", "", ended, true, false},       {"j.json", "-0x", ended, true, false},
        {"j.json.old", "-0", ended, true, false}, {"j.json", "-2", ended, true, true},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    char paths[CASES][512], name[64];
    int locked = -1;
    for (size_t i = 0; i < CASES; i++) {
        (void)snprintf(name, sizeof name, "%s.tmp-%ld%s", cases[i].name, cases[i].process,
                       cases[i].rest);
        (void)snprintf(paths[i], sizeof paths[i], "%s", vdnn_test_path(*state, name));
        vdnn_test_write_file(paths[i], "{", 1);
        if (cases[i].is_locked) {
            locked = open(paths[i], O_RDONLY | O_CLOEXEC);
            assert_int_equal(flock(locked, LOCK_EX), 0);
        }
    }
    vdnn_text text = {0};
    vdnn_text_add(&text, "{}");
    assert_ok(vdnn_text_save(&text, vdnn_test_path(*state, "j.json")));
    vdnn_text_fini(&text);
    for (size_t i = 0; i < CASES; i++)
        if ((access(paths[i], F_OK) == 0) != cases[i].stays)
            fail_msg("%s %s", paths[i], cases[i].stays ? "was removed" : "stays");
    assert_int_equal(close(locked), 0);
}
