#ifndef VDNN_RUNTIME_PLANNING_PIPELINE_CLOCK_H
#define VDNN_RUNTIME_PLANNING_PIPELINE_CLOCK_H

/* A training step of a pipeline on the clock: passes in the order of the schedule, sends to the
 * neighbors, and what each stage does after its last pass: sums of gradients that are not hidden,
 * updates.
 *
 *     stage 0   F0 F1 .  .  .  .  .  B0 B0 .  .  B1 B1 | update
 *        sends    F0 F1             /        /
 *     stage 1   .  . F0 B0 B0 F1 B1 B1 | update
 *        sends              B0      B1
 *
 * All replicas of a stage are alike, so one of each is simulated. A stage has one link to all of
 * its neighbors, which sends in the same direction share.
 *
 * Invariant: with free links the step is the longest path through the passes. The same pipeline
 * takes the same seconds, to the last digit. Threads: pure.
 *
 *     const vdnn_pipeline pipeline = {.stages = stages, .stage_count = 4, .micro_count = 8,
 *                                     .schedule = VDNN_SCHEDULE_1F1B,
 *                                     .neighbor = {.bytes_per_second = 12e9}};
 *     status = vdnn_pipeline_time(&pipeline, &times);
 */

#include "runtime/base/status.h"
#include "runtime/graph/pipeline_schedule.h"
#include "runtime/profile/rates.h"

typedef struct vdnn_pipeline_stage {
    double forward_seconds, data_seconds, filter_seconds; /* of a micro-batch */
    double next_bytes;  /* of a micro-batch, to the next stage; as many come as their gradients */
    double end_seconds; /* after its last pass */
} vdnn_pipeline_stage;

typedef struct vdnn_pipeline {
    const vdnn_pipeline_stage *stages; /* borrowed */
    int32_t stage_count;               /* 1 to VDNN_PIPELINE_STAGES */
    int32_t micro_count;
    vdnn_schedule schedule;
    vdnn_reduce_way neighbor; /* a send: its latency and bytes per second */
} vdnn_pipeline;

enum { VDNN_PIPELINE_STAGES = 128 };

typedef struct vdnn_pipeline_times {
    double step_seconds;
    double bubble; /* the share of the time up to the last pass in which stages compute nothing */
} vdnn_pipeline_times;

/* VDNN_NO_MEMORY. */
vdnn_status vdnn_pipeline_time(const vdnn_pipeline *pipeline, vdnn_pipeline_times *times);

#endif
