/* Measures copies and updates. */

#include "runtime/measure/measure_internal.h"

#include <math.h>

enum {
    SMALL_COPY_BYTES = 64,
    UPDATE_TRAFFIC = 5, /* floats read and written for each weight, by sgd */
    /* Bytes moved to measure a rate: a fair share of the network's bytes, as a small one would stay
     * in caches. */
    SHARE = 4,
    LEAST_BYTES = 1 << 20,
    MOST_BYTES = 32 << 20,
    MOST_CACHES = 4, /* of a card: parameters do not stay in its cache from step to step */
};

/* ---- copies ---------------------------------------------------------------------------------- */

typedef struct tier_copy {
    vdnn_stream_id stream;
    size_t offset, bytes;
} tier_copy;

static vdnn_status enqueue_tier_copy(vdnn_measure *measure, const tier_copy *copy, int32_t event,
                                     const int32_t *waits, int32_t wait_count)
{
    vdnn_extent host = {VDNN_TIER_HOST, copy->offset, copy->bytes};
    vdnn_extent device = vdnn_measure_extent(measure, copy->offset, copy->bytes);
    bool is_out = copy->stream == VDNN_STREAM_OUT;
    return vdnn_device_copy(measure->device, copy->stream, event, waits, wait_count,
                            is_out ? host : device, is_out ? device : host);
}

static vdnn_status enqueue_copy(vdnn_measure *measure, void *argument, const int32_t *waits,
                                int32_t wait_count)
{
    return enqueue_tier_copy(measure, argument, 0, waits, wait_count);
}

/* Two at once. */
static vdnn_status enqueue_both(vdnn_measure *measure, void *argument, const int32_t *waits,
                                int32_t wait_count)
{
    const tier_copy *copies = argument;
    vdnn_status status = enqueue_tier_copy(measure, &copies[0], 0, waits, wait_count);
    return status == VDNN_OK ? enqueue_tier_copy(measure, &copies[1], 1, waits, wait_count)
                             : status;
}

static vdnn_status seconds_of(vdnn_measure *measure, const vdnn_timed *timed, double *seconds)
{
    vdnn_run_time result;
    vdnn_status status = vdnn_measure_median(measure, timed, &result);
    if (status == VDNN_OK)
        *seconds = result.seconds;
    return status;
}

static vdnn_status time_copy(vdnn_measure *measure, vdnn_stream_id stream, size_t bytes,
                             double *seconds)
{
    tier_copy copy = {stream, 0, bytes};
    const vdnn_timed timed = {.enqueue = enqueue_copy, .argument = &copy, .event_count = 1};
    return seconds_of(measure, &timed, seconds);
}

static vdnn_status time_both(vdnn_measure *measure, size_t half, double *seconds)
{
    tier_copy copies[] = {{VDNN_STREAM_OUT, 0, half}, {VDNN_STREAM_IN, half, half}};
    const vdnn_timed timed = {.enqueue = enqueue_both, .argument = copies, .event_count = 2};
    return seconds_of(measure, &timed, seconds);
}

/* Of a copy's time, the least that is its bytes': a latency that was measured in a disturbed moment
 * makes no rate more than twice what was seen. */
static const double least_share_of_copy = 0.5;

/* Without the latency of a copy, which is counted separately. */
static double rate_of(size_t bytes, double seconds, double latency_seconds)
{
    return (double)bytes / fmax(seconds - latency_seconds, least_share_of_copy * seconds);
}

static vdnn_status measure_copies(vdnn_measure *measure, size_t bytes,
                                  double rates[VDNN_PROFILE_RATE_COUNT])
{
    size_t half = bytes / 2 / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    double out, in, both, small;
    vdnn_status status = vdnn_measure_need(measure, bytes);
    VDNN_IF_OK(status, vdnn_measure_fill(measure, bytes));
    VDNN_IF_OK(status, vdnn_device_reserve(measure->device, VDNN_TIER_HOST, bytes));
    VDNN_IF_OK(status, time_copy(measure, VDNN_STREAM_OUT, bytes, &out));
    VDNN_IF_OK(status, time_copy(measure, VDNN_STREAM_IN, bytes, &in));
    VDNN_IF_OK(status, time_both(measure, half, &both));
    VDNN_IF_OK(status, time_copy(measure, VDNN_STREAM_OUT, SMALL_COPY_BYTES, &small));
    (void)vdnn_device_reserve(measure->device, VDNN_TIER_HOST, 0);
    if (status != VDNN_OK)
        return status;
    rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second] = rate_of(bytes, out, small);
    rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second] = rate_of(bytes, in, small);
    rates[VDNN_PROFILE_RATE_copy_both_bytes_per_second] = rate_of(2 * half, both, small);
    rates[VDNN_PROFILE_RATE_copy_latency_seconds] = small;
    return VDNN_OK;
}

