/* A plan that changes in mid-run changes no bit, on the CPU; over the emulation of CUDA the same is
 * in tests/cuda_host/test_plan_changes.c. */

#include "tests/support/files.h"
#include "tests/support/plan_changes.h"
#include "tests/support/vdnn_test.h"

static void plans_that_change_in_mid_run_change_no_bit(void **state)
{
    print_message("%d changes\n", vdnn_test_change_plans("cpu", *state, vdnn_test_count(200)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_that_change_in_mid_run_change_no_bit),
    };
    return cmocka_run_group_tests(tests, vdnn_test_make_folder, vdnn_test_remove_folder);
}
