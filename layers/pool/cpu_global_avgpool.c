#include "layers/cpu/native.h"
#include "layers/stage.h"

/* A plane is summed in double, lane by lane. */

VDNN_NATIVE_INLINE void sum_plane_by(vdnn_dtype dtype, int64_t lanes, const void *plane,
                                     int64_t cells, double *sums)
{
    for (int64_t i = 0; i < cells; i++)
        for (int64_t lane = 0; lane < lanes; lane++)
            sums[lane] += (double)vdnn_native_load(dtype, plane, i * lanes + lane);
}

VDNN_CPU_CLONES static void sum_plane(vdnn_dtype dtype, int64_t lanes, const void *plane,
                                      int64_t cells, double *sums)
{
    if (dtype == VDNN_F32 && lanes == 1)
        sum_plane_by(VDNN_F32, 1, plane, cells, sums);
    else if (dtype == VDNN_F32)
        sum_plane_by(VDNN_F32, VDNN_NATIVE_LANES, plane, cells, sums);
    else if (lanes == 1)
        sum_plane_by(VDNN_BF16, 1, plane, cells, sums);
    else
        sum_plane_by(VDNN_BF16, VDNN_NATIVE_LANES, plane, cells, sums);
}

/* The lanes of a plane that are channels, and their position in y, which is in nchw. */
typedef struct lanes_of_plane {
    int64_t lanes, channels, first;
} lanes_of_plane;

static lanes_of_plane lanes_of(const vdnn_desc *x, int64_t plane)
{
    int64_t lanes = vdnn_native_lanes(x), planes = vdnn_desc_channels(x) / lanes;
    int64_t channel = plane % planes * lanes, left = x->dims[VDNN_C] - channel;
    return (lanes_of_plane){lanes, left < lanes ? left : lanes,
                            plane / planes * x->dims[VDNN_C] + channel};
}

static void forward_plane(const vdnn_desc *x, const vdnn_kernel_args *args, int64_t plane)
{
    int64_t cells = x->dims[VDNN_H] * x->dims[VDNN_W];
    lanes_of_plane at = lanes_of(x, plane);
    double sums[VDNN_NATIVE_LANES] = {0};
    float means[VDNN_NATIVE_LANES];
    sum_plane(x->dtype, at.lanes, vdnn_native_at(x->dtype, args->x[0], plane * cells * at.lanes),
              cells, sums);
    for (int64_t lane = 0; lane < at.channels; lane++)
        means[lane] = (float)(sums[lane] / (double)cells);
    vdnn_stage_narrow(x->dtype, means, vdnn_native_at(x->dtype, args->y, at.first), at.channels);
}

static void backward_plane(const vdnn_desc *x, const vdnn_kernel_args *args, int64_t plane)
{
    enum { RUN = 256 }; /* elements that repeat the shares */
    int64_t cells = x->dims[VDNN_H] * x->dims[VDNN_W];
    lanes_of_plane at = lanes_of(x, plane);
    float shares[VDNN_NATIVE_LANES] = {0}, run[RUN];
    vdnn_stage_widen(x->dtype, vdnn_native_at(x->dtype, args->dy, at.first), shares, at.channels);
    for (int64_t lane = 0; lane < at.lanes; lane++)
        shares[lane] /= (float)cells;
    for (int64_t i = 0; i < RUN; i += at.lanes)
        memcpy(run + i, shares, (size_t)at.lanes * sizeof *shares);
    for (int64_t i = 0, end = cells * at.lanes; i < end; i += RUN)
        vdnn_stage_narrow(x->dtype, run,
                          vdnn_native_at(x->dtype, args->dx[0], plane * cells * at.lanes + i),
                          end - i < RUN ? end - i : RUN);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    int64_t planes = vdnn_native_planes(x);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t plane = 0; plane < planes; plane++)
        if (kernel->pass == VDNN_FORWARD)
            forward_plane(x, args, plane);
        else
            backward_plane(x, args, plane);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_global_avgpool_native = {
    .layer_type = "global_avgpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal_blocked,
    .run = run,
};
