#include "alloc/file_tier.h"
#include "runtime/base/heap.h"
#include "runtime/device/device_parts.h"

#include <time.h>

/* ---- rounds ---------------------------------------------------------------------------------- */

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
    size_t count = (size_t)event_count, copies = device->has_files ? count : 0;
    uint64_t *used = vdnn_heap_calloc(count, sizeof *used);
    vdnn_device_file_copy *file_copies =
        vdnn_heap_calloc(VDNN_DEVICE_ROUNDS * copies, sizeof *file_copies);
    vdnn_status status = VDNN_OK;
    if (used == NULL || file_copies == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory for %d events",
                                  device->properties.kind, event_count);
    VDNN_IF_OK(status, vdnn_device_select(device));
    VDNN_IF_OK(status, device->backend->resize(device->state, event_count));
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
    VDNN_IF_OK(status, device->backend->round(device->state, place, awaited == NULL));
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

/* ---- operations ------------------------------------------------------------------------------ */

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
    return vdnn_tier_is_file((vdnn_tier)work->to_end) ||
           vdnn_tier_is_file((vdnn_tier)work->from_end);
}

/* On the stream's own thread. */
static vdnn_status run_file_copy(void *argument, void *stream)
{
    const vdnn_device_file_copy *own = argument;
    (void)stream;
    if (own->from != NULL)
        vdnn_file_lane_write(own->lane, own->offset, own->from, own->bytes);
    else
        vdnn_file_lane_read(own->lane, own->offset, own->to, own->bytes);
    return vdnn_file_lane_finish(own->lane);
}

static bool writes_file(const vdnn_device_work *work)
{
    return vdnn_tier_is_file((vdnn_tier)work->to_end);
}

static vdnn_file_lane *lane_of(const vdnn_device *device, const vdnn_device_work *work)
{
    return device->lanes[writes_file(work) ? work->to_end : work->from_end][work->stream];
}

static size_t file_offset_of(const vdnn_device_work *work)
{
    return writes_file(work) ? work->to_offset : work->from_offset;
}

/* No device copies to files: for each this is a piece of work of the host's. */
static void run_by_lane(const vdnn_device *device, vdnn_device_work *work)
{
    vdnn_device_file_copy *own =
        &device->file_copies[work->place * device->event_count + work->event];
    *own = (vdnn_device_file_copy){.lane = lane_of(device, work),
                                   .from = work->from,
                                   .to = work->to,
                                   .offset = file_offset_of(work),
                                   .bytes = work->bytes};
    work->run = run_file_copy;
    work->argument = own;
    work->on_host = true;
}

/* Passes an operation on to the backend if all checks succeeded. */
static vdnn_status enqueue(vdnn_device *device, vdnn_device_work *work, vdnn_status status)
{
    work->observer = device->observer;
    VDNN_IF_OK(status, check_order(device, work));
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
        status = vdnn_device_resolve(device, &launch->extents[i], NULL);
    vdnn_device_work work = {.stream = stream,
                             .event = event,
                             .waits = waits,
                             .wait_count = wait_count,
                             .run = launch->run,
                             .argument = launch->argument,
                             .seconds = launch->seconds,
                             .compute = launch->compute,
                             .reduced_bytes = launch->reduced_bytes,
                             .reduce_part = launch->reduce_part};
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

static vdnn_status check_file_copy(const vdnn_device *device, const vdnn_device_work *work)
{
    if ((unsigned)work->stream >= VDNN_STREAM_COUNT ||
        (int)vdnn_stream_from(work->stream) != work->from_end ||
        (int)vdnn_stream_to(work->stream) != work->to_end)
        return vdnn_status_fail(VDNN_INTERNAL, "a copy from the %s to the %s tier on stream %s",
                                vdnn_tier_text((vdnn_tier)work->from_end),
                                vdnn_tier_text((vdnn_tier)work->to_end),
                                vdnn_stream_text(work->stream));
    if (lane_of(device, work) == NULL)
        return vdnn_status_fail(VDNN_INTERNAL, "a copy of %zu bytes with a file tier of no bytes",
                                work->bytes);
    if (file_offset_of(work) % VDNN_FILE_BLOCK != 0)
        return vdnn_status_fail(VDNN_INTERNAL,
                                "a copy at offset %zu of the file tier, which is no multiple of %d",
                                file_offset_of(work), VDNN_FILE_BLOCK);
    return VDNN_OK;
}

vdnn_status vdnn_device_copy(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             vdnn_extent from)
{
    char *target = NULL, *source = NULL;
    vdnn_status status = vdnn_device_resolve(device, &to, &target);
    VDNN_IF_OK(status, vdnn_device_resolve(device, &from, &source));
    if (status == VDNN_OK && to.bytes != from.bytes)
        status = vdnn_status_fail(VDNN_INTERNAL, "a copy of %zu bytes into an extent of %zu bytes",
                                  from.bytes, to.bytes);
    vdnn_device_work work = copy_work(stream, event, waits, wait_count, target, source, to.bytes);
    work.to_end = (int)to.tier;
    work.from_end = (int)from.tier;
    work.to_offset = to.offset;
    work.from_offset = from.offset;
    if (status == VDNN_OK && copies_files(&work))
        status = check_file_copy(device, &work);
    return enqueue(device, &work, status);
}

vdnn_status vdnn_device_load(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             const void *from)
{
    char *target = NULL;
    vdnn_status status = vdnn_device_resolve(device, &to, &target);
    VDNN_IF_OK(status, vdnn_device_check_staged(device, from, to.bytes));
    vdnn_device_work work = copy_work(stream, event, waits, wait_count, target, from, to.bytes);
    work.to_end = (int)to.tier;
    work.from_end = VDNN_STAGING;
    return enqueue(device, &work, status);
}

vdnn_status vdnn_device_store(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                              const int32_t *waits, int32_t wait_count, void *to, vdnn_extent from)
{
    char *source = NULL;
    vdnn_status status = vdnn_device_resolve(device, &from, &source);
    VDNN_IF_OK(status, vdnn_device_check_staged(device, to, from.bytes));
    vdnn_device_work work = copy_work(stream, event, waits, wait_count, to, source, from.bytes);
    work.to_end = VDNN_STAGING;
    work.from_end = (int)from.tier;
    return enqueue(device, &work, status);
}

/* ---- waiting and times ----------------------------------------------------------------------- */

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
