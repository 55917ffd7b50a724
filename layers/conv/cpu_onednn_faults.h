#ifndef VDNN_LAYERS_CONV_CPU_ONEDNN_FAULTS_H
#define VDNN_LAYERS_CONV_CPU_ONEDNN_FAULTS_H

/* Geometries for which oneDNN 2.6.3 computes wrong values, or reads and writes past its buffers.
 *
 * Invariant: pure functions of their arguments, the same on every processor.
 * Threads: any.
 *
 *     const char *why = vdnn_conv_onednn_too_large(layer);               // NULL: any
 * implementation if (vdnn_conv_onednn_is_wrong(name_of(desc), &shape, pass)) ...    // take the
 * next one
 */

#include "layers/conv/conv_shape.h"

/* Why no implementation is trusted with the layer (static text); NULL: those are that are not wrong
 * alone. */
const char *vdnn_conv_onednn_too_large(const vdnn_layer *layer);

/* Whether that implementation, by oneDNN's name of it, gives wrong values for the pass. */
bool vdnn_conv_onednn_is_wrong(const char *implementation, const vdnn_conv_shape *shape,
                               vdnn_pass pass);

#endif
