#ifndef VDNN_RUNTIME_CALIBRATE_MODEL_FILE_H
#define VDNN_RUNTIME_CALIBRATE_MODEL_FILE_H

/* Writes a device model as the text of its file, each figure with its basis.
 *
 * Invariant: runtime/device/sim/device_reader.h reads the text as the same model.
 * Threads: any.
 *
 *     const vdnn_calibrate_card card = {.model = &model, .device = "NVIDIA H200", ...};
 *     vdnn_calibrate_model_write(&card, &text);
 */

#include "runtime/device/sim/model.h"
#include "runtime/vdnn.h"

typedef struct vdnn_calibrate_card {
    const vdnn_device_model *model; /* its name, figures and rates are used, its bases are not */
    const char *device, *library;   /* names as the device reports them */
    vdnn_accuracy products;         /* of products; model->accuracy is that of convolutions */
    vdnn_accuracy tensor_convolutions, tensor_products; /* of bf16; no timings: it has no units */
} vdnn_calibrate_card;

void vdnn_calibrate_model_write(const vdnn_calibrate_card *card, vdnn_text *text);

#endif
