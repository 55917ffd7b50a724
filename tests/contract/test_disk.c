/* Training with a file tier: what the host tier cannot hold goes on to a file, no bit changes, and
 * what goes wrong with the disk ends as the contract says. */

#include "runtime/vdnn.h"
#include "tests/support/faults.h"
#include "tests/support/run_json.h"
#include "tests/support/session_topics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder for the file, beside what the test writes. */
static const char *disk_of(const char *folder)
{
    const char *disk = vdnn_test_path(folder, "disk");
    if (access(disk, W_OK) != 0)
        vdnn_test_make_below(folder, "disk");
    return disk;
}

static json_t *run_to_json(const char *folder, const char *model, const char *more)
{
    vdnn_test_run run;
    const char *json = vdnn_test_path(folder, "run.json");
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s --policy all --algo m --steps 2 --seed 3 "
                      "--profile @/profile --json %s --quiet %s",
                      model, json, more);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    return vdnn_test_json(json);
}

/* The same run with all that is offloaded in host memory, and with `per_cent` of that, and files.
 */
static void expect_same_losses(const char *folder, const char *model, const char *options,
                               int per_cent)
{
    char more[1024];
    json_t *ample = run_to_json(folder, model, options);
    json_int_t offloaded =
                   vdnn_test_integer_at(vdnn_test_object_at(ample, "plan"), "offload_bytes"),
               host = offloaded * per_cent / 100;
    (void)snprintf(more, sizeof more, "%s --host-mem %lld --disk %s --require-offload --verify",
                   options, (long long)host, disk_of(folder));
    json_t *scarce = run_to_json(folder, model, more);
    json_t *plan = vdnn_test_object_at(scarce, "plan"),
           *measured = vdnn_test_object_at(scarce, "measured");
    assert_true(json_equal(json_object_get(ample, "losses"), json_object_get(scarce, "losses")));
    assert_int_equal(vdnn_test_integer_at(plan, "offload_bytes"), offloaded);
    assert_true(vdnn_test_integer_at(plan, "host_arena_bytes") <= host);
    assert_true(vdnn_test_integer_at(plan, "spill_bytes") > 0);
    static const char *const same[] = {"spill_bytes", "fill_bytes", "file_arena_bytes",
                                       "host_arena_bytes"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_int_equal(vdnn_test_integer_at(measured, same[i]),
                         vdnn_test_integer_at(plan, same[i]));
    assert_int_equal(vdnn_test_integer_at(plan, "fill_bytes"),
                     vdnn_test_integer_at(plan, "spill_bytes"));
    assert_int_equal(vdnn_test_folder_count(disk_of(folder)), 0);
    json_decref(ample);
    json_decref(scarce);
}

TEST_IN_FOLDER(a_small_network_has_the_same_losses_with_files)
{
    expect_same_losses(*state, vdnn_test_network(*state), "", 70);
    expect_same_losses(*state, vdnn_test_network(*state), "--rules paper", 50);
}

TEST_IN_FOLDER(alexnet_has_the_same_losses_with_a_third_of_the_host_memory)
{
    expect_same_losses(*state, "alexnet", "--batch 1 --rules paper", 33);
}

/* What is free changes a little meanwhile: others write, too. */
TEST_IN_FOLDER(devices_of_one_host_share_its_disk)
{
    static const char *const ways[] = {"", "--devices 2", "--launch 2"};
    double bytes[3];
    (void)vdnn_test_network(*state);
    (void)disk_of(*state);
    for (size_t i = 0; i < 3; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --device cpu --profile @/profile --steps 1 "
                          "--disk @/disk --json @/shared.json %s",
                          ways[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "shared.json"));
        bytes[i] = vdnn_test_number_at(root, "file_budget_bytes");
        json_decref(root);
    }
    assert_true(fabs(bytes[1] / bytes[0] - 0.5) < 0.05);
    assert_true(fabs(bytes[2] / bytes[0] - 0.5) < 0.05);
}

