#include "tools/program.h"

#include "tools/terminal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *vdnn_program_cache(char *(*environment)(const char *name), char *folder, size_t size)
{
    /* A relative path is to be ignored, says the XDG Base Directory Specification. */
    static const struct {
        const char *variable, *below;
    } places[] = {{"XDG_CACHE_HOME", "vdnn"}, {"HOME", ".cache/vdnn"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *base = environment(places[i].variable);
        if (base == NULL || base[0] != '/')
            continue;
        int length = snprintf(folder, size, "%s/%s", base, places[i].below);
        return length >= 0 && (size_t)length < size ? folder : NULL;
    }
    return NULL;
}

int vdnn_program_columns(void)
{
    enum { MOST = 100 };
    const int columns = vdnn_terminal_columns(STDOUT_FILENO, getenv);
    return columns == 0 || columns > MOST ? MOST : columns;
}

vdnn_status vdnn_program_fill(const vdnn_options *options, vdnn_option_structs *structs)
{
    static char cache[PATH_MAX]; /* lives as long as the program */
    const bool caches = !vdnn_options_flag(options, VDNN_OPTION_NO_CACHE);
    if (vdnn_options_text(options, VDNN_OPTION_MODEL) == NULL)
        return vdnn_status_fail(VDNN_USAGE, "--model is missing: a network file, or the name of "
                                            "one in models/ (for example --model lenet)");
    vdnn_options_fill(options, structs);
    structs->planning.cache = caches ? vdnn_program_cache(getenv, cache, sizeof cache) : NULL;
    structs->print.columns = vdnn_program_columns();
    return VDNN_OK;
}

/* ---- the command line ------------------------------------------------------------------------ */

static void add_quoted(const char *word, vdnn_text *text)
{
    vdnn_text_add(text, "'");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            vdnn_text_add(text, "'\\''");
        else
            vdnn_text_add(text, "%c", *word);
    vdnn_text_add(text, "'");
}

static bool is_one_of(const char *word, const vdnn_option_id *ids, size_t count, bool *has_value)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
    for (size_t i = 0; i < count; i++) {
        const vdnn_option *option = vdnn_option_at(ids[i]);
        if (strncmp(word, "--", 2) != 0 || strlen(option->name) + 2 != length ||
            strncmp(word + 2, option->name, length - 2) != 0)
            continue;
        *has_value = option->kind != VDNN_OPTION_IS_FLAG && equals == NULL;
        return true;
    }
    return false;
}

const char *vdnn_program_command(const vdnn_options *options, const char *program,
                                 const vdnn_option_id *without, size_t count, vdnn_text *text)
{
    bool has_value = false;
    vdnn_text_add(text, "%s", program);
    for (char *const *word = options->argv + 1; *word != NULL; word++) {
        if (is_one_of(*word, without, count, &has_value)) {
            word += has_value && word[1] != NULL;
            continue;
        }
        vdnn_text_add(text, " ");
        if (**word != '\0' && strpbrk(*word, " \t\n\"'$`\\;&|<>()*?[]{}~#!") == NULL)
            vdnn_text_add(text, "%s", *word);
        else
            add_quoted(*word, text);
    }
    return text->data;
}

/* ---- the standard streams -------------------------------------------------------------------- */

static bool was_output_closed;

/* A file that is opened while one of them is closed gets its number, and what is said goes into it:
 * into a trace, a lock, the file tier. */
static void open_streams(void)
{
    was_output_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
    int file = open("/dev/null", O_RDWR);
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDWR);
    if (file > STDERR_FILENO)
        (void)close(file);
}

vdnn_status vdnn_program_check_output(const char *path)
{
    if (path == NULL)
        return VDNN_OK;
    if (strcmp(path, "-") != 0)
        return vdnn_text_check_path(path);
    return was_output_closed
               ? vdnn_status_fail(VDNN_FILE, "standard output, for which this is, is closed")
               : VDNN_OK;
}

