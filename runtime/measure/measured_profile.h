#ifndef VDNN_RUNTIME_MEASURE_MEASURED_PROFILE_H
#define VDNN_RUNTIME_MEASURE_MEASURED_PROFILE_H

/* A profile of what a store knows, and of what is measured where it knows nothing.
 *
 * Invariant: whatever was measured is in the store, whatever comes of the rest.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measured_profile_create(graph, device, store, &observer, &profile);
 *     vdnn_profile_destroy(profile);
 */

#include "runtime/device/device.h"
#include "runtime/profile/profile.h"

/* Who is told while rows are measured. A function that is NULL is not called. */
typedef struct vdnn_measure_observer {
    /* Before each; anything but VDNN_OK, with its message, ends the measuring. */
    vdnn_status (*proceed)(void *argument);
    /* Of a row that failed, other than for want of memory, and is left out: layer, pass, algorithm
     * and error as one message. */
    void (*failed)(void *argument, const char *message);
    void *argument;
} vdnn_measure_observer;

/* Looks every row up in the store and measures on the device what is missing: one warm-up, then the
 * median of runs, at a batch cut down to keep one run short (times then scale by FLOPs and bytes).
 * A choice that fails, as its memory cannot be had or otherwise, is left out where there is
 * another; but VDNN_DEVICE, with the row, where the device fails at everything from then on. Both
 * tiers are empty afterwards. `observer` may be NULL. */
vdnn_status vdnn_measured_profile_create(const vdnn_graph *graph, vdnn_device *device,
                                         vdnn_profile_store *store,
                                         const vdnn_measure_observer *observer,
                                         vdnn_profile **profile);

#endif
