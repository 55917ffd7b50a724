#include "tests/support/vdnn_test.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <string.h>

TEST(sizes_are_read_with_their_units)
{
    static const struct {
        const char *text;
        size_t bytes;
    } cases[] = {
        {"1", 1},
        {"4096", 4096},
        {"640B", 640},
        {"3K", 3072},
        {"512M", (size_t)512 << 20},
        {"512m", (size_t)512 << 20},
        {"12GiB", (size_t)12 << 30},
        {"12 GiB", (size_t)12 << 30},
        {"1T", (size_t)1 << 40},
        {"2TiB", (size_t)2 << 40},
        {"1.5G", (size_t)3 << 29},
        {".5K", 512},
        {"7.", 7},
        {"2kB", 2000},
        {"3MB", 3000000},
        {"16GB", 16000000000},
        {"1TB", 1000000000000},
        {"80%", 800},
        {"12.5%", 125},
        {"100%", 1000},
        {"9007199254740993", 9007199254740993},
        {"9223372036854775807", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t bytes = 0;
        assert_ok(vdnn_text_parse_size(cases[i].text, 1000, &bytes));
        assert_int_equal(bytes, cases[i].bytes);
    }
}

TEST(what_is_no_size_is_refused_with_the_reason)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "not a size"},
        {"M", "not a size"},
        {".", "not a size"},
        {"many", "not a size"},
        {"inf", "not a size"},
        {"nan", "not a size"},
        {"+5", "not a size"},
        {" 5", "not a size"},
        {"-5", "negative"},
        {"-0.5G", "negative"},
        {"0", "zero"},
        {"0.4", "zero"},
        {"0018", "leading zero"},
        {"010M", "leading zero"},
        {"0%", "zero"},
        {"0.000M", "zero"},
        {"5X", "unknown unit \"X\""},
        {"5 M B", "unknown unit"},
        {"5MiBs", "unknown unit"},
        {"1e3", "unknown unit"},
        {"0x10", "unknown unit"},
        {"1.2.3", "unknown unit"},
        {"5%%", "unknown unit"},
        {"9223372036854775808", "larger"},
        {"18446744073709551615", "larger"},
        {"18446744073709551616", "larger"},
        {"99999999T", "larger"},
        {"100.1%", "up to 100%"},
        {"200%", "up to 100%"},
        {"99999999999999999999999%", "up to 100%"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t bytes = 77;
        assert_status(vdnn_text_parse_size(cases[i].text, 1000, &bytes), VDNN_USAGE);
        assert_message(cases[i].reason);
        assert_message(cases[i].text);
        assert_int_equal(bytes, 77);
    }
}

TEST(a_share_of_everything_is_exact)
{
    size_t bytes = 0;
    assert_ok(vdnn_text_parse_size("100%", INT64_MAX - 1, &bytes));
    assert_int_equal(bytes, INT64_MAX - 1);
}

static const char *const names[] = {"policy", "profile", "print-plan", "batch", "all", "m"};
enum { NAME_COUNT = sizeof names / sizeof *names };

