/* Operators that only change how many dimensions a map has, and the integers that exporters compute
 * the new ones from. */

#include "models/onnx/network.h"

#include <string.h>

/* Dimensions of a map as the graph has them, the batch first. */
static size_t dims_of(const vdnn_onnx_value *x, int64_t dims[1 + VDNN_ONNX_MAP_DIMS])
{
    dims[0] = VDNN_ONNX_BATCH;
    memcpy(dims + 1, x->dims, sizeof x->dims);
    if (x->is_flat)
        dims[1] = vdnn_onnx_elements(x);
    return x->is_flat ? 2 : 2 + (size_t)x->sides;
}

static vdnn_status set_shape(vdnn_onnx *net, const vdnn_onnx_value *x, bool is_flat)
{
    vdnn_onnx_value y = *x;
    y.is_flat = is_flat;
    return vdnn_onnx_set_value(
        net, net->node->outputs.count == 0 ? "" : net->node->outputs.items[0], &y);
}

/* An axis, counted from the end if it is negative, limited to `count`. */
static int64_t from_start(int64_t axis, int64_t count)
{
    if (axis < -count || axis > count)
        return axis < 0 ? 0 : count;
    return axis < 0 ? axis + count : axis;
}

/* ---- integers -------------------------------------------------------------------------------- */

vdnn_status vdnn_onnx_map_constant(vdnn_onnx *net)
{
    const vdnn_onnx_attribute *value = vdnn_onnx_attribute_find(net, "value"),
                              *one = vdnn_onnx_attribute_find(net, "value_int"),
                              *list = vdnn_onnx_attribute_find(net, "value_ints");
    if (one != NULL)
        return vdnn_onnx_set_integers(net, &one->integer, 1, 0);
    if (list != NULL)
        return vdnn_onnx_set_integers(net, list->integers.items, list->integers.count, 1);
    if (value == NULL)
        return vdnn_onnx_refuse(net, "has no tensor or integers");
    const vdnn_onnx_value tensor = {.kind = VDNN_ONNX_TENSOR, .tensor = &value->tensor};
    return vdnn_onnx_set_value(
        net, net->node->outputs.count == 0 ? "" : net->node->outputs.items[0], &tensor);
}

vdnn_status vdnn_onnx_map_shape(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    int64_t dims[1 + VDNN_ONNX_MAP_DIMS];
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    const int64_t count = (int64_t)dims_of(x, dims);
    const int64_t start = from_start(vdnn_onnx_integer(net, "start", 0), count),
                  end = from_start(vdnn_onnx_integer(net, "end", count), count);
    return vdnn_onnx_set_integers(net, dims + start, end > start ? (size_t)(end - start) : 0, 1);
}

/* Elements of a list. */
vdnn_status vdnn_onnx_map_gather(vdnn_onnx *net)
{
    const vdnn_onnx_value *list = NULL, *at = NULL;
    int64_t picked[VDNN_ONNX_MOST_INTEGERS];
    VDNN_TRY(vdnn_onnx_integer_input(net, 0, &list));
    VDNN_TRY(vdnn_onnx_integer_input(net, 1, &at));
    for (size_t i = 0; i < at->count; i++) {
        const int64_t count = (int64_t)list->count,
                      index = at->integers[i] + (at->integers[i] < 0 ? count : 0);
        if (index < 0 || index >= count)
            return vdnn_onnx_refuse(net, "index %lld is outside of the %lld numbers that it reads",
                                    (long long)at->integers[i], (long long)count);
        picked[i] = list->integers[index];
    }
    return vdnn_onnx_set_integers(net, picked, at->count, at->rank);
}

/* One number of a slice's starts, ends or steps. */
static vdnn_status slice_number(vdnn_onnx *net, size_t input, const char *name, int64_t preset,
                                int64_t *number)
{
    const vdnn_onnx_value *given = NULL;
    const vdnn_onnx_attribute *attribute = vdnn_onnx_attribute_find(net, name);
    if (vdnn_onnx_has_input(net, input))
        VDNN_TRY(vdnn_onnx_integer_input(net, input, &given));
    *number = preset;
    if (given != NULL && given->count == 1)
        *number = given->integers[0];
    else if (attribute != NULL && attribute->integers.count == 1)
        *number = attribute->integers.items[0];
    else if (given != NULL || attribute != NULL)
        return vdnn_onnx_refuse(net, "slices several axes, expected a list of numbers");
    return VDNN_OK;
}

