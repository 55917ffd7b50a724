#ifndef VDNN_RUNTIME_TRAIN_ADVICE_TRIALS_H
#define VDNN_RUNTIME_TRAIN_ADVICE_TRIALS_H

/* Times the steps of several runs in turns: in each round some steps of each, from made-up data and
 * weights, after one that is not counted. So a load that comes or goes meets all of them.
 *
 * Invariant: afterwards the device has no tier. Threads: the one that drives the session, before it
 * has begun.
 *
 *     status = vdnn_trials_run(&options, &messages, &trials);
 *     if (status == VDNN_OK && trials.rounds > 0) ...
 */

#include "runtime/fit/compare/trial.h"

/* Leaves out the slowest where all would take more than a quarter of a minute by their plans. No
 * round is made if nothing is left to compare, or a trial fails, as for want of memory. VDNN_OK, or
 * the status of a signal that ends the run. */
vdnn_status vdnn_trials_run(const vdnn_session_options *options, const vdnn_messages *messages,
                            vdnn_trials *trials);

#endif
