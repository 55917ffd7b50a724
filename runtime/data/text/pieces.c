#include "runtime/data/text/pieces.h"

#include "runtime/data/text/utf8.h"

#include <stdbool.h>
#include <string.h>

enum { ASCII = 0x80 };

/* Of ASCII, which most of a text is. */
static vdnn_character_kind ascii_kind(unsigned char c)
{
    if ((unsigned char)((c | 0x20) - 'a') < 26)
        return VDNN_CHARACTER_LETTER;
    if (c == ' ' || (unsigned char)(c - '\t') < 5)
        return VDNN_CHARACTER_SPACE;
    return (unsigned char)(c - '0') < 10 ? VDNN_CHARACTER_NUMBER : VDNN_CHARACTER_OTHER;
}

/* The kind of the character at `at`, and its bytes. */
static vdnn_character_kind kind_at(const unsigned char *text, size_t length, size_t at,
                                   size_t *bytes)
{
    if (text[at] < ASCII) {
        *bytes = 1;
        return ascii_kind(text[at]);
    }
    const size_t found = vdnn_utf8_bytes(text + at, length - at);
    *bytes = found == 0 ? 1 : found;
    return found == 0 ? VDNN_CHARACTER_OTHER
                      : vdnn_character_kind_of(vdnn_utf8_number(text + at, found));
}

/* Where characters of that kind end; *last: where the last of them begins. */
static size_t end_of_run(const unsigned char *text, size_t length, size_t at,
                         vdnn_character_kind kind, size_t *last)
{
    size_t bytes;
    while (at < length && kind_at(text, length, at, &bytes) == kind) {
        *last = at;
        at += bytes;
    }
    return at;
}

/* Bytes of the contraction at an apostrophe; 0: there is none. */
static size_t contraction_bytes(const unsigned char *text, size_t left)
{
    static const char *const endings[] = {"s", "t", "re", "ve", "m", "ll", "d"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t bytes = strlen(endings[i]);
        if (bytes < left && memcmp(text + 1, endings[i], bytes) == 0)
            return 1 + bytes;
    }
    return 0;
}

size_t vdnn_piece_end(const unsigned char *text, size_t length, size_t at)
{
    size_t bytes, last = at;
    if (text[at] == '\'' && (bytes = contraction_bytes(text + at, length - at)) > 0)
        return at + bytes;
    const vdnn_character_kind kind = kind_at(text, length, at, &bytes);
    if (text[at] == ' ' && at + 1 < length) {
        const vdnn_character_kind next = kind_at(text, length, at + 1, &bytes);
        if (next != VDNN_CHARACTER_SPACE)
            return end_of_run(text, length, at + 1, next, &last);
    }
    const size_t end = end_of_run(text, length, at, kind, &last);
    const bool gives_last = kind == VDNN_CHARACTER_SPACE && end < length && last > at;
    return gives_last ? last : end;
}
