#ifndef VDNN_RUNTIME_BASE_NUMBERS_ROUNDED_H
#define VDNN_RUNTIME_BASE_NUMBERS_ROUNDED_H

/* Numbers for people with as many digits as are known, and times in the units that people use.
 *
 * Invariant: what is printed is the number rounded to that many significant digits.
 * Threads: any.
 *
 *     const int digits = vdnn_rounded_digits(0.03);                         // 2
 *     vdnn_rounded_text(cell, sizeof cell, 1185.3, digits);                 // "1200"
 *     vdnn_rounded_seconds(cell, sizeof cell, 0.066432, digits);            // "66 ms"
 *     vdnn_rounded_seconds(cell, sizeof cell, 7380, digits);                // "2 h 03 min"
 */

#include <stddef.h>

/* Digits of an estimate, and of a number whose error is not known. */
enum { VDNN_ROUNDED_ESTIMATE = 2, VDNN_ROUNDED_EXACT = 4 };

/* Of a number whose relative error is about that much: from 2 to VDNN_ROUNDED_EXACT. */
int vdnn_rounded_digits(double error);

double vdnn_rounded(double value, int digits);

/* Measured images/s: four digits, or whole. Returns `cell`. */
const char *vdnn_rounded_rate(char *cell, size_t size, double images_per_second);

/* Return `cell`. 0 seconds are "0 s". From a minute on, whole seconds or minutes are exact enough.
 */
const char *vdnn_rounded_text(char *cell, size_t size, double value, int digits);
const char *vdnn_rounded_seconds(char *cell, size_t size, double seconds, int digits);

/* What is left of something: whole seconds. Returns `cell`. */
const char *vdnn_rounded_left(char *cell, size_t size, double seconds);

#endif
