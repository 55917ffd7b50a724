#ifndef VDNN_RUNTIME_REPORT_ALGORITHMS_H
#define VDNN_RUNTIME_REPORT_ALGORITHMS_H

/* The algorithms of each layer and pass: time, workspace, work and depth, the share of the device's
 * peak that they reach, and why others do not apply.
 *
 * Invariant: the rows are the profile's, in its order (workspace, then seconds).
 * Threads: pure.
 *
 *     status = vdnn_algorithms_write_table(&setup, 100, &text);
 *     json_object_set_new(root, "layers", vdnn_algorithms_record(&setup));
 */

#include "runtime/base/text.h"
#include "runtime/report/peak.h"
#include "runtime/setup/setup.h"
#include "runtime/train/record.h"

/* For people: a line for each layer, pass and algorithm, of so many columns. */
vdnn_status vdnn_algorithms_write_table(const vdnn_setup *setup, size_t width, vdnn_text *text);

/* [{name, type, layout, passes: [{pass, flops, bytes, algorithms: [{name, seconds,
 * workspace_bytes, work, depth, peak_share}], refused: [{name, reason}]}]}]; NULL: no memory. */
json_t *vdnn_algorithms_record(const vdnn_setup *setup);
/* For tables, of such a record: a row for each algorithm of each layer and pass, that applies or
 * not,
 * [{layer, pass, algorithm, class}], with its numbers or with the reason; class "best" is the
 * fastest of a pass, "no" one that does not apply. */
json_t *vdnn_algorithms_rows(const json_t *layers);
/* {operations_per_second, from, basis}: what `peak_share` is of. */
json_t *vdnn_algorithms_peak_record(const vdnn_setup *setup);

#endif
