#ifndef VDNN_RUNTIME_MEASURE_PASS_ROWS_H
#define VDNN_RUNTIME_MEASURE_PASS_ROWS_H

/* The rows of one pass of a layer, until all have a time: shared by measuring them all
 * (layer_rows.c) and a first look at some of them (first_look.c).
 *
 * Invariant: a row is measured once by measure, however often that is called.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_pass_rows_init(&rows, &of_layers, layer, shape, VDNN_FORWARD);
 *     status = vdnn_pass_rows_list(&rows);                  // those of the store have their time
 *     status = vdnn_pass_rows_measure(&rows, i, &limits);
 *     status = vdnn_pass_rows_keep(&rows, true);
 *     vdnn_pass_rows_fini(&rows);
 */

#include "runtime/measure/layer_rows.h"
#include "runtime/measure/settle.h"

typedef struct vdnn_pass_rows {
    vdnn_layer_rows *of;
    const vdnn_layer *layer; /* borrowed */
    int32_t shape;           /* its number */
    vdnn_pass pass;
    vdnn_choice *choices;
    vdnn_rival *rivals; /* their times */
    bool *is_fresh;     /* not in the store yet: to be measured if its seconds are HUGE_VAL; it
                           becomes false if that fails */
    char **shortages; /* why there is not the memory to measure one sample; NULL: it was measured */
    int32_t count;
    vdnn_text reasons;   /* why other algorithms have none */
    vdnn_status lacking; /* the error if none has: of the device if one failed */
} vdnn_pass_rows;

vdnn_status vdnn_pass_rows_init(vdnn_pass_rows *rows, vdnn_layer_rows *own, const vdnn_layer *layer,
                                int32_t shape, vdnn_pass pass);
void vdnn_pass_rows_fini(vdnn_pass_rows *rows);

/* A row for each algorithm that applies, in the device's order. Errors as of vdnn_layer_rows_add.
 */
vdnn_status vdnn_pass_rows_list(vdnn_pass_rows *rows);
/* Row `i`, unless it has its time; one that fails, or that there is not the memory for, keeps
 * HUGE_VAL. */
vdnn_status vdnn_pass_rows_measure(vdnn_pass_rows *rows, int32_t i,
                                   const vdnn_measure_limits *limits);
/* Into the store, and into the profile. Of a layer whose measuring failed (not `is_whole`) the
 * store takes what is settled: the rest is measured the next time. */
vdnn_status vdnn_pass_rows_keep(const vdnn_pass_rows *rows, bool is_whole);

#endif
