#ifndef VDNN_LAYERS_CONV_CPU_WINOGRAD_FILTER_H
#define VDNN_LAYERS_CONV_CPU_WINOGRAD_FILTER_H

/* Winograd's convolution by tiles: backward filter.
 *
 * Invariant: the shape alone decides each sum and its order.
 * Threads: a job belongs to one thread and its team.
 *
 *     vdnn_winograd_filter_measure(&job); // floats of workspace, by kind
 *     job.u = ...; job.shared = ...; job.members = ...;
 *     vdnn_winograd_filter_run(&job, threads);
 */

#include "layers/conv/cpu_winograd/tiles.h"

/* Finds by shape and views how tiles are distributed, and the floats of workspace. */
void vdnn_winograd_filter_measure(vdnn_winograd_job *job);
/* Computes with maps and workspace. */
void vdnn_winograd_filter_run(vdnn_winograd_job *job, int threads);

#endif
