#ifndef VDNN_LAYERS_SIM_SIMULATED_H
#define VDNN_LAYERS_SIM_SIMULATED_H

/* Algorithms of simulated devices: names for plans and reports, without kernels. The device gives
 * their times (vdnn_device_predict).
 *
 * Invariant: a convolution has those of the cost model, every other layer type has one.
 * Threads: const data.
 *
 *     for (size_t i = 0; i < VDNN_SIMULATED_COUNT; i++)
 *         use(&vdnn_simulated_rows[i]);
 */

#include "layers/registry.h"
#include "layers/sim/cost.h"

/* An initializer. */
#define VDNN_SIMULATED(type, text) VDNN_SIMULATED_BY(type, text, NULL, 0)

/* The same, with its operations (vdnn_algorithm.work). */
#define VDNN_SIMULATED_BY(type, text, function, side)                                              \
    {                                                                                              \
        .layer_type = (type), .name = (text), .device = "sim",                                     \
        .passes = (1U << VDNN_PASS_COUNT) - 1, .deterministic = true, .work = (function),          \
        .tile = (side)                                                                             \
    }

enum {
#define X(name) +1
    VDNN_SIMULATED_COUNT = VDNN_COST_ALGORITHM_COUNT VDNN_PLAIN_LAYER_DEF_TABLE(X)
#undef X
};

extern const vdnn_algorithm vdnn_simulated_rows[VDNN_SIMULATED_COUNT];

#endif
