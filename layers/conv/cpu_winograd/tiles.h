#ifndef VDNN_LAYERS_CONV_CPU_WINOGRAD_TILES_H
#define VDNN_LAYERS_CONV_CPU_WINOGRAD_TILES_H

/* A pass of Winograd's convolution by tiles over a layer (winograd.c has the formulas), and the
 * tiles of its maps: what forward and backward data (data.h) and backward filter (filter.h) share.
 *
 * Invariant: a job's offsets depend on shape and thread count only, its sums on the shape only.
 * Threads: a job belongs to one thread and its team.
 *
 *     vdnn_winograd_load(&job, job.kernels->read, &job.in, job.x, first_block, blocks,
 *                        first, count, points, step);
 */

#include "layers/conv/conv_shape.h"
#include "layers/conv/cpu_winograd/kernels.h"
#include "layers/count.h"

/* A map as tiles: tile t begins at cell t * M - shift of each plane. */
typedef struct vdnn_winograd_view {
    int64_t channels, blocks, size[2], shift[2];
} vdnn_winograd_view;

/* One pass over one layer. */
typedef struct vdnn_winograd_job {
    const vdnn_winograd_kernels *kernels;
    vdnn_conv_shape s;
    bool turned; /* backward data */
    vdnn_winograd_view in, out;
    int64_t r, m;                      /* R, M */
    int64_t tiles[2], all;             /* of an image, of all images */
    int64_t slices;                    /* of outputs */
    bool together;                     /* threads share a part; of a filter, all tiles */
    int64_t part, parts;               /* tiles of a part */
    int64_t shared_first;              /* tile of the current shared part */
    int64_t in_step, out_step;         /* floats from one point to the next: v, m */
    int64_t tile_slices, input_slices; /* of backward filter */
    int64_t group, group_first; /* slices of outputs at a time; the first of the current ones */
    int64_t items;              /* of the loop that computes */
    int64_t u_floats, shared_floats, member_floats, bias_sums;
    size_t cell_bytes; /* of a block of maps */
    const void *x;
    void *y; /* dy is read there */
    const float *w, *bias;
    float *dw, *bias_gradient;
    bool relu;
    float *u, *members, *shared; /* shared: v; of a filter, v and the d of a group */
    double *sums_of_dy;          /* tile slice; channel, padded */
} vdnn_winograd_job;

/* Points are an odd number of vectors apart, or they would share few sets of the cache. */
static inline int64_t vdnn_winograd_step(int64_t vectors)
{
    return (vectors | 1) * VDNN_WINOGRAD_LANES;
}

static inline int64_t vdnn_winograd_lanes_left(int64_t channels, int64_t block)
{
    return vdnn_count_min(channels - block * VDNN_WINOGRAD_LANES, VDNN_WINOGRAD_LANES);
}

static inline int64_t vdnn_winograd_slice_blocks(int64_t blocks, int64_t slice)
{
    return vdnn_count_min(blocks - slice * VDNN_WINOGRAD_SLICE, VDNN_WINOGRAD_SLICE);
}

/* Tile number `tile` of one block of a map. */
vdnn_winograd_tile vdnn_winograd_tile_at(const vdnn_winograd_job *job,
                                         const vdnn_winograd_view *view, const void *map,
                                         int64_t block, int64_t tile);
/* Some tiles of some blocks to `points`: point; block; tile. */
void vdnn_winograd_load(const vdnn_winograd_job *job, vdnn_winograd_tile_kernel *kernel,
                        const vdnn_winograd_view *view, const void *map, int64_t first_block,
                        int64_t blocks, int64_t first, int64_t count, float *points, int64_t step);

#endif
