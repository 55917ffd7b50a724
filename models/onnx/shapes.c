/* Operators that only move elements, of maps, tensors and constants alike: they change how the
 * value lies in its base. */

#include "models/onnx/network.h"

#include <string.h>

/* An axis, counted from the end if it is negative, limited to `count`. */
static int64_t from_start(int64_t axis, int64_t count)
{
    if (axis < -count || axis > count)
        return axis < 0 ? 0 : count;
    return axis < 0 ? axis + count : axis;
}

/* ---- views ----------------------------------------------------------------------------------- */

static void add_dims(vdnn_onnx_view *view, const int64_t *dims, size_t count)
{
    const vdnn_onnx_view dense = vdnn_onnx_view_dense(dims, count);
    for (int d = 0; d < dense.rank; d++)
        vdnn_onnx_view_copy(view, &dense, d);
}

vdnn_onnx_view vdnn_onnx_view_of(const vdnn_onnx *net, const vdnn_onnx_value *value)
{
    vdnn_onnx_view view = {0};
    const int64_t elements = vdnn_onnx_elements(value);
    if (value->view != NULL)
        return *value->view;
    if (value->kind == VDNN_ONNX_TENSOR)
        return vdnn_onnx_view_dense(value->tensor->dims.items, value->tensor->dims.count);
    vdnn_onnx_view_add(&view,
                       &(vdnn_onnx_axis){.size = net->batch > 0 ? net->batch : VDNN_ONNX_OPEN_BATCH,
                                         .is_batch = true});
    vdnn_onnx_view_end(&view);
    if (value->is_flat)
        add_dims(&view, &elements, 1);
    else
        add_dims(&view, value->dims, value->is_sequence ? 2 : 1 + (size_t)value->sides);
    return view;
}

vdnn_status vdnn_onnx_set_view(vdnn_onnx *net, const char *output, const vdnn_onnx_value *value,
                               const vdnn_onnx_view *view)
{
    vdnn_onnx_value y = *value;
    if (view->is_full)
        return vdnn_onnx_refuse(net, "has more than %d dimensions, or too many parts of them",
                                VDNN_ONNX_MOST_DIMS);
    for (int i = 0; i < view->axis_count; i++)
        if (view->axes[i].size < 0)
            return vdnn_onnx_refuse(net, "has a dimension of %lld", (long long)view->axes[i].size);
    if (vdnn_onnx_view_elements(view) == INT64_MAX)
        return vdnn_onnx_refuse(net, "has more elements than any memory");
    const bool is_picture = y.layer != NULL && y.scores == NULL && !y.is_sequence && y.tokens == 0;
    y.view = NULL;
    y.kind = VDNN_ONNX_MAP;
    for (int flat = 0; flat < 2 && is_picture; flat++) {
        y.is_flat = flat == 1;
        const vdnn_onnx_view plain = vdnn_onnx_view_of(net, &y);
        if (vdnn_onnx_view_equal(&plain, view))
            return vdnn_onnx_set_value(net, output, &y);
    }
    vdnn_onnx_view *copy = vdnn_hoard_take(&net->hoard, 1, sizeof *copy);
    if (copy == NULL)
        return vdnn_onnx_no_memory(net);
    *copy = *view;
    y.kind = VDNN_ONNX_VIEW;
    y.is_flat = value->is_flat;
    y.view = copy;
    y.integers = NULL;
    return vdnn_onnx_set_value(net, output, &y);
}

/* Input 0 and how it lies. */
static vdnn_status take(vdnn_onnx *net, vdnn_onnx_value **x, vdnn_onnx_view *view)
{
    VDNN_TRY(vdnn_onnx_any_input(net, 0, x));
    if ((*x)->kind != VDNN_ONNX_TENSOR && (*x)->kind != VDNN_ONNX_VIEW)
        VDNN_TRY(vdnn_onnx_input(net, 0, x));
    if ((*x)->is_softmax && (*x)->scores == NULL)
        return vdnn_onnx_refuse(net, "reads a Softmax over classes: that is supported only as the "
                                     "network's output");
    *view = vdnn_onnx_view_of(net, *x);
    return view->is_full ? vdnn_onnx_refuse(net, "its input has too many, or negative dimensions")
                         : VDNN_OK;
}

static vdnn_status set(vdnn_onnx *net, const vdnn_onnx_value *x, const vdnn_onnx_view *view)
{
    return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), x, view);
}

