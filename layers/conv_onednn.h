#ifndef VDNN_LAYERS_CONV_ONEDNN_H
#define VDNN_LAYERS_CONV_ONEDNN_H

/* Convolution by oneDNN in the layouts that oneDNN likes best: maps and weights are reordered into
 * the workspace first, the result out of it last.
 *
 *     workspace   | x blocked | w blocked | y blocked | scratchpad |
 *                 a part is absent where oneDNN works on the plain tensor; each starts at 64 bytes
 *
 * Invariant: nothing is allocated for data; a run touches its arguments and the workspace only. The
 * workspace and the bits depend on the thread count.
 * Threads: a state is used by one thread at a time.
 *
 *     status = vdnn_conv_onednn_workspace(dnnl_convolution_direct, layer, pass, threads, &bytes);
 *     status = vdnn_conv_onednn_create(dnnl_convolution_direct, layer, pass, threads, &state);
 *     status = vdnn_conv_onednn_run(kernel, args);
 *     vdnn_conv_onednn_destroy(state);
 */

#include "layers/layer.h"

#include <dnnl.h>

/* The functions of a vdnn_algorithm row, for one of oneDNN's algorithms. */
vdnn_status vdnn_conv_onednn_workspace(dnnl_alg_kind_t kind, const vdnn_layer *layer,
                                       vdnn_pass pass, int threads, size_t *bytes);
vdnn_status vdnn_conv_onednn_create(dnnl_alg_kind_t kind, const vdnn_layer *layer, vdnn_pass pass,
                                    int threads, void **state);
void vdnn_conv_onednn_destroy(void *state);
vdnn_status vdnn_conv_onednn_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* True when oneDNN has an implementation of `kind` for this layer and pass on this processor. */
bool vdnn_conv_onednn_exists(dnnl_alg_kind_t kind, const vdnn_layer *layer, vdnn_pass pass,
                             int threads);

/* The name oneDNN gives to the implementation that a state runs; borrowed from the state. */
const char *vdnn_conv_onednn_implementation(const void *state);

#endif
