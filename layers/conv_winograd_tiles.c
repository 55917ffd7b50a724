#include "layers/conv_shape.h"
#include "layers/count.h"
#include "layers/cpu_threads.h"
#include "layers/winograd_kernels.h"

#include <string.h>

/* Winograd's minimal filtering of R x R kernels by tiles of 8 x 8 points, F(M x M, R x R) with
 * M = 9 - R (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016):
 *
 *     forward          y  = A^T [ sum over c of      (G w G^T) o (B^T x B)   ] A
 *     backward data    dx = the same of dy, with turned weights and c and k exchanged
 *     backward filter  dw = G^T [ sum over tiles of  (A dy A^T) o (B^T x B)  ] G
 *
 * In one dimension the points are 0, 1, -1, 2, -2, 1/2, -1/2 and infinity: A and G evaluate
 * polynomials of M and R coefficients there, G with the weights of interpolation; B^T is the
 * transpose of interpolation. An output costs 64 / M^2 products instead of R^2.
 *
 * Maps and weights are in blocks of 16 channels, and a vector is one cell of a block. Tiles are
 * numbered through all images. A part of them is transformed, multiplied and transformed back by
 * one thread, so that both sides of its products stay in the second cache:
 *
 *     u     slice of 2 blocks of outputs; point; input channel; 32 outputs        all, in workspace
 *     v     point; block of input channels; tile; 16                              of a part
 *     m     point; block of the slice; tile; 16                                   of a part
 *
 * Where all of u is so large that it should not pass once for each such part, threads work on one
 * part together: v, of more tiles, is theirs in the last cache, and each takes slices of outputs.
 *
 * Backward filter keeps the sums of 64 input channels by 32 output channels for all points in the
 * second cache, while tiles pass: an item for each such pair and each of some slices of the tiles,
 * whose sums are added in their order at the end.
 *
 * Each value is one chain of sums that the shape alone decides: bits depend on no thread count. */

enum {
    LANES = VDNN_WINOGRAD_LANES,
    TAP = VDNN_WINOGRAD_TAP,
    SIDE = VDNN_WINOGRAD_SIDE,
    POINTS = VDNN_WINOGRAD_POINTS,
    /* the point (1, 1), at which a polynomial is the sum of its coefficients */
    ALL_ONES = SIDE + 1,
    SLICE = VDNN_WINOGRAD_SLICE,
    WIDEST = VDNN_WINOGRAD_WIDEST,
    MOST_CHANNELS = VDNN_WINOGRAD_CHANNELS,
    CACHE_FLOATS = 192 * 1024, /* of the second cache, for v and m */
    ITEMS_A_THREAD = 4,
    LARGE_WEIGHTS = 2 * 1024 * 1024, /* floats of u that threads read together */
    SHARED_FLOATS = 3 * 1024 * 1024, /* of the last cache, for the v of such a part */
    SHARED_TILES = 6 * WIDEST,       /* at most, for the m of a thread in its second cache */
    FILTER_TILES = 16,
    FILTER_BLOCKS = 4, /* of input channels */
    FILTER_ITEMS = 12
};

/* A map as tiles: tile t begins at cell t * M - shift of each plane. */
typedef struct tile_view {
    int64_t channels, blocks, size[2], shift[2];
} tile_view;

/* ---- tiles ----------------------------------------------------------------------------------- */

typedef struct winograd_job {
    const vdnn_winograd_kernels *kernels;
    vdnn_conv_shape s;
    bool turned; /* backward data */
    tile_view in, out;
    int64_t r, m;                      /* R, M */
    int64_t tiles[2], all;             /* of an image, of all images */
    int64_t slices;                    /* of outputs */
    bool together;                     /* threads share a part */
    int64_t part, parts;               /* tiles of a part */
    int64_t shared_first;              /* tile of the shared part at hand */
    int64_t in_step, out_step;         /* floats from one point to the next: v, m */
    int64_t tile_slices, input_slices; /* of backward filter */
    int64_t u_floats, member_floats, bias_sums;
    const float *x, *w, *bias;
    float *y, *dw, *bias_gradient;
    bool relu;
    float *u, *members, *shared; /* shared: v */
    double *sums_of_dy;          /* tile slice; channel, padded */
} winograd_job;

/* The places of points are an odd number of vectors apart, or they would meet in few sets of the
 * cache. */
