#ifndef VDNN_RUNTIME_DEVICE_SIM_RECORDED_H
#define VDNN_RUNTIME_DEVICE_SIM_RECORDED_H

/* A real device recorded in a profile file: its times for the layers that were measured, and no
 * others. A simulated device (device_sim.c) uses them instead of a model, and so estimates the
 * recorded device's times on any machine.
 *
 * Invariant: immutable; its algorithms are names without kernels, as those of simulated.h, and live
 * as long as it does.
 * Threads: any may read.
 *
 *     status = vdnn_recorded_open("epyc.profile", &recorded);
 *     properties = vdnn_recorded_describe(recorded);
 *     status = vdnn_recorded_predict(recorded, layer, pass, algorithm, &seconds, &bytes);
 *     vdnn_recorded_close(recorded);
 */

#include "runtime/device/device.h"

typedef struct vdnn_recorded vdnn_recorded;

/* VDNN_BAD_INPUT with the reason if the file says too little about its device. */
vdnn_status vdnn_recorded_open(const char *path, vdnn_recorded **recorded);
void vdnn_recorded_close(vdnn_recorded *recorded); /* accepts NULL */

/* Budgets are the recorded device's defaults. */
vdnn_device_properties vdnn_recorded_describe(const vdnn_recorded *recorded);
vdnn_rates vdnn_recorded_rates(const vdnn_recorded *recorded);
const vdnn_algorithm *vdnn_recorded_algorithms(const vdnn_recorded *recorded, size_t *count);

/* Of a part of a layer that was not measured itself its share of the whole layer, as a run on the
 * recorded device would expect it before it measures parts. VDNN_BAD_INPUT if neither was. */
vdnn_status vdnn_recorded_predict(const vdnn_recorded *recorded, const vdnn_layer *layer,
                                  vdnn_pass pass, const vdnn_algorithm *algorithm, double *seconds,
                                  size_t *workspace_bytes);

#endif
