/* What people see: the programs in a pseudo-terminal, and beside it in a file. */

#include "tests/support/run_program.h"

#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAR "\r\033[K["
#define RED "\033[31m"
#define PLAIN "\033[0m"

enum { SCREEN_BYTES = 1 << 20, WIDE = 160 };

static unsigned short screen_columns = WIDE; /* of the next terminal */

/* All that a program wrote on its terminal. */
typedef struct screen {
    char text[SCREEN_BYTES];
    int code;
} screen;

static void become(const char *bin, const char *variable, char *line)
{
    char *words[32] = {0}, *rest = line, *word;
    char program[512];
    int count = 0;
    while ((word = strsep(&rest, " ")) != NULL && count < 31)
        words[count++] = word;
    (void)snprintf(program, sizeof program, "%s/%s", bin, words[0]);
    (void)setenv("OMP_NUM_THREADS", "1", 1);
    (void)setenv("VDNN_NO_CACHE", "1", 1);
    (void)unsetenv("NO_COLOR");
    (void)unsetenv("COLUMNS");
    (void)setenv("TERM", "xterm", 1);
    if (variable != NULL)
        (void)putenv(strdup(variable));
    (void)execv(program, words);
    _exit(127);
}

/* Runs the line, whose words are apart by one blank, on a terminal of its own; `variable` is one
 * more of its environment. */
static screen *run_on_terminal(const char *variable, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static screen *run_on_terminal(const char *variable, const char *format, ...)
{
    static screen seen;
    char line[1024];
    int terminal, state;
    size_t count = 0;
    ssize_t got;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    (void)fflush(NULL);
    pid_t pid =
        forkpty(&terminal, NULL, NULL, &(struct winsize){.ws_row = 24, .ws_col = screen_columns});
    assert_true(pid >= 0);
    if (pid == 0)
        become(vdnn_test_bin(), variable, line);
    while (count < sizeof seen.text - 1 &&
           (got = read(terminal, seen.text + count, sizeof seen.text - 1 - count)) > 0)
        count += (size_t)got;
    seen.text[count] = '\0';
    (void)close(terminal);
    assert_int_equal(waitpid(pid, &state, 0), pid);
    seen.code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return &seen;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static void expect_count(const char *text, const char *part, int low, int high)
{
    int found = count_of(text, part);
    if (found < low || found > high)
        fail_msg("%d times '%s', expected %d to %d, in:\n%s", found, part, low, high, text);
}

/* The bar is drawn over itself, grows, and ends full on a line of its own. */
TEST_IN_FOLDER(training_on_a_terminal_draws_one_bar)
{
    const char *model = vdnn_test_network(*state);
    const screen *seen = run_on_terminal(NULL, "vdnnrun --model %s --steps 800", model);
    assert_int_equal(seen->code, 0);
    int drawn = count_of(seen->text, BAR), trained = 0, most = 0;
    const char *at = seen->text;
    for (int i = 0; i < drawn; i++) {
        at = strstr(at, BAR) + strlen(BAR);
        int full = (int)strspn(at, "#"), all = full + (int)strspn(at + full, ".");
        assert_int_equal(all, 20);
        if (trained == 0 && strncmp(at + all, "] measuring ", 12) == 0) /* before it trains */
            continue;
        trained++;
        assert_true(full >= most);
        assert_memory_equal(at + all, "] training ", 11);
        most = full;
    }
    assert_true(trained >= 2); /* while it trains, and at its end */
    assert_int_equal(most, 20);
    expect_count(at, " training 800/800 ", 1, 1);
    /* Whatever else is said begins a line. */
    for (at = seen->text; (at = strstr(at, "vdnnrun: ")) != NULL; at++)
        assert_true(at == seen->text || at[-1] == '\n');
    expect_count(seen->text, "\nvdnnrun: training ", 0, 0);
}

/* Checks every drawing of the bar, each as wide as the terminal at the most; returns the last. */
static const char *check_drawings(const char *text, size_t columns)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, "\r\033[K")) != NULL;) {
        at += strlen("\r\033[K");
        const size_t length = strcspn(at, "\r\n");
        if (length >= columns)
            fail_msg("%zu columns of %zu: %.*s", length, columns, (int)length, at);
        last = at;
    }
    assert_non_null(last);
    return last;
}

