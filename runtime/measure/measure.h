#ifndef VDNN_RUNTIME_MEASURE_MEASURE_H
#define VDNN_RUNTIME_MEASURE_MEASURE_H

/* Measuring on a device: kernels, copies, updates, in tiers of its own.
 *
 * Invariant: while it lives the device's tiers are its own; destroying it leaves them empty.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measure_create(device, working_bytes, &measure);
 *     status = vdnn_measure_pass(measure, layer, VDNN_FORWARD, algorithm, &seconds);
 *     vdnn_measure_destroy(measure);
 */

#include "runtime/device/device.h"
#include "runtime/profile/profile_store.h"

typedef struct vdnn_measure vdnn_measure;

/* `working_bytes`: what the network works on in a step. On the CPU measuring takes half of it, and
 * more only where one sample does; on a card up to as much, as far as it is free. */
vdnn_status vdnn_measure_create(vdnn_device *device, size_t working_bytes, vdnn_measure **measure);
void vdnn_measure_destroy(vdnn_measure *measure);

/* Seconds of one pass over the layer's whole batch, without the launch (launch_seconds of the
 * profile): the median of three runs after a warm-up, each with the caches as a step of a network
 * leaves them. A card runs the whole batch, where that is less than `worth_seconds`, of which the
 * others are too slow to be of interest, and finds memory. Elsewhere the runs are of as many
 * samples as keep them short, times what FLOPs and bytes say the whole batch takes longer; where
 * that is worth it on the CPU, at twice as many samples too, or at all, and extended by what those
 * take longer. VDNN_NO_FIT where the device lacks the memory, VDNN_NO_MEMORY where the
 * host does. */
vdnn_status vdnn_measure_pass(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, double worth_seconds,
                              double *seconds);

/* What the link, updates and the smallest operations take, measured on a fair share of the bytes
 * that the network works on: a small one lives in caches. */
vdnn_status vdnn_measure_rates(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

#endif
