#include "layers/conv/cpu_winograd/filter.h"

#include "layers/cpu/threads.h"

#include <string.h>

enum {
    LANES = VDNN_WINOGRAD_LANES,
    POINTS = VDNN_WINOGRAD_POINTS,
    SLICE = VDNN_WINOGRAD_SLICE,
    TAP = VDNN_WINOGRAD_TAP,
    /* the point (1, 1), at which a polynomial is the sum of its coefficients */
    ALL_ONES = VDNN_WINOGRAD_SIDE + 1,
    MOST_CHANNELS = VDNN_WINOGRAD_CHANNELS,
    FILTER_TILES = 16,
    FILTER_BLOCKS = 4, /* of input channels */
    FILTER_ITEMS = 12,
    GROUP_FLOATS = 3 * 1024 * 1024 /* of the last-level cache, for the d of a group */
};

/* Floats of an item's sums, at most. */
static int64_t item_floats(void)
{
    return POINTS * vdnn_winograd_step((int64_t)FILTER_BLOCKS * LANES * SLICE);
}

static int64_t v_floats(const vdnn_winograd_job *job)
{
    return POINTS * job->in_step;
}

static int64_t d_floats(const vdnn_winograd_job *job)
{
    return POINTS * job->out_step;
}

/* Sums of one item: a slice of outputs, of inputs and of tiles. */
typedef struct filter_item {
    int64_t slice, blocks;      /* of outputs */
    int64_t in_first, channels; /* the first block of inputs */
    int64_t tile_slice;
    float *sums;
    int64_t step; /* floats from one point to the next */
} filter_item;

static filter_item filter_item_of(const vdnn_winograd_job *job, int64_t slice, int64_t input_slice,
                                  int64_t tile_slice)
{
    filter_item item = {.slice = slice,
                        .blocks = vdnn_winograd_slice_blocks(job->out.blocks, slice),
                        .in_first = input_slice * FILTER_BLOCKS,
                        .tile_slice = tile_slice};
    item.channels = vdnn_count_min(job->in.channels - item.in_first * LANES, FILTER_BLOCKS * LANES);
    item.step = vdnn_winograd_step(item.channels * item.blocks);
    int64_t number = (tile_slice * job->slices + slice) * job->input_slices + input_slice;
    item.sums = job->u + number * item_floats();
    return item;
}

/* Prefetched: the next block of v, and after the last one and with each the next point's. */
static const float *ahead_of(const vdnn_winograd_job *job, const filter_item *item, int64_t count,
                             const float *v, const float *d, int64_t point, int64_t block,
                             bool is_first)
{
    int64_t next = vdnn_count_min(point + 1, POINTS - 1);
    if (!is_first && block < item->blocks)
        return d + next * job->out_step + block * count * LANES;
    if ((block + 1) * LANES < item->channels)
        return v + point * job->in_step + (block + 1) * count * LANES;
    return v + next * job->in_step;
}

/* One block of inputs at one point. */
static void add_block(const vdnn_winograd_job *job, const filter_item *item, int64_t count,
                      const float *v, const float *d, int64_t point, int64_t block, bool begin)
{
    int64_t channels = vdnn_winograd_lanes_left(item->channels, block);
    int64_t step = vdnn_count_pieces(channels, vdnn_count_pieces(channels, MOST_CHANNELS));
    for (int64_t i = 0; i < channels; i += step) {
        vdnn_winograd_sum task = {
            .v = v + point * job->in_step + block * count * LANES + i,
            .d = d + point * job->out_step,
            .ahead = ahead_of(job, item, count, v, d, point, block, i == 0),
            .d_block = count * LANES,
            .tiles = count,
            .begin = begin,
            .sums = item->sums + point * item->step + (block * LANES + i) * item->blocks * LANES,
        };
        job->kernels->sums[vdnn_count_min(channels - i, step) - 1][item->blocks - 1](&task);
    }
}

static void add_part(const vdnn_winograd_job *job, const filter_item *item, int64_t count,
                     const float *v, const float *d, bool begin)
{
    for (int64_t point = 0; point < POINTS; point++)
        for (int64_t block = 0; block * LANES < item->channels; block++)
            add_block(job, item, count, v, d, point, block, begin);
}

