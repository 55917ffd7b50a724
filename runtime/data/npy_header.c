#include "runtime/data/npy_header.h"

#include <string.h>

typedef struct reader {
    const char *text;
    size_t length, at;
    const char *path;
} reader;

static vdnn_status fail_at(const reader *in, const char *expected)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: the header is wrong at its byte %zu: expected %s",
                            in->path, in->at, expected);
}

/* The next character after white space, '\0' at the end. */
static char peek(reader *in)
{
    while (in->at < in->length && in->text[in->at] != '\0' &&
           strchr(" \t\r\n", in->text[in->at]) != NULL)
        in->at++;
    return in->at < in->length ? in->text[in->at] : '\0';
}

static bool accept(reader *in, char wanted)
{
    if (peek(in) != wanted)
        return false;
    in->at++;
    return true;
}

static bool accept_word(reader *in, const char *word)
{
    size_t length = strlen(word);
    (void)peek(in);
    if (in->length - in->at < length || memcmp(in->text + in->at, word, length) != 0)
        return false;
    in->at += length;
    return true;
}

static vdnn_status parse_string(reader *in, char *string, size_t size)
{
    char quote = peek(in);
    if (quote != '\'' && quote != '"')
        return fail_at(in, "a quoted string");
    size_t length = 0;
    for (in->at++; in->at < in->length && in->text[in->at] != quote; in->at++) {
        if (length + 1 == size || in->text[in->at] == '\\')
            return fail_at(in, "a short string without escapes");
        string[length++] = in->text[in->at];
    }
    string[length] = '\0';
    return accept(in, quote) ? VDNN_OK : fail_at(in, "the end of the string");
}

static vdnn_status parse_descr(reader *in, vdnn_npy_header *header)
{
    return parse_string(in, header->descr, sizeof header->descr);
}

static vdnn_status parse_order(reader *in, vdnn_npy_header *header)
{
    header->fortran_order = accept_word(in, "True");
    return header->fortran_order || accept_word(in, "False") ? VDNN_OK
                                                             : fail_at(in, "True or False");
}

static vdnn_status parse_dimension(reader *in, int64_t *dimension)
{
    int64_t value = 0;
    char digit = peek(in);
    if (digit < '0' || digit > '9')
        return fail_at(in, "a dimension");
    for (; in->at < in->length; in->at++) {
        digit = in->text[in->at];
        if (digit < '0' || digit > '9')
            break;
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit - '0', &value))
            return fail_at(in, "a dimension below 2^63");
    }
    *dimension = value;
    return VDNN_OK;
}

static vdnn_status parse_shape(reader *in, vdnn_npy_header *header)
{
    if (!accept(in, '('))
        return fail_at(in, "the shape as a tuple");
    header->dim_count = 0;
    while (!accept(in, ')')) {
        if (header->dim_count == VDNN_NPY_DIMS)
            return fail_at(in, "at most 8 dimensions");
        VDNN_TRY(parse_dimension(in, &header->dims[header->dim_count]));
        header->dim_count++;
        if (!accept(in, ',') && peek(in) != ')')
            return fail_at(in, "',' or ')'");
    }
    return VDNN_OK;
}

static const struct {
    const char *name;
    vdnn_status (*parse)(reader *in, vdnn_npy_header *header);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};

enum { KEY_COUNT = sizeof keys / sizeof *keys };

static vdnn_status parse_item(reader *in, vdnn_npy_header *header, bool seen[KEY_COUNT])
{
    char name[VDNN_NPY_DESCR];
    VDNN_TRY(parse_string(in, name, sizeof name));
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(name, keys[i].name) != 0)
            continue;
        if (seen[i])
            return fail_at(in, "each key once");
        seen[i] = true;
        return accept(in, ':') ? keys[i].parse(in, header) : fail_at(in, "':'");
    }
    return fail_at(in, "a key descr, fortran_order or shape");
}

vdnn_status vdnn_npy_header_parse(const char *text, size_t length, const char *path,
                                  vdnn_npy_header *header)
{
    reader in = {text, length, 0, path};
    bool seen[KEY_COUNT] = {false};
    vdnn_npy_header found = {0};
    if (!accept(&in, '{'))
        return fail_at(&in, "'{'");
    while (!accept(&in, '}')) {
        VDNN_TRY(parse_item(&in, &found, seen));
        if (!accept(&in, ',') && peek(&in) != '}')
            return fail_at(&in, "',' or '}'");
    }
    if (peek(&in) != '\0' || in.at != in.length)
        return fail_at(&in, "nothing after '}'");
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (!seen[i])
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: the header has no key %s", path,
                                    keys[i].name);
    *header = found;
    return VDNN_OK;
}
