/* Constants: what exporters compute of sizes and masks, when the file is read. */

#include "models/onnx/network.h"

#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 22, MOST_OPERANDS = 3 };

/* Of all constants that a file computes with, in memory. */
#define MOST_BYTES ((size_t)512 << 20)

bool vdnn_onnx_is_constant(const vdnn_onnx_value *value)
{
    return value->kind == VDNN_ONNX_TENSOR ||
           (value->kind == VDNN_ONNX_VIEW && value->layer == NULL && value->scores == NULL);
}

static vdnn_status refuse_many(const vdnn_onnx *net, int64_t count)
{
    return vdnn_onnx_refuse(net, "computes with %lld constant numbers, expected at most %d",
                            (long long)count, MOST_NUMBERS);
}

static vdnn_status allot(vdnn_onnx *net, int64_t count, double **numbers)
{
    if (count < 0 || count > MOST_NUMBERS)
        return refuse_many(net, count);
    if (net->hoard.bytes + (size_t)count * sizeof **numbers > MOST_BYTES)
        return vdnn_onnx_refuse(net, "computes with constants of more than %zu MiB in all",
                                MOST_BYTES >> 20);
    *numbers = vdnn_hoard_take(&net->hoard, (size_t)count + 1, sizeof **numbers);
    return *numbers == NULL ? vdnn_onnx_no_memory(net) : VDNN_OK;
}

vdnn_status vdnn_onnx_read_numbers(vdnn_onnx *net, vdnn_onnx_value *value)
{
    int64_t count = 0;
    if (value->numbers != NULL)
        return VDNN_OK;
    double *numbers = NULL;
    VDNN_TRY(vdnn_onnx_tensor_count(net, value->tensor, &count));
    VDNN_TRY(allot(net, count, &numbers));
    VDNN_TRY(vdnn_onnx_tensor_numbers(net, value->tensor, numbers, count));
    value->numbers = numbers;
    value->is_integer = !vdnn_onnx_is_float(value->tensor->type);
    return VDNN_OK;
}

/* ---- what operators compute ------------------------------------------------------------------ */

static double add(const double *x)
{
    return x[0] + x[1];
}

static double sub(const double *x)
{
    return x[0] - x[1];
}

static double mul(const double *x)
{
    return x[0] * x[1];
}

static double quotient(const double *x)
{
    return x[0] / x[1];
}

/* Of the divisor's sign. */
static double modulus(const double *x)
{
    return x[0] - floor(x[0] / x[1]) * x[1];
}

static double power(const double *x)
{
    return pow(x[0], x[1]);
}

static double root(const double *x)
{
    return sqrt(x[0]);
}

static double reciprocal(const double *x)
{
    return 1 / x[0];
}

static double negative(const double *x)
{
    return -x[0];
}

static double not_of(const double *x)
{
    return x[0] == 0 ? 1 : 0;
}

static double and_of(const double *x)
{
    return x[0] != 0 && x[1] != 0 ? 1 : 0;
}

static double or_of(const double *x)
{
    return x[0] != 0 || x[1] != 0 ? 1 : 0;
}

static double equal(const double *x)
{
    return x[0] == x[1] ? 1 : 0;
}

static double less(const double *x)
{
    return x[0] < x[1] ? 1 : 0;
}

static double at_most(const double *x)
{
    return x[0] <= x[1] ? 1 : 0;
}

static double greater(const double *x)
{
    return x[0] > x[1] ? 1 : 0;
}

static double at_least(const double *x)
{
    return x[0] >= x[1] ? 1 : 0;
}

static double chosen(const double *x)
{
    return x[0] != 0 ? x[1] : x[2];
}

static double smaller(const double *x)
{
    return fmin(x[0], x[1]);
}

static double larger(const double *x)
{
    return fmax(x[0], x[1]);
}

static double floor_of(const double *x)
{
    return floor(x[0]);
}

static double same(const double *x)
{
    return x[0];
}

typedef enum result_type { AS_INPUT, TRUTH, AS_ATTRIBUTE } result_type;

typedef struct function {
    const char *op;
    size_t operands;
    double (*compute)(const double *x);
    result_type type;
} function;

