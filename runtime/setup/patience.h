#ifndef VDNN_RUNTIME_SETUP_PATIENCE_H
#define VDNN_RUNTIME_SETUP_PATIENCE_H

/* How long a policy may search: a number of seconds, a number of plans, or until the program wants
 * the run to end; then the best plan so far is taken.
 *
 *     vdnn_patience patience;
 *     vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, &options, &messages, &patience);
 *     request.patience = &patience.of_policy;            // where it is; not copied
 *
 * Invariant: where plans are counted, no clock is read.
 * Threads: one.
 */

#include "runtime/base/messages.h"
#include "runtime/setup/run_options.h"

typedef struct vdnn_patience {
    vdnn_policy_patience of_policy;
    const vdnn_messages *messages; /* borrowed */
    int64_t trials;                /* 0: as many as the time allows */
    double until_seconds;          /* on the machine's clock */
    bool told;                     /* of an interruption */
} vdnn_patience;

/* What is planned: how long that may take where the options do not say. */
typedef enum vdnn_patience_kind {
    VDNN_PATIENCE_OF_RUN,   /* 2 seconds */
    VDNN_PATIENCE_OF_REPORT /* 0.2 seconds for each row */
} vdnn_patience_kind;

/* From now on. The patience stays where it is. */
void vdnn_patience_begin(vdnn_patience_kind kind, const vdnn_run_options *options,
                         const vdnn_messages *messages, vdnn_patience *patience);

#endif
