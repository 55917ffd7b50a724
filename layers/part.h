#ifndef VDNN_LAYERS_PART_H
#define VDNN_LAYERS_PART_H

/* Parts of a layer: a range of its samples and a range of the channels of y, as a layer, and where
 * its bytes are in the buffers of the whole.
 *
 * A part reads and writes compact maps, as a layer of its shape does. Ranges of samples are
 * contiguous in every map, so such a part works in place, at an offset. Ranges of channels are not:
 * a part has a separate y, which vdnn_elementwise.move puts into that of the whole.
 *
 *     y, nchw     sample 0              sample 1              sample 2
 *               | 0 .. 15 | 16 .. 31 || 0 .. 15 | 16 .. 31 || 0 .. 15 | 16 .. 31 |
 *                                               ^ offset   ^          ^ offset + stride
 *     samples 1 .. 2 of channels 16 .. 31:      |<- bytes->|          |<- bytes->|   count 2
 *
 * Where a part of some channels runs in a plan, its copies of such maps are staged in its
 * workspace, before its kernel's, and its parameters are read and written where they are:
 *
 *     workspace | x staged | y staged |   kernel's   |     block | rows of others | own | ... |
 *
 * What is not cut is in common: a part of some samples reads all parameters, and its dw is a
 * summand of the whole's; a part of some channels reads its rows of the parameters, and writes
 * those of dw, and its dx is a summand where it reads what other parts read (vdnn_part_shares_x).
 *
 * Invariant: the parts of a cut are disjoint and cover the layer; a part has the layouts and the
 * parameters' layout of the whole, and the signature of its shape.
 * Threads: pure functions over values; a layer that was made is its maker's.
 *
 *     status = vdnn_part_cut(layer, VDNN_AXIS_SAMPLES, 3, i, &part); // names what would fit
 *     status = vdnn_part_init(layer, &part, &own);
 *     vdnn_stripes x = vdnn_part_x(layer, &part, 0);                 // at args->x[0] + x.offset
 *     ... vdnn_kernel_create(row, &own, pass, threads, &kernel), first_sample, weight ...
 *     vdnn_part_fini(&own);
 */

#include "layers/layer.h"

typedef enum vdnn_axis { VDNN_AXIS_SAMPLES, VDNN_AXIS_CHANNELS, VDNN_AXES } vdnn_axis;

typedef struct vdnn_part {
    int64_t first_sample, samples;
    int64_t first_channel, channels; /* of y */
} vdnn_part;

vdnn_part vdnn_part_whole(const vdnn_layer *layer);

/* ---- which parts there are ------------------------------------------------------------------- */

/* NULL, or why the layer cannot be computed in such parts (static text). */
const char *vdnn_part_refusal(const vdnn_layer *layer, const vdnn_part *part);

/* The most parts that the layer can be cut into along an axis, from 1. */
int64_t vdnn_part_most(const vdnn_layer *layer, vdnn_axis axis);

/* Part i of `count` along an axis, as equal as the layer's layouts and groups allow, the others as
 * in the whole. VDNN_USAGE if it has fewer: the message says how many. */
vdnn_status vdnn_part_cut(const vdnn_layer *layer, vdnn_axis axis, int64_t count, int64_t i,
                          vdnn_part *part);

/* ---- a part as a layer ----------------------------------------------------------------------- */

/* Makes the layer of a part that is not refused; or of some samples of any layer, as measuring
 * takes them. Name, inputs and wants_dx are the layer's, borrowed, as is the layer itself, its
 * `whole`; config, x and signature the part's. VDNN_NO_MEMORY.
 */
vdnn_status vdnn_part_init(const vdnn_layer *layer, const vdnn_part *part, vdnn_layer *made);
void vdnn_part_fini(vdnn_layer *made);

/* The parameters of a part that was made, which are one after the other, get the offsets that they
 * have in the whole's block, from vdnn_part_param(layer, part, 0).offset on. */
void vdnn_part_place_params(const vdnn_layer *layer, const vdnn_part *part, vdnn_layer *made);

/* True if other parts along the channels read the same x: then dx is the sum of the parts'. */
bool vdnn_part_shares_x(const vdnn_layer *layer);

/* ---- its bytes in the whole's buffers -------------------------------------------------------- */

/* The bytes of y and dy; all of them for a loss, whose y is of all samples together. */
vdnn_stripes vdnn_part_y(const vdnn_layer *layer, const vdnn_part *part);
/* The bytes of x[i] and dx[i]. */
vdnn_stripes vdnn_part_x(const vdnn_layer *layer, const vdnn_part *part, int32_t i);
/* The bytes of params[i] in its block, and in those of gradients and momenta; contiguous. */
vdnn_stripes vdnn_part_param(const vdnn_layer *layer, const vdnn_part *part, int32_t i);
/* The bytes of a loss's labels; contiguous. */
vdnn_stripes vdnn_part_labels(const vdnn_layer *layer, const vdnn_part *part);
/* The bytes of the copy of params[0], of copy_bytes; contiguous. */
vdnn_stripes vdnn_part_weight_copy(const vdnn_layer *layer, const vdnn_part *part);
/* The bytes of aux. False: the part's aux is no range of bytes of the whole's but a separate
 * buffer: for ranges of channels, and for masks, whose order is their kernels'. */
bool vdnn_part_aux(const vdnn_layer *layer, const vdnn_part *part, vdnn_stripes *stripes);

/* The same pieces without gaps, as a part has them in a separate map: what vdnn_elementwise.move
 * gathers them to, and scatters them from. */
vdnn_stripes vdnn_part_compact(const vdnn_stripes *stripes);

/* Kernels expect their blocks at multiples of it. */
enum { VDNN_PART_ALIGNMENT = 256 };

/* Of what is staged for these pieces, a multiple of VDNN_PART_ALIGNMENT; 0: they are one. And of
 * all that a pass of the part stages: what it overwrites in place is staged once. */
size_t vdnn_part_staged_piece(const vdnn_stripes *stripes);
size_t vdnn_part_staged_bytes(const vdnn_layer *layer, const vdnn_part *part, vdnn_pass pass);

#endif
