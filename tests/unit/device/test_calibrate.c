/* Device models that are fitted to a device: of a device whose clock is a known model, another that
 * predicts the same times. */

#include "runtime/calibrate/calibrate.h"
#include "runtime/calibrate/fit_rates.h"
#include "runtime/device/device_backend.h"
#include "runtime/device/sim/device_reader.h"
#include "runtime/device/sim/predict.h"
#include "runtime/measure/measure_internal.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a device with the clock of a model ------------------------------------------------------ */

/* As slow as a processor, so that what the clock of this machine adds to a run is little. */
static const double slowness = 100;

static struct {
    vdnn_device_model model;
    double last_seconds; /* 0: the round ran none of the kernels */
} own_clock;

static vdnn_status run_kernel(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    (void)args;
    const vdnn_algorithm asked = {.layer_type = kernel->algorithm->layer_type,
                                  .name = kernel->algorithm->variant};
    size_t workspace_bytes;
    return vdnn_predict_pass(&own_clock.model, kernel->layer, kernel->pass, &asked,
                             &own_clock.last_seconds, &workspace_bytes);
}

/* Some bytes: the row's algorithm needs a workspace. */
static vdnn_status need_workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    (void)kernel;
    *bytes = 1024;
    return VDNN_OK;
}

static const char *refuse_as_the_model(const vdnn_kernel *kernel)
{
    const vdnn_algorithm asked = {.layer_type = kernel->algorithm->layer_type,
                                  .name = kernel->algorithm->variant};
    double seconds;
    size_t bytes;
    vdnn_status status =
        vdnn_predict_pass(&own_clock.model, kernel->layer, kernel->pass, &asked, &seconds, &bytes);
    return status == VDNN_OK ? NULL : "the model has none";
}

/* clang-format off */
#define ROW(TYPE, NAME, LIKE, NEEDS) {.layer_type = (TYPE), .name = (NAME), .device = "cpu", \
                                    .passes = 7, .deterministic = true, .variant = (LIKE), \
                                    .refusal = refuse_as_the_model, \
                                    .workspace = (NEEDS), .run = run_kernel}
static const vdnn_algorithm rows[] = {
    ROW("conv", "plain", "implicit_gemm", NULL),
    ROW("conv", "patches", "implicit_precomp_gemm", need_workspace),
    ROW("conv", "winograd", "winograd_nonfused", need_workspace),
    ROW("fc", "gemm", "gemm", NULL),
    ROW("relu", "native", "native", NULL),
    ROW("batchnorm", "native", "native", NULL),
    ROW("maxpool", "native", "native", NULL),
    ROW("softmax_loss", "native", "native", NULL),
};
/* clang-format on */

static const vdnn_algorithm *own_rows(const void *state, size_t *count)
{
    (void)state;
    *count = sizeof rows / sizeof *rows;
    return rows;
}

static vdnn_status begin_round(void *state, int place, bool timed)
{
    own_clock.last_seconds = 0;
    return vdnn_device_cpu.round(state, place, timed);
}

static void read_times(const void *state, int place, int32_t event, double *start, double *end)
{
    vdnn_device_cpu.times(state, place, event, start, end);
    if (own_clock.last_seconds > 0)
        *end = *start + own_clock.last_seconds;
}

/* The kernels compute nothing: the processor's time that the system counts is not theirs. */
static vdnn_usage never_disturbed(void)
{
    return (vdnn_usage){.turns_lost = 0};
}

/* With as many multiprocessors as the model. */
static vdnn_status open_card(const char *instance, const vdnn_device_options *options,
                             vdnn_device_properties *properties, void **device)
{
    vdnn_status status = vdnn_device_cpu.open(instance, options, properties, device);
    properties->multiprocessors = (int)own_clock.model.compute.multiprocessors;
    return status;
}

static const char *lacks_nothing(const char *instance, vdnn_dtype dtype, size_t i)
{
    (void)instance, (void)dtype, (void)i;
    return NULL;
}

static bool has_every_type(const char *instance, vdnn_dtype dtype)
{
    (void)instance, (void)dtype;
    return true;
}

