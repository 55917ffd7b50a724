#ifndef VDNN_RUNTIME_PLANNER_GRADIENT_SLOTS_H
#define VDNN_RUNTIME_PLANNER_GRADIENT_SLOTS_H

/* Gradient maps share as few buffers as are live at once (VDNN_GRADIENTS_SHARED_MAX).
 *
 * Invariant: each buffer is as large as the largest gradient map.
 * Threads: one.
 *
 *     status = vdnn_emit_steps(&builder, ...);
 *     vdnn_gradient_slots_share(&builder); // before lifetimes
 */

#include "runtime/planner/builder.h"

/* Assigns gradient maps to buffers in the order in which they are first written. */
void vdnn_gradient_slots_share(vdnn_builder *builder);

#endif
