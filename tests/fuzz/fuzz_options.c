/* Command lines and the environment of both programs, and the values that options hold: sizes and
 * the names of devices. The first byte chooses the program; words are separated by newlines; those
 * after an empty one are the values of the environment, one for each option in turn. */

#include "runtime/setup/setup.h"
#include "tests/fuzz/fuzz.h"
#include "tools/options.h"

#include <string.h>

enum { MAX_WORDS = 24, TEXT_BYTES = 2048 };

static char text[TEXT_BYTES];
static char *words[MAX_WORDS + 1];
static int word_count, line_count;

static void split(const uint8_t *data, size_t size)
{
    static char name[] = "vdnn";
    if (size >= sizeof text)
        size = sizeof text - 1;
    memcpy(text, data, size);
    text[size] = '\0';
    char *rest = text;
    words[0] = name;
    line_count = 0;
    word_count = 1;
    for (char *word; word_count < MAX_WORDS && (word = strsep(&rest, "\n")) != NULL;) {
        if (word[0] == '\0' && line_count == 0)
            line_count = word_count;
        words[word_count++] = word;
    }
    words[word_count] = NULL;
    line_count = line_count == 0 ? word_count : line_count;
}

/* The variable of the k-th option has the k-th word after the command line. */
static char *environment(const char *name)
{
    char variable[64];
    for (int k = 0; k < VDNN_OPTION_COUNT && line_count + 1 + k < word_count; k++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)k);
        if (strcmp(vdnn_option_variable(option, variable, sizeof variable), name) == 0)
            return words[line_count + 1 + k];
    }
    return NULL;
}

static void check_values(const vdnn_options *options)
{
    for (int i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        const vdnn_option_value *value = &options->values[i];
        if (!value->given)
            continue;
        VDNN_FUZZ_CHECK(value->text != NULL);
        if (option->kind == VDNN_OPTION_IS_INTEGER)
            VDNN_FUZZ_CHECK((double)value->integer >= option->least);
        if (option->kind == VDNN_OPTION_IS_REAL)
            VDNN_FUZZ_CHECK(value->real >= option->least);
    }
}

static void check_size(const char *word)
{
    size_t bytes = 0, budget_bytes[VDNN_TIER_COUNT] = {0};
    vdnn_device_properties properties = {
        .memory_bytes = SIZE_MAX, .free_bytes = SIZE_MAX / 2, .shares_host_memory = true};
    vdnn_status status = vdnn_text_parse_size(word, SIZE_MAX, &bytes);
    vdnn_fuzz_status(status, 1U << VDNN_USAGE);
    VDNN_FUZZ_CHECK(status != VDNN_OK || bytes > 0);
    status = vdnn_setup_budgets(word, NULL, &properties, SIZE_MAX, budget_bytes);
    vdnn_fuzz_status(status, 1U << VDNN_USAGE);
    VDNN_FUZZ_CHECK(status != VDNN_OK || budget_bytes[VDNN_TIER_DEVICE] > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *kind = NULL;
    vdnn_options options;
    vdnn_fuzz_begin();
    unsigned program = size > 0 && data[0] % 2 == 1 ? VDNN_PROGRAM_REPORT : VDNN_PROGRAM_RUN;
    split(data + (size > 0), size - (size > 0));
    vdnn_status status = vdnn_options_parse(program, line_count, words, environment, &options);
    vdnn_fuzz_status(status, 1U << VDNN_USAGE);
    if (status == VDNN_OK)
        check_values(&options);
    for (int w = 1; w < word_count; w++) {
        check_size(words[w]);
        vdnn_fuzz_status(vdnn_setup_resolve_device(words[w], &kind),
                         1U << VDNN_USAGE | 1U << VDNN_DEVICE);
    }
    return vdnn_fuzz_end();
}
