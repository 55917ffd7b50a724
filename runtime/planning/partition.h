#ifndef VDNN_RUNTIME_PLANNING_PARTITION_H
#define VDNN_RUNTIME_PLANNING_PARTITION_H

/* Partitions: a chain of layers cut into stages, each on one device or replicated over several, so
 * that the slowest stage is as fast as possible. Every layer is in one stage, stages have
 * consecutive layers, and all devices are used. A network that is no chain is one in the order of
 * its layers, if a cut's bytes are those of all tensors that are read on its other side.
 *
 *     layers   0  1  2  3  |  4  5  |  6        cuts after layers 3 and 5
 *     devices   0 and 1    |   2    |  3        2, 1 and 1 replicas
 *
 * With r replicas each takes every r-th micro-batch. The seconds of a stage for a micro-batch are
 * the largest of
 *
 *     compute / r + sums                                  sums: parameter_bytes x sum_factor
 *     cut_factor x cut_bytes / (bandwidth x r)                  x (r - 1) / r / bandwidth / n
 *
 * of the cut before it and of the cut after it, which are copied during compute; gradients are
 * summed once in n micro-batches: `micro_batches`, or r where that is 0. This is the model of
 * PipeDream's partitioner (SOSP 2019, section 3.1) for factors of 2 and 4 and 0 micro-batches.
 *
 * Invariant: `seconds` is the least of all partitions that the request allows; the same request
 * gives the same partition. Threads: any.
 *
 *     const vdnn_partition_request request = {.layers = layers, .layer_count = count,
 *                                             .devices = 4, .bandwidth = 12.8e9,
 *                                             .cut_factor = 2, .sum_factor = 2};
 *     vdnn_partition partition = {0};
 *     status = vdnn_partition_find(&request, &partition);   // VDNN_NO_FIT: memory
 *     for (int32_t s = 0; s < partition.stage_count; s++)
 *         ... partition.stages[s].first to partition.stages[s].last ...
 *     vdnn_partition_fini(&partition);
 */

#include "runtime/base/status.h"
#include "runtime/graph/pipeline_schedule.h"

typedef struct vdnn_partition_layer {
    double forward_seconds, backward_seconds; /* of a micro-batch, on one device */
    double cut_bytes;       /* of a micro-batch: all tensors from this layer or one before it that a
                               layer after it reads; INFINITY: the chain cannot be cut here */
    double parameter_bytes; /* of its gradients, which replicas sum */
    double resident_bytes;  /* parameters, gradients, the optimizer's state */
    double stash_bytes;     /* of a micro-batch: from its forward to its backward pass */
} vdnn_partition_layer;

typedef struct vdnn_partition_request {
    const vdnn_partition_layer *layers; /* borrowed */
    int32_t layer_count;                /* at least 1 */
    int32_t devices;                    /* at least 1 */
    double bandwidth;                   /* bytes per second of a device's link, INFINITY: free */
    double cut_factor;      /* times that a cut's bytes cross a link: 2, maps and their gradients */
    double sum_factor;      /* times that a device's share of parameter bytes does: 2 by ring */
    int32_t micro_batches;  /* in a step, of all replicas together, after which gradients are
                               summed; 0: once each replica has had one */
    int32_t stages;         /* that many; 0: any number */
    int32_t replicas;       /* that many of every stage; 0: any number of each */
    double memory_bytes;    /* of a device; 0: treated as unlimited */
    vdnn_schedule schedule; /* determines how many micro-batches are in flight on a device */
} vdnn_partition_request;

typedef struct vdnn_partition_stage {
    int32_t first, last; /* layers */
    int32_t replicas;
    double seconds;      /* for a micro-batch, by the formula above */
    double memory_bytes; /* of one of its devices: what is resident, and the stash of the
                            micro-batches in flight */
} vdnn_partition_stage;

typedef struct vdnn_partition {
    vdnn_partition_stage *stages; /* owned; in the order of the layers */
    int32_t stage_count;
    double seconds; /* of the slowest stage */
} vdnn_partition;

/* Frees what *partition holds; the caller sets it to {0} before the first call. VDNN_USAGE: there
 * are fewer places to cut than the stages require, or stages and replicas do not make `devices`.
 * VDNN_NO_FIT: memory is too small for every partition. VDNN_NO_MEMORY. */
vdnn_status vdnn_partition_find(const vdnn_partition_request *request, vdnn_partition *partition);
void vdnn_partition_fini(vdnn_partition *partition); /* accepts {0} */

#endif
