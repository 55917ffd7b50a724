#include "tests/support/layer_case.h"

#include "layers/stage.h"
#include "tests/support/bench_device.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { CANARY_BYTES = VDNN_BENCH_CANARY_BYTES, CANARY = 0xff, ALIGNMENT = VDNN_BENCH_ALIGNMENT };

static void *fresh(size_t bytes)
{
    void *block = calloc(1, bytes > 0 ? bytes : 1);
    if (block == NULL) {
        print_error("no memory for %zu bytes of a test\n", bytes);
        abort();
    }
    return block;
}

/* ---- text to layer --------------------------------------------------------------------------- */

static void set_key(const vdnn_key *key, void *config, const double values[VDNN_SIDES])
{
    char *place = (char *)config + key->offset;
    int64_t integers[VDNN_SIDES] = {(int64_t)values[0], (int64_t)values[1], (int64_t)values[2]};
    bool truth = integers[0] != 0;
    if (key->kind == VDNN_KEY_INT || key->kind == VDNN_KEY_WORD)
        memcpy(place, integers, sizeof integers[0]);
    else if (key->kind == VDNN_KEY_PAIR)
        memcpy(place, integers, 2 * sizeof integers[0]);
    else if (key->kind == VDNN_KEY_SIDES)
        memcpy(place, integers, sizeof integers);
    else if (key->kind == VDNN_KEY_REAL)
        memcpy(place, values, sizeof values[0]);
    else
        memcpy(place, &truth, sizeof truth);
}

/* The text behind `name=` in `text`, or NULL. */
static const char *find_value(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = text; *word != '\0';) {
        if (strncmp(word, name, length) == 0 && word[length] == '=')
            return word + length + 1;
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    return NULL;
}

static void repeat(double values[VDNN_SIDES], double value)
{
    for (int i = 0; i < VDNN_SIDES; i++)
        values[i] = value;
}

/* Of two numbers height and width, of three depth, height and width, in the order of sides. */
static void read_value(const char *text, double values[VDNN_SIDES])
{
    char *end;
    if (strncmp(text, "true", 4) == 0 || strncmp(text, "false", 5) == 0) {
        repeat(values, *text == 't');
        return;
    }
    /* Not strtod alone, to which 0x3 is hexadecimal. */
    repeat(values, (double)strtoll(text, &end, 10));
    if (*end == 'x') {
        values[VDNN_SIDE_W] = (double)strtoll(end + 1, &end, 10);
        values[VDNN_SIDE_D] = -1;
        if (*end == 'x') {
            values[VDNN_SIDE_D] = values[VDNN_SIDE_H];
            values[VDNN_SIDE_H] = values[VDNN_SIDE_W];
            values[VDNN_SIDE_W] = (double)strtoll(end + 1, &end, 10);
        }
    } else if (*end == '.' || *end == 'e')
        repeat(values, strtod(text, &end));
    if (end == text || (*end != ' ' && *end != '\0'))
        fail_msg("'%s' is no value of a key", text);
}

/* The number of the word that `text` begins with. */
static void read_word(const char *text, const char *const *words, double values[VDNN_SIDES])
{
    const size_t length = strcspn(text, " ");
    size_t i = 0;
    while (words[i] != NULL && (strlen(words[i]) != length || strncmp(text, words[i], length) != 0))
        i++;
    if (words[i] == NULL)
        fail_msg("'%s' is no value of a key", text);
    repeat(values, (double)i);
}

static int count_words(const char *text, char mark)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += *text == mark;
    return count;
}

static void fill_config(const vdnn_layer_def *def, const char *text, void *config)
{
    int used = 0;
    for (size_t i = 0; i < def->key_count; i++) {
        const vdnn_key *key = &def->keys[i];
        const char *value = find_value(text, key->name);
        used += value != NULL;
        if (value == NULL && key->preset_key != NULL)
            value = find_value(text, key->preset_key);
        if (value == NULL && key->required)
            fail_msg("%s: key '%s' is missing in '%s'", def->type, key->name, text);
        double values[VDNN_SIDES];
        repeat(values, key->preset);
        if (value != NULL && key->kind == VDNN_KEY_WORD)
            read_word(value, vdnn_layer_def_words(def, i), values);
        else if (value != NULL)
            read_value(value, values);
        set_key(key, config, values);
    }
    if (used != count_words(text, '='))
        fail_msg("%s: '%s' has a key that there is not", def->type, text);
}

