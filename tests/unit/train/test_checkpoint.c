#include "tests/support/faults.h"
#include "tests/support/files.h"

#include "runtime/base/heap.h"
#include "runtime/checkpoint/checkpoint.h"
#include "runtime/checkpoint/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

/* Checkpoints as files: a state is a few bytes that a seed and a step decide. */

enum { PART_COUNT = 2, PART_BYTES = 3000 };

static const char *const part_names[PART_COUNT] = {"weights.safetensors", "momentum.safetensors"};

typedef struct content {
    int64_t step;
    int part;
} content;

static void fill(const content *what, char bytes[PART_BYTES])
{
    vdnn_test_rng rng = {(uint64_t)(what->step * PART_COUNT + what->part) + 1};
    for (int i = 0; i < PART_BYTES; i++)
        bytes[i] = (char)vdnn_test_random(&rng);
}

static vdnn_status write_part(void *context, const char *path, vdnn_digest *digest)
{
    char bytes[PART_BYTES];
    vdnn_output *output = NULL;
    fill(context, bytes);
    vdnn_status status = vdnn_output_create(path, &output);
    for (int i = 0; i < 3 && status == VDNN_OK; i++)
        status = vdnn_output_write(output, bytes + i * (PART_BYTES / 3), PART_BYTES / 3);
    if (status == VDNN_OK) {
        *digest = vdnn_output_digest(output);
        return vdnn_output_commit(output);
    }
    vdnn_output_abandon(output);
    return status;
}

static vdnn_status write_state(vdnn_checkpoint_folder *folder, int64_t step)
{
    content what[PART_COUNT] = {{step, 0}, {step, 1}};
    vdnn_checkpoint_part parts[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++)
        parts[i] = (vdnn_checkpoint_part){part_names[i], write_part, &what[i]};
    json_t *facts = json_pack("{s:s, s:f}", "model", "made up", "loss", 0.1);
    assert_non_null(facts);
    vdnn_status status = vdnn_checkpoint_write(folder, step, facts, parts, PART_COUNT);
    json_decref(facts);
    return status;
}

/* What opens has to be what was written. */
static void check_state(const vdnn_checkpoint *checkpoint, int64_t step)
{
    char expected[PART_BYTES], *found;
    size_t count;
    assert_int_equal(checkpoint->step, step);
    assert_string_equal(json_string_value(json_object_get(checkpoint->manifest, "model")),
                        "made up");
    for (int i = 0; i < PART_COUNT; i++) {
        fill(&(content){step, i}, expected);
        vdnn_test_read_file(vdnn_test_path(checkpoint->path, part_names[i]), &found, &count);
        assert_int_equal(count, PART_BYTES);
        assert_memory_equal(found, expected, PART_BYTES);
        free(found);
    }
}

static const vdnn_messages silent;

static vdnn_checkpoint_folder *open_folder(const char *path, int64_t keep)
{
    vdnn_checkpoint_folder *folder = NULL;
    assert_ok(vdnn_checkpoint_folder_open(path, keep, &silent, &folder));
    return folder;
}

/* Opens the folder, resumes from the newest, writes those steps, and closes. */
static void write_states(const char *path, int64_t keep, const int64_t *steps, size_t count)
{
    vdnn_checkpoint_folder *folder = open_folder(path, keep);
    vdnn_checkpoint *base = NULL;
    assert_ok(vdnn_checkpoint_newest(folder, &base));
    assert_ok(vdnn_checkpoint_folder_begin(folder, base));
    vdnn_checkpoint_close(base);
    for (size_t i = 0; i < count; i++)
        assert_ok(write_state(folder, steps[i]));
    vdnn_checkpoint_folder_close(folder);
}

