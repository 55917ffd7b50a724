#ifndef VDNN_RUNTIME_FIT_MEMORY_CURVE_H
#define VDNN_RUNTIME_FIT_MEMORY_CURVE_H

/* The bytes of the device that are alive over a planned step, as a small picture of characters with
 * the line of the budget:
 *
 *               |        ##
 *        budget |------####----------
 *               |     .####:
 *               |  .:########:.
 *               |.################:..
 *           0 B +------------^--------
 *                0 s; ^ backward from 390 ms; end 1.2 s
 *
 * A column is as high as the most that is alive in its part of the step's time.
 *
 * Invariant: the highest column is the plan's peak; the same plan and profile give the same
 * picture. Threads: pure.
 *
 *     vdnn_memory_curve curve = {.budget_bytes = budget, .columns = 100, .has_blocks = true};
 *     status = vdnn_memory_curve_add(&curve, plan, profile, &text);
 */

#include "runtime/base/text.h"
#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

typedef struct vdnn_memory_curve {
    size_t budget_bytes;
    size_t columns;  /* of a line */
    bool has_blocks; /* the text may have the block characters of Unicode, in UTF-8; else ASCII */
    double step_seconds; /* that its ends are written with, to these digits; 0: the plan's */
    int digits;
} vdnn_memory_curve;

/* VDNN_NO_MEMORY. */
vdnn_status vdnn_memory_curve_add(const vdnn_memory_curve *curve, const vdnn_plan *plan,
                                  const vdnn_profile *profile, vdnn_text *text);

#endif
