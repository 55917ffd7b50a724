/* Our own Winograd convolutions against the reference: tiles that end beside the map, channels that
 * fill no block, few and many tiles, one and two blocks in the last slice, more slices than are in
 * the cache together; both data types; bits at any number of threads. */

#include "layers/count.h"
#include "tests/support/error_bound.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int kernel;
} rows[] = {{"winograd_3x3", 3}, {"winograd_5x5", 5}, {"winograd_7x7", 7}};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const vdnn_layer_form forms[] = {{VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false},
                                        {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW16C, true},
                                        {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, true},
                                        {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW16C, false}};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* Keys but for the kernel's size. */
static const vdnn_layer_case corners[] = {
    {"conv", "out=10 pad=3", "1x1x1x1"},      {"conv", "out=16 pad=2", "1x16x4x4"},
    {"conv", "out=16", "1x16x8x10"},          {"conv", "out=20 pad=2 bias=false", "1x15x9x13"},
    {"conv", "out=33 pad=2", "3x31x12x7"},    {"conv", "out=64 pad=4", "2x20x14x14"},
    {"conv", "out=48 pad=1x4", "5x7x17x9"},   {"conv", "out=70 pad=2", "2x130x13x13"},
    {"conv", "out=32 pad=9x20", "1x16x3x8"},  {"conv", "out=96 pad=2", "7x65x11x11"},
    {"conv", "out=11 pad=2", "40x3x28x28"},   {"conv", "out=208 pad=2", "1x230x5x6"},
#ifndef __SANITIZE_ADDRESS__ /* the reference of these takes minutes there */
    {"conv", "out=176 pad=2", "4x193x17x30"}, {"conv", "out=400 pad=2", "34x66x9x9"},
#endif
};
enum { CORNERS = sizeof corners / sizeof corners[0], QUICK_CORNERS = 12 };

/* The reference of a large corner takes seconds, so each is computed with one kernel, unless all
 * cases are asked for. */
static bool is_tried(int i, int c)
{
    return c < QUICK_CORNERS || i == c % ROWS || vdnn_test_count(100) == 100;
}

static const vdnn_algorithm *row_of(int i)
{
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", rows[i].name, "cpu");
    assert_non_null(row);
    return row;
}

static vdnn_layer *build(int i, const char *keys, const char *inputs, vdnn_layer_form form)
{
    char all[160];
    vdnn_layer *layer;
    (void)snprintf(all, sizeof all, "%s kernel=%d", keys, rows[i].kernel);
    assert_ok(vdnn_layer_case_build_as(&(vdnn_layer_case){"conv", all, inputs}, VDNN_RULE_LEAN,
                                       form, &layer));
    return layer;
}

static bool left_out(void)
{
    vdnn_layer *layer = build(0, corners[1].keys, corners[1].inputs, forms[0]);
    const char *why = vdnn_algorithm_refusal(row_of(0), layer, VDNN_FORWARD);
    vdnn_layer_case_destroy(layer);
    return why != NULL && strstr(why, "AVX-512") != NULL;
}

static void check(int i, const char *keys, const char *inputs, vdnn_layer_form form, uint64_t seed)
{
    vdnn_layer *layer = build(i, keys, inputs, form);
    vdnn_bench *bench = vdnn_bench_create(layer, seed);
    for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        uint64_t bits = 0;
        const char *why = vdnn_algorithm_refusal(row_of(i), layer, pass);
        if (why != NULL)
            fail_msg("%s, %s by %s: '%s'", layer->name, vdnn_pass_text(pass), rows[i].name, why);
        vdnn_bench_refer(bench, pass);
        for (int threads = 1; threads <= 5; threads++) {
            assert_ok(vdnn_bench_run(bench, row_of(i), pass, threads, threads == 1 ? 0xff : 0x3f));
            double error = vdnn_bench_error(bench, pass);
            if (!(error <= vdnn_bench_error_bound(bench, row_of(i), pass)))
                fail_msg("%s, %s by %s, %d threads: error %g", layer->name, vdnn_pass_text(pass),
                         rows[i].name, threads, error);
            if (threads > 1 && vdnn_bench_hash(bench, pass) != bits)
                fail_msg("%s, %s by %s: other bits with %d threads", layer->name,
                         vdnn_pass_text(pass), rows[i].name, threads);
            bits = vdnn_bench_hash(bench, pass);
        }
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

TEST(winograd_agrees_with_the_reference_in_the_corners)
{
    if (left_out())
        skip_because("this processor has no AVX-512");
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < CORNERS; c++)
            if (is_tried(i, c))
                check(i, corners[c].keys, corners[c].inputs, forms[(c + i) % FORMS],
                      vdnn_test_seed());
}

