#ifndef VDNN_RUNTIME_DEVICE_SIM_PREDICT_H
#define VDNN_RUNTIME_DEVICE_SIM_PREDICT_H

/* What the passes of a network take on the card that a device model describes: convolutions by
 * layers/sim/cost.h, products in whole tiles, attention as one fused kernel, everything else by its
 * arithmetic or its traffic, whichever takes longer.
 *
 * Invariant: pure. The same model and layer give the same seconds everywhere.
 * Threads: any.
 *
 *     vdnn_device_model model;
 *     status = vdnn_device_model_load("h100", &model);
 *     if (status == VDNN_OK)
 *         status = vdnn_predict_pass(&model, layer, VDNN_FORWARD, algorithm, &seconds, &bytes);
 *     vdnn_cost_model cost = vdnn_predict_cost_model(&model, VDNN_TF32);
 */

#include "layers/layer.h"
#include "layers/sim/cost.h"
#include "runtime/device/sim/model.h"
#include "runtime/profile/rates.h"

/* Whether the card has units for products in TF32, BF16 or F16; those for bf16 take f16, too. */
bool vdnn_predict_has_units(const vdnn_device_model *model, vdnn_dtype dtype);

/* The numbers of a model that the cost of convolutions depends on, for maps of a type. Where the
 * card has no units for the type, its products are those of f32. */
vdnn_cost_model vdnn_predict_cost_model(const vdnn_device_model *model, vdnn_dtype dtype);

/* Seconds of a matrix product. */
double vdnn_predict_product(const vdnn_device_model *model, vdnn_dtype dtype,
                            const vdnn_cost_factors *factors);

/* Bytes that a pass of a layer moves that is neither a convolution nor a product: what it must read
 * and write (vdnn_layer_bytes), and what kernels read a second time. */
double vdnn_predict_bytes(const vdnn_layer *layer, vdnn_pass pass);

/* Times of copies, and of steps that belong to no layer. Where the model does not state how copies
 * slow compute, they do not (models/devices/README.md says how little that is on cards). */
vdnn_rates vdnn_predict_rates(const vdnn_device_model *model);

/* Seconds without the launch of one kernel, which the planner adds to every step, and bytes of
 * workspace. VDNN_DEVICE with the reason if the algorithm does not support the pass. */
vdnn_status vdnn_predict_pass(const vdnn_device_model *model, const vdnn_layer *layer,
                              vdnn_pass pass, const vdnn_algorithm *algorithm, double *seconds,
                              size_t *workspace_bytes);

#endif