static int64_t step_of(int64_t vectors)
{
    return (vectors | 1) * LANES;
}

static int64_t lanes_left(int64_t channels, int64_t block)
{
    return vdnn_count_min(channels - block * LANES, LANES);
}

static int64_t slice_blocks(int64_t blocks, int64_t slice)
{
    return vdnn_count_min(blocks - slice * SLICE, SLICE);
}

/* Tile number `tile` of one block of a map. */
static vdnn_winograd_tile task_of(const winograd_job *job, const tile_view *view, const float *map,
                                  int64_t block, int64_t tile)
{
    int64_t image_tiles = job->tiles[0] * job->tiles[1];
    int64_t image = tile / image_tiles, at = tile % image_tiles;
    int64_t place = (image * view->blocks + block) * view->size[0] * view->size[1] * LANES;
    return (vdnn_winograd_tile){
        .map = (float *)(uintptr_t)(map + place),
        .size = {view->size[0], view->size[1]},
        .first = {at / job->tiles[1] * job->m - view->shift[0],
                  at % job->tiles[1] * job->m - view->shift[1]},
        .lanes = (1U << lanes_left(view->channels, block)) - 1U,
    };
}

/* Some tiles of some blocks to `points`: point; block; tile. */
static void load_tiles(const winograd_job *job, vdnn_winograd_tile_kernel *kernel,
                       const tile_view *view, const float *map, int64_t first_block, int64_t blocks,
                       int64_t first, int64_t count, float *points, int64_t step)
{
    for (int64_t block = 0; block < blocks; block++)
        for (int64_t tile = 0; tile < count; tile++) {
            vdnn_winograd_tile task = task_of(job, view, map, first_block + block, first + tile);
            task.points = points + (block * count + tile) * LANES;
            task.step = step;
            kernel(&task);
        }
}

/* ---- forward and backward data --------------------------------------------------------------- */

/* Floats of the weights' points before a slice of outputs. */
static int64_t slice_place(const winograd_job *job, int64_t slice)
{
    return slice * POINTS * step_of(job->in.channels * SLICE);
}

/* One block of the weight of a slice's outputs by 16 inputs. */
static void transform_weights(void *argument, int64_t item, int member)
{
    (void)member;
    const winograd_job *job = argument;
    int64_t out_block = item / job->in.blocks, in_block = item % job->in.blocks;
    int64_t slice = out_block / SLICE, blocks = slice_blocks(job->out.blocks, slice);
    int64_t pair = job->turned ? in_block * job->out.blocks + out_block : item;
    const float *w = job->w + pair * job->r * job->r * TAP;
    vdnn_winograd_weight task = {.lane = job->turned ? LANES : 1,
                                 .turned = job->turned,
                                 .step = step_of(job->in.channels * blocks)};
    float *points = job->u + slice_place(job, slice) + in_block * LANES * blocks * LANES +
                    out_block % SLICE * LANES;
    for (int64_t i = 0; i < lanes_left(job->in.channels, in_block); i++) {
        task.taps = (float *)(uintptr_t)(w + i * (job->turned ? 1 : LANES));
        task.points = points + i * blocks * LANES;
        job->kernels->weights(&task);
    }
}

/* A slice of outputs of some tiles. */
static void compute_slice(const winograd_job *job, int64_t slice, int64_t first, int64_t count,
                          const float *v, float *m)
{
    int64_t blocks = slice_blocks(job->out.blocks, slice);
    int64_t u_step = step_of(job->in.channels * blocks);
    const float *u = job->u + slice_place(job, slice);
    int64_t width = vdnn_count_pieces(count, vdnn_count_pieces(count, WIDEST));
    for (int64_t point = 0; point < POINTS; point++) {
        vdnn_winograd_product task = {.u = u + point * u_step,
                                      .v_block = count * LANES,
                                      .depth = job->in.channels,
                                      .m_block = count * LANES};
        for (int64_t tile = 0; tile < count; tile += width) {
            task.v = v + point * job->in_step + tile * LANES;
            task.m = m + point * job->out_step + tile * LANES;
            job->kernels->products[vdnn_count_min(count - tile, width) - 1][blocks - 1](&task);
        }
    }
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t tile = 0; tile < count; tile++) {
            int64_t block = slice * SLICE + b;
            vdnn_winograd_tile task = task_of(job, &job->out, job->y, block, first + tile);
            task.points = m + (b * count + tile) * LANES;
            task.step = job->out_step;
            task.bias = job->bias == NULL ? NULL : job->bias + block * LANES;
            task.relu = job->relu;
            job->kernels->write(&task);
        }
}

