#include "runtime/device/sim/recorded.h"

#include "runtime/base/heap.h"
#include "runtime/profile/profile_store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TYPE_BYTES = 64 };

struct vdnn_recorded {
    vdnn_profile_store *store;
    char *path;
    vdnn_algorithm *algorithms;
    char (*types)[TYPE_BYTES]; /* of each algorithm */
    size_t count;
};

/* ---- opening --------------------------------------------------------------------------------- */

static vdnn_status check(const vdnn_recorded *recorded)
{
    const char *lacks = NULL;
    for (int i = 0; i < VDNN_PROFILE_RATE_COUNT; i++)
        if (vdnn_profile_store_rate(recorded->store, (vdnn_profile_rate)i) <= 0)
            lacks = "not all rates of the link and of small operations";
    for (size_t i = 0; i < vdnn_profile_store_row_count(recorded->store); i++)
        if (vdnn_profile_store_row(recorded->store, i).workspace_bytes < 0)
            lacks = "a row without workspace";
    if (vdnn_profile_store_device(recorded->store)->kind[0] == '\0')
        lacks = "no line 'device'";
    if (lacks == NULL)
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_BAD_INPUT,
        "%s: it cannot be simulated from: it has %s; --profile with a new file writes one that can",
        recorded->path, lacks);
}

/* A signature begins with the layer's type. */
static vdnn_status add_algorithm(vdnn_recorded *recorded, const vdnn_profile_row *row)
{
    size_t length = strcspn(row->signature, "("), n = recorded->count;
    if (length >= TYPE_BYTES)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: a layer's type has more than %d letters",
                                recorded->path, TYPE_BYTES - 1);
    memcpy(recorded->types[n], row->signature, length);
    for (size_t i = 0; i < n; i++)
        if (strcmp(recorded->types[i], recorded->types[n]) == 0 &&
            strcmp(recorded->algorithms[i].name, row->algorithm) == 0) {
            memset(recorded->types[n], 0, TYPE_BYTES);
            recorded->algorithms[i].updates |= row->updates;
            return VDNN_OK;
        }
    recorded->algorithms[n] = (vdnn_algorithm){.layer_type = recorded->types[n],
                                               .name = row->algorithm,
                                               .device = "sim",
                                               .passes = (1U << VDNN_PASS_COUNT) - 1,
                                               .deterministic = true,
                                               .updates = row->updates};
    recorded->count++;
    return VDNN_OK;
}

static vdnn_status list_algorithms(vdnn_recorded *recorded)
{
    size_t rows = vdnn_profile_store_row_count(recorded->store);
    recorded->algorithms = vdnn_heap_calloc(rows + 1, sizeof *recorded->algorithms);
    recorded->types = vdnn_heap_calloc(rows + 1, sizeof *recorded->types);
    if (recorded->algorithms == NULL || recorded->types == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its %zu rows", recorded->path,
                                rows);
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; status == VDNN_OK && i < rows; i++) {
        vdnn_profile_row row = vdnn_profile_store_row(recorded->store, i);
        status = add_algorithm(recorded, &row);
    }
    return status;
}

vdnn_status vdnn_recorded_open(const char *path, vdnn_recorded **recorded)
{
    vdnn_recorded *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it", path);
    vdnn_status status = vdnn_profile_store_open(path, &fresh->store);
    fresh->path = vdnn_heap_strdup(path);
    if (status == VDNN_OK && fresh->path == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it", path);
    VDNN_IF_OK(status, check(fresh));
    VDNN_IF_OK(status, list_algorithms(fresh));
    if (status == VDNN_OK)
        *recorded = fresh;
    else
        vdnn_recorded_close(fresh);
    return status;
}

void vdnn_recorded_close(vdnn_recorded *recorded)
{
    if (recorded == NULL)
        return;
    vdnn_profile_store_destroy(recorded->store);
    vdnn_heap_free(recorded->path);
    vdnn_heap_free(recorded->algorithms);
    vdnn_heap_free(recorded->types);
    vdnn_heap_free(recorded);
}

/* ---- what it says ---------------------------------------------------------------------------- */

static bool is_card(const vdnn_profile_device *device)
{
    return strcmp(device->kind, "cuda") == 0;
}

/* For a card it may have both layouts, and which is faster. */
static vdnn_layout other_layout(const vdnn_profile_device *device)
{
    return is_card(device) ? VDNN_NHWC : device->preferred;
}

vdnn_device_properties vdnn_recorded_describe(const vdnn_recorded *recorded)
{
    const vdnn_profile_device *device = vdnn_profile_store_device(recorded->store);
    vdnn_device_properties properties = {.kind = "sim",
                                         .memory_bytes = device->memory_bytes,
                                         .free_bytes = device->device_bytes,
                                         .threads = device->threads,
                                         .simulated = true,
                                         .calibrated = true,
                                         .host_free_bytes = device->host_bytes,
                                         .recorded = true,
                                         .preferred = device->preferred,
                                         .other = other_layout(device),
                                         .fuses_relu = device->fuses_relu,
                                         .pools_first = device->pools_first,
                                         .has_link = is_card(device),
                                         .copies_weights = is_card(device)};
    (void)snprintf(properties.name, sizeof properties.name, "%.127s",
                   vdnn_profile_store_key(recorded->store));
    (void)snprintf(properties.library, sizeof properties.library, "recorded on %s", device->kind);
    return properties;
}

vdnn_rates vdnn_recorded_rates(const vdnn_recorded *recorded)
{
    return (vdnn_rates){
#define X(name) .name = vdnn_profile_store_rate(recorded->store, VDNN_PROFILE_RATE_##name),
        VDNN_PROFILE_RATE_TABLE(X)
#undef X
    };
}

const vdnn_algorithm *vdnn_recorded_algorithms(const vdnn_recorded *recorded, size_t *count)
{
    *count = recorded->count;
    return recorded->algorithms;
}

static bool find(const vdnn_recorded *recorded, const vdnn_layer *layer, vdnn_pass pass,
                 const vdnn_algorithm *algorithm, vdnn_profile_row *row)
{
    *row = (vdnn_profile_row){.signature = layer->signature,
                              .algorithm = algorithm->name,
                              .pass = pass,
                              .batch = layer->x[0].dims[VDNN_N]};
    return vdnn_profile_store_find(recorded->store, row);
}

vdnn_status vdnn_recorded_predict(const vdnn_recorded *recorded, const vdnn_layer *layer,
                                  vdnn_pass pass, const vdnn_algorithm *algorithm, double *seconds,
                                  size_t *workspace_bytes)
{
    vdnn_profile_row row;
    double share = 1;
    bool is_known = find(recorded, layer, pass, algorithm, &row);
    if (!is_known && layer->whole != NULL) {
        share = layer->share;
        is_known = find(recorded, layer->whole, pass, algorithm, &row);
    }
    if (!is_known)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s has no time of it for this shape and batch",
                                recorded->path);
    *seconds = row.seconds * share;
    *workspace_bytes = (size_t)ceil((double)row.workspace_bytes * share);
    return VDNN_OK;
}
