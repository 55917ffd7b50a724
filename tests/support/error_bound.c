#include "tests/support/error_bound.h"

#include <math.h>
#include <string.h>

/* ---- the formula -----------------------------------------------------------------------------
 *
 * An output is a sum of `products` n of two factors. A transformed convolution is one too: of n
 * products in another basis, which are larger by `growth` G. With factors drawn independently about
 * zero the root mean square of all its products' sum is G sqrt(n) rms, and what each kind of
 * rounding adds to the result is that times
 *
 *     sqrt(2) u_factor         both factors of each product are rounded
 *     sqrt(roundings) u        f32, in the transforms there and back
 *     sqrt(sums) u_sum         adding up; where sums are cut off, errors have one sign and go with
 *                              `sums` itself, as in gamma_n = n u / (1 - n u)
 *
 * in root mean square or less, since rounding errors are independent with mean zero: N. J. Higham
 * and T. Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41
 * (2019), theorem 2.4, which bounds one by lambda times that with probability 1 - 2 exp(-lambda^2
 * / 2). Factors that are cut off shrink every product by u_factor in the mean, so the result too.
 * Then the result itself is rounded.
 *
 * That tensor cores cut sums off: M. Fasi, N. J. Higham, M. Mikaitis and S. Pranesh, "Numerical
 * behavior of NVIDIA tensor cores", PeerJ Computer Science 7 (2021). That the norms of a Winograd
 * algorithm's matrices are what its error grows with: B. Barabasz, A. Anderson, K. M. Soodhalter
 * and D. Gregg, "Error Analysis and Improving the Accuracy of Winograd Convolution for Deep Neural
 * Networks", ACM TOMS 46 (2020). Fourier transforms are unitary but for a factor, so of random
 * factors G is 1, and they round log2 of their points times (ibid.; Higham, Accuracy and Stability
 * of Numerical Algorithms, theorem 24.2). */

static const double lambda = 6;

double vdnn_error_bound(const vdnn_error_terms *terms)
{
    double all = terms->growth * sqrt(terms->products) * terms->rms;
    double adding = terms->cuts ? terms->sums : sqrt(terms->sums);
    double shares = sqrt(2) * terms->factor_unit + sqrt(terms->roundings) * VDNN_UNIT_F32 +
                    adding * terms->sum_unit;
    double shrinking = terms->cuts ? terms->factor_unit : 0;
    if (terms->largest == 0)
        return 0;
    return lambda * all * shares / terms->largest + shrinking + terms->result_unit;
}

/* ---- Winograd's matrices ----------------------------------------------------------------------
 */

static double power(double base, int exponent)
{
    double result = 1;
    for (; exponent > 0; exponent--)
        result *= base;
    return result;
}

/* Coefficients of the product of (t - p) over all points but one; count: of points. */
static void multiply_out(const double *points, int count, int but, double coefficients[])
{
    int degree = 0;
    memset(coefficients, 0, VDNN_WINOGRAD_MOST * sizeof *coefficients);
    coefficients[0] = 1;
    for (int i = 0; i < count; i++) {
        if (i == but)
            continue;
        degree++;
        for (int k = degree; k > 0; k--)
            coefficients[k] = coefficients[k - 1] - points[i] * coefficients[k];
        coefficients[0] *= -points[i];
    }
}

/* By Toom and Cook (Lavin and Gray 2016): A and G evaluate polynomials at the points, G divided by
 * what the others give there; B interpolates. */
vdnn_winograd_matrices vdnn_winograd_of(int outputs, int taps)
{
    static const double points[VDNN_WINOGRAD_MOST - 1] = {0, 1, -1, 2, -2, 0.5, -0.5, 4};
    vdnn_winograd_matrices made = {outputs, taps, outputs + taps - 1, {{0}}, {{0}}, {{0}}};
    int finite = made.points - 1;
    for (int p = 0; p < finite; p++) {
        double others = 1;
        for (int i = 0; i < finite; i++)
            others *= i == p ? 1 : points[p] - points[i];
        for (int i = 0; i < outputs; i++)
            made.a[p][i] = power(points[p], i);
        for (int i = 0; i < taps; i++)
            made.g[p][i] = power(points[p], i) / others;
        multiply_out(points, finite, p, made.b[p]);
    }
    made.a[finite][outputs - 1] = made.g[finite][taps - 1] = 1;
    multiply_out(points, finite, -1, made.b[finite]);
    return made;
}

static double square_of(const double *row)
{
    double sum = 0;
    for (int i = 0; i < VDNN_WINOGRAD_MOST; i++)
        sum += row[i] * row[i];
    return sum;
}