#define WRITE(path, keep, ...)                                                                     \
    write_states(path, keep, (const int64_t[]){__VA_ARGS__},                                       \
                 sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

/* FOLDER/NAME of a few names, in buffers that stay (those of vdnn_test_path take turns). */
static const char *place(void **state, const char *name)
{
    static char paths[4][512];
    static const char *const names[4] = {"run", "other", "best", "file"};
    size_t i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    (void)snprintf(paths[i], sizeof *paths, "%s/%s", (char *)*state, name);
    return paths[i];
}

/* -1: there is none. */
static int64_t newest(const char *path)
{
    vdnn_checkpoint *checkpoint = NULL;
    vdnn_checkpoint_folder *folder = open_folder(path, 1);
    assert_ok(vdnn_checkpoint_newest(folder, &checkpoint));
    int64_t step = checkpoint == NULL ? -1 : checkpoint->step;
    if (checkpoint != NULL)
        check_state(checkpoint, step);
    vdnn_checkpoint_close(checkpoint);
    vdnn_checkpoint_folder_close(folder);
    return step;
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static const char *step_path(const char *folder, int64_t step, const char *name)
{
    char text[64];
    (void)snprintf(text, sizeof text, "step-%08lld%s%s", (long long)step,
                   name[0] == '\0' ? "" : "/", name);
    return vdnn_test_path(folder, text);
}

/* ---- writing and finding --------------------------------------------------------------------- */

TEST_IN_FOLDER(what_is_written_is_found_again)
{
    const char *path = place(state, "run");
    vdnn_checkpoint *checkpoint = NULL;
    WRITE(path, 3, 7);
    assert_int_equal(newest(path), 7);
    assert_ok(vdnn_checkpoint_open(path, &checkpoint));
    check_state(checkpoint, 7);
    vdnn_checkpoint_close(checkpoint);
    assert_ok(vdnn_checkpoint_open(step_path(path, 7, ""), &checkpoint));
    check_state(checkpoint, 7);
    vdnn_checkpoint_close(checkpoint);
    vdnn_checkpoint_close(NULL);
    vdnn_checkpoint_folder_close(NULL);
    assert_int_equal(vdnn_test_folder_count(path), 2); /* and the lock */
    assert_int_equal(vdnn_test_folder_count(step_path(path, 7, "")), PART_COUNT + 1);
}

TEST_IN_FOLDER(an_empty_folder_has_none)
{
    vdnn_checkpoint *checkpoint = NULL;
    assert_int_equal(newest(place(state, "run")), -1);
    assert_status(vdnn_checkpoint_open(place(state, "run"), &checkpoint), VDNN_FILE);
    assert_message("there is no checkpoint in it");
    assert_status(vdnn_checkpoint_open(vdnn_test_path(*state, "none"), &checkpoint), VDNN_FILE);
    assert_message("none: cannot be read");
    assert_status(vdnn_checkpoint_open(vdnn_test_path(*state, "step-00000001"), &checkpoint),
                  VDNN_FILE);
    assert_message("manifest.json: is missing");
}

TEST_IN_FOLDER(the_newest_are_kept)
{
    for (int64_t keep = 1; keep <= 4; keep++) {
        static const char *const names[] = {"run", "other", "best", "file"};
        const char *path = place(state, names[keep - 1]);
        WRITE(path, keep, 5, 10, 99999999, 100000000, 100000001);
        static const int64_t steps[] = {5, 10, 99999999, 100000000, 100000001};
        for (int64_t i = 0; i < 5; i++)
            assert_int_equal(exists(step_path(path, steps[i], "")), 5 - i <= keep);
        assert_int_equal(newest(path), 100000001);
    }
}

TEST_IN_FOLDER(names_that_are_not_ours_are_left_alone)
{
    static const char *const folders[] = {
        "step-1", "step-0000000a", "step-000000001",           "step--0000001", "step-00000009.old",
        "steps",  "step-+0000001", "step-99999999999999999999"};
    const char *path = place(state, "run");
    WRITE(path, 1, 1);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(mkdir(vdnn_test_path(path, folders[i]), 0700), 0);
    vdnn_test_write_file(step_path(path, 50, ""), "a file", 6);
    assert_int_equal(symlink("step-00000001", step_path(path, 60, "")), 0);
    assert_int_equal(newest(path), 1);
    WRITE(path, 1, 2);
    assert_int_equal(newest(path), 2);
    assert_false(exists(step_path(path, 1, "")));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_true(exists(vdnn_test_path(path, folders[i])));
    assert_true(exists(step_path(path, 50, "")) && exists(step_path(path, 60, "")));
}

TEST_IN_FOLDER(what_a_person_put_there_is_not_removed)
{
    const char *path = place(state, "run");
    WRITE(path, 1, 1);
    vdnn_test_write_file(step_path(path, 1, "notes.txt"), "best so far", 11);
    WRITE(path, 1, 2);
    assert_true(exists(step_path(path, 1, "notes.txt")));
    assert_false(exists(step_path(path, 1, VDNN_CHECKPOINT_MANIFEST)));
    assert_int_equal(newest(path), 2);
}

TEST_IN_FOLDER(the_same_step_is_written_once)
{
    struct stat before, after;
    const char *path = place(state, "run");
    WRITE(path, 1, 3);
    assert_int_equal(stat(step_path(path, 3, VDNN_CHECKPOINT_MANIFEST), &before), 0);
    WRITE(path, 1, 3, 3);
    assert_int_equal(stat(step_path(path, 3, VDNN_CHECKPOINT_MANIFEST), &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
}

TEST_IN_FOLDER(a_moved_checkpoint_opens_but_a_copied_one_does_not_count)
{
    const char *path = place(state, "run"), *best = place(state, "best");
    vdnn_checkpoint *checkpoint = NULL;
    WRITE(path, 3, 1, 2, 3);
    assert_int_equal(rename(step_path(path, 2, ""), best), 0);
    assert_ok(vdnn_checkpoint_open(best, &checkpoint));
    check_state(checkpoint, 2);
    vdnn_checkpoint_close(checkpoint);
    assert_int_equal(rename(best, step_path(path, 4, "")), 0);
    assert_int_equal(newest(path), 3);
}

/* ---- one run at a time, one line of training a folder ------------------------------------------
 */

TEST_IN_FOLDER(a_folder_belongs_to_one_run_at_a_time)
{
    const char *path = place(state, "run");
    vdnn_checkpoint_folder *folder = open_folder(path, 1), *second = NULL;
    char process[64];
    assert_status(vdnn_checkpoint_folder_open(path, 1, &silent, &second), VDNN_FILE);
    (void)snprintf(process, sizeof process, "another run writes checkpoints there: process %ld",
                   (long)getpid());
    assert_message(process);
    vdnn_checkpoint_folder_close(folder);
    vdnn_checkpoint_folder_close(open_folder(path, 1));
}

TEST_IN_FOLDER(another_runs_checkpoints_are_not_touched)
{
    const char *path = place(state, "run"), *other = place(state, "other");
    vdnn_checkpoint *base = NULL;
    WRITE(path, 3, 5, 10);
    WRITE(other, 3, 20);
    vdnn_checkpoint_folder *folder = open_folder(path, 1);
    assert_int_equal(mkdir(step_path(path, 2, ""), 0700), 0); /* torn */
    assert_status(vdnn_checkpoint_folder_begin(folder, NULL), VDNN_FILE);
    assert_message("already holds checkpoints, up to step 10");
    assert_true(exists(step_path(path, 2, "")));
    assert_ok(vdnn_checkpoint_open(other, &base));
    assert_status(vdnn_checkpoint_folder_begin(folder, base), VDNN_FILE);
    assert_message("does not lead to step 20");
    vdnn_checkpoint_close(base);
    assert_ok(vdnn_checkpoint_open(step_path(path, 5, ""), &base));
    assert_status(vdnn_checkpoint_folder_begin(folder, base), VDNN_FILE);
    assert_message("remove what is newer");
    vdnn_checkpoint_close(base);
    vdnn_checkpoint_folder_close(folder);
    assert_true(exists(step_path(path, 5, "")));
    assert_int_equal(newest(path), 10);
}

TEST_IN_FOLDER(places_that_cannot_be_written_are_told)
{
    vdnn_checkpoint_folder *folder = NULL;
    const char *file = place(state, "file");
    vdnn_test_write_file(file, "", 0);
    assert_status(vdnn_checkpoint_folder_open(file, 1, &silent, &folder), VDNN_FILE);
    assert_message("file/lock: cannot be written: Not a directory");
    assert_status(vdnn_checkpoint_folder_open(vdnn_test_path(*state, "a/b"), 1, &silent, &folder),
                  VDNN_FILE);
    assert_message("a/b: cannot be created: No such file or directory");
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void overwrite(const char *path, const char *bytes, size_t count)
{
    assert_int_equal(unlink(path), 0);
    vdnn_test_write_file(path, bytes, count);
}

/* Leaves the checkpoint as it was. */
static void check_caught(const char *folder, const char *file, const char *bytes, size_t count)
{
    vdnn_checkpoint *checkpoint = NULL;
    char *whole;
    size_t whole_count;
    vdnn_test_read_file(file, &whole, &whole_count);
    overwrite(file, bytes, count);
    assert_status(vdnn_checkpoint_open(folder, &checkpoint), VDNN_FILE);
    assert_message("no complete checkpoint: ");
    overwrite(file, whole, whole_count);
    free(whole);
}

static const char *const all_names[] = {"weights.safetensors", "momentum.safetensors",
                                        VDNN_CHECKPOINT_MANIFEST};

TEST_IN_FOLDER(every_file_cut_off_anywhere_is_caught)
{
    const char *path = place(state, "run");
    WRITE(path, 3, 1);
    for (size_t f = 0; f < 3; f++) {
        char *whole, file[512];
        size_t count;
        (void)snprintf(file, sizeof file, "%s", step_path(path, 1, all_names[f]));
        vdnn_test_read_file(file, &whole, &count);
        for (size_t cut = 0; cut < count; cut += f == 2 ? 1 : 37)
            check_caught(path, file, whole, cut);
        check_caught(path, file, whole, count - 1);
        check_caught(path, file, whole, count + 1); /* with the NUL behind it */
        free(whole);
    }
    assert_int_equal(newest(path), 1);
}

TEST_IN_FOLDER(flipped_bits_are_caught_wherever_they_are)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    const char *path = place(state, "run");
    WRITE(path, 3, 1);
    for (size_t f = 0; f < 3; f++) {
        char *whole, file[512];
        size_t count;
        (void)snprintf(file, sizeof file, "%s", step_path(path, 1, all_names[f]));
        vdnn_test_read_file(file, &whole, &count);
        int64_t cases = f == 2 ? (int64_t)count * 8 : vdnn_test_count(2000);
        for (int64_t i = 0; i < cases; i++) {
            int64_t bit = f == 2 ? i : vdnn_test_between(&rng, 0, (int64_t)count * 8 - 1);
            whole[bit / 8] = (char)(whole[bit / 8] ^ (1 << bit % 8));
            check_caught(path, file, whole, count);
            whole[bit / 8] = (char)(whole[bit / 8] ^ (1 << bit % 8));
        }
        free(whole);
    }
    assert_int_equal(newest(path), 1);
}

TEST_IN_FOLDER(what_is_missing_or_no_file_is_caught)
{
    const char *path = place(state, "run");
    vdnn_checkpoint *checkpoint = NULL;
    WRITE(path, 3, 1);
    for (size_t f = 0; f < 3; f++) {
        char file[512], aside[512];
        (void)snprintf(file, sizeof file, "%s", step_path(path, 1, all_names[f]));
        (void)snprintf(aside, sizeof aside, "%s", vdnn_test_path(*state, "aside"));
        assert_int_equal(rename(file, aside), 0);
        assert_status(vdnn_checkpoint_open(path, &checkpoint), VDNN_FILE);
        assert_message(": is missing");
        assert_int_equal(mkdir(file, 0700), 0);
        assert_status(vdnn_checkpoint_open(path, &checkpoint), VDNN_FILE);
        assert_message("is not a regular file");
        assert_int_equal(rmdir(file), 0);
        assert_int_equal(mkfifo(file, 0600), 0);
        assert_status(vdnn_checkpoint_open(path, &checkpoint), VDNN_FILE);
        assert_message("is not a regular file");
        assert_int_equal(unlink(file), 0);
        assert_int_equal(rename(aside, file), 0);
    }
    assert_int_equal(newest(path), 1);
}

/* The newest is damaged: the one before it is taken, and the next write clears up. */
TEST_IN_FOLDER(a_damaged_newest_is_passed_over)
{
    const char *path = place(state, "run");
    WRITE(path, 3, 1, 2, 3);
    for (size_t f = 0; f < 3; f++) {
        const char *file = step_path(path, 3, all_names[f]);
        assert_int_equal(truncate(file, 10), 0);
        assert_int_equal(newest(path), 2);
        vdnn_test_write_file(step_path(path, 3, "weights.safetensors.tmp-1-0"), "x", 1);
        WRITE(path, 3, 3);
        assert_int_equal(newest(path), 3);
        assert_int_equal(vdnn_test_folder_count(step_path(path, 3, "")), PART_COUNT + 1);
        assert_int_equal(vdnn_test_folder_count(path), 4);
    }
}

/* ---- values that are not finite -------------------------------------------------------------- */

enum { HEADER_BYTES = 56, VALUES = 300000 };

/* A file of weights, of which one may be no number: the last in a block that is read at once, or
 * the first of the next one. */
static vdnn_status write_values(void *context, const char *path, vdnn_digest *digest)
{
    static float values[VALUES];
    const int64_t *bad = context;
    const uint64_t header = HEADER_BYTES;
    char text[HEADER_BYTES] = "{\"conv.weight\": {\"dtype\": \"F32\"}}";
    vdnn_output *output = NULL;
    for (int i = 0; i < VALUES; i++)
        values[i] = i == *bad ? NAN : (float)i;
    assert_ok(vdnn_output_create(path, &output));
    assert_ok(vdnn_output_write(output, &header, sizeof header));
    assert_ok(vdnn_output_write(output, text, sizeof text));
    assert_ok(vdnn_output_write(output, values, sizeof values));
    *digest = vdnn_output_digest(output);
    return vdnn_output_commit(output);
}

/* `bad`: the value's number; -1: all are finite. */
static void write_diverged(const char *path, int64_t step, const char *file, int64_t bad)
{
    vdnn_checkpoint_folder *folder = open_folder(path, 9);
    const vdnn_checkpoint_part part = {file, write_values, &bad};
    json_t *facts = json_pack("{s:s}", "model", "made up");
    assert_ok(vdnn_checkpoint_write(folder, step, facts, &part, 1));
    json_decref(facts);
    vdnn_checkpoint_folder_close(folder);
}

TEST_IN_FOLDER(checkpoints_with_values_that_are_not_finite_are_not_taken)
{
    static const int64_t bad[] = {0, 1, ((1 << 20) - 64) / 4 - 1, ((1 << 20) - 64) / 4, VALUES - 1};
    const char *path = place(state, "run");
    vdnn_checkpoint *checkpoint = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_diverged(path, 3, "weights.safetensors", bad[i]);
        assert_status(vdnn_checkpoint_open(path, &checkpoint), VDNN_FILE);
        assert_message("is not finite");
        vdnn_checkpoint_folder *folder = open_folder(path, 1);
        assert_status(vdnn_checkpoint_newest(folder, &checkpoint), VDNN_FILE);
        vdnn_checkpoint_folder_close(folder);
    }
    write_diverged(path, 3, "weights.safetensors", -1);
    assert_ok(vdnn_checkpoint_open(path, &checkpoint));
    vdnn_checkpoint_close(checkpoint);
    write_diverged(path, 4, "losses.safetensors", 7); /* a record, no state */
    assert_ok(vdnn_checkpoint_open(path, &checkpoint));
    vdnn_checkpoint_close(checkpoint);
}

/* They are removed as incomplete ones are, so that they do not outlast the healthy ones. */
TEST_IN_FOLDER(the_newest_with_finite_values_is_resumed_from)
{
    const char *path = place(state, "run");
    WRITE(path, 9, 1, 2);
    write_diverged(path, 5, "momentum.safetensors", 11);
    write_diverged(path, 6, "weights.safetensors", 12);
    assert_int_equal(newest(path), 2);
    WRITE(path, 2, 3);
    assert_int_equal(newest(path), 3);
    assert_int_equal(access(step_path(path, 2, ""), F_OK), 0);
    assert_int_not_equal(access(step_path(path, 6, ""), F_OK), 0);
}

TEST_IN_FOLDER(a_manifest_of_another_version_is_not_taken_for_damaged)
{
    const char *path = place(state, "run");
    vdnn_checkpoint *checkpoint = NULL;
    char *text, *at;
    size_t count;
    WRITE(path, 3, 1, 2);
    char file[512], seal[64];
    (void)snprintf(file, sizeof file, "%s", step_path(path, 2, VDNN_CHECKPOINT_MANIFEST));
    vdnn_test_read_file(file, &text, &count);
    at = strstr(text, "\"format_version\": 1");
    assert_non_null(at);
    at[strlen("\"format_version\": ")] = '2';
    at = strstr(text, ",\n  \"xxh3_128\": \"");
    for (char *next = at; next != NULL; next = strstr(next + 1, ",\n  \"xxh3_128\": \""))
        at = next;
    XXH128_hash_t digest = XXH3_128bits(text, (size_t)(at - text));
    (void)snprintf(seal, sizeof seal, "%016llx%016llx", (unsigned long long)digest.high64,
                   (unsigned long long)digest.low64);
    memcpy(at + strlen(",\n  \"xxh3_128\": \""), seal, 32);
    overwrite(file, text, count);
    free(text);
    assert_status(vdnn_checkpoint_open(path, &checkpoint), VDNN_FILE);
    assert_message("is of version 2; this program reads version 1");
    vdnn_checkpoint_folder *folder = open_folder(path, 1);
    assert_status(vdnn_checkpoint_newest(folder, &checkpoint), VDNN_FILE);
    assert_status(vdnn_checkpoint_folder_begin(folder, NULL), VDNN_FILE);
    vdnn_checkpoint_folder_close(folder);
    assert_true(exists(file));
}

TEST_IN_FOLDER(texts_that_are_no_manifest_are_refused)
{
    static const char *const texts[] = {
        "", "{}", "null", "\"\n}\n",
        ",\n  \"xxh3_128\": \"00000000000000000000000000000000\"\n}\n"};
    json_t *manifest = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_status(vdnn_manifest_parse(texts[i], strlen(texts[i]), "m", &manifest),
                      VDNN_BAD_INPUT);
        assert_null(manifest);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST_IN_FOLDER(every_allocation_may_fail)
{
    const char *path = place(state, "run");
    WRITE(path, 2, 1, 2);
    size_t live = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    for (size_t n = 1; status != VDNN_OK; n++) {
        vdnn_checkpoint_folder *folder = NULL;
        vdnn_checkpoint *base = NULL;
        vdnn_heap_fail_after(n);
        status = vdnn_checkpoint_folder_open(path, 2, &silent, &folder);
        if (status == VDNN_OK)
            status = vdnn_checkpoint_newest(folder, &base);
        if (status == VDNN_OK)
            status = vdnn_checkpoint_folder_begin(folder, base);
        if (status == VDNN_OK)
            status = write_state(folder, 3);
        vdnn_heap_fail_after(0);
        vdnn_checkpoint_close(base);
        vdnn_checkpoint_folder_close(folder);
        assert_int_equal(vdnn_heap_live_count(), live);
        if (status != VDNN_OK) {
            assert_status(status, VDNN_NO_MEMORY);
            assert_int_equal(newest(path), 2);
        }
    }
    assert_int_equal(newest(path), 3);
}

/* ---- a world that fails ---------------------------------------------------------------------- */

/* As a run: opens the folder, resumes from the newest, writes the next one. */
static vdnn_status go_on(const char *path, int64_t step)
{
    vdnn_checkpoint_folder *folder = NULL;
    vdnn_checkpoint *base = NULL;
    vdnn_status status = vdnn_checkpoint_folder_open(path, 2, &silent, &folder);
    if (status == VDNN_OK)
        status = vdnn_checkpoint_newest(folder, &base);
    if (status == VDNN_OK)
        status = vdnn_checkpoint_folder_begin(folder, base);
    if (status == VDNN_OK)
        status = write_state(folder, step);
    vdnn_checkpoint_close(base);
    vdnn_checkpoint_folder_close(folder);
    return status;
}

/* FOLDER/run with whole checkpoints of steps 1 and 2 and nothing else. */
static const char *two_states(void **state)
{
    const char *path = place(state, "run");
    for (int64_t step = 1; step < 5; step++) {
        static const char *const left[] = {"weights.safetensors", "momentum.safetensors",
                                           VDNN_CHECKPOINT_MANIFEST};
        for (size_t i = 0; i < 3; i++)
            (void)unlink(step_path(path, step, left[i]));
        (void)rmdir(step_path(path, step, ""));
    }
    WRITE(path, 2, 1, 2);
    return path;
}

/* After a try to write step 3 that may have gone wrong anywhere, and again after the next run. */
static void check_aftermath(const char *path, bool succeeded)
{
    int64_t found = newest(path);
    assert_in_range(found, succeeded ? 3 : 2, 3);
    if (found == 2)
        assert_true(exists(step_path(path, 1, VDNN_CHECKPOINT_MANIFEST)));
    assert_ok(go_on(path, 4));
    assert_int_equal(newest(path), 4);
    assert_int_equal(vdnn_test_folder_count(path), 3); /* two checkpoints and the lock */
    assert_int_equal(vdnn_test_folder_count(step_path(path, found, "")), PART_COUNT + 1);
    assert_int_equal(vdnn_test_folder_count(step_path(path, 4, "")), PART_COUNT + 1);
}

/* The n-th call fails, for every n until none does. Returns how many there were. */
static size_t try_every(void **state, const vdnn_test_fault *kind)
{
    size_t live = vdnn_heap_live_count(), calls;
    vdnn_test_fault fault = *kind;
    do {
        const char *path = two_states(state);
        fault.nth++;
        vdnn_test_fault_begin(&fault);
        vdnn_status status = go_on(path, 3);
        vdnn_test_held held = vdnn_test_fault_held();
        calls = vdnn_test_fault_end();
        assert_int_equal(held.files + held.folders, 0);
        assert_int_equal(vdnn_heap_live_count(), live);
        if (status != VDNN_OK)
            assert_status(status, VDNN_FILE);
        check_aftermath(path, status == VDNN_OK);
    } while (calls >= fault.nth);
    return calls;
}

TEST_IN_FOLDER(every_call_of_the_system_may_fail)
{
    vdnn_test_fault fault = {.calls = VDNN_TEST_EVERY_CALL, .error = EIO};
    size_t calls = try_every(state, &fault);
    print_message("%zu calls were made to fail\n", calls);
    assert_in_range(calls, 50, 1000);
}

/* As a full disk and one that became read-only do: from then on all of them fail. */
TEST_IN_FOLDER(a_full_disk_keeps_the_old_ones)
{
    vdnn_test_fault full = {.calls = VDNN_TEST_CALL(write) | VDNN_TEST_CALL(mkdir) |
                                     VDNN_TEST_CALL(fsync),
                            .lasting = true,
                            .error = ENOSPC};
    vdnn_test_fault read_only = {.calls = full.calls | VDNN_TEST_CALL(unlink) |
                                          VDNN_TEST_CALL(rmdir) | VDNN_TEST_CALL(rename),
                                 .lasting = true,
                                 .error = EROFS};
    assert_in_range(try_every(state, &full), 10, 100);
    assert_in_range(try_every(state, &read_only), 10, 100);
}

TEST_IN_FOLDER(calls_may_do_little_at_a_time)
{
    vdnn_test_fault fault = {.calls = VDNN_TEST_CALL(read) | VDNN_TEST_CALL(write),
                             .nth = 1,
                             .lasting = true,
                             .effect = VDNN_TEST_IS_SHORT};
    const char *path = two_states(state);
    vdnn_test_fault_begin(&fault);
    assert_ok(go_on(path, 3));
    (void)vdnn_test_fault_end();
    check_aftermath(path, true);
}

/* The process is killed before its n-th call, for every n. */
TEST_IN_FOLDER(a_write_that_is_killed_anywhere_leaves_whole_ones_alone)
{
    vdnn_test_fault fault = {.calls = VDNN_TEST_EVERY_CALL, .effect = VDNN_TEST_KILLS};
    int result;
    do {
        const char *path = two_states(state);
        fault.nth++;
        (void)fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            vdnn_test_fault_begin(&fault);
            vdnn_status status = go_on(path, 3);
            (void)vdnn_test_fault_end();
            _exit(status == VDNN_OK ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_true(WIFSIGNALED(result) || WEXITSTATUS(result) == 0);
        check_aftermath(path, !WIFSIGNALED(result));
    } while (WIFSIGNALED(result));
    print_message("killed before each of %zu calls\n", fault.nth - 1);
    assert_in_range(fault.nth, 50, 1000);
}

/* The same by the system itself: no file may become larger than so much. */
TEST_IN_FOLDER(a_limit_on_the_size_of_files_keeps_the_old_ones)
{
    for (rlim_t most = 0; most <= PART_BYTES; most += 500) {
        int result;
        const char *path = two_states(state);
        (void)fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            const struct rlimit limit = {most, most};
            (void)signal(SIGXFSZ, SIG_IGN);
            (void)setrlimit(RLIMIT_FSIZE, &limit);
            _exit(go_on(path, 3) == VDNN_FILE ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_int_equal(WIFEXITED(result) ? WEXITSTATUS(result) : -1, most < PART_BYTES ? 0 : 1);
        check_aftermath(path, most >= PART_BYTES);
    }
}

/* What is kept and the one being written are there at a time. */
TEST_IN_FOLDER(a_folder_holds_one_more_than_it_keeps)
{
    static const struct {
        int64_t keep, writes, most;
        int there;
    } cases[] = {{1, 5, 2, 0}, {1, 1, 1, 0}, {3, 9, 4, 0},        {3, 2, 2, 0},
                 {3, 9, 2, 2}, {1, 9, 1, 2}, {INT64_MAX, 7, 7, 2}};
    char path[512];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_checkpoint_folder *folder = NULL;
        int64_t most = -1;
        (void)snprintf(path, sizeof path, "%s/run%zu", (char *)*state, i);
        assert_ok(vdnn_checkpoint_folder_open(path, 9, &silent, &folder));
        for (int s = 0; s < cases[i].there; s++)
            assert_ok(write_state(folder, s + 1));
        vdnn_checkpoint_folder_close(folder);
        assert_ok(vdnn_checkpoint_folder_open(path, cases[i].keep, &silent, &folder));
        assert_ok(vdnn_checkpoint_folder_growth(folder, cases[i].writes, &most));
        vdnn_checkpoint_folder_close(folder);
        assert_int_equal(most, cases[i].most);
    }
}

int main(void)
{
    vdnn_test_make_folders_in_memory();
    return vdnn_test_main(NULL, NULL);
}
