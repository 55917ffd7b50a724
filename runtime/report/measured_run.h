#ifndef VDNN_RUNTIME_REPORT_MEASURED_RUN_H
#define VDNN_RUNTIME_REPORT_MEASURED_RUN_H

/* A measured run of the report's network, compared with its plan. The run is read from the JSON
 * that vdnnrun wrote.
 *
 * Invariant: figures called planned are those of the run's plan; figures called measured are those
 * of its measurements. Threads: pure.
 *
 *     status = vdnn_measured_run_read(report);        // nothing without --run
 *     status = vdnn_measured_run_check(report);       // once the report's network is known
 *     json_object_set_new(root, "run", vdnn_measured_run_record(report));
 *     vdnn_measured_run_add_line(report, &text);
 */

#include "runtime/base/text.h"

#include <jansson.h>

typedef struct vdnn_report vdnn_report;

/* VDNN_FILE, or VDNN_BAD_INPUT if the file is not the JSON of a run with measurements. */
vdnn_status vdnn_measured_run_read(vdnn_report *report);
/* VDNN_BAD_INPUT if the version, network, batch, data type or rules differ from the report's. */
vdnn_status vdnn_measured_run_check(const vdnn_report *report);

/* {policy, algo, device, planned: {step_seconds, device_peak_bytes, ...}, measured: {the same,
 *  split, lost}, layers: [{name, planned: {forward_seconds, backward_seconds}, measured: {...},
 *  lost: {...}}]}; NULL: the report has no run. */
json_t *vdnn_measured_run_record(const vdnn_report *report);

void vdnn_measured_run_add_line(const vdnn_report *report, vdnn_text *text);

#endif
