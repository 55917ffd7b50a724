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

enum { SCREEN_BYTES = 1 << 20 };

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
    pid_t pid = forkpty(&terminal, NULL, NULL, &(struct winsize){.ws_row = 24, .ws_col = 160});
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
static void training_on_a_terminal_draws_one_bar(void **state)
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

/* In a file there are lines, at most one in three seconds, and nothing of a terminal. */
static void training_into_a_file_writes_lines(void **state)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model %s --steps 800", vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "vdnnrun: training 800/800 ");
    expect_count(run.err, "\r", 0, 0);
    expect_count(run.err, "\033", 0, 0);
    expect_count(run.err, "vdnnrun: training ", 1, 1 + (int)(run.seconds / 3));
    vdnn_test_run_free(&run);
}

/* https://no-color.org: set to anything but an empty text. */
static void colors_are_for_terminals_whose_user_wants_them(void **state)
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

static void a_quiet_run_says_its_result_alone(void **state)
{
    const char *model = vdnn_test_network(*state);
    const screen *seen = run_on_terminal(NULL, "vdnnrun --quiet --model %s --steps 4", model);
    assert_int_equal(seen->code, 0);
    expect_count(seen->text, "little: 4 steps, loss ", 1, 1); /* its result, and nothing else */
    expect_count(seen->text, "\n", 1, 1);
    expect_count(seen->text, "\033", 0, 0);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, vdnn_test_make_folder, vdnn_test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(training_on_a_terminal_draws_one_bar),
        TEST(training_into_a_file_writes_lines),
        TEST(colors_are_for_terminals_whose_user_wants_them),
        TEST(a_quiet_run_says_its_result_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
