#ifndef VDNN_LAYERS_SHAPE_H
#define VDNN_LAYERS_SHAPE_H

/* Shape inference: shared by the `infer` functions of the layer definitions.
 *
 * Invariant: arithmetic on dimensions never wraps; a shape that does not fit is refused with its
 * values.
 * Threads: any; functions over one layer.
 *
 *     status = vdnn_shape_window(layer, &window, sides);
 *     status = vdnn_shape_set_sides(layer, channels, sides);
 *     status = vdnn_shape_add_param(layer, &(vdnn_param){.name = "weight", ...});
 */

#include "layers/layer.h"

/* A window that slides along one dimension. */
typedef struct vdnn_shape_slide {
    int64_t kernel, stride, pad, dilation;
    bool ceil; /* a last window that only starts inside counts, PyTorch's rule */
} vdnn_shape_slide;

/* Fails with "TYPE layer 'NAME': " before the text. */
vdnn_status vdnn_shape_refuse(const vdnn_layer *layer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Positions of the window on an input of `in` cells; 0 if it fits nowhere. With `ceil` the last
 * window must start inside the input or the padding before it. */
int64_t vdnn_shape_positions(int64_t in, const vdnn_shape_slide *slide);

/* One that slides along all sides; of each the values of keys (VDNN_KEY_SIDES). */
typedef struct vdnn_shape_slides {
    const int64_t *kernel, *stride, *pad, *dilation;
    bool ceil;
} vdnn_shape_slides;

/* The sides of a window's output on the first input. VDNN_BAD_INPUT if the window does not fit. */
vdnn_status vdnn_shape_window(const vdnn_layer *layer, const vdnn_shape_slides *window,
                              int64_t sides[VDNN_SIDES]);

/* Completes the values of a layer's keys of sides, before inference: for a picture their last
 * number is the least of the key. VDNN_BAD_INPUT where they have as many numbers as the first input
 * has no sides. */
vdnn_status vdnn_shape_complete(vdnn_layer *layer);

/* Such values as text, "3x3", of a volume "3x3x3". Returns text. */
enum { VDNN_SIDES_TEXT = 64 };
const char *vdnn_shape_sides_text(const vdnn_layer *layer, const int64_t sides[VDNN_SIDES],
                                  char text[VDNN_SIDES_TEXT]);

/* Sets layer->y with the first input's rank and data type, or, if that is of integers, the
 * network's, and with the layout of the definition's rule. VDNN_BAD_INPUT if it is too large. */
vdnn_status vdnn_shape_set_output(vdnn_layer *layer, const int64_t dims[VDNN_DIMS]);
/* The same with another rank, up to that of pictures. */
vdnn_status vdnn_shape_set_ranked(vdnn_layer *layer, int rank, const int64_t dims[VDNN_DIMS]);
/* The same with the first input's rank and samples, and with these channels and sides; of a vector
 * that gets more cells than one, a picture. */
vdnn_status vdnn_shape_set_sides(vdnn_layer *layer, int64_t channels,
                                 const int64_t sides[VDNN_SIDES]);

/* Whether a channel of both has the same height, width and depth. */
bool vdnn_shape_has_sides(const vdnn_desc *a, const vdnn_desc *b);

/* The same with the shape of the inputs, which must all have one. */
vdnn_status vdnn_shape_set_common(vdnn_layer *layer);

/* The rule of a type each of whose output channels is computed from that channel of every input. */
vdnn_channel_rule vdnn_shape_same_channels(const vdnn_layer *layer);

/* Appends a parameter and grows param_bytes (and trainable_bytes); dims and dim_count are given,
 * count and offset are computed. Trainable ones must come first. */
vdnn_status vdnn_shape_add_param(vdnn_layer *layer, const vdnn_param *param);

/* Appends the weight of a layer that multiplies by it, dims[0] being the output's channels, and,
 * optionally, a bias of as many elements after it. */
vdnn_status vdnn_shape_add_weight(vdnn_layer *layer, const vdnn_param *weight, bool bias);

/* FLOPs of such a layer: 2 x fan-in for each output, and one for the bias if the pass has it. */
double vdnn_shape_weight_flops(const vdnn_layer *layer, vdnn_pass pass);

#endif
