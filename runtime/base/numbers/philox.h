#ifndef VDNN_RUNTIME_BASE_NUMBERS_PHILOX_H
#define VDNN_RUNTIME_BASE_NUMBERS_PHILOX_H

/* Philox4x32-10 (see runtime/base/numbers/random.h) in the form that kernels of every device
 * compile in.
 *
 * Invariant: the same bits on every device.
 * Threads: pure.
 *
 *     uint32_t bits[4];
 *     const uint32_t counter[4] = {step, sample, layer, element / 4};
 *     vdnn_philox(key, counter, bits);
 */

#include <stdint.h>

#ifdef __CUDACC__
#define VDNN_PHILOX __host__ __device__ static inline
#else
#define VDNN_PHILOX static inline
#endif

enum { VDNN_PHILOX_ROUNDS = 10 };

/* The counter that comes `count` after another one: its first two words count, as one number. */
VDNN_PHILOX void vdnn_philox_after(const uint32_t counter[4], uint64_t count, uint32_t after[4])
{
    const uint64_t block = ((uint64_t)counter[1] << 32 | counter[0]) + count;
    after[0] = (uint32_t)block;
    after[1] = (uint32_t)(block >> 32);
    after[2] = counter[2];
    after[3] = counter[3];
}

/* 128 random bits for (key, counter). */
VDNN_PHILOX void vdnn_philox(uint64_t key, const uint32_t counter[4], uint32_t bits[4])
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < VDNN_PHILOX_ROUNDS; round++) {
        uint64_t a = (uint64_t)0xd2511f53u * c0;
        uint64_t b = (uint64_t)0xcd9e8d57u * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    bits[0] = c0;
    bits[1] = c1;
    bits[2] = c2;
    bits[3] = c3;
}

#endif
