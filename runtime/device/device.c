#include "runtime/device/device.h"
#include "alloc/file_tier.h"
#include "runtime/base/heap.h"
#include "runtime/device/device_backend.h"
#include "runtime/device/offers.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const vdnn_device_backend *const backends[] = {
    &vdnn_device_cpu,
#ifdef VDNN_CUDA
    &vdnn_device_cuda,
#endif
    &vdnn_device_sim,
};
enum { BACKEND_COUNT = sizeof backends / sizeof *backends };

typedef struct staged {
    char *block;
    size_t bytes;
    struct staged *next;
} staged;

typedef struct tier {
    char *base;
    size_t bytes, high_water;
} tier;

/* A copy between the host and the file tier. */
typedef struct file_copy {
    vdnn_file_lane *lane;
    const char *from; /* host memory; NULL: a read */
    char *to;
    size_t offset, bytes;
} file_copy;

struct vdnn_device {
    const vdnn_device_backend *backend;
    void *state;
    vdnn_device_properties properties;
    tier tiers[VDNN_TIER_COUNT];
    size_t locked_bytes;
    staged *staging;
    uint64_t *used; /* per event: the round in which it was last given to an operation */
    int32_t event_count;
    uint64_t begun, finished;       /* rounds so far */
    bool timed[VDNN_DEVICE_ROUNDS]; /* per place */
    const bool *awaited;            /* of the round begun last: per event; borrowed; NULL: all */
    vdnn_device_moved moved;        /* by the round finished last */
    bool poison;
    char *disk;                               /* NULL: there is no file tier */
    vdnn_file_tier *file;                     /* NULL: it has no bytes */
    vdnn_file_lane *lanes[VDNN_STREAM_COUNT]; /* of the streams that copy from it or to it */
    file_copy *file_copies;                   /* per place and event; NULL: no `disk` */
    const vdnn_device_observer *observer;     /* borrowed; NULL: none */
    char pageable[512];
    vdnn_offers offers;
};

/* ---- opening --------------------------------------------------------------------------------- */

/* Replaces the row of its kind. */
static const vdnn_device_backend *_Atomic replacement;

void vdnn_device_replace(const vdnn_device_backend *backend)
{
    atomic_store(&replacement, backend);
}

static const vdnn_device_backend *find_backend(const char *kind, const char **instance)
{
    size_t length = strcspn(kind, ":");
    for (size_t i = 0; i < BACKEND_COUNT; i++)
        if (strlen(backends[i]->kind) == length && strncmp(backends[i]->kind, kind, length) == 0) {
            *instance = kind[length] == ':' ? kind + length + 1 : "";
            const vdnn_device_backend *other = atomic_load(&replacement);
            return other != NULL && strcmp(other->kind, backends[i]->kind) == 0 ? other
                                                                                : backends[i];
        }
    return NULL;
}

bool vdnn_device_is_built(const char *kind)
{
    const char *instance;
    return find_backend(kind, &instance) != NULL;
}

bool vdnn_device_is_there(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = find_backend(kind, &instance);
    return backend != NULL && (backend->is_there == NULL || backend->is_there());
}

vdnn_layout vdnn_device_preferred_layout(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = find_backend(kind, &instance);
    return backend == NULL ? VDNN_NCHW : backend->preferred();
}

static vdnn_layout other_layout(const vdnn_device_backend *backend)
{
    return backend->other == NULL ? backend->preferred() : backend->other();
}

vdnn_layout vdnn_device_other_layout(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = find_backend(kind, &instance);
    return backend == NULL ? VDNN_NCHW : other_layout(backend);
}

bool vdnn_device_fuses_relu(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = find_backend(kind, &instance);
    return backend != NULL && backend->fuses_relu;
}

const char *vdnn_device_refusal(const char *kind, vdnn_dtype dtype)
{
    const char *instance;
    const vdnn_device_backend *backend = find_backend(kind, &instance);
    bool can_be = backend == NULL || dtype != VDNN_TF32 ||
                  (backend->has_tf32 != NULL && backend->has_tf32(instance));
    return can_be ? NULL
                  : "--dtype: tf32 is the arithmetic of GPUs' tensor cores, which this device does "
                    "not have; use f32 or bf16";
}

