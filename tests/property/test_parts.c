/* Every row of the table of algorithms on random layers, whole and in 2, 3 and 7 parts along the
 * batch and along the output channels.
 *
 * Where a row says that its bits do not depend on the batch or on the channels (vdnn_algorithm), a
 * part has those of the whole; where it does not, a part is as near to the reference as any layer
 * of its shape, and some part of some layer here has other bits, or the row could say more.
 * Gradients that are sums over parts are within the bound of such a sum.
 */

#include "layers/part.h"
#include "tests/support/error_bound.h"
#include "tests/support/gpu.h"
#include "tests/support/layer_case.h"
#include "tests/support/rows.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef VDNN_TEST_DEVICE
static const char *const kind = VDNN_TEST_DEVICE;
#else
static const char *const kind = "cpu";
#endif

static vdnn_device *device; /* NULL: the CPU's kernels are given the tests' own memory */

enum { THREADS = 2, MOST_PARTS = 7, TEXT = 128, SEED = 3 };

static const int64_t counts[] = {2, 3, MOST_PARTS};
enum { COUNTS = sizeof counts / sizeof *counts };

/* ---- random layers --------------------------------------------------------------------------- */

/* Keys and inputs of a layer. */
typedef struct recipe {
    char keys[TEXT], inputs[TEXT];
} recipe;

/* Of few elements: references are slow. */
typedef struct sizes {
    int64_t n, c, h, w;
} sizes;

static int64_t random_channels(vdnn_test_rng *rng)
{
    return vdnn_test_between(rng, 0, 2) > 0 ? vdnn_test_between(rng, 1, 20)
                                            : 16 * vdnn_test_between(rng, 1, 3);
}

static sizes random_sizes(vdnn_test_rng *rng)
{
    return (sizes){vdnn_test_between(rng, 2, 10), random_channels(rng),
                   vdnn_test_between(rng, 3, 9), vdnn_test_between(rng, 3, 9)};
}

static void set_inputs(recipe *r, sizes s)
{
    (void)snprintf(r->inputs, TEXT, "%dx%dx%dx%d", (int)s.n, (int)s.c, (int)s.h, (int)s.w);
}

static void one_map(vdnn_test_rng *rng, recipe *r)
{
    set_inputs(r, random_sizes(rng));
}

static void conv(vdnn_test_rng *rng, recipe *r)
{
    static const int sides[] = {1, 3, 3, 5, 7};
    sizes s = random_sizes(rng);
    int side = sides[vdnn_test_between(rng, 0, 4)];
    int64_t groups = vdnn_test_between(rng, 0, 3) > 0 ? 1 : vdnn_test_between(rng, 2, 9);
    int64_t out = groups == 1 ? random_channels(rng) : groups * vdnn_test_between(rng, 1, 16);
    s.c = groups == 1 ? s.c : groups * vdnn_test_between(rng, 1, 16);
    (void)snprintf(r->keys, TEXT, "out=%d kernel=%d pad=%d stride=%d groups=%d bias=%s", (int)out,
                   side, (int)vdnn_test_between(rng, side / 2, side - 1),
                   (int)vdnn_test_between(rng, 1, side > 1 ? 2 : 1), (int)groups,
                   vdnn_test_between(rng, 0, 1) ? "true" : "false");
    set_inputs(r, s);
}

static void transposed(vdnn_test_rng *rng, recipe *r)
{
    const int side = (int)vdnn_test_between(rng, 2, 4),
              groups = vdnn_test_between(rng, 0, 3) > 0 ? 1 : (int)vdnn_test_between(rng, 2, 5),
              in_group = (int)vdnn_test_between(rng, 1, 20);
    const int out = groups * in_group;
    sizes s = random_sizes(rng);
    s.c = groups == 1 ? s.c : groups * vdnn_test_between(rng, 1, 16);
    (void)snprintf(r->keys, TEXT, "out=%d kernel=%d pad=%d stride=%d groups=%d bias=%s", out, side,
                   (int)vdnn_test_between(rng, 0, (side - 1) / 2),
                   (int)vdnn_test_between(rng, 1, 2), groups,
                   vdnn_test_between(rng, 0, 1) ? "true" : "false");
    set_inputs(r, s);
}

static void fc(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "out=%d", (int)vdnn_test_between(rng, 1, 90));
    one_map(rng, r);
}

static void sequence(vdnn_test_rng *rng, recipe *r)
{
    sizes s = random_sizes(rng);
    (void)snprintf(r->inputs, TEXT, "%dx%dx%d", (int)s.n, (int)s.h, (int)s.c);
}

static void masks(vdnn_test_rng *rng, recipe *r)
{
    sequence(rng, r);
    (void)snprintf(r->keys, TEXT, "background=true cross_entropy=0.5 ignore=0");
}

