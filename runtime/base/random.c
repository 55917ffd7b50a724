#include "runtime/base/random.h"

#include "runtime/base/philox.h"

#include <math.h>

enum { FEISTEL_ROUNDS = 8 };

void vdnn_random_philox(uint64_t key, const uint32_t counter[4], uint32_t bits[4])
{
    vdnn_philox(key, counter, bits);
}

float vdnn_random_unit(uint32_t bits)
{
    return (float)(bits >> 8) * 0x1p-24f;
}

void vdnn_random_normal(uint32_t a, uint32_t b, float normals[2])
{
    const double two_pi = 6.283185307179586476925;
    /* In (0, 1], so that the logarithm is finite. */
    double radius = sqrt(-2 * log(((double)a + 1) * 0x1p-32));
    double angle = two_pi * ((double)b * 0x1p-32);
    normals[0] = (float)(radius * cos(angle));
    normals[1] = (float)(radius * sin(angle));
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