const char *vdnn_device_lack(const char *kind, vdnn_dtype dtype, size_t i)
{
    const char *instance;
    const vdnn_device_backend *backend = find_backend(kind, &instance);
    return backend == NULL ? NULL : backend->lack(dtype, i);
}

static vdnn_status fail_unknown(const char *kind)
{
    const char *names[BACKEND_COUNT];
    vdnn_text all = {0};
    for (size_t i = 0; i < BACKEND_COUNT; i++) {
        names[i] = backends[i]->kind;
        vdnn_text_add(&all, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    char hint[64];
    vdnn_status status = vdnn_status_fail(
        VDNN_DEVICE, "there is no device \"%s\"%s; this build has: %s", kind,
        vdnn_text_hint(hint, sizeof hint, kind, names, BACKEND_COUNT), all.failed ? "" : all.data);
    vdnn_text_fini(&all);
    return status;
}

vdnn_status vdnn_device_open(const char *kind, const vdnn_device_options *options,
                             vdnn_device **device)
{
    const char *instance;
    const vdnn_device_backend *backend = find_backend(kind, &instance);
    if (backend == NULL)
        return fail_unknown(kind);
    vdnn_device *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory for its description", kind);
    fresh->backend = backend;
    fresh->poison = options->poison;
    vdnn_status status = vdnn_offers_init(&fresh->offers);
    if (status == VDNN_OK && options->disk != NULL) {
        fresh->disk = vdnn_heap_strdup(options->disk);
        if (fresh->disk == NULL)
            status =
                vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory for its description", kind);
    }
    if (status == VDNN_OK)
        status = backend->open(instance, options, &fresh->properties, &fresh->state);
    fresh->properties.nondeterministic = options->nondeterministic;
    if (status == VDNN_OK && !fresh->properties.recorded) {
        fresh->properties.preferred = backend->preferred();
        fresh->properties.other = other_layout(backend);
        fresh->properties.fuses_relu = backend->fuses_relu;
        fresh->properties.copies_weights = backend->copies_weights;
    }
    if (status == VDNN_OK)
        status = vdnn_device_grow_events(fresh, options->event_count);
    if (status != VDNN_OK) {
        vdnn_device_close(fresh);
        return status;
    }
    *device = fresh;
    return VDNN_OK;
}

static void free_file_tier(vdnn_device *device)
{
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        vdnn_file_lane_destroy(device->lanes[i]);
        device->lanes[i] = NULL;
    }
    vdnn_file_tier_destroy(device->file);
    device->file = NULL;
}

void vdnn_device_close(vdnn_device *device)
{
    if (device == NULL)
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
    free_file_tier(device);
    vdnn_heap_free(device->disk);
    vdnn_heap_free(device->file_copies);
    vdnn_offers_fini(&device->offers);
    vdnn_heap_free(device->used);
    vdnn_heap_free(device);
}

vdnn_status vdnn_device_select(const vdnn_device *device)
{
    return device->backend->select == NULL ? VDNN_OK : device->backend->select(device->state);
}

const vdnn_device_properties *vdnn_device_describe(const vdnn_device *device)
{
    return &device->properties;
}

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
                                            size_t i)
{
    size_t own_count;
    const vdnn_algorithm *own = own_algorithms(device, &own_count);
    size_t count = own == NULL ? vdnn_algorithm_count() : own_count;
    for (size_t k = 0; k < count; k++) {
        const vdnn_algorithm *row = own == NULL ? vdnn_algorithm_at(k) : &own[k];
        if (strcmp(row->layer_type, layer_type) == 0 &&
            strcmp(row->device, device->properties.kind) == 0 && i-- == 0)
            return row;
    }
    return NULL;
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
    vdnn_status status = vdnn_algorithm_ask(row, layer, pass, device->properties.threads, offer);
    if (status == VDNN_OK && signature != NULL)
        vdnn_offers_keep(&device->offers, row, signature, pass, offer);
    return status;
}

vdnn_status vdnn_device_kernel(vdnn_device *device, const vdnn_algorithm *row,
                               const vdnn_layer *layer, vdnn_pass pass, vdnn_kernel **kernel)
{
    vdnn_offer offer;
    vdnn_status status = vdnn_device_ask(device, row, layer, pass, &offer);
    return status == VDNN_OK ? vdnn_kernel_create_offered(
                                   row, layer, pass, device->properties.threads, &offer, kernel)
                             : status;
}

