#ifndef VDNN_LAYERS_CONVERT_CONVERT_H
#define VDNN_LAYERS_CONVERT_CONVERT_H

/* A conversion: the layer that changes a map's layout, which the graph inserts before a layer that
 * cannot read its input's.
 *
 * Invariant: no network file names it; backward converts the gradient's layout back and needs
 * nothing.
 * Threads: const data.
 *
 *     layer->def = &vdnn_convert_def;
 *     layer->preferred = VDNN_NCHW; // what it writes
 *     status = layer->def->infer(layer);
 */

#include "layers/layer.h"

extern const vdnn_layer_def vdnn_convert_def;

#endif
