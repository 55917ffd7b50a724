#ifndef VDNN_TESTS_SUPPORT_PLAN_RUN_H
#define VDNN_TESTS_SUPPORT_PLAN_RUN_H

/* Runs plans on the CPU device: a few training steps in memory that is poisoned before, on batches
 * and weights that follow from the network alone. So two right plans of one network with the same
 * algorithms end with the same bits.
 *
 * Invariant: of a network with an image and labels, in f32, on one device. Threads: one.
 *
 *     vdnn_plan_run_begin();
 *     vdnn_plan_outcome a = vdnn_plan_run(plan, false), b = vdnn_plan_run(edited, true);
 *     if (!vdnn_plan_outcome_is_same(&a, &b)) ...
 *     vdnn_plan_outcome_fini(&a), vdnn_plan_outcome_fini(&b);
 *     vdnn_plan_run_end();
 */

#include "runtime/plan/plan.h"

enum { VDNN_PLAN_RUN_STEPS = 3 };

typedef struct vdnn_plan_outcome {
    char *weights; /* all blocks of parameters, in the order of the layers */
    size_t bytes;
    double losses[VDNN_PLAN_RUN_STEPS];
    vdnn_status status; /* of the first step that failed, or of the executor */
} vdnn_plan_outcome;

/* Open and close the device. */
void vdnn_plan_run_begin(void);
void vdnn_plan_run_end(void);

/* The plan is one that the checker accepts; copies are hashed, or not. */
vdnn_plan_outcome vdnn_plan_run(const vdnn_plan *plan, bool verifies);
/* Bit for bit; false also where one failed. */
bool vdnn_plan_outcome_is_same(const vdnn_plan_outcome *a, const vdnn_plan_outcome *b);
void vdnn_plan_outcome_fini(vdnn_plan_outcome *outcome);

#endif
