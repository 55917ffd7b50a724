#ifndef VDNN_RUNTIME_EXEC_JOB_RUNS_H
#define VDNN_RUNTIME_EXEC_JOB_RUNS_H

/* What launches do on their streams: the `run` of a job's launch, whose `argument` is the job.
 *
 * Invariant: nothing of a job changes but its kernel's stream and weight. Threads: the one that
 * drives the stream.
 *
 *     job->launch.run = vdnn_job_run_update;
 *     job->launch.argument = job;
 */

#include "runtime/exec/jobs.h"

/* RUN and RECOMPUTE: the kernel, between what is staged before and after it. */
vdnn_status vdnn_job_run_kernel(void *argument, void *stream);

/* Whether each device updates a share of the job's parameters. */
bool vdnn_job_is_shared(const vdnn_job *job);

/* UPDATE and AVERAGE; NORM; ACCUMULATE. */
vdnn_status vdnn_job_run_update(void *argument, void *stream);
vdnn_status vdnn_job_run_norm(void *argument, void *stream);
vdnn_status vdnn_job_run_accumulate(void *argument, void *stream);

/* REDUCE, on a separate stream, where it waits for the other devices: all of the bucket, of which
 * what is staged is summed by devices whose memory is the host's; or block by block, as each device
 * has a share of each and sums what it updates. GATHER. */
vdnn_status vdnn_job_run_reduce(void *argument, void *stream);
vdnn_status vdnn_job_run_scatter(void *argument, void *stream);
vdnn_status vdnn_job_run_gather(void *argument, void *stream);
vdnn_status vdnn_job_run_send(void *argument, void *stream);
vdnn_status vdnn_job_run_receive(void *argument, void *stream);

/* A kernel's numbers over all devices (vdnn_kernel_devices), whose context are the jobs: on the
 * compute stream, which waits for that of the others. */
vdnn_status vdnn_jobs_sum_numbers(void *context, double *numbers, size_t count);

#endif
