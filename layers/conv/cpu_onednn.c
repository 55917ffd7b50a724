#include "layers/conv/cpu_onednn.h"

#include "layers/conv/cpu_onednn_faults.h"
#include "layers/cpu/onednn.h"
#include "layers/cpu/threads.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <string.h>

/* The tensors of a convolution, which also number the reorders; CONV is the primitive itself. A
 * pass writes one tensor and reads the others. */
enum { X, W, Y, TENSORS, CONV = TENSORS, STEPS };

enum { MAX_ARGUMENTS = 5, PART_ALIGNMENT = 64 };

/* Scratch memory is the caller's; the second kind ends with a relu. */
enum { PLAIN_ATTRIBUTES, RELU_ATTRIBUTES, ATTRIBUTES };

static const dnnl_data_type_t types[] = {[VDNN_F32] = dnnl_f32, [VDNN_BF16] = dnnl_bf16};

/* Of pictures and of volumes. */
static const dnnl_format_tag_t formats[][2] = {
    [VDNN_NCHW] = {dnnl_nchw, dnnl_ncdhw}, [VDNN_NCHW16C] = {dnnl_nChw16c, dnnl_nCdhw16c}};
static const dnnl_format_tag_t blocked_weight[2] = {dnnl_OIhw16i16o, dnnl_OIdhw16i16o},
                               plain_weight[2] = {dnnl_oihw, dnnl_oidhw},
                               grouped_weight[2] = {dnnl_goihw, dnnl_goidhw};

/* One primitive: a reorder of a tensor, or the convolution. */
typedef struct onednn_step {
    dnnl_primitive_desc_t desc; /* NULL: nothing to do */
    dnnl_primitive_t primitive;
    dnnl_memory_t scratch;
    dnnl_exec_arg_t arguments[MAX_ARGUMENTS];
    int argument_count;
} onednn_step;

typedef struct onednn_conv {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_attr_t attributes[ATTRIBUTES];
    vdnn_onednn_tensor user_desc[TENSORS], bias_desc;
    vdnn_onednn_format chosen_desc[TENSORS]; /* of steps[CONV].desc */
    bool has_bias;
    bool rectify; /* y is clamped at zero after it is written */
    onednn_step steps[STEPS];
    dnnl_memory_t user[TENSORS], chosen[TENSORS], bias; /* chosen: NULL where the user's serves */
    size_t chosen_offset[TENSORS], scratch_offset, workspace_bytes;
} onednn_conv;

