/* A limit of tasks, which the system says when threads are started. */

#include "runtime/device/device.h"
#include "tests/support/faults.h"
#include "tests/support/vdnn_test.h"

#include <errno.h>

enum { THREADS = 8 };

static vdnn_status open_under_limit(size_t most)
{
    const vdnn_device_options options = {.threads = THREADS};
    vdnn_device *device = NULL;
    vdnn_test_fault_begin(&(vdnn_test_fault){.calls = VDNN_TEST_CALL(pthread_create),
                                             .nth = most + 1,
                                             .lasting = true,
                                             .error = EAGAIN});
    vdnn_status status = vdnn_device_open("cpu", &options, &device);
    (void)vdnn_test_fault_end();
    vdnn_device_close(device);
    return status;
}

TEST(a_limit_of_tasks_is_told_before_a_kernel_runs)
{
    assert_status(open_under_limit(THREADS + 1), VDNN_DEVICE);
    assert_message("the system starts 9 threads, and 8 compute threads take 26 in all");
    assert_message("ulimit -u");
}

TEST(without_a_limit_the_device_opens)
{
    enum { NONE = 1 << 20 };
    assert_ok(open_under_limit(NONE));
}