/* The dimensions of one input, and what is behind it; of tokens `<` and their vocabulary. */
static const char *read_desc(const char *text, vdnn_layer_form form, vdnn_desc *x)
{
    int64_t dims[VDNN_VOLUME_RANK] = {1, 1, 1, 1, 1};
    *x = (vdnn_desc){.dtype = form.dtype, .layout = form.layout};
    for (char mark = 'x'; mark == 'x'; text += mark == 'x') {
        char *end;
        assert_in_range(x->rank, 0, VDNN_VOLUME_RANK - 1);
        dims[x->rank++] = strtoll(text, &end, 10);
        text = end;
        mark = *end;
    }
    memcpy(x->dims, dims, sizeof x->dims);
    if (vdnn_desc_is_volume(x)) {
        x->depth = dims[VDNN_H];
        x->dims[VDNN_H] *= dims[VDNN_W];
        x->dims[VDNN_W] = dims[VDNN_DIMS];
    }
    if (*text == '<') {
        char *end;
        x->dtype = VDNN_I32;
        x->below = strtoll(text + 1, &end, 10);
        text = end;
    }
    return *text == ' ' ? text + 1 : text;
}

static void read_inputs(const char *text, vdnn_layer_form form, vdnn_layer *layer)
{
    layer->input_count = count_words(text, ' ') + 1;
    assert_in_range(layer->input_count, 1, VDNN_BENCH_INPUTS);
    layer->x = fresh((size_t)layer->input_count * sizeof *layer->x);
    layer->wants_dx = fresh((size_t)layer->input_count * sizeof *layer->wants_dx);
    for (int32_t i = 0; i < layer->input_count; i++) {
        text = read_desc(text, form, &layer->x[i]);
        layer->wants_dx[i] = !vdnn_desc_is_integer(&layer->x[i]);
    }
}

static void name_layer(const vdnn_layer_case *c, vdnn_layer_form form, vdnn_layer *layer)
{
    enum { NAME_BYTES = 512 };
    layer->name = fresh(NAME_BYTES);
    int length = snprintf(layer->name, NAME_BYTES, "%s on %s", c->keys, c->inputs);
    assert_in_range(length, 0, NAME_BYTES / 2);
    const vdnn_layer_form usual = {0};
    if (form.dtype != usual.dtype || form.layout != usual.layout ||
        form.preferred != usual.preferred || form.relu)
        (void)snprintf(layer->name + length, (size_t)(NAME_BYTES - length), " (%s, %s, likes %s%s)",
                       vdnn_dtype_text(form.dtype), vdnn_layout_text(form.layout),
                       vdnn_layout_text(form.preferred), form.relu ? ", relu" : "");
}

vdnn_status vdnn_layer_case_build(const vdnn_layer_case *c, vdnn_rule rule, vdnn_layer **layer)
{
    return vdnn_layer_case_build_as(c, rule, (vdnn_layer_form){0}, layer);
}

static const char frozen[] = "frozen";

vdnn_status vdnn_layer_case_build_as(const vdnn_layer_case *c, vdnn_rule rule, vdnn_layer_form form,
                                     vdnn_layer **layer)
{
    const vdnn_layer_def *def = vdnn_layer_def_find(c->type);
    if (def == NULL)
        return vdnn_status_fail(VDNN_USAGE, "there is no layer type '%s'", c->type);
    vdnn_layer *made = fresh(sizeof *made);
    name_layer(c, form, made);
    made->def = def;
    made->config = fresh(def->config_bytes);
    made->index = 3;
    made->number = 2;
    made->preferred = form.preferred;
    made->dtype = form.dtype;
    made->ignored = VDNN_NO_LABEL;
    made->is_frozen = strncmp(c->keys, frozen, strlen(frozen)) == 0;
    made->epilogue = form.relu ? VDNN_EPILOGUE_RELU : VDNN_EPILOGUE_NONE;
    fill_config(def, c->keys + (made->is_frozen ? strlen(frozen) : 0), made->config);
    read_inputs(c->inputs, form, made);
    const vdnn_desc vectors = vdnn_desc_as_vectors(&made->x[0]);
    made->classes = vdnn_desc_per_sample(&vectors);
    vdnn_status status = vdnn_layer_infer(made);
    if (status != VDNN_OK) {
        vdnn_layer_case_destroy(made);
        return status;
    }
    const vdnn_needs *needs[VDNN_RULE_COUNT] = {def->paper, def->lean, def->lean_if_y};
    const vdnn_needs *own = vdnn_layer_rule(made, needs[rule]);
    made->needs[VDNN_BACKWARD_DATA] = own[0];
    made->needs[VDNN_BACKWARD_FILTER] = own[1];
    made->aux_bytes = def->aux_bytes == NULL ? 0 : def->aux_bytes(made);
    *layer = made;
    return VDNN_OK;
}

