#include "layers/conv/conv_work.h"
#include "layers/conv/cpu_winograd/data.h"
#include "layers/conv/cpu_winograd/filter.h"

/* Winograd's minimal filtering of R x R kernels by tiles of 8 x 8 points, F(M x M, R x R) with M =
 * 9 - R (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016):
 *
 *     forward          y  = A^T [ sum over c of      (G w G^T) o (B^T x B)   ] A
 *     backward data    dx = the same of dy, with turned weights and c and k exchanged
 *     backward filter  dw = G^T [ sum over tiles of  (A dy A^T) o (B^T x B)  ] G
 *
 * In one dimension the points are 0, 1, -1, 2, -2, 1/2, -1/2 and infinity: A and G evaluate
 * polynomials of M and R coefficients there, G with the weights of interpolation; B^T is the
 * transpose of interpolation. An output costs 64 / M^2 products instead of R^2.
 *
 * Maps (f32, or bf16 that is computed in f32) and weights are in blocks of 16 channels, and a
 * vector is one cell of a block. Tiles are numbered through all images. A part of them is
 * transformed, multiplied and transformed back by one thread, so that both sides of its products
 * stay in the L2 cache:
 *
 *     u     slice of 2 blocks of outputs; point; input channel; 32 outputs        all, in workspace
 *     v     point; block of input channels; tile; 16                              of a part
 *     m     point; block of the slice; tile; 16                                   of a part
 *
 * If u is too large to be read once for each part, threads share one part: its v, of more tiles, is
 * in the last-level cache, and each thread takes slices of outputs.
 *
 * Backward filter keeps the sums of 64 input channels by 32 output channels for all points in the
 * L2 cache while it reads the tiles: an item for each such pair and each slice of the tiles, whose
 * sums are added in order at the end. If there are fewer tiles than channels, so that the points of
 * all tiles take less memory than all sums, each tile is transformed only once: v of all inputs
 * into the workspace, d of groups of outputs into the last-level cache; an item's sums go to the
 * gradient from the L2 cache.
 *
 * Each value is one chain of sums that depends on the shape alone: bits do not depend on the thread
 * count. */

enum { LANES = VDNN_WINOGRAD_LANES, SIDE = VDNN_WINOGRAD_SIDE };

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
    vdnn_dtype maps = layer->x[0].dtype;
    if ((maps != VDNN_F32 && maps != VDNN_BF16) || layer->y.dtype != maps)
        return "it computes on f32 or bf16 only";
    if (layer->params[0].layout != VDNN_PARAM_BLOCKED)
        return "it supports only nChw16c maps and one group";
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    for (int d = 0; d < 2; d++) {
        if (s.kernel[d] != r)
            return "it supports another kernel size only";
        if (s.stride[d] != 1 || s.dilation[d] != 1)
            return "it supports neither stride nor dilation";
    }
    if (vdnn_winograd_kernels_of(r, maps) == NULL)
        return "it requires AVX-512";
    return vdnn_conv_shape_too_large(layer);
}

static vdnn_winograd_view view_of(const vdnn_desc *desc)
{
    return (vdnn_winograd_view){.channels = desc->dims[VDNN_C],
                                .blocks = vdnn_count_pieces(desc->dims[VDNN_C], LANES),
                                .size = {desc->dims[VDNN_H], desc->dims[VDNN_W]}};
}

/* Sets everything but memory; returns the floats of workspace. */
static int64_t measure(vdnn_winograd_job *job, const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t r = kernel_side(kernel);
    *job = (vdnn_winograd_job){.kernels = vdnn_winograd_kernels_of(r, layer->x[0].dtype),
                               .cell_bytes = LANES * vdnn_dtype_bytes(layer->x[0].dtype),
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
    job->slices = vdnn_count_pieces(job->out.blocks, VDNN_WINOGRAD_SLICE);
    if (kernel->pass == VDNN_BACKWARD_FILTER)
        vdnn_winograd_filter_measure(job);
    else
        vdnn_winograd_data_measure(job, kernel->threads);
    int64_t members = vdnn_count_min(kernel->threads, job->items);
    return 2 * job->bias_sums + job->u_floats + job->shared_floats + members * job->member_floats;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    vdnn_winograd_job job;
    *bytes = (size_t)measure(&job, kernel) * sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_winograd_job job;
    int threads = kernel->threads;
    (void)measure(&job, kernel);
    job.sums_of_dy = args->workspace;
    job.u = (float *)args->workspace + 2 * job.bias_sums;
    job.shared = job.u + job.u_floats;
    job.members = job.shared + job.shared_floats;
    if (kernel->pass == VDNN_BACKWARD_FILTER) {
        job.x = args->x[0];
        job.y = args->dy;
        job.dw = args->dw;
        job.bias_gradient = vdnn_conv_shape_bias(&job.s, args->dw);
        vdnn_winograd_filter_run(&job, threads);
        return VDNN_OK;
    }
    job.w = args->w;
    job.x = job.turned ? args->dy : args->x[0];
    job.y = job.turned ? args->dx[0] : args->y;
    job.bias = job.turned ? NULL : vdnn_conv_shape_bias(&job.s, args->w);
    job.relu = !job.turned && kernel->layer->epilogue == VDNN_EPILOGUE_RELU;
    vdnn_winograd_data_run(&job, threads);
    return VDNN_OK;
}

#define ROW(id, r)                                                                                 \
    VDNN_CONV_CPU_ROW(id, .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,        \
                      .channel_invariant = 1U << VDNN_FORWARD, .variant = &(const int64_t){r},     \
                      .work = vdnn_conv_winograd_work, .tile = SIDE + 1 - (r),                     \
                      .pictures_only = true, .refusal = refusal, .workspace = workspace,           \
                      .run = run)

ROW(winograd_3x3, 3);
ROW(winograd_5x5, 5);
ROW(winograd_7x7, 7);
