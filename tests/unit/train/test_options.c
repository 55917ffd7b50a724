#include "tests/support/vdnn_test.h"

#include "tools/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 8 };

/* The environment of a test: one variable. */
static const char *variable_name;
static char variable_text[256];

static char *environment(const char *name)
{
    return variable_name != NULL && strcmp(name, variable_name) == 0 ? variable_text : NULL;
}

static void set_variable(const char *name, const char *text)
{
    variable_name = name;
    (void)snprintf(variable_text, sizeof variable_text, "%s", text);
}

static int reset(void **state)
{
    (void)state;
    set_variable(NULL, "");
    return 0;
}

/* Splits at blanks. */
static vdnn_status parse_for(unsigned program, const char *line, vdnn_options *options)
{
    static char words[512];
    char *argv[MAX_WORDS + 2] = {words}, *rest = words, *word;
    int argc = 1;
    (void)snprintf(words, sizeof words, "%s", line);
    while ((word = strsep(&rest, " ")) != NULL && argc <= MAX_WORDS)
        if (word[0] != '\0')
            argv[argc++] = word;
    return vdnn_options_parse(program, argc, argv, environment, options);
}

static vdnn_status parse(const char *line, vdnn_options *options)
{
    return parse_for(VDNN_PROGRAM_RUN, line, options);
}

/* A value that the option's kind allows. */
static const char *good_value(const vdnn_option *option, char *buffer, size_t size)
{
    static const char *const values[] = {
        [VDNN_OPTION_IS_TEXT] = "words", [VDNN_OPTION_IS_FILE] = "file",
        [VDNN_OPTION_IS_SIZE] = "512M",  [VDNN_OPTION_IS_INTEGER] = "7",
        [VDNN_OPTION_IS_REAL] = "0.5",   [VDNN_OPTION_IS_CHOICE] = NULL,
        [VDNN_OPTION_IS_FILES] = "file", [VDNN_OPTION_IS_LIST] = NULL,
        [VDNN_OPTION_IS_FLAG] = "1",
    };
    if (values[option->kind] != NULL)
        return values[option->kind];
    vdnn_option_choices(option, buffer, size);
    buffer[strcspn(buffer, "|")] = '\0';
    return buffer;
}

/* One that is not the preset. */
static const char *other_value(const vdnn_option *option, char *buffer, size_t size)
{
    const char *value = good_value(option, buffer, size);
    if (option->preset == NULL || strcmp(option->preset, value) != 0)
        return value;
    assert_int_equal(option->kind, VDNN_OPTION_IS_CHOICE);
    vdnn_option_choices(option, buffer, size);
    value = buffer + strcspn(buffer, "|") + 1;
    buffer[strlen(buffer) - strlen(value) + strcspn(value, "|")] = '\0';
    return value;
}

static bool is_switch_of_the_program(size_t i)
{
    return i == VDNN_OPTION_HELP || i == VDNN_OPTION_VERSION;
}

static bool has_another_of_its_name(const vdnn_option *option, unsigned program)
{
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *other = vdnn_option_at((vdnn_option_id)i);
        if (other != option && strcmp(other->name, option->name) == 0 &&
            (other->programs & program) != 0)
            return true;
    }
    return false;
}

TEST_WITH(every_option_is_read_or_unknown, reset, NULL)
{
    static const unsigned programs[] = {VDNN_PROGRAM_RUN, VDNN_PROGRAM_REPORT, VDNN_PROGRAM_SCALE};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
            const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
            if (has_another_of_its_name(option, programs[p]))
                continue;
            char line[512], buffer[256];
            vdnn_options options;
            bool is_flag = option->kind == VDNN_OPTION_IS_FLAG;
            const char *value = good_value(option, buffer, sizeof buffer);
            (void)snprintf(line, sizeof line, "--%s %s", option->name, is_flag ? "" : value);
            vdnn_status status = parse_for(programs[p], line, &options);
            if ((option->programs & programs[p]) == 0) {
                assert_status(status, VDNN_USAGE);
                assert_message("there is no option --");
            } else {
                assert_ok(status);
                assert_string_equal(vdnn_options_text(&options, (vdnn_option_id)i), value);
                assert_true(options.values[i].given);
            }
        }
}

static const vdnn_option_structs *fill_for(unsigned program, const char *line,
                                           vdnn_option_structs *structs)
{
    vdnn_options options;
    memset(structs, 0, sizeof *structs);
    assert_ok(parse_for(program, line, &options));
    vdnn_options_fill(&options, structs);
    memset(&structs->session.planning, 0,
           sizeof structs->session - offsetof(vdnn_session_options, planning));
    return structs;
}

/* Whether a byte of the structs belongs to the option: to its member, or to the one that says
 * whether it was given. */
static bool is_of(const vdnn_option_member *sets, size_t byte)
{
    return sets->set != NULL && ((byte >= sets->offset && byte < sets->offset + sets->bytes) ||
                                 (sets->has_offset != 0 && byte == sets->has_offset));
}

