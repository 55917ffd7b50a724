#include "runtime/base/machine/cgroup.h"

#include "runtime/base/system.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each file read here is smaller, or has the value within this many bytes. */
enum { TEXT_BYTES = 8192, PATH_BYTES = 2 * PATH_MAX };

/* ---- where they are -------------------------------------------------------------------------- */

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
static bool find_group(const char *controller, char *group, size_t size)
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
        found = names_controller(controllers + 1, controller);
        if (found)
            (void)snprintf(group, size, "%s", name + 1);
    }
    return found;
}

void vdnn_cgroup_visit(const char *controller, const char *mount, vdnn_cgroup_visitor visit,
                       void *argument)
{
    char group[PATH_MAX], folder[PATH_BYTES];
    char *last = group;
    if (!find_group(controller, group, sizeof group))
        return;
    while (last != NULL) {
        (void)snprintf(folder, sizeof folder, "%s%s", mount, group);
        visit(argument, folder);
        last = strrchr(group, '/');
        if (last != NULL)
            *last = '\0';
    }
}

/* ---- their files ----------------------------------------------------------------------------- */

bool vdnn_cgroup_number(const char *folder, const char *file, const char *key, size_t *value)
{
    char path[PATH_BYTES + NAME_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    return vdnn_system_read_number(path, key, value);
}

/* ---- processors ------------------------------------------------------------------------------ */

/* Microseconds of all processors in a period. */
static void lower(int *least, size_t quota, size_t period)
{
    size_t processors = period == 0 ? INT_MAX : quota / period + (quota % period != 0);
    if (processors == 0)
        processors = 1;
    if (processors < (size_t)*least)
        *least = (int)processors;
}

static void lower_by_first(void *argument, const char *folder)
{
    size_t quota, period;
    if (vdnn_cgroup_number(folder, "cpu.cfs_quota_us", "", &quota) &&
        vdnn_cgroup_number(folder, "cpu.cfs_period_us", "", &period))
        lower(argument, quota, period);
}

/* "150000 100000", or "max 100000". */
static void lower_by_second(void *argument, const char *folder)
{
    char text[TEXT_BYTES], path[PATH_BYTES + NAME_MAX];
    size_t quota;
    (void)snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (!vdnn_system_read_number(path, "", &quota) ||
        !vdnn_system_read_text(path, text, sizeof text))
        return;
    const char *period = strchr(text, ' ');
    if (period != NULL)
        lower(argument, quota, (size_t)strtoull(period, NULL, 10));
}

int vdnn_cgroup_processors(void)
{
    int least = INT_MAX;
    vdnn_cgroup_visit("cpu", "/sys/fs/cgroup/cpu", lower_by_first, &least);
    vdnn_cgroup_visit("", "/sys/fs/cgroup", lower_by_second, &least);
    vdnn_cgroup_visit("", "/sys/fs/cgroup/unified", lower_by_second, &least);
    return least;
}
