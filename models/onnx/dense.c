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
    if (!p->x->is_flat)
        return vdnn_onnx_refuse(net, "its input has more than two dimensions, expected a vector a "
                                     "sample");
    if (weight->dims.count != 2)
        return vdnn_onnx_refuse(net, "its weight has %zu dimensions, expected 2",
                                weight->dims.count);
    const int64_t in = vdnn_onnx_elements(p->x);
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
    VDNN_TRY(vdnn_onnx_layer_name(net, weight, p->bias, &name));
    VDNN_TRY(vdnn_onnx_add_weight(net, name, "weight", weight, &like));
    if (p->bias != NULL)
        VDNN_TRY(add_bias(net, name, p, out));
    VDNN_TRY(vdnn_onnx_emit(net, name, "fc", &p->x, 1, ", out: %lld, bias: %s", (long long)out,
                            p->bias == NULL ? "false" : "true"));
    return vdnn_onnx_set_map(
        net, name, &(vdnn_onnx_value){.dims = {out, 1, 1, 1}, .sides = 2, .is_flat = true});
}

vdnn_status vdnn_onnx_map_gemm(vdnn_onnx *net)
{
    product p = {.is_transposed = vdnn_onnx_integer(net, "transB", 0) == 0,
                 .scale = vdnn_onnx_real(net, "alpha", 1),
                 .bias_scale = vdnn_onnx_real(net, "beta", 1)};
    VDNN_TRY(vdnn_onnx_input(net, 0, &p.x));
    VDNN_TRY(vdnn_onnx_tensor_input(net, 1, &p.weight));
    if (vdnn_onnx_has_input(net, 2))
        VDNN_TRY(vdnn_onnx_tensor_input(net, 2, &p.bias));
    if (vdnn_onnx_integer(net, "transA", 0) != 0)
        return vdnn_onnx_refuse(net, "transA is not 0: it would add up over the samples");
    return map_product(net, &p);
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
    if (bias < 0 || net->values.items[bias].kind != VDNN_ONNX_TENSOR)
        return;
    p->bias = net->values.items[bias].tensor;
    *output = next->outputs.items[0];
    net->is_done[net->reader[at]] = true;
}

vdnn_status vdnn_onnx_map_matmul(vdnn_onnx *net)
{
    product p = {.is_transposed = true, .scale = 1, .bias_scale = 1};
    VDNN_TRY(vdnn_onnx_input(net, 0, &p.x));
    VDNN_TRY(vdnn_onnx_tensor_input(net, 1, &p.weight));
    if (net->node->outputs.count == 0)
        return vdnn_onnx_refuse(net, "has no output, which it must have");
    const char *product_name = net->node->outputs.items[0], *output = product_name;
    take_bias(net, &p, &output);
    VDNN_TRY(map_product(net, &p));
    return vdnn_onnx_set_value(net, output,
                               &net->values.items[vdnn_names_find(&net->names, product_name)]);
}
