/* Random layers at the borders of what their kernels were written for, in every form, by every row
 * of one kind of device, against the reference: kernels as large as the map or larger, strides
 * above the kernel, padding up to the whole window, dilation, one row, one column, groups, channels
 * beside a block. The search aims: of several layers it takes the one with the combination that was
 * drawn least often. At its end it prints how many layers each row computed in each pass.
 */

#include "tests/support/error_bound.h"
#include "tests/support/gpu.h"
#include "tests/support/layer_forms.h"
#include "tests/support/rows.h"
#include "tests/support/vdnn_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef VDNN_TEST_DEVICE
static const char *const kind = VDNN_TEST_DEVICE;
#else
static const char *const kind = "cpu";
#endif

static vdnn_device *device; /* NULL: the CPU's kernels are given the tests' own memory */

enum { KEYS_BYTES = 512, INPUTS_BYTES = 256, WINDOW_BYTES = 192 };

/* A layer that was drawn, and at which borders it is. */
typedef struct drawn {
    char keys[KEYS_BYTES], inputs[INPUTS_BYTES];
    unsigned borders;
} drawn;

static int64_t one_of(vdnn_test_rng *rng, const int64_t *values, size_t count)
{
    return values[vdnn_test_between(rng, 0, (int64_t)count - 1)];
}

#define ONE_OF(rng, ...)                                                                           \
    one_of(rng, (const int64_t[]){__VA_ARGS__},                                                    \
           sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

static bool once_in(vdnn_test_rng *rng, int64_t times)
{
    return vdnn_test_between(rng, 1, times) == 1;
}

static int64_t draw_batch(vdnn_test_rng *rng)
{
    return ONE_OF(rng, 1, 1, 2, 3, 5, 9);
}

/* Beside one and two blocks of channels. */
static int64_t draw_channels(vdnn_test_rng *rng)
{
    return ONE_OF(rng, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 48, 65);
}

/* ---- windows --------------------------------------------------------------------------------- */

/* One dimension of a window. */
typedef struct slide {
    int64_t in, kernel, stride, pad, dilation;
} slide;

static int64_t extent_of(const slide *s)
{
    return (s->kernel - 1) * s->dilation + 1;
}

static int64_t out_of(const slide *s)
{
    return (s->in + 2 * s->pad - extent_of(s)) / s->stride + 1;
}

/* Less, equal, more: 0, 1, 2. */
static unsigned order(int64_t a, int64_t b)
{
    return (a >= b) + (unsigned)(a > b);
}

/* Which border it is at, below 3^6. */
static unsigned border_of(const slide *s)
{
    const unsigned digits[] = {order(extent_of(s), s->in),      order(s->stride, s->kernel),
                               order(2 * s->pad, extent_of(s)), order(s->pad, extent_of(s)),
                               order(s->dilation, 2),           order(out_of(s), 10)};
    unsigned number = 0;
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
        number = 3 * number + digits[i];
    return number;
}
enum { BORDERS = 729 };

static const int64_t longest = 70;

static int64_t draw_kernel(vdnn_test_rng *rng)
{
    int64_t tall = vdnn_test_between(rng, 8, 33);
    return ONE_OF(rng, 1, 2, 3, 3, 5, 7, tall);
}

/* Of a convolution; a pool has no dilation, and pads half of its kernel at most. */
static slide draw_slide(vdnn_test_rng *rng, bool is_conv)
{
    slide s = {.kernel = draw_kernel(rng), .dilation = 1};
    if (is_conv && once_in(rng, 4))
        s.dilation = vdnn_test_between(rng, 2, 1 + longest / s.kernel / 2);
    int64_t extent = extent_of(&s), some = vdnn_test_between(rng, 1, longest);
    s.stride = ONE_OF(rng, 1, 1, 1, 2, 2, 3, s.kernel, s.kernel + 1, some);
    s.pad = ONE_OF(rng, 0, 0, extent / 2, extent / 2, (extent - 1) / 2, s.kernel / 4);
    if (is_conv && once_in(rng, 6))
        s.pad = ONE_OF(rng, extent - 1, extent, extent + 3, some);
    if (!is_conv && s.pad > s.kernel / 2)
        s.pad = s.kernel / 2;
    s.in = ONE_OF(rng, 1, 2, some, some, extent - 1, extent, extent + 1,
                  extent - s.kernel / vdnn_test_between(rng, 2, 8), extent + some);
    if (s.in < extent - 2 * s.pad)
        s.in = extent - 2 * s.pad;
    s.in = s.in < 1 ? 1 : s.in;
    return s;
}

/* As transforms require it. */
static slide draw_plain(vdnn_test_rng *rng)
{
    slide s = {.kernel = vdnn_test_between(rng, 3, 11), .stride = 1, .dilation = 1};
    s.pad = vdnn_test_between(rng, 0, s.kernel);
    s.in = s.kernel + vdnn_test_between(rng, -s.pad, 60);
    s.in = s.in < 1 ? 1 : s.in;
    return s;
}

/* Those of a picture, or of a volume, the depth first. */
typedef struct slides {
    slide at[VDNN_SIDES];
    int count;
} slides;

/* Often some dimensions are lines, so that others may be long. */
static slides draw_slides(vdnn_test_rng *rng, bool is_conv)
{
    static const slide line = {.in = 1, .kernel = 1, .stride = 1, .dilation = 1};
    slides s = {.count = once_in(rng, 4) ? VDNN_SIDES : VDNN_SIDES - 1};
    for (int d = 0; d < s.count; d++)
        s.at[d] = draw_slide(rng, is_conv);
    if (is_conv && once_in(rng, 3))
        for (int d = 0; d < s.count; d++)
            s.at[d] = draw_plain(rng);
    else if (once_in(rng, 3))
        s.at[vdnn_test_between(rng, 0, s.count - 1)] = line;
    return s;
}

static double cells_of(const slides *s, int64_t (*side)(const slide *))
{
    double cells = 1;
    for (int d = 0; d < s->count; d++)
        cells *= (double)side(&s->at[d]);
    return cells;
}

static unsigned borders_of(const slides *s)
{
    unsigned borders = (unsigned)s->count;
    for (int d = 0; d < s->count; d++)
        borders = borders * BORDERS + border_of(&s->at[d]);
    return borders;
}

static int64_t in_of(const slide *s)
{
    return s->in;
}

static int64_t kernel_of(const slide *s)
{
    return s->kernel;
}

/* Of a map, and of a pass of most; some convolutions are large enough for rows that need that. */
static const double most_cells = 8e3, most_products = 2e5, most_products_of_large = 4e6;

static int64_t stride_of(const slide *s)
{
    return s->stride;
}

static int64_t pad_of(const slide *s)
{
    return s->pad;
}

static int64_t dilation_of(const slide *s)
{
    return s->dilation;
}

/* Cells after the last window. */
static int64_t rest_of(const slide *s)
{
    return (s->in + 2 * s->pad - extent_of(s)) % s->stride;
}

/* Appends NAME and a number for each dimension, with an x between them. */
static void print_sides(const slides *s, const char *name, int64_t (*side)(const slide *),
                        char *text, size_t size)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "%s", name);
    for (int d = 0; d < s->count; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, d == 0 ? "" : "x",
                                 side(&s->at[d]));
}

