#include "tests/support/moved_bytes.h"

#include "tests/support/faulty_device.h"
#include "tests/support/vdnn_test.h"

enum { MIB = 1 << 20, OUT = 4096, IN = 1024, LOAD = 64, STORE = 8, EVENTS = 5 };

/* Two copies out, one in, a load and a store. */
static void enqueue_copies(vdnn_device *device, void *block)
{
    static const vdnn_extent on_device = {VDNN_TIER_DEVICE, 256, OUT},
                             on_host = {VDNN_TIER_HOST, 512, OUT},
                             part = {VDNN_TIER_DEVICE, 8192, IN}, copy = {VDNN_TIER_HOST, 512, IN};
    assert_ok(vdnn_device_round(device));
    for (int32_t i = 0; i < 2; i++)
        assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, i, NULL, 0, on_host, on_device));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_IN, 2, (int32_t[]){1}, 1, part, copy));
    assert_ok(vdnn_device_load(device, VDNN_STREAM_IN, 3, NULL, 0,
                               (vdnn_extent){VDNN_TIER_DEVICE, 0, LOAD}, block));
    assert_ok(vdnn_device_store(device, VDNN_STREAM_OUT, 4, (int32_t[]){3}, 1, block,
                                (vdnn_extent){VDNN_TIER_DEVICE, 0, STORE}));
}

static void expect_moved(const vdnn_device *device, size_t out, size_t in)
{
    size_t sum = 0;
    for (int from = 0; from < VDNN_DEVICE_ENDS; from++)
        for (int to = 0; to < VDNN_DEVICE_ENDS; to++)
            sum += vdnn_device_moved_bytes(device, from, to);
    assert_int_equal(vdnn_device_moved_bytes(device, VDNN_TIER_DEVICE, VDNN_TIER_HOST), out);
    assert_int_equal(vdnn_device_moved_bytes(device, VDNN_TIER_HOST, VDNN_TIER_DEVICE), in);
    assert_int_equal(vdnn_device_moved_bytes(device, VDNN_STAGING, VDNN_TIER_DEVICE), LOAD);
    assert_int_equal(vdnn_device_moved_bytes(device, VDNN_TIER_DEVICE, VDNN_STAGING), STORE);
    assert_int_equal(sum, out + in + LOAD + STORE);
}

/* Rounds overlap: each has its own count, and none is told before its end. */
static void expect_rounds(const char *kind, const vdnn_test_device_fault *fault, size_t out,
                          size_t in)
{
    const vdnn_device_options options = {.threads = 1, .event_count = EVENTS};
    vdnn_device *device = NULL;
    void *block = NULL;
    vdnn_test_device_begin(fault);
    assert_ok(vdnn_device_open(kind, &options, &device));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_DEVICE, MIB));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, MIB));
    assert_ok(vdnn_device_stage(device, LOAD, &block));
    enqueue_copies(device, block);
    assert_int_equal(vdnn_device_moved_bytes(device, VDNN_TIER_DEVICE, VDNN_TIER_HOST), 0);
    enqueue_copies(device, block);
    assert_ok(vdnn_device_finish(device));
    expect_moved(device, out, in);
    assert_ok(vdnn_device_finish(device));
    expect_moved(device, (size_t)2 * OUT, IN);
    vdnn_device_close(device);
    (void)vdnn_test_device_end();
}

void vdnn_test_moved_bytes(const char *kind, const vdnn_device_backend *backend)
{
    vdnn_test_device_fault fault = {.backend = backend};
    expect_rounds(kind, &fault, (size_t)2 * OUT, IN);
    fault.drop_nth = 2;
    expect_rounds(kind, &fault, OUT, IN);
    fault.drop_nth = 3;
    expect_rounds(kind, &fault, (size_t)2 * OUT, 0);
    fault = (vdnn_test_device_fault){.backend = backend, .double_nth = 1};
    expect_rounds(kind, &fault, (size_t)3 * OUT, IN);
    fault.double_nth = 3;
    expect_rounds(kind, &fault, (size_t)2 * OUT, (size_t)2 * IN);
}
