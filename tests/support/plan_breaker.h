#ifndef VDNN_TESTS_SUPPORT_PLAN_BREAKER_H
#define VDNN_TESTS_SUPPORT_PLAN_BREAKER_H

/* A plan to break: a good one, and fresh copies of it.
 *
 * Invariant: the good plan is the case's, has passed the checker, and is never changed; one copy is
 * alive at a time. Threads: one.
 *
 *     vdnn_plan_breaker b = {.broken = NULL};
 *     shape(&b.c, ...);
 *     b.c.plan = plan_of(&b.c);
 *     vdnn_plan_breaker_begin(&b);
 *     vdnn_plan *broken = vdnn_plan_breaker_fresh(&b);   // the one before is gone
 *     vdnn_plan_edit_mute(broken, step);
 *     vdnn_plan_edit_expect_refused(broken, "runs 0 times");
 *     vdnn_plan_breaker_end(&b);
 */

#include "tests/support/training_case.h"

typedef struct vdnn_plan_breaker {
    vdnn_training_case c;
    vdnn_plan *broken;
} vdnn_plan_breaker;

/* The case has a plan, which passes. */
void vdnn_plan_breaker_begin(const vdnn_plan_breaker *b);
/* The case was shaped: its plan is of eager decisions (random_decisions.h), with waits by need. */
void vdnn_plan_breaker_begin_eagerly(vdnn_plan_breaker *b);
/* The breaker owns it. */
vdnn_plan *vdnn_plan_breaker_fresh(vdnn_plan_breaker *b);
/* Refused is a plan without the n-th run of a layer's pass, and one with two of it. */
void vdnn_plan_breaker_expect_run_once(vdnn_plan_breaker *b, vdnn_pass pass, int32_t layer,
                                       int32_t n);
void vdnn_plan_breaker_end(vdnn_plan_breaker *b);

#endif
