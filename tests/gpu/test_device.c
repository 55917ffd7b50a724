/* The CUDA device: memory, order, digests and rates, on a card or the emulation. */

#include "layers/cpu/threads.h"
#include "tests/support/file_copies.h"
#include "tests/support/files.h"
#include "tests/support/gpu.h"
#include "tests/support/moved_bytes.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS = 8, MIB = 1 << 20, FLOATS = MIB / 4 };

static vdnn_device *open_device(size_t device_bytes, size_t host_bytes)
{
    const vdnn_device_options options = {.event_count = EVENTS};
    vdnn_device *device = NULL;
    assert_ok(vdnn_device_open("cuda", &options, &device));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_DEVICE, device_bytes));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, host_bytes));
    return device;
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(a_tier_is_zeroed_and_pinned_memory_is_the_hosts)
{
    vdnn_device *device = open_device(MIB, 2 * MIB);
    static char bytes[MIB];
    memset(bytes, 1, sizeof bytes);
    assert_ok(vdnn_device_read(device, bytes, VDNN_TIER_DEVICE, 0, sizeof bytes));
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], 0);
    const char *host = vdnn_device_base(device, VDNN_TIER_HOST);
    for (size_t i = 0; i < (size_t)2 * MIB; i++)
        assert_int_equal(host[i], 0);
    assert_int_equal(vdnn_device_locked_bytes(device), 2 * MIB);
    vdnn_device_close(device);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* The kernels take long enough that a copy that does not wait would come before the last. */
TEST(a_copy_waits_for_what_it_copies_and_the_next_kernel_for_the_copy)
{
    enum { TIMES = 20 };
    vdnn_device *device = open_device((size_t)2 * MIB, MIB);
    float *sum = vdnn_device_base(device, VDNN_TIER_DEVICE), *part = sum + FLOATS;
    const float *host = vdnn_device_base(device, VDNN_TIER_HOST);
    static float ones[FLOATS], got[FLOATS];
    for (int i = 0; i < FLOATS; i++)
        ones[i] = 1;
    assert_ok(vdnn_device_write(device, VDNN_TIER_DEVICE, MIB, ones, sizeof ones));
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, (size_t)2 * MIB}, from = {VDNN_TIER_DEVICE, 0, MIB};
    vdnn_extent to = {VDNN_TIER_HOST, 0, MIB};
    vdnn_test_adding own = {sum, part, FLOATS, TIMES};
    vdnn_launch work = vdnn_test_add(&own, &all);
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &work));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, 1, (int32_t[]){0}, 1, to, from));
    assert_ok(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 2, (int32_t[]){1}, 1, &work));
    vdnn_device_wait(device, 1);
    for (int i = 0; i < FLOATS; i++)
        assert_true(host[i] == TIMES);
    assert_ok(vdnn_device_synchronize(device));
    assert_ok(vdnn_device_read(device, got, VDNN_TIER_DEVICE, 0, sizeof got));
    for (int i = 0; i < FLOATS; i++)
        assert_true(got[i] == 2 * TIMES);
    double start[3], end[3];
    for (int i = 0; i < 3; i++)
        vdnn_device_times(device, i, &start[i], &end[i]);
    assert_true(start[0] >= 0 && start[0] < end[0] && end[0] <= end[1] && end[1] <= end[2]);
    vdnn_device_close(device);
}

static vdnn_status digest_both(void *argument, void *stream)
{
    vdnn_device *device = argument;
    uint64_t left = 0, right = 1;
    vdnn_status status = vdnn_device_digest(
        device, (vdnn_extent){VDNN_TIER_DEVICE, 0, (size_t)3 * MIB}, stream, &left);
    if (status == VDNN_OK)
        status = vdnn_device_digest(device, (vdnn_extent){VDNN_TIER_HOST, 0, (size_t)3 * MIB},
                                    stream, &right);
    if (status == VDNN_OK && left != right)
        status = vdnn_status_fail(VDNN_MISMATCH, "the tiers' digests differ");
    return status;
}

TEST(a_digest_is_the_same_in_both_tiers_and_after_what_came_before)
{
    vdnn_device *device = open_device((size_t)3 * MIB, (size_t)3 * MIB);
    char *host = vdnn_device_base(device, VDNN_TIER_HOST);
    for (size_t i = 0; i < (size_t)3 * MIB; i++)
        host[i] = (char)(i * 7);
    vdnn_extent to = {VDNN_TIER_DEVICE, 0, (size_t)3 * MIB},
                from = {VDNN_TIER_HOST, 0, (size_t)3 * MIB};
    vdnn_launch work = {.run = digest_both, .argument = device};
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_IN, 0, NULL, 0, to, from));
    assert_ok(vdnn_device_launch(device, VDNN_STREAM_IN, 1, NULL, 0, &work));
    assert_ok(vdnn_device_synchronize(device));
    vdnn_device_close(device);
}

TEST(bytes_are_counted_by_what_moves_them)
{
    vdnn_test_moved_bytes("cuda", &vdnn_device_cuda);
}

TEST_IN_FOLDER(copies_reach_the_file_tier_and_come_back)
{
    vdnn_test_file_copies("cuda", *state);
}

TEST_IN_FOLDER(a_failing_disk_is_the_error_of_its_round)
{
    vdnn_test_file_copies_that_fail("cuda", *state);
}

/* The card computes, so that the host's threads are free for data; by default all but one. */
TEST(the_hosts_threads_are_free_as_many_as_are_asked_for)
{
    for (int threads = 0; threads < 4; threads++) {
        const vdnn_device_options options = {.event_count = EVENTS, .threads = threads};
        vdnn_device *device = NULL;
        assert_ok(vdnn_device_open("cuda", &options, &device));
        int others = vdnn_cpu_threads_default() - 1;
        assert_int_equal(vdnn_device_describe(device)->free_threads, threads > 0  ? threads
                                                                     : others > 1 ? others
                                                                                  : 1);
        assert_int_equal(vdnn_device_describe(device)->threads, 1);
        vdnn_device_close(device);
        assert_ok(vdnn_device_open("cpu", &options, &device));
        assert_int_equal(vdnn_device_describe(device)->free_threads, 0);
        vdnn_device_close(device);
    }
}

int main(void)
{
    if (vdnn_test_device_lacks("cuda"))
        return 0;
    return vdnn_test_main(NULL, NULL);
}