vdnn_rates vdnn_device_predict_rates(const vdnn_device *device)
{
    VDNN_INVARIANT(device->properties.simulated, ==, true);
    return device->backend->predict_rates(device->state);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* NaN in every data type. */
enum { POISON = 0xff };

static vdnn_status poison(const vdnn_device *device, vdnn_tier tier_)
{
    enum { PART_BYTES = 1 << 20 };
    const tier *own = &device->tiers[tier_];
    if (tier_ == VDNN_TIER_HOST) { /* the file tier has no base */
        memset(own->base, POISON, own->bytes);
        return VDNN_OK;
    }
    char *part = vdnn_heap_calloc(PART_BYTES, 1);
    if (part == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to poison the device tier");
    memset(part, POISON, PART_BYTES);
    vdnn_status status = VDNN_OK;
    for (size_t at = 0; status == VDNN_OK && at < own->bytes; at += PART_BYTES) {
        size_t left = own->bytes - at;
        status = device->backend->transfer(device->state, own->base + at, part,
                                           left < PART_BYTES ? left : PART_BYTES);
    }
    vdnn_heap_free(part);
    return status;
}

static bool uses_files(vdnn_stream_id stream)
{
    return vdnn_stream_from(stream) == VDNN_TIER_FILE || vdnn_stream_to(stream) == VDNN_TIER_FILE;
}

static vdnn_status reserve_file(vdnn_device *device, size_t bytes)
{
    vdnn_file_tier_options options = {.folder = device->disk, .bytes = bytes};
    free_file_tier(device);
    if (bytes == 0)
        return VDNN_OK;
    if (device->disk == NULL || device->properties.simulated)
        return vdnn_status_fail(VDNN_DEVICE, "device %s: it has no file tier, for %zu bytes",
                                device->properties.kind, bytes);
    vdnn_status status = vdnn_file_tier_create(&options, &device->file);
    for (int i = 0; i < VDNN_STREAM_COUNT && status == VDNN_OK; i++)
        if (uses_files((vdnn_stream_id)i))
            status = vdnn_file_lane_create(device->file, NULL, &device->lanes[i]);
    if (status != VDNN_OK)
        free_file_tier(device);
    return status;
}

vdnn_status vdnn_device_reserve(vdnn_device *device, vdnn_tier tier_, size_t bytes)
{
    tier *own = &device->tiers[tier_];
    void *base = NULL;
    size_t locked = 0;
    *own = (tier){0};
    if (tier_ == VDNN_TIER_HOST)
        device->locked_bytes = 0;
    vdnn_status status = vdnn_device_select(device);
    if (status == VDNN_OK)
        status = tier_ == VDNN_TIER_FILE
                     ? reserve_file(device, bytes)
                     : device->backend->reserve(device->state, tier_, bytes, &base, &locked);
    if (status != VDNN_OK)
        return status;
    *own = (tier){.base = base, .bytes = bytes};
    if (tier_ == VDNN_TIER_HOST)
        device->locked_bytes = locked;
    return device->poison && base != NULL ? poison(device, tier_) : VDNN_OK;
}

void vdnn_device_set_disk_rates(vdnn_device *device, double spill_bytes_per_second,
                                double fill_bytes_per_second)
{
    device->properties.spill_bytes_per_second = spill_bytes_per_second;
    device->properties.fill_bytes_per_second = fill_bytes_per_second;
}

void *vdnn_device_base(const vdnn_device *device, vdnn_tier tier_)
{
    return device->tiers[tier_].base;
}

size_t vdnn_device_tier_bytes(const vdnn_device *device, vdnn_tier tier_)
{
    return device->tiers[tier_].bytes;
}

size_t vdnn_device_free_bytes(const vdnn_device *device)
{
    (void)vdnn_device_select(device);
    return device->backend->free_bytes == NULL ? device->properties.free_bytes
                                               : device->backend->free_bytes(device->state);
}

size_t vdnn_device_locked_bytes(const vdnn_device *device)
{
    return device->locked_bytes;
}

const char *vdnn_device_pageable(vdnn_device *device)
{
    size_t bytes = 0;
    const char *why =
        device->backend->pageable == NULL ? NULL : device->backend->pageable(device->state, &bytes);
    if (why != NULL)
        (void)snprintf(device->pageable, sizeof device->pageable,
                       "%zu bytes of host memory are pageable (%s)", bytes, why);
    return why == NULL ? NULL : device->pageable;
}

vdnn_status vdnn_device_stage(vdnn_device *device, size_t bytes, void **block)
{
    staged *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory to record a staging block",
                                device->properties.kind);
    void *memory = NULL;
    vdnn_status status = vdnn_device_select(device);
    if (status == VDNN_OK)
        status = device->backend->stage(device->state, bytes, &memory);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    if (device->poison)
        memset(memory, POISON, bytes);
    *fresh = (staged){memory, bytes, device->staging};
    device->staging = fresh;
    *block = memory;
    return VDNN_OK;
}

void vdnn_device_unstage(vdnn_device *device, void *block)
{
    staged **at = &device->staging;
    while (*at != NULL && (*at)->block != block)
        at = &(*at)->next;
    staged *found = *at;
    if (found == NULL)
        return;
    *at = found->next;
    (void)vdnn_device_select(device);
    device->backend->unstage(device->state, found->block, found->bytes);
    vdnn_heap_free(found);
}

size_t vdnn_device_allocation_count(const vdnn_device *device)
{
    return device->backend->allocation_count(device->state);
}

/* ---- what an operation may touch ------------------------------------------------------------- */

/* Checks that it is inside its tier, and records its end; *address may be NULL. */
static vdnn_status resolve(vdnn_device *device, const vdnn_extent *extent, char **address)
{
    if ((unsigned)extent->tier >= VDNN_TIER_COUNT)
        return vdnn_status_fail(VDNN_INTERNAL, "an extent is in tier %d of %d", (int)extent->tier,
                                VDNN_TIER_COUNT);
    tier *own = &device->tiers[extent->tier];
    if (extent->offset > own->bytes || extent->bytes > own->bytes - extent->offset)
        return vdnn_status_fail(
            VDNN_INTERNAL,
            "an operation touches %zu bytes at offset %zu of the %s tier, which "
            "has %zu bytes",
            extent->bytes, extent->offset, vdnn_tier_text(extent->tier), own->bytes);
    size_t end = extent->offset + extent->bytes;
    if (extent->bytes != 0 && end > own->high_water)
        own->high_water = end;
    if (address != NULL)
        *address = own->base == NULL ? NULL : own->base + extent->offset;
    return VDNN_OK;
}

static vdnn_status check_staged(const vdnn_device *device, const void *block, size_t bytes)
{
    uintptr_t at = (uintptr_t)block;
    for (const staged *own = device->staging; own != NULL; own = own->next) {
        uintptr_t base = (uintptr_t)own->block;
        if (at >= base && at - base <= own->bytes && bytes <= own->bytes - (at - base))
            return VDNN_OK;
    }
    return vdnn_status_fail(VDNN_INTERNAL, "%zu bytes at %p are in no staging block of the device",
                            bytes, block);
}

size_t vdnn_device_high_water(const vdnn_device *device, vdnn_tier tier_)
{
    return device->tiers[tier_].high_water;
}

void vdnn_device_reset_high_water(vdnn_device *device)
{
    for (int i = 0; i < VDNN_TIER_COUNT; i++)
        device->tiers[i].high_water = 0;
}

/* ---- rounds and operations ------------------------------------------------------------------- */

static bool is_under_way(const vdnn_device *device)
{
    return device->begun > device->finished;
}

/* Of the round of that number, from 1. */
static int place_of(uint64_t round)
{
    return (int)(round % VDNN_DEVICE_ROUNDS);
}

vdnn_status vdnn_device_grow_events(vdnn_device *device, int32_t event_count)
{
    if (event_count <= device->event_count)
        return VDNN_OK;
    if (is_under_way(device))
        return vdnn_status_fail(VDNN_INTERNAL, "device %s: more events while a round is under way",
                                device->properties.kind);
    size_t count = (size_t)event_count, copies = device->disk == NULL ? 0 : count;
    uint64_t *used = vdnn_heap_calloc(count, sizeof *used);
    file_copy *file_copies = vdnn_heap_calloc(VDNN_DEVICE_ROUNDS * copies, sizeof *file_copies);
    vdnn_status status = VDNN_OK;
    if (used == NULL || file_copies == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory for %d events",
                                  device->properties.kind, event_count);
    if (status == VDNN_OK)
        status = vdnn_device_select(device);
    if (status == VDNN_OK)
        status = device->backend->resize(device->state, event_count);
    if (status != VDNN_OK) {
        vdnn_heap_free(used);
        vdnn_heap_free(file_copies);
        return status;
    }
    vdnn_heap_free(device->used);
    vdnn_heap_free(device->file_copies);
    device->used = used;
    device->file_copies = file_copies;
    device->event_count = event_count;
    return VDNN_OK;
}

void vdnn_device_observe(vdnn_device *device, const vdnn_device_observer *observer)
{
    device->observer = observer;
}

static vdnn_status begin_round(vdnn_device *device, const bool *awaited)
{
    device->observer = NULL;
    if (device->begun - device->finished == VDNN_DEVICE_ROUNDS)
        return vdnn_status_fail(VDNN_INTERNAL, "device %s: a round begins while %d are under way",
                                device->properties.kind, VDNN_DEVICE_ROUNDS);
    int place = place_of(device->begun + 1);
    vdnn_status status = vdnn_device_select(device);
    if (status == VDNN_OK)
        status = device->backend->round(device->state, place, awaited == NULL);
    if (status != VDNN_OK)
        return status;
    device->begun++;
    device->timed[place] = awaited == NULL;
    device->awaited = awaited;
    return VDNN_OK;
}

vdnn_status vdnn_device_round(vdnn_device *device)
{
    return begin_round(device, NULL);
}

vdnn_status vdnn_device_round_untimed(vdnn_device *device, const bool *awaited)
{
    return begin_round(device, awaited);
}

static bool is_used(const vdnn_device *device, int32_t event)
{
    return device->used[event] == device->begun;
}

static bool is_awaited(const vdnn_device *device, int32_t event)
{
    return device->awaited == NULL || device->awaited[event];
}

static vdnn_status check_order(const vdnn_device *device, const vdnn_device_work *work)
{
    if ((unsigned)work->stream >= VDNN_STREAM_COUNT)
        return vdnn_status_fail(VDNN_INTERNAL, "stream %d of %d", (int)work->stream,
                                VDNN_STREAM_COUNT);
    if (!is_under_way(device))
        return vdnn_status_fail(VDNN_INTERNAL, "an operation outside of a round");
    if (work->event < 0 || work->event >= device->event_count)
        return vdnn_status_fail(VDNN_INTERNAL, "event %d of %d", work->event, device->event_count);
    if (is_used(device, work->event))
        return vdnn_status_fail(VDNN_INTERNAL, "event %d is used twice in a round", work->event);
    for (int32_t i = 0; i < work->wait_count; i++) {
        int32_t wait = work->waits[i];
        if (wait < 0 || wait >= device->event_count || !is_used(device, wait))
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "event %d waits for event %d, which was not enqueued before it",
                                    work->event, wait);
        if (!is_awaited(device, wait))
            return vdnn_status_fail(
                VDNN_INTERNAL,
                "event %d waits for event %d, which was enqueued as one that nothing waits for",
                work->event, wait);
    }
    return VDNN_OK;
}

