#include "runtime/train/weights.h"

#include "alloc/heap.h"
#include "layers/stage.h"
#include "runtime/data/safetensors.h"
#include "runtime/random.h"
#include "runtime/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 256 };

/* Keeps these numbers apart from those of dropout under the same seed. */
static const uint64_t KEY = UINT64_C(0x77656967687473);

static void name_of(const vdnn_layer *layer, int32_t param, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "%s.%s", layer->name, layer->params[param].name);
}

static void make_constant(const vdnn_param *param, double value, float *values)
{
    for (int64_t i = 0; i < param->count; i++)
        values[i] = (float)value;
}

static void make_random(const vdnn_layer *layer, int32_t index, uint64_t seed, bool is_normal,
                        double scale, float *values)
{
    const vdnn_param *param = &layer->params[index];
    for (int64_t i = 0; i < param->count; i += 4) {
        uint64_t block = (uint64_t)i / 4;
        uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)layer->number,
                               (uint32_t)index};
        uint32_t bits[4];
        float four[4];
        vdnn_random_philox(seed ^ KEY, counter, bits);
        if (is_normal) {
            vdnn_random_normal(bits[0], bits[1], four);
            vdnn_random_normal(bits[2], bits[3], four + 2);
        } else {
            for (int k = 0; k < 4; k++)
                four[k] = 2.0F * vdnn_random_unit(bits[k]) - 1.0F;
        }
        for (int64_t k = 0; k < 4 && i + k < param->count; k++)
            values[i + k] = (float)(scale * (double)four[k]);
    }
}

void vdnn_weights_make(const vdnn_layer *layer, int32_t param, uint64_t seed, float *values)
{
    const vdnn_param *p = &layer->params[param];
    if (p->is_bias || (p->fan_in != 0 && layer->init.kind == VDNN_INIT_ZEROS))
        make_constant(p, 0.0, values);
    else if (p->fan_in == 0)
        make_constant(p, p->fill, values);
    else if (layer->init.kind == VDNN_INIT_HE)
        make_random(layer, param, seed, true, sqrt(2.0 / (double)p->fan_in), values);
    else if (layer->init.kind == VDNN_INIT_XAVIER)
        make_random(layer, param, seed, false, sqrt(6.0 / (double)(p->fan_in + p->fan_out)),
                    values);
    else
        make_random(layer, param, seed, true, layer->init.std, values);
}

/* ---- one layer's block ----------------------------------------------------------------------- */

/* Room for the largest layer's parameters as they lie on the device, and for the largest single one
 * as it is in a file. */
typedef struct room {
    char *block;
    float *plain;
} room;

static void room_fini(room *r)
{
    vdnn_heap_free(r->block);
    vdnn_heap_free(r->plain);
}

static vdnn_status room_init(const vdnn_graph *graph, room *r)
{
    size_t bytes = 4, count = 1;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_layer *layer = &graph->layers[l];
        bytes = layer->param_bytes > bytes ? layer->param_bytes : bytes;
        for (int32_t p = 0; p < layer->param_count; p++)
            if ((size_t)layer->params[p].count > count &&
                layer->params[p].layout != VDNN_PARAM_PLAIN)
                count = (size_t)layer->params[p].count;
    }
    room fresh = {vdnn_heap_calloc(1, bytes), vdnn_heap_calloc(count, sizeof(float))};
    if (fresh.block == NULL || fresh.plain == NULL) {
        room_fini(&fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the weights of a layer (%zu bytes)",
                                bytes + count * sizeof(float));
    }
    *r = fresh;
    return VDNN_OK;
}

/* Where a parameter's values are to be written before `put_param` takes them: its place, unless it
 * lies there in another order. */
static float *plain_of(const room *r, const vdnn_param *param)
{
    return param->layout == VDNN_PARAM_PLAIN ? (float *)(void *)(r->block + param->offset)
                                             : r->plain;
}

static void put_param(const room *r, const vdnn_param *param)
{
    if (param->layout != VDNN_PARAM_PLAIN)
        vdnn_stage_pack(param, r->plain, r->block + param->offset);
}

