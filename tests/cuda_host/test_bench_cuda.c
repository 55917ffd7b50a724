/* tests/bench/bench_cuda.py over the emulation of CUDA: every part of it, what it writes, and that
 * a part which fails, hangs or crashes costs only itself. */

#include "tests/support/gpu.h"
#include "tests/support/run_program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In PyTorch's place: what torch_driver.py would say. */
static const char peer[] =
    "import json, sys\n"
    "a = sys.argv[1:]\n"
    "way = a[a.index('--mode') + 1] if '--mode' in a else ''\n"
    "if a[0] == 'speed' and way == 'save_on_cpu': print(json.dumps(dict(error='out of memory')))\n"
    "elif a[0] == 'speed' and way == 'cheap': raise RuntimeError('a fault of the driver')\n"
    "elif a[0] == 'speed': print(json.dumps(dict(images_per_second=10.0, step_seconds=0.6)))\n"
    "else: sys.exit('no torch here')\n";

/* In compute-sanitizer's: memcheck finds something, the others nothing. */
static const char sanitizer[] =
    "#!/bin/sh\n"
    "[ \"$2\" != memcheck ] || { echo '========= ERROR SUMMARY: 3 errors'; exit 99; }\n"
    "shift 4\n"
    "exec \"$@\"\n";

/* In the device test's: hangs the first time, with a grandchild in a session of its own that no
 * signal but SIGKILL ends. */
static const char hanging[] =
    "#!/bin/sh\n"
    "cd $(dirname $0)\n"
    "echo '[ RUN      ] an_event_is_waited_for'\n"
    "[ ! -e grandchild ] || { echo '[       OK ] an_event_is_waited_for'; exit 0; }\n"
    "trap '' TERM\n"
    "setsid sh -c \"trap '' TERM; echo \\$\\$ >grandchild; while :; do sleep 0.1; done\" &\n"
    "while :; do sleep 0.1; done\n";

/* In the next one's: crashes, and says whether the grandchild could still use the card. */
static const char crashing[] =
    "#!/bin/sh\n"
    "cd $(dirname $0)\n"
    "! kill -0 $(cat grandchild) 2>/dev/null || touch grandchild-was-alive\n"
    "echo '[ RUN      ] sums_are_right'\n"
    "echo '[       OK ] sums_are_right'\n"
    "echo '[ RUN      ] sums_are_fast'\n"
    "kill -SEGV $$\n";

/* In that of the layers: one row passes, one fails, and the last one is cut off. */
static const char failing[] =
    "#!/bin/sh\n"
    "echo '{\"layer\": \"conv out=3\", \"result\": \"passed\"}' >>$VDNN_TEST_ROWS\n"
    "echo '{\"layer\": \"conv out=5\", \"algorithm\": \"winograd\", \"result\": \"failed\", "
    "\"error\": 0.5, \"bound\": 1e-6, \"why\": \"errs by a half\"}' >>$VDNN_TEST_ROWS\n"
    "printf '{\"layer\": \"conv out=7\", \"res' >>$VDNN_TEST_ROWS\n"
    "echo '[ RUN      ] every_row_agrees_with_the_reference'\n"
    "echo '[  FAILED  ] every_row_agrees_with_the_reference'\n"
    "exit 1\n";

static const char passing[] = "#!/bin/sh\n"
                              "echo '[ RUN      ] it_is_right'\n"
                              "echo '[       OK ] it_is_right'\n";

static const struct {
    const char *path, *text;
} scripts[] = {
    {"peer.py", peer},
    {"sanitizer", sanitizer},
    {"tests/gpu/test_device", hanging},
    {"tests/gpu/test_elementwise", crashing},
    {"tests/unit/layers/test_batchnorm", passing},
    {"tests/contract/test_layers", failing},
    {"tests/contract/test_nvtx", passing},
    {"tests/gpu/test_training", passing},
};

static int make_session(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    const char *folder = *state;
    vdnn_test_every_layer(folder);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        vdnn_test_write_below(folder, scripts[i].path, scripts[i].text);
        assert_int_equal(chmod(vdnn_test_path(folder, scripts[i].path), 0755), 0);
    }
    return 0;
}

/* The doctor takes a second of a processor, which others may want as well. */
#define HOWEVER_BUSY " --limit facts=500"

/* Starts it with the folder's scripts, results in its `out`. */
static pid_t start_bench(const char *folder, const char *environment, const char *arguments)
{
    char line[4096];
    (void)snprintf(
        line, sizeof line,
        "exec env %s python3 tests/bench/bench_cuda.py %s --quick --bin %s --quick-model "
        "%s/every.yaml --peer %s/peer.py --sanitizer %s/sanitizer --tests %s/tests "
        "--out %s/out >%s/log 2>&1",
        environment, arguments, VDNN_TEST_GPU_BIN, folder, folder, folder, folder, folder, folder);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    return pid;
}

