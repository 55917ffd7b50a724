#include "runtime/device/cpu/team.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <string.h>

/* In addition to the teams: the streams, threads that plan, load, watch and sum. */
enum { OTHERS = 12 };

/* Two threads have a team: the one that makes weights and reserves memory, and the stream that
 * computes. */
enum { TEAMS = 2 };

static void *wait_for_all(void *gate)
{
    (void)pthread_mutex_lock(gate);
    (void)pthread_mutex_unlock(gate);
    return NULL;
}

vdnn_status vdnn_cpu_team_check(int threads, int devices)
{
    int count = devices * (TEAMS * (threads - 1) + OTHERS), started = 0, error = 0;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    if (threads <= 1)
        return VDNN_OK;
    pthread_t *all = vdnn_heap_calloc((size_t)count, sizeof *all);
    if (all == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cpu: no memory for %d threads", count);
    (void)pthread_mutex_lock(&gate);
    while (started < count && error == 0) {
        error = vdnn_system_start_thread(&all[started], wait_for_all, &gate);
        started += error == 0;
    }
    (void)pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++)
        (void)pthread_join(all[i], NULL);
    (void)pthread_mutex_destroy(&gate);
    vdnn_heap_free(all);
    if (error == 0)
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_DEVICE,
        "cpu: the system starts %d threads, and %d compute threads take %d in all (%s): fewer "
        "compute threads fit its limit, by ulimit -u or the pids.max of a cgroup",
        started, threads * devices, count, strerror(error));
}
