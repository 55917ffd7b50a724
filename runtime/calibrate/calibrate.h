#ifndef VDNN_RUNTIME_CALIBRATE_CALIBRATE_H
#define VDNN_RUNTIME_CALIBRATE_CALIBRATE_H

/* A device model of a device that is there: measures shapes on it and fits the model's rates.
 *
 *     shapes.h ---- timings.h ---- fit_rates.h ---- model_file.h
 *     what is       what it takes   rates and        the text of
 *     measured      on the device   their errors     its file
 *
 * Invariant: the text that it adds was read back: runtime/device/sim/device_reader.h takes it.
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
    double seconds; /* for measuring */
} vdnn_calibrate_options;

typedef struct vdnn_calibrate_result {
    vdnn_device_model model;
    vdnn_accuracy products; /* as the model's accuracy is of convolutions */
    vdnn_accuracy tensor_convolutions, tensor_products; /* of bf16; no timings: it has no units */
    size_t left_out;                                    /* shapes for which there was no time */
} vdnn_calibrate_result;

/* The model's name is `name`. VDNN_DEVICE if the device is too slow for as many shapes of each kind
 * as a fit needs, in that time. */
vdnn_status vdnn_calibrate_device(vdnn_device *device, const vdnn_calibrate_options *options,
                                  const char *name, const vdnn_messages *messages,
                                  vdnn_calibrate_result *result, vdnn_text *text);

#endif
