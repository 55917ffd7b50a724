#include "runtime/train/files/onnx_nodes.h"

#include "layers/conv/conv.h"
#include "layers/conv_transpose/conv_transpose.h"
#include "layers/norm/batchnorm.h"
#include "layers/norm/groupnorm.h"
#include "layers/norm/layernorm.h"
#include "layers/norm/lrn.h"
#include "layers/pointwise/activation.h"
#include "layers/pointwise/dropout.h"
#include "layers/pool/pool.h"
#include "layers/recurrent/lstm.h"
#include "runtime/base/heap.h"
#include "runtime/train/files/onnx_node.h"
#include "runtime/train/files/onnx_positions.h"

#include <stdio.h>
#include <string.h>

/* Fields of onnx.proto. */
enum {
    GRAPH_NAME = 2,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    FLOAT = 1,
    INT32 = 6,
    INT64 = 7,
    NAME_BYTES = 2 * 256,
};

/* ---- the wire format ------------------------------------------------------------------------- */

enum { VARINT, BYTES = 2, TYPE_BITS = 3 };

void vdnn_onnx_put_varint(vdnn_text *text, uint64_t value)
{
    enum { BITS = 7, MORE = 1 << BITS };
    for (; value >= MORE; value >>= BITS)
        vdnn_text_put_bytes(text, (const char[]){(char)((value & (MORE - 1)) | MORE)}, 1);
    vdnn_text_put_bytes(text, (const char[]){(char)value}, 1);
}

void vdnn_onnx_put_integer(vdnn_text *text, uint32_t field, int64_t value)
{
    vdnn_onnx_put_varint(text, (uint64_t)field << TYPE_BITS | VARINT);
    vdnn_onnx_put_varint(text, (uint64_t)value);
}

void vdnn_onnx_put_head(vdnn_text *text, uint32_t field, uint64_t count)
{
    vdnn_onnx_put_varint(text, (uint64_t)field << TYPE_BITS | BYTES);
    vdnn_onnx_put_varint(text, count);
}

void vdnn_onnx_put_string(vdnn_text *text, uint32_t field, const char *string)
{
    vdnn_onnx_put_head(text, field, strlen(string));
    vdnn_text_put(text, string);
}

