#ifndef VDNN_MODELS_NAMES_H
#define VDNN_MODELS_NAMES_H

/* A table from the names of layers to their indexes.
 *
 * Invariant: no name is in it twice; the names are borrowed and outlive it.
 * Threads: one at a time.
 *
 *     status = vdnn_names_init(&names, model->layer_count);
 *     vdnn_names_add(&names, "conv1", 0);
 *     int32_t index = vdnn_names_find(&names, "conv1"); // 0
 *     vdnn_names_fini(&names);
 */

#include "models/model.h"

typedef struct vdnn_names {
    const char **keys; /* borrowed; open addressing, NULL: free */
    int32_t *values;
    size_t capacity; /* a power of two */
    size_t count;
} vdnn_names;

/* Reserves memory for `count` names; grows if there are more. VDNN_NO_MEMORY. */
vdnn_status vdnn_names_init(vdnn_names *names, int32_t count);
void vdnn_names_fini(vdnn_names *names);

/* Removes all names and keeps the memory. */
void vdnn_names_clear(vdnn_names *names);

/* *added is false if the name is in it already. VDNN_NO_MEMORY. */
vdnn_status vdnn_names_add(vdnn_names *names, const char *name, int32_t value, bool *added);

/* -1: unknown. */
int32_t vdnn_names_find(const vdnn_names *names, const char *name);

/* The input of a model that has the name; -1: none. */
int32_t vdnn_names_find_input(const vdnn_model *model, const char *name);

/* Inputs as sources of layers, in addition to the indexes of layers: -1 is the first one, -2 the
 * second. Its own inverse. */
static inline int32_t vdnn_names_of_input(int32_t input)
{
    return -1 - input;
}

/* The index of the layer that a layer's `from` names, or what stands for an input. VDNN_BAD_INPUT
 * with file, line and the nearest name if it is neither. */
vdnn_status vdnn_names_resolve(const vdnn_names *names, const vdnn_model *model,
                               const vdnn_layer_spec *layer, const char *from, int32_t *source);

#endif
