#ifndef VDNN_RUNTIME_MEASURE_FIRST_LOOK_H
#define VDNN_RUNTIME_MEASURE_FIRST_LOOK_H

/* A profile for a training that should begin soon: within a time limit those rows are measured that
 * decide most, by one short run each, but at least those of one pass; the others are estimated.
 *
 *     passes with a choice, the heaviest first:  the algorithms that the device lists first
 *                                                then its other algorithms
 *     passes without a choice                    last
 *
 * Invariant: the store has a row for each, marked as provisional, so that later looks, and other
 * processes of a training, choose the same algorithms; rows that it had are not measured.
 * Threads: the one that drives the device.
 *
 *     vdnn_first_look look = {.of = &layer_rows, .until = vdnn_measure_now() + 2};
 *     status = vdnn_first_look_add(&look, layer, shape);   // each layer once
 *     status = vdnn_first_look_take(&look);                // the profile has their choices
 *     vdnn_first_look_fini(&look);
 */

#include "runtime/measure/pass_rows.h"

typedef struct vdnn_first_look {
    vdnn_layer_rows *of; /* borrowed; looks */
    double until;        /* on the machine's clock; after it no row is measured */
    vdnn_pass_rows *passes;
    size_t count, capacity;
    int64_t measured, fresh; /* rows that were measured, of those that the store did not have */
} vdnn_first_look;

/* Lists the rows of all passes. Errors as of vdnn_layer_rows_add. */
vdnn_status vdnn_first_look_add(vdnn_first_look *look, const vdnn_layer *layer, int32_t shape);
vdnn_status vdnn_first_look_take(vdnn_first_look *look);
void vdnn_first_look_fini(vdnn_first_look *look);

/* About how long it takes to measure all rows of a pass that the store does not have, or only
 * provisionally. */
double vdnn_first_look_whole_seconds(const vdnn_layer_rows *of, const vdnn_layer *layer,
                                     vdnn_pass pass);

#endif
