#ifndef VDNN_RUNTIME_MEASURE_STORED_ROWS_H
#define VDNN_RUNTIME_MEASURE_STORED_ROWS_H

/* Checks by measuring a few rows again whether a store's times still hold for this device.
 *
 * Invariant: the store is only read.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_stored_rows_check(graph, device, store, &observer, &check);
 *     if (status == VDNN_OK && !vdnn_stored_rows_hold(&check))
 *         vdnn_profile_store_clear(store);
 */

#include "runtime/measure/measured_profile.h"

/* Rows differ if one time is more than this factor of the other. Times of one machine vary by less;
 * algorithms seldom differ by more. */
#define VDNN_STORED_ROWS_FACTOR 1.5

/* For the rows that were measured again: new time divided by stored time, ascending. */
typedef struct vdnn_stored_rows {
    double ratios[VDNN_PASS_COUNT];
    int32_t count; /* 0: the store has no row of this network */
} vdnn_stored_rows;

/* Measures one row of each pass again: among the fastest algorithms of all layers the one that
 * takes longest, since it is the least noisy and has the most weight. Leaves out rows that fail;
 * they are found when they are chosen. Leaves both tiers empty. `observer` may be NULL. */
vdnn_status vdnn_stored_rows_check(const vdnn_graph *graph, vdnn_device *device,
                                   const vdnn_profile_store *store,
                                   const vdnn_measure_observer *observer, vdnn_stored_rows *check);

/* The median ratio, or the upper one of two, since a single row may have been disturbed; 1 if there
 * is no row. */
double vdnn_stored_rows_ratio(const vdnn_stored_rows *check);
/* Whether that ratio is within VDNN_STORED_ROWS_FACTOR. */
bool vdnn_stored_rows_hold(const vdnn_stored_rows *check);

#endif
