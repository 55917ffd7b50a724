#ifndef VDNN_RUNTIME_TRAIN_WEIGHTS_H
#define VDNN_RUNTIME_TRAIN_WEIGHTS_H

/* Weights and the optimizer's slots: generated from a seed, read from a file, written to one.
 *
 * Invariant: an initial value is a pure function of (seed, layer, parameter, element), whatever the
 * plan. Threads: one; the device must be idle.
 *
 *     status = vdnn_weights_check(graph, "first.safetensors", &lacking); // before it costs time
 *     status = vdnn_weights_fill(plan, device, seed, "first.safetensors");
 *     status = vdnn_weights_save(plan, device, NULL, false, NULL, "last.safetensors");
 *     status = vdnn_weights_save_slot(plan, device, shares, slot, NULL, path, &digest);
 *     status = vdnn_weights_load_slot(plan, device, rank, slot, path);
 */

#include "models/model.h"
#include "runtime/base/output.h"
#include "runtime/train/kept.h"
#include "runtime/train/shares.h"

#include <jansson.h>

/* A file has the parameters of all layers (VDNN_KEPT_PARAMETERS), or a slot of those that the
 * optimizer updates, both under the names of the parameters. */

/* The initial values of one parameter. He (2015): normal with std sqrt(2 / fan_in); Xavier (2010):
 * uniform within sqrt(6 / (fan_in + fan_out)). */
void vdnn_weights_make(const vdnn_layer *layer, int32_t param, uint64_t seed, float *values);

/* Whether the file has exactly the parameters of the graph, by the names of its layers or by
 * torchvision's, and finite values. Of adapters it may lack some, *lacking, which begin as without
 * a file. VDNN_BAD_INPUT with the name that is missing, has another shape or belongs to no layer,
 * or with the value's position. */
vdnn_status vdnn_weights_check(const vdnn_graph *graph, const char *path, int32_t *lacking);

/* Writes parameters (of the file, or initial ones if `path` is NULL) and zeroed slots to the
 * device. */
vdnn_status vdnn_weights_fill(const vdnn_plan *plan, vdnn_device *device, uint64_t seed,
                              const char *path);

/* One parameter of a layer that owns it, or a slot of it (VDNN_KEPT_PARAMETERS: the parameter), as
 * in files, of a device that trains alone or has all of them; set: with what follows from it (the
 * copy of a weight). */
vdnn_status vdnn_weights_get(const vdnn_plan *plan, vdnn_device *device, const vdnn_layer *layer,
                             int32_t param, int32_t slot, float *values);
vdnn_status vdnn_weights_set(const vdnn_plan *plan, vdnn_device *device, const vdnn_layer *layer,
                             int32_t param, int32_t slot, const float *values);
/* The same of a block that begins at `at`, wherever that is: of a gradient. */
vdnn_status vdnn_weights_read(const vdnn_graph *graph, vdnn_device *device,
                              const vdnn_kept_block *at, const vdnn_layer *layer, int32_t param,
                              float *values);

/* Parameters, in slices, without a complete copy; by the layers' names, or by torchvision's (files/
 * torch_names.h): VDNN_USAGE if it has no such network. VDNN_DIVERGED, and no file, if a value is
 * not finite. `shares`: of stages, which lend what this one does not have; else NULL. `classes`:
 * their names (scores/class_names.h), for safetensors; NULL: none. */
vdnn_status vdnn_weights_save(const vdnn_plan *plan, vdnn_device *device, vdnn_shares *shares,
                              bool by_torch, const json_t *classes, const char *path);
/* The network with its parameters, as ONNX (runtime/train/files/onnx_nodes.h). */
vdnn_status vdnn_weights_export(const vdnn_plan *plan, vdnn_device *device, const vdnn_model *model,
                                const char *path);
/* A slot, or parameters; a slot of which devices have shares with what the others lend, else
 * `shares` is NULL. */
vdnn_status vdnn_weights_save_slot(const vdnn_plan *plan, vdnn_device *device, vdnn_shares *shares,
                                   int32_t slot, const json_t *classes, const char *path,
                                   vdnn_digest *digest);

/* Loads a slot from such a file, or the share that the device of this rank has of it; those of
 * running statistics stay. */
vdnn_status vdnn_weights_load_slot(const vdnn_plan *plan, vdnn_device *device, int32_t rank,
                                   int32_t slot, const char *path);

#endif
