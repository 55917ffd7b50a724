/* Work and depth of algorithms, against loops that count every operation and a recursion that
 * builds every tree of sums: the formulas under test (layers/conv/conv_work.h) are closed, these
 * are not. */

#include "layers/conv/conv.h"
#include "layers/conv/conv_work.h"
#include "layers/registry.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { H, W };

/* A convolution, as its definition has it. */
typedef struct shape {
    int64_t n, c, k, groups; /* channels of all groups */
    int64_t in[2], out[2], kernel[2], stride[2], pad[2], dilation[2];
    bool bias;
} shape;

static vdnn_layer *layer_of(const shape *s)
{
    char keys[160], inputs[64];
    vdnn_layer *layer = NULL;
    (void)snprintf(keys, sizeof keys,
                   "out=%d kernel=%dx%d stride=%dx%d pad=%dx%d dilation=%dx%d groups=%d%s",
                   (int)s->k, (int)s->kernel[H], (int)s->kernel[W], (int)s->stride[H],
                   (int)s->stride[W], (int)s->pad[H], (int)s->pad[W], (int)s->dilation[H],
                   (int)s->dilation[W], (int)s->groups, s->bias ? "" : " bias=false");
    (void)snprintf(inputs, sizeof inputs, "%dx%dx%dx%d", (int)s->n, (int)s->c, (int)s->in[H],
                   (int)s->in[W]);
    assert_ok(
        vdnn_layer_case_build(&(vdnn_layer_case){"conv", keys, inputs}, VDNN_RULE_LEAN, &layer));
    return layer;
}

