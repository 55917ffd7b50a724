/* A device model of the CUDA device, over the emulation of CUDA on the CPU: that all of it is
 * measured by the device's own kernels, and makes a file that plans. */

#include "runtime/calibrate/calibrate.h"
#include "runtime/device/device_backend.h"
#include "runtime/device/sim/device_reader.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/files.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* The emulation takes longer than any card, whose rates a model may have. */
static void read_times(const void *state, int place, int32_t event, double *start, double *end)
{
    static const double speed = 0.1;
    vdnn_device_cuda.times(state, place, event, start, end);
    *end = *start + speed * (*end - *start);
}

/* clang-format off */
#define CONV(n, c, side, k, r) {VDNN_CALIBRATE_CONVOLUTION, "conv", n, c, side, k, r, 1, (r) / 2}
#define PRODUCT(n, c, k) {VDNN_CALIBRATE_PRODUCT, "fc", n, c, 1, k, 1, 1, 0}
static const vdnn_calibrate_shape shapes[] = {
    {VDNN_CALIBRATE_BYTES, "relu", 2, 8, 8, 0, 2, 2, 0},
    {VDNN_CALIBRATE_BYTES, "batchnorm", 2, 8, 8, 0, 2, 2, 0},
    PRODUCT(8, 32, 16), PRODUCT(4, 16, 32), PRODUCT(16, 16, 16),
    CONV(2, 8, 8, 8, 3), CONV(2, 4, 6, 8, 3), CONV(2, 8, 8, 16, 1), CONV(2, 16, 4, 8, 1),
    CONV(2, 3, 8, 8, 5), CONV(1, 16, 4, 16, 3),
};
/* clang-format on */

TEST_IN_FOLDER(a_card_is_measured_and_its_model_plans)
{
    static const vdnn_messages silent = {.size = sizeof silent};
    const vdnn_calibrate_options options = {{shapes, sizeof shapes / sizeof *shapes}, 60};
    vdnn_device_backend backend = vdnn_device_cuda;
    vdnn_device *device = NULL, *planned = NULL;
    vdnn_calibrate_result result;
    vdnn_text text = {0};
    char name[512];
    vdnn_cuda_host_reset();
    backend.times = read_times;
    vdnn_device_replace(&backend);
    assert_ok(vdnn_device_open("cuda", &(vdnn_device_options){.event_count = 64}, &device));
    assert_ok(vdnn_calibrate_device(device, &options, "mine", &silent, &result, &text));
    vdnn_device_close(device);
    vdnn_device_replace(NULL);
    assert_int_equal(vdnn_cuda_host_live(), 0);

    assert_int_equal(result.left_out, 0);
    assert_int_equal(result.model.compute.multiprocessors, 2);
    assert_true(result.model.accuracy.timings >= 18 && result.products.timings == 9);
    /* Emulated tensor cores may be slower than what they are for. */
    bool has_units = result.model.compute.bf16_flops_per_second > 0;
    assert_true(result.tensor_products.timings == (has_units ? 9 : 0));
    assert_true((result.tensor_convolutions.timings >= 18) == has_units);
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        assert_true(result.model.convolution[VDNN_COST_IMPLICIT_GEMM][pass].efficiency > 0);
    for (int i = 0; i < result.model.figure_count; i++)
        assert_int_not_equal(result.model.figures[i].basis, VDNN_BASIS_UNSTATED);

    const char *path = vdnn_test_path(*state, "mine.yaml");
    assert_ok(vdnn_text_save(&text, path));
    (void)snprintf(name, sizeof name, "sim:%s", path);
    assert_ok(vdnn_device_open(name, &(vdnn_device_options){.event_count = 64}, &planned));
    assert_true(vdnn_device_describe(planned)->calibrated);
    assert_string_equal(vdnn_device_describe(planned)->name, "mine");
    vdnn_device_close(planned);
    vdnn_text_fini(&text);
}