static vdnn_status check_axis(const vdnn_onnx *net, int64_t *axis, int64_t rank)
{
    if (*axis < -rank || *axis >= rank)
        return vdnn_onnx_refuse(net, "axis is %lld, but its input has %lld dimensions",
                                (long long)*axis, (long long)rank);
    *axis += *axis < 0 ? rank : 0;
    return VDNN_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static vdnn_status set_integers(vdnn_onnx *net, const int64_t *integers, size_t count, bool is_list)
{
    double *numbers = vdnn_hoard_take(&net->hoard, count + 1, sizeof *numbers);
    if (numbers == NULL)
        return vdnn_onnx_no_memory(net);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)integers[i];
    const vdnn_onnx_value value = {.numbers = numbers, .is_integer = true};
    const vdnn_onnx_view view = vdnn_onnx_view_dense(&(const int64_t){(int64_t)count}, is_list);
    return set(net, &value, &view);
}

vdnn_status vdnn_onnx_map_constant(vdnn_onnx *net)
{
    const vdnn_onnx_attribute *value = vdnn_onnx_attribute_find(net, "value"),
                              *one = vdnn_onnx_attribute_find(net, "value_int"),
                              *list = vdnn_onnx_attribute_find(net, "value_ints"),
                              *real = vdnn_onnx_attribute_find(net, "value_float");
    if (one != NULL)
        return set_integers(net, &one->integer, 1, false);
    if (list != NULL)
        return set_integers(net, list->integers.items, list->integers.count, true);
    if (real != NULL) {
        double *number = vdnn_hoard_take(&net->hoard, 1, sizeof *number);
        if (number == NULL)
            return vdnn_onnx_no_memory(net);
        *number = (double)real->real;
        return set(net, &(const vdnn_onnx_value){.numbers = number}, &(const vdnn_onnx_view){0});
    }
    if (value == NULL)
        return vdnn_onnx_refuse(net, "has no tensor or numbers that are read");
    const vdnn_onnx_value tensor = {.kind = VDNN_ONNX_TENSOR, .tensor = &value->tensor};
    return vdnn_onnx_set_result(net, &tensor);
}

vdnn_status vdnn_onnx_map_shape(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    vdnn_onnx_view view;
    int64_t dims[VDNN_ONNX_MOST_DIMS] = {0};
    VDNN_TRY(take(net, &x, &view));
    for (int d = 0; d < view.rank; d++)
        dims[d] = vdnn_onnx_view_size(&view, d);
    const int64_t start = from_start(vdnn_onnx_integer(net, "start", 0), view.rank),
                  end = from_start(vdnn_onnx_integer(net, "end", view.rank), view.rank);
    return set_integers(net, dims + start, end > start ? (size_t)(end - start) : 0, true);
}

static vdnn_status refuse_shape(const vdnn_onnx *net)
{
    return vdnn_onnx_refuse(net, "does not keep samples apart, or makes parts of dimensions that "
                                 "are not next to each other");
}

vdnn_status vdnn_onnx_map_reshape(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const vdnn_onnx_value *shape = NULL;
    vdnn_onnx_view view, y;
    int64_t sizes[VDNN_ONNX_MOST_DIMS], known = 1;
    int rest = -1;
    VDNN_TRY(take(net, &x, &view));
    VDNN_TRY(vdnn_onnx_integer_input(net, 1, &shape));
    if (shape->count > VDNN_ONNX_MOST_DIMS)
        return vdnn_onnx_refuse(net, "makes %zu dimensions, expected at most %d", shape->count,
                                VDNN_ONNX_MOST_DIMS);
    const bool keeps = vdnn_onnx_integer(net, "allowzero", 0) == 0;
    for (int d = 0; d < (int)shape->count; d++) {
        sizes[d] = shape->integers[d];
        if (sizes[d] == 0 && keeps && d < view.rank)
            sizes[d] = vdnn_onnx_view_size(&view, d);
        if (sizes[d] == -1)
            rest = d;
        else if (sizes[d] < 1 || __builtin_mul_overflow(known, sizes[d], &known))
            return refuse_shape(net);
    }
    if (rest >= 0)
        sizes[rest] = vdnn_onnx_view_elements(&view) / known;
    return vdnn_onnx_view_reshape(&view, sizes, shape->count, &y) ? set(net, x, &y)
                                                                  : refuse_shape(net);
}

vdnn_status vdnn_onnx_map_flatten(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    vdnn_onnx_view view, y;
    int64_t axis = vdnn_onnx_integer(net, "axis", 1), sizes[2] = {1, 1};
    VDNN_TRY(take(net, &x, &view));
    axis = from_start(axis, view.rank);
    for (int d = 0; d < view.rank; d++)
        sizes[d >= axis] *= vdnn_onnx_view_size(&view, d);
    return vdnn_onnx_view_reshape(&view, sizes, 2, &y) ? set(net, x, &y) : refuse_shape(net);
}

