/* One table of spellings, for all that reads numbers of a user: each means the same everywhere, or
 * is refused. */

#include "layers/registry.h"
#include "models/section.h"
#include "runtime/base/json.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/profile/profile_store.h"
#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/session_topics.h"
#include "tools/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NAN: no such number. */
typedef struct spelling {
    const char *text;
    double real;
    bool is_whole;
    const char *reason; /* of a message, where there is more to say than that it is no number */
} spelling;

#define NONE ((double)NAN)
#define OCTAL "has a leading zero"

static const spelling spellings[] = {
    {"7", 7, true, NULL},
    {"+7", 7, true, NULL},
    {"0", 0, true, NULL},
    {"-0", 0, true, NULL},
    {"-3", -3, true, NULL},
    {"64", 64, true, NULL},
    {"0.5", 0.5, false, NULL},
    {".5", 0.5, false, NULL},
    {"5.", 5, false, NULL},
    {"+0.25", 0.25, false, NULL},
    {"1e-3", 1e-3, false, NULL},
    {"1E+1", 10, false, NULL},
    {"0e5", 0, false, NULL},
    {"0.000", 0, false, NULL},
    {"1.2e-38", 1.2e-38, false, NULL},
    {"010", NONE, false, OCTAL},
    {"-010", NONE, false, OCTAL},
    {"+010", NONE, false, OCTAL},
    {"00", NONE, false, OCTAL},
    {"007", NONE, false, OCTAL},
    {"01.5", NONE, false, NULL},
    {"0x10", NONE, false, NULL},
    {"0X1p3", NONE, false, NULL},
    {"-0x1", NONE, false, NULL},
    {"0b11", NONE, false, NULL},
    {"0o17", NONE, false, NULL},
    {"nan", NONE, false, NULL},
    {"NaN", NONE, false, NULL},
    {"nan(1)", NONE, false, NULL},
    {"inf", NONE, false, NULL},
    {"-inf", NONE, false, NULL},
    {"infinity", NONE, false, NULL},
    {".inf", NONE, false, NULL},
    {".nan", NONE, false, NULL},
    {"1e400", NONE, false, NULL},
    {"-1e400", NONE, false, NULL},
    {"1e39", NONE, false, NULL},
    {"1e-39", NONE, false, NULL},
    {"1e-400", NONE, false, NULL},
    {"-1e-400", NONE, false, NULL},
    {"1_000", NONE, false, NULL},
    {"1'000", NONE, false, NULL},
    {"0,5", NONE, false, NULL},
    {"1.2.3", NONE, false, NULL},
    {"1e", NONE, false, NULL},
    {"e5", NONE, false, NULL},
    {"1e5.0", NONE, false, NULL},
    {"1d3", NONE, false, NULL},
    {"5f", NONE, false, NULL},
    {"--5", NONE, false, NULL},
    {"+-5", NONE, false, NULL},
    {"+", NONE, false, NULL},
    {".", NONE, false, NULL},
    {"5 0", NONE, false, NULL},
    {"5;", NONE, false, NULL},
    {"\xd9\xa5", NONE, false, NULL},
    {"\xef\xbc\x95", NONE, false, NULL},
};

/* YAML strips them, shells and the environment do not. */
static const spelling blanks[] = {{" 7", NONE, false, NULL},    {"7 ", NONE, false, NULL},
                                  {"\t7", NONE, false, NULL},   {"7\n", NONE, false, NULL},
                                  {" 0.5 ", NONE, false, NULL}, {"- 5", NONE, false, NULL}};

enum {
    SPELLINGS = sizeof spellings / sizeof *spellings,
    BLANKS = sizeof blanks / sizeof *blanks,
    ALL = SPELLINGS + BLANKS
};

static const spelling *spelling_at(size_t i)
{
    return i < SPELLINGS ? &spellings[i] : &blanks[i - SPELLINGS];
}

/* Whether it is a number of this kind, from `least` to `most`. */
static bool is_good(const spelling *own, bool wants_whole, double least, double most)
{
    return !isnan(own->real) && (own->is_whole || !wants_whole) && own->real >= least &&
           own->real <= most;
}

/* The reason, unless another reader, of its range or kind, says its own. */
static void expect_reason(const spelling *own)
{
    if (own->reason != NULL)
        assert_message(own->reason);
}

