/* Writes the man page or the bash completion of a program from the table of options.
 *
 *     manual page vdnnrun > vdnnrun.1
 *     manual completion vdnnrun NETWORK... -- DEVICE... > vdnnrun
 */

#include "tools/options.h"

#include <stdio.h>
#include <string.h>

enum { CHOICES_BYTES = 512 };

/* Hyphens and backslashes of roff. */
static void put_words(const char *words)
{
    for (const char *c = words; *c != '\0'; c++) {
        if (*c == '-')
            (void)fputs("\\-", stdout);
        else if (*c == '\\')
            (void)fputs("\\e", stdout);
        else
            (void)putchar(*c);
    }
}

/* ---- man page -------------------------------------------------------------------------------- */

static void put_option(const vdnn_option *option)
{
    char choices[CHOICES_BYTES], variable[64];
    (void)printf(".TP\n.BR \\-\\-");
    put_words(option->name);
    if (option->metavar != NULL) {
        (void)printf(" \" \" \"");
        put_words(option->metavar);
        (void)putchar('"');
    }
    (void)putchar('\n');
    put_words(option->help);
    if (vdnn_option_choices(option, choices, sizeof choices)[0] != '\0') {
        (void)fputs("; ", stdout);
        put_words(choices);
    }
    if (option->preset != NULL) {
        (void)fputs(" (default: ", stdout);
        put_words(option->preset);
        (void)putchar(')');
    }
    (void)printf(".\nAlso: %s.\n", vdnn_option_variable(option, variable, sizeof variable));
}

static void put_options(unsigned program)
{
    const char *group = "";
    for (int i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        if ((option->programs & program) == 0)
            continue;
        if (strcmp(group, option->group) != 0)
            (void)printf(".SS %s\n", option->group);
        group = option->group;
        put_option(option);
    }
}

