/* What README.md shows works, and is so short that it is read. */

#include "tests/support/run_program.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 150, MOST_BYTES = 12000, LINE_BYTES = 1024 };

static void read_text(const char *path, char **text)
{
    size_t count;
    vdnn_test_read_file(path, text, &count);
}

/* Between the line ```TYPE that is followed by FIRST and the next ```. */
static char *block_of(const char *type, const char *first)
{
    char *text, begin[LINE_BYTES];
    read_text("README.md", &text);
    (void)snprintf(begin, sizeof begin, "\n```%s\n%s", type, first);
    const char *from = strstr(text, begin);
    assert_non_null(from);
    from = strstr(from + 1, "\n") + 1;
    const char *to = strstr(from, "```");
    assert_non_null(to);
    char *block = strndup(from, (size_t)(to - from));
    free(text);
    return block;
}

static void put(const char *folder, const char *name, const char *text)
{
    vdnn_test_write_file(vdnn_test_path(folder, name), text, strlen(text));
}

static void replace(char *line, const char *what, const char *by)
{
    char fresh[LINE_BYTES], *at = strstr(line, what);
    if (at == NULL)
        return;
    (void)snprintf(fresh, sizeof fresh, "%.*s%s%s", (int)(at - line), line, by, at + strlen(what));
    memcpy(line, fresh, sizeof fresh);
}

static void it_is_short(void **state)
{
    char *text;
    int lines = 0;
    (void)state;
    read_text("README.md", &text);
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    assert_in_range(lines, 50, MOST_LINES);
    assert_in_range(strlen(text), 1000, MOST_BYTES);
    free(text);
}

static void its_links_lead_to_files(void **state)
{
    char *text;
    int links = 0;
    (void)state;
    read_text("README.md", &text);
    for (char *at = text; (at = strstr(at, "](")) != NULL; links++) {
        char *end = strchr(at, ')');
        assert_non_null(end);
        char *path = strndup(at + 2, (size_t)(end - at) - 2);
        if (access(path, R_OK) != 0)
            fail_msg("README.md leads to %s, which is not there", path);
        free(path);
        at = end;
    }
    assert_in_range(links, 10, 100);
    free(text);
}

/* The commands on the network that it shows; data that is nobody's but the reader's is made up. */
static void its_commands_run(void **state)
{
    static const struct {
        const char *shown, *run;
    } files[] = {{"mine.yaml", "@/mine.yaml"},
                 {"report.html", "@/report.html"},
                 {"--checkpoint run", "--checkpoint @/run"},
                 {"cifar10:DIR", "synthetic"}};
    char *network = block_of("yaml", "name: mine"),
         *commands = block_of("", "build/bin/vdnnrun --model mine"), *rest = commands;
    int count = 0;
    put(*state, "mine.yaml", network);
    for (char *shown = strsep(&rest, "\n"); shown != NULL; shown = strsep(&rest, "\n")) {
        char line[LINE_BYTES], *remark = strstr(shown, "  ");
        vdnn_test_run run;
        if (shown[0] == '\0')
            continue;
        assert_non_null(remark);
        *remark = '\0';
        const bool trains = strstr(shown, "vdnnrun") != NULL && strstr(shown, "--explain") == NULL;
        (void)snprintf(line, sizeof line, "%s%s", shown + strlen("build/bin/"),
                       trains ? " --steps 2" : "");
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            replace(line, files[f].shown, files[f].run);
        vdnn_test_program(&run, *state, "%s", line);
        if (run.code != 0)
            fail_msg("%s: exit code %d: %s", shown, run.code, run.err);
        vdnn_test_run_free(&run);
        count++;
    }
    assert_int_equal(count, 8);
    free(network);
    free(commands);
}

static void its_program_compiles(void **state)
{
    char *program = block_of("c", "#include <vdnn.h>");
    vdnn_test_run run;
    put(*state, "train.c", program);
    vdnn_test_program(&run, *state,
                      "/usr/bin/cc -fsyntax-only -Wall -Wextra -Werror -Iruntime @/train.c");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    free(program);
}

/* The row of RESULTS.md that begins as the README's has all its cells, in their order. */
static void expect_row(char *results, char *row)
{
    char begin[LINE_BYTES], line[LINE_BYTES], *at = line;
    const char *second = strchr(row + 2, '|');
    assert_non_null(second);
    (void)snprintf(begin, sizeof begin, "\n%.*s|", (int)(second - row), row);
    const char *there = strstr(results, begin);
    if (there == NULL) {
        fail_msg("RESULTS.md has no row '%s'", begin + 1);
        return;
    }
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(there + 1, "\n"), there + 1);
    for (char *cell = strtok(row, "|"); cell != NULL; cell = strtok(NULL, "|")) {
        char *found = strstr(at, cell);
        if (found == NULL) {
            fail_msg("'%s' does not stand in: %s", cell, line);
            return;
        }
        at = found + strlen(cell);
    }
}

static void its_numbers_stand_in_the_results(void **state)
{
    char *text, *results, *rest;
    int rows = 0;
    (void)state;
    read_text("README.md", &text);
    read_text("tests/bench/RESULTS.md", &results);
    rest = strstr(text, "\n## Measured");
    assert_non_null(rest);
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        if (strncmp(line, "## Beside", 9) == 0)
            break;
        if (strstr(line, " MiB |") != NULL) {
            expect_row(results, line);
            rows++;
        }
    }
    assert_int_equal(rows, 3);
    free(text);
    free(results);
}

static void its_picture_is_what_the_programs_draw_now(void **state)
{
    vdnn_test_run run;
    if (access("/usr/bin/python3", X_OK) != 0)
        skip_because("there is no /usr/bin/python3");
    vdnn_test_program(&run, *state,
                      "/usr/bin/python3 tools/step_picture.py --vdnnrun %s/vdnnrun @/step.svg",
                      vdnn_test_bin());
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    char *shown, *drawn;
    read_text("traces/step.svg", &shown);
    read_text(vdnn_test_path(*state, "step.svg"), &drawn);
    if (strcmp(shown, drawn) != 0)
        fail_msg(
            "traces/step.svg is older than what it shows: tools/step_picture.py traces/step.svg");
    free(shown);
    free(drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_short),
        cmocka_unit_test(its_links_lead_to_files),
        cmocka_unit_test_setup_teardown(its_commands_run, vdnn_test_make_folder,
                                        vdnn_test_remove_folder),
        cmocka_unit_test_setup_teardown(its_program_compiles, vdnn_test_make_folder,
                                        vdnn_test_remove_folder),
        cmocka_unit_test(its_numbers_stand_in_the_results),
        cmocka_unit_test_setup_teardown(its_picture_is_what_the_programs_draw_now,
                                        vdnn_test_make_folder, vdnn_test_remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
