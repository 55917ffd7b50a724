/* The conditions that kernels are measured under, on a card or the emulation of CUDA on the CPU. */

#include "layers/measuring.h"
#include "layers/pattern.h"
#include "tests/support/gpu.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 3 * VDNN_PATTERN_BYTES / 2, LABELS = 1000, CLASSES = 7, GUARD = 256 };

typedef struct bench {
    vdnn_device *device;
    char *base;
    double hold_seconds;
} bench;

static int open_device(void **state)
{
    static bench own;
    own = (bench){.device = NULL};
    assert_ok(vdnn_device_open("cuda", &(vdnn_device_options){.event_count = 3}, &own.device));
    assert_ok(vdnn_device_reserve(own.device, VDNN_TIER_DEVICE, BYTES + (size_t)2 * GUARD));
    own.base = vdnn_device_base(own.device, VDNN_TIER_DEVICE);
    *state = &own;
    return 0;
}

static int close_device(void **state)
{
    vdnn_device_close(((bench *)*state)->device);
    return 0;
}

static void run(bench *own, vdnn_status (*work)(void *argument, void *stream))
{
    const vdnn_extent all = {VDNN_TIER_DEVICE, 0, BYTES + (size_t)2 * GUARD};
    const vdnn_launch launch = {.run = work, .argument = own, .extents = &all, .extent_count = 1};
    assert_ok(vdnn_device_round(own->device));
    assert_ok(vdnn_device_launch(own->device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &launch));
    assert_ok(vdnn_device_synchronize(own->device));
}

static vdnn_status sweep(void *argument, void *stream)
{
    const bench *own = argument;
    return vdnn_measuring_find("cuda")->sweep(own->base + GUARD, BYTES, 1, stream);
}

static vdnn_status fill(void *argument, void *stream)
{
    const bench *own = argument;
    return vdnn_measuring_find("cuda")->fill(own->base + GUARD, GUARD, BYTES, 1, stream);
}

TEST(operands_are_filled_with_the_same_bits_as_on_the_cpu)
{
    bench *own = *state;
    static char got[BYTES + 2 * GUARD], wanted[BYTES + 2 * GUARD];
    run(own, fill);
    assert_ok(vdnn_measuring_find("cpu")->fill(wanted + GUARD, GUARD, BYTES, 2, NULL));
    assert_ok(vdnn_device_read(own->device, got, VDNN_TIER_DEVICE, 0, sizeof got));
    assert_memory_equal(got, wanted, sizeof got);
}

static vdnn_status number(void *argument, void *stream)
{
    const bench *own = argument;
    int32_t *labels = (int32_t *)(void *)(own->base + GUARD);
    return vdnn_measuring_find("cuda")->number(labels, LABELS, CLASSES, 1, stream);
}

TEST(labels_are_below_the_number_of_classes)
{
    bench *own = *state;
    int32_t labels[LABELS + 1];
    run(own, sweep);
    run(own, number);
    assert_ok(vdnn_device_read(own->device, labels, VDNN_TIER_DEVICE, GUARD, sizeof labels));
    for (int i = 0; i < LABELS; i++)
        assert_int_equal(labels[i], i % CLASSES);
    assert_int_equal(labels[LABELS], 0);
}

TEST(a_sweep_writes_its_block_alone)
{
    bench *own = *state;
    static char got[BYTES + 2 * GUARD], ones[BYTES + 2 * GUARD];
    memset(ones, 1, sizeof ones);
    assert_ok(vdnn_device_write(own->device, VDNN_TIER_DEVICE, 0, ones, sizeof ones));
    run(own, sweep);
    assert_ok(vdnn_device_read(own->device, got, VDNN_TIER_DEVICE, 0, sizeof got));
    assert_memory_equal(got, ones, GUARD);
    assert_memory_equal(got + GUARD + BYTES, ones, GUARD);
    assert_memory_not_equal(got + GUARD, ones, BYTES);
}

static vdnn_status hold(void *argument, void *stream)
{
    const bench *own = argument;
    return vdnn_measuring_find("cuda")->hold(own->hold_seconds, stream);
}

TEST(a_hold_ends_by_itself_and_is_no_shorter_than_asked)
{
    static const double cases[] = {5e-3, 0};
    bench *own = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double start, end;
        own->hold_seconds = cases[i];
        run(own, hold);
        vdnn_device_times(own->device, 0, &start, &end);
        /* Two clocks of a card differ a little. */
        assert_true(end - start >= 0.9 * cases[i] && end - start < 1);
    }
}

int main(void)
{
    if (vdnn_test_device_lacks("cuda"))
        return 0;
    return vdnn_test_main(open_device, close_device);
}