static void print_slides(const slides *s, char text[WINDOW_BYTES])
{
    text[0] = '\0';
    print_sides(s, "kernel=", kernel_of, text, WINDOW_BYTES);
    print_sides(s, " stride=", stride_of, text, WINDOW_BYTES);
    print_sides(s, " pad=", pad_of, text, WINDOW_BYTES);
}

static void print_map(drawn *one, int64_t batch, int64_t channels, int64_t high, int64_t wide)
{
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64,
                   batch, channels, high, wide);
}

static void print_slid(drawn *one, int64_t batch, int64_t channels, const slides *s)
{
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x", batch, channels);
    print_sides(s, "", in_of, one->inputs, sizeof one->inputs);
}

static bool draw_conv(vdnn_test_rng *rng, drawn *one)
{
    char window[WINDOW_BYTES];
    const slides s = draw_slides(rng, true);
    int64_t groups = once_in(rng, 3) ? ONE_OF(rng, 2, 3, 16, 17) : 1;
    int64_t in = groups > 1 ? ONE_OF(rng, 1, 1, 2, 4, 5, 8, 16) : draw_channels(rng);
    int64_t out = groups == 1       ? draw_channels(rng)
                  : once_in(rng, 2) ? in
                                    : ONE_OF(rng, 1, 2, 5, 16);
    int64_t batch = draw_batch(rng);
    double outputs = (double)(batch * groups * out) * cells_of(&s, out_of);
    double products = once_in(rng, 9) ? most_products_of_large : most_products;
    if (outputs * (double)in * cells_of(&s, kernel_of) > products || outputs > most_cells ||
        (double)(batch * groups * in) * cells_of(&s, in_of) > most_cells)
        return false;
    print_slides(&s, window);
    print_sides(&s, " dilation=", dilation_of, window, sizeof window);
    (void)snprintf(one->keys, sizeof one->keys, "out=%" PRId64 " %s groups=%" PRId64 " bias=%s",
                   groups * out, window, groups, once_in(rng, 3) ? "false" : "true");
    print_slid(one, batch, groups * in, &s);
    one->borders = borders_of(&s) * 2 + (groups > 1);
    return true;
}