/* ---- the reader ------------------------------------------------------------------------------ */

TEST(a_text_is_a_decimal_number_or_none)
{
    for (size_t i = 0; i < ALL; i++) {
        const spelling *own = spelling_at(i);
        double real = -1;
        int64_t whole = -1;
        const bool good = !isnan(own->real);
        assert_status(vdnn_text_parse_real(own->text, &real), good ? VDNN_OK : VDNN_USAGE);
        assert_true(!good || (real == own->real && !signbit(own->real) == !signbit(real)) ||
                    own->real == 0);
        if (!good)
            assert_message(own->reason == NULL ? "'" : own->reason);
        assert_status(vdnn_text_parse_integer(own->text, &whole),
                      own->is_whole ? VDNN_OK : VDNN_USAGE);
        assert_true(!own->is_whole || (double)whole == own->real);
        expect_reason(own);
    }
}

TEST(whole_numbers_have_64_bits)
{
    int64_t whole;
    uint64_t size;
    assert_ok(vdnn_text_parse_integer("9223372036854775807", &whole));
    assert_true(whole == INT64_MAX);
    assert_ok(vdnn_text_parse_integer("-9223372036854775808", &whole));
    assert_true(whole == INT64_MIN);
    assert_null(vdnn_decimal_read_unsigned("18446744073709551615", &size));
    assert_true(size == UINT64_MAX);
    assert_status(vdnn_text_parse_integer("9223372036854775808", &whole), VDNN_USAGE);
    assert_message("is too large");
    assert_status(vdnn_text_parse_integer("-9223372036854775809", &whole), VDNN_USAGE);
    assert_message("is too small");
    assert_string_equal(vdnn_decimal_read_unsigned("18446744073709551616", &size), "is too large");
    assert_string_equal(vdnn_decimal_read_unsigned("-1", &size), "");
}

/* ---- options --------------------------------------------------------------------------------- */

static char variable[64];
static const char *variable_text;

static char *environment(const char *name)
{
    static char text[64];
    if (variable_text == NULL || strcmp(name, variable) != 0)
        return NULL;
    (void)snprintf(text, sizeof text, "%s", variable_text);
    return text;
}

/* By the command line, or by the environment. */
static vdnn_status give(unsigned program, const vdnn_option *option, const char *text, bool by_line,
                        vdnn_options *options)
{
    char word[128], name[] = "vdnn";
    char *argv[] = {name, word, NULL};
    (void)snprintf(word, sizeof word, "--%s=%s", option->name, text);
    (void)vdnn_option_variable(option, variable, sizeof variable);
    variable_text = by_line ? NULL : text;
    return vdnn_options_parse(program, by_line ? 2 : 1, argv, environment, options);
}

static void check_option(unsigned program, vdnn_option_id id, const spelling *own)
{
    const vdnn_option *option = vdnn_option_at(id);
    const bool is_whole = option->kind == VDNN_OPTION_IS_INTEGER;
    const bool good = is_good(own, is_whole, option->least, 1e30);
    for (int by_line = 0; by_line < 2; by_line++) {
        vdnn_options options;
        vdnn_status status = give(program, option, own->text, by_line != 0, &options);
        if ((status == VDNN_OK) != good)
            fail_msg("--%s '%s' was %s", option->name, own->text, good ? "refused" : "taken");
        if (!good) {
            assert_message(by_line ? option->name : variable);
            expect_reason(own);
        } else if (is_whole)
            assert_true((double)options.values[id].integer == own->real);
        else
            assert_true(options.values[id].real == own->real);
    }
}

TEST(options_and_variables_read_numbers_alike)
{
    const vdnn_program_text *program;
    for (size_t p = 0; (program = vdnn_program_text_at(p)) != NULL; p++)
        for (int id = 0; id < VDNN_OPTION_COUNT; id++) {
            const vdnn_option *option = vdnn_option_at((vdnn_option_id)id);
            const bool is_number =
                option->kind == VDNN_OPTION_IS_INTEGER || option->kind == VDNN_OPTION_IS_REAL;
            for (size_t i = 0; i < ALL && is_number && (option->programs & program->program); i++)
                check_option(program->program, (vdnn_option_id)id, spelling_at(i));
        }
}

