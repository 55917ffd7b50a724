/* Sessions driven step by step. */

#include "runtime/vdnn.h"
#include "tests/support/faults.h"
#include "tests/support/faulty_device.h"
#include "tests/support/files.h"
#include "tests/support/run_json.h"
#include "tests/support/session_topics.h"
#include "tests/support/small_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ten pictures, in three batches of which the last is not full. */
static void write_test_data(const char *folder)
{
    enum { COUNT = 10, PIXELS = 64 };
    unsigned char images[16 + COUNT * PIXELS] = {0, 0, 8, 3, 0, 0, 0, COUNT,
                                                 0, 0, 0, 8, 0, 0, 0, 8};
    unsigned char labels[8 + COUNT] = {0, 0, 8, 1, 0, 0, 0, COUNT};
    for (int i = 0; i < COUNT * PIXELS; i++)
        images[16 + i] = (unsigned char)(i * 37);
    for (int i = 0; i < COUNT; i++)
        labels[8 + i] = (unsigned char)(i % 3);
    vdnn_test_write_file(vdnn_test_path(folder, "t10k-images-idx3-ubyte"), images, sizeof images);
    vdnn_test_write_file(vdnn_test_path(folder, "t10k-labels-idx1-ubyte"), labels, sizeof labels);
}

static vdnn_session_options options_for(const char *folder, int64_t steps)
{
    static char test_data[4096];
    const char *model = vdnn_test_path(folder, "net.yaml");
    vdnn_test_write_file(model, vdnn_small_network, sizeof vdnn_small_network - 1);
    write_test_data(folder);
    (void)snprintf(test_data, sizeof test_data, "idx:%s", folder);
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .device_mem = "64MiB",
                                  .host_mem = "64MiB",
                                  .threads = 1,
                                  .profile = vdnn_test_path(folder, "net.profile"),
                                  .policy = "all",
                                  .algo = "m",
                                  .steps = steps,
                                  .seed = 5,
                                  .dataset = vdnn_test_topic(dataset, .test_data = test_data)};
}

static vdnn_session *begin(const vdnn_session_options *options)
{
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    return session;
}

TEST_IN_FOLDER(evaluating_saving_and_tracing_between_steps_changes_no_bit)
{
    enum { STEPS = 6 };
    vdnn_session_options options = options_for(*state, STEPS);
    const char *straight = vdnn_test_path(*state, "straight"),
               *broken = vdnn_test_path(*state, "b"), *trace = vdnn_test_path(*state, "t.json");
    vdnn_sample sample = {.size = sizeof sample};
    double accuracy;
    vdnn_session *session = begin(&options);
    for (int i = 0; i < STEPS; i++)
        assert_ok(vdnn_session_step(session, &sample));
    assert_ok(vdnn_session_save(session, straight));
    vdnn_session_destroy(session);

    session = begin(&options);
    assert_int_equal(vdnn_session_step_count(session), STEPS);
    for (int i = 0; i < STEPS; i++) {
        assert_int_equal(vdnn_session_step_number(session), i);
        if (i == 2)
            assert_ok(vdnn_session_trace_begin(session, trace));
        assert_ok(vdnn_session_evaluate(session, &accuracy));
        assert_true(accuracy >= 0.0 && accuracy <= 1.0);
        assert_ok(vdnn_session_step(session, &sample));
        assert_int_equal(sample.step, i + 1);
        assert_ok(vdnn_session_save(session, broken));
    }
    assert_ok(vdnn_session_trace_end(session));
    vdnn_session_destroy(session);
    vdnn_test_expect_same_file(straight, broken);
    char *text;
    size_t count;
    vdnn_test_read_file(trace, &text, &count);
    assert_true(count > 100);
    free(text);
}

/* One copy of six steps is lost; `steps` is how many are done then. */
static void expect_lost_copy(const char *folder, size_t nth, bool required, int64_t steps)
{
    const vdnn_test_device_fault fault = {.drop_nth = nth};
    vdnn_session_options options = options_for(folder, 6);
    vdnn_session *session = NULL;
    options.rules = "paper";
    vdnn_test_edit(&options, trust)->require_offload = required;
    vdnn_test_device_begin(&fault);
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_status(vdnn_session_run(session), steps < 6 ? VDNN_MISMATCH : VDNN_OK);
    if (steps < 6) {
        char where[32];
        (void)snprintf(where, sizeof where, "in step %d the device", (int)steps + 1);
        assert_message("--require-offload");
        assert_message(where);
    }
    assert_int_equal(vdnn_session_step_number(session), steps);
    vdnn_session_destroy(session);
    (void)vdnn_test_device_end();
}

