#ifndef VDNN_RUNTIME_BASE_MACHINE_CGROUP_H
#define VDNN_RUNTIME_BASE_MACHINE_CGROUP_H

/* The control groups of this process, of both versions: a container's limits are in the files of
 * its group, and those of every group above it hold as well.
 *
 *     /sys/fs/cgroup                visited third
 *     /sys/fs/cgroup/pod            visited second
 *     /sys/fs/cgroup/pod/container  visited first, from "0::/pod/container" in /proc/self/cgroup
 *
 * Inside of a container the mount itself may be the group, and the path that of the host: folders
 * that are missing have no files.
 *
 * Invariant: a file that is missing or not understood sets no limit.
 * Threads: any.
 *
 *     vdnn_cgroup_visit("memory", "/sys/fs/cgroup/memory", lower_by_group, &least);
 *     if (vdnn_cgroup_number(folder, "memory.stat", "total_inactive_file ", &bytes)) ...
 *     int threads = cores < vdnn_cgroup_processors() ? cores : ...;
 */

#include <stdbool.h>
#include <stddef.h>

typedef void (*vdnn_cgroup_visitor)(void *argument, const char *folder);

/* Visits this process's group of `controller` below `mount`, and all above it; the controller ""
 * is that of the second version, which has one hierarchy for all. */
void vdnn_cgroup_visit(const char *controller, const char *mount, vdnn_cgroup_visitor visit,
                       void *argument);

/* vdnn_system_read_number of FOLDER/FILE. */
bool vdnn_cgroup_number(const char *folder, const char *file, const char *key, size_t *value);

/* How many processors' time this process may take (cpu.max, cpu.cfs_quota_us), rounded up: more
 * threads than that wait for the next period in the middle of their work. INT_MAX: there is no
 * quota. */
int vdnn_cgroup_processors(void);

#endif