/* Small enough to count. `square`: the same in both dimensions. */
static shape random_shape(vdnn_test_rng *rng, int64_t smallest_kernel, bool is_plain)
{
    shape s = {.groups = is_plain ? 1 : vdnn_test_between(rng, 1, 2),
               .n = vdnn_test_between(rng, 1, 3),
               .bias = vdnn_test_between(rng, 0, 1) == 1};
    s.c = s.groups * vdnn_test_between(rng, 1, 3);
    s.k = s.groups * vdnn_test_between(rng, 1, 4);
    for (int d = H; d <= W; d++) {
        s.kernel[d] = vdnn_test_between(rng, smallest_kernel, smallest_kernel + 3);
        s.stride[d] = is_plain ? 1 : vdnn_test_between(rng, 1, 3);
        s.dilation[d] = is_plain ? 1 : vdnn_test_between(rng, 1, 2);
        s.pad[d] = vdnn_test_between(rng, 0, s.kernel[d] - 1);
        s.in[d] = s.dilation[d] * (s.kernel[d] - 1) + vdnn_test_between(rng, 1, 7);
        s.out[d] =
            (s.in[d] + 2 * s.pad[d] - s.dilation[d] * (s.kernel[d] - 1) - 1) / s.stride[d] + 1;
    }
    return s;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Levels of a tree that sums so many terms, two by two. */
static double tree(int64_t terms)
{
    return terms < 2 ? 0 : 1 + tree(terms - terms / 2);
}

/* One for each output, if there is a bias and the pass adds it, or sums its gradient. */
static double bias_operations(const shape *s, vdnn_pass pass)
{
    double count = 0;
    for (int64_t i = 0; i < s->n * s->k * s->out[H] * s->out[W]; i++)
        count += s->bias && pass != VDNN_BACKWARD_DATA;
    return count;
}

/* Each output with each tap of its group, a multiply-add; every pass has the same pairs. */
static double direct_operations(const shape *s, vdnn_pass pass)
{
    double count = bias_operations(s, pass);
    for (int64_t image = 0; image < s->n; image++)
        for (int64_t k = 0; k < s->k; k++)
            for (int64_t cell = 0; cell < s->out[H] * s->out[W]; cell++)
                for (int64_t c = 0; c < s->c / s->groups; c++)
                    for (int64_t tap = 0; tap < s->kernel[H] * s->kernel[W]; tap++)
                        count += 2;
    return count;
}

/* The most taps of one dimension that any cell of x, or of its padding, meets. */
static int64_t most_taps(const shape *s, int d)
{
    int64_t most = 0;
    for (int64_t cell = 0; cell < s->in[d] + 2 * s->pad[d]; cell++) {
        int64_t met = 0;
        for (int64_t y = 0; y < s->out[d]; y++)
            for (int64_t r = 0; r < s->kernel[d]; r++)
                met += y * s->stride[d] + r * s->dilation[d] == cell;
        most = met > most ? met : most;
    }
    return most;
}

static double direct_depth(const shape *s, vdnn_pass pass)
{
    switch (pass) {
    case VDNN_FORWARD:
        return tree(s->c / s->groups) + tree(s->kernel[H]) + tree(s->kernel[W]);
    case VDNN_BACKWARD_DATA:
        return tree(s->k / s->groups) + tree(most_taps(s, H)) + tree(most_taps(s, W));
    default:
        return tree(s->n) + tree(s->out[H]) + tree(s->out[W]);
    }
}

/* A dense product of matrices. */
static double product(int64_t rows, int64_t inner, int64_t columns)
{
    double count = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            for (int64_t l = 0; l < inner; l++)
                count += 2;
    return count;
}

/* (to x from) plane (from x to)^T. */
static double both_sides(const int64_t from[2], const int64_t to[2])
{
    return product(to[H], from[H], from[W]) + product(to[H], from[W], to[W]);
}

/* Tiles of so many cells that cover what a pass writes, or the dy that backward filter reads. */
static int64_t tiles_of(const shape *s, vdnn_pass pass, const int64_t valid[2])
{
    const int64_t *cut = pass == VDNN_BACKWARD_DATA ? s->in : s->out;
    int64_t count = 0;
    for (int64_t image = 0; image < s->n; image++)
        for (int64_t i = 0; i < cut[H]; i += valid[H])
            for (int64_t j = 0; j < cut[W]; j += valid[W])
                count++;
    return count;
}

static vdnn_work winograd(const shape *s, vdnn_pass pass, int64_t m)
{
    const int64_t cells[2] = {m, m}, *taps = s->kernel;
    const int64_t points[2] = {m + taps[H] - 1, m + taps[W] - 1};
    const int64_t tiles = tiles_of(s, pass, cells);
    const bool is_filter = pass == VDNN_BACKWARD_FILTER, is_data = pass == VDNN_BACKWARD_DATA;
    const int64_t from = is_data ? s->k : s->c, to = is_data ? s->c : s->k;
    double count = bias_operations(s, pass);
    for (int64_t tile = 0; tile < tiles; tile++) {
        for (int64_t i = 0; i < from; i++)
            count += both_sides(points, points);
        for (int64_t i = 0; i < to; i++)
            count += is_filter ? both_sides(cells, points) : both_sides(points, cells);
        for (int64_t pair = 0; pair < s->c * s->k; pair++)
            count += product(1, 1, points[H] * points[W]);
    }
    for (int64_t pair = 0; pair < s->c * s->k; pair++)
        count += is_filter ? both_sides(points, taps) : both_sides(taps, points);
    double depth = is_filter ? 2 * tree(m) : tree(taps[H]) + tree(taps[W]);
    depth += 2 * tree(points[H]) + 2 * tree(points[W]);
    return (vdnn_work){count, depth + tree(is_filter ? tiles : from)};
}

/* Of a complex transform of a power of two: a complex multiplication and two additions for each
 * pair of values on each level. */
static double butterflies(int64_t length)
{
    const double product_and_sums = 6 + 2 * 2;
    const int64_t pairs = length / 2;
    return length < 2 ? 0 : 2 * butterflies(pairs) + (double)pairs * product_and_sums;
}

static vdnn_work spectral(const shape *s, vdnn_pass pass, int64_t side, int64_t tiles)
{
    const int64_t cells = side * side;
    const double complex_multiply_add = 8, real = 0.5; /* of a complex transform */
    double count = bias_operations(s, pass);
    const int64_t planes = tiles * (s->c + s->k) + s->c * s->k;
    for (int64_t plane = 0; plane < planes; plane++)
        count += real * butterflies(cells);
    for (int64_t i = 0; i < side; i++)
        for (int64_t j = 0; j <= side / 2; j++) /* the others are conjugates */
            count += complex_multiply_add * (double)(tiles * s->c * s->k);
    const int64_t summed = pass == VDNN_BACKWARD_FILTER ? tiles
                           : pass == VDNN_BACKWARD_DATA ? s->k
                                                        : s->c;
    return (vdnn_work){count, 2 * tree(cells) + tree(summed)};
}

static void expect(vdnn_work found, vdnn_work wanted, const vdnn_layer *layer, vdnn_pass pass)
{
    if (fabs(found.operations - wanted.operations) > 1e-9 * wanted.operations ||
        fabs(found.depth - wanted.depth) > 1e-9)
        fail_msg("%s, %s: work %.17g and depth %g, expected %.17g and %g", layer->name,
                 vdnn_pass_text(pass), found.operations, found.depth, wanted.operations,
                 wanted.depth);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const vdnn_pass passes[] = {VDNN_FORWARD, VDNN_BACKWARD_DATA, VDNN_BACKWARD_FILTER};
enum { PASSES = sizeof passes / sizeof *passes };

TEST(the_direct_form_does_what_its_loops_do)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    const vdnn_algorithm *rows[] = {vdnn_algorithm_find("conv", "direct", "cpu"),
                                    vdnn_algorithm_find("conv", "gemm", "cpu")};
    for (int i = 0; i < vdnn_test_count(2000); i++) {
        const shape s = random_shape(&rng, 1, false);
        vdnn_layer *layer = layer_of(&s);
        for (int p = 0; p < PASSES; p++)
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
                expect(vdnn_algorithm_work(rows[r], layer, passes[p]),
                       (vdnn_work){direct_operations(&s, passes[p]), direct_depth(&s, passes[p])},
                       layer, passes[p]);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(winograd_does_what_its_matrices_do)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(1000); i++) {
        const shape s = random_shape(&rng, 2, true);
        const int64_t m = vdnn_test_between(&rng, 2, 6);
        vdnn_layer *layer = layer_of(&s);
        for (int p = 0; p < PASSES; p++)
            expect(vdnn_conv_winograd_work(layer, passes[p], m), winograd(&s, passes[p], m), layer,
                   passes[p]);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(transforms_of_tiles_do_what_their_butterflies_do)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(1000); i++) {
        const shape s = random_shape(&rng, 2, true);
        const int64_t side = 8 << vdnn_test_between(&rng, 0, 2);
        const int64_t valid[2] = {side + 1 - s.kernel[H], side + 1 - s.kernel[W]};
        vdnn_layer *layer = layer_of(&s);
        for (int p = 0; p < PASSES; p++)
            expect(vdnn_conv_fft_work(layer, passes[p], side),
                   spectral(&s, passes[p], side, tiles_of(&s, passes[p], valid)), layer, passes[p]);
        vdnn_layer_case_destroy(layer);
    }
}

/* A power of two that holds the larger side of what is transformed, with its padding. */
TEST(transforms_of_maps_do_what_their_butterflies_do)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(1000); i++) {
        const shape s = random_shape(&rng, 2, true);
        vdnn_layer *layer = layer_of(&s);
        for (int p = 0; p < PASSES; p++) {
            int64_t side = 1;
            for (int d = H; d <= W; d++) {
                const bool is_data = passes[p] == VDNN_BACKWARD_DATA;
                const int64_t beside = is_data ? s.kernel[d] - 1 - s.pad[d] : s.pad[d];
                while (side < (is_data ? s.out[d] : s.in[d]) + 2 * beside)
                    side *= 2;
            }
            expect(vdnn_conv_spectra_work(layer, passes[p], 2), spectral(&s, passes[p], side, s.n),
                   layer, passes[p]);
        }
        vdnn_layer_case_destroy(layer);
    }
}