/* That which makes the input of a convolution of its output. */
static bool draw_conv_transpose(vdnn_test_rng *rng, drawn *one)
{
    char window[WINDOW_BYTES];
    slides s = draw_slides(rng, true);
    const int64_t groups = once_in(rng, 3) ? ONE_OF(rng, 2, 3, 16) : 1;
    const int64_t in = groups > 1 ? ONE_OF(rng, 1, 1, 2, 16) : draw_channels(rng);
    const int64_t out = groups > 1 ? ONE_OF(rng, 1, 1, 2, 16) : draw_channels(rng);
    const int64_t batch = draw_batch(rng);
    const double inputs = (double)(batch * groups * in) * cells_of(&s, out_of);
    if (inputs * (double)out * cells_of(&s, kernel_of) > most_products || inputs > most_cells ||
        (double)(batch * groups * out) * cells_of(&s, in_of) > most_cells)
        return false;
    print_slides(&s, window);
    print_sides(&s, " output_pad=", rest_of, window, sizeof window);
    print_sides(&s, " dilation=", dilation_of, window, sizeof window);
    (void)snprintf(one->keys, sizeof one->keys, "out=%" PRId64 " %s groups=%" PRId64 " bias=%s",
                   groups * out, window, groups, once_in(rng, 3) ? "false" : "true");
    one->borders = borders_of(&s) * 2 + (groups > 1);
    for (int d = 0; d < s.count; d++)
        s.at[d].in = out_of(&s.at[d]);
    print_slid(one, batch, groups * in, &s);
    return true;
}

static bool draw_pool(vdnn_test_rng *rng, drawn *one, const char *more)
{
    char window[WINDOW_BYTES];
    const slides s = draw_slides(rng, false);
    int64_t batch = draw_batch(rng), channels = draw_channels(rng);
    double maps = (double)(batch * channels);
    if (maps * cells_of(&s, out_of) * cells_of(&s, kernel_of) > most_products ||
        maps * cells_of(&s, in_of) > most_cells || maps * cells_of(&s, out_of) > most_cells)
        return false;
    print_slides(&s, window);
    bool ceil = once_in(rng, 2);
    (void)snprintf(one->keys, sizeof one->keys, "%s ceil=%s%s", window, ceil ? "true" : "false",
                   more);
    print_slid(one, batch, channels, &s);
    one->borders = borders_of(&s) * 2 + ceil;
    return true;
}

static bool draw_maxpool(vdnn_test_rng *rng, drawn *one)
{
    return draw_pool(rng, one, "");
}

static bool draw_avgpool(vdnn_test_rng *rng, drawn *one)
{
    return draw_pool(rng, one, once_in(rng, 2) ? " count_pad=false" : "");
}

/* ---- other layers ---------------------------------------------------------------------------- */

/* Beside the lengths of vectors, strips and tiles. */
static int64_t draw_side(vdnn_test_rng *rng)
{
    return ONE_OF(rng, 1, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 129);
}

typedef struct extents {
    int64_t batch, channels, high, wide;
} extents;

/* A class of each extent: 1, below a block, whole blocks, others. */
static unsigned class_of(int64_t extent)
{
    return extent == 1 ? 0 : extent < 16 ? 1 : extent % 16 == 0 ? 2 : 3;
}

static bool draw_extents(vdnn_test_rng *rng, drawn *one, extents *e)
{
    *e = (extents){draw_batch(rng), draw_channels(rng), draw_side(rng), draw_side(rng)};
    one->borders = ((class_of(e->batch) * 4 + class_of(e->channels)) * 4 + class_of(e->high)) * 4 +
                   class_of(e->wide);
    return (double)(e->batch * e->channels * e->high * e->wide) <= most_cells;
}

static bool draw_map(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    one->keys[0] = '\0';
    if (once_in(rng, 4)) /* a sequence */
        (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, e.batch,
                       e.high, e.channels);
    else
        print_map(one, e.batch, e.channels, e.high, e.wide);
    return true;
}

