#ifndef VDNN_RUNTIME_PROFILE_RATES_H
#define VDNN_RUNTIME_PROFILE_RATES_H

/* What copies, and steps that belong to no layer, take: bytes per second and seconds.
 *
 * Invariant: a plain value; all are positive, but copy_both_bytes_per_second may be 0, and without
 * a file tier its two rates are. Threads: any.
 *
 *     vdnn_rates rates = vdnn_profile_rates(profile);
 *     seconds = rates.copy_latency_seconds + bytes / rates.copy_out_bytes_per_second;
 */

typedef struct vdnn_rates {
    double copy_out_bytes_per_second, copy_in_bytes_per_second, copy_latency_seconds;
    double spill_bytes_per_second, fill_bytes_per_second; /* between the host and the file tier */
    double copy_both_bytes_per_second;   /* of both directions together; 0: they are independent */
    double elementwise_bytes_per_second; /* bytes per second of updates and accumulations */
    double launch_seconds;               /* added to every step of a compute stream */
} vdnn_rates;

#endif
