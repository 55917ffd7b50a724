/* What is said of machines that are not this one. */

#include "layers/cpu/threads.h"
#include "runtime/device/device.h"
#include "runtime/vdnn.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static const struct {
    const char *path, *text;
} files[] = {
    {"proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n"},
    {"proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu avx avx2 avx512f_not fma\n"},
    {"proc/self/status", "CapEff:\t0000000000000000\nCpus_allowed_list:\t0-62,64\n"},
    {"proc/loadavg", "127.95 130.01 4.00 3/400 77\n"},
    {"proc/sys/kernel/osrelease", "6.1.0-test\n"},
    {"proc/sys/vm/overcommit_memory", "0\n"},
    {"sys/devices/system/cpu/online", "0-127\n"},
    {"sys/devices/system/node/online", "0\n"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
};

static int make_machine(void **state)
{
    int error = vdnn_test_make_folder(state);
    for (size_t i = 0; error == 0 && i < sizeof files / sizeof *files; i++)
        vdnn_test_write_below(*state, files[i].path, files[i].text);
    return error;
}

static vdnn_test_fault machine_below(const char *root, rlim_t lockable, uint64_t disk_bytes)
{
    return (vdnn_test_fault){
        .root = root, .limit = {true, RLIMIT_MEMLOCK, lockable}, .disk_bytes = disk_bytes};
}

/* The reference is the caller's. */
static json_t *examine(const vdnn_test_fault *machine, const char *const *environment)
{
    vdnn_text text = {0};
    vdnn_test_fault_begin(machine);
    vdnn_status status = vdnn_doctor_write(environment, VDNN_REPORT_JSON, &text);
    (void)vdnn_test_fault_end();
    vdnn_test_held held = vdnn_test_fault_held();
    assert_ok(status);
    assert_int_equal(held.files, 0);
    json_t *root = json_loads(text.data, 0, NULL);
    assert_non_null(root);
    vdnn_text_fini(&text);
    return root;
}

static const json_t *fact(const json_t *root, const char *group, const char *name)
{
    return json_object_get(json_object_get(root, group), name);
}

/* What is said of a problem; NULL: it is not there. */
static const char *problem(const json_t *root, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(root, "problems"), i, one)
    {
        assert_true(json_string_length(json_object_get(one, "remedy")) > 0);
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0)
            return json_string_value(json_object_get(one, "what"));
    }
    return NULL;
}

