#ifndef VDNN_RUNTIME_PLANNING_PIPELINE_CLOCK_H
#define VDNN_RUNTIME_PLANNING_PIPELINE_CLOCK_H

/* A training step of a pipeline on the clock: passes in the order of the schedule, sends to the
 * neighbors, sums of gradients over the replicas of each stage, updates.
 *
 *     stage 0   F0 F1 .  .  .  .  .  B0 B0 .  .  B1 B1 | sum | update
 *        sends    F0 F1             /        /
 *     stage 1   .  . F0 B0 B0 F1 B1 B1 | sum | update
 *        sends              B0      B1
 *
 * All replicas of a stage are alike, so one of each is simulated. A stage has one link to all of
 * its neighbors: sends in the same direction, and its sums, share it. A bucket of gradients is
 * summed while the last pass of the stage computes those of the next one.
 *
 * Invariant: with free links and sums the step is the longest path through the passes. The same
 * pipeline takes the same seconds, to the last digit. Threads: pure.
 *
 *     const vdnn_pipeline pipeline = {.stages = stages, .stage_count = 4, .micro_count = 8,
 *                                     .schedule = VDNN_SCHEDULE_1F1B, .rates = &rates,
 *                                     .neighbor = {.bytes_per_second = 12e9}};
 *     status = vdnn_pipeline_time(&pipeline, &times);
 */

#include "runtime/base/status.h"
#include "runtime/graph/pipeline_schedule.h"
#include "runtime/profile/rates.h"

/* A bucket of gradients that the replicas of a stage sum. */
typedef struct vdnn_pipeline_sum {
    double share; /* of the last backward pass: what of it has run when the bucket is complete */
    size_t bytes;
} vdnn_pipeline_sum;

typedef struct vdnn_pipeline_stage {
    double forward_seconds, data_seconds, filter_seconds; /* of a micro-batch */
    double next_bytes; /* of a micro-batch, to the next stage; as many come as their gradients */
    double update_seconds;
    const vdnn_pipeline_sum *sums; /* borrowed; by increasing share */
    int32_t sum_count;             /* 0: the stage has no other replica */
} vdnn_pipeline_stage;

typedef struct vdnn_pipeline {
    const vdnn_pipeline_stage *stages; /* borrowed */
    int32_t stage_count;               /* 1 to VDNN_PIPELINE_STAGES */
    int32_t micro_count;
    vdnn_schedule schedule;
    vdnn_reduce_way neighbor; /* a send: its latency and bytes per second */
    const vdnn_rates *rates;  /* borrowed; of the sums, if there are any */
} vdnn_pipeline;

enum { VDNN_PIPELINE_STAGES = 128 };

typedef struct vdnn_pipeline_times {
    double step_seconds;
    double exposed_sum_seconds; /* the most of any stage between its last pass and its update */
    double bubble; /* the share of the time up to the last pass in which stages compute nothing */
} vdnn_pipeline_times;

/* VDNN_NO_MEMORY. */
vdnn_status vdnn_pipeline_time(const vdnn_pipeline *pipeline, vdnn_pipeline_times *times);

#endif
