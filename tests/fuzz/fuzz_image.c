/* Pictures: decoded in grey and in colour, smaller and larger than they are. The checksums of a PNG
 * are put right first, or every change would end at them. */

#include "runtime/data/image/image.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <zlib.h>

/* Of a resizer whose weights add up to 1 in floats. */
#define ROUNDING 1e-5F

enum { MOST_BYTES = 1 << 16, SIGNATURE = 8, AROUND_CHUNK = 12, SIDE = 24 };

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

/* length, type, data, checksum of type and data */
static void seal_chunks(uint8_t *file, size_t size)
{
    size_t at = SIGNATURE;
    if (size < SIGNATURE || memcmp(file, "\x89PNG", 4) != 0)
        return;
    while (size - at >= AROUND_CHUNK) {
        uint32_t length = big_endian(file + at);
        if (length > size - at - AROUND_CHUNK)
            return;
        uLong sum = crc32(0, file + at + 4, length + 4);
        for (unsigned i = 0; i < 4; i++)
            file[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + AROUND_CHUNK;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const vdnn_picture_size sizes[] = {{1, 7, 5}, {3, SIDE, SIDE}};
    static uint8_t bytes[MOST_BYTES];
    static float pixels[3 * SIDE * SIDE];
    vdnn_scratch scratch = {0};
    if (size > sizeof bytes)
        return 0;
    vdnn_fuzz_begin();
    memcpy(bytes, data, size);
    seal_chunks(bytes, size);
    vdnn_image_file file = {bytes, size, "cat/1.png"};
    const int orientation = vdnn_orientation_find(bytes, size);
    VDNN_FUZZ_CHECK(orientation >= 1 && orientation <= VDNN_ORIENTATION_LAST);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        vdnn_status status = vdnn_image_decode(&file, &sizes[i], orientation, &scratch, pixels);
        vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
        size_t count = (size_t)(sizes[i].channels * sizes[i].height * sizes[i].width);
        for (size_t k = 0; status == VDNN_OK && k < count; k++)
            VDNN_FUZZ_CHECK(pixels[k] > -ROUNDING && pixels[k] < 1 + ROUNDING);
    }
    vdnn_scratch_fini(&scratch);
    return vdnn_fuzz_end();
}
