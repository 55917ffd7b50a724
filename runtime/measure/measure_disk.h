#ifndef VDNN_RUNTIME_MEASURE_MEASURE_DISK_H
#define VDNN_RUNTIME_MEASURE_MEASURE_DISK_H

/* Measures the file tier: what its folder's disk takes and gives, for a device's properties. Not a
 * part of a profile's file, which is of a device, whatever folder a run has.
 *
 * Invariant: afterwards the host and the file tier are empty.
 * Threads: the one that drives the device, before anything is reserved.
 *
 *     status = vdnn_measure_disk(device, budget_bytes);  // VDNN_FILE: the folder cannot be used
 *     rate = vdnn_device_describe(device)->spill_bytes_per_second;
 */

#include "runtime/device/device.h"

/* With no more than `most_bytes`. */
vdnn_status vdnn_measure_disk(vdnn_device *device, size_t most_bytes);

#endif
