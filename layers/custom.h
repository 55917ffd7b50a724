#ifndef VDNN_LAYERS_CUSTOM_H
#define VDNN_LAYERS_CUSTOM_H

/* Custom layers: a public vdnn_layer_type as a definition and an algorithm like all others. They
 * compute on plain floats: maps of another data type are converted in the workspace.
 *
 * Invariant: what was added stays until the process ends; the rows come after those of the library.
 * Threads: adding by one at a time (layers/registry.c has the lock); reading by any, also
 * meanwhile.
 *
 *     status = vdnn_custom_add(&type);
 *     for (size_t i = 0; i < vdnn_custom_count(); i++)
 *         use(vdnn_custom_def(i));
 */

#include "layers/layer.h"

/* VDNN_USAGE where the type is not complete or contradicts itself, or there are too many. */
vdnn_status vdnn_custom_add(const vdnn_layer_type *type);

size_t vdnn_custom_count(void);
const vdnn_layer_def *vdnn_custom_def(size_t i);

/* Each type has its algorithm, then the one for simulated devices. */
size_t vdnn_custom_algorithm_count(void);
const vdnn_algorithm *vdnn_custom_algorithm(size_t i);

#endif
