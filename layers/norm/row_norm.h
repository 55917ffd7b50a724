#ifndef VDNN_LAYERS_NORM_ROW_NORM_H
#define VDNN_LAYERS_NORM_ROW_NORM_H

/* What the definitions of norms over one sample's elements have in common: they keep x and the
 * statistics of each row, which a recompute reads, and write dw as they write dx.
 *
 * Invariant: the file defines KIND_keys, infer, aux_bytes and flops; the config has CONFIG's size.
 * Threads: const data.
 *
 *     VDNN_ROW_NORM(layernorm, vdnn_layernorm_config, .input_rule = VDNN_INPUT_ANY);
 */

#include "layers/registry.h"

#define VDNN_ROW_NORM_NEEDS                                                                        \
    {                                                                                              \
        VDNN_NEEDS_X | VDNN_NEEDS_W | VDNN_NEEDS_AUX, VDNN_NEEDS_X | VDNN_NEEDS_AUX                \
    }

#define VDNN_ROW_NORM(kind, config, ...)                                                           \
    const vdnn_layer_def vdnn_##kind##_def = {.type = #kind,                                       \
                                              .role = VDNN_ROLE_FEATURE,                           \
                                              .joint = true,                                       \
                                              .keys = kind##_keys,                                 \
                                              .key_count =                                         \
                                                  sizeof kind##_keys / sizeof kind##_keys[0],      \
                                              .config_bytes = sizeof(config),                      \
                                              .min_inputs = 1,                                     \
                                              .max_inputs = 1,                                     \
                                              .dx_over_dy = true,                                  \
                                              .recompute_is_cheap = true,                          \
                                              .recompute_reads_aux = true,                         \
                                              .splits_samples = true,                              \
                                              .aux_by_sample = true,                               \
                                              .paper = VDNN_ROW_NORM_NEEDS,                        \
                                              .lean = VDNN_ROW_NORM_NEEDS,                         \
                                              .lean_if_y = VDNN_ROW_NORM_NEEDS,                    \
                                              .infer = infer,                                      \
                                              .aux_bytes = aux_bytes,                              \
                                              .flops = flops,                                      \
                                              __VA_ARGS__}

#endif
