#ifndef VDNN_RUNTIME_CALIBRATE_FIT_RATES_H
#define VDNN_RUNTIME_CALIBRATE_FIT_RATES_H

/* Fits the rates of a device model to timings: those of convolutions or of products, of the units
 * for f32 or of those for smaller types. As
 * models/devices/fit_devices.py does to published timings: steps along each parameter, in
 * logarithms, a step that does not help halved; a row that no model explains counts by the
 * logarithm of its error.
 *
 * Invariant: deterministic; only the rates of that kind and those units change, and what they
 * predict is relative to the model's peaks, which must be there.
 * Threads: any.
 *
 *     status = vdnn_calibrate_fit(&timings, VDNN_CALIBRATE_CONVOLUTION, VDNN_F32, &model,
 *                                 &errors);
 *     printf("half within %.0f %%", 100 * errors.half_within);
 */

#include "runtime/calibrate/timings.h"
#include "runtime/device/sim/model.h"

enum { VDNN_CALIBRATE_FOLDS = 3 };

/* Fits to all timings of the kind with maps of f32, or of bf16. *errors: of each third of the
 * shapes as predicted from the others, and how many timings there are. VDNN_NO_MEMORY changes
 * nothing. */
vdnn_status vdnn_calibrate_fit(const vdnn_calibrate_timings *timings, vdnn_calibrate_kind kind,
                               vdnn_dtype dtype, vdnn_device_model *model, vdnn_accuracy *errors);

/* Seconds of a timing's pass as the model predicts them, without the launch. */
double vdnn_calibrate_predict(const vdnn_device_model *model, const vdnn_calibrate_timing *timing);

#endif
