#include "tests/support/vdnn_test.h"

#include "runtime/base/numbers/rounded.h"

#include <math.h>

TEST(a_number_has_the_digits_that_are_known)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {{1185.3, 2, "1200"},  {1185.3, 3, "1190"},   {1185.3, 4, "1185"},
                 {0.991, 2, "0.99"},   {0.996, 2, "1.0"},     {9.96, 2, "10"},
                 {99.6, 2, "100"},     {0.0123, 2, "0.012"},  {0, 2, "0"},
                 {111.405, 2, "110"},  {111.405, 4, "111.4"}, {5, 2, "5.0"},
                 {15033, 3, "15000"},  {-0.25, 2, "-0.25"},   {1.0, 4, "1.000"},
                 {INFINITY, 2, "inf"}, {63.5, 2, "64"},       {1e6, 2, "1000000"}};
    char cell[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(vdnn_rounded_text(cell, sizeof cell, cases[i].value, cases[i].digits),
                            cases[i].text);
}

TEST(a_time_has_the_unit_that_people_use)
{
    static const struct {
        double seconds;
        int digits;
        const char *text;
    } cases[] = {{0.0664, 2, "66 ms"},    {0.00012, 2, "120 us"},
                 {0.9996, 2, "1.0 s"},    {1.24, 2, "1.2 s"},
                 {22.203, 3, "22.2 s"},   {59.7, 2, "1 min 00 s"},
                 {61.4, 2, "1 min 01 s"}, {3599.6, 2, "1 h 00 min"},
                 {7380, 2, "2 h 03 min"}, {90000, 2, "25 h 00 min"},
                 {0, 2, "0 s"},           {0.0015, 2, "1.5 ms"},
                 {0.111405, 2, "110 ms"}, {200, 2, "3 min 20 s"}};
    char cell[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(
            vdnn_rounded_seconds(cell, sizeof cell, cases[i].seconds, cases[i].digits),
            cases[i].text);
}

TEST(a_rate_keeps_its_digits)
{
    static const struct {
        double rate;
        const char *text;
    } cases[] = {{146.96, "147.0"}, {9.876, "9.876"}, {999.94, "999.9"},
                 {999.96, "1000"},  {1000, "1000"},   {13421.4, "13421"}};
    char cell[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(vdnn_rounded_rate(cell, sizeof cell, cases[i].rate), cases[i].text);
}

TEST(what_is_left_is_whole_seconds)
{
    char cell[64];
    assert_string_equal(vdnn_rounded_left(cell, sizeof cell, 0.2), "0 s");
    assert_string_equal(vdnn_rounded_left(cell, sizeof cell, 2.7), "3 s");
    assert_string_equal(vdnn_rounded_left(cell, sizeof cell, 59.7), "1 min 00 s");
    assert_string_equal(vdnn_rounded_left(cell, sizeof cell, 7380), "2 h 03 min");
}

TEST(digits_follow_the_error)
{
    assert_int_equal(vdnn_rounded_digits(0.64), 2);
    assert_int_equal(vdnn_rounded_digits(0.02), 2);
    assert_int_equal(vdnn_rounded_digits(0.005), 3);
    assert_int_equal(vdnn_rounded_digits(0), VDNN_ROUNDED_EXACT);
}