static const function functions[] = {
    {"Add", 2, add, AS_INPUT},
    {"And", 2, and_of, TRUTH},
    {"Cast", 1, same, AS_ATTRIBUTE},
    {"Div", 2, quotient, AS_INPUT},
    {"Equal", 2, equal, TRUTH},
    {"Floor", 1, floor_of, AS_INPUT},
    {"Greater", 2, greater, TRUTH},
    {"GreaterOrEqual", 2, at_least, TRUTH},
    {"Less", 2, less, TRUTH},
    {"LessOrEqual", 2, at_most, TRUTH},
    {"Max", 2, larger, AS_INPUT},
    {"Min", 2, smaller, AS_INPUT},
    {"Mod", 2, modulus, AS_INPUT},
    {"Mul", 2, mul, AS_INPUT},
    {"Neg", 1, negative, AS_INPUT},
    {"Not", 1, not_of, TRUTH},
    {"Or", 2, or_of, TRUTH},
    {"Pow", 2, power, AS_INPUT},
    {"Reciprocal", 1, reciprocal, AS_INPUT},
    {"Sqrt", 1, root, AS_INPUT},
    {"Sub", 2, sub, AS_INPUT},
    {"Where", 3, chosen, AS_INPUT},
};

/* ---- element by element ---------------------------------------------------------------------- */

typedef struct operands {
    vdnn_onnx_value *values[MOST_OPERANDS];
    vdnn_onnx_view views[MOST_OPERANDS];
    size_t count;
    int rank;
    int64_t sizes[VDNN_ONNX_MOST_DIMS], computed[VDNN_ONNX_MOST_DIMS];
} operands;

/* Sizes of the result; along a dimension in which nothing changes one element is computed. */
static vdnn_status broadcast(vdnn_onnx *net, operands *all)
{
    for (size_t i = 0; i < all->count; i++)
        all->rank = all->views[i].rank > all->rank ? all->views[i].rank : all->rank;
    for (int d = 0; d < all->rank; d++) {
        all->sizes[d] = all->computed[d] = 1;
        for (size_t i = 0; i < all->count; i++) {
            const int own = d - (all->rank - all->views[i].rank);
            const int64_t size = own < 0 ? 1 : vdnn_onnx_view_size(&all->views[i], own);
            if (size == 1)
                continue;
            if (all->sizes[d] != 1 && all->sizes[d] != size)
                return vdnn_onnx_refuse(net, "dimension %d of its inputs is %lld and %lld", d + 1,
                                        (long long)all->sizes[d], (long long)size);
            all->sizes[d] = size;
            if (vdnn_onnx_view_varies(&all->views[i], own))
                all->computed[d] = size;
        }
    }
    return VDNN_OK;
}

/* Where element `at` of the computed ones is in an operand's base. */
static int64_t offset_of(const operands *all, size_t operand, int64_t at)
{
    const vdnn_onnx_view *view = &all->views[operand];
    int64_t offset = view->offset;
    for (int d = all->rank - 1; d >= 0; d--) {
        const int own = d - (all->rank - view->rank);
        if (own >= 0 && vdnn_onnx_view_size(view, own) > 1)
            offset += vdnn_onnx_view_at(view, own, at % all->computed[d]);
        at /= all->computed[d];
    }
    return offset;
}

static vdnn_status set_numbers(vdnn_onnx *net, const double *numbers, bool is_integer,
                               const vdnn_onnx_view *view)
{
    const vdnn_onnx_value value = {.numbers = numbers, .is_integer = is_integer};
    return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), &value, view);
}

static vdnn_status compute(vdnn_onnx *net, const function *f)
{
    operands all = {.count = f->operands};
    const int64_t to = vdnn_onnx_integer(net, "to", 0);
    int64_t count = 1;
    double *numbers = NULL;
    if (vdnn_onnx_integer(net, "fmod", 0) != 0)
        return vdnn_onnx_refuse(net, "has fmod, expected a remainder of the divisor's sign");
    for (size_t i = 0; i < all.count; i++) {
        VDNN_TRY(vdnn_onnx_any_input(net, i, &all.values[i]));
        VDNN_TRY(vdnn_onnx_read_numbers(net, all.values[i]));
        all.views[i] = vdnn_onnx_view_of(net, all.values[i]);
    }
    if (f->type == AS_ATTRIBUTE && all.values[0]->is_integer == !vdnn_onnx_is_float(to))
        return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), all.values[0], &all.views[0]);
    VDNN_TRY(broadcast(net, &all));
    vdnn_onnx_view view = vdnn_onnx_view_dense(all.computed, (size_t)all.rank), spread = {0};
    for (int d = 0; d < all.rank; d++)
        if (__builtin_mul_overflow(count, all.computed[d], &count))
            return refuse_many(net, INT64_MAX);
    VDNN_TRY(allot(net, count, &numbers));
    const bool is_integer =
        f->type == TRUTH ||
        (f->type == AS_INPUT ? all.values[all.count - 1]->is_integer : !vdnn_onnx_is_float(to));
    for (int64_t i = 0; i < count; i++) {
        double x[MOST_OPERANDS] = {0};
        for (size_t k = 0; k < all.count; k++)
            x[k] = all.values[k]->numbers[offset_of(&all, k, i)];
        numbers[i] = is_integer ? trunc(f->compute(x)) : f->compute(x);
    }
    for (int d = 0; d < all.rank; d++) {
        if (all.computed[d] == all.sizes[d])
            vdnn_onnx_view_copy(&spread, &view, d);
        else {
            vdnn_onnx_view_add(&spread, &(vdnn_onnx_axis){.size = all.sizes[d]});
            vdnn_onnx_view_end(&spread);
        }
    }
    return set_numbers(net, numbers, is_integer, &spread);
}

