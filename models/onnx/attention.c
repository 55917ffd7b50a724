/* Attention, from its products: MatMul of queries and keys, a factor, a causal mask, Softmax, and
 * MatMul with the values, over heads in whatever dimensions a graph has them. */

#include "models/onnx/network.h"

#include <math.h>
#include <string.h>

enum { MOST_HEADS = 1024 };

/* Where the heads of queries, keys or values are in the map that has them. */
typedef struct part {
    vdnn_onnx_value map;
    int64_t first; /* feature of head 0 */
    int64_t heads; /* different ones */
    int64_t positions, width;
} part;

struct vdnn_onnx_scores {
    part q, k;
    int64_t heads;
    double factor;
    bool is_causal, is_softmax;
};

bool vdnn_onnx_are_scores(const vdnn_onnx_value *value)
{
    return value->scores != NULL;
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* Index i of a dimension that has no samples, among all of the dimension; how many such there are.
 * `inner`: elements after the samples, 0 where there are none. */
static int64_t count_heads(const vdnn_onnx_view *view, int d, int64_t *inner)
{
    int64_t heads = 1;
    *inner = 0;
    for (int i = vdnn_onnx_view_begin(view, d); i < view->ends[d]; i++) {
        if (view->axes[i].is_batch) {
            *inner = 1;
            continue;
        }
        heads *= view->axes[i].size;
        *inner *= view->axes[i].size;
    }
    return heads;
}

static int64_t head_offset(const vdnn_onnx_view *view, int d, int64_t i)
{
    int64_t inner = 0;
    const int64_t heads = count_heads(view, d, &inner), size = vdnn_onnx_view_size(view, d);
    if (inner == 0 || heads == 0)
        return vdnn_onnx_view_at(view, d, i);
    return vdnn_onnx_view_at(view, d, i / inner * (inner * (size / heads)) + i % inner);
}

static vdnn_status refuse_heads(const vdnn_onnx *net, const char *what)
{
    return vdnn_onnx_refuse(net,
                            "is a product of two maps that is no attention: its %s are not heads "
                            "of features at all positions of a sequence",
                            what);
}

/* The head that each of all heads reads: they are those of `like`, in the dimensions before the
 * last two. Heads of one width lie one after the other, and as many as each is read by follow. */
static vdnn_status find_heads(vdnn_onnx *net, const vdnn_onnx_view *like,
                              const vdnn_onnx_view *view, int64_t all, const char *what, part *p)
{
    for (int64_t h = 0; h < all; h++) {
        int64_t left = h, offset = view->offset;
        for (int d = like->rank - 3; d >= 0; d--) {
            const int own = d - (like->rank - view->rank);
            int64_t inner = 0, own_inner = 0;
            const int64_t heads = count_heads(like, d, &inner);
            const int64_t has = own < 0 ? 1 : count_heads(view, own, &own_inner);
            if (heads < 1 || (has != heads && has != 1) || (has == heads && inner != own_inner))
                return refuse_heads(net, what);
            if (has > 1)
                offset += head_offset(view, own, left % heads);
            left /= heads;
        }
        if (h == 0)
            p->first = offset;
        if (p->width < 1)
            return refuse_heads(net, what);
        const int64_t head = (offset - p->first) / p->width;
        if (h > 0 && head > 0 && p->heads == 1)
            p->heads = all / h;
        if (offset - p->first != head * p->width || head != h * p->heads / all)
            return refuse_heads(net, what);
    }
    return p->first >= 0 && p->first + p->heads * p->width <= p->map.dims[1]
               ? VDNN_OK
               : refuse_heads(net, what);
}

/* Whether a dimension is one axis of that size and stride. */
static bool is_axis(const vdnn_onnx_view *view, int d, int64_t size, int64_t stride)
{
    const int begin = vdnn_onnx_view_begin(view, d);
    return vdnn_onnx_view_size(view, d) == size &&
           (size == 1 || (view->ends[d] == begin + 1 && view->axes[begin].stride == stride &&
                          !view->axes[begin].is_batch));
}

/* The map of input i, whose positions and features of a head are these dimensions from the end. */
static vdnn_status take_part(vdnn_onnx *net, size_t i, int position, int feature, const char *what,
                             part *p)
{
    vdnn_onnx_value *value = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, i, &value));
    if (value->kind != VDNN_ONNX_VIEW || value->layer == NULL || value->scores != NULL ||
        value->tokens > 0)
        return refuse_heads(net, what);
    VDNN_TRY(vdnn_onnx_make_sequence(net, value));
    const vdnn_onnx_view *view = value->view;
    if (view->rank < 3)
        return refuse_heads(net, what);
    *p = (part){.map = *value,
                .heads = 1,
                .positions = value->dims[0],
                .width = vdnn_onnx_view_size(view, view->rank - feature)};
    return is_axis(view, view->rank - position, p->positions, value->dims[1]) &&
                   is_axis(view, view->rank - feature, p->width, 1)
               ? VDNN_OK
               : refuse_heads(net, what);
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* Dimensions of all heads, which are those of the queries, over what `each` elements of a head
 * follow. */