static void put_exit_codes(void)
{
    static const struct {
        vdnn_status status;
        const char *text;
    } rows[] = {
#define X(name, value, code, text) {VDNN_##name, text},
        VDNN_STATUS_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        (void)printf(".TP\n.B %d\n%s\n", vdnn_status_exit_code(rows[i].status), rows[i].text);
}

static void put_page(const vdnn_program_text *program)
{
    (void)printf(".TH %s 1 \"\" \"vdnn %s\" \"User Commands\"\n.SH NAME\n%s \\- ", program->name,
                 VDNN_VERSION, program->name);
    put_words(program->what);
    (void)printf("\n.SH SYNOPSIS\n.B %s \\-\\-model\n.I FILE|NAME\n[\n.I options\n]\n"
                 ".SH EXAMPLES\n.nf\n",
                 program->name);
    put_words(program->examples);
    (void)printf(".fi\n.SH OPTIONS\n");
    put_options(program->program);
    (void)printf(".SH ENVIRONMENT\n"
                 "Every option can also be set by the environment variable named with it; the "
                 "command line wins.\n"
                 ".B NO_COLOR\n"
                 "and\n"
                 ".B OMP_NUM_THREADS\n"
                 "are obeyed.\n"
                 ".SH EXIT STATUS\n");
    put_exit_codes();
    (void)printf(
        ".SH SEE ALSO\n.BR vdnnrun (1),\n.BR vdnnreport (1),\n.BR vdnnscale (1),\n.BR vdnn (3)\n");
}

/* ---- completion ------------------------------------------------------------------------------ */

/* The names of what stands in models/: networks, then device models. */
typedef struct names {
    char **networks, **devices;
    int network_count, device_count;
} names;

/* bash splits words at = and :, and makes these separate words: they are put together again,
 * and of --option=value only the value is completed. What stands before the last colon is not part
 * of what bash replaces. Helpers complete items of a list, and what a prefix and a folder make. */
static const char head[] =
    "{\n"
    "    local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} before\n"
    "    while ((at > 1)) && [[ ${COMP_WORDS[at]} == [=:] || ${COMP_WORDS[at - 1]} == [=:] ]]; do\n"
    "        at=$((at - 1)) && word=${COMP_WORDS[at]}$word\n"
    "    done\n"
    "    before=${COMP_WORDS[at - 1]}\n"
    "    [[ $word == --*=* ]] && before=${word%%=*} word=${word#*=}\n"
    "    local list=${word%\"${word##*,}\"} colon=${word%\"${word##*:}\"}\n"
    "    COMPREPLY=()\n"
    "    case $before in\n";

static const char tail[] =
    "    esac\n"
    "    [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=(\"${COMPREPLY[@]#\"$colon\"}\")\n"
    "}\n";

static bool is_folder(const vdnn_option *option)
{
    const char *last = option->metavar == NULL ? NULL : strstr(option->metavar, "DIR");
    return last != NULL && strcmp(last, "DIR") == 0;
}

static bool is_of(const vdnn_option *option, vdnn_option_id id)
{
    return option == vdnn_option_at(id);
}

static void put_choices(const vdnn_option *option)
{
    char choices[CHOICES_BYTES];
    vdnn_option_choices(option, choices, sizeof choices);
    for (char *c = choices; *c != '\0'; c++)
        *c = (char)(*c == '|' ? ' ' : *c);
    (void)fputs(choices, stdout);
}

static void put_words_of(const char *before, char **words, int count)
{
    for (int i = 0; i < count; i++)
        (void)printf(" %s%s", before, words[i]);
}

/* "idx:" of "idx:DIR". */
static void put_data_kinds(void)
{
    vdnn_text kinds = {0};
    if (vdnn_data_names(&kinds) == VDNN_OK)
        for (char *rest = kinds.data, *kind; (kind = strsep(&rest, "\n")) != NULL;)
            (void)printf(" %.*s", (int)(strcspn(kind, "[:") + (kind[strcspn(kind, "[:")] == ':')),
                         kind);
    vdnn_text_fini(&kinds);
}

/* A kind, then a folder: only names of files may be quoted as such. */
static void put_data(void)
{
    (void)fputs("        compopt -o nospace 2>/dev/null\n"
                "        if [[ $word == *:* ]]; then\n"
                "            compopt -o filenames 2>/dev/null\n"
                "            COMPREPLY=($(compgen -d -P \"${word%%:*}:\" -- \"${word#*:}\"))\n"
                "        else\n"
                "            COMPREPLY=($(compgen -W \"",
                stdout);
    put_data_kinds();
    (void)fputs("\" -- \"$word\"))\n        fi ;;\n", stdout);
}

/* What a value may be: names, files or folders. */
static void put_values(const vdnn_option *option, const names *known)
{
    const bool is_list = option->kind == VDNN_OPTION_IS_LIST,
               is_model = is_of(option, VDNN_OPTION_MODEL),
               is_file = option->kind == VDNN_OPTION_IS_FILE ||
                         option->kind == VDNN_OPTION_IS_FILES || is_model;
    if (is_file)
        (void)fputs("        compopt -o filenames 2>/dev/null\n", stdout);
    if (is_of(option, VDNN_OPTION_DEVICE)) {
        (void)fputs("        [[ $word == sim:*,* ]] && COMPREPLY=($(compgen -P \"$list\" -W \"",
                    stdout);
        put_words_of("", known->devices, known->device_count);
        (void)fputs("\" -- \"${word##*,}\")) ||\n    ", stdout);
    }
    (void)printf("        COMPREPLY=($(compgen%s%s -W \"",
                 is_folder(option) ? " -d"
                 : is_file         ? " -f"
                                   : "",
                 is_list ? " -P \"$list\"" : "");
    put_choices(option);
    if (is_model)
        put_words_of("", known->networks, known->network_count);
    if (is_of(option, VDNN_OPTION_DEVICE)) {
        (void)fputs("auto cpu cuda", stdout);
        put_words_of("sim:", known->devices, known->device_count);
    }
    if (is_of(option, VDNN_OPTION_RESUME))
        (void)fputs("auto", stdout);
    (void)printf("\" -- \"%s\")) ;;\n", is_list ? "${word##*,}" : "$word");
}

static void put_completion(const vdnn_program_text *program, const names *known)
{
    (void)printf("# bash completion of %s; generated from the table of options.\n_%s()\n%s",
                 program->name, program->name, head);
    for (int i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        if ((option->programs & program->program) == 0 || option->kind == VDNN_OPTION_IS_FLAG)
            continue;
        (void)printf("    --%s)\n", option->name);
        if (is_of(option, VDNN_OPTION_DATA) || is_of(option, VDNN_OPTION_TEST_DATA))
            put_data();
        else
            put_values(option, known);
    }
    (void)printf("    *)\n        COMPREPLY=($(compgen -W \"");
    for (int i = 0; i < VDNN_OPTION_COUNT; i++)
        if ((vdnn_option_at((vdnn_option_id)i)->programs & program->program) != 0)
            (void)printf("--%s ", vdnn_option_at((vdnn_option_id)i)->name);
    (void)printf("\" -- \"$word\")) ;;\n%scomplete -F _%s %s\n", tail, program->name,
                 program->name);
}

int main(int argc, char **argv)
{
    size_t i = 0;
    const vdnn_program_text *program = NULL;
    while (argc > 2 && (program = vdnn_program_text_at(i)) != NULL &&
           strcmp(program->name, argv[2]) != 0)
        i++;
    if (program == NULL) {
        (void)fprintf(stderr, "usage: manual page|completion PROGRAM [NETWORK... -- DEVICE...]\n");
        return 2;
    }
    if (strcmp(argv[1], "page") == 0)
        put_page(program);
    else {
        names known = {.networks = argv + 3};
        while (known.network_count < argc - 3 &&
               strcmp(known.networks[known.network_count], "--") != 0)
            known.network_count++;
        known.devices = known.networks + known.network_count + 1;
        known.device_count = argc - 3 - known.network_count - 1;
        put_completion(program, &known);
    }
    return fflush(stdout) == 0 ? 0 : 6;
}
