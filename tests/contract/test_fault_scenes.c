/* What else a session does while one thing goes wrong, for every thing that can: it measures a
 * profile, explains why a budget is too small, trains on several devices, and resumes from one
 * checkpoint to the next. */

#include "runtime/checkpoint/checkpoint.h"
#include "runtime/profile/profile_store.h"
#include "runtime/vdnn.h"
#include "tests/support/every_fault.h"
#include "tests/support/files.h"
#include "tests/support/session_topics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES (1U << VDNN_FILE | 1U << VDNN_BAD_INPUT)
#define MEMORY (1U << VDNN_NO_MEMORY | 1U << VDNN_DEVICE)

static const char network[] = "name: small\n"
                              "input: {channels: 1, height: 12, width: 12}\n"
                              "classes: 4\n"
                              "batch: 4\n"
                              "layers:\n"
                              "  - {name: conv, type: conv, out: 4, kernel: 3}\n"
                              "  - {name: relu, type: relu}\n"
                              "  - {name: drop, type: dropout, p: 0.5}\n"
                              "  - {name: fc, type: fc, out: 4}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {lr: 0.01, momentum: 0.9, epochs: 1}\n";

/* An explanation plans dozens of changes: few layers, so that each point of it can be tried. */
static const char least[] = "name: least\n"
                            "input: {channels: 1, height: 12, width: 12}\n"
                            "classes: 4\n"
                            "batch: 4\n"
                            "layers:\n"
                            "  - {name: conv, type: conv, out: 4, kernel: 3}\n"
                            "  - {name: fc, type: fc, out: 4}\n"
                            "  - {name: loss, type: softmax_loss}\n"
                            "training: {lr: 0.01, momentum: 0.9, epochs: 1}\n";

static struct {
    char *folder;
    char model[256], profile[256], run[256], first_run[256], weights[256];
    vdnn_session_options options;
    char *expected; /* weights of an undisturbed training */
    size_t expected_bytes;
} own;

/* ---- what goes wrong ------------------------------------------------------------------------- */

/* What cannot be removed stays, rightly, so these calls have a trouble of their own; munmap fails
 * for bad arguments alone. */
#define LEFT_OUT (VDNN_TEST_CALL(unlink) | VDNN_TEST_CALL(rmdir) | VDNN_TEST_CALL(munmap))

static const vdnn_test_trouble troubles[] = {
    {{.calls = VDNN_TEST_EVERY_CALL & ~LEFT_OUT, .error = EIO}, FILES | MEMORY},
    {{.calls = VDNN_TEST_CALL(write), .error = ENOSPC, .lasting = true}, FILES},
    {{.calls = VDNN_TEST_CALL(open), .error = EACCES, .lasting = true}, FILES},
    {{.calls = VDNN_TEST_CALL(mmap), .error = ENOMEM, .lasting = true}, MEMORY},
};

