#include "layers/conv/conv_work.h"

#include "layers/count.h"

#include <math.h>

enum { H = VDNN_SIDE_H, W = VDNN_SIDE_W };

/* A pass of a convolution as a product at each point: `from` maps become `to` maps, or, in backward
 * filter, both become filters. */
typedef struct problem {
    const vdnn_conv_config *conv;
    double groups, n, c, k;   /* channels of one group */
    int64_t made[VDNN_SIDES]; /* of the map that is cut into tiles */
    int64_t read[VDNN_SIDES]; /* of the map that is transformed */
    double bias;              /* additions */
    vdnn_pass pass;
} problem;

static problem problem_of(const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_conv_config *conv = layer->config;
    const bool is_data = pass == VDNN_BACKWARD_DATA;
    const bool has_bias = conv->bias && !is_data;
    const int64_t c = layer->x[0].dims[VDNN_C] / conv->groups, k = conv->out / conv->groups;
    problem p = {.conv = conv,
                 .groups = (double)conv->groups,
                 .n = (double)layer->x[0].dims[VDNN_N],
                 .c = (double)c,
                 .k = (double)k,
                 .bias = has_bias ? (double)vdnn_desc_count(&layer->y) : 0,
                 .pass = pass};
    vdnn_desc_sides(is_data ? &layer->x[0] : &layer->y, p.made);
    vdnn_desc_sides(is_data ? &layer->y : &layer->x[0], p.read);
    return p;
}

/* L: the depth of a sum of `count` terms, or of a transform of `count` points. */
static double levels(double count)
{
    return count > 1 ? ceil(log2(count)) : 0;
}

/* Channels that a cell of a map is summed over. */
static double summed_channels(const problem *p)
{
    return p->pass == VDNN_BACKWARD_DATA ? p->k : p->c;
}

/* ---- the direct form ------------------------------------------------------------------------- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Taps of one dimension that a cell of the map meets. In backward data tap t of cell y of dy is at
 * y * stride + t * dilation: those that fall on one cell are stride / g taps apart, and dilation /
 * g cells of dy, where g divides both. */
static double taps_met(const problem *p, int axis)
{
    const vdnn_conv_config *conv = p->conv;
    if (p->pass == VDNN_FORWARD)
        return (double)conv->kernel[axis];
    const int64_t g = common_divisor(conv->stride[axis], conv->dilation[axis]);
    return (double)vdnn_count_min(vdnn_count_pieces(conv->kernel[axis], conv->stride[axis] / g),
                                  vdnn_count_pieces(p->read[axis], conv->dilation[axis] / g));
}

double vdnn_conv_depth(const vdnn_layer *layer, vdnn_pass pass)
{
    const problem p = problem_of(layer, pass);
    const bool is_filter = pass == VDNN_BACKWARD_FILTER;
    double depth = levels(is_filter ? p.n : summed_channels(&p));
    for (int side = 0; side < VDNN_SIDES; side++)
        depth += levels(is_filter ? (double)p.made[side] : taps_met(&p, side));
    return depth;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Tiles of all images, each of `valid` cells that count. */
static double tiles_of(const problem *p, const int64_t valid[2])
{
    return p->n * (double)(vdnn_count_pieces(p->made[H], valid[H]) *
                           vdnn_count_pieces(p->made[W], valid[W]));
}

/* Terms of a sum at one point. */
static double summed_at_point(const problem *p, double tiles)
{
    return p->pass == VDNN_BACKWARD_FILTER ? tiles : summed_channels(p);
}

/* ---- by Winograd ----------------------------------------------------------------------------- */

/* Of one plane from (a, b) cells to (to_a, to_b): two dense products, rows first. */
static double transform_operations(double a, double b, double to_a, double to_b)
{
    return 2 * to_a * a * b + 2 * to_a * b * to_b;
}

vdnn_work vdnn_conv_winograd_work(const vdnn_layer *layer, vdnn_pass pass, int64_t tile)
{
    const problem p = problem_of(layer, pass);
    const int64_t valid[2] = {tile, tile};
    const double m = (double)tile, r = (double)p.conv->kernel[H], s = (double)p.conv->kernel[W];
    const double a = m + r - 1, b = m + s - 1, tiles = tiles_of(&p, valid);
    const double filter = transform_operations(r, s, a, b), /* either way */
        read = transform_operations(a, b, a, b), made = transform_operations(m, m, a, b),
                 write = transform_operations(a, b, m, m);
    const bool is_filter = pass == VDNN_BACKWARD_FILTER, is_data = pass == VDNN_BACKWARD_DATA;
    const double from = is_data ? p.k : p.c, to = is_data ? p.c : p.k;
    const double last = is_filter ? transform_operations(a, b, r, s) : filter;
    const double transforms =
        p.c * p.k * last + tiles * (from * read + to * (is_filter ? made : write));
    const double first = is_filter ? 2 * levels(m) : levels(r) + levels(s);
    return (vdnn_work){p.groups * (2 * a * b * tiles * p.c * p.k + transforms) + p.bias,
                       first + 2 * (levels(a) + levels(b)) + levels(summed_at_point(&p, tiles))};
}

/* ---- by FFT ---------------------------------------------------------------------------------- */

/* Of planes with such sides, one for each tile. */
static vdnn_work spectral_work(const problem *p, const int64_t sides[2], double tiles)
{
    const double cells = (double)sides[H] * (double)sides[W];
    const int64_t half = sides[W] / 2 + 1;
    const double points = (double)sides[H] * (double)half;
    const double planes = tiles * (p->c + p->k) + p->c * p->k;
    const double operations = 2.5 * cells * log2(cells) * planes + 8 * points * tiles * p->c * p->k;
    return (vdnn_work){p->groups * operations + p->bias,
                       2 * levels(cells) + levels(summed_at_point(p, tiles))};
}

vdnn_work vdnn_conv_fft_work(const vdnn_layer *layer, vdnn_pass pass, int64_t tile)
{
    const problem p = problem_of(layer, pass);
    const int64_t sides[2] = {tile, tile};
    const int64_t valid[2] = {tile + 1 - p.conv->kernel[H], tile + 1 - p.conv->kernel[W]};
    return spectral_work(&p, sides, tiles_of(&p, valid));
}

/* The next length without prime factors above `prime`, which is below 10. */
static int64_t smooth_length(int64_t least, int64_t prime)
{
    for (int64_t length = least;; length++) {
        int64_t rest = length;
        for (int64_t factor = 2; factor <= prime; factor++)
            while (rest % factor == 0)
                rest /= factor;
        if (rest == 1)
            return length;
    }
}

/* What is transformed, with its padding. */
static int64_t padded_side(const problem *p, int axis)
{
    const int64_t pad = p->conv->pad[axis], over = p->conv->kernel[axis] - 1;
    const int64_t beside = p->pass == VDNN_BACKWARD_DATA ? vdnn_count_max(over - pad, 0) : pad;
    return p->read[axis] + 2 * beside;
}

vdnn_work vdnn_conv_spectra_work(const vdnn_layer *layer, vdnn_pass pass, int64_t tile)
{
    const problem p = problem_of(layer, pass);
    int64_t sides[2];
    for (int axis = H; axis <= W; axis++)
        sides[axis] = smooth_length(padded_side(&p, axis), tile);
    if (tile == 2)
        sides[H] = sides[W] = vdnn_count_max(sides[H], sides[W]);
    return spectral_work(&p, sides, p.n);
}
