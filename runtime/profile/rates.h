#ifndef VDNN_RUNTIME_PROFILE_RATES_H
#define VDNN_RUNTIME_PROFILE_RATES_H

/* What copies, sums over devices, and steps that belong to no layer, take: bytes per second and
 * seconds.
 *
 * Invariant: a plain value; all are positive, but copy_both_bytes_per_second may be 0, without a
 * file tier its two rates are, and where copies and compute do not slow each other the rates of
 * that. Threads: any.
 *
 *     vdnn_rates rates = vdnn_profile_rates(profile);
 *     seconds = rates.copy_latency_seconds + bytes / rates.copy_out_bytes_per_second;
 */

#include "runtime/graph/reduce_scheme.h"

/* How sums over devices use the link to the host, which a copy may be using: not at all; once for
 * all devices on one link, as a ring through them enters and leaves it once; or for each of them.
 */
typedef enum vdnn_reduce_crossing {
    VDNN_REDUCE_CROSSES_NOTHING,
    VDNN_REDUCE_CROSSES_ONCE,
    VDNN_REDUCE_CROSSES_EACH
} vdnn_reduce_crossing;

/* A way to sum a gradient over devices: latency_seconds, then `traffic` bytes for each of its
 * bytes, in both directions at once. */
typedef struct vdnn_reduce_way {
    double latency_seconds, traffic, bytes_per_second;
} vdnn_reduce_way;

enum { VDNN_REDUCE_WAYS = 2 };

typedef struct vdnn_reduce_rates {
    vdnn_reduce_way
        ways[VDNN_REDUCE_WAYS]; /* the faster one is taken, which depends on the bytes */
    int way_count;              /* 0: the devices have their memory in common, whose rate counts */
    vdnn_reduce_way half;       /* of each half of a sum; of a ring alone */
    vdnn_reduce_crossing crossing;
} vdnn_reduce_rates;

/* What a step of a compute stream does for the most part: copies slow them differently. */
typedef enum vdnn_compute_kind {
    VDNN_COMPUTE_NOTHING, /* takes no time beside copies */
    VDNN_COMPUTE_PRODUCT, /* arithmetic: convolutions, products of matrices */
    VDNN_COMPUTE_MOVING,  /* reads and writes memory: all others */
    VDNN_COMPUTE_KINDS
} vdnn_compute_kind;

typedef struct vdnn_rates {
    double copy_out_bytes_per_second, copy_in_bytes_per_second, copy_latency_seconds;
    double spill_bytes_per_second, fill_bytes_per_second; /* between the host and the file tier */
    double copy_both_bytes_per_second;   /* of both directions together; 0: they are independent */
    double elementwise_bytes_per_second; /* bytes per second of updates and accumulations */
    double launch_seconds;               /* added to every step of a compute stream */
    /* Where compute and copies share memory or cores: copies beside compute, and how many times as
     * long compute of each kind takes beside copies of a direction; 0: as alone. */
    double copy_out_beside_bytes_per_second, copy_in_beside_bytes_per_second;
    double copy_out_slows_products, copy_in_slows_products;
    double copy_out_slows_moves, copy_in_slows_moves;
    vdnn_reduce_rates reduce; /* over the devices that share a step's batch */
} vdnn_rates;

#endif
