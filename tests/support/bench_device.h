#ifndef VDNN_TESTS_SUPPORT_BENCH_DEVICE_H
#define VDNN_TESTS_SUPPORT_BENCH_DEVICE_H

/* Runs a kernel on a device with separate memory: the buffers of a bench, with canaries, are copied
 * into its tier, and back when the kernel is done.
 *
 * Invariant: buffers of the bench lie on the device as they do here: aligned, between canaries.
 * Threads: one.
 *
 *     vdnn_bench_buffer *buffers[] = {&bench->y, &bench->x[0]};
 *     status = vdnn_bench_device_run(device, kernel, &args, buffers, 2);
 */

#include "runtime/device/device.h"
#include "tests/support/layer_case.h"

/* `args` point into the buffers' data. */
vdnn_status vdnn_bench_device_run(vdnn_device *device, const vdnn_kernel *kernel,
                                  const vdnn_kernel_args *args, vdnn_bench_buffer *const *buffers,
                                  size_t count);

#endif