static vdnn_status read_block(const vdnn_safetensors *file, const char *path,
                              const vdnn_layer *layer, const room *r)
{
    char name[NAME_BYTES];
    for (int32_t p = 0; p < layer->param_count; p++) {
        const vdnn_param *param = &layer->params[p];
        name_of(layer, p, name);
        vdnn_status status =
            vdnn_safetensors_read(file, name, param->dims, param->dim_count, plain_of(r, param));
        if (status != VDNN_OK)
            return strstr(vdnn_status_message(), path) != NULL
                       ? status
                       : vdnn_status_prefix(status, "%s", path);
        put_param(r, param);
    }
    return VDNN_OK;
}

static void make_block(const vdnn_layer *layer, uint64_t seed, const room *r)
{
    for (int32_t p = 0; p < layer->param_count; p++) {
        vdnn_weights_make(layer, p, seed, plain_of(r, &layer->params[p]));
        put_param(r, &layer->params[p]);
    }
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

static vdnn_status name_list_init(const vdnn_graph *graph, name_list *list)
{
    name_list fresh = {0};
    size_t most = (size_t)graph->layer_count * VDNN_MAX_PARAMS;
    fresh.names = vdnn_heap_calloc(most, sizeof *fresh.names);
    fresh.pointers = vdnn_heap_calloc(most, sizeof *fresh.pointers);
    if (fresh.names == NULL || fresh.pointers == NULL) {
        name_list_fini(&fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of weights");
    }
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t p = 0; p < graph->layers[l].param_count; p++) {
            name_of(&graph->layers[l], p, fresh.names[fresh.count]);
            fresh.pointers[fresh.count] = fresh.names[fresh.count];
            fresh.count++;
        }
    *list = fresh;
    return VDNN_OK;
}

/* PyTorch counts the batches that a batch norm saw; nothing here needs it. */
static bool is_counter(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".num_batches_tracked") == 0;
}

static vdnn_status check_extra(const vdnn_graph *graph, const vdnn_safetensors *file,
                               const char *path)
{
    name_list list;
    vdnn_status status = name_list_init(graph, &list);
    if (status != VDNN_OK)
        return status;
    for (int32_t i = 0; status == VDNN_OK && i < vdnn_safetensors_count(file); i++) {
        const char *name = vdnn_safetensors_name(file, i);
        size_t n = 0;
        while (n < list.count && strcmp(list.pointers[n], name) != 0)
            n++;
        char hint[NAME_BYTES + 32];
        if (n == list.count && !is_counter(name))
            status = vdnn_status_fail(
                VDNN_BAD_INPUT, "%s: '%s' belongs to no layer of %s%s", path, name, graph->name,
                vdnn_text_hint(hint, sizeof hint, name, list.pointers, list.count));
    }
    name_list_fini(&list);
    return status;
}

vdnn_status vdnn_weights_check(const vdnn_graph *graph, const char *path)
{
    vdnn_safetensors *file = NULL;
    room r = {0};
    vdnn_status status = vdnn_safetensors_open(path, &file);
    if (status == VDNN_OK)
        status = room_init(graph, &r);
    for (int32_t l = 0; status == VDNN_OK && l < graph->layer_count; l++)
        status = read_block(file, path, &graph->layers[l], &r);
    if (status == VDNN_OK)
        status = check_extra(graph, file, path);
    room_fini(&r);
    vdnn_safetensors_close(file);
    return status;
}

/* ---- to and from the device ------------------------------------------------------------------ */

