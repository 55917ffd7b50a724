/* A plan that changes in mid-run changes no bit over the emulation of CUDA, where copies of weights
 * are kept by some plans alone. */

#include "tests/cuda_host/cuda_host.h"
#include "tests/support/files.h"
#include "tests/support/plan_changes.h"
#include "tests/support/vdnn_test.h"

static int set_up(void **state)
{
    vdnn_cuda_host_reset();
    return vdnn_cuda_host_set("devices", 2) ? vdnn_test_make_folder(state) : -1;
}

TEST(plans_that_change_in_mid_run_change_no_bit_on_cards)
{
    print_message("%d changes\n", vdnn_test_change_plans("cuda", *state, vdnn_test_count(200)));
}

int main(void)
{
    return vdnn_test_main(set_up, vdnn_test_remove_folder);
}
