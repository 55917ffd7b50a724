#ifndef VDNN_RUNTIME_MEASURE_MEASURE_H
#define VDNN_RUNTIME_MEASURE_MEASURE_H

/* Measures kernels, copies and updates on a device, in separate tiers.
 *
 * Invariant: while it exists it owns the device's tiers; destroying it leaves them empty.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measure_create(device, working_bytes, &measure);
 *     status = vdnn_measure_pass(measure, layer, VDNN_FORWARD, algorithm, &limits, &result);
 *     vdnn_measure_destroy(measure);
 */

#include "runtime/device/device.h"
#include "runtime/profile/profile_store.h"

typedef struct vdnn_measure vdnn_measure;

/* `working_bytes`: the data of the network in a step. On the CPU measuring uses half of that, more
 * only if one sample requires it; on a card up to as much, if it is free. */
vdnn_status vdnn_measure_create(vdnn_device *device, size_t working_bytes, vdnn_measure **measure);
void vdnn_measure_destroy(vdnn_measure *measure);

/* What a pass's other algorithms take, over the whole batch, decides how well the time of one more
 * must be known. HUGE_VAL: nothing is known of others. */
typedef struct vdnn_measure_limits {
    double worth_seconds; /* above it one run after the warm-up is enough: others are faster */
    double brief_seconds; /* above it the algorithm cannot be chosen, as others are faster that
                             require no more workspace: the warm-up alone is enough */
} vdnn_measure_limits;

typedef struct vdnn_pass_time {
    double seconds;
    bool is_exact; /* of three runs of the whole batch on a card, which agree */
    bool is_brief; /* of one short run, or the shorter of two, as it is above brief_seconds */
} vdnn_pass_time;

/* Seconds of one pass over the layer's whole batch, without the launch (launch_seconds of the
 * profile): the median of three runs after a warm-up, each with the caches in the state that a step
 * of a network leaves; of fewer beyond the limits. A card runs the whole batch, if that takes less
 * than `worth_seconds` and there is memory for it. Otherwise a run has as few samples as keep it
 * short, and its time is scaled by FLOPs and bytes to the whole batch; on the CPU, if much of it
 * may not grow with the samples, a second run with more, or all, gives the time per further sample.
 * A run that there is no memory for has half the samples, and so on. VDNN_NO_FIT if the device has
 * too little memory for one sample, VDNN_NO_MEMORY if the host has. */
vdnn_status vdnn_measure_pass(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const vdnn_measure_limits *limits,
                              vdnn_pass_time *result);

/* Runs a pass of some samples by an algorithm, and by the one that is the reference of its type, on
 * the same numbers. VDNN_DEVICE, with the largest difference, if they differ by more than rounding,
 * and other errors as the above; VDNN_OK, too, if no other algorithm is the reference. */
vdnn_status vdnn_measure_compare(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                                 const vdnn_algorithm *algorithm);

/* Whether a pass that was not measured, with that status, is alone in it: others may be. */
bool vdnn_measure_fails_alone(vdnn_status status);

/* Whether it was for lack of memory, of the device or of the host: not even one sample fits. */
bool vdnn_measure_lacks_memory(vdnn_status status);

/* By FLOPs and bytes alone, of a machine of 100 GFLOP/s and 10 GB/s. */
double vdnn_measure_nominal_seconds(const vdnn_layer *layer, vdnn_pass pass);

/* *seconds: such a time; becomes that of another measurement, on the CPU of as many samples as take
 * some tenths of a second, or all. It depends on the first one in how many those are, and, where it
 * is more than twice as long, in that it is the shorter of two. */
vdnn_status vdnn_measure_pass_again(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                                    const vdnn_algorithm *algorithm, double *seconds);

/* The rates of the link, and its latency; other rates are left as they are. */
vdnn_status vdnn_measure_copies(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

/* These rates and that of updates, the time of the smallest operations, and what copies and
 * compute take from each other, measured on a fair share of the network's bytes: a small share
 * would stay in caches. */
vdnn_status vdnn_measure_rates(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

#endif