bool vdnn_layer_case_has_pictures(const vdnn_layer_case *c)
{
    int marks = 0;
    for (const char *at = c->inputs; *at != '\0' && *at != ' '; at++)
        marks += *at == 'x';
    return marks >= VDNN_PICTURE_RANK - 1;
}

void vdnn_layer_case_destroy(vdnn_layer *layer)
{
    if (layer == NULL)
        return;
    free(layer->name);
    free(layer->config);
    free(layer->x);
    free(layer->wants_dx);
    free(layer);
}

/* ---- buffers --------------------------------------------------------------------------------- */

static vdnn_bench_buffer buffer_alloc_at(size_t bytes, size_t shift)
{
    vdnn_bench_buffer buffer = {.bytes = bytes};
    buffer.block = fresh(bytes + 2 * CANARY_BYTES + 2 * ALIGNMENT);
    buffer.data = buffer.block + CANARY_BYTES;
    buffer.data += (ALIGNMENT - (uintptr_t)buffer.data % ALIGNMENT) % ALIGNMENT + shift;
    memset(buffer.data - CANARY_BYTES, CANARY, CANARY_BYTES);
    memset(buffer.data + bytes, CANARY, CANARY_BYTES);
    return buffer;
}

static vdnn_bench_buffer buffer_alloc(size_t bytes)
{
    return buffer_alloc_at(bytes, 0);
}

void vdnn_bench_shift(vdnn_bench_buffer *buffer, size_t bytes)
{
    free(buffer->block);
    *buffer = buffer_alloc_at(buffer->bytes, bytes % ALIGNMENT);
}

static bool has_canaries(const vdnn_bench_buffer *buffer)
{
    bool has_all = true;
    for (size_t i = 0; i < CANARY_BYTES; i++)
        has_all = has_all && buffer->data[buffer->bytes + i] == CANARY &&
                  buffer->data[-1 - (ptrdiff_t)i] == CANARY;
    return has_all;
}

static uint64_t hash_buffer(uint64_t hash, const vdnn_bench_buffer *buffer)
{
    return XXH3_64bits_withSeed(buffer->data, buffer->bytes, hash);
}

static bool is_loss(const vdnn_layer *layer)
{
    return layer->def->target != VDNN_TARGET_NONE;
}

/* In [-1, 1). */
static float draw(vdnn_test_rng *rng)
{
    return (float)((double)(vdnn_test_random(rng) >> 40) * 0x1p-23 - 1);
}

