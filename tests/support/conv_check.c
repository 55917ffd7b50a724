#include "tests/support/conv_check.h"

#include "tests/support/error_bound.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

const vdnn_layer_case vdnn_conv_corners[VDNN_CONV_CORNERS] = {
    {"conv", "out=1 kernel=1", "1x1x1x1"},
    {"conv", "out=5 kernel=1 bias=false", "2x3x4x5"},
    {"conv", "out=16 kernel=1 stride=2", "2x16x7x7"},
    {"conv", "out=7 kernel=1 stride=3x2 pad=1", "2x5x7x8"},
    {"conv", "out=20 kernel=5", "3x1x28x28"},
    {"conv", "out=64 kernel=11 stride=4 pad=2", "2x3x67x67"},
    {"conv", "out=9 kernel=7 stride=2 pad=3", "2x3x31x29"},
    {"conv", "out=6 kernel=3 stride=5 pad=1", "2x4x17x13"},
    {"conv", "out=4 kernel=3 pad=4", "1x2x3x3"},
    {"conv", "out=4 kernel=1x7 pad=0x3", "2x3x9x11"},
    {"conv", "out=4 kernel=5x1 stride=1x3 pad=2x0", "2x3x9x11"},
    {"conv", "out=8 kernel=3 dilation=2 pad=2", "2x8x12x12"},
    {"conv", "out=8 kernel=3 dilation=2x3 stride=2x3 pad=3", "2x6x15x17"},
    {"conv", "out=8 kernel=4 dilation=3 stride=6 pad=5", "1x4x25x25"},
    {"conv", "out=32 kernel=3 pad=1 groups=2", "2x32x9x9"},
    {"conv", "out=10 kernel=5 pad=2 groups=5", "2x15x8x8"},
    {"conv", "out=6 kernel=3 pad=1 groups=6", "2x6x10x10"},
    {"conv", "out=33 kernel=3 pad=1", "5x17x7x7"},
    {"conv", "out=64 kernel=3 pad=1", "2x48x14x14"},
    {"conv", "out=130 kernel=3 pad=1", "1x40x20x3"},
    {"conv", "out=3 kernel=9x2 stride=2", "1x2x9x40"},
    {"conv", "out=48 kernel=3", "3x32x3x30"},
    {"conv", "out=16 kernel=5 pad=7", "2x16x3x3"},
    {"conv", "out=24 kernel=3 pad=5x1 stride=1x2", "2x20x1x6"},
    {"conv", "out=32 kernel=7 pad=3", "2x32x2x2"},
    {"conv", "out=16 kernel=3 pad=20", "1x16x5x5"},
    {"conv", "out=32 kernel=1 pad=2 stride=2", "2x48x9x9"},
    {"conv", "out=32 kernel=3 pad=1 groups=32", "2x32x9x9"},
    {"conv", "out=64 kernel=3 pad=1 groups=32", "2x32x9x9"},
    {"conv", "out=96 kernel=3 pad=1 groups=4", "2x48x9x9"},
    {"conv", "out=48 kernel=3 dilation=2 pad=2 groups=3", "2x48x9x9"},
    {"conv", "out=45 kernel=3 pad=1 stride=2", "2x24x20x21"},
    {"conv", "out=64 kernel=2x3 stride=3x1 pad=1x0 dilation=1x2", "2x64x13x13"},
};

const vdnn_layer_form vdnn_conv_forms[VDNN_CONV_FORMS] = {
    {VDNN_F32, VDNN_NCHW, VDNN_NCHW, false},     {VDNN_F32, VDNN_NCHW, VDNN_NCHW16C, false},
    {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW, false},  {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false},
    {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, false},    {VDNN_BF16, VDNN_NCHW, VDNN_NCHW16C, false},
    {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW, false}, {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW16C, false},
};

static void check_row(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    const char *name = bench->layer->name, *pass_text = vdnn_pass_text(pass);
    for (int threads = 1; threads <= 2; threads++) {
        assert_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
        double error = vdnn_bench_error(bench, pass);
        if (!(error <= vdnn_bench_error_bound(bench, row, pass)))
            fail_msg("%s, %s by %s, %d threads: error %g", name, pass_text, row->name, threads,
                     error);
        uint64_t bits = vdnn_bench_hash(bench, pass);
        assert_ok(vdnn_bench_run(bench, row, pass, threads, 0x3f));
        if (vdnn_bench_hash(bench, pass) != bits)
            fail_msg("%s, %s by %s, %d threads: other bits the second time", name, pass_text,
                     row->name, threads);
    }
}

void vdnn_conv_check(const vdnn_layer_case *c, vdnn_layer_form form, uint64_t seed)
{
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, form, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, seed);
    for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        int rows = 0;
        vdnn_bench_refer(bench, pass);
        for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
            const vdnn_algorithm *row = vdnn_algorithm_at(i);
            if (strcmp(row->layer_type, c->type) != 0 || strcmp(row->device, "cpu") != 0 ||
                vdnn_algorithm_refusal(row, layer, pass) != NULL)
                continue;
            check_row(bench, row, pass);
            rows++;
        }
        if (rows == 0)
            fail_msg("%s: no row computes its %s", layer->name, vdnn_pass_text(pass));
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

void vdnn_conv_check_corners(size_t forms, uint64_t seed)
{
    bool all = vdnn_test_count(100) == 100;
    for (size_t i = 0; i < VDNN_CONV_CORNERS; i++)
        for (size_t f = 0; f < (all ? VDNN_CONV_FORMS : forms); f++)
            vdnn_conv_check(
                &vdnn_conv_corners[i],
                vdnn_conv_forms[(i + f * (all ? 1 : VDNN_CONV_FORMS / forms)) % VDNN_CONV_FORMS],
                seed);
}