static void fc_of_sequence(vdnn_test_rng *rng, recipe *r)
{
    fc(rng, r);
    sequence(rng, r);
}

static void tokens(vdnn_test_rng *rng, recipe *r)
{
    sizes s = random_sizes(rng);
    (void)snprintf(r->keys, TEXT, "out=%d", (int)vdnn_test_between(rng, 1, 40));
    (void)snprintf(r->inputs, TEXT, "%dx%d<%d", (int)s.n, (int)s.h, (int)s.c);
}

static void attention(vdnn_test_rng *rng, recipe *r)
{
    sizes s = random_sizes(rng);
    int kv_heads = (int)vdnn_test_between(rng, 1, 2);
    int heads = kv_heads * (int)vdnn_test_between(rng, 1, 2);
    (void)snprintf(r->keys, TEXT, "heads=%d kv_heads=%d causal=%s", heads, kv_heads,
                   vdnn_test_between(rng, 0, 1) ? "true" : "false");
    (void)snprintf(r->inputs, TEXT, "%dx%dx%d", (int)s.n, (int)s.h,
                   (heads + 2 * kv_heads) * (int)vdnn_test_between(rng, 1, 20));
}

static void additive_attention(vdnn_test_rng *rng, recipe *r)
{
    sizes s = random_sizes(rng);
    int n = (int)s.n, keys = (int)vdnn_test_between(rng, 2, 40), c = (int)s.c;
    int used = snprintf(r->inputs, TEXT, "%dx%dx%d %dx%dx%d %dx%dx%d", n, (int)s.h, c, n, keys, c,
                        n, keys, (int)vdnn_test_between(rng, 1, 70));
    if (vdnn_test_between(rng, 0, 1) == 1)
        (void)snprintf(r->inputs + used, TEXT - (size_t)used, " %dx1<%d", n, keys + 1);
}

static void sampled(vdnn_test_rng *rng, recipe *r)
{
    sizes s = random_sizes(rng);
    (void)snprintf(r->keys, TEXT, "samples=%d", (int)vdnn_test_between(rng, 1, s.c));
    (void)snprintf(r->inputs, TEXT, "%dx%dx%d", (int)s.n, (int)s.h, (int)s.c);
}

static void memory(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "out=%d reverse=%s biases=%d projection=%d",
                   (int)vdnn_test_between(rng, 1, 60),
                   vdnn_test_between(rng, 0, 1) == 1 ? "true" : "false",
                   (int)vdnn_test_between(rng, 0, 2), 4 * (int)vdnn_test_between(rng, 0, 1));
    sizes s = random_sizes(rng);
    int used = snprintf(r->inputs, TEXT, "%dx%dx%d", (int)s.n, (int)s.h, (int)s.c);
    if (vdnn_test_between(rng, 0, 1) == 1)
        (void)snprintf(r->inputs + used, TEXT - (size_t)used, " %dx1<%d", (int)s.n, (int)s.h + 1);
}

static void rope(vdnn_test_rng *rng, recipe *r)
{
    sizes s = random_sizes(rng);
    (void)snprintf(r->keys, TEXT, "heads=2 kv_heads=1");
    (void)snprintf(r->inputs, TEXT, "%dx%dx%d", (int)s.n, (int)s.h, 8 * (int)s.w);
}

static void slice(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "begin=1 count=2");
    sequence(rng, r);
}

static void larger(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "mode=%s scale=%d",
                   vdnn_test_between(rng, 0, 1) ? "nearest" : "bilinear",
                   (int)vdnn_test_between(rng, 1, 3));
    one_map(rng, r);
}

static void parameter(vdnn_test_rng *rng, recipe *r)
{
    static const char *const keys[] = {"", "length=60", "join=before length=2"};
    (void)snprintf(r->keys, TEXT, "%s", keys[vdnn_test_between(rng, 0, 2)]);
    sequence(rng, r);
}

static void window(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "kernel=%d stride=%d pad=%d", (int)vdnn_test_between(rng, 2, 3),
                   (int)vdnn_test_between(rng, 1, 3), (int)vdnn_test_between(rng, 0, 1));
    one_map(rng, r);
}

static void one_group(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "groups=1 eps=0.1");
    one_map(rng, r);
}

static void half(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "p=0.5");
    one_map(rng, r);
}

static void threefold(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "factor=3");
    one_map(rng, r);
}

static void neighbours(vdnn_test_rng *rng, recipe *r)
{
    (void)snprintf(r->keys, TEXT, "size=%d alpha=2", (int)vdnn_test_between(rng, 2, 6));
    one_map(rng, r);
}

