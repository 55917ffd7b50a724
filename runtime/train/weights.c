#include "runtime/train/weights.h"

#include "layers/cpu/threads.h"
#include "layers/stage.h"
#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/base/numbers/denormals.h"
#include "runtime/base/numbers/philox.h"
#include "runtime/base/numbers/random.h"
#include "runtime/base/text.h"
#include "runtime/exec/copy_fill.h"
#include "runtime/train/files/torch_names.h"
#include "runtime/train/files/weight_file.h"
#include "runtime/train/files/weight_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_BYTES = 256,
    SLICE = 1 << 18, /* floats that are copied at a time */
    PIECE = 1 << 12, /* floats that a thread makes at a time */
    ROWS = 16 /* rows; every slice begins at a multiple of them: a blocked layout can be divided
                 there, and they have a multiple of four elements */
};

/* Separates these random numbers from those of dropout with the same seed. */
static const uint64_t KEY = UINT64_C(0x77656967687473);

static void name_of(const vdnn_layer *layer, int32_t param, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "%s.%s", layer->name, layer->params[param].name);
}

/* Elements first .. first + count of a parameter: first is a multiple of four, since one counter
 * gives four numbers. */
typedef struct range {
    int64_t first, count;
} range;

static void make_constant(range part, double value, float *values)
{
    for (int64_t i = 0; i < part.count; i++)
        values[i] = (float)value;
}

typedef struct random_rule {
    uint64_t seed;
    bool is_normal;
    double scale;
} random_rule;

/* As vdnn_random_normals, but even in -1 .. 1. */
static void make_uniforms(uint64_t key, const uint32_t counter[4], int64_t blocks, float *values)
{
    for (int64_t i = 0; i < blocks; i++) {
        uint32_t at[4], bits[4];
        vdnn_philox_after(counter, (uint64_t)i, at);
        vdnn_philox(key, at, bits);
        for (int k = 0; k < 4; k++)
            values[4 * i + k] = 2.0F * vdnn_random_unit(bits[k]) - 1.0F;
    }
}

static void make_blocks(const random_rule *rule, const uint32_t counter[4], int64_t blocks,
                        float *values)
{
    (rule->is_normal ? vdnn_random_normals : make_uniforms)(rule->seed ^ KEY, counter, blocks,
                                                            values);
    for (int64_t i = 0; i < 4 * blocks; i++)
        values[i] = (float)(rule->scale * (double)values[i]);
}

static void make_piece(const random_rule *rule, const vdnn_layer *layer, int32_t index, range part,
                       float *values)
{
    const uint32_t origin[4] = {0, 0, (uint32_t)layer->number, (uint32_t)index};
    const int64_t blocks = part.count / 4, rest = part.count % 4;
    uint32_t at[4];
    float four[4];
    vdnn_philox_after(origin, (uint64_t)part.first / 4, at);
    make_blocks(rule, at, blocks, values);
    if (rest == 0)
        return;
    vdnn_philox_after(at, (uint64_t)blocks, at);
    make_blocks(rule, at, 1, four);
    memcpy(values + 4 * blocks, four, (size_t)rest * sizeof *four);
}

static void make_random(const random_rule *rule, const vdnn_layer *layer, int32_t index, range part,
                        int threads, float *values)
{
    threads = vdnn_cpu_threads_of_caller(threads);
    (void)threads; /* read by OpenMP alone */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < part.count; i += PIECE) {
        range piece = {part.first + i, PIECE < part.count - i ? PIECE : part.count - i};
        uint64_t before = vdnn_denormals_flush(); /* whichever thread makes them */
        make_piece(rule, layer, index, piece, values + i);
        vdnn_denormals_restore(before);
    }
}

static void make_range(const vdnn_layer *layer, int32_t param, uint64_t seed, range part,
                       int threads, float *values)
{
    const vdnn_param *p = &layer->params[param];
    if (p->is_bias || (p->fan_in != 0 && layer->init.kind == VDNN_INIT_ZEROS)) {
        make_constant(part, 0.0, values);
        for (int64_t i = 0; i < part.count && p->is_bias; i++)
            if (part.first + i >= p->part.first && part.first + i < p->part.first + p->part.count)
                values[i] = (float)p->part.fill;
    } else if (p->fan_in == 0) {
        make_constant(part, p->fill, values);
    } else {
        random_rule rule = {seed, layer->init.kind != VDNN_INIT_XAVIER, layer->init.std};
        if (layer->init.kind == VDNN_INIT_HE)
            rule.scale = sqrt(2.0 / (double)p->fan_in);
        else if (layer->init.kind == VDNN_INIT_XAVIER)
            rule.scale = sqrt(6.0 / (double)(p->fan_in + p->fan_out));
        make_random(&rule, layer, param, part, threads, values);
    }
}

