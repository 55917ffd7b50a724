#include "runtime/data/image/pixels.h"

#include <string.h>

enum { WIDEN_BLOCK = 64 };

/* By way of a copy, because `raw` may lie in `pixels`. */
static void widen(const unsigned char *raw, size_t count, float *pixels)
{
    unsigned char block[WIDEN_BLOCK];
    memcpy(block, raw, count);
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)block[i] / 255.0f;
}

vdnn_status vdnn_pixels_read(const vdnn_source *source, uint64_t offset, size_t count,
                             float *pixels)
{
    /* The bytes go to the end of the floats and are widened from the front: with n bytes the first
     * k floats take 4k bytes and the unread bytes begin at 3n + k, which is no less as k <= n. */
    unsigned char *raw = (unsigned char *)pixels + 3 * count;
    VDNN_TRY(vdnn_source_read(source, offset, raw, count));
    for (size_t i = 0; i < count; i += WIDEN_BLOCK)
        widen(raw + i, count - i < WIDEN_BLOCK ? count - i : WIDEN_BLOCK, pixels + i);
    return VDNN_OK;
}