static void compute_part(void *argument, int64_t part, int member)
{
    const winograd_job *job = argument;
    int64_t first = part * job->part, count = vdnn_count_min(job->all - first, job->part);
    float *v = job->members + member * job->member_floats, *m = v + POINTS * job->in_step;
    load_tiles(job, job->kernels->read, &job->in, job->x, 0, job->in.blocks, first, count, v,
               job->in_step);
    for (int64_t slice = 0; slice < job->slices; slice++)
        compute_slice(job, slice, first, count, v, m);
}

static int64_t shared_count(const winograd_job *job)
{
    return vdnn_count_min(job->all - job->shared_first, job->part);
}

static void load_shared(void *argument, int64_t block, int member)
{
    (void)member;
    const winograd_job *job = argument;
    int64_t count = shared_count(job);
    load_tiles(job, job->kernels->read, &job->in, job->x, block, 1, job->shared_first, count,
               job->shared + block * count * LANES, job->in_step);
}

static void compute_shared(void *argument, int64_t slice, int member)
{
    const winograd_job *job = argument;
    compute_slice(job, slice, job->shared_first, shared_count(job), job->shared,
                  job->members + member * job->member_floats);
}

static void compute_parts(winograd_job *job, int threads)
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

/* ---- backward filter ------------------------------------------------------------------------- */

/* Sums of one item: a slice of outputs, of inputs and of tiles. */
typedef struct filter_item {
    int64_t slice, blocks;      /* of outputs */
    int64_t in_first, channels; /* the first block of inputs */
    int64_t tile_slice;
    float *sums;
    int64_t step; /* floats from one point to the next */
} filter_item;

static filter_item filter_item_of(const winograd_job *job, int64_t slice, int64_t input_slice,
                                  int64_t tile_slice)
{
    filter_item item = {.slice = slice,
                        .blocks = slice_blocks(job->out.blocks, slice),
                        .in_first = input_slice * FILTER_BLOCKS,
                        .tile_slice = tile_slice};
    item.channels = vdnn_count_min(job->in.channels - item.in_first * LANES, FILTER_BLOCKS * LANES);
    item.step = step_of(item.channels * item.blocks);
    int64_t whole = POINTS * step_of((int64_t)FILTER_BLOCKS * LANES * SLICE);
    int64_t number = (tile_slice * job->slices + slice) * job->input_slices + input_slice;
    item.sums = job->u + number * whole;
    return item;
}

static void add_part(const winograd_job *job, const filter_item *item, int64_t count,
                     const float *v, const float *d, bool begin)
{
    for (int64_t point = 0; point < POINTS; point++)
        for (int64_t block = 0; block * LANES < item->channels; block++) {
            int64_t channels = lanes_left(item->channels, block);
            int64_t step = vdnn_count_pieces(channels, vdnn_count_pieces(channels, MOST_CHANNELS));
            for (int64_t i = 0; i < channels; i += step) {
                vdnn_winograd_sum task = {
                    .v = v + point * job->in_step + block * count * LANES + i,
                    .d = d + point * job->out_step,
                    .d_block = count * LANES,
                    .tiles = count,
                    .begin = begin,
                    .sums = item->sums + point * item->step +
                            (block * LANES + i) * item->blocks * LANES,
                };
                job->kernels->sums[vdnn_count_min(channels - i, step) - 1][item->blocks - 1](&task);
            }
        }
}

/* A polynomial's coefficients add up at the point (1, 1): the bias' gradient is there already. */
static void add_bias(const winograd_job *job, const filter_item *item, int64_t count,
                     const float *d)
{
    double *totals =
        job->sums_of_dy + (item->tile_slice * job->out.blocks + item->slice * SLICE) * LANES;
    const float *sums = d + ALL_ONES * job->out_step;
    for (int64_t b = 0; b < item->blocks; b++)
        for (int64_t tile = 0; tile < count; tile++)
            for (int64_t lane = 0; lane < LANES; lane++)
                totals[b * LANES + lane] += (double)sums[(b * count + tile) * LANES + lane];
}

