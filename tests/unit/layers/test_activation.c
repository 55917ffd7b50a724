/* Activations far from zero, where the values of other tests do not reach, and at the values where
 * their formulas change. */

#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

enum { COUNT = 4001, SPECIAL = 8 };

static const vdnn_layer_case cases[] = {
    {"gelu", "", "1x4001"},       {"gelu", "approximate=tanh", "1x4001"},
    {"silu", "", "1x4001"},       {"tanh", "", "1x4001"},
    {"sigmoid", "", "1x4001"},    {"relu6", "", "1x4001"},
    {"leaky_relu", "", "1x4001"}, {"hardswish", "", "1x4001"},
};

enum { CASES = sizeof cases / sizeof *cases };

static float *floats(const vdnn_bench_buffer *buffer)
{
    return (float *)(void *)buffer->data;
}

/* A layer whose input runs from -most to most, after some values that formulas change at. */
static vdnn_bench *bench_of(const vdnn_layer_case *one, float most, vdnn_layer **layer)
{
    static const float special[SPECIAL] = {0, -0.0F, 3, -3, 6, -6, 1e-30F, -1e-30F};
    assert_ok(vdnn_layer_case_build(one, VDNN_RULE_LEAN, layer));
    vdnn_bench *bench = vdnn_bench_create(*layer, 1);
    for (int i = 0; i < COUNT; i++)
        floats(&bench->x[0])[i] =
            i < SPECIAL ? special[i] : most * ((float)(2 * i) / (float)(COUNT - 1) - 1);
    return bench;
}

static void run(vdnn_bench *bench)
{
    const vdnn_algorithm *row = vdnn_algorithm_find(bench->layer->def->type, "native", "cpu");
    assert_ok(vdnn_bench_run(bench, row, VDNN_FORWARD, 2, 0xff));
    assert_ok(vdnn_bench_run(bench, row, VDNN_BACKWARD_DATA, 2, 0xff));
}

static void check_values(const vdnn_bench *bench, const char *what, const float *found,
                         const double *expected)
{
    const double unit = 0x1p-23;
    for (int i = 0; i < COUNT; i++) {
        const double x = (double)floats(&bench->x[0])[i];
        if (!(fabs((double)found[i] - expected[i]) <= unit * (2 + 3 * fabs(expected[i]))))
            fail_msg("%s of %s at %g is %.9g, expected %.9g", what, bench->layer->name, x,
                     (double)found[i], expected[i]);
    }
}

TEST(values_and_derivatives_are_those_of_the_formula_far_from_zero)
{
    static const float ranges[] = {2, 8, 30, 1000};
    for (size_t c = 0; c < CASES; c++)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            vdnn_layer *layer;
            vdnn_bench *bench = bench_of(&cases[c], ranges[r], &layer);
            run(bench);
            vdnn_bench_refer(bench, VDNN_FORWARD);
            check_values(bench, "the value", floats(&bench->y), bench->y64);
            vdnn_bench_refer(bench, VDNN_BACKWARD_DATA);
            check_values(bench, "the gradient", floats(&bench->dx[0]), bench->dx64[0]);
            vdnn_bench_destroy(bench);
            vdnn_layer_case_destroy(layer);
        }
}

/* Where 1 + erf(x / sqrt 2) has no digit left. */
TEST(gelu_keeps_its_digits_far_below_zero)
{
    vdnn_layer *layer;
    vdnn_bench *bench = bench_of(&cases[0], 12, &layer);
    run(bench);
    for (int i = SPECIAL; i < COUNT; i++) {
        const double x = (double)floats(&bench->x[0])[i], y = x * erfc(-x / sqrt(2)) / 2;
        if (!(fabs((double)floats(&bench->y)[i] / y - 1) < 1e-5) && y != 0)
            fail_msg("gelu at %g is %g, expected %g", x, (double)floats(&bench->y)[i], y);
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

TEST(nan_is_passed_on_and_large_values_give_the_limits)
{
    static const float x[] = {NAN, 3e38F, -3e38F};
    static const struct {
        float above, below, slope_above, slope_below; /* above: 0 stands for x */
    } limits[CASES] = {{0, 0, 1, 0}, {0, 0, 1, 0}, {0, 0, 1, 0}, {1, -1, 0, 0},
                       {1, 0, 0, 0}, {6, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 1, 0}};
    for (size_t c = 0; c < CASES; c++) {
        vdnn_layer *layer;
        vdnn_bench *bench = bench_of(&cases[c], 1, &layer);
        const float slope = strcmp(cases[c].type, "leaky_relu") == 0 ? 0.01F : 0;
        memcpy(floats(&bench->x[0]), x, sizeof x);
        for (int i = 0; i < 3; i++)
            floats(&bench->dy)[i] = 1;
        run(bench);
        const float *y = floats(&bench->y), *dx = floats(&bench->dx[0]);
        assert_true(isnan(y[0]));
        assert_true(y[1] == (limits[c].above == 0 ? x[1] : limits[c].above));
        assert_true(y[2] == (slope == 0 ? limits[c].below : slope * x[2]));
        assert_true(dx[1] == limits[c].slope_above);
        assert_true(dx[2] == (slope == 0 ? limits[c].slope_below : slope));
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}

/* Of a block of 16 channels that has 3; the reference tests compare padding too. */
TEST(a_sigmoid_leaves_padding_zero)
{
    static const vdnn_layer_case one = {"sigmoid", "", "2x19x3x5"};
    const vdnn_layer_form blocked = {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build_as(&one, VDNN_RULE_LEAN, blocked, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, 1);
    run(bench);
    for (int64_t i = 0; i < vdnn_desc_stored(&layer->y); i++) {
        const int64_t channel = i / (16 * 15) % 2 * 16 + i % 16;
        assert_true((floats(&bench->y)[i] != 0) == (channel < 19));
        assert_true((floats(&bench->dx[0])[i] != 0) == (channel < 19));
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}
