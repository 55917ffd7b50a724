#ifndef VDNN_RUNTIME_DEVICE_SIM_MODEL_H
#define VDNN_RUNTIME_DEVICE_SIM_MODEL_H

/* A device model, a table of numbers: its memory and the usable part of it, its peaks and
 * bandwidths, and its link to the host. models/devices/ has the files,
 * runtime/device/sim/device_reader.h reads them, device_sim.c simulates by them.
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

enum { VDNN_DEVICE_NAME_BYTES = 64, VDNN_DEVICE_FIGURES = 48 };

typedef struct vdnn_device_model {
    char name[VDNN_DEVICE_NAME_BYTES];
    bool is_calibrated; /* fitted to measurements; else from datasheets only */
    /* Of its convolutions: in f32, and by the units for smaller types; half_within 0: the same. */
    vdnn_accuracy accuracy, tensor_accuracy;

    struct {
        int64_t bytes, usable_bytes; /* total; usable by a program, where that is known */
        double bytes_per_second;     /* peak */
    } memory;

    struct {
        double f32_flops_per_second;  /* peak */
        double tf32_flops_per_second; /* of f32 maps rounded to tf32; 0: not supported */
        double bf16_flops_per_second; /* with sums in f32; 0: computed as f32 */
        double f16_flops_per_second;  /* with sums in f32; 0: as bf16 */
        int64_t tensor_channels; /* multiple of channels that units for smaller types take, or 0 */
        /* Of the kernels for smaller types, as in vdnn_cost_model; 0: as those of f32. */
        int64_t tensor_pads_to;       /* multiple of channels that others are padded to */
        int64_t tensor_tile;          /* filters of the narrowest tile: 32, 64 or 128 */
        int64_t tensor_splits;        /* 1: forward shares the inner dimension of few tiles */
        int64_t tensor_skips;         /* 1: loads no rows of x that a stride passes over */
        double tensor_launch_seconds; /* of their convolutions; 0: launch_seconds */
        double launch_seconds;        /* from one kernel to the next */
        int64_t multiprocessors;
    } compute;

    /* To the host. Directions are independent unless `both_bytes_per_second` is below their sum. */
    struct {
        double out_bytes_per_second, in_bytes_per_second; /* of a single direction */
        double both_bytes_per_second; /* of both directions together; 0: their sum */
        double latency_seconds;       /* latency of a copy */
        /* Of copies during compute, and how many times as long compute takes during copies, as in
         * vdnn_rates; 0: not stated (vdnn_predict_rates). */
        double out_beside_bytes_per_second, in_beside_bytes_per_second;
        double out_slows_products, in_slows_products, out_slows_moves, in_slows_moves;
        int64_t devices; /* devices that share it */
    } link;

    struct {
        int64_t bytes;           /* of one device's share */
        double bytes_per_second; /* of all of a host's memory, peak */
    } host;

    /* To other devices: what a ring of sums through them reaches (collective.h). */
    struct {
        int64_t devices;         /* of a host */
        int64_t near_devices;    /* of them below one switch or root, the first ones and so on */
        double bytes_per_second; /* each way, through near devices; 0: the link's */
        double far_bytes_per_second; /* through more of a host's devices; 0: as near ones */
        double start_seconds, hop_seconds;
        double compute_share;                  /* as in vdnn_reduce_rates */
        int64_t near_shares_link, shares_link; /* whether they take the link to the host, 0 or 1:
                                                  through near devices, through more */
        double network_bytes_per_second, network_hop_seconds; /* of a host, to others */
    } peers;

    /* Layers other than convolutions: the share of the peaks that they reach. */
    struct {
        double memory_efficiency;
        double gemm_efficiency; /* of whole tiles of a matrix product */
        int64_t gemm_tile;      /* rows and columns, to which a product's are rounded up */
    } layers;

    /* Of the units for f32, and of those for smaller types: tensor cores. */
    vdnn_cost_rates convolution, tensor_convolution;
    vdnn_cost_rate product, tensor_product; /* efficiency 0: by gemm_efficiency and gemm_tile */

    /* All figures of the model, in this order, with their bases. */
    vdnn_figure figures[VDNN_DEVICE_FIGURES];
    int figure_count;
} vdnn_device_model;

#endif
