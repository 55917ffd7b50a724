#include "runtime/device/sim/predict.h"

#include "layers/attention/attention.h"
#include "layers/conv/conv.h"
#include "runtime/base/status.h"

#include <math.h>
#include <string.h>

/* Peak of products with factors of smaller types; 0: the card has no units for them. */
static double tensor_flops(const vdnn_device_model *model, vdnn_dtype dtype)
{
    double bf16 = model->compute.bf16_flops_per_second, f16 = model->compute.f16_flops_per_second;
    switch (dtype) {
    case VDNN_TF32:
        return model->compute.tf32_flops_per_second;
    case VDNN_BF16:
        return bf16;
    case VDNN_F16:
        return f16 > 0 ? f16 : bf16;
    default:
        return 0;
    }
}

bool vdnn_predict_has_units(const vdnn_device_model *model, vdnn_dtype dtype)
{
    return tensor_flops(model, dtype) > 0;
}

static double peak_flops(const vdnn_device_model *model, vdnn_dtype dtype)
{
    double tensor = tensor_flops(model, dtype);
    return tensor > 0 ? tensor : model->compute.f32_flops_per_second;
}

/* What the kernels for smaller types do otherwise than those of f32. */
static void take_tensor_kernels(const vdnn_device_model *model, vdnn_cost_model *cost)
{
    cost->gathers = true;
    cost->channel_multiple = model->compute.tensor_channels;
    cost->padded_multiple = model->compute.tensor_pads_to;
    cost->narrowest_tile = model->compute.tensor_tile;
    cost->splits_forward = model->compute.tensor_splits != 0;
    cost->skips_rows = model->compute.tensor_skips != 0;
    if (model->compute.tensor_launch_seconds > 0)
        cost->launch_seconds = model->compute.tensor_launch_seconds;
}

vdnn_cost_model vdnn_predict_cost_model(const vdnn_device_model *model, vdnn_dtype dtype)
{
    vdnn_cost_model cost = {.flops_per_second = peak_flops(model, dtype),
                            .bytes_per_second = model->memory.bytes_per_second,
                            .elementwise_bytes_per_second =
                                model->memory.bytes_per_second * model->layers.memory_efficiency,
                            .launch_seconds = model->compute.launch_seconds,
                            .multiprocessors = (int32_t)model->compute.multiprocessors};
    bool tensor = tensor_flops(model, dtype) > 0;
    if (tensor)
        take_tensor_kernels(model, &cost);
    memcpy(cost.rates, tensor ? model->tensor_convolution : model->convolution, sizeof cost.rates);
    cost.plain_flops_per_second = model->compute.f32_flops_per_second;
    memcpy(cost.plain_rates, model->convolution, sizeof cost.plain_rates);
    return cost;
}

static double round_up(double value, double tile)
{
    return ceil(value / tile) * tile;
}

static double traffic_seconds(const vdnn_device_model *model, double bytes)
{
    return bytes / (model->memory.bytes_per_second * model->layers.memory_efficiency);
}

/* Bytes of maps that are read a second time: the sums of a batch normalization over a channel are
 * complete before any value is computed by them, and no cache holds the maps until then. Forward
 * reads x twice, backward x and dy (layers/norm/cuda_batchnorm.cu, as cuDNN's kernels). */
static double bytes_again(const vdnn_layer *layer, vdnn_pass pass)
{
    static const double maps[VDNN_PASS_COUNT] = {[VDNN_FORWARD] = 1, [VDNN_BACKWARD_DATA] = 2};
    const bool sums_first = strcmp(layer->def->type, "batchnorm") == 0;
    return sums_first ? maps[pass] * (double)vdnn_desc_bytes(&layer->y) : 0;
}

double vdnn_predict_bytes(const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_layer_bytes(layer, pass) + bytes_again(layer, pass);
}

static double roofline_seconds(const vdnn_device_model *model, const vdnn_layer *layer,
                               vdnn_pass pass)
{
    double compute = vdnn_layer_flops(layer, pass) / model->compute.f32_flops_per_second;
    return fmax(compute, traffic_seconds(model, vdnn_predict_bytes(layer, pass)));
}