/* The exit code, or 128 and the signal. */
static int end_of(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static json_t *result_of(const char *folder)
{
    return vdnn_test_json(vdnn_test_path(folder, "out/result.json"));
}

static json_t *run_bench_in(const char *folder, const char *environment, int code,
                            const char *arguments)
{
    int found = end_of(start_bench(folder, environment, arguments));
    if (found != code) {
        char *log = NULL;
        size_t count = 0;
        vdnn_test_read_file(vdnn_test_path(folder, "log"), &log, &count);
        print_error("%.*s\n", (int)count, log);
        fail_msg("%s: ended with %d, expected %d", arguments, found, code);
    }
    return result_of(folder);
}

static json_t *run_bench(const char *folder, int code, const char *arguments)
{
    return run_bench_in(folder, "", code, arguments);
}

static const json_t *at(const json_t *object, const char *a, const char *b)
{
    const json_t *found = json_object_get(json_object_get(object, a), b);
    if (found == NULL)
        fail_msg("there is no %s, %s", a, b);
    return found;
}

/* Of a list of objects, the first whose `key` contains `part`. */
static const json_t *find(const json_t *list, const char *key, const char *part)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one)
    {
        if (strstr(json_string_value(json_object_get(one, key)), part) != NULL)
            return one;
    }
    fail_msg("there is no %s with %s", key, part);
    return NULL;
}

static const json_t *bar_of(const json_t *root, const char *part)
{
    return find(json_object_get(root, "bars"), "bar", part);
}

/* The row was not measured, for such a reason. */
static void expect_failure(const json_t *root, const char *row, const char *why)
{
    const json_t *found = find(json_object_get(root, "rows"), "row", row);
    const char *reason = json_string_value(json_object_get(found, "why"));
    if (reason == NULL || strstr(reason, why) == NULL)
        fail_msg("%s: \"%s\", expected \"%s\"", row, reason == NULL ? "measured" : reason, why);
}

static bool exists(const char *folder, const char *name)
{
    return access(vdnn_test_path(folder, name), F_OK) == 0;
}

/* The process number that the hanging test wrote; 0: none yet. */
static pid_t grandchild_of(const char *folder)
{
    char text[32] = "";
    FILE *file = fopen(vdnn_test_path(folder, "tests/gpu/grandchild"), "r");
    if (file == NULL)
        return 0;
    size_t count = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    return count > 0 && text[count - 1] == '\n' ? (pid_t)strtol(text, NULL, 10) : 0;
}

static bool is_alive(pid_t pid)
{
    return kill(pid, 0) == 0;
}