void vdnn_weights_make(const vdnn_layer *layer, int32_t param, uint64_t seed, float *values)
{
    make_range(layer, param, seed, (range){0, layer->params[param].count}, 1, values);
}

/* ---- room ------------------------------------------------------------------------------------ */

/* Values are copied in slices, to take little memory in addition to the plan's: buffers for one
 * slice, in the layout of files and in that of the block. */
typedef struct room {
    char *packed;
    float *plain;
    size_t bytes; /* of each */
} room;

/* Rows of a parameter that are copied together; they are contiguous in the block too. */
typedef struct slice {
    vdnn_param param; /* as if these rows were all; with their offset */
    range part;       /* of the whole parameter's elements */
} slice;

static int64_t blocks_of(int64_t rows)
{
    return (rows + ROWS - 1) / ROWS;
}

/* Of the slice that begins with element `first`: as many rows as make up SLICE, or the fewest. */
static slice next_slice(const vdnn_param *param, int64_t first)
{
    int64_t row = param->count / param->dims[0], begin = first / row;
    int64_t blocks = SLICE / (ROWS * row) > 1 ? SLICE / (ROWS * row) : 1;
    int64_t left = param->dims[0] - begin, rows = ROWS * blocks < left ? ROWS * blocks : left;
    slice made = {.param = *param, .part = {first, rows * row}};
    size_t block_bytes = param->bytes / (size_t)blocks_of(param->dims[0]);
    bool is_plain = param->layout == VDNN_PARAM_PLAIN;
    made.param.dims[0] = rows;
    made.param.count = made.part.count;
    made.param.bytes =
        is_plain ? (size_t)made.part.count * sizeof(float) : (size_t)blocks_of(rows) * block_bytes;
    made.param.offset +=
        is_plain ? (size_t)first * sizeof(float) : (size_t)(begin / ROWS) * block_bytes;
    return made;
}

static void room_fini(room *r)
{
    vdnn_heap_free(r->packed);
    vdnn_heap_free(r->plain);
}

static vdnn_status room_init(const vdnn_graph *graph, room *r)
{
    size_t bytes = SLICE * sizeof(float);
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t p = 0; p < graph->layers[l].param_count; p++) {
            size_t first = next_slice(&graph->layers[l].params[p], 0).param.bytes;
            bytes = first > bytes ? first : bytes;
        }
    room fresh = {vdnn_heap_calloc(1, bytes), vdnn_heap_calloc(1, bytes), bytes};
    if (fresh.packed == NULL || fresh.plain == NULL) {
        room_fini(&fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to copy weights (%zu bytes)", 2 * bytes);
    }
    *r = fresh;
    return VDNN_OK;
}

/* ---- where values come from ------------------------------------------------------------------ */

/* A file, the values of one parameter, or a seed if there is neither. */
typedef struct origin {
    const vdnn_graph *graph; /* borrowed */
    vdnn_weight_file *file;
    vdnn_torch_names torch; /* that the file has; or none: it has the layers' */
    const char *path;       /* borrowed */
    const float *values;    /* borrowed */
    uint64_t seed;
    int threads;
} origin;

static bool has_tensor(const vdnn_weight_file *file, const char *name)
{
    int32_t i = vdnn_weight_file_count(file) - 1;
    while (i >= 0 && strcmp(vdnn_weight_file_name(file, i), name) != 0)
        i--;
    return i >= 0;
}

/* As name_of, by torchvision's names if there are any. */
static void name_in_file(const vdnn_torch_names *torch, const vdnn_layer *layer, int32_t p,
                         char name[NAME_BYTES])
{
    const char *module = vdnn_torch_names_of(torch, layer);
    (void)snprintf(name, NAME_BYTES, "%s.%s", module == NULL ? layer->name : module,
                   layer->params[p].name);
}

