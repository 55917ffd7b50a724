#include "layers/conv/conv_shape.h"
#include "layers/conv/conv_stage.h"
#include "layers/count.h"
#include "layers/cpu/product.h"
#include "layers/cpu/threads.h"

#include <string.h>

/* im2col into the workspace, then one product per piece and group:
 *
 *     columns (taps, cells): row (c, i, j) is x[c] shifted by tap (i, j), zero in the padding
 *     forward          y (k, cells)  = w (k, taps) columns
 *     backward data    columns       = w^T dy, added up in dx by col2im
 *     backward filter  dw (k, taps) += dy columns^T, piece after piece
 *
 * A piece is a band of output rows of one image (less workspace), a whole image, or several images
 * (wider products where images are small). A 1 x 1 convolution without stride or padding reads x
 * itself as the columns.
 *
 *     workspace   | w, plain | x of the images, plain | y, plain | y side by side | columns |
 *
 * each only if it is needed: the first three if they are in another format, the fourth for several
 * images, whose cells are side by side in a product but not in y. */

/* The variant of a row: it divides the batch into bands of an image, or into that many images. */
typedef struct gemm_rung {
    int64_t bands, images;
} gemm_rung;

enum {
    ALIGNMENT_FLOATS = 16,
    LEAST_BAND_BYTES = 256 * 1024, /* columns below that gain nothing from more bands */
    WIDE_CELLS = 1024              /* nor do products as wide as that from a second image */
};

/* Floats, so that sums of workspaces fit their type. */
#define MOST_COLUMNS (INT64_C(1) << 38)

typedef struct gemm_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    vdnn_conv_shape s;
    const gemm_rung *rung;
    bool pointwise;
    int64_t band_rows;
    float *w_room, *x_room, *y_room, *wide_room, *columns_room; /* parts of the workspace */
    const float *w, *x, *dy;                                    /* plain, of the current images */
    float *dw, *y, *dx;
    float beta; /* of dw: 0 for the first piece */
} gemm_job;

/* A band of output rows of some images, and one group. */
typedef struct gemm_piece {
    const gemm_job *job;
    int64_t images, group, first_row, rows;
    int64_t band_cells, cells; /* of one image, of all */
    float *columns;
} gemm_piece;

static int64_t aligned(int64_t floats)
{
    return vdnn_count_pieces(floats, ALIGNMENT_FLOATS) * ALIGNMENT_FLOATS;
}