/* The value at the point (1, 1) is the sum of the coefficients, which is the bias' gradient. */
static void add_bias(const vdnn_winograd_job *job, const filter_item *item, int64_t count,
                     const float *d, bool begin)
{
    if (job->bias_gradient == NULL || item->in_first > 0)
        return;
    double *totals =
        job->sums_of_dy + (item->tile_slice * job->out.blocks + item->slice * SLICE) * LANES;
    if (begin)
        memset(totals, 0, (size_t)(item->blocks * LANES) * sizeof *totals);
    const float *sums = d + ALL_ONES * job->out_step;
    for (int64_t b = 0; b < item->blocks; b++)
        for (int64_t tile = 0; tile < count; tile++)
            for (int64_t lane = 0; lane < LANES; lane++)
                totals[b * LANES + lane] += (double)sums[(b * count + tile) * LANES + lane];
}

static void sum_item(void *argument, int64_t number, int member)
{
    const vdnn_winograd_job *job = argument;
    int64_t pairs = job->slices * job->input_slices;
    filter_item item = filter_item_of(job, number % pairs / job->input_slices,
                                      number % job->input_slices, number / pairs);
    float *v = job->members + member * job->member_floats, *d = v + POINTS * job->in_step;
    int64_t begin = item.tile_slice * job->all / job->tile_slices;
    int64_t end = (item.tile_slice + 1) * job->all / job->tile_slices;
    for (int64_t first = begin; first < end; first += FILTER_TILES) {
        int64_t count = vdnn_count_min(end - first, FILTER_TILES);
        vdnn_winograd_load(job, job->kernels->read, &job->in, job->x, item.in_first,
                           vdnn_count_pieces(item.channels, LANES), first, count, v, job->in_step);
        vdnn_winograd_load(job, job->kernels->expand, &job->out, job->y, item.slice * SLICE,
                           item.blocks, first, count, d, job->out_step);
        add_part(job, &item, count, v, d, first == begin);
        add_bias(job, &item, count, d, first == begin);
    }
}

/* The gradient of one block of outputs by one of inputs, both of an item. */
static void write_gradient(const vdnn_winograd_job *job, const filter_item *item, int64_t out_block,
                           int64_t in_block)
{
    int64_t pair = out_block * job->in.blocks + in_block;
    float *dw = job->dw + pair * job->r * job->r * TAP;
    vdnn_winograd_weight task = {
        .step = item->step,
        .slices = job->tile_slices,
        .slice = job->items / job->tile_slices * item_floats(),
        .lanes = (1U << vdnn_winograd_lanes_left(job->out.channels, out_block)) - 1U,
    };
    int64_t channels = vdnn_winograd_lanes_left(job->in.channels, in_block);
    for (int64_t i = 0; i < channels; i++) {
        task.taps = dw + i * LANES;
        task.points =
            item->sums +
            ((in_block % FILTER_BLOCKS * LANES + i) * item->blocks + out_block % SLICE) * LANES;
        job->kernels->gradient(&task);
    }
    for (int64_t tap = 0; tap < job->r * job->r; tap++)
        memset(dw + tap * TAP + channels * LANES, 0,
               (size_t)((LANES - channels) * LANES) * sizeof *dw);
}

static void write_pair(void *argument, int64_t pair, int member)
{
    (void)member;
    const vdnn_winograd_job *job = argument;
    int64_t out_block = pair / job->in.blocks, in_block = pair % job->in.blocks;
    filter_item item = filter_item_of(job, out_block / SLICE, in_block / FILTER_BLOCKS, 0);
    write_gradient(job, &item, out_block, in_block);
}

/* ---- all tiles at once ----------------------------------------------------------------------- */

/* A block of x. */
static void load_inputs(void *argument, int64_t block, int member)
{
    (void)member;
    const vdnn_winograd_job *job = argument;
    float *v = job->shared + block / FILTER_BLOCKS * v_floats(job);
    vdnn_winograd_load(job, job->kernels->read, &job->in, job->x, block, 1, 0, job->all,
                       v + block % FILTER_BLOCKS * job->all * LANES, job->in_step);
}

/* The points of the current group, by its slices. */
static float *group_points(const vdnn_winograd_job *job, int64_t slice)
{
    return job->shared + job->input_slices * v_floats(job) + slice * d_floats(job);
}

/* A block of dy, counted from the group's first. */
static void load_outputs(void *argument, int64_t block, int member)
{
    (void)member;
    const vdnn_winograd_job *job = argument;
    float *d = group_points(job, block / SLICE) + block % SLICE * job->all * LANES;
    vdnn_winograd_load(job, job->kernels->expand, &job->out, job->y,
                       job->group_first * SLICE + block, 1, 0, job->all, d, job->out_step);
}

