#include "tests/support/reference_positions.h"

#include "layers/positions/parameter.h"

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

static const vdnn_reference references[] = {
    {"parameter", {parameter_forward, parameter_backward_data, parameter_backward_filter}},
};

const vdnn_reference *vdnn_reference_of_positions(const char *type)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].type, type) == 0)
            return &references[i];
    return NULL;
}
