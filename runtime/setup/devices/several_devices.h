#ifndef VDNN_RUNTIME_SETUP_DEVICES_SEVERAL_DEVICES_H
#define VDNN_RUNTIME_SETUP_DEVICES_SEVERAL_DEVICES_H

/* Which devices of the machine a run with several has, and whether they can train together:
 *
 *     --devices 2 --device cuda:1             cuda:1 and cuda:2, of this process
 *     --launch 3 --device cuda                the process of local rank 2 has cuda:2; or the only
 * one that its launcher lets it see
 *
 * Threads: any.
 *
 *     status = vdnn_several_devices_place("cuda", options, &first);
 *     kind = vdnn_device_beside("cuda", first, text);             // what this process opens first
 *     status = vdnn_several_devices_check("cuda", options, &properties, graph);
 */

#include "runtime/device/device.h"
#include "runtime/setup/run_options.h"

/* The first device of this process, counted from `kind` on. VDNN_DEVICE where the machine has
 * fewer than are needed. */
vdnn_status vdnn_several_devices_place(const char *kind, const vdnn_run_options *options,
                                       int32_t *first);

/* Of one device: VDNN_OK. VDNN_DEVICE where something is missing that sums gradients, VDNN_USAGE
 * where what the graph or the options ask for is not summed by such devices. */
vdnn_status vdnn_several_devices_check(const char *kind, const vdnn_run_options *options,
                                       const vdnn_device_properties *properties,
                                       const vdnn_graph *graph);

#endif
