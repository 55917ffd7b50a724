#include "tools/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { CHOICES_BYTES = 256, HINT_BYTES = 128, HELP_COLUMN = 30, MAX_CHOICES = 32 };

/* ---- members that options set ---------------------------------------------------------------- */

static void set_text(void *member, const vdnn_option_value *value)
{
    *(const char **)member = value->text;
}

static void set_int64(void *member, const vdnn_option_value *value)
{
    *(int64_t *)member = value->integer;
}

static void set_uint64(void *member, const vdnn_option_value *value)
{
    *(uint64_t *)member = (uint64_t)value->integer;
}

static void set_int(void *member, const vdnn_option_value *value)
{
    *(int *)member = (int)value->integer;
}

static void set_double(void *member, const vdnn_option_value *value)
{
    *(double *)member = value->real;
}

static void set_bool(void *member, const vdnn_option_value *value)
{
    *(bool *)member = value->given;
}

// clang-format off
#define SETTER_OF(member)                                                                          \
    _Generic((member),                                                                             \
        const char *: set_text, int64_t: set_int64, uint64_t: set_uint64,                          \
        int: set_int, double: set_double, bool: set_bool)
// clang-format on

#define MEMBER(member, ...)                                                                        \
    .sets = {.offset = offsetof(vdnn_option_structs, member),                                      \
             .bytes = sizeof((vdnn_option_structs *)0)->member,                                    \
             .set = SETTER_OF(((vdnn_option_structs *)0)->member),                                 \
             __VA_ARGS__}
#define VDNN_SETS(member) MEMBER(member, .has_offset = 0)
#define VDNN_SETS_AND(member, has) MEMBER(member, .has_offset = offsetof(vdnn_option_structs, has))
#define VDNN_SETS_IF_GIVEN(member) MEMBER(member, .stays_default = true)
#define VDNN_WRITES(format_) .is_output = true, .format = VDNN_REPORT_##format_

static const vdnn_option table[] = {
#define X(id, name_, kind_, programs_, group_, ...)                                                \
    {.name = name_,                                                                                \
     .kind = VDNN_OPTION_IS_##kind_,                                                               \
     .programs = programs_,                                                                        \
     .group = group_,                                                                              \
     __VA_ARGS__},
    VDNN_OPTION_TABLE(X)
#undef X
};

static void set_member(const vdnn_option_member *sets, const vdnn_option_value *value,
                       char *structs)
{
    if (sets->has_offset != 0)
        set_bool(structs + sets->has_offset, value);
    if (value->given || (!sets->stays_default && sets->has_offset == 0))
        sets->set(structs + sets->offset, value);
}

void vdnn_options_fill(const vdnn_options *options, vdnn_option_structs *structs)
{
    *structs = (vdnn_option_structs){.session = {.size = sizeof structs->session,
                                                 .planning = &structs->planning,
                                                 .machine = &structs->machine,
                                                 .dataset = &structs->dataset,
                                                 .output = &structs->output,
                                                 .trust = &structs->trust,
                                                 .process = &structs->process,
                                                 .print = &structs->print,
                                                 .report = &structs->report},
                                     .planning.size = sizeof structs->planning,
                                     .machine.size = sizeof structs->machine,
                                     .dataset.size = sizeof structs->dataset,
                                     .output.size = sizeof structs->output,
                                     .trust.size = sizeof structs->trust,
                                     .process.size = sizeof structs->process,
                                     .print.size = sizeof structs->print,
                                     .report.size = sizeof structs->report,
                                     .scale.size = sizeof structs->scale};
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++)
        if ((table[i].programs & options->program) != 0 && table[i].sets.set != NULL)
            set_member(&table[i].sets, &options->values[i], (char *)structs);
}

/* ---- programs -------------------------------------------------------------------------------- */

