#ifndef VDNN_RUNTIME_REPORT_STEP_RECORD_H
#define VDNN_RUNTIME_REPORT_STEP_RECORD_H

/* A planned step as JSON: when each step of the plan runs on the planner's clock, where each device
 * buffer lies, and when it is live. Charts of memory and time are drawn from it.
 *
 *     {seconds, split: {...as vdnn_lost_time_split}, lost: [...as vdnn_lost_time_record],
 *      steps: [{title, layer, kind, stream, start_seconds, end_seconds}],
 *      point_seconds: [...], buffers: [{label, class, category, bytes, offset, first_point,
 *      end_point, action}]}
 *
 * Live bytes are counted at points: two for each step of the compute stream, during it and after
 * it. A buffer is live from its first point to the point before its end.
 *
 * Invariant: the largest sum of live bytes is the plan's peak, and the last step ends at its
 * step_seconds. Threads: pure.
 *
 *     status = vdnn_step_record(setup, plan, row);
 */

#include "runtime/setup/setup.h"

#include <jansson.h>

/* Adds `step` and `layers` to a row of a report. VDNN_NO_MEMORY. */
vdnn_status vdnn_step_record(const vdnn_setup *setup, const vdnn_plan *plan, json_t *row);

#endif