/* The same shape thrice. */
static void repeat_input(recipe *r)
{
    size_t length = strlen(r->inputs);
    for (size_t i = 1; i < 3; i++) {
        r->inputs[i * (length + 1) - 1] = ' ';
        memcpy(r->inputs + i * (length + 1), r->inputs, length + 1);
        r->inputs[i * (length + 1) + length] = '\0';
    }
}

static void three_maps(vdnn_test_rng *rng, recipe *r)
{
    one_map(rng, r);
    repeat_input(r);
}

static void three_sequences(vdnn_test_rng *rng, recipe *r)
{
    sequence(rng, r);
    repeat_input(r);
}

static const struct {
    const char *type;
    void (*write)(vdnn_test_rng *rng, recipe *r);
    int times; /* as many layers as of others */
} recipes[] = {
    {"conv", conv, 6},
    {"conv_transpose", transposed, 2},
    {"fc", fc, 3},
    {"maxpool", window, 2},
    {"avgpool", window, 2},
    {"relu", one_map, 1},
    {"gelu", one_map, 1},
    {"silu", sequence, 1},
    {"tanh", one_map, 1},
    {"sigmoid", one_map, 1},
    {"relu6", one_map, 1},
    {"leaky_relu", one_map, 1},
    {"hardswish", one_map, 1},
    {"scale", threefold, 1},
    {"dropout", half, 1},
    {"flatten", one_map, 1},
    {"flatten", sequence, 1},
    {"concat", three_maps, 1},
    {"concat", three_sequences, 1},
    {"convert", one_map, 1},
    {"add", three_maps, 1},
    {"mul", three_maps, 1},
    {"upsample", larger, 1},
    {"global_avgpool", one_map, 1},
    {"lrn", neighbours, 1},
    {"batchnorm", one_map, 2},
    {"softmax_loss", one_map, 2},
    {"embedding", tokens, 1},
    {"attention", attention, 2},
    {"additive_attention", additive_attention, 2},
    {"parameter", parameter, 2},
    {"rope", rope, 1},
    {"slice", slice, 1},
    {"to_sequence", one_map, 1},
    {"groupnorm", one_group, 1},
    {"instancenorm", one_map, 1},
    {"layernorm", sequence, 2},
    {"rmsnorm", sequence, 1},
    {"fc", fc_of_sequence, 1},
    {"global_avgpool", sequence, 1},
    {"lstm", memory, 1},
    {"softmax_loss", sequence, 1},
    {"mse", one_map, 1},
    {"bce", one_map, 1},
    {"mse", sequence, 1},
    {"dice", masks, 1},
    {"sampled_softmax", sampled, 1},
};

enum { RECIPES = sizeof recipes / sizeof *recipes };

static const struct {
    const char *device;
    vdnn_layer_form form;
} forms[] = {
    {"cpu", {VDNN_F32, VDNN_NCHW, VDNN_NCHW, false}},
    {"cpu", {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false}},
    {"cpu", {VDNN_F32, VDNN_NCHW, VDNN_NCHW16C, false}},
    {"cpu", {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW, false}},
    {"cpu", {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, false}},
    {"cpu", {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW16C, false}},
    {"cuda", {VDNN_F32, VDNN_NCHW, VDNN_NCHW, false}},
    {"cuda", {VDNN_TF32, VDNN_NHWC, VDNN_NHWC, false}},
    {"cuda", {VDNN_BF16, VDNN_NHWC, VDNN_NHWC, false}},
};

enum { FORMS = sizeof forms / sizeof *forms };

static bool has_form(const vdnn_layer_def *def, size_t f)
{
    const vdnn_layer_form *form = &forms[f].form;
    bool is_chosen = form->preferred == form->layout || def->layout_rule == VDNN_LAYOUT_FREE;
    return strcmp(forms[f].device, kind) == 0 && vdnn_device_refusal(kind, form->dtype) == NULL &&
           is_chosen && (form->layout == VDNN_NCHW || def->layout_rule != VDNN_LAYOUT_PLAIN);
}

/* ---- what rows state ------------------------------------------------------------------------- */

static bool is_stated(const vdnn_algorithm *row, vdnn_pass pass, vdnn_axis axis)
{
    unsigned passes = axis == VDNN_AXIS_SAMPLES ? row->batch_invariant : row->channel_invariant;
    return (passes & 1U << pass) != 0;
}

/* Parts with other bits than the whole, by rows that do not state that they have the same. */
static int differing;

static const vdnn_algorithm *only; /* this one row; NULL: all */

/* ---- a part of a bench ----------------------------------------------------------------------- */

