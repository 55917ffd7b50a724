#ifndef VDNN_LAYERS_CPU_MATH_H
#define VDNN_LAYERS_CPU_MATH_H

/* Elementary functions of floats for loops that the compiler vectorizes: those of the C library are
 * calls, and take several times as long.
 *
 * Invariant: additions, multiplications, divisions and operations on the bits alone, each rounded,
 * without a branch: a value is the same in every clone (runtime/base/clones.h) and in every place
 * of a vector. NaN is propagated, infinities give the limits. Errors are in units of the last
 * place, and a test holds the functions to them over all exponents.
 * Threads: any; pure functions.
 *
 *     VDNN_CPU_CLONES static void silu(const float *x, float *y, int64_t count)
 *     {
 *     #pragma omp simd
 *         for (int64_t i = 0; i < count; i++)
 *             y[i] = x[i] * vdnn_math_sigmoid(x[i]);
 *     }
 */

#include "runtime/base/clones.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define VDNN_MATH_INLINE static inline __attribute__((always_inline))

VDNN_MATH_INLINE uint32_t vdnn_math_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

VDNN_MATH_INLINE float vdnn_math_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* As bits: compilers make branches of other choices between floats, which no loop with them is
 * vectorized around. */
VDNN_MATH_INLINE uint32_t vdnn_math_choose(bool condition, uint32_t yes, uint32_t no)
{
    const uint32_t mask = -(uint32_t)condition;
    return (yes & mask) | (no & ~mask);
}

/* The smaller of both; NaN stays NaN. */
VDNN_MATH_INLINE float vdnn_math_at_most(float x, float most)
{
    return vdnn_math_float(vdnn_math_choose(x > most, vdnn_math_bits(most), vdnn_math_bits(x)));
}

/* |x| with the sign of `of`. */
VDNN_MATH_INLINE float vdnn_math_signed(float magnitude, float of)
{
    const uint32_t sign = 0x80000000U;
    return vdnn_math_float(vdnn_math_bits(magnitude) | (vdnn_math_bits(of) & sign));
}

/* e^x = 2^n (1 + p): n is the integer nearest to x / ln 2, and p = e^r - 1 of what is left. Adding
 * 1.5 x 2^23 rounds to integers, which the low bits of the sum then hold: shifted into the place of
 * the exponent they are n there. ln 2 is in two parts, so that n times the first is exact. The
 * polynomial is the one with the least largest relative error of its degree for |r| <= ln 2 / 2. */
typedef struct vdnn_math_power {
    uint32_t n; /* in the place of the exponent */
    float p;
} vdnn_math_power;

VDNN_MATH_INLINE vdnn_math_power vdnn_math_split(float x)
{
    const float shift = 0x1.8p23F, log2e = 0x1.715476p0F;
    const float ln2_high = 0x1.63p-1F, ln2_low = -0x1.bd0106p-13F;
    float shifted = x * log2e + shift;
    float n = shifted - shift;
    float r = (x - n * ln2_high) - n * ln2_low;
    float square = r * r;
    float high = (0.00138145406F * r + 0.00836874545F) * r + 0.041668389F;
    float low = 0.166665211F * r + 0.49999994F;
    return (vdnn_math_power){vdnn_math_bits(shifted) << 23, square * (high * square + low) + r};
}

/* e^x, within 1. What is below the smallest normal float is zero. */
VDNN_MATH_INLINE float vdnn_math_exp(float x)
{
    const float least = -87.33654F, most = 88.72283F;
    vdnn_math_power power = vdnn_math_split(x);
    uint32_t y = vdnn_math_bits(power.p + 1.0F) + power.n;
    y = vdnn_math_choose(x > most, vdnn_math_bits(INFINITY), y);
    y = vdnn_math_choose(x < least, 0, y);
    return vdnn_math_float(vdnn_math_choose(x != x, vdnn_math_bits(x), y));
}

/* The same for x from -88 to 0, or NaN, without that limit. */
VDNN_MATH_INLINE float vdnn_math_decay(float x)
{
    vdnn_math_power power = vdnn_math_split(x);
    return (power.p + 1.0F) * vdnn_math_float(0x3f800000U + power.n);
}

/* log(1 + x) for x from 0 to 1, or NaN, within 3: 2 atanh(x / (2 + x)), by its series. */
VDNN_MATH_INLINE float vdnn_math_log1p(float x)
{
    float u = x / (2.0F + x), u2 = u * u;
    float high = ((0.0666666667F * u2 + 0.0769230769F) * u2 + 0.0909090909F) * u2 + 0.111111111F;
    float low = ((high * u2 + 0.142857143F) * u2 + 0.2F) * u2 + 0.333333333F;
    return 2.0F * u + 2.0F * u * (u2 * low);
}

/* 1 / (1 + e^-x), within 3. */
VDNN_MATH_INLINE float vdnn_math_sigmoid(float x)
{
    return 1.0F / (1.0F + vdnn_math_exp(-x));
}

/* The same, and *rest = 1 / (1 + e^x), what it lacks to 1, within 3 as well. */
VDNN_MATH_INLINE float vdnn_math_sigmoid_pair(float x, float *rest)
{
    float e = vdnn_math_decay(-vdnn_math_at_most(fabsf(x), 88.0F));
    uint32_t more = vdnn_math_bits(1.0F / (1.0F + e));
    uint32_t less = vdnn_math_bits(e * vdnn_math_float(more));
    *rest = vdnn_math_float(vdnn_math_choose(x < 0, more, less));
    return vdnn_math_float(vdnn_math_choose(x < 0, less, more));
}

/* tanh x, within 3: (e^2|x| - 1) / (e^2|x| + 1) with the sign of x. */
VDNN_MATH_INLINE float vdnn_math_tanh(float x)
{
    const float most = 10.0F; /* 1 from there on */
    float z = vdnn_math_at_most(fabsf(x), most);
    vdnn_math_power power = vdnn_math_split(z + z);
    float scale = vdnn_math_float(0x3f800000U + power.n);
    float less_one = scale * power.p + (scale - 1.0F);
    return vdnn_math_signed(less_one / (less_one + 2.0F), x);
}

/* The standard normal distribution below x, (1 + erf(x / sqrt 2)) / 2, without its cancellation
 * where x < 0: below -|x| it is e^(-x^2 / 2) times a polynomial in (|x| - 3) / (|x| + 3), which is
 * the one with the least largest relative error of its degree. Within 6 + x^2 / 2 below 0, within 3
 * above. *bell = e^(-x^2 / 2), within 2 + x^2 / 2. */
VDNN_MATH_INLINE float vdnn_math_normal(float x, float *bell)
{
    const float most = 13.2664F; /* e^(-x^2 / 2) is zero from there on */
    float z = vdnn_math_at_most(fabsf(x), most);
    float u = (z - 3.0F) / (z + 3.0F);
    float u2 = u * u, u4 = u2 * u2;
    float last = 5.41508707e-05F * u + 0.000116037401F;
    float c67 = -0.000339911348F * u + -0.000984182814F;
    float c45 = 0.00290470268F * u + 0.00613218313F;
    float c23 = -0.0462133139F * u + 0.123225018F;
    float c01 = -0.206402615F * u + 0.121513948F;
    *bell = vdnn_math_decay(-0.5F * (z * z));
    float tail = *bell * (((last * u4 + c67 * u2) + c45) * u4 + (c23 * u2 + c01));
    return vdnn_math_float(
        vdnn_math_choose(x < 0, vdnn_math_bits(tail), vdnn_math_bits(1.0F - tail)));
}

#endif
