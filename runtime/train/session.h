#ifndef VDNN_RUNTIME_TRAIN_SESSION_H
#define VDNN_RUNTIME_TRAIN_SESSION_H

/* A session: from options to a trained network.
 *
 * Invariant: nothing of a tier is reserved before the plan is known to fit and the machine to have
 * the memory; a file that is written appears whole or not at all. Threads: one; it starts the
 * device's and the loader's.
 *
 *     vdnn_text json = {0};
 *     status = vdnn_session_run(&options, &messages, &json);
 *     if (json.length > 0) ...   // after success, and after VDNN_NO_FIT
 *     vdnn_text_fini(&json);
 */

#include "runtime/text.h"
#include "runtime/train/setup.h"

typedef struct vdnn_session_options {
    vdnn_setup_options setup;
    const char *version; /* for the record */
    const char *policy;
    vdnn_algo_mode algo;
    int64_t epochs, steps; /* 0: the network's; 0: as many as the epochs have */
    uint64_t seed;
    double lr;                    /* 0 or more; below: the network's */
    const char *data, *test_data; /* KIND:PLACE; test_data may be NULL */
    bool shuffle;
    const char *init, *save, *trace; /* files; NULL: none */
    bool dry_run, print_plan, print_footprint;
} vdnn_session_options;

/* Trains, or only plans. *json is set on success and on VDNN_NO_FIT. VDNN_INTERRUPTED and
 * VDNN_TERMINATED after a whole step, when messages->interrupted says so: nothing is written then.
 */
vdnn_status vdnn_session_run(const vdnn_session_options *options, const vdnn_messages *messages,
                             vdnn_text *json);

#endif
