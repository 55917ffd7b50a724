#ifndef VDNN_RUNTIME_TRAIN_REPLAN_STEP_TIMES_H
#define VDNN_RUNTIME_TRAIN_REPLAN_STEP_TIMES_H

/* What a plan's steps took, the last few times that they were timed, against what a profile says:
 * by how much it is off, and the profile as it should be.
 *
 * Operations are compared with their spans on the planner's clock, where copies during compute
 * lengthen both: what the device is slower by beyond that scales the rows and rates. Rows and rates
 * that no step of the plan uses stay as they are.
 *
 * Invariant: all has its memory from init on; the times are of one plan. Threads: one.
 *
 *     status = vdnn_step_times_init(plan, &times);
 *     vdnn_step_times_add(&times, timeline, seconds);           // of each timed step
 *     if (vdnn_step_times_are_enough(&times) && vdnn_step_times_median(&times) > 1.1 * planned)
 *         status = vdnn_step_times_ratios(&times, profile, ratios);
 *     vdnn_step_times_apply(ratios, plan, profile);             // also on another device
 *     vdnn_step_times_fini(&times);
 */

#include "traces/timeline.h"

enum { VDNN_STEP_TIMES_WINDOW = 5 };

typedef struct vdnn_step_times {
    const vdnn_plan *plan; /* borrowed */
    float *spans;          /* owned: seconds of each of the plan's steps, a row for each in turn */
    double seconds[VDNN_STEP_TIMES_WINDOW]; /* of the whole step */
    int64_t count;                          /* added so far */
} vdnn_step_times;

vdnn_status vdnn_step_times_init(const vdnn_plan *plan, vdnn_step_times *times);
/* Accepts what was never begun, all zero. */
void vdnn_step_times_fini(vdnn_step_times *times);

void vdnn_step_times_add(vdnn_step_times *times, const vdnn_timeline *timeline, double seconds);
bool vdnn_step_times_are_enough(const vdnn_step_times *times);
/* The median of the last ones, of which there are enough. */
double vdnn_step_times_median(const vdnn_step_times *times);

/* Measured seconds by planned ones: one for each pass of each layer, then of elementwise steps, of
 * copies out, in, to files and from files; 1 where the plan has none. */
size_t vdnn_step_times_ratio_count(const vdnn_plan *plan);
/* `profile` is the one that the plan was made by. VDNN_NO_MEMORY. */
vdnn_status vdnn_step_times_ratios(const vdnn_step_times *times, const vdnn_profile *profile,
                                   double *ratios);
/* Scales a profile's times, and leaves it the algorithms of the plan alone, which is of its graph:
 * other plans then compute the same bits. */
vdnn_status vdnn_step_times_apply(const double *ratios, const vdnn_plan *plan,
                                  vdnn_profile *profile);

#endif