static bool copies_files(const vdnn_device_work *work)
{
    return work->to_end == VDNN_TIER_FILE || work->from_end == VDNN_TIER_FILE;
}

/* On the stream's own thread. */
static vdnn_status run_file_copy(void *argument, void *stream)
{
    const file_copy *own = argument;
    (void)stream;
    if (own->from != NULL)
        vdnn_file_lane_write(own->lane, own->offset, own->from, own->bytes);
    else
        vdnn_file_lane_read(own->lane, own->offset, own->to, own->bytes);
    return vdnn_file_lane_finish(own->lane);
}

/* No device copies to files: for each this is a piece of work of the host's. */
static void run_by_lane(const vdnn_device *device, vdnn_device_work *work)
{
    file_copy *own = &device->file_copies[work->place * device->event_count + work->event];
    *own = (file_copy){.lane = device->lanes[work->stream],
                       .from = work->from,
                       .to = work->to,
                       .offset = work->file_offset,
                       .bytes = work->bytes};
    work->run = run_file_copy;
    work->argument = own;
    work->on_host = true;
}

/* Passes an operation on to the backend if all checks succeeded. */
static vdnn_status enqueue(vdnn_device *device, vdnn_device_work *work, vdnn_status status)
{
    work->observer = device->observer;
    if (status == VDNN_OK)
        status = check_order(device, work);
    if (status != VDNN_OK)
        return status;
    work->place = place_of(device->begun);
    work->awaited = is_awaited(device, work->event);
    if (copies_files(work))
        run_by_lane(device, work);
    status = device->backend->enqueue(device->state, work);
    if (status == VDNN_OK)
        device->used[work->event] = device->begun;
    return status;
}

