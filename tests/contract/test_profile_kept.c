/* A run that ends while it measures leaves what it has measured, and the next one measures only the
 * rest: each run is a separate process, ended before the n-th row. */

#include "runtime/vdnn.h"
#include "tests/support/run_program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    NOT_ENDED = -1,
    RATES = 12,     /* measured together, before the rows */
    BEFORE_ROWS = 2 /* questions whether to go on: when the session begins, and before the rates */
};

/* What ends a run, and before which of the questions; and what it said it measured. */
typedef struct own_run {
    int questions_left;
    void (*end)(void);
    vdnn_status status;
    size_t measured;
} own_run;

static void kill_oneself(void)
{
    (void)raise(SIGKILL);
}

static void only_ask(void)
{
}

static vdnn_status interrupted(void *context)
{
    own_run *run = context;
    if (run->questions_left == NOT_ENDED || run->questions_left-- > 0)
        return VDNN_OK;
    run->questions_left = 0;
    run->end();
    return run->status;
}

static void note_count(void *context, vdnn_log_level level, const char *text)
{
    own_run *run = context;
    (void)level;
    if (strstr(text, "rows of the profile were measured") != NULL)
        run->measured = strtoul(text, NULL, 10);
}

/* In the child. */
static int plan(const char *model, const char *profile, own_run *run)
{
    vdnn_session *session = NULL;
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = model,
                                          .profile = profile,
                                          .device = "cpu",
                                          .threads = 1,
                                          .dry_run = true};
    const vdnn_messages messages = {
        .size = sizeof messages, .log = note_count, .interrupted = interrupted, .context = run};
    vdnn_status status = vdnn_session_create(&options, &messages, &session);
    if (status == VDNN_OK)
        status = vdnn_session_prepare(session);
    vdnn_session_destroy(session);
    return vdnn_status_exit_code(status);
}

/* The status of waitpid; *measured by what the process said, if it came to that. */
static int run_apart(const char *folder, const char *profile, const own_run *run, size_t *measured)
{
    int status, ends[2];
    char model[512], path[512];
    (void)snprintf(model, sizeof model, "%s", vdnn_test_network(folder));
    (void)snprintf(path, sizeof path, "%s/%s", folder, profile);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        own_run own = *run;
        int code = plan(model, path, &own);
        _exit(write(ends[1], &own.measured, sizeof own.measured) > 0 ? code : 1);
    }
    (void)close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    *measured = 0;
    (void)!read(ends[0], measured, sizeof *measured);
    (void)close(ends[0]);
    return status;
}

/* Of every line but what differs from run to run: of a rate its name, of a row all but its seconds
 * and whether a short run was enough; what the machine has free is left out. */
static vdnn_text names_of(const char *folder, const char *profile)
{
    char *text, *save = NULL;
    size_t count;
    vdnn_text names = {0};
    vdnn_test_read_file(vdnn_test_path(folder, profile), &text, &count);
    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        char *words = NULL;
        if (strncmp(line, "device ", 7) == 0)
            continue;
        int place = 0, timed = strncmp(line, "rate ", 5) == 0  ? 2
                               : strncmp(line, "row ", 4) == 0 ? 5
                                                               : -1;
        for (char *word = strtok_r(line, " ", &words); word != NULL;
             word = strtok_r(NULL, " ", &words), place++)
            if (place != timed && strcmp(word, "brief") != 0)
                vdnn_text_add(&names, "%s ", word);
        vdnn_text_add(&names, "\n");
    }
    free(text);
    assert_false(names.failed);
    return names;
}

static size_t rows_of(const char *folder, const char *profile)
{
    char *text;
    size_t count, rows = 0;
    vdnn_test_read_file(vdnn_test_path(folder, profile), &text, &count);
    for (const char *at = text; (at = strstr(at, "\nrow ")) != NULL; at++)
        rows++;
    free(text);
    return rows;
}

static bool is_whole(const char *folder, const char *profile)
{
    char *text;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(folder, profile), &text, &count);
    bool has_end = strstr(text, "\nend ") != NULL;
    free(text);
    return has_end;
}

/* Ends one run before that many times are measured, continues with another, and compares. The rows
 * of a layer are kept when all of them are measured. */
static void end_and_go_on(const char *folder, const own_run *end, size_t rows, size_t all)
{
    static const own_run undisturbed = {.questions_left = NOT_ENDED};
    size_t measured, kept;
    own_run ended = *end;
    ended.questions_left = BEFORE_ROWS + (int)rows;
    int status = run_apart(folder, "ended", &ended, &measured);
    bool is_killed = end->end == kill_oneself;
    assert_int_equal(is_killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                               : WIFEXITED(status) &&
                                     WEXITSTATUS(status) == vdnn_status_exit_code(end->status),
                     true);
    assert_int_equal(vdnn_test_folder_count(folder), 3); /* network, whole, ended */
    kept = rows_of(folder, "ended");
    assert_true(kept <= rows && (kept > 0 || rows < all / 2));
    assert_int_equal(is_whole(folder, "ended"), !is_killed);
    assert_int_equal(run_apart(folder, "ended", &undisturbed, &measured), 0);
    assert_int_equal(measured, all - kept);
    assert_int_equal(vdnn_test_folder_count(folder), 3);
    vdnn_text names = names_of(folder, "ended"), expected = names_of(folder, "whole");
    assert_string_equal(names.data, expected.data);
    vdnn_text_fini(&names);
    vdnn_text_fini(&expected);
    assert_int_equal(unlink(vdnn_test_path(folder, "ended")), 0);
}

TEST_IN_FOLDER(the_next_run_measures_what_is_missing)
{
    static const own_run undisturbed = {.questions_left = NOT_ENDED},
                         killed = {.end = kill_oneself},
                         interrupted_run = {.end = only_ask, .status = VDNN_INTERRUPTED},
                         terminated = {.end = only_ask, .status = VDNN_TERMINATED};
    size_t measured;
    assert_int_equal(run_apart(*state, "whole", &undisturbed, &measured), 0);
    size_t all = rows_of(*state, "whole");
    assert_int_equal(measured, RATES + all);
    assert_true(all > 20);
    end_and_go_on(*state, &killed, 0, all);
    end_and_go_on(*state, &killed, 1, all);
    end_and_go_on(*state, &killed, all / 2, all);
    end_and_go_on(*state, &killed, all - 1, all);
    end_and_go_on(*state, &interrupted_run, all / 3, all);
    end_and_go_on(*state, &terminated, all - 1, all);
    assert_int_equal(run_apart(*state, "whole", &undisturbed, &measured), 0);
    assert_int_equal(measured, 0);
}

TEST_IN_FOLDER(before_anything_is_measured_there_is_no_file)
{
    const own_run killed = {.questions_left = BEFORE_ROWS - 1, .end = kill_oneself};
    size_t measured;
    assert_true(WIFSIGNALED(run_apart(*state, "ended", &killed, &measured)));
    assert_int_equal(vdnn_test_folder_count(*state), 1);
}