static float *draw_many(int64_t count, vdnn_test_rng *rng)
{
    float *values = fresh((size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++)
        values[i] = draw(rng);
    return values;
}

static void fill_tokens(const vdnn_desc *desc, const vdnn_bench_buffer *map, vdnn_test_rng *rng)
{
    int32_t *tokens = (int32_t *)(void *)map->data;
    for (int64_t i = 0; i < vdnn_desc_count(desc); i++)
        tokens[i] = (int32_t)vdnn_test_between(rng, 0, desc->below - 1);
}

static void fill_map(const vdnn_desc *desc, const vdnn_bench_buffer *map, vdnn_test_rng *rng)
{
    if (vdnn_desc_is_integer(desc)) {
        fill_tokens(desc, map, rng);
        return;
    }
    for (int64_t n = 0; n < desc->dims[VDNN_N]; n++) {
        float *sample = draw_many(vdnn_desc_per_sample(desc), rng);
        vdnn_stage_store(desc, map->data, n, sample);
        free(sample);
    }
}

/* As a layer with maps of `dtype` may round them when it computes. */
static void round_values(vdnn_dtype dtype, float *values, int64_t count)
{
    void *rounded = fresh((size_t)count * vdnn_dtype_bytes(dtype));
    vdnn_stage_narrow(dtype, values, rounded, count);
    vdnn_stage_widen(dtype, rounded, values, count);
    free(rounded);
}

static void fill_params(const vdnn_layer *layer, const vdnn_bench_buffer *block, vdnn_test_rng *rng)
{
    for (int32_t i = 0; i < layer->param_count; i++) {
        const vdnn_param *param = &layer->params[i];
        float *values = draw_many(param->count, rng);
        if (param->fill != 0)
            for (int64_t k = 0; k < param->count; k++)
                values[k] = (float)param->fill * (1 + values[k] / 2);
        round_values(layer->dtype, values, param->count);
        vdnn_stage_pack(param, values, block->data + param->offset);
        free(values);
    }
}

static double *doubles(int64_t count)
{
    return fresh((size_t)count * sizeof(double));
}

static int64_t param_elements(const vdnn_layer *layer)
{
    return (int64_t)(layer->param_bytes / sizeof(float));
}

static void make_inputs(vdnn_bench *bench, vdnn_test_rng *rng)
{
    const vdnn_layer *layer = bench->layer;
    for (int32_t i = 0; i < layer->input_count; i++) {
        size_t bytes = vdnn_desc_bytes(&layer->x[i]);
        bench->x[i] = buffer_alloc(bytes);
        bench->dx[i] = buffer_alloc(bytes);
        bench->x64[i] = doubles(vdnn_desc_count(&layer->x[i]));
        bench->dx64[i] = doubles(vdnn_desc_count(&layer->x[i]));
        fill_map(&layer->x[i], &bench->x[i], rng);
    }
}

/* Numbers as those of maps; of probabilities some are 0 and 1. */
static void fill_targets(const vdnn_desc *desc, const vdnn_bench_buffer *labels, vdnn_test_rng *rng)
{
    float *targets = (float *)(void *)labels->data;
    fill_map(desc, labels, rng);
    for (int64_t i = 0; i < vdnn_desc_count(desc) && desc->below == 1; i++)
        targets[i] = fminf(fmaxf(targets[i], -0.5F) + 0.5F, 1);
}

static void make_labels(vdnn_bench *bench, vdnn_test_rng *rng)
{
    const vdnn_layer *layer = bench->layer;
    int64_t count = vdnn_desc_count(&layer->labels);
    bench->labels = buffer_alloc(vdnn_desc_bytes(&layer->labels));
    if (!vdnn_desc_is_integer(&layer->labels)) {
        fill_targets(&layer->labels, &bench->labels, rng);
        return;
    }
    int32_t *labels = (int32_t *)(void *)bench->labels.data;
    for (int64_t i = 0; i < count; i++) {
        labels[i] = (int32_t)vdnn_test_between(rng, 0, layer->classes - 1);
        if (layer->ignored != VDNN_NO_LABEL && vdnn_test_between(rng, 0, 3) == 0)
            labels[i] = (int32_t)layer->ignored;
    }
}

vdnn_bench *vdnn_bench_create(const vdnn_layer *layer, uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    vdnn_bench *bench = fresh(sizeof *bench);
    bench->layer = layer;
    bench->context = (vdnn_step_context){.seed = 7, .step = 11, .first_sample = 640};
    bench->weight = 1;
    make_inputs(bench, &rng);
    bench->y = buffer_alloc(vdnn_desc_bytes(&layer->y));
    bench->dy = buffer_alloc(vdnn_desc_bytes(&layer->y));
    bench->w = buffer_alloc(layer->param_bytes);
    bench->dw = buffer_alloc(layer->trainable_bytes);
    bench->state = buffer_alloc(vdnn_optimizer_slot_offset(layer->trainable_bytes, VDNN_MAX_SLOTS));
    bench->aux = buffer_alloc(layer->aux_bytes);
    bench->y64 = doubles(vdnn_desc_count(&layer->y));
    bench->dy64 = doubles(vdnn_desc_count(&layer->y));
    bench->w64 = doubles(param_elements(layer));
    bench->dw64 = doubles(param_elements(layer));
    fill_map(&layer->y, &bench->dy, &rng);
    fill_params(layer, &bench->w, &rng);
    make_labels(bench, &rng);
    bench->reference = (vdnn_reference_args){.x = bench->x64,
                                             .w = bench->w64,
                                             .y = bench->y64,
                                             .dy = bench->dy64,
                                             .dx = bench->dx64,
                                             .dw = bench->dw64,
                                             .labels = bench->labels.data,
                                             .context = &bench->context};
    return bench;
}

void vdnn_bench_destroy(vdnn_bench *bench)
{
    if (bench == NULL)
        return;
    for (int i = 0; i < VDNN_BENCH_INPUTS; i++) {
        free(bench->x[i].block);
        free(bench->dx[i].block);
        free(bench->x64[i]);
        free(bench->dx64[i]);
    }
    unsigned char *blocks[] = {bench->y.block,     bench->dy.block,    bench->w.block,
                               bench->dw.block,    bench->state.block, bench->aux.block,
                               bench->labels.block};
    double *arrays[] = {bench->y64, bench->dy64, bench->w64, bench->dw64};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(bench);
}

/* ---- running --------------------------------------------------------------------------------- */

static void *or_null(const vdnn_bench_buffer *buffer, bool given)
{
    return given && buffer->bytes > 0 ? buffer->data : NULL;
}

/* The arguments of a pass, with nothing in them that it did not declare. */
static vdnn_kernel_args args_of(vdnn_bench *bench, vdnn_pass pass, void **x, void **dx)
{
    const vdnn_layer *layer = bench->layer;
    bool forward = pass == VDNN_FORWARD, data = pass == VDNN_BACKWARD_DATA;
    bool filter = pass == VDNN_BACKWARD_FILTER, updates = filter && bench->update;
    vdnn_needs needs = forward ? VDNN_NEEDS_X | VDNN_NEEDS_W | VDNN_NEEDS_AUX : layer->needs[pass];
    for (int32_t i = 0; i < layer->input_count; i++) {
        x[i] = bench->x[i].data;
        dx[i] = layer->wants_dx[i] ? bench->dx[i].data : NULL;
    }
    vdnn_kernel_args args = {
        .x = needs & VDNN_NEEDS_X ? x : NULL,
        .y = or_null(&bench->y, forward || needs & VDNN_NEEDS_Y),
        .dx = data ? dx : NULL,
        .dy = or_null(&bench->dy, !forward && !is_loss(layer)),
        .w = or_null(&bench->w, needs & VDNN_NEEDS_W || updates),
        .dw = or_null(&bench->dw, vdnn_layer_writes_dw(layer, pass) && !updates),
        .state = or_null(&bench->state, updates),
        .aux = or_null(&bench->aux, needs & VDNN_NEEDS_AUX),
        .labels = is_loss(layer) ? bench->labels.data : NULL,
        .context = &bench->context,
        .devices = bench->devices,
        .first_sample = bench->first_sample,
        .weight = bench->weight,
        .recompute = forward && bench->recompute,
        .adds_dw = bench->adds_dw,
    };
    if (bench->in_place && forward && layer->in_place)
        x[0] = bench->y.data;
    if (bench->in_place && data && layer->def->dx_over_x)
        x[0] = dx[0];
    else if (bench->in_place && data)
        args.dy = dx[vdnn_layer_dx_over_dy(layer)];
    return args;
}

static void poison_outputs(vdnn_bench *bench, vdnn_pass pass, int poison)
{
    if (pass == VDNN_FORWARD) {
        memset(bench->y.data, poison, bench->y.bytes);
        if (vdnn_layer_writes_aux(bench->layer, bench->recompute))
            memset(bench->aux.data, poison, bench->aux.bytes);
        if (bench->in_place && bench->layer->in_place)
            memcpy(bench->y.data, bench->x[0].data, bench->x[0].bytes);
    } else if (pass == VDNN_BACKWARD_DATA) {
        for (int32_t i = 0; i < bench->layer->input_count; i++)
            memset(bench->dx[i].data, poison, bench->dx[i].bytes);
        if (bench->in_place && bench->layer->def->dx_over_x)
            memcpy(bench->dx[0].data, bench->x[0].data, bench->x[0].bytes);
        else if (bench->in_place)
            memcpy(bench->dx[vdnn_layer_dx_over_dy(bench->layer)].data, bench->dy.data,
                   bench->dy.bytes);
    }
    if (vdnn_layer_writes_dw(bench->layer, pass) && !bench->update && !bench->adds_dw)
        memset(bench->dw.data, poison, bench->dw.bytes);
}

/* All that the pass must leave as it is. */
static uint64_t hash_inputs(const vdnn_bench *bench, vdnn_pass pass)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < bench->layer->input_count; i++)
        hash = hash_buffer(hash, &bench->x[i]);
    if (pass != VDNN_BACKWARD_FILTER || !bench->update)
        hash = hash_buffer(hash_buffer(hash, &bench->w), &bench->state);
    hash = hash_buffer(hash, &bench->dy);
    hash = hash_buffer(hash, &bench->labels);
    if (pass != VDNN_FORWARD)
        hash = hash_buffer(hash, &bench->y);
    if (pass != VDNN_FORWARD || !vdnn_layer_writes_aux(bench->layer, bench->recompute))
        hash = hash_buffer(hash, &bench->aux);
    for (int32_t i = 0; i < bench->layer->input_count; i++)
        if (pass != VDNN_BACKWARD_DATA || !bench->layer->wants_dx[i])
            hash = hash_buffer(hash, &bench->dx[i]);
    return vdnn_layer_writes_dw(bench->layer, pass) ? hash : hash_buffer(hash, &bench->dw);
}

