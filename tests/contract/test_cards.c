/* Simulated cards side by side: every format has the numbers of the reports of single cards. */

#include "tests/support/run_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* AlexNet takes more than the T4's memory under every policy, and less than the H100's. */
#define NETWORK "vdnnreport --model alexnet --batch 32768 --plan-trials 100 "
#define CARDS NETWORK "--device sim:t4,h100,a100-80 "
#define PRICED CARDS "--price h100=3.5,a100-80=0.5 "

enum { COUNT = 3 };
static const char *const names[COUNT] = {"t4", "h100", "a100-80"};

static json_t *cards_of(const char *folder, json_t **root)
{
    vdnn_test_run_to(folder, 0, "",
                     PRICED "--json @/c.json --csv @/c.csv --markdown @/c.md --html @/c.html");
    *root = vdnn_test_json(vdnn_test_path(folder, "c.json"));
    json_t *cards = json_object_get(*root, "cards");
    assert_int_equal(json_array_size(cards), COUNT);
    return cards;
}

static void expect_near(double found, double wanted)
{
    assert_true(fabs(found - wanted) <= 1e-12 * fabs(wanted));
}

/* The fastest row of that card's own report that fits; NULL: none does. */
static json_t *fastest_of(json_t *single)
{
    json_t *best = NULL, *policies = json_object_get(single, "policies");
    for (size_t i = 0; i < json_array_size(policies); i++) {
        json_t *row = json_array_get(policies, i);
        if (json_is_true(json_object_get(row, "fits")) &&
            (best == NULL ||
             vdnn_test_number_at(row, "step_seconds") < vdnn_test_number_at(best, "step_seconds")))
            best = row;
    }
    return best;
}

static void expect_rates(json_t *card, json_t *best, double price)
{
    double rate = vdnn_test_number_at(card, "images_per_second");
    double gib = 0x1p-30 * vdnn_test_number_at(vdnn_test_object_at(card, "device"), "memory_bytes");
    json_t *range = json_object_get(card, "images_per_second_range"),
           *steps = json_object_get(best, "step_seconds_range");
    expect_near(rate, 32768 / vdnn_test_number_at(best, "step_seconds"));
    expect_near(vdnn_test_number_at(card, "images_per_second_per_gib"), rate / gib);
    expect_near(json_number_value(json_array_get(range, 0)),
                32768 / json_number_value(json_array_get(steps, 1)));
    expect_near(json_number_value(json_array_get(range, 1)),
                32768 / json_number_value(json_array_get(steps, 0)));
    expect_near(vdnn_test_number_at(card, "price"), price);
    expect_near(vdnn_test_number_at(card, "images_per_second_per_price"), rate / price);
}

/* What a comparison leaves out: when and where everything of a step is, and each layer. */
static void drop_steps(json_t *policies)
{
    size_t i;
    json_t *policy;
    json_array_foreach(policies, i, policy)
    {
        assert_int_equal(json_object_del(policy, "step"), 0);
        assert_int_equal(json_object_del(policy, "layers"), 0);
    }
}