/* The rows in whole tiles. */
static double tiled_seconds(const vdnn_device_model *model, vdnn_dtype dtype,
                            const vdnn_cost_factors *factors)
{
    double padded = round_up(factors->rows, (double)model->layers.gemm_tile) / factors->rows;
    double flops = 2 * factors->rows * factors->columns * factors->inner;
    double compute = padded * flops / (peak_flops(model, dtype) * model->layers.gemm_efficiency);
    return fmax(compute, traffic_seconds(model, factors->bytes));
}

double vdnn_predict_product(const vdnn_device_model *model, vdnn_dtype dtype,
                            const vdnn_cost_factors *factors)
{
    vdnn_cost_model cost = vdnn_predict_cost_model(model, dtype);
    const vdnn_cost_rate *rate =
        tensor_flops(model, dtype) > 0 ? &model->tensor_product : &model->product;
    return rate->efficiency > 0 ? vdnn_cost_product(&cost, rate, factors)
                                : tiled_seconds(model, dtype, factors);
}

/* A product of (batch x inputs) and (inputs x outputs), where each position of a sequence is one of
 * the batch; backward, of the same sizes in another order. Weights are (outputs x inputs), so that
 * in forward both factors lie along the inputs; in backward data dy lies along the outputs. */
static double product_seconds(const vdnn_device_model *model, const vdnn_layer *layer,
                              vdnn_pass pass)
{
    vdnn_desc y = vdnn_desc_as_vectors(&layer->y);
    double batch = (double)y.dims[VDNN_N], outputs = (double)y.dims[VDNN_C];
    double inputs = vdnn_layer_flops(layer, pass) / (2 * batch * outputs);
    vdnn_cost_factors factors = {.rows = batch,
                                 .columns = outputs,
                                 .inner = inputs,
                                 .bytes = vdnn_layer_bytes(layer, pass),
                                 .element_bytes = (double)vdnn_dtype_bytes(layer->x[0].dtype),
                                 .rows_along_inner = pass != VDNN_BACKWARD_FILTER,
                                 .columns_along_inner = pass == VDNN_FORWARD};
    bool tiles = model->product.efficiency > 0;
    if (tiles && pass == VDNN_BACKWARD_DATA)
        factors.columns = inputs, factors.inner = outputs;
    if (tiles && pass == VDNN_BACKWARD_FILTER)
        factors.rows = outputs, factors.columns = inputs, factors.inner = batch;
    return vdnn_predict_product(model, layer->y.dtype, &factors);
}

/* What a fused kernel of attention reaches of the rate of matrix products, and how many keys more
 * each query costs: the ends of its tiles, and the exponentials that products do not hide. Fitted
 * to cuDNN's on an H200 in bf16, heads of 128 features (NVIDIA/cudnn-frontend, commit 3929da2e), at
 * 2,048, 8,192 and 32,768 positions, causal and not; at 4,096 and 16,384 it is within 5 %. Other
 * cards are taken to be as this one relative to their products. */
static const struct {
    double share, keys;
} fused_attention[VDNN_PASS_COUNT] = {
    [VDNN_FORWARD] = {0.885, 490}, [VDNN_BACKWARD_DATA] = {0.73, 440}};

static double attention_seconds(const vdnn_device_model *model, const vdnn_layer *layer,
                                vdnn_pass pass)
{
    const vdnn_attention_shape s = vdnn_attention_shape_of(layer);
    bool has_units = tensor_flops(model, layer->y.dtype) > 0;
    double keys = s.causal ? (double)(s.keys + 1) / 2 : (double)s.keys;
    double products = has_units ? model->tensor_product.efficiency : model->product.efficiency;
    double rate = peak_flops(model, layer->y.dtype) * fused_attention[pass].share *
                  (products > 0 ? products : model->layers.gemm_efficiency);
    double flops = vdnn_layer_flops(layer, pass) * (keys + fused_attention[pass].keys) / keys;
    return fmax(flops / rate, traffic_seconds(model, vdnn_layer_bytes(layer, pass)));
}

