#ifndef VDNN_RUNTIME_CALIBRATE_TIMINGS_H
#define VDNN_RUNTIME_CALIBRATE_TIMINGS_H

/* What a device takes for the shapes of runtime/calibrate/shapes.h.
 *
 * A device model knows algorithms by what they are: products without and with workspace, and those
 * by Winograd. Of a pass of a convolution there is one timing for each of these, that of the
 * device's fastest.
 *
 * In f32 all kinds are measured. Of a type that the device has units for, bf16 stands for all in
 * its rates, as it does in device models, and tf32 has a peak of its own: products alone are
 * measured.
 *
 * Invariant: a timing's layer lives as long as the timings.
 * Threads: the one that drives the device.
 *
 *     vdnn_calibrate_timings timings;
 *     status = vdnn_calibrate_timings_measure(device, &vdnn_calibrate_shapes, 90, &messages,
 * &timings); for (int32_t i = 0; i < timings.count; i++) use(&timings.rows[i]);
 *     vdnn_calibrate_timings_fini(&timings);
 */

#include "layers/sim/cost.h"
#include "runtime/base/messages.h"
#include "runtime/calibrate/shapes.h"
#include "runtime/device/device.h"
#include "runtime/profile/profile_store.h"

typedef struct vdnn_calibrate_timing {
    vdnn_calibrate_kind kind;
    int32_t
        shape; /* of its kind, in the order of the list: both decide in which fit it is kept back */
    vdnn_dtype dtype;
    const vdnn_layer *layer;
    vdnn_pass pass;
    vdnn_cost_algorithm algorithm; /* of a convolution */
    double seconds;                /* without the launch */
} vdnn_calibrate_timing;

typedef struct vdnn_calibrate_timings {
    vdnn_graph **graphs; /* of the layers; owned */
    size_t graph_count;
    vdnn_calibrate_timing *rows; /* owned */
    int32_t count;
    size_t left_out; /* shapes for which there was no time */
    double rates[VDNN_PROFILE_RATE_COUNT];
} vdnn_calibrate_timings;

/* For about `seconds`, after which the shapes that are left are left out. An algorithm that fails
 * is left out, too. Every status but VDNN_OK leaves nothing to free. */
vdnn_status vdnn_calibrate_timings_measure(vdnn_device *device, const vdnn_calibrate_list *shapes,
                                           double seconds, const vdnn_messages *messages,
                                           vdnn_calibrate_timings *timings);
void vdnn_calibrate_timings_fini(vdnn_calibrate_timings *timings);

/* Timings of a kind with maps of a type. */
int32_t vdnn_calibrate_timings_of(const vdnn_calibrate_timings *timings, vdnn_calibrate_kind kind,
                                  vdnn_dtype dtype);

#endif
