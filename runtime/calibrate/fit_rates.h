#ifndef VDNN_RUNTIME_CALIBRATE_FIT_RATES_H
#define VDNN_RUNTIME_CALIBRATE_FIT_RATES_H

/* Fits the rates of a device model to timings of convolutions or of products, on the units for f32
 * or on those for smaller types. The method is that of models/devices/fit_devices.py for published
 * timings: a search along the logarithm of each parameter that halves a step which does not help. A
 * row's weight grows only with the logarithm of its error, so that outliers do not dominate.
 *
 * Invariant: deterministic; only the rates of that kind and those units change. Predictions are
 * relative to the model's peaks, which must be set.
 * Threads: any.
 *
 *     status = vdnn_calibrate_fit(&timings, VDNN_CALIBRATE_CONVOLUTION, VDNN_F32, &model,
 *                                 &errors);
 *     printf("half within %.0f %%", 100 * errors.half_within);
 */

#include "runtime/calibrate/timings.h"
#include "runtime/device/sim/model.h"

enum { VDNN_CALIBRATE_FOLDS = 3 };

/* Fits to all timings of the kind with maps of f32, or of bf16. *errors: the errors of each third
 * of the shapes when predicted from the others, and the number of timings. On VDNN_NO_MEMORY
 * nothing changes. */
vdnn_status vdnn_calibrate_fit(const vdnn_calibrate_timings *timings, vdnn_calibrate_kind kind,
                               vdnn_dtype dtype, vdnn_device_model *model, vdnn_accuracy *errors);

/* The seconds of a timing's pass that the model predicts, without the launch. */
double vdnn_calibrate_predict(const vdnn_device_model *model, const vdnn_calibrate_timing *timing);

#endif