static vdnn_onnx_view view_heads(const vdnn_onnx_view *from, int64_t heads, int64_t each)
{
    vdnn_onnx_view view = {0};
    int64_t left = heads;
    for (int d = 0; d < from->rank - 2; d++) {
        for (int i = vdnn_onnx_view_begin(from, d); i < from->ends[d]; i++) {
            vdnn_onnx_axis axis = from->axes[i];
            if (!axis.is_batch)
                left /= axis.size;
            axis.stride = axis.is_batch ? 0 : left * each;
            vdnn_onnx_view_add(&view, &axis);
        }
        vdnn_onnx_view_end(&view);
    }
    return view;
}

static void add_axis(vdnn_onnx_view *view, int64_t size, int64_t stride)
{
    vdnn_onnx_view_add(view, &(vdnn_onnx_axis){.size = size, .stride = stride});
    vdnn_onnx_view_end(view);
}

static vdnn_status set_scores(vdnn_onnx *net, const vdnn_onnx_scores *scores,
                              const vdnn_onnx_view *view)
{
    vdnn_onnx_scores *copy = vdnn_hoard_take(&net->hoard, 1, sizeof *copy);
    if (copy == NULL)
        return vdnn_onnx_no_memory(net);
    *copy = *scores;
    const vdnn_onnx_value value = {.layer = scores->q.map.layer, .scores = copy};
    return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), &value, view);
}

vdnn_status vdnn_onnx_map_scores(vdnn_onnx *net)
{
    vdnn_onnx_scores s = {.heads = 1};
    int64_t inner = 0;
    VDNN_TRY(take_part(net, 0, 2, 1, "queries", &s.q));
    VDNN_TRY(take_part(net, 1, 1, 2, "keys", &s.k));
    const vdnn_onnx_view *q = s.q.map.view, *k = s.k.map.view;
    for (int d = 0; d < q->rank - 2; d++)
        s.heads *= count_heads(q, d, &inner);
    if (s.heads < 1 || s.heads > MOST_HEADS || k->rank > q->rank || s.q.width != s.k.width)
        return refuse_heads(net, "queries and keys");
    VDNN_TRY(find_heads(net, q, q, s.heads, "queries", &s.q));
    VDNN_TRY(find_heads(net, q, k, s.heads, "keys", &s.k));
    if (s.q.heads != s.heads)
        return refuse_heads(net, "queries");
    int64_t each, all;
    if (__builtin_mul_overflow(s.q.positions, s.k.positions, &each) ||
        __builtin_mul_overflow(each, s.heads, &all))
        return refuse_heads(net, "queries and keys");
    s.factor = vdnn_onnx_factor(&s.q.map) * vdnn_onnx_factor(&s.k.map);
    vdnn_onnx_view view = view_heads(q, s.heads, each);
    add_axis(&view, s.q.positions, s.k.positions);
    add_axis(&view, s.k.positions, 1);
    return set_scores(net, &s, &view);
}

/* ---- factors and masks ----------------------------------------------------------------------- */

/* Which input has the scores. */
static vdnn_status find_scores(vdnn_onnx *net, size_t from, size_t *at, vdnn_onnx_value **value)
{
    for (size_t i = from; i < net->node->inputs.count; i++) {
        VDNN_TRY(vdnn_onnx_any_input(net, i, value));
        *at = i;
        if (vdnn_onnx_are_scores(*value) && !(*value)->scores->is_softmax)
            return VDNN_OK;
    }
    return vdnn_onnx_refuse(net, "reads an attention's Softmax, which only MatMul may");
}

vdnn_status vdnn_onnx_map_scaled_scores(vdnn_onnx *net)
{
    vdnn_onnx_value *value = NULL;
    size_t at = 0;
    double number = 1;
    VDNN_TRY(find_scores(net, 0, &at, &value));
    if (net->node->op[0] == 'D' && at == 1)
        return vdnn_onnx_refuse(net, "divides by an attention's scores");
    VDNN_TRY(vdnn_onnx_real_input(net, 1 - at, &number));
    vdnn_onnx_scores s = *value->scores;
    s.factor *= net->node->op[0] == 'D' ? 1 / number : number;
    return set_scores(net, &s, value->view);
}

/* How a mask's number at each query and key is read: whether the query attends to the key. */
typedef enum mask_kind { ADDED, WHERE_TRUE, WHERE_FALSE } mask_kind;

/* A number so low that its exponential is 0 beside others. */
static bool is_low(double number)
{
    return number <= -1e4;
}

