#ifndef VDNN_RUNTIME_EXEC_STEP_OBSERVER_H
#define VDNN_RUNTIME_EXEC_STEP_OBSERVER_H

/* What is called around the steps of a plan, of one round: to read what they compute where the plan
 * has it, which is known to stay there only until the next step is enqueued.
 *
 *     enqueue conv1 | after(conv1): vdnn_device_wait, vdnn_device_read | enqueue pool1 | ...
 *
 * Invariant: what a step accesses is unchanged when `after` has waited for it: all that may write
 * to the same bytes comes later in the plan. An error ends the round as one of enqueueing does.
 * Threads: the one that drives the executor; only one round is in flight.
 *
 *     const vdnn_step_observer observer = {.after = read_scores, .context = &own};
 *     batch.observer = &observer;
 *     status = vdnn_executor_step(executor, &batch, &result);
 */

#include "runtime/base/status.h"

#include <stdint.h>

typedef struct vdnn_step_observer {
    vdnn_status (*before)(void *context, int32_t step); /* before it is enqueued; may be NULL */
    vdnn_status (*after)(void *context, int32_t step);  /* once it is enqueued; may be NULL */
    void *context;
} vdnn_step_observer;

#endif