/* ---- updates --------------------------------------------------------------------------------- */

typedef struct update {
    const vdnn_measure *measure;
    int64_t count; /* floats of each array */
    vdnn_extent extent;
} update;

vdnn_status vdnn_measure_run_update(const vdnn_measure *measure, int64_t count, void *stream)
{
    float *w = (float *)(void *)vdnn_measure_base(measure);
    const vdnn_update all = {.rule = VDNN_UPDATE_OPTIMIZER,
                             .w = w,
                             .slots = {w + count},
                             .dw = w + 2 * count,
                             .count = count};
    return vdnn_elementwise_find(measure->properties->kind)
        ->update(&all, 1, measure->properties->threads, &measure->context, stream);
}

static vdnn_status run_update(void *argument, void *stream)
{
    const update *work = argument;
    return vdnn_measure_run_update(work->measure, work->count, stream);
}

static vdnn_status enqueue_update(vdnn_measure *measure, void *argument, const int32_t *waits,
                                  int32_t wait_count)
{
    update *work = argument;
    const vdnn_launch launch = {
        .run = run_update, .argument = work, .extents = &work->extent, .extent_count = 1};
    return vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, waits, wait_count, &launch);
}

static vdnn_status measure_updates(vdnn_measure *measure, size_t bytes, double *rate)
{
    update work = {measure, (int64_t)(bytes / sizeof(float) / VDNN_MEASURE_UPDATE_ARRAYS),
                   vdnn_measure_extent(measure, 0, bytes)};
    const vdnn_timed timed = {.enqueue = enqueue_update, .argument = &work, .event_count = 1};
    double seconds;
    vdnn_status status = vdnn_measure_need(measure, bytes);
    VDNN_IF_OK(status, vdnn_measure_fill(measure, bytes));
    measure->filled_bytes = 0; /* weights and momentum are written */
    VDNN_IF_OK(status, seconds_of(measure, &timed, &seconds));
    if (status == VDNN_OK)
        *rate = UPDATE_TRAFFIC * sizeof(float) * (double)work.count /
                vdnn_measure_without_launch(measure, seconds);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static size_t share_of(size_t working_bytes, size_t most_bytes)
{
    size_t share = working_bytes / SHARE;
    share = share < LEAST_BYTES ? LEAST_BYTES : share < most_bytes ? share : most_bytes;
    return share / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

vdnn_status vdnn_measure_copies(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT])
{
    return measure_copies(measure, share_of(measure->working_bytes, MOST_BYTES), rates);
}

static vdnn_status measure_alone(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT])
{
    size_t caches = MOST_CACHES * measure->properties->cache_bytes;
    size_t most = caches > MOST_BYTES ? caches : MOST_BYTES;
    double update_rate;
    vdnn_status status = vdnn_measure_copies(measure, rates);
    VDNN_IF_OK(status,
               measure_updates(measure, share_of(measure->working_bytes, most), &update_rate));
    if (status != VDNN_OK)
        return status;
    rates[VDNN_PROFILE_RATE_elementwise_bytes_per_second] = update_rate;
    rates[VDNN_PROFILE_RATE_launch_seconds] = measure->launch_seconds;
    return VDNN_OK;
}

vdnn_status vdnn_measure_rates(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT])
{
    VDNN_TRY(measure_alone(measure, rates));
    return vdnn_measure_contention(measure, rates);
}

/* Of processors with two to eight cores: a copy takes a core from what is computed. */
static const double typical_beside = 0.3, typical_slows_products = 1.4, typical_slows_moves = 1.6;

vdnn_status vdnn_measure_some_rates(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT])
{
    VDNN_TRY(measure_alone(measure, rates));
    rates[VDNN_PROFILE_RATE_copy_out_beside_bytes_per_second] =
        typical_beside * rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second];
    rates[VDNN_PROFILE_RATE_copy_in_beside_bytes_per_second] =
        typical_beside * rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second];
    rates[VDNN_PROFILE_RATE_copy_out_slows_products] = typical_slows_products;
    rates[VDNN_PROFILE_RATE_copy_in_slows_products] = typical_slows_products;
    rates[VDNN_PROFILE_RATE_copy_out_slows_moves] = typical_slows_moves;
    rates[VDNN_PROFILE_RATE_copy_in_slows_moves] = typical_slows_moves;
    return VDNN_OK;
}