/* ---- others ---------------------------------------------------------------------------------- */

vdnn_status vdnn_onnx_dense_numbers(vdnn_onnx *net, vdnn_onnx_value *value, const double **numbers)
{
    operands all = {.count = 1};
    int64_t count = 1;
    double *made = NULL;
    VDNN_TRY(vdnn_onnx_read_numbers(net, value));
    all.views[0] = vdnn_onnx_view_of(net, value);
    all.rank = all.views[0].rank;
    count = vdnn_onnx_view_elements(&all.views[0]);
    for (int d = 0; d < all.rank; d++)
        all.computed[d] = vdnn_onnx_view_size(&all.views[0], d);
    VDNN_TRY(allot(net, count, &made));
    for (int64_t i = 0; i < count; i++)
        made[i] = value->numbers[offset_of(&all, 0, i)];
    *numbers = made;
    return VDNN_OK;
}

/* One number, in dimensions of the sizes that are the node's input. */
static vdnn_status fold_constant_of_shape(vdnn_onnx *net)
{
    const vdnn_onnx_attribute *value = vdnn_onnx_attribute_find(net, "value");
    const vdnn_onnx_value *sizes = NULL;
    double *number = NULL;
    vdnn_onnx_view view = {0};
    bool is_integer = false;
    VDNN_TRY(vdnn_onnx_integer_input(net, 0, &sizes));
    VDNN_TRY(allot(net, 1, &number));
    if (value != NULL) {
        VDNN_TRY(vdnn_onnx_tensor_numbers(net, &value->tensor, number, 1));
        is_integer = !vdnn_onnx_is_float(value->tensor.type);
    }
    for (size_t i = 0; i < sizes->count; i++) {
        vdnn_onnx_view_add(&view, &(vdnn_onnx_axis){.size = sizes->integers[i]});
        vdnn_onnx_view_end(&view);
    }
    return set_numbers(net, number, is_integer, &view);
}

static vdnn_status fold_range(vdnn_onnx *net)
{
    double ends[3], *numbers = NULL;
    vdnn_onnx_value *value = NULL;
    for (size_t i = 0; i < 3; i++)
        VDNN_TRY(vdnn_onnx_real_input(net, i, &ends[i]));
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &value));
    const double count = ceil((ends[1] - ends[0]) / ends[2]);
    if (!(count >= 0 && count <= MOST_NUMBERS))
        return refuse_many(net, -1);
    VDNN_TRY(allot(net, (int64_t)count, &numbers));
    for (int64_t i = 0; i < (int64_t)count; i++)
        numbers[i] = ends[0] + (double)i * ends[2];
    const vdnn_onnx_view view = vdnn_onnx_view_dense(&(const int64_t){(int64_t)count}, 1);
    return set_numbers(net, numbers, value->is_integer, &view);
}

/* The upper or lower triangle of matrices, zeros elsewhere. */
static vdnn_status fold_trilu(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const double *from = NULL;
    double *numbers = NULL, diagonal = 0;
    int64_t sizes[VDNN_ONNX_MOST_DIMS];
    const bool is_upper = vdnn_onnx_integer(net, "upper", 1) != 0;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    if (vdnn_onnx_has_input(net, 1))
        VDNN_TRY(vdnn_onnx_real_input(net, 1, &diagonal));
    VDNN_TRY(vdnn_onnx_dense_numbers(net, x, &from));
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, x);
    const int64_t count = vdnn_onnx_view_elements(&view);
    if (view.rank < 2)
        return vdnn_onnx_refuse(net, "its input has %d dimensions, expected matrices", view.rank);
    for (int d = 0; d < view.rank; d++)
        sizes[d] = vdnn_onnx_view_size(&view, d);
    const int64_t columns = sizes[view.rank - 1], rows = sizes[view.rank - 2];
    VDNN_TRY(allot(net, count, &numbers));
    for (int64_t i = 0; i < count; i++) {
        const double beyond = (double)(i % columns - i / columns % rows) - diagonal;
        numbers[i] = (is_upper ? beyond >= 0 : beyond <= 0) ? from[i] : 0;
    }
    const vdnn_onnx_view dense = vdnn_onnx_view_dense(sizes, (size_t)view.rank);
    return set_numbers(net, numbers, x->is_integer, &dense);
}

