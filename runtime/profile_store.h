#ifndef VDNN_RUNTIME_PROFILE_STORE_H
#define VDNN_RUNTIME_PROFILE_STORE_H

/* What profile.c asks of a store: measured rows and rates by their names.
 *
 * A store's file is lines of words, sorted, so that two files can be compared:
 *
 *     vdnn-profile 1
 *     key cpu ... threads 2
 *     rate copy_in_bytes_per_second 5.1e9
 *     row conv(out=20,...)x=64x1x28x28:f32:nchw;... forward direct 64 0.00123
 *     end 1
 *
 * Invariant: one row for each (signature, pass, algorithm, batch); seconds and rates are finite and
 * positive. Threads: one at a time.
 *
 *     if (!vdnn_profile_store_find(store, &row)) {
 *         row.seconds = measure(...);
 *         status = vdnn_profile_store_add(store, &row);
 *     }
 */

#include "runtime/profile.h"

/* The rates of a machine: name in the file, member of vdnn_profile */
#define VDNN_PROFILE_RATE_TABLE(X)                                                                 \
    X(copy_both_bytes_per_second)                                                                  \
    X(copy_in_bytes_per_second)                                                                    \
    X(copy_latency_seconds)                                                                        \
    X(copy_out_bytes_per_second)                                                                   \
    X(elementwise_bytes_per_second)                                                                \
    X(launch_seconds)

typedef enum vdnn_profile_rate {
#define X(name) VDNN_PROFILE_RATE_##name,
    VDNN_PROFILE_RATE_TABLE(X)
#undef X
        VDNN_PROFILE_RATE_COUNT
} vdnn_profile_rate;

typedef struct vdnn_profile_row {
    const char *signature, *algorithm; /* words without blanks */
    vdnn_pass pass;
    int64_t batch;
    double seconds;
} vdnn_profile_row;

/* Fills want->seconds; false where the store has no such row. */
bool vdnn_profile_store_find(const vdnn_profile_store *store, vdnn_profile_row *want);
/* Copies a row that was measured; it takes the place of one with the same name. */
vdnn_status vdnn_profile_store_add(vdnn_profile_store *store, const vdnn_profile_row *fresh);

/* 0: not known yet. */
double vdnn_profile_store_rate(const vdnn_profile_store *store, vdnn_profile_rate rate);
void vdnn_profile_store_set_rate(vdnn_profile_store *store, vdnn_profile_rate rate, double value);

#endif
