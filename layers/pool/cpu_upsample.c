#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/cpu/threads.h"
#include "layers/pool/upsample.h"
#include "layers/stage.h"

/* A row at a time, first across rows of the map, and of a volume across its slices, then along the
 * row: of y forward, of dx backward, where a cell gathers its shares of what it was interpolated
 * to, in their order.
 *
 *     workspace of a thread   | a row of x | a row of y | read |     as f32, all lanes
 */
typedef struct upsample_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    const vdnn_upsample_config *config;
    int64_t in[VDNN_SIDES], out[VDNN_SIDES];
    int64_t in_rows, out_rows; /* of a plane: all slices' */
    int64_t lanes;
    int64_t in_row, out_row; /* elements */
    float *workspace;
} upsample_job;

static upsample_job job_of(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const int64_t *x = layer->x[0].dims, *y = layer->y.dims;
    int64_t lanes = vdnn_native_lanes(&layer->x[0]);
    upsample_job job = {.kernel = kernel,
                        .config = layer->config,
                        .in_rows = x[VDNN_H],
                        .out_rows = y[VDNN_H],
                        .lanes = lanes,
                        .in_row = x[VDNN_W] * lanes,
                        .out_row = y[VDNN_W] * lanes};
    vdnn_desc_sides(&layer->x[0], job.in);
    vdnn_desc_sides(&layer->y, job.out);
    return job;
}

static int64_t floats_of_thread(const upsample_job *job)
{
    return 2 * job->out_row + job->in_row;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const upsample_job job = job_of(kernel);
    *bytes = (size_t)(kernel->threads * floats_of_thread(&job)) * sizeof(float);
    return VDNN_OK;
}

/* ---- one side -------------------------------------------------------------------------------- */

VDNN_CPU_CLONES static void scale(const float *restrict from, float by, float *restrict to,
                                  int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = by * from[i];
}

VDNN_CPU_CLONES static void add_scaled(const float *restrict from, float by, float *restrict to,
                                       int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += by * from[i];
}

/* to[c * step] = (1 - t) from[c - d] + t from[c - d + 1] for the cells of a row. */
VDNN_NATIVE_INLINE void spread_by(int64_t lanes, const float *restrict from, int64_t cells,
                                  int64_t step, vdnn_upsample_phase phase, float *restrict to)
{
    for (int64_t c = 0; c < cells; c++) {
        const float *first = from + vdnn_count_max(c - phase.before, 0) * lanes,
                    *second = from + vdnn_count_min(c - phase.before + 1, cells - 1) * lanes;
        for (int64_t lane = 0; lane < lanes; lane++)
            to[c * step * lanes + lane] =
                (1 - phase.second) * first[lane] + phase.second * second[lane];
    }
}

/* The inverse: adds from[c * step] to both cells, by its shares. */
VDNN_NATIVE_INLINE void gather_by(int64_t lanes, const float *restrict from, int64_t cells,
                                  int64_t step, vdnn_upsample_phase phase, float *restrict to)
{
    for (int64_t c = 0; c < cells; c++) {
        float *first = to + vdnn_count_max(c - phase.before, 0) * lanes,
              *second = to + vdnn_count_min(c - phase.before + 1, cells - 1) * lanes;
        const float *share = from + c * step * lanes;
        for (int64_t lane = 0; lane < lanes; lane++) {
            first[lane] += (1 - phase.second) * share[lane];
            second[lane] += phase.second * share[lane];
        }
    }
}

VDNN_CPU_CLONES static void spread(int64_t lanes, const float *from, int64_t cells, int64_t step,
                                   vdnn_upsample_phase phase, float *to)
{
    if (lanes == 1)
        spread_by(1, from, cells, step, phase, to);
    else
        spread_by(VDNN_NATIVE_LANES, from, cells, step, phase, to);
}

