/* `make demo` prints what README.md shows of it, but for what a machine's speed makes of it. */

#include "tests/support/run_program.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 256, LINE_BYTES = 512 };

typedef struct lines {
    char at[MAX_LINES][LINE_BYTES];
    int count;
} lines;

/* What is another one elsewhere, in this order; the last one applies where the others are done. */
static const struct {
    const char *pattern, *becomes;
} shapes[] = {
    {"^(dyn|all|conv): plans", "POLICY: plans"}, /* the first one that offloads is told last */
    {"(vgg16|lenet), batch [0-9]+, .* \\([0-9]+ threads?\\)", "NETWORK, batch 1, MACHINE"},
    {"^lenet:", "NETWORK:"},
    {"^[ *]dyn = [a-z]+ \\([a-z]+\\)", "dyn = POLICY"},
    {"^[ *](base|all|conv|opt)", "POLICY"},
    {"fits is .*", "fits is POLICY"}, /* which, and what takes the least, is the machine's matter */
    {"( +([GM]iB|m?s)){4,}", " UNITS"},
    {"[0-9]+(\\.[0-9]+)?", "#"},
    {"# (B|[KMG]iB)", "BYTES"},
    {"(# h )?(# min )?# m?s", "TIME"},
    {" (yes|no) ", " FITS "},
    {" +", " "},
};

static void replace_all(char *line, const char *pattern, const char *becomes)
{
    char out[LINE_BYTES];
    regex_t expression;
    regmatch_t match;
    size_t used = 0;
    assert_int_equal(regcomp(&expression, pattern, REG_EXTENDED), 0);
    const char *rest = line;
    while (regexec(&expression, rest, 1, &match, rest == line ? 0 : REG_NOTBOL) == 0 &&
           match.rm_eo > 0) {
        used += (size_t)snprintf(out + used, sizeof out - used, "%.*s%s", (int)match.rm_so, rest,
                                 becomes);
        assert_true(used < sizeof out);
        rest += match.rm_eo;
    }
    (void)snprintf(out + used, sizeof out - used, "%s", rest);
    regfree(&expression);
    memcpy(line, out, sizeof out);
}

/* Where a paragraph goes on, with a hanging indent, depends on its words: it becomes one line. */
static void join_paragraphs(char *text)
{
    for (char *at = text; (at = strstr(at, "\n  ")) != NULL; at++)
        if (at[3] != ' ')
            *at = ' ';
}

/* Lines in a row that have become alike are one. */
static void add_lines(lines *all, char *text)
{
    join_paragraphs(text);
    for (char *line = strsep(&text, "\n"); line != NULL; line = strsep(&text, "\n")) {
        char *shape = all->at[all->count];
        if (line[0] == '\0' || strcmp(line, "...") == 0)
            continue;
        assert_true(all->count < MAX_LINES);
        (void)snprintf(shape, LINE_BYTES, "%s", line);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            replace_all(shape, shapes[i].pattern, shapes[i].becomes);
        all->count += all->count == 0 || strcmp(shape, all->at[all->count - 1]) != 0;
    }
}

static void read_transcript(lines *all)
{
    static const char begin[] = "\n$ make demo\n";
    char *text, *from, *to;
    size_t count;
    vdnn_test_read_file("README.md", &text, &count);
    from = strstr(text, begin);
    assert_non_null(from);
    from += sizeof begin - 1;
    to = strstr(from, "\n```");
    assert_non_null(to);
    *to = '\0';
    add_lines(all, from);
    free(text);
}

/* The README may leave lines out, but shows no other. */
TEST_IN_FOLDER(the_demo_prints_what_the_readme_shows)
{
    static lines shown, printed;
    vdnn_test_run run;
    static const char script[] = "exec tools/demo.sh --short 2>&1\n";
    read_transcript(&shown);
    assert_true(shown.count >= 8);
    vdnn_test_write_file(vdnn_test_path(*state, "demo"), script, sizeof script - 1);
    vdnn_test_program(&run, *state, "/bin/sh @/demo");
    char *text = strdup(run.out);
    add_lines(&printed, text);
    free(text);
    if (run.code != 0)
        fail_msg("exit code %d:\n%s", run.code, run.out);
    int at = 0;
    for (int i = 0; i < shown.count; i++) {
        while (at < printed.count && strcmp(printed.at[at], shown.at[i]) != 0)
            at++;
        if (at == printed.count)
            fail_msg("the README shows '%s', the demo prints:\n%s", shown.at[i], run.out);
    }
    vdnn_test_run_free(&run);
}