TEST_IN_FOLDER(a_copy_that_is_lost_ends_a_run_that_requires_it)
{
    enum { COPIES = 10 }; /* in a step */
    expect_lost_copy(*state, SIZE_MAX - 1, true, 6);
    expect_lost_copy(*state, 1, false, 6);
    expect_lost_copy(*state, 1, true, 0);
    expect_lost_copy(*state, COPIES + 1, true, 1);
}

TEST_IN_FOLDER(a_session_runs_on_beyond_its_steps)
{
    enum { STEPS = 5 };
    vdnn_session_options options = options_for(*state, STEPS);
    const char *whole = vdnn_test_path(*state, "whole"), *longer = vdnn_test_path(*state, "longer");
    vdnn_sample sample = {.size = sizeof sample};
    options.save = whole;
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    vdnn_session_destroy(session);
    options.steps = 2;
    session = begin(&options);
    for (int i = 0; i < STEPS; i++)
        assert_ok(vdnn_session_step(session, &sample));
    assert_ok(vdnn_session_save(session, longer));
    vdnn_session_destroy(session);
    vdnn_test_expect_same_file(whole, longer);
}

TEST_IN_FOLDER(calls_in_a_wrong_order_are_refused_and_change_nothing)
{
    vdnn_session_options options = options_for(*state, 2);
    vdnn_session *session = NULL;
    vdnn_sample sample = {.size = sizeof sample};
    vdnn_text json = {0};
    double accuracy = -7.0;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_status(vdnn_session_json(session, &json), VDNN_USAGE);
    assert_status(vdnn_session_begin(session), VDNN_USAGE);
    assert_ok(vdnn_session_prepare(session));
    assert_status(vdnn_session_prepare(session), VDNN_USAGE);
    assert_status(vdnn_session_step(session, &sample), VDNN_USAGE);
    assert_status(vdnn_session_evaluate(session, &accuracy), VDNN_USAGE);
    assert_true(accuracy < -6.0);
    assert_status(vdnn_session_save(session, vdnn_test_path(*state, "no")), VDNN_USAGE);
    assert_ok(vdnn_session_begin(session));
    assert_status(vdnn_session_begin(session), VDNN_USAGE);
    assert_ok(vdnn_session_step(session, &sample));
    vdnn_session_destroy(session);
    vdnn_text_fini(&json);
    vdnn_session_destroy(NULL);
}

TEST_IN_FOLDER(what_does_not_fit_has_a_record_and_cannot_begin)
{
    vdnn_session_options options = options_for(*state, 2);
    vdnn_session *session = NULL;
    vdnn_text json = {0};
    options.device_mem = "4KiB";
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_status(vdnn_session_prepare(session), VDNN_NO_FIT);
    assert_message("smallest budget");
    assert_ok(vdnn_session_json(session, &json));
    assert_non_null(strstr(json.data, "\"fits\": false"));
    assert_status(vdnn_session_begin(session), VDNN_USAGE);
    vdnn_text_fini(&json);
    vdnn_session_destroy(session);
}

TEST_IN_FOLDER(a_record_grows_with_the_steps)
{
    vdnn_session_options options = options_for(*state, 3);
    vdnn_sample sample = {.size = sizeof sample};
    vdnn_text before = {0}, after = {0};
    double accuracy;
    vdnn_session *session = begin(&options);
    assert_ok(vdnn_session_json(session, &before));
    assert_non_null(strstr(before.data, "\"losses\": []"));
    assert_ok(vdnn_session_step(session, &sample));
    assert_ok(vdnn_session_evaluate(session, &accuracy));
    assert_ok(vdnn_session_json(session, &after));
    assert_null(strstr(after.data, "\"losses\": []"));
    assert_null(strstr(after.data, "\"test_accuracy\": null"));
    vdnn_text_fini(&before);
    vdnn_text_fini(&after);
    vdnn_session_destroy(session);
}

