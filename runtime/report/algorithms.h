#ifndef VDNN_RUNTIME_REPORT_ALGORITHMS_H
#define VDNN_RUNTIME_REPORT_ALGORITHMS_H

/* A table of the algorithms of each layer and pass: time, workspace, work, depth, share of the
 * device's peak, and the reason why an algorithm does not apply.
 *
 * Invariant: the rows are in the profile's order (workspace, then seconds).
 * Threads: pure.
 *
 *     status = vdnn_algorithms_write_table(&setup, 100, &text);
 *     json_object_set_new(root, "layers", vdnn_algorithms_record(&setup));
 */

#include "runtime/base/text.h"
#include "runtime/report/peak.h"
#include "runtime/setup/setup.h"
#include "runtime/train/record.h"

/* Writes a line of at most `width` columns for each layer, pass and algorithm. */
vdnn_status vdnn_algorithms_write_table(const vdnn_setup *setup, size_t width, vdnn_text *text);

/* [{name, type, layout, passes: [{pass, flops, bytes, algorithms: [{name, seconds,
 * workspace_bytes, work, depth, peak_share}], refused: [{name, reason}]}]}]; NULL: no memory. */
json_t *vdnn_algorithms_record(const vdnn_setup *setup);
/* Rows for a table from such a record: [{layer, pass, algorithm, class}] for each algorithm of each
 * layer and pass, with its figures, or with the reason why it does not apply. The class is "best"
 * for the fastest of a pass and "no" for one that does not apply. */
json_t *vdnn_algorithms_rows(const json_t *layers);
/* {operations_per_second, from, basis}: the peak that `peak_share` refers to. */
json_t *vdnn_algorithms_peak_record(const vdnn_setup *setup);

#endif