static bool is_pointwise(const vdnn_conv_shape *s)
{
    for (int d = 0; d < 2; d++)
        if (s->kernel[d] != 1 || s->stride[d] != 1 || s->pad[d] != 0)
            return false;
    return true;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The output positions [first, end) along dimension `d` whose tap lies inside the image. */
static void inside(const vdnn_conv_shape *s, int d, int64_t tap, int64_t *first, int64_t *end)
{
    int64_t origin = tap * s->dilation[d] - s->pad[d]; /* the cell that position 0 reads */
    int64_t low = origin >= 0 ? 0 : -origin, high = s->in[d] - 1 - origin;
    if (s->stride[d] > 1) { /* divisions cost as much as a short line */
        low = vdnn_count_pieces(low, s->stride[d]);
        high = high < 0 ? -1 : high / s->stride[d];
    }
    *first = vdnn_count_clamp(low, 0, s->out[d]);
    *end = vdnn_count_clamp(high + 1, *first, s->out[d]);
}

/* Where a row of columns overlaps its channel: positions inside, and the cell of position (0, 0).
 */
typedef struct overlap {
    int64_t channel, first[2], end[2], origin;
} overlap;

static overlap overlap_of(const gemm_piece *piece, int64_t row)
{
    const vdnn_conv_shape *s = &piece->job->s;
    int64_t taps = s->kernel[0] * s->kernel[1];
    int64_t tap[2] = {row % taps / s->kernel[1], row % s->kernel[1]};
    overlap o = {.channel = row / taps};
    for (int d = 0; d < 2; d++)
        inside(s, d, tap[d], &o.first[d], &o.end[d]);
    o.first[0] = vdnn_count_clamp(o.first[0], piece->first_row, piece->first_row + piece->rows);
    o.end[0] = vdnn_count_clamp(o.end[0], o.first[0], piece->first_row + piece->rows);
    o.origin =
        (tap[0] * s->dilation[0] - s->pad[0]) * s->in[1] + tap[1] * s->dilation[1] - s->pad[1];
    return o;
}

static void fill_line(const vdnn_conv_shape *s, const overlap *o, const float *from, float *line)
{
    int64_t inner = o->end[1] - o->first[1];
    memset(line, 0, (size_t)o->first[1] * sizeof *line);
    memset(line + o->end[1], 0, (size_t)(s->out[1] - o->end[1]) * sizeof *line);
    if (s->stride[1] == 1 && inner > 0)
        memcpy(line + o->first[1], from, (size_t)inner * sizeof *line);
    else
        for (int64_t w = 0; w < inner; w++)
            line[o->first[1] + w] = from[w * s->stride[1]];
}

/* The cells of one row and image. */
static void fill_row(void *argument, int64_t item, int member)
{
    (void)member;
    const gemm_piece *piece = argument;
    const vdnn_conv_shape *s = &piece->job->s;
    int64_t row = item / piece->images, image = item % piece->images, width = s->out[1];
    overlap o = overlap_of(piece, row);
    int64_t channel = image * s->c + piece->group * s->group_c + o.channel;
    const float *from = piece->job->x + channel * s->in_cells;
    float *to = piece->columns + row * piece->cells + image * piece->band_cells;
    int64_t above = o.first[0] - piece->first_row,
            below = piece->first_row + piece->rows - o.end[0];
    memset(to, 0, (size_t)(above * width) * sizeof *to);
    to += above * width;
    for (int64_t h = o.first[0]; h < o.end[0]; h++, to += width)
        fill_line(s, &o, from + o.origin + h * s->stride[0] * s->in[1] + o.first[1] * s->stride[1],
                  to);
    memset(to, 0, (size_t)(below * width) * sizeof *to);
}

/* Adds the rows of one channel and image to dx in the order of the taps; the first band initializes
 * it. */
static void gather_channel(void *argument, int64_t item, int member)
{
    (void)member;
    const gemm_piece *piece = argument;
    const vdnn_conv_shape *s = &piece->job->s;
    int64_t taps = s->kernel[0] * s->kernel[1], step = s->stride[1], width = s->out[1];
    int64_t channel = item / piece->images, image = item % piece->images;
    float *to = piece->job->dx + (image * s->c + piece->group * s->group_c + channel) * s->in_cells;
    if (piece->first_row == 0)
        memset(to, 0, (size_t)s->in_cells * sizeof *to);
    for (int64_t row = channel * taps; row < (channel + 1) * taps; row++) {
        overlap o = overlap_of(piece, row);
        const float *cells = piece->columns + row * piece->cells + image * piece->band_cells;
        for (int64_t h = o.first[0]; h < o.end[0]; h++) {
            const float *restrict from = cells + (h - piece->first_row) * width;
            int64_t cell = o.origin + h * s->stride[0] * s->in[1];
            for (int64_t w = o.first[1]; w < o.end[1]; w++)
                to[cell + w * step] += from[w];
        }
    }
}

/* ---- the other side: y or dy as one matrix --------------------------------------------------- */

/* One output channel of one image, between its image and the workspace. */
static void copy_in(void *argument, int64_t item, int member)
{
    (void)member;
    const gemm_piece *piece = argument;
    const vdnn_conv_shape *s = &piece->job->s;
    int64_t row = item / piece->images, image = item % piece->images;
    memcpy(piece->job->wide_room + row * piece->cells + image * s->out_cells,
           piece->job->dy + (image * s->k + piece->group * s->group_k + row) * s->out_cells,
           (size_t)s->out_cells * sizeof(float));
}

static void copy_out(void *argument, int64_t item, int member)
{
    (void)member;
    const gemm_piece *piece = argument;
    const vdnn_conv_shape *s = &piece->job->s;
    int64_t row = item / piece->images, image = item % piece->images;
    memcpy(piece->job->y + (image * s->k + piece->group * s->group_k + row) * s->out_cells,
           piece->job->wide_room + row * piece->cells + image * s->out_cells,
           (size_t)s->out_cells * sizeof(float));
}

static int64_t place_in_map(const gemm_piece *piece)
{
    const vdnn_conv_shape *s = &piece->job->s;
    return piece->group * s->group_k * s->out_cells + piece->first_row * s->out[1];
}

/* dy of the piece, and the distance of its rows. */
static const float *gradient_of(gemm_piece *piece, int64_t *row)
{
    const gemm_job *job = piece->job;
    if (job->rung->images == 1) {
        *row = job->s.out_cells;
        return job->dy + place_in_map(piece);
    }
    vdnn_cpu_threads_loop(job->kernel->threads, job->s.group_k * piece->images, copy_in, piece);
    *row = piece->cells;
    return job->wide_room;
}

/* ---- the passes, one piece ------------------------------------------------------------------- */

static const float *columns_of(gemm_piece *piece)
{
    const gemm_job *job = piece->job;
    if (job->pointwise)
        return job->x + piece->group * job->s.group_c * job->s.in_cells;
    vdnn_cpu_threads_loop(job->kernel->threads, job->s.taps * piece->images, fill_row, piece);
    return piece->columns;
}

static vdnn_status forward_piece(gemm_piece *piece)
{
    const gemm_job *job = piece->job;
    const vdnn_conv_shape *s = &job->s;
    bool apart = job->rung->images > 1;
    vdnn_status status = vdnn_cpu_product_compute(
        &(vdnn_cpu_product){.rows = s->group_k,
                            .columns = piece->cells,
                            .depth = s->taps,
                            .a = job->w + piece->group * s->group_k * s->taps,
                            .a_row = s->taps,
                            .b = columns_of(piece),
                            .b_row = piece->cells,
                            .c = apart ? job->wide_room : job->y + place_in_map(piece),
                            .c_row = apart ? piece->cells : s->out_cells});
    if (status == VDNN_OK && apart)
        vdnn_cpu_threads_loop(job->kernel->threads, s->group_k * piece->images, copy_out, piece);
    return status;
}

static vdnn_status backward_data_piece(gemm_piece *piece)
{
    const gemm_job *job = piece->job;
    const vdnn_conv_shape *s = &job->s;
    vdnn_cpu_product product = {.rows = s->taps,
                                .columns = piece->cells,
                                .depth = s->group_k,
                                .a = job->w + piece->group * s->group_k * s->taps,
                                .a_row = s->taps,
                                .a_turned = true,
                                .c = piece->columns,
                                .c_row = piece->cells};
    product.b = gradient_of(piece, &product.b_row);
    if (job->pointwise)
        product.c = job->dx + piece->group * s->group_c * s->in_cells;
    vdnn_status status = vdnn_cpu_product_compute(&product);
    if (status == VDNN_OK && !job->pointwise)
        vdnn_cpu_threads_loop(job->kernel->threads, s->group_c * piece->images, gather_channel,
                              piece);
    return status;
}

static vdnn_status backward_filter_piece(gemm_piece *piece)
{
    const gemm_job *job = piece->job;
    const vdnn_conv_shape *s = &job->s;
    vdnn_cpu_product product = {.rows = s->group_k,
                                .columns = s->taps,
                                .depth = piece->cells,
                                .b = columns_of(piece),
                                .b_row = piece->cells,
                                .b_turned = true,
                                .c = job->dw + piece->group * s->group_k * s->taps,
                                .c_row = s->taps,
                                .beta = job->beta};
    product.a = gradient_of(piece, &product.a_row);
    return vdnn_cpu_product_compute(&product);
}

static vdnn_status run_images(gemm_job *job, int64_t images)
{
    static vdnn_status (*const passes[VDNN_PASS_COUNT])(gemm_piece *) = {
        [VDNN_FORWARD] = forward_piece,
        [VDNN_BACKWARD_DATA] = backward_data_piece,
        [VDNN_BACKWARD_FILTER] = backward_filter_piece,
    };
    vdnn_status status = VDNN_OK;
    for (int64_t row = 0; row < job->s.out[0]; row += job->band_rows) {
        for (int64_t group = 0; group < job->s.groups && status == VDNN_OK; group++) {
            gemm_piece piece = {.job = job,
                                .images = images,
                                .group = group,
                                .first_row = row,
                                .rows = vdnn_count_min(job->s.out[0] - row, job->band_rows),
                                .columns = job->columns_room};
            piece.band_cells = piece.rows * job->s.out[1];
            piece.cells = images * piece.band_cells;
            status = passes[job->kernel->pass](&piece);
        }
        job->beta = 1;
    }
    return status;
}

/* ---- the passes, the whole batch ------------------------------------------------------------- */

static vdnn_status run_part(gemm_job *job, vdnn_conv_images images)
{
    const vdnn_layer *layer = job->kernel->layer;
    const vdnn_kernel_args *args = job->args;
    const vdnn_desc *x = &layer->x[0], *y = &layer->y;
    int threads = job->kernel->threads;
    vdnn_pass pass = job->kernel->pass;
    if (pass == VDNN_BACKWARD_DATA)
        job->dx = vdnn_conv_stage_place(x, args->dx[0], images, job->x_room);
    else
        job->x = vdnn_conv_stage_load(x, args->x[0], images, job->x_room, threads);
    if (pass == VDNN_FORWARD)
        job->y = vdnn_conv_stage_place(y, args->y, images, job->y_room);
    else
        job->dy = vdnn_conv_stage_load(y, args->dy, images, job->y_room, threads);
    VDNN_TRY(run_images(job, images.count));
    if (pass == VDNN_FORWARD) {
        vdnn_conv_stage_finish(layer, args->w, images.count, job->y, threads);
        vdnn_conv_stage_store(y, args->y, images, job->y, threads);
    } else if (pass == VDNN_BACKWARD_DATA)
        vdnn_conv_stage_store(x, args->dx[0], images, job->dx, threads);
    else
        vdnn_conv_stage_sum_bias(layer, args->dw, images, job->dy, threads);
    return VDNN_OK;
}

static vdnn_status run_batch(gemm_job *job)
{
    const vdnn_layer *layer = job->kernel->layer;
    const vdnn_kernel_args *args = job->args;
    int threads = job->kernel->threads;
    bool filter = job->kernel->pass == VDNN_BACKWARD_FILTER;
    if (filter)
        job->dw = vdnn_conv_stage_weight_place(layer, args->dw, job->w_room);
    else
        job->w = vdnn_conv_stage_weight_load(layer, args->w, job->w_room, threads);
    vdnn_status status = VDNN_OK;
    for (int64_t first = 0; first < job->s.n && status == VDNN_OK; first += job->rung->images)
        status = run_part(
            job, (vdnn_conv_images){first, vdnn_count_min(job->s.n - first, job->rung->images)});
    if (status == VDNN_OK && filter)
        vdnn_conv_stage_weight_store(layer, args->dw, job->dw, threads);
    return status;
}

/* ---- the functions of the rows --------------------------------------------------------------- */

/* Sizes of the workspace's parts, in floats. */
typedef struct gemm_parts {
    int64_t w, x, y, wide, columns;
} gemm_parts;

static bool reads_x_as_columns(const gemm_rung *rung, const vdnn_conv_shape *s)
{
    return rung->images == 1 && is_pointwise(s);
}

static gemm_parts parts_of(const gemm_rung *rung, const vdnn_layer *layer)
{
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    int64_t cells = rung->images * vdnn_count_pieces(s.out[0], rung->bands) * s.out[1];
    return (gemm_parts){
        .w = vdnn_conv_stage_weight_floats(layer),
        .x = vdnn_conv_stage_floats(&layer->x[0], rung->images),
        .y = vdnn_conv_stage_floats(&layer->y, rung->images),
        .wide = rung->images == 1 ? 0 : aligned(s.group_k * cells),
        .columns = reads_x_as_columns(rung, &s) ? 0 : s.taps * cells,
    };
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const gemm_rung *rung = kernel->algorithm->variant;
    const vdnn_layer *layer = kernel->layer;
    const char *why = vdnn_conv_stage_refusal(layer);
    if (why != NULL)
        return why;
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    if (rung->images > s.n)
        return "the batch has fewer images than it takes at once";
    if (rung->images > 1 && s.out_cells >= WIDE_CELLS)
        return "one image alone makes the product wide enough";
    if (rung->bands > s.out[0])
        return "there are fewer rows than bands";
    int64_t columns;
    if (__builtin_mul_overflow(s.taps, rung->images * s.out_cells, &columns) ||
        columns > MOST_COLUMNS)
        return "the columns of one of its images are larger than any memory";
    if (rung->bands > 1 && reads_x_as_columns(rung, &s))
        return "it needs no columns for a 1 x 1 kernel";
    if (rung->bands > 1 && parts_of(rung, layer).columns < LEAST_BAND_BYTES / (int)sizeof(float))
        return "its columns are small even in one piece";
    return NULL;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    gemm_parts parts = parts_of(kernel->algorithm->variant, kernel->layer);
    *bytes = (size_t)(parts.w + parts.x + parts.y + parts.wide + parts.columns) * sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const gemm_rung *rung = kernel->algorithm->variant;
    gemm_parts parts = parts_of(rung, kernel->layer);
    gemm_job job = {.kernel = kernel,
                    .args = args,
                    .s = vdnn_conv_shape_of(kernel->layer),
                    .rung = rung,
                    .w_room = args->workspace};
    job.pointwise = reads_x_as_columns(rung, &job.s);
    job.band_rows = vdnn_count_pieces(job.s.out[0], rung->bands);
    job.x_room = job.w_room + parts.w;
    job.y_room = job.x_room + parts.x;
    job.wide_room = job.y_room + parts.y;
    job.columns_room = job.wide_room + parts.wide;
    int before = vdnn_cpu_threads_begin(kernel->threads);
    vdnn_status status = run_batch(&job);
    vdnn_cpu_threads_end(before);
    return status;
}

/* A product's bits are those of its shape, which is the same for one image of any batch, and for
 * one group of any. */
#define ROW(id, bands, images, by_image, reference)                                                \
    VDNN_CONV_CPU_ROW(id, .batch_invariant = by_image,                                             \
                      .channel_invariant = 1U << VDNN_BACKWARD_DATA, .multiplies_all = true,       \
                      .is_reference = reference, .variant = &(const gemm_rung){bands, images},     \
                      .refusal = refusal, .workspace = workspace, .run = run)

#define DATA_PASSES (1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA)

ROW(gemm_x8, 1, 8, 0, false);
ROW(gemm, 1, 1, DATA_PASSES, true);
ROW(gemm_4, 4, 1, DATA_PASSES, false);
ROW(gemm_16, 16, 1, DATA_PASSES, false);
