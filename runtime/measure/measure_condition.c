/* The operations that establish the conditions of a run. */

#include "runtime/measure/measure_internal.h"

static void *place_of(const vdnn_condition *own)
{
    return (char *)vdnn_device_base(own->measure->device, own->extent.tier) + own->extent.offset;
}

static vdnn_status run_fill(void *argument, void *stream)
{
    const vdnn_condition *own = argument;
    return own->measure->conditions->fill(place_of(own), own->extent.offset, own->extent.bytes,
                                          own->measure->properties->threads, stream);
}

static vdnn_status run_number(void *argument, void *stream)
{
    const vdnn_condition *own = argument;
    return own->measure->conditions->number(place_of(own), own->count, (int32_t)own->classes,
                                            own->measure->properties->threads, stream);
}

static vdnn_status run_sweep(void *argument, void *stream)
{
    const vdnn_condition *own = argument;
    return own->measure->conditions->sweep(place_of(own), own->extent.bytes,
                                           own->measure->properties->threads, stream);
}

static vdnn_status run_hold(void *argument, void *stream)
{
    const vdnn_condition *own = argument;
    return own->measure->conditions->hold(own->seconds, stream);
}

vdnn_condition vdnn_condition_fill(const vdnn_measure *measure, vdnn_extent extent)
{
    return (vdnn_condition){.run = run_fill, .measure = measure, .extent = extent};
}

vdnn_condition vdnn_condition_number(const vdnn_measure *measure, vdnn_extent extent, int64_t count,
                                     int64_t classes)
{
    return (vdnn_condition){.run = run_number,
                            .measure = measure,
                            .extent = extent,
                            .count = count,
                            .classes = classes};
}

vdnn_condition vdnn_condition_sweep(const vdnn_measure *measure)
{
    vdnn_extent others = {VDNN_TIER_DEVICE, 0, measure->others_bytes};
    return (vdnn_condition){.run = run_sweep, .measure = measure, .extent = others};
}

vdnn_condition vdnn_condition_hold(const vdnn_measure *measure, double seconds)
{
    return (vdnn_condition){.run = run_hold, .measure = measure, .seconds = seconds};
}

vdnn_launch vdnn_condition_launch(vdnn_condition *condition)
{
    return (vdnn_launch){.run = condition->run,
                         .argument = condition,
                         .extents = &condition->extent,
                         .extent_count = 1};
}
