#include "runtime/exec/redzone.h"

#include "runtime/base/heap.h"

#include <stdio.h>
#include <string.h>

enum { PAINT_BYTES = 1 << 20, NONE = -1, TEXT_BYTES = 160 };

/* NaN in f32 and bf16, with bits that no arithmetic gives. */
static const uint16_t paint = 0xffa5;

struct vdnn_redzone {
    const vdnn_plan *plan;
    vdnn_device *device;
    const vdnn_step_context *context;
    char *paint;       /* PAINT_BYTES of it, and one more for odd addresses */
    int32_t *sound_at; /* per buffer: the last step after which its zone was intact */
};

/* ---- paint ----------------------------------------------------------------------------------- */

/* The host tier is the host's memory on every device. */
static char *on_host(const vdnn_redzone *guard, const vdnn_buffer *buffer)
{
    char *base = vdnn_device_base(guard->device, VDNN_TIER_HOST);
    return buffer->tier == VDNN_TIER_HOST ? base + buffer->offset : NULL;
}

/* From the buffer's begin to the end of its zone. */
static size_t whole_bytes(const vdnn_redzone *guard, const vdnn_buffer *buffer)
{
    return vdnn_plan_span_bytes(buffer->bytes, guard->plan->graph->zone_bytes);
}

/* The pattern's byte at this offset from the buffer's begin. */
static const char *paint_at(const vdnn_redzone *guard, size_t at)
{
    return guard->paint + at % sizeof paint;
}

/* From this offset from the buffer's begin on. */
static vdnn_status paint_from(const vdnn_redzone *guard, const vdnn_buffer *buffer, size_t first)
{
    size_t end = vdnn_tier_is_file(buffer->tier) ? 0 : whole_bytes(guard, buffer);
    char *host = on_host(guard, buffer);
    vdnn_status status = VDNN_OK;
    for (size_t at = first; status == VDNN_OK && at < end;) {
        size_t part = end - at < PAINT_BYTES ? end - at : PAINT_BYTES;
        if (host != NULL)
            memcpy(host + at, paint_at(guard, at), part);
        else
            status = vdnn_device_write(guard->device, VDNN_TIER_DEVICE, buffer->offset + at,
                                       paint_at(guard, at), part);
        at += part;
    }
    return status;
}

/* The first byte past the buffer that was overwritten; NONE: none was. */
static vdnn_status look(const vdnn_redzone *guard, const vdnn_buffer *buffer, int32_t *changed)
{
    char read[VDNN_REDZONE_BYTES + VDNN_ALIGNMENT];
    const char *painted = paint_at(guard, buffer->bytes);
    size_t count = whole_bytes(guard, buffer) - buffer->bytes;
    const char *host = on_host(guard, buffer);
    vdnn_status status = VDNN_OK;
    *changed = NONE;
    if (vdnn_tier_is_file(buffer->tier)) /* which no kernel can reach */
        return VDNN_OK;
    if (host != NULL)
        memcpy(read, host + buffer->bytes, count);
    else
        status = vdnn_device_read(guard->device, read, VDNN_TIER_DEVICE,
                                  buffer->offset + buffer->bytes, count);
    for (size_t i = count; i > 0 && status == VDNN_OK; i--)
        if (read[i - 1] != painted[i - 1])
            *changed = (int32_t)i - 1;
    return status;
}

/* ---- telling --------------------------------------------------------------------------------- */

static const char *step_text(const vdnn_plan *plan, int32_t index, char text[TEXT_BYTES])
{
    const vdnn_step *step = &plan->steps[index];
    const char *layer = step->layer >= 0 ? plan->graph->layers[step->layer].name : step->label;
    if (vdnn_step_has_kernel(step))
        (void)snprintf(text, TEXT_BYTES, "%s of layer '%s', %s by %s",
                       vdnn_step_kind_text(step->kind), layer,
                       vdnn_pass_text(vdnn_step_kernel_pass(step)), step->algorithm->name);
    else
        (void)snprintf(text, TEXT_BYTES, "%s '%s'", vdnn_step_kind_text(step->kind), layer);
    return text;
}

/* `since` is the step itself, or an earlier one if others ran in between; NONE: before all. */
static vdnn_status tell(const vdnn_redzone *guard, int32_t buffer, int32_t changed, int32_t since,
                        int32_t step)
{
    const vdnn_plan *plan = guard->plan;
    const vdnn_buffer *own = &plan->buffers[buffer];
    char last[TEXT_BYTES], first[TEXT_BYTES], who[2 * TEXT_BYTES + 64];
    if (since == step)
        (void)snprintf(who, sizeof who, "%s", step_text(plan, step, last));
    else
        (void)snprintf(who, sizeof who, "an operation after %s and before %s",
                       since == NONE ? "the begin" : step_text(plan, since, first),
                       step_text(plan, step, last));
    return vdnn_status_fail(
        VDNN_MISMATCH,
        "poison: step %llu: %s wrote past a buffer: byte %d behind the %s '%s' (%zu bytes at %zu "
        "of the %s tier). The kernel is wrong: please report it, with this message",
        (unsigned long long)guard->context->step + 1, who, changed, vdnn_class_text(own->class),
        own->label, own->bytes, own->offset, vdnn_tier_text(own->tier));
}