static vdnn_device *open_with_clock(const char *model)
{
    static vdnn_device_backend backend;
    vdnn_device *device = NULL;
    assert_ok(vdnn_device_model_load(model, &own_clock.model));
    own_clock.model.compute.f32_flops_per_second /= slowness;
    own_clock.model.compute.tf32_flops_per_second /= slowness;
    own_clock.model.compute.bf16_flops_per_second /= slowness;
    own_clock.model.memory.bytes_per_second /= slowness;
    backend = vdnn_device_cpu;
    if (own_clock.model.compute.bf16_flops_per_second > 0) {
        backend.lack = lacks_nothing;
        backend.has_type = has_every_type;
    }
    backend.open = open_card;
    backend.round = begin_round;
    backend.times = read_times;
    backend.algorithms = own_rows;
    vdnn_device_replace(&backend);
    vdnn_measure_set_usage(never_disturbed);
    assert_ok(
        vdnn_device_open("cpu", &(vdnn_device_options){.threads = 1, .event_count = 64}, &device));
    return device;
}

static void close_device(vdnn_device *device)
{
    vdnn_device_close(device);
    vdnn_device_replace(NULL);
    vdnn_measure_set_usage(NULL);
}

/* ---- what is calibrated by it ---------------------------------------------------------------- */

/* Small enough for runs of the whole batch. */
#define CONV(n, c, side, k, r, stride, pad)                                                        \
    {                                                                                              \
        VDNN_CALIBRATE_CONVOLUTION, "conv", n, c, side, k, r, stride, pad                          \
    }
#define PRODUCT(n, c, k)                                                                           \
    {                                                                                              \
        VDNN_CALIBRATE_PRODUCT, "fc", n, c, 1, k, 1, 1, 0                                          \
    }
static const vdnn_calibrate_shape shapes[] = {
    {VDNN_CALIBRATE_BYTES, "relu", 4, 64, 56, 0, 2, 2, 0},
    {VDNN_CALIBRATE_BYTES, "maxpool", 4, 64, 56, 0, 2, 2, 0},
    PRODUCT(1024, 2048, 1024),
    CONV(8, 256, 28, 256, 3, 1, 1),
    PRODUCT(64, 1024, 1024),
    PRODUCT(32, 2048, 1000),
    PRODUCT(256, 512, 512),
    PRODUCT(128, 1024, 256),
    PRODUCT(16, 4096, 512),
    PRODUCT(512, 256, 512),
    CONV(4, 64, 28, 64, 3, 1, 1),
    CONV(8, 128, 14, 128, 3, 1, 1),
    CONV(8, 256, 7, 256, 3, 1, 1),
    CONV(4, 64, 28, 256, 1, 1, 0),
    CONV(8, 256, 14, 64, 1, 1, 0),
    CONV(8, 512, 7, 128, 1, 1, 0),
    CONV(4, 3, 56, 64, 7, 2, 3),
    CONV(4, 64, 28, 128, 3, 2, 1),
    CONV(8, 128, 14, 256, 1, 2, 0),
    CONV(4, 32, 28, 64, 5, 1, 2),
    CONV(2, 32, 56, 32, 3, 1, 1),
    CONV(8, 96, 14, 192, 3, 1, 1),
};

static const vdnn_messages silent = {.size = sizeof silent};

/* How far the model is from the clock, for convolutions of shapes that it was not fitted to. */
static double worst_error(const vdnn_device_model *model, vdnn_dtype dtype)
{
    static const vdnn_calibrate_shape others[] = {CONV(8, 64, 28, 96, 3, 1, 1),
                                                  CONV(8, 192, 14, 128, 1, 1, 0),
                                                  CONV(8, 128, 14, 192, 3, 1, 1)};
    double worst = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        vdnn_graph *graph = NULL;
        assert_ok(vdnn_calibrate_shape_graph(&others[i], "cpu", dtype, &graph));
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
            const vdnn_calibrate_timing timing = {.kind = VDNN_CALIBRATE_CONVOLUTION,
                                                  .layer = vdnn_calibrate_shape_subject(graph),
                                                  .pass = (vdnn_pass)pass,
                                                  .algorithm = VDNN_COST_IMPLICIT_PRECOMP_GEMM};
            double ratio = vdnn_calibrate_predict(model, &timing) /
                           vdnn_calibrate_predict(&own_clock.model, &timing);
            printf("shape %zu, %s: %.2f of the clock's\n", i, vdnn_pass_text((vdnn_pass)pass),
                   ratio);
            worst = fmax(worst, fabs(ratio - 1));
        }
        vdnn_graph_destroy(graph);
    }
    return worst;
}

