#include "layers/conv/conv_shape.h"
#include "layers/conv/conv_stage.h"
#include "layers/conv/conv_work.h"
#include "layers/count.h"
#include "layers/cpu/threads.h"
#include "layers/cpu/tile.h"
#include "runtime/base/heap.h"

#include <fftw3.h>
#include <pthread.h>
#include <string.h>

/* Convolution by Fourier transforms of T x T tiles (overlap-save), T = 16 or 32:
 *
 *     forward          Y(k, p)  = sum over c of conj W(k, c) X(c, p)      p: tiles of all images
 *     backward data    DX(c, p) = sum over k of W(k, c) DY(k, p)
 *     backward filter  DW(k, c) = sum over p of conj DY(k, p) X(c, p)
 *
 * one such product for each frequency. Two tiles are transformed as one complex tile, the second as
 * the imaginary part: since weights are real, both stay separate through products and the inverse,
 * and in DW the mixed terms fall into the imaginary part. Weights are separated into spectra of
 * real tiles, of which half of the frequencies suffice.
 *
 * 16 transforms run side by side in lanes, the number of a tile the fastest index, so that the
 * values of a frequency move in whole vectors. A column of the products is a pair of tiles; 48
 * columns are a chunk, the width of cpu_tile.
 *
 *     workspace   | w, plain | x, plain | y, plain |      staged, images of one part of the batch
 *                 | spectra of w or dw: frequency of half of them; imaginary, real; row; column |
 *                 | spectra of the one map: frequency; real, imaginary; channel; 48 columns |
 *                 | spectra of a block of the other map's channels: the same |
 *                 | for each thread: lanes, panels of a product |
 */

enum {
    LANES = 16,
    COLUMNS = VDNN_CPU_TILE_COLUMNS,
    ROWS = VDNN_CPU_TILE_ROWS,
    MOST_TILES = 2 * COLUMNS, /* in a chunk */
    CHANNELS = 2 * COLUMNS,   /* of the block of channels */
    DEPTH = 256,              /* products that are summed in registers before they go to memory */
    SMALLEST_KERNEL = 4,
    SMALLEST_TILE = 16
};

/* A map as tiles: tile t begins at cell first + t * step of each plane and takes `extent` cells;
 * the rest of it, and what is outside the plane, is zero. */
typedef struct fft_view {
    const vdnn_desc *desc;
    int64_t channels, size[2], first[2], step[2], extent[2];
} fft_view;

typedef struct fft_plans {
    fftwf_plan there, back;
} fft_plans;

typedef struct fft_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    const fft_plans *plans;
    vdnn_cpu_tile_add *add;
    vdnn_conv_shape s;
    vdnn_pass pass;
    int64_t t;        /* T */
    int64_t tiles[2]; /* of an image */
    int64_t images;   /* of a part of the batch */
    fft_view in, out; /* in: read and transformed completely; out: written, or the filter's dy */
    int64_t frequencies, half;    /* T * T; those with the second index up to T / 2 */
    int64_t lane_row, lane_plane; /* floats of a row and of a plane of lanes */
    int64_t weight_plane, weight_frequency;
    int64_t in_plane, in_frequency, out_plane, out_frequency;
    float *w_room, *x_room, *y_room, *weights, *in_spectra, *out_spectra, *members;
    int64_t member_floats;
    /* of the current chunk */
    const float *plain_in; /* images of the part */
    float *plain_out;
    int64_t first_tile, tile_count;
    int64_t first_channel, channel_count; /* the block of out's channels */
    const float *w;
    float *dw;
} fft_job;

