#ifndef VDNN_RUNTIME_DATA_TEXT_UTF8_H
#define VDNN_RUNTIME_DATA_TEXT_UTF8_H

/* Characters of UTF-8, and their kinds as text is divided into words.
 *
 * Invariant: reads no byte beyond the length that is given.
 * Threads: pure.
 *
 *     size_t bytes = vdnn_utf8_bytes(text, length);            // 0: no character begins here
 *     uint32_t number = vdnn_utf8_number(text, bytes);
 *     vdnn_character_kind kind = vdnn_character_kind_of(number);
 */

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character that `text` begins with, by Unicode's table of well-formed sequences; 0:
 * it begins with none. `length` is 1 or more. */
size_t vdnn_utf8_bytes(const unsigned char *text, size_t length);
/* The number of a character of that many bytes. */
uint32_t vdnn_utf8_number(const unsigned char *text, size_t bytes);
/* Writes a character, at most four bytes; returns their number. */
size_t vdnn_utf8_write(uint32_t number, unsigned char *text);

typedef enum vdnn_character_kind {
    VDNN_CHARACTER_OTHER,
    VDNN_CHARACTER_LETTER, /* of the categories L of Unicode */
    VDNN_CHARACTER_NUMBER, /* N */
    VDNN_CHARACTER_SPACE,  /* White_Space */
} vdnn_character_kind;

vdnn_character_kind vdnn_character_kind_of(uint32_t number);

#endif
