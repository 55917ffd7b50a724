#ifndef VDNN_RUNTIME_PROFILE_PROFILE_STORE_H
#define VDNN_RUNTIME_PROFILE_PROFILE_STORE_H

/* The part of a store that profile.c uses: measured rows and rates by name.
 *
 * A store's file consists of lines of words, sorted so that two files can be compared:
 *
 *     vdnn-profile 2
 *     key cpu ... threads 2
 *     device cpu nChw16c fused 2 25769803776 12369505812 8246337208
 *     rate copy_in_bytes_per_second 5.1e9
 *     row conv(out=20,...)x=64x1x28x28:f32:nchw;... forward direct 64 0.00123 4096
 *     row conv(out=20,...)x=64x1x28x28:f32:nchw;... forward gemm 64 0.0123 2007040 brief
 *     end 2
 *
 * While rows are measured they are appended in that order, without the line `end`. If a file has no
 * line `end`, the lines before its first incomplete one are used.
 *
 * Files that begin with `vdnn-profile 1` are read too; they have no rates of copies during compute.
 *
 * A device can be simulated (recorded.h) from the line `device` and, in a row, the workspace after
 * the seconds and `updates` if its algorithm can do the update too. Files without these are read
 * too. A row that ends in `brief` was run once or twice, on a few samples: another row of its pass
 * takes far less time and no more workspace, so no plan chooses it. One that ends in `provisional`
 * is of a first look (first_look.h): run once, or estimated. All others were measured.
 *
 * Invariant: one row for each (signature, pass, algorithm, batch); seconds and rates are finite and
 * positive. Threads: one at a time.
 *
 *     if (!vdnn_profile_store_find(store, &row)) {
 *         row.seconds = measure(...);
 *         status = vdnn_profile_store_add(store, &row);
 *     }
 */

#include "runtime/profile/profile.h"

/* The rates of a machine. Each name is used in the file and as a member of vdnn_profile. */
#define VDNN_PROFILE_RATE_TABLE(X)                                                                 \
    X(copy_both_bytes_per_second)                                                                  \
    X(copy_in_beside_bytes_per_second)                                                             \
    X(copy_in_bytes_per_second)                                                                    \
    X(copy_in_slows_moves)                                                                         \
    X(copy_in_slows_products)                                                                      \
    X(copy_latency_seconds)                                                                        \
    X(copy_out_beside_bytes_per_second)                                                            \
    X(copy_out_bytes_per_second)                                                                   \
    X(copy_out_slows_moves)                                                                        \
    X(copy_out_slows_products)                                                                     \
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
    int64_t workspace_bytes; /* -1: not known */
    bool updates;            /* the algorithm can do the update too */
    bool is_brief;           /* its seconds are of a short run, since another row replaces it */
    bool is_provisional;     /* they are of a first look */
} vdnn_profile_row;

/* Fills all members but the name; false if the store has no such row. */
bool vdnn_profile_store_find(const vdnn_profile_store *store, vdnn_profile_row *want);
/* Adds a copy of a measured row, or replaces the row of that name. VDNN_FILE if the store's file
 * cannot be written. */
vdnn_status vdnn_profile_store_add(vdnn_profile_store *store, const vdnn_profile_row *fresh);

size_t vdnn_profile_store_row_count(const vdnn_profile_store *store);
/* Row `i`, below that count; its texts are borrowed. */
vdnn_profile_row vdnn_profile_store_row(const vdnn_profile_store *store, size_t i);

/* The properties of a device that are required to simulate it elsewhere. */
typedef struct vdnn_profile_device {
    char kind[16]; /* "": not known */
    vdnn_layout preferred;
    bool fuses_relu, pools_first;
    int threads;
    size_t memory_bytes, device_bytes, host_bytes; /* total; default budgets */
} vdnn_profile_device;

void vdnn_profile_store_set_device(vdnn_profile_store *store, const vdnn_profile_device *device);
const vdnn_profile_device *vdnn_profile_store_device(const vdnn_profile_store *store);
/* The device on which the store, or a file read with any key, was measured. */
const char *vdnn_profile_store_key(const vdnn_profile_store *store);

/* A store of a file's rows, under the file's key. VDNN_BAD_INPUT and VDNN_FILE as in
 * vdnn_profile_store_read; an incomplete file is VDNN_BAD_INPUT, a missing one VDNN_FILE. */
vdnn_status vdnn_profile_store_open(const char *path, vdnn_profile_store **store);
/* Whether a file begins with the words of a profile. */
bool vdnn_profile_store_is_one(const char *path);

/* Print adds the text of the store's file. Merge adds the rows and rates of such a text, with any
 * key; of two values for a row the slower one is kept. VDNN_BAD_INPUT if it is no profile. */
vdnn_status vdnn_profile_store_print(const vdnn_profile_store *store, vdnn_text *text);
vdnn_status vdnn_profile_store_merge(vdnn_profile_store *store, const char *text, size_t length);

/* Writes the store to a temporary file and renames it. Rows and rates that only the old file has
 * are kept if it has the same key; any other file is replaced. */
vdnn_status vdnn_profile_store_write_over(const vdnn_profile_store *store, const char *path);
/* Drops all but the key and the device; drops only the rates. */
void vdnn_profile_store_clear(vdnn_profile_store *store);
void vdnn_profile_store_clear_rates(vdnn_profile_store *store);

/* 0: not known yet. */
double vdnn_profile_store_rate(const vdnn_profile_store *store, vdnn_profile_rate rate);
/* Sets a measured rate. Fails as vdnn_profile_store_add does. */
vdnn_status vdnn_profile_store_set_rate(vdnn_profile_store *store, vdnn_profile_rate rate,
                                        double value);

#endif
