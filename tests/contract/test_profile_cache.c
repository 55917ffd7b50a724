/* Profiles are kept from run to run: the next run measures a few rows, and all where these differ;
 * whatever is wrong with the cache, a run does its work. */

#include "runtime/vdnn.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PROGRAM "vdnnrun --model @/net.yaml --device cpu --dry-run --log-level debug"
#define CACHE "VDNN_NO_CACHE=0 XDG_CACHE_HOME=@ "

enum {
    RATES = 12,
    ATTEMPTS = 8 /* on a busy machine times do differ */
};

/* ---- what is in the cache -------------------------------------------------------------------- */

/* Of the only file in FOLDER/vdnn. */
static const char *cached(const char *folder)
{
    vdnn_test_run run;
    static char path[512];
    vdnn_test_program(&run, folder, "/usr/bin/find %s -type f", vdnn_test_path(folder, "vdnn"));
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "/vdnn/profile-"));
    (void)snprintf(path, sizeof path, "%.*s", (int)strcspn(run.out, "\n"), run.out);
    assert_string_equal(run.out + strlen(path), "\n");
    vdnn_test_run_free(&run);
    return path;
}

static size_t rows_of(const char *path)
{
    char *text;
    size_t count, rows = 0;
    vdnn_test_read_file(path, &text, &count);
    for (const char *at = text; (at = strstr(at, "\nrow ")) != NULL; at++)
        rows++;
    bool is_whole = strstr(text, "\nend ") != NULL;
    free(text);
    assert_true(is_whole);
    return rows;
}

/* Multiplies the seconds of every row. */
static void scale_rows(const char *path, double factor)
{
    char *text, *save = NULL;
    size_t count;
    vdnn_text scaled = {0};
    vdnn_test_read_file(path, &text, &count);
    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        char signature[400], pass[32], algorithm[64];
        long long batch;
        double seconds;
        int rest = 0;
        if (sscanf(line, "row %399s %31s %63s %lld %lf%n", signature, pass, algorithm, &batch,
                   &seconds, &rest) == 5)
            vdnn_text_add(&scaled, "row %s %s %s %lld %.17g%s\n", signature, pass, algorithm, batch,
                          seconds * factor, line + rest);
        else
            vdnn_text_add(&scaled, "%s\n", line);
    }
    assert_false(scaled.failed);
    vdnn_test_write_file(path, scaled.data, scaled.length);
    vdnn_text_fini(&scaled);
    free(text);
}

/* ---- what a run says ------------------------------------------------------------------------- */

static size_t measured_by(const vdnn_test_run *run)
{
    const char *at = strstr(run->err, " rows of the profile were measured");
    assert_non_null(at);
    while (at > run->err && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return strtoul(at, NULL, 10);
}

/* Plans, and expects so many warnings. Returns how many rows were measured for the profile. */
static size_t plan(const char *folder, int warnings, const char *part, const char *command)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s --log-level debug", command);
    vdnn_test_unfold(run.err);
    vdnn_test_expect(&run, 0, part);
    assert_int_equal(vdnn_test_warnings(&run), warnings);
    size_t measured = measured_by(&run);
    vdnn_test_run_free(&run);
    return measured;
}

