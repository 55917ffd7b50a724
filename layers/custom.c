#include "layers/custom.h"

#include "layers/shape.h"
#include "layers/sim/simulated.h"
#include "layers/stage.h"
#include "runtime/base/text.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TYPES = 64, MOST_KEYS = 24, MOST_INPUTS = 64, ALIGNMENT = 64, ALGORITHMS = 2 };

/* The definition is first: a layer's def is the row. */
typedef struct custom {
    vdnn_layer_def def;
    vdnn_algorithm algorithms[ALGORITHMS];
    vdnn_layer_type type;
} custom;

static custom rows[MOST_TYPES];
/* A row is complete before it counts. */
static atomic_size_t row_count;

size_t vdnn_custom_count(void)
{
    return atomic_load_explicit(&row_count, memory_order_acquire);
}

const vdnn_layer_def *vdnn_custom_def(size_t i)
{
    return &rows[i].def;
}

size_t vdnn_custom_algorithm_count(void)
{
    return ALGORITHMS * vdnn_custom_count();
}

const vdnn_algorithm *vdnn_custom_algorithm(size_t i)
{
    return &rows[i / ALGORITHMS].algorithms[i % ALGORITHMS];
}

static const vdnn_layer_type *type_of(const vdnn_layer *layer)
{
    return &((const custom *)(const void *)layer->def)->type;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static vdnn_dims dims_of(const vdnn_desc *desc)
{
    const int64_t *dims = desc->dims;
    return (vdnn_dims){dims[VDNN_N], dims[VDNN_C], dims[VDNN_H], dims[VDNN_W]};
}

static void list_inputs(const vdnn_layer *layer, vdnn_dims x[MOST_INPUTS])
{
    for (int32_t i = 0; i < layer->input_count; i++)
        x[i] = dims_of(&layer->x[i]);
}

/* The shape that the type gives to the layer. */
static vdnn_status ask(const vdnn_layer *layer, vdnn_layer_shape *shape)
{
    static const vdnn_layer_shape nothing;
    vdnn_dims x[MOST_INPUTS];
    const vdnn_layer_type *type = type_of(layer);
    if (layer->input_count > MOST_INPUTS)
        return vdnn_shape_refuse(layer, "%d inputs, expected at most %d", (int)layer->input_count,
                                 MOST_INPUTS);
    list_inputs(layer, x);
    vdnn_layer_shape fresh = nothing;
    fresh.config = layer->config;
    fresh.input_count = layer->input_count;
    fresh.x = x;
    fresh.y = x[0];
    vdnn_status status = type->shape == NULL ? VDNN_OK : type->shape(&fresh);
    fresh.x = NULL;
    if (status == VDNN_OK)
        *shape = fresh;
    return status;
}

static vdnn_status check_shape(const vdnn_layer *layer, const vdnn_layer_shape *shape)
{
    if (shape->param_count < 0 || shape->param_count > VDNN_MAX_PARAMS)
        return vdnn_shape_refuse(layer, "%d parameters, expected 0 to %d", shape->param_count,
                                 VDNN_MAX_PARAMS);
    if (shape->y.n != layer->x[0].dims[VDNN_N])
        return vdnn_shape_refuse(layer, "its output has %lld samples, and its input %lld",
                                 (long long)shape->y.n, (long long)layer->x[0].dims[VDNN_N]);
    if (shape->param_count > 0 && type_of(layer)->backward_filter == NULL)
        return vdnn_shape_refuse(layer, "it has parameters but no backward_filter");
    for (int i = 0; i < shape->param_count; i++) {
        const vdnn_param_shape *param = &shape->params[i];
        bool good = param->name != NULL && param->dim_count >= 1 && param->dim_count <= VDNN_DIMS;
        for (int d = 0; good && d < param->dim_count; d++)
            good = param->dims[d] > 0;
        if (!good)
            return vdnn_shape_refuse(layer, "parameter %d has no name, or no positive dimensions",
                                     i);
    }
    return VDNN_OK;
}

static vdnn_status infer(vdnn_layer *layer)
{
    vdnn_layer_shape shape = {.config = NULL};
    vdnn_status status = ask(layer, &shape);
    if (status != VDNN_OK) {
        char reason[512];
        (void)snprintf(reason, sizeof reason, "%s", vdnn_status_message());
        (void)vdnn_shape_refuse(layer, "%s", reason);
        return status;
    }
    status = check_shape(layer, &shape);
    int64_t y[VDNN_DIMS] = {shape.y.n, shape.y.c, shape.y.h, shape.y.w};
    const bool is_of_slices =
        vdnn_desc_is_volume(&layer->x[0]) && y[VDNN_H] != layer->x[0].dims[VDNN_H];
    VDNN_IF_OK(status, is_of_slices ? vdnn_shape_set_ranked(layer, VDNN_PICTURE_RANK, y)
                                    : vdnn_shape_set_output(layer, y));
    for (int i = 0; status == VDNN_OK && i < shape.param_count; i++) {
        const vdnn_param_shape *from = &shape.params[i];
        vdnn_param param = {.name = from->name,
                            .dim_count = from->dim_count,
                            .trainable = true,
                            .fill = from->fill,
                            .fan_in = from->fan_in,
                            .fan_out = from->fan_out};
        memcpy(param.dims, from->dims, sizeof from->dims);
        status = vdnn_shape_add_param(layer, &param);
    }
    return status;
}

static size_t aux_bytes(const vdnn_layer *layer)
{
    vdnn_layer_shape shape = {.config = NULL};
    return ask(layer, &shape) == VDNN_OK ? shape.aux_bytes : 0;
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_layer_shape shape = {.config = NULL};
    double elements = (double)vdnn_desc_count(&layer->y);
    return ask(layer, &shape) == VDNN_OK && shape.flops[pass] > 0.0 ? shape.flops[pass] : elements;
}

/* ---- workspace ------------------------------------------------------------------------------- */

/* The buffers of a pass, by the rules of the kernels' arguments. */
static bool reads_x(const vdnn_layer *layer, vdnn_pass pass)
{
    return pass == VDNN_FORWARD || (layer->needs[pass] & VDNN_NEEDS_X) != 0;
}

static bool touches_y(const vdnn_layer *layer, vdnn_pass pass)
{
    return pass == VDNN_FORWARD || (layer->needs[pass] & VDNN_NEEDS_Y) != 0;
}

/* Allocates pieces of the workspace in turn; without one it only adds sizes. */
typedef struct cutter {
    char *base; /* NULL: counting */
    size_t used;
} cutter;

static float *cut(cutter *c, size_t bytes)
{
    char *piece = c->base == NULL ? NULL : c->base + c->used;
    c->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return (float *)(void *)piece;
}

static float *cut_map(cutter *c, const vdnn_desc *desc)
{
    return cut(c, (size_t)vdnn_desc_count(desc) * sizeof(float));
}

/* The maps of a pass as floats. */
typedef struct widened {
    float *x[MOST_INPUTS], *dx[MOST_INPUTS], *y, *dy;
} widened;

/* The floats of maps in another data type, after the type's own workspace. */
static void cut_maps(const vdnn_layer *layer, vdnn_pass pass, cutter *c, widened *maps)
{
    *maps = (widened){.y = NULL};
    if (layer->y.dtype == VDNN_F32)
        return;
    for (int32_t i = 0; i < layer->input_count && reads_x(layer, pass); i++)
        maps->x[i] = cut_map(c, &layer->x[i]);
    for (int32_t i = 0; i < layer->input_count && pass == VDNN_BACKWARD_DATA; i++)
        maps->dx[i] = layer->wants_dx[i] ? cut_map(c, &layer->x[i]) : NULL;
    if (touches_y(layer, pass))
        maps->y = cut_map(c, &layer->y);
    if (pass != VDNN_FORWARD)
        maps->dy = cut_map(c, &layer->y);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    vdnn_layer_shape shape = {.config = NULL};
    cutter c = {.base = NULL};
    widened maps;
    VDNN_TRY(ask(kernel->layer, &shape));
    (void)cut(&c, shape.workspace_bytes[kernel->pass]);
    cut_maps(kernel->layer, kernel->pass, &c, &maps);
    *bytes = c.used;
    return VDNN_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

static float *enter(const vdnn_desc *desc, void *map, float *copy)
{
    if (copy == NULL || map == NULL)
        return map;
    vdnn_stage_widen(desc->dtype, map, copy, vdnn_desc_count(desc));
    return copy;
}

static void leave(const vdnn_desc *desc, const float *copy, void *map)
{
    if (copy != NULL && map != NULL)
        vdnn_stage_narrow(desc->dtype, copy, map, vdnn_desc_count(desc));
}

/* Lists of pointers that a call borrows. */
typedef struct lists {
    vdnn_dims dims[MOST_INPUTS];
    const float *x[MOST_INPUTS];
    float *dx[MOST_INPUTS];
    const float *w[VDNN_MAX_PARAMS];
    float *dw[VDNN_MAX_PARAMS];
} lists;

static void fill_params(const vdnn_layer *layer, const vdnn_kernel_args *args, lists *l)
{
    for (int32_t p = 0; p < layer->param_count; p++) {
        size_t offset = layer->params[p].offset;
        if (args->w != NULL)
            l->w[p] = (const float *)(const void *)((const char *)args->w + offset);
        if (args->dw != NULL)
            l->dw[p] = (float *)(void *)((char *)args->dw + offset);
    }
}

typedef vdnn_status (*pass_function)(const vdnn_layer_call *call);

static pass_function pass_of(const vdnn_layer_type *type, vdnn_pass pass)
{
    if (pass == VDNN_FORWARD)
        return type->forward;
    return pass == VDNN_BACKWARD_DATA ? type->backward_data : type->backward_filter;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_layer_type *type = type_of(layer);
    vdnn_layer_shape shape = {.config = NULL};
    VDNN_TRY(ask(layer, &shape));
    lists l = {.x = {NULL}};
    widened maps;
    cutter c = {.base = args->workspace};
    float *own = shape.workspace_bytes[kernel->pass] > 0
                     ? cut(&c, shape.workspace_bytes[kernel->pass])
                     : NULL;
    cut_maps(layer, kernel->pass, &c, &maps);
    list_inputs(layer, l.dims);
    fill_params(layer, args, &l);
    for (int32_t i = 0; i < layer->input_count; i++) {
        l.x[i] = args->x == NULL ? NULL : enter(&layer->x[i], args->x[i], maps.x[i]);
        void *dx = args->dx == NULL ? NULL : args->dx[i];
        l.dx[i] = maps.dx[i] == NULL ? dx : maps.dx[i];
    }
    bool forward = kernel->pass == VDNN_FORWARD;
    float *y = forward && maps.y != NULL ? maps.y : enter(&layer->y, args->y, maps.y);
    vdnn_layer_call call = {.config = layer->config,
                            .input_count = layer->input_count,
                            .x_dims = l.dims,
                            .y_dims = dims_of(&layer->y),
                            .threads = kernel->threads,
                            .layer = layer->number,
                            .x = l.x,
                            .y = y,
                            .dx = l.dx,
                            .dy = enter(&layer->y, args->dy, maps.dy),
                            .w = l.w,
                            .dw = l.dw,
                            .aux = args->aux,
                            .workspace = own};
    if (args->context != NULL) {
        call.evaluate = args->context->evaluate;
        call.seed = args->context->seed;
        call.step = args->context->step;
        call.first_sample = args->context->first_sample + (uint64_t)args->first_sample;
    }
    vdnn_status status = pass_of(type, kernel->pass)(&call);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "%s layer '%s'", type->name, layer->name);
    for (int32_t i = 0;
         i < layer->input_count && kernel->pass == VDNN_BACKWARD_DATA && args->dx != NULL; i++)
        leave(&layer->x[i], maps.dx[i], args->dx[i]);
    if (forward)
        leave(&layer->y, maps.y, args->y);
    return VDNN_OK;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->x[i].layout != VDNN_NCHW)
            return "the layout of an input is not nchw";
    return NULL;
}