enum { MOST_BUFFERS = 2 * VDNN_BENCH_INPUTS + 8 };

typedef struct named_buffer {
    vdnn_bench_buffer *buffer;
    const char *name;
} named_buffer;

/* All that a kernel may be lent; returns how many. */
static size_t list_buffers(vdnn_bench *bench, vdnn_bench_buffer *workspace,
                           named_buffer all[MOST_BUFFERS])
{
    const named_buffer others[] = {{&bench->y, "y"},           {&bench->dy, "dy"},
                                   {&bench->w, "w"},           {&bench->dw, "dw"},
                                   {&bench->state, "state"},   {&bench->aux, "aux"},
                                   {&bench->labels, "labels"}, {workspace, "workspace"}};
    size_t count = sizeof others / sizeof *others;
    memcpy(all, others, sizeof others);
    for (int32_t i = 0; i < bench->layer->input_count; i++) {
        all[count++] = (named_buffer){&bench->x[i], "x"};
        all[count++] = (named_buffer){&bench->dx[i], "dx"};
    }
    return count;
}

/* Whether nothing beside the buffers was written. */
static vdnn_status check_canaries(vdnn_bench *bench, vdnn_bench_buffer *workspace)
{
    named_buffer all[MOST_BUFFERS];
    size_t count = list_buffers(bench, workspace, all);
    for (size_t i = 0; i < count; i++)
        if (!has_canaries(all[i].buffer))
            return vdnn_status_fail(VDNN_MISMATCH, "memory beside %s of %zu bytes was written",
                                    all[i].name, all[i].buffer->bytes);
    return VDNN_OK;
}

