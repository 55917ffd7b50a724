#include "runtime/base/numbers/decimal.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the locale ------------------------------------------------------------------------------ */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Without memory for a locale, which the C library has at hand for this one, the thread keeps the
 * one that it has. */
locale_t vdnn_decimal_begin(void)
{
    (void)pthread_once(&once, make_locale);
    return uselocale(c_locale);
}

void vdnn_decimal_end(locale_t before)
{
    (void)uselocale(before);
}

/* ---- writing --------------------------------------------------------------------------------- */

int vdnn_decimal_vprint(char *buffer, size_t size, const char *format, va_list arguments)
{
    const locale_t before = vdnn_decimal_begin();
    const int length = vsnprintf(buffer, size, format, arguments);
    vdnn_decimal_end(before);
    return length;
}

int vdnn_decimal_print(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vdnn_decimal_vprint(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char digits[] = "0123456789";
static const char leading_zero[] = "has a leading zero, which some programs read as octal; write "
                                   "the number without it";

static const char *after_sign(const char *text)
{
    return text + (*text == '-' || *text == '+');
}

static bool has_leading_zero(const char *unsigned_text)
{
    return unsigned_text[0] == '0' && unsigned_text[1] >= '0' && unsigned_text[1] <= '9';
}

static const char too_large[] = "is too large";

/* The digits, of which there is at least one. False: it is above `most`. */
static bool read_digits(const char *text, uint64_t most, uint64_t *number)
{
    uint64_t sum = 0;
    for (; *text != '\0'; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (sum > most / 10 || digit > most - 10 * sum)
            return false;
        sum = 10 * sum + digit;
    }
    *number = sum;
    return true;
}

static const char *read_whole(const char *text, uint64_t most, uint64_t *number)
{
    const size_t count = strspn(text, digits);
    if (count == 0 || text[count] != '\0')
        return "";
    if (has_leading_zero(text))
        return leading_zero;
    return read_digits(text, most, number) ? NULL : too_large;
}

const char *vdnn_decimal_read_integer(const char *text, int64_t *number)
{
    uint64_t size;
    const bool is_negative = *text == '-';
    const uint64_t most = (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
    const char *why = read_whole(after_sign(text), most, &size);
    if (why == NULL)
        *number = is_negative ? (int64_t)(0 - size) : (int64_t)size;
    return why == too_large && is_negative ? "is too small" : why;
}

const char *vdnn_decimal_read_unsigned(const char *text, uint64_t *number)
{
    return read_whole(text, UINT64_MAX, number);
}

/* Whether all of the text is a number, with a point and an exponent perhaps. */
static bool is_real(const char *text)
{
    const size_t whole = strspn(text, digits);
    const bool has_point = text[whole] == '.';
    const size_t part = has_point ? strspn(text + whole + 1, digits) : 0;
    if (whole + part == 0)
        return false;
    text += whole + (has_point ? 1 : 0) + part;
    if (*text != 'e' && *text != 'E')
        return *text == '\0';
    text = after_sign(text + 1);
    const size_t exponent = strspn(text, digits);
    return exponent > 0 && text[exponent] == '\0';
}

static bool names_no_number(const char *text)
{
    return strcmp(text, "inf") == 0 || strcmp(text, "infinity") == 0 || strcmp(text, "nan") == 0;
}

static double convert(const char *text, char **end)
{
    const locale_t before = vdnn_decimal_begin();
    const double number = strtod(text, end);
    vdnn_decimal_end(before);
    return number;
}

/* Of its digits before an exponent, one is not 0. */
static bool is_not_zero(const char *text)
{
    text += strspn(text, "+-.0");
    return *text >= '1' && *text <= '9';
}

const char *vdnn_decimal_read_real(const char *text, double *number)
{
    if (!is_real(after_sign(text)))
        return names_no_number(after_sign(text)) ? "is not finite" : "";
    if (has_leading_zero(after_sign(text)))
        return leading_zero;
    const double value = convert(text, NULL);
    if (fabs(value) > (double)FLT_MAX)
        return "is larger than arithmetic of 32 bits can be, 3.4e38";
    if (fabs(value) < (double)FLT_MIN && is_not_zero(text))
        return "is nearer to 0 than arithmetic of 32 bits can be, 1.2e-38";
    *number = value + 0.0; /* no negative zero */
    return NULL;
}

double vdnn_decimal_next(const char **at)
{
    char *end;
    const double number = convert(*at, &end);
    *at = end;
    return number;
}

long double vdnn_decimal_long(const char *text)
{
    const locale_t before = vdnn_decimal_begin();
    const long double number = strtold(text, NULL);
    vdnn_decimal_end(before);
    return number;
}

bool vdnn_decimal_vanishes(const char *number)
{
    return is_not_zero(number) && fabs(convert(number, NULL)) < DBL_MIN;
}