typedef struct piece {
    vdnn_part part;
    vdnn_layer layer;
    vdnn_bench *bench;
    bool is_referred[VDNN_PASS_COUNT]; /* the bench has the reference's results */
} piece;

/* A layer in parts. */
typedef struct cut {
    vdnn_axis axis;
    int64_t count;
    piece pieces[MOST_PARTS];
} cut;

static void gather(const vdnn_stripes *at, const vdnn_bench_buffer *whole, vdnn_bench_buffer *own)
{
    vdnn_stripes compact = vdnn_part_compact(at);
    assert_int_equal((size_t)at->count * at->bytes, own->bytes);
    assert_ok(vdnn_elementwise_find("cpu")->move(at, whole->data, &compact, own->data, 1, NULL));
}

static bool has_same_bits(const vdnn_stripes *at, const vdnn_bench_buffer *whole,
                          const unsigned char *own)
{
    bool is_same = true;
    for (int64_t i = 0; i < at->count; i++)
        is_same = is_same && memcmp(whole->data + at->offset + (size_t)i * at->stride,
                                    own + (size_t)i * at->bytes, at->bytes) == 0;
    return is_same;
}

/* Parts of the batch are in the map of the whole, at whatever address that is. */
static void shift_maps(const vdnn_layer *layer, piece *own)
{
    size_t y = vdnn_part_y(layer, &own->part).offset;
    vdnn_bench_shift(&own->bench->y, y);
    vdnn_bench_shift(&own->bench->dy, y);
    for (int32_t i = 0; i < layer->input_count; i++) {
        size_t x = vdnn_part_x(layer, &own->part, i).offset;
        vdnn_bench_shift(&own->bench->x[i], x);
        vdnn_bench_shift(&own->bench->dx[i], x);
    }
}

static void gather_inputs(const vdnn_bench *whole, piece *own)
{
    const vdnn_layer *layer = whole->layer;
    vdnn_stripes y = vdnn_part_y(layer, &own->part);
    size_t labels = whole->labels.bytes / (size_t)layer->x[0].dims[VDNN_N]; /* of a sample */
    gather(&y, &whole->dy, &own->bench->dy);
    for (int32_t i = 0; i < layer->input_count; i++) {
        vdnn_stripes x = vdnn_part_x(layer, &own->part, i);
        gather(&x, &whole->x[i], &own->bench->x[i]);
    }
    for (int32_t p = 0; p < layer->param_count; p++) {
        vdnn_stripes w = vdnn_part_param(layer, &own->part, p);
        memcpy(own->bench->w.data + own->layer.params[p].offset, whole->w.data + w.offset, w.bytes);
    }
    memcpy(own->bench->labels.data, whole->labels.data + (size_t)own->part.first_sample * labels,
           (size_t)own->part.samples * labels);
}

static void piece_init(const vdnn_bench *whole, const cut *of, int64_t i, piece *own)
{
    const vdnn_layer *layer = whole->layer;
    assert_ok(vdnn_part_cut(layer, of->axis, of->count, i, &own->part));
    assert_ok(vdnn_part_init(layer, &own->part, &own->layer));
    memset(own->is_referred, 0, sizeof own->is_referred);
    own->bench = vdnn_bench_create(&own->layer, 1);
    own->bench->device = whole->device;
    own->bench->first_sample = own->part.first_sample;
    own->bench->weight = (double)own->part.samples / (double)layer->x[0].dims[VDNN_N];
    if (of->axis == VDNN_AXIS_SAMPLES)
        shift_maps(layer, own);
    gather_inputs(whole, own);
}

/* ---- one part beside the whole --------------------------------------------------------------- */

typedef struct question {
    vdnn_bench *whole;
    const vdnn_algorithm *row;
    vdnn_pass pass;
} question;

static bool is_loss(const vdnn_layer *layer)
{
    return layer->y.dims[VDNN_N] != layer->x[0].dims[VDNN_N];
}

static bool has_same_params(const vdnn_bench *whole, const piece *own)
{
    bool is_same = true;
    for (int32_t p = 0; p < whole->layer->param_count; p++) {
        vdnn_stripes at = vdnn_part_param(whole->layer, &own->part, p);
        if (whole->layer->params[p].trainable)
            is_same = is_same && has_same_bits(&at, &whole->dw,
                                               own->bench->dw.data + own->layer.params[p].offset);
    }
    return is_same;
}

static bool has_same_forward(const vdnn_bench *whole, const piece *own)
{
    vdnn_stripes y = vdnn_part_y(whole->layer, &own->part), aux;
    bool is_same = is_loss(whole->layer) || has_same_bits(&y, &whole->y, own->bench->y.data);
    if (vdnn_part_aux(whole->layer, &own->part, &aux))
        is_same = is_same && has_same_bits(&aux, &whole->aux, own->bench->aux.data);
    return is_same;
}

