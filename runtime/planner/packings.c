#include "runtime/planner/packings.h"

#include "runtime/base/heap.h"

#include <string.h>
#include <xxhash.h>

/* How many are kept: the oldest makes room. */
enum { MOST_KEPT = 64 };

typedef struct packing {
    XXH128_hash_t key; /* of what was packed */
    size_t span_bytes;
    size_t *offsets; /* owned; NULL: there is none */
} packing;

struct vdnn_packings {
    packing kept[MOST_KEPT];
    int next; /* that is replaced */
    vdnn_region spare;
    vdnn_region *holder; /* borrowed; of the memory; NULL: there is none yet */
};

vdnn_status vdnn_packings_create(vdnn_packings **packings)
{
    *packings = vdnn_heap_calloc(1, sizeof **packings);
    return *packings != NULL ? VDNN_OK
                             : vdnn_status_fail(VDNN_NO_MEMORY, "no memory to keep packings");
}

void vdnn_packings_destroy(vdnn_packings *packings)
{
    if (packings == NULL)
        return;
    for (int i = 0; i < MOST_KEPT; i++)
        vdnn_heap_free(packings->kept[i].offsets);
    vdnn_region_fini(&packings->spare);
    vdnn_heap_free(packings);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void vdnn_packings_pass_on(vdnn_packings *packings, vdnn_region *to)
{
    if (packings == NULL || packings->holder == to)
        return;
    if (packings->holder != NULL) {
        *to = *packings->holder;
        *packings->holder = (vdnn_region){.top = NULL};
    }
    packings->holder = to;
}

void vdnn_packings_take_back(vdnn_packings *packings, vdnn_region *from)
{
    if (packings != NULL && packings->holder == from)
        vdnn_packings_pass_on(packings, &packings->spare);
}

void vdnn_packings_trim(vdnn_packings *packings)
{
    if (packings != NULL)
        vdnn_region_fini(&packings->spare);
}

/* ---- packings -------------------------------------------------------------------------------- */

/* Of all that the packer looks at. 128 bits: that two differ and have the same key will not be
 * seen. */
static vdnn_status make_key(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                            size_t alignment, XXH128_hash_t *key)
{
    enum { NUMBERS = 5 };
    uint64_t(*numbers)[NUMBERS] = vdnn_region_take(region, (size_t)count + 1, sizeof *numbers);
    if (numbers == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    for (int32_t i = 0; i < count; i++) {
        const uint64_t own[NUMBERS] = {(uint64_t)items[i].start, (uint64_t)items[i].end,
                                       items[i].pinned, (uint64_t)items[i].place, items[i].bytes};
        memcpy(numbers[i], own, sizeof own);
    }
    *key = XXH3_128bits_withSeed(numbers, (size_t)count * sizeof *numbers, alignment);
    return VDNN_OK;
}

static const packing *find(const vdnn_packings *packings, XXH128_hash_t key)
{
    for (int i = 0; i < MOST_KEPT; i++)
        if (packings->kept[i].offsets != NULL && XXH128_isEqual(packings->kept[i].key, key))
            return &packings->kept[i];
    return NULL;
}

static vdnn_status keep(vdnn_packings *packings, XXH128_hash_t key, const vdnn_packer_item *items,
                        int32_t count, size_t span_bytes)
{
    size_t *offsets = vdnn_heap_calloc((size_t)count, sizeof *offsets);
    if (offsets == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to keep a packing of %d buffers",
                                (int)count);
    for (int32_t i = 0; i < count; i++)
        offsets[i] = items[i].offset;
    packing *at = &packings->kept[packings->next];
    packings->next = (packings->next + 1) % MOST_KEPT;
    vdnn_heap_free(at->offsets);
    *at = (packing){key, span_bytes, offsets};
    return VDNN_OK;
}

vdnn_status vdnn_packings_pack(vdnn_packings *packings, vdnn_region *region,
                               vdnn_packer_item *items, int32_t count, size_t alignment,
                               size_t *span_bytes)
{
    XXH128_hash_t key;
    if (packings == NULL || count == 0)
        return vdnn_packer_pack(region, items, count, alignment, span_bytes);
    vdnn_status status = make_key(region, items, count, alignment, &key);
    if (status != VDNN_OK)
        return status;
    const packing *known = find(packings, key);
    if (known == NULL) {
        status = vdnn_packer_pack(region, items, count, alignment, span_bytes);
        return status == VDNN_OK ? keep(packings, key, items, count, *span_bytes) : status;
    }
    for (int32_t i = 0; i < count; i++)
        items[i].offset = known->offsets[i];
    *span_bytes = known->span_bytes;
    return VDNN_OK;
}