/* Where the bench says. */
static vdnn_status run_kernel(vdnn_bench *bench, const vdnn_kernel *kernel,
                              const vdnn_kernel_args *args, vdnn_bench_buffer *workspace)
{
    named_buffer all[MOST_BUFFERS];
    vdnn_bench_buffer *buffers[MOST_BUFFERS];
    if (bench->device == NULL)
        return vdnn_kernel_run(kernel, args);
    size_t count = list_buffers(bench, workspace, all);
    for (size_t i = 0; i < count; i++)
        buffers[i] = all[i].buffer;
    return vdnn_bench_device_run(bench->device, kernel, args, buffers, count);
}

/* VDNN_TEST_SPOIL=conv/winograd/forward: one row whose results are wrong, so that tests can show
 * what becomes of it. */
static bool is_to_be_spoilt(const vdnn_algorithm *row, vdnn_pass pass)
{
    char name[256];
    const char *spoilt = getenv("VDNN_TEST_SPOIL");
    if (spoilt == NULL)
        return false;
    (void)snprintf(name, sizeof name, "%s/%s/%s", row->layer_type, row->name, vdnn_pass_text(pass));
    return strcmp(spoilt, name) == 0;
}

/* One element of the first thing that the pass writes. */
static void spoil(vdnn_bench *bench, vdnn_pass pass)
{
    const vdnn_layer *layer = bench->layer;
    const float wrong = 1e6F;
    int32_t i = 0;
    while (pass == VDNN_BACKWARD_DATA && i < layer->input_count - 1 && !layer->wants_dx[i])
        i++;
    vdnn_bench_buffer *const written[VDNN_PASS_COUNT] = {&bench->y, &bench->dx[i], &bench->dw};
    const vdnn_dtype dtypes[VDNN_PASS_COUNT] = {layer->y.dtype, layer->x[i].dtype, VDNN_F32};
    if (written[pass]->bytes > 0)
        vdnn_stage_narrow(dtypes[pass], &wrong, written[pass]->data, 1);
}

