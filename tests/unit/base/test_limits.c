/* What the machine, the control groups and the limits of the process leave: on machines that are
 * simulated below a folder, without rights. */

#include "alloc/allocator.h"
#include "layers/cpu/threads.h"
#include "runtime/base/machine/cgroup.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { MIB = 1 << 20 };

/* ---- memory ---------------------------------------------------------------------------------- */

static int make_system(void **state)
{
    int error = vdnn_test_make_folder(state);
    if (error == 0)
        vdnn_test_write_below(*state, "proc/meminfo",
                              "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:   800 kB\n");
    return error;
}

/* What the library makes of the machine below `root`, where a limit of the process is as given. */
static void assert_memory_under(const vdnn_test_fault *machine, size_t available, const char *limit,
                                size_t total)
{
    const char *named = NULL;
    vdnn_test_fault_begin(machine);
    size_t found = vdnn_memory_available(&named), all = vdnn_memory_total();
    (void)vdnn_test_fault_end();
    assert_int_equal(found, available);
    assert_string_equal(named, limit);
    assert_int_equal(all, total);
}

static void assert_memory(const char *root, size_t available, const char *limit, size_t total)
{
    vdnn_test_fault machine = {.root = root, .limit = {true, RLIMIT_AS, RLIM_INFINITY}};
    assert_memory_under(&machine, available, limit, total);
}

TEST_WITH(available_memory_is_what_the_system_says, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    assert_memory(root, 800 * 1024, "MemAvailable", 1000 * 1024);
}

TEST_WITH(a_unified_group_or_one_above_it_limits_memory, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    vdnn_test_write_below(root, "proc/self/cgroup", "1:cpu:/other\n0::/a/b\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/b/memory.max", "max\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/memory.max", "600000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/memory.current", "500000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/memory.stat", "anon 7\ninactive_file 300000\n");
    assert_memory(root, 400000, "cgroup memory.max", 600000);
}

/* A file that is read again moves to the active ones, and is freed as soon as memory is short. */
TEST_WITH(pages_of_files_are_available, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    vdnn_test_write_below(root, "proc/self/cgroup", "4:memory:/a\n0::/b\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/b/memory.max", "700000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/b/memory.current", "500000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/b/memory.stat",
                          "anon 1\ninactive_file 100000\nactive_file 300000\n");
    assert_memory(root, 600000, "cgroup memory.max", 700000);
    vdnn_test_write_below(root, "sys/fs/cgroup/memory/a/memory.limit_in_bytes", "650000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/memory/a/memory.usage_in_bytes", "500000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/memory/a/memory.stat",
                          "active_file 7\ntotal_inactive_file 1\ntotal_active_file 399999\n");
    assert_memory(root, 550000, "cgroup memory.limit_in_bytes", 650000);
}

/* As systemd mounts them beside those of the first version. */
TEST_WITH(a_unified_group_beside_others_limits_memory, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    vdnn_test_write_below(root, "proc/self/cgroup", "4:memory:/\n0::/a\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/unified/a/memory.max", "500000\n");
    assert_memory(root, 500000, "cgroup memory.max", 500000);
}

/* Of nested groups the least counts, wherever it is, each less its own use. */
TEST_WITH(the_smallest_of_nested_groups_counts, make_system, vdnn_test_remove_folder)
{
    static const struct {
        const char *folder;
        long limit, use;
    } groups[] = {{"", 700000, 390000}, {"/a", 500000, 200000}, {"/a/b", 600000, 100000}};
    const char *root = *state;
    char path[128], number[32];
    vdnn_test_write_below(root, "proc/self/cgroup", "0::/a/b/c\n");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        (void)snprintf(path, sizeof path, "sys/fs/cgroup%s/memory.max", groups[i].folder);
        (void)snprintf(number, sizeof number, "%ld\n", groups[i].limit);
        vdnn_test_write_below(root, path, number);
        (void)snprintf(path, sizeof path, "sys/fs/cgroup%s/memory.current", groups[i].folder);
        (void)snprintf(number, sizeof number, "%ld\n", groups[i].use);
        vdnn_test_write_below(root, path, number);
    }
    assert_memory(root, 300000, "cgroup memory.max", 500000);
}

