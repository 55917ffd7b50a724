#ifndef VDNN_TESTS_SUPPORT_RANDOM_PLAN_H
#define VDNN_TESTS_SUPPORT_RANDOM_PLAN_H

/* Plans of small random networks under random decisions, to be broken or edited: with parts,
 * micro-batches, ties, batches loaded ahead or late, the host and the file tier, several devices
 * with buckets and shares, evaluations.
 *
 * Invariant: the same seed gives the same plan. Threads: one.
 *
 *     vdnn_random_plan drawn;
 *     vdnn_random_plan_draw(&drawn, seed, VDNN_RANDOM_PLAN_ANY);
 *     ... drawn.plan ...
 *     vdnn_random_plan_fini(&drawn);
 */

#include "runtime/plan/plan.h"

/* Any, with algorithms that nothing can run; those with all that a plan can have at a time, drawn
 * independently, also copies of weights that are kept; evaluations of these; or what the CPU device
 * can run, on a single device, of an image in f32. */
typedef enum vdnn_random_plan_kind {
    VDNN_RANDOM_PLAN_ANY,
    VDNN_RANDOM_PLAN_MIXED,
    VDNN_RANDOM_PLAN_BESIDE,
    VDNN_RANDOM_PLAN_RUNS
} vdnn_random_plan_kind;

typedef struct vdnn_random_plan {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_plan *plan;
    vdnn_plan *training; /* of an evaluation, the one that it is run beside; else NULL */
} vdnn_random_plan;

void vdnn_random_plan_draw(vdnn_random_plan *drawn, uint64_t seed, vdnn_random_plan_kind kind);
void vdnn_random_plan_fini(vdnn_random_plan *drawn);

#endif
