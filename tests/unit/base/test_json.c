#include "runtime/base/json.h"
#include "tests/support/vdnn_test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The text `head`, then `unit` so often, then `tail`. The caller frees it. */
static char *repeated(const char *head, const char *unit, size_t count, const char *tail)
{
    size_t length = strlen(unit);
    char *text = malloc(strlen(head) + length * count + strlen(tail) + 1);
    assert_non_null(text);
    char *at = stpcpy(text, head);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, unit);
    (void)stpcpy(at, tail);
    return text;
}

static void check(char *text, bool good, const char *part)
{
    json_t *root = NULL;
    vdnn_status status = vdnn_json_parse(text, strlen(text), "run.json", &root);
    assert_status(status, good ? VDNN_OK : VDNN_BAD_INPUT);
    if (good)
        assert_non_null(root);
    else
        assert_message(part);
    json_decref(root);
    free(text);
}

TEST(what_is_no_json_is_refused_with_its_line)
{
    check(repeated("{\n", "", 0, "\"a\": }"), false, "run.json:2: not JSON");
    check(repeated("", "", 0, ""), false, "run.json:1: not JSON");
    check(repeated("{\"a\": 1, \"a\": 2}", "", 0, ""), false, "duplicate");
    check(repeated("[1] [2]", "", 0, ""), false, "run.json:1: not JSON");
}

TEST(depth_keys_and_values_are_limited)
{
    check(repeated("", "[", 100000, ""), false, "depth");
    check(repeated("[", "0,", VDNN_JSON_MAX_VALUES - 1, "0]"), true, "");
    check(repeated("[", "0,", VDNN_JSON_MAX_VALUES, "0]"), false,
          "expected at most 1048576 and 4194304, the limits of vdnn");
    check(repeated("[", "{\"a\":0},", VDNN_JSON_MAX_KEYS + 1, "0]"), false, "1048577 keys");
}

TEST(what_is_in_strings_does_not_count)
{
    check(repeated("[\"", ",:[{", VDNN_JSON_MAX_VALUES, "\\\",:\", \"\\\\\"]"), true, "");
}
