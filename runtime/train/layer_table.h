#ifndef VDNN_RUNTIME_TRAIN_LAYER_TABLE_H
#define VDNN_RUNTIME_TRAIN_LAYER_TABLE_H

/* A record's layers as a table for people: the time of each, what it lost, and what the plan does
 * with it. After a run by the device's times, means over the timed steps; before it by the plan's.
 *
 * Invariant: of a run, all figures of the table sum to the time of the step. Threads: pure.
 *
 *     status = vdnn_layer_table_write(&record, &text);
 */

#include "runtime/train/record.h"

/* Adds the table, laid out for the record's columns; the shortest table may need more. */
vdnn_status vdnn_layer_table_write(const vdnn_record *record, vdnn_text *text);

#endif
