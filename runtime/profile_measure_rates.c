/* Measuring what copies, updates and the smallest operations take. */

#include "runtime/profile_measure_internal.h"

#include <math.h>
#include <time.h>

enum {
    SMALL_COPY_BYTES = 64,
    MOST_RATE_BYTES = 32 << 20, /* moved to measure a rate */
    LEAST_RATE_BYTES = 1 << 20,
    UPDATE_ARRAYS = 3,
    SGD_TRAFFIC = 5, /* floats read and written for each weight */
};

typedef struct tier_copy {
    vdnn_stream_id stream;
    vdnn_tier to, from;
    size_t offset, bytes;
} tier_copy;

static vdnn_status enqueue_tier_copy(vdnn_profile_measure *measure, const tier_copy *copy,
                                     int32_t event)
{
    return vdnn_device_copy(measure->device, copy->stream, event, NULL, 0,
                            (vdnn_extent){copy->to, copy->offset, copy->bytes},
                            (vdnn_extent){copy->from, copy->offset, copy->bytes});
}

static vdnn_status enqueue_copy(vdnn_profile_measure *measure, void *argument)
{
    return enqueue_tier_copy(measure, argument, 0);
}

/* Two at once. */
static vdnn_status enqueue_both(vdnn_profile_measure *measure, void *argument)
{
    const tier_copy *copies = argument;
    vdnn_status status = enqueue_tier_copy(measure, &copies[0], 0);
    return status == VDNN_OK ? enqueue_tier_copy(measure, &copies[1], 1) : status;
}

typedef struct update {
    vdnn_profile_measure *measure;
    int64_t count; /* floats of each array */
} update;

static vdnn_status run_update(void *argument, void *stream)
{
    const update *work = argument;
    const vdnn_profile_measure *measure = work->measure;
    float *w = vdnn_device_base(measure->device, VDNN_TIER_DEVICE);
    return vdnn_elementwise_find(measure->properties->kind)
        ->sgd(w, w + work->count, w + 2 * work->count, work->count, measure->properties->threads,
              &measure->context, stream);
}

static vdnn_status enqueue_update(vdnn_profile_measure *measure, void *argument)
{
    const update *work = argument;
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, UPDATE_ARRAYS * (size_t)work->count * sizeof(float)};
    vdnn_launch launch = {
        .run = run_update, .argument = argument, .extents = &all, .extent_count = 1};
    return vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &launch);
}

static vdnn_status run_pause(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    (void)nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    return VDNN_OK;
}

static vdnn_status run_nothing(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    return VDNN_OK;
}

/* Two operations, the second enqueued while the first still runs: what lies between them is what
 * each operation of a full stream costs. */
static vdnn_status time_launch(vdnn_profile_measure *measure, double *seconds)
{
    const vdnn_launch pause = {.run = run_pause}, nothing = {.run = run_nothing};
    double runs[VDNN_MEASURE_RUNS];
    for (int i = 0; i < VDNN_MEASURE_RUNS; i++) {
        vdnn_status status = vdnn_device_round(measure->device);
        if (status == VDNN_OK)
            status = vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &pause);
        if (status == VDNN_OK)
            status = vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 1, NULL, 0, &nothing);
        vdnn_status late = vdnn_device_synchronize(measure->device);
        if (status != VDNN_OK || late != VDNN_OK)
            return status != VDNN_OK ? status : late;
        double start, begin, end;
        vdnn_device_times(measure->device, 0, &start, &begin);
        vdnn_device_times(measure->device, 1, &start, &end);
        runs[i] = end > begin ? end - begin : 1e-9;
    }
    *seconds = vdnn_profile_measure_middle(runs);
    return VDNN_OK;
}

static size_t rate_bytes(size_t working_bytes)
{
    size_t share = working_bytes / 4 / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    if (share > MOST_RATE_BYTES)
        return MOST_RATE_BYTES;
    return share < LEAST_RATE_BYTES ? LEAST_RATE_BYTES : share;
}

vdnn_status vdnn_profile_measure_rates(vdnn_profile_measure *measure,
                                       double rates[VDNN_PROFILE_RATE_COUNT])
{
    size_t bytes = rate_bytes(measure->working_bytes);
    update all = {measure, (int64_t)(bytes / sizeof(float) / UPDATE_ARRAYS)};
    size_t half = bytes / 2 / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    tier_copy out = {VDNN_STREAM_OUT, VDNN_TIER_HOST, VDNN_TIER_DEVICE, 0, bytes};
    tier_copy in = {VDNN_STREAM_IN, VDNN_TIER_DEVICE, VDNN_TIER_HOST, 0, bytes};
    tier_copy both[] = {{VDNN_STREAM_OUT, VDNN_TIER_HOST, VDNN_TIER_DEVICE, 0, half},
                        {VDNN_STREAM_IN, VDNN_TIER_DEVICE, VDNN_TIER_HOST, half, half}};
    tier_copy small = {VDNN_STREAM_OUT, VDNN_TIER_HOST, VDNN_TIER_DEVICE, 0, SMALL_COPY_BYTES};
    double out_seconds = 0, in_seconds = 0, both_seconds = 0, small_seconds = 0, update_seconds = 0,
           launch_seconds = 0;

    measure->reserved_bytes = measure->filled_bytes = 0; /* what passes took is more than this */
    vdnn_status status = vdnn_device_reserve(measure->device, VDNN_TIER_DEVICE, 0);
    if (status == VDNN_OK)
        status = vdnn_profile_measure_need(measure, bytes);
    if (status == VDNN_OK)
        status = vdnn_device_reserve(measure->device, VDNN_TIER_HOST, bytes);
    if (status == VDNN_OK)
        status = vdnn_profile_measure_median(measure, enqueue_copy, 1, &out, &out_seconds);
    if (status == VDNN_OK)
        status = vdnn_profile_measure_median(measure, enqueue_copy, 1, &in, &in_seconds);
    if (status == VDNN_OK)
        status = vdnn_profile_measure_median(measure, enqueue_both, 2, both, &both_seconds);
    if (status == VDNN_OK)
        status = vdnn_profile_measure_median(measure, enqueue_copy, 1, &small, &small_seconds);
    measure->filled_bytes = 0;
    if (status == VDNN_OK)
        status = vdnn_profile_measure_median(measure, enqueue_update, 1, &all, &update_seconds);
    if (status == VDNN_OK)
        status = time_launch(measure, &launch_seconds);
    (void)vdnn_device_reserve(measure->device, VDNN_TIER_HOST, 0);
    if (status != VDNN_OK)
        return status;
    rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second] = (double)bytes / out_seconds;
    rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second] = (double)bytes / in_seconds;
    rates[VDNN_PROFILE_RATE_copy_both_bytes_per_second] = 2 * (double)half / both_seconds;
    rates[VDNN_PROFILE_RATE_copy_latency_seconds] = small_seconds;
    rates[VDNN_PROFILE_RATE_elementwise_bytes_per_second] =
        SGD_TRAFFIC * sizeof(float) * (double)all.count / update_seconds;
    rates[VDNN_PROFILE_RATE_launch_seconds] = launch_seconds;
    return VDNN_OK;
}
