#include "runtime/base/text.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes ----------------------------------------------------------------------------------- */

static const struct {
    const char *suffix;
    double factor;
} units[] = {
    {"", 1},         {"B", 1},        {"K", 0x1p10},   {"M", 0x1p20},   {"G", 0x1p30},
    {"T", 0x1p40},   {"k", 0x1p10},   {"m", 0x1p20},   {"g", 0x1p30},   {"t", 0x1p40},
    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"kB", 1e3},
    {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},
};

/* Digits with at most one point among or around them: no sign, exponent, hexadecimal or infinity.
 */
static size_t number_length(const char *text)
{
    size_t whole = strspn(text, "0123456789");
    size_t part = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    if (whole + part == 0)
        return 0;
    return whole + (text[whole] == '.') + part;
}

static bool is_share(const char *suffix)
{
    return strcmp(suffix, "%") == 0;
}

static bool find_factor(const char *suffix, size_t whole_bytes, long double *factor)
{
    if (is_share(suffix)) {
        *factor = (long double)whole_bytes / 100;
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(suffix, units[i].suffix) == 0) {
            *factor = (long double)units[i].factor;
            return true;
        }
    return false;
}

vdnn_status vdnn_text_parse_size(const char *text, size_t whole_bytes, size_t *bytes)
{
    if (text[0] == '-' && number_length(text + 1) > 0)
        return vdnn_status_fail(VDNN_USAGE, "size \"%s\" is negative", text);
    size_t length = number_length(text);
    if (length == 0)
        return vdnn_status_fail(
            VDNN_USAGE, "\"%s\" is not a size: expected one like 512M, 12GiB or 80%%", text);
    if (text[0] == '0' && text[1] >= '0' && text[1] <= '9')
        return vdnn_status_fail(VDNN_USAGE, "size \"%s\" has a leading zero", text);
    const char *suffix = text + length + strspn(text + length, " ");
    long double factor;
    if (!find_factor(suffix, whole_bytes, &factor))
        return vdnn_status_fail(
            VDNN_USAGE,
            "unknown unit \"%s\" in size \"%s\": expected B, K, M, G, T, KiB, MiB, GiB, TiB, "
            "kB, MB, GB, TB or %%",
            suffix, text);

    /* A long double holds every size_t exactly. Sizes are written as integers with a sign, too. */
    const long double number = vdnn_decimal_long(text), value = number * factor;
    if (is_share(suffix) && number > 100)
        return vdnn_status_fail(VDNN_USAGE,
                                "size \"%s\" is more than there is: expected up to 100%%", text);
    if (value >= 0x1p63L)
        return vdnn_status_fail(VDNN_USAGE, "size \"%s\" is larger than an address can be", text);
    if (value < 1)
        return vdnn_status_fail(VDNN_USAGE, "size \"%s\" is zero bytes", text);
    *bytes = (size_t)value;
    return VDNN_OK;
}

const char *vdnn_text_bytes(char *buffer, size_t size, double bytes)
{
    static const char *const prefixes[] = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    size_t prefix = 0;
    double value = bytes / 1024;
    if (bytes < 1024 && bytes > -1024) {
        (void)vdnn_decimal_print(buffer, size, "%.0f B", bytes);
        return buffer;
    }
    /* A value that rounds to 1024.00 is written with the next prefix. */
    while ((value >= 1023.995 || value <= -1023.995) &&
           prefix + 1 < sizeof prefixes / sizeof *prefixes) {
        value /= 1024;
        prefix++;
    }
    (void)vdnn_decimal_print(buffer, size, "%.2f %sB", value, prefixes[prefix]);
    return buffer;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static vdnn_status refuse_number(const char *text, const char *why, const char *kind)
{
    return why[0] == '\0' ? vdnn_status_fail(VDNN_USAGE, "'%s' is not a %s", text, kind)
                          : vdnn_status_fail(VDNN_USAGE, "'%s' %s", text, why);
}

vdnn_status vdnn_text_parse_integer(const char *text, int64_t *number)
{
    const char *why = vdnn_decimal_read_integer(text, number);
    return why == NULL ? VDNN_OK : refuse_number(text, why, "whole number");
}

vdnn_status vdnn_text_parse_real(const char *text, double *number)
{
    const char *why = vdnn_decimal_read_real(text, number);
    return why == NULL ? VDNN_OK : refuse_number(text, why, "number");
}

/* ---- nearest names --------------------------------------------------------------------------- */

/* A list of names in a hostile file may be long. */
enum { NAME_MAX_LENGTH = 127, MOST_COMPARED = 5000 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, changes and swaps of neighbours, each 1. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][NAME_MAX_LENGTH + 1];
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > NAME_MAX_LENGTH || b_length > NAME_MAX_LENGTH)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(change, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

const char *vdnn_text_nearest(const char *name, const char *const *names, size_t count)
{
    size_t length = strlen(name);
    size_t best = length / 3 > 2 ? length / 3 : 2;
    /* If every letter would change, no name is near. */
    best = length == 0 ? 0 : smaller(best, length - 1);
    const char *nearest = NULL;
    size_t compared = 0;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]), apart = other > length ? other - length : length - other;
        if (apart > best || compared == MOST_COMPARED)
            continue;
        compared++;
        size_t distance = edit_distance(name, names[i]);
        if (distance < best || (distance == best && nearest == NULL)) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

const char *vdnn_text_hint(char *buffer, size_t size, const char *name, const char *const *names,
                           size_t count)
{
    const char *nearest = vdnn_text_nearest(name, names, count);
    if (nearest == NULL)
        (void)snprintf(buffer, size, "%s", "");
    else
        (void)snprintf(buffer, size, " (did you mean %s?)", nearest);
    return buffer;
}