static int64_t round_up(int64_t count, int64_t multiple)
{
    return vdnn_count_pieces(count, multiple) * multiple;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Offset of frequency or cell (i, j) of all lanes; the imaginary part is one plane further. A row
 * is longer than T lanes, or rows would share few sets of the cache. */
static int64_t lane_place(const fft_job *job, int64_t cell)
{
    return cell / job->t * job->lane_row + cell % job->t * LANES;
}

static float *lanes_of(const fft_job *job, int member)
{
    return job->members + member * job->member_floats;
}

static void transform(const fft_job *job, float *lanes)
{
    fftwf_execute_split_dft(job->plans->there, lanes, lanes + job->lane_plane, lanes,
                            lanes + job->lane_plane);
}

/* The inverse is the transform with real and imaginary parts exchanged. */
static void transform_back(const fft_job *job, float *lanes)
{
    fftwf_execute_split_dft(job->plans->back, lanes + job->lane_plane, lanes,
                            lanes + job->lane_plane, lanes);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* A tile of one channel: its plane, its first cell, and which of its cells are inside. */
typedef struct tile_place {
    int64_t plane, origin[2], low[2], high[2];
} tile_place;

/* Tile `tile` of the part. */
static tile_place place_tile(const fft_job *job, const fft_view *view, int64_t channel,
                             int64_t tile)
{
    int64_t per_image = job->tiles[0] * job->tiles[1], image = tile / per_image;
    int64_t at[2] = {tile % per_image / job->tiles[1], tile % job->tiles[1]};
    tile_place place = {.plane =
                            (image * view->channels + channel) * view->size[0] * view->size[1]};
    for (int d = 0; d < 2; d++) {
        place.origin[d] = view->first[d] + at[d] * view->step[d];
        place.low[d] = vdnn_count_clamp(-place.origin[d], 0, view->extent[d]);
        place.high[d] =
            vdnn_count_clamp(view->size[d] - place.origin[d], place.low[d], view->extent[d]);
    }
    return place;
}

/* One row of one tile of a plane into one lane. */
static void read_row(const fft_view *view, const tile_place *place, const float *plane, int64_t row,
                     float *lane)
{
    if (row < place->low[0] || row >= place->high[0])
        return;
    const float *from = plane + (place->origin[0] + row) * view->size[1] + place->origin[1];
    for (int64_t j = place->low[1]; j < place->high[1]; j++)
        lane[j * LANES] = from[j];
}

/* LANES pairs of tiles of a channel, from column `column` of the chunk. */
static void read_tiles(const fft_job *job, const fft_view *view, const float *plain,
                       int64_t channel, int64_t column, float *lanes)
{
    tile_place places[2 * LANES];
    int64_t count = vdnn_count_clamp(job->tile_count - 2 * column, 0, 2 * LANES);
    for (int64_t i = 0; i < count; i++)
        places[i] = place_tile(job, view, channel, job->first_tile + 2 * column + i);
    memset(lanes, 0, (size_t)(2 * job->lane_plane) * sizeof *lanes);
    for (int64_t row = 0; row < job->t; row++)
        for (int64_t i = 0; i < count; i++)
            read_row(view, &places[i], plain + places[i].plane, row,
                     lanes + i % 2 * job->lane_plane + row * job->lane_row + i / 2);
}

/* Writes the valid cells of the same tiles into the map; `skip` cells before them in each tile are
 * not valid. */
static void write_tiles(const fft_job *job, const float *lanes, int64_t channel, int64_t column)
{
    const fft_view *view = &job->out;
    float scale = 1.0F / (float)job->frequencies;
    int64_t count = vdnn_count_clamp(job->tile_count - 2 * column, 0, 2 * LANES);
    const int64_t *skip = job->pass == VDNN_BACKWARD_DATA ? job->s.kernel : NULL;
    for (int64_t i = 0; i < count; i++) {
        tile_place place = place_tile(job, view, channel, job->first_tile + 2 * column + i);
        float *plane = job->plain_out + place.plane;
        const float *lane = lanes + i % 2 * job->lane_plane + i / 2;
        if (skip != NULL)
            lane += (skip[0] - 1) * job->lane_row + (skip[1] - 1) * LANES;
        for (int64_t row = place.low[0]; row < place.high[0]; row++) {
            float *to = plane + (place.origin[0] + row) * view->size[1] + place.origin[1];
            for (int64_t j = place.low[1]; j < place.high[1]; j++)
                to[j] = scale * lane[row * job->lane_row + j * LANES];
        }
    }
}

/* ---- spectra of maps ------------------------------------------------------------------------- */

static void spread(const fft_job *job, const float *lanes, float *to, int64_t plane,
                   int64_t frequency)
{
    for (int64_t f = 0; f < job->frequencies; f++, to += frequency) {
        const float *from = lanes + lane_place(job, f);
        memcpy(to, from, LANES * sizeof *to);
        memcpy(to + plane, from + job->lane_plane, LANES * sizeof *to);
    }
}

static int64_t lane_groups(const fft_job *job)
{
    return vdnn_count_pieces(job->tile_count, (int64_t)2 * LANES);
}

static void transform_in(void *argument, int64_t item, int member)
{
    const fft_job *job = argument;
    int64_t groups = lane_groups(job), channel = item / groups, column = item % groups * LANES;
    float *lanes = lanes_of(job, member);
    read_tiles(job, &job->in, job->plain_in, channel, column, lanes);
    transform(job, lanes);
    spread(job, lanes, job->in_spectra + channel * COLUMNS + column, job->in_plane,
           job->in_frequency);
}

/* The filter's dy: a block of channels. */
static void transform_out(void *argument, int64_t item, int member)
{
    const fft_job *job = argument;
    int64_t groups = lane_groups(job), channel = item / groups, column = item % groups * LANES;
    float *lanes = lanes_of(job, member);
    read_tiles(job, &job->out, job->plain_out, job->first_channel + channel, column, lanes);
    transform(job, lanes);
    spread(job, lanes, job->out_spectra + channel * COLUMNS + column, job->out_plane,
           job->out_frequency);
}

static void write_out(void *argument, int64_t item, int member)
{
    const fft_job *job = argument;
    int64_t groups = lane_groups(job), channel = item / groups, column = item % groups * LANES;
    float *lanes = lanes_of(job, member);
    const float *from = job->out_spectra + channel * COLUMNS + column;
    for (int64_t f = 0; f < job->frequencies; f++, from += job->out_frequency) {
        float *to = lanes + lane_place(job, f);
        memcpy(to, from, LANES * sizeof *to);
        memcpy(to + job->lane_plane, from + job->out_plane, LANES * sizeof *to);
    }
    transform_back(job, lanes);
    write_tiles(job, lanes, job->first_channel + channel, column);
}

/* ---- spectra of weights ---------------------------------------------------------------------- */

/* The frequency of the opposite sign. */
static int64_t mirror(const fft_job *job, int64_t f)
{
    int64_t i = f / job->t, j = f % job->t;
    return (job->t - i) % job->t * job->t + (job->t - j) % job->t;
}

/* Frequencies of half number `h`. */
static int64_t frequency_of(const fft_job *job, int64_t h)
{
    int64_t width = job->t / 2 + 1;
    return h / width * job->t + h % width;
}

/* The half number of a frequency, or of its mirror: then the spectrum is the conjugate. */
static int64_t half_of(const fft_job *job, int64_t f, bool *mirrored)
{
    int64_t width = job->t / 2 + 1;
    *mirrored = f % job->t >= width;
    if (*mirrored)
        f = mirror(job, f);
    return f / job->t * width + f % job->t;
}

/* The weight at (row, depth) of the product, numbered through: w (k, c) in forward, else turned. */
static int64_t weight_place(const fft_job *job, int64_t number)
{
    int64_t depth = job->in.channels, row = number / depth;
    return job->pass == VDNN_FORWARD ? number : number % depth * job->s.c + row;
}

/* 2 * LANES weights: separate spectra of those in the real and of those in the imaginary parts. */
static void transform_weights(void *argument, int64_t item, int member)
{
    const fft_job *job = argument;
    float *lanes = lanes_of(job, member);
    int64_t number = item * 2 * LANES, taps = job->s.kernel[0] * job->s.kernel[1];
    int64_t count = vdnn_count_min(job->s.weight_count / taps - number, (int64_t)2 * LANES);
    memset(lanes, 0, (size_t)(2 * job->lane_plane) * sizeof *lanes);
    for (int64_t i = 0; i < count; i++) {
        const float *w = job->w + weight_place(job, number + i) * taps;
        float *lane = lanes + i / LANES * job->lane_plane + i % LANES;
        for (int64_t tap = 0; tap < taps; tap++)
            lane[tap / job->s.kernel[1] * job->lane_row + tap % job->s.kernel[1] * LANES] = w[tap];
    }
    transform(job, lanes);
    for (int64_t h = 0; h < job->half; h++) {
        int64_t f = frequency_of(job, h);
        const float *z = lanes + lane_place(job, f), *m = lanes + lane_place(job, mirror(job, f));
        const float *zi = z + job->lane_plane, *mi = m + job->lane_plane;
        float *imaginary = job->weights + h * job->weight_frequency + number;
        float *real = imaginary + job->weight_plane;
        for (int64_t l = 0; l < LANES; l++) {
            real[l] = 0.5F * (z[l] + m[l]);
            imaginary[l] = 0.5F * (zi[l] - mi[l]);
            real[LANES + l] = 0.5F * (zi[l] + mi[l]);
            imaginary[LANES + l] = 0.5F * (m[l] - z[l]);
        }
    }
}

/* 2 * LANES outputs of one input channel of dw, by the inverse of their spectra (c, k). */
static void write_weights(void *argument, int64_t item, int member)
{
    const fft_job *job = argument;
    float *lanes = lanes_of(job, member);
    int64_t row = round_up(job->s.k, COLUMNS),
            groups = vdnn_count_pieces(job->s.k, (int64_t)2 * LANES);
    int64_t c = item / groups, k = item % groups * 2 * LANES, width = job->s.kernel[1];
    int64_t pairs =
        vdnn_count_clamp(job->s.k - k - LANES, 0, LANES); /* others have no imaginary part */
    for (int64_t f = 0; f < job->frequencies; f++) {
        bool mirrored;
        const float *imaginary =
            job->weights + half_of(job, f, &mirrored) * job->weight_frequency + c * row + k;
        const float *real = imaginary + job->weight_plane;
        float sign = mirrored ? -1 : 1;
        float *z = lanes + lane_place(job, f), *zi = z + job->lane_plane;
        for (int64_t l = 0; l < LANES; l++) {
            z[l] = real[l] - (l < pairs ? sign * imaginary[LANES + l] : 0);
            zi[l] = sign * imaginary[l] + (l < pairs ? real[LANES + l] : 0);
        }
    }
    transform_back(job, lanes);
    float scale = 0.5F / (float)job->frequencies;
    for (int64_t i = 0; i < vdnn_count_min(job->s.k - k, (int64_t)2 * LANES); i++) {
        float *dw = job->dw + ((k + i) * job->s.c + c) * job->s.kernel[0] * width;
        const float *lane = lanes + i / LANES * job->lane_plane + i % LANES;
        for (int64_t tap = 0; tap < job->s.kernel[0] * width; tap++)
            dw[tap] = scale * lane[tap / width * job->lane_row + tap % width * LANES];
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* a and c of a product whose b is packed: c (rows, 48 * panels) += a (rows, depth) b. */
typedef struct fft_product {
    const float *a;
    int64_t a_row, rows, depth;
    const int64_t *place; /* of a: depth index d is at place[d / part] + d % part */
    int64_t part;
    const float *b;
    int64_t columns;
    float *c;
    int64_t c_row;
} fft_product;

static void multiply(vdnn_cpu_tile_add *add, const fft_product *p)
{
    ptrdiff_t offsets[DEPTH];
    for (int64_t first = 0; first < p->depth; first += DEPTH) {
        int64_t depth = vdnn_count_min(p->depth - first, DEPTH);
        for (int64_t d = 0; d < depth; d++)
            offsets[d] = p->place[(first + d) / p->part] + (first + d) % p->part;
        for (int64_t column = 0; column < p->columns; column += COLUMNS)
            for (int64_t row = 0; row < p->rows; row += ROWS)
                add(&(vdnn_cpu_tile){.a = p->a + row * p->a_row,
                                     .a_row = p->a_row,
                                     .a_offsets = offsets,
                                     .depth = depth,
                                     .b = p->b + first * p->columns + column,
                                     .b_row = p->columns,
                                     .c = p->c + row * p->c_row + column,
                                     .c_row = p->c_row},
                    (int)vdnn_count_min(p->rows - row, ROWS));
    }
}

static void scale_row(const float *from, float sign, int64_t count, float *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = sign * from[i];
}

/* One frequency of forward or backward data, a block of rows:
 *     real = Wi * (-s Xi) + Wr * Xr    imaginary = Wi * (s Xr) + Wr * Xi
 * with s = 1 for W and -1 for its conjugate. */
static void multiply_maps(void *argument, int64_t f, int member)
{
    const fft_job *job = argument;
    bool mirrored;
    int64_t h = half_of(job, f, &mirrored), depth = job->in.channels, count = depth * COLUMNS;
    float sign = mirrored == (job->pass == VDNN_FORWARD) ? 1 : -1;
    const float *in[2] = {job->in_spectra + f * job->in_frequency,
                          job->in_spectra + f * job->in_frequency + job->in_plane};
    float *panel = lanes_of(job, member) + 2 * job->lane_plane;
    float *out = job->out_spectra + f * job->out_frequency;
    const int64_t place[2] = {0, job->weight_plane};
    for (int part = 0; part < 2; part++) {
        scale_row(in[1 - part], part == 0 ? -sign : sign, count, panel);
        memcpy(panel + count, in[part], (size_t)count * sizeof *panel);
        float *c = out + part * job->out_plane;
        memset(c, 0, (size_t)(job->channel_count * COLUMNS) * sizeof *c);
        multiply(job->add, &(fft_product){.a = job->weights + h * job->weight_frequency +
                                               job->first_channel * depth,
                                          .a_row = depth,
                                          .rows = job->channel_count,
                                          .depth = 2 * depth,
                                          .place = place,
                                          .part = depth,
                                          .b = panel,
                                          .columns = COLUMNS,
                                          .c = c,
                                          .c_row = COLUMNS});
    }
}

/* Spectra of dy (channels, columns) transposed to (columns, channels). */
static void turn_out(const fft_job *job, const float *from, int64_t depth, int64_t columns,
                     float *to)
{
    for (int64_t k = 0; k < job->channel_count; k += VDNN_CPU_TILE_LINES)
        vdnn_cpu_tile_transpose(from + k * COLUMNS, COLUMNS, depth, to + k, columns);
}

/* One frequency of half of them, f, with its mirror m:
 *     real      += Xr Cr + Xi Ci         both at f and at m
 *     imaginary += Xi Cr - Xr Ci         at f, with the opposite sign at m */
static void multiply_filter(void *argument, int64_t h, int member)
{
    const fft_job *job = argument;
    int64_t depth = lane_groups(job) * LANES, columns = round_up(job->channel_count, COLUMNS);
    int64_t f[2] = {frequency_of(job, h), 0};
    f[1] = mirror(job, f[0]);
    float *panel = lanes_of(job, member) + 2 * job->lane_plane;
    int64_t block = depth * columns;
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < 2; part++)
            turn_out(job, job->out_spectra + f[side] * job->out_frequency + part * job->out_plane,
                     depth, columns, panel + (2 * side + part) * block);
    int64_t place[2][4];
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < 2; part++) {
            int64_t spectrum = f[side] * job->in_frequency;
            place[1][2 * side + part] = spectrum + part * job->in_plane;
            place[0][2 * side + part] = spectrum + (1 - part) * job->in_plane;
        }
    int64_t row = round_up(job->s.k, COLUMNS);
    /* weights hold the imaginary plane first */
    for (int plane = 1; plane >= 0; plane--) {
        if (plane == 0) {
            scale_row(panel + block, -1, block, panel + block);
            scale_row(panel + 2 * block, -1, block, panel + 2 * block);
        }
        multiply(job->add, &(fft_product){.a = job->in_spectra,
                                          .a_row = COLUMNS,
                                          .rows = job->s.c,
                                          .depth = 4 * depth,
                                          .place = place[plane],
                                          .part = depth,
                                          .b = panel,
                                          .columns = columns,
                                          .c = job->weights + h * job->weight_frequency +
                                               plane * job->weight_plane + job->first_channel,
                                          .c_row = row});
    }
}

/* ---- the batch, part after part -------------------------------------------------------------- */

static void run_chunk(fft_job *job)
{
    int threads = job->kernel->threads;
    bool filter = job->pass == VDNN_BACKWARD_FILTER;
    int64_t groups = lane_groups(job);
    vdnn_cpu_threads_loop(threads, job->in.channels * groups, transform_in, job);
    for (int64_t first = 0; first < job->out.channels; first += CHANNELS) {
        job->first_channel = first;
        job->channel_count = vdnn_count_min(job->out.channels - first, CHANNELS);
        if (filter) {
            vdnn_cpu_threads_loop(threads, job->channel_count * groups, transform_out, job);
            vdnn_cpu_threads_loop(threads, job->half, multiply_filter, job);
        } else {
            vdnn_cpu_threads_loop(threads, job->frequencies, multiply_maps, job);
            vdnn_cpu_threads_loop(threads, job->channel_count * groups, write_out, job);
        }
    }
}

static void run_part(fft_job *job, vdnn_conv_images images)
{
    const vdnn_layer *layer = job->kernel->layer;
    const vdnn_kernel_args *args = job->args;
    int threads = job->kernel->threads;
    bool data = job->pass == VDNN_BACKWARD_DATA, filter = job->pass == VDNN_BACKWARD_FILTER;
    void *in = data ? args->dy : args->x[0];
    void *out = data ? args->dx[0] : filter ? args->dy : args->y;
    float *in_room = data ? job->y_room : job->x_room, *out_room = data ? job->x_room : job->y_room;
    job->plain_in = vdnn_conv_stage_load(job->in.desc, in, images, in_room, threads);
    job->plain_out = vdnn_conv_stage_place(job->out.desc, out, images, out_room);
    if (filter)
        (void)vdnn_conv_stage_load(job->out.desc, out, images, out_room, threads);
    int64_t tiles = images.count * job->tiles[0] * job->tiles[1];
    for (int64_t first = 0; first < tiles; first += MOST_TILES) {
        job->first_tile = first;
        job->tile_count = vdnn_count_min(tiles - first, MOST_TILES);
        run_chunk(job);
    }
    if (filter) {
        vdnn_conv_stage_sum_bias(layer, args->dw, images, job->plain_out, threads);
        return;
    }
    if (!data)
        vdnn_conv_stage_finish(layer, args->w, images.count, job->plain_out, threads);
    vdnn_conv_stage_store(job->out.desc, out, images, job->plain_out, threads);
}

static void clear_weights(void *argument, int64_t h, int member)
{
    (void)member;
    const fft_job *job = argument;
    memset(job->weights + h * job->weight_frequency, 0,
           (size_t)job->weight_frequency * sizeof(float));
}

static void run_batch(fft_job *job)
{
    const vdnn_layer *layer = job->kernel->layer;
    int threads = job->kernel->threads;
    bool filter = job->pass == VDNN_BACKWARD_FILTER;
    if (filter)
        vdnn_cpu_threads_loop(threads, job->half, clear_weights, job);
    else {
        int64_t planes = job->s.c * job->s.k;
        job->w = vdnn_conv_stage_weight_load(layer, job->args->w, job->w_room, threads);
        vdnn_cpu_threads_loop(threads, vdnn_count_pieces(planes, (int64_t)2 * LANES),
                              transform_weights, job);
    }
    for (int64_t first = 0; first < job->s.n; first += job->images)
        run_part(job, (vdnn_conv_images){first, vdnn_count_min(job->s.n - first, job->images)});
    if (filter) {
        job->dw = vdnn_conv_stage_weight_place(layer, job->args->dw, job->w_room);
        vdnn_cpu_threads_loop(threads, job->s.c * vdnn_count_pieces(job->s.k, (int64_t)2 * LANES),
                              write_weights, job);
        vdnn_conv_stage_weight_store(layer, job->args->dw, job->dw, threads);
    }
}

/* ---- the functions of the rows --------------------------------------------------------------- */

/* T is the variant of a row. */
static int64_t tile_side(const vdnn_kernel *kernel)
{
    const int64_t *t = kernel->algorithm->variant;
    return *t;
}

/* Of one dimension; 0: the kernel leaves no valid cell of a tile. */
static int64_t points_of(int64_t size, int64_t t, int64_t kernel)
{
    int64_t step = t - kernel + 1;
    return step < 1 ? 0 : (size + step - 1) / step * t;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t t = tile_side(kernel);
    const char *why = vdnn_conv_stage_refusal(layer);
    if (why == NULL)
        why = vdnn_conv_shape_too_large(layer);
    if (why != NULL)
        return why;
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    if (s.groups != 1)
        return "it supports one group only";
    int64_t own = 1, half = 1; /* points transformed by tiles of this size, and of half of it */
    for (int d = 0; d < 2; d++) {
        if (s.stride[d] != 1 || s.dilation[d] != 1)
            return "it supports neither stride nor dilation";
        if (s.kernel[d] < SMALLEST_KERNEL)
            return "its kernel is too small to gain from a transform";
        if (s.kernel[d] > t / 2 + 1)
            return "its kernel is too large for its tiles";
        int64_t size = s.in[d] > s.out[d] ? s.in[d] : s.out[d];
        own *= points_of(size, t, s.kernel[d]);
        half *= points_of(size, t / 2, s.kernel[d]);
    }
    /* Below the smallest size plain sums win if half a tile covers everything. */
    if (half > 0 && half <= own && (t > SMALLEST_TILE || half == t / 2 * (t / 2)))
        return "tiles of half the size cover its maps with no more points";
    return NULL;
}

static fft_view view_of(const vdnn_desc *desc)
{
    return (fft_view){.desc = desc,
                      .channels = desc->dims[VDNN_C],
                      .size = {desc->dims[VDNN_H], desc->dims[VDNN_W]}};
}

static void cut_tiles(fft_job *job, const vdnn_layer *layer)
{
    const vdnn_conv_shape *s = &job->s;
    bool data = job->pass == VDNN_BACKWARD_DATA;
    job->in = view_of(data ? &layer->y : &layer->x[0]);
    job->out = view_of(data ? &layer->x[0] : &layer->y);
    for (int d = 0; d < 2; d++) {
        int64_t valid = job->t - s->kernel[d] + 1;
        job->in.first[d] = data ? s->pad[d] - (s->kernel[d] - 1) : -s->pad[d];
        job->in.step[d] = job->out.step[d] = job->out.extent[d] = valid;
        job->in.extent[d] = job->t;
        job->tiles[d] = vdnn_count_pieces(job->out.size[d], valid);
    }
    job->images = vdnn_count_clamp(MOST_TILES / (job->tiles[0] * job->tiles[1]), 1, s->n);
}

/* Sets everything but memory; returns the floats of workspace. */
static int64_t measure(fft_job *job, const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t t = tile_side(kernel);
    *job = (fft_job){.kernel = kernel,
                     .s = vdnn_conv_shape_of(layer),
                     .pass = kernel->pass,
                     .t = t,
                     .frequencies = t * t,
                     .half = t * (t / 2 + 1),
                     .lane_row = (t + 1) * LANES};
    cut_tiles(job, layer);
    job->lane_plane = t * job->lane_row;
    bool filter = kernel->pass == VDNN_BACKWARD_FILTER;
    int64_t block = vdnn_count_min(job->out.channels, CHANNELS), depth = job->in.channels;
    /* a frequency's length is not a power of two, or all would share few sets of the cache */
    job->weight_plane = filter ? job->s.c * round_up(job->s.k, COLUMNS)
                               : round_up(job->s.c * job->s.k, (int64_t)2 * LANES);
    job->weight_frequency = 2 * job->weight_plane + LANES;
    job->in_plane = depth * COLUMNS;
    job->in_frequency = 2 * job->in_plane + LANES;
    job->out_plane = round_up(block, VDNN_CPU_TILE_LINES) * COLUMNS;
    job->out_frequency = 2 * job->out_plane + LANES;
    job->member_floats = 2 * job->lane_plane +
                         (filter ? 4 * COLUMNS * round_up(block, COLUMNS) : 2 * depth * COLUMNS);
    return vdnn_conv_stage_weight_floats(layer) +
           vdnn_conv_stage_floats(&layer->x[0], job->images) +
           vdnn_conv_stage_floats(&layer->y, job->images) + job->half * job->weight_frequency +
           job->frequencies * (job->in_frequency + job->out_frequency) +
           kernel->threads * job->member_floats;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    fft_job job;
    *bytes = (size_t)measure(&job, kernel) * sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    fft_job job;
    const vdnn_layer *layer = kernel->layer;
    (void)measure(&job, kernel);
    job.args = args;
    job.plans = kernel->state;
    job.add = vdnn_cpu_tile_best();
    job.w_room = args->workspace;
    job.x_room = job.w_room + vdnn_conv_stage_weight_floats(layer);
    job.y_room = job.x_room + vdnn_conv_stage_floats(&layer->x[0], job.images);
    job.weights = job.y_room + vdnn_conv_stage_floats(&layer->y, job.images);
    job.in_spectra = job.weights + job.half * job.weight_frequency;
    job.out_spectra = job.in_spectra + job.frequencies * job.in_frequency;
    job.members = job.out_spectra + job.frequencies * job.out_frequency;
    run_batch(&job);
    return VDNN_OK;
}

/* FFTW creates and destroys plans one at a time; they run on any number of threads. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void *state)
{
    fft_plans *plans = state;
    if (plans == NULL)
        return;
    (void)pthread_mutex_lock(&planner);
    if (plans->there != NULL)
        fftwf_destroy_plan(plans->there);
    if (plans->back != NULL)
        fftwf_destroy_plan(plans->back);
    (void)pthread_mutex_unlock(&planner);
    vdnn_heap_free(plans);
}

static void make_plans(fft_plans *plans, const fft_job *job, float *lanes)
{
    int t = (int)job->t, row = (int)job->lane_row;
    const fftwf_iodim cells[2] = {{t, row, row}, {t, LANES, LANES}}, side_by_side = {LANES, 1, 1};
    float *other = lanes + job->lane_plane;
    (void)pthread_mutex_lock(&planner);
    plans->there = fftwf_plan_guru_split_dft(2, cells, 1, &side_by_side, lanes, other, lanes, other,
                                             FFTW_ESTIMATE);
    plans->back = fftwf_plan_guru_split_dft(2, cells, 1, &side_by_side, other, lanes, other, lanes,
                                            FFTW_ESTIMATE);
    (void)pthread_mutex_unlock(&planner);
}

static vdnn_status create(const vdnn_kernel *kernel, void **state)
{
    fft_job job;
    (void)measure(&job, kernel);
    fft_plans *plans = vdnn_heap_calloc(1, sizeof *plans);
    float *lanes = fftwf_malloc((size_t)(2 * job.lane_plane) * sizeof *lanes); /* to plan with */
    if (plans != NULL && lanes != NULL)
        make_plans(plans, &job, lanes);
    bool made = plans != NULL && plans->there != NULL && plans->back != NULL;
    fftwf_free(lanes);
    if (made) {
        *state = plans;
        return VDNN_OK;
    }
    destroy(plans);
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s layer '%s': no memory to plan transforms",
                            kernel->layer->def->type, kernel->layer->name);
}

#define ROW(id, t)                                                                                 \
    VDNN_CONV_CPU_ROW(id, .variant = &(const int64_t){t}, .work = vdnn_conv_fft_work, .tile = (t), \
                      .pictures_only = true, .refusal = refusal, .workspace = workspace,           \
                      .create = create, .destroy = destroy, .run = run)

ROW(fft_32, 32);
ROW(fft_16, 16);