static bool has_same_dx(const vdnn_bench *whole, const piece *own)
{
    bool is_same = true;
    for (int32_t i = 0; i < whole->layer->input_count; i++) {
        vdnn_stripes at = vdnn_part_x(whole->layer, &own->part, i);
        is_same = is_same && has_same_bits(&at, &whole->dx[i], own->bench->dx[i].data);
    }
    return is_same;
}

/* Gradients that are sums over the parts of a cut, which have no bits in common with the whole. */
static bool is_summand(const vdnn_layer *layer, vdnn_pass pass, vdnn_axis axis)
{
    return axis == VDNN_AXIS_SAMPLES ? pass == VDNN_BACKWARD_FILTER
                                     : pass == VDNN_BACKWARD_DATA && vdnn_part_shares_x(layer);
}

/* The gradient of parameters that backward data writes too is a sum over the samples. */
static bool has_bits_of_whole(const question *q, const piece *own, vdnn_axis axis)
{
    const bool is_whole = vdnn_layer_writes_dw(q->whole->layer, q->pass) &&
                          (q->pass == VDNN_BACKWARD_FILTER || axis != VDNN_AXIS_SAMPLES);
    if (q->pass == VDNN_FORWARD)
        return has_same_forward(q->whole, own);
    bool is_same = q->pass == VDNN_BACKWARD_FILTER || has_same_dx(q->whole, own);
    return is_same && (!is_whole || has_same_params(q->whole, own));
}

static void compare(const question *q, cut *of, int64_t i)
{
    piece *own = &of->pieces[i];
    if (is_summand(q->whole->layer, q->pass, of->axis))
        return;
    if (has_bits_of_whole(q, own, of->axis))
        return;
    differing++;
    if (is_stated(q->row, q->pass, of->axis))
        vdnn_row_fail("part %d of %d along the %s has other bits than the whole", (int)i,
                      (int)of->count, of->axis == VDNN_AXIS_SAMPLES ? "batch" : "channels");
    if (!own->is_referred[q->pass])
        vdnn_bench_refer(own->bench, q->pass);
    own->is_referred[q->pass] = true;
    (void)vdnn_row_within(vdnn_bench_error(own->bench, q->pass),
                          vdnn_bench_error_bound(own->bench, q->row, q->pass));
}

/* ---- sums over parts ------------------------------------------------------------------------- */

static void add(vdnn_bench_buffer *sum, const vdnn_bench_buffer *part, vdnn_dtype dtype,
                bool is_first)
{
    const vdnn_elementwise *elementwise = vdnn_elementwise_find("cpu");
    int64_t count = (int64_t)(sum->bytes / vdnn_dtype_bytes(dtype));
    if (is_first)
        memcpy(sum->data, part->data, sum->bytes);
    else
        assert_ok(elementwise->accumulate(sum->data, part->data, dtype, count, 1, NULL));
}

/* Of a layer that adds each part's gradient to those before it. */
static bool adds(const question *q, const cut *of)
{
    return q->whole->layer->def->adds_gradient && of->axis == VDNN_AXIS_SAMPLES &&
           vdnn_layer_writes_dw(q->whole->layer, q->pass);
}

/* The part finds the sum of those before it where it writes. */
static void hand_on(cut *of, int64_t i)
{
    vdnn_bench *own = of->pieces[i].bench;
    own->adds_dw = i > 0;
    if (i > 0)
        memcpy(own->dw.data, of->pieces[i - 1].bench->dw.data, own->dw.bytes);
}

static void check_added(const question *q, const cut *of)
{
    const vdnn_bench *last = of->pieces[of->count - 1].bench;
    if (memcmp(last->dw.data, q->whole->dw.data, last->dw.bytes) != 0)
        vdnn_row_fail("%d parts that add to each other have other bits than the whole",
                      (int)of->count);
}

/* In the order of the parts, over the gradient of the whole; each addition rounds. */
static void check_sums(const question *q, const cut *of)
{
    const vdnn_layer *layer = q->whole->layer;
    vdnn_dtype dtype = q->pass == VDNN_BACKWARD_FILTER ? VDNN_F32 : layer->x[0].dtype;
    double unit = dtype == VDNN_BF16 ? VDNN_UNIT_BF16 : VDNN_UNIT_F32;
    if (!is_summand(layer, q->pass, of->axis) || adds(q, of))
        return;
    for (int64_t i = 0; i < of->count; i++) {
        const vdnn_bench *own = of->pieces[i].bench;
        if (q->pass == VDNN_BACKWARD_FILTER)
            add(&q->whole->dw, &own->dw, VDNN_F32, i == 0);
        else
            add(&q->whole->dx[0], &own->dx[0], dtype, i == 0);
    }
    double bound = vdnn_bench_error_bound(q->whole, q->row, q->pass);
    (void)vdnn_row_within(vdnn_bench_error(q->whole, q->pass),
                          bound + 2 * (double)of->count * unit);
}