/* ---- hostile names --------------------------------------------------------------------------- */

size_t vdnn_text_control(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] == '\0')
        return 0;
    if (c[0] < ' ' || c[0] == 127)
        return 1;
    return c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
}

bool vdnn_text_has_control(const char *text)
{
    while (*text != '\0' && vdnn_text_control(text) == 0)
        text++;
    return *text != '\0';
}

void vdnn_text_mask_message(char *text)
{
    for (char *c = text; *c != '\0'; c++)
        if (c[0] != '\n' || c[1] != ' ' || c[2] != ' ')
            memset(c, '?', vdnn_text_control(c));
}

void vdnn_text_add_name(vdnn_text *text, const char *name)
{
    if (name[0] != '\0' && strpbrk(name, " \"\\[]") == NULL) {
        vdnn_text_add(text, "%s", name);
        return;
    }
    vdnn_text_add(text, "\"");
    for (; *name != '\0'; name++)
        vdnn_text_add(text, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
    vdnn_text_add(text, "\"");
}

size_t vdnn_text_line(int columns)
{
    enum { PRESET_COLUMNS = 100 };
    return columns > 0 ? (size_t)columns : PRESET_COLUMNS;
}

void vdnn_text_add_folded(vdnn_text *text, const char *lines, size_t columns)
{
    enum { INDENT = 2 };
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n"), left = columns;
        while (length > left) {
            size_t cut = left;
            while (cut > 0 && lines[cut] != ' ')
                cut--;
            if (cut == 0)
                cut = strcspn(lines, " \n");
            if (cut >= length)
                break;
            vdnn_text_add(text, "%.*s\n%*s", (int)cut, lines, INDENT, "");
            lines += cut + 1;
            length -= cut + 1;
            left = columns - INDENT;
        }
        vdnn_text_add(text, "%.*s\n", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

void vdnn_text_move_folded(vdnn_text *text, vdnn_text *lines, size_t columns)
{
    if (!lines->failed && lines->length > 0)
        vdnn_text_add_folded(text, lines->data, columns);
    text->failed = text->failed || lines->failed;
    vdnn_text_fini(lines);
}

static size_t width_below(const vdnn_text_column *columns, size_t count, int rank)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        if (columns[i].width > 0 && columns[i].rank < rank)
            width += 1 + (size_t)columns[i].width;
    return width;
}

void vdnn_text_fit_columns(const vdnn_text_column *columns, size_t count, size_t taken, size_t most,
                           bool *shown)
{
    int below = 1;
    for (size_t i = 0; i < count; i++)
        below = columns[i].rank >= below ? columns[i].rank + 1 : below;
    while (below > 1 && taken + width_below(columns, count, below) > most)
        below--;
    for (size_t i = 0; i < count; i++)
        shown[i] = columns[i].width > 0 && columns[i].rank < below;
}

/* ---- growing strings ------------------------------------------------------------------------- */

static bool grow(vdnn_text *text, size_t bytes)
{
    if (bytes <= text->capacity)
        return true;
    size_t capacity = text->capacity < 128 ? 128 : text->capacity;
    while (capacity < bytes)
        capacity *= 2;
    char *data = vdnn_heap_realloc(text->data, capacity, 1);
    if (data == NULL)
        return false;
    text->data = data;
    text->capacity = capacity;
    return true;
}

static void fail(vdnn_text *text)
{
    vdnn_text_fini(text);
    text->failed = 1;
}

void vdnn_text_add(vdnn_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t left = text->capacity - text->length; /* 0 only of a text without any data */
    const int length =
        vdnn_decimal_vprint(left > 0 ? text->data + text->length : NULL, left, format, arguments);
    bool good = length >= 0;
    if (good && (size_t)length >= left) {
        good = grow(text, text->length + (size_t)length + 1);
        if (good)
            (void)vdnn_decimal_vprint(text->data + text->length, text->capacity - text->length,
                                      format, again);
    }
    if (good)
        text->length += (size_t)length;
    else
        fail(text);
    va_end(again);
    va_end(arguments);
}

const char *vdnn_text_next_item(const char *list, char *item, size_t size)
{
    const size_t length = strcspn(list, ",");
    (void)snprintf(item, size, "%.*s", (int)(length < size ? length : size), list);
    return list[length] == '\0' ? NULL : list + length + 1;
}

vdnn_status vdnn_text_status(const vdnn_text *text, const char *what)
{
    return text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %s", what) : VDNN_OK;
}

void vdnn_text_put_longer(vdnn_text *text, const char *bytes, size_t count)
{
    if (text->failed)
        return;
    if (grow(text, text->length + count + 1))
        vdnn_text_put_bytes(text, bytes, count);
    else
        fail(text);
}

void vdnn_text_put_digits(vdnn_text *text, uint64_t number, int least)
{
    enum { MOST = 20 };
    char digits[MOST];
    int first = MOST;
    const int from = least < MOST ? MOST - least : 0;
    for (; number > 0; number /= 10)
        digits[--first] = (char)('0' + number % 10);
    while (first > from)
        digits[--first] = '0';
    vdnn_text_put_bytes(text, digits + first, (size_t)(MOST - first));
}

void vdnn_text_put_number(vdnn_text *text, int64_t number)
{
    if (number < 0)
        vdnn_text_put_bytes(text, "-", 1);
    vdnn_text_put_digits(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 1);
}

void vdnn_text_fini(vdnn_text *text)
{
    vdnn_heap_free(text->data);
    *text = (vdnn_text){0};
}
