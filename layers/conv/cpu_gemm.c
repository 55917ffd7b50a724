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
    for (int d = 0; d < VDNN_SIDES; d++)
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

/* Where a row of columns overlaps its channel: positions inside, and the cell of position 0. */
typedef struct overlap {
    int64_t channel, first[VDNN_SIDES], end[VDNN_SIDES], origin;
} overlap;

static overlap overlap_of(const vdnn_conv_shape *s, int64_t row)
{
    const int64_t *kernel = s->kernel, *in = s->in;
    const int64_t taps = kernel[0] * kernel[1] * kernel[2];
    const int64_t tap[VDNN_SIDES] = {row / kernel[1] % kernel[0], row % kernel[1],
                                     row % taps / (kernel[0] * kernel[1])};
    int64_t at[VDNN_SIDES];
    overlap o = {.channel = row / taps};
    for (int d = 0; d < VDNN_SIDES; d++) {
        inside(s, d, tap[d], &o.first[d], &o.end[d]);
        at[d] = tap[d] * s->dilation[d] - s->pad[d];
    }
    o.origin =
        (at[VDNN_SIDE_D] * in[VDNN_SIDE_H] + at[VDNN_SIDE_H]) * in[VDNN_SIDE_W] + at[VDNN_SIDE_W];
    return o;
}

/* Rows of y, over all slices. */
static int64_t rows_of(const vdnn_conv_shape *s)
{
    return s->out[VDNN_SIDE_D] * s->out[VDNN_SIDE_H];
}

/* The rows [first, end) of the slice that row `next` of a piece is in, and those of them [from, to)
 * that the overlap has; the cell of x that the overlap's position 0 in that slice has. */
typedef struct band {
    int64_t first, end, from, to, origin;
} band;

static band band_of(const gemm_piece *piece, const overlap *o, int64_t next)
{
    const vdnn_conv_shape *s = &piece->job->s;
    const int64_t height = s->out[VDNN_SIDE_H], slice = next / height, top = slice * height;
    const int64_t end = vdnn_count_min(top + height, piece->first_row + piece->rows);
    const bool is_inside = slice >= o->first[VDNN_SIDE_D] && slice < o->end[VDNN_SIDE_D];
    band b = {.first = next - top, .end = end - top};
    b.from = is_inside ? vdnn_count_clamp(o->first[VDNN_SIDE_H], b.first, b.end) : b.end;
    b.to = is_inside ? vdnn_count_clamp(o->end[VDNN_SIDE_H], b.from, b.end) : b.end;
    b.origin = o->origin + slice * s->stride[VDNN_SIDE_D] * s->in[VDNN_SIDE_H] * s->in[VDNN_SIDE_W];
    return b;
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
    overlap o = overlap_of(s, row);
    int64_t channel = image * s->c + piece->group * s->group_c + o.channel;
    const float *from = piece->job->x + channel * s->in_cells;
    float *to = piece->columns + row * piece->cells + image * piece->band_cells;
    for (int64_t next = piece->first_row; next < piece->first_row + piece->rows;) {
        const band b = band_of(piece, &o, next);
        memset(to, 0, (size_t)((b.from - b.first) * width) * sizeof *to);
        to += (b.from - b.first) * width;
        for (int64_t h = b.from; h < b.to; h++, to += width)
            fill_line(s, &o,
                      from + b.origin + h * s->stride[0] * s->in[1] + o.first[1] * s->stride[1],
                      to);
        memset(to, 0, (size_t)((b.end - b.to) * width) * sizeof *to);
        to += (b.end - b.to) * width;
        next += b.end - b.first;
    }
}

/* Adds the cells of one row of columns and image to a channel of dx. */
static void gather_row(const gemm_piece *piece, int64_t row, const float *cells, float *to)
{
    const vdnn_conv_shape *s = &piece->job->s;
    const int64_t step = s->stride[1], width = s->out[1];
    const overlap o = overlap_of(s, row);
    for (int64_t next = piece->first_row; next < piece->first_row + piece->rows;) {
        const band b = band_of(piece, &o, next);
        for (int64_t h = b.from; h < b.to; h++) {
            const float *restrict from = cells + (h - b.first) * width;
            int64_t cell = b.origin + h * s->stride[0] * s->in[1];
            for (int64_t w = o.first[1]; w < o.end[1]; w++)
                to[cell + w * step] += from[w];
        }
        cells += (b.end - b.first) * width;
        next += b.end - b.first;
    }
}

/* Adds the rows of one channel and image to dx in the order of the taps; the first band initializes
 * it. */
static void gather_channel(void *argument, int64_t item, int member)
{
    (void)member;
    const gemm_piece *piece = argument;
    const vdnn_conv_shape *s = &piece->job->s;
    int64_t taps = s->taps / s->group_c;
    int64_t channel = item / piece->images, image = item % piece->images;
    float *to = piece->job->dx + (image * s->c + piece->group * s->group_c + channel) * s->in_cells;
    if (piece->first_row == 0)
        memset(to, 0, (size_t)s->in_cells * sizeof *to);
    for (int64_t row = channel * taps; row < (channel + 1) * taps; row++)
        gather_row(piece, row, piece->columns + row * piece->cells + image * piece->band_cells, to);
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
    const int64_t rows = rows_of(&job->s);
    for (int64_t row = 0; row < rows; row += job->band_rows) {
        for (int64_t group = 0; group < job->s.groups && status == VDNN_OK; group++) {
            gemm_piece piece = {.job = job,
                                .images = images,
                                .group = group,
                                .first_row = row,
                                .rows = vdnn_count_min(rows - row, job->band_rows),
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
    int64_t cells = rung->images * vdnn_count_pieces(rows_of(&s), rung->bands) * s.out[1];
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
    if (rung->bands > rows_of(&s))
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
    job.band_rows = vdnn_count_pieces(rows_of(&job.s), rung->bands);
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
