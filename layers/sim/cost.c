#include "layers/sim/cost.h"

#include "runtime/base/status.h"

#include <math.h>
#include <stddef.h>

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const algorithm_texts[] = {
#define X(upper, lower) #lower,
    VDNN_COST_ALGORITHM_TABLE(X)
#undef X
};

const char *vdnn_cost_algorithm_text(vdnn_cost_algorithm algorithm)
{
    return algorithm_texts[algorithm];
}

static const vdnn_cost_key keys[] = {
#define X(key, low, high, required) {#key, offsetof(vdnn_cost_rate, key), low, high},
    VDNN_COST_RATE_TABLE(X)
#undef X
};

size_t vdnn_cost_key_count(void)
{
    return sizeof keys / sizeof *keys;
}

const vdnn_cost_key *vdnn_cost_key_at(size_t i)
{
    return &keys[i];
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The sizes of a convolution for the algorithms, per group. Sizes are doubles because their
 * products are; all are whole numbers. */
typedef struct problem {
    const vdnn_cost_model *model;
    const vdnn_cost_rate *rate;
    const vdnn_cost_shape *shape;
    vdnn_pass pass;
    double flops_per_second; /* peak of the units that compute it */
    bool gathers;            /* backward data with stride 1 in no other way */
    double groups, n, c, k;
    double kernel[2], output[2];
    double taps, x, y;                /* of a filter's plane; pixels of one map */
    double x_bytes, y_bytes, w_bytes; /* of all groups */
} problem;

enum { H, W };

static double steps(double whole, double step)
{
    return ceil(whole / step);
}

static double padded(double whole, double step)
{
    return steps(whole, step) * step;
}

static int64_t output_size(const vdnn_cost_shape *shape, int axis)
{
    int64_t reach = shape->dilation[axis] * (shape->kernel[axis] - 1) + 1;
    int64_t room = shape->image[axis] + 2 * shape->pad[axis] - reach;
    return room < 0 ? 0 : room / shape->stride[axis] + 1;
}

static bool takes_channels(const vdnn_cost_model *model, int64_t c, int64_t k)
{
    int64_t multiple = model->channel_multiple;
    return multiple == 0 || (c % multiple == 0 && k % multiple == 0);
}

static problem problem_of(const vdnn_cost_model *model, const vdnn_cost_shape *shape,
                          vdnn_pass pass, vdnn_cost_algorithm algorithm)
{
    int64_t c = shape->c / shape->groups, k = shape->k / shape->groups;
    bool plain = !takes_channels(model, c, k);
    problem p = {
        .model = model,
        .rate = plain ? &model->plain_rates[algorithm][pass] : &model->rates[algorithm][pass],
        .flops_per_second = plain ? model->plain_flops_per_second : model->flops_per_second,
        .gathers = model->gathers && !plain,
        .shape = shape,
        .pass = pass,
        .groups = (double)shape->groups,
        .n = (double)shape->n,
        .c = (double)c,
        .k = (double)k,
        .kernel = {(double)shape->kernel[H], (double)shape->kernel[W]},
        .output = {(double)output_size(shape, H), (double)output_size(shape, W)}};
    double bytes = (double)shape->element_bytes * p.groups;
    p.taps = p.kernel[H] * p.kernel[W];
    p.x = (double)shape->image[H] * (double)shape->image[W];
    p.y = p.output[H] * p.output[W];
    p.x_bytes = bytes * p.n * p.c * p.x;
    p.y_bytes = bytes * p.n * p.k * p.y;
    p.w_bytes = bytes * p.c * p.k * p.taps;
    if (plain) {
        int64_t multiple =
            model->padded_multiple > 0 ? model->padded_multiple : model->channel_multiple;
        p.c = padded(p.c, (double)multiple);
        p.k = padded(p.k, (double)multiple);
    }
    return p;
}

/* ---- matrix products ------------------------------------------------------------------------- */

/* `count` products (rows x inner) by (inner x columns). */
typedef struct product {
    double rows, columns, inner, count;
    double flops;                 /* of one multiply-add: 2, complex 8 */
    double row_side, column_side; /* of the largest tile; narrower ones halve them */
    int row_halvings, column_halvings;
    bool split; /* the inner dimension may be shared by several blocks, whose sums are added */
} product;

static const double inner_step = 8;    /* of a tile's loop */
static const double least_split = 512; /* a block's inner steps, below which it is not shared */

static double traffic_seconds(const problem *p, double bytes)
{
    return bytes / (p->model->bytes_per_second * p->rate->memory_efficiency);
}

static double blocks_seconds(const problem *p, const product *m, int row_halvings,
                             int column_halvings, double parts)
{
    const vdnn_cost_rate *rate = p->rate;
    double processors = (double)p->model->multiprocessors;
    double rows = ldexp(m->row_side, -row_halvings);
    double columns = ldexp(m->column_side, -column_halvings);
    double blocks = steps(m->rows, rows) * steps(m->columns, columns) * m->count * parts;
    double busiest = steps(blocks, processors);
    double inner = padded(steps(m->inner, parts), inner_step) + rate->fill;
    double speed = p->flops_per_second / processors * rate->efficiency *
                   pow(rate->narrow, row_halvings + column_halvings);
    double wait = busiest > 1 ? 1 : 1 / rate->alone;
    double added = parts > 1 ? 2 * 4 * m->rows * m->columns * m->count * parts : 0;
    return busiest * wait * m->flops * rows * columns * inner / speed +
           added / (p->model->bytes_per_second * rate->memory_efficiency);
}

/* The best tile and the best split, which the library's heuristics are assumed to find. */
static double product_seconds(const problem *p, const product *m)
{
    double best = (double)INFINITY;
    for (int i = 0; i <= m->row_halvings; i++)
        for (int j = 0; j <= m->column_halvings; j++)
            for (double parts = 1; parts < 2 || (m->split && m->inner / parts >= least_split);
                 parts *= 2)
                best = fmin(best, blocks_seconds(p, m, i, j, parts));
    return best;
}

/* Arithmetic and traffic together: a part of the shorter is hidden by the longer. */
static double joint_seconds(const problem *p, double arithmetic, double bytes)
{
    double traffic = traffic_seconds(p, bytes);
    return arithmetic + traffic - p->rate->overlap * fmin(arithmetic, traffic);
}

/* Each map and the filters, moved once. */
static double maps_bytes(const problem *p)
{
    return p->x_bytes + p->y_bytes + p->w_bytes;
}

/* ---- as a matrix product of filters and patches ---------------------------------------------- */

enum { TILE_SIDE = 128, TILE_HALVINGS = 2 };

static int halvings_down_to(int64_t narrowest)
{
    int halvings = 0;
    while (halvings < TILE_HALVINGS && TILE_SIDE >> (halvings + 1) >= narrowest)
        halvings++;
    return halvings;
}

/* Filters in tiles of 128, 64 or 32, unless the narrowest is wider, by 128 outputs, or by 128 or 64
 * taps. */
static product patches_product(const problem *p)
{
    product m = {.count = p->groups,
                 .flops = 2,
                 .row_side = TILE_SIDE,
                 .column_side = TILE_SIDE,
                 .row_halvings = halvings_down_to(p->model->narrowest_tile)};
    switch (p->pass) {
    case VDNN_FORWARD:
        m.rows = p->k, m.columns = p->n * p->y, m.inner = p->c * p->taps;
        m.split = p->model->splits_forward;
        break;
    case VDNN_BACKWARD_DATA:
        m.rows = p->c, m.columns = p->n * p->x, m.inner = p->k * p->taps;
        break;
    default:
        m.rows = p->k, m.columns = p->c * p->taps, m.inner = p->n * p->y, m.split = true;
        m.column_halvings = 1;
    }
    return m;
}

static bool is_strided(const vdnn_cost_shape *shape)
{
    return shape->stride[H] != 1 || shape->stride[W] != 1;
}

/* Backward data the other way round: a product for each output, whose terms are added up in dx. It
 * wastes nothing if few channels would not fill a tile. What a stride skips is cleared first, and
 * with a 1 x 1 kernel whole rows are computed, unless the card's library knows better. */
static double scatter_seconds(const problem *p)
{
    product m = patches_product(p);
    m.rows = p->c * p->taps, m.columns = p->n * p->y, m.inner = p->k;
    double scattered = m.rows * m.columns * m.count * (double)p->shape->element_bytes;
    double skipped = is_strided(p->shape) ? p->rate->skipped : 0;
    if (p->taps <= 1)
        m.columns *= 1 + skipped * (double)(p->shape->stride[W] - 1);
    return joint_seconds(p, product_seconds(p, &m),
                         maps_bytes(p) + p->rate->transfers * scattered) +
           skipped * traffic_seconds(p, p->x_bytes);
}

/* In backward filter the inner dimension is the pixels, and both factors lie along it: of each map
 * a tile loads short pieces, and when it comes to the next one the cache has lost their line. Tiles
 * that load the same maps at the same time share the lines; those of one tile alone are loaded
 * again, x without the pixels that a stride skips. DeepBench's maps of 64 channels by 64 filters of
 * 1 x 1 move at 90 GB/s on a Titan X (Pascal), of 480; fitted, the maps of one tile move 1.6 to 3.9
 * times, on five cards. */
static double reloaded_bytes(const problem *p, const product *m)
{
    if (p->pass != VDNN_BACKWARD_FILTER)
        return 0;
    double met = fmin(1, p->taps * p->y / p->x);
    double x = p->x_bytes * met / steps(m->rows, m->row_side);
    double y = p->y_bytes / steps(m->columns, m->column_side);
    return p->rate->reloads * (x + y);
}

/* Of the rows of x, those that no filter meets. DeepBench's 256 channels of 56 x 56, by 1 x 1 with
 * stride 2 to 128, take 16 us on a V100 in f16: all of them would move at 900 GB/s, its peak. */
static double skipped_bytes(const problem *p)
{
    double met = fmin(1, p->kernel[H] * p->output[H] / (double)p->shape->image[H]);
    return p->model->skips_rows ? (1 - met) * p->x_bytes : 0;
}

static double implicit_seconds(const problem *p)
{
    product m = patches_product(p);
    double bytes = maps_bytes(p) + reloaded_bytes(p, &m) - skipped_bytes(p);
    double gathered = joint_seconds(p, product_seconds(p, &m), bytes);
    if (p->pass != VDNN_BACKWARD_DATA)
        return gathered;
    if (is_strided(p->shape))
        return scatter_seconds(p);
    return p->gathers ? gathered : fmin(gathered, scatter_seconds(p));
}

static double no_workspace(const problem *p)
{
    (void)p;
    return 0;
}

/* The position of each tap of each output in its map. */
static double precomputed_workspace(const problem *p)
{
    return 4 * p->taps * p->y;
}

static double patches_workspace(const problem *p)
{
    return (double)p->shape->element_bytes * p->c * p->taps * p->y;
}

/* One image after the other: its patches are written out, then multiplied. */
static double explicit_seconds(const problem *p)
{
    product m = patches_product(p);
    m.columns = p->y, m.count = 1;
    double images = p->n * p->groups;
    double patches = 2 * images * patches_workspace(p);
    return images * 2 * p->model->launch_seconds +
           joint_seconds(p, images * product_seconds(p, &m), maps_bytes(p) + patches);
}

/* ---- by Fourier transforms ------------------------------------------------------------------- */

enum { FFT_LARGEST = 64, FFT_TILE = 32 };

/* Bytes of a map's half spectrum. */
static double spectrum_bytes(double side)
{
    return side * (side / 2 + 1) * 8;
}

/* The transformed map with its padding: for backward data that is dy. */
static double padded_side(const problem *p, int axis)
{
    double pad = (double)p->shape->pad[axis], over = p->kernel[axis] - 1;
    if (p->pass == VDNN_BACKWARD_DATA)
        return p->output[axis] + 2 * fmax(over - pad, 0);
    return (double)p->shape->image[axis] + 2 * pad;
}

static double transform_side(const problem *p)
{
    return exp2(ceil(log2(fmax(padded_side(p, H), padded_side(p, W)))));
}

static product spectra_product(const problem *p, double side, double tiles)
{
    product m = {.count = p->groups * side * (side / 2 + 1),
                 .flops = 8,
                 .row_side = 128,
                 .column_side = 128,
                 .row_halvings = 2,
                 .column_halvings = 2};
    double maps = p->n * tiles;
    switch (p->pass) {
    case VDNN_FORWARD:
        m.rows = p->k, m.columns = maps, m.inner = p->c;
        break;
    case VDNN_BACKWARD_DATA:
        m.rows = p->c, m.columns = maps, m.inner = p->k;
        break;
    default:
        m.rows = p->k, m.columns = p->c, m.inner = maps;
    }
    return m;
}

/* How often a transform's values go through memory, those of a tile being 1: larger ones have more
 * stages. In backward filter, where both factors are maps, those beyond a tile go twice. This is
 * inferred from what was chosen: for maps of 56 x 56 FFT in VGG-16 at batch 256 alone (vDNN paper,
 * Figure 4), and never in DeepBench's, where forward and backward data took it. */
static double transform_passes(const problem *p, double side)
{
    if (p->pass == VDNN_BACKWARD_FILTER && side > FFT_TILE)
        return 2;
    return log2(side) / log2(FFT_TILE);
}

static double spectral_seconds(const problem *p, double side, double tiles)
{
    product m = spectra_product(p, side, tiles);
    double spectra =
        p->groups * spectrum_bytes(side) * (p->n * tiles * (p->c + p->k) + p->c * p->k);
    double moves = p->rate->transfers * transform_passes(p, side);
    return joint_seconds(p, product_seconds(p, &m), maps_bytes(p) + moves * spectra);
}

static double fft_seconds(const problem *p)
{
    return spectral_seconds(p, transform_side(p), 1);
}

/* Spectra of the factors, twice: as transformed, and with frequencies first. */
static double fft_workspace(const problem *p)
{
    double maps = 0;
    switch (p->pass) {
    case VDNN_FORWARD:
        maps = p->c * (p->n + p->k);
        break;
    case VDNN_BACKWARD_DATA:
        maps = p->k * (p->n + p->c);
        break;
    default:
        maps = p->n * (p->c + p->k);
    }
    return 2 * spectrum_bytes(transform_side(p)) * maps;
}

static double tiling_seconds(const problem *p)
{
    const double *made = p->output;
    double x[2] = {(double)p->shape->image[H], (double)p->shape->image[W]};
    if (p->pass == VDNN_BACKWARD_DATA)
        made = x;
    double tiles =
        steps(made[H], FFT_TILE + 1 - p->kernel[H]) * steps(made[W], FFT_TILE + 1 - p->kernel[W]);
    return spectral_seconds(p, FFT_TILE, tiles);
}

static double tiling_workspace(const problem *p)
{
    double from = p->pass == VDNN_BACKWARD_DATA ? p->k : p->c;
    double to = p->pass == VDNN_BACKWARD_DATA ? p->c : p->k;
    return spectrum_bytes(FFT_TILE) * (p->c * p->k + 4 * p->n * from + 2 * p->n * to);
}

static bool is_dilated(const vdnn_cost_shape *shape)
{
    return shape->dilation[H] != 1 || shape->dilation[W] != 1;
}

static const char *spectral_refusal(const problem *p)
{
    if (is_strided(p->shape) || is_dilated(p->shape))
        return "FFT requires stride and dilation 1";
    for (int axis = H; axis <= W; axis++)
        if (p->shape->pad[axis] >= p->shape->kernel[axis])
            return "FFT requires padding smaller than the kernel";
    return NULL;
}

static const char *fft_refusal(const problem *p)
{
    if (transform_side(p) > FFT_LARGEST)
        return "the padded map is larger than the largest transform, 64 x 64";
    return spectral_refusal(p);
}

static const char *tiling_refusal(const problem *p)
{
    if (p->shape->kernel[H] > FFT_TILE || p->shape->kernel[W] > FFT_TILE)
        return "the kernel is larger than a tile, 32 x 32";
    return spectral_refusal(p);
}

/* ---- by Winograd ----------------------------------------------------------------------------- */

/* Outputs on a side of a tile, where the transforms are inside the kernel, with what they are
 * computed from, and where they are not; tiles of one image that a block of the former takes,
 * 16 x 8 outputs. */
enum { FUSED_TILE = 2, FUSED_FROM = 4, NONFUSED_TILE = 4 };
enum { FUSED_BLOCK_HEIGHT = 8, FUSED_BLOCK_WIDTH = 4 };

static double winograd_tiles(const problem *p, double height, double width)
{
    bool data = p->pass == VDNN_BACKWARD_DATA;
    return steps(data ? (double)p->shape->image[H] : p->output[H], height) *
           steps(data ? (double)p->shape->image[W] : p->output[W], width);
}

static double fused_seconds(const problem *p)
{
    enum { SIDE = FUSED_BLOCK_HEIGHT * FUSED_BLOCK_WIDTH };
    double blocks =
        fmin(winograd_tiles(p, FUSED_TILE * FUSED_BLOCK_HEIGHT, FUSED_TILE * FUSED_BLOCK_WIDTH),
             winograd_tiles(p, FUSED_TILE * FUSED_BLOCK_WIDTH, FUSED_TILE * FUSED_BLOCK_HEIGHT));
    product m = {.rows = p->pass == VDNN_BACKWARD_DATA ? p->c : p->k,
                 .inner = p->pass == VDNN_BACKWARD_DATA ? p->k : p->c,
                 .columns = p->n * blocks * SIDE,
                 .count = p->groups,
                 .flops = 2 * FUSED_FROM * FUSED_FROM,
                 .row_side = SIDE,
                 .column_side = SIDE};
    return joint_seconds(p, product_seconds(p, &m), maps_bytes(p));
}

/* What the outputs of a tile are computed from. */
static double nonfused_points(const problem *p)
{
    double from = NONFUSED_TILE + p->kernel[H] - 1;
    return from * from;
}

static double transformed_bytes(const problem *p)
{
    double tiles = winograd_tiles(p, NONFUSED_TILE, NONFUSED_TILE);
    return 4 * p->groups * nonfused_points(p) * (p->c * p->k + p->n * tiles * (p->c + p->k));
}

static double nonfused_seconds(const problem *p)
{
    product m = spectra_product(p, 1, winograd_tiles(p, NONFUSED_TILE, NONFUSED_TILE));
    m.count = p->groups * nonfused_points(p), m.flops = 2;
    m.split = p->pass == VDNN_BACKWARD_FILTER;
    return joint_seconds(p, product_seconds(p, &m),
                         maps_bytes(p) + p->rate->transfers * transformed_bytes(p));
}

static double winograd_workspace(const problem *p)
{
    return 4 * p->groups * FUSED_FROM * FUSED_FROM * p->c * p->k;
}

static double nonfused_workspace(const problem *p)
{
    return transformed_bytes(p);
}

static bool takes_winograd(const problem *p, int64_t kernel)
{
    const vdnn_cost_shape *shape = p->shape;
    return !is_strided(shape) && !is_dilated(shape) && shape->kernel[H] == kernel &&
           shape->kernel[W] == kernel;
}

static const char *fused_refusal(const problem *p)
{
    return takes_winograd(p, 3) ? NULL
                                : "Winograd requires 3 x 3 kernels with stride and dilation 1";
}

/* NVIDIA, cuDNN documentation: CUDNN_CONVOLUTION_*_ALGO_WINOGRAD_NONFUSED. */
static const char *nonfused_refusal(const problem *p)
{
    return takes_winograd(p, 3) || takes_winograd(p, 5)
               ? NULL
               : "Winograd with its transforms apart requires 3 x 3 or 5 x 5 kernels with stride "
                 "and dilation 1";
}

/* ---- the algorithms -------------------------------------------------------------------------- */

static const char *never(const problem *p)
{
    (void)p;
    return NULL;
}

static const char *forward_only(const problem *p)
{
    return p->pass == VDNN_FORWARD ? NULL : "the explicit matrix product is for forward only";
}

typedef struct method {
    const char *(*refusal)(const problem *p);
    double (*seconds)(const problem *p);
    double (*workspace)(const problem *p); /* bytes */
    int launches;
} method;

static const method methods[VDNN_COST_ALGORITHM_COUNT] = {
    [VDNN_COST_IMPLICIT_GEMM] = {never, implicit_seconds, no_workspace, 1},
    [VDNN_COST_IMPLICIT_PRECOMP_GEMM] = {never, implicit_seconds, precomputed_workspace, 2},
    [VDNN_COST_GEMM] = {forward_only, explicit_seconds, patches_workspace, 0},
    [VDNN_COST_FFT] = {fft_refusal, fft_seconds, fft_workspace, 4},
    [VDNN_COST_FFT_TILING] = {tiling_refusal, tiling_seconds, tiling_workspace, 4},
    [VDNN_COST_WINOGRAD] = {fused_refusal, fused_seconds, winograd_workspace, 2},
    [VDNN_COST_WINOGRAD_NONFUSED] = {nonfused_refusal, nonfused_seconds, nonfused_workspace, 4},
};

/* A bias is added to y in place, and its gradient is the sum of dy. */
static double bias_seconds(const problem *p)
{
    static const double moves[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = 2, [VDNN_BACKWARD_DATA] = 0, [VDNN_BACKWARD_FILTER] = 1};
    if (!p->shape->bias || !(moves[p->pass] > 0))
        return 0;
    return p->model->launch_seconds +
           moves[p->pass] * p->y_bytes / p->model->elementwise_bytes_per_second;
}

const char *vdnn_cost_refusal(const vdnn_cost_model *model, const vdnn_cost_shape *shape,
                              vdnn_pass pass, vdnn_cost_algorithm algorithm)
{
    problem p = problem_of(model, shape, pass, algorithm);
    if (!(p.rate->efficiency > 0))
        return "the card does not offer this algorithm for this pass";
    if (!(p.y > 0))
        return "the window is larger than the padded map";
    /* cppcheck-suppress returnDanglingLifetime; refusals are static text */
    return methods[algorithm].refusal(&p);
}

vdnn_status vdnn_cost_conv(const vdnn_cost_model *model, const vdnn_cost_shape *shape,
                           vdnn_pass pass, vdnn_cost_algorithm algorithm, double *seconds,
                           size_t *workspace_bytes)
{
    const char *why = vdnn_cost_refusal(model, shape, pass, algorithm);
    if (why != NULL)
        return vdnn_status_fail(VDNN_USAGE, "%s: %s", vdnn_cost_algorithm_text(algorithm), why);
    const method *by = &methods[algorithm];
    problem p = problem_of(model, shape, pass, algorithm);
    *seconds = by->seconds(&p) + by->launches * model->launch_seconds + bias_seconds(&p);
    *workspace_bytes = (size_t)by->workspace(&p);
    return VDNN_OK;
}

enum { PRODUCT_SIDE = 128, PRODUCT_HALVINGS = 2, NARROWEST = PRODUCT_SIDE >> PRODUCT_HALVINGS };

/* What the tiles load that are computed at the same time, two by each multiprocessor, one row of
 * tiles after the other, of factors along the inner dimension; every row and column is loaded once
 * for all tiles of such a wave. */
static double waves_bytes(const vdnn_cost_model *model, const vdnn_cost_factors *f)
{
    double tiles[2] = {steps(f->rows, PRODUCT_SIDE), steps(f->columns, PRODUCT_SIDE)};
    double together = 2.0 * (double)model->multiprocessors;
    double wide = fmin(tiles[1], together);
    double high = fmin(tiles[0], fmax(1, together / wide));
    double waves = tiles[0] / high * (tiles[1] / wide);
    double loaded = (f->rows_along_inner ? fmin(high * PRODUCT_SIDE, f->rows) : 0) +
                    (f->columns_along_inner ? fmin(wide * PRODUCT_SIDE, f->columns) : 0);
    return waves * loaded * f->inner * f->element_bytes;
}

double vdnn_cost_product(const vdnn_cost_model *model, const vdnn_cost_rate *rate,
                         const vdnn_cost_factors *factors)
{
    problem p = {.model = model, .rate = rate, .flops_per_second = model->flops_per_second};
    product m = {.rows = factors->rows,
                 .columns = factors->columns,
                 .inner = factors->inner,
                 .count = 1,
                 .flops = 2,
                 .row_side = PRODUCT_SIDE,
                 .column_side = PRODUCT_SIDE,
                 .row_halvings = PRODUCT_HALVINGS,
                 .column_halvings = PRODUCT_HALVINGS,
                 .split = true};
    double lost = fmin(m.rows, m.columns) < NARROWEST ? rate->thin : 0;
    double again = rate->reloads * waves_bytes(model, factors);
    return joint_seconds(&p, product_seconds(&p, &m), (factors->bytes + again) / (1 - lost));
}