static bool draw_picture(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    one->keys[0] = '\0';
    print_map(one, e.batch, e.channels, e.high, e.wide);
    return true;
}

static bool draw_dropout(vdnn_test_rng *rng, drawn *one)
{
    static const char *const rates[] = {"p=0", "p=0.25", "p=0.5", "p=1"};
    bool is_drawn = draw_map(rng, one);
    (void)snprintf(one->keys, sizeof one->keys, "%s", rates[vdnn_test_between(rng, 0, 3)]);
    return is_drawn;
}

static bool draw_gelu(vdnn_test_rng *rng, drawn *one)
{
    bool is_drawn = draw_map(rng, one);
    (void)snprintf(one->keys, sizeof one->keys, "approximate=%s",
                   once_in(rng, 2) ? "tanh" : "none");
    return is_drawn;
}

static bool draw_upsample(vdnn_test_rng *rng, drawn *one)
{
    bool is_drawn = draw_picture(rng, one);
    const char *mode = once_in(rng, 2) ? "bilinear" : "nearest";
    int high = (int)vdnn_test_between(rng, 1, 4), wide = (int)vdnn_test_between(rng, 1, 4);
    if (is_drawn && once_in(rng, 4)) {
        size_t used = strlen(one->inputs); /* of a picture, whose height is the depth now */
        (void)snprintf(one->inputs + used, sizeof one->inputs - used, "x%d",
                       (int)vdnn_test_between(rng, 1, 20));
        (void)snprintf(one->keys, sizeof one->keys, "mode=%s scale=%dx%dx%d", mode, high, wide,
                       (int)vdnn_test_between(rng, 1, 3));
    } else {
        (void)snprintf(one->keys, sizeof one->keys, "mode=%s scale=%dx%d", mode, high, wide);
    }
    return is_drawn;
}

static bool draw_leaky_relu(vdnn_test_rng *rng, drawn *one)
{
    static const char *const slopes[] = {"slope=0", "slope=0.01", "slope=0.5", "slope=2"};
    bool is_drawn = draw_map(rng, one);
    (void)snprintf(one->keys, sizeof one->keys, "%s", slopes[vdnn_test_between(rng, 0, 3)]);
    return is_drawn;
}

static bool draw_scale(vdnn_test_rng *rng, drawn *one)
{
    static const char *const factors[] = {"factor=0", "factor=-0.25", "factor=2", "factor=1.7"};
    bool is_drawn = draw_map(rng, one);
    (void)snprintf(one->keys, sizeof one->keys, "%s", factors[vdnn_test_between(rng, 0, 3)]);
    return is_drawn;
}

static bool draw_fc(vdnn_test_rng *rng, drawn *one)
{
    if (!draw_map(rng, one))
        return false;
    (void)snprintf(one->keys, sizeof one->keys, "out=%" PRId64 " bias=%s", draw_channels(rng),
                   once_in(rng, 3) ? "false" : "true");
    return true;
}

/* As many inputs as may have other channels. */
static bool draw_inputs(vdnn_test_rng *rng, drawn *one, bool is_same)
{
    extents e;
    size_t used = 0;
    int64_t count = vdnn_test_between(rng, is_same ? 2 : 1, 5);
    if (!draw_extents(rng, one, &e))
        return false;
    for (int64_t i = 0; i < count; i++) {
        used += (size_t)snprintf(one->inputs + used, sizeof one->inputs - used,
                                 "%s%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64, i > 0 ? " " : "",
                                 e.batch, e.channels, e.high, e.wide);
        e.channels = is_same ? e.channels : draw_channels(rng);
    }
    one->keys[0] = '\0';
    one->borders = one->borders * 8 + (unsigned)count;
    return true;
}

static bool draw_add(vdnn_test_rng *rng, drawn *one)
{
    return draw_inputs(rng, one, true);
}

static bool draw_concat(vdnn_test_rng *rng, drawn *one)
{
    return draw_inputs(rng, one, false);
}

/* Sizes up to more channels than there are. */
static bool draw_lrn(vdnn_test_rng *rng, drawn *one)
{
    int64_t size = ONE_OF(rng, 1, 2, 3, 5, 6, 33, 70);
    bool is_drawn = draw_picture(rng, one);
    (void)snprintf(one->keys, sizeof one->keys, "size=%" PRId64 " alpha=2 beta=0.6", size);
    one->borders = one->borders * 8 + (unsigned)(size % 8);
    return is_drawn;
}