TEST(sizes_are_numbers_with_a_unit)
{
    for (size_t i = 0; i < ALL; i++) {
        const spelling *own = spelling_at(i);
        const bool has_sign = own->text[0] == '+' || own->text[0] == '-';
        const bool good =
            !isnan(own->real) && own->real >= 0.5 && !has_sign && strpbrk(own->text, "eE") == NULL;
        char text[64];
        size_t bytes = 0;
        (void)snprintf(text, sizeof text, "%sK", own->text);
        if (strcmp(own->text, "7 ") == 0 || strcmp(own->text, "64") == 0)
            continue; /* a blank may stand before the unit; a unit makes no number of 0 */
        assert_status(vdnn_text_parse_size(text, 1, &bytes), good ? VDNN_OK : VDNN_USAGE);
        assert_true(!good || (double)bytes == 1024 * own->real);
    }
}

/* ---- network files --------------------------------------------------------------------------- */

/* The value of `k` as the key reads it, into `to`. */
static vdnn_status read_key(const vdnn_key *key, const char *text, void *to)
{
    char yaml[128];
    vdnn_yaml_tree *tree = NULL;
    vdnn_key fresh = *key;
    fresh.offset = 0;
    const int length = snprintf(yaml, sizeof yaml, "k: %s\n", text);
    vdnn_status status = vdnn_yaml_tree_parse(yaml, (size_t)length, "net.yaml", &tree);
    if (status != VDNN_OK)
        return status;
    const vdnn_section section = {.tree = tree, .node = 0, .what = "a layer", .config = to};
    status = vdnn_section_read_value(&section, &fresh, vdnn_yaml_tree_find(tree, 0, "k"));
    vdnn_yaml_tree_destroy(tree);
    return status;
}

static void check_key(const vdnn_key *key, const spelling *own)
{
    union {
        int64_t sides[3];
        double real;
        bool boolean;
    } value = {.sides = {0, 0, 0}};
    const bool is_whole = key->kind != VDNN_KEY_REAL;
    const bool good = is_good(own, is_whole, key->min, key->max);
    vdnn_status status = read_key(key, own->text, &value);
    if (status != (good ? VDNN_OK : VDNN_BAD_INPUT))
        fail_msg("%s: '%s' was %s: %s", key->name, own->text, good ? "refused" : "taken",
                 vdnn_status_message());
    if (!good && strchr(own->text, ' ') == NULL)
        expect_reason(own);
    else if (good && is_whole)
        assert_true((double)value.sides[0] == own->real);
    else if (good)
        assert_true(value.real == own->real);
}

static bool is_number(const vdnn_key *key)
{
    return key->kind != VDNN_KEY_BOOL && key->kind != VDNN_KEY_WORD;
}

TEST(every_key_of_a_layer_reads_numbers_alike)
{
    const vdnn_layer_def *def;
    for (size_t l = 0; (def = vdnn_layer_def_at(l)) != NULL; l++)
        for (size_t k = 0; k < def->key_count; k++)
            for (size_t i = 0; i < SPELLINGS && is_number(&def->keys[k]); i++)
                check_key(&def->keys[k], &spellings[i]);
    const vdnn_key any = {.name = "any", .kind = VDNN_KEY_REAL, .min = -1e300, .max = 1e300};
    for (size_t i = 0; i < SPELLINGS; i++)
        check_key(&any, &spellings[i]);
}

TEST(training_s_rate_is_read_as_the_option_is)
{
    for (size_t i = 0; i < SPELLINGS; i++) {
        const spelling *own = &spellings[i];
        char text[512];
        vdnn_model *model = NULL;
        (void)snprintf(text, sizeof text,
                       "{name: n, input: {channels: 1, height: 2, width: 2}, classes: 2, batch: 2, "
                       "training: {lr: %s}}",
                       own->text);
        const bool good = is_good(own, false, 0, 1e3);
        vdnn_status status = vdnn_model_create(text, &model);
        if ((status == VDNN_OK) != good)
            fail_msg("lr: %s was %s", own->text, good ? "refused" : "taken");
        vdnn_model_destroy(model);
    }
}

/* ---- other files and lists ------------------------------------------------------------------- */