TEST(the_nearest_name_is_found_through_a_typing_error)
{
    static const char *const cases[][2] = {
        {"polcy", "policy"},
        {"pollicy", "policy"},
        {"opticy", "policy"},
        {"proflie", "profile"},
        {"policy", "policy"},
        {"printplan", "print-plan"},
        {"btach", "batch"},
        {"al", "all"},
        {"print_pln", "print-plan"},
        {"BATch", NULL},
        {"verbose", NULL},
        {"", NULL},
        {"x", NULL},
        {"device-mem", NULL},
        {"xyz", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = vdnn_text_nearest(cases[i][0], names, NAME_COUNT);
        if (cases[i][1] == NULL)
            assert_null(nearest);
        else
            assert_string_equal(nearest, cases[i][1]);
    }
    assert_null(vdnn_text_nearest("policy", NULL, 0));
}

TEST(the_first_of_equally_near_names_wins)
{
    static const char *const twins[] = {"conv1", "conv2"};
    assert_string_equal(vdnn_text_nearest("conv3", twins, 2), "conv1");
}

TEST(names_of_any_length_are_compared)
{
    char long_name[400];
    memset(long_name, 'p', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    assert_null(vdnn_text_nearest(long_name, names, NAME_COUNT));
    const char *const only[] = {long_name};
    assert_null(vdnn_text_nearest("policy", only, 1));
}

TEST(a_hint_names_the_nearest_or_is_empty)
{
    char buffer[64];
    assert_string_equal(vdnn_text_hint(buffer, sizeof buffer, "btch", names, NAME_COUNT),
                        " (did you mean batch?)");
    assert_string_equal(vdnn_text_hint(buffer, sizeof buffer, "verbose", names, NAME_COUNT), "");
}

TEST(bytes_are_written_for_people)
{
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {640, "640 B"},
        {1023, "1023 B"},
        {1024, "1.00 KiB"},
        {1536 * 1048576.0, "1.50 GiB"},
        {1048575, "1.00 MiB"}, /* not 1024.00 KiB */
        {1000 * 1024.0, "1000.00 KiB"},
        {12.0 * 1024 * 1048576, "12.00 GiB"},
        {0x1p60, "1.00 EiB"},
        {0x1p74, "16384.00 EiB"},
        {-2048, "-2.00 KiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[32];
        assert_string_equal(vdnn_text_bytes(buffer, sizeof buffer, cases[i].bytes), cases[i].text);
    }
}

TEST(a_text_grows_with_what_is_added)
{
    size_t live = vdnn_heap_live_count();
    vdnn_text text = {0};
    for (int i = 0; i < 1000; i++)
        vdnn_text_add(&text, "%03d,", i);
    assert_int_equal(text.length, 4000);
    assert_int_equal(strlen(text.data), 4000);
    assert_memory_equal(text.data + 4 * 567, "567,", 4);
    vdnn_text_add(&text, "%s", "");
    assert_int_equal(text.length, 4000);
    vdnn_text_fini(&text);
    assert_null(text.data);
    assert_int_equal(vdnn_heap_live_count(), live);
}

TEST(an_empty_addition_makes_an_empty_string)
{
    vdnn_text text = {0};
    vdnn_text_add(&text, "%s", "");
    assert_string_equal(text.data, "");
    vdnn_text_fini(&text);
}

TEST(a_text_that_could_not_grow_stays_empty_and_failed)
{
    size_t live = vdnn_heap_live_count();
    vdnn_text text = {0};
    vdnn_text_add(&text, "kept until memory ends");
    vdnn_heap_fail_after(1);
    vdnn_text_add(&text, "%500d", 1);
    assert_true(text.failed);
    assert_null(text.data);
    assert_int_equal(text.length, 0);
    vdnn_text_add(&text, "too late");
    assert_null(text.data);
    assert_int_equal(vdnn_heap_live_count(), live);
    vdnn_text_fini(&text);
    assert_false(text.failed);
}

/* Whatever room there was, and the longest that a number can be. */
TEST(what_is_put_is_what_is_added)
{
    const int64_t numbers[] = {0, -1, 9, 10, 1000000007, INT64_MAX, INT64_MIN};
    vdnn_text put = {0}, added = {0};
    for (size_t i = 0; i < 50 * sizeof numbers / sizeof *numbers; i++) {
        const int64_t number = numbers[i % (sizeof numbers / sizeof *numbers)];
        const int least = (int)(i % 22);
        vdnn_text_put(&put, "number ");
        vdnn_text_put_number(&put, number);
        vdnn_text_put_bytes(&put, ", digits", 2);
        vdnn_text_put_digits(&put, (uint64_t)number, least);
        vdnn_text_put(&put, "");
        vdnn_text_add(&added, "number %lld, %0*llu", (long long)number, least < 20 ? least : 20,
                      (unsigned long long)number);
        if (number == 0 && least == 0)
            added.data[--added.length] = '\0';
        assert_string_equal(put.data, added.data);
        assert_int_equal(put.length, added.length);
    }
    vdnn_text_fini(&added);
    vdnn_heap_fail_after(1);
    for (size_t capacity = put.capacity; !put.failed && put.length <= capacity;)
        vdnn_text_put(&put, "until there is no room");
    assert_true(put.failed);
    assert_null(put.data);
    vdnn_text_put_number(&put, 1);
    assert_null(put.data);
    vdnn_text_fini(&put);
}

TEST(control_characters_are_those_of_ascii_and_of_utf_8)
{
    static const struct {
        const char *text;
        size_t bytes;
    } cases[] = {{"", 0},     {"a", 0},        {" ", 0},        {"\n", 1},       {"\x1b[2J", 1},
                 {"\x7f", 1}, {"\xc2\x9b", 2}, {"\xc2\xa0", 0}, {"\xc3\x9b", 0}, {"\xc2", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(vdnn_text_control(cases[i].text), cases[i].bytes);
        assert_int_equal(vdnn_text_has_control(cases[i].text), cases[i].bytes > 0);
    }
    assert_true(vdnn_text_has_control("caf\xc3\xa9\xc2\x85"));
    assert_false(vdnn_text_has_control("caf\xc3\xa9 \xe2\x82\xac"));
}

TEST(a_name_is_one_word_whatever_is_in_it)
{
    static const char *const cases[][2] = {
        {"conv1", "conv1"}, {"caf\xc3\xa9:nchw", "caf\xc3\xa9:nchw"},
        {"", "\"\""},       {"a net", "\"a net\""},
        {"a]", "\"a]\""},   {"say \"\\\"", "\"say \\\"\\\\\\\"\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_text text = {0};
        vdnn_text_add_name(&text, cases[i][0]);
        assert_string_equal(text.data, cases[i][1]);
        vdnn_text_fini(&text);
    }
}

/* Whatever the width: every word is there in its order, no line is too wide unless it is one word,
 * and no word would have fitted on the line before it. */
TEST(lines_are_folded_at_blanks)
{
    static const char lines[] = "one twenty-three four a\n\nanunbrokenwordofmany letters\nend";
    for (size_t columns = 3; columns < 40; columns++) {
        vdnn_text text = {0};
        char joined[sizeof lines + 64] = "";
        vdnn_text_add_folded(&text, lines, columns);
        size_t before = 0;
        for (const char *line = text.data; *line != '\0';) {
            const size_t length = strcspn(line, "\n"), indent = strspn(line, " ");
            const char *words = line + indent;
            assert_true(length <= columns || strcspn(words, " \n") == length - indent);
            if (indent > 0)
                assert_true(before + 1 + strcspn(words, " \n") > columns);
            if (joined[0] != '\0')
                (void)strncat(joined, indent > 0 ? " " : "\n", 1);
            (void)strncat(joined, words, length - indent);
            before = length;
            line += length + 1;
        }
        assert_string_equal(joined, lines);
        vdnn_text_fini(&text);
    }
}
