#include "tests/support/reference.h"

#include "layers/conv/conv.h"
#include "layers/conv_transpose/conv_transpose.h"
#include "layers/dense/fc.h"
#include "layers/loss/dice.h"
#include "layers/loss/number_loss.h"
#include "layers/loss/softmax_loss.h"
#include "layers/norm/batchnorm.h"
#include "layers/norm/groupnorm.h"
#include "layers/norm/layernorm.h"
#include "layers/norm/lrn.h"
#include "layers/pointwise/activation.h"
#include "layers/pointwise/dropout.h"
#include "layers/pool/pool.h"
#include "layers/pool/upsample.h"
#include "layers/recurrent/lstm.h"
#include "layers/stage.h"
#include "runtime/base/numbers/random.h"
#include "tests/support/reference_attention.h"
#include "tests/support/reference_positions.h"
#include "tests/support/reference_sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t at(const vdnn_desc *desc, int64_t n, int64_t c, int64_t h, int64_t w)
{
    const int64_t *d = desc->dims;
    return ((n * d[VDNN_C] + c) * d[VDNN_H] + h) * d[VDNN_W] + w;
}

/* Of a map cut into rows: the slice that row `row` is in, and its place there. */
static void row_sides(const vdnn_desc *desc, int64_t row, int64_t at_[VDNN_SIDES])
{
    int64_t sides[VDNN_SIDES];
    vdnn_desc_sides(desc, sides);
    at_[VDNN_SIDE_D] = row / sides[VDNN_SIDE_H];
    at_[VDNN_SIDE_H] = row % sides[VDNN_SIDE_H];
}

static void clear(double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = 0;
}

/* ---- conv: the products of the sum, a row of them with one weight at a time -------------------
 */

typedef struct products {
    int64_t count;
    int64_t x, y, w; /* where the first one's two factors and its sum stand */
    int64_t x_step, y_step;
} products;

typedef void products_function(const vdnn_reference_args *args, products p);

/* A row of outputs and what each of them reads under one weight, but for the padding; all in the
 * first of their planes. `tap` is the weight's place in the kernel. */
static products row_of_products(const vdnn_layer *layer, int64_t row, const int64_t tap[VDNN_SIDES])
{
    const vdnn_conv_config *conv = layer->config;
    int64_t in[VDNN_SIDES], out[VDNN_SIDES], from[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    row_sides(&layer->y, row, out);
    bool is_inside = true;
    for (int s = VDNN_SIDE_H; s <= VDNN_SIDE_D; s += VDNN_SIDE_D - VDNN_SIDE_H) {
        from[s] = out[s] * conv->stride[s] - conv->pad[s] + tap[s] * conv->dilation[s];
        is_inside = is_inside && from[s] >= 0 && from[s] < in[s];
    }
    int64_t left = tap[1] * conv->dilation[1] - conv->pad[1], step = conv->stride[1];
    int64_t first = 0, end = is_inside ? layer->y.dims[VDNN_W] : 0;
    while (first < end && left + first * step < 0)
        first++;
    while (first < end && left + (end - 1) * step >= in[VDNN_SIDE_W])
        end--;
    return (products){
        .count = end - first,
        .x = (from[VDNN_SIDE_D] * in[VDNN_SIDE_H] + from[VDNN_SIDE_H]) * in[VDNN_SIDE_W] + left +
             first * step,
        .y = row * layer->y.dims[VDNN_W] + first,
        .w = (tap[VDNN_SIDE_D] * conv->kernel[VDNN_SIDE_H] + tap[VDNN_SIDE_H]) *
                 conv->kernel[VDNN_SIDE_W] +
             tap[VDNN_SIDE_W],
        .x_step = step,
        .y_step = 1,
    };
}

static int64_t taps_of(const vdnn_conv_config *conv)
{
    return conv->kernel[0] * conv->kernel[1] * conv->kernel[2];
}

/* The same row in every plane. */
static void each_plane(const vdnn_layer *layer, const vdnn_reference_args *args, products row,
                       products_function *function)
{
    const vdnn_conv_config *conv = layer->config;
    const vdnn_desc *x = &layer->x[0], *y = &layer->y;
    const int64_t group_c = x->dims[VDNN_C] / conv->groups, group_out = conv->out / conv->groups;
    const int64_t plane = at(x, 0, 1, 0, 0), kernel = taps_of(conv);
    for (int64_t n = 0; n < y->dims[VDNN_N]; n++)
        for (int64_t k = 0; k < y->dims[VDNN_C]; k++) {
            products here = row;
            here.x += at(x, n, k / group_out * group_c, 0, 0);
            here.y += at(y, n, k, 0, 0);
            here.w += k * group_c * kernel;
            for (int64_t c = 0; c < group_c; c++, here.x += plane, here.w += kernel)
                function(args, here);
        }
}

static void each_product(const vdnn_layer *layer, const vdnn_reference_args *args,
                         products_function *function)
{
    const vdnn_conv_config *conv = layer->config;
    const int64_t *kernel = conv->kernel;
    for (int64_t oh = 0; oh < layer->y.dims[VDNN_H]; oh++)
        for (int64_t k = 0; k < taps_of(conv); k++) {
            const int64_t tap[VDNN_SIDES] = {k / kernel[1] % kernel[0], k % kernel[1],
                                             k / (kernel[0] * kernel[1])};
            products row = row_of_products(layer, oh, tap);
            if (row.count > 0)
                each_plane(layer, args, row, function);
        }
}

static void add_to_y(const vdnn_reference_args *args, products p)
{
    const double *x = args->x[0] + p.x;
    double *y = args->y + p.y, w = args->w[p.w];
    for (int64_t i = 0; i < p.count; i++)
        y[i * p.y_step] += x[i * p.x_step] * w;
}

static void add_to_dx(const vdnn_reference_args *args, products p)
{
    const double *dy = args->dy + p.y;
    double *dx = args->dx[0] + p.x, w = args->w[p.w];
    for (int64_t i = 0; i < p.count; i++)
        dx[i * p.x_step] += dy[i * p.y_step] * w;
}

static void add_to_dw(const vdnn_reference_args *args, products p)
{
    const double *x = args->x[0] + p.x, *dy = args->dy + p.y;
    double sum = 0;
    for (int64_t i = 0; i < p.count; i++)
        sum += dy[i * p.y_step] * x[i * p.x_step];
    args->dw[p.w] += sum;
}

/* The bias, shared by conv and fc: one value a channel, behind the weight. */
static int64_t cells_of(const vdnn_layer *layer)
{
    return layer->y.rank == 3 ? 1 : layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W];
}

static void start_with_bias(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    int64_t count = vdnn_desc_count(&layer->y), channels = layer->params[0].dims[0];
    int64_t cells = cells_of(layer);
    for (int64_t i = 0; i < count; i++)
        args->y[i] =
            layer->param_count > 1 ? args->w[layer->params[0].count + i / cells % channels] : 0;
}

static void bias_gradient(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    int64_t count = vdnn_desc_count(&layer->y), channels = layer->params[0].dims[0];
    int64_t cells = cells_of(layer);
    if (layer->param_count > 1)
        for (int64_t i = 0; i < count; i++)
            args->dw[layer->params[0].count + i / cells % channels] += args->dy[i];
}

static void conv_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    start_with_bias(layer, args);
    each_product(layer, args, add_to_y);
}

static void conv_backward_data(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    each_product(layer, args, add_to_dx);
}

static void conv_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dw, (int64_t)(layer->trainable_bytes / sizeof(float)));
    each_product(layer, args, add_to_dw);
    bias_gradient(layer, args);
}