static void play_all(const vdnn_test_scene *scene)
{
    vdnn_test_every_allocation(scene);
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
        vdnn_test_every_call(scene, &troubles[i]);
    for (int call = 0; call < VDNN_TEST_DEVICE_CALL_COUNT; call++)
        vdnn_test_every_device_call(scene, (vdnn_test_device_call)call);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static vdnn_status measure(void)
{
    vdnn_session *session = NULL;
    vdnn_session_options options = own.options;
    options.profile = own.profile;
    vdnn_status status = vdnn_session_create(&options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_prepare(session);
    vdnn_session_destroy(session);
    return status;
}

/* What is there can be read, and nothing else is. */
static void check_profile(vdnn_status status)
{
    char *text;
    size_t count;
    bool there = access(own.profile, F_OK) == 0;
    assert_true(there || status != VDNN_OK);
    assert_int_equal(vdnn_test_folder_count(own.folder), 1 + there);
    if (!there)
        return;
    vdnn_test_read_file(own.profile, &text, &count);
    char *key = strstr(text, "\nkey ");
    assert_non_null(key);
    key += strlen("\nkey ");
    key[strcspn(key, "\n")] = '\0';
    vdnn_profile_store *store = NULL;
    bool stale = true;
    assert_ok(vdnn_profile_store_create(key, &store));
    assert_ok(vdnn_profile_store_read(store, own.profile, &stale));
    assert_false(stale);
    vdnn_profile_store_destroy(store);
    free(text);
    assert_int_equal(unlink(own.profile), 0);
}

static int set_up(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    own.folder = *state;
    (void)snprintf(own.model, sizeof own.model, "%s/small.yaml", own.folder);
    (void)snprintf(own.profile, sizeof own.profile, "%s/profile", own.folder);
    (void)snprintf(own.run, sizeof own.run, "%s/run", own.folder);
    (void)snprintf(own.first_run, sizeof own.first_run, "%s/first", own.folder);
    (void)snprintf(own.weights, sizeof own.weights, "%s/weights", own.folder);
    vdnn_test_write_file(own.model, network, sizeof network - 1);
    own.options = (vdnn_session_options){.size = sizeof own.options,
                                         .model = own.model,
                                         .device_mem = "64M",
                                         .host_mem = "64M",
                                         .threads = 1,
                                         .policy = "all",
                                         .algo = "m",
                                         .seed = 3};
    return 0;
}

TEST_WITH(a_profile_that_is_measured_can_be_read_as_far_as_it_is_there, set_up,
          vdnn_test_remove_folder)
{
    static const vdnn_test_scene scene = {
        .play = measure, .check = check_profile, .also = MEMORY, .does_without = true};
    vdnn_test_scene_begin();
    play_all(&scene);
    vdnn_test_scene_end();
}

/* ---- explaining ------------------------------------------------------------------------------ */

static vdnn_status explain(void)
{
    vdnn_session *session = NULL;
    vdnn_text text = {0};
    vdnn_session_options options = own.options;
    options.device_mem = "20000";
    options.policy = "base";
    options.batch = 16;
    options.dry_run = true;
    vdnn_status status = vdnn_session_create(&options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_prepare(session);
    if (status == VDNN_OK || status == VDNN_NO_FIT)
        status = vdnn_session_explain(session, &text);
    if (status == VDNN_OK)
        assert_non_null(strstr(text.data, "--device-mem"));
    vdnn_text_fini(&text);
    vdnn_session_destroy(session);
    return status;
}

static void check_nothing_is_written(vdnn_status status)
{
    (void)status;
    assert_int_equal(vdnn_test_folder_count(own.folder), 1);
}

TEST_WITH(an_explanation_is_whole_or_an_error, set_up, vdnn_test_remove_folder)
{
    static const vdnn_test_scene scene = {
        .play = explain, .check = check_nothing_is_written, .also = MEMORY, .does_without = true};
    vdnn_test_write_file(own.model, least, sizeof least - 1);
    vdnn_test_scene_begin();
    play_all(&scene);
    vdnn_test_scene_end();
}

static int64_t newest(void)
{
    vdnn_checkpoint *checkpoint = NULL;
    assert_ok(vdnn_checkpoint_open(own.run, &checkpoint));
    int64_t step = checkpoint->step;
    vdnn_checkpoint_close(checkpoint);
    return step;
}

/* ---- several devices ------------------------------------------------------------------------- */

/* Of 4 samples 2, 1 and 1: two shapes. Each has a share of the optimizer's state, which the
 * checkpoints have from all. */
static vdnn_status train_on_three(void)
{
    vdnn_session *session = NULL;
    vdnn_session_options options = own.options;
    options.profile = own.profile;
    options.device = "cpu";
    options.devices = 3;
    vdnn_test_edit(&options, machine)->shard = "optimizer";
    options.checkpoint = own.run;
    options.steps = 2;
    vdnn_status status = vdnn_session_create(&options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    vdnn_session_destroy(session);
    return status;
}

static void check_profile_stays(vdnn_status status)
{
    (void)status;
    if (access(own.run, F_OK) == 0)
        vdnn_test_remove(own.run);
    assert_int_equal(vdnn_test_folder_count(own.folder), 2);
}

TEST_WITH(several_devices_end_together_whatever_failed, set_up, vdnn_test_remove_folder)
{
    static const vdnn_test_scene scene = {.play = train_on_three,
                                          .check = check_profile_stays,
                                          .also = FILES | MEMORY,
                                          .does_without = true};
    assert_ok(train_on_three());
    assert_int_equal(newest(), 2);
    vdnn_test_scene_begin();
    play_all(&scene);
    vdnn_test_scene_end();
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

enum { FIRST_STEPS = 2, STEPS = 4 };

/* Warnings of the last training about its checkpoints; plays that left an older one. */
static int warned, kept_older;

static void note(void *context, vdnn_log_level level, const char *text)
{
    (void)context;
    warned += level == VDNN_LOG_WARN && strstr(text, own.run) != NULL;
}

static vdnn_status train(int64_t steps, const char *resume, const char *save)
{
    const vdnn_messages messages = {.size = sizeof messages, .log = note};
    vdnn_session *session = NULL;
    vdnn_session_options options = own.options;
    options.profile = own.profile;
    options.checkpoint = own.run;
    vdnn_test_edit(&options, output)->checkpoint_every = 1;
    vdnn_test_edit(&options, output)->keep = 1;
    options.resume = resume;
    options.steps = steps;
    options.save = save;
    warned = 0;
    vdnn_status status = vdnn_session_create(&options, &messages, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    vdnn_session_destroy(session);
    return status;
}

static vdnn_status go_on(void)
{
    return train(STEPS, "auto", own.weights);
}

/* An older checkpoint is still there only where a warning said so, and until the next write. */
static void expect_no_older(bool was_warned)
{
    int older = vdnn_test_folder_count(own.run) - 2; /* the newest, and the lock */
    if (older == 0)
        return;
    assert_true(was_warned);
    kept_older++;
    assert_ok(train(STEPS + 1, "auto", NULL));
    assert_int_equal(vdnn_test_folder_count(own.run), 2);
}

/* There is a whole checkpoint, the last one where all was well, and it ends in the same bits. */
static void check_checkpoints(vdnn_status status)
{
    bool was_warned = warned > 0;
    int64_t step = newest();
    assert_in_range(step, status == VDNN_OK ? STEPS : FIRST_STEPS, STEPS);
    if (status != VDNN_OK)
        assert_ok(go_on());
    char *bytes;
    size_t count;
    vdnn_test_read_file(own.weights, &bytes, &count);
    assert_int_equal(count, own.expected_bytes);
    assert_memory_equal(bytes, own.expected, count);
    free(bytes);
    assert_int_equal(unlink(own.weights), 0);
    expect_no_older(was_warned);
    assert_int_equal(vdnn_test_folder_count(own.folder), 4);
    vdnn_test_remove(own.run);
    vdnn_test_copy_folder(own.first_run, own.run);
}

TEST_WITH(a_training_goes_on_from_a_whole_checkpoint_whatever_failed, set_up,
          vdnn_test_remove_folder)
{
    static const vdnn_test_scene scene = {
        .play = go_on, .check = check_checkpoints, .also = FILES | MEMORY, .does_without = true};
    static const vdnn_test_trouble removals[] = {
        {{.calls = VDNN_TEST_CALL(unlink) | VDNN_TEST_CALL(rmdir), .path = "/step-", .error = EIO},
         0},
        {{.calls = VDNN_TEST_CALL(unlink) | VDNN_TEST_CALL(rmdir),
          .path = "/step-",
          .error = EACCES,
          .lasting = true},
         0},
    };
    assert_ok(train(STEPS, NULL, own.weights));
    vdnn_test_read_file(own.weights, &own.expected, &own.expected_bytes);
    vdnn_test_remove(own.run);
    assert_int_equal(unlink(own.weights), 0);
    assert_ok(train(FIRST_STEPS, NULL, NULL));
    vdnn_test_copy_folder(own.run, own.first_run);
    vdnn_test_scene_begin();
    play_all(&scene);
    kept_older = 0;
    for (size_t i = 0; i < sizeof removals / sizeof *removals; i++)
        vdnn_test_every_call(&scene, &removals[i]);
    assert_int_not_equal(kept_older, 0);
    vdnn_test_scene_end();
    free(own.expected);
}

int main(void)
{
    vdnn_test_make_folders_in_memory();
    return vdnn_test_main(NULL, vdnn_test_scenes_end);
}