TEST_IN_FOLDER(a_profile_has_such_numbers)
{
    for (size_t i = 0; i < SPELLINGS; i++) {
        const spelling *own = &spellings[i];
        char text[256];
        vdnn_profile_store *store = NULL;
        const int length = snprintf(text, sizeof text,
                                    "vdnn-profile 2\nkey a, device\nrate "
                                    "copy_out_bytes_per_second %s\nend 0\n",
                                    own->text);
        const char *path = vdnn_test_path(*state, "profile");
        vdnn_test_write_file(path, text, (size_t)length);
        const bool good = !isnan(own->real) && own->real > 0;
        assert_status(vdnn_profile_store_open(path, &store), good ? VDNN_OK : VDNN_BAD_INPUT);
        if (good)
            assert_true(vdnn_profile_store_rate(
                            store, VDNN_PROFILE_RATE_copy_out_bytes_per_second) == own->real);
        vdnn_profile_store_destroy(store);
    }
}

/* By JSON's own rules, which have no sign before a number but for -, and digits around a point. */
TEST(json_has_no_number_that_would_become_another)
{
    for (size_t i = 0; i < SPELLINGS; i++) {
        const spelling *own = &spellings[i];
        char text[64];
        json_t *root = NULL;
        if (strchr(own->text, ',') != NULL) /* two values of a list */
            continue;
        const int length = snprintf(text, sizeof text, "[\"1e-400\", %s]", own->text);
        vdnn_status status = vdnn_json_parse(text, (size_t)length, "run.json", &root);
        const json_t *read = json_array_get(root, 1);
        if (status == VDNN_OK && !isnan(own->real))
            assert_true(json_number_value(read) == own->real);
        else if (status == VDNN_OK) /* beyond 32 bits, which a double is not */
            assert_true(fabs(json_number_value(read)) == 1e39 || json_number_value(read) == 1e-39);
        json_decref(root);
    }
    char *zeros = malloc(700);
    assert_non_null(zeros);
    (void)snprintf(zeros, 700, "[\n0.%0400d1]", 0);
    json_t *root;
    assert_status(vdnn_json_parse(zeros, strlen(zeros), "run.json", &root), VDNN_BAD_INPUT);
    assert_message("run.json:2: the number 0.0000");
    assert_message("nearer to 0");
    (void)snprintf(zeros, 700, "[0.%0600d]", 0);
    assert_status(vdnn_json_parse(zeros, strlen(zeros), "run.json", &root), VDNN_BAD_INPUT);
    free(zeros);
}

/* Where a session refuses what is no number, for another reason than that. */
TEST(lists_seeds_and_prices_have_such_numbers)
{
    static const char *const bad[] = {"010", "0x4", "4e0", " 4", "4 ", "", "1e-400", "inf"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char seed[64], steps[64], price[64];
        (void)snprintf(seed, sizeof seed, "synthetic:%s", bad[i]);
        (void)snprintf(steps, sizeof steps, "%s:4", bad[i]);
        (void)snprintf(price, sizeof price, "models/devices/p100.yaml=%s", bad[i]);
        const vdnn_session_options of_seed = {
            .size = sizeof of_seed, .model = "models/lenet.yaml", .device = "cpu", .data = seed};
        const vdnn_session_options of_steps = {
            .size = sizeof of_steps,
            .model = "models/lenet.yaml",
            .device = "cpu",
            .output = vdnn_test_topic(output, .trace = "t.json", .trace_steps = steps)};
        const vdnn_session_options of_price = {.size = sizeof of_price,
                                               .model = "models/lenet.yaml",
                                               .device = "sim:models/devices/p100.yaml",
                                               .report = vdnn_test_topic(report, .price = price)};
        const vdnn_session_options of_list = {.size = sizeof of_list,
                                              .model = "models/lenet.yaml",
                                              .device = "sim:models/devices/p100.yaml"};
        const vdnn_scale_options devices = {.size = sizeof devices, .devices = bad[i]};
        vdnn_session *session = NULL;
        vdnn_report *report = NULL;
        vdnn_scale *scale = NULL;
        assert_status(vdnn_session_create(&of_seed, NULL, &session), VDNN_USAGE);
        assert_status(vdnn_session_create(&of_steps, NULL, &session), VDNN_USAGE);
        assert_status(vdnn_scale_create(&of_list, &devices, NULL, &scale), VDNN_USAGE);
        if (strcmp(bad[i], "4e0") != 0) /* a price may have an exponent */
            assert_status(vdnn_report_create(&of_price, NULL, "base", &report), VDNN_USAGE);
    }
}
