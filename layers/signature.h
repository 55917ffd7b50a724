#ifndef VDNN_LAYERS_SIGNATURE_H
#define VDNN_LAYERS_SIGNATURE_H

/* Identifies a layer's work by one word: two layers with equal signatures do the same work.
 *
 *     conv(out=20,kernel=5x5,stride=1x1,...)x=64x1x28x28:f32:nchw;dx=0;needs=0,1
 *
 * Invariant: the word holds all properties that a kernel can see of a layer, without its name and
 * data; no spaces. Threads: any.
 *
 *     char *signature;
 *     status = vdnn_signature_make(layer, &signature);
 *     vdnn_heap_free(signature);
 */

#include "layers/layer.h"

/* The signature of a layer with shapes and needs. The caller owns the word. VDNN_NO_MEMORY. */
vdnn_status vdnn_signature_make(const vdnn_layer *layer, char **signature);

/* What a layer of a network's file computes, without its device: type, keys and the names of its
 * inputs, as "conv(out=20,...) from input", and of the layer whose weight it reads, NULL: none, and
 * whether it is frozen; `name` is that of messages alone. The caller owns the text. VDNN_NO_MEMORY.
 */
vdnn_status vdnn_signature_describe(const char *name, const vdnn_layer_def *def, const void *config,
                                    char *const *from, int32_t from_count, const char *weight_of,
                                    bool is_frozen, char **description);

#endif
