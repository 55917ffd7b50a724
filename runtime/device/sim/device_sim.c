/* The simulated device: addresses without memory, and a clock. Operations get their times when the
 * round is finished, and each round begins when the one before it ends; nothing is computed or
 * copied. */

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/device/device_backend.h"
#include "runtime/device/sim/collective.h"
#include "runtime/device/sim/device_reader.h"
#include "runtime/device/sim/predict.h"
#include "runtime/device/sim/recorded.h"
#include "runtime/planner/clock/link.h"
#include "runtime/profile/profile_store.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct device_round {
    vdnn_clock_task *tasks; /* in the order in which they were enqueued */
    int32_t *event_task;    /* per event */
    int32_t *waits;         /* of all tasks; indexes of tasks */
    double *start, *end;    /* per task, once the round is finished */
    double begin_seconds;   /* of the round */
    int32_t task_count, wait_count, wait_capacity;
    vdnn_device_moved moved; /* by all tasks, once the round is finished */
} device_round;

typedef struct sim_device {
    vdnn_device_model model;
    vdnn_recorded *recorded;  /* instead of the model; NULL: none */
    vdnn_reduce_rates reduce; /* of the model */
    size_t most_bytes[VDNN_DEVICE_TIERS];
    vdnn_allocator *staging;                 /* real: results are read from there */
    device_round rounds[VDNN_DEVICE_ROUNDS]; /* by place */
    double past_seconds;                     /* of all finished rounds */
    size_t allocation_count;
} sim_device;

/* ---- opening --------------------------------------------------------------------------------- */

static vdnn_layout sim_preferred(void)
{
    return VDNN_NCHW;
}

static vdnn_device_properties describe(const vdnn_device_model *model)
{
    vdnn_device_properties properties = {
        .kind = "sim",
        .memory_bytes = (size_t)model->memory.bytes,
        .free_bytes = (size_t)model->memory.usable_bytes,
        .has_link = true,
        .threads = 1,
        .simulated = true,
        .calibrated = model->is_calibrated,
        .accuracy = model->accuracy,
        .figures = model->figures,
        .figure_count = model->figure_count,
        .host_free_bytes = (size_t)model->host.bytes,
        .link_devices = (int)model->link.devices,
        .is_apart = true,
        .sums_on_host = true,
    };
    (void)snprintf(properties.name, sizeof properties.name, "%s", model->name);
    (void)snprintf(properties.library, sizeof properties.library, "simulated");
    return properties;
}

static void free_round(const device_round *own)
{
    vdnn_heap_free(own->tasks);
    vdnn_heap_free(own->event_task);
    vdnn_heap_free(own->waits);
    vdnn_heap_free(own->start);
}

static void sim_close(void *state)
{
    sim_device *device = state;
    vdnn_recorded_close(device->recorded);
    vdnn_allocator_destroy(device->staging);
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        free_round(&device->rounds[i]);
    vdnn_heap_free(device);
}

/* A file that begins like a profile is one, any other is a model. */
static vdnn_status load(const char *name, sim_device *device, vdnn_device_properties *properties)
{
    char *path = NULL;
    vdnn_status status = vdnn_device_model_find(name, &path);
    if (status != VDNN_OK)
        return status;
    if (vdnn_profile_store_is_one(path)) {
        status = vdnn_recorded_open(path, &device->recorded);
        if (status == VDNN_OK)
            *properties = vdnn_recorded_describe(device->recorded);
    } else {
        status = vdnn_device_model_load(path, &device->model);
        if (status == VDNN_OK)
            *properties = describe(&device->model);
    }
    vdnn_heap_free(path);
    return status;
}

/* A profile supports the types that were measured. If it cannot be read, opening it reports why. */
static bool sim_has_type(const char *instance, vdnn_dtype dtype)
{
    sim_device device = {0};
    vdnn_device_properties properties;
    if (load(instance, &device, &properties) != VDNN_OK)
        return true;
    bool is_recorded = device.recorded != NULL;
    vdnn_recorded_close(device.recorded);
    return is_recorded || dtype == VDNN_F16 || vdnn_predict_has_units(&device.model, dtype);
}

/* Without units for a type of 16 bits its maps are half as large and computed as f32. */
static const char *sim_lack(const char *instance, vdnn_dtype dtype, size_t i)
{
    static const char *const lacks[] = {
        [VDNN_BF16] = "the device model has no units for bf16: maps have half the bytes, and "
                      "products take as long as in f32",
        [VDNN_F16] = "the device model has no units for f16: maps have half the bytes, and "
                     "products take as long as in f32",
    };
    sim_device device = {0};
    vdnn_device_properties properties;
    bool is_narrow = dtype == VDNN_BF16 || dtype == VDNN_F16;
    if (!is_narrow || i > 0 || load(instance, &device, &properties) != VDNN_OK)
        return NULL;
    bool has_units = device.recorded != NULL || vdnn_predict_has_units(&device.model, dtype);
    vdnn_recorded_close(device.recorded);
    return has_units ? NULL : lacks[dtype];
}

