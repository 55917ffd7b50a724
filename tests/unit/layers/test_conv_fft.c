/* Convolutions by Fourier transforms, against the reference: tiles that end beside the map, odd
 * numbers of tiles and channels, more of both than a chunk takes; every data type and layout. */

#include "tests/support/error_bound.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"fft_32", "fft_16"};
enum { NAMES = sizeof names / sizeof names[0] };

static const vdnn_layer_case corners[] = {
    {"conv", "out=1 kernel=4", "1x1x29x4"},
    {"conv", "out=20 kernel=5 pad=2", "7x1x28x28"},
    {"conv", "out=50 kernel=5 pad=2", "5x20x14x14"},
    {"conv", "out=33 kernel=5 bias=false", "3x17x33x9"},
    {"conv", "out=3 kernel=9x4 pad=0x3", "2x2x41x17"},
    {"conv", "out=2 kernel=17 pad=8", "1x3x40x40"},
    {"conv", "out=5 kernel=7 pad=11", "2x4x9x31"},
    {"conv", "out=4 kernel=5 pad=2", "97x2x13x13"},
    {"conv", "out=100 kernel=5 pad=2", "1x130x12x12"},
    {"conv", "out=3 kernel=6 pad=1", "1x2x150x101"},
    {"conv", "out=193 kernel=4", "1x3x16x31"},
};

static const vdnn_layer_form forms[] = {
    {VDNN_F32, VDNN_NCHW, VDNN_NCHW, true},     {VDNN_F32, VDNN_NCHW, VDNN_NCHW16C, false},
    {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW, true},  {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, true},
    {VDNN_BF16, VDNN_NCHW, VDNN_NCHW16C, true}, {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW16C, false},
};

enum { CORNERS = sizeof corners / sizeof corners[0], FORMS = sizeof forms / sizeof forms[0] };

static bool left_out(void)
{
    return vdnn_algorithm_find("conv", names[0], "cpu") == NULL;
}

static void check_row(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    uint64_t bits = 0;
    for (int threads = 1; threads <= 3; threads++) {
        assert_ok(vdnn_bench_run(bench, row, pass, threads, threads == 1 ? 0xff : 0x3f));
        double error = vdnn_bench_error(bench, pass);
        if (!(error <= vdnn_bench_error_bound(bench, row, pass)))
            fail_msg("%s, %s by %s, %d threads: error %g", bench->layer->name, vdnn_pass_text(pass),
                     row->name, threads, error);
        if (threads > 1 && vdnn_bench_hash(bench, pass) != bits)
            fail_msg("%s, %s by %s: other bits with %d threads", bench->layer->name,
                     vdnn_pass_text(pass), row->name, threads);
        bits = vdnn_bench_hash(bench, pass);
    }
}

/* How many of the rows took the case. */
static int check_case(const vdnn_layer_case *c, vdnn_layer_form form, uint64_t seed)
{
    int taken = 0;
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, form, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, seed);
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        vdnn_bench_refer(bench, (vdnn_pass)pass);
        for (int i = 0; i < NAMES; i++) {
            const vdnn_algorithm *row = vdnn_algorithm_find("conv", names[i], "cpu");
            assert_non_null(row);
            if (vdnn_algorithm_refusal(row, layer, (vdnn_pass)pass) != NULL)
                continue;
            check_row(bench, row, (vdnn_pass)pass);
            taken++;
        }
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
    return taken;
}

TEST(transforms_agree_with_the_reference_in_the_corners)
{
    if (left_out())
        skip_because("there is no FFTW here");
    for (int i = 0; i < CORNERS; i++)
        assert_true(check_case(&corners[i], (vdnn_layer_form){0}, vdnn_test_seed()) > 0);
}

TEST(transforms_agree_with_the_reference_in_every_form)
{
    if (left_out())
        skip_because("there is no FFTW here");
    for (int form = 0; form < FORMS; form++)
        for (int i = 1; i < 4; i++)
            assert_true(check_case(&corners[i], forms[form], vdnn_test_seed()) > 0);
}

TEST(transforms_agree_with_the_reference_on_random_shapes)
{
    if (left_out())
        skip_because("there is no FFTW here");
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(60); i++) {
        char keys[128], inputs[128];
        int64_t kernel[2], pad[2], in[2];
        for (int d = 0; d < 2; d++) {
            kernel[d] = vdnn_test_between(&rng, 4, 11);
            pad[d] = vdnn_test_between(&rng, 0, kernel[d]);
            in[d] = kernel[d] + vdnn_test_between(&rng, 0, 40);
        }
        (void)snprintf(keys, sizeof keys,
                       "out=%" PRId64 " kernel=%" PRId64 "x%" PRId64 " pad=%" PRId64 "x%" PRId64,
                       vdnn_test_between(&rng, 1, 40), kernel[0], kernel[1], pad[0], pad[1]);
        (void)snprintf(inputs, sizeof inputs, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64,
                       vdnn_test_between(&rng, 1, 6), vdnn_test_between(&rng, 1, 20), in[0], in[1]);
        (void)check_case(&(vdnn_layer_case){"conv", keys, inputs}, (vdnn_layer_form){0},
                         vdnn_test_random(&rng));
    }
}

TEST(what_gains_nothing_from_a_transform_is_refused)
{
    if (left_out())
        skip_because("there is no FFTW here");
    static const struct {
        const char *keys, *inputs, *why[NAMES];
    } cases[] = {
        {"out=8 kernel=5 stride=2", "1x8x20x20", {"stride", "stride"}},
        {"out=8 kernel=5 dilation=1x2", "1x8x20x20", {"dilation", "dilation"}},
        {"out=8 kernel=5 groups=2", "1x8x20x20", {"group", "group"}},
        {"out=8 kernel=5x3", "1x8x20x20", {"small", "small"}},
        {"out=8 kernel=11", "1x8x20x20", {NULL, "large"}},
        {"out=8 kernel=18", "1x8x20x20", {"large", "large"}},
        {"out=8 kernel=5 pad=2", "1x8x12x12", {"half the size", NULL}},
        {"out=8 kernel=4 pad=2", "1x8x4x4", {"half the size", "half the size"}},
        {"out=8 kernel=5 pad=2", "1x8x14x14", {"half the size", NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_layer *layer;
        vdnn_layer_case c = {"conv", cases[i].keys, cases[i].inputs};
        assert_ok(vdnn_layer_case_build(&c, VDNN_RULE_LEAN, &layer));
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
            for (int j = 0; j < NAMES; j++) {
                const char *why = vdnn_algorithm_refusal(
                    vdnn_algorithm_find("conv", names[j], "cpu"), layer, (vdnn_pass)pass);
                const char *wanted = cases[i].why[j];
                if ((why == NULL) != (wanted == NULL) ||
                    (why != NULL && strstr(why, wanted) == NULL))
                    fail_msg("%s on %s, %s by %s: '%s'", cases[i].keys, cases[i].inputs,
                             vdnn_pass_text((vdnn_pass)pass), names[j], why == NULL ? "" : why);
            }
        vdnn_layer_case_destroy(layer);
    }
}
