#include "tests/support/reference_positions.h"

#include "layers/positions/parameter.h"
#include "layers/positions/rope.h"
#include "layers/positions/slice.h"

#include <math.h>
#include <string.h>

/* The element of a sequence. */
static int64_t at(const vdnn_desc *desc, int64_t n, int64_t t, int64_t c)
{
    return (n * desc->dims[VDNN_POSITIONS] + t) * desc->dims[VDNN_FEATURES] + c;
}

typedef void element_function(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                              int64_t t, int64_t c);

/* Every element of y. */
static void each_element(const vdnn_layer *layer, const vdnn_reference_args *args,
                         element_function *function)
{
    const int64_t *dims = layer->y.dims;
    for (int64_t n = 0; n < dims[VDNN_N]; n++)
        for (int64_t t = 0; t < dims[VDNN_POSITIONS]; t++)
            for (int64_t c = 0; c < dims[VDNN_FEATURES]; c++)
                function(layer, args, n, t, c);
}

static void clear(double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = 0;
}

/* ---- parameter ------------------------------------------------------------------------------- */

static bool is_before(const vdnn_layer *layer)
{
    return ((const vdnn_parameter_config *)layer->config)->join == VDNN_PARAMETER_BEFORE;
}

/* Of position t of y: that of x, below 0 if it is none. */
static int64_t position_of_x(const vdnn_layer *layer, int64_t t)
{
    return is_before(layer) ? t - layer->params[0].dims[0] : t;
}

static bool has_weight(const vdnn_layer *layer, int64_t t)
{
    return t < layer->params[0].dims[0];
}

static void join_element(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                         int64_t t, int64_t c)
{
    const int64_t of_x = position_of_x(layer, t);
    const double x = of_x < 0 ? 0 : args->x[0][at(&layer->x[0], n, of_x, c)];
    const double w = has_weight(layer, t) ? args->w[t * layer->params[0].dims[1] + c] : 0;
    args->y[at(&layer->y, n, t, c)] = x + w;
}

static void gradient_of_x(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                          int64_t t, int64_t c)
{
    const int64_t of_x = position_of_x(layer, t);
    if (of_x >= 0)
        args->dx[0][at(&layer->x[0], n, of_x, c)] = args->dy[at(&layer->y, n, t, c)];
}

static void gradient_of_w(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                          int64_t t, int64_t c)
{
    if (has_weight(layer, t))
        args->dw[t * layer->params[0].dims[1] + c] += args->dy[at(&layer->y, n, t, c)];
}

static void parameter_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_element(layer, args, join_element);
}

static void parameter_backward_filter(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dw, layer->params[0].count);
    each_element(layer, args, gradient_of_w);
}

static void parameter_backward_data(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_element(layer, args, gradient_of_x);
    parameter_backward_filter(layer, args);
}

/* ---- rope ------------------------------------------------------------------------------------ */

/* The rotation of `from` to `to` by `turn` times the angles. */
static void rotate(const vdnn_layer *layer, const double *from, double *to, double turn)
{
    const vdnn_rope_config *rope = layer->config;
    const vdnn_desc *y = &layer->y;
    const int64_t width = y->dims[VDNN_FEATURES] / (rope->heads + 2 * rope->kv_heads);
    for (int64_t n = 0; n < y->dims[VDNN_N]; n++)
        for (int64_t t = 0; t < y->dims[VDNN_POSITIONS]; t++)
            for (int64_t c = 0; c < y->dims[VDNN_FEATURES]; c += 2) {
                const int64_t head = c / width, pair = c % width / 2;
                const int64_t vector = at(y, n, t, head * width);
                const int64_t a = vector + (rope->interleaved ? 2 * pair : pair);
                const int64_t b = vector + (rope->interleaved ? 2 * pair + 1 : pair + width / 2);
                const bool is_kept = head >= rope->heads + rope->kv_heads;
                const double step = pow(rope->theta, -2.0 * (double)pair / (double)width);
                const double angle = is_kept ? 0 : turn * (double)t * step;
                to[a] = from[a] * cos(angle) - from[b] * sin(angle);
                to[b] = from[b] * cos(angle) + from[a] * sin(angle);
            }
}

static void rope_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    rotate(layer, args->x[0], args->y, 1);
}

static void rope_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    rotate(layer, args->dy, args->dx[0], -1);
}

/* ---- slice ----------------------------------------------------------------------------------- */

static void take_element(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                         int64_t t, int64_t c)
{
    const vdnn_slice_config *slice = layer->config;
    args->y[at(&layer->y, n, t, c)] = args->x[0][at(&layer->x[0], n, slice->begin + t, c)];
}

static void give_element(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                         int64_t t, int64_t c)
{
    const vdnn_slice_config *slice = layer->config;
    args->dx[0][at(&layer->x[0], n, slice->begin + t, c)] = args->dy[at(&layer->y, n, t, c)];
}

static void slice_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_element(layer, args, take_element);
}

static void slice_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    clear(args->dx[0], vdnn_desc_count(&layer->x[0]));
    each_element(layer, args, give_element);
}

/* ---- to_sequence ----------------------------------------------------------------------------- */

/* The element of the picture that is feature c of position t. */
static int64_t in_picture(const vdnn_layer *layer, int64_t n, int64_t t, int64_t c)
{
    const int64_t *x = layer->x[0].dims;
    return (n * x[VDNN_C] + c) * x[VDNN_H] * x[VDNN_W] + t;
}

static void place_element(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                          int64_t t, int64_t c)
{
    args->y[at(&layer->y, n, t, c)] = args->x[0][in_picture(layer, n, t, c)];
}

static void return_element(const vdnn_layer *layer, const vdnn_reference_args *args, int64_t n,
                           int64_t t, int64_t c)
{
    args->dx[0][in_picture(layer, n, t, c)] = args->dy[at(&layer->y, n, t, c)];
}

static void to_sequence_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_element(layer, args, place_element);
}

static void to_sequence_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_element(layer, args, return_element);
}

static const vdnn_reference references[] = {
    {"rope", {rope_forward, rope_backward, NULL}},
    {"slice", {slice_forward, slice_backward, NULL}},
    {"to_sequence", {to_sequence_forward, to_sequence_backward, NULL}},
    {"parameter", {parameter_forward, parameter_backward_data, parameter_backward_filter}},
};

const vdnn_reference *vdnn_reference_of_positions(const char *type)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].type, type) == 0)
            return &references[i];
    return NULL;
}
