/* tests/run.sh: what it counts, and what its closing summary names. The programs that it runs here
 * are scripts that print what cmocka would. */

#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUN(name) "echo '[ RUN      ] " name "'\n"
#define OK(name) RUN(name) "echo '[       OK ] " name "'\n"
#define SKIPPED(name) "echo '[  SKIPPED ] " name "'\n"
#define SUMMARY "echo '[==========] 3 test(s) run.'\n"

static const struct {
    const char *name, *text, *expected[4]; /* of the whole output, in this order */
    bool passes;
} cases[] = {
    {"passes", OK("a") OK("b") SUMMARY, {"passes ", "2 passed, 0 failed, 0 skipped\n"}, true},
    /* cmocka lists what was skipped once more behind its summary. */
    {"skips",
     OK("a") RUN("b") "echo 'skip: no card'\n" SKIPPED("b")
         RUN("c") "echo 'skip: no disk'\n" SKIPPED("c") SUMMARY SKIPPED("b") SKIPPED("c"),
     {"skipped: no card\n", "/skips\n        b\nskipped: no disk\n", "/skips\n        c\n",
      "1 passed, 0 failed, 2 skipped\n"},
     true},
    {"shirks",
     OK("a") RUN("b") SKIPPED("b") SUMMARY SKIPPED("b"),
     {"FAILED ", "/shirks: b\n    skipped without a reason\n", "1 passed, 1 failed, 0 skipped\n"},
     false},
    {"crashes",
     OK("a") RUN("b") "kill -SEGV $$\n",
     {"/crashes: b did not end\n", "exit code 139\n", "1 passed, 1 failed, 0 skipped\n"},
     false},
    {"tests_nothing",
     SUMMARY,
     {"/tests_nothing: outside of its tests\n", "0 passed, 1 failed, 0 skipped\n"},
     false},
    {"leaks",
     OK("a") SUMMARY "echo 'ERROR: LeakSanitizer: detected memory leaks'\nexit 1\n",
     {"LeakSanitizer: detected", "1 passed, 1 failed, 0 skipped\n"},
     false},
};

static void check_case(const char *folder, size_t i)
{
    vdnn_test_run run;
    char script[1024], runner[4096];
    const char *path = vdnn_test_path(folder, cases[i].name);
    int length = snprintf(script, sizeof script, "#!/bin/sh\n%s", cases[i].text);
    assert_in_range(length, 1, sizeof script - 1);
    vdnn_test_write_file(path, script, (size_t)length);
    assert_int_equal(chmod(path, 0755), 0);
    assert_non_null(realpath("tests/run.sh", runner));
    vdnn_test_program(&run, folder, "%s @/%s", runner, cases[i].name);
    const char *at = run.out;
    for (size_t k = 0; k < 4 && cases[i].expected[k] != NULL; k++) {
        const char *found = strstr(at, cases[i].expected[k]);
        if (found == NULL)
            fail_msg("no '%s' in:\n%s%s", cases[i].expected[k], run.out, run.err);
        else
            at = found + strlen(cases[i].expected[k]);
    }
    assert_string_equal(at, ""); /* the counts are its last line */
    assert_int_equal(run.code == 0, cases[i].passes);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(every_end_of_a_test_is_counted_and_named)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(*state, i);
}

/* Writes programs a to e, whose only test has their name, into `folder`. */
static void write_programs(const char *folder)
{
    for (char name[] = "a"; name[0] <= 'e'; name[0]++) {
        char script[128];
        int length = snprintf(script, sizeof script, "#!/bin/sh\n" OK("%s") SUMMARY, name, name);
        assert_in_range(length, 1, sizeof script - 1);
        const char *path = vdnn_test_path(folder, name);
        vdnn_test_write_file(path, script, (size_t)length);
        assert_int_equal(chmod(path, 0755), 0);
    }
}

TEST_IN_FOLDER(all_parts_together_are_every_program_once)
{
    static const char *const parts[] = {"1/3", "2/3", "3/3"};
    char runner[4096];
    int seen[5] = {0};
    assert_non_null(realpath("tests/run.sh", runner));
    write_programs(*state);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "VDNN_TEST_PART=%s %s @/a @/b @/c @/d @/e", parts[p],
                          runner);
        vdnn_test_expect(&run, 0, "");
        for (int i = 0; i < 5; i++) {
            const char line[] = {'/', (char)('a' + i), ' ', '\0'};
            seen[i] += strstr(run.out, line) != NULL;
        }
        vdnn_test_run_free(&run);
    }
    for (int i = 0; i < 5; i++)
        assert_int_equal(seen[i], 1);
}

TEST_IN_FOLDER(what_is_no_part_is_refused)
{
    static const char *const parts[] = {"0/3", "4/3", "1", "1/0", "1/3/3", "one/3", "-1/3"};
    char runner[4096];
    assert_non_null(realpath("tests/run.sh", runner));
    write_programs(*state);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "VDNN_TEST_PART=%s %s @/a", parts[p], runner);
        assert_int_equal(run.code, 2);
        assert_non_null(strstr(run.err, "expected K/N, such as 2/3, with K from 1 to N"));
        vdnn_test_run_free(&run);
    }
}