/* What a mask says: whether it changes along queries and keys, and whether all queries attend to
 * all keys, or to those up to them. */
typedef struct mask {
    const double *numbers;
    vdnn_onnx_view view;
    mask_kind kind;
    bool has_queries, has_keys, is_all, is_causal;
} mask;

static bool changes_along(const vdnn_onnx_view *view, int d)
{
    return d >= 0 && vdnn_onnx_view_varies(view, d);
}

static vdnn_status read_mask(vdnn_onnx *net, size_t input, const vdnn_onnx_scores *s, mask *m)
{
    vdnn_onnx_value *value = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, input, &value));
    if (!vdnn_onnx_is_constant(value))
        return vdnn_onnx_refuse(net,
                                "its mask '%.100s' depends on an input: only a constant causal "
                                "mask is read; in a network's own file attention takes lengths",
                                net->node->inputs.items[input]);
    VDNN_TRY(vdnn_onnx_read_numbers(net, value));
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, value);
    for (int d = 0; d < view.rank - 2; d++)
        if (changes_along(&view, d))
            return vdnn_onnx_refuse(net, "its mask differs between samples or heads");
    for (int d = 0; d < 2 && d < view.rank; d++) {
        const int64_t size = vdnn_onnx_view_size(&view, view.rank - 1 - d);
        if (size != 1 && size != (d == 0 ? s->k.positions : s->q.positions))
            return vdnn_onnx_refuse(net, "its mask has %lld elements along %s", (long long)size,
                                    d == 0 ? "keys" : "queries");
    }
    m->numbers = value->numbers;
    m->view = view;
    m->has_queries = changes_along(&view, view.rank - 2);
    m->has_keys = changes_along(&view, view.rank - 1);
    return VDNN_OK;
}

static vdnn_status judge_pair(const vdnn_onnx *net, int64_t query, int64_t key, mask *m)
{
    const vdnn_onnx_view *view = &m->view;
    const int64_t at = view->offset +
                       (m->has_queries ? vdnn_onnx_view_at(view, view->rank - 2, query) : 0) +
                       (m->has_keys ? vdnn_onnx_view_at(view, view->rank - 1, key) : 0);
    const double number = m->numbers[at];
    const bool is_zero = number >= 0 && number <= 0;
    if (m->kind == ADDED && !is_zero && !is_low(number))
        return vdnn_onnx_refuse(net,
                                "adds %g to the scores of an attention: only masks of 0 and "
                                "numbers below -1e4 are read",
                                number);
    const bool attends = m->kind == WHERE_TRUE ? !is_zero : is_zero;
    m->is_all = m->is_all && attends;
    m->is_causal = m->is_causal && attends == (key <= query);
    return VDNN_OK;
}

