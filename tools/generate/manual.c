/* Writes the man page or the bash completion of a program from the table of options.
 *
 *     manual page vdnnrun > vdnnrun.1
 *     manual completion vdnnrun NETWORK... > vdnnrun
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

static void put_choices(const vdnn_option *option, int count, char **models)
{
    char choices[CHOICES_BYTES];
    vdnn_option_choices(option, choices, sizeof choices);
    for (char *c = choices; *c != '\0'; c++)
        if (*c == '|')
            *c = ' ';
    bool is_model = option == vdnn_option_at(VDNN_OPTION_MODEL);
    (void)printf("    --%s)", option->name);
    if (option->kind == VDNN_OPTION_IS_FILE || option->kind == VDNN_OPTION_IS_FILES || is_model)
        (void)printf(" COMPREPLY=($(compgen -f -W \"");
    else
        (void)printf(" COMPREPLY=($(compgen -W \"");
    (void)fputs(choices, stdout);
    for (int i = 0; i < count && is_model; i++)
        (void)printf("%s%s", i == 0 ? "" : " ", models[i]);
    (void)printf("\" -- \"$word\")); return ;;\n");
}

static void put_completion(const vdnn_program_text *program, int count, char **models)
{
    (void)printf("# bash completion of %s; generated from the table of options.\n"
                 "_%s()\n"
                 "{\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                 "    COMPREPLY=()\n"
                 "    case $before in\n",
                 program->name, program->name);
    for (int i = 0; i < VDNN_OPTION_COUNT; i++) {
        const vdnn_option *option = vdnn_option_at((vdnn_option_id)i);
        if ((option->programs & program->program) != 0 && option->kind != VDNN_OPTION_IS_FLAG)
            put_choices(option, count, models);
    }
    (void)printf("    esac\n    COMPREPLY=($(compgen -W \"");
    for (int i = 0; i < VDNN_OPTION_COUNT; i++)
        if ((vdnn_option_at((vdnn_option_id)i)->programs & program->program) != 0)
            (void)printf("--%s ", vdnn_option_at((vdnn_option_id)i)->name);
    (void)printf("\" -- \"$word\"))\n}\ncomplete -F _%s %s\n", program->name, program->name);
}

int main(int argc, char **argv)
{
    size_t i = 0;
    const vdnn_program_text *program = NULL;
    while (argc > 2 && (program = vdnn_program_text_at(i)) != NULL &&
           strcmp(program->name, argv[2]) != 0)
        i++;
    if (program == NULL) {
        (void)fprintf(stderr, "usage: manual page|completion PROGRAM [NETWORK...]\n");
        return 2;
    }
    if (strcmp(argv[1], "page") == 0)
        put_page(program);
    else
        put_completion(program, argc - 3, argv + 3);
    return fflush(stdout) == 0 ? 0 : 6;
}
