#include "runtime/measure/measure.h"

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/measure/measure_internal.h"

#include <stdint.h>

/* ---- others ---------------------------------------------------------------------------------- */

/* In a network other layers run between two runs of a layer, and their data goes through the
 * caches; a kernel whose operands are still cached from the last run takes half the time. A card's
 * cache is swept completely. On the CPU a sweep is larger than the caches of the cores and smaller
 * than the shared one, which may hold a small network; it is never larger than the network's own
 * data. */
enum {
    CORE_CACHES_BYTES = 8 << 20,
    CACHES_OF_A_SWEEP = 2 /* a card's replacement policy is unknown */
};

static size_t round_up(size_t bytes)
{
    return (bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

static size_t others_bytes(const vdnn_device_properties *properties, size_t working_bytes)
{
    if (properties->cache_bytes > 0)
        return round_up(CACHES_OF_A_SWEEP * properties->cache_bytes);
    return round_up(working_bytes < CORE_CACHES_BYTES ? working_bytes : CORE_CACHES_BYTES);
}

/* ---- the machine's memory -------------------------------------------------------------------- */

enum {
    SHARE_OF_FREE = 2, /* of what is free the most that counts as the network's data */
    /* Left to libraries, whose code and scratch are not measured ahead: some end the process where
     * they find no memory for it. */
    LIBRARY_BYTES = 16 << 20
};

static size_t most_working_bytes(const vdnn_device_properties *properties, size_t working_bytes)
{
    const char *limit = "nothing";
    size_t most =
        properties->shares_host_memory ? vdnn_memory_available(&limit) / SHARE_OF_FREE : SIZE_MAX;
    return working_bytes < most ? working_bytes : most;
}

static vdnn_status check_machine(const vdnn_device_properties *properties, size_t bytes)
{
    const char *limit = "nothing";
    size_t available = properties->shares_host_memory ? vdnn_memory_available(&limit) : SIZE_MAX;
    if (bytes <= SIZE_MAX - LIBRARY_BYTES && bytes + LIBRARY_BYTES <= available)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_DEVICE,
                            "%s: measuring needs %zu bytes, and libraries up to %d, but %s leaves "
                            "%zu",
                            properties->kind, bytes, LIBRARY_BYTES, limit, available);
}

/* ---- the object ------------------------------------------------------------------------------ */

vdnn_status vdnn_measure_create(vdnn_device *device, size_t working_bytes, vdnn_measure **measure)
{
    const vdnn_device_properties *properties = vdnn_device_describe(device);
    const vdnn_measuring *conditions = vdnn_measuring_find(properties->kind);
    VDNN_INVARIANT(conditions != NULL, ==, true);
    working_bytes = most_working_bytes(properties, working_bytes);
    vdnn_measure *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
    *made = (vdnn_measure){.device = device,
                           .properties = properties,
                           .conditions = conditions,
                           .context = {.settings = {.lr = 1e-4, .momentum = 0.9}},
                           .working_bytes = working_bytes,
                           .others_bytes = others_bytes(properties, working_bytes)};
    vdnn_status status = vdnn_measure_need(made, VDNN_ALIGNMENT);
    VDNN_IF_OK(status, vdnn_measure_launch(made));
    if (status != VDNN_OK) {
        vdnn_measure_destroy(made);
        return status;
    }
    *measure = made;
    return VDNN_OK;
}

void vdnn_measure_destroy(vdnn_measure *measure)
{
    if (measure == NULL)
        return;
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        (void)vdnn_device_reserve(measure->device, (vdnn_tier)tier, 0);
    vdnn_heap_free(measure);
}

/* ---- memory ---------------------------------------------------------------------------------- */

vdnn_extent vdnn_measure_extent(const vdnn_measure *measure, size_t offset, size_t bytes)
{
    return (vdnn_extent){VDNN_TIER_DEVICE, measure->others_bytes + offset, bytes};
}

char *vdnn_measure_base(const vdnn_measure *measure)
{
    char *base = vdnn_device_base(measure->device, VDNN_TIER_DEVICE);
    return base + measure->others_bytes;
}

/* The tier's pages are touched ahead, so that no run pays for page faults. */
vdnn_status vdnn_measure_need(vdnn_measure *measure, size_t bytes)
{
    if (bytes <= measure->reserved_bytes)
        return VDNN_OK;
    measure->reserved_bytes = measure->filled_bytes = 0;
    vdnn_status status = vdnn_device_reserve(measure->device, VDNN_TIER_DEVICE, 0);
    VDNN_IF_OK(status, check_machine(measure->properties, measure->others_bytes + bytes));
    VDNN_IF_OK(status, vdnn_device_reserve(measure->device, VDNN_TIER_DEVICE,
                                           measure->others_bytes + bytes));
    if (status == VDNN_OK)
        measure->reserved_bytes = bytes;
    return status;
}

vdnn_status vdnn_measure_fill(vdnn_measure *measure, size_t bytes)
{
    size_t filled = measure->filled_bytes;
    if (bytes <= filled)
        return VDNN_OK;
    vdnn_condition fill =
        vdnn_condition_fill(measure, vdnn_measure_extent(measure, filled, bytes - filled));
    const vdnn_launch launch = vdnn_condition_launch(&fill);
    vdnn_status status = vdnn_measure_do(measure, &launch, 1);
    if (status == VDNN_OK)
        measure->filled_bytes = bytes;
    return status;
}

vdnn_status vdnn_measure_number(vdnn_measure *measure, size_t offset, int64_t count,
                                int64_t classes)
{
    vdnn_extent extent = vdnn_measure_extent(measure, offset, (size_t)count * sizeof(int32_t));
    vdnn_condition labels = vdnn_condition_number(measure, extent, count, classes);
    const vdnn_launch launch = vdnn_condition_launch(&labels);
    return vdnn_measure_do(measure, &launch, 1);
}