vdnn_status vdnn_bench_run(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass,
                           int threads, int poison)
{
    vdnn_kernel *kernel = NULL;
    vdnn_status status = vdnn_kernel_create(row, bench->layer, pass, threads, &kernel);
    if (status != VDNN_OK)
        return status;
    void *x[VDNN_BENCH_INPUTS], *dx[VDNN_BENCH_INPUTS];
    vdnn_kernel_args args = args_of(bench, pass, x, dx);
    size_t more = poison == 0xff ? 0 : 3 * ALIGNMENT;
    vdnn_bench_buffer workspace = buffer_alloc(kernel->workspace_bytes + more);
    memset(workspace.data, poison, workspace.bytes);
    args.workspace = or_null(&workspace, true);
    poison_outputs(bench, pass, poison);
    uint64_t before = hash_inputs(bench, pass);
    status = run_kernel(bench, kernel, &args, &workspace);
    if (status == VDNN_OK)
        status = check_canaries(bench, &workspace);
    if (status == VDNN_OK && hash_inputs(bench, pass) != before)
        status = vdnn_status_fail(VDNN_MISMATCH, "it changed what it may only read");
    if (status == VDNN_OK && is_to_be_spoilt(row, pass))
        spoil(bench, pass);
    free(workspace.block);
    vdnn_kernel_destroy(kernel);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static float *load_map(const vdnn_desc *desc, const vdnn_bench_buffer *map)
{
    int64_t per_sample = vdnn_desc_per_sample(desc);
    float *plain = fresh((size_t)vdnn_desc_count(desc) * sizeof *plain);
    for (int64_t n = 0; n < desc->dims[VDNN_N]; n++)
        vdnn_stage_load(desc, map->data, n, plain + n * per_sample);
    return plain;
}

static void widen_map(const vdnn_desc *desc, const vdnn_bench_buffer *map, double *to)
{
    if (vdnn_desc_is_integer(desc)) {
        for (int64_t i = 0; i < vdnn_desc_count(desc); i++)
            to[i] = (double)((const int32_t *)(const void *)map->data)[i];
        return;
    }
    float *plain = load_map(desc, map);
    for (int64_t i = 0; i < vdnn_desc_count(desc); i++)
        to[i] = (double)plain[i];
    free(plain);
}

/* The parameters whose values are in a block of so many bytes, plain and after each other. */
static float *load_params(const vdnn_layer *layer, const vdnn_bench_buffer *block, int64_t *count)
{
    float *plain = fresh(block->bytes);
    *count = 0;
    for (int32_t i = 0; i < layer->param_count; i++) {
        const vdnn_param *param = &layer->params[i];
        if (param->offset < block->bytes) {
            vdnn_stage_unpack(param, block->data + param->offset, plain + *count);
            *count += param->count;
        }
    }
    return plain;
}

static void widen_params(const vdnn_layer *layer, const vdnn_bench_buffer *block, double *to)
{
    int64_t count;
    float *plain = load_params(layer, block, &count);
    for (int64_t i = 0; i < count; i++)
        to[i] = (double)plain[i];
    free(plain);
}

void vdnn_bench_refer(vdnn_bench *bench, vdnn_pass pass)
{
    const vdnn_layer *layer = bench->layer;
    const vdnn_reference *reference = vdnn_reference_find(layer->def->type);
    if (reference == NULL || reference->pass[pass] == NULL) {
        fail_msg("%s has no reference for its %s", layer->def->type, vdnn_pass_text(pass));
        return;
    }
    for (int32_t i = 0; i < layer->input_count; i++)
        widen_map(&layer->x[i], &bench->x[i], bench->x64[i]);
    widen_params(layer, &bench->w, bench->w64);
    widen_map(&layer->y, &bench->dy, bench->dy64);
    bench->reference.first_sample = bench->first_sample;
    bench->reference.weight = bench->weight;
    reference->pass[pass](layer, &bench->reference);
    if (vdnn_layer_writes_dw(layer, pass) && pass != VDNN_BACKWARD_FILTER)
        reference->pass[VDNN_BACKWARD_FILTER](layer, &bench->reference);
    if (pass == VDNN_FORWARD && layer->epilogue == VDNN_EPILOGUE_RELU)
        for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
            bench->y64[i] = bench->y64[i] <= 0 ? 0 : bench->y64[i];
}

static double error_of(const float *values, const double *wanted, int64_t count)
{
    double largest = 0, difference = 0;
    for (int64_t i = 0; i < count; i++) {
        double value = (double)values[i];
        if (isnan(value) != isnan(wanted[i]))
            return HUGE_VAL;
        difference = fmax(difference, fabs(value - wanted[i]));
        largest = fmax(largest, fabs(wanted[i]));
    }
    return difference == 0 ? 0 : difference / largest;
}

/* Whether two blocks of so many bytes are equal, zeros of either sign too. */
static bool same_values(vdnn_dtype dtype, const void *block, const void *other, size_t bytes)
{
    int64_t count = (int64_t)(bytes / vdnn_dtype_bytes(dtype));
    float *values = fresh((size_t)count * sizeof *values);
    float *others = fresh((size_t)count * sizeof *others);
    bool same = true;
    vdnn_stage_widen(dtype, block, values, count);
    vdnn_stage_widen(dtype, other, others, count);
    for (int64_t i = 0; i < count; i++)
        same = same && (values[i] == others[i] || (isnan(values[i]) && isnan(others[i])));
    free(values);
    free(others);
    return same;
}

static double map_error(const vdnn_desc *desc, const vdnn_bench_buffer *map, const double *wanted)
{
    float *plain = load_map(desc, map);
    double error = error_of(plain, wanted, vdnn_desc_count(desc));
    void *padded = fresh(map->bytes);
    for (int64_t n = 0; n < desc->dims[VDNN_N]; n++)
        vdnn_stage_store(desc, padded, n, plain + n * vdnn_desc_per_sample(desc));
    if (!same_values(desc->dtype, map->data, padded, map->bytes))
        error = HUGE_VAL; /* the copy is padded with zeros */
    free(padded);
    free(plain);
    return error;
}

static double params_error(const vdnn_layer *layer, const vdnn_bench_buffer *block,
                           const double *wanted)
{
    int64_t count, used = 0;
    float *plain = load_params(layer, block, &count);
    double error = error_of(plain, wanted, count);
    unsigned char *padded = fresh(block->bytes);
    for (int32_t i = 0; used < count; used += layer->params[i++].count)
        vdnn_stage_pack(&layer->params[i], plain + used, padded + layer->params[i].offset);
    if (!same_values(VDNN_F32, block->data, padded, block->bytes))
        error = HUGE_VAL;
    free(padded);
    free(plain);
    return error;
}

double vdnn_bench_error(const vdnn_bench *bench, vdnn_pass pass)
{
    const vdnn_layer *layer = bench->layer;
    if (pass == VDNN_FORWARD)
        return map_error(&layer->y, &bench->y, bench->y64);
    double error = 0;
    if (vdnn_layer_writes_dw(layer, pass))
        error = params_error(layer, &bench->dw, bench->dw64);
    if (pass == VDNN_BACKWARD_FILTER)
        return error;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            error = fmax(error, map_error(&layer->x[i], &bench->dx[i], bench->dx64[i]));
    return error;
}

uint64_t vdnn_bench_hash(const vdnn_bench *bench, vdnn_pass pass)
{
    if (pass == VDNN_FORWARD)
        return hash_buffer(0, &bench->y);
    uint64_t hash = 0;
    if (vdnn_layer_writes_dw(bench->layer, pass))
        hash = hash_buffer(hash, &bench->dw);
    if (pass == VDNN_BACKWARD_FILTER)
        return hash;
    for (int32_t i = 0; i < bench->layer->input_count; i++)
        if (bench->layer->wants_dx[i])
            hash = hash_buffer(hash, &bench->dx[i]);
    return hash;
}
