#ifndef VDNN_RUNTIME_PROFILE_RATES_H
#define VDNN_RUNTIME_PROFILE_RATES_H

/* The bandwidths and times of copies, sums over devices, and steps that belong to no layer.
 *
 * Invariant: a plain value whose rates are positive, with three exceptions.
 * copy_both_bytes_per_second may be 0; spill and fill are 0 without a file tier; the rates of
 * copies during compute are 0 where the two do not slow each other. Threads: any.
 *
 *     vdnn_rates rates = vdnn_profile_rates(profile);
 *     seconds = rates.copy_latency_seconds + bytes / rates.copy_out_bytes_per_second;
 */

#include "runtime/graph/reduce_scheme.h"

/* How often a sum over devices uses the host link, which copies use too: never; once for all
 * devices on one link, as a ring enters and leaves it once; or once for each device. */
typedef enum vdnn_reduce_crossing {
    VDNN_REDUCE_CROSSES_NOTHING,
    VDNN_REDUCE_CROSSES_ONCE,
    VDNN_REDUCE_CROSSES_EACH
} vdnn_reduce_crossing;

/* One method to sum a gradient over devices. It takes latency_seconds, then transfers `traffic`
 * bytes for each byte of the gradient, in both directions at once. */
typedef struct vdnn_reduce_way {
    double latency_seconds, traffic, bytes_per_second;
} vdnn_reduce_way;

enum { VDNN_REDUCE_WAYS = 2 };

typedef struct vdnn_reduce_rates {
    vdnn_reduce_way ways[VDNN_REDUCE_WAYS]; /* the faster one is used, which depends on the bytes */
    int way_count;        /* 0: the devices share one memory, whose rate is used */
    vdnn_reduce_way half; /* of each half of a sum by shares; only a ring has halves */
    vdnn_reduce_crossing crossing;
    double
        compute_share; /* of the time of a sum that compute hides: what it takes from that
                          compute, as the units that add and the memory are the same; 0: nothing */
} vdnn_reduce_rates;

/* What a compute step mostly does, since copies slow each kind differently. */
typedef enum vdnn_compute_kind {
    VDNN_COMPUTE_NOTHING, /* takes no time during copies */
    VDNN_COMPUTE_PRODUCT, /* arithmetic: convolutions, products of matrices */
    VDNN_COMPUTE_MOVING,  /* reads and writes memory: all others */
    VDNN_COMPUTE_KINDS
} vdnn_compute_kind;

typedef struct vdnn_rates {
    double copy_out_bytes_per_second, copy_in_bytes_per_second, copy_latency_seconds;
    double spill_bytes_per_second, fill_bytes_per_second; /* between the host and the file tier */
    double copy_both_bytes_per_second;   /* sum of both directions; 0: they are independent */
    double elementwise_bytes_per_second; /* bytes per second of updates and accumulations */
    double launch_seconds;               /* added to every step of a compute stream */
    /* Where compute and copies share memory or cores: the rate of copies during compute, and by
     * which factor copies of a direction slow compute of each kind; 0: they do not. */
    double copy_out_beside_bytes_per_second, copy_in_beside_bytes_per_second;
    double copy_out_slows_products, copy_in_slows_products;
    double copy_out_slows_moves, copy_in_slows_moves;
    vdnn_reduce_rates reduce; /* over the devices that share a step's batch */
} vdnn_rates;

#endif