/* What there is no room for is left out, the loss last, and nothing is wrapped. */
TEST_IN_FOLDER(a_bar_is_never_wider_than_its_terminal)
{
    static const struct {
        unsigned short columns;
        const char *there[4], *gone[4];
    } cases[] = {
        {160, {"] training 800/800  ", "  loss ", "  moved ", " s left"}, {NULL}},
        {80, {"] training 800/800  ", "  loss ", " images/s", " s left"}, {"  moved ", "  host "}},
        {60, {"] training 800/800  ", "  loss ", " s left"}, {"  moved ", "  device "}},
        {40, {"training 800/800  loss "}, {" images/s", "  device "}},
        {24, {"training 800/800"}, {"[", "  loss "}},
    };
    const char *model = vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        screen_columns = cases[i].columns;
        const screen *seen = run_on_terminal(NULL, "vdnnrun --model %s --steps 800", model);
        screen_columns = WIDE;
        assert_int_equal(seen->code, 0);
        const char *last = check_drawings(seen->text, cases[i].columns);
        (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(last, "\r\n"), last);
        for (int k = 0; k < 4 && cases[i].there[k] != NULL; k++)
            expect_count(line, cases[i].there[k], 1, 1);
        for (int k = 0; k < 4 && cases[i].gone[k] != NULL; k++)
            expect_count(line, cases[i].gone[k], 0, 0);
    }
}

/* One that cannot draw over a line gets lines, as a file does. */
TEST_IN_FOLDER(a_dumb_terminal_gets_lines)
{
    const screen *seen =
        run_on_terminal("TERM=dumb", "vdnnrun --model %s --steps 800", vdnn_test_network(*state));
    assert_int_equal(seen->code, 0);
    expect_count(seen->text, "\033", 0, 0);
    expect_count(seen->text, "vdnnrun: training 800/800 ", 1, 1);
}

/* A command line to be pasted is whole. */
static bool is_command(const char *line)
{
    return strncmp(line, "  vdnnrun ", strlen("  vdnnrun ")) == 0;
}

static void check_lines(const char *text, size_t most)
{
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\r\n");
        if (length > most && !is_command(line))
            fail_msg("%zu columns of %zu: %.*s", length, most, (int)length, line);
        line += length + strspn(line + length, "\r\n");
    }
}