/* The loss of the step is the weighted sum of the parts'; of a single class it is 0. */
static void check_losses(const question *q, const cut *of)
{
    const float *whole = (const float *)(const void *)q->whole->y.data;
    double loss = 0, correct = 0;
    if (!is_loss(q->whole->layer) || q->pass != VDNN_FORWARD)
        return;
    for (int64_t i = 0; i < of->count; i++) {
        const vdnn_bench *own = of->pieces[i].bench;
        const float *y = (const float *)(const void *)own->y.data;
        loss += own->weight * (double)y[0];
        correct += (double)y[1];
    }
    const double scale = whole[0] == 0 ? 1 : (double)whole[0];
    (void)vdnn_row_within(fabs(loss - (double)whole[0]) / scale, 4 * VDNN_UNIT_F32);
    if (correct != (double)whole[1])
        vdnn_row_fail("%g samples are right, and %g in all parts", (double)whole[1], correct);
}

/* ---- all rows -------------------------------------------------------------------------------- */

static bool is_refused(const question *q, const cut *of)
{
    bool is_any = false;
    for (int64_t i = 0; i < of->count; i++)
        is_any = is_any || vdnn_algorithm_refusal(q->row, &of->pieces[i].layer, q->pass) != NULL;
    return is_any;
}

/* A row may refuse a part, as one that takes eight images at once refuses seven. */
static void check_cut(const question *q, cut *of)
{
    bool is_run = !is_refused(q, of);
    for (int64_t i = 0; i < of->count && is_run; i++) {
        if (adds(q, of))
            hand_on(of, i);
        is_run = vdnn_row_ok(vdnn_bench_run(of->pieces[i].bench, q->row, q->pass, THREADS, 0xff));
        if (is_run)
            compare(q, of, i);
    }
    if (is_run && adds(q, of))
        check_added(q, of);
    if (is_run) {
        check_sums(q, of);
        check_losses(q, of);
    }
}

static void check_row(const question *q, cut *cuts, int cut_count)
{
    bool is_referred = false;
    for (int k = 0; k < cut_count; k++) {
        /* sums are written over the gradients of the whole */
        bool is_run = vdnn_row_ok(vdnn_bench_run(q->whole, q->row, q->pass, THREADS, 0xff));
        if (is_run && !is_referred && is_summand(q->whole->layer, q->pass, cuts[k].axis)) {
            vdnn_bench_refer(q->whole, q->pass);
            is_referred = true;
        }
        if (is_run)
            check_cut(q, &cuts[k]);
    }
}

static void check_rows(vdnn_bench *whole, cut *cuts, int cut_count)
{
    const vdnn_layer *layer = whole->layer;
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
        for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
            question q = {whole, vdnn_algorithm_at(i), pass};
            if ((only != NULL && only != q.row) || strcmp(q.row->device, kind) != 0 ||
                strcmp(q.row->layer_type, layer->def->type) != 0 ||
                vdnn_algorithm_refusal(q.row, layer, pass) != NULL ||
                !vdnn_row_begin(vdnn_row_of(layer, q.row, pass)))
                continue;
            check_row(&q, cuts, cut_count);
            vdnn_row_end();
        }
}

static void check_layer(const vdnn_layer *layer, uint64_t seed)
{
    cut cuts[VDNN_AXES * COUNTS];
    int cut_count = 0;
    vdnn_bench *whole = vdnn_bench_create(layer, seed);
    whole->device = device;
    for (vdnn_axis axis = 0; axis < VDNN_AXES; axis++)
        for (int c = 0; c < COUNTS && counts[c] <= vdnn_part_most(layer, axis); c++) {
            cut *of = &cuts[cut_count++];
            of->axis = axis;
            of->count = counts[c];
            for (int64_t i = 0; i < of->count; i++)
                piece_init(whole, of, i, &of->pieces[i]);
        }
    check_rows(whole, cuts, cut_count);
    for (int k = 0; k < cut_count; k++)
        for (int64_t i = 0; i < cuts[k].count; i++) {
            vdnn_bench_destroy(cuts[k].pieces[i].bench);
            vdnn_part_fini(&cuts[k].pieces[i].layer);
        }
    vdnn_bench_destroy(whole);
}