void vdnn_onnx_put_message(vdnn_text *text, uint32_t field, vdnn_text *message)
{
    text->failed |= message->failed;
    vdnn_onnx_put_head(text, field, message->length);
    if (message->length > 0)
        vdnn_text_put_bytes(text, message->data, message->length);
    vdnn_text_fini(message);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

typedef struct writer {
    const vdnn_model *model;
    const vdnn_graph *graph;
    vdnn_text *fields;
    vdnn_onnx_node node; /* the one that is written */
} writer;

static void begin_node(writer *w, const char *op, const char *name)
{
    w->node = (vdnn_onnx_node){.fields = w->fields};
    vdnn_onnx_node_begin(&w->node, op, name);
}

static void add_input(writer *w, const char *name)
{
    vdnn_onnx_node_input(&w->node, name);
}

static void end_node(writer *w)
{
    vdnn_onnx_node_end(&w->node);
}

static void add_integers(writer *w, const char *name, const int64_t *integers, size_t count)
{
    vdnn_onnx_node_integers(&w->node, name, integers, count);
}

static void add_integer(writer *w, const char *name, int64_t integer)
{
    vdnn_onnx_node_integer(&w->node, name, integer);
}

static void add_real(writer *w, const char *name, double real)
{
    vdnn_onnx_node_real(&w->node, name, real);
}

static void add_text(writer *w, const char *name, const char *string)
{
    vdnn_onnx_node_string(&w->node, name, string);
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* What a layer is in the network's file and in the plan's graph. */
typedef struct source {
    const vdnn_layer_spec *spec;
    const vdnn_layer *layer;
} source;

/* The name of a parameter's tensor, which is its owner's. */
static const char *param_name(const writer *w, const vdnn_layer *layer, int32_t p,
                              char name[NAME_BYTES])
{
    const vdnn_layer *owner = vdnn_layer_owns(layer, p) ? layer : &w->graph->layers[layer->owner];
    (void)snprintf(name, NAME_BYTES, "%s.%s", owner->name, owner->params[p].name);
    return name;
}

static void add_params(writer *w, const source *s)
{
    char name[NAME_BYTES];
    for (int32_t p = 0; p < s->layer->param_count; p++)
        add_input(w, param_name(w, s->layer, p, name));
}

static void add_sources(writer *w, const source *s)
{
    for (int32_t i = 0; i < s->spec->from_count; i++)
        add_input(w, s->spec->from[i]);
}

/* An operator that the layer's inputs, then its parameters are the inputs of. */
static void begin_layer(writer *w, const source *s, const char *op)
{
    begin_node(w, op, s->spec->name);
    add_sources(w, s);
    add_params(w, s);
}

static bool is_sequence(const source *s)
{
    return vdnn_desc_is_sequence(&s->layer->x[0]);
}

/* Of a key of sides, depth, height and width or the last two; pads are of both ends. */
static void add_sides(writer *w, const source *s, const char *name, const int64_t sides[VDNN_SIDES],
                      int ends)
{
    static const int order[VDNN_SIDES] = {VDNN_SIDE_D, VDNN_SIDE_H, VDNN_SIDE_W};
    int64_t integers[2 * VDNN_SIDES];
    size_t count = 0;
    for (int end = 0; end < ends; end++)
        for (int i = vdnn_desc_is_volume(&s->layer->x[0]) ? 0 : 1; i < VDNN_SIDES; i++)
            integers[count++] = sides[order[i]];
    add_integers(w, name, integers, count);
}

static void write_conv(writer *w, const source *s)
{
    const vdnn_conv_config *conv = s->layer->config;
    begin_layer(w, s, "Conv");
    add_sides(w, s, "kernel_shape", conv->kernel, 1);
    add_sides(w, s, "strides", conv->stride, 1);
    add_sides(w, s, "pads", conv->pad, 2);
    add_sides(w, s, "dilations", conv->dilation, 1);
    add_integer(w, "group", conv->groups);
    end_node(w);
}

static void write_conv_transpose(writer *w, const source *s)
{
    const vdnn_conv_transpose_config *conv = s->layer->config;
    begin_layer(w, s, "ConvTranspose");
    add_sides(w, s, "kernel_shape", conv->kernel, 1);
    add_sides(w, s, "strides", conv->stride, 1);
    add_sides(w, s, "pads", conv->pad, 2);
    add_sides(w, s, "output_padding", conv->output_pad, 1);
    add_sides(w, s, "dilations", conv->dilation, 1);
    add_integer(w, "group", conv->groups);
    end_node(w);
}

static void begin_pool(writer *w, const source *s, const char *op)
{
    const vdnn_pool_config *pool = s->layer->config;
    begin_layer(w, s, op);
    add_sides(w, s, "kernel_shape", pool->kernel, 1);
    add_sides(w, s, "strides", pool->stride, 1);
    add_sides(w, s, "pads", pool->pad, 2);
    add_integer(w, "ceil_mode", pool->ceil);
}

static void write_maxpool(writer *w, const source *s)
{
    begin_pool(w, s, "MaxPool");
    end_node(w);
}

static void write_avgpool(writer *w, const source *s)
{
    const vdnn_pool_config *pool = s->spec->config;
    begin_pool(w, s, "AveragePool");
    add_integer(w, "count_include_pad", pool->count_pad);
    end_node(w);
}

static void write_global_avgpool(writer *w, const source *s)
{
    begin_layer(w, s, is_sequence(s) ? "ReduceMean" : "GlobalAveragePool");
    if (is_sequence(s)) {
        add_integers(w, "axes", (const int64_t[]){1}, 1);
        add_integer(w, "keepdims", 0);
    }
    end_node(w);
}

/* A value between the nodes of one layer. */
static const char *inner_name(const source *s, const char *end, char name[NAME_BYTES])
{
    if (snprintf(name, NAME_BYTES, "%s/%s", s->spec->name, end) < 0)
        name[0] = '\0';
    return name;
}

static void write_unary(writer *w, const char *op, const char *name, const char *input)
{
    begin_node(w, op, name);
    add_input(w, input);
    end_node(w);
}

/* x (N, T, C) times the weight's transpose, and the bias. */
static void write_each_position(writer *w, const source *s)
{
    char weight[NAME_BYTES], turned[NAME_BYTES], product[NAME_BYTES];
    const bool has_bias = s->layer->param_count > 1;
    write_unary(w, "Transpose", inner_name(s, "transposed", turned),
                param_name(w, s->layer, 0, weight));
    begin_node(w, "MatMul", has_bias ? inner_name(s, "product", product) : s->spec->name);
    add_input(w, s->spec->from[0]);
    add_input(w, turned);
    end_node(w);
    if (!has_bias)
        return;
    begin_node(w, "Add", s->spec->name);
    add_input(w, product);
    add_input(w, param_name(w, s->layer, 1, weight));
    end_node(w);
}

static void write_fc(writer *w, const source *s)
{
    char flat[NAME_BYTES];
    const bool is_picture = s->layer->x[0].rank >= VDNN_PICTURE_RANK;
    if (is_sequence(s)) {
        write_each_position(w, s);
        return;
    }
    if (is_picture)
        write_unary(w, "Flatten", inner_name(s, "flat", flat), s->spec->from[0]);
    begin_node(w, "Gemm", s->spec->name);
    add_input(w, is_picture ? flat : s->spec->from[0]);
    add_params(w, s);
    add_integer(w, "transB", 1);
    end_node(w);
}

static void write_relu(writer *w, const source *s)
{
    begin_layer(w, s, "Relu");
    end_node(w);
}

static void write_flatten(writer *w, const source *s)
{
    begin_layer(w, s, "Flatten");
    end_node(w);
}

static void write_add(writer *w, const source *s)
{
    begin_layer(w, s, s->spec->from_count == 2 ? "Add" : "Sum");
    end_node(w);
}

static void write_concat(writer *w, const source *s)
{
    begin_layer(w, s, "Concat");
    add_integer(w, "axis", is_sequence(s) ? VDNN_FEATURES : VDNN_C);
    end_node(w);
}

/* A number as a tensor without dimensions, which is named after the layer. */
static const char *write_number(writer *w, const source *s, const char *end, double value,
                                char name[NAME_BYTES])
{
    const float number = (float)value;
    vdnn_onnx_node_floats(w->fields, inner_name(s, end, name), NULL, 0, &number);
    return name;
}

/* The ratio matters in training alone. */
static void write_dropout(writer *w, const source *s)
{
    const vdnn_dropout_config *dropout = s->spec->config;
    char name[NAME_BYTES];
    (void)write_number(w, s, "ratio", dropout->p, name);
    begin_layer(w, s, "Dropout");
    add_input(w, name);
    end_node(w);
}

/* ---- formulas: layers that operators of opset 13 compute together -----------------------------
 */

/* to = op(a), op(a, b) or op(a, number). A name is the layer's input, one of its parameters, or
 * what a line before made; NULL as `to`: the layer's output. */
typedef struct formula_line {
    const char *op, *to, *a, *b; /* b NULL: none, or a number */
    bool has_number;
    double number;
} formula_line;

#define OF(op, to, a)                                                                              \
    {                                                                                              \
        op, to, a, NULL, false, 0                                                                  \
    }
#define OF_BOTH(op, to, a, b)                                                                      \
    {                                                                                              \
        op, to, a, b, false, 0                                                                     \
    }
#define WITH(op, to, a, number)                                                                    \
    {                                                                                              \
        op, to, a, NULL, true, number                                                              \
    }

static const char *operand(const writer *w, const source *s, const char *name,
                           char buffer[NAME_BYTES])
{
    if (strcmp(name, "x") == 0)
        return s->spec->from[0];
    for (int32_t p = 0; p < s->layer->param_count; p++)
        if (strcmp(name, s->layer->params[p].name) == 0)
            return param_name(w, s->layer, p, buffer);
    return inner_name(s, name, buffer);
}

/* A mean is one over the last axis, which stays. */
static void write_formula(writer *w, const source *s, const formula_line *lines, size_t count)
{
    char a[NAME_BYTES], b[NAME_BYTES], to[NAME_BYTES], end[NAME_BYTES];
    for (size_t i = 0; i < count; i++) {
        const formula_line *line = &lines[i];
        (void)snprintf(end, sizeof end, "%s.number", line->to == NULL ? "y" : line->to);
        if (line->has_number)
            (void)write_number(w, s, end, line->number, b);
        begin_node(w, line->op, line->to == NULL ? s->spec->name : inner_name(s, line->to, to));
        add_input(w, operand(w, s, line->a, a));
        if (line->b != NULL)
            add_input(w, operand(w, s, line->b, b));
        else if (line->has_number)
            add_input(w, b);
        if (strcmp(line->op, "ReduceMean") == 0) {
            add_integers(w, "axes", (const int64_t[]){-1}, 1);
            add_integer(w, "keepdims", 1);
        }
        end_node(w);
    }
}

#define WRITE_FORMULA(w, s, lines) write_formula(w, s, lines, sizeof(lines) / sizeof *(lines))

static void write_gelu(writer *w, const source *s)
{
    static const formula_line exact[] = {
        WITH("Mul", "scaled", "x", 0.70710678118654752), /* 1 / sqrt 2 */
        OF("Erf", "erf", "scaled"),
        WITH("Add", "above", "erf", 1),
        OF_BOTH("Mul", "twice", "x", "above"),
        WITH("Mul", NULL, "twice", 0.5),
    };
    static const formula_line by_tanh[] = {
        OF_BOTH("Mul", "square", "x", "x"),
        WITH("Mul", "cubic", "square", 0.044715 * 0.79788456080286536), /* sqrt(2 / pi) */
        WITH("Add", "factor", "cubic", 0.79788456080286536),
        OF_BOTH("Mul", "inner", "x", "factor"),
        OF("Tanh", "tanh", "inner"),
        WITH("Add", "above", "tanh", 1),
        OF_BOTH("Mul", "twice", "x", "above"),
        WITH("Mul", NULL, "twice", 0.5),
    };
    const vdnn_activation_config *config = s->spec->config;
    if (config->approximate == VDNN_GELU_TANH)
        WRITE_FORMULA(w, s, by_tanh);
    else
        WRITE_FORMULA(w, s, exact);
}

static void write_silu(writer *w, const source *s)
{
    static const formula_line lines[] = {OF("Sigmoid", "gate", "x"),
                                         OF_BOTH("Mul", NULL, "x", "gate")};
    WRITE_FORMULA(w, s, lines);
}

static void write_tanh(writer *w, const source *s)
{
    begin_layer(w, s, "Tanh");
    end_node(w);
}

static void write_sigmoid(writer *w, const source *s)
{
    begin_layer(w, s, "Sigmoid");
    end_node(w);
}

static void write_relu6(writer *w, const source *s)
{
    char least[NAME_BYTES], most[NAME_BYTES];
    (void)write_number(w, s, "least", 0, least);
    (void)write_number(w, s, "most", 6, most);
    begin_layer(w, s, "Clip");
    add_input(w, least);
    add_input(w, most);
    end_node(w);
}

static void write_leaky_relu(writer *w, const source *s)
{
    const vdnn_activation_config *config = s->spec->config;
    begin_layer(w, s, "LeakyRelu");
    add_real(w, "alpha", config->slope);
    end_node(w);
}

static void write_scale(writer *w, const source *s)
{
    const vdnn_activation_config *config = s->spec->config;
    char factor[NAME_BYTES];
    (void)write_number(w, s, "factor", config->slope, factor);
    begin_layer(w, s, "Mul");
    add_input(w, factor);
    end_node(w);
}

/* HardSwish itself is an operator from opset 14 on. */
static void write_hardswish(writer *w, const source *s)
{
    char gate[NAME_BYTES];
    begin_node(w, "HardSigmoid", inner_name(s, "gate", gate));
    add_sources(w, s);
    add_real(w, "alpha", 1.0 / 6);
    add_real(w, "beta", 0.5);
    end_node(w);
    begin_layer(w, s, "Mul");
    add_input(w, gate);
    end_node(w);
}

/* Of two factors at a time. */
static void write_mul(writer *w, const source *s)
{
    char so_far[NAME_BYTES], to[NAME_BYTES], end[sizeof "product" + 12];
    for (int32_t i = 1; i < s->spec->from_count; i++) {
        (void)snprintf(end, sizeof end, "product%d", i);
        begin_node(w, "Mul", i + 1 == s->spec->from_count ? s->spec->name : inner_name(s, end, to));
        add_input(w, i == 1 ? s->spec->from[0] : so_far);
        add_input(w, s->spec->from[i]);
        end_node(w);
        memcpy(so_far, to, sizeof so_far);
    }
}

/* LayerNormalization itself is an operator from opset 17 on. */
static void write_layernorm(writer *w, const source *s)
{
    const vdnn_layernorm_config *norm = s->spec->config;
    const bool has_bias = s->layer->param_count > 1;
    const formula_line lines[] = {
        OF("ReduceMean", "mean", "x"),
        OF_BOTH("Sub", "centered", "x", "mean"),
        OF_BOTH("Mul", "squares", "centered", "centered"),
        OF("ReduceMean", "variance", "squares"),
        WITH("Add", "padded", "variance", norm->eps),
        OF("Sqrt", "deviation", "padded"),
        OF_BOTH("Div", "normalized", "centered", "deviation"),
        OF_BOTH("Mul", has_bias ? "scaled" : NULL, "normalized", "weight"),
        OF_BOTH("Add", NULL, "scaled", "bias"),
    };
    write_formula(w, s, lines, sizeof lines / sizeof *lines - (has_bias ? 0 : 1));
}

/* LAYER/end = x in another shape. */
static void write_reshape(writer *w, const source *s, const char *x, const char *end,
                          const int64_t *dims, int rank)
{
    const int64_t count = rank;
    char shape[NAME_BYTES], to[NAME_BYTES];
    (void)snprintf(shape, sizeof shape, "%s.shape", inner_name(s, end, to));
    vdnn_onnx_node_numbers(w->fields, shape, &count, 1, dims);
    begin_node(w, "Reshape", to);
    add_input(w, x);
    add_input(w, shape);
    end_node(w);
}

/* to = op(LAYER/from, parameter p), which is a number for each channel. */
static void write_by_channel(writer *w, const source *s, const char *op, const char *to,
                             const char *from, int32_t p)
{
    const int64_t dims[] = {s->layer->x[0].dims[VDNN_C], 1, 1, 1};
    char name[NAME_BYTES], factors[NAME_BYTES];
    (void)snprintf(factors, sizeof factors, "channel.%s", s->layer->params[p].name);
    write_reshape(w, s, param_name(w, s->layer, p, name), factors, dims, s->layer->x[0].rank - 1);
    begin_node(w, op, to);
    add_input(w, inner_name(s, from, name));
    add_input(w, inner_name(s, factors, name));
    end_node(w);
}

/* Each group of a sample as a row. GroupNormalization itself is an operator from opset 18 on. */
static void write_groupnorm(writer *w, const source *s)
{
    const vdnn_groupnorm_config *norm = s->spec->config;
    const vdnn_desc *x = &s->layer->x[0];
    const int64_t rows[] = {0, vdnn_groupnorm_shape_of(s->layer).groups, -1};
    int64_t maps[VDNN_VOLUME_RANK];
    const int rank = vdnn_desc_list(x, maps);
    const formula_line lines[] = {
        OF("ReduceMean", "mean", "rows"),
        OF_BOTH("Sub", "centered", "rows", "mean"),
        OF_BOTH("Mul", "squares", "centered", "centered"),
        OF("ReduceMean", "variance", "squares"),
        WITH("Add", "padded", "variance", norm->eps),
        OF("Sqrt", "deviation", "padded"),
        OF_BOTH("Div", "normalized", "centered", "deviation"),
    };
    char name[NAME_BYTES];
    maps[0] = 0;
    write_reshape(w, s, s->spec->from[0], "rows", rows, 3);
    WRITE_FORMULA(w, s, lines);
    write_reshape(w, s, inner_name(s, "normalized", name), "maps", maps, rank);
    if (!norm->affine) {
        write_unary(w, "Identity", s->spec->name, inner_name(s, "maps", name));
        return;
    }
    write_by_channel(w, s, "Mul", inner_name(s, "scaled", name), "maps", 0);
    write_by_channel(w, s, "Add", s->spec->name, "scaled", 1);
}

static void write_rmsnorm(writer *w, const source *s)
{
    const vdnn_layernorm_config *norm = s->spec->config;
    const formula_line lines[] = {
        OF_BOTH("Mul", "squares", "x", "x"),
        OF("ReduceMean", "mean", "squares"),
        WITH("Add", "padded", "mean", norm->eps),
        OF("Sqrt", "deviation", "padded"),
        OF_BOTH("Div", "normalized", "x", "deviation"),
        OF_BOTH("Mul", NULL, "normalized", "weight"),
    };
    WRITE_FORMULA(w, s, lines);
}

static void write_lrn(writer *w, const source *s)
{
    const vdnn_lrn_config *lrn = s->spec->config;
    begin_layer(w, s, "LRN");
    add_integer(w, "size", lrn->size);
    add_real(w, "alpha", lrn->alpha);
    add_real(w, "beta", lrn->beta);
    add_real(w, "bias", lrn->k);
    end_node(w);
}

static void write_batchnorm(writer *w, const source *s)
{
    const vdnn_batchnorm_config *norm = s->spec->config;
    begin_layer(w, s, "BatchNormalization");
    add_real(w, "epsilon", norm->eps);
    add_real(w, "momentum", 1 - norm->momentum);
    end_node(w);
}

static void write_embedding(writer *w, const source *s)
{
    begin_node(w, "Gather", s->spec->name);
    add_params(w, s);
    add_sources(w, s);
    end_node(w);
}

/* ---- recurrence: ONNX has positions before samples, and gates in another order --------------- */

enum { END_BYTES = 64 }; /* of a name within a layer */

/* to = op(from) along one axis, which opset 13 has as a tensor. */
static void write_along(writer *w, const source *s, const char *op, const char *to, int64_t axis,
                        const char *from)
{
    char name[NAME_BYTES], made[NAME_BYTES], end[END_BYTES];
    (void)snprintf(end, sizeof end, "%s.axis", to);
    vdnn_onnx_node_numbers(w->fields, inner_name(s, end, name), (const int64_t[]){1}, 1, &axis);
    begin_node(w, op, inner_name(s, to, made));
    add_input(w, from);
    add_input(w, name);
    end_node(w);
}

static const char *gate_name(const source *s, int32_t p, int gate, char name[NAME_BYTES])
{
    char end[END_BYTES];
    (void)snprintf(end, sizeof end, "%s.gate%d", s->layer->params[p].name, gate);
    return inner_name(s, end, name);
}

static void split_gates(writer *w, const source *s, int32_t p)
{
    char name[NAME_BYTES];
    begin_node(w, "Split", gate_name(s, p, 0, name));
    for (int gate = 1; gate < VDNN_LSTM_GATES; gate++)
        vdnn_onnx_node_output(&w->node, gate_name(s, p, gate, name));
    add_input(w, param_name(w, s->layer, p, name));
    add_integer(w, "axis", 0);
    end_node(w);
}

/* The rows of some parameters, one after the other, with the gates of each as ONNX has them. */
static const char *write_gates(writer *w, const source *s, int32_t first, int32_t count,
                               char made[NAME_BYTES])
{
    static const int order[VDNN_LSTM_GATES] = {0, 3, 1, 2}; /* i, o, f, c */
    char name[NAME_BYTES], end[END_BYTES];
    for (int32_t p = first; p < first + count; p++)
        split_gates(w, s, p);
    (void)snprintf(end, sizeof end, "%s.rows", s->layer->params[first].name);
    begin_node(w, "Concat", inner_name(s, end, made));
    for (int32_t p = first; p < first + count; p++)
        for (int gate = 0; gate < VDNN_LSTM_GATES; gate++)
            add_input(w, gate_name(s, p, order[gate], name));
    add_integer(w, "axis", 0);
    end_node(w);
    (void)snprintf(end, sizeof end, "%s.direction", s->layer->params[first].name);
    write_along(w, s, "Unsqueeze", end, 0, made);
    return inner_name(s, end, made);
}

/* ONNX has both biases, or none: of one the other is the difference of equal numbers. */
static const char *write_biases(writer *w, const source *s, char made[NAME_BYTES])
{
    enum { FIRST = 2 };
    const vdnn_lstm_config *lstm = s->spec->config;
    char name[NAME_BYTES];
    if (lstm->biases == 0)
        return "";
    if (lstm->biases == 2)
        return write_gates(w, s, FIRST, 2, made);
    (void)write_gates(w, s, FIRST, 1, made);
    begin_node(w, "Sub", inner_name(s, "no_bias", name));
    add_input(w, made);
    add_input(w, made);
    end_node(w);
    begin_node(w, "Concat", inner_name(s, "biases", name));
    add_input(w, made);
    add_input(w, inner_name(s, "no_bias", made));
    add_integer(w, "axis", 1);
    end_node(w);
    return inner_name(s, "biases", made);
}

static const char *write_lengths(writer *w, const source *s, char made[NAME_BYTES])
{
    char name[NAME_BYTES];
    if (s->spec->from_count < 2)
        return "";
    write_along(w, s, "Squeeze", "numbers", 1, s->spec->from[1]);
    begin_node(w, "Cast", inner_name(s, "lengths", made));
    add_input(w, inner_name(s, "numbers", name));
    add_integer(w, "to", INT32);
    end_node(w);
    return made;
}

static void write_turned(writer *w, const char *name, const char *from)
{
    static const int64_t positions_first[] = {1, 0, 2};
    begin_node(w, "Transpose", name);
    add_input(w, from);
    add_integers(w, "perm", positions_first, 3);
    end_node(w);
}

static void write_lstm(writer *w, const source *s)
{
    const vdnn_lstm_config *lstm = s->spec->config;
    char x[NAME_BYTES], input[NAME_BYTES], hidden[NAME_BYTES], biases[NAME_BYTES];
    char lengths[NAME_BYTES], y[NAME_BYTES];
    write_turned(w, inner_name(s, "x", x), s->spec->from[0]);
    (void)write_gates(w, s, 0, 1, input);
    (void)write_gates(w, s, 1, 1, hidden);
    const char *const given[] = {x, input, hidden, write_biases(w, s, biases),
                                 write_lengths(w, s, lengths)};
    begin_node(w, "LSTM", inner_name(s, "y", y));
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        add_input(w, given[i]);
    add_integer(w, "hidden_size", lstm->out);
    add_text(w, "direction", lstm->reverse ? "reverse" : "forward");
    end_node(w);
    write_along(w, s, "Squeeze", "positions", 1, y);
    write_turned(w, s->spec->name, inner_name(s, "positions", y));
}

/* What layers/attention and layers/positions compute. */
static void write_positions(writer *w, const source *s)
{
    char weight[NAME_BYTES];
    vdnn_onnx_positions_write(w->fields, s->layer, s->spec->from,
                              s->layer->param_count > 0 ? param_name(w, s->layer, 0, weight)
                                                        : NULL);
}

static const char *output_name(const source *s, char name[NAME_BYTES])
{
    const bool are_numbers = s->spec->def->target == VDNN_TARGET_NUMBERS;
    return inner_name(s, are_numbers ? "numbers" : "logits", name);
}

static bool has_classes(const source *s)
{
    return vdnn_desc_is_integer(&s->layer->labels);
}

/* The loss is not part of the graph: what it reads is its output. */
static void write_loss(writer *w, const source *s)
{
    char name[NAME_BYTES];
    const bool is_vector = has_classes(s) && s->layer->x[0].rank >= VDNN_PICTURE_RANK;
    write_unary(w, is_vector ? "Flatten" : "Identity", output_name(s, name), s->spec->from[0]);
}

static const struct {
    const char *type;
    void (*write)(writer *w, const source *s);
} types[] = {
    {"add", write_add},
    {"attention", write_positions},
    {"avgpool", write_avgpool},
    {"batchnorm", write_batchnorm},
    {"bce", write_loss},
    {"concat", write_concat},
    {"conv", write_conv},
    {"conv_transpose", write_conv_transpose},
    {"dice", write_loss},
    {"dropout", write_dropout},
    {"embedding", write_embedding},
    {"fc", write_fc},
    {"flatten", write_flatten},
    {"gelu", write_gelu},
    {"global_avgpool", write_global_avgpool},
    {"groupnorm", write_groupnorm},
    {"hardswish", write_hardswish},
    {"instancenorm", write_groupnorm},
    {"layernorm", write_layernorm},
    {"leaky_relu", write_leaky_relu},
    {"scale", write_scale},
    {"lrn", write_lrn},
    {"lstm", write_lstm},
    {"maxpool", write_maxpool},
    {"mse", write_loss},
    {"mul", write_mul},
    {"parameter", write_positions},
    {"relu", write_relu},
    {"relu6", write_relu6},
    {"rmsnorm", write_rmsnorm},
    {"rope", write_positions},
    {"sigmoid", write_sigmoid},
    {"silu", write_silu},
    {"slice", write_positions},
    {"softmax_loss", write_loss},
    {"tanh", write_tanh},
    {"to_sequence", write_positions},
};

static vdnn_status write_layer(writer *w, const source *s)
{
    size_t i = 0;
    while (i < sizeof types / sizeof *types && strcmp(types[i].type, s->spec->def->type) != 0)
        i++;
    if (i == sizeof types / sizeof *types)
        return vdnn_status_fail(VDNN_USAGE,
                                "layer '%s' is of the type %s, which no operator of ONNX computes",
                                s->spec->name, s->spec->def->type);
    if (types[i].write == write_lrn && ((const vdnn_lrn_config *)s->spec->config)->size % 2 == 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "layer '%s' has the even size %lld: ONNX has the larger half of "
                                "the window on the other side",
                                s->spec->name,
                                (long long)((const vdnn_lrn_config *)s->spec->config)->size);
    if (types[i].write == write_lstm && ((const vdnn_lstm_config *)s->spec->config)->projection > 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "layer '%s' has a projection, which the LSTM of ONNX has not",
                                s->spec->name);
    if (types[i].write == write_positions && vdnn_onnx_positions_refusal(s->layer) != NULL)
        return vdnn_status_fail(VDNN_USAGE, "layer '%s' cannot be written as ONNX: %s",
                                s->spec->name, vdnn_onnx_positions_refusal(s->layer));
    types[i].write(w, s);
    return VDNN_OK;
}

/* ---- order
 * ----------------------------------------------------------------------------------- */

static const vdnn_layer *find_layer(const vdnn_graph *graph, const char *name)
{
    int32_t l = 0;
    while (l < graph->layer_count - 1 && strcmp(graph->layers[l].name, name) != 0)
        l++;
    return &graph->layers[l];
}

/* Whether all that it reads is written. */
static bool is_ready(const vdnn_model *model, const bool *is_written, int32_t layer)
{
    const vdnn_layer_spec *spec = &model->layers[layer];
    for (int32_t k = 0; k < spec->from_count; k++) {
        int32_t l = layer; /* mostly one of those above it */
        for (int32_t i = 0; i < model->layer_count;
             i++, l = l == 0 ? model->layer_count - 1 : l - 1)
            if (strcmp(model->layers[l].name, spec->from[k]) == 0) {
                if (!is_written[l])
                    return false;
                break;
            }
    }
    return true;
}

/* In the order of the file, but for layers that read one below them. */
static vdnn_status write_layers(writer *w)
{
    const int32_t count = w->model->layer_count;
    bool *is_written = vdnn_heap_calloc((size_t)count, sizeof *is_written);
    vdnn_status status = VDNN_OK;
    if (is_written == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to write the network");
    for (int32_t left = count; left > 0 && status == VDNN_OK;)
        for (int32_t i = 0; i < count && status == VDNN_OK; i++) {
            if (is_written[i] || !is_ready(w->model, is_written, i))
                continue;
            const source s = {&w->model->layers[i], find_layer(w->graph, w->model->layers[i].name)};
            status = write_layer(w, &s);
            is_written[i] = true;
            left--;
        }
    vdnn_heap_free(is_written);
    return status;
}

/* ---- inputs and outputs
 * ---------------------------------------------------------------------- */

static void write_value(vdnn_text *fields, uint32_t field, const char *name, int64_t type,
                        const int64_t *dims, int rank)
{
    vdnn_text shape = {0}, tensor = {0}, value = {0}, info = {0};
    for (int d = 0; d < rank; d++) {
        vdnn_text dim = {0};
        if (d == 0)
            vdnn_onnx_put_string(&dim, 2, "batch");
        else
            vdnn_onnx_put_integer(&dim, 1, dims[d]);
        vdnn_onnx_put_message(&shape, 1, &dim);
    }
    vdnn_onnx_put_integer(&tensor, 1, type);
    vdnn_onnx_put_message(&tensor, 2, &shape);
    vdnn_onnx_put_message(&value, 1, &tensor);
    vdnn_onnx_put_string(&info, 1, name);
    vdnn_onnx_put_message(&info, 2, &value);
    vdnn_onnx_put_message(fields, field, &info);
}

/* What the file calls an input: that name is the layers', so before its normalization it has
 * another. */
static const char *pixels_name(const vdnn_graph_input *input, char name[NAME_BYTES])
{
    const vdnn_normalization *own = &input->normalization;
    const bool is_normalized = own->mean.count > 0 || own->std.count > 0;
    (void)snprintf(name, NAME_BYTES, "%s%s", input->name, is_normalized ? "/pixels" : "");
    return name;
}

/* One number for all channels, or one for each, as wide as the picture or volume. */
static const char *write_channels(writer *w, const vdnn_graph_input *input, const char *end,
                                  const vdnn_reals *numbers, char name[NAME_BYTES])
{
    float values[VDNN_REALS_MAX];
    int64_t dims[VDNN_VOLUME_RANK];
    const int rank = vdnn_desc_list(&input->desc, dims);
    for (int32_t i = 0; i < numbers->count; i++)
        values[i] = (float)numbers->values[i];
    for (int d = 0; d < rank; d++)
        dims[d] = d == VDNN_C ? numbers->count : 1;
    (void)snprintf(name, NAME_BYTES, "%s/%s", input->name, end);
    vdnn_onnx_node_floats(w->fields, name, dims, rank, values);
    return name;
}

/* (pixels - mean) / std */
static void write_normalization(writer *w, const vdnn_graph_input *input)
{
    const vdnn_normalization *own = &input->normalization;
    const struct {
        const char *op, *end;
        const vdnn_reals *numbers;
    } steps[] = {{"Sub", "mean", &own->mean}, {"Div", "std", &own->std}};
    char from[NAME_BYTES], to[NAME_BYTES], name[NAME_BYTES];
    (void)pixels_name(input, from);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].numbers->count == 0)
            continue;
        const bool is_last = i == 1 || own->std.count == 0;
        (void)write_channels(w, input, steps[i].end, steps[i].numbers, name);
        (void)snprintf(to, sizeof to, "%s%s", input->name, is_last ? "" : "/centered");
        begin_node(w, steps[i].op, to);
        add_input(w, from);
        add_input(w, name);
        end_node(w);
        memcpy(from, to, sizeof from);
    }
}