vdnn_status vdnn_onnx_map_slice(vdnn_onnx *net)
{
    const vdnn_onnx_value *list = NULL;
    int64_t start = 0, end = 0, axis = 0, step = 1;
    VDNN_TRY(vdnn_onnx_integer_input(net, 0, &list));
    VDNN_TRY(slice_number(net, 1, "starts", 0, &start));
    VDNN_TRY(slice_number(net, 2, "ends", INT64_MAX, &end));
    VDNN_TRY(slice_number(net, 3, "axes", 0, &axis));
    VDNN_TRY(slice_number(net, 4, "steps", 1, &step));
    if (axis != 0 || step != 1)
        return vdnn_onnx_refuse(net, "has an axis or step, expected a part of a list");
    start = from_start(start, (int64_t)list->count);
    end = from_start(end, (int64_t)list->count);
    return vdnn_onnx_set_integers(net, list->integers + start,
                                  end > start ? (size_t)(end - start) : 0, 1);
}

vdnn_status vdnn_onnx_map_cast(vdnn_onnx *net)
{
    const vdnn_onnx_value *list = NULL;
    const int64_t to = vdnn_onnx_integer(net, "to", 0);
    vdnn_onnx_value *x = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    if (x->kind == VDNN_ONNX_MAP && vdnn_onnx_is_float(to)) /* vdnn has one type of all maps */
        return vdnn_onnx_map_identity(net);
    if (to != VDNN_ONNX_INT64 && to != VDNN_ONNX_INT32)
        return vdnn_onnx_refuse(net, "casts to type %lld: only integers of shapes are cast",
                                (long long)to);
    VDNN_TRY(vdnn_onnx_integer_input(net, 0, &list));
    return vdnn_onnx_set_integers(net, list->integers, list->count, list->rank);
}

/* Of integers, of the input and a constant, or of maps. */
vdnn_status vdnn_onnx_map_mul(vdnn_onnx *net)
{
    const vdnn_onnx_value *a = NULL, *b = NULL;
    vdnn_onnx_value *first = NULL, *second = NULL;
    int64_t product;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &first));
    VDNN_TRY(vdnn_onnx_any_input(net, 1, &second));
    if (first->kind == VDNN_ONNX_MAP && second->kind == VDNN_ONNX_MAP)
        return vdnn_onnx_map_product(net);
    if (first->kind == VDNN_ONNX_MAP || second->kind == VDNN_ONNX_MAP)
        return vdnn_onnx_map_normalization(net);
    VDNN_TRY(vdnn_onnx_integer_input(net, 0, &a));
    VDNN_TRY(vdnn_onnx_integer_input(net, 1, &b));
    if (a->count != 1 || b->count != 1 || a->integers[0] == VDNN_ONNX_BATCH ||
        b->integers[0] == VDNN_ONNX_BATCH ||
        __builtin_mul_overflow(a->integers[0], b->integers[0], &product))
        return vdnn_onnx_refuse(net, "is no product of two known sizes");
    return vdnn_onnx_set_integers(net, &product, 1, a->rank > b->rank ? a->rank : b->rank);
}

vdnn_status vdnn_onnx_join_integers(vdnn_onnx *net)
{
    int64_t joined[VDNN_ONNX_MOST_INTEGERS];
    size_t count = 0;
    for (size_t i = 0; i < net->node->inputs.count; i++) {
        const vdnn_onnx_value *list;
        VDNN_TRY(vdnn_onnx_integer_input(net, i, &list));
        if (count + list->count > VDNN_ONNX_MOST_INTEGERS)
            return vdnn_onnx_refuse(net, "joins more than %d numbers", VDNN_ONNX_MOST_INTEGERS);
        if (list->count > 0)
            memcpy(joined + count, list->integers, list->count * sizeof *joined);
        count += list->count;
    }
    return vdnn_onnx_set_integers(net, joined, count, 1);
}

/* ---- maps ------------------------------------------------------------------------------------ */

vdnn_status vdnn_onnx_map_flatten(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const int64_t axis = vdnn_onnx_integer(net, "axis", 1);
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    if (axis != 1 && axis != (x->is_flat ? -1 : -1 - x->sides))
        return vdnn_onnx_refuse(net, "axis is %lld, expected 1: a vector a sample",
                                (long long)axis);
    return set_shape(net, x, true);
}

static bool is_batch(const vdnn_onnx *net, int64_t size, bool is_rest)
{
    return size == VDNN_ONNX_BATCH || size == 0 || (size == -1 && !is_rest) ||
           (net->batch > 0 && size == net->batch);
}

