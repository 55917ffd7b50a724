#include "runtime/setup/output_paths.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static vdnn_status check_under(const vdnn_test_fault *world, const vdnn_planned_output *targets,
                               size_t count)
{
    vdnn_test_fault_begin(world);
    vdnn_status status = vdnn_output_paths_check(targets, count, true);
    vdnn_test_held held = vdnn_test_fault_held();
    (void)vdnn_test_fault_end();
    assert_int_equal(held.files, 0);
    return status;
}

TEST_IN_FOLDER(a_folder_must_be_there_and_take_files)
{
    const vdnn_test_fault readonly = {
        .calls = VDNN_TEST_CALL(open), .nth = 1, .lasting = true, .error = EROFS};
    const vdnn_test_fault none = {0};
    vdnn_planned_output good = {"--save", vdnn_test_path(*state, "last"), 10, 10, false};
    vdnn_planned_output lost = {"--trace", vdnn_test_path(*state, "none/trace"), 0, 0, false};
    vdnn_planned_output file = {"--save", *state, 10, 10, false};
    assert_ok(check_under(&none, &good, 1));
    assert_status(check_under(&none, &lost, 1), VDNN_FILE);
    assert_message("--trace");
    assert_message("none: No such file or directory");
    assert_status(check_under(&none, &file, 1), VDNN_FILE);
    assert_message("not a regular file");
    /* Permissions alone do not tell. */
    assert_status(check_under(&readonly, &good, 1), VDNN_FILE);
    assert_message("Read-only file system");
    assert_int_equal(vdnn_test_folder_count(*state), 0);
}

TEST_IN_FOLDER(a_folder_of_a_target_may_have_to_be_made)
{
    const vdnn_test_fault none = {0};
    vdnn_planned_output deep = {"--checkpoint", vdnn_test_path(*state, "a/b//c/"), 10, 10, true};
    vdnn_planned_output here = {"--checkpoint", "not-there", 10, 10, true};
    vdnn_planned_output nothing = {"--checkpoint", NULL, 10, 10, true};
    assert_ok(check_under(&none, &deep, 1));
    assert_ok(check_under(&none, &here, 1));
    assert_ok(check_under(&none, &nothing, 1));
    assert_int_equal(vdnn_test_folder_count(*state), 0);
}

TEST_IN_FOLDER(the_room_on_a_disk_is_exact_to_the_byte)
{
    const vdnn_planned_output targets[] = {
        {"--save", vdnn_test_path(*state, "last"), 600, 600, false},
        {"--trace", vdnn_test_path(*state, "trace"), 0, 0, false},
        {"--checkpoint", vdnn_test_path(*state, "run"), 600, 1200, true},
    };
    vdnn_test_fault disk = {.disk_bytes = 1800};
    assert_ok(check_under(&disk, targets, 3));
    disk.disk_bytes = 1799;
    assert_status(check_under(&disk, targets, 3), VDNN_FILE);
    assert_message("--save");
    assert_message("must hold 1800 bytes");
    assert_message("1799");
    assert_ok(check_under(&disk, targets, 2));
}

TEST_IN_FOLDER(the_size_of_a_file_is_exact_to_the_byte)
{
    const vdnn_planned_output target = {"--save", vdnn_test_path(*state, "last"), 600, 600, false};
    vdnn_test_fault world = {.limit = {true, RLIMIT_FSIZE, 600}};
    assert_ok(check_under(&world, &target, 1));
    world.limit.bytes = 599;
    assert_status(check_under(&world, &target, 1), VDNN_FILE);
    assert_message("RLIMIT_FSIZE lets a file have 599");
    assert_message("ulimit -f");
}

TEST_IN_FOLDER(a_limit_that_cannot_be_found_out_is_none)
{
    const vdnn_planned_output target = {"--save", vdnn_test_path(*state, "last"), 600, 600, false};
    const vdnn_test_fault unknown = {.calls = VDNN_TEST_CALL(statvfs) | VDNN_TEST_CALL(getrlimit),
                                     .nth = 1,
                                     .lasting = true,
                                     .error = ENOSYS,
                                     .disk_bytes = 1,
                                     .limit = {true, RLIMIT_FSIZE, 1}};
    assert_ok(check_under(&unknown, &target, 1));
}
