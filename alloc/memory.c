#include "alloc/allocator.h"
#include "runtime/base/system.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct hierarchy {
    const char *controller, *mount;
    const char *limit, *use, *inactive; /* files, and the key of reclaimable bytes in memory.stat */
    const char *text;
} hierarchy;

static const hierarchy hierarchies[] = {
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file ", "cgroup memory.limit_in_bytes"},
    {"", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file ", "cgroup memory.max"},
    /* Not a hard limit, but beyond it the system reclaims pages as fast as they are touched. */
    {"", "/sys/fs/cgroup", "memory.high", "memory.current", "inactive_file ", "cgroup memory.high"},
};

/* Limits of the process itself: the field of /proc/self/statm that counts against each. */
static const struct {
    int what, field;
    const char *text;
} process_limits[] = {
    {RLIMIT_AS, 0, "RLIMIT_AS"},
    {RLIMIT_DATA, 5, "RLIMIT_DATA"},
};

/* Each file read here is smaller, or has the value within this many bytes. */
enum { TEXT_BYTES = 8192 };

/* The number after `key` at the start of a line; false if there is none (as in "max"). */
static bool read_number(const char *path, const char *key, size_t *value)
{
    char text[TEXT_BYTES];
    size_t length = strlen(key);
    if (!vdnn_system_read_text(path, text, sizeof text))
        return false;
    const char *line = text;
    while (line != NULL && strncmp(line, key, length) != 0) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    if (line == NULL)
        return false;
    char *end;
    unsigned long long number = strtoull(line + length, &end, 10);
    if (end == line + length)
        return false;
    *value = (size_t)number;
    return true;
}

static bool read_meminfo(const char *key, size_t *bytes)
{
    size_t kib;
    if (!read_number("/proc/meminfo", key, &kib))
        return false;
    *bytes = kib * 1024;
    return true;
}

/* True when `controllers` ("cpu,memory") names the controller; the unified hierarchy has none. */
static bool names_controller(const char *controllers, const char *controller)
{
    size_t length = strlen(controller);
    if (length == 0)
        return *controllers == '\0';
    for (const char *at = controllers; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, controller, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* This process's group in a hierarchy, from a line such as "4:memory:/a/b". */
static bool find_group(const hierarchy *kind, char *group, size_t size)
{
    char text[TEXT_BYTES], *rest = NULL;
    if (!vdnn_system_read_text("/proc/self/cgroup", text, sizeof text))
        return false;
    bool found = false;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && !found;
         line = strtok_r(NULL, "\n", &rest)) {
        char *controllers = strchr(line, ':');
        char *name = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (name == NULL)
            continue;
        *name = '\0';
        found = names_controller(controllers + 1, kind->controller);
        if (found)
            (void)snprintf(group, size, "%s", name + 1);
    }
    return found;
}

typedef struct group_memory {
    size_t limit_bytes, used_bytes;
} group_memory;

static bool read_group(const hierarchy *kind, const char *group, group_memory *memory)
{
    enum { LENGTH = 2 * PATH_MAX };
    char path[LENGTH];
    (void)snprintf(path, sizeof path, "%s%s/%s", kind->mount, group, kind->limit);
    if (!read_number(path, "", &memory->limit_bytes))
        return false;
    size_t inactive = 0;
    memory->used_bytes = 0;
    (void)snprintf(path, sizeof path, "%s%s/%s", kind->mount, group, kind->use);
    (void)read_number(path, "", &memory->used_bytes);
    (void)snprintf(path, sizeof path, "%s%s/memory.stat", kind->mount, group);
    (void)read_number(path, kind->inactive, &inactive);
    memory->used_bytes -= inactive < memory->used_bytes ? inactive : memory->used_bytes;
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

/* The group and all groups above it limit; in a container the mount itself may be the group. */
static void lower_by_groups(bool less_use, least *result)
{
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        char group[PATH_MAX];
        if (!find_group(&hierarchies[i], group, sizeof group))
            continue;
        for (;;) {
            group_memory memory;
            if (read_group(&hierarchies[i], group, &memory)) {
                size_t used = less_use ? memory.used_bytes : 0;
                lower(result, memory.limit_bytes > used ? memory.limit_bytes - used : 0,
                      hierarchies[i].text);
            }
            char *last = strrchr(group, '/');
            if (last == NULL)
                break;
            *last = '\0';
        }
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