static void expect_own_member(unsigned program, const vdnn_option *option)
{
    char line[512], buffer[256];
    vdnn_option_structs before, after;
    size_t changed = 0;
    const bool is_flag = option->kind == VDNN_OPTION_IS_FLAG;
    (void)snprintf(line, sizeof line, "--%s %s", option->name,
                   is_flag ? "" : other_value(option, buffer, sizeof buffer));
    const unsigned char *old = (const void *)fill_for(program, "", &before),
                        *new = (const void *)fill_for(program, line, &after);
    for (size_t i = 0; i < sizeof before; i++) {
        if (old[i] != new[i] && !is_of(&option->sets, i))
            fail_msg("%s changes byte %zu", line, i);
        changed += old[i] != new[i];
    }
    if (changed == 0 && option->sets.set != NULL)
        fail_msg("%s changes no member", line);
}

TEST_WITH(every_option_sets_the_member_that_its_row_names, reset, NULL)
{
    for (size_t p = 0; vdnn_program_text_at(p) != NULL; p++)
        for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
            const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
            if ((option->programs & vdnn_program_text_at(p)->program) != 0)
                expect_own_member(vdnn_program_text_at(p)->program, option);
        }
}

TEST(no_two_options_of_a_program_set_one_member)
{
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++)
        for (size_t j = 0; j < i; j++) {
            const vdnn_option *one = vdnn_option_at((vdnn_option_id)i),
                              *other = vdnn_option_at((vdnn_option_id)j);
            if ((one->programs & other->programs) != 0 && one->sets.set != NULL &&
                other->sets.set != NULL)
                assert_int_not_equal(one->sets.offset, other->sets.offset);
        }
}

TEST_WITH(every_option_can_be_set_in_the_environment, reset, NULL)
{
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        char name[64], buffer[256];
        vdnn_options options;
        if ((option->programs & VDNN_PROGRAM_RUN) == 0)
            continue;
        set_variable(vdnn_option_variable(option, name, sizeof name),
                     good_value(option, buffer, sizeof buffer));
        assert_ok(parse("", &options));
        assert_string_equal(vdnn_options_text(&options, (vdnn_option_id)i), variable_text);
    }
}

TEST_WITH(the_command_line_wins_over_the_environment, reset, NULL)
{
    vdnn_options options;
    set_variable("VDNN_DEVICE_MEM", "nonsense");
    assert_ok(parse("--device-mem 12GiB", &options));
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_DEVICE_MEM), "12GiB");
    assert_status(parse("", &options), VDNN_USAGE);
    assert_message("VDNN_DEVICE_MEM");
}

TEST_WITH(a_flag_in_the_environment_is_on_or_off, reset, NULL)
{
    vdnn_options options;
    set_variable("VDNN_DRY_RUN", "0");
    assert_ok(parse("", &options));
    assert_false(vdnn_options_flag(&options, VDNN_OPTION_DRY_RUN));
    set_variable("VDNN_DRY_RUN", "yes");
    assert_ok(parse("", &options));
    assert_true(vdnn_options_flag(&options, VDNN_OPTION_DRY_RUN));
    set_variable("VDNN_DRY_RUN", "perhaps");
    assert_status(parse("", &options), VDNN_USAGE);
    assert_message("VDNN_DRY_RUN");
}

TEST_WITH(an_empty_variable_is_no_value, reset, NULL)
{
    vdnn_options options;
    set_variable("VDNN_BATCH", "");
    assert_ok(parse("", &options));
    assert_int_equal(vdnn_options_integer(&options, VDNN_OPTION_BATCH), 0);
}

TEST_WITH(wrong_usage_is_explained, reset, NULL)
{
    static const struct {
        const char *line, *part;
    } cases[] = {
        {"--polcy dyn", "did you mean --policy?"},
        {"--devicemem 1G", "did you mean --device-mem?"},
        {"--xyzzyxyzzy", "--help lists"},
        {"lenet", "'lenet' is not an option"},
        {"--", "is not an option"},
        {"--batch", "--batch needs a value: N"},
        {"--batch many", "'many' is not a whole number"},
        {"--batch 12x", "not a whole number"},
        {"--batch 1.5", "not a whole number"},
        {"--batch 0", "the least is 1"},
        {"--batch -3", "the least is 1"},
        {"--batch 99999999999999999999", "too large"},
        {"--seed -1", "the least is 0"},
        {"--lr fast", "'fast' is not a number"},
        {"--lr -0.1", "--lr"},
        {"--lr inf", "finite"},
        {"--lr nan", "finite"},
        {"--device-mem lots", "--device-mem"},
        {"--device-mem 0", "--device-mem"},
        {"--device-mem -5M", "--device-mem"},
        {"--host-mem 5Q", "--host-mem"},
        {"--policy bse", "did you mean base?"},
        {"--policy best", "one of base|all|conv|dyn|opt"},
        {"--algo q", "one of m|p"},
        {"--rules lan", "did you mean lean?"},
        {"--dtype f15", "there is no 'f15'"},
        {"--devices 0", "the least is 1"},
        {"--reduce rng", "did you mean ring?"},
        {"--keep 0", "the least is 1"},
        {"--checkpoint-every 0", "the least is 1"},
        {"--dry-run=yes", "takes no value"},
        {"--model=", "empty"},
        {"--log-level chatty", "one of error|warn|info|debug"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_options options;
        assert_status(parse(cases[i].line, &options), VDNN_USAGE);
        assert_message(cases[i].part);
    }
}

TEST_WITH(a_list_takes_only_what_there_is, reset, NULL)
{
    vdnn_options options;
    assert_ok(parse_for(VDNN_PROGRAM_REPORT, "--policies base,dyn", &options));
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_POLICIES), "base,dyn");
    assert_status(parse_for(VDNN_PROGRAM_REPORT, "--policies base,dny", &options), VDNN_USAGE);
    assert_message("did you mean dyn?");
    assert_status(parse_for(VDNN_PROGRAM_REPORT, "--policies base,", &options), VDNN_USAGE);
    assert_status(parse_for(VDNN_PROGRAM_REPORT, "--policies best", &options), VDNN_USAGE);
    assert_status(parse_for(VDNN_PROGRAM_REPORT, "--accounting papers", &options), VDNN_USAGE);
    assert_message("did you mean paper?");
}

