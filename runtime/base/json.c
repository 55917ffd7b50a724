#include "runtime/base/json.h"

/* Colons and commas outside of strings: one for each key, and for each value but the first of a
 * list. */
typedef struct tally {
    size_t keys, values;
} tally;

static tally count_parts(const char *text, size_t length)
{
    tally found = {0, 0};
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            for (i++; i < length && text[i] != '"'; i++)
                i += text[i] == '\\';
        else if (text[i] == ':')
            found.keys++;
        else if (text[i] == ',' || text[i] == '[' || text[i] == '{')
            found.values++;
    }
    return found;
}

vdnn_status vdnn_json_parse(const char *text, size_t length, const char *path, json_t **root)
{
    json_error_t error;
    tally found = count_parts(text, length);
    if (found.keys > VDNN_JSON_MAX_KEYS || found.values > VDNN_JSON_MAX_VALUES)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s:1: JSON of %zu keys and %zu values, expected at most %d and %d",
            path, found.keys, found.values, VDNN_JSON_MAX_KEYS, VDNN_JSON_MAX_VALUES);
    json_t *parsed = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (parsed == NULL)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: not JSON: %s (byte %d)", path, error.line,
                                error.text, error.position);
    *root = parsed;
    return VDNN_OK;
}
