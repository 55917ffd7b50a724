#include "alloc/file_tier.h"
#include "runtime/base/heap.h"
#include "runtime/device/device_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- tiers ----------------------------------------------------------------------------------- */

/* NaN in every data type. */
enum { POISON = 0xff };

static vdnn_status poison(const vdnn_device *device, vdnn_tier tier_)
{
    enum { PART_BYTES = 1 << 20 };
    const vdnn_device_tier *own = &device->tiers[tier_];
    if (tier_ == VDNN_TIER_HOST) { /* the file tier has no base */
        memset(own->base, POISON, own->bytes);
        return VDNN_OK;
    }
    char *part = vdnn_heap_calloc(PART_BYTES, 1);
    if (part == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to poison the device tier");
    memset(part, POISON, PART_BYTES);
    vdnn_status status = VDNN_OK;
    for (size_t at = 0; status == VDNN_OK && at < own->bytes; at += PART_BYTES) {
        size_t left = own->bytes - at;
        status = device->backend->transfer(device->state, own->base + at, part,
                                           left < PART_BYTES ? left : PART_BYTES);
    }
    vdnn_heap_free(part);
    return status;
}

void vdnn_device_free_file_tier(vdnn_device *device, vdnn_tier tier_)
{
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        vdnn_file_lane_destroy(device->lanes[tier_][i]);
        device->lanes[tier_][i] = NULL;
    }
    vdnn_file_tier_destroy(device->files[tier_]);
    device->files[tier_] = NULL;
}

static bool uses(vdnn_stream_id stream, vdnn_tier tier_)
{
    return vdnn_stream_from(stream) == tier_ || vdnn_stream_to(stream) == tier_;
}

static vdnn_status reserve_file(vdnn_device *device, vdnn_tier tier_, size_t bytes)
{
    vdnn_file_tier_options options = {.folder = device->folders[tier_], .bytes = bytes};
    vdnn_device_free_file_tier(device, tier_);
    if (bytes == 0)
        return VDNN_OK;
    if (options.folder == NULL || device->properties.simulated)
        return vdnn_status_fail(VDNN_DEVICE, "device %s: it has no %s tier, for %zu bytes",
                                device->properties.kind, vdnn_tier_text(tier_), bytes);
    vdnn_status status = vdnn_file_tier_create(&options, &device->files[tier_]);
    for (int i = 0; i < VDNN_STREAM_COUNT && status == VDNN_OK; i++)
        if (uses((vdnn_stream_id)i, tier_))
            status = vdnn_file_lane_create(device->files[tier_], NULL, &device->lanes[tier_][i]);
    if (status != VDNN_OK)
        vdnn_device_free_file_tier(device, tier_);
    return status;
}

vdnn_status vdnn_device_reserve(vdnn_device *device, vdnn_tier tier_, size_t bytes)
{
    vdnn_device_tier *own = &device->tiers[tier_];
    void *base = NULL;
    size_t locked = 0;
    *own = (vdnn_device_tier){0};
    if (tier_ == VDNN_TIER_HOST)
        device->locked_bytes = 0;
    vdnn_status status = vdnn_device_select(device);
    VDNN_IF_OK(status, vdnn_tier_is_file(tier_)
                           ? reserve_file(device, tier_, bytes)
                           : device->backend->reserve(device->state, tier_, bytes, &base, &locked));
    if (status != VDNN_OK)
        return status;
    *own = (vdnn_device_tier){.base = base, .bytes = bytes};
    if (tier_ == VDNN_TIER_HOST)
        device->locked_bytes = locked;
    return device->poison && base != NULL ? poison(device, tier_) : VDNN_OK;
}

void vdnn_device_set_disk_rates(vdnn_device *device, double spill_bytes_per_second,
                                double fill_bytes_per_second)
{
    device->properties.spill_bytes_per_second = spill_bytes_per_second;
    device->properties.fill_bytes_per_second = fill_bytes_per_second;
}

void *vdnn_device_base(const vdnn_device *device, vdnn_tier tier_)
{
    return device->tiers[tier_].base;
}

size_t vdnn_device_tier_bytes(const vdnn_device *device, vdnn_tier tier_)
{
    return device->tiers[tier_].bytes;
}

size_t vdnn_device_free_bytes(const vdnn_device *device)
{
    (void)vdnn_device_select(device);
    return device->backend->free_bytes == NULL ? device->properties.free_bytes
                                               : device->backend->free_bytes(device->state);
}

size_t vdnn_device_locked_bytes(const vdnn_device *device)
{
    return device->locked_bytes;
}

const char *vdnn_device_pageable(vdnn_device *device)
{
    size_t bytes = 0;
    const char *why =
        device->backend->pageable == NULL ? NULL : device->backend->pageable(device->state, &bytes);
    if (why != NULL)
        (void)snprintf(device->pageable, sizeof device->pageable,
                       "%zu bytes of host memory are pageable (%s)", bytes, why);
    return why == NULL ? NULL : device->pageable;
}

