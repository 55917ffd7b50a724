#ifndef VDNN_RUNTIME_TRAIN_WEIGHTS_H
#define VDNN_RUNTIME_TRAIN_WEIGHTS_H

/* Weights and their momenta: generated from a seed, read from a file, written to one.
 *
 * Invariant: an initial value is a pure function of (seed, layer, parameter, element), whatever the
 * plan. Threads: one; the device must be idle.
 *
 *     status = vdnn_weights_check(graph, "first.safetensors");      // before anything costs time
 *     status = vdnn_weights_fill(plan, device, seed, "first.safetensors");
 *     status = vdnn_weights_save(plan, device, VDNN_WEIGHTS_VALUES, "last.safetensors", NULL);
 *     status = vdnn_weights_save(plan, device, VDNN_WEIGHTS_MOMENTA, path, &digest);
 *     status = vdnn_weights_load_momenta(plan, device, path);
 */

#include "runtime/base/output.h"
#include "runtime/device/device.h"

/* Contents of a file: all parameters, or the momenta of those that the optimizer updates, under the
 * names of the parameters. */
typedef enum vdnn_weights_kind { VDNN_WEIGHTS_VALUES, VDNN_WEIGHTS_MOMENTA } vdnn_weights_kind;

/* The initial values of one parameter. He (2015): normal with std sqrt(2 / fan_in); Xavier (2010):
 * uniform within sqrt(6 / (fan_in + fan_out)). */
void vdnn_weights_make(const vdnn_layer *layer, int32_t param, uint64_t seed, float *values);

/* Whether the file has exactly the parameters of the graph, and finite values. VDNN_BAD_INPUT with
 * the name that is missing, has another shape or belongs to no layer, or with the value's position.
 */
vdnn_status vdnn_weights_check(const vdnn_graph *graph, const char *path);

/* Writes parameters (of the file, or initial ones if `path` is NULL) and zeroed momenta to the
 * device. */
vdnn_status vdnn_weights_fill(const vdnn_plan *plan, vdnn_device *device, uint64_t seed,
                              const char *path);

/* In slices, without a complete copy. `digest`: of the file; may be NULL. */
vdnn_status vdnn_weights_save(const vdnn_plan *plan, vdnn_device *device, vdnn_weights_kind kind,
                              const char *path, vdnn_digest *digest);

/* Loads a file of VDNN_WEIGHTS_MOMENTA from vdnn_weights_save. */
vdnn_status vdnn_weights_load_momenta(const vdnn_plan *plan, vdnn_device *device, const char *path);

#endif
