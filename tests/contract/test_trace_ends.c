/* How a timeline ends: whole, with the steps that were made, where a signal ends the run; not at
 * all where the run is killed or its file cannot be written. It is written while steps run, and
 * does not take memory for them. */

#include "tests/support/run_program.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3"
#define ENDLESS "vdnnrun --model @/net.yaml --steps 100000000 --trace-steps 1:100000000 "

enum { MOST_WAITS = 6000, SOME_BYTES = 300000, SOME_PACKED_BYTES = 20000 };

/* Of the file in FOLDER whose name begins with that and goes on; 0: there is none. */
static long long size_of_temporary(const char *folder, const char *name)
{
    struct stat info;
    long long bytes = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (strncmp(entry->d_name, name, strlen(name)) == 0 && strcmp(entry->d_name, name) != 0 &&
            stat(vdnn_test_path(folder, entry->d_name), &info) == 0)
            bytes = info.st_size;
    (void)closedir(entries);
    return bytes;
}

/* Until that much is in the file, under its temporary name, while the steps run. */
static void wait_until_written(const char *folder, const char *name, long long bytes)
{
    for (int i = 0; size_of_temporary(folder, name) < bytes; i++) {
        if (i == MOST_WAITS)
            fail_msg("%s: no %lld bytes within a minute", name, bytes);
        (void)nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    assert_int_not_equal(access(vdnn_test_path(folder, name), F_OK), 0);
}

TEST_IN_FOLDER(a_signal_leaves_a_whole_timeline_of_the_steps_that_were_made)
{
    static const struct {
        const char *options, *name;
        int signal, code;
    } cases[] = {
        {"--device cpu --policy all", "t.json", SIGINT, 130},
        {"--device cpu", "t.json.gz", SIGTERM, 143},
        {"--device sim:p100 --policy conv", "t.json.gz", SIGINT, 130},
        {"--device cpu --devices 2", "t.json", SIGTERM, 143},
    };
    if (access(PYTHON, X_OK) != 0)
        skip_because("there is no %s", PYTHON);
    vdnn_test_network(*state);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const bool is_packed = strstr(cases[c].name, ".gz") != NULL;
        vdnn_test_run run;
        vdnn_test_start(&run, *state, ENDLESS "--trace @/%s %s", cases[c].name, cases[c].options);
        wait_until_written(*state, cases[c].name, is_packed ? SOME_PACKED_BYTES : SOME_BYTES);
        assert_int_equal(kill(run.pid, cases[c].signal), 0);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, cases[c].code, "ending after this step");
        vdnn_test_run_free(&run);
        vdnn_test_program(&run, *state, PYTHON " tools/check_trace.py @/%s", cases[c].name);
        if (run.code != 0)
            fail_msg("%s%s", run.out, run.err);
        vdnn_test_run_free(&run);
        assert_int_equal(size_of_temporary(*state, cases[c].name), 0);
        assert_int_equal(unlink(vdnn_test_path(*state, cases[c].name)), 0);
    }
}

TEST_IN_FOLDER(a_run_that_is_killed_leaves_no_timeline)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_start(&run, *state, ENDLESS "--device cpu --trace @/t.json");
    wait_until_written(*state, "t.json", SOME_BYTES);
    assert_int_equal(kill(run.pid, SIGKILL), 0);
    vdnn_test_finish(&run);
    assert_int_equal(run.code, 128 + SIGKILL);
    vdnn_test_run_free(&run);
    assert_int_not_equal(access(vdnn_test_path(*state, "t.json"), F_OK), 0);
}

/* The reason is said, not that of what came after it; an older file stays. */
TEST_IN_FOLDER(a_timeline_that_cannot_be_written_ends_the_run)
{
    static const char *const names[] = {"t.json", "t.json.gz"}, *const devices[] = {
                                                                    "cpu", "cpu --devices 2",
                                                                    "sim:p100"};
    vdnn_test_network(*state);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
            vdnn_test_run run;
            vdnn_test_write_below(*state, names[n], "old");
            const int before = vdnn_test_folder_count(*state);
            vdnn_test_program(&run, *state,
                              "/usr/bin/prlimit --fsize=30000 %s/" ENDLESS
                              "--device %s --profile @/p --trace @/%s --json @/j",
                              vdnn_test_bin(), devices[d], names[n]);
            vdnn_test_expect(&run, 6, "cannot be written: File too large");
            vdnn_test_expect(&run, 6, names[n]);
            vdnn_test_run_free(&run);
            char *text;
            size_t count;
            vdnn_test_read_file(vdnn_test_path(*state, names[n]), &text, &count);
            assert_string_equal(text, "old");
            free(text);
            assert_int_equal(size_of_temporary(*state, names[n]), 0);
            assert_in_range(vdnn_test_folder_count(*state), before, before + 1); /* the profile */
        }
}

/* Megabytes of steps are not held. */
TEST_IN_FOLDER(a_long_timeline_takes_no_more_memory)
{
    enum { SHORT = 20, LONG = 600, MOST_GROWTH = 3 << 20 };
    static const int steps[] = {SHORT, LONG};
    size_t peaks[2];
    struct stat info;
    vdnn_test_network(*state);
    for (int i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --device cpu --policy all --steps %d "
                          "--trace-steps 1:%d --profile @/p --trace @/t.json",
                          steps[i], steps[i]);
        vdnn_test_expect(&run, 0, "");
        peaks[i] = run.peak_bytes;
        vdnn_test_run_free(&run);
    }
    assert_int_equal(stat(vdnn_test_path(*state, "t.json"), &info), 0);
    assert_true(info.st_size > 5 * (off_t)MOST_GROWTH);
    if (peaks[1] > peaks[0] + MOST_GROWTH)
        fail_msg("%d steps take %zu bytes, %d take %zu", SHORT, peaks[0], LONG, peaks[1]);
}