/* ---- conv_transpose: the passes of a convolution, exchanged ------------------------------------
 */

static void transposed_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const vdnn_conv_transpose_config *conv = layer->config;
    const int64_t count = vdnn_desc_count(&layer->y), cells = cells_of(layer);
    vdnn_reference_args mirrored = *args;
    vdnn_conv_mirror mirror;
    double *y = args->y, *const *dx = &y;
    vdnn_conv_mirror_init(layer, &mirror);
    mirrored.dx = dx;
    mirrored.dy = args->x[0];
    conv_backward_data(&mirror.layer, &mirrored);
    for (int64_t i = 0; i < count && layer->param_count > 1; i++)
        y[i] += args->w[layer->params[0].count + i / cells % conv->out];
}

static void transposed_backward_data(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    vdnn_reference_args mirrored = *args;
    vdnn_conv_mirror mirror;
    double *x = args->dy, *const *inputs = &x;
    vdnn_conv_mirror_init(layer, &mirror);
    mirrored.x = inputs;
    mirrored.y = args->dx[0];
    conv_forward(&mirror.layer, &mirrored);
}

static void transposed_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const vdnn_conv_transpose_config *conv = layer->config;
    const int64_t count = vdnn_desc_count(&layer->y), cells = cells_of(layer);
    vdnn_reference_args mirrored = *args;
    vdnn_conv_mirror mirror;
    double *x = args->dy, *const *inputs = &x;
    vdnn_conv_mirror_init(layer, &mirror);
    mirrored.x = inputs;
    mirrored.dy = args->x[0];
    clear(args->dw, (int64_t)(layer->trainable_bytes / sizeof(float)));
    each_product(&mirror.layer, &mirrored, add_to_dw);
    for (int64_t i = 0; i < count && layer->param_count > 1; i++)
        args->dw[layer->params[0].count + i / cells % conv->out] += args->dy[i];
}

/* ---- fc -------------------------------------------------------------------------------------- */

static void each_fc_product(const vdnn_layer *layer, const vdnn_reference_args *args,
                            products_function *function)
{
    int64_t in = layer->params[0].dims[1], out = layer->params[0].dims[0];
    for (int64_t o = 0; o < out; o++)
        for (int64_t i = 0; i < in; i++)
            function(args, (products){.count = vdnn_desc_count(&layer->y) / out,
                                      .x = i,
                                      .y = o,
                                      .w = o * in + i,
                                      .x_step = in,
                                      .y_step = out});
}

static void fc_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    start_with_bias(layer, args);
    each_fc_product(layer, args, add_to_y);
}

static void fc_backward_data(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    each_fc_product(layer, args, add_to_dx);
}

static void fc_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dw, (int64_t)(layer->trainable_bytes / sizeof(float)));
    each_fc_product(layer, args, add_to_dw);
    bias_gradient(layer, args);
}

/* ---- pooling: a window, cut to the input ----------------------------------------------------- */

typedef struct window {
    int64_t plane, y; /* the plane's first cell in x; the output's place in y */
    int64_t first[VDNN_SIDES], end[VDNN_SIDES];
    double counted; /* cells that the mean counts */
} window;

typedef void window_function(const vdnn_layer *layer, const vdnn_reference_args *args, window at);

static window window_of(const vdnn_layer *layer, int64_t plane, const int64_t out[VDNN_SIDES])
{
    const vdnn_pool_config *pool = layer->config;
    int64_t in[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    window made = {.plane = plane * in[0] * in[1] * in[2], .counted = 1};
    for (int s = 0; s < VDNN_SIDES; s++) {
        const int64_t first = out[s] * pool->stride[s] - pool->pad[s],
                      end = first + pool->kernel[s], padded = in[s] + pool->pad[s];
        made.first[s] = first < 0 ? 0 : first;
        made.end[s] = end < in[s] ? end : in[s];
        made.counted *= pool->count_pad ? (double)((end < padded ? end : padded) - first)
                                        : (double)(made.end[s] - made.first[s]);
    }
    return made;
}

static void each_window(const vdnn_layer *layer, const vdnn_reference_args *args,
                        window_function *function)
{
    int64_t planes = layer->y.dims[VDNN_N] * layer->y.dims[VDNN_C], y = 0;
    for (int64_t plane = 0; plane < planes; plane++)
        for (int64_t row = 0; row < layer->y.dims[VDNN_H]; row++)
            for (int64_t ow = 0; ow < layer->y.dims[VDNN_W]; ow++) {
                int64_t out[VDNN_SIDES] = {0, ow, 0};
                row_sides(&layer->y, row, out);
                window made = window_of(layer, plane, out);
                made.y = y++;
                function(layer, args, made);
            }
}

static int64_t cells_in(window at_)
{
    int64_t cells = 1;
    for (int s = 0; s < VDNN_SIDES; s++)
        cells *= at_.end[s] - at_.first[s];
    return cells;
}

/* The place of the window's i-th cell in x. */
static int64_t cell_in(const vdnn_layer *layer, window at_, int64_t i)
{
    int64_t in[VDNN_SIDES], columns = at_.end[1] - at_.first[1], rows = at_.end[0] - at_.first[0];
    vdnn_desc_sides(&layer->x[0], in);
    const int64_t d = at_.first[VDNN_SIDE_D] + i / (columns * rows),
                  h = at_.first[VDNN_SIDE_H] + i / columns % rows,
                  w = at_.first[VDNN_SIDE_W] + i % columns;
    return at_.plane + (d * in[VDNN_SIDE_H] + h) * in[VDNN_SIDE_W] + w;
}

/* The first of the largest cells; a NaN counts as larger than all before it. */
static int64_t largest_cell(const vdnn_layer *layer, const double *x, window at_)
{
    int64_t best = cell_in(layer, at_, 0);
    for (int64_t i = 0; i < cells_in(at_); i++) {
        int64_t cell = cell_in(layer, at_, i);
        if (x[cell] > x[best] || isnan(x[cell]))
            best = cell;
    }
    return best;
}

static void take_largest(const vdnn_layer *layer, const vdnn_reference_args *args, window at_)
{
    args->y[at_.y] = args->x[0][largest_cell(layer, args->x[0], at_)];
}

static void give_to_largest(const vdnn_layer *layer, const vdnn_reference_args *args, window at_)
{
    args->dx[0][largest_cell(layer, args->x[0], at_)] += args->dy[at_.y];
}

static void take_mean(const vdnn_layer *layer, const vdnn_reference_args *args, window at_)
{
    double sum = 0;
    for (int64_t i = 0; i < cells_in(at_); i++)
        sum += args->x[0][cell_in(layer, at_, i)];
    args->y[at_.y] = sum / at_.counted;
}

static void give_to_all(const vdnn_layer *layer, const vdnn_reference_args *args, window at_)
{
    for (int64_t i = 0; i < cells_in(at_); i++)
        args->dx[0][cell_in(layer, at_, i)] += args->dy[at_.y] / at_.counted;
}

static void maxpool_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_window(layer, args, take_largest);
}

static void maxpool_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    each_window(layer, args, give_to_largest);
}

static void avgpool_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_window(layer, args, take_mean);
}

static void avgpool_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    each_window(layer, args, give_to_all);
}

/* ---- element by element ---------------------------------------------------------------------- */

static void relu_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->y[i] = args->x[0][i] <= 0 ? 0 : args->x[0][i];
}

