#include "tools/console.h"

#include "tools/terminal.h"
#include "tools/world.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two updates. */
static const double BAR_SECONDS = 0.1, LINE_SECONDS = 3.0;

static const struct {
    const char *text, *color;
} levels[] = {
    [VDNN_LOG_ERROR] = {"error", "\033[31m"},
    [VDNN_LOG_WARN] = {"warning", "\033[33m"},
    [VDNN_LOG_INFO] = {"", ""},
    [VDNN_LOG_DEBUG] = {"debug", "\033[2m"},
};

static const struct {
    int number;
    vdnn_status status;
} signals[] = {
#define X(number, status) {number, VDNN_##status},
    VDNN_CONSOLE_SIGNALS(X)
#undef X
};

static volatile sig_atomic_t seen, keeps_checkpoints, is_silent;

/* What the first signal is answered with. */
static const char *volatile answer;

/* Batch systems announce the end of a job by SIGUSR1 and soon after by SIGTERM: the second one must
 * not end a run that is about to write its checkpoint, so that only Ctrl-C does. */
static void on_signal(int number)
{
    ssize_t ignored = 0;
    if (seen != 0 && (number == SIGINT || !keeps_checkpoints))
        _exit(128 + (number == SIGINT ? SIGINT : SIGTERM));
    if (seen == 0 && !is_silent)
        ignored = write(STDERR_FILENO, answer, strlen(answer));
    seen = seen == 0 ? number : seen;
    (void)ignored;
}

static vdnn_status interrupted(void *context)
{
    (void)context;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (seen == signals[i].number)
            return signals[i].status;
    return VDNN_OK;
}

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void close_bar(vdnn_console *console)
{
    if (console->bar_is_open)
        (void)fputc('\n', stderr);
    console->bar_is_open = false;
}

/* Before a message, and at the end. */
static void close_text(vdnn_console *console)
{
    if (console->text_is_open) {
        (void)fputc('\n', stdout);
        (void)fflush(stdout);
    }
    console->text_is_open = false;
}

static void print_log(void *context, vdnn_log_level level, const char *text)
{
    vdnn_console *console = context;
    const vdnn_log_level needed =
        level == VDNN_LOG_INFO && !console->is_first ? VDNN_LOG_DEBUG : level;
    if (needed > console->level || (console->is_quiet && level != VDNN_LOG_ERROR))
        return;
    close_bar(console);
    close_text(console);
    const char *color = console->has_color ? levels[level].color : "";
    const char *end = console->has_color && color[0] != '\0' ? "\033[0m" : "";
    (void)fprintf(stderr, "%s: %s%s%s%s%s\n", console->program, color, levels[level].text, end,
                  levels[level].text[0] == '\0' ? "" : ": ", text);
}

