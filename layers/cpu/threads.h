#ifndef VDNN_LAYERS_CPU_THREADS_H
#define VDNN_LAYERS_CPU_THREADS_H

/* Threads of the CPU kernels: how many a library may use, and a parallel loop.
 *
 * OpenMP, and with it oneDNN, takes the number of threads from the calling thread's setting, so a
 * kernel sets it around its calls and restores it.
 *
 * Invariant: between begin and end a team has exactly `threads` members, whatever the caller's
 * setting was. A build without OpenMP runs loops on the calling thread.
 * Threads: any; each has its own setting.
 *
 *     int before = vdnn_cpu_threads_begin(kernel->threads);
 *     dnnl_sgemm(...);
 *     vdnn_cpu_threads_end(before);
 *     vdnn_cpu_threads_loop(kernel->threads, tiles, compute_tile, &job);
 */

#include <stdint.h>

/* The most threads of a team: oneDNN 2.6.3 writes past arrays on its stack from 1026 on. */
enum { VDNN_CPU_MOST_THREADS = 1024 };

/* The calling thread's team size, by default OMP_NUM_THREADS, else all cores of the process, or as
 * many as its control groups leave time on; at most VDNN_CPU_MOST_THREADS. */
int vdnn_cpu_threads_default(void);

/* As many, or 1 in a child of a process that called it: fork copies the calling thread, and not the
 * team that OpenMP keeps for it and would wait for. Threads that the child starts have their own.
 */
int vdnn_cpu_threads_of_caller(int threads);

/* Sets the calling thread's team size; returns the argument of end. */
int vdnn_cpu_threads_begin(int threads);
void vdnn_cpu_threads_end(int before);

/* Calls body(argument, i, member) once for every i in [0, count), on up to `threads` threads;
 * member is below `threads` and unique to a thread. The member of an i is not fixed, so results
 * must not depend on it. */
void vdnn_cpu_threads_loop(int threads, int64_t count,
                           void (*body)(void *argument, int64_t i, int member), void *argument);

#endif
