#ifndef VDNN_LAYERS_STAGE_H
#define VDNN_LAYERS_STAGE_H

/* Converts maps and parameters between their format (data type, layout, padding) and plain
 * row-major f32: for kernels that compute on plain numbers only, for files and for loaders.
 *
 * Invariant: storing writes the padding too, as zeros; a bf16 is rounded to nearest, ties to even,
 * and a NaN stays one.
 * Threads: pure over its arguments; no OpenMP inside, callers divide by samples.
 *
 *     vdnn_stage_load(&layer->x[0], args->x[0], n, plain);    // sample n, C x H x W
 *     vdnn_stage_store(&layer->y, args->y, n, plain);
 *     vdnn_stage_widen(VDNN_BF16, row, floats, count);
 *     vdnn_stage_pack(param, plain, block + param->offset);
 */

#include "layers/layer.h"

/* One sample of a map to C x H x W floats, and back. F32 and BF16. */
void vdnn_stage_load(const vdnn_desc *desc, const void *map, int64_t sample, float *plain);
void vdnn_stage_store(const vdnn_desc *desc, void *map, int64_t sample, const float *plain);

/* `count` consecutive elements of a data type as f32, and back. */
void vdnn_stage_widen(vdnn_dtype dtype, const void *from, float *to, int64_t count);
void vdnn_stage_narrow(vdnn_dtype dtype, const float *from, void *to, int64_t count);

/* A parameter of param->count plain values into param->bytes of its block, and back. */
void vdnn_stage_pack(const vdnn_param *param, const float *plain, void *packed);
void vdnn_stage_unpack(const vdnn_param *param, const void *packed, float *plain);

#endif