static vdnn_status sim_open(const char *instance, const vdnn_device_options *options,
                            vdnn_device_properties *properties, void **state)
{
    sim_device *device = vdnn_heap_calloc(1, sizeof *device);
    if (device == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "sim: no memory for the device");
    vdnn_device_properties fresh = {.kind = NULL};
    vdnn_status status = load(instance, device, &fresh);
    VDNN_IF_OK(status, vdnn_mapmem_create(&device->staging));
    if (status != VDNN_OK) {
        sim_close(device);
        return status;
    }
    if (device->model.tensor_accuracy.half_within > 0 &&
        vdnn_predict_has_units(&device->model, options->dtype))
        fresh.accuracy = device->model.tensor_accuracy;
    if (device->recorded == NULL && options->ranks > 1)
        device->reduce = vdnn_collective_rates(&device->model, options->reduce, options->ranks);
    device->most_bytes[VDNN_TIER_DEVICE] = fresh.memory_bytes;
    device->most_bytes[VDNN_TIER_HOST] =
        fresh.recorded ? fresh.memory_bytes : fresh.host_free_bytes;
    *properties = fresh;
    *state = device;
    return VDNN_OK;
}

/* ---- what passes take ------------------------------------------------------------------------ */

static vdnn_status sim_predict(const void *state, const vdnn_layer *layer, vdnn_pass pass,
                               const vdnn_algorithm *algorithm, double *seconds,
                               size_t *workspace_bytes)
{
    const sim_device *device = state;
    if (device->recorded != NULL)
        return vdnn_recorded_predict(device->recorded, layer, pass, algorithm, seconds,
                                     workspace_bytes);
    return vdnn_predict_pass(&device->model, layer, pass, algorithm, seconds, workspace_bytes);
}

static vdnn_rates sim_predict_rates(const void *state)
{
    const sim_device *device = state;
    if (device->recorded != NULL)
        return vdnn_recorded_rates(device->recorded);
    vdnn_rates rates = vdnn_predict_rates(&device->model);
    rates.reduce = device->reduce;
    return rates;
}

static const vdnn_algorithm *sim_algorithms(const void *state, size_t *count)
{
    const sim_device *device = state;
    return device->recorded == NULL ? NULL : vdnn_recorded_algorithms(device->recorded, count);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static vdnn_status sim_reserve(void *state, vdnn_tier tier, size_t bytes, void **base,
                               size_t *locked_bytes)
{
    sim_device *device = state;
    size_t most = device->most_bytes[tier];
    if (bytes > most)
        return vdnn_status_fail(VDNN_DEVICE,
                                "sim: the %s tier needs %zu bytes, and the device has %zu",
                                vdnn_tier_text(tier), bytes, most);
    device->allocation_count += bytes > 0;
    *base = NULL;
    *locked_bytes = tier == VDNN_TIER_HOST ? bytes : 0;
    return VDNN_OK;
}

static vdnn_status sim_stage(void *state, size_t bytes, void **block)
{
    sim_device *device = state;
    vdnn_status status = vdnn_allocator_alloc(device->staging, bytes, block);
    device->allocation_count += status == VDNN_OK;
    return status;
}

static void sim_unstage(void *state, void *block, size_t bytes)
{
    vdnn_allocator_free(((sim_device *)state)->staging, block, bytes);
}

static size_t sim_allocation_count(const void *state)
{
    return ((const sim_device *)state)->allocation_count;
}

/* ---- the clock ------------------------------------------------------------------------------- */

static bool make_round(device_round *fresh, size_t event_count)
{
    fresh->tasks = vdnn_heap_calloc(event_count, sizeof *fresh->tasks);
    fresh->event_task = vdnn_heap_calloc(event_count, sizeof *fresh->event_task);
    fresh->start = vdnn_heap_calloc(2 * event_count, sizeof *fresh->start);
    if (fresh->tasks == NULL || fresh->event_task == NULL || fresh->start == NULL)
        return false;
    fresh->end = fresh->start + event_count;
    return true;
}

static vdnn_status sim_resize(void *state, int32_t event_count)
{
    sim_device *device = state;
    device_round fresh[VDNN_DEVICE_ROUNDS] = {{.tasks = NULL}};
    bool enough = true;
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        enough = make_round(&fresh[i], (size_t)event_count) && enough;
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++) {
        free_round(enough ? &device->rounds[i] : &fresh[i]);
        if (enough)
            device->rounds[i] = fresh[i];
    }
    return enough ? VDNN_OK
                  : vdnn_status_fail(VDNN_NO_MEMORY, "sim: no memory for %d events", event_count);
}