/* Plans until times were as before. */
static void plan_from_cache(const char *folder, const char *command)
{
    size_t measured = 1;
    for (int i = 0; measured > 0 && i < ATTEMPTS; i++)
        measured = plan(folder, 0, "cached profile: measured again, ", command);
    assert_int_equal(measured, 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST_IN_FOLDER(the_next_run_measures_a_few_rows)
{
    (void)vdnn_test_network(*state);
    size_t first = plan(*state, 0, "", CACHE PROGRAM);
    assert_int_equal(first, RATES + rows_of(cached(*state)));
    plan_from_cache(*state, CACHE PROGRAM);
    assert_int_equal(first, RATES + rows_of(cached(*state)));
}

/* In other words than numbers: what the times of now led to. */
TEST_IN_FOLDER(what_a_changed_profile_led_to_is_said)
{
    (void)vdnn_test_network(*state);
    (void)plan(*state, 0, "", CACHE PROGRAM);
    scale_rows(cached(*state), 1000);
    (void)plan(*state, 0, "measured again: the fastest algorithms take 0.00 x as long together",
               CACHE PROGRAM);
}

TEST_IN_FOLDER(where_a_few_rows_differ_all_are_measured)
{
    static const double factors[] = {1000, 0.001};
    (void)vdnn_test_network(*state);
    size_t first = plan(*state, 0, "", CACHE PROGRAM);
    for (size_t i = 0; i < 2; i++) {
        scale_rows(cached(*state), factors[i]);
        assert_int_equal(plan(*state, 0, "all are measured again", CACHE PROGRAM), first);
        assert_int_equal(first, RATES + rows_of(cached(*state)));
    }
    plan_from_cache(*state, CACHE PROGRAM);
}

/* Nothing shows that the rates hold, of which there is one set a machine. */
TEST_IN_FOLDER(networks_share_a_file)
{
    (void)vdnn_test_network(*state);
    (void)plan(*state, 0, "", CACHE PROGRAM);
    size_t rows = rows_of(cached(*state));
    size_t measured = plan(*state, 0, "", CACHE PROGRAM " --batch 4");
    assert_int_equal(rows_of(cached(*state)), rows + measured - RATES);
    plan_from_cache(*state, CACHE PROGRAM " --batch 4");
}

TEST_IN_FOLDER(other_threads_are_another_machine)
{
    char folder[512];
    (void)vdnn_test_network(*state);
    (void)plan(*state, 0, "", CACHE PROGRAM);
    assert_true(plan(*state, 0, "", CACHE PROGRAM " --threads 2") > RATES);
    (void)snprintf(folder, sizeof folder, "%s", vdnn_test_path(*state, "vdnn"));
    assert_int_equal(vdnn_test_folder_count(folder), 2);
}

TEST_IN_FOLDER(a_bad_file_is_a_warning_and_is_replaced)
{
    static const char *const texts[] = {"", "nonsense", "vdnn-profile 1\nkey another\nend 0\n",
                                        "vdnn-profile 1\nkey x\nrow a forward b 1 -1\nend 1\n",
                                        "vdnn-profile 99\n"};
    (void)vdnn_test_network(*state);
    size_t first = plan(*state, 0, "", CACHE PROGRAM);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        vdnn_test_write_file(cached(*state), texts[i], strlen(texts[i]));
        assert_int_equal(plan(*state, 1, "measured again and replaced", CACHE PROGRAM), first);
        assert_int_equal(first, RATES + rows_of(cached(*state)));
    }
}

TEST_IN_FOLDER(a_folder_that_cannot_be_written_is_a_warning)
{
    (void)vdnn_test_network(*state);
    assert_true(plan(*state, 1,
                     "not cached: ", "VDNN_NO_CACHE=0 XDG_CACHE_HOME=@/net.yaml " PROGRAM) > RATES);
    assert_true(plan(*state, 1, "/proc/vdnn: cannot be created: ",
                     "VDNN_NO_CACHE=0 XDG_CACHE_HOME=/proc " PROGRAM) > RATES);
    if (!vdnn_test_without_rights(*state, true)) {
        print_message("skip: no user without rights can run the programs\n");
        skip();
    }
    vdnn_test_make_below(*state, "vdnn");
    assert_int_equal(chmod(vdnn_test_path(*state, "vdnn"), 0555), 0);
    size_t first = plan(*state, 1, "not cached: ", CACHE PROGRAM);
    assert_int_equal(vdnn_test_folder_count(vdnn_test_path(*state, "vdnn")), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "vdnn"), 0777), 0);
    assert_int_equal(plan(*state, 0, "", CACHE PROGRAM), first);
    assert_int_equal(chmod(cached(*state), 0), 0);
    assert_int_equal(plan(*state, 0, "", CACHE PROGRAM), first);
    (void)vdnn_test_without_rights(*state, false);
}