vdnn_status vdnn_device_launch(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                               const int32_t *waits, int32_t wait_count, const vdnn_launch *launch)
{
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < launch->extent_count; i++)
        status = resolve(device, &launch->extents[i], NULL);
    vdnn_device_work work = {.stream = stream,
                             .event = event,
                             .waits = waits,
                             .wait_count = wait_count,
                             .run = launch->run,
                             .argument = launch->argument,
                             .seconds = launch->seconds};
    return enqueue(device, &work, status);
}

static vdnn_device_work copy_work(vdnn_stream_id stream, int32_t event, const int32_t *waits,
                                  int32_t wait_count, void *to, const void *from, size_t bytes)
{
    return (vdnn_device_work){.stream = stream,
                              .event = event,
                              .waits = waits,
                              .wait_count = wait_count,
                              .to = to,
                              .from = from,
                              .bytes = bytes};
}

static vdnn_status check_file_copy(const vdnn_device_work *work)
{
    if ((unsigned)work->stream >= VDNN_STREAM_COUNT ||
        (int)vdnn_stream_from(work->stream) != work->from_end ||
        (int)vdnn_stream_to(work->stream) != work->to_end)
        return vdnn_status_fail(VDNN_INTERNAL, "a copy from the %s to the %s tier on stream %s",
                                vdnn_tier_text((vdnn_tier)work->from_end),
                                vdnn_tier_text((vdnn_tier)work->to_end),
                                vdnn_stream_text(work->stream));
    if (work->file_offset % VDNN_FILE_BLOCK != 0)
        return vdnn_status_fail(VDNN_INTERNAL,
                                "a copy at offset %zu of the file tier, which is no multiple of %d",
                                work->file_offset, VDNN_FILE_BLOCK);
    return VDNN_OK;
}

