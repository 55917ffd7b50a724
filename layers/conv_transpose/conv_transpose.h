#ifndef VDNN_LAYERS_CONV_TRANSPOSE_CONV_TRANSPOSE_H
#define VDNN_LAYERS_CONV_TRANSPOSE_CONV_TRANSPOSE_H

/* The config of a transposed convolution, as PyTorch's ConvTranspose2d and ConvTranspose3d have it,
 * and the convolution whose passes it consists of: that which makes its input of its output.
 *
 *     transposed convolution    convolution
 *     forward                   backward data
 *     backward data             forward
 *     backward filter           backward filter, of dy and x
 *
 * Both have one weight, (channels in, channels out / groups, kernel). The bias is added afterwards.
 *
 * Invariant: after inference groups divides the channels of both sides, and the convolution's
 * output has the shape of x. Threads: const once read; a mirror is used where it was made, since it
 * points into itself.
 *
 *     vdnn_conv_mirror mirror;
 *     vdnn_conv_mirror_init(layer, &mirror);
 *     status = vdnn_algorithm_ask(row, &mirror.layer, vdnn_conv_mirror_pass(pass), threads,
 * &offer);
 */

#include "layers/conv/conv.h"

typedef struct vdnn_conv_transpose_config {
    int64_t out, kernel[VDNN_SIDES], stride[VDNN_SIDES], pad[VDNN_SIDES], output_pad[VDNN_SIDES];
    int64_t dilation[VDNN_SIDES], groups;
    bool bias; /* then params[1], one for each channel of y */
} vdnn_conv_transpose_config;

typedef struct vdnn_conv_mirror {
    vdnn_layer layer; /* of type conv, without a bias */
    vdnn_conv_config config;
    vdnn_desc x;
    bool wants_dx;
} vdnn_conv_mirror;

/* From x, y and params[0] of a transposed convolution. */
void vdnn_conv_mirror_init(const vdnn_layer *layer, vdnn_conv_mirror *mirror);
vdnn_pass vdnn_conv_mirror_pass(vdnn_pass pass);

/* The functions of a vdnn_algorithm row whose variant is the row of the convolution, but for the
 * bias. */
vdnn_status vdnn_conv_mirror_ask(const vdnn_kernel *kernel, vdnn_offer *offer);
vdnn_status vdnn_conv_mirror_create(const vdnn_kernel *kernel, void **state);
void vdnn_conv_mirror_destroy(void *state);
vdnn_status vdnn_conv_mirror_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

#endif
