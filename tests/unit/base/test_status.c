#include "tests/support/vdnn_test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

TEST(every_status_has_a_text_and_an_exit_code)
{
    static const struct {
        vdnn_status status;
        const char *name;
        int value, code;
    } rows[] = {
#define X(name, value, code, text) {VDNN_##name, "VDNN_" #name, value, code},
        VDNN_STATUS_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(strlen(vdnn_status_text(rows[i].status)) > 0);
        assert_string_equal(vdnn_status_name(rows[i].status), rows[i].name);
        assert_int_equal(vdnn_status_exit_code(rows[i].status), rows[i].code);
        assert_int_equal(rows[i].status, rows[i].value);
    }
    assert_string_equal(vdnn_status_name((vdnn_status)1), "unknown status");
    assert_string_equal(vdnn_status_text((vdnn_status)1), "unknown status");
    assert_int_equal(vdnn_status_exit_code(VDNN_OK), 0);
    assert_int_equal(vdnn_status_exit_code(VDNN_NO_FIT), 4);
    assert_int_equal(vdnn_status_exit_code(VDNN_REQUEUE), 75);
}

TEST(the_version_is_one_as_text_and_as_a_number)
{
    int major = 0, minor = 0, patch = 0;
    assert_int_equal(sscanf(VDNN_VERSION, "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(VDNN_VERSION_NUMBER, 10000 * major + 100 * minor + patch);
    assert_int_equal(vdnn_version_number(), VDNN_VERSION_NUMBER);
    assert_string_equal(vdnn_version(), VDNN_VERSION);
}

TEST(failing_records_the_facts_and_returns_the_status)
{
    assert_int_equal(vdnn_status_fail(VDNN_FILE, "%s: %d bytes", "lenet.yaml", 7), VDNN_FILE);
    assert_string_equal(vdnn_status_message(), "lenet.yaml: 7 bytes");
}

TEST(a_message_may_quote_the_message_before_it)
{
    (void)vdnn_status_fail(VDNN_FILE, "inner");
    (void)vdnn_status_fail(VDNN_BAD_INPUT, "outer (%s)", vdnn_status_message());
    assert_string_equal(vdnn_status_message(), "outer (inner)");
}

TEST(a_prefix_goes_before_the_message_and_keeps_the_status)
{
    (void)vdnn_status_fail(VDNN_FILE, "no such file");
    assert_int_equal(vdnn_status_prefix(VDNN_FILE, "--profile %s", "p.json"), VDNN_FILE);
    assert_string_equal(vdnn_status_message(), "--profile p.json: no such file");
}

TEST(messages_that_are_too_long_are_cut_at_2047_bytes)
{
    static char text[5000];
    memset(text, 'a', sizeof text - 1);
    (void)vdnn_status_fail(VDNN_FILE, "%s", text);
    assert_int_equal(strlen(vdnn_status_message()), 2047);
    for (int i = 0; i < 3; i++)
        (void)vdnn_status_prefix(VDNN_FILE, "%s", text);
    assert_int_equal(strlen(vdnn_status_message()), 2047);
}

/* A name in a hostile file must not break a line or move the cursor of a terminal. */
TEST(control_characters_never_reach_a_message)
{
    (void)vdnn_status_fail(VDNN_FILE, "a%sb", "\n\r\t\x1b[2J\x7f\xc2\x9b");
    assert_string_equal(vdnn_status_message(), "a????[2J???b");
    (void)vdnn_status_prefix(VDNN_FILE, "%s", "x\ny");
    assert_string_equal(vdnn_status_message(), "x?y: a????[2J???b");
    assert_status(vdnn_status_fail(VDNN_FILE, "two\n  lines, no\n third\n"), VDNN_FILE);
    assert_string_equal(vdnn_status_message(), "two\n  lines, no? third?");
    (void)vdnn_status_fail(VDNN_FILE, "%s", "caf\xc3\xa9 \xc2\xa0");
    assert_string_equal(vdnn_status_message(), "caf\xc3\xa9 \xc2\xa0");
}

static void *fail_elsewhere(void *unused)
{
    (void)vdnn_status_fail(VDNN_DEVICE, "in another thread");
    return unused;
}

TEST(each_thread_has_its_own_message)
{
    (void)vdnn_status_fail(VDNN_FILE, "mine");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(vdnn_status_message(), "mine");
}
