#include "layers/sim/simulated.h"

#include "layers/conv/conv_work.h"

/* How each of them computes, with the tiles that the cost model has (layers/sim/cost.c). */
#define WORK_IMPLICIT_GEMM NULL
#define WORK_IMPLICIT_PRECOMP_GEMM NULL
#define WORK_GEMM NULL
#define WORK_FFT vdnn_conv_spectra_work
#define WORK_FFT_TILING vdnn_conv_fft_work
#define WORK_WINOGRAD vdnn_conv_winograd_work
#define WORK_WINOGRAD_NONFUSED vdnn_conv_winograd_work

enum {
    TILE_IMPLICIT_GEMM = 0,
    TILE_IMPLICIT_PRECOMP_GEMM = 0,
    TILE_GEMM = 0,
    TILE_FFT = 2,
    TILE_FFT_TILING = 32,
    TILE_WINOGRAD = 2,
    TILE_WINOGRAD_NONFUSED = 4
};

const vdnn_algorithm vdnn_simulated_rows[VDNN_SIMULATED_COUNT] = {
#define X(upper, lower) VDNN_SIMULATED_BY("conv", #lower, WORK_##upper, TILE_##upper),
    VDNN_COST_ALGORITHM_TABLE(X)
#undef X
#define X(name) VDNN_SIMULATED(#name, "roofline"),
        VDNN_PLAIN_LAYER_DEF_TABLE(X)
#undef X
};
