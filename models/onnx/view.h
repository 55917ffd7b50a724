#ifndef VDNN_MODELS_ONNX_VIEW_H
#define VDNN_MODELS_ONNX_VIEW_H

/* How an array lies in the elements of another one, its base: what operators that only move
 * elements (Reshape, Transpose, Slice, Gather, Expand) make of a map, a weight or a constant.
 *
 * A dimension is a list of axes, the outer ones first, each with a size and a stride in elements of
 * a sample of the base. The batch is an axis without a stride. A stride of 0 repeats an element.
 *
 *     (N, T, F) --Reshape, Transpose--> (N, H, T, D)      dimensions [N] [H] [T] [D], F = H * D
 *                                                         strides        D   F   1
 *
 * Invariant: axes have sizes above 1, and neighbours in a dimension that are one axis are joined,
 * so that equal views are equal field by field. Threads: const once made.
 *
 *     vdnn_onnx_view view = {0};
 *     vdnn_onnx_view_add(&view, &(vdnn_onnx_axis){.size = batch, .is_batch = true});
 *     vdnn_onnx_view_end(&view);       // of a dimension
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VDNN_ONNX_MOST_DIMS = 8, VDNN_ONNX_MOST_AXES = 16 };

typedef struct vdnn_onnx_axis {
    int64_t size, stride;
    bool is_batch;
} vdnn_onnx_axis;

typedef struct vdnn_onnx_view {
    int rank, axis_count;
    int ends[VDNN_ONNX_MOST_DIMS]; /* of each dimension: the axis after its last one */
    vdnn_onnx_axis axes[VDNN_ONNX_MOST_AXES];
    int64_t offset; /* in the base: of the first element */
    bool is_full;   /* it had more dimensions or axes than there is place for */
} vdnn_onnx_view;

/* Adds an axis to the dimension that is being built, and ends that dimension. */
void vdnn_onnx_view_add(vdnn_onnx_view *view, const vdnn_onnx_axis *axis);
void vdnn_onnx_view_end(vdnn_onnx_view *view);
/* Adds a whole dimension of another view. */
void vdnn_onnx_view_copy(vdnn_onnx_view *view, const vdnn_onnx_view *from, int d);
/* Dense, in the order of these dimensions. */
vdnn_onnx_view vdnn_onnx_view_dense(const int64_t *dims, size_t rank);

int vdnn_onnx_view_begin(const vdnn_onnx_view *view, int d); /* the first axis of a dimension */
/* INT64_MAX: that or more. */
int64_t vdnn_onnx_view_size(const vdnn_onnx_view *view, int d);
int64_t vdnn_onnx_view_elements(const vdnn_onnx_view *view);
/* Whether elements that differ in this dimension alone are at different places. */
bool vdnn_onnx_view_varies(const vdnn_onnx_view *view, int d);
bool vdnn_onnx_view_equal(const vdnn_onnx_view *a, const vdnn_onnx_view *b);
/* Where index i of a dimension is, in elements of a sample of the base. */
int64_t vdnn_onnx_view_at(const vdnn_onnx_view *view, int d, int64_t i);

/* The same elements in dimensions of these sizes. False: an axis would have to be cut where no
 * stride can say it, the batch for example. */
bool vdnn_onnx_view_reshape(const vdnn_onnx_view *view, const int64_t *sizes, size_t rank,
                            vdnn_onnx_view *result);
/* Elements first, first + step, ... of a dimension. False as above. */
bool vdnn_onnx_view_narrow(const vdnn_onnx_view *view, int d, int64_t first, int64_t count,
                           int64_t step, vdnn_onnx_view *result);

#endif
