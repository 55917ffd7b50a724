#ifndef VDNN_RUNTIME_SETUP_SETUP_H
#define VDNN_RUNTIME_SETUP_SETUP_H

/* What comes before any plan: the network, the device, the budgets, the profile.
 *
 * Invariant: after begin all but the profile is valid until end; nothing of the two tiers is held.
 * Threads: one.
 *
 *     vdnn_setup setup;
 *     status = vdnn_setup_begin(&options, &messages, &setup);     // quick: reads and opens
 *     status = vdnn_setup_measure(&options, &messages, &setup);   // may take a while
 *     request = (vdnn_policy_request){setup.graph, setup.profile, VDNN_ALGO_P, setup.device_bytes,
 *                                     setup.host_bytes};
 *     vdnn_setup_end(&setup);
 */

#include "runtime/base/messages.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/setup/derived_profile.h"
#include "runtime/setup/run_options.h"

typedef struct vdnn_setup {
    vdnn_model *loaded;      /* NULL: the options have a network */
    const vdnn_model *model; /* that one, or `loaded` */
    vdnn_graph *graph;
    vdnn_device *device;
    vdnn_device_properties properties;
    size_t available_bytes;          /* of RAM, before anything was taken */
    const char *limit;               /* what says so: "MemAvailable", ... */
    size_t device_bytes, host_bytes; /* budgets */
    vdnn_profile_store *store;
    vdnn_profile *profile; /* measured, and cut down to the pinned algorithms */
    vdnn_messages messages;
    vdnn_measure_observer observer; /* of what is measured, now and later: speaks by `messages` */
    const char *layout; /* of the run that is gone on with, borrowed; NULL: planning chooses */
} vdnn_setup;

/* The network, the device and the budgets. On failure nothing need be ended. */
vdnn_status vdnn_setup_begin(const vdnn_run_options *options, const vdnn_messages *messages,
                             vdnn_setup *setup);
/* The profile: measures what its file does not know, and keeps it there row by row, also where it
 * fails or is interrupted. In tf32 and bf16 on a device that has another layout, both are measured,
 * and `graph` is of the faster one from then on. The setup stays where it is until its end. */
vdnn_status vdnn_setup_measure(const vdnn_run_options *options, const vdnn_messages *messages,
                               vdnn_setup *setup);
/* After anything was measured, which ended with `status`: the profile's file is a whole one.
 * Returns that status, with its message, or why the file could not be written. */
vdnn_status vdnn_setup_keep(const vdnn_setup *setup, vdnn_status status);
void vdnn_setup_end(vdnn_setup *setup);

/* Resolves a name to a kind that vdnn_device_open knows: VDNN_USAGE with what there is for an
 * unknown name, VDNN_DEVICE where the device is not there. "auto" is the CPU, which can always be
 * had; vdnn_setup_begin takes a CUDA device for it where one can be used. */
vdnn_status vdnn_setup_resolve_device(const char *name, const char **kind);

/* "AMD EPYC (2 threads)", "h100 (simulated, not calibrated)": into `text`, which is returned. */
const char *vdnn_setup_device_text(char *text, size_t size,
                                   const vdnn_device_properties *properties);

/* Budgets from what was asked for (NULL: nothing). On a device that shares the host's memory both
 * defaults together are 80 % of what is available, 60 parts the device and 40 the host; where one
 * is given, the other one takes what it leaves of those 80 %, but no less than its default: what a
 * plan really takes is held against the memory before it is taken. A simulated device has a host of
 * its own. */
vdnn_status vdnn_setup_budgets(const char *device_mem, const char *host_mem,
                               const vdnn_device_properties *properties, size_t available_bytes,
                               size_t *device_bytes, size_t *host_bytes);

#endif
