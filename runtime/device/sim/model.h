#ifndef VDNN_RUNTIME_DEVICE_SIM_MODEL_H
#define VDNN_RUNTIME_DEVICE_SIM_MODEL_H

/* A device as a table of numbers: how much memory it has and what of it can be used, how fast it
 * computes and moves bytes, and what connects it to its host. models/devices/ has the files,
 * runtime/device/sim/device_reader.h reads them, device_sim.c keeps time by them.
 *
 * Invariant: a value; every number is within the range that its key has in the reader.
 * Threads: any.
 *
 *     vdnn_device_model model;
 *     status = vdnn_device_model_load("titan-x-maxwell", &model);
 *     double seconds = flops / model.compute.f32_flops_per_second;
 */

#include "layers/sim/cost.h"
#include "layers/tensor.h"
#include "runtime/device/figure.h"

#include <stdbool.h>

enum { VDNN_DEVICE_NAME_BYTES = 64, VDNN_DEVICE_FIGURES = 24 };

typedef struct vdnn_device_model {
    char name[VDNN_DEVICE_NAME_BYTES];
    bool is_calibrated; /* on measurements; else from datasheets alone */

    struct {
        int64_t bytes, usable_bytes; /* all of it; what a program can have, where that is known */
        double bytes_per_second;     /* peak */
    } memory;

    struct {
        double f32_flops_per_second;  /* peak */
        double tf32_flops_per_second; /* of f32 maps, rounded; 0: it has none */
        double bf16_flops_per_second; /* with sums in f32; 0: computed as f32 */
        double launch_seconds;        /* from one kernel to the next */
        int64_t multiprocessors;
    } compute;

    /* To the host. Directions are independent unless `both_bytes_per_second` is below their sum. */
    struct {
        double out_bytes_per_second, in_bytes_per_second; /* reached by one copy alone */
        double both_bytes_per_second; /* of both directions together; 0: their sum */
        double latency_seconds;       /* of a copy, before its first byte */
        int64_t devices;              /* how many of them share it */
    } link;

    struct {
        int64_t bytes; /* of one device's share */
    } host;

    /* Layers other than convolutions: what of the peaks they reach. */
    struct {
        double memory_efficiency;
        double gemm_efficiency; /* of whole tiles of a matrix product */
        int64_t gemm_tile;      /* rows and columns, to which a product's are rounded up */
    } layers;

    vdnn_cost_rate convolution[VDNN_COST_ALGORITHM_COUNT][VDNN_PASS_COUNT];

    /* All of the above that a model has, in this order, and what each rests on. */
    vdnn_figure figures[VDNN_DEVICE_FIGURES];
    int figure_count;
} vdnn_device_model;

#endif