static vdnn_status sim_round(void *state, int place, bool timed)
{
    (void)timed;
    device_round *own = &((sim_device *)state)->rounds[place];
    own->task_count = own->wait_count = 0;
    own->moved = (vdnn_device_moved){{{0}}};
    return VDNN_OK;
}

static vdnn_status reserve_waits(device_round *own, int32_t count)
{
    if (own->wait_count + count <= own->wait_capacity)
        return VDNN_OK;
    int32_t capacity = 2 * (own->wait_count + count);
    int32_t *waits = vdnn_heap_realloc(own->waits, (size_t)capacity, sizeof *waits);
    if (waits == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "sim: no memory for %d waits", capacity);
    own->waits = waits;
    own->wait_capacity = capacity;
    return VDNN_OK;
}

/* Data stored outside of the tiers is read by the host, which must not take it for a result. */
static void spoil(void *to, size_t bytes)
{
    if (to != NULL)
        memset(to, UCHAR_MAX, bytes);
}

static vdnn_status sim_enqueue(void *state, const vdnn_device_work *work)
{
    sim_device *device = state;
    device_round *own = &device->rounds[work->place];
    VDNN_TRY(reserve_waits(own, work->wait_count));
    vdnn_clock_task *task = &own->tasks[own->task_count];
    vdnn_rates rates = sim_predict_rates(device);
    if (work->reduced_bytes > 0 && rates.reduce.way_count > 0) {
        *task = vdnn_link_reduce(&rates, work->reduce_part, work->reduced_bytes);
    } else if (work->run != NULL) {
        *task = vdnn_link_compute(&rates, work->stream, work->compute, work->seconds);
    } else {
        *task = vdnn_link_copy(&rates, work->stream, work->bytes);
        own->moved.bytes[work->from_end][work->to_end] += work->bytes;
    }
    task->first_wait = own->wait_count;
    task->wait_count = work->wait_count;
    for (int32_t i = 0; i < work->wait_count; i++)
        own->waits[own->wait_count++] = own->event_task[work->waits[i]];
    own->event_task[work->event] = own->task_count++;
    spoil(work->to, work->bytes);
    return VDNN_OK;
}

static void sim_wait(void *state, int place, int32_t event)
{
    (void)state;
    (void)place;
    (void)event;
}

static vdnn_status sim_finish(void *state, int place)
{
    sim_device *device = state;
    device_round *own = &device->rounds[place];
    vdnn_rates rates = sim_predict_rates(device);
    double channels[VDNN_LINK_CHANNELS];
    const double *shared = vdnn_link_channels(&rates, 1, channels);
    own->begin_seconds = device->past_seconds;
    device->past_seconds +=
        vdnn_clock_run(own->tasks, own->task_count, own->waits, shared, own->start, own->end);
    return VDNN_OK;
}

static const vdnn_device_moved *sim_moved(const void *state, int place)
{
    return &((const sim_device *)state)->rounds[place].moved;
}

static void sim_times(const void *state, int place, int32_t event, double *start, double *end)
{
    const device_round *own = &((const sim_device *)state)->rounds[place];
    int32_t task = own->event_task[event];
    *start = own->start[task];
    *end = own->end[task];
}

static double sim_began(const void *state, int place)
{
    return ((const sim_device *)state)->rounds[place].begin_seconds;
}

static double sim_now(const void *state)
{
    return ((const sim_device *)state)->past_seconds;
}

/* ---- content, of which there is none --------------------------------------------------------- */

static vdnn_status sim_transfer(void *state, void *to, const void *from, size_t bytes)
{
    (void)state;
    (void)from;
    spoil(to, bytes);
    return VDNN_OK;
}

static vdnn_status sim_digest(const void *state, const void *from, size_t bytes, void *stream,
                              uint64_t *digest)
{
    (void)state;
    (void)from;
    (void)bytes;
    (void)stream;
    *digest = 0;
    return VDNN_OK;
}

const vdnn_device_backend vdnn_device_sim = {
    .kind = "sim",
    .preferred = sim_preferred,
    .has_type = sim_has_type,
    .lack = sim_lack,
    .open = sim_open,
    .close = sim_close,
    .resize = sim_resize,
    .reserve = sim_reserve,
    .stage = sim_stage,
    .unstage = sim_unstage,
    .round = sim_round,
    .enqueue = sim_enqueue,
    .wait = sim_wait,
    .finish = sim_finish,
    .moved = sim_moved,
    .times = sim_times,
    .began = sim_began,
    .now = sim_now,
    .transfer = sim_transfer,
    .digest = sim_digest,
    .allocation_count = sim_allocation_count,
    .predict = sim_predict,
    .predict_rates = sim_predict_rates,
    .algorithms = sim_algorithms,
};
