#ifndef VDNN_RUNTIME_CALIBRATE_CALIBRATE_H
#define VDNN_RUNTIME_CALIBRATE_CALIBRATE_H

/* Creates a device model of an existing device: measures shapes on it and fits the model's rates.
 *
 *     shapes.h ---- timings.h ----- fit_rates.h ---- model_file.h
 *     what is       the times on    rates and        the text of
 *     measured      the device      their errors     the model's file
 *
 * Invariant: the text was read by runtime/device/sim/device_reader.h without an error.
 * Threads: the one that drives the device.
 *
 *     const vdnn_calibrate_options options = {.shapes = vdnn_calibrate_shapes, .seconds = 90};
 *     status = vdnn_calibrate_device(device, &options, "my", &messages, &result, &text);
 *     status = vdnn_text_save(&text, "my.yaml");
 */

#include "runtime/base/messages.h"
#include "runtime/calibrate/shapes.h"
#include "runtime/device/device.h"
#include "runtime/device/sim/model.h"

typedef struct vdnn_calibrate_options {
    vdnn_calibrate_list shapes;
    double seconds; /* the time limit of measuring */
} vdnn_calibrate_options;

typedef struct vdnn_calibrate_result {
    vdnn_device_model model;
    vdnn_accuracy products; /* of products; model.accuracy is that of convolutions */
    vdnn_accuracy tensor_convolutions, tensor_products; /* of bf16; no timings: it has no units */
    size_t left_out;                                    /* shapes left out for lack of time */
} vdnn_calibrate_result;

/* Adds the text of a model called `name`. VDNN_DEVICE if the device is too slow to measure as many
 * shapes of each kind as a fit requires within the time limit. */
vdnn_status vdnn_calibrate_device(vdnn_device *device, const vdnn_calibrate_options *options,
                                  const char *name, const vdnn_messages *messages,
                                  vdnn_calibrate_result *result, vdnn_text *text);

#endif
