/* The orders in which the emulation runs a block's threads: kernels with all their barriers give
 * the same in each of them, and one that is missing shows. */

#include "tests/cuda_host/cuda_host.h"
#include "tests/cuda_host/racy_kernels.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { ORDERS = 16, LAUNCHES = 64 };

static int reset(void **state)
{
    (void)state;
    vdnn_cuda_host_reset();
    return 0;
}

/* Whether the kernel gives what it gives with its barrier in ascending order. NaN is none of that.
 */
static bool is_right(size_t i, int order, bool has_barrier)
{
    float wanted[VDNN_RACY_THREADS], got[VDNN_RACY_THREADS];
    assert_true(vdnn_cuda_host_set("order", 1));
    vdnn_racy_run(i, true, wanted);
    assert_true(vdnn_cuda_host_set("order", order));
    vdnn_racy_run(i, has_barrier, got);
    return memcmp(wanted, got, sizeof got) == 0;
}

TEST_WITH(a_kernel_with_its_barriers_gives_the_same_in_every_order, reset, NULL)
{
    for (size_t i = 0; i < vdnn_racy_count(); i++)
        for (int order = 1; order < ORDERS; order++)
            if (!is_right(i, order, true))
                fail_msg("%s gives something else in order %d", vdnn_racy_name(i), order);
}

TEST_WITH(a_missing_barrier_shows_when_threads_run_up_or_down, reset, NULL)
{
    int unseen[2] = {0};
    for (size_t i = 0; i < vdnn_racy_count(); i++) {
        bool up = is_right(i, 1, false), down = is_right(i, 2, false);
        unseen[0] += up;
        unseen[1] += down;
        if (up && down)
            fail_msg("%s: nobody sees that its barrier is missing", vdnn_racy_name(i));
    }
    assert_true(unseen[0] > 0 && unseen[1] > 0); /* neither order alone would do */
}

TEST_WITH(a_missing_barrier_shows_by_chance, reset, NULL)
{
    for (size_t i = 0; i < vdnn_racy_count(); i++)
        for (int order = 4; order < ORDERS; order++)
            if (is_right(i, order, false))
                fail_msg("%s: order %d does not see that its barrier is missing", vdnn_racy_name(i),
                         order);
}

/* As all tests over the emulation run: nobody says an order. */
TEST_WITH(a_missing_barrier_shows_in_a_few_launches, reset, NULL)
{
    for (size_t i = 0; i < vdnn_racy_count(); i++) {
        int seen = 0;
        for (int launch = 0; launch < LAUNCHES; launch++)
            seen += !is_right(i, 0, false);
        if (seen < LAUNCHES / 4)
            fail_msg("%s: %d of %d launches show that its barrier is missing", vdnn_racy_name(i),
                     seen, LAUNCHES);
    }
}