/* How many of the parameters a file has by these names. */
static int32_t count_tensors(const origin *from, const vdnn_torch_names *torch)
{
    char name[NAME_BYTES];
    int32_t count = 0;
    for (int32_t l = 0; l < from->graph->layer_count; l++)
        for (int32_t p = 0; p < from->graph->layers[l].param_count; p++) {
            name_in_file(torch, &from->graph->layers[l], p, name);
            count += has_tensor(from->file, name);
        }
    return count;
}

/* Opens the file; by the names of torchvision if it has more of those. */
static vdnn_status open_file(origin *from)
{
    const vdnn_torch_names none = {0};
    vdnn_torch_names torch = {0};
    VDNN_TRY(vdnn_weight_file_open(from->path, &from->file));
    VDNN_TRY(vdnn_torch_names_init(from->graph, &torch));
    if (torch.names != NULL && count_tensors(from, &torch) > count_tensors(from, &none))
        from->torch = torch;
    else
        vdnn_torch_names_fini(&torch);
    return VDNN_OK;
}

static void close_file(origin *from)
{
    vdnn_weight_file_close(from->file);
    vdnn_torch_names_fini(&from->torch);
}

/* The name that a file has a parameter under: its own; but PyTorch's save_model keeps of the names
 * of a weight that layers share the first by the alphabet. */
static void find_name(const origin *from, const vdnn_layer *layer, int32_t p, char name[NAME_BYTES])
{
    name_in_file(&from->torch, layer, p, name);
    if (p > 0 || !layer->is_tied || has_tensor(from->file, name))
        return;
    for (int32_t l = 0; l < from->graph->layer_count; l++) {
        char other[NAME_BYTES];
        if (from->graph->layers[l].owner != layer->index)
            continue;
        name_of(&from->graph->layers[l], 0, other);
        if (has_tensor(from->file, other))
            memcpy(name, other, sizeof other);
    }
}

static vdnn_status read_named(const origin *from, const char *name, const vdnn_param *param,
                              range part, float *values)
{
    vdnn_status status = vdnn_weight_file_read_part(from->file, name, param->dims, param->dim_count,
                                                    part.first, part.count, values);
    if (status == VDNN_OK || strstr(vdnn_status_message(), from->path) != NULL)
        return status;
    return vdnn_status_prefix(status, "%s", from->path);
}

static vdnn_status read_part(const origin *from, const vdnn_layer *layer, int32_t p, range part,
                             float *values)
{
    char name[NAME_BYTES];
    find_name(from, layer, p, name);
    return read_named(from, name, &layer->params[p], part, values);
}

/* What the file does not have of an adapter begins as without a file. */
static bool is_lacking(const origin *from, const vdnn_layer *layer, int32_t p)
{
    char name[NAME_BYTES];
    name_in_file(&from->torch, layer, p, name);
    return layer->is_adapter && !has_tensor(from->file, name);
}

static vdnn_status get_part(const origin *from, const vdnn_layer *layer, int32_t p, range part,
                            float *values)
{
    if (from->file != NULL && !is_lacking(from, layer, p))
        return read_part(from, layer, p, part, values);
    if (from->values != NULL) {
        memcpy(values, from->values + part.first, (size_t)part.count * sizeof *values);
        return VDNN_OK;
    }
    make_range(layer, p, from->seed, part, from->threads, values);
    return VDNN_OK;
}

/* ---- check ----------------------------------------------------------------------------------- */

typedef struct name_list {
    char (*names)[NAME_BYTES];
    const char **pointers;
    size_t count;
} name_list;

static void name_list_fini(name_list *list)
{
    vdnn_heap_free(list->names);
    vdnn_heap_free(list->pointers);
}

