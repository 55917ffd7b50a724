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

static void what_is_no_json_is_refused_with_its_line(void **state)
{
    (void)state;
    check(repeated("{\n", "", 0, "\"a\": }"), false, "run.json:2: not JSON");
    check(repeated("", "", 0, ""), false, "run.json:1: not JSON");
    check(repeated("{\"a\": 1, \"a\": 2}", "", 0, ""), false, "duplicate");
    check(repeated("[1] [2]", "", 0, ""), false, "run.json:1: not JSON");
}

static void depth_keys_and_values_are_limited(void **state)
{
    (void)state;
    check(repeated("", "[", 100000, ""), false, "depth");
    check(repeated("[", "0,", VDNN_JSON_MAX_VALUES - 1, "0]"), true, "");
    check(repeated("[", "0,", VDNN_JSON_MAX_VALUES, "0]"), false,
          "expected at most 1048576 and 4194304, the limits of vdnn");
    check(repeated("[", "{\"a\":0},", VDNN_JSON_MAX_KEYS + 1, "0]"), false, "1048577 keys");
}

static void what_is_in_strings_does_not_count(void **state)
{
    (void)state;
    check(repeated("[\"", ",:[{", VDNN_JSON_MAX_VALUES, "\\\",:\", \"\\\\\"]"), true, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
        cmocka_unit_test(depth_keys_and_values_are_limited),
        cmocka_unit_test(what_is_in_strings_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
