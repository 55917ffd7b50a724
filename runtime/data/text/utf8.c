#include "runtime/data/text/utf8.h"

enum { ASCII = 0x80 };

/* first, last and kind of each range, in their order */
typedef struct range {
    uint32_t first, last;
} range;

static const range letters[] = {
#define LETTERS(first, last) {first, last},
#define NUMBERS(first, last)
#include "runtime/data/text/categories.inc"
#undef LETTERS
#undef NUMBERS
};

static const range numbers[] = {
#define LETTERS(first, last)
#define NUMBERS(first, last) {first, last},
#include "runtime/data/text/categories.inc"
#undef LETTERS
#undef NUMBERS
};

static const range spaces[] = {
    {0x09, 0x0d},     {0x20, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680},
    {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}};

/* ---- bytes ----------------------------------------------------------------------------------- */

size_t vdnn_utf8_bytes(const unsigned char *text, size_t length)
{
    static const struct {
        unsigned char first, last; /* of the first byte */
        unsigned char low, high;   /* of the second */
        size_t bytes;
    } forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                 {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                 {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    size_t i = 0;
    if (text[0] < ASCII)
        return 1;
    while (i < sizeof forms / sizeof *forms &&
           (text[0] < forms[i].first || text[0] > forms[i].last))
        i++;
    if (i == sizeof forms / sizeof *forms || forms[i].bytes > length)
        return 0;
    if (text[1] < forms[i].low || text[1] > forms[i].high)
        return 0;
    for (size_t k = 2; k < forms[i].bytes; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    return forms[i].bytes;
}

uint32_t vdnn_utf8_number(const unsigned char *text, size_t bytes)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t number = text[0] & masks[bytes];
    for (size_t k = 1; k < bytes; k++)
        number = number << 6 | (text[k] & 0x3f);
    return number;
}

size_t vdnn_utf8_write(uint32_t number, unsigned char *text)
{
    static const struct {
        uint32_t end;
        unsigned char mark;
    } forms[] = {{0x80, 0}, {0x800, 0xc0}, {0x10000, 0xe0}, {UINT32_MAX, 0xf0}};
    size_t more = 0;
    while (number >= forms[more].end)
        more++;
    for (size_t k = more; k > 0; k--) {
        text[k] = (unsigned char)(0x80 | (number & 0x3f));
        number >>= 6;
    }
    text[0] = (unsigned char)(forms[more].mark | number);
    return more + 1;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static int has(const range *ranges, size_t count, uint32_t number)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (number > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && number >= ranges[low].first;
}

#define HAS(ranges, number) has(ranges, sizeof(ranges) / sizeof(ranges)[0], number)

vdnn_character_kind vdnn_character_kind_of(uint32_t number)
{
    if (HAS(letters, number))
        return VDNN_CHARACTER_LETTER;
    if (HAS(spaces, number))
        return VDNN_CHARACTER_SPACE;
    return HAS(numbers, number) ? VDNN_CHARACTER_NUMBER : VDNN_CHARACTER_OTHER;
}