/* To a vector a sample, or to the picture that it is. */
vdnn_status vdnn_onnx_map_reshape(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const vdnn_onnx_value *shape = NULL;
    int64_t dims[1 + VDNN_ONNX_MAP_DIMS];
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    if (x->kind == VDNN_ONNX_TENSOR)
        return vdnn_onnx_refuse(net, "changes the shape of a weight, expected it in the file");
    VDNN_TRY(vdnn_onnx_integer_input(net, 1, &shape));
    if (x->kind == VDNN_ONNX_INTEGERS)
        return vdnn_onnx_set_integers(net, x->integers, x->count, shape->count > 0);
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    const int64_t elements = vdnn_onnx_elements(x);
    bool has_rest = false;
    char text[VDNN_ONNX_SHAPE_TEXT];
    for (size_t i = 1; i < shape->count; i++)
        has_rest |= shape->integers[i] == -1;
    (void)dims_of(x, dims);
    if (shape->count == 2 && is_batch(net, shape->integers[0], has_rest) &&
        (shape->integers[1] == -1 || shape->integers[1] == elements ||
         (shape->integers[1] == 0 && dims[1] == elements)))
        return set_shape(net, x, true);
    bool is_same =
        shape->count == 2 + (size_t)x->sides && is_batch(net, shape->integers[0], has_rest);
    for (int d = 0; d <= x->sides && is_same; d++)
        is_same = shape->integers[1 + d] == x->dims[d];
    return is_same ? set_shape(net, x, false)
                   : vdnn_onnx_refuse(net,
                                      "does not make a vector a sample of its %s input, "
                                      "which is the only shape that it may make",
                                      vdnn_onnx_shape_text(x, text));
}

/* The axes of a node: of its input, or of its attribute. */
static vdnn_status read_axes(vdnn_onnx *net, const int64_t **axes, size_t *count)
{
    const vdnn_onnx_attribute *attribute = vdnn_onnx_attribute_find(net, "axes");
    const vdnn_onnx_value *given = NULL;
    *axes = attribute == NULL ? NULL : attribute->integers.items;
    *count = attribute == NULL ? 0 : attribute->integers.count;
    if (!vdnn_onnx_has_input(net, 1))
        return VDNN_OK;
    VDNN_TRY(vdnn_onnx_integer_input(net, 1, &given));
    *axes = given->integers;
    *count = given->count;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_names_sides(vdnn_onnx *net, const vdnn_onnx_value *x, bool *are_sides)
{
    const int rank = 2 + x->sides;
    const int64_t *axes = NULL;
    size_t count = 0;
    unsigned which = 0;
    VDNN_TRY(read_axes(net, &axes, &count));
    for (size_t i = 0; i < count; i++)
        if (axes[i] >= -rank && axes[i] < rank)
            which |= 1U << (axes[i] < 0 ? axes[i] + rank : axes[i]);
    *are_sides = count == (size_t)x->sides && which == (1U << rank) - (1U << 2);
    return VDNN_OK;
}

static vdnn_status map_axes(vdnn_onnx *net, bool to_flat)
{
    vdnn_onnx_value *x = NULL;
    bool are_sides;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    if (x->kind != VDNN_ONNX_MAP) {
        const vdnn_onnx_value *list;
        VDNN_TRY(vdnn_onnx_integer_input(net, 0, &list));
        return vdnn_onnx_set_integers(net, list->integers, list->count, to_flat ? 0 : 1);
    }
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(vdnn_onnx_names_sides(net, x, &are_sides));
    if (x->is_flat == to_flat || x->dims[0] != vdnn_onnx_elements(x) || !are_sides)
        return vdnn_onnx_refuse(net, "is supported only for axes 2 and 3 of 1 x 1 pictures, or all "
                                     "sides of volumes of one cell");
    return set_shape(net, x, to_flat);
}

vdnn_status vdnn_onnx_map_squeeze(vdnn_onnx *net)
{
    return map_axes(net, true);
}

vdnn_status vdnn_onnx_map_unsqueeze(vdnn_onnx *net)
{
    return map_axes(net, false);
}

/* One that changes nothing: a picture of one cell, or the order as it is. */
vdnn_status vdnn_onnx_map_transpose(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const vdnn_onnx_attribute *perm = vdnn_onnx_attribute_find(net, "perm");
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    bool is_same = perm != NULL;
    for (size_t i = 0; is_same && i < perm->integers.count; i++)
        is_same = perm->integers.items[i] == (int64_t)i;
    if (!is_same)
        return vdnn_onnx_refuse(net, "changes the order of dimensions: vdnn reads networks whose "
                                     "maps are N x C x H x W throughout");
    return set_shape(net, x, x->is_flat);
}