/* In one dimension; two have its square. */
double vdnn_winograd_growth(const vdnn_winograd_matrices *own, bool is_filter)
{
    int written = is_filter ? own->taps : own->outputs,
        products = is_filter ? own->outputs : own->taps;
    double most = 0;
    for (int i = 0; i < written; i++) {
        double sum = 0;
        for (int p = 0; p < own->points; p++) {
            double to = is_filter ? own->g[p][i] : own->a[p][i];
            sum += to * to * square_of(own->b[p]) * square_of(is_filter ? own->a[p] : own->g[p]);
        }
        most = fmax(most, sum);
    }
    return most / products;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* How rows of convolutions transform. Of cuDNN's tiles only the names of its kernels are known,
 * which have no larger ones than these. Its transformed factors are of the maps' type, but for
 * tiles of 9 points, which would leave nothing of results in so few bits; all others are f32. */
static const struct {
    const char *device, *name;
    int side;    /* of the kernel; 0: any, by a Fourier transform */
    int outputs; /* of a tile, in one dimension */
    bool has_maps_type;
} transforms[] = {
    {"cpu", "winograd", 3, 4, false},
    {"cpu", "winograd_3x3", 3, 6, false},
    {"cpu", "winograd_5x5", 5, 4, false},
    {"cpu", "winograd_7x7", 7, 2, false},
    {"cpu", "fft_16", 0, 0, false},
    {"cpu", "fft_32", 0, 0, false},
    {"cuda", "winograd", 3, 4, false},
    {"cuda", "winograd_16", 3, 4, false},
    {"cuda", "fft_16", 0, 0, false},
    {"cuda", "fft_4", 0, 0, false},
    {"cuda", "cudnn_winograd", 3, 4, true},
    {"cuda", "cudnn_winograd_nonfused", 3, 4, true},
    {"cuda", "cudnn_winograd_nonfused", 5, 5, false},
    {"cuda", "cudnn_fft", 0, 0, true},
    {"cuda", "cudnn_fft_tiling", 0, 0, true},
};

enum { TRANSFORMS = sizeof transforms / sizeof *transforms, NONE = -1 };

static int find_transform(const vdnn_algorithm *row, int64_t side)
{
    for (int i = 0; i < TRANSFORMS; i++)
        if (strcmp(transforms[i].device, row->device) == 0 &&
            strcmp(transforms[i].name, row->name) == 0 &&
            (transforms[i].side == 0 || transforms[i].side == side))
            return i;
    return NONE;
}

static double rms_of(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sqrt(sum / (double)count);
}

static double largest_of(const double *values, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static bool is_of_type(const vdnn_bench *bench, const char *type)
{
    return strcmp(bench->layer->def->type, type) == 0;
}

/* Products and factors of the layer's sums. The weight is (outputs, channels of a group, taps...);
 * of a transposed convolution the outputs are of x. */
static vdnn_error_terms terms_of(const vdnn_bench *bench, vdnn_pass pass)
{
    const vdnn_desc *x = &bench->layer->x[0], *y = &bench->layer->y;
    const vdnn_param *weight = &bench->layer->params[0];
    int64_t outputs = weight->dims[0], channels = weight->dims[1];
    int64_t taps = weight->count / outputs / channels;
    const bool is_transposed = is_of_type(bench, "conv_transpose");
    const vdnn_desc *in = is_transposed ? y : x, *out = is_transposed ? x : y;
    int64_t groups = vdnn_desc_is_sequence(x) ? 1 : in->dims[VDNN_C] / channels;
    int64_t places = vdnn_desc_count(out) / outputs;
    if (groups > 1)
        outputs /= groups;
    double of_x = rms_of(bench->x64[0], vdnn_desc_count(x)),
           of_w = rms_of(bench->w64, weight->count),
           of_dy = rms_of(bench->dy64, vdnn_desc_count(y));
    const int64_t of_forward = is_transposed ? outputs : channels;
    const double products[VDNN_PASS_COUNT] = {(double)(of_forward * taps),
                                              (double)((channels + outputs - of_forward) * taps),
                                              (double)places};
    const double rms[VDNN_PASS_COUNT] = {of_x * of_w, of_dy * of_w, of_x * of_dy};
    const double largest[VDNN_PASS_COUNT] = {
        largest_of(bench->y64, vdnn_desc_count(y)), largest_of(bench->dx64[0], vdnn_desc_count(x)),
        largest_of(bench->dw64, (int64_t)(bench->layer->trainable_bytes / sizeof(float)))};
    return (vdnn_error_terms){.products = products[pass],
                              .sums = products[pass],
                              .rms = rms[pass],
                              .largest = largest[pass],
                              .growth = 1};
}

/* What is added up at a point: channels, outputs, or tiles. */
static double sums_at_point(const vdnn_bench *bench, vdnn_pass pass, int outputs)
{
    const vdnn_desc *y = &bench->layer->y;
    const int64_t *weight = bench->layer->params[0].dims;
    double tiles = (double)y->dims[VDNN_N];
    for (int d = VDNN_H; outputs > 0 && d <= VDNN_W; d++)
        tiles *= ceil((double)y->dims[d] / outputs);
    const double sums[VDNN_PASS_COUNT] = {(double)weight[1], (double)weight[0], tiles};
    return sums[pass];
}

static void add_transform(const vdnn_bench *bench, vdnn_pass pass, int transform,
                          vdnn_error_terms *terms)
{
    enum { TRANSFORMS_OF_A_PRODUCT = 3, DIMENSIONS = 2, FEWEST_POINTS = 1024, OF_A_LEVEL = 3 };
    const vdnn_desc *x = &bench->layer->x[0];
    int outputs = transforms[transform].outputs, side = transforms[transform].side;
    terms->sums = sums_at_point(bench, pass, outputs);
    if (side == 0) {
        double points = fmax(FEWEST_POINTS, 4.0 * (double)(x->dims[VDNN_H] * x->dims[VDNN_W]));
        terms->roundings = TRANSFORMS_OF_A_PRODUCT * OF_A_LEVEL * log2(points);
    } else {
        const vdnn_winograd_matrices own = vdnn_winograd_of(outputs, side);
        terms->roundings = TRANSFORMS_OF_A_PRODUCT * DIMENSIONS * own.points;
        terms->growth = vdnn_winograd_growth(&own, pass == VDNN_BACKWARD_FILTER);
    }
}

/* Of maps in bf16 factors are exact but for a transform's. */
static void add_types(const vdnn_bench *bench, const vdnn_algorithm *row, int transform,
                      vdnn_error_terms *terms)
{
    static const double units[] = {
        [VDNN_F32] = VDNN_UNIT_F32, [VDNN_TF32] = VDNN_UNIT_TF32_CUT, [VDNN_BF16] = VDNN_UNIT_BF16};
    vdnn_dtype maps = bench->layer->dtype;
    bool is_narrow = maps != VDNN_F32 && strcmp(row->device, "cuda") == 0 &&
                     (transform == NONE || transforms[transform].has_maps_type);
    bool is_rounded = is_narrow && (transform != NONE || maps == VDNN_TF32);
    terms->cuts = is_narrow;
    terms->sum_unit = is_narrow ? VDNN_UNIT_F32_CUT : VDNN_UNIT_F32;
    terms->factor_unit = is_rounded ? units[maps] : transform != NONE ? VDNN_UNIT_F32 : 0;
}

static vdnn_dtype written_by(const vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    if (pass == VDNN_BACKWARD_FILTER && !row->rounds_gradient)
        return VDNN_F32;
    return pass == VDNN_FORWARD ? bench->layer->y.dtype : bench->layer->dtype;
}

/* How often a result is rounded. cuBLAS rounds a product in bf16 before it adds what y held, the
 * bias, as transposed convolutions do: on an H200 (cuBLAS 13.1) the largest error of products of 10
 * sizes was 0.7 to 1.0 of half a last place without, and of 7 of them 1.5 to 1.9 with, by PyTorch's
 * addmm. */
static double roundings_of_result(const vdnn_bench *bench, const vdnn_algorithm *row,
                                  vdnn_pass pass)
{
    bool is_apart = is_of_type(bench, "conv_transpose") ||
                    (strcmp(row->device, "cuda") == 0 && strncmp(row->name, "gemm", 4) == 0);
    return is_apart && pass == VDNN_FORWARD && bench->layer->param_count > 1 ? 2 : 1;
}

/* Of a recurrent layer with maps in bf16 each position reads what those before it rounded, and
 * backward what forward rounded, the derivatives of gates near 0 and 1 by more than a last place:
 * with outputs whose errors shrink from position to position all that adds up to some roundings. */
static const double recurrent_roundings = 12;

/* Attention has its gradients from y too, which was rounded. */
static bool reads_rounded_y(const vdnn_bench *bench, vdnn_pass pass)
{
    return strcmp(bench->layer->def->type, "attention") == 0 && pass != VDNN_FORWARD;
}

double vdnn_bench_error_bound(const vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    static const double few_sums = 2e-5; /* in f32, of some hundred terms */
    const vdnn_layer *layer = bench->layer;
    bool is_bf16 = written_by(bench, row, pass) == VDNN_BF16;
    if (strcmp(layer->def->type, "lstm") == 0 && layer->dtype == VDNN_BF16)
        return recurrent_roundings * VDNN_UNIT_BF16;
    if (!is_of_type(bench, "conv") && !is_of_type(bench, "fc") &&
        !is_of_type(bench, "conv_transpose"))
        return is_bf16 ? VDNN_UNIT_BF16 * (reads_rounded_y(bench, pass) ? 2 : 1) : few_sums;
    vdnn_error_terms terms = terms_of(bench, pass);
    int transform = find_transform(row, layer->params[0].dims[2]);
    if (transform != NONE)
        add_transform(bench, pass, transform, &terms);
    add_types(bench, row, transform, &terms);
    terms.result_unit =
        is_bf16 ? VDNN_UNIT_BF16 * roundings_of_result(bench, row, pass) : VDNN_UNIT_F32;
    return vdnn_error_bound(&terms);
}
