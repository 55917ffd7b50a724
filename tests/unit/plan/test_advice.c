/* What alternatives are compared by, and the command lines that follow from it. */

#include "tests/support/vdnn_test.h"

#include "runtime/fit/command_line.h"
#include "runtime/fit/compare/pace.h"

TEST(a_difference_that_not_all_turns_agree_on_is_none)
{
    static const struct {
        double ratios[5], planned;
        vdnn_pace_verdict verdict;
        const char *text;
    } cases[] = {
        {{1.4, 1.3, 1.5, 1.4, 1.35}, 1.2, VDNN_PACE_FASTER, "1.4x faster"},
        {{1.4, 1.3, 1.5, 1.4, 1.35}, 0.7, VDNN_PACE_ALIKE, "no difference"},
        {{1.4, 0.9, 1.5, 1.4, 1.3}, 1.4, VDNN_PACE_ALIKE, "no difference"},
        {{0.5, 0.5, 0.5, 0.51, 0.5}, 0.8, VDNN_PACE_SLOWER, "2.0x slower"},
        {{1.015, 1.015, 1.015, 1.015, 1.015}, 2, VDNN_PACE_ALIKE, "no difference"},
        {{1.05, 1.05, 1.06, 1.05, 1.04}, 1.05, VDNN_PACE_FASTER, "1.05x faster"},
        {{1, 1, 1, 1, 1}, 1, VDNN_PACE_ALIKE, "no difference"},
    };
    char cell[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ratios[5];
        memcpy(ratios, cases[i].ratios, sizeof ratios);
        const vdnn_pace pace = vdnn_pace_measured(ratios, 5, cases[i].planned);
        assert_int_equal(pace.verdict, cases[i].verdict);
        assert_string_equal(vdnn_pace_text(&pace, cell, sizeof cell), cases[i].text);
    }
}

TEST(planned_times_have_to_differ_by_what_is_known_of_them)
{
    assert_int_equal(vdnn_pace_planned(1.09, 0.1).verdict, VDNN_PACE_ALIKE);
    assert_int_equal(vdnn_pace_planned(1.11, 0.1).verdict, VDNN_PACE_FASTER);
    assert_int_equal(vdnn_pace_planned(1 / 1.09, 0.1).verdict, VDNN_PACE_ALIKE);
    assert_int_equal(vdnn_pace_planned(1 / 1.11, 0.1).verdict, VDNN_PACE_SLOWER);
    assert_int_equal(vdnn_pace_planned(0, 0.1).verdict, VDNN_PACE_UNKNOWN);
}

TEST(a_command_line_has_each_option_once)
{
    static const struct {
        const char *command, *changes, *expected;
    } cases[] = {
        {"vdnnrun --model lenet", "--batch 64", "vdnnrun --model lenet --batch 64"},
        {"vdnnrun --batch 9 --model lenet", "--batch 64", "vdnnrun --model lenet --batch 64"},
        {"vdnnrun --batch=9 --quiet", "--batch 64", "vdnnrun --quiet --batch 64"},
        {"vdnnrun --batches 9", "--batch 64", "vdnnrun --batches 9 --batch 64"},
        {"vdnnrun --policy all --algo m --dtype f32", "--policy dyn --dtype bf16",
         "vdnnrun --algo m --policy dyn --dtype bf16"},
        {"vdnnrun --data 'images:my files/it'\\''s' --batch 9", "--batch 64",
         "vdnnrun --data 'images:my files/it'\\''s' --batch 64"},
        {"vdnnrun --model 'a --batch 9'", "--batch 64", "vdnnrun --model 'a --batch 9' --batch 64"},
        {"vdnnrun --batch", "--batch 64", "vdnnrun --batch 64"},
        {"vdnnrun --quiet", "", "vdnnrun --quiet"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_text text = {0};
        vdnn_command_line_add(cases[i].command, cases[i].changes, &text);
        assert_string_equal(text.data, cases[i].expected);
        vdnn_text_fini(&text);
    }
}
