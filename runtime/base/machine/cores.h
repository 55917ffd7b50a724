#ifndef VDNN_RUNTIME_BASE_MACHINE_CORES_H
#define VDNN_RUNTIME_BASE_MACHINE_CORES_H

/* The cores of this machine: how many there are, how many this process may use, and how many
 * threads of all programs want one.
 *
 * Invariant: what cannot be read is not known, and never an error. Threads: any.
 *
 *     if (threads > vdnn_cores_allowed()) ...
 *     vdnn_cores_load now = vdnn_cores_read_load();
 *     if (vdnn_cores_are_busy(&now))
 *         printf("a load of %.1f on %d cores", now.load, now.cores);
 */

#include <stdbool.h>

/* The items of the list after `key` in a file, as "0-3,8"; 0: it is not understood. */
int vdnn_cores_count(const char *path, const char *key);

/* Those that the process may run on, or whose time its control group has, where that is less.
 * INT_MAX: it is not known. */
int vdnn_cores_allowed(void);

typedef struct vdnn_cores_load {
    double load; /* of the last minute; below 0: not known */
    int cores;   /* of the machine; 0: not known */
} vdnn_cores_load;

vdnn_cores_load vdnn_cores_read_load(void);

/* Whether more wants to run than there are cores. */
bool vdnn_cores_are_busy(const vdnn_cores_load *now);

#endif