static void relu_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->dx[0][i] = args->x[0][i] <= 0 ? 0 : args->dy[i];
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static double normal(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static double gelu_of(double x, const vdnn_activation_config *config)
{
    const double u = 0.7978845608028654 * (x + 0.044715 * x * x * x);
    return config->approximate == VDNN_GELU_TANH ? x / 2 * (1 + tanh(u)) : x * normal(x);
}

static double gelu_slope(double x, const vdnn_activation_config *config)
{
    const double u = 0.7978845608028654 * (x + 0.044715 * x * x * x);
    const double du = 0.7978845608028654 * (1 + 3 * 0.044715 * x * x), t = tanh(u);
    if (config->approximate == VDNN_GELU_TANH)
        return (1 + t) / 2 + x / 2 * (1 - t * t) * du;
    return normal(x) + x * exp(-x * x / 2) * 0.3989422804014327;
}

static double silu_of(double x, const vdnn_activation_config *config)
{
    (void)config;
    return x * logistic(x);
}

static double silu_slope(double x, const vdnn_activation_config *config)
{
    (void)config;
    return logistic(x) * (1 + x * (1 - logistic(x)));
}

static double tanh_of(double x, const vdnn_activation_config *config)
{
    (void)config;
    return tanh(x);
}

static double tanh_slope(double y, const vdnn_activation_config *config)
{
    (void)config;
    return 1 - y * y;
}

static double sigmoid_of(double x, const vdnn_activation_config *config)
{
    (void)config;
    return logistic(x);
}

static double sigmoid_slope(double y, const vdnn_activation_config *config)
{
    (void)config;
    return y * (1 - y);
}

static double relu6_of(double x, const vdnn_activation_config *config)
{
    (void)config;
    return x <= 0 ? 0 : x > 6 ? 6 : x;
}

static double relu6_slope(double y, const vdnn_activation_config *config)
{
    (void)config;
    return y > 0 && y < 6 ? 1 : 0;
}

static double leaky_relu_of(double x, const vdnn_activation_config *config)
{
    return x > 0 ? x : (double)(float)config->slope * x;
}

static double leaky_relu_slope(double y, const vdnn_activation_config *config)
{
    return y > 0 ? 1 : (double)(float)config->slope;
}

static double hardswish_of(double x, const vdnn_activation_config *config)
{
    (void)config;
    return x <= -3 ? 0 * x : x >= 3 ? x : x * (x + 3) / 6;
}

static double hardswish_slope(double x, const vdnn_activation_config *config)
{
    (void)config;
    return x < -3 ? 0 : x > 3 ? 1 : x / 3 + 0.5;
}

static double scale_of(double x, const vdnn_activation_config *config)
{
    return (double)(float)config->slope * x;
}

static double scale_slope(double x, const vdnn_activation_config *config)
{
    (void)x;
    return (double)(float)config->slope;
}

static const struct activation {
    const char *type;
    double (*value)(double x, const vdnn_activation_config *config);
    double (*slope)(double from,
                    const vdnn_activation_config *config); /* from y where it reads y */
    bool reads_y;
} activations[] = {
    {"gelu", gelu_of, gelu_slope, false},
    {"silu", silu_of, silu_slope, false},
    {"tanh", tanh_of, tanh_slope, true},
    {"sigmoid", sigmoid_of, sigmoid_slope, true},
    {"relu6", relu6_of, relu6_slope, true},
    {"leaky_relu", leaky_relu_of, leaky_relu_slope, true},
    {"hardswish", hardswish_of, hardswish_slope, false},
    {"scale", scale_of, scale_slope, false},
};

static const struct activation *activation_of(const vdnn_layer *layer)
{
    const struct activation *own = activations;
    while (strcmp(own->type, layer->def->type) != 0)
        own++;
    return own;
}

static void activation_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const struct activation *own = activation_of(layer);
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->y[i] = own->value(args->x[0][i], layer->config);
}

/* As a map of the layer's data type holds it. */
static double as_stored(const vdnn_layer *layer, double value)
{
    float narrow = (float)value;
    uint16_t half;
    if (layer->y.dtype == VDNN_BF16) {
        vdnn_stage_narrow(VDNN_BF16, &narrow, &half, 1);
        vdnn_stage_widen(VDNN_BF16, &half, &narrow, 1);
    }
    return (double)narrow;
}

static void activation_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const struct activation *own = activation_of(layer);
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++) {
        const double x = args->x[0][i];
        const double from = own->reads_y ? as_stored(layer, own->value(x, layer->config)) : x;
        args->dx[0][i] = args->dy[i] * own->slope(from, layer->config);
    }
}

/* 0 where element i is dropped, else 1 / (1 - p). */
static double dropout_factor(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t i)
{
    const vdnn_dropout_config *dropout = layer->config;
    const vdnn_step_context *context = args->context;
    int64_t per_sample = vdnn_desc_per_sample(&layer->y);
    int64_t sample = (int64_t)context->first_sample + args->first_sample + i / per_sample;
    int64_t element = i % per_sample;
    const uint32_t counter[4] = {(uint32_t)context->step, (uint32_t)sample, (uint32_t)layer->number,
                                 (uint32_t)(element / 4)};
    uint32_t words[4];
    vdnn_random_philox(context->seed ^ UINT64_C(0x6d61736b64726f70), counter, words);
    bool kept = (double)vdnn_random_unit(words[element % 4]) >= dropout->p;
    return context->evaluate ? 1 : kept ? 1 / (1 - dropout->p) : 0;
}

static void dropout_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->y[i] = args->x[0][i] * dropout_factor(layer, args, i);
}

static void dropout_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->dx[0][i] = args->dy[i] * dropout_factor(layer, args, i);
}

/* ---- concat ---------------------------------------------------------------------------------- */

/* Elements that lie together: of a sample, or of a position of it. */
static int64_t run_length(const vdnn_desc *map)
{
    const vdnn_desc vectors = vdnn_desc_as_vectors(map);
    return vdnn_desc_per_sample(&vectors);
}

/* Which input, and which of its elements, element `i` of the output is. */
static int32_t concat_source(const vdnn_layer *layer, int64_t i, int64_t *element)
{
    int64_t run = run_length(&layer->y), number = i / run, rest = i % run;
    int32_t input = 0;
    while (rest >= run_length(&layer->x[input]))
        rest -= run_length(&layer->x[input++]);
    *element = number * run_length(&layer->x[input]) + rest;
    return input;
}

static void concat_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++) {
        int64_t element;
        int32_t input = concat_source(layer, i, &element);
        args->y[i] = args->x[input][element];
    }
}

static void concat_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++) {
        int64_t element;
        int32_t input = concat_source(layer, i, &element);
        args->dx[input][element] = args->dy[i];
    }
}

/* ---- convert: the same values in another form -------------------------------------------------
 */

static void convert_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->y[i] = args->x[0][i];
}

static void convert_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->dx[0][i] = args->dy[i];
}

/* ---- flatten: in the order of memory, which is that of N, T, C and of N, C, H, W ---------------
 */

static void flatten_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->y[i] = args->x[0][i];
}

static void flatten_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->dx[0][i] = args->dy[i];
}

/* ---- add, global_avgpool, lrn ---------------------------------------------------------------- */

/* Of element i of all inputs but one; -1: of all. */
static double product_of(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t i,
                         int32_t but)
{
    double product = 1;
    for (int32_t k = 0; k < layer->input_count; k++)
        product *= k == but ? 1 : args->x[k][i];
    return product;
}

static void mul_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->y[i] = product_of(layer, args, i, -1);
}

static void mul_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int32_t k = 0; k < layer->input_count; k++)
        for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
            args->dx[k][i] = args->dy[i] * product_of(layer, args, i, k);
}

