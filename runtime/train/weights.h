#ifndef VDNN_RUNTIME_TRAIN_WEIGHTS_H
#define VDNN_RUNTIME_TRAIN_WEIGHTS_H

/* Weights: made from a seed, read from a file, written to one.
 *
 * Invariant: a fresh value is a pure function of (seed, layer, parameter, element), whatever the
 * plan. Threads: one; the device must be idle.
 *
 *     status = vdnn_weights_check(graph, "first.safetensors");      // before anything costs time
 *     status = vdnn_weights_fill(plan, device, seed, "first.safetensors");
 *     status = vdnn_weights_save(plan, device, "last.safetensors");
 */

#include "runtime/device/device.h"

/* The first values of one parameter. He (2015): normal with std sqrt(2 / fan_in); Xavier (2010):
 * uniform within sqrt(6 / (fan_in + fan_out)). */
void vdnn_weights_make(const vdnn_layer *layer, int32_t param, uint64_t seed, float *values);

/* Whether the file has exactly the parameters of the graph. VDNN_BAD_INPUT with the name that is
 * missing, of another shape, or belongs to no layer. */
vdnn_status vdnn_weights_check(const vdnn_graph *graph, const char *path);

/* Writes parameters (of the file, or fresh ones where `path` is NULL) and zeroed momenta to the
 * device. */
vdnn_status vdnn_weights_fill(const vdnn_plan *plan, vdnn_device *device, uint64_t seed,
                              const char *path);

vdnn_status vdnn_weights_save(const vdnn_plan *plan, vdnn_device *device, const char *path);

#endif
