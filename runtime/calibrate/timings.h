#ifndef VDNN_RUNTIME_CALIBRATE_TIMINGS_H
#define VDNN_RUNTIME_CALIBRATE_TIMINGS_H

/* The measured times of a device for the shapes of runtime/calibrate/shapes.h.
 *
 * A device model knows three kinds of algorithm: products without workspace, products with
 * workspace, and Winograd. Each pass of a convolution has one timing for each kind: that of the
 * device's fastest algorithm.
 *
 * All kinds of layers are measured in f32. For types with special units, bf16 gives the rates of
 * all of them, as in device models. tf32 has a different peak, so that products alone are measured.
 *
 * Invariant: a timing's layer lives as long as the timings.
 * Threads: the one that drives the device.
 *
 *     vdnn_calibrate_timings timings;
 *     status = vdnn_calibrate_timings_measure(device, &list, 90, &messages, &timings);
 *     for (int32_t i = 0; i < timings.count; i++) use(&timings.rows[i]);
 *     vdnn_calibrate_timings_fini(&timings);
 */

#include "layers/sim/cost.h"
#include "runtime/base/messages.h"
#include "runtime/calibrate/shapes.h"
#include "runtime/device/device.h"
#include "runtime/profile/profile_store.h"

typedef struct vdnn_calibrate_timing {
    vdnn_calibrate_kind kind;
    int32_t shape; /* its number within the kind; both decide which fit leaves it out */
    vdnn_dtype dtype;
    const vdnn_layer *layer;
    vdnn_pass pass;
    vdnn_cost_algorithm algorithm; /* for a convolution */
    double seconds;                /* without the launch */
} vdnn_calibrate_timing;

typedef struct vdnn_calibrate_timings {
    vdnn_graph **graphs; /* of the layers; owned */
    size_t graph_count;
    vdnn_calibrate_timing *rows; /* owned */
    int32_t count;
    size_t left_out; /* shapes left out for lack of time */
    double rates[VDNN_PROFILE_RATE_COUNT];
} vdnn_calibrate_timings;

/* Measures for about `seconds` and leaves out the remaining shapes, as well as algorithms that
 * fail. Every status but VDNN_OK leaves nothing to free. */
vdnn_status vdnn_calibrate_timings_measure(vdnn_device *device, const vdnn_calibrate_list *shapes,
                                           double seconds, const vdnn_messages *messages,
                                           vdnn_calibrate_timings *timings);
void vdnn_calibrate_timings_fini(vdnn_calibrate_timings *timings);

/* How many timings there are of a kind with maps of a type. */
int32_t vdnn_calibrate_timings_of(const vdnn_calibrate_timings *timings, vdnn_calibrate_kind kind,
                                  vdnn_dtype dtype);

#endif
