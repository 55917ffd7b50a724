#ifndef VDNN_TESTS_CUDA_HOST_SCALAR_H
#define VDNN_TESTS_CUDA_HOST_SCALAR_H

/* Elements of f32 and bf16 arrays, for the emulation's libraries, which compute in f32 or more.
 *
 * Invariant: a value is rounded to nearest, ties to even.
 * Threads: pure.
 *
 *     float value = vdnn_cuda_host::scalar::read(is_half, from, i);
 *     vdnn_cuda_host::scalar::write(is_half, to, i, value);
 */

#include <cmath>
#include <cstdint>
#include <cstring>

namespace vdnn_cuda_host
{

struct scalar {
    static float read(bool is_half, const void *from, int64_t i)
    {
        if (!is_half)
            return static_cast<const float *>(from)[i];
        uint32_t bits = (uint32_t) static_cast<const uint16_t *>(from)[i] << 16;
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }

    static void write(bool is_half, void *to, int64_t i, float value)
    {
        if (!is_half) {
            static_cast<float *>(to)[i] = value;
            return;
        }
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits = std::isnan(value) ? bits | 0x400000U : bits + 0x7fffU + (bits >> 16 & 1U);
        static_cast<uint16_t *>(to)[i] = (uint16_t)(bits >> 16);
    }
};

} // namespace vdnn_cuda_host

#endif