static int64_t group_slices(const vdnn_winograd_job *job)
{
    return vdnn_count_min(job->slices - job->group_first, job->group);
}

/* A slice of inputs is multiplied with those of the group in turn, which stay in the last-level
 * cache. */
static void sum_all(void *argument, int64_t number, int member)
{
    const vdnn_winograd_job *job = argument;
    int64_t within = number % group_slices(job), input_slice = number / group_slices(job);
    filter_item item = filter_item_of(job, job->group_first + within, input_slice, 0);
    item.sums = job->members + member * job->member_floats;
    const float *d = group_points(job, within);
    add_part(job, &item, job->all, job->shared + input_slice * v_floats(job), d, true);
    add_bias(job, &item, job->all, d, true);
    int64_t in_end = item.in_first + vdnn_count_pieces(item.channels, LANES);
    for (int64_t b = 0; b < item.blocks; b++)
        for (int64_t in_block = item.in_first; in_block < in_end; in_block++)
            write_gradient(job, &item, item.slice * SLICE + b, in_block);
}

static void sum_groups(vdnn_winograd_job *job, int threads)
{
    vdnn_cpu_threads_loop(threads, job->in.blocks, load_inputs, job);
    for (job->group_first = 0; job->group_first < job->slices; job->group_first += job->group) {
        int64_t slices = group_slices(job);
        int64_t blocks = vdnn_count_min(job->out.blocks - job->group_first * SLICE, slices * SLICE);
        vdnn_cpu_threads_loop(threads, blocks, load_outputs, job);
        vdnn_cpu_threads_loop(threads, slices * job->input_slices, sum_all, job);
    }
}

static void write_bias(const vdnn_winograd_job *job)
{
    for (int64_t k = 0; k < job->s.k; k++) {
        double total = 0;
        for (int64_t slice = 0; slice < job->tile_slices; slice++)
            total += job->sums_of_dy[slice * job->out.blocks * LANES + k];
        job->bias_gradient[k] = (float)total;
    }
}

/* ---- a pass ---------------------------------------------------------------------------------- */

/* Slices of outputs whose points fit the last-level cache together, or as many as keep threads
 * busy.
 */
static int64_t group_of(const vdnn_winograd_job *job, int64_t slice_floats)
{
    int64_t busy = vdnn_count_pieces(FILTER_ITEMS, job->input_slices);
    return vdnn_count_min(vdnn_count_max(GROUP_FLOATS / slice_floats, busy), job->slices);
}

void vdnn_winograd_filter_measure(vdnn_winograd_job *job)
{
    job->input_slices = vdnn_count_pieces(job->in.blocks, FILTER_BLOCKS);
    int64_t pairs = job->slices * job->input_slices;
    int64_t in_blocks = vdnn_count_min(job->in.blocks, FILTER_BLOCKS);
    int64_t out_blocks = vdnn_count_min(job->out.blocks, SLICE);
    int64_t out_floats = POINTS * vdnn_winograd_step(out_blocks * job->all);
    job->group = group_of(job, out_floats);
    int64_t all_floats = job->input_slices * POINTS * vdnn_winograd_step(in_blocks * job->all) +
                         job->group * out_floats;
    job->together = pairs >= FILTER_ITEMS && all_floats <= pairs * item_floats();
    job->tile_slices = job->together ? 1
                                     : vdnn_count_clamp(FILTER_ITEMS / pairs, 1,
                                                        vdnn_count_pieces(job->all, FILTER_TILES));
    job->items = pairs * job->tile_slices;
    job->part = job->together ? job->all : vdnn_count_min(job->all, FILTER_TILES);
    job->in_step = vdnn_winograd_step(in_blocks * job->part);
    job->out_step = vdnn_winograd_step(out_blocks * job->part);
    job->shared_floats = job->together ? all_floats : 0;
    job->u_floats = job->together ? 0 : job->items * item_floats();
    job->member_floats = job->together ? item_floats() : v_floats(job) + d_floats(job);
    job->bias_sums = job->s.bias_offset < 0 ? 0 : job->tile_slices * job->out.blocks * LANES;
}

void vdnn_winograd_filter_run(vdnn_winograd_job *job, int threads)
{
    if (job->together) {
        sum_groups(job, threads);
    } else {
        vdnn_cpu_threads_loop(threads, job->items, sum_item, job);
        vdnn_cpu_threads_loop(threads, job->in.blocks * job->out.blocks, write_pair, job);
    }
    if (job->bias_gradient != NULL)
        write_bias(job);
}
