#ifndef VDNN_RUNTIME_MEASURE_STORED_ROWS_H
#define VDNN_RUNTIME_MEASURE_STORED_ROWS_H

/* Whether a store's rows are still the times of this device: a few are measured again.
 *
 * Invariant: the store is only read.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_stored_rows_check(graph, device, store, &observer, &check);
 *     if (status == VDNN_OK && !vdnn_stored_rows_hold(&check))
 *         vdnn_profile_store_clear(store);
 */

#include "runtime/measure/measured_profile.h"

/* Rows differ if they take this many times the stored time, or the stored time is as many times
 * theirs. Times of one machine vary by less; algorithms are seldom further apart. */
#define VDNN_STORED_ROWS_FACTOR 1.5

/* Time now by stored time of the rows that were measured again, ascending. */
typedef struct vdnn_stored_rows {
    double ratios[VDNN_PASS_COUNT];
    int32_t count; /* 0: the store has no row of this network */
} vdnn_stored_rows;

/* Measures one row of each pass again: of the fastest algorithms of all layers the one that takes
 * longest, whose time is the least noisy and weighs the most. Rows that fail are left out: they are
 * found when they are chosen. Both tiers are empty afterwards. `observer` may be NULL. */
vdnn_status vdnn_stored_rows_check(const vdnn_graph *graph, vdnn_device *device,
                                   const vdnn_profile_store *store,
                                   const vdnn_measure_observer *observer, vdnn_stored_rows *check);

/* The one in the middle, or the upper one of two: a single row may have been disturbed. 1 if there
 * is none. */
double vdnn_stored_rows_ratio(const vdnn_stored_rows *check);
/* Whether that is within the factor. */
bool vdnn_stored_rows_hold(const vdnn_stored_rows *check);

#endif