TEST_IN_FOLDER(no_cache_neither_reads_nor_writes)
{
    (void)vdnn_test_network(*state);
    size_t first = plan(*state, 0, "", CACHE PROGRAM " --no-cache");
    assert_int_equal(access(vdnn_test_path(*state, "vdnn"), F_OK), -1);
    assert_int_equal(plan(*state, 0, "", CACHE PROGRAM), first);
    assert_int_equal(plan(*state, 0, "", CACHE PROGRAM " --no-cache"), first);
}

TEST_IN_FOLDER(a_profile_has_precedence)
{
    (void)vdnn_test_network(*state);
    size_t first = plan(*state, 0, "", CACHE PROGRAM " --profile @/profile");
    assert_int_equal(access(vdnn_test_path(*state, "vdnn"), F_OK), -1);
    assert_int_equal(plan(*state, 0, "", CACHE PROGRAM " --profile @/profile"), 0);
    assert_int_equal(plan(*state, 0, "", CACHE PROGRAM), first);
}

TEST_IN_FOLDER(the_folder_is_that_of_the_user)
{
    static const char *const nowhere[] = {
        "VDNN_NO_CACHE=0 XDG_CACHE_HOME= HOME= " PROGRAM,
        "VDNN_NO_CACHE=0 XDG_CACHE_HOME=cache HOME=home " PROGRAM};
    char command[1024];
    (void)vdnn_test_network(*state);
    for (size_t i = 0; i < 2; i++)
        (void)plan(*state, 0, "", nowhere[i]);
    (void)snprintf(command, sizeof command,
                   "VDNN_NO_CACHE=0 /usr/bin/env -u HOME -u XDG_CACHE_HOME %s/%s", vdnn_test_bin(),
                   PROGRAM);
    (void)plan(*state, 0, "", command);
    assert_int_equal(vdnn_test_folder_count(*state), 1);
    (void)plan(*state, 0, "", "VDNN_NO_CACHE=0 XDG_CACHE_HOME=x HOME=@ " PROGRAM);
    assert_int_equal(vdnn_test_folder_count(vdnn_test_path(*state, ".cache/vdnn")), 1);
}

TEST_IN_FOLDER(processes_may_share_it)
{
    enum { COUNT = 4 };
    vdnn_test_run runs[COUNT];
    (void)vdnn_test_network(*state);
    for (int i = 0; i < COUNT; i++)
        vdnn_test_start(&runs[i], *state, CACHE PROGRAM " --batch %d", 2 + i / 2);
    for (int i = 0; i < COUNT; i++) {
        vdnn_test_finish(&runs[i]);
        vdnn_test_expect(&runs[i], 0, "");
        assert_int_equal(vdnn_test_warnings(&runs[i]), 0);
        vdnn_test_run_free(&runs[i]);
    }
    assert_true(rows_of(cached(*state)) > 0);
}

TEST_IN_FOLDER(of_one_world_the_first_process_has_it)
{
    static const char world[] = CACHE PROGRAM " --launch 2 --log-level debug";
    (void)vdnn_test_network(*state);
    vdnn_test_run_to(*state, 0, "", world);
    assert_true(rows_of(cached(*state)) > 0);
    for (int i = 0; i < 2; i++)
        vdnn_test_run_to(*state, 0, "cached profile: measured again, ", world);
}

static vdnn_status interrupt_later(void *context)
{
    int *questions_left = context;
    return (*questions_left)-- > 0 ? VDNN_OK : VDNN_INTERRUPTED;
}