/* Not by a median: the first steps take longer than the others. */
TEST_IN_FOLDER(images_per_second_are_those_of_all_steps_by_their_wall_time)
{
    enum { STEPS = 5 };
    vdnn_session_options options = options_for(*state, STEPS);
    vdnn_sample sample = {.size = sizeof sample};
    vdnn_text text = {0};
    double seconds = 0, accuracy;
    vdnn_session *session = begin(&options);
    assert_ok(vdnn_session_json(session, &text));
    assert_non_null(strstr(text.data, "\"images_per_second\": null"));
    vdnn_text_fini(&text);
    for (int s = 0; s < STEPS; s++) {
        assert_ok(vdnn_session_step(session, &sample));
        seconds += sample.wall_seconds;
        assert_ok(vdnn_session_evaluate(session, &accuracy)); /* does not count */
    }
    assert_ok(vdnn_session_json(session, &text));
    json_t *root = json_loads(text.data, 0, NULL);
    assert_non_null(root);
    const double images = STEPS * (double)vdnn_test_integer_at(root, "batch"),
                 rate = vdnn_test_number_at(vdnn_test_object_at(root, "measured"),
                                            "images_per_second");
    assert_true(fabs(rate * seconds - images) < 1e-6 * images);
    json_decref(root);
    vdnn_text_fini(&text);
    vdnn_session_destroy(session);
}

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Which is not like the others. */
TEST_IN_FOLDER(the_time_of_a_step_is_the_median_without_the_first)
{
    enum { STEPS = 6 };
    vdnn_session_options options = options_for(*state, STEPS);
    vdnn_sample sample = {.size = sizeof sample};
    double seconds[STEPS] = {0}, first = 0;
    vdnn_session *session = begin(&options);
    for (int s = 0; s < STEPS; s++) {
        vdnn_text text = {0};
        assert_ok(vdnn_session_step(session, &sample));
        first = s == 0 ? sample.wall_seconds : first;
        seconds[s] = sample.seconds;
        assert_ok(vdnn_session_json(session, &text));
        json_t *root = json_loads(text.data, 0, NULL),
               *measured = vdnn_test_object_at(root, "measured");
        double sorted[STEPS];
        memcpy(sorted, seconds, sizeof sorted);
        qsort(sorted + 1, (size_t)s, sizeof *sorted, by_value);
        const double median = s == 0 ? seconds[0] : (sorted[(s + 1) / 2] + sorted[s / 2 + 1]) / 2;
        assert_true(fabs(vdnn_test_number_at(measured, "step_seconds") - median) < 1e-12);
        assert_true(fabs(vdnn_test_number_at(measured, "first_step_seconds") - first) < 1e-12);
        json_decref(root);
        vdnn_text_fini(&text);
    }
    vdnn_session_destroy(session);
}