static const vdnn_program_text programs[] = {
    {VDNN_PROGRAM_RUN, "vdnnrun", "trains one network inside a memory budget (or only plans it)",
     "  vdnnrun --model lenet --data idx:mnist\n"
     "  vdnnrun --model vgg16 --device-mem 2GiB --dry-run\n"
     "  vdnnrun --model vgg16 --batch 32 --policy all --algo m --steps 20 --json run.json\n"
     "  vdnnrun --model net.yaml --data npy:DIR --init first.safetensors --save last.safetensors\n"
     "  vdnnrun --model net.onnx --data images:DIR --export trained.onnx\n"
     "  vdnnrun --model alexnet --device-mem 50% --steps 10 --trace steps.json.gz\n"
     "  vdnnrun --model net.yaml --data idx:DIR --checkpoint run --resume auto\n"
     "  vdnnrun --model net.yaml --data idx:DIR --checkpoint run --launch 4\n"
     "  vdnnrun --model net.yaml --init text.safetensors --generate 300 --prompt \"You may\"\n"},
    {VDNN_PROGRAM_REPORT, "vdnnreport",
     "shows what every policy needs for one network, side by side",
     "  vdnnreport --model vgg16\n"
     "  vdnnreport --model alexnet --batch 128 --device-mem 1GiB\n"
     "  vdnnreport --model googlenet --policies base,dyn --rules paper\n"
     "  vdnnreport --model vgg16 --batch 256 --device sim:h100,l4,t4 --price h100=2.5,l4=0.7\n"
     "  vdnnreport --model vgg16 --budgets 2GiB,4GiB,8GiB --html report.html\n"
     "  vdnnreport --model vgg16 --run run.json --html report.html\n"
     "  vdnnreport --compare a.json b.json --html compared.html\n"},
    {VDNN_PROGRAM_SCALE, "vdnnscale",
     "shows what more devices and larger batches buy for one network",
     "  vdnnscale --model vgg16 --device sim:p100 --devices 1,2,4,8 --batches 64,256\n"
     "  vdnnscale --model vgg19 --device sim:p100-pcie --batches 32,64,128,256 --html vgg19.html\n"
     "  vdnnscale --model resnet50 --device sim:a100 --devices 8,64,512,1024 --batches 32768\n"
     "  vdnnscale --model alexnet --device sim:titan-x-pascal --batches 512 --reduce gather\n"
     "  vdnnscale --model lenet --device cpu --devices 1,2 --batches 64 --json lenet.json\n"
     "  vdnnscale --model lenet --devices 1,2 --data idx:mnist --converge 0.98\n"},
};

const vdnn_program_text *vdnn_program_text_at(size_t i)
{
    return i < sizeof programs / sizeof programs[0] ? &programs[i] : NULL;
}

static size_t program_index(unsigned program)
{
    size_t i = 0;
    while (programs[i].program != program)
        i++;
    return i;
}

const vdnn_option *vdnn_option_at(vdnn_option_id id)
{
    return &table[id];
}

/* Tables that `choices` may name. */
static const struct {
    const char *name;
    size_t (*count)(void);
    const char *(*name_of)(size_t i);
} choice_tables[] = {
    {"policies", vdnn_policy_count, vdnn_policy_name},
    {"optimizers", vdnn_optimizer_count, vdnn_optimizer_name},
};

const char *vdnn_option_choices(const vdnn_option *option, char *buffer, size_t size)
{
    const char *choices = option->choices == NULL ? "" : option->choices;
    size_t length = 0;
    for (size_t t = 0; t < sizeof choice_tables / sizeof *choice_tables; t++) {
        if (strcmp(choices, choice_tables[t].name) != 0)
            continue;
        buffer[0] = '\0';
        for (size_t i = 0; i < choice_tables[t].count() && length < size; i++)
            length += (size_t)snprintf(buffer + length, size - length, "%s%s", i == 0 ? "" : "|",
                                       choice_tables[t].name_of(i));
        return buffer;
    }
    (void)snprintf(buffer, size, "%s", choices);
    return buffer;
}

const char *vdnn_option_variable(const vdnn_option *option, char *buffer, size_t size)
{
    (void)snprintf(buffer, size, "VDNN_%s", option->name);
    for (char *c = buffer; *c != '\0'; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return buffer;
}

/* Where a value came from, for messages: "--batch" or "VDNN_BATCH". */
typedef struct origin {
    const vdnn_option *option;
    char name[64];
} origin;

static size_t split_choices(char *choices, const char *names[MAX_CHOICES])
{
    size_t count = 0;
    char *rest = choices;
    for (char *name; count < MAX_CHOICES && (name = strsep(&rest, "|")) != NULL;)
        names[count++] = name;
    return count;
}

static const char *add_hint(char hint[HINT_BYTES], const char *name, const char *const *names,
                            size_t count)
{
    const char *nearest = vdnn_text_nearest(name, names, count);
    hint[0] = '\0';
    if (nearest != NULL)
        (void)snprintf(hint, HINT_BYTES, " (did you mean %s?)", nearest);
    return hint;
}

static vdnn_status check_choice(const origin *from, const char *text)
{
    char choices[CHOICES_BYTES], whole[CHOICES_BYTES], hint[HINT_BYTES];
    const char *names[MAX_CHOICES];
    vdnn_option_choices(from->option, choices, sizeof choices);
    memcpy(whole, choices, sizeof whole);
    size_t count = split_choices(choices, names);
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], text) == 0)
            return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE, "%s: there is no '%s'%s; expected one of %s", from->name,
                            text, add_hint(hint, text, names, count), whole);
}

