#ifndef VDNN_RUNTIME_DEVICE_CPU_TEAM_H
#define VDNN_RUNTIME_DEVICE_CPU_TEAM_H

/* Whether the system lets this process start the threads that a CPU device computes with.
 *
 * OpenMP starts them when a kernel first runs, and ends the process where it cannot: a limit of
 * tasks has to be found before.
 *
 * Invariant: no thread is left.
 * Threads: any.
 *
 *     status = vdnn_cpu_team_check(threads, devices);
 */

#include "runtime/base/status.h"

/* `threads`: of each of that many devices. VDNN_DEVICE, with how many the system lets it start. */
vdnn_status vdnn_cpu_team_check(int threads, int devices);

#endif
