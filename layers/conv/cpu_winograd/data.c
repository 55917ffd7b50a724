#include "layers/conv/cpu_winograd/data.h"

#include "layers/cpu/threads.h"

enum {
    LANES = VDNN_WINOGRAD_LANES,
    POINTS = VDNN_WINOGRAD_POINTS,
    SLICE = VDNN_WINOGRAD_SLICE,
    WIDEST = VDNN_WINOGRAD_WIDEST,
    CACHE_FLOATS = 192 * 1024, /* of the L2 cache, for v and m */
    ITEMS_A_THREAD = 4,
    LARGE_WEIGHTS = 2 * 1024 * 1024, /* floats of u that threads read together */
    SHARED_FLOATS = 3 * 1024 * 1024, /* of the last-level cache, for the v of such a part */
    SHARED_TILES = 6 * WIDEST,       /* at most, for the m of a thread in its L2 cache */
    TAP = VDNN_WINOGRAD_TAP,
};

/* Floats of the weights' points before a slice of outputs. */
static int64_t slice_place(const vdnn_winograd_job *job, int64_t slice)
{
    return slice * POINTS * vdnn_winograd_step(job->in.channels * SLICE);
}

/* One block of the weight of a slice's outputs by 16 inputs. */
static void transform_weights(void *argument, int64_t item, int member)
{
    (void)member;
    const vdnn_winograd_job *job = argument;
    int64_t out_block = item / job->in.blocks, in_block = item % job->in.blocks;
    int64_t slice = out_block / SLICE, blocks = vdnn_winograd_slice_blocks(job->out.blocks, slice);
    int64_t pair = job->turned ? in_block * job->out.blocks + out_block : item;
    const float *w = job->w + pair * job->r * job->r * TAP;
    vdnn_winograd_weight task = {.lane = job->turned ? LANES : 1,
                                 .turned = job->turned,
                                 .step = vdnn_winograd_step(job->in.channels * blocks)};
    float *points = job->u + slice_place(job, slice) + in_block * LANES * blocks * LANES +
                    out_block % SLICE * LANES;
    for (int64_t i = 0; i < vdnn_winograd_lanes_left(job->in.channels, in_block); i++) {
        task.taps = (float *)(uintptr_t)(w + i * (job->turned ? 1 : LANES));
        task.points = points + i * blocks * LANES;
        job->kernels->weights(&task);
    }
}

/* The operands of the next point's products, u and then v: the call that is `vectors` after the
 * first of a point has prefetched that much. */
static const float *ahead_of(const vdnn_winograd_job *job, const float *u, int64_t u_vectors,
                             const float *v, int64_t v_vectors, int64_t vectors)
{
    if (vectors < u_vectors)
        return u + vectors * LANES;
    vectors -= u_vectors;
    return vectors + job->in.channels <= v_vectors ? v + vectors * LANES : u;
}

/* A slice of outputs of some tiles. */
static void compute_slice(const vdnn_winograd_job *job, int64_t slice, int64_t first, int64_t count,
                          const float *v, float *m)
{
    int64_t blocks = vdnn_winograd_slice_blocks(job->out.blocks, slice);
    int64_t u_step = vdnn_winograd_step(job->in.channels * blocks);
    const float *u = job->u + slice_place(job, slice);
    int64_t width = vdnn_count_pieces(count, vdnn_count_pieces(count, WIDEST));
    for (int64_t point = 0; point < POINTS; point++) {
        int64_t next = vdnn_count_min(point + 1, POINTS - 1), vectors = 0;
        vdnn_winograd_product task = {.u = u + point * u_step,
                                      .v_block = count * LANES,
                                      .depth = job->in.channels,
                                      .m_block = count * LANES};
        for (int64_t tile = 0; tile < count; tile += width, vectors += job->in.channels) {
            task.v = v + point * job->in_step + tile * LANES;
            task.m = m + point * job->out_step + tile * LANES;
            task.ahead = ahead_of(job, u + next * u_step, job->in.channels * blocks,
                                  v + next * job->in_step, job->in.blocks * count, vectors);
            job->kernels->products[vdnn_count_min(count - tile, width) - 1][blocks - 1](&task);
        }
    }
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t tile = 0; tile < count; tile++) {
            int64_t block = slice * SLICE + b;
            vdnn_winograd_tile task =
                vdnn_winograd_tile_at(job, &job->out, job->y, block, first + tile);
            task.points = m + (b * count + tile) * LANES;
            task.step = job->out_step;
            task.bias = job->bias == NULL ? NULL : job->bias + block * LANES;
            task.relu = job->relu;
            job->kernels->write(&task);
        }
}