vdnn_status vdnn_onnx_map_transpose(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    vdnn_onnx_view view, y = {0};
    const vdnn_onnx_attribute *order = vdnn_onnx_attribute_find(net, "perm");
    VDNN_TRY(take(net, &x, &view));
    y.offset = view.offset;
    if (order != NULL && order->integers.count != (size_t)view.rank)
        return vdnn_onnx_refuse(net, "perm has %zu numbers, but its input %d dimensions",
                                order->integers.count, view.rank);
    unsigned seen = 0;
    for (int i = 0; i < view.rank; i++) {
        const int64_t d = order == NULL ? view.rank - 1 - i : order->integers.items[i];
        if (d < 0 || d >= view.rank || (seen & 1U << d) != 0)
            return vdnn_onnx_refuse(net, "perm is no order of %d dimensions", view.rank);
        seen |= 1U << d;
        vdnn_onnx_view_copy(&y, &view, (int)d);
    }
    return set(net, x, &y);
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

/* A bit for each axis, of `rank`. */
static vdnn_status find_axes(vdnn_onnx *net, int64_t rank, unsigned *which)
{
    const int64_t *axes = NULL;
    size_t count = 0;
    VDNN_TRY(read_axes(net, &axes, &count));
    *which = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t axis = axes[i];
        VDNN_TRY(check_axis(net, &axis, rank));
        *which |= 1U << axis;
    }
    return VDNN_OK;
}

vdnn_status vdnn_onnx_names_sides(vdnn_onnx *net, const vdnn_onnx_value *x, bool *are_sides)
{
    const int rank = 2 + x->sides;
    unsigned which = 0;
    VDNN_TRY(find_axes(net, rank, &which));
    *are_sides = which == (1U << rank) - (1U << 2);
    return VDNN_OK;
}

