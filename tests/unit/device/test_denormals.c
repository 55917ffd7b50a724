/* Denormal numbers: what a CPU device computes takes them as zero, in all of its threads; the
 * thread that calls it does not. */

#include "layers/cpu/threads.h"
#include "runtime/base/numbers/denormals.h"
#include "runtime/device/device.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

enum { THREADS = 3, ITEMS = 64 };

/* Far below the least normal number, also as a sum of some thousands. */
static const float tiny = 1e-42F;

static vdnn_device *device;

static float half_of(volatile float value)
{
    volatile float half = 0.5F;
    return value * half;
}

static void halve(void *argument, int64_t i, int member)
{
    float *halves = argument;
    (void)member;
    halves[i] = half_of(tiny);
}

static vdnn_status halve_all(void *argument, void *stream)
{
    (void)stream;
    vdnn_cpu_threads_loop(THREADS, ITEMS, halve, argument);
    return VDNN_OK;
}

TEST(every_thread_of_a_team_takes_them_as_zero)
{
    float halves[ITEMS];
    memset(halves, 0xff, sizeof halves);
    const vdnn_launch launch = {.run = halve_all, .argument = halves};
    if (VDNN_DENORMALS_FLUSHED == 0)
        skip_because("the processor is neither x86-64 nor AArch64");
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &launch));
    assert_ok(vdnn_device_synchronize(device));
    for (int i = 0; i < ITEMS; i++)
        assert_true(halves[i] == 0 && fpclassify(halves[i]) == FP_ZERO);
}

TEST(the_thread_that_calls_keeps_them)
{
    assert_true(half_of(tiny) > 0);
    uint64_t before = vdnn_denormals_read(), inside = vdnn_denormals_flush();
    assert_true(inside == before);
    assert_true(VDNN_DENORMALS_FLUSHED == 0 || half_of(tiny) == 0);
    vdnn_denormals_restore(inside);
    assert_true(vdnn_denormals_read() == before && half_of(tiny) > 0);
}

static void shrink(const vdnn_bench_buffer *buffer)
{
    float *values = (float *)(void *)buffer->data;
    for (size_t i = 0; i < buffer->bytes / sizeof *values; i++)
        values[i] *= tiny;
}

static void expect_none(const vdnn_bench_buffer *buffer, const char *type, const char *row,
                        vdnn_pass pass)
{
    const uint32_t *bits = (const uint32_t *)(const void *)buffer->data;
    for (size_t i = 0; i < buffer->bytes / sizeof *bits; i++)
        if ((bits[i] & 0x7f800000U) == 0 && (bits[i] & 0x007fffffU) != 0)
            fail_msg("%s by %s leaves a denormal number in its %s", type, row,
                     vdnn_pass_text(pass));
}

/* Maps and their gradients are denormal; the weights, without a bias, are not. */
static void check_case(const vdnn_layer_case *one)
{
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(one, VDNN_RULE_LEAN, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
    bench->device = device;
    for (int32_t i = 0; i < layer->input_count; i++)
        shrink(&bench->x[i]);
    shrink(&bench->dy);
    /* Those two pass gradients on as they are. */
    bool copies = strcmp(one->type, "add") == 0 || strcmp(one->type, "relu") == 0;
    for (vdnn_pass pass = VDNN_FORWARD; pass < (copies ? VDNN_BACKWARD_DATA : VDNN_PASS_COUNT);
         pass++)
        for (size_t i = 0; i < vdnn_algorithm_count() && vdnn_layer_has_pass(layer, pass); i++) {
            const vdnn_algorithm *row = vdnn_algorithm_at(i);
            if (strcmp(row->device, "cpu") != 0 || strcmp(row->layer_type, one->type) != 0 ||
                vdnn_algorithm_refusal(row, layer, pass) != NULL)
                continue;
            assert_ok(vdnn_bench_run(bench, row, pass, THREADS, 0xff));
            const vdnn_bench_buffer *const written[VDNN_PASS_COUNT] = {&bench->y, &bench->dx[0],
                                                                       &bench->dw};
            expect_none(written[pass], one->type, row->name, pass);
        }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

TEST(no_row_that_computes_leaves_a_denormal_number)
{
    static const vdnn_layer_case cases[] = {
        {"conv", "out=9 kernel=3 pad=1 bias=false", "9x5x19x21"},
        {"conv", "out=16 kernel=5 pad=2 bias=false", "2x16x40x40"},
        {"conv", "out=8 kernel=1 bias=false", "2x16x9x9"},
        {"fc", "out=40 bias=false", "9x7x5x5"},
        {"avgpool", "kernel=3 stride=2 pad=1", "3x17x21x23"},
        {"global_avgpool", "", "3x17x21x23"},
        {"add", "", "3x17x21x23 3x17x21x23"},
        {"lrn", "size=5", "2x17x9x9"},
        {"dropout", "p=0.5", "3x17x21x23"},
        {"relu", "", "3x17x21x23"},
        {"gelu", "", "3x17x21x23"},
        {"silu", "", "3x17x21x23"},
        {"tanh", "", "3x17x21x23"},
        {"leaky_relu", "", "3x17x21x23"},
        {"hardswish", "", "3x17x21x23"},
        {"lstm", "out=33 biases=0", "9x7x40"},
        {"attention", "heads=2 causal=true", "3x150x96"},
        {"rope", "heads=4", "3x17x96"},
    };
    if (VDNN_DENORMALS_FLUSHED == 0)
        skip_because("the processor is neither x86-64 nor AArch64");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i]);
}

static int open_device(void **state)
{
    (void)state;
    const vdnn_device_options options = {.threads = THREADS, .event_count = 64};
    return vdnn_device_open("cpu", &options, &device) == VDNN_OK ? 0 : -1;
}

static int close_device(void **state)
{
    (void)state;
    vdnn_device_close(device);
    return 0;
}

int main(void)
{
    return vdnn_test_main(open_device, close_device);
}