static void add_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->y, vdnn_desc_count(&layer->y));
    for (int32_t k = 0; k < layer->input_count; k++)
        for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
            args->y[i] += args->x[k][i];
}

static void add_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int32_t k = 0; k < layer->input_count; k++)
        for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
            args->dx[k][i] = args->dy[i];
}

/* How many elements a mean is of, and which mean element `i` of x belongs to. */
static double mean_count(const vdnn_layer *layer)
{
    return (double)vdnn_desc_count(&layer->x[0]) / (double)vdnn_desc_count(&layer->y);
}

static int64_t mean_of(const vdnn_layer *layer, int64_t i)
{
    const int64_t *d = layer->x[0].dims;
    if (layer->x[0].rank == 3)
        return i / (d[1] * d[2]) * d[2] + i % d[2];
    return i / (d[VDNN_H] * d[VDNN_W]);
}

static void global_avgpool_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->y, vdnn_desc_count(&layer->y));
    for (int64_t i = 0; i < vdnn_desc_count(&layer->x[0]); i++)
        args->y[mean_of(layer, i)] += args->x[0][i] / mean_count(layer);
}

static void global_avgpool_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < vdnn_desc_count(&layer->x[0]); i++)
        args->dx[0][i] = args->dy[mean_of(layer, i)] / mean_count(layer);
}

/* As PyTorch's interpolate: where a cell of the output lies between two of the input. */
typedef struct between {
    int64_t first, second;
    double weight;
} between;

static between between_of(const vdnn_layer *layer, int side, int64_t out)
{
    const vdnn_upsample_config *upsample = layer->config;
    const double scale = (double)upsample->scale[side];
    int64_t in[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    if (upsample->mode == VDNN_UPSAMPLE_NEAREST)
        return (between){out / upsample->scale[side], 0, 0};
    const double at = fmax(((double)out + 0.5) / scale - 0.5, 0);
    const int64_t first = (int64_t)at;
    return (between){first, first + 1 < in[side] ? first + 1 : first, at - (double)first};
}

typedef void share_function(const vdnn_reference_args *args, int64_t in, int64_t out, double share);

static void each_share(const vdnn_layer *layer, const vdnn_reference_args *args,
                       share_function *function)
{
    const int64_t *y = layer->y.dims;
    int64_t in[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++) {
        const int64_t plane = i / (y[VDNN_H] * y[VDNN_W]);
        int64_t out[VDNN_SIDES] = {0, i % y[VDNN_W], 0}, from[VDNN_SIDES];
        row_sides(&layer->y, i / y[VDNN_W] % y[VDNN_H], out);
        for (int corner = 0; corner < 1 << VDNN_SIDES; corner++) {
            double share = 1;
            for (int side = 0; side < VDNN_SIDES; side++) {
                const between of = between_of(layer, side, out[side]);
                const bool is_second = corner >> side & 1;
                from[side] = is_second ? of.second : of.first;
                share *= is_second ? of.weight : 1 - of.weight;
            }
            function(args,
                     at(&layer->x[0], 0, plane,
                        from[VDNN_SIDE_D] * in[VDNN_SIDE_H] + from[VDNN_SIDE_H], from[VDNN_SIDE_W]),
                     i, share);
        }
    }
}

static void add_share_to_y(const vdnn_reference_args *args, int64_t in, int64_t out, double share)
{
    args->y[out] += share * args->x[0][in];
}

static void add_share_to_dx(const vdnn_reference_args *args, int64_t in, int64_t out, double share)
{
    args->dx[0][in] += share * args->dy[out];
}

static void upsample_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->y, vdnn_desc_count(&layer->y));
    each_share(layer, args, add_share_to_y);
}

static void upsample_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    each_share(layer, args, add_share_to_dx);
}

static bool in_lrn_window(const vdnn_layer *layer, int64_t of, int64_t c)
{
    const vdnn_lrn_config *lrn = layer->config;
    return c >= of - lrn->size / 2 && c <= of + (lrn->size - 1) / 2;
}

/* d of one element, from the squares of its window. */
static double lrn_divisor(const vdnn_layer *layer, const double *x, int64_t n, int64_t of,
                          int64_t cell)
{
    const vdnn_lrn_config *lrn = layer->config;
    double sum = 0;
    for (int64_t c = 0; c < layer->y.dims[VDNN_C]; c++)
        if (in_lrn_window(layer, of, c))
            sum += pow(x[at(&layer->y, n, c, 0, cell)], 2);
    return lrn->k + lrn->alpha / (double)lrn->size * sum;
}

static void lrn_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const vdnn_lrn_config *lrn = layer->config;
    int64_t cells = layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W];
    for (int64_t n = 0; n < layer->y.dims[VDNN_N]; n++)
        for (int64_t c = 0; c < layer->y.dims[VDNN_C]; c++)
            for (int64_t cell = 0; cell < cells; cell++) {
                int64_t i = at(&layer->y, n, c, 0, cell);
                double divisor = lrn_divisor(layer, args->x[0], n, c, cell);
                args->y[i] = args->x[0][i] / pow(divisor, lrn->beta);
            }
}

/* The chain rule, term by term: y of channel `of` depends on x of every channel of its window. */
static void lrn_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const vdnn_lrn_config *lrn = layer->config;
    int64_t cells = layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W];
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    for (int64_t n = 0; n < layer->y.dims[VDNN_N]; n++)
        for (int64_t of = 0; of < layer->y.dims[VDNN_C]; of++)
            for (int64_t cell = 0; cell < cells; cell++) {
                int64_t o = at(&layer->y, n, of, 0, cell);
                double divisor = lrn_divisor(layer, args->x[0], n, of, cell);
                double slope =
                    -lrn->beta * pow(divisor, -lrn->beta - 1) * 2 * lrn->alpha / (double)lrn->size;
                args->dx[0][o] += args->dy[o] * pow(divisor, -lrn->beta);
                for (int64_t c = 0; c < layer->y.dims[VDNN_C]; c++)
                    if (in_lrn_window(layer, of, c)) {
                        int64_t i = at(&layer->y, n, c, 0, cell);
                        args->dx[0][i] += args->dy[o] * args->x[0][o] * slope * args->x[0][i];
                    }
            }
}

/* ---- batchnorm: statistics of each channel, then one formula --------------------------------- */

static double *param_of(const vdnn_layer *layer, double *block, int param)
{
    return block + layer->params[param].offset / sizeof(float);
}

typedef struct statistics {
    double mean, variance, count;
} statistics;

static statistics statistics_of(const vdnn_layer *layer, const double *x, int64_t c)
{
    const int64_t *d = layer->y.dims;
    statistics s = {0, 0, (double)(d[VDNN_N] * d[VDNN_H] * d[VDNN_W])};
    for (int64_t n = 0; n < d[VDNN_N]; n++)
        for (int64_t cell = 0; cell < d[VDNN_H] * d[VDNN_W]; cell++)
            s.mean += x[at(&layer->y, n, c, 0, cell)] / s.count;
    for (int64_t n = 0; n < d[VDNN_N]; n++)
        for (int64_t cell = 0; cell < d[VDNN_H] * d[VDNN_W]; cell++) {
            double off = x[at(&layer->y, n, c, 0, cell)] - s.mean;
            s.variance += off * off / s.count;
        }
    return s;
}