/* In form `f`, if it has that. */
static void check_case(const vdnn_layer_case *c, vdnn_rule rule, size_t f, uint64_t seed)
{
    vdnn_layer *layer = NULL;
    bool is_plain = forms[f].form.layout == VDNN_NCHW && forms[f].form.preferred == VDNN_NCHW;
    if (!has_form(vdnn_layer_def_find(c->type), f) ||
        !(is_plain || vdnn_layer_case_has_pictures(c)))
        return;
    assert_ok(vdnn_layer_case_build_as(c, rule, forms[f].form, &layer));
    check_layer(layer, seed);
    vdnn_layer_case_destroy(layer);
}

static void check_recipe(size_t r, vdnn_test_rng *rng)
{
    recipe own = {"", ""};
    recipes[r].write(rng, &own);
    uint64_t seed = vdnn_test_random(rng);
    const vdnn_layer_case c = {recipes[r].type, own.keys, own.inputs};
    for (size_t f = 0; f < FORMS; f++)
        check_case(&c, seed % 2 == 0 ? VDNN_RULE_LEAN : VDNN_RULE_PAPER, f, seed);
}

/* For rows that small layers have not: bands of an image, and large transforms. */
static const vdnn_layer_case large[] = {
    {"conv", "out=4 kernel=3 pad=1", "3x32x64x64"},
    {"conv", "out=3 kernel=11", "5x2x40x40"},
};

/* A device takes longer, and the emulation of one by far. */
static int times_of(size_t r)
{
    return device == NULL ? recipes[r].times : (recipes[r].times + 2) / 3;
}

static void parts_are_as_the_whole_by_every_row(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_rows_begin(__func__, device);
    for (int round = 0; round < vdnn_test_count(10); round++)
        for (size_t r = 0; r < RECIPES; r++)
            for (int i = 0; i < times_of(r); i++)
                check_recipe(r, &rng);
    for (size_t i = 0; i < sizeof large / sizeof *large && device == NULL; i++)
        check_case(&large[i], VDNN_RULE_LEAN, 0, SEED);
    vdnn_rows_end();
}

/* Rows that do not state of every pass and axis that its bits are those of the whole, and why; of
 * our own arithmetic a layer that shows it. */
static const struct {
    const char *device, *type, *name, *why;
    vdnn_layer_case shows;
} silent[] = {
#define CPU_PRODUCT(type, name)                                                                    \
    {                                                                                              \
        "cpu", type, name, "a product's sums depend on its shape",                                 \
        {                                                                                          \
            NULL, NULL, NULL                                                                       \
        }                                                                                          \
    }
#define CUDA_LIBRARY(type, name)                                                                   \
    {                                                                                              \
        "cuda", type, name, "a library chooses its kernels by shapes",                             \
        {                                                                                          \
            NULL, NULL, NULL                                                                       \
        }                                                                                          \
    }
    {"cpu", "conv", "direct", "oneDNN chooses its kernels by shapes", {NULL, NULL, NULL}},
    {"cpu", "conv", "winograd", "oneDNN chooses its kernels by shapes", {NULL, NULL, NULL}},
    {"cpu", "conv", "winograd_3x3", "sums of dw are cut by outputs", {NULL, NULL, NULL}},
    {"cpu", "conv", "winograd_5x5", "sums of dw are cut by outputs", {NULL, NULL, NULL}},
    {"cpu", "conv", "winograd_7x7", "sums of dw are cut by outputs", {NULL, NULL, NULL}},
    {"cpu", "conv", "fft_16", "two tiles are one transform", {"conv", "out=3 kernel=5", "7x2x9x9"}},
    {"cpu",
     "conv",
     "fft_32",
     "two tiles are one transform",
     {"conv", "out=3 kernel=11", "5x2x20x20"}},
    {"cpu", "conv_transpose", "direct", "oneDNN chooses its kernels by shapes", {NULL, NULL, NULL}},
    CPU_PRODUCT("conv", "gemm_x8"),
    CPU_PRODUCT("conv", "gemm"),
    CPU_PRODUCT("conv", "gemm_4"),
    CPU_PRODUCT("conv", "gemm_16"),
    CPU_PRODUCT("fc", "gemm"),
    CPU_PRODUCT("fc", "matmul"),
    CPU_PRODUCT("sampled_softmax", "gemm"),
    {"cpu",
     "batchnorm",
     "native",
     "sums are cut by channels, though in double",
     {NULL, NULL, NULL}},
    {"cuda", "conv", "implicit", "the bias' sum is cut by channels", {NULL, NULL, NULL}},
    {"cuda", "conv", "implicit_parts", "the bias' sum is cut by channels", {NULL, NULL, NULL}},
    {"cuda", "conv", "implicit_atomic", "atomic sums have no order", {NULL, NULL, NULL}},
    CUDA_LIBRARY("conv", "gemm"),
    CUDA_LIBRARY("conv", "gemm_16"),
    CUDA_LIBRARY("conv", "gemm_nhwc"),
    CUDA_LIBRARY("conv", "gemm_nhwc_16"),
    CUDA_LIBRARY("conv", "gemm_nhwc_all"),
    CUDA_LIBRARY("conv", "winograd"),
    CUDA_LIBRARY("conv", "winograd_16"),
    CUDA_LIBRARY("conv", "fft_16"),
    CUDA_LIBRARY("conv", "fft_4"),
    CUDA_LIBRARY("conv", "cudnn_implicit"),
    CUDA_LIBRARY("conv", "cudnn_precomputed"),
    CUDA_LIBRARY("conv", "cudnn_gemm"),
    CUDA_LIBRARY("conv", "cudnn_fft"),
    CUDA_LIBRARY("conv", "cudnn_fft_tiling"),
    CUDA_LIBRARY("conv", "cudnn_winograd"),
    CUDA_LIBRARY("conv", "cudnn_winograd_nonfused"),
    CUDA_LIBRARY("conv", "cudnn_atomic"),
    CUDA_LIBRARY("conv", "cudnn_atomic_precomputed"),
    CUDA_LIBRARY("conv_transpose", "gemm"),
    CUDA_LIBRARY("conv_transpose", "gemm_16"),
    CUDA_LIBRARY("conv_transpose", "gemm_nhwc"),
    CUDA_LIBRARY("conv_transpose", "gemm_nhwc_16"),
    CUDA_LIBRARY("conv_transpose", "cudnn_precomputed"),
    CUDA_LIBRARY("fc", "gemm"),
    CUDA_LIBRARY("lstm", "gemm"),
    CUDA_LIBRARY("sampled_softmax", "gemm"),
    {"cuda", "fc", "tiles", "the bias' sum is cut by channels", {NULL, NULL, NULL}},
    {"cuda", "batchnorm", "native", "sums are cut by channels", {NULL, NULL, NULL}},
};

