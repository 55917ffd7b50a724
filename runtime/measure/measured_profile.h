#ifndef VDNN_RUNTIME_MEASURE_MEASURED_PROFILE_H
#define VDNN_RUNTIME_MEASURE_MEASURED_PROFILE_H

/* A profile from a store's rows, and from measurements of the rows it does not have.
 *
 * Invariant: every row of a layer that was measured is in the store, even if a later layer fails.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measured_profile_create(graph, device, store, &observer, &profile);
 *     vdnn_profile_destroy(profile);
 */

#include "runtime/device/device.h"
#include "runtime/measure/shape_rows.h"

typedef struct vdnn_measure_progress {
    int32_t done, count; /* layers that have their rows, of all */
    const char *layer;   /* that is next */
    double seconds_left; /* by the time that others took, and how many algorithms these had; 0: not
                            known yet */
} vdnn_measure_progress;

/* Called while rows are measured. A function that is NULL is not called. */
typedef struct vdnn_measure_observer {
    /* Before each row; any status but VDNN_OK, with its message, ends the measuring. */
    vdnn_status (*proceed)(void *argument);
    /* For a row that is left out because it failed other than for lack of memory: layer, pass,
     * algorithm and error as one message. Or whose time is estimated. */
    void (*failed)(void *argument, const char *message);
    /* Once a row was measured, before each further layer. */
    void (*progress)(void *argument, const vdnn_measure_progress *progress);
    void *argument;
} vdnn_measure_observer;

/* Looks every row up in the store and measures on the device what is missing: one warm-up, then the
 * median of runs, at a batch cut down to keep one run short (times then scale by FLOPs and bytes);
 * of each pass the fastest algorithm again (settle.h). An algorithm that another replaces wherever
 * a plan could choose it, in far less time, has the time of one short run, and is marked so in the
 * store. The same for graph->lesser.
 * An algorithm that fails, for lack of memory or otherwise, is left out if there is another; where
 * the memory is lacking for all of a pass, even for one sample, their times are estimated by FLOPs
 * and bytes, so that the plan says what fits.
 * VDNN_DEVICE, with the row, if every operation of the device fails from then on. Both tiers are
 * empty afterwards. `observer` may be NULL. */
vdnn_status vdnn_measured_profile_create(const vdnn_graph *graph, vdnn_device *device,
                                         vdnn_profile_store *store,
                                         const vdnn_measure_observer *observer,
                                         vdnn_profile **profile);

/* A network, what is known of it, and of its layers in parts. All is borrowed. */
typedef struct vdnn_measured_whole {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    vdnn_shape_rows *parts; /* of all its variants */
} vdnn_measured_whole;

/* That of a simulated device for a network whose layers are in other parts than those of `whole`,
 * with all algorithms: what is not in parts, or is in parts that were predicted before, is not
 * predicted once more, nor are algorithms listed that it leaves out. */
vdnn_status vdnn_measured_profile_predict(const vdnn_graph *graph, vdnn_device *device,
                                          vdnn_profile_store *store,
                                          const vdnn_measured_whole *whole, vdnn_profile **profile);

/* For those who measure a network's rows: the data of a step, which measuring may use. */
size_t vdnn_measured_profile_working_bytes(const vdnn_graph *graph);

#endif