vdnn_status vdnn_program_write(const char *path, const vdnn_text *text)
{
    if (path == NULL)
        return VDNN_OK;
    if (text->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what %s would hold", path);
    if (strcmp(path, "-") != 0)
        return vdnn_text_save(text, path);
    vdnn_text shown = {0};
    vdnn_text_add(&shown, "%s", text->data == NULL ? "" : text->data);
    vdnn_status status = VDNN_OK;
    if (shown.failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for standard output");
    else if (shown.data != NULL)
        vdnn_terminal_mask(shown.data);
    if (status == VDNN_OK &&
        (fwrite(shown.data, 1, shown.length, stdout) != shown.length || fflush(stdout) != 0))
        status = vdnn_console_fail_output();
    vdnn_text_fini(&shown);
    return status;
}

/* NULL: the option is none of the program's that names a file of results, or was not given. */
static const char *output_path(const vdnn_options *options, int id)
{
    const vdnn_option *option = vdnn_option_at((vdnn_option_id)id);
    return option->is_output && (option->programs & options->program) != 0
               ? vdnn_options_text(options, (vdnn_option_id)id)
               : NULL;
}

vdnn_status vdnn_program_check_outputs(const vdnn_options *options)
{
    vdnn_status status = VDNN_OK;
    for (int id = 0; status == VDNN_OK && id < VDNN_OPTION_COUNT; id++)
        status = vdnn_program_check_output(output_path(options, id));
    return status;
}

static vdnn_status write_output(vdnn_program_adder *add, void *results, vdnn_report_format format,
                                const char *path)
{
    vdnn_text text = {0};
    vdnn_status status = add(results, format, &text);
    if (status == VDNN_OK)
        status = vdnn_program_write(path, &text);
    vdnn_text_fini(&text);
    return status;
}

vdnn_status vdnn_program_write_outputs(const vdnn_options *options, vdnn_program_adder *add,
                                       void *results, vdnn_report_format shown, bool is_shown)
{
    vdnn_status status = VDNN_OK;
    bool has_file = false;
    for (int id = 0; status == VDNN_OK && id < VDNN_OPTION_COUNT; id++) {
        const char *path = output_path(options, id);
        if (path == NULL)
            continue;
        status = write_output(add, results, vdnn_option_at((vdnn_option_id)id)->format, path);
        has_file = true;
    }
    if (status == VDNN_OK && (is_shown || !has_file))
        status = write_output(add, results, shown, "-");
    return status;
}

static vdnn_status print_help(unsigned program)
{
    vdnn_text text = {0};
    vdnn_options_help(program, &text);
    vdnn_status status = vdnn_program_write("-", &text);
    vdnn_text_fini(&text);
    return status;
}

/* ---- what was probably meant otherwise ------------------------------------------------------- */

#define PREFIX "VDNN_"

/* Variables of VDNN_ that no option has: who starts processes sets some, and tests others. */
static bool is_other(const char *name)
{
    static const char *const others[] = {PREFIX "WORLD_", PREFIX "TEST_", PREFIX "BIN"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return true;
    return false;
}

/* A variable that names no option of any program sets nothing. */
static void warn_of_variable(const char *name, const vdnn_messages *messages)
{
    char variables[VDNN_OPTION_COUNT][64], text[256];
    const char *names[VDNN_OPTION_COUNT];
    for (int i = 0; i < VDNN_OPTION_COUNT; i++) {
        names[i] = vdnn_option_variable(vdnn_option_at((vdnn_option_id)i), variables[i],
                                        sizeof variables[i]) +
                   strlen(PREFIX);
        if (strcmp(variables[i], name) == 0)
            return;
    }
    if (is_other(name))
        return;
    const char *nearest = vdnn_text_nearest(name + strlen(PREFIX), names, VDNN_OPTION_COUNT);
    (void)snprintf(text, sizeof text, "%.64s is set in the environment, and sets no option%s%s%s",
                   name, nearest == NULL ? "" : " (did you mean " PREFIX,
                   nearest == NULL ? "" : nearest, nearest == NULL ? "" : "?)");
    messages->log(messages->context, VDNN_LOG_WARN, text);
}

/* A size of some bytes that lacks its unit, of which nothing would fit. */
static void warn_of_size(const vdnn_option *option, const vdnn_option_value *value,
                         const vdnn_messages *messages)
{
    enum { FEWEST = 65536 };
    char text[256];
    if (!value->given || strspn(value->text, "0123456789.") != strlen(value->text) ||
        strtoll(value->text, NULL, 10) >= FEWEST)
        return;
    (void)snprintf(text, sizeof text, "--%s %s is %s byte%s (did you mean %sMiB?)", option->name,
                   value->text, value->text, strcmp(value->text, "1") == 0 ? "" : "s", value->text);
    messages->log(messages->context, VDNN_LOG_WARN, text);
}

static void warn(const vdnn_options *options, const vdnn_messages *messages)
{
    char name[64];
    for (char *const *variable = environ; *variable != NULL; variable++) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="), *variable);
        if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
            warn_of_variable(name, messages);
    }
    for (int i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        if (option->kind == VDNN_OPTION_IS_SIZE && (option->programs & options->program) != 0)
            warn_of_size(option, &options->values[i], messages);
    }
}

int vdnn_program_main(unsigned program, const char *name, int argc, char **argv,
                      vdnn_program_body body)
{
    vdnn_options options;
    vdnn_console console;
    open_streams();
    vdnn_status status = vdnn_options_parse(program, argc, argv, getenv, &options);
    vdnn_console_init(&console, name, status == VDNN_OK ? &options : NULL);
    vdnn_messages messages = vdnn_console_messages(&console);
    if (status == VDNN_OK && vdnn_options_flag(&options, VDNN_OPTION_HELP))
        status = print_help(program);
    else if (status == VDNN_OK && vdnn_options_flag(&options, VDNN_OPTION_VERSION))
        (void)printf("%s %s\n", name, vdnn_version());
    else if (status == VDNN_OK) {
        if (console.is_first)
            warn(&options, &messages);
        status = body(&options, &messages);
    }
    return vdnn_console_finish(&console, status);
}