/* ---- registering ----------------------------------------------------------------------------- */

static vdnn_status check_type(const vdnn_layer_type *type)
{
    static const char *const reserved[] = {"name", "type", "from", "init"};
    if (type->name == NULL || type->name[0] == '\0' || vdnn_text_has_control(type->name))
        return vdnn_status_fail(VDNN_USAGE,
                                "a layer type has no name, or one with control characters");
    if (type->forward == NULL || type->backward_data == NULL)
        return vdnn_status_fail(VDNN_USAGE, "layer type '%s' has no %s", type->name,
                                type->forward == NULL ? "forward" : "backward_data");
    if (type->key_count > MOST_KEYS || (type->key_count > 0 && type->keys == NULL))
        return vdnn_status_fail(VDNN_USAGE, "layer type '%s' has %zu keys, expected at most %d",
                                type->name, type->key_count, MOST_KEYS);
    for (size_t i = 0; i < type->key_count; i++)
        for (size_t r = 0; r < sizeof reserved / sizeof reserved[0]; r++)
            if (strcmp(type->keys[i].name, reserved[r]) == 0)
                return vdnn_status_fail(VDNN_USAGE,
                                        "layer type '%s' has a key '%s', which every layer has",
                                        type->name, reserved[r]);
    if (vdnn_custom_count() == MOST_TYPES)
        return vdnn_status_fail(
            VDNN_USAGE, "%d layer types are registered already, which is the limit", MOST_TYPES);
    return VDNN_OK;
}