static vdnn_status check_list(const origin *from, const char *text)
{
    char copy[CHOICES_BYTES];
    if (strlen(text) >= sizeof copy)
        return vdnn_status_fail(VDNN_USAGE, "%s: the list is too long", from->name);
    memcpy(copy, text, strlen(text) + 1);
    char *rest = copy;
    for (char *item; (item = strsep(&rest, ",")) != NULL;) {
        vdnn_status status = check_choice(from, item);
        if (status != VDNN_OK)
            return status;
    }
    return VDNN_OK;
}

/* What a reader of the library refused, with where the text came from. */
static vdnn_status refuse(const origin *from, vdnn_status status)
{
    char reason[512];
    (void)snprintf(reason, sizeof reason, "%s", vdnn_status_message());
    return vdnn_status_fail(status, "%s: %s", from->name, reason);
}

static vdnn_status read_integer(const origin *from, const char *text, int64_t *value)
{
    int64_t number;
    vdnn_status status = vdnn_text_parse_integer(text, &number);
    if (status != VDNN_OK)
        return refuse(from, status);
    if ((double)number < from->option->least)
        return vdnn_status_fail(VDNN_USAGE, "%s: %s is too small, the least is %.0f", from->name,
                                text, from->option->least);
    *value = number;
    return VDNN_OK;
}

static vdnn_status read_real(const origin *from, const char *text, double *value)
{
    double number;
    vdnn_status status = vdnn_text_parse_real(text, &number);
    if (status != VDNN_OK)
        return refuse(from, status);
    if (number < from->option->least)
        return vdnn_status_fail(VDNN_USAGE, "%s: %s is not a finite number from %g up", from->name,
                                text, from->option->least);
    *value = number;
    return VDNN_OK;
}

/* Checks the syntax only: percentages are resolved once the device is known. */
static vdnn_status check_size(const origin *from, const char *text)
{
    size_t bytes;
    vdnn_status status = vdnn_text_parse_size(text, (size_t)1 << 40, &bytes);
    return status == VDNN_OK ? status : refuse(from, status);
}

static vdnn_status set_value(const origin *from, const char *text, vdnn_option_value *value)
{
    vdnn_option_value fresh = {.given = true, .text = text};
    vdnn_status status = VDNN_OK;
    switch (from->option->kind) {
    case VDNN_OPTION_IS_SIZE:
        status = check_size(from, text);
        break;
    case VDNN_OPTION_IS_INTEGER:
        status = read_integer(from, text, &fresh.integer);
        break;
    case VDNN_OPTION_IS_REAL:
        status = read_real(from, text, &fresh.real);
        break;
    case VDNN_OPTION_IS_CHOICE:
        status = check_choice(from, text);
        break;
    case VDNN_OPTION_IS_LIST:
        status = check_list(from, text);
        break;
    case VDNN_OPTION_IS_TEXT:
    case VDNN_OPTION_IS_FILE:
    case VDNN_OPTION_IS_FILES:
        if (text[0] == '\0')
            status = vdnn_status_fail(VDNN_USAGE, "%s: the value is empty", from->name);
        break;
    case VDNN_OPTION_IS_FLAG:
        break;
    }
    if (status == VDNN_OK)
        *value = fresh;
    return status;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcasecmp(text, *words) == 0)
            return true;
    return false;
}

static vdnn_status set_from_environment(const vdnn_option *option, const char *text,
                                        vdnn_option_value *value)
{
    static const char *const yes[] = {"1", "true", "yes", "on", NULL};
    static const char *const no[] = {"0", "false", "no", "off", NULL};
    origin from = {.option = option};
    vdnn_option_variable(option, from.name, sizeof from.name);
    if (option->kind != VDNN_OPTION_IS_FLAG)
        return set_value(&from, text, value);
    if (is_one_of(text, no))
        return VDNN_OK;
    if (!is_one_of(text, yes))
        return vdnn_status_fail(VDNN_USAGE, "%s: '%s' is neither 1 nor 0", from.name, text);
    return set_value(&from, "1", value);
}

