#ifndef VDNN_RUNTIME_BASE_NUMBERS_RANDOM_H
#define VDNN_RUNTIME_BASE_NUMBERS_RANDOM_H

/* Counter-based random numbers: every number is a pure function of a key and a counter, so the bits
 * do not depend on policy, thread count or the step at which a run is resumed.
 *
 * Philox4x32-10: Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011.
 * Threads: pure functions.
 *
 *     uint32_t bits[4];
 *     uint32_t counter[4] = {element / 4, layer, (uint32_t)sample, (uint32_t)step};
 *     vdnn_random_philox(seed, counter, bits);
 *     uint64_t index = vdnn_random_permute(seed, epoch, i, count);
 */

#include <stdint.h>

/* 128 random bits for (key, counter). */
void vdnn_random_philox(uint64_t key, const uint32_t counter[4], uint32_t bits[4]);

/* A float in [0, 1) from 32 bits (24 of them are used). */
float vdnn_random_unit(uint32_t bits);

/* Two independent standard normals from two words (Box-Muller); the same floats on every machine.
 */
void vdnn_random_normal(uint32_t a, uint32_t b, float normals[2]);

/* 4 `blocks` standard normals: of the bits of `counter` and those that follow it, which count on in
 * its first two words, vdnn_random_normal of the first two and of the last two. */
void vdnn_random_normals(uint64_t key, const uint32_t counter[4], int64_t blocks, float *normals);

/* The image of `i` under a permutation of [0, count) that (seed, epoch) selects: an eight-round
 * Feistel network over the next power of four, walked until it lands inside. `count` >= 1, i <
 * count. */
uint64_t vdnn_random_permute(uint64_t seed, uint64_t epoch, uint64_t i, uint64_t count);

#endif
