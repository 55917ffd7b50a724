#ifndef VDNN_LAYERS_CONV_CONV_STAGE_H
#define VDNN_LAYERS_CONV_CONV_STAGE_H

/* A convolution's maps and weights for algorithms that support plain f32 only: data in another
 * format is converted in the workspace, a few images at a time.
 *
 * Invariant: plain data is used in place, and requires no workspace.
 * Threads: OpenMP inside; each caller has its own workspace.
 *
 *     floats = vdnn_conv_stage_floats(&layer->x[0], images);               // 0: no room
 *     const float *x = vdnn_conv_stage_load(&layer->x[0], args->x[0], part, room, threads);
 *     float *y = vdnn_conv_stage_place(&layer->y, args->y, part, room);    // to be written
 *     vdnn_conv_stage_finish(layer, args->w, part.count, y, threads);      // bias, relu
 *     vdnn_conv_stage_store(&layer->y, args->y, part, y, threads);
 */

#include "layers/layer.h"

/* Images [first, first + count) of the batch. */
typedef struct vdnn_conv_images {
    int64_t first, count;
} vdnn_conv_images;

/* NULL, or why a layer's maps cannot be staged: for vdnn_algorithm.refusal. */
const char *vdnn_conv_stage_refusal(const vdnn_layer *layer);

/* Workspace for that many images of a map: a multiple of 16 floats, 0 if it is plain. */
int64_t vdnn_conv_stage_floats(const vdnn_desc *desc, int64_t images);
/* Where the images (count, C, H, W) can be read: converted in `room`, or in the map itself. */
const float *vdnn_conv_stage_load(const vdnn_desc *desc, const void *map, vdnn_conv_images images,
                                  float *room, int threads);
/* Where the images are to be written, and the conversion from there into the map. */
float *vdnn_conv_stage_place(const vdnn_desc *desc, void *map, vdnn_conv_images images,
                             float *room);
void vdnn_conv_stage_store(const vdnn_desc *desc, void *map, vdnn_conv_images images,
                           const float *place, int threads);

/* The same for the weight (k, c / groups, kernel) in a parameter or gradient block. */
int64_t vdnn_conv_stage_weight_floats(const vdnn_layer *layer);
const float *vdnn_conv_stage_weight_load(const vdnn_layer *layer, const void *block, float *room,
                                         int threads);
float *vdnn_conv_stage_weight_place(const vdnn_layer *layer, void *block, float *room);
void vdnn_conv_stage_weight_store(const vdnn_layer *layer, void *block, const float *place,
                                  int threads);

/* Adds the bias of parameter block `w` to plain y (count, k, out), and applies layer->epilogue. */
void vdnn_conv_stage_finish(const vdnn_layer *layer, void *w, int64_t count, float *y, int threads);
/* Adds plain dy of some images to the bias' gradient of block `dw`, if there is one; the first
 * images of the batch begin it. The order does not depend on the thread count. */
void vdnn_conv_stage_sum_bias(const vdnn_layer *layer, void *dw, vdnn_conv_images images,
                              const float *dy, int threads);

#endif