/* By the terminal's width, by COLUMNS where that is set, and never more than 100. */
TEST_IN_FOLDER(a_report_is_as_wide_as_its_terminal)
{
    static const struct {
        const char *variable, *options;
        unsigned short columns;
        size_t most;
        const char *there, *left_out;
    } cases[] = {
        {NULL, "", 160, 100, "recomputed", NULL},
        {NULL, "", 80, 80, "offloaded", "(terminal too narrow): recomputed"},
        {NULL, "", 60, 60, "smallest", "(terminal too narrow): average, offloaded,"},
        {"COLUMNS=60", "", 160, 60, "smallest", "(terminal too narrow): average, offloaded,"},
        {"COLUMNS=wide", "", 80, 80, "offloaded", "(terminal too narrow): recomputed"},
        {NULL, " --budgets 20MiB,80MiB", 60, 60, "smallest", NULL},
        {NULL, " --algorithms", 80, 80, "depth", NULL},
        {NULL, ",a100,v100 --price a100=3", 80, 80, "per price", NULL},
        {NULL, ",a100,v100", 160, 100, "  range  ", NULL},
        {NULL, " --algorithms", 60, 60, "% peak", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        screen_columns = cases[i].columns;
        const screen *seen =
            run_on_terminal(cases[i].variable,
                            "vdnnreport --model lenet --device-mem 80MiB --plan-trials 20 --quiet "
                            "--device sim:titan-x-maxwell%s",
                            cases[i].options);
        screen_columns = WIDE;
        assert_int_equal(seen->code, 0);
        check_lines(seen->text, cases[i].most);
        expect_count(seen->text, cases[i].there, 1, 2);
        if (cases[i].left_out != NULL)
            expect_count(seen->text, cases[i].left_out, 1, 1);
        if (cases[i].options[0] == '\0')
            expect_count(seen->text, "\n* The fastest that fits is ", 1, 1);
    }
}

/* What is typed, the smallest budget in bytes, is in the narrowest table too. */
TEST_IN_FOLDER(other_tables_are_as_wide_as_their_terminal)
{
    static const struct {
        const char *program, *options, *there;
        unsigned short columns;
    } cases[] = {{"vdnnrun", "--plan-trials 20 --explain", "images/s", 160},
                 {"vdnnrun", "--plan-trials 20 --explain", "saves", 90},
                 {"vdnnrun", "--plan-trials 20 --explain", "smallest", 64},
                 {"vdnnrun", "--steps 2 --verbose", "action", 80},
                 {"vdnnrun", "--steps 2 --verbose", "copies", 60},
                 {"vdnnrun", "--policy all --max-batch", "of unlimited", 60},
                 {"vdnnscale", "--devices 1,2,4", "exposed reduce", 160},
                 {"vdnnscale", "--devices 1,2,4", "efficiency", 60}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        screen_columns = cases[i].columns;
        const screen *seen = run_on_terminal("LC_ALL=C",
                                             "%s --model lenet --device sim:titan-x-maxwell "
                                             "--quiet %s",
                                             cases[i].program, cases[i].options);
        screen_columns = WIDE;
        assert_int_equal(seen->code, 0);
        check_lines(seen->text, cases[i].columns < 100 ? cases[i].columns : 100);
        assert_non_null(strstr(seen->text, cases[i].there));
    }
}

/* In a file there are lines, at most one in three seconds, and nothing of a terminal. */
TEST_IN_FOLDER(training_into_a_file_writes_lines)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model %s --steps 800", vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "vdnnrun: training 800/800 ");
    expect_count(run.err, "\r", 0, 0);
    expect_count(run.err, "\033", 0, 0);
    expect_count(run.err, "vdnnrun: training ", 1, 1 + (int)(run.seconds / 3));
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --evaluate");
    vdnn_test_expect(&run, 0, "");
    expect_count(run.err, "vdnnrun: scoring ", 0, (int)(run.seconds / 3)); /* its result says all */
    vdnn_test_run_free(&run);
}

/* https://no-color.org: set to anything but an empty text. */
TEST_IN_FOLDER(colors_are_for_terminals_whose_user_wants_them)
{
    static const struct {
        const char *variable;
        int colors;
    } cases[] = {{NULL, 1}, {"NO_COLOR=", 1}, {"NO_COLOR=1", 0}, {"NO_COLOR=0", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const screen *seen = run_on_terminal(
            cases[i].variable, "vdnnrun --model %s/none.yaml --dry-run", (const char *)*state);
        assert_int_equal(seen->code, 3);
        expect_count(seen->text, "vdnnrun: " RED "error" PLAIN ": ", cases[i].colors,
                     cases[i].colors);
        expect_count(seen->text, "vdnnrun: error: ", !cases[i].colors, !cases[i].colors);
        expect_count(seen->text, "\033", 2 * cases[i].colors, 2 * cases[i].colors);
    }
}

TEST_IN_FOLDER(a_quiet_run_says_its_result_alone)
{
    const char *model = vdnn_test_network(*state);
    const screen *seen = run_on_terminal(NULL, "vdnnrun --quiet --model %s --steps 4", model);
    assert_int_equal(seen->code, 0);
    expect_count(seen->text, "little: 4 steps, loss ", 1, 1); /* its result, and nothing else */
    expect_count(seen->text, "\n", 1, 1);
    expect_count(seen->text, "\033", 0, 0);
}
