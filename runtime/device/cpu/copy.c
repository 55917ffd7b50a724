#include "runtime/device/cpu/copy.h"

#include "runtime/base/machine/simd.h"

#include <stdint.h>
#include <string.h>

/* The thread sanitizer does not see non-temporal stores, and would miss races with copies. */
#if VDNN_SIMD_X86 && !defined(__SANITIZE_THREAD__)

enum { STREAM_FROM_BYTES = 256 * 1024, BLOCK_BYTES = 64, VECTORS = 4 };

/* Whole blocks to an aligned place. */
static void stream_blocks(char *to, const char *from, size_t bytes)
{
    __m128i *target = (__m128i *)(void *)to;
    const __m128i *source = (const __m128i *)(const void *)from;
    for (size_t i = 0; i < bytes / BLOCK_BYTES; i++, target += VECTORS, source += VECTORS) {
        __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
        __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(target, a);
        _mm_stream_si128(target + 1, b);
        _mm_stream_si128(target + 2, c);
        _mm_stream_si128(target + 3, d);
    }
    /* Non-temporal stores are not ordered with others, a mutex's included. */
    _mm_sfence();
}

void vdnn_cpu_copy(void *to, const void *from, size_t bytes)
{
    if (bytes == 0)
        return;
    char *target = to;
    const char *source = from;
    if (bytes >= STREAM_FROM_BYTES) {
        size_t head = (BLOCK_BYTES - (uintptr_t)target % BLOCK_BYTES) % BLOCK_BYTES;
        size_t body = (bytes - head) / BLOCK_BYTES * BLOCK_BYTES;
        memcpy(target, source, head);
        stream_blocks(target + head, source + head, body);
        target += head + body;
        source += head + body;
        bytes -= head + body;
    }
    memcpy(target, source, bytes);
}

#else

void vdnn_cpu_copy(void *to, const void *from, size_t bytes)
{
    if (bytes != 0)
        memcpy(to, from, bytes);
}

#endif