enum { SILENT = sizeof silent / sizeof *silent };

/* All that the parts of a layer of this type can have in common with the whole. */
static bool states_all(const vdnn_algorithm *row)
{
    const vdnn_layer_def *def = vdnn_layer_def_find(row->layer_type);
    unsigned of_batch = row->passes & ~(1U << VDNN_BACKWARD_FILTER);
    return (!def->splits_samples || (row->batch_invariant & of_batch) == of_batch) &&
           (def->channel_rule == NULL || (row->channel_invariant & row->passes) == row->passes);
}

static size_t find_silent(const vdnn_algorithm *row)
{
    size_t i = 0;
    while (i < SILENT &&
           (strcmp(silent[i].device, row->device) != 0 ||
            strcmp(silent[i].type, row->layer_type) != 0 || strcmp(silent[i].name, row->name) != 0))
        i++;
    return i;
}

/* So that a row which could promise more, or is new, is looked at. */
static void a_row_that_does_not_promise_the_bits_of_the_whole_has_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (strcmp(row->device, kind) == 0 && states_all(row) != (find_silent(row) == SILENT))
            fail_msg("%s %s: %s", row->layer_type, row->name,
                     states_all(row) ? "it states all, and has a reason not to"
                                     : "it does not state all, and has no reason here");
    }
}

static void where_the_reason_is_our_own_arithmetic_parts_have_other_bits(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    for (size_t i = 0; i < SILENT; i++) {
        const vdnn_algorithm *row =
            vdnn_algorithm_find(silent[i].type, silent[i].name, silent[i].device);
        if (silent[i].shows.type == NULL || strcmp(silent[i].device, kind) != 0 || row == NULL)
            continue;
        differing = 0;
        only = row;
        check_case(&silent[i].shows, VDNN_RULE_LEAN, 0, SEED);
        only = NULL;
        if (differing == 0)
            fail_msg("%s %s: no part of %s on %s has other bits: %s?", row->layer_type, row->name,
                     silent[i].shows.keys, silent[i].shows.inputs, silent[i].why);
    }
    vdnn_rows_end();
}

static int open_device(void **state)
{
    (void)state;
    return vdnn_test_open_device(kind, &device);
}

static int close_device(void **state)
{
    (void)state;
    vdnn_device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_as_the_whole_by_every_row),
        cmocka_unit_test(a_row_that_does_not_promise_the_bits_of_the_whole_has_a_reason),
        cmocka_unit_test(where_the_reason_is_our_own_arithmetic_parts_have_other_bits),
    };
    if (vdnn_test_device_lacks(kind))
        return 0;
    return cmocka_run_group_tests(tests, open_device, close_device);
}