/* Of the batch, or the running ones. */
static statistics used_statistics(const vdnn_layer *layer, const vdnn_reference_args *args,
                                  int64_t c)
{
    statistics s = statistics_of(layer, args->x[0], c);
    if (layer->is_frozen || args->context->evaluate) {
        s.mean = param_of(layer, args->w, VDNN_BATCHNORM_MEAN)[c];
        s.variance = param_of(layer, args->w, VDNN_BATCHNORM_VARIANCE)[c];
    }
    return s;
}

static double deviation_of(const vdnn_layer *layer, double variance)
{
    const vdnn_batchnorm_config *norm = layer->config;
    return sqrt(variance + norm->eps);
}

static void batchnorm_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const int64_t *d = layer->y.dims;
    for (int64_t c = 0; c < d[VDNN_C]; c++) {
        const statistics s = used_statistics(layer, args, c);
        double weight = param_of(layer, args->w, VDNN_BATCHNORM_WEIGHT)[c];
        double bias = param_of(layer, args->w, VDNN_BATCHNORM_BIAS)[c];
        for (int64_t n = 0; n < d[VDNN_N]; n++)
            for (int64_t cell = 0; cell < d[VDNN_H] * d[VDNN_W]; cell++) {
                int64_t i = at(&layer->y, n, c, 0, cell);
                double y = (args->x[0][i] - s.mean) / deviation_of(layer, s.variance);
                args->y[i] = y * weight + bias;
            }
    }
}

/* Sum of dy, and of dy times the normalized x. */
static void gradient_sums(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t c,
                          double *plain, double *normalized)
{
    const int64_t *d = layer->y.dims;
    statistics s = statistics_of(layer, args->x[0], c);
    *plain = *normalized = 0;
    for (int64_t n = 0; n < d[VDNN_N]; n++)
        for (int64_t cell = 0; cell < d[VDNN_H] * d[VDNN_W]; cell++) {
            int64_t i = at(&layer->y, n, c, 0, cell);
            *plain += args->dy[i];
            *normalized += args->dy[i] * (args->x[0][i] - s.mean) / deviation_of(layer, s.variance);
        }
}

static void batchnorm_backward_data(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const int64_t *d = layer->y.dims;
    for (int64_t c = 0; c < d[VDNN_C]; c++) {
        const statistics s = used_statistics(layer, args, c);
        double deviation = deviation_of(layer, s.variance), plain = 0, normalized = 0;
        double weight = param_of(layer, args->w, VDNN_BATCHNORM_WEIGHT)[c];
        if (!layer->is_frozen) /* else the statistics do not depend on x */
            gradient_sums(layer, args, c, &plain, &normalized);
        for (int64_t n = 0; n < d[VDNN_N]; n++)
            for (int64_t cell = 0; cell < d[VDNN_H] * d[VDNN_W]; cell++) {
                int64_t i = at(&layer->y, n, c, 0, cell);
                double x = (args->x[0][i] - s.mean) / deviation;
                args->dx[0][i] =
                    weight / deviation * (args->dy[i] - (plain + x * normalized) / s.count);
            }
    }
}

static void batchnorm_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t c = 0; c < layer->y.dims[VDNN_C]; c++) {
        statistics s = statistics_of(layer, args->x[0], c);
        double plain, normalized;
        gradient_sums(layer, args, c, &plain, &normalized);
        param_of(layer, args->dw, VDNN_BATCHNORM_WEIGHT)[c] = normalized;
        param_of(layer, args->dw, VDNN_BATCHNORM_BIAS)[c] = plain;
        param_of(layer, args->dw, VDNN_BATCHNORM_MEAN)[c] = s.mean;
        param_of(layer, args->dw, VDNN_BATCHNORM_VARIANCE)[c] =
            s.variance * s.count / (s.count - 1);
    }
}

/* ---- embedding: row x[i] of w for each i ----------------------------------------------------- */

static void embedding_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    int64_t width = layer->params[0].dims[1];
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->y[i] = args->w[(int64_t)args->x[0][i / width] * width + i % width];
}

static void embedding_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    int64_t width = layer->params[0].dims[1];
    clear(args->dw, layer->params[0].count);
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        args->dw[(int64_t)args->x[0][i / width] * width + i % width] += args->dy[i];
}

/* ---- lstm: position by position, and each of its sums term by term --------------------------- */

enum { LSTM_GATES = 4 };

typedef struct lstm_run {
    const vdnn_layer *layer;
    const vdnn_reference_args *args;
    vdnn_lstm_shape s;
    int64_t steps;             /* of the sample */
    double *gates, *c, *m, *h; /* of a sample at each of its steps: (T, 4, H), (T, H), (T, P) */
} lstm_run;

/* The row of a step in x and y: samples begin and end with their valid positions. */
static int64_t lstm_row(const lstm_run *run, int64_t sample, int64_t step)
{
    return sample * run->s.positions + (run->s.is_reverse ? run->steps - 1 - step : step);
}

static const double *lstm_x(const lstm_run *run, int64_t sample, int64_t step)
{
    return run->args->x[0] + lstm_row(run, sample, step) * run->s.in;
}

/* A gate of a cell before activation. */
static double lstm_sum(const lstm_run *run, int64_t sample, int64_t step, int64_t row)
{
    const vdnn_lstm_shape *s = &run->s;
    const double *w = run->args->w, *x = lstm_x(run, sample, step);
    double sum = 0;
    for (int64_t b = 0; b < s->biases; b++)
        sum += w[s->bias + b * s->gates + row];
    for (int64_t k = 0; k < s->in; k++)
        sum += w[row * s->in + k] * x[k];
    for (int64_t k = 0; k < s->out && step > 0; k++)
        sum += w[s->hidden_weight + row * s->out + k] * run->h[(step - 1) * s->out + k];
    return sum;
}

static void lstm_step(const lstm_run *run, int64_t sample, int64_t step)
{
    int64_t cells = run->s.cells;
    double *gates = run->gates + step * run->s.gates, *c = run->c + step * cells;
    for (int64_t row = 0; row < run->s.gates; row++) {
        double sum = lstm_sum(run, sample, step, row);
        gates[row] = row / cells == 2 ? tanh(sum) : logistic(sum);
    }
    for (int64_t k = 0; k < cells; k++) {
        double before = step > 0 ? c[k - cells] : 0;
        c[k] = gates[cells + k] * before + gates[k] * gates[2 * cells + k];
        run->m[step * cells + k] = gates[3 * cells + k] * tanh(c[k]);
    }
    for (int64_t k = 0; k < run->s.out; k++) {
        double *h = &run->h[step * run->s.out + k];
        *h = run->s.is_projected ? 0 : run->m[step * cells + k];
        for (int64_t from = 0; from < cells && run->s.is_projected; from++)
            *h += run->args->w[run->s.projection + k * cells + from] * run->m[step * cells + from];
    }
}

/* Visits all samples, with their gates, cells and outputs. */
static void lstm_each(const vdnn_layer *layer, const vdnn_reference_args *args,
                      void (*visit)(const lstm_run *run, int64_t sample))
{
    lstm_run run = {layer, args, vdnn_lstm_shape_of(layer), 0, NULL, NULL, NULL, NULL};
    size_t all = (size_t)(run.s.positions * run.s.cells);
    size_t outputs = (size_t)(run.s.positions * run.s.out);
    run.gates = calloc((LSTM_GATES + 2) * all + outputs, sizeof *run.gates);
    run.c = run.gates + LSTM_GATES * all;
    run.m = run.c + all;
    run.h = run.m + all;
    for (int64_t sample = 0; sample < run.s.samples; sample++) {
        run.steps = layer->input_count > 1 ? (int64_t)args->x[1][sample] : run.s.positions;
        for (int64_t step = 0; step < run.steps; step++)
            lstm_step(&run, sample, step);
        visit(&run, sample);
    }
    free(run.gates);
}