/* The library keeps profiles where it is told to. */
TEST_IN_FOLDER(what_an_interrupted_run_measured_is_kept)
{
    char model[512];
    int questions_left = 20;
    vdnn_session *session = NULL;
    (void)snprintf(model, sizeof model, "%s", vdnn_test_network(*state));
    const vdnn_session_options options = {
        .size = sizeof options,
        .model = model,
        .planning = vdnn_test_topic(planning, .cache = vdnn_test_path(*state, "vdnn")),
        .device = "cpu",
        .threads = 1,
        .dry_run = true};
    const vdnn_messages messages = {
        .size = sizeof messages, .interrupted = interrupt_later, .context = &questions_left};
    assert_int_equal(vdnn_session_create(&options, &messages, &session), VDNN_OK);
    assert_int_equal(vdnn_session_prepare(session), VDNN_INTERRUPTED);
    vdnn_session_destroy(session);
    size_t kept = rows_of(cached(*state)); /* none, if there was no time for a whole layer */
    size_t measured = plan(*state, 0, "", CACHE PROGRAM), all = rows_of(cached(*state));
    assert_true(measured == all - kept || measured == RATES + all); /* none, or the few differed */
}

typedef struct progress_seen {
    int64_t last, calls;
    int named, timed; /* with a name that was asked for, with the time left */
    double seconds_left;
} progress_seen;

static void note_progress(void *context, const vdnn_progress *progress)
{
    progress_seen *seen = context;
    assert_string_equal(progress->what, "measuring");
    assert_in_range(progress->step, seen->last + 1, progress->step_count - 1);
    assert_non_null(progress->layer);
    assert_true(progress->seconds_left >= 0 && progress->seconds_left < 3600);
    seen->named += strcmp(progress->layer, "conv1") == 0 || strcmp(progress->layer, "loss") == 0;
    seen->timed += progress->seconds_left > 0;
    seen->seconds_left = progress->seconds_left;
    seen->last = progress->step;
    seen->calls++;
}

TEST_IN_FOLDER(measuring_says_how_far_it_is)
{
    char model[512];
    (void)snprintf(model, sizeof model, "%s", vdnn_test_network(*state));
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = model,
                                          .profile = vdnn_test_path(*state, "profile"),
                                          .device = "cpu",
                                          .threads = 1,
                                          .dry_run = true};
    for (int i = 0; i < 2; i++) { /* the second run measures nothing */
        progress_seen seen = {.last = -1};
        vdnn_session *session = NULL;
        const vdnn_messages messages = {
            .size = sizeof messages, .progress = note_progress, .context = &seen};
        assert_int_equal(vdnn_session_create(&options, &messages, &session), VDNN_OK);
        assert_int_equal(vdnn_session_prepare(session), VDNN_OK);
        vdnn_session_destroy(session);
        assert_int_equal(seen.calls > 3, i == 0);
        assert_int_equal(seen.named > 0 && seen.timed > 2, i == 0);
    }
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Of seven equal layers one is measured: before the last layer little is left. */
TEST_IN_FOLDER(layers_of_equal_shape_are_no_time_that_is_left)
{
    static const char text[] = "name: equal\n"
                               "input: {channels: 8, height: 12, width: 12}\n"
                               "classes: 10\n"
                               "batch: 8\n"
                               "layers:\n"
                               "  - repeat: {count: 8, layers: [\n"
                               "      {name: 'conv{i}', type: conv, out: 8, kernel: 3, pad: 1},\n"
                               "      {name: 'relu{i}', type: relu}]}\n"
                               "  - {name: fc1, type: fc, out: 10}\n"
                               "  - {name: loss, type: softmax_loss}\n";
    vdnn_test_write_below(*state, "net.yaml", text);
    char model[512];
    (void)snprintf(model, sizeof model, "%s", vdnn_test_path(*state, "net.yaml"));
    const vdnn_session_options options = {
        .size = sizeof options, .model = model, .device = "cpu", .threads = 1, .dry_run = true};
    progress_seen seen = {.last = -1};
    vdnn_session *session = NULL;
    const vdnn_messages messages = {
        .size = sizeof messages, .progress = note_progress, .context = &seen};
    double begin = now();
    assert_int_equal(vdnn_session_create(&options, &messages, &session), VDNN_OK);
    assert_int_equal(vdnn_session_prepare(session), VDNN_OK);
    vdnn_session_destroy(session);
    assert_true(seen.timed > 2 && seen.seconds_left < 0.2 * (now() - begin));
}
