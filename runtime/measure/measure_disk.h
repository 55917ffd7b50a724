#ifndef VDNN_RUNTIME_MEASURE_MEASURE_DISK_H
#define VDNN_RUNTIME_MEASURE_MEASURE_DISK_H

/* Measures the disk of the file tier's folder, in both directions, for the device's properties. The
 * rates are not in a profile's file, since they belong to a run's folder, not to a device.
 *
 * Invariant: afterwards the host and the file tier are empty.
 * Threads: the one that drives the device, before anything is reserved.
 *
 *     status = vdnn_measure_disk(device, budget_bytes);  // VDNN_FILE: the folder cannot be used
 *     rate = vdnn_device_describe(device)->spill_bytes_per_second;
 */

#include "runtime/device/device.h"

/* Uses at most `most_bytes`. */
vdnn_status vdnn_measure_disk(vdnn_device *device, size_t most_bytes);

#endif