static void lstm_write(const lstm_run *run, int64_t sample)
{
    const vdnn_lstm_shape *s = &run->s;
    for (int64_t step = 0; step < run->steps; step++)
        for (int64_t k = 0; k < s->out; k++)
            run->args->y[lstm_row(run, sample, step) * s->out + k] = run->h[step * s->out + k];
}

static void lstm_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->y, vdnn_desc_count(&layer->y));
    lstm_each(layer, args, lstm_write);
}

/* The gradients of a step's gates, from those of its outputs and cells; dc becomes that of the
 * cells before. */
static void lstm_gate_gradients(const lstm_run *run, int64_t step, const double *dm, double *dc,
                                double *dgates)
{
    int64_t cells = run->s.cells;
    const double *gates = run->gates + step * run->s.gates, *c = run->c + step * cells;
    for (int64_t k = 0; k < cells; k++) {
        double i = gates[k], f = gates[cells + k], g = gates[2 * cells + k],
               o = gates[3 * cells + k];
        double before = step > 0 ? c[k - cells] : 0, t = tanh(c[k]);
        dc[k] += dm[k] * o * (1 - t * t);
        dgates[k] = dc[k] * g * i * (1 - i);
        dgates[cells + k] = dc[k] * before * f * (1 - f);
        dgates[2 * cells + k] = dc[k] * i * (1 - g * g);
        dgates[3 * cells + k] = dm[k] * t * o * (1 - o);
        dc[k] *= f;
    }
}

/* What the gradients of a step's gates add to those of x and of both weights, and to dh of the step
 * before. */
static void lstm_spread(const lstm_run *run, int64_t sample, int64_t step, const double *dgates,
                        double *dh)
{
    const vdnn_lstm_shape *s = &run->s;
    const double *w = run->args->w, *x = lstm_x(run, sample, step);
    double *dw = run->args->dw, *dx = run->args->dx[0];
    for (int64_t row = 0; row < s->gates; row++) {
        for (int64_t k = 0; k < s->in && dw != NULL; k++)
            dw[row * s->in + k] += dgates[row] * x[k];
        for (int64_t k = 0; k < s->in && dx != NULL; k++)
            dx[x - run->args->x[0] + k] += dgates[row] * w[row * s->in + k];
        for (int64_t b = 0; b < s->biases && dw != NULL; b++)
            dw[s->bias + b * s->gates + row] += dgates[row];
        for (int64_t k = 0; k < s->out && step > 0; k++) {
            int64_t at_weight = s->hidden_weight + row * s->out + k;
            if (dw != NULL)
                dw[at_weight] += dgates[row] * run->h[(step - 1) * s->out + k];
            dh[k] += dgates[row] * w[at_weight];
        }
    }
}

/* dm of a step's cells, from dh of its outputs; and what these add to the projection's gradient. */
static void lstm_project_back(const lstm_run *run, int64_t step, const double *dh, double *dm)
{
    const vdnn_lstm_shape *s = &run->s;
    for (int64_t cell = 0; cell < s->cells; cell++)
        dm[cell] = s->is_projected ? 0 : dh[cell];
    for (int64_t k = 0; k < s->out && s->is_projected; k++)
        for (int64_t cell = 0; cell < s->cells; cell++) {
            int64_t at_weight = s->projection + k * s->cells + cell;
            dm[cell] += dh[k] * run->args->w[at_weight];
            if (run->args->dw != NULL)
                run->args->dw[at_weight] += dh[k] * run->m[step * s->cells + cell];
        }
}

static void lstm_backward_sample(const lstm_run *run, int64_t sample)
{
    const vdnn_lstm_shape *s = &run->s;
    double *dc = calloc((size_t)(2 * s->cells + s->gates + s->out), sizeof *dc);
    double *dm = dc + s->cells, *dgates = dm + s->cells, *dh = dgates + s->gates;
    for (int64_t step = run->steps - 1; step >= 0; step--) {
        int64_t row = lstm_row(run, sample, step);
        for (int64_t k = 0; k < s->out; k++)
            dh[k] += run->args->dy[row * s->out + k];
        lstm_project_back(run, step, dh, dm);
        lstm_gate_gradients(run, step, dm, dc, dgates);
        clear(dh, s->out);
        lstm_spread(run, sample, step, dgates, dh);
    }
    free(dc);
}

static void lstm_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    if (args->dx[0] != NULL)
        clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    if (args->dw != NULL)
        clear(args->dw, (int64_t)(layer->trainable_bytes / sizeof(float)));
    lstm_each(layer, args, lstm_backward_sample);
}

/* ---- softmax_loss ---------------------------------------------------------------------------- */

static double largest_of(const double *x, int64_t count)
{
    double largest = x[0];
    for (int64_t i = 1; i < count; i++)
        largest = x[i] > largest ? x[i] : largest;
    return largest;
}

static double sum_of_exponentials(const double *x, int64_t count)
{
    double sum = 0, largest = largest_of(x, count);
    for (int64_t i = 0; i < count; i++)
        sum += exp(x[i] - largest);
    return sum;
}

/* Of samples, or positions, the labels that are not ignored. */
static double counted_rows(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const int32_t *labels = args->labels;
    double count = 0;
    for (int64_t n = 0; n < vdnn_desc_count(&layer->x[0]) / layer->classes; n++)
        count += labels[n] != layer->ignored;
    return count;
}

/* Of a class, by the label and the smoothing. */
static double expected_of(const vdnn_layer *layer, int32_t label, int64_t c)
{
    double smoothing = vdnn_softmax_loss_smoothing(layer);
    return smoothing / (double)layer->classes + (c == label ? 1 - smoothing : 0);
}

static void softmax_loss_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const int32_t *labels = args->labels;
    int64_t rows = vdnn_desc_count(&layer->x[0]) / layer->classes, classes = layer->classes;
    args->y[0] = counted_rows(layer, args) > 0 ? 0 : (double)NAN; /* a mean of none */
    args->y[1] = 0;
    for (int64_t n = 0; n < rows; n++) {
        if (labels[n] == layer->ignored)
            continue;
        const double *x = args->x[0] + n * classes;
        double largest = largest_of(x, classes);
        double all = log(sum_of_exponentials(x, classes)) + largest, loss = 0;
        for (int64_t c = 0; c < classes; c++)
            loss += expected_of(layer, labels[n], c) * (all - x[c]);
        args->y[0] += loss / counted_rows(layer, args);
        int64_t first = 0;
        while (x[first] < largest)
            first++;
        args->y[1] += first == labels[n]; /* of several that are the largest, one counts */
    }
}

static void softmax_loss_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const int32_t *labels = args->labels;
    int64_t rows = vdnn_desc_count(&layer->x[0]) / layer->classes, classes = layer->classes;
    for (int64_t n = 0; n < rows; n++) {
        bool counts = labels[n] != layer->ignored;
        const double *x = args->x[0] + n * classes;
        double largest = largest_of(x, classes), sum = sum_of_exponentials(x, classes);
        for (int64_t c = 0; c < classes; c++) {
            double wanted = expected_of(layer, labels[n], c);
            args->dx[0][n * classes + c] = counts ? args->weight *
                                                        (exp(x[c] - largest) / sum - wanted) /
                                                        counted_rows(layer, args)
                                                  : 0;
        }
    }
}

/* ---- mse, bce -------------------------------------------------------------------------------- */

