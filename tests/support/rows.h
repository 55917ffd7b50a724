#ifndef VDNN_TESTS_SUPPORT_ROWS_H
#define VDNN_TESTS_SUPPORT_ROWS_H

/* Rows of a test: one pass of one algorithm on one layer each. One that fails is noted and the next
 * is run; at its end the test fails once, with all of them.
 *
 * VDNN_TEST_ROWS in the environment names a file to which every row is appended when it ends, as
 * one JSON object a line: test, layer, shape, dtype, layout, algorithm, pass, note, result, error,
 * bound, why; what does not apply is absent. `result` is passed, failed, refused (the algorithm is
 * not for that layer) or "not run".
 *
 * Invariant: a row that has begun is in the file, also where a signal ends it or the process. A row
 * after the device was lost is not run, and never passed.
 * Threads: one.
 *
 *     vdnn_rows_begin("every_row_agrees", device);
 *     for (...)
 *         if (vdnn_row_begin(vdnn_row_of(layer, algorithm, pass))) {
 *             if (vdnn_row_ok(vdnn_bench_run(...)))
 *                 vdnn_row_within(vdnn_bench_error(...), bound);
 *             vdnn_row_end();
 *         }
 *     vdnn_rows_end();
 */

#include "layers/layer.h"
#include "runtime/device/device.h"

/* Empty or NULL: does not apply. */
typedef struct vdnn_row {
    char layer[192], shape[256], layout[48];
    const char *dtype, *algorithm, *pass; /* borrowed */
} vdnn_row;

/* Of a layer of layer_case.h. */
vdnn_row vdnn_row_of(const vdnn_layer *layer, const vdnn_algorithm *algorithm, vdnn_pass pass);

/* The device that rows run on, which is asked after a failure whether it still works; NULL: they
 * run here. Both are borrowed until the end. A test whose device was lost before it began is
 * skipped at its end. */
void vdnn_rows_begin(const char *test, vdnn_device *device);
void vdnn_rows_end(void);

/* Of something else than a layer. */
vdnn_row vdnn_row_named(const char *name, const char *shape, const char *dtype,
                        const char *algorithm);

/* What further tells rows apart from here on; NULL: nothing. */
void vdnn_rows_note(const char *note);

/* False: the row is not to be run, and has ended. */
bool vdnn_row_begin(vdnn_row row);
void vdnn_row_end(void);

/* The row's failures, of which the first one counts; whether there was none here. */
bool vdnn_row_ok(vdnn_status status);
bool vdnn_row_within(double error, double bound);
void vdnn_row_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A row that need not begin, and why. */
void vdnn_row_refused(vdnn_row row, const char *why);

#endif