TEST(winograd_agrees_with_the_reference_on_random_shapes)
{
    if (left_out())
        skip_because("this processor has no AVX-512");
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int n = 0; n < vdnn_test_count(100); n++) {
        char keys[128], inputs[128];
        int i = (int)vdnn_test_between(&rng, 0, ROWS - 1);
        int64_t out, pad[2], in[2];
        do
            out = vdnn_test_between(&rng, 10, 80);
        while (vdnn_layout_for(out, VDNN_NCHW16C) != VDNN_NCHW16C);
        for (int d = 0; d < 2; d++) {
            pad[d] = vdnn_test_between(&rng, 0, rows[i].kernel);
            in[d] = vdnn_count_max(rows[i].kernel - 2 * pad[d], 1) + vdnn_test_between(&rng, 0, 20);
        }
        (void)snprintf(keys, sizeof keys, "out=%" PRId64 " pad=%" PRId64 "x%" PRId64 " bias=%s",
                       out, pad[0], pad[1], vdnn_test_between(&rng, 0, 1) ? "true" : "false");
        (void)snprintf(inputs, sizeof inputs, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64,
                       vdnn_test_between(&rng, 1, 6), vdnn_test_between(&rng, 1, 80), in[0], in[1]);
        check(i, keys, inputs, forms[vdnn_test_between(&rng, 0, FORMS - 1)],
              vdnn_test_random(&rng));
    }
}

TEST(what_winograd_cannot_compute_is_refused)
{
    static const struct {
        const char *keys, *inputs, *why;
        vdnn_layer_form form;
    } cases[] = {
        {"out=16 stride=2", "1x16x20x20", "stride", {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false}},
        {"out=16 dilation=1x2",
         "1x16x20x20",
         "dilation",
         {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false}},
        {"out=32 groups=2", "1x32x20x20", "group", {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false}},
        {"out=16", "1x16x20x20", "nChw16c", {VDNN_F32, VDNN_NCHW, VDNN_NCHW, false}},
        {"out=16", "1x16x20x20", "nChw16c", {VDNN_F32, VDNN_NCHW, VDNN_NCHW16C, false}},
        {"out=16", "1x16x20x20", "bf16", {VDNN_TF32, VDNN_NCHW16C, VDNN_NCHW16C, false}},
    };
    for (int i = 0; i < ROWS; i++)
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            vdnn_layer *layer = build(i, cases[c].keys, cases[c].inputs, cases[c].form);
            for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass++) {
                const char *why = vdnn_algorithm_refusal(row_of(i), layer, pass);
                if (why == NULL || strstr(why, cases[c].why) == NULL)
                    fail_msg("%s, %s by %s: '%s'", layer->name, vdnn_pass_text(pass), rows[i].name,
                             why == NULL ? "" : why);
            }
            vdnn_layer_case_destroy(layer);
        }
}

TEST(winograd_refuses_kernels_of_another_size)
{
    static const char *const keys[] = {"out=16 kernel=2", "out=16 kernel=5x3", "out=16 kernel=3x5",
                                       "out=16 kernel=9"};
    for (size_t c = 0; c < sizeof keys / sizeof keys[0]; c++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build_as(&(vdnn_layer_case){"conv", keys[c], "1x16x20x20"},
                                           VDNN_RULE_LEAN, forms[0], &layer));
        for (int i = 0; i < ROWS; i++)
            for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass++) {
                const char *why = vdnn_algorithm_refusal(row_of(i), layer, pass);
                assert_non_null(why);
                assert_non_null(strstr(why, "size"));
            }
        vdnn_layer_case_destroy(layer);
    }
}
