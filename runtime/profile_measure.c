#include "runtime/profile_measure.h"

#include "alloc/heap.h"
#include "runtime/profile_measure_internal.h"
#include "runtime/random.h"

#include <math.h>
#include <string.h>

enum {
    EVENTS = 2,
    PATTERN_BYTES = 1 << 20,
    MOST_OTHERS_BYTES = 8 << 20, /* more than the caches of the cores, less than what they share */
};

/* ---- memory ---------------------------------------------------------------------------------- */

static vdnn_status make_others(vdnn_profile_measure *measure)
{
    size_t bytes =
        measure->working_bytes < MOST_OTHERS_BYTES ? measure->working_bytes : MOST_OTHERS_BYTES;
    measure->others = vdnn_heap_calloc(bytes, 1);
    if (measure->others == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
    memset(measure->others, 1, bytes); /* pages of zeros may all be one */
    measure->others_bytes = bytes;
    return VDNN_OK;
}

vdnn_status vdnn_profile_measure_create(vdnn_device *device, size_t working_bytes,
                                        vdnn_profile_measure **measure)
{
    vdnn_profile_measure *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
    made->device = device;
    made->working_bytes = working_bytes;
    made->properties = vdnn_device_describe(device);
    made->context = (vdnn_step_context){.lr = 1e-4, .momentum = 0.9};
    vdnn_status status = VDNN_NO_MEMORY;
    made->pattern = vdnn_heap_calloc(PATTERN_BYTES, 1);
    if (made->pattern == NULL) {
        (void)vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
        goto fail;
    }
    for (uint32_t i = 0; i < PATTERN_BYTES / sizeof(float); i += 2) {
        const uint32_t counter[4] = {i, 0, 0, 0};
        uint32_t bits[4];
        vdnn_random_philox(0, counter, bits);
        vdnn_random_normal(bits[0], bits[1], made->pattern + i);
        made->pattern[i] *= 0.1f;
        made->pattern[i + 1] *= 0.1f;
    }
    status = vdnn_device_grow_events(device, EVENTS);
    if (status == VDNN_OK && made->properties->shares_host_memory)
        status = make_others(made);
    if (status != VDNN_OK)
        goto fail;
    *measure = made;
    return VDNN_OK;
fail:
    vdnn_heap_free(made->others);
    vdnn_heap_free(made->pattern);
    vdnn_heap_free(made);
    return status;
}

void vdnn_profile_measure_destroy(vdnn_profile_measure *measure)
{
    if (measure == NULL)
        return;
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        (void)vdnn_device_reserve(measure->device, (vdnn_tier)tier, 0);
    vdnn_heap_free(measure->others);
    vdnn_heap_free(measure->pattern);
    vdnn_heap_free(measure);
}

vdnn_status vdnn_profile_measure_fill(vdnn_profile_measure *measure, size_t bytes)
{
    size_t at = measure->filled_bytes;
    while (at < bytes) {
        size_t phase = at % PATTERN_BYTES, part = PATTERN_BYTES - phase;
        if (part > bytes - at)
            part = bytes - at;
        vdnn_status status =
            vdnn_device_write(measure->device, at, (const char *)measure->pattern + phase, part);
        if (status != VDNN_OK)
            return status;
        at += part;
    }
    if (measure->filled_bytes < bytes)
        measure->filled_bytes = bytes;
    return VDNN_OK;
}

vdnn_status vdnn_profile_measure_need(vdnn_profile_measure *measure, size_t bytes)
{
    if (bytes <= measure->reserved_bytes)
        return VDNN_OK;
    measure->reserved_bytes = measure->filled_bytes = 0;
    vdnn_status status = vdnn_device_reserve(measure->device, VDNN_TIER_DEVICE, bytes);
    if (status != VDNN_OK)
        return status;
    measure->reserved_bytes = bytes;
    return vdnn_profile_measure_fill(measure, bytes);
}

/* ---- timing ---------------------------------------------------------------------------------- */

vdnn_status vdnn_profile_measure_once(vdnn_profile_measure *measure,
                                      vdnn_profile_enqueue *operation, int events, void *argument,
                                      double *seconds)
{
    vdnn_status status = vdnn_device_round(measure->device);
    if (status != VDNN_OK)
        return status;
    status = operation(measure, argument);
    vdnn_status late = vdnn_device_synchronize(measure->device);
    if (status == VDNN_OK)
        status = late;
    if (status != VDNN_OK)
        return status;
    double first = HUGE_VAL, last = 0;
    for (int e = 0; e < events; e++) {
        double start, end;
        vdnn_device_times(measure->device, e, &start, &end);
        first = fmin(first, start);
        last = fmax(last, end);
    }
    *seconds = last > first ? last - first : 1e-9;
    return VDNN_OK;
}

double vdnn_profile_measure_middle(const double v[VDNN_MEASURE_RUNS])
{
    double low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
    return v[2] < low ? low : v[2] > high ? high : v[2];
}

vdnn_status vdnn_profile_measure_median(vdnn_profile_measure *measure,
                                        vdnn_profile_enqueue *operation, int events, void *argument,
                                        double *seconds)
{
    double warm_up, runs[VDNN_MEASURE_RUNS];
    vdnn_status status = vdnn_profile_measure_once(measure, operation, events, argument, &warm_up);
    if (status == VDNN_OK && warm_up > VDNN_MEASURE_LONG_SECONDS) {
        *seconds = warm_up;
        return VDNN_OK;
    }
    for (int i = 0; status == VDNN_OK && i < VDNN_MEASURE_RUNS; i++)
        status = vdnn_profile_measure_once(measure, operation, events, argument, &runs[i]);
    if (status == VDNN_OK)
        *seconds = vdnn_profile_measure_middle(runs);
    return status;
}