static int compare_names(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

/* Sorted. */
static vdnn_status name_list_init(const origin *from, name_list *list)
{
    const vdnn_graph *graph = from->graph;
    name_list fresh = {0};
    size_t most = (size_t)graph->layer_count * VDNN_LAYER_PARAMS;
    fresh.names = vdnn_heap_calloc(most, sizeof *fresh.names);
    fresh.pointers = vdnn_heap_calloc(most, sizeof *fresh.pointers);
    if (fresh.names == NULL || fresh.pointers == NULL) {
        name_list_fini(&fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of weights");
    }
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t p = 0; p < graph->layers[l].param_count; p++) {
            if (!vdnn_layer_owns(&graph->layers[l], p))
                continue;
            name_in_file(&from->torch, &graph->layers[l], p, fresh.names[fresh.count]);
            fresh.pointers[fresh.count] = fresh.names[fresh.count];
            fresh.count++;
        }
    qsort(fresh.pointers, fresh.count, sizeof(char *), compare_names);
    *list = fresh;
    return VDNN_OK;
}

/* The layer that a name is that of a weight of, which is another layer's; NULL: none. */
static const vdnn_layer *find_reader(const vdnn_graph *graph, const char *name)
{
    for (int32_t l = 0; l < graph->layer_count; l++) {
        char own[NAME_BYTES];
        if (graph->layers[l].owner == l)
            continue;
        name_of(&graph->layers[l], 0, own);
        if (strcmp(own, name) == 0)
            return &graph->layers[l];
    }
    return NULL;
}

/* A weight that layers share may be in a file under the name of each, as in PyTorch's state_dict.
 */
static vdnn_status check_shared(const origin *from, const vdnn_layer *reader, const char *name,
                                room *r)
{
    const vdnn_layer *owner = &from->graph->layers[reader->owner];
    const vdnn_param *param = &owner->params[0];
    float *other = (float *)(void *)r->packed;
    vdnn_status status = VDNN_OK;
    range part;
    for (int64_t first = 0; first < param->count && status == VDNN_OK; first += part.count) {
        part = next_slice(param, first).part;
        status = read_part(from, owner, 0, part, r->plain);
        VDNN_IF_OK(status, read_named(from, name, param, part, other));
        if (status == VDNN_OK && memcmp(other, r->plain, (size_t)part.count * sizeof *other) != 0)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: '%s' differs from the weight of layer '%s', but is the "
                                    "same one: '%s' has `weight_of: %s`",
                                    from->path, name, owner->name, reader->name, owner->name);
    }
    return status;
}

static vdnn_status check_name(const origin *from, const name_list *list, const char *name, room *r)
{
    char hint[NAME_BYTES + 32];
    if (bsearch(&name, list->pointers, list->count, sizeof(char *), compare_names) != NULL ||
        vdnn_torch_names_is_left_out(name))
        return VDNN_OK;
    const vdnn_layer *reader = find_reader(from->graph, name);
    if (reader != NULL)
        return check_shared(from, reader, name, r);
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: '%s' belongs to no layer of %s%s", from->path,
                            name, from->graph->name,
                            vdnn_text_hint(hint, sizeof hint, name, list->pointers, list->count));
}

/* Names that are no parameter's. */
static vdnn_status check_names(const origin *from, room *r)
{
    name_list list;
    vdnn_status status = name_list_init(from, &list);
    if (status != VDNN_OK)
        return status;
    for (int32_t i = 0; status == VDNN_OK && i < vdnn_weight_file_count(from->file); i++)
        status = check_name(from, &list, vdnn_weight_file_name(from->file, i), r);
    name_list_fini(&list);
    return status;
}

/* One such value would spread to the loss and to every weight. */
static vdnn_status check_finite(const origin *from, const vdnn_layer *layer, int32_t p, range part,
                                const float *values)
{
    char name[NAME_BYTES];
    int64_t i = 0;
    while (i < part.count && isfinite(values[i]))
        i++;
    if (i == part.count)
        return VDNN_OK;
    name_of(layer, p, name);
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: value %lld of %s is %g, expected a finite number",
                            from->path, (long long)(part.first + i), name, (double)values[i]);
}

static vdnn_status check_param(const origin *from, const vdnn_layer *layer, int32_t p, room *r)
{
    const vdnn_param *param = &layer->params[p];
    vdnn_status status = VDNN_OK;
    range part;
    for (int64_t first = 0; first < param->count && status == VDNN_OK; first += part.count) {
        part = next_slice(param, first).part;
        status = read_part(from, layer, p, part, r->plain);
        VDNN_IF_OK(status, check_finite(from, layer, p, part, r->plain));
    }
    return status;
}