static vdnn_cost_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_conv_config *conv = layer->config;
    const int64_t *x = layer->x[0].dims;
    vdnn_cost_shape shape = {.n = x[VDNN_N],
                             .c = x[VDNN_C],
                             .k = conv->out,
                             .groups = conv->groups,
                             .image = {x[VDNN_H], x[VDNN_W]},
                             .element_bytes = (int64_t)vdnn_dtype_bytes(layer->x[0].dtype),
                             .bias = conv->bias};
    for (int i = 0; i < 2; i++) {
        shape.kernel[i] = conv->kernel[i];
        shape.stride[i] = conv->stride[i];
        shape.pad[i] = conv->pad[i];
        shape.dilation[i] = conv->dilation[i];
    }
    return shape;
}

/* The planner counts one launch per step, of f32 as of others, and the cost of a convolution
 * includes all of its launches. */
static vdnn_status conv_cost(const vdnn_device_model *model, const vdnn_layer *layer,
                             vdnn_pass pass, const vdnn_algorithm *algorithm, double *seconds,
                             size_t *workspace_bytes)
{
    vdnn_cost_model cost = vdnn_predict_cost_model(model, layer->x[0].dtype);
    vdnn_cost_shape shape = shape_of(layer);
    double all = 0;
    int found = 0;
    while (strcmp(vdnn_cost_algorithm_text((vdnn_cost_algorithm)found), algorithm->name) != 0)
        found++;
    const char *why = vdnn_cost_refusal(&cost, &shape, pass, (vdnn_cost_algorithm)found);
    if (why != NULL)
        return vdnn_status_fail(VDNN_DEVICE, "%s", why);
    vdnn_status status =
        vdnn_cost_conv(&cost, &shape, pass, (vdnn_cost_algorithm)found, &all, workspace_bytes);
    if (status == VDNN_OK)
        *seconds = fmax(all - model->compute.launch_seconds, 0);
    return status;
}

vdnn_rates vdnn_predict_rates(const vdnn_device_model *model)
{
    return (vdnn_rates){
        .copy_out_bytes_per_second = model->link.out_bytes_per_second,
        .copy_in_bytes_per_second = model->link.in_bytes_per_second,
        .copy_both_bytes_per_second = model->link.both_bytes_per_second,
        .copy_latency_seconds = model->link.latency_seconds,
        .copy_out_beside_bytes_per_second = model->link.out_beside_bytes_per_second,
        .copy_in_beside_bytes_per_second = model->link.in_beside_bytes_per_second,
        .copy_out_slows_products = model->link.out_slows_products,
        .copy_in_slows_products = model->link.in_slows_products,
        .copy_out_slows_moves = model->link.out_slows_moves,
        .copy_in_slows_moves = model->link.in_slows_moves,
        .elementwise_bytes_per_second =
            model->memory.bytes_per_second * model->layers.memory_efficiency,
        .launch_seconds = model->compute.launch_seconds,
    };
}

vdnn_status vdnn_predict_pass(const vdnn_device_model *model, const vdnn_layer *layer,
                              vdnn_pass pass, const vdnn_algorithm *algorithm, double *seconds,
                              size_t *workspace_bytes)
{
    if (strcmp(algorithm->layer_type, "conv") == 0)
        return conv_cost(model, layer, pass, algorithm, seconds, workspace_bytes);
    static const struct {
        const char *type;
        double (*seconds)(const vdnn_device_model *, const vdnn_layer *, vdnn_pass);
    } types[] = {{"fc", product_seconds}, {"attention", attention_seconds}};
    double (*predict)(const vdnn_device_model *, const vdnn_layer *, vdnn_pass) = roofline_seconds;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(algorithm->layer_type, types[i].type) == 0)
            predict = types[i].seconds;
    *seconds = predict(model, layer, pass);
    *workspace_bytes = 0;
    return VDNN_OK;
}
