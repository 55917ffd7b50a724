#include "runtime/base/json.h"

#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/base/numbers/decimal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What vdnn_json_dump writes is shorter by far. */
enum { NUMBER_BYTES = 512 };

/* Colons and commas outside of strings: one for each key, and for each value but the first of a
 * list. */
typedef struct tally {
    size_t keys, values;
    size_t vanished; /* where the first number is that would become 0; the length: there is none */
} tally;

static size_t number_length(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && text[i] != '\0' && strchr("0123456789+-.eE", text[i]) != NULL)
        i++;
    return i;
}

/* jansson takes a number that underflows for 0, and says nothing; what is longer than any that
 * makes sense is not told apart. */
static bool vanishes(const char *text, size_t length)
{
    char number[NUMBER_BYTES];
    if (length >= sizeof number)
        return true;
    (void)snprintf(number, sizeof number, "%.*s", (int)length, text);
    return vdnn_decimal_vanishes(number);
}

/* Only an exponent or hundreds of zeros make a number so small. */
static bool may_vanish(const char *text, size_t length)
{
    enum { LEAST_ZEROS = 300 };
    return length > LEAST_ZEROS || memchr(text, 'e', length) != NULL ||
           memchr(text, 'E', length) != NULL;
}

static tally count_parts(const char *text, size_t length)
{
    tally found = {0, 0, length};
    for (size_t i = 0; i < length; i++) {
        const size_t number = number_length(text + i, length - i);
        if (number > 0) {
            if (found.vanished == length && may_vanish(text + i, number) &&
                vanishes(text + i, number))
                found.vanished = i;
            i += number - 1;
        } else if (text[i] == '"')
            for (i++; i < length && text[i] != '"'; i++)
                i += text[i] == '\\';
        else if (text[i] == ':')
            found.keys++;
        else if (text[i] == ',' || text[i] == '[' || text[i] == '{')
            found.values++;
    }
    return found;
}

static vdnn_status refuse_number(const char *path, const char *text, const tally *found,
                                 size_t length)
{
    enum { SHOWN = 24 };
    const char *number = text + found->vanished;
    const size_t bytes = number_length(number, length - found->vanished);
    int line = 1;
    for (size_t i = 0; i < found->vanished; i++)
        line += text[i] == '\n';
    return vdnn_status_fail(
        VDNN_BAD_INPUT, "%s:%d: the number %.*s%s is nearer to 0 than a double can be", path, line,
        (int)(bytes < SHOWN ? bytes : SHOWN), number, bytes > SHOWN ? "..." : "");
}

vdnn_status vdnn_json_parse(const char *text, size_t length, const char *path, json_t **root)
{
    json_error_t error;
    tally found = count_parts(text, length);
    if (found.keys > VDNN_JSON_MAX_KEYS || found.values > VDNN_JSON_MAX_VALUES)
        return vdnn_status_fail(
            VDNN_BAD_INPUT,
            "%s:1: JSON of %zu keys and %zu values, expected at most %d and %d, "
            "the limits of vdnn",
            path, found.keys, found.values, VDNN_JSON_MAX_KEYS, VDNN_JSON_MAX_VALUES);
    if (found.vanished < length)
        return refuse_number(path, text, &found, length);
    const locale_t before = vdnn_decimal_begin();
    json_t *parsed = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    vdnn_decimal_end(before);
    if (parsed == NULL)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: not JSON: %s (byte %d)", path, error.line,
                                error.text, error.position);
    *root = parsed;
    return VDNN_OK;
}

vdnn_status vdnn_json_read(const char *path, size_t most_bytes, json_t **root)
{
    char *text;
    size_t length;
    VDNN_TRY(vdnn_input_read(path, most_bytes, &text, &length));
    vdnn_status status = vdnn_json_parse(text, length, path, root);
    vdnn_heap_free(text);
    return status;
}

char *vdnn_json_dump(const json_t *value, size_t flags)
{
    const locale_t before = vdnn_decimal_begin();
    char *text = json_dumps(value, flags);
    vdnn_decimal_end(before);
    return text;
}
