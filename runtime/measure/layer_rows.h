#ifndef VDNN_RUNTIME_MEASURE_LAYER_ROWS_H
#define VDNN_RUNTIME_MEASURE_LAYER_ROWS_H

/* The rows of a layer: what each algorithm of each of its passes takes, by the store, by the model
 * of a simulated device, or measured.
 *
 *     measured all once, the likely fastest first -> which is the fastest -> its time
 *                       \-> what another replaces, in far less time: one short run
 *
 * Invariant: every row that was measured is in the store, even if a later one fails.
 * Threads: the one that drives the device.
 *
 *     vdnn_layer_rows rows = {.device = device, .store = store, .profile = profile, ...};
 *     status = vdnn_layer_rows_add(&rows, layer, shape);  // profile->layers[shape] has its choices
 *     vdnn_measure_destroy(rows.measure);
 */

#include "runtime/measure/measure.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"

/* What the layers of a profile have in common. All but `measure` is borrowed. */
typedef struct vdnn_layer_rows {
    vdnn_device *device;
    const vdnn_device_properties *properties; /* of the device */
    vdnn_profile_store *store;
    const vdnn_measure_observer *observer; /* NULL: no observer */
    vdnn_profile *profile;
    const char *path;      /* of the network's file, for messages; NULL: it has none */
    size_t working_bytes;  /* vdnn_measured_profile_working_bytes */
    vdnn_measure *measure; /* owned; NULL until the first row is missing */
    /* Of the last layer that had a choice: likely to be that of the next one too, which is
     * measured first, so that others are known to be slower. */
    const vdnn_algorithm *fastest[VDNN_PASS_COUNT];
} vdnn_layer_rows;

/* The rows of all passes, into the store, and into the profile as those of layer `shape` there.
 * An algorithm that fails is left out if there is another; else VDNN_DEVICE, or VDNN_NO_MEMORY;
 * VDNN_BAD_INPUT: a recorded device has none, or all refuse the layer, with its line. */
vdnn_status vdnn_layer_rows_add(vdnn_layer_rows *own, const vdnn_layer *layer, int32_t shape);

/* Makes own->measure, once; an error of the observer ends the measuring. */
vdnn_status vdnn_layer_rows_begin(vdnn_layer_rows *own);

/* How many algorithms the device has for layers of that type, whether or not they apply. */
int64_t vdnn_layer_rows_algorithms(const vdnn_device *device, const vdnn_layer *layer);

#endif