TEST_IN_FOLDER(a_disk_that_cannot_be_used_is_named)
{
    static const struct {
        int code;
        const char *options, *said;
    } cases[] = {
        {4, "--host-mem 30K --dry-run", "pinned host memory; the budget (--host-mem) is 30720"},
        {6, "--disk @/missing", "--disk: "},
        {6, "--disk @/net.yaml", "Not a directory"},
        {6, "--disk @/disk --disk-mem 1000000T", "has "},
        {6, "--disk /proc", "/proc has 0 bytes free"},
        {6, "--disk /proc --dry-run", "name another folder"},
        {6, "--disk @/disk --disk-mem 4095", "it needs 4096 at least"},
        {4, "--disk @/disk --disk-mem 8K --host-mem 100", "the budget (--disk-mem) is 8192 bytes"},
        {4, "--disk @/disk --disk-mem 8K --host-mem 100", "smallest budgets of this policy"},
        {2, "--disk-mem 1G", "--disk DIR names its folder"},
        {2, "--disk @/disk --device sim:titan-x-maxwell", "device models describe no disk"},
    };
    (void)vdnn_test_network(*state);
    (void)disk_of(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --policy all --algo m --profile @/profile "
                          "--steps 1 %s",
                          cases[i].options);
        vdnn_test_expect(&run, cases[i].code, cases[i].said);
        vdnn_test_run_free(&run);
    }
}

/* ---- in this process, where the disk fails --------------------------------------------------- */

/* From the first step on. */
static struct {
    bool is_bad;
    bool flips; /* a bit of what is read; else writes fail */
} disk;

/* Threads then copy, by the calls below. */
static int no_io_uring(unsigned entries, struct io_uring_params *parameters)
{
    (void)entries, (void)parameters;
    errno = EPERM;
    return -1;
}

static ssize_t bad_pwrite(int file, const void *from, size_t bytes, off_t at)
{
    if (!disk.is_bad || disk.flips)
        return vdnn_system_default.pwrite(file, from, bytes, at);
    errno = EIO;
    return -1;
}

static ssize_t bad_pread(int file, void *to, size_t bytes, off_t at)
{
    ssize_t got = vdnn_system_default.pread(file, to, bytes, at);
    if (disk.is_bad && disk.flips && got > 0)
        ((unsigned char *)to)[0] ^= 4U;
    return got;
}

static vdnn_status step_on(vdnn_session *session)
{
    vdnn_status status = vdnn_session_prepare(session);
    if (status == VDNN_OK)
        status = vdnn_session_begin(session);
    disk.is_bad = true;
    for (int i = 0; status == VDNN_OK && i < 3; i++)
        status = vdnn_session_step(session, NULL);
    return status;
}

static vdnn_status train_on_a_bad_disk(const char *folder, bool flips, bool verify)
{
    char model[512], place[512], profile[512];
    (void)snprintf(model, sizeof model, "%s", vdnn_test_network(folder));
    (void)snprintf(place, sizeof place, "%s", disk_of(folder));
    (void)snprintf(profile, sizeof profile, "%s", vdnn_test_path(folder, "profile"));
    vdnn_session_options options = {.size = sizeof options,
                                    .model = model,
                                    .device = "cpu",
                                    .policy = "all",
                                    .algo = "m",
                                    .host_mem = "40K",
                                    .machine = vdnn_test_topic(machine, .disk = place),
                                    .profile = profile,
                                    .trust = vdnn_test_topic(trust, .verify = verify),
                                    .steps = 3};
    vdnn_system_hooks hooks = vdnn_system_default;
    vdnn_session *session = NULL;
    hooks.io_uring_setup = no_io_uring;
    hooks.pwrite = bad_pwrite;
    hooks.pread = bad_pread;
    disk.is_bad = false;
    disk.flips = flips;
    vdnn_system_set(&hooks);
    vdnn_status status = vdnn_session_create(&options, NULL, &session);
    if (status == VDNN_OK)
        status = step_on(session);
    if (session != NULL && status != VDNN_OK)
        assert_int_equal(vdnn_session_step_number(session), 0);
    vdnn_session_destroy(session);
    vdnn_system_set(NULL);
    assert_int_equal(vdnn_test_folder_count(place), 0);
    return status;
}

TEST_IN_FOLDER(a_write_that_fails_is_a_file_error_with_folder_and_reason)
{
    vdnn_status status = train_on_a_bad_disk(*state, false, false);
    assert_status(status, VDNN_FILE);
    assert_int_equal(vdnn_status_exit_code(status), 6);
    assert_message("/disk: ");
    assert_message("cannot be written: Input/output error");
}

TEST_IN_FOLDER(a_corrupted_page_is_a_mismatch_with_verify)
{
    vdnn_status status = train_on_a_bad_disk(*state, true, true);
    assert_status(status, VDNN_MISMATCH);
    assert_int_equal(vdnn_status_exit_code(status), 8);
    assert_message("or the file tier that it came back from");
    assert_ok(train_on_a_bad_disk(*state, true, false));
}