static vdnn_status add_difference(vdnn_status status, const vdnn_graph *graph)
{
    char why[1024];
    (void)snprintf(why, sizeof why, "%s", vdnn_status_message());
    return vdnn_status_fail(status, "%s%s", why, vdnn_torch_names_difference(graph));
}

static vdnn_status check_layer(const origin *from, const vdnn_layer *layer, room *r,
                               int32_t *lacking)
{
    vdnn_status status = VDNN_OK;
    for (int32_t p = 0; p < layer->param_count && status == VDNN_OK; p++)
        if (is_lacking(from, layer, p))
            ++*lacking;
        else if (vdnn_layer_owns(layer, p))
            status = check_param(from, layer, p, r);
    return status;
}

vdnn_status vdnn_weights_check(const vdnn_graph *graph, const char *path, int32_t *lacking)
{
    origin from = {.graph = graph, .path = path};
    *lacking = 0;
    room r = {0};
    vdnn_status status = open_file(&from);
    VDNN_IF_OK(status, room_init(graph, &r));
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = check_layer(&from, &graph->layers[l], &r, lacking);
    VDNN_IF_OK(status, check_names(&from, &r));
    room_fini(&r);
    const bool is_similar = from.torch.names != NULL;
    close_file(&from);
    return status == VDNN_BAD_INPUT && is_similar ? add_difference(status, graph) : status;
}

/* ---- to the device --------------------------------------------------------------------------- */

/* Where a block is kept between steps. */
typedef struct place {
    vdnn_kept_block at;
    const char *whole; /* a copy of all of it in host memory; NULL: there is none */
} place;

/* Where a layer's parameters, or those of a slot, begin on the device of that rank; false: it has
 * none. */
static bool find_block(const vdnn_plan *plan, int32_t rank, int32_t layer, int32_t slot,
                       place *block)
{
    *block = (place){.whole = NULL};
    return vdnn_kept_find(plan, rank, layer, slot, &block->at);
}

/* What the block has of `bytes` bytes from `at` on. */
static vdnn_status write_block(vdnn_device *device, const place *block, size_t at, size_t bytes,
                               const char *from)
{
    const vdnn_kept_block *own = &block->at;
    const size_t first = at > own->first ? at : own->first,
                 end = at + bytes < own->end ? at + bytes : own->end;
    return first >= end ? VDNN_OK
                        : vdnn_device_write(device, own->tier, own->offset + (first - own->first),
                                            from + (first - at), end - first);
}

static vdnn_status read_block(vdnn_device *device, const place *block, size_t at, size_t bytes,
                              char *to)
{
    if (block->whole == NULL)
        return vdnn_device_read(device, to, block->at.tier, block->at.offset + at, bytes);
    memcpy(to, block->whole + at, bytes);
    return VDNN_OK;
}

/* Whether files have a parameter of a layer, or a slot of it. Running statistics have slots too,
 * but these are not used; a weight that layers share is its owner's. */
static bool is_kept(const vdnn_layer *layer, int32_t p, int32_t slot)
{
    const vdnn_param *param = &layer->params[p];
    return vdnn_layer_owns(layer, p) &&
           (slot == VDNN_KEPT_PARAMETERS ||
            (param->trainable && param->update == VDNN_UPDATE_OPTIMIZER));
}

static vdnn_status fill_param(const origin *from, const vdnn_layer *layer, int32_t p,
                              vdnn_device *device, const place *block, room *r)
{
    const vdnn_param *param = &layer->params[p];
    vdnn_status status = VDNN_OK;
    slice now;
    for (int64_t first = 0; first < param->count && status == VDNN_OK; first += now.part.count) {
        now = next_slice(param, first);
        status = get_part(from, layer, p, now.part, r->plain);
        if (status != VDNN_OK)
            return status;
        vdnn_stage_pack(&now.param, r->plain, r->packed);
        status = write_block(device, block, now.param.offset, now.param.bytes, r->packed);
    }
    return status;
}

static vdnn_status zero(vdnn_device *device, const vdnn_buffer *block, room *r)
{
    size_t most = r->bytes;
    vdnn_status status = VDNN_OK;
    memset(r->plain, 0, most);
    for (size_t done = 0; done < block->bytes && status == VDNN_OK; done += most)
        status = vdnn_device_write(device, block->tier, block->offset + done, r->plain,
                                   block->bytes - done < most ? block->bytes - done : most);
    return status;
}

