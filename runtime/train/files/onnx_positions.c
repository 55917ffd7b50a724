#include "runtime/train/files/onnx_positions.h"

#include "layers/attention/attention.h"
#include "layers/positions/parameter.h"
#include "layers/positions/rope.h"
#include "layers/positions/slice.h"
#include "runtime/base/heap.h"
#include "runtime/train/files/onnx_node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 2 * 256 };

typedef struct name {
    char text[NAME_BYTES];
} name;

static const name no_name;

typedef struct writer {
    vdnn_text *fields;
    const vdnn_layer *layer;
    char *const *from;
    const char *weight;
} writer;

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The layer's output if `end` is NULL, else a value within it. */
static name name_of(const writer *w, const char *end)
{
    name made;
    const char *slash = end == NULL ? "" : "/", *rest = end == NULL ? "" : end;
    if (snprintf(made.text, sizeof made.text, "%s%s%s", w->layer->name, slash, rest) < 0)
        made.text[0] = '\0';
    return made;
}

/* A node that makes `end`, with its first input. */
static name begin(const writer *w, vdnn_onnx_node *node, const char *op, const char *end,
                  const char *input)
{
    name made = name_of(w, end);
    *node = (vdnn_onnx_node){.fields = w->fields};
    vdnn_onnx_node_begin(node, op, made.text);
    vdnn_onnx_node_input(node, input);
    return made;
}

static name write_binary(const writer *w, const char *op, const char *end, const char *a,
                         const char *b)
{
    vdnn_onnx_node node;
    name made = begin(w, &node, op, end, a);
    vdnn_onnx_node_input(&node, b);
    vdnn_onnx_node_end(&node);
    return made;
}

/* Integers that a node reads. */
static name write_numbers(const writer *w, const char *end, const int64_t *values, int64_t count)
{
    name made = name_of(w, end);
    vdnn_onnx_node_numbers(w->fields, made.text, &count, 1, values);
    return made;
}

/* A name below that of `end`. */
static name below(const char *end, const char *more)
{
    name made;
    if (snprintf(made.text, sizeof made.text, "%s.%s", end == NULL ? "y" : end, more) < 0)
        made.text[0] = '\0';
    return made;
}

/* 0 keeps a dimension, -1 is what is left. */
static name write_reshape(const writer *w, const char *end, const char *input, const int64_t *dims,
                          int64_t rank)
{
    name shape = write_numbers(w, below(end, "shape").text, dims, rank);
    return write_binary(w, "Reshape", end, input, shape.text);
}

static name write_transpose(const writer *w, const char *end, const char *input,
                            const int64_t *order, size_t rank)
{
    vdnn_onnx_node node;
    name made = begin(w, &node, "Transpose", end, input);
    vdnn_onnx_node_integers(&node, "perm", order, rank);
    vdnn_onnx_node_end(&node);
    return made;
}

/* Elements [first, first + count) along an axis. */
static name write_range(const writer *w, const char *end, const char *input, int64_t axis,
                        int64_t first, int64_t count)
{
    const name begins = write_numbers(w, below(end, "begin").text, &first, 1);
    const name ends = write_numbers(w, below(end, "end").text, &(const int64_t){first + count}, 1);
    const name axes = write_numbers(w, below(end, "axis").text, &axis, 1);
    vdnn_onnx_node node;
    name made = begin(w, &node, "Slice", end, input);
    vdnn_onnx_node_input(&node, begins.text);
    vdnn_onnx_node_input(&node, ends.text);
    vdnn_onnx_node_input(&node, axes.text);
    vdnn_onnx_node_end(&node);
    return made;
}

static name write_joined(const writer *w, const char *end, const char *a, const char *b,
                         int64_t axis)
{
    vdnn_onnx_node node;
    name made = begin(w, &node, "Concat", end, a);
    vdnn_onnx_node_input(&node, b);
    vdnn_onnx_node_integer(&node, "axis", axis);
    vdnn_onnx_node_end(&node);
    return made;
}

/* ---- attention: products over (N, kv heads, group, T, width) ----------------------------------
 */