/* Bytes of a value of each kind of key in the config. */
static size_t key_bytes(vdnn_key_kind kind)
{
    static const size_t bytes[] = {
        [VDNN_KEY_INT] = sizeof(int64_t),  [VDNN_KEY_PAIR] = 2 * sizeof(int64_t),
        [VDNN_KEY_REAL] = sizeof(double),  [VDNN_KEY_BOOL] = sizeof(bool),
        [VDNN_KEY_WORD] = sizeof(int64_t), [VDNN_KEY_SIDES] = VDNN_SIDES * sizeof(int64_t)};
    return (size_t)kind < sizeof bytes / sizeof bytes[0] ? bytes[kind] : SIZE_MAX / 2;
}

static vdnn_status check_config(const vdnn_layer_type *type)
{
    for (size_t i = 0; i < type->key_count; i++)
        if (type->keys[i].offset > type->config_bytes ||
            key_bytes(type->keys[i].kind) > type->config_bytes - type->keys[i].offset)
            return vdnn_status_fail(VDNN_USAGE,
                                    "key '%s' of layer type '%s' lies outside of its config of "
                                    "%zu bytes",
                                    type->keys[i].name, type->name, type->config_bytes);
    return VDNN_OK;
}

static vdnn_status check_words(const vdnn_layer_type *type)
{
    for (size_t i = 0; i < type->key_count; i++) {
        const vdnn_key *key = &type->keys[i];
        if (key->kind != VDNN_KEY_WORD)
            continue;
        if (type->words == NULL || type->words[i] == NULL || type->words[i][0] == NULL)
            return vdnn_status_fail(VDNN_USAGE, "key '%s' of layer type '%s' has no words",
                                    key->name, type->name);
        size_t count = 0;
        while (type->words[i][count] != NULL)
            count++;
        if (!key->required && !(key->preset >= 0 && key->preset < (double)count))
            return vdnn_status_fail(VDNN_USAGE,
                                    "key '%s' of layer type '%s' has %zu words, and no word %g, "
                                    "its preset",
                                    key->name, type->name, count, key->preset);
    }
    return VDNN_OK;
}

