#include "alloc/allocator.h"
#include "runtime/base/machine/cgroup.h"
#include "runtime/base/system.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct hierarchy {
    const char *controller, *mount;
    const char *limit, *use;       /* files */
    const char *inactive, *active; /* keys in memory.stat, of pages of files */
    const char *text;
} hierarchy;

// clang-format off
static const hierarchy hierarchies[] = {
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file ", "total_active_file ", "cgroup memory.limit_in_bytes"},
    {"", "/sys/fs/cgroup", "memory.max", "memory.current",
     "inactive_file ", "active_file ", "cgroup memory.max"},
    /* Not a hard limit, but beyond it the system reclaims pages as fast as they are touched. */
    {"", "/sys/fs/cgroup", "memory.high", "memory.current",
     "inactive_file ", "active_file ", "cgroup memory.high"},
    /* Of a system with groups of both versions. */
    {"", "/sys/fs/cgroup/unified", "memory.max", "memory.current",
     "inactive_file ", "active_file ", "cgroup memory.max"},
    {"", "/sys/fs/cgroup/unified", "memory.high", "memory.current",
     "inactive_file ", "active_file ", "cgroup memory.high"},
};
// clang-format on

/* Limits of the process itself: the field of /proc/self/statm that counts against each. */
static const struct {
    int what, field;
    const char *text;
} process_limits[] = {
    {RLIMIT_AS, 0, "RLIMIT_AS"},
    {RLIMIT_DATA, 5, "RLIMIT_DATA"},
};

/* Each file read here is smaller. */
enum { TEXT_BYTES = 8192 };

static bool read_meminfo(const char *key, size_t *bytes)
{
    size_t kib;
    if (!vdnn_system_read_number("/proc/meminfo", key, &kib))
        return false;
    *bytes = kib * 1024;
    return true;
}

typedef struct least {
    size_t bytes;
    const char *limit;
} least;

static void lower(least *least_, size_t bytes, const char *limit)
{
    if (bytes < least_->bytes)
        *least_ = (least){bytes, limit};
}

/* What a search of the groups is for. */
typedef struct search {
    const hierarchy *kind;
    bool less_use;
    least *result;
} search;

/* Pages of files are freed as soon as memory is short, however often they were read: that puts them
 * among the active ones. */
static size_t used_bytes(const hierarchy *kind, const char *folder)
{
    size_t used = 0, inactive = 0, active = 0;
    (void)vdnn_cgroup_number(folder, kind->use, "", &used);
    (void)vdnn_cgroup_number(folder, "memory.stat", kind->inactive, &inactive);
    (void)vdnn_cgroup_number(folder, "memory.stat", kind->active, &active);
    size_t files = inactive + active;
    return used > files ? used - files : 0;
}

static void lower_by_group(void *argument, const char *folder)
{
    const search *own = argument;
    size_t limit;
    if (!vdnn_cgroup_number(folder, own->kind->limit, "", &limit))
        return;
    size_t used = own->less_use ? used_bytes(own->kind, folder) : 0;
    lower(own->result, limit > used ? limit - used : 0, own->kind->text);
}

/* The group and all groups above it limit; in a container the mount itself may be the group. */
static void lower_by_groups(bool less_use, least *result)
{
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        search own = {&hierarchies[i], less_use, result};
        vdnn_cgroup_visit(hierarchies[i].controller, hierarchies[i].mount, lower_by_group, &own);
    }
}

/* Bytes that count against a limit of the process; 0 if unknown. */
static size_t used_by_process(int field)
{
    char text[TEXT_BYTES], *rest = NULL;
    if (!vdnn_system_read_text("/proc/self/statm", text, sizeof text))
        return 0;
    const char *word = strtok_r(text, " ", &rest);
    for (int i = 0; i < field && word != NULL; i++)
        word = strtok_r(NULL, " ", &rest);
    return word == NULL ? 0 : strtoul(word, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t vdnn_memory_used(void)
{
    size_t resident = used_by_process(1), shared = used_by_process(2);
    return resident > shared ? resident - shared : 0;
}

static void lower_by_process(least *result)
{
    for (size_t i = 0; i < sizeof process_limits / sizeof *process_limits; i++) {
        struct rlimit limit;
        if (vdnn_system_getrlimit((__rlimit_resource_t)process_limits[i].what, &limit) != 0 ||
            limit.rlim_cur == RLIM_INFINITY)
            continue;
        size_t used = used_by_process(process_limits[i].field);
        lower(result, limit.rlim_cur > used ? limit.rlim_cur - used : 0, process_limits[i].text);
    }
}

size_t vdnn_memory_available(const char **limit)
{
    least result = {SIZE_MAX, "nothing"};
    size_t bytes;
    if (read_meminfo("MemAvailable:", &bytes))
        lower(&result, bytes, "MemAvailable");
    lower_by_groups(true, &result);
    lower_by_process(&result);
    *limit = result.limit;
    return result.bytes;
}

size_t vdnn_memory_total(void)
{
    least result = {SIZE_MAX, "nothing"};
    size_t bytes;
    if (read_meminfo("MemTotal:", &bytes))
        lower(&result, bytes, "MemTotal");
    lower_by_groups(false, &result);
    return result.bytes;
}