static vdnn_status fill_layer(const vdnn_plan *plan, vdnn_device *device, uint64_t seed,
                              const vdnn_safetensors *file, const char *path, int32_t l,
                              const room *r)
{
    const vdnn_layer *layer = &plan->graph->layers[l];
    vdnn_status status = VDNN_OK;
    int32_t buffer = plan->param_buffer[l];
    if (buffer < 0)
        return VDNN_OK;
    if (file != NULL)
        status = read_block(file, path, layer, r);
    else
        make_block(layer, seed, r);
    if (status == VDNN_OK)
        status =
            vdnn_device_write(device, plan->buffers[buffer].offset, r->block, layer->param_bytes);
    if (status != VDNN_OK || plan->momentum_buffer[l] < 0)
        return status;
    memset(r->block, 0, layer->trainable_bytes);
    return vdnn_device_write(device, plan->buffers[plan->momentum_buffer[l]].offset, r->block,
                             layer->trainable_bytes);
}

vdnn_status vdnn_weights_fill(const vdnn_plan *plan, vdnn_device *device, uint64_t seed,
                              const char *path)
{
    vdnn_safetensors *file = NULL;
    room r = {0};
    vdnn_status status = room_init(plan->graph, &r);
    if (status == VDNN_OK && path != NULL)
        status = vdnn_safetensors_open(path, &file);
    for (int32_t l = 0; status == VDNN_OK && l < plan->graph->layer_count; l++)
        status = fill_layer(plan, device, seed, file, path, l, &r);
    vdnn_safetensors_close(file);
    room_fini(&r);
    return status;
}

/* Everything that a file of weights is written from. */
typedef struct snapshot {
    float **values; /* per parameter, plain */
    char (*names)[NAME_BYTES];
    vdnn_safetensors_entry *entries;
    int32_t count;
} snapshot;

static void snapshot_fini(snapshot *shot)
{
    for (int32_t i = 0; shot->values != NULL && i < shot->count; i++)
        vdnn_heap_free(shot->values[i]);
    vdnn_heap_free(shot->values);
    vdnn_heap_free(shot->names);
    vdnn_heap_free(shot->entries);
}

static vdnn_status take_param(const vdnn_layer *layer, int32_t p, const char *block, snapshot *shot)
{
    const vdnn_param *param = &layer->params[p];
    float *values = vdnn_heap_calloc((size_t)param->count, sizeof *values);
    if (values == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the weights of %s", layer->name);
    vdnn_stage_unpack(param, block + param->offset, values);
    name_of(layer, p, shot->names[shot->count]);
    shot->values[shot->count] = values;
    shot->entries[shot->count] = (vdnn_safetensors_entry){.name = shot->names[shot->count],
                                                          .dims = param->dims,
                                                          .dim_count = param->dim_count,
                                                          .floats = values};
    shot->count++;
    return VDNN_OK;
}

static vdnn_status take_layer(const vdnn_plan *plan, vdnn_device *device, int32_t l, const room *r,
                              snapshot *shot)
{
    const vdnn_layer *layer = &plan->graph->layers[l];
    if (plan->param_buffer[l] < 0)
        return VDNN_OK;
    vdnn_status status = vdnn_device_read(
        device, r->block, plan->buffers[plan->param_buffer[l]].offset, layer->param_bytes);
    for (int32_t p = 0; p < layer->param_count && status == VDNN_OK; p++)
        status = take_param(layer, p, r->block, shot);
    return status;
}

vdnn_status vdnn_weights_save(const vdnn_plan *plan, vdnn_device *device, const char *path)
{
    snapshot shot = {0};
    size_t most = (size_t)plan->graph->layer_count * VDNN_MAX_PARAMS;
    room r = {0};
    vdnn_status status = room_init(plan->graph, &r);
    shot.values = vdnn_heap_calloc(most, sizeof *shot.values);
    shot.names = vdnn_heap_calloc(most, sizeof *shot.names);
    shot.entries = vdnn_heap_calloc(most, sizeof *shot.entries);
    if (status == VDNN_OK && (shot.values == NULL || shot.names == NULL || shot.entries == NULL))
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of weights");
    for (int32_t l = 0; status == VDNN_OK && l < plan->graph->layer_count; l++)
        status = take_layer(plan, device, l, &r, &shot);
    if (status == VDNN_OK)
        status = vdnn_safetensors_write(path, shot.entries, shot.count);
    room_fini(&r);
    snapshot_fini(&shot);
    return status;
}
