#ifndef VDNN_RUNTIME_EXEC_JOBS_H
#define VDNN_RUNTIME_EXEC_JOBS_H

/* A plan bound to a device: for each step the call that enqueues it, with addresses instead of
 * offsets and kernels instead of algorithms. Everything is resolved ahead, so that a training step
 * only walks the list.
 *
 * Invariant: jobs are in the order of the plan's steps; addresses are those of the tiers' blocks at
 * creation. Kernels of the same layer in one shape, pass and algorithm are one. Several rounds can
 * be in flight; the context they share is that of the round that runs, from its "begin" on.
 * Threads: one; the device's streams read the jobs' arguments between begin and end of a round.
 *
 *     status = vdnn_jobs_create(plan, device, &jobs);
 *     for (i = 0; i < plan->step_count; i++)
 *         status = vdnn_jobs_enqueue(jobs, i, &inputs);
 *     vdnn_jobs_destroy(jobs);
 */

#include "runtime/comm/collectives.h"
#include "runtime/device/device.h"
#include "runtime/exec/redzone.h"
#include "runtime/exec/step_observer.h"
#include "runtime/exec/verify.h"

typedef struct vdnn_jobs vdnn_jobs;
typedef struct vdnn_job vdnn_job;

/* Inputs outside of the plan's buffers, of one round. Live until the round is over. */
typedef struct vdnn_jobs_inputs {
    vdnn_jobs *jobs;           /* borrowed */
    const void *const *inputs; /* of LOAD, per input; NULL, for a plan that loads ahead: none */
    float *result;         /* where STORE puts the loss layer's output, that of each micro-batch */
    vdnn_nonfinite *found; /* per layer: what updates find; NULL: the device cannot note it */
    /* Per micro-batch, what its mean counts in that of the step, which depends on its labels; NULL:
     * its share of the samples. */
    const double *weights;
    vdnn_step_context context;
    const vdnn_step_observer *observer; /* borrowed; NULL: none */
} vdnn_jobs_inputs;

/* A map of a part of the channels, in stripes in a buffer: a kernel has a copy of it without gaps.
 */
typedef struct vdnn_job_stage {
    vdnn_stripes at;
    void *map, *own;
    bool reads, writes;
} vdnn_job_stage;

/* The gradient of a block of parameters in a bucket, as far as it is summed. */
typedef struct vdnn_job_block {
    size_t first; /* in the buffer */
    float *values;
    size_t count;
} vdnn_job_block;

struct vdnn_job {
    vdnn_status (*enqueue)(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs);
    /* Launches. */
    vdnn_launch launch;
    const vdnn_jobs *jobs;
    const vdnn_kernel *kernel; /* RUN and RECOMPUTE */
    vdnn_kernel_args
        args; /* RUN and RECOMPUTE; w, v, dw of UPDATE and the two of ACCUMULATE are below */
    const vdnn_layer *layer; /* RUN, RECOMPUTE, AVERAGE, UPDATE and GATHER */
    int32_t micro;           /* RUN and RECOMPUTE */
    vdnn_job_stage *stages;  /* RUN and RECOMPUTE */
    int32_t stage_count;
    void *sum;        /* written: by ACCUMULATE and REDUCE the sum, by UPDATE and GATHER the
                         parameters */
    float *state;     /* written by UPDATE: of the optimizer */
    void *copy;       /* written by UPDATE or GATHER: of the weight; NULL: none is kept */
    const void *part; /* read: the other part of a sum, the gradient, or what is sent */
    vdnn_norm *norm;  /* written by NORM, read by UPDATE; NULL: gradients are not clipped */
    bool is_first;    /* of NORM */
    int32_t peer;     /* of SEND and RECEIVE: how many ranks above this one */
    vdnn_dtype dtype; /* of ACCUMULATE */
    int64_t count;
    void *staged;           /* of REDUCE: where it is summed in host memory; NULL: in place */
    bool averages;          /* only the running statistics are updated */
    vdnn_job_block *blocks; /* of REDUCE: the blocks in the bucket, where each is a separate sum */
    int32_t block_count;
    /* Copies, loads and stores. */
    vdnn_extent to, from;
    size_t offset; /* of a load in the whole batch, of a store in the result */
    int32_t input; /* of a load: which one of the graph */
};

struct vdnn_jobs {
    const vdnn_plan *plan;               /* borrowed */
    vdnn_device *device;                 /* borrowed */
    vdnn_group *group;                   /* borrowed; NULL: the plan is for one device */
    vdnn_collectives *collectives;       /* owned: its devices'; NULL: the plan is for one device */
    vdnn_kernel_devices devices;         /* what kernels sum over the group */
    double *numbers;                     /* of all devices, during such a sum */
    const vdnn_elementwise *elementwise; /* NULL on a simulated device */
    int threads;
    vdnn_step_context context; /* of the round that runs; "begin" sets it, kernels read it. Its
                                  optimizer and clip_norm are the graph's */
    const double *weights;     /* of the round that runs */
    vdnn_nonfinite *found;     /* the same */
    bool *awaited;             /* per step: another stream, or the host, waits for it */
    vdnn_job *list;            /* per step */
    vdnn_extent *extents;      /* per access; a launch has a run of them */
    void **pointers;           /* x and dx of every run, one after the other */
    vdnn_job_stage *stages;    /* of every run, one after the other */
    vdnn_job_block *blocks;    /* of every sum whose blocks are summed one by one */
    vdnn_kernel **kernels;     /* owned, without duplicates */
    int32_t kernel_count;
    vdnn_verify *verify; /* owned; NULL: copies are not checked */
    vdnn_redzone *guard; /* owned; NULL: buffers are not */
    uint64_t *digests;   /* borrowed: per step, a hash of what it computed; NULL: none is made */
};

/* The plan is checked, and the device's tiers hold its spans. VDNN_NO_MEMORY, or the error of a
 * kernel. */
vdnn_status vdnn_jobs_create(const vdnn_plan *plan, vdnn_device *device, vdnn_jobs **jobs);
void vdnn_jobs_destroy(vdnn_jobs *jobs);

/* Gradients are summed over the group, which is borrowed. Once, by all ranks at a time; the errors
 * of vdnn_collectives_open, with which it leaves. */
vdnn_status vdnn_jobs_join(vdnn_jobs *jobs, vdnn_group *group);

/* All copies are checked from the next round on. */
vdnn_status vdnn_jobs_verify(vdnn_jobs *jobs);

/* Operations run one at a time from the next round on, and no byte past a buffer may change. */
vdnn_status vdnn_jobs_guard(vdnn_jobs *jobs);

/* When a step began and ended, after its timed round was finished. */
void vdnn_jobs_times(const vdnn_jobs *jobs, int32_t step, double *start, double *end);

vdnn_status vdnn_jobs_enqueue(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs);

#endif
