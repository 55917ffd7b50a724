/* Bias and relu of a convolution, which cuDNN applies in the convolution's own pass if it can: over
 * the emulation. */

#include "tests/cuda_host/cuda_host.h"
#include "tests/support/error_bound.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

static const char fused[] = "cudnnConvolutionBiasActivationForward";

static const vdnn_layer_form forms[] = {
    {VDNN_F32, VDNN_NCHW, VDNN_NCHW, true},
    {VDNN_TF32, VDNN_NHWC, VDNN_NHWC, true},
    {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, true},
    {VDNN_BF16, VDNN_NHWC, VDNN_NHWC, true},
};

enum { FORMS = sizeof forms / sizeof *forms, SEED = 7 };

/* How often the row asked for the fused convolution in one forward pass, whose values must be right
 * in any case. */
static int asks(vdnn_device *device, const vdnn_layer_case *c, vdnn_layer_form form,
                const char *name)
{
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", name, "cuda");
    vdnn_layer *layer = NULL;
    assert_non_null(row);
    assert_ok(vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, form, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, SEED);
    bench->device = device;
    vdnn_bench_refer(bench, VDNN_FORWARD);
    int before = vdnn_cuda_host_calls(fused);
    assert_ok(vdnn_bench_run(bench, row, VDNN_FORWARD, 1, 0xff));
    int calls = vdnn_cuda_host_calls(fused) - before;
    assert_true(vdnn_bench_error(bench, VDNN_FORWARD) <=
                vdnn_bench_error_bound(bench, row, VDNN_FORWARD));
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
    return calls;
}

static const vdnn_layer_case with_bias = {"conv", "out=8 kernel=3 pad=1", "2x4x9x8"};
static const vdnn_layer_case without = {"conv", "out=8 kernel=3 pad=1 bias=false", "2x4x9x8"};

TEST(bias_and_relu_are_cudnns_where_it_fuses_them)
{
    for (int f = 0; f < FORMS; f++) {
        vdnn_layer_form alone = forms[f];
        alone.relu = false;
        assert_int_equal(asks(*state, &with_bias, forms[f], "cudnn_precomputed"), 1);
        assert_int_equal(asks(*state, &with_bias, forms[f], "cudnn_winograd"), 1);
        assert_int_equal(asks(*state, &with_bias, alone, "cudnn_precomputed"), 1);
        assert_int_equal(asks(*state, &with_bias, alone, "cudnn_winograd"), 0);
        assert_int_equal(asks(*state, &without, forms[f], "cudnn_precomputed"), 0);
    }
}

TEST(they_come_behind_it_where_it_does_not)
{
    assert_true(vdnn_cuda_host_set("fusion", 0));
    for (int f = 0; f < FORMS; f++) {
        assert_int_equal(asks(*state, &with_bias, forms[f], "cudnn_precomputed"), 1);
        assert_int_equal(asks(*state, &with_bias, forms[f], "cudnn_winograd"), 1);
    }
    assert_true(vdnn_cuda_host_set("fusion", 1));
}

static int open_device(void **state)
{
    vdnn_device_options options = {.event_count = 1};
    return vdnn_device_open("cuda", &options, (vdnn_device **)state) == VDNN_OK ? 0 : -1;
}

static int close_device(void **state)
{
    vdnn_device_close(*state);
    return 0;
}

int main(void)
{
    return vdnn_test_main(open_device, close_device);
}
