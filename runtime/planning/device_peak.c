#include "runtime/planning/device_peak.h"

#include "runtime/base/heap.h"

#include <string.h>

/* In the builder's memory, until its length is known. */
typedef struct finder {
    vdnn_builder *builder;
    const vdnn_plan *plan;
    vdnn_device_peak_found made;
    int32_t peak_point; /* the first of the highest */
} finder;

/* The bytes alive from one half point to the next. */
static int64_t *list_changes(const finder *own)
{
    const vdnn_plan *plan = own->plan;
    int64_t *changes =
        vdnn_region_zeros(&own->builder->region, 2 * (size_t)plan->step_count + 2, sizeof *changes);
    for (int32_t b = 0; changes != NULL && b < plan->buffer_count; b++) {
        const vdnn_lifetime *life = &own->builder->lifetimes[b];
        if (plan->buffers[b].tier != VDNN_TIER_DEVICE)
            continue;
        changes[life->start] += (int64_t)plan->buffers[b].bytes;
        changes[life->end] -= (int64_t)plan->buffers[b].bytes;
    }
    return changes;
}

static void look_at(finder *own, int32_t step, int32_t point, size_t bytes)
{
    const vdnn_step *at = &own->plan->steps[step];
    vdnn_device_peak *peak = &own->made.peak;
    if (bytes > own->made.limit_bytes)
        peak->overflow_bytes +=
            (double)(bytes - own->made.limit_bytes) / vdnn_plan_parts(own->plan, at);
    if (bytes <= peak->bytes)
        return;
    peak->bytes = bytes;
    peak->layer = at->layer;
    peak->in_backward = at->pass != VDNN_FORWARD;
    own->peak_point = point;
}

static void find_points(finder *own, const int64_t *changes)
{
    int64_t sum = 0;
    for (int32_t s = 0, point = 0; s < own->plan->step_count; s++) {
        if (own->plan->steps[s].stream != VDNN_STREAM_COMPUTE)
            continue;
        for (int half = 0; half < 2; half++, point++) {
            sum += changes[point];
            look_at(own, s, point, (size_t)sum);
        }
    }
}

static vdnn_status find_maps(finder *own)
{
    const vdnn_plan *plan = own->plan;
    const size_t maps = (size_t)plan->graph->map_count;
    vdnn_alive *alive = vdnn_region_zeros(&own->builder->region, maps, sizeof *alive);
    own->made.maps = vdnn_region_take(&own->builder->region, maps, sizeof *own->made.maps);
    VDNN_TRY(vdnn_builder_status(own->builder));
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_lifetime *life = &own->builder->lifetimes[b];
        const vdnn_buffer *buffer = &plan->buffers[b];
        const bool is_map = buffer->tier == VDNN_TIER_DEVICE && buffer->map >= 0,
                   is_gradient = buffer->class == VDNN_CLASS_GRADIENT_MAP;
        if (is_map && life->start <= own->peak_point && own->peak_point < life->end)
            *(is_gradient ? &alive[buffer->map].gradient_bytes : &alive[buffer->map].map_bytes) +=
                buffer->bytes;
    }
    for (int32_t m = 0; m < plan->graph->map_count; m++)
        if (alive[m].map_bytes > 0 || alive[m].gradient_bytes > 0)
            own->made.maps[own->made.map_count++] = (vdnn_device_peak_map){m, alive[m]};
    return VDNN_OK;
}

static vdnn_status keep(const vdnn_device_peak_found *made, vdnn_device_peak_found *found)
{
    vdnn_device_peak_found kept = *made;
    kept.maps = vdnn_heap_calloc((size_t)made->map_count, sizeof *kept.maps);
    if (kept.maps == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the peak of %d maps",
                                (int)made->map_count);
    memcpy(kept.maps, made->maps, (size_t)made->map_count * sizeof *kept.maps);
    *found = kept;
    return VDNN_OK;
}

vdnn_status vdnn_device_peak_find(vdnn_builder *builder, const vdnn_plan *plan, size_t limit_bytes,
                                  vdnn_device_peak_found *found)
{
    finder own = {.builder = builder,
                  .plan = plan,
                  .made = {.peak = {.layer = -1, .steps = plan->step_count},
                           .limit_bytes = limit_bytes,
                           .bound = {.step_seconds = plan->step_seconds,
                                     .offload_bytes = plan->offload_bytes}}};
    memcpy(own.made.bound.arena_bytes, plan->span_bytes, sizeof plan->span_bytes);
    vdnn_device_peak_fini(found);
    const int64_t *changes = list_changes(&own);
    VDNN_TRY(vdnn_builder_status(builder));
    find_points(&own, changes);
    vdnn_status status = find_maps(&own);
    return status == VDNN_OK ? keep(&own.made, found) : status;
}

void vdnn_device_peak_alive(const vdnn_device_peak_found *found, int32_t map_count,
                            vdnn_alive *alive)
{
    memset(alive, 0, (size_t)map_count * sizeof *alive);
    for (int32_t i = 0; i < found->map_count; i++)
        alive[found->maps[i].map] = found->maps[i].alive;
}

void vdnn_device_peak_fini(vdnn_device_peak_found *found)
{
    vdnn_heap_free(found->maps);
    *found = (vdnn_device_peak_found){0};
}
