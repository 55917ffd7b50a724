/* The functions of layers/cpu/math.h agree with the C library's in double, over all exponents, and
 * have the same bits in a vector as alone. */

#include "layers/cpu/math.h"

#include "tests/support/vdnn_test.h"

enum { RUN = 256 };

static float bell_of(float x)
{
    float bell;
    (void)vdnn_math_normal(x, &bell);
    return bell;
}

static float normal_of(float x)
{
    float bell;
    return vdnn_math_normal(x, &bell);
}

static float rest_of(float x)
{
    float rest;
    (void)vdnn_math_sigmoid_pair(x, &rest);
    return rest;
}

static float other_sigmoid(float x)
{
    float rest;
    return vdnn_math_sigmoid_pair(x, &rest);
}

/* Of what is from 0 to 1, which is all that it is for. */
static float log1p_of(float x)
{
    return vdnn_math_log1p(vdnn_math_at_most(fabsf(x), 1.0F));
}

/* Each as a loop that is vectorized. */
#define LOOP(name, value)                                                                          \
    VDNN_CPU_CLONES static void name(const float *x, float *y, int count)                          \
    {                                                                                              \
        _Pragma("omp simd") for (int i = 0; i < count; i++) y[i] = value;                          \
    }
LOOP(each_exp, vdnn_math_exp(x[i]))
LOOP(each_sigmoid, vdnn_math_sigmoid(x[i]))
LOOP(each_tanh, vdnn_math_tanh(x[i]))
LOOP(each_rest, rest_of(x[i]))
LOOP(each_other_sigmoid, other_sigmoid(x[i]))
LOOP(each_normal, normal_of(x[i]))
LOOP(each_bell, bell_of(x[i]))
LOOP(each_log1p, log1p_of(x[i]))

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double rest(double x)
{
    return 1 / (1 + exp(x));
}

static double normal(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static double bell(double x)
{
    return exp(-x * x / 2);
}

static double log1p_below(double x)
{
    return log1p(fmin(fabs(x), 1));
}

/* Values within that many units of the last place, more with the square of x: below 0, and above.
 */
static const struct {
    const char *name;
    float (*alone)(float x);
    void (*each)(const float *x, float *y, int count);
    double (*exact)(double x);
    double below, above, squares_below, squares_above;
} functions[] = {
    {"exp", vdnn_math_exp, each_exp, exp, 1, 1, 0, 0},
    {"sigmoid", vdnn_math_sigmoid, each_sigmoid, sigmoid, 3, 3, 0, 0},
    {"the rest of sigmoid", rest_of, each_rest, rest, 3, 3, 0, 0},
    {"sigmoid of a pair", other_sigmoid, each_other_sigmoid, sigmoid, 3, 3, 0, 0},
    {"tanh", vdnn_math_tanh, each_tanh, tanh, 3, 3, 0, 0},
    {"normal", normal_of, each_normal, normal, 6, 3, 0.5, 0},
    {"bell", bell_of, each_bell, bell, 2, 2, 0.5, 0.5},
    {"log1p", log1p_of, each_log1p, log1p_below, 3, 3, 0, 0},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* In units of the last place of the exact value, which is not less than the smallest normal one. */
static double error_of(float value, double exact)
{
    int exponent;
    (void)frexp(fmax(fabs(exact), 0x1p-126), &exponent);
    return fabs((double)value - exact) / ldexp(1, exponent - 24);
}

static void check_value(int f, float x, float value)
{
    const double exact = functions[f].exact((double)x);
    const double square = (double)x * (double)x;
    const double bound = x < 0 ? functions[f].below + functions[f].squares_below * square
                               : functions[f].above + functions[f].squares_above * square;
    if (isnan(exact)                   ? !isnan(value)
        : fabs(exact) > 0x1.fffffep127 ? value != (float)exact
                                       : fabs(exact) >= 0x1p-126 && error_of(value, exact) > bound)
        fail_msg("%s(%a) is %a, expected %a", functions[f].name, (double)x, (double)value, exact);
    if (fabs(exact) < 0x1p-126 && fabs((double)value) > 0x1p-126)
        fail_msg("%s(%a) is %a, expected nothing", functions[f].name, (double)x, (double)value);
}

static void check_run(int f, const float x[RUN])
{
    float y[RUN];
    functions[f].each(x, y, RUN);
    for (int i = 0; i < RUN; i++) {
        const float alone = functions[f].alone(x[i]);
        check_value(f, x[i], y[i]);
        if (memcmp(&alone, &y[i], sizeof alone) != 0 && !(isnan(alone) && isnan(y[i])))
            fail_msg("%s(%a) is %a alone and %a in a vector", functions[f].name, (double)x[i],
                     (double)alone, (double)y[i]);
    }
}

TEST(all_exponents_are_within_the_bounds_of_the_header)
{
    const uint32_t stride = 7919; /* a prime, so that all low bits occur */
    for (int f = 0; f < FUNCTIONS; f++)
        for (uint64_t bits = 0; bits + (uint64_t)RUN * stride < (uint64_t)1 << 32;
             bits += (uint64_t)RUN * stride) {
            float x[RUN];
            for (uint32_t i = 0; i < RUN; i++)
                x[i] = vdnn_math_float((uint32_t)bits + i * stride);
            check_run(f, x);
        }
}

/* Where results are neither 0 nor 1 nor infinite. */
TEST(the_usual_range_is_within_the_bounds_of_the_header)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int f = 0; f < FUNCTIONS; f++)
        for (int run = 0; run < 4000; run++) {
            const float most = run % 2 == 0 ? 6 : 105;
            float x[RUN];
            for (int i = 0; i < RUN; i++)
                x[i] = most * ((float)vdnn_test_between(&rng, 0, 1 << 24) * 0x1p-23F - 1);
            check_run(f, x);
        }
}

TEST(limits_zeros_and_nan_are_exact)
{
    static const struct {
        float x, exp, sigmoid, rest, other, tanh, normal;
    } cases[] = {
        {0, 1, 0.5F, 0.5F, 0.5F, 0, 0.5F},   {-0.0F, 1, 0.5F, 0.5F, 0.5F, -0.0F, 0.5F},
        {INFINITY, INFINITY, 1, 0, 1, 1, 1}, {-INFINITY, 0, 0, 1, 0, -1, 0},
        {3e38F, INFINITY, 1, 0, 1, 1, 1},    {-3e38F, 0, 0, 1, 0, -1, 0},
        {200, INFINITY, 1, 0, 1, 1, 1},      {-200, 0, 0, 1, 0, -1, 0},
        {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, {-NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float expected[] = {cases[i].exp,   cases[i].sigmoid, cases[i].rest,
                                  cases[i].other, cases[i].tanh,    cases[i].normal};
        for (size_t f = 0; f < sizeof expected / sizeof *expected; f++) {
            const float found = functions[f].alone(cases[i].x);
            if (isnan(expected[f]) ? !isnan(found) : found != expected[f])
                fail_msg("%s(%a) is %a", functions[f].name, (double)cases[i].x, (double)found);
        }
    }
    assert_true(signbit(vdnn_math_tanh(-0.0F)));
    assert_false(signbit(vdnn_math_tanh(0.0F)));
    assert_true(vdnn_math_tanh(-1e-30F) == -1e-30F); /* a relative error, of the smallest too */
}
