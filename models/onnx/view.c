#include "models/onnx/view.h"

#include <string.h>

void vdnn_onnx_view_add(vdnn_onnx_view *view, const vdnn_onnx_axis *axis)
{
    const int begin = view->rank == 0 ? 0 : view->ends[view->rank - 1];
    vdnn_onnx_axis *last = view->axis_count > begin ? &view->axes[view->axis_count - 1] : NULL;
    if (axis->size == 1)
        return;
    if (last != NULL && !last->is_batch && !axis->is_batch &&
        last->stride == axis->stride * axis->size) {
        last->size *= axis->size;
        last->stride = axis->stride;
        return;
    }
    view->is_full |= view->axis_count == VDNN_ONNX_MOST_AXES;
    if (!view->is_full)
        view->axes[view->axis_count++] = *axis;
}

void vdnn_onnx_view_end(vdnn_onnx_view *view)
{
    view->is_full |= view->rank == VDNN_ONNX_MOST_DIMS;
    if (!view->is_full)
        view->ends[view->rank++] = view->axis_count;
}

void vdnn_onnx_view_copy(vdnn_onnx_view *view, const vdnn_onnx_view *from, int d)
{
    for (int i = vdnn_onnx_view_begin(from, d); i < from->ends[d]; i++)
        vdnn_onnx_view_add(view, &from->axes[i]);
    vdnn_onnx_view_end(view);
}

vdnn_onnx_view vdnn_onnx_view_dense(const int64_t *dims, size_t rank)
{
    vdnn_onnx_view view = {.is_full = rank > VDNN_ONNX_MOST_DIMS};
    int64_t stride = 1;
    for (size_t d = 0; d < rank; d++)
        view.is_full |= dims[d] < 0 || __builtin_mul_overflow(stride, dims[d], &stride);
    for (size_t d = 0; d < rank && !view.is_full; d++) {
        stride = dims[d] == 0 ? 0 : stride / dims[d];
        vdnn_onnx_view_add(&view, &(vdnn_onnx_axis){.size = dims[d], .stride = stride});
        vdnn_onnx_view_end(&view);
    }
    return view;
}

int vdnn_onnx_view_begin(const vdnn_onnx_view *view, int d)
{
    return d == 0 ? 0 : view->ends[d - 1];
}

int64_t vdnn_onnx_view_size(const vdnn_onnx_view *view, int d)
{
    int64_t size = 1;
    for (int i = vdnn_onnx_view_begin(view, d); i < view->ends[d]; i++)
        if (__builtin_mul_overflow(size, view->axes[i].size, &size))
            return INT64_MAX;
    return size;
}

int64_t vdnn_onnx_view_elements(const vdnn_onnx_view *view)
{
    int64_t elements = 1;
    for (int d = 0; d < view->rank; d++)
        if (__builtin_mul_overflow(elements, vdnn_onnx_view_size(view, d), &elements))
            return INT64_MAX;
    return elements;
}

bool vdnn_onnx_view_varies(const vdnn_onnx_view *view, int d)
{
    for (int i = vdnn_onnx_view_begin(view, d); i < view->ends[d]; i++)
        if (view->axes[i].stride != 0)
            return true;
    return false;
}

bool vdnn_onnx_view_equal(const vdnn_onnx_view *a, const vdnn_onnx_view *b)
{
    if (a->rank != b->rank || a->axis_count != b->axis_count || a->offset != b->offset ||
        memcmp(a->ends, b->ends, (size_t)a->rank * sizeof *a->ends) != 0)
        return false;
    for (int i = 0; i < a->axis_count; i++)
        if (a->axes[i].size != b->axes[i].size || a->axes[i].is_batch != b->axes[i].is_batch ||
            (!a->axes[i].is_batch && a->axes[i].stride != b->axes[i].stride))
            return false;
    return true;
}

int64_t vdnn_onnx_view_at(const vdnn_onnx_view *view, int d, int64_t i)
{
    int64_t at = 0;
    for (int k = view->ends[d] - 1; k >= vdnn_onnx_view_begin(view, d); k--) {
        const vdnn_onnx_axis *axis = &view->axes[k];
        at += axis->is_batch ? 0 : i % axis->size * axis->stride;
        i /= axis->size;
    }
    return at;
}

/* The inner `size` elements of an axis, which keeps the outer ones. */
static vdnn_onnx_axis take_outer(vdnn_onnx_axis *axis, int64_t size)
{
    const int64_t inner = axis->size / size;
    const vdnn_onnx_axis outer = {.size = size, .stride = axis->stride * inner};
    axis->size = inner;
    return outer;
}

bool vdnn_onnx_view_reshape(const vdnn_onnx_view *view, const int64_t *sizes, size_t rank,
                            vdnn_onnx_view *result)
{
    vdnn_onnx_view from = *view, made = {.offset = view->offset};
    int k = 0;
    for (size_t d = 0; d < rank; d++) {
        int64_t left = sizes[d];
        while (left > 1 && k < from.axis_count) {
            vdnn_onnx_axis *axis = &from.axes[k];
            if (axis->size < 1)
                return false;
            if (left % axis->size == 0) {
                left /= axis->size;
                vdnn_onnx_view_add(&made, axis);
                k++;
            } else if (axis->size % left == 0 && !axis->is_batch) {
                const vdnn_onnx_axis outer = take_outer(axis, left);
                vdnn_onnx_view_add(&made, &outer);
                left = 1;
            } else {
                return false;
            }
        }
        if (left != 1)
            return false;
        vdnn_onnx_view_end(&made);
    }
    *result = made;
    return k == from.axis_count && !made.is_full;
}

bool vdnn_onnx_view_narrow(const vdnn_onnx_view *view, int d, int64_t first, int64_t count,
                           int64_t step, vdnn_onnx_view *result)
{
    vdnn_onnx_view made = {.offset = view->offset};
    const int begin = vdnn_onnx_view_begin(view, d);
    const int64_t size = vdnn_onnx_view_size(view, d);
    const bool is_all = first == 0 && count == size && (step == 1 || size == 1);
    if (count < 1 || first < 0 || first >= size || first + (count - 1) * step >= size ||
        first + (count - 1) * step < 0 || (!is_all && view->ends[d] - begin > 1) ||
        (!is_all && view->axes[begin].is_batch))
        return false;
    for (int i = 0; i < view->rank; i++) {
        if (i != d || is_all) {
            vdnn_onnx_view_copy(&made, view, i);
            continue;
        }
        const int64_t stride = view->axes[begin].stride;
        made.offset += first * stride;
        vdnn_onnx_view_add(&made, &(vdnn_onnx_axis){.size = count, .stride = stride * step});
        vdnn_onnx_view_end(&made);
    }
    *result = made;
    return true;
}