TEST(a_device_with_the_clock_of_a_model_has_a_model_of_the_same_times)
{
    const vdnn_calibrate_options options = {{shapes, sizeof shapes / sizeof *shapes}, 60};
    vdnn_device *device = open_with_clock("models/devices/p100-pcie.yaml");
    vdnn_calibrate_result result;
    vdnn_device_model read;
    vdnn_text text = {0};
    assert_ok(vdnn_calibrate_device(device, &options, "mine", &silent, &result, &text));
    close_device(device);
    assert_ok(vdnn_device_model_parse(text.data, text.length, "mine.yaml", &read));
    assert_string_equal(read.name, "mine");
    assert_true(read.is_calibrated);
    assert_int_equal(result.left_out, 0);
    assert_true(read.accuracy.timings > 60);
    printf("half within %.1f %%, nine tenths within %.1f %%\n", 100 * read.accuracy.half_within,
           100 * read.accuracy.nine_tenths_within);
    assert_true(read.accuracy.half_within < 0.1 && read.accuracy.nine_tenths_within < 0.35);
    assert_true(worst_error(&read, VDNN_F32) < 0.25);
    vdnn_text_fini(&text);
}

TEST(units_for_smaller_types_have_peaks_and_rates_of_their_own)
{
    const vdnn_calibrate_options options = {{shapes, sizeof shapes / sizeof *shapes}, 60};
    vdnn_device *device = open_with_clock("models/devices/a100-80.yaml");
    vdnn_calibrate_result result;
    vdnn_device_model read;
    vdnn_text text = {0};
    assert_ok(vdnn_calibrate_device(device, &options, "mine", &silent, &result, &text));
    close_device(device);
    assert_ok(vdnn_device_model_parse(text.data, text.length, "mine.yaml", &read));
    double f32 = read.compute.f32_flops_per_second, bf16 = read.compute.bf16_flops_per_second;
    printf("%.3g, %.3g and %.3g FLOP/s in f32, tf32 and bf16\n", f32,
           read.compute.tf32_flops_per_second, bf16);
    assert_true(bf16 > 3 * f32 && read.compute.tf32_flops_per_second > 1.5 * f32);
    printf("bf16: half within %.1f %%, nine tenths within %.1f %%\n",
           100 * result.tensor_convolutions.half_within,
           100 * result.tensor_convolutions.nine_tenths_within);
    assert_true(result.tensor_convolutions.half_within < 0.15);
    /* The worst of nine is 1.2 to 1.4 of the clock's; with the rates of f32 it would be 4. */
    assert_true(worst_error(&read, VDNN_BF16) < 0.6);
    vdnn_text_fini(&text);
}

TEST(a_device_that_is_too_slow_is_said_to_be)
{
    const vdnn_calibrate_options options = {{shapes, sizeof shapes / sizeof *shapes}, 0};
    vdnn_device *device = open_with_clock("models/devices/p100-pcie.yaml");
    vdnn_calibrate_result result;
    vdnn_text text = {0};
    assert_status(vdnn_calibrate_device(device, &options, "mine", &silent, &result, &text),
                  VDNN_DEVICE);
    assert_message("0 timings of layers that move bytes in 0 s, expected 1");
    assert_int_equal(text.length, 0);
    close_device(device);
}

static vdnn_status interrupt(void *context)
{
    (void)context;
    return VDNN_INTERRUPTED;
}

TEST(an_interrupt_ends_it)
{
    const vdnn_calibrate_options options = {{shapes, sizeof shapes / sizeof *shapes}, 60};
    const vdnn_messages messages = {.size = sizeof messages, .interrupted = interrupt};
    vdnn_device *device = open_with_clock("models/devices/p100-pcie.yaml");
    vdnn_calibrate_result result;
    vdnn_text text = {0};
    assert_status(vdnn_calibrate_device(device, &options, "mine", &messages, &result, &text),
                  VDNN_INTERRUPTED);
    close_device(device);
}
