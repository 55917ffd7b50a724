#ifndef VDNN_RUNTIME_PLANNER_ROOM_H
#define VDNN_RUNTIME_PLANNER_ROOM_H

/* The waits that copies out cause for lack of memory, before addresses are known.
 *
 *     stream compute   ... |== a ==|          |== s ==|    what is live at s does not fit together
 *     stream out           |= x =|= y =|= z =|             with y and z: s waits for y
 *     lives by the plan    x y z --|
 *     until copies end     x ------|
 *                          y ------------|
 *                          z ------------------|
 *
 * By the plan a buffer that is copied out is dead from the end of its group, but its bytes are
 * taken until the copy has ended. Buffers whose copies have not ended share no byte with each other
 * or with live buffers that are in use, since what reuses their bytes has waited for the copy
 * (reuse.h). So at the start of a step all of these fit together. Copies out end in their order, so
 * the step waits for the first of them, as many as necessary. Of the live buffers that are copied
 * in, only those whose copy has begun before are counted.
 *
 * Invariant: a wait that is added here exists in every packing. Threads: one.
 *
 *     status = vdnn_room_wait(&builder, most_bytes);   // after the lifetimes
 *     ...                                              // the clock sets start and end of each step
 *     status = vdnn_room_until(&builder, start, end, until);
 */

#include "runtime/planner/builder.h"

/* Adds the waits that exist in every packing of the device's buffers in `most_bytes`.
 * VDNN_NO_MEMORY. */
vdnn_status vdnn_room_wait(vdnn_builder *builder, size_t most_bytes);

/* Sets until when each buffer takes its bytes, as a half point, from the times of the steps: to the
 * first half point after its last copy out, or to the end of its life. With such lives no step
 * waits for a copy out. VDNN_NO_MEMORY. */
vdnn_status vdnn_room_until(vdnn_builder *builder, const double *start, const double *end,
                            int32_t *until);

#endif