TEST_WITH(a_machine_is_described_as_it_is, make_machine, vdnn_test_remove_folder)
{
    vdnn_test_fault machine = machine_below(*state, RLIM_INFINITY, (uint64_t)5 << 40);
    json_t *root = examine(&machine, NULL);
    static const struct {
        const char *group, *name, *text;
    } texts[] = {
        {"build", "version", VDNN_VERSION},
        {"system", "kernel", "6.1.0-test"},
        {"processor", "instructions", "avx fma avx2"},
        {"processor", "affinity", "0-62,64"},
        {"devices", "cpu", "usable"},
        {"memory", "available_by", "MemAvailable"},
        {"memory", "lockable_bytes", "unlimited"},
        {"memory", "cgroup_limit_bytes", "unlimited"},
        {"memory", "huge_pages", "madvise"},
        {"memory", "overcommit", "0"},
    };
    static const struct {
        const char *group, *name;
        json_int_t count;
    } counts[] = {
        {"processor", "cores", 128},
        {"processor", "cores_allowed", 64},
        {"processor", "numa_nodes", 1},
        {"memory", "total_bytes", (json_int_t)8 << 30},
        {"memory", "available_bytes", (json_int_t)4 << 30},
        {"disk", "free_here_bytes", (json_int_t)5 << 40},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(json_string_value(fact(root, texts[i].group, texts[i].name)),
                            texts[i].text);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(json_integer_value(fact(root, counts[i].group, counts[i].name)),
                         counts[i].count);
    assert_true(json_real_value(fact(root, "processor", "load")) == 127.95);
    assert_true(json_integer_value(fact(root, "memory", "copy_out_bytes_per_second")) > 0);
    assert_non_null(strstr(json_string_value(fact(root, "devices", "cuda")), "no CUDA device"));
    assert_int_equal(json_array_size(json_object_get(root, "problems")),
                     vdnn_device_lack("cpu", VDNN_F32, 0) == NULL ? 0 : 1);
    json_decref(root);
    vdnn_test_write_below(*state, "proc/self/cgroup", "0::/job\n");
    vdnn_test_write_below(*state, "sys/fs/cgroup/job/memory.max", "2147483648\n");
    root = examine(&machine, NULL);
    assert_int_equal(json_integer_value(fact(root, "memory", "cgroup_limit_bytes")), 2147483648);
    assert_string_equal(json_string_value(fact(root, "memory", "available_by")),
                        "cgroup memory.max");
    json_decref(root);
}

TEST_WITH(each_problem_is_found_with_its_remedy, make_machine, vdnn_test_remove_folder)
{
    static const struct {
        const char *path, *text, *name, *part;
    } cases[] = {
#ifdef _OPENMP /* without it there is one thread */
        {"proc/self/status", "CapEff:\t0\nCpus_allowed_list:\t5\n", "threads", "3 threads"},
#endif
        {"proc/loadavg", "128.31 4.00 4.00 3/400 77\n", "load", "a load of 128.3 on 128 cores"},
        {"proc/sys/vm/overcommit_memory", "2\n", "overcommit", "is 2"},
        {"sys/devices/system/node/online", "0-3\n", "numa", "4 NUMA nodes"},
        {"proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 65536 kB\n", "memory", "64.00 MiB"},
        {"proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4 kB\n", "measuring", "MemAvailable"},
    };
    vdnn_test_fault machine = machine_below(*state, RLIM_INFINITY, (uint64_t)5 << 40);
    int before = vdnn_cpu_threads_begin(3);
    json_t *root = examine(&machine, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_null(problem(root, cases[i].name));
    json_decref(root);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_write_below(*state, cases[i].path, cases[i].text);
        root = examine(&machine, NULL);
        const char *what = problem(root, cases[i].name);
        assert_non_null(what);
        assert_non_null(strstr(what, cases[i].part));
        json_decref(root);
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            vdnn_test_write_below(*state, files[f].path, files[f].text);
    }
    vdnn_cpu_threads_end(before);
}

TEST_WITH(threads_beyond_a_quota_are_a_problem, make_machine, vdnn_test_remove_folder)
{
#ifndef _OPENMP
    skip_because("this build has one thread");
#else
    vdnn_test_fault machine = machine_below(*state, RLIM_INFINITY, (uint64_t)5 << 40);
    vdnn_test_write_below(*state, "proc/self/cgroup", "0::/job\n");
    vdnn_test_write_below(*state, "sys/fs/cgroup/job/cpu.max", "100000 100000\n");
    int before = vdnn_cpu_threads_begin(omp_get_num_procs() + 1);
    json_t *root = examine(&machine, NULL);
    vdnn_cpu_threads_end(before);
    assert_non_null(strstr(problem(root, "threads"), "share the time of 1 cores"));
    assert_int_equal(json_integer_value(fact(root, "processor", "cores_by_quota")), 1);
    json_decref(root);
#endif
}

TEST_WITH(limits_too_small_are_problems_unless_the_process_may_pass_them, make_machine,
          vdnn_test_remove_folder)
{
    vdnn_test_fault machine = machine_below(*state, 65536, 5 << 20);
    json_t *root = examine(&machine, NULL);
    assert_non_null(strstr(problem(root, "memlock"), "64.00 KiB"));
    assert_non_null(strstr(problem(root, "disk"), "5.00 MiB"));
    json_decref(root);
    vdnn_test_write_below(*state, "proc/self/status", "CapEff:\t000001ffffffffff\n");
    root = examine(&machine, NULL);
    assert_null(problem(root, "memlock"));
    assert_non_null(problem(root, "disk"));
    json_decref(root);
}

TEST_WITH(what_cannot_be_read_is_not_known_and_no_error, make_machine, vdnn_test_remove_folder)
{
    vdnn_test_fault nothing = {
        .calls = VDNN_TEST_EVERY_CALL, .nth = 1, .lasting = true, .error = EIO};
    json_t *root = examine(&nothing, NULL);
    assert_true(json_is_null(fact(root, "system", "kernel")));
    assert_true(json_is_null(fact(root, "memory", "available_bytes")));
    assert_true(json_is_null(fact(root, "memory", "lockable_bytes")));
    assert_true(json_is_null(fact(root, "disk", "free_here_bytes")));
    assert_non_null(problem(root, "measuring"));
    json_decref(root);
}

TEST_WITH(of_the_environment_only_what_concerns_vdnn_is_shown_and_plainly, make_machine,
          vdnn_test_remove_folder)
{
    static const char *const environment[] = {"VDNN_POLICY=all",   "SECRET=word",
                                              "OMP_NUM_THREADS=2", "VDNN_MODEL=a\033[2Jb",
                                              "VDNN_NOTHING",      NULL};
    vdnn_test_fault none = {.nth = 0};
    json_t *root = examine(&none, environment);
    assert_int_equal(json_object_size(json_object_get(root, "environment")), 3);
    assert_string_equal(json_string_value(fact(root, "environment", "VDNN_POLICY")), "all");
    assert_string_equal(json_string_value(fact(root, "environment", "VDNN_MODEL")), "a?[2Jb");
    json_decref(root);
    vdnn_text text = {0};
    assert_ok(vdnn_doctor_write(environment, VDNN_REPORT_TABLE, &text));
    assert_non_null(strstr(text.data, "\n  OMP_NUM_THREADS=2\n"));
    assert_null(strstr(text.data, "SECRET"));
    assert_null(strchr(text.data, '\033'));
    assert_status(vdnn_doctor_write(environment, VDNN_REPORT_HTML, &text), VDNN_USAGE);
    vdnn_text_fini(&text);
}

/* Reports of bugs are read by strangers. */
TEST_WITH(of_a_secret_it_is_only_said_that_there_is_one, make_machine, vdnn_test_remove_folder)
{
    static const char *const environment[] = {
        "VDNN_WORLD_SECRET=topsecret123", "VDNN_API_TOKEN=topsecret123",
        "OMP_PASSWORD=topsecret123", "VDNN_WORLD_ADDRESS=node1:29400", NULL};
    static const vdnn_report_format formats[] = {VDNN_REPORT_TABLE, VDNN_REPORT_JSON};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        vdnn_text text = {0};
        assert_ok(vdnn_doctor_write(environment, formats[i], &text));
        assert_null(strstr(text.data, "topsecret123"));
        assert_null(strstr(text.data, "\ncard\n")); /* this machine has none */
        assert_non_null(strstr(text.data, "VDNN_WORLD_SECRET"));
        assert_non_null(strstr(text.data, "node1:29400"));
        vdnn_text_fini(&text);
    }
}