static vdnn_status fill_layer(const vdnn_plan *plan, vdnn_device *device, int32_t rank,
                              int32_t slot, const origin *from, int32_t l, room *r)
{
    const vdnn_layer *layer = &vdnn_stage_whole(plan->graph)->layers[l];
    place block;
    bool has_block = find_block(plan, rank, layer->owner, slot, &block);
    vdnn_status status = VDNN_OK;
    for (int32_t p = 0; has_block && p < layer->param_count && status == VDNN_OK; p++)
        if (is_kept(layer, p, slot))
            status = fill_param(from, layer, p, device, &block, r);
    return status;
}

static vdnn_status zero_state(const vdnn_plan *plan, vdnn_device *device, room *r)
{
    vdnn_status status = VDNN_OK;
    for (int32_t l = 0; l < plan->graph->layer_count && status == VDNN_OK; l++)
        if (plan->state_buffer[l] >= 0 && plan->graph->layers[l].owner == l)
            status = zero(device, &plan->buffers[plan->state_buffer[l]], r);
    return status;
}

static vdnn_status fill(const vdnn_plan *plan, vdnn_device *device, int32_t rank, int32_t slot,
                        uint64_t seed, const char *path)
{
    origin from = {.graph = vdnn_stage_whole(plan->graph),
                   .path = path,
                   .seed = seed,
                   .threads = vdnn_device_describe(device)->threads};
    room r = {0};
    vdnn_status status = room_init(plan->graph, &r);
    if (status == VDNN_OK && path != NULL)
        status = open_file(&from);
    if (status == VDNN_OK && slot == VDNN_KEPT_PARAMETERS)
        status = zero_state(plan, device, &r);
    for (int32_t l = 0; status == VDNN_OK && l < plan->graph->layer_count; l++)
        status = fill_layer(plan, device, rank, slot, &from, l, &r);
    close_file(&from);
    room_fini(&r);
    return status;
}

vdnn_status vdnn_weights_fill(const vdnn_plan *plan, vdnn_device *device, uint64_t seed,
                              const char *path)
{
    vdnn_status status = fill(plan, device, 0, VDNN_KEPT_PARAMETERS, seed, path);
    return status == VDNN_OK ? vdnn_copy_fill(plan, device) : status;
}

vdnn_status vdnn_weights_load_slot(const vdnn_plan *plan, vdnn_device *device, int32_t rank,
                                   int32_t slot, const char *path)
{
    return fill(plan, device, rank, slot, 0, path);
}

vdnn_status vdnn_weights_set(const vdnn_plan *plan, vdnn_device *device, const vdnn_layer *layer,
                             int32_t param, int32_t slot, const float *values)
{
    const origin from = {.graph = plan->graph, .values = values};
    room r = {0};
    place block;
    if (!find_block(plan, 0, layer->index, slot, &block))
        return VDNN_OK;
    VDNN_TRY(room_init(plan->graph, &r));
    vdnn_status status = fill_param(&from, layer, param, device, &block, &r);
    room_fini(&r);
    return status == VDNN_OK && slot == VDNN_KEPT_PARAMETERS ? vdnn_copy_fill(plan, device)
                                                             : status;
}

/* ---- from the device ------------------------------------------------------------------------- */

static vdnn_status read_slice(vdnn_device *device, const place *block, const slice *now, room *r)
{
    VDNN_TRY(read_block(device, block, now->param.offset, now->param.bytes, r->packed));
    vdnn_stage_unpack(&now->param, r->packed, r->plain);
    return VDNN_OK;
}

vdnn_status vdnn_weights_get(const vdnn_plan *plan, vdnn_device *device, const vdnn_layer *layer,
                             int32_t param, int32_t slot, float *values)
{
    place block;
    return find_block(plan, 0, layer->index, slot, &block)
               ? vdnn_weights_read(plan->graph, device, &block.at, layer, param, values)
               : VDNN_OK;
}