vdnn_status vdnn_device_copy(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             vdnn_extent from)
{
    char *target = NULL, *source = NULL;
    vdnn_status status = resolve(device, &to, &target);
    if (status == VDNN_OK)
        status = resolve(device, &from, &source);
    if (status == VDNN_OK && to.bytes != from.bytes)
        status = vdnn_status_fail(VDNN_INTERNAL, "a copy of %zu bytes into an extent of %zu bytes",
                                  from.bytes, to.bytes);
    vdnn_device_work work = copy_work(stream, event, waits, wait_count, target, source, to.bytes);
    work.to_end = (int)to.tier;
    work.from_end = (int)from.tier;
    work.file_offset = to.tier == VDNN_TIER_FILE ? to.offset : from.offset;
    if (status == VDNN_OK && copies_files(&work))
        status = check_file_copy(&work);
    return enqueue(device, &work, status);
}

vdnn_status vdnn_device_load(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             const void *from)
{
    char *target = NULL;
    vdnn_status status = resolve(device, &to, &target);
    if (status == VDNN_OK)
        status = check_staged(device, from, to.bytes);
    vdnn_device_work work = copy_work(stream, event, waits, wait_count, target, from, to.bytes);
    work.to_end = (int)to.tier;
    work.from_end = VDNN_STAGING;
    return enqueue(device, &work, status);
}