static void add_time(double seconds, vdnn_text *line)
{
    long whole = (long)(seconds + 0.5);
    if (whole >= 3600)
        vdnn_text_add(line, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        vdnn_text_add(line, "%ld min %02ld s", whole / 60, whole % 60);
    else
        vdnn_text_add(line, "%ld s", whole);
}

/* ---- the line of progress -------------------------------------------------------------------- */

/* Adds one thing to the line; each is known or not, as a simulated device has no loss. */
typedef void add_part(const vdnn_progress *progress, vdnn_text *line);

static void add_bar(const vdnn_progress *progress, vdnn_text *line)
{
    const int columns = vdnn_terminal_columns(STDERR_FILENO, getenv);
    const int cells = columns == 0 || columns >= 100 ? 20 : columns >= 50 ? 10 : 5;
    const int full = (int)(cells * progress->step / progress->step_count);
    vdnn_text_add(line, "[");
    for (int i = 0; i < cells; i++)
        vdnn_text_add(line, "%c", i < full ? '#' : '.');
    vdnn_text_add(line, "]");
}

static void add_step(const vdnn_progress *progress, vdnn_text *line)
{
    vdnn_text_add(line, "%s %lld/%lld", progress->what, (long long)progress->step,
                  (long long)progress->step_count);
}

static void add_layer(const vdnn_progress *progress, vdnn_text *line)
{
    if (progress->layer != NULL)
        vdnn_text_add(line, "%s", progress->layer);
}

static bool is_training(const vdnn_progress *progress)
{
    return progress->images_per_second > 0.0;
}

static void add_rate(const vdnn_progress *progress, vdnn_text *line)
{
    const bool has_tokens = progress->sample_tokens > 0;
    const double rate =
        progress->images_per_second * (double)(has_tokens ? progress->sample_tokens : 1);
    if (is_training(progress))
        vdnn_text_add(line, rate < 999.95 ? "%#.4g %s" : "%.0f %s", rate, progress->rate_unit);
}

static void add_loss(const vdnn_progress *progress, vdnn_text *line)
{
    if (is_training(progress) && !progress->simulated)
        vdnn_text_add(line, "loss %.4f", progress->loss);
}

static void add_bytes(const char *name, double bytes, vdnn_text *line)
{
    char cell[32];
    vdnn_text_add(line, "%s %s", name, vdnn_text_bytes(cell, sizeof cell, bytes));
}

static void add_device(const vdnn_progress *progress, vdnn_text *line)
{
    if (is_training(progress))
        add_bytes("device", (double)progress->device_bytes, line);
}

static void add_host(const vdnn_progress *progress, vdnn_text *line)
{
    if (is_training(progress))
        add_bytes("host", (double)progress->host_bytes, line);
}

static void add_moved(const vdnn_progress *progress, vdnn_text *line)
{
    if (is_training(progress))
        add_bytes("moved", (double)progress->moved_bytes, line);
}

static void add_time_left(const vdnn_progress *progress, vdnn_text *line)
{
    const bool is_known = progress->layer == NULL ? is_training(progress) && !progress->simulated
                                                  : progress->seconds_left > 0.0;
    if (!is_known)
        return;
    add_time(progress->seconds_left, line);
    vdnn_text_add(line, " left");
}

/* What stands in the line, from left to right, and in which order it leaves a line that is too
 * narrow: the highest rank first, 0 never. */
static const struct {
    add_part *add;
    const char *before;
    int rank;
} parts[] = {{add_bar, "", 2},    {add_step, " ", 0},   {add_layer, "  ", 8},
             {add_rate, "  ", 4}, {add_loss, "  ", 1},  {add_device, "  ", 5},
             {add_host, "  ", 6}, {add_moved, "  ", 7}, {add_time_left, "  ", 3}};

enum { BAR, RANKS = 9 };

/* All parts below a rank. */
static void add_parts(const vdnn_progress *progress, bool has_bar, int below, vdnn_text *line)
{
    for (size_t i = has_bar ? BAR : BAR + 1; i < sizeof parts / sizeof *parts; i++) {
        vdnn_text part = {0};
        if (parts[i].rank < below)
            parts[i].add(progress, &part);
        if (part.length > 0)
            vdnn_text_add(line, "%s%s", line->length > 0 ? parts[i].before : "", part.data);
        line->failed = line->failed || part.failed;
        vdnn_text_fini(&part);
    }
}

/* On a terminal what fits into one line of it: a longer one would not be drawn over. */
static void add_progress(const vdnn_progress *progress, bool is_terminal, vdnn_text *line)
{
    const int columns = is_terminal ? vdnn_terminal_columns(STDERR_FILENO, getenv) : 0;
    for (int below = RANKS; below > 0; below--) {
        vdnn_text_fini(line);
        add_parts(progress, is_terminal, below, line);
        if (columns <= 0 || line->length < (size_t)columns)
            return;
    }
}

static void print_progress(void *context, const vdnn_progress *progress)
{
    vdnn_console *console = context;
    if (console->is_quiet || console->level < VDNN_LOG_INFO || !console->is_first)
        return;
    double now = now_seconds(), pause = console->is_terminal ? BAR_SECONDS : LINE_SECONDS;
    bool is_last = progress->step == progress->step_count;
    bool is_brief = !console->is_terminal && !is_training(progress); /* its result says all */
    if ((!is_last || is_brief) && now - console->last_progress < pause)
        return;
    console->last_progress = now;
    vdnn_text line = {0};
    add_progress(progress, console->is_terminal, &line);
    if (!line.failed && console->is_terminal) {
        (void)fprintf(stderr, "\r\033[K%s", line.data);
        console->bar_is_open = true;
    } else if (!line.failed) {
        (void)fprintf(stderr, "%s: %s\n", console->program, line.data);
    }
    if (is_last)
        close_bar(console);
    (void)fflush(stderr);
    vdnn_text_fini(&line);
}

static void print_data(void *context, const char *text)
{
    const vdnn_console *console = context;
    vdnn_text shown = {0};
    close_bar(context);
    vdnn_text_add(&shown, "%s", text);
    if (console->is_first && shown.data != NULL) {
        vdnn_terminal_mask(shown.data);
        (void)fputs(shown.data, stdout);
    }
    vdnn_text_fini(&shown);
}

/* Sampled text; a terminal must not get what moves its cursor. */
static void write_data(void *context, const char *bytes, size_t count)
{
    vdnn_console *console = context;
    close_bar(console);
    if (!console->is_first || count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const bool moves = (c < ' ' && c != '\n' && c != '\t') || c == 127;
        (void)fputc(console->shows_data && moves ? '?' : c, stdout);
    }
    console->text_is_open = console->shows_data && bytes[count - 1] != '\n';
    (void)fflush(stdout);
}

static vdnn_log_level level_named(const char *text)
{
#define X(name, value, word)                                                                       \
    if (strcmp(word, text) == 0)                                                                   \
        return VDNN_LOG_##name;
    VDNN_LOG_TABLE(X)
#undef X
    return VDNN_LOG_ERROR;
}

static bool variable_is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/* A run ends after its step; what only plans, measures or predicts has none. */
static const char *answer_of(const vdnn_options *options)
{
    static const vdnn_option_id stepless[] = {
        VDNN_OPTION_DRY_RUN,  VDNN_OPTION_EXPLAIN, VDNN_OPTION_MAX_BATCH, VDNN_OPTION_CALIBRATE,
        VDNN_OPTION_EVALUATE, VDNN_OPTION_PREDICT, VDNN_OPTION_GENERATE};
    bool has_steps = options != NULL && options->program == VDNN_PROGRAM_RUN;
    for (size_t i = 0; has_steps && i < sizeof stepless / sizeof *stepless; i++)
        has_steps = !options->values[stepless[i]].given;
    return !has_steps ? "\nending as soon as it can; once more ends it at once\n"
           : keeps_checkpoints
               ? "\nending after this step, with a checkpoint; Ctrl-C ends it at once\n"
               : "\nending after this step; once more ends it at once\n";
}

/* The first process speaks for all, and the others tell who they are. */
static void name_console(vdnn_console *console, const char *program)
{
    vdnn_tools_world world;
    console->is_first =
        vdnn_tools_world_read(getenv, &world) != VDNN_OK || world.ranks == 0 || world.rank == 0;
    if (console->is_first)
        (void)snprintf(console->program, sizeof console->program, "%s", program);
    else
        (void)snprintf(console->program, sizeof console->program, "%s: rank %lld", program,
                       (long long)world.rank);
    is_silent = !console->is_first;
}

void vdnn_console_init(vdnn_console *console, const char *program, const vdnn_options *options)
{
    *console = (vdnn_console){.level = VDNN_LOG_INFO};
    name_console(console, program);
    console->is_terminal = vdnn_terminal_draws(STDERR_FILENO, getenv);
    console->shows_data = isatty(STDOUT_FILENO) == 1;
    console->has_color = console->is_terminal && !variable_is_set("NO_COLOR");
    if (options != NULL) {
        console->level = level_named(vdnn_options_text(options, VDNN_OPTION_LOG_LEVEL));
        console->is_quiet = vdnn_options_flag(options, VDNN_OPTION_QUIET);
        keeps_checkpoints = vdnn_options_text(options, VDNN_OPTION_CHECKPOINT) != NULL;
    }
    answer = answer_of(options);
    console->last_progress = now_seconds();
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction before;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        const int number = signals[i].number;
        const bool is_kept = number == SIGHUP && sigaction(number, NULL, &before) == 0 &&
                             before.sa_handler == SIG_IGN;
        if (!is_kept)
            (void)sigaction(number, &action, NULL);
    }
    (void)signal(SIGXFSZ, SIG_IGN); /* a limit on files is an error of the write */
    (void)signal(SIGPIPE, SIG_IGN); /* as is a pipe that nobody reads */
}

vdnn_messages vdnn_console_messages(vdnn_console *console)
{
    return (vdnn_messages){.size = sizeof(vdnn_messages),
                           .log = print_log,
                           .progress = print_progress,
                           .print = print_data,
                           .interrupted = interrupted,
                           .write = write_data,
                           .context = console};
}

static const char output_failed[] = "standard output cannot be written";

vdnn_status vdnn_console_fail_output(void)
{
    return vdnn_status_fail(VDNN_FILE, "%s", output_failed);
}

/* A pipe has an error once nobody can read from it any more. */
static bool is_reader_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return strcmp(vdnn_status_message(), output_failed) == 0 && poll(&output, 1, 0) == 1 &&
           (output.revents & POLLERR) != 0;
}

int vdnn_console_finish(vdnn_console *console, vdnn_status status)
{
    close_bar(console);
    close_text(console);
    if ((fflush(stdout) != 0 || ferror(stdout) != 0) && status == VDNN_OK)
        status = vdnn_console_fail_output();
    if (status != VDNN_OK && !is_reader_gone())
        print_log(console, VDNN_LOG_ERROR, vdnn_status_message());
    return vdnn_status_exit_code(status);
}