TEST_WITH(values_can_follow_an_equals_sign_and_the_last_one_counts, reset, NULL)
{
    vdnn_options options;
    assert_ok(parse("--batch=3 --batch 5 --data=npy:a=b", &options));
    assert_int_equal(vdnn_options_integer(&options, VDNN_OPTION_BATCH), 5);
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_DATA), "npy:a=b");
}

TEST_WITH(presets_are_there_when_nothing_is_given, reset, NULL)
{
    vdnn_options options;
    assert_ok(parse("", &options));
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_POLICY), "dyn");
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_RULES), "lean");
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_DTYPE), "f32");
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_DEVICE), "auto");
    assert_string_equal(vdnn_options_text(&options, VDNN_OPTION_DATA), "synthetic");
    assert_int_equal(vdnn_options_integer(&options, VDNN_OPTION_SEED), 1);
    assert_null(vdnn_options_text(&options, VDNN_OPTION_MODEL));
    assert_false(vdnn_options_flag(&options, VDNN_OPTION_DRY_RUN));
}

TEST_WITH(failed_parsing_leaves_the_options_alone, reset, NULL)
{
    vdnn_options options, before;
    memset(&options, 0x5a, sizeof options);
    before = options;
    assert_status(parse("--batch 3 --batch none", &options), VDNN_USAGE);
    assert_memory_equal(&options, &before, sizeof options);
}

/* Or another option with its words is. */
static bool is_of_run(const vdnn_option *option)
{
    bool found = false;
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *other = vdnn_option_at((vdnn_option_id)i);
        const bool is_same = strcmp(other->name, option->name) == 0 && other->metavar != NULL &&
                             option->metavar != NULL &&
                             strcmp(other->metavar, option->metavar) == 0;
        found =
            found || ((other == option || is_same) && (other->programs & VDNN_PROGRAM_RUN) != 0);
    }
    return found;
}

TEST_WITH(help_lists_every_option_and_begins_with_examples, reset, NULL)
{
    vdnn_text text = {0};
    vdnn_options_help(VDNN_PROGRAM_RUN, &text);
    assert_false(text.failed);
    const char *examples = strstr(text.data, "Examples"), *first = strstr(text.data, "\n  --");
    assert_true(examples != NULL && first != NULL && examples < first);
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        char head[128];
        (void)snprintf(head, sizeof head, "\n  --%s%s%s", option->name,
                       option->metavar == NULL ? "" : " ",
                       option->metavar == NULL ? "" : option->metavar);
        bool listed = strstr(text.data, head) != NULL;
        assert_int_equal(listed, is_of_run(option));
    }
    for (const char *line = text.data; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 100);
    vdnn_text_fini(&text);
}

TEST_WITH(help_is_given_whatever_else_is_wrong, reset, NULL)
{
    vdnn_options options;
    assert_ok(parse("--batch none --help", &options));
    assert_true(vdnn_options_flag(&options, VDNN_OPTION_HELP));
    assert_ok(parse("-h", &options));
    assert_true(vdnn_options_flag(&options, VDNN_OPTION_HELP));
    assert_ok(parse("--version", &options));
    assert_true(vdnn_options_flag(&options, VDNN_OPTION_VERSION));
}

TEST_WITH(names_are_unique_and_in_one_group_each, reset, NULL)
{
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        assert_true((option->metavar == NULL) == (option->kind == VDNN_OPTION_IS_FLAG));
        assert_true(is_switch_of_the_program(i) || option->help[0] != '\0');
        for (size_t j = 0; j < i; j++) {
            const vdnn_option *other = vdnn_option_at((vdnn_option_id)j);
            const vdnn_option *between = vdnn_option_at((vdnn_option_id)(j + 1));
            if ((option->programs & other->programs) != 0)
                assert_string_not_equal(option->name, other->name);
            if (strcmp(option->group, other->group) == 0)
                assert_string_equal(between->group, option->group);
        }
    }
}