static vdnn_status take_mask(vdnn_onnx *net, size_t input, mask_kind kind, vdnn_onnx_scores *s)
{
    mask m = {.kind = kind, .is_all = true, .is_causal = true};
    VDNN_TRY(read_mask(net, input, s, &m));
    /* along a dimension in which nothing changes one number stands for all */
    for (int64_t q = 0; q < (m.has_queries ? s->q.positions : 1); q++)
        for (int64_t k = 0; k < (m.has_keys ? s->k.positions : 1); k++)
            VDNN_TRY(judge_pair(net, q, k, &m));
    const bool is_square = m.has_queries && m.has_keys && s->q.positions == s->k.positions;
    if (!m.is_all && !(m.is_causal && is_square))
        return vdnn_onnx_refuse(net, "its mask is not the causal one, which leaves out the keys "
                                     "after each query");
    s->is_causal |= !m.is_all;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_map_masked_scores(vdnn_onnx *net)
{
    vdnn_onnx_value *value = NULL;
    size_t at = 0;
    VDNN_TRY(find_scores(net, 0, &at, &value));
    vdnn_onnx_scores s = *value->scores;
    VDNN_TRY(take_mask(net, 1 - at, ADDED, &s));
    return set_scores(net, &s, value->view);
}

/* Scores where the mask has them, else a low number. */
vdnn_status vdnn_onnx_map_where(vdnn_onnx *net)
{
    vdnn_onnx_value *value = NULL, *other = NULL;
    size_t at = 0;
    double number = 0;
    for (size_t i = 1; i < 3; i++) {
        VDNN_TRY(vdnn_onnx_any_input(net, i, &value));
        if (vdnn_onnx_are_scores(value))
            at = i;
    }
    if (at == 0)
        return vdnn_onnx_refuse(net, "chooses between maps: only the mask of an attention, and "
                                     "constants, are read");
    VDNN_TRY(find_scores(net, at, &at, &value));
    VDNN_TRY(vdnn_onnx_any_input(net, 3 - at, &other));
    const vdnn_onnx_view of_other = vdnn_onnx_view_of(net, other);
    bool is_one = vdnn_onnx_is_constant(other);
    for (int d = 0; d < of_other.rank; d++)
        is_one &= !vdnn_onnx_view_varies(&of_other, d);
    if (!is_one)
        return vdnn_onnx_refuse(net, "masks scores by several numbers, expected one");
    VDNN_TRY(vdnn_onnx_read_numbers(net, other));
    number = other->numbers[of_other.offset];
    if (!is_low(number))
        return vdnn_onnx_refuse(net, "masks scores by %g, expected a number below -1e4", number);
    vdnn_onnx_scores s = *value->scores;
    VDNN_TRY(take_mask(net, 0, at == 1 ? WHERE_TRUE : WHERE_FALSE, &s));
    return set_scores(net, &s, value->view);
}

vdnn_status vdnn_onnx_map_softmax_of_scores(vdnn_onnx *net)
{
    vdnn_onnx_value *value = NULL;
    size_t at = 0;
    VDNN_TRY(find_scores(net, 0, &at, &value));
    const int64_t axis = vdnn_onnx_integer(net, "axis", net->opset < 13 ? 1 : -1);
    if (axis != -1 && axis != value->view->rank - 1)
        return vdnn_onnx_refuse(net, "axis is %lld, expected the last one, the keys",
                                (long long)axis);
    vdnn_onnx_scores s = *value->scores;
    s.is_softmax = true;
    return set_scores(net, &s, value->view);
}

/* ---- the layer ------------------------------------------------------------------------------- */

static bool is_whole(const part *p)
{
    return p->first == 0 && p->heads * p->width == p->map.dims[1];
}

static vdnn_status emit_attention(vdnn_onnx *net, vdnn_onnx_scores *s, part *v, const char *name)
{
    vdnn_onnx_value *maps[] = {&s->q.map, &s->k.map, &v->map};
    const int64_t queries = s->heads * s->q.width, keys = s->k.heads * s->q.width;
    bool is_packed = s->q.first == 0 && s->k.first == queries && v->first == queries + keys &&
                     s->q.map.dims[1] == queries + 2 * keys;
    for (size_t i = 1; i < 3; i++)
        is_packed &= strcmp(maps[i]->layer, maps[0]->layer) == 0;
    if (!is_packed && !(is_whole(&s->q) && is_whole(&s->k) && is_whole(v)))
        return vdnn_onnx_refuse(net,
                                "is an attention whose queries, keys and values begin at features "
                                "%lld, %lld and %lld of '%.60s', '%.60s' and '%.60s': expected one "
                                "map with all queries, then all keys and all values, or three",
                                (long long)s->q.first, (long long)s->k.first, (long long)v->first,
                                maps[0]->layer, maps[1]->layer, maps[2]->layer);
    return vdnn_onnx_emit(net, name, "attention", maps, is_packed ? 1 : 3,
                          ", heads: %lld, kv_heads: %lld, causal: %s", (long long)s->heads,
                          (long long)s->k.heads, s->is_causal ? "true" : "false");
}

vdnn_status vdnn_onnx_map_attention(vdnn_onnx *net)
{
    vdnn_onnx_value *weights = NULL;
    part v;
    const char *name = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &weights));
    vdnn_onnx_scores s = *weights->scores;
    const vdnn_onnx_view of_weights = *weights->view;
    const int rank = of_weights.rank;
    if (!s.is_softmax)
        return vdnn_onnx_refuse(net, "multiplies scores before their Softmax");
    VDNN_TRY(take_part(net, 1, 2, 1, "values", &v));
    if (v.positions != s.k.positions || v.width != s.q.width || rank < 3 ||
        v.map.view->rank > rank || !is_axis(&of_weights, rank - 2, s.q.positions, s.k.positions) ||
        !is_axis(&of_weights, rank - 1, s.k.positions, 1))
        return refuse_heads(net, "values");
    VDNN_TRY(find_heads(net, &of_weights, v.map.view, s.heads, "values", &v));
    const double expected = 1 / sqrt((double)s.q.width);
    const double of_values = vdnn_onnx_factor(&v.map);
    if (v.heads != s.k.heads || of_values > 1 || of_values < 1)
        return refuse_heads(net, "values");
    if (fabs(s.factor / expected - 1) > 1e-4)
        return vdnn_onnx_refuse(net,
                                "the scores of its attention are multiplied by %g, expected %g: 1 "
                                "by the root of the %lld features of a head",
                                s.factor, expected, (long long)s.q.width);
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(emit_attention(net, &s, &v, name));
    vdnn_onnx_view view = view_heads(&of_weights, s.heads, s.q.width);
    add_axis(&view, s.q.positions, s.heads * s.q.width);
    add_axis(&view, s.q.width, 1);
    const vdnn_onnx_value y = vdnn_onnx_sequence(name, s.q.positions, s.heads * s.q.width);
    return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), &y, &view);
}