static void compute_part(void *argument, int64_t part, int member)
{
    const vdnn_winograd_job *job = argument;
    int64_t first = part * job->part, count = vdnn_count_min(job->all - first, job->part);
    float *v = job->members + member * job->member_floats, *m = v + POINTS * job->in_step;
    vdnn_winograd_load(job, job->kernels->read, &job->in, job->x, 0, job->in.blocks, first, count,
                       v, job->in_step);
    for (int64_t slice = 0; slice < job->slices; slice++)
        compute_slice(job, slice, first, count, v, m);
}

static int64_t shared_count(const vdnn_winograd_job *job)
{
    return vdnn_count_min(job->all - job->shared_first, job->part);
}

static void load_shared(void *argument, int64_t block, int member)
{
    (void)member;
    const vdnn_winograd_job *job = argument;
    int64_t count = shared_count(job);
    vdnn_winograd_load(job, job->kernels->read, &job->in, job->x, block, 1, job->shared_first,
                       count, job->shared + block * count * LANES, job->in_step);
}

static void compute_shared(void *argument, int64_t slice, int member)
{
    const vdnn_winograd_job *job = argument;
    compute_slice(job, slice, job->shared_first, shared_count(job), job->shared,
                  job->members + member * job->member_floats);
}

static void compute_parts(vdnn_winograd_job *job, int threads)
{
    if (!job->together) {
        vdnn_cpu_threads_loop(threads, job->parts, compute_part, job);
        return;
    }
    for (job->shared_first = 0; job->shared_first < job->all; job->shared_first += job->part) {
        vdnn_cpu_threads_loop(threads, job->in.blocks, load_shared, job);
        vdnn_cpu_threads_loop(threads, job->slices, compute_shared, job);
    }
}

/* Tiles of a part: as many as the cache holds, fewer if threads would be idle. */
static int64_t part_of(const vdnn_winograd_job *job, int threads)
{
    if (job->together) {
        int64_t most =
            vdnn_count_clamp(SHARED_FLOATS / (POINTS * job->in.channels), WIDEST, SHARED_TILES);
        return vdnn_count_pieces(job->all, vdnn_count_pieces(job->all, most));
    }
    int64_t fitting = CACHE_FLOATS / (POINTS * (job->in.channels + (int64_t)SLICE * LANES));
    int64_t part = vdnn_count_max(fitting / WIDEST, 1) * WIDEST;
    int64_t wanted = vdnn_count_pieces(job->all, (int64_t)threads * ITEMS_A_THREAD);
    part = vdnn_count_min(part, vdnn_count_max(wanted, WIDEST));
    return vdnn_count_min(part, vdnn_count_pieces(job->all, threads));
}

void vdnn_winograd_data_measure(vdnn_winograd_job *job, int threads)
{
    job->u_floats = slice_place(job, job->slices);
    job->together = job->u_floats > LARGE_WEIGHTS;
    job->part = part_of(job, threads);
    job->parts = vdnn_count_pieces(job->all, job->part);
    job->items = job->together ? job->slices : job->parts;
    job->in_step = vdnn_winograd_step(job->in.blocks * job->part);
    job->out_step = vdnn_winograd_step(vdnn_count_min(job->out.blocks, SLICE) * job->part);
    job->shared_floats = job->together ? POINTS * job->in_step : 0;
    job->member_floats = POINTS * (job->out_step + (job->together ? 0 : job->in_step));
}

void vdnn_winograd_data_run(vdnn_winograd_job *job, int threads)
{
    vdnn_cpu_threads_loop(threads, job->in.blocks * job->out.blocks, transform_weights, job);
    compute_parts(job, threads);
}
