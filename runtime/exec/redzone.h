#ifndef VDNN_RUNTIME_EXEC_REDZONE_H
#define VDNN_RUNTIME_EXEC_REDZONE_H

/* Runs a plan in memory that detects stray accesses: a buffer is filled with NaN when its lifetime
 * begins, and after each is a zone that must not be written. One allocation holds all buffers, so
 * no tool that watches allocations sees a kernel that writes past its buffer.
 *
 *     | conv1: NaN until written | zone | pool1 ...   | zone |
 *                                 ^ checked before and after every operation on conv1
 *
 * Invariant: operations run one at a time, in the order of the plan; the first that changes a byte
 * of a zone makes the round fail with VDNN_MISMATCH, which names it and the buffer. Results are bit
 * for bit those of an unguarded run. Threads: one.
 *
 *     graph_options.zone_bytes = VDNN_REDZONE_BYTES;        // plans leave space for the zones
 *     status = vdnn_redzone_create(plan, device, &program->context, &guard);
 *     status = vdnn_redzone_before(guard, step);
 *     enqueue(step);
 *     status = vdnn_redzone_after(guard, step);                  // waits for it
 *     vdnn_redzone_destroy(guard);
 */

#include "runtime/device/device.h"

/* The zone in the graph's options: the next buffer begins at the next aligned address after it. */
enum { VDNN_REDZONE_BYTES = 256 };

typedef struct vdnn_redzone vdnn_redzone;

/* All arguments are borrowed. VDNN_USAGE if the plan has no zones. */
vdnn_status vdnn_redzone_create(const vdnn_plan *plan, vdnn_device *device,
                                const vdnn_step_context *context, vdnn_redzone **guard);
void vdnn_redzone_destroy(vdnn_redzone *guard); /* accepts NULL */

vdnn_status vdnn_redzone_before(vdnn_redzone *guard, int32_t step);
vdnn_status vdnn_redzone_after(vdnn_redzone *guard, int32_t step);

#endif
