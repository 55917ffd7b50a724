#ifndef VDNN_LAYERS_PATTERN_H
#define VDNN_LAYERS_PATTERN_H

/* The numbers that operands are filled with while kernels are measured, compiled for kernels of
 * every device.
 *
 * Zeros, denormals, infinities and NaN take other times than a network's numbers. Each half of a
 * word of the pattern is a small bf16, of magnitude 2^-11 to 2^-2 and standard deviation 0.1; the
 * word as f32 is its upper half with sixteen more bits of mantissa. So the same bytes are good
 * operands in f32, tf32 and bf16.
 *
 * Invariant: the same bits on every device; a function of the position alone, repeated every
 * VDNN_PATTERN_BYTES.
 * Threads: pure.
 *
 *     uint32_t words[VDNN_PATTERN_WORDS];
 *     for (uint32_t i = 0; i < VDNN_PATTERN_BLOCKS; i++)
 *         vdnn_pattern(i, words);                            // bytes 16 * i and on
 */

#include "runtime/base/numbers/philox.h"

#include <string.h>

enum {
    VDNN_PATTERN_WORDS = 4, /* of a block: one output of Philox */
    VDNN_PATTERN_BLOCK_BYTES = 16,
    VDNN_PATTERN_BLOCKS = 1024,
    VDNN_PATTERN_BYTES = VDNN_PATTERN_BLOCKS * VDNN_PATTERN_BLOCK_BYTES
};

/* The sum of two random bytes, moved to an odd number between -511 and 509, which is not 0, times
 * 2^-11; rounded to bf16. */
VDNN_PHILOX uint32_t vdnn_pattern_half(uint32_t bits)
{
    int sum = (int)(bits & 0xffU) + (int)(bits >> 8 & 0xffU);
    float value = (float)(2 * sum - 511) * 0x1p-11f;
    uint32_t wide;
    memcpy(&wide, &value, sizeof wide);
    return (wide + 0x7fffU + (wide >> 16 & 1U)) >> 16;
}

VDNN_PHILOX void vdnn_pattern(uint32_t block, uint32_t words[VDNN_PATTERN_WORDS])
{
    const uint32_t counter[4] = {block, 0, 0, 0};
    uint32_t bits[VDNN_PATTERN_WORDS];
    vdnn_philox(0, counter, bits);
    for (int i = 0; i < VDNN_PATTERN_WORDS; i++)
        words[i] = vdnn_pattern_half(bits[i]) | vdnn_pattern_half(bits[i] >> 16) << 16;
}

#endif
