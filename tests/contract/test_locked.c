/* The bytes of the host tier that a run says are locked are those that the system counts. */

#include "tests/support/run_json.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void need_locking(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip_because("sanitizers make mlock do nothing");
#endif
}

/* What the system has locked for a process, in bytes. */
static long long locked_by(pid_t process)
{
    char path[64], line[256];
    long long found = -1;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmLck: %lld kB", &found) == 1)
            break;
    (void)fclose(file);
    assert_true(found >= 0);
    return found * 1024;
}

/* Until its first checkpoint is whole. */
static void wait_for_a_step(const char *folder, const char *policy)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    char name[64];
    (void)snprintf(name, sizeof name, "%s/step-00000001", policy);
    for (int i = 0; access(vdnn_test_path(folder, name), F_OK) != 0; i++) {
        assert_true(i < 6000);
        (void)nanosleep(&pause, NULL);
    }
}

/* Of a run that trains, and of its JSON: what is locked. */
static void train(const char *folder, const char *policy, long long *told, long long *locked)
{
    vdnn_test_run run;
    char options[1024];
    (void)snprintf(options, sizeof options,
                   "--steps 2 --rules paper --profile %s/p --algo m --policy %s", folder, policy);
    json_t *root = vdnn_test_run_json(folder, options);
    json_t *plan = json_object_get(root, "plan");
    *told = vdnn_test_integer_at(root, "host_locked_bytes");
    assert_int_equal(*told, vdnn_test_integer_at(plan, "host_locked_bytes"));
    assert_true(*told >= vdnn_test_integer_at(plan, "host_arena_bytes"));
    json_decref(root);
    vdnn_test_start(&run, folder,
                    "vdnnrun --model @/net.yaml --steps 100000000 --rules paper --profile @/p "
                    "--checkpoint @/%s --checkpoint-every 1 --keep 100000 --algo m --policy %s",
                    policy, policy);
    wait_for_a_step(folder, policy);
    *locked = locked_by(run.pid);
    assert_int_equal(kill(run.pid, SIGINT), 0);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 130, "");
    vdnn_test_run_free(&run);
}

/* Without a host tier the system has locked what the pictures of a batch are staged in, no more. */
TEST_IN_FOLDER(the_json_has_what_the_system_has_locked)
{
    long long told[2], locked[2];
    need_locking();
    vdnn_test_network(*state);
    train(*state, "base", &told[0], &locked[0]);
    train(*state, "all", &told[1], &locked[1]);
    assert_int_equal(told[0], 0);
    assert_true(told[1] > 0);
    assert_int_equal(told[1], locked[1] - locked[0]);
}

/* Under a limit, as a user whom it binds, all that it allows is locked and the rest is told. */
TEST_IN_FOLDER(a_limit_of_locked_memory_is_met_to_the_page)
{
    enum { PAGES = 5 };
    vdnn_test_run run;
    char bin[4096];
    long long limit = PAGES * sysconf(_SC_PAGESIZE);
    need_locking();
    vdnn_test_network(*state);
    assert_non_null(realpath(vdnn_test_bin(), bin));
    if (access("/usr/bin/prlimit", X_OK) != 0)
        skip_because("there is no prlimit");
    if (!vdnn_test_without_rights(*state, true))
        skip_because("a user without rights cannot run the programs where they are");
    vdnn_test_program(
        &run, *state,
        "/usr/bin/prlimit --memlock=%lld:%lld %s/vdnnrun --model @/net.yaml --steps 2 "
        "--json @/run.json --policy all --algo m --rules paper",
        limit, limit, bin);
    (void)vdnn_test_without_rights(*state, false);
    vdnn_test_expect(&run, 0, "bytes of the host tier are locked into memory");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_int_equal(vdnn_test_integer_at(root, "host_locked_bytes"), limit);
    json_decref(root);
}
