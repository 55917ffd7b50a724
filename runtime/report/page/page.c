#include "runtime/report/page/page.h"

#include "runtime/base/json.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/numbers/rounded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

/* What names stand for: members of `value`, else of those around it. */
typedef struct scope {
    const json_t *value;
    const struct scope *around;
} scope;

enum { NAME_BYTES = 64 };

const json_t *vdnn_page_member(const json_t *value, const char *name)
{
    const char *dot = strchr(name, '.');
    char first[NAME_BYTES];
    if (dot == NULL)
        return json_object_get(value, name);
    (void)snprintf(first, sizeof first, "%.*s", (int)(dot - name), name);
    return vdnn_page_member(json_object_get(value, first), dot + 1);
}

static const json_t *find(const scope *in, const char *name)
{
    if (strcmp(name, ".") == 0)
        return in->value;
    for (; in != NULL; in = in->around) {
        const json_t *found = vdnn_page_member(in->value, name);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool is_there(const json_t *value)
{
    if (json_is_string(value))
        return json_string_length(value) > 0;
    return value != NULL && !json_is_null(value) && !json_is_false(value) &&
           !(json_is_array(value) && json_array_size(value) == 0);
}

/* ---- how a value is written ------------------------------------------------------------------ */

static void add_escaped(vdnn_text *text, const char *words)
{
    for (; *words != '\0'; words++) {
        if (strchr("<>&\"", *words) != NULL)
            vdnn_text_add(text, "&#%d;", *words);
        else
            vdnn_text_add(text, "%c", *words);
    }
}

static void add_plain(const json_t *value, vdnn_text *text)
{
    if (json_is_string(value))
        add_escaped(text, json_string_value(value));
    else if (json_is_integer(value))
        vdnn_text_add(text, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        vdnn_text_add(text, "%.17g", json_real_value(value));
    else if (json_is_boolean(value))
        vdnn_text_add(text, "%s", json_is_true(value) ? "yes" : "no");
}

const char *vdnn_page_seconds(double seconds, int digits, char *cell, size_t size)
{
    if (digits > 0)
        return vdnn_rounded_seconds(cell, size, seconds, digits);
    bool is_long = seconds >= 1.0;
    (void)vdnn_decimal_print(cell, size, "%.3f %s", is_long ? seconds : 1e3 * seconds,
                             is_long ? "s" : "ms");
    return cell;
}

static void add_bytes(const json_t *value, vdnn_text *text)
{
    char cell[NAME_BYTES];
    vdnn_text_add(text, "%s", vdnn_text_bytes(cell, sizeof cell, json_number_value(value)));
}

static void add_size(const json_t *value, vdnn_text *text)
{
    if (json_number_value(value) > 0)
        add_bytes(value, text);
}

/* Times and their ratios with the digits that are known. */
static bool add_known(const json_t *value, const char *form, int digits, vdnn_text *text)
{
    const double number = json_number_value(value);
    const bool are_seconds = strcmp(form, "seconds") == 0,
               are_percent = strcmp(form, "percent") == 0;
    char cell[NAME_BYTES];
    if (!are_seconds && (digits == 0 || (!are_percent && strcmp(form, "ratio") != 0)))
        return false;
    if (are_seconds)
        vdnn_text_put(text, vdnn_page_seconds(number, digits, cell, sizeof cell));
    else
        vdnn_text_put(text, vdnn_rounded_text(cell, sizeof cell,
                                              are_percent ? 100 * number : number, digits));
    vdnn_text_put(text, are_percent ? " %" : "");
    return true;
}

static void add_operations(const json_t *value, vdnn_text *text)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    double operations = json_number_value(value);
    size_t prefix = 0;
    for (; operations >= 999.95 && prefix + 1 < sizeof prefixes / sizeof *prefixes; prefix++)
        operations /= 1000;
    vdnn_text_add(text, prefix == 0 ? "%.0f %sFLOP" : "%.1f %sFLOP", operations, prefixes[prefix]);
}

static void add_digits(const json_t *value, vdnn_text *text)
{
    const double number = json_number_value(value);
    vdnn_text_add(text, "%.*f", number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3, number);
}

/* What is written with a fixed number of decimals. */
static const struct {
    const char *name;
    double factor;
    int decimals;
    const char *unit;
    bool has_sign;
} fixed[] = {{"ratio", 1, 3, "", false},
             {"tenths", 1, 1, "", false},
             {"tenth_seconds", 1, 1, " s", false},
             {"percent", 100, 1, " %", false},
             {"change", 100, 1, " %", true}};

/* JSON in a script element, which no "<" can end. */
static void add_script(const json_t *value, vdnn_text *text)
{
    char *dump = vdnn_json_dump(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    for (const char *at = dump; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "<");
        vdnn_text_add(text, "%.*s%s", (int)length, at, at[length] == '<' ? "\\u003c" : "");
        at += length + (at[length] == '<');
    }
    text->failed = text->failed || dump == NULL;
    free(dump);
}

static const struct {
    const char *name;
    void (*add)(const json_t *value, vdnn_text *text);
} forms[] = {{"bytes", add_bytes},
             {"size", add_size},
             {"operations", add_operations},
             {"digits", add_digits}};

void vdnn_page_add_value(const json_t *value, const char *form, int digits, vdnn_text *text)
{
    if (form == NULL || form[0] == '\0') {
        add_plain(value, text);
        return;
    }
    if (strcmp(form, "script") == 0) {
        add_script(value, text);
        return;
    }
    if (!json_is_number(value) || add_known(value, form, digits, text))
        return;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (strcmp(forms[f].name, form) == 0) {
            forms[f].add(value, text);
            return;
        }
    for (size_t f = 0; f < sizeof fixed / sizeof *fixed; f++)
        if (strcmp(fixed[f].name, form) == 0) {
            vdnn_text_add(text, fixed[f].has_sign ? "%+.*f%s" : "%.*f%s", fixed[f].decimals,
                          fixed[f].factor * json_number_value(value), fixed[f].unit);
            return;
        }
    vdnn_status_abort(__FILE__, __LINE__, form, 0, 1);
}

/* ---- tags ------------------------------------------------------------------------------------ */

typedef struct tag {
    char kind; /* one of #^/>; 0: a value */
    char name[NAME_BYTES], form[NAME_BYTES];
} tag;

/* The tag at `at`, which "{{" opens; returns where it ends. */
static const char *read_tag(const char *at, tag *found)
{
    const char *end = strstr(at, "}}");
    *found = (tag){0};
    if (end == NULL)
        vdnn_status_abort(__FILE__, __LINE__, "a tag of a page is closed", 0, 1);
    at += 2;
    if (strchr("#^/>", *at) != NULL)
        found->kind = *at++;
    const size_t length = strcspn(at, ":}");
    VDNN_INVARIANT(length, <, NAME_BYTES);
    memcpy(found->name, at, length);
    if (at[length] == ':')
        (void)snprintf(found->form, sizeof found->form, "%.*s",
                       (int)(end - at - (ptrdiff_t)length - 1), at + length + 1);
    return end + 2;
}

static const char *fill(const char *at, const scope *in, vdnn_text *text);

/* What is between the tags, as often as the value says; returns what follows the closing tag. */
static const char *fill_section(const char *at, const tag *opening, const scope *in,
                                vdnn_text *text)
{
    const json_t *value = find(in, opening->name);
    const bool is_shown = is_there(value) == (opening->kind == '#');
    const char *end = NULL;
    if (text != NULL && is_shown && opening->kind == '#' && json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++)
            end = fill(at, &(scope){json_array_get(value, i), in}, text);
        return end;
    }
    return fill(at, &(scope){opening->kind == '#' ? value : in->value, in}, is_shown ? text : NULL);
}

static void fill_file(const char *name, const scope *in, vdnn_text *text)
{
    const char *content = vdnn_page_file(name);
    if (content == NULL)
        vdnn_status_abort(__FILE__, __LINE__, name, 0, 1);
    if (strstr(name, ".html") != NULL)
        (void)fill(content, in, text);
    else
        vdnn_text_add(text, "%s", content);
}

/* Up to a closing tag, or to the end; returns what follows. `text` NULL: writes nothing. */
static const char *fill(const char *at, const scope *in, vdnn_text *text)
{
    for (;;) {
        const char *open = strstr(at, "{{");
        tag found;
        if (text != NULL)
            vdnn_text_add(text, "%.*s", (int)(open == NULL ? strlen(at) : (size_t)(open - at)), at);
        if (open == NULL)
            return at + strlen(at);
        at = read_tag(open, &found);
        if (found.kind == '/')
            return at;
        if (found.kind == '#' || found.kind == '^')
            at = fill_section(at, &found, in, text);
        else if (text != NULL && found.kind == '>')
            fill_file(found.name, in, text);
        else if (text != NULL)
            vdnn_page_add_value(find(in, found.name), found.form,
                                (int)json_integer_value(find(in, "digits")), text);
    }
}

void vdnn_page_fill(const char *page, const json_t *value, vdnn_text *text)
{
    (void)fill(page, &(scope){value, NULL}, text);
}

vdnn_status vdnn_page_write(const char *name, json_t *value, vdnn_text *text)
{
    if (value != NULL)
        fill_file(name, &(scope){value, NULL}, text);
    json_decref(value);
    return value == NULL || text->failed
               ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the page")
               : VDNN_OK;
}

json_t *vdnn_page_lines(vdnn_text *lines)
{
    json_t *array = json_array();
    for (const char *line = lines->data; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        (void)json_array_append_new(array, json_stringn(line, length));
        line += length + (line[length] == '\n');
    }
    vdnn_text_fini(lines);
    return array;
}

/* ---- Markdown -------------------------------------------------------------------------------- */

void vdnn_page_add_plain_markdown(vdnn_text *text, const char *words)
{
    for (; *words != '\0'; words++)
        vdnn_text_add(text, "%s%c", strchr("\\`*_[]<>#|~&!", *words) != NULL ? "\\" : "", *words);
}