VDNN_CPU_CLONES static void gather(int64_t lanes, const float *from, int64_t cells, int64_t step,
                                   vdnn_upsample_phase phase, float *to)
{
    if (lanes == 1)
        gather_by(1, from, cells, step, phase, to);
    else
        gather_by(VDNN_NATIVE_LANES, from, cells, step, phase, to);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const float *read_row(const upsample_job *job, const void *map, int64_t row, int64_t length,
                             float *buffer)
{
    return vdnn_native_read(job->kernel->layer->x[0].dtype, map,
                            (vdnn_native_range){row * length, (row + 1) * length}, buffer);
}

/* The two cells of x along a side that cell `cell` of y is interpolated from, and their shares. */
typedef struct mix {
    int64_t cell[2];
    float share[2];
} mix;

static mix mix_of(const upsample_job *job, int side, int64_t cell)
{
    const int64_t scale = job->config->scale[side], c = cell / scale;
    const vdnn_upsample_phase phase = vdnn_upsample_phase_of(job->config, side, cell % scale);
    return (mix){{vdnn_count_max(c - phase.before, 0),
                  vdnn_count_min(c - phase.before + 1, job->in[side] - 1)},
                 {1 - phase.second, phase.second}};
}

/* The row of y with that number through all planes. */
static void forward_row(void *argument, int64_t row, int member)
{
    const upsample_job *job = argument;
    const int64_t plane = row / job->out_rows, columns = job->config->scale[VDNN_SIDE_W];
    const mix slices = mix_of(job, VDNN_SIDE_D, row % job->out_rows / job->out[VDNN_SIDE_H]),
              rows = mix_of(job, VDNN_SIDE_H, row % job->out[VDNN_SIDE_H]);
    float *mixed = job->workspace + member * floats_of_thread(job), *wide = mixed + job->in_row,
          *read = wide + job->out_row;
    for (int i = 0; i < 4; i++) {
        const int64_t from =
            plane * job->in_rows + slices.cell[i / 2] * job->in[VDNN_SIDE_H] + rows.cell[i % 2];
        const float share = slices.share[i / 2] * rows.share[i % 2];
        if (i == 0)
            scale(read_row(job, job->args->x[0], from, job->in_row, read), share, mixed,
                  job->in_row);
        else if (share > 0)
            add_scaled(read_row(job, job->args->x[0], from, job->in_row, read), share, mixed,
                       job->in_row);
    }
    for (int64_t k = 0; k < columns; k++)
        spread(job->lanes, mixed, job->in[VDNN_SIDE_W], columns,
               vdnn_upsample_phase_of(job->config, VDNN_SIDE_W, k), wide + k * job->lanes);
    vdnn_stage_narrow(job->kernel->layer->y.dtype, wide,
                      vdnn_native_at(job->kernel->layer->y.dtype, job->args->y, row * job->out_row),
                      job->out_row);
}

/* The share of cell `cell` of x in cell `of` of y, along a side. */
static float share_of(const upsample_job *job, int side, int64_t of, int64_t cell)
{
    const mix m = mix_of(job, side, of);
    return (m.cell[0] == cell ? m.share[0] : 0) + (m.cell[1] == cell ? m.share[1] : 0);
}

/* The cells of y that may have a share of a cell of x, along a side. */
static vdnn_native_range reached(const upsample_job *job, int side, int64_t cell)
{
    const int64_t scale = job->config->scale[side];
    return (vdnn_native_range){vdnn_count_max((cell - 1) * scale, 0),
                               vdnn_count_min((cell + 2) * scale, job->out[side])};
}

/* The row of dx with that number through all planes. */
static void backward_row(void *argument, int64_t row, int member)
{
    const upsample_job *job = argument;
    const int64_t plane = row / job->in_rows, h = row % job->in[VDNN_SIDE_H],
                  d = row % job->in_rows / job->in[VDNN_SIDE_H],
                  columns = job->config->scale[VDNN_SIDE_W];
    const vdnn_native_range slices = reached(job, VDNN_SIDE_D, d),
                            rows = reached(job, VDNN_SIDE_H, h);
    float *narrow = job->workspace + member * floats_of_thread(job), *wide = narrow + job->in_row,
          *read = wide + job->out_row;
    memset(narrow, 0, (size_t)(job->in_row + job->out_row) * sizeof *narrow);
    for (int64_t slice = slices.begin; slice < slices.end; slice++) {
        const float of_slice = share_of(job, VDNN_SIDE_D, slice, d);
        const int64_t first = plane * job->out_rows + slice * job->out[VDNN_SIDE_H];
        for (int64_t from = rows.begin; of_slice > 0 && from < rows.end; from++) {
            const float share = of_slice * share_of(job, VDNN_SIDE_H, from, h);
            if (share > 0)
                add_scaled(read_row(job, job->args->dy, first + from, job->out_row, read), share,
                           wide, job->out_row);
        }
    }
    for (int64_t k = 0; k < columns; k++)
        gather(job->lanes, wide + k * job->lanes, job->in[VDNN_SIDE_W], columns,
               vdnn_upsample_phase_of(job->config, VDNN_SIDE_W, k), narrow);
    vdnn_stage_narrow(
        job->kernel->layer->x[0].dtype, narrow,
        vdnn_native_at(job->kernel->layer->x[0].dtype, job->args->dx[0], row * job->in_row),
        job->in_row);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    upsample_job job = job_of(kernel);
    const bool forward = kernel->pass == VDNN_FORWARD;
    const int64_t planes = vdnn_native_planes(&kernel->layer->x[0]);
    job.args = args;
    job.workspace = args->workspace;
    vdnn_cpu_threads_loop(kernel->threads, planes * (forward ? job.out_rows : job.in_rows),
                          forward ? forward_row : backward_row, &job);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_upsample_native = {
    .layer_type = "upsample",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal_blocked,
    .workspace = workspace,
    .run = run,
};
