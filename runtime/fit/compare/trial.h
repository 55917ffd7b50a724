#ifndef VDNN_RUNTIME_FIT_COMPARE_TRIAL_H
#define VDNN_RUNTIME_FIT_COMPARE_TRIAL_H

/* Runs whose steps are timed in turns, so that what else the machine does meets all of them alike.
 * What makes them is one that trains (runtime/train/advice/trials.h).
 *
 * Invariant: setups and plans are those of a run with the same options. Threads: one.
 *
 *     status = vdnn_explain_begin_trials(&request, &plans, &explanation, &trials);
 *     status = vdnn_trials_run(&options, &messages, &trials);
 *     vdnn_explain_take_trials(&explanation, &trials);
 *     vdnn_trials_fini(&trials);
 */

#include "runtime/fit/compare/pace.h"
#include "runtime/fit/fit.h"

enum { VDNN_TRIALS_MOST = 16, VDNN_TRIAL_ROUNDS = 5 };

typedef struct vdnn_trial {
    size_t row;                             /* what its caller calls it by */
    vdnn_setup setup;                       /* owned: what differs from the first trial's */
    vdnn_fit_plans plans;                   /* owned; no evaluation */
    bool is_left_out;                       /* it would take too long */
    double step_seconds[VDNN_TRIAL_ROUNDS]; /* of each round: the mean of its steps */
} vdnn_trial;

typedef struct vdnn_trials {
    vdnn_trial list[VDNN_TRIALS_MOST]; /* the one that others are compared with first */
    size_t count;
    size_t rounds; /* that were made; 0: none */
} vdnn_trials;

/* Whether steps can be timed: a simulated device has the planned times, and several devices would
 * have to train together. */
bool vdnn_trial_is_possible(const vdnn_setup *setup);

/* What a trial was found to take: the median of the rounds, and half of their range as a part of
 * it. */
double vdnn_trial_seconds(const vdnn_trials *trials, size_t trial, double *spread);
/* Its images/s by those of the first. */
vdnn_pace vdnn_trial_pace(const vdnn_trials *trials, size_t trial);

void vdnn_trials_fini(vdnn_trials *trials);

#endif
