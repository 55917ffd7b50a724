/* An algorithm whose geometry no test covers is compared with another one when it is measured. */

#include "runtime/measure/measure.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 2 };

static vdnn_device *device;

static const vdnn_layer_case tall = {"conv", "out=3 kernel=22x1 stride=2x1 pad=11x0", "9x2x18x3"};

/* As `gemm`, and then the last value of what the pass writes is another one. */
static vdnn_status err(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_kernel *right = NULL;
    vdnn_status status = vdnn_kernel_create(vdnn_algorithm_find("conv", "gemm", "cpu"), layer,
                                            kernel->pass, THREADS, &right);
    if (status == VDNN_OK)
        status = vdnn_kernel_run(right, args);
    vdnn_kernel_destroy(right);
    float *values = kernel->pass == VDNN_FORWARD         ? args->y
                    : kernel->pass == VDNN_BACKWARD_DATA ? args->dx[0]
                                                         : args->dw;
    int64_t last = kernel->pass == VDNN_FORWARD         ? vdnn_desc_count(&layer->y)
                   : kernel->pass == VDNN_BACKWARD_DATA ? vdnn_desc_count(&layer->x[0])
                                                        : layer->params[0].count;
    values[last - 1] += 1;
    return status;
}

static vdnn_status ask_workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    return vdnn_algorithm_workspace(vdnn_algorithm_find("conv", "gemm", "cpu"), kernel->layer,
                                    kernel->pass, kernel->threads, bytes);
}

static const vdnn_algorithm wrong = {.layer_type = "conv",
                                     .name = "wrong",
                                     .device = "cpu",
                                     .passes = 7,
                                     .deterministic = true,
                                     .workspace = ask_workspace,
                                     .run = err};

static vdnn_status compare(const char *row, vdnn_layer_form form, vdnn_pass pass)
{
    vdnn_layer *layer;
    vdnn_measure *measure = NULL;
    const vdnn_algorithm *found =
        strcmp(row, "wrong") == 0 ? &wrong : vdnn_algorithm_find("conv", row, "cpu");
    assert_ok(vdnn_layer_case_build_as(&tall, VDNN_RULE_LEAN, form, &layer));
    layer->signature = strdup(layer->name);
    vdnn_status status = vdnn_measure_create(device, 1 << 20, &measure);
    if (status == VDNN_OK)
        status = vdnn_measure_compare(measure, layer, pass, found);
    vdnn_measure_destroy(measure);
    free(layer->signature);
    vdnn_layer_case_destroy(layer);
    return status;
}

static const vdnn_layer_form forms[] = {{VDNN_F32, VDNN_NCHW, VDNN_NCHW, false},
                                        {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, false},
                                        {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false}};

TEST(a_single_wrong_value_is_found)
{
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++) {
        assert_status(compare("wrong", forms[0], pass), VDNN_DEVICE);
        assert_message("its values differ from those of gemm by ");
        assert_message("of the largest");
    }
}

TEST(right_rows_agree_in_every_form)
{
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++) {
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            assert_ok(compare("direct", forms[f], pass));
            assert_ok(compare("gemm", forms[f], pass));
            assert_ok(compare("gemm_x8", forms[f], pass));
        }
        assert_ok(compare("implicit", forms[0], pass));
    }
}

TEST(what_networks_have_is_not_compared)
{
    static const struct {
        vdnn_layer_case one;
        bool is_unusual;
    } all[] = {
        {{"conv", "out=64 kernel=3 pad=1", "2x64x56x56"}, false},
        {{"conv", "out=64 kernel=11 stride=4 pad=2", "2x3x224x224"}, false},
        {{"conv", "out=64 kernel=1 stride=2", "2x64x56x56"}, false},
        {{"conv", "out=64 kernel=1x7 pad=0x3", "2x64x17x17"}, false},
        {{"conv", "out=3 kernel=22x1 stride=2x1 pad=11x0", "1x1x18x1"}, true},
        {{"conv", "out=3 kernel=3 pad=2", "1x1x18x9"}, true},
        {{"conv", "out=3 kernel=3 pad=1", "1x1x2x9"}, true},
        {{"conv", "out=3 kernel=3 stride=5", "1x1x18x9"}, true},
        {{"conv", "out=3 kernel=3 dilation=5", "1x1x18x18"}, true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build(&all[i].one, VDNN_RULE_LEAN, &layer));
        assert_int_equal(layer->def->is_unusual(layer), all[i].is_unusual);
        vdnn_layer_case_destroy(layer);
    }
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