static void write_ends(writer *w)
{
    const vdnn_graph *graph = w->graph;
    char name[NAME_BYTES];
    int64_t dims[VDNN_VOLUME_RANK];
    vdnn_onnx_put_string(w->fields, GRAPH_NAME, graph->name);
    for (int32_t i = 0; i < graph->input_count - 1; i++) {
        const vdnn_desc *desc = &graph->inputs[i].desc;
        const int rank = vdnn_desc_list(desc, dims);
        write_value(w->fields, GRAPH_INPUT, pixels_name(&graph->inputs[i], name),
                    vdnn_desc_is_integer(desc) ? INT64 : FLOAT, dims, rank);
    }
    for (int32_t i = 0; i < w->model->layer_count; i++) {
        const source s = {&w->model->layers[i], find_layer(graph, w->model->layers[i].name)};
        if (s.spec->def->target == VDNN_TARGET_NONE)
            continue;
        const bool is_vector = has_classes(&s) && !is_sequence(&s);
        const int rank = vdnn_desc_list(&s.layer->x[0], dims);
        if (is_vector)
            dims[VDNN_C] = graph->classes;
        write_value(w->fields, GRAPH_OUTPUT, output_name(&s, name), FLOAT, dims,
                    is_vector ? VDNN_VECTOR_RANK : rank);
    }
}

vdnn_status vdnn_onnx_nodes_write(const vdnn_model *model, const vdnn_graph *graph,
                                  vdnn_text *fields)
{
    writer w = {.model = model, .graph = graph, .fields = fields};
    for (int32_t i = 0; i < graph->input_count - 1; i++)
        write_normalization(&w, &graph->inputs[i]);
    VDNN_TRY(write_layers(&w));
    write_ends(&w);
    return vdnn_text_status(fields, "the network");
}