/* A part of the input as (N, kv heads, heads of each, T, width), or with the last two exchanged. */
static name write_heads(const writer *w, const char *end, const vdnn_attention_part *part,
                        int64_t kv_heads, int64_t group, bool is_turned)
{
    static const int64_t orders[][5] = {{0, 2, 3, 1, 4}, {0, 2, 3, 4, 1}};
    const int64_t own = kv_heads * group * part->width;
    const char *map = w->from[part->input];
    const bool is_all = own == part->features;
    const name range =
        is_all ? no_name
               : write_range(w, below(end, "features").text, map, VDNN_FEATURES, part->first, own);
    const name apart = write_reshape(w, below(end, "heads").text, is_all ? map : range.text,
                                     (const int64_t[]){0, 0, kv_heads, group, part->width}, 5);
    return write_transpose(w, end, apart.text, orders[is_turned], 5);
}

/* Scores of later keys become so low that their exponential is 0. */
static name write_causal(const writer *w, const name *scores, int64_t length)
{
    const float lowest = -1e30F;
    int64_t *positions = vdnn_heap_calloc((size_t)length, sizeof *positions);
    const name query = name_of(w, "query"), key = name_of(w, "key"), low = name_of(w, "lowest");
    if (positions == NULL) {
        w->fields->failed = true;
        return *scores;
    }
    for (int64_t i = 0; i < length; i++)
        positions[i] = i;
    vdnn_onnx_node_numbers(w->fields, query.text, (const int64_t[]){length, 1}, 2, positions);
    vdnn_onnx_node_numbers(w->fields, key.text, (const int64_t[]){1, length}, 2, positions);
    vdnn_onnx_node_floats(w->fields, low.text, NULL, 0, &lowest);
    vdnn_heap_free(positions);
    const name attends = write_binary(w, "LessOrEqual", "attends", key.text, query.text);
    vdnn_onnx_node node;
    name made = begin(w, &node, "Where", "masked", attends.text);
    vdnn_onnx_node_input(&node, scores->text);
    vdnn_onnx_node_input(&node, low.text);
    vdnn_onnx_node_end(&node);
    return made;
}

static void write_attention(const writer *w)
{
    static const int64_t back[] = {0, 3, 1, 2, 4};
    const vdnn_attention_shape s = vdnn_attention_shape_of(w->layer);
    const name q = write_heads(w, "q", &s.q, s.kv_heads, s.group, false),
               k = write_heads(w, "k", &s.k, s.kv_heads, 1, true),
               v = write_heads(w, "v", &s.v, s.kv_heads, 1, false), scale = name_of(w, "scale");
    vdnn_onnx_node_floats(w->fields, scale.text, NULL, 0, &s.scale);
    const name products = write_binary(w, "MatMul", "products", q.text, k.text);
    name scores = write_binary(w, "Mul", "scores", products.text, scale.text);
    if (s.causal)
        scores = write_causal(w, &scores, s.queries);
    vdnn_onnx_node node;
    const name weights = begin(w, &node, "Softmax", "weights", scores.text);
    vdnn_onnx_node_integer(&node, "axis", -1);
    vdnn_onnx_node_end(&node);
    const name sums = write_binary(w, "MatMul", "sums", weights.text, v.text);
    const name turned = write_transpose(w, "turned", sums.text, back, 5);
    (void)write_reshape(w, NULL, turned.text, (const int64_t[]){0, 0, -1}, 3);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* The vectors once for each sample of x, whose number the file leaves open. */
static name write_repeated(const writer *w)
{
    const vdnn_param *weight = &w->layer->params[0];
    vdnn_onnx_node node;
    const name shape = begin(w, &node, "Shape", "x.shape", w->from[0]);
    vdnn_onnx_node_end(&node);
    const name samples = write_range(w, "samples", shape.text, 0, 0, 1);
    const name dims = write_numbers(w, "dims", weight->dims, 2);
    const name all = write_joined(w, "all", samples.text, dims.text, 0);
    return write_binary(w, "Expand", "vectors", w->weight, all.text);
}

static void write_parameter(const writer *w)
{
    const vdnn_parameter_config *parameter = w->layer->config;
    const int64_t positions = w->layer->x[0].dims[VDNN_POSITIONS];
    if (parameter->join == VDNN_PARAMETER_BEFORE) {
        const name vectors = write_repeated(w);
        (void)write_joined(w, NULL, vectors.text, w->from[0], VDNN_POSITIONS);
        return;
    }
    const bool is_all = w->layer->params[0].dims[0] == positions;
    const name first = is_all ? no_name : write_range(w, "vectors", w->weight, 0, 0, positions);
    (void)write_binary(w, "Add", NULL, w->from[0], is_all ? w->weight : first.text);
}

static void write_slice(const writer *w)
{
    const vdnn_slice_config *slice = w->layer->config;
    (void)write_range(w, NULL, w->from[0], VDNN_POSITIONS, slice->begin, slice->count);
}

static void write_to_sequence(const writer *w)
{
    static const int64_t order[] = {0, 2, 1};
    const int64_t dims[] = {0, w->layer->y.dims[VDNN_FEATURES], w->layer->y.dims[VDNN_POSITIONS]};
    const name cells = write_reshape(w, "cells", w->from[0], dims, 3);
    (void)write_transpose(w, NULL, cells.text, order, 3);
}

/* Of all positions and pairs, as pairs lie in a vector of (N, T, heads, ...): the cosines, or the
 * sines. */
static name write_angles(const writer *w, const vdnn_rope_shape *s, const char *end,
                         double (*of)(double))
{
    const int64_t halves[] = {s->positions, 1, 1, s->pairs},
                  neighbours[] = {s->positions, 1, s->pairs, 1};
    const int64_t count = s->positions * s->pairs;
    name made = name_of(w, end);
    float *values = vdnn_heap_calloc((size_t)count, sizeof *values);
    if (values == NULL) {
        w->fields->failed = true;
        return made;
    }
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)of(vdnn_rope_angle(s, i / s->pairs, i % s->pairs));
    vdnn_onnx_node_floats(w->fields, made.text, s->interleaved ? neighbours : halves, 4, values);
    vdnn_heap_free(values);
    return made;
}