/* Of values enough that their variance is not all rounding. */
static bool draw_batchnorm(vdnn_test_rng *rng, drawn *one)
{
    enum { LEAST = 12 };
    extents e;
    if (!draw_extents(rng, one, &e) || e.batch * e.high * e.wide < LEAST)
        return false;
    (void)snprintf(one->keys, sizeof one->keys, "eps=0.001");
    print_map(one, e.batch, e.channels, e.high, e.wide);
    return true;
}

/* Groups of which few values are not all rounding. */
static bool draw_grouped(vdnn_test_rng *rng, drawn *one, bool has_groups)
{
    enum { LEAST = 12 };
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    const int64_t groups =
        has_groups ? ONE_OF(rng, 1, e.channels, e.channels % 2 == 0 ? 2 : 1) : e.channels;
    const int64_t size = e.channels / groups * e.high * e.wide;
    if (size < 2)
        return false;
    int used =
        has_groups ? snprintf(one->keys, sizeof one->keys, "groups=%" PRId64 " ", groups) : 0;
    (void)snprintf(one->keys + used, sizeof one->keys - (size_t)used, "eps=%s affine=%s",
                   size < LEAST ? "0.5" : "0.001", once_in(rng, 2) ? "true" : "false");
    print_map(one, e.batch, e.channels, e.high, e.wide);
    return true;
}

static bool draw_groupnorm(vdnn_test_rng *rng, drawn *one)
{
    return draw_grouped(rng, one, true);
}

static bool draw_instancenorm(vdnn_test_rng *rng, drawn *one)
{
    return draw_grouped(rng, one, false);
}

/* Vectors and sequences, in which few values are not all rounding. */
static bool draw_layernorm(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    const int64_t width = ONE_OF(rng, e.channels, e.channels * e.high, e.wide);
    (void)snprintf(one->keys, sizeof one->keys, "eps=%s", width < 12 ? "0.5" : "0.001");
    if (once_in(rng, 3))
        (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64, e.batch, width);
    else
        (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, e.batch,
                       e.high, width);
    return true;
}

static bool draw_embedding(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    (void)snprintf(one->keys, sizeof one->keys, "out=%" PRId64, e.channels);
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "<%" PRId64, e.batch,
                   e.high, e.wide);
    return true;
}

/* Beside one and two blocks of queries, and of keys. */
static int64_t draw_length(vdnn_test_rng *rng)
{
    return ONE_OF(rng, 1, 2, 17, 63, 64, 65, 127, 128, 129, 257);
}

static bool draw_attention(vdnn_test_rng *rng, drawn *one)
{
    int64_t batch = ONE_OF(rng, 1, 2), queries = draw_length(rng), keys = draw_length(rng);
    int64_t width = draw_channels(rng), kv_heads = ONE_OF(rng, 1, 2);
    int64_t heads = kv_heads * ONE_OF(rng, 1, 2, 3);
    bool is_causal = once_in(rng, 2), is_packed = once_in(rng, 2);
    keys = is_packed || is_causal ? queries : keys;
    if (keys == 1 && !is_packed) /* the gradients of q and k are rounding alone */
        return false;
    if ((double)(batch * heads * queries * keys * width) > 4e6)
        return false;
    (void)snprintf(one->keys, sizeof one->keys, "heads=%" PRId64 " kv_heads=%" PRId64 " causal=%s",
                   heads, kv_heads, is_causal ? "true" : "false");
    int used;
    if (is_packed)
        used = snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, batch,
                        queries, (heads + 2 * kv_heads) * width);
    else
        used = snprintf(one->inputs, sizeof one->inputs,
                        "%" PRId64 "x%" PRId64 "x%" PRId64 " %" PRId64 "x%" PRId64 "x%" PRId64
                        " %" PRId64 "x%" PRId64 "x%" PRId64,
                        batch, queries, heads * width, batch, keys, kv_heads * width, batch, keys,
                        kv_heads * width);
    if (is_packed && once_in(rng, 3)) /* lengths */
        (void)snprintf(one->inputs + used, sizeof one->inputs - (size_t)used,
                       " %" PRId64 "x1<%" PRId64, batch, keys + 1);
    one->borders = ((unsigned)queries * 300 + (unsigned)keys) * 4 + 2 * is_causal + is_packed;
    return true;
}

