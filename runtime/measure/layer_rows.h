#ifndef VDNN_RUNTIME_MEASURE_LAYER_ROWS_H
#define VDNN_RUNTIME_MEASURE_LAYER_ROWS_H

/* The rows of a layer: the time and workspace of each algorithm of each pass. They come from the
 * store, from the model of a simulated device, or from measuring.
 *
 *     each algorithm is measured, the likely fastest first -> the fastest is chosen -> its time
 *                \-> one that another replaces, in far less time: one short run
 *
 * Invariant: every measured row is in the store, even if a later one fails.
 * Threads: the one that drives the device.
 *
 *     vdnn_layer_rows rows = {.device = device, .store = store, .profile = profile, ...};
 *     status = vdnn_layer_rows_add(&rows, layer, shape);  // profile->layers[shape] has its choices
 *     vdnn_measure_destroy(rows.measure);
 */

#include "runtime/measure/measure.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"

/* What is common to the layers of a profile. All but `measure` is borrowed. */
typedef struct vdnn_layer_rows {
    vdnn_device *device;
    const vdnn_device_properties *properties; /* of the device */
    vdnn_profile_store *store;
    const vdnn_measure_observer *observer; /* NULL: no observer */
    vdnn_profile *profile;
    const char *path;      /* of the network's file, for messages; NULL: it has no file */
    size_t working_bytes;  /* vdnn_measured_profile_working_bytes */
    bool looks;            /* at some rows alone: rows of a first look are as good as others */
    vdnn_measure *measure; /* owned; NULL until a row is missing */
    /* The fastest algorithm of the last layer that had a choice. It is probably the fastest for the
     * next layer too, so it is measured first, and slower ones then need fewer runs. */
    const vdnn_algorithm *fastest[VDNN_PASS_COUNT];
} vdnn_layer_rows;

/* Adds the rows of all passes to the store, and to the profile as its layer `shape`. Leaves out an
 * algorithm that fails if another is left; else VDNN_DEVICE or VDNN_NO_MEMORY. VDNN_BAD_INPUT, with
 * the layer's line, if a recorded device has no row or no algorithm supports the layer. */
vdnn_status vdnn_layer_rows_add(vdnn_layer_rows *own, const vdnn_layer *layer, int32_t shape);

/* Creates own->measure if it is NULL; an error of the observer ends the measuring. */
vdnn_status vdnn_layer_rows_begin(vdnn_layer_rows *own);

/* How many algorithms the device has for the layer's type, whether or not they apply to it. */
int64_t vdnn_layer_rows_algorithms(const vdnn_device *device, const vdnn_layer *layer);

#endif