/* The first features of pairs and the second are ranges along an axis. */
static void write_rope(const writer *w)
{
    const vdnn_rope_shape s = vdnn_rope_shape_of(w->layer);
    const int64_t own = s.rotated * s.width, halves[] = {0, 0, s.rotated, 2, s.pairs},
                  neighbours[] = {0, 0, s.rotated, s.pairs, 2}, axis = s.interleaved ? 4 : 3;
    const bool is_all = own == s.features;
    const name range =
        is_all ? no_name : write_range(w, "rotated", w->from[0], VDNN_FEATURES, 0, own);
    const name pairs = write_reshape(w, "pairs", is_all ? w->from[0] : range.text,
                                     s.interleaved ? neighbours : halves, 5);
    const name a = write_range(w, "a", pairs.text, axis, 0, 1),
               b = write_range(w, "b", pairs.text, axis, 1, 1);
    const name cosines = write_angles(w, &s, "cosines", cos),
               sines = write_angles(w, &s, "sines", sin);
    const name ac = write_binary(w, "Mul", "ac", a.text, cosines.text),
               bs = write_binary(w, "Mul", "bs", b.text, sines.text),
               bc = write_binary(w, "Mul", "bc", b.text, cosines.text),
               as = write_binary(w, "Mul", "as", a.text, sines.text);
    const name first = write_binary(w, "Sub", "first", ac.text, bs.text),
               second = write_binary(w, "Add", "second", bc.text, as.text);
    const name joined = write_joined(w, "joined", first.text, second.text, axis);
    const name turned =
        write_reshape(w, is_all ? NULL : "turned", joined.text, (const int64_t[]){0, 0, -1}, 3);
    if (is_all)
        return;
    const name kept = write_range(w, "kept", w->from[0], VDNN_FEATURES, own, s.features - own);
    (void)write_joined(w, NULL, turned.text, kept.text, VDNN_FEATURES);
}

/* ---- layers ---------------------------------------------------------------------------------- */

const char *vdnn_onnx_positions_refusal(const vdnn_layer *layer)
{
    bool is_attention = strcmp(layer->def->type, "attention") == 0;
    return is_attention && vdnn_attention_shape_of(layer).lengths >= 0
               ? "it reads how many positions of a sample count"
               : NULL;
}

void vdnn_onnx_positions_write(vdnn_text *fields, const vdnn_layer *layer, char *const *from,
                               const char *weight)
{
    static const struct {
        const char *type;
        void (*write)(const writer *w);
    } types[] = {{"attention", write_attention},
                 {"parameter", write_parameter},
                 {"rope", write_rope},
                 {"slice", write_slice},
                 {"to_sequence", write_to_sequence}};
    const writer w = {fields, layer, from, weight};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].type, layer->def->type) == 0)
            types[i].write(&w);
}
