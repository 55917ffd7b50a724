#ifndef VDNN_RUNTIME_EXEC_VERIFY_H
#define VDNN_RUNTIME_EXEC_VERIFY_H

/* Offloaded buffers are hashed when they are copied out and when they are copied in, on the copy
 * streams.
 *
 *     stream out   | hash of the source | copy out |
 *     stream in                                        | copy in | hash, compared |
 *
 * What goes on to a file keeps its hash on the way: a page that the disk corrupts shows where the
 * copy in is compared.
 *
 * Each of the plan's copies becomes two operations; the plan's event is the second one's, so that a
 * step that waits for a copy waits for its check.
 *
 * Invariant: a buffer whose copy in differs from its copy out makes the round fail with
 * VDNN_MISMATCH before a step that waits for it runs.
 * Threads: one drives it; the copy streams run the hashes.
 *
 *     status = vdnn_verify_create(plan, device, &program->context, &verify);
 *     status = vdnn_verify_enqueue(verify, step, &copy);     // instead of vdnn_device_copy
 *     vdnn_verify_start(verify, step, &start);               // after the round
 *     vdnn_verify_destroy(verify);
 */

#include "runtime/device/device.h"

typedef struct vdnn_verify vdnn_verify;

/* One of the plan's copies, bound to the device. */
typedef struct vdnn_verify_copy {
    vdnn_stream_id stream;
    const int32_t *waits;
    int32_t wait_count;
    vdnn_extent to, from;
} vdnn_verify_copy;

/* All arguments are borrowed. Uses one more event of the device for each copy, after the plan's. */
vdnn_status vdnn_verify_create(const vdnn_plan *plan, vdnn_device *device,
                               const vdnn_step_context *context, vdnn_verify **verify);
void vdnn_verify_destroy(vdnn_verify *verify); /* accepts NULL */

vdnn_status vdnn_verify_enqueue(vdnn_verify *verify, int32_t step, const vdnn_verify_copy *copy);

/* When the first operation of a step began; *start is unchanged if the step is not a copy. */
void vdnn_verify_start(const vdnn_verify *verify, int32_t step, double *start);

#endif