static void mse_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const float *t = args->labels;
    const int64_t count = vdnn_desc_count(&layer->x[0]);
    args->y[0] = args->y[1] = 0;
    for (int64_t i = 0; i < count; i++)
        args->y[0] += pow(args->x[0][i] - (double)t[i], 2) / (double)count;
}

static void mse_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const float *t = args->labels;
    const int64_t count = vdnn_desc_count(&layer->x[0]);
    for (int64_t i = 0; i < count; i++)
        args->dx[0][i] = args->weight * 2 * (args->x[0][i] - (double)t[i]) / (double)count;
}

static void bce_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const float *t = args->labels;
    const int64_t count = vdnn_desc_count(&layer->x[0]);
    const double weight = vdnn_number_loss_weight(layer);
    args->y[0] = args->y[1] = 0;
    for (int64_t i = 0; i < count; i++) {
        const double x = args->x[0][i], yes = (double)t[i];
        args->y[0] -=
            (weight * yes * log(logistic(x)) + (1 - yes) * log(logistic(-x))) / (double)count;
        args->y[1] += (logistic(x) > 0.5) == (yes > 0.5);
    }
}

static void bce_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const float *t = args->labels;
    const int64_t count = vdnn_desc_count(&layer->x[0]);
    const double weight = vdnn_number_loss_weight(layer);
    for (int64_t i = 0; i < count; i++) {
        const double x = args->x[0][i], yes = (double)t[i];
        args->dx[0][i] =
            args->weight * ((1 - yes) * logistic(x) - weight * yes * logistic(-x)) / (double)count;
    }
}

/* ---- dice ------------------------------------------------------------------------------------ */

/* A sample, or with `batch` all of them: its scores, and the probabilities and labels of its
 * positions. */
typedef struct dice_sample {
    const vdnn_layer *layer;
    const vdnn_dice_config *config;
    const double *x;
    const int32_t *labels;
    int64_t positions, classes, counted;
} dice_sample;

static int64_t dice_count(const vdnn_layer *layer)
{
    const vdnn_dice_config *config = layer->config;
    return config->batch ? 1 : layer->x[0].dims[VDNN_N];
}

static dice_sample dice_sample_of(const vdnn_layer *layer, const vdnn_reference_args *args,
                                  int64_t n)
{
    const vdnn_desc *x = &layer->x[0];
    const int64_t positions = x->dims[VDNN_POSITIONS] * x->dims[VDNN_N] / dice_count(layer);
    dice_sample own = {.layer = layer,
                       .config = layer->config,
                       .x = args->x[0] + n * positions * layer->classes,
                       .labels = (const int32_t *)args->labels + n * positions,
                       .positions = positions,
                       .classes = layer->classes};
    for (int64_t t = 0; t < positions; t++)
        own.counted += own.labels[t] != layer->ignored;
    return own;
}

static double dice_probability(const dice_sample *own, int64_t t, int64_t c)
{
    const double *x = own->x + t * own->classes;
    return exp(x[c] - largest_of(x, own->classes)) / sum_of_exponentials(x, own->classes);
}

/* 2 I + s and P + G + s of a class. */
static void dice_of_class(const dice_sample *own, int64_t c, double *above, double *below)
{
    *above = *below = own->config->smooth;
    for (int64_t t = 0; t < own->positions; t++) {
        if (own->labels[t] == own->layer->ignored)
            continue;
        const double p = dice_probability(own, t, c), g = own->labels[t] == c ? 1 : 0;
        *above += 2 * p * g;
        *below += p + g;
    }
    *below = fmax(*below, 1e-8);
}

static double dice_counted_classes(const dice_sample *own)
{
    return (double)(own->classes - (own->config->background ? 0 : 1));
}

static void dice_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const int64_t samples = dice_count(layer);
    args->y[0] = args->y[1] = 0;
    for (int64_t n = 0; n < samples; n++) {
        const dice_sample own = dice_sample_of(layer, args, n);
        double loss = 1;
        for (int64_t c = own.config->background ? 0 : 1; c < own.classes; c++) {
            double above, below;
            dice_of_class(&own, c, &above, &below);
            loss -= above / below / dice_counted_classes(&own);
        }
        for (int64_t t = 0; t < own.positions; t++)
            if (own.labels[t] != layer->ignored)
                loss -= own.config->cross_entropy * log(dice_probability(&own, t, own.labels[t])) /
                        (double)own.counted;
        args->y[0] += loss / (double)samples;
    }
}

/* By the chain rule, of each class's Dice by each probability, and of that by each score. */
static void dice_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const int64_t samples = dice_count(layer);
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    for (int64_t n = 0; n < samples; n++) {
        const dice_sample own = dice_sample_of(layer, args, n);
        double *dx = args->dx[0] + n * own.positions * own.classes;
        for (int64_t c = 0; c < own.classes; c++) {
            double above, below, weight = args->weight / (double)samples;
            const bool counts = c > 0 || own.config->background;
            dice_of_class(&own, c, &above, &below);
            for (int64_t t = 0; t < own.positions; t++) {
                if (own.labels[t] == layer->ignored)
                    continue;
                const double p = dice_probability(&own, t, c), g = own.labels[t] == c ? 1 : 0;
                const double by_p =
                    (above - 2 * g * below) / (below * below) / dice_counted_classes(&own);
                for (int64_t k = 0; k < own.classes && counts; k++)
                    dx[t * own.classes + k] +=
                        weight * by_p * p * ((k == c ? 1 : 0) - dice_probability(&own, t, k));
                dx[t * own.classes + c] +=
                    weight * own.config->cross_entropy * (p - g) / (double)own.counted;
            }
        }
    }
}

/* ---- layer norm, RMS norm ---------------------------------------------------------------------
 */

typedef struct row_of_norm {
    int64_t count, width;
    bool is_rms;
} row_of_norm;

static row_of_norm rows_of_norm(const vdnn_layer *layer)
{
    const int64_t width = layer->params[0].count;
    return (row_of_norm){vdnn_desc_count(&layer->y) / width, width,
                         strcmp(layer->def->type, "rmsnorm") == 0};
}

/* The normalized values of a row; returns what they were multiplied by. */
static double normalize_row(const vdnn_layer *layer, const double *x, double *n)
{
    const row_of_norm rows = rows_of_norm(layer);
    const double width = (double)rows.width;
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < rows.width; i++)
        mean += rows.is_rms ? 0 : x[i] / width;
    for (int64_t i = 0; i < rows.width; i++)
        squares += (x[i] - mean) * (x[i] - mean) / width;
    const double r = 1 / sqrt(squares + ((const vdnn_layernorm_config *)layer->config)->eps);
    for (int64_t i = 0; i < rows.width; i++)
        n[i] = (x[i] - mean) * r;
    return r;
}

static void layernorm_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const row_of_norm rows = rows_of_norm(layer);
    for (int64_t row = 0; row < rows.count; row++) {
        double *y = args->y + row * rows.width;
        (void)normalize_row(layer, args->x[0] + row * rows.width, y);
        for (int64_t i = 0; i < rows.width; i++)
            y[i] = y[i] * args->w[i] + (layer->param_count > 1 ? args->w[rows.width + i] : 0);
    }
}

