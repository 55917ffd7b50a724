#include "tests/support/file_copies.h"

#include "alloc/file_tier.h"
#include "runtime/device/device.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include <errno.h>
#include <string.h>

enum { EVENTS = 4, BLOCK = VDNN_FILE_BLOCK, BYTES = 3 * BLOCK + 1000, HOST_BYTES = 16 * BLOCK };

/* Misaligned in memory, whole blocks in the file. */
static const vdnn_extent source = {VDNN_TIER_HOST, 256, BYTES},
                         place = {VDNN_TIER_FILE, (size_t)2 * BLOCK, BYTES},
                         target = {VDNN_TIER_HOST, (size_t)8 * BLOCK + 512, BYTES};

static vdnn_device *open_device(const char *kind, const char *folder)
{
    const vdnn_device_options options = {
        .threads = 1, .event_count = EVENTS, .folders = {[VDNN_TIER_FILE] = folder}};
    vdnn_device *device = NULL;
    assert_ok(vdnn_device_open(kind, &options, &device));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, HOST_BYTES));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_FILE, HOST_BYTES));
    assert_int_equal(vdnn_device_tier_bytes(device, VDNN_TIER_FILE), HOST_BYTES);
    assert_int_equal(vdnn_test_folder_count(folder), 0);
    return device;
}

/* Out to the file and back, in a round. */
static void enqueue_copies(vdnn_device *device)
{
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_SPILL, 0, NULL, 0, place, source));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_FILL, 1, (int32_t[]){0}, 1, target, place));
}

static void expect_moved(const vdnn_device *device, size_t bytes)
{
    size_t sum = 0;
    for (int from = 0; from < VDNN_DEVICE_ENDS; from++)
        for (int to = 0; to < VDNN_DEVICE_ENDS; to++)
            sum += vdnn_device_moved_bytes(device, from, to);
    assert_int_equal(vdnn_device_moved_bytes(device, VDNN_TIER_HOST, VDNN_TIER_FILE), bytes);
    assert_int_equal(vdnn_device_moved_bytes(device, VDNN_TIER_FILE, VDNN_TIER_HOST), bytes);
    assert_int_equal(sum, 2 * bytes);
}

static void expect_refused(vdnn_device *device, vdnn_stream_id stream, vdnn_extent to,
                           vdnn_extent from, const char *why)
{
    assert_status(vdnn_device_copy(device, stream, 2, NULL, 0, to, from), VDNN_INTERNAL);
    assert_message(why);
}

void vdnn_test_file_copies(const char *kind, const char *folder)
{
    vdnn_device *device = open_device(kind, folder);
    unsigned char *host = vdnn_device_base(device, VDNN_TIER_HOST);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < HOST_BYTES; i++)
            host[i] = (unsigned char)(i * 31 + (size_t)round);
        enqueue_copies(device);
        assert_ok(vdnn_device_finish(device));
        expect_moved(device, BYTES);
        assert_memory_equal(host + target.offset, host + source.offset, BYTES);
    }
    assert_int_equal(vdnn_device_high_water(device, VDNN_TIER_FILE), place.offset + BYTES);
    const vdnn_extent on_device = {VDNN_TIER_DEVICE, 0, 0}, nothing = {VDNN_TIER_FILE, 0, 0},
                      beyond = {VDNN_TIER_FILE, HOST_BYTES, BYTES},
                      between = {VDNN_TIER_FILE, 512, BYTES};
    assert_ok(vdnn_device_round(device));
    expect_refused(device, VDNN_STREAM_OUT, place, source, "on stream out");
    expect_refused(device, VDNN_STREAM_FILL, place, source, "on stream fill");
    expect_refused(device, VDNN_STREAM_SPILL, nothing, on_device, "from the device to the file");
    expect_refused(device, VDNN_STREAM_SPILL, beyond, source, "of the file tier");
    expect_refused(device, VDNN_STREAM_SPILL, between, source, "no multiple of 4096");
    assert_ok(vdnn_device_finish(device));
    vdnn_device_close(device);
}

/* A full disk ends its round with the file's error, and the next round is as if there were none. */
void vdnn_test_file_copies_that_fail(const char *kind, const char *folder)
{
    const vdnn_test_fault without_io_uring = {
        .calls = VDNN_TEST_CALL(io_uring_setup), .nth = 1, .lasting = true, .error = EPERM};
    const vdnn_test_fault full = {.calls = VDNN_TEST_CALL(pwrite), .nth = 1, .error = ENOSPC};
    vdnn_test_fault_begin(&without_io_uring);
    vdnn_device *device = open_device(kind, folder);
    (void)vdnn_test_fault_end();
    vdnn_test_fault_begin(&full);
    enqueue_copies(device);
    vdnn_status status = vdnn_device_finish(device);
    (void)vdnn_test_fault_end();
    assert_status(status, VDNN_FILE);
    assert_message(folder);
    assert_message("cannot be written: No space left on device");
    enqueue_copies(device);
    assert_ok(vdnn_device_finish(device));
    expect_moved(device, BYTES);
    vdnn_device_close(device);
    const vdnn_device_options nowhere = {.threads = 1, .event_count = EVENTS};
    assert_ok(vdnn_device_open(kind, &nowhere, &device));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_FILE, 0));
    assert_status(vdnn_device_reserve(device, VDNN_TIER_FILE, 1), VDNN_DEVICE);
    assert_message("no file tier");
    vdnn_device_close(device);
}