vdnn_status vdnn_weights_read(const vdnn_graph *graph, vdnn_device *device,
                              const vdnn_kept_block *at, const vdnn_layer *layer, int32_t param,
                              float *values)
{
    const place block = {.at = *at};
    const int64_t count = layer->params[param].count;
    room r = {0};
    slice now;
    VDNN_TRY(room_init(graph, &r));
    vdnn_status status = VDNN_OK;
    for (int64_t first = 0; first < count && status == VDNN_OK; first += now.part.count) {
        now = next_slice(&layer->params[param], first);
        status = read_slice(device, &block, &now, &r);
        if (status == VDNN_OK)
            memcpy(values + first, r.plain, (size_t)now.part.count * sizeof *values);
    }
    room_fini(&r);
    return status;
}

/* No file of such values replaces one of better ones. */
static vdnn_status refuse_nonfinite(const vdnn_layer *layer, int32_t p, const slice *now,
                                    const float *values)
{
    char name[NAME_BYTES];
    int64_t i = 0;
    while (i < now->part.count && isfinite(values[i]))
        i++;
    if (i == now->part.count)
        return VDNN_OK;
    name_of(layer, p, name);
    return vdnn_status_fail(VDNN_DIVERGED,
                            "value %lld of %s, or of its optimizer state, is not finite, and such "
                            "values are not written to a file",
                            (long long)(now->part.first + i), name);
}

static vdnn_status save_param(const vdnn_layer *layer, int32_t p, vdnn_device *device,
                              const place *block, room *r, vdnn_weight_writer *writer)
{
    const vdnn_param *param = &layer->params[p];
    vdnn_status status = VDNN_OK;
    slice now;
    for (int64_t first = 0; first < param->count && status == VDNN_OK; first += now.part.count) {
        now = next_slice(param, first);
        VDNN_TRY(read_slice(device, block, &now, r));
        status = refuse_nonfinite(layer, p, &now, r->plain);
        VDNN_IF_OK(status, vdnn_weight_writer_put(writer, r->plain,
                                                  (size_t)now.part.count * sizeof(float)));
    }
    return status;
}

/* The tensors of a file, in the order in which their values are written. */
typedef struct contents {
    char (*names)[NAME_BYTES];
    vdnn_safetensors_entry *entries;
    int32_t count;
} contents;

static void contents_fini(contents *list)
{
    vdnn_heap_free(list->names);
    vdnn_heap_free(list->entries);
}

/* Of stages any may have it. */
static bool has_block(const vdnn_plan *plan, int32_t layer, int32_t slot, place *block)
{
    const vdnn_layer *own = &vdnn_stage_whole(plan->graph)->layers[layer];
    const size_t bytes = slot == VDNN_KEPT_PARAMETERS ? own->param_bytes : own->trainable_bytes;
    return find_block(plan, 0, layer, slot, block) || (plan->graph->stage.count > 0 && bytes > 0);
}

static vdnn_status contents_init(const vdnn_plan *plan, int32_t slot, const vdnn_torch_names *torch,
                                 contents *list)
{
    const vdnn_graph *graph = vdnn_stage_whole(plan->graph);
    size_t most = (size_t)graph->layer_count * VDNN_LAYER_PARAMS;
    contents fresh = {vdnn_heap_calloc(most, sizeof *fresh.names),
                      vdnn_heap_calloc(most, sizeof *fresh.entries), 0};
    if (fresh.names == NULL || fresh.entries == NULL) {
        contents_fini(&fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of weights");
    }
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_layer *layer = &graph->layers[l];
        place block;
        const bool is_there = has_block(plan, l, slot, &block);
        for (int32_t p = 0; is_there && p < layer->param_count; p++) {
            if (!is_kept(layer, p, slot))
                continue;
            name_in_file(torch, layer, p, fresh.names[fresh.count]);
            fresh.entries[fresh.count] =
                (vdnn_safetensors_entry){.name = fresh.names[fresh.count],
                                         .dims = layer->params[p].dims,
                                         .dim_count = layer->params[p].dim_count};
            fresh.count++;
        }
    }
    *list = fresh;
    return VDNN_OK;
}