/* Checkpoints where a program wants them; each is resumed from once, the last one twice. */
TEST_IN_FOLDER(a_session_goes_on_from_the_checkpoint_of_another)
{
    enum { STEPS = 7, PART = 2 };
    char straight[512], broken[512], folder[512];
    vdnn_session_options options = options_for(*state, STEPS);
    (void)snprintf(straight, sizeof straight, "%s", vdnn_test_path(*state, "straight"));
    (void)snprintf(broken, sizeof broken, "%s", vdnn_test_path(*state, "broken"));
    (void)snprintf(folder, sizeof folder, "%s", vdnn_test_path(*state, "checkpoints"));
    vdnn_session *session = begin(&options);
    assert_status(vdnn_session_checkpoint(session), VDNN_USAGE);
    assert_message("--checkpoint");
    for (int i = 0; i < STEPS; i++)
        assert_ok(vdnn_session_step(session, NULL));
    assert_ok(vdnn_session_save(session, straight));
    vdnn_session_destroy(session);

    options.checkpoint = folder;
    options.resume = "auto";
    vdnn_test_edit(&options, output)->keep = 2;
    for (int64_t first = 0; first <= STEPS; first += PART) {
        for (int again = 0; again < 2; again++) {
            session = begin(&options);
            assert_int_equal(vdnn_session_step_number(session), first);
            for (int64_t i = first; i < first + PART && i < STEPS; i++)
                assert_ok(vdnn_session_step(session, NULL));
            assert_ok(vdnn_session_save(session, broken));
            if (again == 1) {
                assert_ok(vdnn_session_checkpoint(session));
                assert_ok(vdnn_session_checkpoint(session));
            }
            vdnn_session_destroy(session);
        }
    }
    vdnn_test_expect_same_file(straight, broken);
    assert_int_equal(vdnn_test_folder_count(folder), 3);
    session = NULL;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_status(vdnn_session_checkpoint(session), VDNN_USAGE);
    vdnn_session_destroy(session);
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* The weights of the small network with slack are below 16 KiB, and a checkpoint has two files. */
TEST_IN_FOLDER(the_room_of_all_checkpoints_at_a_time_is_checked)
{
    enum { ONE = 24 << 10 };
    vdnn_session_options options = options_for(*state, 6);
    options.checkpoint = vdnn_test_path(*state, "run");
    vdnn_test_edit(&options, output)->checkpoint_every = 1;
    vdnn_test_edit(&options, output)->keep = 2;
    vdnn_test_fault disk = {.disk_bytes = ONE};
    vdnn_session *session = NULL;
    vdnn_test_fault_begin(&disk);
    vdnn_status status = vdnn_session_create(&options, NULL, &session);
    (void)vdnn_test_fault_end();
    assert_int_equal(status, VDNN_FILE);
    assert_message("must hold");
    options.steps = 1; /* one is written */
    vdnn_test_fault_begin(&disk);
    status = vdnn_session_create(&options, NULL, &session);
    (void)vdnn_test_fault_end();
    assert_ok(status);
    vdnn_session_destroy(session);
}

/* It has 100 MB, of which the process takes most between the plan and the first step. */
TEST_IN_FOLDER(the_process_itself_counts_before_the_first_step)
{
    vdnn_session_options options = options_for(*state, 2);
    options.device_mem = options.host_mem = "8MiB";
    vdnn_session *session = NULL;
    vdnn_test_write_below(*state, "proc/meminfo", "MemTotal: 100000 kB\nMemAvailable: 100000 kB\n");
    vdnn_test_write_below(*state, "proc/self/statm", "9000 1000 100 1 0 1000 0\n");
    vdnn_test_fault machine = {.root = *state};
    vdnn_test_fault_begin(&machine);
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    vdnn_test_write_below(*state, "proc/self/statm", "30000 24000 100 1 0 24000 0\n");
    vdnn_status status = vdnn_session_begin(session);
    assert_int_equal(status, VDNN_DEVICE);
    assert_message("for the process itself, and MemAvailable leaves 102400000");
    vdnn_test_write_below(*state, "proc/self/statm", "9000 2000 100 1 0 2000 0\n");
    assert_ok(vdnn_session_begin(session));
    vdnn_session_destroy(session);
    (void)vdnn_test_fault_end();
}

/* In a child: what it has of its parent's is refused and destroyed without waiting, and a session
 * of its own works. The number of what was wrong. */
static int use_in_a_child(vdnn_session *parents, const vdnn_session_options *options)
{
    vdnn_session *own = NULL;
    double accuracy;
    (void)alarm(60);
    if (vdnn_session_step(parents, NULL) != VDNN_USAGE ||
        strstr(vdnn_status_message(), "made by fork") == NULL)
        return 1;
    if (vdnn_session_evaluate(parents, &accuracy) != VDNN_USAGE)
        return 2;
    if (vdnn_session_run(parents) != VDNN_USAGE)
        return 3;
    vdnn_session_destroy(parents);
#if defined(__SANITIZE_THREAD__)
    (void)options, (void)own; /* it refuses to start threads in a child */
#else
    if (vdnn_session_create(options, NULL, &own) != VDNN_OK)
        return 4;
    if (vdnn_session_run(own) != VDNN_OK)
        return 5;
    vdnn_session_destroy(own);
#endif
    return 0;
}

TEST_IN_FOLDER(a_child_made_by_fork_does_not_wait)
{
    vdnn_session_options options = options_for(*state, 3);
    int status = 0;
    options.threads = 2;
    vdnn_session *session = begin(&options);
    assert_ok(vdnn_session_step(session, NULL));
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(use_in_a_child(session, &options));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_ok(vdnn_session_step(session, NULL));
    vdnn_session_destroy(session);
}