vdnn_status vdnn_onnx_names_middle(vdnn_onnx *net, bool *is_middle)
{
    unsigned which = 0;
    VDNN_TRY(find_axes(net, 3, &which));
    *is_middle = which == 1U << 1;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_map_squeeze(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    vdnn_onnx_view view, y = {0};
    unsigned which = 0;
    VDNN_TRY(take(net, &x, &view));
    VDNN_TRY(find_axes(net, view.rank, &which));
    y.offset = view.offset;
    for (int d = 0; d < view.rank; d++) {
        const bool is_one = vdnn_onnx_view_size(&view, d) == 1;
        if (!is_one && (which & 1U << d) != 0)
            return vdnn_onnx_refuse(net, "dimension %d has the size %lld, expected 1", d,
                                    (long long)vdnn_onnx_view_size(&view, d));
        if (!is_one || (which != 0 && (which & 1U << d) == 0))
            vdnn_onnx_view_copy(&y, &view, d);
    }
    return set(net, x, &y);
}

vdnn_status vdnn_onnx_map_unsqueeze(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    vdnn_onnx_view view, y = {0};
    const int64_t *axes = NULL;
    size_t count = 0;
    unsigned which = 0;
    VDNN_TRY(take(net, &x, &view));
    VDNN_TRY(read_axes(net, &axes, &count));
    y.offset = view.offset;
    if (count > VDNN_ONNX_MOST_DIMS)
        return vdnn_onnx_refuse(net, "adds %zu dimensions", count);
    const int rank = view.rank + (int)count;
    VDNN_TRY(find_axes(net, rank, &which));
    for (int d = 0, from = 0; d < rank; d++)
        if ((which & 1U << d) != 0)
            vdnn_onnx_view_end(&y);
        else if (from < view.rank)
            vdnn_onnx_view_copy(&y, &view, from++);
    return set(net, x, &y);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static vdnn_status refuse_part(const vdnn_onnx *net, int64_t axis)
{
    return vdnn_onnx_refuse(net,
                            "takes a part of dimension %lld that is outside of it, or that is "
                            "none of positions, features or heads",
                            (long long)axis);
}

/* Positions that a gather picks: first, first + step, ... */
static vdnn_status read_progression(vdnn_onnx *net, vdnn_onnx_value *at, int64_t size,
                                    int64_t progression[3])
{
    const double *numbers = NULL;
    VDNN_TRY(vdnn_onnx_dense_numbers(net, at, &numbers));
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, at);
    const int64_t count = vdnn_onnx_view_elements(&view);
    for (int64_t i = 0; i < count; i++)
        if (!(numbers[i] >= -(double)size && numbers[i] < (double)size))
            return vdnn_onnx_refuse(net, "index %g is outside of the %lld elements that it reads",
                                    numbers[i], (long long)size);
    if (count < 1)
        return vdnn_onnx_refuse(net, "takes no element");
    const int64_t first = (int64_t)numbers[0] + (numbers[0] < 0 ? size : 0);
    const int64_t step = count == 1 ? 1 : (int64_t)(numbers[1] - numbers[0]);
    for (int64_t i = 1; i < count; i++)
        if ((int64_t)(numbers[i] - numbers[i - 1]) != step)
            return vdnn_onnx_refuse(net, "takes elements in an order without a constant step");
    progression[0] = first;
    progression[1] = count;
    progression[2] = step;
    return VDNN_OK;
}

/* The value of a pile that has all of these, which are then counted from its first one. */
static vdnn_status choose(vdnn_onnx *net, vdnn_onnx_value *at, int64_t axis, vdnn_onnx_value **x,
                          int64_t progression[3])
{
    const vdnn_onnx_pile *pile = (*x)->pile;
    int64_t size = 0, first = 0;
    if (axis != pile->axis && axis + pile->values[0]->view->rank != pile->axis)
        return vdnn_onnx_refuse(net,
                                "takes a part of dimension %lld, but its input is joined "
                                "along dimension %lld",
                                (long long)axis, (long long)pile->axis);
    for (size_t i = 0; i < pile->count; i++)
        size += vdnn_onnx_view_size(pile->values[i]->view, (int)pile->axis);
    VDNN_TRY(read_progression(net, at, size, progression));
    const int64_t last = progression[0] + (progression[1] - 1) * progression[2];
    for (size_t i = 0; i < pile->count; i++) {
        const int64_t end = first + vdnn_onnx_view_size(pile->values[i]->view, (int)pile->axis);
        *x = pile->values[i];
        if (progression[0] >= first && progression[0] < end && last >= first && last < end) {
            progression[0] -= first;
            return VDNN_OK;
        }
        first = end;
    }
    return vdnn_onnx_refuse(net,
                            "takes elements of several of the inputs that are joined along "
                            "dimension %lld, which are no features",
                            (long long)pile->axis);
}

/* Elements along one axis, in the dimensions of the indices; of a weight with rows that tokens
 * pick, an embedding. */
vdnn_status vdnn_onnx_map_gather(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL, *at = NULL;
    vdnn_onnx_view view, part, indices;
    int64_t axis = vdnn_onnx_integer(net, "axis", 0), p[3], sizes[2 * VDNN_ONNX_MOST_DIMS];
    size_t rank = 0;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    const bool is_piled = x->pile != NULL;
    if (!is_piled)
        VDNN_TRY(take(net, &x, &view));
    VDNN_TRY(vdnn_onnx_any_input(net, 1, &at));
    if (at->tokens > 0 && !is_piled)
        return vdnn_onnx_map_embedding(net);
    if (!vdnn_onnx_is_constant(at))
        return vdnn_onnx_refuse(net, "its indices are computed by the network, expected an input "
                                     "of tokens or constants");
    if (is_piled) {
        VDNN_TRY(choose(net, at, axis, &x, p));
        view = *x->view;
    }
    VDNN_TRY(check_axis(net, &axis, view.rank));
    indices = vdnn_onnx_view_of(net, at);
    if (!is_piled)
        VDNN_TRY(read_progression(net, at, vdnn_onnx_view_size(&view, (int)axis), p));
    if (!vdnn_onnx_view_narrow(&view, (int)axis, p[0], p[1], p[2], &part))
        return refuse_part(net, axis);
    for (int d = 0; d < view.rank; d++)
        if (d != axis)
            sizes[rank++] = vdnn_onnx_view_size(&view, d);
        else
            for (int i = 0; i < indices.rank; i++)
                sizes[rank++] = vdnn_onnx_view_size(&indices, i);
    if (rank > VDNN_ONNX_MOST_DIMS || !vdnn_onnx_view_reshape(&part, sizes, rank, &view))
        return refuse_part(net, axis);
    return set(net, x, &view);
}

/* A list of integers that is an input, or an attribute of old files. */
static vdnn_status read_list(vdnn_onnx *net, size_t input, const char *name,
                             const int64_t **integers, size_t *count)
{
    const vdnn_onnx_attribute *attribute = vdnn_onnx_attribute_find(net, name);
    const vdnn_onnx_value *given = NULL;
    *integers = attribute == NULL ? NULL : attribute->integers.items;
    *count = attribute == NULL ? 0 : attribute->integers.count;
    if (!vdnn_onnx_has_input(net, input))
        return VDNN_OK;
    VDNN_TRY(vdnn_onnx_integer_input(net, input, &given));
    *integers = given->integers;
    *count = given->count;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_map_slice(vdnn_onnx *net)
{
    static const char *const names[] = {"starts", "ends", "axes", "steps"};
    const int64_t *lists[4];
    size_t counts[4];
    vdnn_onnx_value *x = NULL;
    vdnn_onnx_view view;
    VDNN_TRY(take(net, &x, &view));
    for (size_t i = 0; i < 4; i++)
        VDNN_TRY(read_list(net, 1 + i, names[i], &lists[i], &counts[i]));
    for (size_t i = 1; i < 4; i++)
        if (counts[i] != counts[0] && (i == 1 || counts[i] != 0))
            return vdnn_onnx_refuse(net, "starts, ends, axes and steps have other lengths");
    for (size_t i = 0; i < counts[0]; i++) {
        int64_t axis = counts[2] > 0 ? lists[2][i] : (int64_t)i;
        VDNN_TRY(check_axis(net, &axis, view.rank));
        const int64_t size = vdnn_onnx_view_size(&view, (int)axis),
                      step = counts[3] > 0 ? lists[3][i] : 1, first = from_start(lists[0][i], size),
                      end = from_start(lists[1][i], size);
        if (step < 1 || step > INT32_MAX)
            return vdnn_onnx_refuse(net, "its step is %lld, expected one from 1", (long long)step);
        const int64_t count = end > first ? (end - first + step - 1) / step : 0;
        if (count == 0 && view.rank == 1 && vdnn_onnx_is_constant(x))
            return set_integers(net, NULL, 0, true);
        const vdnn_onnx_view all = view;
        if (!vdnn_onnx_view_narrow(&all, (int)axis, first, count, step, &view))
            return refuse_part(net, axis);
    }
    return set(net, x, &view);
}

vdnn_status vdnn_onnx_map_split(vdnn_onnx *net)
{
    vdnn_onnx_value *found = NULL;
    vdnn_onnx_view view, part;
    const int64_t *sizes = NULL;
    size_t count = 0;
    int64_t axis = vdnn_onnx_integer(net, "axis", 0), first = 0;
    VDNN_TRY(take(net, &found, &view));
    const vdnn_onnx_value x = *found;
    VDNN_TRY(read_list(net, 1, "split", &sizes, &count));
    VDNN_TRY(check_axis(net, &axis, view.rank));
    const int64_t size = vdnn_onnx_view_size(&view, (int)axis),
                  outputs = (int64_t)net->node->outputs.count;
    if (outputs < 1 || (sizes != NULL && count != (size_t)outputs))
        return vdnn_onnx_refuse(net, "has %lld outputs, but %zu sizes", (long long)outputs, count);
    const int64_t each = (size + outputs - 1) / outputs;
    for (int64_t i = 0; i < outputs; i++) {
        const int64_t own = sizes != NULL ? sizes[i] : size - first < each ? size - first : each;
        if (!vdnn_onnx_view_narrow(&view, (int)axis, first, own, 1, &part))
            return refuse_part(net, axis);
        if (net->node->outputs.items[i][0] != '\0')
            VDNN_TRY(vdnn_onnx_set_view(net, net->node->outputs.items[i], &x, &part));
        first += own;
    }
    return VDNN_OK;
}

/* Repeats along dimensions of size 1. */
vdnn_status vdnn_onnx_map_expand(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const vdnn_onnx_value *shape = NULL;
    vdnn_onnx_view view, y = {0};
    VDNN_TRY(take(net, &x, &view));
    VDNN_TRY(vdnn_onnx_integer_input(net, 1, &shape));
    y.offset = view.offset;
    const int count = (int)shape->count, rank = count > view.rank ? count : view.rank;
    for (int d = 0; d < rank; d++) {
        const int own = d - (rank - view.rank), given = d - (rank - count);
        const int64_t has = own < 0 ? 1 : vdnn_onnx_view_size(&view, own),
                      wants = given < 0 ? 1 : shape->integers[given];
        if (has != 1 || wants <= 1) {
            if (own >= 0)
                vdnn_onnx_view_copy(&y, &view, own);
            else
                vdnn_onnx_view_end(&y);
            if (has != 1 && wants > 1 && wants != has)
                return vdnn_onnx_refuse(net, "repeats dimension %d, which has the size %lld", d,
                                        (long long)has);
            continue;
        }
        vdnn_onnx_view_add(&y, &(vdnn_onnx_axis){.size = wants});
        vdnn_onnx_view_end(&y);
    }
    return set(net, x, &y);
}
