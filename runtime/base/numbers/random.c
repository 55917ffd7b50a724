#include "runtime/base/numbers/random.h"

#include "runtime/base/clones.h"
#include "runtime/base/numbers/philox.h"

#include <math.h>
#include <string.h>

enum { FEISTEL_ROUNDS = 8 };

void vdnn_random_philox(uint64_t key, const uint32_t counter[4], uint32_t bits[4])
{
    vdnn_philox(key, counter, bits);
}

float vdnn_random_unit(uint32_t bits)
{
    return (float)(bits >> 8) * 0x1p-24f;
}

/* ---- normals --------------------------------------------------------------------------------- */

/* Logarithm, cosine and sine are series here, since the C library's are neither the same on every
 * machine nor compiled into vectors. Their errors are below 2^-50 of the result, far below what is
 * left of it in a float. */

static inline double to_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Below 2^52. */
static inline double count_to_double(uint64_t count)
{
    return to_double(count | UINT64_C(0x4330000000000000)) - 0x1p52;
}

static inline double polynomial(const double *coefficients, int count, double z)
{
    double sum = 0;
    for (int k = count - 1; k >= 0; k--)
        sum = sum * z + coefficients[k];
    return sum;
}

/* ln((a + 1) 2^-32) = (e - 32) ln 2 + ln m, where a + 1 = m 2^e and m is within sqrt(1/2) ..
 * sqrt(2); ln m = 2 artanh((m - 1) / (m + 1)). */
static inline double log_of_fraction(uint32_t a)
{
    static const double odd[] = {1,        1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
    const uint64_t root_half = UINT64_C(0x3fe6a09e667f3bcd);
    double whole = count_to_double((uint64_t)a + 1);
    uint64_t bits;
    memcpy(&bits, &whole, sizeof bits);
    uint64_t exponent = (bits - root_half) >> 52;
    double m = to_double(bits - (exponent << 52));
    double s = (m - 1) / (m + 1);
    double series = 2 * s * polynomial(odd, sizeof odd / sizeof *odd, s * s);
    return (count_to_double(exponent) - 32) * 0.693147180559945309417 + series;
}

/* Of 2 pi b 2^-32, by the Taylor series about the nearest quarter, which is within pi/4. */
static inline void turn(uint32_t b, double *cosine, double *sine)
{
    static const double even[] = {1,
                                  -1.0 / 2,
                                  1.0 / 24,
                                  -1.0 / 720,
                                  1.0 / 40320,
                                  -1.0 / 3628800,
                                  1.0 / 479001600,
                                  -1.0 / 87178291200,
                                  1.0 / 20922789888000};
    static const double odd[] = {1,
                                 -1.0 / 6,
                                 1.0 / 120,
                                 -1.0 / 5040,
                                 1.0 / 362880,
                                 -1.0 / 39916800,
                                 1.0 / 6227020800,
                                 -1.0 / 1307674368000};
    const double two_pi = 6.283185307179586476925;
    uint32_t quarter = (b + 0x20000000U) >> 30;
    double x = two_pi * 0x1p-32 * (double)(int32_t)(b - (quarter << 30)), z = x * x;
    double c = polynomial(even, sizeof even / sizeof *even, z);
    double s = polynomial(odd, sizeof odd / sizeof *odd, z) * x;
    double along = (quarter & 1) != 0 ? -s : c, across = (quarter & 1) != 0 ? c : s;
    *cosine = (quarter & 2) != 0 ? -along : along;
    *sine = (quarter & 2) != 0 ? -across : across;
}

/* Box-Muller. */
static inline void make_pair(uint32_t a, uint32_t b, float normals[2])
{
    double radius = sqrt(-2 * log_of_fraction(a)), cosine, sine;
    turn(b, &cosine, &sine);
    normals[0] = (float)(radius * cosine);
    normals[1] = (float)(radius * sine);
}

void vdnn_random_normal(uint32_t a, uint32_t b, float normals[2])
{
    make_pair(a, b, normals);
}

VDNN_CPU_CLONES void vdnn_random_normals(uint64_t key, const uint32_t counter[4], int64_t blocks,
                                         float *normals)
{
    for (int64_t i = 0; i < blocks; i++) {
        uint32_t at[4], bits[4];
        vdnn_philox_after(counter, (uint64_t)i, at);
        vdnn_philox(key, at, bits);
        make_pair(bits[0], bits[1], normals + 4 * i);
        make_pair(bits[2], bits[3], normals + 4 * i + 2);
    }
}

uint64_t vdnn_random_permute(uint64_t seed, uint64_t epoch, uint64_t i, uint64_t count)
{
    unsigned half_bits = 0;
    while (half_bits < 32 && ((count - 1) >> (2 * half_bits)) != 0)
        half_bits++;
    const uint64_t mask = ((uint64_t)1 << half_bits) - 1;

    do {
        uint64_t left = i >> half_bits, right = i & mask;
        for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
            const uint32_t counter[4] = {(uint32_t)right, round, (uint32_t)epoch,
                                         (uint32_t)(epoch >> 32)};
            uint32_t bits[4];
            vdnn_random_philox(seed, counter, bits);
            uint64_t mixed = left ^ (bits[0] & mask);
            left = right;
            right = mixed;
        }
        i = left << half_bits | right;
    } while (i >= count);
    return i;
}
