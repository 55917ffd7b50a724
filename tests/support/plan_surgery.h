#ifndef VDNN_TESTS_SUPPORT_PLAN_SURGERY_H
#define VDNN_TESTS_SUPPORT_PLAN_SURGERY_H

/* What consistent edits of plans are made of: steps that are inserted, accesses that are redirected
 * from one buffer to another, buffers that get separate memory.
 *
 * Invariant: indexes stay inside the lists; waits, writers, lifetimes and sums are made true
 * afterwards, by vdnn_plan_repair. Threads: one.
 *
 *     const vdnn_access accesses[] = {vdnn_plan_surgery_whole(plan, from, VDNN_READ,
 * VDNN_BIND_SRC), vdnn_plan_surgery_whole(plan, to, VDNN_WRITE, VDNN_BIND_DST)};
 *     vdnn_plan_surgery_insert(plan, at, &copy, accesses, 2);
 *     vdnn_plan_surgery_redirect(plan, at + 1, end, old, fresh);
 *     vdnn_plan_repair(plan);
 */

#include "runtime/plan/plan.h"
#include "tests/support/vdnn_test.h"

/* In [low, high]; high where there is nothing else. */
int32_t vdnn_plan_surgery_pick(vdnn_test_rng *rng, int32_t low, int32_t high);

/* An access of all of a buffer. */
vdnn_access vdnn_plan_surgery_whole(const vdnn_plan *plan, int32_t buffer, unsigned mode,
                                    vdnn_bind bind);
/* Before step `at`, without waits; its accesses are copied. */
void vdnn_plan_surgery_insert(vdnn_plan *plan, int32_t at, const vdnn_step *step,
                              const vdnn_access *accesses, int32_t count);
/* All accesses of one buffer by steps [begin, end) are of another one. */
void vdnn_plan_surgery_redirect(vdnn_plan *plan, int32_t begin, int32_t end, int32_t from,
                                int32_t to);
/* One more buffer like another, in a tier, behind all others there. */
int32_t vdnn_plan_surgery_add(vdnn_plan *plan, int32_t like, vdnn_tier tier, size_t bytes);
/* Behind all others of its tier. */
void vdnn_plan_surgery_set_apart(vdnn_plan *plan, int32_t buffer);
/* No two buffers share bytes, but what is found where the training step before left it. */
void vdnn_plan_surgery_spread(vdnn_plan *plan);

/* Whether a step has an access of the buffer with any of these bits of a mode. */
bool vdnn_plan_surgery_uses(const vdnn_plan *plan, int32_t step, int32_t buffer, unsigned mode);
/* The last step before `step` that writes the buffer; -1: none does. */
int32_t vdnn_plan_surgery_writer(const vdnn_plan *plan, int32_t step, int32_t buffer);
/* The first step from `step` on that writes a buffer without reading it; the plan's step_count:
 * none does. */
int32_t vdnn_plan_surgery_rewrite(const vdnn_plan *plan, int32_t step, int32_t buffer);

/* Moves a step to `to`, before where it is, and there before it all that it needs: who writes what
 * it reads, and so on. Returns where the step is then. */
int32_t vdnn_plan_surgery_pull(vdnn_plan *plan, int32_t step, int32_t to);

#endif