/* The derivatives of n by x, summed: of a layer norm (delta - 1/C - n n/C) r. */
static void layernorm_backward_data(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const row_of_norm rows = rows_of_norm(layer);
    for (int64_t row = 0; row < rows.count; row++) {
        const double *dy = args->dy + row * rows.width;
        double *n = args->dx[0] + row * rows.width, of_g = 0, of_gn = 0;
        const double r = normalize_row(layer, args->x[0] + row * rows.width, n);
        for (int64_t i = 0; i < rows.width; i++) {
            of_g += rows.is_rms ? 0 : dy[i] * args->w[i] / (double)rows.width;
            of_gn += dy[i] * args->w[i] * n[i] / (double)rows.width;
        }
        for (int64_t i = 0; i < rows.width; i++)
            n[i] = r * (dy[i] * args->w[i] - of_g - n[i] * of_gn);
    }
}

static void layernorm_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const row_of_norm rows = rows_of_norm(layer);
    double *n = calloc((size_t)rows.width, sizeof *n);
    clear(args->dw, rows.width * layer->param_count);
    for (int64_t row = 0; n != NULL && row < rows.count; row++) {
        const double *dy = args->dy + row * rows.width;
        (void)normalize_row(layer, args->x[0] + row * rows.width, n);
        for (int64_t i = 0; i < rows.width; i++) {
            args->dw[i] += dy[i] * n[i];
            if (layer->param_count > 1)
                args->dw[rows.width + i] += dy[i];
        }
    }
    free(n);
}

/* ---- group norm, instance norm ----------------------------------------------------------------
 */

/* The values of a group, which are contiguous, and how they are normalized. */
typedef struct group_of_norm {
    int64_t begin, end, cells, channels; /* of all groups of a sample */
    double mean, r;
} group_of_norm;

static int64_t group_count(const vdnn_layer *layer)
{
    const vdnn_groupnorm_config *norm = layer->config;
    const int64_t *dims = layer->x[0].dims;
    return dims[VDNN_N] *
           (strcmp(layer->def->type, "groupnorm") == 0 ? norm->groups : dims[VDNN_C]);
}

static group_of_norm group_at(const vdnn_layer *layer, const double *x, int64_t i)
{
    const int64_t *dims = layer->x[0].dims, size = vdnn_desc_count(&layer->y) / group_count(layer);
    group_of_norm own = {.begin = i * size,
                         .end = (i + 1) * size,
                         .cells = dims[VDNN_H] * dims[VDNN_W],
                         .channels = dims[VDNN_C]};
    double squares = 0;
    for (int64_t k = own.begin; k < own.end; k++)
        own.mean += x[k] / (double)size;
    for (int64_t k = own.begin; k < own.end; k++)
        squares += (x[k] - own.mean) * (x[k] - own.mean) / (double)size;
    own.r = 1 / sqrt(squares + ((const vdnn_groupnorm_config *)layer->config)->eps);
    return own;
}

static double group_weight(const vdnn_layer *layer, const vdnn_reference_args *args,
                           const group_of_norm *own, int64_t k)
{
    return layer->param_count > 0 ? args->w[k / own->cells % own->channels] : 1;
}

static void groupnorm_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int64_t i = 0; i < group_count(layer); i++) {
        const group_of_norm own = group_at(layer, args->x[0], i);
        for (int64_t k = own.begin; k < own.end; k++)
            args->y[k] =
                (args->x[0][k] - own.mean) * own.r * group_weight(layer, args, &own, k) +
                (layer->param_count > 0 ? args->w[own.channels + k / own.cells % own.channels] : 0);
    }
}

static void groupnorm_backward_data(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    const double *x = args->x[0];
    for (int64_t i = 0; i < group_count(layer); i++) {
        const group_of_norm own = group_at(layer, x, i);
        double of_g = 0, of_gn = 0;
        for (int64_t k = own.begin; k < own.end; k++) {
            const double g = args->dy[k] * group_weight(layer, args, &own, k);
            of_g += g / (double)(own.end - own.begin);
            of_gn += g * (x[k] - own.mean) * own.r / (double)(own.end - own.begin);
        }
        for (int64_t k = own.begin; k < own.end; k++)
            args->dx[0][k] = own.r * (args->dy[k] * group_weight(layer, args, &own, k) - of_g -
                                      (x[k] - own.mean) * own.r * of_gn);
    }
}

static void groupnorm_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dw, 2 * layer->x[0].dims[VDNN_C]);
    for (int64_t i = 0; i < group_count(layer); i++) {
        const group_of_norm own = group_at(layer, args->x[0], i);
        for (int64_t k = own.begin; k < own.end; k++) {
            const int64_t channel = k / own.cells % own.channels;
            args->dw[channel] += args->dy[k] * (args->x[0][k] - own.mean) * own.r;
            args->dw[own.channels + channel] += args->dy[k];
        }
    }
}

/* ---- table ----------------------------------------------------------------------------------- */

static const vdnn_reference references[] = {
    {"conv", {conv_forward, conv_backward_data, conv_backward_filter}},
    {"conv_transpose", {transposed_forward, transposed_backward_data, transposed_backward_filter}},
    {"fc", {fc_forward, fc_backward_data, fc_backward_filter}},
    {"maxpool", {maxpool_forward, maxpool_backward, NULL}},
    {"avgpool", {avgpool_forward, avgpool_backward, NULL}},
    {"relu", {relu_forward, relu_backward, NULL}},
    {"gelu", {activation_forward, activation_backward, NULL}},
    {"silu", {activation_forward, activation_backward, NULL}},
    {"tanh", {activation_forward, activation_backward, NULL}},
    {"sigmoid", {activation_forward, activation_backward, NULL}},
    {"relu6", {activation_forward, activation_backward, NULL}},
    {"leaky_relu", {activation_forward, activation_backward, NULL}},
    {"hardswish", {activation_forward, activation_backward, NULL}},
    {"scale", {activation_forward, activation_backward, NULL}},
    {"dropout", {dropout_forward, dropout_backward, NULL}},
    {"flatten", {flatten_forward, flatten_backward, NULL}},
    {"concat", {concat_forward, concat_backward, NULL}},
    {"convert", {convert_forward, convert_backward, NULL}},
    {"add", {add_forward, add_backward, NULL}},
    {"mul", {mul_forward, mul_backward, NULL}},
    {"upsample", {upsample_forward, upsample_backward, NULL}},
    {"global_avgpool", {global_avgpool_forward, global_avgpool_backward, NULL}},
    {"lrn", {lrn_forward, lrn_backward, NULL}},
    {"batchnorm", {batchnorm_forward, batchnorm_backward_data, batchnorm_backward_filter}},
    {"layernorm", {layernorm_forward, layernorm_backward_data, layernorm_backward_filter}},
    {"rmsnorm", {layernorm_forward, layernorm_backward_data, layernorm_backward_filter}},
    {"groupnorm", {groupnorm_forward, groupnorm_backward_data, groupnorm_backward_filter}},
    {"instancenorm", {groupnorm_forward, groupnorm_backward_data, groupnorm_backward_filter}},
    {"embedding", {embedding_forward, NULL, embedding_backward_filter}},
    {"lstm", {lstm_forward, lstm_backward, lstm_backward}},
    {"softmax_loss", {softmax_loss_forward, softmax_loss_backward, NULL}},
    {"mse", {mse_forward, mse_backward, NULL}},
    {"bce", {bce_forward, bce_backward, NULL}},
    {"dice", {dice_forward, dice_backward, NULL}},
};

const vdnn_reference *vdnn_reference_find(const char *type)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].type, type) == 0)
            return &references[i];
    static const vdnn_reference *const others[] = {
        &vdnn_reference_attention, &vdnn_reference_additive_attention, &vdnn_reference_sampled};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i]->type, type) == 0)
            return others[i];
    return vdnn_reference_of_positions(type);
}
