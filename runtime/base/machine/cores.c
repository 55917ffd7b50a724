#include "runtime/base/machine/cores.h"

#include "runtime/base/machine/cgroup.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/system.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 8192 };

int vdnn_cores_count(const char *path, const char *key)
{
    char text[FILE_BYTES + 1] = "\n", begin[64];
    (void)snprintf(begin, sizeof begin, "\n%s", key);
    const char *list =
        vdnn_system_read_text(path, text + 1, FILE_BYTES) ? strstr(text, begin) : NULL;
    list = list == NULL ? "" : list + strlen(begin);
    list += strspn(list, " \t:");
    long count = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        count += last >= first ? last - first + 1 : 0;
        list = end + (*end == ',');
    }
    return (int)count;
}

int vdnn_cores_allowed(void)
{
    const int listed = vdnn_cores_count("/proc/self/status", "Cpus_allowed_list"),
              quota = vdnn_cgroup_processors();
    return listed > 0 && listed < quota ? listed : quota;
}

vdnn_cores_load vdnn_cores_read_load(void)
{
    char text[FILE_BYTES];
    const char *at = text;
    vdnn_cores_load now = {.load = -1,
                           .cores = vdnn_cores_count("/sys/devices/system/cpu/online", "")};
    if (vdnn_system_read_text("/proc/loadavg", text, sizeof text) && text[0] != '\0')
        now.load = vdnn_decimal_next(&at);
    return now;
}

bool vdnn_cores_are_busy(const vdnn_cores_load *now)
{
    return now->cores > 0 && now->load > now->cores;
}
