#ifndef VDNN_TESTS_SUPPORT_PIPEDREAM_PROFILE_H
#define VDNN_TESTS_SUPPORT_PIPEDREAM_PROFILE_H

/* PipeDream's profiles of networks as chains of layers for the partitioner.
 *
 *     node4 -- Conv2d(64, 64) -- forward_compute_time=46.2, backward_compute_time=113.3,
 *              activation_size=1644167168.0, parameter_size=147712.0      a line; ms and bytes
 *         node4 -- node5                                                  whose result is read by
 * whom
 *
 * Nodes are numbered in the order in which they run, so a chain takes them in this order. Inputs
 * are left out, as their readers compute them from the batch that they load.
 *
 * Threads: one.
 *
 *     vdnn_partition_layer *layers;
 *     int32_t count = vdnn_pipedream_read("vgg16.graph.txt", &layers);   // 0: there is no file
 *     free(layers);
 */

#include "runtime/planning/partition.h"

#include <stdbool.h>

/* Sets the layers, which the caller frees with free, and returns how many there are; 0: the file
 * cannot be read, or is no profile. */
int32_t vdnn_pipedream_read(const char *path, vdnn_partition_layer **layers);

/* What PipeDream's partitioner assumes: links of 12.8 GB/s, sums that nothing hides. */
vdnn_partition_request vdnn_pipedream_request(const vdnn_partition_layer *layers, int32_t count,
                                              int32_t devices);

/* How many times as fast as one device without any copies. */
double vdnn_pipedream_speedup(const vdnn_partition_request *request,
                              const vdnn_partition *partition);

#endif
