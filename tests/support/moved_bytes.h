#ifndef VDNN_TESTS_SUPPORT_MOVED_BYTES_H
#define VDNN_TESTS_SUPPORT_MOVED_BYTES_H

/* What a device says that its copies moved, for every device alike: it counts what was done, so
 * that a copy that an adaptor beneath the wrapper drops or makes twice shows.
 *
 * Invariant: asserts; leaves no device open. Threads: one.
 *
 *     vdnn_test_moved_bytes("cpu", &vdnn_device_cpu);
 *     vdnn_test_moved_bytes("sim:models/devices/titan-x-maxwell.yaml", &vdnn_device_sim);
 */

#include "runtime/device/device_backend.h"

void vdnn_test_moved_bytes(const char *kind, const vdnn_device_backend *backend);

#endif
