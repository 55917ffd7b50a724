/* Convolutions that a library computes wrongly, or does not take: which those are, and that other
 * rows compute them. */

#include "layers/conv/cpu_onednn_faults.h"
#include "layers/cpu/threads.h"
#include "tests/support/conv_check.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

/* Along the height. */
typedef struct tall {
    int64_t kernel, in, stride, pad, dilation;
    bool is_wrong;
} tall;

static vdnn_conv_shape shape_of(const tall *one)
{
    int64_t extent = (one->kernel - 1) * one->dilation + 1;
    return (vdnn_conv_shape){.in = {one->in, 1},
                             .out = {(one->in + 2 * one->pad - extent) / one->stride + 1, 1},
                             .kernel = {one->kernel, 1},
                             .stride = {one->stride, 1},
                             .pad = {one->pad, 0},
                             .dilation = {one->dilation, 1}};
}

TEST(windows_that_all_meet_the_padding_are_wrong_in_one_library)
{
    static const tall all[] = {
        {22, 18, 2, 11, 1, true},  {18, 18, 2, 9, 1, true},   {18, 9, 1, 9, 1, true},
        {27, 28, 3, 13, 1, true},  {22, 17, 2, 11, 1, false}, /* nine rows */
        {22, 24, 2, 11, 1, false},                            /* one window is inside */
        {3, 224, 1, 1, 1, false},  {11, 224, 4, 2, 1, false}, {7, 7, 1, 3, 1, false},
        {11, 20, 1, 10, 2, false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const vdnn_conv_shape s = shape_of(&all[i]);
        bool is_wrong = vdnn_conv_onednn_is_wrong("jit:avx512_core", &s, VDNN_BACKWARD_FILTER);
        if (is_wrong != all[i].is_wrong)
            fail_msg("kernel %lld on %lld is %swrong", (long long)all[i].kernel,
                     (long long)all[i].in, is_wrong ? "" : "not ");
        assert_int_equal(vdnn_conv_onednn_is_wrong("jit:sve_512", &s, VDNN_BACKWARD_FILTER),
                         is_wrong);
        assert_false(vdnn_conv_onednn_is_wrong("jit:avx512_core", &s, VDNN_FORWARD));
        assert_false(vdnn_conv_onednn_is_wrong("jit:avx512_core", &s, VDNN_BACKWARD_DATA));
        assert_false(vdnn_conv_onednn_is_wrong("jit:avx2", &s, VDNN_BACKWARD_FILTER));
        assert_false(vdnn_conv_onednn_is_wrong("gemm:jit", &s, VDNN_BACKWARD_FILTER));
    }
}

static const vdnn_layer_form plain = {VDNN_F32, VDNN_NCHW, VDNN_NCHW, false};
static const vdnn_layer_form half = {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, false};

static const char *refusal_of(const vdnn_layer *layer, const char *row)
{
    return vdnn_algorithm_refusal(vdnn_algorithm_find("conv", row, "cpu"), layer, VDNN_FORWARD);
}

/* An image of 4096 x 5462 cells is four blocks of channels of just over 2^31 / 3 bytes in bf16. */
TEST(a_library_is_not_trusted_with_images_beyond_its_addresses)
{
    static const vdnn_layer_case large = {"conv", "out=49 kernel=1", "1x1x4096x5462"},
                                 small = {"conv", "out=49 kernel=1", "1x1x1024x1024"};
    const vdnn_layer_form forms[] = {plain, half};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build_as(&large, VDNN_RULE_LEAN, forms[f], &layer));
        assert_non_null(strstr(refusal_of(layer, "direct"), "2^31 bytes"));
        assert_null(refusal_of(layer, "gemm"));
        vdnn_layer_case_destroy(layer);
        assert_ok(vdnn_layer_case_build_as(&small, VDNN_RULE_LEAN, forms[f], &layer));
        assert_null(refusal_of(layer, "direct"));
        vdnn_layer_case_destroy(layer);
    }
}

/* In f32 and bf16; the rows that take them agree with the reference in all passes. */
TEST(what_no_library_takes_is_computed_by_other_rows)
{
    static const vdnn_layer_case steps[] = {
        {"conv", "out=3 kernel=1x3 stride=1x40000", "2x2x1x90000"},
        {"conv", "out=2 kernel=3x1 pad=40000x0 stride=9000x1", "1x2x50x1"},
        {"conv", "out=2 kernel=1x3 dilation=1x33000", "1x2x1x66020"},
        {"conv", "out=2 kernel=3x3 stride=70000x70000 pad=1", "1x2x4x5"},
    };
    const vdnn_layer_form forms[] = {plain, half};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            vdnn_layer *layer;
            assert_ok(vdnn_layer_case_build_as(&steps[i], VDNN_RULE_LEAN, forms[f], &layer));
            assert_non_null(refusal_of(layer, "direct"));
            assert_null(refusal_of(layer, "gemm"));
            if (f == 0)
                assert_null(refusal_of(layer, "implicit"));
            vdnn_layer_case_destroy(layer);
            vdnn_conv_check(&steps[i], forms[f], vdnn_test_seed());
        }
}

TEST(a_team_has_no_more_threads_than_a_library_takes)
{
    int before = vdnn_cpu_threads_begin(2 * VDNN_CPU_MOST_THREADS);
    assert_in_range(vdnn_cpu_threads_default(), 1, VDNN_CPU_MOST_THREADS);
    vdnn_cpu_threads_end(before);
}