static bool draw_additive_attention(vdnn_test_rng *rng, drawn *one)
{
    int64_t batch = ONE_OF(rng, 1, 2, 5), queries = draw_length(rng), keys = draw_length(rng);
    int64_t width = draw_channels(rng), of_v = draw_channels(rng);
    if (keys == 1) /* the gradients of q and k are rounding alone */
        return false;
    if ((double)(batch * queries * keys) * (double)(width + of_v) > 4e6)
        return false;
    int used = snprintf(one->inputs, sizeof one->inputs,
                        "%" PRId64 "x%" PRId64 "x%" PRId64 " %" PRId64 "x%" PRId64 "x%" PRId64
                        " %" PRId64 "x%" PRId64 "x%" PRId64,
                        batch, queries, width, batch, keys, width, batch, keys, of_v);
    if (batch > 2 && once_in(rng, 2)) /* lengths */
        (void)snprintf(one->inputs + used, sizeof one->inputs - (size_t)used,
                       " %" PRId64 "x1<%" PRId64, batch, keys + 1);
    one->keys[0] = '\0';
    one->borders = (unsigned)queries * 300 + (unsigned)keys;
    return true;
}

/* With weights as large as those of the tests, many cells amplify roundings from position to
 * position. No row of a card computes chunks. */
static bool draw_lstm(vdnn_test_rng *rng, drawn *one)
{
    enum { MOST = 150 };
    extents e;
    if (!draw_extents(rng, one, &e) || e.wide * e.high > MOST)
        return false;
    (void)snprintf(one->keys, sizeof one->keys,
                   "out=%" PRId64 " reverse=%s biases=%" PRId64 " projection=%" PRId64
                   " chunk=%" PRId64,
                   e.wide, once_in(rng, 2) ? "true" : "false", ONE_OF(rng, 0, 1, 2),
                   e.high > 2 ? 0 : ONE_OF(rng, 0, 1, 15, 48, 70),
                   device == NULL ? ONE_OF(rng, 0, 0, 1, 7, 40) : 0);
    int used = snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64,
                        e.batch, e.high, e.channels);
    if (once_in(rng, 3)) /* how many positions are valid */
        (void)snprintf(one->inputs + used, sizeof one->inputs - (size_t)used,
                       " %" PRId64 "x1<%" PRId64, e.batch, e.high + 1);
    return true;
}

static bool draw_parameter(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    bool is_before = once_in(rng, 2);
    int64_t more = is_before ? e.wide : e.high + ONE_OF(rng, 0, 1, 40);
    (void)snprintf(one->keys, sizeof one->keys, "length=%" PRId64 " join=%s", more,
                   is_before ? "before" : "add");
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, e.batch,
                   e.high, e.channels);
    return true;
}

static bool draw_rope(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    int64_t heads = ONE_OF(rng, 1, 2, 3), kv_heads = ONE_OF(rng, 0, 0, 1, 2);
    (void)snprintf(one->keys, sizeof one->keys,
                   "heads=%" PRId64 " kv_heads=%" PRId64 " interleaved=%s", heads, kv_heads,
                   once_in(rng, 2) ? "true" : "false");
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, e.batch,
                   e.high, (heads + 2 * kv_heads) * 2 * e.channels);
    return true;
}

static bool draw_slice_of_sequence(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    int64_t begin = vdnn_test_between(rng, 0, e.high - 1);
    (void)snprintf(one->keys, sizeof one->keys, "begin=%" PRId64 " count=%" PRId64, begin,
                   ONE_OF(rng, 1, e.high - begin));
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, e.batch,
                   e.high, e.channels);
    return true;
}

static bool draw_loss(vdnn_test_rng *rng, drawn *one)
{
    bool is_drawn = draw_map(rng, one);
    if (is_drawn && once_in(rng, 3))
        (void)snprintf(one->keys, sizeof one->keys, "ignore=0%s",
                       once_in(rng, 2) ? " smoothing=0.3" : "");
    return is_drawn;
}

static bool draw_bce(vdnn_test_rng *rng, drawn *one)
{
    bool is_drawn = draw_map(rng, one);
    if (is_drawn && once_in(rng, 2))
        (void)snprintf(one->keys, sizeof one->keys, "positive_weight=%s",
                       once_in(rng, 3) ? "0" : "7.5");
    return is_drawn;
}