TEST_IN_FOLDER(each_card_has_the_numbers_of_its_own_report)
{
    static const double prices[COUNT] = {0, 3.5, 0.5};
    json_t *root, *cards = cards_of(*state, &root);
    for (size_t i = 0; i < COUNT; i++) {
        vdnn_test_run run;
        json_t *card = json_array_get(cards, i);
        assert_string_equal(vdnn_test_text_at(card, "card"), names[i]);
        vdnn_test_program(&run, *state, NETWORK "--device sim:%s --json @/s.json", names[i]);
        json_t *single = vdnn_test_json(vdnn_test_path(*state, "s.json"));
        drop_steps(json_object_get(single, "policies"));
        json_t *best = fastest_of(single);
        assert_int_equal(run.code, best == NULL ? 4 : 0);
        assert_true(
            json_equal(json_object_get(card, "policies"), json_object_get(single, "policies")));
        assert_true(json_equal(json_object_get(card, "device"), json_object_get(single, "device")));
        assert_int_equal(json_is_true(json_object_get(card, "fits")), best != NULL);
        if (best == NULL) {
            assert_true(json_is_null(json_object_get(card, "best")));
            assert_true(json_is_null(json_object_get(card, "images_per_second")));
        } else {
            assert_true(json_equal(json_object_get(card, "best"), best));
            expect_rates(card, best, prices[i]);
        }
        json_decref(single);
        vdnn_test_run_free(&run);
    }
    assert_false(json_is_true(json_object_get(json_array_get(cards, 0), "fits")));
    assert_string_equal(vdnn_test_text_at(root, "fastest"), "h100");
    assert_string_equal(vdnn_test_text_at(root, "most_per_price"), "a100-80");
    json_decref(root);
}

/* Where the words are; fails where they are not. */
static const char *line_of(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    if (at == NULL)
        fail_msg("no '%s' in:\n%s", words, text);
    return at == NULL ? "" : at;
}

static void expect_on_line(const char *line, const char *part)
{
    line += *line == '\n';
    const char *at = strstr(line, part);
    if (at == NULL || at > line + strcspn(line, "\n"))
        fail_msg("no '%s' in: %.*s", part, (int)strcspn(line, "\n"), line);
}

/* Of a sentence, which is folded where it is wider than a line. */
static void expect_in_sentence(const char *line, const char *part)
{
    char sentence[1024];
    size_t length = 0;
    line += *line == '\n';
    while (*line != '\0' && length + 1 < sizeof sentence) {
        const bool is_folded = strncmp(line, "\n  ", 3) == 0;
        if (*line == '\n' && !is_folded)
            break;
        sentence[length++] = is_folded ? ' ' : *line;
        line += is_folded ? 3 : 1;
    }
    sentence[length] = '\0';
    if (strstr(sentence, part) == NULL)
        fail_msg("no '%s' in: %s", part, sentence);
}

TEST_IN_FOLDER(the_table_has_a_line_for_each_card_and_marks_the_best)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, CARDS);
    vdnn_test_expect(&run, 0, "");
    expect_on_line(line_of(run.out, "\n  card"), "images/s");
    expect_on_line(line_of(run.out, "\n  t4 "), "does not fit");
    expect_on_line(line_of(run.out, "\n* h100 "), "80.00 GiB");
    expect_in_sentence(line_of(run.out, "\nh100 is the fastest with "), "images/s per GiB.");
    assert_null(strstr(run.out, "per price"));
    for (const char *line = run.out; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 100);
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, PRICED);
    vdnn_test_expect(&run, 0, "");
    expect_on_line(line_of(run.out, "\n  card"), "per price");
    (void)line_of(run.out, "\n* a100-80 ");
    expect_in_sentence(line_of(run.out, "\nh100 is the fastest with "),
                       "a100-80 the most per unit of price.");
    vdnn_test_run_free(&run);
}

/* What each figure of the models rests on, for those who ask: in a part of the page that opens, and
 * with --verbose. */
TEST_IN_FOLDER(what_figures_of_cards_rest_on_is_told_on_request)
{
    static const char command[] = "vdnnreport --model lenet --device sim:h100,t4 --policies base";
    static const char of_t4[] = "\nOf t4:\nFigures of the device model published by the maker: ";
    vdnn_test_run run;
    char *page;
    size_t count;
    vdnn_test_program(&run, *state, "%s", command);
    vdnn_test_expect(&run, 0, "");
    assert_null(strstr(run.out, "Figures of the device model"));
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "%s --verbose", command);
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "\nOf h100:\n"));
    assert_non_null(strstr(run.out, of_t4));
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "%s --html @/f.html", command);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    vdnn_test_read_file(vdnn_test_path(*state, "f.html"), &page, &count);
    const char *fold = strstr(page, "<details>\n<summary>What the figures of the device models");
    const char *of = fold == NULL ? NULL : strstr(fold, "<p>Of t4:</p>");
    assert_true(of != NULL && of < strstr(fold, "</details>"));
    free(page);
}

