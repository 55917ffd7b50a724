#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/stage.h"

/* A plane is summed in double, lane by lane, and so is a sequence. */

enum { FEATURES = 256 }; /* of a sequence that are summed at a time */

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

/* A sample of a sequence: a run of features at a time, position by position. */
static void forward_sequence(const vdnn_desc *x, const vdnn_kernel_args *args, int64_t sample)
{
    int64_t positions = x->dims[VDNN_POSITIONS], width = x->dims[VDNN_FEATURES];
    for (int64_t first = 0; first < width; first += FEATURES) {
        int64_t count = vdnn_count_min(width - first, FEATURES);
        double sums[FEATURES] = {0};
        float row[FEATURES];
        for (int64_t t = sample * positions; t < (sample + 1) * positions; t++) {
            const void *from = vdnn_native_at(x->dtype, args->x[0], t * width + first);
            vdnn_stage_widen(x->dtype, from, row, count);
            for (int64_t i = 0; i < count; i++)
                sums[i] += (double)row[i];
        }
        for (int64_t i = 0; i < count; i++)
            row[i] = (float)(sums[i] / (double)positions);
        vdnn_stage_narrow(x->dtype, row, vdnn_native_at(x->dtype, args->y, sample * width + first),
                          count);
    }
}

static void backward_sequence(const vdnn_desc *x, const vdnn_kernel_args *args, int64_t sample)
{
    int64_t positions = x->dims[VDNN_POSITIONS], width = x->dims[VDNN_FEATURES];
    for (int64_t first = 0; first < width; first += FEATURES) {
        int64_t count = vdnn_count_min(width - first, FEATURES);
        float shares[FEATURES];
        vdnn_stage_widen(x->dtype, vdnn_native_at(x->dtype, args->dy, sample * width + first),
                         shares, count);
        for (int64_t i = 0; i < count; i++)
            shares[i] /= (float)positions;
        for (int64_t t = sample * positions; t < (sample + 1) * positions; t++)
            vdnn_stage_narrow(x->dtype, shares,
                              vdnn_native_at(x->dtype, args->dx[0], t * width + first), count);
    }
}

typedef void average_part(const vdnn_desc *x, const vdnn_kernel_args *args, int64_t part);

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    static average_part *const of_planes[] = {forward_plane, backward_plane},
                               *const of_sequences[] = {forward_sequence, backward_sequence};
    const vdnn_desc *x = &kernel->layer->x[0];
    bool is_sequence = vdnn_desc_is_sequence(x);
    int64_t parts = is_sequence ? x->dims[VDNN_N] : vdnn_native_planes(x);
    average_part *average = (is_sequence ? of_sequences : of_planes)[kernel->pass != VDNN_FORWARD];
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t part = 0; part < parts; part++)
        average(x, args, part);
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