static void sum_item(void *argument, int64_t number, int member)
{
    const winograd_job *job = argument;
    int64_t pairs = job->slices * job->input_slices;
    filter_item item = filter_item_of(job, number % pairs / job->input_slices,
                                      number % job->input_slices, number / pairs);
    float *v = job->members + member * job->member_floats, *d = v + POINTS * job->in_step;
    bool sums_bias = job->bias_gradient != NULL && item.in_first == 0;
    if (sums_bias)
        memset(job->sums_of_dy + (item.tile_slice * job->out.blocks + item.slice * SLICE) * LANES,
               0, (size_t)(item.blocks * LANES) * sizeof(double));
    int64_t begin = item.tile_slice * job->all / job->tile_slices;
    int64_t end = (item.tile_slice + 1) * job->all / job->tile_slices;
    for (int64_t first = begin; first < end; first += FILTER_TILES) {
        int64_t count = vdnn_count_min(end - first, FILTER_TILES);
        load_tiles(job, job->kernels->read, &job->in, job->x, item.in_first,
                   vdnn_count_pieces(item.channels, LANES), first, count, v, job->in_step);
        load_tiles(job, job->kernels->expand, &job->out, job->y, item.slice * SLICE, item.blocks,
                   first, count, d, job->out_step);
        add_part(job, &item, count, v, d, first == begin);
        if (sums_bias)
            add_bias(job, &item, count, d);
    }
}

/* The gradient of one block of outputs by one of inputs. */
static void write_gradient(void *argument, int64_t pair, int member)
{
    (void)member;
    const winograd_job *job = argument;
    int64_t out_block = pair / job->in.blocks, in_block = pair % job->in.blocks;
    filter_item item = filter_item_of(job, out_block / SLICE, in_block / FILTER_BLOCKS, 0);
    float *dw = job->dw + pair * job->r * job->r * TAP;
    vdnn_winograd_weight task = {
        .step = item.step,
        .slices = job->tile_slices,
        .slice = filter_item_of(job, 0, 0, 1).sums - job->u,
        .lanes = (1U << lanes_left(job->out.channels, out_block)) - 1U,
    };
    int64_t channels = lanes_left(job->in.channels, in_block);
    for (int64_t i = 0; i < channels; i++) {
        task.taps = dw + i * LANES;
        task.points =
            item.sums +
            ((in_block % FILTER_BLOCKS * LANES + i) * item.blocks + out_block % SLICE) * LANES;
        job->kernels->gradient(&task);
    }
    for (int64_t tap = 0; tap < job->r * job->r; tap++)
        memset(dw + tap * TAP + channels * LANES, 0,
               (size_t)((LANES - channels) * LANES) * sizeof *dw);
}

static void write_bias(const winograd_job *job)
{
    for (int64_t k = 0; k < job->s.k; k++) {
        double total = 0;
        for (int64_t slice = 0; slice < job->tile_slices; slice++)
            total += job->sums_of_dy[slice * job->out.blocks * LANES + k];
        job->bias_gradient[k] = (float)total;
    }
}

/* ---- the functions of the rows --------------------------------------------------------------- */

/* R is the variant of a row. */
static int64_t kernel_side(const vdnn_kernel *kernel)
{
    const int64_t *r = kernel->algorithm->variant;
    return *r;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t r = kernel_side(kernel);
    if (layer->x[0].dtype != VDNN_F32 || layer->y.dtype != VDNN_F32)
        return "it computes in f32 only";
    if (layer->params[0].layout != VDNN_PARAM_BLOCKED)
        return "it takes nChw16c maps of one group only";
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    for (int d = 0; d < 2; d++) {
        if (s.kernel[d] != r)
            return "it takes another size of kernels only";
        if (s.stride[d] != 1 || s.dilation[d] != 1)
            return "it takes neither stride nor dilation";
    }
    if (vdnn_winograd_kernels_of(r) == NULL)
        return "it needs AVX-512";
    return vdnn_conv_shape_too_large(layer);
}

static tile_view view_of(const vdnn_desc *desc)
{
    return (tile_view){.channels = desc->dims[VDNN_C],
                       .blocks = vdnn_count_pieces(desc->dims[VDNN_C], LANES),
                       .size = {desc->dims[VDNN_H], desc->dims[VDNN_W]}};
}

/* Tiles of a part: as many as the cache holds, fewer where threads would have nothing to do. */
static int64_t part_of(const winograd_job *job, int threads)
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