static vdnn_status read_environment(unsigned program, char *(*environment)(const char *name),
                                    const bool *on_line, vdnn_options *options)
{
    char name[64];
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        if ((table[i].programs & program) == 0 || on_line[i])
            continue;
        const char *text = environment(vdnn_option_variable(&table[i], name, sizeof name));
        if (text == NULL || text[0] == '\0')
            continue;
        vdnn_status status = set_from_environment(&table[i], text, &options->values[i]);
        if (status != VDNN_OK)
            return status;
    }
    return VDNN_OK;
}

static vdnn_status find_option(unsigned program, const char *name, size_t length, size_t *found)
{
    const char *names[VDNN_OPTION_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        if ((table[i].programs & program) == 0)
            continue;
        names[count++] = table[i].name;
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) {
            *found = i;
            return VDNN_OK;
        }
    }
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 63 ? length : 63), name);
    const char *nearest = vdnn_text_nearest(wanted, names, count);
    if (nearest == NULL)
        return vdnn_status_fail(VDNN_USAGE, "there is no option --%s; --help lists all options",
                                wanted);
    return vdnn_status_fail(VDNN_USAGE, "there is no option --%s (did you mean --%s?)", wanted,
                            nearest);
}

/* Words up to the next option, of which `at` is the first; then the last. */
static void take_words(int argc, char *const *argv, int *at, vdnn_option_value *value)
{
    value->words = &argv[*at];
    value->integer = 1;
    for (; *at + 1 < argc && strncmp(argv[*at + 1], "--", 2) != 0; ++*at)
        value->integer++;
}

/* What a word was meant as, which no option takes: an option without its dashes, or the network. */
static vdnn_status refuse_word(unsigned program, const char *word, bool has_model)
{
    const size_t dashes = strspn(word, "-");
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++)
        if ((table[i].programs & program) != 0 && strcmp(table[i].name, word + dashes) == 0)
            return vdnn_status_fail(VDNN_USAGE, "'%s' is not an option (did you mean --%s?)", word,
                                    table[i].name);
    if (dashes > 0 || has_model)
        return vdnn_status_fail(VDNN_USAGE, "'%s' is not an option; --help lists all options",
                                word);
    return vdnn_status_fail(VDNN_USAGE, "'%s' is not an option (did you mean --model %s?)", word,
                            word);
}

/* One option of the command line: `--name value`, `--name=value` or `--flag`. */
static vdnn_status read_option(unsigned program, int argc, char *const *argv, int *at,
                               bool *on_line, vdnn_options *options)
{
    const char *word = argv[*at];
    if (strcmp(word, "-h") == 0)
        word = "--help";
    if (strncmp(word, "--", 2) != 0 || word[2] == '\0')
        return refuse_word(program, word, on_line[VDNN_OPTION_MODEL]);
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? strlen(word + 2) : (size_t)(equals - word - 2), i;
    vdnn_status status = find_option(program, word + 2, length, &i);
    if (status != VDNN_OK)
        return status;
    origin from = {.option = &table[i]};
    (void)snprintf(from.name, sizeof from.name, "--%s", table[i].name);
    const char *text = equals == NULL ? NULL : equals + 1;
    if (table[i].kind == VDNN_OPTION_IS_FLAG) {
        if (text != NULL)
            return vdnn_status_fail(VDNN_USAGE, "%s takes no value", from.name);
        text = "1";
    } else if (text == NULL) {
        if (*at + 1 >= argc)
            return vdnn_status_fail(VDNN_USAGE, "%s needs a value: %s", from.name,
                                    table[i].metavar);
        text = argv[++*at];
    }
    on_line[i] = true;
    vdnn_status set = set_value(&from, text, &options->values[i]);
    if (set == VDNN_OK && table[i].kind == VDNN_OPTION_IS_FILES && equals == NULL)
        take_words(argc, argv, at, &options->values[i]);
    return set;
}

