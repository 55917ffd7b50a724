#ifndef VDNN_RUNTIME_EXEC_REDZONE_H
#define VDNN_RUNTIME_EXEC_REDZONE_H

/* A plan run with memory that tells who touches what is not theirs: a buffer is full of NaN when it
 * comes alive, and behind each there is a zone that nobody may write. One allocation holds them
 * all, so no tool that watches allocations sees a kernel that writes beyond its buffer.
 *
 *     | conv1: NaN until written | zone | pool1 ...   | zone |
 *                                 ^ looked at before and after every operation on conv1
 *
 * Invariant: operations run one at a time, in the order of the plan; the first that leaves another
 * byte in a zone makes the round fail with VDNN_MISMATCH, which names it and the buffer. Results
 * are those of a run without, bit for bit. Threads: one.
 *
 *     graph_options.zone_bytes = VDNN_REDZONE_BYTES;        // plans leave room for the zones
 *     status = vdnn_redzone_create(plan, device, &program->context, &guard);
 *     status = vdnn_redzone_before(guard, step);
 *     enqueue(step);
 *     status = vdnn_redzone_after(guard, step);                  // waits for it
 *     vdnn_redzone_destroy(guard);
 */

#include "runtime/device/device.h"

/* What the graph's options ask for: behind it no buffer begins before the next aligned address. */
enum { VDNN_REDZONE_BYTES = 256 };

typedef struct vdnn_redzone vdnn_redzone;

/* Everything is borrowed but what is made. VDNN_USAGE where the plan has no zones. */
vdnn_status vdnn_redzone_create(const vdnn_plan *plan, vdnn_device *device,
                                const vdnn_step_context *context, vdnn_redzone **guard);
void vdnn_redzone_destroy(vdnn_redzone *guard); /* accepts NULL */

vdnn_status vdnn_redzone_before(vdnn_redzone *guard, int32_t step);
vdnn_status vdnn_redzone_after(vdnn_redzone *guard, int32_t step);

#endif