/* Those with an H200's chip take what was measured on it: what sets them apart is their memory. */
TEST_IN_FOLDER(cards_of_one_chip_differ_by_no_more_than_their_memory)
{
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport --model resnet50 --batch 192 --dtype bf16 --policies base "
                     "--device sim:h200,gh200,h100 --json @/c.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "c.json")),
           *cards = json_object_get(root, "cards");
    static const double bytes_per_second[] = {4.8e12, 4e12, 3.35e12};
    double rates[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        rates[i] = vdnn_test_number_at(json_array_get(cards, i), "images_per_second");
    for (size_t i = 1; i < COUNT; i++) {
        assert_true(rates[0] > rates[i]);
        assert_true(rates[0] <= rates[i] * bytes_per_second[0] / bytes_per_second[i]);
    }
    json_decref(root);
}

TEST_IN_FOLDER(files_have_the_table_too)
{
    static const struct {
        const char *file, *head, *none, *best;
    } files[] = {
        {"c.html", "<th>per price</th>",
         "<tr class=\"no\"><th scope=\"row\">t4</th><td>does not fit</td>",
         "<tr class=\"best\"><th scope=\"row\">a100-80</th>"},
        {"c.md", " per price |", "| t4 | does not fit |", "| **a100-80** |"},
        {"c.csv", ",images_per_second_per_price\n", "\nt4,false,,,,", "\na100-80,true,"},
    };
    json_t *root;
    (void)cards_of(*state, &root);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *text;
        size_t count;
        vdnn_test_read_file(vdnn_test_path(*state, files[i].file), &text, &count);
        (void)line_of(text, files[i].head);
        (void)line_of(text, files[i].none);
        (void)line_of(text, files[i].best);
        free(text);
    }
    json_decref(root);
}

TEST_IN_FOLDER(what_is_no_comparison_is_refused)
{
    static const struct {
        const char *words, *message;
        int code;
    } bad[] = {
        {"--device sim:t4,nowhere", "no device model 'nowhere'", 3},
        {"--device sim:t4,h100,t4", "'t4' is named twice", 2},
        {"--device sim:t4,,h100", "a card's name is empty", 2},
        {"--device sim:t4,h100 --price t4", "expected NAME=X, for example h100=2.5, not 't4'", 2},
        {"--device sim:t4,h100 --price l4=1", "'l4' is none of the cards", 2},
        {"--device sim:t4,h100 --price t4=0", "'0' is not a positive number", 2},
        {"--device sim:t4,h100 --price t4=-2", "'-2' is not a positive number", 2},
        {"--device sim:t4,h100 --price t4=inf", "'inf' is not finite", 2},
        {"--device sim:t4,h100 --price t4=2x", "'2x' is not a positive number", 2},
        {"--device sim:t4,h100 --price t4=", "'' is not a positive number", 2},
        {"--device sim:t4,h100 --price t4=1,t4=2", "'t4' has two prices", 2},
        {"--device cpu --price cpu=1", "requires --device sim:A,B,C", 2},
        {"--device sim:t4,h100 --accounting paper", "requires --accounting full", 2},
        {"--device sim:t4,h100 --profile @/p", "--profile is of one device", 2},
        {"--device sim:t4,h100 --algorithms", "--algorithms lists those of one device", 2},
        {"--device sim:t4,h100 --device-mem 1MiB", "no policy fits on any of the 2 cards", 4},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "vdnnreport --model lenet %s", bad[i].words);
        vdnn_test_expect(&run, bad[i].code, bad[i].message);
        vdnn_test_run_free(&run);
    }
}
