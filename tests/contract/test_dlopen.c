/* The shared library in programs that load it while they run. */

#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY VDNN_TEST_BUILD "/libvdnn.so"
#define LOADER VDNN_TEST_BUILD "/load_library"
#define THREAD_LOCAL VDNN_TEST_BUILD "/libthread-local.so"
#define PYTHON "/usr/bin/python3"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

enum { OTHERS = 14, NO_TORCH = 77 };

/* Absolute, as programs are started. */
static const char *absolute(const char *path)
{
    static char found[4096];
    if (realpath(path, found) == NULL)
        fail_msg("%s is not there", path);
    return found;
}

static void load(void **state, const char *scene, const char *before, const char *others,
                 const char *part)
{
    vdnn_test_run run;
    char library[4096];
    (void)snprintf(library, sizeof library, "%s", absolute(LIBRARY));
    vdnn_test_program(&run, *state, "%s%s %s %s %s%s", before, absolute(LOADER), scene, library,
                      vdnn_test_network(*state), others);
    vdnn_test_expect(&run, 0, "");
    if (strstr(run.out, part) == NULL)
        fail_msg("\"%s\" is not in\n%s", part, run.out);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(a_running_program_loads_the_library_and_trains)
{
    load(state, "train", "", "", "");
}

/* To the loader each file is another library. */
TEST_IN_FOLDER(it_does_so_after_fourteen_libraries_with_thread_local_memory)
{
    char others[8192] = "";
    const size_t room = sizeof others;
    if (IS_SANITIZED)
        skip_because("a sanitizer takes the thread-local memory that such libraries share");
    for (int i = 0; i < OTHERS; i++) {
        char command[8192];
        const size_t length = strlen(others);
        (void)snprintf(command, sizeof command, "cp %s %s/other%d.so", THREAD_LOCAL,
                       (const char *)*state, i);
        assert_int_equal(system(command), 0);
        (void)snprintf(others + length, room - length, " @/other%d.so", i);
    }
    load(state, "train", "", others, "");
}

TEST_IN_FOLDER(it_unloads_the_library_and_loads_it_again)
{
    load(state, "again", "", "", "");
}

TEST_IN_FOLDER(a_child_made_by_fork_is_refused_what_the_program_began)
{
    /* The parent keeps what its threads have, which are not in the child. */
    load(state, "fork", "ASAN_OPTIONS=detect_leaks=0 ", "", "");
}

TEST_IN_FOLDER(the_host_tier_is_an_arena_of_jemalloc_where_the_program_has_one)
{
    load(state, "doctor", "", "", "not in this process");
    if (IS_SANITIZED)
        skip_because("a sanitizer's malloc does not go with jemalloc's");
    load(state, "doctor", "LD_PRELOAD=libjemalloc.so.2 ", "", "jemalloc                  5.");
    load(state, "train", "LD_PRELOAD=libjemalloc.so.2 ", "", "");
}

TEST_IN_FOLDER(a_python_with_torch_trains_and_its_child_made_by_fork_is_refused)
{
    vdnn_test_run run;
    if (IS_SANITIZED)
        skip_because(PYTHON " is not built with the sanitizer");
    if (access(PYTHON, X_OK) != 0)
        skip_because("there is no " PYTHON);
    vdnn_test_program(&run, *state, PYTHON " tests/support/try_beside_torch.py");
    if (run.code == NO_TORCH)
        skip_because(PYTHON " has no torch (`tools/setup.sh check` installs it)");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}
