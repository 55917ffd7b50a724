#ifndef VDNN_RUNTIME_PROFILE_MEASURE_INTERNAL_H
#define VDNN_RUNTIME_PROFILE_MEASURE_INTERNAL_H

/* What measuring passes (profile_measure_pass.c) and rates (profile_measure_rates.c) share: memory
 * to work on, and the time of whatever is enqueued.
 *
 * Invariant: the device tier's first `filled_bytes` hold the pattern.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_profile_measure_need(measure, bytes);
 *     status = vdnn_profile_measure_median(measure, enqueue_copy, 1, &copy, &seconds);
 */

#include "runtime/profile_measure.h"

enum { VDNN_MEASURE_RUNS = 3 };

/* A run that takes so long is not repeated: it is far above any noise. */
#define VDNN_MEASURE_LONG_SECONDS 0.1

struct vdnn_profile_measure {
    vdnn_device *device; /* borrowed */
    const vdnn_device_properties *properties;
    size_t working_bytes;
    size_t reserved_bytes;
    size_t filled_bytes; /* the device tier's first bytes that still hold the pattern */
    float *pattern;      /* small normals: neither zeros nor denormals, which take other times */
    vdnn_step_context context;
    /* Read by every thread before a run, as what other layers work on is in a step: a run that
     * finds its maps where the last one left them takes half of the time. NULL: the host's caches
     * are not the device's. */
    char *others;
    size_t others_bytes;
    long seen; /* of it, so that it is read */
};

/* Fills the device tier up to `bytes` with the pattern. */
vdnn_status vdnn_profile_measure_fill(vdnn_profile_measure *measure, size_t bytes);
/* Makes the device tier at least so large. All of it is touched, so that no run pays for new pages.
 */
vdnn_status vdnn_profile_measure_need(vdnn_profile_measure *measure, size_t bytes);

/* Enqueues operations under the first events of a round, two at most. */
typedef vdnn_status vdnn_profile_enqueue(vdnn_profile_measure *measure, void *argument);

/* From the first start of the `events` that the operation has to the last end. */
vdnn_status vdnn_profile_measure_once(vdnn_profile_measure *measure,
                                      vdnn_profile_enqueue *operation, int events, void *argument,
                                      double *seconds);
/* The middle one of three after a warm-up, or that one where it was long. */
vdnn_status vdnn_profile_measure_median(vdnn_profile_measure *measure,
                                        vdnn_profile_enqueue *operation, int events, void *argument,
                                        double *seconds);
double vdnn_profile_measure_middle(const double v[VDNN_MEASURE_RUNS]);

#endif
