#ifndef VDNN_RUNTIME_TRAIN_FILES_TORCH_NAMES_H
#define VDNN_RUNTIME_TRAIN_FILES_TORCH_NAMES_H

/* What torchvision calls the layers of the networks that it has too: "features.0" is conv1_1 of
 * VGG-16. A network has its names if each of its layers with parameters has one.
 *
 * Invariant: names differ. Threads: const once made.
 *
 *     status = vdnn_torch_names_init(graph, &names);
 *     const char *module = vdnn_torch_names_of(&names, layer);    // NULL: the network has none
 *     vdnn_torch_names_fini(&names);
 */

#include "runtime/graph/graph.h"

typedef struct vdnn_torch_names {
    char *names; /* by the layers' indexes; NULL: torchvision has no such network */
} vdnn_torch_names;

vdnn_status vdnn_torch_names_init(const vdnn_graph *graph, vdnn_torch_names *names);
void vdnn_torch_names_fini(vdnn_torch_names *names);

/* VDNN_USAGE if torchvision does not have the network. */
vdnn_status vdnn_torch_names_check(const vdnn_graph *graph);

/* Of a layer with parameters; NULL also for one of `lora`, which keeps its name. */
const char *vdnn_torch_names_of(const vdnn_torch_names *names, const vdnn_layer *layer);

/* Whether torchvision's file has a tensor that no network here has: counters, and heads that are of
 * use in training alone. */
bool vdnn_torch_names_is_left_out(const char *name);

/* How the network differs from torchvision's where only its names are alike, as the end of a
 * message; "": it does not. */
const char *vdnn_torch_names_difference(const vdnn_graph *graph);

#endif