/* ---- staging --------------------------------------------------------------------------------- */

vdnn_status vdnn_device_stage(vdnn_device *device, size_t bytes, void **block)
{
    vdnn_device_staged *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "device %s: no memory to record a staging block",
                                device->properties.kind);
    void *memory = NULL;
    vdnn_status status = vdnn_device_select(device);
    VDNN_IF_OK(status, device->backend->stage(device->state, bytes, &memory));
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    if (device->poison)
        memset(memory, POISON, bytes);
    *fresh = (vdnn_device_staged){memory, bytes, device->staging};
    device->staging = fresh;
    *block = memory;
    return VDNN_OK;
}

void vdnn_device_unstage(vdnn_device *device, void *block)
{
    vdnn_device_staged **at = &device->staging;
    while (*at != NULL && (*at)->block != block)
        at = &(*at)->next;
    vdnn_device_staged *found = *at;
    if (found == NULL)
        return;
    *at = found->next;
    (void)vdnn_device_select(device);
    device->backend->unstage(device->state, found->block, found->bytes);
    vdnn_heap_free(found);
}

bool vdnn_device_reaches(const vdnn_device *device, const void *block)
{
    return vdnn_device_select(device) == VDNN_OK &&
           (device->backend->reaches == NULL || device->backend->reaches(device->state, block));
}

size_t vdnn_device_allocation_count(const vdnn_device *device)
{
    return device->backend->allocation_count(device->state);
}

/* ---- what an operation may touch ------------------------------------------------------------- */

vdnn_status vdnn_device_resolve(vdnn_device *device, const vdnn_extent *extent, char **address)
{
    if ((unsigned)extent->tier >= VDNN_TIER_COUNT)
        return vdnn_status_fail(VDNN_INTERNAL, "an extent is in tier %d of %d", (int)extent->tier,
                                VDNN_TIER_COUNT);
    vdnn_device_tier *own = &device->tiers[extent->tier];
    if (extent->offset > own->bytes || extent->bytes > own->bytes - extent->offset)
        return vdnn_status_fail(
            VDNN_INTERNAL,
            "an operation touches %zu bytes at offset %zu of the %s tier, which "
            "has %zu bytes",
            extent->bytes, extent->offset, vdnn_tier_text(extent->tier), own->bytes);
    size_t end = extent->offset + extent->bytes;
    if (extent->bytes != 0 && end > own->high_water)
        own->high_water = end;
    if (address != NULL)
        *address = own->base == NULL ? NULL : own->base + extent->offset;
    return VDNN_OK;
}

vdnn_status vdnn_device_check_staged(const vdnn_device *device, const void *block, size_t bytes)
{
    uintptr_t at = (uintptr_t)block;
    for (const vdnn_device_staged *own = device->staging; own != NULL; own = own->next) {
        uintptr_t base = (uintptr_t)own->block;
        if (at >= base && at - base <= own->bytes && bytes <= own->bytes - (at - base))
            return VDNN_OK;
    }
    return vdnn_status_fail(VDNN_INTERNAL, "%zu bytes at %p are in no staging block of the device",
                            bytes, block);
}

size_t vdnn_device_high_water(const vdnn_device *device, vdnn_tier tier_)
{
    return device->tiers[tier_].high_water;
}

void vdnn_device_reset_high_water(vdnn_device *device)
{
    for (int i = 0; i < VDNN_TIER_COUNT; i++)
        device->tiers[i].high_water = 0;
}

/* ---- reading and writing at once ------------------------------------------------------------- */

static vdnn_status transfer(const vdnn_device *device, void *to, const void *from, size_t bytes)
{
    vdnn_status status = vdnn_device_select(device);
    return status == VDNN_OK ? device->backend->transfer(device->state, to, from, bytes) : status;
}

vdnn_status vdnn_device_write(vdnn_device *device, vdnn_tier in, size_t offset, const void *from,
                              size_t bytes)
{
    char *target = NULL;
    vdnn_extent extent = {in, offset, bytes};
    vdnn_status status = vdnn_device_resolve(device, &extent, &target);
    return status == VDNN_OK ? transfer(device, target, from, bytes) : status;
}

vdnn_status vdnn_device_read(vdnn_device *device, void *to, vdnn_tier in, size_t offset,
                             size_t bytes)
{
    char *source = NULL;
    vdnn_extent extent = {in, offset, bytes};
    vdnn_status status = vdnn_device_resolve(device, &extent, &source);
    return status == VDNN_OK ? transfer(device, to, source, bytes) : status;
}

vdnn_status vdnn_device_digest(const vdnn_device *device, vdnn_extent extent, void *stream,
                               uint64_t *digest)
{
    const vdnn_device_tier *own = &device->tiers[extent.tier];
    VDNN_INVARIANT(extent.offset + extent.bytes, <=, own->bytes);
    return device->backend->digest(device->state, own->base + extent.offset, extent.bytes, stream,
                                   digest);
}
