#ifndef VDNN_RUNTIME_MEASURE_MEASURED_PROFILE_H
#define VDNN_RUNTIME_MEASURE_MEASURED_PROFILE_H

/* Creates a profile from a store's rows, and measures the rows that are missing.
 *
 * Invariant: every measured row is in the store, even if a later layer fails.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measured_profile_create(graph, device, store, &observer, &profile);
 *     vdnn_profile_destroy(profile);
 */

#include "runtime/device/device.h"
#include "runtime/measure/shape_rows.h"

typedef struct vdnn_measure_progress {
    int32_t done, count; /* layers whose rows are complete; all layers */
    const char *layer;   /* the next one */
    double seconds_left; /* estimated from the time and the algorithm count of other layers; 0: not
                            known yet */
} vdnn_measure_progress;

/* Called while rows are measured. A member that is NULL is not called. */
typedef struct vdnn_measure_observer {
    /* Called before each row; any status but VDNN_OK, with its message, ends the measuring. */
    vdnn_status (*proceed)(void *argument);
    /* Called for a row that is left out because it failed other than for lack of memory, or whose
     * time is estimated. The message has layer, pass, algorithm and error. */
    void (*failed)(void *argument, const char *message);
    /* Called before each further layer once a row was measured. */
    void (*progress)(void *argument, const vdnn_measure_progress *progress);
    void *argument;
} vdnn_measure_observer;

/* Looks every row up in the store and measures the missing ones: one warm-up, then the median of
 * runs. Samples are few enough to keep one run short; times are then scaled by FLOPs and bytes. The
 * fastest algorithm of each pass is measured again (settle.h). An algorithm that another replaces
 * in far less time wherever a plan could choose it is run briefly once, and the store says so. The
 * same is done for graph->lesser.
 * An algorithm that fails, for lack of memory or otherwise, is left out if another is left. If not
 * even one sample fits for any algorithm of a pass, their times are estimated by FLOPs and bytes,
 * so that the plan can say what would fit.
 * VDNN_DEVICE, with the row, if every operation of the device fails from then on. Afterwards both
 * tiers are empty. `observer` may be NULL. */
vdnn_status vdnn_measured_profile_create(const vdnn_graph *graph, vdnn_device *device,
                                         vdnn_profile_store *store,
                                         const vdnn_measure_observer *observer,
                                         vdnn_profile **profile);

/* What a first look may take, and what came of the last one. */
typedef struct vdnn_look {
    double seconds;          /* the limit of measuring; 0: all rows are measured */
    int64_t measured, fresh; /* rows that were measured, of those that the store did not have */
    double whole_seconds;    /* about what measuring all takes; 0: all were measured */
} vdnn_look;

/* Does what create does where that takes about look->seconds; else measures the rows that decide
 * most and estimates the others (first_look.h). */
vdnn_status vdnn_measured_profile_look(const vdnn_graph *graph, vdnn_device *device,
                                       vdnn_profile_store *store,
                                       const vdnn_measure_observer *observer, vdnn_look *look,
                                       vdnn_profile **profile);

/* A network with its profile, and the rows of its layers in parts. All is borrowed. */
typedef struct vdnn_measured_whole {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    vdnn_shape_rows *parts; /* of all variants of the network */
} vdnn_measured_whole;

/* Creates the profile of a simulated device for `whole`'s network with its layers in other parts,
 * with all algorithms. Whole layers, and parts that were predicted before, are not predicted again.
 * Algorithms that it leaves out are not listed. */
vdnn_status vdnn_measured_profile_predict(const vdnn_graph *graph, vdnn_device *device,
                                          vdnn_profile_store *store,
                                          const vdnn_measured_whole *whole, vdnn_profile **profile);

/* The bytes of a network's data in a step, which measuring its rows may use. */
size_t vdnn_measured_profile_working_bytes(const vdnn_graph *graph);

#endif