/* Of arrays that differ in size along one axis. */
static vdnn_status fold_concat(vdnn_onnx *net)
{
    int64_t sizes[VDNN_ONNX_MOST_DIMS] = {0}, axis = vdnn_onnx_integer(net, "axis", 0), outer = 1,
            inner = 1, joined = 0;
    double *numbers = NULL;
    vdnn_onnx_value *x = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    const vdnn_onnx_view first = vdnn_onnx_view_of(net, x);
    axis += axis < 0 ? first.rank : 0;
    if (axis < 0 || axis >= first.rank)
        return vdnn_onnx_refuse(net, "axis is %lld, which its input has not", (long long)axis);
    for (size_t i = 0; i < net->node->inputs.count; i++) {
        VDNN_TRY(vdnn_onnx_any_input(net, i, &x));
        const vdnn_onnx_view view = vdnn_onnx_view_of(net, x);
        for (int d = 0; d < first.rank; d++)
            if (view.rank != first.rank ||
                (d != axis && vdnn_onnx_view_size(&view, d) != vdnn_onnx_view_size(&first, d)))
                return vdnn_onnx_refuse(net, "input %zu has other dimensions than the first",
                                        i + 1);
        if (__builtin_add_overflow(joined, vdnn_onnx_view_size(&view, (int)axis), &joined))
            return refuse_many(net, INT64_MAX);
    }
    for (int d = 0; d < first.rank; d++)
        sizes[d] = d == axis ? joined : vdnn_onnx_view_size(&first, d);
    const vdnn_onnx_view view = vdnn_onnx_view_dense(sizes, (size_t)first.rank);
    if (view.is_full)
        return refuse_many(net, INT64_MAX);
    VDNN_TRY(allot(net, vdnn_onnx_view_elements(&view), &numbers));
    for (int d = 0; d < first.rank; d++) {
        outer *= d < axis ? sizes[d] : 1;
        inner *= d > axis ? sizes[d] : 1;
    }
    int64_t begin = 0;
    for (size_t i = 0; i < net->node->inputs.count; i++) {
        const double *from = NULL;
        VDNN_TRY(vdnn_onnx_any_input(net, i, &x));
        VDNN_TRY(vdnn_onnx_dense_numbers(net, x, &from));
        const vdnn_onnx_view part = vdnn_onnx_view_of(net, x);
        const int64_t run = vdnn_onnx_view_size(&part, (int)axis) * inner;
        for (int64_t o = 0; o < outer && run > 0; o++)
            memcpy(numbers + o * joined * inner + begin, from + o * run,
                   (size_t)run * sizeof *numbers);
        begin += run;
    }
    return set_numbers(net, numbers, x->is_integer, &view);
}

vdnn_status vdnn_onnx_fold(vdnn_onnx *net, bool *is_done)
{
    static const struct {
        const char *op;
        size_t inputs; /* at least */
        vdnn_status (*fold)(vdnn_onnx *net);
    } others[] = {{"Concat", 1, fold_concat},
                  {"ConstantOfShape", 1, fold_constant_of_shape},
                  {"Range", 3, fold_range},
                  {"Trilu", 1, fold_trilu}};
    const vdnn_onnx_node *node = net->node;
    *is_done = node->inputs.count > 0;
    for (size_t i = 0; i < node->inputs.count && *is_done; i++) {
        const int32_t at = vdnn_names_find(&net->names, node->inputs.items[i]);
        *is_done = node->inputs.items[i][0] == '\0' ||
                   (at >= 0 && vdnn_onnx_is_constant(&net->values.items[at]));
    }
    for (size_t i = 0; *is_done && i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].op, node->op) == 0 && node->inputs.count == functions[i].operands)
            return compute(net, &functions[i]);
    for (size_t i = 0; *is_done && i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].op, node->op) == 0 && node->inputs.count >= others[i].inputs)
            return others[i].fold(net);
    *is_done = false;
    return VDNN_OK;
}
