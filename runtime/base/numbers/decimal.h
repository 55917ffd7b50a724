#ifndef VDNN_RUNTIME_BASE_NUMBERS_DECIMAL_H
#define VDNN_RUNTIME_BASE_NUMBERS_DECIMAL_H

/* Numbers as text: how the library reads and writes them in files, options and messages.
 *
 * A program may have set a locale with a decimal comma, for itself or for one of its threads, and
 * printf, strtod and the like follow it. Here they run in the "C" locale, which the thread has for
 * the length of a call alone: the program's callbacks never run in it.
 *
 * A number is read if all of the text is one, in decimal: a sign or none, digits, in a real number
 * one point at most and an exponent. Blanks, hexadecimal numbers and names (nan, inf) are none. A
 * leading zero is refused, because 010 is 8 to readers of YAML 1.1; so are real numbers other than
 * 0 that the arithmetic, which is of 32 bits, would take for 0 or for infinity.
 *
 * Invariant: no other file of the library calls functions of the C library, or of one that does,
 * that read or write numbers by the locale (tools/lint.sh).
 * Threads: any.
 *
 *     const char *why_not = vdnn_decimal_read_real(text, &seconds);   // NULL: read
 *     vdnn_decimal_print(cell, sizeof cell, "%.3f s", seconds);
 */

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL once the number is read, else why it is not: "" if the text is no number, else the end of a
 * sentence about it, "has a leading zero ...". */
const char *vdnn_decimal_read_integer(const char *text, int64_t *number);
const char *vdnn_decimal_read_unsigned(const char *text, uint64_t *number);
const char *vdnn_decimal_read_real(const char *text, double *number);

/* Of texts that the library or the kernel wrote: the number that *at begins with, after blanks;
 * *at moves past it. 0, and *at stays, where there is none. */
double vdnn_decimal_next(const char **at);

/* Reads digits with at most one point; whatever follows is not read. */
long double vdnn_decimal_long(const char *text);

/* Whether a number, written as in JSON, is not 0 but nearer to 0 than a double can be. */
bool vdnn_decimal_vanishes(const char *number);

/* snprintf and vsnprintf. */
int vdnn_decimal_print(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int vdnn_decimal_vprint(char *buffer, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* The "C" locale for this thread, around calls of a library that reads or writes numbers; end takes
 * what begin returned. */
locale_t vdnn_decimal_begin(void);
void vdnn_decimal_end(locale_t before);

#endif