/* A slot of which this device has a share comes from all, a block of another stage from that. */
static vdnn_status find_whole(const vdnn_plan *plan, vdnn_shares *shares, int32_t l, int32_t slot,
                              place *block)
{
    const vdnn_layer *layer = &vdnn_stage_whole(plan->graph)->layers[l];
    const bool is_staged = plan->graph->stage.count > 0;
    const float *values;
    if (!is_staged && (slot == VDNN_KEPT_PARAMETERS || layer->owner != l ||
                       !vdnn_graph_is_sharded(plan->graph, layer)))
        return VDNN_OK;
    if (shares == NULL)
        return vdnn_status_fail(VDNN_INTERNAL, "one device saves what it has a share of");
    vdnn_status status = vdnn_shares_fetch(shares, layer->owner, slot, &values);
    if (status == VDNN_OK)
        block->whole = (const char *)values;
    return status;
}

static vdnn_status save_layer(const vdnn_plan *plan, vdnn_device *device, vdnn_shares *shares,
                              int32_t slot, int32_t l, room *r, vdnn_weight_writer *writer)
{
    const vdnn_layer *layer = &vdnn_stage_whole(plan->graph)->layers[l];
    place block;
    const bool is_there = has_block(plan, l, slot, &block);
    vdnn_status status = is_there ? find_whole(plan, shares, l, slot, &block) : VDNN_OK;
    for (int32_t p = 0; is_there && p < layer->param_count && status == VDNN_OK; p++)
        if (is_kept(layer, p, slot))
            status = save_param(layer, p, device, &block, r, writer);
    return status;
}

/* What is written, and how. */
typedef struct file_form {
    vdnn_shares *shares;
    int32_t slot;
    const vdnn_model *model; /* NULL: weights alone */
    vdnn_torch_names torch;  /* in place of the layers' names, if there are any */
    const json_t *classes;   /* their names; NULL: none */
} file_form;

static vdnn_status write_file(const vdnn_plan *plan, vdnn_device *device, const file_form *form,
                              const char *path, vdnn_digest *digest)
{
    contents list = {0};
    room r = {0};
    vdnn_weight_writer *writer = NULL;
    char *classes = form->classes == NULL ? NULL : vdnn_json_dump(form->classes, JSON_COMPACT);
    const vdnn_graph *graph = vdnn_stage_whole(plan->graph);
    const vdnn_onnx_network network = {form->model, graph, VDNN_ONNX_MOST_BYTES};
    vdnn_status status = contents_init(plan, form->slot, &form->torch, &list);
    VDNN_IF_OK(status, room_init(graph, &r));
    VDNN_IF_OK(status, vdnn_weight_writer_create(path, form->model == NULL ? NULL : &network,
                                                 list.entries, list.count, classes, &writer));
    for (int32_t l = 0; status == VDNN_OK && l < graph->layer_count; l++)
        status = save_layer(plan, device, form->shares, form->slot, l, &r, writer);
    if (status == VDNN_OK)
        status = vdnn_weight_writer_commit(writer, digest);
    else
        vdnn_weight_writer_abandon(writer);
    free(classes);
    room_fini(&r);
    contents_fini(&list);
    return status;
}

vdnn_status vdnn_weights_save(const vdnn_plan *plan, vdnn_device *device, vdnn_shares *shares,
                              bool by_torch, const json_t *classes, const char *path)
{
    const vdnn_graph *graph = vdnn_stage_whole(plan->graph);
    file_form form = {.shares = shares, .slot = VDNN_KEPT_PARAMETERS, .classes = classes};
    vdnn_status status = by_torch ? vdnn_torch_names_check(graph) : VDNN_OK;
    if (by_torch)
        VDNN_IF_OK(status, vdnn_torch_names_init(graph, &form.torch));
    VDNN_IF_OK(status, write_file(plan, device, &form, path, NULL));
    vdnn_torch_names_fini(&form.torch);
    return status;
}

vdnn_status vdnn_weights_export(const vdnn_plan *plan, vdnn_device *device, const vdnn_model *model,
                                const char *path)
{
    const file_form form = {.slot = VDNN_KEPT_PARAMETERS, .model = model};
    return write_file(plan, device, &form, path, NULL);
}

vdnn_status vdnn_weights_save_slot(const vdnn_plan *plan, vdnn_device *device, vdnn_shares *shares,
                                   int32_t slot, const json_t *classes, const char *path,
                                   vdnn_digest *digest)
{
    const file_form form = {.shares = shares, .slot = slot, .classes = classes};
    return write_file(plan, device, &form, path, digest);
}
