#ifndef VDNN_TESTS_SUPPORT_MOVED_BYTES_H
#define VDNN_TESTS_SUPPORT_MOVED_BYTES_H

/* The bytes that a device counts for its copies, for every device alike: copies that were made are
 * counted, so that one that an adaptor beneath the wrapper drops or makes twice shows.
 *
 * Invariant: asserts; leaves no device open. Threads: one.
 *
 *     vdnn_test_moved_bytes("cpu", &vdnn_device_cpu);
 *     vdnn_test_moved_bytes("sim:models/devices/titan-x-maxwell.yaml", &vdnn_device_sim);
 */

#include "runtime/device/device_backend.h"

void vdnn_test_moved_bytes(const char *kind, const vdnn_device_backend *backend);

#endif
