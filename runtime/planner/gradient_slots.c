#include "runtime/planner/gradient_slots.h"

enum { NONE = -1 };

typedef struct gradient_slots {
    int32_t *last;       /* per buffer: its last step */
    int32_t *slot;       /* per buffer: its slot's buffer */
    int32_t *slots;      /* the slots' buffers */
    int32_t *busy_until; /* per slot: a step */
    int32_t count;
    size_t largest_bytes;
} gradient_slots;

static bool gradient_slots_init(vdnn_builder *builder, gradient_slots *slots)
{
    size_t count = (size_t)builder->buffer_count;
    *slots = (gradient_slots){
        .last = vdnn_region_take(&builder->region, count, sizeof *slots->last),
        .slot = vdnn_region_take(&builder->region, count, sizeof *slots->slot),
        .slots = vdnn_region_take(&builder->region, count, sizeof *slots->slots),
        .busy_until = vdnn_region_take(&builder->region, count, sizeof *slots->busy_until)};
    if (builder->region.failed)
        return false;
    for (int32_t i = 0; i < builder->access_count; i++)
        slots->last[builder->accesses[i].access.buffer] = builder->accesses[i].step;
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        const vdnn_buffer *buffer = &builder->buffers[b];
        slots->slot[b] = NONE;
        if (buffer->class == VDNN_CLASS_GRADIENT_MAP && buffer->bytes > slots->largest_bytes)
            slots->largest_bytes = buffer->bytes;
    }
    return true;
}

/* A slot that is free at `step`, for `buffer` up to its last step. */
static int32_t take_slot(gradient_slots *slots, int32_t buffer, int32_t step)
{
    int32_t i = 0;
    while (i < slots->count && slots->busy_until[i] >= step)
        i++;
    if (i == slots->count)
        slots->slots[slots->count++] = buffer;
    slots->busy_until[i] = slots->last[buffer];
    return slots->slots[i];
}

/* Gradient maps are accessed by the compute stream only, so their lifetimes are ranges of steps: as
 * many slots as are alive at once, each as large as the largest map. */
void vdnn_gradient_slots_share(vdnn_builder *builder)
{
    gradient_slots slots;
    builder->failed = !gradient_slots_init(builder, &slots);
    for (int32_t i = 0; i < builder->access_count && !builder->failed; i++) {
        int32_t *buffer = &builder->accesses[i].access.buffer;
        if (builder->buffers[*buffer].class != VDNN_CLASS_GRADIENT_MAP)
            continue;
        if (slots.slot[*buffer] == NONE)
            slots.slot[*buffer] = take_slot(&slots, *buffer, builder->accesses[i].step);
        *buffer = slots.slot[*buffer];
    }
    for (int32_t i = 0; i < slots.count && !builder->failed; i++) {
        vdnn_buffer *slot = &builder->buffers[slots.slots[i]];
        slot->bytes = slots.largest_bytes;
        slot->map = NONE;
        slot->label = "shared";
    }
}