static vdnn_status check(vdnn_redzone *guard, int32_t buffer, int32_t since, int32_t step)
{
    int32_t changed = NONE;
    vdnn_status status = look(guard, &guard->plan->buffers[buffer], &changed);
    if (status == VDNN_OK && changed != NONE)
        status = tell(guard, buffer, changed, since, step);
    if (status == VDNN_OK)
        guard->sound_at[buffer] = step;
    return status;
}

/* ---- making ready ---------------------------------------------------------------------------- */

static vdnn_status make_paint(vdnn_redzone *guard)
{
    guard->paint = vdnn_heap_calloc(PAINT_BYTES + sizeof paint, 1);
    guard->sound_at = vdnn_heap_calloc((size_t)guard->plan->buffer_count, sizeof *guard->sound_at);
    if (guard->paint == NULL || guard->sound_at == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to guard %d buffers",
                                guard->plan->buffer_count);
    for (size_t i = 0; i < PAINT_BYTES + sizeof paint; i += sizeof paint)
        memcpy(guard->paint + i, &paint, sizeof paint);
    return VDNN_OK;
}

static vdnn_status paint_persistent(const vdnn_redzone *guard)
{
    const vdnn_plan *plan = guard->plan;
    vdnn_status status = VDNN_OK;
    for (int32_t b = 0; status == VDNN_OK && b < plan->buffer_count; b++) {
        guard->sound_at[b] = NONE;
        if (plan->buffers[b].persistent)
            status = paint_from(guard, &plan->buffers[b], plan->buffers[b].bytes);
    }
    return status;
}

vdnn_status vdnn_redzone_create(const vdnn_plan *plan, vdnn_device *device,
                                const vdnn_step_context *context, vdnn_redzone **guard)
{
    if (plan->graph->zone_bytes != VDNN_REDZONE_BYTES)
        return vdnn_status_fail(VDNN_USAGE, "a plan with zones of %zu bytes cannot be guarded",
                                plan->graph->zone_bytes);
    vdnn_redzone *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to guard buffers");
    *fresh = (vdnn_redzone){.plan = plan, .device = device, .context = context};
    vdnn_status status = make_paint(fresh);
    VDNN_IF_OK(status, paint_persistent(fresh));
    if (status != VDNN_OK) {
        vdnn_redzone_destroy(fresh);
        return status;
    }
    *guard = fresh;
    return VDNN_OK;
}

void vdnn_redzone_destroy(vdnn_redzone *guard)
{
    if (guard == NULL)
        return;
    vdnn_heap_free(guard->paint);
    vdnn_heap_free(guard->sound_at);
    vdnn_heap_free(guard);
}

/* ---- a step ---------------------------------------------------------------------------------- */

static bool is_new(const vdnn_buffer *buffer, int32_t step)
{
    return !buffer->persistent && buffer->first_step == step;
}

vdnn_status vdnn_redzone_before(vdnn_redzone *guard, int32_t step)
{
    const vdnn_plan *plan = guard->plan;
    const vdnn_step *own = &plan->steps[step];
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < own->access_count; i++) {
        int32_t b = plan->accesses[own->first_access + i].buffer;
        const vdnn_buffer *buffer = &plan->buffers[b];
        if (is_new(buffer, step))
            status = paint_from(guard, buffer, vdnn_plan_has_arrived(buffer) ? buffer->bytes : 0);
        else
            status = check(guard, b, guard->sound_at[b], step);
    }
    return status;
}

/* After the last one, also buffers that are kept for the next round. */
vdnn_status vdnn_redzone_after(vdnn_redzone *guard, int32_t step)
{
    const vdnn_plan *plan = guard->plan;
    const vdnn_step *own = &plan->steps[step];
    vdnn_status status = VDNN_OK;
    vdnn_device_wait(guard->device, step);
    for (int32_t i = 0; status == VDNN_OK && i < own->access_count; i++)
        status = check(guard, plan->accesses[own->first_access + i].buffer, step, step);
    for (int32_t b = 0; status == VDNN_OK && step + 1 == plan->step_count && b < plan->buffer_count;
         b++)
        if (plan->buffers[b].persistent)
            status = check(guard, b, guard->sound_at[b], step);
    return status;
}