vdnn_status vdnn_custom_add(const vdnn_layer_type *type)
{
    size_t count = vdnn_custom_count();
    vdnn_status status = check_type(type);
    VDNN_IF_OK(status, check_config(type));
    VDNN_IF_OK(status, check_words(type));
    if (status != VDNN_OK)
        return status;
    bool one = type->min_inputs == 0 && type->max_inputs == 0;
    vdnn_needs known = VDNN_NEEDS_X | VDNN_NEEDS_Y | VDNN_NEEDS_W | VDNN_NEEDS_AUX;
    vdnn_needs needs[2] = {type->needs_data & known, type->needs_filter & known};
    rows[count] = (custom){.def = {.type = type->name,
                                   .role = type->role,
                                   .layout_rule = VDNN_LAYOUT_PLAIN,
                                   .keys = type->keys,
                                   .key_count = type->key_count,
                                   .words = type->words,
                                   .config_bytes = type->config_bytes == 0 ? 1 : type->config_bytes,
                                   .min_inputs = one ? 1 : type->min_inputs,
                                   .max_inputs = one ? 1 : type->max_inputs,
                                   .paper = {needs[0], needs[1]},
                                   .lean = {needs[0], needs[1]},
                                   .lean_if_y = {needs[0], needs[1]},
                                   .infer = infer,
                                   .aux_bytes = aux_bytes,
                                   .flops = flops},
                           .algorithms = {{.layer_type = type->name,
                                           .name = "custom",
                                           .device = "cpu",
                                           .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA |
                                                     1U << VDNN_BACKWARD_FILTER,
                                           .deterministic = true,
                                           .refusal = refusal,
                                           .workspace = workspace,
                                           .run = run},
                                          VDNN_SIMULATED(type->name, "roofline")},
                           .type = *type};
    atomic_store_explicit(&row_count, count + 1, memory_order_release);
    return VDNN_OK;
}
