#ifndef VDNN_RUNTIME_SETUP_SETUP_H
#define VDNN_RUNTIME_SETUP_SETUP_H

/* Everything before a plan: the network, the device, the budgets, the profile.
 *
 * Invariant: after begin all but the profile is valid until end; neither tier is reserved.
 * Threads: one.
 *
 *     vdnn_setup setup;
 *     status = vdnn_setup_begin(&options, &messages, &setup);     // quick: reads and opens
 *     status = vdnn_setup_measure(&options, &messages, &setup);   // may take a while
 *     status = vdnn_setup_plan(&setup, &planning);                // what plans take, and plans
 *     vdnn_planning_begin(planning, setup.budget_bytes);
 *     ...
 *     vdnn_planning_destroy(planning);
 *     vdnn_setup_end(&setup);
 */

#include "runtime/base/messages.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/setup/derived_profile.h"
#include "runtime/setup/profile_cache.h"
#include "runtime/setup/run_options.h"
#include "runtime/setup/variants.h"

typedef struct vdnn_setup {
    vdnn_model *loaded;      /* NULL: the options have a network */
    const vdnn_model *model; /* that one, or `loaded` */
    vdnn_graph *graph;
    vdnn_graph *whole;           /* the network of which `graph` is a stage; NULL: it is not cut */
    vdnn_profile *whole_profile; /* of that network */
    int32_t *stage_ends;         /* of each stage the layer after its last */
    vdnn_device *device;
    vdnn_device_properties properties;
    size_t available_bytes; /* of RAM, before any allocation */
    size_t used_bytes;      /* by this process, then */
    const char *limit;      /* the limit: "MemAvailable", ... */
    size_t budget_bytes[VDNN_TIER_COUNT];
    size_t unified_bytes; /* of device and host together; 0: each has its budget */
    vdnn_profile_store *store;
    vdnn_profile_cache *cache;     /* of the store; NULL: none */
    vdnn_profile *profile;         /* measured, and reduced to the pinned algorithms */
    vdnn_setup_variants *variants; /* NULL: layers are run in the parts that the file says */
    vdnn_packings *packings;       /* of all plans so far */
    vdnn_messages messages;
    vdnn_measure_observer observer; /* of measuring, now and later: reports by `messages` */
    vdnn_look look;                 /* by default all is measured */
    const char *kind;               /* of `device`, as it is opened; borrowed from the options */
    vdnn_device_options device_options; /* with which it was opened */
    const char *layout; /* of the run that is resumed, borrowed; NULL: planning chooses */
} vdnn_setup;

/* Sets up the network, the device and the budgets. On failure nothing need be ended. */
vdnn_status vdnn_setup_begin(const vdnn_run_options *options, const vdnn_messages *messages,
                             vdnn_setup *setup);
/* The file of the weights that training begins with: the options', or the network's; NULL: none. */
const char *vdnn_setup_init(const vdnn_setup *setup, const vdnn_session_options *options);

/* Names a device by what its times depend on: processor, libraries, threads. Returns `key`. */
enum { VDNN_SETUP_KEY_BYTES = 320 };
const char *vdnn_setup_key(const vdnn_setup *setup, char key[VDNN_SETUP_KEY_BYTES]);

/* Opens the store of measured rows, with those of the profile's file, or of the cache. `messages`
 * must stay as long as the setup. */
vdnn_status vdnn_setup_open_store(const vdnn_run_options *options, const vdnn_messages *messages,
                                  vdnn_setup *setup);
/* Opens the store unless it is open, and makes the profile, or replaces it if there is one:
 * measures the rows that its file or the cache does not have, and writes them there, to the file
 * one by one, also if it fails or is interrupted. In tf32 and bf16 on a device that has another
 * layout, both are measured, and `graph` is of the faster one from then on. The setup stays where
 * it is until its end. */
vdnn_status vdnn_setup_measure(const vdnn_run_options *options, const vdnn_messages *messages,
                               vdnn_setup *setup);
/* Completes the profile's file, or the cache, after measuring, which ended with `status`. Returns
 * that status, with its message, or why the file could not be written. */
vdnn_status vdnn_setup_keep(const vdnn_setup *setup, vdnn_status status);
void vdnn_setup_end(vdnn_setup *setup);

/* Of several devices. The one of that number, like the first one, number 0, and for the same share
 * of each batch; all else is borrowed from `first`. */
vdnn_status vdnn_setup_join(const vdnn_setup *first, int32_t device, vdnn_setup *joined);
void vdnn_setup_joined_end(vdnn_setup *joined);
/* How many devices, from the first one on, have its setup; the others have the next one: those with
 * one sample less, or, where the first gathers the gradients of all, all others that have as many.
 */
int32_t vdnn_setup_first_count(const vdnn_setup *first);
/* The setup of the devices that do not have the first one's: the network in their shape; the
 * profile, measured on the first device, with the algorithms of the first one's plan where they
 * support it; the buckets of gradients of that plan. All else is borrowed. */
vdnn_status vdnn_setup_lessen(const vdnn_setup *first, const vdnn_plan *plan, vdnn_setup *lesser);
void vdnn_setup_lesser_end(vdnn_setup *lesser);

/* Resolves a name to a kind for vdnn_device_open: VDNN_USAGE with the valid names for an unknown
 * one, VDNN_DEVICE if there is no such device. "auto" is the CPU, which is always available;
 * vdnn_setup_begin takes a CUDA device for it if one can be used. */
vdnn_status vdnn_setup_resolve_device(const char *name, const char **kind);

/* "AMD EPYC (2 threads)", "v100 (simulated, calibrated from 272 timings: half of the predicted
 * times are within 12 %)": into `text`, which is returned. */
const char *vdnn_setup_device_text(char *text, size_t size,
                                   const vdnn_device_properties *properties);

/* Budgets from the options (NULL: not given). On a device that shares the host's memory both
 * defaults together are 80 % of the available memory, 60 parts for the device and 40 for the host;
 * if one is given, the other takes the rest of those 80 %, but no less than its default: a plan's
 * needs are checked against the memory before it is allocated. A simulated device has its own host.
 */
vdnn_status vdnn_setup_budgets(const char *device_mem, const char *host_mem,
                               const vdnn_device_properties *properties, size_t available_bytes,
                               size_t budget_bytes[VDNN_TIER_COUNT]);

/* Of --unified-mem, all of which is the device's at first, up to what that has, the host gets what
 * a plan needs there if it had too little, and if there is enough for both: true. At first the
 * device has it since a plan without copies needs no more of both together than one with them: what
 * is copied out is in one of them in any case. */
bool vdnn_setup_divide(vdnn_setup *setup, const size_t need_bytes[VDNN_TIER_COUNT]);

#endif
