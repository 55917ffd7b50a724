#ifndef VDNN_RUNTIME_TRAIN_TRAINING_TRAINING_INTERNAL_H
#define VDNN_RUNTIME_TRAIN_TRAINING_TRAINING_INTERNAL_H

/* Shared by the parts of a training (training.h).
 *
 *     training.c           begin, step, end
 *     training_memory.c    the tiers, and the places that batches are read to
 *     training_batches.c   data, and the batch that the next step loads
 *     training_samples.c   what steps took
 *     training_trace.c     the timeline of some
 *     evaluation.c         the share of test data that is classified correctly
 *     prediction.c         the scores of samples without labels
 *     change_plan.c        another plan between two steps
 *     nonfinite.c          what devices tell each other of a step, and whether it diverged
 *     replay.c             a step run twice from the same state
 *     replicas.c           whether devices have the same parameters
 *
 * Threads: the one that drives the run.
 */

#include "runtime/train/training/training.h"

static inline bool vdnn_training_is_simulated(const vdnn_training_run *run)
{
    return run->request.setup->properties.simulated;
}

static inline double vdnn_training_now(const vdnn_training_run *run)
{
    return vdnn_device_now(run->request.setup->device);
}

/* Both have what the options ask for. */
vdnn_status vdnn_training_create_executor(vdnn_training_run *run, const vdnn_plan *plan);
vdnn_step_context vdnn_training_context(const vdnn_training_run *run, uint64_t step,
                                        uint64_t first_sample);

/* Reserves the tiers of the plans, and stages a batch for each slot. */
vdnn_status vdnn_training_reserve(vdnn_training_run *run);
/* Warns where copies do not overlap with compute: most of a plan's advantage is lost then. */
void vdnn_training_tell_pageable(const vdnn_training_run *run);

vdnn_loader_request vdnn_training_load_request(const vdnn_training_run *run,
                                               const vdnn_dataset *dataset);
/* How many batches there is a place for. */
int vdnn_training_count_slots(const vdnn_setup *setup);
/* The batch that the next step loads. If that is for the step after it, there may be none, and an
 * error of reading it is returned in its turn: the loader repeats it then. */
vdnn_status vdnn_training_next_batch(vdnn_training_run *run, vdnn_executor_batch *batch);
/* An executor calls it once it has taken a batch: the loader's slot is free then. */
void vdnn_training_release_batch(void *loader);
void vdnn_training_end_load(vdnn_training_run *run);

/* Begins the next step; its batch is read. */
vdnn_status vdnn_training_begin_step(vdnn_training_run *run, bool wants_sample);

/* The loss of the whole batch is what the devices' parts of it add up to, in their order. A signal
 * to one of them is one to all. `differing`: the step of the plan where this device found that a
 * replayed step differs; -1: none. VDNN_DIVERGED, VDNN_MISMATCH: on all devices at once. */
vdnn_status vdnn_training_share_step(vdnn_training_run *run, vdnn_executor_result *result,
                                     int32_t differing);

/* Of a run with a plan of evaluations: its executor, unless there is one. */
vdnn_status vdnn_training_create_evaluation(vdnn_training_run *run);

/* Batches whose scores are read: what the loss reads, sample after sample, or a part of that, in
 * pieces, so that not all scores of a batch need be in memory: those of sequences are many. */
typedef struct vdnn_scoring {
    vdnn_training_run *run;
    const vdnn_plan *plan; /* of evaluations */
    char *packed;          /* what was read, in the network's data type */
    float *scores;         /* the same as floats */
    int64_t capacity;      /* floats of these */
    int64_t row;           /* floats of a sample */
    int64_t first, count;  /* which of a batch's floats are read; may change between batches */
    /* Called for each piece, in their order: floats of the batch from `first` on. NULL: all are one
     * piece, and in `scores` after the batch. */
    vdnn_status (*take)(void *context, int64_t first, int64_t count);
    void *context;
} vdnn_scoring;

/* The steps of the run begin again after it. VDNN_USAGE: nothing is computed, or not planned. */
vdnn_status vdnn_scoring_begin(vdnn_training_run *run, int64_t capacity, vdnn_scoring *own);
/* One batch, whose inputs are as those of a loader's slot. */
vdnn_status vdnn_scoring_run(vdnn_scoring *own, void *const *inputs, uint64_t number,
                             uint64_t first_sample);
void vdnn_scoring_end(vdnn_scoring *own);

/* Whether the next step is run twice. */
bool vdnn_training_is_replayed(const vdnn_training_run *run);
/* Such a step, in the place of begin and finish; none is in flight before it and after it. Where it
 * differs the parameters are those from before it. */
vdnn_status vdnn_training_replay(vdnn_training_run *run, vdnn_executor_result *result);
/* The first number of completed steps, beyond those, at which none may be in flight. */
int64_t vdnn_training_next_pause(const vdnn_training_run *run);
/* Whether replicas are compared after the step that has just ended. */
bool vdnn_training_compares_replicas(const vdnn_training_run *run);

/* Reserves an item for one more, after those of the steps in flight. */
vdnn_status vdnn_training_reserve_sample(vdnn_training_run *run);
/* The sample of the step that has ended. Its time counts from the end of the one before it, or from
 * its begin if none was in flight. */
vdnn_sample vdnn_training_add_sample(vdnn_training_run *run, const vdnn_executor_result *result);
/* The steps of this run by their wall time; 0: there is none yet. */
double vdnn_training_steps_per_second(const vdnn_training_run *run);
void vdnn_training_take_peaks(vdnn_training_run *run, const vdnn_executor_result *result);

vdnn_status vdnn_training_trace_step(vdnn_training_run *run);

#endif