static bool asks_for_help(int argc, char *const *argv, vdnn_options *options)
{
    static const struct {
        const char *word;
        vdnn_option_id id;
    } words[] = {
        {"--help", VDNN_OPTION_HELP}, {"-h", VDNN_OPTION_HELP}, {"--version", VDNN_OPTION_VERSION}};
    for (int a = 1; a < argc; a++)
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            if (strcmp(argv[a], words[w].word) == 0) {
                options->values[words[w].id] = (vdnn_option_value){.given = true, .text = "1"};
                return true;
            }
    return false;
}

vdnn_status vdnn_options_parse(unsigned program, int argc, char *const *argv,
                               char *(*environment)(const char *name), vdnn_options *options)
{
    vdnn_options fresh = {.program = program, .argv = argv};
    bool on_line[VDNN_OPTION_COUNT] = {false};
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        origin from = {.option = &table[i], .name = "preset"};
        if (table[i].preset != NULL && (table[i].programs & program) != 0 &&
            table[i].kind != VDNN_OPTION_IS_CHOICE)
            status = set_value(&from, table[i].preset, &fresh.values[i]);
        fresh.values[i].text = table[i].preset;
        fresh.values[i].given = false;
    }
    if (asks_for_help(argc, argv, &fresh)) {
        *options = fresh;
        return VDNN_OK;
    }
    for (int a = 1; a < argc && status == VDNN_OK; a++)
        status = read_option(program, argc, argv, &a, on_line, &fresh);
    if (status == VDNN_OK)
        status = read_environment(program, environment, on_line, &fresh);
    if (status == VDNN_OK)
        *options = fresh;
    return status;
}

const char *vdnn_options_text(const vdnn_options *options, vdnn_option_id id)
{
    return options->values[id].text;
}

int64_t vdnn_options_integer(const vdnn_options *options, vdnn_option_id id)
{
    return options->values[id].integer;
}

bool vdnn_options_flag(const vdnn_options *options, vdnn_option_id id)
{
    return options->values[id].given;
}

/* Adds words with line breaks, every line from HELP_COLUMN on. */
static void add_wrapped(vdnn_text *text, const char *words)
{
    enum { WIDTH = 98 };
    size_t column = HELP_COLUMN;
    bool begins = true;
    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        if (column + length > WIDTH) {
            vdnn_text_add(text, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
            begins = true;
        }
        vdnn_text_add(text, "%s%.*s", begins ? "" : " ", (int)length, words);
        begins = false;
        column += length + 1;
        words += length + (words[length] == ' ');
    }
    vdnn_text_add(text, "\n");
}

static void add_option_help(const vdnn_option *option, vdnn_text *text)
{
    char head[80], choices[CHOICES_BYTES], words[2 * CHOICES_BYTES];
    (void)snprintf(head, sizeof head, "  --%s%s%s", option->name, option->metavar ? " " : "",
                   option->metavar ? option->metavar : "");
    vdnn_text_add(text, "%-*s", HELP_COLUMN - 1, head);
    if (strlen(head) >= HELP_COLUMN)
        vdnn_text_add(text, "\n%*s", HELP_COLUMN, "");
    else
        vdnn_text_add(text, " ");
    vdnn_option_choices(option, choices, sizeof choices);
    int length =
        snprintf(words, sizeof words, "%s%s%s", option->help, choices[0] ? "; " : "", choices);
    size_t used = (size_t)length;
    if (option->preset != NULL && used < sizeof words)
        (void)snprintf(words + used, sizeof words - used, " (default: %s)", option->preset);
    add_wrapped(text, words);
}

void vdnn_options_help(unsigned program, vdnn_text *text)
{
    size_t p = program_index(program);
    vdnn_text_add(text, "%s %s\n\nExamples\n%s", programs[p].name, programs[p].what,
                  programs[p].examples);
    const char *group = "";
    for (size_t i = 0; i < VDNN_OPTION_COUNT; i++) {
        if ((table[i].programs & program) == 0)
            continue;
        if (strcmp(group, table[i].group) != 0)
            vdnn_text_add(text, "\n%s\n", table[i].group);
        group = table[i].group;
        add_option_help(&table[i], text);
    }
    vdnn_text_add(
        text, "\nEvery option can also be set in the environment, --device-mem as "
              "VDNN_DEVICE_MEM;\nthe command line wins.\n\n"
              "Exit codes: 0 success, 2 usage, 3 bad input, 4 does not fit the budget, "
              "5 device,\n6 file or checkpoint, 7 a peer process failed, 8 verification mismatch, "
              "75 checkpointed on a\nsignal, 130 and 143 interrupted.\n");
}
