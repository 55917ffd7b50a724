#include "runtime/planner/floorplan.h"

#include "runtime/base/heap.h"

#include <string.h>
#include <xxhash.h>

/* Of a table with open addressing. In a layout: of a buffer, and where it lay; while buffers are
 * counted: of a purpose, and how many were for it. */
typedef struct vdnn_floorplan_place {
    uint64_t key; /* 0: free */
    size_t value;
} place;

/* At least twice as many places as buffers. */
static size_t capacity_for(int32_t count)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)count)
        capacity *= 2;
    return capacity;
}

/* That of the key, or a free one. */
static place *find(place *places, size_t capacity, uint64_t key)
{
    size_t at = (size_t)key & (capacity - 1);
    while (places[at].key != 0 && places[at].key != key)
        at = (at + 1) & (capacity - 1);
    return &places[at];
}

static uint64_t purpose_of(const vdnn_buffer *buffer)
{
    const uint64_t numbers[] = {(uint64_t)buffer->tier, (uint64_t)buffer->class,
                                (uint64_t)buffer->layer, (uint64_t)buffer->map, buffer->map_offset};
    return XXH3_64bits(numbers, sizeof numbers) | 1;
}

/* Of the next buffer for a purpose, the key. */
static uint64_t next_key(place *counted, size_t capacity, const vdnn_buffer *buffer)
{
    const uint64_t purpose = purpose_of(buffer);
    place *at = find(counted, capacity, purpose);
    at->key = purpose;
    return XXH3_64bits_withSeed(&purpose, sizeof purpose, at->value++) | 1;
}

static vdnn_status begin_count(vdnn_region *region, int32_t count, place **counted)
{
    *counted = vdnn_region_zeros(region, capacity_for(count), sizeof **counted);
    return *counted != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_NO_MEMORY, "no memory to lay out %d buffers", (int)count);
}

static vdnn_status grow(vdnn_floorplan *own, int32_t count)
{
    const size_t capacity = capacity_for(count);
    if (capacity > own->capacity) {
        vdnn_floorplan_fini(own);
        own->places = vdnn_heap_calloc(capacity, sizeof *own->places);
        if (own->places == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to lay out %d buffers", (int)count);
        own->capacity = capacity;
    }
    memset(own->places, 0, own->capacity * sizeof *own->places);
    return VDNN_OK;
}

vdnn_status vdnn_floorplan_note(vdnn_floorplan *own, vdnn_region *region,
                                const vdnn_buffer *buffers, int32_t count)
{
    place *counted;
    vdnn_status status = begin_count(region, count, &counted);
    VDNN_IF_OK(status, grow(own, count));
    for (int32_t b = 0; b < count && status == VDNN_OK; b++) {
        const uint64_t key = next_key(counted, capacity_for(count), &buffers[b]);
        *find(own->places, own->capacity, key) = (place){key, buffers[b].offset};
    }
    return status;
}

vdnn_status vdnn_floorplan_tell(const vdnn_floorplan *own, vdnn_region *region,
                                const vdnn_buffer *buffers, int32_t count, size_t *offsets)
{
    place *counted;
    vdnn_status status = begin_count(region, count, &counted);
    for (int32_t b = 0; b < count && status == VDNN_OK; b++) {
        const uint64_t key = next_key(counted, capacity_for(count), &buffers[b]);
        const place *at = own->places == NULL ? NULL : find(own->places, own->capacity, key);
        offsets[b] = at != NULL && at->key == key ? at->value : SIZE_MAX;
    }
    return status;
}

void vdnn_floorplan_fini(vdnn_floorplan *own)
{
    vdnn_heap_free(own->places);
    *own = (vdnn_floorplan){.places = NULL};
}
