/* Products of matrices: fully connected layers. */

#include "models/onnx/network.h"

#include <string.h>

/* y = scale * x * weight + bias_scale * bias */
typedef struct product {
    vdnn_onnx_value *x;
    const vdnn_onnx_tensor *weight, *bias; /* bias NULL: none */
    bool is_transposed;                    /* the weight is inputs x outputs */
    double scale, bias_scale;
} product;

static vdnn_status add_bias(vdnn_onnx *net, const char *name, const product *p, int64_t out)
{
    int64_t count = 0;
    VDNN_TRY(vdnn_onnx_tensor_count(net, p->bias, &count));
    const vdnn_onnx_weight row = {
        .dims = {out}, .dim_count = 1, .is_one = count == 1, .scale = p->bias_scale};
    return vdnn_onnx_add_weight(net, name, "bias", p->bias, &row);
}

static vdnn_status map_product(vdnn_onnx *net, const product *p)
{
    const vdnn_onnx_tensor *weight = p->weight;
    const char *name = NULL;
    const bool is_sequence = p->x->kind == VDNN_ONNX_VIEW;
    if (!is_sequence && !p->x->is_flat)
        return vdnn_onnx_refuse(net, "its input has more than two dimensions, expected a vector a "
                                     "sample");
    if (weight->dims.count != 2)
        return vdnn_onnx_refuse(net, "its weight has %zu dimensions, expected 2",
                                weight->dims.count);
    const int64_t in = is_sequence ? p->x->dims[1] : vdnn_onnx_elements(p->x);
    const int64_t has = weight->dims.items[p->is_transposed ? 0 : 1];
    const int64_t out = weight->dims.items[p->is_transposed ? 1 : 0];
    if (has != in || out < 1)
        return vdnn_onnx_refuse(net,
                                "its weight is %lld x %lld, which does not fit an input of "
                                "%lld elements a sample",
                                (long long)weight->dims.items[0], (long long)weight->dims.items[1],
                                (long long)in);
    const vdnn_onnx_weight like = {
        .dims = {out, in}, .dim_count = 2, .is_transposed = p->is_transposed, .scale = p->scale};
    const char *table = NULL;
    if (is_sequence && p->bias == NULL && p->scale >= 1 && p->scale <= 1)
        VDNN_TRY(vdnn_onnx_find_table(net, weight, &like, &table));
    if (table != NULL) {
        const int length = (int)(strrchr(table, '.') - table);
        VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
        VDNN_TRY(vdnn_onnx_emit(net, name, "fc", &p->x, 1,
                                ", out: %lld, bias: false, weight_of: \"%.*s\"", (long long)out,
                                length, table));
        return vdnn_onnx_set_rows(net, name, p->x, out);
    }
    VDNN_TRY(vdnn_onnx_layer_name(net, weight, p->bias, &name));
    VDNN_TRY(vdnn_onnx_add_weight(net, name, "weight", weight, &like));
    if (p->bias != NULL)
        VDNN_TRY(add_bias(net, name, p, out));
    VDNN_TRY(vdnn_onnx_emit(net, name, "fc", &p->x, 1, ", out: %lld, bias: %s", (long long)out,
                            p->bias == NULL ? "false" : "true"));
    return vdnn_onnx_set_rows(net, name, p->x, out);
}

/* A weight as it is in the file, or as a Transpose of the file has it. */
static vdnn_status take_weight(vdnn_onnx *net, product *p)
{
    static const int64_t none[2] = {0, 0};
    vdnn_onnx_value *value = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, 1, &value));
    if (value->kind == VDNN_ONNX_VIEW && value->tensor != NULL && value->tensor->dims.count == 2 &&
        value->view->rank == 2) {
        const int64_t *dims = value->tensor->dims.items;
        const vdnn_onnx_view plain = vdnn_onnx_view_dense(dims == NULL ? none : dims, 2);
        vdnn_onnx_view turned = {0};
        for (int d = 1; d >= 0 && !plain.is_full; d--)
            vdnn_onnx_view_copy(&turned, &plain, d);
        if (vdnn_onnx_view_equal(&turned, value->view)) {
            p->weight = value->tensor;
            p->is_transposed = !p->is_transposed;
            return VDNN_OK;
        }
    }
    return vdnn_onnx_tensor_input(net, 1, &p->weight);
}

