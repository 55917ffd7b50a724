#ifndef VDNN_RUNTIME_CALIBRATE_FIT_RATES_H
#define VDNN_RUNTIME_CALIBRATE_FIT_RATES_H

/* Fits the rates of a device model to timings: those of convolutions, or those of products. As
 * tools/fit_devices.py does to published timings: steps along each parameter, in logarithms, a step
 * that does not help halved; a row that no model explains counts by the logarithm of its error.
 *
 * Invariant: deterministic; only `convolution` or `product` of the model change, and what they
 * predict is relative to its peaks, which must be there.
 * Threads: any.
 *
 *     status = vdnn_calibrate_fit(&timings, VDNN_CALIBRATE_CONVOLUTION, &model, &errors);
 *     printf("half within %.0f %%", 100 * errors.half_within);
 */

#include "runtime/calibrate/timings.h"
#include "runtime/device/sim/model.h"

enum { VDNN_CALIBRATE_FOLDS = 3 };

/* Fits to all timings of the kind. *errors: of each third of the shapes as predicted from the
 * others, and how many timings there are. VDNN_NO_MEMORY changes nothing. */
vdnn_status vdnn_calibrate_fit(const vdnn_calibrate_timings *timings, vdnn_calibrate_kind kind,
                               vdnn_device_model *model, vdnn_accuracy *errors);

/* Seconds of a timing's pass as the model predicts them, without the launch. */
double vdnn_calibrate_predict(const vdnn_device_model *model, const vdnn_calibrate_timing *timing);

#endif