/* Everything but memory; returns the floats of workspace. */
static int64_t measure(winograd_job *job, const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t r = kernel_side(kernel);
    *job = (winograd_job){.kernels = vdnn_winograd_kernels_of(r),
                          .s = vdnn_conv_shape_of(layer),
                          .turned = kernel->pass == VDNN_BACKWARD_DATA,
                          .r = r,
                          .m = SIDE + 1 - r};
    job->in = view_of(job->turned ? &layer->y : &layer->x[0]);
    job->out = view_of(job->turned ? &layer->x[0] : &layer->y);
    job->all = job->s.n;
    for (int d = 0; d < 2; d++) {
        job->in.shift[d] = job->turned ? r - 1 - job->s.pad[d] : job->s.pad[d];
        job->tiles[d] = vdnn_count_pieces(job->out.size[d], job->m);
        job->all *= job->tiles[d];
    }
    job->slices = vdnn_count_pieces(job->out.blocks, SLICE);
    bool filter = kernel->pass == VDNN_BACKWARD_FILTER;
    int64_t in_blocks = filter ? vdnn_count_min(job->in.blocks, FILTER_BLOCKS) : job->in.blocks;
    int64_t out_blocks = vdnn_count_min(job->out.blocks, SLICE);
    if (filter) {
        job->input_slices = vdnn_count_pieces(job->in.blocks, FILTER_BLOCKS);
        job->tile_slices = vdnn_count_clamp(FILTER_ITEMS / (job->slices * job->input_slices), 1,
                                            vdnn_count_pieces(job->all, FILTER_TILES));
        job->part = vdnn_count_min(job->all, FILTER_TILES);
        job->parts = job->slices * job->input_slices * job->tile_slices;
        job->u_floats = job->parts * POINTS * step_of((int64_t)FILTER_BLOCKS * LANES * SLICE);
        job->bias_sums = job->s.bias_offset < 0 ? 0 : job->tile_slices * job->out.blocks * LANES;
    } else {
        job->u_floats = slice_place(job, job->slices);
        job->together = job->u_floats > LARGE_WEIGHTS;
        job->part = part_of(job, kernel->threads);
        job->parts = vdnn_count_pieces(job->all, job->part);
    }
    job->in_step = step_of(in_blocks * job->part);
    job->out_step = step_of(out_blocks * job->part);
    int64_t v_floats = POINTS * job->in_step;
    job->member_floats = POINTS * job->out_step + (job->together ? 0 : v_floats);
    int64_t items = job->together ? job->slices : job->parts;
    return job->u_floats + vdnn_count_min(kernel->threads, items) * job->member_floats +
           (job->together ? v_floats : 0) + 2 * job->bias_sums;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    winograd_job job;
    *bytes = (size_t)measure(&job, kernel) * sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    winograd_job job;
    int threads = kernel->threads;
    (void)measure(&job, kernel);
    job.sums_of_dy = args->workspace;
    job.u = (float *)args->workspace + 2 * job.bias_sums;
    job.shared = job.u + job.u_floats;
    job.members = job.shared + (job.together ? POINTS * job.in_step : 0);
    int64_t pairs = job.in.blocks * job.out.blocks;
    if (kernel->pass == VDNN_BACKWARD_FILTER) {
        job.x = args->x[0];
        job.y = args->dy;
        job.dw = args->dw;
        job.bias_gradient = vdnn_conv_shape_bias(&job.s, args->dw);
        vdnn_cpu_threads_loop(threads, job.parts, sum_item, &job);
        vdnn_cpu_threads_loop(threads, pairs, write_gradient, &job);
        if (job.bias_gradient != NULL)
            write_bias(&job);
        return VDNN_OK;
    }
    job.w = args->w;
    job.x = job.turned ? args->dy : args->x[0];
    job.y = job.turned ? args->dx[0] : args->y;
    job.bias = job.turned ? NULL : vdnn_conv_shape_bias(&job.s, args->w);
    job.relu = !job.turned && kernel->layer->relu;
    vdnn_cpu_threads_loop(threads, pairs, transform_weights, &job);
    compute_parts(&job, threads);
    return VDNN_OK;
}

#define ROW(id, r)                                                                                 \
    VDNN_CONV_CPU_ROW(id, .variant = &(const int64_t){r}, .refusal = refusal,                      \
                      .workspace = workspace, .run = run)

ROW(winograd_3x3, 3);
ROW(winograd_5x5, 5);
ROW(winograd_7x7, 7);