vdnn_status vdnn_device_store(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                              const int32_t *waits, int32_t wait_count, void *to, vdnn_extent from)
{
    char *source = NULL;
    vdnn_status status = resolve(device, &from, &source);
    if (status == VDNN_OK)
        status = check_staged(device, to, from.bytes);
    vdnn_device_work work = copy_work(stream, event, waits, wait_count, to, source, from.bytes);
    work.to_end = VDNN_STAGING;
    work.from_end = (int)from.tier;
    return enqueue(device, &work, status);
}

static vdnn_status finish_oldest(vdnn_device *device)
{
    vdnn_status status = vdnn_device_select(device);
    device->finished++;
    if (!is_under_way(device))
        device->observer = NULL;
    int place = place_of(device->finished);
    vdnn_status complete = device->backend->finish(device->state, place);
    device->moved = complete == VDNN_OK ? *device->backend->moved(device->state, place)
                                        : (vdnn_device_moved){{{0}}};
    return complete != VDNN_OK ? complete : status;
}

vdnn_status vdnn_device_finish(vdnn_device *device)
{
    VDNN_INVARIANT(device->begun, >, device->finished);
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, finish_oldest(device));
    while (error.status != VDNN_OK && is_under_way(device))
        (void)finish_oldest(device);
    return vdnn_first_error_tell(&error);
}

vdnn_status vdnn_device_synchronize(vdnn_device *device)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && is_under_way(device))
        status = vdnn_device_finish(device);
    return status;
}

void vdnn_device_wait(vdnn_device *device, int32_t event)
{
    VDNN_INVARIANT(event, >=, 0);
    VDNN_INVARIANT(event, <, device->event_count);
    VDNN_INVARIANT(device->begun, >, device->finished);
    (void)vdnn_device_select(device);
    device->backend->wait(device->state, place_of(device->finished + 1), event);
}

/* Of the round finished last; a later one in its place would have overwritten it. */
static int place_of_times(const vdnn_device *device)
{
    int place = place_of(device->finished);
    VDNN_INVARIANT(device->finished, >, 0);
    VDNN_INVARIANT(device->begun - device->finished, <, VDNN_DEVICE_ROUNDS);
    VDNN_INVARIANT(device->timed[place], ==, true);
    return place;
}

void vdnn_device_times(const vdnn_device *device, int32_t event, double *start, double *end)
{
    VDNN_INVARIANT(event, >=, 0);
    VDNN_INVARIANT(event, <, device->event_count);
    (void)vdnn_device_select(device);
    device->backend->times(device->state, place_of_times(device), event, start, end);
}

double vdnn_device_began(const vdnn_device *device)
{
    (void)vdnn_device_select(device);
    return device->backend->began(device->state, place_of_times(device));
}

double vdnn_device_now(const vdnn_device *device)
{
    if (device->backend->now != NULL)
        return device->backend->now(device->state);
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

size_t vdnn_device_moved_bytes(const vdnn_device *device, int from, int to)
{
    return device->moved.bytes[from][to];
}

static vdnn_status transfer(const vdnn_device *device, void *to, const void *from, size_t bytes)
{
    vdnn_status status = vdnn_device_select(device);
    return status == VDNN_OK ? device->backend->transfer(device->state, to, from, bytes) : status;
}

vdnn_status vdnn_device_write(vdnn_device *device, vdnn_tier in, size_t offset, const void *from,
                              size_t bytes)
{
    char *target = NULL;
    vdnn_extent extent = {in, offset, bytes};
    vdnn_status status = resolve(device, &extent, &target);
    return status == VDNN_OK ? transfer(device, target, from, bytes) : status;
}

vdnn_status vdnn_device_read(vdnn_device *device, void *to, vdnn_tier in, size_t offset,
                             size_t bytes)
{
    char *source = NULL;
    vdnn_extent extent = {in, offset, bytes};
    vdnn_status status = resolve(device, &extent, &source);
    return status == VDNN_OK ? transfer(device, to, source, bytes) : status;
}

vdnn_status vdnn_device_digest(const vdnn_device *device, vdnn_extent extent, void *stream,
                               uint64_t *digest)
{
    const tier *own = &device->tiers[extent.tier];
    VDNN_INVARIANT(extent.offset + extent.bytes, <=, own->bytes);
    return device->backend->digest(device->state, own->base + extent.offset, extent.bytes, stream,
                                   digest);
}