/* Sums over inputs, outputs and vectors, of pictures and of sequences. */
TEST(a_product_of_matrices_sums_by_trees)
{
    static const struct {
        const char *inputs;
        int64_t in, vectors;
    } cases[] = {{"5x3x4x2", 24, 5}, {"1x7x1x1", 7, 1}, {"3x5x9", 9, 15}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_layer *layer = NULL;
        assert_ok(vdnn_layer_case_build(&(vdnn_layer_case){"fc", "out=6", cases[i].inputs},
                                        VDNN_RULE_LEAN, &layer));
        const double depths[] = {tree(cases[i].in), tree(6), tree(cases[i].vectors)};
        for (int p = 0; p < PASSES; p++)
            expect(vdnn_algorithm_work(vdnn_algorithm_find("fc", "gemm", "cpu"), layer, passes[p]),
                   (vdnn_work){
                       (double)(cases[i].vectors * 6 * cases[i].in * 2) +
                           (passes[p] == VDNN_BACKWARD_DATA ? 0 : (double)(cases[i].vectors * 6)),
                       depths[p]},
                   layer, passes[p]);
        vdnn_layer_case_destroy(layer);
    }
}

/* Every row of a convolution whose name says how it computes has that work, with its tiles. */
TEST(rows_have_the_work_that_their_names_say)
{
    static const struct {
        const char *part;
        vdnn_work (*work)(const vdnn_layer *layer, vdnn_pass pass, int64_t tile);
    } names[] = {{"winograd", vdnn_conv_winograd_work}, {"fft", vdnn_conv_fft_work}};
    int found = 0;
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        const bool is_named = strstr(row->name, "winograd") != NULL || strstr(row->name, "fft");
        if (strcmp(row->layer_type, "conv") != 0 || strcmp(row->device, "cpu") != 0)
            continue;
        assert_true(is_named == (row->work != NULL));
        for (size_t k = 0; k < 2; k++)
            if (strstr(row->name, names[k].part) != NULL) {
                assert_ptr_equal(row->work, names[k].work);
                assert_true(row->tile > 1);
                found++;
            }
    }
    assert_true(found >= 4);
}