/* What differs between the passes. */
static const struct {
    int written;
    int arguments[TENSORS];
    dnnl_query_t layouts[TENSORS];
    int bias_argument; /* 0: the pass has none */
} pass_table[VDNN_PASS_COUNT] = {
    [VDNN_FORWARD] = {Y,
                      {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
                      {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md},
                      DNNL_ARG_BIAS},
    [VDNN_BACKWARD_DATA] = {X,
                            {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
                            {dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md},
                            0},
    [VDNN_BACKWARD_FILTER] = {W,
                              {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
                              {dnnl_query_src_md, dnnl_query_diff_weights_md,
                               dnnl_query_diff_dst_md},
                              DNNL_ARG_DIFF_BIAS},
};

/* ---- descriptors: all that the workspace's size needs ---------------------------------------- */

/* In oneDNN's order. */
static void put_sides(const int64_t sides[VDNN_SIDES], bool volume, dnnl_dim_t *to)
{
    if (volume)
        *to++ = sides[VDNN_SIDE_D];
    *to++ = sides[VDNN_SIDE_H];
    *to = sides[VDNN_SIDE_W];
}

/* The tensors in the layer's format, into `user_desc`. */
static dnnl_status_t describe_user(onednn_conv *conv, const vdnn_layer *layer)
{
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    const bool grouped = s.groups > 1, volume = s.is_volume;
    const bool blocked = layer->params[0].layout == VDNN_PARAM_BLOCKED;
    const struct {
        int rank; /* of what is before the sides */
        int64_t dims[3];
        const int64_t *sides;
        dnnl_data_type_t type;
        dnnl_format_tag_t format;
    } tensors[TENSORS] = {
        [X] = {2, {s.n, s.c}, s.in, types[layer->x[0].dtype], formats[layer->x[0].layout][volume]},
        [W] = {grouped ? 3 : 2,
               {grouped ? s.groups : s.k, grouped ? s.group_k : s.group_c, s.group_c},
               s.kernel,
               dnnl_f32,
               (grouped   ? grouped_weight
                : blocked ? blocked_weight
                          : plain_weight)[volume]},
        [Y] = {2, {s.n, s.k}, s.out, types[layer->y.dtype], formats[layer->y.layout][volume]},
    };
    dnnl_status_t result = dnnl_success;
    for (int t = 0; t < TENSORS && result == dnnl_success; t++) {
        dnnl_dims_t dims = {0};
        memcpy(dims, tensors[t].dims, sizeof tensors[t].dims);
        put_sides(tensors[t].sides, volume, dims + tensors[t].rank);
        result =
            vdnn_onednn_tensor_make(&conv->user_desc[t], tensors[t].rank + VDNN_SIDES - !volume,
                                    dims, tensors[t].type, tensors[t].format);
    }
    dnnl_dims_t outputs = {s.k};
    if (result == dnnl_success && conv->has_bias)
        result = vdnn_onednn_tensor_make(&conv->bias_desc, 1, outputs, dnnl_f32, dnnl_x);
    return result;
}

/* The order in which ways to run a convolution are tried: the first with a specialized kernel is
 * taken, so that a map is reordered only if just a general implementation would read it in place.
 * The last way computes bf16 maps in f32: the only one on processors without bf16, since kernels
 * that emulate it take three times as long as those of f32. */
static const struct attempt {
    bool free_x, free_y; /* in the layout that oneDNN prefers, else the layer's */
    bool f32;            /* whatever the data type of the maps */
} attempts[] = {
    {false, false, false}, {true, false, false}, {false, true, false},
    {true, true, false},   {true, true, true},
};
enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

typedef struct asked {
    vdnn_conv_shape shape;
    vdnn_pass pass;
} asked;

static bool is_right(const void *context, const char *implementation)
{
    const asked *own = context;
    return !vdnn_conv_onednn_is_wrong(implementation, &own->shape, own->pass);
}

/* The types that an attempt computes in, the formats of oneDNN's choice where it leaves them free.
 */
static dnnl_status_t describe_tensors(const onednn_conv *conv, const vdnn_layer *layer,
                                      vdnn_pass pass, const struct attempt *attempt,
                                      vdnn_onednn_tensor free[TENSORS])
{
    const dnnl_data_type_t type = attempt->f32 ? dnnl_f32 : types[layer->x[0].dtype];
    const bool is_free[TENSORS] = {[X] = attempt->free_x, [W] = true, [Y] = attempt->free_y};
    dnnl_status_t result = dnnl_success;
    for (int t = 0; t < TENSORS && result == dnnl_success; t++) {
        const vdnn_onednn_tensor *user = &conv->user_desc[t];
        const bool is_sum = t == W && pass == VDNN_BACKWARD_FILTER;
        if (is_free[t])
            result = vdnn_onednn_tensor_make(&free[t], user->rank, user->dims,
                                             is_sum ? dnnl_f32 : type, dnnl_format_tag_any);
    }
    return result;
}

static dnnl_status_t describe_attempt(const onednn_conv *conv, dnnl_alg_kind_t kind,
                                      const vdnn_layer *layer, vdnn_pass pass,
                                      const struct attempt *attempt,
                                      const_dnnl_primitive_attr_t attributes,
                                      dnnl_primitive_desc_t *made)
{
    const asked own = {vdnn_conv_shape_of(layer), pass};
    const vdnn_conv_shape *s = &own.shape;
    vdnn_onednn_tensor free[TENSORS] = {0};
    vdnn_onednn_format wanted[TENSORS];
    dnnl_status_t result = describe_tensors(conv, layer, pass, attempt, free);
    for (int t = 0; t < TENSORS; t++)
        wanted[t] = vdnn_onednn_tensor_format(free[t].rank > 0 ? &free[t] : &conv->user_desc[t]);
    vdnn_onednn_request request = {
        .pass = pass,
        .engine = conv->engine,
        .kind = kind,
        .x = wanted[X],
        .w = wanted[W],
        .y = wanted[Y],
        .bias = conv->has_bias ? vdnn_onednn_tensor_format(&conv->bias_desc) : NULL,
        .attributes = attributes,
        .accepts = is_right,
        .context = &own};
    const bool volume = s->is_volume;
    const int64_t left_out[VDNN_SIDES] = {s->dilation[0] - 1, s->dilation[1] - 1,
                                          s->dilation[2] - 1};
    put_sides(s->stride, volume, request.stride);
    put_sides(left_out, volume, request.dilation);
    put_sides(s->pad, volume, request.pad);
    if (result == dnnl_success)
        result = vdnn_onednn_convolution(&request, made);
    for (int t = 0; t < TENSORS; t++)
        vdnn_onednn_tensor_clear(&free[t]);
    return result;
}

/* A kernel made for the shape; else general, and slower than that kernel with its reorders. */
enum { MADE_FOR_IT, PRODUCTS, PLAIN_LOOPS };

static int slowness_of(const_dnnl_primitive_desc_t desc)
{
    const char *name = vdnn_onednn_name(desc);
    return strncmp(name, "ref", 3) == 0   ? PLAIN_LOOPS
           : strstr(name, "gemm") != NULL ? PRODUCTS
                                          : MADE_FOR_IT;
}

/* Into steps[CONV], with one of the attributes. */
static dnnl_status_t choose_conv(onednn_conv *conv, dnnl_alg_kind_t kind, const vdnn_layer *layer,
                                 vdnn_pass pass, const_dnnl_primitive_attr_t attributes)
{
    bool is_bf16 = layer->x[0].dtype == VDNN_BF16;
    dnnl_status_t result = dnnl_unimplemented;
    dnnl_primitive_desc_t *best = &conv->steps[CONV].desc;
    for (int i = 0; i < ATTEMPTS && (*best == NULL || slowness_of(*best) > MADE_FOR_IT); i++) {
        dnnl_primitive_desc_t next = NULL;
        if (attempts[i].f32 ? !is_bf16 : is_bf16 && !vdnn_onednn_has_bf16())
            continue;
        result = describe_attempt(conv, kind, layer, pass, &attempts[i], attributes, &next);
        if (result == dnnl_out_of_memory)
            return result;
        if (result != dnnl_success)
            continue;
        if (*best == NULL || slowness_of(next) < slowness_of(*best)) {
            dnnl_primitive_desc_t worse = *best;
            *best = next;
            next = worse;
        }
        if (next != NULL)
            (void)dnnl_primitive_desc_destroy(next);
    }
    return *best != NULL ? dnnl_success : result;
}

/* The relu of the general implementations has other bits than the relu layer, -0 for negative
 * values: y is clamped here after them. */
static dnnl_status_t describe_conv(onednn_conv *conv, dnnl_alg_kind_t kind, const vdnn_layer *layer,
                                   vdnn_pass pass)
{
    bool relu = layer->epilogue == VDNN_EPILOGUE_RELU && pass == VDNN_FORWARD;
    conv->has_bias =
        vdnn_conv_shape_of(layer).bias_offset >= 0 && pass_table[pass].bias_argument != 0;
    dnnl_status_t result = describe_user(conv, layer);
    if (result == dnnl_success)
        result = choose_conv(conv, kind, layer, pass,
                             conv->attributes[relu ? RELU_ATTRIBUTES : PLAIN_ATTRIBUTES]);
    if (result != dnnl_success || !relu || slowness_of(conv->steps[CONV].desc) == MADE_FOR_IT)
        return result;
    conv->rectify = true;
    (void)dnnl_primitive_desc_destroy(conv->steps[CONV].desc);
    conv->steps[CONV].desc = NULL;
    return choose_conv(conv, kind, layer, pass, conv->attributes[PLAIN_ATTRIBUTES]);
}

static size_t round_up(size_t bytes)
{
    return (bytes + PART_ALIGNMENT - 1) / PART_ALIGNMENT * PART_ALIGNMENT;
}

static size_t scratch_bytes(const_dnnl_primitive_desc_t desc)
{
    return dnnl_memory_desc_get_size(
        dnnl_primitive_desc_query_md(desc, dnnl_query_scratchpad_md, 0));
}

/* Creates reorders if oneDNN chose another layout or data type than the layer's, and sets the
 * offsets of the parts. */
static dnnl_status_t describe_reorders(onednn_conv *conv, vdnn_pass pass)
{
    size_t end = 0, scratch = scratch_bytes(conv->steps[CONV].desc);
    for (int t = 0; t < TENSORS; t++) {
        const vdnn_onednn_format user = vdnn_onednn_tensor_format(&conv->user_desc[t]),
                                 chosen = dnnl_primitive_desc_query_md(
                                     conv->steps[CONV].desc, pass_table[pass].layouts[t], 0);
        conv->chosen_desc[t] = chosen;
        if (dnnl_memory_desc_equal(chosen, user))
            continue;
        bool written = t == pass_table[pass].written;
        const vdnn_onednn_format from = written ? chosen : user, to = written ? user : chosen;
        dnnl_status_t result =
            dnnl_reorder_primitive_desc_create(&conv->steps[t].desc, from, conv->engine, to,
                                               conv->engine, conv->attributes[PLAIN_ATTRIBUTES]);
        if (result != dnnl_success)
            return result;
        conv->chosen_offset[t] = end;
        end += round_up(dnnl_memory_desc_get_size(chosen));
        size_t wanted = scratch_bytes(conv->steps[t].desc);
        scratch = scratch > wanted ? scratch : wanted;
    }
    conv->scratch_offset = end;
    conv->workspace_bytes = end + scratch;
    return dnnl_success;
}

/* The caller has set the number of threads. On failure `clear` frees what was created. */
static dnnl_status_t describe(onednn_conv *conv, const vdnn_kernel *kernel)
{
    const dnnl_alg_kind_t *kind = kernel->algorithm->variant;
    dnnl_status_t result = dnnl_engine_create(&conv->engine, dnnl_cpu, 0);
    if (result == dnnl_success)
        result = vdnn_onednn_attributes(false, &conv->attributes[PLAIN_ATTRIBUTES]);
    if (result == dnnl_success)
        result = vdnn_onednn_attributes(true, &conv->attributes[RELU_ATTRIBUTES]);
    if (result == dnnl_success)
        result = describe_conv(conv, *kind, kernel->layer, kernel->pass);
    if (result == dnnl_success)
        result = describe_reorders(conv, kernel->pass);
    return result;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static dnnl_status_t create_memory(dnnl_memory_t *memory, vdnn_onednn_format desc,
                                   dnnl_engine_t engine)
{
    return dnnl_memory_create(memory, desc, engine, DNNL_MEMORY_NONE);
}

static dnnl_status_t create_memories(onednn_conv *conv)
{
    dnnl_status_t result = dnnl_success;
    for (int t = 0; t < TENSORS && result == dnnl_success; t++) {
        result = create_memory(&conv->user[t], vdnn_onednn_tensor_format(&conv->user_desc[t]),
                               conv->engine);
        if (result == dnnl_success && conv->steps[t].desc != NULL)
            result = create_memory(&conv->chosen[t], conv->chosen_desc[t], conv->engine);
    }
    if (result == dnnl_success && conv->has_bias)
        result =
            create_memory(&conv->bias, vdnn_onednn_tensor_format(&conv->bias_desc), conv->engine);
    return result;
}

static void add_argument(onednn_step *step, int argument, dnnl_memory_t memory)
{
    step->arguments[step->argument_count++] = (dnnl_exec_arg_t){argument, memory};
}

static void set_arguments(onednn_conv *conv, vdnn_pass pass)
{
    for (int t = 0; t < TENSORS; t++) {
        add_argument(&conv->steps[CONV], pass_table[pass].arguments[t],
                     conv->chosen[t] != NULL ? conv->chosen[t] : conv->user[t]);
        if (conv->chosen[t] == NULL)
            continue;
        bool written = t == pass_table[pass].written;
        add_argument(&conv->steps[t], DNNL_ARG_FROM, written ? conv->chosen[t] : conv->user[t]);
        add_argument(&conv->steps[t], DNNL_ARG_TO, written ? conv->user[t] : conv->chosen[t]);
    }
    if (conv->has_bias)
        add_argument(&conv->steps[CONV], pass_table[pass].bias_argument, conv->bias);
}

static dnnl_status_t create_step(onednn_conv *conv, onednn_step *step)
{
    const vdnn_onednn_format scratch =
        dnnl_primitive_desc_query_md(step->desc, dnnl_query_scratchpad_md, 0);
    dnnl_status_t result = dnnl_primitive_create(&step->primitive, step->desc);
    if (result != dnnl_success || dnnl_memory_desc_get_size(scratch) == 0)
        return result;
    result = create_memory(&step->scratch, scratch, conv->engine);
    if (result == dnnl_success)
        add_argument(step, DNNL_ARG_SCRATCHPAD, step->scratch);
    return result;
}

static dnnl_status_t create_primitives(onednn_conv *conv, vdnn_pass pass)
{
    dnnl_status_t result =
        dnnl_stream_create(&conv->stream, conv->engine, dnnl_stream_default_flags);
    if (result == dnnl_success)
        result = create_memories(conv);
    if (result == dnnl_success)
        set_arguments(conv, pass);
    for (int i = 0; i < STEPS && result == dnnl_success; i++)
        if (conv->steps[i].desc != NULL)
            result = create_step(conv, &conv->steps[i]);
    return result;
}

static void destroy_memory(dnnl_memory_t memory)
{
    if (memory != NULL)
        (void)dnnl_memory_destroy(memory);
}

static void clear(onednn_conv *conv)
{
    for (int i = 0; i < STEPS; i++) {
        destroy_memory(conv->steps[i].scratch);
        if (conv->steps[i].primitive != NULL)
            (void)dnnl_primitive_destroy(conv->steps[i].primitive);
        if (conv->steps[i].desc != NULL)
            (void)dnnl_primitive_desc_destroy(conv->steps[i].desc);
    }
    for (int t = 0; t < TENSORS; t++) {
        destroy_memory(conv->user[t]);
        destroy_memory(conv->chosen[t]);
        vdnn_onednn_tensor_clear(&conv->user_desc[t]);
    }
    vdnn_onednn_tensor_clear(&conv->bias_desc);
    destroy_memory(conv->bias);
    for (int i = 0; i < ATTRIBUTES; i++)
        if (conv->attributes[i] != NULL)
            (void)dnnl_primitive_attr_destroy(conv->attributes[i]);
    if (conv->stream != NULL)
        (void)dnnl_stream_destroy(conv->stream);
    if (conv->engine != NULL)
        (void)dnnl_engine_destroy(conv->engine);
}

/* ---- the functions of a row ------------------------------------------------------------------ */

static bool is_known(const vdnn_desc *map)
{
    return (map->dtype == VDNN_F32 || map->dtype == VDNN_BF16) &&
           (map->layout == VDNN_NCHW || map->layout == VDNN_NCHW16C);
}

const char *vdnn_conv_onednn_refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    if (!is_known(&layer->x[0]) || !is_known(&layer->y) || layer->x[0].dtype != layer->y.dtype)
        return "it computes on f32 or bf16 in NCHW or nChw16c only";
    return vdnn_conv_onednn_too_large(layer);
}

/* How slow oneDNN's implementation is; negative: there is none. */
static int slowness_here(const vdnn_kernel *kernel)
{
    onednn_conv conv = {0};
    int before = vdnn_cpu_threads_begin(kernel->threads);
    const bool exists = describe(&conv, kernel) == dnnl_success;
    const int slowness = exists ? slowness_of(conv.steps[CONV].desc) : -1;
    vdnn_cpu_threads_end(before);
    clear(&conv);
    return slowness;
}

bool vdnn_conv_onednn_exists(const vdnn_kernel *kernel)
{
    return slowness_here(kernel) >= 0;
}

/* Also why not if a volume would take plain loops. */
static const char *direct_refusal(const vdnn_kernel *kernel)
{
    const char *why = vdnn_conv_onednn_refusal(kernel);
    if (why != NULL || !vdnn_desc_is_volume(&kernel->layer->x[0]))
        return why;
    const int slowness = slowness_here(kernel);
    return slowness < 0 || slowness == PLAIN_LOOPS
               ? "oneDNN has only plain loops for this volume on this processor"
               : NULL;
}

vdnn_status vdnn_conv_onednn_workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    onednn_conv conv = {0};
    int before = vdnn_cpu_threads_begin(kernel->threads);
    dnnl_status_t result = describe(&conv, kernel);
    vdnn_cpu_threads_end(before);
    clear(&conv);
    if (result == dnnl_success)
        *bytes = conv.workspace_bytes;
    return vdnn_onednn_check(result, kernel->layer, "to describe a convolution");
}

vdnn_status vdnn_conv_onednn_create(const vdnn_kernel *kernel, void **state)
{
    const vdnn_layer *layer = kernel->layer;
    onednn_conv *conv = vdnn_heap_calloc(1, sizeof *conv);
    if (conv == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s layer '%s': no memory for a kernel (%zu bytes)",
                                layer->def->type, layer->name, sizeof *conv);
    int before = vdnn_cpu_threads_begin(kernel->threads);
    dnnl_status_t result = describe(conv, kernel);
    if (result == dnnl_success)
        result = create_primitives(conv, kernel->pass);
    vdnn_cpu_threads_end(before);
    if (result != dnnl_success)
        goto fail;
    *state = conv;
    return VDNN_OK;
fail:
    vdnn_conv_onednn_destroy(conv);
    return vdnn_onednn_check(result, layer, "to make a convolution");
}

void vdnn_conv_onednn_destroy(void *state)
{
    if (state == NULL)
        return;
    clear(state);
    vdnn_heap_free(state);
}

const char *vdnn_conv_onednn_implementation(const void *state)
{
    const onednn_conv *conv = state;
    return vdnn_onednn_name(conv->steps[CONV].desc);
}

bool vdnn_conv_onednn_reorders_maps(const void *state)
{
    const onednn_conv *conv = state;
    return conv->chosen[X] != NULL || conv->chosen[Y] != NULL;
}

static dnnl_status_t place(dnnl_memory_t memory, void *data, dnnl_status_t so_far)
{
    if (memory == NULL || so_far != dnnl_success)
        return so_far;
    return dnnl_memory_set_data_handle(memory, data);
}

static dnnl_status_t place_all(const onednn_conv *conv, const vdnn_kernel *kernel,
                               const vdnn_kernel_args *args)
{
    vdnn_conv_shape shape = vdnn_conv_shape_of(kernel->layer);
    void *parameters = kernel->pass == VDNN_BACKWARD_FILTER ? args->dw : args->w;
    void *tensors[TENSORS] = {
        [X] = kernel->pass == VDNN_BACKWARD_DATA ? args->dx[0] : args->x[0],
        [W] = parameters,
        [Y] = kernel->pass == VDNN_FORWARD ? args->y : args->dy,
    };
    char *workspace = args->workspace;
    dnnl_status_t result = dnnl_success;
    for (int t = 0; t < TENSORS; t++) {
        result = place(conv->user[t], tensors[t], result);
        if (conv->chosen[t] != NULL)
            result = place(conv->chosen[t], workspace + conv->chosen_offset[t], result);
    }
    if (conv->has_bias)
        result = place(conv->bias, vdnn_conv_shape_bias(&shape, parameters), result);
    for (int i = 0; i < STEPS; i++)
        if (conv->steps[i].scratch != NULL)
            result = place(conv->steps[i].scratch, workspace + conv->scratch_offset, result);
    return result;
}

static dnnl_status_t execute(const onednn_conv *conv, int step, dnnl_status_t so_far)
{
    const onednn_step *s = &conv->steps[step];
    if (s->primitive == NULL || so_far != dnnl_success)
        return so_far;
    return dnnl_primitive_execute(s->primitive, conv->stream, s->argument_count, s->arguments);
}

/* oneDNN's relu turns NaN into 0, which would hide that a training has diverged. Then the biases
 * are NaN too: those channels are set to NaN here, as by a relu layer. */
static void pass_nan(const vdnn_desc *map, const float *bias, void *y)
{
    int64_t block = map->layout == VDNN_NCHW16C ? 16 : 1;
    int64_t channels = vdnn_desc_channels(map), cells = map->dims[VDNN_H] * map->dims[VDNN_W];
    size_t element = vdnn_dtype_bytes(map->dtype);
    for (int64_t k = 0; k < map->dims[VDNN_C]; k++)
        for (int64_t n = 0; n < map->dims[VDNN_N] && isnan(bias[k]); n++) {
            int64_t first = (n * channels + k / block * block) * cells + k % block;
            for (int64_t i = 0; i < cells; i++)
                memset((char *)y + (size_t)(first + i * block) * element, 0xff, element);
        }
}

/* As the relu layer: NaN is propagated. */
static void rectify(const vdnn_desc *map, void *y, int threads)
{
    int64_t count = vdnn_desc_stored(map);
    (void)threads; /* unused without OpenMP */
    if (map->dtype == VDNN_F32) {
        float *values = y;
#pragma omp parallel for simd num_threads(threads)
        for (int64_t i = 0; i < count; i++)
            values[i] = values[i] <= 0 ? 0.0F : values[i];
    } else {
        const uint16_t sign = 0x8000, infinity = 0x7F80;
        uint16_t *values = y;
#pragma omp parallel for simd num_threads(threads)
        for (int64_t i = 0; i < count; i++)
            values[i] = values[i] >= sign && values[i] <= (sign | infinity) ? 0 : values[i];
    }
}

static void end_relu(const onednn_conv *conv, const vdnn_layer *layer, const vdnn_kernel_args *args,
                     int threads)
{
    vdnn_conv_shape shape = vdnn_conv_shape_of(layer);
    if (conv->rectify)
        rectify(&layer->y, args->y, threads);
    else if (conv->has_bias)
        pass_nan(&layer->y, vdnn_conv_shape_bias(&shape, args->w), args->y);
}

vdnn_status vdnn_conv_onednn_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const onednn_conv *conv = kernel->state;
    int written = pass_table[kernel->pass].written;
    int before = vdnn_cpu_threads_begin(kernel->threads);
    dnnl_status_t result = place_all(conv, kernel, args);
    for (int t = 0; t < TENSORS; t++)
        if (t != written)
            result = execute(conv, t, result);
    result = execute(conv, CONV, result);
    result = execute(conv, written, result);
    if (result == dnnl_success)
        result = dnnl_stream_wait(conv->stream);
    if (result == dnnl_success && kernel->pass == VDNN_FORWARD &&
        kernel->layer->epilogue == VDNN_EPILOGUE_RELU)
        end_relu(conv, kernel->layer, args, kernel->threads);
    vdnn_cpu_threads_end(before);
    return vdnn_onednn_check(result, kernel->layer, "to run a convolution");
}

VDNN_CONV_ONEDNN_ROW(direct, dnnl_convolution_direct, direct_refusal, NULL, 0);
