#ifndef VDNN_RUNTIME_MEASURE_MEASURE_H
#define VDNN_RUNTIME_MEASURE_MEASURE_H

/* Measures kernels, copies and updates on a device, in tiers that it reserves.
 *
 * Invariant: while a vdnn_measure exists it owns the device's tiers; destroying it empties them.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measure_create(device, working_bytes, &measure);
 *     status = vdnn_measure_pass(measure, layer, VDNN_FORWARD, algorithm, &limits, &result);
 *     vdnn_measure_destroy(measure);
 */

#include "runtime/device/device.h"
#include "runtime/profile/profile_store.h"

typedef struct vdnn_measure vdnn_measure;

/* `working_bytes`: the bytes of the network's data in a step. On the CPU measuring uses half of
 * them, and more only if one sample requires it; on a card up to all of them, if they are free. */
vdnn_status vdnn_measure_create(vdnn_device *device, size_t working_bytes, vdnn_measure **measure);
void vdnn_measure_destroy(vdnn_measure *measure);

/* The times of a pass's other algorithms, over the whole batch, decide how exactly one more must be
 * measured. HUGE_VAL: no other time is known. */
typedef struct vdnn_measure_limits {
    double worth_seconds; /* above it one run after the warm-up is enough: others are faster */
    double brief_seconds; /* above it the warm-up alone is enough: others are faster and require no
                             more workspace, so that no plan chooses this one */
} vdnn_measure_limits;

typedef struct vdnn_pass_time {
    double seconds;
    bool is_exact; /* from three runs of the whole batch on a card, which agree */
    bool is_brief; /* from one short run, or the shorter of two: it is above brief_seconds */
} vdnn_pass_time;

/* Measures the seconds of one pass over the layer's whole batch, without the launch (launch_seconds
 * of the profile): the median of three runs after a warm-up, or of fewer above the limits. Each run
 * finds the caches as a step of a network leaves them. A card runs the whole batch if that takes
 * less than `worth_seconds` and the memory suffices. Otherwise a run has few enough samples to be
 * short, and its time is scaled to the whole batch by FLOPs and bytes. On the CPU, if much of the
 * time may be fixed, a second run with more samples gives the time per further sample. If a run
 * has too little memory, the samples are halved. VDNN_NO_FIT if the device has too little memory
 * for one sample, VDNN_NO_MEMORY if the host has. */
vdnn_status vdnn_measure_pass(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const vdnn_measure_limits *limits,
                              vdnn_pass_time *result);

/* Runs a pass of some samples by an algorithm and by the reference algorithm of its type, on the
 * same data. VDNN_DEVICE, with the largest difference, if they differ by more than rounding; other
 * errors as in vdnn_measure_pass. VDNN_OK also if there is no other reference algorithm. */
vdnn_status vdnn_measure_compare(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                                 const vdnn_algorithm *algorithm);

/* Whether a pass that failed to be measured with this status says nothing about other passes. */
bool vdnn_measure_fails_alone(vdnn_status status);

/* Whether a status means that the device or the host has too little memory for even one sample. */
bool vdnn_measure_lacks_memory(vdnn_status status);

/* Seconds by FLOPs and bytes alone, on a nominal machine of 100 GFLOP/s and 10 GB/s. */
double vdnn_measure_nominal_seconds(const vdnn_layer *layer, vdnn_pass pass);

/* Replaces *seconds, the time of an earlier measurement, by the time of another one. On the CPU it
 * takes as many samples as run for some tenths of a second, or all. The earlier time decides how
 * many these are; if the new time is more than twice as long, the shorter of two runs counts. */
vdnn_status vdnn_measure_pass_again(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                                    const vdnn_algorithm *algorithm, double *seconds);

/* Sets the bandwidths and the latency of the link; leaves other rates as they are. */
vdnn_status vdnn_measure_copies(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

/* Sets the rates of copies and of updates, the time of the smallest operation, and how much copies
 * and compute slow each other. Measures on a large share of the network's bytes, since a small one
 * would stay in caches. */
vdnn_status vdnn_measure_rates(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

/* Likewise, in a tenth of the time: how much copies and compute slow each other is what is typical
 * of a processor, not measured. */
vdnn_status vdnn_measure_some_rates(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

#endif
