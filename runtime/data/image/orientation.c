#include "runtime/data/image/orientation.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Some bytes of a file. */
typedef struct view {
    const unsigned char *bytes;
    size_t size;
} view;

static bool begins_with(view data, const char *text, size_t length)
{
    return data.size >= length && memcmp(data.bytes, text, length) == 0;
}

static view after(view data, size_t bytes)
{
    return (view){data.bytes + bytes, data.size - bytes};
}

static uint32_t number(const unsigned char *bytes, int count, bool is_big)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint32_t)bytes[i] << 8 * (is_big ? count - 1 - i : i);
    return value;
}

/* ---- EXIF ------------------------------------------------------------------------------------ */

/* EXIF is a TIFF file without a picture: byte order, 42, where its directory is; there a count, and
 * entries of tag, type, count and value. */
static int read_tiff(view tiff)
{
    enum { HEAD = 8, ENTRY = 12, TAG = 0x112, SHORT = 3, LONG = 4 };
    const bool is_big = begins_with(tiff, "MM\0*", 4);
    if (tiff.size < HEAD || (!is_big && !begins_with(tiff, "II*\0", 4)))
        return 0;
    const size_t place = number(tiff.bytes + 4, 4, is_big);
    if (place > tiff.size - 2)
        return 0;
    view rest = after(tiff, place);
    uint32_t count = number(rest.bytes, 2, is_big);
    for (rest = after(rest, 2); count > 0 && rest.size >= ENTRY;
         count--, rest = after(rest, ENTRY)) {
        const uint32_t type = number(rest.bytes + 2, 2, is_big);
        if (number(rest.bytes, 2, is_big) != TAG)
            continue;
        if ((type != SHORT && type != LONG) || number(rest.bytes + 4, 4, is_big) != 1)
            return 0;
        const uint32_t value = number(rest.bytes + 8, type == SHORT ? 2 : 4, is_big);
        return value <= VDNN_ORIENTATION_LAST ? (int)value : 0;
    }
    return 0;
}

/* ---- where it is ----------------------------------------------------------------------------- */

/* Markers with a length and data, up to the one that the picture follows. */
static int read_jpeg(view rest)
{
    enum { APP1 = 0xe1, SCAN = 0xda, END = 0xd9, ALONE = 0x01, RESTART = 0xd0, PREFIX = 6 };
    rest = after(rest, 2);
    while (rest.size >= 4 && rest.bytes[0] == 0xff) {
        const int marker = rest.bytes[1];
        if (marker == 0xff) { /* fills up */
            rest = after(rest, 1);
            continue;
        }
        if (marker == ALONE || (marker >= RESTART && marker < END)) {
            rest = after(rest, 2);
            continue;
        }
        const size_t length = number(rest.bytes + 2, 2, true);
        if (marker == SCAN || marker == END || length < 2 || length > rest.size - 2)
            return 0;
        const view data = {rest.bytes + 4, length - 2};
        if (marker == APP1 && begins_with(data, "Exif\0\0", PREFIX))
            return read_tiff(after(data, PREFIX));
        rest = after(rest, length + 2);
    }
    return 0;
}

/* Chunks of length, type, data and checksum. */
static int read_png(view rest)
{
    enum { SIGNATURE = 8, HEAD = 8, AROUND = 12 };
    rest = after(rest, SIGNATURE);
    while (rest.size >= AROUND) {
        const size_t length = number(rest.bytes, 4, true);
        if (length > rest.size - AROUND)
            return 0;
        if (memcmp(rest.bytes + 4, "eXIf", 4) == 0)
            return read_tiff((view){rest.bytes + HEAD, length});
        rest = after(rest, length + AROUND);
    }
    return 0;
}

int vdnn_orientation_find(const unsigned char *bytes, size_t size)
{
    const view file = {bytes, size};
    int found = 0;
    if (begins_with(file, "\xff\xd8", 2))
        found = read_jpeg(file);
    else if (begins_with(file, "\x89PNG\r\n\x1a\n", 8))
        found = read_png(file);
    return found == 0 ? VDNN_ORIENTATION_UPRIGHT : found;
}

/* ---- turning --------------------------------------------------------------------------------- */

/* How the rows and columns that are stored become those of the upright picture: 0 to 3 from the
 * last one on, and, of those that swap, rows become columns. */
static const struct {
    bool from_bottom, from_right, swaps;
} turns[VDNN_ORIENTATION_LAST + 1] = {
    [2] = {false, true, false}, [3] = {true, true, false}, [4] = {true, false, false},
    [5] = {false, false, true}, [6] = {true, false, true}, [7] = {true, true, true},
    [8] = {false, true, true},
};

vdnn_picture_size vdnn_orientation_stored(int orientation, const vdnn_picture_size *upright)
{
    vdnn_picture_size stored = *upright;
    if (turns[orientation].swaps) {
        stored.height = upright->width;
        stored.width = upright->height;
    }
    return stored;
}

enum { WORD = 4 }; /* of a number */

void vdnn_orientation_apply(int orientation, const vdnn_picture_size *upright, const void *stored,
                            void *pixels)
{
    const vdnn_picture_size size = vdnn_orientation_stored(orientation, upright);
    const bool from_bottom = turns[orientation].from_bottom,
               from_right = turns[orientation].from_right, swaps = turns[orientation].swaps;
    const int64_t row = from_bottom ? -size.width : size.width, column = from_right ? -1 : 1,
                  down = swaps ? column : row, right = swaps ? row : column,
                  first = (from_bottom ? (size.height - 1) * size.width : 0) +
                          (from_right ? size.width - 1 : 0);
    const char *from = stored;
    char *to = pixels;
    for (int64_t c = 0; c < size.channels; c++, from += size.height * size.width * WORD)
        for (int64_t y = 0; y < upright->height; y++)
            for (int64_t x = 0; x < upright->width; x++, to += WORD)
                memcpy(to, from + (first + y * down + x * right) * WORD, WORD);
}