static void pause_shortly(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Until the hanging test hangs, or what starts it has ended. */
static pid_t wait_for_grandchild(const char *folder, pid_t starter)
{
    pid_t pid = 0;
    siginfo_t ended = {0};
    while ((pid = grandchild_of(folder)) == 0 && ended.si_pid == 0) {
        pause_shortly();
        assert_int_equal(waitid(P_PID, (id_t)starter, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    }
    assert_true(pid > 0);
    return pid;
}

/* ---- the order for a new card ---------------------------------------------------------------- */

static void expect_the_tests_ends(const json_t *root)
{
    expect_failure(root, "device: gpu/test_device", "an_event_is_waited_for: did not end");
    expect_failure(root, "elementwise: gpu/test_elementwise", "was ended by signal 11");
    expect_failure(root, "elementwise: gpu/test_elementwise", "sums_are_fast: did not end");
    expect_failure(root, "layers: contract/test_layers", "2 of its rows failed");
    expect_failure(root, "sanitizer: memcheck", "ERROR SUMMARY: 3 errors");
    expect_failure(root, "sanitizer: synccheck", "ended with 1");
    const json_t *tests = json_object_get(root, "tests");
    const json_t *layers = json_object_get(tests, "layers: contract/test_layers");
    assert_int_equal(json_integer_value(at(layers, "rows", "passed")), 1);
    assert_non_null(find(json_object_get(layers, "rows_failed"), "why", "errs by a half"));
    const json_t *norm = json_object_get(tests, "elementwise: unit/layers/test_batchnorm");
    assert_int_equal(json_integer_value(at(norm, "tests", "passed")), 1);
    const json_t *again = json_object_get(tests, "again: gpu/test_device");
    assert_int_equal(json_integer_value(at(again, "tests", "passed")), 1);
}

static void expect_the_networks_results(const char *folder, const json_t *root)
{
    const json_t *parts = json_object_get(root, "parts");
    assert_non_null(json_object_get(at(parts, "facts", "doctor"), "devices"));
    assert_true(
        json_integer_value(json_object_get(at(parts, "facts", "memory_kib"), "MemAvailable")) > 0);
    const json_t *speed = at(parts, "speed", "every, 6, bf16");
    assert_int_equal(json_array_size(json_object_get(speed, "vdnn")), 2);
    assert_int_equal(json_array_size(json_object_get(speed, "torch")), 2);
    assert_true(json_number_value(json_object_get(speed, "ratio")) > 0);
    const json_t *overlap = at(parts, "overlap", "every, 6, bf16");
    assert_true(json_number_value(at(overlap, "timeline", "covered_by_compute")) >= 0);
    assert_true(json_number_value(at(overlap, "rates", "copy_out_bytes_per_second")) > 0);
    static const char *const policies[] = {"all", "conv", "dyn"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        assert_true(json_is_true(json_object_get(at(parts, "bits", policies[i]), "equal")));
    assert_non_null(at(parts, "profiles", "every, 4, bf16"));
    const json_t *moves = at(parts, "moves", "every-6-bf16");
    assert_true(json_array_size(moves) > 0);
    assert_true(json_number_value(json_object_get(json_array_get(moves, 0), "share")) > 0);
    assert_true(exists(folder, "out/profiles/every-6-bf16.profile"));
    assert_true(exists(folder, "out/profiles/every-4-bf16.profile"));
    assert_true(exists(folder, "out/traces/every-all.json.gz"));
    assert_true(exists(folder, "out/logs/layers-contract-test-layers.log"));
    json_t *run =
        vdnn_test_json(vdnn_test_path(folder, "out/runs/speed-every-6-bf16-vdnn-turn-1.json"));
    const json_t *layer = json_array_get(json_object_get(run, "layers"), 0);
    assert_true(json_number_value(json_object_get(layer, "forward_seconds")) > 0);
    json_decref(run);
}

TEST_WITH(the_first_minutes_bring_results_whatever_hangs_crashes_or_fails, make_session,
          vdnn_test_remove_folder)
{
    json_t *root = run_bench(*state, 1,
                             "first device elementwise layers sanitizer speed overlap bits "
                             "profiles moves again --limit facts=30 --limit device=2");
    pid_t pid = grandchild_of(*state);
    assert_true(pid > 0);
    assert_false(is_alive(pid));
    assert_false(exists(*state, "tests/gpu/grandchild-was-alive"));
    expect_the_tests_ends(root);
    expect_the_networks_results(*state, root);
    json_decref(root);
}

TEST_WITH(they_stop_unless_driver_cublas_and_cudnn_are_found, make_session, vdnn_test_remove_folder)
{
    static const struct {
        const char *environment, *message;
    } cases[] = {{"VDNN_CUDA_HOST=devices=0", "the driver finds no card"},
                 {"VDNN_CUDA_HOST=cudnn=0", "there is no cuDNN"},
                 {"VDNN_CUDA_HOST=cublas=0", "cuBLAS"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *root = run_bench_in(*state, cases[i].environment, 5, "first" HOWEVER_BUSY);
        assert_non_null(
            strstr(json_string_value(json_object_get(root, "stopped")), cases[i].message));
        assert_int_equal(json_object_size(json_object_get(root, "parts")), 1);
        json_decref(root);
    }
}

/* By a signal while a test hangs. SIGKILL cannot be answered, so that the grandchild is the test's
 * to end. */
static void end_session(const char *folder, int number)
{
    (void)unlink(vdnn_test_path(folder, "tests/gpu/grandchild"));
    pid_t session = start_bench(folder, "", "first device" HOWEVER_BUSY);
    pid_t pid = wait_for_grandchild(folder, session);
    assert_int_equal(kill(session, number), 0);
    assert_int_equal(end_of(session), 128 + number);
    if (number == SIGKILL)
        (void)kill(pid, SIGKILL);
    else
        assert_false(is_alive(pid));
    json_t *root = result_of(folder);
    assert_non_null(json_object_get(at(json_object_get(root, "parts"), "facts", "doctor"), "card"));
    json_decref(root);
}

TEST_WITH(a_session_that_is_ended_keeps_what_it_measured, make_session, vdnn_test_remove_folder)
{
    end_session(*state, SIGTERM);
    end_session(*state, SIGKILL);
}

/* ---- the benchmarks -------------------------------------------------------------------------- */

TEST_WITH(every_benchmark_is_measured_and_written, make_session, vdnn_test_remove_folder)
{
    json_t *root = run_bench(*state, 0, "bench budget types cap nondeterministic");
    const json_t *parts = json_object_get(root, "parts");
    const json_t *budget = at(parts, "budget", "every");
    assert_int_equal(json_array_size(json_object_get(budget, "policies")), 5);
    assert_true(json_number_value(at(budget, "rates", "copy_out_bytes_per_second")) > 0);
    assert_true(json_number_value(at(budget, "rates", "copy_both_bytes_per_second")) > 0);
    assert_true(json_is_true(json_object_get(bar_of(root, "highest address over"), "holds")));
    assert_non_null(bar_of(root, "step predicted within"));
    assert_true(json_number_value(json_object_get(bar_of(root, "f32: images/s of"), "found")) > 0);
    const json_t *fast = at(parts, "nondeterministic", "every, 6, f32");
    fast = json_array_get(json_object_get(fast, "vdnn"), 0);
    assert_true(json_is_true(json_object_get(fast, "nondeterministic")));
    const json_t *slow = at(parts, "types", "every, 6, f32");
    slow = json_array_get(json_object_get(slow, "vdnn"), 0);
    assert_true(json_is_false(json_object_get(slow, "nondeterministic")));
    assert_non_null(bar_of(root, "f32, nondeterministic: images/s of"));
    assert_non_null(bar_of(root, "GiB: images/s of PyTorch's best way"));
    expect_failure(root, "GiB: PyTorch, cheap", "a fault of the driver");
    json_decref(root);
}

TEST_WITH(what_cannot_be_measured_says_why_and_leaves_the_rest, make_session,
          vdnn_test_remove_folder)
{
    json_t *root =
        run_bench_in(*state, "VDNN_CUDA_HOST=devices=0", 0, "bench others budget losses sanitizer");
    expect_failure(root, "budget: every, 6, all", "the driver finds no card");
    expect_failure(root, "losses: PyTorch's", "torch_driver.py ended with no torch here");
    assert_non_null(at(json_object_get(root, "parts"), "sanitizer", "synccheck"));
    json_decref(root);
}

/* Those of the suite itself, under tools that find nothing: the cases that they are shown are
 * there. */
TEST_WITH(sanitizers_see_cases_of_the_suite, make_session, vdnn_test_remove_folder)
{
    const char *suite = vdnn_test_path(*state, "tests/contract/test_layers");
    char real[512], here[256];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(real, sizeof real, "%s/%.*s/tests/contract/test_layers", here,
                   (int)(strlen(VDNN_TEST_GPU_BIN) - strlen("-bin")), VDNN_TEST_GPU_BIN);
    assert_int_equal(unlink(suite), 0);
    assert_int_equal(symlink(real, suite), 0);
    json_t *root = run_bench(*state, 0, "bench sanitizer");
    const json_t *tests = json_object_get(root, "tests");
    const json_t *rows = at(json_object_get(tests, "sanitizer: synccheck"), "rows", "passed");
    assert_true(json_integer_value(rows) > 0);
    const json_t *row = find(json_object_get(root, "rows"), "row", "sanitizer: racecheck");
    assert_string_equal(json_string_value(json_object_get(row, "result")), "measured");
    json_decref(root);
}

TEST_WITH(when_time_is_out_what_is_left_is_named, make_session, vdnn_test_remove_folder)
{
    json_t *root = run_bench(*state, 0, "bench --seconds 0.1 speed types");
    expect_failure(root, "speed: every, 6, bf16: vdnn, turn 1", "no time left");
    expect_failure(root, "types: every, 6, tf32: torch, turn 2", "no time left");
    json_decref(root);
}

/* ---- the runner of tests --------------------------------------------------------------------- */

/* `timeout` gives each test a process group of its own. */
TEST_WITH(a_run_of_tests_that_is_ended_ends_its_tests, make_session, vdnn_test_remove_folder)
{
    const char *test = vdnn_test_path(*state, "tests/gpu/test_device");
    static const char waiting[] = "#!/bin/sh\n"
                                  "echo $$ >$(dirname $0)/grandchild\n"
                                  "while :; do sleep 0.1; done\n";
    vdnn_test_write_file(test, waiting, sizeof waiting - 1);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)setpgid(0, 0);
        (void)execl("tests/run.sh", "tests/run.sh", test, (char *)NULL);
        _exit(127);
    }
    pid_t waits = wait_for_grandchild(*state, pid);
    assert_int_equal(kill(-pid, SIGTERM), 0);
    assert_true(end_of(pid) != 0);
    for (int i = 0; i < 500 && is_alive(waits); i++)
        pause_shortly();
    assert_false(is_alive(waits));
}
