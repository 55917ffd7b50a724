#ifndef VDNN_LAYERS_CONV_CPU_ONEDNN_H
#define VDNN_LAYERS_CONV_CPU_ONEDNN_H

/* Convolution by oneDNN on maps in the layer's format: NCHW or nChw16c, f32 or bf16. If oneDNN has
 * a kernel for it, a map is read and written in place; otherwise it is reordered into the workspace
 * first, or out of it last. So are weights.
 *
 *     workspace   | x chosen | w chosen | y chosen | scratchpad |
 *                 a part is absent if oneDNN works on the tensor itself; each starts at 64 bytes
 *
 * Invariant: nothing is allocated for data; a run accesses its arguments and the workspace only.
 * The workspace and the bits depend on the thread count.
 * Threads: a state is used by one thread at a time.
 *
 *     status = vdnn_conv_onednn_workspace(kernel, &bytes);
 *     status = vdnn_conv_onednn_create(kernel, &state);
 *     status = vdnn_conv_onednn_run(kernel, args);
 *     vdnn_conv_onednn_destroy(state);
 */

#include "layers/conv/conv_shape.h"

#include <dnnl.h>

/* NULL: the layer's maps are supported. */
const char *vdnn_conv_onednn_refusal(const vdnn_kernel *kernel);

/* The functions of a vdnn_algorithm row; its variant is one of oneDNN's algorithms. */
vdnn_status vdnn_conv_onednn_workspace(const vdnn_kernel *kernel, size_t *bytes);
vdnn_status vdnn_conv_onednn_create(const vdnn_kernel *kernel, void **state);
void vdnn_conv_onednn_destroy(void *state);
vdnn_status vdnn_conv_onednn_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* True if oneDNN has an implementation of the row's algorithm for this layer and pass on this
 * processor. */
bool vdnn_conv_onednn_exists(const vdnn_kernel *kernel);

/* oneDNN's name of the implementation that a state runs; borrowed from the state. */
const char *vdnn_conv_onednn_implementation(const void *state);

/* True if a state reorders a map before or after it. */
bool vdnn_conv_onednn_reorders_maps(const void *state);

/* The row vdnn_conv_NAME of the registry, computed by oneDNN's algorithm KIND; WORK and TILE as in
 * vdnn_algorithm. */
#define VDNN_CONV_ONEDNN_ROW(NAME, KIND, REFUSAL, WORK, TILE)                                      \
    const vdnn_algorithm vdnn_conv_##NAME = {                                                      \
        .layer_type = "conv",                                                                      \
        .name = #NAME,                                                                             \
        .device = "cpu",                                                                           \
        .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,      \
        .deterministic = true,                                                                     \
        .multiplies_all = (KIND) == dnnl_convolution_direct,                                       \
        .pictures_only = (KIND) != dnnl_convolution_direct,                                        \
        .variant = &(const dnnl_alg_kind_t){KIND},                                                 \
        .refusal = (REFUSAL),                                                                      \
        .workspace = vdnn_conv_onednn_workspace,                                                   \
        .create = vdnn_conv_onednn_create,                                                         \
        .destroy = vdnn_conv_onednn_destroy,                                                       \
        .run = vdnn_conv_onednn_run,                                                               \
        .work = (WORK),                                                                            \
        .tile = (TILE),                                                                            \
    }

#endif