vdnn_status vdnn_onnx_map_gemm(vdnn_onnx *net)
{
    product p = {.is_transposed = vdnn_onnx_integer(net, "transB", 0) == 0,
                 .scale = vdnn_onnx_real(net, "alpha", 1),
                 .bias_scale = vdnn_onnx_real(net, "beta", 1)};
    VDNN_TRY(vdnn_onnx_rows(net, 0, &p.x));
    VDNN_TRY(take_weight(net, &p));
    if (vdnn_onnx_has_input(net, 2))
        VDNN_TRY(vdnn_onnx_tensor_input(net, 2, &p.bias));
    if (vdnn_onnx_integer(net, "transA", 0) != 0)
        return vdnn_onnx_refuse(net, "transA is not 0: it would add up over the samples");
    return map_product(net, &p);
}

/* Whether a tensor is a number for each output, and not one for each position. */
static bool is_bias(vdnn_onnx *net, const vdnn_onnx_tensor *tensor, const product *p)
{
    int64_t count = 0;
    const int64_t out =
        p->weight->dims.count == 2 ? p->weight->dims.items[p->is_transposed ? 1 : 0] : 0;
    return p->x->kind == VDNN_ONNX_MAP ||
           (vdnn_onnx_tensor_count(net, tensor, &count) == VDNN_OK && count == out &&
            tensor->dims.items[tensor->dims.count - 1] == out);
}

/* The bias that the one node after a MatMul adds, which is done with then. */
static void take_bias(vdnn_onnx *net, product *p, const char **output)
{
    const int32_t at = vdnn_names_find(&net->names, *output);
    if (at < 0 || net->readers[at] != 1)
        return;
    const vdnn_onnx_node *next = &net->proto.graph.nodes.items[net->reader[at]];
    if (strcmp(next->op, "Add") != 0 || next->domain[0] != '\0' || next->inputs.count != 2 ||
        next->outputs.count != 1 || net->is_done[net->reader[at]])
        return;
    const int other = strcmp(next->inputs.items[0], *output) == 0 ? 1 : 0;
    const int32_t bias = vdnn_names_find(&net->names, next->inputs.items[other]);
    const vdnn_onnx_tensor *tensor = NULL;
    if (bias < 0 || !vdnn_onnx_is_constant(&net->values.items[bias]) ||
        vdnn_onnx_tensor_of(net, &net->values.items[bias], &tensor) != VDNN_OK ||
        !is_bias(net, tensor, p))
        return;
    p->bias = tensor;
    *output = next->outputs.items[0];
    net->is_done[net->reader[at]] = true;
}

vdnn_status vdnn_onnx_map_matmul(vdnn_onnx *net)
{
    product p = {.is_transposed = true, .scale = 1, .bias_scale = 1};
    vdnn_onnx_value *a = NULL, *b = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &a));
    VDNN_TRY(vdnn_onnx_any_input(net, 1, &b));
    if (vdnn_onnx_are_scores(a))
        return vdnn_onnx_map_attention(net);
    if (b->layer != NULL)
        return vdnn_onnx_map_scores(net);
    VDNN_TRY(vdnn_onnx_rows(net, 0, &p.x));
    VDNN_TRY(take_weight(net, &p));
    if (net->node->outputs.count == 0)
        return vdnn_onnx_refuse(net, "has no output, which it must have");
    const char *product_name = net->node->outputs.items[0], *output = product_name;
    take_bias(net, &p, &output);
    VDNN_TRY(map_product(net, &p));
    return vdnn_onnx_set_value(net, output,
                               &net->values.items[vdnn_names_find(&net->names, product_name)]);
}
