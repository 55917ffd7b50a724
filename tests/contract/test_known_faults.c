/* Faults that were found once do not come back: each folder of a collection that no clone brings
 * along holds a script, run.sh, which fails while its fault is there. The collection is the folder
 * that VDNN_TEST_FAULTS names, or ../shared/repros. A script ends with 0 where the fault is gone
 * and with 77 where it cannot be tried, and takes as long as it needs: those not known to be quick
 * run with every case of the seeded tests alone. */

#include "tests/support/files.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { CANNOT_BE_TRIED = 77, MAX_NAME = 128 };

/* Scripts that take less than two seconds. */
static const char *const quick[] = {
    "budget-negative-in-json",
    "disk-full-crash",
    "doctor-secret",
    "empty-secret",
    "max-batch-cap",
    "measure-refuses",
    "nan-checkpoints",
    "sync-batchnorm",
    "tall-kernel-wrong-gradient",
};

/* Python's modules that a script imports; without them it cannot be tried. */
static const struct {
    const char *script, *modules;
} imports[] = {
    {"exif", "numpy, PIL, safetensors.numpy"},
    {"test-part-loses-json", "numpy"},
    {"truncated-message", "numpy"},
};

static bool is_quick(const char *name)
{
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++) {
        if (strcmp(name, quick[i]) == 0)
            return true;
    }
    return false;
}

/* The name of the folder that the script is in. */
static void copy_name(const char *path, char name[MAX_NAME])
{
    const char *end = strrchr(path, '/'), *begin = end;
    while (begin > path && begin[-1] != '/')
        begin--;
    (void)snprintf(name, MAX_NAME, "%.*s", (int)(end - begin), begin);
}

/* The exit code of a command of the shell. */
static int run(const char *command)
{
    int status =
        system(command); // NOLINT(cert-env33-c,concurrency-mt-unsafe): a script is a program
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void skip_without_modules(const char *name)
{
    for (size_t i = 0; i < sizeof imports / sizeof *imports; i++) {
        char command[256];
        if (strcmp(name, imports[i].script) != 0)
            continue;
        (void)snprintf(command, sizeof command,
                       "\"${PYTHON:-/usr/bin/python3}\" -c 'import %s' 2>/dev/null",
                       imports[i].modules);
        if (run(command) != 0)
            skip_because("PYTHON names no Python with %s", imports[i].modules);
    }
}

/* The state is the script's path. */
static void the_fault_is_gone(void **state)
{
    const char *path = *state;
    char name[MAX_NAME], command[1024];
    copy_name(path, name);
    if (!is_quick(name) && vdnn_test_count(100) < 100)
        skip_because("a script that takes long; make check-long runs it");
    skip_without_modules(name);
    /* What the runner of tests sets is not what users have set. */
    (void)snprintf(command, sizeof command,
                   "env -u VDNN_PLAN_TRIALS -u VDNN_NO_CACHE bash '%s' </dev/null", path);
    int code = run(command);
    if (code == CANNOT_BE_TRIED)
        skip_because("the script cannot be tried on this machine");
    assert_int_equal(code, 0);
}

static void there_is_a_collection(void **state)
{
    (void)state;
    skip_because("VDNN_TEST_FAULTS names no folder of scripts");
}

int main(void)
{
    const struct CMUnitTest none[] = {cmocka_unit_test(there_is_a_collection)};
    const char *parent = getenv("VDNN_TEST_FAULTS"); // NOLINT(concurrency-mt-unsafe): one thread
    char pattern[512];
    glob_t scripts;
    (void)snprintf(pattern, sizeof pattern, "%s/*/run.sh", parent ? parent : "../shared/repros");
    if (glob(pattern, 0, NULL, &scripts) != 0)
        return cmocka_run_group_tests(none, NULL, NULL);
    struct CMUnitTest *tests = calloc(scripts.gl_pathc, sizeof *tests);
    char(*names)[MAX_NAME] = calloc(scripts.gl_pathc, sizeof *names);
    for (size_t i = 0; tests != NULL && names != NULL && i < scripts.gl_pathc; i++) {
        copy_name(scripts.gl_pathv[i], names[i]);
        tests[i] = (struct CMUnitTest){
            .name = names[i], .test_func = the_fault_is_gone, .initial_state = scripts.gl_pathv[i]};
    }
    int failed = tests == NULL || names == NULL ||
                 _cmocka_run_group_tests("tests", tests, scripts.gl_pathc, NULL, NULL) != 0;
    free(names);
    free(tests);
    globfree(&scripts);
    return failed;
}
