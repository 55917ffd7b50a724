#include "runtime/measure/measure_disk.h"

#include "alloc/allocator.h"

/* A buffer of the host's memory, where that is little a share of it. */
enum { BYTES = 32 << 20, SHARE = 8, EVENTS = 2 };

/* Out to the file, and back. */
static vdnn_status copy_both(vdnn_device *device, size_t bytes)
{
    const vdnn_extent host = {VDNN_TIER_HOST, 0, bytes}, file = {VDNN_TIER_FILE, 0, bytes};
    const int32_t out = 0;
    vdnn_status status = vdnn_device_round(device);
    VDNN_IF_OK(status, vdnn_device_copy(device, VDNN_STREAM_SPILL, 0, NULL, 0, file, host));
    VDNN_IF_OK(status, vdnn_device_copy(device, VDNN_STREAM_FILL, 1, &out, 1, host, file));
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    vdnn_first_error_keep(&error, vdnn_device_synchronize(device));
    return vdnn_first_error_tell(&error);
}

static double rate_of(const vdnn_device *device, int32_t event, size_t bytes)
{
    double start, end;
    vdnn_device_times(device, event, &start, &end);
    return end > start ? (double)bytes / (end - start) : (double)bytes;
}

/* Twice: a file's first blocks cost more. */
static vdnn_status time_both(vdnn_device *device, size_t bytes)
{
    vdnn_status status = vdnn_device_reserve(device, VDNN_TIER_HOST, bytes);
    VDNN_IF_OK(status, vdnn_device_grow_events(device, EVENTS));
    for (int i = 0; status == VDNN_OK && i < 2; i++)
        status = copy_both(device, bytes);
    if (status == VDNN_OK)
        vdnn_device_set_disk_rates(device, rate_of(device, 0, bytes), rate_of(device, 1, bytes));
    return status;
}

vdnn_status vdnn_measure_disk(vdnn_device *device, size_t most_bytes)
{
    const char *limit;
    size_t bytes = most_bytes < BYTES ? most_bytes : BYTES, memory = vdnn_memory_available(&limit);
    bytes = bytes < memory / SHARE ? bytes : memory / SHARE;
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_status status = vdnn_device_reserve(device, VDNN_TIER_FILE, bytes);
    VDNN_IF_OK(status, time_both(device, bytes));
    vdnn_first_error_keep(&error, status);
    (void)vdnn_device_reserve(device, VDNN_TIER_HOST, 0);
    (void)vdnn_device_reserve(device, VDNN_TIER_FILE, 0);
    return vdnn_first_error_tell(&error);
}