static bool draw_dice(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e))
        return false;
    (void)snprintf(one->keys, sizeof one->keys, "background=true cross_entropy=%s smooth=%s%s%s",
                   once_in(rng, 2) ? "0" : "1.5", once_in(rng, 3) ? "0" : "0.3",
                   once_in(rng, 3) ? " ignore=0" : "", once_in(rng, 3) ? " batch=true" : "");
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, e.batch,
                   e.high * e.wide, e.channels);
    return true;
}

static bool draw_sampled_loss(vdnn_test_rng *rng, drawn *one)
{
    extents e;
    if (!draw_extents(rng, one, &e) || e.high * e.batch > 600)
        return false;
    (void)snprintf(one->keys, sizeof one->keys, "samples=%" PRId64 "%s",
                   vdnn_test_between(rng, 1, e.channels), once_in(rng, 3) ? " ignore=0" : "");
    (void)snprintf(one->inputs, sizeof one->inputs, "%" PRId64 "x%" PRId64 "x%" PRId64, e.batch,
                   e.high, e.channels);
    return true;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* `count`: layers at full count. */
static const struct {
    const char *type;
    bool (*draw)(vdnn_test_rng *rng, drawn *one);
    int count;
} types[] = {
    {"conv", draw_conv, 4000},
    {"conv_transpose", draw_conv_transpose, 1000},
    {"maxpool", draw_maxpool, 1000},
    {"avgpool", draw_avgpool, 1000},
    {"fc", draw_fc, 600},
    {"relu", draw_map, 300},
    {"gelu", draw_gelu, 200},
    {"silu", draw_map, 200},
    {"tanh", draw_map, 200},
    {"sigmoid", draw_map, 200},
    {"relu6", draw_map, 200},
    {"leaky_relu", draw_leaky_relu, 200},
    {"hardswish", draw_map, 200},
    {"scale", draw_scale, 200},
    {"convert", draw_picture, 300},
    {"dropout", draw_dropout, 300},
    {"flatten", draw_map, 300},
    {"concat", draw_concat, 600},
    {"add", draw_add, 600},
    {"mul", draw_add, 600},
    {"upsample", draw_upsample, 300},
    {"global_avgpool", draw_map, 300},
    {"lrn", draw_lrn, 600},
    {"batchnorm", draw_batchnorm, 600},
    {"groupnorm", draw_groupnorm, 600},
    {"instancenorm", draw_instancenorm, 300},
    {"layernorm", draw_layernorm, 600},
    {"rmsnorm", draw_layernorm, 300},
    {"embedding", draw_embedding, 300},
    {"attention", draw_attention, 300},
    {"additive_attention", draw_additive_attention, 200},
    {"lstm", draw_lstm, 300},
    {"parameter", draw_parameter, 300},
    {"rope", draw_rope, 300},
    {"slice", draw_slice_of_sequence, 300},
    {"to_sequence", draw_picture, 300},
    {"softmax_loss", draw_loss, 600},
    {"mse", draw_map, 300},
    {"bce", draw_bce, 300},
    {"dice", draw_dice, 300},
    {"sampled_softmax", draw_sampled_loss, 200},
};
enum { TYPES = sizeof types / sizeof *types };

enum { PLACES = 1 << 16, TRIES = 6 };

/* How often each combination of borders was drawn, by a hash. */
static unsigned short drawn_before[PLACES];

static unsigned place_of(size_t type, unsigned borders)
{
    return (borders * 2654435761U + (unsigned)type * 40503U) >> 16 & (PLACES - 1);
}

/* Of some that are small enough the rarest. */
static drawn draw(vdnn_test_rng *rng, size_t type)
{
    drawn best, next;
    unsigned least = 0;
    for (int tries = 0; tries < TRIES;) {
        if (!types[type].draw(rng, &next))
            continue;
        unsigned before = drawn_before[place_of(type, next.borders)];
        if (tries++ == 0 || before < least) {
            best = next;
            least = before;
        }
    }
    drawn_before[place_of(type, best.borders)]++;
    return best;
}

/* ---- a layer --------------------------------------------------------------------------------- */

enum { MOST_ROWS = 256 };

/* Layers that each row of the registry computed. */
static int computed[MOST_ROWS][VDNN_PASS_COUNT];

static void run_row(vdnn_bench *bench, size_t row, vdnn_pass pass, int threads)
{
    const vdnn_algorithm *algorithm = vdnn_algorithm_at(row);
    if (!vdnn_row_begin(vdnn_row_of(bench->layer, algorithm, pass)))
        return;
    if (vdnn_row_ok(vdnn_bench_run(bench, algorithm, pass, threads, 0xff)))
        (void)vdnn_row_within(vdnn_bench_error(bench, pass),
                              vdnn_bench_error_bound(bench, algorithm, pass));
    vdnn_row_end();
    computed[row][pass]++;
}

/* By every row; a pass that no row computes fails. */
static void run_pass(vdnn_bench *bench, vdnn_pass pass, int threads)
{
    int applying = 0;
    vdnn_bench_refer(bench, pass);
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (strcmp(row->device, kind) != 0 ||
            strcmp(row->layer_type, bench->layer->def->type) != 0 ||
            vdnn_algorithm_refusal(row, bench->layer, pass) != NULL)
            continue;
        run_row(bench, i, pass, threads);
        applying++;
    }
    if (applying == 0 && vdnn_row_begin(vdnn_row_of(bench->layer, NULL, pass))) {
        vdnn_row_fail("no row computes it");
        vdnn_row_end();
    }
}

