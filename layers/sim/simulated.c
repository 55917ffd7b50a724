#include "layers/sim/simulated.h"

const vdnn_algorithm vdnn_simulated_rows[VDNN_SIMULATED_COUNT] = {
#define X(upper, lower) VDNN_SIMULATED("conv", #lower),
    VDNN_COST_ALGORITHM_TABLE(X)
#undef X
#define X(name) VDNN_SIMULATED(#name, "roofline"),
        VDNN_PLAIN_LAYER_DEF_TABLE(X)
#undef X
};
