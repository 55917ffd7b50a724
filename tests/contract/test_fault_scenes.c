/* What else a session does while one thing goes wrong, for every thing that can: it measures a
 * profile, and explains why a budget is too small. */

#include "runtime/profile_store.h"
#include "runtime/vdnn.h"
#include "tests/support/every_fault.h"
#include "tests/support/files.h"

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

static struct {
    char *folder;
    char model[256], profile[256];
    vdnn_session_options options;
} own;

/* ---- what goes wrong ------------------------------------------------------------------------- */

/* What cannot be removed stays, rightly; munmap fails for bad arguments alone. */
#define LEFT_OUT (VDNN_TEST_CALL(unlink) | VDNN_TEST_CALL(rmdir) | VDNN_TEST_CALL(munmap))

static const vdnn_test_trouble troubles[] = {
    {{.calls = VDNN_TEST_EVERY_CALL & ~LEFT_OUT, .error = EIO}, FILES | MEMORY},
    {{.calls = VDNN_TEST_CALL(write), .error = ENOSPC, .lasting = true}, FILES},
    {{.calls = VDNN_TEST_CALL(open), .error = EACCES, .lasting = true}, FILES},
    {{.calls = VDNN_TEST_CALL(mmap), .error = ENOMEM, .lasting = true}, MEMORY},
};

static void play_all(const vdnn_test_scene *scene)
{
    vdnn_test_scene_begin();
    vdnn_test_every_allocation(scene);
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
        vdnn_test_every_call(scene, &troubles[i]);
    for (int call = 0; call < VDNN_TEST_DEVICE_CALL_COUNT; call++)
        vdnn_test_every_device_call(scene, (vdnn_test_device_call)call);
    vdnn_test_scene_end();
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

/* Measured again without a word of the file being believed: it is whole or not there. */
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

static void a_profile_that_is_measured_is_written_whole_or_not_at_all(void **state)
{
    (void)state;
    static const vdnn_test_scene scene = {
        .play = measure, .check = check_profile, .also = MEMORY, .does_without = true};
    play_all(&scene);
}

/* ---- explaining ------------------------------------------------------------------------------ */

static vdnn_status explain(void)
{
    vdnn_session *session = NULL;
    vdnn_text text = {0};
    vdnn_session_options options = own.options;
    options.device_mem = "20000";
    options.policy = "base";
    options.batch = 64;
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

static void an_explanation_is_whole_or_an_error(void **state)
{
    (void)state;
    static const vdnn_test_scene scene = {
        .play = explain, .check = check_nothing_is_written, .also = MEMORY, .does_without = true};
    play_all(&scene);
}

/* ---- before and after ------------------------------------------------------------------------ */

static int set_up(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    own.folder = *state;
    (void)snprintf(own.model, sizeof own.model, "%s/small.yaml", own.folder);
    (void)snprintf(own.profile, sizeof own.profile, "%s/profile", own.folder);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, vdnn_test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_profile_that_is_measured_is_written_whole_or_not_at_all),
        TEST(an_explanation_is_whole_or_an_error),
    };
    vdnn_test_make_folders_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