/* In one of its forms. */
static void run_layer(vdnn_test_rng *rng, const vdnn_layer_case *one)
{
    vdnn_layer *layer = NULL;
    vdnn_layer_form form;
    do
        form = vdnn_layer_forms[vdnn_test_between(rng, 0, VDNN_LAYER_FORMS - 1)];
    while (!vdnn_layer_form_exists(kind, device != NULL, one, form));
    vdnn_rule rule = (vdnn_rule)vdnn_test_between(rng, 0, VDNN_RULE_COUNT - 1);
    int threads = device == NULL && once_in(rng, 4) ? (int)vdnn_test_between(rng, 2, 3) : 1;
    assert_ok(vdnn_layer_case_build_as(one, rule, form, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_random(rng));
    bench->device = device;
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
        if (vdnn_layer_has_pass(layer, pass))
            run_pass(bench, pass, threads);
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

static void print_counts(void)
{
    for (size_t i = 0; i < vdnn_algorithm_count(); i++)
        if (computed[i][VDNN_FORWARD] + computed[i][VDNN_BACKWARD_DATA] +
                computed[i][VDNN_BACKWARD_FILTER] >
            0)
            print_message("%-14s %-22s %-5s forward %5d  backward data %5d  backward filter %5d\n",
                          vdnn_algorithm_at(i)->layer_type, vdnn_algorithm_at(i)->name,
                          vdnn_algorithm_at(i)->device, computed[i][VDNN_FORWARD],
                          computed[i][VDNN_BACKWARD_DATA], computed[i][VDNN_BACKWARD_FILTER]);
}

/* Over the emulation a kernel takes some ten times as long. */
TEST(every_row_is_right_at_the_borders)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    assert_true(vdnn_algorithm_count() <= MOST_ROWS);
    vdnn_rows_begin(__func__, device);
    for (size_t t = 0; t < TYPES; t++) {
        int count = vdnn_test_count(types[t].count / (device == NULL ? 1 : 12));
        for (int i = 0; i < count; i++) {
            drawn one = draw(&rng, t);
            run_layer(&rng, &(vdnn_layer_case){types[t].type, one.keys, one.inputs});
        }
    }
    print_counts();
    vdnn_rows_end();
}

/* Kernels of a card count the cells of a plane in int. */
TEST(a_plane_beyond_31_bits_is_refused_by_kernels_that_count_in_them)
{
    static const vdnn_layer_case large = {"conv", "out=1 kernel=1", "1x1x40000x60000"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&large, VDNN_RULE_LEAN, &layer));
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        bool is_taken = strcmp(row->layer_type, "conv") == 0 && strcmp(row->device, kind) == 0 &&
                        vdnn_algorithm_refusal(row, layer, VDNN_FORWARD) == NULL;
        if (is_taken && (device != NULL || strcmp(row->name, "direct") == 0))
            fail_msg("%s takes 2.4e9 cells", row->name);
    }
    vdnn_layer_case_destroy(layer);
}

TEST(every_type_is_drawn)
{
    for (size_t i = 0; i < vdnn_layer_def_count(); i++) {
        bool is_drawn = false;
        for (size_t t = 0; t < TYPES; t++)
            is_drawn = is_drawn || strcmp(types[t].type, vdnn_layer_def_at(i)->type) == 0;
        if (!is_drawn)
            fail_msg("no layer of type '%s' is drawn", vdnn_layer_def_at(i)->type);
    }
}

int main(void)
{
    return vdnn_test_main_on(kind, &device);
}
