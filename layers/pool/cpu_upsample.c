#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/cpu/threads.h"
#include "layers/pool/upsample.h"
#include "layers/stage.h"

/* A row at a time, first along the columns of the map, then along the row: of y forward, of dx
 * backward, where a cell gathers its shares of what it was interpolated to, in their order.
 *
 *     workspace of a thread   | a row of x | a row of y | read |     as f32, all lanes
 */
typedef struct upsample_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    const vdnn_upsample_config *config;
    int64_t in_h, in_w, out_h, out_w, lanes;
    int64_t in_row, out_row; /* elements */
    float *workspace;
} upsample_job;

static upsample_job job_of(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const int64_t *x = layer->x[0].dims, *y = layer->y.dims;
    int64_t lanes = vdnn_native_lanes(&layer->x[0]);
    return (upsample_job){.kernel = kernel,
                          .config = layer->config,
                          .in_h = x[VDNN_H],
                          .in_w = x[VDNN_W],
                          .out_h = y[VDNN_H],
                          .out_w = y[VDNN_W],
                          .lanes = lanes,
                          .in_row = x[VDNN_W] * lanes,
                          .out_row = y[VDNN_W] * lanes};
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

/* The row of y with that number through all planes. */
static void forward_row(void *argument, int64_t row, int member)
{
    const upsample_job *job = argument;
    const vdnn_upsample_config *config = job->config;
    const int64_t plane = row / job->out_h,
                  h = row % job->out_h / config->scale[VDNN_UPSAMPLE_ROWS],
                  columns = config->scale[VDNN_UPSAMPLE_COLUMNS];
    const vdnn_upsample_phase phase = vdnn_upsample_phase_of(
        config, VDNN_UPSAMPLE_ROWS, row % job->out_h % config->scale[VDNN_UPSAMPLE_ROWS]);
    const int64_t first = plane * job->in_h + vdnn_count_max(h - phase.before, 0),
                  second = plane * job->in_h + vdnn_count_min(h - phase.before + 1, job->in_h - 1);
    float *mixed = job->workspace + member * floats_of_thread(job), *wide = mixed + job->in_row,
          *read = wide + job->out_row;
    scale(read_row(job, job->args->x[0], first, job->in_row, read), 1 - phase.second, mixed,
          job->in_row);
    if (phase.second > 0)
        add_scaled(read_row(job, job->args->x[0], second, job->in_row, read), phase.second, mixed,
                   job->in_row);
    for (int64_t k = 0; k < columns; k++)
        spread(job->lanes, mixed, job->in_w, columns,
               vdnn_upsample_phase_of(config, VDNN_UPSAMPLE_COLUMNS, k), wide + k * job->lanes);
    vdnn_stage_narrow(job->kernel->layer->y.dtype, wide,
                      vdnn_native_at(job->kernel->layer->y.dtype, job->args->y, row * job->out_row),
                      job->out_row);
}

/* The share of row h of x in row `row` of y, within a plane. */
static float share_of(const upsample_job *job, int64_t row, int64_t h)
{
    const int64_t rows = job->config->scale[VDNN_UPSAMPLE_ROWS], c = row / rows;
    const vdnn_upsample_phase phase =
        vdnn_upsample_phase_of(job->config, VDNN_UPSAMPLE_ROWS, row % rows);
    const int64_t first = vdnn_count_max(c - phase.before, 0),
                  second = vdnn_count_min(c - phase.before + 1, job->in_h - 1);
    return (first == h ? 1 - phase.second : 0) + (second == h ? phase.second : 0);
}

/* The row of dx with that number through all planes. */
static void backward_row(void *argument, int64_t row, int member)
{
    const upsample_job *job = argument;
    const vdnn_upsample_config *config = job->config;
    const int64_t plane = row / job->in_h, h = row % job->in_h,
                  rows = config->scale[VDNN_UPSAMPLE_ROWS],
                  columns = config->scale[VDNN_UPSAMPLE_COLUMNS],
                  end = vdnn_count_min((h + 2) * rows, job->out_h);
    float *narrow = job->workspace + member * floats_of_thread(job), *wide = narrow + job->in_row,
          *read = wide + job->out_row;
    memset(narrow, 0, (size_t)(job->in_row + job->out_row) * sizeof *narrow);
    for (int64_t from = vdnn_count_max((h - 1) * rows, 0); from < end; from++) {
        const float share = share_of(job, from, h);
        if (share > 0)
            add_scaled(read_row(job, job->args->dy, plane * job->out_h + from, job->out_row, read),
                       share, wide, job->out_row);
    }
    for (int64_t k = 0; k < columns; k++)
        gather(job->lanes, wide + k * job->lanes, job->in_w, columns,
               vdnn_upsample_phase_of(config, VDNN_UPSAMPLE_COLUMNS, k), narrow);
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
    vdnn_cpu_threads_loop(kernel->threads, planes * (forward ? job.out_h : job.in_h),
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
    .pictures_only = true,
    .refusal = vdnn_native_refusal_blocked,
    .workspace = workspace,
    .run = run,
};
