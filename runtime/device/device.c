#include "runtime/base/heap.h"
#include "runtime/device/device_parts.h"

#include <string.h>
#include <unistd.h>

/* ---- opening and closing --------------------------------------------------------------------- */

vdnn_status vdnn_device_open(const char *kind, const vdnn_device_options *options,
                             vdnn_device **device)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    if (backend == NULL)
        return vdnn_device_fail_unknown(kind);
    vdnn_device *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory for its description", kind);
    fresh->backend = backend;
    fresh->process = (int)getpid();
    fresh->poison = options->poison;
    vdnn_status status = vdnn_offers_init(&fresh->offers);
    for (int t = 0; t < VDNN_TIER_COUNT && status == VDNN_OK; t++) {
        if (options->folders[t] == NULL)
            continue;
        fresh->folders[t] = vdnn_heap_strdup(options->folders[t]);
        if (fresh->folders[t] == NULL)
            status =
                vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory for its description", kind);
        fresh->has_files = true;
    }
    VDNN_IF_OK(status, backend->open(instance, options, &fresh->properties, &fresh->state));
    fresh->properties.nondeterministic = options->nondeterministic;
    if (status == VDNN_OK && !fresh->properties.recorded) {
        fresh->properties.preferred = backend->preferred();
        fresh->properties.other = vdnn_device_backend_other(backend);
        fresh->properties.fuses_relu = backend->fuses_relu;
        fresh->properties.pools_first = true;
        fresh->properties.copies_weights = backend->copies_weights;
    }
    VDNN_IF_OK(status, vdnn_device_grow_events(fresh, options->event_count));
    if (status != VDNN_OK) {
        vdnn_device_close(fresh);
        return status;
    }
    *device = fresh;
    return VDNN_OK;
}

void vdnn_device_close(vdnn_device *device)
{
    if (device == NULL || device->process != (int)getpid())
        return;
    if (device->state != NULL) {
        /* The message of an earlier error, which the caller still has to report, is kept: of
         * whichever status it was. */
        vdnn_first_error before = {VDNN_OK, ""};
        vdnn_first_error_keep(&before, VDNN_DEVICE);
        (void)vdnn_device_synchronize(device);
        (void)vdnn_device_select(device);
        while (device->staging != NULL)
            vdnn_device_unstage(device, device->staging->block);
        device->backend->close(device->state);
        (void)vdnn_first_error_tell(&before);
    }
    for (int t = 0; t < VDNN_TIER_COUNT; t++) {
        vdnn_device_free_file_tier(device, (vdnn_tier)t);
        vdnn_heap_free(device->folders[t]);
    }
    vdnn_heap_free(device->file_copies);
    vdnn_offers_fini(&device->offers);
    vdnn_heap_free(device->used);
    vdnn_heap_free(device);
}

vdnn_status vdnn_device_select(const vdnn_device *device)
{
    if (device->process != (int)getpid())
        return vdnn_status_fail(VDNN_USAGE,
                                "device %s: process %d opened it, and its threads are not in this "
                                "one, made by fork: open one here",
                                device->properties.kind, device->process);
    return device->backend->select == NULL ? VDNN_OK : device->backend->select(device->state);
}

const vdnn_device_properties *vdnn_device_describe(const vdnn_device *device)
{
    return &device->properties;
}

/* ---- algorithms ------------------------------------------------------------------------------ */

vdnn_status vdnn_device_predict(const vdnn_device *device, const vdnn_layer *layer, vdnn_pass pass,
                                const vdnn_algorithm *algorithm, double *seconds,
                                size_t *workspace_bytes)
{
    VDNN_INVARIANT(device->properties.simulated, ==, true);
    return device->backend->predict(device->state, layer, pass, algorithm, seconds,
                                    workspace_bytes);
}

static const vdnn_algorithm *own_algorithms(const vdnn_device *device, size_t *count)
{
    *count = 0;
    return device->backend->algorithms == NULL ? NULL
                                               : device->backend->algorithms(device->state, count);
}

const vdnn_algorithm *vdnn_device_algorithm(const vdnn_device *device, const char *layer_type,
                                            size_t *next)
{
    size_t own_count;
    const vdnn_algorithm *own = own_algorithms(device, &own_count);
    size_t count = own == NULL ? vdnn_algorithm_count() : own_count;
    while (*next < count) {
        const size_t k = (*next)++;
        const vdnn_algorithm *row = own == NULL ? vdnn_algorithm_at(k) : &own[k];
        if (strcmp(row->layer_type, layer_type) == 0 &&
            strcmp(row->device, device->properties.kind) == 0)
            return row;
    }
    return NULL;
}

/* The rates of one thread, about, and what it does before others would have woken up. */
static const double lone_flops = 50e9, lone_bytes = 20e9, lone_seconds = 10e-6;

/* One thread or all: a team that shrinks ends threads, which it has to start again to grow. */
static int threads_of(const vdnn_device *device, const vdnn_layer *layer, vdnn_pass pass)
{
    const double seconds =
        vdnn_layer_flops(layer, pass) / lone_flops + vdnn_layer_bytes(layer, pass) / lone_bytes;
    return seconds < lone_seconds ? 1 : device->properties.threads;
}

vdnn_status vdnn_device_ask(vdnn_device *device, const vdnn_algorithm *row, const vdnn_layer *layer,
                            vdnn_pass pass, vdnn_offer *offer)
{
    const char *signature = layer->signature;
    if (!row->deterministic && !device->properties.nondeterministic) {
        *offer = (vdnn_offer){.refusal = "its results differ in the last bits from run to run "
                                         "(--nondeterministic admits it)"};
        return VDNN_OK;
    }
    if (signature != NULL && vdnn_offers_find(&device->offers, row, signature, pass, offer))
        return VDNN_OK;
    vdnn_status status =
        vdnn_algorithm_ask(row, layer, pass, threads_of(device, layer, pass), offer);
    if (status == VDNN_OK && signature != NULL)
        vdnn_offers_keep(&device->offers, row, signature, pass, offer);
    return status;
}

vdnn_status vdnn_device_kernel(vdnn_device *device, const vdnn_algorithm *row,
                               const vdnn_layer *layer, vdnn_pass pass, vdnn_kernel **kernel)
{
    vdnn_offer offer;
    vdnn_status status = vdnn_device_ask(device, row, layer, pass, &offer);
    return status == VDNN_OK
               ? vdnn_kernel_create_offered(row, layer, pass, threads_of(device, layer, pass),
                                            &offer, kernel)
               : status;
}

vdnn_rates vdnn_device_predict_rates(const vdnn_device *device)
{
    VDNN_INVARIANT(device->properties.simulated, ==, true);
    return device->backend->predict_rates(device->state);
}