TEST_WITH(a_group_of_the_first_kind_limits_memory, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    vdnn_test_write_below(root, "proc/self/cgroup",
                          "9:cpuset:/x\n4:hugetlb,memory:/in/container\n0::/\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "600000\n");
    assert_memory(root, 0, "cgroup memory.limit_in_bytes", 500000);
}

TEST_WITH(the_soft_limit_of_a_group_counts_too, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    vdnn_test_write_below(root, "proc/self/cgroup", "0::/a\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/memory.max", "700000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/memory.high", "500000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/memory.current", "100000\n");
    assert_memory(root, 400000, "cgroup memory.high", 500000);
}

TEST_WITH(the_limits_of_the_process_count_less_what_it_has, make_system, vdnn_test_remove_folder)
{
    static const struct {
        int what;
        size_t used_pages;
        const char *name;
    } cases[] = {{RLIMIT_AS, 2, "RLIMIT_AS"}, {RLIMIT_DATA, 7, "RLIMIT_DATA"}};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const char *root = *state;
    vdnn_test_write_below(root, "proc/self/statm", "2 1 1 1 0 7 0\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_fault machine = {.root = root, .limit = {true, cases[i].what, 100 * page}};
        assert_memory_under(&machine, (100 - cases[i].used_pages) * page, cases[i].name,
                            1000 * 1024);
        machine.limit.bytes = page; /* used up already */
        assert_memory_under(&machine, 0, cases[i].name, 1000 * 1024);
    }
}

TEST_WITH(this_system_has_more_memory_than_is_available, make_system, vdnn_test_remove_folder)
{
    const char *limit = NULL;
    size_t available = vdnn_memory_available(&limit);
    assert_true(available > MIB);
    assert_true(available <= vdnn_memory_total());
    assert_true(strlen(limit) > 0);
}

/* ---- processors ------------------------------------------------------------------------------ */

static int processors_of(const char *root)
{
    vdnn_test_fault machine = {.root = root};
    vdnn_test_fault_begin(&machine);
    int processors = vdnn_cgroup_processors();
    (void)vdnn_test_fault_end();
    return processors;
}

TEST_WITH(a_machine_without_quotas_has_no_limit_of_processors, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    assert_int_equal(processors_of(root), INT_MAX);
    vdnn_test_write_below(root, "proc/self/cgroup", "1:cpu:/a\n0::/b\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/b/cpu.max", "max 100000\n");
    assert_int_equal(processors_of(root), INT_MAX);
}

TEST_WITH(quotas_of_both_kinds_of_groups_are_rounded_up, make_system, vdnn_test_remove_folder)
{
    static const struct {
        long quota, period;
        int processors;
    } cases[] = {{100000, 100000, 1}, {1000, 100000, 1}, {150000, 100000, 2}, {200000, 100000, 2},
                 {25000, 5000, 5},    {0, 100000, 1},    {100000, 0, INT_MAX}};
    const char *root = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        vdnn_test_write_below(root, "proc/self/cgroup", "0::/a/b\n");
        (void)snprintf(text, sizeof text, "%ld %ld\n", cases[i].quota, cases[i].period);
        vdnn_test_write_below(root, "sys/fs/cgroup/a/cpu.max", text);
        assert_int_equal(processors_of(root), cases[i].processors);
        vdnn_test_write_below(root, "proc/self/cgroup", "3:cpuset:/x\n2:cpuacct,cpu:/a/b\n");
        (void)snprintf(text, sizeof text, "%ld\n", cases[i].quota);
        vdnn_test_write_below(root, "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", text);
        (void)snprintf(text, sizeof text, "%ld\n", cases[i].period);
        vdnn_test_write_below(root, "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", text);
        assert_int_equal(processors_of(root), cases[i].processors);
    }
}

TEST_WITH(the_smallest_quota_of_nested_groups_counts, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    vdnn_test_write_below(root, "proc/self/cgroup", "0::/a/b\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/cpu.max", "900000 100000\n");
    assert_int_equal(processors_of(root), 3);
}

/* A number that somebody has set stays. */
TEST_WITH(threads_follow_the_quota, make_system, vdnn_test_remove_folder)
{
    const char *root = *state;
    vdnn_test_fault machine = {.root = root};
#ifndef _OPENMP
    skip_because("this build has one thread");
#else
    vdnn_test_write_below(root, "proc/self/cgroup", "0::/a\n");
    vdnn_test_write_below(root, "sys/fs/cgroup/a/cpu.max", "100000 100000\n");
    vdnn_test_fault_begin(&machine);
    int before = vdnn_cpu_threads_begin(omp_get_num_procs()), followed = vdnn_cpu_threads_default();
    (void)vdnn_cpu_threads_begin(omp_get_num_procs() + 3);
    int set = vdnn_cpu_threads_default();
    vdnn_cpu_threads_end(before);
    (void)vdnn_test_fault_end();
    assert_int_equal(followed, 1);
    assert_int_equal(set, omp_get_num_procs() + 3);
#endif
}
