/* Convolutions that pass through plain f32 on their way: every rung of the GEMM ladder in every
 * data type and layout, with and without bias and relu, and what the rungs cost. */

#include "tests/support/error_bound.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

/* Batches for the rung of several images with one left over; images large enough for bands. */
static const vdnn_layer_case cases[] = {
    {"conv", "out=5 kernel=3 pad=1", "9x3x6x7"},
    {"conv", "out=33 kernel=3 stride=2 pad=1 bias=false", "17x20x7x7"},
    {"conv", "out=18 kernel=5x3 pad=2x1 groups=2", "8x4x9x5"},
    {"conv", "out=20 kernel=1", "11x17x5x5"},
    {"conv", "out=4 kernel=3 dilation=2 stride=3 pad=2 groups=4", "8x8x12x11"},
    {"conv", "out=8 kernel=5 pad=2", "1x17x65x63"},
    {"conv", "out=6 kernel=5 stride=2 pad=4 groups=3", "2x48x90x101"},
};

static const vdnn_layer_form forms[] = {
    {VDNN_F32, VDNN_NCHW, VDNN_NCHW, false},       {VDNN_F32, VDNN_NCHW, VDNN_NCHW, true},
    {VDNN_F32, VDNN_NCHW, VDNN_NCHW16C, true},     {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW, false},
    {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, true},  {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, true},
    {VDNN_BF16, VDNN_NCHW, VDNN_NCHW16C, false},   {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW, true},
    {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW16C, true},
};

/* From the most workspace to the least. */
static const char *const rungs[] = {"gemm_x8", "gemm", "gemm_4", "gemm_16"};

enum {
    CASES = sizeof cases / sizeof cases[0],
    SMALL_CASES = 5, /* which are quick enough for every form */
    FORMS = sizeof forms / sizeof forms[0],
    RUNGS = sizeof rungs / sizeof rungs[0]
};

static const vdnn_algorithm *row_of(const char *name)
{
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", name, "cpu");
    assert_non_null(row);
    return row;
}

static void check_row(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    for (int threads = 1; threads <= 2; threads++) {
        assert_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
        double error = vdnn_bench_error(bench, pass);
        if (!(error <= vdnn_bench_error_bound(bench, row, pass)))
            fail_msg("%s, %s by %s, %d threads: error %g", bench->layer->name, vdnn_pass_text(pass),
                     row->name, threads, error);
        uint64_t bits = vdnn_bench_hash(bench, pass);
        assert_ok(vdnn_bench_run(bench, row, pass, threads, 0x3f));
        if (vdnn_bench_hash(bench, pass) != bits)
            fail_msg("%s, %s by %s, %d threads: other bits the second time", bench->layer->name,
                     vdnn_pass_text(pass), row->name, threads);
    }
}

/* How often each rung was run. */
static void check_case(const vdnn_layer_case *c, vdnn_layer_form form, int runs[RUNGS])
{
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, form, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        vdnn_bench_refer(bench, (vdnn_pass)pass);
        for (int i = 0; i < RUNGS; i++) {
            const vdnn_algorithm *row = row_of(rungs[i]);
            if (vdnn_algorithm_refusal(row, layer, (vdnn_pass)pass) != NULL)
                continue;
            check_row(bench, row, (vdnn_pass)pass);
            runs[i]++;
        }
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

TEST(every_rung_agrees_with_the_reference_in_every_form)
{
    int runs[RUNGS] = {0};
    for (int i = 0; i < CASES; i++)
        for (int form = 0; form < FORMS; form++)
            if (i < SMALL_CASES || form % 4 == 0)
                check_case(&cases[i], forms[form], runs);
    assert_true(runs[1] >= SMALL_CASES * FORMS * VDNN_PASS_COUNT);
    for (int i = 0; i < RUNGS; i++)
        assert_true(runs[i] > 0);
}

static size_t workspace_of(const char *name, const vdnn_layer *layer, vdnn_pass pass)
{
    size_t bytes;
    assert_ok(vdnn_algorithm_workspace(row_of(name), layer, pass, 2, &bytes));
    return bytes;
}

TEST(every_rung_needs_less_than_the_one_above)
{
    static const vdnn_layer_case ladder = {"conv", "out=64 kernel=5 pad=2", "8x128x31x31"};
    for (int form = 0; form < FORMS; form++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build_as(&ladder, VDNN_RULE_LEAN, forms[form], &layer));
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
            for (int i = 1; i < RUNGS; i++)
                assert_true(workspace_of(rungs[i], layer, (vdnn_pass)pass) <
                            workspace_of(rungs[i - 1], layer, (vdnn_pass)pass));
        vdnn_layer_case_destroy(layer);
    }
}

static void assert_refused(const char *keys, const char *inputs, const char *name)
{
    vdnn_layer *layer;
    assert_ok(
        vdnn_layer_case_build(&(vdnn_layer_case){"conv", keys, inputs}, VDNN_RULE_LEAN, &layer));
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        assert_non_null(vdnn_algorithm_refusal(row_of(name), layer, (vdnn_pass)pass));
        assert_null(vdnn_algorithm_refusal(row_of("gemm"), layer, (vdnn_pass)pass));
    }
    vdnn_layer_case_destroy(layer);
}

TEST(a_rung_that_gains_nothing_is_refused)
{
    assert_refused("out=4 kernel=3", "7x4x9x9", "gemm_x8");       /* too few images */
    assert_refused("out=4 kernel=3", "8x4x64x64", "gemm_x8");     /* large images */
    assert_refused("out=4 kernel=3", "1x4x9x9", "gemm_4");        /* small columns */
    assert_refused("out=4 kernel=1", "1x512x99x99", "gemm_4");    /* no columns */
    assert_refused("out=4 kernel=3", "1x512x17x9999", "gemm_16"); /* 15 rows */
}

TEST(implicit_takes_plain_f32_alone)
{
    for (int form = 0; form < FORMS; form++) {
        vdnn_layer *layer;
        bool plain = forms[form].dtype == VDNN_F32 && forms[form].layout == VDNN_NCHW &&
                     forms[form].preferred == VDNN_NCHW;
        assert_ok(
            vdnn_layer_case_build_as(&(vdnn_layer_case){"conv", "out=16 kernel=3", "1x16x8x8"},
                                     VDNN_RULE_LEAN, forms[form], &layer));
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
            assert_int_equal(
                vdnn_algorithm_refusal(row_of("implicit"), layer, (vdnn_pass)pass) == NULL, plain);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(implicit_applies_the_relu_behind_it)
{
    static const char *const keys[] = {"out=33 kernel=3 pad=1", "out=33 kernel=3 bias=false"};
    for (int i = 0; i < 2; i++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build_as(&(vdnn_layer_case){"conv", keys[i], "3x17x13x15"},
                                           VDNN_RULE_LEAN, (vdnn_layer_form){.relu = true},
                                           &layer));
        vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
        vdnn_bench_refer(bench, VDNN_FORWARD);
        check_row(bench, row_of("implicit"), VDNN_FORWARD);
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}
