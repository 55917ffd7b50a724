#ifndef VDNN_RUNTIME_PLANNER_ROOM_H
#define VDNN_RUNTIME_PLANNER_ROOM_H

/* What copies out leave no room for, before addresses are known.
 *
 *     stream compute   ... |== a ==|          |== s ==|    what is alive at s does not fit beside
 *     stream out           |= x =|= y =|= z =|             y and z: s waits for y
 *     lives by the plan    x y z --|
 *     until copies end     x ------|
 *                          y ------------|
 *                          z ------------------|
 *
 * By the plan a buffer that is copied out is dead from the end of its group on, but its bytes are
 * taken until the copy has ended. Buffers that are dead by the plan and whose copies have not ended
 * lie apart from each other and from what is alive and was begun: what lies where one of them was
 * has waited for its copy (reuse.h). So at the begin of a step all of these fit beside each other,
 * and as copies out are first come, first served, it waits for the first of them, as many as it
 * takes. Of what is copied in that is alive counts what was copied before.
 *
 * Invariant: what is waited for here is waited for in every packing. Threads: one.
 *
 *     status = vdnn_room_wait(&builder, most_bytes);   // after the lifetimes
 *     ...                                              // the clock: when each step begins and ends
 *     status = vdnn_room_until(&builder, start, end, until);
 */

#include "runtime/planner/builder.h"

/* Adds the waits that every packing of the device's buffers in so many bytes has. VDNN_NO_MEMORY.
 */
vdnn_status vdnn_room_wait(vdnn_builder *builder, size_t most_bytes);

/* Per buffer until when it is taken, as a half point, by when steps begin and end: to the first
 * half point behind its last copy out, or to the end of its life. With lives so long nothing waits
 * for a copy out. VDNN_NO_MEMORY. */
vdnn_status vdnn_room_until(vdnn_builder *builder, const double *start, const double *end,
                            int32_t *until);

#endif
