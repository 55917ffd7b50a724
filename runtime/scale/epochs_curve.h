#ifndef VDNN_RUNTIME_SCALE_EPOCHS_CURVE_H
#define VDNN_RUNTIME_SCALE_EPOCHS_CURVE_H

/* How many epochs a training takes to the same accuracy, by the batch of its steps: points of a
 * file, or an assumption.
 *
 *     # batch epochs      a file: lines of two numbers, by increasing batch; commas may part them
 *     64      4
 *     16384   7
 *
 * Between two points both are interpolated by their logarithms; below the first point the epochs
 * are those of the first. Beyond the last one they are not known.
 *
 * Invariant: batches increase, epochs are positive. Threads: a value.
 *
 *     vdnn_epochs_curve curve = {0};          // assumed
 *     status = vdnn_epochs_curve_read("curve.txt", &curve);
 *     double epochs = vdnn_epochs_curve_at(&curve, 4096);
 *     vdnn_epochs_curve_fini(&curve);
 */

#include "runtime/base/status.h"

#include <stdint.h>

typedef struct vdnn_epochs_point {
    double batch, epochs;
} vdnn_epochs_point;

typedef struct vdnn_epochs_curve {
    vdnn_epochs_point *points; /* owned */
    int32_t count;             /* 0: the curve is assumed */
} vdnn_epochs_curve;

/* The batch at which an assumed training takes twice the epochs of a small batch. */
#define VDNN_EPOCHS_ASSUMED_BATCH 8192

/* VDNN_FILE, or VDNN_BAD_INPUT with file, line and reason. */
vdnn_status vdnn_epochs_curve_read(const char *path, vdnn_epochs_curve *curve);
void vdnn_epochs_curve_fini(vdnn_epochs_curve *curve);

/* Not a number beyond the last point. Assumed are 1 + batch / VDNN_EPOCHS_ASSUMED_BATCH epochs, the
 * form that large batches were found to follow (arXiv 1812.06162). */
double vdnn_epochs_curve_at(const vdnn_epochs_curve *curve, double batch);

#endif