int main(void)
{
    (void)setenv("CUDA_VISIBLE_DEVICES", "",
                 1); /* a machine without a card, whatever this one has */
    return vdnn_test_main(NULL, NULL);
}

/* ---- what a run says of the machine ---------------------------------------------------------- */

static void keep(void *context, vdnn_log_level level, const char *text)
{
    vdnn_text_add(context, "%d %s\n", (int)level, text);
}

/* The lines with a part, of a run that is only set up. The caller frees. */
static char *lines_with(const vdnn_test_fault *machine, const char *device, const char *part)
{
    vdnn_text all = {0}, found = {0};
    vdnn_session *session = NULL;
    const vdnn_session_options options = {
        .size = sizeof options, .model = "models/lenet.yaml", .device = device, .dry_run = true};
    const vdnn_messages messages = {.size = sizeof messages, .log = keep, .context = &all};
    vdnn_test_fault_begin(machine);
    vdnn_status status = vdnn_session_create(&options, &messages, &session);
    vdnn_session_destroy(session);
    (void)vdnn_test_fault_end();
    assert_ok(status);
    for (char *rest = all.data, *one; rest != NULL && (one = strsep(&rest, "\n")) != NULL;)
        if (strstr(one, part) != NULL)
            vdnn_text_add(&found, "%s\n", one);
    vdnn_text_fini(&all);
    return found.data;
}

TEST_WITH(a_run_on_a_busy_machine_says_so_in_one_line, make_machine, vdnn_test_remove_folder)
{
    static const struct {
        const char *load, *device, *line;
    } cases[] = {
        {"127.95 130 4 3/400 77\n", "cpu", NULL},
        {"128.31 4 4 3/400 77\n", "cpu", "a load of 128.3 on 128 cores"},
        {"128.31 4 4 3/400 77\n", "sim:models/devices/p100.yaml", NULL}, /* is as fast as ever */
        {"", "cpu", NULL},
    };
    vdnn_test_fault machine = machine_below(*state, RLIM_INFINITY, (uint64_t)5 << 40);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_write_below(*state, "proc/loadavg", cases[i].load);
        char *lines = lines_with(&machine, cases[i].device, "busy");
        if (cases[i].line == NULL)
            assert_null(lines);
        else
            assert_non_null(strstr(lines, cases[i].line));
        free(lines);
    }
}
