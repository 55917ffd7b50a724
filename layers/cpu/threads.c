#include "layers/cpu/threads.h"

#include "runtime/base/machine/cgroup.h"

#include <stdatomic.h>
#include <unistd.h>

int vdnn_cpu_threads_of_caller(int threads)
{
    static atomic_int first;
    int nobody = 0;
    const int process = (int)getpid();
    (void)atomic_compare_exchange_strong(&first, &nobody, process);
    return atomic_load(&first) == process ? threads : 1;
}

#ifdef _OPENMP
#include <omp.h>

/* OpenMP knows the processors that the process is bound to, not how much of their time it has. A
 * setting of another number was made by somebody. */
int vdnn_cpu_threads_default(void)
{
    const int all = omp_get_max_threads(), quota = vdnn_cgroup_processors();
    const int most = all == omp_get_num_procs() && quota < all ? quota : all;
    return most < VDNN_CPU_MOST_THREADS ? most : VDNN_CPU_MOST_THREADS;
}

int vdnn_cpu_threads_begin(int threads)
{
    int before = omp_get_max_threads();
    if (before != threads)
        omp_set_num_threads(threads);
    return before;
}

void vdnn_cpu_threads_end(int before)
{
    if (before != omp_get_max_threads())
        omp_set_num_threads(before);
}

void vdnn_cpu_threads_loop(int threads, int64_t count,
                           void (*body)(void *argument, int64_t i, int member), void *argument)
{
    if (threads > count)
        threads = (int)count;
    if (threads <= 1) {
        for (int64_t i = 0; i < count; i++)
            body(argument, i, 0);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t i = 0; i < count; i++)
        body(argument, i, omp_get_thread_num());
}

#else

/* Of the OpenMP that the libraries use. */
void omp_set_num_threads(int threads);

int vdnn_cpu_threads_default(void)
{
    return 1;
}

/* The libraries use OpenMP even in such a build. They too stay on the calling thread, where a
 * thread sanitizer can follow them. */
int vdnn_cpu_threads_begin(int threads)
{
    omp_set_num_threads(1);
    return threads;
}

void vdnn_cpu_threads_end(int before)
{
    (void)before;
}

void vdnn_cpu_threads_loop(int threads, int64_t count,
                           void (*body)(void *argument, int64_t i, int member), void *argument)
{
    (void)threads;
    for (int64_t i = 0; i < count; i++)
        body(argument, i, 0);
}

#endif
